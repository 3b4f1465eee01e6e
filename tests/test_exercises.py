"""The bank proves itself: every exercise, on two hundred variants; and the engine behind it."""
from functools import cache

import pytest

from subword_lab import exercises
from subword_lab.exercises import Function, Invalid, core, load, progress, proof
from subword_lab.exercises.core import Instance


@pytest.fixture(params=exercises.ids())
def exercise(request):
    return exercises.catalog()[request.param]


@cache
def instances(exercise_id):
    return [Instance(exercises.catalog()[exercise_id], seed) for seed in range(proof.VARIANTS)]


@pytest.mark.parametrize("check", proof.CHECKS, ids=lambda check: check.__name__)
def test_proof(exercise, check):
    assert list(check(exercise, instances(exercise.id))) == []


def test_there_are_enough_misconceptions_and_right_ways(exercise):
    code = isinstance(exercise.kind, Function)
    assert len(exercise.misconceptions) >= (5 if code else 3)
    assert not code or len(exercise.also(load(exercise.id).variant)) >= 2


def test_an_answer_that_is_no_answer_is_no_attempt():
    assert not {"invalid", "not attempted"} & set(exercises.COSTLY)


def test_hints_come_one_by_one_and_the_last_one_stays():
    ex = load("bpe-01")
    assert [repr(ex.hint())[5:6] for _ in range(4)] == ["1", "2", "3", "3"]


def test_answers_can_be_handed_to_somebody_else():
    taken = []
    core.hand_answers_to(lambda ex, answer: taken.append((ex.id, answer)))
    try:
        load("bpe-01").check(20)
    finally:
        core.hand_answers_to(None)
    assert taken == [("bpe-01", 20)] and load("bpe-01").check(...).outcome == "not attempted"


def test_judging_is_not_recorded():
    before = len(progress.store().events())
    assert load("bpe-01").judge(-1).outcome == "incorrect"
    assert len(progress.store().events()) == before


def test_the_solution_shows_the_answer():
    ex = load("bpe-01")
    assert ex.solution().text.startswith(f"`{ex.kind.show(ex.exercise.answer(ex.variant))}`")
    assert ex.another().turn == 1


def test_the_same_variant_on_every_machine():
    """Written down once: whoever changes a generator gives its exercise a new version."""
    assert load("bpe-01", seed=7, learner="kim").variant == {
        "freqs": {"tall": 12, "taller": 6, "small": 9, "ball": 11, "bell": 8}, "pair": ("l", "e")}


def test_unknown_ids_are_named_with_their_neighbors():
    with pytest.raises(ValueError, match="no exercise 'bpe-1'; did you mean bpe-"):
        load("bpe-1")
    with pytest.raises(ValueError, match="seed is 'x'"):
        load("bpe-01", seed="x")


def test_an_id_is_given_once():
    with pytest.raises(ValueError, match="already"):
        exercises.register(exercises.catalog()["bpe-01"])


@pytest.mark.parametrize("kind, typed", [
    (exercises.Number(), True), (exercises.Number(), float("nan")), (exercises.Number(), [1]),
    (exercises.Number(), "1/0"), (exercises.Number(), "1e999999999"),
    (exercises.Tokens(), "['a', 'b'"), (exercises.Tokens(), []), (exercises.Tokens(), [1]), (exercises.Merges(), "u"),
    (exercises.Merges(), [("u",)]), (exercises.Text(), 3),
])
def test_malformed(kind, typed):
    with pytest.raises(Invalid, match=r"expected|check the quotes"):
        kind.parse(typed)
