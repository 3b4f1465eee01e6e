"""What a teacher does before a lesson: handing out variants, and exercises of one's own."""

import csv
import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from command import run, run_apart

from subword_lab import exercises, lessons
from subword_lab.exercises import Exercise, Instance, Question, Text, classroom, load, load_file
from subword_lab.exercises.own import questions
from subword_lab_teach import EXAMPLE, grade, handout, proof, rehearsal, write_key
from subword_lab_teach.cells import spelled_out, unlinked
from subword_lab_teach.handouts import checked_names, read_names
from subword_lab_teach.nbgrader import write_course
from subword_lab_teach.submissions import find, parse

pytestmark = pytest.mark.usefixtures("no_class")
LESSON = Path(__file__).parents[2] / "notebooks" / "01_bpe.ipynb"


# ------------------------------------------------------------------------------------------------------------ the class


def test_a_folder_says_which_variants_are_asked(tmp_path, monkeypatch):
    (tmp_path / classroom.FILE).write_text('{"seed": 7, "learner": "kim"}')
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "inner" / "deep"):
        monkeypatch.chdir(folder)
        assert (load("bpe-01").seed, load("bpe-01").learner) == (7, "kim")
    assert (load("bpe-01", seed=3).seed, load("bpe-01", learner="").learner) == (3, "")
    monkeypatch.setenv("SUBWORD_LAB_SEED", "9")
    assert (load("bpe-01").seed, load("bpe-01").learner) == (9, "kim")
    monkeypatch.setenv("SUBWORD_LAB_LEARNER", "lee")
    assert (load("bpe-01").seed, load("bpe-01").learner) == (9, "lee")


@pytest.mark.parametrize(
    "text, words",
    [
        ("{", "is damaged"),
        ("[]", "holds list"),
        ('{"seed": "7"}', "'seed' is '7'; expected a whole number"),
        ('{"seed": true}', "'seed' is True"),
        ('{"learner": 7}', "'learner' is 7; expected a string"),
        ('{"exercises": "own.py"}', "expected a list of file names"),
        ('{"cards": 1}', "expected true or false"),
        ('{"exercises": ["own.py"]}', "there is no file"),
    ],
)
def test_a_damaged_file_of_the_class_is_named(tmp_path, monkeypatch, text, words):
    (tmp_path / classroom.FILE).write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=words) as error:
        load("bpe-01")
    assert str(tmp_path) in str(error.value)


BY_ROOT = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away"
)


def shared(path, mode):
    os.chown(path, -1, 12345)  # the group of a project
    path.chmod(mode)


@pytest.mark.skipif(os.name != "posix", reason="owners and rights are POSIX's")
@pytest.mark.parametrize(
    "name, change, seed",
    [
        (".", lambda path: path.chmod(0o777), 0),
        (classroom.FILE, lambda path: path.chmod(0o666), 0),
        pytest.param(classroom.FILE, lambda path: os.chown(path, 12345, -1), 0, marks=BY_ROOT),
        ("own.py", lambda path: path.chmod(0o666), 7),
        pytest.param(".", lambda path: shared(path, 0o775), 0, marks=BY_ROOT),
        pytest.param("own.py", lambda path: shared(path, 0o664), 7, marks=BY_ROOT),
    ],
)
def test_what_others_can_write_is_not_used(tmp_path, monkeypatch, bank, name, change, seed):
    (tmp_path / "own.py").write_text("open('ran', 'w')")
    (tmp_path / classroom.FILE).write_text('{"seed": 7, "exercises": ["own.py"]}')
    change(tmp_path / name)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    with pytest.warns(UserWarning, match="is not used, for others than you can write"):
        assert load("bpe-01").seed == seed
    assert not [*tmp_path.rglob("ran")]


# ---------------------------------------------------------------------------------------------------------- handing out


OWN = ["class-01", "class-02", "class-03", "class-04"]


@pytest.fixture
def own(tmp_path, bank):
    """A notebook with exercises of an instructor's own, and their file."""
    (tmp_path / "own.py").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    asks = [f'{id.replace("-", "_")} = load("{id}")\n{id.replace("-", "_")}' for id in OWN]
    start = "from subword_lab.exercises import load"
    rehearsal.write_notebook(tmp_path / "week2.ipynb", [start, *asks])
    return tmp_path / "week2.ipynb"


@pytest.fixture
def learners_bank(monkeypatch, bank):
    """Makes of this process a learner's: nothing of an instructor's has been read."""

    def forget():
        monkeypatch.setattr(exercises, "_bank", {})
        monkeypatch.setattr(exercises, "_files", {})
        monkeypatch.setattr(classroom, "_said", None)

    return forget


def test_learners_get_the_questions_and_not_the_answers(tmp_path, monkeypatch, own, learners_bank):
    file = tmp_path / "own.py"
    out, _ = handout(tmp_path / "out", [own], ["kim", "lee"], seed=7, exercises_file=file)
    assert sorted(path.name for path in out.iterdir()) == [
        "HAND-IN.txt",
        "own.json",
        classroom.FILE,
        "week2.ipynb",
    ]
    theirs = {id: load(id, seed=7, learner="kim") for id in OWN}
    given = "".join(path.read_text(encoding="utf-8") for path in out.iterdir())
    for ex in theirs.values():
        for secret in (
            *(one.message for one in ex.asked.mistakes),
            ex.asked.solution,
            ex.asked.why,
        ):
            assert secret not in given and json.dumps(secret)[1:-1] not in given
    learners_bank()
    monkeypatch.chdir(out)
    exec(nbformat.read(out / "week2.ipynb", as_version=4).cells[0].source, {})
    for id, real in theirs.items():
        ex = load(id)
        assert (ex.question, ex.title, ex.about) == (real.question, real.title, real.about)
        assert (ex.seed, ex.learner) == (7, "kim") and "answer here" not in str(ex.static())
        assert ex.check(...).outcome == "not attempted" and ex.hint().text == real.hint().text
        assert "instructor" in ex.solution().text
    assert load("class-01").check("many").outcome == "invalid"
    assert "I expected a number" in load("class-01").check("many").message
    said = load("class-04").check("b")
    assert said.outcome == "received" and "your instructor will tell you" in said.message
    assert load("class-02").check(max).outcome == "received"
    assert "class-01, class-02, class-03, class-04" in (out / "HAND-IN.txt").read_text()


def test_a_second_notebook_leaves_the_questions_of_the_first(tmp_path, own):
    how = {"seed": 7, "exercises_file": tmp_path / "own.py"}
    (out,) = handout(tmp_path / "out", [own], ["kim"], **how)
    asked = {row["id"]: row for row in json.loads((out / "own.json").read_text())}
    rehearsal.write_notebook(tmp_path / "week3.ipynb", ['load("class-02")'])
    handout(tmp_path / "out", [tmp_path / "week3.ipynb"], ["kim"], **how)
    assert {row["id"]: row for row in json.loads((out / "own.json").read_text())} == asked
    assert all(id in (out / "HAND-IN.txt").read_text() for id in OWN)
    (out / "own.json").write_text('["x"]')
    with pytest.raises(ValueError, match=r"own\.json is damaged; move it away"):
        handout(tmp_path / "out", [own], ["kim"], **how)


@pytest.mark.slow
def test_questions_that_were_handed_out_are_marked_by_the_instructors_file(tmp_path, own):
    file, course = tmp_path / "own.py", tmp_path / "out"
    (out,) = handout(course, [own], ["kim"], seed=7, exercises_file=file)
    notebook = nbformat.read(out / "week2.ipynb", as_version=4)
    load_file(file)
    for cell in notebook.cells:
        for id in OWN:
            ex = load(id, seed=7, learner="kim")
            if f"{ex.name}.check(" in cell.source:
                cell.source = rehearsal.answered(ex, "correct").replace(
                    "ex.check", f"{ex.name}.check"
                )
    nbformat.write(notebook, out / "week2.ipynb")
    (tmp_path / "in").mkdir()
    out.rename(tmp_path / "in" / "kim")
    command = "grade in --seed 7 --out grades.csv --trust --exercises-file own.py"
    done = run_apart(*command.split(), cwd=tmp_path)
    assert done.returncode == 0 and "4 exercises, 5 points; on average 5.0" in done.stdout


def test_one_setting_names_the_file_for_commands_that_hand_out(
    tmp_path, monkeypatch, learners_bank, own
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / classroom.FILE).write_text('{"exercises": ["own.py"]}')
    for command in (
        ["handout", "out", "--seed", 7, "--key", "key.csv"],
        ["nbgrader", "course", "--seed", 7],
        ["forms", "for-me", "--seed", 7],
    ):
        learners_bank()
        done = run(*command, "--lessons", "week2.ipynb")
        assert done.returncode == 0, done.stderr
    assert "class-04" in (tmp_path / "key.csv").read_text(encoding="utf-8-sig")
    source = tmp_path / "course" / "source" / "week2"
    assert sorted(path.name for path in source.iterdir()) == ["own.json", "week2.ipynb"]
    assert "exercises=['own.json']" in (source / "week2.ipynb").read_text()
    assert str(tmp_path / "own.py") in (tmp_path / "course" / "nbgrader_config.py").read_text()
    asked, more = (source / "own.json").read_text(), (source / "week2.ipynb").read_text() + " "
    (source / "own.json").write_text("[]")
    (source / "week2.ipynb").write_text(more)
    assert run("nbgrader", "course", "--seed", 7, "--lessons", "week2.ipynb").returncode == 0
    assert (source / "own.json").read_text() == asked  # it follows the exercises' file
    assert (source / "week2.ipynb").read_text() == more
    solved = (tmp_path / "for-me" / "instructor" / "week2.ipynb").read_text(encoding="utf-8")
    assert "return max(words, key=len)" in solved
    wrong = run("nbgrader", "another", "--seed", 7, "--by-user", "--lessons", "week2.ipynb")
    assert wrong.returncode == 2 and "leave out --by-user" in wrong.stderr
    (tmp_path / classroom.FILE).write_text('{"exercises": ["own.py", "more.py"]}')
    wrong = run("handout", "out2", "--seed", 7, "--lessons", "01")
    assert wrong.returncode == 2 and "names several files" in wrong.stderr


@pytest.mark.parametrize(
    "text", ["{", "[1]", '[{"id": "class-01"}]', '[{"kind": "Instance", "settings": {}}]', "7"]
)
def test_a_damaged_file_of_questions_is_named(tmp_path, bank, text):
    (tmp_path / "own.json").write_text(text)
    with pytest.raises(ValueError, match=r"own\.json is damaged .*; get it again from whoever"):
        load_file(tmp_path / "own.json")


def test_a_notebook_without_its_file_of_exercises_says_so(
    tmp_path, monkeypatch, own, learners_bank
):
    learners_bank()
    with pytest.raises(
        ValueError, match=r"week2\.ipynb cannot be handed out: it asks class-01.*--exercises-file"
    ):
        handout(tmp_path / "out", [own], seed=7)
    file = tmp_path / "own.py"
    (out,) = handout(tmp_path / "out", [own], ["kim"], seed=7, exercises_file=file)
    learners_bank()
    first = nbformat.read(out / "week2.ipynb", as_version=4).cells[0].source
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(
        ValueError, match=r"the file own\.json is not here.*put it beside this notebook"
    ):
        exec(first, {})
    with pytest.raises(
        ValueError, match=r"'class-01' in the course\. If it is one of your class's"
    ):
        load("class-01")
    for place in (tmp_path, out):  # beside the answers, as markers open it, or beside the questions
        learners_bank()
        monkeypatch.chdir(place)
        exec(first, {})
        assert load("class-01").learner == "kim"


def test_a_folder_that_was_handed_out_is_opened_as_it_is(tmp_path, monkeypatch):
    (out,) = handout(tmp_path / "out", [LESSON], ["kim"], seed=7)
    before = sorted(out.iterdir())
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/kim/")  # on which no server is started
    assert run("open", out).returncode == 0 and sorted(out.iterdir()) == before


# -------------------------------------------------------------------------------------- a handout as a learner reads it


def read_aloud(cells):
    """What a learner reads in a copy: its text, and the questions as they are shown there."""
    texts = []
    for cell in cells:
        source = "".join(cell["source"])
        shown = re.findall(r'^\w+ = load\("([\w-]+)"\)', source, re.MULTILINE)
        texts += [source] if cell["cell_type"] == "markdown" else []
        texts += [load(id).static()["text/html"] for id in shown]
    return " ".join("\n".join(texts).split())


@pytest.mark.parametrize("form", ["handout", "nbgrader"])
@pytest.mark.parametrize("lesson", lessons.names())
def test_a_copy_says_what_is_so_in_it(tmp_path, monkeypatch, lesson, form):
    monkeypatch.setattr(classroom, "_said", None)
    file = f"{lesson}.ipynb"
    if form == "nbgrader":
        (path, _) = write_course(tmp_path, [lesson], seed=7)
    else:
        (out,) = handout(tmp_path / "out", [lessons.folder() / file], ["kim"], seed=7)
        path = out / file
        assert (path.parent / "HAND-IN.txt").is_file()
        monkeypatch.setenv("SUBWORD_LAB_LEARNER", "somebody else")
    cells = nbformat.read(path, as_version=4).cells
    exec(cells[0].source, {})
    kim = (load("bpe-01").learner, parse(path.read_bytes()).learner) == ("kim", "kim")
    assert kim == (form == "handout") and load("bpe-01").seed == 7
    assert not any(cell.outputs for cell in cells if ".check(" in cell.get("source", ""))
    text = read_aloud(cells)
    assert ".check(" in text and "Here are the exercises that the lesson has not asked yet" in text
    assert not re.search(r"\b[Tt]he card\b|\b[Aa] deck\b|answer here|practice\(", text)
    assert all((path.parent / link).exists() for link in re.findall(r"\]\((\w+\.ipynb)\)", text))
    monkeypatch.setattr(classroom, "_said", None)
    assert "answer here" in load("bpe-01").static()["text/html"]  # where there are cards


def test_how_to_hand_in_is_always_said(tmp_path):
    out, key = tmp_path / "out", tmp_path / "out-2" / "key.csv"
    key.parent.mkdir()  # which may lie beside what is handed out
    said = ("--hand-in", "Moodle, until Friday", "--key", key)
    assert run("handout", out, "--seed", 7, "--lessons", "01", *said).returncode == 0
    text = (out / "HAND-IN.txt").read_text(encoding="utf-8")
    assert key.exists() and text.startswith("How to hand in: Moodle, until Friday\n")
    assert "what the cell says when you hand in is what counts" in text
    assert "HAND-IN" not in [one.learner.name for one in find(out)]  # the note is nobody's
    assert "~/tokens/bin/subword-lab open ." in text  # as the letter says where to install it


@pytest.mark.parametrize(
    "options, words",
    [
        ([], ["room 5", "pip install", "subword-lab doctor", "tokens/bin/subword-lab open"]),
        (["--course", "./subword_lab.whl"], ['pip install "./subword_lab.whl"']),
        (["--hub"], ["room 5", "nothing to install"]),
    ],
)
def test_the_letter_says_when_where_and_what_to_install(options, words):
    done = run("letter", "--day", "Tuesday", "--minutes", 90, "--address", "room 5", *options)
    assert done.returncode == 0 and ("--hub" in options) == ("pip" not in done.stdout)
    assert not [each for each in ("Tuesday, for 90 minutes", *words) if each not in done.stdout]


def test_what_is_there_already_is_left(tmp_path, monkeypatch):
    out = tmp_path / "out"
    handout(out, [LESSON], ["kim"], seed=7)
    (out / "kim" / "01_bpe.ipynb").write_text("worked on")
    handout(out, [LESSON], ["kim", "lee"], seed=7)
    assert (out / "kim" / "01_bpe.ipynb").read_text() == "worked on"
    assert (out / "lee" / "01_bpe.ipynb").is_file()
    with pytest.raises(ValueError, match="already holds copies for other settings"):
        handout(out, [LESSON], ["kim"], seed=8)
    assert handout(tmp_path / "all", [LESSON], seed=7) == [tmp_path / "all"]  # one copy for all
    monkeypatch.chdir(tmp_path / "all")
    assert (load("bpe-01").seed, load("bpe-01").learner) == (7, "")


@pytest.mark.parametrize(
    "names, words",
    [
        *(
            (["kim", name], "cannot be used for a folder")
            for name in ("a/b", "..", "", "a\nb", "x" * 101, "a:b", ".hidden")
        ),
        (["kim", "Kim"], "given twice"),
        (["Zo\u00eb", "Zoe\u0308"], "given twice, also as"),
        (["kim", "K\u0456m"], "given twice, also as"),
        *(
            ([name], "the marking would take it for another one's")
            for name in ("submitted", "__MACOSX", "__MACOSX Su", "HAND-IN.txt", "kim_101_7_amina")
        ),
        *(
            ([name], "another one's")
            for name in ("kim_5_assignsubmission_a", "a_5_assignsubmission_file_")
        ),
        (["CON"], "device"),
        (["lpt1.x"], "device"),
        (["Kim."], "drops a dot"),
        (["Kim "], "drops a dot"),
        (["Kim\xa0Lee"], r"something that nobody sees, \\xa0"),
    ],
)
def test_names_that_no_folder_can_have(names, words):
    with pytest.raises(ValueError, match=words):
        checked_names(names)


def test_names_may_have_the_joiners_that_their_script_needs():
    names = ["علی\u200cرضا", "ක්\u200dරිෂ්"]
    assert checked_names(names) == names


def test_a_course_that_asks_other_figures_is_not_taken_for_this_one(tmp_path):
    write_course(tmp_path, ["01_bpe"], seed=7)
    assert write_course(tmp_path, ["01_bpe"], seed=7) == []
    with pytest.raises(ValueError, match="asks other figures than course"):
        write_course(tmp_path, ["01_bpe"], seed=8)


def test_words_and_brackets_without_end_are_passed_over_in_little_time():
    code = {"cell_type": "code", "source": ["a" * 1_000_000], "outputs": []}
    text = {"cell_type": "markdown", "source": ["[" * 200_000]}
    assert len([*unlinked(spelled_out([code, text]), ())]) == 2


@pytest.mark.parametrize(
    "name, content, read",
    [
        (
            "names.txt",
            "\ufeff# class 7b\r\nKim Lee\r\n\r\nДарья\r\n".encode(),
            ["Kim Lee", "Дарья"],
        ),
        ("names.csv", b"Kim\nLee\n", ["Kim", "Lee"]),
        ("names.txt", b"# nobody\n", "no names"),
        ("names.txt", "Kim\u2028Lee\n".encode(), "cannot be used for a folder"),
        ("names.txt", "Kim Lee".encode("utf-16"), "in UTF-8"),
        ("names.csv", b"Name;Id\nKim;7\n", "is a table"),
        ("names", None, "cannot be read"),
    ],
)
def test_names_are_read_a_line_each(tmp_path, name, content, read):
    file = tmp_path / name
    if content:
        file.write_bytes(content)
    if isinstance(read, list):
        assert read_names(file) == read
    else:
        with pytest.raises(ValueError, match=read):
            read_names(file)


@pytest.mark.parametrize("name", ["handout", "nbgrader", "forms"])
def test_a_file_where_a_folder_should_be_and_a_lesson_that_there_is_not(tmp_path, name):
    (tmp_path / "there").touch()
    done = run(name, tmp_path / "there", "--seed", 7, "--lessons", "01")
    assert done.returncode == 1 and "is a file, or lies under one; name a folder" in done.stderr
    done = run(name, tmp_path / "out", "--seed", 7, "--lessons", "99")
    assert done.returncode == 2 and "there is no lesson '99'; expected one of 00_" in done.stderr
    done = run(name, tmp_path / "out", "--seed", 7, "--lessons", "a/week.ipynb,01,b/week.ipynb")
    assert "a/week.ipynb and b/week.ipynb would be one file; rename one" in done.stderr
    assert done.returncode in (1, 2) and not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_key_holds_the_answers(tmp_path):
    count = write_key(tmp_path / "key.csv", [LESSON], ["kim", "lee"], seed=7)
    with open(tmp_path / "key.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == count
    for row in rows:
        ex = load(row["exercise"], seed=7, learner=row["learner"])
        if ex.kind.name in ("function", "gap", "repair"):
            assert "```python" in row["answer"]
        else:
            typed = row["answer"].removeprefix("'")
            typed = typed[0] if ex.kind.name == "choice" else typed
            assert ex.judge(typed).outcome == "correct"
    write_key(tmp_path / "key.html", [LESSON], ["kim"], seed=7)
    page = (tmp_path / "key.html").read_text(encoding="utf-8")
    functions = {row["exercise"] for row in rows if "```python" in row["answer"]}
    assert page.count("<h2>bpe-01") == 1 and page.count("<h2>") == count // 2
    assert page.count('<th scope="row">kim</th>') == count // 2 - len(functions)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["out", "--seed", "7", "--learners", "nowhere"], "cannot be read from nowhere"),
        (["out", "--seed", "7", "--lessons", "nothing.ipynb"], "nothing.ipynb cannot be read"),
        (["out", "--seed", "7", "--key", "nowhere/key.csv"], "there is no folder"),
        ([".", "--seed", "7", "--key", "key.csv"], "which is handed out"),
        (["out"], "--seed"),
    ],
)
def test_bad_use_of_handout(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    done = run("handout", *arguments)
    assert (
        done.returncode == 2
        and words in done.stderr
        and not done.stdout
        and "Traceback" not in done.stderr
    )


# ----------------------------------------------------------------------------------------------- exercises of one's own


@pytest.mark.slow
def test_own_exercises_are_marked_in_the_sandbox_where_nobody_can_read_their_answers(
    bank, tmp_path, sandbox
):
    file = tmp_path / "own.py"
    file.write_text(EXAMPLE.read_text())
    load_file(file)
    right, wrong = load("class-01", seed=7, learner="kim"), load("class-01", seed=7, learner="lee")
    function = "load('class-02').check(lambda words: max(words, key=len))"
    for name, answer in {
        "eve": "ex.check(ex.asked.answer)",
        "eva": f"import runpy\nown = runpy.run_path({str(file)!r})['count_words']\n"
        "ex.check(own.ask(__import__('subword_lab').exercises.Rng(ex.key)).answer)",
        "kim": rehearsal.answered(right, "correct"),
        "lee": rehearsal.answered(wrong, "letters"),
    }.items():
        cells = ["from subword_lab.exercises import load\nex = load('class-01')", answer, function]
        rehearsal.write_notebook(tmp_path / "in" / f"{name}.ipynb", cells)
    grades = grade(tmp_path / "in", seed=7, exercises_file=file)
    assert grades.frame()[OWN[:2]].to_dict("list") == {
        "class-01": [0, 0, 1, 0],
        "class-02": [2] * 4,
    }
    assert grades.rows[-1].answers["class-01"]["label"] == "letters"


def test_a_question_of_a_kind_of_ones_own_is_asked_as_the_kind_it_is_made_from():
    class Word(Text):
        """A word."""

    asked = Exercise("own-01", "A", Word(case=True), lambda rng: Question("?", "a", [], [], ""))
    (row,) = json.loads(questions([Instance(asked)]))
    assert row["kind"] == "Text" and row["settings"]["case"]


def changed(file, before, after):
    """The file, with the example in it, in which one thing is another."""
    text = EXAMPLE.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))
    return file


def test_a_file_that_changes_is_read_again(bank, tmp_path):
    file = tmp_path / "own.py"
    file.write_text(EXAMPLE.read_text())
    load_file(file)
    file.write_text(EXAMPLE.read_text().replace("class-01", "class-05"))
    assert load_file(file) == ["class-05", *OWN[1:]] and "class-01" not in exercises.catalog([])
    file.write_text("EXERCISES = []")
    with pytest.raises(ValueError, match=r"own\.py has no exercises; expected functions below"):
        load_file(file)


@pytest.mark.parametrize(
    "before, after, words",
    [
        ('"class-02"', '"class-01"', "'class-01' is given twice"),
        ('"class-01"', '"Class 1"', "the id is 'Class 1'"),
        ('"class-01"', '"bpe-01"', "exercise 'bpe-01' already"),
        (" Number(),", " Number,", "TypeError"),
        (" Number(),", " Nmber(),", "line 7: NameError"),
        (
            'level="recall"',
            'level="easy"',
            "level is 'easy'; expected one of recall, apply, transfer",
        ),
        ("answer=len(words)", "answer=len(wrds)", "asking it failed: NameError"),
        ("return Question(", "return dict(text=", "it returned dict; expected a Question"),
        ('hints=["A word is what stands between blanks.",', 'hints=("A word"), _=[', "TypeError"),
        ('"Count the words",', '"Count the words"', r"line \d: SyntaxError"),
        (
            "Choice()",
            'Choice(["yes", "no"])',
            r"line \d+: .*'no'\]\).* its options are the answer and",
        ),
        (
            "Number(digits=2)",
            "Number(2)",
            r"settings of a kind are given by name, as in Number\(dig",
        ),
        (
            "class LongestWord:",
            "def longest_word():",
            "is no class; expected one with the solution",
        ),
    ],
)
def test_a_file_with_an_error_says_where(bank, tmp_path, before, after, words):
    with pytest.raises(ValueError, match=words):
        load_file(changed(tmp_path / "own.py", before, after))


@pytest.mark.parametrize(
    "before, after, words",
    [
        ("len(words) - 1", "len(words)", "RuntimeError: class-01: no figures"),
        (
            "Split the text at its blanks.",
            "A word is what stands between blanks.",
            "not three hints",
        ),
        (
            '"Split the text at its blanks."',
            'f"Is it perhaps {len(words)} ?"',
            "hint 2 holds the answer",
        ),
        (
            "That is the number of letters. Where does a word end?",
            "No.",
            "message of 'letters' is too short",
        ),
        (
            '"That is the number of blanks.',
            'f"Not {len(words)}, the number of blanks.',
            "message of 'blanks' holds the",
        ),
        (
            'why="There is one word more than there are blanks between them.",',
            "",
            "`why` is missing",
        ),
        (
            "count_words(rng):",
            "count_words(rng, ever=iter(range(2, 999))):\n    rng.between = lambda *_: next(ever)",
            "take every random choice from rng",
        ),
        (
            "def count_words(rng):",
            "def count_words(rng, left=[1] * 40):\n    if not left: raise BaseException('late')\n    left.pop()",
            "BaseException: late",
        ),
        (
            "for _ in range(rng.between(4, 40))",
            "for _ in range(1)",
            "there are only 3 different questions",
        ),
    ],
)
def test_a_flawed_exercise_is_not_proven(bank, tmp_path, before, after, words):
    load_file(changed(tmp_path / "own.py", before, after))
    assert words in " ".join(proof.prove(exercises.catalog([])["class-01"], 60))


@pytest.mark.slow
def test_the_commands_begin_prove_and_list_exercises(tmp_path, bank):
    own = tmp_path / "own.py"
    assert run("exercises", "new", own).returncode == 0
    assert own.read_text() == EXAMPLE.read_text()
    assert "already exists" in run("exercises", "new", own).stderr
    done = run("exercises", "check", own, "--variants", 50)
    assert done.returncode == 0 and [line.split(" (")[0] for line in done.stdout.splitlines()] == [
        f"{id}: proven on 50 variants" for id in OWN
    ]
    changes = {'"Split the text at its blanks."': "f'Is it perhaps {len(words)} ?'"}
    changes |= {"Count the words": r"Count \x1b[2J", "class-0": "own-0"}
    for before, after in changes.items():
        own.write_text(own.read_text().replace(before, after))
    flawed = run("exercises", "check", own, "--variants", 50)
    assert flawed.returncode == 1 and "1 of 4 exercises" in flawed.stderr
    assert "own-01: not proven" in flawed.stdout
    assert "in variant 0 hint 2 holds the answer" in flawed.stdout
    done = run("exercises", "list", own)
    listed = [line.split()[0] for line in done.stdout.splitlines()]
    assert listed == [*exercises.catalog([own])] and "own-01" in listed
    assert "\x1b" not in done.stdout + flawed.stdout + flawed.stderr
    own.write_text(
        "class Mute(Exception):\n    def __str__(self):\n        return 1 / 0\n\nraise Mute"
    )
    done = run("exercises", "check", own)
    assert done.returncode == 1 and "line 5: Mute: (its text cannot be shown" in done.stderr
    done = run("exercises", "check", tmp_path / "nowhere.py")
    assert done.returncode == 1 and "there is no file" in done.stderr
