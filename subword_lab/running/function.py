"""Run a learner's function in a fresh process, and say what came of it.

The process never sees an answer: values travel back as JSON, and whoever asked compares. So there is nothing to be
gained by forging what is sent back, by an object that claims to equal everything, or by patching whatever compares.
What is sent back is plain, and bounded in size and depth, so that it is read, compared and shown in no time.

Where bubblewrap is installed and works, the function runs in a sandbox (see `sandbox`): without a network, with nothing
to be seen of the disk but Python, the libraries and the folders from which it imports, and with nothing to be changed
but an empty folder. That is the protection.

Elsewhere there is protection from accidents, and from the tricks that are easy in Python: the process and all it
started are killed in time, not asked; the operating system limits memory and files (on Linux and, but for memory, on
macOS); an audit hook (see `doors`) refuses to change a file but in an empty temporary folder, to use the network, to
start or signal another process, and to import or read the package itself, unless the exercise allows it; environment
variables are not passed on. It does not protect from somebody who is determined: code in C does not ask the hook, and
there are ways to get past it in Python too; files outside the package can be read; Windows enforces only the limit on
time; a process that was started by a trick and hides from its own environment is not found.

Strings hash alike in every run, so that a check repeated gives the same.

Where no process can be started (a notebook that runs in the browser), the function runs in this process, with a limit
on the number of steps and none of the above.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import linecache
import os
import re
import signal
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from . import function_child, sandbox
from .doors import OwnCode
from .messages import READY, More, Outcome, Result, Stage, Task, from_json
from .pickles import file_of, pickled
from .processes import PACKAGE, Process, python
from .values import Unusable, encode, name_of, shortened, with_article

CAN_START_PROCESSES = sys.platform not in ("emscripten", "wasi") and bool(sys.executable)
PROCESSES = 64  # at once, which only a trick can start
STARTUP_SECONDS = 30.0  # for the process to start, which costs the learner's limit nothing
LONGEST_TEXT = 1_000  # characters of an exception's name, and of its text
GRACE_SECONDS = 0.5  # for the process to say where it hangs, before it is killed


@dataclass(frozen=True)
class Limits:
    """What one run may use. The time starts when the process is ready; `steps` is for runs in this process only."""

    seconds: float = 5.0
    memory: int = (
        512 * 2**20
    )  # bytes of address space; of all that it started, twice as many in use
    output: int = 5_000_000  # bytes printed
    returned: int = 1_000_000  # bytes of all values returned
    printed: int = 2_000  # characters of what was printed that are kept to be shown
    file_size: int = 10_000_000  # bytes
    open_files: int = 64  # at once; also how many may be opened for writing in all
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
    function: Callable,
    cases: Iterable[Sequence],
    *,
    limits: Limits = Limits(),
    allow: Sequence[str] = (),
    here: bool = False,
) -> Run:
    """Call `function(*case)` for every case, each with arguments of its own, in a process that is gone afterwards.

    function: the learner's. cases: tuples of arguments, made of numbers, strings, bytes, fractions, lists, tuples, sets
    and dictionaries; anything else in them is a ValueError, while all that is wrong with the function is told in the
    Run. allow: ("subword_lab",) if the function may use this package; the exercises stay closed to it all the same.
    here: run it in this process, which is for functions of our own.

    >>> def fullest(words):
    ...     return sorted(words, key=len)[-1]
    >>> outcome = run(fullest, [(["hug", "hugs"],), ([],)])
    >>> outcome.results[0].value, outcome.outcome, outcome.message
    ('hugs', 'error', 'IndexError: list index out of range (line 2: return sorted(words, key=len)[-1])')
    """
    given = [tuple(case) for case in cases]
    try:
        encoded = [json.dumps([encode(argument) for argument in case]) for case in given]
    except (ValueError, RecursionError) as error:
        raise ValueError(f"cases holds a value which cannot be sent: {error}") from None
    try:
        complaint = _complaint(function, given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever an object says that does not want to be looked at
        complaint = f"This function cannot be looked at ({name_of(type(error))})."
    if complaint:
        return Run("invalid", message=complaint)
    if here or not CAN_START_PROCESSES:
        return _run_here(function, encoded, limits)
    try:
        return _run_there(function, encoded, limits, allow)
    except OwnCode as error:
        return _told(
            function, [Result("error", error="OwnCode", message=str(error))], len(given), "", limits
        )
    except Unusable as error:
        return Run("invalid", message=str(error))
    except OSError as error:
        return Run("protocol", message=f"No process could be started to run the function: {error}.")


def _complaint(function: object, cases: list[tuple]) -> str:
    """Why this cannot be called with these cases; "" if it can."""
    if isinstance(function, type):
        return f"This is the class {name_of(function)}; give a function."
    if not callable(function):
        return (
            f"This is {with_article(name_of(type(function)))}, not a function. Give the function itself, by its "
            "name and without brackets behind it."
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
            plain = [
                each.replace(annotation=inspect.Parameter.empty)
                for each in signature.parameters.values()
            ]
            declared = f"{getattr(function, '__name__', 'function')}{inspect.Signature(plain)}"
            count = f"{len(case)} argument{'s' * (len(case) != 1)}"
            return f"The function must take {count}, but it is declared as {declared}: {error}."
    return ""


@contextlib.contextmanager
def calls(
    function: Callable, *, limits: Limits = Limits(), allow: Sequence[str] = ()
) -> Iterator[Callable[[Sequence], Result]]:
    """As `run`, for cases that are thought of one after another: what takes a case, and gives its Result.

    All are run in one process, and have the time of one run; what comes after its end is "not run".

    >>> with calls(len) as call:
    ...     call(["hug"]).value, call([["hug", "pug"]]).value
    (3, 2)
    """
    if not CAN_START_PROCESSES:
        yield lambda case: (run(function, [case], limits=limits).results or [Result("not run")])[0]
        return
    with _started(function, [], limits, allow, stay=True) as process:

        def call(case: Sequence) -> Result:
            process.tell(More(json.dumps([encode(argument) for argument in case])))
            result = process.next()
            return bounded(result) if isinstance(result, Result) else Result("not run")

        yield call


@contextlib.contextmanager
def _started(
    function: Callable, cases: list[str], limits: Limits, allow: Sequence[str], stay: bool = False
) -> Iterator[Process]:
    """A process that is ready and begins with the cases; OSError if there can be none. stay: it then waits for More."""
    data, path = pickled(function, allow), [os.path.realpath(entry) for entry in sys.path]
    wrapped = sandbox.for_function(path, allow)
    system = {
        "AS": limits.memory,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "CORE": 0,
        "CPU": int(2 * limits.seconds) + 5,
    }  # if whoever started the process is gone by then
    system |= {"NPROC": sandbox.PROCESSES} if wrapped else {}
    with Process(
        [*wrapped, *python("_running.function_child", "-S", "-u")],
        (Stage, Result),
        seconds=STARTUP_SECONDS,
        most=limits.output,
        sent=limits.returned,
        home=sandbox.HOME if wrapped else "",
    ) as process:
        process.tell(
            Task(
                data,
                cases,
                file_of(function),
                limits.seconds,
                system,
                process.home,
                str(PACKAGE),
                list(allow),
                limits.open_files,
                path,
                stay,
            )
        )
        if ready := process.next() == READY:
            process.deadline = time.monotonic() + limits.seconds + GRACE_SECONDS
            process.watch(PROCESSES, 2 * limits.memory)
            yield process
    if not ready:
        raise OSError(process.complaint or f"it ended ({process.ended})")


def _run_there(function: Callable, cases: list[str], limits: Limits, allow: Sequence[str]) -> Run:
    results, file = list[Result](), file_of(function)
    with _started(function, cases, limits, allow) as process:
        begun = time.monotonic()
        while isinstance(message := process.next(), Result):
            results.append(bounded(message))
        seconds = time.monotonic() - begun
    if message is None:
        results = [*results[: len(cases)], _how_it_ended(process, file)]
    elif len(results) < len(cases) and all(result.outcome == "value" for result in results):
        results.append(Result("protocol"))  # it said too early that it was done
    run = _told(function, results, len(cases), process.printed.decode("utf-8", "replace"), limits)
    return replace(run, seconds=seconds)


def bounded(result: Result) -> Result:
    """The result, or, if its value is larger than the process should have sent it, one that says so."""
    try:
        encode(result.value, function_child.LARGEST)
    except (Unusable, RecursionError) as error:
        return Result(
            "unusable",
            message=str(error) or "a value that is nested too deep",
            mutated=result.mutated,
        )
    return replace(result, error=result.error[:LONGEST_TEXT], message=result.message[:LONGEST_TEXT])


def _how_it_ended(process: Process, file: str | None) -> Result:
    """The result of the case in which the run ended, where it did not come to its end."""
    text, code = b"\n".join(process.text).decode("utf-8", "replace"), process.exit_code
    code = 128 - code if code > 128 else code  # as bubblewrap tells of a signal
    places = re.findall(r'^  File "(.*)", line (\d+) in ', text, re.MULTILINE)
    line = next((int(number) for place, number in places if place == file), None)
    if process.ended == "output":
        return Result("output", line=line)
    if process.ended == "processes":
        return Result(
            "error",
            error="NotAllowed",
            message=f"having more than {PROCESSES} processes",
            line=line,
        )
    if (
        process.ended == "timeout"
        or text.startswith("Timeout")
        or code == -getattr(signal, "SIGXCPU", 0)
    ):
        return Result("timeout", line=line)
    if process.ended == "memory" or code == function_child.MEMORY:
        return Result("memory", line=line)
    if code in (function_child.LOST, -getattr(signal, "SIGKILL", 0)):
        return Result("protocol", line=line)
    with contextlib.suppress(ValueError):  # Python itself crashed, or the process ended itself
        return Result("exit", error=signal.Signals(-code).name, line=line)
    return Result("exit", message=f"code {code}", line=line)


class _OutOfSteps(BaseException):
    """Raised inside the learner's function; no `except Exception` stops it."""


def _run_here(function: Callable, cases: list[str], limits: Limits) -> Run:
    left, before, results, printed = limits.steps, sys.gettrace(), list[Result](), io.StringIO()
    room = limits.returned

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
        while left >= 0 and len(results) < len(cases):
            answer = function_child.answer(counted, cases[len(results)], file_of(function))
            room -= len(answer)
            results.append(
                (from_json(answer, Result) or Result("protocol")) if room > 0 else Result("output")
            )
            if room <= 0:
                break
    if left < 0:
        results[-1] = replace(results[-1], outcome="timeout", error="", message="")
    return _told(function, results, len(cases), printed.getvalue(), limits, f"{limits.steps} steps")


def _told(
    function: Callable,
    results: list[Result],
    count: int,
    printed: str,
    limits: Limits,
    longest: str = "",
) -> Run:
    """Put the Run together from the results that came, of `count` that were asked for. longest: the limit on time."""
    file = file_of(function)
    results = [
        replace(result, code=linecache.getline(file, result.line).strip())
        if file and result.line
        else result
        for result in results[: max(count, 1)]
    ]
    results = [
        replace(
            result,
            told=""
            if result.outcome == "value"
            else _message(result, limits, longest or f"{limits.seconds:g} seconds"),
        )
        for result in results
    ]
    results += [Result("not run")] * (count - len(results))
    printed = shortened(printed, limits.printed)
    worst = next((result for result in results if result.outcome != "value"), None)
    if worst and worst.outcome != "value":
        return Run(worst.outcome, results, printed, worst.told)
    if not results or any(result.value is not None for result in results):
        return Run("ok", results, printed)
    instead = (
        "but it printed something: return it instead" if printed.strip() else "is a return missing?"
    )
    return Run("ok", results, printed, f"The function returned None; {instead}")


def _message(result: Result, limits: Limits, longest: str) -> str:
    """What happened, in plain words, and what to look at."""
    where = f" (line {result.line}{': ' * bool(result.code)}{result.code})" if result.line else ""
    what = ": ".join(filter(None, (result.error, result.message)))
    crashed = result.error.startswith("SIG")
    by_outcome = {
        "timeout": f"The function was still running after {longest}{where}. Is there a loop that never ends?",
        "memory": f"The function needed more than {limits.memory // 2**20} MB of memory{where}. "
        "Is there a list that never stops growing?",
        "output": f"The function printed more than {limits.output / 1e6:g} MB, or returned more than "
        f"{limits.returned / 1e6:g} MB{where}.",
        "exit": f"Python itself crashed{where} ({result.error})."
        if crashed
        else f"The function ended its process{where} ({what}). Let it return a value instead.",
        "unusable": f"The function returned {result.message}.",
        "protocol": "The process in which the function ran stopped answering, or was ended from outside.",
    }
    own = f"This exercise asks for code of your own: {result.message} is not possible here."
    closed = f"While it is checked, the function may not do this: {result.message}{where}."
    by_error = {
        "OwnCode": own,
        "ClosedModule": closed,
        "ClosedFile": own,
        "NotAllowed": closed,
        "RecursionError": f"RecursionError: the function calls itself again and again, without end{where}.",
        "EOFError": f"The function waits for input(), and nobody is there to type{where}. Use its arguments instead.",
    }
    return by_outcome.get(result.outcome) or by_error.get(result.error) or f"{what}{where}"
