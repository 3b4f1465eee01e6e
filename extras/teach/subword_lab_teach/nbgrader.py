"""A course for nbgrader, made of the lessons: sources that `nbgrader generate_assignment`, `autograde` and
`generate_feedback` take as they are.

What nbgrader needs to know stands in three kinds of cells: one at the beginning that says which figures are asked, one
for each question, and one behind each answer that counts, whose value is the points; nbgrader keeps all three as they
were handed out. Answers stand in the cells of the lesson.

nbgrader runs a learner's code beside its tests, and believes what they say. Whoever has reason not to can mark the same
submissions with `subword-lab grade`, which judges outside, and reads nbgrader's folder `submitted`.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from subword_lab import lessons
from subword_lab.exercises import catalog
from subword_lab.exercises.classroom import named
from subword_lab.exercises.live import NOT_HERE
from subword_lab.files import write_whole

from .cells import LOADED, code_cell, lesson_notebook, spelled_out, write_notebook

CONFIG = f"""# What nbgrader needs to know in this folder. It was written by subword-lab, and is yours to change.
import os

# Marking answers leaves no trace in your own progress, and tells no room.
os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_ROOM="{NOT_HERE}", SUBWORD_LAB_NO_WIDGETS="1")
os.environ.pop("SUBWORD_LAB_LEARNER", None)

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "subword-lab"
c.ExecutePreprocessor.timeout = 120
"""


def write_course(
    folder: Path, names: Sequence[str] = (), *, seed: int, by_user: bool = False
) -> list[Path]:
    """Write an nbgrader course into `folder`: its configuration, if there is none, and the sources of the lessons.

    names: lessons; all, if none is named. seed: of the class's figures. by_user: each user of a JupyterHub is asked
    figures of their own; nbgrader's students then have the names of the hub's users. Returns the paths of what was
    written; a source that is there already is left, for somebody may have changed it.

    Raises ValueError for a lesson that there is not.
    """
    written = []
    for lesson in map(lessons.lesson, names or lessons.names()):
        path = folder / "source" / lesson.name / lesson.file
        if not path.exists():
            written.append(write_notebook(path, source(lesson.name, seed=seed, by_user=by_user)))
    config = folder / "nbgrader_config.py"
    if not config.exists():
        write_whole(config, CONFIG)
        written.append(config)
    return written


def source(lesson: str, *, seed: int, by_user: bool = False) -> dict:
    """The source of an assignment, as a notebook's file holds it."""
    notebook = lesson_notebook(lesson)
    learner = "classroom.user()" if by_user else '""'
    first = (
        "# Leave this cell as it is, and run it first: it decides on your figures.\n"
        f"from subword_lab.exercises import classroom, course, load\n\ncourse(seed={seed}, learner={learner})"
    )
    notebook["cells"] = [_locked(first, "course"), *_marked(spelled_out(notebook["cells"]))]
    return notebook


def _marked(cells: Iterable[dict]) -> Iterator[dict]:
    """The cells, with those locked that ask, and one that counts behind each that is answered."""
    asked: dict[str, str] = {}
    for cell in cells:
        text = "".join(cell["source"])
        loaded = dict(LOADED.findall(text)) if cell["cell_type"] == "code" else {}
        asked |= loaded
        if loaded:
            yield _locked(text, f"{'-'.join(loaded.values())}-asks")
        else:
            yield cell | ({"outputs": [], "execution_count": None} if ".check(" in text else {})
        for name in [
            name for name in asked if f"{name}.check(" in text and cell["cell_type"] == "code"
        ]:
            id = asked.pop(name)
            yield _locked(f'load("{id}").points', id, points=catalog(named())[id].points)


def _locked(source: str, id: str, **points: int) -> dict:
    about = {
        "grade": bool(points),
        "grade_id": id,
        "locked": True,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return code_cell(source, f"nbgrader-{id}", nbgrader={**about, **points})
