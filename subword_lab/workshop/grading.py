"""A folder of notebooks becomes grades: a row for each learner, a column for each exercise."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .. import lessons
from ..exercises import Exercise, catalog
from ..html import Html, Shown
from ..running import sandbox, trial
from ..running.notebook import SECONDS
from . import answers, marking, submissions
from .pool import Kept, Pool
from .submissions import Learner, Submission

if TYPE_CHECKING:
    from pandas import DataFrame

    from ..views import Table

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
class Grades(Shown):
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
        return None if row.problem else round(sum(self.points(row, exercise) or 0 for exercise in self.exercises), 2)

    def summary(self) -> str:
        """How many learners, exercises and points there are, what was reached on average, and who was not graded.

        >>> Grades([], []).summary()
        '0 learners, 0 exercises, 0 points'
        """
        totals = [total for row in self.rows if (total := self.total(row)) is not None]
        text = ", ".join([counted(len(self.rows), "learner"), counted(len(self.exercises), "exercise"),
                          counted(self.possible, "point")])
        if totals and self.possible:
            mean = sum(totals) / len(totals)
            text += f"; on average {mean:.1f} points, {100 * mean / self.possible:.1f}%"
        refused = [f"{row.learner.name}: not graded: {row.problem}" for row in self.rows if row.problem]
        return "\n".join([text, *refused])

    def frame(self) -> DataFrame:
        """The points as a DataFrame: a row for each learner, a column for each exercise; NaN where nothing was graded.

        >>> Grades([Row(Learner("Kim", "7"), [])], list(catalog().values())[:2]).frame()
                 text-01  text-02
        learner
        Kim          0.0      0.0
        """
        from pandas import DataFrame, Index

        names = Index([row.learner.name for row in self.rows], name="learner")
        points = [[self.points(row, exercise) for exercise in self.exercises] for row in self.rows]
        return DataFrame(points, names, [exercise.id for exercise in self.exercises], dtype=float)

    def _table(self) -> Table:
        from ..views import table

        columns = ["learner", *(exercise.id for exercise in self.exercises), "total", "of", "remarks"]
        return table([[row.learner.name, *(self.points(row, exercise) for exercise in self.exercises),
                       self.total(row), self.possible, "; ".join(remarks(row))] for row in self.rows], columns)

    def __repr__(self) -> str:
        return repr(self._table())

    def html(self) -> Html:
        return self._table().html()


def grade(folder: str | Path, *, seed: int | None = None, secret_seed: int | None = None,
          exercises: Sequence[str] = (), jobs: int | None = None, timeout: float = SECONDS, trust: bool = False,
          learner_pattern: str = "", exercises_file: str | Path | None = None, results: str | Path | None = None,
          progress: Callable[[int, int], None] = lambda done, count: None) -> Grades:
    """Mark all notebooks of a folder (see `submissions` for how a folder may look).

    seed: the class's seed: then the variants count that were handed out with it, and otherwise those that a learner
    saw. secret_seed: decides on further inputs for learners' functions; left out, it is the seed. exercises: ids,
    lessons (`01_bpe`) or notebooks (`own.ipynb`); left out, all that stand in the notebooks of two learners or more (or
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
    marks = Pool(jobs or _processors(), Kept(results, own)).mark(handed_in, jobs_to_do, progress)
    return _grades(handed_in, marks, bank, wanted, seed)


def require_sandbox(exercises_file: str = "") -> None:
    """NoSandbox, with the reason and the ways out, if notebooks cannot be run in one here."""
    way_out = ("Learners' notebooks are programs, and may do anything. Run this on Linux with bubblewrap (for example "
               "`apt install bubblewrap`) or in a container of your own; or, if you trust whoever wrote them, "
               "add --trust, and only time, memory and output are limited.")
    if not sandbox.is_installed():
        raise NoSandbox(f"bubblewrap is not installed, so there is no sandbox to run the notebooks in. {way_out}")
    reason = trial(answers.settings(exercises_file=exercises_file))
    if reason:
        raise NoSandbox(f"bubblewrap is installed, but does not work here ({reason}). {way_out}")


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen(names: Iterable[str], bank: dict[str, Exercise]) -> list[str]:
    """The ids of exercises that are named by id, by lesson, or by a notebook in which they stand.

    A lesson is named as `lessons.meant` has it; exercises of your own, by how their ids begin.

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
        else:
            lesson = lessons.meant(name)
            group = [id for id in bank if id.rpartition("-")[0] == (lesson.exercises if lesson else name)]
            if not group:
                raise ValueError(f"there is no exercise, lesson or notebook {name!r}; "
                                 f"lessons are {', '.join(lessons.names())}")
            ids += group
    return [id for id in bank if id in ids]


# ------------------------------------------------------------------------------------------------------------- the rows

def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 learner", "2 learners"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def remarks(row: Row) -> list[str]:
    """What there is to know about a row, in words."""
    return [f"not graded: {row.problem}"] if row.problem else row.remarks


def _grades(handed_in: Sequence[Submission], marks: Sequence[dict], bank: dict[str, Exercise],
            wanted: list[str] | None, seed: int | None) -> Grades:
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


def _copies(by_learner: dict[Learner, list[tuple[Submission, dict]]]) -> dict[Learner, list[str]]:
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
