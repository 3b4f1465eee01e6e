"""Words that begin with a space, counted for SentencePiece's rules, or encoded by Unigram: for compiled code only.

A space stands for the mark `▁` here, so that a text has one byte for it and not three, and a word ends where the next
space is.

A new word is cut as `lattice.viterbi` cuts it, with the same sums in the same order. All tokens stand in one tree
(`trie`); the way from each character of the word through the tree passes all tokens that fit there.
"""

import math

import numpy as np

from .byte_ids import pack
from .byte_words import width_of
from .compiling import kernel
from .trie import child_of
from .word_table import BORDER

SPACE = ord(" ")


@kernel
def find_words(data, size, last, followed, starts):
    """Write to `starts` where the words of the first bytes begin, and where the last one ends: how many there are.

    last: no more text follows; otherwise the last word is left. followed: a space ends a word, as a zero does, and
    does not begin the next one.
    """
    count, before = 0, BORDER
    for place in range(size):
        starts[count] = place
        byte = data[place]
        edge = before if followed else byte
        count += edge == SPACE or byte == BORDER or before == BORDER or (followed and before == 0)
        before = byte
    starts[count] = size
    return count - (not last)


@kernel
def cut(data, begin, length, branches, loss_at, id_at, unknown_loss, best, starts):
    """For each place in the word where a token may end, the id and the start of the best way's last token there."""
    for place in range(1, length + 1):
        best[place] = math.inf
    best[0], start = 0.0, 0
    while start < length:
        byte = data[begin + start]
        after = start + width_of(byte)
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
def encode_words(
    letters,
    ends,
    entry,
    entries,
    branches,
    loss_at,
    id_at,
    unknown_loss,
    unknown,
    fused,
    byte_ids,
    packed,
    row,
    row_end,
):
    """Encode the words of some entries, as `byte_ids.encode_words`; one with spaces inside is several."""
    best, starts = np.empty(64), np.empty((64, 3), np.int32)
    while entry < entries:
        place, stop, count = ends[entry - 1], ends[entry], 0
        if row_end + stop - place + 2 > len(row):
            break
        if stop - place >= len(best):
            best, starts = np.empty(2 * (stop - place)), np.empty((2 * (stop - place), 3), np.int32)
        while place < stop:
            length = 1
            while place + length < stop and letters[place + length] != SPACE:
                length += 1
            cut(letters, place, length, branches, loss_at, id_at, unknown_loss, best, starts)
            count += spell(
                letters, place, length, starts, unknown, fused, byte_ids, row, row_end + count
            )
            place += length
        packed[entry], row_end = pack(row, row_end, count)
        entry += 1
    return entry, row_end
