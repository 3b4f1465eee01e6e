"""Answers of people who have not read the mistakes: right ones in every dress are right, wrong ones are told what is true.

The files in `answers/`, one a lesson, were written from the questions alone. Each holds, by exercise id, a list of

    {"seed": 3, "answer": "12", "slip": "counted every word once"}

slip: in a few words, what went wrong; "" for a right answer. misleading: true where a reader found that what is said does
not fit this slip. For exercises that ask for code, the answer is source. `python tests/test_answers.py` prints the rates.
"""
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from subword_lab.exercises import Feedback, catalog, load
from subword_lab.exercises.proof import HERE, written

FILES = sorted((Path(__file__).parent / "answers").glob("*.json"))
CLASSES = ("named", "shown", "located", "generic", "misleading", "called right", "not read")


def judged(exercise_id: str, given: dict) -> Feedback:
    """What is said of an answer."""
    ex = load(exercise_id, seed=given["seed"])
    answer = written(given["answer"]) if "code" in ex.kind.proofs else given["answer"]
    return ex.judge(answer, run=HERE, search=False)


def told(exercise_id: str, given: dict) -> str:
    """How much a learner gets to know about a wrong answer: one of CLASSES."""
    feedback = judged(exercise_id, given)
    if feedback.outcome == "correct":
        return "called right"
    if feedback.outcome in ("invalid", "not attempted"):
        return "not read"
    if given.get("misleading"):
        return "misleading"
    if feedback.label:
        return "named"
    ex = load(exercise_id, seed=given["seed"])
    if "code" in ex.kind.proofs:
        return "shown" if feedback.evidence else "generic"
    value = ex.kind.readings(given["answer"], ex.listed)[0]
    if ex.asked.evidence and ex.asked.evidence(value):
        return "shown"
    return "located" if ex.kind.located(value, ex.asked.answer) else "generic"


@cache
def wrong() -> dict[str, Counter]:
    """Kind of exercise -> how often wrong answers were told what."""
    rates: dict[str, Counter] = {}
    for exercise_id, given in everything():
        if given["slip"]:
            rates.setdefault(catalog()[exercise_id].kind.name, Counter())[told(exercise_id, given)] += 1
    return rates


def everything():
    for file in FILES:
        for exercise_id, answers in json.loads(file.read_text(encoding="utf-8")).items():
            for given in answers:
                yield exercise_id, given


def share(classes, *kinds):
    """Which part of the wrong answers to exercises of these kinds was told so; what could not be read costs nothing."""
    counts = sum((count for kind, count in wrong().items() if kind in kinds), Counter())
    return sum(counts[name] for name in classes) / (counts.total() - counts["not read"])


FUNCTIONS = ("function", "repair")
VALUES = sorted({exercise.kind.name for exercise in catalog().values()} - set(FUNCTIONS))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_right_answer_is_refused(file):
    refused = []
    for exercise_id, answers in json.loads(file.read_text(encoding="utf-8")).items():
        for given in answers:
            if not given["slip"] and (feedback := judged(exercise_id, given)).outcome != "correct":
                refused.append((exercise_id, given, feedback.message))
    assert not refused


def test_no_wrong_answer_is_called_right():
    assert share(["called right"], *FUNCTIONS) == share(["called right"], *VALUES) == 0


def test_hardly_anything_misleads():
    assert share(["misleading"], *FUNCTIONS) <= 0.01 and share(["misleading"], *VALUES) <= 0.01


def test_wrong_functions_are_named_or_shown():
    assert share(["named", "shown"], *FUNCTIONS) >= 0.98 and share(["named"], *FUNCTIONS) >= 1 / 3


def test_wrong_values_are_named_shown_or_located():
    assert share(["named", "shown", "located"], *VALUES) >= 0.95 and share(["generic"], *VALUES) <= 0.03
    assert share(["named", "shown", "located"], "number") >= 0.8


def test_there_are_answers_to_every_exercise():
    assert {exercise_id for exercise_id, _ in everything()} == set(catalog())


def main() -> None:
    """A table of the rates by kind; with arguments, what is said to each wrong answer of these exercises."""
    for exercise_id, given in everything():
        if exercise_id in sys.argv[1:] and given["slip"]:
            print(f"{exercise_id} seed {given['seed']} {given['answer']!r}\n  slip: {given['slip']}\n"
                  f"  {told(exercise_id, given)}: {judged(exercise_id, given).message}")
    print(f"{'kind':<16}{'wrong':>6}", *(f"{name:>13}" for name in CLASSES))
    for kind, counts in wrong().items():
        total = counts.total()
        print(f"{kind:<16}{total:>6}", *(f"{counts[name] / total:>13.1%}" for name in CLASSES))
    print("right answers in some dress:", sum(not given["slip"] for _, given in everything()))


if __name__ == "__main__":
    main()
