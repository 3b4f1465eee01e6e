"""What came of a class, as HTML files that need nothing else: no network, no other file, no script.

Three kinds of pages: the instructor's report, the same for everybody, without names, and a page for each learner to
hand back. Whatever comes from a notebook or a folder's name is text here.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import count
from pathlib import Path

from pandas import DataFrame, crosstab

from subword_lab import html
from subword_lab.arguments import counted
from subword_lab.exercises import Exercise, Instance
from subword_lab.files import led_away, write_whole
from subword_lab.html import Html, View, pieces, tag
from subword_lab.views import Figure, bar_chart, table
from subword_lab.views.tables import Cell

from .decisions import BY_HAND
from .grading import Grades, Row, looked_at
from .poll import RIGHT, distribution, words
from .tables import percentage

MOST_BARS = 15
MOST_UNNAMED = 40
QUOTING = ("constant", "only-the-example")  # what is said to these holds what a function returned
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
TONES = {"correct": "good", "invalid": "note", "not attempted": "plain"}
NO_ANSWER = {
    "outcome": "not attempted",
    "score": 0.0,
    "label": "",
    "answer": "",
    "message": "",
    "evidence": "",
}
POINTS = "Points for each exercise, in blue the more there are, in red for answers without points; a dot for no answer."
LEGEND = {  # of the columns behind the exercises, which are there if there is something in them
    "answers": "Answers: how many different ones were given in all.",
    "hints": "Hints: how often the notebook asks for a hint or a solution.",
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
    return html.page(
        title,
        _overview(grades, names),
        _map(grades) if names else None,
        _items(grades),
        _decisions(grades) if names else None,
        _mistakes(grades, names),
        _unnamed(grades, names),
        _polls(polls),
    )


# -------------------------------------------------------------------------------------------------- figures of the room


def answers(grades: Grades) -> DataFrame:
    """Every exercise of every learner who was graded, a row each: what was answered, and what it was worth.

    Where a person decided, the points are theirs; the outcome and the label are what the marking found. What is marked
    by hand alone is left out.

    Columns: learner, exercise (its id), points, outcome, label (of the mistake, or ""), message (what they are told),
    answer (as it was given), tries (how many different answers there were).
    """
    rows = [
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
        for answer in [row.answers.get(exercise.id, NO_ANSWER)]
    ]
    return DataFrame(
        rows,
        columns=["learner", "exercise", "points", "outcome", "label", "message", "answer", "tries"],
    )


def mistakes(grades: Grades) -> DataFrame:
    """The mistakes that are known by name, a row each, those of most learners first.

    Columns: exercise (its id), label, learners (how many), message (what they are told; where that depends on the
    variant, one learner's), who (their names).
    """
    named = answers(grades).query("label != ''").groupby(["exercise", "label"], as_index=False)
    found = named.agg(
        learners=("learner", "size"), message=("message", "first"), who=("learner", ", ".join)
    )
    return found.sort_values("learners", ascending=False, kind="stable", ignore_index=True)


def difficulty(grades: Grades) -> DataFrame:
    """The exercises, a row each, the hardest first.

    Columns: title; reached, the share of its points that the room has, 0 to 1; discrimination, the correlation of its
    points with those for all other exercises, -1 to 1 (NaN where all have the same); tries, how many different answers
    a learner who answered gave on average; and how many learners were right, partly right, wrong, failed (their code
    broke off, or took too long) or left it blank.
    """
    given, ids = answers(grades), [exercise.id for exercise in grades.exercises]
    counts = crosstab(given["exercise"], given["outcome"].map(RESULTS))
    counts = counts.reindex(index=ids, columns=list(dict.fromkeys(RESULTS.values())), fill_value=0)
    points = grades.frame().dropna(how="all")
    others = {id: points.sum(axis=1) - points[id] for id in ids}
    varied = {
        id: len(points) > 2 and points[id].nunique() > 1 and others[id].nunique() > 1 for id in ids
    }
    exercises = DataFrame(
        {
            "title": [exercise.title for exercise in grades.exercises],
            "reached": given.groupby("exercise")["points"].mean().reindex(ids)
            / [exercise.points for exercise in grades.exercises],
            "discrimination": [
                points[id].corr(others[id]) if varied[id] else float("nan") for id in ids
            ],
            "tries": given[given["tries"] > 0].groupby("exercise")["tries"].mean().reindex(ids),
        },
        index=counts.index,
    )
    return exercises.join(counts).rename_axis(columns=None).sort_values("reached", kind="stable")


def mistakes_chart(grades: Grades) -> Figure:
    """The mistakes that most learners made, as bars.

    Raises ValueError if no mistake was named.
    """
    titles, found = _titles(grades), mistakes(grades).head(MOST_BARS)
    top = {
        f"{titles[row['exercise']]} · {words(row['label'])}": row["learners"]
        for row in found.to_dict("records")
    }
    if not top:
        raise ValueError("grades holds no mistake that is known by name; there is nothing to draw")
    first, most = next(iter(top.items()))
    alt = (
        f"Bar chart of the {counted(len(top), 'mistake')} that most learners made. The first, {first}, was "
        f"made by {counted(most, 'learner')}."
    )
    return bar_chart(top, alt, xlabel="learners", words=True)


# ------------------------------------------------------------------------------------------------------------- the room


def _overview(grades: Grades, names: bool) -> Html:
    shares = [share for row in grades.rows if (share := percentage(grades, row)) is not None]
    words = (
        f"{counted(len(grades.rows), 'learner')}, {counted(len(grades.exercises), 'exercise')}, "
        f"{counted(grades.possible, 'point')} to be had."
    )
    if shares:
        words += (
            f" On average {sum(shares) / len(shares):.0f}% were reached; the lowest is {min(shares):.0f}%, the "
            f"highest {max(shares):.0f}%."
        )
    notes = [
        tag("li", tag("b", row.learner.name), f": {'; '.join(told)}")
        for row in grades.rows
        if (told := looked_at(row))
    ]
    return pieces(
        tag("p", words),
        pieces(tag("h2", "To look at"), tag("ul", *notes)) if notes and names else None,
    )


def _map(grades: Grades) -> Html:
    """The learners' points for each exercise, deeper in color the more there are."""
    if not grades.exercises:
        return Html()
    heads = [
        tag("th", tag("span", exercise.title), scope="col", title=exercise.id)
        for exercise in grades.exercises
    ]
    more = DataFrame(
        {
            "total": grades.total(row),
            "answers": sum(answer.get("tries", 1) for answer in row.answers.values()),
            "hints": row.hints + row.solutions or None,
        }
        for row in grades.rows
    ).dropna(axis="columns", how="all")
    rows = [
        tag(
            "tr",
            tag("th", row.learner.name, scope="row"),
            *(_cell(row, exercise, grades.points(row, exercise)) for exercise in grades.exercises),
            *(tag("td", "" if value != value else f"{value:g}") for value in values),
        )
        for row, values in zip(grades.rows, more.astype(float).to_numpy())
    ]
    head = tag(
        "tr", tag("td"), *heads, *(tag("th", tag("span", name), scope="col") for name in more)
    )
    body = tag("table", tag("thead", head), tag("tbody", *rows), class_="sl-map")
    legend = [words for name, words in LEGEND.items() if name in more]
    if any(row.overrides for row in grades.rows):
        legend.append("An asterisk: a person decided.")
    return pieces(
        tag("h2", "Who reached what"), html.view(body), html.note(" ".join([POINTS, *legend]))
    )


def _cell(row: Row, exercise: Exercise, points: float | None) -> Html:
    answer, decided = row.answers.get(exercise.id, NO_ANSWER), exercise.id in row.overrides
    if points is None or (RESULTS[answer["outcome"]] == "blank" and not decided):
        return tag("td", "" if points is None else "·")
    blue = 0.5 * points / max(exercise.points, 1)
    color = f"rgb(0 114 178 / {0.15 + blue:.2f})" if points else "rgb(213 94 0 / 0.35)"
    return tag(
        "td",
        f"{points:g}" + "*" * decided,
        style=f"background:{color}",
        title=answer["label"],
    )


def _decisions(grades: Grades) -> Html | None:
    rows = [
        [row.learner.name, exercise.title, override.points, grades.marked_points(row, exercise)]
        + [override.comment]
        for row in grades.rows
        for exercise in grades.exercises
        if (override := row.overrides.get(exercise.id))
    ]
    columns = ["learner", "exercise", "points", "by the marking", "comment"]
    return pieces(tag("h2", "Decided by a person"), table(rows, columns)) if rows else None


def _items(grades: Grades) -> Html:
    found = difficulty(grades).dropna(subset=["reached"])
    if found.empty:
        return Html()
    rows = [
        [
            row["title"],
            f"{row['reached']:.0%}",
            *(
                "" if value != value else f"{value:.2f}"
                for value in (row["discrimination"], row["tries"])
            ),
            *row.loc["right":],
        ]
        for _, row in found.iterrows()
    ]
    return pieces(
        tag("h2", "The exercises"),
        tag(
            "p",
            "The hardest first, by the share of their points that the room "
            "reached. Discrimination is the correlation with the points for all others: near 0 or below, an "
            "exercise does not tell who knows more.",
        ),
        table(rows, ["exercise", "reached", "discrimination", "answers each", *found.columns[4:]]),
    )


def _mistakes(grades: Grades, names: bool) -> Html:
    found, titles = mistakes(grades), _titles(grades)
    if found.empty:
        return pieces(
            tag("h2", "Misconceptions"),
            tag("p", "No answer looks like a mistake that is known by name."),
        )
    rows = []
    for id, label, learners, message, who in found.itertuples(index=False):
        said = message if names or label not in QUOTING else ""
        example = pieces(html.to_html(said), _example(grades, id, label))
        mistake = Cell(words(label), pieces(titles[id], words(label), between="<br>"))
        rows.append([mistake, learners, Cell(said, example), *[who] * names])
    columns = ["mistake", "learners", "what a learner is told", *["who"] * names]
    return pieces(
        tag("h2", "Misconceptions"),
        tag("p", "Mistakes that are known by name, by how many learners made them."),
        mistakes_chart(grades),
        table(rows[:MOST_BARS], columns),
        html.details(f"and {len(rows) - MOST_BARS} more", table(rows[MOST_BARS:], columns).html())
        if rows[MOST_BARS:]
        else None,
    )


def _example(grades: Grades, id: str, label: str) -> Html:
    row = next(
        row
        for row in grades.rows
        if row.answers.get(id, NO_ANSWER)["label"] == label and not row.problem
    )
    exercise = next(exercise for exercise in grades.exercises if exercise.id == id)
    return html.details("An example", pieces(_figures(exercise, row), _given(row.answers[id])))


def _unnamed(grades: Grades, names: bool) -> Html:
    """Wrong answers that are no mistake known by name, so that somebody can find out which one they are."""
    rows = [
        [
            exercise.title,
            tag("code", row.answers[exercise.id].get("answer", "")),
            html.details(
                "Figures", pieces(_figures(exercise, row), _figures(exercise, row, solved=True))
            ),
            *[row.learner.name] * names,
        ]
        for exercise in grades.exercises
        for row in grades.rows
        if not row.problem
        and row.answers.get(exercise.id, NO_ANSWER)["outcome"] == "incorrect"
        and not row.answers[exercise.id]["label"]
        and not row.answers[exercise.id].get("other_variant")
        and (names or not exercise.kind.free)
    ]
    if not rows:
        return Html()
    left = f" The first {MOST_UNNAMED} of {len(rows)}." if len(rows) > MOST_UNNAMED else ""
    return pieces(
        tag("h2", "Wrong answers without a name"),
        tag("p", f"No known mistake leads to these. Which thought does?{left}"),
        html.view(
            html.table(
                rows[:MOST_UNNAMED], ["exercise", "answer", "asked and expected", *["who"] * names]
            )
        ),
    )


def _polls(polls: Sequence[dict]) -> Html | None:
    rows = []
    for poll in polls:
        shares = [
            f"{counts.get(RIGHT, 0) / sum(counts.values()):.0%} of {sum(counts.values())}"
            for counts in poll["rounds"]
            if counts
        ]
        if not shares:  # asked, and taken back before anybody answered
            continue
        told = html.details("The answers", distribution(poll["rounds"]))
        rows.append(
            [f"{poll['exercise']} {poll['title']}, {poll['at']}", *(shares + ["", ""])[:2], told]
        )
    if not rows:
        return None
    return pieces(
        tag("h2", "Polls in class"),
        tag("p", "How many were right when they were asked first, and again with new figures."),
        html.view(html.table(rows, ["exercise", "first answers", "second answers", ""])),
    )


def _titles(grades: Grades) -> dict[str, str]:
    return {exercise.id: exercise.title for exercise in grades.exercises}


# --------------------------------------------------------------------------------------------------------- each learner


def feedback(grades: Grades, name: str) -> View:
    """What a learner is told, as on the page to hand back; its headlines as text.

    Raises ValueError if nobody has this name.
    """
    rows = {row.learner.name: row for row in grades.rows}
    if not (row := rows.get(name)):
        raise ValueError(f"name is {name!r}; expected one of {', '.join(rows)}")
    lines = [f"{name}: {_reached(grades, row)}", *_lines(grades, row)]
    return View(
        "\n".join(lines), tag("section", tag("h3", row.learner.name), *_results(grades, row, False))
    )


def write_feedback(folder: str | Path, grades: Grades, *, answers: bool = False) -> list[Path]:
    """Write a page for each learner, below the folder where their submission lies below its; returns their paths.

    answers: with the right answer to each exercise. Where anything but a page for this learner lies at a place already,
    the page lies at the top, with a number before its name.
    """
    written: dict[str, Path] = {}
    for number, row in enumerate(grades.rows, start=1):
        page = html.page(row.learner.name, *_results(grades, row, answers))
        path = Path(folder) / (row.place or f"{number}.html")
        try:
            is_others = path.is_file() and not path.read_bytes().startswith(
                page.partition("</title>")[0].encode()
            )
            if is_others or str(path).casefold() in written or led_away(path, folder):
                raise FileExistsError
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, page)
        except OSError:
            name = "-".join(path.relative_to(folder).parts)[-50:]
            path = next(
                each
                for each in (Path(folder) / f"{each}-{name}" for each in count(number))
                if not (str(each).casefold() in written or each.is_dir() or each.is_symlink())
            )
            write_whole(path, page)
        written[str(path).casefold()] = path
    return [*written.values()]


def _results(grades: Grades, row: Row, answers: bool) -> Iterator[Html]:
    """What a learner is told, as a page."""
    if grades.total(row) is not None:
        yield tag("p", _reached(grades, row))
    if told := _told(grades, row):
        yield tag("ul", *(tag("li", remark) for remark in told))
    if grades.total(row) is None:
        return
    for exercise in grades.exercises:
        answer, override = row.answers.get(exercise.id, NO_ANSWER), row.overrides.get(exercise.id)
        if row.problem and not override:
            continue
        body = pieces(
            _decision(grades, row, exercise),
            html.details(
                "The question", _figures(exercise, row), open=answer["outcome"] != "correct"
            ),
            _given(answer),
            html.to_html(answer["message"]),
            html.details("Details", html.to_html(answer["evidence"]))
            if answer.get("evidence")
            else None,
            html.details("The right answer", _figures(exercise, row, solved=True))
            if answers and answer["outcome"] != "correct" and exercise.kind is not BY_HAND
            else None,
        )
        tone = TONES.get("invalid" if override else answer["outcome"], "bad")
        yield html.box(_verdict(grades, row, exercise), body, tone=tone)
    yield html.note(IN_PART)


def _reached(grades: Grades, row: Row) -> str:
    share = percentage(grades, row)
    percent = "" if share is None else f", {share:g}%"
    return f"{grades.total(row) or 0:g} of {counted(grades.possible, 'point')}{percent}."


def _told(grades: Grades, row: Row) -> list[str]:
    """What a learner is told beside the answers; the flags are not for them, for they may name others."""
    ungraded = [f"Nothing was graded: {row.problem}.", *row.notices]
    told = [remark for remark in row.remarks if remark not in row.flags]
    return [*[row.late] * bool(row.late), *(ungraded if row.problem else told)]


def _verdict(grades: Grades, row: Row, exercise: Exercise) -> str:
    points, word = grades.points(row, exercise), "decided by a person"
    if points is None:
        return f"{exercise.title} · not marked yet, {counted(exercise.points, 'point')}"
    if exercise.id not in row.overrides:
        word = WORDS[row.answers.get(exercise.id, NO_ANSWER)["outcome"]]
    return f"{exercise.title} · {word}, {points:g} of {counted(exercise.points, 'point')}"


def comments(grades: Grades, row: Row) -> str:
    """What a learner is told, in a few lines of HTML, as Moodle keeps comments."""
    reached = "not graded." if grades.total(row) is None else _reached(grades, row)
    lines = [f"subword-lab: {reached}", *_lines(grades, row)]
    return "<br>".join(map(escape, lines))


def _lines(grades: Grades, row: Row) -> list[str]:
    """What a learner is told, in short."""
    said = {id: answer["message"] for id, answer in row.answers.items()}
    said |= {id: override.comment for id, override in row.overrides.items()}
    results = [
        f"{_verdict(grades, row, one)}. {said.get(one.id, '')}".rstrip()
        for one in grades.exercises
        if grades.points(row, one) is not None
    ]
    return [*_told(grades, row), *results]


def _decision(grades: Grades, row: Row, exercise: Exercise) -> Html | None:
    if not (override := row.overrides.get(exercise.id)):
        return None
    marked = grades.marked_points(row, exercise)
    before = "nothing" if marked is None else f"{marked:g}"
    decided = f"A person decided on these points; the marking gave {before}."
    said = "Marked by hand." if exercise.kind is BY_HAND else decided
    return tag("p", tag("b", said), f" {override.comment}")


def _given(answer: dict) -> Html:
    return tag("p", "Answer: ", tag("code", answer["answer"])) if answer.get("answer") else Html()


def _figures(exercise: Exercise, row: Row, *, solved: bool = False) -> Html:
    answer = row.answers.get(exercise.id, {})
    try:
        ex = Instance(
            exercise,
            answer.get("seed", row.seed),
            answer.get("learner", row.due),
            answer.get("turn", 0),
        )
        return html.to_html(exercise.kind.solved(ex.asked) if solved else ex.question)
    except Exception as error:  # an exercise of one's own that does not ask for every figure
        return tag("p", f"It cannot be shown ({type(error).__name__}).")
