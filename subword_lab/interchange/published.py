"""Vocabularies of well-known models, without a network: read from another package, which has to be installed.

The wheel of `quicktok-v1` carries them, each under the license of its makers, which its NOTICE names: OpenAI's are MIT,
Qwen's Apache 2.0, Llama 3's under Meta's own community license. Nothing of them stands here.
"""

from __future__ import annotations

from contextlib import suppress

from ..arguments import check_choice
from ..parts import Parts
from .reading import library
from .tiktoken_ranks import from_ranks

# Name -> how its model cuts words, and what it does before.
PUBLISHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "cl100k_base": ("cl100k", ()),
    "o200k_base": ("o200k", ()),
    "llama3": ("llama-3", ()),
    "qwen3": ("qwen-2", ("nfc",)),
}


def read_published(name: str) -> Parts:
    """The tokenizer of GPT-4 ("cl100k_base"), GPT-4o ("o200k_base"), Llama 3 or Qwen 3.

    Raises ValueError for another name, ImportError where the package is missing.
    """
    check_choice("name", name, PUBLISHED)
    scheme, steps = PUBLISHED[name]
    encoding = library("quicktok", "vocabularies").get_encoding(name)
    special = {token: encoding.encode_single_token(token) for token in encoding.special_tokens_set}
    ranks: dict[bytes, int] = {}
    with suppress(KeyError):  # there may be numbers without a token before the special ones
        for rank in range(min(special.values())):
            ranks[encoding.decode_single_token_bytes(rank)] = rank
    by_id = dict(sorted(special.items(), key=lambda item: item[1]))
    return from_ranks(ranks, scheme, by_id, steps)
