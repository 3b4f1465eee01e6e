"""What learners put their own words into: controls whose values go to the kernel, and what it makes of them.

A `Playground` is one widget. The page sends the values of its controls, a subclass answers with a sentence and with
regions of HTML, made by the same functions and views as everything else; `static/play.js` draws both and computes
nothing. Where no kernel runs, the regions stand as they were at first.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import anywidget
import traitlets

from .. import html
from ..exercises.instance import takes_widgets
from ..html import Html, note, styled, tag, view
from .player import static
from .tokens import LONGEST, well_formed

BUTTON = re.compile(r"<button\b.*?</button>", re.DOTALL)
Regions = Mapping[str, Html]


class Playground(anywidget.AnyWidget):
    """Controls, a sentence, and regions of HTML. A subclass says what they are, in `answer` and `press`.

    controls: what the page asks for, each a dictionary with "name", "kind" (a key of `controls` in play.js), "label"
    and what the kind needs. values: their values by name. shown: the sentence, the regions by name, and changes of the
    controls.
    """

    _esm = static("play.js")
    _css = html.look() + static("play.css")
    title = traitlets.Unicode().tag(sync=True)
    follows = traitlets.Unicode().tag(sync=True)  # the control whose cursor is a value, too
    controls: traitlets.List = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True, echo_update=False)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, title: str, controls: list[dict], *, follows: str = ""):
        self.status = ""
        self.changes: dict[str, dict] = {}
        super().__init__(
            title=title,
            controls=controls,
            values={one["name"]: one["value"] for one in controls if one["kind"] != "file"},
            follows=follows,
        )
        self.redraw()
        self.observe(self.redraw, "values")
        self.on_msg(self._pressed)

    def answer(self) -> Regions:
        """What is shown for `self.values`; sets `self.status`. A ValueError is told to whoever typed."""
        raise NotImplementedError

    def press(self, what: str, value: str) -> None:
        """A button in a region was pressed, which was made with `button`."""

    def redraw(self, _: object = None) -> None:
        """Answer anew."""
        try:
            regions, wrong = self.answer(), False
        except ValueError as error:
            regions, self.status, wrong = self.shown.get("regions", {}), f"{error}.", True
        self.shown = {
            "status": self.status,
            "wrong": wrong,
            "regions": regions,
            "controls": self.changes,
        }

    def text(self, name: str) -> str:
        """The text in a control: at most LONGEST characters, and a half of a surrogate pair becomes U+FFFD."""
        return well_formed(str(self.values[name]))

    def _pressed(self, _: object, message: dict, __: object = None) -> None:
        self.press(message["do"], message.get("value", ""))
        self.redraw()

    def __repr__(self) -> str:
        return f"{self.title}: {self.status}"

    def html(self) -> Html:
        """What is shown at this moment, with nothing to press."""
        return view(
            tag("p", tag("b", self.title)),
            *(
                tag("pre", self.text(one["name"]))
                for one in self.controls
                if one["kind"] in ("area", "text")
            ),
            tag("p", self.status),
            *(Html(BUTTON.sub("", region)) for region in self.shown["regions"].values()),
            note("Run this cell in a notebook, and you can change everything."),
        )

    def _repr_mimebundle_(self, **_: object) -> tuple[dict, dict]:
        data, metadata = (super()._repr_mimebundle_() if takes_widgets() else None) or ({}, {})
        return data | {"text/plain": repr(self), "text/html": styled(self.html())}, metadata


# ----------------------------------------------------------------------------------------------------------- controls


def control(kind: str, name: str, label: str, value: object, **more: object) -> dict:
    """A control of this kind. Its value may be a Path, whose text it takes.

    more: what the kind needs, such as the "options" of a "select", (value, name) pairs.
    """
    value = value.read_text(encoding="utf-8") if isinstance(value, Path) else value
    return {"name": name, "kind": kind, "label": label, "value": value, **more}


def slider(
    name: str, label: str, high: float, value: float, *, low: float = 0, step: float = 1
) -> dict:
    """A control that is dragged, or moved by arrow keys."""
    return control("range", name, label, value, min=low, max=high, step=step)


def file_into(name: str) -> dict:
    """A control that takes a file into the field of another control."""
    return control("file", "file", "or take a file", None, into=name, limit=LONGEST)


# ------------------------------------------------------------------------------------------------------ in the regions


def button(
    label: object, what: str, value: object = "", pressed: bool | None = None, aria_label: str = ""
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
        aria_label=aria_label,
    )
