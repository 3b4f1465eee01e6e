"""Long texts to ids, and ids to text, as lists or as arrays: for byte-level BPE, and for WordPiece as in BERT.

A call of compiled code costs ten microseconds before it has done anything, so a short text is for plain Python (and so
it is decided in `tokenizer`). A long one is encoded piece by piece, and the words that were met stay known from call to
call, up to a limit.
"""
from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any

from .compiling import available, compiled

if TYPE_CHECKING:
    import numpy as np

LONG = 1 << 10                                             # ids from which on compiled code is ahead
PIECE = 1 << 20                                            # bytes that are encoded in one go
MOST_WORDS = 1 << 20                                       # words that are remembered, before it starts anew
IN_USE = Lock()                                            # compiled code lets other threads run; one encodes at a time


class Encoder:
    """Text to ids, word by word, of which those that were met before are looked up. The classes below say how."""

    def __init__(self, largest_id: int, spare: int = 2):
        """spare: how many places compiled code wants beside those for a word's bytes, before it encodes a new one."""
        import numpy as np

        from . import byte_words

        self._tables = byte_words
        self._numbers = np.array(range(largest_id + 1), object)             # one int for each id, for all lists
        self._room, self._out = np.empty(PIECE // 8 + 4, np.uint64), np.empty(PIECE + 1, np.int32)
        self._in_lists, self._spare = np.empty(0, object), spare
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
                place, text, self._entries, self._row_end, used, asked = self._go_on(
                    characters, words, place, text, stops, cuts, last, out, used)
                if asked:
                    place, used = self._answer(data, place, asked, out, used)
                    continue
                if place == before and self._has_room(len(data) - place):
                    break                                                   # not for want of room: the text goes on
                self._make_room(len(data) - place)
            made = made_of(out[:used])
        cuts[cuts < 0] = used
        return made, place, cuts.tolist()

    def _go_on(self, characters: np.ndarray, words: np.ndarray, place: int, text: int, stops: np.ndarray,
               cuts: np.ndarray, last: bool, out: np.ndarray, used: int) -> tuple[int, int, int, int, int, int]:
        """Call the compiled code: where it stopped, and what it has to ask, or 0."""
        raise NotImplementedError

    def _answer(self, data: bytes, place: int, asked: int, out: np.ndarray, used: int) -> tuple[int, int]:
        """What compiled code could not do: where it goes on, and where the ids end."""
        raise NotImplementedError

    def _has_room(self, length: int) -> bool:
        return (bool(self._tables.has_room(self._table.letters, self._table.ends, self._entries, length))
                and self._row_end + length + self._spare <= len(self._row))

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
        self._row = np.concatenate([self._row, np.zeros(len(self._row) + length + self._spare, np.int32)])


class ByteEncoder(Encoder):
    """Text to ids: GPT-2's pattern, then the merges by rank. The ids are those of `bpe.encode` ("lowest-rank").

    ids: token -> id, tokens written as bytes; all 256 bytes must be there. merges: the pairs in the order in which they
    were learned. Raises ValueError for a byte, or a token of a merge, that has no id.

    >>> ids = {bytes([byte]): byte for byte in range(256)} | {b"ug": 256, b"hug": 257}
    >>> ByteEncoder(ids, [(b"u", b"g"), (b"h", b"ug")]).encode("hug a bug")
    [257, 32, 97, 32, 98, 256]
    """

    def __init__(self, ids: Mapping[bytes, int], merges: Sequence[tuple[bytes, bytes]]):
        import numpy as np

        try:
            byte_ids = [ids[bytes([byte])] for byte in range(256)]
            rows = [(ids[left], ids[right], ids[left + right]) for left, right in merges]
        except KeyError as error:
            raise ValueError(f"ids has no id for {error.args[0]!r}; expected one for every byte and every token of a "
                             "merge") from None
        super().__init__(max(ids.values()))
        self._code = compiled("byte_ids")
        self._classes = self._tables.char_classes()
        self._byte_ids = np.array(byte_ids, np.int32)
        left, right, tokens = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        self._merges = self._code.table_of_merges(left, right, tokens)

    def _go_on(self, characters: np.ndarray, words: np.ndarray, place: int, text: int, stops: np.ndarray,
               cuts: np.ndarray, last: bool, out: np.ndarray, used: int) -> tuple[int, int, int, int, int, int]:
        return *self._code.encode_bytes(
            characters, words, place, text, stops, cuts, last, self._classes, *self._table, self._entries, self._row,
            self._row_end, self._byte_ids, *self._merges, self._recent, out, used), 0


class WordPieceEncoder(Encoder):
    """Text to ids: normalized and cut into words as for BERT, then the longest beginnings of words that are tokens.

    ids: token -> id. prefix: what marks a token that continues a word. unknown: the id of a word that cannot be cut, or
    has more than `longest` characters. words: the normalized words of a text; a character becomes the same wherever it
    stands, but for marks. encode: how Python encodes a text, which is asked for words with such marks.

    >>> ids = {"[UNK]": 0, "hug": 1, "##s": 2}
    >>> encoder = WordPieceEncoder(ids, "##", 0, 100, lambda text: text.lower().split(), encode=lambda text: [0])
    >>> encoder.encode("Hugs hub")
    [1, 2, 0]
    """

    def __init__(self, ids: Mapping[str, int], prefix: str, unknown: int, longest: int,
                 words: Callable[[str], list[str]], encode: Callable[[str], list[int]]):
        import numpy as np

        from .counting import Kinds

        super().__init__(max(unknown, *ids.values()), spare=longest + 2)
        self._code, self._encode_word = compiled("bert_words"), encode
        starts = [len(prefix.encode()) * token.startswith(prefix) for token in ids]
        tokens = [token.encode()[start:] for token, start in zip(ids, starts)]
        self._tree = self._code.tree_of(
            np.frombuffer(b"".join(tokens) + b"\0", np.uint8), np.cumsum([0, *map(len, tokens)]),
            np.array(starts) > 0, np.array([*ids.values()], np.int32))
        self._unknown, self._longest, self._word = unknown, longest, np.empty(4 * longest, np.uint8)
        self._kinds = Kinds(words)

    def _go_on(self, characters: np.ndarray, words: np.ndarray, place: int, text: int, stops: np.ndarray,
               cuts: np.ndarray, last: bool, out: np.ndarray, used: int) -> tuple[int, int, int, int, int, int]:
        return self._code.encode_words(
            characters, words, place, text, stops, cuts, last, *self._kinds.rows(), self._longest, *self._tree,
            self._unknown, self._word, *self._table, self._entries, self._row, self._row_end, self._recent, out, used)

    def _answer(self, data: bytes, place: int, asked: int, out: np.ndarray, used: int) -> tuple[int, int]:
        if asked < 0:
            self._kinds.learn(data[place:])
            return place, used
        found = self._encode_word(data[place:place + asked].decode())
        out[used:used + len(found)] = found
        return place + asked, used + len(found)


class Decoder:
    """Ids to bytes. tokens: the bytes of every id.

    >>> decoder = Decoder([b"h", b"u", b"g", b"hug"])
    >>> decoder.decode([3, 1, 2])
    b'hugug'
    """

    def __init__(self, tokens: Iterable[bytes]):
        self._tokens = list(tokens)
        self._rows: tuple[np.ndarray, ...] | None = None

    def decode(self, ids: Sequence[int] | np.ndarray) -> bytes:
        """The bytes of some ids, a list or an array. Raises ValueError for an id that is none.

        A short list goes through Python, which looks all of them up at once; all else through compiled code.
        """
        if not isinstance(ids, (list, tuple)):
            return self._decode_array(ids)
        if len(ids) >= LONG and available():
            try:
                return self._decode_array(memoryview(array("i", ids)))
            except (OverflowError, TypeError):                                              # no ids: said below
                pass
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
            lengths = np.array([*map(len, self._tokens)], np.int64)
            sizes = (lengths + 7) // 8
            padded = b"".join(token.ljust(size, b"\0") for token, size in zip(self._tokens, (8 * sizes).tolist()))
            self._rows = np.frombuffer(padded + bytes(8), np.uint64), sizes.cumsum() - sizes, lengths
        ids = np.asarray(ids)
        wrong, data = compiled("byte_ids").decode_ids(ids, *self._rows)
        if wrong >= 0:
            self._check(int(ids[wrong]))
        return data.tobytes()

    def _check(self, id: int) -> int:
        if not isinstance(id, int) or isinstance(id, bool) or not 0 <= id < len(self._tokens):
            raise ValueError(f"ids holds {id!r}; expected whole numbers from 0 to {len(self._tokens) - 1}")
        return id
