"""How each documented claim is proven: a function of the row's input, which computes the value with the package.

The proofs of the rows of `bpe.json` stand in `bpe.py`, in one table, and so on for the other files:

    PROOFS = {
        "bpe-hug-words": lambda word_freqs: list(bpe.split_words(word_freqs)),
        "bpe-hug-pair-hu-15": partial(pair_count, 1, ("h", "u")),
        "bpe-hug-pair-hu-15.actual": lambda word_freqs: steps(word_freqs, 1)[0].pair_freqs,
    }

A function receives the `input` of the row (None where it has none), and never reads anything else of that row. What it
returns is held against the row: `expected` if the source prints a value, otherwise `actual`; for an erratum `actual`,
the truth. The row's other value has an entry of its own, under the id with ".actual" (figures that go with a printed
value) or ".expected" (how the wrong value of an erratum comes about: optional, and welcome). Every row that is not "not
checkable" must be proven; test_documented.py says which is not.

What a proof needs beside the package it asks `library` or `source_text` for. A proof named in `APART` needs what the
course's own tests do not install: such a row is proven where its need is met, and a ledger does not try.

Errata about printed code: write the flawed procedure anew, as short as it gets, and call it by what is wrong with it.
"""

import functools
import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ..rows import example

APART = {
    "blog-listings-agree",
    "hf-backend-tokenizer",
    "hf-code-identical",
    "ofl-typo-corpus",
    "x-same-corpus-hug",
}
TEXTS = {
    "ru-bpe": "000",
    "zh-three": "001",
    "my-bpe": "002",
    "zh-compression": "003",
    "zh-blog": "004",
}


class Unavailable(Exception):
    """A proof needs something that is not here; the message says what."""


def table(topic: str) -> Mapping[str, Callable[[Any], object]]:
    """The proofs of one file of rows: an id, alone or with a part behind it, and the function."""
    return importlib.import_module(f"{__name__}.{topic}").PROOFS


@functools.cache
def value(id: str, part: str = "") -> object:
    """What the proof of a row computes; computed once."""
    row = example(id)
    part = part or row.main_part
    proof = table(row.topic).get(id if part == row.main_part else f"{id}.{part}")
    if proof is None:
        raise ValueError(
            f"{id!r} has nothing to compute for {part!r} (its verdict is {row.verdict!r})"
        )
    return proof(row.input)


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
