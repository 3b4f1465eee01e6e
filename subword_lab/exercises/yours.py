"""Build your own: the functions that a learner has written come together, with ours where one is still missing."""

from collections.abc import Callable

from ..arguments import check
from .code import is_stub


class Yours:
    """A learner's functions as attributes; in place of one that is not written yet, ours.

    functions: those that the learner wrote, or has left as they were. ours: for each name, the function that takes its
    place. Raises ValueError for a function without one of ours.

    >>> def double(number): ...
    >>> def triple(number): return 3 * number
    >>> mine = Yours(double, triple, double=lambda number: number + number, triple=lambda number: 0)
    >>> mine.double(7), mine.triple(7)
    (14, 21)
    >>> mine
    Yours: triple. Ours, until you write them: double.
    """

    def __init__(self, *functions: Callable, **ours: Callable):
        self.written: list[str] = []
        self.missing: list[str] = []
        for function in functions:
            name = getattr(function, "__name__", str(function))
            check(
                name in ours,
                f"{name} has none of ours to take its place; expected one of {', '.join(ours)}",
            )
            missing = is_stub(function)
            (self.missing if missing else self.written).append(name)
            setattr(self, name, ours[name] if missing else function)

    def __repr__(self) -> str:
        told = {"Yours": self.written, "Ours, until you write them": self.missing}
        return " ".join(f"{whose}: {', '.join(names)}." for whose, names in told.items() if names)
