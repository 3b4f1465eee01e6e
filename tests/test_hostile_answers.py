"""Answers that could break the checker: it raises nothing, is over in time, and says no more than a screen holds."""

import functools
import re
from fractions import Fraction

import pytest
from hostile import PRIME, a_list_in_itself

from subword_lab.exercises import load, trials
from subword_lab.running import Limits
from subword_lab_teach.proof import HERE

NESTED = ">a\n-\n"  # again and again it is Markdown that no reader of Markdown survives


def holds(feedback):
    """Whether what a learner sees is text that can be written, and no more than a screen."""
    page = feedback._repr_html_()
    return (
        bool(repr(feedback).encode() and page.encode())
        and len(repr(feedback)) < 4_500
        and len(page) < 20_000
    )


class Odd:
    """Everything that could be asked of it raises."""

    def __getattribute__(self, name):
        raise ValueError(name)

    def __call__(self, *arguments):
        raise ValueError


ANSWERS = {
    "odd": Odd,
    "huge": lambda: 10**5000,
    "infinite": lambda: float("inf"),
    "half a character": lambda: "\ud800",
    "long": lambda: "x" * 10**6,
    "set": lambda: {1, 2},
    "dots": lambda: [[...]],
    "class": lambda: dict,
    "built-in": lambda: len,
    "lambda": lambda: lambda: 0,
    "iterator": lambda: iter([]),
    "itself": lambda: a_list_in_itself(0),
    "deep": lambda: functools.reduce(lambda inner, _: [inner], range(10_000), 0),
    "a million": lambda: [0] * 10**6,
    "colliding": lambda: {number * PRIME: number for number in range(1000)},
    "fraction": lambda: Fraction(10**4000, 7),
    "brackets": lambda: "[[[[`*_<b>" * 300,
    "lists in quotes": lambda: [("u", NESTED * 380)],
    "a few lists in quotes": lambda: [("u", "`" + NESTED * 30), ("`", "*a*")],
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("exercise_id", ["bpe-01", "bpe-02", "bpe-03", "bpe-14", "bpe-16"])
def test_check_never_raises(exercise_id, name):
    feedback = load(exercise_id).check(ANSWERS[name]())
    assert feedback.score == 0 and holds(feedback)
    assert not re.search("<(em|blockquote|ul)>", feedback._repr_html_())  # it is text


@pytest.mark.parametrize(
    "exercise_id, answer",
    [("bpe-01", "\ufdfa" * 20), ("bpe-01", "1" * 301), ("bpe-03", ["\ufdfa"] * 120)],
)
def test_an_answer_is_as_long_as_it_is_when_it_is_read(exercise_id, answer):
    """U+FDFA is 18 characters then, and reading takes a time that grows with the square of them."""
    feedback = load(exercise_id).judge(answer)
    assert feedback.outcome == "invalid"
    assert re.search(r"and got [\d,]+ characters", feedback.message)


def loud(*_):
    print(f"```\n{NESTED * 119}")
    raise ValueError(NESTED * 380)


def quoting(*_):
    return "`\n" + NESTED * 30


@pytest.mark.parametrize("function", [loud, quoting])
def test_what_a_function_says_is_no_markdown(function):
    page = load("bpe-16").judge(function, run=HERE)._repr_html_()
    assert "&gt;a" in page and not re.search("<(blockquote|ul)>", page)


def test_interrupting_is_not_an_answer():
    class Interrupted:
        @property
        def __class__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load("bpe-01").check(Interrupted())


VALUES = [
    10**400,
    10**5000,
    float("nan"),
    -0.0,
    Fraction(10**4000, 7),
    "x" * 19_000,
    [[]] * 1_000,
    ["\ud800"] * 50,
    {number * PRIME: number for number in range(1000)},
    "[[[[`*_<b>\n```\n" * 1000,
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_results_that_cannot_hurt(value):
    feedback = load("bpe-16").judge(lambda symbols, pair: value, run=HERE)
    assert feedback.outcome in ("incorrect", "error") and feedback.score == 0 and holds(feedback)


def raises_much(symbols, pair):
    raise type("E" * 10**6, (Exception,), {})("[[[[`*_<b>\n```\n" * 10**5)


def prints_much(symbols, pair):
    print("[[[[`*_<b>\n```\n\ud800" * 10**4)
    return []


@pytest.mark.slow
@pytest.mark.parametrize("answer", [raises_much, prints_much])
def test_a_check_is_bounded_and_fits_on_a_screen(answer, monkeypatch):
    monkeypatch.setattr(trials, "LIMITS", Limits(seconds=2))
    feedback = load("bpe-16").check(answer)
    assert feedback.score == 0 and holds(feedback)
    assert feedback.outcome in ("incorrect", "error")
