"""The pages to read: their exercises are cards that check answers without Python, as the notebooks' cards do."""

import json
import re
from contextlib import ExitStack

import pytest

from subword_lab import Tokenizer, bpe, html, text, unigram, wordpiece
from subword_lab.arguments import counted
from subword_lab.studies.encoders import cut_by, encode_bytes, encoded, encoder
from subword_lab.views import token_strip
from subword_lab.views.player import bundled, static
from subword_lab.views.tokenizers import recipe
from subword_lab_teach.site import answers

from .conftest import DENIED, looks_well, watched

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(browser, site):
    """A function that opens a page of the site."""
    with ExitStack() as pages:

        def open_page(name, **options):
            page = pages.enter_context(watched(browser, **options))
            page.goto(site.joinpath(name).as_uri())
            return page

        yield open_page


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
        "wordpiece-01": {"1/11": "Not right yet", "0.02": "too small", "0.0250": "Right"},
        "wordpiece-20": {
            "U + ##E": "Not right yet",
            "##O + ##T": "Right",
            '("##O", "##T")': "Right",
        },
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


@pytest.mark.parametrize("name", ANSWERED)
def test_a_page_says_what_went_wrong(opened, name):
    page = opened(f"{name}.html")
    for id, cases in ANSWERED[name].items():
        card = page.get_by_role("group", name=f"Exercise {id}")
        for answer, words in cases.items():
            if letters := card.get_by_role("radio").all():
                letters["abcd".index(answer)].check()
            else:
                card.get_by_role("textbox").fill(answer)
            card.get_by_role("button", name="Check").click()
            assert words in card.get_by_role("status").inner_text(), (id, answer)
    page.reload()
    assert "✓ done" in card.inner_text()


def test_a_page_answers_where_the_browser_keeps_nothing(browser, site):
    with watched(browser) as page:
        page.add_init_script(DENIED)
        page.goto(site.joinpath("01_bpe.html").as_uri())
        card = page.get_by_role("group", name="Exercise bpe-08")
        card.get_by_role("radio").all()[2].check()
        card.get_by_role("button", name="Check").click()
        assert "Right" in card.get_by_role("status").inner_text() and "✓ done" in card.inner_text()


def test_a_deck_deals_what_went_wrong_again_with_other_figures(browser, site):
    path = site / "09_lab.html"
    _, again, *_ = json.loads(re.findall(CARDS, path.read_text())[-1])[0]
    with watched(browser) as page:
        page.goto(path.as_uri())
        deck = page.locator("[data-deck]")
        for answer, place in (
            ("0", "0 right, 1 to go"),
            (again["known"][0][0], "1 right, 0 to go"),
        ):
            asked = deck.inner_text()
            for typed in ("many", answer):  # what is no number is no answer, and costs nothing
                deck.get_by_role("textbox").fill(typed)
                deck.get_by_role("button", name="Check").click()
            deck.get_by_role("button", name="Next exercise").click()
            assert place in deck.inner_text() and deck.inner_text() != asked
        assert "That was the last one: 1 right." in deck.inner_text()


def test_each_of_several_players_on_a_page_moves(opened):
    page = opened("03_unigram.html")
    players = page.locator(".sl-frames").all()
    for player in players:
        player.get_by_role("button", name="Next").click()
        assert player.get_by_role("slider").input_value() == "1"
    assert len(players) >= 3


WHOLE = (
    ".sl-output, .sl-paper, .sl-play .sl-token, .sl-output .sl-view:has(> table:not(.sl-aligned))"
)
CUT_OFF = f"""[...document.querySelectorAll("{WHOLE}")]
  .filter(part => part.getBoundingClientRect().right > innerWidth || part.scrollWidth > part.clientWidth + 1)
  .map(part => part.textContent)"""
SMALL = """[...document.querySelectorAll(".sl-paper")].flatMap(drawn => {
  const scale = drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width;
  return [...drawn.querySelectorAll("text")].map(text => scale * parseFloat(getComputedStyle(text).fontSize));
}).filter(size => size > 0 && size < 11)"""
CLOSE = """[...document.querySelectorAll(".sl-output thead tr:not(:has(> :nth-child(5))), .sl-aligned thead tr")]
  .filter(row => row.checkVisibility()).flatMap(row => {
    const least = row.closest(".sl-aligned") ? 4 : 10;
    const words = [...row.cells].filter(cell => cell.textContent).map(cell => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect();
    });
    return words.slice(1).map((word, place) => word.left - words[place].right).filter(gap => gap < least);
  })"""
LOST_ON_PAPER = """[...document.querySelectorAll("pre")].filter(code => code.scrollWidth > code.clientWidth + 1)
  .map(code => code.textContent)"""


@pytest.mark.parametrize(
    "name", ["00_text_to_tokens", "06_byte_level", "08_clear_to_fast", "09_lab"]
)
def test_drawings_tables_and_buttons_are_there_whole_on_a_phone(opened, name):
    page = opened(f"{name}.html", viewport={"width": 390, "height": 800})
    assert page.locator(".sl-paper").count() >= 1
    assert (page.evaluate(CUT_OFF), page.evaluate(SMALL)) == ([], [])
    assert page.evaluate(CLOSE) == []
    for controls in page.locator(".sl-controls").all():
        places = [button.bounding_box()["y"] for button in controls.locator("button").all()]
        assert len({*places}) == 1, places


def test_an_exercise_in_code_looks_like_the_other_cards(opened):
    page = opened("03_unigram.html")
    card = page.get_by_role("group", name="Exercise unigram-23")
    size = "part => parseFloat(getComputedStyle(part).fontSize)"
    title, other = (
        card.get_by_text("Fill in: the gaps"),
        page.locator(".sl-card .sl-title").first,
    )
    assert abs(title.evaluate(size) - other.evaluate(size)) < 2
    ground = "part => getComputedStyle(part).backgroundColor"
    assert card.locator("pre").evaluate(ground) not in (
        "rgba(0, 0, 0, 0)",
        card.evaluate(ground),
    )


def test_a_report_on_paper_keeps_the_last_columns_of_its_tables(browser):
    names = ["reached", "discrimination", "tries", "right", "partly", "wrong", "failed", "blank"]
    wide = html.table([["How large is the vocabulary?", *names]], ["", *names])
    with watched(browser, viewport={"width": 680, "height": 900}) as page:
        page.set_content(html.page("Report", html.view(wide)))
        whole = "part => part.scrollWidth <= part.clientWidth + 1"
        assert not page.locator(".sl-view").evaluate(whole)
        page.emulate_media(media="print")
        assert page.locator(".sl-view").evaluate(whole)


def test_a_page_on_paper_loses_no_code_and_no_colors(opened):
    page = opened("03_unigram.html", viewport={"width": 700, "height": 1000})
    assert page.evaluate(LOST_ON_PAPER)
    page.emulate_media(media="print")
    assert page.evaluate(LOST_ON_PAPER) == []
    assert page.get_by_role("button", name="Check").count() == 0
    token = page.locator(".sl-token").first
    assert token.evaluate("token => getComputedStyle(token).printColorAdjust") == "exact"


def test_an_unknown_token_keeps_its_edge_beside_other_outputs(browser):
    outputs = (token_strip(tokens)._repr_html_() for tokens in (["[UNK]"], ["[UN"]))
    with watched(browser) as page:
        page.set_content("".join(outputs))
        edge = page.get_by_text("[UNK]").evaluate("token => getComputedStyle(token).borderStyle")
        assert edge == "dashed"


def test_a_page_opens_a_tokenizer_json(opened, tmp_path):
    lines, string = text.load_passage().splitlines(), "a cup of tea, naïve 茶 🍵"
    page = opened("05_side_by_side.html")
    playground = page.locator("subword-playground").first
    playground.get_by_role("textbox").fill(string)
    for algorithm in ("bpe", "wordpiece", "unigram"):
        tokenizer = Tokenizer.train(lines, algorithm, vocab_size=500)
        tokenizer.save(tmp_path / f"{algorithm}.json")
        playground.locator("[type=file]").set_input_files(tmp_path / f"{algorithm}.json")
        count = len(tokenizer.encode(string).ids)
        playground.get_by_text(f"{algorithm}.json: {count} tokens").wait_for()
    (tmp_path / "list.json").write_text("[1, 2]")
    playground.locator("[type=file]").set_input_files(tmp_path / "list.json")
    playground.get_by_text("list.json cannot be read").wait_for()
    assert all(playground.locator(".sl-token").all_inner_texts())  # a lone space, too, has a face


def test_the_page_of_lesson_07_encodes_as_its_tokenizers_do(opened):
    lines = text.load_passage().splitlines()
    trained = {
        name: Tokenizer.train(lines, name, vocab_size=1000)
        for name in ("bpe", "wordpiece", "unigram")
    }
    page = opened("07_real_tokenizers.html")
    playground = page.locator("subword-playground").first
    for string in ("Who FORGETS  this?", "a [CLS] b\n\nc", "naïve ﬁne 茶 <b>&", ""):
        playground.get_by_role("textbox").fill(string)
        counts = [counted(len(encoded(it, string).tokens), "token") for it in trained.values()]
        said = "; ".join(f"{name}: {count}" for name, count in zip(trained, counts))
        playground.get_by_text(f"characters. {said}").wait_for()
    playground.get_by_role("textbox").fill("words and more words " * 200)
    last = playground.locator(".sl-region").last
    seen = "region => region.firstChild.checkVisibility({ contentVisibilityAuto: true })"
    # What is out of sight costs nothing, from the next frame on.
    page.wait_for_function(f"region => !({seen})(region)", arg=last.element_handle())
    last.scroll_into_view_if_needed()
    page.wait_for_function(seen, arg=last.element_handle())


@pytest.mark.parametrize("name", ["01_bpe", "03_unigram"])
def test_a_page_looks_well(opened, name):
    assert looks_well(opened(f"{name}.html"))


def test_every_known_answer_is_found_and_one_alone_is_right(browser, site):
    source = answers.read("site", "answers.js").partition("\nfor (")[0]
    cards = re.findall(CARDS, "".join(page.read_text() for page in site.glob("0*.html")))
    turns = [turn for each in cards for card in json.loads(each) for turn in card]
    assert len(turns) > 300
    script = (
        f"{source}; return turns.map(turn => turn.known.map(([answer]) => verdictOf(turn, answer)))"
    )
    with watched(browser) as page:
        found = page.evaluate(f"turns => {{ {script} }}", turns)
    for turn, verdicts in zip(turns, found):
        assert verdicts == [verdict for _, verdict, _ in turn["known"]], turn["shown"]["id"]
        right, *others = [verdict["tone"] == "good" for verdict in verdicts]
        assert right and not any(others), turn["shown"]["id"]


# --------------------------------------------------------------------------------------------------------- playgrounds


def read(token):
    """A byte-level token as a page shows it."""
    data = text.chars_to_bytes(token)
    try:
        return data.decode().replace(" ", "␣")
    except UnicodeDecodeError:
        return data.hex(" ").upper().replace(" ", "\xa0")


def test_a_page_encodes_as_python_does(browser):
    parallel = [line for lines in text.load_texts("parallel").values() for line in lines]
    words, coded = text.word_freqs(parallel), text.word_freqs(parallel, "byte-level")
    marked = bpe.train(words, vocab_size=400, end_of_word="</w>")
    losses = unigram.train(words, vocab_size=400, initial_size=1200)
    prefixes = wordpiece.train(words, vocab_size=400)
    encoders = {
        "bytes": encode_bytes,
        "characters": cut_by("characters"),
        "words": cut_by("bert"),
        "BPE": encoder(bpe.train(words, vocab_size=400)),
        "lowest rank": encoder(bpe.train(coded, vocab_size=600), "o200k", method="lowest-rank"),
        "longest first": encoder(marked, method="longest-first"),
        "marked": encoder(marked, "split"),
        "WordPiece": encoder(prefixes),
        "marks in the text": encoder(prefixes, "split"),
        "no prefix": encoder(wordpiece.WordPieceModel(prefixes.vocab, prefix="")),
        "Unigram": encoder(losses),
    }
    texts = [
        *parallel,
        "",
        " \n\n a",
        "estestest hugs <b>1⁄2</b>",
        "e" * 120,
        "##e ##ee e##e",
        "a\u200db e\u0301 🍵👩‍🚀",
    ]
    recipes = [recipe(name, encode) for name, encode in encoders.items()]
    modules = bundled(*map(static, ("widget.js", "merging.js", "lattice.js", "encoding.js")))
    with watched(browser) as page:
        found = page.evaluate(
            f"([recipes, texts]) => {{ {modules}; return recipes.map(encoderOf).map(encode => texts.map(encode)) }}",
            [recipes, texts],
        )
    for made, (name, encode), rows in zip(recipes, encoders.items(), found):
        for string, tokens in zip(texts, rows):
            expected = encode(string).tokens
            coded = made["bytes"]
            assert tokens == ([*map(read, expected)] if coded else expected), (name, string)


def test_what_only_python_can_encode_stays_as_it_is():
    models = bpe.train({"hug": 1}, num_merges=1), wordpiece.train({"hug": 1}, vocab_size=4)
    foreign = str.split, encoder(models[0], "metaspace"), encoder(models[1], max_chars=2)
    assert [recipe("no recipe", encode) for encode in foreign] == [None] * 3


def test_a_playground_on_a_page_answers_at_once_and_is_shared_by_its_address(opened, site):
    page = opened("02_wordpiece.html")
    play = page.get_by_role("group", name="Tokenize your own text")
    assert "BPE: 12 tokens; WordPiece: 20 tokens." in play.inner_text()
    play.get_by_role("textbox").fill("the <b>company</b>")
    told = "18 characters. BPE: 9 tokens; WordPiece: 12 tokens."
    assert told in play.inner_text()
    assert play.locator("b").all_inner_texts() == ["BPE", "WordPiece"]
    page.wait_for_url(re.compile("#text=the"))
    page.reload()
    assert told in play.inner_text()
    play.get_by_role("textbox").fill("the " * 3000)
    play.get_by_role("spinbutton").fill("8")
    for words in (
        "5,000 characters. BPE: 1,250 tokens",
        "What is longer is left out.",
        "the first 500 are drawn",
        "10.000 for 1,000 such texts; 1.00 tokens a word",
    ):
        assert words in play.inner_text()
    tokens = play.locator(".sl-token").element_handles()
    play.get_by_role("textbox").fill("the " * 1200)  # what differs, differs behind them
    assert "4,800 characters." in play.inner_text()
    assert all(token.evaluate("token => token.isConnected") for token in tokens[::100])
    page.goto(
        site.joinpath("00_text_to_tokens.html").as_uri() + "#text=%3C!--+a%E2%80%8B+%E2%80%AEb"
    )
    for words in ("<!--", "‹U+200B›", "‹U+202E›"):
        assert words in play.inner_text()
