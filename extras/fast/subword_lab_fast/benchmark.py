"""How fast is it, as it is called, beside the libraries? python -m subword_lab_fast.benchmark [FILE ...] [--quick]

Every competitor is given the same pieces of the same text; their results are compared before anything is timed; then
they take turns, and the table shows medians: seconds or MB/s, and how many times as fast ours is as each peer that is
installed (tokenizers, rustbpe, gigatoken, tiktoken, tokie, sentencepiece); one with other results is not timed. The
last tenth of each file, at most 4 MB of it, is held out for encoding: "cold" is a tokenizer that is new, "filled" one
that has encoded other text, "known" one that has seen the very text. Without a file, the corpus is the source text of
Python's library. --quick takes a megabyte and fewer rounds, about a minute.

Run it alone on a machine: only ratios from one run count, and only on an idle one.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from subword_lab.pieces import Rules
from subword_lab.tokenizer import Tokenizer

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MEGABYTE = 1_000_000
LONGEST_FOR_PYTHON = 20 * MEGABYTE
Contest = dict[str, Callable[[], Any]]
Encode = Callable[[str], Any]  # to ids, or to the ids of each line
Makers = dict[str, Callable[[], Encode]]  # who takes part -> what makes a new encoder


def corpus_of_python(size: int) -> str:
    """The beginning of the source text of Python's library, of about so many characters."""
    sources = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    return "".join(path.read_text(encoding="utf-8") for path in sources)[:size]


def installed(contest: dict[str, Any]) -> dict[str, Any]:
    """Those who can take part."""
    return {who: entry for who, entry in contest.items() if who == "ours" or find_spec(who)}


# ---------------------------------------------------------------------------------------------------------- training


def train_tokenizers(lines: list[str], vocab_size: int) -> int:
    """How many merges the tokenizers library learned."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        lines,
        trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False),
    )
    return tokenizer.get_vocab_size() - 256


def train_rustbpe(lines: list[str], vocab_size: int) -> int:
    """How many merges rustbpe learned (among equal counts it goes by bytes, not by the ids of characters)."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(lines), vocab_size, pattern=PATTERN)
    return len(tokenizer.get_mergeable_ranks()) - 256


def train_gigatoken(lines: list[str], vocab_size: int) -> int:
    """How many merges gigatoken learned; it takes the corpus as one text, in which a few words are others."""
    import gigatoken

    return len(gigatoken.train_bpe("".join(lines).encode(), vocab_size, [])[1])


def train_wordpiece(lines: list[str], vocab_size: int) -> int:
    """How many tokens the tokenizers library found, with BERT's habits."""
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer()
    options = {"limit_alphabet": 1 << 20, "min_frequency": 0, "show_progress": False}
    tokenizer.train_from_iterator(lines, vocab_size=vocab_size, **options)
    return tokenizer.get_vocab_size()


def train_sentencepiece(lines: list[str], vocab_size: int, path: Path) -> int:
    """Write a Unigram model of sentencepiece."""
    import sentencepiece

    with open(path, "wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(line.rstrip("\r\n") for line in lines),
            model_writer=file,
            model_type="unigram",
            vocab_size=vocab_size,
            num_threads=2,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return Tokenizer.from_sentencepiece(path).vocab_size


def compare_training(name: str, lines: list[str], vocab_size: int, rounds: int, path: Path) -> None:
    """BPE, WordPiece and Unigram; whoever learns another number of tokens (by more than a hundredth) is not timed."""
    size = sum(len(line.encode()) for line in lines)
    work: dict[str, tuple[Contest, int]] = {
        "BPE": (
            {
                "ours": lambda: Tokenizer.train(lines, vocab_size=vocab_size, special_tokens=()),
                "tokenizers": lambda: train_tokenizers(lines, vocab_size),
                "rustbpe": lambda: train_rustbpe(lines, vocab_size),
                "gigatoken": lambda: train_gigatoken(lines, vocab_size),
            },
            256,
        )
    }
    if size <= LONGEST_FOR_PYTHON:
        work["BPE without numba"] = (
            {
                "ours": lambda: Tokenizer.train(lines, vocab_size=vocab_size, engine="python"),
                "tokenizers": lambda: train_tokenizers(lines, vocab_size - 1),
            },
            257,
        )
        work["WordPiece"] = (
            {
                "ours": lambda: Tokenizer.train(lines, "wordpiece", vocab_size),
                "tokenizers": lambda: train_wordpiece(lines, vocab_size),
            },
            0,
        )
        work["Unigram"] = (
            {
                "ours": lambda: Tokenizer.train(lines, "unigram", vocab_size, rules=Rules()),
                "sentencepiece": lambda: train_sentencepiece(lines, vocab_size, path),
            },
            0,
        )
    for algorithm, (contest, before) in work.items():
        contest = installed(contest)
        learned = contest["ours"]().vocab_size - before
        for who in [*contest][1:]:
            if abs(contest[who]() - learned) > learned // 100:
                del contest[who]
        compare(f"{name}: train {algorithm}, {vocab_size} tokens", contest, rounds, size)


# ------------------------------------------------------------------------------------------------ encoding, decoding


def lines_of(string: str) -> list[str]:
    """Lines as they come, with their ends."""
    return string.splitlines(keepends=True)


def encoders(tokenizer: Tokenizer, path: Path) -> dict[str, Makers]:
    """How the ids of a text, and those of its lines, are worked out with one tokenizer of ours."""
    tokenizer.save(path)

    def library(batch: bool) -> Encode:
        import tokenizers

        theirs = tokenizers.Tokenizer.from_file(str(path))
        if not batch:
            return lambda string: theirs.encode(string, add_special_tokens=False).ids
        return lambda string: [
            each.ids
            for each in theirs.encode_batch_fast(lines_of(string), add_special_tokens=False)
        ]

    def ours(batch: bool) -> Encode:
        own: Any = Tokenizer(tokenizer.parts)
        if not batch:
            return lambda string: own.encode(string, add_special_tokens=False).ids
        return lambda string: [
            each.ids for each in own.encode_batch(lines_of(string), add_special_tokens=False)
        ]

    def gigatokens() -> Encode:
        import gigatoken

        encoder = gigatoken.Tokenizer(path)
        return lambda string: list(encoder.encode(string))

    def tokies() -> Encode:
        import tokie

        encode_batch = tokie.Tokenizer.from_json(str(path)).encode_batch
        return lambda string: [
            each.ids for each in encode_batch(lines_of(string), add_special_tokens=False)
        ]

    return {
        "texts": installed(
            {
                "ours": partial(ours, False),
                "tokenizers": partial(library, False),
                "tiktoken": lambda: tokenizer.to_tiktoken().encode_ordinary,
                "gigatoken": gigatokens,
            }
        ),
        "lines": installed(
            {"ours": partial(ours, True), "tokenizers": partial(library, True), "tokie": tokies}
        ),
    }


def compare_encoders(name: str, makers: Makers, seen: str, held: str, rounds: int) -> None:
    """Encode the text that was held out: cold, with what is remembered from other text, and when it is known."""
    expected = makers["ours"]()(held)
    makers = {who: make for who, make in makers.items() if make()(held) == expected}
    for state in "cold", "filled", "known":
        waiting: dict[str, list[Encode]] = {}
        for who, make in makers.items():
            waiting[who] = [make() for _ in range(rounds)]
            for encode in waiting[who]:
                if state != "cold":
                    encode(seen)
                if state == "known":
                    encode(held)
        compare(f"{name}, {state}", each_once(waiting, held), rounds, len(held.encode()))


def each_once(waiting: dict[str, list[Encode]], string: str) -> Contest:
    """A contest in which an encoder that has taken its turn does not come back.

    Each is given a string of its own, because a string keeps its UTF-8 once a library has asked for it.
    """
    turns = {
        who: [partial(encode, string[:1] + string[1:]) for encode in encoders]
        for who, encoders in waiting.items()
    }
    return {who: lambda who=who: turns[who].pop()() for who in turns}  # type: ignore[misc]


def compare_small(name: str, tokenizer: Tokenizer, makers: Makers, held: str, rounds: int) -> None:
    """From ids back to a text; a thousand calls of 60 characters; and one word of 50 KB."""
    ids = tokenizer.encode(held).ids
    rows: list[tuple[str, Any]] = [("a list", ids), ("an array", np.array(ids))]
    for what, row in rows:
        contest: Contest = {"ours": partial(tokenizer.decode, row)}
        if find_spec("tiktoken"):
            contest["tiktoken"] = partial(tokenizer.to_tiktoken().decode, row)
        compare(f"{name}: decode {what}", contest, rounds, len(held.encode()))
    string = "The quick brown fox jumps over the lazy dog, again and again."
    ready = {who: make() for who, make in makers.items()}
    calls: Contest = {
        who: lambda encode=encode: [encode(string) for _ in range(1000)]  # type: ignore[misc]
        for who, encode in ready.items()
    }
    compare(f"{name}: 1000 calls of 60 characters", calls, rounds)
    # By a new tokenizer each time, so that nobody has met the word.
    long_word = "abcdefghij" * 5000
    waiting = {who: [make() for _ in range(rounds)] for who, make in makers.items()}
    compare(f"{name}: a word of 50 KB", each_once(waiting, long_word), rounds, len(long_word))


# ------------------------------------------------------------------------------------------------------------ timing


def compare(work: str, contest: Contest, rounds: int, size: int = 0) -> None:
    """Let all take turns, and print a row for each: its median, and the median of the ratios to ours."""
    times: dict[str, list[float]] = {who: [] for who in contest}
    for _ in range(rounds):
        for who, function in contest.items():
            with (
                open(os.devnull, "w") as nowhere,
                redirect_stdout(nowhere),
                redirect_stderr(nowhere),
            ):
                start = time.perf_counter()
                function()
                times[who].append(time.perf_counter() - start)
    for who in contest:
        ratio = median(theirs / own for theirs, own in zip(times[who], times["ours"]))
        rate = f"{size / median(times[who]) / MEGABYTE:.1f} MB/s" if size else ""
        row = f"{work:<46} | {who:<13} | {median(times[who]):9.4f} s | {rate:>12} | {ratio:6.2f}"
        sys.stdout.write(f"| {row} |\n")
        sys.stdout.flush()


def run(name: str, corpus: str, vocab_sizes: list[int], rounds: int, folder: Path) -> None:
    """All comparisons on one corpus."""
    cut = max(len(corpus) * 9 // 10, len(corpus) - 4 * MEGABYTE)
    cut = corpus.rfind("\n", 0, cut) + 1 or cut
    seen, held = corpus[:cut], corpus[cut:]
    lines = lines_of(seen)
    for vocab_size in vocab_sizes:
        compare_training(name, lines, vocab_size, rounds, folder / "sentencepiece.model")
    (folder / "seen.txt").write_text(seen, encoding="utf-8", newline="")
    train = (
        f"Tokenizer.train(open({str(folder / 'seen.txt')!r}, newline=''), vocab_size={vocab_size})"
    )
    imports = "from subword_lab import Tokenizer"
    # A Python of its own, with its start, its imports and all.
    for what, code in ("imports", imports), (f"trains, {vocab_size} tokens", f"{imports}; {train}"):
        whole = partial(subprocess.run, [sys.executable, "-c", code], check=True)
        compare(f"{name}: a process that {what}", {"ours": whole}, min(rounds, 3))
    for algorithm, kind in ("bpe", "texts"), ("wordpiece", "lines"), ("unigram", "lines"):
        tokenizer = Tokenizer.train(lines, algorithm, vocab_sizes[-1])
        makers = encoders(tokenizer, folder / "tokenizer.json")[kind]
        compare_encoders(f"{name}: {algorithm}, ids of {kind}", makers, seen, held, rounds)
        if algorithm == "bpe":
            compare_small(name, tokenizer, makers, held, rounds)


def main(argv: list[str] | None = None) -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="one megabyte, three rounds")
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args(argv)
    rounds = options.rounds or (3 if options.quick else 7)
    size = MEGABYTE if options.quick else 10 * MEGABYTE
    corpora = {path.name: path.read_text(encoding="utf-8") for path in options.files}
    sys.stdout.write(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; {rounds} rounds; "
        "medians. The last column: how many times as fast ours is.\n"
        f"| {'work':<46} | {'who':<13} | time        | rate         | ratio  |\n"
        "| --- | --- | --- | --- | --- |\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, corpus in (corpora or {"python": corpus_of_python(size)}).items():
            sizes = [2000] if options.quick else [8000, 32000]
            run(name, corpus[:size] if options.quick else corpus, sizes, rounds, Path(folder))


if __name__ == "__main__":
    main()
