"""What if another pair had been merged? Training in which some merges are chosen by hand, and the others by the rule.

The rule's own steps come from `bpe` or `wordpiece`; here they are only led onto another branch. The trainer playground
shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import bpe, wordpiece
from ..arguments import check_choice

Step = bpe.Step | wordpiece.Step
ALGORITHMS: dict[str, Any] = {"bpe": bpe, "wordpiece": wordpiece}


def train_steps(
    word_freqs: Mapping[str, int],
    choices: Mapping[int, bpe.Pair],
    *,
    algorithm: str = "bpe",
    **options: Any,
) -> Iterator[Step]:
    """Train one merge at a time, and take the pairs of `choices` where it names one, in place of the best.

    choices: number of the merge, from 1 -> the pair to be merged then. algorithm: "bpe" or "wordpiece", whose options
    and records these are. A pair that was chosen by hand is tied with none.

    Raises ValueError where the algorithm does, and for a pair that does not occur when its turn comes.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> for step in train_steps(corpus, {2: ("h", "ug")}, num_merges=3):
    ...     print(step.number, step.pair, step.count, step.splits["hugs"])
    1 ('u', 'g') 20 ['h', 'ug', 's']
    2 ('h', 'ug') 15 ['hug', 's']
    3 ('u', 'n') 16 ['hug', 's']
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    module = ALGORITHMS[algorithm]
    settings = module.Options(**options)
    splits, vocab = module._start(word_freqs, settings)
    merges: list[bpe.Pair] = []
    rule = module._steps(word_freqs, splits, vocab, settings)
    while not settings.reached(vocab, merges) and (step := next(rule, None)):
        number = len(merges) + 1
        pair = choices.get(number, step.pair)
        merges = [*merges, pair]
        step = replace(step, number=number, **({"merges": merges} if module is bpe else {}))
        if pair != step.pair:
            step = _chosen(step, pair, splits, vocab, settings)
            rule = module._steps(word_freqs, step.splits, step.vocab, settings)
        splits, vocab = step.splits, step.vocab
        yield step


def _chosen(
    step: Step, pair: bpe.Pair, splits: bpe.Splits, vocab: list[str], settings: Any
) -> Step:
    """The step with another pair merged than the rule's; splits and vocab are those before it."""
    if pair not in step.pair_freqs:
        raise ValueError(
            f"choices[{step.number}] is {pair!r}; expected a pair that occurs then, such as {step.pair!r}"
        )
    changes: dict[str, Any] = {"pair": pair, "count": step.pair_freqs[pair], "tied": []}
    if isinstance(step, bpe.Step):
        token, splits = "".join(pair), bpe.merge_pair(pair, splits)
    else:
        token = wordpiece.merged_token(pair, settings.prefix)
        splits = wordpiece.merge_pair(pair, splits, settings.prefix)
        changes["score"] = step.scores[pair]
    vocab = vocab if token in vocab else [*vocab, token]
    return replace(step, token=token, splits=splits, vocab=vocab, **changes)
