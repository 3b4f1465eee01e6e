"""Long texts to ids, and ids to text, as lists or as arrays: for byte-level BPE, and for WordPiece as in BERT.

A call of compiled code costs ten microseconds before it has done anything, so a short text is for plain Python (and so
it is decided in `tokenizer`). A long one is encoded piece by piece, and the words that were met stay known from call to
call, up to a limit. A very long one is cut at spaces, between which no word reaches, and its blocks are divided among
the processors: compiled code lets other threads run. Each of these has an encoder of its own, with its own memory, so
none waits for another, and a word may have to be encoded by each of them.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import chain, cycle, islice, pairwise
from operator import itemgetter
from threading import Lock
from typing import Any

import numpy as np

from . import byte_ids
from .compiling import available, compiled
from .garbage import not_collected
from .word_table import overlapping
from .words import BORDER, BertFinder, ByteFinder, Finder, Kinds, Words, in_a_row

LONG = 1 << 10  # ids from which on compiled code is ahead
LARGEST_ID = (1 << byte_ids.ID_BITS) - 1
MOST_WORDS = 1 << 20  # words that are remembered, before it starts anew
PROCESSORS = min(
    8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)
BLOCK = 1 << 17  # characters that are worth a thread
BLOCKS = 4  # of a long text, for each processor
CUT = re.compile("(?<=[!-~]) ")  # between such a character and a space, no word goes on


class Encoder(Words):
    """Text to ids, word by word, of which those that were met before are looked up. The classes below say how.

    Raises ValueError for an id above 1,048,575.
    """

    def __init__(self, finder: Finder, largest_id: int, known: Iterable[bytes] = ()):
        """known: words, such as tokens, that are encoded in advance."""
        if largest_id > LARGEST_ID:
            raise ValueError(f"an id is {largest_id}; expected at most {LARGEST_ID}")
        super().__init__(finder)
        self._numbers = np.array(
            range(largest_id + 1), object
        )  # one int for each id, for all lists
        self._unpack = compiled("byte_ids").unpack
        self._words = [*islice(known, MOST_WORDS // 2)]
        self._begin_anew()
        self._others: list[Encoder] = []  # for other threads
        self._lock = Lock()

    def _begin_anew(self) -> None:
        self._empty(entries=max(1 << 14, 2 * len(self._words)))
        self._packed, self._encoded = np.zeros(0, np.int64), 1
        self._row, self._row_end = np.zeros(1 << 16, np.int32), 0
        if self._words:
            places = np.cumsum([0, *map(len, self._words)], dtype=np.int32)
            letters = np.frombuffer(bytearray(b"".join(self._words) + bytes(24)), np.uint8)
            self._look_up(overlapping(letters), places[:-1], places[1:])
            self._encode_new()

    def _another(self) -> Encoder:
        """The same encoder, with what it knows, and its own memory, for another thread."""
        other = copy(self)
        other._finder, other._lock = self._finder.another(), Lock()
        other._make_room(0)
        for row in "keys", "ends", "letters", "_slots", "_packed", "_row":
            setattr(other, row, getattr(self, row).copy())
        return other

    def encode(self, string: str) -> list[int]:
        """The ids of a text, as a list."""
        return self._as_list(self.encode_to_array(string))

    def encode_batch(self, strings: Iterable[str]) -> list[list[int]]:
        """The ids of each of many texts, as lists; what a call costs is paid once for many of them."""
        done: list[list[int]] = []
        begun: list[int] = []
        with not_collected():
            for ids, cuts in self._encode(in_a_row(strings)):
                numbers = self._as_list(ids)
                begun += numbers[: cuts[0]] if cuts else numbers
                if cuts:
                    done.append(begun)
                    done.extend(numbers[start:end] for start, end in pairwise(cuts))
                    begun = numbers[cuts[-1] :]
        return done

    def encode_to_array(self, string: str) -> np.ndarray:
        """The ids of a text, as an array of 32-bit integers."""
        return np.concatenate(
            [np.empty(0, np.int32), *(ids for ids, _ in self._encode(blocks(string)))]
        )

    def _as_list(self, ids: np.ndarray) -> list[int]:
        return np.take(self._numbers, ids, mode="clip").tolist()

    def _encode(self, row: Iterable[bytes]) -> Iterator[tuple[np.ndarray, list[int]]]:
        """The ids of blocks of text, and where those of each text end."""
        row = iter(row)
        first = [*islice(row, PROCESSORS)]
        if len(first) < 2:
            yield from map(self._encode_block, chain(first, row))
            return
        with self._lock:
            while len(self._others) < len(first) - 1:
                self._others.append(self._another())
        team = cycle(
            [self, *self._others[: len(first) - 1]]
        )  # of the same texts, each gets the same blocks
        with ThreadPoolExecutor(len(first)) as threads:
            yield from threads.map(
                lambda encoder, block: encoder._encode_block(block), team, chain(first, row)
            )

    def _encode_block(self, data: bytes) -> tuple[np.ndarray, list[int]]:
        with self._lock:
            return self._ids_and_cuts(data)

    def _ids_and_cuts(self, data: bytes) -> tuple[np.ndarray, list[int]]:
        ids, used, ends = np.empty(len(data) + 2, np.int32), 0, []

        def encode(entries: np.ndarray) -> None:
            nonlocal ids, used
            self._encode_new()
            cuts, texts, done = np.empty(len(entries), np.int64), 0, 0
            while True:
                done, texts, used = self._unpack(
                    entries, done, self._packed, self._row, cuts, texts, ids, used
                )
                if done == len(entries):
                    break
                ids = np.concatenate(
                    [ids, np.empty(len(ids), np.int32)]
                )  # more ids than bytes: it is rare
            ends.extend(cuts[:texts].tolist())
            if self.entries >= MOST_WORDS:
                self._begin_anew()

        self._read(data, True, encode)
        return ids[:used], ends

    def _encode_new(self) -> None:
        """Encode the words that are not encoded yet."""
        if len(self._packed) < len(self.ends):
            self._packed = np.concatenate(
                [self._packed, np.zeros(len(self.ends) - len(self._packed), np.int64)]
            )
        while self._encoded < self.entries:
            before = self._encoded
            self._encoded, self._row_end = self._encode_words()
            if self._encoded == before:
                length = int(self.ends[before] - self.ends[before - 1])
                self._row = np.concatenate(
                    [self._row, np.zeros(len(self._row) + 4 * length, np.int32)]
                )

    def _encode_words(self) -> tuple[int, int]:
        """Encode the words from `_encoded` on, into `_packed` and `_row`: where it stopped, and where the row ends."""
        raise NotImplementedError


def blocks(string: str) -> Iterator[bytes]:
    """A text as UTF-8, cut where no word reaches over, with a border after each block."""
    begin, size = 0, max(BLOCK, len(string) // (BLOCKS * PROCESSORS) + 1)
    while cut := CUT.search(string, begin + size):
        yield string[begin : cut.start()].encode() + BORDER
        begin = cut.start()
    yield string[begin:].encode() + BORDER


class ByteEncoder(Encoder):
    """Text to ids: GPT-2's pattern, then the merges by rank. The ids are those of `bpe.encode` ("lowest-rank").

    ids: token -> id, tokens written as bytes; all 256 bytes must be there. merges: the pairs in the order in which they
    were learned. Raises ValueError for a byte, or a token of a merge, that has no id.

    >>> ids = {bytes([byte]): byte for byte in range(256)} | {b"ug": 256, b"hug": 257}
    >>> ByteEncoder(ids, [(b"u", b"g"), (b"h", b"ug")]).encode("hug a bug")
    [257, 32, 97, 32, 98, 256]
    """

    def __init__(self, ids: Mapping[bytes, int], merges: Sequence[tuple[bytes, bytes]]):
        try:
            byte_ids = np.array([ids[bytes([byte])] for byte in range(256)], np.int32)
            rows = [(ids[left], ids[right], ids[left + right]) for left, right in merges]
        except KeyError as error:
            raise ValueError(
                f"ids has no id for {error.args[0]!r}; expected one for every byte and every token of a "
                "merge"
            ) from None
        self._code = compiled("byte_ids")
        left, right, tokens = np.array(rows, np.int32).reshape(-1, 3).T.copy()
        ranks = self._code.table_of_merges(left, right)
        self._model = byte_ids, self._code.ranks_of_bytes(byte_ids, ranks), ranks, tokens
        super().__init__(ByteFinder(), max(ids.values()), (left + right for left, right in merges))

    def _encode_words(self) -> tuple[int, int]:
        return self._code.encode_words(
            self.letters,
            self.ends,
            self._encoded,
            self.entries,
            *self._model,
            self._packed,
            self._row,
            self._row_end,
        )


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

    def __init__(
        self,
        ids: Mapping[str, int],
        prefix: str,
        unknown: int,
        longest: int,
        words: Callable[[str], list[str]],
        encode: Callable[[str], list[int]],
    ):
        starts = [len(prefix.encode()) * token.startswith(prefix) for token in ids]
        tokens = [token.encode()[start:] for token, start in zip(ids, starts)]
        self._code, self._encode_word, self._kinds = compiled("bert_words"), encode, Kinds(words)
        self._tree = self._code.tree_of(
            np.frombuffer(b"".join(tokens) + b"\0", np.uint8),
            np.cumsum([0, *map(len, tokens)]),
            np.array(starts) > 0,
            np.array([*ids.values()], np.int32),
        )
        self._unknown, self._longest = unknown, longest
        super().__init__(BertFinder(self._kinds), max(unknown, *ids.values()))

    def _encode_words(self) -> tuple[int, int]:
        entry, end, asks = self._code.encode_words(
            self.letters,
            self.ends,
            self._encoded,
            self.entries,
            *self._kinds.rows(),
            *self._tree,
            self._unknown,
            self._longest,
            np.empty(4 * self._longest, np.uint8),
            self._packed,
            self._row,
            self._row_end,
        )
        if asks:
            found = self._encode_word(
                self.letters[self.ends[entry - 1] : self.ends[entry]].tobytes().decode()
            )
            self._row[end : end + 1 + len(found)] = len(found), *found
            self._packed[entry] = end << 2
            entry, end = entry + 1, end + 1 + len(found)
        return entry, end


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
            except (OverflowError, TypeError):  # no ids: said below
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
        if self._rows is None:
            lengths = np.array([*map(len, self._tokens)], np.int64)
            sizes = (lengths + 7) // 8
            padded = b"".join(
                token.ljust(size, b"\0") for token, size in zip(self._tokens, (8 * sizes).tolist())
            )
            self._rows = (
                np.frombuffer(padded + bytes(8), np.uint64),
                sizes.cumsum() - sizes,
                lengths,
            )
        ids = np.asarray(ids)
        wrong, data = compiled("byte_ids").decode_ids(ids, *self._rows)
        if wrong >= 0:
            self._check(int(ids[wrong]))
        return data.tobytes()

    def _check(self, id: int) -> int:
        if not isinstance(id, int) or isinstance(id, bool) or not 0 <= id < len(self._tokens):
            raise ValueError(
                f"ids holds {id!r}; expected whole numbers from 0 to {len(self._tokens) - 1}"
            )
        return id
