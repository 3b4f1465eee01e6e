"""Players, and what learners put their own words into: with a mouse, by keyboard alone, much text, hostile text."""

import io
import re

import pytest
from PIL import Image

from subword_lab import bpe
from subword_lab.views import merge_stepper

from .conftest import press, says, tab_into, untouched, walk, watched

pytestmark = pytest.mark.slow

WORD_FREQS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
STEPS = list(bpe.train_steps(WORD_FREQS, num_merges=6))
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
losses = unigram.UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5, "hug": 3.0})
views.lattice_playground("hug", losses)""",
    "views.merge_stepper(word_freqs, bpe.train_steps(word_freqs, num_merges=3), ask=True)",
    "views.trainer_playground('other words', title='Another')",
    "views.merge_stepper(word_freqs, bpe.train_steps(word_freqs, num_merges=2))",
    "steps = list(bpe.train_steps(word_freqs, num_merges=6))\nviews.merge_stepper(word_freqs, steps)",
    "'below'",
    "views.source(bpe.merge_symbols)",
    "views.token_strip(['$x$', '$'])",
    "from IPython.display import HTML\nHTML('<p>a real formula: $y$</p>')",
    "views.merge_effect(steps, word_freqs)",
]
TITLES = [
    "Train a tokenizer on your own words",
    "Tokenize your own text",
    "Find the way through your own word",
]
TRAINER, TOKENIZER, LATTICE = TITLES


@pytest.fixture(scope="module")
def whole_lab(run_cells):
    """A notebook with one of each, run."""
    return run_cells("play.ipynb", *SOURCES)


@pytest.fixture
def play_lab(whole_lab):
    """The same, for a test that touches no cell."""
    with untouched(whole_lab):
        yield whole_lab


def group(lab, title):
    found = lab.page.get_by_role("group", name=title, exact=True)
    found.scroll_into_view_if_needed()
    return found


# ------------------------------------------------------------------------------------------------------- the trainer

CHOICES = {  # label, and what is chosen at the beginning
    "scheme": ("Words are cut by", "whitespace"),
    "algorithm": ("Merge the pair with the", "bpe"),
    "ties": ("Among equals take", "first-seen"),
}


def set_up(trainer, corpus, merges, **choices):
    """Type a corpus, and choose how it is trained."""
    for name, (label, usual) in CHOICES.items():
        trainer.get_by_label(label).select_option(choices.get(name, usual))
    trainer.get_by_role("textbox").fill(corpus)
    trainer.get_by_role("slider").fill(str(merges))


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
    walk(other, ("", "3 merges: the corpus went from 10 tokens to 7"))
    before, went = other.inner_text(), "merges: the corpus went from 113 tokens to "
    walk(
        trainer,
        ("", f"3 {went}62"),
        ("merge p ug", f"4 {went}57 (by the rule alone, to 50)"),
        ("", "the rule: p + un becomes pun"),
    )
    shown, made = merges(trainer)
    assert shown == made and shown[3] == ["p", "ug"]
    walk(trainer, ("undo merge 4", f"4 {went}50; the vocabulary has 11."))
    assert trainer.evaluate("trainer => trainer.contains(document.activeElement)")
    assert other.inner_text() == before


@pytest.mark.parametrize(
    "corpus, choices",
    [
        ("hug hugs pug pugs bun buns", {"ties": "shortest-first"}),
        ("pug hug buns", {"algorithm": "frequency", "ties": "lowest-ids"}),
        ("hugs pugs buns", {"algorithm": "wordpiece"}),
        ('né né\n"x" \\ 👍🏽 don\'t', {"scheme": "byte-level"}),
        ("hug né x x", {"scheme": "metaspace", "ties": "greatest"}),
        ("Hugs, hugs. ##s", {"scheme": "bert", "algorithm": "bpe"}),
    ],
)
def test_the_cell_makes_what_is_shown(play_lab, corpus, choices):
    trainer = group(play_lab, TRAINER)
    set_up(trainer, corpus, 2, **choices)
    for _ in range(2):
        trainer.locator(".sl-counts li button").last.click()
    shown, made = merges(trainer)
    assert shown == made and len(shown) == 4
    code = trainer.locator("details pre").text_content()
    assert "choices={3: (" in code and "), 4: (" in code


def test_a_trainer_keeps_its_merges_while_its_text_is_typed_anew(play_lab):
    trainer = group(play_lab, TRAINER)
    algorithm = trainer.get_by_label("Merge the pair with the")
    set_up(trainer, "hug hugs pug pugs", 3)
    walk(trainer, ("type ", "Nothing to count yet: type some words."))
    trainer.get_by_role("textbox").press_sequentially("a bug a bugs")
    says(trainer, "3 merges: ")
    for rule, typed, said in (
        ("wordpiece", "## heads", "The word ## begins with ##"),
        ("bpe", "тень тень", "from 8 tokens"),
    ):
        algorithm.select_option(rule)
        walk(trainer, (f"type {typed}", said))


MOVING = (
    "document.getAnimations().filter(one => one.effect.target.closest('subword-trainer')).length"
)


def test_the_trainer_used_last_has_the_keys_and_moves_where_things_may_move(play_lab):
    page, trainer, other = play_lab.page, group(play_lab, TRAINER), group(play_lab, "Another")
    set_up(trainer, "hug hugs pug pugs", 0)
    at, before = play_lab.active_cell(), other.locator(".sl-status").inner_text()
    trainer.get_by_role("button", name="One merge on").focus()
    page.keyboard.press("ArrowRight")
    says(trainer, "1 merge: ")
    assert page.evaluate(MOVING) > 0
    press(page, "End ArrowRight Home")  # at the end, a button keeps the focus
    says(trainer, "0 merges: ")
    for button in ("Pause", "Play"):
        page.keyboard.press("k")
        trainer.get_by_role("button", name=button).wait_for()
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(MOVING) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert (play_lab.active_cell(), other.locator(".sl-status").inner_text()) == (at, before)


# --------------------------------------------------------------------------------------------------- all playgrounds


@pytest.mark.parametrize(
    "title, field, typed, said",
    [
        (TRAINER, "Corpus: type or paste a text", "xdab xdab", "from 8 tokens"),
        (TOKENIZER, "Your text, in any language", "xdab dd", "7 characters."),
        (LATTICE, "Your word", "hugxd", "Take roads from the first dot"),
    ],
)
def test_typed_with_the_keyboard_alone_and_no_key_reaches_the_notebook(
    play_lab, title, field, typed, said
):
    playground, keyboard = group(play_lab, title), play_lab.page.keyboard
    play_lab.page.evaluate("document.activeElement.blur()")
    play_lab.select(TITLES.index(title) + 1)
    at = play_lab.active_cell()
    tab_into(play_lab.page, playground)
    assert playground.get_by_label(field).evaluate("box => box === document.activeElement")
    keyboard.press("Control+a")
    keyboard.type(typed)
    says(playground, said)
    keyboard.press("Shift+Enter")
    for _ in range(40):  # through every control, and out again
        keyboard.press("Tab")
        if not playground.evaluate("play => play.contains(document.activeElement)"):
            break
        assert play_lab.active_cell() == at
        press(play_lab.page, "x ArrowDown ArrowUp Escape")  # of which none changes what is chosen
    else:
        raise AssertionError("Tab does not lead out")


HOSTILE = '<img src=x onerror="window.hit=1"> <script>window.hit=1</script> a\u200bb \u202egnp.exe\u202c $x$'


@pytest.mark.parametrize(
    "title, hostile, many, few",
    [
        (TRAINER, HOSTILE, "tokens to", "from 3 tokens"),
        (TOKENIZER, HOSTILE, "105,000 characters.", "3 characters."),
        (LATTICE, "<b>\u202e<i>", "105,000 letters", "Take roads"),
    ],
)
def test_hostile_text_is_shown_and_never_run_and_much_text_does_not_hang(
    play_lab, title, hostile, many, few
):
    playground = group(play_lab, title)
    field = playground.get_by_role("textbox").first
    field.fill(hostile)
    playground.get_by_text("U+202E").first.wait_for()
    assert play_lab.page.evaluate("window.hit") is None
    assert playground.locator("img, script, b b, i:not(:empty)").count() == 0
    walk(playground, (f"type {'words and more words ' * 5000}", many), ("type hug", few))


def test_parts_of_a_text_light_up_together_and_are_walked_by_arrow_keys(play_lab):
    tokenizer = group(play_lab, TOKENIZER)
    walk(tokenizer, ("type naïve hug", "9 characters."))
    tokenizer.get_by_role("img", name=re.compile("bytes: ï, 2 tokens, ids 195 175")).hover()
    assert tokenizer.locator(".sl-linked").count() >= 3  # the text, BPE's token, and these bytes
    tokenizer.locator("[data-span]").first.focus()
    play_lab.page.keyboard.press("ArrowRight")
    assert play_lab.page.evaluate("document.activeElement.dataset.span") is not None
    assert tokenizer.locator("[data-span][tabindex='0']").count() == 1
    tokenizer.get_by_role("checkbox", name="ids").check()
    tokenizer.get_by_text("195 175").wait_for()


# ----------------------------------------------------------------------------------------------------------- players


def test_a_player_that_asks(play_lab):
    player = group(play_lab, "3 merges on a corpus of 5 words")
    assert player.get_by_text("the pair merged next").count() == 0
    frame = player.locator("details.sl-now")
    counts = frame.get_by_text("Pairs in these words")
    frame.get_by_role("button", name="h u", exact=True).click()
    frame.get_by_text("h u: 15 times. Another has 20: look again.").wait_for()
    assert not counts.is_visible()
    frame.get_by_label("or type it:").fill("ug")
    play_lab.page.keyboard.press("Enter")
    frame.get_by_text("u g: 20 times. Right.").wait_for()
    assert counts.is_visible()
    play_lab.page.keyboard.press("Enter")  # on Next, where the focus is now
    player.get_by_text("1 of 3. u + g becomes ug").wait_for()
    player.get_by_role("button", name="Show me").locator("visible=true").click()
    assert counts.is_visible()


def test_tokens_glide_from_frame_to_frame_and_play(play_lab):
    page, player = play_lab.page, group(play_lab, "2 merges on a corpus of 5 words")
    tokens = "document.getAnimations().filter(one => one.effect.target.matches('.sl-token')).length"
    moved = f"button => {{ button.click(); return {tokens}; }}"
    player.get_by_role("slider").fill("0")
    assert player.get_by_role("button", name="Next").evaluate(moved) > 10
    page.wait_for_function(f"{tokens} === 0")
    page.emulate_media(reduced_motion="reduce")
    assert player.get_by_role("button", name="Next").evaluate(moved) == 0
    player.get_by_role("button", name="Play").click()
    player.get_by_text("0 of 2. ").wait_for()  # from the end, it begins again
    player.get_by_role("button", name="Play").wait_for()  # and stops there
    player.get_by_text("2 of 2. ").wait_for()
    page.emulate_media(reduced_motion="no-preference")


@pytest.fixture
def stepper(play_lab):
    """A player of six merges, at its beginning."""
    player = group(play_lab, "6 merges on a corpus of 5 words")
    player.get_by_role("slider").press("Home")
    return player


def shows(stepper, label):
    """Wait for the label; then one frame alone is to be seen, and what is read aloud tells where it is."""
    stepper.get_by_text(label, exact=False).locator("visible=true").first.wait_for(timeout=5000)
    number, slider = label.split()[0], stepper.get_by_role("slider")
    assert slider.input_value() == number
    assert slider.get_attribute("aria-valuetext") == f"{number} of 6"
    assert stepper.locator("details.sl-now").count() == 1
    assert stepper.locator("details").locator("visible=true").count() == 1
    assert stepper.locator("[aria-live=polite]").inner_text().startswith(label)


def test_stepper_with_the_keyboard_alone(play_lab, stepper):
    stepper.get_by_role("slider").focus()
    # then on Next, further than it goes (the focus stays), and on Previous
    keys = "ArrowRight ArrowUp ArrowLeft End ArrowRight Home ArrowDown Shift+Tab".split()
    keys += ["Enter", "Space"] * 4 + ["Shift+Tab", "Enter"]
    at = [1, 2, 1, 6, 6, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 5]
    for key, number in zip(keys, at, strict=True):
        play_lab.page.keyboard.press(key)
        shows(stepper, f"{number} of 6.")
    assert play_lab.page.evaluate("document.activeElement.textContent") == "Previous"


def test_the_notebooks_shortcuts_do_not_fire_in_the_stepper(play_lab, stepper):
    page, at = play_lab.page, play_lab.active_cell()
    for role, name in (("slider", "Step"), ("button", "Next"), ("button", "Previous")):
        control = stepper.get_by_role(role, name=name)
        control.focus()
        press(page, "x d d a b m y 0 0 c v z j k ArrowDown ArrowUp")
        press(page, "Shift+Enter Alt+Enter Shift+M Escape")
        assert control.evaluate("control => control === document.activeElement")
    assert play_lab.active_cell() == at and page.get_by_role("dialog").count() == 0


# ------------------------------------------------------------------------------------- other things that are shown


def test_dollar_signs_in_tokens_are_not_taken_for_formulas(play_lab):
    page = play_lab.page
    page.locator("mjx-container").first.wait_for()  # the formula, which comes second
    assert page.locator("mjx-container").count() == 1
    shown = page.locator(".jp-OutputArea", has_text="$x$").locator(".sl-token")
    assert {"$x$", "$"} <= {*shown.all_inner_texts()}


def test_source_is_monospaced_and_no_line_of_it_is_broken(play_lab):
    shown = play_lab.page.locator(".jp-OutputArea pre.sl-source")
    shown.get_by_text("def", exact=True).wait_for()
    looks = shown.locator("span, code").evaluate_all(
        "parts => parts.map(part => getComputedStyle(part).whiteSpace + getComputedStyle(part).fontFamily)"
    )
    assert len(looks) > 5 and len(set(looks)) == 1
    assert looks[0].startswith("pre") and "monospace" in looks[0]


def test_a_figure_on_its_paper_and_a_players_slider_follow_the_theme(play_lab):
    figure = play_lab.page.get_by_role("img", name="Line chart. The corpus is 113 tokens long")
    slider = play_lab.page.locator(".sl-controls input").first
    for name, is_dark, ink in (("Dark", True, max), ("Light", False, min)):
        play_lab.theme(name)
        play_lab.page.wait_for_timeout(1000)  # until the colors have changed on the screen, too
        chart, rail = (
            Image.open(io.BytesIO(part.screenshot())).convert("L") for part in (figure, slider)
        )
        paper = chart.getpixel((3, 3))
        assert paper < 40 if is_dark else paper > 250
        assert abs(ink(chart.getextrema()) - paper) > 180
        assert (rail.getpixel((rail.width - 12, rail.height // 2)) < 128) == is_dark
    assert figure.evaluate("image => image.naturalWidth") == 528


# ---------------------------------------------------------------------------------- without a kernel, and elsewhere


def test_a_saved_notebook_that_is_opened_again_plays_before_any_cell_was_run(whole_lab):
    lab, page = whole_lab, whole_lab.page
    group(lab, "6 merges on a corpus of 5 words").get_by_role("slider").focus()
    page.keyboard.press("Control+s")  # which a player lets through
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = (lab.course["folder"] / "play.ipynb").read_text(encoding="utf-8")
    scripts = ['define(\\"subword-trainer', 'define(\\"subword-playground', "<subword-trainer"]
    assert [saved.count(script) for script in scripts] == [1, 1, 2]
    lab.open("play.ipynb")
    group(lab, TOKENIZER).get_by_role("textbox").wait_for()
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    walk(group(lab, LATTICE), ("hug from 0 to 3", "That is the best there is."))
    for title in ("Another", TRAINER):
        walk(group(lab, title), ("type own own words", "from 11 tokens"))
    says(group(lab, TOKENIZER), "Run this cell again")
    player = group(lab, "6 merges on a corpus of 5 words")
    player.get_by_role("button", name="Next").click()
    shows(player, "1 of 6. u + g")


def test_where_scripts_do_not_run_every_step_can_be_read(browser):
    player = merge_stepper(WORD_FREQS, STEPS)
    with watched(browser, java_script_enabled=False) as page:
        page.set_content(player._repr_html_())
        assert page.locator("summary").all_inner_texts() == repr(player).splitlines()[1:]
        page.get_by_text("3. h + ug becomes hug").click()
        assert page.locator("details").nth(3).get_by_text("corpus: 62 tokens").is_visible()


RUN_SCRIPTS = """([id, html, inHead]) => {                  // as VS Code does it, and as jQuery in nbclassic
  const output = document.getElementById(id);
  output.innerHTML = html;
  for (const script of output.querySelectorAll("script")) {
    const copy = document.createElement("script");
    copy.text = script.text;
    (inHead ? document.head : output).append(copy);
    copy.remove();
  }
}"""


STRANGER = """<div class="sl-frames"><div class="sl-stack"><details><summary>0. Mine</summary>
  <div class="sl-ask">&lt;img src=x onerror="window.hit=1"&gt;</div></details></div></div>"""  # as JupyterLab leaves it


@pytest.mark.parametrize("in_head", [False, True])
def test_players_move_where_their_scripts_run_elsewhere_in_the_page(browser, in_head):
    with browser.new_page() as page:
        page.set_content(f"{STRANGER}<div id=first></div><div id=second></div>")
        for place, ask in (("first", True), ("second", False)):
            html = merge_stepper(WORD_FREQS, STEPS, ask=ask)._repr_html_()
            page.evaluate(RUN_SCRIPTS, [place, html, in_head])
            player = page.locator(f"#{place}")
            player.get_by_role("button", name="Next").click()
            assert player.locator(".sl-label").inner_text().startswith("1 of 6. ")
        choice = page.locator("#first .sl-ask:visible button").first
        choice.click()
        reply = page.locator("#first .sl-reply:visible").inner_text()
        assert reply.startswith(choice.get_attribute("data-name"))
        assert page.locator(".sl-controls").count() == 2
        assert page.evaluate("window.hit") is None
