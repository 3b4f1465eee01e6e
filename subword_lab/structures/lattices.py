"""The lattices of a whole corpus, kept while tokens are removed: what makes Unigram's training fast.

`corpus_loss`, `removal_scores` and `expected_counts` of `unigram` say what is computed; here the same is computed for
every round of training without looking up the substrings of every word each time.

Words that begin alike have the same lattice up to where they part. So there is one lattice for all of them, a tree of
beginnings: a node for each beginning, and a road for each token that ends there, from the node where it starts. Nodes
of one length stand side by side, and no road leads from one of them to another: so numpy works out all of them in one
go, length after length. Words and tokens each make a tree: where a token may begin, its tree is walked along with the
words, and a road is where a token ends.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np

from .. import engines
from ..lattice import Losses, forward, shares

SMALLEST = 1e-250  # a probability below it may have lost digits, or have become 0
PAIRS = 1 << 14  # words without one of their tokens that are worked out at a time
BITS = 21  # of a character


def lattices(
    word_freqs: Mapping[str, int], tokens: Collection[str], engine: str | None = None
) -> Any:
    """The lattices of a corpus, by the engine that was asked for, or compiled if the corpus is large."""
    compiled = engines.choose(engine, lattices=sum(map(len, word_freqs)))
    if compiled and sum(word_freqs.values()) < 1 << 53:
        return compiled.lattices(word_freqs, tokens)
    return Lattices(word_freqs, tokens)


class Tree:
    """Beginnings of strings as nodes, those of one length side by side; node 0 is the empty one.

    depths: the first node of each length, and where they end. parents: the node without its last character. keys: that
    node and the character in one number; they ascend. lasts: by string, its node.
    """

    def __init__(self, strings: Sequence[str]):
        codes = np.frombuffer("".join(strings).encode("utf-32-le"), np.int32).astype(int)
        sizes = np.array([*map(len, strings)])
        ends = sizes.cumsum()
        begins, self.lasts, self.depths = ends - sizes, np.zeros(len(strings), int), [0, 1]
        keys, going_on = [codes[:0]], np.array(sorted(range(len(strings)), key=strings.__getitem__))
        while len(going_on := going_on[sizes[going_on] >= len(self.depths) - 1]):
            of_strings = (
                self.lasts[going_on] << BITS | codes[begins[going_on] + len(self.depths) - 2]
            )
            new = np.append(
                True, of_strings[1:] != of_strings[:-1]
            )  # what begins alike stands together
            self.lasts[going_on] = self.depths[-1] + new.cumsum() - 1
            keys.append(of_strings[new])
            self.depths.append(self.depths[-1] + len(keys[-1]))
        self.keys = np.concatenate(keys)
        self.parents = np.append(0, self.keys >> BITS)

    def children(self, nodes: np.ndarray, chars: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where each character leads from the node beside it, and which of them lead anywhere."""
        wanted = nodes << BITS | chars
        found = self.keys.searchsorted(wanted)
        exist = np.flatnonzero(self.keys[np.minimum(found, len(self.keys) - 1)] == wanted)
        return found[exist] + 1, exist


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
        self.words, self.freqs = [*word_freqs], np.array([*word_freqs.values()], float)
        self.sizes = np.array([len(word) for word in word_freqs])
        self.tree, spelled = Tree([*word_freqs]), Tree([*tokens])
        self.last_nodes, self.depths = self.tree.lasts, self.tree.depths
        self.depth_of = np.repeat(np.arange(len(self.depths) - 1), np.diff(self.depths))
        token_at = np.full(spelled.depths[-1], -1)
        token_at[spelled.lasts] = np.arange(len(self.ids))
        # By node: where a token may have begun that goes on, the earliest first, and the token's beginning so far.
        begun, states, first = np.zeros(1, int), np.zeros(1, int), np.array([0, 1])
        roads = [np.zeros((3, 0), int)]  # start, token, end; by their ends
        for before, begin, end in zip(self.depths, self.depths[1:], self.depths[2:]):
            nodes = np.arange(begin, end)
            rows, many = rows_of(first, self.tree.parents[nodes] - before)
            chars = self.tree.keys[nodes - 1] & (1 << BITS) - 1
            states, exist = spelled.children(states[rows], np.repeat(chars, many))
            begun, ends = begun[rows][exist], np.repeat(nodes, many)[exist]
            whole = token_at[states] >= 0
            roads.append(np.array([begun[whole], token_at[states[whole]], ends[whole]]))
            first = np.bincount(ends - begin, minlength=len(nodes)).cumsum()
            begun, states = np.insert(begun, first, nodes), np.insert(states, first, 0)
            first = np.append(0, first + np.arange(1, len(nodes) + 1))
        self._set_roads(*np.concatenate(roads, axis=1))

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
        without = np.concatenate(
            [
                best[:0],
                *(
                    self._without(
                        words[begin : begin + PAIRS],
                        tokens[begin : begin + PAIRS],
                        by_id,
                        best,
                        last,
                    )
                    for begin in range(0, len(words), PAIRS)
                ),
            ]
        )
        rise, ids = (
            self.freqs[words] * (without - best[self.last_nodes[words]]),
            self._ids_of(losses),
        )
        long = self.lengths[ids] > 1
        return dict(
            zip(
                compress(losses, long.tolist()),
                np.bincount(tokens, rise, len(by_id))[ids[long]].tolist(),
            )
        )

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths.

        Forward as there, but in probabilities, which need no exponential and no logarithm a road; only a word that is
        too improbable for that goes by losses. Backward, the occurrences that reach a node are shared out among the
        tokens that end there, each by its part in the forward probability.
        """
        by_id = self._by_id(losses)
        probs = np.exp(-by_id)[self.tokens]
        total, ways = np.ones(self.depths[-1]), np.zeros(len(self.tokens))
        for nodes, roads, first in self._levels():
            ways[roads] = total[self.starts[roads]] * probs[roads]
            total[nodes] = np.add.reduceat(ways[roads], first)
        reached = total[self.last_nodes]
        clear = reached >= SMALLEST
        reach = np.zeros(len(total))
        reach[self.last_nodes[clear]] = self.freqs[clear]
        for nodes, roads, _ in [*self._levels()][::-1]:
            rate = np.divide(
                reach[nodes],
                total[nodes],
                out=np.zeros(nodes.stop - nodes.start),
                where=reach[nodes] > 0,
            )
            ways[roads] *= rate[self.ends[roads] - nodes.start]
            np.add.at(reach, self.starts[roads], ways[roads])
        counts = np.bincount(self.tokens, ways, len(by_id)).tolist()
        corpus_loss = -float((self.freqs[clear] * np.log(reached[clear])).sum())
        model = Losses(dict(losses))
        for number in np.flatnonzero(~clear).tolist():
            word, freq = self.words[number], float(self.freqs[number])
            corpus_loss += freq * forward(word, model)[-1]
            for edge, part in shares(word, model).items():
                counts[self.ids[edge.token]] += freq * part
        return dict(
            zip(losses, map(counts.__getitem__, self._ids_of(losses).tolist()))
        ), corpus_loss

    def _ids_of(self, losses: Mapping[str, float]) -> np.ndarray:
        return np.array([*map(self.ids.__getitem__, losses)], int)

    def _by_id(self, losses: Mapping[str, float]) -> np.ndarray:
        by_id = np.full(len(self.ids), math.inf)  # as for those that were removed
        by_id[self._ids_of(losses)] = np.fromiter(losses.values(), float, len(losses))
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
            nodes = self.tree.parents[nodes]
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
