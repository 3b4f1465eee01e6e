"""The progress of a learner: which exercises are done, tried and left, as a table and as JSON."""

import json
import re

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


def bpe(found):
    return next(lesson for lesson in found.lessons() if lesson["title"].startswith("01"))


def test_done_tried_and_left_by_lesson(home):
    answer(RIGHT, True)
    answer(WRONG, False)
    load("bpe-01").hint()
    lesson = bpe(overview.overview())
    rows = {row["id"]: row for row in lesson["exercises"]}
    assert [lesson[state] for state in overview.STATES] == [1, 1, len(rows) - 2]
    assert lesson["earned"] == rows[RIGHT]["points"] == load(RIGHT).exercise.points
    states = [rows[id]["state"] for id in (RIGHT, WRONG, "bpe-01")]
    assert states == ["done", "tried", "left"]
    frame = overview.overview().frame()
    assert [*frame.loc[[RIGHT, WRONG, "bpe-01"], "state"]] == states


def test_an_answer_that_is_right_in_part_earns_part_of_the_points(home):
    ex = load("bpe-04")
    ex.check(ex.asked.answer[:1])
    row = overview.overview().frame().loc["bpe-04"]
    assert row.state == "tried" and row.earned == round(ex.exercise.points / 3, 4)


def test_what_comes_next_is_in_the_lesson_worked_in_last(home):
    entries = [row["id"] for row in bpe(overview.overview())["exercises"]]
    answer(entries[0], True)
    assert overview.overview().next["id"] == entries[1]
    answer(entries[1], False)
    assert overview.overview().advice.startswith(f"Next: try {entries[1]} again, ")

    def done(ids, **when):
        right = {"kind": "attempt", "outcome": "correct", "score": 1.0, **when}
        for exercise_id in ids:
            progress.store().record({"exercise": exercise_id, **right})

    done(entries[1:])
    assert overview.overview().next["id"] == "wordpiece-01"
    first, *others = exercises.ids()
    done(others)
    done(others[-1:], at="2099-01-01T00:00:00+00:00")
    assert overview.overview().next["id"] == first  # after the last lesson comes the first
    done([first])
    assert overview.overview().next is None and "Everything is done" in overview.overview().advice


def test_the_view_in_text_in_html_and_as_a_command(home):
    answer(RIGHT, True)
    view = views.progress_view()
    lines = repr(view).splitlines()
    points = load(RIGHT).exercise.points
    assert re.search(
        rf"^01 Byte-pair encoding +1 +0 +\d+  {points} of \d+$", repr(view), re.MULTILINE
    )
    assert lines[-1].startswith("Next: go on with bpe-01, ")
    done = command.run("progress")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{view!r}\n", "")
    html = view._repr_html_()
    assert (
        "<summary>Exercise by exercise</summary>" in html and "✓ done" in html and lines[-1] in html
    )
    lessons = len(overview.overview().lessons())
    assert html.count("<tr>") == (1 + lessons + 1) + lessons + len(
        exercises.ids()
    )  # heads, lessons, all, exercises


def test_the_command_as_json(home):
    answer(RIGHT, True, "kim")
    answer(WRONG, False, "lee")
    data = json.loads(command.run("progress", "--json", "--learner", "kim").stdout)
    assert data["learner"] == "kim" and data["next"] == "bpe-01"
    assert (data["all"]["done"], data["all"]["tried"], data["all"]["left"]) == (
        1,
        0,
        len(exercises.ids()) - 1,
    )
    entry = next(
        entry for lesson in data["lessons"] for entry in lesson["exercises"] if entry["id"] == RIGHT
    )
    assert (entry["state"], entry["earned"], entry["answers"]) == ("done", entry["points"], 1)


def test_a_damaged_line_is_reported_and_costs_nothing_else(home):
    answer(RIGHT, True)
    with open(home / "progress.jsonl", "a", encoding="utf-8") as file:
        file.write('{"exercise": "bpe-0\n')
    answer(WRONG, True)
    done = command.run("progress", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["all"]["done"] == 2
    assert re.fullmatch(
        r"subword-lab: line 2 of \S+ is damaged and was left out; it stays there as it is\n",
        done.stderr,
    )
    assert (
        "line 2 of" in repr(views.progress_view()) and "line 2 of" in views.progress_view().html()
    )


def test_progress_that_cannot_be_read(home):
    (home / "progress.jsonl").mkdir()
    done = command.run("progress")
    assert done.returncode == 1 and not done.stdout
    assert (
        re.match(r"subword-lab: \S+ cannot be read: ", done.stderr)
        and "Traceback" not in done.stderr
    )
