"""The maker of HTML: nothing that is put in becomes HTML by accident, and a piece brings the style that it needs."""

import re
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import files, html
from subword_lab.html import Html, View, pieces, tag
from tests.test_views import Page

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"))


@given(TEXTS, TEXTS)
def test_text_stays_text_and_an_attribute_stays_one(text, title):
    page = Page(tag("p", text, tag("b", text), title=title))
    assert page.tags == [("p", {"title": title} if title else {}), ("b", {})]
    assert "".join(page.texts) == text * 2


@pytest.mark.parametrize(
    "value, written",
    [
        (None, ""),
        (0, "0"),
        ("<b>", "&lt;b&gt;"),
        (Html("<b>"), "<b>"),
        (str(Html("<b>")), "&lt;b&gt;"),
        (1.5, "1.5"),
    ],
)
def test_what_becomes_of_each_thing(value, written):
    assert pieces(value) == tag("p", value)[3:-4] == written


def test_what_has_a_face_shows_it_and_its_style_comes_along_once():
    face = View("small", html.note("<small>"))
    foreign = SimpleNamespace(_repr_html_=lambda: "<table></table>")
    shown = '<div><div class="sl-note">&lt;small&gt;</div><table></table></div>'
    assert tag("div", face, foreign) == shown
    assert face._repr_html_().count("<style>") == html.styled(face, face).count(".sl-note{") == 1
    assert "sl-frames" not in face._repr_html_() and html.styled("plain") == "plain"


@pytest.mark.parametrize(
    "attributes, written",
    [
        ({"class_": "a b", "aria_label": "c"}, ' class="a b" aria-label="c"'),
        ({"open": True, "hidden": False}, " open"),
        ({"x": 0, "y": None, "style": ""}, ' x="0"'),
        ({"viewBox": "0 0 1 1", "name": "n"}, ' viewBox="0 0 1 1" name="n"'),
    ],
)
def test_attributes(attributes, written):
    assert tag("g", **attributes) == f"<g{written}></g>"


CLASS = re.compile(r"\bsl-[a-z]+\b")
STATIC, SITE = "subword_lab/views/static/", "extras/teach/subword_lab_teach/site/"
TEMPLATES = [f"{SITE}slides.html", "extras/teach/subword_lab_teach/static/report.html"]
PYTHON = ["subword_lab/**/*.py", "extras/**/*.py", f"{STATIC}frames.js", *TEMPLATES]
ELSEWHERE = {  # written as `sl-{look}`, or in the trainer's script
    *"sl-strong sl-unknown sl-missing sl-merges".split(),
    *"sl-keyword sl-string sl-comment sl-name sl-tied sl-chosen sl-best".split(),
}
ON_PAPER = {
    *"sl-broad sl-card sl-controls sl-output sl-source".split()
}  # the whole page's, in design.css
FORMS = "sl-field sl-wide sl-checked sl-name".split()  # which have their rules in play.css
PAGES = ["subword_lab/html.css", f"{SITE}pages.css", f"{SITE}slides.css"]
PLAYER = [f"{STATIC}design.css", f"{STATIC}merge_player.css", f"{SITE}front/front.css"]
PLAYERS = [
    f"{STATIC}merge_player.html",
    f"{STATIC}merge_player.js",
    f"{STATIC}motion.js",
    f"{SITE}front/front.js",
    f"{SITE}front/front.html",
]


@pytest.mark.parametrize(
    "sheets, makers, other_rules, other_names",
    [(PAGES, PYTHON, ELSEWHERE, {"sl-c", *FORMS}), (PLAYER, PLAYERS, ON_PAPER, {"sl-text"})],
)
def test_every_class_has_a_rule_and_every_rule_is_used(
    root, sheets, makers, other_rules, other_names
):
    def classes(*names):
        texts = [path.read_text(encoding="utf-8") for name in names for path in root.glob(name)]
        return {*CLASS.findall("".join(texts))}

    rules, used = classes(*sheets), classes(*makers)
    assert rules - used <= other_rules and used - rules <= other_names


def test_a_page_needs_nothing_else():
    page = html.page("a < b", html.view("x"))
    assert page.startswith("<!doctype html>\n<html") and page.count("a &lt; b") == 2
    assert ".sl-view{" in page and "default-src &#x27;none&#x27;" in page
    assert not re.search(r"<(script|link|img)|src=|url\(", page)


@pytest.mark.parametrize(
    "shape",
    [
        html.box("<b>", html.note("<i>"), tone="note", label='"'),
        html.details("<b>", html.note("<i>")),
    ],
)
def test_shapes_escape_their_titles(shape):
    page = Page(shape)
    assert {name for name, _ in page.tags}.isdisjoint("bi") and "".join(page.texts) == "<b><i>"


# ---------------------------------------------------------------------------------------------------------------- files


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path, full = tmp_path / "some.txt", OSError(28, "No space left on device")
    files.write_whole(path, "мир\r\n")
    with mock.patch("os.replace", side_effect=full), pytest.raises(OSError, match="No space"):
        files.write_whole(path, "new")
    with pytest.raises(UnicodeEncodeError):
        files.write_whole(path, "\ud800")
    assert path.read_bytes() == "мир\r\n".encode() and list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_written_keeps_its_permissions_its_link_and_its_neighbors(tmp_path):
    path, link, neighbor = tmp_path / "some.txt", tmp_path / "link", tmp_path / "some.txt.part"
    for file in (path, neighbor):
        file.write_text("mine")
    path.chmod(0o640)
    link.symlink_to("some.txt")
    with mock.patch("os.chmod"):  # for it never lies there with fewer
        files.write_whole(link, b"new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink() and neighbor.read_text() == "mine"
    with pytest.raises(FileNotFoundError, match=r"folder/some\.txt"):
        files.write_whole(tmp_path / "folder" / "some.txt", "new")
    assert {*tmp_path.iterdir()} == {path, link, neighbor}


def test_markdown_that_is_nested_without_end_is_shown_as_text():
    assert html.to_html(">a\n-\n" * 380).startswith("<pre>&gt;a\n-")


def test_numbers_in_a_question_stand_to_the_right():
    made = html.to_html(
        "| word | times | rank |\n|---|---|---|\n| `7` | 12 | 1/3 |\n| b | 3 | – |\n"
    )
    assert made.count('<td style="text-align:right">') == 4
    assert "<td>b</td>" in made
