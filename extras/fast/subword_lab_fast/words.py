"""Texts as rows of entries: every word is looked up in a table, which counting and encoding have in common.

Texts go through in blocks: many short ones together, and a long one cut before spaces, where no word goes on. A finder
says where the words of a block begin and where they end, and the table (`word_table`) which of its entries each is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from subword_lab import text

from . import byte_words, word_table

BLOCK = 1 << 17  # characters, or bytes, that are looked at in one go, and are worth a thread
BORDER = bytes([word_table.BORDER])  # what stands after a text
SEPARATOR = "\x1e"  # ASCII's own, for records
# Between such a character and a space no word goes on, and none over a border.
CUT = re.compile(rb"(?<=[!-~])(?= )|(?<=\xff)")
STAND_IN = "zqxj"  # a word between words that are normalized together; it may be one of them
# From bytes, and how many of them count, to where words begin and end.
Finder = Callable[[np.ndarray, int], tuple[np.ndarray, np.ndarray]]


def finder(scheme: str, chinese: bool = False) -> Finder:
    """Finds the words of a scheme that writes bytes, of "metaspace", or of "bert" before anything is normalized.

    chinese: whether each Chinese character will be a word of "bert".
    """
    number, classes = byte_words.SCHEMES.index(scheme), byte_words.char_classes(scheme, chinese)

    def find(data: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
        begins, stops = np.empty((2, size), np.int32)
        count = byte_words.find_words(data, size, number, classes, begins, stops)
        return begins[:count], stops[:count]

    return find


def spell_all(words: Sequence[str], cut: Callable[[str], list[str]]) -> list[str]:
    """Each of some different words as it is cut into others, which have a space before them.

    cut: the words of a text, as they are after normalization; it is called for many at a time, and by themselves for
    those that reach as far, because texts of ASCII, and of the first plane, take less time.

    >>> spell_all(["Hug", "a-b", "", "C"], lambda string: string.lower().replace("-", " ").split())
    [' hug', ' a b', '', ' c']
    """

    def spelled(string: str) -> str:
        return " ".join(["", *cut(string)])

    found: dict[str, str] = {}
    reaches = [*map(text.reach, words)]
    for last in {*reaches}:
        some = [word for word, its_last in zip(words, reaches) if its_last == last]
        together = spelled(f" {STAND_IN} ".join(some)).split(f" {STAND_IN}")
        found.update(zip(some, together if len(together) == len(some) else map(spelled, some)))
    return [found[word] for word in words]


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
        # Half of them stay free.
        self._slots = np.zeros(1 << (2 * len(self.ends) - 1).bit_length(), np.uint32)
        word_table.fill_slots(self._slots, self.keys, self.entries, word_table.SALT)

    def read(self, data: bytes) -> np.ndarray:
        """The entries of the words of a block."""
        row = bytearray(data)
        row += BORDER + bytes(24)
        whole = np.frombuffer(row, np.uint8)
        return self.look_up(whole, *self._find(whole, len(data)))

    def look_up(self, data: np.ndarray, begins: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The entries of words that stand in a row of bytes; new words get new ones."""
        found = np.empty(len(begins), np.int32)
        done = 0
        while True:
            done, self.entries = word_table.look_up(
                word_table.overlapping(data),
                begins,
                stops,
                done,
                self._slots,
                self.keys,
                word_table.overlapping(self.letters),
                self.ends,
                self.entries,
                found,
                word_table.SALT,
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

    def spelled_from(self, first: int) -> tuple[bytes, list[int]]:
        """The bytes of the words from an entry on, in a row, and where each begins, and the last one ends."""
        ends = self.ends[first - 1 : self.entries]
        return self.letters[ends[0] : ends[-1]].tobytes(), (ends - ends[0]).tolist()


def blocks(strings: Iterable[str]) -> Iterator[bytes]:
    """Texts, with a border after each, in blocks that are worth a call of compiled code."""
    batch: list[str] = []
    size = 0
    strings = iter(strings)
    while more := [*islice(strings, 64)]:
        batch += more
        size += sum(map(len, more))
        if size >= BLOCK:
            yield from _cut(joined(batch))
            batch, size = [], 0
    if batch:
        yield from _cut(joined(batch))


def _cut(data: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(data):
        cut = CUT.search(data, begin + BLOCK)
        end = cut.start() if cut else len(data)
        yield data[begin:end]
        begin = end


def joined(strings: list[str]) -> bytes:
    """Texts as UTF-8, with a border after each."""
    whole = SEPARATOR.join([*strings, ""]) if len(strings) > 9 else ""
    if whole.count(SEPARATOR) == len(strings):  # as a rule, no text holds it
        return whole.encode().replace(SEPARATOR.encode(), BORDER)
    return b"".join(string.encode() + BORDER for string in strings)
