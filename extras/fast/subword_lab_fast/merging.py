"""Training of BPE, and of WordPiece by frequency, in compiled code: words as rows of numbers, and merges as tokens."""

from collections.abc import Mapping, Sequence

import numpy as np

from subword_lab.structures.merges import symbols_of

from .pair_rows import merge_pairs


def learn_merges(
    word_freqs: Mapping[str, int],
    vocab: Sequence[str],
    most_tokens: int,
    most_merges: int,
    by_place: bool,
    prefix: str,
    mark: str,
) -> tuple[list[str], list[tuple[str, str]]]:
    """The vocabulary and the merges, as in `structures.merges`; by_place: of equal pairs the first wins."""
    vocab, merges = list(vocab), []
    ids = {token: number for number, token in enumerate(vocab)}
    learned = merge_pairs(
        *rows_of_words(word_freqs, ids, prefix, mark),
        np.array(spelled(ids, prefix, mark), np.int32),
        len(vocab),
        most_tokens,
        most_merges,
        by_place,
    )
    for left, right, token in zip(*learned):
        merges.append((vocab[left], vocab[right]))
        if token == len(vocab):
            vocab.append(vocab[left] + vocab[right].removeprefix(prefix))
    return vocab, merges


def spelled(ids: Mapping[str, int], prefix: str, mark: str) -> list[int]:
    """The symbols of each token, so that a token that exists already is found again, and a -1 after each token."""
    found = []
    for token in ids:
        symbols = [ids.get(symbol, -1) for symbol in symbols_of(token, prefix, mark)]
        # No word can spell a token of other symbols.
        found += [*symbols, -1] if -1 not in symbols else [-1]
    return found


def rows_of_words(
    word_freqs: Mapping[str, int], ids: Mapping[str, int], prefix: str, mark: str
) -> list[np.ndarray]:
    """The first rows for `merge_pairs`: symbols, pair_at, freq_at; see `pair_rows`.

    No word is looked at by itself: each character is looked up in a table of symbols.
    """
    id_of = np.full(2 * 0x110000, -1, np.int32)
    free = (
        char for char in map(chr, range(0x110000)) if char not in ids and prefix + char not in ids
    )
    between, last = next(free), next(free)  # no word holds them
    string = between + (last * bool(mark) + between).join([*word_freqs, ""])
    codes = 2 * np.frombuffer(string.encode("utf-32-le", "surrogatepass"), np.int32)
    stops = np.flatnonzero(codes == 2 * ord(between))
    codes[stops[:-1] + 1] += 1  # an odd number is what a word begins with
    for token, number in ids.items():
        if len(token) == 1:
            id_of[2 * ord(token) + 1] = number
        if len(token) == len(prefix) + 1 and token.startswith(prefix):
            id_of[2 * ord(token[-1])] = number
    id_of[2 * ord(last)] = ids.get(mark, -1)
    # What belongs to a place stands together in memory.
    rows = np.zeros(len(codes), [("symbols", "i4"), ("pair_at", "i4"), ("freq_at", "i8")])
    rows["symbols"] = id_of[codes]
    rows["freq_at"][1:] = np.repeat(np.fromiter(word_freqs.values(), np.int64), np.diff(stops))
    return [rows["symbols"], rows["pair_at"], rows["freq_at"]]
