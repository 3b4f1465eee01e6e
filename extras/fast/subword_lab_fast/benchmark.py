"""How fast is what a user calls, beside the libraries? python -m subword_lab_fast.benchmark [FILE] [--quick]

A row is one public call; each library does it in a process of its own, and they take turns. Results are compared
first: one with other results is left out. The table says how many seconds of processor time ours takes, at the first
call of a process (which loads what it needs) and later (the median of some calls), and how many times as fast it is as
each peer that is installed. Preparation, such as opening a file or a vocabulary, is not timed, but in the rows that
say "a process of its own": there everything is, from the start of Python to its end.

The last third of the text, at most 5 MB of it, is held out for encoding. Without a file, the text is the source of
Python's library. --quick takes a megabyte and one turn, about a minute. Run it alone on a machine: only ratios from
one run count. It knows rustbpe, gigabpe, gigatoken, tokenizers, tiktoken, tokie, nanotoken, sentencepiece and
quicktok-v1; gigatoken brings a package that slows the start of numba.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any
from zlib import crc32

from subword_lab.pieces import Rules
from subword_lab.tokenizer import Tokenizer

MEGABYTE = 1_000_000
PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
SHORT = "The quick brown fox jumps over the lazy dog, again and again."
Call = Callable[[], Any]


def read(folder: Path, name: str) -> str:
    """The text to learn from, "seen.txt", or the one to encode, "held.txt"."""
    return (folder / name).read_text(encoding="utf-8")


def lines_in(folder: Path, name: str) -> list[str]:
    """The same in lines, with their ends."""
    return read(folder, name).splitlines(keepends=True)


def corpus_of_python(size: int) -> str:
    """The beginning of the source text of Python's library, of so many characters."""
    string = ""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("**/*.py")):
        if len(string) < size:
            string += path.read_text(encoding="utf-8", errors="replace")
    return string[:size]


def library_of(who: str) -> Any:
    """A peer, imported; with ours, this package."""
    return import_module(__package__ if who == "ours" else who)


# ---------------------------------------------------------------------------------------------------------- training


def train(who: str, folder: Path, algorithm: str, size: int) -> Call:
    """A call that trains, and says how many tokens there are."""
    lines, path, library = lines_in(folder, "seen.txt"), folder / "seen.txt", library_of(who)
    options: Any = {"bpe": {"special_tokens": ()}, "unigram": {"rules": Rules()}}.get(algorithm, {})
    return {
        "ours": lambda: Tokenizer.train(lines, algorithm, size, **options).vocab_size,
        "rustbpe": lambda: train_rustbpe(library, lines, size),
        "gigabpe": lambda: len(
            library.train_bpe(
                [str(path)], vocab_size=size, pretokenizer="bytelevel", min_frequency=0
            )[0]
        ),
        "gigatoken": lambda: 256 + len(library.train_bpe("".join(lines).encode(), size, [])[1]),
        "sentencepiece": lambda: train_sentencepiece(library, lines, size, folder / "model"),
        "tokenizers": lambda: train_tokenizers(library, lines, size, algorithm),
    }[who]


def train_rustbpe(rustbpe: Any, lines: list[str], size: int) -> int:
    """The size of rustbpe's vocabulary."""
    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(lines), size, pattern=PATTERN)
    return len(tokenizer.get_mergeable_ranks())


def train_sentencepiece(sentencepiece: Any, lines: list[str], size: int, path: Path) -> int:
    """The size of sentencepiece's vocabulary."""
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(line.rstrip("\r\n") for line in lines),
            model_writer=file,
            vocab_size=size,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    return Tokenizer.from_sentencepiece(path).vocab_size


def train_tokenizers(tokenizers: Any, lines: list[str], size: int, algorithm: str) -> int:
    """The size of tokenizers' vocabulary."""
    kind, options = {
        "bpe": (tokenizers.ByteLevelBPETokenizer, {}),
        "wordpiece": (tokenizers.BertWordPieceTokenizer, {"limit_alphabet": 1 << 20}),
    }[algorithm]
    tokenizer = kind()
    tokenizer.train_from_iterator(
        lines, vocab_size=size, min_frequency=0, show_progress=False, **options
    )
    return tokenizer.get_vocab_size()


# ------------------------------------------------------------------------------------------------ encoding, decoding


def encode_lines(who: str, folder: Path, algorithm: str, _: int) -> Call:
    """A call that gives a list of ids for each line, by a tokenizer that was trained on other text."""
    path, lines = str(folder / f"{algorithm}.json"), lines_in(folder, "held.txt")
    library = library_of(who)
    batch = {
        "ours": lambda: Tokenizer.load(path).encode_batch,
        "gigatoken": lambda: library.Tokenizer(path).encode_batch_list,
        "nanotoken": lambda: library.Tokenizer(path).encode_batch,
        "tiktoken": lambda: Tokenizer.load(path).to_tiktoken().encode_ordinary_batch,
        "tokenizers": lambda: library.Tokenizer.from_file(path).encode_batch_fast,
        "tokie": lambda: library.Tokenizer.from_json(path).encode_batch,
    }[who]()
    if who in ("gigatoken", "tiktoken"):
        return partial(batch, lines)
    if who == "nanotoken":
        return lambda: batch(lines, add_special_tokens=False).to_list()
    return lambda: [each.ids for each in batch(lines, add_special_tokens=False)]


def encode_lines_to_array(who: str, folder: Path, algorithm: str, _: int) -> Call:
    """The same to one array."""
    path, lines = str(folder / f"{algorithm}.json"), lines_in(folder, "held.txt")
    if who == "gigatoken":
        flatten, encoder = library_of("awkward").flatten, library_of(who).Tokenizer(path)
        return lambda: flatten(encoder.encode_batch(lines)).to_numpy()
    ours = Tokenizer.load(path)
    return lambda: ours.encode_array(lines, add_special_tokens=False)[0]


def opened(who: str, name: str) -> Any:
    """A well-known vocabulary, as a library opens it."""
    if who == "quicktok":
        return library_of(who).get_encoding(name)
    ours = Tokenizer.from_vocabulary(name)
    return ours if who == "ours" else ours.to_tiktoken()


def encoding(who: str, name: str) -> Callable[[str], list[int]]:
    """The function from a text to ids by such a vocabulary."""
    encoder = opened(who, name)
    if who == "ours":
        return lambda string: encoder.encode(string, disallowed_special=()).ids
    return encoder.encode_ordinary


def encode_text(who: str, folder: Path, name: str, _: int) -> Call:
    """A call that gives the ids of one long text by a well-known vocabulary."""
    return partial(encoding(who, name), read(folder, "held.txt"))


def decode(who: str, folder: Path, name: str, _: int) -> Call:
    """A call that gives the text of a long list of ids."""
    return partial(opened(who, name).decode, encode_text("ours", folder, name, 0)())


def short_calls(who: str, folder: Path, name: str, times: int) -> Call:
    """Many calls with a short text."""
    encode = encoding(who, name)
    return lambda: [encode(SHORT) for _ in range(times)]


# What a user would write; `text` is there.
ENCODE_ALONE = {
    "ours": """from subword_lab import Tokenizer
ids = Tokenizer.from_vocabulary("o200k_base").encode(text, disallowed_special=()).ids""",
    "tiktoken": """import tiktoken
ids = tiktoken.get_encoding("o200k_base").encode_ordinary(text)""",
    "quicktok": """import quicktok
ids = quicktok.get_encoding("o200k_base").encode_ordinary(text)""",
}
TRAIN_ALONE = {
    "ours": """from subword_lab import Tokenizer
ids = range(Tokenizer.train(text.splitlines(keepends=True), "bpe", SIZE, special_tokens=()).vocab_size)""",
    "rustbpe": """import rustbpe
tokenizer = rustbpe.Tokenizer()
tokenizer.train_from_iterator(iter(text.splitlines(keepends=True)), SIZE, pattern=PATTERN)
ids = range(len(tokenizer.get_mergeable_ranks()))""",
}
# Where tiktoken looks for o200k_base before it asks the network.
CACHED = "fb374d419588a4632f3f557e76b4b70aebbca790"


def process_alone(who: str, folder: Path, _: str, size: int) -> Call:
    """A call that lets a process of its own do the work, and says how many ids there were."""
    code, name = (TRAIN_ALONE[who], "seen.txt") if size else (ENCODE_ALONE[who], "held.txt")
    lines = [
        f"SIZE, PATTERN = {size}, {PATTERN!r}",
        f"with open({str(folder / name)!r}, encoding='utf-8', newline='') as file:",
        "    text = file.read()",
        code,
        "print(len(ids))",
    ]
    if who == "tiktoken":
        ranks = sorted(opened(who, "o200k_base")._mergeable_ranks.items(), key=itemgetter(1))
        rows = (b"%s %d\n" % (b64encode(token), rank) for token, rank in ranks)
        (folder / CACHED).write_bytes(b"".join(rows))
    environment = {**os.environ, "TIKTOKEN_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", "\n".join(lines)]
    return lambda: int(subprocess.check_output(command, env=environment))


Row = tuple[Callable[[str, Path, str, int], Call], str, int, list[str]]
ROWS: dict[str, Row] = {
    "train BPE, 32,000 tokens": (
        train,
        "bpe",
        32_000,
        ["rustbpe", "gigabpe", "gigatoken", "tokenizers"],
    ),
    "train BPE, a process of its own": (process_alone, "bpe", 32_000, ["rustbpe"]),
    "train WordPiece, 8,000 tokens": (train, "wordpiece", 8_000, ["tokenizers"]),
    "train Unigram, 8,000 tokens": (train, "unigram", 8_000, ["sentencepiece"]),
    "BPE, lines to lists": (
        encode_lines,
        "bpe",
        0,
        ["tokenizers", "tiktoken", "gigatoken", "tokie"],
    ),
    "BPE, lines to one array": (encode_lines_to_array, "bpe", 0, ["gigatoken"]),
    "WordPiece, lines to lists": (
        encode_lines,
        "wordpiece",
        0,
        ["tokenizers", "nanotoken", "tokie"],
    ),
    "Unigram, lines to lists": (encode_lines, "unigram", 0, ["tokenizers"]),
    "cl100k, one text": (encode_text, "cl100k_base", 0, ["tiktoken", "quicktok"]),
    "o200k, one text": (encode_text, "o200k_base", 0, ["tiktoken", "quicktok"]),
    "o200k, a process of its own": (process_alone, "o200k_base", 0, ["tiktoken", "quicktok"]),
    "o200k, ids to text": (decode, "o200k_base", 0, ["tiktoken", "quicktok"]),
    "o200k, 1,000 calls with 60 characters": (
        short_calls,
        "o200k_base",
        1_000,
        ["tiktoken", "quicktok"],
    ),
}


# ------------------------------------------------------------------------------------------------------------ timing


def processor_time() -> float:
    """Seconds of this process, and of those that it started and that have ended."""
    return time.process_time() + sum(os.times()[2:4])


def take_turn(name: str, who: str, folder: Path, calls: int) -> None:
    """In a process of its own: print the seconds of the first call, the median of others, and what came out."""
    make, algorithm, size, _ = ROWS[name]
    call = make(who, folder, algorithm, size)
    times = []
    for _ in range(calls + 1):
        start = processor_time()
        result = call()
        times.append(processor_time() - start)
    if not isinstance(result, int):  # text, or ids, however they are kept
        ids = [row if isinstance(row, (list, str)) else int(row) for row in result]
        result = crc32(repr(ids).encode())
    sys.stdout.write(json.dumps([times[0], median(times[1:]), result]) + "\n")


def compare(name: str, folder: Path, turns: int, calls: int) -> str:
    """A row of the table."""
    rivals = [who for who in ROWS[name][3] if find_spec(who)]
    times: dict[str, list[list[float]]] = {who: [] for who in ["ours", *rivals]}
    for _ in range(turns):
        for who in times:
            turn = f"{name!r}, {who!r}, Path({str(folder)!r}), {calls}"
            code = f"from {__spec__.name} import *; take_turn({turn})"
            done = subprocess.check_output([sys.executable, "-P", "-c", code], text=True)
            times[who].append(json.loads(done.splitlines()[-1]))
    result = times["ours"][0][2]
    # Libraries do not stop at quite the same number of tokens.
    slack = result // 100 if name.startswith("train") else 0
    alike = [who for who in rivals if abs(times[who][0][2] - result) <= slack]
    cells = []
    for column in 0, 1:
        seconds = {who: median(turn[column] for turn in times[who]) for who in times}
        ratios = [f"{who} {seconds[who] / seconds['ours']:.2g}" for who in alike]
        cells += [f"{seconds['ours']:.3f} s", ", ".join(ratios)]
    return f"| {name} | " + " | ".join(cells) + " |\n"


def prepare(corpus: str, folder: Path) -> None:
    """Write both texts, and a trained tokenizer of each algorithm."""
    cut = max(len(corpus) * 2 // 3, len(corpus) - 5 * MEGABYTE)
    cut = corpus.rfind("\n", 0, cut) + 1 or cut
    for name, string in ("seen.txt", corpus[:cut]), ("held.txt", corpus[cut:]):
        (folder / name).write_text(string, encoding="utf-8", newline="")
    for algorithm, size in ("bpe", 32_000), ("wordpiece", 8_000), ("unigram", 8_000):
        tokenizer = Tokenizer.train(lines_in(folder, "seen.txt"), algorithm, size)
        tokenizer.save(folder / f"{algorithm}.json")


def main(argv: list[str] | None = None) -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="one megabyte, one turn")
    parser.add_argument("--turns", type=int, default=3, help="processes a row and library")
    parser.add_argument("--calls", type=int, default=5, help="later calls in each of them")
    parser.add_argument("--rows", default="", help="only rows that begin so")
    options = parser.parse_args(argv)
    size, turns = (MEGABYTE, 1) if options.quick else (15 * MEGABYTE, options.turns)
    corpus = options.file.read_text(encoding="utf-8") if options.file else corpus_of_python(size)
    sys.stdout.write(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores. Seconds of "
        "processor time, and how many times as fast as peers.\n\n"
        "| work | first call | times as fast as | later calls | times as fast as |\n"
        "| --- | --- | --- | --- | --- |\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        prepare(corpus[:size] if options.quick else corpus, Path(folder))
        for name in filter(lambda name: name.startswith(options.rows), ROWS):
            sys.stdout.write(compare(name, Path(folder), turns, options.calls))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
