"""Kinds of answers: how what was typed becomes a value, when two values are the same, and where they part."""
from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


class Invalid(ValueError):
    """What was typed has not the form of an answer. The message says which form is wanted; no attempt is lost."""


@dataclass(frozen=True)
class Kind:
    """What all kinds of answers share.

    name: the kind in a word. form: what an answer looks like, as the learner reads it.
    """
    name: str = "text"
    form: str = "a word or a short phrase"
    example: str = '"..."'

    def parse(self, typed: object, options: Sequence[str] = ()) -> object:
        """The value of what was typed, or Invalid with the form that is wanted."""
        if not isinstance(typed, str):
            raise Invalid(f"I expected {self.form}, and got {_described(typed)}.")
        return " ".join(typed.split())

    def equal(self, a: object, b: object) -> bool:
        """Whether two values are the same answer."""
        return a == b

    def share(self, value: object, right: object) -> float:
        """How much of a wrong answer is right, from 0 to less than 1."""
        return 0.0

    def evidence(self, value: object, right: object) -> str:
        """Where a wrong answer goes wrong, without giving the right one away."""
        return ""

    def show(self, value: object) -> str:
        """A value as text."""
        return str(value)


@dataclass(frozen=True)
class Text(Kind):
    """A word or a short phrase; blanks and, unless `case` matters, capitals make no difference.

    >>> Text().equal("Lowest  Rank", "lowest rank"), Text(case=True).equal("Th", "th")
    (True, False)
    """
    case: bool = False

    def equal(self, a, b) -> bool:
        a, b = " ".join(a.split()), " ".join(b.split())
        return a == b if self.case else a.casefold() == b.casefold()


@dataclass(frozen=True)
class Number(Kind):
    """A number. Exact, unless `tolerance` (an absolute distance) is given.

    >>> Number().parse("1/36"), Number().parse(" 20 "), Number().parse("2_841")
    (Fraction(1, 36), Fraction(20, 1), Fraction(2841, 1))
    >>> Number(tolerance=0.01).equal(9.23, 9.2308)
    True
    """
    name: str = "number"
    form: str = "a number, such as 1234, 0.25 or 1/36"
    example: str = "1234"
    tolerance: float = 0.0

    def parse(self, typed, options=()) -> Fraction:
        if isinstance(typed, str):
            typed = typed.strip().replace("_", "").replace("\u00a0", "").replace("\u2212", "-")
        try:
            if isinstance(typed, bool) or not isinstance(typed, (int, float, Fraction, str)):
                raise ValueError
            if isinstance(typed, str) and _ENDLESS.search(typed):
                raise ValueError
            return Fraction(repr(typed) if isinstance(typed, float) else typed)
        except (ValueError, OverflowError, ZeroDivisionError):
            raise Invalid(f"I expected {self.form}, and got {_described(typed)}.") from None

    def equal(self, a, b) -> bool:
        return a == b if not self.tolerance else math.isclose(a, b, rel_tol=0, abs_tol=self.tolerance)

    def show(self, value) -> str:
        if isinstance(value, Fraction):
            return str(value)
        return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Choice(Kind):
    """One of the options, by its letter or by its text.

    >>> Choice().parse("b", ["yes", "no"]), Choice().parse("yes", ["yes", "no"])
    ('no', 'yes')
    """
    name: str = "choice"
    form: str = "the letter of one option, such as \"a\""
    example: str = '"a"'

    def parse(self, typed, options=()) -> str:
        if isinstance(typed, str):
            wanted = " ".join(typed.split())
            letter = wanted.rstrip(".)").casefold()
            for number, option in enumerate(options):
                if wanted == " ".join(option.split()) or letter == chr(ord("a") + number):
                    return option
        letters = ", ".join(chr(ord("a") + number) for number in range(len(options)))
        raise Invalid(f"I expected one of the letters {letters}, and got {_described(typed)}.")


@dataclass(frozen=True)
class Tokens(Kind):
    """A sequence of tokens: a list of strings, or one string with blanks or `|` between the tokens.

    >>> Tokens().parse("un | hug"), Tokens().parse("['un', 'hug']"), Tokens().parse(("un", "hug"))
    (['un', 'hug'], ['un', 'hug'], ['un', 'hug'])
    """
    name: str = "token sequence"
    form: str = "tokens, such as un|hug or [\"un\", \"hug\"]"
    example: str = '["un", "hug"]'

    def parse(self, typed, options=()) -> list[str]:
        if isinstance(typed, str):
            literal = _literal(typed)
            typed = typed.replace("|", " ").split() if literal is None else literal
        if isinstance(typed, (list, tuple)) and typed and all(isinstance(token, str) and token for token in typed):
            return list(typed)
        raise Invalid(f"I expected {self.form}, and got {_described(typed)}.")

    def evidence(self, value, right) -> str:
        if "".join(value) != "".join(right) and sorted("".join(value)) == sorted("".join(right)):
            return "Your tokens hold the right characters, but not in the right order."
        same = _common(value, right)
        if same == len(value) < len(right):
            return f"As far as it goes it is right, but something is missing after {_count(same, 'token')}."
        if same == len(right):
            return f"{_first(same, 'token')}, and then it should end."
        return f"You part from the right sequence at token {same + 1}, {value[same]!r}."

    def show(self, value) -> str:
        return " | ".join(value)


@dataclass(frozen=True)
class Merges(Kind):
    """A sequence of merges: a list of pairs, or one string such as `u+g, u+n`.

    >>> Merges().parse("u+g, h + ug"), Merges().parse([("u", "g")])
    ([('u', 'g'), ('h', 'ug')], [('u', 'g')])
    """
    name: str = "merge sequence"
    form: str = "merges, such as x+y, z+xy or [(\"x\", \"y\"), (\"z\", \"xy\")]"
    example: str = '[("x", "y"), ("z", "xy")]'

    def parse(self, typed, options=()) -> list[tuple[str, str]]:
        given = typed
        if isinstance(typed, str):
            literal = _literal(typed)
            parts = [part for part in typed.replace(";", ",").replace("\n", ",").split(",") if part.strip()]
            typed = [part.replace("+", " ").split() for part in parts] if literal is None else literal
        if isinstance(typed, (list, tuple)) and len(typed) == 2 and all(isinstance(part, str) for part in typed):
            typed = [typed]
        if isinstance(typed, (list, tuple)) and typed and all(
                isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(s, str) and s for s in pair)
                for pair in typed):
            return [tuple(pair) for pair in typed]
        raise Invalid(f"I expected {self.form}, and got {_described(given)}.")

    def share(self, value, right) -> float:
        return _common(value, right) / len(right) if value != right and len(value) <= len(right) else 0.0

    def evidence(self, value, right) -> str:
        same = _common(value, right)
        if same == len(value):
            return f"{_first(same, 'merge')}; {_count(len(right), 'merge')} were asked for."
        if same == len(right):
            return f"{_first(same, 'merge')}; no more were asked for."
        return f"You part from the training at merge {same + 1}, {'+'.join(value[same])}."

    def show(self, value) -> str:
        return ", ".join("+".join(pair) for pair in value)


@dataclass(frozen=True)
class Ordering(Kind):
    """The letters of the listed items, in the right order.

    >>> Ordering().parse("c a b", ["x", "y", "z"]), Ordering().parse(["z", "x", "y"], ["x", "y", "z"])
    (['z', 'x', 'y'], ['z', 'x', 'y'])
    """
    name: str = "ordering"
    form: str = "all the letters in order, such as c a b"
    example: str = '"c a b"'

    def parse(self, typed, options=()) -> list[str]:
        parts = typed
        if isinstance(typed, str):
            parts = _literal(typed) or typed.replace(",", " ").replace(">", " ").split()
            if len(parts) == 1 and len(parts[0]) == len(options):
                parts = list(parts[0])
        by_letter = {chr(ord("a") + number): option for number, option in enumerate(options)}
        if isinstance(parts, (list, tuple)) and all(isinstance(part, str) for part in parts):
            values = [part if part in options else by_letter.get(part.casefold()) for part in parts]
            if sorted(values, key=str) == sorted(options, key=str):
                return values
        raise Invalid(f"I expected each of the letters {', '.join(by_letter)} once, and got {_described(typed)}.")

    def share(self, value, right) -> float:
        return 0.0 if value == right else _common(value, right) / len(right)

    def evidence(self, value, right) -> str:
        same = _common(value, right)
        return f"{_first(same, 'place')}." if same else "Already the first place is another's."

    def show(self, value) -> str:
        return " > ".join(value)


@dataclass(frozen=True)
class Segmentation(Tokens):
    """One word cut into tokens; the pieces have to spell the word, which the variant gives as `word`."""
    name: str = "segmentation"
    form: str = "the word with | at every cut, such as un|hug"
    example: str = '"un|hug"'

    def parse(self, typed, options=()) -> list[str]:
        value = super().parse(typed, options)
        if options and "".join(value) != options[0]:
            raise Invalid(f"Your pieces spell {''.join(value)!r}, and the word is {options[0]!r}.")
        return value


@dataclass(frozen=True)
class Prediction(Kind):
    """What a piece of code will show, said before it is run. `of` is the kind of the value."""
    name: str = "prediction"
    of: Kind = Tokens()

    def __post_init__(self):
        object.__setattr__(self, "form", self.of.form)
        object.__setattr__(self, "example", self.of.example)

    def parse(self, typed, options=()):
        return self.of.parse(typed, options)

    def equal(self, a, b) -> bool:
        return self.of.equal(a, b)

    def share(self, value, right) -> float:
        return self.of.share(value, right)

    def evidence(self, value, right) -> str:
        return self.of.evidence(value, right)

    def show(self, value) -> str:
        return self.of.show(value)


_ENDLESS = re.compile(r"e[+-]?[0_]*[1-9][0-9_]{3}", re.IGNORECASE)           # 1e9999999 would be computed in full


def _literal(typed: str) -> object:
    """The Python literal that a string holds, or None where it is plain text."""
    if not re.match(r"""\s*[\[(]\s*["'(\[\])]""", typed):
        return None
    try:
        return ast.literal_eval(typed.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise Invalid("This begins like a Python list, but is not one; check the quotes and brackets.") from None


def _common(a: Sequence, b: Sequence) -> int:
    """How many leading members are the same."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _first(number: int, noun: str) -> str:
    return f"The first {noun} is right" if number == 1 else f"The first {_count(number, noun)} are right"


def _described(value: object) -> str:
    if isinstance(value, (str, int, float, list, tuple, dict)):
        shown = repr(value)
        return shown if len(shown) <= 60 else shown[:57] + "..."
    return f"a {type(value).__name__}"
