"""What somebody hands in, says or names so that others lose by it; and attacks on the instructor's own commands."""

import argparse
import base64
import contextlib
import json
import os
import sys
import time
import zipfile
from concurrent.futures import Future
from datetime import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from command import run
from counting import memory_below

from subword_lab import Tokenizer, exercises, files, running, working_copy
from subword_lab.exercises import load
from subword_lab.html import to_html
from subword_lab_teach import (
    EXAMPLE,
    commands,
    decisions,
    gradebooks,
    grading,
    handout,
    handouts,
    nbgrader,
    plan,
    pool,
    rehearsal,
    report,
    submissions,
)
from subword_lab_teach.cells import spelled_out
from subword_lab_teach.grading import Grades, Row, grade
from subword_lab_teach.handouts import pack
from subword_lab_teach.marking import Job, Marked, Marks, mark
from subword_lab_teach.room import Room
from subword_lab_teach.submissions import Learner, Notebook, Submission, parse
from teach import classes, hostile_notebooks

pytestmark = pytest.mark.usefixtures("no_class")


PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
WRITTEN = {  # what lies beside what was handed in
    "roster.csv": "Student,ID,Section\nkim,1,A\n",
    "own.py": "",
    "sheet.csv": "Identifier,Grade,Maximum Grade\n7,,1e400\n",
    "large.csv": 'Identifier,Grade,Maximum Grade\n7,,"1,000"\n',
    "names.txt": "Kim\n",
    "mine.results.jsonl": "diary\n",
    "my.canvas.csv": "diary\n",
    "overrides.csv": "learner,exercise,points,comment\nmo,bpe-01,1,\nkim,bpe-99,1,\nsu,bpe-01,1,\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with what `grade` and `handout` read, where no notebook is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool.Workers, "mark", None)
    for name in ("in/kim", "in/other/a", "own"):
        rehearsal.write_notebook(tmp_path / f"{name}.ipynb", ["load('bpe-01')"], learner="", seed=8)
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.write("in/kim.ipynb", "kim.ipynb")
    for name, text in WRITTEN.items():
        (tmp_path / name).write_text(text)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    return tmp_path


OVERWRITTEN = "would be overwritten; name another"
NOBODY = "nobody in particular"
AMONG = "among what was handed in"


@pytest.mark.parametrize(
    "command, words",
    [
        ("grade in.zip --out in.zip", OVERWRITTEN),
        ("grade in --format canvas --roster roster.csv --json roster.csv", OVERWRITTEN),
        ("grade in --format canvas --roster g.csv", OVERWRITTEN),
        ("grade in --exercises own.ipynb --report own.ipynb", OVERWRITTEN),
        ("grade in --exercises-file own.py --class-report own.py", OVERWRITTEN),
        ("grade in --feedback . --report kim.html", "among the pages; name another place"),
        (
            "grade in --format moodle --roster sheet.csv",
            "says '1e400'; expected a number of points",
        ),
        (
            "grade in --format moodle --roster large.csv",
            "'Maximum Grade' says '1,000', which is a thousand to some, and one to others",
        ),
        ("grade in --json g.csv", OVERWRITTEN),
        ("grade in --json g.results.jsonl", OVERWRITTEN),
        ("grade in --overrides overrides.csv --json overrides.csv", OVERWRITTEN),
        ("handout out --seed 7 --lessons 01_bpe --learners names.txt --key names.txt", OVERWRITTEN),
        ("handout out --seed 7 --lessons own.ipynb --key own.ipynb", OVERWRITTEN),
        ("grade in --out in/grades.csv", AMONG),
        ("grade in --out in/other/grades.csv", AMONG),
        ("grade in --json in/kim.ipynb", AMONG),
        ("grade in --report in/kim.ipynb", AMONG),
        ("grade in --class-report in/kim.ipynb", AMONG),
        ("grade in --feedback in/kim.ipynb", AMONG),
        ("grade nowhere", "there is no folder 'nowhere'"),
        ("grade /dev/zero", "there is no folder '/dev/zero'"),
        ("grade pipe", "there is no folder 'pipe'"),
        ("grade in --out nowhere/g.csv", "there is no folder "),
        ("grade in --report nowhere/report.html", "there is no folder "),
        ("grade in --exercises bop,bpe-01,bep", "no exercise, lesson or notebook 'bop', 'bep'"),
        ("grade in --exercises bep", "lessons are 00_text_to_tokens, 01"),
        ("grade in --learner-pattern (", "not a regular expression"),
        ("grade in --exercises-file nowhere.py", "there is no file"),
        ("grade in --timeout 0", "a whole number of at least 1"),
        (f"grade in --timeout 1{'0' * 400}", "expected at most 86400, a day"),  # beyond a float
        ("grade in --late 10%/week", "'10%/week' is not valid; expected such as 10%"),
        ("grade in --hints 101%", "'101%' is not valid; expected such as 10%"),
        ("grade in --late 10%", "due is not given"),
        ("grade in --column x", "--column names a column of the roster"),
        ("grade in --format canvas", "belong together"),
        ("grade in --roster roster.csv", "belong together"),
        ("grade in --format canvas --roster x.csv", "cannot be read"),
        ("grade in --learners names.txt", "together with --seed"),
        ("grade in --seed 7", "2 of 2 learners were handed out with seed 8, and the seed here is"),
        ("grade in --only zoe", "nobody who handed something in is called 'zoe'"),
        ("grade in --overrides overrides.csv", "line 2: nobody who handed something in is called"),
        ("grade in --overrides overrides.csv", "line 3: 'bpe-99' is no exercise"),
        ("grade in --overrides overrides.csv", "line 4: nobody who handed something in is called"),
        ("handout out --seed 7 --lessons 01_bpe --learners /dev/zero", "it has more than 100 MB"),
        ("grade in --overrides /dev/zero", "it has more than 100 MB"),
        ("grade in --feedback names.txt", "names.txt is not a folder"),
        ("grade in --out pipe", "is not a file"),
        ("grade in --class-report pipe", "is not a file"),
        ("grade in --out mine.csv", "mine.results.jsonl holds something else than marks"),
        (
            "grade in --out my.csv --format canvas --roster roster.csv",
            "my.canvas.csv has no column",
        ),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_marked_or_written(here, command, words):
    if any(name in command and not (here / name).exists() for name in ("pipe", "/dev/zero")):
        pytest.skip("there are no such files here")
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    out = [] if "--out" in command or command.startswith("handout") else ["--out", "g.csv"]
    done = run(*command.split(), *out, *["--trust"] * command.startswith("grade"))
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert not done.stdout and "Traceback" not in done.stderr
    after = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert before == after and (here / "pipe").exists() == hasattr(os, "mkfifo")


@pytest.mark.parametrize("name", ["own.py", "subword-lab-class.json"])
def test_what_a_class_file_names_is_not_overwritten(here, name):
    (here / "subword-lab-class.json").write_text('{"exercises": ["own.py"]}')
    (here / "mine.py").write_text("")
    command = "grade in --out g.csv --trust --exercises-file mine.py --report"
    done = run(*command.split(), name)
    assert done.returncode == 2 and OVERWRITTEN in done.stderr


def test_what_lies_beside_is_not_in_the_folder_and_nobody_is_left_out_in_silence(here):
    for name in (
        "course/submitted/leekim.pdf",
        "course/lee/a.ipynb",
        "course-2/x",
        "course/source/x",
    ):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text("")
    (here / "names.txt").write_text("Kim Lee\nNils Berg\n")
    options = ("--seed", 7, "--learners", "names.txt", "--feedback", "course-2/pages")
    done = run("grade", "course", "--out", "course-2/grades.csv", *options, "--trust")
    assert done.returncode == 0 and (here / "course-2" / "pages" / "leekim.html").exists()
    assert "Only the folder 'submitted' was looked at, as nbgrader has it." in done.stderr
    assert "Nothing was handed in by Nils Berg.\n" in done.stderr
    assert "Taken for files of yours, and not marked: lee." in done.stderr
    (here / "course/source/x").unlink()
    (here / "course/source").rmdir()
    done = run("grade", "course", "--out", "course-2/again.csv", "--seed", 7, "--trust")
    assert "The folder 'submitted' was taken for a learner's" in done.stderr


@pytest.mark.parametrize(
    "handed_out_to, flagged",
    [
        ({"Amina": "Amina", "Boris": "Boris", "Dana": "", "Emil": ""}, {"Dana", "Emil"}),
        ({"Amina": "", "Boris": "", "Dana": "", "Mal": "Mal"}, {"Mal"}),
        ({"Amina": "", "Boris": ""}, set()),
    ],
)
def test_of_copies_for_nobody_and_for_somebody_the_fewer_are_flagged(handed_out_to, flagged):
    own = {
        Learner(name, name): [(Submission(name, name, notebook=Notebook([], to)), Job([]), Marks())]
        for name, to in handed_out_to.items()
    }
    notes = {learner.name: told for learner, told in grading._shared(own, {})}
    assert {*notes} == flagged and all("a notebook says" in told for told in notes.values())


def test_of_many_notebooks_the_last_code_alone_is_compared_wherever_it_is_written(monkeypatch):
    read = Mock(return_value="")
    monkeypatch.setattr(grading.likeness, "fingerprint", read)
    figures = {"cell": 2, "other_variant": False, "seed": 7, "learner": "Zed", "turn": 0}
    marks = Marks(answers=[Marked("incorrect", 0, "", exercise="bpe-15", **figures)])
    books = [Notebook([f"def f():\n    return {number}", "ex.check(f)"]) for number in range(20)]
    own = [(Submission("zed", "zed", notebook=book), Job([]), marks) for book in books]
    assert not [*grading._shared({Learner("Zed", "Zed"): own}, exercises.catalog())]
    code, _ = (call.args for call in read.mock_calls)  # and the solution
    assert code == ("def f():\n    return 19", "f")


def test_a_notebook_that_asks_without_end_is_refused():
    source = "".join(f'a{n} = load("bpe-01")\n' for n in range(6_000))
    with pytest.raises(ValueError, match="it has more than 5,000 cells"):
        spelled_out([{"cell_type": "code", "source": [source]}])


@pytest.mark.parametrize("id, more", [("bpe-06", []), ("bpe-07", []), ("unigram-15", ["`"])])
def test_a_wrong_token_is_shown_as_code_whatever_is_in_it(id, more):
    feedback = load(id, seed=7).judge(["```![a](http://example.org/a.png)", *more])
    assert "example.org" in feedback.message and "<img" not in to_html(feedback.message)


KIM, LEE = Learner("leekim", "123"), Learner("Kim Lee", "7")
K12 = Learner("k12", "k12")


@pytest.mark.parametrize(
    "learner, stamp, listed, due",
    [
        *((KIM, stamp, ["Ada", "Kim Lee"], "Kim Lee") for stamp in ("kim lee", "Lee, K.im", "Ada")),
        *((KIM, stamp, ["Ada", "Kim Lee"], "Kim Lee") for stamp in ("Kim Lee", "nobody", "", None)),
        (K12, "Kim Lee", ["Ada", "Kim Lee"], "Kim Lee"),  # who may be k12
        (K12, "K 12", ["Ada", "Kim Lee"], "k12"),
        (K12, "Zed", ["Ada", "Kim Lee"], "k12"),
        *((LEE, stamp, ["Kim Lee", "Lee Kim"], "Kim Lee") for stamp in ("Kim Lee", "Lee Kim")),
    ],
)
def test_no_name_that_somebody_chooses_brings_other_figures(learner, stamp, listed, due):
    one = Submission("a", "a", notebook=Notebook([], stamp), learner=learner)
    assert grading._due(one, listed, 7) == due
    said = [words for _, words in grading._flags(one, Job([], learner=due), Marks())]
    is_theirs = stamp is None or (stamp == due and learner is not K12)
    assert said == ([] if is_theirs else [f"it was handed out to {stamp or NOBODY}"])


@pytest.mark.parametrize(
    "name, trap",
    [
        ("subword-lab-class.json", lambda path: path.write_text('{"seed": 8}')),
        ("HAND-IN.txt", Path.mkdir),
        pytest.param("subword-lab-class.json", lambda path: os.mkfifo(path), marks=PIPES),
    ],
)
def test_what_one_learner_did_to_their_folder_costs_nobody_else_a_copy(here, name, trap):
    handout("out", ["own.ipynb"], ["Amina", "Boris"], seed=7)
    (here / "out" / "Amina" / name).unlink()
    trap(here / "out" / "Amina" / name)
    with pytest.raises(ValueError, match=r"out.Amina"):
        handout("out", ["own.ipynb"], ["Amina", "Boris", "Zoe"], seed=7)
    assert (here / "out" / "Zoe" / "own.ipynb").exists()
    with pytest.raises(ValueError, match=r"Boris already holds copies"):
        handout("out", ["own.ipynb"], ["Amina", "Boris", "Chen"], seed=8)


def test_a_folder_that_cannot_be_written_or_packed_costs_nobody_else_theirs(here, monkeypatch):
    handout("out", ["own.ipynb"], ["Amina", "Boris"], seed=7)

    def refuse(path, content):
        if "Amina" in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        files.write_whole(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(handouts, "write_whole", refuse)
        with pytest.raises(ValueError, match=r"out.Amina: .*denied"):
            handout("out", ["own.ipynb"], ["Amina", "Boris", "Zoe"], seed=7)
    assert (here / "out" / "Zoe" / "HAND-IN.txt").exists()
    with open(here / "out" / "Amina" / "large", "wb") as large:
        large.truncate(files.LARGEST + 1)
    (here / "names.txt").write_text("Amina\nBoris\n")
    command = "handout out --learners names.txt --seed 7 --lessons own.ipynb --zip --key key.html"
    done = run(*command.split())
    assert done.returncode == 2 and "Amina holds more than" in done.stderr
    assert (here / "out" / "Boris.zip").exists() and (here / "key.html").exists()


def test_an_id_is_nobodys_name_as_long_as_somebody_has_it():
    boris, mallory = Learner("Boris Bear", "302"), Learner("302", "999")
    assert decisions.called("302", [mallory, boris]) == boris
    assert decisions.called("302", [mallory]) == mallory
    with pytest.raises(ValueError, match="several learners are called '302'"):
        decisions.called("302", [mallory, Learner("302", "302")])


def test_a_time_that_nobody_knows_is_said_and_is_not_in_time():
    own = [Submission("a", "a", datetime(2026, 1, 1).astimezone()), Submission("b", "b")]
    due = datetime(2026, 1, 31)
    assert grading._late(own, due) == ("it is not known when it was handed in", 0)
    assert grading._late(own, None) == grading._late(own[:1], due) == ("", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has one time zone here")
@pytest.mark.parametrize(
    "due, handed_in, days",
    [
        (datetime(2026, 10, 24, 23, 59), datetime(2026, 10, 25, 23, 30), 1),  # a day of 25 hours
        (datetime(2026, 3, 28, 23, 59), datetime(2026, 3, 30, 0, 30), 2),
        (datetime(2026, 10, 25, 2, 59), datetime(2026, 10, 25, 2, 30, fold=1), 1),
    ],
)
def test_days_are_those_of_the_clock(monkeypatch, due, handed_in, days):
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    own = [Submission("a", "a", handed_in.astimezone())]
    late = grading._late(own, due)
    monkeypatch.undo()
    time.tzset()
    assert late[1] == days


def test_a_seed_whose_answers_would_not_be_marked_is_not_handed_out(here):
    with pytest.raises(ValueError, match="at most 18 digits"):
        handout("out", ["own.ipynb"], seed=10**18)


@pytest.mark.parametrize("content", ["[", "[" * 100_000])
def test_damaged_settings_of_copies_are_named(here, content):
    (here / "in" / "subword-lab-class.json").write_text(content)
    with pytest.raises(ValueError, match=r"subword-lab-class\.json is damaged"):
        handout("in", ["own.ipynb"], seed=7)


@pytest.mark.parametrize("name", ["HAND-IN.txt", "own.json"])
def test_a_file_of_ones_own_is_not_replaced_by_what_is_handed_out(here, name):
    (here / "class").mkdir()
    (here / "class" / name).write_text("mine")
    settings = {"seed": 7, "learner": "", "exercises": ["own.json"], "cards": False}
    assert "a file of yours" in handouts._problem(here / "class", ["own.json"], settings)


@pytest.mark.skipif(sys.platform == "win32", reason="no path is as long there")
def test_a_folder_that_nobody_can_look_into_costs_its_owner_alone(here, monkeypatch):
    """As one whose rights were packed with it, or one with a path that is too long for the system."""
    monkeypatch.chdir("in/other")
    for _ in range(30):
        os.mkdir("x" * 200)
        os.chdir("x" * 200)
    (here / "in" / "zoe.ipynb").write_bytes((here / "in" / "kim.ipynb").read_bytes())
    found = {one.label: one.problem for one in submissions.find(here / "in")}
    assert [found.pop(f"{name}.ipynb") for name in ("kim", "other/a", "zoe")] == [""] * 3
    assert [*found.values()] == ["it is not a file, or cannot be reached"]


@pytest.mark.parametrize("again", [None, "kim"])
def test_a_copy_of_somebody_elses_notebook_takes_nothing_from_them(monkeypatch, again):
    """Neither the time, which is over for the one who copied, nor that it is marked again."""
    monkeypatch.setattr(pool, "BUDGET", 0)
    learners = {name: Learner(name, name) for name in ("kim", "mallory")}
    alike, other, marked = Job(["alike"]), Job(["endless"]), []

    def begin(job):
        marked.append(job)
        done = Future()
        done.set_result(Marks())
        return done

    handed_in = [("mallory", other), ("kim", alike), ("mallory", alike), ("mallory", Job(["2"]))]
    tasks = [(learners[name], job) for name, job in handed_in]
    kept = pool.Kept(None)
    if again:
        kept.put(kept.key(alike), Marks())
    ended = [one.ended for one in pool.mark_all(begin, 1, tasks, kept, learners.get(again))]
    assert marked == [other, alike] and ended[:3] == [""] * 3
    assert ended[3] == "this learner's notebooks have taken too much time in all"


# -------------------------------------------------------------------------------------------- the instructor's commands


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
def test_a_class_file_in_a_strangers_folder_is_not_run(tmp_path, monkeypatch, bank, command):
    (tmp_path / "own.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    (tmp_path / "named.py").write_text(EXAMPLE.read_text().replace("class-0", "named-0"))
    told = {"seed": 3, "learner": "Eve", "exercises": ["own.py"]}
    (tmp_path / "subword-lab-class.json").write_text(json.dumps(told))
    monkeypatch.chdir(tmp_path)
    plan.parts.cache_clear()
    Room().ask("bpe-01")
    done = run(*command.split())
    assert done.returncode == 0, done.stderr
    assert not Path("ran").exists()


@pytest.mark.parametrize("folder", [".", ".."])
def test_no_file_that_was_handed_in_is_run_because_another_one_names_it(
    tmp_path, monkeypatch, folder
):
    here = tmp_path / "class" / "in" / "mallory"
    here.mkdir(parents=True)
    (here / "own.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    theirs, mine = (place / "subword-lab-class.json" for place in (here, tmp_path / "class"))
    monkeypatch.chdir(here)
    for told in (json.dumps({"exercises": ["own.py"]}), "{"):
        theirs.write_text(told)
        done = run("grade", folder, "--out", tmp_path / "grades.csv", "--trust")
        assert done.returncode == 0 and "there is no notebook" in done.stdout, done.stderr
    mine.write_text(json.dumps({"exercises": ["in/mallory/own.py"]}))
    theirs.write_text(json.dumps({"exercises": ["own.py"]}))
    (here / "homework").mkdir()
    for place in (folder, "homework", "../kim"):
        done = run("grade", place, "--out", tmp_path / "grades.csv", "--trust")
        assert (
            done.returncode == 2
            and "own.py, which subword-lab-class.json names, is not run" in done.stderr
        )
    assert not Path("ran").exists()


def test_a_command_says_which_exercises_of_this_folder_it_runs(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text("")
    (tmp_path / "subword-lab-class.json").write_text(json.dumps({"exercises": ["own.py"]}))
    monkeypatch.chdir(tmp_path)
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
    elsewhere, link = tmp_path / "Kim's friend", tmp_path / "Kim" / name
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
    with memory_below(10_000_000):
        assert report.write_feedback(tmp_path, grades) != [place]


@PIPES
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
    with memory_below(40_000_000):
        assert [*pool.Kept(results).marks] == ["a", "c"]


@pytest.mark.parametrize("learner", ["301", "amina"])
def test_an_address_that_a_learner_chooses_is_nobodys_id(learner):
    """Unless it is at the school, which gives it; and what is an id as it stands, is one before any address."""
    school, chosen = ({"Email address": f"{learner}@{place}"} for place in ("uni.edu", "evil.org"))
    others = [{"Email address": f"{number}x@uni.edu"} for number in range(2)]
    row, named = Row(Learner(learner, learner), []), {"Username": learner}

    def found(*rows):
        return gradebooks._found(row, gradebooks.Roster("moodle", [], [*rows, *others]))

    assert found(chosen) == [] and found(named, chosen, school) == [named]
    assert found(chosen, school) == ([] if learner.isdecimal() else [school])


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "9999-12-31T23:59:59-23:59", "soon"])
def test_a_time_that_no_calendar_has_is_refused_before_anything_is_marked(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time"):
        commands.time(text)
