"""Where each pair stands in one long sequence: what makes `compress` fast, without changing what it finds.

A replacement touches only the places where its pair stands. Every pair keeps the list of its positions, and a heap
keeps the pairs in order. While symbols are replaced, a pair that exists can only lose occurrences: its place in the
heap may be out of date in one direction only, too early. So the pair on top is counted again when it is popped and,
if it was out of date, put back where it belongs.
"""

import heapq
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Symbol = TypeVar("Symbol")
Pair = tuple[Symbol, Symbol]


class PairPositions(Generic[Symbol]):
    """The pairs of a sequence that occur at least `min_count` times, the most frequent first.

    Among equal counts the smallest `key(pair)` wins, then the pair that stands first. `apart` counts the pair (a, a)
    as often as it can be replaced, and not at every position; without `recursive`, new symbols form no pairs.

    >>> pairs = PairPositions("aaabdaaabac", key=lambda pair: 0)
    >>> pairs.pop(), pairs.replace(("a", "a"), "Z"), "".join(pairs.remaining())
    (('a', 'a'), 2, 'ZabdZabac')
    >>> pairs.pop(), pairs.replace(("Z", "a"), "Y"), "".join(pairs.remaining())
    (('Z', 'a'), 2, 'YbdYbac')
    """

    def __init__(
        self,
        symbols: Sequence[Symbol],
        key: Callable[[Pair[Symbol]], object],
        *,
        min_count: int = 2,
        apart: bool = False,
        recursive: bool = True,
    ):
        self.key, self.min_count, self.apart, self.recursive = key, min_count, apart, recursive
        self.symbols: list[Symbol | None] = [
            *symbols,
            None,
        ]  # None: swallowed by the symbol before it, or the end
        self.next = list(range(1, len(self.symbols) + 1))
        self.previous = list(range(-1, len(self.symbols) - 1))
        self.where: dict[
            Pair[Symbol], list[int]
        ] = {}  # ascending; positions that no longer hold the pair may stay
        self.heap: list[tuple] = []
        found: dict[Pair[Symbol], list[int]] = {}
        for position, pair in enumerate(zip(symbols, symbols[1:])):
            found.setdefault(pair, []).append(position)
        self._add(found)

    def _add(self, found: dict[Pair[Symbol], list[int]]) -> None:
        for pair, positions in found.items():
            if len(positions) >= self.min_count:
                self.where[pair] = positions
                self._push(self._entry(pair))

    def _push(self, entry: tuple | None) -> None:
        if entry:
            heapq.heappush(self.heap, entry)

    def _entry(self, pair: Pair[Symbol]) -> tuple | None:
        """(-count, key, first position, pair) as things stand; None for a pair that has become too rare."""
        (left, right), symbols, following = pair, self.symbols, self.next
        positions = [
            i for i in self.where[pair] if symbols[i] == left and symbols[following[i]] == right
        ]
        count = self._count_apart(positions) if self.apart and left == right else len(positions)
        if count < self.min_count:
            del self.where[pair]
            return None
        self.where[pair] = positions
        return -count, self.key(pair), positions[0], pair

    def _count_apart(self, positions: list[int]) -> int:
        count, free = 0, 0
        for position in positions:
            if position >= free:
                count, free = count + 1, self.next[self.next[position]]
        return count

    def pop(self) -> Pair[Symbol] | None:
        """The pair to replace next, or None when none is left."""
        while self.heap:
            entry = heapq.heappop(self.heap)
            now = self._entry(entry[-1])
            if now == entry:
                return now[-1]
            self._push(now)
        return None

    def replace(self, pair: Pair[Symbol], symbol: Symbol) -> int:
        """Put `symbol`, a new one, in the place of `pair`, from left to right; returns how often."""
        (left, right), symbols, previous, following = pair, self.symbols, self.previous, self.next
        replaced = []
        for i in self.where.pop(pair):
            j = following[i]
            if symbols[i] == left and symbols[j] == right:
                symbols[i], symbols[j] = symbol, None
                following[i] = following[j]
                previous[following[j]] = i
                replaced.append(i)
        if self.recursive:
            self._add(self._pairs_around(symbol, replaced))
        return len(replaced)

    def _pairs_around(self, symbol: Symbol, positions: list[int]) -> dict[Pair[Symbol], list[int]]:
        found: dict[Pair[Symbol], list[int]] = {}
        for i in positions:
            before, after = self.symbols[self.previous[i]], self.symbols[self.next[i]]
            if (
                before is not None and before != symbol
            ):  # at the beginning, position -1: the last, None
                found.setdefault((before, symbol), []).append(self.previous[i])
            if after is not None:
                found.setdefault((symbol, after), []).append(i)
        return found

    def remaining(self) -> list[Symbol]:
        """The sequence as it stands."""
        return [symbol for symbol in self.symbols if symbol is not None]
