"""What another library answers; where it is not installed, what it answered when this was written."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any


def asked(library: str, question: Callable[[], Any], saved: Any) -> Any:
    """The answer of a library that may be missing: computed now if it is there, else the saved one.

    >>> asked("math", lambda: 2 + 2, saved=5), asked("no_such_library", lambda: 2 + 2, saved=5)
    (4, 5)
    """
    return question() if find_spec(library) else saved
