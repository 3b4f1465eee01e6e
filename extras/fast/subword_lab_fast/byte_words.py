"""Finding the words of GPT-2's pattern in bytes: for compiled code only.

A word begins where the class of characters changes: letters, numbers, white space, anything else; a space belongs to
the word after it. So three sweeps over a text find all words, and hardly any of it is a question that a processor could
guess wrong. The first one writes the class of each byte's character: eight at a time while they are ASCII, by
comparing all of them at once (L. Lamport, "Multiple byte processing with full-word instructions", 1975), and from a
table beyond. The second one compares neighbors, which says at which bytes words begin; what is left, contractions such
as `'ll` and spaces of several bytes, is mended one by one. The third one makes a row of the places.
"""

from functools import cache

import numpy as np

from subword_lab import files

from .compiling import inner, kernel
from .word_table import BORDER

LETTER, NUMBER, SPACE, BLANK, BETWEEN, OTHER = 1, 2, 4, 8, 16, 0  # a blank, U+0020, is a space, too
QUOTE = ord("'")
U = np.uint64


def each(byte):
    """A number of 64 bits with the same byte eight times."""
    return U(byte * 0x0101010101010101)


# The highest bit of x + (128 - n) says whether a byte x, below 128, is at least n.
ONES, HIGH, BELOW_ONE, CASE = each(1), each(0x80), each(0x7F), each(0x20)
FROM_A, AFTER_Z, FROM_0, AFTER_9 = each(128 - 97), each(128 - 123), each(128 - 48), each(128 - 58)
FROM_TAB, AFTER_RETURN, BLANKS, QUOTES = each(128 - 9), each(128 - 14), each(32), each(QUOTE)
CLASSES = each(LETTER | NUMBER | SPACE | BETWEEN)
BY_2, BY_3, BY_4, BY_5, BY_6, BY_7, BY_8, BY_56 = (U(bits) for bits in (2, 3, 4, 5, 6, 7, 8, 56))


@cache
def char_classes():
    """The class of every character, by code point."""
    classes = np.zeros(0x110000, np.uint8)
    names = {"letter": LETTER, "number": NUMBER, "space": SPACE}
    for line in files.read("data", "char_classes.txt").splitlines():
        name, *ranges = line.split()
        for ends in ranges if name in names else ():
            first, _, last = ends.partition("-")
            classes[int(first, 16) : int(last or first, 16) + 1] = names[name]
    classes[ord(" ")] |= BLANK
    return classes


@inner
def width_of(byte):
    """How many bytes the character has that begins with a byte."""
    return 1 + (byte >= 0xC0) + (byte >= 0xE0) + (byte >= 0xF0)


@inner
def code_at(data, place, width):
    """The code point of the character at a place."""
    code = np.int64(data[place]) & 0xFF >> width + (width > 1)
    for i in range(1, width):
        code = code << 6 | data[place + i] & 0x3F
    return code


@kernel
def find_words(data, words, size, classes, marks, marked, odd, starts):
    """Write to `starts` where the words of the first bytes begin, and the size after them: how many words there are.

    words: the same bytes as data, eight in a number, with some after the size. marks, marked: room for a byte each, and
    the same memory eight in a number. odd: room for a place for each byte.
    """
    odds = write_classes(data, words, size, classes, marks, marked, odd)
    mark_starts(marked, size // 8 + 1)
    mend(data, marks, odd[:odds])
    count = 0
    for place in range(size):
        starts[count] = place
        count += np.int64(marks[place])
    starts[count] = size
    return count


@kernel
def write_classes(data, words, size, classes, marks, marked, odd):
    """Mark each byte with its character's class; list the places that are mended afterwards, and say how many."""
    place = odds = 0
    while place < size:
        eight = words[place >> 3]
        if place & 7 == 0 and eight & HIGH == 0:
            lower = eight | CASE
            letter = (lower + FROM_A) & ~(lower + AFTER_Z) & HIGH
            number = (eight + FROM_0) & ~(eight + AFTER_9) & HIGH
            blank = ~((eight ^ BLANKS) + BELOW_ONE) & HIGH
            space = (eight + FROM_TAB) & ~(eight + AFTER_RETURN) & HIGH | blank
            marked[place >> 3] = letter >> BY_7 | number >> BY_6 | space >> BY_5 | blank >> BY_4
            if ~((eight ^ QUOTES) + BELOW_ONE) & HIGH:
                for other in range(place, place + 8):
                    odd[odds] = other
                    odds += data[other] == QUOTE
            place += 8
            continue
        byte = data[place]
        if byte == BORDER:
            marks[place] = BETWEEN
            place += 1
            continue
        width = width_of(byte)
        kind = classes[code_at(data, place, width)]
        for other in range(place, place + width):
            marks[other] = kind
        odd[odds] = place
        odds += byte == QUOTE or (kind == SPACE and width > 1)
        place += width
    return odds


@kernel
def mark_starts(marked, count):
    """From classes to starts, in place: a 1 for each byte with which a word begins."""
    before, now = U(BETWEEN) << BY_56, marked[0]
    for i in range(count):
        after = marked[i + 1]
        left, right = (
            now << BY_8 | before >> BY_56,
            now >> BY_8 | after << BY_56,
        )  # each byte's neighbors
        changes = ((now ^ left) & CLASSES) + BELOW_ONE >> BY_7
        space, blank_left, space_left = now >> BY_2, left >> BY_3, left >> BY_2
        goes_on = right >> BY_2 | right >> BY_4  # of several spaces the last is left to the word
        marked[i] = (
            changes & ~(space | blank_left) | space & ~(space_left & goes_on) | now >> BY_4
        ) & ONES
        before, now = now, after


@kernel
def mend(data, marks, odd):
    """What neighbors cannot say: where contractions end, and where the last of several wide spaces begins."""
    for place in odd:
        if data[place] == QUOTE:
            length = contraction(data, place) if marks[place] else 0
            if length:
                marks[place + 1], marks[place + length] = 0, 1
        else:
            last = place + width_of(data[place]) - 1
            if marks[last]:
                marks[last], marks[place] = 0, 1


@kernel
def contraction(data, place):
    """The length of 's 't 'm 'd 're 've 'll at a place, or 0."""
    first, second = data[place + 1], data[place + 2]
    if first == ord("s") or first == ord("t") or first == ord("m") or first == ord("d"):
        return 2
    if second == ord("e"):
        return 3 if first == ord("r") or first == ord("v") else 0
    return 3 if first == ord("l") and second == ord("l") else 0
