"""The bank proves itself: every exercise, on two hundred variants."""
import re
from functools import cache

import pytest

from subword_lab import exercises
from subword_lab.exercises import Choice, Invalid, load
from subword_lab.exercises.core import Instance

VARIANTS = 200
MALFORMED = {"number": "many", "choice": "z", "token sequence": 7, "merge sequence": "u+g+h", "ordering": "a a a a a a",
             "segmentation": "not|the|word", "text": 7, "prediction": 7.5j, "function": "not a function",
             "repair": "not a function"}
CODE = ("function", "repair")


@pytest.fixture(params=exercises.ids())
def exercise(request):
    return exercises.catalog()[request.param]


@cache
def _instances(exercise_id):
    return [Instance(exercises.catalog()[exercise_id], seed) for seed in range(VARIANTS)]


def instances(exercise):
    for ex in _instances(exercise.id):
        ex.hints_given = 0
        yield ex


def has(text, answer):
    """Whether a text holds the answer as a piece of its own."""
    return re.search(rf"(?<![\w.|+-]){re.escape(answer)}(?![\w|+]|\.\d)", text) is not None


def test_the_solution_is_correct(exercise):
    if exercise.kind.name in CODE:
        pytest.skip("code is run, in test_code_exercises.py")
    for ex in instances(exercise):
        assert ex.check(exercise.answer(ex.variant)).outcome == "correct"
        assert exercise.kind.show(exercise.answer(ex.variant)) in ex.solution().text


def test_every_misconception_is_told_by_its_own_label(exercise):
    if exercise.kind.name in CODE:
        pytest.skip("code is compared on cases, in test_code_exercises.py")
    labels = [m.label for m in exercise.misconceptions]
    assert len(labels) == len(set(labels)) >= 3
    for ex in instances(exercise):
        for misconception in exercise.misconceptions:
            feedback = ex.check(misconception.wrong(ex.variant))
            assert (feedback.outcome, feedback.label) == ("incorrect", misconception.label)
            assert feedback.score == 0 and len(feedback.message) > 20


def test_what_was_typed_is_read_as_it_was_meant(exercise):
    if exercise.kind.name in CODE:
        return
    for ex in list(instances(exercise))[:20]:
        assert ex.check(exercise.kind.show(exercise.answer(ex.variant))).outcome == "correct"


@pytest.mark.parametrize("nothing", [..., None, "", "  \n"])
def test_nothing_typed_is_not_attempted(exercise, nothing):
    feedback = load(exercise.id).check(nothing)
    assert (feedback.outcome, feedback.score) == ("not attempted", 0)


def test_a_malformed_answer_is_invalid_and_costs_nothing(exercise):
    feedback = load(exercise.id).check(MALFORMED[exercise.kind.name])
    assert feedback.outcome == "invalid" and "not count" in feedback.message
    assert "invalid" not in exercises.COSTLY


def test_hints_exist_and_do_not_tell_the_answer(exercise):
    for ex in instances(exercise):
        hints = [ex.hint().text for _ in range(3)]
        assert len(set(hints)) == 3 and all(len(hint) > 15 for hint in hints)
        assert repr(ex.hint()).startswith("Hint 3 of 3")
        if exercise.kind.name not in CODE:
            answer = exercise.kind.show(exercise.answer(ex.variant))
            assert not [hint for hint in hints if has(hint, answer)]


def test_what_a_wrong_answer_is_told_does_not_hold_the_right_one(exercise):
    if exercise.kind.name in CODE:
        pytest.skip("a code exercise shows what was expected on one input, not the answer")
    for ex in instances(exercise):
        answer = exercise.kind.show(exercise.answer(ex.variant))
        for misconception in exercise.misconceptions:
            feedback = ex.check(misconception.wrong(ex.variant))
            assert not has(feedback.message + " " + feedback.evidence, answer)


def test_variants_differ_and_stay_the_same(exercise):
    questions = {ex.question for ex in instances(exercise)}
    assert len(questions) >= 5
    one, two = Instance(exercise, 3, "kim"), Instance(exercise, 3, "kim")
    assert (one.question, one.listed) == (two.question, two.listed)
    assert one.another().turn == 1


def test_the_same_variant_on_every_machine():
    """Written down once: whoever changes a generator gives its exercise a new version."""
    assert load("bpe-01", seed=7, learner="kim").variant == {
        "freqs": {"tall": 12, "taller": 6, "small": 9, "ball": 11, "bell": 8}, "pair": ("l", "e")}


def test_choices_list_the_right_option_in_every_place():
    choices = [e for e in exercises.catalog().values() if isinstance(e.kind, Choice)]
    for exercise in choices:
        places = {ex.listed.index(exercise.answer(ex.variant)) for ex in instances(exercise)}
        assert places == set(range(len(exercise.misconceptions) + 1))


def test_unknown_ids_are_named_with_their_neighbors():
    with pytest.raises(ValueError, match="no exercise 'bpe-1'; did you mean bpe-"):
        load("bpe-1")
    with pytest.raises(ValueError, match="seed is 'x'"):
        load("bpe-01", seed="x")


def test_an_id_is_given_once():
    with pytest.raises(ValueError, match="already"):
        exercises.register(exercises.catalog()["bpe-01"])


@pytest.mark.parametrize("kind, typed", [
    (exercises.Number(), True), (exercises.Number(), float("nan")), (exercises.Number(), [1]), (exercises.Number(), "1/0"),
    (exercises.Tokens(), "['a', 'b'"), (exercises.Tokens(), []), (exercises.Tokens(), [1]), (exercises.Merges(), "u"),
    (exercises.Merges(), [("u",)]), (exercises.Text(), 3),
])
def test_malformed(kind, typed):
    with pytest.raises(Invalid, match="expected|check the quotes"):
        kind.parse(typed)
