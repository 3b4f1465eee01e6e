"""All tokens in one tree, a branch a byte, so that the way of a word through it passes the tokens that it begins with.

A branch is node * 2^8 + byte and the node that it leads to, in one number of a table; a table holds numbers, each a key
over some bits of what it stands for. Its last number is what keys are multiplied by.
"""

import math
from collections.abc import Sequence

import numpy as np

from .compiling import inner, kernel
from .word_table import SALT

FREE = -1  # a free slot of a table
NODE_BITS = 24


@inner
def slot_of(key, table, bits):
    """The slot of a key; or, if it has none, the free slot for it. bits: of what it stands for."""
    slot = (key * table[len(table) - 1] >> 40) & (len(table) - 2)
    while table[slot] != FREE and table[slot] >> bits != key:
        slot = (slot + 1) & (len(table) - 2)
    return slot


@kernel
def free_slots(many, salt):
    """An empty table for so many keys, half of it free."""
    return np.append(np.full(2 << np.int64(math.log2(2 * max(many, 8) - 1)), FREE), np.int64(salt))


def trie_of(tokens: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """The branches of some tokens, and the token that ends at each node, or -1. Of two equal ones the last counts."""
    letters = np.frombuffer(bytearray(b"".join(tokens) + b"\0"), np.uint8)
    ends = np.cumsum([0, *map(len, tokens)])
    _, token_at = plant(letters, ends, len(letters), SALT)
    # Again, now that it is known how many nodes there are.
    return plant(letters, ends, len(token_at), SALT)


@kernel
def plant(letters, ends, room, salt):
    """A tree of at most so many nodes: its branches, and the token that ends at each node."""
    branches, token_at, used = free_slots(room, salt), np.full(room, -1, np.int32), 1
    for token in range(len(ends) - 1):
        node = 0
        for place in range(ends[token], ends[token + 1]):
            branch = node << 8 | letters[place]
            slot = slot_of(branch, branches, NODE_BITS)
            if branches[slot] == FREE:
                branches[slot] = branch << NODE_BITS | used
                used += 1
            node = branches[slot] & 0xFFFFFF
        token_at[node] = token
    return branches, token_at[:used]


@inner
def child_of(node, byte, branches):
    """The node to which a byte leads, or -1."""
    branch = branches[slot_of(node << 8 | np.int64(byte), branches, NODE_BITS)]
    return branch & 0xFFFFFF if branch != FREE else np.int64(-1)
