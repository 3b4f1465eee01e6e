"""What the tests of marking share: answers as learners give them, notebooks, and what was written about them."""

import csv
import io

from subword_lab.exercises import load
from subword_lab_teach import rehearsal


def answer(id, learner="", seed=7, what="correct"):
    """The cell with an answer to a learner's variant."""
    cell = rehearsal.answered(load(id, seed=seed, learner=learner), what)
    return cell.replace("ex.check", f"load({id!r}).check")


def notebook(path, *cells, **handed_to):
    rehearsal.write_notebook(path, ["from subword_lab.exercises import load", *cells], **handed_to)


def row_of(grades, name):
    return next(row for row in grades.rows if row.learner.name == name)


def points(grades, name):
    return [grades.points(row_of(grades, name), exercise) for exercise in grades.exercises]


def remarks(grades, name):
    return "; ".join(row_of(grades, name).remarks)


def table_of(path):
    """The rows of a CSV file, as dictionaries."""
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
