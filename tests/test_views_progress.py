"""The progress of a learner: which exercises are done, tried and left, as a table and as JSON."""

import json
import re

import pandas as pd
import pytest

from subword_lab import exercises, views
from subword_lab.exercises import load, overview, progress
from tests import command

RIGHT, WRONG = "bpe-03", "bpe-09"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A learner's folder in which nothing is recorded yet."""
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path))
    return tmp_path


def answer(exercise_id, right, learner=""):
    ex = load(exercise_id, 0, learner)
    return ex.check(ex.asked.answer if right else ex.asked.mistakes[0].value)


def test_done_tried_and_left_by_lesson(home):
    answer(RIGHT, True)
    answer(WRONG, False)
    part = load("bpe-04")
    part.check(part.asked.answer[:1])
    load("bpe-01").hint()
    some = (
        pd.DataFrame(overview.overview().rows)
        .set_index("id")
        .loc[[RIGHT, WRONG, "bpe-04", "bpe-01"]]
    )
    assert [*some.state] == ["done", "tried", "tried", "left"]
    assert [*some.earned] == [load(RIGHT).exercise.points, 0, round(part.exercise.points / 3, 4), 0]
    lesson = overview.overview().lessons()[1]
    assert [lesson[state] for state in overview.STATES] == [1, 2, len(lesson["exercises"]) - 3]
    assert lesson["earned"] == some.earned.sum()


def test_what_comes_next_is_in_the_lesson_worked_in_last(home):
    first, second, *others = exercises.ids()
    answer(first, False)
    assert overview.overview().advice.startswith(f"Next: try {first} again, ")
    steps = (
        ({first}, f"Next: go on with {second}, "),
        ({id for id in others if id.startswith("bpe-")}, "Next: go on with wordpiece-01, "),
        ({second, *others} - {"text-05", "fast-01"}, "Next: go on with "),
        ({"fast-01"}, "Next: go on with text-05, "),  # after the last lesson comes the first
        ({"text-05"}, "Everything is done."),
    )
    right = {"kind": "attempt", "outcome": "correct", "score": 1.0}
    for day, (done, advice) in enumerate(steps, start=1):
        for id in done:
            event = {"exercise": id, **right, "at": f"2099-01-0{day}T00:00:00+00:00"}
            progress.store().record(event)
        assert overview.overview().advice.startswith(advice)


def test_the_view_in_text_in_html_and_as_a_command(home):
    answer(RIGHT, True)
    view, points = views.progress_view(), load(RIGHT).exercise.points
    text, html = repr(view), view.html()
    line = rf"^01 Byte-pair encoding +1 +0 +\d+  {points} of \d+$"
    assert re.search(line, text, re.MULTILINE)
    advice = text.splitlines()[-1]
    assert advice.startswith("Next: go on with bpe-01, ") and advice in html and "✓ done" in html
    assert command.run("progress").stdout == f"{text}\n"
    lessons = len(overview.overview().lessons())  # which have a head and a sum each, as all have
    assert html.count("<tr>") == 2 * (1 + lessons) + len(exercises.ids())


def test_the_command_as_json_for_a_learner_and_for_all_though_a_line_is_damaged(home):
    answer(RIGHT, True, "kim")
    with open(home / "progress.jsonl", "a", encoding="utf-8") as file:
        file.write('{"exercise": "bpe-0\n')
    answer(WRONG, True, "lee")
    kim = json.loads(command.run("progress", "--json", "--learner", "kim").stdout)
    (entry,) = [row for row in kim["lessons"][1]["exercises"] if row["id"] == RIGHT]
    assert (kim["learner"], kim["next"], kim["all"]["done"]) == ("kim", "bpe-01", 1)
    assert (entry["state"], entry["earned"], entry["answers"]) == ("done", entry["points"], 1)
    done = command.run("progress", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["all"]["done"] == 2
    said = r"subword-lab: line 2 of \S+ is damaged and was left out; it stays there as it is\n"
    assert re.fullmatch(said, done.stderr) and "line 2 of" in repr(views.progress_view())


def test_progress_that_cannot_be_read(home):
    (home / "progress.jsonl").mkdir()
    done = command.run("progress")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"subword-lab: \S+ cannot be read: .*\n", done.stderr)
