"""How far a learner has come: what is done, tried and left, lesson by lesson, and what could come next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .. import lessons
from . import catalog, progress
from .words import say_first

STATES = ("done", "tried", "left")  # tried: the answers so far were wrong, or right in part
Row = dict[str, Any]


@dataclass(frozen=True)
class Overview:
    """A learner's progress.

    rows: an exercise each, lesson by lesson: "lesson" (its heading), "id", "title", "state" (one of STATES), "earned"
    (points for the best answer so far), "points", "answers", "hints", "solution_seen" and "last" (ISO 8601, in UTC).
    problems: what could not be read, a sentence each.
    """

    rows: list[Row]
    problems: list[str]

    def lessons(self) -> list[Row]:
        """The sums of each lesson, see `sums`, with its rows as "exercises"."""
        by_title: dict[str, list[Row]] = {}
        for row in self.rows:
            by_title.setdefault(row["lesson"], []).append(row)
        return [{**sums(title, rows), "exercises": rows} for title, rows in by_title.items()]

    def plain(self) -> Row:
        """As a dictionary that JSON can hold: "lessons", the sums of "all", and the id that comes "next"."""
        return {
            "lessons": self.lessons(),
            "all": sums("all lessons", self.rows),
            "next": self.next and self.next["id"],
        }

    @property
    def next(self) -> Row | None:
        """The first row that is not done, from the lesson worked in last to the end, and then from the beginning."""
        worked_in = max(self.rows, key=lambda row: row["last"])["lesson"]
        begin = [row["lesson"] for row in self.rows].index(worked_in)
        ahead = self.rows[begin:] + self.rows[:begin]
        return next((row for row in ahead if row["state"] != "done"), None)

    @property
    def advice(self) -> str:
        """What to do next, in a sentence."""
        if self.next is None:
            return "Everything is done. New figures keep you in practice."
        return say_first(
            (self.next["state"] == "tried", "Next: try {id} again, {title} (lesson {lesson})."),
            (
                any(row["state"] != "left" for row in self.rows),
                "Next: go on with {id}, {title} (lesson {lesson}).",
            ),
            (True, "Next: begin with {id}, {title} (lesson {lesson})."),
            **self.next,
        )


def sums(title: str, rows: list[Row]) -> Row:
    """The "title" of a lesson, how many of its exercises are in each of STATES, and "earned" of its "points".

    >>> sums("all lessons", [{"state": "done", "earned": 2, "points": 2}, {"state": "left", "earned": 0, "points": 1}])
    {'title': 'all lessons', 'done': 1, 'tried': 0, 'left': 1, 'earned': 2, 'points': 3}
    """
    return {
        "title": title,
        **{state: sum(row["state"] == state for row in rows) for state in STATES},
        "earned": round(sum(row["earned"] for row in rows), 4),
        "points": sum(row["points"] for row in rows),
    }


def overview(learner: str | None = None, *, files: Iterable[str] | None = None) -> Overview:
    """The progress that is recorded on this machine: one learner's or, with None, what all who work here have done.

    files: see `catalog`; `()` runs no file that a class names. Exercises that are recorded but not in the bank are left
    out. Raises ProgressError if nothing can be read.
    """
    store = progress.store()
    standings, rows = store.summary(learner), []
    for id, exercise in catalog(files).items():
        standing = standings.get(id) or progress.standing([])
        lesson = lessons.of_exercise(id)
        row = {
            "lesson": lesson.heading if lesson else exercise.group,
            "id": id,
            "title": exercise.title,
            "state": {"seen": "left", "partial": "tried"}.get(standing["state"], standing["state"]),
            "earned": round(exercise.points * standing["best"], 4),
            "points": exercise.points,
            "answers": standing["attempts"],
            "hints": standing["hints"],
            "solution_seen": standing["solution_seen"],
            "last": standing["last"],
        }
        rows.append(row)
    titles = [row["lesson"] for row in rows]
    rows.sort(key=lambda row: titles.index(row["lesson"]))
    return Overview(rows, store.problems)
