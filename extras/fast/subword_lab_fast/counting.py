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
from .words import Finder, Kinds, Words, finder, in_a_row


class CountedWords(Words):
    """The words of texts, with their counts, in the order in which they were first seen.

    >>> counted = CountedWords(finder("byte-level"), ["hug a hug", " hug"])
    >>> counted.letters_in_a_row(), counted.counts()
    ('hug a hug', [1, 1, 2])
    """

    def __init__(self, find: Finder, strings: Iterable[str] = ()):
        super().__init__(find)
        self.add_texts(strings)

    def add_texts(self, strings: Iterable[str]) -> None:
        """Count the words of some texts, read once."""
        for data in in_a_row(strings):
            for entries in self._read(data):
                tally(entries, self.numbers)

    def counts(self) -> list[int]:
        """How often each word occurs."""
        return self.numbers[1 : self.entries].tolist()

    def bytes_in_a_row(self) -> bytes:
        """The bytes of all words, one after the other."""
        return self.letters[: self.ends[self.entries - 1]].tobytes()

    def letters_in_a_row(self) -> str:
        """All words, one after the other."""
        return self.bytes_in_a_row().decode()


def count_words(
    texts: Iterable[str], scheme: str, words: Callable[[str], list[str]]
) -> dict[str, int]:
    """The words of a scheme that `text.compilable` names, with their counts, as `text.word_freqs` writes them.

    Those of "bert" are normalized after they were counted, each different one once, by `words`: the normalized words
    of a text. Other texts come normalized, and for "metaspace" begin with a space.

    >>> count_words(["hug a hug", " hug"], "byte-level", str.split)
    {'hug': 1, 'Ġa': 1, 'Ġhug': 2}
    >>> count_words([" hug a hug"], "metaspace", str.split)
    {'▁hug': 2, '▁a': 1}
    >>> count_words(["Hug a hug"], "bert", lambda string: string.lower().split())
    {'hug': 2, 'a': 1}
    """
    if scheme == "bert":
        return _count_bert(texts, words)
    if scheme == "metaspace":
        texts = (text.replace("▁", " ") for text in texts)
    counted = CountedWords(finder(scheme), texts)
    ends, data = counted.ends[: counted.entries].tolist(), counted.bytes_in_a_row()
    if scheme == "metaspace":
        found = [data[start:end].decode().replace(" ", "▁") for start, end in pairwise(ends)]
    else:
        chars = text.bytes_to_chars(data)
        found = [chars[start:end] for start, end in pairwise(ends)]
    return dict(zip(found, counted.counts()))


def _count_bert(texts: Iterable[str], words: Callable[[str], list[str]]) -> dict[str, int]:
    kinds = Kinds(words)
    counted = CountedWords(kinds.find, texts)
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
    return CountedWords(finder("followed"))
