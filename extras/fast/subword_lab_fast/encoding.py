"""Long texts to ids, and ids to bytes: for byte-level BPE, WordPiece as in BERT, and Unigram as in SentencePiece.

A long text is encoded block by block, and the words that were met stay known from call to call, up to a limit. Blocks
are divided among the processors: compiled code lets other threads run. Each of these has an encoder of its own, with
its own memory, so none waits for another, and a word may have to be encoded by each of them.

`encoder_for` says which parts of a tokenizer this can do; whatever else there is stays with Python.
"""

import math
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from itertools import accumulate, chain, cycle, islice, pairwise
from threading import Lock
from typing import Any
from weakref import WeakSet

import numpy as np

from subword_lab import normalization, text
from subword_lab.bpe import BPEModel
from subword_lab.normalization import LEAVE_ASCII, ONE_SPACE, CharMap, Prepend, Step, Trim
from subword_lab.parts import BYTE_TOKENS, MOST_LETTERS, Joins, Parts
from subword_lab.preparation import Preparation
from subword_lab.structures.garbage import not_collected
from subword_lab.unigram import UnigramModel
from subword_lab.wordpiece import WordPieceModel

from . import byte_ids, spaced_words, word_table
from .trie import trie_of
from .word_table import SALT, overlapping
from .words import Finder, Words, blocks, finder, spell_all

LARGEST_ID = (1 << byte_ids.ID_BITS) - 1
MOST_WORDS = 1 << 20  # words that are remembered, before it starts anew
PROCESSORS = min(
    8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)
Row = tuple[np.ndarray, np.ndarray]  # the bytes of words, and where these begin and end
Plain = Callable[[str, bool], list[int]]  # how Python encodes a text, the first of its row or not


def encoder_for(parts: Parts, plain: Plain) -> "Encoder | None":
    """The encoder for these parts of a tokenizer; None if they ask for anything that is not known here."""
    is_large = max(parts.ids.values()) > LARGEST_ID or sum(map(len, parts.ids)) > MOST_LETTERS
    if len(parts.schemes) != 1 or parts.kept_tokens or is_large:
        return None
    if isinstance(parts.model, WordPieceModel):
        return WordPieceEncoder(parts) if _as_in_bert(parts, parts.model) else None
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
        and parts.unknown not in model.losses
        and not any(" " in token for token in model.losses)
        and math.isfinite(model.unknown_loss)
        and bytes_known in (0, 256)
        and (parts.unknown is not None or bytes_known == 256)
    )


class Encoder(Words):
    """Text to ids, word by word, of which those that were met before are looked up. The classes below say how."""

    def __init__(self, find: Finder, parts: Parts, known: Sequence[str] = ()):
        """known: tokens that are words, and never split."""
        # One int for each id, for all lists.
        self._ints = np.array(range(max(parts.ids.values()) + 1), object)
        in_order = known == [*islice(parts.ids, len(known))]  # as a rule, and quickly seen
        ids = parts.ids.values() if in_order else map(parts.ids.__getitem__, known)
        self._known = row_of_tokens(known), np.fromiter(ids, np.int64, len(known))
        self._others: list[Encoder] = []  # for other threads
        self._lock = Lock()
        super().__init__(find)
        _encoders.add(self)

    def _empty(self, entries: int = 1 << 14) -> None:
        (letters, places), ids = self._known
        super()._empty(max(entries, 2 * len(places)))
        edges = places.astype(np.int32)
        found = self.look_up(letters, edges[:-1], edges[1:])
        self.numbers[found] = ids << 2 | 1  # as `byte_ids.pack` has one id
        self.numbers[0] = 0  # a byte of no text may be a token
        self._encoded = self.entries
        self._row = np.zeros(1 << 16, np.int32)
        self._row_end = 0

    def _another(self) -> "Encoder":
        """The same encoder, with what it knows, and its own memory, for another thread."""
        other = copy(self)
        other._lock = Lock()
        other._row = self._row[: self._row_end + (1 << 16)]  # it may be long, for one long word
        for row in "keys", "ends", "numbers", "letters", "_slots", "_row":
            setattr(other, row, getattr(other, row).copy())
        _encoders.add(other)
        return other

    def ids(self, strings: Sequence[str], first: Iterable[bool]) -> list[list[int]]:
        """The ids of some texts, each of which is the first of its row or not."""
        ids, ends = self.array(strings, first)
        with not_collected():
            numbers = np.take(self._ints, ids, mode="clip").tolist()
            return [numbers[start:end] for start, end in pairwise([0, *ends.tolist()])]

    def array(self, strings: Sequence[str], first: Iterable[bool]) -> Row:
        """The ids of all texts, one after the other, and where those of each text end."""
        nothing = np.zeros(0, np.int32), np.zeros(0, np.int64)
        found, ends = zip(nothing, *self._encode(blocks(self._ready(strings, first))))
        before = accumulate(map(len, found), initial=0)
        return np.concatenate(found), np.concatenate([*map(np.add, ends, before)])

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Iterable[str]:
        """The texts as they are cut into words."""
        return strings

    def _encode(self, row: Iterator[bytes]) -> Iterator[Row]:
        """The ids of blocks of text, and where those of each text end."""
        first = [*islice(row, PROCESSORS)]
        if len(first) < 2:
            yield from map(self._encode_block, chain(first, row))
            return
        with self._lock:
            while len(self._others) < len(first) - 1:
                self._others.append(self._another())
        # Of the same texts, each gets the same blocks.
        team = cycle([self, *self._others[: len(first) - 1]])
        with ThreadPoolExecutor(len(first)) as threads:
            yield from threads.map(
                lambda encoder, block: encoder._encode_block(block), team, chain(first, row)
            )

    def _encode_block(self, data: bytes) -> Row:
        with self._lock:
            entries = self.read(data)
            self._encode_new()
            found = byte_ids.unpack(entries, self.numbers, self._row)
            if self.entries >= MOST_WORDS + len(self._known[1]):
                self._empty()
        return found

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


def _begin_anew() -> None:
    """In a process that is split off: what other threads were at work with, nobody here will finish."""
    for encoder in _encoders:
        if encoder._lock.locked():
            encoder._lock, encoder._others = Lock(), []
            encoder._empty()


_encoders = WeakSet[Encoder]()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def row_of(words: bytes, lengths: Iterable[int]) -> Row:
    """The bytes of words, one after the other, and where each begins and the last one ends."""
    places = np.array([*accumulate(lengths, initial=0)], np.int64)
    return np.frombuffer(bytearray(words + bytes(24)), np.uint8), places


def row_of_tokens(tokens: Sequence[str]) -> Row:
    """The same of tokens that are written with the characters that stand for bytes."""
    codes = np.frombuffer("".join(tokens).encode("utf-16-le"), np.uint16)
    byte_of = np.full(1 << 16, -1, np.int16)
    byte_of[[*map(ord, text.stand_ins())]] = [*text.stand_ins().values()]
    data = byte_of[codes]
    if (data < 0).any():
        raise ValueError("a token holds a character that stands for no byte")
    return row_of(data.astype(np.uint8).tobytes(), map(len, tokens))


class ByteEncoder(Encoder):
    """The pattern of GPT-2 or of a later model, then the merges by rank.

    KeyError if a byte, or a token of a merge, has no id.
    """

    def __init__(self, parts: Parts, model: BPEModel):
        super().__init__(finder(parts.schemes[0]), parts, model.vocab if parts.whole_words else ())
        self._preparation = Preparation(parts)
        if parts.whole_words and isinstance(model.merges, Joins):
            joins = word_table.joins(
                overlapping(self.letters), self.ends, self.entries, self._slots, self.keys, SALT
            )
            merges = (self.numbers[joins] >> 2).astype(np.int32)
        else:
            rows = ((left, right, left + right) for left, right in model.merges)
            ids = np.fromiter(map(parts.ids.__getitem__, chain.from_iterable(rows)), np.int32)
            merges = ids.reshape(-1, 3).T.copy()
        ranks = byte_ids.table_of_merges(merges[0], merges[1], SALT)
        of_bytes = np.array([parts.ids[char] for char in text.bytes_to_chars(bytes(range(256)))])
        self._model = of_bytes, byte_ids.ranks_of_bytes(of_bytes, ranks), ranks, merges[2]

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Iterable[str]:
        if self._preparation.needs_nothing:
            return strings
        return map(self._preparation.prepared, strings, first)

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


class SpacedEncoder(Encoder):
    """Words that are normalized when they are met for the first time, and then cut by `spaced_words`.

    cut: the normalized words of a text; None, if texts come normalized, with spaces in the place of marks.
    """

    mark = " "  # what else stands for a space
    cut: Callable[[str], list[str]] | None = None
    _model: tuple[Any, ...]  # what `spaced_words.encode_words` knows of tokens

    def _plant(self, parts: Parts, tokens: Mapping[str, bytes]) -> tuple[np.ndarray, ...]:
        """The tree of some tokens; and by node, which of them ends there, and its id."""
        branches, token_at = trie_of([*tokens.values()])
        ids = np.array([*map(parts.ids.__getitem__, tokens), -1], np.int32)
        return branches, token_at, ids[token_at]

    def _encode_words(self) -> tuple[int, int]:
        first = self._encoded
        data, edges = self.spelled_from(first)
        lengths = [end - start for start, end in pairwise(edges)]
        if self.cut:
            words = [data[start:end].decode() for start, end in pairwise(edges)]
            spelled = [word.replace(self.mark, " ").encode() for word in spell_all(words, self.cut)]
            data, lengths = b"".join(spelled), [*map(len, spelled)]
        letters, ends = row_of(data, lengths)
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


class WordPieceEncoder(SpacedEncoder):
    """Normalized and cut into words as for BERT, then the longest beginnings of words that are tokens."""

    def __init__(self, parts: Parts):
        super().__init__(finder("bert", "space-chinese" in parts.normalization), parts)
        prepared = Preparation(parts).prepared
        self.cut = lambda string: text.words(prepared(string, False), "bert")
        branches, _, id_at = self._plant(
            parts,
            {
                token: (token[2:] if token.startswith("##") else " " + token).encode()
                for token in parts.model.vocab
                if token.removeprefix("##") and " " not in token
            },
        )
        none, unknown = np.zeros(0, np.int32), parts.ids[str(parts.unknown)]
        of_unigram = np.zeros(0), 0.0, False, none
        self._model = branches, id_at, unknown, parts.longest_word, *of_unigram


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
    return "▁".encode() not in table.strings and not any(
        unit & 0x800000FF == ord(" ") for unit in table.units
    )


class UnigramEncoder(SpacedEncoder):
    """The ways through words are those of `lattice.viterbi`.

    Where normalization may be done word by word before spaces are evened out, each different word is normalized once.
    """

    mark = "▁"

    def __init__(self, parts: Parts, model: UnigramModel, plain: Plain):
        super().__init__(finder("metaspace"), parts)
        self._preparation = Preparation(parts)
        self._plain = plain
        steps = before_spaces(parts.normalization)
        if self._preparation.in_front == [" ", " "] and steps is not None:
            self.cut = lambda string: [*filter(None, normalization.apply(string, steps).split(" "))]
        branches, token_at, id_at = self._plant(
            parts, {token: token.replace("▁", " ").encode() for token in model.losses}
        )
        self._model = (
            branches,
            id_at,
            0 if parts.unknown is None else parts.ids[parts.unknown],
            0,
            np.array([*model.losses.values(), math.inf])[token_at],
            float(model.unknown_loss),
            parts.fuse_unknown,
            np.array(
                [
                    parts.ids[token]
                    for token in BYTE_TOKENS
                    if parts.byte_fallback and token in parts.ids
                ],
                np.int32,
            ),
        )

    def array(self, strings: Sequence[str], first: Iterable[bool]) -> Row:
        """The ids of all texts, one after the other, and where those of each text end."""
        ids, ends = super().array(strings, first)
        odd = [
            place
            for place, string in enumerate(strings if self.cut else ())
            if "▁" in string and self._mark_at_an_end(string)
        ]
        if odd:
            rows = np.split(ids, ends[:-1])
            for place in odd:
                rows[place] = np.array(self._plain(strings[place], True), np.int32)
            ids = np.concatenate(rows)
            ends = np.cumsum([*map(len, rows)])
        return ids, ends

    def _ready(self, strings: Sequence[str], first: Iterable[bool]) -> Iterable[str]:
        if self.cut:
            return map(" ".__add__, strings)
        return (
            string.replace("▁", " ") for string in map(self._preparation.spaced, strings, first)
        )

    def _mark_at_an_end(self, string: str) -> bool:
        """Whether a text would begin with `▁`, which may be the space in front, or end with it, where it goes."""
        assert self.cut
        words = string.split(" ")
        begin, *_ = next(filter(None, map(self.cut, words)), [""])
        *_, end = next(filter(None, map(self.cut, reversed(words))), [""])
        return begin.startswith("▁") or end.endswith("▁")


def decoder_for(tokens: Mapping[int, bytes]) -> "Decoder | None":
    """The decoder of these tokens; None if a place for each id up to the largest would be far too many."""
    return Decoder(tokens) if max(tokens) <= LARGEST_ID else None


class Decoder:
    """Ids to bytes. tokens: id -> its bytes.

    >>> Decoder({0: b"h", 1: b"u", 2: b"g", 7: b"hug"}).decode([7, 1, 2])
    b'hugug'
    """

    def __init__(self, tokens: Mapping[int, bytes]):
        letters, ends = row_of(b"".join(tokens.values()), map(len, tokens.values()))
        self._places = np.full(max(tokens, default=-1) + 1, -1)
        self._places[[*tokens]] = (ends[:-1] << 32) + np.diff(ends)
        self._eights = overlapping(letters)

    def decode(self, ids: Any) -> bytes | None:
        """The bytes of some ids, a list or an array of whole numbers; None if one of them is no id."""
        try:
            # Python fills rows of "Q" in half the time that it takes for "q".
            is_list = isinstance(ids, list)
            row = np.asarray(array("Q", ids)).view(np.int64) if is_list else np.asarray(ids)
        except (OverflowError, TypeError):
            return None
        if row.ndim != 1 or row.dtype.kind not in "iu":
            return None
        # The library takes rows as they were when it was made: whole ones, in memory's order.
        row = np.require(row, np.int64, ["C", "A"])
        size = byte_ids.size_of(row, self._places)
        if size < 0:
            return None
        data = np.empty(size + 8, np.uint8)
        byte_ids.spell(row, self._places, self._eights, overlapping(data))
        return data[:size].tobytes()
