"""The exercises that ask for code: right ones pass, known mistakes are named, and the learner reads a small input."""
import re

import pytest

from subword_lab import exercises
from subword_lab.exercises import Function, code, load, runner

CODE = [id for id, exercise in exercises.catalog().items() if isinstance(exercise.kind, Function)]


@pytest.fixture(params=CODE)
def exercise(request):
    return exercises.catalog()[request.param]


@pytest.fixture
def here(monkeypatch):
    """Functions of the bank itself run in this process: a fresh one refuses what imports the package."""
    monkeypatch.setattr(runner, "CAN_START_PROCESSES", False)


def printed_code(markdown):
    return re.search(r"```python\n(.*?)```", markdown, re.S).group(1)


def written(source, name="__main__"):
    """The function that a learner gets who runs this source in a cell."""
    names = {"__name__": name}
    exec(source, names)
    return [value for value in names.values() if callable(value)][-1]


def test_the_printed_solution_is_correct_in_a_process_of_its_own(exercise):
    ex = load(exercise.id)
    feedback = ex.check(written(printed_code(ex.solution().text)))
    assert (feedback.outcome, feedback.score) == ("correct", 1.0), feedback


def test_three_right_ways_are_right(exercise, here):
    for seed in range(3):
        ex = load(exercise.id, seed=seed)
        right = [exercise.answer(ex.variant), *exercise.also(ex.variant)]
        assert len(right) >= 3
        for function in right:
            assert code.judge(ex, function).outcome == "correct"


def test_every_mistake_is_named(exercise, here):
    labels = [m.label for m in exercise.misconceptions]
    assert len(set(labels)) == len(labels) >= 5
    for seed in range(2):
        ex = load(exercise.id, seed=seed)
        for misconception in exercise.misconceptions:
            feedback = code.judge(ex, misconception.wrong(ex.variant))
            assert (feedback.outcome, feedback.label) == ("incorrect", misconception.label), feedback
            assert "yours:" in feedback.evidence and "expected:" in feedback.evidence


def test_the_stub_is_not_attempted(exercise):
    if exercise.kind.name == "function":
        assert load(exercise.id).check(written(exercise.kind.stub)).outcome == "not attempted"


def test_the_broken_function_as_it_was_given_is_not_attempted_and_not_right(exercise):
    if exercise.kind.name == "repair":
        ex, stub = load(exercise.id), exercise.kind.stub
        assert ex.check(written("\n# moved down\n" + stub)).outcome == "not attempted"
        feedback = ex.check(written(stub.replace(":\n", ":\n    'with a docstring'\n", 1)))
        assert feedback.outcome in ("incorrect", "partial", "error", "timeout") and feedback.score < 1


def test_wrong_arity_is_invalid(exercise):
    feedback = load(exercise.id).check(lambda: None if exercise else 0)
    assert feedback.outcome == "invalid" and "not count" in feedback.message


def test_a_mistake_that_nobody_knows_is_shown_on_the_smallest_input():
    def merge(symbols, pair):
        return ["ab" if symbols == ["b", "a", "b"] else "?"]

    feedback = load("bpe-16").check(merge)
    assert feedback.outcome == "incorrect" and feedback.label == ""
    assert "merge([], " in feedback.evidence and "expected: `[]`" in feedback.evidence


def test_an_exception_is_told_with_its_line():
    def merge(symbols, pair):
        return symbols[100]

    feedback = load("bpe-16").check(merge)
    assert feedback.outcome == "error" and feedback.score == 0
    assert "IndexError" in feedback.message and "symbols[100]" in feedback.evidence


def test_returning_nothing_is_told_apart_from_printing():
    def quiet(symbols, pair):
        symbols = [*symbols, pair]

    def loud(symbols, pair):
        print(symbols)

    assert load("bpe-16").check(quiet).label == "returned-none"
    assert load("bpe-16").check(loud).label == "printed"


def test_importing_the_answer_is_refused():
    def merge(symbols, pair):
        from subword_lab import bpe

        return bpe.merge_symbols(symbols, pair)

    feedback = load("bpe-16").check(merge)
    assert feedback.outcome == "error" and "subword_lab" in feedback.message + feedback.evidence


def test_an_endless_loop_is_a_timeout(monkeypatch):
    def merge(symbols, pair):
        while True:
            pass

    monkeypatch.setattr(code, "LIMITS", runner.Limits(seconds=0.5))
    assert load("bpe-16").check(merge).outcome == "timeout"
