"""All tokens in one tree, a branch a byte, so that the way of a word through it passes the tokens that it begins with.

A branch is node * 2^8 + byte + 1 and the node that it leads to, in one number of a table; 0 is a free slot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .compiling import inner, kernel

MIX = np.int64(0x9E3779B97F4A7C15 - (1 << 64))


def trie_of(tokens: Sequence[bytes], roots: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The branches of some tokens, each of which begins at its root; and the token that ends at each node, or -1.

    roots: 0 or 1. Of two equal tokens the last one counts.
    """
    letters = np.frombuffer(b"".join(tokens) + b"\0", np.uint8)
    ends, starts = np.cumsum([0, *map(len, tokens)]), np.array(roots, np.int64)
    _, token_at = plant(letters, ends, starts, len(letters) + 1)
    # Again, now that it is known how many nodes there are.
    return plant(letters, ends, starts, len(token_at))


@kernel
def plant(letters, ends, roots, room):
    """A tree of at most so many nodes: its branches, and the token that ends at each node."""
    size, used = 16, 2
    while size < 2 * room:
        size *= 2
    branches, token_at = np.zeros(size, np.int64), np.full(room, -1, np.int32)
    for token in range(len(roots)):
        node = roots[token]
        for place in range(ends[token], ends[token + 1]):
            slot = slot_of(node, letters[place], branches)
            if branches[slot] == 0:
                branches[slot] = (node << 8 | letters[place]) + 1 << 24 | used
                used += 1
            node = branches[slot] & 0xFFFFFF
        token_at[node] = token
    return branches, token_at[:used]


@inner
def slot_of(node, byte, branches):
    """The slot of a branch; or, if there is none, a free slot."""
    key = (node << 8 | byte) + 1
    slot = (key * MIX >> 24) & (len(branches) - 1)
    while branches[slot] != 0 and branches[slot] >> 24 != key:
        slot = (slot + 1) & (len(branches) - 1)
    return slot


@inner
def child_of(node, byte, branches):
    """The node to which a byte leads, or -1."""
    branch = branches[slot_of(node, np.int64(byte), branches)]
    return branch & 0xFFFFFF if branch else np.int64(-1)
