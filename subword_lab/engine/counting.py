"""Counting the words of large texts (GPT-2's pattern), and training BPE on the counts, without leaving the arrays.

Texts are read in pieces, and a piece that ends in the middle of a word is finished with the next one: so memory grows
with the number of different words, and not with the text.
"""
from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from unicodedata import category, combining

import numpy as np

from . import bert_words, byte_words
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
            place, self.entries = self._go_on(characters, words, place, ends, last)
            if place < len(data) and (place, self.entries) == before and self._fits(len(data) - place):
                break                                                         # not for want of room: the text goes on
            self._make_room(len(data) - place)
        return data[place:]

    def _go_on(self, characters: np.ndarray, words: np.ndarray, place: int, stops: np.ndarray,
               last: bool) -> tuple[int, int]:
        return self.code.count_words(characters, words, place, stops, last, self.classes, *self.table, self.entries)

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


class Kinds:
    """The kind of every character that was met, and what normalization makes of it, for `bert_words`.

    words: the normalized words of a text. A character has to become the same wherever it stands, but for marks.
    """

    def __init__(self, words: Callable[[str], list[str]]):
        self.words = words
        self._kinds, self._where = np.zeros(0x110000, np.uint8), np.zeros(0x110000, np.int32)
        self._spelled = bytearray()
        self.learn(bytes(range(128)))

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The kinds, where what a character becomes is spelled, and the spellings."""
        return self._kinds, self._where, np.frombuffer(self._spelled, np.uint8)

    def learn(self, data: bytes) -> None:
        """Find out about the characters of some UTF-8, whose end may be missing."""
        for char in {*data.decode(errors="ignore")}:
            if self._kinds[ord(char)]:
                continue
            found, kind, becomes = self.words(f"x{char}x"), bert_words.ASK, ""
            if found == ["x", "x"]:
                kind = bert_words.BLANK
            elif len(found) == 1:
                kind, becomes = bert_words.WITHIN, found[0][1:-1]
            elif len(found) == 3 and len(found[1]) == 1:
                kind, becomes = bert_words.ALONE, found[1]
            # Taking accents off may let marks of other kinds change places; where accents stay, nothing moves.
            if any(combining(each) and category(each) != "Mn" for each in becomes):
                kind, becomes = bert_words.ASK, ""
            self._kinds[ord(char)], self._where[ord(char)] = kind, len(self._spelled)
            self._spelled += bytes([len(becomes), len(becomes.encode())]) + becomes.encode()


class BertWords(ByteWords):
    """The same for BERT's words, which are normalized after they were counted, each different one once.

    >>> counted = BertWords(lambda string: string.lower().split())
    >>> counted.add_texts(["Hug a hug"])
    >>> counted.normalized()
    {'hug': 2, 'a': 1}
    """

    def __init__(self, words: Callable[[str], list[str]]):
        super().__init__()
        self._bert, self._kinds = compiled("bert_words"), Kinds(words)

    def _go_on(self, characters: np.ndarray, words: np.ndarray, place: int, stops: np.ndarray,
               last: bool) -> tuple[int, int]:
        while True:
            place, self.entries, unknown = self._bert.count_words(
                characters, words, place, stops, last, self._kinds.rows()[0], *self.table, self.entries)
            if not unknown:
                return place, self.entries
            self._kinds.learn(characters[place:].tobytes())

    def normalized(self) -> dict[str, int]:
        """Word -> count, in first-seen order."""
        ends = self.table.ends[:self.entries]
        letters = self.table.letters.view(np.uint8)
        out, out_ends = np.empty(4 * int(ends[-1]), np.uint8), np.zeros(self.entries, np.int64)
        spelled = out[:self._bert.spell_words(letters, ends, *self._kinds.rows(), out, out_ends)].tobytes()
        freqs: dict[str, int] = {}
        start = 0
        for entry, (end, count) in enumerate(zip(out_ends[1:].tolist(), self.counts[1:].tolist()), start=1):
            if end:
                words, start = [spelled[start:end].decode()] * (end > start), end
            else:
                words = self._kinds.words(letters[ends[entry - 1]:ends[entry]].tobytes().decode())
            for word in words:
                freqs[word] = freqs.get(word, 0) + count
        return freqs


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
