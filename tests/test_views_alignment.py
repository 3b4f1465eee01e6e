"""Pieces under the text that they came from: every piece covers the columns of its own characters."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import text
from subword_lab.views import alignment


class Columns(HTMLParser):
    """Row name -> (first column, text of the cell), for cells that are not empty; columns count from 0."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.width = {}, []
        self.feed(re.sub(r"<style>.*?</style>", "", html, flags=re.S))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "tr":
            self.column, self.cells, self.name = 0, [], None
        elif tag == "td" or (tag == "th" and attrs["scope"] == "col"):
            self.cells.append([self.column, ""])
            self.column += int(attrs.get("colspan", 1))
        elif tag == "th":
            self.name = ""

    def handle_data(self, data):
        if self.name == "":
            self.name = data
        elif self.cells:
            self.cells[-1][1] += data

    def handle_endtag(self, tag):
        if tag == "tr":
            self.rows[self.name] = [tuple(cell) for cell in self.cells if cell[1]]
            self.width.append(self.column)
            self.cells = []


@given(st.text(alphabet="ab .é猫ို'", max_size=30))
def test_every_word_stands_under_its_characters(string):
    rows = {
        scheme: text.pre_tokenize(string, scheme)
        for scheme in ("split", "whitespace", "byte-level")
    }
    table = Columns(alignment(string, rows).html())
    assert len(set(table.width)) == 1 and table.width[0] == len(string)
    for scheme, words in rows.items():
        assert [column for column, _ in table.rows[scheme]] == [start for _, (start, _) in words]


def test_pieces_without_offsets_stand_left_and_right_of_the_text():
    rows = {
        "words": [("hug", (0, 3))],
        "tokens": [("[CLS]", None), ("h", (0, 1)), ("ug", (1, 3)), ("[SEP]", None)],
    }
    table = Columns(alignment("Hug", rows).html())
    assert table.rows == {
        "position": [(1, "0"), (2, "1"), (3, "2")],
        "text": [(1, "H"), (2, "u"), (3, "g")],
        "words": [(1, "hug")],
        "tokens": [(0, "[CLS]"), (1, "h"), (2, "ug"), (4, "[SEP]")],
    }
    assert set(table.width) == {5}


@pytest.mark.parametrize(
    "pieces",
    [
        [("hug", (0, 4))],
        [("h", (1, 2)), ("u", (0, 1))],
        [("h", (0, 2)), ("u", (1, 3))],
        [("", (1, 1))],
        [("h", (-1, 2))],
    ],
)
def test_offsets_that_make_no_sense_are_refused(pieces):
    with pytest.raises(ValueError, match="from left to right"):
        alignment("hug", {"tokens": pieces})
