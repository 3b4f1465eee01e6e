"""Exercises that ask for code: the learner's function against the package's, on inputs that Hypothesis finds.

The learner's function runs in a process of its own (see `runner`); here only values are compared. The smallest input on
which it differs is what the learner reads; where its values agree with a known mistake on every input tried, that
mistake is named.
"""
from __future__ import annotations

import contextlib
import copy
import dis
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import CodeType

from .. import running as runner
from .kinds import Invalid, Kind

LIMITS = runner.Limits()
EXAMPLES = 80                                   # inputs from Hypothesis, beside those of the exercise
SHRINKING = 30                                  # how often a failing function is run again to find a smaller input


@dataclass(frozen=True)
class Function(Kind):
    """A function that the learner writes.

    signature: how it is called, such as "merge(symbols, pair)". same: whether two returned values are the same
    answer; by default, equal values, lists and tuples alike, floats within one part in 10^9. allow: modules of the
    package that the function may use.
    """
    name: str = "function"
    form: str = "your function, by its name and without brackets, such as merge"
    example: str = "merge"
    signature: str = ""
    same: Callable[[object, object], bool] | None = None
    allow: Sequence[str] = ()

    def __init__(self, signature: str, same=None, allow: Sequence[str] = ()):
        called = signature.partition("(")[0]
        for field, value in (("signature", signature), ("same", same or alike), ("allow", tuple(allow)),
                             ("form", f"your function, by its name and without brackets: {called}"), ("example", called)):
            object.__setattr__(self, field, value)

    @property
    def task(self) -> str:
        """What there is to do, and where."""
        return f"Write `{self.example}` in the cell below, and run that cell: it is checked there."

    @property
    def stub(self) -> str:
        """What the learner begins with."""
        return f"def {self.signature}:\n    ..."

    def parse(self, typed, options=()):
        if not callable(typed):
            raise Invalid(f"I expected {self.form}, and got {_short(typed)}.")
        return typed

    def show(self, value) -> str:
        return getattr(value, "__name__", "a function")


class Repair(Function):
    """A function that is given broken, as source, and is to be mended."""

    def __init__(self, signature: str, broken: str, same=None, allow: Sequence[str] = ()):
        super().__init__(signature, same, allow)
        object.__setattr__(self, "name", "repair")
        object.__setattr__(self, "broken", broken)

    @property
    def task(self) -> str:
        return f"Mend `{self.example}` in the cell below, and run that cell: it is checked there."

    @property
    def stub(self) -> str:
        return self.broken.rstrip()


def is_stub(function: object) -> bool:
    """Whether a function does nothing yet: `...`, `pass`, or a docstring alone.

    >>> def later(x):
    ...     '''Tomorrow.'''
    ...     ...
    >>> is_stub(later), is_stub(lambda x: x)
    (True, False)
    """
    code = getattr(function, "__code__", None)
    idle = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "COPY_FREE_VARS"}
    constants = set(code.co_consts if code else (1,)) - {None, ..., getattr(function, "__doc__", None)}
    return code is not None and not constants and {step.opname for step in dis.get_instructions(code)} <= idle


def is_unchanged(function: object, source: str) -> bool:
    """Whether a function is still the one that `source` defines, wherever it stands now.

    >>> names = {}
    >>> exec("\\n\\ndef double(x):\\n    return x + x  # a comment", names)
    >>> is_unchanged(names["double"], "def double(x):\\n    return x + x"), is_unchanged(len, "def f(): 0")
    (True, False)
    """
    given = next(const for const in compile(source, "given", "exec").co_consts if isinstance(const, CodeType))
    return _same_code(getattr(function, "__code__", None), given)


def _same_code(a: object, b: object) -> bool:
    """Whether two code objects do the same, line numbers apart; other constants have to be equal, and of one type."""
    if not isinstance(a, CodeType) or not isinstance(b, CodeType):
        return type(a) is type(b) and a == b
    same = all(getattr(a, name) == getattr(b, name) for name in ("co_code", "co_names", "co_varnames"))
    return same and len(a.co_consts) == len(b.co_consts) and all(map(_same_code, a.co_consts, b.co_consts))


def untouched_words(kind: Function, function: object) -> str:
    """What to say of a function that is as it was given; "" for any other."""
    if is_stub(function):
        return "Not written yet: put your code in place of the three dots."
    if isinstance(kind, Repair) and is_unchanged(function, kind.broken):
        return "Not mended yet: this is the function as it was given."
    return ""


def alike(a: object, b: object) -> bool:
    """Whether two plain values are the same answer.

    >>> alike([("u", "g"), 1 / 3], (["u", "g"], 0.1 / 0.3)), alike({"a": 1}, {"a": 2}), alike(True, 1)
    (True, False, False)
    """
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return type(a) is type(b) and a == b if not isinstance(a, _NUMBERS) else isinstance(b, _NUMBERS) and a == b


_NUMBERS = (int, float, Fraction)


def judge(instance, function: Callable, *, run: Callable | None = None, secret: int | None = None,
          search: bool = True):
    """Feedback on a learner's function.

    run: what runs it, in place of `runner.run`. secret: a number from which further inputs are drawn, that nobody has
    seen before. search: whether to look for a smaller input than those that were tried.
    """
    exercise, variant, run, told = instance.exercise, instance.variant, run or runner.run, instance._feedback
    if untouched := untouched_words(exercise.kind, function):
        return told("not attempted", 0.0, untouched)
    right = exercise.answer(variant)
    cases = [tuple(case) for case in exercise.cases(variant)] + _examples(exercise, variant)
    if secret is not None:
        cases += _examples(exercise, variant, secret)
    ran = run(function, copy.deepcopy(cases), limits=LIMITS, allow=exercise.kind.allow)
    if ran.outcome == "invalid":
        return told("invalid", 0.0, f"{ran.message} This does not count as an attempt.")
    if ran.outcome != "ok" and not ran.results:
        return told("error", 0.0, ran.message, "", _printed(ran))
    trials = [Trial(case, _call(right, case), result) for case, result in zip(cases, ran.results, strict=True)]
    failed = [trial for trial in trials if not trial.passed(exercise.kind.same)]
    if not failed:
        remark = (" One thing to mend: your function changes what it is given; whoever calls it may not expect that."
                  if ran.mutated else "")
        return told("correct", 1.0, f"Right, on every input that was tried.{remark}")
    worst = min(failed, key=lambda trial: (trial.result.outcome == "not run", len(repr(trial.case))))
    if worst.result.outcome != "value":
        outcome = "timeout" if worst.result.outcome == "timeout" else "error"
        return told(outcome, 0.0, ran.message, "", worst.told(instance) + _printed(ran))
    if search:
        worst = _smaller(instance, function, right, trials, worst, run)
    share = 1 - len(failed) / len(trials)
    message, label = _what_went_wrong(instance, trials, worst, ran)
    if label or share < 0.5:
        return told("incorrect", 0.0, message, label, worst.told(instance) + _printed(ran))
    return told("partial", round(share / 2, 2), message, "", worst.told(instance) + _printed(ran))


def _what_went_wrong(instance, trials: Sequence[Trial], worst: Trial, ran: runner.Run) -> tuple[str, str]:
    """The headline for wrong values, and the label of the mistake if it is a known one."""
    known = _known_mistake(instance.exercise, instance.variant,
                           [trial for trial in trials if trial.result.outcome == "value"])
    if known:
        return instance._text(known.message), known.label
    if worst.result.value is not None:
        return worst.headline(instance), ""
    if ran.printed:
        return ("Your function prints something and returns nothing. `return` hands a value back to whoever called.",
                "printed")
    return "Your function returned nothing (`None`). Is a `return` missing?", "returned-none"


@dataclass(frozen=True)
class Trial:
    """One input, what was expected, and what came back."""
    case: tuple
    expected: object
    result: runner.Result

    def passed(self, same) -> bool:
        return self.result.outcome == "value" and same(self.result.value, self.expected)

    def call(self, instance) -> str:
        return f"{instance.kind.example}({', '.join(map(repr, self.case))})"

    def headline(self, instance) -> str:
        return f"Not on every input: look at `{self.call(instance)}`."

    def told(self, instance) -> str:
        if self.result.outcome != "value":
            where = f", at line {self.result.line}: `{self.result.code.strip()}`" if self.result.line else ""
            came = f"ended with {self.result.error}: {self.result.message}{where}" if self.result.error else \
                self.result.outcome
            return f"The smallest input on which that happened:\n\n```\n{self.call(instance)}\n```\n\n{came}\n"
        return (f"The smallest input found on which it differs:\n\n```\n{self.call(instance)}\n```\n\n"
                f"yours: `{self.result.value!r}`\n\nexpected: `{self.expected!r}`\n")


def _printed(run) -> str:
    return f"\nIt printed:\n\n```\n{run.printed}\n```\n" if run.printed else ""


def _call(function: Callable, case: tuple) -> object:
    return function(*copy.deepcopy(case))


def _known_mistake(exercise, variant, trials: Sequence[Trial]):
    """The misconception whose broken function gives the learner's value on every input."""
    def gives(broken, trial):
        try:
            return exercise.kind.same(trial.result.value, _call(broken, trial.case))
        except Exception:                       # a broken function may break down where the learner's did not
            return False

    for misconception in exercise.misconceptions:
        broken = misconception.wrong(variant)
        if all(gives(broken, trial) for trial in trials):
            return misconception
    return None


def _search(exercise, variant, visit: Callable[[tuple], None], secret: int | None = None, shrink: bool = False) -> None:
    """Take inputs of the exercise's strategy to `visit`: the same ones in every run, or such as a secret number decides.

    shrink: if `visit` raises on one, go on to smaller ones; the exception is raised again in the end.
    """
    from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings

    configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir(), "subword-lab-hypothesis"))   # not where one works

    @seed(secret)
    @settings(database=None, derandomize=secret is None, deadline=None, max_examples=EXAMPLES, print_blob=False,
              verbosity=Verbosity.quiet, suppress_health_check=list(HealthCheck),
              phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate])
    @given(exercise.strategy(variant))
    def take(case):
        visit(case)

    take()


def _examples(exercise, variant, secret: int | None = None) -> list[tuple]:
    """Inputs from the exercise's strategy, small ones first."""
    cases: list[tuple] = []
    _search(exercise, variant, cases.append, secret)
    unique = {repr(case): case for case in cases}
    return sorted(unique.values(), key=lambda case: len(repr(case)))


class _Differs(Exception):
    """The function gives a wrong value on this input."""


class _Enough(BaseException):
    """Ends the search; not an Exception, which Hypothesis would take for a failure of the function."""


def _smaller(instance, function, right, trials: Sequence[Trial], worst: Trial, run: Callable) -> Trial:
    """A smaller input on which the function still gives a wrong value, as far as a few runs can find one.

    The search meets the inputs again that were tried already, and so comes to the first wrong one without a run.
    """
    tried, left = {repr(trial.case): trial for trial in trials}, SHRINKING

    def differs(trial):
        return trial.result.outcome == "value" and not trial.passed(instance.kind.same)

    def visit(case):
        nonlocal left
        if (key := repr(case)) not in tried:
            left -= 1
            if left < 0:
                raise _Enough
            result = run(function, [copy.deepcopy(case)], limits=LIMITS, allow=instance.kind.allow).results[0]
            tried[key] = Trial(case, _call(right, case), result)
        if differs(tried[key]):
            raise _Differs

    with contextlib.suppress(_Differs, _Enough):
        _search(instance.exercise, instance.variant, visit, shrink=True)
    return min(filter(differs, [worst, *tried.values()]), key=lambda trial: len(repr(trial.case)))


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
