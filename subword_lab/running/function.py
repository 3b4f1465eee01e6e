"""Run a learner's function in a fresh process, and say what came of it.

The process never sees an answer: values travel back as JSON, and whoever asked compares.

This is protection from accidents. The process has a limit of time, and one of memory where the operating system knows
one (not on macOS and Windows); it has an empty folder to work in, a short environment, and no way to import the
package. At its end it is killed with its whole group. It may read and write files and use the network as the learner
may, and what it starts in a session of its own is not ended. Strangers' code belongs in a sandbox as well, and
subword-lab-teach, which marks notebooks, has one.

Where no process can be started (a notebook that runs in the browser), the function runs in this process, with a limit
on the number of steps and none of the above.
"""

import inspect
import io
import json
import linecache
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ..arguments import code, counted
from . import child
from .child import Outcome, Result
from .pickles import file_of, pickled
from .values import Unusable, decode, encode, with_article

CAN_START_PROCESSES = sys.platform not in ("emscripten", "wasi") and bool(sys.executable)
STARTUP_SECONDS = 30.0  # for the process to start, beside the learner's limit
PRINTED = 2_000  # characters of what was printed that are kept to be shown
FILES = {"FSIZE": 10_000_000, "NOFILE": 64, "CORE": 0}  # by the system's names for its limits
# What runs Python so that nothing is found by chance, and nothing is written.
PYTHON = ("-s", "-B", "-u", "-X", "utf8")
KEPT_VARIABLES = ("SYSTEMROOT", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
HOMES = ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR")
VARIABLES = {
    "PYTHONHASHSEED": "0",  # strings hash alike in every run, so that a check repeated gives the same
    "PYTHONIOENCODING": "utf-8:backslashreplace",
    "OPENBLAS_NUM_THREADS": "1",  # threads take memory
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}
OVERTIME = getattr(signal, "SIGPROF", 0)  # ends whoever has computed for too long
NOT_RUN = Result("not run")
MORE_RESULTS = "The function sends results of its own beside what it returns. Let it return a value, and no more."


@dataclass(frozen=True)
class Limits:
    """What one run may use. `steps` is for runs in this process only.

    seconds: for which it may compute, wherever the system counts that, and it may take four times as long; else for
    which it may run. They begin when the process is ready.
    """

    seconds: float = 5.0
    memory: int = 512 * 2**20  # bytes of address space
    output: int = 5_000_000  # characters printed
    steps: int = 1_000_000  # lines of Python


@dataclass(frozen=True)
class Run:
    """What came of a run: one Result a case, what was printed, and a message in plain words.

    outcome: "ok" if every case gave a value; else "invalid" (not a function that could be called so, or one that sends
    results of its own), "protocol" (the process did not start, or was ended from outside), or the outcome of the first
    case that gave no value: "error", "unusable", "timeout", "memory", "output", "exit".
    """

    outcome: Literal["ok", "invalid", Outcome]
    results: list[Result] = field(default_factory=list)
    printed: str = ""
    message: str = ""

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
    ('hugs', 'error', 'IndexError: `list index out of range` (line 2: `return sorted(words, key=len)[-1]`)')
    """
    argument_lists = [tuple(case) for case in cases]
    encoded = [json.dumps([encode(argument) for argument in case]) for case in argument_lists]
    if complaint := _complaint(function, argument_lists):
        return Run("invalid", message=complaint)
    try:
        call = _run_here if here or not CAN_START_PROCESSES else _run_there
        return call(function, encoded, limits)
    except Unusable as error:
        return Run("invalid", message=str(error))
    except OSError as error:
        return Run("protocol", message=f"No process could be started to run the function: {error}.")


def environment(home: str) -> dict[str, str]:
    """A short environment for a process whose home is this folder."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return kept | VARIABLES | dict.fromkeys(HOMES, home)


def kill(process: subprocess.Popen) -> None:
    """End a process that was started in a session of its own, with its whole group, which may be left of it."""
    with suppress(OSError):  # all of it has ended
        if os.name != "posix":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _complaint(function: object, cases: list[tuple]) -> str:
    """Why this cannot be called with these cases; "" if it can."""
    if not callable(function):
        return (
            f"This is {with_article(type(function).__name__)}, not a function. Give the function itself, by its "
            "name and without parentheses after it."
        )
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
            count = counted(len(case), "argument")
            return f"The function must take {count}, but it is declared as {declared}: {error}."
    return ""


# ------------------------------------------------------------------------------------------------ in another process


def _run_there(function: Callable, cases: list[str], limits: Limits) -> Run:
    file = file_of(function)
    path = [os.path.realpath(entry) for entry in sys.path]
    cpu = int(2 * limits.seconds) + 5  # if whoever started the process is gone by then
    enforced = {**FILES, "AS": limits.memory, "CPU": cpu}
    task = pickle.dumps(
        (pickled(function), file, cases, limits.seconds, limits.output, enforced, path)
    )
    with (
        tempfile.TemporaryDirectory(prefix="subword-lab-", ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile() as told,  # whose size is limited, as that of a pipe is not
        tempfile.TemporaryFile() as output,
        subprocess.Popen(
            [sys.executable, "-P", *PYTHON, "-S", Path(child.__file__).with_name("start.py")],
            stdin=subprocess.PIPE,
            stdout=told,
            stderr=output,
            cwd=folder,
            env=environment(folder),
            start_new_session=True,
        ) as process,
    ):
        try:
            # It ends itself in time, unless somebody has seen to it that it does not.
            with suppress(subprocess.TimeoutExpired):
                process.communicate(task, STARTUP_SECONDS + child.WAITING * limits.seconds)
        finally:
            kill(process)
        process.wait()
        told.seek(0)
        output.seek(0)
        said, printed = told.read(), output.read()
    shown = printed.decode("utf-8", "replace")
    if not said.startswith(child.READY):
        last = shown.strip().rpartition("\n")[2][:300]
        raise OSError(last or "Python ended at once, or did not begin")
    results, text = _read(said.removeprefix(child.READY))
    if len(results) > len(cases):
        return Run("invalid", message=MORE_RESULTS)
    if len(results) < len(cases):
        results.append(_last(text, process.returncode, file, limits))
    results += [NOT_RUN] * (len(cases) - len(results))
    return _summary(function, results, shown, limits, f"{limits.seconds:g} seconds")


def _read(said: bytes) -> tuple[list[Result], str]:
    """The results that the process wrote, a line each, and what else stands between them."""
    results, rest = [], []
    for line in said.decode("utf-8", "replace").splitlines():
        try:
            fields = json.loads(line)
            results.append(Result(**{**fields, "value": decode(fields["value"])}))
        except (ValueError, TypeError):
            rest.append(line)
    return results, "\n".join(rest)


def _last(text: str, code: int, file: str | None, limits: Limits) -> Result:
    """The result of the case in which the process ended. text: what Python said of it."""
    places = re.findall(r'^  File "(.*)", line (\d+) in ', text, re.MULTILINE)
    line = next((int(number) for name, number in places if name == file), None)
    if code < 0 and -code == OVERTIME:
        return Result("timeout", line=line)
    if text.startswith("Timeout"):  # nearly all of which it waited
        longest = child.WAITING if OVERTIME else 1
        return Result("timeout", message=f"{longest * limits.seconds:g} seconds", line=line)
    if code == child.OUT_OF_MEMORY:
        return Result("memory", line=line)
    if code < 0:
        name = signal.Signals(-code).name
        outcome: Outcome = "protocol" if name == "SIGKILL" else "exit"  # else Python itself crashed
        return Result(outcome, error=name, line=line)
    return Result("exit", message=f"code {code}", line=line)


# --------------------------------------------------------------------------------------------------- in this process


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

    def watched(*arguments: object) -> object:
        sys.settrace(trace)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)

    with redirect_stdout(printed), redirect_stderr(printed):
        for case in cases:
            if left < 0:
                results.append(NOT_RUN)
                continue
            result = child.answer(watched, case, file_of(function))
            results.append(Result("timeout", line=result.line) if left < 0 else result)
    return _summary(function, results, printed.getvalue(), limits, f"{limits.steps:,} steps")


# ---------------------------------------------------------------------------------------------------- what came of it


def _summary(
    function: Callable,
    results: Sequence[Result],
    printed: str,
    limits: Limits,
    longest: str,
) -> Run:
    """The Run with these results. longest: the limit on time, in words."""
    explained = [_explained(result, file_of(function), limits, longest) for result in results]
    printed = printed[:PRINTED] + " ..." * (len(printed) > PRINTED)
    for result in explained:
        if result.outcome != "value":
            return Run(result.outcome, explained, printed, result.explanation)
    message = ""
    if explained and all(result.value is None for result in explained):
        message = (
            "The function returned None; but it printed something: return it instead"
            if printed.strip()
            else "The function returned None; is a return missing?"
        )
    return Run("ok", explained, printed, message)


def _explained(result: Result, file: str | None, limits: Limits, longest: str) -> Result:
    """The result with the line of code in which it ended, and what happened, in words (Markdown)."""
    if result.outcome in ("value", "not run"):
        return result
    line = linecache.getline(file, result.line).strip() if file and result.line else ""
    where = f" (line {result.line}{': ' + code(line) if line else ''})" if result.line else ""
    what = result.error + (f": {code(result.message)}" if result.message else "")
    ended = (
        f"Python itself crashed{where} ({result.error})."
        if result.error.startswith("SIG")
        else f"The function ended its process{where} ({what}). Let it return a value instead."
    )
    by_outcome = {
        "timeout": f"The function was still running after {result.message or longest}{where}. "
        "Is there a loop that never ends?",
        "memory": f"The function needed more than {limits.memory // 2**20} MB of memory{where}. "
        "Is there a list that never stops growing?",
        "output": f"The function printed more than {limits.output / 1e6:g} MB{where}.",
        "exit": ended,
        "unusable": f"The function returned {result.message}.",
        "protocol": "The process in which the function ran was ended from outside.",
    }
    by_error = {
        "OwnCode": f"This exercise asks for code of your own: {result.message} is not possible here.",
        "RecursionError": f"RecursionError: the function calls itself again and again, without end{where}.",
        "EOFError": f"The function waits for input(), and nobody is there to type{where}. Use its arguments instead.",
    }
    explanation = by_outcome.get(result.outcome) or by_error.get(result.error) or f"{what}{where}"
    return replace(result, explanation=explanation)
