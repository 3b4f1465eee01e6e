"""What is looked at: the same on every machine, readable without color, on a light and on a dark page, and aloud."""

import re
from fractions import Fraction
from functools import cache, partial
from html.parser import HTMLParser
from itertools import accumulate, pairwise
from xml.etree import ElementTree

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import bpe, text, views, wordpiece
from subword_lab.studies.encoders import cut_by
from subword_lab.views import figures

WORD_FREQS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
STEPS = list(bpe.train_steps(WORD_FREQS, num_merges=6))
SCRIPTS = ["hug", "мир", "喜欢", "မြန်မာ", "ဘာသာ", "👨‍👩‍👧", "é", " the", "<b>&", "$x$"]


class Page(HTMLParser):
    """Well-formed HTML as its text, its tags, and the attributes of each."""

    def __init__(self, html: str):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def page(shown) -> Page:
    """What is seen; of a figure its drawing, which stands in its image, too."""
    return Page(shown.html() if isinstance(shown, figures.Figure) else shown._repr_html_())


@cache
def everything():
    """One of each, with every script in it."""
    return [
        views.token_strip(SCRIPTS, ids=range(len(SCRIPTS)), show_bytes=True, caption="a < b"),
        views.token_strip(["un", "[UNK]"]),
        views.pair_table(STEPS[4]),
        views.pair_table({("မ", "ြ"): 2, (" ", "中"): 2}),
        views.table(
            [["the", 12345, views.token_strip(["t", "he"])], ["<b>", None, "喜欢"]],
            ["word", "n", ""],
            "C",
        ),
        views.merge_effect(STEPS, WORD_FREQS, "caption"),
        views.work_chart({"slow": [10, 20, 30], "fast": [9, 10, 11]}, "caption"),
        views.line_chart(
            {"မြန်မာ": [3, 1], "喜欢": [(0, 2.5), (1, 2)]}, "two lines", xlabel="x", ylabel="y"
        ),
        views.bar_chart({"мир": 2, "中文": 3.5}, "two bars", xlabel="times"),
        views.bill_chart({"bytes": {"мир": 2, "中文": 3.5}, "b": {"мир": 1}}, "мир"),
        views.merge_stepper(WORD_FREQS, STEPS),
    ]


# -------------------------------------------------------------------------------------------------- all of them


def test_every_view_has_well_formed_html_and_a_text():
    for shown in everything():
        page(shown)
        assert repr(shown).strip() and "<" not in repr(shown).replace("<b>", "").replace(
            "a < b", ""
        ), repr(shown)


# --------------------------------------------------------------------------------------------------- token strip


ROWS = {
    "a strip": lambda word: views.token_strip([*word]),
    "aligned": lambda word: views.alignment(
        word, {"letters": [(char, (n, n + 1)) for n, char in enumerate(word)]}
    ),
    "a pair": lambda word: views.pair_table({tuple(word[:2]): 1}),
    "a playground": lambda word: views.tokenizer_playground(
        {"letters": cut_by("characters")}, word
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_neighbors_never_share_a_color(row):
    letters = "abcdefghijklmnopqrstuvwxyz"
    for word in [*map("".join, zip(letters, letters[1:])), "bxjax", "efgm"]:
        paints = re.findall(r'class="sl-token sl-c(\d)"', ROWS[row](word).html())
        assert len(paints) == len(word[:2] if row == "a pair" else word)
        assert all(left != right for left, right in pairwise(paints)), word


@pytest.mark.parametrize(
    "token, shown",
    [
        (" ", "␣"),
        ("  a", "␣␣a"),
        ("\n", "↵"),
        ("\t", "⇥"),
        ("\u00a0", "⍽"),
        ("\u3000", "□"),
        ("", "‹empty›"),
        ("\x00", "‹U+0000›"),
        ("\u200b", "‹U+200B›"),
        ("\ufe0f", "‹U+FE0F›"),
        ("\u2028", "‹U+2028›"),
        ("\u0301", "◌\u0301"),
        ("\u1031", "◌\u1031"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("Ġthe", "Ġthe"),
        ("▁low", "▁low"),
        ("##\u102c", "##◌\u102c"),
        ("##စာ", "##စာ"),
        ("▁\u0301", "▁◌\u0301"),
        ("#\ufe0f\u20e3", "#\ufe0f\u20e3"),
    ],
)
def test_what_leaves_no_ink_gets_a_sign(token, shown):
    assert views.visible(token) == shown


@pytest.mark.parametrize(
    "cells, right",
    [
        (["0.70", "12.50"], True),
        (["7.5%", "51.9%"], True),
        (["1/36", "1/5"], True),
        (["–", "3"], True),
        (["e1 80", "20 74"], False),
        (["12", "a dozen"], False),
        (["1.2.3", "4"], False),
        ([True, False], False),
    ],
)
def test_texts_of_numbers_stand_to_the_right_as_numbers_do(cells, right):
    shown = views.table([["a", cell] for cell in cells], ["name", "value"])
    assert ('class="sl-number"' in shown.html()) == right


def test_ids_and_bytes_are_there_on_demand():
    strip = views.token_strip(["h", "é"], ids={"h": 7}, show_bytes=True)
    assert "<details>" not in views.token_strip(["h"]).html()
    below = page(strip).text.split("ids and bytes")[1].split()
    assert below == ["h", "7", "68", "é", "–", "C3", "A9"]  # an id that is not known is a dash


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=4), max_size=5))
def test_any_tokens_can_be_shown(some):
    strip = views.token_strip(some)
    boxes = re.findall(r'<code class="sl-token [^>]*>(.*?)</code>', strip._repr_html_(), re.DOTALL)
    assert len(boxes) == len(some) and all(boxes) and len(str(strip).splitlines()) <= 1


# -------------------------------------------------------------------------------------------------------- tables


BY_SCORE, BY_COUNT = (
    next(wordpiece.train_steps(WORD_FREQS, num_merges=1, score=score)) for score in wordpiece.SCORES
)


@pytest.mark.parametrize(
    "pairs, options, rows",
    [
        (
            BY_SCORE,
            {"top": 2},
            "pair score count / ##g ##s 1/20 5 merged / h ##u 1/36 15 / and 4 more pairs",
        ),
        (BY_COUNT, {"top": 1}, "pair count / ##u ##g 20 merged / and 5 more pairs"),
        (
            {("a", "b"): 2, ("b", "c"): 2},
            {},
            "pair count / a b 2 tied for highest / b c 2 tied for highest",
        ),
        (
            {("a", "b"): Fraction(1, 3), ("b", "c"): Fraction(1, 5)},
            {"count": "score"},
            "pair score / a b 1/3 highest / b c 1/5",
        ),
        ({}, {}, "pair count"),
    ],
)
def test_pair_table_lists_what_the_step_was_decided_by_and_marks_what_is_highest(
    pairs, options, rows
):
    lines = repr(views.pair_table(pairs, **options)).splitlines()
    assert " / ".join(" ".join(line.split()) for line in lines if "---" not in line) == rows


@pytest.mark.parametrize(
    "rows, columns, decimals, lines",
    [
        (
            [["喜欢", 2], ["é", 1000], ["the", None]],
            ["word", "n"],
            None,
            ["word      n", "----  -----", "喜欢      2", "é     1,000", "the"],
        ),
        (
            [["a", 2, 0.5], ["b", 3, 1234.567]],
            ["name", "count", "loss"],
            2,
            [
                "name  count      loss",
                "----  -----  --------",
                "a         2      0.50",
                "b         3  1,234.57",
            ],
        ),
    ],
)
def test_table_as_text_lines_up_in_every_script(rows, columns, decimals, lines):
    shown = views.table(rows, columns, decimals=decimals)
    assert repr(shown).splitlines() == lines
    assert page(shown).text.split() == " ".join([lines[0], *lines[2:]]).split()


@pytest.mark.parametrize(
    "cell, written",
    [
        (1234567, "1,234,567"),
        (0.123456, "0.1235"),
        (2841.27, "2,841.3"),
        (-2841.27, "-2,841.3"),
        (True, "True"),
        (Fraction(2, 3), "2/3"),
        ("<b>", "<b>"),
        (None, ""),
    ],
)
def test_how_cells_are_written(cell, written):
    assert (
        repr(views.table([["x", cell]], ["a", "b"])).splitlines()[2].removeprefix("x").strip()
        == written
    )
    assert page(views.table([["x", cell]], ["a", "b"])).texts[3:] == [written] * bool(written)


# ------------------------------------------------------------------------------------------------------- figures


@pytest.mark.parametrize("number", range(5, 9))
def test_a_figure_holds_nothing_of_this_machine_and_follows_the_page(number):
    drawn = everything()[number].face
    assert "currentColor" in drawn and figures.INK not in drawn
    assert not re.search(r"font-family|<style|<metadata|matplotlib|#000000|#ffffff|20\d\d-", drawn)
    positions = re.findall(r' (?:x|y|d|transform)="([^"]*)"', drawn)
    assert positions and not re.search(r"\d\.\d\d", " ".join(positions))
    assert all(f"#{name}" in drawn for name in re.findall(r' id="([^"]*)"', drawn))


def test_points_a_dictionary_and_a_frame_are_drawn_alike():
    points = {"a": [(1, 2.0), (5, 3.0)], "b": [(1, 0.5), (5, 1.0)]}
    mapping = {name: dict(line) for name, line in points.items()}
    lines = partial(views.line_chart, alt="two lines", xlabel="x", ylabel="y")
    assert lines(points).face == lines(mapping).face == lines(pandas.DataFrame(mapping)).face
    bills = {"bytes": {"English": 20, "Thai": 60}}
    drawn = [views.bill_chart(costs, "Thai").face for costs in (bills, pandas.DataFrame(bills))]
    assert drawn[0] == drawn[1]


def test_the_marks_of_a_chart_tell_of_themselves():
    lines = views.line_chart({"a": [1, 2], "b": [0.5]}, xlabel="x", ylabel="y")
    freqs = {("u", "g"): 20, ("h", "u"): 15, ("p", "u"): 15}
    scores = {("u", "g"): Fraction(1, 36), ("h", "u"): Fraction(1, 50), ("p", "u"): Fraction(1, 50)}
    titles = [
        re.findall("<title>(.*?)</title>", it.face)
        for it in (lines, views.score_scatter(freqs, scores))
    ]
    assert titles[0] == ["a: 1 at 0", "a: 2 at 1", "b: 0.5 at 0"]
    assert titles[1] == ["h u, p u: 15 times, score 1/50", "u g: 20 times, score 1/36"]


def test_where_matplotlib_is_missing_a_figure_shows_some_of_its_numbers(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    lines = {"a": range(1000, 2000), "b": [1, 2]}
    shown = views.line_chart(lines, "Two lines.", xlabel="merges", ylabel="tokens")
    numbers, told, _ = page(shown).text.partition("Drawing this needs matplotlib")
    assert numbers.split()[:9] == "Two lines. line merges tokens a 0 1,000 a".split()
    assert numbers.split()[-3:] == ["b", "1", "2"] and told
    assert "<svg" not in shown.html() and shown.html().count("<tr>") <= 23
    assert "how many" in page(views.bar_chart({"u": 3}, "A bar.", xlabel="how many")).text


# ------------------------------------------------------------------------------------------------------- stepper


def frames(player):
    return [" ".join(Page(frame).text.split()) for frame in player.frames]


def test_every_frame_shows_the_counts_of_the_words_that_it_shows():
    shown = frames(views.merge_stepper(WORD_FREQS, STEPS, top=99))
    assert [frame.count("merged next") for frame in shown] == [1] * 6 + [0]
    assert "p ug 5 merged next hug s 5 tied" in shown[4]
    splits = [bpe.split_words(WORD_FREQS), *(step.splits for step in STEPS)]
    for frame, split in zip(shown, splits, strict=True):
        words, _, pairs = frame.partition("Pairs in these words")
        length = sum(freq * len(split[word]) for word, freq in WORD_FREQS.items())
        assert f"corpus: {length} tokens" in words
        rows = [f" {freq} {' '.join(split[word])} " for word, freq in WORD_FREQS.items()]
        assert [row for row in rows if row not in words] == []
        counts = bpe.pair_freqs(WORD_FREQS, split).items()
        assert [pair for pair, n in counts if f" {' '.join(pair)} {n}" not in pairs] == []


def test_a_large_corpus_shows_its_most_frequent_words_and_a_short_one_ends():
    def shown(word_freqs, merges, **options):
        steps = list(bpe.train_steps(word_freqs, num_merges=merges))
        return frames(views.merge_stepper(word_freqs, steps, **options))

    large = shown({f"w{number}": number for number in range(1, 40)}, 1, max_words=2, top=3)[0]
    assert "39 w 3 9 38 w 3 8 and 37 more words; corpus: 2,295 tokens" in large
    assert "more pairs" in large and "No pair is left." in shown({"ab": 2}, 9)[-1]


# ------------------------------------------------------------------------------------------------ under the text


def columns(html):
    """Row name -> (first column, text) of its cells that are not empty; and how many columns each row has."""
    rows, widths = {}, set()
    for head, *cells in ElementTree.fromstring(html).iter("tr"):
        starts = list(accumulate((int(cell.get("colspan", 1)) for cell in cells), initial=0))
        texts = ["".join(cell.itertext()) for cell in cells]
        rows[head.text] = [(start, text) for start, text in zip(starts, texts) if text]
        widths.add(starts[-1])
    return rows, widths


@given(st.text(alphabet="ab .é猫ို'", max_size=30))
def test_every_word_stands_under_its_characters(string):
    rows = {
        scheme: text.pre_tokenize(string, scheme)
        for scheme in ("split", "whitespace", "byte-level")
    }
    shown, widths = columns(views.alignment(string, rows).html())
    assert widths == {len(string)}
    for scheme, words in rows.items():
        assert [column for column, _ in shown[scheme]] == [start for _, (start, _) in words]


def test_pieces_without_offsets_stand_left_and_right_of_the_text():
    tokens = [("[CLS]", None), ("h", (0, 1)), ("ug", (1, 3)), ("[SEP]", None)]
    assert columns(
        views.alignment("Hug", {"words": [("hug", (0, 3))], "tokens": tokens}).html()
    ) == (
        {
            "position": [(1, "0"), (2, "1"), (3, "2")],
            "text": [(1, "H"), (2, "u"), (3, "g")],
            "words": [(1, "hug")],
            "tokens": [(0, "[CLS]"), (1, "h"), (2, "ug"), (4, "[SEP]")],
        },
        {5},
    )


def test_a_text_that_is_folded_is_no_html():
    assert "<img" not in views.fold("A text", '<img src="x" onerror="alert(1)">').html()
