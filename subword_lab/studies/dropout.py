<<<<<<< HEAD
"""BPE-dropout (Provilkov and others, 2020): merges are left out by chance, so that a word is cut in many ways."""
from __future__ import annotations

from random import Random

from ..arguments import check_words, shorten
from ..bpe import BPEModel, split_words


def encode_with_dropout(word: str, model: BPEModel, rng: Random, dropout: float = 0.1) -> list[str]:
    """Cut a word as BPE does, but at each step every possible merge is left out with the probability `dropout`.

    At 0 this is how the model always cuts, at 1 the word stays in single symbols. rng: its seed decides. Characters
    that the vocabulary lacks are let through. Raises ValueError for a `dropout` outside 0 to 1.

    >>> from subword_lab import bpe
    >>> model, rng = bpe.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3), Random(1)
    >>> [" ".join(encode_with_dropout("unhug", model, rng, 0.5)) for _ in range(4)]
    ['u n h u g', 'un h ug', 'u n hug', 'un hug']
    """
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(f"dropout is {shorten(dropout)}; expected a probability, from 0 to 1")
    check_words("word", [word], mark=model.end_of_word)
    symbols = list(split_words([word], model.end_of_word)[word]) if word else []
    while possible := [(model.ranks[pair], place) for place, pair in enumerate(zip(symbols, symbols[1:]))
                       if pair in model.ranks and rng.random() >= dropout]:
        _, place = min(possible)
        symbols[place:place + 2] = [symbols[place] + symbols[place + 1]]
=======
"""BPE-dropout: the same word cut differently by BPE, which has no probabilities to draw from.

Source: I. Provilkov, D. Emelianenko and E. Voita, "BPE-Dropout: Simple and Effective Subword Regularization" (2020).
"""
from __future__ import annotations

from itertools import pairwise
from random import Random

from ..arguments import check_string, shorten
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
    if not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(f"dropout is {shorten(dropout)}; expected a probability between 0 and 1")
    symbols = [*check_string("word", word), *filter(None, [model.end_of_word])]
    while found := [(model.ranks[pair], place) for place, pair in enumerate(pairwise(symbols))
                    if pair in model.ranks and rng.random() >= dropout]:
        _, place = min(found)
        symbols[place:place + 2] = ["".join(symbols[place:place + 2])]
>>>>>>> main
    return symbols
