"""The pieces that SentencePiece's rules start from, out of sorted suffixes, for compiled code: see `pieces.seeds`.

As in `suffixes`, equal beginnings stand side by side once the suffixes of all words are sorted, and where neighbors
part, a piece ends that cannot be made longer. A suffix is a place in the bytes of all words in a row. It is sorted by
its first eight bytes as one number, and where these are equal by the next eight, as far as a piece could reach: what is
no piece needs no order. UTF-8 sorts as code points do.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .compiling import kernel

NEVER, IN_FRONT = -1, -2  # kinds of characters: in no piece; at most as its first


def repeated_pieces(
    word_freqs: Mapping[str, int], kinds: Mapping[str, int], longest: int, most: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Repeated pieces of two or more characters with length times count: the best, as `pieces.seeds` ranks them.

    kinds: the kind of each character; two above 0 are in one piece only if they are the same. longest: in characters.
    The pieces are codes and ends, as `as_codes` has them.

    >>> codes, ends, scores = repeated_pieces({"hugs_": 2, "hum_": 3},
    ...                                       {char: 1 for char in "hugsm"} | {"_": -2}, 16, 10)
    >>> as_strings(codes, ends), scores.tolist()
    (['hu'], [10])
    """
    codes, char_ends = as_codes([*word_freqs])
    data, starts = as_bytes(codes)
    kind_of = np.zeros(max(map(ord, kinds)) + 1, np.int64)
    kind_of[[*map(ord, kinds)]] = [*kinds.values()]
    ends = starts[char_ends]
    suffixes, words, reach = beginnings(starts, ends, kind_of[codes], longest)
    order = sorted_places(data, suffixes, reach)
    suffixes, words, reach = suffixes[order], words[order], reach[order]
    freqs = np.fromiter(word_freqs.values(), np.int64)[words]
    places, lengths, scores = shared_beginnings(data, suffixes, ends[words], freqs, reach)
    best: Any = np.lexsort((np.arange(len(scores)), -lengths, -scores))[:most]
    begins = starts.searchsorted(places[best])
    sizes = starts.searchsorted(places[best] + lengths[best]) - begins
    found = sizes.cumsum()
    return (
        codes[np.arange(sizes.sum()) + np.repeat(begins - found + sizes, sizes)],
        found,
        scores[best],
    )


def as_codes(strings: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The characters of all strings in a row, as code points, and where each string ends."""
    codes = np.frombuffer("".join(strings).encode("utf-32-le"), np.uint32)
    return codes.astype(np.int64), np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)))


def as_strings(codes: np.ndarray, ends: np.ndarray) -> list[str]:
    """The strings, from their characters and their ends."""
    string, stops = codes.astype(np.uint32).tobytes().decode("utf-32-le"), ends.tolist()
    return [string[start:end] for start, end in zip([0, *stops], stops)]


def as_bytes(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of characters, and some more, and where in them each character begins, and where the last one ends."""
    data = np.frombuffer(
        codes.astype(np.uint32).tobytes().decode("utf-32-le").encode() + bytes(16), np.uint8
    )
    return data, np.append(np.flatnonzero(data[:-16] & 0xC0 != 0x80), len(data) - 16)


def sorted_places(data: np.ndarray, places: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """The order of places by the bytes that follow, each as far as it reaches at least."""
    # Eight bytes from each place on, as a number that sorts as they do.
    eights = np.ndarray(len(data) - 7, ">u8", data, strides=(1,)).astype(np.uint64)
    order = np.argsort(eights[places])
    sort_further(eights, places[order], reach[order], order)
    return order


@kernel
def beginnings(starts, ends, kinds, longest):
    """The places where pieces of two or more characters begin; the word of each; and how many bytes they reach."""
    places, words, reach = np.empty((3, len(kinds)), np.int64)
    count, word = 0, 0
    for char in range(len(kinds)):
        while starts[char] >= ends[word]:
            word += 1
        end, kind = char, 0
        while end < len(kinds) and end - char < longest and starts[end] < ends[word]:
            other = kinds[end]
            if (
                other == NEVER
                or (other == IN_FRONT and end > char)
                or (other > 0 and kind > 0 and other != kind)
            ):
                break
            kind, end = other if other > 0 else kind, end + 1
        if end > char + 1:
            places[count], words[count], reach[count] = (
                starts[char],
                word,
                starts[end] - starts[char],
            )
            count += 1
    return places[:count], words[:count], reach[:count]


@kernel
def sort_further(eights, places, reach, order):
    """Sort places that are sorted by their first eight bytes by those that follow, and with them their order."""
    groups = [(0, len(places), 0)]
    while len(groups) > 0:
        first, last, depth = groups.pop()
        keys = eights[np.minimum(places[first:last] + depth, len(eights) - 1)]
        if depth > 0:
            by_keys = np.argsort(keys)
            places[first:last], reach[first:last] = (
                places[first:last][by_keys],
                reach[first:last][by_keys],
            )
            order[first:last], keys = order[first:last][by_keys], keys[by_keys]
        begin = 0
        for i in range(1, len(keys) + 1):
            if i < len(keys) and keys[i] == keys[begin]:
                continue
            if i > begin + 1 and reach[first + begin : first + i].max() > depth + 8:
                groups.append((first + begin, first + i, depth + 8))
            begin = i


@kernel
def shared_beginnings(data, places, ends, freqs, reach):
    """Where neighbors part, within reach: for each piece a place, its length in bytes, and its score."""
    found = [(np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
    open = [(np.int64(0), np.int64(0))]  # lengths, and occurrences so far; longest last
    for i in range(len(places)):
        place, shared, occurrences = places[i], 0, freqs[i]
        if i + 1 < len(places):
            other, most = places[i + 1], min(ends[i] - place, ends[i + 1] - places[i + 1])
            while (
                shared < most
                and shared <= reach[i]
                and data[place + shared] == data[other + shared]
            ):
                shared += 1
        while open[-1][0] > shared:
            length, more = open.pop()
            occurrences += more
            if length <= reach[i] and data[place + length] & 0xC0 != 0x80:
                chars = 0
                for j in range(place, place + length):
                    chars += data[j] & 0xC0 != 0x80
                if chars > 1:
                    found.append((place, length, chars * occurrences))
        if open[-1][0] == shared:
            open[-1] = shared, open[-1][1] + occurrences
        else:
            open.append((np.int64(shared), occurrences))
    rows = np.empty((3, len(found)), np.int64)
    for i in range(len(found)):
        rows[0, i], rows[1, i], rows[2, i] = found[i]
    return rows[0], rows[1], rows[2]
