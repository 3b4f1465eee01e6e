"""Long texts to ids, and ids to bytes: for byte-level BPE, WordPiece as in BERT, and Unigram as in SentencePiece.

A long text is encoded piece by piece, and the words that were met stay known from call to call, up to a limit. A very
long one is cut at spaces, between which no word reaches, and its blocks are divided among the processors: compiled code
lets other threads run. Each of these has an encoder of its own, with its own memory, so none waits for another, and a
word may have to be encoded by each of them.

`encoder_for` says which parts of a tokenizer this can do; whatever else there is stays with Python.
"""

from __future__ import annotations

import math
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from itertools import chain, cycle, islice, pairwise, repeat
from threading import Lock
from typing import Any

import numpy as np

from subword_lab import normalization, text
from subword_lab.bpe import BPEModel
from subword_lab.normalization import LEAVE_ASCII, ONE_SPACE, CharMap, Prepend, Step, Trim
from subword_lab.parts import BYTE_TOKENS, Joins, Parts
from subword_lab.preparation import Preparation
from subword_lab.structures.garbage import not_collected
from subword_lab.unigram import UnigramModel
from subword_lab.wordpiece import WordPieceModel

from . import bert_words, byte_ids, spaced_words, word_table
from .trie import trie_of
from .word_table import overlapping
from .words import BORDER, Finder, Kinds, Words, finder, in_a_row, joined

LARGEST_ID = (1 << byte_ids.ID_BITS) - 1
MOST_WORDS = 1 << 20  # words that are remembered, before it starts anew
PROCESSORS = min(
    8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)
BLOCK = 1 << 17  # characters that are worth a thread
BLOCKS = 4  # of a long text, for each processor
CUT = re.compile("(?<=[!-~]) ")  # between such a character and a space, no word goes on
STAND_IN = "␞"  # for a space, while words are normalized: no step changes it
Row = tuple[np.ndarray, np.ndarray]  # the bytes of words, and where these begin and end
Plain = Callable[[str, bool], list[int]]  # how Python encodes a text, the first of its row or not


def encoder_for(parts: Parts, plain: Plain) -> Encoder | None:
    """The encoder for these parts of a tokenizer; None if they ask for anything that is not known here."""
    if len(parts.schemes) != 1 or parts.kept_tokens or max(parts.ids.values()) > LARGEST_ID:
        return None
    if isinstance(parts.model, WordPieceModel):
        return WordPieceEncoder(parts, plain) if _as_in_bert(parts, parts.model) else None
    if isinstance(parts.model, UnigramModel):
        known = _as_in_sentencepiece(parts, parts.model)
        return UnigramEncoder(parts, parts.model, plain) if known else None
    known = parts.spelling == "bytes" and parts.schemes[0] in text.BYTE_LEVEL
    if not known or parts.model.end_of_word:
        return None
    try:
        return ByteEncoder(parts, parts.model)
    except (KeyError, ValueError):  # a byte, or a token of a merge, is missing
        return None


def _as_in_bert(parts: Parts, model: WordPieceModel) -> bool:
    return (
        text.compilable("bert", parts.normalization)
        and parts.schemes == ("bert",)
        and parts.spelling == "plain"
        and parts.prefix_space == "never"
        and not parts.byte_fallback
        and model.prefix == "##"
        and model.longest <= parts.longest_word <= 1_000
        and parts.unknown is not None
    )


def _as_in_sentencepiece(parts: Parts, model: UnigramModel) -> bool:
    bytes_known = sum(token in parts.ids for token in BYTE_TOKENS) if parts.byte_fallback else 0
    return (
        parts.schemes == ("metaspace",)
        and parts.spelling == "metaspace"
        and parts.prefix_space != "every-word"
        and "▁" in model.losses
        and not any(" " in token for token in model.losses)
        and math.isfinite(model.unknown_loss)
        and bytes_known in (0, 256)
        and (parts.unknown is not None or bytes_known == 256)
    )


class Encoder(Words):
    """Text to ids, word by word, of which those that were met before are looked up. The classes below say how."""

    def __init__(
        self, find: Finder, parts: Parts, known: Row | None = None, ids: np.ndarray | None = None
    ):
        """known: different words, such as tokens, that are encoded in advance; ids: each of them has one id."""
        # One int for each id, for all lists.
        self._ints = np.array(range(max(parts.ids.values()) + 1), object)
        self._known = known or row_of(b"", [])
        self._known_ids = ids
        self._others: list[Encoder] = []  # for other threads
        self._lock = Lock()
        super().__init__(find)

    def _empty(self, entries: int = 1 << 14) -> None:
        letters, places = self._known
        super()._empty(max(entries, 2 * len(places)))
        self._encoded = 1
        self._row = np.zeros(1 << 16, np.int32)
        self._row_end = 0
        found = self._look_up(overlapping(letters), places[:-1], places[1:])
        if self._known_ids is not None:
            self.numbers[found] = self._known_ids << 2 | 1  # as `byte_ids.pack` has one id
            self._encoded = self.entries
            self.numbers[0] = 0  # a byte of no text may be a token

    def _another(self) -> Encoder:
        """The same encoder, with what it knows, and its own memory, for another thread."""
        other = copy(self)
        other._lock = Lock()
        other._row = self._row[: self._row_end + (1 << 16)]  # it may be long, for one long word
        for row in "keys", "ends", "numbers", "letters", "_slots", "_row":
            setattr(other, row, getattr(other, row).copy())
        return other

    def ids(self, strings: Sequence[str], first: Iterable[bool]) -> list[list[int]]:
        """The ids of some texts, each of which is the first of its row or not."""
        ids, ends = self.array(strings, first)
        with not_collected():
            numbers = np.take(self._ints, ids, mode="clip").tolist()
            return [numbers[start:end] for start, end in pairwise([0, *ends.tolist()])]

    def array(self, strings: Sequence[str], first: Iterable[bool]) -> tuple[np.ndarray, np.ndarray]:
        """The ids of all texts, one after the other, and where those of each text end."""
        ready = self._ready(strings, first)
        row = blocks(ready[0]) if len(ready) == 1 else in_a_row(ready)
        found, cuts = zip((np.zeros(0, np.int32), []), *self._encode(row))
        before = np.cumsum([0, *map(len, found)])
        ends = [np.array(each, np.int64) + size for each, size in zip(cuts, before)]
        return np.concatenate(found), np.concatenate(ends)[-len(ready) :]

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Sequence[str]:
        """The texts as they are cut into words."""
        return strings

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
        ids = np.empty(len(data) + 2, np.int32)
        used = 0
        ends: list[int] = []
        with self._lock:
            for entries in self._read(data):
                self._encode_new()
                cuts = np.empty(len(entries), np.int64)
                texts = done = 0
                while True:
                    done, texts, used = byte_ids.unpack(
                        entries, done, self.numbers, self._row, cuts, texts, ids, used
                    )
                    if done == len(entries):
                        break
                    ids = np.append(ids, np.empty_like(ids))  # more ids than bytes: it is rare
                ends += cuts[:texts].tolist()
                if self.entries >= MOST_WORDS + len(self._known[1]):
                    self._empty()
        return ids[:used], ends

    def _encode_new(self) -> None:
        """Encode the words that are not encoded yet."""
        while self._encoded < self.entries:
            before = self._encoded
            self._encoded, self._row_end = self._encode_words()
            if self._encoded == before:
                length = int(self.ends[before] - self.ends[before - 1])
                self._row = np.append(self._row, np.zeros(len(self._row) + 4 * length, np.int32))

    def _encode_words(self) -> tuple[int, int]:
        """Encode the words from `_encoded` on, into `numbers` and `_row`: where it stopped, and where the row ends."""
        raise NotImplementedError


def row_of(words: bytes, lengths: Sequence[int]) -> Row:
    """The bytes of words, one after the other, and where each begins and the last one ends."""
    places = np.zeros(len(lengths) + 1, np.int32)
    places[1:] = np.cumsum(lengths)
    return np.frombuffer(bytearray(words + bytes(24)), np.uint8), places


def row_of_tokens(tokens: Sequence[str]) -> Row:
    """The same of tokens that are written with the characters that stand for bytes."""
    codes = np.frombuffer("".join(tokens).encode("utf-16-le"), np.uint16)
    byte_of = np.full(1 << 16, -1, np.int16)
    byte_of[[*map(ord, text.stand_ins())]] = [*text.stand_ins().values()]
    data = byte_of[codes]
    if (data < 0).any():
        raise ValueError("a token holds a character that stands for no byte")
    return row_of(data.astype(np.uint8).tobytes(), [*map(len, tokens)])


def blocks(string: str) -> Iterator[bytes]:
    """A text as UTF-8, cut where no word reaches over, with a border after each block."""
    begin = 0
    size = max(BLOCK, len(string) // (BLOCKS * PROCESSORS) + 1)
    while cut := CUT.search(string, begin + size):
        yield string[begin : cut.start()].encode() + BORDER
        begin = cut.start()
    yield string[begin:].encode() + BORDER


class ByteEncoder(Encoder):
    """The pattern of GPT-2 or of a later model, then the merges by rank.

    KeyError if a byte, or a token of a merge, has no id.
    """

    def __init__(self, parts: Parts, model: BPEModel):
        of_bytes = np.array(
            [parts.ids[text.bytes_to_chars(bytes([byte]))] for byte in range(256)], np.int32
        )
        self._preparation = Preparation(parts)
        find = finder(parts.schemes[0])
        if parts.whole_words:
            size = len(model.vocab)
            in_order = model.vocab == [*islice(parts.ids, size)]  # as a rule, and quickly seen
            of_vocab = parts.ids.values() if in_order else map(parts.ids.__getitem__, model.vocab)
            ids = np.fromiter(of_vocab, np.int64, size)
            super().__init__(find, parts, row_of_tokens(model.vocab), ids)
        if parts.whole_words and isinstance(model.merges, Joins):
            joins = word_table.joins(
                overlapping(self.letters), self.ends, self.entries, self._slots, self.keys
            )
            merges = (self.numbers[joins] >> 2).astype(np.int32)
        else:
            rows = ((left, right, left + right) for left, right in model.merges)
            row = np.fromiter(map(parts.ids.__getitem__, chain.from_iterable(rows)), np.int32)
            merges = row.reshape(-1, 3).T.copy()
        ranks = byte_ids.table_of_merges(merges[0], merges[1])
        self._model = of_bytes, byte_ids.ranks_of_bytes(of_bytes, ranks), ranks, merges[2]
        if not parts.whole_words:
            made = [*dict.fromkeys(left + right for left, right in model.merges)]
            super().__init__(find, parts, row_of_tokens(made))

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Sequence[str]:
        if self._preparation.needs_nothing:
            return strings
        return [*map(self._preparation.prepared, strings, first)]

    def _encode_words(self) -> tuple[int, int]:
        return byte_ids.encode_words(
            self.letters,
            self.ends,
            self._encoded,
            self.entries,
            *self._model,
            self.numbers,
            self._row,
            self._row_end,
        )


class WordPieceEncoder(Encoder):
    """Normalized and cut into words as for BERT, then the longest beginnings of words that are tokens.

    Python is asked for words with marks that change what stands beside them.
    """

    def __init__(self, parts: Parts, plain: Plain):
        prepared = Preparation(parts).prepared
        self._kinds = Kinds(lambda string: text.words(prepared(string, False), "bert"))
        tokens = parts.model.vocab
        roots = [int(token.startswith("##")) for token in tokens]
        branches, token_at = trie_of(
            [token[2 * root :].encode() for token, root in zip(tokens, roots)], roots
        )
        ids = np.array([*(parts.ids[token] for token in tokens), -1], np.int32)
        self._plain = plain
        self._longest = parts.longest_word
        self._model = branches, ids[token_at], parts.ids[str(parts.unknown)], parts.longest_word
        super().__init__(self._kinds.find, parts)

    def _encode_words(self) -> tuple[int, int]:
        entry, end, asks = bert_words.encode_words(
            self.letters,
            self.ends,
            self._encoded,
            self.entries,
            *self._kinds.rows(),
            *self._model,
            np.empty(4 * self._longest + 256, np.uint8),
            self.numbers,
            self._row,
            self._row_end,
        )
        if asks:
            word = self.letters[self.ends[entry - 1] : self.ends[entry]].tobytes().decode()
            ids = self._plain(word, False)
            self._row[end : end + 1 + len(ids)] = len(ids), *ids
            self.numbers[entry] = end << 2
            entry += 1
            end += 1 + len(ids)
        return entry, end


def before_spaces(steps: Iterable[Step]) -> list[Step] | None:
    """The steps before spaces are evened out, if these may be taken word by word, and nothing but a space comes after.

    >>> before_spaces(["nfkc", Trim(), ONE_SPACE, Prepend(" ")]), before_spaces([Trim(), "nfkc"])
    (['nfkc'], None)
    """
    steps = [step for step in steps if step != Prepend(" ")]
    first = steps[:-2]
    alone = all(
        leaves_spaces(step) if isinstance(step, CharMap) else step in LEAVE_ASCII for step in first
    )
    return first if alone and steps[-2:] == [Trim(), ONE_SPACE] else None


def leaves_spaces(table: CharMap) -> bool:
    """Whether no entry holds a space, and none becomes `▁`."""
    has_space = any(unit & 0x800000FF == ord(" ") for unit in table.units)
    return not has_space and "▁".encode() not in table.strings


class UnigramEncoder(Encoder):
    """The ways through words are those of `lattice.viterbi`; texts have spaces in the place of marks.

    Where normalization may be done word by word before spaces are evened out, each different word is normalized once.
    """

    def __init__(self, parts: Parts, model: UnigramModel, plain: Plain):
        self._preparation = Preparation(parts)
        self._plain = plain
        steps = before_spaces(parts.normalization)
        by_word = self._preparation.in_front == [" ", " "] and steps is not None
        self._normalize = partial(normalization.apply, steps=steps or []) if by_word else None
        tokens = [token.replace("▁", " ").encode() for token in model.losses]
        branches, token_at = trie_of(tokens, [0] * len(tokens))
        losses = np.array([*model.losses.values(), math.inf])
        ids = np.array([*(parts.ids[token] for token in model.losses), -1], np.int32)
        known = parts.byte_fallback and BYTE_TOKENS[0] in parts.ids
        self._model = (
            branches,
            losses[token_at],
            ids[token_at],
            float(model.unknown_loss),
            0 if parts.unknown is None else parts.ids[parts.unknown],
            parts.fuse_unknown,
            np.array([parts.ids[token] for token in BYTE_TOKENS] if known else [], np.int32),
        )
        words = [token for token in tokens if token.rfind(b" ") == 0]
        super().__init__(finder("metaspace"), parts, row_of(b"".join(words), [*map(len, words)]))

    def array(self, strings: Sequence[str], first: Iterable[bool]) -> tuple[np.ndarray, np.ndarray]:
        """The ids of all texts, one after the other, and where those of each text end."""
        ids, ends = super().array(strings, first)
        odd = [
            place
            for place, string in enumerate(strings if self._normalize else ())
            if "▁" in string and self._mark_at_an_end(string)
        ]
        if odd:
            rows = np.split(ids, ends[:-1])
            for place in odd:
                rows[place] = np.array(self._plain(strings[place], True), np.int32)
            ids = np.concatenate(rows)
            ends = np.cumsum([*map(len, rows)])
        return ids, ends

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Sequence[str]:
        if self._normalize:
            return [*map(" ".__add__, strings)]
        spaced = map(self._preparation.spaced, strings, first)
        return [string.replace("▁", " ") for string in spaced]

    def _mark_at_an_end(self, string: str) -> bool:
        """Whether a text would begin with `▁`, which may be the space in front, or end with it, where it goes."""
        assert self._normalize
        words = string.split(" ")
        begin = next(filter(None, (self._normalize(word).strip(" ") for word in words)), "")
        end = next(filter(None, (self._normalize(word).strip(" ") for word in words[::-1])), "")
        return begin.startswith("▁") or end.endswith("▁")

    def _encode_words(self) -> tuple[int, int]:
        first = self._encoded
        letters = self.letters
        ends = self.ends[first - 1 : self.entries]
        if self._normalize:
            letters, ends = self._normalized(letters[ends[0] : ends[-1]].tobytes(), ends - ends[0])
        done, row_end = spaced_words.encode_words(
            letters,
            ends,
            1,
            len(ends),
            *self._model,
            self.numbers[first - 1 :],
            self._row,
            self._row_end,
        )
        return first - 1 + done, row_end

    def _normalized(self, data: bytes, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Words in a row, each normalized with one space before it, or nothing left; and where each ends."""
        assert self._normalize
        whole = data.decode()
        words = self._normalize(whole.replace(" ", STAND_IN)).split(STAND_IN)[1:]  # all in one go
        if STAND_IN in whole or len(words) != len(ends) - 1:  # somebody writes of it: one by one
            words = [
                self._normalize(data[start:end].decode()) for start, end in pairwise(ends.tolist())
            ]
        evened = [
            " ".join(filter(None, word.split(" "))) if " " in word else word for word in words
        ]
        bordered = joined(["", *evened], BORDER)[:-1].replace(
            "▁".encode(), b" "
        )  # a border before each word
        spelled = np.frombuffer(bytearray(bordered), np.uint8)
        edges = np.flatnonzero(spelled == BORDER[0])
        spelled[edges] = ord(" ")
        lengths = np.diff(edges, append=len(spelled))
        spelled = np.delete(spelled, edges[lengths == 1])
        lengths = lengths - (lengths == 1)
        return spelled, np.cumsum([0, *lengths])


class Decoder:
    """Ids to bytes. tokens: id -> its bytes.

    >>> Decoder({0: b"h", 1: b"u", 2: b"g", 7: b"hug"}).decode([7, 1, 2])
    b'hugug'
    """

    def __init__(self, tokens: Mapping[int, bytes]):
        ids = np.fromiter(tokens, np.int64, len(tokens))
        lengths = np.fromiter(map(len, tokens.values()), np.int64, len(tokens))
        sizes = (lengths + 7) // 8
        places = np.full(max(tokens, default=-1) + 1, -1)
        places[ids] = ((sizes.cumsum() - sizes) << 32) + lengths
        padded = map(bytes.ljust, tokens.values(), (8 * sizes).tolist(), repeat(b"\0"))
        words = np.frombuffer(b"".join(padded) + bytes(8), np.uint64)
        self._rows = words, places

    def decode(self, ids: Any) -> bytes | None:
        """The bytes of some ids, a list or an array of whole numbers; None if one of them is no id."""
        try:
            # Python fills rows of "Q" in half the time that it takes for "q".
            whole = isinstance(ids, list)
            row = np.asarray(array("Q", ids)).view(np.int64) if whole else np.asarray(ids)
        except (OverflowError, TypeError):
            return None
        if row.ndim != 1 or row.dtype.kind not in "iu":
            return None
        # The library takes rows as they were when it was made: whole ones, in memory's order.
        wrong, data = byte_ids.decode_ids(np.require(row, np.int64, ["C", "A"]), *self._rows)
        return data.tobytes() if wrong < 0 else None
