"""Exercises that know which mistake was made.

    from subword_lab.exercises import load

    ex = load("bpe-03")        # this learner's variant
    ex                         # the question
    ex.check(20)               # what is right, or which mistake it looks like
    ex.hint(); ex.solution(); ex.another()
"""
from __future__ import annotations

import difflib
import os

from .code import Function, Repair
from .core import COSTLY, OUTCOMES, Exercise, Feedback, Instance, Misconception
from .kinds import Choice, Invalid, Kind, Merges, Number, Ordering, Prediction, Segmentation, Text, Tokens

__all__ = ["COSTLY", "OUTCOMES", "Choice", "Exercise", "Feedback", "Function", "Instance", "Invalid", "Kind", "Merges",
           "Misconception", "Number", "Ordering", "Prediction", "Repair", "Segmentation", "Text", "Tokens", "ids", "load",
           "register"]

_bank: dict[str, Exercise] = {}


def register(*exercises: Exercise) -> None:
    """Add exercises to the bank of this process; an id that is taken is an error."""
    for exercise in exercises:
        if exercise.id in _bank:
            raise ValueError(f"there is an exercise {exercise.id!r} already; ids are given once")
        _bank[exercise.id] = exercise


def catalog() -> dict[str, Exercise]:
    """All exercises by id: those of the course, and those that were registered."""
    from .bank import lessons

    for exercises in lessons():
        for exercise in exercises:
            _bank.setdefault(exercise.id, exercise)
    return _bank


def ids() -> list[str]:
    """The ids of all exercises, lesson by lesson.

    >>> ids()[:2]
    ['text-01', 'text-02']
    """
    return list(catalog())


def load(exercise_id: str, seed: int | None = None, learner: str | None = None) -> Instance:
    """A learner's variant of an exercise.

    seed: the course's seed; learner: who answers. Left out, they are SUBWORD_LAB_SEED and SUBWORD_LAB_LEARNER of the
    environment, or 0 and nobody. The same three give the same variant everywhere. Unknown ids raise ValueError.

    >>> load("bpe-01").id
    'bpe-01'
    """
    if exercise_id not in catalog():
        near = difflib.get_close_matches(str(exercise_id), catalog(), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; the first is {ids()[0]!r}"
        raise ValueError(f"there is no exercise {exercise_id!r}{hint}")
    seed = os.environ.get("SUBWORD_LAB_SEED", "0") if seed is None else seed
    try:
        seed = int(seed)
    except (TypeError, ValueError):
        raise ValueError(f"the seed is {seed!r}; expected a whole number") from None
    return Instance(_bank[exercise_id], seed, os.environ.get("SUBWORD_LAB_LEARNER", "") if learner is None else learner)
