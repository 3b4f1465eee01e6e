"""BPE-dropout: the same word cut differently by BPE, which has no probabilities to draw from.

Source: I. Provilkov, D. Emelianenko and E. Voita, "BPE-Dropout: Simple and Effective Subword Regularization" (2020).
"""

from itertools import pairwise
from random import Random

from ..arguments import check_probability, check_string
from ..bpe import BPEModel


def bpe_dropout(word: str, model: BPEModel, rng: Random, dropout: float = 0.1) -> list[str]:
    """Cut the word with BPE, while each merge that could be made next is overlooked with the probability `dropout`.

    Of the pairs that are not overlooked, the one that was learned first is merged; where all are, the word stays as it
    is. With 0 this is `bpe.encode_word` with the lowest rank first, with 1 it leaves the characters. rng: a
    `random.Random`, whose seed decides. Raises ValueError if `dropout` is not between 0 and 1.

    >>> model = BPEModel(["h", "u", "g", "ug", "hug"], [("u", "g"), ("h", "ug")])
    >>> rng = Random(1)
    >>> [" ".join(bpe_dropout("hug", model, rng, 0.5)) for _ in range(4)]
    ['h u g', 'hug', 'h u g', 'h u g']
    """
    check_probability("dropout", dropout)
    symbols = [*check_string("word", word), *filter(None, [model.end_of_word])]
    while found := [
        (model.ranks[pair], place)
        for place, pair in enumerate(pairwise(symbols))
        if pair in model.ranks and rng.random() >= dropout
    ]:
        _, place = min(found)
        symbols[place : place + 2] = ["".join(symbols[place : place + 2])]
    return symbols
