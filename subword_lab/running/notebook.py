"""One notebook's run, seen from outside: its process is started, listened to, called back, and ended.

What comes from there is a claim, made of plain values, and nothing else. The process ends when its time is over, when
it sends too much, or when it and all that it started take too much memory or are too many.
"""
from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import function as runner
from . import sandbox
from .function import Limits, Result, Run
from .function_child import decode, encode

SECONDS = 120.0                                 # for a notebook
CELL_SHARE = 1 / 6                              # of that time for each of its cells
MEMORY = 2 * 2**30                              # bytes, of the process and all that it started
PROCESSES = 64                                  # at once
MOST_SENT, LONGEST_LINE = 50_000_000, 8_000_000                 # bytes
LIMITS = {"AS": MEMORY, "FSIZE": 50_000_000, "NOFILE": 256, "CORE": 0}
KEPT_VARIABLES = ("SYSTEMROOT", "PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LANG")


@dataclass(frozen=True)
class Settings:
    """How a notebook is run: with which seed and learner, for how long, and whether without the sandbox (`trust`)."""
    seed: int = 0
    learner: str = ""
    seconds: float = SECONDS
    trust: bool = False
    exercises_file: str = ""


class Session:
    """A running notebook. Iterate over its messages; in between, `run` calls the function that was just handed in.

    Afterwards `ended` says how it ended: "done", "gone" (by itself, or killed), "timeout", "flood", "processes" or
    "memory"; `said` holds what Python or bubblewrap said when it could not start.
    """

    def __init__(self, cells: Sequence[str], settings: Settings):
        self.ended, self.said, self.settings = "", b"", settings
        self._news: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._mark, self._home = secrets.token_hex(16), tempfile.mkdtemp(prefix="subword-lab-")
        self._over = threading.Event()
        self._deadline = time.monotonic() + settings.seconds
        limits = LIMITS if settings.trust else {**LIMITS, "NPROC": PROCESSES - 16}
        limits = {**limits, "CPU": int(settings.seconds) + 10}
        job = {"cells": list(cells), "cell_seconds": settings.seconds * CELL_SHARE, "limits": limits,
               "package": str(sandbox.PACKAGE.parent), "libraries": sandbox.libraries()}
        self._process = self._start()
        self._threads = [threading.Thread(target=work, daemon=True)
                         for work in (self._listen, self._hear_errors, self._watch)]
        for thread in self._threads:
            thread.start()
        self._tell(job)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_) -> None:
        """Kill whatever still runs."""
        self._over.set()
        runner.end(self._process, self._mark, self._threads)
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        shutil.rmtree(self._home, ignore_errors=True)

    def __iter__(self) -> Iterator[dict]:
        while (message := self._next()) is not None:
            if message.get("is") == "done":
                self.ended = "done"
                return
            yield message

    def run(self, cases: Sequence[tuple], *, limits: Limits, allow: Sequence[str] = ()) -> Run:
        """As `runner.run`: what came of each case, for the function that the notebook has just handed in."""
        self._tell({"cases": encode(list(cases)), "limits": asdict(limits), "allow": list(allow)})
        message = self._next() or {}
        return _run(message if message.get("is") == "run" else {}, len(cases))

    def finish_run(self) -> None:
        """Let the notebook go on after a function was called."""
        self._tell({})

    # ------------------------------------------------------------------------------------------------------ the process

    def _start(self) -> subprocess.Popen:
        settings = self.settings
        files = [settings.exercises_file] if settings.exercises_file else []
        home = self._home if settings.trust else sandbox.HOME
        command = [] if settings.trust else sandbox.bubblewrap(*files)
        command += [sys.executable, "-s", "-P", "-B", "-X", "utf8",
                    str(sandbox.PACKAGE / "running" / "notebook_child.py")]
        environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        environment |= {
            runner.MARK: self._mark, "HOME": home, "TMPDIR": home, "TEMP": home, "TMP": home, "MPLCONFIGDIR": home,
            "MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2",
            "PYTHONHASHSEED": "0", "SUBWORD_LAB_HOME": ":memory:", "SUBWORD_LAB_NO_WIDGETS": "1",
            "SUBWORD_LAB_SEED": str(settings.seed), "SUBWORD_LAB_LEARNER": settings.learner,
            "SUBWORD_LAB_EXERCISES": settings.exercises_file}
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                cwd=self._home, env=environment, start_new_session=True)

    def _tell(self, message: dict) -> None:
        """Send a message, without waiting until it is read."""
        data = json.dumps(message).encode("ascii") + b"\n"

        def write():
            with contextlib.suppress(OSError, ValueError):      # nobody there any more
                self._process.stdin.write(data)
                self._process.stdin.flush()

        if len(data) < 4096:
            write()
        else:
            threading.Thread(target=write, daemon=True).start()

    def _listen(self) -> None:
        received, line = 0, b""
        with self._process.stdout as pipe:
            while data := pipe.read1(65536):
                received += len(data)
                if received > MOST_SENT or len(line) > LONGEST_LINE:
                    self._stop("flood")
                    break
                *lines, line = (line + data).split(b"\n")
                for complete in lines:
                    self._news.put(complete)
        self._news.put(None)

    def _hear_errors(self) -> None:
        with self._process.stderr as pipe:
            while data := pipe.read1(65536):
                self.said = (self.said + data)[:4000]

    def _watch(self) -> None:
        """End the run when it takes too long or too much."""
        while not self._over.wait(0.1):
            count, memory = usage(self._process.pid)
            if time.monotonic() > self._deadline:
                self._stop("timeout")
            elif count > PROCESSES:
                self._stop("processes")
            elif memory > MEMORY:
                self._stop("memory")

    def _stop(self, reason: str) -> None:
        self.ended = self.ended or reason
        self._over.set()
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL) if os.name == "posix" else self._process.kill()
        self._news.put(None)                    # even if something that escaped holds the pipe

    def _next(self) -> dict | None:
        """The next message that makes sense; None when no more will come."""
        while (line := self._news.get()) is not None:
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(line)
                if isinstance(message, dict):
                    return message
        self.ended = self.ended or "gone"
        return None


def trial(settings: Settings) -> str:
    """Why no notebook can be run so on this machine; "" if it works."""
    with Session(["1 + 1"], settings) as session:
        for _ in session:
            pass
    if session.ended == "done":
        return ""
    return session.said.decode("utf-8", "replace").strip().rpartition("\n")[2][:300] or f"it ended ({session.ended})"


def usage(number: int) -> tuple[int, int]:
    """How many processes descend from this one, itself counted, and the memory that they occupy; Linux only."""
    count, memory, left = 0, 0, [number]
    while left:
        here = Path("/proc", str(left.pop()))
        with contextlib.suppress(OSError, ValueError, IndexError):
            memory += int((here / "statm").read_text().split()[1]) * _page()
            count += 1
            for task in os.listdir(here / "task"):
                left += map(int, (here / "task" / task / "children").read_text().split())
    return count, memory


def _page() -> int:
    return os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


def _run(message: dict, count: int) -> Run:
    """What the process says that came of a run; "protocol" for what makes no sense. Always as many results as cases."""
    try:
        results = [Result(str(told["outcome"])[:20], decode(told["value"]), str(told["error"])[:100],
                          str(told["message"])[:400], told["line"] if isinstance(told["line"], int) else None,
                          str(told["code"])[:200], told["mutated"] is True)
                   for told in message["results"][:count]]
        outcome, text, printed = (str(message[name])[:2000] for name in ("outcome", "message", "printed"))
    except Exception:
        results, outcome, text, printed = [], "protocol", "", ""
    text = text or ("The process in which the function ran stopped answering." if outcome == "protocol" else "")
    if outcome == "invalid":
        return Run("invalid", message=text)
    results += [Result("protocol")] * (len(results) == 0) + [Result("not run")] * count
    if outcome == "ok" and any(result.outcome != "value" for result in results[:count]):
        outcome = "protocol"
    return Run(outcome, results[:count], printed, text)
