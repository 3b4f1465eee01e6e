"""What is said of a wrong function rests on these: which trials, in how much time, and which of them tell something."""

import operator
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import configuration
from hypothesis import strategies as st

from subword_lab.exercises import instance as engine
from subword_lab.exercises import load, trials
from subword_lab.exercises.trials import SHAPES, Trials
from subword_lab_teach.proof import HERE


@pytest.mark.parametrize(
    "function, held",
    [
        (lambda numbers: 17 if numbers == [0, 17] else 99, True),
        (lambda numbers: {17: 17}.get(numbers[1], 0), True),
        (lambda numbers: numbers[1] if numbers[1] > 16 else -1, False),  # no 17 in it
        (lambda numbers: 17 if numbers == [0, 17] else numbers[1] // 2 * 2, False),
        (lambda numbers: 99, False),
        (
            lambda numbers: numbers[1] - 15 if numbers[1] > 16 else 1,
            False,
        ),  # 2, of which any code is full
    ],
)
def test_only_code_that_holds_an_example_is_said_to_hold_it(function, held):
    cases = [([0, n],) for n in (17, *range(1, 16))]
    assert Trials(function, sum, cases, 1, operator.eq, HERE)._holds_an_example() == held


@pytest.mark.parametrize(
    "yours, right, words",
    [
        (4, 3, "one too many"),
        (2, 3, "one too few"),
        (-3, 3, "the sign"),
        (7, 3, None),
        ("c", 3, None),
        ([3, 2, 1], [1, 2, 3], "exactly the other way round"),
        ([2, 1, 3], [1, 2, 3], "their order is not"),
        ([1, 2], [1, 2, 3], "the last member is missing"),
        ([2, 3], [1, 2, 3], "the first member is missing"),
        ([1, 2, 3], [1, 2], "too many, at the end"),
        ([1, 2, 3], [2, 3], "too many, at the beginning"),
        ([1], [2], None),
        ({"a": 1}, {"a": 2}, "their values are not"),
        ({"b": 1}, {"a": 1}, None),
        ({"a": 1}, {"a": 1, "b": 2}, "keys are missing"),
        ({"a": 1, "b": 2}, {"a": 1}, "keys too many"),
        ([], {}, None),
        (["u", "g"], ["ug"], "single characters"),
        (["u", "ng"], ["ung"], None),
        (["g", "u"], ["ug"], None),
        ([1, 2], [12], None),
    ],
)
def test_the_shape_of_what_is_wrong(yours, right, words):
    fitting = next((shape for shape, fits in SHAPES.items() if fits(yours, right)), None)
    assert fitting is words is None or words in fitting


@pytest.mark.parametrize(
    "ipython, platform, widgets",
    [
        (None, "linux", False),
        (SimpleNamespace(get_ipython=lambda: None), "linux", False),
        (SimpleNamespace(get_ipython=lambda: None), "emscripten", False),
        (SimpleNamespace(get_ipython=lambda: SimpleNamespace()), "linux", False),
        (SimpleNamespace(get_ipython=lambda: SimpleNamespace()), "emscripten", True),
        (SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1)), "linux", True),
    ],
)
def test_where_widgets_are_shown(monkeypatch, ipython, platform, widgets):
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("SUBWORD_LAB_NO_WIDGETS", raising=False)
    assert engine.takes_widgets() == widgets


def test_what_hypothesis_keeps_lies_where_nobody_else_writes():
    trials.examples.cache_clear()
    trials.examples(lambda: st.integers())
    assert Path(configuration.storage_directory().path).is_relative_to(Path.home())


@pytest.mark.parametrize(
    "shortcut",
    [
        lambda found, *_: min(found),
        lambda found, *_: max(found) if found else 0,
        lambda found, *_: sorted(found)[-1],
    ],
)
def test_a_shortcut_that_is_often_right_has_no_points(shortcut):
    feedback = load("compare-15").judge(shortcut, run=HERE)
    assert (feedback.outcome, feedback.score) == ("incorrect", 0)
