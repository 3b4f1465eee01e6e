"""What came of a class, as HTML files that need nothing else: no network, no other file, no script.

Three kinds of pages: the instructor's report, the same for everybody, without names, and a page for each learner to
hand back. Whatever comes from a notebook or a folder's name is text here.
"""

import os
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import Any

from pandas import DataFrame, crosstab

from subword_lab.arguments import check, counted
from subword_lab.exercises import Exercise, Instance
from subword_lab.files import led_away, write_whole
from subword_lab.html import Html, View, box, details, note, page, pieces, tag, to_html
from subword_lab.views import Figure, bar_chart

from . import filled
from .decisions import BY_HAND, called
from .grading import Grades, Row
from .poll import distribution, words

MOST_BARS = 15
MOST_UNNAMED = 40
QUOTING = ("constant", "only-the-example")  # what is said to these holds what a function returned
SHOWN: dict[str, Any] = {  # how the table of the exercises does
    "formatters": {"reached": "{:.0%}".format},
    "float_format": "{:.2f}".format,
    "na_rep": "",
    "index_names": False,
    "border": 0,
    "classes": "sl-table sl-broad sl-broader",
}
RESULTS = {
    "correct": "right",
    "partial": "partly",
    "incorrect": "wrong",
    "error": "failed",
    "timeout": "failed",
    "not attempted": "blank",
    "invalid": "blank",
}  # outcome -> how it is counted
WORDS = {
    "correct": "right",
    "partial": "partly right",
    "incorrect": "not right",
    "not attempted": "not answered",
    "invalid": "could not be read",
    "error": "your code failed",
    "timeout": "your code took too long",
}
TONES = {"correct": "good", "partial": "note", "invalid": "note", "not attempted": "plain"}
NO_ANSWER = {
    "outcome": "not attempted",
    "score": 0.0,
    "label": "",
    "answer": "",
    "message": "",
    "evidence": "",
}
IN_PART = (
    "An answer that is right in part has a part of the points: a list, what is right from its beginning on; code, up "
    "to half of them if it is right for at least half of the inputs that are tried."
)


def write_report(
    path: str | Path,
    grades: Grades,
    title: str = "What the room got wrong",
    *,
    names: bool = True,
    polls: Sequence[dict] = (),
) -> None:
    """Write the report on a class to an HTML file; see `report`."""
    write_whole(path, report(grades, title, names=names, polls=polls))


def report(
    grades: Grades,
    title: str = "What the room got wrong",
    *,
    names: bool = True,
    polls: Sequence[dict] = (),
) -> str:
    """The report as a page of HTML.

    names: False for a page that everybody may see: it holds no name, and no words of a learner's own. polls: what the
    live room was asked, see `poll.read_polls`.
    """
    reached = difficulty(grades).dropna(subset=["reached"]).set_index("title")
    content = filled(
        "static/report.html",
        grades=grades,
        names=names,
        shares=[share for row in grades.rows if (share := grades.percentage(row)) is not None],
        notes=[(row, told) for row in grades.rows if (told := row.to_look_at)],
        shade=shade,
        items="" if reached.empty else reached.to_html(**SHOWN).replace("<th></th>", "<td></td>"),
        chart=None if mistakes(grades).empty else mistakes_chart(grades),
        mistakes=_mistakes(grades, names),
        **_unnamed(grades, names),
        polls=polls,
        distribution=distribution,
    )
    return page(title, content)


# -------------------------------------------------------------------------------------------------- figures of the room


def answers(grades: Grades) -> DataFrame:
    """Every exercise of every learner who was graded, a row each: what was answered, and what it was worth.

    Where a person decided, the points are theirs; the outcome and the label are what the marking found. What is marked
    by hand alone is left out.

    Columns: learner, exercise (its id), points, outcome, label (of the mistake, or ""), message (what they are told),
    answer (as it was given), tries (how many different answers there were).
    """
    return DataFrame(
        [
            (
                row.learner.name,
                exercise.id,
                grades.points(row, exercise),
                answer["outcome"],
                answer["label"],
                answer["message"],
                answer.get("answer", ""),
                answer.get("tries", 0),
            )
            for row in grades.rows
            for exercise in grades.exercises
            if exercise.kind is not BY_HAND and grades.points(row, exercise) is not None
            for answer in [_answer(row, exercise)]
        ],
        columns=["learner", "exercise", "points", "outcome", "label", "message", "answer", "tries"],
    )


def mistakes(grades: Grades) -> DataFrame:
    """The mistakes that are known by name, a row each, those of most learners first.

    Columns: exercise (its id), label, learners (how many), message (what they are told; where that depends on the
    variant, one learner's), who (their names).
    """
    named = answers(grades).query("label != ''").groupby(["exercise", "label"], as_index=False)
    return named.agg(
        learners=("learner", "size"), message=("message", "first"), who=("learner", ", ".join)
    ).sort_values("learners", ascending=False, kind="stable", ignore_index=True)


def difficulty(grades: Grades) -> DataFrame:
    """The exercises, a row each, the hardest first.

    Columns: title; reached, the share of its points that the room has, 0 to 1; discrimination, the correlation of its
    points with those for all other exercises, -1 to 1 (NaN where all have the same); tries, how many different answers
    a learner who answered gave on average; and how many learners were right, partly right, wrong, failed (their code
    broke off, or took too long) or left it blank.
    """
    given, ids = answers(grades), [exercise.id for exercise in grades.exercises]
    counts = crosstab(given["exercise"], given["outcome"].map(RESULTS)).reindex(
        index=ids, columns=list(dict.fromkeys(RESULTS.values())), fill_value=0
    )
    points = grades.frame().dropna(how="all")
    others = points.rsub(points.sum(axis=1), axis=0)
    compared = points if len(points) > 2 else points[:0]
    exercises = DataFrame(
        {
            "title": [exercise.title for exercise in grades.exercises],
            "reached": given.groupby("exercise")["points"].mean().reindex(ids)
            / [exercise.points for exercise in grades.exercises],
            "discrimination": compared.corrwith(others).reindex(ids),
            "tries": given[given["tries"] > 0].groupby("exercise")["tries"].mean().reindex(ids),
        },
        index=counts.index,
    )
    return exercises.join(counts).rename_axis(columns=None).sort_values("reached", kind="stable")


def mistakes_chart(grades: Grades) -> Figure:
    """The mistakes that most learners made, as bars.

    Raises ValueError if no mistake was named.
    """
    titles = {exercise.id: exercise.title for exercise in grades.exercises}
    top = {
        f"{titles[row['exercise']]} · {words(row['label'])}": row["learners"]
        for row in mistakes(grades).head(MOST_BARS).to_dict("records")
    }
    check(top, "grades holds no mistake that is known by name; there is nothing to draw")
    first, most = next(iter(top.items()))
    return bar_chart(
        top,
        f"Bar chart of the {counted(len(top), 'mistake')} that most learners made. The first, {first}, was "
        f"made by {counted(most, 'learner')}.",
        xlabel="learners",
        words=True,
    )


# ------------------------------------------------------------------------------------------------------------- the room


def shade(grades: Grades, row: Row, exercise: Exercise) -> tuple[str, str]:
    """What a learner has for an exercise, and its color: deeper the more it is; a dot where nothing was answered."""
    points, is_decided = grades.points(row, exercise), exercise.id in row.overrides
    is_blank = RESULTS[_answer(row, exercise)["outcome"]] == "blank"
    if points is None or (is_blank and not is_decided):
        return "" if points is None else "·", ""
    blue = 0.15 + 0.5 * points / max(exercise.points, 1)
    color = f"rgb(0 114 178 / {blue:.2f})" if points else "rgb(213 94 0 / 0.35)"
    return f"{points:g}" + "*" * is_decided, f"background:{color}"


def _mistakes(grades: Grades, names: bool) -> list[list]:
    """Each mistake that is known by name, with what is said to it, an example, and who made it."""
    bank = {exercise.id: exercise for exercise in grades.exercises}
    shown = []
    for id, label, learners, message, who in mistakes(grades).itertuples(index=False):
        row = next(row for row in grades.rows if _answer(row, bank[id])["label"] == label)
        said = message if names or label not in QUOTING else ""
        example = [_figures(bank[id], row)]
        if row.answers[id].get("answer") and (names or not bank[id].kind.free):
            example.append(tag("p", "Answer: ", tag("code", row.answers[id]["answer"])))
        told = pieces(to_html(said), details("An example", pieces(*example)))
        name = pieces(bank[id].title, words(label), between="<br>")
        shown.append([name, learners, told, *[who] * names])
    return shown


def _unnamed(grades: Grades, names: bool) -> dict:
    """Wrong answers that are no mistake known by name, so that somebody can find out which one they are.

    Returns how many there are, and rows of a table for the first ones.
    """
    found = [
        (exercise, row, answer["answer"])
        for exercise in grades.exercises
        for row in grades.rows
        for answer in [_answer(row, exercise)]
        if answer["outcome"] == "incorrect"
        and not (answer["label"] or answer.get("other_variant"))
        and (names or not exercise.kind.free)
    ]
    rows = [
        [
            exercise.title,
            tag("code", answer),
            details(
                "Figures", pieces(_figures(exercise, row), _figures(exercise, row, solved=True))
            ),
            *[row.learner.name] * names,
        ]
        for exercise, row, answer in found[:MOST_UNNAMED]
    ]
    return {"number_unnamed": len(found), "unnamed": rows}


def _answer(row: Row, exercise: Exercise) -> dict:
    return row.answers.get(exercise.id, NO_ANSWER)


# --------------------------------------------------------------------------------------------------------- each learner


def feedback(grades: Grades, name: str) -> View:
    """What a learner is told, as on the page to hand back; its headlines as text.

    name: or the id, where several have the name. Raises ValueError if that is nobody, or several.
    """
    rows = {row.learner: row for row in grades.rows}
    learner = called(name, rows)
    face = tag("section", tag("h3", learner.name), *_results(grades, rows[learner], False))
    return View("\n".join(_lines(grades, rows[learner], learner.name)), face)


def comments(grades: Grades, row: Row) -> str:
    """What a learner is told, in a few lines of HTML, as Moodle keeps comments."""
    return "<br>".join(map(escape, _lines(grades, row, "subword-lab")))


def write_feedback(folder: str | Path, grades: Grades, *, answers: bool = False) -> list[Path]:
    """Write a page for each learner, below the folder where their submission lies below its; returns their paths.

    answers: with the right answer to each exercise. Where anything but a page for this learner lies at a place already,
    the page lies at the top, with a number before its name. Raises OSError if there can be no such folder.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    written: dict[str, Path] = {}
    for number, row in enumerate(grades.rows, start=1):
        text = page(row.learner.name, *_results(grades, row, answers))
        place = Path(folder) / (row.place or f"{number}.html")
        name = "-".join(place.relative_to(folder).parts)[-50:]
        others = (Path(folder) / f"{each}-{name}" for each in count(number))
        path = next(
            each
            for each in chain([place], others)
            if str(each).casefold() not in written
            and not led_away(each, folder)
            and _is_free(each, "".join(text.partition("</title>")[:2]))
        )
        write_whole(path, text)
        written[str(path).casefold()] = path
    return [*written.values()]


def _is_free(path: Path, begin: str) -> bool:
    """Whether a page can lie there: nothing does so far, or a page that begins as this one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file():
            return not os.path.lexists(path)
        wanted = begin.encode()
        with path.open("rb") as file:  # of a learner's, perhaps, and as large as they like
            return file.read(len(wanted)) == wanted
    except OSError:  # a file where its folder would be
        return False


def _results(grades: Grades, row: Row, answers: bool) -> Iterator[Html]:
    """What a learner is told, as a page."""
    is_graded = grades.total(row) is not None
    yield tag("p", _reached(grades, row)) if is_graded else Html()
    if told := _told(row):
        yield tag("ul", *(tag("li", remark) for remark in told))
    for exercise in grades.exercises if is_graded else ():
        answer, override = _answer(row, exercise), row.overrides.get(exercise.id)
        if override or not row.problem:
            is_right, by_hand = answer["outcome"] == "correct", exercise.kind is BY_HAND
            body = filled(
                "static/answer.html",
                answer=answer,
                override=override,
                by_hand=by_hand,
                marked=grades.marked_points(row, exercise),
                question=_figures(exercise, row),
                is_right=is_right,
                solution=_figures(exercise, row, solved=True)
                if answers and not is_right and not by_hand
                else None,
            )
            yield box(
                _verdict(grades, row, exercise),
                body,
                tone=TONES.get("invalid" if override else answer["outcome"], "bad"),
            )
    yield note(IN_PART if is_graded else "")


def _lines(grades: Grades, row: Row, name: str) -> list[str]:
    """What a learner is told, in short."""
    said = {
        **{id: answer["message"] for id, answer in row.answers.items()},
        **{id: override.comment for id, override in row.overrides.items()},
    }
    results = [
        f"{_verdict(grades, row, one)}. {said.get(one.id, '')}".rstrip()
        for one in grades.exercises
        if grades.points(row, one) is not None
    ]
    return [f"{name}: {_reached(grades, row)}", *_told(row), *results]


def _reached(grades: Grades, row: Row) -> str:
    if grades.total(row) is None:
        return "not graded."
    share = grades.percentage(row)
    percent = "" if share is None else f", {share:g}%"
    return f"{grades.total(row):g} of {counted(grades.possible, 'point')}{percent}."


def _told(row: Row) -> list[str]:
    """What a learner is told beside the answers; the flags are not for them, for they may name others."""
    ungraded = [f"Nothing was graded: {row.problem}.", *row.notices]
    told = ungraded if row.problem else [*row.notices, *row.failed]
    return [row.late, *told] if row.late else told


def _verdict(grades: Grades, row: Row, exercise: Exercise) -> str:
    points, of = grades.points(row, exercise), counted(exercise.points, "point")
    if points is None:
        return f"{exercise.title} · not marked yet, {of}"
    is_decided = exercise.id in row.overrides
    word = "decided by a person" if is_decided else WORDS[_answer(row, exercise)["outcome"]]
    return f"{exercise.title} · {word}, {points:g} of {of}"


def _figures(exercise: Exercise, row: Row, *, solved: bool = False) -> Html:
    answer = row.answers.get(exercise.id, {})
    try:
        ex = Instance(
            exercise,
            answer.get("seed", row.seed),
            answer.get("learner", row.due),
            answer.get("turn", 0),
        )
        return to_html(exercise.kind.solved(ex.asked) if solved else ex.question)
    except Exception as error:  # an exercise of one's own that does not ask for every figure
        return tag("p", f"It cannot be shown ({type(error).__name__}).")
