"""From word counts to merges: the trainers of BPE and of WordPiece (by frequency) hand their words over here.

Words become one row of numbers, `pair_rows` merges them, in Python or compiled, and the numbers become tokens again.
The rules for ties that need a comparison of strings stay with `pair_index`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import pair_rows
from .compiling import array_rows, choose, compiled
from .pair_index import Pair, PairQueue, Ties

WORTH_COMPILING = 2_000_000                   # symbols in different words: some five seconds of Python
NO_LIMIT = 1 << 60


def learn_merges(word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]], vocab: Iterable[str], *,
                 vocab_size: int | None, num_merges: int | None, ties: Ties, join: Callable[[Pair], str],
                 spell: Callable[[str], Sequence[str]], engine: str | None) -> tuple[list[str], list[Pair], str]:
    """Merge the most frequent pair until a limit is reached: the vocabulary, the merges, and why they ended early.

    splits: the symbols of every word. vocab: the tokens before any merge, all symbols among them. join: the token that
    a pair becomes. spell: the symbols that a token consists of, so that a token that exists already is found again.
    Raises ValueError for an engine that is not known, not installed, or does not know the rule for ties.

    >>> learn_merges({"hug": 10, "pug": 5}, {"hug": [*"hug"], "pug": [*"pug"]}, "ghpu", vocab_size=None, num_merges=2,
    ...              ties="first-seen", join="".join, spell=list, engine="python")
    (['g', 'h', 'p', 'u', 'ug', 'hug'], [('u', 'g'), ('h', 'ug')], '')
    """
    vocab, merges = list(vocab), []
    length = sum(map(len, splits.values()))
    engine = choose(engine, length, WORTH_COMPILING)
    if engine == "compiled" and sum(freq * len(splits[word]) for word, freq in word_freqs.items()) >= 1 << 62:
        engine = "python"                                            # whose numbers have as many digits as they need
    if callable(ties) or ties == "greatest":
        if engine == "compiled":
            raise ValueError(f"engine is 'compiled', which knows no ties={ties!r}; expected 'first-seen' or "
                             "'lowest-ids'")
        return _by_queue(word_freqs, splits, vocab, vocab_size, num_merges, ties, join)
    rows = _rows(word_freqs, splits, vocab, spell)
    limits = (NO_LIMIT if vocab_size is None else vocab_size, NO_LIMIT if num_merges is None else num_merges)
    merge_pairs: Callable[..., Any] = pair_rows.merge_pairs
    if engine == "compiled":
        rows = _arrays(*rows)
        merge_pairs = compiled("pair_rows").merge_pairs
    for left, right, token in zip(*merge_pairs(*rows, len(vocab), *limits, ties == "first-seen")):
        merges.append((vocab[left], vocab[right]))
        if token == len(vocab):
            vocab.append(join(merges[-1]))
    reached = len(vocab) == vocab_size or len(merges) == num_merges
    return vocab, merges, "" if reached else f"no pair left after {len(merges)} merges"


def _rows(word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]], vocab: Sequence[str],
          spell: Callable[[str], Sequence[str]]) -> list[list[int]]:
    """What `pair_rows.merge_pairs` begins with: symbols, pair_at, freq_at, spelled."""
    ids = {token: number for number, token in enumerate(vocab)}
    symbols, freq_at = [-1], [0]
    for word, freq in word_freqs.items():
        symbols += map(ids.__getitem__, splits[word])
        symbols.append(-1)
        freq_at += [freq] * (len(splits[word]) + 1)
    spelled = []
    for token in vocab:
        letters = [ids.get(symbol, -1) for symbol in spell(token)]
        spelled += [*letters, -1] if -1 not in letters else [-1]         # no word can spell a token of other symbols
    return [symbols, [0] * len(symbols), freq_at, spelled]


def _arrays(symbols: list[int], pair_at: list[int], freq_at: list[int], spelled: list[int]) -> list:
    import numpy

    rows = array_rows(len(symbols))
    rows["symbols"], rows["freq_at"] = symbols, freq_at
    return [rows["symbols"], rows["pair_at"], rows["freq_at"], numpy.array(spelled, numpy.int32)]


def _by_queue(word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]], vocab: Sequence[str],
              vocab_size: int | None, num_merges: int | None, ties: Ties,
              join: Callable[[Pair], str]) -> tuple[list[str], list[Pair], str]:
    def reached(vocab: Sequence[str], merges: Sequence[Pair]) -> bool:
        return len(vocab) == vocab_size or len(merges) == num_merges

    queue = PairQueue(word_freqs, splits, ties, vocab)
    merges, stopped = queue.merge_until(reached, join)
    return queue.vocab, merges, stopped
