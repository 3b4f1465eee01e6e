"""From word counts to merges: the trainers of BPE and of WordPiece hand their words over here.

An engine may do the work, which knows two rules for ties, "first-seen" and "lowest-ids"; otherwise `pair_index` does.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import Any

from .. import engines
from ..arguments import check, counted
from .garbage import not_collected
from .pair_index import Pair, PairQueue, in_order

Ties = str | Callable[[Pair], object]
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
    queue: Callable[..., PairQueue] = PairQueue,
) -> tuple[list[str], list[Pair], str]:
    """Merge the best pair until a limit is reached: the vocabulary, the merges, and why they ended early.

    vocab: the tokens before any merge, all symbols among them. prefix: what all symbols of a word begin with but the
    first, and what falls away between two that are merged. mark: one more symbol at the end of every word, if any.
    queue: what "best" means; by default, most frequent.
    Raises ValueError for an engine that is not known, not installed, or does not know the rule for ties.

    >>> learn_merges({"hug": 10, "pug": 5}, "ghpu", vocab_size=None, num_merges=2, ties="first-seen", engine="python")
    (['g', 'h', 'p', 'u', 'ug', 'hug'], [('u', 'g'), ('h', 'ug')], '')
    """
    most_tokens, most_merges = (
        NO_LIMIT if limit is None else limit for limit in (vocab_size, num_merges)
    )
    known = ties in ("first-seen", "lowest-ids")
    rule = repr(ties) if isinstance(ties, str) else getattr(ties, "__name__", "a function")
    check(
        known or engine != "compiled",
        f"engine is 'compiled', which knows no ties={rule}; expected 'first-seen' or 'lowest-ids'",
    )
    compiled = engines.choose(engine, merging=sum(map(len, word_freqs)) * known)
    # Python's numbers have as many digits as they need.
    if compiled and sum(map(mul, word_freqs.values(), map(len, word_freqs))) < 1 << 62:
        learned, merges = compiled.learn_merges(
            word_freqs,
            vocab,
            most_tokens,
            most_merges,
            ties == "first-seen",
            prefix,
            mark,
        )
    else:
        ids, merges = {token: number for number, token in enumerate(vocab)}, []
        splits = (symbols_of(word + mark, prefix, mark) for word in word_freqs)
        with not_collected():
            pairs = queue(
                splits,
                word_freqs.values(),
                _key_of(ties, ids),
            )
            while len(ids) != most_tokens and len(merges) < most_merges and (pair := pairs.pop()):
                token = pair[0] + pair[1].removeprefix(prefix)
                ids.setdefault(token, len(ids))
                merges.append(pair)
                pairs.merge(pair, token)
        learned = list(ids)
    ended = len(learned) != most_tokens and len(merges) != most_merges
    return learned, merges, f"no pair left after {counted(len(merges), 'merge')}" if ended else ""


def _key_of(
    ties: Ties,
    ids: Mapping[str, int],
) -> Callable[[Pair], Any]:
    """The rule as a function, for which the smallest value wins."""
    if callable(ties):
        return ties
    return {
        "first-seen": in_order,
        "lowest-ids": lambda pair: (ids[pair[0]], ids[pair[1]]),
        # Negative, so that the greatest comes first; the 1 puts a longer symbol before its own beginning.
        "greatest": lambda pair: [(*(-ord(char) for char in part), 1) for part in pair],
    }[ties]


def symbols_of(
    string: str,
    prefix: str = "",
    mark: str = "",
) -> list[str]:
    """The symbols of a word (with its mark), or those that a token consists of.

    >>> symbols_of("old</w>", mark="</w>"), symbols_of("old", "##"), symbols_of("##ld", "##")
    (['o', 'l', 'd', '</w>'], ['o', '##l', '##d'], ['##l', '##d'])
    """
    chars = string.removesuffix(mark)
    end = [mark] * (chars != string)
    if prefix and chars.startswith(prefix):
        return [*map(prefix.__add__, chars[len(prefix) :]), *end]
    return [*chars[:1], *map(prefix.__add__, chars[1:]), *end]
