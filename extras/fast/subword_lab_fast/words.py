"""Texts as rows of entries: every word is looked up in a table, which counting and encoding have in common.

A text goes through in pieces. A finder says where the words of a piece begin and where they end, and how many of its
bytes were read: if more text follows, words that may go on are not. The table (`word_table`) says which of its entries
each word is. What goes on after a piece is read again with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Lock
from typing import Any
from unicodedata import category, combining

import numpy as np

from . import bert_words, byte_words, spaced_words, word_table

PIECE = 1 << 17  # bytes that are looked at in one go
BORDER = bytes([word_table.BORDER])  # what stands after a text
SEPARATOR = "\x1e"  # ASCII's own, for records
# From bytes, how many of them count, and whether no more text follows, to where words begin and end, and what was read.
Finder = Callable[[np.ndarray, int, bool], tuple[np.ndarray, np.ndarray, int]]


def finder(scheme: str) -> Finder:
    """Finds the words of a scheme that writes bytes, or of "metaspace"; those of "bert" `Kinds` finds.

    "followed": words with the space after them, or the zero that ends a text.
    """
    if scheme in byte_words.SCHEMES:
        rules = byte_words.SCHEMES.index(scheme), byte_words.char_classes()
        return _side_by_side(byte_words.find_words, *rules)
    return _side_by_side(spaced_words.find_words, scheme == "followed")


def _side_by_side(kernel: Callable[..., int], *rules: Any) -> Finder:
    def find(data: np.ndarray, size: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        starts = np.empty(size + 2, np.int32)
        count = kernel(data, size, last, *rules, starts)
        return starts[:count], starts[1 : count + 1], int(starts[count])

    return find


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
        self._learn(bytes(range(128)))

    def find(self, data: np.ndarray, size: int, last: bool) -> tuple[np.ndarray, np.ndarray, int]:
        """A `Finder`: the words of BERT, as they come, before anything is normalized."""
        begins, stops = np.empty((2, size), np.int32)
        place = count = 0
        while True:
            place, count, unknown = bert_words.find_words(
                data, place, size, last, self._kinds, begins, stops, count
            )
            if not unknown:
                return begins[:count], stops[:count], place
            self._learn(data[place:size].tobytes())

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The kinds, where what a character becomes is spelled, and the spellings."""
        return self._kinds, self._where, np.frombuffer(self._spelled, np.uint8)

    def _learn(self, data: bytes) -> None:
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
        match self.words(f"x{char}x"):
            case ["x", "x"]:
                return bert_words.BLANK, ""
            case [word]:
                kind, becomes = bert_words.WITHIN, word[1:-1]
            case ["x", becomes, "x"] if len(becomes) == 1:
                kind = bert_words.ALONE
            case _:
                return bert_words.ASK, ""
        # Taking accents off may let marks of other kinds change places; where accents stay, nothing moves.
        moves = any(combining(each) and category(each) != "Mn" for each in becomes)
        return (bert_words.ASK, "") if moves else (kind, becomes)


class Words:
    """A table of words, each with a number, such as its count; and what it takes to look those of a text up."""

    def __init__(self, find: Finder):
        self._find = find
        self._empty()

    def _empty(self, entries: int = 1 << 14) -> None:
        """Begin with an empty table, with room for so many entries; entry 0 is the border."""
        self.keys = np.zeros((entries, 2), np.uint64)
        self.ends = np.zeros(entries, np.int64)
        self.numbers = np.zeros(entries, np.int64)
        self.entries = 1
        self.keys[0] = word_table.BORDER, word_table.KEYS[1, 2]
        self.letters = np.zeros(16 * entries, np.uint8)
        self._fill_slots()

    def _fill_slots(self) -> None:
        size = 1 << (2 * len(self.ends) - 1).bit_length()  # half of them free
        self._slots = np.zeros(size, np.uint32)
        word_table.fill_slots(self._slots, self.keys, self.entries)

    def _read(self, data: bytes) -> Iterator[np.ndarray]:
        """The entries of the words of whole texts, piece by piece."""
        place = 0
        size = PIECE
        whole = np.concatenate([np.frombuffer(data, np.uint8), np.zeros(24, np.uint8)])
        while place < len(data):
            stop = min(place + size, len(data))
            while stop < len(data) and data[stop] & 0xC0 == 0x80:  # a piece is whole characters
                stop += 1
            piece, after = whole[place:], whole[stop]
            whole[stop] = word_table.BORDER
            begins, stops, read = self._find(piece, stop - place, stop == len(data))
            found = self._look_up(word_table.overlapping(piece), begins, stops)
            whole[stop] = after
            if read:
                yield found
            place, size = place + read, PIECE if read else 2 * size  # it may be all one word

    def _look_up(self, eights: np.ndarray, begins: np.ndarray, stops: np.ndarray) -> np.ndarray:
        found = np.empty(len(begins), np.int32)
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
                found,
            )
            if done == len(begins):
                return found
            self._grow(int(stops[done]) - int(begins[done]))

    def _grow(self, length: int) -> None:
        """Make room for another entry of a length, and for as many again as there are."""
        if self.entries == len(self.ends):
            self.ends, self.keys, self.numbers = (
                np.concatenate([row, np.zeros_like(row)])
                for row in (self.ends, self.keys, self.numbers)
            )
            self._fill_slots()
        used = int(self.ends[self.entries - 1])
        if used + length + 16 > len(self.letters):
            self.letters = np.concatenate([self.letters, np.zeros(used + length + 64, np.uint8)])


def in_a_row(strings: Iterable[str]) -> Iterator[bytes]:
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
