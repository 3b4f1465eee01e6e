"""Marking a class: planted mistakes are named, and whatever a notebook does, it costs its own row alone."""

import csv
import html
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import run, run_apart
from planted import MISTAKES

from subword_lab import exercises
from subword_lab.exercises import load
from subword_lab_teach import (
    Grades,
    Override,
    decisions,
    grade,
    grading,
    poll,
    pool,
    rehearsal,
    report,
    submissions,
    tables,
)
from subword_lab_teach.grading import Row
from subword_lab_teach.submissions import Learner
from teach import hostile_notebooks as hostile

VALUES = [
    "text-01",
    "text-03",
    "bpe-01",
    "bpe-02",
    "bpe-03",
    "bpe-13",
    "wordpiece-01",
    "unigram-02",
    "compression-03",
]
CODE = ["bpe-16", "unigram-16"]


def answer(id, learner="", seed=7, what="correct"):
    """The cell with an answer to a learner's variant."""
    cell = rehearsal.answered(load(id, seed=seed, learner=learner), what)
    return cell.replace("ex.check", f"load({id!r}).check")


def notebook(path, *cells, **stamp):
    rehearsal.write_notebook(path, ["from subword_lab.exercises import load", *cells], **stamp)


def book(name, *cells, **stamp):
    """A notebook to be handed in: what `marked` takes."""
    return name, cells, stamp


@pytest.fixture
def marked(tmp_path):
    """Hands in notebooks, and marks the folder that they are in."""

    def hand_in_and_mark(*books, **options):
        for name, cells, stamp in books:
            notebook(tmp_path / "in" / f"{name}.ipynb", *cells, **stamp)
        return grade(tmp_path / "in", **{"seed": 7, "trust": True, **options})

    return hand_in_and_mark


def row_of(grades, name):
    return next(row for row in grades.rows if row.learner.name == name)


def points(grades, name):
    return [grades.points(row_of(grades, name), exercise) for exercise in grades.exercises]


def remarks(grades, name):
    return "; ".join(grading.remarks(row_of(grades, name)))


def table_of(path):
    """The rows of a CSV file, as dictionaries."""
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


# -------------------------------------------------------------------------------------------------------- a whole class


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory):
    """A class with planted mistakes, its grades, and what was planted."""
    folder = tmp_path_factory.mktemp("class")
    planted = rehearsal.rehearse(
        folder / "in", VALUES + CODE, rehearsal.names(8), seed=7, mistakes=MISTAKES
    )
    return folder, grade(folder / "in", seed=7, trust=True), planted


@pytest.mark.slow
def test_every_planted_mistake_is_named(rehearsed):
    _, grades, planted = rehearsed
    told = {
        row.learner.name: {
            id: "correct" if entry["outcome"] == "correct" else entry["label"]
            for id, entry in row.answers.items()
        }
        for row in grades.rows
    }
    assert told == {
        learner: {id: what for id, what in plan.items() if what}
        for learner, plan in planted.items()
    }
    assert [exercise.id for exercise in grades.exercises] == [
        id for id in exercises.ids() if id in VALUES + CODE
    ]


@pytest.mark.slow
def test_the_report_names_them_by_frequency(rehearsed):
    _, grades, planted = rehearsed
    count = {}
    for plan in planted.values():
        for id, what in plan.items():
            if what not in ("", "correct"):
                count[id, what] = count.get((id, what), 0) + 1
    found = report.mistakes(grades).to_dict("records")
    assert {(row["exercise"], row["label"]): row["learners"] for row in found} == count
    assert [row["learners"] for row in found] == sorted(count.values(), reverse=True)
    for row in found:
        who = [
            learner
            for learner, plan in planted.items()
            if plan.get(row["exercise"]) == row["label"]
        ]
        assert row["who"] == ", ".join(sorted(who)) and row["message"]
    page = report.report(grades)
    titles = {exercise.id: exercise.title for exercise in grades.exercises}
    first = html.escape(f"{titles[found[0]['exercise']]} · {poll.words(found[0]['label'])}")
    assert f"The first, {first}, was made by {found[0]['learners']} learner" in page
    assert all(f"{html.escape(titles[id])}<br>{poll.words(label)}" in page for id, label in count)


@pytest.mark.slow
def test_points_and_difficulty_are_those_that_were_planted(rehearsed):
    folder, grades, planted = rehearsed
    frame, bank = grades.frame(), exercises.catalog()
    tables.write_grades(folder / "grades.csv", grades)
    tables.write_json(folder / "grades.json", grades)
    rows = {row["learner"]: row for row in table_of(folder / "grades.csv")}
    told = json.loads((folder / "grades.json").read_text(encoding="utf-8"))
    totals = {learner["learner"]: learner["total"] for learner in told["learners"]}
    assert list(frame.index) == list(rows) == list(totals) == sorted(planted)
    for name, plan in planted.items():
        points = {id: bank[id].points * (plan[id] == "correct") for id in frame}
        total, possible = sum(points.values()), float(rows[name]["possible"])
        assert frame.loc[name].to_dict() == points == {id: float(rows[name][id]) for id in frame}
        assert float(rows[name]["total"]) == totals[name] == total
        assert float(rows[name]["percentage"]) == round(100 * total / possible, 1)
    table = report.difficulty(grades)
    assert table["reached"].is_monotonic_increasing and set(table.index) == set(frame)
    for id, row in table.iterrows():
        wanted = [plan[id] for plan in planted.values()]
        assert [row["right"], row["blank"]] == [wanted.count("correct"), wanted.count("")]
        assert row["reached"] == pytest.approx(wanted.count("correct") / len(wanted))
        assert row["right":].sum() == len(planted) and row["title"] == bank[id].title


def test_who_was_not_graded_is_not_counted():
    bank = exercises.catalog()
    right = {"outcome": "correct", "score": 1.0, "label": "", "message": "Right."}
    rows = [
        Row(Learner("kim", "1"), [], {"bpe-01": right}),
        Row(Learner("kim", "2"), [], problem="the file is empty"),
    ]
    grades = Grades(rows, [bank["bpe-01"], bank["bpe-02"]])
    assert grades.frame().isna().sum(axis=1).to_list() == [0, 2]
    assert report.difficulty(grades)["reached"].to_dict() == {"bpe-02": 0, "bpe-01": 1}
    nobody = Grades(rows[1:], [bank["bpe-01"]])
    assert report.difficulty(nobody)["right"].to_list() == [0] and report.mistakes(nobody).empty
    assert "hardest" not in report.report(
        nobody
    ) and "No answer looks like a mistake" in report.report(nobody)
    with pytest.raises(ValueError, match="no mistake"):
        report.mistakes_chart(nobody)


@pytest.mark.parametrize(
    "score, bar", [(0.0, "0–9%"), (0.1, "10–19%"), (0.99, "90–100%"), (1.0, "90–100%")]
)
def test_every_share_of_the_points_has_its_bar(score, bar):
    answered = {"outcome": "partial", "score": score, "label": "", "message": ""}
    rows = [Row(Learner("kim", "1"), [], {"text-01": answered})]
    page = report.report(Grades(rows, [exercises.catalog()["text-01"]]))
    assert f"reached which share of the points: {bar}: 1." in page


def test_a_single_point_is_told_as_one():
    answered = {"outcome": "correct", "score": 1.0, "label": "", "message": "Right."}
    rows = [Row(Learner("kim", "1"), [], {"text-01": answered})]
    told = report.feedback(Grades(rows, [exercises.catalog()["text-01"]]), "kim")
    assert repr(told).startswith("kim: 1 of 1 point, 100%.\n")
    assert "<p>1 of 1 point, 100%.</p>" in told._repr_html_()


def test_the_mistake_of_most_learners_comes_first():
    wrong = {"outcome": "incorrect", "score": 0.0, "message": "Look again."}
    labels = {"ann": "rare", "kim": "common", "lee": "common"}
    rows = [
        Row(Learner(name, name), [], {"bpe-01": {**wrong, "label": label}})
        for name, label in labels.items()
    ]
    found = report.mistakes(Grades(rows, [exercises.catalog()["bpe-01"]]))
    told = found[["label", "learners", "who"]].to_numpy().tolist()
    assert told == [["common", 2, "kim, lee"], ["rare", 1, "ann"]]


# ---------------------------------------------------------------------------------------------------- hostile notebooks


@pytest.fixture(scope="module")
def attacked(sandbox, tmp_path_factory):
    """The grades of a folder of hostile notebooks with one honest learner among them; a canary, and a port."""
    base = tmp_path_factory.mktemp("attacked")
    folder, canary = base / "in", base / "canary"
    canary.write_text("alive")
    with socket.create_server(("127.0.0.1", 0)) as server:
        snooping = f"""
import os, socket, pathlib, subword_lab
secrets = {[str(canary), str(folder), str(folder / "honest.ipynb"), "/etc/passwd", str(Path.home() / ".ssh")]}
seen = [path for path in secrets if os.path.exists(path)]
try:
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 2)
    seen.append("network")
except OSError:
    pass
try:
    open(subword_lab.__file__, "a")
    seen.append("written")
except OSError:
    pass
others = [name for name in os.listdir("/proc") if name.isdigit()]
assert not seen and len(others) < 9 and os.getuid() and "SECRET" not in os.environ, (seen, others)
"""
        destroying = f"import shutil\nshutil.rmtree({str(base)!r}, ignore_errors=True)"
        cases = [
            *hostile.CELLS,
            hostile.case("snooping", snooping),
            hostile.case("destroying", destroying),
        ]
        for entry in cases + hostile.FORGERIES:
            last = answer("bpe-02", entry.name) if entry in cases else ""
            notebook(
                folder / f"{entry.name}.ipynb", answer("bpe-01", entry.name), *entry.cells, last
            )
        notebook(folder / "honest.ipynb", answer("bpe-01", "honest"), answer("bpe-02", "honest"))
        for name, (data, _) in hostile.FILES.items():
            (folder / name).write_bytes(data)
        with open(folder / "huge.ipynb", "wb") as file:
            file.truncate(60_000_000)
        (folder / "link.ipynb").symlink_to(canary)
        (folder / "<script>alert(1)<").mkdir()
        os.environ["SECRET"] = "sesame"
        try:
            grades = grade(folder, seed=7, timeout=12, exercises=["bpe-01", "bpe-02", "bpe-16"])
        finally:
            del os.environ["SECRET"]
    return grades, canary, cases


@pytest.mark.slow
def test_honest_learners_notice_nothing(attacked):
    grades, canary, _ = attacked
    assert points(grades, "honest") == [1, 1, 0] and not remarks(grades, "honest")
    assert canary.read_text() == "alive"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [entry.name for entry in hostile.CELLS] + ["snooping", "destroying"]
)
def test_hostile_cells(attacked, name):
    grades, _, cases = attacked
    entry = next(entry for entry in cases if entry.name == name)
    assert entry.points is None or points(grades, name)[:2] == list(entry.points), remarks(
        grades, name
    )
    assert any(words in remarks(grades, name) for words in entry.words), remarks(grades, name)
    if entry.words == ("",):
        assert not remarks(grades, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in hostile.FORGERIES])
def test_forging_gains_nothing(attacked, name):
    grades, _, _ = attacked
    assert points(grades, name) == [
        name != "all-answers",
        0,
        0,
    ]  # there, the last of all answers counts


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.FILES)
def test_what_cannot_be_read_says_why(attacked, name):
    grades, _, _ = attacked
    learner, words = Path(name).stem, hostile.FILES[name][1]
    assert remarks(grades, learner).startswith(f"not graded: {words}"), remarks(grades, learner)
    assert points(grades, learner) == [None] * 3


@pytest.mark.slow
def test_huge_files_links_and_empty_folders(attacked):
    grades, _, _ = attacked
    assert remarks(grades, "huge").startswith("not graded: it is larger than 50 MB")
    assert remarks(grades, "link") == "not graded: it is a link, and links are not followed"
    assert remarks(grades, "<script>alert(1)<") == "not graded: there is no notebook in the folder"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, which only Linux has")
def test_nothing_is_left_running(attacked):
    """Neither what a notebook left behind, nor a process of ours: a child of this one, or, of what began after this
    one, a process whose parent is gone."""
    left, begun = [], 19  # the place in `stat`, behind the name, of when a process began
    ours = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[begun])
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            told = [*map(int, (folder / "stat").read_text().rpartition(")")[2].split()[1:])]
            parent, orphan = told[0], told[0] == 1 and told[begun - 1] > ours
        except OSError:  # ended meanwhile
            continue
        forgotten = b"subword_lab_teach" in line and (orphan or parent == os.getpid())
        if b"31.4159" in line or forgotten:
            left.append(line)
    assert left == []


@pytest.mark.slow
def test_the_report_on_hostile_notebooks_is_harmless(attacked):
    grades, _, _ = attacked
    page = report.report(grades)

    class Tags(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found = set()

        def handle_starttag(self, tag, attributes):
            self.found.add(tag)
            for name, value in attributes:
                assert not name.startswith("on"), (tag, name)
                assert name not in ("src", "href") or value.startswith("#"), (tag, name, value)

    tags = Tags()
    tags.feed(page)
    assert not tags.found & {"script", "iframe", "object", "link", "img", "form"}
    assert "&lt;script&gt;alert(1)" in page and "default-src 'none'" in html.unescape(page)
    assert (
        all(re.search(r'aria-label="[^"]{20,}', svg) for svg in re.findall(r"<svg[^>]*>", page))
        and "<svg" in page
    )


# ---------------------------------------------------------------------------------------------------- without a sandbox


@pytest.mark.slow
def test_without_a_sandbox_it_asks_for_trust(tmp_path, monkeypatch):
    notebook(tmp_path / "kim.ipynb", answer("bpe-01", "kim"))
    monkeypatch.setattr(grading.bubblewrap, "is_installed", lambda: False)
    with pytest.raises(grading.NoSandbox, match=r"not installed.*--trust"):
        grade(tmp_path)
    assert points(grade(tmp_path, seed=7, trust=True), "kim") == [1]


@pytest.mark.slow
def test_a_sandbox_that_does_not_work_says_so(tmp_path):
    notebook(tmp_path / "in" / "kim.ipynb", answer("bpe-01", "kim"))
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    path = f"{broken.parent}{os.pathsep}{os.environ['PATH']}"
    done = run_apart(
        "grade", tmp_path / "in", "--out", tmp_path / "grades.csv", env={**os.environ, "PATH": path}
    )
    assert done.returncode == 2 and not done.stdout and not (tmp_path / "grades.csv").exists()
    assert "No permissions to create new namespace" in done.stderr and "--trust" in done.stderr


@pytest.mark.slow
def test_trusted_notebooks_have_limits_too(marked):
    names = "endless stubborn os-exit memory fails prints-without-end processes-left".split()
    books = [
        book(entry.name, answer("bpe-01", entry.name), *entry.cells)
        for entry in hostile.CELLS
        if entry.name in names
    ]
    grades = marked(*books, timeout=6, exercises=["bpe-01"])
    assert [points(grades, row.learner.name) for row in grades.rows] == [[1]] * 7
    assert "stopped in cell 3" in remarks(grades, "stubborn") and "MemoryError" in remarks(
        grades, "memory"
    )


# ------------------------------------------------------------------------------------------------ variants and the seed


@pytest.mark.slow
def test_a_notebook_is_marked_by_the_variants_that_it_was_handed_out_with(marked):
    right = answer("bpe-01", "Kim Lee")
    grades = marked(
        book("leekim_123_456_answers", right, learner="Kim Lee", seed=7),
        book("copycat", right, learner="Kim Lee", seed=3),
    )
    assert points(grades, "leekim") == [1]
    assert "handed out to Kim Lee was handed in by copycat too" in remarks(grades, "leekim")
    assert "it was handed out with seed 3" in remarks(grades, "copycat")


@pytest.mark.slow
def test_who_hands_in_anothers_notebook_is_marked_by_their_own_figures(marked):
    owners = {"alice": "alice", "bob": "alice", "k12": "Kim Lee"}
    books = [
        book(name, answer("bpe-01", owner), learner=owner, seed=7) for name, owner in owners.items()
    ]
    grades = marked(*books, exercises=["bpe-01"])
    assert points(grades, "alice") == [1] and points(grades, "bob") == [0]
    assert points(grades, "k12") == [1]  # who is not here under that name may well be k12
    for name, words in {
        "bob": "it was handed out to alice",
        "k12": "it was handed out to Kim Lee",
    }.items():
        assert words in remarks(grades, name) and f"{name}: {words}" in grades.summary()


@pytest.mark.slow
def test_the_last_answer_counts(marked):
    def wrong(name):
        return answer("bpe-01", name, what="types-not-occurrences")

    blank = ["load('bpe-01').check('many')", "load('bpe-01').check(...)"]
    grades = marked(
        book("kim", wrong("kim"), answer("bpe-01", "kim"), *blank),
        book("lee", answer("bpe-01", "lee") + "\n" + wrong("lee")),
        book("moved/b", answer("bpe-02", "moved")),
        book("moved/a", answer("bpe-01", "moved")),
        exercises=["bpe-01", "bpe-02"],
    )
    assert (
        points(grades, "kim") == [1, 0]
        and points(grades, "lee") == [0, 0]
        and points(grades, "moved") == [1, 1]
    )
    assert grades.rows[1].answers["bpe-01"]["label"] == "types-not-occurrences"
    grades = marked(book("kim", answer("bpe-01", "kim"), wrong("kim")), exercises=["bpe-01"])
    assert points(grades, "kim") == [0]
    assert "kim: bpe-01 was answered better before, and the last answer counts" in grades.summary()


@pytest.mark.slow
def test_of_equally_good_answers_the_last_one_counts(marked):
    labels = [mistake.label for mistake in load("bpe-01", seed=7, learner="ann").asked.mistakes[:2]]
    first, second = (answer("bpe-01", "kim", what=label) for label in labels)
    blank, malformed = "load('bpe-01').check(...)", "load('bpe-01').check('many')"
    cells = {
        "a": [first, second],
        "b": [second, first],
        "c": [second, first, malformed, blank],
        "d": [blank, malformed, blank],
        "e/1": [first],
        "e/2": [second],
    }
    books = [book(name, *own, learner="kim", seed=7) for name, own in cells.items()]
    grades = marked(*books, exercises=["bpe-01"])
    told = [
        row.answers["bpe-01"]["label"] or row.answers["bpe-01"]["outcome"] for row in grades.rows
    ]
    assert told == [labels[1], labels[0], labels[0], "invalid", labels[1]]
    assert grades.rows[4].answers["bpe-01"]["notebook"] == "e/2.ipynb"


def test_an_answer_that_is_right_in_part_is_a_part_of_the_points(marked, tmp_path):
    """Rounded to a hundredth of a point; the total is the sum of what stands in the row."""

    def part(id, count):
        ex = load(id, seed=7, learner="kim")
        return f"load({id!r}).check({ex.asked.answer[:count]!r})"

    parts = [part("bpe-04", 1), part("bpe-04", 2), part("wordpiece-14", 1)]
    grades = marked(
        book("kim", answer("bpe-01", "kim"), *parts),
        exercises=["bpe-01", "bpe-04", "wordpiece-14"],
    )
    assert points(grades, "kim") == [1, 1.33, 0.67]
    (row,) = grades.rows
    assert row.answers["bpe-04"]["outcome"] == row.answers["wordpiece-14"]["outcome"] == "partial"
    assert (grades.total(row), grades.possible) == (3.0, 5)
    assert grades.summary() == "1 learner, 3 exercises, 5 points; on average 3.0 points, 60.0%"
    tables.write_grades(tmp_path / "grades.csv", grades)
    (kept,) = table_of(tmp_path / "grades.csv")
    assert [kept[name] for name in ("bpe-04", "wordpiece-14", "total", "percentage")] == [
        "1.33",
        "0.67",
        "3",
        "60",
    ]


@pytest.mark.slow
def test_a_secret_seed_finds_what_was_made_to_fit(marked):
    """A function that knows the inputs that everybody's check tries, and nothing else, passes only those."""
    from subword_lab import bpe
    from subword_lab.exercises import trials

    ex = load("bpe-16")
    cases = [*ex.asked.cases, *trials.examples(ex.asked.inputs)]
    table = {
        repr(case): bpe.merge_symbols(list(case[0]), tuple(case[1])) for case in map(tuple, cases)
    }
    kim = book(
        "kim",
        f"def merge(symbols, pair):\n    return {table!r}.get(repr((symbols, pair)), [])\n"
        "load('bpe-16').check(merge)",
    )
    assert points(marked(kim, seed=None, exercises=["bpe-16"]), "kim") == [3]
    assert points(marked(seed=None, exercises=["bpe-16"], secret_seed=5), "kim") < [3]


@pytest.mark.slow
def test_the_columns(marked, tmp_path):
    grades = marked(
        *(
            book(name, answer("bpe-02", name), "load('bpe-01').check(...)")
            for name in ("kim", "lee")
        ),
        book("extra", answer("text-01", "extra"), "load('bpe-01')"),
        seed=None,
    )
    assert [exercise.id for exercise in grades.exercises] == ["bpe-01", "bpe-02"]
    assert grades.left_out == ["text-01"]
    for name in ("03_unigram", "03", "unigram"):
        found = grading.chosen([name, "bpe-02"], exercises.catalog())
        assert found == ["bpe-02", *(id for id in exercises.ids() if id.startswith("unigram-"))]
    assert grading.chosen([str(tmp_path / "in" / "extra.ipynb")], exercises.catalog()) == [
        "text-01",
        "bpe-01",
    ]
    with pytest.raises(
        ValueError, match="no exercise, lesson or notebook 'bep'; lessons are 00_text_to_tokens, 01"
    ):
        grading.chosen(["bep"], exercises.catalog())


# ------------------------------------------------------------------------------------------------------- going on later


@pytest.mark.slow
def test_what_was_not_graded_is_named_and_not_in_the_average(marked, tmp_path):
    (tmp_path / "in" / "kim").mkdir(parents=True)
    (tmp_path / "in" / "kim" / "a.ipynb").touch()
    (tmp_path / "in" / "lee.ipynb").write_text("{")
    grades = marked(book("kim/b", answer("bpe-01", "kim")), exercises=["bpe-01", "bpe-02"])
    assert grades.rows[0].remarks == ["kim/a.ipynb: the file is empty"]
    first, second = grades.summary().splitlines()
    assert first == "2 learners, 2 exercises, 2 points; on average 1.0 points, 50.0%"
    assert second.startswith("lee: not graded: it is damaged")


@pytest.mark.slow
def test_nothing_is_run_twice(marked, tmp_path, monkeypatch):
    results, asked = tmp_path / "grades.results.jsonl", []
    mark = pool.Workers.mark
    monkeypatch.setattr(
        pool.Workers,
        "mark",
        lambda self, job, data: asked.append(job.name) or mark(self, job, data),
    )

    def run_for(*books, **options):
        """The names of those whose notebooks were run."""
        asked.clear()
        grades = marked(*books, results=results, **options)
        assert options or [points(grades, row.learner.name) for row in grades.rows] == [[1]] * 3
        return sorted(asked)

    everybody = ["kim", "lee", "su"]
    assert run_for(*(book(name, answer("bpe-01", name)) for name in everybody)) == everybody
    assert run_for() == []
    assert run_for(book("lee", "# changed", answer("bpe-01", "lee"))) == ["lee"]
    assert run_for(seed=8) == everybody
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join(lines[:2]) + lines[2][:50])  # a crash in mid-write
    assert run_for() == ["lee", "su"]  # kim's line and lee's first are whole
    assert run_for() == []


@pytest.mark.slow
@pytest.mark.skipif(
    os.name != "posix", reason="sends Ctrl-C, which Windows knows only for whole consoles"
)
def test_after_ctrl_c_it_goes_on(tmp_path):
    notebook(tmp_path / "in" / "a.ipynb", answer("bpe-01", "a"))
    notebook(tmp_path / "in" / "b.ipynb", answer("bpe-01", "b"), "import time\ntime.sleep(5)")
    arguments = [
        sys.executable,
        "-m",
        "subword_lab",
        "grade",
        tmp_path / "in",
        "--out",
        tmp_path / "grades.csv",
        "--seed",
        "7",
        "--jobs",
        "1",
        "--trust",
        "--timeout",
        "60",
    ]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    kept, deadline = tmp_path / "grades.results.jsonl", time.monotonic() + 60
    while (not kept.exists() or not kept.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (
        process.returncode == 1
        and "goes on from there" in said
        and not (tmp_path / "grades.csv").exists()
    )
    assert len(kept.read_text().splitlines()) == 1
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "1 of 2" in done.stderr and (tmp_path / "grades.csv").exists()
    assert len(kept.read_text().splitlines()) == 2


@pytest.mark.slow
def test_a_worker_that_breaks_costs_one_notebook(marked, tmp_path, monkeypatch):
    communicate = subprocess.Popen.communicate

    def broken(self, told, timeout):
        if b'"kim"' in told:
            self.kill()
        return communicate(self, told, timeout)

    monkeypatch.setattr(subprocess.Popen, "communicate", broken)
    books = [book(name, answer("bpe-01", name)) for name in ("kim", "lee")]
    grades = marked(*books, jobs=1, results=tmp_path / "kept.jsonl", exercises=["bpe-01"])
    assert "not graded: marking it failed" in remarks(grades, "kim")
    assert points(grades, "lee") == [1]
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_dask_cluster_marks_the_same_and_a_machine_that_breaks_costs_time_only(marked, tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-teach[dask]'"
    )
    cells = [answer("bpe-16"), "import time\ntime.sleep(1)"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "eve.ipynb").write_text("{")
    (tmp_path / "in" / "zoe.zip").write_bytes(hostile.zipped("a.ipynb", '{"cells": []}'))
    books = [book(f"{name}/a", answer("bpe-01", name), *cells) for name in ("kim", "lee", "su")]
    here = marked(*books)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        machines = list(client.run(os.getpid).values())

        def kill_one(done, count):
            if done == 1 and machines:
                os.kill(machines.pop(), signal.SIGKILL)

        there = marked(dask=cluster.scheduler_address, progress=kill_one)
    assert len(machines) == 1 and there == here and points(here, "kim") == [1, 3]


@pytest.mark.slow
def test_a_cluster_that_there_is_not(marked):
    pytest.importorskip("distributed", reason="is an extra: pip install 'subword-lab-teach[dask]'")
    with pytest.raises(ValueError, match="no Dask cluster answers at 'nowhere'"):
        marked(book("kim", answer("bpe-01", "kim")), dask="nowhere")


# ------------------------------------------------------------------------------------------------ files and their names


@pytest.mark.parametrize(
    "label, name, id",
    [
        ("kim.ipynb", "kim", "kim"),
        ("kim.lee/01_bpe.ipynb", "kim.lee", "kim.lee"),
        ("kim/homework/deep/01_bpe.ipynb", "kim", "kim"),
        ("submitted/kim/homework/01_bpe.ipynb", "kim", "kim"),
        ("mallory/submitted/alice/hw.ipynb", "mallory", "mallory"),
        (
            "Homework_klee_attempt_2026-01-31-12-00-00_alice_attempt_2026-01-31-12-00-00_.ipynb",
            "klee",
            "klee",
        ),
        ("leekim_123_456_777_assignsubmission_x.ipynb", "leekim", "123"),
        ("Kim Lee_12345_assignsubmission_file_alice_9_9_x.ipynb", "Kim Lee", "12345"),
        ("Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb", "Kim Lee", "12345"),
        ("Kim Lee_12345_assignsubmission_file_01_bpe.ipynb", "Kim Lee", "12345"),
        ("leekim_123_456_01_bpe.ipynb", "leekim", "123"),
        ("leekim_LATE_123_456_01_bpe-2.ipynb", "leekim", "123"),
        ("Homework 1_klee_attempt_2026-01-31-12-00-00_01_bpe.ipynb", "klee", "klee"),
        ("Дарья/01_bpe.ipynb", "Дарья", "Дарья"),
        ("01_bpe.ipynb", "01_bpe", "01_bpe"),
    ],
)
def test_whose_a_notebook_is(label, name, id):
    assert submissions.whose(label) == (name, id)


def test_a_pattern_of_ones_own():
    rule = re.compile(r"group-\d+/(?P<learner>\w+)-")
    assert submissions.whose("group-3/kim-final.ipynb", rule)[0] == "kim"
    assert submissions.whose("lee.ipynb", rule)[0] == "lee"
    with pytest.raises(ValueError, match="not a regular expression"):
        submissions.find(Path("."), "(")


def test_notebooks_come_in_the_order_of_their_numbers(tmp_path):
    """Of equally good answers the last one counts, and `hw-10` is later than `hw-2`."""
    (tmp_path / "kim").mkdir()
    for name in ("hw-10", "hw-2", "hw"):
        (tmp_path / "kim" / f"{name}.ipynb").touch()
    labels = [one.label for one in submissions.find(tmp_path)]
    assert labels == ["kim/hw.ipynb", "kim/hw-2.ipynb", "kim/hw-10.ipynb"]


def test_what_is_found_in_a_folder(tmp_path):
    for label in (
        "submitted/kim/hw/x.ipynb",
        "submitted/kim/hw/.ipynb_checkpoints/x.ipynb",
        "release/hw/x.ipynb",
    ):
        (tmp_path / label).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / label).write_text("{}")
    (tmp_path / "submitted" / "lee.zip").write_bytes(hostile.zipped("answers/01_bpe.ipynb", "{}"))
    assert [(found.learner.name, found.label) for found in submissions.find(tmp_path)] == [
        ("kim", "kim/hw/x.ipynb"),
        ("lee", "lee/answers/01_bpe.ipynb"),
    ]
    whole = tmp_path / "moodle.zip"
    whole.write_bytes(hostile.zipped("Kim Lee_1_assignsubmission_file_/x.ipynb", '{"cells": []}'))
    found = submissions.find(whole)
    assert (
        found[0].learner == Learner("Kim Lee", "1")
        and submissions.parse(found[0].read()).cells == []
    )
    with pytest.raises(ValueError, match="there is no folder"):
        submissions.find(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])
def test_no_cell_begins_a_formula(tmp_path, name):
    grades = Grades([Row(Learner(name, name), [], problem=name)], [exercises.catalog()["bpe-01"]])
    tables.write_grades(tmp_path / "grades.csv", grades)
    text = (tmp_path / "grades.csv").read_bytes()
    assert text.startswith(
        b"\xef\xbb\xbflearner,id,bpe-01,total,possible,percentage,late,decided,remarks\r\n"
    )
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as file:  # as nbgrader does
        assert next(csv.DictReader(file))["id"] == f"'{name}"
    (row,) = table_of(tmp_path / "grades.csv")
    assert row["learner"] == f"'{name}" and not tables.FORMULA.match(row["remarks"])


# ------------------------------------------------------------------------------------------------ nothing stops a class

UNWRITABLE = "half \ud800, \u202eturned, \x00ended"


def outputs(folder, grades):
    """All files that marking writes, as one text."""
    tables.write_grades(folder / "grades.csv", grades)
    tables.write_json(folder / "grades.json", grades)
    report.write_report(folder / "report.html", grades)
    pages = report.write_feedback(folder / "feedback", grades, answers=True)
    files = [folder / "grades.csv", folder / "grades.json", folder / "report.html", *pages]
    return "".join(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.slow
def test_no_text_of_a_notebook_or_a_path_stops_the_table(marked, tmp_path):
    cells = [
        answer("bpe-01", "kim"),
        f"raise ValueError({UNWRITABLE!r})",
        f"load('bpe-02').check({UNWRITABLE!r})",
        f"load('bpe-16').check(lambda symbols, pair: {UNWRITABLE!r})",
    ]
    other = os.fsdecode(b"l\xff\xfee/\xff")
    options = {"exercises": ["bpe-01", "bpe-02", "bpe-16"], "results": tmp_path / "kept"}
    try:
        grades = marked(book("kim", *cells), book(other, *cells), **options)
    except OSError:
        pytest.skip("this file system has no such names")
    told = outputs(tmp_path, grades)
    assert points(grades, "kim") == [1, 0, 0] and len(grades.rows) == 2
    assert "cell 3 failed (ValueError: half  ,  turned" in told and not set(told) & {
        "\ud800",
        "\u202e",
        "\x00",
    }
    assert marked(**options) == grades


@pytest.mark.slow
def test_what_stands_in_the_results_is_marks_or_nothing(marked, tmp_path):
    results = tmp_path / "kept.jsonl"
    right = marked(book("kim", answer("bpe-01", "kim")), results=results)
    entry = json.loads(results.read_text())
    assert entry["marks"]["answers"][0]["score"] == 1
    for change in (
        {"score": 100.0},
        {"score": "1"},
        {"outcome": "perfect"},
        {"exercise": ["bpe-01"]},
        {"more": 1},
    ):
        forged = {**entry["marks"], "answers": [{**entry["marks"]["answers"][0], **change}]}
        results.write_text(json.dumps({"key": entry["key"], "marks": forged}) + "\n")
        assert entry["key"] not in pool.Kept(results).marks
    results.write_text(
        json.dumps({"key": entry["key"], "marks": {**entry["marks"], "problem": 7}})
        + "\n[]\n7\n{}\n"
    )
    assert marked(results=results) == right


@pytest.mark.slow
@pytest.mark.parametrize("place", ["in/grades.csv", "in/kim/grades.csv"])
def test_results_never_lie_among_what_was_handed_in(tmp_path, place):
    notebook(tmp_path / "in" / "kim" / "a.ipynb", answer("bpe-01", "kim"))
    done = run("grade", tmp_path / "in", "--out", tmp_path / place, "--trust")
    assert (
        done.returncode == 2
        and "among what was handed in" in done.stderr
        and not (tmp_path / place).exists()
    )
    before = (tmp_path / "in" / "kim" / "a.ipynb").read_bytes()
    for option in ("--feedback", "--json", "--report", "--class-report"):
        there = tmp_path / "in" / "kim" / "a.ipynb"
        done = run("grade", tmp_path / "in", "--out", tmp_path / "grades.csv", option, there)
        assert done.returncode == 2 and "among what was handed in" in done.stderr
        assert there.read_bytes() == before


def test_a_folder_beside_what_was_handed_in_is_not_in_it(tmp_path):
    for name in ("in", "in-2"):
        (tmp_path / name).mkdir()
    out, feedback = tmp_path / "in-2" / "grades.csv", tmp_path / "in-2" / "pages"
    done = run("grade", tmp_path / "in", "--out", out, "--feedback", feedback, "--trust")
    assert done.returncode == 1 and "nothing was handed in" in done.stderr and out.exists()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="makes a named pipe")
@pytest.mark.parametrize("option", ["--out", "--json", "--report", "--class-report"])
def test_what_is_no_file_is_not_replaced(tmp_path, option):
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "pipe")
    done = run(
        "grade", tmp_path / "in", "--out", tmp_path / "grades.csv", option, tmp_path / "pipe"
    )
    assert done.returncode == 2 and "is not a file" in done.stderr and (tmp_path / "pipe").is_fifo()
    with pytest.raises(OSError, match="is not a file"):
        tables.write_csv(tmp_path / "pipe", ["a"], [])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_notebook_that_takes_too_much_memory_costs_its_row(marked, tmp_path):
    many = '{"a": {}},' * 4_500_000
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "large.ipynb").write_text(f'{{"cells": [], "metadata": [{many}0]}}')
    grades = marked(book("kim", answer("bpe-01", "kim")), jobs=1)
    assert remarks(grades, "large").startswith("not graded: it takes too much memory to be read")
    assert points(grades, "kim") == [1]


@pytest.mark.slow
def test_progress_runs_no_file_that_a_folder_names(tmp_path):
    (tmp_path / "own.py").write_text("open('ran', 'w')")
    (tmp_path / "subword-lab-class.json").write_text('{"seed": 7, "exercises": ["own.py"]}')
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("SUBWORD_LAB")
    }
    done = run_apart("progress", cwd=tmp_path, env={**environment, "SUBWORD_LAB_HOME": ":memory:"})
    assert done.returncode == 0 and not (tmp_path / "ran").exists()


# -------------------------------------------------------------------------------------------- whose it is, and how late


@pytest.mark.slow
def test_everybody_has_a_row_whatever_they_handed_in(tmp_path):
    empty = b'{"cells": []}'
    files = {
        "leekim_1_2_essay.pdf": b"%PDF",
        "wu_3_4_page.html": b"<p>",
        "zip_5_6_all.zip": hostile.zipped("a.zip", b"x"),
        "Ann Day_7_assignsubmission_file_/scan.png": b"x",
        "Ann Day_8_assignsubmission_file_/hw.ipynb": empty,
        "mallory/all.zip": hostile.zipped("submitted/alice/hw.ipynb", empty),
        "alice/hw.ipynb": empty,
        "grades.csv": b"",
        "submitted.zip": hostile.zipped("alice/hw.ipynb", empty),
    }
    for name, data in files.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    rows = {
        (row.learner.name, row.learner.id): row for row in grade(tmp_path / "in", trust=True).rows
    }
    assert list(rows) == [
        ("alice", "alice"),
        ("Ann Day", "7"),
        ("Ann Day", "8"),
        ("leekim", "1"),
        ("mallory", "mallory"),
        ("submitted", "submitted"),
        ("wu", "3"),
        ("zip", "5"),
    ]
    assert rows["alice", "alice"].notebooks == ["alice/hw.ipynb"]
    assert rows["leekim", "1"].problem == "there is no notebook, only leekim_1_2_essay.pdf"
    assert (
        rows["zip", "5"].problem
        == "there is no notebook in the zip file, only a.zip; unpack the zip file in it"
    )
    assert rows["Ann Day", "7"].problem == "there is no notebook, only scan.png"


@pytest.mark.parametrize("other", ["Zoe\u0308", "Zo\u00eb\u200d", "Z\u200co\u00eb"])
def test_names_that_only_look_alike_stay_two(tmp_path, other):
    for name in ("Zo\u00eb", other):
        notebook(tmp_path / name / "a.ipynb", answer("bpe-01", name))
    ids = [submission.learner.id for submission in submissions.find(tmp_path)]
    assert len(ids) == 2 and any(id.endswith(" (2)") for id in ids)


@pytest.mark.slow
def test_other_figures_than_those_due_are_said(marked, tmp_path):
    """In the row and in the summary; and an answer to the due figures counts before them."""
    other = "load('bpe-01').another().check('1')"
    course = "from subword_lab.exercises import course\ncourse(seed=7, learner='kim')"
    wu = tmp_path / "in" / "wu.ipynb"
    notebook(wu, answer("bpe-01", "wu"))
    question = repr(load("bpe-01", seed=7, learner="kim")).splitlines(keepends=True)
    shown = json.loads(wu.read_text())
    shown["cells"][1]["outputs"] = [
        7,
        {"output_type": "execute_result", "data": {"text/plain": question}},
        {"output_type": "execute_result", "data": {"text/plain": [7]}},
    ]
    wu.write_text(json.dumps(shown))
    grades = marked(
        book("kim", answer("bpe-01", "kim"), other),
        book("lee", other),
        book("su", course, answer("bpe-01", "kim")),
        book("xi", *(other.replace("01", f"{number:02}") for number in range(1, 8))),
        exercises=["bpe-01"],
    )
    assert [points(grades, name) for name in ("kim", "lee", "wu")] == [[1], [0], [1]]
    assert "learner's: bpe-01, bpe-02, bpe-03, bpe-04, bpe-05 and 2 more" in remarks(grades, "xi")
    for name in ("kim", "lee", "su", "wu"):
        words = (
            "its answers or its saved outputs belong to other figures than this learner's: bpe-01"
        )
        assert words in remarks(grades, name) and f"{name}: {words}" in grades.summary(), name


@pytest.mark.slow
def test_a_second_sitting_is_said(marked):
    wrong = answer("bpe-01", "klee", what="types-not-occurrences")
    cells = {
        "HW_klee_attempt_2026-01-31-12-00-00_a": answer("bpe-01", "klee"),
        "HW_klee_attempt_2026-02-01-09-00-00_a": wrong,
        "leekim_1_2_a": wrong,
        "leekim_1_2_a-2": wrong,
        "leekim_1_2_a-10": answer("bpe-01", "leekim"),
    }
    grades = marked(*(book(name, cell) for name, cell in cells.items()))
    assert points(grades, "klee") == [0] and points(grades, "leekim") == [1]
    first = "HW_klee_attempt_2026-01-31-12-00-00_a.ipynb"
    assert f"klee: answered in {first} and " in grades.summary()
    assert ", of which the last counts: bpe-01\n" in grades.summary()


@pytest.mark.slow
def test_late_work_is_a_column(tmp_path):
    folder, due = tmp_path / "in", "2026-01-31T09:00"
    for name in (
        "kim_LATE_1_2_a",
        "lee_3_4_a",
        *(
            f"HW_{name}_attempt_2026-{when}-00_a"
            for name, when in (("su", "02-01-09-00"), ("mo", "01-31-09-03"), ("yu", "02-03-21-00"))
        ),
    ):
        notebook(folder / f"{name}.ipynb", answer("bpe-01"), learner="", seed=7)
        os.utime(folder / f"{name}.ipynb", (1, 1))
    grades = grade(folder, trust=True)
    assert {row.learner.name: row.late for row in grades.rows if row.late} == {"kim": "late"}
    assert "kim: late" in grades.summary()
    done = run_apart("grade", folder, "--out", tmp_path / "grades.csv", "--trust", "--due", due)
    assert {row["learner"]: row["late"] for row in table_of(tmp_path / "grades.csv")} == {
        "kim": "",
        "lee": "",
        "su": "late by 24.0 hours",
        "mo": "late by 3 minutes",
        "yu": "late by 3.5 days",
    }, done.stderr
    (folder / "kim_LATE_1_2_a.ipynb").unlink()
    tables.write_grades(tmp_path / "grades.csv", grade(folder, trust=True))
    assert {row["late"] for row in table_of(tmp_path / "grades.csv")} == {""}


def test_nbgrader_says_when_it_was_handed_in(tmp_path):
    notebook(tmp_path / "submitted" / "kim" / "hw" / "a.ipynb", answer("bpe-01", "kim"))
    (tmp_path / "submitted" / "kim" / "hw" / "timestamp.txt").write_text(
        "2026-02-01 12:30:00.123456 UTC"
    )
    (submission,) = submissions.find(tmp_path)
    assert submission.time() == datetime(2026, 2, 1, 12, 30, 0, 123456, tzinfo=UTC)
    assert submission.place == "kim/hw/feedback.html"


def test_only_what_collects_says_when_it_was_handed_in(tmp_path):
    """A learner's own timestamp.txt, or the dates in a zip file of theirs, say nothing."""
    for place in (
        tmp_path / "in" / "kim" / "hw",
        tmp_path / "in" / "lee" / "submitted" / "x" / "hw",
    ):
        notebook(place / "a.ipynb")
        (place / "timestamp.txt").write_text("2020-01-01 12:00:00 UTC")
    (tmp_path / "in" / "su.zip").write_bytes(hostile.zipped("a.ipynb", "{}"))
    found = submissions.find(tmp_path / "in")
    for one in found:
        os.utime(one.path, (1e9, 1e9))
    assert [one.time().timestamp() for one in found] == [1e9] * 3
    (tmp_path / "all.zip").write_bytes(hostile.zipped("kim/a.ipynb", "{}"))
    os.utime(tmp_path / "all.zip", (1e9, 1e9))
    assert submissions.find(tmp_path / "all.zip")[0].time().timestamp() > 1.7e9


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="sets the time zone")
def test_the_times_in_a_zip_file_are_local(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        (tmp_path / "all.zip").write_bytes(hostile.zipped("kim/a.ipynb", "{}"))
        told = submissions.find(tmp_path / "all.zip")[0].time()
    time.tzset()
    assert told.utcoffset() == timedelta(hours=9)


def test_the_minutes_of_work_are_without_its_pauses():
    times = ["10:00:00", "10:12:00", "10:13:30", "15:00:00", "15:02:00"]
    cells = [
        {
            "cell_type": "code",
            "source": "1 + 1",
            "metadata": {"execution": {"iopub.execute_input": f"2026-02-01T{at}.000000Z"}},
        }
        for at in times
    ]
    data = json.dumps({"nbformat": 4, "cells": cells}).encode()
    assert submissions.parse(data).minutes == 12 + 1.5 + 2


def test_a_huge_timestamp_is_not_read(tmp_path):
    notebook(tmp_path / "submitted" / "kim" / "hw" / "a.ipynb")
    with open(tmp_path / "submitted" / "kim" / "hw" / "timestamp.txt", "wb") as file:
        file.truncate(100_000_000)
    (found,) = submissions.find(tmp_path)
    tracemalloc.start()
    try:
        assert found.time() is None and tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_folder_called_submitted_hides_nobody_in_silence(tmp_path):
    for name in ("submitted/kim/a", "lee/a", "source/x/x"):
        notebook(tmp_path / "in" / f"{name}.ipynb")
    done = run("grade", tmp_path / "in", "--out", tmp_path / "grades.csv", "--trust")
    assert "Only the folder 'submitted' was looked at, as nbgrader has it; not lee." in done.stderr


@pytest.mark.slow
def test_whoever_needs_all_the_time_has_no_more_of_it(marked, monkeypatch):
    monkeypatch.setattr(pool, "BUDGET", 0)
    books = {"kim/a": ("bpe-01", "kim"), "kim/b": ("bpe-02", "kim"), "lee/a": ("bpe-01", "lee")}
    answers = (book(name, answer(*asked)) for name, asked in books.items())
    grades = marked(*answers, jobs=1, exercises=["bpe-01"])
    assert points(grades, "kim") == points(grades, "lee") == [1]
    assert "kim/b.ipynb: this learner's notebooks have taken too much time" in remarks(
        grades, "kim"
    )


@pytest.mark.slow
def test_the_letters_of_a_name_in_another_order_are_another_name(marked):
    grades = marked(book("mallory", answer("bpe-01", "yrollam"), learner="yrollam", seed=7))
    assert "it was handed out to yrollam" in remarks(grades, "mallory")


# --------------------------------------------------------------------------------------------------------------- points


@pytest.mark.slow
def test_trying_all_answers_gains_nothing(marked):
    tried = [load("bpe-03", seed=7, learner="kim").asked.answer, ["x"], ["y"], ["z"], ["w"]]
    letters = "abcd"[: len(load("text-03", seed=7, learner="lee").listed)]
    chosen = [f"load('text-03').check({letter!r})" for letter in letters]
    grades = marked(
        book("kim", *(f"load('bpe-03').check({one!r})" for one in tried)),
        book("lee", *chosen, answer("bpe-01", "lee")),
        exercises=["text-03", "bpe-01", "bpe-03"],
    )
    last = load("text-03", seed=7, learner="lee").judge(letters[-1]).score
    assert points(grades, "lee") == [last, 1, 0]
    assert (
        f"text-03 was answered in {len(letters)} ways, of which the last counts" in grades.summary()
    )


@pytest.mark.slow
def test_two_learners_do_not_decide_what_is_graded(marked):
    more = {"su": [repr(exercises.ids())], "wu": [repr(exercises.ids())]}
    names = ("kim", "lee", "su", "wu", "zoe")
    grades = marked(*(book(name, answer("bpe-01", name), *more.get(name, [])) for name in names))
    assert [exercise.id for exercise in grades.exercises] == ["bpe-01"]
    assert len(grades.left_out) > 100
    assert points(grades, "kim") == [1]


@pytest.mark.slow
def test_the_same_code_is_said(marked):
    code = """def encode(word, merges):
    symbols = list(word)
    for left, right in merges:
        out, i = [], 0
        while i < len(symbols):
            if symbols[i:i + 2] == [left, right]:
                out.append(left + right)
                i += 2
            else:
                out.append(symbols[i])
                i += 1
        symbols = out
    return symbols
load("bpe-17").check(encode)

def decode(tokens):
    words, current = [], ""
    for token in tokens:
        if token.endswith("</w>"):
            words.append(current + token[:-4])
            current = ""
        else:
            current += token
    if current:
        words.append(current)
    return words
load("bpe-18").check(decode)

def count_pairs(word_freqs, splits):
    counts = {}
    for word, freq in word_freqs.items():
        symbols = splits[word]
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            counts[pair] = counts.get(pair, 0) + freq
    return counts
load("bpe-15").check(count_pairs)"""
    encode = code.partition("\n\n")[0]
    other = encode.replace("i += 2", "i = i + 2").replace(
        "while i < len(symbols)", "while len(symbols) > i"
    )
    first, second = (
        encode.replace("in merges:\n", f"in merges:\n        last = {name}\n")
        for name in ("left", "right")
    )
    cells = {"kim": code, "lee": f"# mine\n{code}", "su": other, "wu": first, "xi": second}
    grades = marked(
        *(book(name, *cell.split("\n\n")) for name, cell in cells.items()),
        exercises=["bpe-15", "bpe-17", "bpe-18"],
    )
    assert [points(grades, name) for name in cells] == [[3, 3, 2]] * 2 + [[0, 3, 0]] * 3
    words = "the code for bpe-15, bpe-17, bpe-18 is the same as that of {}"
    assert remarks(grades, "kim") == words.format("lee")
    assert remarks(grades, "lee") == words.format("kim")
    assert not any(remarks(grades, name) for name in ("su", "wu", "xi"))


@pytest.mark.slow
def test_a_deleted_import_cell_costs_nothing(tmp_path):
    rehearsal.write_notebook(
        tmp_path / "kim.ipynb",
        [
            answer("bpe-01", "kim"),
            answer("bpe-02", "kim").replace("load('bpe-02')", "bpe_02"),
            answer("bpe-16").replace("load('bpe-16')", "bpe_16"),
        ],
    )
    assert points(
        grade(tmp_path, seed=7, trust=True, exercises=["bpe-01", "bpe-02", "bpe-16"]), "kim"
    ) == [1, 1, 3]


# ------------------------------------------------------------------------------------------------------ what comes back


@pytest.mark.slow
def test_each_learner_gets_a_page(rehearsed):
    folder, grades, planted = rehearsed
    pages = report.write_feedback(folder / "feedback", grades, answers=True)
    assert [path.relative_to(folder / "feedback").as_posix() for path in pages] == [
        f"{row.learner.name}/feedback.html" for row in grades.rows
    ]
    for row, path in zip(grades.rows, pages):
        page = path.read_text(encoding="utf-8")
        others = set(planted) - {row.learner.name}
        assert not any(re.search(rf"\b{other}\b", page) for other in others)
        for exercise in grades.exercises:
            right = planted[row.learner.name][exercise.id] == "correct"
            words = (
                "right"
                if right
                else "not right"
                if planted[row.learner.name][exercise.id]
                else "not answered"
            )
            assert (
                f"{html.escape(exercise.title)} · {words}, {exercise.points if right else 0} of"
                in page
            )
        assert page.count("The right answer") == sum(
            what != "correct" for what in planted[row.learner.name].values()
        )
    plain = report.write_feedback(folder / "plain", grades)
    assert "The right answer" not in plain[0].read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_report_for_everybody_names_nobody(rehearsed):
    _, grades, planted = rehearsed
    page, own = report.report(grades, names=False), report.report(grades)
    assert not any(re.search(rf"\b{name}\b", page) for name in planted)
    assert all(re.search(rf"\b{name}\b", own) for name in planted) and "Who reached what" in own
    assert all(html.escape(exercise.title) in page for exercise in grades.exercises)


@pytest.mark.slow
def test_wrong_answers_without_a_name_are_listed_with_their_figures(marked):
    wrong, right = "load('bpe-01').check(123456)", answer("bpe-01", "lee")
    page = report.report(marked(book("kim", wrong), book("lee", right)))
    table, ex = page.partition("Wrong answers without")[2], load("bpe-01", seed=7, learner="kim")
    assert "<code>123456</code>" in table and ex.kind.show(ex.asked.answer) in table


def test_an_exercise_that_the_good_ones_solve_discriminates():
    bank = exercises.catalog()
    right = {
        "outcome": "correct",
        "score": 1.0,
        "label": "",
        "message": "",
        "answer": "",
        "evidence": "",
        "tries": 2,
    }
    wrong = {**right, "outcome": "incorrect", "score": 0.0, "tries": 1}
    solved = {"bpe-01": [0, 1, 2], "bpe-02": [0, 1], "bpe-03": [3, 4], "bpe-13": [0, 1, 2]}
    rows = [
        Row(
            Learner(str(n), str(n)),
            [],
            {id: right if n in by else wrong for id, by in solved.items()},
        )
        for n in range(5)
    ]
    grades = Grades(rows, [bank[id] for id in solved])
    found = report.difficulty(grades)
    assert found["discrimination"]["bpe-02"] > 0.5 and found["discrimination"]["bpe-03"] < -0.5
    assert found["tries"]["bpe-01"] == pytest.approx(8 / 5)
    page = html.unescape(re.sub("<[^>]+>", " ", report.report(grades)))
    for _, row in found.iterrows():
        figures = f"{row['reached']:.0%} {row['discrimination']:.2f} {row['tries']:.2f}"
        assert f"{row['title']} {figures}" in " ".join(page.split())


@pytest.mark.slow
def test_hints_and_minutes_are_counted_where_they_are_known(tmp_path):
    notebook(
        tmp_path / "kim.ipynb",
        "bpe_01 = load('bpe-01')\nbpe_01.hint()",
        "bpe_01.hint()\nbpe_01.solution()",
    )
    kept = json.loads((tmp_path / "kim.ipynb").read_text())
    for cell, time_of_day in zip(kept["cells"], ("10:00:00", "10:06:00", "14:00:00")):
        cell["metadata"] = {
            "execution": {"iopub.execute_input": f"2026-01-31T{time_of_day}.000000Z"}
        }
    (tmp_path / "kim.ipynb").write_text(json.dumps(kept))
    (row,) = grade(tmp_path, seed=7, trust=True).rows
    assert (row.hints, row.solutions, row.minutes) == (2, 1, 6.0)


# ---------------------------------------------------------------------------------------------------------- the command


@pytest.mark.slow
def test_the_command(tmp_path):
    for name in ("kim", "lee"):
        notebook(tmp_path / "in" / f"{name}.ipynb", answer("bpe-01", name))
    files = {option: tmp_path / f"grades.{option}" for option in ("json", "report")}
    done = run_apart(
        "grade",
        tmp_path / "in",
        "--out",
        tmp_path / "grades.csv",
        "--seed",
        7,
        "--trust",
        "--jobs",
        2,
        "--json",
        files["json"],
        "--report",
        files["report"],
    )
    assert (done.returncode, done.stdout) == (
        0,
        "2 learners, 1 exercise, 1 point; on average 1.0 points, 100.0%\n",
    )
    assert "2 of 2 notebooks" in done.stderr
    told = json.loads(files["json"].read_text(encoding="utf-8"))
    assert told["learners"][0]["answers"]["bpe-01"]["outcome"] == "correct"
    assert files["report"].read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nowhere"], "there is no folder 'nowhere'"),
        ([".", "--report", "nowhere/report.html"], "there is no folder"),
        ([".", "--exercises", "bep"], "no exercise, lesson or notebook 'bep'"),
        ([".", "--learner-pattern", "("], "not a regular expression"),
        ([".", "--exercises-file", "nowhere.py"], "there is no file"),
        ([".", "--timeout", "0"], "a whole number of at least 1"),
        ([".", "--timeout", "9" * 30], "expected at most 86400, a day"),
        ([".", "--timeout", "1" + "0" * 400], "expected at most 86400, a day"),  # beyond a float
    ],
)
def test_bad_use(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    done = run("grade", *arguments, "--out", tmp_path / "grades.csv")
    assert (
        done.returncode == 2
        and words in done.stderr
        and not done.stdout
        and "Traceback" not in done.stderr
    )


# -------------------------------------------------------------------------------------------------- a person's decision


OVERRIDES = """\
learner,exercise,points,comment
kim,bpe-01,{points},"Right by the <older> rule, as we said in class"
lee,bpe-01,0,
"""


@pytest.fixture
def overruled(tmp_path):
    """Marks kim's wrong answer, lee's right one and su's broken file, with a table of overrides."""
    folder, table = tmp_path / "in", tmp_path / "overrides.csv"
    for name, what in (("kim", "nothing like it"), ("lee", "correct")):
        cell = answer("bpe-01", name) if what == "correct" else 'load("bpe-01").check(-1)'
        notebook(folder / f"{name}.ipynb", cell, learner=name, seed=7)
    (folder / "su.ipynb").write_text("{")

    def mark(text, *options):
        table.write_bytes(text.encode("utf-8-sig"))
        arguments = ("--trust", "--jobs", "1", "--exercises", "bpe-01", "--overrides", table)
        return run("grade", folder, "--out", tmp_path / "grades.csv", *arguments, *options)

    return mark


@pytest.mark.slow
def test_a_person_overrules_the_marking_wherever_points_are_told(tmp_path, overruled):
    full = exercises.load("bpe-01").exercise.points
    text = OVERRIDES.format(points=full) + f"su,bpe-01,{full},I saw it on paper\n"
    (tmp_path / "roster.csv").write_text(
        "Student,ID,SIS Login ID,Section\nKim,1,kim,A\nLee,2,lee,A\nSu,3,su,A\n"
    )
    done = overruled(
        text,
        *("--json", tmp_path / "all.json", "--report", tmp_path / "report.html"),
        *("--class-report", tmp_path / "class.html", "--feedback", tmp_path / "pages"),
        *("--format", "canvas", "--roster", tmp_path / "roster.csv"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "overrides.csv").read_bytes() == text.encode("utf-8-sig")
    why = "Right by the <older> rule, as we said in class"
    kim = f"bpe-01: {full} by a person, 0 by the marking: {why}"
    assert f"kim: {kim}\n" in done.stdout
    rows = {row["learner"]: row for row in table_of(tmp_path / "grades.csv")}
    assert [rows[name]["total"] for name in ("kim", "lee", "su")] == [str(full), "0", str(full)]
    assert [rows[name]["bpe-01"] for name in ("kim", "lee")] == [str(full), "0"]
    assert rows["kim"]["decided"] == kim and rows["kim"]["percentage"] == "100"
    assert (
        rows["su"]["decided"]
        == f"bpe-01: {full} by a person, nothing by the marking: I saw it on paper"
    )
    book = table_of(tmp_path / "grades.canvas.csv")
    assert [row["01 Byte-pair encoding"] for row in book] == [str(full), "0", str(full)]
    everything = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    mine = {row["learner"]: row for row in everything["learners"]}
    assert mine["kim"]["overrides"] == {"bpe-01": {"points": full, "marked": 0, "comment": why}}
    assert mine["lee"]["overrides"]["bpe-01"]["marked"] == full
    assert mine["kim"]["total"] == full and mine["kim"]["answers"]["bpe-01"]["score"] == 0
    for name, before in (("kim", "0"), ("lee", f"{full}"), ("su", "nothing")):
        page = (tmp_path / "pages" / f"{name}.html").read_text(encoding="utf-8")
        assert f"A person decided on these points; the marking gave {before}." in page
        assert "decided by a person, " in page
    page = (tmp_path / "pages" / "kim.html").read_text(encoding="utf-8")
    assert html.escape(why) in page and "<older>" not in page
    told = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Decided by a person" in told and f">{full}*</td>" in told and html.escape(why) in told
    assert "Decided by a person" not in (tmp_path / "class.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("learner,exercise,points\nkim,bpe-01,1\n", 1, "no column comment"),
        ("", 1, "no column learner, exercise, points, comment"),
        (OVERRIDES.format(points=0) + "mo,bpe-01,0,\n", 4, "nobody who handed something in"),
        ("learner,exercise,points,comment\nkim,bpe-99,0,\n", 2, "'bpe-99' is no exercise"),
        ("learner,exercise,points,comment\nkim,bpe-02,0,\n", 2, "'bpe-02' is no exercise"),
        (OVERRIDES.format(points=99), 2, "the points are 99; expected 0 to"),
        (OVERRIDES.format(points=-1), 2, "the points are -1; expected 0 to"),
        (OVERRIDES.format(points="nan"), 2, "the points are nan; expected 0 to"),
        (OVERRIDES.format(points="all"), 2, "the points are 'all'; expected a number"),
        (OVERRIDES.format(points=0) + "kim,bpe-01,0,\n", 4, "bpe-01 of kim is decided already"),
        ("learner,exercise,points,comment\nkim,bpe-01,0,well, no\n", 2, "more cells than columns"),
    ],
)
def test_overrides_that_do_not_fit_are_named_before_anything_is_marked(
    tmp_path, overruled, monkeypatch, text, line, words
):
    monkeypatch.setattr(pool, "mark_all", None)  # would be called
    done = overruled(text)
    assert done.returncode == 2 and f"line {line}" in done.stderr and words in done.stderr, done
    assert str(tmp_path / "overrides.csv") in done.stderr
    assert not (tmp_path / "grades.csv").exists()


def test_overrides_are_never_written_over(tmp_path, overruled):
    done = overruled(OVERRIDES.format(points=0), "--json", tmp_path / "overrides.csv")
    assert done.returncode == 2 and "would be overwritten" in done.stderr


def test_overrides_name_one_learner_and_say_what_is_not_graded():
    kims = [Learner("Kim", id) for id in "12"]
    bank = exercises.catalog()
    with pytest.raises(ValueError, match="line 2: several learners are called 'Kim'"):
        decisions.decided([Override("Kim", "bpe-01", 0, "", "line 2")], kims, bank, None)
    second = Override("2", "bpe-01", 0)
    decided = decisions.decided([second], kims, bank, None)
    assert decided == {Learner("Kim", "2"): {"bpe-01": second}}
    row = Row(Learner("Kim", "2"), [], overrides=decided[Learner("Kim", "2")])
    assert "bpe-01: decided by a person, but not graded" in Grades([row], []).summary()
