"""One notebook's run, seen from outside: its process is started, listened to, called back, and ended.

What comes from there is a claim, made of plain values, and nothing else. The process ends when its time is over, when
it sends too much, or when it and all that it started take too much memory or are too many.
"""

import contextlib
import io
import os
import queue
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from subword_lab.exercises.live import NOT_HERE
from subword_lab.running import Limits, Result, Run
from subword_lab.running.child import bounded
from subword_lab.running.function import NOT_RUN, PYTHON, environment, kill

from . import bubblewrap, notebook_child
from .messages import DONE, Stage, from_json, to_json
from .notebook_child import Answer, Call, Cell, Program

SECONDS = 120.0  # for a notebook
CELL_SHARE = 1 / 6  # of that time for each of its cells
MEMORY = 2 * 2**30  # bytes, of the process and all that it started
PROCESSES = 64  # and threads, at once
FILES = 50_000  # in its folders, each of which takes memory, however small it is
MOST_SENT = 50_000_000  # bytes
LONGEST_LINE = 8_000_000  # bytes of a message
LIMITS = {"AS": MEMORY, "FSIZE": 50_000_000, "NOFILE": 256, "CORE": 0}
LONGEST_COMPLAINT = 10_000  # bytes at the end of what Python, or bubblewrap, writes
MARK = "SUBWORD_LAB_RUN"  # the environment variable by which all that a notebook started is known


class Session(contextlib.AbstractContextManager):
    """A running notebook. Iterate over its messages; in between, `run` calls the function that it has just lent, once:
    called again, it would learn that it was wrong.

    seed, learner: whose variants it asks for. questions: those of an instructor's own exercises, as a file of
    them holds them. seconds: for how long it may run. trust: without the sandbox.

    The messages are READY, Cells and Answers. Afterwards `ended` says how it ended: "done", "gone" (by itself, or
    killed), "timeout", "output" (it wrote too much), "processes", "memory" or "files" (too many of them); complaint is
    the last line that Python, or bubblewrap, has written, as when it could not start. Nothing that it started is left,
    and its folder is gone. Raises OSError if no process can be started.
    """

    def __init__(
        self,
        cells: Sequence[str],
        seed: int = 0,
        learner: str = "",
        questions: str = "",
        *,
        seconds: float = SECONDS,
        trust: bool = False,
    ):
        limits = {**LIMITS, "CPU": int(seconds) + 10}
        limits |= {} if trust else {"NPROC": bubblewrap.PROCESSES}
        self.ended, self.mark, self._lends = "", secrets.token_hex(16), False
        self._trust = trust
        self._complaints = b""
        self.deadline = time.monotonic() + seconds
        self._messages: queue.SimpleQueue[object] = queue.SimpleQueue()  # None at their end
        self._temporary = tempfile.TemporaryDirectory(
            prefix="subword-lab-", ignore_cleanup_errors=True
        )
        self.folder = self._temporary.name
        variables = {
            **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
            "PYTHONPATH": os.pathsep.join(str(place.parent) for place in bubblewrap.PACKAGES),
            "MPLBACKEND": "agg",
            "SUBWORD_LAB_HOME": ":memory:",
            "SUBWORD_LAB_NO_WIDGETS": "1",
            "SUBWORD_LAB_SEED": str(seed),
            "SUBWORD_LAB_LEARNER": learner,
            "SUBWORD_LAB_EXERCISES": "",
            "SUBWORD_LAB_ROOM": NOT_HERE,
            MARK: self.mark,
        }
        with bubblewrap.refusals() as rules:
            wrapped = [] if trust else bubblewrap.bubblewrap(rules)
            self._process = subprocess.Popen(
                [*wrapped, sys.executable, "-P", *PYTHON, "-m", notebook_child.__name__],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=environment(self.folder if trust else bubblewrap.HOME) | variables,
                start_new_session=True,
                pass_fds=[] if trust else rules,
            )
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._reading = threading.Thread(target=self._read_complaints, daemon=True)
        self._hearing.start()
        self._reading.start()
        threading.Thread(target=self._watch, daemon=True).start()
        self.tell(
            Program(list(cells), questions, seconds * CELL_SHARE, limits, bubblewrap.libraries())
        )

    def __iter__(self) -> Iterator[object]:
        while message := self.next():
            if message == DONE:
                self.ended = "done"
                return
            self._lends = isinstance(message, Answer) and message.form == "function"
            yield message
            if self._lends:
                self.tell(DONE)

    def __exit__(self, *_: object) -> None:
        """Kill the process and its group; without a sandbox, which ends with it, on Linux also whatever bears its mark.

        Others' processes are not looked at where a sandbox holds: one of them could make each look last.
        """
        self.stop("gone")
        clear = 0  # looks in a row that found nothing; for a moment, a program that is just being started bears no mark
        while self._trust and clear < 2:
            escaped = marked(self.mark)
            clear = 0 if escaped else clear + 1
            for number in escaped:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(0.01)
        self._process.wait()
        self._hearing.join(1)  # it ends when nobody holds its pipe any more
        self._reading.join(1)
        self.complaint = self._complaints.decode(errors="replace").strip().rpartition("\n")[2][:300]
        self._temporary.cleanup()

    def tell(self, message: object) -> None:
        """Send it a message, without waiting until that is read."""
        line = to_json(message).encode("ascii") + b"\n"
        threading.Thread(target=self._tell, args=(line,), daemon=True).start()

    def _tell(self, line: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody there any more
            while line and self._process.stdin:
                line = line[self._process.stdin.write(line) :]

    def next(self) -> object:
        """The next message from there; None when none will come, and then `ended` says why."""
        message = self._messages.get()
        if message is None:
            self.stop("gone")
        return message

    def stop(self, reason: str) -> None:
        """Kill the process and its group, and end its messages."""
        self.ended = self.ended or reason
        kill(self._process)
        if threading.current_thread() is not self._hearing:
            self._hearing.join(0.2)  # what was said before comes before the end
        self._messages.put(None)  # even if something that escaped holds the pipe

    def _hear(self) -> None:
        assert isinstance(self._process.stdout, io.FileIO)
        received = 0
        with io.BufferedReader(self._process.stdout) as lines:
            while line := lines.readline(LONGEST_LINE):
                received += len(line)
                if received > MOST_SENT or len(line) == LONGEST_LINE:
                    self.stop("output")
                elif message := from_json(line, Stage, Cell, Run, Answer):
                    self._messages.put(message)
        self._messages.put(None)

    def _read_complaints(self) -> None:
        assert isinstance(self._process.stderr, io.FileIO)
        with self._process.stderr as pipe:  # a file would be one of the real disk's
            while part := pipe.read(LONGEST_COMPLAINT):
                self._complaints = (self._complaints + part)[-LONGEST_COMPLAINT:]

    def run(self, function: object, cases: Sequence[tuple], *, limits: Limits) -> Run:
        """As `running.run`; but what is called is the function that the notebook has just lent."""
        if not self._lends:
            return Run("protocol")
        self._lends = False
        self.tell(Call(list(cases), limits))
        run = self.next()
        if not isinstance(run, Run):
            run = Run("protocol", message="The function's process stopped answering.")
        if run.outcome == "invalid":
            return Run("invalid", message=run.message)
        results = [bounded(result) for result in run.results[: len(cases)]] or [Result("protocol")]
        return replace(run, results=[*results, *[NOT_RUN] * len(cases)][: len(cases)])

    def usage(self) -> tuple[int, int, int]:
        """How many processes and threads descend from it, itself counted, the memory in bytes that they occupy, and
        how many files lie in the folders of a sandbox; Linux only.
        """
        count, memory, files, left = 0, 0, 0, [self._process.pid]
        while left:
            here = Path("/proc", str(left.pop()))
            with contextlib.suppress(OSError, ValueError, IndexError):
                tasks = [*(here / "task").iterdir()]
                count += len(tasks)
                memory += max(map(occupied, tasks))  # a thread that has ended says nothing of it
                for task in tasks:
                    with contextlib.suppress(OSError):  # it may have ended meanwhile
                        left += map(int, (task / "children").read_text().split())
                files = max(files, held(here / "root"))
        return count, memory, files

    def _watch(self) -> None:
        while not self.ended:
            count, memory, files = self.usage()
            too_much = {
                "processes": count > PROCESSES,
                "memory": memory > MEMORY,
                "files": files > FILES,
            }
            if time.monotonic() > self.deadline:
                self.stop("timeout")
            elif reason := next(filter(too_much.get, too_much), ""):
                self.stop(reason)
            time.sleep(0.1)


def occupied(task: Path) -> int:
    """The memory of a thread's process in bytes, also what the system has put on the disk, and its tables of pages.

    0 if it has ended.
    """
    with contextlib.suppress(OSError):
        status = (task / "status").read_bytes()  # as bytes: a process may have any name
        said = re.findall(rb"^Vm(?:RSS|Swap|PTE):\s+(\d+) kB$", status, re.MULTILINE)
        return 1024 * sum(map(int, said))
    return 0


def held(root: Path) -> int:
    """How many files lie in the folders of the sandbox that has this root; 0 for this machine's own root."""
    if root.stat().st_dev == os.stat("/").st_dev:
        return 0
    folders = [os.statvfs(f"{root}{folder}") for folder in bubblewrap.EMPTY]
    return sum(each.f_files - each.f_ffree for each in folders)


def marked(mark: str) -> list[int]:
    """The living processes in whose environment the mark stands; none but on Linux."""
    found, needle = [], f"{MARK}={mark}".encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if needle in environment.read():
                    found.append(int(name))
    return found


def trial(*, trust: bool = False) -> str:
    """Why no notebook can be run so on this machine; "" if it works."""
    with Session(["1 + 1"], trust=trust) as session:
        list(session)
    return "" if session.ended == "done" else session.complaint or f"it ended ({session.ended})"
