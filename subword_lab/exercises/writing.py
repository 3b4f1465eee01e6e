"""How an exercise is written: one function asks one complete question.

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

The texts are templates whose named fields are filled from `figures`, see `words.say`.

An exercise that asks for code is written as a class, see `code.Function`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .kinds import Kind
from .question import Ask, Question
from .rng import Rng

LEVELS = ("recall", "apply", "transfer")


@dataclass(frozen=True)
class Exercise:
    """An exercise of the bank, as `exercise` makes it.

    id: lasting, never derived from the content. ask: from a source of random choices, a question; None if these
    figures make no good one. level: one of LEVELS. version: raised when the same seed is to give other figures. core:
    whether it belongs to the handful that everybody should do.
    """

    id: str
    title: str
    kind: Kind
    ask: Ask
    points: int = 1
    level: str = "apply"
    version: int = 1
    core: bool = False

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

    >>> from subword_lab.exercises import Mistake, Number, Question, Rng
    >>> @exercise("class-02", "Twice", Number())
    ... def twice(rng):
    ...     return Question("How much is twice two?", 4, [Mistake("once", 2, "That is two once.")], [], "2 + 2")
    >>> twice.id, twice.ask(Rng("any")).answer
    ('class-02', 4)
    """

    def make(written: Any) -> Exercise:
        own_kind, ask = kind.asking(written)

        def ask_in_words(rng: Rng) -> Question | None:
            question = ask(rng)
            return question.worded() if isinstance(question, Question) else question

        return Exercise(id, title, own_kind, ask_in_words, points, level, version, core)

    return make


def written_in(names: dict[str, object]) -> list[Exercise]:
    """The exercises that a module's names hold, in their order."""
    return [value for value in names.values() if isinstance(value, Exercise)]
