"""What a tokenizer was trained on, read off the order of its merges.

Each merge was the most frequent pair of its moment. So whatever mixture of languages the training text was, no other
pair occurred more often in it: as many inequalities as there were other pairs, all of them linear in the languages'
shares. J. Hayase, A. Liu, Y. Choi, S. Oh and N. Smith (2024, Data Mixture Inference) give them to a solver of linear
programs. Here a few shares are looked for, and small steps downhill find them.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from .. import bpe
from ..arguments import check, check_count
from ..structures.pair_index import PairIndex

CHARACTERS = 10**9  # of a mixture: so many that rounding to whole words decides nothing

Corpora = Mapping[str, Mapping[str, int]]


def size(word_freqs: Mapping[str, int]) -> int:
    """How many characters the words have, each as often as it occurs.

    >>> size({"hug": 10, "hugs": 5})
    50
    """
    return sum(len(word) * freq for word, freq in word_freqs.items())


def mix(corpora: Corpora, shares: Mapping[str, float]) -> dict[str, int]:
    """The word counts of a text of a billion characters, of which each language has its share.

    corpora: language -> word counts. shares: language -> its share, of any sum.

    Raises ValueError for a language without a corpus, or for shares that are negative or all zero.

    >>> mix({"English": {"tea": 3}, "Russian": {"чай": 1, "вода": 1}}, {"English": 3, "Russian": 1})
    {'tea': 250000000, 'чай': 35714286, 'вода': 35714286}
    """
    if missing := set(shares) - set(corpora):
        raise ValueError(f"shares holds {min(missing)!r}, of which corpora has no words")
    check(
        min(shares.values(), default=0) >= 0 and any(shares.values()),
        f"shares is {dict(shares)}; expected no negative share, and one above 0",
    )
    mixed: dict[str, int] = {}
    for language, share in shares.items():
        times = share / sum(shares.values()) * CHARACTERS / size(corpora[language])
        for word, freq in corpora[language].items():
            mixed[word] = mixed.get(word, 0) + round(freq * times)
    return {word: freq for word, freq in mixed.items() if freq}


def leads(corpora: Corpora, merges: Sequence[bpe.Pair]) -> list[np.ndarray]:
    """For each merge, how much more often other pairs occur than its own, in each language, when its turn comes.

    corpora: language -> word counts. The result has an array for each merge: a row for each pair that occurs more
    often in some language, unless another pair does so by as much in every language; a column for each language, in
    pairs per character. Times the shares, no row of it is above 0 if the merges were learned from that mixture.

    >>> corpora = {"one": {"ab": 3, "cd": 1}, "two": {"ab": 1, "cd": 2}}
    >>> [array.round(2).tolist() for array in leads(corpora, [("a", "b")])]
    [[[-0.25, 0.17]]]
    """
    indexes = [PairIndex(freqs, freqs.values()) for freqs in corpora.values()]
    counts = [index.counts for index in indexes]  # which the merges keep true
    sizes = [size(freqs) for freqs in corpora.values()]
    found = []
    for merge in merges:
        pairs = dict.fromkeys(pair for of_language in counts for pair in of_language)
        rows = [[of_language.get(pair, 0) for of_language in counts] for pair in [merge, *pairs]]
        rates = np.array(rows) / sizes
        ahead = rates[1:] - rates[0]
        ahead = ahead[(ahead > 0).any(axis=1)]
        found.append(_foremost(ahead[ahead.sum(axis=1).argsort()[::-1]]))
        for index in indexes:
            index.merge(merge, "".join(merge))
    return found


def _foremost(rows: np.ndarray) -> np.ndarray:
    """The rows that none of the rows before them equals or exceeds in every column."""
    kept = [rows[:0]]
    while len(rows):
        kept.append(rows[:1])
        rows = rows[(rows > rows[0]).any(axis=1)]
    return np.concatenate(kept)


def infer_shares(
    corpora: Corpora, merges: Sequence[bpe.Pair], rounds: int = 1000
) -> dict[str, float]:
    """The shares of languages under which the order of the merges is broken least: language -> share.

    The loss of some shares is what the pair that is ahead at each merge leads by, added up over the merges. It is
    convex. From equal shares, each round multiplies every share by a little less or more, downhill and in ever smaller
    steps; it ends when no merge is contradicted, or after `rounds`, with the best shares of all rounds.

    corpora: language -> word counts of what is taken for a sample of that language.

    Raises ValueError if there are no corpora or no merges.

    >>> corpora = {"English": {"tea": 3, "cup": 2}, "Russian": {"чай": 2, "чашка": 1}}
    >>> merges = bpe.train(mix(corpora, {"English": 3, "Russian": 2}), num_merges=6).merges
    >>> shares = infer_shares(corpora, merges)
    >>> shares["English"] > shares["Russian"]
    True
    """
    check_count("the number of corpora", len(corpora), 1)
    check_count("the number of merges", len(merges), 1)
    ahead = [array for array in leads(corpora, merges) if len(array)]
    shares = np.full(len(corpora), 1 / len(corpora))
    best, least = shares, np.inf
    for done in range(rounds):
        first = np.array([array[(array @ shares).argmax()] for array in ahead])
        broken = first[first @ shares > 0] if len(first) else first
        loss = float((broken @ shares).sum())
        if loss < least:
            best, least = shares, loss
        if not loss:
            break
        slope = broken.sum(axis=0)
        shares = shares * np.exp(-slope / np.abs(slope).max() / 2 / np.sqrt(done + 1))
        shares = shares / shares.sum()
    return dict(zip(corpora, map(float, best)))
