"""A child process of this room: how it is started, spoken to, heard, and ended with all that it has started."""

from __future__ import annotations

import contextlib
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
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from .messages import from_json, to_json

PACKAGE = Path(__file__).resolve().parent.parent
LONGEST_LINE = 8_000_000  # bytes of a message
MARK = "SUBWORD_LAB_RUN"  # the environment variable by which a process's descendants are found
KEPT_VARIABLES = (
    "SYSTEMROOT",
    "PYTHONHOME",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
)  # Python may need them
HOMES = ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR")
VARIABLES = {
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8:backslashreplace",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}  # threads take memory


def python(child: str, *options: str) -> list[str]:
    """The command that runs a child's file of this room: nothing is found by chance, and nothing is written."""
    return [
        sys.executable,
        "-s",
        "-P",
        "-B",
        "-X",
        "utf8",
        *options,
        str(Path(__file__).with_name("child.py")),
        child,
    ]


class Process(contextlib.AbstractContextManager):
    """A command in a process of its own, with an empty folder and an environment that holds only what it needs.

    On standard output it sends messages of these kinds, a line each; other lines are put into `text`, and what comes on
    standard error into `printed`. seconds: until it is ended, see `deadline`. most: bytes that it may write to
    either; sent: to standard output, if that is less. home: its home folder, if not the empty one. keep: further
    variables that it gets as they are here; variables: such as are set for it. After the `with` it has an `exit_code`,
    it and all that it started are dead, and the folder is gone. Raises OSError if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        kinds: Sequence[type],
        *,
        seconds: float,
        most: int,
        sent: int | None = None,
        home: str = "",
        keep: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ):
        self.ended, self.text, self.printed = "", deque[bytes](maxlen=1000), bytearray()
        self.deadline = time.monotonic() + seconds
        self._kinds, self._most, self._most_sent = kinds, most, sent or most
        self._messages: queue.SimpleQueue[object] = queue.SimpleQueue()  # None at their end
        self.mark, self.folder = secrets.token_hex(16), tempfile.mkdtemp(prefix="subword-lab-")
        self.home = home or self.folder
        environment = {
            name: os.environ[name] for name in (*KEPT_VARIABLES, *keep) if name in os.environ
        }
        environment |= {
            **VARIABLES,
            **dict.fromkeys(HOMES, self.home),
            **(variables or {}),
            MARK: self.mark,
        }
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=environment,
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin
        self._pumps = [
            threading.Thread(target=hear, args=(pipe,), daemon=True)
            for hear, pipe in (
                (self._hear, self._process.stdout),
                (self._hear_errors, self._process.stderr),
            )
        ]
        for pump in self._pumps:
            pump.start()

    def __exit__(self, *_: object) -> None:
        """Kill the process, its group and, on Linux, whatever else still bears the mark."""
        self.stop("gone")
        self.exit_code = self._process.wait()
        for _attempt in range(20):
            escaped = marked(self.mark)
            for number in escaped:
                with contextlib.suppress(OSError):
                    os.kill(number, signal.SIGKILL)
            for pump in self._pumps:
                pump.join(0.05)  # it ends when nobody holds its pipe any more
            if not escaped and not any(pump.is_alive() for pump in self._pumps):
                break
        self._stdin.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self, message: object) -> None:
        """Send it a message, without waiting until that is read."""
        data = to_json(message).encode("ascii") + b"\n"

        def write(left: bytes) -> None:
            with contextlib.suppress(OSError, ValueError):  # nobody there any more
                while left:
                    left = left[self._stdin.write(left) :]

        if len(data) < 4096:
            write(data)
        else:
            threading.Thread(target=write, args=(data,), daemon=True).start()

    def next(self) -> object:
        """The next message from there; None when none will come, and then `ended` says why.

        It is "gone" (by itself, or killed), "timeout", "output" (it wrote too much), "processes" or "memory" (see
        `watch`), or what `stop` was given.
        """
        try:
            message = self._messages.get(timeout=max(0.0, self.deadline - time.monotonic()))
        except queue.Empty:
            self.stop("timeout")
            return None
        self.ended = self.ended or ("" if message else "gone")
        return message

    def stop(self, reason: str) -> None:
        """Kill the process and its group, and end its messages."""
        self.ended = self.ended or reason
        with contextlib.suppress(OSError):
            if os.name != "posix":
                self._process.kill()
            elif self._process.returncode is None:  # after that its number may be another's
                os.killpg(self._process.pid, signal.SIGKILL)
        if threading.current_thread() is not self._pumps[0]:
            self._pumps[0].join(0.2)  # what was said before comes before the end
        self._messages.put(None)  # even if something that escaped holds the pipe

    @property
    def complaint(self) -> str:
        """The last line that Python, or bubblewrap, has written, as when it could not start."""
        return self.printed.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]

    def watch(self, processes: int, memory: int) -> None:
        """From here on, end it when its time is over, or when it and all it started are too many or take too much."""
        threading.Thread(target=self._watch, args=(processes, memory), daemon=True).start()

    def _watch(self, processes: int, memory: int) -> None:
        while not self.ended:
            count, occupied = self.usage()
            if time.monotonic() > self.deadline:
                self.stop("timeout")
            elif count > processes:
                self.stop("processes")
            elif occupied > memory:
                self.stop("memory")
            time.sleep(0.1)

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

    def _hear(self, pipe: IO[bytes]) -> None:
        received, line = 0, b""
        with pipe:
            while data := pipe.read(65536):
                received += len(data)
                if received > self._most_sent or len(line) > LONGEST_LINE:
                    self.stop("output")
                    break
                *lines, line = (line + data).split(b"\n")
                for each in lines:
                    if message := from_json(each, *self._kinds):
                        self._messages.put(message)
                    else:
                        self.text.append(each)
        self._messages.put(None)

    def _hear_errors(self, pipe: IO[bytes]) -> None:
        with pipe:
            while (data := pipe.read(65536)) and len(self.printed) <= self._most:
                self.printed += data
            if len(self.printed) > self._most:
                self.stop("output")  # before the pipe is closed, which its writer would be told of


def marked(mark: str) -> list[int]:
    """The processes in whose environment the mark stands; none but on Linux."""
    found, needle = [], f"{MARK}={mark}".encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if needle in environment.read():
                    found.append(int(name))
    return found
