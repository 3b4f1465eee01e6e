"""Texts as rows of entries: every word is looked up in a table, which counting and encoding have in common.

A text goes through in pieces. A finder says where the words of a piece begin and where they end, and how many of its
bytes were read: if more text follows, words that may go on are not. The table (`word_table`) says which of its entries
each word is. What goes on after a piece is read again with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from threading import Lock
from unicodedata import category, combining

import numpy as np

from . import bert_words, byte_words, spaced_words, word_table

PIECE = 1 << 17  # bytes that are looked at in one go
BORDER = bytes([word_table.BORDER])  # what stands after a text
SEPARATOR = "\x1e"  # ASCII's own, for records


class ByteFinder:
    """The words of GPT-2's pattern, or of another scheme that writes bytes."""

    def __init__(self, scheme: str = "byte-level"):
        self._scheme = scheme
        self._starts = np.empty(0, np.int32)
        self._rules = byte_words.SCHEMES.index(scheme), byte_words.char_classes()

    def find(self, data: np.ndarray, size: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        if len(self._starts) < size + 2:
            self._starts = np.empty(size + 2, np.int32)
        count = byte_words.find_words(data, size, last, *self._rules, self._starts)
        return self._starts[:count], self._starts[1 : count + 1], int(self._starts[count])

    def another(self) -> ByteFinder:
        return ByteFinder(self._scheme)


class Kinds:
    """The kind of every character that was met, and what normalization makes of it, for `bert_words`.

    words: the normalized words of a text. A character has to become the same wherever it stands, but for marks.
    """

    def __init__(self, words: Callable[[str], list[str]]):
        self.words = words
        self._kinds = np.zeros(0x110000, np.uint8)
        self._where = np.zeros(0x110000, np.int32)
        self._spelled = b""
        self._lock = Lock()
        self.learn(bytes(range(128)))

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The kinds, where what a character becomes is spelled, and the spellings."""
        return self._kinds, self._where, np.frombuffer(self._spelled, np.uint8)

    def learn(self, data: bytes) -> None:
        """Find out about the characters of some UTF-8, whose end may be missing."""
        data = data.translate(None, bytes(range(128))) or data  # ASCII is what is learned first
        codes = np.frombuffer(data.decode(errors="ignore").encode("utf-32-le"), np.uint32)
        with self._lock:
            new = np.unique(codes[self._kinds[codes] == 0])
            kinds, becomes = zip(*map(self._kind_of, map(chr, new))) if len(new) else ((), ())
            spelled = [bytes([len(each), len(each.encode())]) + each.encode() for each in becomes]
            self._where[new] = len(self._spelled) + np.cumsum([0, *map(len, spelled)])[:-1]
            self._spelled += b"".join(spelled)
            self._kinds[new] = kinds  # last: from now on, other threads read it

    def _kind_of(self, char: str) -> tuple[int, str]:
        """A character's kind, and what it becomes."""
        found = self.words(f"x{char}x")
        kind = bert_words.ASK
        becomes = ""
        if found == ["x", "x"]:
            kind = bert_words.BLANK
        elif len(found) == 1:
            kind = bert_words.WITHIN
            becomes = found[0][1:-1]
        elif len(found) == 3 and len(found[1]) == 1:
            kind = bert_words.ALONE
            becomes = found[1]
        # Taking accents off may let marks of other kinds change places; where accents stay, nothing moves.
        if any(combining(each) and category(each) != "Mn" for each in becomes):
            kind = bert_words.ASK
            becomes = ""
        return kind, becomes


class BertFinder:
    """The words of BERT, as they come, before anything is normalized."""

    def __init__(self, kinds: Kinds):
        self._kinds = kinds
        self._begins = self._stops = np.empty(0, np.int32)

    def find(self, data: np.ndarray, size: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        if len(self._begins) < size:
            self._begins = np.empty(size, np.int32)
            self._stops = np.empty(size, np.int32)
        place = count = 0
        while True:
            place, count, unknown = bert_words.find_words(
                data, place, size, last, self._kinds.rows()[0], self._begins, self._stops, count
            )
            if not unknown:
                return self._begins[:count], self._stops[:count], place
            self._kinds.learn(data[place:size].tobytes())

    def another(self) -> BertFinder:
        return BertFinder(self._kinds)


class SpacedFinder:
    """Words that begin with a space; or, followed, each with the space after it, or the zero that ends a text."""

    def __init__(self, followed: bool = False):
        self._followed = followed
        self._starts = np.empty(0, np.int32)

    def find(self, data: np.ndarray, size: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        if len(self._starts) < size + 2:
            self._starts = np.empty(size + 2, np.int32)
        count = spaced_words.find_words(data, size, self._followed, self._starts)
        if not last:
            count -= 1
        return self._starts[:count], self._starts[1 : count + 1], int(self._starts[count])

    def another(self) -> SpacedFinder:
        return SpacedFinder(self._followed)


Finder = ByteFinder | BertFinder | SpacedFinder


class Words:
    """A table of words, and what it takes to look those of a text up."""

    def __init__(self, finder: Finder):
        self._finder = finder
        self._make_room(0)
        self._empty()

    def _make_room(self, size: int) -> None:
        self._data = np.zeros(8 * (size // 8 + 4), np.uint8)
        self._eights = word_table.overlapping(self._data)
        self._found = np.empty(size, np.int32)

    def _empty(self, entries: int = 1 << 14) -> None:
        """Begin with an empty table, with room for so many entries; entry 0 is the border."""
        self.keys = np.zeros((entries, 2), np.uint64)
        self.ends = np.zeros(entries, np.int64)
        self.entries = 1
        self.keys[0] = word_table.BORDER, word_table.KEYS[1, 2]
        self.letters = np.zeros(16 * entries, np.uint8)
        self._fill_slots()

    def _fill_slots(self) -> None:
        self._slots = np.zeros(
            1 << (2 * len(self.ends) - 1).bit_length(), np.uint32
        )  # half of them free
        word_table.fill_slots(self._slots, self.keys, self.entries)

    def _read(self, data: bytes, use: Callable[[np.ndarray], object]) -> None:
        """Hand the entries of the words of whole texts over, piece by piece."""
        place = 0
        size = PIECE
        whole = memoryview(data)
        while place < len(data):
            stop = place + size
            while stop < len(data) and data[stop] & 0xC0 == 0x80:  # a piece is whole characters
                stop += 1
            found, read = self._entries_of(whole[place:stop], stop >= len(data))
            if read:
                use(found)
            place, size = place + read, PIECE if read else 2 * size  # it may be all one word

    def _entries_of(self, data: memoryview, last: bool) -> tuple[np.ndarray, int]:
        size = len(data)
        if len(self._data) < size + 24:
            self._make_room(size)
        self._data[:size] = np.frombuffer(data, np.uint8)
        self._data[size : size + 24] = 0
        self._data[size] = word_table.BORDER
        begins, stops, read = self._finder.find(self._data, size, last)
        return self._look_up(self._eights, begins, stops), read

    def _look_up(self, eights: np.ndarray, begins: np.ndarray, stops: np.ndarray) -> np.ndarray:
        if len(self._found) < len(begins):
            self._found = np.empty(len(begins), np.int32)
        done = 0
        while True:
            done, self.entries = word_table.look_up(
                eights,
                begins,
                stops,
                done,
                self._slots,
                self.keys,
                word_table.overlapping(self.letters),
                self.ends,
                self.entries,
                self._found,
            )
            if done == len(begins):
                return self._found[:done]
            self._grow(int(stops[done]) - int(begins[done]))

    def _grow(self, length: int) -> None:
        """Make room for another entry of a length, and for as many again as there are."""
        if self.entries == len(self.ends):
            self.ends, self.keys = (
                np.concatenate([row, np.zeros_like(row)]) for row in (self.ends, self.keys)
            )
            self._fill_slots()
        used = int(self.ends[self.entries - 1])
        if used + length + 16 > len(self.letters):
            self.letters = np.concatenate([self.letters, np.zeros(used + length + 64, np.uint8)])


def in_a_row(strings: Iterable[str]) -> Iterable[bytes]:
    """Texts, with a border after each, together until they are worth a call of compiled code."""
    batch: list[str] = []
    size = 0
    strings = iter(strings)
    while more := [*islice(strings, 64)]:
        batch += more
        size += sum(map(len, more))
        if size >= PIECE:
            yield joined(batch, BORDER)
            batch = []
            size = 0
    if batch:
        yield joined(batch, BORDER)


def joined(strings: list[str], border: bytes) -> bytes:
    """Texts as UTF-8, with a border after each."""
    whole = SEPARATOR.join([*strings, ""])
    if whole.count(SEPARATOR) == len(strings):  # as a rule, no text holds it
        return whole.encode().replace(SEPARATOR.encode(), border)
    return b"".join(string.encode() + border for string in strings)
