"""How far a learner has come: what is done, tried and left, lesson by lesson, and what could come next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import lessons
from . import catalog, progress

if TYPE_CHECKING:
    from pandas import DataFrame

STATES = ("done", "tried", "left")  # tried: the answers so far were wrong, or right in part


@dataclass(frozen=True)
class Item:
    """An exercise and how things stand with it."""

    id: str
    title: str
    points: int
    standing: progress.Standing

    @property
    def state(self) -> str:
        """One of STATES."""
        return {"done": "done", "partial": "tried", "tried": "tried"}.get(
            self.standing.state, "left"
        )

    @property
    def earned(self) -> float:
        """Points for the best answer so far."""
        return self.points * self.standing.best

    def plain(self) -> dict[str, object]:
        """As a dictionary that JSON can hold."""
        return {
            "id": self.id,
            "title": self.title,
            "state": self.state,
            "earned": round(self.earned, 4),
            "points": self.points,
            "answers": self.standing.attempts,
            "hints": self.standing.hints,
            "solution_seen": self.standing.solution_seen,
            "last": self.standing.last,
        }


@dataclass(frozen=True)
class Chapter:
    """The exercises of a lesson, or of all lessons."""

    title: str
    entries: tuple[Item, ...]

    def count(self, state: str) -> int:
        """How many exercises are in one of STATES."""
        return sum(entry.state == state for entry in self.entries)

    @property
    def points(self) -> int:
        """The points there are."""
        return sum(entry.points for entry in self.entries)

    @property
    def earned(self) -> float:
        """The points earned so far."""
        return sum(entry.earned for entry in self.entries)

    def plain(self) -> dict[str, object]:
        """As a dictionary that JSON can hold."""
        return {
            "title": self.title,
            **{state: self.count(state) for state in STATES},
            "earned": round(self.earned, 4),
            "points": self.points,
        }


@dataclass(frozen=True)
class Overview:
    """A learner's progress.

    chapters: lesson by lesson. next: the exercise to go on with, or None if all are done. problems: what could not be
    read, a sentence each.
    """

    chapters: tuple[Chapter, ...]
    next: Item | None
    problems: tuple[str, ...]

    @property
    def whole(self) -> Chapter:
        """All lessons together."""
        return Chapter(
            "all lessons", tuple(entry for chapter in self.chapters for entry in chapter.entries)
        )

    def plain(self) -> dict[str, object]:
        """As a dictionary that JSON can hold."""
        lessons = [
            {**chapter.plain(), "exercises": [entry.plain() for entry in chapter.entries]}
            for chapter in self.chapters
        ]
        return {"lessons": lessons, "all": self.whole.plain(), "next": self.next and self.next.id}

    def frame(self) -> DataFrame:
        """The exercises as a DataFrame, a row each, by id: the lesson's title, and what `plain` says of an exercise."""
        from pandas import DataFrame

        return DataFrame(
            [
                {"lesson": chapter.title, **entry.plain()}
                for chapter in self.chapters
                for entry in chapter.entries
            ]
        ).set_index("id")

    @property
    def advice(self) -> str:
        """What to do next, in a sentence."""
        if self.next is None:
            return "Everything is done. New figures keep you in practice."
        lesson = next(chapter.title for chapter in self.chapters if self.next in chapter.entries)
        begun = any(entry.state != "left" for entry in self.whole.entries)
        what = (
            f"{'go on' if begun else 'begin'} with {self.next.id}"
            if self.next.state == "left"
            else f"try {self.next.id} again"
        )
        return f"Next: {what}, {self.next.title} (lesson {lesson})."


def overview(learner: str | None = None, *, files: Iterable[str] | None = None) -> Overview:
    """The progress that is recorded on this machine: one learner's or, with None, what all who work here have done.

    files: see `catalog`; `()` runs no file that a class names. Exercises that are recorded but not in the bank are left
    out. Raises ProgressError if nothing can be read.
    """
    store = progress.store()
    standings = store.summary(learner)
    by_title: dict[str, list[Item]] = {}
    for id, exercise in catalog(files).items():
        standing = standings.get(id, progress.Standing(id, "left"))
        lesson = lessons.of_exercise(id)
        by_title.setdefault(lesson.heading if lesson else exercise.group, []).append(
            Item(id, exercise.title, exercise.points, standing)
        )
    chapters = tuple(Chapter(title, tuple(entries)) for title, entries in by_title.items())
    return Overview(chapters, _next(chapters), tuple(store.problems))


def _next(chapters: tuple[Chapter, ...]) -> Item | None:
    """The first exercise that is not done, from the lesson worked in last to the end, and then from the beginning."""
    last = max(
        range(len(chapters)),
        key=lambda i: max(entry.standing.last for entry in chapters[i].entries),
    )
    ahead = [entry for chapter in (*chapters[last:], *chapters[:last]) for entry in chapter.entries]
    return next((entry for entry in ahead if entry.state != "done"), None)
