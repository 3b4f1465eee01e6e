"""The instructor's form of a lesson: every exercise solved, and before each section what there is to know about it.

It is made of the learner's notebook, cell by cell, and so says the same; the slides (`site.slides`) are a third form of
the same cells.
"""

from collections.abc import Iterator
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
    own = ""
    if exercises_file:
        load_file(exercises_file)
        own = f", exercises={[str(Path(exercises_file).absolute())]}"
    notebook = lesson_notebook(lesson)
    cells = list(_with_notes(plan.sections(spelled_out(notebook["cells"])), lesson, seed))
    for number, cell in enumerate(cells):
        cell["id"] = f"instructor-{number:03}"
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
    first = (
        f"from subword_lab.exercises import course\n\ncourse(seed={seed}{own})"
        "                      # the figures of this class"
    )
    notebook["cells"] = [code_cell(first, "course"), *cells]
    return notebook


def _with_notes(cells: Iterator[tuple[str, dict]], lesson: str, seed: int) -> Iterator[dict]:
    planned = () if lesson.endswith(".ipynb") else plan.parts(lesson)
    parts = {part.title: part for part in planned}
    told, asked = "", dict[str, Instance]()
    for title, cell in cells:
        source = "".join(cell["source"])
        known = [pair for pair in LOADED.findall(source) if pair[1] in catalog()]
        loaded = {name: Instance(catalog()[id], seed) for name, id in known}
        asked |= loaded
        answered = next((name for name in asked if f"{name}.check(" in source), "")
        if title != told:
            told = title
            if title in parts:
                yield _text(_about(parts[title]))
        if answered:
            ex = asked[answered]
            yield code_cell(ex.kind.cell(answered, ex.asked.answer), "")
            yield _text(_solved(ex))
        else:
            yield {**cell, "source": source} | (
                {"outputs": [], "execution_count": None} if loaded else {}
            )


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
