"""Words with a space before them, cut into tokens of Unigram or WordPiece: for compiled code only.

In Unigram a space stands for the mark `▁`, so that a text has one byte for it and not three. WordPiece has the space
before a token that begins a word, and nothing before those that continue one. All tokens stand in one tree (`trie`).

Unigram cuts a new word as `lattice.viterbi` does, with the same sums in the same order: the way from each character of
the word through the tree passes all tokens that fit there. WordPiece takes the longest token that fits.
"""

import math

import numpy as np

from .byte_ids import pack
from .byte_words import width_of
from .compiling import kernel
from .trie import child_of

SPACE = ord(" ")


@kernel
def cut(data, begin, length, branches, loss_at, id_at, unknown_loss, best, starts):
    """For each place in the word where a token may end, the id and the start of the best way's last token there."""
    for place in range(1, length + 1):
        best[place] = math.inf
    best[0], start = 0.0, 0
    while start < length:
        after = start + width_of(data[begin + start])
        node, place, alone = np.int64(0), start, True
        while place < length:
            node = child_of(node, data[begin + place], branches)
            if node < 0:
                break
            place += 1
            if id_at[node] >= 0:
                alone &= place != after
                loss = best[start] + loss_at[node]
                if loss < best[place]:
                    best[place], starts[place, 0], starts[place, 1] = loss, start, id_at[node]
        if alone and best[start] + unknown_loss < best[after]:
            best[after], starts[after, 0], starts[after, 1] = best[start] + unknown_loss, start, -1
        start = after


@kernel
def spell(data, begin, length, starts, unknown, fused, byte_ids, row, end):
    """Write the ids of the best way to `row` after `end`: how many they are. byte_ids: empty, if bytes have none."""
    place, pieces = length, 0
    while place > 0:  # turn the way round: from start to end
        start = starts[place, 0]
        starts[start, 2], place, pieces = place, start, pieces + 1
    count, place = 0, 0
    for _ in range(pieces):
        after = starts[place, 2]
        if starts[after, 1] >= 0:
            row[end + 1 + count], count = starts[after, 1], count + 1
        elif len(byte_ids) > 0:
            for i in range(place, after):
                row[end + 1 + count], count = byte_ids[data[begin + i]], count + 1
        elif not (fused and count and row[end + count] == unknown):
            row[end + 1 + count], count = unknown, count + 1
        place = after
    return count


@kernel
def cut_longest(data, begin, length, branches, id_at, unknown, longest, row, end):
    """Write the ids of the longest tokens, from left to right, to `row` after `end`: how many they are."""
    count = start = chars = 0
    for place in range(begin, begin + length):
        chars += data[place] & 0xC0 != 0x80
    while start < length:
        node, found, after, place = np.int64(0), -1, start, start
        while place < length and chars <= longest + 1:  # with the space
            node = child_of(node, data[begin + place], branches)
            if node < 0:
                break
            place += 1
            if id_at[node] >= 0:
                found, after = id_at[node], place
        if found < 0:
            row[end + 1] = unknown
            return 1
        count, start = count + 1, after
        row[end + count] = found
    return count


@kernel
def encode_words(
    letters,
    ends,
    entry,
    entries,
    branches,
    id_at,
    unknown,
    longest,
    loss_at,
    unknown_loss,
    fused,
    byte_ids,
    packed,
    row,
    row_end,
):
    """Encode the words of some entries, as `byte_ids.encode_words`; one with spaces inside is several.

    longest: characters of a word that WordPiece cuts; 0 for Unigram, to which belongs what comes after it.
    """
    best, starts = np.empty(64), np.empty((64, 3), np.int32)
    while entry < entries:
        place, stop, count = ends[entry - 1], ends[entry], 0
        if row_end + stop - place + 2 > len(row):
            break
        if stop - place >= len(best):
            best, starts = np.empty(2 * (stop - place)), np.empty((2 * (stop - place), 3), np.int32)
        while place < stop:
            length, end = 1, row_end + count
            while place + length < stop and letters[place + length] != SPACE:
                length += 1
            if longest:
                count += cut_longest(
                    letters, place, length, branches, id_at, unknown, longest, row, end
                )
            else:
                cut(letters, place, length, branches, loss_at, id_at, unknown_loss, best, starts)
                count += spell(letters, place, length, starts, unknown, fused, byte_ids, row, end)
            place += length
        packed[entry], row_end = pack(row, row_end, count)
        entry += 1
    return entry, row_end
