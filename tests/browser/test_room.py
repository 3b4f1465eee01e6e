"""The live room in a real browser: a class that does not exist answers, and the page is looked at and used."""

import os
from pathlib import Path

import pytest
from teach.rooms import Clock, event, message, opened

from subword_lab.exercises import load
from subword_lab_teach.rehearsal import names
from subword_lab_teach.room import Room

pytestmark = pytest.mark.slow
HOSTILE = "<img src=x onerror=bad()>"
MARKDOWN = "# Hi\n\n<script>bad()</script> [a link](http://evil.example) ![a picture](http://evil.example/x.png)"


@pytest.fixture
def room():
    """Twelve learners at five exercises: some right, some with a mistake, one with a hand up, one who is hostile."""
    room = Room(Clock())
    for key, name in enumerate(names(12)):
        events = []
        for number in range(1, 4 + key % 3):
            ex = load(f"bpe-{number:02}", learner=name)
            mistake = ex.asked.mistakes[key % 2]
            outcome = ("correct", "correct", "incorrect", "partial")[(key + number) % 4]
            events += [
                event(
                    len(events) + 1,
                    exercise=ex.id,
                    outcome=outcome,
                    label=mistake.label,
                    message=mistake.message,
                    question=ex.question,
                    answer=str(mistake.value),
                )
            ]
        events += [event(len(events) + 1, "hand")] * (key == 3)
        room.take(message(*events, name=name, key=key))
    hostile = event(1, label="hostile", answer=HOSTILE, message=HOSTILE, question=MARKDOWN)
    room.take(message(hostile, name=HOSTILE, key=99))
    return room


@pytest.fixture(params=["light", "dark"])
def page(request, browser, room):
    page = browser.new_page(viewport={"width": 1100, "height": 1000}, color_scheme=request.param)
    page.set_default_timeout(10_000)
    errors, asked = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    with opened(room) as url:
        page.goto(f"{url}#teacher={room.key}")
        page.get_by_text("13 learners,").wait_for()
        picture(page, f"names-{request.param}")
        yield page
        picture(page, f"end-{request.param}")
        assert not errors and all(address.startswith(url) for address in asked)
        page.close()


def picture(page, name):
    """A screenshot for whoever asks for it."""
    if folder := os.environ.get("SUBWORD_LAB_PICTURES"):
        page.screenshot(path=Path(folder, f"room-{name}.png"), full_page=True)


def test_a_lesson_with_the_room_open(page, room):
    assert (
        page.url.endswith("/") and room.key not in page.content()
    )  # a projector shows the address
    assert "hand up now" in page.locator("#waits").inner_text()
    assert page.locator("#grid tbody tr").count() == 13
    assert HOSTILE in page.locator("#grid").inner_text() and page.locator("main img").count() == 0

    row = page.locator("#mistakes li").filter(has_text="none that is known by name")
    assert row.is_hidden()  # of one learner, below those of many
    page.get_by_text("more, made by fewer learners").click()
    row.get_by_role("button", name="Example").click()
    example = page.locator(".example")
    example.wait_for()
    assert "bad()" in example.inner_text() and example.locator("a, img, script").count() == 0
    row.get_by_role("button", name="Example").click()
    first = page.locator("#mistakes li").first
    first.get_by_role("button", name="Example").click()
    assert "Somebody's answer" in example.inner_text()
    room.take(message(event(1, outcome="correct"), name="New", key=100))
    page.get_by_text("14 learners,").wait_for()
    assert (
        "Somebody's answer" in example.inner_text() and row.is_visible()
    )  # what was open stays open

    page.get_by_role("button", name="Show the room").click()
    assert page.locator("#grid").is_hidden() and page.locator("#waits").is_hidden()
    assert not any(name in page.locator("main").inner_text() for name in names(12))
    assert "right" in page.locator("#plot tbody tr").first.inner_text()
    picture(page, f"shown-{page.evaluate('matchMedia(`(prefers-color-scheme: dark)`).matches')}")
    page.get_by_role("button", name="Show the room").click()

    page.get_by_text("How to join, and what is kept").click()
    assert (
        room.code in page.locator("#join").inner_text()
        and "How it is deleted" in page.locator("main").inner_text()
    )
    page.get_by_role("button", name=f"forget {names(12)[0]}", exact=True).click()
    page.get_by_text("13 learners,").wait_for()
    page.reload()
    page.get_by_text("13 learners,").wait_for()
    page.get_by_role("button", name="Forget everything").click()
    page.get_by_text("Nobody has joined yet.").wait_for()


def test_a_page_without_the_key_shows_nothing(browser, room):
    with opened(room) as url:
        page = browser.new_page()
        page.goto(f"{url}#{room.code}")
        page.wait_for_timeout(300)
        assert (
            "needs its key" in page.locator("header").inner_text()
            and page.locator("#grid").inner_text() == ""
        )
        page.close()
