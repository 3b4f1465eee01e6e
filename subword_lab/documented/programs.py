"""How well-known programs settle what papers leave open: ties, marks, unknown characters, the end of training."""

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
        return shortest_first if self.same_as == "shortest_first" else self.same_as or None


@functools.cache
def libraries() -> tuple[Library, ...]:
    """How well-known programs break ties, mark words, treat unknown characters, and stop.

    >>> [library.title for library in libraries() if library.same_as == "greatest"]
    ['subword-nmt 0.3.8']
    """
    return tuple(Library(**row) for row in json.loads(files.read("documented", "libraries.json")))
