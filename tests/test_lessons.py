"""The table of contents holds what the README, the notebooks and the exercises say."""

import re

import pytest

from subword_lab import exercises, files, lessons

each = pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)


def test_the_readme_has_the_same_table(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (0\d .+?) \| (.+?) \| (\d+) \|$", text, re.MULTILINE) == [
        (lesson.heading, lesson.question, str(lesson.minutes)) for lesson in lessons.LESSONS
    ]


def test_there_is_a_notebook_for_each_and_no_other_is_numbered(root):
    assert sorted(path.stem for path in root.glob("notebooks/[0-9]*.ipynb")) == lessons.names()
    assert [lesson.number for lesson in lessons.LESSONS] == [f"{n:02}" for n in range(10)]


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
