"""Compiled code for the functions that are marked here: from a library that came with the package, or from numba.

Where there is no library (`library`), numba makes machine code when a function is first called. It keeps the code on
disk, so that each machine waits for the compiler once; a line on standard error says so.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from subword_lab import engines

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
        def on_start(self, event: object) -> None:
            engines.say_once(
                "compiling the fast engine; this happens once on a machine and takes some seconds"
            )

        def on_end(self, event: object) -> None:
            """Nothing is said when it is done."""

    event.register("numba:compile", Announcement())

    def compiled(function: Any, **options: Any) -> Any:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)

    return compiled
