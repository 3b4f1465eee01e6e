"""The lattices of a whole corpus, kept while tokens are removed: what makes Unigram's training fast.

`corpus_loss`, `removal_scores` and `expected_counts` of `unigram` say what is computed; here the same is computed for
every round of training without looking up the substrings of every word each time.

Words that begin alike have the same lattice up to where they part. So there is one lattice for all of them, a tree of
beginnings: a node for each beginning, and a road for each token that ends there, from the node where it starts. Nodes
of one length stand side by side, and nothing leads from one of them to another: so numpy works out all of them at
once, length after length. What is known of the ways to a node holds for every word that goes on from it, and what
flows back is added up where words meet.
"""
from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

import numpy as np

SMALLEST = 1e-250                               # a probability below it may have lost digits, or have become 0
PAIRS = 1 << 14                                 # words without one of their tokens that are worked out at a time


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
        self.paths = [[0] for _ in word_freqs]               # by word: the nodes of its beginnings, the empty one first
        self.depths = [0, 1]                                 # the first node of each length, and where they end
        roads: list[tuple[int, int, int]] = []               # start, token, end; by their ends
        longest, going_on = int(self.lengths.max()), [*zip(word_freqs, self.paths)]
        while going_on := [(word, path) for word, path in going_on if len(word) >= len(self.depths) - 1]:
            end = len(self.depths) - 1
            nodes: dict[tuple[int, str], int] = {}
            for word, path in going_on:
                key = path[-1], word[end - 1]
                if key not in nodes:
                    nodes[key] = self.depths[-1] + len(nodes)
                    found = [self.ids.get(word[start:end]) for start in range(max(0, end - longest), end)]
                    roads += [(start, token, nodes[key]) for start, token in zip(path[-longest:], found)
                              if token is not None]
                path.append(nodes[key])
            self.depths.append(self.depths[-1] + len(nodes))
        self._set_roads(*np.array(roads).reshape(-1, 3).T.copy())
        self.last_nodes = np.array([path[-1] for path in self.paths])

    def _set_roads(self, starts: np.ndarray, tokens: np.ndarray, ends: np.ndarray) -> None:
        """first: by node, its first road; for one node more, where they end."""
        self.starts, self.tokens, self.ends = starts, tokens, ends
        self.first = np.concatenate([[0], np.bincount(ends, minlength=self.depths[-1]).cumsum()])

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
        words, tokens = self._tokens_in_use(by_id, best)
        without = np.concatenate([best[:0], *(
            self._without(words[begin:begin + PAIRS], tokens[begin:begin + PAIRS], by_id, best)
            for begin in range(0, len(words), PAIRS))])
        rise = self.freqs[words] * (without - best[self.last_nodes[words]])
        scores = np.bincount(tokens, rise, len(by_id)).tolist()
        return {token: scores[self.ids[token]] for token in losses if len(token) > 1}

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there, but in probabilities, which need no exponential and no logarithm a road; only a word that is
        too improbable for that goes by losses. Backward, the occurrences that reach a node are shared out among the
        tokens that end there, each by its part in the forward probability.
        """
        by_id, corpus_loss = self._by_id(losses), 0.0
        probs = self._by_id({token: math.exp(-loss) for token, loss in losses.items()})[self.tokens]
        total, ways = np.ones(self.depths[-1]), np.zeros(len(self.tokens))
        for nodes, roads, first in self._levels():
            ways[roads] = total[self.starts[roads]] * probs[roads]
            total[nodes] = np.add.reduceat(ways[roads], first)
        reached = total[self.last_nodes]
        clear = reached >= SMALLEST
        reach = np.zeros(len(total))
        reach[self.last_nodes[clear]] = self.freqs[clear]
        for nodes, roads, _ in [*self._levels()][::-1]:
            rate = np.divide(reach[nodes], total[nodes], out=np.zeros(nodes.stop - nodes.start), where=reach[nodes] > 0)
            ways[roads] *= rate[self.ends[roads] - nodes.start]
            np.add.at(reach, self.starts[roads], ways[roads])
        counts = np.bincount(self.tokens, ways, len(by_id)).tolist()
        for number, prob in enumerate(reached.tolist()):
            if prob < SMALLEST:
                corpus_loss += self._count_in_logarithms(number, by_id, counts)
            else:
                corpus_loss -= self.freqs[number] * math.log(prob)
        return {token: counts[self.ids[token]] for token in losses}, float(corpus_loss)

    def _by_id(self, losses: Mapping[str, float]) -> np.ndarray:
        by_id = np.full(len(self.ids), math.inf)                                # as for those that were removed
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

    def _tokens_in_use(self, losses: np.ndarray, best: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The words, and the tokens of two or more characters on their best paths, each pair once.

        Of two best roads to a node the first counts, the one with the longer token, as in `lattice.viterbi_table`.
        """
        good = np.flatnonzero(best[self.starts] + losses[self.tokens] == best[self.ends])[::-1]
        last = np.zeros(len(best), int)
        last[self.ends[good]] = good                                   # of several, what was written last stays
        words, nodes, pairs = np.arange(len(self.freqs)), self.last_nodes, [np.zeros(0, int)]
        while len(words):
            roads = last[nodes]
            pairs.append((words * len(losses) + self.tokens[roads])[self.lengths[self.tokens[roads]] > 1])
            nodes = self.starts[roads]
            words, nodes = words[nodes > 0], nodes[nodes > 0]
        return np.divmod(np.unique(np.concatenate(pairs)), len(losses))

    def _without(self, words: np.ndarray, gone: np.ndarray, losses: np.ndarray, best: np.ndarray) -> np.ndarray:
        """The loss of each word's best path without the token beside it."""
        sizes = self.sizes[words]
        paths = np.zeros((len(words), int(sizes.max()) + 1), int)
        for row, word in zip(paths, words.tolist()):
            row[:len(self.paths[word])] = self.paths[word]
        found, depth_of = best[paths], np.repeat(np.arange(len(self.depths) - 1), np.diff(self.depths))
        for depth in range(2, paths.shape[1]):
            rows = np.flatnonzero((self.lengths[gone] <= depth) & (depth <= sizes))
            if not len(rows):
                continue
            nodes = paths[rows, depth]
            many = self.first[nodes + 1] - self.first[nodes]
            first = many.cumsum() - many
            roads = np.arange(many.sum()) + np.repeat(self.first[nodes] - first, many)
            rows_of, tokens = np.repeat(rows, many), self.tokens[roads]
            costs = np.where(tokens == gone[rows_of], math.inf, losses[tokens])
            found[rows, depth] = np.minimum.reduceat(found[rows_of, depth_of[self.starts[roads]]] + costs, first)
        return found[np.arange(len(words)), sizes]

    def _count_in_logarithms(self, number: int, losses: np.ndarray, counts: list[float]) -> float:
        """Add a word's part to the counts where probabilities are too small for a number; returns its corpus loss."""
        exp, log, path, freq = math.exp, math.log, self.paths[number], float(self.freqs[number])
        total, reach, roads_to = {0: 0.0}, dict.fromkeys(path, 0.0), {}
        for node in path[1:]:
            roads = slice(self.first[node], self.first[node + 1])
            tokens = self.tokens[roads]
            roads_to[node] = [*zip(self.starts[roads].tolist(), tokens.tolist(), losses[tokens].tolist())]
            ways = [total[start] + loss for start, _, loss in roads_to[node]]
            low = min(ways)
            total[node] = low - log(sum([exp(low - way) for way in ways]))
        reach[path[-1]] = freq
        for node in path[:0:-1]:
            for start, token, loss in roads_to[node]:
                share = reach[node] * exp(total[node] - total[start] - loss)
                reach[start] += share
                counts[token] += share
        return freq * total[path[-1]]
