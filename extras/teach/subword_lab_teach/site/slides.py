"""Lessons as slides: a page that needs nothing else, made of the lesson's own cells.

A slide is what the lesson says before one thing to look at: a cell of text, with what its code shows. Its head is the
section's. Arrows, the space bar and a swipe turn the page; code is folded away, and players move.
"""

from collections.abc import Iterator
from pathlib import Path

from subword_lab import files, lessons
from subword_lab.html import Html, details, gathered, pieces, tag

from .. import plan
from ..cells import lesson_notebook
from .pages import cell_html, page, read

LEFT_OUT = ("Held against the sources", "Sources and further reading")
GOALS = "**You will be able to**"  # and what one needs: no slide
ANSWERED = ".check("  # a cell that is there to be answered in says nothing on a slide


def write_slides(folder: Path, lesson: str) -> Path:
    """Write the slides of a lesson below `folder`; the page's path.

    Raises ValueError if there is no such lesson.
    """
    known = lessons.lesson(lesson)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{known.name}.html"
    shown = slides(lesson)
    deck = [tag("section", content, class_="sl-slide", tabindex="-1") for content in shown]
    number = tag("output", f"1 / {len(shown)}", id="number")
    script = tag("script", Html(read("slides.js")))
    content = [tag("main", gathered(pieces(*deck))), number, script]
    files.write_whole(path, page(known.heading, *content, look=read("slides.css")))
    return path


def slides(lesson: str) -> list[Html]:
    """The slides of a lesson: the first has its title, its question and how long it takes."""
    known, cells = lessons.lesson(lesson), lesson_notebook(lesson)["cells"]
    first = pieces(
        tag("h1", known.title),
        tag("p", tag("em", known.question)),
        tag("p", f"{known.minutes} minutes"),
    )
    return [
        first,
        *(pieces(tag("p", title, class_="sl-head"), *content) for title, content in _ideas(cells)),
    ]


def _ideas(cells: list[dict]) -> Iterator[tuple[str, list[Html]]]:
    """Section and content of each slide: a cell of text, and what the code behind it shows."""
    idea: tuple[str, list[Html]] | None = None
    for title, cell in plan.sections(cells):
        source = "".join(cell["source"])
        said = cell["cell_type"] == "code" and (ANSWERED in source or not cell["outputs"])
        if title in LEFT_OUT or said or source.startswith(GOALS):
            continue
        if cell["cell_type"] == "markdown":
            if idea:
                yield idea
            idea = title, [*cell_html(cell | {"source": _without_head(source)})]
        elif idea:
            code, *shown = cell_html(cell)
            idea[1].extend([*shown, code if code.startswith("<details") else details("Code", code)])
    if idea:
        yield idea


def _without_head(source: str) -> str:
    return source.partition("\n")[2] if source.startswith("#") else source
