"""The compiler behind the engine: numba makes machine code of the functions of a module, when they are first needed.

A module that is compiled is plain Python, and imports neither numba nor numpy: `compiled` makes a copy of its
functions, in which the names that it is told to replace mean something else, such as rows that are arrays and not
lists. The machine code is kept on disk by numba, so that each machine waits for the compiler once; a line on standard
error says so.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

ENGINES = ("python", "compiled")


@cache
def available() -> bool:
    """Whether numba is installed (the extra `fast`)."""
    return find_spec("numba") is not None


def choose(engine: str | None, size: int, worth: int) -> str:
    """The engine that was asked for; or, if none was, "compiled" where it is there and the work is large enough.

    size and worth: how large the work is, and from where on the compiled engine is ahead, in units of the caller's.
    Raises ValueError for an engine that is not known, or not installed.

    >>> choose(None, size=10, worth=1000), choose("python", size=10**9, worth=1000)
    ('python', 'python')
    """
    if engine is None:
        return "compiled" if size >= worth and available() else "python"
    if engine not in ENGINES:
        raise ValueError(
            f"engine is {engine!r}; expected one of 'python', 'compiled', or None to choose by size"
        )
    if engine == "compiled" and not available():
        raise ValueError(
            "engine is 'compiled', which needs numba; install it with pip install subword-lab[fast]"
        )
    return engine


@cache
def compiled(name: str) -> SimpleNamespace:
    """The functions of a module of this room, compiled; the first call of each may wait for the compiler."""
    import numba
    import numpy

    _announce_compiling()
    module = import_module(f".{name}", __package__)
    names = dict(vars(module))
    for key, value in vars(module).items():
        if not isinstance(value, FunctionType):
            continue
        room, _, home = value.__module__.rpartition(".")
        if home == name:
            inner = key in module.INNER
            options: dict[str, Any] = {
                "error_model": "numpy",
                "forceinline": inner,
                "_nrt": not inner,
            }
            names[key] = numba.njit(cache=True, nogil=True, **options)(
                FunctionType(value.__code__, names, key)
            )
        elif room == __package__:
            names[key] = getattr(compiled(home), key)
    names.update(
        {key: numba.njit(function) for key, function in _rows(numpy).items() if key in names}
    )
    return SimpleNamespace(**names)


def _rows(numpy: ModuleType) -> dict[str, Any]:
    """What rows are in compiled code: arrays."""

    def zeros(length: int) -> Any:
        return numpy.zeros(length, numpy.int32)

    def wide_zeros(length: int) -> Any:
        return numpy.zeros(length, numpy.int64)

    def longer(row: Any, length: int) -> Any:
        if length <= len(row):
            return row
        new = numpy.zeros(max(length, len(row) * 3 // 2), row.dtype)
        new[: len(row)] = row
        return new

    return {"zeros": zeros, "wide_zeros": wide_zeros, "longer": longer}


def array_rows(length: int) -> Any:
    """Symbols, pairs and counts for `pair_rows.merge_pairs`: what belongs to a place stands together in memory."""
    import numpy

    return numpy.zeros(length, [("symbols", "i4"), ("pair_at", "i4"), ("freq_at", "i8")])


@cache
def _announce_compiling() -> None:
    """Say it, once, when numba has to compile something because it is not kept on disk yet."""
    from numba.core import event

    class Announcement(event.Listener):
        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                sys.stderr.write(
                    "subword_lab: compiling the fast engine; this happens once on a machine and takes "
                    "some seconds\n"
                )
            self.said = True

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", Announcement())
