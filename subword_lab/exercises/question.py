"""How an exercise is written: one function asks one complete question, with its figures, answer and mistakes.

    @exercise("class-01", "Count the words", Number(), level="recall")
    def count_words(rng):
        words = [rng.choice(["hug", "pug", "bun"]) for _ in range(rng.between(4, 40))]
        return Question(
            "How many words are there in {words:words}?",
            answer=len(words),
            mistakes=[Mistake("blanks", len(words) - 1, "That is the number of blanks. What stands before the first?")],
            hints=["A word is what stands between blanks.", "Split the text at its blanks.", "`len(text.split())`"],
            solution="Split at the blanks and count the pieces.",
            why="There is one word more than there are blanks between them.",
            figures=locals())

The texts are templates whose named fields are filled from `figures`, see `words.say`. Every random choice is taken from
`rng`, so that the same learner gets the same question on every machine.

An exercise that asks for code is written as a class, see `code.Function`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..arguments import check
from .words import say

if TYPE_CHECKING:
    from .kinds import Kind

LEVELS = ("recall", "apply", "transfer")
ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*-\d+")
MOST = 10_000  # points, or digits of an answer
T = TypeVar("T")
Case = tuple[Any, ...]  # the arguments of one call


class Rng:
    """A stream of choices that depends on `key` alone (SHA-256 in counter mode).

    >>> rng = Rng("bpe-03, seed 0")
    >>> [rng.between(1, 6) for _ in range(8)]
    [4, 6, 4, 6, 5, 4, 2, 6]
    """

    def __init__(self, key: str):
        self.key, self.count = key, 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.count += 1
        digest = hashlib.sha256(f"{self.key}\x1f{self.count}".encode()).digest()
        return int.from_bytes(digest, "big") % n

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in a new order; the sequence that came in stays as it was."""
        rest = list(items)
        return [rest.pop(self.below(left)) for left in range(len(rest), 0, -1)]

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """k of the items, each at most once."""
        return self.shuffle(items)[:k]


@dataclass(frozen=True)
class Mistake:
    """A mistake with a name, and where it leads with the figures of this question.

    label: short and lasting, for statistics. value: what somebody who makes the mistake answers; None where it cannot
    be made with these figures. message: what the learner reads, in Markdown. It begins with what is certain about this
    value ("That is the number of blanks."), and asks rather than accuses; it does not tell the answer. rare: whether
    fewer than a quarter of the variants have figures with which it can be made.
    """

    label: str
    value: Any
    message: str
    rare: bool = False


@dataclass(frozen=True)
class Question:
    """One question with its figures, its answer, and everything that there is to say about wrong ones.

    text, hints (three: a nudge, an idea, a line), solution (the way to the answer) and why (one sentence after a right
    answer) are Markdown. answer: the right value. listed: what is shown with letters, the items to order, or the word
    to cut (a choice lists its options by itself). accept: says of another value whether it is right all the same.
    evidence: from a wrong value, where it goes wrong; instead of what the kind says by itself.
    figures: what stands in the named fields of all these texts, see `words.say`; usually `locals()`. Without it the
    texts are taken as they are.
    For code, cases, inputs and also are what stands under these names in its class, see `code`.
    """

    text: str
    answer: Any
    mistakes: Sequence[Mistake]
    hints: Sequence[str]
    solution: str
    why: str = ""
    listed: Sequence[str] = ()
    accept: Callable[[Any], bool] | None = None
    evidence: Callable[[Any], str] | None = None
    cases: Sequence[Case] = ()
    inputs: Callable[[], Any] | None = None
    also: Sequence[Callable] = ()
    figures: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check(
            not isinstance(self.hints, str),
            "hints is a single text; expected a list of three (mind the commas)",
        )
        check(
            all(isinstance(mistake, Mistake) for mistake in self.mistakes),
            "mistakes holds something else; expected a list of Mistake(label, value, message)",
        )

    def worded(self) -> Question:
        """The same question, with its figures in the fields of its texts.

        >>> question = Question("How often does {pair:tokens} occur?", 2, [], [], "", figures={"pair": ("u", "g")})
        >>> question.worded().text
        'How often does `u` `g` occur?'
        """
        figures = self.figures
        if figures is None:
            return self
        return replace(
            self,
            text=say(self.text, **figures),
            mistakes=[
                replace(mistake, message=say(mistake.message, **figures))
                for mistake in self.mistakes
            ],
            hints=[say(hint, **figures) for hint in self.hints],
            solution=say(self.solution, **figures),
            why=say(self.why, **figures),
            figures=None,
        )


Ask = Callable[[Rng], Question | None]  # None: these figures make no good question


@dataclass(frozen=True)
class Exercise:
    """An exercise of the bank, as `exercise` makes it.

    id: lasting, never derived from the content. ask: from a source of random choices, a question; None if these
    figures make no good one. level: one of LEVELS. version: raised when the same seed is to give other figures. core:
    whether it belongs to the handful that everybody should do. own: whether it comes from an instructor's file, whose
    learners have no answers.
    """

    id: str
    title: str
    kind: Kind
    ask: Ask
    points: int = 1
    level: str = "apply"
    version: int = 1
    core: bool = False
    own: bool = False

    @property
    def group(self) -> str:
        """The part of the id before the number, which a lesson's exercises share."""
        return self.id.rpartition("-")[0]


def exercise(
    id: str,
    title: str,
    kind: Kind,
    *,
    points: int = 1,
    level: str = "apply",
    version: int = 1,
    core: bool = False,
) -> Callable[[Any], Exercise]:
    """Make an exercise of the function below, which asks the question (or, for code, of the class below).

    Raises ValueError for an id, a kind, points or a level that is none.

    >>> from subword_lab.exercises import Mistake, Number, Question, Rng
    >>> @exercise("class-02", "Twice", Number())
    ... def twice(rng):
    ...     return Question("How much is twice two?", 4, [Mistake("once", 2, "That is two once.")], [], "2 + 2")
    >>> twice.id, twice.ask(Rng("any")).answer
    ('class-02', 4)
    """
    check(
        isinstance(id, str) and ID.fullmatch(id),
        f"the id is {id!r}; expected lowercase words and a number, such as 'class-01'",
    )
    check(hasattr(kind, "asking"), f"kind is {kind!r}; expected a kind, such as Number()")
    check(
        type(points) is int and 0 <= points <= MOST,
        f"points is {points!r}; expected a whole number from 0 to {MOST:,}",
    )
    check(level in LEVELS, f"level is {level!r}; expected one of {', '.join(LEVELS)}")

    def make(written: Any) -> Exercise:
        return Exercise(id, title, *kind.asking(written), points, level, version, core)

    return make


def written_in(names: dict[str, object]) -> list[Exercise]:
    """The exercises that a module's names hold, in their order."""
    return [value for value in names.values() if isinstance(value, Exercise)]
