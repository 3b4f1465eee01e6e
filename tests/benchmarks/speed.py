"""How fast is the engine, beside the libraries? python tests/benchmarks/speed.py [FILE ...] [--quick] [--rounds N]

Every competitor is given the same pieces of the same text; their results are compared before anything is timed; then
they take turns, and the table shows medians: seconds or MB/s of ours, and how many times as fast ours is as each peer
that is installed (tokenizers, rustbpe, gigatoken, tiktoken). The last tenth of each file is held out for encoding.
Without a file, the corpus is the source text of Python's own library. --quick takes a megabyte of it, about a minute.

Run it alone on a machine: only ratios from one run count, and only on an idle one.
"""
from __future__ import annotations

import argparse
import importlib.util
import platform
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from subword_lab import text
from subword_lab.engine.counting import ByteWords, learn_byte_merges
from subword_lab.engine.encoding import ByteEncoder, Decoder

if TYPE_CHECKING:
    import tiktoken

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MEGABYTE = 1_000_000
Contest = dict[str, Callable[[], object]]
Encode = Callable[[str], Iterable[int]]
Maker = Callable[[], Encode]


def corpus_of_python(size: int) -> str:
    """The beginning of the source text of Python's library, in one string of about so many characters."""
    found, length = [], 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) * 100:
        found.append(path.read_text(encoding="utf-8"))
        length += len(found[-1])
        if length >= size:
            break
    return "".join(found)[:size]


def installed(name: str) -> bool:
    """Whether a peer can take part."""
    return importlib.util.find_spec(name) is not None


# ---------------------------------------------------------------------------------------------------------- training

def train_ours(lines: list[str], vocab_size: int) -> list[tuple[bytes, bytes]]:
    """The merges, as pairs of bytes."""
    counted, tokens = ByteWords(), list(map(text.chars_to_bytes, text.byte_alphabet()))
    counted.add_texts(lines)
    symbol_of = [tokens.index(bytes([byte])) for byte in range(256)]
    merges = []
    for left, right, token in learn_byte_merges(counted, text.byte_alphabet(), symbol_of, vocab_size=vocab_size):
        merges.append((tokens[left], tokens[right]))
        if token == len(tokens):
            tokens.append(tokens[left] + tokens[right])
    return merges


def train_tokenizers(lines: list[str], vocab_size: int) -> list[tuple[bytes, bytes]]:
    """The merges of the tokenizers library."""
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet,
                                                             show_progress=False))
    return [(text.chars_to_bytes(left), text.chars_to_bytes(right))
            for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]


def train_rustbpe(lines: list[str], vocab_size: int) -> int:
    """How many merges rustbpe learned (among equal counts it goes by bytes, not by the ids of characters)."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(lines), vocab_size, pattern=PATTERN)
    return len(tokenizer.get_mergeable_ranks()) - 256


def training(lines: list[str], vocab_size: int) -> Contest:
    """Who takes part in training. ValueError if the results differ."""
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
    return contest


# ------------------------------------------------------------------------------------------------ encoding, decoding

def tokenizer_json(tokens: list[bytes], merges: list[tuple[bytes, bytes]]) -> str:
    """The model in the format of the tokenizers library."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    chars = text.bytes_to_chars
    tokenizer = Tokenizer(models.BPE(vocab={chars(token): id for id, token in enumerate(tokens)},
                                     merges=[(chars(left), chars(right)) for left, right in merges]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer.to_str()


def encoders(tokens: list[bytes], merges: list[tuple[bytes, bytes]], seen: str) -> dict[str, dict[str, Maker]]:
    """"lists" and "arrays" -> who takes part -> a function that makes an encoder whose cache is filled from `seen`."""
    ids = {token: id for id, token in enumerate(tokens)}

    def ours(to_array: bool) -> Encode:
        encoder = ByteEncoder(ids, merges)
        encoder.encode_to_array(seen)
        return encoder.encode_to_array if to_array else encoder.encode

    lists, arrays = {"ours": lambda: ours(False)}, {"ours": lambda: ours(True)}
    if installed("tiktoken"):
        lists["tiktoken"] = lambda: tiktoken_encoding(tokens).encode_ordinary
    if installed("tokenizers"):
        from tokenizers import Tokenizer

        library = Tokenizer.from_str(tokenizer_json(tokens, merges))
        lists["tokenizers"] = lambda: lambda string: library.encode(string).ids
    if installed("gigatoken") and installed("tokenizers"):
        import gigatoken
        from tokenizers import Tokenizer

        def gigatokens(to_array: bool) -> Encode:
            tokenizer = gigatoken.Tokenizer(Tokenizer.from_str(tokenizer_json(tokens, merges)))
            tokenizer.encode(seen)
            return tokenizer.encode if to_array else lambda string: tokenizer.encode(string).tolist()

        lists["gigatoken"], arrays["gigatoken"] = lambda: gigatokens(False), lambda: gigatokens(True)
    return {"lists": lists, "arrays": arrays}


def tiktoken_encoding(tokens: list[bytes]) -> tiktoken.Encoding:
    """The model as tiktoken has it."""
    import tiktoken

    return tiktoken.Encoding("trained", pat_str=PATTERN, special_tokens={},
                             mergeable_ranks={token: id for id, token in enumerate(tokens)})


def compare_encoders(name: str, makers: dict[str, Maker], held: str, rounds: int) -> None:
    """Encode the text that was held out: with what is remembered from other text, and when that very text is known."""
    expected = list(makers["ours"]()(held))
    for who, make in makers.items():
        if list(make()(held)) != expected:
            raise ValueError(f"{who}: other ids")
    size = len(held.encode())
    ready = {who: [make() for _ in range(rounds)] for who, make in makers.items()}
    waiting = {who: iter(encoders) for who, encoders in ready.items()}
    compare(f"{name}, filled cache", {who: lambda who=who: next(waiting[who])(held) for who in ready}, rounds, size)
    compare(f"{name}, same text", {who: lambda who=who: ready[who][0](held) for who in ready}, rounds, size)


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
        rate = f"{size / median(times[name]) / MEGABYTE:.1f} MB/s" if size else ""
        print(f"| {work:<46} | {name:<10} | {median(times[name]):9.4f} s | {rate:>12} | {ratio:6.2f} |", flush=True)


def whole_process(code: str) -> Callable[[], object]:
    """A Python of its own that runs some code: with its start, its imports and all."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def run(name: str, corpus: str, vocab_sizes: list[int], rounds: int) -> None:
    """All comparisons on one corpus."""
    cut = corpus.rfind("\n", 0, len(corpus) * 9 // 10) + 1 or len(corpus) * 9 // 10
    seen, held = corpus[:cut], corpus[cut:]
    lines, size = seen.splitlines(keepends=True), len(held.encode())
    for vocab_size in vocab_sizes:
        compare(f"{name}: training, {vocab_size} tokens", training(lines, vocab_size), rounds, len(seen.encode()))
    merges = train_ours(lines, vocab_sizes[-1])
    tokens = list(dict.fromkeys([*map(text.chars_to_bytes, text.byte_alphabet()), *(a + b for a, b in merges)]))
    for kind, makers in encoders(tokens, merges, seen).items():
        compare_encoders(f"{name}: ids as {kind}", makers, held, rounds)
    decoder, encoder = Decoder(tokens), ByteEncoder({token: id for id, token in enumerate(tokens)}, merges)
    ids, array = encoder.encode(held), encoder.encode_to_array(held)
    if decoder.decode(ids) != held.encode() or decoder.decode(array) != held.encode():
        raise ValueError("what is decoded is not what was encoded")
    peers: Contest = {}
    if installed("tiktoken"):
        encoding = tiktoken_encoding(tokens)
        peers["tiktoken"] = lambda: encoding.decode_bytes(ids)
    compare(f"{name}: decoding lists", {"ours": lambda: decoder.decode(ids), **peers}, rounds, size)
    compare(f"{name}: decoding arrays", {"ours": lambda: decoder.decode(array), **peers}, rounds, size)


def main(argv: list[str] | None = None) -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="one megabyte, one vocabulary size, three rounds")
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args(argv)
    rounds = options.rounds or (3 if options.quick else 7)
    size = MEGABYTE if options.quick else 10 * MEGABYTE
    corpora = {path.name: path.read_text(encoding="utf-8") for path in options.files}
    corpora = corpora or {"python": corpus_of_python(size)}
    print(f"Python {platform.python_version()}, {platform.machine()}; {rounds} rounds; medians. The last column: "
          "how many times as fast ours is.")
    print(f"| {'work':<46} | {'who':<10} | {'time':<11} | {'rate':<12} | ratio  |\n| --- | --- | --- | --- | --- |")
    for name, corpus in corpora.items():
        run(name, corpus[:size] if options.quick else corpus, [2000] if options.quick else [8000, 32000], rounds)
    imports: Contest = {"ours": whole_process("import subword_lab")}
    if installed("tokenizers"):
        imports["tokenizers"] = whole_process("import tokenizers")
    compare("a process that imports", imports, rounds)


if __name__ == "__main__":
    main()
