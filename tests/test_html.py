"""The maker of HTML: nothing that is put in becomes HTML by accident, and a piece brings the style that it needs."""

import re
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import files, html
from subword_lab.html import Html, pieces, tag
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
    class Face(html.Shown):
        def html(self):
            return html.note("<small>")

    class Foreign:
        def _repr_html_(self):
            return "<table></table>"

    assert (
        tag("div", Face(), Foreign())
        == '<div><div class="sl-note">&lt;small&gt;</div><table></table></div>'
    )
    assert Face()._repr_html_().count("<style>") == 1
    assert html.styled(Face(), Face()).count(".sl-note{") == 1


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


def test_a_piece_brings_the_rules_for_its_own_classes_and_no_others():
    assert "sl-token{" in html.styled(tag("span", "u", class_="sl-token"))
    assert "sl-frames" not in html.styled(tag("span", "u", class_="sl-token"))
    assert html.styled("plain") == "plain"


def test_every_class_of_the_style_sheet_is_used_and_every_class_that_is_used_has_a_rule(root):
    sheets = files.read("html.css") + "".join(
        path.read_text(encoding="utf-8")
        for path in root.rglob("*.css")
        if path.name in ("pages.css", "slides.css")
    )
    rules = set(re.findall(r"\.(sl-[a-z]+)\b", sheets))
    folders = [root / "subword_lab", root / "extras"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    sources.append(root / "subword_lab" / "views" / "static" / "frames.js")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.name != "card.py")
    looks = {"sl-keyword", "sl-string", "sl-comment", "sl-name", "sl-tied", "sl-chosen"}
    boxes = {"sl-strong", "sl-unknown", "sl-missing"}  # written as `sl-{look}`
    assert rules - looks - boxes == set(re.findall(r"\bsl-[a-z]+\b", text)) - boxes - {"sl-c"}


def test_every_class_of_the_player_has_a_rule_and_every_rule_is_used(root):
    """But for classes that a script only finds its own elements by."""
    front = root / "extras" / "teach" / "subword_lab_teach" / "site" / "front"
    static = root / "subword_lab" / "views" / "static"
    sheets = (static / "design.css", static / "merge_player.css", front / "front.css")
    makers = (
        static / "merge_player.js",
        static / "motion.js",
        front / "front.js",
        front / "front.html",
    )
    rules, used = (
        set(
            re.findall(
                r"\bsl-[a-z]+\b", "".join(path.read_text(encoding="utf-8") for path in paths)
            )
        )
        for paths in (sheets, makers)
    )
    assert rules - used == set() and used - rules <= {"sl-text"}


def test_a_page_needs_nothing_else():
    page = html.page("a < b", html.view("x"))
    assert (
        page.startswith("<!doctype html>\n<html")
        and page.count("a &lt; b") == 2
        and ".sl-view{" in page
    )
    assert "default-src &#x27;none&#x27;" in page and not re.search(
        r"<(script|link|img)|src=|url\(", page
    )


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
    assert path.read_bytes() == "мир\r\n".encode()
    with mock.patch("os.replace", side_effect=full), pytest.raises(OSError, match="No space"):
        files.write_whole(path, "new")
    with pytest.raises(UnicodeEncodeError):
        files.write_whole(path, "\ud800")
    assert path.read_bytes() == "мир\r\n".encode() and list(tmp_path.iterdir()) == [path]
    files.write_whole(path, b"\xff")
    assert path.read_bytes() == b"\xff"


def test_a_file_that_is_written_keeps_its_permissions_its_link_and_its_neighbors(tmp_path):
    path, link, neighbor = tmp_path / "some.txt", tmp_path / "link", tmp_path / "some.txt.part"
    for file in (path, neighbor):
        file.write_text("mine")
    path.chmod(0o640)
    link.symlink_to("some.txt")
    with mock.patch("os.chmod"):  # for it never lies there with fewer
        files.write_whole(link, "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink() and neighbor.read_text() == "mine"
    with pytest.raises(FileNotFoundError, match=r"folder/some\.txt"):
        files.write_whole(tmp_path / "folder" / "some.txt", "new")
    assert {*tmp_path.iterdir()} == {path, link, neighbor}
