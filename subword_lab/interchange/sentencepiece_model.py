"""SentencePiece's model files: a protocol buffer, of which a tokenizer needs a dozen fields.

A protocol buffer is a row of fields: a number that says which field and how it is written, and its content. The names
and numbers are those of `sentencepiece_model.proto`.
"""

import math
import struct
from collections.abc import Iterator, Mapping

from ..arguments import check, shorten
from ..bpe import BPEModel
from ..normalization import ONE_SPACE, CharMap, Prepend, Step, Trim
from ..parts import BYTE_TOKENS, Joins, Parts
from ..structures.merging import merge_by_rank
from ..unigram import UnigramModel
from .reading import LARGEST_VOCABULARY, Path, by_place, check_pieces, of_type, read_bytes, reading

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
UNIGRAM, BPE = 1, 2
# By the number of a part: how often it may come, and how many fields it has at most; then, how often others.
MOST = {1: (LARGEST_VOCABULARY, 20), 2: (1, 100_000), 3: (1, 1_000), 5: (1, 1_000)}
MOST_OTHERS = 1_000


def read_sentencepiece(model_path: Path) -> Parts:
    """A BPE or Unigram model. Raises ValueError if the file is damaged, or the model is of another kind."""
    with reading(model_path):
        return _parts(read_bytes(model_path))


def _parts(data: bytes) -> Parts:
    messages: dict[int, list[dict[int, int | bytes]]] = {0: [], 1: [], 2: [], 3: [], 5: []}
    for number, value in fields(data):
        known = number if number in MOST else 0
        most, most_fields = MOST.get(number, (MOST_OTHERS, 0))
        part = of_type(value, bytes, "a part of the model") if known else b""
        messages[known].append(dict(fields(part, most_fields)))
        check(known != 1 or messages[1][-1].get(1), "a piece of the model is empty")
        if len(messages[known]) > most:
            what = f"of field {number}" if known else "that are not known here"
            raise ValueError(
                f"it has more than {most:,} parts {what}; is this a SentencePiece model?"
            )
    trainer, normalizer, back = ([*messages[number], {}][0] for number in (2, 3, 5))
    check(
        not back.get(2),
        "it has replacements for decoding (denormalizer_spec), which are not known here",
    )
    pieces = [
        (
            of_type(piece.get(1, b""), bytes, "a piece").decode(),
            _float(piece.get(2, bytes(4))),
            of_type(piece.get(3, NORMAL), int, "the kind of a piece"),
        )
        for piece in messages[1]
    ]
    ids = by_place([piece for piece, _, _ in pieces])
    by_kind = {kind: [piece for piece, _, each in pieces if each == kind] for kind in range(1, 7)}
    scores = {piece: score for piece, score, kind in pieces if kind == NORMAL}
    check(
        len(by_kind[UNKNOWN]) == 1
        and scores
        and not by_kind[UNUSED]
        and all(kind in range(1, 7) for _, _, kind in pieces),
        f"{len(pieces)} pieces, of which {len(by_kind[UNKNOWN])} stand for the unknown; expected "
        "normal pieces and exactly one for the unknown",
    )
    check(
        not trainer.get(24),
        "it puts the mark of a space behind words (treat_whitespace_as_suffix), which is not known "
        "here",
    )
    check(
        {*by_kind[BYTE]} in (set(), {*BYTE_TOKENS}),
        f"{len(by_kind[BYTE])} of its pieces stand for bytes; expected none, or those from <0x00> to <0xFF>",
    )
    kind = of_type(trainer.get(3, UNIGRAM), int, "the kind of the model")
    model: UnigramModel | BPEModel
    check(kind in (UNIGRAM, BPE), f"the model is of type {kind}; expected 1 (Unigram) or 2 (BPE)")
    defined = tuple(by_kind[USER_DEFINED])
    steps = tuple(_steps(normalizer, defined))
    for piece in defined:
        check(
            " " not in piece,
            f"the user-defined piece {shorten(piece)} holds a space, which is not known here; train the model "
            "without it",
        )
    kept, whole_words = tuple[str, ...](), False
    if kind == UNIGRAM:
        check_pieces(ids)
        losses = {piece: -score for piece, score in scores.items()}
        unknown_loss = max(losses.values()) + 10
        # What the users define competes with other pieces, as of version 0.2.3 at this price.
        losses |= {piece: 0.1 - 0.1 * len(piece.encode()) for piece in defined}
        model = UnigramModel(losses, unknown_loss)
    else:
        if lacking := {*"".join(scores)}.difference(scores, defined):
            raise ValueError(
                f"the character {min(lacking)!r} stands in its pieces and is none, which is not known here"
            )
        # Of equal scores the leftmost is merged; as of version 0.2.3, 0 is more than -0.
        signed = {piece: (score, math.copysign(1, score)) for piece, score in scores.items()}
        rank_of = {each: rank for rank, each in enumerate(sorted({*signed.values()})[::-1])}
        model = BPEModel(
            [*scores, *defined], Joins({piece: rank_of[each] for piece, each in signed.items()})
        )
        kept = defined
        whole_words = bool(kept) and all(
            merge_by_rank([*piece], model.ranks) == [piece] for piece in scores
        )
    one_word = not any("▁" in piece[1:] for piece in (*scores, *defined))
    return Parts(
        model,
        ids,
        (*by_kind[UNKNOWN], *by_kind[CONTROL]),
        kept_tokens=kept,
        normalization=steps,
        schemes=("metaspace",) * one_word,
        spelling="metaspace",
        unknown=by_kind[UNKNOWN][0],
        fuse_unknown=True,
        byte_fallback=bool(by_kind[BYTE]),
        whole_words=whole_words,
        decoder="metaspace-stripped" if Trim() in steps else "metaspace",
    )


def _steps(normalizer: Mapping[int, object], defined: tuple[str, ...]) -> Iterator[Step]:
    """How the text is evened out, but for what users define, and where spaces go; what is not said is on."""
    table = of_type(normalizer.get(2, b""), bytes, "the table of replacements")
    prepends, trims = normalizer.get(3, 1), normalizer.get(4, 1)
    if prepends and not trims:  # also to a text of which nothing is left
        yield Prepend(" ")
    if table:
        charmap = CharMap(table, kept=defined)
        check(
            not (trims and b"  " in charmap.strings),
            "its table of replacements puts spaces in a row into a text, which is not known here",
        )
        check(
            trims or not prepends or not charmap.replaces_spaces,
            "its table of replacements replaces spaces, all of which it keeps, which is not known here",
        )
        yield charmap
    check(
        normalizer.get(5, 1) != 0,
        "it leaves spaces as they are (escape_whitespaces is off), which is not known here",
    )
    if trims:
        yield Trim()
        yield ONE_SPACE
    if prepends and trims:
        yield Prepend(" ")


# --------------------------------------------------------------------------------------------------- protocol buffers


def fields(data: bytes, most: float = math.inf) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message, each with its number: a whole number, or bytes (a float's four, a string, a message).

    Raises ValueError if it is damaged, or has more than `most` of them.

    >>> list(fields(bytes([0x08, 0x96, 0x01, 0x12, 2]) + b"hu"))
    [(1, 150), (2, b'hu')]
    """
    place = seen = 0
    lengths = {1: 8, 5: 4}  # by the form of a field; that of forms 0 and 2 is said in the data
    while place < len(data):
        seen += 1
        if seen > most:
            raise ValueError(
                f"a part of it has more than {most:,} fields; is this a SentencePiece model?"
            )
        key, place = _varint(data, place)
        number, form = key >> 3, key & 7
        if form not in (0, 1, 2, 5):
            raise ValueError(
                f"byte {place} is no beginning of a field; is this a SentencePiece model?"
            )
        length, place = (lengths[form], place) if form in lengths else _varint(data, place)
        if form == 0:
            yield number, length
            continue
        if not number or place + length > len(data):
            raise ValueError(
                f"a field at byte {place} says it has {length} bytes, of which {len(data) - place} are "
                "there"
            )
        yield number, data[place : place + length]
        place += length


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A whole number in groups of seven bits, the lowest first, and the place after it."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(data):
            raise ValueError("it ends in the middle of a number")
        value |= (data[place] & 0x7F) << shift
        place += 1
        if not data[place - 1] & 0x80:
            return value, place
    raise ValueError(f"the number at byte {place} has no end")


def _float(value: object) -> float:
    if not isinstance(value, bytes) or len(value) != 4:
        raise ValueError(f"{shorten(value)} stands where a number of four bytes was expected")
    return struct.unpack("<f", value)[0]
