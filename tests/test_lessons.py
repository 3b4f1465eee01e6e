"""The table of contents holds what the README, the notebooks and the exercises say."""

import re

import nbformat
import pytest

from subword_lab import exercises, files, lessons

each = pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)


def test_the_readme_has_the_same_table(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (0\d .+?) \| (.+?) \| (\d+) \|$", text, re.MULTILINE)
    assert rows == [
        (lesson.heading, lesson.question, str(lesson.minutes)) for lesson in lessons.LESSONS
    ]


def test_there_is_a_notebook_for_each_and_no_other_is_numbered(root):
    assert [
        path.stem for path in sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    ] == lessons.names()
    assert (root / "notebooks" / lessons.GLOSSARY).is_file()
    assert [lesson.number for lesson in lessons.LESSONS] == [
        "00",
        "01",
        "02",
        "03",
        "04",
        "05",
        "06",
        "07",
        "08",
        "09",
    ]


@each
def test_the_notebook_opens_with_title_question_and_minutes(root, lesson):
    cells = nbformat.read(root / "notebooks" / lesson.file, as_version=4).cells
    first, goals = [cell.source for cell in cells if cell.cell_type == "markdown"][:2]
    title, question = re.match(r"# (.+)\n\n\*(.+)\*\n", first).groups()
    assert (title, question) == (lesson.heading, lesson.question)
    assert int(re.search(r"\*\*It\s+takes\*\* (\d+)\s+minutes", goals)[1]) == lesson.minutes


@each
def test_its_exercises_are_found_by_their_ids(root, lesson):
    source = (root / "notebooks" / lesson.file).read_text(encoding="utf-8")
    found = re.findall(r'load\(\\"([a-z]+-\d+)\\"\)(?!\.another)', source)
    assert found and {lessons.of_exercise(id) for id in found} == {lesson}


def test_every_exercise_of_the_course_belongs_to_a_lesson():
    found = [lessons.of_exercise(id) for id in exercises.catalog([])]
    assert [lesson for lesson in lessons.LESSONS if lesson in found] == list(dict.fromkeys(found))


@pytest.mark.parametrize("word", ["", "1", "bp", "01_bpe.ipynb", "BPE", "glossary"])
def test_a_word_that_names_no_lesson(word):
    assert lessons.meant(word) is None


def test_without_notebooks_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons, "__file__", str(tmp_path / "subword_lab" / "lessons.py"))
    with pytest.raises(files.CourseError, match="--force-reinstall subword-lab"):
        lessons.folder()
