"""Lessons as slides: a page that needs nothing else, made of the lesson's own cells.

A slide is what the lesson says before one thing to look at: a cell of text, with what its code shows. Its head is the
section's. Arrows, the space bar and a swipe turn the page; code is folded away, and players move.
"""

from pathlib import Path

from subword_lab import files, lessons
from subword_lab.html import Html, details, gathered, pieces, tag

from .. import plan
from ..cells import lesson_notebook
from .pages import cell_html, page, read

LEFT_OUT = ("Sources and further reading",)
GOALS = "**You will be able to**"  # and what one needs: no slide
ANSWERED = ".check("  # a cell that is there to be answered in says nothing on a slide


def write_slides(folder: Path, lesson: str) -> Path:
    """Write the slides of a lesson below `folder`; the page's path.

    Raises ValueError if there is no such lesson.
    """
    known = lessons.lesson(lesson)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{known.name}.html"
    deck = [tag("section", it, class_="sl-slide", tabindex="-1") for it in slides(lesson)]
    content = [
        tag("main", gathered(pieces(*deck))),
        tag("output", f"1 / {len(deck)}", id="number"),
        tag("script", Html(read("slides.js"))),
    ]
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
    return [first, *(pieces(*idea) for idea in _ideas(cells))]


def _ideas(cells: list[dict]) -> list[list[Html]]:
    """The pieces of each slide: its section, a cell of text, and what the code behind it shows."""
    ideas: list[list[Html]] = []
    for title, cell in plan.sections(cells):
        source = "".join(cell["source"])
        if title in LEFT_OUT or source.startswith(GOALS):
            continue
        if cell["cell_type"] == "markdown":
            text = source.partition("\n")[2] if source.startswith("#") else source
            head = tag("p", title, class_="sl-head")
            ideas.append([head, *cell_html(cell | {"source": text})])
        elif ideas and cell["outputs"] and ANSWERED not in source:
            code, *shown = cell_html(cell)
            ideas[-1] += [*shown, code if code.startswith("<details") else details("Code", code)]
    return ideas
