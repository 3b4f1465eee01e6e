"""Finding the words of GPT-2's pattern in bytes, and knowing each word again: for compiled code only.

A word ends where the class of characters changes: letters, numbers, white space, anything else; a space belongs to the
word after it. So one look at each byte is enough, and a table says the class of every character beyond ASCII.

A word of up to 15 bytes is two numbers of 64 bits, its bytes and its length; a longer one is a fingerprint of 120 bits,
and its bytes are compared as well. Two numbers are hashed to a slot, and the slot leads to the word's entry. Nothing is
made for a word that was met before, which is what a fast count and a fast encoder have in common.

Arrays are handed from function to function one by one, because compiled code counts who holds an array each time that
it is taken out of a tuple. The functions stop, and say where, when a table is full or the text goes on: whoever called
them makes the tables larger, or brings more text, and calls again.
"""
from __future__ import annotations

from collections import namedtuple

import numpy as np

from .. import files

# Small functions, which compiled code does not call but contains, and in which nobody counts who holds an array (so
# they make none): that makes the loops here faster by a third.
INNER = ("char_at", "contraction", "word_end", "space_end", "eight", "first_bytes", "key_of", "slot_of", "find", "same",
         "has_room", "add", "count_word")
LETTER, NUMBER, SPACE, OTHER = 1, 2, 3, 0
SHORT = 15                                           # bytes of a word that is its own key
U = np.uint64
ONE, EIGHT, LONG = U(1), U(8), U(255 << 56)
SHIFT_29, SHIFT_32, SHIFT_56, TOP, LOW_56 = U(29), U(32), U(56), U(63), U((1 << 56) - 1)
K1, K2, K3 = U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0x165667B19E3779F9)

# slots: for each slot four numbers, side by side in memory: the key's two, the number of the word's entry (0: the slot
# is free), and one for the owner's use. letters, ends: the bytes of all words in a row, and where each ends; entry 0 is
# the empty word.
Table = namedtuple("Table", "slots letters ends")
FIRST, SECOND, ENTRY, VALUE = 0, 1, 2, 3


def char_classes():
    """The class of every character, by code point."""
    classes = np.zeros(0x110000, np.uint8)
    names = {"letter": LETTER, "number": NUMBER, "space": SPACE}
    for line in files.read("data", "char_classes.txt").splitlines():
        name, *ranges = line.split()
        for ends in ranges if name in names else ():
            first, _, last = ends.partition("-")
            classes[int(first, 16):int(last or first, 16) + 1] = names[name]
    return classes


def padded(data, room):
    """The bytes with zeros after them, so that eight at a time can be read; as bytes, and as numbers of 64 bits.

    room: memory of an earlier call. To ask the system for fresh memory for each text can take longer than the work.
    """
    size = len(data) // 8 + 4
    room = room[:size] if len(room) >= size else np.empty(size, np.uint64)
    characters = room.view(np.uint8)
    characters[:len(data)] = np.frombuffer(data, np.uint8)
    characters[len(data):] = 0
    return characters, room


def new_table(entries, letters):
    """An empty table with room for so many entries, and so many bytes."""
    slots = 1 << max(4, (2 * entries - 1).bit_length())
    return Table(np.zeros((slots, 4), np.uint64), np.zeros(letters // 8 + 4, np.uint64), np.zeros(entries, np.int64))


# ----------------------------------------------------------------------------------------------------- finding words

def char_at(data, place, classes):
    """The class of the character at a place, and how many bytes it has."""
    byte = np.int64(data[place])
    if byte < 0x80:
        return classes[byte], 1
    if byte < 0xE0:
        return classes[(byte & 0x1F) << 6 | data[place + 1] & 0x3F], 2
    if byte < 0xF0:
        return classes[(byte & 0x0F) << 12 | (data[place + 1] & 0x3F) << 6 | data[place + 2] & 0x3F], 3
    return classes[(byte & 0x07) << 18 | (data[place + 1] & 0x3F) << 12 | (data[place + 2] & 0x3F) << 6
                   | data[place + 3] & 0x3F], 4


def contraction(data, place):
    """The length of 's 't 'm 'd 're 've 'll at a place, or 0."""
    first, second = data[place + 1], data[place + 2]
    if first == ord("s") or first == ord("t") or first == ord("m") or first == ord("d"):
        return 2
    if second == ord("e"):
        return 3 if first == ord("r") or first == ord("v") else 0
    return 3 if first == ord("l") and second == ord("l") else 0


def word_end(data, place, end, last, classes):
    """Where the word that begins at `place` ends; -1 if that depends on text after `end`, and this is not the last."""
    if not last and place + 8 > end:
        return -1
    byte = data[place]
    if byte == ord("'"):
        length = contraction(data, place)
        if length and place + length <= end:
            return place + length
    begin = place + 1 if byte == ord(" ") and place + 1 < end else place
    kind, width = char_at(data, begin, classes)
    if kind == SPACE:
        return space_end(data, place, end, last, classes)
    place = begin + width
    limit = end if last else end - 3                         # from where on a character may not be all there
    while place < limit:
        byte = data[place]
        if byte < 0x80:
            if classes[byte] != kind:
                return place
            place += 1
        else:
            other, width = char_at(data, place, classes)
            if other != kind:
                return place
            place += width
    return place if last else -1


def space_end(data, place, end, last, classes):
    """Where white space that begins at `place` ends: the last of it, if there are several, is left to what follows."""
    begin = latest = place
    while place < end:
        kind, width = char_at(data, place, classes)
        if kind != SPACE:
            return place if latest == begin else latest
        latest, place = place, place + width
        if not last and place + 4 > end:
            return -1
    return place


# ---------------------------------------------------------------------------------------------------- knowing words

def eight(words, place):
    """The eight bytes from a place on, as one number."""
    number, shift = place >> 3, U(place & 7) * EIGHT
    return words[number] >> shift | (words[number + 1] << ONE) << (TOP - shift)


def first_bytes(number, length):
    """A number's first bytes; the others become 0."""
    return number & ((ONE << (U(length) * EIGHT)) - ONE) if length < 8 else number


def key_of(words, place, length):
    """The two numbers of the word at a place."""
    if length <= 8:
        return first_bytes(eight(words, place), length), U(length) << SHIFT_56
    if length <= SHORT:
        return eight(words, place), first_bytes(eight(words, place + 8), length - 8) | U(length) << SHIFT_56
    first, second = U(length), K3
    for i in range(0, length, 8):
        part = first_bytes(eight(words, place + i), length - i)
        first = (first ^ part) * K1
        first ^= first >> SHIFT_29
        second = (second + part) * K2
        second ^= second >> SHIFT_32
    return first, second & LOW_56 | LONG


def slot_of(first, second, slots):
    """Where the search for a key begins."""
    mixed = (first ^ (second * K2)) * K1
    mixed = (mixed ^ mixed >> SHIFT_32) * K3
    return np.int64((mixed ^ mixed >> SHIFT_29) & U(len(slots) - 1))


def find(first, second, words, place, length, slots, letters, ends):
    """The slot of the word; or, if it has none, the free slot for it."""
    slot = slot_of(first, second, slots)
    while slots[slot, ENTRY]:
        if slots[slot, FIRST] == first and slots[slot, SECOND] == second and (
                length <= SHORT or same(words, place, length, letters, ends, np.int64(slots[slot, ENTRY]))):
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def same(words, place, length, letters, ends, entry):
    """Whether the long word at a place is that of the entry."""
    begin = ends[entry - 1]
    if ends[entry] - begin != length:
        return False
    for i in range(0, length, 8):
        if first_bytes(eight(words, place + i), length - i) != first_bytes(eight(letters, begin + i), length - i):
            return False
    return True


def has_room(letters, ends, entry, length):
    """Whether an entry of this number and length still fits in."""
    return entry < len(ends) and ends[entry - 1] + length <= 8 * len(letters) - 16


def add(first, second, data, place, length, slots, letters, ends, slot, entry):
    """Make a new entry for the word at a place."""
    slots[slot, FIRST], slots[slot, SECOND], slots[slot, ENTRY] = first, second, entry
    begin = ends[entry - 1]
    for i in range(length):
        place_in, shift = begin + i >> 3, U(begin + i & 7) * EIGHT
        letters[place_in] |= U(data[place + i]) << shift
    ends[entry] = begin + length


def enlarge(table, entries, letters):
    """The same entries in a table with room for so many, and for so many bytes."""
    new = new_table(max(entries, len(table.ends)), max(letters, 8 * len(table.letters)))
    new.letters[:len(table.letters)] = table.letters
    new.ends[:len(table.ends)] = table.ends
    return new


def move_entries(old, new):
    """Put what is in some slots into those of a larger table."""
    for number in range(len(old)):
        if old[number, ENTRY]:
            slot = slot_of(old[number, FIRST], old[number, SECOND], new)
            while new[slot, ENTRY]:
                slot = (slot + 1) & (len(new) - 1)
            new[slot] = old[number]


# -------------------------------------------------------------------------------------------------------- counting

def count_word(data, words, place, length, slots, letters, ends, entries):
    """Count the word at a place: how many entries there are now, or -1 if there is no room for a new one."""
    first, second = key_of(words, place, length)
    slot = find(first, second, words, place, length, slots, letters, ends)
    if slots[slot, ENTRY] == 0:
        if not has_room(letters, ends, entries, length):
            return -1
        add(first, second, data, place, length, slots, letters, ends, slot, entries)
        entries += 1
    slots[slot, VALUE] += ONE
    return entries


def count_words(data, words, place, stops, last, classes, slots, letters, ends, entries):
    """Count the words from `place` on, as values: where it stopped, and how many entries there are now.

    stops: where each text ends; no word reaches from one text into the next.
    """
    text, end = 0, stops[len(stops) - 1]
    while place < end:
        while stops[text] <= place:
            text += 1
        stop = word_end(data, place, stops[text], last, classes)
        if stop < 0:
            break
        counted = count_word(data, words, place, stop - place, slots, letters, ends, entries)
        if counted < 0:
            break
        place, entries = stop, counted
    return place, entries


def fill_rows(letters, ends, counts, symbol_of, symbols, freq_at):
    """Write all words as `pair_rows.merge_pairs` wants them: symbols with a -1 around each word, and its count."""
    symbols[0], place = -1, 1
    for entry in range(1, len(counts)):
        for i in range(ends[entry - 1], ends[entry]):
            symbols[place], freq_at[place] = symbol_of[letters[i]], counts[entry]
            place += 1
        symbols[place] = -1
        place += 1
