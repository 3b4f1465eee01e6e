"""What training costs, counted and not timed: the same on every machine.

The unit is a look at a pair of neighbors, or at a pair's count. `looks` follows one training and counts what four
trainers would look at: they choose the same pairs, and differ in what they go through to find and to merge them.
"""

import cProfile
import pstats
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from operator import add, mul

from .. import bpe
from ..structures.pair_index import Pair, PairQueue

TRAINERS = ("the whole text", "different words", "an index", "index and heap")


def looks(word_freqs: Mapping[str, int], num_merges: int) -> dict[str, list[int]]:
    """For four trainers, the looks at a pair up to each merge, added up.

    - "the whole text": counts every pair of every word of the text before each merge, and goes through all counts.
    - "different words": the same, but each different word once.
    - "an index": counts once, and keeps the counts; a merge looks at the words that hold the pair, before and after;
      and to choose, all counts are gone through.
    - "index and heap": the same, but all counts go into a heap once, and then those that a merge has changed.

    >>> for name, sums in looks({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3).items():
    ...     print(name, sums)
    the whole text [83, 146, 192]
    different words [17, 31, 42]
    an index [28, 40, 49]
    index and heap [35, 46, 53]
    """
    splits, freqs = [*map(list, word_freqs)], [*word_freqs.values()]
    queue = PairQueue(splits, freqs)
    word_at = [number for number, word in enumerate(splits) for _ in [None, *word]]
    first = sum(len(symbols) - 1 for symbols in splits)
    sums, so_far = [], [0, 0, first, first + len(queue.counts)]
    for _ in range(num_merges):
        pairs, counts = [len(symbols) - 1 for symbols in splits], len(queue.counts)
        if (pair := queue.pop()) is None:
            break
        looked, changes = 0, Counter[Pair]()
        for number in {word_at[place] for place in queue.places(pair)}:
            before, after = splits[number], bpe.merge_symbols(splits[number], pair)
            for symbols, sign in ((before, -1), (after, 1)):
                looked += len(symbols) - 1
                for each in pairwise(symbols):
                    changes[each] += sign * freqs[number]
            splits[number] = after
        queue.merge(pair, "".join(pair))
        changed = sum(map(bool, changes.values()))
        whole = sum(map(mul, pairs, freqs))
        costs = [whole + counts, sum(pairs) + counts, looked + counts, looked + changed]
        so_far = [*map(add, so_far, costs)]
        sums.append(so_far)
    return {name: [each[place] for each in sums] for place, name in enumerate(TRAINERS)}


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
