"""Merging pairs in compiled code: `pair_rows` of `subword_lab`, which is plain Python and stays so.

A copy of it is compiled, whose rows are arrays.
"""

from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from subword_lab.structures import pair_rows

from . import library
from .compiling import inner, kernel


def merge_pairs(symbols: Any, pair_at: Any, freq_at: Any, spelled: list[int], *limits: Any) -> Any:
    """`pair_rows.merge_pairs`."""
    return compiled_pairs()(symbols, pair_at, freq_at, np.array(spelled, np.int32), *limits)


def rows_of_words(
    word_freqs: Mapping[str, int], ids: Mapping[str, int], prefix: str, mark: str
) -> list[np.ndarray]:
    """The first rows for `merge_pairs`: symbols, pair_at, freq_at; see `structures.merges`.

    No word is looked at by itself: each character is looked up in a table of symbols.
    """
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


@kernel
def _zeros(length: int) -> Any:
    return np.zeros(length, np.int32)


@kernel
def _wide_zeros(length: int) -> Any:
    return np.zeros(length, np.int64)


@kernel
def _longer(row: Any, length: int) -> Any:
    more = max(length - len(row), len(row) // 2)
    return row if length <= len(row) else np.append(row, np.zeros(more, row.dtype))


@cache
def compiled_pairs() -> Any:
    """`pair_rows.merge_pairs`, compiled for arrays."""
    if library.load():
        return kernel(pair_rows.merge_pairs)
    names = vars(pair_rows) | {"zeros": _zeros, "wide_zeros": _wide_zeros, "longer": _longer}
    for name, function in vars(pair_rows).items():
        if isinstance(function, FunctionType) and names[name] is function:
            mark = inner if name in pair_rows.INNER else kernel
            names[name] = mark(FunctionType(function.__code__, names, name))
    return names["merge_pairs"]
