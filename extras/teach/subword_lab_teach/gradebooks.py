"""Grades in the form in which a school's system takes them: the file that it exported, with our columns filled in.

canvas: Gradebook, Export, as CSV; its rows of settings stay, and a row of possible points is filled in. moodle:
Grades, Export, as plain text, or the grading worksheet of an assignment. Each lesson is an assignment, under its
heading, `01 Byte-pair encoding`; a column of that name is filled in, and else added. Of the worksheet, which is about
one assignment, the column Grade gets the share of the maximum.
"""

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pandas import DataFrame

from subword_lab import lessons
from subword_lab.exercises import Exercise
from subword_lab.files import write_whole

from .grading import Grades, Override, Row
from .submissions import spellings

FORMATS = {  # the columns that say who a row is about: by id, and by name
    "canvas": (("SIS Login ID", "SIS User ID", "ID"), (("Student",),)),
    "moodle": (
        ("Username", "ID number", "Email address", "Identifier"),
        (("Full name",), ("First name", "Surname"), ("First name", "Last name")),
    ),
}
OVERRIDES = ("learner", "exercise", "points", "comment")
NEEDED = {"canvas": ("Student", "ID", "Section"), "moodle": ()}


@dataclass
class Roster:
    """What a system exported: its columns, and its rows as dictionaries, some of which may be about no learner."""

    format: str
    columns: list[str]
    rows: list[dict[str, str]]


def write_gradebook(path: str | Path, grades: Grades, book: Roster) -> list[str]:
    """Write the roster with the grades in it; a sentence for each learner who is not on it, or there twice.

    Whoever handed in nothing has blank cells, which leave what the system has.
    """
    assignments: dict[
        str, list[Exercise]
    ] = {}  # a lesson, or exercises of one's own that begin alike
    for exercise in grades.exercises:
        lesson = lessons.of_exercise(exercise.id)
        assignments.setdefault(lesson.heading if lesson else exercise.group, []).append(exercise)
    headers = {  # the system writes a number, or more, behind an assignment's name
        name: next((column for column in book.columns if name in column), name)
        for name in assignments
    }
    columns = book.columns + [header for header in headers.values() if header not in book.columns]
    problems = []
    for row in grades.rows:
        found = _found(row, book)
        if len(found) != 1:
            where = "twice in" if found else "not in"
            problems.append(
                f"{row.learner.name} ({row.learner.id}) is {where} the roster, and has no grade there"
            )
        elif grades.total(row) is not None:
            for name, exercises in assignments.items():
                points = sum(grades.points(row, exercise) or 0 for exercise in exercises)
                found[0][headers[name]] = f"{points:g}"
            if (
                book.format == "moodle"
                and {"Grade", "Maximum Grade"} <= set(book.columns)
                and grades.possible
            ):
                most = float(found[0]["Maximum Grade"].replace(",", ".") or 100)
                found[0]["Grade"] = f"{(grades.total(row) or 0) / grades.possible * most:.2f}"
    for about in book.rows if book.format == "canvas" else ():
        if about["Student"].strip() == "Points Possible" and not about["ID"].strip():
            about |= {
                headers[name]: f"{sum(one.points for one in asked)}"
                for name, asked in assignments.items()
            }
    text = DataFrame(book.rows, columns=columns).to_csv(index=False, lineterminator="\r\n")
    write_whole(path, text.encode("utf-8-sig" if book.format == "canvas" else "utf-8"))
    return problems


def read_roster(path: Path, format: str) -> Roster:
    """What a system exported. format: "canvas" or "moodle".

    Raises ValueError for another format, or a file that cannot be read as one of it.
    """
    if format not in FORMATS:
        raise ValueError(f"the format is {format!r}; expected one of {', '.join(FORMATS)}")
    lines = list(_read_csv(path, "the roster").values())
    columns = list(lines[0]) if lines else []
    by_id, by_name = FORMATS[format]
    known = [*by_id, *(column for names in by_name for column in names)]
    if missing := [name for name in NEEDED[format] if name not in columns]:
        raise ValueError(
            f"the roster {path} has no column {', '.join(missing)}; expected {format}'s export"
        )
    if not set(known) & set(columns) or None in columns or any(None in line for line in lines):
        raise ValueError(
            f"the roster {path} has none of the columns {', '.join(known)}, or longer rows than columns; "
            f"expected an export of {format}'s grades"
        )
    return Roster(format, columns, lines)


def read_overrides(path: Path) -> list[Override]:
    """A person's decisions, from a CSV file with the columns learner, exercise, points and comment.

    Raises ValueError for a file without one of these columns, or a line that cannot be read; it names the line.
    """
    overrides = []
    for number, line in _read_csv(path, "the file of overrides", OVERRIDES).items():
        place = f"{path}, line {number}"
        if None in line:
            raise ValueError(
                f"{place}: there are more cells than columns; put quotes around commas"
            )
        learner, exercise, points, comment = (line[name].strip() for name in OVERRIDES)
        try:
            worth = float(points.replace(",", "."))
        except ValueError:
            raise ValueError(f"{place}: the points are {points!r}; expected a number") from None
        overrides.append(Override(learner, exercise, worth, comment, place))
    return overrides


def _read_csv(path: Path, what: str, needed: Sequence[str] = ()) -> dict[int, dict[str, str]]:
    """The rows of a CSV file by the numbers of the lines in which they end. ValueError if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
        missing = [name for name in needed if name not in (table.fieldnames or ())]
        rows = {}
        for row in table:
            rows[table.line_num] = row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{what} {path} cannot be read as a CSV file: {reason}") from None
    if missing:
        raise ValueError(
            f"{what} {path} has no column {', '.join(missing)} in line 1; expected {', '.join(needed)}"
        )
    return rows


def _found(row: Row, book: Roster) -> list[dict[str, str]]:
    """The rows of a learner: those with one of their ids, or else those with their name."""
    by_id, by_name = FORMATS[book.format]
    own = {_plain(row.learner.id), _plain(row.learner.name)}
    found = [line for line in book.rows if any(_id(line.get(column, "")) & own for column in by_id)]
    return found or [
        line
        for line in book.rows
        for names in by_name
        if all(line.get(name) for name in names)
        and spellings(row.learner.name) & spellings(" ".join(line[name] for name in names))
    ]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _id(cell: str) -> set[str]:
    """An id as it stands, an address without its place, and Moodle's `Participant 123` as the number."""
    text = _plain(cell)
    return {text, text.partition("@")[0], text.removeprefix("participant ")} - {""}
