"""Vocabularies of well-known models, without a network: read from another package, which has to be installed.

The wheel of `quicktok-v1` carries them, each under the license of its makers, which its NOTICE names: OpenAI's are MIT,
Qwen's Apache 2.0, Llama 3's under Meta's own community license. Nothing of them stands here.
"""

from pathlib import Path
from struct import Struct

from ..arguments import check, check_choice
from ..parts import Parts
from ..text import bytes_to_chars, chars_to_bytes
from .reading import library, reading
from .tiktoken_ranks import of_ranks

BETWEEN = Struct("<IH")  # a number, and how many bytes a token has
# Name -> how its model cuts words, and what it does before.
PUBLISHED: dict[str, tuple[str, tuple[str, ...]]] = {
    "cl100k_base": ("cl100k", ()),
    "o200k_base": ("o200k", ()),
    "llama3": ("llama-3", ()),
    "qwen3": ("qwen-2", ("nfc",)),
}


def read_published(name: str) -> Parts:
    """The tokenizer of GPT-4 ("cl100k_base"), GPT-4o ("o200k_base"), Llama 3 or Qwen 3.

    Raises ValueError for another name or another version's files, ImportError where the package is missing.
    """
    check_choice("name", name, PUBLISHED)
    scheme, steps = PUBLISHED[name]
    folder = Path(library("quicktok", "vocabularies").__file__ or "").parent / "data"
    # Read as data, a vocabulary is there in a fifth of the time that the package takes to open it.
    stem = folder / name.removesuffix("_base")
    with reading(stem):
        rank_of = numbers_of(stem.with_suffix(".vocab").read_bytes(), first=False)
        special = numbers_of(stem.with_suffix(".special").read_bytes(), first=True)
    in_order = sorted(special, key=special.__getitem__)
    by_id = {chars_to_bytes(token).decode(): special[token] for token in in_order}
    return of_ranks(rank_of, scheme, by_id, steps)


def numbers_of(data: bytes, first: bool) -> dict[str, int]:
    """Token, as characters for its bytes -> its number, from a file of the package.

    It begins with how many tokens there are; of each it has the length in two bytes, the token, and the number in four,
    or the number first. Raises ValueError if it is written in another way.

    >>> numbers_of(b"\\1\\0\\0\\0" + b"\\2\\0hu" + b"\\7\\0\\0\\0", first=False)
    {'hu': 7}
    """
    # Wherever the numbers are, between two tokens stand a number and a length.
    between = data + bytes(0 if first else 2)
    chars, numbers, tokens = bytes_to_chars(data), list[int](), list[str]()
    unpack, size = BETWEEN.unpack_from, BETWEEN.size
    place = 4 if first else 0
    while place + size <= len(between):
        number, length = unpack(between, place)
        begin = place + size
        place = begin + length
        numbers.append(number)
        tokens.append(chars[begin:place])
    found = dict(zip(tokens, numbers if first else numbers[1:]))
    check(
        place == len(between) and len(found) == int.from_bytes(data[:4], "little"),
        "the file is not written as expected",
    )
    return found
