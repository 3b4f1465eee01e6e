"""From bytes to ids and back, for byte-level BPE: for compiled code only.

A table remembers the ids of each word (`words`): up to three of them in one number, more in a row beside it. So most of
encoding is copying. A new word is split into bytes, and the pair with the lowest rank is merged, again and again, of
equal ones the leftmost. A short word is searched anew after each merge; in a long one a heap holds the pairs, and links
lead from each symbol to its neighbors, so that time does not go with the square.
"""

from heapq import heapify, heappop, heappush

import numpy as np

from .compiling import inner, kernel
from .trie import FREE, free_slots, slot_of

SHORT_WORD = 40  # bytes, up to which searching costs less than a heap
ID_BITS, RANK_BITS, IN_ONE = 20, 23, 3  # IN_ONE: the ids that one number remembers
NEVER = (1 << 31) - 1  # the rank of a pair that is not merged
LOW_32 = (1 << 32) - 1


@kernel
def table_of_merges(left, right, salt):
    """A table of pairs, each with its rank in one number; a pair that comes twice has its first rank."""
    ranks = free_slots(len(left), salt)
    for rank in range(len(left)):
        pair = np.int64(left[rank]) << ID_BITS | right[rank]
        slot = slot_of(pair, ranks, RANK_BITS)
        if ranks[slot] == FREE:
            ranks[slot] = pair << RANK_BITS | rank
    return ranks


@inner
def rank_of(left, right, ranks):
    """The rank of a pair."""
    held = ranks[slot_of(np.int64(left) << ID_BITS | right, ranks, RANK_BITS)]
    return NEVER if held == FREE else held & (1 << RANK_BITS) - 1


@kernel
def ranks_of_bytes(byte_ids, ranks):
    """The rank of each two bytes, which are most of what is asked."""
    found = np.empty((256, 256), np.int32)
    for left in range(256):
        for right in range(256):
            found[left, right] = rank_of(byte_ids[left], byte_ids[right], ranks)
    return found


@inner
def merge_short(ids, begin, length, ranks, tokens, ranks_at):
    """Merge the ids of a word in place: how many are left. tokens: by rank. ranks_at: of the pair at each place."""
    while length > 1:
        best, low = 0, ranks_at[0]
        for i in range(1, length - 1):  # without a question that could be guessed wrong
            best = i if ranks_at[i] < low else best
            low = min(ranks_at[i], low)
        if low == NEVER:
            break
        ids[begin + best] = tokens[low]
        length -= 1
        for i in range(best + 1, length):
            ids[begin + i] = ids[begin + i + 1]
            ranks_at[i - 1] = ranks_at[i]
        if best:
            ranks_at[best - 1] = rank_of(ids[begin + best - 1], ids[begin + best], ranks)
        if best + 1 < length:
            ranks_at[best] = rank_of(ids[begin + best], ids[begin + best + 1], ranks)
    return length


@kernel
def merge_long(ids, begin, length, ranks, tokens, ranks_at):
    """The same for a word of any length: a heap holds rank * 2^32 + place of each pair, and of some that are gone."""
    after, before = np.arange(1, length + 1), np.arange(-1, length - 1)
    ranks_at[length - 1] = NEVER
    heap = [
        np.int64(ranks_at[place]) << 32 | place
        for place in range(length)
        if ranks_at[place] != NEVER
    ]
    heapify(heap)
    while heap:
        top = heappop(heap)
        rank, place = top >> 32, top & LOW_32
        if ranks_at[place] != rank:
            continue  # a merge has changed one of the two
        gone = after[place]
        right = after[gone]
        ids[begin + place], ids[begin + gone] = tokens[rank], -1
        ranks_at[gone], after[place] = NEVER, right
        if right < length:
            before[right] = place
        for near in (before[place], place):
            if near >= 0:
                ranks_at[near] = NEVER
                if after[near] < length:
                    ranks_at[near] = rank_of(ids[begin + near], ids[begin + after[near]], ranks)
                if ranks_at[near] != NEVER:
                    heappush(heap, np.int64(ranks_at[near]) << 32 | near)
    left = begin
    for place in range(begin, begin + length):
        if ids[place] >= 0:
            ids[left] = ids[place]
            left += 1
    return left - begin


@kernel
def encode_words(
    letters,
    ends,
    entry,
    entries,
    byte_ids,
    first_ranks,
    ranks,
    tokens,
    packed,
    row,
    row_end,
):
    """Encode the words of some entries: where it stopped for want of room in the row, and where the row ends now.

    letters, ends: the bytes of all words in a row, and where each ends. packed, row: receive the ids, see `pack`.
    """
    ranks_at = np.empty(SHORT_WORD, np.int64)
    while entry < entries:
        begin, length = ends[entry - 1], ends[entry] - ends[entry - 1]
        if row_end + length + 2 > len(row):
            break
        if length > len(ranks_at):
            ranks_at = np.empty(2 * length, np.int64)
        for i in range(length):
            row[row_end + 1 + i] = byte_ids[letters[begin + i]]
        for i in range(length - 1):
            ranks_at[i] = first_ranks[letters[begin + i], letters[begin + i + 1]]
        if length <= SHORT_WORD:
            count = merge_short(row, row_end + 1, length, ranks, tokens, ranks_at)
        else:
            count = merge_long(row, row_end + 1, length, ranks, tokens, ranks_at)
        packed[entry], row_end = pack(row, row_end, count)
        entry += 1
    return entry, row_end


@inner
def pack(row, end, count):
    """One number for the ids that stand in a row after `end`, and where the row ends now.

    Up to three ids are in the number itself, over two bits that say how many; else the place in the row, over zeros.
    """
    if count == 0 or count > IN_ONE:
        row[end] = count
        return np.int64(end) << 2, end + 1 + count
    number = np.int64(count)
    for i in range(count):
        number |= np.int64(row[end + 1 + i]) << 2 + ID_BITS * i
    return number, end


@kernel
def unpack(found, packed, row):
    """The ids of words, and where those of each text end. found: the words' entries."""
    low, size, texts = (1 << ID_BITS) - 1, IN_ONE, 0
    for i in range(len(found)):
        number = packed[found[i]]
        if found[i]:
            size += number & 3 if number & 3 else row[number >> 2]
        else:
            texts += 1
    out, cuts = np.empty(size, np.int32), np.empty(texts, np.int64)
    used = texts = 0
    for i in range(len(found)):
        number = packed[found[i]]
        if number & 3:  # three are written in any case
            out[used], out[used + 1] = number >> 2 & low, number >> 2 + ID_BITS & low
            out[used + 2] = number >> 2 + 2 * ID_BITS & low
            used += number & 3
        elif found[i]:
            begin = number >> 2
            for j in range(begin + 1, begin + 1 + row[begin]):
                out[used] = row[j]
                used += 1
        else:
            cuts[texts], texts = used, texts + 1
    return out[:used], cuts


@kernel
def size_of(ids, places):
    """How many bytes the tokens of some ids have, or -1 if one of them is no id. places: see `spell`."""
    size = 0
    for i in range(len(ids)):
        if ids[i] < 0 or ids[i] >= len(places) or places[ids[i]] < 0:
            return -1
        size += places[ids[i]] & LOW_32
    return size


@kernel
def spell(ids, places, eights, out):
    """Write the bytes of ids to `out`, one token over the end of the other.

    places: by id, 2**32 times where its token begins, and how many bytes it has; -1 where there is no token. eights:
    the bytes of all tokens, and out, eight at a time (`word_table.overlapping`), so that most are moved in one go.
    """
    used = 0
    for i in range(len(ids)):
        place, length = places[ids[i]] >> 32, places[ids[i]] & LOW_32
        for j in range(0, length, 8):
            out[used + j] = eights[place + j]
        used += length
