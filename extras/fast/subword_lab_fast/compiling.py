"""The compiler: numba makes machine code of the functions that are marked here, when they are first called.

The code is kept on disk by numba, so that each machine waits for the compiler once; a line on standard error says so.
`pair_rows` of `subword_lab` is plain Python and stays so: `merging_pairs` compiles a copy of it, whose rows are arrays.
"""

import sys
from functools import cache, partial
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import event

from subword_lab.structures import pair_rows

kernel: Any = partial(numba.njit, cache=True, nogil=True, error_model="numpy")
# For small functions, which compiled code does not call but contains, and in which nobody counts who holds an array
# (so they make none): that makes the loops around them faster by a third.
inner: Any = partial(kernel, forceinline=True, _nrt=False)


def _zeros(length):  # type: ignore[no-untyped-def]
    return np.zeros(length, np.int32)


def _wide_zeros(length):  # type: ignore[no-untyped-def]
    return np.zeros(length, np.int64)


def _longer(row, length):  # type: ignore[no-untyped-def]
    if length <= len(row):
        return row
    new = np.zeros(max(length, len(row) * 3 // 2), row.dtype)
    new[: len(row)] = row
    return new


@cache
def merging_pairs() -> Any:
    """`pair_rows.merge_pairs`, compiled for arrays."""
    names = dict(vars(pair_rows))
    for name, function in vars(pair_rows).items():
        if isinstance(function, FunctionType):
            mark = inner if name in pair_rows.INNER else kernel
            names[name] = mark(FunctionType(function.__code__, names, name))
    names.update(
        zeros=numba.njit(_zeros), wide_zeros=numba.njit(_wide_zeros), longer=numba.njit(_longer)
    )
    return names["merge_pairs"]


class _Announcement(event.Listener):
    """Says, once, that numba compiles something because it is not kept on disk yet."""

    said = False

    def on_start(self, event: object) -> None:
        if not self.said:
            sys.stderr.write(
                "subword_lab: compiling the fast engine; this happens once on a machine and takes "
                "some seconds\n"
            )
        self.said = True

    def on_end(self, event: object) -> None:
        """Nothing is said when it is done."""


event.register("numba:compile", _Announcement())
