"""Lessons as slides for a room: a page that needs nothing else, made of the lesson's own cells.

A slide has one idea: a question or a sentence as its title, a few sentences, and one thing to look at. Of the lesson's
prose only what asks, defines or points stands on it; the notes for whoever speaks hold all of it, and the code that is
longer than a glance. The page parts what is taller than a slide (`slides.js`), where it can be measured.
"""

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path

from subword_lab import files, lessons
from subword_lab.exercises import catalog
from subword_lab.html import Html, gathered, pieces, tag

from .. import plan, read
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
    """A slide before it is HTML. title, text, notes: Markdown. shown: what there is to look at."""

    title: str
    text: list[str]
    notes: list[str]
    shown: list[Html] = field(default_factory=list)


def write_slides(folder: Path, lesson: str) -> Path:
    """Write the slides of a lesson below `folder`; the page's path.

    Raises ValueError if there is no such lesson.
    """
    known = lessons.lesson(lesson)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{known.name}.html"
    content = [
        tag("div", gathered(pieces(*slides(lesson))), role="main"),
        tag("footer"),
        tag("script", Html(read("site", "slides.js")), type="module"),
    ]
    files.write_whole(path, page(known.heading, *content, look=read("site", "slides.css")))
    return path


def slides(lesson: str) -> list[Html]:
    """The slides of a lesson: the first has its title, its question and how long it takes."""
    known, due = lessons.lesson(lesson), 0
    about = {part.title: part for part in plan.parts(lesson)}
    minutes = sum(part.minutes for part in about.values())
    made: list[Html] = []
    for section, cells in groupby(
        plan.sections(lesson_notebook(lesson)["cells"]), lambda it: it[0]
    ):
        if section in LEFT_OUT:
            continue
        part = about.get(section, plan.Part(known.question))
        due += part.minutes
        ideas = _ideas(part, [cell for _, cell in cells])
        if not made:
            ideas[0].text.append(f"{minutes} minutes")
        made += [_slide(section or known.title, idea, due, minutes) for idea in ideas]
    return made


def _slide(section: str, idea: Idea, due: int, minutes: int) -> Html:
    """A slide. due: when its section should be over, of so many minutes in class."""
    over = tag("small", section) if section != idea.title else None
    plain = re.sub(r"\*\*|^\*|\*$", "", idea.title)
    title = _html(re.sub(r"^(\d+)\.", r"\1\.", plain)).strip()  # no list
    head = tag("header", over, tag("h2", Html(title.removeprefix("<p>").removesuffix("</p>"))))
    text = [_html(text) for text in idea.text]
    notes = tag("aside", *map(_html, idea.notes), hidden=True)
    content = pieces(notes, head, *text, *idea.shown)
    return tag("section", content, class_="sl-slide", data_due=due, data_minutes=minutes)


def _html(text: str) -> Html:
    return pieces(*cell_html({"cell_type": "markdown", "source": text}))


def _ideas(part: plan.Part, cells: list[dict]) -> list[Idea]:
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
            both = [blocks[:cut], blocks[cut:]]
            ideas += [_idea(part, some, not ideas) for some in both if some]
    return ideas


def _is_prose(block: str) -> bool:
    return not re.match(r"[-|>$]|\d+\. |```|    ", block)


def _idea(part: plan.Part, blocks: list[str], is_first: bool) -> Idea:
    """The idea of a few blocks of text: of prose, what asks, defines or points at something, or else how it begins."""
    text = []
    for block in blocks:
        spoken = (
            [found[0].strip() for found in SENTENCE.finditer(block)] if _is_prose(block) else []
        )
        kept = [said for said in spoken if said and not AT_A_KEYBOARD.search(said)]
        marked = {n for n, said in enumerate(kept) if "**" in said or said.strip("*)")[-1:] in "?:"}
        chosen = marked or {0, len(kept) - 1} if kept else set()
        chosen |= {n - 1 for n in chosen if n and REFERS.match(kept[n])}
        text += [kept[n] for n in sorted(chosen)] if spoken else [block]
    title = _title(part, text, is_first)
    return Idea(title, [said for said in text if said.strip("*") != title.strip("*")], blocks)


def _title(part: plan.Part, text: list[str], is_first: bool) -> str:
    """A section begins with its question; elsewhere the slide's own question or first sentence is its title."""
    asked = next((said for said in text if said.strip("*").endswith("?")), "")
    if is_first and part.title.endswith("?"):
        return part.title
    if is_first and not asked.startswith("*"):
        return plan.ASK.get(part.title, part.title)
    title = asked or (text[0] if text and _is_prose(text[0]) else "")
    return title if 0 < len(title) <= TITLE else part.title


def _show(idea: Idea, cell: dict, source: str) -> None:
    """Put what a cell shows on the slide, and its code if that is read at a glance; else the notes have it."""
    if ANSWERED in source or DECK.search(source) or not cell["outputs"]:
        return
    asked = [catalog()[id] for _, id in LOADED.findall(source)]
    if any(exercise.kind.card_field == "none" for exercise in asked):
        written = "; ".join(f"**{exercise.id}** {exercise.title}" for exercise in asked)
        idea.shown.append(_html(f"In the notebook: {written}"))
        return
    code, *shown = cell_html(cell)
    folded = code.startswith("<details")
    if not folded and source.count("\n") < GLANCE and not PLUMBING.search(source):
        idea.shown.append(code)
    elif not folded:
        idea.notes.append(f"```python\n{source}\n```")
    idea.shown += [Html(TO_RUN.sub("", it)) for it in shown]
