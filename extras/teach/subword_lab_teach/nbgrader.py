"""A course for nbgrader, made of the lessons: sources that `nbgrader generate_assignment`, `autograde` and
`generate_feedback` take as they are.

What nbgrader needs to know stands in three kinds of cells: one at the beginning that says which figures are asked, one
for each question, and one behind each answer that counts, whose value is the points. In all three, nbgrader puts
back what was changed. Where a learner takes the first out, figures of seed 0 are asked. Answers stand in the cells of
the lesson.

nbgrader runs a learner's code beside its tests, and believes what they say. Whoever has reason not to can mark the same
submissions with `subword-lab grade`, which judges outside, and reads nbgrader's folder `submitted`.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from subword_lab import lessons
from subword_lab.arguments import check
from subword_lab.exercises import Instance, catalog, live, load_file
from subword_lab.exercises.own import questions
from subword_lab.files import led_away, read_bounded, write_whole

from .cells import (
    LOADED,
    as_text,
    asked_in,
    code_cell,
    first_cell,
    lesson_notebook,
    spelled_out,
    unlinked,
)

CONFIG = f"""# What nbgrader needs to know in this folder. It was written by subword-lab, and is yours to change.
import os

# Marking answers leaves no trace in your own progress, and tells no room.
os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_ROOM="{live.NOT_HERE}", SUBWORD_LAB_NO_WIDGETS="1")
os.environ.pop("SUBWORD_LAB_LEARNER", None)

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "subword-lab"
c.ExecutePreprocessor.timeout = 120
"""
OWN = """
# The answers to your own exercises; learners get the questions alone.
os.environ["SUBWORD_LAB_EXERCISES"] = {file!r}
"""


def write_course(
    folder: Path,
    names: Sequence[str] = (),
    *,
    seed: int,
    by_user: bool = False,
    exercises_file: str | Path | None = None,
) -> list[Path]:
    """Write an nbgrader course into `folder`: its configuration, if there is none, and the sources of the lessons.

    names: lessons, or notebooks such as own.ipynb; all lessons, if none is named. seed: of the class's figures.
    by_user: each user of a JupyterHub is asked figures of their own; nbgrader's students then have the names of the
    hub's users. exercises_file: exercises of your own, whose questions go beside the notebooks that ask them. Returns
    the paths of what was written; a source that is there already is left, for somebody may have changed it.

    Raises ValueError for an unknown lesson or exercise, for a source that asks other figures, for a link in the folder
    where something is to be written, and for exercises of your own `by_user`: their questions are written down here,
    where nobody knows who the users are.
    """
    if exercises_file:
        load_file(exercises_file)
    new: dict[Path, str] = {}
    for name in names or lessons.names():
        place = folder / "source" / Path(name).stem
        asked = [exercise for exercise in asked_in([lesson_notebook(name)]) if exercise.own]
        ids = ", ".join(exercise.id for exercise in asked)
        check(
            not (asked and by_user),
            f"{name} asks exercises of your own ({ids}), which cannot have other figures for each "
            "user; leave out --by-user, or hand the notebook out with `subword-lab handout`",
        )
        files = [f"{Path(exercises_file or '').stem}.json"] if asked else []
        path, call = place / f"{place.name}.ipynb", _call(seed, by_user, files)
        there = read_bounded(path).decode("utf-8", "replace") if path.is_file() else ""
        check(
            "course(seed=" not in there or json.dumps(call)[1:-1] in there,
            f"{path} asks other figures than {call}; remove it, or name another folder",
        )
        new[path] = as_text(source(name, seed=seed, by_user=by_user, files=files))
        for file in files:
            new[place / file] = questions(Instance(exercise, seed) for exercise in asked)
    answers = OWN.format(file=str(Path(exercises_file).absolute())) if exercises_file else ""
    new[folder / "nbgrader_config.py"] = CONFIG + answers
    # A notebook that is there may have been changed; the questions follow their file.
    written = [path for path in new if path.suffix == ".json" or not os.path.lexists(path)]
    for path in written:
        check(
            not led_away(path, folder),
            f"{path} is a link, or lies behind one; remove that, and try again",
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, new[path])
    return written


def source(lesson: str, *, seed: int, by_user: bool = False, files: Sequence[str] = ()) -> dict:
    """The source of an assignment, as a notebook's file holds it. files: of questions, which lie beside it."""
    notebook = lesson_notebook(lesson)
    first = "".join(first_cell("", _call(seed, by_user, files), notebook)["source"])
    cells = _marked(unlinked(spelled_out(notebook["cells"]), ()))
    return {**notebook, "cells": [_locked(first, "course"), *cells]}


def _call(seed: int, by_user: bool, files: Sequence[str]) -> str:
    learner = "classroom.user()" if by_user else '""'
    own = f", exercises={list(files)}" if files else ""
    return f"course(seed={seed}, learner={learner}{own})"


def _marked(cells: Iterable[dict]) -> Iterator[dict]:
    """The cells, with those locked that ask, and one that counts behind each that is answered."""
    asked: dict[str, str] = {}
    for cell in cells:
        text = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
        loaded = dict(LOADED.findall(text))
        asked |= loaded
        yield _locked(text, f"{'-'.join(loaded.values())}-asks") if loaded else cell
        for name in [name for name in asked if f"{name}.check(" in text]:
            id = asked.pop(name)
            yield _locked(f'load("{id}").points', id, points=catalog()[id].points)


def _locked(source: str, id: str, **points: int) -> dict:
    about = {
        "grade": bool(points),
        "grade_id": id,
        "locked": True,
        "schema_version": 3,
        "solution": False,
        "task": False,
        **points,
    }
    return code_cell(source, f"nbgrader-{id}", nbgrader=about)
