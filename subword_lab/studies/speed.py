"""What training costs, counted and not timed: the same on every machine.

The unit is a look at a pair of neighbors, or at a pair's count. `looks` follows one training and counts what four
trainers would look at: they choose the same pairs, and differ in what they go through to find and to merge them.
"""

import cProfile
import pstats
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from operator import mul

from .. import bpe
from ..structures.pair_index import Pair, PairQueue


class _Watched(PairQueue):
    """A queue that counts the entries that are put into its heap."""

    pushed = 0

    def _push(self, pairs: Iterable[Pair]) -> None:
        size = len(self.heap)
        super()._push(pairs)
        self.pushed += len(self.heap) - size


def looks(word_freqs: Mapping[str, int], num_merges: int) -> dict[str, list[int]]:
    """For four trainers, the looks at a pair up to each merge, added up.

    - "the whole text": counts every pair of every word of the text before each merge, and goes through all counts.
    - "different words": the same, but each different word once.
    - "an index": keeps the counts; a merge looks at the words that hold the pair, before and after; and to choose,
      all counts are gone through.
    - "index and heap": entries put into a heap and taken off it, in place of all counts.

    >>> for name, sums in looks({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3).items():
    ...     print(name, sums)
    the whole text [83, 146, 192]
    different words [17, 31, 42]
    an index [28, 40, 49]
    index and heap [33, 43, 50]
    """
    splits = bpe.split_words(word_freqs)
    queue = _Watched(word_freqs, splits, "first-seen", bpe.base_vocab(splits))
    index = queue.index
    whole, words, indexed, heaped = list[int](), list[int](), list[int](), list[int]()
    looked = sum(len(symbols) - 1 for symbols in index.words)  # the first count, made once
    searched = 0
    for _ in range(num_merges):
        pairs, counts = [len(symbols) - 1 for symbols in index.words], len(index.counts)
        whole.append(sum(map(mul, pairs, index.freqs)) + counts)
        words.append(sum(pairs) + counts)
        if (pair := queue.pop()) is None:
            break
        holding = list(index.where[pair])
        queue.merge(pair, "".join(pair))
        looked += sum(pairs[number] + len(index.words[number]) - 1 for number in holding)
        searched += counts
        indexed.append(looked + searched)
        # What was put in and is not there any more was taken off.
        heaped.append(looked + 2 * queue.pushed - len(queue.heap))
    return {
        "the whole text": list(accumulate(whole)),
        "different words": list(accumulate(words)),
        "an index": indexed,
        "index and heap": heaped,
    }


def calls(function: Callable[[], object], module: str) -> dict[str, int]:
    """How often the functions of a module were called while this one ran, the most often first.

    >>> calls(lambda: bpe.merge_pair(("u", "g"), {"hug": ["h", "u", "g"], "pug": ["p", "u", "g"]}), "bpe")
    {'merge_symbols': 2, 'merge_pair': 1}
    """
    profile = cProfile.Profile()
    profile.runcall(function)
    found = {
        name: row[1]
        for (file, _, name), row in pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
        if file.endswith(f"{module}.py") and not name.startswith(("<", "_"))
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
