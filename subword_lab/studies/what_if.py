"""What if another pair had been merged? Training in which some merges are chosen by hand, and the others by the rule.

The steps are those of `bpe` or `wordpiece`. The trainer playground shows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    return ALGORITHMS[algorithm].train_steps(word_freqs, choices=choices, **options)
