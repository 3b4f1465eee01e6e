"""Strangers' files: real ones with something changed have to be read as a tokenizer that works, or be a ValueError."""

import base64
import copy
import json

from subword_lab import Tokenizer, text

STRANGE = [
    None,
    True,
    -1,
    0,
    7,
    2**40,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "▁",
    "[UNK]",
    "<0x41>",
    "\ud800",
    "x" * 600,
    [],
    {},
    [[]],
    ["a", "b"],
    {"type": "Sequence"},
    {"type": "NFC"},
    {"String": ""},
    {"Regex": "(a+)+$"},
]
INSERTED = [b"\xff", b"\x00", b"9" * 30, b"[", b'"', b"\n", b" ", b"\xe2\x96\x81", b"1e999"]
SAMPLES = ["", " ", "hug pugs, bün!", "你好\n\t 123", "<|endoftext|>[CLS]<s>", "a" * 300]


def real_files(folder):
    """Files that libraries write, or that have the form of well-known ones, each with the function that reads it."""
    import parity

    lines = parity.languages()[:52]  # English and Russian
    ours = Tokenizer.train(lines, vocab_size=400)
    ranks = ours.to_tiktoken()._mergeable_ranks
    rows = (base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    merges = "".join(f"{left} {right}\n" for left, right in ours.parts.model.merges)
    files = {
        "tekken.json": (json.dumps(tekken()), Tokenizer.load),
        "ranks.tiktoken": (b"".join(rows), Tokenizer.from_tiktoken),
        "vocab.txt": (
            "\n".join(Tokenizer.train(lines, "wordpiece", 400).parts.ids),
            Tokenizer.from_wordpiece_vocab,
        ),
        "vocab.json": (
            json.dumps(ours.parts.ids),
            lambda path: Tokenizer.from_gpt2_files(path, folder / "merges.txt"),
        ),
        "merges.txt": (
            f"#version: 0.2\n{merges}",
            lambda path: Tokenizer.from_gpt2_files(folder / "vocab.json", path),
        ),
    }
    for name in ("unigram", "bpe, bytes"):
        options = parity.SENTENCEPIECE[name] | {"vocab_size": 400}
        model = parity.trained_by_sentencepiece(lines, **options)
        files[f"{name}.model"] = model, Tokenizer.from_sentencepiece
    published = parity.trained_by_tokenizers(lines, vocab_size=400).values()
    for number, theirs in enumerate(published):
        files[f"{number}.json"] = theirs.to_str(), Tokenizer.load
    for name, (content, _) in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(folder / name, read) for name, (_, read) in files.items()]


def tekken():
    """A file in the form of Mistral's tekken.json."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"hu", b"hug", b" hug"]
    return {
        "config": {
            "pattern": max(text.file_patterns(), key=lambda pattern: pattern.count("Lu")),
            "default_vocab_size": 262,
            "default_num_special_tokens": 3,
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate(tokens)
        ],
        "special_tokens": [{"rank": 1, "token_str": "<s>", "is_control": True}],
    }


def mutated(data, rng):
    """The bytes with one to three things changed: bytes, slices, the end; or values, where it is JSON."""
    if data[:1] == b"{" and rng.random() < 0.5:
        content = json.loads(data)
        for _ in range(rng.randint(1, 3)):
            change_value(content, rng)
        return json.dumps(content, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")
    for _ in range(rng.randint(1, 3)):
        place, other = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        other = min(other, place + 40)
        changes = [
            (place + 1, bytes([rng.randrange(256)])),
            (other, b""),
            (place, data[place:other]),
            (place + 1, bytes(byte ^ 1 << rng.randrange(8) for byte in data[place : place + 1])),
            (place, rng.choice(INSERTED)),
            (len(data) if rng.random() < 0.3 else place, b""),
        ]
        until, change = rng.choice(changes)
        data = data[:place] + change + data[until:]
    return data


def change_value(content, rng):
    """Something in a JSON value is changed for something strange, left out, or takes the place of something else."""
    while names := [*content] if isinstance(content, dict) else [*range(len(content))]:
        name = rng.choice(names[:8] + names[-8:] if rng.random() < 0.5 else names)
        if isinstance(content[name], (dict, list)) and content[name] and rng.random() < 0.85:
            content = content[name]
            continue
        chance = rng.random()
        if chance < 0.2:
            del content[name]
        else:
            other = content[rng.choice(names)] if chance < 0.36 else rng.choice(STRANGE)
            content[name] = copy.deepcopy(other)
        return


def works(tokenizer):
    """Every sample is encoded to ids that decode, or refused with a ValueError."""
    for string in SAMPLES:
        try:
            found = tokenizer.encode(string, disallowed_special=())
        except ValueError:
            continue
        assert len(found.ids) == len(found.offsets) == len(found.tokens)
        assert [piece.id for piece in found.pieces] == found.ids
        assert all(0 <= start <= end <= len(string) for start, end in found.offsets)
        tokenizer.decode(found.ids)


def try_one(path, read, data):
    """Whether changed data were read; they either work or are refused, and nothing else."""
    changed = path.with_name("changed" + path.suffix)
    changed.write_bytes(data)
    try:
        tokenizer = read(changed)
    except ValueError as error:
        if str(path.parent) not in str(error):
            raise AssertionError(f"the message does not name the file: {error}") from error
        return False
    works(tokenizer)
    return True
