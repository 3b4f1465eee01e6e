"""What says how much was asked of it, so that a test counts steps and bytes, and no seconds."""

import tracemalloc
from contextlib import contextmanager


def counting(kind, method):
    """A kind of `str`, `list` and the like whose `calls` says how often this method was called, of all its values."""

    def counted(self, *arguments):
        Counting.calls += 1
        return getattr(kind, method)(self, *arguments)

    Counting = type(
        kind.__name__, (kind,), {"calls": 0, "__hash__": kind.__hash__, method: counted}
    )
    return Counting


@contextmanager
def memory_below(most):
    """Fails if Python takes so many bytes or more at a time meanwhile."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()
