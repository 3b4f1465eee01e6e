"""A poll: one exercise that a whole room is asked, with the same figures for all, and which mistakes came back.

Of each learner the first answer to each round's figures counts; a new round has new figures. What is shown to the room
is words of the course alone: how often something was answered, never by whom, and nothing that anybody has typed.
"""

import json
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from subword_lab.arguments import counted
from subword_lab.exercises import Exercise, Instance, live
from subword_lab.html import Html, pieces, table, tag, to_html

RIGHT = "right"
UNNAMED = {  # what an answer counts as that is no mistake with a label
    "correct": RIGHT,
    "partial": "partly-right",
    "incorrect": "a-mistake-without-a-name",
    "error": "code-that-failed",
    "timeout": "code-that-took-too-long",
}
NUMBER = re.compile(r"-\d$")  # tells mistakes of one name apart, in one learner's figures
Counts = dict[str, int]


def words(label: str) -> str:
    """The name of a mistake, as a room reads it.

    >>> words("once-per-word"), words("another-rule-2"), words("base-256")
    ('once per word', 'another rule', 'base 256')
    """
    return NUMBER.sub("", label).replace("-", " ")


class Vote(NamedTuple):
    """What somebody's answer counts as, and what they were told."""

    label: str
    message: str


class Poll:
    """An exercise that is asked. rounds: for each, by a learner's key, their vote; in the last, `ex` is asked.

    >>> from subword_lab.exercises import catalog
    >>> poll = Poll(catalog()["bpe-01"])
    >>> poll.take("a", {"outcome": "incorrect", "message": "Look again.", "poll": poll.ex.key}, "once-per-word")
    >>> poll.take("b", {"outcome": "correct", "message": "Right.", "poll": poll.ex.key}, "")
    >>> poll.record()["rounds"]
    [{'once-per-word': 1, 'right': 1}]
    """

    def __init__(self, exercise: Exercise):
        self.ex = Instance(exercise, secrets.randbelow(10**6), live.POLL)
        self.rounds: list[dict[str, Vote]] = [{}]
        self.revealed = False
        self.at = datetime.now().isoformat(timespec="minutes")

    def ask_again(self) -> None:
        """Begin a new round, with new figures."""
        self.ex, self.revealed = self.ex.another(), False
        self.rounds.append({})

    def take(self, key: str, event: dict, label: str) -> None:
        """Count an answer to this exercise, if it is this learner's first, and nothing is revealed yet.

        label: of the mistake, if it is known. Where the learner has figures of their own, its number says nothing here.
        """
        own_figures = not event["poll"]
        if self.revealed or not (own_figures or event["poll"] == self.ex.key):
            return
        label = NUMBER.sub("", label) if own_figures else label
        vote = Vote(label or UNNAMED[event["outcome"]], event["message"])
        self.rounds[-1].setdefault(key, vote)

    def figures(self) -> dict:
        """What `live.poll` needs to ask the same."""
        return {"exercise": self.ex.id, "seed": self.ex.seed, "turn": self.ex.turn}

    def forget(self, key: str) -> None:
        """Forget a learner's votes."""
        for votes in self.rounds:
            votes.pop(key, None)

    def counts(self) -> list[Counts]:
        """How often what was answered, round by round."""
        return [dict(Counter(vote.label for vote in votes.values())) for votes in self.rounds]

    def record(self) -> dict:
        """What remains of the poll: the exercise, the time, and the counts of each round."""
        exercise = {"exercise": self.ex.id, "title": self.ex.title}
        return {**exercise, "at": self.at, "rounds": self.counts()}

    # ---------------------------------------------------------------------------------------------------------- showing

    def html(self, learners: int) -> Html:
        """What the room sees of it. learners: how many are here."""
        last = self.counts()[-1]
        told = f"{sum(last.values())} of {counted(learners, 'learner')} answered"
        told += f", round {len(self.rounds)}" * (len(self.rounds) > 1)
        return pieces(
            tag("h3", f"{self.ex.id} {self.ex.title}"),
            to_html(self.ex.question),
            tag("p", told),
            distribution(self.counts(), self._values()),
            self._solution(last) if self.revealed else None,
        )

    def _values(self) -> dict[str, str]:
        """The options behind labels that are told apart by a number."""
        mistakes = self.ex.asked.mistakes
        return {each.label: str(each.value) for each in mistakes if NUMBER.search(each.label)}

    def _solution(self, given: Counts) -> Html:
        known = [each for each in self.ex.asked.mistakes if each.label in given]
        told = [(tag("b", words(each.label)), to_html(each.message)) for each in known]
        return pieces(
            tag("h3", "The right answer"),
            to_html(self.ex.kind.solved(self.ex.asked)),
            *(tag("div", name, message, class_="told") for name, message in told),
        )

    def form(self, key: str, note: str) -> Html:
        """What one learner sees of it on a page without a kernel. note: on an answer that could not be read."""
        vote, kind = self.rounds[-1].get(key), self.ex.kind
        if vote or self.revealed:
            told = to_html(vote.message) if vote and self.revealed else None
            answer = to_html(kind.solved(self.ex.asked)) if self.revealed else None
            wait = "Your answer has arrived. This page goes on by itself."
            asked = to_html(self.ex.question)
            return pieces(asked, None if self.revealed else tag("p", wait), told, answer)
        if kind.card_field == "none":
            where = tag("code", "live.poll()")
            return tag(
                "p", "This exercise asks for code: answer it in a notebook, with ", where, "."
            )
        return tag(
            "form",
            to_html(self.ex.asked.text if kind.card_field == "choice" else self.ex.question),
            self._field(),
            tag("p", note, role="alert") if note else None,
            tag("input", type="hidden", name="figures", value=self.ex.key),
            tag("button", "Answer"),
            method="post",
            action="answer",
        )

    def _field(self) -> Html:
        if self.ex.kind.card_field == "choice":
            options = [
                tag("label", tag("input", type="radio", name="answer", value=letter), to_html(item))
                for letter, item in zip("abcdefghijklmnopqrstuvwxyz", self.ex.listed)
            ]
            return tag("fieldset", tag("legend", "Choose one"), *options)
        look = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
        field = tag("input", type="text", name="answer", maxlength=live.LONGEST["answer"], **look)
        return tag("label", f"Your answer: {self.ex.kind.form}", field)


def distribution(rounds: Sequence[Counts], values: dict[str, str] | None = None) -> Html:
    """The answers of the last round as bars, and beside them the counts of the rounds before."""
    last = rounds[-1]
    labels = sorted({*last, *(label for counts in rounds for label in counts)})
    labels.sort(key=lambda label: (label != RIGHT, -last.get(label, 0)))
    most = max(1, sum(last.values()))
    heads = [*(f"round {number}" for number in range(1, len(rounds))), "learners"]
    rows = []
    for label in labels:
        value = (values or {}).get(label)
        name = pieces(words(label), ": ", to_html(value)) if value else words(label)
        width = f"width:{12 * last.get(label, 0) / most:.1f}em"
        bar = tag("span", class_="sl-bar sl-chosen" if label == RIGHT else "sl-bar", style=width)
        rows.append([name, *(counts.get(label, 0) for counts in rounds), bar])
    return table(rows, ["answer", *heads, ""]) if rows else Html()


# ----------------------------------------------------------------------------------------------------------- the record


def write_polls(path: Path, polls: Sequence[dict]) -> None:
    """Write records of polls to a file, for `read_polls`. Raises OSError."""
    from subword_lab.files import write_whole

    write_whole(path, json.dumps(list(polls), indent=1) + "\n")


def read_polls(path: Path) -> list[dict]:
    """The records of a file that `subword-lab room --record` wrote. Raises ValueError for any other, OSError."""
    try:
        polls = json.loads(path.read_bytes())
        for poll in polls:
            rounds = [*poll["rounds"]]
            texts = [
                poll["exercise"],
                poll["title"],
                poll["at"],
                *(key for each in rounds for key in each),
            ]
            figures = [figure for counts in rounds for figure in counts.values()]
            if (
                not rounds
                or {*map(type, texts)} != {str}
                or not {*map(type, figures)} <= {int}
                or min(figures, default=0) < 0
            ):
                raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(
            f"{path} holds no polls; expected a file that subword-lab room --record wrote"
        ) from None
    return polls
