"""BERT's words, counted or encoded by WordPiece, and normalized on the way: for compiled code only.

White space and punctuation end a word, and a Chinese character is one. So text is cut as it comes, before anything is
normalized: each character is of a kind (`kinds`), and what a word becomes is found by what each of its characters
becomes (`spelled`: how many characters, how many bytes, the bytes). A table remembers the ids of each word as it came,
as `byte_ids` does; `Word` and `word` with an accent are two of its words, and only a new one is normalized and cut.

All tokens stand in one tree, a branch a byte: from node 0 the tokens that begin a word, from node 1 those that continue
one. The way that a word takes through it passes all tokens that the word begins with, the longest last.

Kinds are filled in when a character is met for the first time. The functions stop at one that is not known yet, and
`encode_words` at a word that only Python can normalize (`ASK`).
"""
from __future__ import annotations

import numpy as np

from .byte_ids import MIX, pack, put
from .byte_words import ENTRY, SECOND, SHORT, VALUE, add, char_at, count_word, find, has_room, key_of, slot_of

INNER = ("child", "code_at", "word_stop")
UNKNOWN, BLANK, ALONE, WITHIN, ASK = 0, 1, 2, 3, 4         # kinds: not known yet, space, a word by itself, part of one
BEGIN, CONTINUE = 0, 1                                     # the two roots


def tree_of(letters, ends, continues, ids):
    """The tree of some tokens: keys, node * 2^8 + byte + 1, or 0 for a free slot; the nodes they lead to; their ids.

    letters, ends: the tokens' bytes in a row, and where each ends; ends[0] is 0. continues: whether a token continues
    a word. An id is -1 where no token ends.
    """
    size = 16
    while size < 2 * len(letters):
        size *= 2
    keys, nodes = np.zeros(size, np.int64), np.zeros(size, np.int32)
    id_at, used = np.full(len(letters) + 2, -1, np.int32), 2
    for token in range(len(ids)):
        node = CONTINUE if continues[token] else BEGIN
        for place in range(ends[token], ends[token + 1]):
            key = (np.int64(node) << 8) + letters[place] + 1
            slot = (key * MIX >> 20) & (size - 1)
            while keys[slot] != 0 and keys[slot] != key:
                slot = (slot + 1) & (size - 1)
            if keys[slot] == 0:
                keys[slot], nodes[slot] = key, used
                used += 1
            node = nodes[slot]
        id_at[node] = ids[token]
    return keys, nodes, id_at


def child(node, byte, keys, nodes):
    """The node to which a byte leads, or -1."""
    key = (np.int64(node) << 8) + byte + 1
    slot = (key * MIX >> 20) & (len(keys) - 1)
    while keys[slot] != key:
        if keys[slot] == 0:
            return -1
        slot = (slot + 1) & (len(keys) - 1)
    return nodes[slot]


def code_at(data, place):
    """The code point of the character at a place, and how many bytes it has."""
    byte = np.int64(data[place])
    if byte < 0x80:
        return byte, 1
    if byte < 0xE0:
        return (byte & 0x1F) << 6 | data[place + 1] & 0x3F, 2
    if byte < 0xF0:
        return (byte & 0x0F) << 12 | (data[place + 1] & 0x3F) << 6 | data[place + 2] & 0x3F, 3
    return ((byte & 0x07) << 18 | (data[place + 1] & 0x3F) << 12 | (data[place + 2] & 0x3F) << 6
            | data[place + 3] & 0x3F), 4


def word_stop(data, place, kind, width, end, last, kinds):
    """Where a word ends that begins so, -1 if that depends on text after `end`; and what kind it is."""
    stop, limit = place + width, end if last else end - 3
    if kind in (UNKNOWN, ALONE):
        return stop, kind
    while stop < limit:
        byte = data[stop]
        if byte < 0x80 and kinds[byte] == WITHIN:
            stop += 1
            continue
        other, width = char_at(data, stop, kinds)
        if other in (BLANK, ALONE):
            return stop, kind
        if other == UNKNOWN:
            return stop, other
        kind = max(kind, other)
        stop += width
    return stop if last else -1, kind


def count_words(data, words, place, stops, last, kinds, slots, letters, ends, entries):
    """Count words as they came, as `byte_words.count_words`; and whether it stopped at a character of no known kind."""
    text, end = 0, stops[len(stops) - 1]
    while place < end:
        while stops[text] <= place:
            text += 1
        if not last and place + 4 > end:
            break
        kind, width = char_at(data, place, kinds)
        if kind == BLANK:
            place += width
            continue
        stop, kind = word_stop(data, place, kind, width, stops[text], last, kinds)
        if stop < 0:
            break
        if kind == UNKNOWN:
            return place, entries, True
        counted = count_word(data, words, place, stop - place, slots, letters, ends, entries)
        if counted < 0:
            break
        place, entries = stop, counted
    return place, entries, False


def spell_words(letters, ends, kinds, where, spelled, out, out_ends):
    """Write to `out` what all words become, and where each ends; 0 in its place for a word that only Python knows."""
    used = 0
    for entry in range(1, len(ends)):
        place, begin = ends[entry - 1], used
        while place < ends[entry]:
            code, width = code_at(letters, place)
            if kinds[code] == ASK:
                used = begin
                break
            first = where[code]
            for i in range(first + 2, first + 2 + spelled[first + 1]):
                out[used] = spelled[i]
                used += 1
            place += width
        out_ends[entry] = used if place == ends[entry] else 0
    return used


def cut(data, place, stop, longest, where, spelled, keys, nodes, id_at, unknown, word, row, end):
    """Normalize a word and cut it, into `row` after `end`: the number of its ids. word: room for its bytes."""
    chars = length = 0
    while place < stop:
        code, width = code_at(data, place)
        begin = where[code]
        chars += spelled[begin]
        if chars > longest:
            row[end + 1] = unknown
            return 1
        for i in range(begin + 2, begin + 2 + spelled[begin + 1]):
            word[length] = spelled[i]
            length += 1
        place += width
    count = start = 0
    while start < length:
        node, found, after, i = CONTINUE if start else BEGIN, -1, start, start
        while i < length:
            node = child(node, word[i], keys, nodes)
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


def encode_words(data, words, place, text, stops, cuts, last, kinds, where, spelled, longest, keys, nodes, id_at,
                 unknown, word, slots, letters, ends, entries, row, row_end, recent, out, used):
    """Encode the words from `place` on, as `byte_ids.encode_bytes`, and say what it stopped for.

    The last number is the length of a word that Python has to encode, -1 at a character of no known kind, or else 0.
    """
    end = stops[len(stops) - 1]
    while place < end:
        while stops[text] <= place:
            cuts[text] = used
            text += 1
        if not last and place + 4 > end:
            break
        kind, width = char_at(data, place, kinds)
        if kind == BLANK:
            place += width
            continue
        stop, kind = word_stop(data, place, kind, width, stops[text], last, kinds)
        if stop < 0:
            break
        length = stop - place
        if kind == UNKNOWN:
            return place, text, entries, row_end, used, -1
        first, second = key_of(words, place, length)
        near = slot_of(first, second, recent)
        if length <= SHORT and recent[near, 0] == first and recent[near, SECOND] == second:
            used = put(recent[near, VALUE], row, out, used)
            place = stop
            continue
        slot = find(first, second, words, place, length, slots, letters, ends)
        if slots[slot, ENTRY] == 0:
            if kind == ASK:
                return place, text, entries, row_end, used, length
            if not has_room(letters, ends, entries, length) or row_end + longest + 2 > len(row):
                break
            add(first, second, data, place, length, slots, letters, ends, slot, entries)
            entries += 1
            count = cut(data, place, stop, longest, where, spelled, keys, nodes, id_at, unknown, word, row, row_end)
            slots[slot, VALUE], row_end = pack(row, row_end, count)
        recent[near, 0], recent[near, SECOND], recent[near, VALUE] = first, second, slots[slot, VALUE]
        used = put(slots[slot, VALUE], row, out, used)
        place = stop
    return place, text, entries, row_end, used, 0
