"""What a person decides: the points of single answers, what counts that no program marks, and what weighs how much.

Two tables, as CSV files. The overrides say what somebody has: learner, exercise, points, comment. The rubric says what
there is to have: item, points, description. An item of the rubric that is the id of an exercise gives that exercise a
weight; any other is marked by hand, by a row for each learner among the overrides.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from subword_lab.arguments import check
from subword_lab.exercises import Exercise, Kind, Question, Rng
from subword_lab.files import LARGEST, read_bounded

from .submissions import Learner, visible

OVERRIDES = ("learner", "exercise", "points", "comment")
# Of a table of grades, beside those of exercises.
COLUMNS = "learner id total possible percentage late decided remarks".split()
RUBRIC = ("item", "points", "description")
TWIN = "\0"  # behind the name of a column that another one has, too
# In place of an exercise: the percentage that is taken off, whatever the rules say.
DEDUCTION = "deduction"
BY_HAND = Kind("by hand")


@dataclass(frozen=True)
class Override:
    """A person's decision on an exercise of a learner, which counts in place of the marking.

    learner: the name or the id. exercise: its id, or an item's of the rubric, or "deduction": then the points are the
    percentage that is taken off. place: where it is written, for messages.
    """

    learner: str
    exercise: str
    points: float
    comment: str = ""
    place: str = ""


def read_overrides(path: Path) -> list[Override]:
    """A person's decisions, from a CSV file with the columns learner, exercise, points and comment.

    Raises ValueError for a file without one of these columns, or a line that cannot be read; it names the line.
    """
    overrides = []
    for place, row in read_csv(path, "the file of overrides", OVERRIDES).items():
        learner, exercise, points, comment = (row[name].strip() for name in OVERRIDES)
        check_thousands(f"{place}: the points are", points)
        try:
            worth = float(points.replace(",", "."))
        except ValueError:
            raise ValueError(f"{place}: the points are {points!r}; expected a number") from None
        overrides.append(Override(learner, exercise, worth, comment, place))
    return overrides


def check_thousands(where: str, points: str) -> None:
    """ValueError for points such as 1,000. where: how its message begins, which says who wrote them."""
    check(
        not re.fullmatch(r"[1-9]\d*(?:,\d{3})+", points),
        f"{where} {points[:99]!r}, which is a thousand to some, and one to others; write 1000 or 1.0",
    )


def weighed(bank: dict[str, Exercise], path: Path) -> dict[str, Exercise]:
    """The bank with the points of a rubric, and behind its exercises the items that are marked by hand.

    The rubric is a CSV file with the columns item, points and description. Raises ValueError for a file without one of
    these columns, or a line that fits none of the two; it names the line.
    """
    new: dict[str, Exercise] = {}
    for place, row in read_csv(path, "the rubric", RUBRIC).items():
        item, points, description = (row[name].strip() for name in RUBRIC)
        by_hand = Exercise(item, item, BY_HAND, partial(_described, description))
        problems = {
            f"the points are {points[:99]!r}; expected a whole number from 1 to 999999": not (
                points.isdecimal() and len(points) < 7 and int(points)
            ),
            f"the item is {item!r}; expected a name of its own": item
            in ("", DEDUCTION, *COLUMNS, *new),
            f"{item!r} is no exercise; what is marked by hand needs a description": (
                item not in bank and not description
            ),
        }
        for problem, holds in problems.items():
            check(not holds, f"{place}: {problem}")
        new[item] = replace(bank.get(item, by_hand), points=int(points))
    return bank | new


def _described(description: str, rng: Rng) -> Question:
    return Question(description, None, [], [], "")


def called(name: str, learners: Collection[Learner]) -> Learner:
    """Who of the learners has this id, or else this name; ValueError if that is nobody, or several.

    An id that is a name, too, is one that its learner chose: then nobody else's name may look like it.
    """
    found = {one for one in learners if one.id == name}
    if all(one.name == name for one in found):
        found |= {one for one in learners if visible(one.name) == visible(name)}
    how = "several learners are" if found else "nobody who handed something in is"
    ids = ", ".join(sorted(one.id for one in found)[:5])
    check(
        len(found) == 1,
        f"{how} called {name!r}; expected a name or an id{ids and f', such as {ids}'}",
    )
    return found.pop()


def decided(
    overrides: Iterable[Override],
    learners: Collection[Learner],
    graded: Mapping[str, Exercise],
) -> dict[Learner, dict[str, Override]]:
    """The overrides of each learner. ValueError for all that fit no learner or exercise, or not its points."""
    decisions: dict[Learner, dict[str, Override]] = {}
    most = {id: exercise.points for id, exercise in graded.items()} | {DEDUCTION: 100}
    problems = []
    for one in overrides:
        try:
            own = decisions.setdefault(called(one.learner, learners), {})
            before = own.setdefault(one.exercise, one)
            check(
                one.exercise in most,
                f"{one.exercise!r} is no exercise that is graded here; name it with --exercises",
            )
            check(
                0 <= one.points <= most[one.exercise],
                f"the points are {one.points:g}; expected 0 to {most[one.exercise]} for {one.exercise}",
            )
            check(
                before is one,
                f"{one.exercise} of {one.learner} is decided already, in {before.place}",
            )
        except ValueError as error:
            problems.append(f"{one.place}: {error}")
    check(not problems, "\n".join(problems))
    return decisions


def read_csv(path: Path, what: str, needed: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """The rows of a CSV file by the places in which they end, for messages. ValueError if it cannot be read.

    needed: the columns that there must be. Of columns that have one name, the later have `TWIN` behind it.
    """
    try:
        text = read_bounded(path).decode("utf-8-sig")
        before, nul, _ = text.partition("\0")
        if nul:
            raise csv.Error(
                f"line {before.count(chr(10)) + 1} holds the character NUL; take it out"
            )
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        csv.field_size_limit(LARGEST)
        table = csv.DictReader(
            io.StringIO(text, newline=""), delimiter=delimiter, restval="", strict=True
        )
        heads = list(table.fieldnames or ())
        table.fieldnames = [
            name + TWIN * heads[:place].count(name) for place, name in enumerate(heads)
        ]
        rows = {f"{path}, line {table.line_num}": row for row in table}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"{what} {path} cannot be read as a CSV file: {getattr(error, 'strerror', None) or error}"
        ) from None
    missing = ", ".join(name for name in needed if heads.count(name) != 1)
    check(
        not missing,
        f"{what} {path} has no column {missing} in line 1, or has it twice; expected {', '.join(needed)}",
    )
    for place, row in rows.items():
        check(
            None not in row, f"{place}: there are more cells than columns; put quotes around commas"
        )
    return rows
