"""The rows: what the sources say or print, read from the JSON files beside this one."""

from __future__ import annotations

import difflib
import functools
import json
from dataclasses import dataclass
from typing import Any

from .. import files

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
    sources: tuple[str, ...]
    section: str
    verdict: str
    note: str
    lesson: str
    feature: tuple[str, ...]
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
        names = [name for key, name in SOURCES.items() if key in self.sources]
        listed = ", ".join(names).replace(" chapter, B", " and B")
        section = f"section {self.section}" if self.section[:1].isdigit() else self.section
        everywhere = len(names) == len(SOURCES)
        return ", ".join(filter(None, ["all five sources" if everywhere else listed, section]))

    @property
    def main_part(self) -> str:
        """Which of its two values the verdict is about: "expected" or "actual"."""
        return "actual" if self.verdict == "erratum" or self.expected is None else "expected"


@functools.cache
def rows() -> dict[str, Example]:
    """All rows by their ids."""
    found: dict[str, Example] = {}
    for topic in TOPICS:
        for row in json.loads(files.read("documented", f"{topic}.json")):
            if row["id"] in found:
                raise ValueError(f"{topic}.json: the id {row['id']!r} is used twice")
            row["sources"], row["feature"] = tuple(row["sources"]), tuple(row["feature"])
            found[row["id"]] = Example(**row, topic=topic)
    return found


def ids() -> list[str]:
    """The ids of all rows, file by file."""
    return list(rows())


def example(id: str) -> Example:
    """The row with this id; an id that does not exist raises ValueError, which names ids that are close to it."""
    if id not in rows():
        close = difflib.get_close_matches(str(id), rows(), n=3, cutoff=0.5)
        hint = (
            f"did you mean {' or '.join(map(repr, close))}?"
            if close
            else "documented.ids() lists them all"
        )
        raise ValueError(f"no documented example has the id {id!r}; {hint}")
    return rows()[id]


def errata() -> list[Example]:
    """The rows on which a source is wrong, or on which the sources contradict each other."""
    return [row for row in rows().values() if row.verdict == "erratum"]
