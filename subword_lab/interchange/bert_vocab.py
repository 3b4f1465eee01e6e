"""BERT's `vocab.txt`: a token a line, whose number, from 0, is its id."""

from __future__ import annotations

from ..parts import Parts
from ..wordpiece import WordPieceModel
from .reading import Path, by_place, read_bytes, reading

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def read_wordpiece_vocab(vocab_txt: Path, *, lowercase: bool = True) -> Parts:
    """BERT's tokenizer with these tokens. Raises ValueError if the file is damaged, or has no token `[UNK]`."""
    with reading(vocab_txt):
        tokens = (
            read_bytes(vocab_txt)
            .decode("utf-8")
            .replace("\r\n", "\n")
            .removesuffix("\n")
            .split("\n")
        )
        ids = by_place(tokens)
        if "[UNK]" not in ids:
            raise ValueError("there is no [UNK] in it; is this a BERT vocabulary?")
        special = tuple(token for token in SPECIAL if token in ids)
        around = {"[CLS]", "[SEP]"} <= ids.keys()
        steps = ("clean", "space-chinese", *(("strip-accents", "lowercase") if lowercase else ()))
        return Parts(
            WordPieceModel([token for token in tokens if token not in special]),
            ids,
            special,
            normalization=steps,
            schemes=("bert",),
            unknown="[UNK]",
            before=("[CLS]",) * around,
            after=("[SEP]",) * around,
            decoder="wordpiece-tidy",
        )
