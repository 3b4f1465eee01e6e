"""What learners put their own words into: what is typed, what comes back, what stands there without a kernel."""

import json
import math
import re
from types import SimpleNamespace

import nbformat
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers

from subword_lab import Tokenizer, bpe, compression, text, unigram, views, wordpiece
from subword_lab.studies.encoders import Encoded, cut_by, encode_bytes, encoded, encoder
from tests.test_views import Page

TOY = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(1)> \u202edlrow\u202c a\u200bb $x$ \ud800 \x00"
CHAT = Tokenizer.train(["hug"], vocab_size=260, special_tokens=["<e>", "<s>"])


def change(playground, **values):
    """Other values, as the page sends them; the sentence that comes back."""
    playground.values = {**playground.values, **values}
    return playground.shown["status"]


def words(playground, region):
    """The text of a region, well-formed."""
    return " ".join(Page(playground.shown["regions"][region]).text.split())


# ---------------------------------------------------------------------------------------------------- the trainer


@pytest.mark.parametrize(
    "corpus, options, said",
    [
        (TOY, {}, "3 merges: the corpus went from 113 tokens to 62; the vocabulary has 10."),
        (
            TOY,
            {"merges": 0},
            "0 merges: the corpus went from 113 tokens to 113; the vocabulary has 7.",
        ),
        (
            TOY,
            {"algorithm": "wordpiece", "merges": 1},
            "1 merge: the corpus went from 113 tokens to 108; the vocabulary has 8.",
        ),
        (
            TOY,
            {"algorithm": "frequency", "ties": "shortest-first"},
            "3 merges: the corpus went from 113 tokens to 62; the vocabulary has 14.",
        ),
        (
            "a-b a-b",
            {"scheme": "split", "merges": 60},
            "2 merges: the corpus went from 6 tokens to 2; the vocabulary has 5. No pair is left.",
        ),
        (" ", {}, "Nothing to count yet: type some words."),
        ("a b", {}, "Every word is one symbol: no pair to merge."),
    ],
)
def test_a_trainer_says_in_a_line_what_it_begins_with(corpus, options, said):
    trainer = views.trainer_playground(corpus, **options)
    assert repr(trainer) == f"Train a tokenizer on your own words: {said}"
    assert said in Page(trainer.html()).text


def test_a_trainer_takes_the_text_of_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("тень тень", encoding="utf-8")
    assert "from 8 tokens" in repr(views.trainer_playground(path))


def test_one_output_of_a_notebook_has_the_script_for_all(monkeypatch):
    trainer, run = views.trainer_playground(), {}
    shell = SimpleNamespace(get_parent=lambda: {"metadata": run})
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("subword_lab.views.player._cells", {})
    for cell, whole in (("one", True), ("two", False), ("one", True), ("two", True), (None, True)):
        run["cellId"] = cell  # None: a notebook that does not say which cell is run
        assert ("<script>" in trainer._repr_html_()) == whole


# ---------------------------------------------------------------------------------------------------- encoders

SAMPLE = "Two hugs, naïve. Русское слово; 俄语 မြန်မာ 👍🏽"
COUNTS = text.word_freqs([SAMPLE])
ENCODERS = {
    "BPE": encoder(bpe.train(COUNTS, num_merges=9)),
    "marked": encoder(bpe.train(COUNTS, num_merges=9, end_of_word="</w>"), method="longest-first"),
    "byte-level": encoder(
        bpe.train(
            text.word_freqs([SAMPLE], "byte-level"), num_merges=9, alphabet=text.byte_alphabet()
        ),
        "byte-level",
    ),
    "WordPiece": encoder(wordpiece.train(COUNTS, num_merges=9), "bert"),
    "Unigram": encoder(
        unigram.train(text.word_freqs([SAMPLE], "metaspace"), vocab_size=60, initial_size=90),
        "metaspace",
    ),
    "bytes": encode_bytes,
}


def test_what_a_model_lacks_is_known_by_its_id():
    """Unigram writes an unknown character as it is, so its text does not tell."""
    made = Tokenizer.train(["hug pug hugs", "bun pun hug"], "unigram", vocab_size=20)
    playground = views.tokenizer_playground({"unigram": made}, "hug 👍")
    assert "unigram 3 0.003 3 1" in words(playground, "counts")
    assert "unknown" in playground.shown["regions"]["line0"]
    assert "sl-unknown" in views.stations(made, "hug 👍").html()
    assert "sl-unknown" not in views.stations(made, "hug").html()


@pytest.mark.parametrize("name", ENCODERS)
@given(
    string=st.text(st.characters(codec="utf-8"), max_size=30)
    | st.sampled_from([SAMPLE, "xhugs", "thethe"])
)
def test_offsets_lead_from_left_to_right_and_leave_out_only_space(name, string):
    made, place = ENCODERS[name](string), 0
    assert len(made.tokens) == len(made.ids) == len(made.offsets)
    for start, end in made.offsets:
        assert place - 1 <= start <= end <= len(string)  # -1: tokens that share a character
        assert not string[place:start].strip() or start < place
        place = max(place, end)
    assert not string[place:].strip()


@pytest.mark.parametrize(
    "name, string, tokens, offsets",
    [
        ("WordPiece", "zz. lo", ["[UNK]", ".", "[UNK]"], [(0, 2), (2, 3), (4, 6)]),
        ("byte-level", "ï", ["Ã", "¯"], [(0, 1), (0, 1)]),
        ("marked", "T", ["T", "</w>"], [(0, 1), (1, 1)]),
        ("Unigram", "T", ["▁", "T"], [(0, 0), (0, 1)]),
    ],
)
def test_each_token_stands_where_it_came_from(name, string, tokens, offsets):
    made = ENCODERS[name](string)
    assert (made.tokens, made.offsets) == (tokens, offsets)


def test_anything_that_answers_with_tokens_and_offsets():
    library = models.WordPiece({"[UNK]": 0, "hug": 1, "##s": 2}, unk_token="[UNK]")
    library = tokenizers.Tokenizer(library)
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    expected = Encoded(["hug", "##s", "[UNK]"], [1, 2, 0], [(0, 3), (3, 4), (5, 8)])
    assert encoded(library, "hugs mug") == expected


# ---------------------------------------------------------------------------------------------------- any text, cut


def boxes(playground):
    """What each box says when it is read aloud, from all lines."""
    faces = [face for name, face in playground.shown["regions"].items() if name.startswith("line")]
    return [
        box["aria-label"]
        for face in faces
        for box in Page(face).named("span")
        if box.get("class") == "sl-box"
    ]


def test_counts_and_boxes_of_a_text():
    encoders = {"letters": ENCODERS["BPE"], "bytes": encode_bytes}
    play = views.tokenizer_playground(encoders, "naïve 👍🏽", price=2.0)
    assert play.shown["status"] == "8 characters. letters: 3 tokens; bytes: 15 tokens."
    assert "bytes 15 0.030 13 0 7.50 1.88" in words(play, "counts")
    assert words(play, "counts").endswith("2 words between blanks; 15 bytes")
    assert {
        "bytes: ï, 2 tokens, ids 195 175, bytes C3 AF, offsets 2:3",
        "bytes: 👍, 4 tokens, ids 240 159 145 141, bytes F0 9F 91 8D, offsets 6:7",
    } <= set(boxes(play))
    change(play, ids=True, times=True)
    assert "195 175" in words(play, "line0") and any("how often 1 1" in box for box in boxes(play))


def test_where_no_kernel_runs_the_lines_are_tables():
    play = views.tokenizer_playground({"letters": cut_by("characters")}, "hug us\nno")
    lines = re.split(r'<table class="sl-aligned sl-line"[^>]*>', play.html())[1:]
    assert [
        " ".join(
            "".join(row.split())
            for row in Page(f"<table>{line.partition('</table>')[0]}</table>").texts
        )
        for line in lines
    ] == ["text h u g ␣ u s ↵ letters h u g ␣ u s ↵", "text n o letters n o"]


@pytest.mark.parametrize("other, parted", [("bytes", False), ("BPE", True)])
def test_where_the_tokenizers_part_is_marked(other, parted):
    play = views.tokenizer_playground({"a": encode_bytes, "b": ENCODERS[other]}, "naïve")
    assert ("here they part" in play.shown["regions"]["line0"]) == parted


@pytest.mark.parametrize(
    "string, letters, direction",
    [
        ("မြ e\u0301 👨‍👩‍👧 שלום", ["မြ", "␣", "e\u0301", "␣", "👨‍👩‍👧", "␣", "שלום"], "ltr"),
        ("שלום hug", ["שלום", "␣", "h", "u", "g"], "rtl"),
    ],
)
def test_marks_stay_with_their_letters_and_joined_letters_together(string, letters, direction):
    line = views.tokenizer_playground({"bytes": encode_bytes}, string).shown["regions"]["line0"]
    labels = [span.get("aria-label", "").partition("text: ") for span in Page(line).named("span")]
    assert [letter for _, is_text, letter in labels if is_text] == letters
    assert f'sl-line" dir="{direction}"' in line


@pytest.mark.parametrize(
    "char, shown",
    [
        ("\u200b", "‹U+200B›"),
        ("\u200d", "‹U+200D›"),
        ("\u2060", "‹U+2060›"),
        ("\ufeff", "‹U+FEFF›"),
        ("\u0301", "◌\u0301"),
    ],
)
def test_a_token_without_width_is_seen(char, shown):
    """It has a box and a sign of its own."""
    play = views.tokenizer_playground({"letters": cut_by("characters")}, f"a{char}b")
    assert [box.partition(", ")[0] for box in boxes(play)] == [
        "letters: a",
        f"letters: {shown}",
        "letters: b",
    ]
    assert f">{shown}</code>" in play.shown["regions"]["line0"]


def test_a_token_of_no_characters_is_seen_at_the_end_or_with_the_one_that_begins_there():
    play = views.tokenizer_playground({"marked": ENCODERS["marked"]}, "T T")
    assert sum(box.startswith("marked: </w>") for box in boxes(play)) == 2
    (box,) = boxes(views.tokenizer_playground({"Unigram": ENCODERS["Unigram"]}, "T"))
    assert box.startswith("Unigram: T, 2 tokens, ")


def test_what_is_shown_of_a_longer_text_follows_the_cursor():
    play = views.tokenizer_playground({"letters": cut_by("characters")}, "hug " * 300)
    for caret, first in [(0, 0), (149, 0), (150, 100), (1_199, 1_100)]:
        change(play, caret=caret)
        start, end = map(int, re.findall(r"\d+", words(play, "counts").replace("1,", "1"))[:2])
        assert start == first <= caret < end <= 1_200
    assert [*play.shown["regions"]][-1] == "counts"  # the tokens come first
    assert change(play, text="x" * 100_000).startswith("100,000 characters.")  # no place to cut at
    assert boxes(play) and sum(map(len, play.shown["regions"].values())) < 300_000


@given(st.text(st.characters(), max_size=80), st.integers(0, 80))
def test_any_text_can_be_shown(string, caret):
    change(ANY, text=string, caret=caret)
    assert not ANY.shown["wrong"]
    for face in ANY.shown["regions"].values():
        Page(face)


ANY = views.tokenizer_playground(ENCODERS)


# ---------------------------------------------------------------------------------------------------- predict, look

PREFIXES = wordpiece.WordPieceModel(["h", "hu", "##g"])
MODEL = unigram.UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
ROUNDS = list(unigram.train_steps(TOY, method="counting", vocab_size=10, initial_size=15, drop=0.2))
ASKING = [
    (
        lambda **ask: views.merge_stepper(TOY, bpe.train_steps(TOY, num_merges=2), **ask),
        {"u g": "u g: 20 times. Right.", "h u": "h u: 15 times. Another has 20: look again."},
    ),
    (
        lambda **ask: views.merge_stepper(TOY, wordpiece.train_steps(TOY, num_merges=2), **ask),
        {
            "##g ##s": "##g ##s: a score of 1/20. Right.",
            "h ##u": "h ##u: a score of 1/36. Another has 1/20: look again.",
        },
    ),
    (
        lambda **ask: views.merge_stepper(
            {"ab": 1, "cd": 1}, bpe.train_steps({"ab": 1, "cd": 1}, num_merges=1), **ask
        ),
        {
            "c d": "c d: 1 time. Another has as many, and the rule for ties takes that one: look again."
        },
    ),
    (
        lambda **ask: views.compression_stepper(compression.compress("aaabdaaabac"), **ask),
        {"a a": "a a: 4 times. Right.", "a b": "a b: 2 times. Another has 4: look again."},
    ),
    (
        lambda **ask: views.prefix_stepper("hub", PREFIXES, **ask),
        {"yes": "No: hub is not a token.", "no": "Right: hub is not a token."},
    ),
    (
        lambda **ask: views.viterbi_stepper("hug", MODEL, **ask),
        {
            "u": "gap 1, then u: 2.00 + 1.00 = 3.00. Another costs 2.50: look again.",
            "hu": "gap 0, then hu: 0.00 + 2.50 = 2.50. Right.",
        },
    ),
    (
        lambda **ask: views.pruning_stepper(TOY, ROUNDS, **ask),
        {"more": "Without them the loss goes from 177.8 to 206.9. Right."},
    ),
]


@pytest.mark.parametrize("make, replies", ASKING)
def test_a_guess_is_answered_with_both_figures_and_changes_no_frame(make, replies):
    player, unasked = make(ask=True), make()
    assert (player.frames, player.labels) == (unasked.frames, unasked.labels)
    first = next(one for one in player.questions.values() if len(one.replies) > 1)
    assert replies.items() <= first.replies.items()
    assert all(question.right in question.replies for question in player.questions.values())


# ---------------------------------------------------------------------------------------------------- in the page


@pytest.mark.parametrize(
    "made, said",
    [
        (
            views.lattice_playground("xug", MODEL),
            "xug has 4 roads. The best way is x|ug, with a loss of ",
        ),
        (
            views.lattice_playground("x", unigram.UnigramModel({"h": 1.0}, math.inf)),
            "No way leads through x.",
        ),
        (
            views.compressor_playground("abab" * 5, rules=1),
            "20 symbols become 10 with 1 rule; with the table it is 13.",
        ),
        (
            views.compressor_playground("abc"),
            "3 symbols become 3 with 0 rules; with the table it is 3.",
        ),
        (
            views.bits_playground("t\u0447"),
            "2 characters in 3 bytes: 01110100 11010001 10000111.",
        ),
        (
            views.arena_playground(CHAT, "<s>", "<e><s>pug<s>"),
            "joined with the rest, the message forges 2 × <s>; encoded apart, 0.",
        ),
        (
            views.compressor_playground("ab" * 5000),
            "2,000 symbols become 250 with 3 rules; with the table it is 259.",
        ),
        (
            views.work_playground("hug hugs pug pugs", merges=2),
            "23 looks at a pair, or 44, for the same 2 merges.",
        ),
        (views.work_playground(""), "0 looks at a pair, or 0, for the same 0 merges."),
    ],
)
def test_what_plays_in_the_page_says_in_a_line_what_it_begins_with(made, said):
    assert f": {said}" in repr(made) and said in Page(made.face).text


# ---------------------------------------------------------------------------------------------------- own texts


def test_what_the_function_does_not_take_is_told():
    def show(string, number):
        if not string:
            raise ValueError("Nothing to count yet")
        return f"{len(string)} and {number}.", views.bar_table({string: number}, "times")

    play = views.text_playground(show, "hug", number=2)
    assert play.shown["status"] == "3 and 2." and "hug 2" in words(play, "shown0")
    assert change(play, text="") == "Nothing to count yet." and play.shown["wrong"]


# ---------------------------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize(
    "playground",
    [
        views.tokenizer_playground(ENCODERS, HOSTILE),
        views.text_playground(lambda string, _: ("Typed.", views.token_strip([string])), HOSTILE),
    ],
)
def test_hostile_text_is_never_markup_and_without_a_kernel_there_is_nothing_to_press(playground):
    for face in [*playground.shown["regions"].values(), playground.html()]:
        page = Page(face)
        assert not page.named("script") and not page.named("img")
        boxes = re.sub(r"<pre.*?</pre>", "", face, flags=re.DOTALL)  # code says it with escapes
        assert not re.search("[\u202a-\u202e\u200b\u2066-\u2069\x00]", boxes)
    data, _ = playground._repr_mimebundle_()  # no notebook, no widget
    assert {kind: playground.title in shown for kind, shown in data.items()} == {
        "text/plain": True,
        "text/html": True,
    }
    assert "<button" not in data["text/html"] and "mathjax_ignore" in data["text/html"]


@pytest.mark.parametrize(
    "element, made, key, typed",
    [
        ("trainer", lambda: views.trainer_playground(HOSTILE, scheme="split"), "text", HOSTILE),
        ("compressor", lambda: views.compressor_playground(HOSTILE), "text", HOSTILE),
        ("work", lambda: views.work_playground(HOSTILE), "text", HOSTILE),
        ("arena", lambda: views.arena_playground(CHAT, "<e>", HOSTILE), "text", HOSTILE),
        ("bits", lambda: views.bits_playground(HOSTILE[:15]), "text", HOSTILE[:15]),
        ("lattice", lambda: views.lattice_playground(HOSTILE[8:20], MODEL), "word", HOSTILE[8:20]),
        ("lattice", lambda: views.lattice_playground("\u202ea", MODEL), "word", "\u202ea"),
    ],
)
def test_hostile_text_in_the_page_is_never_markup(element, made, key, typed):
    page = Page(made().html())
    assert len(page.named("script")) == 1 and not page.named("b b")
    settings = json.loads(page.named(f"subword-{element}")[0]["data-settings"])
    assert settings[key] == typed.replace("\ud800", "\ufffd")


def test_the_gallery_has_every_view_and_a_sentence_for_each(root):
    cells = nbformat.read(root / "notebooks" / "gallery.ipynb", as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    made = {name for name in views.__all__ if name[0].islower()} - {"visible"}
    assert set(re.findall(r"\*\*`(\w+)`\*\*", prose)) == made | {*views.WIDGETS} - {"PracticeDeck"}
