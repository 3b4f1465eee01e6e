"""Exercises that ask for code: the learner's function against ours, on inputs that Hypothesis finds.

An exercise of this kind is a class. Its docstring is the question, its function is the solution, and each mistake is a
function whose name is the label and whose docstring is what the learner reads:

    @exercise("class-03", "Write it: the longest word", Function(), points=2)
    class LongestWord:
        \"\"\"Write `longest(words)`: the longest word of a list and, among equals, the first one.

        `longest(["hug", "hugs"])` is `"hugs"`.\"\"\"
        hints = ("...", "...", "...")
        cases = [(["hug", "hugs"],), (["pug", "hug"],)]                 # argument tuples: first what the question shows

        def longest(words):
            return max(words, key=len)

        def inputs():                                                   # a Hypothesis strategy of argument tuples
            return st.tuples(st.lists(st.text("ab", max_size=3), min_size=1))

        class Mistakes:
            def last_of_equals(words):
                \"\"\"Among equally long words you take the last one.\"\"\"
                return max(reversed(words), key=len)

A mistake that is a small change of the solution is an edit of it: of the label, what stands in the solution, what
stands there instead, and what the learner reads.

        edits = (Edit("first-character", "key=len", "key=ord", "You compare the words themselves."),)

There may also be `try_on(rng)` (arguments for the learner to try, which differ from learner to learner), `why`, the
class `Also` (other right ways) and, for Repair, the class `Broken` (the function as it is given).

Between a function that is shown and one that is asked for stand `Gap`, where lines of the solution are left out, and
`Lines`, where they are to be put in order: a kind of values, whose mistakes are `orders`.

        orders = (Mistake("too-early", "132", "..."),)              # the solution's lines, without its head

The learner's function runs in a process of its own (see `running`); here only values are compared.
"""

import ast
import dis
import inspect
import linecache
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from .. import running as runner
from ..arguments import check
from .feedback import Feedback
from .kinds import LETTERS, Invalid, Kind, Ordering
from .question import Ask, Mistake, Question, Rng
from .trials import LIMITS, LONGEST_CALL, Trials, alike, called, examples
from .words import block

NO_BREAK = "\u00a0"  # so that a line keeps its indentation wherever it is shown
ROLES = ("inputs", "try_on")  # functions of the class that are not the solution
IN_THE_PAGE = (
    f"Your function ran in this page, for at most {runner.Limits.steps:,} lines of Python. If the page "
    "stands still, restart the kernel; what you have written stays."
)


@dataclass(frozen=True)
class Edit:
    """A mistake of code as a change of the solution. `old` stands in it once, and `new` in its place."""

    label: str
    old: str
    new: str
    message: str

    def of(self, solution: Callable) -> Callable:
        """The solution with the mistake in it; ValueError if `old` does not stand in it once.

        >>> def longest(words):
        ...     return max(words, key=len)
        >>> Edit("shortest", "max", "min", "That is the shortest one.").of(longest)(["hug", "hugs"])
        'hug'
        """
        source = source_of(solution)
        if (count := source.count(self.old)) != 1:
            raise ValueError(
                f"the edit {self.label!r}: {self.old!r} is {count} times in the solution"
            )
        return compiled(source.replace(self.old, self.new), solution, self.label)


@dataclass(frozen=True)
class Function(Kind):
    """A function that the learner writes.

    same: whether two returned values are the same answer; by default, equal values, lists and tuples alike, floats
    within one part in 10^9. keeps: whether the question asks that what comes in stays as it is. The rest follows from
    the class.
    """

    name: str = "function"
    same: Callable[[Any, Any], bool] = field(default_factory=lambda: alike)
    keeps: bool = False
    stub: str = ""  # what the learner begins with
    card_field = "none"
    longest = 20_000
    untouched = "Not written yet: put your code in place of the three dots."
    task = cell_task = (
        "Write `{kind.example}` in the cell below, and run that cell: it is checked there."
    )
    proofs = frozenset({"code"})

    def asking(self, written: Any) -> tuple[Kind, Ask]:
        check(
            isinstance(written, type),
            f"{getattr(written, '__name__', written)!r} is no class; expected one with the solution "
            "as a function (see exercises.code)",
        )
        found = [role for role in functions(written) if role.__name__ not in ROLES]
        check(
            len(found) == 1,
            f"the class {written.__name__} has {len(found)} functions that could be the solution; "
            "expected one beside inputs and try_on",
        )
        solution = found[0]
        kind = replace(
            self,
            stub=self._stub(written, solution),
            example=solution.__name__,
            form=f"your whole function, by its name and without brackets: {solution.__name__}",
        )
        return kind, lambda rng: kind._question(written, solution, rng)

    def _stub(self, written: Any, solution: Callable) -> str:
        return f"def {solution.__name__}({', '.join(inspect.signature(solution).parameters)}):\n    ..."

    def _question(self, written: Any, solution: Callable, rng: Rng) -> Question:
        cases = [tuple(case) for case in written.cases]
        text = [inspect.cleandoc(written.__doc__ or "")]
        if isinstance(self, Repair):
            text.append(f"```python\n{self.stub}\n```")
        if hasattr(written, "try_on"):
            cases.append(tuple(written.try_on(rng)))
            text.append(f"One more to try it on: `{called(solution.__name__, cases[-1])}`")
        mistakes = [
            *(
                Mistake(edit.label, edit.of(solution), edit.message)
                for edit in getattr(written, "edits", ())
            ),
            *(
                Mistake(
                    function.__name__.replace("_", "-"),
                    function,
                    " ".join((function.__doc__ or "").split()),
                )
                for function in functions(getattr(written, "Mistakes", None))
            ),
        ]
        return Question(
            "\n\n".join(text),
            solution,
            mistakes,
            written.hints,
            f"```python\n{source_of(solution)}\n```",
            getattr(written, "why", ""),
            cases=cases,
            inputs=written.inputs,
            also=functions(getattr(written, "Also", None)),
        )

    # ------------------------------------------------------------------------------------------------------- the kind

    def _read(self, answer: Any, listed: Sequence[str]) -> list[Any]:
        if isinstance(answer, str) and not re.search(r"\bdef\b", answer):
            raise Invalid("I expected a function. Give the whole function, with your lines in it.")
        if isinstance(answer, str) and re.search(rf"\bdef {self.example}\b", answer):
            return [from_text(answer, self.example)]
        return [answer] if callable(answer) else []

    def is_untouched(self, answer: object) -> bool:
        return is_stub(answer) or answer == self.stub or super().is_untouched(answer)

    def show(self, value: Any) -> str:
        name = getattr(value, "__name__", "")
        return name[:100] if type(name) is str and name else "a function"

    def solved(self, question: Question) -> str:
        return question.solution

    def key(self, question: Question, listed: Sequence[str]) -> str:
        return question.solution

    def cell(self, name: str, answer: object = ...) -> str:
        source = (
            self.stub if answer is ... else answer if isinstance(answer, str) else source_of(answer)
        )
        return f"{source.strip()}\n\n\n{name}.check({self.example})"

    def settled(self, question: Question) -> Question | None:
        return question  # functions are told apart by what they do

    # ------------------------------------------------------------------------------------------------------- judging

    def judge(
        self,
        question: Question,
        values: Sequence[Any],
        *,
        run: Callable | None = None,
        secret: int | None = None,
    ) -> Feedback:
        """Feedback on a learner's function.

        run: what runs it, in place of `running`'s. secret: a number from which further inputs are drawn, that nobody
        has seen before.
        """
        feedback = self._judged(question, values, run, secret)
        return (
            feedback if run or runner.CAN_START_PROCESSES else replace(feedback, note=IN_THE_PAGE)
        )

    def _judged(
        self,
        question: Question,
        values: Sequence[Any],
        run: Callable | None,
        secret: int | None,
    ) -> Feedback:
        assert question.inputs is not None
        unseen = () if secret is None else examples(question.inputs, secret)
        tried = Trials(
            values[0],
            question.answer,
            [*question.cases, *examples(question.inputs), *unseen],
            len(question.cases),
            self.same,
            run or runner.run,
        )
        ran = tried.ran
        if ran.outcome == "invalid":
            raise Invalid(ran.message)
        printed = _printed(ran)
        if not ran.results:
            return Feedback("error", 0.0, " ".join(ran.message.split()), evidence=printed)
        if not tried.failed:
            return self._passed(question, changed=ran.mutated)
        worst = min(tried.failed, key=lambda trial: trial.rank)
        alone = tried.run(tried.function, [worst.case], limits=LIMITS) if printed else ran
        evidence = tried.details(worst) + _printed(alone)
        if not worst.is_wrong:
            ended, what = worst.result.outcome, worst.result.explanation or ran.message
            what = " ".join(what.split())  # on lines of its own it could be any Markdown
            if ended == "error" and (kept := tried.kept(worst)):
                return Feedback("error", 0.0, kept, "state-kept", evidence)
            if ended == "error" and len(call := called(self.example, worst.case)) <= LONGEST_CALL:
                what = f"`{call}`: {what}"
            return Feedback(
                "timeout" if ended == "timeout" else "error", 0.0, what, evidence=evidence
            )
        for mistake in question.mistakes:
            if tried.are_like(mistake.value):
                return Feedback("incorrect", 0.0, mistake.message, mistake.label, evidence)
        message, label = tried.diagnosis(worst)
        if label or tried.share < 0.5:
            return Feedback("incorrect", 0.0, message, label, evidence)
        return Feedback("partial", min(0.49, round(tried.share / 2, 2)), message, "", evidence)

    def _passed(self, question: Question, changed: bool) -> Feedback:
        if changed and self.keeps:
            return Feedback(
                "partial",
                0.5,
                "The values are right, but your function changes what it is given, and the "
                "question asks that it stays as it is. Work on a copy: `list(...)` of a list, "
                "`dict(...)` of a dictionary.",
                "argument-changed",
            )
        right = f"Right, on every input that was tried. {question.why}".rstrip()
        mend = " One thing to mend: your function changes what it is given, which its caller may not expect."
        return Feedback("correct", 1.0, right + mend * changed)


@dataclass(frozen=True)
class Repair(Function):
    """A function that is given broken and is to be mended."""

    name: str = "repair"
    untouched = "Not mended yet: this is the function as it was given."
    task = cell_task = (
        "Mend `{kind.example}` in the cell below, and run that cell: it is checked there."
    )

    def _stub(self, written: Any, solution: Callable) -> str:
        given = functions(getattr(written, "Broken", None))
        check(
            len(given) == 1,
            f"the class {written.__name__} gives {len(given)} functions to repair; expected a class "
            "Broken with one function",
        )
        return source_of(given[0])

    def is_untouched(self, answer: object) -> bool:
        return is_unchanged(answer, self.stub) or super().is_untouched(answer)


@dataclass(frozen=True)
class Gap(Repair):
    """A function in which lines are left out. lines: their numbers in the solution, where its head is line 1."""

    name: str = "gap"
    lines: tuple[int, ...] = ()
    untouched = "Not filled in yet: put a line of code in place of each `...`."
    task = cell_task = (
        "Fill in `{kind.example}` in the cell below, and run that cell: it is checked there."
    )

    def _stub(self, written: Any, solution: Callable) -> str:
        given = source_of(solution).splitlines()
        if not self.lines or not {*self.lines} <= {*range(2, len(given) + 1)}:
            raise ValueError(
                f"lines is {self.lines!r}; expected numbers of lines of the solution, from 2 to {len(given)}"
            )
        for place in (number - 1 for number in self.lines):
            given[place] = given[place][: -len(given[place].lstrip())] + "...  # a line of yours"
        return "\n".join(given)


@dataclass(frozen=True)
class Lines(Ordering):
    """The lines of a function, to be put in order. Whatever order makes a right function is right: it is run.

    The mistakes are the class's `orders`. The value of each has the numbers of the solution's lines, without its head.
    """

    name: str = "lines in order"
    form: str = "the letters of all lines, from the first to the last, such as c a b"

    def asking(self, written: Any) -> tuple[Kind, Ask]:
        code, ask = Function().asking(written)

        @cache
        def question() -> Question:
            given: Any = ask(Rng(""))
            asked = replace(given, mistakes=())
            head, *lines = source_of(asked.answer).splitlines()
            shown = [f"`{line.replace(' ' * 4, NO_BREAK * 4)}`" for line in lines]

            said = cache(lambda order: _said_of_lines(f"{head}\n{order}", code, asked))
            return replace(
                asked,
                text=f"{asked.text}\n\nIts first line is `{head}` Put the others in order.",
                answer=shown,
                listed=shown,
                mistakes=[
                    replace(mistake, value=[shown[int(number) - 1] for number in mistake.value])
                    for mistake in written.orders
                ],
                accept=lambda order: said(self.show(order)).outcome == "correct",
                evidence=lambda order: said(self.show(order)).message,
            )

        return self, lambda rng: question()

    def _read(self, answer: Any, listed: Sequence[str]) -> list[list[str]]:
        bare = {_bare(line): line for line in listed}
        typed = map(_bare, answer.splitlines()) if isinstance(answer, str) else ()
        lines = [bare[line] for line in typed if line in bare]
        return [lines] if sorted(lines) == sorted(listed) else super()._read(answer, listed)

    def settled(self, question: Question) -> Question | None:
        return question  # what an order is worth is found out when somebody gives it

    def listed(self, question: Question, rng: Rng) -> list[str]:
        shuffled = rng.shuffle(question.listed)
        return shuffled if shuffled != question.answer else shuffled[::-1]

    def show(self, value: list[str]) -> str:
        return "\n".join(line.strip("`").replace(NO_BREAK, " ") for line in value)

    def solved(self, question: Question) -> str:
        return question.solution

    def key(self, question: Question, listed: Sequence[str]) -> str:
        return " ".join(LETTERS[listed.index(line)] for line in question.answer)


# ---------------------------------------------------------------------------------------------------------- small parts


def _printed(ran: runner.Run) -> str:
    return f"\nIt printed:\n\n{block(ran.printed[:600])}\n" if ran.printed else ""


def _bare(line: str) -> str:
    """A line of code without what may stand around it."""
    return " ".join(line.split()).strip("`\"'. ")


def _said_of_lines(program: str, kind: Kind, asked: Question) -> Feedback:
    """What is said of the lines of a solution in another order, in which they may be no program at all."""
    try:
        function = compiled(program, asked.answer, program)
    except SyntaxError as error:
        before, line = program.splitlines()[(error.lineno or 2) - 2 : error.lineno]
        return Feedback(
            "incorrect",
            0.0,
            f"`{line.strip()}` does not fit after `{before.strip()}`: {error.msg}.",
        )
    feedback = kind.judge(asked, [function], run=_run_lines)
    more = " Which line comes too early?" * (feedback.outcome == "error")
    return replace(feedback, message=feedback.message + more)


def _run_lines(function: Callable, cases: Sequence[Sequence], **options: Any) -> runner.Run:
    """Run lines in a process with limits, or here if they are the course's and use the package."""
    ran = runner.run(function, cases, **options)
    uses_the_package = ran.results and ran.results[0].error == "OwnCode"
    return runner.run(function, cases, here=True, **options) if uses_the_package else ran


def functions(written: Any) -> list[Callable]:
    """The functions that a class holds, in their order, without those whose names begin with an underscore."""
    return [
        getattr(member, "__func__", member)
        for name, member in (vars(written).items() if written else ())
        if isinstance(member, (staticmethod, FunctionType)) and not name.startswith("_")
    ]


@cache
def source_of(function: Any) -> str:
    """A function's source as a learner would write it: without the decorator and the indentation of its class."""
    lines = inspect.getsource(function).splitlines()
    start = next(number for number, line in enumerate(lines) if line.lstrip().startswith("def "))
    return textwrap.dedent("\n".join(lines[start:])).rstrip()


@cache
def compiled(source: str, solution: FunctionType, label: str) -> Callable:
    """The function that `source` defines, with the names that the solution knows."""
    file, names = f"<{solution.__name__}: {label}>", dict(solution.__globals__)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)
    return names[solution.__name__]


def from_text(text: str, name: str) -> Callable:
    """The function of that name which a text of Python holds. Nothing in the text runs before the function is called.

    Raises Invalid for a text that Python cannot read.

    >>> from_text("step = 2\\ndef onward(x):\\n    return x + step", "onward")(5)
    7
    """
    try:
        tree: Any = ast.parse(f"def {name}(*arguments):\n    return {name}(*arguments)")
        tree.body[0].body[:0] = ast.parse(text).body
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(tree, f"<{name}>", "exec"), names)  # which defines the caller, and no more
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise Invalid(
            f"Python cannot read{where or ' it'}: {getattr(error, 'msg', error)}."
        ) from None
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
    return names[name]


def is_stub(function: object) -> bool:
    """Whether a function does nothing yet: `...`, `pass`, or a docstring alone.

    >>> def later(x):
    ...     '''Tomorrow.'''
    ...     ...
    >>> is_stub(later), is_stub(lambda x: ...), is_stub(lambda x: x), is_stub(lambda x: "a text")
    (True, True, False, False)
    """
    if not inspect.isfunction(function):
        return False
    idle = "RESUME NOP LOAD_CONST RETURN_CONST RETURN_VALUE POP_TOP COPY_FREE_VARS".split()
    says_nothing = {step.opname for step in dis.get_instructions(function)} <= {*idle}
    return says_nothing and {*function.__code__.co_consts} <= {None, ..., function.__doc__}


def is_unchanged(function: object, source: str) -> bool:
    """Whether a function is still the one that `source` defines, wherever it stands now.

    >>> names = {}
    >>> exec("\\n\\ndef double(x):\\n    return x + x  # a comment", names)
    >>> is_unchanged(names["double"], "def double(x):\\n    return x + x"), is_unchanged(len, "def f(): 0")
    (True, False)
    """
    given = next(
        const for const in compile(source, "given", "exec").co_consts if isinstance(const, CodeType)
    )
    return inspect.isfunction(function) and _unplaced(function.__code__) == _unplaced(given)


def _unplaced(const: Any) -> Any:
    """A code object without its place and `__future__`s: two are equal if they do the same. Other constants stay."""
    if not isinstance(const, CodeType):
        return const
    return const.replace(
        co_consts=tuple(map(_unplaced, const.co_consts)),
        co_flags=const.co_flags & 0xFFFF,
        co_firstlineno=1,
        co_linetable=b"",
        co_filename="",
        co_qualname="",
    )
