"""The compressor and the count of work in the page: as Python has them, with the mouse, by keyboard, in a link."""

import random
import re

import pytest
from PIL import Image

from subword_lab import compression, text, views
from subword_lab.studies import speed
from subword_lab.views.player import bundled, static
from subword_lab.views.trainer import pattern

from .conftest import looks_well, played, watched

pytestmark = pytest.mark.slow

RULES = """(texts) => {
  %s
  return texts.map((text) => {
    const letters = Array.from(text), words = letters.length ? [{ text, letters, freq: 1 }] : [];
    const asked = { alone: Infinity, most: Infinity, symbols: unusedSymbols(letters) };
    const run = mergeSteps({ words, letters: letters.length }, asked);
    const name = (symbol) => run.names[symbol];
    return {
      rules: run.steps.map(({ left, right, token, count }) => [name(left) + name(right), name(token), count]),
      lengths: run.tokens,
      texts: run.steps.map((_, k) => splitAt(run.history[0], k + 1).map(name).join("")),
    };
  });
}"""
LOOKS = """([texts, pattern]) => {
  %s
  return texts.map((text) => {
    const corpus = corpusBy(text, new RegExp(pattern, "gu"));
    return looksOf(corpus, mergeSteps(corpus, { most: 60, alone: Infinity })).slice(1);
  });
}"""
TEXT = "words and more words " * 200
TYPE_INTO_THE_MIDDLE = """(area, text) => {
  const stage = area.getRootNode().querySelector("subword-work .sl-stage");
  const changes = new MutationObserver(() => {});
  changes.observe(stage, { attributes: true, childList: true, subtree: true });
  area.value = text.slice(0, 2000) + "x" + text.slice(2000);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  return changes.takeRecords().map(({ type, attributeName, target }) => `${type} ${attributeName} ${target.className}`);
}"""
HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>\u200b\u202etxet\u202c & a\u0301\u05e9'


def random_texts(seed):
    numbers = random.Random(seed)
    for letters in ["ab", "aab ", "hugs ", "ZYX zy", "кошка ", "四😀e\u0301\n "] * 50:
        yield "".join(numbers.choices(letters, k=numbers.randint(0, 60)))


def computed(browser, script, module, asked):
    """What a script makes of what it is asked, with the functions of a module, but not its element."""
    modules = bundled(*map(static, ("widget.js", "merging.js", module)))
    with watched(browser) as page:
        return page.evaluate(script % modules.partition("\nclass ")[0], asked)


def test_the_rules_in_the_page_are_those_of_python(browser):
    texts = [*random_texts("rules"), "".join(map(chr, range(0x20, 0x7F))) + "ab" * 9]
    found = computed(browser, RULES, "compressor.js", texts)
    for string, made in zip(texts, found, strict=True):
        steps = list(compression.compress_steps(string))
        assert made["rules"] == [[step.pair, step.symbol, step.count] for step in steps], string
        assert made["texts"] == [step.data for step in steps]
        assert made["lengths"] == compression.compress(string).lengths


def test_the_looks_in_the_page_are_those_of_python(browser):
    texts = [*random_texts("looks"), text.load_passage()[:3000]]
    found = computed(browser, LOOKS, "work.js", [texts, pattern("whitespace")])
    for string, made in zip(texts, found, strict=True):
        counted = speed.looks(text.word_freqs([string]), 60).values()
        assert made == [list(sums) for sums in zip(*counted, strict=True)], string


@pytest.fixture
def opened(browser, tmp_path):
    compressor = views.compressor_playground("aaabdaaabac")
    work = views.work_playground("hug hugs pug pugs", merges=2)
    with played(browser, tmp_path, compressor, work) as page:
        yield page


def test_a_text_is_compressed_forwards_and_backwards(opened):
    play, keys = opened.locator("subword-compressor"), opened.keyboard
    told, tokens = play.locator(".sl-status"), play.locator(".sl-stage")
    assert told.inner_text().startswith(
        "11 symbols became 5 with 3 rules; with the table it is 14."
    )
    assert tokens.get_attribute("aria-label").endswith("X|d|X|a|c")
    assert play.locator(".sl-merges").inner_text().count("stands for") == 3
    play.get_by_role("textbox").fill("aaabdaaabac!")
    play.get_by_role("button", name="One merge back").click()
    assert tokens.get_attribute("aria-label").endswith("Z|Y|d|Z|Y|a|c|!")
    assert opened.evaluate("document.getAnimations().length") > 0
    keys.press("Home")
    assert (
        "a and a" not in told.inner_text()
        and "12 symbols became 12 with 0 rules" in told.inner_text()
    )
    keys.press("ArrowRight")
    assert "counted 4 times, 2 of which can be replaced" in play.locator(".sl-said").inner_text()
    play.get_by_role("slider").fill("3")
    assert "to send: 6 symbols and a table of 9" in play.locator(".sl-sizes").get_attribute(
        "aria-label"
    )


def test_work_is_counted_while_merges_are_made(opened):
    play = opened.locator("subword-work")
    rows = play.locator(".sl-looks p + p")
    counted = speed.looks(text.word_freqs(["hug hugs pug pugs"]), 3)
    opened.emulate_media(reduced_motion="reduce")
    play.get_by_role("slider").fill("1")
    opened.keyboard.press("Home")
    assert rows.all_inner_texts()[0] == "the whole text\n0"
    for merges in range(3):
        opened.keyboard.press("ArrowRight")
        shown = [f"{name}\n{sums[merges]}" for name, sums in counted.items()]
        assert rows.all_inner_texts() == shown
    assert opened.evaluate("document.getAnimations().length") == 0
    bars = rows.locator("i").evaluate_all(
        "bars => bars.map(bar => bar.getBoundingClientRect().width)"
    )
    assert bars == pytest.approx(
        [bars[0] * sums[2] / counted["the whole text"][2] for sums in counted.values()]
    )
    play.get_by_role("textbox").fill("")
    assert "0 looks at a pair, or 0, for the same 0 merges." in play.inner_text()


def test_a_key_in_a_long_text_changes_its_own_word_alone(opened):
    play = opened.locator("subword-work")
    play.get_by_role("textbox").fill(TEXT)
    play.get_by_text(re.compile(r"\d,\d+ looks at a pair")).wait_for()  # merged, and counted
    tiles = play.locator(".sl-stage .sl-merged")
    merged = tiles.count()
    changes = play.get_by_role("textbox").evaluate(TYPE_INTO_THE_MIDDLE, TEXT)
    assert merged - 9 < tiles.count() <= merged > 500
    assert 0 < len(changes) < 20, changes
    assert not any("dir" in change for change in changes), "each tile would be looked at"


@pytest.mark.parametrize("element", ["subword-compressor", "subword-work"])
def test_what_is_shown_is_saved_as_a_picture(opened, element):
    opened.emulate_media(reduced_motion="reduce")
    with opened.expect_download() as download:
        opened.locator(element).get_by_role("button", name="Save a picture").click()
    assert download.value.suggested_filename == "my-tokens.png"
    with Image.open(download.value.path()) as picture:
        assert picture.size == (1200, 630)
        assert len({color for _, color in picture.getcolors(2**20)}) > 50, "tiles and two lines"


@pytest.mark.parametrize("element", ["subword-compressor", "subword-work"])
def test_whatever_is_typed_or_linked_is_shown_and_never_obeyed(opened, element):
    play = opened.locator(element)
    for typed in ("", HOSTILE, "hug " * 25_000, HOSTILE):
        play.get_by_role("textbox").fill(typed)
    opened.wait_for_url(re.compile("onerror"))
    opened.reload()
    assert play.get_by_role("textbox").input_value() == HOSTILE
    play.get_by_role("button", name="To the letters").click()
    assert "U+202E" in play.locator(".sl-text").inner_text()
    assert opened.evaluate("window.hit") is None and play.locator("img, script").count() == 0
    play.get_by_role("textbox").fill("hug " * 25_000)
    play.get_by_text("What is longer is left out.").wait_for()


def test_axe_finds_nothing_and_nothing_is_cut_off(opened):
    assert looks_well(opened)
