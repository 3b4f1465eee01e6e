"""The live room in a real browser: a class that does not exist answers, and the page is looked at and used."""

import pytest
from teach.rooms import Clock, event, message, opened

from subword_lab.exercises import load
from subword_lab_teach.rehearsal import NAMES
from subword_lab_teach.room import Room

from .conftest import DENIED, axe, watched

pytestmark = pytest.mark.slow
SOON = "window.setInterval = (every => (task, ms) => every(task, ms / 10))(setInterval)"  # who asks, asks soon
HOSTILE = "<img src=x onerror=bad()>"
MARKDOWN = "# Hi\n\n<script>bad()</script> [a link](http://evil.example) ![a picture](http://evil.example/x.png)"


@pytest.fixture
def room():
    """Twelve learners at five exercises: some right, some with a mistake, one with a hand up, one who is hostile."""
    room = Room(Clock())
    for key, name in enumerate(NAMES[:12]):
        events = []
        for number in range(1, 4 + key % 3):
            ex = load(f"bpe-{number:02}", learner=name)
            mistake = ex.asked.mistakes[key % 2]
            events += [
                event(
                    len(events) + 1,
                    exercise=ex.id,
                    outcome=("correct", "correct", "incorrect", "partial")[(key + number) % 4],
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


@pytest.fixture
def page(browser, room):
    with opened(room) as url, watched(browser, viewport={"width": 1100, "height": 1000}) as page:
        page.set_default_timeout(10_000)
        page.add_init_script(SOON)
        page.goto(f"{url}#teacher={room.key}")
        page.get_by_text("13 learners,").wait_for()
        yield page
        assert all(address.startswith(url) for address in page.context.asked)


def press(page, button, *seen):
    """Press a button, and wait for what is then seen: pairs of a page and a text."""
    page.get_by_role("button", name=button, exact=True).click()
    for other, text in seen:
        other.get_by_text(text).first.wait_for()


def test_a_lesson_with_the_room_open(page, room):
    shown, grid = page.locator("main"), page.locator("#grid")
    assert page.url.endswith("/") and room.key not in page.content()  # a projector shows both
    assert "hand up now" in page.locator("#waits").inner_text()
    assert grid.locator("tbody tr").count() == 13 and "◐ partly right" in shown.inner_text()
    assert HOSTILE in grid.inner_text() and shown.locator("img").count() == 0

    rows, example = page.locator("#mistakes summary"), page.locator(".example:visible")
    rows.filter(has_text="a mistake without a name").click()
    example.wait_for()
    assert "bad()" in example.inner_text() and "a picture" in example.inner_text()
    assert shown.locator(".example :is(a, img, script)").count() == 0
    rows.first.click()
    example.filter(has_not_text="bad()").wait_for()
    assert example.count() == 1 and "Somebody's answer" in example.inner_text()
    room.take(message(event(1, outcome="correct"), name="New", key=100))
    page.get_by_text("14 learners,").wait_for()
    assert "Somebody's answer" in example.inner_text()  # what was open stays open
    assert rows.first.evaluate(
        "row => row === document.activeElement"
    )  # and what has the focus keeps it

    page.get_by_label("Show the room").click()
    for _ in range(2):
        assert grid.is_hidden() and page.locator("#waits").is_hidden()
        assert not any(name in shown.inner_text() for name in NAMES[:12])
        page.reload()  # while it is projected
        page.get_by_text("14 learners,").wait_for()
    assert "right" in page.locator("#plot tbody tr").first.inner_text()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no color is on its way
        assert axe(page) == []
    page.get_by_label("Show the room").click()

    assert room.code in page.locator("#join").inner_text() and page.locator("#qr svg").count() == 1
    page.get_by_text("What is kept", exact=True).click()
    assert "How it is deleted" in shown.inner_text()
    press(page, f"forget {NAMES[:12][0]}", (page, "13 learners,"))
    page.reload()
    page.get_by_text("13 learners,").wait_for()
    press(page, "Forget everything", (page, "Nobody has joined yet."))


def test_a_phone_whose_browser_keeps_nothing_is_in_the_room(browser):
    """And who takes the code's letters for digits, too."""
    room = next(room for room in iter(lambda: Room(Clock()), None) if {*"OI"} & {*room.code})
    with opened(room) as url, watched(browser) as phone:
        phone.add_init_script(DENIED)
        phone.goto(url)
        phone.get_by_label("The code").fill(room.code.replace("O", "0").replace("I", "1"))
        phone.get_by_label("Your name").fill("A phone")
        press(phone, "Join", (phone, "You are in the room as A phone"))


def test_answers_are_seen_beside_long_names_on_a_narrow_screen(page, room):
    room.take(message(event(1), name="Wolfeschlegelsteinhausenbergerdorff Hube", key=100))
    page.get_by_text("14 learners,").wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    box = page.locator("#grid tbody td").first.bounding_box()
    assert box["x"] + box["width"] < 390


def test_a_poll_from_the_question_to_the_second_answers(page, browser, room):
    """The instructor asks, a phone answers, the room sees which mistake it was, and is asked again."""
    page.locator("#exercise").select_option("bpe-08")
    press(page, "Ask", (page, "0 of 13 learners answered"))
    page.get_by_label("Show the room").click()
    assert page.locator("#join").is_hidden()  # the question has taken its place

    phone = browser.new_page(viewport={"width": 390, "height": 844})
    phone.add_init_script(SOON)
    phone.goto(f"{page.url}#{room.code}")
    assert "needs its key" in phone.locator("main").inner_text()
    assert phone.locator("#class").inner_text() == "" and phone.locator("#room").is_hidden()
    assert phone.get_by_label("The code").input_value() == room.code
    phone.get_by_label("Your name").fill("A phone")
    press(phone, "Join")
    mistake = room.poll.ex.asked.mistakes[0]
    phone.get_by_label(mistake.value).check()
    assert axe(phone) == []
    lost = []

    def lose_once(route):
        is_answer = not lost and "typed" in route.request.post_data
        lost.extend([route.abort()] if is_answer else [])
        if not is_answer:
            route.continue_()

    phone.route("**/page", lose_once)
    press(phone, "Answer", (phone, "has arrived"), (page, "1 of 14 learners answered"))
    assert lost  # and told again
    phone.unroute_all()
    row = page.locator("#poll tbody th").inner_text()
    assert " ".join(row.split()) == f"another rule: {mistake.value}"
    assert "A phone" not in page.locator("main").inner_text()

    press(page, "Reveal", (page, "The right answer"), (phone, "With that rule"))
    assert "The right answer" in phone.locator("main").inner_text()
    assert axe(page) == []
    press(page, "Ask again", (page, "round 2"))
    phone.get_by_role("radio").first.wait_for()
    press(page, "End the poll", (phone, "it appears here"))
    press(phone, "Leave", (phone, "has forgotten you"), (page, "13 learners,"))
    phone.close()
