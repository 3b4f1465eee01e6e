"""Run a learner's function in a fresh process, and say what came of it.

The process never sees an answer: values travel back as JSON, and whoever asked compares. So there is nothing to be
gained by forging what is sent back, by an object that claims to equal everything, or by patching whatever compares.
What is sent back is plain, and bounded in size and depth.

This is protection from accidents. The process has a limit of time, and one of memory where the operating system knows
one (not on macOS and Windows); it has an empty folder to work in, a short environment, and no way to import the
package. At its end it is killed with its whole group. It may read and write files and use the network as the learner
may, and what it starts in a session of its own is not ended. Strangers' code belongs in a sandbox as well, and
subword-lab-teach, which marks notebooks, has one.

Where no process can be started (a notebook that runs in the browser), the function runs in this process, with a limit
on the number of steps and none of the above.
"""

import contextlib
import inspect
import io
import json
import linecache
import os
import pickle
import re
import signal
import sys
import time
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from . import child
from .child import OwnCode, bounded
from .messages import READY, Outcome, Result, Stage
from .pickles import file_of, pickled
from .processes import Process, python
from .values import Unusable, encode, with_article

CAN_START_PROCESSES = sys.platform not in ("emscripten", "wasi") and bool(sys.executable)
STARTUP_SECONDS = 30.0  # for the process to start, which costs the learner's limit nothing
GRACE_SECONDS = 0.5  # for the process to say where it hangs, before it is killed
PRINTED = 2_000  # characters of what was printed that are kept to be shown
FILES = {"FSIZE": 10_000_000, "NOFILE": 64, "CORE": 0}  # by the system's names for its limits


@dataclass(frozen=True)
class Limits:
    """What one run may use. The time starts when the process is ready; `steps` is for runs in this process only."""

    seconds: float = 5.0
    memory: int = 512 * 2**20  # bytes of address space
    output: int = 5_000_000  # bytes printed, or returned
    steps: int = 1_000_000  # lines of Python


@dataclass(frozen=True)
class Run:
    """What came of a run: one Result a case, what was printed, and a message in plain words.

    outcome: "ok" if every case gave a value; else "invalid" (not a function that could be called so, and nothing was
    run), "protocol" (the process did not start, or stopped answering), "output" (it printed or returned too much), or
    the outcome of the first case that gave no value: "error", "unusable", "timeout", "memory", "exit".
    """

    outcome: Literal["ok", "invalid", Outcome]
    results: list[Result] = field(default_factory=list)
    printed: str = ""
    message: str = ""
    seconds: float = 0.0  # that the function took

    @property
    def mutated(self) -> bool:
        """Whether the function changed its arguments in any case."""
        return any(result.mutated for result in self.results)


def run(
    function: Callable, cases: Iterable[Sequence], *, limits: Limits = Limits(), here: bool = False
) -> Run:
    """Call `function(*case)` for every case, each with arguments of its own, in a process that is gone afterwards.

    function: the learner's. cases: tuples of arguments, made of numbers, strings, bytes, fractions, lists, tuples, sets
    and dictionaries; anything else in them is a ValueError, while all that is wrong with the function is told in the
    Run. here: run it in this process, which is for functions of our own.

    >>> def fullest(words):
    ...     return sorted(words, key=len)[-1]
    >>> outcome = run(fullest, [(["hug", "hugs"],), ([],)])
    >>> outcome.results[0].value, outcome.outcome, outcome.message
    ('hugs', 'error', 'IndexError: list index out of range (line 2: return sorted(words, key=len)[-1])')
    """
    argument_lists = [tuple(case) for case in cases]
    encoded = [_encoded(case) for case in argument_lists]
    try:
        if complaint := _complaint(function, argument_lists):
            return Run("invalid", message=complaint)
        if here or not CAN_START_PROCESSES:
            return _run_here(function, encoded, limits)
        with Calls(function, limits) as calls:
            begun = time.monotonic()
            results = [calls(case) for case in argument_lists]
            seconds = time.monotonic() - begun
        printed = calls.printed.decode("utf-8", "replace")
        return _summary(function, results, printed, limits, f"{limits.seconds:g} seconds", seconds)
    except OwnCode as error:
        refused = Result("error", error="OwnCode", message=str(error))
        return _summary(function, [refused] + [NOT_RUN] * (len(encoded) - 1), "", limits)
    except Unusable as error:
        return Run("invalid", message=str(error))
    except OSError as error:
        return Run("protocol", message=f"No process could be started to run the function: {error}.")


NOT_RUN = Result("not run")


def _encoded(case: Sequence) -> str:
    try:
        return json.dumps([encode(argument) for argument in case])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"cases holds a value which cannot be sent: {error}") from None


def _complaint(function: object, cases: list[tuple]) -> str:
    """Why this cannot be called with these cases; "" if it can."""
    if isinstance(function, type):
        return f"This is the class {function.__name__}; give a function."
    if not callable(function):
        return (
            f"This is {with_article(type(function).__name__)}, not a function. Give the function itself, by its "
            "name and without parentheses after it."
        )
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "The function is declared with async; declare it with a plain def."
    if inspect.isgeneratorfunction(function):
        return "The function contains yield, which makes it a generator; collect the result and return it."
    try:
        signature = inspect.signature(function)
    except Exception:  # some built-in functions do not tell
        return ""
    for case in cases:
        try:
            signature.bind(*case)
        except TypeError as error:
            bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
            declared = f"{getattr(function, '__name__', 'function')}{inspect.Signature(bare)}"
            count = f"{len(case)} argument{'s' * (len(case) != 1)}"
            return f"The function must take {count}, but it is declared as {declared}: {error}."
    return ""


class Calls(Process):
    """A function in a process that is ready, for cases that are thought of one after another.

    All have the time of one run together; what comes after its end is "not run". Raises OwnCode, Unusable or OSError if
    the function cannot be taken there.

    >>> with Calls(len) as calls:
    ...     calls(["hug"]).value, calls([["hug", "pug"]]).value
    (3, 2)
    """

    def __init__(self, function: Callable, limits: Limits = Limits()):
        cpu = int(2 * limits.seconds) + 5  # if whoever started the process is gone by then
        enforced = {**FILES, "AS": limits.memory, "CPU": cpu}
        path = [os.path.realpath(entry) for entry in sys.path]
        self._file = file_of(function)
        task = pickle.dumps((pickled(function), self._file, limits.seconds, enforced, path))
        start = str(Path(child.__file__).with_name("start.py"))
        super().__init__(
            python("-S", start), (Stage, Result), seconds=STARTUP_SECONDS, most=limits.output
        )
        ready = False
        try:
            self.write(task)
            ready = self.next() == READY
        finally:
            if not ready:
                self.__exit__()
        if not ready:
            raise OSError(self.complaint or f"it ended ({self.ended})")
        self.deadline = time.monotonic() + limits.seconds + GRACE_SECONDS

    def __call__(self, case: Sequence) -> Result:
        """What comes of one case."""
        if self.ended:
            return NOT_RUN
        self.write(f"{_encoded(case)}\n".encode())
        result = self.next()
        return bounded(result) if isinstance(result, Result) else self._end()

    def _end(self) -> Result:
        """The result of the case in which the run ended."""
        self.__exit__()
        text = b"\n".join(self.text).decode("utf-8", "replace")
        places = re.findall(r'^  File "(.*)", line (\d+) in ', text, re.MULTILINE)
        line = next((int(number) for file, number in places if file == self._file), None)
        error = signal.Signals(-self.exit_code).name if self.exit_code < 0 else ""
        reasons: dict[Outcome, bool] = {
            "output": self.ended == "output",
            "timeout": self.ended == "timeout" or text.startswith("Timeout"),
            "memory": self.exit_code == child.OUT_OF_MEMORY,
            "protocol": error == "SIGKILL",
        }
        if reason := next((reason for reason, holds in reasons.items() if holds), None):
            return Result(reason, line=line)
        # Python itself crashed, or the process ended itself
        message = "" if error else f"code {self.exit_code}"
        return Result("exit", error=error, message=message, line=line)


class _OutOfSteps(BaseException):
    """Raised inside the learner's function; no `except Exception` stops it."""


def _run_here(function: Callable, cases: list[str], limits: Limits) -> Run:
    left, before, results, printed = limits.steps, sys.gettrace(), list[Result](), io.StringIO()

    def trace(frame: types.FrameType, event: str, argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise _OutOfSteps
        return trace

    def counted(*arguments: object) -> object:
        sys.settrace(trace)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)

    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        for case in cases:
            if left < 0:
                results.append(NOT_RUN)
                continue
            result = child.answer(counted, case, file_of(function))
            results.append(Result("timeout", line=result.line) if left < 0 else result)
    return _summary(function, results, printed.getvalue(), limits, f"{limits.steps:,} steps")


def _summary(
    function: Callable,
    results: Sequence[Result],
    printed: str,
    limits: Limits,
    longest: str = "",
    seconds: float = 0.0,
) -> Run:
    """The Run with these results. longest: the limit on time, in words."""
    explained = [_explained(result, file_of(function), limits, longest) for result in results]
    printed = printed[:PRINTED] + " ..." * (len(printed) > PRINTED)
    for result in explained:
        if result.outcome != "value":
            return Run(result.outcome, explained, printed, result.explanation, seconds)
    instead = "but it printed something: return it instead"
    message = (
        f"The function returned None; {instead if printed.strip() else 'is a return missing?'}"
    )
    nothing = bool(explained) and all(result.value is None for result in explained)
    return Run("ok", explained, printed, message * nothing, seconds)


def _explained(result: Result, file: str | None, limits: Limits, longest: str) -> Result:
    """The result with the line of code in which it ended, and what happened, in plain words."""
    if result.outcome in ("value", "not run"):
        return result
    code = linecache.getline(file, result.line).strip() if file and result.line else ""
    where = f" (line {result.line}{': ' * bool(code)}{code})" if result.line else ""
    what = ": ".join(filter(None, (result.error, result.message)))
    ended = f"The function ended its process{where} ({what}). Let it return a value instead."
    if result.error.startswith("SIG"):
        ended = f"Python itself crashed{where} ({result.error})."
    by_outcome = {
        "timeout": f"The function was still running after {longest}{where}. Is there a loop that never ends?",
        "memory": f"The function needed more than {limits.memory // 2**20} MB of memory{where}. "
        "Is there a list that never stops growing?",
        "output": f"The function printed or returned more than {limits.output / 1e6:g} MB{where}.",
        "exit": ended,
        "unusable": f"The function returned {result.message}.",
        "protocol": "The process in which the function ran stopped answering, or was ended from outside.",
    }
    by_error = {
        "OwnCode": f"This exercise asks for code of your own: {result.message} is not possible here.",
        "RecursionError": f"RecursionError: the function calls itself again and again, without end{where}.",
        "EOFError": f"The function waits for input(), and nobody is there to type{where}. Use its arguments instead.",
    }
    explanation = by_outcome.get(result.outcome) or by_error.get(result.error) or f"{what}{where}"
    return replace(result, code=code, explanation=explanation)
