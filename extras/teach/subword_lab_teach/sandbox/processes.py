"""A child process that talks in messages: how it is started, spoken to, heard, and ended with its whole group."""

import contextlib
import io
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO

from subword_lab.running.function import environment, kill

from .messages import from_json, to_json

LONGEST_LINE = 8_000_000  # bytes of a message


class Process(contextlib.AbstractContextManager):
    """A command in a process of its own, with an empty folder and an environment that holds only what it needs.

    On standard output it sends messages of these kinds, a line each; other lines are put into `text`, and what comes on
    standard error into `printed`. seconds: until it is ended, see `deadline`. most: bytes that it may write to either.
    home: its home folder, if not the empty one. variables: further ones of its environment. After the `with` it has an
    `exit_code`, its group is dead, and the folder is gone. Raises OSError if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        kinds: Sequence[type],
        *,
        seconds: float,
        most: int,
        home: str = "",
        variables: Mapping[str, str] | None = None,
    ):
        self.ended, self.text, self.printed = "", deque[bytes](maxlen=1000), bytearray()
        self.deadline = time.monotonic() + seconds
        self._kinds, self._most = kinds, most
        self._messages: queue.SimpleQueue[object] = queue.SimpleQueue()  # None at their end
        self.folder = tempfile.mkdtemp(prefix="subword-lab-")
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=environment(home or self.folder) | dict(variables or {}),
                start_new_session=True,
            )
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin
        self._hearing = [
            threading.Thread(target=self._hear, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._hear_errors, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._hearing:
            thread.start()

    def __exit__(self, *_: object) -> None:
        """Kill the process and its group, and remove its folder."""
        self.stop("gone")
        self.exit_code = self._process.wait()
        for thread in self._hearing:
            thread.join(1)  # it ends when nobody holds its pipe any more
        self._stdin.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell(self, message: object) -> None:
        """Send it a message, without waiting until that is read."""
        self.write(to_json(message).encode("ascii") + b"\n")

    def write(self, data: bytes) -> None:
        """The same for bytes as they are."""
        threading.Thread(target=self._write, args=(data,), daemon=True).start()

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody there any more
            while data:
                data = data[self._stdin.write(data) :]

    def next(self) -> object:
        """The next message from there; None when none will come, and then `ended` says why.

        It is "gone" (by itself, or killed), "timeout", "output" (it wrote too much), or what `stop` was given.
        """
        message, why = None, "timeout"
        with contextlib.suppress(queue.Empty):
            message = self._messages.get(timeout=max(0.0, self.deadline - time.monotonic()))
            why = "gone"
        if message is None:
            self.stop(why)
        return message

    def stop(self, reason: str) -> None:
        """Kill the process and its group, and end its messages."""
        self.ended = self.ended or reason
        kill(self._process)
        if threading.current_thread() is not self._hearing[0]:
            self._hearing[0].join(0.2)  # what was said before comes before the end
        self._messages.put(None)  # even if something that escaped holds the pipe

    @property
    def complaint(self) -> str:
        """The last line that Python, or bubblewrap, has written, as when it could not start."""
        return self.printed.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]

    def _hear(self, pipe: io.FileIO) -> None:
        received = 0
        with io.BufferedReader(pipe) as lines:
            while line := lines.readline(LONGEST_LINE):
                received += len(line)
                if received > self._most or len(line) == LONGEST_LINE:
                    self.stop("output")
                    break
                if message := from_json(line, *self._kinds):
                    self._messages.put(message)
                else:
                    self.text.append(line.rstrip())
        self._messages.put(None)

    def _hear_errors(self, pipe: IO[bytes]) -> None:
        with pipe:
            while (data := pipe.read(65536)) and len(self.printed) <= self._most:
                self.printed += data
            if len(self.printed) > self._most:
                self.stop("output")  # before the pipe is closed, which its writer would be told of
