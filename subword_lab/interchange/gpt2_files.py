"""GPT-2's two files: `vocab.json` (token -> id) and `merges.txt` (a merge a line, first learned first)."""

from __future__ import annotations

from ..bpe import Pair
from ..parts import Parts
from ..text import byte_alphabet
from .reading import Path, bpe_model, check_vocabulary, of_type, parse_json, read_bytes, reading

END = "<|endoftext|>"


def read_gpt2_files(vocab_json: Path, merges_txt: Path) -> Parts:
    """A byte-level BPE tokenizer, cut as GPT-2 cuts. Raises ValueError if the files are damaged or do not agree."""
    with reading(vocab_json):
        ids = of_type(parse_json(read_bytes(vocab_json)), dict, "the file")
        check_vocabulary(ids)
        missing = [char for char in byte_alphabet() if char not in ids]
        if missing:
            raise ValueError(
                f"{len(missing)} of the 256 characters that stand for bytes are not in it, such as "
                f"{missing[0]!r}"
            )
        special = (END,) if END in ids else ()
        for token in ids:
            of_type(ids[token], int, f"the id of {token!r}")
    with reading(merges_txt):
        merges = read_merges(read_bytes(merges_txt).decode("utf-8"))
        model = bpe_model(ids, merges, special)
    with reading(vocab_json):
        return Parts(
            model, ids, special, schemes=("byte-level",), spelling="bytes", decoder="bytes"
        )


def read_merges(content: str) -> list[Pair]:
    """The merges of a `merges.txt`; its first line may be a comment with the version.

    >>> read_merges("#version: 0.2\\nh u\\nhu g\\n")
    [('h', 'u'), ('hu', 'g')]
    """
    merges = []
    for number, line in enumerate(content.replace("\r\n", "\n").split("\n"), start=1):
        if not line or (number == 1 and line.startswith("#version")):
            continue
        pair = line.split(" ")
        if len(pair) != 2 or not all(pair):
            raise ValueError(
                f"line {number} is {line[:60]!r}; expected two tokens with a space between them"
            )
        merges.append((pair[0], pair[1]))
    return merges
