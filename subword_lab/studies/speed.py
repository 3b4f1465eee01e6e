"""What training costs, counted and not timed: the same on every machine.

The unit is a look at a pair of neighbors, or at a pair's count. `looks` follows one training and counts what four
trainers would look at: they choose the same pairs, and differ in what they go through to find and to merge them.
"""

import cProfile
import pstats
from collections.abc import Callable, Mapping
from itertools import accumulate
from operator import mul

from .. import bpe
from ..structures.pair_index import Pair, PairQueue


class _Watched(PairQueue):
    """A queue that counts the looks at a pair for its heap."""

    looked = 0

    def _entry(self, pair: Pair) -> tuple:
        self.looked += 1
        return super()._entry(pair)

    def _refill(self) -> None:
        self.looked += len(self.counts)
        super()._refill()


def looks(word_freqs: Mapping[str, int], num_merges: int) -> dict[str, list[int]]:
    """For four trainers, the looks at a pair up to each merge, added up.

    - "the whole text": counts every pair of every word of the text before each merge, and goes through all counts.
    - "different words": the same, but each different word once.
    - "an index": keeps the counts; a merge looks at the words that hold the pair, before and after; and to choose,
      all counts are gone through.
    - "index and heap": entries made for a heap, or checked on top of it, in place of all counts; and all of these
      whenever the heap runs empty.

    >>> for name, sums in looks({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3).items():
    ...     print(name, sums)
    the whole text [83, 146, 192]
    different words [17, 31, 42]
    an index [28, 40, 49]
    index and heap [34, 43, 48]
    """
    splits, freqs = [*map(list, word_freqs)], word_freqs.values()
    queue = _Watched(splits, freqs)
    word_at = [number for number, word in enumerate(splits) for _ in [None, *word]]
    whole, words, indexed, heaped = list[int](), list[int](), list[int](), list[int]()
    looked = sum(len(symbols) - 1 for symbols in splits)  # the first count, made once
    searched = 0
    for _ in range(num_merges):
        pairs, counts = [len(symbols) - 1 for symbols in splits], len(queue.counts)
        whole.append(sum(map(mul, pairs, freqs)) + counts)
        words.append(sum(pairs) + counts)
        if (pair := queue.pop()) is None:
            break
        for number in {word_at[place] for place in queue.places(pair)}:
            splits[number] = bpe.merge_symbols(splits[number], pair)
            looked += pairs[number] + len(splits[number]) - 1
        queue.merge(pair, "".join(pair))
        searched += counts
        indexed.append(looked + searched)
        heaped.append(looked + queue.looked)
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
