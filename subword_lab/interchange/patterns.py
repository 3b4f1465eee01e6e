r"""How other libraries write the schemes by which GPT-2 and its successors cut words.

Their regular expressions know Unicode's categories (`\p{L}`), which Python's do not; `text.PATTERNS` says the same with
tables. Only these patterns are read: a stranger's own could take a lifetime on a text that was made for it.
"""

import re
from collections.abc import Mapping

from .. import text
from ..arguments import check, shorten

_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LETTERS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

# Scheme -> its pattern, as tokenizers and tiktoken both read it.
PATTERNS = {
    "byte-level": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": rf"{_CONTRACTION}|{_LETTERS}|\p{{N}}{{1,3}}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+\z|\s*[\r\n]|\s+(?!\S)|\s",
    "llama-3": rf"{_CONTRACTION}|{_LETTERS}|\p{{N}}{{1,3}}|{_REST}",
    "qwen-2": rf"{_CONTRACTION}|{_LETTERS}|\p{{N}}|{_REST}",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTION}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTION}?"
    rf"|\p{{N}}{{1,3}}|{_REST.replace('n]*', 'n/]*', 1)}",
}

CLIP = (
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
)

# The same words, written another way: by tiktoken (for speed), and in the files of models.
_OTHERS = {
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s": "byte-level",
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "byte-level",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "byte-level",
}
SCHEMES = {pattern: scheme for scheme, pattern in PATTERNS.items()} | _OTHERS

# For tiktoken, `{1,3}+` is three at most; for the tokenizers library, any number (data/patterns.txt).
IN_TIKTOKEN = SCHEMES | {
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s": "cl100k",
}


def is_known(pattern: str) -> bool:
    """Whether words can be cut by a pattern; `digits` and other names in the same table are none.

    >>> is_known(r"\\p{N}"), is_known("digits")
    (True, False)
    """
    is_name = re.fullmatch("[a-z-]+", pattern)
    return pattern in SCHEMES or (pattern in text.file_patterns() and not is_name)


def scheme_of(pattern: str, schemes: Mapping[str, str] = SCHEMES) -> str:
    """The scheme that a pattern stands for, or itself if it is known; ValueError for one that is not.

    schemes: pattern -> scheme, in the files of some library.

    >>> scheme_of(PATTERNS["o200k"])
    'o200k'
    """
    pattern = pattern.replace("\r", r"\r").replace("\n", r"\n")
    check(
        is_known(pattern),
        f"words are cut by the pattern {shorten(pattern)}, which is not one of those known here: "
        f"{', '.join(PATTERNS)}, and those in data/patterns.txt; a line there makes it known",
    )
    return schemes.get(pattern, pattern)
