"""A character as bits, in the page: typed, flipped bit by bit, and read as a decoder reads it; see `static/bits.js`."""

from ..arguments import check, counted
from .in_page import InPage, in_page, text_of
from .tables import table
from .tokens import visible

LONGEST_BYTES = 20  # that are drawn


def bits_playground(string: str = "茶", *, title: str = "A character as bits") -> InPage:
    """The bytes of a text, bit by bit: flip one, and see what is read then, and why.

    string: what stands in the field at first.

    Raises ValueError for a text of more than 20 bytes.

    >>> bits_playground()
    A character as bits: 1 character in 3 bytes: 11101000 10001100 10110110.
    """
    string = text_of(string)
    size = len(string.encode())
    check(
        size <= LONGEST_BYTES,
        f"string has {counted(size, 'byte')}; expected at most {LONGEST_BYTES}, so that it can be drawn",
    )
    rows = [[visible(char), f"U+{ord(char):04X}", _bits(char)] for char in string]
    return in_page(
        "subword-bits",
        title,
        f"{counted(len(string), 'character')} in {counted(size, 'byte')}: {_bits(string)}.",
        {"text": string, "longest": LONGEST_BYTES},
        table(rows, ["character", "in Unicode", "in bytes"]),
    )


def _bits(string: str) -> str:
    return " ".join(f"{byte:08b}" for byte in string.encode())
