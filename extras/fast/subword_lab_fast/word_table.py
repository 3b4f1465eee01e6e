"""Knowing words again, by their bytes: for compiled code only. What a fast count and a fast encoder have in common.

A word of up to 15 bytes is two numbers of 64 bits: its bytes, and its length. A longer one is a fingerprint of 120
bits, and its bytes are compared as well. The two are hashed to a slot, and the slot has the word's number, its entry:
the first new word is entry 1, the next one entry 2. So nothing is made for a word that was met before, and what belongs
to the words stands in rows, those that come early, and often, close together. Entry 0 is the border between two texts.

Bytes are read eight at a time, from any place: `eights` are the numbers that begin at each byte, in the same memory.
"""

import math

import numpy as np

from .compiling import inner, kernel

U = np.uint64
SHORT = 15  # bytes of a word that is its own key
LONG, LOW_56 = U(255 << 56), U((1 << 56) - 1)
START = U(0x165667B19E3779F9)
# What keys are multiplied by: another number in every process, so that nobody can write words whose slots are the same.
# It is passed to compiled code, in which a constant would stay what it was.
SALT = np.random.SeedSequence().generate_state(1, U)[0] | U(1)
SHIFT_20, SHIFT_29, SHIFT_32 = U(20), U(29), U(32)
BLOCK = 64  # words that are looked up together
# By length: which bits of the first eight bytes count, which of the next seven, and the length in the highest byte.
KEYS = np.array(
    [
        [(1 << 8 * min(length, 8)) - 1, (1 << 8 * max(length - 8, 0)) - 1, length << 56]
        for length in range(SHORT + 1)
    ],
    U,
)
# A slot is a number of 32 bits: the entry's plus one, in as many bits as number a slot, under a tag, bits of the hash.
# 0: the slot is free. The smaller the slots, the more of them are near the processor.
ALL_32 = U(0xFFFFFFFF)
BORDER = 0xFF  # no byte of UTF-8


def overlapping(data):
    """The numbers of 64 bits that begin at each byte."""
    return np.ndarray((len(data) - 7,), U, data, strides=(1,))


@kernel
def shift_of(slots):
    """How far a hash is shifted: as many of its bits are left as number a slot."""
    return U(64 - np.int64(math.log2(len(slots))))


@inner
def hash_of(one, two, salt):
    """Its highest bits number the slot where the search for a key begins; bits in the middle are the slot's tag."""
    return one * salt ^ two * (salt * salt)


@inner
def tag_of(mixed, low):
    """A slot's tag. low: the bits of the entry."""
    return mixed >> SHIFT_20 & ALL_32 & ~low


@inner
def first_bytes(number, length):
    """A number's first bytes; the others become 0."""
    return number & KEYS[length, 0] if length < 8 else number


@inner
def fingerprint(eights, place, length, salt):
    """The two numbers of a long word."""
    one, two = U(length), START
    for i in range(0, length, 8):
        part = first_bytes(eights[place + i], length - i)
        one = (one ^ part) * salt
        one ^= one >> SHIFT_29
        two = (two + part) * salt
        two ^= two >> SHIFT_32
    return one, two & LOW_56 | LONG


@inner
def key_of(eights, place, length, salt):
    """The two numbers of a word."""
    if length > SHORT:
        return fingerprint(eights, place, length, salt)
    one, two = eights[place] & KEYS[length, 0], eights[place + 8] & KEYS[length, 1]
    return one, two | KEYS[length, 2]


@inner
def same(eights, place, stop, letters, begin):
    """Whether a word has the same bytes as one of its length in letters."""
    length, differ = np.int64(stop) - np.int64(place), U(0)
    for i in range(0, length, 8):
        differ |= first_bytes(eights[place + i] ^ letters[begin + i], length - i)
    return differ == 0


@inner
def add(eights, place, length, letters, ends, entry):
    """Make a new entry for the word at a place."""
    begin = ends[entry - 1]
    for i in range(0, length, 8):
        letters[begin + i] = eights[place + i]
    ends[entry] = begin + length


@inner
def slot_of(one, two, eights, place, stop, slots, shift, keys, letters, ends, salt):
    """The slot of a word with this key, or a free slot for it; and its entry, or -1."""
    low, mixed = U(len(slots) - 1), hash_of(one, two, salt)
    slot, tag = np.int64(mixed >> shift), tag_of(mixed, low)
    while slots[slot]:
        held = U(slots[slot])
        entry = np.int64(held & low) - 1
        if (
            held & ~low == tag
            and keys[entry, 0] == one
            and keys[entry, 1] == two
            and (two < LONG or same(eights, place, stop, letters, ends[entry - 1]))
        ):
            return slot, entry
        slot = (slot + 1) & (len(slots) - 1)
    return slot, -1


@kernel
def look_up(eights, begins, stops, first, slots, keys, letters, ends, entries, found, salt):
    """Write the entry of each word from the first on to `found`: where it stopped for want of room, and the entries.

    begins, stops: where each word begins, and where it ends. letters: the bytes of all words in a row, eight at a time;
    ends: where each ends. The first sweep over a block only asks for the slots, so that the memory, which is slow, can
    answer many questions at a time.
    """
    shift, low = shift_of(slots), U(len(slots) - 1)
    ones, twos = np.empty(BLOCK, U), np.empty(BLOCK, U)
    while first < len(begins):
        after = min(first + BLOCK, len(begins))
        for i in range(first, after):
            place = np.int64(begins[i])
            one, two = key_of(eights, place, np.int64(stops[i]) - place, salt)
            ones[i - first], twos[i - first] = one, two
            found[i] = np.int64(U(slots[np.int64(hash_of(one, two, salt) >> shift)]) & low)
        for i in range(first, after):
            one, two = ones[i - first], twos[i - first]
            slot, entry = slot_of(
                one, two, eights, begins[i], stops[i], slots, shift, keys, letters, ends, salt
            )
            if entry < 0:
                length = stops[i] - begins[i]
                if entries == len(ends) or ends[entries - 1] + length + 8 > len(letters):
                    return i, entries
                entry, entries = entries, entries + 1
                add(eights, begins[i], length, letters, ends, entry)
                slots[slot] = tag_of(hash_of(one, two, salt), low) | U(entries)
                keys[entry, 0], keys[entry, 1] = one, two
            found[i] = entry
        first = after
    return first, entries


@inner
def entry_of(eights, place, stop, slots, shift, keys, ends, salt):
    """The entry of a word that stands among the words themselves, or -1."""
    one, two = key_of(eights, place, stop - place, salt)
    return slot_of(one, two, eights, place, stop, slots, shift, keys, eights, ends, salt)[1]


@kernel
def joins(eights, ends, entries, slots, keys, salt):
    """Every way to make an entry of two others, in the order of `parts.Joins`: left, right and joined entries."""
    found, count, shift = np.empty((3, ends[entries - 1]), np.int32), 0, shift_of(slots)
    for entry in range(1, entries):
        begin, stop = ends[entry - 1], ends[entry]
        for cut in range(begin + 1, stop):
            left = entry_of(eights, begin, cut, slots, shift, keys, ends, salt)
            right = entry_of(eights, cut, stop, slots, shift, keys, ends, salt) if left > 0 else -1
            if right > 0:
                found[0, count], found[1, count], found[2, count] = left, right, entry
                count += 1
    return found[:, :count].copy()


@kernel
def fill_slots(slots, keys, entries, salt):
    """Put the entries into empty slots."""
    shift, low = shift_of(slots), U(len(slots) - 1)
    for entry in range(entries):
        mixed = hash_of(keys[entry, 0], keys[entry, 1], salt)
        slot = np.int64(mixed >> shift)
        while slots[slot]:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = tag_of(mixed, low) | U(entry + 1)


@kernel
def tally(found, counts):
    """Count words by their entries."""
    for i in range(len(found)):
        counts[found[i]] += 1
