"""For whoever teaches with subword-lab: handouts, marking, reports, slides, the live room, the site.

import subword_lab_teach as teach

grades = teach.grade("submissions", seed=7)
teach.write_report("report.html", grades)
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

_HERE = Path(__file__).parent
EXAMPLE = _HERE / "static" / "example_exercises.txt"  # exercises of one's own, to copy
GUIDE = _HERE / "instructor_guide.ipynb"  # a short book for whoever teaches
RUBRIC = (
    _HERE / "static" / "rubric.csv"
)  # what is marked by hand of a tokenizer of one's own, to change
HUB = _HERE / "static" / "jupyterhub_config.txt"  # a JupyterHub for a class, to copy

# Imported when it is asked for, so that `subword-lab --help` answers at once.
_MODULES = {
    "Grades": "grading",
    "NoSandbox": "grading",
    "Row": "grading",
    "grade": "grading",
    "Override": "decisions",
    "read_overrides": "decisions",
    "handout": "handouts",
    "write_key": "handouts",
    "rehearse": "rehearsal",
    "difficulty": "report",
    "feedback": "report",
    "mistakes": "report",
    "mistakes_chart": "report",
    "write_feedback": "report",
    "write_report": "report",
    "write_grades": "gradebooks",
    "write_json": "gradebooks",
}
__all__ = ["EXAMPLE", "GUIDE", "HUB", "RUBRIC", *_MODULES]  # noqa: PLE0604


def read(*path: str) -> str:
    """The text of a file that comes with this package; `path` leads to it from the package's folder."""
    return _HERE.joinpath(*path).read_text(encoding="utf-8")


@cache
def _templates() -> Any:
    from tornado.template import Loader

    from subword_lab import arguments, html

    return Loader(str(_HERE), namespace={**vars(html), "counted": arguments.counted})


def filled(template: str, **fields: object) -> Any:
    """A page or a part of one, as HTML: a file that comes with this package, whose fields are text unless it says
    `raw`. The makers of `subword_lab.html` are at hand in it.
    """
    from subword_lab.html import Html

    return Html(_templates().load(template).generate(**fields).decode())


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
