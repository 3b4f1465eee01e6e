"""What merging reaches: how the number of tokens goes, and how good greedy merges are.

Training is told in `bpe`; here its models are looked at from outside. Nothing else depends on this file.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .. import bpe
from ..arguments import (
    check_choice,
    check_count,
    check_string,
    check_word_freqs,
    check_words,
)
from ..compression import COUNTING
from ..structures.pair_index import PairIndex


@dataclass(frozen=True)
class TokenCount:
    """How many tokens there are after some merges."""

    merges: int
    in_use: int  # different tokens that still occur
    kept: int  # different tokens ever, as BPE keeps them
    corpus: int  # tokens that the corpus consists of


def token_counts(word_freqs: Mapping[str, int], model: bpe.BPEModel) -> list[TokenCount]:
    """What grows and what shrinks while the merges of a model are made, one record before the first and after each.

    >>> words = {"old": 7, "older": 3, "finest": 9, "lowest": 4}
    >>> model = bpe.train(words, num_merges=5, end_of_word="</w>")
    >>> [(count.in_use, count.kept, count.corpus) for count in token_counts(words, model)]
    [(12, 12, 137), (12, 13, 124), (11, 14, 111), (11, 15, 98), (12, 16, 88), (11, 17, 78)]
    """
    check_word_freqs(word_freqs, mark=model.end_of_word)
    splits = bpe.split_words(word_freqs, model.end_of_word)
    freqs = Counter(bpe.token_freqs(word_freqs, splits))
    index = PairIndex(splits.values(), word_freqs.values())
    in_use, corpus = len(freqs), freqs.total()
    counts = [TokenCount(0, in_use, in_use, corpus)]
    for pair in model.merges:
        new = "".join(pair)
        in_use -= sum(freqs[symbol] > 0 for symbol in {*pair, new})
        times, _ = index.merge(pair, new)
        freqs[new] += times
        for symbol in pair:
            freqs[symbol] -= times
        in_use += sum(freqs[symbol] > 0 for symbol in {*pair, new})
        corpus -= times
        counts.append(TokenCount(len(counts), in_use, len(freqs), corpus))
    return counts


def optimal_merges(
    text: str, num_merges: int, *, limit: int = 1_000_000
) -> tuple[list[bpe.Pair], list[str]]:
    """The merges that leave the fewest tokens, and these tokens, found by trying all.

    limit: how many symbols the search may read before it gives up with a ValueError; the default takes about a second.

    >>> optimal_merges("aaaabaaaba", 2)
    ([('b', 'a'), ('a', 'a')], ['aa', 'aa', 'ba', 'aa', 'ba'])
    """
    return _search(
        text, num_merges, limit, lambda tokens: list(bpe.pair_freqs({"": 1}, {"": tokens}))
    )


def greedy_merges(
    text: str, num_merges: int, *, counting: str = "overlapping", limit: int = 1_000_000
) -> tuple[list[bpe.Pair], list[str]]:
    """What BPE makes of the text, every merge a most frequent pair: of all ways to settle ties, the luckiest.

    counting: see `compression.pair_freqs`; BPE's own way is "overlapping". limit: see `optimal_merges`.

    >>> greedy_merges("aaaabaaaba", 2)
    ([('a', 'a'), ('aa', 'aa')], ['aaaa', 'b', 'aa', 'a', 'b', 'a'])
    """
    check_choice("counting", counting, COUNTING)

    def most_frequent(tokens: Sequence[str]) -> list[bpe.Pair]:
        freqs = bpe.pair_freqs({"": 1}, {"": tokens})
        if counting == "non-overlapping":
            freqs = {pair: len(tokens) - len(bpe.merge_symbols(tokens, pair)) for pair in freqs}
        return [pair for pair in freqs if freqs[pair] == max(freqs.values())]

    return _search(text, num_merges, limit, most_frequent)


def _search(
    text: str, num_merges: int, limit: int, choose: Callable[[Sequence[str]], list[bpe.Pair]]
) -> tuple[list[bpe.Pair], list[str]]:
    check_count("limit", limit)
    # Tokens -> the merges that lead there; alike ones only once.
    ways: dict[tuple[str, ...], tuple[bpe.Pair, ...]] = {tuple(check_string("text", text)): ()}
    read = 0
    for _ in range(check_count("num_merges", num_merges)):
        further: dict[tuple[str, ...], tuple[bpe.Pair, ...]] = {}
        for tokens, merges in ways.items():
            for pair in choose(tokens):
                read += len(tokens)
                if read > limit:
                    raise ValueError(
                        f"text has {len(text)} characters and num_merges is {num_merges}: too many ways "
                        f"to try within limit={limit}; expected a shorter text or fewer merges"
                    )
                further.setdefault(tuple(bpe.merge_symbols(tokens, pair)), (*merges, pair))
        ways = further or ways
    best = min(ways, key=len)
    return list(ways[best]), list(best)


class EncodingCache:
    """Encodes every word once and looks it up from then on: word -> tokens, and nothing is added to the vocabulary.

    options: those of `bpe.encode_word`. hits: how many words were answered from memory; misses: how many had to be cut.

    >>> words = {"old": 7, "older": 3, "finest": 9, "lowest": 4}
    >>> cache = EncodingCache(bpe.train(words, num_merges=5, end_of_word="</w>"))
    >>> cache.encode(["old", "lowest", "old"])
    ['old', '</w>', 'l', 'o', 'w', 'est</w>', 'old', '</w>']
    >>> cache.hits, cache.misses
    (1, 2)
    """

    hits = misses = 0

    def __init__(self, model: bpe.BPEModel, **options: Any):
        self._tokens = lru_cache(None)(lambda word: bpe.encode_word(word, model, **options))

    def encode(self, words: Iterable[str]) -> list[str]:
        """The tokens of a sequence of words."""
        tokens = [token for word in check_words("words", words) for token in self._tokens(word)]
        self.hits, self.misses, *_ = self._tokens.cache_info()
        return tokens
