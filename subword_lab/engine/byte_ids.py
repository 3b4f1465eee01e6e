"""From bytes to ids and back, for byte-level BPE: for compiled code only.

Most words of a text were met before, so a table (that of `byte_words`) remembers the ids of each word: one id or two in
the word's slot itself, more of them in a row beside it. A new word is split into bytes, and the pair with the lowest
rank is merged, again and again, of equal ones the leftmost. A short word is searched anew after each merge; in a long
one a heap holds the pairs, and links lead from each symbol to its neighbors, so that time does not go with the square.
"""
from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from .byte_words import ENTRY, SECOND, SHORT, VALUE, add, find, has_room, key_of, slot_of, word_end

INNER = ("value_of", "put", "merge_short")
SHORT_WORD = 40                                            # bytes, up to which searching costs less than a heap
LAST_RANK = np.int64(1) << 62
MIX = np.int64(0x9E3779B97F4A7C15 - (1 << 64))
TWO, FEW, TWO_BITS, SHIFT_33, LOW_31 = np.uint64(2), np.uint64(3), np.uint64(2), np.uint64(33), np.uint64((1 << 31) - 1)


def table_of_merges(left, right, tokens):
    """A table of pairs: keys, left * 2^32 + right + 1, or 0 for a free slot; and values, rank * 2^32 + token.

    A pair that comes twice has its first rank.
    """
    size = 16
    while size < 4 * len(left):
        size *= 2
    keys, merges = np.zeros(size, np.int64), np.full(size, LAST_RANK)
    for rank in range(len(left)):
        key = (np.int64(left[rank]) << 32) + right[rank] + 1
        slot = (key * MIX >> 20) & (size - 1)
        while keys[slot] != 0 and keys[slot] != key:
            slot = (slot + 1) & (size - 1)
        if keys[slot] == 0:
            keys[slot], merges[slot] = key, (np.int64(rank) << 32) + tokens[rank]
    return keys, merges


def value_of(left, right, keys, merges):
    """Rank and token of a pair, as one number; a very large one, if it is never merged."""
    key = (np.int64(left) << 32) + right + 1
    slot = (key * MIX >> 20) & (len(keys) - 1)
    while keys[slot] != key:
        if keys[slot] == 0:
            return LAST_RANK
        slot = (slot + 1) & (len(keys) - 1)
    return merges[slot]


def merge_short(ids, begin, length, keys, merges, values):
    """Merge the ids of a word in place: how many are left. values: room for a number a symbol."""
    for i in range(length - 1):
        values[i] = value_of(ids[begin + i], ids[begin + i + 1], keys, merges)
    while length > 1:
        best = 0
        for i in range(1, length - 1):
            if values[i] >> 32 < values[best] >> 32:
                best = i
        if values[best] == LAST_RANK:
            break
        ids[begin + best] = values[best] & 0xFFFFFFFF
        length -= 1
        for i in range(best + 1, length):
            ids[begin + i] = ids[begin + i + 1]
            values[i - 1] = values[i]
        if best:
            values[best - 1] = value_of(ids[begin + best - 1], ids[begin + best], keys, merges)
        if best + 1 < length:
            values[best] = value_of(ids[begin + best], ids[begin + best + 1], keys, merges)
    return length


def merge_long(ids, begin, length, keys, merges):
    """The same for a word of any length."""
    after, before = np.arange(1, length + 1), np.arange(-1, length - 1)
    values = np.full(length, LAST_RANK)
    for i in range(length - 1):
        values[i] = value_of(ids[begin + i], ids[begin + i + 1], keys, merges)
    heap = [(values[i] >> 32, np.int64(i)) for i in range(length)]
    heapify(heap)
    while len(heap) > 0:
        rank, place = heappop(heap)
        if values[place] >> 32 != rank or values[place] == LAST_RANK:
            continue                                                 # a merge has changed one of the two
        gone = after[place]
        ids[begin + place] = values[place] & 0xFFFFFFFF
        values[place] = values[gone] = LAST_RANK
        ids[begin + gone] = -1
        after[place] = after[gone]
        if after[place] < length:
            before[after[place]] = place
        for changed in (before[place], place):
            if changed >= 0 and after[changed] < length:
                values[changed] = value_of(ids[begin + changed], ids[begin + after[changed]], keys, merges)
                if values[changed] != LAST_RANK:
                    heappush(heap, (values[changed] >> 32, changed))
    left = begin
    for place in range(begin, begin + length):
        if ids[place] >= 0:
            ids[left] = ids[place]
            left += 1
    return left - begin


def remember(data, place, length, byte_ids, keys, merges, row, end, values):
    """Encode a word into `row` from `end` on: what its slot remembers, and where the row ends now."""
    for i in range(length):
        row[end + 1 + i] = byte_ids[data[place + i]]
    if length <= SHORT_WORD:
        count = merge_short(row, end + 1, length, keys, merges, values)
    else:
        count = merge_long(row, end + 1, length, keys, merges)
    return pack(row, end, count)


def pack(row, end, count):
    """What a slot remembers of the ids that stand in a row after `end`, and where the row ends now."""
    if count <= 2:
        first, second = np.uint64(row[end + 1] if count else 0), np.uint64(row[end + 2] if count == 2 else 0)
        return second << SHIFT_33 | first << TWO_BITS | np.uint64(count), end
    row[end] = count
    return np.uint64(end) << TWO_BITS | FEW, end + 1 + count


def put(value, row, out, used):
    """Write the ids that a slot remembers to `out`: where it ends now."""
    count = value & FEW
    if count < FEW:
        out[used] = np.int64(value >> TWO_BITS & LOW_31)
        if count == TWO:
            out[used + 1] = np.int64(value >> SHIFT_33)
        return used + np.int64(count)
    begin = np.int64(value >> TWO_BITS)
    for i in range(begin + 1, begin + 1 + row[begin]):
        out[used] = row[i]
        used += 1
    return used


def encode_bytes(data, words, place, text, stops, cuts, last, classes, slots, letters, ends, entries, row, row_end,
                 byte_ids, keys, merges, recent, out, used):
    """Encode the words from `place` on: where it stopped, in which text, the entries, where the row and the ids end.

    stops: where each text ends; cuts: receives where its ids end, if another text follows that is not empty.
    recent: a small table of the words that came last, which stays in the processor's cache where the large one cannot.
    """
    values = np.empty(SHORT_WORD, np.int64)
    end = stops[len(stops) - 1]
    while place < end:
        while stops[text] <= place:
            cuts[text] = used
            text += 1
        stop = word_end(data, place, stops[text], last, classes)
        if stop < 0:
            break
        length = stop - place
        first, second = key_of(words, place, length)
        near = slot_of(first, second, recent)
        if length <= SHORT and recent[near, 0] == first and recent[near, SECOND] == second:
            used = put(recent[near, VALUE], row, out, used)
            place = stop
            continue
        slot = find(first, second, words, place, length, slots, letters, ends)
        if slots[slot, ENTRY] == 0:
            if not has_room(letters, ends, entries, length) or row_end + length + 2 > len(row):
                break
            add(first, second, data, place, length, slots, letters, ends, slot, entries)
            entries += 1
            slots[slot, VALUE], row_end = remember(data, place, length, byte_ids, keys, merges, row,
                                                      row_end, values)
        recent[near, 0], recent[near, SECOND], recent[near, VALUE] = first, second, slots[slot, VALUE]
        used = put(slots[slot, VALUE], row, out, used)
        place = stop
    return place, text, entries, row_end, used


def decode_ids(ids, words, begins, lengths):
    """The position of the first id that is none, or -1; and the bytes of all ids, one after the other.

    words: the bytes of all tokens, eight in a number, where a token begins with a number of its own (begins) and is
    filled up with zeros. So eight bytes at a time are moved into place.
    """
    size = 0
    for i in range(len(ids)):
        if ids[i] < 0 or ids[i] >= len(lengths):
            return i, words[:0].view(np.uint8)
        size += lengths[ids[i]]
    out, used, held, bits = np.empty(size // 8 + 1, np.uint64), 0, np.uint64(0), 0
    for i in range(len(ids)):
        place, left = begins[ids[i]], 8 * lengths[ids[i]]
        while left > 0:
            held |= words[place] << np.uint64(bits)
            bits += min(left, 64)
            if bits >= 64:
                out[used] = held
                used += 1
                bits -= 64
                held = words[place] >> np.uint64(min(left, 64) - bits) if bits else np.uint64(0)
            place += 1
            left -= 64
    out[used] = held
    return -1, out.view(np.uint8)[:size]
