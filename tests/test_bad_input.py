"""Bad input: every function that a user calls ends in a ValueError that names the argument, and ends at once."""

import inspect
import math
from random import Random

import pytest

from subword_lab import bpe, compression, lattice, text, unigram, wordpiece

HUG = {"hug": 10, "pug": 5, "hugs": 5}
FIVE = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
MERGES = bpe.train(HUG, num_merges=3)
MARKED = bpe.train(FIVE, num_merges=3, end_of_word="#")
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
    "algorithm, word_freqs, options, message",
    [
        (bpe, {}, {"num_merges": 1}, "word_freqs is empty"),
        (bpe, [("hug", 1)], {"num_merges": 1}, "word_freqs is list.*expected a dictionary"),
        (bpe, None, {"num_merges": 1}, "word_freqs is NoneType"),
        (
            bpe,
            {"hug": -1},
            {"num_merges": 1},
            r"word_freqs\['hug'\] is -1; a count is a whole number of at least 1",
        ),
        (bpe, {"hug": 0}, {"num_merges": 1}, r"word_freqs\['hug'\] is 0"),
        (bpe, {"hug": 1.5}, {"num_merges": 1}, r"word_freqs\['hug'\] is 1.5"),
        (bpe, {"hug": True}, {"num_merges": 1}, r"word_freqs\['hug'\] is True"),
        (bpe, {"": 1}, {"num_merges": 1}, "the empty word"),
        (bpe, {b"hug": 1}, {"num_merges": 1}, "a member of word_freqs is bytes.*decode"),
        (bpe, {"\ud83e": 1}, {"num_merges": 1}, "lone surrogate"),
        (
            bpe,
            {"hug</w>": 1},
            {"num_merges": 1, "end_of_word": "</w>"},
            "'hug</w>' holds the end-of-word mark '</w>'",
        ),
        (bpe, FIVE, {}, "give vocab_size or num_merges"),
        (
            bpe,
            FIVE,
            {"vocab_size": 6},
            "vocab_size is 6, but the special tokens and the alphabet alone are 7",
        ),
        (
            bpe,
            FIVE,
            {"vocab_size": 8, "special_tokens": ["<s>", "</s>"]},
            "vocab_size is 8, but .* alone are 9",
        ),
        (bpe, FIVE, {"vocab_size": 9, "alphabet": "xyz"}, "vocab_size is 9, but .* alone are 10"),
        (bpe, FIVE, {"vocab_size": -1}, "vocab_size is -1; expected a whole number of at least 0"),
        (bpe, FIVE, {"num_merges": -3}, "num_merges is -3; expected a whole number of at least 0"),
        (bpe, FIVE, {"num_merges": 2.0}, "num_merges is 2.0"),
        (bpe, FIVE, {"num_merges": True}, "num_merges is True"),
        (
            bpe,
            FIVE,
            {"num_merges": 1, "ties": "random"},
            "ties is 'random'; expected one of 'first-seen', 'lowest-ids', '",
        ),
        (wordpiece, {}, {"num_merges": 1}, "word_freqs is empty"),
        (wordpiece, ["hug"], {"num_merges": 1}, "word_freqs is list.*expected a dictionary"),
        (
            wordpiece,
            {"hug": -1},
            {"num_merges": 1},
            r"word_freqs\['hug'\] is -1; a count is a whole number of at least 1",
        ),
        (wordpiece, {"\ud83e": 1}, {"num_merges": 1}, "lone surrogate"),
        (
            wordpiece,
            {"##hug": 1},
            {"num_merges": 1},
            "'##hug' begins with the prefix '##'.*choose another prefix",
        ),
        (
            wordpiece,
            {"@hug": 1},
            {"num_merges": 1, "prefix": "@"},
            "'@hug' begins with the prefix '@'",
        ),
        (wordpiece, FIVE, {}, "give vocab_size or num_merges"),
        (
            wordpiece,
            FIVE,
            {"vocab_size": 6},
            "vocab_size is 6, but the special tokens and the alphabet alone are 7",
        ),
        (
            wordpiece,
            FIVE,
            {"vocab_size": 10, "score": "frequency"},
            "vocab_size is 10, but .* alone are 11",
        ),
        (
            wordpiece,
            FIVE,
            {"num_merges": -3},
            "num_merges is -3; expected a whole number of at least 0",
        ),
        (
            wordpiece,
            FIVE,
            {"num_merges": 1, "score": "pmi"},
            "score is 'pmi'; expected one of 'likelihood', 'frequency'",
        ),
        (wordpiece, FIVE, {"num_merges": 1, "prefix": None}, "prefix is NoneType"),
        (
            wordpiece,
            FIVE,
            {"num_merges": 1, "ties": "random"},
            "ties is 'random'; expected one of 'first-seen', 'lowest-ids', ",
        ),
        (unigram, {}, {}, "word_freqs is empty"),
        (unigram, {"hug": -1}, {}, "word_freqs\\['hug'\\] is -1"),
        (unigram, ["hug"], {}, "word_freqs is list"),
        (
            unigram,
            FIVE,
            {"vocab_size": 6},
            "vocab_size is 6, but the characters alone are 7, and all of them stay",
        ),
        (
            unigram,
            FIVE,
            {"vocab_size": 6, "initial_size": 6},
            "size is 6, but the characters alone are 7",
        ),
        (unigram, FIVE, {"vocab_size": -1}, "vocab_size is -1"),
        (unigram, FIVE, {"vocab_size": 12.5}, "vocab_size is 12.5"),
        (unigram, FIVE, {"initial_size": 9}, "initial_size is 9, less than vocab_size, 10"),
        (unigram, FIVE, {"initial_size": None}, "initial_size is None"),
        (unigram, FIVE, {"drop": 0}, "drop is 0; expected a share between 0 and 1"),
        (unigram, FIVE, {"drop": 10}, "drop is 10; expected a share between 0 and 1"),
        (unigram, FIVE, {"drop": "0.1"}, "drop is '0.1'; expected a share"),
        (
            unigram,
            FIVE,
            {"method": "viterbi"},
            "method is 'viterbi'; expected one of 'em', 'counting'",
        ),
        (
            unigram,
            FIVE,
            {"seed": "words"},
            "seed is 'words'; expected one of 'substrings', 'suffix-array'",
        ),
        (unigram, FIVE, {"order": "loss"}, "order is 'loss'; expected one of 'score'"),
        (
            unigram,
            FIVE,
            {"digamma": True, "method": "counting"},
            "digamma is True; it is part of the method 'em', not of 'counting'",
        ),
        (unigram, FIVE, {"em_passes": 0}, "em_passes is 0; expected a whole number of at least 1"),
    ],
)
def test_training_says_what_was_expected(algorithm, word_freqs, options, message):
    usual = {"vocab_size": 10, "initial_size": 15} if algorithm is unigram else {}
    for train in (algorithm.train, algorithm.train_steps):
        with pytest.raises(ValueError, match=message):
            train(word_freqs, **usual | options)


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
        (lambda: bpe.encode_word(b"hug", MARKED), "word is bytes"),
        (lambda: bpe.encode_word(None, MARKED), "word is NoneType"),
        (lambda: bpe.encode_word("hug\udc00", MARKED), "lone surrogate"),
        (lambda: bpe.encode_word("h#g", MARKED), "'h#g' holds the end-of-word mark '#'"),
        (
            lambda: bpe.encode_word("hug", MARKED, method="greedy"),
            "method is 'greedy'; expected one of 'merge-order'",
        ),
        (
            lambda: bpe.encode("hug", MARKED),
            "words is str, 'hug'; expected a sequence of strings",
        ),
        (lambda: bpe.encode([["hug"]], MARKED), "a member of words is list"),
        (lambda: bpe.encode(None, MARKED), "words is NoneType"),
        (lambda: bpe.decode("hug", MARKED), "tokens is str"),
        (lambda: bpe.decode([1], MARKED), "a member of tokens is int"),
        (lambda: wordpiece.encode_word(b"hug", PREFIXES), "word is bytes"),
        (lambda: wordpiece.encode_word("hug\udc00", PREFIXES), "lone surrogate"),
        (
            lambda: wordpiece.encode_word("hug", PREFIXES, max_chars=0),
            "max_chars is 0; expected .* at least 1",
        ),
        (
            lambda: wordpiece.encode("hug", PREFIXES),
            "words is str, 'hug'; expected a sequence of strings",
        ),
        (lambda: wordpiece.encode([["hug"]], PREFIXES), "a member of words is list"),
        (lambda: wordpiece.decode("hug"), "tokens is str"),
        (lambda: wordpiece.decode([1]), "a member of tokens is int"),
        (lambda: wordpiece.decode(["a"], prefix=2), "prefix is int"),
        (
            lambda: unigram.UnigramModel([("h", 2.0)]),
            "losses is list, .*; expected a dictionary from tokens to losses",
        ),
        (
            lambda: unigram.UnigramModel({"h": None}),
            "losses\\['h'\\] is None; expected a token and a finite number",
        ),
        (
            lambda: unigram.UnigramModel({"h": math.inf}),
            "losses\\['h'\\] is inf; expected a token and a finite number",
        ),
        (lambda: unigram.UnigramModel({"": 1.0}), "losses\\[''\\] is 1.0"),
        (lambda: unigram.corpus_loss({"hug": 1}, LOSSES, paths="worst"), "paths is 'worst'"),
        (lambda: unigram.encode("hug", LOSSES), "words is str"),
        (lambda: unigram.encode_word(7, LOSSES), "word is int"),
        (lambda: unigram.decode("hug"), "tokens is str"),
        (lambda: compression.compress(None), "data is NoneType, None; expected a string or bytes"),
        (
            lambda: compression.compress(bytearray(b"aa")),
            r"data is bytearray, .*; expected a string or bytes",
        ),
        (lambda: compression.compress(["a", "a"]), "data is list, .*; expected a string or bytes"),
        (lambda: compression.compress("a\ud800"), "data holds the lone surrogate"),
        (
            lambda: compression.compress("aa", counting="both"),
            "counting is 'both'; expected one of 'overlapping', 'non-overlapping'",
        ),
        (
            lambda: compression.compress("aa", ties="last"),
            "ties is 'last'; expected one of 'literal-first', 'first-seen', 'greatest'",
        ),
        (
            lambda: compression.compress("aa", min_count=1),
            "min_count is 1; expected a whole number of at least 2",
        ),
        (
            lambda: compression.compress("aa", num_rules=-1),
            "num_rules is -1; expected a whole number of at least 0",
        ),
        (lambda: compression.compress_steps(5), "data is int, 5; expected a string or bytes"),
        (
            lambda: compression.decompress("XdXac"),
            "compressed is str, 'XdXac'; expected what compress returns",
        ),
        (lambda: compression.compress_blocks(5), "data is int, 5; expected a string or bytes"),
        (
            lambda: compression.compress_blocks("aa", block_size=0),
            "block_size is 0; expected a whole number of at least 1",
        ),
        (
            lambda: compression.compress_blocks("aa", max_symbols=0),
            "max_symbols is 0; expected a whole number of at least 1",
        ),
        (lambda: compression.compare_with_zlib("aa"), "data is str, 'aa'; expected bytes"),
        (
            lambda: compression.Compressed("XdXac", {"Z": "aa"}),
            "table is dict, .*; expected a CompressionTable",
        ),
        (
            lambda: compression.Compressed(7, compression.CompressionTable({})),
            "data is int, 7; expected a string or bytes",
        ),
        (
            lambda: compression.CompressionTable({"ZZ": "aa"}),
            "the rule 'ZZ': 'aa' is not one symbol and the pair it stands for",
        ),
        (
            lambda: compression.CompressionTable({"Z": "aaa"}),
            "the rule 'Z': 'aaa' is not one symbol and the pair it stands for",
        ),
        (
            lambda: wordpiece.encode_word("hug" * 9, PREFIXES, unknown="error", max_chars=2),
            "is unknown: it is longer than 2 characters",
        ),
        (
            lambda: wordpiece.encode(["hugx"], PREFIXES, unknown="error"),
            "'hugx' is unknown: no beginning of 'x' is in the vocabulary",
        ),
        (
            lambda: wordpiece.train(HUG, num_merges=3, engine="compiled"),
            "engine is 'compiled'; by likelihood there is only 'python'",
        ),
        (
            lambda: compression.CompressionTable({"Z": b"aa"}),
            "the rule 'Z': b'aa' is not one symbol and the pair it stands for",
        ),
        (
            lambda: compression.CompressionTable({"Z": "aZ"}),
            "the rule 'Z': 'aZ' comes too late: 'Z' has been used before it",
        ),
        (
            lambda: compression.CompressionTable({"X": "ZY", "Z": "aa"}),
            "the rule 'Z': 'aa' comes too late: 'Z' has been used",
        ),
        (
            lambda: text.normalize(b"a", "nfc"),
            "string is bytes, b'a'; expected a string .decode bytes first",
        ),
        (lambda: text.normalize(None), "string is NoneType, None; expected a string"),
        (
            lambda: text.normalize("a", "upper"),
            "step is 'upper'; expected one of 'nfc', 'nfd', 'nfkc', 'nfkd', "
            "'lowercase', 'strip-accents', 'clean', 'space-chinese', 'strip'",
        ),
        (lambda: text.normalize("a", ["nfc"]), "step is \\['nfc'\\]; expected one of 'nfc'"),
        (lambda: text.pre_tokenize(b"a", "split"), "string is bytes"),
        (lambda: text.pre_tokenize(None, "split"), "string is NoneType"),
        (
            lambda: text.pre_tokenize("a\ud800", "split"),
            "string holds the lone surrogate .*ud800' at position 1",
        ),
        (
            lambda: text.pre_tokenize("a", "gpt2"),
            "scheme is 'gpt2'; expected one of 'split', 'spaces', 'whitespace', "
            "'byte-level', 'cl100k', 'llama-3', 'qwen-2', 'o200k', 'bert', "
            "'metaspace', 'characters'",
        ),
        (
            lambda: text.pre_tokenize("a", "bert", prefix_space=True),
            "prefix_space is True; the scheme 'bert' does not",
        ),
        (
            lambda: text.word_freqs("hug pug"),
            "texts is a single string, 'hug pug'; expected several texts",
        ),
        (lambda: text.word_freqs(b"hug"), "texts is bytes, b'hug'; expected strings"),
        (lambda: text.word_freqs(None), "texts is NoneType, None; expected strings"),
        (
            lambda: text.word_freqs(["hug", None]),
            "a member of texts is NoneType, None; expected a string",
        ),
        (lambda: text.word_freqs([b"hug"]), "a member of texts is bytes"),
        (lambda: text.word_freqs(["\udfff"]), "a member of texts holds the lone surrogate"),
        (lambda: text.word_freqs([], "words"), "scheme is 'words'; expected one of"),
        (
            lambda: text.load_word_freqs("wikitext"),
            "name is 'wikitext'; expected one of 'wikitext-2-validation'",
        ),
        (lambda: text.load_texts("tea"), "name is 'tea'; expected one of 'parallel'"),
        (
            lambda: text.bytes_to_chars("hug"),
            "data is str, 'hug'; expected bytes .encode a string first",
        ),
        (lambda: text.bytes_to_chars(7), "data is int, 7; expected bytes"),
        (
            lambda: text.chars_to_bytes("Ġ h g"),
            "string holds ' ' at position 1; expected the 256 characters",
        ),
        (lambda: text.chars_to_bytes(b"hug"), "string is bytes"),
    ],
)
def test_the_message_says_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_long_words_do_not_recurse():
    long = "ab" * 5_000
    assert next(lattice.groupings(long)) == [long]
    assert len(bpe.longest_first(list(long), ["ab", "a"])) == 5_000
