"""Exercises that know which mistake was made.

from subword_lab.exercises import load

ex = load("bpe-03")        # this learner's variant
ex                         # the question
ex.check(20)               # what is right, or which mistake it looks like
ex.hint(); ex.solution(); ex.another()
"""

import difflib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from ..arguments import check
from . import classroom, own
from .classroom import course
from .code import Edit, Function, Gap, Lines, Repair
from .feedback import COSTLY, OUTCOMES, Feedback, Note
from .instance import Instance
from .kinds import (
    Choice,
    Invalid,
    Kind,
    Merges,
    Number,
    Ordering,
    Segmentation,
    Text,
    Tokens,
    prediction,
)
from .own import Posed
from .question import LEVELS, Exercise, Mistake, Question, Rng, exercise

__all__ = [
    "COSTLY",
    "LEVELS",
    "OUTCOMES",
    "Choice",
    "Edit",
    "Exercise",
    "Feedback",
    "Function",
    "Gap",
    "Instance",
    "Invalid",
    "Kind",
    "Lines",
    "Merges",
    "Mistake",
    "Note",
    "Number",
    "Ordering",
    "Question",
    "Repair",
    "Rng",
    "Segmentation",
    "Text",
    "Tokens",
    "catalog",
    "course",
    "exercise",
    "ids",
    "load",
    "load_file",
    "prediction",
    "register",
]

_bank: dict[str, Exercise] = {}
# instructors' files: what stands in each, and its ids
_files: dict[Path, tuple[bytes, list[str]]] = {}


def register(*exercises: Exercise) -> None:
    """Add exercises to the bank of this process; an id that is taken is an error, if not by a mere question."""
    for new in exercises:
        check(
            new.id not in _bank or isinstance(_bank[new.id].kind, Posed),
            f"there is an exercise {new.id!r} already; ids are given once",
        )
        _bank[new.id] = new


def load_file(path: str | Path) -> list[str]:
    """Add the exercises of a file of your own to the bank of this process; their ids.

    A file that was read before, here or as a copy, is read again only if it has changed. Raises ValueError, with what
    to mend, for a file that cannot be read so, or an id that is taken.
    """
    path = Path(path).absolute()
    content = path.read_bytes() if path.is_file() else b""
    for known, ids in _files.values():
        if content and known == content:
            return list(ids)
    exercises = own.read(path)
    catalog()  # whose ids are taken
    for id in _files.pop(path, (b"", []))[1]:
        _bank.pop(id, None)
    register(*exercises)
    _files[path] = content, [exercise.id for exercise in exercises]
    return list(_files[path][1])


def catalog(files: Iterable[str | Path] | None = ()) -> dict[str, Exercise]:
    """All exercises by id: those of the course, those that were registered, and those of some files.

    files: of exercises, which are run, or of questions without answers; None for those of the class, as a notebook has
    them (see `classroom`). A command may be started in a stranger's folder, and names what it runs.
    """
    from .bank import lessons

    for member in chain.from_iterable(lessons()):
        _bank.setdefault(member.id, member)
    for file in classroom.settings().exercises if files is None else files:
        load_file(file)
    return _bank


def ids() -> list[str]:
    """The ids of all exercises, lesson by lesson.

    >>> ids()[:2]
    ['text-01', 'text-02']
    """
    return list(catalog(None))


def load(exercise_id: str, seed: int | None = None, learner: str | None = None) -> Instance:
    """A learner's variant of an exercise.

    seed: the course's seed; learner: who answers. Left out, they are those of the class, see `classroom`, or 0 and
    nobody. The same three give the same variant everywhere. Unknown ids raise ValueError.

    >>> load("bpe-01").id
    'bpe-01'
    """
    if exercise_id not in catalog(None):
        raise ValueError(f"there is no exercise {exercise_id!r}{_way_out(str(exercise_id))}")
    here = classroom.settings()
    seed = here.seed if seed is None else classroom.checked_seed(seed)
    return Instance(_bank[exercise_id], seed, here.learner if learner is None else learner)


def _way_out(id: str) -> str:
    """What to do about an id that is unknown here: a slip of the pen, or an exercise of an instructor's own."""
    near = difflib.get_close_matches(
        id.rpartition("-")[0] or id, {known.group for known in _bank.values()}
    )
    there = [one for one, known in _bank.items() if known.group in near]
    if alike := difflib.get_close_matches(id, there):
        return f"; did you mean {' or '.join(alike)}?"
    return (
        " in the course. If it is one of your class's own, the file that holds it is missing here: open the whole "
        f"folder that was handed out, or name the file in {classroom.FILE}"
    )
