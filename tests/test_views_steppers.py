"""Pictures and players: what they draw is what the package counts, scores and encodes, forward and back."""

import math
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from test_views import Page, frames, page

from subword_lab import bpe, compression, unigram, views, wordpiece
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
    figure = views.lattice_figure(word, WORDS[word])
    edges = unigram.edges(word, WORDS[word])
    texts = page(figure).texts
    for edge in edges:
        assert views.visible(edge.token) in texts and f"{edge.loss:.2f}" in texts
        assert f"{edge.start} to {edge.end}: {views.visible(edge.token)} {edge.loss:.2f}" in repr(
            figure
        )
    assert len(roads(figure)) == len(edges)
    assert len(page(figure).named("circle")) == len(word) + 1
    assert [str(gap) for gap in range(len(word) + 1) if str(gap) not in texts] == []
    tokens, loss = unigram.viterbi(word, WORDS[word])
    assert sum(width > 4 for width in roads(figure)) == len(tokens)
    assert f"{'|'.join(map(views.visible, tokens))}, with a loss of {loss:.2f}." in repr(figure)
    assert figure.html().count('font-weight="bold"') == 2 * len(tokens) + len(word)


def test_another_way_can_be_marked_or_none_and_a_token_left_out():
    assert "thick is hug|s, with a loss of 7.38." in repr(
        views.lattice_figure("hugs", MODEL, path=["hug", "s"])
    )
    assert max(roads(views.lattice_figure("hugs", MODEL, path=[]))) < 2
    without = views.lattice_figure("hug", MODEL, without="hug")
    assert "thick is h|ug, with a loss of 4.89." in repr(without) and len(roads(without)) == 5


def test_shares_are_written_and_drawn():
    figure = views.lattice_figure("hug", MODEL, show="share")
    assert {"60.5%", "18.1%", "21.4%", "3.3%"} <= set(page(figure).texts)
    h, _, hug, u, _, _ = roads(figure)
    assert hug > h > u


def test_a_word_without_a_way_is_drawn_without_one():
    assert "2 roads between 4 gaps. No way is marked." in repr(
        views.lattice_figure("hug", STRICT, path=[])
    )


@pytest.mark.parametrize("word", WORDS)
def test_no_two_texts_stand_on_each_other(word):
    html = views.lattice_figure(word, WORDS[word]).html()
    places = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"', html)
    rows = sorted((float(y), float(x)) for x, y in places)
    for (y, left), (below, right) in pairwise(rows):
        assert y < below or right - left >= 40


# ----------------------------------------------------------------------------------------------------- gap by gap


@pytest.mark.parametrize("word", WORDS)
def test_a_frame_a_gap_and_the_way_back(word):
    model = WORDS[word]
    stepper = views.viterbi_stepper(word, model)
    best, starts = unigram.viterbi_table(word, model)
    assert len(stepper.frames) == len(word) + 2
    for gap, frame in enumerate(stepper.frames[1:-1], start=1):
        text = Page(frame).text
        here = [edge for edge in unigram.edges(word, model) if edge.end == gap]
        for edge in here:
            assert (
                f"{best[edge.start]:.2f} + {edge.loss:.2f} = {best[edge.start] + edge.loss:.2f}"
                in text
            )
        assert text.count("(kept)") == 1
        assert text.count("?") == len(word) - gap  # what is not settled yet
        assert f"gap {gap}: {best[gap]:.2f}, by {views.visible(word[starts[gap] : gap])}" in repr(
            stepper
        )
    tokens, loss = unigram.viterbi(word, model)
    assert repr(stepper).endswith(
        f"the way back: {'|'.join(map(views.visible, tokens))}, {loss:.2f}"
    )
    assert stepper.frames[-1].count('stroke-width="4.5"') == len(tokens)


# -------------------------------------------------------------------------------------------------- training, by rounds


def test_em_by_rounds_never_loses_and_shows_every_token():
    player = views.em_stepper(HUG, MODEL, rounds=4)
    losses = [float(label.rpartition(" ")[2]) for label in player.labels]
    assert losses == sorted(losses, reverse=True) and len(losses) == 5
    assert losses[0] == pytest.approx(unigram.corpus_loss(HUG, MODEL, paths="all"), abs=0.005)
    expected = unigram.expected_counts(HUG, MODEL)
    assert all(f"{count:.2f}" in player.frames[0] for count in expected.values())


def test_the_curves_of_several_trainings_are_named():
    trainings = {
        method: list(unigram.train_steps(HUG, vocab_size=10, initial_size=15, method=method))
        for method in unigram.METHODS
    }
    shown = views.loss_curves(trainings)
    for method, steps in trainings.items():
        assert (
            f"{method}: from {steps[0].loss:,.1f} to {steps[-1].loss_after:,.1f} in {len(steps)} rounds"
            in shown.text
        )
        assert method in shown.face


# ------------------------------------------------------------------------------------------------------- WordPiece

SPLITS = wordpiece.split_words(HUG)
FREQS, SCORES = bpe.pair_freqs(HUG, SPLITS), wordpiece.pair_scores(HUG, SPLITS)
PREFIXES = wordpiece.train(HUG, vocab_size=10)


def test_every_pair_is_a_point_and_the_named_ones_carry_their_names():
    shown = views.score_scatter(FREQS, SCORES, named=[("##g", "##s")])
    texts = page(shown).texts
    assert "##g ##s" in texts and "##u ##g" not in texts and "1/10" in texts
    assert repr(shown) == page(shown).named("svg")[0]["aria-label"]
    assert (
        "6 pairs, both axes logarithmic. The highest score, 1/20, belongs to a pair that occurs 5 times; "
        "the most frequent pair, 20 times, scores 1/36."
    ) in shown.text
    small = re.findall(r'<use href="#\w+" x="([^"]*)" y="([^"]*)" style="fill: #0072b2', shown.face)
    assert len(set(small)) == len(set(zip(FREQS.values(), SCORES.values()))) == 6
    assert len({y for _, y in small}) == 2  # one pair at 1/20, five at 1/36


@pytest.mark.parametrize("word", ["hugs", "hug", "bun", "hub", "xug", "мир", "pugs"])
def test_the_looks_end_in_what_the_encoder_gives(word):
    player = views.prefix_stepper(word, PREFIXES)
    tokens = [
        label.removesuffix(" is a token")
        for label in player.labels
        if label.endswith(" is a token")
    ]
    encoded = wordpiece.encode_word(word, PREFIXES)
    assert player.alt == f"{word} is cut into {' '.join(encoded)}"
    assert tokens == encoded or ("unknown" in player.labels[-1] and encoded == ["[UNK]"])
    assert ("[UNK]" in page(player).texts) == (encoded == ["[UNK]"])


# -------------------------------------------------------------------------------------------------- the compressor

COMPRESSED = compression.compress("aaabdaaabac")


def test_every_state_is_shown_with_both_sizes():
    sizes = [
        re.search(r"\d+ symbols, and a table of \d+: \d+ in all", frame)[0]
        for frame in frames(views.compression_stepper(COMPRESSED))
    ]
    assert sizes[:4] == [
        "11 symbols, and a table of 0: 11 in all",
        "9 symbols, and a table of 3: 12 in all",
        "7 symbols, and a table of 6: 13 in all",
        "5 symbols, and a table of 9: 14 in all",
    ]
    assert sizes[4:] == sizes[2::-1]


# ------------------------------------------------------------------------------------------------ what cannot be shown


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
        (lambda: views.encoder_race("a", {}), "states holds 0 encoders"),
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
        (lambda: views.compression_stepper(COMPRESSED, top=0), "top is 0"),
        (lambda: views.trainer_playground("a", ties="none"), "ties is 'none'"),
        (
            lambda: views.trainer_playground("## a heading", algorithm="wordpiece"),
            "the word '##' begins with the prefix '##'",
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
