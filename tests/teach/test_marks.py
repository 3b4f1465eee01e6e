"""Where a person has the last word: a look before the marking, rubrics, weights, one learner again, gradebooks."""

import csv
import zipfile
from dataclasses import replace

import pytest
from command import run

from subword_lab.exercises import catalog
from subword_lab_teach import RUBRIC, Grades, Override, decisions, grade, pool, report, submissions
from subword_lab_teach.gradebooks import read_roster, write_gradebook
from subword_lab_teach.grading import Row
from subword_lab_teach.handouts import handout
from subword_lab_teach.submissions import Learner
from subword_lab_teach.triage import LARGEST, triage
from teach import hostile_notebooks as hostile
from teach.test_grade import answer, notebook, table_of

RIGHT = {"outcome": "correct", "score": 1.0, "label": "", "message": "Right."}


def loads(*ids):
    return [f"load({id!r})" for id in ids]


@pytest.fixture
def nothing_is_run(monkeypatch):
    def started(*_):
        raise AssertionError("a notebook was run")

    monkeypatch.setattr(pool.Workers, "mark", started)


# ------------------------------------------------------------------------------------------------- before the marking


def looked(folder, wanted=None, seed=7):
    found = triage(submissions.find(folder), catalog(), wanted, seed)
    return {one.learner.name: one.problem or "; ".join(one.notices) for one in found}


def test_each_notebook_is_looked_at_before_it_is_run(tmp_path, nothing_is_run):
    for name in ("kim", "lee", "su"):
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01", "bpe-02"), learner=name, seed=7)
    notebook(tmp_path / "own.ipynb", *loads("bpe-01"))
    warm_up = 'load("bpe-02").another()'
    notebook(tmp_path / "other.ipynb", warm_up, *loads("wordpiece-01"), learner="other", seed=7)
    notebook(tmp_path / "seed.ipynb", *loads("bpe-01"), learner="seed", seed=8)
    older = {"bpe-01": catalog()["bpe-01"].version - 1, "bpe-02": catalog()["bpe-02"].version}
    stamp = {"learner": "old", "seed": 7, "versions": {**older, "gone-01": 1}}
    notebook(tmp_path / "old.ipynb", *loads("bpe-01", "bpe-02"), **stamp)
    told = looked(tmp_path)
    assert [told.pop(name) for name in ("kim", "lee", "su")] == ["", "", ""]
    assert told == {
        "old": "it is of another edition, in which these asked for other figures: bpe-01",
        "other": "it holds 02 WordPiece, and no exercise that is graded here",
        "own": "nothing in it says that it was handed out; a copy of one's own asks for other figures",
        "seed": "it was handed out with seed 8, and the seed of the class is 7",
    }
    assert looked(tmp_path, ["wordpiece-01"])["other"] == ""
    assert looked(tmp_path, seed=None)["own"] == looked(tmp_path, seed=None)["seed"] == ""


def test_who_also_hands_in_another_lesson_is_marked(tmp_path):
    for name in ("kim", "lee"):
        notebook(tmp_path / name / "01.ipynb", *loads("bpe-01"))
    notebook(tmp_path / "kim" / "02.ipynb", *loads("wordpiece-01"))
    notebook(tmp_path / "su.ipynb", "# nothing", learner="su", seed=7)
    assert set(looked(tmp_path, seed=None).values()) == {""}


def test_a_handout_says_of_which_edition_it_is(tmp_path, monkeypatch):
    lesson = tmp_path / "hw.ipynb"
    notebook(lesson, *loads("bpe-01", "bpe-02"))
    handout(tmp_path / "in", [lesson], ["kim", "lee"], seed=7)
    assert looked(tmp_path / "in") == {"kim": "", "lee": ""}
    newer = replace(catalog()["bpe-02"], version=99)
    found = triage(submissions.find(tmp_path / "in"), catalog() | {"bpe-02": newer}, None, 7)
    assert all(one.notices[0].endswith("other figures: bpe-02") for one in found)


def test_a_notebook_too_large_to_look_at_is_left_to_the_sandbox(tmp_path):
    notebook(tmp_path / "kim.ipynb", f"# {'x' * LARGEST}", learner="kim", seed=8)
    assert looked(tmp_path) == {"kim": ""}


def test_a_seed_that_would_mark_everybody_wrongly_stops_before_anything_runs(
    tmp_path, nothing_is_run
):
    for name, seed in (("kim", 8), ("lee", 8), ("su", 7)):
        notebook(tmp_path / "in" / f"{name}.ipynb", *loads("bpe-01"), learner=name, seed=seed)
    done = run("grade", tmp_path / "in", "--seed", 7, "--out", tmp_path / "grades.csv", "--trust")
    assert done.returncode == 2 and not (tmp_path / "grades.csv").exists()
    assert "2 of 3" in done.stderr and "with seed 8, and the seed here is 7" in done.stderr


def test_who_is_on_the_list_and_handed_in_nothing_is_named(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "leekim.pdf").write_text("no notebook, but something")
    (tmp_path / "names.txt").write_text("Kim Lee\nNils Berg\n")
    names = ("--seed", 7, "--learners", tmp_path / "names.txt")
    done = run("grade", tmp_path / "in", *names, "--out", tmp_path / "grades.csv", "--trust")
    assert "Nothing was handed in by Nils Berg.\n" in done.stderr


@pytest.mark.slow
def test_what_the_look_found_is_said_everywhere(tmp_path):
    folder = tmp_path / "in"
    for name in ("ann", "kim"):
        notebook(folder / f"{name}.ipynb", answer("bpe-01", name), learner=name, seed=7)
    notebook(folder / "other.ipynb", answer("text-02", "other"), learner="other", seed=7)
    notebook(folder / "own.ipynb", answer("bpe-01", "x"))
    (folder / "page.html").write_text("<p>")
    (folder / "code.py").write_text("1")
    out = tmp_path / "grades.csv"
    options = ("--seed", 7, "--trust", "--feedback", tmp_path / "pages")
    done = run("grade", folder, "--out", out, *options)
    rows = {row["learner"]: row for row in table_of(out)}
    words = {
        "other": "it holds 00 From text to tokens, and no exercise that is graded here",
        "own": "nothing in it says that it was handed out; a copy of one&#x27;s own asks",
        "page": "there is no notebook, only page.html; a notebook that was exported cannot be marked",
        "code": "there is no notebook, only code.py; a notebook that was exported cannot be marked",
    }
    for name, told in words.items():
        page = (tmp_path / "pages" / f"{name}.html").read_text(encoding="utf-8")
        assert told in page.replace("&#39;", "&#x27;")
        plain = told.replace("&#x27;", "'")
        assert plain in rows[name]["remarks"] and plain in done.stdout, name
    assert [rows[name]["bpe-01"] for name in ("ann", "other", "own", "page")] == ["1", "", "0", ""]


def test_a_zip_file_in_the_zip_file_of_a_class_is_read(tmp_path):
    empty = '{"cells": []}'
    members = {
        "Kim Lee_1_assignsubmission_file_/hw.zip": hostile.zipped("a/01.ipynb", empty),
        "Su_2_assignsubmission_file_/hw.ipynb": empty,
        "Mo_3_assignsubmission_file_/hw.zip": b"broken",
        "Yu_4_assignsubmission_file_/hw.ZIP": hostile.zipped("b.zip", b"x"),
        "Zo_5_assignsubmission_file_/hw.zip": hostile.zipped("deep.ipynb", "0" * 100),
        zipfile.ZipInfo("Al_6_assignsubmission_file_/hw.html", (2025, 12, 1, 9, 0, 0)): "<p>",
    }
    whole = tmp_path / "all.zip"
    whole.write_bytes(hostile.zipped_all(members))
    found = {one.learner.name: one for one in submissions.find(whole)}
    kim = found["Kim Lee"]
    assert kim.label == "Kim Lee_1_assignsubmission_file_/hw/a/01.ipynb"
    assert submissions.parse(kim.read()).cells == [] and kim.time().year == 2026
    assert kim.learner.id == "1" and kim.place == "Kim Lee_1_assignsubmission_file_/feedback.html"
    assert found["Su"].problem == ""
    page = found["Al"]
    assert "only hw.html" in page.problem and page.time().year == 2025
    assert found["Mo"].problem.startswith("the zip file cannot be read")
    assert found["Yu"].problem.endswith("only b.zip; unpack the zip file in it")


def test_a_huge_zip_file_in_the_zip_file_of_a_class_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "LARGEST", 50)
    inner = hostile.zipped("a.ipynb", "x" * 100)
    (tmp_path / "all.zip").write_bytes(hostile.zipped("kim/hw.zip", inner))
    (one,) = submissions.find(tmp_path / "all.zip")
    assert one.learner.name == "kim" and "it is larger than" in one.problem


# ------------------------------------------------------------------------------------------------- one learner again


@pytest.mark.slow
def test_one_learner_is_marked_again_and_no_other_line_changes(tmp_path, monkeypatch):
    folder, out = tmp_path / "in", tmp_path / "grades.csv"
    asked, mark = [], pool.Workers.mark
    monkeypatch.setattr(
        pool.Workers, "mark", lambda *given: asked.append(given[1].name) or mark(*given)
    )
    for name in ("ann", "kim", "lee"):
        notebook(folder / f"{name}.ipynb", 'load("bpe-01").check(-1)')
    arguments = ("grade", folder, "--out", out, "--seed", 7, "--trust")
    assert run(*arguments).returncode == 0
    before = out.read_bytes().replace(b"lee,lee,0", b'lee,lee,"my own, and ""mine"""')
    out.write_bytes(before)
    notebook(folder / "kim.ipynb", answer("bpe-01", "kim"))
    asked.clear()
    pages = tmp_path / "pages"
    done = run(*arguments, "--only", "kim", "--feedback", pages)
    assert asked == ["kim"] and done.stdout.startswith("1 learner, 1 exercise"), done
    assert [path.name for path in pages.iterdir()] == ["kim.html"]
    assert out.read_bytes() == before.replace(b"kim,kim,0,0,1,0", b"kim,kim,1,1,1,100")
    run(*arguments, "--only", "kim")
    assert asked == ["kim", "kim"]  # also where nothing has changed
    notebook(folder / "bob.ipynb", answer("bpe-01", "bob"))
    run(*arguments, "--only", "bob")
    assert [row["learner"] for row in table_of(out)] == ["ann", "kim", "lee", "bob"]


@pytest.mark.slow
def test_one_learner_is_still_compared_with_the_others(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "grades.csv"
    for name in ("ann", "kim"):
        notebook(folder / f"{name}.ipynb", answer("bpe-01", "ann"), learner="ann", seed=7)
    arguments = ("grade", folder, "--out", out, "--seed", 7, "--trust")
    run(*arguments)
    before = out.read_bytes()
    assert b"was handed in by ann too" in before
    run(*arguments, "--only", "kim")
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "header, options, words",
    [
        (None, ["--only", "kim"], "does not hold the grades of a class"),
        ("learner;id\n", ["--only", "kim"], "does not hold the grades of a class"),
        ("bpe-01", ["--only", "zoe"], "nobody who handed something in is called 'zoe'"),
        ("gone-01", ["--only", "kim"], "no exercise, lesson or notebook 'gone-01'"),
        ("bpe-01", ["--only", "kim", "--json", "all.json"], "--only writes one learner's row"),
        ("bpe-01", ["--only", "kim", "--exercises", "bpe-02"], "--only writes one learner's row"),
    ],
)
def test_one_learner_again_needs_the_table_of_all(tmp_path, nothing_is_run, header, options, words):
    notebook(tmp_path / "in" / "kim.ipynb", *loads("bpe-01"))
    out = tmp_path / "grades.csv"
    if header:
        whole = f"learner,id,{header},total,possible,percentage,late,decided,remarks\r\n"
        out.write_text(header if ";" in header else whole, newline="")
    done = run("grade", tmp_path / "in", "--out", out, "--trust", *options)
    assert done.returncode == 2 and words in done.stderr, done.stderr


# ------------------------------------------------------------------------------------------------- rubrics and weights

SCHEME = """\
item,points,description
bpe-01,4,
essay,3,"Says <why>, and what cannot be concluded"
"""


@pytest.mark.slow
def test_what_a_person_marks_counts_wherever_points_are_told(tmp_path):
    for name in ("ann", "kim"):
        notebook(tmp_path / "in" / f"{name}.ipynb", answer("bpe-01", name), learner=name, seed=7)
    (tmp_path / "rubric.csv").write_text(SCHEME)
    (tmp_path / "overrides.csv").write_text(
        "learner,exercise,points,comment\nkim,essay,2,Which corpus?\n"
    )
    (tmp_path / "roster.csv").write_text("Student,ID,Section\nAnn,ann,A\nKim,kim,A\n")
    done = run(
        *("grade", tmp_path / "in", "--out", tmp_path / "grades.csv", "--seed", 7, "--trust"),
        *("--rubric", tmp_path / "rubric.csv", "--overrides", tmp_path / "overrides.csv"),
        *("--format", "canvas", "--roster", tmp_path / "roster.csv"),
        *("--feedback", tmp_path / "pages", "--report", tmp_path / "report.html"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 learners, 2 exercises, 7 points; on average 5.0 points")
    ann, kim = table_of(tmp_path / "grades.csv")
    assert [ann[name] for name in ("bpe-01", "essay", "total", "possible")] == ["4", "", "4", "7"]
    assert [kim[name] for name in ("bpe-01", "essay", "total", "possible")] == ["4", "2", "6", "7"]
    book = table_of(tmp_path / "grades.canvas.csv")
    assert [(row["01 Byte-pair encoding"], row["essay"]) for row in book] == [("4", ""), ("4", "2")]
    page = (tmp_path / "pages" / "kim.html").read_text(encoding="utf-8")
    assert "essay · decided by a person, 2 of 3 points" in page
    assert "<b>Marked by hand.</b> Which corpus?" in page and "Says &lt;why&gt;" in page
    page = (tmp_path / "pages" / "ann.html").read_text(encoding="utf-8")
    assert "essay · not marked yet, 3 points" in page and report.IN_PART in page
    told = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ">2*</td>" in told and "Which corpus?" in told


def test_what_is_marked_by_hand_is_no_answer_that_was_left_blank(tmp_path):
    (tmp_path / "rubric.csv").write_text(SCHEME)
    bank = decisions.weighed(catalog(), tmp_path / "rubric.csv")
    assert bank["bpe-01"].points == 4 and catalog()["bpe-01"].points == 1
    worth = {"a": 3, "b": 2, "c": 0}
    rows = [
        Row(Learner(name, name), [], overrides={"essay": Override(name, "essay", has)})
        for name, has in worth.items()
    ]
    grades = Grades([*rows, Row(Learner("d", "d"), [])], [bank["essay"]])
    assert [grades.total(row) for row in grades.rows] == [3, 2, 0, None]
    assert report.answers(grades).empty and "Who reached what" in report.report(grades)


@pytest.mark.parametrize(
    "line, words",
    [
        ("bpe-1,3,", "'bpe-1' is no exercise; what is marked by hand needs a description"),
        ("essay,0,Clear", "the points are '0'; expected a whole number from 1"),
        ("essay,a,Clear", "the points are 'a'; expected a whole number from 1"),
        ("bpe-01,4,", "the item is 'bpe-01'; expected a name of its own"),
        ("deduction,4,x", "the item is 'deduction'; expected a name of its own"),
        ("essay,4,Clear, short", "more cells than columns"),
    ],
)
def test_a_rubric_that_does_not_fit_is_named(tmp_path, line, words):
    rubric = tmp_path / "rubric.csv"
    rubric.write_text(f"item,points,description\nbpe-01,2,\n{line}\n")
    with pytest.raises(ValueError, match="line 3") as error:
        decisions.weighed(catalog(), rubric)
    assert words in str(error.value)


def test_a_rubric_for_a_tokenizer_of_ones_own_is_shipped(tmp_path):
    items = list(decisions.weighed({}, RUBRIC).values())
    assert len(items) == 5 and {item.group for item in items} == {"capstone"}
    assert all(item.ask(None).text.endswith(".") for item in items)
    done = run("forms", tmp_path / "out", "--lessons", "00")
    copy = tmp_path / "out" / "rubric.csv"
    assert done.returncode == 0 and copy.read_bytes() == RUBRIC.read_bytes()
    copy.write_text("item,points,description\n")
    assert run("forms", tmp_path / "out", "--lessons", "00").returncode == 0
    assert copy.read_text() == "item,points,description\n"


def test_all_names_that_nobody_has_are_told_at_once(tmp_path, nothing_is_run):
    notebook(tmp_path / "in" / "kim.ipynb", *loads("bpe-01"))
    (tmp_path / "o.csv").write_text(
        "learner,exercise,points,comment\nmo,bpe-01,1,\nkim,bpe-99,1,\nsu,bpe-01,1,\n"
    )
    arguments = ("grade", tmp_path / "in", "--trust", "--out", tmp_path / "grades.csv")
    done = run(*arguments, "--overrides", tmp_path / "o.csv")
    assert done.returncode == 2
    for words in ("line 2: nobody", "'mo'", "line 3: 'bpe-99' is no", "line 4: nobody", "'su'"):
        assert words in done.stderr
    done = run(*arguments, "--exercises", "bop,bpe-01,bep")
    assert "no exercise, lesson or notebook 'bop', 'bep'" in done.stderr


# ------------------------------------------------------------------------------------------------- what is taken off


@pytest.mark.slow
def test_what_is_taken_off_for_late_work_and_hints_a_person_may_give_back(tmp_path):
    folder = tmp_path / "in"
    times = {"ann": "01-30-09-00", "kim": "01-31-09-03", "lee": "02-02-10-00", "su": "03-31-10-00"}
    for name, when in times.items():
        cells = [answer("bpe-01", name), answer("bpe-02", name), "bpe_01.hint()"]
        notebook(folder / f"HW_{name}_attempt_2026-{when}-00_a.ipynb", *cells)
    (folder / "HW_pat_attempt_2026-02-01-10-00-00_a.pdf").write_text("An essay")
    (folder / "HW_mo_attempt_2026-02-01-10-00-00_a.pdf").write_text("An essay")
    table = tmp_path / "overrides.csv"
    table.write_text(
        'learner,exercise,points,comment\nlee,deduction,5,"Ill, I know"\npat,bpe-01,1,Seen\n'
    )
    done = run(
        *("grade", folder, "--out", tmp_path / "grades.csv", "--trust", "--seed", 7),
        *("--due", "2026-01-31T09:00", "--late", "10%/day", "--hints", "5%/hint"),
        *("--overrides", table, "--feedback", tmp_path / "pages"),
    )
    assert done.returncode == 0, done.stderr
    rows = {row["learner"]: row for row in table_of(tmp_path / "grades.csv")}
    assert {name: row["total"] for name, row in rows.items()} == {
        "ann": "1.9",
        "kim": "1.7",
        "lee": "1.9",
        "mo": "",
        "pat": "0.8",
        "su": "0",
    }
    words = "5% of the points is taken off, as a person decided; by the rules, 35%. Ill, I know"
    assert rows["lee"]["remarks"] == words and f"lee: {words}" in done.stdout
    page = next((tmp_path / "pages").glob("*lee*")).read_text(encoding="utf-8")
    assert words in page
    page = next((tmp_path / "pages").glob("*kim*")).read_text(encoding="utf-8")
    assert "<li>15% of the points is taken off</li>" in page
    assert rows["kim"]["remarks"] == "15% of the points is taken off"
    assert rows["pat"]["remarks"].endswith("a.pdf; 20% of the points is taken off")
    assert rows["mo"]["remarks"].endswith("a.pdf")


def test_policies_that_cannot_be_are_named(tmp_path):
    (tmp_path / "in").mkdir()
    arguments = ("grade", tmp_path / "in", "--out", tmp_path / "grades.csv")
    for more, words in [
        (["--late", "10%/week"], "'10%/week' is not valid; expected such as 10%/day"),
        (["--hints", "101%"], "'101%' is not valid; expected such as 10%/hint"),
        (["--late", "10%"], "due is not given"),
        (["--column", "x"], "--column names a column of the roster"),
    ]:
        done = run(*arguments, *more)
        assert done.returncode == 2 and words in done.stderr, done.stderr


# ------------------------------------------------------------------------------------------------- gradebooks


@pytest.fixture
def class_of_two():
    bank = catalog()
    found = [bank["text-02"], bank["bpe-05"]]
    rows = [
        Row(Learner("Kim Lee", "301"), [], {"text-02": RIGHT, "bpe-05": RIGHT}),
        Row(Learner("Su", "302"), [], {"text-02": {**RIGHT, "message": "Was a < b?"}}),
    ]
    return Grades(rows, found)


def test_one_column_of_canvas_is_filled_in_and_everything_else_kept(tmp_path, class_of_two):
    export = (
        "Student,ID,SIS Login ID,Section,Homework (77),Homework 2 (78),Final Score\n"
        "Points Possible,,,,10,5,(read only)\n"
        '"Lee, Kim",301,klee,A,,4,\nSu,302,su,A,3,,\nMo,303,mo,A,9,1,\n'
    )
    (tmp_path / "export.csv").write_text(export)
    book = read_roster(tmp_path / "export.csv", "canvas", "Homework (")
    assert write_gradebook(tmp_path / "out.csv", class_of_two, book) == []
    with open(tmp_path / "out.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    expected = list(csv.reader(export.splitlines()))
    expected[2][4], expected[3][4] = "10", "5"
    assert rows == expected
    wrong = {"Homework": "fits 2 of", "Exam": "fits 0 of", "Login": "fits 0 of"}
    for name, words in {**wrong, "Final Score": r"it is '\(read only\)'"}.items():
        with pytest.raises(ValueError, match=words):
            read_roster(tmp_path / "export.csv", "canvas", name)


def test_moodles_comments_say_what_the_learner_is_told(tmp_path, class_of_two):
    (tmp_path / "sheet.csv").write_text(
        "Identifier,Full name,Grade,Maximum Grade,Feedback comments\n"
        "Participant 301,Kim Lee,,10,Well done!\nParticipant 302,Su,,10,<p>subword-lab: 0 of 2</p>\n"
    )
    class_of_two.rows[1].flags.append("the code is the same as that of Kim Lee")
    class_of_two.rows[1].remarks.extend([*class_of_two.rows[1].flags, "cell 3 failed"])
    book = read_roster(tmp_path / "sheet.csv", "moodle")
    problems = write_gradebook(tmp_path / "out.csv", class_of_two, book)
    assert problems == ["Kim Lee has a comment in the roster already, which was kept"]
    kim, su = table_of(tmp_path / "out.csv")
    assert kim["Feedback comments"] == "Well done!" and kim["Grade"] == "10.00"
    lines = su["Feedback comments"].split("<br>")
    assert lines[:2] == ["subword-lab: 1 of 2 points, 50%.", "cell 3 failed"]
    titles = [exercise.title for exercise in class_of_two.exercises]
    assert lines[2].startswith(f"{titles[0]} · right, 1 of 1 point. Was a &lt; b?")
    assert lines[3].startswith(f"{titles[1]} · not answered, 0 of 1 point.")


# ------------------------------------------------------------------------------------------------- small things


def test_the_legend_explains_the_columns_that_are_there(class_of_two):
    page = report.report(class_of_two)
    assert "Answers: how many" in page
    assert not any(word in page for word in ("Hints: how often", "Minutes: of work", "An asterisk"))
    class_of_two.rows[0] = replace(class_of_two.rows[0], hints=1, minutes=5.0)
    page = report.report(class_of_two)
    assert "Hints: how often" in page and "Minutes: of work" in page


@pytest.mark.slow
def test_a_final_mark_speaks_of_no_further_attempt(tmp_path):
    notebook(tmp_path / "kim.ipynb", "load('bpe-01').check('many')")
    (row,) = grade(tmp_path, seed=7, trust=True).rows
    message = row.answers["bpe-01"]["message"]
    assert "attempt" not in message and message.endswith("It has no points.")


def test_a_folder_that_is_missing_is_said_before_anything_is_marked(tmp_path, nothing_is_run):
    notebook(tmp_path / "in" / "kim.ipynb", *loads("bpe-01"))
    done = run("grade", tmp_path / "in", "--out", tmp_path / "g" / "x.csv", "--trust")
    assert done.returncode == 2 and f"there is no folder {tmp_path / 'g'}" in done.stderr
