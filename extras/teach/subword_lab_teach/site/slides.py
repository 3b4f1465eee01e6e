"""Lessons as slides for a room: a page that needs nothing else, made of the lesson's own cells.

A slide has one idea: a question or a sentence as its title, a few sentences, and one thing to look at. Of the lesson's
prose only what asks, defines or points stands on it; the notes for whoever speaks hold all of it, and the code that is
longer than a glance. The page parts what is taller than a slide (`slides.js`), where it can be measured.
"""

import re
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from pathlib import Path

from subword_lab import files, lessons
from subword_lab.exercises import catalog
from subword_lab.html import Html, gathered, pieces

from .. import filled, plan, read
from ..cells import DECK, LOADED, lesson_notebook
from .pages import cell_html, page

LEFT_OUT = ("Sources and further reading",)
GOALS = "**You will be able to**"  # and what one needs: no slide
ANSWERED = ".check("  # a cell that is there to be answered in says nothing on a slide
GLANCE = 4  # lines of code that a room reads; what is longer stands in the notes
TITLE = 130  # characters of a sentence that can be a title
# A sentence, which does not end inside of code, a formula or a link.
SENTENCE = re.compile(
    r"(?:\*\*\w+[.:]\*\*|(?<!\*)\*[^*\s][^*]*\*(?!\*)|`[^`]+`|\$[^$]+\$|\]\([^)]*\)|.)+?"
    r"(?:[.?!][*)]*(?=\s|$)|(?<=[.?!]\*)(?=\s)|$)",
    re.DOTALL,
)
# Code that only shows something, and says nothing about it.
PLUMBING = re.compile(
    r"(?<!\w)(?:\w*(?:playground|stepper|player|race)|fold|source|sentence|table|documented\.\w+)\("
)
# How a sentence begins that says nothing without the one before.
REFERS = re.compile(r"(?:And|Both|But|Each|It|Nobody|On|So|That|Then|These|They|This)\b")
# What is said to somebody at a keyboard: in a text, and in what a cell shows.
AT_A_KEYBOARD = re.compile(
    r"\bcells?\b|\bnotebook\b|\babove\b|\bbelow\b|\bclick\b|^\**(?:Change the|Type)\b|[Tt]he card "
)
TO_RUN = re.compile(
    r"<p class=\"sl-still\">[^<]*</p>|<div class=\"sl-note\">Run this cell[^<]*</div>"
    r"|(?: In a notebook, run this cell| Run this cell).*?(?=</p>)",
    re.DOTALL,
)


@dataclass
class Idea:
    """A slide. due: when its section should be over, in minutes. title, text, notes: Markdown. shown: what there is to
    look at.
    """

    section: str
    due: int
    title: str
    text: list[str]
    notes: list[str]
    shown: list[Html] = field(default_factory=list)


def write_slides(folder: Path, lesson: str) -> Path:
    """Write the slides of a lesson below `folder`; the page's path.

    Raises ValueError if there is no such lesson.
    """
    known, path = lessons.lesson(lesson), folder / f"{lesson}.html"
    content = gathered(
        filled(
            "site/slides.html",
            lesson=known,
            ideas=slides(lesson),
            minutes=sum(part.minutes for part in plan.parts(lesson)),
            text_html=text_html,
            heading=_heading,
            script=read("site", "slides.js"),
        )
    )
    folder.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, page(known.heading, content, look=read("site", "slides.css")))
    return path


def slides(lesson: str) -> list[Idea]:
    """The slides of a lesson: the first has its question and how long it takes."""
    known, parts = lessons.lesson(lesson), {part.title: part for part in plan.parts(lesson)}
    due = dict(zip(parts, accumulate(part.minutes for part in parts.values())))
    ideas: list[Idea] = []
    for section, group in groupby(plan.sections(lesson_notebook(lesson)["cells"]), itemgetter(0)):
        if section not in LEFT_OUT:
            ideas += _ideas(section or known.question, due[section], [cell for _, cell in group])
    ideas[0].text.append(f"{max(due.values())} minutes")
    return ideas


def text_html(text: str) -> Html:
    """Text of a slide, as a page shows it."""
    return pieces(*cell_html({"cell_type": "markdown", "source": text}))


def _heading(title: str) -> Html:
    plain = re.sub(r"\*\*|^\*|\*$", "", title)
    made = text_html(re.sub(r"^(\d+)\.", r"\1\.", plain)).strip()  # no list
    return Html(made.removeprefix("<p>").removesuffix("</p>"))


def _ideas(section: str, due: int, cells: list[dict]) -> list[Idea]:
    """The slides of a section: one for each text, or two where the text first reads what was seen, and then goes on."""
    ideas: list[Idea] = []
    for cell, behind in pairwise([*cells, {"cell_type": "markdown"}]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and ideas:
            _show(ideas[-1], cell, source)
        elif cell["cell_type"] == "markdown" and not source.startswith(GOALS):
            text = source.partition("\n")[2] if source.startswith("#") else source
            blocks = re.split(r"\n\s*\n", text.strip())
            prose = [n for n, block in enumerate(blocks) if _is_prose(block)]
            cut = prose[-1] if ideas and prose and behind["cell_type"] == "code" else 0
            for some in filter(None, (blocks[:cut], blocks[cut:])):
                said = [sentence for block in some for sentence in _said(block)]
                title = _title(section, said, is_first=not ideas)
                rest = [it for it in said if it.strip("*") != title.strip("*")]
                ideas.append(Idea(section, due, title, rest, some))
    return ideas


def _is_prose(block: str) -> bool:
    return not re.match(r"[-|>$]|\d+\. |```|    ", block)


def _said(block: str) -> list[str]:
    """What a slide says of a block of text: of prose, what asks, defines or points at something, or else how it
    begins and ends.
    """
    if not _is_prose(block):
        return [block]
    spoken = [found[0].strip() for found in SENTENCE.finditer(block)]
    kept = [said for said in spoken if said and not AT_A_KEYBOARD.search(said)]
    marked = {n for n, said in enumerate(kept) if "**" in said or said.strip("*)")[-1:] in "?:"}
    chosen = marked or {0, len(kept) - 1}
    chosen |= {n - 1 for n in chosen if kept and REFERS.match(kept[n])}
    return [said for n, said in enumerate(kept) if n in chosen]


def _title(section: str, said: list[str], is_first: bool) -> str:
    """A section begins with its question; elsewhere the slide's own question or first sentence is its title."""
    asked = next((it for it in said if it.strip("*").endswith("?")), "")
    is_question = section.endswith("?")
    if is_first and (is_question or not asked.startswith("*")):
        return section if is_question else plan.ASK.get(section, section)
    title = asked or (said[0] if said and _is_prose(said[0]) else "")
    return title if 0 < len(title) <= TITLE else section


def _show(idea: Idea, cell: dict, source: str) -> None:
    """Put what a cell shows on the slide, and its code if that is read at a glance; else the notes have it."""
    if ANSWERED in source or DECK.search(source) or not cell["outputs"]:
        return
    asked = [catalog()[id] for _, id in LOADED.findall(source)]
    if any(exercise.kind.card_field == "none" for exercise in asked):
        written = "; ".join(f"**{exercise.id}** {exercise.title}" for exercise in asked)
        idea.shown.append(text_html(f"In the notebook: {written}"))
        return
    code, *shown = cell_html(cell)
    folded = code.startswith("<details")
    if not folded and source.count("\n") < GLANCE and not PLUMBING.search(source):
        idea.shown.append(code)
    elif not folded:
        idea.notes.append(f"```python\n{source}\n```")
    idea.shown += [Html(TO_RUN.sub("", it)) for it in shown]
