"""What callers pass in: checks that say which argument is wrong, what it is, and what was expected."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps

SortKey = float | str | bytes | tuple  # what a caller's own rule may sort by


def shorten(value: object, length: int = 60) -> str:
    """The repr of a value for a message, cut to at most `length` characters.

    >>> shorten("unhug"), shorten("unhug", 7), shorten("unhug", 6)
    ("'unhug'", "'unhug'", "'un...")
    """
    shown = repr(value)
    return shown if len(shown) <= length else shown[: length - 3] + "..."


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "merge"), counted(2000, "merge")
    ('1 merge', '2,000 merges')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def wrong_type(name: str, value: object, expected: str) -> ValueError:
    """The error for an argument of the wrong type.

    >>> wrong_type("merges", 7, "a list of pairs")
    ValueError('merges is int, 7; expected a list of pairs')
    """
    return ValueError(f"{name} is {type(value).__name__}, {shorten(value)}; expected {expected}")


def check(holds: object, message: str) -> None:
    """ValueError with this message unless something holds.

    >>> check(0 < 0.5 < 1, "drop is 0.5; expected a share between 0 and 1")
    """
    if not holds:
        raise ValueError(message)


def check_type(name: str, value: object, expected: type) -> None:
    """ValueError unless `value` is of the expected type, such as the model that a function works with."""
    if not isinstance(value, expected):
        raise wrong_type(name, value, f"a {expected.__name__}")


def check_string(name: str, value: object, *, mark: str = "") -> str:
    """`value`, if it is a string that can be written as UTF-8, without the end-of-word mark; otherwise ValueError.

    >>> check_string("text", b"hug")
    Traceback (most recent call last):
    ValueError: text is bytes, b'hug'; expected a string (decode bytes first, for example with .decode("utf-8"))
    """
    if not isinstance(value, str):
        hint = ' (decode bytes first, for example with .decode("utf-8"))'
        raise wrong_type(name, value, "a string" + hint * isinstance(value, bytes))
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds the lone surrogate {value[error.start]!r} at position {error.start}; "
            "it is half of a character and has no UTF-8 form"
        ) from None
    if mark and mark in value:
        raise ValueError(
            f"the word {value!r} holds the end-of-word mark {mark!r}; choose another mark"
        )
    return value


def check_words(name: str, words: Iterable[str], *, mark: str = "") -> list[str]:
    """The words as a list, if all are strings without the end-of-word mark; otherwise ValueError."""
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise wrong_type(name, words, "a sequence of strings")
    words = list(words)
    for word in words:
        check_string(f"a member of {name}", word, mark=mark)
    return words


def check_word_freqs(word_freqs: Mapping[str, int], *, mark: str = "") -> None:
    """ValueError unless this is a non-empty mapping from words to counts of at least 1."""
    if not isinstance(word_freqs, Mapping):
        raise wrong_type(
            "word_freqs",
            word_freqs,
            "a dictionary from words to counts, as text.word_freqs returns",
        )
    check(word_freqs, "word_freqs is empty: there is nothing to learn from")
    check_words("word_freqs", word_freqs, mark=mark)
    check(
        "" not in word_freqs,
        "word_freqs holds the empty word ''; a word has at least one character",
    )
    for word, freq in word_freqs.items():
        if type(freq) is not int or freq < 1:
            raise ValueError(
                f"word_freqs[{word!r}] is {shorten(freq)}; a count is a whole number of at least 1"
            )


def check_count(name: str, value: object, least: int = 0) -> int:
    """`value`, if it is a whole number of at least `least`; otherwise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} is {shorten(value)}; expected a whole number of at least {least}")
    return value


def check_number(name: str, value: object, above: float) -> None:
    """ValueError unless `value` is a number above a bound."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > above:
        raise ValueError(f"{name} is {shorten(value)}; expected a number above {above:g}")


def check_probability(name: str, value: object) -> None:
    """ValueError unless `value` is a number from 0 to 1."""
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"{name} is {shorten(value)}; expected a probability between 0 and 1")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """ValueError unless `value` is one of `choices`."""
    choices = list(choices)
    if value not in choices:
        raise ValueError(
            f"{name} is {shorten(value)}; expected one of {', '.join(map(repr, choices))}"
        )


def check_rule(name: str, rule: str | Callable, choices: Iterable[str]) -> str | Callable:
    """`rule`, if it is one of `choices` or a function; the function then refuses keys that have no order, such as nan.

    >>> check_rule("ties", lambda pair: float("nan"), ["first-seen"])(("u", "g"))
    Traceback (most recent call last):
    ValueError: the function ties returns nan for ('u', 'g'); expected a number, a string or a tuple of these
    """
    if not callable(rule):
        check_choice(name, rule, choices)
        return rule

    @wraps(rule)  # for its name in messages
    def key(item: object) -> SortKey:
        value = rule(item)
        parts = value if isinstance(value, tuple) else (value,)
        if any(part is None or part != part for part in parts):
            raise ValueError(
                f"the function {name} returns {shorten(value)} for {shorten(item)}; "
                "expected a number, a string or a tuple of these"
            )
        return value

    return key


LONGEST_QUOTE = 200  # characters of a text that is quoted


def code(text: str) -> str:
    """A text as code in a line of Markdown, which nothing in it ends; of a long one, how it begins.

    >>> code("un"), code("a`b\\n> c")
    ('`un`', '`` a`b > c ``')
    """
    line = re.sub(
        r"[\r\n]+", " ", text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + " ..."
    )
    fence = "`" * (longest_run(line) + 1)
    return f"{fence} {line} {fence}" if len(fence) > 1 else f"`{line}`"


def longest_run(text: str) -> int:
    """How many backticks stand in a row, at most."""
    return max(map(len, re.findall("`+", text)), default=0)
