"""The forms of a lesson, which are all of one source: the learner's, the instructor's, the slides, and the plan."""

import html
import json
import os
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from command import run

from subword_lab import lessons
from subword_lab.exercises import Instance, catalog, load
from subword_lab_teach import GUIDE, handout, plan
from subword_lab_teach.cells import LOADED, spelled_out
from subword_lab_teach.forms import instructor_notebook
from subword_lab_teach.handouts import pack
from subword_lab_teach.site.slides import GOALS, LEFT_OUT, slides, write_slides
from subword_lab_teach.submissions import find

LESSONS = [pytest.param(lesson, id=lesson.name) for lesson in lessons.LESSONS]


def source(cell):
    return "".join(cell["source"])


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_instructors_form_has_every_cell_of_the_learners_with_right_answers_in_it(lesson):
    """And nothing else but notes, which are tagged: what is left out and added again would be another lesson."""
    notebook = instructor_notebook(lesson.name, seed=7)
    nbformat.validate(nbformat.from_dict(notebook))
    first, *cells = notebook["cells"]
    assert "course(seed=7)" in source(first)
    theirs = [cell for cell in cells if "instructor" not in cell["metadata"].get("tags", ())]
    read = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    asked = dict[str, Instance]()
    for cell, (_, mine) in zip(theirs, plan.sections(spelled_out(read)), strict=True):
        asked |= {name: load(id, seed=7) for name, id in LOADED.findall(source(cell))}
        if ".check(" not in source(mine):
            assert source(cell) == source(mine)
        elif found := re.search(r"^(\w+)\.check\((.*)\)$", source(cell), re.MULTILINE):
            ex, names = asked[found[1]], {}
            exec(source(cell)[: found.start()], names)
            answer = eval(found[2], names)
            if "code" in ex.kind.proofs:  # which is run in the test at the end, of one lesson
                assert not ex.kind.is_untouched(answer)
            else:
                assert ex.judge(answer).outcome == "correct"
    due = {one.id for one in catalog([]).values() if one.group == lesson.exercises}
    assert {ex.id for ex in asked.values()} == due


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_plan_knows_every_section_and_exercise_and_the_lesson_names_its_minutes(lesson):
    parts = plan.parts(lesson.name)
    text = (lessons.folder() / lesson.file).read_text(encoding="utf-8")
    cells = [source(cell) for cell in json.loads(text)["cells"]]
    heads = re.findall(r"^##+ (.*)$", "\n".join(cells), re.MULTILINE)
    assert [part.title for part in parts] == ["", *heads]
    table = plan.lesson_plan(lesson.name)
    in_class, home = (
        [id for row in table.rows for id in row[table.columns.index(name)].split(", ") if id]
        for name in ("in class", "at home")
    )
    asked = {id for cell in cells for _, id in LOADED.findall(cell)}
    assert in_class and sorted([*in_class, *home]) == sorted([*asked, "practice"])
    assert "practice" in home
    assert not [id for id in in_class if catalog()[id].kind.card_field == "none"]
    for part in parts:
        assert not part.minutes or part.question.endswith(("?", ".")), part.title
    read = [part for part in parts if part.title not in plan.AFTERWARDS]
    alone = sum(part.reading + plan.answering(part.exercises) for part in read)
    assert lesson.minutes == pytest.approx(alone, rel=0.2)


def test_a_plan_fits_its_minutes_and_whoever_has_more_time_does_the_same_and_more():
    before = set()
    for minutes in [*range(30, 960, 60), 960]:
        taken = {(name, part.title): part for name, part in plan.taken_by(minutes)}
        assert sum(part.minutes for part in taken.values()) <= 0.8 * minutes
        assert before <= taken.keys()
        before = set(taken)
        rows = plan.route(minutes).rows
        assert rows[-2][2] > 0 and sum(row[2] for row in rows[:-1]) == rows[-1][2] == minutes
        ids = [id for row in rows for id in row[4].split(", ") if id]
        assert sorted(ids) == sorted(id for part in taken.values() for id in part.in_class)
    assert len(before) == sum(
        bool(it.minutes) for name in lessons.names() for it in plan.parts(name)
    )


def test_what_is_needed_first_comes_first_and_the_detour_last():
    shortest = [(name[:2], part.title) for name, part in plan.taken_by(45)]
    wanted = {
        ("06", "A character is one to four bytes"),
        ("06", "What a sentence costs"),
        ("01", "By hand"),
    }
    assert wanted <= set(shortest)
    half_a_day = {(name, part.title) for name, part in plan.taken_by(210)}
    assert {(name, title) for name, titles in plan.FIRST for title in titles} <= half_a_day
    taught = [{name for name, _ in plan.taken_by(minutes)} for minutes in range(30, 961, 10)]
    before = max((names for names in taught if plan.DETOUR not in names), key=len)
    assert "08_clear_to_fast" in before
    titles = {part.title for lesson in lessons.names() for part in plan.parts(lesson)}
    assert plan.ASK.keys() <= titles


def test_the_command_prints_a_plan_and_the_guide_shows_what_it_prints():
    shown = {
        source(cell): "".join(cell["outputs"][0]["data"]["text/plain"])
        for cell in json.loads(GUIDE.read_text(encoding="utf-8"))["cells"]
        if "plan.route(" in source(cell) and cell["cell_type"] == "code"
    }
    assert list(shown) == ["plan.route(90)", "plan.route(210)", "plan.route(660)"]
    for call, text in shown.items():
        assert run("plan", re.search(r"\d+", call)[0]).stdout == text + "\n"
        assert "*" not in text, "Markdown that nobody renders"
    assert run("plan", "29").returncode == 2
    for minutes in (29, 961, "90 minutes"):
        with pytest.raises(ValueError, match=r"minutes is .*; expected a whole number from 30 to"):
            plan.route(minutes)


@pytest.mark.parametrize("lesson", LESSONS)
def test_slides_ask_the_sections_questions_and_the_notes_hold_the_prose(tmp_path, lesson):
    cells = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    texts = [
        (title, re.sub("^#.*", "", source(cell)))
        for title, cell in plan.sections(cells)
        if cell["cell_type"] == "markdown" and title not in LEFT_OUT and GOALS not in source(cell)
    ]
    _, *shown = write_slides(tmp_path, lesson.name).read_text().split('<section class="sl-slide"')
    titles = [html.unescape(re.search("<h2>(.*?)</h2>", slide, re.DOTALL)[1]) for slide in shown]
    assert titles[0] == lesson.question and re.search(r"<p>\d+ minutes</p>", shown[0])
    assert f"<small>{lesson.title}</small>" in shown[0]
    assert {title for title, _ in texts if title.endswith("?")} <= set(titles)
    told = "".join(re.search("<aside.*?</aside>", slide, re.DOTALL)[0] for slide in shown)
    words = [word for _, text in texts for word in re.findall(r"(?<![\w/.])[a-z]{9,}(?= )", text)]
    assert words and not [word for word in words if word not in told]
    seen = "".join(re.sub(r"<(aside|style|script).*?</\1>", "", "".join(shown), flags=re.DOTALL))
    assert not re.search(r"[Rr]un this cell|Shift\+Enter|# After restarting", seen)


def test_the_command_writes_both_forms(tmp_path):
    command = ["forms", tmp_path / "out", "--lessons"]
    done = run(*command, "01")
    assert done.returncode == 0 and done.stdout.split() == [
        str(tmp_path / "out" / name)
        for name in (
            "instructor/01_bpe.ipynb",
            "instructor_guide.ipynb",
            "jupyterhub_config.py",
            "rubric.csv",
            "slides/01_bpe.html",
        )
    ]
    mine, *_, shown = map(Path, done.stdout.split())
    page = shown.read_text(encoding="utf-8")
    assert not re.search(r"<(?:script|link|img|iframe)[^>]*\s(?:src|href)=(?!\"data:)", page)
    assert "default-src 'none'" in page  # it needs nothing from anywhere
    assert page.count('class="sl-slide"') == len(slides("01_bpe"))
    mine.write_text("my own notes")
    again = run(*command, "01", "--seed", 8)
    assert again.returncode == 1 and mine.read_text() == "my own notes"
    assert f"{mine} has been changed, and is left as it is" in again.stderr
    assert "rename yours and run the same command again" in again.stderr
    mine.unlink()
    assert run(*command, "01", "--seed", 8).returncode == 0 and "course(seed=8)" in mine.read_text()


def test_a_copy_is_packed_with_a_word_on_handing_in_and_comes_back_as_it_is(tmp_path):
    folders = handout(
        tmp_path / "out",
        [lessons.folder() / "01_bpe.ipynb"],
        ["Kim Lee", "Дарья"],
        seed=7,
        hand_in="Moodle, until Friday",
    )
    packed = [pack(folder) for folder in folders]
    assert [path.name for path in packed] == ["Kim Lee.zip", "Дарья.zip"]
    with zipfile.ZipFile(packed[0]) as archive:
        assert sorted(archive.namelist()) == [
            "Kim Lee/01_bpe.ipynb",
            "Kim Lee/HAND-IN.txt",
            "Kim Lee/subword-lab-class.json",
        ]
        assert (
            "How to hand in: Moodle, until Friday\n" in archive.read("Kim Lee/HAND-IN.txt").decode()
        )
    (folders[0] / "key").symlink_to(__file__)
    (folders[0] / ".DS_Store").write_bytes(b"\0")
    assert pack(folders[0]) == packed[0]  # the same again, without the two
    packed[1].write_bytes(b"somebody's")
    with pytest.raises(ValueError, match=r"Дарья\.zip is there already, and holds something else"):
        pack(folders[1])
    packed[1].unlink()
    (folders[1] / "empty.bin").touch()
    os.truncate(folders[1] / "empty.bin", 10**12)
    with pytest.raises(ValueError, match=r"Дарья holds more than 100 MB"):
        pack(folders[1])
    (folders[1] / "empty.bin").unlink()
    pack(folders[1])
    (tmp_path / "back").mkdir()
    for path in packed:
        path.rename(tmp_path / "back" / path.name)
    assert [(one.learner.name, one.notebook.learner) for one in find(tmp_path / "back")] == [
        ("Kim Lee", "Kim Lee"),
        ("Дарья",) * 2,
    ]
