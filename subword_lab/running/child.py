"""What runs in the fresh process, around the learner's function: it calls it case by case, and knows no answers."""

import builtins
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial

from .messages import READY, Outcome, Result, to_json
from .values import Unusable, decode, encode, text_of

LARGEST = 20_000  # members and characters of a value that may be returned
LONGEST_TEXT = 1_000  # characters of an exception's name, and of its text
OUT_OF_MEMORY = 77  # exit code where no memory is left to say so


class OwnCode(ImportError):
    """The learner's function uses the package where the exercise asks for code of one's own."""


class WithoutThePackage:
    """Stands before the finders of modules, and finds nothing of the course."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise OwnCode for the package, its extras, and all that is in them."""
        if name.startswith("subword_lab"):
            raise OwnCode(f"importing {name}")


def answer(function: Callable, arguments: str, file: str | None) -> Result:
    """What comes of calling the function on one case, which is given as JSON. No exception gets out.

    file: where the learner's own code stands, as its code objects name it; exceptions are placed there.
    """
    case = decode(json.loads(arguments))
    try:
        result = Result("value", function(*case))
    except BaseException as error:
        result = failure(error, file)
    try:
        mutated = json.dumps(encode(case, len(arguments))) != arguments
    except Exception:  # something that JSON has no form for was put in
        mutated = True
    return bounded(replace(result, mutated=mutated))


def bounded(result: Result) -> Result:
    """The result with a plain copy of its value, and texts that are not too long; else what is wrong with the value."""
    try:
        value = decode(json.loads(json.dumps(encode(result.value, LARGEST))))
        error, message = result.error[:LONGEST_TEXT], result.message[:LONGEST_TEXT]
        return replace(result, value=value, error=error, message=message)
    except Exception as error:  # a list inside itself, a number of 5,000 digits
        message = "a value that holds itself, is nested too deep or is far too long"
        if isinstance(error, Unusable):
            message = str(error)
        outcome: Outcome = "memory" if isinstance(error, MemoryError) else "unusable"
        return Result(outcome, message=message, mutated=result.mutated)


def failure(error: BaseException, file: str | None) -> Result:
    """What came of a case that raised an exception, with the last line of the learner's file on its way."""
    way = traceback.walk_tb(error.__traceback__)
    lines = [number for frame, number in way if frame.f_code.co_filename == file]
    outcome: Outcome = "error"
    if isinstance(error, (MemoryError, SystemExit)):
        outcome = "memory" if isinstance(error, MemoryError) else "exit"
    return Result(
        outcome,
        error=type(error).__name__[:100],
        message=text_of(error),
        line=lines[-1] if lines else None,
    )


def set_limits(limits: Mapping[str, int]) -> None:
    """Limits that the operating system enforces, by its names for them; none on Windows."""
    for name, value in limits.items():
        with suppress(ImportError, AttributeError, ValueError, OSError):  # without this limit
            import resource

            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def main() -> None:
    """Read the task, say that it is ready, answer case by case, and end at once, whatever else still runs here."""
    import faulthandler
    import pickle

    channel = os.fdopen(os.dup(1), "w", buffering=1)  # for results
    source = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # what the learner prints goes to standard error
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    pickled, file, seconds, limits, path = pickle.load(source)  # by whoever started this process
    sys.path += path
    import cloudpickle  # noqa: F401            # before the time begins

    sys.meta_path.insert(0, WithoutThePackage)
    vars(builtins)["display"] = print  # a notebook's, which a learner may have left in
    faulthandler.enable(channel)  # says where, if Python itself crashes
    faulthandler.dump_traceback_later(seconds, exit=True, file=channel)  # or hangs
    set_limits(limits)
    print(to_json(READY), file=channel)
    unpickle = cache(partial(pickle.loads, pickled))

    def function(*case: object) -> object:
        return unpickle()(*case)  # in the first case, whose time and errors are the learner's

    try:
        for line in source:
            print(to_json(answer(function, line.decode().strip(), file)), file=channel)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    os._exit(0)
