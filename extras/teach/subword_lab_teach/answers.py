"""The answers of a notebook on their way to whoever marks it: taken inside its process, judged outside.

`Outside` works in the notebook's process, where a learner's code may do whatever it likes; so it judges nothing, and
of an `Answer` that comes from there nothing is true but its form.
"""

import contextlib
import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import IO, Literal

from subword_lab import (
    bpe,
    compression,
    documented,
    exercises,
    lattice,
    running,
    text,
    unigram,
    wordpiece,
)
from subword_lab.exercises import Feedback, Instance, instance
from subword_lab.running.values import encode, text_of

from .sandbox.messages import from_json, to_json
from .sandbox.notebook_child import Call, clock

LONGEST = 20_000  # characters of an answer in JSON
NAMES = {  # what lessons import: a cell that was deleted by mistake costs nothing
    "load": exercises.load,
    "course": exercises.course,
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


class Outside:
    """Whoever runs the notebook: each answer that it gives to `ex.check(...)` is passed on to them.

    names: for the cells; beside NAMES every exercise, under the name that it has in its lesson.
    """

    def __init__(self, source: IO[bytes], send: Callable[[str], None]):
        self._source, self._send, self.names = source, send, dict[str, object](NAMES)
        with contextlib.suppress(Exception):  # in an instructor's file: then it has no exercises
            self.names |= {(ex := exercises.load(id)).name: ex for id in exercises.ids()}
        instance.hand_answers_to(self.take)

    def tell(self, message: object) -> None:
        """Send a message: a dataclass of one of the kinds that a session expects."""
        with clock(0):  # half a line would be none
            self._send(to_json(message))

    def take(self, ex: Instance, answer: object) -> Feedback:
        """Pass one answer on; a function is called as often as it is asked for, outside of the cell's time."""
        with contextlib.suppress(Exception):  # what is no code is told apart outside
            if "code" in ex.kind.proofs and not ex.kind.is_untouched(answer):
                (answer,) = ex.kind.readings(answer)  # written as a text, it is run here, too
        form, value = described(ex, answer)
        self.tell(Answer(ex.id, ex.seed, str(ex.learner), ex.turn, form, value))
        if form == "function" and callable(answer):
            with clock(0):
                while call := from_json(self._source.readline(), Call):
                    self.tell(running.run(answer, call.cases, limits=call.limits))
        return Feedback("not attempted", 0.0, "Handed in.", exercise=ex.id)


def described(ex: Instance, answer: object) -> tuple[Form, object]:
    """The form of an answer, and the value that goes with it."""
    try:
        if ex.kind.is_untouched(answer):
            return "untouched", None
        if callable(answer):
            return "function", None
        if len(json.dumps(encode(answer))) > LONGEST:
            return "unusable", "far too long"
    except Exception as error:
        return "unusable", text_of(error, 200)
    return "value", answer
