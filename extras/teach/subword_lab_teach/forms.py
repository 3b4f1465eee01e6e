"""The instructor's form of a lesson: every exercise solved, and before each section what there is to know about it.

It is made of the learner's notebook, cell by cell, and so says the same; the slides (`site.slides`) are a third form of
the same cells.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from subword_lab.exercises import Instance, catalog, load_file

from . import plan
from .cells import LOADED, code_cell, lesson_notebook, spelled_out


def instructor_notebook(
    lesson: str, *, seed: int = 0, exercises_file: str | Path | None = None
) -> dict:
    """A lesson with the exercises solved, for the variants of a class's seed, as a notebook's file holds it.

    lesson: its name, or a notebook of your own, such as own.ipynb; exercises_file: exercises of your own. Before each
    section of a lesson stands a note with its minutes, a question for the room, and its exercises; after each answer,
    the way to it and what learners get wrong. Raises ValueError if there is no such lesson.
    """
    if exercises_file:
        load_file(exercises_file)
    notebook = lesson_notebook(lesson)
    parts = {} if lesson.endswith(".ipynb") else {part.title: part for part in plan.parts(lesson)}
    noted = _with_notes(plan.sections(spelled_out(notebook["cells"])), parts, seed)
    cells = [
        {**cell, "id": f"instructor-{n:03}", "source": cell["source"].splitlines(keepends=True)}
        for n, cell in enumerate(noted)
    ]
    own = f", exercises={[str(Path(exercises_file).absolute())]}" if exercises_file else ""
    first = (
        f"from subword_lab.exercises import course\n\ncourse(seed={seed}{own})"
        "                      # the figures of this class"
    )
    notebook["cells"] = [code_cell(first, "course"), *cells]
    return notebook


def _with_notes(
    cells: Iterable[tuple[str, dict]], parts: dict[str, plan.Part], seed: int
) -> Iterator[dict]:
    """The cells, each with its source as one text, with notes before sections and solutions in place of answers."""
    told, asked = "", dict[str, Instance]()
    for title, cell in cells:
        source = "".join(cell["source"])
        asked |= {
            name: Instance(catalog()[id], seed)
            for name, id in LOADED.findall(source)
            if id in catalog()
        }
        if title != told and title in parts:
            yield _text(_about(parts[title]))
        told = title
        if answered := next((name for name in asked if f"{name}.check(" in source), ""):
            ex = asked[answered]
            yield {**cell, "source": ex.kind.cell(answered, ex.asked.answer)}
            yield _text(_solved(ex))
        else:
            yield {**cell, "source": source}


def _about(part: plan.Part) -> str:
    lines = [
        f"**{part.title}** · {f'{part.minutes} minutes' if part.minutes else 'not in class'}",
        f"Ask the room: {part.question}" if part.minutes and part.question else "",
        f"In class: {', '.join(part.in_class)}" if part.in_class else "",
        f"At home: {', '.join(part.home)}" if part.home else "",
    ]
    return "> " + "  \n> ".join(filter(None, lines))


def _solved(ex: Instance) -> str:
    """The way to the answer, and the mistakes that learners make, by the names that the reports use."""
    mistakes = [
        f"- `{mistake.label}`: {' '.join(mistake.message.split())}" for mistake in ex.asked.mistakes
    ]
    way = "" if "code" in ex.kind.proofs else ex.asked.solution  # which the cell above holds
    wrong = ["What goes wrong:", "\n".join(mistakes)] if mistakes else []
    text = "\n\n".join(filter(None, [f"**{ex.id}.** {way}".strip(), ex.asked.why, *wrong]))
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _text(source: str) -> dict:
    return {"cell_type": "markdown", "metadata": {"tags": ["instructor"]}, "source": source}
