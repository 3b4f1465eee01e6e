"""From word counts to merges: the trainers of BPE and of WordPiece (by frequency) hand their words over here.

Words become one row of numbers, `pair_rows` merges them, in Python or compiled, and the numbers become tokens again.
The rules for ties that need a comparison of strings stay with `pair_index`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Any

from . import pair_rows
from .compiling import array_rows, choose, compiled
from .garbage import not_collected
from .pair_index import Pair, PairQueue, Ties

WORTH_COMPILING = 2_000_000  # symbols in different words: some five seconds of Python
NO_LIMIT = 1 << 60


def learn_merges(
    word_freqs: Mapping[str, int],
    vocab: Sequence[str],
    *,
    vocab_size: int | None,
    num_merges: int | None,
    ties: Ties,
    prefix: str = "",
    mark: str = "",
    engine: str | None = None,
) -> tuple[list[str], list[Pair], str]:
    """Merge the most frequent pair until a limit is reached: the vocabulary, the merges, and why they ended early.

    vocab: the tokens before any merge, all symbols among them. prefix: what all symbols of a word begin with but the
    first, and what falls away between two that are merged. mark: one more symbol at the end of every word, if any.
    Raises ValueError for an engine that is not known, not installed, or does not know the rule for ties.

    >>> learn_merges({"hug": 10, "pug": 5}, "ghpu", vocab_size=None, num_merges=2, ties="first-seen", engine="python")
    (['g', 'h', 'p', 'u', 'ug', 'hug'], [('u', 'g'), ('h', 'ug')], '')
    """
    vocab, merges = list(vocab), list[Pair]()
    engine = choose(engine, sum(map(len, word_freqs)), WORTH_COMPILING)
    if engine == "compiled" and sum(map(mul, word_freqs.values(), map(len, word_freqs))) >= 1 << 62:
        engine = "python"  # whose numbers have as many digits as they need

    def join(pair: Pair) -> str:
        return pair[0] + pair[1].removeprefix(prefix)

    def reached(vocab: Sequence[str], merges: Sequence[Pair]) -> bool:
        return len(vocab) == vocab_size or len(merges) == num_merges

    if callable(ties) or ties == "greatest":
        if engine == "compiled":
            raise ValueError(
                f"engine is 'compiled', which knows no ties={ties!r}; expected 'first-seen' or "
                "'lowest-ids'"
            )
        splits = {word: symbols_of(word + mark, prefix, mark) for word in word_freqs}
        queue = PairQueue(word_freqs, splits, ties, vocab)
        return queue.vocab, *queue.merge_until(reached, join)
    make_rows, code = (
        (_array_rows, compiled("pair_rows")) if engine == "compiled" else (_rows, pair_rows)
    )
    rows = make_rows(word_freqs, vocab, prefix, mark)
    limits = (
        NO_LIMIT if vocab_size is None else vocab_size,
        NO_LIMIT if num_merges is None else num_merges,
    )
    with not_collected():
        learned = code.merge_pairs(*rows, len(vocab), *limits, ties == "first-seen")
    for left, right, token in zip(*learned):
        merges.append((vocab[left], vocab[right]))
        if token == len(vocab):
            vocab.append(join(merges[-1]))
    return (
        vocab,
        merges,
        "" if reached(vocab, merges) else f"no pair left after {len(merges)} merges",
    )


def symbols_of(string: str, prefix: str = "", mark: str = "") -> list[str]:
    """The symbols of a word (with its mark), or those that a token consists of.

    >>> symbols_of("old</w>", mark="</w>"), symbols_of("old", "##"), symbols_of("##ld", "##")
    (['o', 'l', 'd', '</w>'], ['o', '##l', '##d'], ['##l', '##d'])
    """
    chars = string.removesuffix(mark)
    end = [mark] * (chars != string)
    if prefix and chars.startswith(prefix):
        return [*map(prefix.__add__, chars[len(prefix) :]), *end]
    return [*chars[:1], *map(prefix.__add__, chars[1:]), *end]


def _rows(word_freqs: Mapping[str, int], vocab: Sequence[str], prefix: str, mark: str) -> list[Any]:
    """What `pair_rows.merge_pairs` begins with: symbols, pair_at, freq_at, spelled."""
    ids = {token: number for number, token in enumerate(vocab)}
    symbols, freq_at = [-1], [0]
    for word, freq in word_freqs.items():
        symbols += map(ids.__getitem__, symbols_of(word + mark, prefix, mark))
        symbols.append(-1)
        freq_at += [freq] * (len(symbols) - len(freq_at))
    return [symbols, [0] * len(symbols), freq_at, _spelled(ids, prefix, mark)]


def _spelled(ids: Mapping[str, int], prefix: str, mark: str) -> list[int]:
    """The symbols of each token, so that a token that exists already is found again, and a -1 after each token."""
    spelled = []
    for token in ids:
        symbols = [ids.get(symbol, -1) for symbol in symbols_of(token, prefix, mark)]
        spelled += (
            [*symbols, -1] if -1 not in symbols else [-1]
        )  # no word can spell a token of other symbols
    return spelled


def _array_rows(
    word_freqs: Mapping[str, int], vocab: Sequence[str], prefix: str, mark: str
) -> list[Any]:
    """The same in arrays, made without a look at single words: each character is looked up in a table of symbols."""
    import numpy as np

    ids, id_of = (
        {token: number for number, token in enumerate(vocab)},
        np.full(2 * 0x110000, -1, np.int32),
    )
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
    rows = array_rows(len(codes))
    rows["symbols"] = id_of[codes]
    rows["freq_at"][1:] = np.repeat(np.fromiter(word_freqs.values(), np.int64), np.diff(stops))
    return [
        rows["symbols"],
        rows["pair_at"],
        rows["freq_at"],
        np.array(_spelled(ids, prefix, mark), np.int32),
    ]
