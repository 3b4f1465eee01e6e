"""Merging by rank for words of any length, and for merges in any order.

`bpe.merge_by_rank` looks at all pairs of a word after every merge, which takes a day for a word of a million
characters. Here a heap holds the pairs by rank, and links lead from each symbol to its neighbors.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence


def merge_by_rank(
    symbols: Sequence[str],
    ranks: Mapping[tuple[str, str], int],
    overlooks: Callable[[], bool] | None = None,
) -> list[str]:
    """Merge, again and again, the pair with the lowest rank, of equal ones the leftmost, until none has a rank.

    One place at a time. For merges that a training made this is what `bpe.merge_by_rank` gives, which merges a pair
    everywhere at once; a stranger's merges may tell the two apart, and then this is what tokenizers and tiktoken do.

    overlooks: asked before each merge; where it says yes, the merge is left out until another one has been made. With
    the same probability each time, that is BPE-dropout.

    >>> merge_by_rank(["u", "n", "h", "u", "g"], {("u", "g"): 0, ("u", "n"): 1, ("h", "ug"): 2})
    ['un', 'hug']
    """
    symbols = list(symbols)
    count = len(symbols)
    after, before = list(range(1, count + 1)), list(range(-1, count - 1))
    heap = [
        (ranks[pair], place, pair)
        for place, pair in enumerate(zip(symbols, symbols[1:]))
        if pair in ranks
    ]
    heapq.heapify(heap)
    overlooked: list[tuple[int, int, tuple[str, str]]] = []
    while heap:
        merge = heapq.heappop(heap)
        _, left, pair = merge
        right = after[left]
        if right == count or (symbols[left], symbols[right]) != pair:
            continue  # a merge has changed one of the two, or used it up
        if overlooks and overlooks():
            overlooked.append(merge)
            continue
        symbols[left], symbols[right] = pair[0] + pair[1], ""
        after[left] = after[right]
        if after[left] < count:
            before[after[left]] = left
        for place in (before[left], left):
            if place >= 0 and after[place] < count:
                pair = symbols[place], symbols[after[place]]
                if pair in ranks:
                    heapq.heappush(heap, (ranks[pair], place, pair))
        while overlooked:
            heapq.heappush(heap, overlooked.pop())
    return [symbol for symbol in symbols if symbol]
