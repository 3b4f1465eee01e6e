"""A folder of notebooks becomes grades: a row for each learner, a column for each exercise."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from pandas import DataFrame, Index

from subword_lab import lessons
from subword_lab.arguments import check, counted
from subword_lab.exercises import Exercise, Instance, catalog
from subword_lab.exercises.code import source_of
from subword_lab.files import read_bounded
from subword_lab.html import Html, Shown
from subword_lab.views import Table, table

from . import likeness, pool, submissions
from .decisions import BY_HAND, DEDUCTION, Override, called, decided, weighed
from .hints import asked_for
from .marking import MOST_FAILURES, Job, Marked, Marks, telling
from .sandbox import bubblewrap, notebook
from .submissions import Learner, Submission, grouped, is_same_name, printable
from .triage import mentioned, of_most, triage

ByLearner = dict[Learner, list[tuple[Submission, Job, Marks]]]
DAY = 24 * 60 * 60  # seconds, at most for a notebook
LOOKED_UP = re.compile(r"\.asked\.(?:answer|solution)|\bexercises\.bank\b")
MOST_TOLD = 5  # things of a kind that are said of a learner
MANY = 4  # different answers to one exercise are worth a remark


class NoSandbox(ValueError):
    """Notebooks cannot be run in a sandbox on this machine; the message says why and what can be done."""


@dataclass
class Row:
    """A learner's results. answers: exercise id -> what was made of the answer that counts (see `marking.Marked`).

    overrides: exercise id -> what a person decided. problem: why no notebook was graded; "" if one was. notices: what
    the learner is to know, too; flags: what somebody should look at; failed: cells and notebooks that did not work.
    late: how late it was handed in; "" if it was not; days_late: days begun. deducted: the percentage that is taken
    off. due, seed: whose figures were asked for, as its first notebook has it. hints, solutions: how often its code
    asks for them. place: where a page for the learner belongs, as the notebooks lie. named: what a platform says of the
    learner by its way to name files (see `submissions.platform`).
    """

    learner: Learner
    notebooks: list[str]
    answers: dict[str, dict] = field(default_factory=dict)
    failures: list[dict] = field(default_factory=list)
    problem: str = ""
    notices: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    late: str = ""
    days_late: int = 0
    deducted: float = 0.0
    due: str = ""
    seed: int = 0
    hints: int = 0
    solutions: int = 0
    place: str = ""
    named: dict[str, str] = field(default_factory=dict)
    overrides: dict[str, Override] = field(default_factory=dict)

    @property
    def remarks(self) -> list[str]:
        """What there is to know about it, in words."""
        if self.problem:
            return [f"not graded: {self.problem}", *self.notices]
        return [*self.notices, *self.flags, *self.failed]

    @property
    def to_look_at(self) -> list[str]:
        """What whoever marks should look at, in words."""
        told = self.remarks if self.problem else [*self.notices, *self.flags]
        return [*told, *filter(None, [self.late])]


@dataclass(frozen=True)
class Grades(Shown):
    """What came of a class: a row for each learner, and the exercises that were graded, in the order of the course.

    left_out: exercises that stood in few learners' notebooks. notes: what else there is to know of what was graded.
    """

    rows: list[Row]
    exercises: list[Exercise]
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
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

    def total(self, row: Row, exercises: Iterable[Exercise] | None = None) -> float | None:
        """What a learner has in all, or for some of the exercises; None if none of them was graded."""
        asked = self.exercises if exercises is None else exercises
        points = {exercise.id: self.points(row, exercise) for exercise in asked}
        if points and set(points.values()) == {None}:
            return None
        return round(sum(has or 0 for has in points.values()) * (1 - row.deducted / 100), 2)

    def waiting(self, row: Row) -> list[Exercise]:
        """What a person has to mark by hand, and has not yet; it counts as nothing until then."""
        if row.problem and not row.overrides:
            return []
        return [
            each
            for each in self.exercises
            if each.kind is BY_HAND and self.points(row, each) is None
        ]

    def percentage(self, row: Row) -> float | None:
        """A learner's share of the possible points; None if nothing was graded, or there is nothing to be had."""
        total = self.total(row)
        return None if total is None or not self.possible else round(100 * total / self.possible, 1)

    def decisions(self, row: Row) -> list[str]:
        """What a person decided on a learner's exercises, in words, with what the marking gave.

        >>> row = Row(Learner("Kim", "7"), [], overrides={"text-01": Override("Kim", "text-01", 1, "Well argued.")})
        >>> Grades([row], list(catalog().values())[:1]).decisions(row)
        ['text-01: 1 by a person, 0 by the marking: Well argued.']
        """
        told = []
        for exercise in self.exercises:
            override = row.overrides.get(exercise.id)
            if override and exercise.kind is not BY_HAND:  # which has a column to itself
                marked = self.marked_points(row, exercise)
                before = "nothing" if marked is None else f"{marked:g}"
                comment = f": {override.comment}" if override.comment else ""
                told.append(
                    f"{exercise.id}: {override.points:g} by a person, {before} by the marking{comment}"
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
        if waiting := [row.learner.name for row in self.rows if self.waiting(row)]:
            text += f"\nNot all that is marked by hand is marked yet: {', '.join(_first(waiting))}."
        notes = [
            f"{row.learner.name}: {' '.join(note.split())}"  # a learner's words make no line of theirs
            for row in self.rows
            for note in (*row.to_look_at, *self.decisions(row))
        ]
        return "\n".join([text, *notes])

    def frame(self) -> DataFrame:
        """The points as a DataFrame: a row for each learner, a column for each exercise; NaN where nothing was graded.

        >>> Grades([Row(Learner("Kim", "7"), [])], list(catalog().values())[:2]).frame()
                 text-01  text-02
        learner
        Kim          0.0      0.0
        """
        return DataFrame(
            [[self.points(row, exercise) for exercise in self.exercises] for row in self.rows],
            Index([row.learner.name for row in self.rows], name="learner"),
            [exercise.id for exercise in self.exercises],
            dtype=float,
        )

    def _table(self) -> Table:
        return table(
            [
                [
                    row.learner.name,
                    *(self.points(row, exercise) for exercise in self.exercises),
                    self.total(row),
                    self.possible,
                    "; ".join([*row.remarks, *self.decisions(row)]),
                ]
                for row in self.rows
            ],
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
    timeout: float = notebook.SECONDS,
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
    asked for in the notebook's code. only: the name or id of the one learner whose notebooks are run again, even where
    their marks are kept. names: of all to whom a copy was handed out; then a notebook that bears another one is marked
    by its owner's figures, and pointed out. progress: is told how many notebooks of how many are done.

    Raises ValueError for a folder, exercises or a pattern that there are not, for an override that fits no learner,
    exercise or points, for copies most of which were handed out with another seed, or to nobody where there are names,
    or a cluster that does not answer; NoSandbox if there is none and `trust` was not given.
    """
    check(0 < timeout <= DAY, f"the timeout is {timeout} seconds; expected at most {DAY}, a day")
    check(
        due or not late, "late is a percentage for each day, and due is not given; expected a time"
    )
    handed_in = submissions.find(Path(folder), learner_pattern)
    own = str(Path(exercises_file).absolute()) if exercises_file else ""
    plain = catalog([own] if own else [])
    bank = weighed(plain, Path(rubric)) if rubric else plain
    # What a rubric adds is marked by hand, and may be called like any string in the code.
    asked = mentioned(handed_in, plain)
    wanted = {*chosen(exercises, bank)} if exercises else of_most(asked.values())
    graded = {id: each for id, each in bank.items() if id in wanted or id not in plain}
    decisions = decided(overrides, asked, graded)
    again = called(only, asked) if only else None
    handed_in = triage(handed_in, asked, graded.keys() & plain.keys(), seed, names)
    work = [
        Job(
            cells=one.notebook.cells,
            shown=one.notebook.shown,
            seed=(one.notebook.seed or 0) if seed is None else seed,
            learner=_due(one, names, seed),
            strictly=seed is not None,
            secret=seed if secret_seed is None else secret_seed,
            seconds=timeout,
            trust=trust,
            exercises_file=own,
        )
        for one in handed_in
    ]
    tasks = [(one.learner, job) for one, job in zip(handed_in, work) if not one.problem]
    if tasks and not trust and not dask:
        require_sandbox()
    kept = pool.Kept(results, own)
    with pool.dask(dask, own) if dask else pool.local(jobs) as (begin, at_once):
        done = iter(pool.mark_all(begin, at_once, tasks, kept, again, progress))
    marks = [Marks(one.problem) if one.problem else next(done) for one in handed_in]
    rows = _rows(zip(handed_in, work, marks), plain, graded, due)
    for row in rows:
        rules = late * row.days_late + hints * (row.hints + row.solutions)
        _settle(row, decisions.get(row.learner, {}), min(rules, 100))
    notes, held = list[str](), {} if exercises else asked  # what is graded because most hold it
    left_out = [id for id in plain if id not in graded and any(id in ids for ids in held.values())]
    if some := [one.name for one, ids in held.items() if 0 < len({*ids} & wanted) < len(wanted)]:
        notes.append(
            "Graded is what most notebooks hold, of which those of "
            f"{', '.join(_first(sorted(some)))} hold only a part."
        )
    if idle := [id for id in plain if id not in graded and bank[id] is not plain[id]]:
        notes.append(
            f"The rubric has points for {', '.join(idle)}, not graded here; name it with --exercises."
        )
    return Grades(rows, list(graded.values()), left_out, notes, seed)


def _settle(row: Row, overrides: dict[str, Override], rules: float) -> None:
    """Put a person's decisions into the row, and the percentage that these, or else the rules, take off."""
    decision = overrides.pop(DEDUCTION, None)
    row.overrides, row.deducted = overrides, decision.points if decision else rules
    told = f"{row.deducted:g}% of the points is taken off"
    if decision:
        told += f", as a person decided; by the rules, {rules:g}%. {decision.comment}".rstrip()
    if decision or (rules and (overrides or not row.problem)):
        row.notices.insert(0, told)


def _due(one: Submission, names: Sequence[str], seed: int | None) -> str:
    """Whose figures are due: those of whom the notebook was handed out to, as it says, or else its learner's.

    names: the list of those to whom copies were handed out. seed: the class's; without one there is no list, and in a
    notebook that nobody handed out the figures are nobody's.

    A list of names decides where it says that the notebook is somebody else's. Without a list nothing says who is who:
    names are written in many ways, and a learner can bear another one's. What somebody else hands in never decides.
    """
    listed = names if seed is not None else ()
    told, own = one.notebook.learner, listed_as(one.learner, listed)
    if seed is None and one.notebook.seed is None:
        return ""
    if told is not None and (not listed or told in (own or listed)):
        return told
    return own[0] if len(own) == 1 else one.learner.name


def listed_as(learner: Learner, listed: Sequence[str]) -> list[str]:
    """The names on a list that may be a path's learner: theirs to the letter, or else those that fit."""
    exact = [name for name in listed if name in (learner.name, learner.id)]
    return exact or [name for name in listed if fits(learner, name)]


def fits(learner: Learner, name: str | None) -> bool:
    """Whether a path's learner can be whom a notebook was handed out to; Canvas turns Kim Lee into leekim."""
    if not name or name in (learner.name, learner.id):
        return True
    return is_same_name(name, learner.name) or is_same_name(name, learner.id)


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
    if reason := notebook.trial():
        raise NoSandbox(f"bubblewrap is installed, but does not work here ({reason}). {way_out}")


def chosen(names: Iterable[str], bank: dict[str, Exercise]) -> list[str]:
    """The ids of exercises that are named by id, by lesson, or by a notebook in which they stand.

    A lesson is named as `lessons.meant` has it; exercises of your own, by how their ids begin.

    Raises ValueError for a name that is none of these.
    """
    found: dict[str, list[str]] = {}
    for name in map(str, names):
        lesson = None if name in bank else lessons.meant(name)
        group = lesson.exercises if lesson else name
        found[name] = [id for id in bank if id == name or id.rpartition("-")[0] == group]
        if name.endswith(".ipynb"):
            try:
                found[name] = submissions.parse(read_bounded(name)).mentioned(bank)
            except (OSError, submissions.Refused) as error:
                raise ValueError(f"the exercises of {name!r} cannot be read: {error}") from None
    unknown = [name for name in found if not found[name] and not name.endswith(".ipynb")]
    check(
        not unknown,
        f"there is no exercise, lesson or notebook {', '.join(map(repr, unknown))}; "
        f"lessons are {', '.join(lessons.names())}",
    )
    return [id for id in bank if any(id in ids for ids in found.values())]


# ------------------------------------------------------------------------------------------------------------- the rows


def _rows(
    marked: Iterable[tuple[Submission, Job, Marks]],
    bank: dict[str, Exercise],
    graded: dict[str, Exercise],
    due: datetime | None,
) -> list[Row]:
    """A row for each learner, by their names."""
    by_learner: ByLearner = grouped((entry[0].learner, entry) for entry in marked)
    rows = {learner: _row(learner, own, bank, graded, due) for learner, own in by_learner.items()}
    for learner, remark in _shared(by_learner, bank):
        rows[learner].flags.append(remark)
    return sorted(rows.values(), key=lambda row: (row.learner.name.casefold(), row.learner.id))


def _row(
    learner: Learner,
    own: list[tuple[Submission, Job, Marks]],
    bank: dict[str, Exercise],
    graded: dict[str, Exercise],
    due: datetime | None,
) -> Row:
    asks = graded.keys() & bank.keys()
    graded_in = [
        one
        for one, _, marks in own
        if one.notebook.mentioned(asks) or {answer.exercise for answer in marks.answers} & asks
    ]
    if not graded_in:  # then what holds no exercise at all, or holds what is marked by hand
        graded_in = [one for one, *_ in own if not asks or not one.notebook.mentioned(bank)]
    late, days_late = _late(graded_in, due)
    asked, is_all = asked_for([one.notebook.cells for one in graded_in], bank)
    first, job, _ = own[0]
    row = Row(
        learner,
        [printable(one.label) for one, *_ in own],
        late=late,
        days_late=days_late,
        due=job.learner,
        seed=job.seed,
        hints=asked["hint"],
        solutions=asked["solution"],
        place=first.place,
        named=submissions.platform(first.owner),
    )
    counting = dict[str, Marked]()
    twice = dict[str, list[str]]()  # what is answered in two notebooks, by these
    flags = list[tuple[str, str]]()  # by their kind, so that many of one hide none of another
    for label, (one, job, marks) in zip(row.notebooks, own):
        where = f"{label}: " if len(own) > 1 else ""
        row.failures += [
            {"notebook": label, **asdict(each)}
            for each in marks.failures[: MOST_FAILURES - len(row.failures)]
        ]
        row.notices += [f"{where}{one.notice}"] * bool(one.notice)
        flags += [(kind, f"{where}{flag}") for kind, flag in _flags(one, job, marks)]
        row.failed += [f"{where}{words}" for words in _failed(marks)]
        for answer in marks.answers:
            before = counting.get(id := answer.exercise, answer)
            if id in bank and telling(answer) >= telling(before):
                if before is not answer and telling(before)[0] == telling(answer)[0] == 2:
                    twice.setdefault(f"{row.answers[id]['notebook']} and {label}", []).append(id)
                counting[id], row.answers[id] = answer, {**asdict(answer), "notebook": label}
    if not is_all:
        flags.append(("hints", "its code is too long to look for hints and solutions in all of it"))
    flags += [
        ("twice", f"answered in {places}, of which the last counts: {', '.join(ids)}")
        for places, ids in twice.items()
    ]
    row.notices, row.failed = map(_first, (row.notices, row.failed))
    row.flags = [flag for told in grouped(flags).values() for flag in _first(told)]
    if all(marks.ended and not marks.answers for *_, marks in own):
        row.problem, row.answers = "; ".join(row.failed), {}
    return row


def _first(told: list[str]) -> list[str]:
    """The first things that are said of a learner's notebooks, of which there may be thousands, and how many more."""
    more = len(told) - MOST_TOLD
    return told[:MOST_TOLD] + [f"and {more:,} more of this kind"] * (more > 0)


def _failed(marks: Marks) -> Iterator[str]:
    """What in a notebook did not work, in words that its learner reads, too."""
    if marks.ended and not marks.answers:
        yield marks.ended
    if marks.failures:
        one, more = marks.failures[0], marks.failed - 1
        others = f", and {more} more" if more else ""
        yield f"cell {one.cell} failed ({one.error}: {one.message}){others}"


def _flags(one: Submission, job: Job, marks: Marks) -> Iterator[tuple[str, str]]:
    """What somebody should look at in a notebook: of which kind it is, and in words."""
    if marks.ended and marks.answers:
        yield "stopped", f"stopped {marks.ended}; what came before counts"
    other = {*marks.strange, *(each.exercise for each in marks.answers if each.other_variant)}
    if other:
        more = f" and {len(other) - 5} more" if len(other) > 5 else ""
        yield (
            "figures",
            "its answers or its saved outputs belong to other figures than this learner's: "
            f"{', '.join(sorted(other)[:5])}{more}",
        )
    if cells := [n for n, cell in enumerate(job.cells, 1) if LOOKED_UP.search(cell)]:
        yield "looked up", f"cell {cells[0]} names the answers that come with the course"
    for answer in marks.answers:
        if answer.tries >= MANY:
            yield (
                "answers",
                f"{answer.exercise} was answered in {answer.tries} ways, of which the last counts",
            )
        elif answer.best > answer.score:
            yield (
                "answers",
                f"{answer.exercise} was answered better before, and the last answer counts",
            )
    told = one.notebook.learner
    if not fits(one.learner, told) or told not in (None, job.learner):
        yield "handed out", f"it was handed out to {told or 'nobody in particular'}"


def _late(own: Sequence[Submission], due: datetime | None) -> tuple[str, int]:
    """In words, by how much the last of somebody's notebooks came late, and days begun; "" and 0 if it did not."""
    times = [one.time for one in own if one.time]
    end = due and due.astimezone()
    seconds = (max(times) - end).total_seconds() if end and times else 0
    if not end or seconds <= 0:
        said = any(submissions.platform(one.owner).get("late") for one in own)  # as Canvas has it
        unknown = "it is not known when it was handed in" if len(times) < len(own) else ""
        return unknown if due else "late" * said, 0
    came = max(times).astimezone()  # a day at the end of summer time has 25 hours
    by_the_clock = came.replace(tzinfo=None) - end.replace(tzinfo=None)
    hours = seconds / 3600
    by = f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:.1f} days"
    if hours < 1:
        by = counted(math.ceil(seconds / 60), "minute")
    return f"late by {by}", max(1, math.ceil(by_the_clock / timedelta(days=1)))


def _shared(by_learner: ByLearner, bank: dict[str, Exercise]) -> Iterator[tuple[Learner, str]]:
    """Remarks on a notebook that was handed out to one and handed in by several, and on code that is alike."""
    # Of code with a mistake or a gap in it everybody is given most.
    written = {id for id, exercise in bank.items() if exercise.kind.name == "function"}
    holders = grouped(
        (name, learner)
        for learner, own in by_learner.items()
        for name in {one.notebook.learner for one, *_ in own} - {None}
    )
    codes = dict[Learner, dict[str, str]]()
    for learner, own in by_learner.items():
        last = {
            answer.exercise: likeness.code_checked(one.notebook.cells, answer.cell, answer.exercise)
            for one, _, marks in own
            for answer in marks.answers
            if answer.cell and answer.exercise in written and answer.outcome != "invalid"
        }
        codes[learner] = {id: likeness.fingerprint(*code) for id, code in last.items()}
    nobodys = holders.pop("", [])
    named = {learner for learners in holders.values() for learner in learners}
    for learner in nobodys if len(nobodys) <= len(named) else ():
        yield learner, "a notebook says that it was handed out to nobody in particular"
    for learner in named if len(nobodys) > len(named) else ():
        yield learner, "a notebook says whom it was handed out to, and most others do not"
    for name, learners in sorted(holders.items()):
        for learner in learners if len(learners) > 1 else ():
            others = ", ".join(str(other) for other in learners if other != learner)
            yield learner, f"the notebook handed out to {name} was handed in by {others} too"
    solutions = {
        id: likeness.fingerprint(source_of(Instance(bank[id]).asked.answer))
        for id in {id for own in codes.values() for id in own}
    }
    yield from likeness.remarks(codes, solutions)
