"""Exercises that ask for code: the learner's function against ours, on inputs that Hypothesis finds.

An exercise of this kind is a class. Its docstring is the question, its function is the solution, and each mistake is a
function whose name is the label and whose docstring is what the learner reads:

    @exercise("class-03", "Write it: the longest word", Function(), points=2)
    class LongestWord:
        \"\"\"Write `longest(words)`: the longest word of a list and, among equals, the first one.

        `longest(["hug", "hugs"])` is `"hugs"`.\"\"\"
        hints = ("...", "...", "...")
        cases = [(["hug", "hugs"],), (["pug", "hug"],)]                 # argument tuples: first what the question shows

        @staticmethod
        def longest(words):
            return max(words, key=len)

        @staticmethod
        def inputs():                                                   # a Hypothesis strategy of argument tuples
            return st.tuples(st.lists(st.text("ab", max_size=3), min_size=1))

        class Mistakes:
            @staticmethod
            def last_of_equals(words):
                \"\"\"Among equally long words you take the last one.\"\"\"
                return max(reversed(words), key=len)

There may also be `try_on(rng)` (arguments for the learner to try, which differ from learner to learner), `why`, the
class `Also` (other right ways) and, for Repair, the class `Broken` (the function as it is given).

The learner's function runs in a process of its own (see `running`); here only values are compared.
"""
from __future__ import annotations

import contextlib
import copy
import dis
import inspect
import math
import tempfile
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from ..arguments import shorten
from ..running import function as runner
from .feedback import Feedback
from .kinds import Invalid, Kind
from .question import Ask, Case, Mistake, Question
from .rng import Rng

LIMITS = runner.Limits()
EXAMPLES = 80                                   # inputs from Hypothesis, beside those of the exercise
SHRINKING = 30                                  # how often a failing function is run again to find a smaller input
ROLES = ("inputs", "try_on")                    # functions of the class that are not the solution


@dataclass(frozen=True)
class Function(Kind):
    """A function that the learner writes.

    same: whether two returned values are the same answer; by default, equal values, lists and tuples alike, floats
    within one part in 10^9. allow: modules of the package that the function may use. keeps: whether the question asks
    that what comes in stays as it is. The rest follows from the class.
    """
    name: str = "function"
    same: Callable[[Any, Any], bool] = field(default_factory=lambda: alike)
    allow: tuple[str, ...] = ()
    keeps: bool = False
    stub: str = ""                                                      # what the learner begins with
    card_field = "none"
    proofs = frozenset({"code"})
    malformed = "not a function"

    def asking(self, written: Any) -> tuple[Kind, Ask]:
        solution = self._solution(written)
        name = solution.__name__
        kind = replace(self, stub=self._stub(written, solution), example=name,
                       form=f"your function, by its name and without brackets: {name}")
        return kind, lambda rng: kind._question(written, solution, rng)

    @staticmethod
    def _solution(written: Any) -> Callable:
        if not isinstance(written, type):
            raise ValueError(f"{getattr(written, '__name__', written)!r} is no class; expected one with the solution as "
                             "a static method (see exercises.code)")
        found = [role for role in functions(written) if role.__name__ not in ROLES]
        if len(found) != 1:
            raise ValueError(f"the class {written.__name__} has {len(found)} functions that could be the solution; "
                             "expected one static method beside inputs and try_on")
        return found[0]

    def _stub(self, written: Any, solution: Callable) -> str:
        return f"def {solution.__name__}({', '.join(inspect.signature(solution).parameters)}):\n    ..."

    def _question(self, written: Any, solution: Callable, rng: Rng) -> Question:
        cases, text = [tuple(case) for case in written.cases], [inspect.cleandoc(written.__doc__ or ""), *self._given()]
        if hasattr(written, "try_on"):
            cases.append(tuple(written.try_on(rng)))
            text.append(f"One more to try it on: `{called(solution.__name__, cases[-1])}`")
        mistakes = [Mistake(function.__name__.replace("_", "-"), function, " ".join((function.__doc__ or "").split()))
                    for function in functions(getattr(written, "Mistakes", None))]
        return Question("\n\n".join(text), solution, mistakes, written.hints, f"```python\n{source_of(solution)}\n```",
                            getattr(written, "why", ""), cases=cases, inputs=written.inputs,
                            also=functions(getattr(written, "Also", None)))

    def _given(self) -> list[str]:
        return []

    # ------------------------------------------------------------------------------------------------------- the kind

    def _read(self, answer: Any, listed: Sequence[str]) -> list[Any]:
        return [answer] if callable(answer) else []

    def is_untouched(self, answer: object) -> str:
        if is_stub(answer):
            return "Not written yet: put your code in place of the three dots."
        return super().is_untouched(answer)

    def show(self, value: Any) -> str:
        name = getattr(value, "__name__", "")
        return name[:100] if type(name) is str and name else "a function"

    def solved(self, question: Question) -> str:
        return question.solution

    def key(self, question: Question, listed: Sequence[str]) -> str:
        return question.solution

    def task(self, name: str) -> str:
        return f"Write `{self.example}` in the cell below, and run that cell: it is checked there."

    def cell(self, name: str, answer: object = ...) -> str:
        source = self.stub if answer is ... else answer if isinstance(answer, str) else source_of(answer)
        return f"{source.strip()}\n\n\n{name}.check({self.example})"

    def tells_apart(self, question: Question) -> bool:
        return True                             # functions are told apart by what they do

    # ------------------------------------------------------------------------------------------------------- judging

    def judge(self, question: Question, answer: object, listed: Sequence[str], *, run: Callable | None = None,
              secret: int | None = None, search: bool = True) -> Feedback:
        """Feedback on a learner's function.

        run: what runs it, in place of `running`'s. secret: a number from which further inputs are drawn, that nobody
        has seen before. search: whether to look for a smaller input than those that were tried.
        """
        function = self.readings(answer)[0]
        cases = [*question.cases, *examples(question.inputs), *([] if secret is None else examples(question.inputs, secret))]
        ran = (run or runner.run)(function, copy.deepcopy(cases), limits=LIMITS, allow=self.allow)
        if ran.outcome == "invalid":
            raise Invalid(ran.message)
        if not ran.results:
            return Feedback("error", 0.0, ran.message, evidence=_printed(ran))
        trials = [Trial(self, case, call(question.answer, case), result)
                  for case, result in zip(cases, ran.results, strict=True)]
        failed = [trial for trial in trials if not trial.passed]
        if not failed:
            return self._passed(question, ran)
        worst = min(failed, key=Trial.rank)
        if not worst.is_wrong:
            outcome = "timeout" if worst.result.outcome == "timeout" else "error"
            return Feedback(outcome, 0.0, ran.message, evidence=worst.told() + _printed(ran))
        rerun = Rerun(self, question, function, run or runner.run)
        if search:
            worst = rerun.smaller(trials, worst)
        message, label = self._diagnosed(question, trials, worst, ran, rerun)
        evidence, share = worst.told() + _printed(ran), self._share(trials)
        if label or share < 0.5:
            return Feedback("incorrect", 0.0, message, label, evidence)
        return Feedback("partial", round(share / 2, 2), message, "", evidence)

    def _passed(self, question: Question, ran: runner.Run) -> Feedback:
        right = f"Right, on every input that was tried. {question.why}".rstrip()
        if not ran.mutated:
            return Feedback("correct", 1.0, right)
        if self.keeps:
            return Feedback("partial", 0.5, "The values are right, but your function changes what it is given, and the "
                                            "question asks that it stays as it is. Work on a copy: `list(...)`.", "argument-changed")
        return Feedback("correct", 1.0, f"{right} One thing to mend: your function changes what it is given; whoever calls "
                                        "it may not expect that.")

    def _share(self, trials: Sequence[Trial]) -> float:
        """Of the inputs on which doing nothing would not do, the part on which the function is right."""
        telling = [trial for trial in trials if not trial.is_trivial]
        return sum(trial.passed for trial in telling) / len(telling) if telling else 0.0

    def _diagnosed(self, question: Question, trials: Sequence[Trial], worst: Trial, ran: runner.Run,
                   rerun: Rerun) -> tuple[str, str]:
        """The headline for wrong values, and the label of the mistake if it is a known one."""
        with_value = [trial for trial in trials if trial.result.outcome == "value"]
        for mistake in question.mistakes:
            if all(trial.is_like(mistake.value) for trial in with_value):
                return mistake.message, mistake.label
        for says in (_nothing_returned, _wrong_type):
            if told := says(question, with_value, ran):
                return told
        if rerun.is_right_alone(worst):
            return ("Called on this input alone, your function is right; called after others, it is not. Something is kept "
                    "between calls: a list or a dictionary outside the function, or a default argument?", "state-kept")
        for says in (_constant, _only_the_examples, _argument_back):
            if told := says(question, with_value, ran):
                return told
        return f"{worst.headline()} {_shape(with_value)}".rstrip(), ""


@dataclass(frozen=True)
class Repair(Function):
    """A function that is given broken and is to be mended."""
    name: str = "repair"

    def _stub(self, written: Any, solution: Callable) -> str:
        given = functions(getattr(written, "Broken", None))
        if len(given) != 1:
            raise ValueError(f"the class {written.__name__} gives {len(given)} functions to repair; expected a class "
                             "Broken with one static method")
        return source_of(given[0])

    def _given(self) -> list[str]:
        return [f"```python\n{self.stub}\n```"]

    def is_untouched(self, answer: object) -> str:
        if is_unchanged(answer, self.stub):
            return "Not mended yet: this is the function as it was given."
        return super().is_untouched(answer)

    def task(self, name: str) -> str:
        return f"Mend `{self.example}` in the cell below, and run that cell: it is checked there."


# ------------------------------------------------------------------------------------------------------------ one trial

@dataclass(frozen=True)
class Trial:
    """One input, what was expected, and what came back."""
    kind: Function
    case: Case
    expected: Any
    result: runner.Result

    @property
    def passed(self) -> bool:
        """Whether the right value came back."""
        return self.result.outcome == "value" and self.kind.same(self.result.value, self.expected)

    @property
    def is_wrong(self) -> bool:
        """Whether a value came back that is not the right one."""
        return self.result.outcome == "value" and not self.passed

    @property
    def is_trivial(self) -> bool:
        """Whether something that does nothing would be right here: an argument handed back, or an empty value."""
        nothing: list[Any] = [*self.case, [], {}, "", 0, None]
        return any(self.kind.same(value, self.expected) for value in nothing)

    def is_like(self, broken: Callable) -> bool:
        """Whether a broken function gives the same here."""
        try:
            return self.kind.same(self.result.value, call(broken, self.case))
        except Exception:                       # it may break down where the learner's did not
            return False

    def rank(self) -> tuple:
        """The lower, the better it shows what is wrong: values before exceptions, something before nothing."""
        empty = any(hasattr(argument, "__len__") and not len(argument) for argument in self.case)
        return (self.result.outcome == "not run", not self.is_wrong, empty, len(repr(self.case)), repr(self.case))

    def headline(self) -> str:
        """In a line: the call, what should come, and what came."""
        this = called(self.kind.example, self.case)
        expected, yours = (shorten(value, 80) for value in (self.expected, self.result.value))
        if len(this) > 100:
            return "Not on every input: the details show the smallest one found."
        if self.result.value is None:
            return f"On some inputs it returns nothing: `{this}` should give `{expected}`. Is there a way to its end without a `return`?"
        return f"Not on every input: `{this}` should give `{expected}`, and yours gives `{yours}`."

    def told(self) -> str:
        """The same at length."""
        result, this = self.result, shorten_text(called(self.kind.example, self.case))
        if result.outcome != "value":
            where = f", at line {result.line}: `{result.code.strip()}`" if result.line else ""
            came = f"ended with {result.error}: {result.message}{where}" if result.error else result.outcome
            return f"The smallest input on which that happened:\n\n```\n{this}\n```\n\n{came}\n"
        return (f"The smallest input found on which it differs:\n\n```\n{this}\n```\n\n"
                f"yours: `{shorten(result.value, 400)}`\n\nexpected: `{shorten(self.expected, 400)}`\n")


def called(name: str, case: Case) -> str:
    """A call as one writes it.

    >>> called("merge", (["u", "g"], ("u", "g")))
    "merge(['u', 'g'], ('u', 'g'))"
    """
    return f"{name}({', '.join(map(repr, case))})"


def shorten_text(text: str, most: int = 600) -> str:
    """The text, cut where it is longer than a few lines."""
    return text if len(text) <= most else text[:most] + " ..."


def _printed(ran: runner.Run) -> str:
    return f"\nIt printed:\n\n```\n{ran.printed[:600]}\n```\n" if ran.printed else ""


def call(function: Callable, case: Case) -> Any:
    """What a function of ours gives; the case stays as it is."""
    return function(*copy.deepcopy(case))


# ------------------------------------------------------------------------------- what can be said of any wrong function

Said = tuple[str, str] | None


def _nothing_returned(question: Question, trials: Sequence[Trial], ran: runner.Run) -> Said:
    if any(trial.result.value is not None for trial in trials):
        return None
    if ran.printed:
        return "Your function prints something and returns nothing. `return` hands a value back to whoever called.", "printed"
    return "Your function returned nothing (`None`), whatever it was given. Is a `return` missing?", "returned-none"


def _wrong_type(question: Question, trials: Sequence[Trial], ran: runner.Run) -> Said:
    wanted, given = ({_type(value) for value in values} for values in (
        (trial.expected for trial in trials), (trial.result.value for trial in trials if trial.result.value is not None)))
    if wanted & given or not given or None in (trial.expected for trial in trials):
        return None
    return (f"Your function returns {_listed(given)}, and {_listed(wanted)} is asked for.", "wrong-type")


_TYPES: dict[type, str] = {int: "number", float: "number", Fraction: "number", list: "list", tuple: "list",
                           frozenset: "set", str: "string", dict: "dictionary"}


def _type(value: object) -> str:
    return _TYPES.get(type(value), type(value).__name__)


def _listed(types: set[str]) -> str:
    return " or ".join(f"a {name}" for name in sorted(types))


def _constant(question: Question, trials: Sequence[Trial], ran: runner.Run) -> Said:
    values = [trial.result.value for trial in trials]
    if len(values) < 3 or not all(alike(value, values[0]) for value in values):
        return None
    return f"Your function returns `{shorten(values[0], 80)}` whatever it is given.", "constant"


def _only_the_examples(question: Question, trials: Sequence[Trial], ran: runner.Run) -> Said:
    shown, others = trials[:len(question.cases)], [trial for trial in trials[len(question.cases):] if not trial.is_trivial]
    passed = sum(trial.passed for trial in shown if not trial.is_trivial)
    if not passed or not others or sum(trial.passed for trial in others) > len(others) / 20:
        return None
    return ("Your function is right on an example of the question, and on hardly any other input. Does it work out its answer "
            "from what it is given?", "only-the-example")


def _argument_back(question: Question, trials: Sequence[Trial], ran: runner.Run) -> Said:
    for place in range(len(question.cases[0]) if question.cases else 0):
        if all(alike(trial.result.value, trial.case[place]) for trial in trials):
            return "Your function gives back what it is given, unchanged.", "argument-back"
    return None


def _shape(trials: Sequence[Trial]) -> str:
    """What all wrong values have in common, where they have; "" if nothing is certain."""
    pairs = [(trial.result.value, trial.expected) for trial in trials if not trial.passed]
    for fits, words in _SHAPES:
        with contextlib.suppress(TypeError, ValueError, AttributeError, OverflowError):
            if all(fits(yours, right) for yours, right in pairs):
                return words
    return ""


def _lists(yours: Any, right: Any) -> bool:
    return isinstance(yours, (list, tuple)) and isinstance(right, (list, tuple))


_SHAPES: tuple[tuple[Callable[[Any, Any], bool], str], ...] = (
    (lambda a, b: _type(a) == _type(b) == "number" and a == b + 1, "It is always one too many."),
    (lambda a, b: _type(a) == _type(b) == "number" and a == b - 1, "It is always one too few."),
    (lambda a, b: _type(a) == _type(b) == "number" and a == -b, "It is always the sign."),
    (lambda a, b: _lists(a, b) and len(a) > 1 and alike(a, b[::-1]), "It is always exactly the other way round."),
    (lambda a, b: _lists(a, b) and sorted(map(repr, a)) == sorted(map(repr, b)), "The members are always right, their order is not."),
    (lambda a, b: _lists(a, b) and alike(a, b[:-1]), "It is always the last member that is missing."),
    (lambda a, b: _lists(a, b) and alike(a, b[1:]), "It is always the first member that is missing."),
    (lambda a, b: _lists(a, b) and alike(a[:-1], b), "There is always one member too many, at the end."),
    (lambda a, b: _lists(a, b) and alike(a[1:], b), "There is always one member too many, at the beginning."),
    (lambda a, b: isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys(), "The keys are always right, their values are not."),
    (lambda a, b: isinstance(a, dict) and isinstance(b, dict) and a.keys() < b.keys(), "There are always keys missing."),
    (lambda a, b: isinstance(a, dict) and isinstance(b, dict) and a.keys() > b.keys(), "There are always keys too many."),
)


# ------------------------------------------------------------------------------------------------- inputs, and smaller ones

@lru_cache(maxsize=256)
def examples(inputs: Callable[[], Any] | None, secret: int | None = None) -> tuple[Case, ...]:
    """Inputs from an exercise's strategy, small ones first: the same in every run, or such as a secret number decides."""
    assert inputs is not None
    cases: list[Case] = []
    _search(inputs, cases.append, secret)
    unique = {repr(case): case for case in cases}
    return tuple(sorted(unique.values(), key=lambda case: len(repr(case))))


def _search(inputs: Callable[[], Any], visit: Callable[[Case], None], secret: int | None = None, shrink: bool = False) -> None:
    """Take inputs of a strategy to `visit`.

    shrink: if `visit` raises on one, go on to smaller ones; the exception is raised again in the end.
    """
    from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings

    configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir(), "subword-lab-hypothesis"))   # not where one works

    @seed(secret)
    @settings(database=None, derandomize=secret is None, deadline=None, max_examples=EXAMPLES, print_blob=False,
              verbosity=Verbosity.quiet, suppress_health_check=list(HealthCheck),
              phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate])
    @given(inputs())
    def take(case: Case) -> None:
        visit(case)

    take()


class _Differs(Exception):
    """The function gives a wrong value on this input."""


class _Enough(BaseException):
    """Ends the search; not an Exception, which Hypothesis would take for a failure of the function."""


@dataclass(frozen=True)
class Rerun:
    """A learner's function that is called again, on an input at a time."""
    kind: Function
    question: Question
    function: Callable
    run: Callable

    def trial(self, case: Case) -> Trial:
        """One input, in a process of its own."""
        result = self.run(self.function, [copy.deepcopy(case)], limits=LIMITS, allow=self.kind.allow).results[0]
        return Trial(self.kind, case, call(self.question.answer, case), result)

    def is_right_alone(self, trial: Trial) -> bool:
        """Whether the function is right on this input when nothing was called before."""
        return self.trial(trial.case).passed

    def smaller(self, trials: Sequence[Trial], worst: Trial) -> Trial:
        """A smaller input on which the function still gives a wrong value, as far as a few runs can find one.

        The search meets the inputs again that were tried already, and so comes to the first wrong one without a run.
        """
        tried, left = {repr(trial.case): trial for trial in trials}, SHRINKING

        def visit(case: Case) -> None:
            nonlocal left
            if (key := repr(case)) not in tried:
                left -= 1
                if left < 0:
                    raise _Enough
                tried[key] = self.trial(case)
            if tried[key].is_wrong:
                raise _Differs

        with contextlib.suppress(_Differs, _Enough):
            _search(self.question.inputs or tuple, visit, shrink=True)
        return min((trial for trial in [worst, *tried.values()] if trial.is_wrong), key=Trial.rank)


# ---------------------------------------------------------------------------------------------------------- small parts

def functions(written: Any) -> list[Callable]:
    """The static methods of a class, in their order."""
    members = vars(written).values() if written else ()
    return [member.__func__ for member in members if isinstance(member, staticmethod)]


def source_of(function: Any) -> str:
    """A function's source as a learner would write it: without the decorator and the indentation of its class."""
    lines = inspect.getsource(function).splitlines()
    start = next(number for number, line in enumerate(lines) if line.lstrip().startswith("def "))
    return textwrap.dedent("\n".join(lines[start:])).rstrip()


def is_stub(function: object) -> bool:
    """Whether a function does nothing yet: `...`, `pass`, or a docstring alone.

    >>> def later(x):
    ...     '''Tomorrow.'''
    ...     ...
    >>> is_stub(later), is_stub(lambda x: x)
    (True, False)
    """
    code = _code(function)
    idle = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "COPY_FREE_VARS"}
    if code is None or not {step.opname for step in dis.get_instructions(code)} <= idle:
        return False
    texts = [const for const in code.co_consts if const is not None and const is not ...]
    return all(type(const) is str and const == getattr(function, "__doc__", None) for const in texts)


def is_unchanged(function: object, source: str) -> bool:
    """Whether a function is still the one that `source` defines, wherever it stands now.

    >>> names = {}
    >>> exec("\\n\\ndef double(x):\\n    return x + x  # a comment", names)
    >>> is_unchanged(names["double"], "def double(x):\\n    return x + x"), is_unchanged(len, "def f(): 0")
    (True, False)
    """
    given = next(const for const in compile(source, "given", "exec").co_consts if isinstance(const, CodeType))
    return _same_code(_code(function), given)


def _code(function: object) -> CodeType | None:
    """The code of a plain function; what other objects say of theirs may be anything."""
    return function.__code__ if inspect.isfunction(function) else None


def _same_code(a: object, b: object) -> bool:
    """Whether two code objects do the same, line numbers apart; other constants have to be equal, and of one type."""
    if not isinstance(a, CodeType) or not isinstance(b, CodeType):
        return type(a) is type(b) and a == b
    same = all(getattr(a, name) == getattr(b, name) for name in ("co_code", "co_names", "co_varnames"))
    return same and len(a.co_consts) == len(b.co_consts) and all(map(_same_code, a.co_consts, b.co_consts))


_NUMBERS = (int, float, Fraction)


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
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        if isinstance(a, float) or isinstance(b, float):
            try:
                return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
            except OverflowError:               # a whole number beyond all floats
                return False
        return a == b
    return type(a) is type(b) and a == b
