"""A lesson's claims in one table: what was computed, whether it is what the sources say, and what to know about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .. import html, lessons
from ..arguments import counted
from ..html import Html, Shown, tag
from .comparison import MARKS, Comparison

LONGEST = 100  # characters of a line, and of a value


@dataclass(frozen=True, repr=False)
class Ledger(Shown):
    """What `documented.ledger` returns: folded in a notebook, a line a claim elsewhere."""

    claims: tuple[Comparison, ...]
    values: str = "computed here"  # the heading over the values

    @property
    def matches(self) -> bool:
        """Whether everything that was computed is as it should be."""
        return all(claim.mark != "✗" for claim in self.claims)

    @property
    def headline(self) -> str:
        """How many claims there are, and of which kinds."""
        counts = Counter(claim.mark for claim in self.claims)
        kinds = [f"{mark} {counts[mark]} {words}" for mark, words in MARKS.items() if counts[mark]]
        claims = counted(len(self.claims), "claim")
        return f"{claims} held against the sources: {', '.join(kinds)}"

    def __repr__(self) -> str:
        lines = [f"{claim.mark} {claim.example.id}: {claim.value}" for claim in self.claims]
        return "\n".join([self.headline, *(_cut(line) for line in lines)])

    def html(self) -> Html:
        columns = ["claim", "where", self.values, "to know"]
        table = html.table(map(_row, self.claims), columns)
        ledger = tag("div", table, class_="sl-ledger")
        return html.view(html.details(self.headline, ledger, open=not self.matches))


def _row(claim: Comparison) -> list[object]:
    row = claim.example
    said = tag("em", f"{claim.says}: {row.said}") if row.said else None
    return [
        f"{claim.mark} {row.id}",
        f"{row.where}; lesson {lessons.lesson(row.lesson).number}",
        ": ".join(filter(None, [_cut(claim.value), claim.differs])),
        html.pieces(*filter(None, [said, row.note]), between=" "),
    ]


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."
