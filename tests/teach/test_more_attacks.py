"""Attacks on the instructor's own commands, each of which has worked once."""

import argparse
import base64
import contextlib
import json
import os
import tracemalloc
from pathlib import Path
from unittest.mock import Mock

import pytest
from command import run

from subword_lab import Tokenizer, exercises, files, running, working_copy
from subword_lab.exercises import load
from subword_lab_teach import EXAMPLE, commands, gradebooks, nbgrader, plan, pool, report
from subword_lab_teach.grading import Grades, Row, grade
from subword_lab_teach.handouts import pack
from subword_lab_teach.marking import Job, Marks, mark
from subword_lab_teach.room import Room
from subword_lab_teach.submissions import Learner, parse
from teach import classes, hostile_notebooks


def marked_alone(path):
    return mark(Job(parse(path.read_bytes()).cells, trust=True))


@pytest.mark.parametrize(
    "command",
    [
        "progress",
        "plan 90",
        "exercises list",
        "handout out --seed 7 --lessons 01 --exercises-file named.py",
        "forms out --lessons 01 --exercises-file named.py",
        "nbgrader out --seed 7 --lessons 01 --exercises-file named.py",
    ],
)
def test_a_class_file_in_a_strangers_folder_is_not_run(tmp_path, monkeypatch, command):
    (tmp_path / "own.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    (tmp_path / "named.py").write_text(EXAMPLE.read_text().replace("class-0", "named-0"))
    told = {"seed": 3, "learner": "Eve", "exercises": ["own.py"]}
    (tmp_path / "subword-lab-class.json").write_text(json.dumps(told))
    monkeypatch.chdir(tmp_path)
    for name in ("SUBWORD_LAB_SEED", "SUBWORD_LAB_LEARNER", "SUBWORD_LAB_EXERCISES"):
        monkeypatch.delenv(name, raising=False)
    for kept in ("_bank", "_files"):  # so that no other test meets these exercises
        monkeypatch.setattr(exercises, kept, {})
    plan.parts.cache_clear()
    Room().ask("bpe-01")
    done = run(*command.split())
    assert done.returncode == 0, done.stderr
    assert not Path("ran").exists()


@pytest.mark.parametrize("folder", [".", ".."])
def test_no_file_that_was_handed_in_is_run_because_another_one_names_it(
    tmp_path, monkeypatch, folder
):
    here = tmp_path / "in" / "mallory"
    here.mkdir(parents=True)
    (here / "own.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    (here / "subword-lab-class.json").write_text(json.dumps({"exercises": ["own.py"]}))
    monkeypatch.chdir(here)
    monkeypatch.delenv("SUBWORD_LAB_EXERCISES", raising=False)
    done = run("grade", folder, "--out", tmp_path / "grades.csv", "--trust")
    assert done.returncode == 2 and "lies among what was handed in" in done.stderr, done.stderr
    assert not Path("ran").exists()


def test_a_command_says_which_exercises_of_this_folder_it_runs(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text("")
    (tmp_path / "subword-lab-class.json").write_text(json.dumps({"exercises": ["own.py"]}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBWORD_LAB_EXERCISES", raising=False)
    done = run("forms", tmp_path / "out", "--lessons", "01")
    assert "own.py is run, because subword-lab-class.json in this folder names it" in done.stderr


def test_a_file_of_ranks_with_endless_tokens_is_refused(tmp_path):
    ranks = [bytes([byte]) for byte in range(256)] + [b"a" * n for n in range(2, 2000)]
    lines = [base64.b64encode(token) + b" %d" % rank for rank, token in enumerate(ranks)]
    (tmp_path / "a.tiktoken").write_bytes(b"\n".join(lines))
    with pytest.raises(ValueError, match="so long that looking for merges takes"):
        Tokenizer.from_tiktoken(tmp_path / "a.tiktoken")


@pytest.mark.parametrize(
    "cell, outcome",
    [
        ("load('bpe-16').check(text)", "correct"),
        (
            f"{hostile_notebooks.ALL_FDS}\nimport json\nabout = dict(exercise='bpe-16', seed=0, learner='', turn=0)\n"
            "shout(json.dumps({'is': 'Answer', **about, 'form': 'value', 'value': text}).encode())",
            "invalid",
        ),
    ],
)
def test_code_in_a_text_is_run_where_the_notebook_runs_and_nowhere_else(
    tmp_path, monkeypatch, cell, outcome
):
    monkeypatch.setattr(running, "run", here := Mock())
    text = load("bpe-16").kind.cell("ex", load("bpe-16").asked.answer).partition("\n\n\n")[0]
    classes.notebook(tmp_path / "a.ipynb", f"text = {text!r}\n{cell}")
    (marked,) = marked_alone(tmp_path / "a.ipynb").answers
    assert marked.outcome == outcome and not here.called


def _open(folder, record=None):
    (folder.parent / "originals").mkdir()
    (folder.parent / "originals" / "a.txt").write_text("ours")
    if record:
        (folder / working_copy.RECORD).write_text(json.dumps({"files": {"a.txt": record}}))
    return working_copy.copy_lessons(folder.parent / "originals", folder)


KIM = Learner("Kim", "7")
LINKED = {
    working_copy.RECORD: _open,
    "a.txt": lambda folder: _open(folder, working_copy._fingerprint(folder / "a.txt")),
    "rubric.csv": lambda folder: run("forms", folder, "--lessons", "01"),
    "nbgrader_config.py": lambda folder: nbgrader.write_course(folder, ["01_bpe"], seed=7),
    "source/01_bpe/01_bpe.ipynb": lambda folder: nbgrader.write_course(folder, ["01_bpe"], seed=7),
    "../Kim.zip": lambda folder: pack(folder),
    "source": lambda folder: nbgrader.write_course(folder, ["01_bpe"], seed=7),
    "1.html": lambda folder: report.write_feedback(folder, Grades([Row(KIM, [])], [])),
    "kim": lambda folder: report.write_feedback(
        folder, Grades([Row(KIM, [], place="kim/feedback.html")], [])
    ),
}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("name", LINKED)
def test_a_link_in_a_strangers_folder_leads_nothing_of_ours_away(tmp_path, name, is_there):
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "Kim" / name
    for path in (elsewhere / "mine", tmp_path / "Kim" / "x", link):
        path.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere / "mine" if "." in name else elsewhere)
    if is_there or name == "a.txt":
        (elsewhere / "mine").write_text("mine")
    before = [path.read_text() for path in elsewhere.iterdir()]
    with contextlib.suppress(ValueError, files.CourseError):
        LINKED[name](tmp_path / "Kim")
    assert link.is_symlink() and [path.read_text() for path in elsewhere.iterdir()] == before


def test_of_a_file_where_a_page_would_lie_no_more_is_read_than_a_page_begins_with(tmp_path):
    place = tmp_path / "kim" / "feedback.html"
    place.parent.mkdir()
    place.touch()
    os.truncate(place, 50_000_000)
    grades = Grades([Row(KIM, [], place="kim/feedback.html")], [])
    tracemalloc.start()
    [page] = report.write_feedback(tmp_path, grades)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert page != place and peak < 10_000_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("name", [working_copy.RECORD, "a.txt"])
def test_a_pipe_in_a_strangers_folder_is_not_waited_for(tmp_path, name):
    (tmp_path / "Kim").mkdir()
    os.mkfifo(tmp_path / "Kim" / name)
    with pytest.raises(files.CourseError, match=r"no file|not a file"):
        _open(tmp_path / "Kim")


def test_python_says_nothing_of_what_a_learner_typed(recwarn):
    load("text-02").check("1if")
    assert not recwarn.list


ASKS = """
import gc
outside = next(one for one in gc.get_objects() if type(one).__name__ == "Outside")
names = outside.take.__func__.__globals__
calls, run = [], names["running"].run
names["running"] = type("R", (), {"run": staticmethod(lambda *a, **b: calls.append(1) or run(*a, **b))})
for _ in range(5):
    load("bpe-16").check(lambda word, pair: word[:1])
assert len(calls) == 5
"""


LONG = " + ".join(["word[:1]"] * 20)
CHECKS = f"def merge(word, pair):\n    return {LONG}\nload('bpe-16').check(merge)"


@pytest.mark.parametrize("cells", [[ASKS], [CHECKS] * 5])
def test_each_check_of_a_function_counts_and_no_notebook_learns_what_came_of_it(tmp_path, cells):
    classes.notebook(tmp_path / "a.ipynb", *cells)
    marks = marked_alone(tmp_path / "a.ipynb")
    assert not marks.failures and [answer.tries for answer in marks.answers] == [5]


FLOOD = """
import gc
from subword_lab_teach.sandbox.messages import to_json
from subword_lab_teach.sandbox.notebook_child import Cell
outside = next(one for one in gc.get_objects() if type(one).__name__ == "Outside")
for number in [1] * 50 + [2] * 50 + [3] * 50:
    outside.tell(Cell(number, "E", "m"))
"""


def test_no_notebook_and_no_learner_fills_the_results_with_what_failed(tmp_path):
    classes.notebook(tmp_path / "kim" / "a.ipynb", FLOOD, *["x"] * 30)
    marks = marked_alone(tmp_path / "kim" / "a.ipynb")
    assert [one.cell for one in marks.failures] == [2, *range(3, 22)] and marks.failed == 31
    for name in "bc":
        classes.notebook(tmp_path / "kim" / f"{name}.ipynb", f"#{name}", *["x"] * 30)
    (row,) = grade(tmp_path, trust=True, exercises=["bpe-01"]).rows
    assert len(row.failures) == 20 and "and 29 more" in " ".join(row.failed)


def test_a_line_of_results_that_no_notebook_fills_is_read_in_parts_and_left_out(tmp_path):
    results = tmp_path / "results.jsonl"
    kept = pool.Kept(results)
    kept.put("a", Marks("too much"))
    with open(results, "a") as file:
        file.write('{"key": "b", "marks": {"is": "Marks", "ended": "' + "x" * 50_000_000 + '"}}\n')
    kept.put("c", Marks("too much"))
    tracemalloc.start()
    assert [*pool.Kept(results).marks] == ["a", "c"]
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()


def test_an_address_that_a_learner_chooses_is_nobodys_number():
    assert "301" not in gradebooks._id("301@evil.org") and "kim" in gradebooks._id("Kim@school.org")


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "9999-12-31T23:59:59-23:59", "soon"])
def test_a_time_that_no_calendar_has_is_refused_before_anything_is_marked(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time"):
        commands.time(text)
