"""One notebook's run, seen from outside: its process is started, listened to, called back, and ended.

What comes from there is a claim, made of plain values, and nothing else. The process ends when its time is over, when
it sends too much, or when it and all that it started take too much memory or are too many.
"""

import contextlib
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from subword_lab.running.function import NOT_RUN, Limits, Run, bounded
from subword_lab.running.messages import DONE, Result, Stage
from subword_lab.running.processes import Process, python

from . import bubblewrap
from .notebook_child import Call, Cell, Program

SECONDS = 120.0  # for a notebook
CELL_SHARE = 1 / 6  # of that time for each of its cells
MEMORY = 2 * 2**30  # bytes, of the process and all that it started
PROCESSES = 64  # at once
MOST_SENT = 50_000_000  # bytes
LIMITS = {"AS": MEMORY, "FSIZE": 50_000_000, "NOFILE": 256, "CORE": 0}
MARK = "SUBWORD_LAB_RUN"  # the environment variable by which all that a notebook started is known


@dataclass(frozen=True)
class Settings:
    """How a notebook is run.

    seconds: for how long. trust: without the sandbox. files: what it may read beside Python and this package.
    variables: of its environment. taker: the name, such as "package.module:Class", of what takes its answers inside;
    it is called with the `Outside`, and its `names`, if it has any, are there for the cells. kinds: of the messages
    that the taker sends, dataclasses.
    """

    seconds: float = SECONDS
    trust: bool = False
    files: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    taker: str = ""
    kinds: Sequence[type] = ()


class Session(Process):
    """A running notebook. Iterate over its messages; in between, `run` calls the function that it has just lent.

    The messages are READY, Cells and those of the taker. Afterwards `ended` says how it ended: "done", "gone" (by
    itself, or killed), "timeout", "output" (it wrote too much), "processes" or "memory".
    """

    def __init__(self, cells: Sequence[str], settings: Settings):
        limits = {**LIMITS, "CPU": int(settings.seconds) + 10}
        limits |= {} if settings.trust else {"NPROC": bubblewrap.PROCESSES}
        wrapped = [] if settings.trust else bubblewrap.bubblewrap(settings.files)
        self.mark = secrets.token_hex(16)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        paths = os.pathsep.join(str(package.parent) for package in bubblewrap.PACKAGES)
        super().__init__(
            [*wrapped, *python("-m", "subword_lab_teach.sandbox")],
            (Stage, Cell, Run, *settings.kinds),
            seconds=settings.seconds,
            most=MOST_SENT,
            home="" if settings.trust else bubblewrap.HOME,
            variables={
                **kept,
                "PYTHONPATH": paths,
                "MPLBACKEND": "agg",
                **settings.variables,
                MARK: self.mark,
            },
        )
        threading.Thread(target=self._watch, daemon=True).start()
        cell_seconds = settings.seconds * CELL_SHARE
        libraries = bubblewrap.libraries()
        self.tell(Program(list(cells), cell_seconds, limits, libraries, settings.taker))

    def __iter__(self) -> Iterator[object]:
        while message := self.next():
            if message == DONE:
                self.ended = "done"
                return
            yield message

    def __exit__(self, *_: object) -> None:
        """Kill the process, its group and, on Linux, whatever else bears its mark."""
        self.stop("gone")
        while escaped := marked(self.mark):
            for number in escaped:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(0.01)
        super().__exit__()

    def run(self, cases: Sequence[tuple], *, limits: Limits) -> Run:
        """As `running.run`: what came of each case, for the function that the notebook has just lent."""
        self.tell(Call(list(cases), limits))
        run = self.next()
        if not isinstance(run, Run):
            message = "The process in which the function ran stopped answering."
            run = Run("protocol", message=message)
        if run.outcome == "invalid":
            return Run("invalid", message=run.message)
        results = [bounded(result) for result in run.results[: len(cases)]] or [Result("protocol")]
        return replace(run, results=[*results, *[NOT_RUN] * len(cases)][: len(cases)])

    def finish_run(self) -> None:
        """Let the notebook go on after a function was called."""
        self.tell(DONE)

    def usage(self) -> tuple[int, int]:
        """How many processes descend from it, itself counted, and the memory in bytes that they occupy; Linux only."""
        count, memory, left = 0, 0, [self._process.pid]
        while left:
            here = Path("/proc", str(left.pop()))
            with contextlib.suppress(OSError, ValueError, IndexError):
                memory += int((here / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
                count += 1
                for task in os.listdir(here / "task"):
                    left += map(int, (here / "task" / task / "children").read_text().split())
        return count, memory

    def _watch(self) -> None:
        while not self.ended:
            count, occupied = self.usage()
            if time.monotonic() > self.deadline:
                self.stop("timeout")
            elif count > PROCESSES:
                self.stop("processes")
            elif occupied > MEMORY:
                self.stop("memory")
            time.sleep(0.1)


def marked(mark: str) -> list[int]:
    """The living processes in whose environment the mark stands; none but on Linux."""
    found, needle = [], f"{MARK}={mark}".encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if needle in environment.read():
                    found.append(int(name))
    return found


def trial(settings: Settings) -> str:
    """Why no notebook can be run so on this machine; "" if it works."""
    with Session(["1 + 1"], settings) as session:
        for _ in session:
            pass
    return "" if session.ended == "done" else session.complaint or f"it ended ({session.ended})"
