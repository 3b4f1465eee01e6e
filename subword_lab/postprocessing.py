"""What comes around the tokens of a text: truncation, tokens such as `[CLS]`, a second text, and padding."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from .parts import Parts, Place
from .preparation import is_space


class Piece(NamedTuple):
    """A token in its place: its text, its id, and the characters that it stands for.

    word: which of the text's words it belongs to; None for a token that post-processing added. type_id: of two texts,
    which one. attended: 1, or 0 for padding.
    """

    token: str
    id: int
    start: int
    end: int
    word: int | None = None
    type_id: int = 0
    attended: int = 1

    @property
    def is_added(self) -> int:
        """1 for a token that post-processing added."""
        return int(self.word is None)


class PostProcessor:
    """Puts around the tokens of texts what a tokenizer's parts say; around: the special tokens too.

    The tokens are pieces, or no more than their ids.

    >>> from subword_lab.bpe import BPEModel
    >>> parts = Parts(BPEModel(["a"], []), {"a": 0, "<s>": 1}, ("<s>",), before=("<s>",),
    ...     truncation={"max_length": 3, "strategy": "LongestFirst"})
    >>> ids_of(PostProcessor(parts).framed([[0, 0, 0, 0, 0]]))
    [1, 0, 0]
    """

    def __init__(self, parts: Parts, around: bool = True):
        self._parts = parts
        self._templates = [
            [place for place in each if around or not isinstance(place[0], str)]
            for each in templates(parts)
        ]
        self.limits = bool(parts.truncation or parts.padding)
        before, after = (parts.before, parts.after) if around else ((), ())
        self.ids_before = [parts.ids[token] for token in before]
        self.ids_after = [parts.ids[token] for token in after]

    def framed(self, rows: list[list[Any]]) -> list[Any]:
        """The tokens of a text, or of two, cut as they have to be, with the special tokens."""
        template = self._templates[len(rows) - 1]
        if self._parts.truncation:
            added = sum(isinstance(token, str) for token, _ in template)
            rows = truncated(rows, self._parts.truncation, added)
        pieces = any(isinstance(row[0], Piece) for row in rows if row)
        if pieces and self._parts.trim_offsets:
            rows = [trimmed(row, self._parts.trim_keeps_first) for row in rows]
        framed: list[Any] = []
        for token, type_id in template:
            if isinstance(token, str):
                framed.append(Piece(token, self._parts.ids[token], 0, 0, None, type_id))
            elif pieces and type_id:
                framed += [piece._replace(type_id=type_id) for piece in rows[token]]
            else:
                framed += rows[token]
        return framed

    def length(self, lengths: Iterable[int]) -> int:
        """How long the rows of a batch have to be, which have these lengths."""
        padding = self._parts.padding
        if padding is None:
            return 0
        fixed, multiple = padding["strategy"], padding.get("pad_to_multiple_of") or 1
        longest = max(lengths, default=0) if fixed == "BatchLongest" else fixed["Fixed"]
        return -(-longest // multiple) * multiple

    def padded(self, row: list[Any], length: int) -> list[Any]:
        """The tokens, filled up to a length."""
        padding = self._parts.padding
        if padding is None:
            return row
        token, id, type_id = (padding[name] for name in ("pad_token", "pad_id", "pad_type_id"))
        missing = [Piece(token, id, 0, 0, None, type_id, 0)] * (length - len(row))
        return missing + row if padding["direction"] == "Left" else row + missing


def templates(parts: Parts) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """What one text becomes, and what two become."""
    before, after = ([(token, 0) for token in each] for each in (parts.before, parts.after))
    single: tuple[Place, ...] = parts.single or (*before, (0, 0), *after)
    return single, parts.pair or (*single, (1, 1), *((token, 1) for token in parts.after))


def ids_of(row: list[Any]) -> list[int]:
    """The ids of a row in which there are ids and pieces.

    >>> ids_of([7, Piece("<s>", 1, 0, 0)])
    [7, 1]
    """
    return [item.id if isinstance(item, Piece) else item for item in row]


def trimmed(row: list[Piece], keeps_first: bool) -> list[Piece]:
    """The pieces without the places of spaces at their ends.

    keeps_first: but with that of a single one before the row's first, and before one that begins its text.
    """
    return [
        _trimmed(piece, keeps_first and (number == 0 or piece.start == 0))
        for number, piece in enumerate(row)
    ]


def _trimmed(piece: Piece, keeps_first: bool) -> Piece:
    leading, trailing = _spaces(piece.token)
    if keeps_first and leading == 1:
        leading = 0
    start = min(piece.start + leading, piece.end)
    return piece._replace(
        start=start, end=max(piece.end - trailing, start) if piece.end >= trailing else piece.end
    )


@lru_cache(maxsize=4096)
def _spaces(token: str) -> tuple[int, int]:
    """How many spaces stand at the beginning of a token, and at its end."""
    spaces = [char == "Ġ" or is_space(char) for char in token]
    leading, trailing = (len([*takewhile(bool, row)]) for row in (spaces, reversed(spaces)))
    return leading, trailing


def truncated(rows: list[list[Any]], how: Mapping[str, Any], added: int) -> list[list[Any]]:
    """One or two rows that together with `added` tokens are not longer than they may be.

    Raises ValueError if they cannot be made so short in the way that is asked for.
    """
    most, strategy = how["max_length"] - added, how["strategy"]
    lengths = [len(row) for row in rows] + [0] * (2 - len(rows))
    if sum(lengths) <= most:
        return rows
    if strategy == "LongestFirst" or most == 0:
        shorter = min(*lengths, most // 2)
        kept = [shorter, most - shorter]
        if lengths[0] > lengths[1]:
            kept.reverse()
    else:
        number = int(strategy == "OnlySecond")
        kept = [*lengths]
        kept[number] = most - lengths[1 - number]
    if min(kept) < 0:
        raise ValueError(
            f"truncation to {how['max_length']} tokens ({strategy}) leaves no room for a text beside {added} "
            "special tokens and what may not be cut"
        )
    if how.get("direction") == "Left":
        return [row[len(row) - keep :] for row, keep in zip(rows, kept)]
    return [row[:keep] for row, keep in zip(rows, kept)]
