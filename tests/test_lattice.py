"""The ways through a word against brute force: the best, the n best, all together, and at random."""

import math
import random
from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from subword_lab import lattice
from subword_lab.lattice import Losses
from tests.test_unigram import close, losses, pieces, words

models = st.builds(Losses, st.dictionaries(pieces, losses, max_size=20), st.floats(10, 30))


# --------------------------------------------------------------------------------------------------- every way there is


# --------------------------------------------------------------------------------------------------- the cheapest ways


@given(words, models)
@example("aaaa", Losses({"a": 1.0, "aa": 1.0}))
def test_viterbi_finds_the_smallest_loss(word, model):
    ways = list(lattice.segmentations(word, model))
    tokens, loss = lattice.viterbi(word, model)
    assert loss == close(min(loss for _, loss in ways))
    assert (tokens, loss) in ways


@given(words, models, st.integers(1, 6))
def test_n_best_are_the_best_of_all(word, model, n):
    ways = sorted(loss for _, loss in lattice.segmentations(word, model))
    best = lattice.n_best(word, model, n)
    assert [loss for _, loss in best] == close(ways[:n])
    assert len({tuple(tokens) for tokens, _ in best}) == len(best)
    assert best[0] == lattice.viterbi(word, model)


def test_of_equal_ways_the_longer_last_token_is_kept():
    model = Losses({"a": 1.0, "aa": 1.0})
    assert lattice.viterbi("aaa", model) == (["a", "aa"], 2.0)
    assert lattice.viterbi_table("aaa", model) == ([0.0, 1.0, 1.0, 2.0], [-1, 0, 0, 1])
    assert lattice.n_best("aaa", model, 2) == [(["a", "aa"], 2.0), (["aa", "a"], 2.0)]
    assert [
        tokens for tokens, _ in lattice.n_best("aaa", Losses({"a": 0.0, "aa": 0.0, "aaa": 0.0}), 9)
    ] == [["aaa"], ["a", "aa"], ["aa", "a"], ["a", "a", "a"]]


# --------------------------------------------------------------------------------------------------- all ways together


@given(words, models)
def test_forward_and_backward_hold_all_ways(word, model):
    everything = -math.log(sum(math.exp(-loss) for _, loss in lattice.segmentations(word, model)))
    before, after = lattice.forward(word, model), lattice.backward(word, model)
    assert before[-1] == close(everything) and after[0] == close(everything)
    assert before[0] == after[-1] == 0
    for gap in range(len(word)):
        assert before[gap] == close(lattice.forward(word[:gap], model)[-1])
        assert after[gap] == close(lattice.forward(word[gap:], model)[-1])


@given(words, models)
def test_the_shares_are_those_of_the_ways_that_use_the_road(word, model):
    ways = [(tokens, math.exp(-loss)) for tokens, loss in lattice.segmentations(word, model)]
    whole = sum(probability for _, probability in ways)
    for edge, part in lattice.shares(word, model).items():
        using = sum(
            probability
            for tokens, probability in ways
            if (edge.start, edge.token) in zip(accumulate(map(len, tokens), initial=0), tokens)
        )
        assert part == close(using / whole)
    assert [*lattice.shares(word, model)] == lattice.edges(word, model)


def test_a_thousand_characters_do_not_underflow():
    model = Losses({"a": 9.0, "aa": 12.0})
    tokens, loss = lattice.viterbi("a" * 1000, model)
    assert tokens == ["aa"] * 500 and loss == 6000
    everything = lattice.forward("a" * 1000, model)[-1]
    assert everything == close(lattice.backward("a" * 1000, model)[0]) and 5900 < everything < 6000


# ------------------------------------------------------------------------------------------------------------ sampling


def test_equal_ways_are_drawn_equally_however_cold_it_is():
    model, rng = Losses({"a": 1.0, "b": 1.0, "ab": 2.0}), random.Random(0)
    assert {len(lattice.sample("ab", model, rng, 0.001)) for _ in range(20)} == {1, 2}
    assert {len(lattice.sample("ab", model, rng, 0)) for _ in range(20)} == {1}


# ------------------------------------------------------------------------------------------------ no way, and bad input


def test_where_no_way_leads_through():
    model = Losses({"u": 1.0, "g": 1.0})
    assert lattice.viterbi("mug", model) == (["mug"], math.inf)
    assert list(lattice.segmentations("mug", model)) == lattice.n_best("mug", model, 3) == []
    assert (
        lattice.sample("mug", model, random.Random(0)) == ["mug"]
        and lattice.shares("mug", model) == {}
    )
    assert lattice.forward("mug", model)[-1] == lattice.backward("mug", model)[0] == math.inf
    assert lattice.viterbi("", model) == ([], 0.0)
