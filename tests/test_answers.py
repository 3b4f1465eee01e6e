"""Answers of people who have not read the mistakes: right ones in any dress are right, wrong ones are told the truth.

The files in `answers/`, one a lesson, were written from the questions alone. Each holds, by exercise id, a list of

    {"seed": 3, "answer": "12", "slip": "counted every word once"}

slip: in a few words, what went wrong; "" for a right answer. misleading: true where a reader found that what is said
does not fit this slip. For exercises that ask for code, the answer is source. `python tests/test_answers.py ID ...`
prints what is said to each wrong answer to these exercises.
"""

import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from subword_lab.exercises import Feedback, catalog, load
from subword_lab_teach.proof import HERE, written

ANSWERS = {
    exercise_id: answers
    for file in sorted((Path(__file__).parent / "answers").glob("*.json"))
    for exercise_id, answers in json.loads(file.read_text(encoding="utf-8")).items()
}
CODE = [
    exercise_id for exercise_id, exercise in catalog().items() if "code" in exercise.kind.proofs
]
VALUES = [exercise_id for exercise_id in catalog() if exercise_id not in CODE]
PARTS = pytest.mark.parametrize(
    "ids", [VALUES, pytest.param(CODE, marks=pytest.mark.slow)], ids=["values", "code"]
)


asked = cache(load)


def judged(exercise_id: str, given: dict) -> Feedback:
    """What is said of an answer."""
    answer = written(given["answer"]) if exercise_id in CODE else given["answer"]
    return asked(exercise_id, seed=given["seed"]).judge(answer, run=HERE)


def told(exercise_id: str, given: dict) -> str:
    """How much a learner gets to know about a wrong answer: in a word or two."""
    feedback = judged(exercise_id, given)
    if feedback.outcome == "correct":
        return "called right"
    if feedback.outcome in ("invalid", "not attempted"):
        return "not read"
    if given.get("misleading"):
        return "misleading"
    if feedback.label:
        return "named"
    if exercise_id in CODE:
        return "shown" if feedback.evidence else "generic"
    ex = asked(exercise_id, seed=given["seed"])
    value = ex.kind.readings(given["answer"], ex.listed)[0]
    if ex.asked.evidence and ex.asked.evidence(value):
        return "shown"
    return "located" if ex.kind.located(value, ex.asked.answer) else "generic"


@cache
def classes(exercise_id: str) -> Counter:
    """How often the wrong answers to an exercise were told what."""
    answers = ANSWERS.get(exercise_id, [])
    return Counter(told(exercise_id, given) for given in answers if given["slip"])


def share(ids: list[str], *names: str) -> float:
    """Which part of the wrong answers was told so; what could not be read costs nothing, and does not count."""
    counts = sum(map(classes, ids), Counter())
    return sum(counts[name] for name in names) / (counts.total() - counts["not read"])


@PARTS
def test_no_right_answer_is_refused(ids):
    said = [
        (exercise_id, given, judged(exercise_id, given))
        for exercise_id in ids
        for given in ANSWERS.get(exercise_id, [])
        if not given["slip"]
    ]
    assert said and not [each for each in said if each[-1].outcome != "correct"]


@PARTS
def test_no_wrong_answer_is_called_right_and_hardly_one_misled(ids):
    assert share(ids, "called right") == 0 and share(ids, "misleading") <= 0.01


def test_wrong_values_are_named_shown_or_located():
    numbers = [
        exercise_id for exercise_id in VALUES if catalog()[exercise_id].kind.name == "number"
    ]
    assert share(VALUES, "named", "shown", "located") >= 0.95 and share(VALUES, "generic") <= 0.03
    assert share(numbers, "named", "shown", "located") >= 0.8
    assert share(VALUES, "named") >= 0.78


@pytest.mark.slow
def test_wrong_functions_are_named_or_shown():
    assert share(CODE, "named", "shown") >= 0.98 and share(CODE, "named") >= 0.6
    assert share(["bpe-15", "bpe-17"], "named") >= 0.8


def test_there_are_answers_to_every_exercise():
    missing, unknown = set(catalog()) - set(ANSWERS), set(ANSWERS) - set(catalog())
    assert not missing, f"without answers in tests/answers, see the top of this file: {missing}"
    assert not unknown, f"answers to exercises that are none: {unknown}"


def main() -> None:
    for exercise_id in sys.argv[1:]:
        for given in ANSWERS[exercise_id]:
            if given["slip"]:
                print(
                    f"{exercise_id} seed {given['seed']} {given['answer']!r}\n  slip: {given['slip']}\n"
                    f"  {told(exercise_id, given)}: {judged(exercise_id, given).message}"
                )


if __name__ == "__main__":
    main()
