"""What goes to the systems of a school: grades for Canvas and Moodle, and a course for nbgrader."""

import asyncio
import csv
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import nbformat
import pytest
from command import run
from traitlets.config import Config

from subword_lab import lessons
from subword_lab.exercises import catalog, classroom, load
from subword_lab_teach import HUB
from subword_lab_teach.cells import LOADED
from subword_lab_teach.decisions import BY_HAND, Override
from subword_lab_teach.gradebooks import read_roster, write_gradebook
from subword_lab_teach.grading import Grades, Row
from subword_lab_teach.handouts import handout, write_otter
from subword_lab_teach.nbgrader import source, write_course
from subword_lab_teach.rehearsal import answered
from subword_lab_teach.submissions import Learner, parse, platform
from teach.classes import table_of

FIRST, SECOND = "00 From text to tokens", "01 Byte-pair encoding"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,00 From text to tokens (991),Final Score
Points Possible,,,,,5,(read only)
"Lee, Kim",301,u1,klee,A,,
"Ито, Дарья",302,u2,dito,A,1,
"O'Neil, Pat",303,u3,poneil,A,,
"""
ASSIGNMENTS = """\
Student,ID,SIS Login ID,Section,Homework (77),Homework 2 (78),Final Score
Points Possible,,,,10,5,(read only)
"Lee, Kim",301,klee,A,,4,
Mo,303,mo,A,9,1,
"""
COMMENTED = """\
Identifier,Full name,Grade,Maximum Grade,Feedback comments
Participant 301,Kim Lee,,10,Well done!
Participant 302,Su,,10,<p>subword-lab: 0 of 2<br>(Written by subword-lab.)</p>
Participant 303,Mo,,10,
"""


def grades(*learners):
    """Two exercises of lesson 00 and one of 01, of which each learner has the first and the last; 5 points in all."""
    found = [load(id).exercise for id in ("text-02", "text-10", "bpe-05")]
    found[1] = replace(found[1], points=3)  # so that points are no count
    right = {"score": 1.0, "outcome": "correct", "label": "", "message": "Is a < b?"}
    rows = [Row(learner, ["a.ipynb"], {"text-02": right, "bpe-05": right}) for learner in learners]
    return Grades(rows, found)


def filled(tmp_path, found, text, format, column=""):
    """What a roster's gradebook says, as sentences and as rows."""
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8-sig")
    book = read_roster(tmp_path / "roster.csv", format, column)
    return write_gradebook(tmp_path / "out.csv", found, book), table_of(tmp_path / "out.csv")


# --------------------------------------------------------------------------------------------------- Canvas and Moodle


def test_canvas_gets_its_own_export_back_with_our_columns(tmp_path):
    learners = Learner("leekim", "301"), Learner("Дарья Ито", "Дарья Ито"), Learner("Nobody", "9")
    problems, rows = filled(tmp_path, grades(*learners), CANVAS, "canvas")
    assert problems == ["Nobody (9) is not in the roster, and has no grade there"]
    told = [(row[f"{FIRST} (991)"], row[SECOND]) for row in rows]
    assert told == [("4", "1"), ("1", "1"), ("1", "1"), ("", "")]
    assert (rows[1]["Student"], rows[1]["ID"], rows[0]["Final Score"]) == (
        "Lee, Kim",
        "301",
        "(read only)",
    )


@pytest.mark.parametrize(
    "ids, columns, added, row, filled_in",
    [
        (
            ["name-01", "mail-01"],
            "Username,Full name,Email address,Assignment: mail (Real)",
            "name",
            "klee,Kim Lee,k@x,",
            "klee,Kim Lee,k@x,0,0,1",
        ),
        (
            ["Status-01", "Essay-01"],
            "Username,Full name,Status,Essay",
            "Status (points)",
            "klee,Kim Lee,enrolled,3",
            "klee,Kim Lee,enrolled,0,0,1",
        ),
    ],
)
def test_what_an_exercise_of_ones_own_is_called_takes_no_column_of_the_schools(
    tmp_path, ids, columns, added, row, filled_in
):
    found = grades(Learner("Kim Lee", "klee"))
    found.exercises[:2] = [replace(one, id=id) for one, id in zip(found.exercises, ids)]
    problems, rows = filled(tmp_path, found, f"{columns}\n{row}\n", "moodle")
    names = [*columns.split(","), added, SECOND]
    assert problems == [] and rows == [dict(zip(names, filled_in.split(",")))]


@pytest.mark.parametrize(
    "format, named, points",
    [
        ("canvas", "leekim_999_77_a.ipynb", "9"),
        ("moodle", "Kim Lee_999_assignsubmission_file_a.ipynb", ""),
    ],
)
def test_a_namesake_of_another_number_gets_no_grade(tmp_path, format, named, points):
    """Whose number the system itself has put into the name of the file."""
    found = grades(Learner("Kim Lee", "999"))
    found.rows[0].named = platform(named)
    text = (
        'Student,ID,SIS Login ID,Section,Homework (77)\n"Lee, Kim",301,klee,A,9\n'
        if format == "canvas"
        else "Identifier,Full name,Grade,Maximum Grade\nParticipant 301,Kim Lee,,10\n"
    )
    problems, (row,) = filled(
        tmp_path,
        found,
        text,
        format,
        text.split("\n")[0].split(",")[-2 if format == "moodle" else -1],
    )
    assert problems == ["Kim Lee (999) is not in the roster, and has no grade there"]
    assert row["Grade" if format == "moodle" else "Homework (77)"] == points


def test_whom_canvas_excuses_stays_excused(tmp_path):
    text = ASSIGNMENTS.replace("A,9,1", "A,EX,1")
    problems, rows = filled(tmp_path, grades(Learner("Mo", "303")), text, "canvas", "Homework (77)")
    assert problems == ["Mo is excused in the roster, which was kept"]
    assert rows[-1]["Homework (77)"] == "EX"


def test_what_waits_for_a_person_gets_no_grade_in_a_schools_system(tmp_path):
    found = grades(Learner("Kim Lee", "301"), Learner("Mo", "303"))
    found.exercises[1] = replace(found.exercises[1], id="essay", kind=BY_HAND)
    found.rows[0].overrides = {"essay": Override("Kim Lee", "essay", 3)}
    problems, (_, kim, mo) = filled(tmp_path, found, ASSIGNMENTS, "canvas", "Homework (77)")
    assert problems == ["Mo has no grade there for essay, not marked yet"]
    assert (kim["Homework (77)"], mo["Homework (77)"]) == ("10", "9")
    assert found.summary().splitlines()[1] == "Not all that is marked by hand is marked yet: Mo."
    found.exercises[0] = replace(found.exercises[1], id="talk")
    found.rows[0].problem = "only a PDF"
    assert [each.id for each in found.waiting(found.rows[0])] == ["talk"]
    found.rows[0].overrides = {}
    assert found.waiting(found.rows[0]) == [] and found.total(found.rows[0]) is None


def test_columns_of_one_name_and_columns_without_one_are_kept(tmp_path):
    text = "First name,Last name,ID number,Homework,Quiz,Quiz,,\r\nKim,Lee,77,,5,9,x,y\r\n"
    assert filled(tmp_path, grades(Learner("Kim Lee", "77")), text, "moodle", "Homework")[0] == []
    assert (tmp_path / "out.csv").read_bytes().decode() == text.replace("77,,5", "77,2,5")


def test_one_column_of_canvas_is_filled_in_and_everything_else_kept(tmp_path):
    found = grades(Learner("Kim Lee", "301"))
    assert filled(tmp_path, found, ASSIGNMENTS, "canvas", "Homework (")[0] == []
    with open(tmp_path / "out.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    expected = list(csv.reader(ASSIGNMENTS.splitlines()))
    expected[2][4] = "4"
    assert rows == expected


KLEE, KIM = Learner("klee", "klee"), Learner("Kim Lee", "12345")
NUMBERED = {"name": "Kim Lee", "id": "12345"}  # by the system that named the file
LATE = {**NUMBERED, "late": None}
WORKSHEET = "Identifier,Full name,Grade,Maximum Grade"


@pytest.mark.parametrize(
    "learner, named, format, column, before, after",
    [
        # Moodle knows a learner by any of its columns.
        (
            *(KIM, {}, "moodle", ""),
            "First name,Last name,ID number,Email address|Kim,Lee,77,kim@school.example",
            "Kim,Lee,77,kim@school.example,1,1",
        ),
        (
            *(Learner("Kim", "12345"), {}, "moodle", ""),
            "First name,Last name,ID number|Kim,-,77",
            "Kim,-,77,1,1",
        ),
        (KLEE, {}, "moodle", "", "Full name,Username|Lee Kim,klee", "Lee Kim,klee,1,1"),
        (
            *(KIM, {}, "moodle", ""),
            "Identifier,Full name,Email address|Participant 12345,Somebody,x@y",
            "Participant 12345,Somebody,x@y,1,1",
        ),
        (
            *(Learner("kim", "kim"), {}, "moodle", ""),
            "Email address;Full name|kim@school.example;-",
            "kim@school.example,-,1,1",
        ),
        # A platform's own number is nobody's user name.
        (
            *(KIM, NUMBERED, "moodle", ""),
            "Full name,Username|Boris B,12345|Kim Lee,kim",
            "Boris B,12345,,|Kim Lee,kim,1,1",
        ),
        (
            *(KIM, NUMBERED, "moodle", ""),
            "Full name,ID number|Boris B,12345|Kim Lee,7",
            "Boris B,12345,,|Kim Lee,7,1,1",
        ),
        (
            *(KIM, NUMBERED, "moodle", ""),
            "Identifier,Username|Participant 12345,kim|Participant 7,12345",
            "Participant 12345,kim,1,1|Participant 7,12345,,",
        ),
        (
            *(KIM, LATE, "moodle", ""),
            "Identifier,Full name|Participant 12345,Boris B|x,Kim Lee",
            "Participant 12345,Boris B,,|x,Kim Lee,1,1",
        ),
        (
            *(KIM, LATE, "canvas", ""),
            "Student,ID,SIS Login ID,Section|Bo,7,12345,A|Kim,12345,kim,A",
            "Bo,7,12345,A,,|Kim,12345,kim,A,1,1",
        ),
        (
            *(KIM, LATE, "canvas", ""),
            "Student,ID,SIS User ID,Section|Bo,7,12345,A|K. Lee,12345,1,A",
            "Bo,7,12345,A,,|K. Lee,12345,1,A,1,1",
        ),
        # An assignment comes before a quiz of its name, and what is called so to the letter before what is called more.
        (
            *(KLEE, {}, "moodle", ""),
            f"Username,Quiz: {FIRST} (Real),Assignment: {FIRST} (Real)|klee,9,9",
            "klee,9,1,1",
        ),
        (KLEE, {}, "moodle", "", f"Username,Quiz: {FIRST} (Real)|klee,9", "klee,1,1"),
        (
            *(KLEE, {}, "canvas", ""),
            f"Student,ID,Section,Reading quiz: {FIRST} (101),{FIRST} (102)|K,klee,A,9,9",
            "K,klee,A,9,1,1",
        ),
        (
            *(KLEE, {}, "canvas", ""),
            f"Student,ID,SIS Login ID,Section,{SECOND} (optional) (991),{SECOND} (992)"
            "|Points Possible,,,,5,5|Kim Lee,301,klee,A,4,",
            "Points Possible,,,,5,1,4|Kim Lee,301,klee,A,4,1,1",
        ),
        (
            *(Learner("Points Possible", "Points Possible"), {}, "canvas", FIRST),
            f"Student,ID,SIS Login ID,Section,{FIRST} (991)"
            "|Points Possible,,,,5|Points Possible,301,pp,A,",
            "Points Possible,,,,5|Points Possible,301,pp,A,2",
        ),
        # Moodle's worksheet gets a share of its maximum.
        *(
            (
                *(KIM, {}, "moodle", column),
                f'{heading}|Participant 7,Kim Lee,,"50,00"',
                f'Participant 7,Kim Lee,20.00,"50,00"{",1,1" * (not column)}',
            )
            for heading in (WORKSHEET, WORKSHEET.replace("Maximum Grade", "Maximum grade"))
            for column in ("", "Grade")
        ),
    ],
)
def test_the_cell_that_is_meant_is_filled_in(
    tmp_path, learner, named, format, column, before, after
):
    found = grades(learner)
    found.rows[0].named = named
    problems, rows = filled(tmp_path, found, before.replace("|", "\n"), format, column)
    assert problems == [] and [[*row.values()] for row in rows] == [*csv.reader(after.split("|"))]


def test_ids_are_taken_whole_and_two_of_a_name_are_not_guessed(tmp_path):
    text = "Full name,Username\nKim Lee,12\nKim Lee,21\nBoris B,boris\n"
    names = {"5": "Kim Lee", "21": "x", "1": "Boris B", "2": "boris"}
    found = grades(*(Learner(name, id) for id, name in names.items()))
    problems, rows = filled(tmp_path, found, text, "moodle")
    assert problems == [
        "Kim Lee (5) is twice in the roster, and has no grade there",
        "boris (2) is not in the roster, and has no grade there",  # whose name is another one's id
    ]
    assert [row[FIRST] for row in rows] == ["", "1", "1"]


def test_a_comment_of_ours_is_replaced_unless_somebody_added_to_it(tmp_path):
    found = grades(Learner("Kim Lee", "301"))
    worksheet = COMMENTED.replace("Well done!", "")
    _, (kim, *_) = filled(tmp_path, found, worksheet, "moodle")
    ours = kim["Feedback comments"].replace('"', '""')
    for more, problem in [("", 0), ("<br>See me on Thursday.", 1)]:
        text = COMMENTED.replace("Well done!", f'"<p>{ours}{more}</p>"')
        problems, (kim, *_) = filled(tmp_path, found, text, "moodle")
        assert len(problems) == problem and ("Thursday" in kim["Feedback comments"]) == problem


def test_moodles_comments_say_what_the_learner_is_told(tmp_path):
    found = grades(Learner("Kim Lee", "301"), Learner("Su", "302"))
    alike = "the code is the same as that of Kim Lee"
    found.rows[1] = replace(found.rows[1], flags=[alike], failed=["cell 3 failed;=1"])
    found.rows.append(Row(Learner("Mo", "303"), [], problem="the file is empty"))
    problems, (kim, su, mo) = filled(tmp_path, found, COMMENTED, "moodle")
    assert problems == ["Kim Lee has a comment in the roster already, which was kept"]
    assert kim["Feedback comments"] == "Well done!" and kim["Grade"] == "4.00"
    lines = su["Feedback comments"].split("<br>")
    assert lines[:2] == ["subword-lab: 2 of 5 points, 40%.", "cell 3 failed;'=1"]
    titles = [exercise.title for exercise in found.exercises]
    assert lines[2].startswith(f"{titles[0]} · right, 1 of 1 point. Is a &lt; b?")
    assert lines[3].startswith(f"{titles[1]} · not answered, 0 of 3 points.")
    assert lines[-1] == "(Written by subword-lab.)"
    why = "subword-lab: not graded.<br>Nothing was graded: the file is empty.<br>" + lines[-1]
    assert (mo["Grade"], mo["Feedback comments"]) == ("", why)


@pytest.mark.parametrize(
    "text, format, column, words",
    [
        ("", "canvas", "", "no column Student, ID, Section"),
        ("a,b\n1,2\n", "canvas", "", "no column Student, ID, Section"),
        ("Student,ID,Section\nKim,1,A,B\n", "canvas", "", "more cells than columns"),
        (CANVAS, "blackboard", "", "expected one of canvas, moodle"),
        ("Username,Homework 10\nklee,9\n", "moodle", "Homework 1", "fits 0 of the roster's"),
        ("Username,Quiz,Quiz\nklee,5,9\n", "moodle", "Quiz", "fits 2 of the roster's"),
        (ASSIGNMENTS, "canvas", "Homework", "fits 2 of"),
        (ASSIGNMENTS, "canvas", "Exam", "fits 0 of"),
        (ASSIGNMENTS, "canvas", "Login", "fits 0 of"),
        (ASSIGNMENTS, "canvas", "Final Score", r"says '\(read only\)'"),
    ],
)
def test_a_roster_that_is_none(tmp_path, text, format, column, words):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(ValueError, match=words):
        read_roster(tmp_path / "roster.csv", format, column)


def test_a_roster_with_a_long_cell_and_a_short_row(tmp_path):
    text = f"Student,ID,Section,Text\nKim,1,,{'x' * 200_000}\nSu,2\n"
    assert filled(tmp_path, grades(), text, "canvas")[1][1]["Section"] == ""


# ------------------------------------------------------------------------------------------------------------ nbgrader


def about(cell):
    return cell["metadata"].get("nbgrader", {})


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_every_exercise_is_asked_and_counted_once(lesson):
    notebook = source(lesson.name, seed=7)
    nbformat.validate(nbformat.from_dict(notebook))
    graded = {
        about(cell)["grade_id"]: about(cell)["points"]
        for cell in notebook["cells"]
        if about(cell).get("grade")
    }
    assert graded == {
        one.id: one.points for one in catalog([]).values() if one.group == lesson.exercises
    }
    ids = [about(cell)["grade_id"] for cell in notebook["cells"] if about(cell)]
    assert (
        len(set(ids)) == len(ids) == len({cell["id"] for cell in notebook["cells"] if about(cell)})
    )
    assert all(about(cell)["locked"] for cell in notebook["cells"] if about(cell))
    assert parse(json.dumps(notebook).encode()).seed == 7


def test_points_are_those_of_the_last_answer_to_these_figures():
    ex = load("text-10", seed=41, learner="points")
    mistake = next(mistake.value for mistake in ex.asked.mistakes if mistake.value is not None)
    assert ex.points == 0
    ex.check(ex.asked.answer)
    ex.check(...)
    load("text-10", seed=41, learner="else").check("nonsense")
    assert ex.points == load("text-10", seed=41, learner="points").points == ex.exercise.points == 1
    ex.check(mistake)
    assert ex.points < 1


def test_a_user_is_whose_submission_is_marked_or_the_hubs(tmp_path, monkeypatch):
    monkeypatch.delenv("SUBWORD_LAB_LEARNER", raising=False)
    monkeypatch.setenv("JUPYTERHUB_USER", "teacher")
    assert classroom.user() == "teacher"
    monkeypatch.setenv("SUBWORD_LAB_LEARNER", "lee")  # as where notebooks are marked
    assert classroom.user() == "lee"
    place = tmp_path / "autograded" / "course" / "autograded" / "kim" / "01_bpe"
    place.mkdir(parents=True)
    monkeypatch.chdir(place)
    assert classroom.user() == "kim"
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBWORD_LAB_LEARNER")
    monkeypatch.delenv("JUPYTERHUB_USER")
    with pytest.raises(ValueError, match="JupyterHub"):
        classroom.user()


# --------------------------------------------------------------------------------------------------------------- Otter


def test_otter_gives_each_point_that_was_reached(tmp_path, monkeypatch):
    """With its decorator alone, which marks the cases; in the process in which the answers were given."""
    otter = ModuleType("otter.test_files")
    otter.test_case = lambda points: lambda case: cases.append((points, case))
    monkeypatch.setitem(sys.modules, "otter.test_files", otter)
    course = lessons.folder() / "01_bpe.ipynb"
    written = write_otter(tmp_path / "tests", [course])
    assert [path.stem for path in written] == [
        one.id for one in catalog([]).values() if one.group == "bpe"
    ]
    right, wrong = (load(id, seed=43, learner="otter") for id in ("bpe-04", "bpe-02"))
    right.check(right.asked.answer)
    wrong.check(
        next(mistake.value for mistake in wrong.asked.mistakes if mistake.value is not None)
    )
    monkeypatch.setenv("SUBWORD_LAB_SEED", "43")
    monkeypatch.setenv("SUBWORD_LAB_LEARNER", "otter")
    reached = {}
    for path in written:
        names, cases = {}, []
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        assert [points for points, _ in cases] == [1] * catalog([])[
            names["name"]
        ].points and not names["OK_FORMAT"]
        for _, case in cases:
            with suppress(AssertionError):
                case()
                reached[names["name"]] = reached.get(names["name"], 0) + 1
    assert reached == {"bpe-04": right.exercise.points}
    written[0].write_text("mine")
    assert write_otter(tmp_path / "tests", [course])[0].read_text() == "mine"


def test_the_command_writes_a_course_and_says_what_it_left(tmp_path):
    done = run("nbgrader", tmp_path / "course", "--seed", 7, "--lessons", "01")
    paths = [
        tmp_path / "course" / "source" / "01_bpe" / "01_bpe.ipynb",
        tmp_path / "course" / "nbgrader_config.py",
    ]
    assert (
        done.returncode == 0
        and done.stdout.split() == [*map(str, paths)]
        and all(path.exists() for path in paths)
    )
    paths[0].write_text("mine")
    again = run("nbgrader", tmp_path / "course", "--seed", 8, "--lessons", "01")
    assert paths[0].read_text() == "mine"
    assert again.returncode == 0 and not again.stdout.strip()
    assert "nbgrader_config.py was there already, and was left as it is" in again.stderr


# ---------------------------------------------------------------------------------------------------------- JupyterHub


def in_a_thread_of_its_own(task, *arguments):
    """Run a coroutine to its end, also where the browser's tests have left a loop of theirs running."""
    with ThreadPoolExecutor() as pool:
        pool.submit(lambda: asyncio.run(task(*arguments))).result()


@pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub does not run on Windows")
def test_the_hubs_configuration_gives_each_user_a_copy_variants_and_a_record(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    places = {"HOMES": str(tmp_path), "HANDED_OUT": str(tmp_path / "class-a")}
    for name, value in {**places, "PASSWORD": "secret enough", "SEED": "7"}.items():
        monkeypatch.setenv(f"SUBWORD_LAB_{name}", value)
    handout(tmp_path / "class-a", [lessons.folder() / "01_bpe.ipynb"], ["Kim", "Lee"], seed=7)
    config = Config()
    exec(compile(HUB.read_text(encoding="utf-8"), str(HUB), "exec"), {"get_config": lambda: config})
    is_name = re.compile(config.Authenticator.username_pattern).match
    assert all(map(is_name, ["kim", "k.o'neil@school.org", "дарья ито", "ဇော်ဇော်", "x" * 60]))
    assert not any(map(is_name, ["x" * 61, "", ".kim", "a/b", "a\\b", "a\nb", "kim\n", "k\u202em"]))
    kim = SimpleNamespace(user=SimpleNamespace(name="kim"), default_url="")
    course = tmp_path / "kim" / "course"
    course.mkdir(parents=True)
    (course / "01_bpe.ipynb").write_text("begun before")
    in_a_thread_of_its_own(config.Spawner.pre_spawn_hook, kim)
    (handed_out,) = course.glob("01_bpe.ipynb")
    assert handed_out.resolve() == tmp_path / "class-a" / "Kim" / "01_bpe.ipynb"
    assert kim.default_url == "/lab/tree/01_bpe.ipynb" and (course / "HAND-IN.txt").exists()
    assert [path.read_text() for path in (course / "before").iterdir()] == ["begun before"]
    assert not (course / "instructor_guide.ipynb").exists()
    monkeypatch.setattr(classroom, "_said", None)
    monkeypatch.chdir(course)
    assert classroom.settings().cards  # in the other lessons
    copy = course / "00_text_to_tokens.ipynb"
    copy.write_text("mine")
    in_a_thread_of_its_own(config.Spawner.pre_spawn_hook, kim)
    assert copy.read_text() == "mine" and handed_out.is_symlink()
    assert course.parent.stat().st_mode & 0o077 == 0
    said = {
        name: value(kim) if callable(value) else value
        for name, value in config.Spawner.environment.items()
    }
    assert Path(said.pop("JUPYTER_CONFIG_PATH"), "labconfig", "page_config.json").is_file()
    assert said == {
        "SUBWORD_LAB_SEED": "7",
        "SUBWORD_LAB_LEARNER": "kim",
        "SUBWORD_LAB_HOME": str(tmp_path / "kim" / "progress"),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub does not run on Windows")
@pytest.mark.parametrize(
    "user, password, words",
    [
        (0, "secret enough", "as root, every learner would be root"),
        (1000, "short", "at least 8 characters"),
        (1000, "secret enough", "There is no folder"),
    ],
)
def test_the_hub_does_not_begin_where_it_could_not_work(monkeypatch, user, password, words):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setenv("SUBWORD_LAB_PASSWORD", password)
    monkeypatch.setenv("SUBWORD_LAB_HANDED_OUT", "nowhere")
    with pytest.raises(SystemExit, match=words):
        exec(compile(HUB.read_text(encoding="utf-8"), str(HUB), "exec"), {"get_config": Config})


@pytest.mark.slow
def test_nbgrader_itself_hands_out_marks_and_gives_feedback(tmp_path):
    """Two users of a hub: one whose answers are right, to figures of her own, and one who copied them."""
    pytest.importorskip("nbgrader", reason="pip install nbgrader")
    lesson, course, home = "00_text_to_tokens", tmp_path / "course", tmp_path / "home"
    write_course(course, [lesson], seed=7, by_user=True)
    env = {
        **os.environ,
        "SUBWORD_LAB_HOME": str(home),
        "PYTHONPATH": str(Path(lessons.__file__).parent.parent),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }

    def nbgrader(*arguments):
        subprocess.run(
            ["nbgrader", *arguments], cwd=course, env=env, check=True, capture_output=True
        )

    nbgrader("generate_assignment", lesson, "--create")
    notebook = json.loads(
        (course / "release" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8")
    )
    asked = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            asked |= {
                name: load(id, seed=7, learner="kim")
                for name, id in LOADED.findall("".join(cell["source"]))
            }
            for name, ex in asked.items():
                if f"{name}.check(" in "".join(cell["source"]):
                    cell["source"] = answered(ex, "correct").replace("ex.check", f"{name}.check")
    for user in ("kim", "lee"):
        (course / "submitted" / user / lesson).mkdir(parents=True)
        (course / "submitted" / user / lesson / f"{lesson}.ipynb").write_text(
            json.dumps(notebook), encoding="utf-8"
        )
    nbgrader("autograde", lesson, "--create")
    nbgrader("generate_feedback", lesson)
    nbgrader("export")
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    whole = sum(one.points for one in catalog([]).values() if one.group == "text")
    assert scores["kim"] == whole and 0 < scores["lee"] < whole
    assert (course / "feedback" / "kim" / lesson / f"{lesson}.html").exists() and not home.exists()
