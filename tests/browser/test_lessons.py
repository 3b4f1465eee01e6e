"""A learner in the browser, with a mouse and with a keyboard alone."""

import html
import io
import re
from itertools import accumulate

import nbformat
import pytest
from PIL import Image

from subword_lab import bpe
from subword_lab import html as markup
from subword_lab.exercises import ids, load
from subword_lab.views import merge_stepper

from .conftest import IDLE, watched

pytestmark = pytest.mark.slow

STEPPER = """\
from subword_lab import bpe
from subword_lab.views import merge_effect, merge_stepper, token_strip
word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
steps = list(bpe.train_steps(word_freqs, num_merges=6))
merge_stepper(word_freqs, steps)"""
WORD_FREQS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def write(folder, name, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / name
    )


# ---------------------------------------------------------------------------------------------------------- lesson 01

LESSON = "01_bpe.ipynb"


CARDS = "cards.ipynb"


@pytest.fixture(scope="module")
def cards(new_lab):
    """A notebook with every exercise of lesson 01, a card each, and a view, which brings the style sheet."""
    lab = new_lab()
    write(
        lab.folder,
        CARDS,
        STEPPER,
        *(
            f'from subword_lab.exercises import load\nload("{id}")'
            for id in ids()
            if id.startswith("bpe-")
        ),
    )
    lab.open(CARDS)
    lab.run_all()
    return lab


def exercises_in(lab, *kinds):
    """The exercises of the open notebook, those of some kinds first and foremost if any are named."""
    found = [
        load(name) for source in lab.sources() for name in re.findall(r'load\("([\w-]+)"\)', source)
    ]
    return [ex for ex in found if not kinds or ex.kind.name in kinds]


def card(lab, ex):
    """An exercise's card, in view."""
    found = lab.page.get_by_role("group", name=f"Exercise {ex.id}: {ex.title}", exact=True).first
    found.scroll_into_view_if_needed()
    return found


def typed(ex, value):
    """What a learner types, or chooses, to give this answer."""
    return (
        chr(ord("a") + ex.listed.index(value)) if ex.kind.name == "choice" else ex.kind.show(value)
    )


def right(ex):
    return typed(ex, ex.asked.answer)


def same_cells(lab, before, at):
    """Nothing was typed into a cell, none was run or moved, and the cursor is in none."""
    lab.page.wait_for_timeout(300)  # what fires, fires a moment later
    assert (lab.sources(), lab.active_cell(), lab.mode()) == (before, at, "command")


def wrong(ex):
    """An answer that comes from a known mistake, and what the learner is to read."""
    answer = typed(ex, ex.asked.mistakes[-1].value)
    return answer, in_plain_words(ex.check(answer).message)


def in_plain_words(markdown):
    return " ".join(html.unescape(re.sub("<[^>]*>", "", markup.to_html(markdown))).split())


def told(card, word):
    """Wait for a verdict; the text of the feedback."""
    card.get_by_role("status").get_by_text(word).wait_for()
    return " ".join(card.get_by_role("status").inner_text().split())


def check(card, word):
    """Press the button; what is told."""
    card.get_by_role("button", name="Check").click()
    return told(card, word)


def test_lessons_open_without_unsaved_changes(lab):
    opened = [LESSON, "08_clear_to_fast.ipynb", "glossary.ipynb"]
    lab.open(LESSON)
    for name in opened[1:]:
        lab.command("docmanager:open", path=name)
        lab.page.wait_for_function(
            f"window.jupyterapp.shell.currentWidget.title.label === {name!r} && {IDLE}"
        )
    lab.page.wait_for_timeout(2000)  # the kernel says which Python it is
    assert lab.page.evaluate(
        "[...window.jupyterapp.shell.widgets('main')].map(({ context }) => [context.path, context.model.dirty])"
    ) == [[name, False] for name in opened]


def test_answers_given_with_the_mouse(cards):
    before, ex = cards.sources(), exercises_in(cards, "choice")[0]
    shown, (answer, message) = card(cards, ex), wrong(ex)
    assert check(shown, "Nothing to check yet").endswith("Choose an answer first.")
    shown.get_by_role("radio", name=f"{answer}.").click()
    assert message in check(shown, "✗ Not right yet") and shown.get_by_text("○ tried").is_visible()
    shown.get_by_role("button", name="Hint").click()
    shown.get_by_text("Hint 1 of 3").wait_for()
    shown.get_by_text(f"{right(ex)}.", exact=True).click()  # the label is as good as the circle
    assert check(shown, "✓ Right") and shown.get_by_text("✓ done").is_visible()
    ex = exercises_in(cards, "ordering")[0]
    shown = card(cards, ex)
    for value in ex.asked.answer:
        shown.get_by_role("button", name=re.compile(rf"^\w\. {re.escape(value)}$")).click()
    check(shown, "✓ Right")
    ex = exercises_in(cards, "segmentation")[0]
    shown, ends = card(cards, ex), accumulate(map(len, ex.asked.answer[:-1]))
    for end in ends:
        shown.get_by_title("cut here").nth(end - 1).click()
    assert shown.get_by_role("textbox").input_value() == "|".join(ex.asked.answer)
    check(shown, "✓ Right")
    ex = exercises_in(cards, "number")[0]
    shown = card(cards, ex)
    shown.get_by_role("textbox").fill("not sent")
    shown.get_by_role("button", name="New figures").click()
    shown.get_by_text("New figures.", exact=True).wait_for()
    assert shown.get_by_role("textbox").input_value() == ""
    shown.get_by_role("textbox").fill(right(ex.another()))
    assert check(shown, "✓ Right") and cards.sources() == before


def test_lines_of_code_go_where_they_are_put_with_the_keyboard_alone(cards):
    ex = exercises_in(cards, "lines in order")[0]
    shown, press = card(cards, ex), cards.page.keyboard.press
    cards.select(next(n for n, source in enumerate(cards.sources()) if f'"{ex.id}"' in source))
    tab_into(cards, shown)
    for letter in [*ex.kind.key(ex.asked, ex.listed).split(), "Check"]:
        while (
            cards.page.evaluate("document.activeElement.innerText || ''")[: len(letter)] != letter
        ):
            press("Tab")  # never back: what is pressed moves up, and the focus with it
        press("Space")
    told(shown, "✓ Right")
    lines = [line.strip() for line in shown.locator("button code").all_inner_texts()]
    assert lines == [line.strip("`").strip() for line in ex.asked.answer]


LETTERS = "x d d a b m y 0 0".split()
KEYS = (*LETTERS, "Space", "ArrowUp", "ArrowDown", "Shift+Enter", "Control+Enter", "Escape")


def test_answers_given_with_the_keyboard_alone(cards):
    before, press = cards.sources(), cards.page.keyboard.press
    ex = exercises_in(cards, "token sequence", "merge sequence")[0]
    shown, (answer, message) = card(cards, ex), wrong(ex)
    field = shown.get_by_role("textbox")
    at = next(number for number, source in enumerate(before) if f'"{ex.id}"' in source)
    cards.select(at)
    tab_into(cards, shown)
    assert field.evaluate("field => field === document.activeElement")
    for key in KEYS:
        press(key)
    assert field.input_value().startswith("xddabmy00 ")
    told(shown, re.compile("Not "))  # Shift+Enter has checked it
    press("Control+a")
    cards.page.keyboard.type(answer)
    press("Enter")
    assert message in told(shown, "✗ Not right yet")
    press("Control+a")
    cards.page.keyboard.type(right(ex))
    press("Tab")
    press("Space")
    told(shown, "✓ Right")
    for key in (*KEYS, "Tab", "Enter"):  # on the button Check, and on the next
        press(key)
    shown.get_by_text("Hint 1 of 3").wait_for()
    for _ in range(3):
        press("Tab")
    assert shown.evaluate("card => !card.contains(document.activeElement)"), (
        "Tab does not lead out of the card"
    )
    same_cells(cards, before, cards.active_cell())  # the focus has gone to the next


def tab_into(lab, card):
    for _ in range(12):
        lab.page.keyboard.press("Tab")
        if card.evaluate("card => card.contains(document.activeElement)"):
            return
    raise AssertionError("Tab does not lead into the card")


def choose(lab, card, letter):
    """Down with the arrow key, round and round, until the letter is marked."""
    for _ in range(5):
        if card.get_by_role("radio", checked=True).get_attribute("value") == letter:
            return
        lab.page.keyboard.press("ArrowDown")
    raise AssertionError("the arrow keys do not move through the options")


def test_a_choice_made_with_the_keyboard_alone(cards):
    before, press = cards.sources(), cards.page.keyboard.press
    ex = exercises_in(cards, "choice")[-1]
    shown, (answer, message) = card(cards, ex), wrong(ex)
    at = next(number for number, source in enumerate(before) if f'"{ex.id}"' in source)
    cards.select(at)
    tab_into(cards, shown)
    for key in (*LETTERS, "Escape", "Space"):
        press(key)
    choose(cards, shown, answer)
    press("Enter")
    assert message in told(shown, "✗ Not right yet")
    choose(cards, shown, right(ex))
    press("Tab")
    press("Enter")
    told(shown, "✓ Right")
    same_cells(cards, before, at)


def test_progress_and_what_was_typed_are_there_again_after_a_reload(cards):
    done = [ex for ex in exercises_in(cards) if card(cards, ex).get_by_text("✓ done").count()]
    assert len(done) >= 4
    number = next(ex for ex in exercises_in(cards, "number")[1:] if ex not in done)
    card(cards, number).get_by_role("textbox").fill("17 and then")
    cards.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    told(card(cards, number), "Run this cell again")
    cards.command("docmanager:save")
    cards.open(CARDS)
    error = cards.page.get_by_text("Error displaying widget").first
    assert (
        error.evaluate("error => getComputedStyle(error).fontSize") == "0px"
    )  # the page says: run this cell
    cards.run_all()
    for ex in done:
        card(cards, ex).get_by_text("✓ done").wait_for()
    assert card(cards, number).get_by_role("textbox").input_value() == "17 and then"


# ------------------------------------------------------------------------------------------------------- the stepper

SOURCES = [
    "'above'",
    STEPPER,
    "'below'",
    "from subword_lab import views\nviews.source(bpe.merge_symbols)",
    "views.token_strip(['$x$', '$'])",
    "from IPython.display import HTML\nHTML('<p>a real formula: $y$</p>')",
    "merge_effect(steps, word_freqs)",
]


@pytest.fixture(scope="module")
def steps_lab(new_lab):
    """A notebook with the stepper between other cells, run."""
    lab = new_lab()
    write(lab.folder, "stepper.ipynb", *SOURCES)
    lab.open("stepper.ipynb")
    lab.run_all()
    return lab


def test_dollar_signs_in_tokens_are_not_taken_for_formulas(steps_lab):
    page = steps_lab.page
    page.locator("mjx-container").first.wait_for()  # the formula, which comes second
    assert page.locator("mjx-container").count() == 1
    shown = page.locator(".jp-OutputArea", has_text="$x$").locator(".sl-token")
    assert shown.all_inner_texts() == ["$x$", "$"]


def test_source_is_monospaced_and_no_line_of_it_is_broken(steps_lab):
    steps_lab.page.set_viewport_size({"width": 500, "height": 1400})
    shown = steps_lab.page.locator(".jp-OutputArea pre.sl-source")
    shown.get_by_text("def", exact=True).wait_for()
    looks = shown.locator("span, code").evaluate_all(
        "parts => parts.map(part => getComputedStyle(part).whiteSpace + getComputedStyle(part).fontFamily)"
    )
    assert len(looks) > 5 and len(set(looks)) == 1
    assert looks[0].startswith("pre") and "monospace" in looks[0]
    rows, width, room = shown.evaluate(
        "pre => [pre.clientHeight / parseFloat(getComputedStyle(pre).lineHeight), pre.scrollWidth, pre.clientWidth]"
    )
    lines = shown.inner_text().count("\n")
    assert width > room and lines < round(rows) <= lines + 2  # with its scroll bar


def test_a_figure_is_an_image_with_words_on_paper_that_follows_the_theme(steps_lab):
    page = steps_lab.page
    page.set_viewport_size({"width": 1280, "height": 1400})
    figure = page.get_by_role("img", name="Line chart. The corpus is 113 tokens long")
    for name, whitest, ink in (("Light", True, min), ("Dark", False, max)):
        steps_lab.theme(name)
        page.wait_for_timeout(1000)  # until the colors have changed on the screen, too
        picture = Image.open(io.BytesIO(figure.screenshot())).convert("L")
        paper = picture.getpixel((3, 3))
        assert (paper > 250 if whitest else paper < 40) and abs(
            ink(picture.getdata()) - paper
        ) > 180
    assert figure.evaluate("image => image.naturalWidth") == 672


@pytest.fixture
def stepper(steps_lab):
    """The stepper, at its beginning."""
    player = steps_lab.page.get_by_role("group", name="6 merges on a corpus of 5 words")
    player.scroll_into_view_if_needed()
    player.get_by_role("slider").press("Home")
    return player


def shows(stepper, label):
    """Wait for the label; then one frame alone is to be seen, and the slider tells where it is."""
    stepper.get_by_text(label, exact=False).locator("visible=true").first.wait_for(timeout=5000)
    number = label.split()[0]
    assert stepper.get_by_role("slider").input_value() == number
    assert stepper.get_by_role("slider").get_attribute("aria-valuetext") == f"{number} of 6"
    assert stepper.locator("details.sl-now").count() == 1
    assert stepper.locator("details").locator("visible=true").count() == 1
    assert stepper.locator("[aria-live=polite]").inner_text().startswith(label)


def test_stepper_with_the_mouse(steps_lab, stepper):
    shows(stepper, "0 of 6. Start")
    stepper.get_by_role("button", name="Next").click()
    shows(stepper, "1 of 6. u + g becomes ug (20 times)")
    assert stepper.locator("details.sl-now").get_by_text("merged next").last.is_visible()
    stepper.get_by_role("button", name="Next").click()
    stepper.get_by_role("button", name="Previous").click()
    shows(stepper, "1 of 6. u + g")
    slider, mouse = stepper.get_by_role("slider").bounding_box(), steps_lab.page.mouse
    middle = slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2
    mouse.click(*middle)
    shows(stepper, "3 of 6. h + ug becomes hug (15 times)")
    mouse.down()
    mouse.move(slider["x"] + slider["width"] - 2, middle[1], steps=5)
    mouse.up()
    shows(stepper, "6 of 6. hug + s")
    assert steps_lab.sources() == SOURCES


def test_stepper_with_the_keyboard_alone(steps_lab, stepper):
    page = steps_lab.page
    stepper.get_by_role("slider").focus()
    # then on Next, further than it goes (the focus stays), and on Previous
    keys = "ArrowRight ArrowUp ArrowLeft End ArrowRight Home ArrowDown Tab".split()
    keys += ["Enter", "Space"] * 4 + ["Shift+Tab", "Shift+Tab", "Enter"]
    at = [1, 2, 1, 6, 6, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 5]
    for key, number in zip(keys, at, strict=True):
        page.keyboard.press(key)
        shows(stepper, f"{number} of 6.")
    assert page.evaluate("document.activeElement.textContent") == "Previous"
    assert steps_lab.sources() == SOURCES and steps_lab.mode() == "command"


@pytest.mark.parametrize(
    "role, name", [("slider", "Step"), ("button", "Next"), ("button", "Previous")]
)
def test_the_notebooks_shortcuts_do_not_fire_in_the_stepper(steps_lab, stepper, role, name):
    control = stepper.get_by_role(role, name=name)
    control.focus()
    at = steps_lab.active_cell()
    others = "c v z j k ArrowDown ArrowUp Shift+Enter Alt+Enter Shift+M Escape".split()
    for key in (*LETTERS, *others):
        steps_lab.page.keyboard.press(key)
    same_cells(steps_lab, SOURCES, at)
    assert control.evaluate("control => control === document.activeElement")
    assert steps_lab.page.get_by_role("dialog").count() == 0


def test_saving_works_from_within_the_stepper_and_the_saved_stepper_moves_without_a_kernel(
    steps_lab, stepper
):
    lab = steps_lab
    stepper.get_by_role("slider").focus()
    lab.page.keyboard.press("Control+s")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    lab.open("stepper.ipynb")
    lab.command("kernelmenu:shutdown")
    lab.page.wait_for_function(
        "!window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel"
    )
    player = lab.page.get_by_role("group", name="6 merges on a corpus of 5 words")
    player.get_by_role("button", name="Next").click()
    shows(player, "1 of 6. u + g")


def test_where_scripts_do_not_run_every_step_can_be_read(browser):
    player = merge_stepper(WORD_FREQS, list(bpe.train_steps(WORD_FREQS, num_merges=6)))
    with watched(browser, java_script_enabled=False) as page:
        page.set_content(player._repr_html_())
        assert page.locator("summary").all_inner_texts() == repr(player).splitlines()[1:]
        page.get_by_text("3. h + ug becomes hug").click()
        assert page.locator("details").nth(3).get_by_text("corpus: 62 tokens").is_visible()


# -------------------------------------------------------------------------------------------------- other front ends

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


@pytest.mark.parametrize("in_head", [False, True])
def test_players_move_where_their_scripts_run_elsewhere_in_the_page(browser, in_head):
    steps = list(bpe.train_steps(WORD_FREQS, num_merges=2))
    with browser.new_page() as page:
        page.set_content("<div id=first></div><div id=second></div>")
        for place, ask in (("first", True), ("second", False)):
            html = merge_stepper(WORD_FREQS, steps, ask=ask)._repr_html_()
            page.evaluate(RUN_SCRIPTS, [place, html, in_head])
            player = page.locator(f"#{place}")
            player.get_by_role("button", name="Next").click()
            assert player.locator(".sl-label").inner_text().startswith("1 of 2. ")
        choice = page.locator("#first .sl-ask:visible button").first
        choice.click()
        reply = page.locator("#first .sl-reply:visible").inner_text()
        assert reply.startswith(choice.get_attribute("data-name"))
