"""A training merge by merge: the words as they stand, the pairs counted in them, and the pair that is merged next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import compression
from ..arguments import counted
from ..bpe import pair_freqs
from ..html import Html, note, pieces, tag
from ..wordpiece import pair_scores
from .asking import Ask, Choice, asking, by_count
from .player import FramePlayer
from .tables import Cell, Step, by_score, pair_table, table
from .tokens import in_a_row, row_colors, token_box, token_boxes, token_row, visible

WordFreqs = Mapping[str, int]
Splits = Mapping[str, Sequence[str]]
_NEXT = "display:inline-block;box-shadow:0 3px #d55e00"


def merge_stepper(
    word_freqs: Mapping[str, int],
    steps: Iterable[Step],
    *,
    top: int = 8,
    max_words: int = 12,
    ask: bool = False,
) -> FramePlayer:
    """The training, one merge at a time: the words as they stand, the pairs counted in them, the pair merged next.

    steps: the training's records, as `bpe.train_steps` or `wordpiece.train_steps` yields them. top: how many pairs are
    listed. max_words: how many words are shown, the most frequent ones if there are more. ask: whether each pair is to
    be guessed before it is shown.

    Raises ValueError if there are no steps.
    """
    steps = list(steps)
    states = [start_splits(steps), *(step.splits for step in steps)]
    words = (
        sorted(word_freqs, key=word_freqs.__getitem__, reverse=True)
        if len(word_freqs) > max_words
        else word_freqs
    )
    shown = {word: word_freqs[word] for word in list(words)[:max_words]}
    frames = [
        pieces(
            columns(
                words_table(word_freqs, shown, splits, last, coming),
                _pairs(word_freqs, splits, coming, steps[0], top),
            ),
            vocabulary(steps[0], last),
        )
        for splits, last, coming in zip(states, [None, *steps], [*steps, None])
    ]
    count = counted(len(steps), "merge")
    done = steps[0].number - 1
    start = f"Start: after merge {done}" if done else "Start: nothing is merged yet"
    player = FramePlayer(
        frames,
        [start, *map(step_label, steps)],
        f"{count} on a corpus of {len(word_freqs):,} words",
    )
    if not ask:
        return player
    return asking(
        player,
        {
            number: Ask(
                "Which pair is merged next? Choose it.",
                words_table(word_freqs, shown, splits, last, None),
                pair_choices(coming, top),
            )
            for number, (splits, last, coming) in enumerate(zip(states, [None, *steps], steps))
        },
    )


def start_splits(steps: Sequence[Step]) -> dict[str, list[str]]:
    """How the words were split before the first of the steps: its merge undone.

    Raises ValueError if there are no steps.
    """
    if not steps:
        raise ValueError("steps is empty; expected at least one training step")
    first = steps[0]
    return {
        word: [
            part for token in split for part in (first.pair if token == first.token else (token,))
        ]
        for word, split in first.splits.items()
    }


# ----------------------------------------------------------------------------------------------------- parts of a frame


def columns(*content: object) -> Html:
    """Side by side where there is room, else one under another."""
    return tag("div", *(tag("div", part) for part in content), class_="sl-columns")


def step_label(step: Step) -> str:
    """A merge in a line: its pair, what that becomes, and by which figures."""
    left, right = map(visible, step.pair)
    score = f"score {step.score}, " if by_score(step) else ""
    return f"{left} + {right} becomes {visible(step.token)} ({score}{step.count:,} times)"


def pair_choices(step: Step | compression.Step, top: int) -> list[Choice]:
    """The pairs of highest count or score, to be guessed from."""
    counts: Mapping[Any, Any] = step.scores if by_score(step) else step.pair_freqs
    ranked = sorted(counts, key=lambda pair: (-counts[pair], pair != step.pair))[:top]
    return by_count(
        {pair: counts[pair] for pair in ranked},
        step.pair,
        {pair: " ".join(map(visible, pair)) for pair in ranked},
        {pair: token_boxes(pair) for pair in ranked},
        "as its score" if by_score(step) else "times",
    )


def words_table(
    word_freqs: WordFreqs, shown: WordFreqs, splits: Splits, last: Step | None, coming: Step | None
) -> Html:
    """The words that are shown, as they are split: what the last step made, and what the coming one will merge."""
    made = (last.token,) if last else ()
    pair = coming.pair if coming else ()
    rows = [
        [freq, Cell(word, tag("span", merging_boxes(splits[word], pair, made), class_="sl-whole"))]
        for word, freq in shown.items()
    ]
    length = sum(freq * len(splits[word]) for word, freq in word_freqs.items())
    notes = [_more(len(word_freqs) - len(shown), "word"), f"corpus: {length:,} tokens"]
    return replace(
        table(rows, ["times", "word"], "Words"), note="; ".join(filter(None, notes))
    ).html()


def merging_boxes(
    split: Sequence[str], pair: Sequence[str], made: Sequence[str], remark: str = "merged next"
) -> Html:
    """Tokens in a row: bold what was just made, underlined together what is merged next."""
    items, i, colors = [], 0, row_colors(split)
    while i < len(split):
        width = 2 if pair and tuple(split[i : i + 2]) == tuple(pair) else 1
        boxes = pieces(
            *(
                token_box(token, strong=token in made, item=True, paint=colors[token])
                for token in split[i : i + width]
            ),
            between=" ",
        )
        items.append(tag("span", boxes, style=_NEXT, title=remark) if width == 2 else boxes)
        i += width
    return in_a_row(items)


def _pairs(
    word_freqs: WordFreqs, splits: Splits, coming: Step | None, first: Step, top: int
) -> Html:
    caption = "Pairs in these words"
    if coming:
        return pair_table(coming, top, caption, remark="merged next").html()
    freqs = pair_freqs(word_freqs, splits)
    if not freqs:
        return tag("p", "No pair is left.")
    if by_score(first):
        return pair_table(
            pair_scores(word_freqs, splits), top, caption, count="score", beside=freqs
        ).html()
    return pair_table(freqs, top, caption).html()


def vocabulary(first: Step, last: Step | None) -> Html:
    """The vocabulary after the last step, or before the first."""
    base = first.vocab[:-1] if first.vocab[-1] == first.token else first.vocab
    merged = last.vocab[len(base) :] if last else []
    shown = [*(base if len(base) <= 40 else []), *merged[-40:]]
    size = len(base) + len(merged)
    return tag(
        "p",
        tag("b", "Vocabulary"),
        f": {len(base):,} + {len(merged):,} = {size:,} tokens ",
        token_row(shown, strong=merged[-1:]),
        " ",
        note(_more(size - len(shown), "token"), "span"),
        class_="sl-vocabulary",
    )


def _more(count: int, noun: str) -> str:
    return f"and {counted(count, f'more {noun}')}" if count else ""
