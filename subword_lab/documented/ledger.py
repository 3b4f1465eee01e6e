"""A lesson's claims in one table: what was computed, whether it is what the sources say, and what to know about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .. import html, lessons
from ..html import Html, Shown, note, tag
from .comparison import MARKS, Comparison

MOST = 24  # members of a value that a line shows
LONGEST = 100  # characters of a value, in text


@dataclass(frozen=True)
class Line:
    """One claim; `instead` says why its value was not computed here, if it was not."""

    comparison: Comparison
    instead: str = ""

    @property
    def mark(self) -> str:
        """A key of `MARKS`."""
        return "–" if self.instead else self.comparison.mark

    @property
    def value(self) -> object:
        """What was computed, in short."""
        from .forms import inline  # loads what draws, when something is drawn

        if self.mark == "–":
            return self.instead or "nothing to compute"
        return inline(self.comparison.actual, MOST)


@dataclass(frozen=True, repr=False)
class Ledger(Shown):
    """What `documented.ledger` returns: folded in a notebook, a line a claim elsewhere."""

    lines: tuple[Line, ...]
    value: str = "computed here"  # heading of the values

    @property
    def matches(self) -> bool:
        """Whether everything that was computed is as it should be."""
        return all(line.mark != "✗" for line in self.lines)

    @property
    def headline(self) -> str:
        """How many claims there are, and of which kinds."""
        counts = Counter(line.mark for line in self.lines)
        kinds = ", ".join(
            f"{mark} {counts[mark]} {words}" for mark, words in MARKS.items() if counts[mark]
        )
        return f"{len(self.lines)} claims held against the sources: {kinds}"

    def __repr__(self) -> str:
        lines = [f"{line.mark} {line.comparison.example.id}: {line.value}" for line in self.lines]
        return "\n".join(
            [
                self.headline,
                *(line if len(line) <= LONGEST else line[: LONGEST - 3] + "..." for line in lines),
            ]
        )

    def html(self) -> Html:
        rows = [self._row(line) for line in self.lines]
        columns = ["claim", self.value, "to know"]
        return html.view(
            html.details(
                self.headline,
                tag("div", html.table(rows, columns), class_="sl-ledger"),
                open=not self.matches,
            )
        )

    @staticmethod
    def _row(line: Line) -> list[object]:
        row = line.comparison.example
        claim = html.pieces(
            f"{line.mark} {row.id}",
            note(f"{row.where}; lesson {lessons.lesson(row.lesson).number}"),
        )
        said = tag("p", tag("em", f"{line.comparison.says}: "), row.said) if row.said else None
        wrong = note(line.comparison.differs) if line.mark == "✗" else None
        return [claim, html.pieces(line.value, wrong), html.pieces(said, tag("p", row.note))]
