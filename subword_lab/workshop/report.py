"""What the room got wrong, as one HTML file that needs nothing else: no network, no other file, no script.

Whatever comes from a notebook or a folder's name is text here. Printed, each learner's part begins on its own page.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import html
from ..exercises import Exercise
from ..files import write_whole
from ..html import Html, Shown, pieces, tag
from ..views import Figure, bar_chart, table
from ..views.tables import Cell
from .grading import Grades, Row, counted, remarks
from .tables import percentage

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_BARS = 15
HARDEST = 10
RESULTS = {"correct": "right", "partial": "partly", "incorrect": "wrong", "error": "failed", "timeout": "failed",
           "not attempted": "blank", "invalid": "blank"}                        # outcome -> how it is counted
NO_ANSWER = {"outcome": "not attempted", "label": "", "message": ""}


def write_report(path: str | Path, grades: Grades, title: str = "What the room got wrong") -> None:
    """Write the report on a class to an HTML file."""
    write_whole(path, report(grades, title))


def report(grades: Grades, title: str = "What the room got wrong") -> str:
    """The report as a page of HTML."""
    return html.page(title, _overview(grades), _mistakes(grades), _hardest(grades), _distribution(grades),
                     _names(grades), *(_learner(grades, row) for row in grades.rows))


# -------------------------------------------------------------------------------------------------- figures of the room

def answers(grades: Grades) -> DataFrame:
    """Every exercise of every learner who was graded, a row each: what was answered, and what it was worth.

    Columns: learner, exercise (its id), points, outcome, label (of the mistake, or ""), message (what they are told).
    """
    from pandas import DataFrame

    rows = [(row.learner.name, exercise.id, grades.points(row, exercise), answer["outcome"], answer["label"],
             answer["message"])
            for row in grades.rows if not row.problem for exercise in grades.exercises
            for answer in [row.answers.get(exercise.id, NO_ANSWER)]]
    return DataFrame(rows, columns=["learner", "exercise", "points", "outcome", "label", "message"])


def mistakes(grades: Grades) -> DataFrame:
    """The mistakes that are known by name, a row each, those of most learners first.

    Columns: exercise (its id), label, learners (how many), message (what they are told; where that depends on the
    variant, one learner's), who (their names).
    """
    named = answers(grades).query("label != ''").groupby(["exercise", "label"], as_index=False)
    found = named.agg(learners=("learner", "size"), message=("message", "first"), who=("learner", ", ".join))
    return found.sort_values("learners", ascending=False, kind="stable", ignore_index=True)


def difficulty(grades: Grades) -> DataFrame:
    """The exercises, a row each, the hardest first.

    Columns: title; reached, the share of its points that the room has, 0 to 1; and how many learners were right,
    partly right, wrong, failed (their code broke off, or took too long) or left it blank.
    """
    from pandas import DataFrame, crosstab

    given, ids = answers(grades), [exercise.id for exercise in grades.exercises]
    counts = crosstab(given["exercise"], given["outcome"].map(RESULTS))
    counts = counts.reindex(index=ids, columns=list(dict.fromkeys(RESULTS.values())), fill_value=0)
    exercises = DataFrame({"title": [exercise.title for exercise in grades.exercises],
                           "reached": given.groupby("exercise")["points"].mean().reindex(ids)
                           / [exercise.points for exercise in grades.exercises]}, index=counts.index)
    return exercises.join(counts).rename_axis(columns=None).sort_values("reached", kind="stable")


def mistakes_chart(grades: Grades) -> Figure:
    """The mistakes that most learners made, as bars.

    Raises ValueError if no mistake was named.
    """
    top = {f"{row['exercise']}:{row['label']}": row["learners"]
           for row in mistakes(grades).head(MOST_BARS).to_dict("records")}
    if not top:
        raise ValueError("grades holds no mistake that is known by name; there is nothing to draw")
    first, most = next(iter(top.items()))
    alt = (f"Bar chart of the {counted(len(top), 'mistake')} that most learners made. The first, {first}, was "
           f"made by {counted(most, 'learner')}.")
    return bar_chart(top, alt, xlabel="learners")


# ------------------------------------------------------------------------------------------------------------- the room

def _overview(grades: Grades) -> Html:
    shares = _shares(grades)
    refused = [f"{row.learner.name}: {row.problem}" for row in grades.rows if row.problem]
    words = (f"{counted(len(grades.rows), 'learner')}, {counted(len(grades.exercises), 'exercise')}, "
             f"{counted(grades.possible, 'point')} to be had.")
    if shares:
        words += (f" On average {sum(shares) / len(shares):.0f}% were reached; the lowest is {min(shares):.0f}%, the "
                  f"highest {max(shares):.0f}%.")
    return pieces(tag("p", words), pieces(tag("p", "Not graded:"), _list(refused)) if refused else None)


def _mistakes(grades: Grades) -> Html:
    found = mistakes(grades)
    if found.empty:
        return pieces(tag("h2", "Misconceptions"), tag("p", "No answer looks like a mistake that is known by name."))
    rows = [[Cell(f"{row['exercise']} {row['label']}", pieces(row["exercise"], row["label"], between="<br>")),
             row["learners"], Cell(row["message"], html.to_html(row["message"])), row["who"]]
            for row in found.to_dict("records")]
    return pieces(tag("h2", "Misconceptions"),
                  tag("p", "Mistakes that are known by name, by how many learners made them."), mistakes_chart(grades),
                  table(rows, ["mistake", "learners", "what a learner is told", "who"]))


def _hardest(grades: Grades) -> Html:
    found = difficulty(grades).dropna().head(HARDEST)
    if found.empty:
        return Html()
    rows = [[f"{id} {title}", f"{reached:.0%}", *counts] for id, title, reached, *counts in found.itertuples()]
    return pieces(tag("h2", "Hardest exercises"), tag("p", "By the share of their points that the room reached."),
                  table(rows, ["exercise", *found.columns[1:]]))


def _distribution(grades: Grades) -> Html:
    shares = _shares(grades)
    if not shares:
        return Html()
    bins = [f"{low}–{low + 9}%" for low in range(0, 90, 10)] + ["90–100%"]
    count = Counter(min(int(share // 10), 9) for share in shares)
    values = {name: count[number] for number, name in enumerate(bins)}
    alt = "Bar chart of how many learners reached which share of the points: " + ", ".join(
        f"{name}: {value}" for name, value in values.items() if value) + "."
    return pieces(tag("h2", "Distribution"), bar_chart(values, alt, xlabel="learners"))


def _shares(grades: Grades) -> list[float]:
    return [share for row in grades.rows if (share := percentage(grades, row)) is not None]


# --------------------------------------------------------------------------------------------------------- each learner

def _names(grades: Grades) -> Html:
    links = _list(tag("a", row.learner.name, href=f"#learner-{number}") for number, row in enumerate(grades.rows))
    return pieces(tag("h2", "To hand back"), tag("nav", links))


@dataclass(frozen=True, repr=False)
class LearnersPart(Shown):
    """What `feedback` returns: a learner's part of the report in a notebook, its headlines elsewhere."""
    headlines: list[str]
    section: Html

    def __repr__(self) -> str:
        return "\n".join(self.headlines)

    def html(self) -> Html:
        return self.section


def feedback(grades: Grades, name: str) -> LearnersPart:
    """What a learner is told, as in the report.

    Raises ValueError if nobody has this name.
    """
    row = next((row for row in grades.rows if row.learner.name == name), None)
    if row is None:
        raise ValueError(f"name is {name!r}; expected one of {', '.join(row.learner.name for row in grades.rows)}")
    lines = [f"{name}: {grades.total(row) or 0:g} of {counted(grades.possible, 'point')}", *remarks(row)]
    lines += [f"{id}: {answer['outcome']}. {answer['message']}" for id, answer in row.answers.items()]
    return LearnersPart(lines, _learner(grades, row))


def _learner(grades: Grades, row: Row) -> Html:
    told = tag("p", "; ".join(remarks(row))) if row.problem else pieces(*_results(grades, row))
    return tag("section", tag("h3", row.learner.name), told, class_="sl-learner",
               id=f"learner-{grades.rows.index(row)}")


def _results(grades: Grades, row: Row) -> Iterable[Html]:
    """What is told to a learner who was graded."""
    share = percentage(grades, row)
    of_all = "" if share is None else f", {share:g}%"
    yield tag("p", f"{grades.total(row):g} of {grades.possible} points{of_all}.")
    outcomes = {exercise: row.answers.get(exercise.id, NO_ANSWER)["outcome"] for exercise in grades.exercises}
    for outcome, word in (("correct", "Right"), ("not attempted", "Not answered")):
        if ids := [exercise.id for exercise in outcomes if outcomes[exercise] == outcome]:
            yield tag("p", f"{word}: {', '.join(ids)}.")
    if row.remarks:
        yield _list(row.remarks)
    for exercise, outcome in outcomes.items():
        if outcome not in ("correct", "not attempted"):
            yield _feedback(exercise, row.answers[exercise.id])


def _feedback(exercise: Exercise, answer: dict) -> Html:
    points = f"{answer['score'] * exercise.points:g} of {exercise.points}"
    body = pieces(
        tag("p", "The answer was ", tag("code", answer["answer"]), ".") if answer["answer"] else None,
        html.to_html(answer["message"]),
        tag("p", "It was given to another variant than the one handed out.") if answer["other_variant"] else None,
        html.details("Details", html.to_html(answer["evidence"])) if answer["evidence"] else None)
    return html.box(f"{exercise.id} · {exercise.title}: {answer['outcome']}, {points}", body,
                    tone="note" if answer["outcome"] == "invalid" else "bad")


def _list(items: Iterable[object]) -> Html:
    return tag("ul", *(tag("li", item) for item in items))
