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
Row = np.ndarray
Losses = Mapping[str, float]  # of each token


def lattices(
    word_freqs: Mapping[str, int],
    tokens: Collection[str],
    engine: str | None = None,
) -> Any:
    """The lattices of a corpus, by the engine that was asked for, or compiled if the corpus is large."""
    # The rate holds for words of ten characters. What a token's absence costs is worked out up to the end of its word.
    work = sum(len(word) ** 2 for word in word_freqs) / 10
    compiled = engines.choose(engine, lattices=work)
    are_few = sum(word_freqs.values()) < 1 << 53
    return (compiled.lattices if compiled and are_few else Lattices)(word_freqs, tokens)


def rows_of(
    first: Row,
    nodes: Row,
) -> tuple[Row, Row]:
    """All rows of these nodes, and how many each has; the rows of node n are from first[n] to first[n + 1]."""
    many = first[nodes + 1] - first[nodes]
    before = many.cumsum() - many
    return np.arange(many.sum()) + np.repeat(first[nodes] - before, many), many


def in_a_row(losses: Losses, ids: Mapping[str, int]) -> Row:
    """The losses by the tokens' numbers; of a token that was removed, infinity."""
    row = np.full(len(ids), math.inf)
    row[[*map(ids.__getitem__, losses)]] = [*losses.values()]
    return row


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

    def __init__(
        self,
        word_freqs: Mapping[str, int],
        tokens: Collection[str],
    ):
        self.ids = {token: number for number, token in enumerate(tokens)}
        self.freqs = np.array([*word_freqs.values()], float)
        # A node is the beginning of a word; those of one length stand side by side, and node 0 is the empty one.
        nodes: dict[tuple[int, str], int] = {}  # its parent, and the character after that
        words = sorted(word_freqs)
        node_of = dict.fromkeys(words, 0)  # how far each word has come
        for depth in range(max(map(len, words), default=0)):
            words = [word for word in words if len(word) > depth]
            for word in words:
                node_of[word] = nodes.setdefault(
                    (node_of[word], word[depth]),
                    len(nodes) + 1,
                )
        self.last_nodes = np.array([*map(node_of.__getitem__, word_freqs)], int)
        parents = [0, *(parent for parent, _ in nodes)]
        longest = max(map(len, tokens), default=0)
        depth_of, endings = [0], [""]  # endings: as long as the longest token
        for parent, char in nodes:
            depth_of.append(depth_of[parent] + 1)
            endings.append((endings[parent] + char)[-longest:])
        self.parents, self.depth_of = np.array([parents, depth_of])
        self.depths = np.append(0, np.bincount(depth_of).cumsum()).tolist()
        roads = []  # the longest token of a node first
        for end, ending in enumerate(endings):
            start, here = end, []
            for begin in range(len(ending) - 1, -1, -1):
                start = parents[start]
                token = self.ids.get(ending[begin:])
                if token is not None:
                    here.append((start, token, end))
            roads += here[::-1]
        self._set_roads(np.array(roads, int).reshape(-1, 3).T)

    def _set_roads(self, roads: Row) -> None:
        """roads: where each starts, its token, and its end. first: by node, its first road, and where the last ends."""
        self.starts, self.tokens, self.ends = roads.copy()
        self.first = np.append(
            0,
            np.bincount(self.ends, minlength=self.depths[-1]).cumsum(),
        )

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        stays = np.ones(len(self.ids), bool)
        stays[[self.ids[token] for token in gone]] = False
        self._set_roads(
            np.array([self.starts, self.tokens, self.ends])[:, stays[self.tokens]],
        )

    def loss(self, losses: Losses) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        return sum((self.freqs * self._best(in_a_row(losses, self.ids))[self.last_nodes]).tolist())

    def removal_scores(self, losses: Losses) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        by_id = in_a_row(losses, self.ids)
        best = self._best(by_id)
        last = self._last_roads(by_id, best)
        words, tokens = self._tokens_in_use(last)
        scores = np.zeros(len(by_id))
        pairs = max(PLACES // len(self.depths), 1)
        for begin in range(0, len(words), pairs):
            part = slice(begin, begin + pairs)
            ends = self.last_nodes[words[part]]
            without = self._without(
                words[part],
                tokens[part],
                by_id,
                best,
                last,
            )
            np.add.at(
                scores,
                tokens[part],
                self.freqs[words[part]] * (without - best[ends]),
            )
        return {token: float(scores[self.ids[token]]) for token in losses if len(token) > 1}

    def expected_counts(self, losses: Losses) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there. Backward, the occurrences that reach a node are shared out among the tokens that end there,
        each by its part in the forward probability.
        """
        by_id = in_a_row(losses, self.ids)
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

    def _levels(self) -> Iterator[tuple[slice, slice, Row]]:
        """The nodes of each length from 1 on, the roads that end there, and which of these is each node's first."""
        for begin, end in zip(self.depths[1:], self.depths[2:]):
            roads = slice(int(self.first[begin]), int(self.first[end]))
            yield slice(begin, end), roads, self.first[begin:end] - roads.start

    def _best(self, losses: Row) -> Row:
        """For each node the best path's loss."""
        best, costs = np.zeros(self.depths[-1]), losses[self.tokens]
        for nodes, roads, first in self._levels():
            best[nodes] = np.minimum.reduceat(best[self.starts[roads]] + costs[roads], first)
        return best

    def _last_roads(self, losses: Row, best: Row) -> Row:
        """The last road of each node's best path.

        Of two best roads to a node the first counts, the one with the longer token, as in `lattice.viterbi_table`.
        """
        ways = best[self.starts] + losses[self.tokens]
        good = np.flatnonzero(ways == best[self.ends])
        last = np.zeros(len(best), int)
        last[self.ends[good[::-1]]] = good[::-1]  # of several, what was written last stays
        return last

    def _tokens_in_use(self, last: Row) -> tuple[Row, Row]:
        """The words, and the tokens of two or more characters on their best paths, each pair once."""
        words, nodes = np.arange(len(self.freqs)), self.last_nodes
        pairs = [np.zeros(0, int)]
        while len(words):
            roads = last[nodes]
            starts = self.starts[roads]
            is_long = self.depth_of[nodes] > self.depth_of[starts] + 1
            pairs.append((words * len(self.ids) + self.tokens[roads])[is_long])
            words, nodes = words[starts > 0], starts[starts > 0]
        return np.divmod(
            np.unique(np.concatenate(pairs)),
            len(self.ids),
        )

    def _without(
        self,
        words: Row,
        gone: Row,
        losses: Row,
        best: Row,
        last: Row,
    ) -> Row:
        """The loss of each word's best path without the token beside it."""
        nodes = self.last_nodes[words]
        sizes, rows = self.depth_of[nodes], np.arange(len(words))
        paths = np.zeros((len(words), int(sizes.max()) + 1), int)
        for _ in range(paths.shape[1]):
            paths[rows, self.depth_of[nodes]] = nodes
            nodes = self.parents[nodes]
        changed = (self.tokens[last[paths]] == gone[:, None]) & (paths > 0)
        first = changed.argmax(axis=1)  # up to here, no best path changes
        found = best[paths]
        for depth in range(2, paths.shape[1]):
            places = np.flatnonzero((first <= depth) & (depth <= sizes))
            roads, many = rows_of(self.first, paths[places, depth])
            at = np.repeat(places, many)
            tokens = self.tokens[roads]
            costs = np.where(
                tokens == gone[at],
                math.inf,
                losses[tokens],
            )
            starts = self.depth_of[self.starts[roads]]
            found[places, depth] = np.minimum.reduceat(
                found[at, starts] + costs,
                many.cumsum() - many,
            )
        return found[rows, sizes]
