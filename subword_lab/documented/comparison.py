"""Holding a value against a documented one: what counts as equal, the first difference, and how it is shown."""
from __future__ import annotations

import html
import math
from collections.abc import Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import Example

TOLERANCE = 1e-9                                                          # relative, for floating-point numbers


def first_difference(documented: object, actual: object) -> str:
    """Where two values part first, in words; empty if they are equal.

    >>> first_difference([["h", "u"], 15], (("h", "u"), 15))
    ''
    >>> first_difference([["u", "g"], ["u", "n"]], [("u", "g"), ("h", "ug")])
    "at [1][0]: documented is 'u', yours is 'h'"
    """
    return _difference(documented, actual, "")


def _difference(documented, actual, path) -> str:
    if isinstance(documented, Mapping) and isinstance(actual, Mapping):
        return _mapping_difference(documented, actual, path)
    if isinstance(documented, Set | Mapping) or isinstance(actual, Set | Mapping):
        documented, actual = _in_one_order(documented, actual)
    if isinstance(documented, list | tuple) and isinstance(actual, list | tuple):
        return _list_difference(documented, actual, path)
    if _equal(documented, actual):
        return ""
    at = f"at {path}: " if path else ""
    return f"{at}documented is {_short(documented)}, yours is {_short(actual)}"


def _mapping_difference(documented, actual, path) -> str:
    for key, value in documented.items():
        if key not in actual:
            return f"{path or 'your dictionary'} lacks {_short(key)}, documented as {_short(value)}"
        if found := _difference(value, actual[key], f"{path}[{key!r}]"):
            return found
    more = [key for key in actual if key not in documented]
    return f"{path or 'your dictionary'} holds {_short(more[0])}, which is not documented" if more else ""


def _list_difference(documented, actual, path) -> str:
    for number, (one, other) in enumerate(zip(documented, actual)):
        if found := _difference(one, other, f"{path}[{number}]"):
            return found
    if len(documented) == len(actual):
        return ""
    at = f"{path}: " if path else ""
    if len(actual) < len(documented):
        return f"{at}yours ends after {len(actual)} of {len(documented)}; next would be {_short(documented[len(actual)])}"
    return f"{at}yours goes on after the documented {len(documented)}, with {_short(actual[len(documented)])}"


def _in_one_order(documented, actual):
    """A set or a dictionary has no order: put both sides in the same one before they are compared."""
    def listed(value):
        if isinstance(value, Mapping):
            return [[key, number] for key, number in value.items()]
        return sorted(value, key=repr) if isinstance(value, Set) else value

    def plain(value):
        return [plain(part) for part in value] if isinstance(value, list | tuple) else value

    def name(part):
        return repr(plain(part[0] if keyed and isinstance(part, list | tuple) and part else part))

    keyed = isinstance(documented, Mapping) or isinstance(actual, Mapping)
    documented, actual = listed(documented), listed(actual)
    if isinstance(documented, list | tuple) and isinstance(actual, list | tuple):
        place = {name(part): number for number, part in enumerate(documented)}
        actual = sorted(actual, key=lambda part: (place.get(name(part), len(place)), name(part)))
    return documented, actual


def _equal(documented, actual) -> bool:
    if isinstance(documented, bool) or isinstance(actual, bool):
        return documented is actual
    if isinstance(actual, Fraction) and isinstance(documented, str):
        return actual == Fraction(documented)
    if isinstance(documented, float) or isinstance(actual, float):
        numbers = isinstance(documented, int | float) and isinstance(actual, int | float | Fraction)
        return numbers and math.isclose(documented, actual, rel_tol=TOLERANCE)
    return documented == actual


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


@dataclass(frozen=True, repr=False)
class Comparison:
    """What `documented.compare` returns: `matches`, and the same told in words, as text and as HTML."""
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
    def headline(self) -> str:
        """One line: does it match, and what."""
        row = self.example
        if row.verdict == "erratum":
            if self.matches:
                return f"what is true, and not what is documented ({row.where})"
            return f"{'what is documented, and not true' if self._is(row.expected) else 'neither documented nor true'}" \
                   f" ({row.where})"
        if not self.matches:
            return f"differs from what is documented ({row.where})"
        if not self._is(row.expected):
            return f"matches the course's own figures, which no source prints ({row.where})"
        return f"matches what is documented ({row.where})"

    @property
    def verdict(self) -> str:
        """A few words, for a line in a table."""
        if not self.matches:
            return self.headline if self.example.verdict == "erratum" else self.lines[0][1]
        if self.example.verdict == "erratum":
            return "true, and not what is documented"
        return "as documented" if self._is(self.example.expected) else "the course's own figure"

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What stands below the headline: (label, text), the label possibly empty."""
        row, lines = self.example, []
        if row.verdict == "erratum":
            said = row.said or _short(row.expected)
            lines = [("the source says", said), ("true is", _short(row.actual)), ("your value", _short(self.actual))]
        elif not self.matches:
            documented = row.actual if row.expected is None else row.expected
            return [("", first_difference(documented, self.actual))]
        return [*lines, ("", row.note)] if row.note else lines

    def __repr__(self) -> str:
        return "\n".join([self.headline, *(f"{label}: {text}" if label else text for label, text in self.lines)])

    def _repr_html_(self) -> str:
        def line(label, text):
            return f"<p><em>{html.escape(label)}:</em> {html.escape(text)}</p>" if label else f"<p>{html.escape(text)}</p>"

        style = "border-left: 3px solid currentColor; padding-left: 0.8em"
        lines = "".join(line(*pair) for pair in self.lines)
        return f'<section style="{style}"><p><strong>{html.escape(self.headline)}</strong></p>{lines}</section>'


@dataclass(frozen=True, repr=False)
class Comparisons:
    """What `documented.compare_all` returns: several comparisons, one line each."""
    rows: tuple[Comparison, ...]

    @property
    def matches(self) -> bool:
        """Whether every value matches."""
        return all(row.matches for row in self.rows)

    @property
    def headline(self) -> str:
        return f"{sum(row.matches for row in self.rows)} of {len(self.rows)} as documented"

    def __repr__(self) -> str:
        return "\n".join([self.headline, *(f"{row.example.id}: {row.verdict}" for row in self.rows)])

    def _repr_html_(self) -> str:
        lines = "".join(f'<tr><th scope="row" style="text-align:left">{html.escape(row.example.id)}</th>'
                        f'<td style="text-align:left">{html.escape(row.verdict)}</td>'
                        f'<td style="text-align:left">{html.escape(row.example.note)}</td></tr>' for row in self.rows)
        return (f"<table><caption>{self.headline}</caption><thead><tr><th scope=\"col\">row</th><th scope=\"col\">"
                f"result</th><th scope=\"col\">to know</th></tr></thead><tbody>{lines}</tbody></table>")
