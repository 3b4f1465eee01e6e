"""WordPiece: every step, the score's derivation, the library, decoding, errors."""

from fractions import Fraction
from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.models import WordPiece
from trainings import UNK, corpora_for, new_words
from trainings import wordpiece_trainings as trainings

from subword_lab import bpe, text, wordpiece
from subword_lab.documented.proofs.shared import by_library

models = st.builds(
    lambda training, limit: wordpiece.train(num_merges=limit, **training),
    trainings,
    st.integers(0, 30),
)


# ------------------------------------------------------------------------------------------------------- training


def test_each_score_has_its_usual_start_and_tie_rule():
    first = {
        score: [
            wordpiece.train({"hug": 1, "bed": 1}, num_merges=1, score=score, ties=ties).vocab[-1]
            for ties in (None, "first-seen", "lowest-ids")
        ]
        for score in wordpiece.SCORES
    }
    assert first == {"likelihood": ["hu", "hu", "##ed"], "frequency": ["be", "hu", "be"]}
    splits = wordpiece.split_words(["hug"])
    assert wordpiece.library_vocab(splits, [UNK], "x") == [UNK, "g", "h", "u", "x", "##g", "##u"]


def test_scores_that_differ_as_little_as_two_scores_can():
    """The denominators of (a, ##b) and (c, ##d) are one apart, and nearly the square of the corpus's size."""
    f, m, t = 900_000, 1_000_000, 10**6
    a, c = (m + 1) * t - 1, m * t - 1
    word_freqs = {"ab": f, "cb": m - f, "ad": m + 1 - f, "cd": f, "a": a - m - 1, "c": c - m}
    scores = wordpiece.pair_scores(word_freqs, wordpiece.split_words(word_freqs))
    assert (scores["a", "##b"], scores["c", "##d"]) == (Fraction(f, a * m), Fraction(f, a * m - 1))
    assert next(wordpiece.train_steps(word_freqs, num_merges=1)).token == "cd"
    assert wordpiece.train(word_freqs, num_merges=1).vocab[-1] == "cd"


# ------------------------------------------------------------------------------------- what the score comes from


@given(
    st.one_of(
        *(
            st.tuples(corpora_for(prefix, st.integers(1, 9)), st.just(prefix))
            for prefix in ("", "##")
        )
    ),
    st.integers(0, 6),
)
def test_gains_are_differences_of_log_likelihoods(corpus, merges):
    word_freqs, prefix = corpus
    steps = list(wordpiece.train_steps(word_freqs, num_merges=merges, prefix=prefix))
    splits = steps[-1].splits if steps else wordpiece.split_words(word_freqs, prefix)

    def log_likelihood(splits):
        """Of the corpus, each token drawn on its own with its share of all tokens."""
        freqs = [freq for freq in bpe.token_freqs(word_freqs, splits).values() if freq]
        return sum(freq * log(freq / sum(freqs)) for freq in freqs)

    for pair, gain in wordpiece.likelihood_gains(word_freqs, splits, prefix).items():
        then = log_likelihood(wordpiece.merge_pair(pair, splits, prefix))
        assert isclose(gain, then - log_likelihood(splits), rel_tol=1e-9, abs_tol=1e-9)


# ------------------------------------------------------------------------------------------------------ the library


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 3000])
def test_the_library_on_wikitext(size):
    """Its ids of `##x` follow the order of a hash table and decide ties: a few tokens differ from run to run."""
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    model = wordpiece.train(word_freqs, vocab_size=size, score="frequency", special_tokens=[UNK])
    library = by_library(
        "WordPiece",
        "WordPieceTrainer",
        ["WhitespaceSplit"],
        (" ".join([word] * freq) for word, freq in word_freqs.items()),
        vocab_size=size,
        special_tokens=[UNK],
    )
    assert len(set(library.get_vocab()) - set(model.vocab)) <= size / 500


# ------------------------------------------------------------------------------------------------------- encoding


def library_tokens(word, model, max_chars=100):
    library = WordPiece(
        vocab={**model.ids, UNK: model.ids.get(UNK, len(model.vocab))},
        unk_token=UNK,
        continuing_subword_prefix=model.prefix,
        max_input_chars_per_word=max_chars,
    )
    return [token.value for token in library.tokenize(word)]


@given(models, st.lists(new_words, max_size=6), st.integers(1, 12))
def test_encoding_equals_the_library_s(model, some_words, max_chars):
    for word in some_words:
        if not model.prefix or not word.startswith(model.prefix):
            tokens = wordpiece.encode_word(word, model, max_chars=max_chars)
            assert tokens == library_tokens(word, model, max_chars)


@pytest.mark.parametrize(
    "word, vocab, tokens",
    [
        ("a?", ["#", "a"], [UNK]),  # the loop that the source prints never ends here
        ("##", ["#", "###"], ["#", "###"]),
        (
            "##a",
            ["##a", "#", "###"],
            ["#", "###", "##a"],
        ),  # at the beginning of a word `##a` is no token but two hashes
        ("##a", ["##a"], [UNK]),
        (
            "hugm",
            ["h", "hug", "##u", "##g"],
            [UNK],
        ),  # one unknown character, and all of the word is unknown
        ("ab", ["a", "b"], [UNK]),
        ("", ["a"], []),
        ("a" * 100, ["a", "##a"], ["a", *["##a"] * 99]),
        ("a" * 101, ["a", "##a"], [UNK]),
    ],
)
def test_encoding_by_hand(word, vocab, tokens):
    assert wordpiece.encode_word(word, wordpiece.WordPieceModel(vocab)) == tokens


def test_unknown_words():
    model = wordpiece.WordPieceModel(["a", "##a"])
    assert wordpiece.encode(["aa", "ax", "aa"], model) == ["a", "##a", UNK, "a", "##a"]
    assert wordpiece.encode(["aa", "ax"], model, unknown=None) == ["a", "##a", "ax"]
    assert wordpiece.encode(["ax", "aaa"], model, unknown="?", max_chars=2) == ["?", "?"]
    assert len(wordpiece.encode_word("a" * 20_000, model, max_chars=20_000)) == 20_000


# ------------------------------------------------------------------------------------------------------- decoding


@given(models, st.lists(new_words.filter(bool), max_size=6))
def test_decoding_gives_the_words_back(model, some_words):
    tokens = wordpiece.encode(some_words, model)
    expected = [UNK if wordpiece.encode_word(word, model) == [UNK] else word for word in some_words]
    if not model.prefix and expected:
        expected = ["".join(expected)]  # without a prefix nothing says where a word begins
    assert wordpiece.decode(tokens, model.prefix) == expected


@pytest.mark.parametrize(
    "tokens, prefix, decoded",
    [
        ([], "##", []),
        (["##gs", "##a", "hu", "##g"], "##", ["gsa", "hug"]),
        (["hu", "@@g"], "@@", ["hug"]),
    ],
)
def test_decoding_at_the_edges(tokens, prefix, decoded):
    assert wordpiece.decode(tokens, prefix) == decoded


def test_only_the_lengths_of_tokens_are_tried():
    model = wordpiece.WordPieceModel(["a", "##a", "##" + "a" * 990, "##bc"])
    assert model.lengths == [990, 2, 1]
    assert wordpiece.encode_word("aabca", model) == ["a", "##a", "##bc", "##a"]
