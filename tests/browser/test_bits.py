"""A character's bits in the page: every flip reads as Python reads it, by mouse, by keyboard, and from a link."""

import random
import re
from collections import Counter

import pytest

from subword_lab import text, views
from subword_lab.views.player import bundled, static

from .conftest import looks_well, played, watched

pytestmark = pytest.mark.slow

READ = """(rows) => {
  %s
  return rows.map((bytes) => {
    const units = unitsOf(bytes);
    const whole = units.map(({ own }) => readBytes(own)).join("");
    return [readBytes(bytes), whole, units.map(({ own, number, fault }) => [own, number, fault])];
  });
}"""
INCOMPLETE = ("and none is open.", "in no text at all.", "not all are there.")
OVERLONG, BEYOND, HALF = "an overlong form.", "where Unicode ends.", "half of a pair in UTF-16."
HOSTILE = '<img src=x onerror="window.hit=1">'


def flips(data: bytes, most: int):
    """The bytes, and those with one bit flipped, or two, or three."""
    bits, numbers = range(8 * len(data)), random.Random(data.hex())
    yield data
    for places in [*([bit] for bit in bits), *(numbers.sample(bits, 3) for _ in range(most))]:
        other = bytearray(data)
        for place in places:
            other[place // 8] ^= 0x80 >> place % 8
        yield bytes(other)


def test_whatever_is_flipped_the_page_reads_what_python_reads(browser):
    numbers = random.Random("characters")
    chars = [*"\0 tч\u07ffစ茶\ud7ff\ufffd\uffff🍵\U0010ffff", "e\u0301", "👨\u200d👩\u200d👧"]
    for limits in ((0x80, 0xD800), (0xE000, 0x110000)):
        chars += [chr(numbers.randrange(*limits)) for _ in range(150)]
    rows = [row for char in chars for row in flips(char.encode(), 20)]
    rows += [numbers.randbytes(numbers.randint(0, 9)) for _ in range(2000)]
    script = bundled(*map(static, ("widget.js", "motion.js", "merging.js", "bits.js")))
    told = Counter()
    with watched(browser) as page:
        found = page.evaluate(
            READ % script.partition('define("subword-bits"')[0], [*map(list, rows)]
        )
    for data, (read, whole, units) in zip(rows, found, strict=True):
        assert read == whole == data.decode(errors="replace"), data.hex()
        assert [byte for own, _, _ in units for byte in own] == list(data)
        for own, number, fault in units:
            try:
                assert ord(bytes(own).decode()) == number and fault == ""
            except UnicodeDecodeError:
                forbidden = BEYOND if number > 0x10FFFF else OVERLONG
                if 0xD800 <= number < 0xE000:
                    forbidden = HALF
                (kind,) = (kind for kind in (*INCOMPLETE, forbidden) if fault.endswith(kind))
                assert kind in INCOMPLETE or fault.startswith(f"U+{number:04X} ")
                told[kind] += 1
    assert len(rows) > 12_000 and len(told) == 6 and min(told.values()) > 20, told


@pytest.fixture
def opened(browser, tmp_path):
    with played(browser, tmp_path, *map(views.bits_playground, ("茶", "hé"))) as page:
        yield page


def test_a_bit_is_flipped_and_the_reader_is_told_what_breaks(opened):
    play = opened.locator("subword-bits").first
    said, bit = play.locator(".sl-status"), lambda name: play.get_by_role("button", name=name)
    assert (
        "U+8336" in play.inner_text() and play.locator(".sl-mark").count() == 8 + 2
    )  # and 2 in the key
    assert play.locator(".sl-byte .sl-tile").all_inner_texts() == [
        *text.bytes_to_chars("茶".encode())
    ]
    bit("byte 3, bit 8: 0").click()
    assert (
        said.inner_text()
        == "Where “茶” was sent, “茷” is read. Nothing is broken: nobody will notice."
    )
    assert opened.evaluate("document.getAnimations().length") > 0
    bit("byte 3, bit 8: 1").click()
    assert said.inner_text() == "Press a bit to flip it, and see what is read then."
    bit("byte 2, bit 1: 1").click()
    assert "Byte 1 opens a character of 3 bytes, and not all are there." in said.inner_text()
    assert "Byte 3 goes on with a character, and none is open." in said.inner_text()
    assert play.locator("output").all_inner_texts() == ["3", "3"]
    bit("byte 2, bit 1: 0").click()
    bit("byte 1, bit 5: 1").click()
    bit("byte 2, bit 3: 0").click()
    bit("byte 2, bit 3: 1").click()
    assert "U+0336 has room in fewer bytes: this is an overlong form." in said.inner_text()
    assert "“���” is read" in said.inner_text() and play.locator(".sl-broken").count() == 1
    assert "hé" in play.page.get_by_role("textbox").last.input_value()


def test_by_keyboard_alone(opened):
    play, press = opened.locator("subword-bits").first, opened.keyboard.press
    press("Tab")
    press("Control+a")
    opened.keyboard.type("t")
    press("Tab")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        press(key)
    assert "“T” is read" in play.locator(".sl-status").inner_text()
    press("Home")
    press("Space")
    assert "opens a character of 2 bytes" in play.locator(".sl-status").inner_text()
    assert opened.evaluate("document.activeElement.ariaLabel") == "byte 1, bit 1: 1"
    press("Tab")
    assert opened.get_by_role("textbox").last.evaluate("field => field === document.activeElement")


@pytest.mark.parametrize(
    "typed, shown",
    [
        (HOSTILE, "U+003C"),
        ("\u200b\u202e", "U+202E"),
        ("שלום", "U+05E9"),
        ("", "Type a character."),
        ("🍵" * 5, "5\ncode points\n20\nbytes"),
        ("x" * 100_000, "What is longer is left out."),
        ("🍵" * 6, "What is longer is left out."),
    ],
)
def test_whatever_is_typed_or_linked_is_shown_and_never_obeyed(opened, typed, shown):
    play = opened.locator("subword-bits").last
    play.get_by_role("textbox").fill(typed)
    assert shown in play.inner_text() and play.locator("img, script").count() == 0
    assert play.locator(".sl-byte").count() == min(20, len(typed.encode()))
    if 0 < len(typed) < 5000:
        opened.wait_for_url(re.compile("#character1="))
        opened.reload()
        assert play.get_by_role("textbox").input_value() == typed and shown in play.inner_text()
        assert opened.get_by_role("textbox").first.input_value() == "茶"
    assert opened.evaluate("window.hit") is None


def test_nothing_moves_for_whom_the_system_says_so_and_axe_finds_nothing(opened):
    play = opened.locator("subword-bits").first
    opened.emulate_media(reduced_motion="reduce")
    play.get_by_role("button", name="byte 1, bit 3").click()
    assert opened.evaluate("document.getAnimations().length") == 0
    assert looks_well(opened)
