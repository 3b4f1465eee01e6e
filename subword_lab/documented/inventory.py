"""Two inventories: what the course covers and where, and how well-known programs settle what papers leave open."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from .. import files
from ..bpe import Ties, shortest_first


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
        return {"shortest_first": shortest_first, "": None}.get(self.same_as, self.same_as)


@dataclass(frozen=True)
class Feature:
    """One thing that the sources describe, or that the course adds, with its place.

    lessons: the notebooks that tell it. functions: dotted names below `subword_lab`; none where there is nothing to
    compute. tests: "file.py::test", or "documented" for the proofs of its claims.
    """

    id: str
    title: str
    lessons: tuple[str, ...]
    functions: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def claims(self) -> list[str]:
        """The ids of the documented examples that belong to this feature."""
        from . import example, ids  # the package imports this module

        return [id for id in ids() if self.id in example(id).feature]


@functools.cache
def libraries() -> tuple[Library, ...]:
    """How well-known programs break ties, mark words, treat unknown characters, and stop.

    >>> [library.title for library in libraries() if library.same_as == "greatest"]
    ['subword-nmt 0.3.8']
    """
    return tuple(Library(**row) for row in json.loads(files.read("documented", "libraries.json")))


@functools.cache
def features() -> tuple[Feature, ...]:
    """The 77 features of the sources, A1 to G9, each with its lessons, functions and tests.

    >>> first = features()[0]
    >>> first.id, first.lessons, len(features())
    ('A1', ('00_text_to_tokens',), 77)
    """
    return tuple(
        Feature(
            row["id"],
            row["title"],
            tuple(row["lessons"]),
            tuple(row["functions"]),
            tuple(row["tests"]),
        )
        for row in json.loads(files.read("documented", "features.json"))
    )
