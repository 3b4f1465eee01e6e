"""Vocabularies of well-known models, without a network: read from another package, which has to be installed.

The wheel of `quicktok-v1` carries them, each under the license of its makers, which its NOTICE names: OpenAI's are MIT,
Qwen's Apache 2.0, Llama 3's under Meta's own community license. Nothing of them stands here.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

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
    package = library("quicktok", "vocabularies")
    folder = Path(package.__file__ or "").parent / "data"
    stem = name.removesuffix("_base")
    try:  # read as data, a vocabulary is there in a fifth of the time that the package takes to open it
        ranks = numbers_of((folder / f"{stem}.vocab").read_bytes(), first=False)
        special = numbers_of((folder / f"{stem}.special").read_bytes(), first=True)
    except (OSError, ValueError):  # another version has other files
        encoding = package.get_encoding(name)
        known = encoding.special_tokens_set
        special = {token.encode(): encoding.encode_single_token(token) for token in known}
        ranks = {}
        with suppress(KeyError):  # there may be numbers without a token before the special ones
            for rank in range(min(special.values())):
                ranks[encoding.decode_single_token_bytes(rank)] = rank
    by_id = {token.decode(): special[token] for token in sorted(special, key=special.__getitem__)}
    return from_ranks(ranks, scheme, by_id, steps)


def numbers_of(data: bytes, first: bool) -> dict[bytes, int]:
    """Token -> its number, from a file of the package. Raises ValueError if it is written in another way.

    It begins with how many tokens there are; of each it has the length in two bytes, the token, and the number in four,
    or the number first.

    >>> numbers_of(b"\\1\\0\\0\\0" + b"\\2\\0hu" + b"\\7\\0\\0\\0", first=False)
    {b'hu': 7}
    """
    found: dict[bytes, int] = {}
    place = 4
    while place < len(data):
        begin = place + (6 if first else 2)
        end = begin + int.from_bytes(data[begin - 2 : begin], "little")
        number = place if first else end
        found[data[begin:end]] = int.from_bytes(data[number : number + 4], "little")
        place = end if first else end + 4
    if place != len(data) or len(found) != int.from_bytes(data[:4], "little"):
        raise ValueError("the file is not written as expected")
    return found
