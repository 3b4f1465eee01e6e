"""Counting the words of large texts, in compiled code; memory grows with the number of different words alone."""

from collections.abc import Callable, Iterable
from itertools import pairwise

from subword_lab import text

from .word_table import tally
from .words import Words, blocks, finder, spell_all


def count_words(
    texts: Iterable[str], scheme: str, words: Callable[[str], list[str]] = str.split
) -> dict[str, int]:
    """The words of a scheme that `text.compilable` names, with their counts, as `text.word_freqs` writes them.

    Those of "bert" are normalized after they were counted, each different one once, by `words`: the normalized words
    of a text. Other texts come normalized, and for "metaspace" begin with a space.

    >>> count_words(["hug a hug", " hug"], "byte-level")
    {'hug': 1, 'Ġa': 1, 'Ġhug': 2}
    >>> count_words([" hug a hug"], "metaspace")
    {'▁hug': 2, '▁a': 1}
    >>> count_words(["Hug a hug"], "bert", lambda string: string.lower().split())
    {'hug': 2, 'a': 1}
    """
    if scheme == "metaspace":
        texts = (text.replace("▁", " ") for text in texts)
    table = Words(finder(scheme, chinese=len(words("字字")) == 2))
    for block in blocks(texts):
        found = table.read(block)  # which may make the table longer
        tally(found, table.numbers)
    counts = table.numbers[1 : table.entries].tolist()
    data, edges = table.spelled_from(1)
    if scheme in text.BYTE_LEVEL:
        chars = text.bytes_to_chars(data)
        return {chars[start:end]: count for (start, end), count in zip(pairwise(edges), counts)}
    different = [data[start:end].decode() for start, end in pairwise(edges)]
    if scheme == "metaspace":
        return dict(zip((word.replace(" ", "▁") for word in different), counts))
    freqs: dict[str, int] = {}
    for spelled, count in zip(spell_all(different, words), counts):
        for word in spelled.split(" ")[1:]:
            freqs[word] = freqs.get(word, 0) + count
    return freqs
