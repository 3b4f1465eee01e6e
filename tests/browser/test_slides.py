"""Slides in a real browser, opened as a file: they turn, remember where one is, and leave a player its own keys."""

import pytest

from subword_lab_teach.site.slides import slides, write_slides

pytestmark = pytest.mark.slow


def test_slides_turn_and_players_move(browser, tmp_path):
    path, count = write_slides(tmp_path, "01_bpe"), len(slides("01_bpe"))
    page, errors, asked = browser.new_page(), [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    shown = page.locator(".sl-slide.sl-now")
    assert shown.count() == 1 and "Byte-pair encoding" in shown.inner_text()
    for key, number in [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", count),
        ("ArrowRight", count),
        ("Home", 1),
        ("ArrowLeft", 1),
        (" ", 2),
        ("PageDown", 3),
    ]:
        page.keyboard.press(key)
        assert page.locator("#number").inner_text() == f"{number} / {count}" and page.url.endswith(
            f"#{number}"
        )
    page.goto(f"{path.as_uri()}#5")
    page.reload()
    slider = shown.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#number").inner_text() == f"5 / {count}" and slider.input_value() == "1"
    page.close()
    assert not errors and all(address.startswith("file:") for address in asked)
