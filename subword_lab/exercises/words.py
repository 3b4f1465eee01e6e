"""Sentences with named fields, and how a figure is written in one.

Every sentence that a person reads is one template, whole, with named fields:

    say("The pair {pair:tokens} occurs {count:times} after {done:merge|merges}.", pair=("u", "g"), count=3, done=1)

No sentence is glued from pieces, and no plural is made by adding an s: a translator sees each of them as it is.
"""

from collections.abc import Callable, Iterable, Sequence
from string import Formatter
from typing import Any

from ..arguments import code, longest_run


def say(template: str, /, **figures: object) -> str:
    """The sentences of a template, with the figures in their fields.

    A field is a name, and after a colon how the figure is written: as Python formats it (`{loss:.2f}`), in one of the
    ways of `FORMS` (`{pair:tokens}`), or with its noun, singular and plural (`{merges:merge|merges}`).

    Raises KeyError for a field without a figure.

    >>> say("After {done:merge|merges}, {pair:tokens} occurs {count:times}.", done=1, pair=("u", "g"), count=3)
    'After 1 merge, `u` `g` occurs 3 times.'
    >>> say("{title}: {bytes:.3g} bytes", title="Merge e+r", bytes=1234567)
    'Merge e+r: 1,230,000 bytes'
    >>> print(say("{freqs:table}", freqs={"hug": 10}))
    | word | times |
    |---|---|
    | `hug` | 10 |
    """
    return _Writer().vformat(template, (), figures)


def say_first(*cases: tuple[object, str], **figures: object) -> str:
    """The sentences of the first template whose condition holds, with the figures in their fields.

    >>> say_first((2 > 3, "{n} is more."), (2 < 3, "{n} is less."), (True, "{n} is the same."), n=2)
    '2 is less.'
    """
    return say(next(template for holds, template in cases if holds), **figures)


def block(text: str) -> str:
    """A text as a block of code in Markdown, which nothing in it ends.

    >>> block("hug").split()
    ['```', 'hug', '```']
    """
    fence = "`" * max(3, longest_run(text) + 1)
    return f"{fence}\n{text}\n{fence}"


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; its head is given in one string.

    >>> print(table("word | times", [["`hug`", 10]]))
    | word | times |
    |---|---|
    | `hug` | 10 |
    """
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([f"| {head} |", "|---" * (head.count("|") + 1) + "|", *lines])


def as_merges(merges: Iterable[Sequence[str]]) -> str:
    """Merges as a numbered Markdown list.

    >>> print(as_merges([("u", "g"), ("h", "ug")]))
    1. `u` + `g`
    2. `h` + `ug`
    """
    return "\n".join(
        f"{number}. `{left}` + `{right}`" for number, (left, right) in enumerate(merges, 1)
    )


def as_tokens(tokens: Iterable[str], between: str = " ") -> str:
    """Tokens in a line of Markdown code.

    >>> as_tokens(["un", "hug"]), as_tokens(["un", "hug"], between=", ")
    ('`un` `hug`', '`un`, `hug`')
    """
    return between.join(map(code, tokens))


def times(number: int) -> str:
    """How often something occurs, in words.

    >>> times(0), times(1), times(3)
    ('nowhere', 'once', '3 times')
    """
    return {0: "nowhere", 1: "once"}.get(number, f"{number:,} times")


def how_far(value: Any, answer: Any) -> str:
    """What is certain of a wrong number.

    >>> how_far(5, answer=3)
    'Too large.'
    """
    return "Too large." if value > answer else "Too small."


FORMS: dict[str, Callable[[Any], str]] = {
    "code": code,
    "tokens": as_tokens,
    "list": lambda tokens: as_tokens(tokens, between=", "),
    "then": lambda tokens: as_tokens(tokens, between=", then "),
    "groups": lambda groups: ", ".join(map(as_tokens, groups)),
    "cut": lambda tokens: code("|".join(tokens)),
    "words": lambda words: f"*{' '.join(words)}*",
    "table": lambda freqs: table("word | times", [(f"`{word}`", n) for word, n in freqs.items()]),
    "rules": lambda rules: table(
        "symbol | stands for", [(f"`{symbol}`", f"`{pair}`") for symbol, pair in rules.items()]
    ),
    "merges": as_merges,
    "times": times,
}


class _Writer(Formatter):
    """Python's own formatter, which also knows the ways of `FORMS`, and nouns."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec in FORMS:
            return FORMS[format_spec](value)
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return f"{value:,} {one if value == 1 else many}"
        return (
            f"{float(written):,.0f}"
            if "e+" in (written := str(format(value, format_spec))) and not isinstance(value, str)
            else written
        )
