"""Plain values through JSON: tuples, sets, fractions, bytes and dictionaries with any keys survive.

Every process of this room loads this file, and a learner waits for it: only what is needed at once is imported.
"""

import json
from collections import Counter
from collections.abc import Callable
from math import inf
from typing import Any

GROUPS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
PLAIN: dict[type, Callable] = {  # how a value is written in JSON
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    bytes: lambda value: {"bytes": bytes.hex(value)},
}
SIZES: dict[type, Callable] = {  # its characters, or nearly its digits
    str: str.__len__,
    bytes: bytes.__len__,
    int: lambda number: int.bit_length(number) // 3,
}
DEEPEST = 100  # lists in lists; far from where reading, comparing or showing one fails
MOST_ALIKE = 50  # members of one hash


class Unusable(ValueError):
    """A value that cannot be carried to another process; the message says what it is and what would do."""


def encode(value: Any, most: float = inf) -> Any:
    """The value as JSON can hold it. A subclass (Counter, namedtuple) becomes the plain type that it extends.

    An object that claims to equal everything is either reduced to a plain value or refused. most: how many members,
    characters and digits it may have in all. Raises Unusable for any other type and for a value that has more,
    RecursionError for one that holds itself or is nested deeper than 100 times.

    >>> encode({("u", "g"): 20}), encode([1, (2.5, None)])
    ({'dict': [[{'tuple': ['u', 'g']}, 20]]}, [1, {'tuple': [2.5, None]}])
    >>> encode(word for word in ["hug"])
    Traceback (most recent call last):
    subword_lab.running.values.Unusable: a generator, which is used up by reading it; return list(...) of it
    """
    left = most

    def written(value: Any, depth: int) -> Any:
        nonlocal left
        kind = type(value)
        left -= 1 + sum(size(value) for plain, size in SIZES.items() if issubclass(kind, plain))
        if left < 0:
            raise Unusable(
                f"a value of more than {most:,} members and characters, far more than is asked for"
            )
        if depth > DEEPEST:
            raise RecursionError
        if value is None or kind is bool:
            return value
        for plain, convert in PLAIN.items():
            if issubclass(kind, plain):
                return convert(value)
        if issubclass(kind, dict):
            pairs = dict.items(value)
            return {"dict": [[written(each, depth + 1) for each in pair] for pair in pairs]}
        for tag, group in GROUPS.items():
            if issubclass(kind, group):
                members = [written(member, depth + 1) for member in group.__iter__(value)]
                members = sorted(members, key=json.dumps) if "set" in tag else members
                return members if tag == "list" else {tag: members}
        if (kind.__module__, kind.__name__) == ("fractions", "Fraction"):
            return {"fraction": [written(n, depth) for n in value.as_integer_ratio()]}
        if kind.__module__ == "numpy" and kind.__name__ != "ndarray":
            return written(value.item(), depth + 1)
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
    if tag == "bytes":
        return bytes.fromhex(content)
    if tag == "fraction":
        from fractions import Fraction

        return Fraction(*map(int.__index__, content))  # never a text such as "1e9999999"
    members = [decode(member) for member in content]
    if tag in ("dict", "set", "frozenset"):  # each member would be compared with all of its hash
        hashes = Counter(hash(member[0] if tag == "dict" else member) for member in members)
        if max(hashes.values(), default=0) > MOST_ALIKE:
            raise ValueError("members with one hash")
    return dict(members) if tag == "dict" else GROUPS[tag](members)


def with_article(name: str) -> str:
    """ "an int", "a list"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _described(kind: type) -> str:
    """What a value of this type is, and what to return instead."""
    name = kind.__name__[:100]
    advice = {
        "generator map filter zip enumerate reversed": ", which is used up by reading it; return list(...) of it",
        "range dict_keys dict_values dict_items deque": "; return list(...) of it",
        "function builtin_function_or_method method type": " instead of a value; are the parentheses () missing, "
        "to call it?",
        "ndarray": "; return its .tolist()",
        "coroutine": ", because the function is declared with async; write a plain def",
    }
    kind_of = "generator" if name.endswith("iterator") else name
    other = " object; return numbers, strings, lists, tuples, sets or dictionaries"
    said = (words for names, words in advice.items() if kind_of in names.split())
    return with_article(name) + next(said, other)


def text_of(error: BaseException, most: int = 300) -> str:
    """The first characters of an exception's text, and something in its place if the exception refuses to have one."""
    try:
        return str.__str__(str(error))[:most]
    except BaseException as second:
        return f"(its text cannot be shown: {type(second).__name__})"
