"""A folder of notebooks becomes grades: a row for each learner, a column for each exercise."""

import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path

from pandas import DataFrame, Index

from subword_lab import lessons
from subword_lab.arguments import counted
from subword_lab.exercises import Exercise, Instance, catalog
from subword_lab.exercises.code import source_of
from subword_lab.files import read_bounded
from subword_lab.html import Html, Shown
from subword_lab.views import Table, table

from . import likeness, pool, submissions
from .decisions import BY_HAND, DEDUCTION, Override, called, decided, weighed
from .marking import Job, Marked, Marks, telling
from .sandbox import bubblewrap
from .sandbox.notebook import SECONDS, trial
from .submissions import Learner, Submission, printable, spellings
from .triage import of_most, triage

ByLearner = dict[Learner, list[tuple[Submission, Marks]]]
DAY = 24 * 60 * 60  # seconds, at most for a notebook


class NoSandbox(RuntimeError):
    """Notebooks cannot be run in a sandbox on this machine; the message says why and what can be done."""


@dataclass(frozen=True)
class Row:
    """A learner's results. answers: exercise id -> what was made of the answer that counts (see `marking.Marked`).

    overrides: exercise id -> what a person decided. problem: why no notebook was graded; "" if one was. remarks: what
    else there is to know; flags: those of them that somebody should look at; notices: those that are for the learner,
    too. late: how late it was handed in; "" if it was not; days_late: days begun. deducted: the percentage that the
    rules take off. due, seed: whose figures were asked for, as its first notebook has it. hints, solutions: how often
    its code asks for them. place: where a page for the learner belongs, as the notebooks lie.
    """

    learner: Learner
    notebooks: list[str]
    answers: dict[str, dict] = field(default_factory=dict)
    failures: list[dict] = field(default_factory=list)
    problem: str = ""
    remarks: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    late: str = ""
    due: str = ""
    seed: int = 0
    hints: int = 0
    solutions: int = 0
    place: str = ""
    overrides: dict[str, Override] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    days_late: int = 0
    deducted: float = 0.0


@dataclass(frozen=True)
class Grades(Shown):
    """What came of a class: a row for each learner, and the exercises that were graded, in the order of the course."""

    rows: list[Row]
    exercises: list[Exercise]
    left_out: list[str] = field(
        default_factory=list
    )  # exercises that stood in few learners' notebooks
    seed: int | None = None

    @property
    def possible(self) -> int:
        return sum(exercise.points for exercise in self.exercises)

    def points(self, row: Row, exercise: Exercise) -> float | None:
        """What a learner has for an exercise, by a person's decision if there is one; None if it was not graded."""
        override = row.overrides.get(exercise.id)
        return override.points if override else self.marked_points(row, exercise)

    def marked_points(self, row: Row, exercise: Exercise) -> float | None:
        """What the marking gave for an exercise, whatever a person decided; None if nothing was graded."""
        if row.problem or exercise.kind is BY_HAND:
            return None
        score = row.answers[exercise.id]["score"] if exercise.id in row.answers else 0.0
        return round(score * exercise.points, 2)

    def total(self, row: Row) -> float | None:
        """What a learner has in all, without what is taken off; None if nothing of theirs was graded."""
        return self.sum(row, self.exercises)

    def sum(self, row: Row, exercises: Iterable[Exercise]) -> float | None:
        """What a learner has for some of the exercises, without what is taken off; None if none of them was graded."""
        points = [self.points(row, exercise) for exercise in exercises]
        if None in points and set(points) <= {None}:
            return None
        return round(sum(point or 0 for point in points) * (1 - row.deducted / 100), 2)

    def decisions(self, row: Row) -> list[str]:
        """What a person decided on a learner's exercises, in words, with what the marking gave.

        >>> row = Row(Learner("Kim", "7"), [], overrides={"text-01": Override("Kim", "text-01", 1, "Well argued.")})
        >>> Grades([row], list(catalog().values())[:1]).decisions(row)
        ['text-01: 1 by a person, 0 by the marking: Well argued.']
        """
        graded, told = {exercise.id: exercise for exercise in self.exercises}, list[str]()
        for id, override in row.overrides.items():
            if id not in graded:
                told.append(f"{id}: decided by a person, but not graded; name it with --exercises")
            elif graded[id].kind is not BY_HAND:  # which has a column to itself
                marked = self.marked_points(row, graded[id])
                before = "nothing" if marked is None else f"{marked:g}"
                comment = f": {override.comment}" if override.comment else ""
                told.append(
                    f"{id}: {override.points:g} by a person, {before} by the marking{comment}"
                )
        return told

    def summary(self) -> str:
        """How many learners, exercises and points there are, what was reached on average, and what to look at.

        >>> Grades([], []).summary()
        '0 learners, 0 exercises, 0 points'
        """
        totals = [total for row in self.rows if (total := self.total(row)) is not None]
        text = ", ".join(
            [
                counted(len(self.rows), "learner"),
                counted(len(self.exercises), "exercise"),
                counted(self.possible, "point"),
            ]
        )
        if totals and self.possible:
            mean = sum(totals) / len(totals)
            text += f"; on average {mean:.1f} points, {100 * mean / self.possible:.1f}%"
        notes = [
            f"{row.learner.name}: {' '.join(note.split())}"  # a learner's words make no line of theirs
            for row in self.rows
            for note in (*looked_at(row), *self.decisions(row))
        ]
        return "\n".join([text, *notes])

    def frame(self) -> DataFrame:
        """The points as a DataFrame: a row for each learner, a column for each exercise; NaN where nothing was graded.

        >>> Grades([Row(Learner("Kim", "7"), [])], list(catalog().values())[:2]).frame()
                 text-01  text-02
        learner
        Kim          0.0      0.0
        """
        names = Index([row.learner.name for row in self.rows], name="learner")
        return DataFrame(
            [[self.points(row, exercise) for exercise in self.exercises] for row in self.rows],
            names,
            [exercise.id for exercise in self.exercises],
            dtype=float,
        )

    def _table(self) -> Table:
        rows = [
            [
                row.learner.name,
                *(self.points(row, exercise) for exercise in self.exercises),
                self.total(row),
                self.possible,
                "; ".join([*remarks(row), *self.decisions(row)]),
            ]
            for row in self.rows
        ]
        return table(
            rows,
            ["learner", *[exercise.id for exercise in self.exercises], "total", "of", "remarks"],
        )

    def __repr__(self) -> str:
        return repr(self._table())

    def html(self) -> Html:
        return self._table().html()


def grade(
    folder: str | Path,
    *,
    seed: int | None = None,
    secret_seed: int | None = None,
    exercises: Sequence[str] = (),
    jobs: int | None = None,
    timeout: float = SECONDS,
    trust: bool = False,
    learner_pattern: str = "",
    exercises_file: str | Path | None = None,
    results: str | Path | None = None,
    due: datetime | None = None,
    dask: str = "",
    overrides: Sequence[Override] = (),
    rubric: str | Path | None = None,
    late: float = 0.0,
    hints: float = 0.0,
    only: str = "",
    names: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, count: None,
) -> Grades:
    """Mark all notebooks of a folder (see `submissions` for how a folder may look).

    seed: the class's seed: then the variants count that were handed out with it, and otherwise those that a learner
    saw. secret_seed: decides on further inputs for learners' functions; left out, it is the seed. exercises: ids,
    lessons (`01_bpe`) or notebooks (`own.ipynb`, as it was handed out); left out, all that stand in the notebooks of
    most learners. timeout: seconds for a notebook; a single cell gets a sixth of it. trust: run them without a sandbox.
    exercises_file: exercises of your own. results: a file that keeps the marks of each notebook, so that it is not run
    again unless something has changed. due: what was handed in later is late. dask: the address of a Dask cluster,
    which marks in place of this machine. overrides: what a person decided (see `decisions.read_overrides`), which
    counts in place of the marks. rubric: weights, and what is marked by hand (see `decisions.weighed`). late: the
    percentage of the points that is taken off for each day begun after `due`; hints: that for each hint or solution
    asked for in the notebook's code. only: the name or id of the one learner who is marked, again if need be, and has
    a row; what the results keep of the others is looked at, and nothing of theirs is run. names: of all to whom a copy
    was handed out; then a notebook that bears another one is marked by its owner's figures, and pointed out. progress:
    is told how many notebooks of how many are done.

    Raises ValueError for a folder, exercises or a pattern that there are not, for results that would lie among what was
    handed in, for an override that fits no learner, exercise or points, for copies most of which were handed out with
    another seed, or a cluster that does not answer; NoSandbox if there is none and `trust` was not given.
    """
    if not 0 < timeout <= DAY:
        raise ValueError(f"the timeout is {timeout} seconds; expected at most {DAY}, a day")
    if late and not due:
        raise ValueError("late is a percentage for each day, and due is not given; expected a time")
    handed_in = submissions.find(Path(folder), learner_pattern)
    learners = {submission.learner for submission in handed_in}
    alone = called(only, learners) if only else None
    own = str(Path(exercises_file).absolute()) if exercises_file else ""
    bank = catalog([own] if own else [])
    if rubric:
        bank = weighed(bank, Path(rubric))
    wanted = chosen([*exercises, *_by_hand(bank)], bank) if exercises else None
    decisions = decided(overrides, learners, bank, wanted)
    handed_in = triage(handed_in, bank, wanted, seed)
    if results and Path(results).resolve().is_relative_to(Path(folder).resolve()):
        raise ValueError(
            f"{results} would lie in {folder}, among what was handed in; name another place for it"
        )
    if not trust and not dask and any(not submission.problem for submission in handed_in):
        require_sandbox()
    kept = pool.Kept(results, own)
    tasks = [
        (submission, Job(submission.learner.name, seed, secret_seed, timeout, trust, own))
        for submission in handed_in
    ]
    with pool.dask(dask, own) if dask else pool.local(jobs or _processors()) as (mark, at_once):
        marks = pool.mark_all(mark, at_once, tasks, kept, progress, alone)
        others = {
            number: (one, replace(job, due=owner))
            for number, ((one, job), found) in enumerate(zip(tasks, marks))
            if seed is not None and (owner := _owner(one.learner, found.handed_to, names))
        }
        again = pool.mark_all(mark, at_once, list(others.values()), kept, alone=alone)
        for number, mended in zip(others, again):
            marks[number] = mended
    found = _grades(handed_in, marks, bank, wanted, seed, due)
    rows = [
        _settled(
            row,
            decisions.get(row.learner, {}),
            rules=late * row.days_late + hints * (row.hints + row.solutions),
        )
        for row in found.rows
        if alone in (None, row.learner)
    ]
    return replace(found, rows=rows)


def _settled(row: Row, overrides: dict[str, Override], rules: float) -> Row:
    """The row with a person's decisions, and the percentage that these, or else the rules, take off."""
    decision = overrides.pop(DEDUCTION, None)
    off = decision.points if decision else min(rules, 100)
    has_points = overrides or not row.problem
    told = [f"{off:g}% of the points is taken off"] if decision or (off and has_points) else []
    if decision:
        told[0] += f", as a person decided; by the rules, {rules:g}%. {decision.comment}".rstrip()
    return replace(
        row,
        overrides=overrides,
        deducted=off,
        notices=[*told, *row.notices],
        remarks=[*told, *row.remarks],
    )


def _by_hand(bank: dict[str, Exercise]) -> list[str]:
    return [id for id, exercise in bank.items() if exercise.kind is BY_HAND]


def _owner(learner: Learner, stamp: str | None, listed: Sequence[str]) -> str | None:
    """Whose figures are due, where a list of names says that it is not those that the notebook shows; else None.

    Without a list nothing says who is who: names are written in many ways, and a learner can bear another one's. What
    somebody else hands in never decides.
    """
    own = listed_as(learner, listed)
    if not listed or stamp in (own or listed):
        return None
    return own[0] if len(own) == 1 else learner.name


def listed_as(learner: Learner, listed: Sequence[str]) -> list[str]:
    """The names on a list that may be a path's learner: theirs to the letter, or else those that fit."""
    exact = [name for name in listed if name in (learner.name, learner.id)]
    return exact or [name for name in listed if fits(learner, name)]


def fits(learner: Learner, name: str | None) -> bool:
    """Whether a path's learner can be whom a notebook was handed out to; Canvas turns Kim Lee into leekim."""
    if not name or name in (learner.name, learner.id):
        return True
    return bool(spellings(name) & (spellings(learner.name) | spellings(learner.id)))


def require_sandbox() -> None:
    """NoSandbox, with the reason and the ways out, if notebooks cannot be run in one here."""
    way_out = (
        "Learners' notebooks are programs, and may do anything. Run this on Linux with bubblewrap (for example "
        "`apt install bubblewrap`) or in a container of your own; or, if you trust whoever wrote them, "
        "add --trust, and only time, memory and output are limited."
    )
    if not bubblewrap.is_installed():
        raise NoSandbox(
            f"bubblewrap is not installed, so there is no sandbox to run the notebooks in. {way_out}"
        )
    if reason := trial():
        raise NoSandbox(f"bubblewrap is installed, but does not work here ({reason}). {way_out}")


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen(names: Iterable[str], bank: dict[str, Exercise]) -> list[str]:
    """The ids of exercises that are named by id, by lesson, or by a notebook in which they stand.

    A lesson is named as `lessons.meant` has it; exercises of your own, by how their ids begin.

    Raises ValueError for a name that is none of these.
    """
    ids, unknown = list[str](), list[str]()
    for name in names:
        if name in bank:
            ids.append(name)
        elif str(name).endswith(".ipynb"):
            try:
                ids += submissions.parse(read_bounded(name)).mentioned(bank)
            except (OSError, submissions.Refused) as error:
                raise ValueError(f"the exercises of {name!r} cannot be read: {error}") from None
        else:
            lesson = lessons.meant(name)
            group = [
                id for id in bank if id.rpartition("-")[0] == (lesson.exercises if lesson else name)
            ]
            unknown += [repr(name)] * (not group)
            ids += group
    if unknown:
        raise ValueError(
            f"there is no exercise, lesson or notebook {', '.join(unknown)}; "
            f"lessons are {', '.join(lessons.names())}"
        )
    return [id for id in bank if id in ids]


# ------------------------------------------------------------------------------------------------------------- the rows


def remarks(row: Row) -> list[str]:
    """What there is to know about a row, in words."""
    return [f"not graded: {row.problem}", *row.notices] if row.problem else row.remarks


def looked_at(row: Row) -> list[str]:
    """What whoever marks should look at in a row, in words."""
    told = remarks(row) if row.problem else [*row.notices, *row.flags]
    return [*told, *[row.late] * bool(row.late)]


def _grades(
    handed_in: Sequence[Submission],
    marks: Sequence[Marks],
    bank: dict[str, Exercise],
    wanted: list[str] | None,
    seed: int | None,
    due: datetime | None,
) -> Grades:
    by_learner: ByLearner = {}
    for submission, found in zip(handed_in, marks):
        by_learner.setdefault(submission.learner, []).append((submission, found))
    seen = [{id for _, marks in own for id in marks.found} for own in by_learner.values()]
    graded = {*of_most(seen), *_by_hand(bank)} if wanted is None else wanted
    columns = [id for id in bank if id in graded]
    notes = _shared(by_learner, bank)
    rows = [_row(learner, own, notes[learner], bank, due) for learner, own in by_learner.items()]
    rows.sort(key=lambda row: (row.learner.name.casefold(), row.learner.id))
    others = set[str]().union(*seen) - set(columns)
    left_out = [id for id in bank if id in others and wanted is None]
    return Grades(rows, [bank[id] for id in columns], left_out, seed)


def _row(
    learner: Learner,
    own: list[tuple[Submission, Marks]],
    notes: list[str],
    bank: dict[str, Exercise],
    due: datetime | None,
) -> Row:
    flags, told, failures, notices = list(notes), list[str](), list[dict](), list[str]()
    counting = dict[str, tuple[Marked, str]]()  # the answer to an exercise, and its notebook
    twice = dict[str, list[str]]()  # what is answered in two notebooks, by these
    for submission, marks in own:
        label = printable(submission.label)
        where = f"{label}: " if len(own) > 1 else ""
        failures += [{"notebook": label, **asdict(failure)} for failure in marks.failures]
        told += [f"{where}{marks.problem}"] * bool(marks.problem)
        more = f", and {len(marks.failures) - 1} more" if len(marks.failures) > 1 else ""
        told += [
            f"{where}cell {one.cell} failed ({one.error}: {one.message}){more}"
            for one in marks.failures[:1]
        ]
        notices += [f"{where}{notice}" for notice in submission.notices]
        flags += [f"{where}stopped {marks.stopped}; what came before counts"] * bool(marks.stopped)
        flags += [f"{where}{flag}" for flag in marks.flags]
        if not fits(learner, marks.handed_to) or marks.handed_to not in (None, marks.due):
            flags.append(f"{where}it was handed out to {marks.handed_to or 'nobody in particular'}")
        for answer in marks.answers:
            id, (before, other) = answer.exercise, counting.get(answer.exercise, (answer, ""))
            if id in bank and telling(answer) >= telling(before):
                if other and telling(before)[0] == telling(answer)[0] == 2:
                    twice.setdefault(f"{other} and {label}", []).append(id)
                counting[id] = answer, label
    for places, ids in twice.items():
        flags.append(f"answered in {places}, of which the last counts: {', '.join(ids)}")
    problem = "; ".join(told) if all(marks.problem for _, marks in own) else ""
    answers = {
        id: {**asdict(answer), "notebook": label}
        for id, (answer, label) in counting.items()
        if not problem
    }
    late, days = _late([submission for submission, _ in own], due)
    return Row(
        learner,
        [printable(submission.label) for submission, _ in own],
        answers,
        failures,
        problem,
        notices + flags + told,
        flags,
        late,
        own[0][1].due,
        own[0][1].seed,
        sum(marks.hints for _, marks in own),
        sum(marks.solutions for _, marks in own),
        own[0][0].place,
        notices=notices,
        days_late=days,
    )


def _late(own: Sequence[Submission], due: datetime | None) -> tuple[str, int]:
    """In words, by how much the last of somebody's notebooks came late, and days begun; "" and 0 if it did not."""
    times = [time for submission in own if (time := submission.time())]
    seconds = (max(times) - due.astimezone()).total_seconds() if due and times else 0
    if seconds > 0:
        hours, days = seconds / 3600, math.ceil(seconds / DAY)
        if hours < 1:
            return f"late by {counted(math.ceil(seconds / 60), 'minute')}", days
        return f"late by {f'{hours:.1f} hours' if hours < 48 else f'{hours / 24:.1f} days'}", days
    said = any(submissions.platform(submission.owner).get("late") for submission in own)
    return "late" if said and not due else "", 0  # as Canvas has it


def _shared(by_learner: ByLearner, bank: dict[str, Exercise]) -> dict[Learner, list[str]]:
    """Remarks on a notebook that was handed out to one and handed in by several, and on code that is alike."""
    notes, holders = defaultdict[Learner, list[str]](list), defaultdict[str, list[Learner]](list)
    for learner, own in by_learner.items():
        for name in {marks.handed_to for _, marks in own if marks.handed_to is not None}:
            holders[name].append(learner)
    nobodys = holders.pop("", [])
    for learner in nobodys if holders else ():
        notes[learner].append("a notebook says that it was handed out to nobody in particular")
    for name, learners in sorted(holders.items()):
        for learner in learners if len(learners) > 1 else ():
            others = ", ".join(str(other) for other in learners if other != learner)
            notes[learner].append(
                f"the notebook handed out to {name} was handed in by {others} too"
            )
    # Of code with a mistake or a gap in it everybody is given most.
    own_code = {id for id, exercise in bank.items() if exercise.kind.name not in ("repair", "gap")}
    codes = {
        learner: {
            one.exercise: one.code
            for _, marks in own
            for one in marks.answers
            if one.code and one.exercise in own_code
        }
        for learner, own in by_learner.items()
    }
    solutions = {
        id: likeness.fingerprint(source_of(Instance(bank[id]).asked.answer))
        for id in {id for own in codes.values() for id in own}
    }
    for learner, remark in likeness.remarks(codes, solutions):
        notes[learner].append(remark)
    return notes
