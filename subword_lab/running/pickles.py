"""A learner's function on its way to another process: pickled whole, with the helpers and values of its notebook."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .doors import OwnCode, is_closed
from .processes import PACKAGE
from .values import Unusable, name_of, text_of

LARGEST = 20_000_000  # bytes, with all that the function refers to
_one_at_a_time = threading.Lock()  # what cloudpickle is told holds for the whole process


def pickled(function: Callable, allow: Sequence[str]) -> bytes:
    """The function as bytes that another process can read.

    Raises OwnCode if it refers to what is closed to it (see `is_closed`), Unusable if to what cannot be taken there.
    """
    try:
        return _pickled(function, allow)
    except (OwnCode, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever an object says that does not want to be pickled
        names = inspect.getclosurevars(_innermost(function)) if file_of(function) else None
        used = {**names.globals, **names.nonlocals} if names else {}
        culprit = next(
            (f"`{name}`" for name, value in used.items() if not _can_travel(value, allow)),
            "something",
        )
        raise Unusable(
            f"The function is checked in a process of its own, and {culprit}, which it uses, cannot be taken there "
            f"({name_of(type(error))}: {text_of(error, 200)}). Pass what it needs as an argument, or make it inside."
        ) from None


def file_of(function: Any) -> str | None:
    """Where the learner's code stands, as its code object says: a file, or the name of a notebook's cell."""
    return getattr(getattr(_innermost(function), "__code__", None), "co_filename", None)


def _innermost(function: Any) -> Any:
    """The function that was written, under a cache, a `functools.partial` or another wrapper."""
    try:
        return inspect.unwrap(getattr(function, "func", function))
    except Exception:  # a wrapper around itself
        return function


def _pickled(function: object, allow: Sequence[str]) -> bytes:
    import cloudpickle

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, thing: Any) -> Any:
            _check_own(thing, allow)
            if isinstance(
                thing, functools._lru_cache_wrapper
            ):  # which would be looked up by its name
                parameters = thing.cache_parameters()
                return functools._lru_cache_wrapper, (
                    thing.__wrapped__,
                    parameters["maxsize"],
                    parameters["typed"],
                    functools._CacheInfo,
                )
            reduced = super().reducer_override(thing)
            if (
                isinstance(thing, types.FunctionType)
                and isinstance(reduced, tuple)
                and len(reduced) == 6
            ):
                variables, slots = reduced[2]  # annotations may name anything, and do nothing
                reduced = (
                    *reduced[:2],
                    (variables, {**slots, "__annotations__": {}}),
                    *reduced[3:],
                )
            return reduced

    data = io.BytesIO()
    with _by_value(sys.modules.get(getattr(_innermost(function), "__module__", ""))):
        Pickler(data).dump(function)
    if data.tell() > LARGEST:
        raise ValueError(f"it refers to {data.tell() // 1_000_000} MB of data")
    return data.getvalue()


def _check_own(thing: object, allow: Sequence[str]) -> None:
    """OwnCode if this is a module of the package, a function or class from one, or an object of such a class."""
    if isinstance(thing, types.ModuleType):
        name, inside = thing.__name__, True
    else:
        maker = thing if isinstance(thing, (types.FunctionType, type)) else type(thing)
        name = f"{maker.__module__}.{maker.__qualname__}"
        inside = hasattr(sys.modules.get(maker.__module__), maker.__qualname__.partition(".")[0])
    if inside and is_closed(name, allow):
        raise OwnCode(f"using {name}")


@contextlib.contextmanager
def _by_value(module: types.ModuleType | None) -> Iterator[None]:
    """For as long as this lasts, the functions of a learner's own file travel whole, as a notebook's do."""
    import cloudpickle

    with _one_at_a_time:
        if (
            module is None
            or not _is_learners(module)
            or module.__name__ in cloudpickle.list_registry_pickle_by_value()
        ):
            yield
            return
        cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            cloudpickle.unregister_pickle_by_value(module)


def _is_learners(module: types.ModuleType) -> bool:
    """Whether this is a file of the learner's: not the notebook itself, and not from a library or this package."""
    file = getattr(module, "__file__", None) or ""
    return (
        bool(file)
        and module.__name__ != "__main__"
        and "site-packages" not in file
        and not any(
            Path(file).is_relative_to(folder) for folder in (Path(os.__file__).parent, PACKAGE)
        )
    )


def _can_travel(value: object, allow: Sequence[str]) -> bool:
    try:
        return bool(_pickled(value, allow))
    except BaseException:
        return False
