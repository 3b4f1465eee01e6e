"""How fast is the engine, beside the libraries? python tests/benchmarks/speed.py [FILE ...] [--quick] [--rounds N] ...

Every competitor is given the same pieces of the same text; their results are compared before anything is timed; then
they take turns, and the table shows medians: seconds or MB/s, and how many times as fast ours is as each peer that is
installed (tokenizers, rustbpe, gigatoken, tiktoken, tokie, sentencepiece); one with other results is not timed. The
last tenth of each file, at most 4 MB of it, is held out for encoding: "cold" is an encoder that is new, "filled" one
that has encoded other text, "known" one that has seen the very text. Without a file, the corpus is the source text of
Python's library.

--quick takes a megabyte and fewer rounds, about a minute. --plot FILE draws the ratios. --growth trains on parts of
each corpus, and for more and more tokens, and prints with which power of them time grows.

Run it alone on a machine: only ratios from one run count, and only on an idle one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from subword_lab.engine.counting import ByteWords, learn_byte_merges
from subword_lab.engine.encoding import ByteEncoder, Decoder

from subword_lab import Tokenizer, bpe, text
from subword_lab.pieces import Rules

if TYPE_CHECKING:
    import tiktoken

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MEGABYTE = 1_000_000
LONGEST_FOR_PYTHON = 20 * MEGABYTE
Contest = dict[str, Callable[[], object]]
Encode = Callable[[str], Iterable[Any]]  # to ids, or to the ids of each line
rows: list[tuple[str, str, float, float]] = []  # what was printed: work, who, seconds, ratio


def corpus_of_python(size: int) -> str:
    """The beginning of the source text of Python's library, in one string of about so many characters."""
    found, length = [], 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) * 100:
        found.append(path.read_text(encoding="utf-8"))
        length += len(found[-1])
        if length >= size:
            break
    return "".join(found)[:size]


def installed(*names: str) -> bool:
    """Whether a peer, and what it needs, can take part."""
    return all(map(importlib.util.find_spec, names))


# ---------------------------------------------------------------------------------------------------------- training


def train_ours(lines: list[str], vocab_size: int) -> list[tuple[bytes, bytes]]:
    """The merges, as pairs of bytes."""
    counted, tokens = ByteWords(), list(map(text.chars_to_bytes, text.byte_alphabet()))
    counted.add_texts(lines)
    symbol_of = [tokens.index(bytes([byte])) for byte in range(256)]
    merges = []
    for left, right, token in learn_byte_merges(
        counted, text.byte_alphabet(), symbol_of, vocab_size=vocab_size
    ):
        merges.append((tokens[left], tokens[right]))
        if token == len(tokens):
            tokens.append(tokens[left] + tokens[right])
    return merges


def train_without_numba(lines: list[str], vocab_size: int) -> list[tuple[bytes, bytes]]:
    """The same with nothing but Python's own library."""
    freqs = text.word_freqs(lines, "byte-level", engine="python")
    model = bpe.train(
        freqs,
        vocab_size=vocab_size,
        ties="lowest-ids",
        alphabet=text.byte_alphabet(),
        engine="python",
    )
    return [(text.chars_to_bytes(left), text.chars_to_bytes(right)) for left, right in model.merges]


def train_tokenizers(lines: list[str], vocab_size: int) -> list[tuple[bytes, bytes]]:
    """The merges of the tokenizers library."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        lines,
        trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False),
    )
    return [
        (text.chars_to_bytes(left), text.chars_to_bytes(right))
        for left, right in json.loads(tokenizer.to_str())["model"]["merges"]
    ]


def train_rustbpe(lines: list[str], vocab_size: int) -> int:
    """How many merges rustbpe learned (among equal counts it goes by bytes, not by the ids of characters)."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(lines), vocab_size, pattern=PATTERN)
    return len(tokenizer.get_mergeable_ranks()) - 256


def train_gigatoken(lines: list[str], vocab_size: int) -> int:
    """How many merges gigatoken learned, which tells the terminal what it does."""
    import gigatoken

    data = "".join(lines).encode()
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        return len(gigatoken.train_bpe(data, vocab_size, [])[1])
    finally:
        for number, old in enumerate(kept, start=1):
            os.dup2(old, number)
            os.close(old)
        os.close(nowhere)


def training(lines: list[str], vocab_size: int) -> Contest:
    """Who takes part in training BPE. ValueError if the results differ."""
    contest: Contest = {"ours": lambda: train_ours(lines, vocab_size)}
    merges = train_ours(lines, vocab_size)
    if installed("tokenizers"):
        contest["tokenizers"] = lambda: train_tokenizers(lines, vocab_size)
        if train_tokenizers(lines, vocab_size) != merges:
            raise ValueError("tokenizers learns other merges")
    if installed("rustbpe"):
        contest["rustbpe"] = lambda: train_rustbpe(lines, vocab_size)
        if train_rustbpe(lines, vocab_size) != len(merges):
            raise ValueError("rustbpe learns another number of merges")
    # It takes the corpus as one text, in which a few words are others than line by line.
    if (
        installed("gigatoken")
        and abs(train_gigatoken(lines, vocab_size) - len(merges)) <= len(merges) // 100
    ):
        contest["gigatoken"] = lambda: train_gigatoken(lines, vocab_size)
    return contest


def wordpiece_training(lines: list[str], vocab_size: int) -> Contest:
    """Who takes part in training WordPiece, with BERT's habits: the normalization, and the choice by frequency."""
    contest: Contest = {
        "ours": lambda: Tokenizer.train(lines, "wordpiece", vocab_size, engine="compiled")
    }
    if installed("tokenizers"):
        from tokenizers import BertWordPieceTokenizer

        def theirs() -> dict[str, int]:
            tokenizer = BertWordPieceTokenizer()
            tokenizer.train_from_iterator(
                lines,
                vocab_size=vocab_size,
                limit_alphabet=1 << 20,
                min_frequency=0,
                show_progress=False,
            )
            return tokenizer.get_vocab()

        found = Tokenizer.train(lines, "wordpiece", vocab_size).parts.ids
        if len(found.keys() & theirs().keys()) >= 0.97 * len(found):  # there, ties go by chance
            contest["tokenizers"] = theirs
    return contest


# ------------------------------------------------------------------------------------------------ encoding, decoding


def tokenizer_json(tokens: list[bytes], merges: list[tuple[bytes, bytes]]) -> str:
    """The model in the format of the tokenizers library."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    chars = text.bytes_to_chars
    tokenizer = Tokenizer(
        models.BPE(
            vocab={chars(token): id for id, token in enumerate(tokens)},
            merges=[(chars(left), chars(right)) for left, right in merges],
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer.to_str()


def byte_encoders(
    tokens: list[bytes], merges: list[tuple[bytes, bytes]]
) -> dict[str, dict[str, Callable[[], Encode]]]:
    """ "lists" and "arrays" -> who takes part -> a function that makes a new encoder."""
    ids = {token: id for id, token in enumerate(tokens)}
    lists: dict[str, Callable[[], Encode]] = {"ours": lambda: ByteEncoder(ids, merges).encode}
    arrays: dict[str, Callable[[], Encode]] = {
        "ours": lambda: ByteEncoder(ids, merges).encode_to_array
    }
    if installed("tiktoken"):
        lists["tiktoken"] = lambda: tiktoken_encoding(tokens).encode_ordinary
    if installed("tokenizers"):
        from tokenizers import Tokenizer

        description = tokenizer_json(tokens, merges)

        def library() -> Encode:
            tokenizer = Tokenizer.from_str(description)
            return lambda string: tokenizer.encode(string).ids

        lists["tokenizers"] = library
    if installed("gigatoken", "tokenizers"):
        import gigatoken
        from tokenizers import Tokenizer

        def gigatokens(to_array: bool) -> Encode:
            tokenizer = gigatoken.Tokenizer(Tokenizer.from_str(description))
            return (
                tokenizer.encode if to_array else lambda string: tokenizer.encode(string).tolist()
            )

        lists["gigatoken"], arrays["gigatoken"] = (
            partial(gigatokens, False),
            partial(gigatokens, True),
        )
    return {"lists": lists, "arrays": arrays}


def tiktoken_encoding(tokens: list[bytes]) -> tiktoken.Encoding:
    """The model as tiktoken has it."""
    import tiktoken

    return tiktoken.Encoding(
        "trained",
        pat_str=PATTERN,
        special_tokens={},
        mergeable_ranks={token: id for id, token in enumerate(tokens)},
    )


def line_encoders(tokenizer: Tokenizer, folder: Path) -> dict[str, Callable[[], Encode]]:
    """For WordPiece: who takes part -> a function that makes a new encoder. Each is given lines, and uses all cores."""

    def ours() -> Encode:
        encoder = Tokenizer(tokenizer.parts)._compiled
        assert encoder is not None
        return lambda string: encoder.encode_batch(string.splitlines(keepends=True))

    def in_lines(encode_batch: Callable[[list[str]], list[Any]]) -> Encode:
        return lambda string: [each.ids for each in encode_batch(string.splitlines(keepends=True))]

    contest: dict[str, Callable[[], Encode]] = {"ours": ours}
    path = str(folder / "tokenizer.json")
    tokenizer.save(path)
    if installed("tokenizers"):
        import tokenizers

        contest["tokenizers"] = lambda: in_lines(
            partial(
                tokenizers.Tokenizer.from_file(path).encode_batch_fast, add_special_tokens=False
            )
        )
    if installed("tokie"):
        import tokie

        contest["tokie"] = lambda: in_lines(
            partial(tokie.Tokenizer.from_json(path).encode_batch, add_special_tokens=False)
        )
    return contest


def compare_unigram(
    name: str, lines: list[str], held: str, vocab_size: int, rounds: int, folder: Path
) -> None:
    """Unigram by SentencePiece's rules: training, the share of its vocabulary, and ids, line by line, of its model."""
    import sentencepiece

    lines, path = [line.rstrip("\r\n") for line in lines], folder / "sentencepiece.model"

    def theirs() -> None:
        with open(path, "wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines),
                model_writer=file,
                model_type="unigram",
                vocab_size=vocab_size,
                num_threads=2,
                hard_vocab_limit=False,
                minloglevel=2,
            )

    def ours() -> Tokenizer:
        return Tokenizer.train(lines, "unigram", vocab_size, rules=Rules())

    theirs()
    model, found = Tokenizer.from_sentencepiece(path), ours().parts.ids
    shared = len(found.keys() & model.parts.ids.keys()) / len(model.parts.ids)
    contest: Contest = {"ours": ours, "sentencepi": theirs}
    compare(
        f"{name}: Unigram, {vocab_size} tokens ({shared:.1%} alike)",
        contest,
        rounds,
        sum(len(line.encode()) for line in lines),
    )

    def new() -> Encode:
        tokenizer = Tokenizer(model.parts)
        encoder = tokenizer._compiled
        assert encoder is not None
        return lambda string: tokenizer._compiled_ids(string.splitlines(), repeat(True), encoder)

    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    makers = {
        "ours": new,
        "sentencepi": lambda: lambda string: processor.encode(string.splitlines(), num_threads=2),
    }
    if installed("tokie"):
        import tokie

        model.save(folder / "unigram.json")

        def tokies() -> Encode:
            tokenizer = tokie.Tokenizer.from_json(str(folder / "unigram.json"))
            return lambda string: [
                each.ids
                for each in tokenizer.encode_batch(string.splitlines(), add_special_tokens=False)
            ]

        makers["tokie"] = tokies
    compare_encoders(f"{name}: Unigram, ids as lists", makers, "\n".join(lines), held, rounds)


def compare_encoders(
    name: str, makers: dict[str, Callable[[], Encode]], seen: str, held: str, rounds: int
) -> None:
    """Encode the text that was held out: cold, with what is remembered from other text, and when it is known."""
    expected, size = list(makers["ours"]()(held)), len(held.encode())
    for who, make in [*makers.items()]:
        if list(make()(held)) != expected:
            if who == "tokenizers":
                raise ValueError(f"{name}: {who} gives other ids")
            print(f"| {name:<46} | {who:<10} | {'other ids':<11} | {'':12} | {'':6} |")
            makers = {each: makers[each] for each in makers if each != who}
    for state in "cold", "filled", "known":
        waiting = {who: [make() for _ in range(rounds)] for who, make in makers.items()}
        for encoders in waiting.values():
            for encode in encoders:
                if state != "cold":
                    encode(seen)
                if state == "known":
                    encode(held)
        compare(f"{name}, {state}", each_once(waiting, held), rounds, size)


def each_once(waiting: dict[str, list[Encode]], string: str) -> Contest:
    """A contest in which an encoder that has taken its turn does not come back.

    Each is given a string of its own, because a string keeps its UTF-8 once a library has asked for it.
    """
    turns = {
        who: [(encode, string[:1] + string[1:]) for encode in encoders]
        for who, encoders in waiting.items()
    }

    def turn(who: str) -> object:
        encode, own = turns[who].pop()
        return encode(own)

    return {who: partial(turn, who) for who in turns}


def compare_decoders(
    name: str, tokens: list[bytes], merges: list[tuple[bytes, bytes]], held: str, rounds: int
) -> None:
    """From ids back to bytes: a list, and an array."""
    decoder, encoder = (
        Decoder(tokens),
        ByteEncoder({token: id for id, token in enumerate(tokens)}, merges),
    )
    ids, array, size = encoder.encode(held), encoder.encode_to_array(held), len(held.encode())
    if decoder.decode(ids) != held.encode() or decoder.decode(array) != held.encode():
        raise ValueError("what is decoded is not what was encoded")
    from_list: Contest = {"ours": lambda: decoder.decode(ids)}
    from_array: Contest = {"ours": lambda: decoder.decode(array)}
    if installed("tiktoken"):
        encoding = tiktoken_encoding(tokens)
        from_list["tiktoken"] = lambda: encoding.decode_bytes(ids)
        from_array["tiktoken"] = lambda: encoding.decode_bytes(array.tolist())
    compare(f"{name}: decoding a list", from_list, rounds, size)
    compare(f"{name}: decoding an array", from_array, rounds, size)


def compare_calls(
    name: str, tokenizer: Tokenizer, makers: dict[str, Callable[[], Encode]], rounds: int
) -> None:
    """One call of 60 characters, a thousand times; and one word of 50 KB."""
    string, times = "The quick brown fox jumps over the lazy dog, again and again.", 1000
    long_word = "abcdefghij" * 5000
    ready: dict[str, Encode] = {who: make() for who, make in makers.items() if who != "ours"}
    ready["ours"] = lambda string: tokenizer.encode(string).ids

    def repeated(encode: Encode) -> Callable[[], object]:
        return lambda: [encode(string) for _ in range(times)]

    compare(
        f"{name}: 1000 calls of 60 characters",
        {who: repeated(ready[who]) for who in makers},
        rounds,
    )
    # By a new tokenizer each time, so that nobody has met the word.
    waiting = {who: [make() for _ in range(rounds)] for who, make in makers.items()}
    compare(f"{name}: a word of 50 KB", each_once(waiting, long_word), rounds, len(long_word))


# ------------------------------------------------------------------------------------------------------------ timing


def seconds(function: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def compare(work: str, contest: Contest, rounds: int, size: int = 0) -> None:
    """Let all take turns, and print a row for each: its median, and the median of the ratios to ours."""
    times: dict[str, list[float]] = {name: [] for name in contest}
    for _ in range(rounds):
        for name, function in contest.items():
            times[name].append(seconds(function))
    for name in contest:
        ratio = median(theirs / own for theirs, own in zip(times[name], times["ours"]))
        show(work, name, median(times[name]), ratio, size)


def show(work: str, who: str, time_taken: float, ratio: float, size: int = 0) -> None:
    """Print a row of the table, and keep it for the plot."""
    rows.append((work, who, time_taken, ratio))
    rate = f"{size / time_taken / MEGABYTE:.1f} MB/s" if size else ""
    print(
        f"| {work:<46} | {who:<10} | {time_taken:9.4f} s | {rate:>12} | {ratio:6.2f} |", flush=True
    )


def whole_process(code: str) -> Callable[[], object]:
    """A Python of its own that runs some code: with its start, its imports and all."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def compare_processes(
    name: str, path: Path, vocab_size: int, whos: Iterable[str], rounds: int
) -> None:
    """Training from a file in a Python of its own: seconds in all, and the memory that training adds."""
    memory: dict[str, int] = {}

    def train(who: str) -> None:
        done = subprocess.run(
            [sys.executable, __file__, "--alone", who, str(vocab_size), str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
        memory[who] = int(done.stdout)

    compare(
        f"{name}: a process that trains, {vocab_size} tokens",
        {who: partial(train, who) for who in whos},
        rounds,
        path.stat().st_size,
    )
    for who, kilobytes in memory.items():
        print(
            f"| {f'{name}: memory that this adds':<46} | {who:<10} | {kilobytes / 1000:8.0f} MB |              | "
            f"{kilobytes / memory['ours']:6.2f} |"
        )


def alone(who: str, vocab_size: int, path: Path) -> None:
    """In a process of its own: train, and print the kilobytes that this added at most to what was there (on Linux)."""

    def kilobytes(what: str) -> int:
        lines = (
            Path("/proc/self/status").read_text().splitlines()
            if os.path.exists("/proc/self/status")
            else []
        )
        return next((int(line.split()[1]) for line in lines if line.startswith(what)), 0)

    train: Callable[[list[str], int], object] = {
        "ours": train_ours,
        "tokenizers": train_tokenizers,
        "rustbpe": train_rustbpe,
        "gigatoken": train_gigatoken,
    }[who]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    train(lines[:10], 257)  # code that is loaded is no part of it
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = kilobytes("VmRSS")
    train(lines, vocab_size)
    print(max(1, kilobytes("VmHWM") - before))


def growth(name: str, lines: list[str]) -> None:
    """How training's time grows with the corpus and with the vocabulary: the powers, from the two ends of a row."""
    train_ours(lines[:1000], 300)
    parts = {
        part: min(
            seconds(lambda part=part: train_ours(lines[: len(lines) // part], 8000))
            for _ in range(3)
        )
        for part in (8, 4, 2, 1)
    }
    sizes = {
        size: min(seconds(lambda size=size: train_ours(lines, size)) for _ in range(3))
        for size in (4000, 8000, 16000, 32000)
    }
    print(
        f"{name}: an eighth, a quarter, half and all of the text take",
        *[f"{each:.2f}" for each in parts.values()],
        f"s: time goes as size to the {math.log(parts[1] / parts[8]) / math.log(8):.2f}",
    )
    print(
        f"{name}: 4, 8, 16 and 32 thousand tokens take",
        *[f"{each:.2f}" for each in sizes.values()],
        f"s: time goes as tokens to the {math.log(sizes[32000] / sizes[4000]) / math.log(8):.2f}",
    )


def plot(path: Path) -> None:
    """How many times as fast ours is, a bar for each work and peer."""
    import matplotlib.pyplot as plt

    bars = [(f"{work}, {who}", ratio) for work, who, _, ratio in rows if who != "ours"][::-1]
    figure, axes = plt.subplots(figsize=(9, 1 + len(bars) / 5), layout="constrained")
    axes.barh([name for name, _ in bars], [ratio for _, ratio in bars])
    axes.set_xscale("log")
    axes.axvline(1, color="black")
    axes.set_xlabel("how many times as fast ours is")
    axes.tick_params(labelsize=7)
    figure.savefig(path)


def run(name: str, corpus: str, vocab_sizes: list[int], rounds: int, folder: Path) -> None:
    """All comparisons on one corpus."""
    cut = max(len(corpus) * 9 // 10, len(corpus) - 4 * MEGABYTE)
    cut = corpus.rfind("\n", 0, cut) + 1 or cut
    seen, held = corpus[:cut], corpus[cut:]
    lines, size = seen.splitlines(keepends=True), len(seen.encode())
    for vocab_size in vocab_sizes:
        contest = training(lines, vocab_size)
        compare(f"{name}: training, {vocab_size} tokens", contest, rounds, size)
    if size <= LONGEST_FOR_PYTHON:
        compare(
            f"{name}: without numba, {vocab_size} tokens",
            {
                "ours": lambda: train_without_numba(lines, vocab_size),
                **{who: contest[who] for who in contest if who == "tokenizers"},
            },
            min(rounds, 3),
            size,
        )
        for vocab_size in vocab_sizes:
            compare(
                f"{name}: WordPiece, {vocab_size} tokens",
                wordpiece_training(lines, vocab_size),
                min(rounds, 3),
                size,
            )
    path = folder / "seen.txt"
    path.write_text(seen, encoding="utf-8", newline="")
    compare_processes(name, path, vocab_size, contest, min(rounds, 3))
    tokenizer = Tokenizer.train(lines, vocab_size=vocab_size, special_tokens=())
    tokens = [text.chars_to_bytes(token) for token in tokenizer.parts.ids]
    merges = [
        (text.chars_to_bytes(left), text.chars_to_bytes(right))
        for left, right in tokenizer.parts.model.merges
    ]
    makers = byte_encoders(tokens, merges)
    for kind in makers:
        compare_encoders(
            f"{name}: ids as {kind}", makers[kind], seen[-20 * MEGABYTE :], held, rounds
        )
    compare_decoders(name, tokens, merges, held, rounds)
    compare_calls(name, tokenizer, makers["lists"], rounds)
    if size <= LONGEST_FOR_PYTHON:
        wordpiece = Tokenizer.train(lines, "wordpiece", vocab_sizes[0])
        compare_encoders(
            f"{name}: WordPiece, ids as lists", line_encoders(wordpiece, folder), seen, held, rounds
        )
    if size <= LONGEST_FOR_PYTHON and installed("sentencepiece"):
        compare_unigram(name, lines, held, vocab_sizes[0], min(rounds, 3), folder)


def main(argv: list[str] | None = None) -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument(
        "--quick", action="store_true", help="one megabyte, one vocabulary size, three rounds"
    )
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--plot", type=Path, metavar="FILE")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--alone", nargs=2, metavar=("WHO", "TOKENS"), help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.alone:
        return alone(options.alone[0], int(options.alone[1]), options.files[0])
    rounds = options.rounds or (3 if options.quick else 7)
    size = MEGABYTE if options.quick else 10 * MEGABYTE
    corpora = {path.name: path.read_text(encoding="utf-8") for path in options.files}
    corpora = corpora or {"python": corpus_of_python(size)}
    if options.growth:
        for name, corpus in corpora.items():
            growth(name, corpus.splitlines(keepends=True))
        return None
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; {rounds} rounds; "
        "medians. The last column: how many times as fast ours is."
    )
    print(
        f"| {'work':<46} | {'who':<10} | {'time':<11} | {'rate':<12} | ratio  |\n| --- | --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, corpus in corpora.items():
            run(
                name,
                corpus[:size] if options.quick else corpus,
                [2000] if options.quick else [8000, 32000],
                rounds,
                Path(folder),
            )
    imports: Contest = {"ours": whole_process("import subword_lab")}
    if installed("tokenizers"):
        imports["tokenizers"] = whole_process("import tokenizers")
    compare("a process that imports", imports, rounds)
    return plot(options.plot) if options.plot else None


if __name__ == "__main__":
    main()
