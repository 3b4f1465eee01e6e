"""Exercises of an instructor's own: a Python file, read with messages that say what to mend."""

import re
import runpy
import traceback
from collections.abc import Iterator
from pathlib import Path

from .question import LEVELS, Exercise, Mistake, Question, Rng, written_in

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*-\d+")


def read(path: str | Path) -> list[Exercise]:
    """The exercises of a file, which is run.

    Raises ValueError that names the file and, where there is one, the line or the exercise, for a file that is missing,
    cannot be run, has no exercises, or holds some that are not put together as they should be.
    """
    path = Path(path).absolute()
    exercises: dict[str, Exercise] = {}
    for exercise in written_in(_run(path)):
        for complaint in _complaints(exercise):
            raise ValueError(f"{path}: {exercise.id}: {complaint}")
        if exercises.setdefault(exercise.id, exercise) is not exercise:
            raise ValueError(f"{path}: the id {exercise.id!r} is given twice")
    if not exercises:
        raise ValueError(f"{path} has no exercises; expected functions below a line @exercise(...)")
    return list(exercises.values())


def _run(path: Path) -> dict[str, object]:
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    try:
        return runpy.run_path(str(path), run_name=f"subword_lab_own_{path.stem}")
    except (Exception, SystemExit) as error:
        steps = traceback.extract_tb(error.__traceback__)
        lines = [step.lineno for step in steps if step.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        where = f", line {line}" * bool(line)
        raise ValueError(f"{path}{where}: {type(error).__name__}: {error}") from error


def _complaints(exercise: Exercise) -> Iterator[str]:
    """What in an exercise is not of the type that it should be."""
    if not isinstance(exercise.id, str) or not ID.fullmatch(exercise.id):
        yield f"the id is {exercise.id!r}; expected lowercase words and a number, such as 'class-01'"
    if exercise.level not in LEVELS:
        yield f"level is {exercise.level!r}; expected one of {', '.join(LEVELS)}"
    try:
        questions = [exercise.ask(Rng(f"own/{number}")) for number in range(20)]
        for question in questions:
            if isinstance(question, Question):
                question.worded()
    except Exception as error:
        yield f"asking it failed: {type(error).__name__}: {error}"
        return
    for question in questions:
        if question is not None and not isinstance(question, Question):
            yield (
                f"it returned {type(question).__name__}; expected a Question, or None for figures that make no good "
                "one"
            )
        elif question and not all(isinstance(mistake, Mistake) for mistake in question.mistakes):
            yield "mistakes holds something else; expected a list of Mistake(label, value, message)"
        elif question and isinstance(question.hints, str):
            yield "hints is a single text; expected a list of three (mind the commas)"
