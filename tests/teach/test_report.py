"""Grades as tables and pages: what is counted, in which order, and that no page or cell does harm."""

import csv
import html
import re
from dataclasses import replace

import pytest
from command import run

from subword_lab import exercises
from subword_lab_teach import RUBRIC, Grades, Override, decisions, gradebooks, poll, report
from subword_lab_teach.grading import Row
from subword_lab_teach.submissions import Learner
from teach.classes import table_of

BANK = exercises.catalog([])
RIGHT = {
    "outcome": "correct",
    "score": 1.0,
    "label": "",
    "message": "Right.",
    "answer": "",
    "evidence": "",
    "tries": 2,
}
WRONG = {**RIGHT, "outcome": "incorrect", "score": 0.0, "message": "Look again.", "tries": 1}


def class_of(answers, *ids, **row):
    """A class: the answers of each learner, by exercise."""
    rows = [Row(Learner(name, name), [], own, **row) for name, own in answers.items()]
    return Grades(rows, [BANK[id] for id in ids])


def test_who_was_not_graded_is_not_counted():
    empty = Row(Learner("kim", "2"), [], problem="the file is empty")
    grades = class_of({"kim": {"bpe-01": RIGHT}}, "bpe-01", "bpe-02")
    grades.rows.append(empty)
    assert grades.frame().isna().sum(axis=1).to_list() == [0, 2]
    assert report.difficulty(grades)["reached"].to_dict() == {"bpe-02": 0, "bpe-01": 1}
    nobody = Grades([empty], [BANK["bpe-01"]])
    assert report.difficulty(nobody)["right"].to_list() == [0] and report.mistakes(nobody).empty
    page = report.report(nobody)
    assert "hardest" not in page and "No answer looks like a mistake" in page
    with pytest.raises(ValueError, match="no mistake"):
        report.mistakes_chart(nobody)


def test_of_two_with_one_name_each_is_told_their_own():
    rows = [
        Row(Learner("kim", id), [], {"text-01": own}) for id, own in (("1", RIGHT), ("2", WRONG))
    ]
    grades = Grades(rows, [BANK["text-01"]])
    assert repr(report.feedback(grades, "1")).startswith("kim: 1 of 1 point")
    assert repr(report.feedback(grades, "2")).startswith("kim: 0 of 1 point")
    with pytest.raises(ValueError, match=r"several learners are called 'kim'.* such as 1, 2"):
        report.feedback(grades, "kim")


def test_a_single_point_is_told_as_one_and_the_legend_explains_the_columns_that_are_there():
    grades = class_of({"kim": {"text-01": RIGHT}}, "text-01")
    told = report.feedback(grades, "kim")
    assert repr(told).startswith("kim: 1 of 1 point, 100%.\n")
    assert "<p>1 of 1 point, 100%.</p>" in told._repr_html_()
    page = report.report(grades)
    assert "Answers: how many" in page
    assert not any(word in page for word in ("Hints: how often", "An asterisk"))
    grades.rows[0] = replace(grades.rows[0], hints=1)
    assert "Hints: how often" in report.report(grades)


def test_mistakes_come_by_how_many_made_them_and_a_class_is_told_no_names():
    made = {("bpe-02", "either-order"): ["Boris"], ("bpe-01", "once-per-word"): ["Amina", "Boris"]}
    answers = {
        name: {id: {**WRONG, "label": label} for (id, label), who in made.items() if name in who}
        for name in ("Amina", "Boris", "Chen")
    }
    grades = class_of(answers, "bpe-01", "bpe-02")
    found = report.mistakes(grades)[["exercise", "label", "learners", "who"]].values.tolist()
    assert found == [
        ["bpe-01", "once-per-word", 2, "Amina, Boris"],
        ["bpe-02", "either-order", 1, "Boris"],
    ]
    page, everybodys = report.report(grades), report.report(grades, names=False)
    first = f"{html.escape(BANK['bpe-01'].title)} · {poll.words('once-per-word')}"
    assert f"The first, {first}, was made by 2 learner" in page and ">Chen<" in page
    assert html.escape(BANK["bpe-01"].title) in everybodys
    assert not re.search(r"\b(Amina|Boris|Chen)\b", everybodys)


def test_of_many_wrong_answers_without_a_name_the_first_are_shown(monkeypatch):
    shown = []
    monkeypatch.setattr(report, "MOST_UNNAMED", 2)
    monkeypatch.setattr(report, "_figures", lambda *_, **__: shown.append(1) or "")
    page = report.report(class_of({name: {"bpe-01": WRONG} for name in "ABC"}, "bpe-01"))
    assert "The first 2 of 3." in page and len(shown) == 4  # the question, and the answer


def test_an_exercise_that_the_good_ones_solve_discriminates():
    solved = {"bpe-01": "012", "bpe-02": "01", "bpe-03": "34", "bpe-13": "012"}
    answers = {n: {id: RIGHT if n in by else WRONG for id, by in solved.items()} for n in "01234"}
    grades = class_of(answers, *solved)
    found = report.difficulty(grades)
    assert found["discrimination"]["bpe-02"] > 0.5 and found["discrimination"]["bpe-03"] < -0.5
    assert found["tries"]["bpe-01"] == pytest.approx(8 / 5)
    page = report.report(grades)
    assert "<th></th>" not in page  # a heading without a word
    page = html.unescape(re.sub("<[^>]+>", " ", page))
    for _, row in found.iterrows():
        figures = f"{row['reached']:.0%} {row['discrimination']:.2f} {row['tries']:.2f}"
        assert f"{row['title']} {figures}" in " ".join(page.split())


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", '"=1"', '" "=1']
)
def test_no_cell_begins_a_formula(tmp_path, name):
    gradebooks.write_grades(tmp_path / "grades.csv", class_of({name: {}}, "bpe-01", problem=name))
    header = b"\xef\xbb\xbflearner,id,bpe-01,total,possible,percentage,late,decided,remarks\r\n"
    assert (tmp_path / "grades.csv").read_bytes().startswith(header)
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as file:  # as nbgrader does
        assert next(csv.DictReader(file))["id"] == f"'{name}"
    (row,) = table_of(tmp_path / "grades.csv")
    assert row["learner"] == f"'{name}" and not gradebooks.FORMULA.match(row["remarks"])
    assert gradebooks.safe("cell 1 failed (x\t=1+(1)") == "cell 1 failed (x\t'=1+(1)"
    assert gradebooks.safe('x;"=1\t "\n"=2') == """x;'"=1\t' "\n'"=2"""


def test_a_learner_writes_no_line_about_another():
    grades = class_of({"Eve": {}}, flags=["it was handed out to x\nAmina: late by 9 days"])
    told = "Eve: it was handed out to x Amina: late by 9 days"
    assert grades.summary().splitlines()[1:] == [told]


def test_the_classs_report_holds_no_words_of_a_learners():
    free, bound = "bpe-06", "bpe-05"
    assert BANK[free].kind.free and not BANK[bound].kind.free
    answers = {
        free: {**WRONG, "answer": "Amina | cheats"},
        bound: {**WRONG, "answer": "12345"},
        "bpe-16": {**WRONG, "label": "constant", "message": "returns 'Amina cheats'"},
        "real-06": {**WRONG, "label": "lowest-id", "answer": "Amina cheats = hu"},
    }
    grades = class_of({"Gus": answers}, *answers)
    page = report.report(grades, names=False)
    assert "cheats" not in page and "12345" in page and "constant" in page
    assert report.report(grades).count("cheats") == 3


# ------------------------------------------------------------------------------------------ what a person decides


def test_what_is_marked_by_hand_is_no_answer_that_was_left_blank(tmp_path):
    (tmp_path / "rubric.csv").write_text("item,points,description\nbpe-01,4,\nessay,3,Says why\n")
    bank = decisions.weighed(exercises.catalog(), tmp_path / "rubric.csv")
    assert bank["bpe-01"].points == 4 and BANK["bpe-01"].points == 1
    rows = [
        Row(Learner(name, name), [], overrides={"essay": Override(name, "essay", has)})
        for name, has in {"a": 3, "b": 2, "c": 0}.items()
    ]
    grades = Grades([*rows, Row(Learner("d", "d"), [])], [bank["essay"]])
    assert [grades.total(row) for row in grades.rows] == [3, 2, 0, None]
    assert report.answers(grades).empty and "Who reached what" in report.report(grades)


@pytest.mark.parametrize(
    "line, words",
    [
        ("bpe-1,3,", "'bpe-1' is no exercise; what is marked by hand needs a description"),
        ("essay,0,Clear", "the points are '0'; expected a whole number from 1"),
        (f"essay,{'9' * 5000},Clear", "9'; expected a whole number from 1 to 999999"),
        ("essay,a,Clear", "the points are 'a'; expected a whole number from 1"),
        ("bpe-01,4,", "the item is 'bpe-01'; expected a name of its own"),
        ("deduction,4,x", "the item is 'deduction'; expected a name of its own"),
        ("total,4,x", "the item is 'total'; expected a name of its own"),
        ("essay,4,Clear, short", "more cells than columns"),
    ],
)
def test_a_rubric_that_does_not_fit_is_named(tmp_path, line, words):
    (tmp_path / "rubric.csv").write_text(f"item,points,description\nbpe-01,2,\n{line}\n")
    with pytest.raises(ValueError, match="line 3") as error:
        decisions.weighed(exercises.catalog(), tmp_path / "rubric.csv")
    assert words in str(error.value)


COLUMNS = "learner,exercise,points,comment\n"


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("learner,exercise,points\nKim,bpe-01,1\n", 1, "no column comment"),
        ("", 1, "no column learner, exercise, points, comment"),
        (COLUMNS + "Kim,bpe-02,0,\n", 2, "'bpe-02' is no exercise that is graded here"),
        (COLUMNS + "Kim,bpe-01,99,\n", 2, "the points are 99; expected 0 to"),
        (COLUMNS + "Kim,bpe-01,-1,\n", 2, "the points are -1; expected 0 to"),
        (COLUMNS + "Kim,bpe-01,nan,\n", 2, "the points are nan; expected 0 to"),
        (COLUMNS + "Kim,bpe-01,all,\n", 2, "the points are 'all'; expected a number"),
        (COLUMNS + "Kim,bpe-01,0,\n7,bpe-01,0,\n", 3, "bpe-01 of 7 is decided already, in"),
        (COLUMNS + "Kim,bpe-01,0,well, no\n", 2, "more cells than columns"),
        (
            "points," + COLUMNS + "0,Kim,bpe-01,1,\n",
            1,
            "no column points in line 1, or has it twice",
        ),
        (COLUMNS + 'Kim,bpe-01,"1,000",\n', 2, "a thousand to some, and one to others"),
        (COLUMNS + "Kim,bpe-01,0,a\0b\n", 2, "line 2 holds the character NUL"),
        (COLUMNS + "Lee,bpe-01,0,\n", 2, "several learners are called 'Lee'"),
    ],
)
def test_overrides_that_do_not_fit_are_named(tmp_path, text, line, words):
    (tmp_path / "overrides.csv").write_bytes(text.encode("utf-8-sig"))
    learners = [Learner("Kim", "7"), Learner("Lee", "8"), Learner("Lee", "9")]
    with pytest.raises(ValueError, match=f"overrides.csv.* line {line}") as error:
        decisions.decided(
            decisions.read_overrides(tmp_path / "overrides.csv"),
            learners,
            {"bpe-01": BANK["bpe-01"]},
        )
    assert words in str(error.value)


def test_a_quote_that_is_not_closed_swallows_no_decision(tmp_path):
    text = COLUMNS + 'Kim,bpe-01,0,"copied\nLee,bpe-01,1,\n'
    (tmp_path / "overrides.csv").write_text(text)
    with pytest.raises(ValueError, match="cannot be read as a CSV file"):
        decisions.read_overrides(tmp_path / "overrides.csv")


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
