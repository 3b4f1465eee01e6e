"""Trying a learner's function: on which inputs, what came back, and what can be said of it when it is wrong.

`code` asks here what to tell the learner; nothing here knows what an exercise is.
"""

import copy
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from pathlib import Path
from types import CodeType
from typing import Any

from .. import running as runner
from ..arguments import code, shorten
from .question import Case
from .words import say_first

LIMITS = runner.Limits()
EXAMPLES = 80  # inputs from Hypothesis, beside those of the exercise
ALWAYS = 3  # wrong values, before it is said what is always wrong with them
ORDINARY = {"0", "1", "2", "-1", "''", "True", "False"}  # constants that stand in any code
# Of one argument alone.
SHORTCUTS: tuple[Callable, ...] = (min, max, len, sum, sorted, itemgetter(0), itemgetter(-1))
LONGEST_CALL = 100  # characters of a call that is shown in a headline
Same = Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Trial:
    """One input, what was expected, and what came back.

    same: whether two values are the same answer. passed: whether the right value came back.
    """

    case: Case
    expected: Any
    result: runner.Result
    same: Same

    @cached_property
    def passed(self) -> bool:
        return self.result.outcome == "value" and self.same(self.result.value, self.expected)

    @cached_property
    def is_trivial(self) -> bool:
        """Whether something that does nothing would be right here: an argument handed back, also in a list or letter
        by letter, or an empty value.
        """
        lists = [[each] for each in self.case]
        lists += [[*each] for each in self.case if isinstance(each, str)]
        values = (*self.case, *lists, [], {}, "", 0, None)
        return any(self.same(value, self.expected) for value in values)

    @cached_property
    def shortcuts(self) -> frozenset[tuple[int, int]]:
        """The places of arguments, and which of `SHORTCUTS` would be right there."""
        return frozenset(
            (place, number)
            for place, argument in enumerate(self.case)
            for number, shortcut in enumerate(SHORTCUTS)
            if any(self.same(value, self.expected) for value in _given(shortcut, (argument,)))
        )

    @property
    def is_wrong(self) -> bool:
        """Whether a value came back that is not the right one."""
        return self.result.outcome == "value" and not self.passed

    @property
    def rank(self) -> tuple[object, ...]:
        """The lower, the better it shows what is wrong: values before exceptions, something before nothing."""
        written = called("", self.case)
        # Empty strings and odd signs are harder to see than letters.
        odd = re.findall(r"''|[^\w\s'\"()\[\]{},:.-]|_", written.replace("</w>", "w"))
        return (
            self.result.outcome == "not run",
            not self.is_wrong,
            not all(self.case),
            len(written) + 20 * len(odd),
            written,
        )


def called(name: str, case: Case) -> str:
    """A call as one writes it, the same on every machine: the members of a set are in order.

    >>> called("merge", (["u", "g"], ("u", "g"))), called("cut", ("hug", {"ug", "h"}))
    ("merge(['u', 'g'], ('u', 'g'))", "cut('hug', {'h', 'ug'})")
    """
    arguments = (
        f"{{{', '.join(sorted(map(repr, argument)))}}}"
        if isinstance(argument, set) and argument
        else repr(argument)
        for argument in case
    )
    return f"{name}({', '.join(arguments)})"


def call(function: Callable, case: Case) -> Any:
    """What a function of ours gives; the case stays as it is."""
    return function(*copy.deepcopy(case))


def _given(function: Callable, case: Case) -> list:
    """What a function of ours gives, in a list, which is empty where it breaks down."""
    try:
        return [call(function, case)]
    except Exception:
        return []


class Trials:
    """A learner's function on all inputs.

    shown: how many of the inputs stand in the question. same: whether two values are the same answer. run: what runs
    the function, as `running.run` does. `ran` is what came of it; `all` holds a trial for every input, `valued` those
    that gave a value, and `failed` those that did not give the right one.
    """

    def __init__(
        self,
        function: Callable,
        right: Callable,
        cases: Sequence[Case],
        shown: int,
        same: Same,
        run: Callable,
    ):
        self.function, self.right, self.shown = function, right, shown
        self.same, self.run = same, run
        self.ran: runner.Run = run(function, cases, limits=LIMITS)
        self.all = [
            self._trial(case, result)
            for case, result in zip(cases, self.ran.results, strict=bool(self.ran.results))
        ]
        self.valued = [trial for trial in self.all if trial.result.outcome == "value"]
        self.failed = [trial for trial in self.all if not trial.passed]

    def _trial(self, case: Case, result: runner.Result) -> Trial:
        return Trial(case, call(self.right, case), result, self.same)

    @property
    def share(self) -> float:
        """Of the inputs on which doing nothing would not do, the part on which the function is right.

        Nothing where it is right only where one shortcut is, such as the least member of its first argument.
        """
        telling = [trial for trial in self.all if not trial.is_trivial]
        passed = [trial for trial in telling if trial.passed]
        by_shortcut = passed and frozenset.intersection(*(trial.shortcuts for trial in passed))
        return 0.0 if by_shortcut or not telling else len(passed) / len(telling)

    def are_like(self, broken: Callable) -> bool:
        """Whether a broken function gives the same values, and hardly ever one where the learner's breaks down."""
        same = all(
            (given := _given(broken, trial.case)) and self.same(trial.result.value, given[0])
            for trial in self.valued
        )
        errors = [trial.case for trial in self.all if trial.result.outcome == "error"]
        return (
            same and sum(map(len, (_given(broken, case) for case in errors))) <= len(self.all) / 4
        )

    def kept(self, worst: Trial) -> str:
        """What shows that the function keeps something between calls; "" if nothing does."""
        alone = [
            self._trial(worst.case, result)
            for result in self.run(self.function, [worst.case] * 2, limits=LIMITS).results
        ]
        values = [trial.result.value for trial in alone if trial.is_wrong]
        return say_first(
            (
                alone and alone[0].passed,
                "Called on this input alone, your function is right; called after others, it is not. {kept}",
            ),
            (
                len(values) == 2 and not alike(*values),
                "Called twice on this input, your function gives two different values. {kept}",
            ),
            (True, ""),
            kept="Something is kept between calls: a list or a dictionary outside the function, or a default "
            "argument?",
        )

    def details(self, trial: Trial) -> str:
        """A trial at length: the call, what came, and what should come."""
        result, this = trial.result, called(self.right.__name__, trial.case)
        this = this if len(this) <= 600 else this[:600] + " ..."
        if result.outcome != "value":
            return f"A small input on which that happened:\n\n```\n{this}\n```\n"
        return (
            f"A small input on which it differs:\n\n```\n{this}\n```\n\n"
            f"yours: {code(repr(result.value))}\n\nexpected: {code(repr(trial.expected))}\n"
        )

    def _headline(self, trial: Trial) -> str:
        """The same in a line."""
        this, value = called(self.right.__name__, trial.case), trial.result.value
        return say_first(
            (len(this) > LONGEST_CALL, "Not on every input: the details show a small one."),
            (
                value is None and not any(each.expected is None for each in self.all),
                "On some inputs it returns nothing: `{this}` should give {expected:code}. Is there a way to its "
                "end without a `return`?",
            ),
            (
                True,
                "Not on every input: `{this}` should give {expected:code}, and yours gives {yours:code}.",
            ),
            this=this,
            expected=shorten(trial.expected, 80),
            yours=shorten(value, 80),
        )

    def diagnosis(self, worst: Trial) -> tuple[str, str]:
        """What can be said of any wrong function, as (headline, label); the label is "" where only a case shows it."""
        values = [trial.result.value for trial in self.valued]
        given = [value for value in values if value is not None]
        wanted = [trial.expected for trial in self.valued if trial.expected is not None]
        if not given and self.ran.printed:
            return (
                "Your function prints something and returns nothing. `return` hands a value back to the caller.",
                "printed",
            )
        if not given:
            return (
                "Your function returned `None`, whatever it was given. When is another value asked for?"
                if None in (trial.expected for trial in self.valued)
                else "Your function returned nothing (`None`), whatever it was given. Is a `return` missing? Or "
                "does it return what only changes a list?",
                "returned-none",
            )
        if wanted and not {*map(_type, given)} & {*map(_type, wanted)}:
            yours, asked = (" or ".join(sorted({*map(_kind, some)})) for some in (given, wanted))
            return f"Your function returns {yours}, and {asked} is asked for.", "wrong-type"
        if kept := self.kept(worst):
            return kept, "state-kept"
        if len(values) >= ALWAYS and all(alike(value, values[0]) for value in values):
            return (
                f"Your function returned {code(shorten(values[0], 80))} for every input that was tried.",
                "constant",
            )
        places = zip(*(trial.case for trial in self.valued))
        if any(all(map(alike, values, arguments)) for arguments in places):
            return "Your function gives back what it is given, unchanged.", "argument-back"
        headline, shape = self._headline(worst), self._shape()
        if not shape and self._holds_an_example():
            return (
                f"{headline} An example of the question comes out right, and what it gives stands in your code. Does "
                "your function work it out from what it is given?",
                "only-the-example",
            )
        return f"{headline} {shape}".rstrip(), ""

    def _holds_an_example(self) -> bool:
        """Whether hardly more than an example comes out right, and its value stands in the code."""
        shown, others = (
            [trial for trial in some if not trial.is_trivial]
            for some in (self.all[: self.shown], self.all[self.shown :])
        )
        written = _constants(getattr(self.function, "__code__", None))
        solution = _constants(getattr(self.right, "__code__", None))
        copied = [
            trial
            for trial in shown
            if trial.passed and set() < _constants(trial.expected) - ORDINARY - solution <= written
        ]
        return bool(copied and others) and sum(trial.passed for trial in others) <= len(others) / 20

    def _shape(self) -> str:
        """What all wrong values have in common, if they have; "" if nothing is certain."""
        wrong = [(trial.result.value, trial.expected) for trial in self.valued if not trial.passed]
        fitting = (words for words, fits in SHAPES.items() if all(fits(*pair) for pair in wrong))
        return next(fitting, "") if len(wrong) >= ALWAYS else ""


def _constants(value: Any) -> set[str]:
    """The strings and numbers that stand in a value or in code, each as Python writes it."""
    inner = value.co_consts if isinstance(value, CodeType) else value
    if isinstance(inner, dict):
        inner = (*inner, *inner.values())
    if isinstance(inner, (list, tuple, frozenset)):
        return set().union(*map(_constants, inner))
    return set() if value is None else {repr(value)}


def _both(kind: str, yours: Any, right: Any) -> bool:
    return _type(yours) == _type(right) == kind


def _is_rounded(yours: Any, right: Any) -> bool:
    """Whether a number, or each in a dictionary, is the right one to some decimals.

    >>> _is_rounded(1.39, 1.3862), _is_rounded({"a": 1.39, "b": 0.3}, {"a": 1.3862, "b": 0.2876}), _is_rounded(2, 1.3)
    (True, True, False)
    """
    if _both("dictionary", yours, right) and yours.keys() == right.keys():
        return all(_is_rounded(yours[key], right[key]) for key in right)
    return _both("number", yours, right) and yours in [round(right, n) for n in range(7)]


SHAPES: dict[str, Callable[[Any, Any], bool]] = {
    "Wherever it differs, it is one too many.": lambda a, b: _both("number", a, b) and a == b + 1,
    "Wherever it differs, it is one too few.": lambda a, b: _both("number", a, b) and a == b - 1,
    "Wherever it differs, it is in the sign.": lambda a, b: _both("number", a, b) and a == -b,
    "Wherever it differs, it is exactly the other way round.": lambda a, b: (
        _both("list", a, b) and len(a) > 1 and alike(a, b[::-1])
    ),
    "Wherever it differs, the members are right, and their order is not.": lambda a, b: (
        _both("list", a, b) and sorted(map(repr, a)) == sorted(map(repr, b))
    ),
    "Wherever it differs, it is empty.": lambda a, b: _both("list", a, b) and not a,
    "Wherever it differs, the last member is missing.": lambda a, b: (
        _both("list", a, b) and alike(a, b[:-1]) and bool(b)
    ),
    "Wherever it differs, the first member is missing.": lambda a, b: (
        _both("list", a, b) and alike(a, b[1:]) and bool(b)
    ),
    "Wherever it differs, there is one member too many, at the end.": lambda a, b: (
        _both("list", a, b) and alike(a[:-1], b) and bool(a)
    ),
    "Wherever it differs, there is one member too many, at the beginning.": lambda a, b: (
        _both("list", a, b) and alike(a[1:], b) and bool(a)
    ),
    "Wherever it differs, it is in single characters. Is nothing joined, or does `+=` add a string letter by letter?": (
        lambda a, b: (
            _both("list", a, b)
            and all(isinstance(member, str) for member in (*a, *b))
            and a == [*"".join(b)] != b
        )
    ),
    "Wherever it differs, it is rounded. Is that asked for?": _is_rounded,
    "Wherever it differs, members that come again are missing.": lambda a, b: (
        _both("list", a, b) and {*map(repr, a)} == {*map(repr, b)} and len(a) < len(b)
    ),
    "Wherever it differs, its members are of another type.": lambda a, b: (
        _both("list", a, b) and bool(a and b) and not {*map(_type, a)} & {*map(_type, b)}
    ),
    "Wherever it differs, its keys are of another type.": lambda a, b: (
        _both("dictionary", a, b) and bool(a and b) and not {*map(_type, a)} & {*map(_type, b)}
    ),
    "Wherever it differs, the keys are right, and their values are not.": lambda a, b: (
        _both("dictionary", a, b) and a.keys() == b.keys()
    ),
    "Wherever it differs, keys are missing.": lambda a, b: (
        _both("dictionary", a, b) and a.keys() < b.keys()
    ),
    "Wherever it differs, there are keys too many.": lambda a, b: (
        _both("dictionary", a, b) and a.keys() > b.keys()
    ),
}

_TYPES: dict[type, str] = {
    int: "number",
    float: "number",
    Fraction: "number",
    list: "list",
    tuple: "list",
    frozenset: "set",
    str: "string",
    bytes: "bytes object",
    dict: "dictionary",
}


def _type(value: object) -> str:
    return _TYPES.get(type(value), type(value).__name__)


def _kind(value: object) -> str:
    """What a value is, for a reader."""
    return "a pair" if isinstance(value, tuple) and len(value) == 2 else f"a {_type(value)}"


# --------------------------------------------------------------------------------------------------------------- inputs


@lru_cache(maxsize=256)
def examples(inputs: Callable[[], Any], secret: int | None = None) -> tuple[Case, ...]:
    """Inputs from a strategy, small ones first: the same in every run, or such as a secret number decides."""
    from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings

    cases: list[Case] = []
    # Not where one works, and nowhere that somebody else can write.
    configuration.set_hypothesis_home_dir(Path("~/.cache/subword-lab").expanduser())

    @seed(secret or 0)  # not by the source of the function, as where it is derandomized
    @settings(
        database=None,
        deadline=None,
        max_examples=EXAMPLES,
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(inputs())
    def take(case: Case) -> None:
        cases.append(case)

    take()
    unique = {repr(case): case for case in cases}
    return tuple(unique[written] for written in sorted(unique, key=len))


# --------------------------------------------------------------------------------------------------------- equal values


def alike(a: object, b: object) -> bool:
    """Whether two plain values are the same answer.

    >>> alike([("u", "g"), 1 / 3], (["u", "g"], 0.1 / 0.3)), alike({"a": 1}, {"a": 2}), alike(True, 1)
    (True, False, False)
    >>> alike({"a": 1, "b": [2.0]}, {"b": (2,), "a": 1}), alike({"a": 1}, {"b": 1}), alike({"a": 1}, {"a": 1, "b": 1})
    (True, False, False)
    """
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float, Fraction)) and isinstance(b, (int, float, Fraction)):
        try:
            near = isinstance(a, float) or isinstance(b, float)
            return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) if near else a == b
        except OverflowError:  # a whole number beyond all floats
            return False
    return type(a) is type(b) and a == b
