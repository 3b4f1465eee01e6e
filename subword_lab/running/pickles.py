"""A learner's function on its way to another process: pickled whole, with the helpers and values of its notebook."""

import functools
import inspect
import io
import marshal
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .values import Unusable, text_of

PACKAGE = Path(__file__).resolve().parent.parent
LARGEST = 20_000_000  # bytes, with all that the function refers to


def pickled(function: Callable) -> bytes:
    """The function as bytes that another process can read; Unusable if it refers to what cannot be taken there."""
    try:
        data = _pickled(function)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever an object says that does not want to be pickled
        names = inspect.getclosurevars(_innermost(function)) if file_of(function) else None
        used = {**names.globals, **names.nonlocals} if names else {}
        culprit = next((f"`{name}`" for name in used if not _can_travel(used[name])), "something")
        raise Unusable(
            f"The function is checked in a process of its own, and {culprit}, which it uses, cannot be taken there "
            f"({type(error).__name__}: {text_of(error, 200)}). Pass what it needs as an argument, or make it inside."
        ) from None
    if len(data) > LARGEST:
        raise Unusable(f"The function refers to {len(data) // 1_000_000} MB of data.")
    return data


def file_of(function: Any) -> str | None:
    """Where the learner's code stands, as its code object says: a file, or the name of a notebook's cell."""
    return getattr(getattr(_innermost(function), "__code__", None), "co_filename", None)


def _innermost(function: Any) -> Any:
    """The function that was written, under a cache, a `functools.partial` or another wrapper."""
    try:
        return inspect.unwrap(getattr(function, "func", function))
    except Exception:  # a wrapper around itself
        return function


def _pickled(function: object) -> bytes:
    import cloudpickle

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, thing: Any) -> Any:
            if isinstance(thing, types.CodeType):  # with the file and the lines that it came from
                return marshal.loads, (marshal.dumps(thing),)
            if isinstance(thing, functools._lru_cache_wrapper):  # else looked up by its name
                how = thing.cache_parameters()
                made_of = thing.__wrapped__, how["maxsize"], how["typed"], functools._CacheInfo
                return functools._lru_cache_wrapper, made_of
            reduced = super().reducer_override(thing)
            if isinstance(thing, types.FunctionType) and isinstance(reduced, tuple):
                make, arguments, (variables, slots), *rest = reduced
                slots = {**slots, "__annotations__": {}}  # they may name anything, and do nothing
                reduced = make, arguments, (variables, slots), *rest
            return reduced

    module = sys.modules.get(getattr(_innermost(function), "__module__", None) or "")
    if module and _is_learners(module):  # its functions travel whole, as a notebook's do
        cloudpickle.register_pickle_by_value(module)
    Pickler(data := io.BytesIO()).dump(function)
    return data.getvalue()


def _is_learners(module: types.ModuleType) -> bool:
    """Whether this is a file of the learner's: not the notebook itself, and not from a library or this package."""
    file = Path(getattr(module, "__file__", None) or os.__file__)
    theirs = "site-packages" in file.parts or any(
        map(file.is_relative_to, (Path(os.__file__).parent, PACKAGE))
    )
    return module.__name__ != "__main__" and not theirs


def _can_travel(value: object) -> bool:
    try:
        return bool(_pickled(value))
    except BaseException:
        return False
