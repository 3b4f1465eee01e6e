"""How each documented example is proven: one function a value, computed by the package from the row's input.

    @reproduces("bpe-hug-base-vocab")                    # several ids may share a function
    def _(word_freqs):                                   # receives the `input` of the row (None where it has none)
        return bpe.base_vocab(bpe.split_words(word_freqs))

What the function returns is held against the row: `expected` if the source prints a value, otherwise `actual`; for an
erratum against `actual`, the truth. Where a row has both, the other one is proven by a second function, marked
`part="actual"` (figures that go with a printed value) or `part="expected"` (how the wrong value of an erratum comes
about: optional, and welcome). Every `expected` and `actual` of a row whose verdict is not "not checkable" must be
proven; test_documented.py says which are not. A function never reads the row that it proves, apart from its input. It
may call `pytest.importorskip`, and `pytest.skip` where it needs a text that is not in the repository.

Errata about printed code: write the flawed procedure anew, as short as it gets, inside the function.
"""
import importlib
import pkgutil
from pathlib import Path

import pytest

from subword_lab import documented

PROOFS = {}                                              # (id, part) -> function


def reproduces(*ids, part=None):
    """Register the decorated function as the proof of these rows."""
    def register(function):
        for id in ids:
            row = documented.example(id)
            by_default = "actual" if row.verdict == "erratum" or row.expected is None else "expected"
            if (id, part or by_default) in PROOFS:
                raise ValueError(f"{id} ({part or by_default}) has two reproductions")
            PROOFS[id, part or by_default] = function
        return function
    return register


def load():
    """Import every module of this folder, so that all proofs are registered."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return PROOFS


def source_text(key):
    """The text of a source, which is not part of the project; skips the test where it is not at hand."""
    number = {"ru-bpe": "000", "zh-three": "001", "my-bpe": "002", "zh-compression": "003", "zh-blog": "004"}[key]
    folder = Path(__file__).resolve().parents[3] / "shared" / "sources"
    found = sorted(folder.glob(f"{number}_*.txt"))
    if not found:
        pytest.skip(f"the text of the source {key} is not in {folder}; it is not part of the project")
    return found[0].read_text(encoding="utf-8")
