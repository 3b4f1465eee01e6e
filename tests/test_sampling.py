"""Encodings at random and the n best: as the lattice has them, and as the libraries draw them."""

import itertools
import json
import math
from collections import Counter
from dataclasses import replace
from random import Random

import parity
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, lattice
from subword_lab.unigram import UnigramModel
from tests.test_tokenizer import BYTES, LINES, UNIGRAM

FLAT = Tokenizer(
    replace(
        UNIGRAM.parts,
        model=UnigramModel({token: loss / 5 for token, loss in UNIGRAM.parts.model.losses.items()}),
    )
)
SMALL = Tokenizer.train(["hug pug hugs bun"] * 3, vocab_size=266)
DRAWS = 4000


def same(one, other):
    """Whether two counts of `DRAWS` may come from one distribution; by chance it fails once in ten million times."""
    return all(abs(one[key] - other[key]) < 4 * math.sqrt(DRAWS) for key in {*one, *other})


# ----------------------------------------------------------------------------------------------------------- by chance


@given(st.text(), st.integers(0, 99))
def test_without_chance_it_is_encode(string, seed):
    for tokenizer, nothing in [(BYTES, {"dropout": 0}), (UNIGRAM, {"temperature": 0})]:
        found = tokenizer.sample(string, seed, disallowed_special=(), **nothing)
        assert found.pieces == tokenizer.encode(string, disallowed_special=()).pieces
        assert found.ids == [piece.id for piece in found.pieces]


@given(st.text(), st.integers(0, 99))
def test_what_is_drawn_says_the_same_text(string, seed):
    drawn = BYTES.sample(string, seed, dropout=0.4, disallowed_special=())
    assert BYTES.decode(drawn.ids) == string
    likeliest = UNIGRAM.encode(string, disallowed_special=())
    drawn = UNIGRAM.sample(string, seed, temperature=5, disallowed_special=())
    assert [token for token in drawn.tokens if token not in UNIGRAM.parts.ids] == [
        token for token in likeliest.tokens if token not in UNIGRAM.parts.ids
    ]
    assert "".join(drawn.tokens) == "".join(likeliest.tokens)
    assert all(0 <= start <= end <= len(string) for start, end in drawn.offsets)


def test_a_seed_decides_and_a_random_goes_on():
    rng, string = Random(3), "Tea and tea, hugs of tea"
    rows = [BYTES.sample(string, rng, dropout=0.5).ids for _ in range(20)]
    assert len({*map(tuple, rows)}) > 10
    assert rows[0] == BYTES.sample(string, 3, dropout=0.5).ids


def test_dropout_is_that_of_the_tokenizers_library():
    content = json.loads(SMALL.to_tokenizers().to_str())
    content["model"]["dropout"] = 0.3
    theirs, rng = tokenizers.Tokenizer.from_str(json.dumps(content)), Random(1)
    drawn = Counter(tuple(theirs.encode("hugs pug").ids) for _ in range(DRAWS))
    ours = Counter(tuple(SMALL.sample("hugs pug", rng, dropout=0.3).ids) for _ in range(DRAWS))
    assert same(ours, drawn) and len(ours) > 10


def test_a_word_that_is_a_token_may_be_cut_by_chance_too():
    whole = Tokenizer(replace(SMALL.parts, whole_words=True))
    assert {len(whole.sample("hug", seed, dropout=0.5)) for seed in range(50)} == {1, 2, 3}


@pytest.mark.parametrize("temperature", [None, 0.5, 3])
def test_unigram_draws_as_the_lattice_says(temperature):
    rng, model = Random(1), FLAT.parts.model
    drawn = Counter(
        tuple(FLAT.sample("and", rng, temperature=temperature).tokens) for _ in range(DRAWS)
    )
    weights = {
        tuple(tokens): math.exp(-loss / (temperature or 1))
        for tokens, loss in lattice.segmentations("▁and", model)
    }
    total = sum(weights.values())
    expected = {tokens: DRAWS * weight / total for tokens, weight in weights.items()}
    assert same(drawn, Counter(expected)) and len(drawn) > 1


@pytest.mark.parametrize("temperature", [0, 1e-310, 1e-20, 1e-9, 1e-4])
def test_the_colder_it_is_the_surer_the_best_way(temperature):
    best = lattice.viterbi("▁and", FLAT.parts.model)[0]
    assert lattice.sample("▁and", FLAT.parts.model, Random(1), temperature) == best


# -------------------------------------------------------------------------------------------------------------- n best


def test_the_n_best_of_a_text_are_those_of_all_ways():
    string, model = "the tea and this", UNIGRAM.parts.model
    ways = [list(lattice.segmentations("▁" + word, model)) for word in string.split()]
    every = sorted(math.fsum(loss for _, loss in row) for row in itertools.product(*ways))
    found = UNIGRAM.n_best(string, 40)
    losses = [math.fsum(model.losses[token] for token in each.tokens) for each in found]
    assert losses == pytest.approx(every[:40])
    assert len({tuple(each.ids) for each in found}) == len(found) > 10
    assert found[0].pieces == UNIGRAM.encode(string).pieces
    assert {UNIGRAM.decode(each.ids) for each in found} == {string}


def test_there_may_be_fewer():
    assert [each.ids for each in UNIGRAM.n_best("", 3)] == [[]]
    assert len(UNIGRAM.n_best("猫", 3)) == len(lattice.n_best("▁猫", UNIGRAM.parts.model, 3))


def test_sentencepiece_finds_and_draws_the_same():
    sentencepiece = pytest.importorskip("sentencepiece")
    data, string = parity.trained_by_sentencepiece(LINES, vocab_size=400), "the tea, and"
    ours, theirs = parity.from_model(data), parity.processor(data)
    assert [each.tokens for each in ours.n_best(string, 10)] == theirs.nbest_encode(
        string, nbest_size=10, out_type=str
    )
    sentencepiece.set_random_generator_seed(1)
    drawn, rng = Counter(), Random(1)
    for _ in range(DRAWS):
        drawn[tuple(theirs.sample_encode_as_ids(string, nbest_size=-1, alpha=0.2))] += 1
    counts = Counter(tuple(ours.sample(string, rng, temperature=5).ids) for _ in range(DRAWS))
    assert same(counts, drawn) and len(counts) > 10


# ------------------------------------------------------------------------------------------ what comes before and after


def test_the_stations_are_those_of_encode():
    around = Tokenizer(
        replace(SMALL.parts, before=("<|endoftext|>",), normalization=("lowercase",))
    )
    drawn = around.sample("HUG<|endoftext|>Pug", 1, dropout=1, allowed_special="all")
    assert drawn.tokens == ["<|endoftext|>", *"hug", "<|endoftext|>", *"pug"]
    assert drawn.offsets == [
        (0, 0), (0, 1), (1, 2), (2, 3), (3, 16), (16, 17), (17, 18), (18, 19)
    ]  # fmt: skip
    assert drawn.special_tokens_mask == [1, 0, 0, 0, 0, 0, 0, 0]
    assert around.sample("hug", 1, dropout=1, add_special_tokens=False).tokens == [*"hug"]
    best = UNIGRAM.n_best("tea</s>tea", 2, allowed_special="all")
    assert [each.tokens.count("</s>") for each in best] == [1, 1]
    padding = {
        "strategy": {"Fixed": 8}, "direction": "Right", "pad_token": "<|endoftext|>", "pad_id": 0,
        "pad_type_id": 0,
    }  # fmt: skip
    filled = Tokenizer(replace(SMALL.parts, padding=padding)).sample("hug", 1, dropout=1)
    assert filled.attention_mask == [1, 1, 1, 0, 0, 0, 0, 0]
