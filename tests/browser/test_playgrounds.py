"""What learners put their own words into, in the browser: with a mouse, by keyboard alone, much text, hostile text."""

import re

import pytest

from tests.browser.test_lessons import tab_into, write

pytestmark = pytest.mark.slow

SOURCES = [
    "'above'",
    """\
from subword_lab import bpe, unigram, views
from subword_lab.studies.encoders import encode_bytes, encoder
word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
views.trainer_playground(word_freqs)""",
    """\
model = bpe.train(word_freqs, num_merges=6)
views.tokenizer_playground({"BPE": encoder(model), "bytes": encode_bytes}, "hugs naïve")""",
    """\
losses = unigram.UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
views.lattice_playground("hug", losses)""",
    "views.merge_stepper(word_freqs, bpe.train_steps(word_freqs, num_merges=3), ask=True)",
    "views.trainer_playground('other words', title='Another')",
    "views.merge_stepper(word_freqs, bpe.train_steps(word_freqs, num_merges=2))",
]
TITLES = [
    "Train a tokenizer on your own words",
    "Tokenize your own text",
    "Find the way through your own word",
]
TRAINER, TOKENIZER, LATTICE = TITLES


@pytest.fixture(scope="module")
def play_lab(new_lab):
    """A notebook with one of each, run."""
    lab = new_lab()
    write(lab.folder, "play.ipynb", *SOURCES)
    lab.open("play.ipynb")
    lab.run_all()
    return lab


def group(lab, title):
    found = lab.page.get_by_role("group", name=title, exact=True)
    found.scroll_into_view_if_needed()
    return found


def says(playground, words):
    playground.locator(".sl-status").get_by_text(words).wait_for()


def merges(trainer):
    """The merges that a trainer lists, and those of the cell that it shows."""
    shown = trainer.locator(".sl-merges li").evaluate_all(
        "rows => rows.map(row => Array.from(row.querySelectorAll('.sl-tile'), tile => tile.textContent).slice(0, 2))"
    )
    names = {}
    exec(trainer.locator("details pre").text_content(), names)
    return shown, [list(step.pair) for step in names["steps"]]


def test_trainer_with_the_mouse_and_the_one_below_stays_as_it_was(play_lab):
    trainer, other = group(play_lab, TRAINER), group(play_lab, "Another")
    says(other, "3 merges: the corpus went from 10 tokens to 7")
    before = other.inner_text()
    says(trainer, "3 merges: the corpus went from 113 tokens to 62")
    trainer.get_by_role("button", name="merge p ug").click()
    says(trainer, "4 merges: the corpus went from 113 tokens to 57 (by the rule alone, to 50)")
    trainer.get_by_text("the rule: p + un becomes pun").wait_for()
    shown, made = merges(trainer)
    assert shown == made and shown[3] == ["p", "ug"]
    trainer.get_by_role("button", name="undo merge 4").click()
    says(trainer, "4 merges: the corpus went from 113 tokens to 50; the vocabulary has 11.")
    assert trainer.evaluate("trainer => trainer.contains(document.activeElement)")
    trainer.get_by_label("Merge the pair with the").select_option("wordpiece")
    trainer.get_by_role("slider").fill("1")
    says(trainer, "1 merge: ")
    assert merges(trainer) == ([["##g", "##s"]], [["##g", "##s"]])
    assert other.inner_text() == before


@pytest.mark.parametrize(
    "corpus, choices",
    [
        ("hug pug hugs pug", {"ties": "shortest-first"}),
        ("hug pug hugs", {"algorithm": "frequency", "ties": "lowest-ids"}),
        ('né né\n"x" \\ 👍🏽 don\'t', {"scheme": "byte-level"}),
        ("né né\tx x", {"scheme": "metaspace", "ties": "greatest"}),
        ("Hug, hug. ##s", {"scheme": "bert", "algorithm": "bpe"}),
    ],
)
def test_the_cell_makes_what_is_shown(play_lab, corpus, choices):
    trainer = group(play_lab, TRAINER)
    for name, label in (
        ("scheme", "Words are cut by"),
        ("algorithm", "Merge the pair with the"),
        ("ties", "Among equals take"),
    ):
        usual = {"scheme": "whitespace", "algorithm": "bpe", "ties": "first-seen"}
        trainer.get_by_label(label).select_option(choices.get(name, usual[name]))
    trainer.get_by_role("textbox").fill(corpus)
    trainer.get_by_role("slider").fill("2")
    trainer.locator(".sl-counts li button").last.click()
    shown, made = merges(trainer)
    assert shown == made and len(shown) == 3
    assert "choices={3: (" in trainer.locator("details pre").text_content()


def test_a_trainer_keeps_its_merges_while_its_text_is_typed_anew(play_lab):
    trainer = group(play_lab, TRAINER)
    trainer.get_by_label("Merge the pair with the").select_option("bpe")
    trainer.get_by_label("Words are cut by").select_option("whitespace")
    trainer.get_by_role("textbox").fill("hug hugs pug pugs")
    trainer.get_by_role("slider").fill("3")
    trainer.get_by_role("textbox").fill("")
    says(trainer, "Nothing to count yet: type some words, or choose a file.")
    trainer.get_by_role("textbox").press_sequentially("a bug a bugs")
    says(trainer, "3 merges: ")
    trainer.get_by_label("Merge the pair with the").select_option("wordpiece")
    trainer.get_by_role("textbox").fill("## heads")
    says(trainer, "The word ## begins with ##")
    trainer.get_by_label("Merge the pair with the").select_option("bpe")
    trainer.get_by_label("or take a file").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": "тень тень".encode()}
    )
    says(trainer, "from 8 tokens")


def test_the_trainer_used_last_has_the_keys_and_moves_where_things_may_move(play_lab):
    page, trainer = play_lab.page, group(play_lab, TRAINER)
    trainer.get_by_role("textbox").fill("hug hugs pug pugs")
    trainer.get_by_role("slider").fill("0")
    other = group(play_lab, "Another")
    at, before = play_lab.active_cell(), other.locator(".sl-status").inner_text()
    trainer.get_by_role("button", name="One merge on").focus()
    page.keyboard.press("ArrowRight")
    says(trainer, "1 merge: ")
    assert page.evaluate("document.getAnimations().length") > 0
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # at its end, where a button keeps the focus
    page.keyboard.press("Home")
    says(trainer, "0 merges: ")
    page.keyboard.press("k")
    trainer.get_by_role("button", name="Pause").wait_for()
    page.keyboard.press("k")
    trainer.get_by_role("button", name="Play").wait_for()
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert (
        page.evaluate(
            "document.getAnimations().filter(one => one.effect.target.closest('subword-trainer')).length"
        )
        == 0
    )
    page.emulate_media(reduced_motion="no-preference")
    assert (play_lab.active_cell(), other.locator(".sl-status").inner_text()) == (at, before)
    assert play_lab.sources() == SOURCES


@pytest.mark.parametrize(
    "title, field, typed, said",
    [
        (TRAINER, "Corpus: type or paste a text", "xdab xdab", "from 8 tokens"),
        (TOKENIZER, "Your text, in any language", "xdab dd", "7 characters."),
        (LATTICE, "Your word", "hugxd", "with a loss of 28.50"),
    ],
)
def test_typed_with_the_keyboard_alone_and_no_key_reaches_the_notebook(
    play_lab, title, field, typed, said
):
    playground, press = group(play_lab, title), play_lab.page.keyboard.press
    play_lab.page.evaluate("document.activeElement.blur()")
    play_lab.select(TITLES.index(title) + 1)
    at = play_lab.active_cell()
    tab_into(play_lab, playground)
    box = playground.get_by_label(field)
    assert box.evaluate("box => box === document.activeElement")
    press("Control+a")
    play_lab.page.keyboard.type(typed)
    says(playground, said)
    press("Shift+Enter")
    for _ in range(40):  # through every control, and out again
        press("Tab")
        if not playground.evaluate("play => play.contains(document.activeElement)"):
            break
        assert play_lab.active_cell() == at
        for key in ("x", "ArrowDown", "ArrowUp", "Escape"):  # of which none changes what is chosen
            press(key)
    else:
        raise AssertionError("Tab does not lead out")
    play_lab.page.wait_for_timeout(300)  # what fires, fires a moment later
    assert play_lab.sources() == SOURCES and play_lab.mode() == "command"


def test_parts_of_a_text_light_up_together_and_are_walked_by_arrow_keys(play_lab):
    tokenizer = group(play_lab, TOKENIZER)
    tokenizer.get_by_role("textbox").fill("naïve hug")
    says(tokenizer, "9 characters.")
    shared = tokenizer.get_by_role("img", name=re.compile("bytes: ï, 2 tokens, ids 195 175"))
    shared.hover()
    assert tokenizer.locator(".sl-linked").count() >= 3  # the text, BPE's token, and these bytes
    tokenizer.locator("[data-span]").first.focus()
    play_lab.page.keyboard.press("ArrowRight")
    assert play_lab.page.evaluate("document.activeElement.dataset.span") is not None
    assert tokenizer.locator("[data-span][tabindex='0']").count() == 1
    tokenizer.get_by_role("checkbox", name="ids").check()
    tokenizer.get_by_text("195 175").wait_for()


def test_roads_taken_with_the_mouse_on_the_map_and_with_the_keyboard_in_the_table(play_lab):
    lattice = group(play_lab, LATTICE)
    lattice.get_by_role("button", name="Start again").click()  # the keys have moved losses above
    lattice.get_by_label("Your word").fill("hug")
    says(lattice, "The best way is h|ug")
    lattice.locator("svg text", has_text="hu").first.click()
    says(lattice, "Your way so far: hu")
    take = lattice.get_by_role("button", name="take g from 2 to 3")
    take.focus()
    play_lab.page.keyboard.press("Enter")
    says(lattice, "1.00 more than the best")
    assert take.evaluate("button => button === document.activeElement")  # though it was drawn anew
    assert take.get_attribute("aria-pressed") == "true"


def test_a_player_that_asks(play_lab):
    player = group(play_lab, "3 merges on a corpus of 5 words")
    assert player.get_by_text("the pair merged next").count() == 0
    frame = player.locator("details.sl-now")
    frame.get_by_role("button", name="h u", exact=True).click()
    frame.get_by_text("h u: 15 times. Another has 20: look again.").wait_for()
    assert not frame.get_by_text("Pairs in these words").is_visible()
    frame.get_by_label("or type it:").fill("ug")
    play_lab.page.keyboard.press("Enter")
    frame.get_by_text("u g: 20 times. Right.").wait_for()
    assert frame.get_by_text("Pairs in these words").is_visible()
    play_lab.page.keyboard.press("Enter")  # on Next, where the focus is now
    player.get_by_text("1 of 3. u + g becomes ug").wait_for()
    player.get_by_role("button", name="Show me").locator("visible=true").click()
    assert player.locator("details.sl-now").get_by_text("Pairs in these words").is_visible()
    assert play_lab.sources() == SOURCES


def test_tokens_glide_from_frame_to_frame_and_play(play_lab):
    page, player = play_lab.page, group(play_lab, "2 merges on a corpus of 5 words")
    moved = """button => { button.click(); return document.getAnimations().filter(
      one => one.effect.target.matches(".sl-token")).length; }"""
    player.get_by_role("slider").fill("0")
    assert player.get_by_role("button", name="Next").evaluate(moved) > 10
    page.wait_for_function(
        "!document.getAnimations().some(one => one.effect.target.matches('.sl-token'))"
    )
    page.emulate_media(reduced_motion="reduce")
    assert player.get_by_role("button", name="Next").evaluate(moved) == 0
    player.get_by_role("button", name="Play").click()
    player.get_by_text("0 of 2. ").wait_for()  # from the end, it begins again
    player.get_by_role("button", name="Play").wait_for()  # and stops there
    player.get_by_text("2 of 2. ").wait_for()
    page.emulate_media(reduced_motion="no-preference")


HOSTILE = '<img src=x onerror="window.hit=1"> <script>window.hit=1</script> a\u200bb \u202egnp.exe\u202c $x$'


@pytest.mark.parametrize("title", TITLES)
def test_hostile_text_is_shown_and_never_run(play_lab, title):
    playground = group(play_lab, title)
    playground.get_by_role("textbox").first.fill(HOSTILE if title != LATTICE else "<b>\u202e<i>")
    playground.get_by_text("U+202E").first.wait_for()
    assert play_lab.page.evaluate("window.hit") is None
    assert playground.locator("img, script, b b, i:not(:empty)").count() == 0


@pytest.mark.parametrize("title", TITLES)
def test_much_text_does_not_hang(play_lab, title):
    playground = group(play_lab, title)
    playground.get_by_role("textbox").first.fill("words and more words " * 5000)
    says(
        playground,
        {TRAINER: "tokens to", TOKENIZER: "105,000 characters.", LATTICE: "105,000 characters"}[
            title
        ],
    )
    playground.get_by_role("textbox").first.fill("hug")
    says(
        playground,
        {TRAINER: "from 3 tokens", TOKENIZER: "3 characters.", LATTICE: "with a loss of"}[title],
    )


def test_a_saved_notebook_that_is_opened_again_plays_before_any_cell_was_run(play_lab):
    play_lab.command("docmanager:save")
    play_lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = (play_lab.folder / "play.ipynb").read_text(encoding="utf-8")
    for element in ("trainer", "playground"):
        assert saved.count(f'define(\\"subword-{element}') == 1, element
    assert saved.count("<subword-trainer") == 2
    play_lab.open("play.ipynb")
    group(play_lab, TOKENIZER).get_by_role("textbox").wait_for()
    play_lab.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    for title in ("Another", TRAINER):
        trainer = group(play_lab, title)
        trainer.get_by_role("textbox").fill("own own words")
        says(trainer, "from 11 tokens")
    says(group(play_lab, TOKENIZER), "Run this cell again")


def test_a_lesson_encodes_what_is_typed_before_any_cell_was_run(lab):
    lab.open("02_wordpiece.ipynb")
    playground = lab.page.locator("subword-playground")
    playground.get_by_role("textbox").fill("the company")
    says(playground, "11 characters. BPE: 2 tokens; WordPiece: 6 tokens.")
    lab.page.keyboard.press("Escape")  # no key is the notebook's
    assert lab.page.locator(":focus").evaluate("area => area.value") == "the company"
    lab.page.wait_for_timeout(600)
    assert "#" not in lab.page.url, "the address is JupyterLab's"
