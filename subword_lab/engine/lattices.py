"""The lattices of a whole corpus, kept while tokens are removed: what makes Unigram's training fast.

`corpus_loss`, `removal_scores` and `expected_counts` of `unigram` say what is computed; here the same is computed for
every round of training without looking up the substrings of every word each time.
"""
from __future__ import annotations

import math
from collections.abc import Collection, Mapping

SMALLEST = 1e-250                               # a probability below it may have lost digits, or have become 0


class Lattices:
    """For each word and each of its characters: the (start, token) of every token that ends with that character.

    Every character of the corpus has to be a token, so that there is always a way through a word.

    >>> corpus = Lattices({"hug": 10}, ["h", "u", "g", "hu", "ug"])
    >>> losses = {"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}
    >>> corpus.loss(losses), corpus.removal_scores(losses)
    (35.0, {'hu': 0.0, 'ug': 10.0})
    >>> corpus.remove(["ug"])
    >>> corpus.loss(losses)
    45.0
    """

    def __init__(self, word_freqs: Mapping[str, int], tokens: Collection[str]):
        tokens, longest = set(tokens), max(map(len, tokens))
        self.freqs = list(word_freqs.values())
        self.words = [[[(start, word[start:end]) for start in range(max(0, end - longest), end)
                        if word[start:end] in tokens] for end in range(1, len(word) + 1)] for word in word_freqs]

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        for word in self.words:
            for end, edges in enumerate(word):
                if any(token in gone for _, token in edges):
                    word[end] = [edge for edge in edges if edge[1] not in gone]

    def loss(self, losses: Mapping[str, float]) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        return sum(freq * _best(word, losses)[0] for word, freq in zip(self.words, self.freqs))

    def removal_scores(self, losses: Mapping[str, float]) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        scores = {token: 0.0 for token in losses if len(token) > 1}
        losses = dict(losses)
        for word, freq in zip(self.words, self.freqs):
            loss, last = _best(word, losses)
            for token in _tokens(last):
                if token in scores:
                    kept, losses[token] = losses[token], math.inf
                    scores[token] += freq * (_best(word, losses)[0] - loss)
                    losses[token] = kept
        return scores

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there, but in probabilities, which need no exponential and no logarithm an edge; only a word that is
        too improbable for that goes by losses. Backward, the occurrences that reach a gap are shared out among the
        tokens that end there, each by its part in the forward probability.
        """
        counts, corpus_loss = dict.fromkeys(losses, 0.0), 0.0
        probs = {token: math.exp(-loss) for token, loss in losses.items()}
        log = math.log
        for word, freq in zip(self.words, self.freqs):
            total = [1.0]
            for edges in word:
                total.append(sum([total[start] * probs[token] for start, token in edges]))
            if total[-1] < SMALLEST:
                corpus_loss += self._count_in_logarithms(word, freq, losses, counts)
                continue
            corpus_loss -= freq * log(total[-1])
            reach = [0.0] * len(word) + [float(freq)]
            for end in range(len(word), 0, -1):
                rate = reach[end] / total[end] if reach[end] else 0.0
                for start, token in word[end - 1]:
                    share = rate * total[start] * probs[token]
                    reach[start] += share
                    counts[token] += share
        return counts, corpus_loss

    @staticmethod
    def _count_in_logarithms(word: list[list[tuple[int, str]]], freq: int, losses: Mapping[str, float],
                             counts: dict[str, float]) -> float:
        """Add a word's part to the counts where probabilities are too small for a number; returns its corpus loss."""
        exp, log = math.exp, math.log
        total = [0.0]
        for edges in word:
            ways = [total[start] + losses[token] for start, token in edges]
            low = min(ways)
            total.append(low - log(sum([exp(low - way) for way in ways])))
        reach = [0.0] * len(word) + [float(freq)]
        for end in range(len(word), 0, -1):
            for start, token in word[end - 1]:
                share = reach[end] * exp(total[end] - total[start] - losses[token])
                reach[start] += share
                counts[token] += share
        return freq * total[-1]


def _best(word: list[list[tuple[int, str]]], losses: Mapping[str, float]) -> tuple[float, list[tuple[int, str]]]:
    """The best path's loss, and for each end the (start, token) of the best last token, as `lattice.viterbi_table`."""
    best, last = [0.0], []
    for edges in word:
        lowest = math.inf
        for edge in edges:
            loss = best[edge[0]] + losses[edge[1]]
            if loss < lowest:
                lowest, choice = loss, edge
        best.append(lowest)
        last.append(choice)
    return best[-1], last


def _tokens(last: list[tuple[int, str]]) -> set[str]:
    tokens, end = set(), len(last)
    while end > 0:
        end, token = last[end - 1]
        tokens.add(token)
    return tokens
