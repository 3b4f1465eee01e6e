"""The lattices of a whole corpus, kept while tokens are removed: what makes Unigram's training fast.

`corpus_loss`, `removal_scores` and `expected_counts` of `unigram` say what is computed; here the same is computed for
every round of training without looking up the substrings of every word each time.

Words that begin alike have the same lattice up to where they part. So there is one lattice for all of them, a tree of
beginnings: a node for each beginning, and a road for each token that ends there, from the node where it starts. Nodes
of one length stand side by side, and no road leads from one of them to another: so numpy works out all of them in one
go, length after length.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from .. import engines

PLACES = 1 << 19  # in words without one of their tokens, that are worked out at a time


def lattices(
    word_freqs: Mapping[str, int], tokens: Collection[str], engine: str | None = None
) -> Any:
    """The lattices of a corpus, by the engine that was asked for, or compiled if the corpus is large."""
    compiled = engines.choose(engine, lattices=sum(map(len, word_freqs)))
    if compiled and sum(word_freqs.values()) < 1 << 53:
        return compiled.lattices(word_freqs, tokens)
    return Lattices(word_freqs, tokens)


def rows_of(first: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All rows of these nodes, and how many each has; the rows of node n are from first[n] to first[n + 1]."""
    many = first[nodes + 1] - first[nodes]
    return np.arange(many.sum()) + np.repeat(first[nodes] - many.cumsum() + many, many), many


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
        self.lengths = np.array([len(token) for token in tokens])
        self.freqs = np.array([*word_freqs.values()], float)
        self.sizes = np.array([len(word) for word in word_freqs])
        # A node is the beginning of a word; those of one length stand side by side, and node 0 is the empty one.
        longest = max(map(len, tokens), default=0)
        words = sorted(word_freqs)
        node_of = dict.fromkeys(words, 0)  # how far each word has come
        parents, depth_of, endings = (
            [0],
            [0],
            [""],
        )  # endings: of a node, as long as the longest token
        for depth in range(max(map(len, words), default=0)):
            words = [word for word in words if len(word) > depth]
            numbers: dict[tuple[int, str], int] = {}
            for word in words:
                parent, char = node_of[word], word[depth]
                number = numbers.setdefault((parent, char), len(parents))
                if number == len(parents):
                    parents.append(parent)
                    depth_of.append(depth + 1)
                    endings.append((endings[parent] + char)[-longest:])
                node_of[word] = number
        self.last_nodes = np.array([*map(node_of.__getitem__, word_freqs)], int)
        self.parents, self.depth_of = np.array(parents), np.array(depth_of)
        self.depths = np.append(0, np.bincount(self.depth_of).cumsum()).tolist()
        roads = []  # the longest token of a node first
        for number, ending in enumerate(endings):
            start, here = number, []
            for begin in range(len(ending) - 1, -1, -1):
                start = parents[start]
                token = self.ids.get(ending[begin:])
                if token is not None:
                    here.append((start, token, number))
            roads += here[::-1]
        self._set_roads(*np.array(roads, int).reshape(-1, 3).T.copy())

    def _set_roads(self, starts: np.ndarray, tokens: np.ndarray, ends: np.ndarray) -> None:
        """first: by node, its first road; for one node more, where they end."""
        self.starts, self.tokens, self.ends = starts, tokens, ends
        self.first = np.append(0, np.bincount(ends, minlength=self.depths[-1]).cumsum())

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        stays = np.ones(len(self.ids), bool)
        stays[[self.ids[token] for token in gone]] = False
        self._set_roads(*(row[stays[self.tokens]] for row in (self.starts, self.tokens, self.ends)))

    def loss(self, losses: Mapping[str, float]) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        return sum((self.freqs * self._best(self._by_id(losses))[self.last_nodes]).tolist())

    def removal_scores(self, losses: Mapping[str, float]) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        by_id = self._by_id(losses)
        best = self._best(by_id)
        last = self._last_roads(by_id, best)
        words, tokens = self._tokens_in_use(last)
        pairs = max(PLACES // len(self.depths), 1)
        parts = [slice(begin, begin + pairs) for begin in range(0, len(words), pairs)]
        without = np.concatenate(
            [best[:0], *(self._without(words[p], tokens[p], by_id, best, last) for p in parts)]
        )
        rise = self.freqs[words] * (without - best[self.last_nodes[words]])
        scores = np.bincount(tokens, rise, len(by_id)).tolist()
        return {token: scores[self.ids[token]] for token in losses if len(token) > 1}

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there. Backward, the occurrences that reach a node are shared out among the tokens that end there,
        each by its part in the forward probability.
        """
        by_id = self._by_id(losses)
        costs, total = by_id[self.tokens], np.zeros(self.depths[-1])
        for nodes, roads, first in self._levels():
            ways = -total[self.starts[roads]] - costs[roads]
            total[nodes] = -np.logaddexp.reduceat(ways, first)
        used = np.exp(total[self.ends] - total[self.starts] - costs)
        reach = np.bincount(self.last_nodes, self.freqs, len(total))
        for _, roads, _ in [*self._levels()][::-1]:
            used[roads] *= reach[self.ends[roads]]
            np.add.at(reach, self.starts[roads], used[roads])
        counts = np.bincount(self.tokens, used, len(by_id)).tolist()
        corpus_loss = float(self.freqs @ total[self.last_nodes])
        return {token: counts[self.ids[token]] for token in losses}, corpus_loss

    def _by_id(self, losses: Mapping[str, float]) -> np.ndarray:
        by_id = np.full(len(self.ids), math.inf)  # as for those that were removed
        by_id[[*map(self.ids.__getitem__, losses)]] = [*losses.values()]
        return by_id

    def _levels(self) -> Iterator[tuple[slice, slice, np.ndarray]]:
        """The nodes of each length from 1 on, the roads that end there, and which of these is each node's first."""
        for begin, end in zip(self.depths[1:], self.depths[2:]):
            roads = slice(int(self.first[begin]), int(self.first[end]))
            yield slice(begin, end), roads, self.first[begin:end] - roads.start

    def _best(self, losses: np.ndarray) -> np.ndarray:
        """For each node the best path's loss."""
        best, costs = np.zeros(self.depths[-1]), losses[self.tokens]
        for nodes, roads, first in self._levels():
            best[nodes] = np.minimum.reduceat(best[self.starts[roads]] + costs[roads], first)
        return best

    def _last_roads(self, losses: np.ndarray, best: np.ndarray) -> np.ndarray:
        """The last road of each node's best path.

        Of two best roads to a node the first counts, the one with the longer token, as in `lattice.viterbi_table`.
        """
        good = np.flatnonzero(best[self.starts] + losses[self.tokens] == best[self.ends])[::-1]
        last = np.zeros(len(best), int)
        last[self.ends[good]] = good  # of several, what was written last stays
        return last

    def _tokens_in_use(self, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The words, and the tokens of two or more characters on their best paths, each pair once."""
        words, nodes, pairs = np.arange(len(self.freqs)), self.last_nodes, [np.zeros(0, int)]
        while len(words):
            roads = last[nodes]
            pairs.append(
                (words * len(self.ids) + self.tokens[roads])[self.lengths[self.tokens[roads]] > 1]
            )
            nodes = self.starts[roads]
            words, nodes = words[nodes > 0], nodes[nodes > 0]
        return np.divmod(np.unique(np.concatenate(pairs)), len(self.ids))

    def _without(
        self,
        words: np.ndarray,
        gone: np.ndarray,
        losses: np.ndarray,
        best: np.ndarray,
        last: np.ndarray,
    ) -> np.ndarray:
        """The loss of each word's best path without the token beside it."""
        sizes, rows = self.sizes[words], np.arange(len(words))
        paths, nodes = np.zeros((len(words), int(sizes.max()) + 1), int), self.last_nodes[words]
        for _ in range(paths.shape[1]):
            paths[rows, self.depth_of[nodes]] = nodes
            nodes = self.parents[nodes]
        changed = (self.tokens[last[paths]] == gone[:, None]) & (paths > 0)
        first = changed.argmax(axis=1)  # up to here, no best path changes
        found = best[paths]
        for depth in range(2, paths.shape[1]):
            rows = np.flatnonzero((first <= depth) & (depth <= sizes))
            roads, many = rows_of(self.first, paths[rows, depth])
            rows_here, tokens = np.repeat(rows, many), self.tokens[roads]
            costs = np.where(tokens == gone[rows_here], math.inf, losses[tokens])
            ways = found[rows_here, self.depth_of[self.starts[roads]]] + costs
            found[rows, depth] = np.minimum.reduceat(ways, many.cumsum() - many)
        return found[np.arange(len(words)), sizes]
