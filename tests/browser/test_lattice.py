"""A word's lattice in the page: the roads, ways and shares of Python, taken with a mouse and by keyboard alone."""

import math
import random
import re

import pytest

from subword_lab import lattice, views
from subword_lab.unigram import UnigramModel
from subword_lab.views.player import bundled, static

from .conftest import looks_well, played, watched

pytestmark = pytest.mark.slow

WAYS = """([words, tokens, losses, unknown, temperature]) => {
  %s
  const model = { losses: new Map(tokens.map((token, i) => [token, losses[i]])), unknown: unknown ?? Infinity };
  model.reach = Math.max(1, ...tokens.map((token) => Array.from(token).length));
  return words.map((word) => {
    const letters = Array.from(word), roads = roadsOf(letters, model), n = letters.length;
    return {
      roads: roads.map(({ start, end, token, loss }) => [start, end, token, loss]),
      ways: bestWays(roads, n, 4).map(({ roads, loss }) => [roads.map(({ token }) => token), loss]),
      forward: allWays(roads, n, { temperature }), backward: allWays(roads, n, { backwards: true }),
      shares: sharesOf(roads, n),
    };
  });
}"""
MODEL = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}, 12.0)


def test_roads_ways_and_shares_are_those_of_python(browser):
    script, numbers = WAYS % bundled(static("lattice.js")), random.Random("lattices")
    with watched(browser) as page:
        for _ in range(150):
            letters = numbers.choice(["ab", "hugs", "кош", "四😀e\u0301"])
            tokens = {
                "".join(numbers.choices(letters, k=numbers.randint(1, 4))): numbers.choice(
                    [numbers.uniform(0, 9), 1.0, 2.0]
                )
                for _ in range(numbers.randint(0, 9))
            }
            model = UnigramModel(tokens, numbers.choice([math.inf, 10.0]))
            words = ["".join(numbers.choices(letters, k=size)) for size in range(10)]
            heat = numbers.choice([0.3, 1.0, 4.0])
            unknown = None if model.unknown_loss == math.inf else model.unknown_loss
            asked = [words, list(tokens), list(tokens.values()), unknown, heat]
            for word, made in zip(words, page.evaluate(script, asked), strict=True):
                assert made["roads"] == [list(edge) for edge in lattice.edges(word, model)]
                assert made["ways"] == [list(way) for way in lattice.n_best(word, model, 4)]
                best, loss = lattice.viterbi(word, model)
                assert made["ways"][:1] == ([[best, loss]] if loss < math.inf else [])
                assert made["forward"] == pytest.approx(
                    lattice.forward(word, model, temperature=heat)
                )
                assert made["backward"] == pytest.approx(lattice.backward(word, model))
                shares = lattice.shares(word, model) or dict.fromkeys(lattice.edges(word, model), 0)
                assert made["shares"] == pytest.approx(list(shares.values()))


@pytest.fixture
def opened(browser, tmp_path):
    lattice = views.lattice_playground("hug", MODEL)
    with played(browser, tmp_path, lattice, lattice) as page:
        yield page


def test_roads_are_taken_in_the_drawing_and_the_best_way_waits_until_it_is_asked_for(opened):
    play = opened.locator("subword-lattice").first
    said = play.locator(".sl-status")
    assert "3.50" not in play.inner_text() and "?.??" in play.inner_text()
    play.get_by_role("button", name="hu from 0 to 2").click()
    assert said.inner_text() == "Your way so far: hu, 2.50. Take roads until the word is whole."
    play.get_by_role("button", name="g from 2 to 3").click()
    assert "2.50 + 2.00 = 4.50. There is a cheaper one." in said.inner_text()
    assert opened.evaluate("document.getAnimations().length") > 0
    play.get_by_role("button", name="Show the best way").click()
    assert (
        "1.00 more than the best. The best way is h|ug, with a loss of 3.50." in said.inner_text()
    )
    assert play.locator("ol li").count() == 3 and "62.9%" in play.locator("ol").inner_text()
    play.get_by_role("button", name="ug from 1 to 3").click()
    assert said.inner_text().startswith("Your way so far: ug, 1.50.")  # what it crosses is given up
    play.get_by_role("button", name="h from 0 to 1").click()
    assert said.inner_text().endswith("= 3.50. That is the best there is.")
    assert (
        opened.locator("subword-lattice").last.locator(".sl-sums").inner_text().count("0.00") == 1
    )


def test_by_keyboard_alone(opened):
    play, press = opened.locator("subword-lattice").first, opened.keyboard.press
    press("Tab")
    opened.keyboard.type("s")  # what stands in the field is chosen as a whole
    press("Control+a")
    opened.keyboard.type("ughx")
    press("Tab")
    press("ArrowRight")
    press("Enter")
    said = play.locator(".sl-status")
    assert said.inner_text().startswith("Your way so far: ug, 1.50.")
    press("End")
    press("Space")
    press("ArrowLeft")
    press("Space")
    assert "1.50 + 2.00 + 12.00 = 15.50. That is the best" in said.inner_text()
    press("Tab")
    press("Enter")
    press("Tab")
    press("Tab")
    press("Home")  # of the temperature, which is 0 then
    assert "100.0%" in play.locator("ol").inner_text()
    press("Tab")
    press("Enter")
    press("Tab")
    press("Home")  # of the loss of u
    assert "0.00" in play.locator(".sl-prices").inner_text()
    assert "1.50 + 2.00 + 12.00 = 15.50. 0" not in said.inner_text()
    play.get_by_role("button", name="Start again").press("Enter")
    assert "1.00" in play.locator(".sl-prices").inner_text()


@pytest.mark.parametrize(
    "word, shown",
    [
        ("<b>\u202e<i>\u200b", "U+202E"),
        ("\u05e9\u05dc\u05d5\u05dd", "\u05e9"),
        ("x" * 100_000, "Your word has 100,000 letters"),
        ("", "Your word has 0 letters"),
        ("\ud800", "\ufffd"),
    ],
)
def test_whatever_is_typed_or_linked_is_shown_and_never_obeyed(opened, word, shown):
    play = opened.locator("subword-lattice").last
    play.get_by_role("textbox").evaluate(
        "(field, word) => { field.value = word; field.dispatchEvent(new Event('input')) }", word
    )
    assert shown in play.inner_text()
    assert play.locator("i b, b b, b i, script, img").count() == 0
    if 0 < len(word) < 20 and word != "\ud800":
        opened.wait_for_url(re.compile("#word1="))
        opened.reload()
        assert shown in play.inner_text() and play.get_by_role("textbox").input_value() == word
        assert opened.get_by_role("textbox").first.input_value() == "hug"


def test_nothing_moves_for_whom_the_system_says_so_and_axe_finds_nothing(opened):
    play = opened.locator("subword-lattice").first
    opened.emulate_media(reduced_motion="reduce")
    play.get_by_role("button", name="hu from 0 to 2").click()
    play.get_by_role("button", name="Show the best way").click()
    play.locator("summary").click()
    assert opened.evaluate("document.getAnimations().length") == 0
    assert looks_well(opened)
