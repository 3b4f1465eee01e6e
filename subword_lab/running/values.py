"""Plain values through JSON: tuples, sets, fractions, bytes and dictionaries with any keys survive.

Every process of this room loads this file, and a learner waits for it: only what is needed at once is imported.
"""

from __future__ import annotations

import json
import sys
from math import inf
from typing import Any

GROUPS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
DEEPEST = 100  # lists in lists; far from where reading, comparing or showing one fails
MOST_ALIKE = 50  # members of one hash


class Unusable(ValueError):
    """A value that cannot be carried to another process; the message says what it is and what would do."""


def encode(value: Any, most: float = inf) -> Any:
    """The value as JSON can hold it. A subclass (Counter, namedtuple) becomes the plain type that it extends.

    Nothing of the value's own code runs: an object that claims to equal everything is either reduced to a plain value
    or refused. most: how many members, characters and digits it may have in all. Raises Unusable for any other type and
    for a value that has more, RecursionError for one that holds itself or is nested deeper than 100 times.

    >>> encode({("u", "g"): 20}), encode([1, (2.5, None)])
    ({'dict': [[{'tuple': ['u', 'g']}, 20]]}, [1, {'tuple': [2.5, None]}])
    >>> encode(word for word in ["hug"])
    Traceback (most recent call last):
    subword_lab.running.values.Unusable: a generator, which is used up by reading it; return list(...) of it
    """
    left = most

    def take(size: int) -> None:
        nonlocal left
        left -= size
        if left < 0:
            raise Unusable(
                f"a value of more than {most:,} members and characters, far more than is asked for"
            )

    def written(value: Any, depth: int) -> Any:
        kind = type(value)
        take(1)
        if depth > DEEPEST:
            raise RecursionError
        if value is None or kind in (bool, float):
            return value
        if issubclass(kind, str):
            take(str.__len__(value))
            return str.__str__(value)
        if issubclass(kind, int):
            take(int.bit_length(value) // 3)  # digits, nearly
            return int.__int__(value)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, bytes):
            take(bytes.__len__(value))
            return {"bytes": bytes.hex(value)}
        if issubclass(kind, dict):
            return {
                "dict": [
                    [written(key, depth + 1), written(member, depth + 1)]
                    for key, member in dict.items(value)
                ]
            }
        for tag, group in GROUPS.items():
            if issubclass(kind, group):
                members = [written(member, depth + 1) for member in group.__iter__(value)]
                return (
                    members
                    if tag == "list"
                    else {tag: sorted(members, key=json.dumps) if "set" in tag else members}
                )
        if kind is _loaded("fractions", "Fraction"):
            return {
                "fraction": [written(value.numerator, depth), written(value.denominator, depth)]
            }
        if (generic := _loaded("numpy", "generic")) and issubclass(kind, generic):
            plain = generic.item(value)
            if type(plain) in (bool, int, float, str, bytes):
                return written(plain, depth)
        raise Unusable(_described(kind))

    return written(value, 0)


def decode(value: Any) -> Any:
    """The value that `encode` was given; ValueError if members were made to collide, which would take hours.

    >>> from fractions import Fraction
    >>> value = {("u", "g"): [Fraction(1, 3), {"a"}, b"\\xff", 1.0, True]}
    >>> decode(encode(value)) == value
    True
    """
    if isinstance(value, list):
        return [decode(member) for member in value]
    if not isinstance(value, dict):
        return value
    ((tag, content),) = value.items()
    if tag == "dict":
        members = [(decode(key), decode(member)) for key, member in content]
        _refuse_collisions([key for key, _ in members])
        return dict(members)
    if tag == "bytes":
        return bytes.fromhex(content)
    if tag == "fraction":
        from fractions import Fraction

        numerator, denominator = content
        return Fraction(
            int.__index__(numerator), int.__index__(denominator)
        )  # never a text such as "1e9999999"
    members = [decode(member) for member in content]
    if "set" in tag:
        _refuse_collisions(members)
    return GROUPS[tag](members)


def _refuse_collisions(members: list) -> None:
    """ValueError if many members have one hash, so that each would be compared with every other."""
    counts: dict[int, int] = {}
    for member in members:
        place = hash(member)
        counts[place] = counts.get(place, 0) + 1
    if max(counts.values(), default=0) > MOST_ALIKE:
        raise ValueError("members with one hash")


def _loaded(module: str, name: str) -> Any:
    """A class of a module, if that is loaded; without it there is no object of the class."""
    return vars(sys.modules.get(module) or object).get(name)


def with_article(name: str) -> str:
    """ "an int", "a list"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _described(kind: type) -> str:
    """What a value of this type is, and what to return instead."""
    name = kind.__name__[:100]
    what = with_article(name)
    used_up = f"{what}, which is used up by reading it; return list(...) of it"
    view = f"{what}; return list(...) of it"
    uncalled = f"a {name} instead of a value; are the parentheses () missing, to call it?"
    advice = {
        **dict.fromkeys(("generator", "map", "filter", "zip", "enumerate", "reversed"), used_up),
        **dict.fromkeys(("range", "dict_keys", "dict_values", "dict_items", "deque"), view),
        **dict.fromkeys(("function", "builtin_function_or_method", "method", "type"), uncalled),
        "ndarray": "an ndarray; return its .tolist()",
        "coroutine": "a coroutine, because the function is declared with async; write a plain def",
    }
    other = f"{what} object; return numbers, strings, lists, tuples, sets or dictionaries"
    return advice.get(name, used_up if name.endswith("iterator") else other)


def text_of(error: BaseException, most: int = 300) -> str:
    """The first characters of an exception's text, and something in its place if the exception refuses to have one."""
    try:
        return str.__str__(str(error))[:most]
    except BaseException as second:
        return f"(its text cannot be shown: {type(second).__name__})"
