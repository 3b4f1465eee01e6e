"""Ids, figures and versions of the course's questions do not move: an answer of last term is judged as it was.

And its sentences stay whole: each is one template, whose fields are plain names.
"""

import copy
import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from subword_lab.exercises.bank import lessons
from subword_lab.exercises.instance import Instance

EXERCISES = {exercise.id: exercise for lesson in lessons() for exercise in lesson}
RECORD = Path(__file__).with_name("variants.json")
VARIANTS = 12


def plain(value):
    """A value in one way of writing, whatever order a set or a dictionary has."""
    if isinstance(value, dict):
        return sorted(map(repr, map(plain, value.items())))
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, map(plain, value)))
    return [*map(plain, value)] if isinstance(value, (list, tuple)) else repr(value)


def outcome(function, case):
    try:
        return plain(function(*copy.deepcopy(case)))
    except Exception as error:
        return type(error).__name__


def figures(exercise, seed):
    """The answer and where each mistake leads; for code, what comes of the inputs that the question shows."""
    instance = Instance(exercise, seed, "kim")
    asked = instance.asked
    values = {"": asked.answer, **{each.label: each.value for each in asked.mistakes}}
    if callable(asked.answer):
        values = {
            "": [outcome(asked.answer, case) for case in asked.cases],
            "labels": sorted(each.label for each in asked.mistakes),
        }
    return [plain(values), plain(instance.listed), plain(asked.cases)]


def fingerprint(exercise):
    drawn = json.dumps([figures(exercise, seed) for seed in range(VARIANTS)])
    return f"{exercise.version} {hashlib.sha256(drawn.encode()).hexdigest()[:16]}"


def test_no_exercise_comes_or_goes_without_being_recorded():
    recorded = json.loads(RECORD.read_text())
    assert [*recorded] == [*EXERCISES], (
        f"not recorded: {EXERCISES.keys() - recorded}; recorded, but gone: {recorded.keys() - EXERCISES}; "
        f"or in another order. A new exercise is recorded by: python {__file__}"
    )


@pytest.mark.parametrize("id", EXERCISES)
def test_the_figures_of_a_version_stay_what_they_are(id):
    recorded = json.loads(RECORD.read_text()).get(id)
    assert recorded, f"{id} is not recorded yet (python {__file__})"
    assert fingerprint(EXERCISES[id]) == recorded, (
        f"{id} asks other figures than before: raise its version, and record it (python {__file__})"
    )


@pytest.mark.parametrize("id", ["wordpiece-14", "wordpiece-20", "fast-08"])
def test_a_neighbors_answer_is_mostly_wrong_where_the_figures_differ(id):
    answers = Counter(
        repr(Instance(EXERCISES[id], 7, f"learner {number}").asked.answer) for number in range(60)
    )
    assert max(answers.values()) < 30, answers


if __name__ == "__main__":
    record = {id: fingerprint(exercise) for id, exercise in EXERCISES.items()}
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
