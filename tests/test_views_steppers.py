"""Pictures and players: what they draw is what the package counts, scores and encodes, forward and back."""

import math
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from test_views import Page, page

from subword_lab import Tokenizer, bpe, compression, unigram, views, wordpiece
from subword_lab.studies import encoders
from subword_lab.unigram import UnigramModel

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
MODEL = UnigramModel(unigram.to_losses(unigram.initial_vocab(HUG, 15)))
STRICT = UnigramModel({"h": 1.0, "u": 1.0}, unknown_loss=math.inf)
WORDS = {
    "hugs": MODEL,
    "токен": UnigramModel(dict.fromkeys("токен", 3.0) | {"то": 2.0, "кен": 4.0}),
    "语言学": UnigramModel({"语": 3.0, "言": 3.0, "学": 3.0, "语言": 1.5}),
    "သား": UnigramModel({"သ": 3.0, "ာ": 3.0, "း": 3.0, "သား": 4.0}),
    "a<b": UnigramModel({"a": 1.0, "<": 1.0, "b": 1.0, "<b": 1.5}),
    "m🤗g": UnigramModel({"m": 1.0, "g": 2.0}),
}


def roads(shown):
    """The stroke width of each road that is drawn."""
    return [float(path["stroke-width"]) for path in page(shown).named("path")]


@pytest.mark.parametrize("word", WORDS)
def test_every_road_is_drawn_once_and_the_best_way_is_thick(word):
    figure, edges = views.lattice_figure(word, WORDS[word]), unigram.edges(word, WORDS[word])
    said, drawn, gaps = repr(figure), page(figure), {*map(str, range(len(word) + 1))}
    for edge in edges:
        token, loss = views.visible(edge.token), f"{edge.loss:.2f}"
        assert {token, loss} <= {*drawn.texts}
        assert f"{edge.start} to {edge.end}: {token} {loss}" in said
    assert len(roads(figure)) == len(edges)
    assert len(drawn.named("circle")) == len(gaps) and gaps <= {*drawn.texts}
    tokens, loss = unigram.viterbi(word, WORDS[word])
    assert sum(width > 4 for width in roads(figure)) == len(tokens)
    assert f"{'|'.join(map(views.visible, tokens))}, with a loss of {loss:.2f}." in said


@pytest.mark.parametrize(
    "word, model, options, said, drawn, thick",
    [
        ("hugs", MODEL, {"path": ["hug", "s"]}, "thick is hug|s, with a loss of 7.38.", 9, 2),
        ("hugs", MODEL, {"path": []}, "No way is marked.", 9, 0),
        ("hug", MODEL, {"without": "hug"}, "thick is h|ug, with a loss of 4.89.", 5, 2),
        ("hug", STRICT, {"path": []}, "2 roads between 4 gaps. No way is marked.", 2, 0),
    ],
)
def test_another_way_can_be_marked_or_none_and_a_token_left_out(
    word, model, options, said, drawn, thick
):
    figure = views.lattice_figure(word, model, **options)
    widths = roads(figure)
    assert said in repr(figure)
    assert (len(widths), sum(width > 4 for width in widths)) == (drawn, thick)


@pytest.mark.parametrize("word", WORDS)
def test_no_two_texts_stand_on_each_other_and_none_is_tiny(word):
    html = views.lattice_figure(word, WORDS[word]).html()
    assert min(map(int, re.findall(r'font-size="(\d+)"', html))) >= 13
    places = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', html)
    rows = sorted((float(y), float(x)) for x, y in places)
    for (y, left), (below, right) in pairwise(rows):
        assert y < below or right - left >= 40


# ----------------------------------------------------------------------------------------------------- gap by gap


@pytest.mark.parametrize("word", WORDS)
def test_a_frame_a_gap_and_the_way_back(word):
    model, stepper = WORDS[word], views.viterbi_stepper(word, WORDS[word])
    best, starts = unigram.viterbi_table(word, model)
    assert len(stepper.frames) == len(word) + 2
    for gap, frame in enumerate(stepper.frames[1:-1], start=1):
        text, last = Page(frame).text, views.visible(word[starts[gap] : gap])
        for edge in unigram.edges(word, model):
            sum_ = f"{best[edge.start]:.2f} + {edge.loss:.2f} = {best[edge.start] + edge.loss:.2f}"
            assert edge.end != gap or sum_ in text
        assert text.count("(kept)") == 1 and text.count("?") == len(word) - gap  # not settled yet
        assert f"gap {gap}: {best[gap]:.2f}, by {last}" in repr(stepper)
    tokens, loss = unigram.viterbi(word, model)
    back = f"the way back: {'|'.join(map(views.visible, tokens))}, {loss:.2f}"
    assert repr(stepper).endswith(back)
    assert stepper.frames[-1].count('stroke-width="4.5"') == len(tokens)


# ------------------------------------------------------------------------------------------------------- WordPiece

SPLITS = wordpiece.split_words(HUG)
FREQS, SCORES = bpe.pair_freqs(HUG, SPLITS), wordpiece.pair_scores(HUG, SPLITS)
PREFIXES = wordpiece.train(HUG, vocab_size=10)


@pytest.mark.parametrize("word", ["hugs", "hug", "bun", "hub", "xug", "мир", "pugs"])
def test_the_looks_end_in_what_the_encoder_gives(word):
    player, encoded = views.prefix_stepper(word, PREFIXES), wordpiece.encode_word(word, PREFIXES)
    looks = [label.partition(" is a token") for label in player.labels]
    tokens = [token for token, is_a_token, _ in looks if is_a_token]
    assert player.alt == f"{word} is cut into {' '.join(encoded)}"
    assert tokens == encoded or ("unknown" in player.labels[-1] and encoded == ["[UNK]"])
    assert ("[UNK]" in page(player).texts) == (encoded == ["[UNK]"])


# ------------------------------------------------------------------------------------------------ what cannot be shown


CHAT = Tokenizer.train(["hug"], vocab_size=260, special_tokens=["<e>", "<s>"])


def aligned(*pieces):
    return views.alignment("hug", {"tokens": pieces})


def road_map(**changed):
    return views.lattice_figure("hugs", MODEL, **changed)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: views.merge_stepper(HUG, []), "steps is empty; expected at least one training"),
        (lambda: views.pruning_stepper(HUG, []), "steps is empty; expected at least one round"),
        (lambda: views.prefix_stepper("", PREFIXES), "expected at least one frame"),
        (lambda: views.FramePlayer(["a"], ["b", "c"], "no"), "there are 1 frame and 2 labels"),
        (lambda: views.size_stepper({}, "tokens"), "figures is empty"),
        (lambda: views.figure(print, " "), "alt is empty"),
        (lambda: views.token_strip(["a", "b"], ids=[1]), "ids holds 1 number for 2 tokens"),
        (lambda: views.table([[1, 2], [1]], "ab"), r"rows\[1\] holds 1 cell, but there are 2 col"),
        (lambda: views.tokenizer_playground({}), r"encoders is \{\}; expected a dictionary"),
        (
            lambda: list(bpe.train_steps(HUG, choices={1: ("x", "y")}, num_merges=2)),
            "expected a pair",
        ),
        (lambda: views.token_strip("hug"), "tokens is str, 'hug'; expected a sequence of strings"),
        (lambda: views.token_strip(None), "tokens is NoneType, None"),
        (lambda: views.token_strip([b"hug"]), "a member of tokens is bytes"),
        (lambda: views.token_strip([1]), "a member of tokens is int, 1"),
        (lambda: aligned(("hug", (0, 4))), "from left to right"),
        (lambda: aligned(("h", (1, 2)), ("u", (0, 1))), "from left to right"),
        (lambda: aligned(("h", (0, 2)), ("u", (1, 3))), "from left to right"),
        (lambda: aligned(("", (1, 1))), "from left to right"),
        (lambda: aligned(("h", (-1, 2))), "from left to right"),
        (lambda: aligned(("h", (0, 1)), ("[SEP]", None), ("ug", (1, 3))), "first or last"),
        (lambda: road_map(path=["hu", "x"]), "'x' does not fit at gap 2 of 'hugs'"),
        (lambda: road_map(path=["hugs"]), "'hugs' does not fit at gap 0"),
        (lambda: road_map(path=["hug"]), "it ends at gap 3, before the end of 'hugs'"),
        (lambda: road_map(path=["hu", "ug"]), "'ug' does not fit at gap 2"),
        (lambda: road_map(show="price"), "show is 'price'; expected one of 'loss', 'share'"),
        (lambda: views.viterbi_stepper("hug", STRICT), "no way to gap 3 of 'hug'"),
        (
            lambda: views.score_scatter(FREQS, {("h", "##u"): Fraction(1, 2)}),
            "the same pairs",
        ),
        (
            lambda: views.score_scatter(FREQS, SCORES, named=[("x", "y")]),
            r"'x', 'y'.*not among the pairs",
        ),
        (lambda: views.score_scatter({}, {}), "freqs holds 0 pairs"),
        (
            lambda: views.compression_stepper("XdXac"),
            "compressed is 'XdXac'; expected what compression.compress makes",
        ),
        (
            lambda: views.compression_stepper(compression.compress(b"aaaa")),
            "expected what compression.compress makes of a str",
        ),
        (
            lambda: views.compression_stepper(compression.compress("ab" * 40)),
            "compressed holds 80 symbols; expected at most 60",
        ),
        (lambda: views.compression_stepper(compression.compress("aa"), top=0), "top is 0"),
        (lambda: views.trainer_playground("a", ties="none"), "ties is 'none'"),
        (
            lambda: views.trainer_playground("## a heading", algorithm="wordpiece"),
            "the word '##' begins with the prefix '##'",
        ),
        *(
            (
                lambda word=word: views.lattice_playground(word, MODEL),
                f"word has {len(word)} characters; expected 1 to 16",
            )
            for word in ("", "x" * 17)
        ),
        (lambda: views.arena_playground(CHAT, "<s", "pug"), "opens is '<s'"),
        (
            lambda: views.arena_playground(
                Tokenizer.train(["hug"], "wordpiece", vocab_size=30), "[CLS]", "pug"
            ),
            "tokenizer is not byte-level",
        ),
        (
            lambda: views.bits_playground("茶" * 7),
            "string has 21 bytes; expected at most 20",
        ),
        (lambda: encoders.encoder("bpe"), "model is 'bpe'; expected a BPEModel"),
        (
            lambda: encoders.encoded(list, "h"),
            r"an encoder answered with \['h'\]; expected .tokens and as many .offsets",
        ),
    ],
)
def test_what_cannot_be_shown_is_told(make, message):
    with pytest.raises(ValueError, match=message):
        make()
