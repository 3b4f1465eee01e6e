"""What `subword_lab` asks of this engine, under the entry point "compiled": how long one would wait for it, and work.

Whatever imports numpy or numba is imported when there is work to do.
"""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from . import library

# The work, and where it is done.
WORK = {
    "count_words": "counting:count_words",
    "learn_merges": "merging:learn_merges",
    "lattices": "lattices:Lattices",
    "prune_pieces": "lattices:prune_pieces",
    "encoder": "encoding:encoder_for",
    "decoder": "encoding:decoder_for",
}
# Kind of work -> the modules that it compiles.
COMPILED = {
    "counting": ["word_table", "byte_words"],
    "merging": ["pair_rows"],
    "lattices": ["word_tree", "suffix_array"],
    "pieces": ["word_tree", "suffix_array"],
    "encoding": ["word_table", "byte_words", "byte_ids"],
    "decoding": ["byte_ids"],
}
# Seconds that one waits in any case, for the library, for numba, and for each module, kept on disk or never compiled.
LOADED, LIBRARY, NUMBA, KEPT, NEVER = 0.02, 0.1, 0.3, 0.07, 5.0
_ready = set[str]()


def wait(work: Iterable[str]) -> float:
    """Seconds until compiled code for some kinds of work is ready.

    >>> wait([])
    0.02
    """
    modules = {module for kind in work for module in COMPILED[kind]} - _ready
    if library.is_there():
        return LOADED + (LIBRARY if modules else 0.0)
    numba = NUMBA if modules and "numba" not in sys.modules else 0.0
    return LOADED + numba + sum(KEPT if _is_kept(module) else NEVER for module in modules)


def start(work: Iterable[str]) -> None:
    """Work of these kinds is about to begin. Raises ImportError where neither a library nor numba can be loaded."""
    if library.load() is None:
        import numba  # noqa: F401

    _ready.update(module for kind in work for module in COMPILED[kind])


@cache
def _is_kept(module: str) -> bool:
    """Whether numba has kept machine code of a module as it is now on disk."""
    source = Path(__file__).with_name(f"{module}.py")
    kept = os.environ.get("NUMBA_CACHE_DIR")
    folders = (
        [Path(kept)] if kept else [source.parent / "__pycache__", Path.home() / ".cache/numba"]
    )
    return any(
        file.stat().st_mtime >= source.stat().st_mtime
        for folder in folders
        for file in folder.rglob(f"{module}.*.nbi")
    )


def __getattr__(name: str) -> Any:
    """The function or the class that does some work."""
    if name not in WORK:
        raise AttributeError(f"the engine does no {name!r}")
    return resolve_name(f"{__package__}.{WORK[name]}")
