"""Run a learner's function in a fresh process, and say what came of it.

The function travels there by value (cloudpickle), with the helper functions of its notebook; the values that it
returns travel back as JSON. The process never sees an answer: whoever asked compares. So there is nothing to be gained
by forging what is sent back, by an object that claims to equal everything, or by patching whatever compares.

This protects from accidents, and from the tricks that are easy in Python:
- time: the process and all it started are killed, not asked; memory, size and number of files: set as limits of the
  operating system, on Linux and, but for memory, on macOS;
- no file is changed but in an empty temporary folder; no network; no other process is started or signaled; the
  package itself cannot be imported or read, unless the exercise allows it: an audit hook refuses;
- environment variables are not passed on; strings hash alike in every run, so that a check repeated gives the same.

It does not protect from somebody who is determined: code in C can go around an audit hook; files outside the
package can be read; macOS does not enforce the limit on memory, and Windows enforces only that on time; a process that
was started by a trick and hides from its own environment is not found. The work of strangers belongs in a sandbox.

Where no process can be started (a notebook that runs in the browser), the function runs in this process, with a limit
on the number of steps and none of the above; `Run.isolated` is then False.
"""
from __future__ import annotations

import contextlib
import inspect
import io
import json
import linecache
import os
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from . import function_child
from .function_child import OwnCode, decode, encode, is_closed, text_of, with_article

CAN_START_PROCESSES = sys.platform not in ("emscripten", "wasi") and bool(sys.executable)
STARTUP_SECONDS = 30.0                          # for the process to start, which costs the learner's limit nothing
GRACE_SECONDS = 1.0                             # for the process to say where it hangs, before it is killed
LARGEST_FUNCTION = 20_000_000                   # bytes, with all that it refers to
PACKAGE = Path(__file__).resolve().parent.parent
MARK = "SUBWORD_LAB_RUN"                        # the environment variable by which a run's processes are found
_one_at_a_time = threading.Lock()               # what cloudpickle is told holds for the whole process
KEPT_VARIABLES = ("SYSTEMROOT", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")          # Python may need them


@dataclass(frozen=True)
class Limits:
    """What one run may use. The time starts when the process is ready; `steps` is for runs in this process only."""
    seconds: float = 5.0
    memory: int = 512 * 2**20                   # bytes of address space
    output: int = 5_000_000                     # bytes printed, and bytes of values returned
    printed: int = 2_000                        # characters of what was printed that are kept to be shown
    file_size: int = 10_000_000                 # bytes
    open_files: int = 64                        # at once; also how many may be opened for writing in all
    steps: int = 1_000_000                      # lines of Python


@dataclass(frozen=True)
class Result:
    """What came of one case.

    outcome: "value" (see `value`; None if nothing was returned), "unusable" (what was returned is no plain value),
    "error", "memory" or "exit" (an exception: `error` is its type, `message` its text), "timeout", "output",
    "protocol", or "not run", because the run had ended before. `line` counts in the cell or file of the function, and
    `code` is what stands there.
    """
    outcome: str
    value: object = None
    error: str = ""
    message: str = ""
    line: int | None = None
    code: str = ""
    mutated: bool = False                       # the function changed its arguments


@dataclass(frozen=True)
class Run:
    """What came of a run: one Result a case, what was printed, and a message in plain words.

    outcome: "ok" if every case gave a value; else "invalid" (not a function that could be called so, and nothing was
    run), "protocol" (the process did not start, or stopped answering), "output" (it printed or returned too much), or
    the outcome of the first case that gave no value: "error", "unusable", "timeout", "memory", "exit".
    """
    outcome: str
    results: list[Result] = field(default_factory=list)
    printed: str = ""
    message: str = ""
    seconds: float = field(default=0.0, repr=False)
    isolated: bool = True

    @property
    def failed(self) -> int | None:
        """The number of the first case that gave no value, from 0; None if all did, or none was run."""
        return next((number for number, result in enumerate(self.results) if result.outcome != "value"), None)

    @property
    def mutated(self) -> bool:
        """Whether the function changed its arguments in any case."""
        return any(result.mutated for result in self.results)


def run(function: Callable, cases: Iterable[Sequence], *, limits: Limits = Limits(), allow: Sequence[str] = (),
        here: bool = False) -> Run:
    """Call `function(*case)` for every case, each with arguments of its own, in a process that is gone afterwards.

    function: the learner's. cases: tuples of arguments, made of numbers, strings, bytes, fractions, lists, tuples, sets
    and dictionaries; anything else in them is a ValueError, while all that is wrong with the function is told in the
    Run. allow: ("subword_lab",) if the function may use this package; the exercises stay closed to it all the same.
    here: run it in this process, which is for functions of our own.

    >>> def fullest(words):
    ...     return max(words, key=len)
    >>> outcome = run(fullest, [(["hug", "hugs"],), ([],)])
    >>> outcome.results[0].value, outcome.outcome, outcome.message
    ('hugs', 'error', 'ValueError: max() arg is an empty sequence (line 2: return max(words, key=len))')
    """
    started = time.monotonic()
    cases = [tuple(case) for case in cases]
    encoded = [_case(case) for case in cases]
    complaint = _complaint(function, cases)
    if complaint:
        return Run("invalid", message=complaint)
    if here or not CAN_START_PROCESSES:
        return _run_here(function, encoded, limits, started)
    try:
        pickled = _pickled(function, allow)
    except OwnCode as error:
        refused = Result("error", error="OwnCode", message=str(error))
        return _run([refused], len(cases), function, b"", limits, started)
    except KeyboardInterrupt:
        raise
    except BaseException as error:              # whatever an object says that does not want to be pickled
        return Run("invalid", message=_cannot_travel(function, error, allow))
    return _run_there(function, pickled, encoded, limits, allow, started)


def _case(case: tuple) -> str:
    try:
        return json.dumps([encode(argument) for argument in case])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"cases holds a value which cannot be sent: {error}") from None


# ----------------------------------------------------------------------------------------------- before anything is run

def _complaint(function: object, cases: list[tuple]) -> str:
    """Why this cannot be called with these cases; "" if it can."""
    if isinstance(function, type):
        return f"This is the class {function.__name__}; give a function."
    if not callable(function):
        return (f"This is {with_article(type(function).__name__)}, not a function. Give the function itself, by its "
                "name and without brackets behind it.")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "The function is declared with async; declare it with a plain def."
    if inspect.isgeneratorfunction(function):
        return "The function contains yield, which makes it a generator; collect the result and return it."
    try:
        signature = inspect.signature(function)
    except Exception:                           # some built-in functions do not tell
        return ""
    for case in cases:
        try:
            signature.bind(*case)
        except TypeError as error:
            count = f"{len(case)} argument{'s' * (len(case) != 1)}"
            return f"The function must take {count}, but it is declared as {_declared(function, signature)}: {error}."
    return ""


def _declared(function: Callable, signature: inspect.Signature) -> str:
    parameters = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    return f"{getattr(function, '__name__', 'function')}{inspect.Signature(parameters)}"


def _pickled(function: Callable, allow: Sequence[str]) -> bytes:
    """The function, with the helpers and values of its notebook or file, as bytes that another process can read."""
    import functools

    import cloudpickle

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, thing):
            _check_own(thing, allow)
            if isinstance(thing, functools._lru_cache_wrapper):         # which would be looked up by its name
                parameters = thing.cache_parameters()
                return functools._lru_cache_wrapper, (thing.__wrapped__, parameters["maxsize"], parameters["typed"],
                                                      functools._CacheInfo)
            reduced = super().reducer_override(thing)
            if isinstance(thing, types.FunctionType) and isinstance(reduced, tuple) and len(reduced) == 6:
                variables, slots = reduced[2]                           # annotations may name anything, and do nothing
                reduced = (*reduced[:2], (variables, {**slots, "__annotations__": {}}), *reduced[3:])
            return reduced

    data = io.BytesIO()
    with _by_value(sys.modules.get(getattr(_innermost(function), "__module__", None)), cloudpickle):
        Pickler(data).dump(function)
    if data.tell() > LARGEST_FUNCTION:
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
def _by_value(module: types.ModuleType | None, cloudpickle):
    """For as long as this lasts, the functions of a learner's own file travel whole, as a notebook's do."""
    with _one_at_a_time:
        if not _is_learners(module) or module.__name__ in cloudpickle.list_registry_pickle_by_value():
            yield
            return
        cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            cloudpickle.unregister_pickle_by_value(module)


def _is_learners(module: types.ModuleType | None) -> bool:
    """Whether this is a file of the learner's: not the notebook itself, and not from a library or this package."""
    file = getattr(module, "__file__", None)
    return bool(file) and module.__name__ != "__main__" and "site-packages" not in file and not any(
        Path(file).is_relative_to(folder) for folder in (Path(os.__file__).parent, PACKAGE))


def _cannot_travel(function: Callable, error: BaseException, allow: Sequence[str]) -> str:
    names = inspect.getclosurevars(_innermost(function)) if _file(function) else None
    used = {**names.globals, **names.nonlocals} if names else {}
    culprit = next((f"`{name}`" for name, value in used.items() if not _can_travel(value, allow)), "something")
    return (f"The function is checked in a process of its own, and {culprit}, which it uses, cannot be taken there "
            f"({type(error).__name__}: {text_of(error):.200}). Pass what it needs as an argument, or make it inside.")


def _can_travel(value: object, allow: Sequence[str]) -> bool:
    try:
        return bool(_pickled(value, allow))
    except BaseException:
        return False


# ------------------------------------------------------------------------------------------------------ another process

def _run_there(function: Callable, pickled: bytes, cases: list[str], limits: Limits, allow, started: float) -> Run:
    mark = secrets.token_hex(16)
    try:
        with _folder() as folder:
            job = {"mark": mark, "cases": cases, "file": _file(function), "folder": folder, "package": str(PACKAGE),
                   "path": [os.path.abspath(entry) for entry in sys.path], "allow": list(allow),
                   "limits": asdict(limits)}
            process = _start(json.dumps(job).encode("ascii") + b"\n" + pickled, folder, mark)
            said, printed, ended = _listen(process, mark, limits)
    except OSError as error:
        return Run("protocol", message=f"No process could be started to run the function: {error}.")
    results, text = _understood(said, mark)
    if not said.startswith(_line(mark, "ready")):
        results = [Result("protocol")]
    elif ended != "done":
        results = [*results[:len(cases)], _how_it_ended(ended, process.returncode, text, _file(function))]
    elif len(results) < len(cases) and all(result.outcome == "value" for result in results):
        results.append(Result("protocol"))      # "done" was said too early
    return _run(results, len(cases), function, printed, limits, started)


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="subword-lab-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(job: bytes, folder: str, mark: str) -> subprocess.Popen:
    """A bare Python: no site-packages to look through, no environment but what it needs to start."""
    command = [sys.executable, "-S", "-s", "-P", "-B", "-u", "-X", "utf8", function_child.__file__]
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    environment |= {MARK: mark, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8:backslashreplace",
                    "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1",           # each thread would take memory
                    "HOME": folder, "TMPDIR": folder, "TEMP": folder, "TMP": folder}
    with tempfile.TemporaryFile() as task:
        task.write(job)
        task.seek(0)
        return subprocess.Popen(command, stdin=task, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                                env=environment, start_new_session=True)


def _listen(process: subprocess.Popen, mark: str, limits: Limits) -> tuple[bytes, bytes, str]:
    """What the process said, what it printed, and how it ended: "done", "gone", "timeout" or "output".

    When this returns, the process and what it started have been killed.
    """
    said, printed = bytearray(), bytearray()
    news: queue.SimpleQueue = queue.SimpleQueue()
    pumps = [threading.Thread(target=_pump, args=(pipe, buffer, news), daemon=True)
             for pipe, buffer in ((process.stdout, said), (process.stderr, printed))]
    try:
        for pump in pumps:
            pump.start()
        ended = _wait(news, said, mark, limits)
    finally:
        end(process, mark, pumps)
    while not news.empty():
        buffer, data = news.get()
        if buffer is printed and len(printed) <= limits.output:
            printed += data
    return bytes(said), bytes(printed), ended


def _pump(pipe, buffer: bytearray, news: queue.SimpleQueue) -> None:
    with pipe:
        while data := pipe.read1(65536):
            news.put((buffer, data))
    news.put((buffer, b""))


def _wait(news: queue.SimpleQueue, said: bytearray, mark: str, limits: Limits) -> str:
    """Fill the buffers with what comes, until the run is at its end; the word for it."""
    ready, done = _line(mark, "ready"), _line(mark, "done")
    started, deadline = False, time.monotonic() + STARTUP_SECONDS
    while True:
        try:
            buffer, data = news.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return "timeout"
        buffer += data
        if not started and said.startswith(ready):
            started, deadline = True, time.monotonic() + limits.seconds + GRACE_SECONDS
        if buffer is said and not data:
            return "gone"
        if len(buffer) > limits.output:
            return "output"
        if said.endswith(done):
            return "done"


def end(process: subprocess.Popen, mark: str, pumps: list[threading.Thread]) -> None:
    """Kill the process, its group and, on Linux, whatever else still bears the mark of this run."""
    with contextlib.suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for _ in range(20):
        escaped = _marked_processes(mark)
        for number in escaped:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        for pump in pumps:
            if pump.is_alive():
                pump.join(0.05)                 # it ends when nobody holds its pipe any more
        if not escaped and not any(pump.is_alive() for pump in pumps):
            return


def _marked_processes(mark: str) -> list[int]:
    """The processes in whose environment the mark stands; none but on Linux."""
    found, needle = [], f"{MARK}={mark}".encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if needle in environment.read():
                    found.append(int(name))
    return found


# ------------------------------------------------------------------------------------------------------ what came of it

def _line(mark: str, message: object) -> bytes:
    return f"{mark}{json.dumps(message)}\n".encode("ascii")


def _understood(said: bytes, mark: str) -> tuple[list[Result], str]:
    """The results, on the lines that bear the mark; and the rest: what Python said when it hung or crashed."""
    results, rest = [], []
    for line in said.decode("ascii", "replace").split("\n")[:-1]:               # what follows the last was cut off
        if not line.startswith(mark):
            rest.append(line)
        elif (message := _loaded(line.removeprefix(mark))) not in ("ready", "done"):
            results.append(message)
    return results, "\n".join(rest)


def _loaded(line: str) -> Result | str:
    try:
        message = json.loads(line)
        if message in ("ready", "done"):
            return message
        result = Result(**{**message, "value": decode(message.get("value"))})
        texts = (result.outcome, result.error, result.message)
        if all(isinstance(text, str) for text in texts) and isinstance(result.line, (int, type(None))):
            return result
    except Exception:                           # cut off, or forged: in any case not what `runner_child` sends
        pass
    return Result("protocol")


def _how_it_ended(ended: str, code: int, text: str, file: str | None) -> Result:
    """The result of the case in which the run ended, where it did not come to its end."""
    places = re.findall(r'^  File "(.*)", line (\d+) in ', text, re.MULTILINE)
    line = next((int(number) for place, number in places if place == file), None)
    if ended in ("timeout", "output"):
        return Result(ended, line=line)
    if text.startswith("Timeout") or code == -getattr(signal, "SIGXCPU", 0):
        return Result("timeout", line=line)
    if code == function_child.MEMORY:
        return Result("memory", line=line)
    if code in (function_child.LOST, -getattr(signal, "SIGKILL", 0)):
        return Result("protocol", line=line)
    with contextlib.suppress(ValueError):       # Python itself crashed, or the process ended itself
        return Result("exit", error=signal.Signals(-code).name, line=line)
    return Result("exit", message=f"code {code}", line=line)


def _run(results: list[Result], count: int, function: Callable, printed: bytes, limits: Limits, started: float, *,
         isolated: bool = True) -> Run:
    """Put the Run together from the results that came, of `count` that were asked for."""
    file = _file(function)
    results = [replace(result, code=linecache.getline(file, result.line).strip()) if file and result.line else result
               for result in results[:max(count, 1)]]
    results += [Result("not run")] * (count - len(results))
    worst = next((result for result in results if result.outcome != "value"), None)
    text = printed.decode("utf-8", "replace")
    text = text if len(text) <= limits.printed else text[:limits.printed] + " ..."
    message = _message(worst, limits, isolated) if worst else _message_of_none(results, text)
    return Run(worst.outcome if worst else "ok", results, text, message, time.monotonic() - started, isolated)


def _message(result: Result, limits: Limits, isolated: bool) -> str:
    """What happened, in plain words, and what to look at."""
    where = f" (line {result.line}{': ' * bool(result.code)}{result.code})" if result.line else ""
    what = ": ".join(filter(None, (result.error, result.message)))
    if result.outcome == "timeout":
        limit = f"{limits.seconds:g} seconds" if isolated else f"{limits.steps} steps"
        return f"The function was still running after {limit}{where}. Is there a loop that never ends?"
    if result.outcome == "memory":
        return (f"The function needed more than {limits.memory // 2**20} MB of memory{where}. "
                "Is there a list that never stops growing?")
    if result.outcome == "output":
        return f"The function printed or returned more than {limits.output / 1e6:g} MB{where}."
    if result.outcome == "exit" and result.error.startswith("SIG"):
        return f"Python itself crashed{where} ({result.error})."
    if result.outcome == "exit":
        return f"The function ended its process{where} ({what}). Let it return a value instead."
    if result.outcome == "unusable":
        return f"The function returned {result.message}."
    if result.outcome == "protocol":
        return "The process in which the function ran stopped answering, or was ended from outside."
    if result.error in ("OwnCode", "ClosedFile"):
        return f"This exercise asks for code of your own: {result.message} is not possible here."
    if result.error == "NotAllowed":
        return f"While it is checked, the function may not do this: {result.message}{where}."
    if result.error == "RecursionError":
        return f"RecursionError: the function calls itself again and again, without end{where}."
    if result.error == "EOFError":
        return f"The function waits for input(), and nobody is there to type{where}. Use its arguments instead."
    return f"{what}{where}"


def _message_of_none(results: list[Result], printed: str) -> str:
    if not results or any(result.value is not None for result in results):
        return ""
    instead = " but it printed something: return it instead" if printed.strip() else " is a return missing?"
    return f"The function returned None;{instead}"


def _file(function: Callable) -> str | None:
    """Where the learner's code stands, as its code object says: a file, or the name of a notebook's cell."""
    return getattr(getattr(_innermost(function), "__code__", None), "co_filename", None)


def _innermost(function: Callable) -> Callable:
    """The function that was written, under a cache, a `functools.partial` or another wrapper."""
    return inspect.unwrap(getattr(function, "func", function))


# ------------------------------------------------------------------------------------------------------ in this process

class _OutOfSteps(BaseException):
    """Raised inside the learner's function; no `except Exception` stops it."""


def _run_here(function: Callable, cases: list[str], limits: Limits, started: float) -> Run:
    left, before = limits.steps, sys.gettrace()

    def trace(frame, event, argument):
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise _OutOfSteps
        return trace

    results, printed = [], io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        for case in cases:
            sys.settrace(trace)
            try:
                message = function_child.answer(function, case, _file(function))
            except _OutOfSteps:
                message = {"outcome": "timeout"}
            finally:
                sys.settrace(before)
            result = Result(**{**message, "value": decode(message.get("value"))})
            results.append(replace(result, outcome="timeout") if left < 0 else result)
            if left < 0:
                break
    return _run(results, len(cases), function, printed.getvalue().encode("utf-8", "replace"), limits, started,
                isolated=False)
