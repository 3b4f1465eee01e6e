"""For whoever teaches: marking a folder of notebooks, handing out variants, and the report on what the room got wrong.

from subword_lab.workshop import grade, write_report

grades = grade("submissions", seed=7)
write_report("report.html", grades)
"""

from pathlib import Path

from .grading import Grades, NoSandbox, Row, grade
from .handout import handout, write_key
from .rehearsal import rehearse
from .report import difficulty, feedback, mistakes, mistakes_chart, write_feedback, write_report
from .tables import write_grades, write_json

__all__ = [
    "EXAMPLE",
    "HUB",
    "Grades",
    "NoSandbox",
    "Row",
    "difficulty",
    "feedback",
    "grade",
    "handout",
    "mistakes",
    "mistakes_chart",
    "rehearse",
    "write_feedback",
    "write_grades",
    "write_json",
    "write_key",
    "write_report",
]

HUB = (
    Path(__file__).parent / "static" / "jupyterhub_config.txt"
)  # a JupyterHub for a class, to copy
EXAMPLE = Path(__file__).parent / "example_exercises.py"  # an exercise of one's own, to copy
