"""BERT's words, counted or encoded by WordPiece, and normalized on the way: for compiled code only.

White space and punctuation end a word, and a Chinese character is one. So text is cut as it comes, before anything is
normalized: each character is of a kind (`kinds`), and what a word becomes is found by what each of its characters
becomes (`spelled`: how many characters, how many bytes, the bytes). So `Word` and `word` with an accent are two words
for the table that knows words again, and only a new one is normalized and cut.

All tokens stand in one tree (`trie`): from node 0 those that begin a word, from node 1 those that continue one.

Kinds are filled in when a character is met for the first time. `find_words` stops at one that is not known yet, and
`encode_words` at a word that only Python can normalize (`ASK`).
"""

import numpy as np

from .byte_ids import pack
from .byte_words import code_at, width_of
from .byte_words import kind_at as classes_at
from .compiling import inner, kernel
from .trie import child_of
from .word_table import BORDER

# Not known yet, space, a word, part of one, part of one that only Python can normalize.
UNKNOWN, BLANK, ALONE, WITHIN, ASK = range(5)
BEGIN, CONTINUE = 0, 1  # the two roots


@inner
def kind_at(data, place, kinds):
    """The kind of the character at a place, and how many bytes it has; a border is a word by itself."""
    kind, width = classes_at(data, place, kinds)
    return (ALONE if data[place] == BORDER else kind), width


@inner
def word_stop(data, place, kind, width, size, last, kinds):
    """Where a word ends that begins so, -1 if that depends on what comes after `size`; UNKNOWN if a character is."""
    stop = place + width
    if kind in (UNKNOWN, ALONE):
        return stop, kind
    while stop < size:
        other, width = kind_at(data, stop, kinds)
        if other < WITHIN:
            return stop, kind if other else other
        stop += width
    return stop if last else -1, kind


@kernel
def find_words(data, place, size, last, kinds, begins, stops, count):
    """Write where words begin and end, from the given count on: where it stopped, how many, and if for a character.

    It stops at one of no known kind, or where it depends on more text how a word ends.
    """
    while place < size:
        kind, width = kind_at(data, place, kinds)
        if kind == BLANK:
            place += width
            continue
        stop, kind = word_stop(data, place, kind, width, size, last, kinds)
        if stop < 0 or kind == UNKNOWN:
            return place, count, kind == UNKNOWN
        begins[count], stops[count] = place, stop
        place, count = stop, count + 1
    return place, count, False


@inner
def spell(letters, place, stop, kinds, where, spelled, most, out, used):
    """Write what a word becomes to `out`: how many characters, -1 if only Python knows, and where in `out` they end.

    most: characters after which it stops.
    """
    chars = 0
    while place < stop and chars <= most:
        width = width_of(letters[place])
        code = code_at(letters, place, width)
        if kinds[code] == ASK:
            return -1, used
        first = where[code]
        chars += spelled[first]
        for i in range(first + 2, first + 2 + spelled[first + 1]):
            out[used] = spelled[i]
            used += 1
        place += width
    return chars, used


@kernel
def spell_words(letters, ends, kinds, where, spelled, out, out_ends):
    """Write to `out` what all words become, and how many characters that is up to each; 0 for what only Python knows.

    How many bytes that are.
    """
    used = chars = 0
    for entry in range(1, len(ends)):
        begin, stop = ends[entry - 1], ends[entry]
        more, end = spell(letters, begin, stop, kinds, where, spelled, len(out), out, used)
        if more >= 0:
            used, chars = end, chars + more
            out_ends[entry] = chars
    return used


@kernel
def cut(
    data, place, stop, kinds, where, spelled, branches, id_at, unknown, longest, word, row, end
):
    """Normalize a word and cut it, into `row` after `end`: the number of its ids; -1 if only Python can normalize it.

    word: room for its bytes, and those of one character more.
    """
    chars, length = spell(data, place, stop, kinds, where, spelled, longest, word, 0)
    if chars < 0:
        return -1
    count = start = 0
    while start < length:
        node, found, after, i = np.int64(CONTINUE if start else BEGIN), -1, start, start
        while i < length and chars <= longest:
            node = child_of(node, word[i], branches)
            if node < 0:
                break
            i += 1
            if id_at[node] >= 0:
                found, after = id_at[node], i
        if found < 0:
            row[end + 1] = unknown
            return 1
        count += 1
        row[end + count] = found
        start = after
    return count


@kernel
def encode_words(
    letters,
    ends,
    entry,
    entries,
    kinds,
    where,
    spelled,
    branches,
    id_at,
    unknown,
    longest,
    word,
    packed,
    row,
    row_end,
):
    """Encode the words of some entries, as `byte_ids.encode_words`; the last value says if it stopped to ask Python."""
    while entry < entries and row_end + longest + 2 <= len(row):
        count = cut(
            letters,
            ends[entry - 1],
            ends[entry],
            kinds,
            where,
            spelled,
            branches,
            id_at,
            unknown,
            longest,
            word,
            row,
            row_end,
        )
        if count < 0:
            return entry, row_end, True
        packed[entry], row_end = pack(row, row_end, count)
        entry += 1
    return entry, row_end, False
