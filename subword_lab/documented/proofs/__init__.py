"""How each documented claim is proven: one function a value, computed by the package from the row's input.

    @proves("bpe-hug-base-vocab")                        # several ids may share a function
    def _(word_freqs):                                   # receives the `input` of the row (None where it has none)
        return bpe.base_vocab(bpe.split_words(word_freqs))

or, where a line says it, `proves("bpe-wt2-vocab")(lambda _: wikitext(50).vocab)`.

The functions for the rows of `bpe.json` stand in `bpe.py`, and so on; a module is loaded when a row of it is asked for.
What a function returns is held against the row: `expected` if the source prints a value, otherwise `actual`; for an
erratum against `actual`, the truth. Where a row has both, the other one is proven by a second function, marked
`part="actual"` (figures that go with a printed value) or `part="expected"` (how the wrong value of an erratum comes
about: optional, and welcome). Every row that is not "not checkable" must be proven; test_documented.py says which is
not. A function never reads the row that it proves, apart from its input.

What a proof needs beside the package it asks `library` for. `apart=True` marks the few whose need is not among what the
course's own tests install: such a row is proven where its need is met, and a ledger does not try.

Errata about printed code: write the flawed procedure anew, as short as it gets, inside the function.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import Example, example

Proof = Callable[[Any], object]
PROOFS: dict[tuple[str, str], Proof] = {}  # (id, part) -> function
APART: set[str] = set()  # ids that a ledger leaves alone
TEXTS = {
    "ru-bpe": "000",
    "zh-three": "001",
    "my-bpe": "002",
    "zh-compression": "003",
    "zh-blog": "004",
}


class Unavailable(Exception):
    """A proof needs something that is not here; the message says what."""


def main_part(row: Example) -> str:
    """Which of a row's values is the one that its (first) proof computes."""
    return "actual" if row.verdict == "erratum" or row.expected is None else "expected"


def proves(*ids: str, part: str = "", apart: bool = False) -> Callable[[Proof], Proof]:
    """Register the decorated function as the proof of these rows."""

    def register(function: Proof) -> Proof:
        for id in ids:
            key = id, part or main_part(example(id))
            if key in PROOFS:
                raise ValueError(f"{id} ({key[1]}) has two proofs")
            PROOFS[key] = function
        APART.update(ids if apart else ())
        return function

    return register


@functools.cache
def load(topic: str) -> None:
    """Register the proofs of one file of rows."""
    importlib.import_module(f"{__name__}.{topic}")


@functools.cache
def value(id: str, part: str = "") -> object:
    """What the proof of a row computes; computed once."""
    row = example(id)
    load(row.topic)
    part = part or main_part(row)
    if (id, part) not in PROOFS:
        raise ValueError(
            f"{id!r} has nothing to compute for {part!r} (its verdict is {row.verdict!r})"
        )
    return PROOFS[id, part](row.input)


def library(name: str) -> ModuleType:
    """An installed library; Unavailable if it is not."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise Unavailable(f"the library {name} is not installed") from None


def source_text(key: str) -> str:
    """The text of a source, which is not part of the project: SUBWORD_LAB_SOURCES names the folder that holds it."""
    folder = os.environ.get("SUBWORD_LAB_SOURCES", "")
    for path in sorted(Path(folder).glob(f"{TEXTS[key]}_*.txt")) if folder else ():
        return path.read_text(encoding="utf-8")
    raise Unavailable(f"the text of the source {key} is not here; it is not part of the project")
