"""Exercises of an instructor's own: a Python file with a list EXERCISES, read with messages that say what to mend."""
from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from pathlib import Path

from .code import Function
from .core import Exercise, Misconception
from .kinds import Kind

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*-\d+")


def read(path: str | Path) -> list[Exercise]:
    """The exercises of a file, which is run.

    Raises ValueError that names the file and, where there is one, the line or the exercise, for a file that is missing,
    cannot be run, has no list EXERCISES, or holds exercises that are not put together as they should be.
    """
    path = Path(path).absolute()
    exercises = getattr(_run(path), "EXERCISES", None)
    if not isinstance(exercises, (list, tuple)) or not exercises:
        raise ValueError(f"{path} has no EXERCISES; expected a list: EXERCISES = [Exercise(...), ...]")
    for number, exercise in enumerate(exercises, 1):
        if not isinstance(exercise, Exercise):
            raise ValueError(f"{path}: member {number} of EXERCISES is {type(exercise).__name__}; expected an Exercise")
        for complaint in _complaints(exercise):
            raise ValueError(f"{path}: {exercise.id}: {complaint}")
    ids = [exercise.id for exercise in exercises]
    for twice in {id for id in ids if ids.count(id) > 1}:
        raise ValueError(f"{path}: the id {twice!r} is given twice")
    return list(exercises)


def _run(path: Path):
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    name = f"subword_lab_own_{path.stem}"
    spec = importlib.util.spec_from_loader(name, None, origin=str(path))
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[name] = module                  # as dataclasses and pickling expect
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except Exception as error:
        lines = [step.lineno for step in traceback.extract_tb(error.__traceback__) if step.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        raise ValueError(f"{path}{f', line {line}' if line else ''}: {type(error).__name__}: {error}") from error
    return module


def _complaints(exercise: Exercise):
    """What in an exercise is not of the type that it should be."""
    if not isinstance(exercise.id, str) or not ID.fullmatch(exercise.id):
        yield f"the id is {exercise.id!r}; expected lowercase words and a number, such as 'class-01'"
    if not isinstance(exercise.kind, Kind):
        yield f"kind is {exercise.kind!r}; expected a kind, such as Number()"
    for name in ("generate", "answer"):
        if not callable(getattr(exercise, name)):
            yield f"{name} is {getattr(exercise, name)!r}; expected a function"
    if not isinstance(exercise.misconceptions, (list, tuple)) or not all(
            isinstance(member, Misconception) for member in exercise.misconceptions):
        yield "misconceptions holds something else; expected a list of Misconception(label, message, wrong)"
    if not isinstance(exercise.hints, (list, tuple)):
        yield "hints is not a list; expected a list of texts (for a single one, mind the comma)"
    if isinstance(exercise.kind, Function) and not (callable(exercise.cases) and callable(exercise.strategy)):
        yield "an exercise that asks for code needs cases and strategy, two functions of the variant"
