"""Bad input: every function that a user calls ends in a ValueError that names the argument, and ends at once."""

import inspect
import math
from random import Random

import pytest

from subword_lab import bpe, compression, lattice, text, unigram, wordpiece

HUG = {"hug": 10, "pug": 5, "hugs": 5}
MERGES = bpe.train(HUG, num_merges=3)
PREFIXES = wordpiece.train(HUG, vocab_size=10)
LOSSES = unigram.train(HUG, vocab_size=8, initial_size=10)
CORPUS = {"word_freqs": HUG, "model": LOSSES}
WORD = {"word": "hugs", "model": LOSSES}
# Each function, with good values for all parameters that have no default.
CALLS = {
    bpe.train: {"word_freqs": HUG, "num_merges": 2},
    bpe.train_steps: {"word_freqs": HUG, "num_merges": 2},
    bpe.base_vocab: {"splits": {}},
    bpe.best_pair: {"freqs": {("u", "g"): 20}},
    bpe.encode_word: {"word": "hugs", "model": MERGES},
    bpe.encode: {"words": ["hugs"], "model": MERGES},
    bpe.decode: {"tokens": ["hug"], "model": MERGES},
    wordpiece.train: {"word_freqs": HUG, "num_merges": 2},
    wordpiece.train_steps: {"word_freqs": HUG, "num_merges": 2},
    wordpiece.pair_scores: {"word_freqs": HUG, "splits": wordpiece.split_words(HUG)},
    wordpiece.encode_word: {"word": "hugs", "model": PREFIXES},
    wordpiece.encode: {"words": ["hugs"], "model": PREFIXES},
    wordpiece.decode: {"tokens": ["hug"]},
    unigram.train: {"word_freqs": HUG, "vocab_size": 8, "initial_size": 10},
    unigram.train_steps: {"word_freqs": HUG, "vocab_size": 8, "initial_size": 10},
    unigram.initial_vocab: {"word_freqs": HUG, "size": 20},
    unigram.corpus_loss: CORPUS,
    unigram.encode_word: WORD,
    unigram.encode: {"words": ["hugs"], "model": LOSSES},
    unigram.decode: {"tokens": ["hug"]},
    lattice.segmentations: WORD,
    lattice.viterbi: WORD,
    lattice.n_best: {**WORD, "n": 3},
    lattice.forward: WORD,
    lattice.backward: WORD,
    lattice.shares: WORD,
    lattice.sample: {**WORD, "rng": Random(1)},
    lattice.walk_back: {"word": "hugs", "starts": [-1, 0, 1, 2, 3]},
    compression.compress: {"data": "aaab"},
    compression.compress_steps: {"data": "aaab"},
    compression.compress_blocks: {"data": "aaab"},
    compression.decompress: {"compressed": compression.compress("aaab")},
    text.normalize: {"string": "Hug"},
    text.pre_tokenize: {"string": "Hug", "scheme": "bert"},
    text.words: {"string": "Hug", "scheme": "bert"},
    text.word_freqs: {"texts": ["Hug"]},
}
STRINGS = [None, 7, b"hug", "\ud800"]
LISTS = [None, 7, "hug", b"hug", [1], ["hug", "\ud800"]]
NUMBERS = [-1, 2.5, math.nan, "9", True]
NAMES = ["no such thing", 7]
# What cannot be meant, by the name of the parameter.
BAD = {
    "word_freqs": [
        None,
        7,
        [],
        {},
        ["hug"],
        {"hug": 0},
        {"hug": 1.5},
        {"": 1},
        {1: 2},
        {"\ud800": 1},
    ],
    **dict.fromkeys(["word", "string", "prefix", "mark", "end_of_word"], STRINGS),
    **dict.fromkeys(["words", "tokens", "special_tokens", "texts"], LISTS),
    **dict.fromkeys(["vocab_size", "num_merges", "initial_size", "size", "n"], NUMBERS),
    **dict.fromkeys(["max_chars", "em_passes", "min_count", "num_rules", "block_size"], NUMBERS),
    **dict.fromkeys(
        ["ties", "method", "score", "seed", "order", "scheme", "counting", "paths"], NAMES
    ),
    "model": [None, 7, {}, wordpiece],
    "compressed": [None, "aaab"],
    "data": [None, 7, [1], "\ud800"],
    "temperature": [-1, math.nan, "1", True],
    "drop": [0, 1, -0.5, "0.1"],
    "starts": [None, [], [-1, 0, 1], [-1, 1, 2, 3, 4]],
    "rng": [None, 7],
}


@pytest.mark.parametrize("function", CALLS, ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_a_bad_argument_is_named(function):
    for name in inspect.signature(function).parameters.keys() & BAD.keys():
        for value in BAD[name]:
            with pytest.raises(ValueError, match=rf"\b{name}\b") as error:
                list(function(**{**CALLS[function], name: value}))
            assert len(str(error.value)) < 300


def test_good_arguments_are_taken():
    for function, arguments in CALLS.items():
        function(**arguments)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: bpe.encode_word("hug", LOSSES),
            "model is UnigramModel, .*; expected a BPEModel",
        ),
        (
            lambda: unigram.encode(["hug"], MERGES),
            "model is BPEModel, .*; expected a UnigramModel",
        ),
        (lambda: bpe.best_pair({("u", "g"): 1}, "lowest-ids"), "ids is None"),
        (
            lambda: bpe.train(HUG, num_merges=2, ties=lambda pair: math.nan),
            "the function ties returns nan for",
        ),
        (
            lambda: bpe.train(HUG, num_merges=2, ties=lambda pair: (1, math.nan)),
            r"the function ties returns \(1, nan\) for",
        ),
        (
            lambda: wordpiece.train(HUG, num_merges=2, ties=lambda pair: None),
            "the function ties returns None for",
        ),
        (
            lambda: compression.compress("aabb" * 3, ties=lambda pair: math.nan),
            "the function ties returns nan for",
        ),
        (
            lambda: list(lattice.segmentations("a" * 10_000, LOSSES)),
            "word has 10000 characters.*n_best",
        ),
        (
            lambda: unigram.train({"ab" * 5_000: 1}, vocab_size=5, initial_size=10),
            "10,000 characters.*suffix-array",
        ),
        (lambda: unigram.digamma_of(-math.inf), "x is -inf; expected a number above 0"),
        (
            lambda: lattice.forward("hug", LOSSES, temperature=0),
            "temperature is 0; expected a number above 0",
        ),
    ],
)
def test_the_message_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_long_words_do_not_recurse():
    long = "ab" * 5_000
    assert next(lattice.groupings(long)) == [long]
    assert len(bpe.longest_first(list(long), ["ab", "a"])) == 5_000
