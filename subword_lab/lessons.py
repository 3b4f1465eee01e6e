"""The table of contents: every lesson under one name, which everybody who speaks of lessons asks here.

A lesson's name is that of its notebook, `01_bpe`. The ids of its exercises begin with `exercises` (`bpe-03`).
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from .files import CourseError


@dataclass(frozen=True)
class Lesson:
    """One notebook of the course: what it asks, and how many minutes it takes.

    >>> lesson("01_bpe").title, lesson("01_bpe").number, lesson("01_bpe").file
    ('Byte-pair encoding', '01', '01_bpe.ipynb')
    """

    name: str
    title: str
    question: str
    minutes: int
    exercises: str

    @property
    def number(self) -> str:
        """The two digits that its name begins with."""
        return self.name.partition("_")[0]

    @property
    def file(self) -> str:
        """The notebook's file name."""
        return f"{self.name}.ipynb"

    @property
    def heading(self) -> str:
        """Number and title, as a table of lessons shows them."""
        return f"{self.number} {self.title}"


LESSONS = (
    Lesson(
        "00_text_to_tokens", "From text to tokens", "Why not words? Why not characters?", 35, "text"
    ),
    Lesson("01_bpe", "Byte-pair encoding", "Which two neighbors belong together?", 65, "bpe"),
    Lesson("02_wordpiece", "WordPiece", "Is the most frequent pair the best one?", 65, "wordpiece"),
    Lesson(
        "03_unigram", "Unigram", "What if we start with everything and throw away?", 80, "unigram"
    ),
    Lesson(
        "04_compression_bpe",
        "Compression-style BPE",
        "Where did this come from?",
        60,
        "compression",
    ),
    Lesson("05_side_by_side", "Side by side", "Which one, when?", 70, "compare"),
    Lesson(
        "06_byte_level",
        "Byte-level tokenizers",
        "What is a token made of, and who pays for it?",
        65,
        "bytes",
    ),
    Lesson(
        "07_real_tokenizers",
        "Real tokenizers",
        "What do the tokenizers of today's models consist of?",
        85,
        "real",
    ),
    Lesson(
        "08_clear_to_fast",
        "From clear to fast",
        "How does slow code become fast, and stay right?",
        45,
        "fast",
    ),
    Lesson(
        "09_lab",
        "The lab: papers that a laptop repeats",
        "What do papers find, and do we find it too?",
        75,
        "lab",
    ),
)


GLOSSARY = "glossary.ipynb"  # what a learner looks words up in, beside the lessons
GALLERY = "gallery.ipynb"  # every view there is
SOURCES = "sources.ipynb"  # every claim of the five texts, computed


def names() -> list[str]:
    """The names of all lessons, in their order.

    >>> names()[:2]
    ['00_text_to_tokens', '01_bpe']
    """
    return [lesson.name for lesson in LESSONS]


def lesson(name: str) -> Lesson:
    """The lesson of this name; ValueError if there is none.

    >>> lesson("10_bpe")                                        # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: there is no lesson '10_bpe'; expected one of 00_text_to_tokens, ...
    """
    for found in LESSONS:
        if found.name == name:
            return found
    raise ValueError(f"there is no lesson {name!r}; expected one of {', '.join(names())}")


def meant(word: str) -> Lesson | None:
    """The lesson that somebody at a terminal means: by its name, its number, or how its exercises begin.

    >>> {meant(word).name for word in ("01_bpe", "01", "bpe")}, meant("bep")
    ({'01_bpe'}, None)
    """
    return next(
        (lesson for lesson in LESSONS if word in (lesson.name, lesson.number, lesson.exercises)),
        None,
    )


def of_exercise(exercise_id: str) -> Lesson | None:
    """The lesson that an exercise belongs to, by the exercise's id; None for an exercise of somebody's own.

    >>> of_exercise("bpe-03").name, of_exercise("class-01")
    ('01_bpe', None)
    """
    prefix = exercise_id.rpartition("-")[0]
    return next((lesson for lesson in LESSONS if lesson.exercises == prefix), None)


def folder() -> Path:
    """Where the original notebooks are: in the package, or beside it in a clone. Raises CourseError if nowhere."""
    package = Path(__file__).parent
    for place in (package / "notebooks", package.parent / "notebooks"):
        if any(place.glob("*.ipynb")):
            return place
    raise CourseError(
        "the lessons are not part of this installation; install it again with "
        f"{sys.executable} -m pip install --force-reinstall subword-lab"
    )
