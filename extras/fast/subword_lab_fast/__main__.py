"""Compile the engine in advance, so that no job has to wait for it, or does without it: python -m subword_lab_fast"""

import sys
from itertools import repeat

from subword_lab import engines, text
from subword_lab.pieces import Rules
from subword_lab.tokenizer import Tokenizer


def main() -> None:
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
    compiled.decoder({0: b"a", 1: b"b"}).decode([0, 1])
    sys.stderr.write("The engine is compiled.\n")


if __name__ == "__main__":
    main()
