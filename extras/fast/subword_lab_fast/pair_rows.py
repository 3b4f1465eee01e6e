"""Merging pairs, merge after merge, in flat rows: what makes the trainers of BPE and WordPiece fast.

All words stand in one row of symbols, each a number, with a -1 between them. Every pair of neighbors has a number too,
and `pair_at` says which pair begins at a place: so a merge corrects the counts of the pairs around it without looking
anything up. A pair keeps the list of the places where it was found, and a heap holds the pairs in order; both may be
out of date (a place that now belongs to another pair, a count that has become smaller), which is noticed when they are
used. Most pairs are rare, and do not come into the heap before those that are twice as frequent have left it. A merged
symbol keeps its room: its number stands in its first and in its last place, so that the symbol before a place and the
symbol after it are found by their lengths.

The rows are arrays; `structures.pair_index` of `subword_lab` does the same with dictionaries.
"""

from collections import namedtuple
from heapq import heappop, heappush

import numpy as np

from .compiling import inner, kernel

# By place: the symbol, the pair that begins there (0: none), and how often the word occurs that it is in.
Words = namedtuple("Words", "symbols pair_at freq_at")
# By pair, numbered from 1: its symbols, its count, where the list of its places begins, and how long that is.
Pairs = namedtuple("Pairs", "left right count start many")
# By token: its length in symbols, and where these begin in `letters`. token_at: the fingerprint of its symbols (M. O.
# Rabin, 1981: they are the digits of a number, and its remainder is kept), or the next number that was free -> token.
Tokens = namedtuple("Tokens", "length begin letters token_at")
BASE, PRIME = 1_000_003, (1 << 31) - 1


@kernel
def longer(row, length):
    """The row, if it is as long as that; else one at least so long and half as long again, with zeros at its end."""
    more = max(length - len(row), len(row) // 2)
    return row if length <= len(row) else np.append(row, np.zeros(more, row.dtype))


@kernel
def merge_pairs(
    symbols, pair_at, freq_at, spelled, number_of_tokens, max_tokens, max_merges, by_place
):
    """Merge the most frequent pair, again and again: the left symbol, the right one and the token of every merge.

    symbols: all words, with a -1 before, between and after them. pair_at: as many zeros. freq_at: at each place, how
    often its word occurs. spelled: for each of the first tokens, the symbols that spell it, then a -1.
    Among equal counts the pair that stands first wins (`by_place`), or else the one with the smallest numbers.
    """
    size = len(symbols)
    most = max(number_of_tokens, min(max_tokens, number_of_tokens + min(max_merges, size)))
    words = Words(symbols, pair_at, freq_at)
    tokens = spell_all(spelled, most)
    before, after = (
        np.zeros(most, np.int32),
        np.zeros(most, np.int32),
    )  # symbol -> the pair it forms with the newest token, or 0
    found_pairs, found_places, places = (
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
        np.zeros(size, np.int32),
    )
    lefts, rights, made, heap = [0], [0], [0], [(0, 0, 0)]  # their first entries only show the type
    anew = True
    while True:
        if anew:
            pairs, end = first_pairs(words, tokens.length, number_of_tokens, places)
            next_pair = first_new = len(pairs.count)
            found, bar = 0, 1 << 62
            heap.clear()
        # File the places that were found under their pairs; choose the best pair; merge it, which finds new places.
        places = longer(places, end + found)
        end = file_places(
            found_pairs, found_places, found, first_new, next_pair, pairs, places, end
        )
        count = pairs.count
        for pair in range(first_new, next_pair):
            if count[pair] >= bar:
                heappush(heap, entry(pair, words, pairs, places, by_place))
        if number_of_tokens == max_tokens or len(made) > max_merges:
            break
        pair = best_pair(heap, words, pairs, places, by_place)
        if pair == 0 or count[pair] < bar:
            bar = refill(heap, next_pair, words, pairs, places, by_place)
            pair = best_pair(heap, words, pairs, places, by_place)
        if pair == 0:
            break
        left, right = pairs.left[pair], pairs.right[pair]
        token = token_of(left, right, tokens, number_of_tokens)
        lefts.append(left)
        rights.append(right)
        made.append(token)
        first_new, room = next_pair, 2 * pairs.many[pair]
        pairs = more_pairs(pairs, next_pair + room)
        found_pairs, found_places = longer(found_pairs, room), longer(found_places, room)
        next_pair, found = merge(
            pair,
            token,
            words,
            pairs,
            places,
            tokens.length,
            before,
            after,
            next_pair,
            found_pairs,
            found_places,
        )
        for other in range(first_new, next_pair):
            before[pairs.left[other]] = after[pairs.right[other]] = 0
        # Where a token is made a second time, which is rare, everything is counted anew.
        anew = token != number_of_tokens
        number_of_tokens += not anew
    return lefts[1:], rights[1:], made[1:]


# -------------------------------------------------------------------------------------------------------- the tokens


@kernel
def spell_all(spelled, most):
    """The tokens that training starts from."""
    tokens = Tokens(np.zeros(most, np.int32), np.zeros(most, np.int32), [0], {-1: 0})
    token, start = 0, 1
    for symbol in spelled:
        if symbol >= 0:
            tokens.letters.append(symbol)
        else:
            spelled_by(start, tokens, token)
            token, start = token + 1, len(tokens.letters)
    return tokens


@kernel
def token_of(left, right, tokens, number_of_tokens):
    """The token that spells what the pair spells: an old one if there is, else a new one with the next number."""
    letters, begin, length = tokens.letters, tokens.begin, tokens.length
    start = len(letters)
    for part in (left, right):
        for i in range(begin[part], begin[part] + length[part]):
            letters.append(letters[i])
    return spelled_by(start, tokens, number_of_tokens)


@kernel
def spelled_by(start, tokens, new):
    """The token that the letters from `start` on spell: an old one if there is, else the new one."""
    key, letters = 0, tokens.letters
    for i in range(start, len(letters)):
        key = (key * BASE + letters[i] + 1) % PRIME
    while key in tokens.token_at:
        token = tokens.token_at[key]
        begin = tokens.begin[token]
        if letters[begin : begin + tokens.length[token]] == letters[start:]:
            return token
        key += 1  # two spellings, but one fingerprint
    tokens.token_at[key] = new
    tokens.length[new], tokens.begin[new] = len(letters) - start, start
    return new


# --------------------------------------------------------------------------------------------------------- the pairs


@kernel
def first_pairs(words, length, number_of_tokens, places):
    """The pairs that there are, and where the lists of their places end. length: of each token."""
    symbols, pair_at, freq_at = words.symbols, words.pair_at, words.freq_at
    size = len(symbols)
    # A small alphabet, such as that of bytes, has a table of all pairs; for others it would be too large.
    small = number_of_tokens * number_of_tokens <= size + (1 << 16)
    table, numbers = (
        np.zeros(number_of_tokens * number_of_tokens if small else 0, np.int32),
        {-1: 0},
    )
    next_pair, place = 1, 0
    while place < size:
        left, begin = symbols[place], place
        place += 1 if left < 0 else length[left]
        for i in range(begin, place):
            pair_at[i] = 0
        if left < 0 or symbols[place] < 0:
            continue
        key = left * number_of_tokens + symbols[place]
        pair = 0
        if small:
            pair = table[key]
        elif key in numbers:
            pair = numbers[key]
        if pair == 0:
            pair, next_pair = next_pair, next_pair + 1
            if small:
                table[key] = pair
            else:
                numbers[key] = pair
        pair_at[begin] = pair
    pairs = Pairs(
        np.zeros(next_pair, np.int32),
        np.zeros(next_pair, np.int32),
        np.zeros(next_pair, np.int64),
        np.zeros(next_pair, np.int32),
        np.zeros(next_pair, np.int32),
    )
    left_of, right_of, count, start, many = pairs
    for place in range(size):
        pair = pair_at[place]
        if pair:
            left_of[pair] = symbols[place]
            right_of[pair] = symbols[place + length[symbols[place]]]
            count[pair] += freq_at[place]
            many[pair] += 1
    end = make_lists(1, next_pair, pairs, 0)
    for place in range(size):
        pair = pair_at[place]
        if pair:
            places[start[pair] + many[pair]] = place
            many[pair] += 1
    return pairs, end


@kernel
def more_pairs(pairs, room):
    """The pairs, with room for so many."""
    return Pairs(
        longer(pairs.left, room),
        longer(pairs.right, room),
        longer(pairs.count, room),
        longer(pairs.start, room),
        longer(pairs.many, room),
    )


@inner
def file_places(found_pairs, found_places, found, first_new, next_pair, pairs, places, end):
    """Make a list of places for every new pair, in `places` from `end` on."""
    start, many = pairs.start, pairs.many
    end = make_lists(first_new, next_pair, pairs, end)
    for i in range(found):
        pair = found_pairs[i]
        places[start[pair] + many[pair]] = found_places[i]
        many[pair] += 1
    return end


@kernel
def make_lists(first, next_pair, pairs, end):
    """Say where the lists of new pairs begin, each as long as it will be, from `end` on; they are empty for now."""
    start, many = pairs.start, pairs.many
    for pair in range(first, next_pair):
        start[pair] = end
        end += many[pair]
        many[pair] = 0
    return end


@inner
def first_place(pair, words, pairs, places):
    """Where the pair stands first. What was passed over is not looked at again."""
    start, pair_at = pairs.start, words.pair_at
    while pair_at[places[start[pair]]] != pair:
        start[pair] += 1
        pairs.many[pair] -= 1
    return places[start[pair]]


# ----------------------------------------------------------------------------------------------- choosing and merging


@kernel
def entry(pair, words, pairs, places, by_place):
    """What the heap holds of a pair: the smallest entry is the pair to merge next."""
    key = (
        first_place(pair, words, pairs, places)
        if by_place
        else (pairs.left[pair] << 32) + pairs.right[pair]
    )
    return -pairs.count[pair], key, pair


@kernel
def refill(heap, next_pair, words, pairs, places, by_place):
    """Put the pairs into the heap that are at least half as frequent as the best one, and say how frequent that is."""
    bar = (max(pairs.count[:next_pair].max(), 1) + 1) // 2
    for pair in range(1, next_pair):
        if pairs.count[pair] >= bar:
            heappush(heap, entry(pair, words, pairs, places, by_place))
    return bar


@kernel
def best_pair(heap, words, pairs, places, by_place):
    """The pair to merge next, or 0 when none is left. An entry that is out of date goes back to where it belongs."""
    while len(heap) > 0:
        top = heappop(heap)
        pair = top[2]
        if pairs.count[pair] > 0:
            now = entry(pair, words, pairs, places, by_place)
            if now == top:
                return pair
            heappush(heap, now)
    return 0


@inner
def replace(old, freq, left, right, symbol, beside, mirrored, pairs, next_pair):
    """A pair takes the place of an old one: its number, and the next pair's.

    symbol: the one beside the newest token. beside: symbol -> the pair that it forms with that token; mirrored: the
    same on the token's other side.
    """
    pairs.count[old] -= freq
    new = beside[symbol]
    if new == 0:
        new = beside[symbol] = next_pair
        pairs.left[new], pairs.right[new] = left, right
        next_pair += 1
        if left == right:
            mirrored[symbol] = new
    pairs.count[new] += freq
    pairs.many[new] += 1
    return new, next_pair


@inner
def merge(
    pair, token, words, pairs, places, length, before, after, next_pair, found_pairs, found_places
):
    """Put `token` in the place of the pair, from left to right: the next pair's number, and how many places were found.

    found_pairs, found_places: receive the new pairs and where they begin.
    """
    symbols, pair_at, freq_at = words
    left_length, right_length = length[pairs.left[pair]], length[pairs.right[pair]]
    found, start = 0, pairs.start[pair]
    for i in range(start, start + pairs.many[pair]):
        place = places[i]
        if pair_at[place] != pair:
            continue
        middle = place + left_length
        following = middle + right_length
        freq = freq_at[place]
        symbols[place] = symbols[following - 1] = token
        symbol = symbols[place - 1]
        if symbol >= 0:
            previous = place - length[symbol]
            new, next_pair = replace(
                pair_at[previous], freq, symbol, token, symbol, before, after, pairs, next_pair
            )
            pair_at[previous] = found_pairs[found] = new
            found_places[found] = previous
            found += 1
        symbol = symbols[following]
        new = 0
        if symbol >= 0:
            new, next_pair = replace(
                pair_at[middle], freq, token, symbol, symbol, after, before, pairs, next_pair
            )
            found_pairs[found], found_places[found] = new, place
            found += 1
        pair_at[middle] = 0
        pair_at[place] = new
    pairs.count[pair] = 0
    return next_pair, found
