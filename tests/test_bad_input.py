"""Bad input: every public function of the algorithms ends in a ValueError that names the argument, or at once."""

import inspect
import math
from random import Random
from types import SimpleNamespace

import pytest

from subword_lab import bpe, compression, lattice, unigram, wordpiece
from subword_lab.studies import merging, side_by_side
from subword_lab.studies.encoders import cut_by

HUG = {"hug": 10, "pug": 5, "hugs": 5}
MODELS = {
    bpe: bpe.train(HUG, num_merges=3),
    wordpiece: wordpiece.train(HUG, vocab_size=10),
    unigram: unigram.train(HUG, vocab_size=8, initial_size=10),
}
MODELS |= {lattice: MODELS[unigram], merging: MODELS[bpe]}
GOOD = {
    "word_freqs": HUG,
    "splits": bpe.split_words(HUG),
    "pair": ("u", "g"),
    "freqs": {("u", "g"): 20},
    "symbols": ["h", "u", "g"],
    "words": ["hug"],
    "word": "hugs",
    "merges": [("u", "g")],
    "ranks": {("u", "g"): 0},
    "vocab": ["u", "g"],
    "tokens": ["hug"],
    "pieces": ["un", "hug"],
    "start": 0,
    "n": 3,
    "rng": Random(1),
    "a": 1.0,
    "b": 2.0,
    "counts": {"a": 1.0},
    "x": 3.0,
    "size": 20,
    "data": "aaab",
    "rules": [("Z", "aa")],
    "table": {},
    "compressed": compression.compress("aaab"),
    "text": "aab",
    "num_merges": 2,
    "encode_word": list,
    "starts": [-1, 0, 1, 2, 3],
    "prefixes": MODELS[wordpiece],
    "losses": MODELS[unigram],
    "encoders": {"letters": list},
    "corpora": {"hug": HUG},
    "token_freqs": {"ug": 3, "h": 1},
    "vocab_size": 15,
    "initial_size": 20,
}
BAD = [
    None,
    7,
    -1,
    math.nan,
    "",
    b"x",
    [],
    {},
    (),
    [1],
    {"a": None},
    object(),
    {"hug": 0},
    {"x": ["x"]},
    ("u",),
    (1, 2),
    [("u",)],
    {1: 2},
    SimpleNamespace(),
]
FUNCTIONS = [
    (module, name)
    for module in (bpe, wordpiece, unigram, compression, lattice, merging, side_by_side)
    for name, function in vars(module).items()
    if inspect.isfunction(function)
    and not name.startswith("_")
    and function.__module__ == module.__name__
]


def consumed(result):
    return list(zip(result, range(100))) if inspect.isgenerator(result) else result


@pytest.mark.parametrize(
    "module, name", FUNCTIONS, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_bad_argument_is_named(module, name):
    function = getattr(module, name)
    named = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    good = {
        parameter.name: MODELS[module]
        if parameter.name == "model"
        else GOOD.get(parameter.name, parameter.default)
        for parameter in named
    }
    if name == "per_sentence":
        good |= {"encoders": {"letters": cut_by("characters")}, "texts": {"hug": ["hug"]}}
    if name == "race":
        good["merges"] = MODELS[bpe]
    if module is compression:
        good |= {
            key: value for key, value in {"freqs": {"aa": 2}, "pair": "aa"}.items() if key in good
        }
        good |= {"data": b"aab"} if name == "compare_with_zlib" else {}
    consumed(function(**good))
    for parameter in good:
        for bad in BAD:
            words = clear_words(function, {**good, parameter: bad})
            # Bytes among strings is a TypeError that says so.
            assert words is None or any(
                name in words for name in [*good, "word_freqs", "pair", "rule", "bytes"]
            ), words


def clear_words(function, arguments):
    try:
        consumed(function(**arguments))
    except ValueError as error:
        return str(error)
    except TypeError as error:
        return str(error) if "bytes" in str(error) else "unclear"
    return None


@pytest.mark.parametrize(
    "call, told",
    [
        (
            lambda: bpe.pair_freqs(HUG, {"hug": ["h", "ug"]}),
            "splits has no entry for the word 'pug' of word_freqs",
        ),
        (
            lambda: bpe.merge_pair(("u",), {"hug": ["u", "g"]}),
            r"pair is \('u',\); expected two symbols",
        ),
        (
            lambda: bpe.best_pair({}),
            "freqs is dict, {}; expected a dictionary with something in it",
        ),
        (
            lambda: wordpiece.pair_scores({"hug": 0}, {"hug": ["h", "##ug"]}),
            r"word_freqs\['hug'\] is 0",
        ),
        (
            lambda: bpe.encode_word("hug", MODELS[unigram]),
            "model is UnigramModel, .*; expected a BPEModel",
        ),
        (
            lambda: unigram.encode(["hug"], MODELS[bpe]),
            "model is BPEModel, .*; expected a UnigramModel",
        ),
        (
            lambda: bpe.train(HUG, num_merges=2, ties=lambda pair: math.nan),
            "rule for ties gives nan for",
        ),
        (
            lambda: bpe.train(HUG, num_merges=2, ties=lambda pair: (1, math.nan)),
            "rule for ties gives .1, nan. for",
        ),
        (
            lambda: wordpiece.train(HUG, num_merges=2, ties=lambda pair: None),
            "rule for ties gives None for",
        ),
        (
            lambda: compression.compress("aabb" * 3, ties=lambda pair: math.nan),
            "rule for ties gives nan for",
        ),
        (
            lambda: list(lattice.segmentations("a" * 10_000, MODELS[unigram])),
            "word has 10000 characters.*n_best",
        ),
        (
            lambda: unigram.train({"ab" * 5_000: 1}, vocab_size=5, initial_size=10),
            "10,000 characters.*suffix-array",
        ),
        (lambda: unigram.digamma_of(-math.inf), "x is -inf; expected a number above 0"),
        (
            lambda: lattice.forward("hug", MODELS[unigram], temperature=0),
            "temperature is 0; expected a number above 0",
        ),
    ],
)
def test_what_used_to_be_unclear_or_endless(call, told):
    with pytest.raises(ValueError, match=told):
        call()


def test_long_words_do_not_recurse():
    long = "ab" * 5_000
    assert next(lattice.groupings(long)) == [long]
    assert len(bpe.longest_first(list(long), ["ab", "a"])) == 5_000


def test_a_failure_of_the_callers_own_function_stays_as_it_is():
    with pytest.raises(KeyError, match="mine"):
        side_by_side.fertility(HUG, lambda word: {}["mine"])
    with pytest.raises(TypeError, match="missing"):
        bpe.pair_freqs(HUG)
