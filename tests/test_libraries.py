"""The table of libraries, held against the libraries. Of these only tokenizers is needed by the project's tests; the
others are asked where they are installed: pip install sentencepiece subword-nmt tiktoken rustbpe bpeasy"""

import io
import json
import random

import parity
import pytest

from subword_lab import bpe, documented, text
from subword_lab.documented.proofs.shared import by_library

LIBRARIES = {library.name: library for library in documented.libraries()}


def corpora():
    """Small texts with many ties."""
    rng = random.Random(5)
    for _ in range(20):
        words = ["".join(rng.choices("abcde", k=rng.randint(1, 6))) for _ in range(12)]
        yield " ".join(rng.choices(words, k=30))


# -------------------------------------------------------------------------------------- ties: the first ten new tokens


def tokenizers_bpe(line):
    tokenizer = by_library("BPE", "BpeTrainer", ["WhitespaceSplit"], [line], vocab_size=20)
    return ["".join(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]][:10]


def sentencepiece_bpe(line):
    data = parity.trained_by_sentencepiece(
        [line],
        vocab_size=25,
        model_type="bpe",
        normalization_rule_name="identity",
        character_coverage=1.0,
    )
    model = parity.processor(data)
    return [
        piece
        for piece in map(model.id_to_piece, range(3, model.get_piece_size()))
        if len(piece) > 1
    ][:10]


def tiktoken_bpe(line):
    educational = pytest.importorskip("tiktoken._educational")
    return [
        token.decode() for token in list(educational.bpe_train(line, 266, r" ?\S+", None))[256:]
    ]


def rustbpe_bpe(line):
    tokenizer = pytest.importorskip("rustbpe").Tokenizer()
    tokenizer.train_from_iterator(iter([line]), 266, pattern=r" ?\S+")
    return [bytes(token).decode() for token, _ in tokenizer.get_mergeable_ranks()[256:]]


def bpeasy_bpe(line):
    ranks = pytest.importorskip("bpeasy").train_bpe(iter([line]), r" ?\S+", 128, 266)
    return [token.decode() for token in sorted(ranks, key=ranks.get)[256:]]


@pytest.mark.parametrize(
    "name, theirs, scheme",
    [
        ("tokenizers BpeTrainer", tokenizers_bpe, "split"),
        ("sentencepiece BPE", sentencepiece_bpe, "metaspace"),
        ("tiktoken (its educational module)", tiktoken_bpe, "byte-level"),
        ("rustbpe", rustbpe_bpe, "byte-level"),
        ("bpeasy", bpeasy_bpe, "byte-level"),
    ],
)
def test_the_tie_rule_is_the_program_s(name, theirs, scheme):
    ties = LIBRARIES[name].our_ties
    for line in corpora():
        found = theirs(line)
        words = text.word_freqs([line], scheme)
        if scheme == "byte-level":  # the programs' own ids are those of the bytes
            words = {text.chars_to_bytes(word).decode(): freq for word, freq in words.items()}
        ours = bpe.train(
            words,
            num_merges=len(found) + 4,
            ties=ties,
            alphabet=map(chr, range(256)) if scheme == "byte-level" else (),
        )
        assert found and list(dict.fromkeys(map("".join, ours.merges)))[: len(found)] == found


def test_the_tie_rule_of_subword_nmt_is_the_greatest_pair():
    learn = pytest.importorskip("subword_nmt.learn_bpe").learn_bpe
    for line in corpora():
        file = io.StringIO()
        learn(io.StringIO(line), file, 10)
        found = [tuple(row.split()) for row in file.getvalue().splitlines()[1:]]
        words = text.word_freqs([line], "split")
        splits = {word: [*word[:-1], word[-1] + "</w>"] for word in words}
        for pair in found:
            assert pair == bpe.best_pair(
                bpe.pair_freqs(words, splits), LIBRARIES["subword-nmt"].our_ties
            )
            splits = bpe.merge_pair(pair, splits)


# ---------------------------------------------------------------------------------------------------- the table itself


@pytest.mark.parametrize("library", documented.libraries(), ids=lambda library: library.name)
def test_row(library):
    assert library.checked in ("run", "read")
    assert all([library.name, library.ties, library.mark, library.unknown, library.stop])
    if library.our_ties is not None:
        assert bpe.best_pair({("a", "b"): 1}, library.our_ties, ids={"a": 0, "b": 1}) == ("a", "b")


def test_the_version_of_tokenizers_is_the_one_that_is_asked(root):
    wanted = (root / "pyproject.toml").read_text(encoding="utf-8")
    for library in documented.libraries():
        if library.name.startswith("tokenizers"):
            assert f'"tokenizers=={library.version}"' in wanted
