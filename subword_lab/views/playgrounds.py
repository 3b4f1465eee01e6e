"""What learners put their own words into: controls whose values go to the kernel, and what it makes of them.

A `Playground` is one widget. The page sends the values of its controls, a subclass answers with a sentence and with
regions of HTML, made by the same functions and views as everything else; `static/play.js` draws both and computes
nothing. Where no kernel runs, the regions stand as they were at first, unless a subclass has a `script`. Here are also
the playground of a lattice, and that of a text for any function; `tokenizers` has the largest one.
"""

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import anywidget
import traitlets

from .. import html, lattice
from ..arguments import check, check_string, counted
from ..exercises.instance import takes_widgets
from ..html import Html, note, pieces, styled, tag, view
from ..lattice import Edge
from ..unigram import UnigramModel
from .lattice import lattice_figure
from .player import static, within
from .steppers import columns
from .tables import Table, share_bar, table, token_cell
from .tokens import visible, well_formed

BUTTON = re.compile(r"<button\b.*?</button>", re.DOTALL)
LOOKS = ("design.css", "controls.css", "play.css")
Regions = Mapping[str, Html]


class Playground(anywidget.AnyWidget):
    """Controls, a sentence, and regions of HTML. A subclass says what they are, in `answer` and `press`.

    controls: what the page asks for, each a dictionary with "name", "kind" (a key of `controls` in play.js), "label"
    and what the kind needs. values: their values by name. shown: the sentence, the regions by name, and changes of the
    controls.
    """

    _esm = static("widget.js") + static("play.js")
    _css = html.look() + within(".sl-play", *LOOKS)
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
            values={one["name"]: one["value"] for one in controls},
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
            note("Run this cell in a notebook, and you can change everything."),
            tag("p", self.status),
            *(Html(BUTTON.sub("", region)) for region in self.shown["regions"].values()),
        )

    def _repr_mimebundle_(self, **_: object) -> tuple[dict, dict]:
        data, metadata = (super()._repr_mimebundle_() if takes_widgets() else None) or ({}, {})
        face = styled(self.html(), self.script())
        return data | {"text/plain": repr(self), "text/html": face}, metadata

    def script(self) -> Html | None:
        """What brings it to life where no kernel runs, if anything does."""
        return None


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


# ----------------------------------------------------------------------------------------------- the lattice of a word

LONGEST_WORD = 16  # characters that are drawn
NO_TOKEN = ["", "no token"]


class LatticePlayground(Playground):
    """A word's lattice to play with: take roads and see their sum beside the best, move a loss, warm the dice.

    word: what stands in the field at first. model: whose tokens are the roads.

    >>> LatticePlayground("hug", UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0}))
    Find the way through your own word: The best way is h|ug, with a loss of 3.50.
    """

    def __init__(
        self,
        word: str,
        model: UnigramModel,
        *,
        title: str = "Find the way through your own word",
    ):
        self.path: list[tuple[int, int]] = []
        self.given, self.model, self._moving = model, model, ""
        controls = [
            control("text", "word", "Your word", check_string("word", word)),
            control("select", "token", "Move the loss of", "", options=[NO_TOKEN]),
            slider(
                "loss",
                "Its loss",
                math.ceil(max(model.losses.values(), default=1)) + 5,
                0,
                step=0.1,
            ),
            slider("temperature", "Temperature", 5, 1, step=0.1),
            slider("ways", "Best ways to list", 12, 5, low=1),
        ]
        super().__init__(title, controls)

    def press(self, what: str, value: str) -> None:
        if what == "road":
            start, end = map(int, value.split())
            apart = [place for place in self.path if place[1] <= start or end <= place[0]]
            self.path = apart if (start, end) in self.path else sorted([*apart, (start, end)])
        elif what == "reset":
            self.path, self.model, self._moving = [], self.given, ""
            self.values = {**self.values, "token": ""}

    def answer(self) -> Regions:
        word = self.text("word")
        check(
            0 < len(word) <= LONGEST_WORD,
            f"The word has {counted(len(word), 'character')}; expected 1 to {LONGEST_WORD}, so that it can be "
            "drawn",
        )
        self._move_loss(self.values["token"])
        edges = lattice.edges(word, self.model)
        roads = {(edge.start, edge.end): edge for edge in edges}
        self.path = [place for place in self.path if place in roads]
        known = sorted({edge.token for edge in edges if edge.token in self.model.losses})
        self.changes = {
            "token": {"options": [NO_TOKEN, *([token, visible(token)] for token in known)]}
        }
        best, loss = lattice.viterbi(word, self.model)
        taken = [roads[place] for place in self.path]
        self.status = _sentence(word, taken, best, loss)
        return {
            "map": lattice_figure(
                word, self.model, path=[] if loss == math.inf else None, marked=taken, press="road"
            ).html(),
            "roads": columns(self._roads(word, edges), self._ways(word)),
            "reset": button("Start again", "reset"),
        }

    def _move_loss(self, token: str) -> None:
        """The slider goes to where the loss of a token is; from then on the loss follows the slider."""
        if token == self._moving:
            moved = {token: float(self.values["loss"])} if token else {}
            self.model = UnigramModel({**self.model.losses, **moved}, self.model.unknown_loss)
        elif token in self.model.losses:
            self.values["loss"] = self.model.losses[token]
            self.send_state("values")
        self._moving = token

    def _roads(self, word: str, edges: list[Edge]) -> Table:
        parts = lattice.shares(word, self.model)
        return table(
            [
                [
                    f"{edge.start} to {edge.end}",
                    token_cell([edge.token]),
                    f"{edge.loss:.2f}",
                    f"{parts.get(edge, 0):.1%}",
                    button(
                        "take",
                        "road",
                        f"{edge.start} {edge.end}",
                        pressed=(edge.start, edge.end) in self.path,
                        aria_label=f"take {visible(edge.token)} from {edge.start} to {edge.end}",
                    ),
                ]
                for edge in edges
            ],
            ["road", "token", "loss", "in all ways", ""],
            "Roads",
        )

    def _ways(self, word: str) -> Table:
        temperature = float(self.values["temperature"])
        total = lattice.forward(word, self.model, temperature=temperature)[-1] if temperature else 0
        rows: list[list[object]] = []
        for tokens, loss in lattice.n_best(word, self.model, int(self.values["ways"])):
            part = math.exp(total - loss / temperature) if temperature else float(not rows)
            bar = share_bar(part, f"{part:.1%}")
            rows.append([len(rows) + 1, token_cell(tokens), f"{loss:.2f}", bar])
        return table(
            rows, ["", "way", "loss", f"drawn at temperature {temperature:g}"], "Best ways"
        )


def _sentence(word: str, taken: list[Edge], best: list[str], loss: float) -> str:
    if loss == math.inf:
        return "No way leads through this word."
    target = f"The best way is {'|'.join(map(visible, best))}, with a loss of {loss:.2f}."
    way, cost = "|".join(visible(edge.token) for edge in taken), sum(edge.loss for edge in taken)
    if not taken:
        return target
    if sum(edge.end - edge.start for edge in taken) < len(word):
        return f"Your way so far: {way}, {cost:.2f}. Take roads until the word is whole. {target}"
    sum_up = f"{' + '.join(f'{edge.loss:.2f}' for edge in taken)} = {cost:.2f}"
    verdict = "That is the best there is."
    if cost > loss + 1e-9:
        verdict = f"{cost - loss:.2f} more than the best. {target}"
    return f"Your way is {way}, with a loss of {sum_up}. {verdict}"


lattice_playground = LatticePlayground


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
        string: str = "",
        *,
        number: int = 1,
        most: int = 10,
        label: str = "Steps",
        title: str = "Try your own text",
    ):
        self.show = show
        field = control("area", "text", "Your text", string, rows=3)
        super().__init__(title, [field, slider("number", label, most, number)])

    def answer(self) -> Regions:
        self.status, *shown = self.show(self.text("text"), int(self.values["number"]))
        return {f"shown{place}": pieces(one) for place, one in enumerate(shown)}


text_playground = TextPlayground
