"""Grades as files: CSV for spreadsheets and gradebooks, JSON for programs.

The CSV is UTF-8 with a byte order mark, by which spreadsheets know Cyrillic and Chinese names; `learner` comes first,
so that a program which does not know the mark still finds the columns `id` (as `nbgrader db student import` wants it),
`total` and `percentage`. A cell that a spreadsheet would take for a formula begins with an apostrophe.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from subword_lab.files import write_whole

from .grading import Grades, Row

COLUMNS = "learner id total possible percentage late decided remarks".split()
# At the beginning of a cell, or behind what some spreadsheets take for its end: a semicolon, a tab, a line end.
FORMULA = re.compile(r"^(?=[\t\r\n])|(?:^|(?<=;)|(?<=[\s\S][\t\r\n]))(?=\s*[=+\-@＝＋－＠])")


def safe(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("Kim;=1+1"), safe("Kim\\n=1+1"), safe("Kim"), safe(-1)
    ("'=1+1", "Kim;'=1+1", "Kim\\n'=1+1", 'Kim', -1)
    """
    return FORMULA.sub("'", cell) if isinstance(cell, str) else cell


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table, with every cell made safe; the file is complete or not there."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([safe(cell) for cell in row] for row in (columns, *rows))
    write_whole(path, text.getvalue().encode("utf-8-sig"))


def write_grades(path: str | Path, grades: Grades) -> None:
    """A row for each learner, a column for each exercise, with total, possible points, percentage and remarks.

    late is blank for who was in time, and decided where no person decided.
    """
    columns = [*COLUMNS[:2], *(exercise.id for exercise in grades.exercises), *COLUMNS[2:]]
    rows = [
        [
            row.learner.name,
            row.learner.id,
            *(_number(grades.points(row, exercise)) for exercise in grades.exercises),
            _number(grades.total(row)),
            grades.possible,
            _number(percentage(grades, row)),
            row.late,
            "; ".join(grades.decisions(row)),
            "; ".join(row.remarks),
        ]
        for row in grades.rows
    ]
    write_csv(path, columns, rows)


def percentage(grades: Grades, row: Row) -> float | None:
    """A learner's share of the possible points; None if nothing was graded, or there is nothing to be had."""
    total = grades.total(row)
    return None if total is None or not grades.possible else round(100 * total / grades.possible, 1)


def write_json(path: str | Path, grades: Grades) -> None:
    """Everything that is known: each learner's answers with their outcome, label and message, and what failed.

    overrides: the points that a person decided on; marked, those that the marking gave.
    """
    write_whole(
        path,
        json.dumps(
            {
                "seed": grades.seed,
                "possible": grades.possible,
                "left_out": grades.left_out,
                "exercises": [
                    {
                        "id": exercise.id,
                        "title": exercise.title,
                        "kind": exercise.kind.name,
                        "points": exercise.points,
                    }
                    for exercise in grades.exercises
                ],
                "learners": [
                    {
                        "learner": row.learner.name,
                        "id": row.learner.id,
                        "total": grades.total(row),
                        "percentage": percentage(grades, row),
                        "problem": row.problem,
                        "remarks": row.remarks,
                        "flags": row.flags,
                        "notices": row.notices,
                        "late": row.late,
                        "deducted": row.deducted,
                        "hints": row.hints,
                        "solutions": row.solutions,
                        "notebooks": row.notebooks,
                        "answers": row.answers,
                        "overrides": {
                            exercise.id: {
                                "points": override.points,
                                "marked": grades.marked_points(row, exercise),
                                "comment": override.comment,
                            }
                            for exercise in grades.exercises
                            if (override := row.overrides.get(exercise.id))
                        },
                        "failures": row.failures,
                    }
                    for row in grades.rows
                ],
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n",
    )


def _number(value: float | None) -> object:
    """Blank for nothing; 3 rather than 3.0."""
    return "" if value is None else int(value) if value == int(value) else value
