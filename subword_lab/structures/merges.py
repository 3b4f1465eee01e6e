"""From word counts to merges: the trainers of BPE and of WordPiece (by frequency) hand their words over here.

Words become one row of numbers, `pair_rows` merges them, in Python or compiled, and the numbers become tokens again.
They know two rules for ties, "first-seen" and "lowest-ids"; all others, functions among them, stay with `pair_index`.
"""

from collections.abc import Mapping, Sequence
from operator import mul

from .. import engines
from ..arguments import counted
from . import pair_rows
from .garbage import not_collected
from .pair_index import Pair, PairQueue, Ties

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

    def join(pair: Pair) -> str:
        return pair[0] + pair[1].removeprefix(prefix)

    def reached(vocab: Sequence[str], merges: Sequence[Pair]) -> bool:
        return len(vocab) == vocab_size or len(merges) == num_merges

    if callable(ties) or ties == "greatest":
        if engine == "compiled":
            rule = repr(ties) if isinstance(ties, str) else getattr(ties, "__name__", "a function")
            raise ValueError(
                f"engine is 'compiled', which knows no ties={rule}; expected 'first-seen' or "
                "'lowest-ids'"
            )
        engines.choose(engine)  # that there is such an engine
        splits = {word: symbols_of(word + mark, prefix, mark) for word in word_freqs}
        queue = PairQueue(word_freqs, splits, ties, vocab)
        return queue.vocab, *queue.merge_until(reached, join)
    compiled = engines.choose(engine, merging=sum(map(len, word_freqs)))
    if sum(map(mul, word_freqs.values(), map(len, word_freqs))) >= 1 << 62:
        compiled = None  # Python's numbers have as many digits as they need
    rows_of, merge_pairs = (
        (compiled.rows_of_words, compiled.merge_pairs)
        if compiled
        else (_rows_of_words, pair_rows.merge_pairs)
    )
    ids = {token: number for number, token in enumerate(vocab)}
    most_tokens, most_merges = (
        NO_LIMIT if limit is None else limit for limit in (vocab_size, num_merges)
    )
    with not_collected():
        symbols, pair_at, freq_at = rows_of(word_freqs, ids, prefix, mark)
        learned = merge_pairs(
            symbols,
            pair_at,
            freq_at,
            _spelled(ids, prefix, mark),
            len(vocab),
            most_tokens,
            most_merges,
            ties == "first-seen",
        )
    for left, right, token in zip(*learned):
        merges.append((vocab[left], vocab[right]))
        if token == len(vocab):
            vocab.append(join(merges[-1]))
    stopped = (
        "" if reached(vocab, merges) else f"no pair left after {counted(len(merges), 'merge')}"
    )
    return vocab, merges, stopped


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


def _rows_of_words(
    word_freqs: Mapping[str, int], ids: Mapping[str, int], prefix: str, mark: str
) -> list[list[int]]:
    """What `pair_rows.merge_pairs` begins with: symbols, pair_at, freq_at."""
    symbols, freq_at = [-1], [0]
    for word, freq in word_freqs.items():
        symbols += map(ids.__getitem__, symbols_of(word + mark, prefix, mark))
        symbols.append(-1)
        freq_at += [freq] * (len(symbols) - len(freq_at))
    return [symbols, [0] * len(symbols), freq_at]


def _spelled(ids: Mapping[str, int], prefix: str, mark: str) -> list[int]:
    """The symbols of each token, so that a token that exists already is found again, and a -1 after each token."""
    spelled = []
    for token in ids:
        symbols = [ids.get(symbol, -1) for symbol in symbols_of(token, prefix, mark)]
        # No word can spell a token of other symbols.
        spelled += [*symbols, -1] if -1 not in symbols else [-1]
    return spelled
