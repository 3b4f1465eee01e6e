"""The exercises of lesson 04: byte-pair compression, and what words made of it."""
from __future__ import annotations

import re

from ... import bpe
from ...compression import RULE_SIZE, TIES, CompressionTable, compress, compress_steps, pair_freqs, undo
from ...studies import merging
from ..kinds import Choice, Merges, Number, Ordering, Segmentation, Text, Tokens, prediction
from ..question import Mistake, Question, exercise
from ..rng import Rng
from .corpora import as_merges, as_table, as_tokens, word_freqs

LATIN = "bcdfghklmnprst"                        # without vowels, so that no pair of letters is an English word
CHINESE = "人口山木水火日月"
SCRIPTS = (LATIN, LATIN, LATIN, "абвдеклмнорст", CHINESE, "ကခတနမသ")     # where no letters have to be typed
MOTIFS = ("aaab", "aab", "abab", "abba", "aabb", "abc", "aaa", "abcb")
MARK = "</w>"
WORDS_TOLD = f"`{MARK}` closes every word, as one symbol of its own."
COUNT = Number(form="a whole number, such as 1234")


def repeating(rng: Rng, low: int = 9, high: int = 14, alphabet: str = LATIN) -> str:
    """A string that repeats itself: a motif, again and again, with single letters between.

    >>> repeating(Rng("a"))
    'bmnbmnbmnbmnbmn'
    """
    while True:
        letters, motif = rng.sample(alphabet, 4), rng.choice(MOTIFS)
        parts = [motif if rng.below(3) else rng.choice("abcd") for _ in range(rng.between(3, 6))]
        string = "".join(letters["abcd".index(letter)] for letter in "".join(parts))
        if low <= len(string) <= high and len(set(string)) > 2 and not any(letter * 5 in string for letter in letters):
            return string


def bare(typed: str) -> str:
    """The letters and digits alone."""
    return re.sub(r"[\W_]", "", typed)


def unless[T](value: T, *others: object) -> T | None:
    return None if value in others else value


def written(rules: CompressionTable | list[tuple[str, str]]) -> list[str]:
    return [f"{symbol}={pair}" for symbol, pair in dict(rules).items()]


def as_rules(table: CompressionTable) -> str:
    rows = [f"| `{symbol}` | `{pair}` |" for symbol, pair in table.items()]
    return "\n".join(["| symbol | stands for |", "|---|---|", *rows])
