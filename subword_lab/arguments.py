"""What callers pass in: checks that say which argument is wrong, what it is, and what was expected; options by name."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps

TYPE_CHECKING = False                             # for type checkers it is true; importing `typing` would cost more
if TYPE_CHECKING:
    from typing import Concatenate, ParamSpec, TypeVar

    Given = ParamSpec("Given")
    Data = TypeVar("Data")
    Options = TypeVar("Options")
    Result = TypeVar("Result")

SortKey = float | str | bytes | tuple             # what a rule of the caller's own may order by


def takes(options: Callable[Given, Options]) -> Callable[[Callable[[Data, Options], Result]],
                                                         Callable[Concatenate[Data, Given], Result]]:
    """Let a function of (data, options) be called with each option by its name, as its signature then says.

    `options` is a dataclass with keyword-only fields: the one place that holds the options, their defaults and their
    checks.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Options:
    ...     size: int = 3
    >>> @takes(Options)
    ... def beginning(word, options):
    ...     return word[:options.size]
    >>> beginning("unhug"), beginning("unhug", size=2)
    ('unh', 'un')
    >>> beginning("unhug", length=2)
    Traceback (most recent call last):
    TypeError: beginning() got an unexpected keyword argument 'length'
    """
    # Modules with dataclasses have loaded it anyway; `text`, which has none, does without.
    import inspect

    make: Callable[..., Options] = options

    def decorate(function: Callable[[Data, Options], Result]) -> Callable[Concatenate[Data, Given], Result]:
        signature = inspect.signature(function)
        data, _ = signature.parameters.values()
        signature = signature.replace(parameters=[data, *inspect.signature(options).parameters.values()])

        @wraps(function)
        def called(*args: object, **named: object) -> Result:
            try:
                given = signature.bind(*args, **named).arguments
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(given.pop(data.name), make(**given))

        vars(called).update(__signature__=signature)                             # what `help` and editors show
        return called
    return decorate


def shorten(value: object, length: int = 60) -> str:
    """The repr of a value for a message, cut to at most `length` characters.

    >>> shorten("unhug"), shorten("unhug", 7), shorten("unhug", 6)
    ("'unhug'", "'unhug'", "'un...")
    """
    shown = repr(value)
    return shown if len(shown) <= length else shown[:length - 3] + "..."


def check_string(name: str, value: object) -> str:
    """`value`, if it is a string that can be written as UTF-8; otherwise ValueError.

    >>> check_string("text", b"hug")
    Traceback (most recent call last):
    ValueError: text is bytes, b'hug'; expected a string (decode bytes first, for example with .decode("utf-8"))
    """
    if not isinstance(value, str):
        hint = ' (decode bytes first, for example with .decode("utf-8"))' if isinstance(value, bytes) else ""
        raise ValueError(f"{name} is {type(value).__name__}, {shorten(value)}; expected a string{hint}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} holds the lone surrogate {value[error.start]!r} at position {error.start}; "
                         "it is half of a character and has no UTF-8 form") from None
    return value


def check_words(name: str, words: Iterable[str], *, mark: str = "") -> list[str]:
    """The words as a list, if all are strings and none holds the end-of-word mark; otherwise ValueError."""
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise ValueError(f"{name} is {type(words).__name__}, {shorten(words)}; expected a sequence of strings")
    words = list(words)
    for word in words:
        check_string(f"a member of {name}" if name != "word" else name, word)
        if mark and mark in word:
            raise ValueError(f"the word {word!r} holds the end-of-word mark {mark!r}; choose another mark")
    return words


def check_word_freqs(word_freqs: Mapping[str, int], *, mark: str = "") -> None:
    """ValueError unless this is a non-empty mapping from words to counts of at least 1."""
    if not isinstance(word_freqs, Mapping):
        raise ValueError(f"word_freqs is {type(word_freqs).__name__}, {shorten(word_freqs)}; expected a dictionary "
                         "from words to counts, as text.word_freqs returns")
    if not word_freqs:
        raise ValueError("word_freqs is empty: there is nothing to learn from")
    check_words("word_freqs", word_freqs, mark=mark)
    for word, freq in word_freqs.items():
        if not word:
            raise ValueError("word_freqs holds the empty word ''; a word has at least one character")
        if isinstance(freq, bool) or not isinstance(freq, int) or freq < 1:
            raise ValueError(f"word_freqs[{word!r}] is {shorten(freq)}; a count is a whole number of at least 1")


def check_count(name: str, value: object, least: int = 0) -> int:
    """`value`, if it is a whole number of at least `least`; otherwise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} is {shorten(value)}; expected a whole number of at least {least}")
    return value


def check_choice(name: str, value: object, choices: Iterable[str], *, or_function: bool = False) -> None:
    """ValueError unless `value` is one of `choices`; or a function, where one is welcome, too."""
    choices = list(choices)
    if value not in choices and not (or_function and callable(value)):
        raise ValueError(f"{name} is {shorten(value)}; expected one of {', '.join(map(repr, choices))}")
