"""Exercises that are answered on a page, without Python: the cards of the notebooks, and what is said of answers.

A page carries what is said of the right answer, and of each mistake that the exercise knows; `answers.js` stands where
a notebook has its kernel. Whoever writes code works in the lesson.
"""

import json
import math
import re
from collections.abc import Collection
from typing import Any

from subword_lab.exercises import Feedback, Instance, Kind, catalog
from subword_lab.exercises.deck import in_order
from subword_lab.exercises.kinds import LETTERS
from subword_lab.html import Html, pieces, tag, to_html
from subword_lab.views.card import MODULES, unanswered, verdict
from subword_lab.views.player import bundled, static

from .. import read

BOX = re.compile(
    r'<div role="group" aria-label="(?:Exercise (?P<id>[\w-]+)|Practice)"'
    r"(?:(?!<div role=).)*?</p>\n</div>",
    re.DOTALL,
)
TURNS = 3  # sets of figures of one exercise
OTHER = "That is not the answer, nor a mistake that this page knows. The checker in the lesson can say more."
UNJUDGED = "This may be right as well: this page cannot tell, and the checker in the lesson can."


def with_cards(body: str, lesson: str) -> Html:
    """A page's HTML, in which every exercise that needs no code is a card, and the practice a deck of cards."""
    asked = BOX.findall(body)
    if not asked:
        return Html(body)
    rest = [id for id in in_order(lesson, files=()) if id not in asked] if "" in asked else []
    cards = BOX.sub(lambda box: _cards(box[0], [box["id"]] if box["id"] else rest), body)
    card = bundled(*map(static, MODULES)).replace("export default", "const card =")
    script = tag("script", Html(f"{card}\n{read('site', 'answers.js')}"), type="module")
    return pieces(Html(cards), script)


def _cards(box: str, ids: Collection[str]) -> Html:
    """A card, or a deck of cards, in place of a box, which stands there where no script runs."""
    asked = [one for one in map(catalog().get, ids) if one and one.kind.card_field != "none"]
    if not asked:
        return Html(box)
    cards = [[_turn(Instance(one, turn=turn)) for turn in range(TURNS)] for one in asked]
    data = Html(json.dumps(cards, ensure_ascii=False).replace("<", "\\u003c"))
    script, is_deck = tag("script", data, type="application/json"), 'aria-label="Practice"' in box
    return tag("div", Html(box), script, data_asked=True, data_deck=is_deck)


def _near(kind: Kind, value: Any) -> float:
    """How far from a value an answer may be that is rounded as the question asks."""
    digits, significant = (getattr(kind, name, None) for name in ("digits", "significant"))
    if significant and value:
        digits = significant - 1 - math.floor(math.log10(abs(value)))
    return 0 if digits is None else 0.51 / 10**digits


def _turn(ex: Instance) -> dict[str, object]:
    """One set of figures: the card, the answers that are known with what is said of them, and what else may be said."""
    question, kind = ex.asked, ex.kind
    known = [question.answer, *(each.value for each in question.mistakes if each.value is not None)]

    def said(outcome: str, message: str = "") -> dict[str, str]:
        return verdict(ex, Feedback(outcome, 0, message))

    words = "tokens" if getattr(kind, "case", True) else "words"
    return {
        "read": "letters" if kind.lettered else words,  # how an answer is compared, see answers.js
        "shown": unanswered(ex) | {"reply": 0},
        "known": [
            [_typed(ex, value), verdict(ex, ex.judge(_typed(ex, value))), _near(kind, value)]
            for value in known
        ],
        "said": {
            "none": said("not attempted"),
            "form": said("invalid", f"I expected {kind.form}."),
            "large": said("incorrect", "That is too large."),
            "small": said("incorrect", "That is too small."),
            "other": said("received", UNJUDGED) if question.accept else said("incorrect", OTHER),
        },
        "hints": [
            {"title": f"Hint {number} of {len(question.hints)}", "html": to_html(hint)}
            for number, hint in enumerate(question.hints, start=1)
        ],
        "solution": {"title": "Solution", "html": to_html(kind.solved(question))},
    }


def _typed(ex: Instance, value: Any) -> str:
    """A value as it is answered: by letters where the options have some."""
    if not ex.kind.lettered:
        return ex.kind.show(value)
    items = value if isinstance(value, list) else [value]
    return " ".join(LETTERS[ex.listed.index(item)] for item in items)
