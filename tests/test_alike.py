"""What the four algorithms have in common."""

import dataclasses
import inspect
import re
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trainings import HUG, trainings

from subword_lab import bpe, compression, unigram, wordpiece
from subword_lab.arguments import counted


@pytest.mark.parametrize(
    "algorithm", [bpe, wordpiece, unigram, compression], ids=lambda module: module.__name__
)
def test_models_and_steps_cannot_be_changed(algorithm):
    classes = [
        found
        for _, found in inspect.getmembers(algorithm, dataclasses.is_dataclass)
        if found.__module__ == algorithm.__name__
    ]
    assert len(classes) >= 2
    assert [found.__name__ for found in classes if not found.__dataclass_params__.frozen] == []


@pytest.mark.parametrize(
    "step, shown",
    [
        (next(bpe.train_steps(HUG, num_merges=1)), "number pair count tied token"),
        (next(wordpiece.train_steps(HUG, num_merges=1)), "number pair count score tied token"),
        (
            next(unigram.train_steps(HUG, vocab_size=10, initial_size=15)),
            "number loss loss_without em_losses model loss_after",
        ),
    ],
)
def test_a_step_is_shown_without_what_is_long(step, shown):
    """Without counts, splits, scores and vocabularies."""
    assert re.findall(r"(\w+)=", repr(step)) == shown.split()


@pytest.mark.parametrize("algorithm", [bpe, wordpiece])
def test_steps_do_not_share_their_state(algorithm):
    steps = list(algorithm.train_steps(HUG, num_merges=3))
    assert [len(step.vocab) for step in steps] == [8, 9, 10]
    assert steps[0].splits != steps[1].splits != steps[2].splits
    word_freqs = dict(HUG)
    begun = algorithm.train_steps(word_freqs, num_merges=3)
    word_freqs.clear()  # what becomes of the caller's counts afterwards is no matter
    assert list(begun) == steps


@given(trainings)
def test_every_step_tells_the_truth(training):
    algorithm, options = training
    word_freqs, prefix = options["word_freqs"], options.get("prefix")
    join = algorithm.merge_pair if prefix is None else partial(algorithm.merge_pair, prefix=prefix)
    splits = algorithm.split_words(word_freqs, options["end_of_word"] if prefix is None else prefix)
    for number, step in enumerate(algorithm.train_steps(num_merges=8, **options), start=1):
        ratings = freqs = bpe.pair_freqs(word_freqs, splits)
        if options.get("score") == "likelihood":
            ratings = wordpiece.pair_scores(word_freqs, splits)
        assert (step.number, step.count, step.pair_freqs) == (number, freqs[step.pair], freqs)
        assert list(step.pair_freqs) == list(freqs)
        assert ratings[step.pair] == max(ratings.values())
        assert step.tied == [
            pair for pair in freqs if ratings[pair] == ratings[step.pair] and pair != step.pair
        ]
        assert algorithm is bpe or (step.score, step.scores) == (ratings[step.pair], ratings)
        splits = join(step.pair, splits)
        assert step.splits == splits and step.token in step.vocab
        assert algorithm is wordpiece or (step.token, step.merges[-1]) == (
            "".join(step.pair),
            step.pair,
        )


@given(trainings, st.integers(0, 40))
@settings(max_examples=4 * settings.default.max_examples)
def test_fast_training_equals_the_steps(training, limit):
    algorithm, options = training
    start = algorithm.train(num_merges=0, **options).vocab
    for limits in {"num_merges": limit}, {"vocab_size": len(start) + limit}:
        steps = list(algorithm.train_steps(**limits, **options))
        model = algorithm.train(**limits, **options)
        assert model.vocab == (steps[-1].vocab if steps else start)
        assert len(set(model.vocab)) == len(model.vocab)
        if algorithm is bpe:
            assert model.merges == [step.pair for step in steps]
        reached = limits in ({"num_merges": len(steps)}, {"vocab_size": len(model.vocab)})
        no_more = f"no pair left after {counted(len(steps), 'merge')}"
        assert model.stopped == ("" if reached else no_more)
        algorithm.encode(options["word_freqs"], model, unknown="error")  # every word is cut


@pytest.mark.parametrize("algorithm", [bpe, wordpiece])
def test_training_stops_at_the_first_limit_or_when_no_pair_is_left(algorithm):
    def size(**limits):
        return len(algorithm.train(HUG, **limits).vocab)

    assert size(vocab_size=9, num_merges=5) == 9 and size(vocab_size=12, num_merges=1) == 8
    assert size(vocab_size=7) == size(num_merges=0) == 7
    model = algorithm.train({"a": 3}, num_merges=1)
    assert model.stopped == "no pair left after 0 merges" and model.stopped in repr(model)


@pytest.mark.parametrize(
    "algorithm, special, vocab",
    [
        (bpe, "ug", ["ug", "b", "g", "h", "n", "p", "s", "u", "un"]),
        (wordpiece, "##gs", ["##gs", "##g", "##n", "##s", "##u", "b", "h", "p", "hu"]),
    ],
)
def test_a_merge_that_makes_a_special_token_adds_none(algorithm, special, vocab):
    assert algorithm.train(HUG, num_merges=2, special_tokens=[special]).vocab == vocab
