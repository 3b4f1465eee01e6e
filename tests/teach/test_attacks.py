"""What somebody hands in, says or names so that others lose by it."""

import os
import sys
import zipfile
from concurrent.futures import Future
from datetime import datetime

import pytest
from command import run

from subword_lab_teach import (
    decisions,
    grading,
    handout,
    handouts,
    pool,
    rehearsal,
    submissions,
)
from subword_lab_teach.marking import Job, Marks
from subword_lab_teach.submissions import Learner, Notebook, Submission


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with what `grade` and `handout` read, where no notebook is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool.Workers, "mark", None)
    for name in ("in/kim", "in/other/a", "own"):
        rehearsal.write_notebook(tmp_path / f"{name}.ipynb", ["load('bpe-01')"], learner="", seed=8)
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.write("in/kim.ipynb", "kim.ipynb")
    (tmp_path / "roster.csv").write_text("Student,ID,Section\nkim,1,A\n")
    (tmp_path / "own.py").write_text("")
    (tmp_path / "sheet.csv").write_text("Identifier,Grade,Maximum Grade\n7,,1e400\n")
    (tmp_path / "large.csv").write_text('Identifier,Grade,Maximum Grade\n7,,"1,000"\n')
    (tmp_path / "names.txt").write_text("Kim\n")
    for name in ("mine.results.jsonl", "my.canvas.csv"):
        (tmp_path / name).write_text("diary\n")
    (tmp_path / "overrides.csv").write_text(
        "learner,exercise,points,comment\nmo,bpe-01,1,\nkim,bpe-99,1,\nsu,bpe-01,1,\n"
    )
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
def test_what_a_class_file_names_is_not_overwritten(here, monkeypatch, name):
    monkeypatch.delenv("SUBWORD_LAB_EXERCISES", raising=False)
    (here / "subword-lab-class.json").write_text('{"exercises": ["own.py"]}')
    done = run("grade", "in", "--out", "g.csv", "--report", name, "--trust")
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


def test_a_notebook_of_nobody_is_flagged_where_others_have_names():
    own = {
        Learner(name, name): [(Submission(name, name, notebook=Notebook([], to)), Job([]), Marks())]
        for name, to in {"Amina": "Amina", "Boris": "Boris", "Dana": "", "Emil": ""}.items()
    }
    notes = {learner.name: told for learner, told in grading._shared(own, {})}
    nobody = "a notebook says that it was handed out to nobody in particular"
    assert notes == {"Dana": nobody, "Emil": nobody}


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
    said = [*grading._flags(one, Job([], learner=due), Marks())]
    is_theirs = stamp is None or (stamp == due and learner is not K12)
    assert said == ([] if is_theirs else [f"it was handed out to {stamp or NOBODY}"])


@pytest.mark.parametrize("trap", ["settings", "note", "pipe"])
def test_what_one_learner_did_to_their_folder_costs_nobody_else_a_copy(here, trap):
    handout("out", ["own.ipynb"], ["Amina", "Boris"], seed=7)
    path = here / "out" / "Amina" / ("HAND-IN.txt" if trap == "note" else "subword-lab-class.json")
    path.unlink()
    if trap == "settings":
        path.write_text('{"seed": 8}')
    elif trap == "note":
        path.mkdir()
    elif hasattr(os, "mkfifo"):
        os.mkfifo(path)
    else:
        pytest.skip("there are no pipes here")
    with pytest.raises(ValueError, match=r"out.Amina"):
        handout("out", ["own.ipynb"], ["Amina", "Boris", "Zoe"], seed=7)
    assert (here / "out" / "Zoe" / "own.ipynb").exists()
    with pytest.raises(ValueError, match=r"Boris already holds copies"):
        handout("out", ["own.ipynb"], ["Amina", "Boris", "Chen"], seed=8)


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
