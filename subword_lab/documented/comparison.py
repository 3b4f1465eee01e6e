"""Holding a value against a documented one: what counts as equal, the first difference, and how it is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AnySet
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .. import html
from ..arguments import shorten
from ..html import Html, Shown, tag

if TYPE_CHECKING:
    from . import Example

MARKS = {
    "✓": "as documented",
    "≠": "not what a source says",
    "+": "added by this course",
    "–": "not computed here",
    "✗": "differing",
}
TOLERANCE = 1e-9  # relative, for floating-point numbers


def first_difference(documented: object, actual: object) -> str:
    """Where two values part first, in words; empty if they are equal.

    >>> first_difference([["h", "u"], 15], (("h", "u"), 15))
    ''
    >>> first_difference([["u", "g"], ["u", "n"]], [("u", "g"), ("h", "ug")])
    "at [1][0]: documented is 'u', yours is 'h'"
    """
    return _difference(documented, actual, "")


def _difference(documented: Any, actual: Any, path: str) -> str:
    if isinstance(documented, Mapping) and isinstance(actual, Mapping):
        return _mapping_difference(documented, actual, path)
    if isinstance(documented, AnySet | Mapping) or isinstance(actual, AnySet | Mapping):
        documented, actual = _in_one_order(documented, actual)
    if isinstance(documented, list | tuple) and isinstance(actual, list | tuple):
        if (
            _is_merge(documented)
            and len(actual) == 2
            and all(isinstance(part, str) for part in actual)
        ):
            documented = documented[0]  # without the token, which follows from it
        return _list_difference(documented, actual, path)
    if _equal(documented, actual):
        return ""
    at = f"at {path}: " if path else ""
    return f"{at}documented is {shorten(documented, 80)}, yours is {shorten(actual, 80)}"


def _is_merge(value: Sequence[Any]) -> bool:
    """Whether this is [[left, right], token], as in [["u", "g"], "ug"]."""
    return (
        len(value) == 2
        and isinstance(value[0], list | tuple)
        and len(value[0]) == 2
        and all(isinstance(part, str) for part in (*value[0], value[1]))
    )


def _mapping_difference(documented: Mapping[Any, Any], actual: Mapping[Any, Any], path: str) -> str:
    for key, value in documented.items():
        if key not in actual:
            return f"{path or 'your dictionary'} lacks {shorten(key, 80)}, documented as {shorten(value, 80)}"
        if found := _difference(value, actual[key], f"{path}[{key!r}]"):
            return found
    more = [key for key in actual if key not in documented]
    return (
        f"{path or 'your dictionary'} holds {shorten(more[0], 80)}, which is not documented"
        if more
        else ""
    )


def _list_difference(documented: Sequence[Any], actual: Sequence[Any], path: str) -> str:
    for number, (one, other) in enumerate(zip(documented, actual)):
        if found := _difference(one, other, f"{path}[{number}]"):
            return found
    if len(documented) == len(actual):
        return ""
    at = f"{path}: " if path else ""
    if len(actual) < len(documented):
        missing = shorten(documented[len(actual)], 80)
        return f"{at}yours ends after {len(actual)} of {len(documented)}; next would be {missing}"
    return f"{at}yours goes on after the documented {len(documented)}, with {shorten(actual[len(documented)], 80)}"


def _in_one_order(documented: Any, actual: Any) -> tuple[Any, Any]:
    """A set or a dictionary has no order: put both sides in the same one before they are compared."""

    def listed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return [[key, number] for key, number in value.items()]
        return sorted(value, key=repr) if isinstance(value, AnySet) else value

    def plain(value: Any) -> Any:
        return [plain(part) for part in value] if isinstance(value, list | tuple) else value

    def name(part: Any) -> str:
        return repr(plain(part[0] if keyed and isinstance(part, list | tuple) and part else part))

    keyed = isinstance(documented, Mapping) or isinstance(actual, Mapping)
    documented, actual = listed(documented), listed(actual)
    if isinstance(documented, list | tuple) and isinstance(actual, list | tuple):
        place = {name(part): number for number, part in enumerate(documented)}
        actual = sorted(actual, key=lambda part: (place.get(name(part), len(place)), name(part)))
    return documented, actual


def _equal(documented: Any, actual: Any) -> bool:
    if isinstance(documented, bool) or isinstance(actual, bool):
        return documented is actual
    if isinstance(actual, Fraction) and isinstance(documented, str):
        return actual == Fraction(documented)
    if isinstance(documented, float) or isinstance(actual, float):
        numbers = isinstance(documented, int | float) and isinstance(actual, int | float | Fraction)
        return numbers and math.isclose(documented, actual, rel_tol=TOLERANCE)
    return documented == actual


def _told(label: str | None, text: str) -> str:
    between = ":\n" if "\n" in text else ": "
    return f"{label}{between}{text}" if label else text


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """A value beside what is documented: `matches`, and the value in its form with a mark and its place."""

    example: Example
    actual: object

    @property
    def matches(self) -> bool:
        """Whether the value is the documented one; for an erratum, whether it is the true one."""
        if self.example.verdict == "erratum":
            return self._is(self.example.actual)
        return self._is(self.example.expected) or self._is(self.example.actual)

    def _is(self, value: object) -> bool:
        return value is not None and not first_difference(value, self.actual)

    @property
    def differs(self) -> str:
        """Where the value parts from the documented one, or from the true one, in words; empty if it does not."""
        row = self.example
        if self.matches:
            return ""
        if row.verdict == "erratum" and self._is(row.expected):
            return "as the source says, which is not so"
        if row.expected is None and row.actual is None:
            return "there is no value to compare with" if self.actual is not None else ""
        documented = (
            row.actual if row.verdict == "erratum" or row.expected is None else row.expected
        )
        return first_difference(documented, self.actual)

    @property
    def mark(self) -> str:
        """One character: a key of `MARKS`."""
        verdict = self.example.verdict
        if verdict == "not checkable":
            return "–"
        if not self.matches:
            return "✗"
        return {"erratum": "≠", "supplement": "+"}.get(verdict, "✓")

    def _parts(self) -> list[tuple[str | None, object]]:
        """What is shown, from the top: (label, value); with None for a label it is small print."""
        from .forms import form  # loads what draws, when something is drawn

        row, place = self.example, (None, self._place)
        said = row.said or form(row.expected)
        if row.verdict == "erratum":
            return [(self.says, said), (self._truth, form(self.actual)), place, (None, row.note)]
        if self.mark == "–":
            return [(self.says, said), place, (None, row.note)]
        if self.matches and isinstance(self.actual, str | int | float | Fraction):
            return [(str(form(self.actual)), row.note), place]  # a number in a sentence
        return [("", form(self.actual)), place]

    @property
    def says(self) -> str:
        """Who says it, before what is said."""
        if self.example.kind == "sources differ":
            return "the sources differ"
        return "the source says" if len(self.example.sources) == 1 else "the sources say"

    @property
    def _truth(self) -> str:
        if not self.matches:
            return "your value"
        if self.example.kind == "sources differ":
            return "in this course"
        return "the printed code gives" if self.example.kind == "code" else "true is"

    @property
    def _place(self) -> str:
        beside = self.mark == "+" or (
            self.mark == "✓"
            and self.example.expected is not None
            and not self._is(self.example.expected)
        )
        found = f"{self.mark} {'beside the ' if beside else ''}{self.example.where}"
        return f"{found}: {self.differs}" if self.differs else found

    def __repr__(self) -> str:
        return "\n".join(_told(label, str(value)) for label, value in self._parts())

    def html(self) -> Html:
        return tag(
            "section",
            *(self._line(label, value) for label, value in self._parts()),
            class_="sl-compared mathjax_ignore",
        )

    @staticmethod
    def _line(label: str | None, value: object) -> Html:
        if label is None:
            return html.note(str(value))
        return tag(
            "div", tag("strong", f"{label}:") if label else None, " " if label else None, value
        )
