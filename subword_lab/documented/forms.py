"""The form in which a documented value is seen: a strip, a list of merges, a table, a number; each in text as well."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from dataclasses import dataclass
from typing import Any

from ..html import Html, Shown, note, pieces, tag, view
from ..views.tables import Cell, cell_text, table
from ..views.tokens import token_strip, visible

MANY = 12  # more rows than this do not stand below each other
WIDTH = 110  # characters of a line of text
WHOLE = 20  # characters that a line is not broken in


@dataclass(frozen=True, repr=False)
class Items(Shown):
    """Rows that follow each other across the page, such as fifty merges; numbered if they are steps."""

    items: list[Cell]
    numbered: bool

    def html(self) -> Html:
        shown = [
            tag(
                "span",
                note(str(number), "span") if self.numbered else None,
                " ",
                item,
                class_="sl-listed",
            )
            for number, item in enumerate(self.items, 1)
        ]
        return view(pieces(*shown, between=" "))

    def __repr__(self) -> str:
        numbers = (f"{number}\0" if self.numbered else "" for number in itertools.count(1))
        return _wrapped(
            "   ".join(next(numbers) + item.text.replace(" ", "\0") for item in self.items)
        )


def form(value: Any) -> object:
    """A value in the form made for it: something with a face in HTML, or a plain value; `str` of it is its text.

    >>> form([("u", "g"), ("u", "n"), ("h", "ug")])
    1 u g   2 u n   3 h ug
    >>> form({"kept": 17, "dropped": ["h", "ug"]})
    kept     17
    dropped  h|ug
    """
    if isinstance(value, Mapping) and value:
        inner = [list(entry) for entry in value.values() if isinstance(entry, Mapping)]
        if len(inner) == len(value) > 1 and all(names == inner[0] for names in inner):
            return table(
                [[_named(key), *map(inline, entry.values())] for key, entry in value.items()],
                ["", *(str(_named(name)) for name in inner[0])],
            )
        if all(isinstance(key, tuple) for key in value) or (
            len(value) > MANY and _is_flat(value.values())
        ):
            return form(list(value.items()))
        return table(_entries(value), ["", ""])
    if not isinstance(value, list | tuple) or _is_strip(value) or _is_flat(value):
        return inline(value)
    if all(isinstance(entry, Mapping) and list(entry) == list(value[0]) for entry in value):
        return table(
            [[number, *map(inline, entry.values())] for number, entry in enumerate(value, 1)],
            ["", *(str(_named(name)) for name in value[0])],
        )
    steps = all(_is_merge(entry) or _is_pair(entry) for entry in value)
    if steps or (len(value) > MANY and all(isinstance(entry, list | tuple) for entry in value)):
        return Items(
            [_joined(entry) if steps and not _is_pair(entry) else _cell(entry) for entry in value],
            steps,
        )
    if len(value) > 1 and all(
        isinstance(entry, list | tuple) and len(entry) == len(value[0]) > 0 for entry in value
    ):
        counted = len(value[0]) == 2 and all(
            _is_pair(entry[0]) and isinstance(entry[1], int) for entry in value
        )
        rows = [
            [_cell(part) if _is_pair(part) else inline(part) for part in entry] for entry in value
        ]
        return table(rows, ["pair", "count"] if counted else [""] * len(value[0]))
    return inline(value)


def inline(value: Any, most: int = 1000) -> object:
    """A value as one cell of a table, with no more than `most` of its members.

    >>> str(inline(["un", "hug"])), str(inline([1, 2, 3], most=2)), str(inline({"a": [("u", "g")], "b": None}))
    ('un|hug', '1, 2, … 1 more', 'a: u g; b: nothing')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, AnySet):
        value = sorted(value, key=str)
    if isinstance(value, Mapping):
        parts = [
            _labelled(key, entry, most) for key, entry in itertools.islice(value.items(), most)
        ]
        return _list(parts, len(value) - len(parts), "; ")
    if not isinstance(value, list | tuple):
        return value
    if not value:
        return "none"
    if _is_merge(value):
        return _joined(value)
    if _is_strip(value):
        strip = token_strip(value[:most])
        return (
            strip
            if len(value) <= most
            else _list([Cell(str(strip), strip.inline())], len(value) - most, " ")
        )
    parts = [_cell(entry, most) for entry in value[:most]]
    if _is_flat(value):
        return _list(parts, len(value) - len(parts), ", ")
    whole = [
        Cell(
            part.text, tag("span", part, class_="sl-whole") if len(part.text) < WHOLE else part.face
        )
        for part in parts
    ]
    return _list(whole, len(value) - len(parts), "; ")


def _cell(value: Any, most: int = 1000) -> Cell:
    """A member of a list: a pair or tokens as boxes, and what goes with them behind."""
    if _is_strip(value):
        return Cell(" ".join(map(visible, value)), token_strip(value).inline())
    if isinstance(value, list | tuple) and len(value) > 1 and not _is_merge(value):
        parts = [_cell(entry, most) for entry in value]
        return Cell(" ".join(part.text for part in parts), pieces(*parts, between=" "))
    shown = inline(value, most)
    return shown if isinstance(shown, Cell) else Cell(cell_text(shown), _face(shown))


def _joined(value: Any) -> Cell:
    """A merge: the two parts and what they become."""
    pair, token = _cell(value[0]), token_strip([value[1]])
    return Cell(f"{pair.text} → {token}", pieces(pair, " → ", token))


def _labelled(key: Any, value: Any, most: int) -> Cell:
    name, shown = _named(key), inline(value, most)
    return Cell(f"{cell_text(name)}: {cell_text(shown)}", pieces(name, ": ", _face(shown)))


def _list(parts: Sequence[Cell], left_out: int, between: str) -> Cell:
    if left_out > 0:
        parts = [*parts, Cell(f"… {left_out:,} more", Html(f"… {left_out:,} more"))]
    return Cell(between.join(part.text for part in parts), pieces(*parts, between=between))


def _entries(value: Mapping[Any, Any]) -> Iterable[list[object]]:
    for key, entry in value.items():
        if isinstance(entry, Mapping) and entry and all(isinstance(name, str) for name in entry):
            yield from (
                [f"{_named(key)}: {_named(name)}", inline(part)] for name, part in entry.items()
            )
        else:
            yield [_named(key), inline(entry)]


def _named(key: Any) -> Any:
    """A key as a label: a pair as boxes, and `new_token` as new token."""
    if isinstance(key, tuple):
        return _cell(key)
    name = str(key)
    return name.replace("_", " ") if name.isidentifier() and name.islower() else name


def _face(value: object) -> Html:
    return pieces(value if isinstance(value, Shown) else cell_text(value))


def _is_strip(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(part, str) for part in value)
    )


def _is_flat(value: Any) -> bool:
    return not any(isinstance(part, list | tuple | Mapping | AnySet) for part in value)


def _is_pair(value: Any) -> bool:
    return _is_strip(value) and len(value) == 2


def _is_merge(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and _is_pair(value[0])
        and isinstance(value[1], str)
        and "".join(value[0]) == value[1]
    )


def _wrapped(line: str) -> str:
    wrapped = textwrap.fill(
        line, WIDTH, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )
    return wrapped.replace("\0", " ")
