"""What the room got wrong, as one HTML file that needs nothing else: no network, no other file, no script.

Whatever comes from a notebook or a folder's name is text here. Printed, each learner's part begins on its own page.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path

from .. import html
from ..exercises import Exercise
from ..views import Figure, bar_chart, table
from ..views.shown import Shown, static
from ..views.tables import Cell
from .grading import Grades, Row, counted, remarks
from .tables import percentage, write

MOST_BARS = 15
HARDEST = 10
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
nav ul { columns: 12em; padding-left: 1.2em; }
section.learner { border-top: 1px solid #7a859466; margin-top: 2em; }
pre { overflow-x: auto; }
.sl-view { overflow-x: auto; }
.sl-table p { margin: 0; }
@media print { section.learner { break-before: page; border: none; } nav { display: none; } }
"""
Mistake = tuple[str, str]                       # exercise id, label


def write_report(path: str | Path, grades: Grades, title: str = "What the room got wrong") -> None:
    """Write the report on a class to an HTML file."""
    write(path, report(grades, title))


def mistakes(grades: Grades) -> Counter[Mistake]:
    """How many learners made which mistake, the most frequent first."""
    count = Counter((id, answer["label"]) for row in grades.rows for id, answer in row.answers.items()
                    if answer["label"] and any(exercise.id == id for exercise in grades.exercises))
    return Counter(dict(sorted(count.items(), key=lambda item: (-item[1], item[0]))))


def hardest(grades: Grades) -> list[tuple[Exercise, float]]:
    """The exercises with the share of their points that the room reached, the lowest first."""
    graded = [row for row in grades.rows if not row.problem]
    shares = [(exercise, sum(grades.points(row, exercise) for row in graded) / (exercise.points * len(graded)))
              for exercise in grades.exercises] if graded else []
    return sorted(shares, key=lambda entry: entry[1])


def report(grades: Grades, title: str = "What the room got wrong") -> str:
    """The report as a page of HTML."""
    parts = [_overview(grades), _misconceptions(grades), _hardest(grades), _distribution(grades), _names(grades),
             *(_learner(grades, row) for row in grades.rows)]
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
            f'content="{POLICY}"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
            f"<style>{STYLE}{static('views.css')}</style></head>\n<body><main><h1>{escape(title)}</h1>\n"
            + "\n".join(parts) + "\n</main></body></html>\n")


# ------------------------------------------------------------------------------------------------------------- the room

def _overview(grades: Grades) -> str:
    shares = _shares(grades)
    refused = [row for row in grades.rows if row.problem]
    words = [f"{counted(len(grades.rows), 'learner')}, {counted(len(grades.exercises), 'exercise')}, "
             f"{counted(grades.possible, 'point')} to be had."]
    if shares:
        words.append(f"On average {sum(shares) / len(shares):.0f}% were reached; the lowest is {min(shares):.0f}%, the "
                     f"highest {max(shares):.0f}%.")
    text = f"<p>{' '.join(words)}</p>"
    if refused:
        text += "<p>Not graded:</p>" + _list(f"{row.learner.name}: {row.problem}" for row in refused)
    return text


def mistakes_chart(grades: Grades) -> Figure:
    """The mistakes that most learners made, as bars.

    Raises ValueError if no mistake was named.
    """
    top = dict(list(mistakes(grades).items())[:MOST_BARS])
    if not top:
        raise ValueError("grades holds no mistake that is known by name; there is nothing to draw")
    names = {mistake: ":".join(mistake) for mistake in top}
    first = next(iter(top))
    alt = (f"Bar chart of the {counted(len(top), 'mistake')} that most learners made. The first, {names[first]}, was "
           f"made by {counted(top[first], 'learner')}.")
    return bar_chart({names[mistake]: count for mistake, count in top.items()}, alt, xlabel="learners")


def _misconceptions(grades: Grades) -> str:
    found = mistakes(grades)
    if not found:
        return "<h2>Misconceptions</h2><p>No answer looks like a mistake that is known by name.</p>"
    by_id = {exercise.id: exercise for exercise in grades.exercises}
    rows = [[Cell(" ".join(mistake), "<br>".join(map(escape, mistake))), count,
             _told(grades, by_id[mistake[0]], mistake), ", ".join(_makers(grades, mistake))]
            for mistake, count in found.items()]
    return ("<h2>Misconceptions</h2><p>Mistakes that are known by name, by how many learners made them.</p>"
            + mistakes_chart(grades).html()
            + table(rows, ["mistake", "learners", "what a learner is told", "who"]).html())


def _told(grades: Grades, exercise: Exercise, mistake: Mistake) -> Cell:
    """The message of a mistake; where it depends on the variant, one learner's."""
    message = next(row.answers[exercise.id]["message"] for row in grades.rows
                   if exercise.id in row.answers and row.answers[exercise.id]["label"] == mistake[1])
    return Cell(message, html.to_html(message))


def _makers(grades: Grades, mistake: Mistake) -> list[str]:
    return [row.learner.name for row in grades.rows if row.answers.get(mistake[0], {}).get("label") == mistake[1]]


def _hardest(grades: Grades) -> str:
    shares = hardest(grades)[:HARDEST]
    if not shares:
        return ""
    rows = [[f"{exercise.id} {exercise.title}", f"{share:.0%}", *_outcomes(grades, exercise)]
            for exercise, share in shares]
    return ("<h2>Hardest exercises</h2><p>By the share of their points that the room reached.</p>"
            + table(rows, ["exercise", "reached", "right", "partly", "wrong", "failed", "blank"]).html())


def _outcomes(grades: Grades, exercise: Exercise) -> list[int]:
    count = Counter(row.answers[exercise.id]["outcome"] if exercise.id in row.answers else "not attempted"
                    for row in grades.rows if not row.problem)
    return [count["correct"], count["partial"], count["incorrect"], count["error"] + count["timeout"],
            count["not attempted"] + count["invalid"]]


def _distribution(grades: Grades) -> str:
    shares = _shares(grades)
    if not shares:
        return ""
    bins = [f"{low}–{low + 9}%" for low in range(0, 90, 10)] + ["90–100%"]
    count = Counter(min(int(share // 10), 9) for share in shares)
    values = {name: count[number] for number, name in enumerate(bins)}
    alt = "Bar chart of how many learners reached which share of the points: " + ", ".join(
        f"{name}: {value}" for name, value in values.items() if value) + "."
    return f"<h2>Distribution</h2>{bar_chart(values, alt, xlabel='learners').html()}"


def _shares(grades: Grades) -> list[float]:
    return [share for row in grades.rows if (share := percentage(grades, row)) is not None]


# --------------------------------------------------------------------------------------------------------- each learner

def _names(grades: Grades) -> str:
    links = "".join(f'<li><a href="#learner-{number}">{escape(row.learner.name)}</a></li>'
                    for number, row in enumerate(grades.rows))
    return f"<h2>To hand back</h2><nav><ul>{links}</ul></nav>"


@dataclass(frozen=True, repr=False)
class Told(Shown):
    """What `feedback` returns: a learner's part of the report in a notebook, its headlines elsewhere."""
    headlines: list[str]
    markup: str

    def __repr__(self) -> str:
        return "\n".join(self.headlines)

    def html(self) -> str:
        return self.markup


def feedback(grades: Grades, name: str) -> Told:
    """What a learner is told, as in the report.

    Raises ValueError if nobody has this name.
    """
    row = next((row for row in grades.rows if row.learner.name == name), None)
    if row is None:
        raise ValueError(f"name is {name!r}; expected one of {', '.join(row.learner.name for row in grades.rows)}")
    lines = [f"{name}: {grades.total(row) or 0:g} of {counted(grades.possible, 'point')}", *remarks(row)]
    lines += [f"{id}: {answer['outcome']}. {answer['message']}" for id, answer in row.answers.items()]
    return Told(lines, _learner(grades, row))


def _learner(grades: Grades, row: Row) -> str:
    number = grades.rows.index(row)
    heading = f'<section class="learner" id="learner-{number}"><h3>{escape(row.learner.name)}</h3>'
    if row.problem:
        return heading + f"<p>{escape('; '.join(remarks(row)))}</p></section>"
    share = percentage(grades, row)
    points = f"{grades.total(row):g} of {grades.possible} points" + (f", {share:g}%" if share is not None else "")
    groups: dict[str, list[Exercise]] = {"right": [], "told": [], "blank": []}
    for exercise in grades.exercises:
        outcome = row.answers.get(exercise.id, {}).get("outcome", "not attempted")
        groups[{"correct": "right", "not attempted": "blank"}.get(outcome, "told")].append(exercise)
    lines = [f"<p>{points}.</p>"]
    for group, word in (("right", "Right"), ("blank", "Not answered")):
        if groups[group]:
            lines.append(f"<p>{word}: {escape(', '.join(exercise.id for exercise in groups[group]))}.</p>")
    if row.remarks:
        lines.append(_list(row.remarks))
    return heading + "".join(lines) + "".join(_feedback(exercise, row.answers[exercise.id])
                                              for exercise in groups["told"]) + "</section>"


def _feedback(exercise: Exercise, answer: dict) -> str:
    points = f"{answer['score'] * exercise.points:g} of {exercise.points}"
    given = f"<p>The answer was <code>{escape(answer['answer'])}</code>.</p>" if answer["answer"] else ""
    other = "<p>It was given to another variant than the one handed out.</p>" if answer["other_variant"] else ""
    more = html.details("Details", html.to_html(answer["evidence"])) if answer["evidence"] else ""
    return html.box(f"{exercise.id} · {exercise.title}: {answer['outcome']}, {points}",
                      given + html.to_html(answer["message"]) + other + more,
                      tone="note" if answer["outcome"] == "invalid" else "bad")


def _list(items) -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"

