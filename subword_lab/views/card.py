"""An exercise as a card in a notebook: the question, a field for the answer, buttons, and what the answer was worth.

The card asks the same engine as `ex.check(...)` does. What was typed travels with the click, and what is shown comes
back whole in one trait; `static/card.js` draws it with the browser's own fields and buttons.
"""

import os

import anywidget
import traitlets

from .. import html
from ..exercises import Feedback, Instance, progress
from ..exercises.deck import Deck
from ..exercises.kinds import Kind
from .player import bundled, static, within

MODULES = ("widget.js", "card.html", "answer.html", "card.js")
OUTCOMES = {  # what an outcome is called on a card, and how it is marked
    "correct": ("✓", "Right", "good"),
    "partial": ("◐", "Partly right", "note"),
    "incorrect": ("✗", "Not right yet", "bad"),
    "invalid": ("?", "Not an answer of this form", "note"),
    "not attempted": ("○", "Nothing to check yet", "plain"),
    "error": ("!", "It could not be checked", "bad"),
    "timeout": ("!", "It took too long", "bad"),
    "received": ("○", "Noted", "note"),
}
STATES = {"done": "✓ done", "partial": "◐ partly done", "tried": "○ tried"}


class ExerciseCard(anywidget.AnyWidget):
    """An exercise to answer with mouse or keyboard. In a notebook, an exercise shows itself as a card.

    ex: the exercise, as `exercises.load` gives it. New figures are taken over into `ex`, so that what a cell checks
    with `ex.check(...)` is what the card asks; of several cards of one `ex`, the one that was used last decides.
    """

    _esm = bundled(*map(static, MODULES))
    _css = within(".sl-card", "design.css", "controls.css", "card.css")
    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, ex: Instance, source: Instance | Deck | None = None):
        self.ex, self.source = ex, source or ex
        super().__init__(shown=_dealt(ex) | {"reply": 0})
        self.on_msg(self._answer)
        ex.watchers.append(self._follow)

    def __repr__(self) -> str:
        return repr(self.source)

    def _repr_mimebundle_(self, **_: object) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return data | self.source.static(), metadata

    def _answer(self, _: object, message: dict, __: object = None) -> None:
        """A button was pressed: "do" is check, hint, solution or new; "turn" and "answer" as the learner saw them."""
        ex, turn = self.ex, message["turn"] + (message["do"] == "new")
        ex.turn_to(turn)
        shown = dict(self.shown)
        if turn != shown["turn"]:
            shown |= unanswered(ex)
        if message["do"] == "check":
            shown["feedback"] = verdict(ex, self.source.check(message["answer"]))
        elif message["do"] in ("hint", "solution"):
            note = getattr(ex, message["do"])()
            shown["notes"] = [
                *[other for other in shown["notes"] if other["title"] != note.title],
                {"title": note.title, "html": html.to_html(note.text)},
            ]
        self.shown = shown | {"standing": self.shown["standing"], "reply": shown["reply"] + 1}

    def _follow(self) -> None:
        self.shown = self.shown | {"standing": _standing(self.ex)}


class PracticeDeck(ExerciseCard):
    """A deck of exercises: one card at a time, with a button that deals the next."""

    def __init__(self, deck: Deck):
        self.deck = deck
        super().__init__(deck.waiting[0], deck)
        self.shown = self.shown | {"deck": deck.place}

    def _answer(self, _: object, message: dict, __: object = None) -> None:
        if message["do"] != "next":
            return super()._answer(_, message)
        if message["key"] != self.shown["key"]:
            return None  # a second press of the button was meant for the first card
        if ex := self.deck.next():
            self.ex = ex
            ex.watchers.append(self._follow)
            dealt = _dealt(ex)
        else:
            done = {
                "symbol": "✓",
                "word": "Done",
                "tone": "good",
                "message": html.to_html(self.deck.text),
            }
            dealt = {"key": "", "notes": [], "feedback": done}
        self.shown = (
            self.shown | dealt | {"deck": self.deck.place, "reply": self.shown["reply"] + 1}
        )


def unanswered(ex: Instance) -> dict[str, object]:
    """What a card shows of an exercise before anything is answered."""
    kind = ex.kind
    return {
        "id": ex.id,
        "title": ex.title,
        "about": ex.about,
        "turn": ex.turn,
        "key": ex.key,
        "field": _field(kind),
        "question": html.to_html(ex.asked.text),
        "items": [_inline(item) if kind.lettered else item for item in ex.listed],
        "form": {
            "code": getattr(kind, "stub", ""),
            "none": _inline(kind.task.format(kind=kind, name=ex.name)),
        }.get(_field(kind), kind.form),
        "hints": len(ex.asked.hints),
        "feedback": None,
        "notes": [],
    }


def _dealt(ex: Instance) -> dict[str, object]:
    return unanswered(ex) | {"standing": _standing(ex)}


def _field(kind: Kind) -> str:
    """What the card has for the answer. Code is written in a cell below or, where Voilà shows no cells, in the card."""
    no_cells = os.environ.get("SERVER_SOFTWARE", "").startswith("voila")
    return "code" if no_cells and kind.card_field == "none" else kind.card_field


def _inline(markdown: str) -> str:
    return html.to_html(markdown).strip().removeprefix("<p>").removesuffix("</p>")


def verdict(ex: Instance, feedback: Feedback) -> dict[str, str]:
    """What a card shows of an answer."""
    symbol, word, tone = OUTCOMES[feedback.outcome]
    message = feedback.message
    if feedback.outcome == "not attempted":
        message = {"choice": "Choose an answer first.", "code": message}.get(
            _field(ex.kind), f"Type an answer first: {ex.kind.form}."
        )
    return {
        "symbol": symbol,
        "word": word,
        "tone": tone,
        "message": html.to_html(message.removeprefix(f"{word}.").strip()),
        "details": html.to_html(feedback.evidence) if feedback.evidence else "",
        "note": feedback.note,
    }


def _standing(ex: Instance) -> str:
    """What was done before, in a word or two."""
    try:
        standing = progress.store().summary(ex.learner).get(ex.id)
    except progress.ProgressError as error:
        return str(error)
    return STATES.get(standing["state"], "") if standing else ""
