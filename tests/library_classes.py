"""The classes of characters that the tokenizers library goes by, asked of the library itself, code point by code point.

`test_text.py` holds the package's table to them. To write the table anew, for another version of the library:

    python tests/library_classes.py > subword_lab/data/char_classes.txt

With "scripts" after it, it writes Unicode's scripts into scripts.txt, as fontTools knows them, which comes with
matplotlib.
"""

import struct
import sys
import textwrap
from importlib import metadata
from itertools import groupby
from operator import itemgetter

from tokenizers import Regex
from tokenizers.normalizers import BertNormalizer, Precompiled, StripAccents
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel, Digits, Split, Whitespace

ALL = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF)


def one_word(pre_tokenizer, text: str, *befores: str) -> list[set[str]]:
    """For each of `befores`, the characters of `text` that the pre-tokenizer keeps in one word with it.

    All characters of a word are of one class, so the first one speaks for them.
    """
    words = [text[start:end] for _, (start, end) in pre_tokenizer.pre_tokenize_str(text)]
    return [
        set().union(
            *(word for word in words if len(pre_tokenizer.pre_tokenize_str(before + word[0])) == 1)
        )
        for before in befores
    ]


def changed(**steps: bool) -> list[tuple[str, str]]:
    """The characters that the library's BertNormalizer replaces, and by what, with only these steps switched on."""

    off = {
        "clean_text": False,
        "handle_chinese_chars": False,
        "strip_accents": False,
        "lowercase": False,
    }
    normalized = BertNormalizer(**{**off, **steps}).normalize_str("<>".join(ALL)).split("<>")
    return [(char, result) for char, result in zip(ALL, normalized, strict=True) if result != char]


def around_marks() -> tuple[set[str], set[str]]:
    """The characters that belong to the one before them, and those to which no mark belongs.

    The library's table of replacements is asked for the first: with the one entry `a`, it makes `b` of all of `a` and
    such a character.
    """

    root, node, leaf = 0, 256 ^ ord("a"), 400
    units = [0] * 512
    units[root], units[node], units[leaf] = (
        256 << 10,
        (node ^ leaf) << 10 | 1 << 8 | ord("a"),
        1 << 31,
    )
    table = Precompiled(struct.pack("<513I", 2048, *units) + b"b\0")
    graphemes = Split(Regex(r"\X"), "isolated").pre_tokenize_str
    return (
        {char for char in ALL if len(char.encode()) < 5 and table.normalize_str("a" + char) == "b"},
        {char for char in ALL if len(graphemes(char + "\u0301")) == 2},
    )


def matching(categories: str) -> set[str]:
    """The characters of some of Unicode's general categories."""

    return set().union(
        *(word for word, _ in Split(Regex(f"[^{categories}]"), "removed").pre_tokenize_str(ALL))
    )


def library_classes() -> dict[str, set[str]]:
    """Class -> its characters."""

    words = "".join(ALL[start:end] for _, (start, end) in Whitespace().pre_tokenize_str(ALL))
    extend, alone = around_marks()
    letters, numbers = one_word(ByteLevel(add_prefix_space=False), words, "a", "1")
    return {
        "space": set(ALL) - set(words),
        "letter": letters,
        "number": numbers,
        "word": one_word(Whitespace(), words, "a")[0],
        "punctuation": set(words) - one_word(BertPreTokenizer(), words, "a")[0],
        "mark": {char for char, result in changed(strip_accents=True) if not result},
        "control": {char for char, result in changed(clean_text=True) if not result},
        "upper": matching(r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"),
        "lower": matching(r"\p{Ll}\p{Lm}\p{Lo}\p{M}"),
        "any_mark": matching(r"\p{M}"),
        "any_punctuation": matching(r"\p{P}"),
        "extend": extend,
        "alone": alone,
        "symbol": matching(r"\p{S}"),
        "combining": {*ALL} - {*StripAccents().normalize_str(ALL)},
        "numeric": {
            word for word, _ in Digits(True).pre_tokenize_str("ab".join(ALL)) if len(word) == 1
        },
        "chinese": {
            char for char, result in changed(handle_chinese_chars=True) if result == f" {char} "
        },
    }


def ranges(members: set[str]) -> list[str]:
    """Sorted ranges of code points, in hexadecimal: `41-5A` is A to Z.

    >>> ranges(set("abcdx"))
    ['61-64', '78']
    """
    found: list[list[int]] = []
    for point in sorted(map(ord, members)):
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return [written(first, last) for first, last in found]


def written(first: int, last: int) -> str:
    return f"{first:X}" if first == last else f"{first:X}-{last:X}"


def scripts() -> dict[str, list[str]]:
    """Script -> its ranges, in the order of their code points; without what many scripts share.

    Characters that are not assigned belong to the range around them, so that it is not cut in two.
    """
    from fontTools.unicodedata import script, script_name

    names = ((script_name(script(char)).replace(" ", "_"), ord(char)) for char in ALL)
    rows: dict[str, list[str]] = {}
    for name, run in groupby((pair for pair in names if pair[0] != "Unknown"), itemgetter(0)):
        points = [point for _, point in run]
        if name != "Common":
            rows.setdefault(name, []).append(written(points[0], points[-1]))
    return rows


def main(asked: list[str]) -> None:
    if asked == ["scripts"]:
        rows = scripts()
        head = (
            "# Unicode's property Script: script, ranges of code points; what is missing is Common, or not assigned.\n"
            "# Written by tests/library_classes.py; pieces.py says what it is for."
        )
    else:
        rows = {name: ranges(members) for name, members in library_classes().items()}
        head = (
            f"# Classes of characters, as tokenizers {metadata.version('tokenizers')} has them: class, ranges of code "
            "points.\n# Written by tests/library_classes.py; text.py says what they are for."
        )
    print(head)
    for name, row in rows.items():
        print(
            textwrap.fill(
                " ".join(row),
                120,
                initial_indent=f"{name} ",
                subsequent_indent=f"{name} ",
                break_on_hyphens=False,
            )
        )


if __name__ == "__main__":
    main(sys.argv[1:])
