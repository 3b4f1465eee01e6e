"""The proof of an exercise: that right answers are right and mistakes are told by their names, on many variants.

The bank of the course goes through this in the tests, and an instructor's own exercises in `subword-lab exercises
check`. A check yields one sentence for each thing that is not as it should be.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from .. import running as runner
from . import code
from .code import Function, Repair
from .core import Exercise, Instance
from .kinds import Choice, Invalid, Ordering

VARIANTS = 200
QUESTIONS = 5                                   # different ones, at least, among the variants
FEW = 3                                         # variants on which code is run, which takes longer
MALFORMED = {"number": "many", "choice": "z", "token sequence": 7, "merge sequence": "u+g+h", "ordering": "a a a a a a",
             "segmentation": "not|the|word", "text": 7, "prediction": 7.5j, "function": "not a function",
             "repair": "not a function"}
_judge = partial(code.judge, run=partial(runner.run, here=True), search=False)
Instances = Sequence[Instance]


def prove(exercise: Exercise, variants: int = VARIANTS) -> list[str]:
    """What is wrong with an exercise, a line for each check that it does not pass; none if it is proven.

    >>> from subword_lab.exercises import catalog
    >>> prove(catalog()["bpe-01"], variants=10)
    []
    """
    instances, flaws = [Instance(exercise, seed) for seed in range(variants)], []
    for check in CHECKS:
        try:
            flaw = next(check(exercise, instances), None)
        except Exception as error:
            flaw = f"{type(error).__name__}: {error}"
        if flaw:
            flaws.append(f"{check.__name__.replace('_', ' ')}: {flaw}")
    return flaws


# --------------------------------------------------------------------------------------------------------- any exercise

def variants_differ(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """There are several questions, and the same learner gets the same one again."""
    questions = {ex.question for ex in instances}
    if len(questions) < min(QUESTIONS, len(instances)):
        yield f"{len(instances)} variants ask only {len(questions)} different questions"
    one, two = Instance(exercise, 3, "kim"), Instance(exercise, 3, "kim")
    if (one.question, one.listed) != (two.question, two.listed):
        yield "the same seed and learner gave two different questions; take every random choice from rng"


def labels_differ(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """Every misconception has a label of its own, and something to say."""
    labels = [misconception.label for misconception in exercise.misconceptions]
    if not labels:
        yield "it has no misconceptions"
    if len(labels) != len(set(labels)) or not all(labels):
        yield f"the labels {labels} are not all different, or one is empty"
    for misconception in exercise.misconceptions:
        if len(_words(misconception.message, instances[0])) <= 20:
            yield f"the message of {misconception.label!r} is too short to explain anything"


def nothing_typed_is_not_attempted(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The three dots, None and blanks are no attempt."""
    for nothing in (..., None, "", "  \n"):
        feedback = instances[0].judge(nothing)
        if (feedback.outcome, feedback.score) != ("not attempted", 0):
            yield f"the answer {nothing!r} is {feedback.outcome!r}"


def malformed_answers_are_invalid(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """An answer of another form costs nothing, and the learner is told which form is wanted."""
    feedback = instances[0].judge(MALFORMED[exercise.kind.name])
    if feedback.outcome != "invalid" or "not count" not in feedback.message:
        yield f"the answer {MALFORMED[exercise.kind.name]!r} is {feedback.outcome!r}"


def hints_help(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """There are three different hints, none of which holds the answer."""
    for ex in instances:
        hints = [_words(hint, ex) for hint in exercise.hints]
        if len(set(hints)) != 3 or not all(len(hint) > 15 for hint in hints):
            yield f"{_variant(ex)} there are not three hints, all different and longer than a word: {hints}"
        if not isinstance(exercise.kind, Function):
            answer = exercise.kind.show(exercise.answer(ex.variant))
            for number, hint in enumerate(hints, 1):
                if holds(hint, answer):
                    yield f"{_variant(ex)} hint {number} holds the answer {answer!r}"


# -------------------------------------------------------------------------------------------------------- value answers

def the_solution_is_right(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The answer is correct as a value and as it would be typed, and stands in the solution."""
    for ex in [] if isinstance(exercise.kind, Function) else instances:
        answer = exercise.answer(ex.variant)
        typed = exercise.kind.show(answer)
        for given in (answer, typed):
            feedback = ex.judge(given)
            if feedback.outcome != "correct":
                yield f"{_variant(ex)} the answer {given!r} is {feedback.outcome!r}: {feedback.message}"


def the_example_is_not_the_answer(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The example of an answer, which every learner sees, is no answer to the question."""
    for ex in [] if isinstance(exercise.kind, (Function, Choice, Ordering)) else instances:
        try:
            example = exercise.kind.parse(exercise.kind.example.strip('"'), ex.listed)
        except Invalid:
            continue                            # a word that is not the one to be cut, say
        if exercise.kind.equal(example, exercise.answer(ex.variant)):
            yield f"{_variant(ex)} the example {exercise.kind.example} is the answer"


def mistakes_are_named(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """Every misconception's answer is wrong, gets its own label, and is not told the right answer."""
    for ex in [] if isinstance(exercise.kind, Function) else instances:
        right = exercise.kind.show(exercise.answer(ex.variant))
        for misconception in exercise.misconceptions:
            wrong = misconception.wrong(ex.variant)
            feedback = ex.judge(wrong)
            if (feedback.outcome, feedback.label, feedback.score) != ("incorrect", misconception.label, 0):
                yield (f"{_variant(ex)} the answer {wrong!r} of {misconception.label!r} is {feedback.outcome!r}"
                       f"{f' and told as {feedback.label!r}' if feedback.label else ''}")
            if holds(f"{feedback.message} {feedback.evidence}", right):
                yield f"{_variant(ex)} what {misconception.label!r} is told holds the right answer {right!r}"


def every_place_is_right(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The right option of a choice stands now here, now there."""
    if isinstance(exercise.kind, Choice) and len(instances) >= VARIANTS:
        places = {ex.listed.index(exercise.answer(ex.variant)) for ex in instances}
        if len(places) <= len(exercise.misconceptions):
            yield f"the right option stands only in the places {sorted(places)}"


# --------------------------------------------------------------------------------------------------------- code answers

def right_code_is_right(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The answer and all other right ways are correct, and so is the code in the solution, run as a learner's is."""
    if isinstance(exercise.kind, Function):
        for ex in instances[:FEW]:
            for function in (exercise.answer(ex.variant), *exercise.also(ex.variant)):
                feedback = _judge(ex, function)
                if feedback.outcome != "correct":
                    yield f"{_variant(ex)} the right way {_name(function)} is {feedback.outcome!r}: {feedback.message}"
        printed = printed_code(_words(exercise.solution, instances[0]))
        if not printed:
            yield "the solution shows no code: it needs a block ```python ... ```"
        else:
            feedback = code.judge(instances[0], written(printed), search=False)
            if feedback.outcome != "correct":
                yield f"the code in the solution is {feedback.outcome!r}: {feedback.message} {feedback.evidence}"


def broken_code_is_named(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """Every misconception's function is wrong, and told by its label, with an input on which it shows."""
    for ex in instances[:FEW - 1] if isinstance(exercise.kind, Function) else []:
        for misconception in exercise.misconceptions:
            broken = misconception.wrong(ex.variant)
            feedback = _judge(ex, broken)
            if feedback.outcome == "not attempted" and code.untouched_words(exercise.kind, broken):
                continue                        # the function that is given to be repaired
            if (feedback.outcome, feedback.label) != ("incorrect", misconception.label):
                yield (f"{_variant(ex)} the function of {misconception.label!r} is {feedback.outcome!r}"
                       f"{f' and told as {feedback.label!r}' if feedback.label else ''}")
            if "yours:" not in feedback.evidence or "expected:" not in feedback.evidence:
                yield f"{_variant(ex)} the function of {misconception.label!r} is shown no input on which it differs"


def the_beginning_is_no_attempt(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """What the learner begins with is no attempt, and a function with other parameters costs nothing."""
    if isinstance(exercise.kind, Function):
        feedback = instances[0].judge(written(exercise.kind.stub))
        if feedback.outcome != "not attempted":
            yield f"the function that is given to begin with is {feedback.outcome!r}"
        if isinstance(exercise.kind, Repair):
            feedback = instances[0].judge(written(exercise.kind.stub.replace(":\n", ":\n    'touched'\n", 1)))
            if feedback.outcome in ("correct", "not attempted", "invalid"):
                yield f"the function that is given to be repaired is {feedback.outcome!r} once it is touched"
        feedback = instances[0].judge(lambda: None if exercise else 0)
        if feedback.outcome != "invalid":
            yield f"a function without parameters is {feedback.outcome!r}"


CHECKS = (variants_differ, labels_differ, nothing_typed_is_not_attempted, malformed_answers_are_invalid, hints_help,
          the_solution_is_right, the_example_is_not_the_answer, mistakes_are_named, every_place_is_right,
          right_code_is_right, broken_code_is_named, the_beginning_is_no_attempt)


# ---------------------------------------------------------------------------------------------------------- small parts

def holds(text: str, answer: str) -> bool:
    """Whether a text holds the answer as a piece of its own.

    >>> holds("It is 20.", "20"), holds("It is 120.", "20")
    (True, False)
    """
    return re.search(rf"(?<![\w.|+-]){re.escape(answer)}(?![\w|+]|\.\d)", text) is not None


def printed_code(markdown: str) -> str:
    """The first block of Python code in a text, or ""."""
    found = re.search(r"```python\n(.*?)```", markdown, re.S)
    return found[1] if found else ""


def written(source: str) -> object:
    """The function that a learner gets who runs this source in a cell: the last one in it."""
    names = {"__name__": "__main__"}
    exec(source, names)
    return [value for value in names.values() if callable(value)][-1]


def _words(words, ex: Instance) -> str:
    return words if isinstance(words, str) else words(ex.variant)


def _variant(ex: Instance) -> str:
    return f"in variant {ex.seed}"


def _name(function) -> str:
    return getattr(function, "__name__", "of the answer")
