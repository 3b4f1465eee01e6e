"""Byte-level BPE for long texts: ids from text, and text from ids, as lists or as arrays.

A call of compiled code costs ten microseconds before it has done anything, so a short text is for plain Python (and so
it is decided in `tokenizer`). A long one is encoded piece by piece, and the words that were met stay known from call to
call, up to a limit.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any

from .compiling import compiled

if TYPE_CHECKING:
    import numpy as np

PIECE = 1 << 20                                            # bytes that are encoded in one go
MOST_WORDS = 1 << 20                                       # words that are remembered, before it starts anew
IN_USE = Lock()                                            # compiled code lets other threads run; one encodes at a time


class ByteEncoder:
    """Text to ids: GPT-2's pattern, then the merges by rank. The ids are those of `bpe.encode` ("lowest-rank").

    ids: token -> id, tokens written as bytes; all 256 bytes must be there. merges: the pairs in the order in which they
    were learned. Raises ValueError for a byte, or a token of a merge, that has no id.

    >>> ids = {bytes([byte]): byte for byte in range(256)} | {b"ug": 256, b"hug": 257}
    >>> ByteEncoder(ids, [(b"u", b"g"), (b"h", b"ug")]).encode("hug a bug")
    [257, 32, 97, 32, 98, 256]
    """

    def __init__(self, ids: Mapping[bytes, int], merges: Sequence[tuple[bytes, bytes]]):
        import numpy as np

        from . import byte_words

        try:
            byte_ids = [ids[bytes([byte])] for byte in range(256)]
            rows = [(ids[left], ids[right], ids[left + right]) for left, right in merges]
        except KeyError as error:
            raise ValueError(f"ids has no id for {error.args[0]!r}; expected one for every byte and every token of a "
                             "merge") from None
        self._tables = byte_words
        self._code = compiled("byte_ids")
        self._classes = byte_words.char_classes()
        self._byte_ids = np.array(byte_ids, np.int32)
        left, right, tokens = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        self._merges = self._code.table_of_merges(left, right, tokens)
        self._numbers = np.array(range(max(ids.values()) + 1), object)      # one int for each id, for all lists
        self._room, self._out = np.empty(PIECE // 8 + 4, np.uint64), np.empty(PIECE + 1, np.int32)
        self._in_lists = np.empty(0, object)
        self._forget()

    def _forget(self) -> None:
        import numpy as np

        self._table, self._entries = self._tables.new_table(1 << 14, 1 << 18), 1
        self._row, self._row_end = np.zeros(1 << 16, np.int32), 0
        self._recent = np.zeros((1 << 12, 4), np.uint64)

    def encode(self, string: str) -> list[int]:
        """The ids of a text, as a list."""
        pieces = self._pieces(string, self._as_list)
        return pieces[0] if len(pieces) == 1 else [*chain.from_iterable(pieces)]

    def encode_batch(self, strings: Iterable[str]) -> list[list[int]]:
        """The ids of each of many texts, as lists; what a call costs is paid once for many of them."""
        found: list[list[int]] = []
        batch: list[bytes] = []
        size = 0
        for string in strings:
            batch.append(string.encode())
            size += len(batch[-1])
            if size >= PIECE:
                found += self._encode_together(batch)
                batch, size = [], 0
        return found + self._encode_together(batch)

    def _encode_together(self, batch: list[bytes]) -> list[list[int]]:
        import numpy as np

        stops = np.cumsum([len(data) for data in batch], dtype=np.int64)
        numbers, _, cuts = self._encode(b"".join(batch), stops, True, self._as_list)
        return [numbers[start:end] for start, end in zip([0, *cuts], cuts)]

    def encode_to_array(self, string: str) -> np.ndarray:
        """The ids of a text, as an array of 32-bit integers."""
        import numpy as np

        pieces = self._pieces(string, np.copy)
        return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)

    def _pieces(self, string: str, made_of: Callable[[np.ndarray], Any]) -> list[Any]:
        """What is made of the ids of a text, piece by piece."""
        data, place = string.encode(), 0
        pieces: list[Any] = []
        while place < len(data) or not pieces:
            ids, read, _ = self._encode(data[place:place + PIECE], None, place + PIECE >= len(data), made_of)
            pieces.append(ids)
            place += read
            if not read and data:                                           # a word that is longer than a piece
                pieces.append(self._encode(data[place:], None, True, made_of)[0])
                break
        return pieces

    def _as_list(self, ids: np.ndarray) -> list[int]:
        import numpy as np

        if len(self._in_lists) < len(ids):
            self._in_lists = np.empty(2 * len(ids), object)
        return np.take(self._numbers, ids, out=self._in_lists[:len(ids)], mode="clip").tolist()

    def _encode(self, data: bytes, stops: np.ndarray | None, last: bool,
                made_of: Callable[[np.ndarray], Any]) -> tuple[Any, int, list[int]]:
        """What is made of the ids of some bytes, how many were read (not all, if the text goes on), where texts end."""
        import numpy as np

        stops = np.array([len(data)]) if stops is None else stops
        cuts, place, text, used = np.full(len(stops), -1), 0, 0, 0
        with IN_USE:
            characters, words = self._tables.padded(data, self._room)
            out = self._out if len(self._out) > len(data) else np.empty(len(data) + 1, np.int32)
            while place < len(data):
                before = place
                place, text, self._entries, self._row_end, used = self._code.encode_bytes(
                    characters, words, place, text, stops, cuts, last, self._classes, *self._table, self._entries,
                    self._row, self._row_end, self._byte_ids, *self._merges, self._recent, out, used)
                if place == before and self._has_room(len(data) - place):
                    break                                                   # not for want of room: the text goes on
                self._make_room(len(data) - place)
            made = made_of(out[:used])
        cuts[cuts < 0] = used
        return made, place, cuts.tolist()

    def _has_room(self, length: int) -> bool:
        return (bool(self._tables.has_room(self._table.letters, self._table.ends, self._entries, length))
                and self._row_end + length + 2 <= len(self._row))

    def _make_room(self, length: int) -> None:
        import numpy as np

        if self._has_room(length):
            return
        if self._entries >= MOST_WORDS:
            self._forget()
        table = self._table
        used = int(table.ends[self._entries - 1])
        entries = 2 * len(table.ends) if 2 * self._entries > len(table.ends) else len(table.ends)
        self._table = self._tables.enlarge(table, entries, 2 * used + length + 64)
        compiled("byte_words").move_entries(table.slots, self._table.slots)
        self._row = np.concatenate([self._row, np.zeros(len(self._row) + length, np.int32)])


class Decoder:
    """Ids to bytes. tokens: the bytes of every id.

    >>> decoder = Decoder([b"h", b"u", b"g", b"hug"])
    >>> decoder.decode([3, 1, 2])
    b'hugug'
    """

    def __init__(self, tokens: Iterable[bytes]):
        self._tokens = list(tokens)
        self._rows: tuple[np.ndarray, np.ndarray] | None = None

    def decode(self, ids: Sequence[int] | np.ndarray) -> bytes:
        """The bytes of some ids, a list or an array. Raises ValueError for an id that is none.

        A list goes through Python, which looks all of them up at once; a long array through compiled code.
        """
        if not isinstance(ids, (list, tuple)):
            return self._decode_array(ids)
        if len(ids) < 2:
            return b"".join(self._tokens[self._check(id)] for id in ids)
        try:
            found = itemgetter(*ids)(self._tokens)
        except (IndexError, TypeError):
            found = ()
        if not found or min(ids) < 0:
            for id in ids:
                self._check(id)
        return b"".join(found)

    def _decode_array(self, ids: Any) -> bytes:
        import numpy as np

        if self._rows is None:
            ends = np.cumsum([0, *map(len, self._tokens)], dtype=np.int64)
            self._rows = np.frombuffer(b"".join(self._tokens) or b"\0", np.uint8), ends
        wrong, data = compiled("byte_ids").decode_ids(ids, *self._rows)
        if wrong >= 0:
            self._check(int(ids[wrong]))
        return data.tobytes()

    def _check(self, id: int) -> int:
        if not isinstance(id, int) or isinstance(id, bool) or not 0 <= id < len(self._tokens):
            raise ValueError(f"ids holds {id!r}; expected whole numbers from 0 to {len(self._tokens) - 1}")
        return id
