"""What a learner has done, kept from one session to the next.

Every attempt, hint and look at a solution is one line of JSON, added to the end of `progress.jsonl` in the user's
data folder. Lines are only ever added, each in a single write: nothing that was saved is written over, so a crash, a
second notebook or a full disk can at most cost the line that is being written. The environment variable
SUBWORD_LAB_HOME names another folder; the value ":memory:" keeps everything in memory and touches no disk. In a browser
the file stands beside the notebooks. `export` and `import_` take what was done from one place to another.
"""

import errno
import json
import os
import sys
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import files
from ..arguments import check
from ..files import CourseError
from .feedback import COSTLY

VERSION = 1  # of the format of a line
KINDS = ("attempt", "hint", "solution")
MEMORY = ":memory:"
BROWSER_FOLDER = "/drive"  # where JupyterLite keeps the notebooks
NO_FSYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # said by a file system that has none
LEFT_OUT = {  # by hints and solutions, and by the first versions of this package
    "at": "",
    "learner": "",
    "exercise_version": 1,
    "seed": None,
    "kind": "attempt",
    "outcome": None,
    "score": None,
    "label": None,
    "answer": None,
}
DAMAGED_LINE = "line {first} of {path} is damaged and was left out; it stays there as it is"
DAMAGED_LINES = (
    "{number} lines of {path} are damaged and were left out, line {first} first; they stay there"
)


class ProgressError(CourseError):
    """Something could not be saved or read; the message says what, why, and where."""


def standing(events: list[dict]) -> dict[str, Any]:
    """How things stand after all these events of an exercise. A later, worse attempt takes nothing away.

    "state" is "done", "partial", "tried", or "seen" where no attempt counts; "attempts" are the answers that were
    graded (a malformed or empty one costs nothing), "best" is the best score so far, from 0 to 1, "hints" their number;
    "solution_seen"; "last" is when something was last done here, ISO 8601 in UTC.
    """
    graded = [
        event for event in events if event["kind"] == "attempt" and event["outcome"] in COSTLY
    ]
    scores = [1.0 if each["outcome"] == "correct" else each["score"] or 0.0 for each in graded]
    best = max(scores, default=0.0)
    states = {"done": best >= 1, "partial": best > 0, "tried": bool(graded), "seen": True}
    return {
        "state": next(state for state, holds in states.items() if holds),
        "attempts": len(graded),
        "best": best,
        "hints": sum(event["kind"] == "hint" for event in events),
        "solution_seen": any(event["kind"] == "solution" for event in events),
        "last": max((str(event["at"]) for event in events), default=""),
    }


class Progress:
    """The record of one learner's machine: `record` adds to it, `events` and `summary` read it.

    home: the folder; None for SUBWORD_LAB_HOME or else the user's data folder; ":memory:" for none at all.
    `path` is the file of events; in memory it is None. `problems` holds one sentence for each thing the last reading
    could not use.

    >>> progress = Progress(":memory:")
    >>> progress.record({"exercise": "bpe-03", "kind": "attempt", "outcome": "correct", "score": 1.0})
    >>> progress.record({"exercise": "bpe-03", "kind": "attempt", "outcome": "incorrect", "score": 0.0})
    >>> standing = progress.summary()["bpe-03"]
    >>> standing["state"], standing["attempts"], standing["best"]
    ('done', 2, 1.0)
    """

    def __init__(self, home: str | os.PathLike | None = None):
        home = os.fspath(home or os.environ.get("SUBWORD_LAB_HOME") or _user_folder())
        self.home = None if home == MEMORY else Path(home).expanduser().absolute()
        self.path = self.home and self.home / "progress.jsonl"
        self.problems: list[str] = []
        self._in_memory = b""

    def record(self, event: dict) -> None:
        """Save one event, and return when it is on the disk.

        event: "exercise" and "kind" ("attempt", "hint" or "solution") are needed; "v" and "at" are filled in; the
        usual others are learner, exercise_version, seed, outcome, score, label and answer.

        Raises ValueError for an event without those two, ProgressError if it could not be saved; what was saved
        before is as it was.
        """
        check(
            isinstance(event.get("exercise"), str) and event.get("kind") in KINDS,
            f"event is {event!r:.200}; expected an exercise id as 'exercise' and one of "
            f"{', '.join(map(repr, KINDS))} as 'kind'",
        )
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = json.dumps({"v": VERSION, "at": at, **event}, default=repr)
        self.save([line.encode()], f"this {event['kind']} at {event['exercise']}")

    def save(self, lines: list[bytes], what: str) -> None:
        """Add lines to the record. what: they are, for the message of the ProgressError if that fails."""
        data = b"".join(line + b"\n" for line in lines)
        try:
            if self.path:
                _append(self.path, data)
            else:
                self._in_memory += data
        except OSError as error:
            raise ProgressError(
                f"{what} was not saved in {self.path}: {error.strerror or error}. "
                "What was saved before is unharmed."
            ) from error

    def lines(self) -> dict[int, bytes]:
        """The lines that hold something, by their numbers. Raises ProgressError if the file cannot be read."""
        data = self._in_memory
        try:
            if self.path and self.path.exists():
                if not self.path.is_file():  # a pipe would be waited for
                    raise OSError(errno.EINVAL, "it is not a file")
                data = self.path.read_bytes()
        except OSError as error:
            raise ProgressError(f"{self.path} cannot be read: {error.strerror or error}") from error
        return _filled(data)

    def events(self, learner: str | None = None) -> list[dict]:
        """Everything recorded so far, oldest first, in today's form; `problems` says what had to be left out.

        learner: whose events; None for those of all who work here.

        A damaged line, or one that only another version of this package can read, is left out, and stays in the file as
        it is. Raises ProgressError if the file is there and cannot be read.
        """
        events, damaged = [], []
        for number, line in self.lines().items():
            try:
                events.append(_parse(line))
            except (ValueError, RecursionError):
                damaged.append(number)
        self.problems = []
        if damaged:
            template = DAMAGED_LINE if len(damaged) == 1 else DAMAGED_LINES
            self.problems = [template.format(number=len(damaged), first=damaged[0], path=self.path)]
        return [event for event in events if learner in (None, event["learner"])]

    def summary(self, learner: str | None = None) -> dict[str, dict[str, Any]]:
        """Exercise id -> how things stand with it, for one learner or, with None, for all that is recorded here."""
        by_exercise: dict[str, list[dict]] = {}
        for event in self.events(learner):
            by_exercise.setdefault(event["exercise"], []).append(event)
        return {id: standing(events) for id, events in by_exercise.items()}


_stores: dict[str, Progress] = {}


def store() -> Progress:
    """This process's record, in the folder that SUBWORD_LAB_HOME names at the time of the call."""
    home = os.environ.get("SUBWORD_LAB_HOME", "")
    return _stores.setdefault(home, Progress(home))


def export(path: str | os.PathLike[str]) -> int:
    """Write all that was recorded to a file, to take along; the number of its events. See `import_`.

    Damaged lines come along as they are.

    Raises ProgressError for a file that holds something else, such as events which were recorded elsewhere.
    """
    lines = [*store().lines().values()]
    kept = _filled(files.read_bounded(path)) if os.path.isfile(path) else {}
    if Counter(kept.values()) - Counter(lines):
        raise ProgressError(
            f"{path} holds something that is not recorded here; import it first, or name another file"
        )
    files.write_whole(path, b"".join(line + b"\n" for line in lines))
    return sum(map(_is_event, lines))


def import_(path: str | os.PathLike[str]) -> int:
    """Add what `export` wrote, here or elsewhere, to the record; the number of events that were new to it.

    Nothing that is recorded here is lost or counted twice, and damaged lines come along. Raises ProgressError if the
    file cannot be read, or none of its lines is an event; then nothing is added.
    """
    try:
        lines = [*_filled(files.read_bounded(path)).values()]
        check(not lines or any(map(_is_event, lines)), "it holds something other than progress")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ProgressError(
            f"{path} cannot be read: {why}; expected a file that progress.export wrote"
        ) from error
    known = Counter(store().lines().values())
    new = [*(Counter(lines) - known).elements()]  # two hints of one second are alike
    if new:
        store().save(new, os.fspath(path))
    return sum(map(_is_event, new))


def _is_event(line: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        return bool(_parse(line))
    return False


def _filled(data: bytes) -> dict[int, bytes]:
    """The lines that hold something, by their numbers."""
    stripped = (line.removeprefix(b"\xef\xbb\xbf").strip() for line in data.split(b"\n"))
    return {number: line for number, line in enumerate(stripped, 1) if line}


def _user_folder() -> str:
    if sys.platform == "emscripten":  # beside the notebooks, in the browser's own storage
        return BROWSER_FOLDER if os.path.isdir(BROWSER_FOLDER) else MEMORY
    import platformdirs

    return platformdirs.user_data_dir("subword-lab", appauthor=False)


def _parse(line: bytes) -> dict:
    """The event of a line, brought up to today's form; ValueError if it is damaged."""
    event = json.loads(line)
    check(isinstance(event, dict), "not an event")
    event = {**LEFT_OUT, **event, "v": VERSION}
    score = event["score"]
    check(
        isinstance(event.get("exercise"), str)
        and event["kind"] in KINDS
        and isinstance(event.get("turn", 0), int)
        and (score is None or (isinstance(score, int | float) and 0 <= score <= 1)),
        "not an event",
    )
    return event


def _append(path: Path, data: bytes) -> None:
    """Add lines in one write and see them onto the disk. A line that somebody was killed in is closed first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+b", buffering=0) as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            data = data if file.read(1) == b"\n" else b"\n" + data
        if (file.write(data) or 0) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            os.fsync(file.fileno())
        except OSError as error:
            if error.errno not in NO_FSYNC:
                raise
