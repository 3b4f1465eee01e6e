"""GPT-2's two files: `vocab.json` (token -> id) and `merges.txt` (a merge a line, first learned first)."""

from __future__ import annotations

from ..parts import Parts
from ..text import byte_alphabet
from .reading import Path, bpe_model, check_ids, of_type, parse_json, read_bytes, reading

END = "<|endoftext|>"


def read_gpt2_files(vocab_json: Path, merges_txt: Path) -> Parts:
    """A byte-level BPE tokenizer, cut as GPT-2 cuts. Raises ValueError if the files are damaged or do not agree."""
    with reading(vocab_json):
        ids = check_ids(of_type(parse_json(read_bytes(vocab_json)), dict, "the file"))
        if missing := [char for char in byte_alphabet() if char not in ids]:
            raise ValueError(
                f"{len(missing)} of the 256 characters that stand for bytes are not in it, such as "
                f"{missing[0]!r}"
            )
        special = (END,) * (END in ids)
    with reading(merges_txt):
        first, *lines = read_bytes(merges_txt).decode("utf-8").replace("\r\n", "\n").split("\n")
        merges = lines if first.startswith("#version") else [first, *lines]
        model = bpe_model(ids, filter(None, merges), special)
    with reading(vocab_json):
        return Parts(
            model, ids, special, schemes=("byte-level",), spelling="bytes", decoder="bytes"
        )
