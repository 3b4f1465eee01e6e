"""Real vocabularies seen from outside: what a text costs in them, and which of their tokens no text becomes.

Lesson 09 uses this. The vocabularies come with the package quicktok-v1, the extra "vocabularies".
"""

import csv
from functools import cache
from importlib.util import find_spec

from .. import files, text
from ..arguments import check
from ..tokenizer import Tokenizer


@cache
def vocabulary(name: str) -> Tokenizer:
    """`Tokenizer.from_vocabulary`, which reads each vocabulary once. ImportError where quicktok-v1 is missing."""
    return Tokenizer.from_vocabulary(name)


def recorded_counts() -> dict[str, dict[str, int]]:
    """Tokens of parallel texts, counted before: column -> language -> tokens.

    "published": FLORES-200 under cl100k_base, as Petrov and others counted it (2023). "cl100k_base" and "o200k_base":
    our articles of the declaration of human rights, as `declaration_counts` joins them.

    >>> {column: counts["Burmese"] for column, counts in recorded_counts().items()}
    {'published': 618268, 'cl100k_base': 9207, 'o200k_base': 2463}
    """
    lines = files.read("data", "declaration_counts.tsv").splitlines()
    (_, *columns), *rows = csv.reader(lines, delimiter="\t")
    return {
        column: {row[0]: int(row[number]) for row in rows}
        for number, column in enumerate(columns, start=1)
    }


def declaration_counts(name: str, between: str = " ") -> dict[str, int]:
    """How many tokens fifteen articles of the declaration of human rights are in a vocabulary: language -> tokens.

    name: "bytes", or a vocabulary as `Tokenizer.from_vocabulary` knows it. between: what joins the articles. Where
    quicktok-v1 is missing, "cl100k_base" and "o200k_base" are answered from the record if `between` is a space; all
    else raises ImportError.

    >>> counts = declaration_counts("bytes")
    >>> counts["English"], counts["Burmese"]
    (3084, 13467)
    """
    articles = text.load_texts("declaration")
    texts = {language: between.join(articles[language]) for language in articles}
    if name == "bytes":
        return {language: len(string.encode()) for language, string in texts.items()}
    recorded = recorded_counts()
    if not find_spec("quicktok") and between == " " and name in recorded:
        return recorded[name]
    tokenizer = vocabulary(name)
    return {language: len(tokenizer.encode(string)) for language, string in texts.items()}


def fragments(tokenizer: Tokenizer) -> list[bytes]:
    """The tokens of two bytes and more that are no whole characters, in the order of their ids.

    Raises ValueError if the tokenizer is not one of bytes.

    >>> burmese = Tokenizer.train(["ကာကာ"], vocab_size=258, special_tokens=[])
    >>> fragments(burmese)
    [b'\\xe1\\x80']
    """
    return [
        data for data in _token_bytes(tokenizer).values() if len(data) > 1 and not _is_text(data)
    ]


def unreachable(tokenizer: Tokenizer) -> list[str]:
    """The tokens that are whole characters, and still not what their own text is cut into.

    A longer text may still be cut into them. Special tokens are left out, since they are not meant to be written.
    Raises ValueError if the tokenizer is not one of bytes.

    >>> from dataclasses import replace
    >>> digits = Tokenizer.train(["in 1865, in 1869"], vocab_size=264, special_tokens=[])
    >>> unreachable(digits), unreachable(Tokenizer(replace(digits.parts, schemes=("cl100k",))))
    ([], [' 18', ' 186', ' 1865', ' 1869'])
    """
    texts = {
        number: data.decode() for number, data in _token_bytes(tokenizer).items() if _is_text(data)
    }
    encodings = tokenizer.encode_batch(list(texts.values()))
    return [
        string
        for (number, string), encoding in zip(texts.items(), encodings)
        if encoding.ids != [number]
    ]


def _token_bytes(tokenizer: Tokenizer) -> dict[int, bytes]:
    """id -> bytes, without special tokens."""
    check(
        tokenizer.parts.spelling == "bytes",
        "the tokenizer writes its tokens in characters; expected one of bytes",
    )
    special = set(tokenizer.parts.special_tokens)
    return {
        number: text.chars_to_bytes(token)
        for token, number in tokenizer.parts.ids.items()
        if token not in special
    }


def _is_text(data: bytes) -> bool:
    return data.decode(errors="ignore").encode() == data
