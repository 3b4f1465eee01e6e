"""What the JSON files beside this one hold: the rows of claims, and how well-known programs settle open questions."""

import difflib
import functools
import json
from dataclasses import dataclass
from typing import Any

from .. import files
from ..bpe import Ties, shortest_first

TOPICS = (
    "blog",
    "bpe",
    "compression",
    "course",
    "four_sentences",
    "text",
    "unigram",
    "word_tables",
    "wordpiece",
)
SOURCES = {
    "zh-three": "Chinese article on three algorithms",
    "zh-compression": "Chinese article on compression",
    "zh-blog": "Chinese blog",
    "ru-bpe": "Russian chapter",
    "my-bpe": "Burmese chapter",
}


@dataclass(frozen=True)
class Example:
    """One row: what a source says or prints, and what this course found; see the package for the fields."""

    id: str
    sources: list[str]
    section: str
    verdict: str
    note: str
    lesson: str
    feature: list[str]
    input: Any = None
    said: str = ""
    expected: Any = None
    actual: Any = None
    kind: str = ""
    major: bool = False
    topic: str = ""  # the file it stands in, and its proof

    @property
    def where(self) -> str:
        """The sources and the place in them, in words.

        >>> example("bpe-hug-pair-hu-15").where
        'Russian and Burmese chapter, training by hand'
        """
        named = [name for key, name in SOURCES.items() if key in self.sources]
        names = "all five sources" if len(named) == len(SOURCES) else ", ".join(named)
        section = f"section {self.section}" if self.section[:1].isdigit() else self.section
        return ", ".join(filter(None, [names.replace(" chapter, B", " and B"), section]))

    @property
    def main_part(self) -> str:
        """Which of its two values the verdict is about: "expected" or "actual"."""
        return "actual" if self.verdict == "erratum" or self.expected is None else "expected"


@functools.cache
def rows() -> dict[str, Example]:
    """All rows by their ids."""
    return {
        row["id"]: Example(**row, topic=topic)
        for topic in TOPICS
        for row in json.loads(files.read("documented", f"{topic}.json"))
    }


def ids() -> list[str]:
    """The ids of all rows, file by file."""
    return list(rows())


def example(id: str) -> Example:
    """The row with this id; an id that does not exist raises ValueError, which names ids that are close to it."""
    if id not in rows():
        close = difflib.get_close_matches(str(id), rows(), n=3, cutoff=0.5)
        raise ValueError(
            f"no documented example has the id {id!r}; "
            + (
                f"did you mean {' or '.join(map(repr, close))}?"
                if close
                else "see documented.ids()"
            )
        )
    return rows()[id]


def errata() -> list[Example]:
    """The rows on which a source is wrong, or on which the sources contradict each other."""
    return [row for row in rows().values() if row.verdict == "erratum"]


@dataclass(frozen=True)
class Library:
    """One program, and the four questions to ask of it.

    ties: which of the most frequent pairs it merges, in words; same_as: the same for `bpe.train(ties=...)`, or "" if
    there is no such thing. mark: how a word's beginning, end or continuation is told. unknown: what becomes of a
    character that it has no token for. stop: when training ends. checked: "run" where the installed version was run
    against this package, "read" where its source was read.
    """

    name: str
    version: str
    ties: str
    same_as: str
    mark: str
    unknown: str
    stop: str
    checked: str

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".strip()

    @property
    def our_ties(self) -> Ties | None:
        """What `bpe.train` takes as `ties` to do the same; None if there is no such thing."""
        return shortest_first if self.same_as == "shortest_first" else self.same_as or None


@functools.cache
def libraries() -> tuple[Library, ...]:
    """How well-known programs break ties, mark words, treat unknown characters, and stop.

    >>> [library.title for library in libraries() if library.same_as == "greatest"]
    ['subword-nmt 0.3.8']
    """
    return tuple(Library(**row) for row in json.loads(files.read("documented", "libraries.json")))
