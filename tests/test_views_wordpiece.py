"""Pictures for WordPiece: what they draw is what the package counts, scores and encodes."""

import re
from fractions import Fraction

import pytest
from test_views import page

from subword_lab import bpe, views, wordpiece

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
SPLITS = wordpiece.split_words(HUG)
FREQS, SCORES = bpe.pair_freqs(HUG, SPLITS), wordpiece.pair_scores(HUG, SPLITS)
MODEL = wordpiece.train(HUG, vocab_size=10)


def test_every_pair_is_a_point_and_the_named_ones_carry_their_names():
    shown = views.score_scatter(FREQS, SCORES, named=[("##g", "##s")])
    texts = page(shown).texts
    assert "##g ##s" in texts and "##u ##g" not in texts and "1/10" in texts
    assert repr(shown) == page(shown).named("svg")[0]["aria-label"]
    assert (
        "6 pairs" in shown.text
        and "highest score, 1/20, belongs to a pair that occurs 5 times" in shown.text
    )
    assert "most frequent pair, 20 times, scores 1/36" in shown.text
    small = re.findall(r'<use href="#\w+" x="([^"]*)" y="([^"]*)" style="fill: #0072b2', shown.face)
    assert len(set(small)) == len(set(zip(FREQS.values(), SCORES.values()))) == 6
    heights = [y for _, y in small]
    assert sorted(map(heights.count, set(heights))) == [1, 5]  # one pair at 1/20, five at 1/36


def test_scores_of_other_pairs_are_refused():
    with pytest.raises(ValueError, match="the same pairs"):
        views.score_scatter(FREQS, {("h", "##u"): Fraction(1, 2)})
    with pytest.raises(ValueError, match=r"'x', 'y'.*not among the pairs"):
        views.score_scatter(FREQS, SCORES, named=[("x", "y")])
    with pytest.raises(ValueError, match="freqs holds 0 pairs"):
        views.score_scatter({}, {})


@pytest.mark.parametrize("word", ["hugs", "hug", "bun", "hub", "xug", "мир", "pugs"])
def test_the_looks_end_in_what_the_encoder_gives(word):
    player = views.prefix_stepper(word, MODEL)
    tokens = [
        label.removesuffix(" is a token")
        for label in player.labels
        if label.endswith(" is a token")
    ]
    encoded = wordpiece.encode_word(word, MODEL)
    assert player.alt == f"{word} is cut into {' '.join(encoded)}"
    assert tokens == encoded or ("unknown" in player.labels[-1] and encoded == ["[UNK]"])
    assert ("[UNK]" in page(player).texts) == (encoded == ["[UNK]"])
