"""The front page in a real browser: its merges are those of Python, and whatever is typed is shown and nothing else."""

import random
from fractions import Fraction
from functools import partial
from urllib.parse import quote

import pytest

from subword_lab import Tokenizer, bpe, text, wordpiece
from subword_lab.files import write_whole
from subword_lab.views.player import bundled, static
from subword_lab.views.trainer import pattern
from subword_lab_teach.site.pages import SENTENCES, VOCABULARY, vocabulary

from .conftest import looks_well, watched

pytestmark = pytest.mark.slow

STEPS = """([wordFreqs, options]) => {
  %s
  const words = Object.entries(wordFreqs).map(([text, freq]) => ({ text, freq, letters: Array.from(text) }));
  const letters = words.reduce((sum, word) => sum + word.freq * word.letters.length, 0);
  const run = mergeSteps({ words, letters }, { alone: 1000, ...options });
  const text = (symbol) => run.names[symbol];
  return run.steps.map((step, i) => ({
    pair: [text(step.left), text(step.right)], count: step.count, weight: step.weight, token: text(step.token),
    tied: step.ties - 1,
    splits: run.history.map((history) => splitAt(history, i + 1).map(text)), tokens: run.tokens[i + 1],
    vocab: run.names.slice(0, step.vocab),
  }));
}"""
RULES = {  # how Python is asked, and how the page
    "BPE": (bpe.train_steps, {}),
    "WordPiece": (wordpiece.train_steps, {"prefix": "##", "scored": True}),
    "frequency": (
        partial(wordpiece.train_steps, score="frequency"),
        {"prefix": "##", "characters": True},
    ),
}
HOSTILE = (
    '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>\u200b\u202etxet\u202c & a\u0301\U0001f642'
    "</textarea><style>*{display:none}</style>{first}"
)


@pytest.fixture
def page(browser):
    """A page of its own, on which an error fails the test, also one that only the console tells."""
    with watched(browser, viewport={"width": 1400, "height": 1000}) as page:
        page.errors = []
        page.on("console", lambda line: line.type == "error" and page.errors.append(line.text))
        yield page
        assert not page.errors, page.errors


@pytest.fixture
def address(site):
    """The address of the front page, as a file."""
    return site.joinpath("index.html").as_uri()


@pytest.fixture
def front(page, address):
    """The front page, on which nothing moves."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(address)
    return page


def tokens(page):
    """What the page says that the text is cut into."""
    stage = page.locator(".sl-stage").get_attribute("aria-label")
    return stage.removeprefix("Your text as tokens: ")


def field(page):
    return page.get_by_label("Type your name, or a sentence")


def choose(page, source):
    """From which text the merges come."""
    page.get_by_role("radio", name=source).check(force=True)


@pytest.mark.parametrize("ties", ["first-seen", "lowest-ids", "greatest", "shortest-first"])
@pytest.mark.parametrize("rule", RULES)
def test_the_merges_in_the_page_are_those_of_python(page, rule, ties):
    """With every rule, with every rule for ties, and with some pairs chosen against the rule."""
    script = STEPS % bundled(static("merging.js"))
    numbers = random.Random(f"{rule} {ties}")
    train_steps, options = RULES[rule]
    train_steps = partial(train_steps, ties=bpe.shortest_first if "short" in ties else ties)
    for _ in range(7):
        alphabet = numbers.choice(["ab", "abc", "hugpns", "кошка", "四十是😀\ufb01", "a!~é"])
        word_freqs = {
            "".join(numbers.choices(alphabet, k=numbers.randint(1, 9))): numbers.randint(1, 6)
            for _ in range(numbers.randint(1, 8))
        }
        choices = {}
        for number in numbers.sample(range(1, 6), numbers.randint(0, 2)):
            steps = list(train_steps(word_freqs, num_merges=number, choices=choices))
            if len(steps) == number and number > max(choices, default=0):
                choices[number] = numbers.choice(list(steps[-1].pair_freqs))
        steps = train_steps(word_freqs, num_merges=400, choices=choices)
        asked = {**options, "ties": ties, "choices": choices}
        for step, shown in zip(steps, page.evaluate(script, [word_freqs, asked]), strict=True):
            assert shown == {
                "pair": list(step.pair),
                "count": step.count,
                "weight": shown["weight"],
                "token": step.token,
                "tied": len(step.tied),
                "splits": list(step.splits.values()),
                "tokens": sum(word_freqs[word] * len(split) for word, split in step.splits.items()),
                "vocab": step.vocab,
            }, word_freqs
            if rule == "WordPiece":
                assert Fraction(step.count, shown["weight"]) == step.score


@pytest.mark.parametrize("scheme", text.PATTERNS)
def test_words_in_the_page_are_those_of_python(page, scheme):
    script = """([texts, pattern]) =>
        texts.map(text => Array.from(text.matchAll(new RegExp(pattern, 'gu')), ([word]) => word))"""
    numbers = random.Random(scheme)
    parts = """hug|Don't|WE'LL| |  |\n|\r\n |naïve|12345|²|¾|Ⅷ|_|?!|$+~|Кошка|猫坐|ကြောင်|नमस्ते|👍🏽|\u200d|\xa0|\u3000"""
    parts = [*parts.split("|"), "▁", "\x1c", "\x85", "\ufeff", "e\u0301"]
    texts = ["".join(numbers.choices(parts, k=numbers.randint(0, 12))) for _ in range(60)]
    expected = [text.words(one, scheme) for one in texts]
    assert page.evaluate(script, [texts, pattern(scheme)]) == expected


HOLDS = """tile => {
  const letters = document.createRange(), { top, bottom } = tile.getBoundingClientRect();
  letters.selectNodeContents(tile);
  return letters.getBoundingClientRect().top >= top && letters.getBoundingClientRect().bottom <= bottom;
}"""  # a font for Burmese first in line, and letters stand high in their tile


def test_a_text_is_merged_by_hand_and_with_the_keyboard(front):
    field(front).fill("hug hug pug")
    assert tokens(front) == "h|u|g h|u|g p|u|g"
    front.get_by_role("button", name="One merge on").click()
    assert tokens(front) == "h|ug h|ug p|ug"
    assert front.evaluate("document.getAnimations().length") == 0
    said = front.locator(".sl-said")
    assert "u and g became ug: 3 times" in said.inner_text().replace("\n", "")
    front.locator(".sl-stage").click()
    for key, cut in (("ArrowRight", "hug hug p|ug"), ("Home", "h|u|g h|u|g p|u|g")):
        front.keyboard.press(key)
        assert tokens(front) == cut
    assert front.locator("output").inner_text() == "9"
    pairs = front.locator(".sl-counts button")
    assert front.locator(".sl-counts [tabindex='0']").count() == 1  # a stop for all pairs
    pairs.first.focus()
    for key, place in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
        front.keyboard.press(key)
        assert pairs.nth(place).evaluate("pair => pair === document.activeElement")
    front.locator(".sl-stage").click()
    tiles = front.locator(".sl-counts li:first-child .sl-tile")
    assert len({tile.bounding_box()["width"] for tile in tiles.all()}) == 1
    assert front.locator(".sl-stage .sl-tile").first.evaluate(HOLDS)
    field(front).fill("the")
    for source, words in (
        ("your text", "every pair is there only once"),
        ("English Wikipedia", "English Wikipedia"),
    ):
        choose(front, source)
        assert words in said.inner_text()


def test_a_text_is_cut_as_gpt_4o_cuts_it(front, address, site):
    pytest.importorskip("quicktok", reason="pip install 'subword-lab[vocabularies]'")
    choose(front, "GPT-4o")
    front.get_by_text("GPT-4o's vocabulary could not be loaded").wait_for()
    front.errors.clear()  # of the browser, which names the missing file
    write_whole(site / VOCABULARY, vocabulary())
    front.goto(f"{address}#t=Ada&by=gpt4o")
    front.get_by_text("The merges of GPT-4o's vocabulary").wait_for()
    tokenizer = Tokenizer.from_vocabulary("o200k_base")
    for string in (
        "Съешь же ещё этих мягких французских булок",
        "四是四，十是十，十四是十四",
        "ကောင်းသော နေ့ပါ 👩\u200d🚀",
        HOSTILE,
        "Ada Lovelace, she'll tokenize 12345 strawberries\n\n  twice!",
    ):
        field(front).fill(string)
        front.get_by_role("button", name="To the end").click()
        cut = tokenizer.encode(string)
        front.get_by_text(f"from {len(string.encode())} bytes").wait_for()
        assert int(front.locator("output").inner_text()) == len(cut.ids), string
    assert tokens(front) == "|".join(cut.tokens).replace("Ġ", "␣").replace("Ċ", "U+000A")
    assert front.evaluate("window.harmed") is None


def test_merges_play_by_themselves(page, address):
    page.goto(address)
    page.get_by_text("after 2 merges of").wait_for()
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").is_visible()


def test_whatever_is_typed_or_linked_is_shown_and_never_obeyed(page, address):
    page.goto(f"{address}#t={quote(HOSTILE)}&by=own")
    page.get_by_role("button", name="To the end").click()
    shown = page.locator(".sl-text").inner_text().replace("\n", "")
    assert [part in shown for part in ("onerror", "U+200B", "U+202E")] == [True] * 3
    assert page.evaluate("window.harmed") is None and field(page).input_value() == HOSTILE
    page.goto("about:blank")
    page.goto(f"{address}#t=%E0%A4%A")
    assert field(page).input_value().startswith("she sells")
    field(page).fill("字" * 100_000)
    page.get_by_text("from 5,000 letters").wait_for()
    assert all(address.startswith(("file:", "data:")) for address in page.context.asked)


def test_of_a_long_text_only_what_is_in_sight_is_drawn_and_all_is_there_to_scroll_to(front):
    field(front).fill(f"{'she sells sea shells ' * 230}by the sea shore")
    front.get_by_text("from 3,923 letters").wait_for()
    words, stage = front.locator(".sl-stage .sl-word"), front.locator(".sl-stage")
    front.get_by_role("button", name="To the end").click()
    front.get_by_text("after 8 merges of 14").wait_for()
    full = "stage => stage.scrollHeight > 1.2 * stage.clientHeight"
    for width in (1400, 390):
        front.set_viewport_size({"width": width, "height": 900})
        front.wait_for_function(full, arg=stage.element_handle())
        assert words.count() < 800
    # Each of a thousand outlines costs a key more than the rest of its tile does.
    assert (
        words.first.locator("span").first.evaluate("tile => getComputedStyle(tile).outlineStyle")
        == "none"
    )
    scrolled = """stage => {
      stage.scrollTop = stage.scrollHeight;
      return stage.querySelectorAll(".sl-word").length === 924;
    }"""
    front.wait_for_function(scrolled, arg=stage.element_handle())
    assert words.last.inner_text() == "shore"


def test_a_link_and_a_picture_hold_what_was_typed(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address)
    field(page).fill("Ada & 四")
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_role("button", name="Copied").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    link = page.evaluate("navigator.clipboard.readText()")
    page.wait_for_url(link)  # the address holds it as well
    for address in ("about:blank", link):
        page.goto(address)
    assert field(page).input_value() == "Ada & 四"
    page.evaluate("location.hash = 't=Kim'")  # a link that is put over the address
    page.get_by_text("from 3 letters").wait_for()


def test_who_pays_is_drawn_to_scale_and_told_letter_by_letter(front):
    choose(front, "bytes")
    widths = front.locator(".strip").evaluate_all(
        """strips => strips.map(strip => Array.from(strip.children, block => block.getBoundingClientRect().width)
            .reduce((sum, width) => sum + width, 0))"""
    )
    sizes = [27, 38, 21, 107]
    assert [round(width / widths[0] * 27) for width in widths] == sizes
    assert front.locator(".price b:visible").all_inner_texts() == list(map(str, sizes))
    segmented = front.locator(".sentence").evaluate_all(
        """sentences => sentences.map(({ textContent }) =>
            Array.from(new Intl.Segmenter("en").segment(textContent), ({ segment }) => segment).join("|"))"""
    )
    assert segmented == [letters for _, _, letters in SENTENCES]
    front.locator(".strip").nth(1).locator(".block").first.focus()
    front.keyboard.press("ArrowRight")
    assert "U+043E" in front.locator("#about").inner_text()


def test_it_looks_well(front):
    assert looks_well(front)


def test_what_is_pressed_and_tokens_have_edges_where_the_system_has_colors_of_its_own(front):
    front.emulate_media(forced_colors="active")
    bare = """parts => parts.filter(part => part.checkVisibility())
        .filter(part => !["borderTopStyle", "outlineStyle"].some(edge => getComputedStyle(part)[edge] === "solid"))
        .map(part => part.outerHTML)"""
    for selector in ("textarea", "button", "select", ".sl-tile", ":checked + span"):
        assert front.locator(selector).count() >= 1
        assert front.locator(selector).evaluate_all(bare) == [], selector
