"""Marking a class: of everything that happens in a class, each row says what it is."""

import html
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from command import run

from subword_lab import exercises
from subword_lab.exercises import load
from subword_lab_teach import (
    commands,
    grade,
    grading,
    marking,
    pool,
    rehearsal,
    report,
    submissions,
)
from subword_lab_teach.marking import Job, mark
from teach import hostile_notebooks as hostile
from teach.classes import answer, notebook, points, remarks, row_of, table_of

IN_A_WORKER = pool.Workers.mark


@pytest.fixture(scope="module", autouse=True)
def judged_here():
    """Notebooks run in processes of their own, and are judged in this one, which is quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool.Workers, "mark", lambda workers, job: mark(job))
        yield


# ------------------------------------------------------------------------ a class in which everything happens once

ASKED = "bpe-01 bpe-02 bpe-03 bpe-04 bpe-15 bpe-16 bpe-17 bpe-18 wordpiece-14".split()
BLANK, MALFORMED = "load('bpe-01').check(...)", "load('bpe-01').check('many')"
OTHER = "load('bpe-01').another().check('1')"
UNWRITABLE = "half \ud800, \u202eturned, \x00ended"
UNDECODABLE = os.fsdecode(b"l\xff\xfee/\xff")
HINT = "bpe_01.hint()"
ENCODE = """def encode(word, merges):
    symbols = list(word)
    for left, right in merges:
        out, i = [], 0
        while i < len(symbols):
            if symbols[i:i + 2] == [left, right]:
                out.append(left + right)
                i += 2
            else:
                out.append(symbols[i])
                i += 1
        symbols = out
    return symbols
load("bpe-17").check(encode)"""
DECODE = """def decode(tokens):
    words, current = [], ""
    for token in tokens:
        if token.endswith("</w>"):
            words.append(current + token[:-4])
            current = ""
        else:
            current += token
    if current:
        words.append(current)
    return words
load("bpe-18").check(decode)"""
COUNT = """def count_pairs(word_freqs, splits):
    counts = {}
    for word, freq in word_freqs.items():
        symbols = splits[word]
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            counts[pair] = counts.get(pair, 0) + freq
    return counts
load("bpe-15").check(count_pairs)"""
OTHER_FIGURES = "its answers or its saved outputs belong to other figures than this learner's: "
HANDED_OUT = "it was handed out to "


def wrong(name, label="types-not-occurrences"):
    return answer("bpe-01", name, what=label)


def right(name):
    return answer("bpe-01", name)


def part(id, name, count):
    return f"load({id!r}).check({load(id, seed=7, learner=name).asked.answer[:count]!r})"


COURSE = "from subword_lab.exercises import course\ncourse(seed=7, learner='alice')"
ONE, TWO = {"bpe-01": 1}, {"bpe-02": 1}
CODED = {"bpe-15": 3, "bpe-17": 3, "bpe-18": 2}
SAME = "the code for bpe-15, bpe-17, bpe-18 is the same as that of "
# Where it lies, its cells, the points that are not 0, and what is said.
HANDED_IN = [
    ("last", [wrong("last"), right("last"), MALFORMED, BLANK], ONE, ""),
    ("one-cell", [right("one-cell") + "\n" + wrong("one-cell")], {}, ""),
    (
        "unread",
        [right("unread") + f"\n{MALFORMED}\n{OTHER}\n{BLANK}" * 12],
        ONE,
        "",
    ),
    ("worse", [right("worse"), wrong("worse")], {}, "bpe-01 was answered better before, and the"),
    ("moved/b", [answer("bpe-02", "moved")], {**ONE, "bpe-02": 1}, ""),
    ("moved/a", [right("moved")], {**ONE, "bpe-02": 1}, ""),
    (
        "tries",
        [right("tries"), *(f"load('bpe-01').check({number})" for number in range(1001, 1005))],
        {},
        "bpe-01 was answered in 5 ways, of which the last counts",
    ),
    (
        "parts",
        [part("bpe-04", "parts", 1), part("bpe-04", "parts", 2), part("wordpiece-14", "parts", 1)],
        {"bpe-04": 1.33, "wordpiece-14": 0.67},
        "",
    ),
    ("alice", [right("alice")], ONE, "handed out to alice was handed in by bob, copied-cell too"),
    ("bob", [right("alice")], ONE, HANDED_OUT + "alice"),  # nothing says who is who
    ("k12", [right("Nora Berg")], ONE, HANDED_OUT + "Nora Berg"),  # who may be k12
    ("mallory", [right("yrollam")], ONE, HANDED_OUT + "yrollam"),
    ("leekim_123_456_a", [right("Kim Lee")], ONE, "was handed in by copycat too"),
    ("copycat", [], {}, "it was handed out with seed 3"),
    ("another", [right("another"), OTHER], ONE, ""),
    ("others", [OTHER], {}, OTHER_FIGURES + "bpe-01"),
    (
        "many",
        [OTHER.replace("01", f"{number:02}") for number in range(1, 8)],
        {},
        OTHER_FIGURES + "bpe-01, bpe-02, bpe-03, bpe-04, bpe-05 and 2 more",
    ),
    ("shown", [right("shown")], ONE, OTHER_FIGURES + "bpe-01"),
    ("one", [ENCODE, DECODE, COUNT], CODED, SAME + "two"),
    ("two", [f"# mine\n{ENCODE}", DECODE, COUNT], CODED, SAME + "one"),
    ("wu_1_222_a-2", [wrong("wu")], ONE, "of which the last counts: bpe-01"),
    ("wu_1_222_a-10", [right("wu")], ONE, "of which the last counts: bpe-01"),
    ("failed", ["1 / 0", right("failed")], ONE, "cell 2 failed (ZeroDivisionError: division by"),
    ("unwritable", [f"raise ValueError({UNWRITABLE!r})"], {}, "cell 2 failed (ValueError: half  ,"),
    (UNDECODABLE, [f"load('bpe-02').check({UNWRITABLE!r})"], {}, "nothing in it says that"),
    (
        "own",
        [right("x")],
        {},
        "nothing in it says that it was handed out; a copy of one's own asks",
    ),
    ("copied-cell", [COURSE, right("alice")], ONE, HANDED_OUT + "alice"),
    ("by-name", [answer("bpe-02", "by-name").replace("load('bpe-02')", "bpe_02")], TWO, ""),
    (
        "other",
        [answer("unigram-02", "other")],
        {},
        "not graded: it holds 03 Unigram, and no exercise",
    ),
    ("lends", [f"load('bpe-16').check(lambda symbols, pair: {UNWRITABLE!r})"], {}, ""),
    ("unnamed", ["load('bpe-01').check(123456)"], {}, ""),
    ("first", [wrong("first", "once-per-word"), wrong("first"), MALFORMED, BLANK], {}, ""),
    ("second", [wrong("second"), wrong("second", "once-per-word")], {}, ""),
    ("both/2", [wrong("both", "once-per-word")], {}, "answered in both/1.ipynb and both/2.ipynb"),
    ("both/1", [wrong("both")], {}, "answered in both/1.ipynb and both/2.ipynb"),
    ("blank", [BLANK, MALFORMED, BLANK], {}, ""),
    (
        "eve",
        ["bpe_01.check(bpe_01.asked.answer)"],
        ONE,
        "names the answers that come with the course",
    ),
    ("partly/b", [right("partly")], ONE, "partly/a.ipynb: the file is empty"),
    ("ann", [right("ann"), HINT], ONE, ""),
    ("mo", [right("mo"), HINT], ONE, ""),
    ("su", [right("su"), "bpe_01.solution()"], ONE, ""),
    ("yu", [right("yu"), HINT], ONE, ""),
    ("zen", [right("zen"), HINT], ONE, ""),
    ("twice/01_bpe", [right("twice"), HINT, HINT], ONE, ""),
    ("twice/01_bpe-Copy1", [right("twice"), HINT, HINT], ONE, ""),
    ("long", [right("long"), "1;" * 9_999 + HINT], ONE, "too long to look for hints"),
]
WHEN = {
    "ann": "2026-01-30T09:00",
    "mo": "2026-01-31T09:03",
    "su": "2026-02-01T09:00",
    "yu": "2026-02-03T21:00",
    "zen": "2026-03-31T10:00",
    "pat": "2026-02-01T10:00",
    "pia": "2026-02-01T10:00",
}
TO = {"bob": "alice", "k12": "Nora Berg", "mallory": "yrollam", "copycat": "Kim Lee"}
TO |= {"leekim_123_456_a": "Kim Lee", **dict.fromkeys(["own", "copied-cell", UNDECODABLE])}
FILES = {  # what is no notebook in order, and what is said
    "partly/a.ipynb": ("", ""),
    "damaged.ipynb": ("{", "it is damaged"),
    "page.html": (
        "<p>",
        "there is no notebook, only page.html; a notebook that was exported cannot",
    ),
    "code.py": ("1", "there is no notebook, only code.py; a notebook that was exported cannot be"),
    "pat.pdf": ("", "there is no notebook, only pat.pdf"),
    "pia.pdf": ("", "there is no notebook, only pia.pdf"),
}
LARGE = '{{"cells": [], "metadata": [{}0]}}'.format('{"a": {}},' * 400_000)
FILES["large.ipynb"] = (LARGE, "it has far too many parts")


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A folder with that class, and its grades. No notebook imports anything, and nothing is late but by its date."""
    base = tmp_path_factory.mktemp("scene")
    for path, cells, *_ in HANDED_IN:
        to, seed = TO.get(path, submissions.whose(path)[0]), 3 if path == "copycat" else 7
        stamp = {"learner": to, "seed": seed} if to else {}
        rehearsal.write_notebook(base / "in" / f"{path}.ipynb", cells, **stamp)
    for name, (text, _) in FILES.items():
        (base / "in" / name).write_text(text)
    shown = json.loads((base / "in" / "shown.ipynb").read_text())
    question = repr(load("bpe-01", seed=7, learner="alice")).splitlines(keepends=True)
    shown["cells"][0]["outputs"] = [
        7,
        {"output_type": "execute_result", "data": {"text/plain": question}},
        {"output_type": "execute_result", "data": {"text/plain": [7]}},
    ]
    (base / "in" / "shown.ipynb").write_text(json.dumps(shown))
    for path in base.rglob("*.*"):
        when = datetime.fromisoformat(WHEN.get(path.stem, "1971-01-01")).timestamp()
        os.utime(path, (when, when))
    results = base / "grades.results.jsonl"  # as the command below names it
    options = {"seed": 7, "trust": True, "timeout": 120, "exercises": ASKED}
    return base, grade(base / "in", results=results, **options)


def command(base, *options):
    """Marks the class again, of which nothing is run again."""
    arguments = ("--out", base / "grades.csv", "--seed", 7, "--trust", *options)
    return run("grade", base / "in", *arguments, "--exercises", ",".join(ASKED))


@pytest.fixture
def copied(scene, tmp_path):
    """A copy of the class, to change it."""
    return shutil.copytree(scene[0], tmp_path / "copy")


def test_a_date_alone_is_due_at_the_end_of_that_day():
    end, noon = commands.time("2026-01-31"), commands.time("2026-01-31T12:00")
    assert end - noon == timedelta(hours=12) - timedelta.resolution


@pytest.mark.slow
def test_the_command_says_what_it_takes_for_the_teachers(copied):
    (copied / "in" / "names.csv").write_text("Kim")
    assert "Taken for files of yours, and not marked: names.csv." in command(copied).stderr


@pytest.fixture
def runs(monkeypatch):
    """The names of those whose notebooks are run."""
    names, mark = [], pool.Workers.mark
    monkeypatch.setattr(
        pool.Workers, "mark", lambda *given: names.append(given[1].learner) or mark(*given)
    )
    return names


@pytest.mark.slow
@pytest.mark.parametrize("path, cells, has, words", HANDED_IN, ids=ascii)
def test_each_has_the_points_that_are_due_and_what_is_odd_is_said(scene, path, cells, has, words):
    label, (_, grades) = submissions.printable(f"{path}.ipynb"), scene
    row = next(row for row in grades.rows if label in row.notebooks)
    told = "; ".join(row.remarks)
    points = {one.id: grades.points(row, one) for one in grades.exercises}
    assert {id: had for id, had in points.items() if had} == has, told
    assert words in told if words else not told, told
    said = [line for line in grades.summary().splitlines() if f"{row.learner.name}: " in line]
    to_look_at = words and not words.startswith(("cell", "partly"))
    assert any(words in line for line in said) == bool(to_look_at)


@pytest.mark.slow
def test_of_equally_good_answers_the_last_counts_and_a_malformed_one_is_no_answer(scene):
    told = {name: row_of(scene[1], name).answers["bpe-01"] for name in ("first", "second", "both")}
    assert [answer["label"] for answer in told.values()] == [
        "types-not-occurrences",
        "once-per-word",
        "once-per-word",
    ]
    assert told["both"]["notebook"] == "both/2.ipynb"
    blank = row_of(scene[1], "blank").answers["bpe-01"]
    assert blank["outcome"] == "invalid" and blank["message"].endswith("It has no points.")
    assert "attempt" not in blank["message"]
    assert row_of(scene[1], "parts").answers["bpe-04"]["outcome"] == "partial"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, (_, words) in FILES.items() if words])
def test_what_is_not_graded_says_why_and_is_not_in_the_average(scene, name):
    learner, (_, grades) = submissions.whose(name)[0], scene
    assert remarks(grades, learner).startswith(f"not graded: {FILES[name][1]}")
    assert points(grades, learner) == [None] * len(ASKED)
    totals = [total for row in grades.rows if (total := grades.total(row)) is not None]
    assert len(totals) == len(grades.rows) - len(FILES)  # and one of another lesson
    assert f"average {sum(totals) / len(totals):.1f} points" in grades.summary().splitlines()[0]


@pytest.mark.slow
def test_nothing_is_run_twice(copied, runs):
    results = copied / "grades.results.jsonl"
    assert command(copied).returncode == 0 and runs == []
    notebook(copied / "in" / "worse.ipynb", right("worse"), learner="worse", seed=7)
    assert command(copied).returncode == 0 and runs == ["worse"]
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:-1]) + lines[-1][:50])  # a crash in mid-write
    assert command(copied).returncode == 0 and runs == ["worse", "worse"]
    assert command(copied, "--only", "unnamed").returncode == 0 and runs[2:] == ["unnamed"]
    kept, job = pool.Kept(results), Job(["1"], seed=7)
    assert kept.key(job) == kept.key(replace(job)) != kept.key(replace(job, seed=8))
    entry = json.loads(lines[0])
    assert entry["key"] in kept.marks  # and it is marks or nothing
    answered = {**entry["marks"]["answers"][0]}
    changes = [("score", 100.0), ("score", "1"), ("outcome", "perfect"), ("exercise", ["bpe-01"])]
    for name, value in [*changes, ("more", 1)]:
        forged = {**entry["marks"], "answers": [{**answered, name: value}]}
        results.write_text(json.dumps({"key": entry["key"], "marks": forged}) + "\n")
        assert entry["key"] not in pool.Kept(results).marks
    results.write_text(json.dumps({**entry, "marks": {"ended": 7}}) + "\n[]\n7\n{}\n")
    assert pool.Kept(results).marks == {}


WHY = "Right by the <older> rule, as we said in class"
RUBRIC = """\
item,points,description
bpe-01,4,
unigram-01,9,
essay,3,"Says <why>, and what cannot be concluded"
"""
DECIDED = f"""\
learner,exercise,points,comment
worse,bpe-01,4,"{WHY}"
last,bpe-01,0,
damaged,bpe-01,4,I saw it on paper
last,essay,2,Which corpus?
yu,deduction,5,"Ill, I know"
pat,bpe-01,1,Seen
"""
ROSTER = """\
Student,ID,SIS Login ID,Section
W,301,worse,A
L,302,last,A
D,303,damaged,A
"""


@pytest.fixture(scope="module")
def decided(scene, tmp_path_factory):
    """The command with all that a person decides, and all that it writes; what it said, and the folder."""
    folder = tmp_path_factory.mktemp("decided")
    (folder / "rubric.csv").write_text(RUBRIC)
    (folder / "roster.csv").write_text(ROSTER)
    (folder / "overrides.csv").write_bytes(DECIDED.encode("utf-8-sig"))
    done = command(
        scene[0],
        *("--rubric", folder / "rubric.csv", "--overrides", folder / "overrides.csv"),
        *("--due", "2026-01-31T09:00", "--late", "10%/day", "--hints", "5%/hint"),
        *("--json", folder / "all.json", "--report", folder / "report.html"),
        *(
            "--class-report",
            folder / "class.html",
            "--feedback",
            folder / "pages",
            "--show-answers",
        ),
        *("--format", "canvas", "--roster", folder / "roster.csv"),
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "overrides.csv").read_bytes() == DECIDED.encode("utf-8-sig")
    rows = {row["learner"]: row for row in table_of(scene[0] / "grades.csv")}
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    return done, rows, texts, folder


@pytest.mark.slow
def test_a_person_overrules_the_marking_wherever_points_are_told(scene, decided):
    done, rows, texts, folder = decided
    names = ("worse", "last", "damaged")
    worse = f"bpe-01: 4 by a person, 0 by the marking: {WHY}"
    on_paper = "bpe-01: 4 by a person, nothing by the marking: I saw it on paper"
    assert f"worse: {worse}\n" in done.stdout and rows["worse"]["decided"] == worse
    assert [rows[name]["bpe-01"] for name in names] == ["4", "0", "4"]
    assert [rows[name]["total"] for name in names] == ["4", "2", "4"]
    assert rows["worse"]["percentage"] == "16.7" and rows["damaged"]["decided"] == on_paper
    book = table_of(scene[0] / "grades.canvas.csv")
    told = [(row["01 Byte-pair encoding"], row["essay"]) for row in book]
    assert told == [("4", ""), ("0", "2"), ("4", "")]
    everything = json.loads((folder / "all.json").read_text(encoding="utf-8"))
    mine = {row["learner"]: row for row in everything["learners"]}
    assert mine["worse"]["overrides"] == {"bpe-01": {"points": 4, "marked": 0, "comment": WHY}}
    assert mine["last"]["overrides"]["bpe-01"]["marked"] == 4
    assert mine["worse"]["total"] == 4 and mine["worse"]["answers"]["bpe-01"]["score"] == 0
    for name, before in zip(names, ("0", "4", "nothing")):
        page = texts[name]
        assert f"A person decided on these points; the marking gave {before}." in page
        assert "decided by a person, " in page and "<older>" not in page
        assert (html.escape(WHY) in page) == (name == "worse")
    page = texts["report"]
    assert "Decided by a person" in page and ">4*</td>" in page and html.escape(WHY) in page
    assert "Decided by a person" not in texts["class"]
    own = "nothing in it says that it was handed out; a copy of one's own asks"
    assert own in html.unescape(texts["own"])


@pytest.mark.slow
def test_weights_what_is_marked_by_hand_and_what_is_taken_off_count_everywhere(decided):
    done, rows, texts, _ = decided
    told = {
        name: [rows[name][column] for column in ("bpe-01", "essay", "total", "late")]
        for name in ("last", "ann", "mo", "su", "yu", "zen", "pat", "pia")
    }
    assert told == {
        "last": ["0", "2", "2", ""],
        "ann": ["4", "", "3.8", ""],
        "mo": ["4", "", "3.4", "late by 3 minutes"],
        "su": ["4", "", "3.4", "late by 24.0 hours"],
        "yu": ["4", "", "3.8", "late by 3.5 days"],
        "zen": ["4", "", "0", "late by 59.0 days"],
        "pat": ["1", "", "0.8", "late by 25.0 hours"],
        "pia": ["", "", "", "late by 25.0 hours"],
    }
    assert rows["last"]["possible"] == "24"
    assert "The rubric has points for unigram-01, not graded here" in done.stderr
    words = "5% of the points is taken off, as a person decided; by the rules, 45%. Ill, I know"
    assert rows["yu"]["remarks"] == words and f"yu: {words}" in done.stdout
    assert words in texts["yu"]
    assert rows["mo"]["remarks"] == "15% of the points is taken off"
    assert f"<li>{rows['mo']['remarks']}</li>" in texts["mo"]
    assert rows["pat"]["remarks"].endswith("pat.pdf; 20% of the points is taken off")
    assert rows["pia"]["remarks"].endswith("pia.pdf")
    page = texts["last"]
    assert "essay · decided by a person, 2 of 3 points" in page and "Says &lt;why&gt;" in page
    assert "<b>Marked by hand.</b> Which corpus?" in page and report.IN_PART in page
    assert "essay · not marked yet, 3 points" in texts["worse"]
    assert ">2*</td>" in texts["report"] and "Which corpus?" in texts["report"]


@pytest.mark.slow
def test_no_text_of_a_notebook_or_a_path_stops_a_table(scene, decided):
    written = [scene[0] / "grades.csv", *decided[-1].rglob("*.*")]
    told = "".join(path.read_text(encoding="utf-8") for path in written if path.is_file())
    assert "half  ,  turned" in told and not set(told) & {"\ud800", "\u202e", "\x00"}
    assert len([*(decided[-1] / "pages").rglob("*.html")]) == len(scene[1].rows)


@pytest.mark.slow
def test_wrong_answers_without_a_name_are_listed_and_hints_are_counted(scene, decided):
    table = decided[2]["report"].partition("Wrong answers without")[2]
    ex = load("bpe-01", seed=7, learner="unnamed")
    assert "<code>123456</code>" in table and ex.kind.show(ex.asked.answer) in table
    asked = [row_of(scene[1], name) for name in ("ann", "su", "last", "twice", "long")]
    assert [(row.hints, row.solutions) for row in asked] == [(1, 0), (0, 1), (0, 0), (2, 0), (0, 0)]


# ---------------------------------------------------------------------------------------------- other classes


@pytest.fixture
def marked(tmp_path):
    """Hands in notebooks, as name -> cells, and marks the folder that they are in."""

    def hand_in_and_mark(books, **options):
        for name, cells in books.items():
            notebook(tmp_path / "in" / f"{name}.ipynb", *cells, learner="", seed=7)
        return grade(tmp_path / "in", trust=True, **options)

    return hand_in_and_mark


@pytest.mark.slow
def test_one_exercise_that_is_checked_without_end_takes_no_other_ones_place(marked, monkeypatch):
    monkeypatch.setattr(marking, "MOST_FUNCTIONS", 2)
    grades = marked({"kim": [f"{ENCODE}\n" + 'load("bpe-17").check(encode)\n' * 3, COUNT]})
    assert points(grades, "kim") == [3, 3]
    assert "cell 3 failed (TooManyChecks: of bpe-17 the first 2 checks count)" in remarks(
        grades, "kim"
    )


@pytest.mark.slow
def test_another_assignment_makes_nobody_late_and_its_hints_cost_nothing(marked, tmp_path):
    other = [answer("bpe-02"), "bpe_02.hint()", "print({'essay': 1})"]
    due = datetime.now() + timedelta(days=1)
    late = (due + timedelta(days=15)).timestamp()
    options = {"due": due, "late": 10, "hints": 10, "results": tmp_path / "kept.jsonl"}
    marked({"kim/one": [answer("bpe-01")], "kim/two": other}, **options)
    os.utime(tmp_path / "in/kim/two.ipynb", (late, late))
    (tmp_path / "rubric.csv").write_text("item,points,description\nessay,3,Which corpus?\n")
    for rubric in (None, tmp_path / "rubric.csv"):
        for ids, told, deducted in [(["bpe-01"], "", 0), (["bpe-02"], "late by 15.0 days", 100)]:
            (row,) = marked({}, exercises=ids, rubric=rubric, **options).rows
            assert (row.late, row.deducted) == (told, deducted)


@pytest.mark.slow
def test_of_somebody_without_graded_exercises_notebooks_without_any_make_late(marked, tmp_path):
    (tmp_path / "rubric.csv").write_text("item,points,description\nessay,3,Which corpus?\n")
    due = datetime.now() - timedelta(hours=90)
    books = {"kim": [answer("bpe-01")], "lee": ["'my essay'"], "mia": [answer("bpe-02")]}
    grades = marked(books, exercises=["bpe-01"], due=due, rubric=tmp_path / "rubric.csv")
    assert [row.days_late for row in grades.rows] == [4, 4, 0]


@pytest.mark.slow
def test_a_secret_seed_finds_what_was_made_to_fit(marked):
    """A function that knows the inputs that everybody's check tries, and nothing else, passes only those."""
    from subword_lab import bpe
    from subword_lab.exercises import trials

    ex = load("bpe-16")
    cases = [*ex.asked.cases, *trials.examples(ex.asked.inputs)]
    table = {
        repr(case): bpe.merge_symbols(list(case[0]), tuple(case[1])) for case in map(tuple, cases)
    }
    fitted = (
        f"def merge(symbols, pair):\n    return {table!r}.get(repr((symbols, pair)), [])\n"
        "load('bpe-16').check(merge)"
    )
    assert points(marked({"kim": [fitted]}), "kim") == [3]
    assert points(marked({}, secret_seed=5), "kim") < [3]


OWN_COPY = "nothing in it says that it was handed out; a copy of one's own asks for other figures"


@pytest.mark.slow
def test_without_a_seed_somebody_else_s_figures_are_pointed_out(tmp_path):
    """One's own count before others, and a copy of one's own is marked by the figures that it shows."""
    for name, cells in {
        "kim": [answer("bpe-02", "kim"), COURSE, right("alice")],
        "lee": [right("lee"), COURSE, right("alice")],
        "su": [right("su"), OTHER],
        "mo": [right("alice").replace("'bpe-01'", "'bpe-01', 7, 'alice'")],
    }.items():
        notebook(tmp_path / f"{name}.ipynb", *cells, learner=name, seed=7)
    for name, cells in {
        "ann": ["1", "2", "3", COURSE, right("alice")],
        "own": [answer("bpe-01", "", 0)],
    }.items():
        notebook(tmp_path / f"{name}.ipynb", *cells)
    notebook(tmp_path / "all.ipynb", "course(seed=7)", answer("bpe-01"))
    grades = grade(tmp_path, trust=True, exercises=["bpe-01", "bpe-02"])
    assert {row.learner.name: "; ".join(row.remarks) for row in grades.rows} == {
        **dict.fromkeys(["lee", "su"], ""),
        **dict.fromkeys(["kim", "mo"], OTHER_FIGURES + "bpe-01"),
        "ann": f"{OWN_COPY}; {OTHER_FIGURES}bpe-01",
        "own": OWN_COPY,
        "all": "a notebook says that it was handed out to nobody in particular",
    }
    assert {grades.points(row, grades.exercises[0]) for row in grades.rows} == {1}
    assert row_of(grades, "lee").answers["bpe-01"]["learner"] == "lee"


@pytest.mark.slow
def test_one_copy_for_all_is_not_marked_by_a_list_of_learners(tmp_path):
    for name in (names := ["kim", "lee", "mo"]):
        notebook(tmp_path / f"{name}.ipynb", "course(seed=7)", BLANK)
    options = {
        "seed": 7,
        "trust": True,
        "exercises": ["bpe-01"],
        "results": tmp_path / "kept.jsonl",
    }
    with pytest.raises(ValueError, match="of 3 learners were handed out to nobody in particular"):
        grade(tmp_path, names=names, **options)
    assert [row.problem for row in grade(tmp_path, **options).rows] == [""] * 3
    for name in names[1:]:
        notebook(tmp_path / f"{name}.ipynb", BLANK, learner=name, seed=7)
    kim, *_ = grade(tmp_path, names=names, **options).rows
    assert "it was handed out to nobody in particular" in kim.flags


@pytest.mark.slow
def test_the_columns_are_what_stands_in_most_notebooks(marked, tmp_path):
    """Where two name all exercises that there are, it is still what most learners have."""
    late = {"kim_LATE_1_222_a": [answer("bpe-02"), BLANK]}
    grades = marked(
        {**late, "lee": [BLANK, answer("bpe-02")], "su": [repr(exercises.ids())], "mo": [BLANK]}
    )
    assert [exercise.id for exercise in grades.exercises] == ["bpe-01", "bpe-02"]
    assert len(grades.left_out) > 100 and points(grades, "kim") == [0, 1]
    part = "Graded is what most notebooks hold, of which those of mo hold only a part."
    assert grades.notes == [part]
    assert "kim: late" in grades.summary() and row_of(grades, "kim").late == "late"
    for name in ("03_unigram", "03", "unigram"):
        found = grading.chosen([name, "bpe-02"], exercises.catalog())
        assert found == ["bpe-02", *(id for id in exercises.ids() if id.startswith("unigram-"))]
    mentioned = grading.chosen([str(tmp_path / "in" / "lee.ipynb")], exercises.catalog())
    assert mentioned == ["bpe-01", "bpe-02"]


@pytest.mark.slow
@pytest.mark.skipif(
    os.name != "posix", reason="sends Ctrl-C, which Windows knows only for whole consoles"
)
def test_after_ctrl_c_it_goes_on(tmp_path):
    for name, wait in (("a", ""), ("b", "import time\ntime.sleep(1)")):
        notebook(tmp_path / "in" / f"{name}.ipynb", right(name), wait, learner=name, seed=7)
    out = tmp_path / "grades.csv"
    arguments = ("grade", tmp_path / "in", "--out", out, "--seed", "7", "--jobs", "1", "--trust")
    process = subprocess.Popen(
        [sys.executable, "-m", "subword_lab", *map(str, arguments)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    kept, deadline = tmp_path / "grades.results.jsonl", time.monotonic() + 60
    while (not kept.exists() or not kept.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and "goes on from there" in said and not out.exists()
    assert len(kept.read_text().splitlines()) == 1
    done = run(*arguments, "--json", tmp_path / "all.json")
    assert done.stdout == "2 learners, 1 exercise, 1 point; on average 1.0 points, 100.0%\n"
    assert done.returncode == 0 and "1 of 2 notebooks" in done.stderr and out.exists()
    assert len(kept.read_text().splitlines()) == 2


@pytest.mark.slow
def test_a_worker_that_breaks_and_whoever_takes_all_the_time_cost_themselves(
    marked, tmp_path, monkeypatch
):
    communicate = subprocess.Popen.communicate

    def broken(self, told, timeout):
        if b"# eve" in told:
            self.kill()
        return communicate(self, told, timeout)

    monkeypatch.setattr(pool.Workers, "mark", IN_A_WORKER)
    monkeypatch.setattr(subprocess.Popen, "communicate", broken)
    monkeypatch.setattr(pool, "BUDGET", 0)
    books = {
        "eve": [right(""), "# eve"],
        "kim/a": [right("")],
        "kim/b": [answer("bpe-02")],
        "lee": [right(""), "# lee"],
    }
    grades = marked(books, jobs=1, results=tmp_path / "kept.jsonl", exercises=["bpe-01"])
    assert "not graded: marking it failed" in remarks(grades, "eve")
    assert points(grades, "kim") == points(grades, "lee") == [1]
    assert "kim/b.ipynb: this learner's notebooks have taken too much" in remarks(grades, "kim")
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_dask_cluster_marks_the_same_and_a_machine_that_breaks_costs_time_only(marked, tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-teach[dask]'"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "eve.ipynb").write_text("{")
    (tmp_path / "in" / "zoe.zip").write_bytes(hostile.zipped("a.ipynb", '{"cells": []}'))
    cells = [right(""), answer("bpe-16"), "import time\ntime.sleep(1)"]
    here = marked({f"{name}/a": [*cells, f"# {name}"] for name in ("kim", "lee", "su")})
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        machines = list(client.run(os.getpid).values())

        def kill_one(done, count):
            if done == 1 and machines:
                os.kill(machines.pop(), signal.SIGKILL)

        there = marked({}, dask=cluster.scheduler_address, progress=kill_one)
    assert len(machines) == 1 and there == here and points(here, "kim") == [1, 3]
    with pytest.raises(ValueError, match="no Dask cluster answers at 'nowhere'"):
        marked({}, dask="nowhere")


def test_of_thousands_of_broken_notebooks_the_first_are_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "mal.zip", "w") as archive:
        for number in range(300):
            archive.writestr(f"{number}.ipynb", "x")
    notebook(tmp_path / "kim.ipynb", right("kim"), learner="kim", seed=7)
    grades = grade(tmp_path, trust=True, exercises=["bpe-01"])
    told = remarks(grades, "mal")
    assert told.count("it is damaged") == 5 and told.endswith("and 295 more of this kind")
    assert len(grades.summary()) < 2_000 and points(grades, "kim") == [1]


@pytest.mark.usefixtures("sandbox")
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="a system without affinity")
def test_notebooks_that_run_beside_each_other_have_a_processor_each(tmp_path, monkeypatch):
    """And a notebook cannot have others, which would be busy with a classmate's cells."""
    inside = (
        "import os\nraise ValueError(os.sched_getaffinity(0))",
        "os.sched_setaffinity(0, range(9))",
    )
    monkeypatch.setattr(pool.Workers, "mark", IN_A_WORKER)
    for name in "kim", "lee":
        notebook(tmp_path / f"{name}.ipynb", *inside, f"{name!r}")
    kim, lee = (row.failures for row in grade(tmp_path, jobs=2).rows)
    assert [len(eval(failed[0]["message"])) for failed in (kim, lee)] == [1, 1]
    assert kim[0] != lee[0] or os.cpu_count() == 1
    assert [failed[1]["error"] for failed in (kim, lee)] == ["OSError"] * 2


def test_many_remarks_of_one_kind_hide_none_of_another(tmp_path):
    ids = [f"bpe-0{number}" for number in range(1, 8)]
    tried = [f"load({id!r}).check({900 + wrong})" for id in ids for wrong in range(5)]
    notebook(tmp_path / "mal.ipynb", *tried, right("kim"), learner="kim", seed=7)
    told = remarks(grade(tmp_path, trust=True, seed=7), "mal")
    assert told.count(" ways, of which") == 5 and "2 more of this kind" in told
    assert "it was handed out to kim" in told
