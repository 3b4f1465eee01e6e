"""BPE: every step, training and encoding against the tokenizers library, encoders, bytes, errors."""

import json
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.models import BPE
from trainings import TIES, alphabets, corpora, marks, new_words, special_tokens

from subword_lab import bpe, text
from subword_lab.documented.proofs.shared import by_library


def test_with_merges_that_no_training_makes_the_methods_part():
    model = bpe.BPEModel(["a", "b", "c", "ab", "abc"], [("ab", "c"), ("a", "b")])
    assert bpe.encode_word("abc", model) == ["ab", "c"] and not model.is_in_order
    assert bpe.encode_word("abc", model, method="lowest-rank") == ["abc"]
    twice = bpe.BPEModel([], [("a", "b"), ("b", "c"), ("a", "b")])
    assert twice.ranks == {("a", "b"): 0, ("b", "c"): 1}


# ---------------------------------------------------------------------------------------------------- the library


@given(corpora, st.integers(0, 30), special_tokens, alphabets)
def test_lowest_ids_is_the_library_s_rule(word_freqs, limit, specials, alphabet):
    start = bpe.base_vocab(bpe.split_words(word_freqs), specials, alphabet)
    library = by_library(
        "BPE",
        "BpeTrainer",
        ["WhitespaceSplit"],
        (" ".join([word] * freq) for word, freq in word_freqs.items()),
        vocab_size=len(start) + limit,
        special_tokens=specials,
        initial_alphabet=alphabet,
    )
    options = {"special_tokens": specials, "alphabet": alphabet, "ties": "lowest-ids"}
    model = bpe.train(word_freqs, vocab_size=len(start) + limit, **options)
    assert [*map(list, model.merges)] == json.loads(library.to_str())["model"]["merges"]
    assert model.ids == library.get_vocab()


# ---------------------------------------------------------------------------------------------------- encoding

ties_rules = st.sampled_from(TIES)
models = st.builds(
    bpe.train, corpora, num_merges=st.integers(0, 30), ties=ties_rules, end_of_word=marks
)


@given(
    st.builds(bpe.train, corpora, num_merges=st.integers(0, 30), ties=ties_rules),
    st.lists(new_words.filter(bool), max_size=6),
)
def test_encoding_equals_the_library_s_model(model, some_words):
    ids = {**model.ids, "[UNK]": len(model.vocab)}
    library = BPE(vocab=ids, merges=model.merges, unk_token="[UNK]")
    for word in some_words:
        assert bpe.encode_word(word, model) == [token.value for token in library.tokenize(word)]


@pytest.mark.parametrize(
    "word, vocab, tokens",
    [
        ("abab", ["ab", "ba"], ["ab", "ab"]),  # of equally long tokens the first in the vocabulary
        ("abab", ["ba", "ab"], ["?", "ba", "?"]),
        ("aaaaa", ["aa"], ["aa", "aa", "?"]),  # of equal places the leftmost
        ("abcab", ["b", "bcab", "a"], ["a", "bcab"]),
        ("xyab", ["", "ab", "ab"], ["?", "ab"]),  # what is left over is one unknown piece
        ("a" * 3001, ["aa"], ["aa"] * 1500 + ["?"]),
        ("", ["a"], []),
    ],
)
def test_longest_first_by_hand(word, vocab, tokens):
    assert bpe.longest_first(word, vocab, unknown="?") == tokens


@given(models, st.lists(new_words, max_size=6), st.sampled_from(bpe.METHODS))
def test_decoding_gives_the_words_back(model, some_words, method):
    assert bpe.decode(bpe.encode(some_words, model, method=method, unknown=None), model) == (
        [word for word in some_words if word]
        if model.end_of_word
        else ["".join(some_words)]
        if any(some_words)
        else []
    )


@given(models, new_words)
def test_unknown_characters(model, word):
    strangers = [char for char in word if char not in model.vocab]
    for unknown in ("[UNK]", "?"):
        tokens = bpe.encode_word(word, model, unknown=unknown)
        assert set(tokens) <= {*model.vocab, unknown} and tokens.count(unknown) == len(strangers)
    with pytest.raises(ValueError, match="not in the vocabulary") if strangers else nullcontext():
        assert bpe.encode_word(word, model, unknown="error") == tokens


pieces = st.sampled_from(["a", "b", "ab", "ba", "aa", "aba"])


@given(st.lists(st.tuples(pieces, pieces), max_size=6, unique=True), st.text("ab", max_size=9))
def test_merges_in_order_are_replayed_by_rank(merges, word):
    model = bpe.BPEModel(["a", "b"], merges)
    tokens = bpe.encode_word(word, model)
    assert tokens == bpe.merge_in_order(list(word), merges)
    if model.is_in_order:
        assert tokens == bpe.merge_by_rank(list(word), model.ranks)


def test_greatest_bytes_is_the_rule_of_code_that_keeps_bytes():
    """Merged by hand with pairs of bytes, of which `max` takes the last among equals."""
    texts = ["low lower newest widest é", "naïve café, ça va? Ünder\n", "newest low"]
    word_freqs = text.word_freqs([*texts, *texts[:2]], "byte-level")
    model = bpe.train(word_freqs, num_merges=40, ties="greatest-bytes")
    freqs = {text.chars_to_bytes(word): freq for word, freq in word_freqs.items()}
    splits = {word: [bytes([byte]) for byte in word] for word in freqs}
    for pair in model.merges:
        counts = bpe.pair_freqs(freqs, splits)
        best = max(counts, key=lambda pair: (counts[pair], pair))
        assert tuple(map(text.chars_to_bytes, pair)) == best
        splits = bpe.merge_pair(best, splits)
    assert model.merges != bpe.train(word_freqs, num_merges=40, ties="greatest").merges
