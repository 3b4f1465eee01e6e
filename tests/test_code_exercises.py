"""The exercises that ask for code: what a learner reads. That the bank's are right is proven in test_exercises.py."""

import pytest

from subword_lab.exercises import code, load
from subword_lab.exercises.proof import written
from subword_lab.running import function as runner


@pytest.mark.slow
def test_the_broken_function_is_not_right_once_it_is_touched():
    broken = load("bpe-19").kind.stub.replace("None, 0", "None, -1")
    feedback = load("bpe-19").check(written(broken))
    assert (feedback.outcome, feedback.label) == ("incorrect", "last-seen")


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
