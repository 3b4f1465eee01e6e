"""The text in four languages, and the four tokenizers side by side."""

import inspect
import re
from math import log2

import pytest

from subword_lab import bpe, compression, text, unigram, wordpiece
from subword_lab.studies import side_by_side

PARALLEL = text.load_texts("parallel")
SCRIPTS = {"English": "LATIN", "Russian": "CYRILLIC", "Chinese": "CJK", "Burmese": "MYANMAR"}
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def test_the_parallel_text_is_parallel():
    assert {name: len(PARALLEL[name]) for name in PARALLEL} == dict.fromkeys(SCRIPTS, 26)


@pytest.mark.parametrize(
    "train, steps",
    [
        (bpe.train, bpe.train_steps),
        (wordpiece.train, wordpiece.train_steps),
        (unigram.train, unigram.train_steps),
        (compression.compress, compression.compress_steps),
    ],
    ids=["bpe", "wordpiece", "unigram", "compression"],
)
def test_the_four_show_their_options_and_explain_them(train, steps):
    data, *options = inspect.signature(train).parameters.values()
    # A step is never compiled; only in steps can a pair be chosen by hand.
    shared = [option for option in options if option.name != "engine"]
    of_steps = inspect.signature(steps).parameters.values()
    assert [data, *shared] == [option for option in of_steps if option.name != "choices"]
    assert {option.kind for option in options} == {inspect.Parameter.KEYWORD_ONLY}
    assert all(re.search(rf"\b{option.name}\b", train.__doc__) for option in options)
    with pytest.raises(
        TypeError, match=rf"{steps.__name__}\(\) got an unexpected keyword argument 'size'"
    ):
        steps(HUG, vocab_size=9, initial_size=9, size=9) if train is unigram.train else steps(
            HUG, size=9
        )


@pytest.mark.parametrize("tokens, efficiency", [("a", 0), ("abcd", 1), ("ab", 1 / 2)])
def test_renyi_efficiency_of_a_vocabulary_of_four_in_which_the_used_tokens_are_alike(
    tokens, efficiency
):
    assert side_by_side.renyi_efficiency(dict.fromkeys(tokens, 3), 4) == pytest.approx(efficiency)


def test_renyi_efficiency_with_alpha_1_is_shannons_and_falls_as_alpha_grows():
    freqs = {"a": 2, "b": 1, "c": 1}
    found = [
        side_by_side.renyi_efficiency(freqs, 4, alpha)
        for alpha in (0.5, 0.999999, 1, 1.000001, 2, 2.5)
    ]
    assert found == sorted(found, reverse=True) and found[2] == pytest.approx(1.5 / 2)
    assert found[1] == pytest.approx(found[2], abs=1e-5) and found[3] == pytest.approx(
        found[2], abs=1e-5
    )
    assert found[4] == pytest.approx(log2(8 / 3) / 2)


@pytest.mark.parametrize(
    "function, arguments, message",
    [
        (side_by_side.fertility, ({}, list), "word_freqs"),
        (
            side_by_side.fertilities,
            ({"letters": list}, {"hug": HUG}, "words"),
            "measure is 'words'; expected one of 'per_word', 'per_character', 'tokens'",
        ),
        (
            side_by_side.renyi_efficiency,
            ({"a": 1}, 2, 0),
            "alpha is 0; expected a number above 0",
        ),
        (side_by_side.renyi_efficiency, ({"a": 1}, 1), "vocab_size is 1"),
        (
            side_by_side.renyi_efficiency,
            ({"a": 1, "b": 1, "c": 1}, 2),
            "vocab_size is 2; expected a whole number of at least 3",
        ),
        (side_by_side.renyi_efficiency, ({}, 2), "token_freqs is"),
        (side_by_side.renyi_efficiency, ({"a": 0}, 2), "token_freqs is"),
    ],
)
def test_bad_input_is_named(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
