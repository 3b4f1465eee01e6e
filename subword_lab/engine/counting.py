"""Counting the words of large texts (GPT-2's pattern), and training BPE on the counts, without leaving the arrays.

Texts are read in pieces, and a piece that ends in the middle of a word is finished with the next one: so memory grows
with the number of different words, and not with the text.
"""
from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator

import numpy as np

from . import byte_words
from .compiling import array_rows, compiled

PIECE = 1 << 22                                                                        # bytes that are read at a time


class ByteWords:
    """The words of byte-level texts, with their counts, in the order in which they were first seen.

    >>> counted = ByteWords()
    >>> counted.add_texts(["hug a hug", " hug"])
    >>> counted.as_dict()
    {b'hug': 1, b' a': 1, b' hug': 2}
    """

    def __init__(self) -> None:
        self.code = compiled("byte_words")
        self.classes = byte_words.char_classes()
        self.table = byte_words.new_table(1 << 14, 1 << 18)
        self.entries = 1                                                               # entry 0 is no word
        self._room = np.empty(PIECE // 4, np.uint64)

    def add_texts(self, strings: Iterable[str]) -> None:
        """Count the words of some texts, read once."""
        batch: list[bytes] = []
        stops = [0]
        for string in strings:
            batch.append(string.encode())
            stops.append(stops[-1] + len(batch[-1]))
            if stops[-1] >= PIECE:
                self._count(b"".join(batch), stops, True)
                batch, stops = [], [0]
        self._count(b"".join(batch), stops, True)

    def add_file(self, path: str | os.PathLike[str]) -> None:
        """Count the words of a file, as one text. OSError if it cannot be read, ValueError if it is not UTF-8."""
        rest = b""
        for piece in utf8_pieces(path):
            rest = self._count(rest + piece, [len(rest + piece)], False)
        self._count(rest, [len(rest)], True)

    def _count(self, data: bytes, stops: list[int], last: bool) -> bytes:
        """Count the words of some texts; what is left, if the last one goes on, because its end is not known yet."""
        characters, words = byte_words.padded(data, self._room)
        ends = np.array(stops)
        place = 0
        while place < len(data):
            before = place, self.entries
            place, self.entries = self.code.count_words(characters, words, place, ends, last, self.classes,
                                                        *self.table, self.entries)
            if place < len(data) and (place, self.entries) == before and self._fits(len(data) - place):
                break                                                         # not for want of room: the text goes on
            self._make_room(len(data) - place)
        return data[place:]

    def _fits(self, length: int) -> bool:
        return bool(byte_words.has_room(self.table.letters, self.table.ends, self.entries, length))

    def _make_room(self, length: int) -> None:
        if self._fits(length):
            return
        table, used = self.table, int(self.table.ends[self.entries - 1])
        entries = 2 * len(table.ends) if 2 * self.entries > len(table.ends) else len(table.ends)
        self.table = byte_words.enlarge(table, entries, 2 * used + length + 64)
        self.code.move_entries(table.slots, self.table.slots)

    @property
    def counts(self) -> np.ndarray:
        """How often each word occurs, by its entry; entry 0 is none."""
        counts = np.zeros(self.entries, np.int64)
        slots = self.table.slots
        counts[slots[:, byte_words.ENTRY]] = slots[:, byte_words.VALUE]
        return counts

    def __len__(self) -> int:
        return self.entries - 1

    def as_dict(self) -> dict[bytes, int]:
        """Word -> count, in first-seen order."""
        ends = self.table.ends[:self.entries].tolist()
        letters = self.table.letters.view(np.uint8)[:ends[-1]].tobytes()
        return {letters[start:end]: count
                for start, end, count in zip(ends, ends[1:], self.counts[1:].tolist())}


def utf8_pieces(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a file, piece by piece. OSError if it cannot be read, ValueError, which names it, if not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    read = 0
    with open(path, "rb") as file:
        while True:
            piece = file.read(PIECE)
            try:
                decoder.decode(piece, final=not piece)
            except UnicodeDecodeError as error:
                raise ValueError(f"{os.fspath(path)} is not UTF-8: {error.reason} near byte "
                                 f"{read + error.start}") from None
            if not piece:
                return
            read += len(piece)
            yield piece


def learn_byte_merges(counted: ByteWords, vocab: list[str], symbol_of: Iterable[int], *, vocab_size: int,
                      by_place: bool = False) -> list[tuple[int, int, int]]:
    """Merge the most frequent pairs of counted words: (left, right, token) of every merge, as ids.

    vocab: the tokens before any merge. symbol_of: the id of each of the 256 bytes. For the rest see
    `training.learn_merges`, whose merges these are.
    """
    rows = array_rows(int(counted.table.ends[counted.entries - 1]) + counted.entries)
    counted.code.fill_rows(counted.table.letters.view(np.uint8), counted.table.ends, counted.counts,
                           np.array(list(symbol_of), np.int32), rows["symbols"], rows["freq_at"])
    spelled = np.array([number for token in range(len(vocab)) for number in (token, -1)], np.int32)
    return list(zip(*compiled("pair_rows").merge_pairs(rows["symbols"], rows["pair_at"], rows["freq_at"], spelled,
                                                       len(vocab), vocab_size, 1 << 60, by_place)))
