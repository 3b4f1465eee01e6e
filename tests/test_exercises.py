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


@pytest.mark.parametrize("id", [id for id, exercise in exercises.catalog().items()
                                if not isinstance(exercise.kind, Function)])
def test_proof_on_a_few_variants(id):
    assert proof.prove(exercises.catalog()[id], variants=10) == []


@pytest.mark.slow
@pytest.mark.parametrize("check", proof.CHECKS, ids=lambda check: check.__name__)
def test_proof(exercise, check):
    assert list(check(exercise, instances(exercise.id))) == []


def test_there_are_enough_misconceptions_and_right_ways(exercise):
    code = isinstance(exercise.kind, Function)
    assert len(exercise.misconceptions) >= (5 if code else 3)
    assert not code or len(exercise.also(load(exercise.id).variant)) >= 2


@pytest.fixture
def events(monkeypatch):
    """What is recorded from now on, in a store of this test's own."""
    kept = progress.Progress(progress.MEMORY)
    monkeypatch.setattr(progress, "store", lambda: kept)
    return kept.events


@pytest.mark.parametrize("answer, outcome", [(..., "not attempted"), (" ", "not attempted"), ("many", "invalid")])
def test_an_answer_that_is_no_answer_is_no_attempt(events, answer, outcome):
    assert load("bpe-01").check(answer).outcome == outcome and events() == []


def test_what_is_checked_is_recorded(events):
    ex = load("bpe-01", seed=7, learner="kim").another()
    ex.check(-1)
    ex.hint()
    ex.solution()
    assert [event["kind"] for event in events()] == ["attempt", "hint", "solution"]
    common = {"exercise": "bpe-01", "exercise_version": 1, "learner": "kim", "seed": 7, "turn": 1}
    assert all(common.items() <= event.items() for event in events())
    assert {"outcome": "incorrect", "score": 0.0, "answer": "-1"}.items() <= events()[0].items()


# ------------------------------------------------------------------------------------------------------ hints and turns

def numbers(ex, count):
    """The numbers of the next hints."""
    return [int(ex.hint().title.split()[1]) for _ in range(count)]


def test_hints_come_one_by_one_and_the_last_one_stays(events):
    ex = load("bpe-01")
    assert numbers(ex, 4) == [1, 2, 3, 3]
    assert [event["label"] for event in events()] == ["1", "2", "3", "3"]


def test_hints_begin_again_with_new_figures():
    ex = load("bpe-01")
    assert numbers(ex, 2) == [1, 2] and numbers(ex.another(), 2) == [1, 2]
    first = ex.question
    ex.turn_to(0)                                           # the figures that it has
    assert numbers(ex, 1) == [3]
    ex.turn_to(1)
    assert ex.question == load("bpe-01").another().question != first and numbers(ex, 4) == [1, 2, 3, 3]
    ex.turn_to(0)
    assert ex.question == first and numbers(ex, 1) == [1]


# --------------------------------------------------------------------------------------------------- part of the points

def right(exercise_id):
    ex = load(exercise_id)
    return ex, ex.exercise.answer(ex.variant)


@pytest.mark.parametrize("given, outcome, score", [
    (lambda right: right, "correct", 1), (lambda right: right[:2], "partial", 2 / 3),
    (lambda right: right[:1], "partial", 1 / 3), (lambda right: [*right[:2], ("q", "q")], "partial", 2 / 3),
    (lambda right: [*right, ("q", "q")], "incorrect", 0), (lambda right: [("q", "q"), *right[1:]], "incorrect", 0),
])
def test_a_merge_sequence_earns_what_is_right_from_its_beginning(given, outcome, score):
    ex, answer = right("bpe-04")
    assert len(answer) == 3
    feedback = ex.check(given(answer))
    assert (feedback.outcome, feedback.score) == (outcome, pytest.approx(score))


@pytest.mark.parametrize("order, outcome, score", [
    ((0, 1, 2, 3), "correct", 1), ((0, 1, 3, 2), "partial", 1 / 2), ((0, 3, 1, 2), "partial", 1 / 4),
    ((1, 0, 2, 3), "incorrect", 0),
])
def test_an_ordering_earns_its_first_places(order, outcome, score):
    ex, answer = right("bpe-13")
    feedback = ex.check([answer[place] for place in order])
    assert (feedback.outcome, feedback.score) == (outcome, score)
    assert not feedback.label, "a named mistake earns nothing: take another order"


def test_code_that_is_right_on_most_inputs_earns_less_than_half():
    """The share of the inputs that were right, halved; nothing if that share is less than a half."""
    def score(*lengths):
        """Of a function that is wrong on inputs of these lengths, and on no others."""
        def merge(symbols, pair):
            merged, i = [], 0
            while i < len(symbols):
                found = tuple(symbols[i:i + 2]) == tuple(pair)
                merged.append("".join(pair) if found else symbols[i])
                i += 1 + found
            return [*merged, "?"] if len(symbols) in lengths else merged

        feedback = load("bpe-16").judge(merge, search=False)
        assert feedback.outcome == ("partial" if feedback.score else "incorrect") and not feedback.label
        return feedback.score

    empty, seven = score(0), score(7)
    assert 0.25 <= seven < empty < 0.5
    assert empty == round(empty, 2) and seven == round(seven, 2)
    assert score(0, 1) == pytest.approx(empty + score(1) - 0.5, abs=0.011)
    assert score(1, 2, 3, 4, 5, 6, 7) == 0


# ----------------------------------------------------------------------------------------------------------- the engine

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
