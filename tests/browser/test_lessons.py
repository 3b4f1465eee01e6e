"""A learner in the browser: a lesson is opened, and exercises are answered, with a mouse and with a keyboard alone."""

import html
import re

import pytest

from subword_lab import html as markup
from subword_lab.exercises import ids, load

from .conftest import axe, press, tab_into, untouched

pytestmark = pytest.mark.slow

# ------------------------------------------------------------------------------------------- notebooks of the course

WITHOUT_WINDOWS = """() => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: "none" };        // all cells are on the page
}"""
# pandas leaves the corners of its tables empty.
ON_THE_PAGE = (
    '{ include: [[".jp-OutputArea-output"], [".jp-RenderedMarkdown"]], exclude: [[".dataframe"]] }'
)
BARE = """[...document.querySelectorAll(".jp-OutputArea-output .sl-token")]
  .filter(token => getComputedStyle(token).borderTopStyle === "none").map(token => token.outerHTML)"""


def test_the_gallery_opens_answers_before_any_cell_was_run_and_looks_well(lab):
    """Without unsaved changes; axe finds nothing, wide and narrow, light and dark; every token has an edge."""
    page = lab.page
    lab.open("gallery.ipynb")
    page.wait_for_timeout(2000)  # the kernel says which Python it is
    assert not page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty")
    playground = page.locator("subword-playground").first
    playground.get_by_role("textbox").fill("the company")
    said = (
        "11 characters. BPE: 10 tokens; WordPiece: 2 tokens; Unigram: 10 tokens; bytes: 11 tokens."
    )
    playground.locator(".sl-status").get_by_text(said).wait_for()
    page.keyboard.press("Escape")  # no key is the notebook's
    assert page.locator(":focus").evaluate("area => area.value") == "the company"
    page.wait_for_timeout(600)
    assert "#" not in page.url, "the address is JupyterLab's"
    page.evaluate(WITHOUT_WINDOWS)
    lab.run_all()
    page.get_by_role("group", name="Tokenize your own text").first.wait_for()
    for width, theme in ((1400, "Light"), (600, "Dark")):
        page.set_viewport_size({"width": width, "height": 1400})
        lab.theme(theme)
        page.wait_for_timeout(500)  # the page is laid out anew
        assert (axe(page, ON_THE_PAGE), page.evaluate(BARE)) == ([], []), (width, theme)


# ------------------------------------------------------------------------------------------------------------- cards

CARDS = "cards.ipynb"
SHOW = 'from subword_lab.exercises import load\nload("{}")'
STYLE = "from subword_lab import views\nviews.token_strip(['hug'])"  # a view brings the style sheet
LETTERS = "x d d a b m y 0 0"
KEYS = f"{LETTERS} Space ArrowUp ArrowDown Shift+Enter Control+Enter Escape"


@pytest.fixture(scope="module")
def all_cards(run_cells):
    """A notebook with every exercise of lesson 01, a card each."""
    names = [name for name in ids() if name.startswith("bpe-")]
    return run_cells(CARDS, STYLE, *map(SHOW.format, names))


@pytest.fixture
def cards(all_cards):
    """The same, for a test that touches no cell."""
    with untouched(all_cards):
        yield all_cards


def exercises_in(lab, *kinds):
    """The exercises of the open notebook; of some kinds, if any are named."""
    found = [
        load(name) for source in lab.sources() for name in re.findall(r'load\("([\w-]+)"\)', source)
    ]
    return [ex for ex in found if not kinds or ex.kind.name in kinds]


def card(lab, ex):
    """An exercise's card, in view."""
    found = lab.page.get_by_role("group", name=f"Exercise {ex.id}: {ex.title}", exact=True).first
    found.scroll_into_view_if_needed()
    return found


def first(lab, *kinds):
    """The first exercise of these kinds, and its card."""
    ex = exercises_in(lab, *kinds)[0]
    return ex, card(lab, ex)


def reached(lab, *kinds):
    """The same; and the Tab key has led from the exercise's cell into its card."""
    ex, shown = first(lab, *kinds)
    lab.select(next(n for n, source in enumerate(lab.sources()) if f'"{ex.id}"' in source))
    tab_into(lab.page, shown)
    return ex, shown


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
    message = re.sub("<[^>]*>", "", markup.to_html(ex.check(answer).message))
    return answer, " ".join(html.unescape(message).split())


def told(card, word):
    """Wait for a verdict; the text of the feedback."""
    card.get_by_role("status").get_by_text(word).wait_for()
    return " ".join(card.get_by_role("status").inner_text().split())


def check(card, word):
    """Press the button; what is told."""
    card.get_by_role("button", name="Check").click()
    return told(card, word)


def test_answers_given_with_the_mouse(cards):
    ex, shown = first(cards, "choice")
    answer, message = wrong(ex)
    assert check(shown, "Nothing to check yet").endswith("Choose an answer first.")
    shown.get_by_role("radio", name=f"{answer}.").click()
    assert message in check(shown, "✗ Not right yet") and shown.get_by_text("○ tried").is_visible()
    shown.get_by_text(f"{right(ex)}.", exact=True).click()  # the label is as good as the circle
    assert check(shown, "✓ Right") and shown.get_by_text("✓ done").is_visible()

    ex, shown = first(cards, "number")
    field = shown.get_by_role("textbox")
    field.fill("not sent")
    shown.get_by_role("button", name="New figures").click()
    shown.get_by_text("New figures.", exact=True).wait_for()
    assert field.input_value() == ""
    field.fill(right(ex.another()))
    check(shown, "✓ Right")


def test_answers_given_with_the_keyboard_alone(cards):
    ex, shown = reached(cards, "token sequence", "merge sequence")
    keyboard, field, (answer, message) = (
        cards.page.keyboard,
        shown.get_by_role("textbox"),
        wrong(ex),
    )
    assert field.evaluate("field => field === document.activeElement")
    press(cards.page, KEYS)
    assert field.input_value().startswith("xddabmy00 ")
    told(shown, re.compile("Not "))  # Shift+Enter has checked it
    keyboard.press("Control+a")
    keyboard.type(answer + "\n")
    assert message in told(shown, "✗ Not right yet")
    keyboard.press("Control+a")
    keyboard.type(right(ex))
    press(cards.page, "Tab Space")
    told(shown, "✓ Right")
    press(cards.page, f"{KEYS} Tab Enter")  # on the button Check, and on the next
    shown.get_by_text("Hint 1 of 3").wait_for()
    press(cards.page, "Tab Tab Tab")
    assert not shown.evaluate("card => card.contains(document.activeElement)"), "it leads not out"


def test_lines_of_code_go_where_they_are_put_with_the_keyboard_alone(cards):
    ex, shown = reached(cards, "lines in order")
    focused = "document.activeElement.innerText || ''"
    for letter in [*ex.kind.key(ex.asked, ex.listed).split(), "Check"]:
        while not cards.page.evaluate(focused).startswith(letter):
            cards.page.keyboard.press("Tab")  # never back: what is pressed moves up with the focus
        cards.page.keyboard.press("Space")
    told(shown, "✓ Right")
    lines = [line.strip() for line in shown.locator("button code").all_inner_texts()]
    assert lines == [line.strip("`").strip() for line in ex.asked.answer]


def test_a_choice_made_with_the_keyboard_alone(cards):
    ex, shown = reached(cards, "choice")
    page, at, (answer, message) = cards.page, cards.active_cell(), wrong(ex)
    press(page, f"{LETTERS} Escape Space")
    choose(cards, shown, answer)
    press(page, "Enter")
    assert message in told(shown, "✗ Not right yet")
    choose(cards, shown, right(ex))
    press(page, "Tab Enter")
    assert told(shown, "✓ Right") and cards.active_cell() == at


def choose(lab, card, letter):
    """Down with the arrow key, round and round, until the letter is marked."""
    for _ in range(5):
        if card.get_by_role("radio", checked=True).get_attribute("value") == letter:
            return
        lab.page.keyboard.press("ArrowDown")
    raise AssertionError("the arrow keys do not move through the options")


def test_progress_and_what_was_typed_are_there_again_after_a_reload(all_cards):
    lab, page = all_cards, all_cards.page
    assert axe(page, ON_THE_PAGE) == []  # of cards that were answered
    done = [ex for ex in exercises_in(lab) if card(lab, ex).get_by_text("✓ done").count()]
    assert len(done) >= 4
    number = next(ex for ex in exercises_in(lab, "number")[1:] if ex not in done)
    card(lab, number).get_by_role("textbox").fill("17 and then")
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    told(card(lab, number), "Run this cell again")
    lab.command("docmanager:save")
    lab.open(CARDS)
    error = page.get_by_text("Error displaying widget").first  # the page says: run this cell
    assert error.evaluate("error => getComputedStyle(error).fontSize") == "0px"
    lab.run_all()
    for ex in done:
        card(lab, ex).get_by_text("✓ done").wait_for()
    assert card(lab, number).get_by_role("textbox").input_value() == "17 and then"
