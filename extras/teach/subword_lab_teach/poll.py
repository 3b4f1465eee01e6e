"""A poll: one exercise that a whole room is asked, with the same figures for all, and which mistakes came back.

Of each learner the first answer to each round's figures counts; a new round has new figures. What is shown to the room
is words of the course alone: how often something was answered, never by whom, and nothing that anybody has typed.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import fastjsonschema

from subword_lab.arguments import counted
from subword_lab.exercises import COSTLY, Instance
from subword_lab.files import read_bounded
from subword_lab.html import Html, pieces, table, tag, to_html

from . import filled

RIGHT = "right"
UNNAMED = {  # what an answer counts as that is no mistake with a label
    "correct": RIGHT,
    "partial": "partly-right",
    "incorrect": "a-mistake-without-a-name",
    "error": "code-that-failed",
    "timeout": "code-that-took-too-long",
}
NUMBER = re.compile(r"-\d$")  # tells mistakes of one name apart, in one learner's figures
TEXT = {"type": "string"}
COUNTS = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}
are_polls = fastjsonschema.compile(
    {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["exercise", "title", "at", "rounds"],
            "properties": {
                "exercise": TEXT,
                "title": TEXT,
                "at": TEXT,
                "rounds": {"type": "array", "minItems": 1, "items": COUNTS},
            },
        },
    }
)


def words(label: str) -> str:
    """The name of a mistake, as a room reads it.

    >>> words("once-per-word"), words("another-rule-2"), words("base-256")
    ('once per word', 'another rule', 'base 256')
    """
    return NUMBER.sub("", label).replace("-", " ")


@dataclass
class Poll:
    """An exercise that is asked. rounds: for each, by a learner's key, what their answer counts as, and the message.

    >>> from subword_lab.exercises import load
    >>> poll = Poll(load("bpe-01"))
    >>> wrong = {"outcome": "incorrect", "label": "once-per-word", "message": "Look again."}
    >>> poll.take("a", {"exercise": "bpe-01", "poll": "", **wrong})
    >>> poll.counts()
    [{'once-per-word': 1}]
    """

    ex: Instance
    rounds: list[dict[str, tuple[str, str]]] = field(default_factory=lambda: [{}])
    revealed: bool = False

    @property
    def is_typed(self) -> bool:
        """Whether a page can ask it: nobody's code runs in the room."""
        return self.ex.kind.card_field != "none"

    def is_open_to(self, key: str, figures: str) -> bool:
        """Whether an answer that this learner types to these figures is still checked."""
        return (
            self.is_typed
            and not self.revealed
            and figures == self.ex.key
            and key not in self.rounds[-1]
        )

    def take(self, key: str, event: dict) -> None:
        """Count an answer to this exercise, if it is this learner's first, and nothing is revealed yet.

        Where the learner has figures of their own, the number of a label says nothing here.
        """
        is_asked = event["exercise"] == self.ex.id and event["poll"] in ("", self.ex.key)
        if is_asked and event["outcome"] in COSTLY and not self.revealed:
            label = event["label"] if event["poll"] else NUMBER.sub("", event["label"])
            self.rounds[-1].setdefault(key, (label or UNNAMED[event["outcome"]], event["message"]))

    def counts(self) -> list[dict[str, int]]:
        """How often what was answered, round by round."""
        return [dict(Counter(label for label, _ in votes.values())) for votes in self.rounds]

    def record(self) -> dict:
        """What remains of the poll: the exercise, the time, and the counts of each round."""
        at = datetime.now().isoformat(" ", timespec="minutes")
        return {"exercise": self.ex.id, "title": self.ex.title, "at": at, "rounds": self.counts()}

    def html(self, learners: int) -> Html:
        """What the room sees of it. learners: how many are here."""
        rounds = self.counts()
        kind = self.ex.kind
        values = {
            each.label: pieces(
                words(each.label),
                ": ",
                to_html(each.value)
                if kind.card_field == "choice"
                else tag("code", kind.show(each.value)),
            )
            for each in self.ex.asked.mistakes
            if NUMBER.search(each.label) and each.value is not None
        }
        return filled(
            "static/poll.html",
            poll=self,
            rounds=rounds,
            distribution=distribution(rounds, values),
            answered=sum(rounds[-1].values()),
            learners=counted(learners, "learner"),
            words=words,
        )


def distribution(rounds: Sequence[Mapping[str, int]], values: Mapping[str, Html] = {}) -> Html:
    """The answers of the last round as bars, and beside them the counts of all rounds.

    values: what a label is called, where that is not its own words.
    """
    last, most = rounds[-1], max(1, sum(rounds[-1].values()))
    rows = [
        [
            values.get(label, words(label)),
            *(counts.get(label, 0) for counts in rounds),
            tag(
                "span",
                class_=f"sl-bar sl-{'chosen' if label == RIGHT else 'mistake'}",
                style=f"width:{8 * last.get(label, 0) / most:.1f}em",
            ),
        ]
        for label in sorted(
            set[str]().union(*rounds),
            key=lambda label: (label != RIGHT, -last.get(label, 0), label),
        )
    ]
    heads = [f"round {number}" for number in range(1, len(rounds))]
    return table(rows, ["answer", *heads, "learners", ""]) if rows else Html()


def read_polls(path: Path) -> list[dict]:
    """The polls of a file that `subword-lab room --record` wrote, as `Poll.record` has them.

    Raises ValueError for any other file, OSError.
    """
    try:
        polls: list[dict] = are_polls(json.loads(read_bounded(path)))
    except (ValueError, RecursionError):
        raise ValueError(
            f"{path} holds no polls; expected a file that subword-lab room --record wrote"
        ) from None
    return polls
