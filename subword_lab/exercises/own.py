"""Exercises of an instructor's own: a Python file, read with messages that say what to mend.

What learners get of it is a file of questions: JSON, with one variant of each exercise, and no answers.
"""

import json
import os
import runpy
import sys
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from ..arguments import check
from ..files import read_bounded
from ..running.values import text_of
from . import code, kinds
from .feedback import Feedback
from .instance import Instance
from .kinds import Kind
from .question import MOST, Exercise, Question, Rng, written_in

LONGEST = 2_000  # characters of what an error says
LIBRARIES = {"site-packages", "dist-packages"}
# What ends this process without a word; all of `os.exec...` call the last two. A browser's Python may lack some.
ENDING = ("_exit", "abort", "execv", "execve")
ENDS = {name: getattr(os, name) for name in ENDING if hasattr(os, name)}


def read(path: str | Path) -> list[Exercise]:
    """The exercises of a Python file, which is run, or of a file of questions (.json).

    Raises ValueError that names the file and, where there is one, the line or the exercise, for a file that is missing,
    cannot be run, has no exercises, or holds some that are not put together as they should be.
    """
    path = Path(path).absolute()
    if path.suffix == ".json":
        return _questions(path)
    exercises: dict[str, Exercise] = {}
    for exercise in written_in(_run(path)):
        try:
            _try_out(exercise)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise ValueError(
                f"{path}: {exercise.id}: asking it failed: {type(error).__name__}: "
                f"{text_of(error, LONGEST)}"
            ) from error
        check(
            exercises.setdefault(exercise.id, exercise) is exercise,
            f"{path}: the id {exercise.id!r} is given twice",
        )
    check(exercises, f"{path} has no exercises; expected functions below a line @exercise(...)")
    return [replace(exercise, own=True) for exercise in exercises.values()]


def _try_out(exercise: Exercise) -> None:
    for number in range(20):
        question = exercise.ask(Rng(f"own/{number}"))
        check(
            question is None or isinstance(question, Question),
            f"it returned {type(question).__name__}; expected a Question, or None for figures that make no good one",
        )
        if question:
            question.worded()


def _run(path: Path) -> dict[str, object]:
    check(path.is_file(), f"there is no file {path}")
    for name in ENDS:
        setattr(os, name, partial(_stay, path, os.getpid(), name))
    try:
        return runpy.run_path(str(path), run_name=f"subword_lab_own_{path.stem}")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [
            step.lineno
            for step in traceback.extract_tb(error.__traceback__)
            if step.filename == str(path)
        ]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        where = f", line {line}" * bool(line)
        raise ValueError(
            f"{path}{where}: {type(error).__name__}: {text_of(error, LONGEST)}"
        ) from error


def _stay(path: Path, process: int, name: str, *arguments: object) -> None:
    """In place of one of `ENDS`: an error that names the file that was run.

    It stays there, for a thread of the file's may go on. Copies of the process end as ever, and libraries end it: a
    kernel does so when nobody is there any more.
    """
    caller = Path(sys._getframe(1).f_code.co_filename)
    if os.getpid() != process or LIBRARIES.intersection(caller.parts):
        ENDS[name](*arguments)
    raise ValueError(f"{path} calls os.{name}, which would end all of this; remove that call")


# ------------------------------------------------------------------------------------------------ questions alone


class Posed:
    """What is added to a kind where nobody has the answer: whether an answer has the right form, and no more."""

    def judge(self, question: Question, values: Sequence[Any], **how: object) -> Feedback:
        return Feedback(
            "received",
            0.0,
            "Your answer has the right form, and is noted in this cell. Save the notebook and hand it in; "
            "whether it is right, your instructor will tell you.",
        )

    def solved(self, question: Question) -> str:
        return "Your instructor has the solution."

    def listed(self, question: Question, rng: Rng) -> list[str]:
        return list(question.listed)

    def settled(self, question: Question) -> Question:
        return question


def questions(instances: Iterable[Instance]) -> str:
    """A file of questions, as text: what these exercises ask their learner, and the form of an answer.

    >>> from subword_lab.exercises import load
    >>> json.loads(questions([load("bpe-01")]))[0]["title"]
    'Count a pair'
    """
    rows = [
        {
            "id": ex.id,
            "title": ex.title,
            "points": ex.exercise.points,
            "kind": _known(ex.kind).__name__,
            "settings": {
                field.name: value
                for field in fields(_known(ex.kind))
                if isinstance(value := getattr(ex.kind, field.name), str | int | None)
            },
            "text": ex.asked.text,
            "listed": ex.listed,
            "hints": list(ex.asked.hints),
        }
        for ex in instances
    ]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def _known(kind: Kind) -> type[Kind]:
    """The kind from which a kind of somebody's own is made: learners know no other."""
    ours = [*vars(kinds).values(), *vars(code).values()]
    return next(base for base in type(kind).__mro__ if base in ours)


def _questions(path: Path) -> list[Exercise]:
    check(path.is_file(), f"there is no file {path}")
    try:
        return [_posed(row) for row in json.loads(read_bounded(path))]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{path} is damaged ({type(error).__name__}: {error}); get it again from whoever handed it out"
        ) from None


def _posed(row: dict) -> Exercise:
    name = row["kind"]
    known: dict[str, Any] = {**vars(kinds), **vars(code)}
    check(
        isinstance(known.get(name), type) and issubclass(known[name], Kind),
        f"{name!r} is no kind of answers",
    )
    texts = [row["title"], row["text"], *row["hints"], *row["listed"]]
    numbers = [row["points"], *(each for each in row["settings"].values() if isinstance(each, int))]
    check(
        all(isinstance(text, str) for text in texts)
        and all(isinstance(number, int) and 0 <= number <= MOST for number in numbers),
        f"{row['id']!r} holds something else than texts and whole numbers from 0 to {MOST:,}",
    )
    kind = type(name, (Posed, known[name]), {})(**row["settings"])
    question = Question(
        row["text"], None, [], row["hints"], "Your instructor has it.", listed=row["listed"]
    )
    return Exercise(row["id"], row["title"], kind, lambda rng: question, row["points"])
