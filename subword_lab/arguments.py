"""What callers pass in: checks that say which argument is wrong, what it is, and what was expected; options by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, wraps
from inspect import Signature
from typing import Any, Concatenate, ParamSpec, TypeVar

Given = ParamSpec("Given")
Data = TypeVar("Data")
Options = TypeVar("Options")
Result = TypeVar("Result")

SortKey = float | str | bytes | tuple  # what a rule of the caller's own may order by


def takes(
    options: Callable[Given, Options],
) -> Callable[[Callable[[Data, Options], Result]], Callable[Concatenate[Data, Given], Result]]:
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
    make: Callable[..., Options] = options

    def decorate(
        function: Callable[[Data, Options], Result],
    ) -> Callable[Concatenate[Data, Given], Result]:
        taken = _Taken(function, options)

        @wraps(function)
        def called(*args: object, **named: object) -> Result:
            signature = taken.__signature__
            try:
                given = signature.bind(*args, **named).arguments
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(given.pop(next(iter(signature.parameters))), make(**given))

        vars(called).update(__wrapped__=taken)  # where `help` and editors look for the signature
        return called

    return decorate


class _Taken:
    """A function of (data, options) with the signature that `takes` gives it, which is made when somebody asks.

    That takes `inspect`, and importing it would take most of the time in which an algorithm is imported.
    """

    def __init__(self, function: Callable, options: Callable):
        self.__wrapped__, self._options = function, options

    @cached_property
    def __signature__(self) -> Signature:
        import inspect

        own = inspect.signature(self.__wrapped__)
        data, _ = own.parameters.values()
        return own.replace(parameters=[data, *inspect.signature(self._options).parameters.values()])


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


def check_string(name: str, value: object) -> str:
    """`value`, if it is a string that can be written as UTF-8; otherwise ValueError.

    >>> check_string("text", b"hug")
    Traceback (most recent call last):
    ValueError: text is bytes, b'hug'; expected a string (decode bytes first, for example with .decode("utf-8"))
    """
    if not isinstance(value, str):
        hint = (
            ' (decode bytes first, for example with .decode("utf-8"))'
            if isinstance(value, bytes)
            else ""
        )
        raise ValueError(
            f"{name} is {type(value).__name__}, {shorten(value)}; expected a string{hint}"
        )
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds the lone surrogate {value[error.start]!r} at position {error.start}; "
            "it is half of a character and has no UTF-8 form"
        ) from None
    return value


def check_words(name: str, words: Iterable[str], *, mark: str = "") -> list[str]:
    """The words as a list, if all are strings and none holds the end-of-word mark; otherwise ValueError."""
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise ValueError(
            f"{name} is {type(words).__name__}, {shorten(words)}; expected a sequence of strings"
        )
    words = list(words)
    try:
        "".join(words).encode()  # all at once; if that fails, one of them says why
    except (TypeError, UnicodeEncodeError):
        for word in words:
            check_string(f"a member of {name}" if name != "word" else name, word)
    for word in words if mark else ():
        if mark in word:
            raise ValueError(
                f"the word {word!r} holds the end-of-word mark {mark!r}; choose another mark"
            )
    return words


def check_word_freqs(word_freqs: Mapping[str, int], *, mark: str = "") -> None:
    """ValueError unless this is a non-empty mapping from words to counts of at least 1."""
    if not isinstance(word_freqs, Mapping):
        raise ValueError(
            f"word_freqs is {type(word_freqs).__name__}, {shorten(word_freqs)}; expected a dictionary "
            "from words to counts, as text.word_freqs returns"
        )
    if not word_freqs:
        raise ValueError("word_freqs is empty: there is nothing to learn from")
    check_words("word_freqs", word_freqs, mark=mark)
    if "" in word_freqs:
        raise ValueError("word_freqs holds the empty word ''; a word has at least one character")
    if {*map(type, word_freqs.values())} == {int} and min(word_freqs.values()) >= 1:
        return
    for word, freq in word_freqs.items():
        if isinstance(freq, bool) or not isinstance(freq, int) or freq < 1:
            raise ValueError(
                f"word_freqs[{word!r}] is {shorten(freq)}; a count is a whole number of at least 1"
            )


def check_count(name: str, value: object, least: int = 0) -> int:
    """`value`, if it is a whole number of at least `least`; otherwise ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} is {shorten(value)}; expected a whole number of at least {least}")
    return value


def check_choice(
    name: str, value: object, choices: Iterable[str], *, or_function: bool = False
) -> None:
    """ValueError unless `value` is one of `choices`; or a function, where one is welcome, too."""
    choices = list(choices)
    if value not in choices and not (or_function and callable(value)):
        raise ValueError(
            f"{name} is {shorten(value)}; expected one of {', '.join(map(repr, choices))}"
        )


def check_data(name: str, value: object) -> None:
    """ValueError unless `value` is a string that has a UTF-8 form, or bytes."""
    if isinstance(value, str):
        check_string(name, value)
    elif not isinstance(value, bytes):
        raise ValueError(
            f"{name} is {type(value).__name__}, {shorten(value)}; expected a string or bytes"
        )


def check_number(name: str, value: object, above: float = float("-inf")) -> None:
    """ValueError unless `value` is a number, and more than `above`."""
    if (
        isinstance(value, bool) or not hasattr(value, "__float__") or not float(value) > above
    ):  # not so for nan
        raise ValueError(
            f"{name} is {shorten(value)}; expected a number"
            + (f" above {above:g}" if above > float("-inf") else "")
        )


def check_pair(name: str, value: object) -> None:
    """ValueError unless `value` is a tuple of two strings; in compression, two symbols of a string or of bytes."""
    if (
        not (
            isinstance(value, (str, bytes))
            or (isinstance(value, tuple) and all(isinstance(x, str) for x in value))
        )
        or len(value) != 2
    ):
        raise ValueError(f"{name} is {shorten(value)}; expected two symbols, such as ('u', 'g')")


def sortable(rule: Callable) -> Callable:
    """The caller's rule for ties, with a ValueError where it gives what has no place in an order, such as nan.

    >>> sortable(lambda pair: float("nan"))(("u", "g"))
    Traceback (most recent call last):
    ValueError: the rule for ties gives nan for ('u', 'g'); expected a number, a string or a tuple of such
    """

    def key(item: object) -> object:
        value = rule(item)
        if any(
            part is None or type(part) is object or part != part
            for part in (value if isinstance(value, tuple) else (value,))
        ):
            raise ValueError(
                f"the rule for ties gives {shorten(value)} for {shorten(item)}; expected a number, a "
                "string or a tuple of such"
            )
        return value

    return key


# ------------------------------------------------------------------------------------------------- explained failures


def _mapping(name: str, value: object, check: Callable[[str, Any], object]) -> None:
    if not isinstance(value, Mapping) or not value:
        raise ValueError(
            f"{name} is {type(value).__name__}, {shorten(value)}; expected a dictionary with something in "
            "it"
        )
    for key, member in value.items():
        check(f"{name}[{key!r}]", member)


def _check_has(name: str, value: object, attribute: str, expected: str) -> None:
    if not hasattr(value, attribute):
        raise ValueError(f"{name} is {type(value).__name__}, {shorten(value)}; expected {expected}")


def _check_symbols(name: str, value: Any) -> None:
    _check_has(name, value, "count", "a list of strings")
    check_words(name, value)


def _check_callable(name: str, value: object) -> None:
    if not callable(value):
        raise ValueError(f"{name} is {type(value).__name__}, {shorten(value)}; expected a function")


def _check_members(name: str, values: object, check: Callable[[str, Any], object]) -> None:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ValueError(
            f"{name} is {type(values).__name__}, {shorten(values)}; expected a sequence"
        )
    for value in values:
        check(f"a member of {name}", value)


# What an argument of this name has to be.
_EXPECTED: dict[str, Callable[[str, Any], object]] = {
    **dict.fromkeys(("symbols", "pieces"), _check_symbols),
    **dict.fromkeys(("words", "tokens", "special_tokens", "vocab"), check_words),
    **dict.fromkeys(
        ("keep", "alphabet"),
        lambda name, value: check_words(name, [*value] if isinstance(value, str) else value),
    ),
    **dict.fromkeys(("word", "prefix", "mark", "end_of_word", "text", "piece"), check_string),
    **dict.fromkeys(
        ("token", "unknown", "without"),
        lambda name, value: value is None or check_string(name, value),
    ),
    **dict.fromkeys(
        ("start", "size", "mark_length", "max_chars", "block_size", "max_symbols"), check_count
    ),
    "vocab_size": lambda name, value: value is None or check_count(name, value),
    **dict.fromkeys(("a", "b", "alpha"), check_number),
    "temperature": lambda name, value: check_number(name, value, above=0),
    **dict.fromkeys(
        ("freqs", "token_freqs", "counts", "ids", "ranks"),
        lambda name, value: _mapping(name, value, check_number),
    ),
    "word_freqs": lambda name, value: check_word_freqs(value),
    "encoders": lambda name, value: _mapping(name, value, _check_callable),
    "corpora": lambda name, value: _mapping(
        name, value, lambda _, member: check_word_freqs(member)
    ),
    **dict.fromkeys(("texts", "splits"), lambda name, value: _mapping(name, value, check_words)),
    "encode_word": _check_callable,
    "data": check_data,
    "rng": lambda name, value: _check_has(name, value, "choices", "random.Random(1)"),
    "table": lambda name, value: _check_has(name, value, "__contains__", "a table of rules"),
    "pair": check_pair,
    "merges": lambda name, value: _check_members(name, value, check_pair),
    "rules": lambda name, value: _check_members(
        name,
        value,
        lambda each, rule: check_pair(each, tuple(rule) if isinstance(rule, Iterable) else rule),
    ),
}
UNCLEAR = (ArithmeticError, AttributeError, LookupError, TypeError, RecursionError, ValueError)


def explain(names: dict[str, object], model: type | None = None) -> None:
    """Let the public functions of a module say which argument was wrong, if they fail because one was.

    The functions stay as short as the lessons show them: only when one has failed are its arguments looked at, by the
    rules for their names, and a ValueError says what is wrong with the first that breaks one. A failure for which no
    argument is to blame stays as it is. names: the module's `globals()`. model: what `model` has to be there.

    >>> from subword_lab import bpe
    >>> bpe.pair_freqs({"hug": 10}, {})
    Traceback (most recent call last):
    ValueError: splits is dict, {}; expected a dictionary with something in it
    """
    for name, function in list(names.items()):
        if (
            not name.startswith("_")
            and getattr(function, "__module__", "") == names["__name__"]
            and hasattr(function, "__code__")
        ):
            names[name] = _explained(function, model)  # type: ignore[arg-type]


def _explained(function: Callable, model: type | None) -> Callable:
    def blame(args: tuple, named: dict) -> ValueError | None:
        import inspect

        try:
            given = inspect.signature(function).bind(*args, **named).arguments
        except TypeError:
            return None  # not an argument is wrong, but the call
        try:
            for name, value in given.items():
                if name == "model" and model and not isinstance(value, model):
                    raise ValueError(
                        f"model is {type(value).__name__}, {shorten(value)}; expected a {model.__name__}"
                    )
                if name in _EXPECTED:
                    _EXPECTED[name](name, value)
            for word in given.get("word_freqs", ()) if "splits" in given else ():
                if word not in given["splits"]:
                    raise ValueError(f"splits has no entry for the word {word!r} of word_freqs")
        except ValueError as error:
            return error
        return None

    @wraps(function)
    def called(*args: object, **named: object) -> object:
        try:
            return function(*args, **named)
        except UNCLEAR:
            if clear := blame(args, named):
                raise clear from None
            raise

    @wraps(function)
    def iterated(*args: object, **named: object) -> object:
        try:
            yield from function(*args, **named)
        except UNCLEAR:
            if clear := blame(args, named):
                raise clear from None
            raise

    generator = 0x20  # inspect.CO_GENERATOR, without the time that importing it takes
    return iterated if function.__code__.co_flags & generator else called
