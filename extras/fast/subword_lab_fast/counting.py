"""Counting the words of large texts, in compiled code.

Texts are read in pieces, and a piece that ends in the middle of a word is finished with the next one: so memory grows
with the number of different words, and not with the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from subword_lab import text

from .bert_words import spell_words
from .word_table import tally
from .words import BertFinder, ByteFinder, Finder, Kinds, SpacedFinder, Words, in_a_row


class CountedWords(Words):
    """The words of texts, with their counts, in the order in which they were first seen.

    >>> counted = CountedWords(ByteFinder())
    >>> counted.add_texts(["hug a hug", " hug"])
    >>> counted.as_dict()
    {'hug': 1, 'Ġa': 1, 'Ġhug': 2}
    """

    def __init__(self, finder: Finder):
        super().__init__(finder)
        self._counts = np.zeros(len(self.ends), np.int64)

    def add_texts(self, strings: Iterable[str]) -> None:
        """Count the words of some texts, read once."""
        for data in in_a_row(strings):
            self._read(data, self._tally)

    def _tally(self, entries: np.ndarray) -> None:
        missing = len(self.ends) - len(self._counts)
        if missing:
            self._counts = np.concatenate([self._counts, np.zeros(missing, np.int64)])
        tally(entries, self._counts)

    def counts(self) -> list[int]:
        """How often each word occurs."""
        return self._counts[1 : self.entries].tolist()

    def as_dict(self) -> dict[str, int]:
        """Word, as characters that stand for its bytes, -> count."""
        ends = self.ends[: self.entries].tolist()
        chars = text.bytes_to_chars(self.letters[: ends[-1]].tobytes())
        words = [chars[start:end] for start, end in pairwise(ends)]
        return dict(zip(words, self.counts()))

    def letters_in_a_row(self) -> str:
        """All words, one after the other."""
        return self.letters[: self.ends[self.entries - 1]].tobytes().decode()


def count_bytes(texts: Iterable[str], scheme: str) -> dict[str, int]:
    """The words of a scheme that writes bytes, as `text.word_freqs` writes them."""
    counted = CountedWords(ByteFinder(scheme))
    counted.add_texts(texts)
    return counted.as_dict()


def count_spaced(texts: Iterable[str]) -> dict[str, int]:
    """The words of "metaspace", of texts that begin with a space.

    >>> count_spaced([" hug a hug"])
    {'▁hug': 2, '▁a': 1}
    """
    counted = CountedWords(SpacedFinder())
    counted.add_texts(text.replace("▁", " ") for text in texts)
    ends, letters = counted.ends[: counted.entries].tolist(), counted.letters
    words = (letters[start:end].tobytes().decode() for start, end in pairwise(ends))
    return dict(zip((word.replace(" ", "▁") for word in words), counted.counts()))


def count_bert(texts: Iterable[str], words: Callable[[str], list[str]]) -> dict[str, int]:
    """The words of BERT, which are normalized after they were counted, each different one once.

    words: the normalized words of a text.

    >>> count_bert(["Hug a hug"], lambda string: string.lower().split())
    {'hug': 2, 'a': 1}
    """
    kinds = Kinds(words)
    counted = CountedWords(BertFinder(kinds))
    counted.add_texts(texts)
    ends, letters = counted.ends[: counted.entries], counted.letters
    out, out_ends = np.empty(4 * int(ends[-1]), np.uint8), np.zeros(len(ends), np.int64)
    used = spell_words(letters, ends, *kinds.rows(), out, out_ends)
    spelled, start = out[:used].tobytes().decode(), 0
    freqs: dict[str, int] = {}
    for entry, (end, count) in enumerate(zip(out_ends[1:].tolist(), counted.counts()), start=1):
        if end:
            found, start = [spelled[start:end]], end
        else:
            found = words(letters[ends[entry - 1] : ends[entry]].tobytes().decode())
        for word in found:
            freqs[word] = freqs.get(word, 0) + count
    freqs.pop("", None)  # from words of nothing but control characters
    return freqs


def followed_words() -> CountedWords:
    """Counts words, each with the space after it, or the zero with which a text has to end.

    >>> counted = followed_words()
    >>> counted.add_texts(["hug a hug\\0", "hug\\0"])
    >>> counted.letters_in_a_row(), counted.counts()
    ('hug a hug\\x00', [1, 1, 2])
    """
    return CountedWords(SpacedFinder(followed=True))
