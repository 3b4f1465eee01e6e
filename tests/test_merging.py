"""What merging reaches: token counts over time, encoders that part, greedy against optimal, and the cache."""

import itertools
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import bpe, text
from subword_lab.studies import merging
from subword_lab.studies.dropout import bpe_dropout

WORDS = {"old": 7, "older": 3, "finest": 9, "lowest": 4}


# ---------------------------------------------------------------------------------------------------------- on to words


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=6), st.integers(1, 5), min_size=1, max_size=6
    )
)
def test_token_counts_equal_a_recount(word_freqs):
    steps = list(bpe.train_steps(word_freqs, num_merges=20, end_of_word="#"))
    counts = merging.token_counts(word_freqs, bpe.train(word_freqs, num_merges=20, end_of_word="#"))
    splits = [bpe.split_words(word_freqs, "#"), *(step.splits for step in steps)]
    vocabs = [bpe.base_vocab(splits[0]), *(step.vocab for step in steps)]
    recount = [bpe.token_freqs(word_freqs, split) for split in splits]
    assert [(count.in_use, count.kept, count.corpus) for count in counts] == [
        (len(freqs), len(vocab), sum(freqs.values())) for freqs, vocab in zip(recount, vocabs)
    ]


# --------------------------------------------------------------------------------------------------- greedy and optimal


def fewest(text, num_merges):
    return len(merging.optimal_merges(text, num_merges)[1])


def greedy(text, num_merges, counting="overlapping"):
    return len(merging.greedy_merges(text, num_merges, counting=counting)[1])


def test_greedy_is_not_optimal():
    assert merging.greedy_merges("ab", 1, limit=2) == ([("a", "b")], ["ab"])
    assert merging.optimal_merges("aab", 2) == (
        [("a", "a"), ("aa", "b")],
        ["aab"],
    )  # of equal ways, the first
    assert greedy("aaaabaaaba", 2) == greedy("aaaabaaaba", 2, "non-overlapping") == 6
    assert (
        greedy("aaabaab", 2),
        greedy("aaabaab", 2, "non-overlapping"),
        fewest("aaabaab", 2),
    ) == (4, 3, 3)


@given(st.text("abc", max_size=9), st.integers(0, 3))
def test_nothing_beats_the_optimum(text, num_merges):
    merges, tokens = merging.optimal_merges(text, num_merges)
    assert "".join(tokens) == text
    assert bpe.merge_in_order(list(text), merges) == tokens
    assert len(tokens) <= greedy(text, num_merges) <= len(list(text))
    for sequence in itertools.permutations(set(zip(text, text[1:])), min(num_merges, 2)):
        assert len(tokens) <= len(bpe.merge_in_order(list(text), sequence))
    if text:
        by_training = bpe.encode_word(text, bpe.train({text: 1}, num_merges=num_merges))
        assert greedy(text, num_merges) <= len(by_training)


# ------------------------------------------------------------------------------------------------------------ the cache


def test_cache_passes_options_on():
    model = bpe.train(WORDS, num_merges=15, end_of_word="</w>")
    assert merging.EncodingCache(model, method="longest-first").encode(["olow"]) == [
        "o",
        "low",
        "</w>",
    ]
    assert merging.EncodingCache(model, unknown="?").encode(["x"]) == ["?", "</w>"]


# ---------------------------------------------------------------------------------------------------------- BPE-dropout


@given(st.text("abc", min_size=1, max_size=8), st.integers(0, 99), st.sampled_from(["", "#"]))
def test_dropout_overlooks_no_merge_some_or_all(word, seed, mark):
    model = bpe.train({"abcab": 5, "bca": 3, "aab": 2}, num_merges=6, end_of_word=mark)
    assert bpe_dropout(word, model, Random(seed), 0) == bpe.encode_word(
        word, model, method="lowest-rank"
    )
    assert bpe_dropout(word, model, Random(seed), 1) == [*word, *mark]
    some = bpe_dropout(word, model, Random(seed), 0.5)
    assert "".join(some) == word + mark and all(
        len(token) == 1 or token in model.ids for token in some
    )


def test_a_merge_is_overlooked_as_often_as_was_asked():
    model, rng = bpe.BPEModel(["a", "b", "ab"], [("a", "b")]), Random(0)
    drawn = Counter(" ".join(bpe_dropout("ab", model, rng, 0.1)) for _ in range(5000))
    assert 430 < drawn["a b"] < 570 and drawn["ab"] + drawn["a b"] == 5000


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: merging.optimal_merges(text.load_passage(), 5),
            "text has 8400 characters and num_merges is 5: too many ways to try within "
            "limit=1000000; expected a shorter text or fewer merges",
        ),
        (lambda: merging.greedy_merges("ab", 1, limit=1), "limit=1;"),
        (lambda: merging.greedy_merges("ab", 1, limit=-1), "limit is -1"),
        (lambda: merging.token_counts({}, bpe.BPEModel([], [])), "word_freqs is empty"),
        (lambda: merging.optimal_merges(b"aa", 2), "text is bytes, b'aa'; expected a string"),
        (
            lambda: merging.optimal_merges("aa", -2),
            "num_merges is -2; expected a whole number of at least 0",
        ),
        (
            lambda: merging.greedy_merges("aa", 2, counting="both"),
            "counting is 'both'; expected one of",
        ),
        (
            lambda: merging.EncodingCache(bpe.BPEModel([], [])).encode("old"),
            "words is str, 'old'; expected a sequence",
        ),
        (
            lambda: merging.EncodingCache(bpe.BPEModel([], []), method="best").encode(["old"]),
            "method is 'best'",
        ),
        (
            lambda: bpe_dropout("old", bpe.BPEModel([], []), Random(0), 1.5),
            "dropout is 1.5; expected a probability",
        ),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
