"""The lattices of a whole corpus, kept while tokens are removed: what makes Unigram's training fast.

`corpus_loss`, `removal_scores` and `expected_counts` of `unigram` say what is computed; here the same is computed for
every round of training without looking up the substrings of every word each time.

Words that begin alike have the same lattice up to where they part. So there is one lattice for all of them, a tree of
beginnings: a node for each beginning, and a road for each token that ends there, from the node where it starts. What
is known of the ways to a node holds for every word that goes on from it, and what flows back is added up where words
meet. `lattice_arrays` has the same for numpy, which works out all beginnings of one length at once, and
`compiled_lattices` for numba.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from itertools import repeat
from typing import TYPE_CHECKING, TypeAlias

from .compiling import choose

if TYPE_CHECKING:
    from .compiled_lattices import CompiledLattices
    from .lattice_arrays import ArrayLattices

    AnyLattices: TypeAlias = "Lattices | ArrayLattices | CompiledLattices"

SMALLEST = 1e-250  # a probability below it may have lost digits, or have become 0
WORTH_ARRAYS = 2_000  # characters in different words, from which on numpy is ahead
WORTH_COMPILING = 1 << 18  # the same, from which on a compiler is worth the wait
Road = tuple[int, int]  # the node where a token starts, and the token's number


def lattices(
    word_freqs: Mapping[str, int], tokens: Collection[str], engine: str | None = None
) -> AnyLattices:
    """The lattices of a corpus: compiled if it is large, in arrays if it is not small and numpy is there.

    >>> type(lattices({"hug": 10}, ["h", "u", "g"])).__name__
    'Lattices'
    """
    size = sum(map(len, word_freqs))
    if choose(engine, size, WORTH_COMPILING) == "compiled" and sum(word_freqs.values()) < 1 << 53:
        from .compiled_lattices import CompiledLattices

        return CompiledLattices(word_freqs, tokens)
    if size < WORTH_ARRAYS or not find_spec("numpy"):
        return Lattices(word_freqs, tokens)
    from .lattice_arrays import ArrayLattices

    return ArrayLattices(word_freqs, tokens)


class Lattices:
    """For each beginning of a word: the roads that end there, each with its start and its token.

    Every character of the corpus has to be a token, so that there is always a way through a word. Best paths have the
    losses of `unigram` to the last bit. What is summed over all paths is summed in another order, so the last of its
    sixteen digits may differ.

    >>> corpus = Lattices({"hug": 10}, ["h", "u", "g", "hu", "ug"])
    >>> losses = {"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}
    >>> corpus.loss(losses), corpus.removal_scores(losses)
    (35.0, {'hu': 0.0, 'ug': 10.0})
    >>> corpus.remove(["ug"])
    >>> corpus.loss(losses)
    45.0
    """

    def __init__(self, word_freqs: Mapping[str, int], tokens: Collection[str]):
        self.ids = {token: number for number, token in enumerate(tokens)}
        self.freqs = list(word_freqs.values())
        self.paths: list[
            list[int]
        ] = []  # by word: the nodes of its beginnings, the empty one first
        self.roads: list[list[Road]] = [
            []
        ]  # by node; a node's number is above those it starts from
        nodes: dict[tuple[int, str], int] = {}
        longest = max(map(len, tokens))
        for word in word_freqs:
            path = [0]
            for end, char in enumerate(word, start=1):
                node = nodes.setdefault((path[-1], char), len(self.roads))
                if node == len(self.roads):
                    found = [
                        self.ids.get(word[start:end]) for start in range(max(0, end - longest), end)
                    ]
                    self.roads.append(
                        [
                            (start, token)
                            for start, token in zip(path[-longest:], found)
                            if token is not None
                        ]
                    )
                path.append(node)
            self.paths.append(path)

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        numbers = {self.ids[token] for token in gone}
        for node, roads in enumerate(self.roads):
            for _, token in roads:
                if token in numbers:
                    self.roads[node] = [road for road in roads if road[1] not in numbers]
                    break

    def loss(self, losses: Mapping[str, float]) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        best, _ = self._best(self._by_id(losses))
        return sum(freq * best[path[-1]] for path, freq in zip(self.paths, self.freqs))

    def removal_scores(self, losses: Mapping[str, float]) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        by_id = self._by_id(losses)
        best, last = self._best(by_id)
        scores = [0.0] * len(by_id)
        single = {number for token, number in self.ids.items() if len(token) == 1}
        for path, freq in zip(self.paths, self.freqs):
            node, used = path[-1], set()
            loss = best[node]
            while node:
                node, token = last[node]
                used.add(token)
            for token in used - single:
                scores[token] += freq * (self._without(token, path, by_id, best, last) - loss)
        return {token: scores[self.ids[token]] for token in losses if len(token) > 1}

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there, but in probabilities, which need no exponential and no logarithm a road; only a word that is
        too improbable for that goes by losses. Backward, the occurrences that reach a node are shared out among the
        tokens that end there, each by its part in the forward probability.
        """
        by_id, corpus_loss = self._by_id(losses), 0.0
        probs = [math.exp(-loss) for loss in by_id]
        total = [1.0]
        for roads in self.roads[1:]:
            all_ways = 0.0
            for start, token in roads:
                all_ways += total[start] * probs[token]
            total.append(all_ways)
        counts, reach = [0.0] * len(probs), [0.0] * len(total)
        for path, freq in zip(self.paths, self.freqs):
            if total[path[-1]] < SMALLEST:
                roads_to = {
                    node: [(start, token, by_id[token]) for start, token in self.roads[node]]
                    for node in path
                }
                corpus_loss += count_in_logarithms(path, freq, roads_to, counts)
            else:
                corpus_loss -= freq * math.log(total[path[-1]])
                reach[path[-1]] += freq
        for node in range(len(total) - 1, 0, -1):
            if reach[node]:
                rate = reach[node] / total[node]
                for start, token in self.roads[node]:
                    share = rate * total[start] * probs[token]
                    reach[start] += share
                    counts[token] += share
        return {token: counts[self.ids[token]] for token in losses}, corpus_loss

    def _by_id(self, losses: Mapping[str, float]) -> list[float]:
        return [*map(losses.get, self.ids, repeat(math.inf))]

    def _best(self, losses: list[float]) -> tuple[list[float], list[Road]]:
        """For each node the best path's loss, and its last road, as `lattice.viterbi_table`."""
        best, last = [0.0], [(0, -1)]
        for roads in self.roads[1:]:
            low, found = math.inf, last[0]
            for road in roads:
                loss = best[road[0]] + losses[road[1]]
                if loss < low:
                    low, found = loss, road
            best.append(low)
            last.append(found)
        return best, last

    def _without(
        self, token: int, path: list[int], losses: list[float], best: list[float], last: list[Road]
    ) -> float:
        """The loss of a word's best path without a token that is on it."""
        first = 1
        while last[path[first]][1] != token:  # up to here, no best path changes
            first += 1
        changed = path[first:]
        kept, loss = [best[node] for node in changed], losses[token]
        losses[token] = math.inf
        for node in changed:
            found = math.inf
            for start, other in self.roads[node]:
                way = best[start] + losses[other]
                if way < found:
                    found = way
            best[node] = found
        losses[token] = loss
        for node, old in zip(changed, kept):
            best[node] = old
        return found


def count_in_logarithms(
    path: list[int],
    freq: float,
    roads_to: Mapping[int, list[tuple[int, int, float]]],
    counts: list[float],
) -> float:
    """Add a word's part to the counts where probabilities are too small for a number; returns its corpus loss.

    roads_to: for each node of the path its roads: start, token, loss.
    """
    exp, log = math.exp, math.log
    total, reach = {0: 0.0}, dict.fromkeys(path, 0.0)
    for node in path[1:]:
        ways = [total[start] + loss for start, _, loss in roads_to[node]]
        low = min(ways)
        total[node] = low - log(sum([exp(low - way) for way in ways]))
    reach[path[-1]] = float(freq)
    for node in path[:0:-1]:
        for start, token, loss in roads_to[node]:
            share = reach[node] * exp(total[node] - total[start] - loss)
            reach[start] += share
            counts[token] += share
    return freq * total[path[-1]]
