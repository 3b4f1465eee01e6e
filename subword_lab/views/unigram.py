"""Unigram's pruning, a round at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .. import unigram
from ..arguments import counted
from ..html import Html, pieces, tag
from .asking import Ask, Choice, asking
from .player import FramePlayer
from .stepper import columns
from .tables import Cell, share_bar, table
from .tokens import token_box, token_row


def pruning_stepper(
    word_freqs: Mapping[str, int],
    steps: Iterable[unigram.Step],
    *,
    top: int = 8,
    max_words: int = 8,
    ask: bool = False,
) -> FramePlayer:
    """The pruning, one round at a time: what each token's absence would cost, what goes, and how words are cut then.

    steps: records of `unigram.train_steps`. top: how many tokens are listed, the cheapest first. max_words: how many
    words are shown, the most frequent ones. ask: whether it is to be guessed, before each round, what its tokens will
    cost together.

    Raises ValueError if there are no steps.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> pruning_stepper(corpus, unigram.train_steps(corpus, vocab_size=12, initial_size=15, drop=0.2))
    1 round of pruning, from 15 tokens to 12
    0. Start: 15 tokens, a loss of 142.0
    1. 12 tokens: without ug, pu and un; a loss of 142.7
    """
    steps = list(steps)
    if not steps:
        raise ValueError("steps is empty; expected at least one round of pruning")
    words = sorted(word_freqs, key=word_freqs.__getitem__, reverse=True)[:max_words]
    models = [steps[0].before, *(step.model for step in steps)]
    frames = [
        columns(
            _cuts(word_freqs, words, model), _scores(step, top) if step else tag("p", "The end.")
        )
        for model, step in zip(models, [*steps, None])
    ]
    asks = {
        number: _asked(step, frame)
        for number, (step, frame) in enumerate(zip(steps, frames), start=1)
    }
    frames[1:] = [pieces(_told(step), frame) for step, frame in zip(steps, frames[1:])]
    labels = [
        f"Start: {len(models[0].losses):,} tokens, a loss of {steps[0].loss:,.1f}",
        *(
            f"{len(step.model.losses):,} tokens: without {_listed(step.removed)}; a loss of {step.loss_after:,.1f}"
            for step in steps
        ),
    ]
    rounds = counted(len(steps), "round")
    player = FramePlayer(
        frames,
        labels,
        f"{rounds} of pruning, from {len(models[0].losses):,} tokens to {len(models[-1].losses):,}",
    )
    return asking(player, asks) if ask else player


def _asked(step: unigram.Step, before: Html) -> Ask:
    """What a round's tokens cost together is to be guessed: what their scores add up to, or more?"""
    alone = float(sum(step.scores[token] for token in step.removed))  # type: ignore[misc]
    told = f"Without them the loss goes from {step.loss:,.1f} to {step.loss_without:,.1f}."
    more = step.loss_without - step.loss > alone + 0.05
    question = f"Now {_listed(step.removed)} go. Their scores add up to {alone:,.1f}. What do they cost together?"
    return Ask(
        question,
        before,
        [
            Choice("just that", f"{told} {'Look again.' if more else 'Right.'}", not more),
            Choice("more", f"{told} {'Right.' if more else 'Look again.'}", more),
        ],
        covers=True,
    )


def _listed(tokens: Sequence[str], most: int = 5) -> str:
    shown, more = list(tokens[:most]), len(tokens) - most
    shown += [f"{more:,} more"] if more > 0 else []
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _told(step: unigram.Step) -> Html:
    return tag(
        "p",
        f"Loss {step.loss:,.1f}; without these tokens {step.loss_without:,.1f}; with the losses made anew "
        f"{step.loss_after:,.1f}. Gone: ",
        token_row(step.removed[:30]),
    )


def _cuts(word_freqs: Mapping[str, int], words: Sequence[str], model: unigram.UnigramModel) -> Html:
    cut = {word: unigram.viterbi(word, model) for word in words}
    rows = [
        [word_freqs[word], Cell("|".join(tokens), token_row(tokens)), f"{loss:.2f}"]
        for word, (tokens, loss) in cut.items()
    ]
    return table(rows, ["times", "word", "loss"], "Words").html()


def _scores(step: unigram.Step, top: int) -> Html:
    scores = {token: float(score) for token, score in step.scores.items()}  # type: ignore[arg-type]
    most = max(scores.values(), default=0) or 1
    ranked = sorted(scores, key=lambda token: (token not in step.removed, round(scores[token], 6)))[
        :top
    ]
    rows = [
        [
            Cell(token, token_box(token)),
            f"{scores[token]:.2f}",
            share_bar(scores[token] / most, "removed next" * (token in step.removed)),
        ]
        for token in ranked
    ]
    return table(rows, ["token", "loss without it", ""], "What would each cost?").html()
