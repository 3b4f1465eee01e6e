"""Slides in a real browser, opened as a file: nothing is too tall, nothing is skipped, and a slide prints as a page."""

import re

import pytest

from subword_lab import lessons
from subword_lab_teach.site.slides import write_slides

from .conftest import watched

pytestmark = pytest.mark.slow

MEASURE = """() => [...document.querySelectorAll(".sl-slide")].map(slide => {
    location.replace(`#${slide.id}`);
    for (const answer of slide.querySelectorAll(":scope > details, :scope > .sl-output > details")) answer.open = true;
    const code = [...slide.querySelectorAll("code, pre")].filter(one => one.checkVisibility());
    return [slide.scrollWidth, slide.scrollHeight, ...code.map(one => parseFloat(getComputedStyle(one).fontSize))];
})"""


@pytest.fixture
def opened(browser, tmp_path):
    """The slides of a lesson on a page of 1280 by 720 that reports no error, and asks for nothing."""
    with watched(browser, viewport={"width": 1280, "height": 720}) as page:

        def open_slides(lesson):
            page.goto(write_slides(tmp_path, lesson).as_uri())
            return page

        yield open_slides
        assert all(address.startswith("file:") for address in page.context.asked)


def number(page):
    return int(page.locator("footer").inner_text().split()[0])


@pytest.mark.parametrize("lesson", lessons.names())
def test_nothing_is_larger_than_a_slide_and_code_can_be_read(opened, lesson):
    sizes = opened(lesson).evaluate(MEASURE)
    assert all(size[:2] == [1280, 720] and min(size[2:], default=18) >= 18 for size in sizes), sizes


def test_slides_turn_and_skip_nothing(opened):
    page = opened("01_bpe")
    count = page.locator(".sl-slide").count()
    keys = "ArrowRight ArrowLeft End ArrowRight Home ArrowLeft Space PageDown Home".split()
    for key, to in zip(keys, (2, 1, count, count, 1, 1, 2, 3, 1), strict=True):
        page.keyboard.press(key)
        assert number(page) == to and page.url.endswith(f"#{to}")
    folded = page.locator(".sl-slide > details, .sl-slide > .sl-output > details")
    for _ in range(count - 1 + folded.count()):
        assert number(page) < count
        page.keyboard.press(" ")
    assert number(page) == count and folded.count() > 3
    assert folded.evaluate_all("answers => answers.every(answer => answer.open)")


def turn_to(page, what):
    """Turn on to the first slide that holds this; the thing, and the number of the slide."""
    found = page.locator(f".sl-slide:target {what}")
    while not found.count():
        page.keyboard.press("PageDown")
    return found, number(page)


def test_a_player_keeps_its_keys_and_a_slide_prints_as_a_page(opened):
    page = opened("01_bpe")
    field, at = turn_to(page, "textarea")
    field.fill("a class")
    page.wait_for_timeout(600)  # after which a page to read keeps it in its address
    assert number(page) == at and "7 characters." in page.inner_text(".sl-slide:target")
    field.blur()
    slider, at = turn_to(page, "input[type=range]")
    slider.press("ArrowRight")
    assert number(page) == at and slider.input_value() == "1"
    page.reload()
    assert number(page) == at
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == page.locator(".sl-slide").count()


def test_the_notes_and_the_clock_open_in_a_window_which_turns_the_slides_as_well(opened):
    page = opened("00_text_to_tokens")
    with page.expect_popup() as popup:
        page.keyboard.press("n")
    notes = popup.value
    assert "until" not in page.locator("footer").inner_text()  # an opening has no end of its own
    assert "A language model never sees text." in notes.locator("main").inner_text()
    notes.keyboard.press("ArrowRight")
    assert number(page) == number(notes) == 2
    assert re.search(r"00:00:\d\d of \d\d minutes", notes.locator("footer").inner_text())
    notes.close()
    page.keyboard.press("ArrowRight")
    assert number(page) == 3
    page.keyboard.press("End")
    assert re.search(
        r"of (\d+) minutes · this section until minute \1$", page.locator("footer").inner_text()
    )
