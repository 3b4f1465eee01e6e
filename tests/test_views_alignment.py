"""Pieces under the text that they came from: every piece covers the columns of its own characters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import text
from subword_lab.views import alignment


def columns(html):
    """Row name -> (first column, text) of its cells that are not empty; and how many columns each row has."""
    rows, widths = {}, set()
    for row in re.findall(r"<tr>(.*?)</tr>", html, re.S):
        (_, _, name), *cells = re.findall(r"<t([dh])([^>]*)>(.*?)</t[dh]>", row, re.S)
        rows[name], column = [], 0
        for _, attributes, content in cells:
            if text := re.sub("<[^>]*>", "", content):
                rows[name].append((column, text))
            span = re.search(r'colspan="(\d+)"', attributes)
            column += int(span[1]) if span else 1
        widths.add(column)
    return rows, widths


@given(st.text(alphabet="ab .é猫ို'", max_size=30))
def test_every_word_stands_under_its_characters(string):
    rows = {
        scheme: text.pre_tokenize(string, scheme)
        for scheme in ("split", "whitespace", "byte-level")
    }
    shown, widths = columns(alignment(string, rows).html())
    assert widths == {len(string)}
    for scheme, words in rows.items():
        assert [column for column, _ in shown[scheme]] == [start for _, (start, _) in words]


def test_pieces_without_offsets_stand_left_and_right_of_the_text():
    rows = {
        "words": [("hug", (0, 3))],
        "tokens": [("[CLS]", None), ("h", (0, 1)), ("ug", (1, 3)), ("[SEP]", None)],
    }
    shown, widths = columns(alignment("Hug", rows).html())
    assert shown == {
        "position": [(1, "0"), (2, "1"), (3, "2")],
        "text": [(1, "H"), (2, "u"), (3, "g")],
        "words": [(1, "hug")],
        "tokens": [(0, "[CLS]"), (1, "h"), (2, "ug"), (4, "[SEP]")],
    }
    assert widths == {5}


@pytest.mark.parametrize(
    "pieces",
    [
        [("hug", (0, 4))],
        [("h", (1, 2)), ("u", (0, 1))],
        [("h", (0, 2)), ("u", (1, 3))],
        [("", (1, 1))],
        [("h", (-1, 2))],
        [("h", (0, 1)), ("[SEP]", None), ("ug", (1, 3))],
    ],
)
def test_offsets_that_make_no_sense_are_refused(pieces):
    with pytest.raises(ValueError, match=r"from left to right|first or last"):
        alignment("hug", {"tokens": pieces})
