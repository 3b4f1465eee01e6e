"""The engine: the same results as the readable functions, in plain Python and compiled."""
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subword_lab import bpe, wordpiece
from subword_lab.engine import compiling

ENGINES = st.sampled_from(compiling.ENGINES)

# Few letters, so that ties, runs such as aaaa, and tokens that are made in two ways do occur.
words = st.one_of(st.text("ab", min_size=1, max_size=9), st.text("abcd", min_size=1, max_size=6),
                  st.text("aæ字🤗", min_size=1, max_size=5), st.integers(1, 14).map(lambda n: "a" * n))
corpora = st.dictionaries(words, st.integers(1, 4), min_size=1, max_size=12)
special_tokens = st.lists(st.sampled_from(["<|endoftext|>", "ab", "aa", "aaa", "abc", "b", "##ab", "z"]), max_size=3,
                          unique=True)


# ----------------------------------------------------------------------------------------------------------- training

@given(corpora, ENGINES, st.sampled_from(["first-seen", "lowest-ids"]), special_tokens, st.sampled_from(["", "</w>", "_x"]),
       st.integers(0, 40))
def test_bpe_training_equals_the_steps(word_freqs, engine, ties, specials, mark, limit):
    options = {"ties": ties, "special_tokens": specials, "end_of_word": mark, "num_merges": limit}
    steps = list(bpe.train_steps(word_freqs, **options))
    model = bpe.train(word_freqs, engine=engine, **options)
    assert model.merges == [step.pair for step in steps]
    assert not steps or model.vocab == steps[-1].vocab
    assert bool(model.stopped) == (len(steps) < limit)


@given(corpora, ENGINES, st.sampled_from(["first-seen", "lowest-ids"]), special_tokens, st.sampled_from(["", "##", "a"]),
       st.integers(0, 30))
def test_wordpiece_training_by_frequency_equals_the_steps(word_freqs, engine, ties, specials, prefix, limit):
    word_freqs = {word.replace("a", "e") if prefix == "a" else word: freq for word, freq in word_freqs.items()}
    options = {"score": "frequency", "ties": ties, "special_tokens": specials, "prefix": prefix, "num_merges": limit}
    steps = list(wordpiece.train_steps(word_freqs, **options))
    model = wordpiece.train(word_freqs, engine=engine, **options)
    assert not steps or model.vocab == steps[-1].vocab


@settings(max_examples=20)
@given(st.dictionaries(words, st.integers(1 << 40, 1 << 60), min_size=1, max_size=4))
def test_counts_that_only_python_can_add_are_left_to_python(word_freqs):
    assert (bpe.train(word_freqs, num_merges=5, engine="compiled").merges
            == bpe.train(word_freqs, num_merges=5, engine="python").merges)


@pytest.mark.parametrize("options, message", [
    ({"engine": "rust"}, "engine is 'rust'; expected one of 'python', 'compiled'"),
    ({"engine": "compiled", "ties": "greatest"}, "engine is 'compiled', which knows no ties='greatest'"),
])
def test_an_engine_that_cannot_do_it_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bpe.train({"hug": 1}, num_merges=1, **options)
    if "ties" not in options:
        with pytest.raises(ValueError, match="engine is 'rust'"):
            wordpiece.train({"hug": 1}, num_merges=1, **options)


def test_the_compiled_engine_says_what_it_needs(monkeypatch):
    monkeypatch.setattr(compiling, "available", lambda: False)
    with pytest.raises(ValueError, match=r"needs numba; install it with pip install subword-lab\[fast\]"):
        bpe.train({"hug": 1}, num_merges=1, engine="compiled")
    assert compiling.choose(None, 10**9, worth=1) == "python"
