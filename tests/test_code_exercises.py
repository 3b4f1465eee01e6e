"""The exercises that ask for code: what a learner reads. That the bank's are right is proven in test_exercises.py."""

import math
import os
import re
import subprocess
import sys

import pytest

from subword_lab import bpe, html
from subword_lab import running as runner
from subword_lab.exercises import (
    Function,
    Gap,
    Instance,
    Lines,
    Mistake,
    Repair,
    exercise,
    ids,
    load,
    trials,
)
from subword_lab_teach.proof import HERE, written


class Plain:
    """Write `twice(numbers)`: a list in which every number is doubled. The list that comes in stays as it is."""

    hints = ("One number at a time.", "A comprehension will do.", "`2 * number`")
    cases = [([1, 2],), ([5],), ([],)]

    @staticmethod
    def twice(numbers):
        return [2 * number for number in numbers]

    @staticmethod
    def inputs():
        from hypothesis import strategies as st

        return st.tuples(st.lists(st.integers(0, 30), max_size=5))

    class Mistakes:
        @staticmethod
        def squared(numbers):
            """These are the squares. What is twice three?"""
            return [number * number for number in numbers]


Twice = exercise("class-01", "Write it: twice", Function(keeps=True))(Plain)


def twice(numbers):
    return [2 * number for number in numbers]


def told(function):
    """What a learner is told; the function runs in this process, which is faster, where that is not what is tested."""
    return Instance(Twice).judge(function, run=HERE)


@pytest.mark.parametrize("processes, noted", [(True, False), (False, True)])
def test_in_a_page_a_learner_is_told_where_the_function_ran(monkeypatch, processes, noted):
    monkeypatch.setattr("subword_lab.running.CAN_START_PROCESSES", processes)
    assert ("ran in this page" in Instance(Twice).judge(twice).note) == noted
    assert not told(twice).note


@pytest.mark.parametrize("how", [{}, {"run": HERE}], ids=["there", "here"])
def test_right_is_right_and_a_known_mistake_is_named(how):
    judge = Instance(Twice).judge
    assert judge(lambda numbers: [n + n for n in numbers], **how).outcome == "correct"
    feedback = judge(lambda numbers: [n**2 for n in numbers], **how)
    assert (feedback.outcome, feedback.label, feedback.score) == ("incorrect", "squared", 0)
    assert feedback.message == "These are the squares. What is twice three?"


@pytest.mark.parametrize(
    "function, label, words",
    [
        (lambda numbers: [numbers][1:2].clear(), "returned-none", "Is a `return` missing?"),
        (lambda numbers: print(numbers), "printed", "prints something"),
        (
            lambda numbers: str([2 * n for n in numbers]),
            "wrong-type",
            "returns a string, and a list is asked for",
        ),
        (lambda numbers: [2 * numbers.pop(0) for _ in [*numbers]], "argument-changed", "on a copy"),
        (  # and not: always
            lambda numbers: [2 * n for n in numbers if numbers != [1, 2] or n == 1],
            "",
            "`twice([1, 2])` should give `[2, 4]`",
        ),
        (lambda numbers: [7], "constant", "returned `[7]` for every input that was tried"),
        (lambda numbers: numbers, "argument-back", "gives back what it is given"),
        (
            lambda numbers: [2, 4] if numbers == [1, 2] else [len(numbers)],
            "only-the-example",
            "should give `[0]`, and yours gives `[1]`. An example of the question comes out right",
        ),
        (
            lambda numbers: [2 * n for n in numbers][::-1],
            "",
            "differs, it is exactly the other way round.",
        ),
        (lambda numbers: [2 * n for n in numbers][:-1], "", "differs, the last member is miss"),
        (lambda numbers: [2 * n for n in numbers if len(numbers) > 1], "", "differs, it is empty."),
        (lambda numbers: [2 * n for n in numbers] + [0], "", "one member too many, at the end."),
        (
            lambda numbers: [2 * n if n < 20 else n for n in numbers],
            "",
            "Not on every input: `twice([2",
        ),
        (
            lambda numbers: [2 * n for n in numbers] if sum(numbers) < 9 else None,
            "",
            "On some inputs it returns nothing",
        ),
        (  # and breaks down on the empty input, which tells less
            lambda numbers: [numbers[0], *(2 * n for n in numbers[1:])],
            "",
            "Not on every input: `twice([",
        ),
    ],
)
def test_what_can_be_said_of_any_wrong_function(function, label, words):
    """Where it has no name, the headline shows the smallest case that tells something."""
    feedback = told(function)
    outcomes = {"argument-changed": ["partial"], "": ["incorrect", "partial"]}
    assert feedback.label == label and feedback.outcome in outcomes.get(label, ["incorrect"])
    assert words in feedback.message and (label or "twice([])" not in feedback.message)


@pytest.mark.parametrize(
    "id, source, words",
    [
        (
            "bpe-19",
            "def best(pair_freqs):\n    return ''.join([*pair_freqs, ('', '')][0])",
            "Your function returns a string, and a pair is asked for.",
        ),
        (
            "bpe-16",
            "def merge(symbols, pair):\n    merged, place = [], 0\n    while place < len(symbols):\n"
            "        found = symbols[place : place + 2] == [*pair]\n"
            "        merged += ''.join(pair) if found else symbols[place]\n        place += 1 + found\n"
            "    return merged",
            "does `+=` add a string letter by letter?",
        ),
    ],
    ids=["a pair is no list", "a string that is added to a list"],
)
def test_the_type_of_what_comes_back_is_told(id, source, words):
    assert words in load(id).judge(written(source), run=HERE).message


@pytest.mark.slow
def test_the_inputs_do_not_depend_on_the_hash_seed():
    code = (
        "from subword_lab.exercises import catalog, Instance, trials\n"
        "trials.EXAMPLES = 10\n"
        "asked = [Instance(one).asked for one in catalog().values() if 'code' in one.kind.proofs]\n"
        "print([trials.examples(question.inputs) for question in asked])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.parametrize(
    ("kept", "outcome", "words"),
    [
        ([], "incorrect", "Called on this input alone"),
        ([1], "incorrect", "Called twice on this input"),
        ([0] * 3, "error", "Called on this input alone"),
    ],
)
def test_what_is_kept_between_calls_is_found(kept, outcome, words):
    def twice(numbers):
        if outcome == "error":
            kept.pop()  # breaks down after a few calls
            return [2 * n for n in numbers]
        kept.extend(2 * n for n in numbers)
        return list(kept)

    told = Instance(Twice).judge(twice)
    assert (told.outcome, told.label) == (outcome, "state-kept") and words in told.message


def test_part_of_the_points_is_for_functions_that_are_mostly_right_where_doing_nothing_is_not():
    def half(numbers):  # right on every list of up to four numbers
        return [2 * n for n in numbers] if len(numbers) < 5 else numbers

    feedback = told(half)
    telling = [
        case
        for (case,) in [
            *Instance(Twice).asked.cases,
            *trials.examples(Instance(Twice).asked.inputs),
        ]
        if any(case)
    ]
    share = sum(len(case) < 5 for case in telling) / len(telling)
    assert feedback.outcome == "partial" and feedback.score == pytest.approx(share / 2, abs=0.02)
    assert told(lambda numbers: numbers).score == told(lambda numbers: []).score == 0
    seldom = told(lambda numbers: [2 * n for n in numbers] if len(numbers) < 2 else [])
    assert (seldom.outcome, seldom.label, seldom.score) == ("incorrect", "", 0)


@pytest.mark.parametrize(
    "id, function",
    [("bpe-17", lambda word, merges: [*word]), ("real-14", lambda text, tokens: text.split())],
)
def test_the_argument_in_pieces_earns_nothing(id, function):
    feedback = load(id).check(function)
    assert (feedback.outcome, feedback.score) == ("incorrect", 0)


def test_the_broken_function_is_not_right_once_it_is_touched():
    broken = load("bpe-19").kind.stub.replace("None, 0", "None, -1")
    feedback = load("bpe-19").check(written(broken))
    assert (feedback.outcome, feedback.label) == ("incorrect", "last-seen")
    assert load("bpe-19").check(written(load("bpe-19").kind.stub)).outcome == "not attempted"


def test_the_exception_that_is_told_is_that_of_the_input_that_is_shown():
    def twice(numbers):
        if numbers:
            raise LookupError(repr(numbers))
        return []

    asked = Instance(Twice).asked
    inputs = [numbers for (numbers,) in [*asked.cases, *trials.examples(asked.inputs)] if numbers]
    smallest = min(inputs, key=lambda numbers: (len(repr(numbers)), repr(numbers)))
    feedback = Instance(Twice).judge(twice)
    assert smallest != inputs[0] and (feedback.outcome, feedback.score) == ("error", 0)
    assert feedback.message.startswith(f"`twice({smallest})`: LookupError: `{smallest}` (line ")
    assert feedback.message.endswith(": `raise LookupError(repr(numbers))`)")
    assert f"twice({smallest})" in feedback.evidence


def test_a_line_that_nobody_can_read_is_not_quoted():
    feedback = told(written("def twice(numbers):\n    return numbers[100]\n"))
    assert feedback.message.startswith("`twice([")
    assert feedback.message.endswith("])`: IndexError: `list index out of range` (line 2)")
    assert "``" not in feedback.evidence.replace("```", "")


def test_an_endless_loop_is_a_timeout(monkeypatch):
    def merge(symbols, pair):
        while True:
            pass

    monkeypatch.setattr(trials, "LIMITS", runner.Limits(seconds=0.5))
    assert load("bpe-16").check(merge).outcome == "timeout"


@exercise("class-02", "Put it in order: sum and product", Lines())
class SumAndProduct:
    """`both(numbers)` returns the sum of the numbers and their product."""

    hints = Plain.hints
    cases = [([2, 3],), ([4],), ([],)]

    @staticmethod
    def both(numbers):
        total = 0
        product = 1
        for number in numbers:
            total += number
            product *= number
        return total, product

    @staticmethod
    def inputs():
        from hypothesis import strategies as st

        return st.tuples(st.lists(st.integers(0, 9), max_size=4))

    orders = (Mistake("returned-too-early", "612345", "`return` comes first, and all ends there."),)


@pytest.mark.parametrize("order", ["123456", "213456", "123546", "213546"])
def test_every_order_of_lines_that_makes_a_right_function_is_right(order):
    ex = Instance(SumAndProduct)
    letters = ex.kind.key(ex.asked, ex.listed).split()
    assert ex.judge(" ".join(letters[int(number) - 1] for number in order)).outcome == "correct"


@pytest.mark.parametrize(
    "order, share, label, words",
    [
        ("612345", 0, "returned-too-early", "all ends there"),
        ("123465", 4 / 6, "", "does not fit after `return total, product`: unexpected indent."),
        ("134526", 1 / 6, "", "variable 'product'"),
        ("134562", 1 / 6, "", "Which line comes too early?"),
        ("345612", 0, "", "Which line comes too early?"),
    ],
)
def test_of_lines_in_a_wrong_order_it_is_said_what_comes_of_them(order, share, label, words):
    ex = Instance(SumAndProduct)
    feedback = ex.judge([ex.asked.answer[int(number) - 1] for number in order])
    assert feedback.outcome == ("partial" if share else "incorrect")
    assert (feedback.score, feedback.label) == (pytest.approx(share), label)
    assert words in feedback.message


def test_lines_in_an_order_of_somebodys_run_in_a_process_with_limits(monkeypatch):
    ran = []
    monkeypatch.setattr(runner, "run", lambda *given, **how: ran.append(how) or HERE(*given))
    ex = Instance(SumAndProduct)
    assert ex.judge([ex.asked.answer[int(number) - 1] for number in "234516"]).score < 1
    assert ran and "here" not in ran[0]


def test_lines_may_be_typed_as_a_program_and_are_never_shown_in_their_order():
    ex = Instance(SumAndProduct)
    program = ex.solution().text.removeprefix("```python\n").removesuffix("\n```")
    assert ex.judge(program).outcome == "correct" and ex.judge("a a b").outcome == "invalid"
    assert all(Instance(SumAndProduct, seed).listed != ex.asked.answer for seed in range(2000))
    assert "- **a.** `\u00a0\u00a0\u00a0\u00a0" in ex.question  # with its indentation


def test_a_gap_is_the_solution_without_some_lines_and_given_back_it_is_no_attempt():
    gap = exercise("class-04", "Fill in", Gap(lines=(2,)))(Plain)
    assert gap.kind.stub == "def twice(numbers):\n    ...  # a line of yours"
    ex = Instance(gap)
    assert ex.kind.stub in ex.question
    assert ex.judge(written(ex.kind.stub), run=HERE).outcome == "not attempted"
    assert ex.judge(twice, run=HERE).outcome == "correct"


@pytest.mark.parametrize(
    "kind, written, words",
    [
        (Gap(), Plain, r"lines is \(\); expected numbers of lines of the solution, from 2 to 2"),
        (Gap(lines=(1,)), Plain, r"lines is \(1,\); expected"),
        (Function(), told, "'told' is no class; expected one with the solution"),
        (
            Function(),
            type("Two", (), {"one": lambda x: x, "two": lambda x: x}),
            "the class Two has 2 functions that could be the solution",
        ),
        (Repair(), type("NotBroken", (), {"one": lambda x: x}), "gives 0 functions to repair"),
    ],
)
def test_a_class_that_is_no_exercise_is_refused_with_what_to_mend(kind, written, words):
    with pytest.raises(ValueError, match=words):
        exercise("class-03", "x", kind)(written)


EXAMPLE = re.compile(r"`(\w+\([^`]*\))`\s+(?:is|should be|is about|is to be)\s+`([^`]*)`")


def test_the_examples_of_questions_are_true():
    examples = [(id, *each) for id in ids() for each in EXAMPLE.findall(str(load(id).question))]
    assert len(examples) > 35
    for id, call, value in examples:
        solution, known = str(load(id).solution()), vars(bpe) | vars(math) | {"bpe": bpe}
        exec(solution.split("```python")[1].split("```")[0], known)
        given, told = eval(call, known), eval(value)
        assert given == told or given == pytest.approx(told, abs=0.001), (id, call)


def test_what_an_exception_says_is_code_and_no_markdown():
    def twice(numbers):
        raise ValueError("![a](http://example.org/a.png) 2*3*4")

    said = html.to_html(Instance(Twice).judge(twice).message)
    assert "<code>![a](http://example.org/a.png) 2*3*4</code>" in said
    assert not re.search("<img|<a |<em>", said)
