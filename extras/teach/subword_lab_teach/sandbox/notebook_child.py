"""What runs in the process of a notebook: its cells, one after another, whose answers are handed to whoever runs it.

Nothing is judged here, where a learner's code may do whatever it likes: a value is passed on as it is, and a function
is called, in a process of its own, with the inputs that are sent from outside. So whatever a notebook does to this
process, it can only change its own answers; and of an `Answer` that comes from here nothing is true but its form.

A cell is run as a notebook would run it, but nothing is shown, what is printed is dropped, and lines for IPython
(`%matplotlib`, `!pip`, `help?`) do nothing. A cell that fails or takes too long does not keep the next from running.
"""

import ast
import asyncio
import builtins
import inspect
import json
import linecache
import math
import os
import shlex
import signal
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import IO, Literal

from subword_lab import (
    bpe,
    compression,
    documented,
    exercises,
    lattice,
    running,
    text,
    unigram,
    wordpiece,
)
from subword_lab.exercises import Feedback, Instance, instance
from subword_lab.running.child import set_limits
from subword_lab.running.values import encode, text_of

from .messages import DONE, READY, from_json, to_json

LONGEST = 20_000  # characters of an answer in JSON
NAMES = {  # what lessons import: a cell that was deleted by mistake costs nothing
    "load": exercises.load,
    "course": exercises.course,
    "Counter": Counter,
    "math": math,
    "Fraction": Fraction,
    **{
        module.__name__.rpartition(".")[2]: module
        for module in (bpe, compression, documented, exercises, lattice, text, unigram, wordpiece)
    },
}
LOOP = asyncio.Runner()  # the same for all cells
Form = Literal["value", "unusable", "function", "untouched"]

RUNS = ("time", "prun")  # lines and cells of IPython's that are Python code


@dataclass(frozen=True)
class Program:
    """What the process is to do. questions: the text of a file of questions, or "". limits: see `set_limits`.
    libraries: to import from, too.
    """

    cells: list[str]
    questions: str
    cell_seconds: float
    limits: dict
    libraries: list[str]


@dataclass(frozen=True)
class Cell:
    """A cell begins to run, or has raised an exception of this type; cells are counted from 1."""

    cell: int
    error: str = ""
    message: str = ""


@dataclass(frozen=True)
class Call:
    """The lent function is to be called on these cases; a Run is the reply."""

    cases: list[tuple]
    limits: running.Limits


@dataclass(frozen=True)
class Answer:
    """What the cell that is running answered to somebody's variant of an exercise.

    form: "value", "unusable" (no plain value; the value is what is wrong with it), "function" (one that is lent by the
    notebook for as long as it is not told to go on) or "untouched" (no answer yet).
    """

    exercise: str
    seed: int
    learner: str
    turn: int
    form: Form
    value: object = None


class CellTimeout(BaseException):
    """The time for a cell is over; no `except Exception` stops it."""


def sender(channel: int) -> Callable[[str], None]:
    """What writes lines to a channel, whatever is patched in this process afterwards."""
    write, leave, number, me = os.write, os._exit, os.getpid, os.getpid()

    def send(line: str) -> None:
        if number() != me:  # a copy of this process, which the notebook's code has made
            leave(0)
        data = f"{line}\n".encode("ascii")
        while data:
            data = data[write(channel, data) :]

    return send


@contextmanager
def clock(seconds: float) -> Iterator[None]:
    """For as long as this lasts the clock rings after so many seconds, and then every second; for 0 not at all."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, float(seconds > 0))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(left, 0.01) if interval else 0, interval)


class Outside:
    """Whoever runs the notebook: each answer that it gives to `ex.check(...)` is passed on to them.

    names: for the cells; beside NAMES every exercise, under the name that it has in its lesson.
    """

    def __init__(self, source: IO[bytes], send: Callable[[str], None]):
        self._source, self._send, self.names = source, send, dict[str, object](NAMES)
        with suppress(Exception):  # in an instructor's file: then it has no exercises
            self.names |= {(ex := exercises.load(id)).name: ex for id in exercises.ids()}
        instance.hand_answers_to(self.take)

    def tell(self, message: object) -> None:
        """Send a message: a dataclass of one of the kinds that a session expects."""
        with clock(0):  # half a line would be none
            self._send(to_json(message))

    def take(self, ex: Instance, answer: object) -> Feedback:
        """Pass one answer on; a function is called once, if that is asked for, outside of the cell's time."""
        with suppress(Exception):  # what is no code is told apart outside
            if "code" in ex.kind.proofs and not ex.kind.is_untouched(answer):
                (answer,) = ex.kind.readings(answer)  # written as a text, it is run here, too
        form, value = described(ex, answer)
        self.tell(Answer(ex.id, ex.seed, str(ex.learner), ex.turn, form, value))
        if form == "function" and callable(answer):
            with clock(0):
                if call := from_json(self._source.readline(), Call):  # or else it is not called
                    self.tell(running.run(answer, call.cases, limits=call.limits))
        return Feedback("not attempted", 0.0, "Handed in.", exercise=ex.id)


def described(ex: Instance, answer: object) -> tuple[Form, object]:
    """The form of an answer, and the value that goes with it."""
    try:
        if ex.kind.is_untouched(answer):
            return "untouched", None
        if callable(answer):
            return "function", None
        if len(json.dumps(encode(answer))) > LONGEST:
            return "unusable", "far too long"
    except Exception as error:
        return "unusable", text_of(error, 200)
    return "value", answer


def run_cell(source: str, name: str, names: dict) -> object:
    """Run a cell's code in the notebook's namespace: the value of a last expression. What it raises gets out."""
    if "IPython" in source:
        import IPython

        IPython.get_ipython = names["get_ipython"]
    source = plain(source)
    # For inspect and tracebacks.
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree = ast.parse(source, name)
    match tree.body:
        case [*before, ast.Expr(last)]:
            _run(ast.Module(before, []), name, names)
            value = _run(ast.Expression(last), name, names)
            return None if source.rstrip().endswith(";") else value  # as a kernel shows it
    return _run(tree, name, names)


def _run(tree: ast.Module | ast.Expression, name: str, names: dict) -> object:
    mode = "eval" if isinstance(tree, ast.Expression) else "exec"
    code = compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(code, names)
    return LOOP.run(value) if code.co_flags & inspect.CO_COROUTINE else value


def keep(value: object, number: int, names: dict) -> None:
    """Keep what a cell shows, as a kernel does, under its number and those of the two before.

    >>> keep("hug", 1, names := {"Out": {}}), keep("pug", 3, names)
    (None, None)
    >>> names["_"], names["__"], names["_1"], names["Out"]
    ('pug', 'hug', 'hug', {1: 'hug', 3: 'pug'})
    """
    if value is not None:
        names.update({"___": names.get("__"), "__": names.get("_"), "_": value})
        names["Out"][number] = names[f"_{number}"] = value


def plain(source: str) -> str:
    """A cell's code in Python alone: lines for IPython become calls of `get_ipython()`, as a kernel does it.

    >>> print(plain("text = '''\\nhug?\\n'''\\nfiles = !ls"), end="")
    text = '''
    hug?
    '''
    files = get_ipython().getoutput('ls')
    """
    try:
        compile(source, "cell", "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return source
    except (SyntaxError, ValueError):
        from IPython.core.inputtransformer2 import TransformerManager

        return TransformerManager().transform_cell(source)


def _nothing(*_: object, **__: object) -> None:
    """What becomes of all that is displayed, and of what IPython is asked for."""


class Shell:
    """What `get_ipython()` gives: it does nothing but run what is to be timed or captured, and write files.

    >>> Shell(names := {}).run_cell_magic("time", "", "x = 7")
    >>> names["x"]
    7
    """

    def __init__(self, names: dict):
        self._names = names

    def __getattr__(self, _: str) -> Callable:
        return _nothing

    def getoutput(self, _: str) -> list[str]:
        return []

    def run_line_magic(self, name: str, line: str) -> object:
        """The value of an expression; nothing for what is timed very often, or with options."""
        if name not in RUNS or line.startswith("-"):
            return None
        return run_cell(line, f"<%{name}>", self._names)

    def run_cell_magic(self, name: str, line: str, cell: str) -> object:
        """The value of a cell that is timed, as of a line."""
        if name in RUNS:
            return run_cell(cell, f"<%%{name}>", self._names)
        if name == "capture":
            with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as error:
                try:
                    run_cell(cell, "<%%capture>", self._names)
                finally:
                    captured = types.SimpleNamespace(
                        stdout=out.getvalue(), stderr=error.getvalue(), outputs=[], show=_nothing
                    )
                    self._names |= {word: captured for word in line.split() if word.isidentifier()}
        elif name == "timeit":  # which leaves no names
            run_cell(cell, "<%%timeit>", {**self._names})
        elif name in ("writefile", "file"):
            *options, path = shlex.split(line)
            mode = "a" if {*options} & {"-a", "--append"} else "w"
            with open(path, mode, encoding="utf-8") as file:
                file.write(cell)
        return None


def _namespace(names: dict) -> dict:
    """A fresh `__main__`, as a kernel has it, with these names in it."""
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    shell = Shell(vars(module))
    vars(module).update(
        names, __builtins__=builtins, get_ipython=lambda: shell, display=_nothing, Out={}
    )
    return vars(module)


def main() -> None:
    """Read the job, run the cells, and end at once, whatever else still runs here."""
    source, send, end = os.fdopen(os.dup(0), "rb"), sender(os.dup(1)), os._exit
    job = from_json(source.readline(), Program) or sys.exit()  # whoever started this is gone

    def ring(*_: object) -> None:
        raise CellTimeout(f"still running after {job.cell_seconds:g} seconds")

    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    sys.path += [entry for entry in job.libraries if entry not in sys.path]
    set_limits(job.limits)
    if job.questions:
        file = Path("questions.json").absolute()
        file.write_text(job.questions, encoding="utf-8")
        os.environ["SUBWORD_LAB_EXERCISES"] = str(file)
    outside = Outside(source, send)
    sys.path.insert(0, "")  # as a kernel has it: the folder in which it runs
    names = _namespace(outside.names)
    outside.tell(READY)
    count = 0  # of cells, as a kernel has it
    for number, cell in enumerate(job.cells, 1):
        outside.tell(Cell(number))
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, ring)
        count += bool(cell.strip())
        try:
            with clock(job.cell_seconds):
                keep(run_cell(cell, f"<cell {number}>", names), count, names)
        except BaseException as error:
            outside.tell(Cell(number, type(error).__name__, text_of(error)))
    outside.tell(DONE)
    end(0)


if __name__ == "__main__":
    main()
