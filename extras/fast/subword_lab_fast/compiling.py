"""Compiled code for the functions that are marked here: from a library that came with the package, or from numba.

Where there is no library (`library`), numba makes machine code when a function is first called. It keeps the code on
disk, so that each machine waits for the compiler once; a line on standard error says so. `pair_rows` of `subword_lab`
is plain Python and stays so: `merging_pairs` compiles a copy of it, whose rows are arrays.
"""

import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from subword_lab.structures import pair_rows

from . import library


def kernel(function: Any) -> Any:
    """The function, compiled; other threads may run beside it."""
    compiled = library.load()
    if compiled is None:
        return jit()(function)
    # What only compiled code calls is no function of the library.
    return getattr(compiled, library.symbol(function.__module__, function.__name__), function)


def inner(function: Any) -> Any:
    """The same for small functions, which compiled code does not call but contains, and in which nobody counts who
    holds an array (so they make none): that makes the loops around them faster by a third.
    """
    return function if library.load() else jit()(function, forceinline=True, _nrt=False)


@cache
def jit() -> Callable[..., Any]:
    """numba, as it compiles here; it says, once, that it compiles something that is not kept on disk yet."""
    import numba
    from numba.core import event

    class Announcement(event.Listener):
        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                sys.stderr.write(
                    "subword_lab: compiling the fast engine; this happens once on a machine and "
                    "takes some seconds\n"
                )
            self.said = True

        def on_end(self, event: object) -> None:
            """Nothing is said when it is done."""

    event.register("numba:compile", Announcement())

    def compiled(function: Any, **options: Any) -> Any:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)

    return compiled


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
    if library.load():
        return kernel(pair_rows.merge_pairs)
    import numba

    names = dict(vars(pair_rows))
    for name, function in vars(pair_rows).items():
        if isinstance(function, FunctionType):
            mark = inner if name in pair_rows.INNER else kernel
            names[name] = mark(FunctionType(function.__code__, names, name))
    names.update(
        zeros=numba.njit(_zeros), wide_zeros=numba.njit(_wide_zeros), longer=numba.njit(_longer)
    )
    return names["merge_pairs"]
