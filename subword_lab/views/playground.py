"""What learners put their own words into: controls whose values go to the kernel, and what it makes of them.

A `Playground` is one widget. The page sends the values of its controls, a subclass answers with a sentence and with
regions of HTML, made by the same functions and views as everything else; `static/play.js` draws both and computes
nothing. Where no kernel runs, the regions stand as they were at first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import anywidget
import traitlets

from .. import html
from ..exercises.instance import takes_widgets
from ..html import Html, note, styled, tag, view
from .shown import static

LONGEST = 200_000  # characters of a text; what is longer is cut off
CLASSES = (
    "sl-view",
    "sl-note",
    "sl-whole",
    "sl-item",
    "sl-token",
    "sl-table",
    "sl-bar",
    "sl-source",
    "sl-line",
)
STYLE = html.look(*CLASSES) + static("play.css")
Regions = Mapping[str, Html]


class Playground(anywidget.AnyWidget):
    """Controls, a sentence, and regions of HTML. A subclass says what they are, in `answer` and `press`.

    controls: what the page asks for, each a dictionary with "name", "kind" (a key of `controls` in play.js), "label"
    and what the kind needs. values: their values by name. shown: the sentence, the regions by name, and changes of the
    controls.
    """

    _esm = static("play.js")
    _css = STYLE
    title = traitlets.Unicode().tag(sync=True)
    follows = traitlets.Unicode().tag(sync=True)  # the control whose cursor is a value, too
    controls: traitlets.List = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True, echo_update=False)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, title: str, controls: list[dict], *, follows: str = ""):
        self.said = ""
        self.changes: dict[str, dict] = {}
        values = {
            control["name"]: control.get("value", "")
            for control in controls
            if control["kind"] != "file"
        }
        super().__init__(title=title, controls=controls, values=values, follows=follows)
        self.redraw()
        self.observe(self.redraw, "values")
        self.on_msg(self._pressed)

    def answer(self) -> Regions:
        """What is shown for `self.values`; sets `self.said`. A ValueError is told to whoever typed."""
        raise NotImplementedError

    def press(self, what: str, value: str) -> None:
        """A button in a region was pressed, which was made with `button`."""

    def redraw(self, _: object = None) -> None:
        """Answer anew."""
        try:
            regions, wrong = self.answer(), False
        except ValueError as error:
            regions, self.said, wrong = self.shown.get("regions", {}), f"{error}.", True
        self.shown = {
            "status": self.said,
            "wrong": wrong,
            "regions": regions,
            "controls": self.changes,
        }

    def text(self, name: str) -> str:
        """The text in a control: at most LONGEST characters, and a half of a surrogate pair becomes U+FFFD."""
        return (
            str(self.values[name])[:LONGEST]
            .encode("utf-16", "surrogatepass")
            .decode("utf-16", "replace")
        )

    def _pressed(self, _: object, message: dict, __: object = None) -> None:
        self.press(message["do"], message.get("value", ""))
        self.redraw()

    def __repr__(self) -> str:
        return f"{self.title}: {self.said}"

    def html(self) -> Html:
        """What is shown at this moment, with nothing to press."""
        regions = [
            Html(re.sub(r"<button\b.*?</button>", "", region, flags=re.DOTALL))
            for region in self.shown["regions"].values()
        ]
        return view(
            tag("p", tag("b", self.title)),
            *(tag("pre", self.text(name)) for name in self._written()),
            tag("p", self.said),
            *regions,
            note("Run this cell in a notebook, and you can change everything."),
        )

    def _written(self) -> list[str]:
        return [control["name"] for control in self.controls if control["kind"] in ("area", "text")]

    def _repr_mimebundle_(self, **_: object) -> tuple[dict, dict]:
        data, metadata = (super()._repr_mimebundle_() if takes_widgets() else None) or ({}, {})
        return data | {"text/plain": repr(self), "text/html": styled(self.html())}, metadata


def button(
    label: object,
    what: str,
    value: object = "",
    *,
    pressed: bool | None = None,
    **attributes: object,
) -> Html:
    """A button in a region, which calls `press(what, value)`."""
    return tag(
        "button",
        label,
        type="button",
        data_do=what,
        data_value=value,
        data_key=f"{what} {value}",
        aria_pressed=None if pressed is None else str(pressed).lower(),
        **attributes,
    )


def folded(summary: str, *content: object) -> Html:
    """Content that opens on demand, and stays open while what is in it changes."""
    return tag("details", tag("summary", summary), *content, data_key=summary)


def choice(name: str, label: str, options: Mapping[str, str], value: str) -> dict:
    """A control in which one of several is chosen: value -> what it is called."""
    return {
        "name": name,
        "kind": "select",
        "label": label,
        "options": list(options.items()),
        "value": value,
    }


def slider(name: str, label: str, low: float, high: float, step: float, value: float) -> dict:
    """A control that is dragged, or moved by arrow keys."""
    return {
        "name": name,
        "kind": "range",
        "label": label,
        "min": low,
        "max": high,
        "step": step,
        "value": value,
    }


def some_text(value: str | Path) -> str:
    """The text itself, or that of a file if it is a Path."""
    return value.read_text(encoding="utf-8") if isinstance(value, Path) else value


def code_cell(code: str) -> Html:
    """Python that makes what is shown, to be copied into a cell."""
    from .source import Source

    return folded(
        "A cell that makes this",
        Source(code).html(),
        tag("button", "Copy", type="button", data_copy=True),
    )
