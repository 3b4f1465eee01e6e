"""What a learner has done, as a table of the lessons, and exercise by exercise on demand."""

from __future__ import annotations

from dataclasses import dataclass

from .. import html
from ..exercises.overview import STATES, Chapter, Overview, overview
from ..html import Html, Shown, note, pieces, tag
from .tables import Table, table

MARKED = {"done": "✓ done", "tried": "○ tried", "left": ""}


@dataclass(frozen=True, repr=False)
class ProgressView(Shown):
    """What `progress_view` returns: HTML in a notebook, a table in text elsewhere."""

    overview: Overview

    def html(self) -> Html:
        lessons = pieces(*map(exercises_table, self.overview.chapters))
        return pieces(
            lessons_table(self.overview),
            tag("p", self.overview.advice),
            *map(note, self.overview.problems),
            html.details("Exercise by exercise", lessons),
        )

    def __repr__(self) -> str:
        return "\n".join(
            [repr(lessons_table(self.overview)), "", self.overview.advice, *self.overview.problems]
        )


def progress_view(learner: str | None = None) -> ProgressView:
    """Done, tried and left, lesson by lesson, the points, and what to do next.

    learner: whose progress; None for all that is recorded on this machine. Raises ProgressError if it cannot be read.
    """
    return ProgressView(overview(learner))


def lessons_table(progress: Overview) -> Table:
    """A row a lesson, and one for all of them."""
    rows = [
        [chapter.title, *map(chapter.count, STATES), _points(chapter.earned, chapter.points)]
        for chapter in (*progress.chapters, progress.whole)
    ]
    return table(rows, ["lesson", *STATES, "points"], "Your exercises")


def exercises_table(chapter: Chapter) -> Table:
    """A row an exercise of a lesson."""
    rows = [
        [
            entry.id,
            entry.title,
            MARKED[entry.state],
            entry.standing.attempts or None,
            entry.standing.hints or None,
            _points(entry.earned, entry.points),
        ]
        for entry in chapter.entries
    ]
    return table(rows, ["exercise", "title", "state", "answers", "hints", "points"], chapter.title)


def _points(earned: float, possible: int) -> str:
    return f"{round(earned, 2):g} of {possible}"
