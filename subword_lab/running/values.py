"""Plain values through JSON: tuples, sets, fractions, bytes and dictionaries with any keys survive.

Every process of this room loads this file, and a learner waits for it: only what is needed at once is imported.
"""
from __future__ import annotations

import json
from typing import Any

GROUPS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


class Unusable(ValueError):
    """A value that cannot be carried to another process; the message says what it is and what would do."""


def encode(value: Any) -> Any:
    """The value as JSON can hold it. A subclass (Counter, namedtuple) becomes the plain type that it extends.

    Nothing of the value's own code runs: an object that claims to equal everything is either reduced to a plain value
    or refused. Raises Unusable for any other type, RecursionError for a value that holds itself.

    >>> encode({("u", "g"): 20}), encode([1, (2.5, None)])
    ({'dict': [[{'tuple': ['u', 'g']}, 20]]}, [1, {'tuple': [2.5, None]}])
    >>> encode(word for word in ["hug"])
    Traceback (most recent call last):
    subword_lab.running.values.Unusable: a generator, which is used up by reading it; return list(...) of it
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    for plain, convert in ((str, str.__str__), (int, int.__int__), (float, float.__float__)):
        if issubclass(kind, plain):
            return convert(value)
    if issubclass(kind, dict):
        return {"dict": [[encode(key), encode(member)] for key, member in dict.items(value)]}
    for tag, group in GROUPS.items():
        if issubclass(kind, group):
            members = [encode(member) for member in group.__iter__(value)]
            return members if tag == "list" else {tag: sorted(members, key=json.dumps) if "set" in tag else members}
    if issubclass(kind, bytes):
        return {"bytes": bytes.hex(value)}
    if kind.__module__ == "fractions" and kind.__name__ == "Fraction":
        return {"fraction": [value.numerator, value.denominator]}
    if kind.__module__ == "numpy" and kind.__name__ != "ndarray" and hasattr(kind, "__index__"):
        return int(value)
    raise Unusable(_described(kind))


def decode(value: Any) -> Any:
    """The value that `encode` was given.

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
        return {decode(key): decode(member) for key, member in content}
    if tag == "bytes":
        return bytes.fromhex(content)
    if tag == "fraction":
        from fractions import Fraction

        numerator, denominator = content
        return Fraction(int.__index__(numerator), int.__index__(denominator))         # never a text such as "1e9999999"
    return GROUPS[tag](decode(member) for member in content)


def with_article(name: str) -> str:
    """"an int", "a list"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _described(kind: type) -> str:
    name = kind.__name__
    if name in ("generator", "map", "filter", "zip", "enumerate", "reversed") or name.endswith("iterator"):
        return f"{with_article(name)}, which is used up by reading it; return list(...) of it"
    if name in ("range", "dict_keys", "dict_values", "dict_items", "deque"):
        return f"{with_article(name)}; return list(...) of it"
    if name == "ndarray":
        return "an ndarray; return its .tolist()"
    if name == "coroutine":
        return "a coroutine, because the function is declared with async; write a plain def"
    if name in ("function", "builtin_function_or_method", "method", "type"):
        return f"a {name} instead of a value; is a pair of brackets () missing, to call it?"
    return f"{with_article(name)} object; return numbers, strings, lists, tuples, sets or dictionaries"


def text_of(error: BaseException, most: int = 300) -> str:
    """The first characters of an exception's text, and something in its place if the exception refuses to have one."""
    try:
        return str.__str__(str(error))[:most]
    except BaseException as second:
        return f"(its text cannot be shown: {type(second).__name__})"


def shortened(text: str, most: int) -> str:
    """The text, or its first characters and dots.

    >>> shortened("hugs", 4), shortened("hugging", 3)
    ('hugs', 'hug ...')
    """
    return text if len(text) <= most else text[:most] + " ..."
