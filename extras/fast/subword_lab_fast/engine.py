"""What `subword_lab` asks of this engine, under the entry point "compiled": how long one would wait for it, and work.

Whatever imports numpy or numba is imported when there is work to do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import library

if TYPE_CHECKING:
    import numpy as np

    from subword_lab.parts import Parts
    from subword_lab.pieces import Corpus, Rules

    from .counting import CountedWords
    from .encoding import Decoder, Encoder
    from .lattices import Lattices

HERE = __package__
# Kind of work -> the modules that it compiles.
COMPILED = {
    "counting": [f"{HERE}.word_table", f"{HERE}.byte_words"],
    "merging": ["subword_lab.structures.pair_rows"],
    "lattices": [f"{HERE}.word_tree", f"{HERE}.suffix_array"],
    "pieces": [f"{HERE}.word_tree", f"{HERE}.suffix_array"],
    "encoding": [f"{HERE}.word_table", f"{HERE}.byte_words", f"{HERE}.byte_ids"],
    "decoding": [f"{HERE}.byte_ids"],
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
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    kept = os.environ.get("NUMBA_CACHE_DIR")
    folders = (
        [Path(kept)] if kept else [source.parent / "__pycache__", Path.home() / ".cache/numba"]
    )
    files = (file for folder in folders for file in folder.rglob(f"{source.stem}.*.nbi"))
    return any(file.stat().st_mtime >= source.stat().st_mtime for file in files)


# -------------------------------------------------------------------------------------------------- words and merges


def count_words(
    texts: Iterable[str], scheme: str, normalized_words: Callable[[str], list[str]]
) -> dict[str, int]:
    """The words of a scheme that `text.compilable` names, with their counts.

    Those of "bert" are normalized after they were counted, others come normalized.
    """
    from . import counting

    if scheme == "bert":
        return counting.count_bert(texts, normalized_words)
    if scheme == "metaspace":
        return counting.count_spaced(texts)
    return counting.count_bytes(texts, scheme)


def followed_words() -> CountedWords:
    """See `counting.followed_words`."""
    from . import counting

    return counting.followed_words()


def merge_pairs(symbols: Any, pair_at: Any, freq_at: Any, spelled: list[int], *limits: Any) -> Any:
    """`pair_rows.merge_pairs`."""
    import numpy as np

    from .compiling import merging_pairs

    return merging_pairs()(symbols, pair_at, freq_at, np.array(spelled, np.int32), *limits)


def rows_of_words(
    word_freqs: Mapping[str, int], ids: Mapping[str, int], prefix: str, mark: str
) -> list[np.ndarray]:
    """The first rows for `merge_pairs`: symbols, pair_at, freq_at; see `structures.merges`.

    No word is looked at by itself: each character is looked up in a table of symbols.
    """
    import numpy as np

    id_of = np.full(2 * 0x110000, -1, np.int32)
    free = (
        char for char in map(chr, range(0x110000)) if char not in ids and prefix + char not in ids
    )
    between, last = next(free), next(free)  # no word holds them
    string = between + (last * bool(mark) + between).join([*word_freqs, ""])
    codes = 2 * np.frombuffer(string.encode("utf-32-le", "surrogatepass"), np.int32)
    stops = np.flatnonzero(codes == 2 * ord(between))
    codes[stops[:-1] + 1] += 1  # an odd number is what a word begins with
    for token, number in ids.items():
        if len(token) == 1:
            id_of[2 * ord(token) + 1] = number
        if len(token) == len(prefix) + 1 and token.startswith(prefix):
            id_of[2 * ord(token[-1])] = number
    id_of[2 * ord(last)] = ids.get(mark, -1)
    # What belongs to a place stands together in memory.
    rows = np.zeros(len(codes), [("symbols", "i4"), ("pair_at", "i4"), ("freq_at", "i8")])
    rows["symbols"] = id_of[codes]
    rows["freq_at"][1:] = np.repeat(np.fromiter(word_freqs.values(), np.int64), np.diff(stops))
    return [rows["symbols"], rows["pair_at"], rows["freq_at"]]


# ----------------------------------------------------------------------------------------------------------- Unigram


def lattices(word_freqs: Mapping[str, int], tokens: Collection[str]) -> Lattices:
    """`structures.lattices.Lattices`, compiled."""
    from .lattices import Lattices

    return Lattices(word_freqs, tokens)


def prune_pieces(corpus: Corpus, target: int, rules: Rules) -> dict[str, float]:
    """`pieces.prune`, compiled: nothing leaves the arrays before the end."""
    from .lattices import Rounds

    return Rounds(corpus, rules).prune_to(target)


# ------------------------------------------------------------------------------------------------------- ids and back


def encoder(parts: Parts, plain: Callable[[str, bool], list[int]]) -> Encoder | None:
    """An encoder for these parts of a tokenizer, or None; plain: how Python encodes a text."""
    from .encoding import encoder_for

    return encoder_for(parts, plain)


def decoder(tokens: Mapping[int, bytes]) -> Decoder:
    """A decoder for tokens, id -> bytes."""
    from .encoding import Decoder

    return Decoder(tokens)
