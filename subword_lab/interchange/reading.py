"""What every reader of strangers' files needs: sizes that are bounded, and messages that name the file."""

import importlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import Any

from ..arguments import check, shorten
from ..bpe import BPEModel
from ..parts import without

Path = str | os.PathLike[str]

LARGEST_FILE = 200_000_000  # bytes; the largest vocabularies of today have a tenth of it as JSON
LARGEST_VOCABULARY = 2_000_000  # tokens
LONGEST_TOKEN = 16_384  # characters; the longest of well-known vocabularies has some hundreds
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
# Characters of one token of each length; those of today's models have some hundreds.
MOST_LENGTHS = 30_000
LONGEST_MARK = 100  # characters, put to every word or token
LONGEST_PIECE = 1_000  # characters, where every stretch of a text that is as long is looked up


def read_bytes(path: Path) -> bytes:
    """All of a file, if it is not larger than any tokenizer could be; otherwise ValueError."""
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    check(
        len(data) <= LARGEST_FILE, f"it is larger than {LARGEST_FILE:,} bytes, and no tokenizer is"
    )
    return data


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Every way in which a file's content can be wrong becomes a ValueError that begins with the file's name."""
    try:
        yield
    except RecursionError:
        raise ValueError(f"{os.fspath(path)}: its parts are nested too deep") from None
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def parse_json(data: bytes) -> Any:
    """The value that JSON text stands for; ValueError if it is none, says a thing twice, or holds half a character."""
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_unknown)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON: {error}") from None
    if SURROGATE.search(data):  # it may be one of a pair
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _unknown(name: str) -> None:
    raise ValueError(f"it is no JSON: it holds {name}, which is no number there")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{shorten(name)} stands twice in one object")
    return found


def of_type(value: object, kind: type | tuple[type, ...], what: str) -> Any:
    """`value`, if it is of this type; otherwise ValueError. (True is no number here.)"""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        names = " or ".join(
            each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,))
        )
        raise ValueError(f"{what} is {shorten(value)}; expected {names}")
    return value


def flag(content: Mapping[str, Any], name: str, usual: bool = False) -> bool:
    """What an object says of a name, yes or no; where it says nothing, what is usual."""
    value = content.get(name)
    return usual if value is None else of_type(value, bool, name)


def check_vocabulary(tokens: Iterable[object]) -> None:
    """ValueError unless these are not too many strings, none of them empty, overlong, or half a character."""
    known: list[Any] = [*islice(tokens, LARGEST_VOCABULARY + 1)]
    check(len(known) <= LARGEST_VOCABULARY, f"there are more than {LARGEST_VOCABULARY:,} tokens")
    for token in known:
        if not isinstance(token, str) or not 0 < len(token) <= LONGEST_TOKEN:
            raise ValueError(
                f"{shorten(token)} is among the tokens; expected strings of 1 to {LONGEST_TOKEN} "
                "characters"
            )
    "".join(known).encode()  # half a surrogate pair is a UnicodeEncodeError: ValueError


def check_pieces(tokens: Iterable[str]) -> None:
    """ValueError if looking for them at every place of a text would take far too long."""
    lengths = set[int]()
    for row, token in enumerate(tokens):
        lengths.add(len(token))
        if len(token) > LONGEST_PIECE:
            raise ValueError(
                f"token {row}, {shorten(token)}, has {len(token):,} characters; expected at most "
                f"{LONGEST_PIECE:,} in a WordPiece or Unigram model"
            )
    check(
        sum(lengths) <= MOST_LENGTHS,
        f"the tokens have {len(lengths)} lengths, {sum(lengths):,} characters together; expected at most "
        f"{MOST_LENGTHS:,} in a WordPiece or Unigram model",
    )


def check_mark(mark: str, name: str) -> str:
    """The same, unless it is so long that a text of many words would take far too long; then ValueError."""
    check(
        len(mark) <= LONGEST_MARK,
        f"{name} has {len(mark):,} characters; expected at most {LONGEST_MARK}",
    )
    return mark


def check_ids(ids: dict[str, int]) -> dict[str, int]:
    """The same, if it is a vocabulary, and the ids are whole numbers; otherwise ValueError."""
    check_vocabulary(ids)
    if {*map(type, ids.values())} != {int}:
        for token, number in ids.items():
            of_type(number, int, f"the id of {shorten(token)}")
    return ids


def by_place(tokens: list[str]) -> dict[str, int]:
    """Token -> its place in the list; ValueError if it is no vocabulary, or a token stands in it twice."""
    check_vocabulary(tokens)
    ids = {token: number for number, token in enumerate(tokens)}
    for number, token in enumerate(tokens):
        if ids[token] != number:
            raise ValueError(f"{shorten(token)} stands in it twice")
    return ids


def bpe_model(
    ids: Mapping[str, int], merges: Iterable[object], apart: Iterable[str], suffix: str = ""
) -> BPEModel:
    """A model of these merges, in which every symbol and every joined token has an id.

    merges: each a list of two tokens, or one string with a space between them, as older files have it.
    Of a merge that stands twice the last place counts, as in the tokenizers library.
    A merge with a token that is set apart, as a corpus makes that holds such a token as text, is left out: no text may
    become a special token.
    """
    apart, pairs = {*apart}, []
    for merge in merges:
        match merge.split(" ") if isinstance(merge, str) else merge:
            case [str(left), str(right)] if left and right:
                pairs.append((left, right))
            case _:
                raise ValueError(f"merges holds {shorten(merge)}; expected two tokens")
        for token in (left, right, left + right):
            if token not in ids:
                raise ValueError(
                    f"the merge of {shorten(left)} and {shorten(right)} needs {shorten(token)}, which is "
                    "not in the vocabulary"
                )
    vocab = [token for token in sorted(ids, key=ids.__getitem__) if token not in apart]
    pairs = [*dict.fromkeys(reversed(pairs))][::-1]
    return BPEModel(vocab, without(pairs, apart), suffix)


def library(name: str, extra: str = "") -> ModuleType:
    """A library that is optional; ImportError that says how to get it, by the extra of its name or another."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(
            f"this needs the library {name}, which is not installed: "
            f'pip install "subword-lab[{extra or name}]"'
        ) from None
