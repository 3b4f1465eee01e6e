"""What learners put their own words into: controls whose values go to the kernel, and what it makes of them.

A `Playground` is one widget. The page sends the values of its controls, a subclass answers with a sentence and with
regions of HTML, made by the same functions and views as everything else; `static/play.js` draws both and computes
nothing. Where no kernel runs, the regions stand as they were at first, unless a subclass has a `script`. Here are also
the playground of a lattice, and that of a text for any function; `tokenizers` has the largest one.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import anywidget
import traitlets

from ..exercises.instance import takes_widgets
from ..html import Html, look, note, pieces, styled, tag, view
from .in_page import CHANGES, text_of
from .player import bundled, static, within
from .tokens import well_formed

LOOKS = ("design.css", "controls.css", "play.css")
MODULES = ("widget.js", "play.html", "play.js")
Regions = Mapping[str, Html]


class Playground(anywidget.AnyWidget):
    """A form, a sentence, and regions of HTML. A subclass says in `answer` what they are.

    form: what the page asks for, made by `area`, `numeral` and their like. values: what stands in its fields, by name.
    shown: the sentence, and the regions by name.
    """

    _esm = bundled(*map(static, MODULES))
    _css = look() + within(".sl-play", *LOOKS)
    title = traitlets.Unicode().tag(sync=True)
    form = traitlets.Unicode().tag(sync=True)
    values = traitlets.Dict().tag(sync=True, echo_update=False)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, title: str, form: Html, values: dict[str, object]):
        self.status = ""
        super().__init__(title=title, form=form, values=values)
        self.redraw()
        self.observe(self.redraw, "values")

    def answer(self) -> Regions:
        """What is shown for `self.values`; sets `self.status`. A ValueError is told to whoever typed."""
        raise NotImplementedError

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
        }

    def text(self, name: str) -> str:
        """The text in a control: at most LONGEST characters, and a half of a surrogate pair becomes U+FFFD."""
        return well_formed(str(self.values[name]))

    def __repr__(self) -> str:
        return f"{self.title}: {self.status}"

    def html(self) -> Html:
        """What is shown at this moment, with nothing to press."""
        return view(
            tag("p", tag("b", self.title)),
            tag("pre", self.text("text")),
            note(CHANGES),
            tag("p", self.status),
            *self.shown["regions"].values(),
        )

    def _repr_mimebundle_(self, **_: object) -> tuple[dict, dict]:
        data, metadata = (super()._repr_mimebundle_() if takes_widgets() else None) or ({}, {})
        faces = {"text/plain": repr(self), "text/html": styled(self.html(), self.script())}
        return data | faces, metadata

    def script(self) -> Html | None:
        """What brings it to life where no kernel runs, if anything does."""
        return None


# ------------------------------------------------------------------------------------------------------- parts of forms


def area(label: str, *, rows: int = 4, followed: bool = False) -> Html:
    """A field for the text. followed: whether the place of its cursor is a value, too."""
    plain = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "dir": "auto"}
    field = tag("textarea", name="text", rows=rows, data_followed=followed, **plain)
    return tag("label", tag("span", label, class_="sl-name"), field, class_="sl-field sl-wide")


def numeral(name: str, label: str, kind: str, *more: Html, **limits: object) -> Html:
    """A field for a number, of this type."""
    field = tag("input", type=kind, name=name, **limits)
    return tag("label", tag("span", label, class_="sl-name"), field, *more, class_="sl-field")


# ------------------------------------------------------------------------------------------------ a text of one's own


class TextPlayground(Playground):
    """A text of one's own and a number go to a function, and what it answers is shown as they are changed.

    show: a function of the text and of the slider's number; it returns a sentence, and then what is to be looked at,
    such as a table, or HTML. A ValueError that it raises is told to whoever typed. string: what stands in the field
    at first. number and most: where the slider stands, and where it ends. label: what is written above it.

    >>> from subword_lab.views import table
    >>> def repeated(string, times):
    ...     return f"{len(string) * times} characters.", table([[string * times]], ["text"])
    >>> TextPlayground(repeated, "ab", number=3, label="Times", title="Repeat your own text")
    Repeat your own text: 6 characters.
    """

    def __init__(
        self,
        show: Callable[[str, int], tuple],
        string: str | Path = "",
        *,
        number: int = 1,
        most: int = 10,
        label: str = "Steps",
        title: str = "Try your own text",
    ):
        self.show = show
        super().__init__(
            title,
            pieces(
                area("Your text", rows=3),
                numeral("number", label, "range", tag("output"), min=0, max=most),
            ),
            {"text": text_of(string), "number": number},
        )

    def answer(self) -> Regions:
        self.status, *shown = self.show(self.text("text"), int(self.values["number"]))
        return {f"shown{place}": pieces(one) for place, one in enumerate(shown)}


text_playground = TextPlayground
