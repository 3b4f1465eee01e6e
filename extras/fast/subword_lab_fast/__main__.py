"""Compile the engine in advance, so that no job has to wait for it, or does without it: python -m subword_lab_fast

It makes the library that a wheel carries (`library`), or where that cannot be, lets numba keep machine code on disk.
With a folder as argument, the library is written there, for a wheel.
"""

import subprocess
import sys
from itertools import repeat
from pathlib import Path

from subword_lab import engines, text
from subword_lab.interchange.tiktoken_ranks import in_chars, of_ranks
from subword_lab.pieces import Rules
from subword_lab.tokenizer import Tokenizer

from . import building, library


def main(arguments: list[str]) -> None:
    """Make the library, or say why there is none."""
    obstacle = building.obstacle()
    if not obstacle and (arguments or library.load() is None):
        try:
            file = building.build(Path(arguments[0]) if arguments else None)
            sys.stderr.write(f"The library is {file}\n")
        except (OSError, subprocess.CalledProcessError) as error:
            obstacle = str(error)
    if obstacle:
        sys.stderr.write(f"No library is made: {obstacle}\n")
        if arguments:
            raise SystemExit(1)
        use_everything()
    sys.stderr.write("The engine is compiled.\n")


def use_everything() -> None:
    """Let every kind of compiled code do a small job once; numba keeps what it compiles on disk."""
    lines = text.load_passage().splitlines()
    for scheme in ("byte-level", "bert", "metaspace"):
        text.word_freqs(lines, scheme, engine="compiled")
    for algorithm in ("bpe", "wordpiece", "unigram"):
        sys.stderr.write(f"{algorithm} ...\n")
        tokenizer = Tokenizer.train(lines, algorithm, vocab_size=600, engine="compiled")
        if encoder := tokenizer._encoder:
            encoder.ids(lines, repeat(True))
    Tokenizer.train(lines, "unigram", vocab_size=400, rules=Rules(), engine="compiled")
    compiled = engines.find("compiled")
    assert compiled
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoder = compiled.encoder(of_ranks(in_chars(ranks | {b"hu": 256}), "o200k", {}), str.split)
    assert encoder
    encoder.array(lines, repeat(True))
    compiled.lattices({"hug": 1}, ["h", "u", "g"]).loss({"h": 1.0, "u": 1.0, "g": 1.0})
    compiled.decoder({0: b"a", 1: b"b"}).decode([0, 1])


if __name__ == "__main__":
    main(sys.argv[1:])
