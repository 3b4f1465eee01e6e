"""The card of an exercise, as the notebook's page sees it: what is asked, what comes back, what is kept."""

import os
import subprocess
import sys
from datetime import datetime, timedelta

import nbformat
import pytest
from nbclient import NotebookClient

from subword_lab import exercises, html
from subword_lab.exercises import load, progress
from subword_lab.exercises.code import source_of
from subword_lab.exercises.deck import OLD_RIGHT, Deck, in_order, practice
from subword_lab.views import ExerciseCard, PracticeDeck

WIDGET = "application/vnd.jupyter.widget-view+json"
FIELDS = {
    "choice": "choice",
    "ordering": "order",
    "segmentation": "text",
    "function": "none",
    "gap": "none",
    "lines in order": "order",
    "repair": "none",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path))
    return tmp_path


def press(card, what, answer="", turn=None):
    """A press of a button, as the page sends it; what the card shows afterwards."""
    turn = card.shown["turn"] if turn is None else turn
    card._answer(card, {"do": what, "turn": turn, "answer": answer, "key": card.shown["key"]}, [])
    return card.shown


def right(ex):
    return ex.kind.show(ex.asked.answer)


def wrong(ex):
    return ex.kind.show(ex.asked.mistakes[0].value)


def verdict(card, answer, **how):
    """What the card says to an answer, in a word."""
    return press(card, "check", answer, **how)["feedback"]["word"]


@pytest.mark.parametrize("exercise_id", exercises.ids())
def test_every_exercise_has_a_card(exercise_id):
    ex = load(exercise_id)
    shown = ExerciseCard(ex).shown
    assert shown["field"] == FIELDS.get(ex.kind.name, "text")
    assert shown["question"].startswith("<") and shown["form"] and shown["standing"] == ""
    if shown["field"] in ("choice", "order"):
        assert len(shown["items"]) == len(ex.listed) > 1
        assert "<strong>a.</strong>" not in shown["question"] and "<p>" not in shown["items"][0]


def test_where_no_cells_are_shown_code_is_written_in_the_card(monkeypatch, tmp_path):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    ex, trace = load("bpe-16"), tmp_path / "trace"
    card, solution = ExerciseCard(ex), source_of(ex.asked.answer)
    assert card.shown["field"] == "code" and card.shown["form"] == ex.kind.stub
    told = f"import os\nopen({str(trace)!r}, 'w').write(str(os.getpid()))\n{solution}"
    no_answer = "Not an answer of this form"
    for text, word, message in [
        (ex.kind.stub, "Nothing to check yet", "in place of the three dots"),
        ("def merge(symbols, pair)\n    return symbols", no_answer, "Python cannot read line 1"),
        ("def merged():\n    pass", no_answer, "merge, and got"),
        ("def merge(symbols, pair):\n    return symbols", "Not right yet", "unchanged"),
        (
            "def merge(symbols, pair):\n    return 1/0",
            "It could not be checked",
            "(line 2: <code>return 1/0</code>)",
        ),
        (told, "Right", "every input"),
        (f"import re\n\n\ndef helper():\n    ...\n\n\n{solution}", "Right", "every input"),
    ]:
        feedback = press(card, "check", text)["feedback"]
        assert feedback["word"] == word and message in feedback["message"], feedback
    assert trace.read_text() != str(os.getpid()), "what was typed ran in the notebook's own process"


def test_what_is_partly_right_does_not_look_wrong():
    ex = load("bpe-04")
    answer = ex.kind.show([*ex.asked.answer[:-1], ("z", "q")])
    told = press(ExerciseCard(ex), "check", answer)["feedback"]
    assert (told["word"], told["tone"]) == ("Partly right", "note")
    assert html.COLORS["bad"] not in ex.check(answer)._repr_html_()


def test_right_wrong_hints_and_what_was_done_before():
    ex = load("bpe-03")
    card, mistake = ExerciseCard(ex), ex.asked.mistakes[0]
    for button in ["hint"] * 4 + ["solution"]:
        notes = press(card, button)["notes"]
    titles = [note["title"] for note in notes]
    assert titles == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Solution"]
    assert right(ex) in notes[-1]["html"]
    shown = press(card, "check", wrong(ex))
    told = shown["feedback"]
    assert (told["word"], told["symbol"], shown["standing"]) == ("Not right yet", "✗", "○ tried")
    assert told["message"].startswith(html.to_html(mistake.message))
    assert "another way" in told["message"]
    assert verdict(card, right(ex)) == "Right"
    assert ex.asked.why.split()[0] in card.shown["feedback"]["message"]
    assert card.shown["standing"] == ExerciseCard(load("bpe-03")).shown["standing"] == "✓ done"


@pytest.mark.parametrize(
    "exercise_id, typed, word, message",
    [
        ("bpe-01", "", "Nothing to check yet", "Type an answer first: a number"),
        ("bpe-14", "", "Nothing to check yet", "Choose an answer first."),
        ("bpe-01", "many", "Not an answer of this form", "does not count as an attempt"),
        ("bpe-13", "a a", "Not an answer of this form", "does not count as an attempt"),
        ("bpe-01", "<img src=x onerror=alert(1)>", "Not an answer of this form", "&lt;img src=x"),
    ],
)
def test_what_is_no_answer_costs_nothing(exercise_id, typed, word, message):
    shown = press(ExerciseCard(load(exercise_id)), "check", typed)
    assert shown["feedback"]["word"] == word and message in shown["feedback"]["message"]
    assert shown["standing"] == "" and "<img" not in shown["feedback"]["message"]


def test_new_figures_begin_afresh_and_the_cell_below_checks_them():
    ex, other = load("bpe-03"), load("bpe-03").another()
    card, first = ExerciseCard(ex), right(ex)
    verdict(card, wrong(ex))
    press(card, "hint")
    shown = press(card, "new")
    assert (shown["turn"], shown["feedback"], shown["notes"]) == (1, None, [])
    assert shown["question"] == html.to_html(other.question)
    assert [note["title"] for note in press(card, "hint")["notes"]] == ["Hint 1 of 3"]
    assert ex.check(right(other)).outcome == "correct"
    assert card.shown["standing"] == "✓ done", "what a cell checks is seen on the card"
    assert verdict(card, first, turn=0) == "Right"  # typed before the new figures had come
    assert card.shown["turn"] == 0


def test_progress_that_cannot_be_kept_is_told(home):
    card = ExerciseCard(load("bpe-03"))
    (home / "progress.jsonl").mkdir()
    assert verdict(card, right(card.ex)) == "Right"
    assert "was not saved" in card.shown["feedback"]["note"]
    assert "cannot be read" in card.shown["standing"]


@pytest.mark.slow
def test_where_there_are_no_widgets_an_exercise_is_text_and_html():
    """In a notebook's kernel without anywidget, with widgets switched off, with both; and in IPython on a terminal."""
    show = "from subword_lab.exercises import load\nload('bpe-03')"
    cells = [
        f"import sys; sys.modules['anywidget'] = None\n{show}",
        f"del sys.modules['anywidget']; import os; os.environ['SUBWORD_LAB_NO_WIDGETS'] = '1'\n{show}",
        f"del os.environ['SUBWORD_LAB_NO_WIDGETS']\n{show}",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    env = {name: value for name, value in os.environ.items() if name != "SUBWORD_LAB_NO_WIDGETS"}
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(env=env)
    data = [cell.outputs[0].data for cell in notebook.cells]
    assert data[0] == data[1] == load("bpe-03").static()
    assert set(data[2]) == {"text/plain", "text/html", WIDGET}
    terminal = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "-c", show],
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout
    assert repr(load("bpe-03")) in terminal


# --------------------------------------------------------------------------------------------------------------- a deck


def test_a_deck_asks_again_what_went_wrong_with_new_figures():
    deck = practice("01_bpe")
    card, size, first, figures = PracticeDeck(deck), len(deck), deck.current.id, deck.current.key
    assert verdict(card, wrong(deck.current)) == "Not right yet"
    assert verdict(card, right(deck.current)) == "Right"
    seen = [press(card, "next")["id"] for _ in range(4)]
    assert seen[3] == first not in seen[:3] and card.shown["key"] != figures and deck.right == 0
    verdict(card, right(deck.current))
    pressed = card.shown["key"]
    shown = press(card, "next")
    card._answer(card, {"do": "next", "key": pressed}, [])  # a second press skips no card
    assert card.shown == shown and f"1 right, {size - 1} to go" in shown["deck"]


def test_what_was_partly_right_is_asked_again():
    deck = Deck(["bpe-04", "bpe-01"])
    card, merges = PracticeDeck(deck), deck.current.asked.answer
    assert verdict(card, deck.current.kind.show(merges[:-1])) == "Partly right"
    assert press(card, "next")["id"] == "bpe-01" and deck.place.startswith("0 right, 2 to go")


def test_a_deck_comes_to_its_end_and_begins_with_what_is_left():
    deck = practice("05_side_by_side")
    card, ids = PracticeDeck(deck), dealt(deck)
    for _ in ids:
        verdict(card, right(deck.current))
        shown = press(card, "next")
    assert shown["key"] == "" and f"{len(ids)} right" in shown["feedback"]["message"]
    assert deck.next() is None and "last one" in repr(deck)
    with pytest.raises(ValueError, match="the deck is empty"):
        deck.check(1)
    verdict(ExerciseCard(load(ids[0])), "no")  # done once stays done
    assert dealt(practice("05_side_by_side")) == ids


def test_a_deck_begins_with_what_this_session_has_not_shown_yet(monkeypatch):
    seen = set()
    for module in ("deck", "instance"):
        monkeypatch.setattr(f"subword_lab.exercises.{module}.shown", seen)
    first, *others = practice("02_wordpiece").waiting
    load(first.id)._repr_mimebundle_()
    *before, last = practice("02_wordpiece").waiting
    assert [ex.key for ex in before] == [ex.key for ex in others]
    assert last.id == first.id and last.key != first.key  # with new figures


def test_a_deck_without_widgets(monkeypatch):
    empty, deck = so_far(), practice("00_text_to_tokens")
    assert deck.current.question in repr(deck) and "deck.check(" in repr(deck)
    assert "nothing to practice yet" in repr(empty)
    with pytest.raises(ValueError, match="there is no lesson 'bpe'"):
        practice("bpe")
    assert set(deck._repr_mimebundle_()) == {"text/plain", "text/html"}
    monkeypatch.setattr("subword_lab.exercises.instance.takes_widgets", lambda: True)
    assert set(empty._repr_mimebundle_()) == {"text/plain", "text/html"}  # in a notebook, too


# ------------------------------------------------------------------------------------------- what comes back in a deck

NOW = datetime(2026, 11, 20, 12).astimezone()


def plant(exercise, outcome="incorrect", *, days, kind="attempt", **more):
    """Record an answer that was given so many days before NOW."""
    event = {"exercise": exercise, "kind": kind, "outcome": outcome, "score": None, "learner": ""}
    progress.store().record(event | {"at": (NOW - timedelta(days=days)).isoformat()} | more)


def so_far():
    return practice("so far", now=NOW)


def dealt(deck):
    return [ex.id for ex in deck.waiting]


@pytest.fixture
def fresh(monkeypatch):
    """A session that has shown nothing yet."""
    monkeypatch.setattr("subword_lab.exercises.deck.shown", set())


OWN = in_order("02_wordpiece")[0]
ODD = [("bpe-05", {"at": "yesterday"}), ("bpe-07", {"at": "0001-01-01T00:00:00+14:00"})]
FOREIGN = [("bpe-03", {"learner": "Ada"}), ("class-01", {}), ("bpe-16", {})]  # it asks for code
DAYS = {"bpe-03": 3, "text-01": 4, "bpe-05": 5, "wordpiece-01": 9, "unigram-01": 9}
OLD = [(exercise, {"days": days}) for exercise, days in DAYS.items()]


@pytest.mark.parametrize(
    "wrong, deck, first",
    [
        (
            [("bpe-03", {"days": 2}), ("text-01", {"outcome": "partial"})],
            "so far",
            "text-01 bpe-03",
        ),
        ([("text-01", {"at": "2026-11-11T12:00:00"})], "so far", "text-01"),  # without a zone
        (FOREIGN + ODD, "so far", in_order("01_bpe")[0]),
        (OLD, "so far", "wordpiece-01 unigram-01 bpe-05 text-01 bpe-03"),
        (OLD, "02_wordpiece", f"bpe-05 text-01 {OWN}"),  # two, of earlier lessons
        (OLD, "00_text_to_tokens", in_order("00_text_to_tokens")[0]),
        ([("bpe-03", {"days": 0.5})], "02_wordpiece", OWN),  # not due yet
    ],
)
def test_a_deck_begins_with_ones_oldest_mistakes(fresh, wrong, deck, first):
    for exercise, how in wrong:
        plant(exercise, **{"days": 8, **how})
    ids = dealt(practice(deck, now=NOW))
    assert ids[: len(first.split())] == first.split() and len(ids) == len(set(ids))


def test_so_far_goes_on_with_what_is_new_and_ends_with_what_was_right(fresh):
    plant("bpe-01", days=9, outcome="correct")
    plant("text-02", days=0.5, outcome="correct")
    *untried, last = dealt(so_far())
    of_both = {id for name in ("00_text_to_tokens", "01_bpe") for id in in_order(name)}
    assert last == "bpe-01" and {*untried} == of_both - {"bpe-01", "text-02"}
    assert {id.partition("-")[0] for id in untried[:4]} == {"text", "bpe"}  # mixed
    for number, id in enumerate(in_order("01_bpe")):
        plant(id, "correct", days=2 + number)
    assert dealt(so_far())[-OLD_RIGHT:] == in_order("01_bpe")[::-1][:OLD_RIGHT]


def test_an_old_card_says_where_it_is_from_and_has_new_figures(fresh):
    plant("bpe-03", days=8, turn=2)
    plant("bpe-03", "correct", days=8, turn=3)
    deck, origin = so_far(), "From lesson 01, wrong on 12 November"
    assert deck.current.turn == 4 and origin in deck.static()["text/html"]
    assert origin in PracticeDeck(deck).shown["deck"]
    deck.check(right(deck.current))
    assert "From lesson" not in (deck.next() and deck.place)  # what was never tried


@pytest.mark.parametrize(
    "later, due",
    [
        ([("correct", 7.99)], True),  # told a moment ago, it is not remembered yet
        ([("correct", 6)], False),
        ([("correct", 7.99), ("correct", 6)], False),
        ([("correct", 6), ("incorrect", 5)], True),
        ([("invalid", 6), ("not attempted", 5)], True),  # no answers
        ([("incorrect", 0.99)], False),  # wrong again today: tomorrow
        ([("incorrect", 1)], True),
    ],
)
def test_what_was_wrong_is_due_until_it_is_right_on_another_day(later, due, fresh):
    for outcome, days in [*later, ("incorrect", 8)]:  # whatever the order in the file is
        plant("bpe-03", outcome, days=days)
    for deck in (so_far(), practice("02_wordpiece", now=NOW)):
        assert (dealt(deck)[0] == "bpe-03") == due
