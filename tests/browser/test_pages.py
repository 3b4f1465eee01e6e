"""The pages to read: their exercises are cards that check answers without Python, as the notebooks' cards do."""

import json
import re

import pytest

from subword_lab_teach.site import answers
from subword_lab_teach.site.pages import write_pages

from .conftest import axe, watched

pytestmark = pytest.mark.slow

CARDS = r'<script type="application/json">(.*?)</script>'
ANSWERED = {  # page -> exercise -> answers in turn, and words of what is said of each
    "01_bpe": {
        "bpe-01": {
            " ": "Type an answer first",
            "many": "I expected a number",
            "6": "when every word counts once",
            "1,000": "That is too large.",
            "12": "That is too small.",
            "102/2": "A pair occurs once for each place",
        },
        "bpe-08": {"b": "Not right yet", "c": "Right"},
    },
    "05_side_by_side": {
        "compare-03": {
            "o|cot|a": "Not right yet",
            "oc|ot|a": "nor a mistake",
            "oc o ta": "Right",
        },
        "compare-07": {"1,164": "too large", "0,86": "Not right yet", "1.162": "Right"},
    },
    "02_wordpiece": {
        "wordpiece-20": {"U + ##E": "Not right yet", "U + ##S": "Right", '("U", "##S")': "Right"},
    },
    "00_text_to_tokens": {
        "text-02": {
            "I'd | stop | here?!": "Not right yet",
            '["I", "\'", "d", "stop", "here", "?!"]': "Right",
        },
        "text-10": {
            "a b c d e": "nor a mistake that this page knows",
            "d>e>a>c>b": "Right",
            "DEACB": "Right",
        },
    },
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return write_pages(tmp_path_factory.mktemp("pages")).parent


@pytest.mark.parametrize("name", ANSWERED)
def test_a_page_says_what_went_wrong(browser, pages, name):
    with watched(browser) as page:
        page.goto(pages.joinpath(f"{name}.html").as_uri())
        for id, answers in ANSWERED[name].items():
            card = page.get_by_role("group", name=f"Exercise {id}")
            for answer, words in answers.items():
                if letters := card.get_by_role("radio").all():
                    letters["abcd".index(answer)].check()
                else:
                    card.get_by_role("textbox").fill(answer)
                card.get_by_role("button", name="Check").click()
                assert words in card.get_by_role("status").inner_text(), (id, answer)
        page.reload()
        assert "✓ done" in page.get_by_role("group", name=f"Exercise {id}").inner_text()


def test_a_deck_deals_what_went_wrong_again_with_other_figures(browser, pages):
    path = pages / "09_lab.html"
    with watched(browser) as page:
        page.goto(path.as_uri())
        deck = page.locator("[data-deck]")
        _, again, *_ = json.loads(re.findall(CARDS, path.read_text())[-1])[0]
        wrong_then_right = {"0": "0 right, 1 to go", again["known"][0][0]: "1 right, 0 to go"}
        for answer, place in wrong_then_right.items():
            asked = deck.inner_text()
            for typed in ("many", answer):  # what is no number is no answer, and costs nothing
                deck.get_by_role("textbox").fill(typed)
                deck.get_by_role("button", name="Check").click()
            deck.get_by_role("button", name="Next exercise").click()
            assert place in deck.inner_text() and deck.inner_text() != asked
        assert "That was the last one: 1 right." in deck.inner_text()


def test_every_known_answer_is_found_and_one_alone_is_right(browser, pages):
    source = answers.read("site", "answers.js").partition("\nfor (")[0]
    cards = re.findall(CARDS, "".join(page.read_text() for page in pages.glob("0*.html")))
    turns = [turn for each in cards for card in json.loads(each) for turn in card]
    assert len(turns) > 300
    with watched(browser) as page:
        found = page.evaluate(
            f"turns => {{ {source}; return turns.map(turn => turn.known.map(([answer]) => verdictOf(turn, answer))) }}",
            turns,
        )
    for turn, verdicts in zip(turns, found):
        assert verdicts == [verdict for _, verdict in turn["known"]], turn["shown"]["id"]
        assert [verdict["tone"] == "good" for verdict in verdicts].index(True) == 0
        assert [verdict["tone"] for verdict in verdicts].count("good") == 1, turn["shown"]["id"]


@pytest.mark.parametrize("name", ["02_wordpiece", "03_unigram"])
def test_axe_finds_nothing_on_a_page(browser, pages, name):
    with watched(browser) as page:
        page.goto(pages.joinpath(f"{name}.html").as_uri())
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 1000})
            assert axe(page) == [], width
