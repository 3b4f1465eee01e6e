"""What somebody hands in, says or names so that others lose by it."""

import json
import zipfile
from pathlib import Path

import pytest

from subword_lab import cli
from subword_lab_teach import grading, handout, rehearsal, room, submissions
from subword_lab_teach.marking import Marks
from subword_lab_teach.room import Refused, Room
from subword_lab_teach.submissions import Learner, Submission


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with what `grade` and `handout` read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    rehearsal.write_notebook(tmp_path / "in" / "kim.ipynb", ["1"])
    rehearsal.write_notebook(tmp_path / "own.ipynb", ["1"])
    with zipfile.ZipFile("in.zip", "w") as archive:
        archive.write("in/kim.ipynb", "kim.ipynb")
    (tmp_path / "roster.csv").write_text("Student,ID,Section\nkim,1,A\n")
    (tmp_path / "own.py").write_text("")
    (tmp_path / "names.txt").write_text("Kim\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "grade in.zip --out in.zip",
        "grade in --out g.csv --format canvas --roster roster.csv --json roster.csv",
        "grade in --out g.csv --exercises own.ipynb --report own.ipynb",
        "grade in --out g.csv --exercises-file own.py --class-report own.py",
        "grade in --out g.csv --json g.csv",
        "grade in --out g.csv --json g.results.jsonl",
        "handout out --seed 7 --lessons 01_bpe --learners names.txt --key names.txt",
        "handout out --seed 7 --lessons own.ipynb --key own.ipynb",
    ],
)
def test_nothing_that_is_read_or_written_is_overwritten(here, command, capsys):
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert cli.main(command.split()) == 2
    assert "would be overwritten; name another" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}


@pytest.mark.parametrize("owner", ["//etc/x.ipynb", "//x.ipynb", "/etc/x.ipynb", "../x/y.ipynb"])
def test_a_page_stays_below_its_folder_whatever_a_zip_file_names(here, owner):
    place = Submission(owner, here, owner=owner).place
    assert not place.startswith("/") and ".." not in place


def test_a_first_cell_that_no_value_can_be_made_of_costs_nothing():
    cell = {"cell_type": "code", "source": "course(seed=7, learner={[]: 1})"}
    assert submissions.parse(json.dumps({"cells": [cell]}).encode()).learner is None


def test_a_notebook_of_nobody_is_flagged_where_others_have_names():
    marks = {"Amina": "Amina", "Boris": "Boris", "Dana": "", "Emil": ""}
    own = {
        Learner(name, name): [
            (Submission(name, "", learner=Learner(name, name)), Marks(handed_to=to))
        ]
        for name, to in marks.items()
    }
    notes = {learner.name: told for learner, told in grading._shared(own, {}).items()}
    nobody = ["a notebook says that it was handed out to nobody in particular"]
    assert notes == {"Amina": [], "Boris": [], "Dana": nobody, "Emil": nobody}


@pytest.mark.parametrize(
    "bound, words",
    [
        ("LARGEST_LIST", "its list of files is far too long"),
        ("LARGEST_CONTENT", "its notebooks have more than"),
        ("MOST_MEMBERS", "the zip file holds 200 files"),
    ],
)
def test_a_zip_file_without_end_is_not_unpacked(tmp_path, monkeypatch, bound, words):
    monkeypatch.setattr(submissions, bound, 100)
    with zipfile.ZipFile(tmp_path / "kim.zip", "w") as archive:
        for number in range(200):
            archive.writestr(f"{number}.ipynb", "{}")
    assert words in submissions.find(tmp_path)[0].problem


def test_folders_without_end_cost_their_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "DEEPEST", 5)
    (tmp_path / "kim.ipynb").write_text('{"cells": []}')
    (tmp_path / "mallory" / "/".join("a" * 10)).mkdir(parents=True)
    found = {one.learner.name: one.problem for one in submissions.find(tmp_path)}
    assert found == {"kim": "", "mallory": "its folders are nested too deep"}


@pytest.mark.parametrize("stamp", ["Kim Lee", "kim lee", "Lee, K.im", "Ada", "nobody", "", None])
def test_no_spelling_of_ones_own_name_brings_other_figures(stamp):
    handed_in = [Submission("leekim", Path(), learner=Learner("leekim", "123"))]
    due = grading._own_figures(handed_in, [Marks(handed_to=stamp)], ["Ada", "Kim Lee"])
    assert due == [None if stamp == "Kim Lee" else "Kim Lee"]


def test_who_is_on_no_list_cannot_choose_a_name():
    learner = Learner("k12", "k12")
    handed_in = [Submission("k12", Path("k12"), learner=learner)] * 3
    marks = [Marks(handed_to=name) for name in ("Kim Lee", "K 12", "Zed")]
    assert grading._own_figures(handed_in, marks, ["Ada", "Kim Lee"]) == [None, "k12", "k12"]
    own = [(handed_in[0], Marks(handed_to="K 12", due="k12"))]
    assert grading._row(learner, own, [], {}, None).flags == ["it was handed out to K 12"]


def test_the_names_are_of_use_only_with_a_seed(here, capsys):
    assert cli.main("grade in --out g.csv --learners names.txt".split()) == 2
    assert "together with --seed" in capsys.readouterr().err


def test_one_address_cannot_fill_the_room():
    full = Room()
    for number in range(room.MOST_AT_AN_ADDRESS):
        made_up = {"name": "Kim", "key": f"{number:032x}", "session": "a", "events": []}
        full.take(made_up, "192.0.2.1")
    with pytest.raises(Refused, match="at this address already"):
        full.take({**made_up, "key": "f" * 32}, "192.0.2.1")
    full.take(made_up, "192.0.2.1")  # who is in stays in
    full.take({**made_up, "key": "f" * 32}, "192.0.2.2")


def test_nothing_is_left_of_whoever_leaves_and_goes_on_talking():
    room = Room()
    wrong = {"kind": "attempt", "exercise": "bpe-01", "outcome": "incorrect", "message": "look!"}
    events = [{"kind": "leave", "n": 1}, {**wrong, "n": 2}]
    room.take({"name": "Kim", "key": "0" * 32, "session": "a", "events": events})
    assert room.state()["mistakes"] == [] == room.state()["learners"]


def test_a_seed_whose_answers_would_not_be_marked_is_not_handed_out(here):
    with pytest.raises(ValueError, match="at most 18 digits"):
        handout("out", ["own.ipynb"], seed=10**18)


@pytest.mark.parametrize("content", ["[", "[" * 100_000])
def test_damaged_settings_of_copies_are_named(here, content):
    (here / "in" / "subword-lab-class.json").write_text(content)
    with pytest.raises(ValueError, match=r"subword-lab-class\.json is damaged"):
        handout("in", ["own.ipynb"], seed=7)
