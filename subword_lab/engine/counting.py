"""Counting the words of large texts (GPT-2's pattern), and training BPE on the counts, without leaving the arrays.

Texts are read in pieces, and a piece that ends in the middle of a word is finished with the next one: so memory grows
with the number of different words, and not with the text.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from .compiling import array_rows, compiled
from .words import BORDER, BertFinder, ByteFinder, Finder, Kinds, Words, in_a_row

PIECE = 1 << 22  # bytes that are read at a time


class ByteWords(Words):
    """The words of byte-level texts, with their counts, in the order in which they were first seen.

    >>> counted = ByteWords()
    >>> counted.add_texts(["hug a hug", " hug"])
    >>> counted.as_dict()
    {b'hug': 1, b' a': 1, b' hug': 2}
    """

    def __init__(self, finder: Finder | None = None):
        super().__init__(ByteFinder() if finder is None else finder)
        self._counts = np.zeros(len(self.ends), np.int64)

    def add_texts(self, strings: Iterable[str]) -> None:
        """Count the words of some texts, read once."""
        for data in in_a_row(strings):
            self._read(data, True, self._tally)

    def add_file(self, path: str | os.PathLike[str]) -> None:
        """Count the words of a file, as one text. OSError if it cannot be read, ValueError if it is not UTF-8."""
        rest = b""
        for piece in utf8_pieces(path):
            rest = self._read(rest + piece, False, self._tally)
        self._read(rest + BORDER, True, self._tally)

    def _tally(self, entries: np.ndarray) -> None:
        if len(self._counts) < len(self.ends):
            self._counts = np.concatenate(
                [self._counts, np.zeros(len(self.ends) - len(self._counts), np.int64)]
            )
        self._table.tally(entries, self._counts)

    @property
    def counts(self) -> np.ndarray:
        """How often each word occurs, by its entry; entry 0 is none."""
        return self._counts[: self.entries]

    def __len__(self) -> int:
        return self.entries - 1

    def as_dict(self) -> dict[bytes, int]:
        """Word -> count, in first-seen order."""
        ends = self.ends[: self.entries].tolist()
        letters = self.letters[: ends[-1]].tobytes()
        return {
            letters[start:end]: count
            for start, end, count in zip(ends, ends[1:], self.counts[1:].tolist())
        }


class BertWords(ByteWords):
    """The same for BERT's words, which are normalized after they were counted, each different one once.

    >>> counted = BertWords(lambda string: string.lower().split())
    >>> counted.add_texts(["Hug a hug"])
    >>> counted.normalized()
    {'hug': 2, 'a': 1}
    """

    def __init__(self, words: Callable[[str], list[str]]):
        self._kinds = Kinds(words)
        super().__init__(BertFinder(self._kinds))

    def normalized(self) -> dict[str, int]:
        """Word -> count, in first-seen order."""
        ends, letters, code = self.ends[: self.entries], self.letters, compiled("bert_words")
        out, out_ends = np.empty(4 * int(ends[-1]), np.uint8), np.zeros(self.entries, np.int64)
        used = code.spell_words(letters, ends, *self._kinds.rows(), out, out_ends)
        spelled = out[:used].tobytes().decode()
        freqs: dict[str, int] = {}
        start = 0
        for entry, (end, count) in enumerate(
            zip(out_ends[1:].tolist(), self.counts[1:].tolist()), start=1
        ):
            words = (
                (spelled[start:end],)
                if end
                else self._kinds.words(letters[ends[entry - 1] : ends[entry]].tobytes().decode())
            )
            start = end or start
            for word in words:
                freqs[word] = freqs.get(word, 0) + count
        freqs.pop("", None)  # from words of nothing but control characters
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
                raise ValueError(
                    f"{os.fspath(path)} is not UTF-8: {error.reason} near byte {read + error.start}"
                ) from None
            if not piece:
                return
            read += len(piece)
            yield piece


def learn_byte_merges(
    counted: ByteWords,
    vocab: list[str],
    symbol_of: Iterable[int],
    *,
    vocab_size: int,
    by_place: bool = False,
) -> list[tuple[int, int, int]]:
    """Merge the most frequent pairs of counted words: (left, right, token) of every merge, as ids.

    vocab: the tokens before any merge. symbol_of: the id of each of the 256 bytes. For the rest see
    `training.learn_merges`, whose merges these are.
    """
    rows = array_rows(int(counted.ends[counted.entries - 1]) + counted.entries)
    compiled("byte_words").fill_rows(
        counted.letters,
        counted.ends,
        counted.counts,
        np.array(list(symbol_of), np.int32),
        rows["symbols"],
        rows["freq_at"],
    )
    spelled = np.array([number for token in range(len(vocab)) for number in (token, -1)], np.int32)
    return list(
        zip(
            *compiled("pair_rows").merge_pairs(
                rows["symbols"],
                rows["pair_at"],
                rows["freq_at"],
                spelled,
                len(vocab),
                vocab_size,
                1 << 60,
                by_place,
            )
        )
    )
