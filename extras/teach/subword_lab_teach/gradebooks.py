"""Grades as files: CSV for spreadsheets, JSON for programs, and the form in which a school's system takes them.

The CSV is UTF-8 with a byte order mark, by which spreadsheets know Cyrillic and Chinese names; `learner` comes first,
so that a program which does not know the mark still finds the columns `id` (as `nbgrader db student import` wants it),
`total` and `percentage`. A cell that a spreadsheet would take for a formula begins with an apostrophe.

A school's system takes the file that it exported, with our columns filled in.

canvas: Gradebook, Export, as CSV; its rows of settings stay, and a row of possible points is filled in. moodle:
Grades, Export, as plain text, or the grading worksheet of an assignment. Each lesson is an assignment, under its
heading, `01 Byte-pair encoding`; a column of that name is filled in, and else added. Or one column is named, which gets
the total. Of the worksheet, which is about one assignment, the column Grade gets the share of the maximum, and Feedback
comments what the learner is told.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from pandas import DataFrame

from subword_lab import lessons
from subword_lab.arguments import check
from subword_lab.exercises import Exercise
from subword_lab.files import write_whole

from . import report
from .decisions import COLUMNS, TWIN, check_thousands, read_csv
from .grading import Grades, Row
from .submissions import is_same_name

# At the beginning of a cell, or behind what some spreadsheets take for its end: a semicolon, a tab, a line end. Blanks
# and quotes may come before it, which they leave out.
FORMULA = re.compile(r'^(?=[\t\r\n])|(?:^|(?<=;)|(?<=[\s\S][\t\r\n]))(?=[\s"]*[=+\-@＝＋－＠])')
FORMATS = {  # the columns that say who a row is about: by id, and by name
    "canvas": (("SIS Login ID", "SIS User ID", "ID"), (("Student",),)),
    "moodle": (
        ("Username", "ID number", "Email address", "Identifier"),
        (("Full name",), ("First name", "Surname"), ("First name", "Last name")),
    ),
}
COMMENTS = "Feedback comments"  # a column
OURS = ("subword-lab:", "(Written by subword-lab.)")  # what our comments begin and end with
NUMBERED = {"canvas": "ID", "moodle": "Identifier"}  # where the number is that files are named by
EXCUSED = "EX"  # in a cell of Canvas's, in the place of points
POINTS = r"[0-9]{1,6}(?:[.,][0-9]{0,9})?"
NEEDED = {"canvas": ("Student", "ID", "Section"), "moodle": ()}


def safe(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("Kim;=1+1"), safe("Kim\\n=1+1"), safe("Kim"), safe(-1)
    ("'=1+1", "Kim;'=1+1", "Kim\\n'=1+1", 'Kim', -1)
    """
    return FORMULA.sub("'", cell) if isinstance(cell, str) else cell


def write_csv(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table, with every cell made safe; the file is complete or not there."""
    cells = DataFrame([[safe(cell) for cell in row] for row in (columns, *rows)], dtype=object)
    text = cells.to_csv(index=False, header=False, lineterminator="\r\n")
    write_whole(path, text.encode("utf-8-sig"))


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
            _number(grades.percentage(row)),
            row.late,
            "; ".join(grades.decisions(row)),
            "; ".join(row.remarks),
        ]
        for row in grades.rows
    ]
    write_csv(path, columns, rows)


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
                        "percentage": grades.percentage(row),
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


# ------------------------------------------------------------------------------------------- in a school's own system


@dataclass
class Roster:
    """What a system exported: its columns, and its rows as dictionaries, some of which may be about no learner.

    column: the one that is to be filled in; "" for one for each lesson.
    """

    format: str
    columns: list[str]
    rows: list[dict[str, str]]
    column: str = ""

    @cached_property
    def place(self) -> str:
        """What stands behind the @ of most addresses: the school's own, as a rule. "" if most have none in common."""
        cells = [_plain(row.get(name, "")) for row in self.rows for name in FORMATS[self.format][0]]
        places = Counter(cell.partition("@")[2] for cell in cells if "@" in cell)
        (place, times), *_ = [*places.most_common(1), ("", 0)]
        return place if 2 * times > places.total() else ""


def read_roster(path: Path, format: str, column: str = "") -> Roster:
    """What a system exported. format: "canvas" or "moodle". column: the one to be filled in, or a part of its name.

    Raises ValueError for another format, a file that cannot be read as one of it, or a name of no column or several.
    """
    check(format in FORMATS, f"the format is {format!r}; expected one of {', '.join(FORMATS)}")
    rows = list(read_csv(path, "the roster", NEEDED[format]).values())
    columns, (by_id, by_name) = list(rows[0]) if rows else [], FORMATS[format]
    known = [*by_id, *(name for names in by_name for name in names)]
    check(
        set(known) & set(columns),
        f"the roster {path} has none of the columns {', '.join(known)}; expected an export of {format}'s grades",
    )
    part = re.compile(re.escape(column) + r"(?!(?<=\d)\d)")  # Homework 1 is no part of Homework 10
    fits = [name for name in columns if part.search(name) and name not in (*known, *NEEDED[format])]
    fits = [name for name in fits if name.rstrip(TWIN) == column] or fits
    check(
        len(fits) == 1 or not column,
        f"the column is {column!r}, which fits {len(fits)} of the roster's: "
        + ", ".join(name.rstrip(TWIN) for name in columns),
    )
    book = Roster(format, columns, rows, fits[0] if column else "")
    for row in rows:  # a wrong number is better noticed before everything is marked
        _most(row, book)
    return book


def write_gradebook(path: str | Path, grades: Grades, book: Roster) -> list[str]:
    """Write the roster with the grades in it; a sentence for each learner who is not on it, there twice, or in the row
    of another one.

    A single column gets the whole total, as a share of the points that are possible there, if it says so, and all else
    is kept. Whoever has no grade has blank cells, which leave what the system has, and a comment that says why. A
    comment of somebody else's is kept, and that is said.
    """
    headers = {book.column: grades.exercises} if book.column else _assignments(grades, book)
    possible = max((_most(line, book) for line in book.rows if _is_about_points(line)), default=0)
    problems, every = [], [_found(row, book) for row in grades.rows]
    claims = Counter(id(line) for found in every if len(found) == 1 for line in found)
    for row, found in zip(grades.rows, every):
        shared = len(found) == 1 and claims[id(found[0])] > 1  # by names that learners have chosen
        if len(found) != 1 or shared:
            where = "not alone in a row of" if shared else "twice in" if found else "not in"
            problems.append(
                f"{row.learner.name} ({row.learner.id}) is {where} the roster, and has no grade there"
            )
            continue
        line, share = found[0], (grades.total(row) or 0) / max(grades.possible, 1)
        if waiting := grades.waiting(row):
            what = ", ".join(exercise.id for exercise in waiting)
            problems.append(f"{row.learner.name} has no grade there for {what}, not marked yet")
        for header, exercises in headers.items():
            points = grades.total(row, exercises)
            if line.get(header, "").strip().upper() == EXCUSED:
                problems.append(f"{row.learner.name} is excused in the roster, which was kept")
            elif points is not None and not any(each in waiting for each in exercises):
                line[header] = f"{round(share * possible, 2) if possible else points:g}"
        has_share = (
            grades.possible and grades.total(row) is not None and not waiting and _maximum(line)
        )
        if has_share and "Grade" in line and book.column in ("", "Grade"):
            line["Grade"] = f"{share * (_most(line, book) or 100):.2f}"
        before = re.sub(r"<[^<>]*>", "", line.get(COMMENTS, "")).strip()
        if before and not (before.startswith(OURS[0]) and before.endswith(OURS[1])):
            problems.append(
                f"{row.learner.name} has a comment in the roster already, which was kept"
            )
        elif COMMENTS in line:
            line[COMMENTS] = f"{safe(report.comments(grades, row))}<br>{OURS[1]}"
    for line in filter(_is_about_points, book.rows if not book.column else ()):
        line |= {name: f"{sum(one.points for one in asked)}" for name, asked in headers.items()}
    columns = list(dict.fromkeys([*book.columns, *headers]))
    text = DataFrame(book.rows, columns=columns).to_csv(
        index=False, header=[name.rstrip(TWIN) for name in columns], lineterminator="\r\n"
    )
    write_whole(path, text.encode("utf-8-sig" if book.format == "canvas" else "utf-8"))
    return problems


def _assignments(grades: Grades, book: Roster) -> dict[str, list[Exercise]]:
    """The columns to be filled in, and whose points come into each: a lesson's, or those whose ids begin alike.

    The system writes a number, or more, behind an assignment's name, and perhaps `Assignment: ` before it.
    """
    headers: dict[str, list[Exercise]] = {}
    for exercise in grades.exercises:
        lesson = lessons.of_exercise(exercise.id)
        name = lesson.heading if lesson else exercise.group or exercise.id
        free = [column for column in book.columns if column != name or _holds_points(column, book)]
        added = f"{name} (points)" if name in book.columns else name
        # What is called so itself, or an assignment, comes before a quiz of that name; Canvas puts nothing before it.
        before = ("", "Assignment: ", "[^:]+: ") if book.format == "moodle" else ("",)
        # And what the system alone writes behind it, before anything else.
        behind = (r"(?: \((?:\d+|Real)\))?$", r"(?: \(|$)")
        named = [re.compile(f"{what}{re.escape(name)}{more}") for more in behind for what in before]
        header = next((column for each in named for column in free if each.match(column)), added)
        headers.setdefault(header, []).append(exercise)
    return headers


def _holds_points(column: str, book: Roster) -> bool:
    """Whether a column may be about an assignment, and not about somebody's section or name."""
    by_id, by_name = FORMATS[book.format]
    cells = (row.get(column, "") for row in book.rows)
    systems = {*by_id, *chain(*by_name), *NEEDED[book.format], "Grade"}
    return column not in systems and all(re.fullmatch(POINTS, cell or "0") for cell in cells)


def _is_about_points(line: dict[str, str]) -> bool:
    """Whether this is Canvas's row of possible points."""
    return line.get("Student", "").strip() == "Points Possible" and not line["ID"].strip()


def _maximum(line: dict[str, str]) -> str:
    """The name of the column with the maximum in a grading worksheet of Moodle's; "" if there is none."""
    return next((name for name in line if name.casefold() == "maximum grade"), "")


def _most(line: dict[str, str], book: Roster) -> float:
    """The points to be had, as a row says; 0 if it does not. ValueError if that is no number."""
    name = book.column if _is_about_points(line) else _maximum(line)
    told, where = line.get(name, "").strip() if name else "", f"the roster's column {name!r} says"
    check_thousands(where, told)
    check(re.fullmatch(POINTS, told or "0"), f"{where} {told[:99]!r}; expected a number of points")
    return float(told.replace(",", ".") or 0)


def _found(row: Row, book: Roster) -> list[dict[str, str]]:
    """The rows of a learner: those with their id, or else with their address at the school, or else with their name.

    A number by which a platform named files is an id in one column of that platform's alone: elsewhere, such as among
    user names, it would be somebody else's.
    """
    by_id, by_name = FORMATS[book.format]
    learner, numbered = row.learner, ""
    if row.named.get("id") == learner.id:
        by = "canvas" if "late" in row.named else "moodle"
        numbered = NUMBERED[by] if by == book.format else ""
        by_id = (numbered,) if numbered else ()

    lines = [line for line in book.rows if not _is_about_points(line)]

    def with_id(id: str) -> list[dict[str, str]]:
        forms = {id, f"participant {id}"} if id else set()
        return [
            line for line in lines if any(_plain(line.get(column, "")) in forms for column in by_id)
        ]

    id = _plain(learner.id)
    # Learners may choose an address; hardly one at the place where most have theirs, and a number is nobody's name.
    address = "" if id.isdecimal() else f"{id}@{book.place}"
    return (
        with_id(id)
        or with_id(address)
        or [
            line
            for line in lines
            for names in by_name
            # Whose number stands there, and is another one, is somebody else of that name.
            if not (numbered and line.get(numbered))
            and all(line.get(name) for name in names)
            and is_same_name(learner.name, " ".join(line[name] for name in names))
        ]
    )


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
