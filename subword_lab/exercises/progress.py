"""What a learner has done, kept from one session to the next.

Every attempt, hint and look at a solution is one line of JSON, added to the end of `progress.jsonl` in the user's
data folder. Lines are only ever added: nothing that was saved is written over, so a crash, a second notebook or a full
disk can at most cost the line that is being written. The environment variable SUBWORD_LAB_HOME names another folder;
the value ":memory:" keeps everything in memory and touches no disk. In a browser the file stands beside the notebooks.
`export` and `import_` take what was done from one place to another.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .. import files

VERSION = 1  # of the format of a line
KINDS = ("attempt", "hint", "solution")
COUNTED = (
    "correct",
    "partial",
    "incorrect",
    "error",
    "timeout",
)  # the outcomes that count as an attempt
MEMORY = ":memory:"
BROWSER_FOLDER = "/drive"  # where JupyterLite keeps the notebooks
LONGEST_ANSWER = 20_000  # characters; a longer answer is kept as the beginning of its text
_threads = threading.Lock()
_stores: dict[str, Progress] = {}


class ProgressError(RuntimeError):
    """Something could not be saved or read; the message says what, why, and where."""


@dataclass(frozen=True)
class Standing:
    """How things stand with one exercise, summed up over all that was recorded for it."""

    exercise: str
    state: str  # "done", "partial", "tried", or "seen": no attempt that counts
    attempts: int = 0  # answers that were graded; a malformed or empty answer costs nothing
    best: float = 0.0  # the best score so far, 0 to 1
    hints: int = 0
    solution_seen: bool = False
    last: str = ""  # when something was last done here, ISO 8601 in UTC


class Progress:
    """The record of one learner's machine: `record` adds to it, `events` and `summary` read it.

    home: the folder; None for SUBWORD_LAB_HOME or else the user's data folder; ":memory:" for none at all.
    `problems` holds one sentence for each thing the last reading could not use.

    Several notebooks may record at once. A lock keeps them apart; the operating system releases it when its owner
    dies, and after `patience` seconds an owner that hangs is waited for no longer: a line is added in a single write.

    >>> progress = Progress(":memory:")
    >>> progress.record({"exercise": "bpe-03", "kind": "attempt", "outcome": "correct", "score": 1.0})
    >>> progress.record({"exercise": "bpe-03", "kind": "attempt", "outcome": "incorrect", "score": 0.0})
    >>> standing = progress.summary()["bpe-03"]
    >>> standing.state, standing.attempts, standing.best
    ('done', 2, 1.0)
    """

    def __init__(self, home: str | os.PathLike | None = None, *, patience: float = 2.0):
        home = os.fspath(home or os.environ.get("SUBWORD_LAB_HOME") or _user_folder())
        self.home = None if home == MEMORY else Path(home).expanduser()
        self.patience = patience
        self.problems: list[str] = []
        self._lines: list[bytes] = []  # what was recorded, where there is no folder

    def __repr__(self) -> str:
        return f"Progress({str(self.home or MEMORY)!r})"

    @property
    def path(self) -> Path | None:
        """The file of events, or None if they are kept in memory."""
        return self.home and self.home / "progress.jsonl"

    @property
    def damaged_path(self) -> Path | None:
        """The file to which damaged lines are copied, or None if events are kept in memory."""
        return self.home and self.home / "progress-damaged.txt"

    # ---------------------------------------------------------------------------------------------------------- writing

    def record(self, event: dict) -> None:
        """Save one event, and return when it is on the disk.

        event: "exercise" and "kind" ("attempt", "hint" or "solution") are needed; "v" and "at" are filled in; the
        usual others are learner, exercise_version, seed, outcome, score, label and answer.

        Raises ValueError for an event without those two, ProgressError if it could not be saved; what was saved
        before is as it was.
        """
        self._save(_line(event), f"this {event['kind']} at {event['exercise']}")

    def _save(self, lines: bytes, what: str) -> None:
        path = self.path
        if path is None:
            self._lines += lines.splitlines(keepends=True)
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._locked() as alone:
                _append(path, lines, alone)
        except OSError as error:
            raise ProgressError(
                f"{what} was not saved in {path}: "
                f"{error.strerror or error}. What was saved before is unharmed."
            ) from error

    # ---------------------------------------------------------------------------------------------------------- reading

    def events(self) -> list[dict]:
        """Everything recorded so far, oldest first, in today's form; `problems` says what had to be left out.

        A damaged line is copied to `damaged_path` and left out, and so is one that a newer version of this package
        wrote; both stay in the file as they are. Raises ProgressError if the file is there and cannot be read.
        """
        events, damaged, newer = [], [], 0
        for number, line in self._read():
            try:
                event = _parse(line)
            except (ValueError, RecursionError):
                damaged.append((number, line))
                continue
            if event["v"] > VERSION:
                newer += 1
            else:
                events.append(event)
        self.problems = self._set_aside(damaged)
        if newer:
            self.problems.append(
                f"{newer} of the events in {self.path} were written by a newer version of subword-lab "
                "and are left as they are; update subword-lab to see them"
            )
        return events

    def summary(self, learner: str | None = None) -> dict[str, Standing]:
        """Exercise id -> how things stand with it, for one learner or, with None, for all that is recorded here."""
        standings: dict[str, Standing] = {}
        for event in self.events():
            if learner is None or event["learner"] == learner:
                exercise = event["exercise"]
                standings[exercise] = _after(
                    standings.get(exercise, Standing(exercise, "seen")), event
                )
        return standings

    def _read(self) -> list[tuple[int, bytes]]:
        """The lines that hold something, with their numbers; but not one that somebody else is still writing."""
        path = self.path
        if path is None:
            return list(enumerate(self._lines, 1))
        try:
            if not path.exists():
                return []
            with self._locked() as alone:
                lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise ProgressError(f"{path} cannot be read: {error.strerror or error}") from error
        if not alone:
            lines.pop()
        stripped = (
            line.removeprefix(b"\xef\xbb\xbf").strip() for line in lines
        )  # as some editors leave them
        return [(number, line) for number, line in enumerate(stripped, 1) if line]

    def _set_aside(self, damaged: list[tuple[int, bytes]]) -> list[str]:
        """Copy damaged lines to the side file, each once, and say so."""
        side_file = self.damaged_path
        if not damaged or side_file is None:
            return []
        left_out = f"line {damaged[0][0]} of {self.path} is damaged and was left out"
        if len(damaged) > 1:
            left_out = f"{len(damaged)} lines of {self.path} are damaged and were left out, line {damaged[0][0]} first"
        try:
            with self._locked() as alone:
                kept = side_file.read_bytes().split(b"\n") if side_file.exists() else []
                new = [
                    line for line in dict.fromkeys(line for _, line in damaged) if line not in kept
                ]
                if new:
                    _append(side_file, b"\n".join(new) + b"\n", alone)
        except OSError as error:
            return [f"{left_out}; it could not be copied to {side_file}: {error.strerror or error}"]
        return [f"{left_out}; a copy is kept in {side_file}"]

    # ---------------------------------------------------------------------------------------------------------- locking

    @contextlib.contextmanager
    def _locked(self) -> Iterator[bool]:
        """Hold the lock, and yield True; or False if it cannot be had within `patience`, or does not exist here."""
        assert self.home is not None  # what is kept in memory needs no lock
        deadline = time.monotonic() + self.patience
        in_process = _threads.acquire(timeout=self.patience)
        try:
            try:
                lock = os.open(
                    self.home / "progress.lock",
                    os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0),
                    0o644,
                )
            except OSError:  # a folder that can only be read
                yield False
                return
            try:
                yield in_process and _lock_file(lock, deadline)
            finally:
                os.close(lock)  # which releases it
        finally:
            if in_process:
                _threads.release()


def store() -> Progress:
    """This process's record, in the folder that SUBWORD_LAB_HOME names at the time of the call."""
    home = os.environ.get("SUBWORD_LAB_HOME", "")
    return _stores.setdefault(home, Progress(home))


def export(path: str | os.PathLike[str]) -> int:
    """Write all that was recorded to a file, to take along; the number of its events. See `import_`."""
    lines = [line for _, line in store()._read()]
    files.write_whole(path, b"".join(line + b"\n" for line in lines))
    return len(lines)


def import_(path: str | os.PathLike[str]) -> int:
    """Add what `export` wrote, here or elsewhere, to the record; the number of events that were new to it.

    Nothing that is recorded here is lost or counted twice. Raises ProgressError if the file cannot be read, or holds
    something else; then nothing is added.
    """
    try:
        lines = [line.strip() for line in Path(path).read_bytes().split(b"\n") if line.strip()]
        for line in lines:
            _parse(line)
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or "it holds something other than progress"
        raise ProgressError(
            f"{path} cannot be read: {why}; expected a file that progress.export wrote"
        ) from error
    here = store()
    known = {line for _, line in here._read()}
    new = [line for line in dict.fromkeys(lines) if line not in known]
    if new:
        here._save(b"".join(line + b"\n" for line in new), f"{os.fspath(path)}")
    return len(new)


def _user_folder() -> str:
    if sys.platform == "emscripten":  # beside the notebooks, in the browser's own storage
        return BROWSER_FOLDER if os.path.isdir(BROWSER_FOLDER) else MEMORY
    import platformdirs

    return platformdirs.user_data_dir("subword-lab", appauthor=False)


def _line(event: dict) -> bytes:
    """The event as one line of JSON. An answer that JSON has no form for is kept as the text that Python prints."""
    if not isinstance(event.get("exercise"), str) or event.get("kind") not in KINDS:
        raise ValueError(
            f"event is {event!r:.200}; expected an exercise id as 'exercise' and one of "
            f"{', '.join(map(repr, KINDS))} as 'kind'"
        )
    at = datetime.now(UTC).isoformat(timespec="seconds")
    event = {"v": VERSION, "at": at, **event, "answer": _plain(event.get("answer"))}
    return json.dumps(event, default=repr).encode("ascii") + b"\n"


def _plain(answer: object) -> object:
    try:
        text = json.dumps(answer, default=repr)
    except Exception:  # a dictionary with tuples as keys, a list inside itself, a broken repr
        try:
            answer = text = repr(answer)
        except Exception:
            answer = text = f"<{type(answer).__name__}>"
    return answer if len(text) <= LONGEST_ANSWER else text[:LONGEST_ANSWER] + " ..."


def _parse(line: bytes) -> dict:
    """The event of a line, brought up to today's form; ValueError if it is damaged."""
    event = json.loads(line)
    if not isinstance(event, dict):
        raise ValueError("not an event")
    version = event.setdefault("v", 0)
    if not isinstance(version, int):
        raise ValueError("not a version")
    if version > VERSION:
        return event
    event = {
        "at": "",
        "learner": "",
        "exercise_version": 1,
        "seed": None,
        "kind": "attempt",
        "outcome": None,
        "score": None,
        "label": None,
        "answer": None,
        **event,
        "v": VERSION,
    }  # version 0 left much out
    if not isinstance(event.get("exercise"), str) or event["kind"] not in KINDS:
        raise ValueError("not an event")
    if not isinstance(event["score"], (int, float, type(None))):
        raise ValueError("not a score")
    return event


def _after(standing: Standing, event: dict) -> Standing:
    """The standing once this event is counted in. A later, worse attempt takes nothing away."""
    kind, outcome = event["kind"], event["outcome"]
    counts = kind == "attempt" and outcome in COUNTED
    score = (1.0 if outcome == "correct" else event["score"] or 0.0) if counts else 0.0
    best = max(standing.best, score)
    state = (
        "done"
        if best >= 1
        else "partial"
        if best > 0
        else "tried"
        if counts or standing.attempts
        else "seen"
    )
    return Standing(
        standing.exercise,
        state,
        standing.attempts + counts,
        best,
        standing.hints + (kind == "hint"),
        standing.solution_seen or kind == "solution",
        max(standing.last, str(event["at"])),
    )


def _append(path: Path, line: bytes, alone: bool) -> None:
    """Add a line in one write and see it onto the disk; if that fails, leave the file as it was.

    A line that somebody was killed in is closed first. Whoever could not get the lock cannot know, and closes it
    in any case: an empty line does no harm.
    """
    is_new = not path.exists()
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
    try:
        size = os.lseek(file, 0, os.SEEK_END)
        if not alone or (size and _last_byte(file) != b"\n"):
            line = b"\n" + line
        try:
            _write(file, line)
        except BaseException:
            if (
                alone and os.lseek(file, 0, os.SEEK_CUR) == os.fstat(file).st_size
            ):  # nobody has added more since
                os.ftruncate(file, size)
            raise
    finally:
        os.close(file)
    if is_new:
        _sync_folder(path.parent)


def _last_byte(file: int) -> bytes:
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1)


def _write(file: int, data: bytes) -> None:
    written = os.write(file, data)
    if written < len(data):  # the disk is full, or about to say so
        _write(file, data[written:])
    else:
        _sync(file)


def _sync(file: int) -> None:
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in (
            errno.EINVAL,
            errno.ENOTSUP,
            errno.ENOSYS,
        ):  # a file system that has no fsync
            raise


def _sync_folder(folder: Path) -> None:
    """See a new file's name onto the disk, where a folder can be opened (not on Windows)."""
    with contextlib.suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _lock_file(file: int, deadline: float) -> bool:
    """Try to lock the open file until the deadline; True if it worked."""
    while True:
        try:
            _try_lock(file)
            return True
        except (
            BlockingIOError,
            PermissionError,
        ):  # held by somebody else (EAGAIN; EACCES on Windows)
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        except (
            OSError,
            ImportError,
            AttributeError,
        ):  # this system or this file system has no locks
            return False


def _try_lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
