"""The form in which a documented value is seen: a strip, a list of merges, a table, a number; each in text as well."""

import textwrap
from collections.abc import Iterable, Mapping, Set
from typing import Any

from ..html import Shown, note, pieces, tag, view
from ..views.tables import Cell, cell_text, table
from ..views.tokens import token_strip, visible

MANY = 12  # more rows than this do not stand below each other
WIDTH = 110  # characters of a line of text


def form(value: Any) -> object:
    """A value in the form made for it: something with a face in HTML, or a plain value; `str` of it is its text.

    >>> print(form([("u", "g"), ("u", "n"), ("h", "ug")]))
    1 u g   2 u n   3 h ug
    >>> print(form({"kept": 17, "dropped": ["h", "ug"]}))
    kept     17
    dropped  h|ug
    """
    if isinstance(value, Mapping) and value:
        return _form_of_mapping(value)
    if not isinstance(value, list | tuple) or _is_strip(value) or _is_flat(value):
        return _inline(value)
    if all(isinstance(entry, Mapping) and list(entry) == list(value[0]) for entry in value):
        return _records(dict(enumerate(value, 1)))
    rows = all(isinstance(entry, list | tuple) for entry in value)
    steps = all(is_merge(entry) or is_pair(entry) for entry in value)
    if steps or (rows and len(value) > MANY):
        return _flow([_cell(entry) for entry in value], steps)
    if rows and len(value) > 1 and len({len(entry) for entry in value}) == 1 and value[0]:
        counts = all(is_pair(row[0]) and [type(part) for part in row[1:]] == [int] for row in value)
        cells = [[_cell(part) if is_pair(part) else _inline(part) for part in row] for row in value]
        return table(cells, ["pair", "count"] if counts else [""] * len(value[0]))
    return _inline(value)


def _flow(items: list[Cell], numbered: bool) -> Cell:
    """Things that follow each other across the page, such as fifty merges; numbered if they are steps."""
    fronts = [f"{number} " if numbered else "" for number in range(1, len(items) + 1)]
    faces = [
        tag("span", note(front.rstrip(), "span"), " ", item, class_="sl-listed")
        for front, item in zip(fronts, items)
    ]
    texts = [front + item.text for front, item in zip(fronts, items)]
    unbroken = "   ".join(text.replace(" ", "\0") for text in texts)
    lines = textwrap.fill(unbroken, WIDTH, break_long_words=False, break_on_hyphens=False)
    return Cell(lines.replace("\0", " "), view(*faces))


def _form_of_mapping(value: Mapping[Any, Any]) -> object:
    names = [list(entry) for entry in value.values() if isinstance(entry, Mapping)]
    if len(names) == len(value) > 1 and all(each == names[0] for each in names):
        return _records(value)
    many = len(value) > MANY and _is_flat(value.values())
    if many or all(isinstance(key, tuple) for key in value):
        return form(list(value.items()))
    return table(_entries(value), ["", ""])


def _records(value: Mapping[Any, Mapping[Any, Any]]) -> object:
    return table(
        [[_label(key), *map(_inline, entry.values())] for key, entry in value.items()],
        ["", *(str(_label(name)) for name in next(iter(value.values())))],
    )


def _entries(value: Mapping[Any, Any]) -> Iterable[list[object]]:
    for key, entry in value.items():
        if isinstance(entry, Mapping) and all(isinstance(name, str) for name in entry):
            for name, part in entry.items():
                yield [f"{_label(key)}: {_label(name)}", _inline(part)]
        else:
            yield [_label(key), _inline(entry)]


def line(value: Any) -> str:
    """A value in one line of text.

    >>> line(["un", "hug"]), line([1, 2]), line({"a": [("u", "g")], "b": None})
    ('un|hug', '1, 2', 'a: u g; b: nothing')
    """
    return cell_text(_inline(value))


def _inline(value: Any) -> object:
    """A value as one cell of a table."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    if isinstance(value, Set):
        value = sorted(value, key=str)
    if isinstance(value, Mapping):
        return _joined((_joined([_label(k), _inline(v)], ": ") for k, v in value.items()), "; ")
    if not isinstance(value, list | tuple):
        return value
    if not value:
        return "none"
    if is_merge(value):
        return _joined([_cell(value[0]), token_strip([value[1]])], " → ")
    if _is_strip(value):
        return token_strip(value)
    return _joined(map(_cell, value), ", " if _is_flat(value) else "; ")


def _cell(value: Any) -> Cell:
    """A member of a list: a pair or tokens as boxes, and what goes with them behind."""
    if _is_strip(value):
        return Cell(" ".join(map(visible, value)), token_strip(value).inline())
    if isinstance(value, list | tuple) and len(value) > 1 and not is_merge(value):
        return _joined(map(_cell, value), " ")
    return _joined([_inline(value)], "")


def _joined(parts: Iterable[object], between: str) -> Cell:
    """Several things as one cell, with a text between them."""
    parts = [part if isinstance(part, Shown) else cell_text(part) for part in parts]
    return Cell(between.join(map(str, parts)), pieces(*parts, between=between))


def _label(key: Any) -> Any:
    """A key as a label: a pair as boxes, and `new_token` as new token."""
    if isinstance(key, tuple):
        return _cell(key)
    name = str(key)
    return name.replace("_", " ") if name.isidentifier() and name.islower() else name


def _is_strip(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(part, str) for part in value)
    )


def _is_flat(value: Any) -> bool:
    return not any(isinstance(part, list | tuple | Mapping | Set) for part in value)


def is_pair(value: Any) -> bool:
    """Whether this is two strings."""
    return _is_strip(value) and len(value) == 2


def is_merge(value: Any) -> bool:
    """Whether this is a pair and what becomes of it, as in [["u", "g"], "ug"]."""
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and is_pair(value[0])
        and "".join(value[0]) == value[1]
    )
