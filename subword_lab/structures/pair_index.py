"""Pair counts that keep up with merges: what makes the trainers and the compressor fast, without changing results.

All words stand in one row of symbols, with a None before, between and after them. A merge touches only the places where
its pair stands, and corrects the counts of the pairs around them. A heap keeps the pairs in order. Its entries may be
out of date in one direction only, too early, so the entry on top is checked when it is popped and, if it was out of
date, put back where it belongs. Most pairs are rare: they stay out of the heap until the others have left it.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

Symbol = Any  # a string, or bytes
Pair = tuple[Symbol, Symbol]


class PairIndex:
    """The pairs of split words: how often each occurs, and at which places of the row.

    counts: pair -> occurrences, weighted by word frequency; pairs that no longer occur are gone.
    where: pair -> places that hold it, from left to right (and possibly some that no longer do).

    >>> index = PairIndex([["h", "u", "g"], ["p", "u", "g"]], [10, 5])
    >>> times, new = index.merge(("u", "g"), "ug")
    >>> times, sorted(new), index.counts
    (15, [('h', 'ug'), ('p', 'ug')], {('h', 'ug'): 10, ('p', 'ug'): 5})
    >>> index.words()
    [['h', 'ug'], ['p', 'ug']]
    """

    def __init__(
        self,
        splits: Iterable[Sequence[Symbol]],
        freqs: Iterable[int],
    ):
        self.row: list[Symbol] = [None]
        self.freq_at = [0]
        for split, freq in zip(splits, freqs):
            self.row += [*split, None]
            self.freq_at += [freq] * (len(split) + 1)
        self.next = list(range(1, len(self.row) + 1))
        self.previous = list(range(-1, len(self.row) - 1))
        self.counts: dict[Pair, int] = {}
        self.where: dict[Pair, list[int]] = {}
        found = defaultdict(list)
        for place, pair in enumerate(pairwise(self.row)):
            found[pair].append(place)
        for pair, places in found.items():
            if None not in pair:
                self.counts[pair] = sum(map(self.freq_at.__getitem__, places))
                self.where[pair] = places

    def merge(
        self,
        pair: Pair,
        token: Symbol,
    ) -> tuple[int, set[Pair]]:
        """Put `token` in the place of `pair` everywhere, from left to right.

        Returns how often that was, weighted, and the new pairs that hold the token.
        """
        row, following, previous = self.row, self.next, self.previous
        counts, freq_at = self.counts, self.freq_at
        left, right = pair
        before, after = defaultdict(list), defaultdict(list)  # neighbor -> places of its new pair
        times = 0
        for place in self.where.get(pair, ()):
            if row[place] != left or row[second := following[place]] != right:
                continue  # a merge has changed one of the two, or used it up
            times += freq_at[place]
            first, last = previous[place], following[second]
            row[place], row[second] = token, None
            following[place], previous[last] = last, place
            if row[first] is not None:
                before[row[first]].append(first)
            if row[last] is not None:
                after[row[last]].append(place)
        # Of each change: a pair that was there, the one that is there now, and where.
        changes = [
            *(((each, left), (each, token), places) for each, places in before.items()),
            *(((right, each), (token, each), places) for each, places in after.items()),
        ]
        for old, new, places in changes:
            count = sum(map(freq_at.__getitem__, places))
            counts[old] = counts.get(old, 0) - count
            counts[new] = counts.get(new, 0) + count
            known = self.where.get(new)
            self.where[new] = sorted({*known, *places}) if known else places
        counts[pair] = 0
        old_pairs = {old for old, _, _ in changes}
        new_pairs = {new for _, new, _ in changes}
        for each in old_pairs | new_pairs | {pair}:
            if counts.get(each) == 0:
                del counts[each]
                self.where.pop(each, None)
        return times, new_pairs & counts.keys()

    def places(self, pair: Pair) -> list[int]:
        """Where the pair stands now; what was passed over is not looked at again."""
        (left, right), row, following = pair, self.row, self.next
        places = [
            place
            for place in self.where.get(pair, ())
            if row[place] == left and row[following[place]] == right
        ]
        if places:
            self.where[pair] = places
        return places

    def words(self) -> list[list[Symbol]]:
        """The symbols of every word now."""
        words: list[list[Symbol]] = [[]]
        place = 1
        while place < len(self.row):
            if self.row[place] is None:
                words.append([])
            else:
                words[-1].append(self.row[place])
            place = self.next[place]
        return words[:-1]


def in_order(pair: Pair) -> Any:
    """The key of pairs among which nothing but their first places decides."""
    return 0


class PairQueue(PairIndex):
    """The pair with the highest rating first; among equals the one with the smallest `key(pair)`, then the first place.

    >>> queue = PairQueue([["h", "u", "g"], ["p", "u", "g"]], [10, 5])
    >>> queue.pop(), queue.merge(("u", "g"), "ug")[0], queue.pop()
    (('u', 'g'), 15, ('h', 'ug'))
    """

    def __init__(
        self,
        splits: Iterable[Sequence[Symbol]],
        freqs: Iterable[int],
        key: Callable[[Pair], Any] = in_order,
    ):
        super().__init__(splits, freqs)
        self.key = key
        self.heap: list[tuple] = []
        self.bar: float = math.inf  # pairs of a lower rating are not in the heap

    def rating(self, pair: Pair) -> int:
        """What the pair is chosen by: the larger, the sooner; with 0, never."""
        return self.counts[pair]

    def ratings(self) -> Mapping[Pair, int]:
        """Those of all pairs."""
        return {pair: self.rating(pair) for pair in self.counts}

    def _entry(self, pair: Pair) -> tuple:
        (left, right), row, following = pair, self.row, self.next
        places, passed = self.where[pair], 0
        while row[places[passed]] != left or row[following[places[passed]]] != right:
            passed += 1
        if passed:
            del places[:passed]
        return -self.rating(pair), self.key(pair), places[0], pair

    def _push(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            if pair in self.counts and self.rating(pair) >= self.bar:
                heapq.heappush(self.heap, self._entry(pair))

    def _refill(self) -> None:
        """Make the heap anew, of the pairs that are rated at least half as high as the best one."""
        ratings = self.ratings()
        self.bar = max((max(ratings.values(), default=0) + 1) // 2, 1)
        self.heap = [self._entry(pair) for pair in ratings if ratings[pair] >= self.bar]
        heapq.heapify(self.heap)

    def pop(self) -> Pair | None:
        """The pair to merge next, or None when no pair is left."""
        while True:
            # A heap that has become too full of outdated entries is made anew, too.
            if not 0 < len(self.heap) <= 2 * len(self.counts):
                self._refill()
                if not self.heap:
                    return None
            entry = heapq.heappop(self.heap)
            if entry[-1] in self.counts:
                now = self._entry(entry[-1])
                if now == entry:
                    return entry[-1]
                if -now[0] >= self.bar:
                    heapq.heappush(self.heap, now)

    def merge(
        self,
        pair: Pair,
        token: Symbol,
    ) -> tuple[int, set[Pair]]:
        """As an index does it; the new pairs come into the heap."""
        times, new = super().merge(pair, token)
        self._push(new)
        return times, new


class FilteredQueue(PairQueue):
    """Of the pairs that are allowed, or of all, the most frequent first.

    apart: the pair (a, a) counts as often as it can be replaced, and not at every place.

    >>> queue = FilteredQueue(["aaab"], [1], apart=True)
    >>> queue.rating(("a", "a")), queue.counts["a", "a"]
    (1, 2)
    """

    def __init__(
        self,
        *args: Any,
        allows: Callable[[Pair], bool] | None = None,
        apart: bool = False,
    ):
        super().__init__(*args)
        self.allows, self.apart = allows, apart

    def rating(self, pair: Pair) -> int:
        """How often the pair occurs, or can be replaced."""
        if self.allows and not self.allows(pair):
            return 0
        if not self.apart or pair[0] != pair[1]:
            return self.counts[pair]
        count = free = 0
        for place in self.places(pair):
            if place >= free:
                count, free = count + self.freq_at[place], self.next[self.next[place]]
        return count


class ScoreQueue(PairQueue):
    """The pair with the highest WordPiece score first.

    A merge of (i, j) lowers n(i) and n(j), and with that raises the score of every pair that holds one of them: those
    that reach the bar by it come into the heap.

    >>> splits = [["h", "##u", "##g"], ["h", "##u", "##g", "##s"], ["p", "##u", "##g"]]
    >>> queue = ScoreQueue(splits, [10, 5, 5])
    >>> queue.pop(), queue.merge(("h", "##u"), "hu")[0], queue.pop()
    (('h', '##u'), 15, ('p', '##u'))
    """

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.freqs = Counter[Symbol]()  # of each symbol, weighted
        for symbol, freq in zip(self.row, self.freq_at):
            self.freqs[symbol] += freq
        self.bits = 4 * self.freqs.total().bit_length()
        self.pairs_of: dict[Symbol, set[Pair]] = defaultdict(set)  # symbol -> pairs that hold it
        self._file(self.counts)

    def _file(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            for symbol in pair:
                self.pairs_of[symbol].add(pair)

    def rating(self, pair: Pair) -> int:
        """The score as a whole number: different scores give different numbers, in the same order.

        No denominator is above the square of the corpus size, so two scores that differ at all differ by one part in
        2 to the power of `bits` or more.
        """
        return (self.counts[pair] << self.bits) // (self.freqs[pair[0]] * self.freqs[pair[1]])

    def merge(
        self,
        pair: Pair,
        token: Symbol,
    ) -> tuple[int, set[Pair]]:
        """As an index does it; all pairs whose scores rise to the bar come into the heap."""
        times, new = PairIndex.merge(self, pair, token)
        self._file(new)
        risen = set(new)
        self.freqs[token] += times
        for symbol in pair:
            self.freqs[symbol] -= times
        for symbol in pair:
            # No pair of a symbol scores above 1 / n(symbol).
            if self.freqs[symbol] * self.bar <= 1 << self.bits:
                risen |= self.pairs_of[symbol]
        self._push(risen)
        return times, new
