"""The answers of a notebook on their way to whoever marks it: taken inside its process, judged outside.

`Answers` works in the notebook's process, where a learner's code may do whatever it likes; so it judges nothing, and
of an `Answer` that comes from there nothing is true but its form.
"""

import contextlib
import json
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from subword_lab import (
    bpe,
    compression,
    documented,
    exercises,
    lattice,
    text,
    unigram,
    wordpiece,
)
from subword_lab.exercises import Feedback, Instance, catalog, course, load
from subword_lab.exercises import instance as engine
from subword_lab.exercises.live import NOT_HERE
from subword_lab.running.values import encode, text_of

from .sandbox import SECONDS, Outside, Settings

PACKAGE = str(Path(__file__).resolve().parent)
LONGEST = 20_000  # characters of an answer in JSON
NAMES = {
    "load": load,
    "course": course,
    "Counter": Counter,
    "math": math,
    "Fraction": Fraction,
    **{
        module.__name__.rpartition(".")[2]: module
        for module in (bpe, compression, documented, exercises, lattice, text, unigram, wordpiece)
    },
}
Form = Literal["value", "unusable", "function", "untouched"]


@dataclass(frozen=True)
class Answer:
    """What the cell that is running answered to somebody's variant of an exercise.

    form: "value", "unusable" (no plain value; the value is what is wrong with it), "function" (one that is lent by the
    notebook for as long as it is not told to go on) or "untouched" (no answer yet).
    """

    exercise: str
    seed: int
    learner: str
    turn: int
    form: Form
    value: object = None


class Answers:
    """Takes each answer that the notebook gives to `ex.check(...)`, and passes it on.

    names: what lessons import, and every exercise under the name that it has there, so that a cell that was deleted by
    mistake costs nothing.
    """

    def __init__(self, outside: Outside):
        self.outside, self.names = outside, dict[str, object](NAMES)
        with contextlib.suppress(
            Exception
        ):  # an instructor's file with an error: then its exercises are not found
            self.names |= {(ex := load(id)).name: ex for id in catalog()}
        engine.hand_answers_to(self.take)

    def take(self, ex: Instance, answer: object) -> Feedback:
        """Pass one answer on, and wait for as long as it is needed."""
        form, value = described(ex, answer)
        self.outside.tell(Answer(ex.id, ex.seed, str(ex.learner), ex.turn, form, value))
        if form == "function" and callable(answer):
            self.outside.lend(answer)
        return Feedback("not attempted", 0.0, "Handed in.", exercise=ex.id)


def described(ex: Instance, answer: object) -> tuple[Form, object]:
    """The form of an answer, and the value that goes with it."""
    try:
        if ex.kind.is_untouched(answer):
            return "untouched", None
        if callable(answer):
            return "function", None
        if len(json.dumps(encode(answer))) > LONGEST:
            raise ValueError("far too long")
    except Exception as error:
        return "unusable", text_of(error, 200)
    return "value", answer


def settings(
    seed: int = 0,
    learner: str = "",
    exercises_file: str = "",
    *,
    seconds: float = SECONDS,
    trust: bool = False,
) -> Settings:
    """How a notebook is run so that it hands over its answers to the exercises of the course, and those of a file."""
    variables = {
        "SUBWORD_LAB_HOME": ":memory:",
        "SUBWORD_LAB_NO_WIDGETS": "1",
        "SUBWORD_LAB_SEED": str(seed),
        "SUBWORD_LAB_LEARNER": learner,
        "SUBWORD_LAB_EXERCISES": exercises_file,
        "SUBWORD_LAB_ROOM": NOT_HERE,
    }
    return Settings(
        seconds,
        trust,
        [PACKAGE, *[exercises_file] * bool(exercises_file)],
        variables,
        f"{__name__}:{Answers.__name__}",
        [Answer],
    )
