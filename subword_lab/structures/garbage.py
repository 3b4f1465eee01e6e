"""Many objects at once: Python looks for garbage again and again while they are made, which takes most of the time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def not_collected() -> Iterator[None]:
    """Look for no garbage meanwhile. What nobody refers to any more is freed all the same; only cycles wait.

    >>> with not_collected():
    ...     gc.isenabled()
    False
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
