"""Answers that are to break the checker: it raises nothing, is over in time, and says no more than a screen holds."""

import functools
import inspect
import os
import time
import types
from fractions import Fraction

import pytest
from hostile import PRIME, Bottomless, Mute, channel, seconds_left
from subword_lab_teach.proof import HERE

from subword_lab.exercises import load, trials
from subword_lab.running import Limits


def holds(feedback):
    """Whether what a learner sees is text that can be written, and no more than a screen."""
    page = feedback._repr_html_()
    return (
        bool(repr(feedback).encode() and page.encode())
        and len(repr(feedback)) < 4_500
        and len(page) < 20_000
    )


# ----------------------------------------------------------------------------------------------------------- as answers


def refuses(*_, **__):
    raise SystemExit("x" * 10**4)


class Odd:
    """Everything that could be asked of it raises."""

    def __getattribute__(self, name):
        raise ValueError(name)

    def __call__(self, *arguments):
        raise ValueError


def exits():
    """As Odd, and no `except Exception` stops it; made when asked for, because pytest looks at what stands here."""
    names = ("getattribute", "call", "eq", "hash", "len", "iter", "bool", "str", "repr")
    return type("Exits", (), {f"__{name}__": refuses for name in names})()


class Lying:
    """It says that it is a function, and has code that is none."""

    __class__ = types.FunctionType
    __name__ = "x" * 10**6
    __code__ = property(refuses)

    def __call__(self, *arguments):
        return []


class Numb(int):
    def __hash__(self):
        raise ValueError

    __eq__ = __lt__ = None


class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit(name)


class Deep:
    """Under each wrapper is another one."""

    def __getattr__(self, name):
        if name == "__wrapped__":
            return Deep()
        raise AttributeError(name)

    def __call__(self, *arguments):
        return []


class Binding(inspect.Signature):
    bind = refuses


class Unpicklable:
    __reduce__ = refuses


def function(**variables):
    """A function with such attributes, that returns an empty list."""

    def answer(symbols, pair):
        return []

    for name, value in variables.items():
        setattr(answer, name, value)
    return answer


def stub(symbols, pair): ...


def wrapped_in_itself():
    answer = function()
    answer.__wrapped__ = answer
    return answer


unpicklable = Unpicklable()
HOSTILE = {
    "odd": Odd,
    "exits": exits,
    "exits inside": lambda: [exits()],
    "lying": Lying,
    "numb": lambda: Numb(3),
    "numb inside": lambda: [Numb(3)],
    "huge": lambda: 10**5000,
    "infinite": lambda: float("inf"),
    "beyond floats": lambda: 10**400,
    "half a character": lambda: "\ud800",
    "long": lambda: "x" * 10**6,
    "bytes": lambda: b"x" * 10**7,
    "set": lambda: {1, 2},
    "dots": lambda: [[...]],
    "type": lambda: type,
    "class": lambda: Meta("Nameless", (), {}),
    "its object": lambda: object.__new__(Meta("Nameless", (), {})),
    "built-in": lambda: len,
    "prints": lambda: print,
    "lambda": lambda: lambda: 0,
    "iterator": lambda: iter([]),
    "not implemented": lambda: NotImplemented,
    "itself": lambda: (same := [], same.append(same))[0],
    "deep": lambda: functools.reduce(lambda inner, _: [inner], range(10_000), 0),
    "a million": lambda: [0] * 10**6,
    "colliding": lambda: {number * PRIME: number for number in range(1000)},
    "fraction": lambda: Fraction(10**4000, 7),
    "brackets": lambda: "[[[[`*_<b>" * 300,
    "bottomless": lambda: Bottomless(a=1),
}
FUNCTIONS = {
    "signature": lambda: function(__signature__=Binding()),
    "no signature": lambda: function(__signature__=5),
    "wrapped in itself": wrapped_in_itself,
    "wrapped without end": Deep,
    "half a name": lambda: function(__name__="\ud800"),
    "a long name": lambda: function(__name__="x" * 10**6),
    "doc": lambda: function(__doc__=exits()),
    "default": lambda: function(__defaults__=(exits(), exits())),
    "partial": lambda: functools.partial(refuses, exits()),
    "code": lambda: function(
        __code__=stub.__code__.replace(co_code=bytes(14))
    ),  # b"\xff" ends Python 3.14 itself
    "constants": lambda: function(__code__=stub.__code__.replace(co_consts=(None, exits()))),
    "unpicklable": lambda: lambda symbols, pair: unpicklable,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("exercise_id", ["bpe-01", "bpe-02", "bpe-03", "bpe-14", "bpe-16"])
def test_check_never_raises(exercise_id, name):
    feedback = load(exercise_id).check(HOSTILE[name]())
    assert feedback.score == 0 and holds(feedback)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("exercise_id", ["bpe-01", "bpe-16", "bpe-19"])
def test_check_never_raises_on_what_looks_like_a_function(exercise_id, name):
    feedback = load(exercise_id).check(FUNCTIONS[name]())
    assert feedback.score == 0 and holds(feedback)


def test_interrupting_is_not_an_answer():
    class Interrupted:
        def __class__(self):
            raise KeyboardInterrupt

        __class__ = property(__class__)

    with pytest.raises(KeyboardInterrupt):
        load("bpe-01").check(Interrupted())


# ----------------------------------------------------------------------------------------------------------- as results

VALUES = [
    10**400,
    10**4000,
    10**5000,
    [10**4000] * 4,
    float("nan"),
    float("-inf"),
    -0.0,
    Fraction(10**4000, 7),
    "x" * 100_000,
    "x" * 19_000,
    pytest.param([0] * 19_000, marks=pytest.mark.slow),
    pytest.param([[]] * 10_000, marks=pytest.mark.slow),
    "\ud800",
    ["\ud800"] * 50,
    [[[[]]]],
    {1: {2: 3}},
    {number * PRIME: number for number in range(1000)},
    "[[[[`*_<b>\n```\n" * 1000,
    Bottomless(a=1),
    Mute(),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_results_that_cannot_hurt(value):
    feedback = load("bpe-16").judge(lambda symbols, pair: value, run=HERE, search=False)
    assert feedback.outcome in ("incorrect", "error") and feedback.score == 0 and holds(feedback)


def raises_much(symbols, pair):
    raise type("E" * 10**6, (Exception,), {})("[[[[`*_<b>\n```\n" * 10**5)


def prints_much(symbols, pair):
    print("[[[[`*_<b>\n```\n\ud800" * 10**4)
    return []


def sleeps_on_some(symbols, pair):
    if len(symbols) < 3:
        time.sleep(0.2)
    return [1]


def is_slow_elsewhere(symbols, pair, started=time.time()):  # noqa: B008             # in each process but the first
    time.sleep(0.4 if time.time() > started + 0.5 else 0.001)
    return [1]


def sends_what_is_no_result(symbols, pair):
    for line in (
        b"[" * 10**5,
        b'{"is": "Result"}',
        b'{"is": "Result", "outcome": "error", "error": "%s"}' % (b"E" * 10**6),
    ):
        os.write(channel(), line + b"\n")
    return []


def sends_nothing(symbols, pair):
    os.closerange(3, 64)
    return ["right?"]


def generates_without_end(symbols, pair):
    left = seconds_left(20)
    return [1 for _ in iter(left, False)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        raises_much,
        prints_much,
        sleeps_on_some,
        is_slow_elsewhere,
        sends_what_is_no_result,
        sends_nothing,
        generates_without_end,
    ],
    ids=lambda answer: answer.__name__,
)
def test_a_check_is_over_in_time_and_fits_on_a_screen(answer, monkeypatch):
    monkeypatch.setattr(trials, "LIMITS", Limits(seconds=2))
    load("bpe-16").check(lambda symbols, pair: [])  # so that what takes long only once is done
    begun = time.monotonic()
    load("bpe-16").check(lambda symbols, pair: [])
    usual = (
        time.monotonic() - begun
    )  # with two or three processes, whose start costs the limit nothing
    feedback = load("bpe-16").check(answer)
    assert time.monotonic() - begun - usual < 2 * usual + 2 + 1
    assert (
        feedback.score == 0
        and feedback.outcome in ("incorrect", "error", "timeout")
        and holds(feedback)
    )
