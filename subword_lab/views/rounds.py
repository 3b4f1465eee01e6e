"""Unigram's training, a round at a time: how expectation maximization moves the votes, and how the loss goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import unigram
from ..arguments import counted
from ..html import Html
from ..lattice import viterbi
from ..unigram import UnigramModel
from .figures import Figure, line_chart
from .player import FramePlayer
from .stepper import columns
from .tables import Cell, share_bar, table
from .tokens import token_box, token_row


def em_stepper(word_freqs: Mapping[str, int], model: UnigramModel, rounds: int = 6) -> FramePlayer:
    """Expectation maximization, one round a frame: how often each token is expected, and how the words are cut then.

    The loss in a frame's label is that of the corpus over all ways, which no round makes larger.

    >>> corpus = {"hug": 10, "pug": 5}
    >>> em_stepper(corpus, UnigramModel(unigram.to_losses(unigram.initial_vocab(corpus, 6))), rounds=2)
    EM, round by round, on a corpus of 2 words
    0. at first: a loss of 46.84
    1. after 1 round: a loss of 41.21
    2. after 2 rounds: a loss of 38.16
    """
    frames, labels = [], []
    for number in range(rounds + 1):
        expected = unigram.expected_counts(word_freqs, model)
        frames.append(columns(_votes(expected, model), _cuts(word_freqs, model)))
        loss = unigram.corpus_loss(word_freqs, model, paths="all")
        when = f"after {counted(number, 'round')}" if number else "at first"
        labels.append(f"{when}: a loss of {loss:,.2f}")
        model = UnigramModel(unigram.to_losses(expected))
    return FramePlayer(
        frames, labels, f"EM, round by round, on a corpus of {len(word_freqs)} words"
    )


def loss_curves(trainings: Mapping[str, Sequence[unigram.Step]]) -> Figure:
    """The loss of the corpus at the beginning and after each round of pruning, a line for each training.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> loss_curves({"EM": list(unigram.train_steps(corpus, vocab_size=10, initial_size=15))})
    Line chart: the loss after each round of pruning. EM: from 142.0 to 101.1 in 5 rounds.
    """
    curves = {
        name: [steps[0].loss, *(step.loss_after for step in steps)]
        for name, steps in trainings.items()
    }
    told = "; ".join(
        f"{name}: from {curve[0]:,.1f} to {curve[-1]:,.1f} in {len(curve) - 1} rounds"
        for name, curve in curves.items()
    )
    return line_chart(
        curves,
        f"Line chart: the loss after each round of pruning. {told}.",
        xlabel="rounds of pruning",
        ylabel="loss of the corpus in nats",
        from_zero=False,
    )


def _votes(expected: Mapping[str, float], model: UnigramModel) -> Html:
    most = max(expected.values())
    rows = [
        [
            Cell(token, token_box(token)),
            f"{model.losses[token]:.2f}",
            share_bar(count / most, f"{count:.2f}"),
        ]
        for token, count in expected.items()
    ]
    return table(rows, ["token", "loss", "expected"], "Tokens").html()


def _cuts(word_freqs: Mapping[str, int], model: UnigramModel) -> Html:
    rows = [
        [freq, Cell("", token_row(viterbi(word, model)[0]))] for word, freq in word_freqs.items()
    ]
    return table(rows, ["times", "cheapest way"], "Words").html()
