"""The lattices of a large corpus, compiled: what `lattices` does, to the last digit, with the arrays of `word_tree`.

For SentencePiece's rules, whose rounds are many and small, `Rounds` keeps losses and counts in arrays, too: from the
first pieces to those that are left, nothing becomes a dictionary.
"""
from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .compiling import compiled
from .lattices import SMALLEST


def as_codes(strings: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The characters of all strings in a row, as code points, and where each string ends."""
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes.astype(np.int64), np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)))


class CompiledLattices:
    """`lattices.Lattices`, compiled.

    >>> corpus = CompiledLattices({"hug": 10}, ["h", "u", "g", "hu", "ug"])
    >>> losses = {"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}
    >>> corpus.loss(losses), corpus.removal_scores(losses)
    (35.0, {'hu': 0.0, 'ug': 10.0})
    >>> corpus.remove(["ug"])
    >>> corpus.loss(losses)
    45.0
    """

    def __init__(self, word_freqs: Mapping[str, int], tokens: Collection[str]):
        self.code = compiled("word_tree")
        self.ids = {token: number for number, token in enumerate(tokens)}
        self.lengths = np.fromiter(map(len, self.ids), np.int64, len(self.ids))
        self.freqs = np.fromiter(word_freqs.values(), np.int64, len(word_freqs))
        made, depths, ends, table = self.code.plant(*as_codes([*word_freqs, *self.ids]))
        self.lasts, self.ends = ends[:len(word_freqs)], ends[len(word_freqs):]
        self.tree: tuple[Any, ...] = made, depths, self.lasts, self.freqs
        self.count = int(self.lasts.max()) + 1                # the nodes of words come before those of tokens alone
        by_depth = np.argsort(depths, kind="stable")
        self.roads = self.code.find_roads(made, depths, by_depth, self.ends, table)

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        are_gone = np.zeros(len(self.ids), bool)
        are_gone[[self.ids[token] for token in gone]] = True
        self.remove_ids(are_gone)

    def remove_ids(self, gone: np.ndarray) -> None:
        """The same, for tokens by their numbers."""
        self.roads = self.roads[0], *self.code.remove_roads(*self.roads, gone)

    def loss(self, losses: Mapping[str, float]) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        best, _ = self.code.best_roads(*self.roads, self._by_id(losses), self.count)
        return sum((self.freqs * best[self.lasts]).tolist())

    def removal_scores(self, losses: Mapping[str, float]) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        scores = np.zeros(len(self.ids))
        self.code.score_removals(*self.tree, *self.roads, self.lengths, self._by_id(losses), scores)
        by_id = scores.tolist()
        return {token: by_id[self.ids[token]] for token in losses if len(token) > 1}

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths."""
        counts, loss = self.count_ids(self._by_id(losses))
        by_id = counts.tolist()
        return {token: by_id[self.ids[token]] for token in losses}, loss

    def count_ids(self, losses: np.ndarray) -> tuple[np.ndarray, float]:
        """The same, for tokens by their numbers."""
        counts = np.zeros(len(losses))
        loss = self.code.count_all_ways(*self.tree, *self.roads, losses, self.count, SMALLEST, counts)
        return counts, loss

    def _by_id(self, losses: Mapping[str, float]) -> np.ndarray:
        by_id = np.full(len(self.ids), math.inf)                                # as for those that were removed
        by_id[[*map(self.ids.__getitem__, losses)]] = [*losses.values()]
        return by_id


class Rounds:
    """Rounds of EM and pruning as in `pieces.train_unigram`; the first tokens are the characters.

    ids: the tokens that are left, in order; losses: of each of them.
    """

    def __init__(self, word_freqs: Mapping[str, int], losses: Mapping[str, float], chars: int, unknown: int):
        self.lattices = CompiledLattices(word_freqs, losses)
        self.chars, self.unknown = chars, unknown
        self.ids, self.losses = np.arange(len(losses)), np.array([*losses.values()])

    def estimate(self, least: float) -> bool:
        """One pass of EM, in which tokens expected less than `least` times go: whether any are left."""
        counts, _ = self.lattices.count_ids(self._by_id())
        counts[0] += self.unknown + sum(counts[:self.chars][~self._alive()[:self.chars]].tolist())
        self.ids = self.ids[counts[self.ids] >= least]
        self.losses = self.lattices.code.digamma_losses(counts[self.ids])
        self._remove()
        return bool(len(self.ids))

    def prune(self, size: int) -> None:
        """Keep the tokens whose absence would cost most, as `pieces.second_best` has it."""
        lattices = self.lattices
        made, _, lasts, freqs = lattices.tree
        scores = lattices.code.score_second_best(made, lasts, freqs, lattices.ends, *lattices.roads, self._by_id(),
                                                 self.ids, self._alive(), self.unknown)
        order = np.argsort(-scores, kind="stable")[:min(size, int((scores > -math.inf).sum()))]
        self.ids, self.losses = self.ids[order], self.losses[order]
        self._remove()

    def _by_id(self) -> np.ndarray:
        """`pieces.with_lost`, by number."""
        by_id = np.full(len(self.lattices.ids), math.inf)
        by_id[:self.chars] = self.losses.max() + 10
        by_id[self.ids] = self.losses
        return by_id

    def _alive(self) -> np.ndarray:
        alive = np.zeros(len(self.lattices.ids), bool)
        alive[self.ids] = True
        return alive

    def _remove(self) -> None:
        gone = ~self._alive()
        gone[:self.chars] = False
        self.lattices.remove_ids(gone)
