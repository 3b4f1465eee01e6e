"""The forms of a lesson, which are all of one source: the learner's, the instructor's, the slides, and the plan."""

import json
import re
import zipfile

import nbformat
import pytest
from command import run

from subword_lab import lessons
from subword_lab.exercises import catalog, load
from subword_lab_teach import handout, plan
from subword_lab_teach.cells import LOADED, spelled_out
from subword_lab_teach.forms import instructor_notebook, write_instructor_notebook
from subword_lab_teach.handouts import pack
from subword_lab_teach.site.slides import LEFT_OUT, slides, write_slides
from subword_lab_teach.submissions import find, parse

LESSONS = [pytest.param(lesson, id=lesson.name) for lesson in lessons.LESSONS]


def learners_cells(lesson):
    return spelled_out(
        json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    )


def source(cell):
    return "".join(cell["source"])


def asked_in(cells):
    return [
        id
        for cell in cells
        if cell["cell_type"] == "code"
        for _, id in LOADED.findall(source(cell))
    ]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_instructors_form_has_every_cell_of_the_learners_with_the_answers_in_it(lesson):
    """And nothing else but notes, which are tagged: what is left out and added again would be another lesson."""
    notebook = instructor_notebook(lesson.name, seed=7)
    nbformat.validate(nbformat.from_dict(notebook))
    assert "course(seed=7)" in source(notebook["cells"][0])
    theirs = [
        cell
        for cell in notebook["cells"][1:]
        if "instructor" not in cell["metadata"].get("tags", ())
    ]
    mine = [cell for _, cell in plan.sections(learners_cells(lesson))]
    assert asked_in(theirs) == asked_in(mine) and set(asked_in(mine)) == {
        one.id for one in catalog([]).values() if one.group == lesson.exercises
    }
    for cell, original in zip(theirs, mine, strict=True):
        if ".check(" not in source(original):
            assert source(cell) == source(original)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_answer_of_the_instructors_form_is_right(lesson):
    asked = {}
    for cell in instructor_notebook(lesson.name, seed=7)["cells"]:
        if cell["cell_type"] != "code":
            continue
        asked |= {name: load(id, seed=7) for name, id in LOADED.findall(source(cell))}
        if found := re.search(r"^(\w+)\.check\((.*)\)$", source(cell), re.MULTILINE):
            ex, names = asked[found[1]], {}
            exec(source(cell)[: found.start()], names)
            answer = eval(found[2], names)
            if "code" in ex.kind.proofs:  # which is run in the test at the end, of one lesson
                assert not ex.kind.is_untouched(answer)
            else:
                assert ex.judge(answer).outcome == "correct"


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_plan_knows_every_section_and_exercise_and_the_minutes_are_the_lessons(lesson):
    parts = plan.parts(lesson.name)
    assert sum(part.minutes for part in parts) == lesson.minutes
    cells = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    heads = [
        head
        for cell in cells
        if cell["cell_type"] == "markdown"
        for head in re.findall(r"^##+ (.*)$", source(cell), re.MULTILINE)
    ]
    assert [part.title for part in parts] == heads
    known = [id for part in parts for ids in part.split() for id in ids if id != "practice"]
    assert sorted(known) == sorted(set(asked_in(cells)))
    assert sum("practice" in part.exercises for part in parts) == 1
    for part in parts:
        assert not part.minutes or plan.question(part).endswith(("?", ".")), part.title


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_table_of_the_plan_has_code_and_the_deck_at_home(lesson):
    table = plan.lesson_plan(lesson.name)
    in_class, home = (
        [id for row in table.rows for id in row[table.columns.index(name)].split(", ") if id]
        for name in ("in class", "at home")
    )
    assert "practice" in home and in_class
    assert not [id for id in in_class if catalog()[id].kind.card_field == "none"]


def test_every_question_of_ours_belongs_to_a_section():
    assert plan.ASK.keys() <= {
        part.title for lesson in lessons.names() for part in plan.parts(lesson)
    }


@pytest.mark.parametrize("name", plan.ROUTES)
def test_a_route_fits_its_time_and_leaves_a_fifth_of_it_for_practice(name):
    minutes = sum(part.minutes for parts in plan.taken_by(name).values() for part in parts)
    assert 0.2 * plan.MINUTES[name] < plan.MINUTES[name] - minutes
    told = " ".join(repr(plan.route(name)).split())
    assert f"in all {plan.MINUTES[name]}" in told
    assert f"practice and breaks {plan.MINUTES[name] - minutes}" in told


def test_a_route_that_there_is_not():
    with pytest.raises(ValueError, match="route is 'three days'; expected one of 90 minutes"):
        plan.route("three days")


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_slide_for_each_idea_and_no_slide_holds_two(lesson):
    """A slide has at most one cell of text, and between them they have all sections but those that are left out."""
    cells = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    texts = [
        title
        for title, cell in plan.sections(cells[1:])
        if cell["cell_type"] == "markdown" and title not in LEFT_OUT
    ]
    first, *shown = slides(lesson.name)
    assert lesson.question.partition("'")[0] in first and f"{lesson.minutes} minutes" in first
    assert len(shown) == len(texts)
    assert all(slide.count('class="sl-head"') == 1 for slide in shown)


def test_slides_need_nothing_from_anywhere(tmp_path):
    page = write_slides(tmp_path / "slides", "01_bpe").read_text(encoding="utf-8")
    assert not re.search(r"<(?:script|link|img|iframe)[^>]*\s(?:src|href)=(?!\"data:)", page)
    assert "default-src &#x27;none&#x27;" in page and page.count('class="sl-slide"') == len(
        slides("01_bpe")
    )
    assert f">1 / {len(slides('01_bpe'))}</output>" in page


def test_the_command_writes_both_forms(tmp_path):
    command = ["forms", tmp_path / "out", "--lessons"]
    done = run(*command, "01")
    assert done.returncode == 0 and done.stdout.split() == [
        str(tmp_path / "out" / name)
        for name in (
            "instructor/01_bpe.ipynb",
            "slides/01_bpe.html",
            "instructor_guide.ipynb",
            "jupyterhub_config.py",
        )
    ]
    wrong = run(*command, "09")
    assert wrong.returncode == 2 and "there is no lesson '09'" in wrong.stderr
    mine, slides = (tmp_path / "out" / name for name in done.stdout.split()[:2])
    mine.write_text("my own notes")
    (tmp_path / "out" / "jupyterhub_config.py").write_text("# mine")
    before = slides.read_bytes()
    again = run(*command, "01", "--seed", 8)
    assert (
        again.returncode == 1 and f"{mine} has been changed, and is left as it is" in again.stderr
    )
    assert "rename yours and run the same command again" in again.stderr
    assert mine.read_text() == "my own notes" and str(mine) not in again.stdout
    assert (tmp_path / "out" / "jupyterhub_config.py").read_text() == "# mine"
    mine.rename(tmp_path / "out" / "mine.ipynb")
    assert run(*command, "01", "--seed", 8).returncode == 0 and "course(seed=8)" in mine.read_text()
    slides.write_bytes(before + b"<!-- mine -->")
    assert run(*command, "01", "--seed", 9).returncode == 0  # there are no newer slides
    assert slides.read_bytes().endswith(b"mine -->") and "course(seed=9)" in mine.read_text()


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
    pack(folders[1])
    (tmp_path / "back").mkdir()
    for path in packed:
        path.rename(tmp_path / "back" / path.name)
    found = find(tmp_path / "back")
    assert [(one.learner.name, parse(one.read()).learner) for one in found] == [
        ("Kim Lee", "Kim Lee"),
        ("Дарья",) * 2,
    ]


@pytest.mark.slow
def test_the_instructors_form_runs_and_every_check_says_right(tmp_path):
    from nbclient import NotebookClient

    path = write_instructor_notebook(tmp_path, "00_text_to_tokens", seed=7)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    said = [
        output["data"]["text/plain"]
        for cell in notebook.cells
        if ".check(" in cell.source
        for output in cell.get("outputs", ())
        if "data" in output
    ]
    assert len(said) > 10 and all(": correct." in text for text in said)
