"""Frames that one steps through: a slider, Previous and Next; without a script, all frames one under another.

A `FramePlayer` holds finished HTML. The few lines of script only show one frame at a time, so it needs no kernel: it
moves as soon as a trusted notebook is opened. Where scripts do not run, every frame is a line to be opened.

A player may ask what comes next before it shows it, and answers a guess with figures. Everything that it says stands in
its frames; where scripts do not run, nothing is asked.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .. import files
from ..arguments import check, counted
from ..html import Html, Shown, details, note, pieces, tag

MODULE = re.compile(
    r"^(import .*\n|export (?!default))", re.MULTILINE
)  # what a script has no use for
_cells: dict[str, set[object]] = {}  # of the notebook, by the script that they have shown
COMMENT = re.compile(r"^ */\*.*?\*/\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Question:
    """A question before a frame: what stands there meanwhile, and the reply to each guess.

    right: the guess that opens the frame. faces: how guesses are shown, where not as text. covers: whether the frame's
    label has the answer in it, and is hidden, too.
    """

    words: str
    before: object
    replies: Mapping[str, str]
    right: str
    faces: Mapping[str, object] = field(default_factory=dict)
    covers: bool = False

    def html(self) -> Html:
        """The question with its buttons, and a field for whoever would rather type."""
        buttons = [
            tag(
                "button",
                self.faces.get(guess, guess),
                type="button",
                data_name=guess,
                data_reply=reply,
                data_right=guess == self.right,
                aria_label=guess,
            )
            for guess, reply in self.replies.items()
        ]
        field = tag("input", type="text", size=10, autocomplete="off", spellcheck="false")
        # Text of a script: where nothing is asked, it is not there.
        return tag(
            "script",
            html_of(self.before),
            tag("p", tag("b", self.words)),
            tag(
                "div",
                *buttons,
                tag("label", "or type it: ", field),
                tag("button", "Show me", type="button", data_show=True),
                class_="sl-choices",
            ),
            type="text/html",
            class_="sl-ask sl-covers" if self.covers else "sl-ask",
        )


@dataclass(frozen=True, repr=False)
class FramePlayer(Shown):
    """Frames with a label each. In a notebook a slider moves through them; elsewhere the labels are listed.

    frames: HTML, or anything with HTML of its own (`_repr_html_`). labels: one short line of text a frame.
    alt: what is shown, in one sentence; it stands above the frames. questions: those that are asked before a frame is
    shown, by the frame's number; one with a single reply is not asked.

    Raises ValueError if there are no frames, or not as many labels as frames.

    >>> FramePlayer(["<b>h u g</b>", "<b>h ug</b>"], ["characters", "u + g"], alt="One word being merged")
    One word being merged
    0. characters
    1. u + g
    """

    frames: Sequence[object]
    labels: Sequence[str]
    alt: str
    questions: Mapping[int, Question] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check(
            self.frames and len(self.labels) == len(self.frames),
            f"there are {counted(len(self.frames), 'frame')} and "
            f"{counted(len(self.labels), 'label')}; expected at least one frame, "
            "and a label for each",
        )

    def __repr__(self) -> str:
        return "\n".join(
            [self.alt, *(f"{number}. {label}" for number, label in enumerate(self.labels))]
        )

    def html(self) -> Html:
        return tag(
            "div",
            note(self.alt),
            tag("p", "To move through the steps, run this cell.", class_="sl-still"),
            tag(
                "div",
                *[
                    details(f"{number}. {label}", self._frame(number), open=number == 0)
                    for number, label in enumerate(self.labels)
                ],
                class_="sl-stack",
            ),
            tag("script", Html(static("frames.js"))),
            class_="sl-frames mathjax_ignore",
            role="group",
            aria_label=self.alt,
        )

    def _frame(self, number: int) -> Html:
        frame, question = html_of(self.frames[number]), self.questions.get(number)
        if question is None or len(question.replies) < 2:
            return frame
        return pieces(question.html(), tag("div", frame, class_="sl-told"))


def html_of(value: object) -> Html:
    """The HTML of a string, which is taken as HTML, or of anything that has some."""
    return Html(value) if isinstance(value, str) else pieces(value)


@cache
def static(name: str) -> str:
    """The text of a file in `static/`, without comments of whole lines and without indentation.

    HTML comes as a script that calls it by its name: `merge_player.html` is MERGE_PLAYER.
    """
    source = COMMENT.sub("", files.read("views", "static", name))
    plain = re.sub(r"\n\s*(//.*)?", "\n", source).strip()
    stem, _, kind = name.partition(".")
    return f"const {stem.upper()} = `{plain}`;" if kind == "html" else plain


def bundled(*modules: str) -> str:
    """One script from the texts of ES modules; each may import from those before it.

    >>> bundled("export const ONE = 1;", 'import { ONE } from "./one.js";' + chr(10) + "alert(ONE);")
    'const ONE = 1;\\nalert(ONE);'
    """
    return "\n".join(MODULE.sub("", module) for module in modules)


def within(where: str, *names: str) -> str:
    """Style sheets of `static/` for what is inside of an element, which is their `&`.

    >>> within(".sl-play", "play.css").splitlines()[0]
    '.sl-play {'
    """
    return "\n".join((f"{where} {{", *map(static, names), "}"))


def brings_script(element: str) -> bool:
    """Whether what is shown now has to bring the script of its element.

    One cell's output has the script for all. A cell that is run again has its own, for the other may be gone. Where
    nobody says which cell is run, every output is whole.
    """
    from IPython import get_ipython

    message: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)() or {}
    cell, cells = message.get("metadata", {}).get("cellId"), _cells.setdefault(element, set())
    is_needed = not cell or not cells or cell in cells
    cells.add(cell)
    return is_needed
