"""Holding values against documented ones: what counts as equal, the first difference, how one is shown, and many."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import html, lessons
from ..arguments import counted, shorten
from ..html import Html, Shown, tag
from .forms import form, is_merge, is_pair, line
from .rows import Example

MARKS = {
    "✓": "as documented",
    "≠": "not what a source says",
    "+": "added by this course",
    "–": "not computed here",
    "✗": "differing",
}
TOLERANCE = 1e-9  # relative, for floating-point numbers
LONGEST = 100  # characters of a line, and of a value, in a ledger


def first_difference(documented: object, actual: object, path: str = "") -> str:
    """Where two values part first, in words; empty if they are equal.

    >>> first_difference([["h", "u"], 15], (("h", "u"), 15))
    ''
    >>> first_difference([["u", "g"], ["u", "n"]], [("u", "g"), ("h", "ug")])
    "at [1][0]: documented is 'u', yours is 'h'"
    """
    ours, theirs = _members(documented, actual), _members(actual, documented)
    at = f"at {path}: " if path else ""
    if ours is None or theirs is None:
        if _equal(documented, actual):
            return ""
        return f"{at}documented is {shorten(documented, 80)}, yours is {shorten(actual, 80)}"
    for key, value in ours.items():
        if key not in theirs:
            return f"{at}documented is {shorten(value, 80)} at [{key!r}], yours has nothing there"
        if difference := first_difference(value, theirs[key], f"{path}[{key!r}]"):
            return difference
    for key in theirs.keys() - ours.keys():
        return f"{at}yours has {shorten(theirs[key], 80)} at [{key!r}], where nothing is documented"
    return ""


def _members(value: Any, other: Any) -> Mapping[Any, Any] | None:
    """Key or place -> member; None for a single thing. Sets have no order; a merge may come without its token."""
    if isinstance(value, Set) or (isinstance(other, Set) and isinstance(value, list | tuple)):
        value = sorted(value, key=repr)
    if isinstance(value, list | tuple):
        items = all(isinstance(each, list | tuple) and len(each) == 2 for each in value)
        if items and isinstance(other, Mapping):
            return {_key(key): member for key, member in value}
        if is_merge(value) and is_pair(other):
            value = value[0]
        return dict(enumerate(value))
    return value if isinstance(value, Mapping) else None


def _key(key: Any) -> Hashable:
    if isinstance(key, list | tuple):
        return tuple(map(_key, key))
    return key if isinstance(key, Hashable) else repr(key)


def _equal(documented: Any, actual: Any) -> bool:
    if isinstance(documented, bool) or isinstance(actual, bool):
        return documented is actual
    if isinstance(documented, float) or isinstance(actual, float):
        numbers = isinstance(documented, int | float) and isinstance(actual, int | float | Fraction)
        return numbers and math.isclose(documented, actual, rel_tol=TOLERANCE)
    return documented == (str(actual) if isinstance(actual, Fraction) else actual)


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """A value beside what is documented: `matches`, and the value in its form with a mark and its place.

    unproven: why there is no value, where it could not be computed.
    """

    example: Example
    actual: object
    unproven: str = ""

    @property
    def matches(self) -> bool:
        """Whether the value is the documented one; for an erratum, whether it is the true one."""
        return self._is(self.example.actual) or (
            self.example.verdict != "erratum" and self._is(self.example.expected)
        )

    def _is(self, value: object) -> bool:
        return value is not None and not first_difference(value, self.actual)

    @property
    def differs(self) -> str:
        """Where the value parts from the documented one, or from the true one, in words; empty if it does not."""
        if self.matches or (self.mark == "–" and self.actual is None):
            return ""
        if self._is(self.example.expected):
            return "as the source says, which is not so"
        documented = getattr(self.example, self.example.main_part)
        if documented is None:
            return "there is no value to compare with"
        return first_difference(documented, self.actual)

    @property
    def mark(self) -> str:
        """One character: a key of `MARKS`."""
        if self.unproven or self.example.verdict == "not checkable":
            return "–"
        right = {"erratum": "≠", "supplement": "+"}.get(self.example.verdict, "✓")
        return right if self.matches else "✗"

    @property
    def value(self) -> str:
        """The value in a line, or why there is none."""
        return line(self.actual) if self.mark != "–" else self.unproven or "nothing to compute"

    @property
    def says(self) -> str:
        """Who says it, before what is said."""
        who = "the source says" if len(self.example.sources) == 1 else "the sources say"
        return "the sources differ" if self.example.kind == "sources differ" else who

    def _parts(self) -> list[tuple[str, object]]:
        """What is shown, from the top, each with the label in front of it."""
        row = self.example
        said = self.says, row.said or form(row.expected)
        if self.mark == "–":
            return [said]
        if row.verdict == "erratum":
            labels = {"sources differ": "in this course", "code": "the printed code gives"}
            label = labels.get(row.kind, "true is") if self.matches else "your value"
            return [said, (label, form(self.actual))]
        if self.matches and isinstance(self.actual, str | int | float | Fraction):
            return [(str(form(self.actual)), row.note)]  # a number in a sentence
        return [("", form(self.actual))]

    def _notes(self) -> list[str]:
        """What stands below it in small print: the mark and the place, and what to know."""
        row = self.example
        other = self.mark == "+" or (self.mark == "✓" and row.expected is not None)
        beside = "beside the " if other and not self._is(row.expected) else ""
        place = ": ".join(filter(None, [f"{self.mark} {beside}{row.where}", self.differs]))
        return [place, row.note] if row.verdict in ("erratum", "not checkable") else [place]

    def __repr__(self) -> str:
        parts = [(label, str(value)) for label, value in self._parts()]
        lines = [
            ((":\n" if "\n" in value else ": ").join([label, value]) if label else value)
            for label, value in parts
        ]
        return "\n".join([*lines, *self._notes()])

    def html(self) -> Html:
        parts = [
            tag("div", tag("strong", f"{label}:") if label else None, " " if label else None, value)
            for label, value in self._parts()
        ]
        return tag(
            "section",
            *parts,
            *map(html.note, self._notes()),
            class_="sl-compared mathjax_ignore",
        )


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
        return f"{counted(len(self.claims), 'claim')} held against the sources: {', '.join(kinds)}"

    def __repr__(self) -> str:
        lines = (f"{claim.mark} {claim.example.id}: {claim.value}" for claim in self.claims)
        return "\n".join([self.headline, *map(_cut, lines)])

    def html(self) -> Html:
        table = html.table(map(_row, self.claims), ["claim", "where", self.values, "to know"])
        folded = tag("div", table, class_="sl-ledger")
        return html.view(html.details(self.headline, folded, open=not self.matches))


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
