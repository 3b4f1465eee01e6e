"""What runs in the fresh process, around the learner's function: it calls it case by case, and knows no answers."""

import builtins
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

from .values import Unusable, decode, encode, text_of

LARGEST = 20_000  # members and characters of a value that may be returned
LONGEST_TEXT = 1_000  # characters of an exception's name, and of its text
WAITING = 4  # times as long as it may compute, it may take in all
OUT_OF_MEMORY = 77  # exit code where no memory is left to say so
READY = b"ready\n"  # the first line from the process
Outcome = Literal[
    "value", "unusable", "error", "memory", "exit", "timeout", "output", "protocol", "not run"
]


@dataclass(frozen=True)
class Result:
    """What came of one case.

    outcome: "value" (see `value`; None if nothing was returned), "unusable" (what was returned is no plain value),
    "error", "memory" or "exit" (an exception: `error` is its type, `message` its text), "timeout", "output",
    "protocol", or "not run", because the run had ended before. `line` counts in the cell or file of the function.
    explanation: what happened where there is no value, in plain words.
    """

    outcome: Outcome
    value: object = None
    error: str = ""
    message: str = ""
    line: int | None = None
    mutated: bool = False  # the function changed its arguments
    explanation: str = ""


class OwnCode(ImportError):
    """The learner's function uses the package where the exercise asks for code of one's own."""


class WithoutThePackage:
    """Stands before the finders of modules, and finds nothing of the course."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise OwnCode for the package, its extras, and all that is in them."""
        if name.startswith("subword_lab"):
            raise OwnCode(f"using {name}")


class TooMuchPrinted(BaseException):
    """Raised inside the learner's function; no `except Exception` stops it."""


class Printed(io.TextIOWrapper):
    """Standard output of the learner's function, which takes so many characters and no more."""

    left = 0

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            raise TooMuchPrinted
        return super().write(text)


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
        too_much = "a value that holds itself, is nested too deep or is far too long"
        message = str(error) if isinstance(error, Unusable) else too_much
        outcome: Outcome = "memory" if isinstance(error, MemoryError) else "unusable"
        return Result(outcome, message=message, mutated=result.mutated)


def failure(error: BaseException, file: str | None) -> Result:
    """What came of a case that raised an exception, with the last line of the learner's file on its way."""
    outcomes: dict[type, Outcome] = {
        MemoryError: "memory",
        SystemExit: "exit",
        TooMuchPrinted: "output",
    }
    way = traceback.walk_tb(error.__traceback__)
    lines = [number for frame, number in way if frame.f_code.co_filename == file]
    return Result(
        next((outcome for kind, outcome in outcomes.items() if isinstance(error, kind)), "error"),
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
    """Say that it is ready, read the task, answer case by case, and end at once, whatever else still runs here."""
    import faulthandler
    import pickle
    import signal

    channel = os.fdopen(os.dup(1), "wb", buffering=0)  # for results
    printed = Printed(os.fdopen(os.dup(2), "wb", buffering=0), write_through=True)
    source = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    channel.write(READY)
    function, file, cases, seconds, output, limits, path = pickle.load(source)  # from our own side
    sys.path += path
    import cloudpickle  # noqa: F401            # before the time begins

    sys.stdout = sys.stderr = printed
    printed.left = output
    sys.meta_path.insert(0, WithoutThePackage)
    vars(builtins)["display"] = print  # a notebook's, which a learner may have left in
    faulthandler.enable(channel)  # says where, if Python itself crashes
    waiting = seconds
    if hasattr(signal, "setitimer"):  # its own work counts, and not that of others beside it
        faulthandler.register(signal.SIGPROF, file=channel, chain=True)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        waiting = WAITING * seconds
    faulthandler.dump_traceback_later(waiting, exit=True, file=channel)  # or hangs
    set_limits(limits)
    unpickle = cache(partial(pickle.loads, function))

    def call(*case: object) -> object:
        return unpickle()(*case)  # in the first case, whose time and errors are the learner's

    try:
        for case in cases:
            result = answer(call, case, file)
            fields = {**vars(result), "value": encode(result.value)}
            channel.write(json.dumps(fields).encode() + b"\n")
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    if os.name == "posix":  # with what it has started, which would keep its output open
        os.killpg(0, signal.SIGKILL)
    os._exit(0)
