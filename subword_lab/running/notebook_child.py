"""What runs inside the sandbox: a notebook's cells, one after another, whose answers are handed to the grader outside.

`session` starts this file as a script. It knows the exercises, as every learner's installation does, but it judges
nothing: a value is passed on as it is, and a function is called, in a process of its own (see `exercises.runner`), with
the inputs that the grader sends. So whatever a notebook does to this process, it can only change its own answers.

A cell is run as a notebook would run it, but nothing is shown, what is printed is dropped, and lines for IPython
(`%matplotlib`, `!pip`, `help?`) are left out. A cell that fails or takes too long does not keep the next from running.
"""
from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import json
import linecache
import os
import re
import signal
import sys
import types
from collections.abc import Callable
from contextlib import contextmanager, suppress

LONGEST_ANSWER = 20_000                         # characters of an answer in JSON
OTHER_LANGUAGES = ("%%bash", "%%sh", "%%script", "%%html", "%%javascript", "%%js", "%%latex", "%%markdown", "%%svg",
                   "%%perl", "%%ruby", "%%cmd", "%%writefile", "%%file")


class CellTimeout(BaseException):
    """The time for a cell is over; no `except Exception` stops it."""


# ------------------------------------------------------------------------------------------------------- running a cell

def run_cell(source: str, name: str, names: dict) -> None:
    """Run a cell's code in the notebook's namespace; what it raises gets out."""
    source = plain(source)
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)          # for inspect and tracebacks
    code = compile(source, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    result = eval(code, names)
    if inspect.iscoroutine(result):
        asyncio.run(result)


def plain(source: str) -> str:
    """A cell's code without the lines that only IPython understands.

    >>> plain("%matplotlib inline\\nx = 1\\n!ls"), plain("%%time\\nx = 7 % 2"), plain("%%bash\\nls")
    ('pass\\nx = 1\\npass', 'pass\\nx = 7 % 2', '')
    """
    try:
        compile(source, "cell", "exec", flags=ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return source
    except (SyntaxError, ValueError):
        if source.lstrip().startswith(OTHER_LANGUAGES):
            return ""
        return re.sub(r"^([ \t]*)(?:[%!?].*|[\w.]+\?\??[ \t]*)$", r"\1pass", source, flags=re.M)


class _Shell:
    """In place of IPython's: whatever is asked of it, it does nothing."""

    def __getattr__(self, name):
        return lambda *_, **__: None


def _namespace() -> dict:
    """A fresh `__main__`, as a kernel has it."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__.update(__builtins__=builtins, get_ipython=_Shell, display=lambda *_, **__: None)
    return module.__dict__


@contextmanager
def _at_most(seconds: float):
    """CellTimeout after so many seconds, and again every second, where the system has such an alarm."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise CellTimeout(f"still running after {seconds:g} seconds")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def _clock_stopped():
    """Time in which the grader works does not count."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if interval:
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.01), interval)


# ---------------------------------------------------------------------------------------------------------- the answers

class Answers:
    """Takes each answer that the notebook gives to `ex.check(...)`, and passes it on.

    send: passes a message to the grader. receive: waits for one from there.
    """

    def __init__(self, send: Callable[[dict], None], receive: Callable[[], dict]):
        from subword_lab.exercises import Feedback
        from subword_lab.exercises import instance as core
        from subword_lab.running import function as runner
        from subword_lab.running import function_child as runner_child

        self.send, self.receive, self.cell = send, receive, 0
        self.Feedback = Feedback
        self.runner, self.runner_child = runner, runner_child
        core.hand_answers_to(self.take)

    def take(self, ex, answer: object):
        """One answer to one exercise."""
        about = {"exercise": ex.id, "seed": ex.seed, "learner": ex.learner, "turn": ex.turn, "cell": self.cell}
        with _clock_stopped():
            if ex.kind.is_untouched(answer):
                self.send({"is": "untouched", **about})
            elif callable(answer):
                self.send({"is": "function", **about})
                self.serve(answer)
            else:
                self.send({"is": "value", **about, **self.encoded(answer)})
        return self.Feedback("not attempted", 0.0, "Handed in.", exercise=ex.id)

    def encoded(self, answer: object) -> dict:
        try:
            value = self.runner_child.encode(answer)
            if len(json.dumps(value)) > LONGEST_ANSWER:
                raise ValueError("far too long")
        except Exception as error:
            return {"unusable": self.runner_child.text_of(error)[:200]}
        return {"value": value}

    def serve(self, function: Callable) -> None:
        """Call a function as often as the grader asks for it."""
        while request := self.receive():
            cases = self.runner_child.decode(request["cases"])
            run = self.runner.run(function, cases, limits=self.runner.Limits(**request["limits"]),
                                  allow=request["allow"])
            results = [{**vars(result), "value": self.runner_child.encode(result.value)} for result in run.results]
            self.send({"is": "run", "outcome": run.outcome, "message": run.message, "printed": run.printed,
                       "results": results})


# -------------------------------------------------------------------------------------------------------------- the run

def main() -> None:
    """Read the job, run the cells, and end at once, whatever else still runs here."""
    channel, source, me = os.dup(1), os.fdopen(os.dup(0), "rb"), os.getpid()
    job = json.loads(source.readline())
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    sys.path[:0] = [job["package"]]
    sys.path += [entry for entry in job["libraries"] if entry not in sys.path]
    end, write = os._exit, os.write

    def send(message: dict) -> None:
        if os.getpid() != me:                   # a copy of this process, which a cell has made
            end(0)
        data = json.dumps(message).encode("ascii") + b"\n"
        while data:
            data = data[write(channel, data):]

    def receive() -> dict:
        return json.loads(source.readline() or b"{}")

    _set_limits(job["limits"])
    from subword_lab.exercises import catalog

    with suppress(Exception):                   # an instructor's file with an error: then its exercises are not found
        catalog()                               # before any cell's time runs
    answers = Answers(send, receive)
    text_of = answers.runner_child.text_of
    sys.path.insert(0, "")                      # as a kernel has it: the folder in which it runs
    names = _namespace()
    send({"is": "ready"})
    for number, cell in enumerate(job["cells"], 1):
        answers.cell = number
        send({"is": "cell", "cell": number})
        try:
            with _at_most(job["cell_seconds"]):
                run_cell(cell, f"<cell {number}>", names)
        except BaseException as error:
            if os.getpid() == me:
                send({"is": "failed", "cell": number, "error": type(error).__name__, "message": text_of(error)[:300]})
    send({"is": "done"})
    end(0)


def _set_limits(limits: dict) -> None:
    try:
        import resource
    except ImportError:                         # Windows
        return
    for name, value in limits.items():
        try:
            hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        except (AttributeError, ValueError, OSError):           # a system without this limit
            continue


if __name__ == "__main__":
    main()
