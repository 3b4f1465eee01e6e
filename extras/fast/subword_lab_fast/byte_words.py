"""Finding the words of GPT-2's pattern, of those that were made after it, of BERT and of SentencePiece, in bytes.

The patterns differ in little (`text.PATTERNS`), and all go by classes of characters: letters, numbers, white space,
anything else. So one function finds where a word ends, alternative by alternative, as a regular expression would; it
never tries a character more than a few times, whatever the text.

BERT's words are found before anything is normalized: what becomes space, punctuation or a Chinese character stays such
a one by itself, and all that lies between is letters. A word of SentencePiece begins with a space, which stands for the
mark `▁`.
"""

from functools import cache

import numpy as np

from subword_lab import files

from .compiling import inner, kernel
from .word_table import BORDER

LETTER, NUMBER, SPACE, OTHER, NEWLINE, UPPER, LOWER, SLASH = 1, 2, 4, 8, 16, 32, 64, 128
NAMES = {"letter": LETTER, "number": NUMBER, "space": SPACE, "upper": UPPER, "lower": LOWER}
SCHEMES = ("byte-level", "cl100k", "llama-3", "qwen-2", "o200k", "bert", "metaspace")
GPT_2, CL100K, LLAMA_3, QWEN_2, O200K, BERT, METASPACE = range(7)  # the places of these schemes
BLANK, QUOTE = ord(" "), ord("'")
LONG_S = "ſ".encode()  # which is an s, where case does not count


@cache
def char_classes(scheme, chinese=False):
    """The classes of every character, by code point. chinese: whether Chinese ones are words of "bert"."""
    classes = np.zeros(0x110000, np.uint8)
    of_bert = {"space": SPACE, "punctuation": OTHER, "chinese": OTHER if chinese else LETTER}
    names = of_bert if scheme == "bert" else NAMES
    for name, first, last in files.read_ranges("char_classes.txt"):
        classes[first : last + 1] |= names.get(name, 0)
    if scheme == "bert":
        classes[[0x0B, 0x0C, 0x85]] = 0  # space, or removed with control characters
        classes[classes == 0] = LETTER
        return classes
    classes[classes & (LETTER | NUMBER | SPACE) == 0] |= OTHER
    classes[[ord("\r"), ord("\n")]] |= NEWLINE
    classes[ord("/")] |= SLASH
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


@inner
def kind_at(data, place, classes):
    """The classes of the character at a place, none for a border, and how many bytes it has."""
    byte = data[place]
    if byte < 0x80:
        return classes[byte], 1
    if byte == BORDER:
        return np.uint8(0), 1
    width = width_of(byte)
    return classes[code_at(data, place, width)], width


@inner
def run_stop(data, place, wanted, classes):
    """Where a run of characters of some classes ends."""
    kind, width = kind_at(data, place, classes)
    while kind & wanted:
        place += width
        kind, width = kind_at(data, place, classes)
    return place


@kernel
def find_words(data, size, scheme, classes, begins, stops):
    """Write where the words of the first bytes begin, and where they end: how many there are.

    A border stands after the bytes.
    """
    count = place = 0
    while place < size:
        begins[count] = place
        solid = scheme != BERT or classes[data[place]] != SPACE  # white space is no word there
        place = word_stop(data, place, scheme, classes)
        stops[count] = place
        count += solid
    return count


@inner
def word_stop(data, place, scheme, classes):
    """Where the word ends that begins at a place."""
    kind, width = kind_at(data, place, classes)
    if kind == 0:
        return place + 1
    if scheme == METASPACE:
        place += 1
        while data[place] != BLANK and data[place] != BORDER:
            place += 1
        return place
    if scheme == BERT:
        return place + width if kind == OTHER else run_stop(data, place, kind, classes)
    if data[place] == QUOTE and scheme != O200K:
        length = contraction(data, place, scheme != GPT_2)
        if length:
            return place + length
    blank = place + (data[place] == BLANK)
    if scheme == GPT_2:
        wanted = kind_at(data, blank, classes)[0] & (LETTER | NUMBER | OTHER)
        if wanted:
            return run_stop(data, blank, wanted, classes)
        return spaces_stop(data, place, scheme, classes)
    within = place if kind & (LETTER | NUMBER | NEWLINE) else place + width
    if scheme == O200K:
        stop = cased_stop(data, place, within, classes)
        if stop > place:
            return stop + contraction(data, stop, True)
    else:
        stop = run_stop(data, within, LETTER, classes)
        if stop > within:
            return stop
    if kind & NUMBER:
        stop, left = place, 1 if scheme == QWEN_2 else 3
        while left and kind & NUMBER:
            stop, left = stop + width, left - 1
            kind, width = kind_at(data, stop, classes)
        return stop
    stop = run_stop(data, blank, OTHER, classes)
    if stop > blank:
        return run_stop(data, stop, NEWLINE | SLASH if scheme == O200K else NEWLINE, classes)
    return spaces_stop(data, place, scheme, classes)


@inner
def cased_stop(data, place, within, classes):
    """Where letters end, the first of them upper-case or the others lower-case; `place` if there are none."""
    for start in (within, place):
        middle = run_stop(data, start, UPPER, classes)
        stop = run_stop(data, middle, LOWER, classes)
        if stop > middle:
            return stop
        while middle > start:  # of the letters that may be both, the last one ends the word
            before = middle - 1
            while data[before] & 0xC0 == 0x80:
                before -= 1
            if kind_at(data, before, classes)[0] & LOWER:
                return middle
            middle = before
    for start in (within, place):
        stop = run_stop(data, start, UPPER, classes)
        if stop > start:
            return stop
    return place


@inner
def spaces_stop(data, place, scheme, classes):
    """Where white space ends: after its last line end, or before its last character, which the next word may need."""
    stop, last, after_line = place, place, place
    kind, width = kind_at(data, stop, classes)
    while kind & SPACE:
        last, stop = stop, stop + width
        if kind & NEWLINE:
            after_line = stop
        kind, width = kind_at(data, stop, classes)
    ends = data[stop] == BORDER
    if after_line > place and scheme != GPT_2 and not (ends and scheme == CL100K):
        return after_line
    return stop if ends or last == place else last


@inner
def contraction(data, place, any_case):
    """The length of 's 't 'm 'd 're 've 'll at a place, or 0."""
    if data[place] != QUOTE:
        return 0
    first, second = data[place + 1], data[place + 2]
    if any_case:
        if first == LONG_S[0] and second == LONG_S[1]:
            return 3
        first, second = first | 0x20, second | 0x20
    if first == ord("s") or first == ord("t") or first == ord("m") or first == ord("d"):
        return 2
    if second == ord("e"):
        return 3 if first == ord("r") or first == ord("v") else 0
    return 3 if first == ord("l") and second == ord("l") else 0
