"""The pipeline: special tokens, offsets, round trips, ids across files, strangers' files, and messages."""

import json
import pickle
import random
import re
import sys
from base64 import b64encode
from dataclasses import replace

import fuzz_files
import parity
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, bpe, normalization, text, training, unigram
from subword_lab.interchange import reading, tokenizers_json
from subword_lab.parts import Parts
from subword_lab.pieces import Rules
from subword_lab.structures.merging import merge_by_rank

LINES = parity.languages()[:52]
BYTES = Tokenizer.train(LINES, vocab_size=500)
BERT = Tokenizer.train(LINES, "wordpiece", 300)
UNIGRAM = Tokenizer.train(LINES, "unigram", 300)


# ---------------------------------------------------------------------------------------------------------- round trip


@given(st.text())
def test_byte_level_gives_back_any_text(string):
    found = BYTES.encode(string, disallowed_special=())
    assert BYTES.decode(found.ids) == string
    assert b"".join(map(text.chars_to_bytes, found.tokens)) == string.encode()


@given(st.text(), st.sampled_from([*text.NORMALIZERS]))
def test_traced_normalization_is_normalization(string, step):
    traced, spans = normalization.trace(string, [step])
    assert traced == normalization.apply(string, [step]) == text.normalize(string, step)
    assert len(spans) == len(traced) and all(
        0 <= start < end <= len(string) for start, end in spans
    )


def test_batches_and_names():
    found = BYTES.encode_batch(["tea", "water"])
    assert [each.ids for each in found] == [BYTES.encode("tea").ids, BYTES.encode("water").ids]
    assert BYTES.id_to_token(0) == "<|endoftext|>" and BYTES.token_to_id("<|endoftext|>") == 0
    assert BYTES.id_to_token(500) is None and BYTES.token_to_id("no such token") is None
    assert repr(BYTES) == "Tokenizer(BPE, 500 tokens, 1 of them special)"
    assert repr(BYTES.encode("t")) == "Encoding(1 token)"


@given(
    st.sampled_from([*text.PATTERNS]),
    st.lists(
        st.sampled_from(
            [*"aé1字,.'▁\n\t\u00a0\u3000\x1c", " ", " ", "  ", " tea", "'ll", "\r\n", "/"]
        )
        | st.characters(codec="utf-8"),
        max_size=20,
    ).map("".join),
)
def test_no_word_reaches_over_a_space_at_which_texts_are_cut(scheme, string):
    tokenizer = Tokenizer(replace(BYTES.parts, schemes=(scheme,)))
    assert tokenizer._ids_of(string) == tokenizer._ids_of(string) == tokenizer._ids_of_words(string)


@pytest.mark.parametrize("scheme", [*text.PATTERNS, *text.file_patterns()])
def test_ids_are_those_of_the_tokens_however_words_are_cut(scheme):
    tokenizer = Tokenizer(replace(BERT.parts, schemes=(scheme,)))
    found = tokenizer.encode("tea 12 tea, a tea")
    assert found.ids == [piece.id for piece in found.pieces]


@pytest.mark.slow
@given(
    st.lists(st.sampled_from("abcd"), max_size=80),
    st.permutations([(a, b) for a in ("a", "b", "ab") for b in ("a", "c", "ab")]),
)
def test_long_words_are_merged_as_short_ones(symbols, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    slow, none = [*symbols], len(ranks)
    while (
        len(slow) > 1
        and min(found := [ranks.get(pair, none) for pair in zip(slow, slow[1:])]) < none
    ):
        place = found.index(min(found))
        slow[place : place + 2] = ["".join(slow[place : place + 2])]
    assert merge_by_rank(symbols, ranks) == slow


# ------------------------------------------------------------------------------------------------------ special tokens


def test_tokenizers_and_encodings_can_be_pickled():
    for tokenizer in BYTES, BERT, UNIGRAM:
        encoding = tokenizer.encode(LINES[0])
        again = pickle.loads(pickle.dumps(tokenizer)).encode(LINES[0])
        kept = pickle.loads(pickle.dumps(encoding))
        assert (
            (kept.ids, kept.pieces) == (again.ids, again.pieces) == (encoding.ids, encoding.pieces)
        )


@given(
    st.lists(
        st.sampled_from(
            ["<|endoftext|>", "[CLS]", "[UNK]", "<s>", "<unk>", "tea ", "<", "|", "[", "CLS", "]"]
        )
    ).map("".join),
    st.sampled_from([BYTES, BERT, UNIGRAM]),
)
def test_no_text_becomes_a_special_token_that_is_not_allowed(string, tokenizer):
    special = {tokenizer.token_to_id(token) for token in tokenizer.parts.special_tokens}
    found = tokenizer.encode(string, disallowed_special=(), add_special_tokens=False).ids
    assert not special.intersection(found) - {tokenizer.token_to_id(str(tokenizer.parts.unknown))}
    present = [token for token in tokenizer.parts.special_tokens if token in string]
    if present:
        with pytest.raises(ValueError, match="the text holds the special token"):
            tokenizer.encode(string)
    tokens = tokenizer.encode(string, allowed_special="all", add_special_tokens=False).tokens
    assert {*present} <= {*tokens}


def test_a_corpus_that_holds_special_tokens_as_text_makes_no_way_to_them():
    tokenizer = Tokenizer.train(["a<|endoftext|>"] * 9, vocab_size=300)
    tokens = tokenizer.encode("a<|endoftext|>", disallowed_special=()).tokens
    assert "".join(tokens) == "a<|endoftext|>" and "<|endoftext|>" not in tokens
    assert (
        Tokenizer.train(["hug hug"], "unigram", 20, special_tokens=["<unk>", "hug"]).token_to_id(
            "hug"
        )
        == 1
    )


def test_special_tokens_are_cut_out_whole():
    tokenizer = Tokenizer.train(["hug"], vocab_size=262, special_tokens=["<a>", "<a><b>"])
    assert tokenizer.encode("hug<a><b>hug<a>", allowed_special="all").tokens == [
        "hug",
        "<a><b>",
        "hug",
        "<a>",
    ]
    found = tokenizer.encode("x<a>", allowed_special=["<a>"])
    assert found.offsets == [(0, 1), (1, 4)] and tokenizer.decode(found.ids) == "x"
    assert tokenizer.decode(found.ids, skip_special_tokens=False) == "x<a>"


# --------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("tokenizer", [BYTES, BERT, UNIGRAM], ids=repr)
def test_ids_stay_the_same_across_save_and_load(tokenizer, tmp_path):
    tokenizer.save(tmp_path / "tokenizer.json")
    again = Tokenizer.load(tmp_path / "tokenizer.json")
    assert again.parts == tokenizer.parts and [*tmp_path.iterdir()] == [tmp_path / "tokenizer.json"]


def test_well_known_files(tmp_path):
    """GPT-2's, BERT's, and a file of ranks, in the forms in which they are handed round."""
    (tmp_path / "vocab.json").write_text(json.dumps(BYTES.parts.ids), encoding="utf-8")
    merges = "".join(f"{left} {right}\n" for left, right in BYTES.parts.model.merges)
    for first in ("#version: 0.2\n", ""):  # which not every file has
        (tmp_path / "merges.txt").write_text(first + merges, encoding="utf-8")
        read = Tokenizer.from_gpt2_files(tmp_path / "vocab.json", tmp_path / "merges.txt")
        assert read.parts == BYTES.parts
    (tmp_path / "vocab.txt").write_text("\n".join(BERT.parts.ids) + "\n", encoding="utf-8")
    read = Tokenizer.from_wordpiece_vocab(tmp_path / "vocab.txt")
    cased = Tokenizer.from_wordpiece_vocab(tmp_path / "vocab.txt", lowercase=False)
    assert [read.encode(line).ids for line in LINES] == [BERT.encode(line).ids for line in LINES]
    assert read.decode(read.encode("Is it tea, water.").ids) == "is it tea, water."
    (tmp_path / "vocab.txt").write_text("\u2003 \t\n".join(BERT.parts.ids), encoding="utf-8")
    assert Tokenizer.from_wordpiece_vocab(tmp_path / "vocab.txt").parts == read.parts
    (tmp_path / "vocab.txt").write_text("[UNK]\nc\x1f\x1c\nd\x0b\n", encoding="utf-8")
    odd = Tokenizer.from_wordpiece_vocab(tmp_path / "vocab.txt")  # ASCII's separators are no spaces
    assert odd.get_vocab() == {"[UNK]": 0, "c\x1f\x1c": 1, "d": 2}
    assert cased.encode("TEA").tokens != read.encode("TEA").tokens == ["[CLS]", "tea", "[SEP]"]


def test_special_tokens_named_beside_a_file_of_ranks_are_in_the_vocabulary(tmp_path):
    lines = [b"%s %d\n" % (b64encode(bytes([byte])), byte) for byte in range(256)]
    (tmp_path / "bytes.tiktoken").write_bytes(b"".join(lines))
    named = {"<|end|>": 256, "<|fim|>": 300}
    parts = Tokenizer.from_tiktoken(tmp_path / "bytes.tiktoken", special_tokens=named).parts
    assert parts.special_tokens == ("<|end|>", "<|fim|>") and named.items() <= parts.ids.items()


@pytest.mark.parametrize(
    "library, call", [("tokenizers", BYTES.to_tokenizers), ("tiktoken", BYTES.to_tiktoken)]
)
def test_every_library_is_optional(monkeypatch, library, call):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=re.escape(f'pip install "subword-lab[{library}]"')):
        call()


@pytest.mark.slow
def test_files_with_something_changed_work_or_are_refused(tmp_path):
    pytest.importorskip("tiktoken")
    rng = random.Random(11)
    for path, read in fuzz_files.real_files(tmp_path):
        data = path.read_bytes()
        assert fuzz_files.try_one(path, read, data)
        tried = [fuzz_files.try_one(path, read, fuzz_files.mutated(data, rng)) for _ in range(15)]
        assert not all(tried)


def by_rules(texts=LINES, **options):
    """A training by SentencePiece's rules."""
    usual = {"algorithm": "bpe", "vocab_size": 300, "rules": Rules()}
    return lambda: Tokenizer.train(texts, **usual | options)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: BYTES.encode(b"tea"), "string is bytes, b'tea'; expected a string"),
        (lambda: BYTES.encode("\ud800"), "string holds the lone surrogate"),
        (
            lambda: BYTES.encode("a", allowed_special=["<s>"]),
            "'<s>' is not a special token; they are '<|endoftext|>'",
        ),
        (
            lambda: BYTES.encode("a<|endoftext|>"),
            "the text holds the special token '<|endoftext|>' at position 1",
        ),
        (lambda: BYTES.encode_batch("tea"), "strings is a single string, 'tea'"),
        (lambda: BYTES.decode([3, 500]), "ids holds 500, which no token has"),
        (lambda: BYTES.decode(5), "ids is int, 5; expected a list of ids"),
        (lambda: BERT.decode(None), "ids is NoneType, None; expected a list of ids"),
        (lambda: BYTES.decode_batch(5), "batch is int, 5; expected lists of ids"),
        (lambda: [*BYTES.decode_stream(5)], "ids is int, 5; expected ids"),
        (lambda: BYTES.encode_batch(5), "strings is int, 5; expected several strings"),
        (lambda: BYTES.decode(["3"]), "ids holds '3', which no token has"),
        (
            lambda: Tokenizer.train(["tea"], special_tokens="<s>"),
            "special_tokens is str, '<s>'; expected a sequence of strings",
        ),
        (
            lambda: Tokenizer.train(["tea"], "gpt"),
            "algorithm is 'gpt'; expected one of 'bpe', 'wordpiece', 'unigram'",
        ),
        (lambda: Tokenizer.train("tea"), "texts is a single string, 'tea'"),
        (
            lambda: Tokenizer.train(["tea"], vocab_size=3),
            "vocab_size is 3, but the special tokens and the alphabet alone are 257",
        ),
        (
            lambda: Tokenizer.train(["tea"], end_of_word="</w>"),
            "end_of_word is '</w>'; a tokenizer's words are marked by",
        ),
        (lambda: BERT.to_tiktoken(), "tiktoken knows byte-level BPE alone"),
        (lambda: Parts(bpe.BPEModel(["a"], []), {}), "the token 'a' has no id"),
        (
            lambda: Parts(bpe.BPEModel(["a"], []), {"a": 0}, ("a",)),
            "'a' is a special token and a token of the model",
        ),
        (
            lambda: Parts(bpe.BPEModel(["a"], []), {"a": 0}, before=("a",)),
            "is put around a text, but is neither among the special tokens nor added",
        ),
        (
            lambda: Parts(unigram.UnigramModel({"a": 1.0}), {"a": 0}, decoder="bytes?"),
            "decoder is 'bytes?'; expected one of",
        ),
        (lambda: BERT.sample("a", 1), "the model is a WordPieceModel, temperature is None"),
        (
            lambda: BYTES.sample("a", 1, temperature=2),
            "expected Unigram with a temperature, or BPE",
        ),
        (lambda: UNIGRAM.sample("a", 1, dropout=0.1), "and dropout is 0.1; expected Unigram"),
        (
            lambda: UNIGRAM.sample("a", 1, temperature=-1),
            "temperature is -1; expected a number above",
        ),
        (lambda: BYTES.sample("a", 1, dropout=2), "dropout is 2; expected a probability between"),
        (lambda: BYTES.sample("a", None), "rng is NoneType, None; expected a Random"),
        (lambda: BYTES.sample(b"a", 1), "string is bytes"),
        (lambda: BYTES.sample("<|endoftext|>", 1), "the text holds the special token"),
        (lambda: BYTES.n_best("a", 2), "the model is a BPEModel, which has no probabilities"),
        (lambda: UNIGRAM.n_best("a", 0), "n is 0; expected a whole number of at least 1"),
        (lambda: UNIGRAM.n_best("</s>", 2), "the text holds the special token"),
        (
            lambda: BERT.with_roles(padding="[PAD]"),
            "a role is 'padding'; expected one of 'bos_token'",
        ),
        (
            lambda: BERT.with_roles(pad_token="hug"),
            "pad_token is 'hug', which is not among the special tokens; make it",
        ),
        (lambda: Rules(longest=0), "longest is 0"),
        (lambda: Rules(coverage=1.5), "coverage is 1.5"),
        (lambda: Rules(shrink=1), "shrink is 1"),
        (lambda: Rules(least="half"), "least is 'half'"),
        (lambda: Rules(seeds=True), "seeds is True"),
        (by_rules(algorithm="wordpiece"), "'wordpiece'"),
        (by_rules(scheme="byte-level"), "byte-level"),
        (by_rules(ties="greatest"), "ties"),
        (by_rules(rules="sentencepiece"), "rules is 'sentencepiece'"),
        (by_rules(vocab_size=5), "vocab_size is 5"),
        (by_rules(["hug"], algorithm="unigram", rules=Rules(least=1000)), "least is 1000"),
        (by_rules(["", " "], algorithm="unigram"), "word_freqs is empty"),
        (by_rules("hug"), "single string"),
    ],
)
def test_what_is_wrong_is_said(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_huge_files_and_vocabularies_are_refused(tmp_path, monkeypatch):
    BYTES.save(tmp_path / "t.json")
    monkeypatch.setattr(reading, "LARGEST_VOCABULARY", 100)
    with pytest.raises(ValueError, match="there are more than 100 tokens"):
        Tokenizer.load(tmp_path / "t.json")
    monkeypatch.setattr(reading, "LARGEST_FILE", 1000)
    with pytest.raises(ValueError, match="is larger than 1,000 bytes, and no tokenizer is"):
        Tokenizer.load(tmp_path / "t.json")


def test_steps_of_bert_are_one_normalizer_in_a_file_if_they_come_in_its_order():
    def written(*steps):
        parts = replace(Tokenizer.train(["hug"], "wordpiece", 20).parts, normalization=steps)
        assert tokenizers_json.from_json(tokenizers_json.to_json(parts)).normalization == steps
        normalizer = tokenizers_json.to_json(parts)["normalizer"]
        return [each["type"] for each in normalizer.get("normalizers", [normalizer])]

    assert written(*training.CUSTOMS["wordpiece"]["normalization"]) == ["BertNormalizer"]
    assert written("strip-accents", "lowercase", "clean", "nfc", "lowercase") == [
        "BertNormalizer",
        "BertNormalizer",
        "NFC",
        "Lowercase",
    ]
