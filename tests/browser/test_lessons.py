"""A learner in the browser, with a mouse and with a keyboard alone.

All browser tests stand in this one file, so that one process runs them and one server serves them.
"""

import html
import io
import re

import nbformat
import pytest
from PIL import Image

from subword_lab import bpe
from subword_lab import html as markup
from subword_lab.exercises import ids, load
from subword_lab.views import merge_stepper

pytestmark = pytest.mark.slow

STEPPER = """\
from subword_lab import bpe
from subword_lab.views import merge_effect, merge_stepper, token_strip
word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
steps = list(bpe.train_steps(word_freqs, num_merges=6))
merge_stepper(word_freqs, steps)"""


def write(folder, name, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / name
    )


# ---------------------------------------------------------------------------------------------------------- lesson 01

LESSON = "01_bpe.ipynb"


@pytest.fixture(scope="module")
def lesson(new_lab):
    """Lesson 01 in the learner's working copy, run from top to bottom."""
    lab = new_lab()
    lab.open(LESSON)
    lab.run_all()
    return lab


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


def test_the_lesson_runs_without_an_error_and_every_exercise_has_a_card(lesson):
    assert not lesson.outputs("error") and not lesson.outputs("stream")
    exercises = exercises_in(lesson)
    assert len(exercises) >= 8
    for ex in exercises:
        card(lesson, ex).get_by_role("button", name="Hint").wait_for()
    assert lesson.page.get_by_text("Error displaying").count() == 0


@pytest.mark.parametrize("name", [LESSON, "08_clear_to_fast.ipynb", "glossary.ipynb"])
def test_a_lesson_opens_without_unsaved_changes(lab, name):
    lab.open(name)
    lab.page.wait_for_timeout(2000)  # the kernel says which Python it is
    assert not lab.page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty")


def test_answers_given_with_the_mouse(cards):
    before, ex = cards.sources(), exercises_in(cards, "choice")[0]
    shown, (answer, message) = card(cards, ex), wrong(ex)
    shown.get_by_role("button", name="Check").click()
    assert told(shown, "Nothing to check yet").endswith("Choose an answer first.")
    shown.get_by_role("radio", name=f"{answer}.").click()
    shown.get_by_role("button", name="Check").click()
    assert message in told(shown, "✗ Not right yet") and shown.get_by_text("○ tried").is_visible()
    shown.get_by_role("button", name="Hint").click()
    shown.get_by_text("Hint 1 of 3").wait_for()
    shown.get_by_text(f"{right(ex)}.", exact=True).click()  # the label is as good as the circle
    shown.get_by_role("button", name="Check").click()
    assert told(shown, "✓ Right") and shown.get_by_text("✓ done").is_visible()
    assert cards.sources() == before


def test_tokens_ordered_and_words_cut_with_the_mouse(cards):
    ex = exercises_in(cards, "ordering")[0]
    shown = card(cards, ex)
    for value in ex.asked.answer:
        shown.get_by_role("button", name=re.compile(rf"^\w\. {re.escape(value)}$")).click()
    shown.get_by_role("button", name="Check").click()
    told(shown, "✓ Right")
    ex = exercises_in(cards, "segmentation")[0]
    shown, at = card(cards, ex), 0
    for piece in ex.asked.answer[:-1]:
        at += len(piece)
        shown.get_by_title("cut here").nth(at - 1).click()
    assert shown.get_by_role("textbox").input_value() == "|".join(ex.asked.answer)
    shown.get_by_role("button", name="Check").click()
    told(shown, "✓ Right")


def test_new_figures_with_the_mouse(cards):
    ex = exercises_in(cards, "number")[0]
    shown, other = card(cards, ex), ex.another()
    shown.get_by_role("textbox").fill("not sent")
    shown.get_by_role("button", name="New figures").click()
    shown.get_by_text("New figures.", exact=True).wait_for()
    assert shown.get_by_role("textbox").input_value() == ""
    shown.get_by_role("textbox").fill(right(other))
    shown.get_by_role("button", name="Check").click()
    told(shown, "✓ Right")


LETTERS = ("x", "d", "d", "a", "b", "m", "y", "0", "0")
KEYS = (*LETTERS, "Space", "ArrowUp", "ArrowDown", "Shift+Enter", "Control+Enter", "Escape")


def test_answers_given_with_the_keyboard_alone(cards):
    before, press = cards.sources(), cards.page.keyboard.press
    ex = exercises_in(cards, "token sequence", "merge sequence")[0]
    shown, (answer, message) = card(cards, ex), wrong(ex)
    at = next(number for number, source in enumerate(before) if f'"{ex.id}"' in source)
    cards.select(at)
    tab_into(cards, shown)
    assert shown.get_by_role("textbox").evaluate("field => field === document.activeElement")
    for key in KEYS:
        press(key)
    assert shown.get_by_role("textbox").input_value().startswith("xddabmy00 ")
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
    for key in KEYS:  # on the button Check
        press(key)
    press("Tab")
    press("Enter")
    shown.get_by_text("Hint 1 of 3").wait_for()
    for _ in range(2):
        press("Tab")
    press("Tab")
    assert shown.evaluate("card => !card.contains(document.activeElement)"), (
        "Tab does not lead out of the card"
    )
    cards.page.wait_for_timeout(300)  # what fires, fires a moment later
    assert cards.sources() == before and cards.mode() == "command"


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
    cards.select(next(number for number, source in enumerate(before) if f'"{ex.id}"' in source))
    at = cards.active_cell()
    tab_into(cards, shown)
    for key in (*LETTERS, "Escape"):
        press(key)
    press("Space")
    choose(cards, shown, answer)
    press("Enter")
    assert message in told(shown, "✗ Not right yet")
    choose(cards, shown, right(ex))
    press("Tab")
    press("Enter")
    told(shown, "✓ Right")
    cards.page.wait_for_timeout(300)
    assert cards.sources() == before and cards.active_cell() == at


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

SOURCES = ["'above'", STEPPER, "'below'"]


@pytest.fixture(scope="module")
def steps_lab(new_lab):
    """A notebook with the stepper between two other cells, run."""
    lab = new_lab()
    write(lab.folder, "stepper.ipynb", *SOURCES)
    lab.open("stepper.ipynb")
    lab.run_all()
    return lab


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
    slider = stepper.get_by_role("slider").bounding_box()
    steps_lab.page.mouse.click(
        slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2
    )
    shows(stepper, "3 of 6. h + ug becomes hug (15 times)")
    steps_lab.page.mouse.move(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    steps_lab.page.mouse.down()
    steps_lab.page.mouse.move(
        slider["x"] + slider["width"] - 2, slider["y"] + slider["height"] / 2, steps=5
    )
    steps_lab.page.mouse.up()
    shows(stepper, "6 of 6. hug + s")
    assert steps_lab.sources() == SOURCES


def test_stepper_with_the_keyboard_alone(steps_lab, stepper):
    press = steps_lab.page.keyboard.press
    stepper.get_by_role("slider").focus()
    for key, label in [
        ("ArrowRight", "1 of 6."),
        ("ArrowUp", "2 of 6."),
        ("ArrowLeft", "1 of 6."),
        ("End", "6 of 6."),
        ("ArrowRight", "6 of 6."),
        ("Home", "0 of 6."),
        ("ArrowDown", "0 of 6."),
    ]:
        press(key)
        shows(stepper, label)
    press("Tab")
    assert steps_lab.page.evaluate("document.activeElement.textContent") == "Next"
    for number in range(1, 9):  # further than it goes: the focus stays
        press("Enter" if number % 2 else "Space")
        shows(stepper, f"{min(number, 6)} of 6.")
    press("Shift+Tab")
    press("Shift+Tab")
    press("Enter")
    shows(stepper, "5 of 6.")
    assert steps_lab.sources() == SOURCES and steps_lab.mode() == "command"


@pytest.mark.parametrize(
    "role, name", [("slider", "Step"), ("button", "Next"), ("button", "Previous")]
)
def test_the_notebooks_shortcuts_do_not_fire_in_the_stepper(steps_lab, stepper, role, name):
    control = stepper.get_by_role(role, name=name)
    control.focus()
    at = steps_lab.active_cell()
    for key in (
        "x",
        "d",
        "d",
        "a",
        "b",
        "c",
        "v",
        "z",
        "m",
        "y",
        "0",
        "0",
        "ArrowDown",
        "ArrowUp",
        "j",
        "k",
        "Shift+Enter",
        "Alt+Enter",
        "Shift+M",
        "Escape",
    ):
        steps_lab.page.keyboard.press(key)
    steps_lab.page.wait_for_timeout(300)  # what fires, fires a moment later
    assert steps_lab.sources() == SOURCES
    assert steps_lab.active_cell() == at and steps_lab.mode() == "command"
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
    from subword_lab import bpe
    from subword_lab.views import merge_stepper

    word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    player = merge_stepper(word_freqs, list(bpe.train_steps(word_freqs, num_merges=6)))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(player._repr_html_())
    assert page.locator("summary").all_inner_texts() == [
        f"{line}" for line in repr(player).splitlines()[1:]
    ]
    page.get_by_text("3. h + ug becomes hug").click()
    assert page.locator("details").nth(3).get_by_text("corpus: 62 tokens").is_visible()
    context.close()


# ----------------------------------------------------------------------------------------------------- other views


def test_dollar_signs_in_tokens_are_not_taken_for_formulas(lab):
    write(
        lab.folder,
        "dollars.ipynb",
        "from subword_lab.views import token_strip\ntoken_strip(['$x$', '$'])",
        "from IPython.display import HTML\nHTML('<p>a real formula: $y$</p>')",
    )
    lab.open("dollars.ipynb")
    lab.run_all()
    lab.page.locator("mjx-container").first.wait_for(
        timeout=20_000
    )  # the formula, which comes second
    assert lab.page.locator("mjx-container").count() == 1
    assert lab.page.locator(".jp-OutputArea .sl-token").all_inner_texts() == ["$x$", "$"]


def test_source_is_monospaced_and_no_line_of_it_is_broken(lab):
    write(
        lab.folder,
        "source.ipynb",
        "from subword_lab import bpe, views\nviews.source(bpe.merge_symbols)",
    )
    lab.page.set_viewport_size({"width": 500, "height": 800})
    lab.open("source.ipynb")
    lab.run_all()
    shown = lab.page.locator(".jp-OutputArea pre.sl-source")
    shown.get_by_text("def", exact=True).wait_for()
    looks = shown.locator("span, code").evaluate_all(
        "parts => parts.map(part => [getComputedStyle(part).whiteSpace, getComputedStyle(part).fontFamily])"
    )
    assert len(looks) > 5 and len(set(map(tuple, looks))) == 1
    assert looks[0][0] == "pre" and "monospace" in looks[0][1]
    rows, width, room = shown.evaluate(
        "pre => [pre.clientHeight / parseFloat(getComputedStyle(pre).lineHeight), pre.scrollWidth, pre.clientWidth]"
    )
    assert width > room and round(rows) - shown.inner_text().count("\n") in (
        1,
        2,
    )  # 2: with its scroll bar


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
    word_freqs = {"hug": 10, "pug": 5, "pun": 12}
    steps = list(bpe.train_steps(word_freqs, num_merges=2))
    page = browser.new_page()
    page.set_content("<div id=first></div><div id=second></div>")
    for place, ask in (("first", True), ("second", False)):
        page.evaluate(
            RUN_SCRIPTS, [place, merge_stepper(word_freqs, steps, ask=ask)._repr_html_(), in_head]
        )
        player = page.locator(f"#{place}")
        player.get_by_role("button", name="Next").click()
        assert player.locator(".sl-label").inner_text().startswith("1 of 2. ")
    choice = page.locator("#first .sl-ask:visible button").first
    choice.click()
    assert (
        page.locator("#first .sl-reply:visible")
        .inner_text()
        .startswith(choice.get_attribute("data-name"))
    )
    page.close()


def test_a_figure_is_an_image_with_words_on_paper_that_follows_the_theme(lab):
    write(
        lab.folder, "figure.ipynb", STEPPER.rsplit("\n", 1)[0] + "\nmerge_effect(steps, word_freqs)"
    )
    lab.open("figure.ipynb")
    lab.run_all()
    papers = []
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.command("apputils:change-theme", theme=theme)
        lab.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === theme", arg=theme
        )
        lab.page.wait_for_timeout(1000)  # until the colors have changed on the screen, too
        figure = lab.page.get_by_role("img", name="Line chart. The corpus is 113 tokens long")
        assert figure.evaluate("image => image.naturalWidth") == 672
        picture = Image.open(io.BytesIO(figure.screenshot())).convert("L")
        papers.append(picture.getpixel((3, 3)))
        ink = min if theme.endswith("Light") else max
        assert abs(ink(picture.getdata()) - papers[-1]) > 180
    assert papers[0] > 250 and papers[1] < 40
