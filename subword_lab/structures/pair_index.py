"""Pair counts that keep up with merges: what makes `train` fast, without changing what it finds.

A merge touches only the words that hold its pair, so only their pairs are counted again. A heap keeps the pairs in
order. Its entries may be out of date in one direction only, too early, so the entry on top is checked when it is
popped and, if it was out of date, put back where it belongs.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from ..arguments import counted

Pair = tuple[str, str]
Ties = str | Callable[[Pair], object]


class PairIndex:
    """The pairs of a split corpus: how often each occurs, and in which words.

    counts: pair -> occurrences, weighted by word frequency; pairs that no longer occur are gone.
    where: pair -> numbers of the words that hold it (and possibly of some that no longer do).
    first: pair -> (word number, offset in characters) no later than its first occurrence.

    >>> index = PairIndex({"hug": 10, "pug": 5}, {"hug": ["h", "u", "g"], "pug": ["p", "u", "g"]})
    >>> sorted(index.merge(("u", "g"), "ug"))
    [('h', 'u'), ('h', 'ug'), ('p', 'u'), ('p', 'ug'), ('u', 'g')]
    >>> index.counts
    {('h', 'ug'): 10, ('p', 'ug'): 5}
    """

    def __init__(self, word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]]):
        self.words = [list(splits[word]) for word in word_freqs]
        self.freqs = list(word_freqs.values())
        self.counts: dict[Pair, int] = {}
        self.where: dict[Pair, set[int]] = {}
        self.first: dict[Pair, tuple[int, int]] = {}
        for number, freq in enumerate(self.freqs):
            for offset, pair in self._pairs(number):
                self._note(pair, number, offset)
                self.counts[pair] += freq

    def _note(self, pair: Pair, number: int, offset: int) -> None:
        """A pair stands in a word, there or before."""
        self.counts.setdefault(pair, 0)
        self.where.setdefault(pair, set()).add(number)
        self.first[pair] = min(self.first.get(pair, (number, offset)), (number, offset))

    def _pairs(self, number: int) -> Iterator[tuple[int, Pair]]:
        """The pairs of a word, each after its offset."""
        symbols = self.words[number]
        return zip(accumulate(map(len, symbols), initial=0), zip(symbols, symbols[1:]))

    def merge(self, pair: Pair, token: str) -> set[Pair]:
        """Put `token` in the place of `pair` everywhere; returns the pairs whose counts may have changed."""
        changed = {pair}
        for number in self.where.pop(pair, ()):
            symbols = self.words[number]
            merged = self.words[number] = _merged(symbols, pair, token)
            if len(merged) == len(symbols):
                continue
            moved = len(token) < len(pair[0] + pair[1])  # all places behind it are, by a prefix
            for offset, other in self._pairs(number):
                if moved or token in other:
                    self._note(other, number, offset)
                    changed.add(other)
            before, after = (Counter(zip(each, each[1:])) for each in (symbols, merged))
            # A long word holds many pairs, and few of them change.
            for other in dict(before.items() ^ after.items()):
                self.counts[other] += self.freqs[number] * (after[other] - before[other])
                changed.add(other)
        for other in changed:
            if self.counts.get(other) == 0:
                del self.counts[other]
                self.where.pop(other, None)
                del self.first[other]
        return changed

    def first_seen(self, pair: Pair) -> tuple[int, int]:
        """(word number, offset in characters) of the pair's first occurrence now."""
        number, offset = self.first[pair]
        if offset not in self._offsets(number, pair):
            numbers = [n for n in self.where[pair] if n >= number and self._offsets(n, pair)]
            self.where[pair] = set(numbers)
            self.first[pair] = min(numbers), self._offsets(min(numbers), pair)[0]
        return self.first[pair]

    def _offsets(self, number: int, pair: Pair) -> list[int]:
        return [offset for offset, each in self._pairs(number) if each == pair]


def _merged(symbols: Sequence[str], pair: Pair, token: str) -> list[str]:
    """What `bpe.merge_symbols` gives, for words that may be long."""
    merged, start = list[str](), 0
    while start < len(symbols):
        found = symbols[start] == pair[0] and [*symbols[start : start + 2]] == [*pair]
        merged.append(token if found else symbols[start])
        start += 2 if found else 1
    return merged


class PairQueue:
    """The most frequent pair first, with BPE's tie rules, while pairs are being merged and `vocab` grows.

    >>> queue = PairQueue({"hug": 10, "pug": 5}, {"hug": ["h", "u", "g"], "pug": ["p", "u", "g"]}, "first-seen", "ghpu")
    >>> queue.pop(), queue.merge(("u", "g"), "ug"), queue.pop()
    (('u', 'g'), None, ('h', 'ug'))
    >>> queue.vocab
    ['g', 'h', 'p', 'u', 'ug']
    """

    def __init__(
        self,
        word_freqs: Mapping[str, int],
        splits: Mapping[str, Sequence[str]],
        ties: Ties,
        vocab: Iterable[str],
    ):
        self.index = PairIndex(word_freqs, splits)
        self.vocab = list(vocab)
        self.ids = {token: number for number, token in enumerate(self.vocab)}
        rules: dict[object, Callable[[Pair], object]] = {
            "first-seen": self.index.first.__getitem__,
            "lowest-ids": lambda pair: (self.ids[pair[0]], self.ids[pair[1]]),
            # Negative, so that the greatest comes first; the 1 puts a longer symbol before its own beginning.
            "greatest": lambda pair: [(*(-ord(char) for char in part), 1) for part in pair],
        }
        self.key = ties if callable(ties) else rules[ties]
        self.heap: list[tuple] = []
        self._push(self.index.counts)

    def _push(self, pairs: Iterable[Pair]) -> None:
        # The middle number only keeps a caller's own keys from being compared with pairs when they are equal:
        # equal keys go by first occurrence, as in the step-by-step trainer.
        counts, first = self.index.counts, self.index.first
        for pair in pairs:
            if pair in counts:
                heapq.heappush(self.heap, (-self.rating(pair), self.key(pair), first[pair], pair))

    def rating(self, pair: Pair) -> int:
        """What the pair is chosen by: the larger, the sooner."""
        return self.index.counts[pair]

    def pop(self) -> Pair | None:
        """The pair to merge next, or None when no pair is left."""
        while self.heap:
            rating, _, first, pair = heapq.heappop(self.heap)
            if pair not in self.index.counts or self.rating(pair) != -rating:
                continue  # its true rating was pushed when it changed
            if self.index.first_seen(pair) == first:
                return pair
            self._push([pair])
        return None

    def merge(self, pair: Pair, token: str) -> None:
        """Put `token` in the place of the pair everywhere, and the pairs that changed where they belong."""
        self._learn(token)
        self._push(self.index.merge(pair, token))

    def _learn(self, token: str) -> None:
        if token not in self.ids:
            self.ids[token] = len(self.vocab)
            self.vocab.append(token)

    def merge_until(
        self, reached: Callable[[list[str], list[Pair]], bool], join: Callable[[Pair], str]
    ) -> tuple[list[Pair], str]:
        """Merge pair after pair until `reached(vocab, merges)`: the merges, and why they ended before that, if so."""
        merges: list[Pair] = []
        while not reached(self.vocab, merges):
            pair = self.pop()
            if pair is None:
                return merges, f"no pair left after {counted(len(merges), 'merge')}"
            merges.append(pair)
            self.merge(pair, join(pair))
        return merges, ""


class ScoreQueue(PairQueue):
    """The pair with the highest WordPiece score first, while pairs are being merged.

    A merge of (i, j) lowers n(i) and n(j), and with that raises the score of every pair that holds one of them. So
    that these many changes cost little, the heap holds only the pairs whose rating reaches a bar. When it runs empty,
    or too full of outdated entries, it is made anew, with the bar at half the highest rating.

    >>> splits = {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"], "pug": ["p", "##u", "##g"]}
    >>> queue = ScoreQueue({"hug": 10, "hugs": 5, "pug": 5}, splits, "first-seen", [])
    >>> queue.pop(), queue.merge(("h", "##u"), "hu"), queue.pop()
    (('h', '##u'), None, ('p', '##u'))
    """

    def __init__(
        self,
        word_freqs: Mapping[str, int],
        splits: Mapping[str, Sequence[str]],
        ties: Ties,
        vocab: Iterable[str],
    ):
        self.symbols: dict[str, int] = {}  # symbol -> occurrences, weighted by word frequency
        for word, freq in word_freqs.items():
            for symbol in splits[word]:
                self.symbols[symbol] = self.symbols.get(symbol, 0) + freq
        self.bits = 4 * sum(self.symbols.values()).bit_length()
        self.bar = 1 << self.bits
        super().__init__(word_freqs, splits, ties, vocab)
        self.pairs_of: dict[str, set[Pair]] = {}  # symbol -> the pairs that hold it
        self._file(self.index.counts)

    def _file(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            keep = set.add if pair in self.index.counts else set.discard
            for symbol in pair:
                keep(self.pairs_of.setdefault(symbol, set()), pair)

    def _push(self, pairs: Iterable[Pair]) -> None:
        counts = self.index.counts
        super()._push([pair for pair in pairs if pair in counts and self.rating(pair) >= self.bar])

    def rating(self, pair: Pair) -> int:
        """The score as a whole number: different scores give different numbers, in the same order.

        No denominator is above the square of the corpus size, so two scores that differ at all differ by one part in
        2 to the power of `bits` or more.
        """
        return (self.index.counts[pair] << self.bits) // (
            self.symbols[pair[0]] * self.symbols[pair[1]]
        )

    def pop(self) -> Pair | None:
        """The pair to merge next, or None when no pair is left."""
        pair = super().pop() if len(self.heap) <= 2 * len(self.index.counts) else None
        if pair is None and self.index.counts:
            self.heap.clear()
            self.bar = max(map(self.rating, self.index.counts)) // 2
            self._push(self.index.counts)
            pair = super().pop()
        return pair

    def merge(self, pair: Pair, token: str) -> None:
        """Put `token` in the place of the pair everywhere, and all pairs whose scores changed where they belong."""
        self._learn(token)
        words, freqs, numbers = self.index.words, self.index.freqs, list(self.index.where[pair])
        before = sum(freqs[number] * len(words[number]) for number in numbers)
        changed = self.index.merge(pair, token)
        times = before - sum(freqs[number] * len(words[number]) for number in numbers)
        self.symbols[token] = self.symbols.get(token, 0) + times
        for symbol in pair:
            self.symbols[symbol] -= times
        self._file(changed)
        for symbol in pair:
            if (
                self.symbols[symbol] * self.bar <= 1 << self.bits
            ):  # no pair of it scores above 1 / n(symbol)
                changed.update(self.pairs_of.get(symbol, ()))
        self._push(changed)
