"""For whoever teaches: marking a folder of notebooks, handing out variants, and the report on what the room got wrong.

    from subword_lab.workshop import grade, handout, rehearse

    grades = grade("submissions", seed=7)
"""
from .grading import Grades, NoSandbox, Row, grade
from .handout import handout, write_key
from .rehearsal import rehearse
from .tables import write_grades, write_json

__all__ = ["Grades", "NoSandbox", "Row", "grade", "handout", "rehearse", "write_grades", "write_json", "write_key"]
