"""What a class was handed: which variants its exercises ask, and which exercises are added to the course's.

The environment decides: SUBWORD_LAB_SEED, SUBWORD_LAB_LEARNER, SUBWORD_LAB_EXERCISES (files, separated as in PATH).
What it leaves open is read from the file `subword-lab-class.json` in the working directory or the nearest folder above
it (in one that others can write, it says nothing), which `subword-lab handout` writes:

    {"seed": 7, "learner": "kim", "exercises": ["own.py"], "cards": false}

The first cell of a notebook that was handed out says the same, so that it asks the same wherever it is opened alone,
and has the last word:

    course(seed=7, learner="kim")

exercises: files like that of `load_file`, relative to the folder of the JSON file. cards: whether exercises show
themselves as widgets; without them, every answer stands in a cell, where whoever marks the notebook finds it.
"""

import json
import os
import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..arguments import check
from ..files import writable_by_others

FILE = "subword-lab-class.json"
LARGEST_FILE = 1_000_000  # bytes that are read of it
LONGEST_NAME = 256  # bytes; no file can have it
LARGEST_SEED = 10**18  # answers to larger ones are not marked
VARIABLES = ("SUBWORD_LAB_SEED", "SUBWORD_LAB_LEARNER", "SUBWORD_LAB_EXERCISES")


@dataclass(frozen=True)
class Classroom:
    """Seed and learner of the variants, files with exercises, and whether exercises are shown as cards."""

    seed: int = 0
    learner: str = ""
    exercises: tuple[str, ...] = ()
    cards: bool = True


_said: Classroom | None = None  # by `course`


def course(*, seed: int, learner: str = "", exercises: Sequence[str] = ()) -> None:
    """From now on, exercises ask the variants of this learner, without cards, whatever stands in files around.

    exercises: the names of files with exercises that the notebook needs beside it. Where `own.json` is not there, but
    `own.py` is, which knows the answers too, a marker has put it there.

    Raises ValueError if one of these is not there.
    """
    global _said
    _said = None
    files = settings().exercises or tuple(map(_or_with_answers, exercises))
    for name in files:
        check(
            Path(name).is_file(),
            f"the file {name} is not here, and without it some exercises cannot be asked; put it "
            "beside this notebook, or open the folder in which both were handed out",
        )
    _said = Classroom(checked_seed(seed), str(learner), files, cards=False)


def _or_with_answers(name: str) -> str:
    """A file of questions, or where it is missing the one of the same name that knows the answers, if it is there."""
    with_answers = Path(name).with_suffix(".py")
    return str(with_answers) if with_answers.is_file() and not Path(name).exists() else name


def user() -> str:
    """Who works here: whose submission nbgrader marks in this folder, or else whom the environment or the hub names.

    Raises ValueError where neither is known.
    """
    *is_marked, below = Path.cwd().as_posix().split("/autograded/")
    environment = os.environ.get("SUBWORD_LAB_LEARNER") or os.environ.get("JUPYTERHUB_USER", "")
    name = below.partition("/")[0] if is_marked else environment
    check(name, "this notebook asks each user of a JupyterHub their own figures; open it there")
    return name


def settings(folder: Path | None = None) -> Classroom:
    """What holds in a folder now, or in the working directory; seed 0 and nobody where nothing is said.

    Raises ValueError, with the name of the file or variable, for what cannot be understood.
    """
    if _said:
        return _said
    is_said = all(name in os.environ for name in VARIABLES)
    given, place = ({}, Path()) if is_said else _nearest(folder or Path.cwd())
    files = [
        str(place / name)
        for name in given.get("exercises", ())
        if _is_safe(place / name, VARIABLES[-1])
    ]
    if "SUBWORD_LAB_EXERCISES" in os.environ:
        files = named()
    return Classroom(
        checked_seed(os.environ.get("SUBWORD_LAB_SEED", given.get("seed", 0))),
        os.environ.get("SUBWORD_LAB_LEARNER", given.get("learner", "")),
        tuple(files),
        given.get("cards", True),
    )


def is_handed_out(folder: Path) -> bool:
    """Whether the notebooks in a folder were handed out there, so that no others belong among them."""
    path = folder / FILE
    return path.is_file() and not _understood(path).get("cards", True)


def named() -> list[str]:
    """The files with exercises that the environment names; for a command, which runs none that lies in a folder.

    A folder that came from somebody else may hold a file of a class, and the command may be started in it.
    """
    return list(filter(None, os.environ.get("SUBWORD_LAB_EXERCISES", "").split(os.pathsep)))


def checked_seed(seed: object) -> int:
    """The seed as a whole number; ValueError if it is none.

    >>> checked_seed("7")
    7
    """
    try:
        number = int(seed)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ValueError(f"the seed is {seed!r}; expected a whole number") from None
    check(
        abs(number) < LARGEST_SEED, f"the seed is {number}; expected a number of at most 18 digits"
    )
    return number


def _nearest(here: Path) -> tuple[dict, Path]:
    """What the nearest file says, and its folder."""
    for path in (folder / FILE for folder in (here, *here.parents)):
        with suppress(OSError):  # not there, or not to be read
            if path.is_file() and _is_safe(path, *VARIABLES):  # no pipe, which would be waited for
                return _understood(path), path.parent
    return {}, Path()


def _is_safe(path: Path, *instead: str) -> bool:
    """Whether nobody else can have put a file there; instead: the variables that can take its place."""
    if place := writable_by_others(path):
        warnings.warn(
            f"{path} is not used, for others than you can write {place}; if you trust it, set "
            f"{', '.join(instead)} to what you need",
            stacklevel=4,
        )
    return not place


def _understood(path: Path) -> dict:
    try:
        with open(path, "rb") as file:
            given = json.loads(file.read(LARGEST_FILE))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    forms = {
        "seed": (int, "a whole number"),
        "learner": (str, "a string"),
        "cards": (bool, "true or false"),
        "exercises": (list, "a list of file names"),
    }
    check(
        isinstance(given, dict),
        f"{path} holds {type(given).__name__}; expected an object with {', '.join(forms)}",
    )
    for name, (form, words) in forms.items():
        value = given.get(name, form())
        check(
            type(value) is form, f"{path}: {name!r} is {value!r}; expected {words}"
        )  # True is no seed
    for text in (given.get("learner", ""), *given.get("exercises", ())):
        check(
            isinstance(text, str)
            and not re.search("[\0\ud800-\udfff]", text)
            and len(text.encode()) < LONGEST_NAME,
            f"{path} holds {text!r:.200}; expected a name",
        )
    return given
