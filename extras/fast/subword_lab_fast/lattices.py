"""The lattices of a large corpus, compiled: what `structures.lattices` does, with the arrays of `word_tree`.

For SentencePiece's rules, whose rounds are many and small, `Rounds` keeps losses and counts in arrays, too: from the
first pieces to those that are left, nothing becomes a dictionary.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from subword_lab.pieces import (
    END,
    MARK,
    UNCOVERED,
    Corpus,
    Rules,
    check_any,
    is_digit,
    script,
)
from subword_lab.structures.lattices import in_a_row

from . import word_tree
from .suffix_array import IN_FRONT, NEVER, as_codes, as_strings, repeated_pieces
from .word_table import SALT

WORTH_REMOVING = 0.7  # share of the tokens that is left, below which the others' roads go

SMALLEST = 1e-250  # a probability below it may have lost digits, or have become 0


class NumberedLattices:
    """Lattices of tokens that go by their numbers, compiled; codes and ends of the tokens are those of `as_codes`."""

    def __init__(self, word_freqs: Mapping[str, int], codes: np.ndarray, ends: np.ndarray):
        self.lengths = np.diff(ends, prepend=0)
        self.freqs = np.fromiter(word_freqs.values(), np.int64, len(word_freqs))
        of_words, ends_of_words = as_codes([*word_freqs])
        codes, ends = np.append(of_words, codes), np.append(ends_of_words, ends + len(of_words))
        table = np.zeros(1 << (2 * len(codes)).bit_length(), np.int32)  # half of it is free
        made, depths, nodes = word_tree.plant(codes, ends, table, SALT)
        self.lasts, self.ends = nodes[: len(word_freqs)], nodes[len(word_freqs) :]
        self.tree: tuple[Any, ...] = made, depths, self.lasts, self.freqs
        self.count = (
            int(self.lasts.max()) + 1
        )  # the nodes of words come before those of tokens alone
        self.roads = word_tree.find_roads(
            made, depths, np.argsort(depths, kind="stable"), table, self.ends
        )

    def remove_ids(self, gone: np.ndarray) -> None:
        """Take tokens out of every lattice."""
        self.roads = self.roads[0], *word_tree.remove_roads(*self.roads, gone)

    def count_ids(self, losses: np.ndarray) -> tuple[np.ndarray, float]:
        """Expected token counts, and the corpus loss over all paths."""
        counts = np.zeros(len(losses))
        loss = word_tree.count_all_ways(
            *self.tree, *self.roads, losses, self.count, SMALLEST, counts
        )
        return counts, loss


class Lattices(NumberedLattices):
    """`structures.lattices.Lattices`, compiled.

    >>> corpus = Lattices({"hug": 10}, ["h", "u", "g", "hu", "ug"])
    >>> losses = {"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}
    >>> corpus.loss(losses), corpus.removal_scores(losses)
    (35.0, {'hu': 0.0, 'ug': 10.0})
    >>> corpus.remove(["ug"])
    >>> corpus.loss(losses)
    45.0
    """

    def __init__(self, word_freqs: Mapping[str, int], tokens: Collection[str]):
        super().__init__(word_freqs, *as_codes([*tokens]))
        self.ids = {token: number for number, token in enumerate(tokens)}

    def remove(self, gone: Collection[str]) -> None:
        """Take tokens out of every lattice."""
        are_gone = np.zeros(len(self.ids), bool)
        are_gone[[self.ids[token] for token in gone]] = True
        self.remove_ids(are_gone)

    def loss(self, losses: Mapping[str, float]) -> float:
        """The corpus loss over best paths, as `unigram.corpus_loss`."""
        best, _ = word_tree.best_roads(*self.roads, in_a_row(losses, self.ids), self.count)
        return sum((self.freqs * best[self.lasts]).tolist())

    def removal_scores(self, losses: Mapping[str, float]) -> dict[str, float]:
        """What each token's absence costs, as `unigram.removal_scores`."""
        scores = np.zeros(len(self.ids))
        word_tree.score_removals(
            *self.tree, *self.roads, self.lengths, in_a_row(losses, self.ids), scores
        )
        by_id = scores.tolist()
        return {token: by_id[self.ids[token]] for token in losses if len(token) > 1}

    def expected_counts(self, losses: Mapping[str, float]) -> tuple[dict[str, float], float]:
        """Expected token counts, as `unigram.expected_counts`, and the corpus loss over all paths."""
        counts, loss = self.count_ids(in_a_row(losses, self.ids))
        by_id = counts.tolist()
        return {token: by_id[self.ids[token]] for token in losses}, loss


class Rounds(NumberedLattices):
    """Rounds of EM and pruning as in `pieces.prune`; the first tokens are the characters.

    left: the tokens that are left, in order; losses: of each of them.
    """

    def __init__(self, corpus: Corpus, rules: Rules):
        codes, ends, scores = repeated_pieces(
            corpus.followed, kinds(corpus, rules), rules.longest, rules.seeds
        )
        self.rules, self.chars, self.unknown = rules, len(corpus.chars), corpus.unknown
        self.codes = np.append(as_codes([*corpus.chars])[0], codes)
        ends = np.append(np.arange(self.chars) + 1, ends + self.chars)
        super().__init__(corpus.words, self.codes, ends)
        self.losses = word_tree.share_losses(np.append([*corpus.chars.values()], scores))
        self.left = np.arange(len(self.losses))
        self.held = len(self.losses)  # tokens that have roads

    def prune_to(self, target: int) -> dict[str, float]:
        """The tokens that are left after all rounds, with their losses."""
        while True:
            for _ in range(self.rules.passes):
                self._estimate()
                check_any(self.left, self.rules)
                self._let_go()
            self._prune(max(target, int(self.rules.shrink * len(self.left))))
            self._let_go()
            if len(self.left) <= target:
                break
        tokens = as_strings(self.codes, self.lengths.cumsum())
        return {
            tokens[token]: loss for token, loss in zip(self.left.tolist(), self.losses.tolist())
        }

    def _estimate(self) -> None:
        """One pass of EM, in which tokens that are expected less often than `least` go."""
        counts, _ = self.count_ids(self._by_id())
        counts[0] += self.unknown + sum(counts[: self.chars][~self._alive()[: self.chars]].tolist())
        self.left = self.left[counts[self.left].round(9) >= self.rules.least]
        self.losses = word_tree.digamma_losses(counts[self.left])

    def _prune(self, size: int) -> None:
        """Keep the tokens whose absence would cost most, as `pieces.second_best` has it."""
        scores = word_tree.score_second_best(
            self.lasts,
            self.freqs,
            self.ends,
            *self.roads,
            self._by_id(),
            self.left,
            self._alive(),
            self.unknown,
        )
        order = np.argsort(-scores, kind="stable")[: min(size, int((scores > -math.inf).sum()))]
        self.left, self.losses = self.left[order], self.losses[order]

    def _by_id(self) -> np.ndarray:
        """`pieces.with_lost`, by number."""
        by_id = np.full(len(self.lengths), math.inf)
        by_id[: self.chars] = self.losses.max() + 10
        by_id[self.left] = self.losses
        return by_id

    def _alive(self) -> np.ndarray:
        alive = np.zeros(len(self.lengths), bool)
        alive[self.left] = True
        return alive

    def _let_go(self) -> None:
        """Take the roads of tokens that are gone out, once they are many: until then, nothing leads over them."""
        if len(self.left) < WORTH_REMOVING * self.held:
            gone = ~self._alive()
            gone[: self.chars] = False
            self.remove_ids(gone)
            self.held = len(self.left)


def prune_pieces(corpus: Corpus, target: int, rules: Rules) -> dict[str, float]:
    """`pieces.prune`, compiled: nothing leaves the arrays before the end."""
    return Rounds(corpus, rules).prune_to(target)


def kinds(corpus: Corpus, rules: Rules) -> dict[str, int]:
    """What `Rules.allow` looks at, a number for each character: see `suffix_array`."""
    scripts: dict[str, int] = {"": 0}
    found = {}
    for char in {*corpus.chars, MARK, END, UNCOVERED}:
        found[char] = scripts.setdefault(script(char) if rules.scripts else "", len(scripts))
        if char in (END, UNCOVERED) or (rules.digits and is_digit(char)):
            found[char] = NEVER
    return found | {MARK: IN_FRONT}
