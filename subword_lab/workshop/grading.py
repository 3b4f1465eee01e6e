"""A folder of notebooks, marked: several at a time, each for itself, and never the same one twice.

Every notebook goes to a worker, a process of our own, which runs it in a session and judges its answers. Marks are kept
in a file as they come, so that whoever stops and starts again goes on from there.
"""
from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..exercises import Exercise, catalog
from . import marking, sandbox, session, submissions
from .submissions import Learner, Submission

PATIENCE = 120.0                                # seconds that judging may take, beside a notebook's own time
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from subword_lab.workshop.worker import main; main()"
SPARED = {"not attempted": 0, "invalid": 1}     # of answers without points the more telling one is kept


class NoSandbox(RuntimeError):
    """Notebooks cannot be run in a sandbox on this machine; the message says why and what can be done."""


@dataclass(frozen=True)
class Row:
    """A learner's results. answers: exercise id -> what was made of the answer that counts (see `marking`).

    problem: why nothing was graded; "" if something was. remarks: what else there is to know.
    """
    learner: Learner
    notebooks: list[str]
    answers: dict[str, dict] = field(default_factory=dict)
    failures: list[dict] = field(default_factory=list)
    problem: str = ""
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Grades:
    """What came of a class: a row for each learner, and the exercises that were graded, in the order of the course."""
    rows: list[Row]
    exercises: list[Exercise]
    left_out: list[str] = field(default_factory=list)           # exercises that stood in one learner's notebooks alone
    seed: int | None = None

    @property
    def possible(self) -> int:
        return sum(exercise.points for exercise in self.exercises)

    def points(self, row: Row, exercise: Exercise) -> float | None:
        """What a learner has for an exercise; None if nothing of theirs was graded."""
        if row.problem:
            return None
        score = row.answers[exercise.id]["score"] if exercise.id in row.answers else 0.0
        return round(score * exercise.points, 2)

    def total(self, row: Row) -> float | None:
        """What a learner has in all; None if nothing of theirs was graded."""
        return None if row.problem else round(sum(self.points(row, exercise) for exercise in self.exercises), 2)

    def summary(self) -> str:
        """How many learners, exercises and points there are, what was reached on average, and who was not graded.

        >>> Grades([], []).summary()
        '0 learners, 0 exercises, 0 points'
        """
        totals = [self.total(row) for row in self.rows if not row.problem]
        text = ", ".join([counted(len(self.rows), "learner"), counted(len(self.exercises), "exercise"),
                          counted(self.possible, "point")])
        if totals and self.possible:
            mean = sum(totals) / len(totals)
            text += f"; on average {mean:.1f} points, {100 * mean / self.possible:.1f}%"
        refused = [f"{row.learner.name}: not graded: {row.problem}" for row in self.rows if row.problem]
        return "\n".join([text, *refused])

    def _table(self):
        from ..views import table

        columns = ["learner", *(exercise.id for exercise in self.exercises), "total", "of", "remarks"]
        return table([[row.learner.name, *(self.points(row, exercise) for exercise in self.exercises),
                       self.total(row), self.possible, "; ".join(remarks(row))] for row in self.rows], columns)

    def __repr__(self) -> str:
        return repr(self._table())

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


def grade(folder: str | Path, *, seed: int | None = None, secret_seed: int | None = None,
          exercises: Sequence[str] = (), jobs: int | None = None, timeout: float = session.SECONDS, trust: bool = False,
          learner_pattern: str = "", exercises_file: str | Path | None = None, results: str | Path | None = None,
          progress: Callable[[int, int], None] = lambda done, count: None) -> Grades:
    """Mark all notebooks of a folder (see `submissions` for how a folder may look).

    seed: the class's seed: then the variants count that were handed out with it, and otherwise those that a learner
    saw. secret_seed: decides on further inputs for learners' functions; left out, it is the seed. exercises: ids,
    lessons (`bpe`) or notebooks (`01_bpe.ipynb`); left out, all that stand in the notebooks of two learners or more (or
    of the only one). timeout: seconds for a notebook; a single cell gets a sixth of it. trust: run them without a
    sandbox. exercises_file: exercises of your own. results: a file that keeps the marks of each notebook, so that it is
    not run again unless something has changed. progress: is told how many notebooks of how many are done.

    Raises ValueError for a folder, exercises or a pattern that there are not; NoSandbox if there is none and `trust`
    was not given.
    """
    handed_in = submissions.find(Path(folder), learner_pattern)
    own = str(Path(exercises_file).absolute()) if exercises_file else ""
    bank = catalog([own] if own else [])
    wanted = chosen(exercises, bank) if exercises else None
    if not trust and any(not submission.problem for submission in handed_in):
        require_sandbox(own)
    jobs_to_do = [marking.Job(str(submission.path.absolute()), submission.member, submission.problem,
                              submission.learner.name, seed, secret_seed, timeout, trust, own)
                  for submission in handed_in]
    marks = _Pool(jobs or _processors(), _Kept(results, own)).mark(handed_in, jobs_to_do, progress)
    return _grades(handed_in, marks, bank, wanted, seed)


def require_sandbox(*files: str) -> None:
    """NoSandbox, with the reason and the ways out, if notebooks cannot be run in one here."""
    way_out = ("Learners' notebooks are programs, and may do anything. Run this on Linux with bubblewrap (for example "
               "`apt install bubblewrap`) or in a container of your own; or, if you trust whoever wrote them, "
               "add --trust, and only time, memory and output are limited.")
    if not sandbox.is_installed():
        raise NoSandbox(f"bubblewrap is not installed, so there is no sandbox to run the notebooks in. {way_out}")
    reason = session.trial(session.Settings(exercises_file=files[0] if files else ""))
    if reason:
        raise NoSandbox(f"bubblewrap is installed, but does not work here ({reason}). {way_out}")


def chosen(names: Iterable[str], bank: dict[str, Exercise]) -> list[str]:
    """The ids of exercises that are named by id, by lesson, or by a notebook in which they stand.

    Raises ValueError for a name that is none of these.
    """
    ids: list[str] = []
    for name in names:
        if name in bank:
            ids.append(name)
        elif str(name).endswith(".ipynb"):
            try:
                ids += submissions.parse(Path(name).read_bytes()).mentioned(bank)
            except (OSError, submissions.Refused) as error:
                raise ValueError(f"the exercises of {name!r} cannot be read: {error}") from None
        elif lesson := [id for id, exercise in bank.items() if exercise.lesson == name]:
            ids += lesson
        else:
            lessons = dict.fromkeys(exercise.lesson for exercise in bank.values())
            raise ValueError(f"there is no exercise, lesson or notebook {name!r}; lessons are {', '.join(lessons)}")
    return [id for id in bank if id in ids]


# ---------------------------------------------------------------------------------------------------------- the workers

class _Kept:
    """The marks of notebooks that were run before, in a file of JSON lines; nowhere, if there is none."""

    def __init__(self, path: str | Path | None, own: str):
        self.path = Path(path) if path else None
        self._grader = _fingerprint([*sorted(sandbox.PACKAGE.rglob("*.py")), *([Path(own)] if own else [])])
        self._marks: dict[str, dict] = {}
        if self.path and self.path.exists():
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(ValueError, KeyError, TypeError):              # a line that was cut off
                    entry = json.loads(line)
                    self._marks[entry["key"]] = entry["marks"]

    def key(self, submission: Submission, job: marking.Job) -> str:
        """What the marks of a notebook depend on: its bytes, how it is marked, and the grader."""
        how = {name: value for name, value in asdict(job).items() if name not in ("path", "member")}
        return hashlib.sha256(json.dumps([submission.digest(), how, self._grader]).encode()).hexdigest()

    def get(self, key: str) -> dict | None:
        return self._marks.get(key)

    def put(self, key: str, marks: dict) -> None:
        self._marks[key] = marks
        if self.path:
            before = "" if not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n") else "\n"
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(before + json.dumps({"key": key, "marks": marks}) + "\n")


class _Pool:
    """Several workers, each of which marks one notebook at a time. One that hangs or crashes is replaced."""

    def __init__(self, size: int, kept: _Kept):
        self.size, self.kept = size, kept
        self._workers: set[subprocess.Popen] = set()
        self._stopped = False

    def mark(self, handed_in: Sequence[Submission], jobs: Sequence[marking.Job], progress) -> list[dict]:
        """The marks of every notebook, in their order."""
        keys = [self.kept.key(submission, job) for submission, job in zip(handed_in, jobs)]
        to_do = {key: job for key, job in zip(keys, jobs) if self.kept.get(key) is None}
        waiting, finished = queue.SimpleQueue(), queue.SimpleQueue()
        for item in to_do.items():
            waiting.put(item)
        threads = [threading.Thread(target=self._work, args=(waiting, finished), daemon=True)
                   for _ in range(min(self.size, len(to_do)))]
        done, results = len(set(keys)) - len(to_do), {}
        progress(done, len(set(keys)))
        try:
            for thread in threads:
                thread.start()
            for number in range(1, len(to_do) + 1):
                key, marks = _next(finished)
                results[key] = marks
                if marks["own_fault"]:
                    self.kept.put(key, marks)
                progress(done + number, len(set(keys)))
        finally:
            self._stop()
            for thread in threads:
                thread.join(10)
        return [results.get(key) or self.kept.get(key) for key in keys]

    def _work(self, waiting: queue.SimpleQueue, finished: queue.SimpleQueue) -> None:
        worker = None
        while not self._stopped:
            try:
                key, job = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                worker = worker or self._start()
                marks = self._ask(worker, job) or {"failed": "it took too long, or broke off"}
            except OSError as error:
                marks = {"failed": str(error)}
            if "failed" in marks:
                marks = marking.marks(problem=f"marking it failed: {marks['failed']}", own_fault=False)
                worker = worker and self._end(worker)
            if not self._stopped:
                finished.put((key, marks))
        if worker:
            self._end(worker)

    def _start(self) -> subprocess.Popen:
        environment = {**os.environ, "SUBWORD_LAB_HOME": ":memory:"}
        worker = subprocess.Popen([sys.executable, "-P", "-c", BOOT, str(sandbox.PACKAGE.parent)], env=environment,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                                  cwd=sandbox.PACKAGE, start_new_session=True)
        self._workers.add(worker)
        return worker

    def _ask(self, worker: subprocess.Popen, job: marking.Job) -> dict | None:
        """The worker's answer, or None if none comes in time."""
        alarm = threading.Timer(job.seconds + PATIENCE, worker.kill)
        alarm.start()
        try:
            worker.stdin.write(json.dumps(asdict(job)) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            return json.loads(line) if line else None
        except (OSError, ValueError):
            return None
        finally:
            alarm.cancel()

    def _end(self, worker: subprocess.Popen) -> None:
        self._workers.discard(worker)
        worker.terminate()                      # it ends what it has started
        try:
            worker.wait(timeout=5)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def _stop(self) -> None:
        self._stopped = True
        for worker in list(self._workers):
            worker.terminate()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _next(finished: queue.SimpleQueue) -> tuple[str, dict]:
    """What is finished next; Ctrl-C is heard meanwhile, on every system."""
    while True:
        with contextlib.suppress(queue.Empty):
            return finished.get(timeout=1)


def _fingerprint(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


# ------------------------------------------------------------------------------------------------------------- the rows

def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 learner", "2 learners"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def remarks(row: Row) -> list[str]:
    """What there is to know about a row, in words."""
    return [f"not graded: {row.problem}"] if row.problem else row.remarks


def _grades(handed_in, marks, bank, wanted, seed) -> Grades:
    by_learner: dict[Learner, list[tuple[Submission, dict]]] = {}
    for submission, found in zip(handed_in, marks):
        by_learner.setdefault(submission.learner, []).append((submission, found))
    seen = Counter(id for own in by_learner.values() for id in _seen(own))
    several = sum(bool(_seen(own)) for own in by_learner.values()) > 1
    columns = wanted if wanted is not None else [id for id in bank if seen[id] > several]
    copies = _copies(by_learner)
    rows = [_row(learner, own, copies.get(learner, [])) for learner, own in by_learner.items()]
    rows.sort(key=lambda row: (row.learner.name.casefold(), row.learner.id))
    left_out = [] if wanted is not None else [id for id in bank if seen[id] and id not in columns]
    return Grades(rows, [bank[id] for id in columns], left_out, seed)


def _seen(own: list[tuple[Submission, dict]]) -> set[str]:
    return {id for _, marks in own for id in [*marks["found"], *(answer["exercise"] for answer in marks["answers"])]}


def _row(learner: Learner, own: list[tuple[Submission, dict]], notes: list[str]) -> Row:
    row = Row(learner, [submission.label for submission, _ in own], remarks=list(notes))
    several = len(own) > 1
    for submission, marks in own:
        where = f"{submission.label}: " if several else ""
        row.failures.extend({"notebook": submission.label, **failure} for failure in marks["failures"])
        if marks["problem"]:
            row.remarks.append(f"{where}{marks['problem']}")
        if marks["stopped"]:
            row.remarks.append(f"{where}stopped {marks['stopped']}; what came before counts")
        row.remarks.extend(f"{where}{remark}" for remark in [*marks["remarks"], *_failed(marks["failures"])])
        for answer in marks["answers"]:
            best = row.answers.get(answer["exercise"])
            if best is None or _worth(answer) >= _worth(best):
                row.answers[answer["exercise"]] = {**answer, "notebook": submission.label}
    if own and all(marks["problem"] for _, marks in own):
        return Row(learner, row.notebooks, {}, row.failures, "; ".join(row.remarks), row.remarks)
    return row


def _worth(answer: dict) -> tuple:
    return answer["score"], SPARED.get(answer["outcome"], 2)


def _failed(failures: list[dict]) -> list[str]:
    """Which cells failed, the first of them in words."""
    if not failures:
        return []
    first = f"cell {failures[0]['cell']} failed ({failures[0]['error']}: {failures[0]['message']})"
    return [first + (f", and {len(failures) - 1} more" if len(failures) > 1 else "")]


def _copies(by_learner) -> dict[Learner, list[str]]:
    """Remarks on notebooks that were handed out to one learner, and handed in by several."""
    holders: dict[str, list[Learner]] = {}
    for learner, own in by_learner.items():
        for copy in {marks["handed_to"] for _, marks in own if marks["handed_to"]}:
            holders.setdefault(copy, []).append(learner)
    notes: dict[Learner, list[str]] = {}
    for copy, learners in holders.items():
        for learner in learners if len(learners) > 1 else []:
            others = ", ".join(other.name for other in learners if other != learner)
            notes.setdefault(learner, []).append(f"the notebook handed out to {copy} was handed in by {others} too")
    return notes
