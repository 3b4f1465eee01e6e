"""The engine: the same results as the readable functions, in plain Python and compiled."""

import math
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from subword_lab import Tokenizer, bpe, folders, pieces, streaming, text, unigram, wordpiece
from subword_lab.engine import byte_ids, byte_words, cluster, compiling, word_table
from subword_lab.engine.counting import ByteWords, learn_byte_merges
from subword_lab.engine.encoding import ByteEncoder, Decoder
from subword_lab.engine.suffix_array import as_strings, repeated_pieces
from subword_lab.engine.unigram_texts import UnigramEncoder
from subword_lab.engine.words import BORDER
from subword_lab.pieces import Rules
from subword_lab.text import BERT_STEPS
from subword_lab.unigram import UnigramModel

compiles = pytest.mark.slow  # on a machine that has not done so before, for half a minute
ENGINES = pytest.mark.parametrize("engine", ["python", pytest.param("compiled", marks=compiles)])
TIES = st.sampled_from(["first-seen", "lowest-ids"])

# Few letters, so that ties, runs such as aaaa, and tokens that are made in two ways do occur; and \0, the first
# character that the compiled engine would put between words if none of them held it.
words = st.one_of(
    st.text("ab", min_size=1, max_size=9),
    st.text("abcd", min_size=1, max_size=6),
    st.text("\0aæ字🤗", min_size=1, max_size=5),
    st.integers(1, 14).map(lambda n: "a" * n),
)
corpora = st.dictionaries(words, st.integers(1, 4), min_size=1, max_size=12)
special_tokens = st.lists(
    st.sampled_from(["<|endoftext|>", "ab", "aa", "aaa", "abc", "b", "##ab", "z"]),
    max_size=3,
    unique=True,
)


# ----------------------------------------------------------------------------------------------------------- training


@ENGINES
@given(corpora, TIES, special_tokens, st.sampled_from(["", "</w>", "_x"]), st.integers(0, 40))
def test_bpe_training_equals_the_steps(engine, word_freqs, ties, specials, mark, limit):
    options = {"ties": ties, "special_tokens": specials, "end_of_word": mark, "num_merges": limit}
    steps = list(bpe.train_steps(word_freqs, **options))
    model = bpe.train(word_freqs, engine=engine, **options)
    assert model.merges == [step.pair for step in steps]
    assert not steps or model.vocab == steps[-1].vocab
    assert bool(model.stopped) == (len(steps) < limit)


@ENGINES
@given(corpora, TIES, special_tokens, st.sampled_from(["", "##", "a"]), st.integers(0, 30))
def test_wordpiece_training_by_frequency_equals_the_steps(
    engine, word_freqs, ties, specials, prefix, limit
):
    word_freqs = {
        word.replace("a", "e") if prefix == "a" else word: freq for word, freq in word_freqs.items()
    }
    options = {
        "score": "frequency",
        "ties": ties,
        "special_tokens": specials,
        "prefix": prefix,
        "num_merges": limit,
    }
    steps = list(wordpiece.train_steps(word_freqs, **options))
    model = wordpiece.train(word_freqs, engine=engine, **options)
    assert not steps or model.vocab == steps[-1].vocab


@given(corpora, special_tokens)
def test_tokens_of_one_fingerprint_are_told_apart(word_freqs, specials):
    with mock.patch("subword_lab.engine.pair_rows.PRIME", 3):
        crowded = bpe.train(word_freqs, special_tokens=specials, num_merges=30, engine="python")
    assert crowded == bpe.train(word_freqs, special_tokens=specials, num_merges=30, engine="python")


@compiles
@settings(max_examples=20)
@given(st.dictionaries(words, st.integers(1 << 40, 1 << 60), min_size=1, max_size=4))
def test_counts_that_only_python_can_add_are_left_to_python(word_freqs):
    assert (
        bpe.train(word_freqs, num_merges=5, engine="compiled").merges
        == bpe.train(word_freqs, num_merges=5, engine="python").merges
    )


@pytest.mark.parametrize(
    "options, message",
    [
        ({"engine": "rust"}, "engine is 'rust'; expected one of 'python', 'compiled'"),
        (
            {"engine": "compiled", "ties": "greatest"},
            "engine is 'compiled', which knows no ties='greatest'",
        ),
    ],
)
def test_an_engine_that_cannot_do_it_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bpe.train({"hug": 1}, num_merges=1, **options)
    if "ties" not in options:
        with pytest.raises(ValueError, match="engine is 'rust'"):
            wordpiece.train({"hug": 1}, num_merges=1, **options)


def test_the_compiled_engine_says_what_it_needs(monkeypatch):
    monkeypatch.setattr(compiling, "available", lambda: False)
    with pytest.raises(
        ValueError, match=r"needs numba; install it with pip install subword-lab\[fast\]"
    ):
        bpe.train({"hug": 1}, num_merges=1, engine="compiled")
    assert compiling.choose(None, 10**9, worth=1) == "python"


# ----------------------------------------------------------------------------------------------------------- Unigram

texts = st.text(st.sampled_from("ab'srevltmdl  \n\t12²½é字\u3000\u00a0!?🤗\0"), max_size=70)


@compiles
@given(corpora, st.integers(0, 30), st.booleans(), st.sampled_from(["em", "counting"]))
def test_unigram_training_is_the_same_compiled(word_freqs, size, digamma, method):
    size += len({*"".join(word_freqs)})
    options = {
        "vocab_size": size,
        "initial_size": 2 * size,
        "method": method,
        "digamma": digamma and method == "em",
    }
    models = [unigram.train(word_freqs, engine=engine, **options) for engine in compiling.ENGINES]
    assert models[0].vocab == models[1].vocab
    assert list(models[0].losses.values()) == pytest.approx([*models[1].losses.values()])


spaced = st.lists(
    st.text(st.sampled_from("aabbab12.ж  ▁が字é\0\u0301"), max_size=40), min_size=1, max_size=12
)


@compiles
@given(
    spaced,
    st.builds(
        Rules,
        longest=st.integers(1, 6),
        scripts=st.booleans(),
        digits=st.booleans(),
        seeds=st.integers(1, 40),
        coverage=st.sampled_from([0.8, 0.95, 1.0]),
        least=st.sampled_from([0, 0.5, 2.0]),
    ),
    st.integers(0, 20),
)
@example(["hug hugs pug", " hug", "", "hug▁pugs hugs"] * 3, Rules(), 4)
def test_pieces_by_rules_are_the_same_compiled(texts, rules, size):
    corpora = [pieces.corpus(texts, rules.coverage, engine) for engine in compiling.ENGINES]
    assert corpora[0] == corpora[1]
    if not corpora[0].chars or not corpora[0].words:
        return
    kinds = pieces._kinds(corpora[0], rules)
    codes, ends, scores = repeated_pieces(corpora[0].followed, kinds, rules.longest, rules.seeds)
    seeds = pieces.seeds(corpora[0], rules)
    assert [*seeds.items()] == [
        *corpora[0].chars.items(),
        *zip(as_strings(codes, ends), scores.tolist()),
    ]
    try:
        left = pieces._pruned(corpora[0], size, rules)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:20]):
            pieces._pruned_compiled(corpora[0], size, rules)
        return
    compiled = pieces._pruned_compiled(corpora[0], size, rules)
    assert list(compiled) == list(left)
    assert list(compiled.values()) == pytest.approx([*left.values()])


@pytest.fixture(scope="module", params=["unknown", "bytes", "apart"])
def unigrams(request):
    """A tokenizer by SentencePiece's rules, which spells what it does not know in bytes, or does not join it."""
    parts = Tokenizer.train(
        [*text.load_passage().splitlines(), "字が é"] * 2, "unigram", 300, rules=Rules()
    ).parts
    if request.param == "bytes":
        ids = {f"<0x{byte:02X}>": len(parts.ids) + byte for byte in range(256)}
        parts = replace(
            parts,
            ids={**parts.ids, **ids},
            special_tokens=(*parts.special_tokens, *ids),
            byte_fallback=True,
        )
    return Tokenizer(replace(parts, fuse_unknown=request.param != "apart"))


@compiles
@given(
    st.lists(
        st.one_of(texts, st.text("teacup s▁ 字🤗é\t\u3000\xa0\u0301\ufdfa␞\x1e", max_size=90)),
        max_size=5,
    )
)
@example(["the tea and the cup", "", " ", "▁", "🤗🤗 é字字", "t" * 70 + "ea" * 40, "\u3000x"])
@example(
    [
        "tea  cup ▁ ",
        "tea\tcup\u3000 \xa0",
        "a␞b ␞",
        "\x1e",
        "\ufdfa" * 90,
        " ▁ tea▁▁ cup",
        "\u0301 \u0301e\u0301",
    ]
)
def test_unigram_gives_the_same_ids_compiled(unigrams, strings):
    plain = [each.ids for each in unigrams.encode_batch(strings, disallowed_special=())]
    with mock.patch.multiple("subword_lab.tokenizer", WORTH_COMPILING=0, LONG=0):
        assert unigrams._compiled
        assert [each.ids for each in unigrams.encode_batch(strings, disallowed_special=())] == plain
    joined = "".join(unigrams._spaced(string, True).replace("▁", " ") for string in strings)
    with mock.patch("subword_lab.engine.words.PIECE", 8):
        assert unigrams._compiled.encode(joined) == unigrams._compiled.encode_batch([joined])[0]


@compiles
@pytest.mark.parametrize("normalize", [str.lower, lambda string: string.replace("␞", "").lower()])
def test_words_may_hold_what_stands_in_for_spaces_or_lose_it(normalize):
    losses = {"▁": 3.0, "h": 2.0, "u": 1.0, "g": 2.0, "▁hu": 2.5, "ug": 1.5}
    encoder = UnigramEncoder(
        losses, {token: id for id, token in enumerate(losses)}, 13.0, 9, True, normalize=normalize
    )
    assert encoder.encode(" HUG  ug") == [4, 3, 0, 5]
    assert encoder.encode("ug UG") == [0, 5, 0, 5]


def test_what_the_compiled_unigram_does_not_know_stays_with_python(unigrams):
    parts = unigrams.parts
    for changes in (
        {"schemes": ()},
        {"prefix_space": "every-word"},
        {"unknown": None, "byte_fallback": False},
        {"model": UnigramModel(parts.model.losses, math.inf)},
        {"model": UnigramModel({token: 1.0 for token in parts.model.losses if token != "▁"})},
    ):
        assert not Tokenizer(replace(parts, **changes))._compiled


# ------------------------------------------------------------------------------------------ bytes: words, ids, and back


@pytest.fixture(scope="module")
def model():
    """Byte-level BPE, trained on a few lines of code and prose."""
    functions = [bpe.train, bpe.encode_word, text.pre_tokenize]
    lines = [line for function in functions for line in function.__doc__.splitlines()]
    return bpe.train(
        text.word_freqs(lines, "byte-level"),
        num_merges=300,
        ties="lowest-ids",
        alphabet=text.byte_alphabet(),
    )


def byte_encoder(model):
    return ByteEncoder(
        {text.chars_to_bytes(token): number for token, number in model.ids.items()},
        [(text.chars_to_bytes(left), text.chars_to_bytes(right)) for left, right in model.merges],
    )


encoder = pytest.fixture(byte_encoder, scope="module", name="encoder")


@compiles
@given(st.lists(texts, max_size=5))
@example(["a" * 15 + " " + "a" * 16 + " " + "b" * 16 + " " + "é" * 40 + " " + "é" * 41])
@example(["x  \n y\u3000\u3000z ", "", " ", "x'", "s"])
def test_words_of_bytes_are_those_of_the_scheme_in_first_seen_order(strings):
    counted = ByteWords()
    counted.add_texts(strings)
    freqs = {text.bytes_to_chars(word): freq for word, freq in counted.as_dict().items()}
    assert list(freqs.items()) == list(text.word_freqs(strings, "byte-level").items())
    assert len(counted) == len(freqs)


@compiles
@given(texts, st.integers(1, 12))
def test_where_a_text_is_cut_into_pieces_changes_nothing(string, size):
    whole, pieces, rest = ByteWords(), ByteWords(), b""
    whole.add_texts([string])
    data = string.encode()
    for start in range(0, len(data), size):
        rest += data[start : start + size]
        rest = pieces._read(rest, False, pieces._tally)
    pieces._read(rest + BORDER, True, pieces._tally)
    assert list(pieces.as_dict().items()) == list(whole.as_dict().items())


@compiles
def test_the_table_grows_and_long_words_are_told_apart():
    string = "".join(f" {number % 9000}{'x' * (number % 40)}" for number in range(40_000))
    counted = ByteWords()
    counted.add_texts([string])
    freqs = text.word_freqs([string], "byte-level")
    assert {text.bytes_to_chars(word): freq for word, freq in counted.as_dict().items()} == freqs


@compiles
def test_files_are_counted_and_those_that_are_no_text_are_named(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_bytes("Ein Mädchen, zwei Mädchen\n".encode())
    bad.write_bytes(b"na\xefve")
    counted = ByteWords()
    counted.add_file(good)
    assert counted.as_dict() == {b"Ein": 1, " Mädchen".encode(): 2, b",": 1, b" zwei": 1, b"\n": 1}
    with pytest.raises(ValueError, match=r"bad\.txt is not UTF-8: .* near byte 2"):
        counted.add_file(bad)
    with pytest.raises(FileNotFoundError):
        counted.add_file(tmp_path / "missing.txt")


@compiles
@given(st.lists(texts, min_size=1, max_size=4), st.integers(256, 290), st.booleans())
def test_training_on_counted_bytes_equals_training_on_words(strings, vocab_size, by_place):
    counted = ByteWords()
    counted.add_texts(strings)
    alphabet = text.byte_alphabet()
    ids = [alphabet.index(text.bytes_to_chars(bytes([byte]))) for byte in range(256)]
    merges = learn_byte_merges(counted, alphabet, ids, vocab_size=vocab_size, by_place=by_place)
    word_freqs = text.word_freqs(strings, "byte-level")
    if not word_freqs:
        assert merges == []
        return
    model = bpe.train(
        word_freqs,
        vocab_size=vocab_size,
        alphabet=alphabet,
        ties="first-seen" if by_place else "lowest-ids",
    )
    assert [(model.vocab[left], model.vocab[right]) for left, right, _ in merges] == model.merges


@compiles
@given(texts)
@example("")
@example("encode" * 40 + " token" + "tokens" * 8)
def test_ids_are_those_of_the_readable_encoder_and_decode_to_the_text(model, encoder, string):
    words = [word for word, _ in text.pre_tokenize(string, "byte-level")]
    ids = [model.ids[token] for token in bpe.encode(words, model, method="lowest-rank")]
    assert encoder.encode(string) == encoder.encode_to_array(string).tolist() == ids
    decoder = Decoder([text.chars_to_bytes(token) for token in model.vocab])
    assert decoder.decode(ids) == decoder.decode(np.array(ids, np.int32)) == string.encode()


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8),
    st.lists(st.integers(0, 2), min_size=2),
)
@example([(0, 0), (3, 3), (3, 0)], [0] * 9)
@example([(2, 0), (1, 2), (0, 1)], [0, 1, 2, 0])
def test_a_long_word_is_merged_as_a_short_one(pairs, word):
    """Merges in any order, so that a pair may be made that goes before the one that made it."""
    left, right = np.array(pairs, np.int32).reshape(-1, 2).T
    tokens = np.arange(3, 3 + len(pairs))
    with np.errstate(over="ignore"):
        ranks, results = byte_ids.table_of_merges(left, right), []
        for merge in byte_ids.merge_short, byte_ids.merge_long:
            ids = [*word]
            at = [byte_ids.rank_of(*pair, ranks) for pair in zip(word, word[1:])] + [0]
            results.append(ids[: merge(ids, 0, len(word), ranks, tokens, at)])
    assert results[0] == results[1]


@compiles
def test_a_long_text_and_one_long_word_are_encoded_piece_by_piece(encoder, monkeypatch):
    monkeypatch.setattr("subword_lab.engine.words.PIECE", 64)
    monkeypatch.setattr("subword_lab.engine.encoding.MOST_WORDS", 20)
    string = text.load_passage() + "encode" * 50 + " end"
    fresh = ByteEncoder.encode(encoder, string)
    monkeypatch.undo()
    assert fresh == encoder.encode(string)


@pytest.mark.filterwarnings("ignore:overflow")
def test_words_ids_and_back_before_anything_is_compiled(model, monkeypatch, tmp_path):
    modules = {"byte_words": byte_words, "byte_ids": byte_ids, "word_table": word_table}
    for user in "words", "counting", "encoding":
        monkeypatch.setattr(f"subword_lab.engine.{user}.compiled", modules.get)
    string = text.load_passage() + " x  \n y\u3000z 12½ l'été 🤗 " + "encode" * 9
    (tmp_path / "passage.txt").write_bytes(string.encode())
    counted = ByteWords()
    counted.add_file(tmp_path / "passage.txt")
    freqs = text.word_freqs([string], "byte-level", engine="python")
    assert [*counted.as_dict().items()] == [
        (text.chars_to_bytes(word), freq) for word, freq in freqs.items()
    ]
    ids = byte_encoder(model).encode(string)
    assert [model.vocab[id] for id in ids] == bpe.encode(
        [word for word, _ in text.pre_tokenize(string, "byte-level")], model, method="lowest-rank"
    )
    assert (
        Decoder([text.chars_to_bytes(token) for token in model.vocab]).decode(ids)
        == string.encode()
    )


@compiles
def test_an_encoder_needs_every_byte_and_a_decoder_a_known_id():
    with pytest.raises(ValueError, match=r"ids has no id for b'\\x00'"):
        ByteEncoder({b"a": 0}, [])
    decoder = Decoder([b"a", b"b"])
    assert decoder.decode([0, 1, 1] * 500) == b"abb" * 500
    many = [0] * 2000
    wrong = [[2], [0, 2], [0, -1], [0, "b"], *([*many, end] for end in (2, -1, 1.0, 1 << 40))]
    for ids in [*wrong, np.array([0, 2]), np.array([-1, 0])]:
        with pytest.raises(ValueError, match="expected whole numbers from 0 to 1"):
            decoder.decode(ids)


@compiles
@given(st.lists(texts, max_size=5), st.integers(0, 60))
@example(["hug", "", "pug hug", ""], 1)
def test_words_are_counted_alike_wherever_compiled_code_takes_over(strings, size):
    with mock.patch("subword_lab.text.WORTH_COMPILING", size):
        mixed = text.word_freqs(iter(strings), "byte-level")
    assert list(mixed.items()) == list(
        text.word_freqs(strings, "byte-level", engine="python").items()
    )
    assert mixed == text.word_freqs(strings, "byte-level", engine="compiled")


def test_the_compiled_engine_counts_the_words_of_one_scheme():
    for scheme, steps in ("split", ()), ("byte-level", ("nfc",)), ("bert", ("nfc",)):
        with pytest.raises(
            ValueError, match=f"no scheme '{scheme}' with the steps .*; expected 'byte-level' with"
        ):
            text.word_freqs(["hug"], scheme, steps=steps, engine="compiled")
    with pytest.raises(ValueError, match="engine is 'rust'"):
        text.word_freqs([], engine="rust")
    with pytest.raises(ValueError, match="a member of texts is int"):
        text.word_freqs(["hug", 3], "byte-level", engine="compiled")


@compiles
@given(st.lists(st.one_of(texts, st.just("a hug<|endoftext|>hugs")), max_size=5))
@example(["", "hug pug", "", "", "tokens", ""])
def test_a_tokenizer_gives_the_same_encodings_compiled(tokenizer, strings):
    plain = tokenizer.encode_batch(strings, allowed_special="all")
    with mock.patch.multiple("subword_lab.tokenizer", WORTH_COMPILING=0, LONG=0):
        batch = tokenizer.encode_batch(strings, allowed_special="all")
        singly = [tokenizer.encode(string, allowed_special="all") for string in strings]
    for encodings in batch, singly:
        assert [(each.ids, each.pieces) for each in encodings] == [
            (each.ids, each.pieces) for each in plain
        ]
    assert all(
        tokenizer.decode(each.ids, skip_special_tokens=False) == string
        for each, string in zip(batch, strings)
    )


bert_texts = st.text(
    st.sampled_from(
        "aAbBs  ##,.[]!éÉạ字猫가İΣ½မ🤗\0\t\r\x07\x85\u00a0\u0301\u0323\u1039\u2028\u302e"
        "\u3000\ufffd\U0001d160\U0001d16d"
    ),
    max_size=40,
)


@cache
def bert_like(*steps):
    """WordPiece of few tokens, with some of BERT's steps of normalization."""
    corpus = [
        "ab abs bas sab aabb bbaa éa ea 字 猫 가 가a a가",
        "မ\u1039မ a\u0301b a\U0001d160 aba, [a]! i\u0307a ςσΣ",
    ]
    return Tokenizer.train(2 * corpus, "wordpiece", 90, normalization=steps)


@given(st.lists(bert_texts, max_size=4), st.sets(st.sampled_from(sorted(BERT_STEPS))).map(sorted))
@example(
    ["a" * 99 + "b", "a" * 101, "ab" * 51 + " ab", "\0" * 120 + "ab", "é" * 60], sorted(BERT_STEPS)
)
@example(["", "ab", "", " ", "sab"], [])
def test_wordpiece_gives_the_same_encodings_compiled(strings, steps):
    tokenizer = bert_like(*steps)
    plain = [each.ids for each in tokenizer.encode_batch(strings)]
    with mock.patch.multiple("subword_lab.tokenizer", WORTH_COMPILING=0, LONG=0):
        assert [each.ids for each in tokenizer.encode_batch(strings)] == plain
        assert [tokenizer.encode(string).ids for string in strings] == plain
    for size in 8, 40:
        with mock.patch("subword_lab.engine.words.PIECE", size):
            found = [tokenizer._compiled.encode(string) for string in strings]
        assert found == [ids[1:-1] for ids in plain]


@compiles
@settings(max_examples=25)
@given(st.lists(st.one_of(texts, bert_texts), min_size=1, max_size=5), st.integers(1, 9))
@example(["a  b ab", " a b  ", "é  é a \u3000 b"], 1)
def test_texts_divided_among_processors_have_the_same_ids(
    model, tokenizer, unigrams, strings, size
):
    joined = " ".join(strings)
    for encoder in (
        byte_encoder(model),
        Tokenizer(bert_like(*BERT_STEPS).parts)._compiled,
        unigrams._compiled,
    ):
        one = [encoder.encode(joined), *encoder.encode_batch(strings)]
        with (
            mock.patch.multiple("subword_lab.engine.encoding", PROCESSORS=3, BLOCK=size, BLOCKS=2),
            mock.patch("subword_lab.engine.words.PIECE", 16),
        ):
            assert [encoder.encode(joined), *encoder.encode_batch(strings)] == one
            assert encoder.encode_to_array(joined).tolist() == one[0]


@compiles
def test_an_encoder_may_be_asked_by_several_threads(model):
    encoder, passage = byte_encoder(model), text.load_passage()
    lines = passage.splitlines(keepends=True)
    expected = [byte_encoder(model).encode(line) for line in lines]
    with (
        mock.patch.multiple("subword_lab.engine.encoding", PROCESSORS=2, BLOCK=100),
        ThreadPoolExecutor(8) as threads,
    ):
        assert [*threads.map(encoder.encode, 20 * lines)] == 20 * expected


@given(
    st.lists(bert_texts, max_size=4),
    st.sets(st.sampled_from(sorted(BERT_STEPS))).map(sorted),
    st.integers(0, 60),
)
def test_normalized_words_are_counted_alike(strings, steps, size):
    plain = text.word_freqs(strings, "bert", steps=steps, engine="python")
    assert plain == text.word_freqs([text.normalize(string, *steps) for string in strings], "bert")
    with mock.patch("subword_lab.text.WORTH_COMPILING", size):
        mixed = text.word_freqs(strings, "bert", steps=steps)
    compiled = text.word_freqs(strings, "bert", steps=steps, engine="compiled")
    assert [*plain.items()] == [*mixed.items()] == [*compiled.items()]


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train(text.load_passage().splitlines(), vocab_size=600)


def test_gigatoken_opens_what_was_trained_here_and_gives_the_same_ids(tokenizer, tmp_path):
    gigatoken = pytest.importorskip("gigatoken")
    tokenizer.save(tmp_path / "tokenizer.json")
    theirs = gigatoken.Tokenizer(tmp_path / "tokenizer.json")
    for string in ["the tea and the cup", text.load_passage(), "x  \n y\u3000z 12½ l'été 🤗"]:
        assert list(theirs.encode(string)) == tokenizer.encode(string).ids


@compiles
def test_what_the_compiled_encoder_does_not_know_stays_with_python(tokenizer):
    parts = tokenizer.parts
    assert tokenizer._compiled
    for changes in (
        {"whole_words": True},
        {"schemes": ("cl100k",)},
        {"kept_tokens": ("hug",)},
        {"ids": {**parts.ids, "hug": 1 << 30}},
    ):
        ids = {**parts.ids, "hug": 5000} | changes.pop("ids", {})
        assert not Tokenizer(replace(parts, ids=ids, **changes))._compiled
    parts = bert_like().parts
    assert Tokenizer(parts)._compiled
    for changes in (
        {"normalization": ("nfc",)},
        {"schemes": ("whitespace",)},
        {"unknown": None},
        {"longest_word": 1},
        {"kept_tokens": ("hug",), "ids": {**parts.ids, "hug": 5000}},
    ):
        assert not Tokenizer(replace(parts, **changes))._compiled


def test_a_learner_never_waits_for_a_compiler():
    code = (
        "import sys; from subword_lab import Tokenizer, text; passage = text.load_passage()\n"
        "Tokenizer.train([passage], vocab_size=500).encode_batch(passage.splitlines())\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_first_compilation_is_announced_and_kept(tmp_path):
    code = (
        "from subword_lab.engine.encoding import Decoder; import numpy\n"
        "assert Decoder([b'hug']).decode(numpy.zeros(2, int)) == b'hughug'"
    )
    announced = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        ).stderr
        for _ in range(2)
    ]
    assert (
        announced[0].startswith("subword_lab: compiling the fast engine; this happens once")
        and not announced[1]
    )


# ---------------------------------------------------------------------------------------------------- many machines


@given(
    st.text(st.sampled_from("ab é字 \n\n\r"), max_size=60), st.integers(1, 20), st.integers(2, 9)
)
def test_every_line_of_a_file_is_in_one_part_of_it(tmp_path_factory, string, size, longest):
    path = tmp_path_factory.getbasetemp() / "parts.txt"
    path.write_bytes(string.encode())
    with (
        mock.patch("subword_lab.streaming.LONGEST_LINE", longest),
        mock.patch("subword_lab.engine.cluster.PART", size),
    ):
        with open(path, "rb") as file:
            whole = list(streaming.lines(file, "whole"))
        assert [
            line for part in cluster.parts_of([path]) for line in cluster.lines_of(*part)
        ] == whole
    assert "".join(whole) == string


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_cluster_counts_the_same_in_the_same_order_and_a_worker_that_dies_costs_time_only(
    tmp_path, monkeypatch
):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab[dask]'"
    )
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_text(f"first {number}\n" + text.load_passage() * 3, encoding="utf-8")
    monkeypatch.setattr(cluster, "PART", 5_000)
    expected = text.word_freqs(
        [line for path in paths for line in path.read_text("utf-8").splitlines(keepends=True)]
    )
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two,
        distributed.Client(two, set_as_default=False) as client,
    ):
        assert list(
            text.word_freqs(paths, engine="dask", cluster=two.scheduler_address).items()
        ) == list(expected.items())
        parts = cluster.counted_parts(paths, text.word_freqs, client)
        added = Counter(next(parts))
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        for counts in parts:
            added.update(counts)
        assert list(added.items()) == list(expected.items())
        paths[2].write_bytes(b"fine\n" * 2_000 + b"na\xefve\n")
        with pytest.raises(ValueError, match=r"2\.txt: the byte 0xEF at offset 10002 is no UTF-8"):
            text.word_freqs(paths, engine="dask", cluster=client)
        with pytest.raises(ValueError, match=r"missing\.txt', which cannot be read: No such file"):
            text.word_freqs([tmp_path / "missing.txt"], engine="dask", cluster=client)


@pytest.mark.slow
def test_a_cluster_encodes_a_folder_and_goes_on_where_it_stopped(tokenizer, tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab[dask]'"
    )
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path in paths:
        path.write_text(f"{path.name} <|endoftext|> " + text.load_passage(), encoding="utf-8")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two,
        distributed.Client(two, set_as_default=False) as client,
    ):
        there = folders.encode_files(
            tokenizer, paths, tmp_path / "there", engine="dask", cluster=client
        )
    here = folders.encode_files(tokenizer, paths, tmp_path / "here")
    assert [path.read_bytes() for path in there] == [path.read_bytes() for path in here]


def test_a_folder_is_encoded_file_by_file_and_what_is_done_is_left(tokenizer, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    paths[0].write_text("the tea", encoding="utf-8")
    paths[1].write_bytes(b"na\xefve")
    with pytest.raises(ValueError, match=r"b\.txt: the byte 0xEF at offset 2 is no UTF-8"):
        folders.encode_files(tokenizer, paths, tmp_path / "ids")
    first = (tmp_path / "ids" / "a.txt.npy").stat()
    paths[1].write_text("the cup<|endoftext|>", encoding="utf-8")
    made = folders.encode_files(tokenizer, paths, tmp_path / "ids")
    assert made[0].stat().st_mtime_ns == first.st_mtime_ns
    assert [np.load(path).tolist() for path in made] == [
        tokenizer.encode(string, disallowed_special=()).ids
        for string in ("the tea", "the cup<|endoftext|>")
    ]
    os.utime(paths[0], (first.st_atime + 60, first.st_mtime + 60))
    folders.encode_files(tokenizer, paths, tmp_path / "ids")
    assert made[0].stat().st_mtime_ns > first.st_mtime_ns
    with pytest.raises(ValueError, match=r"two files named 'a\.txt'"):
        folders.encode_files(tokenizer, [paths[0], paths[0]], tmp_path / "ids")


def test_a_cluster_belongs_to_one_engine_and_has_to_be_there(tmp_path):
    with pytest.raises(
        ValueError, match="cluster is 'here'; it belongs to engine='dask', and engine is None"
    ):
        text.word_freqs(["hug"], cluster="here")
    pytest.importorskip("distributed", reason="is an extra: pip install 'subword-lab[dask]'")
    with pytest.raises(ValueError, match="no Dask cluster answers at 'nowhere'"):
        text.word_freqs([], engine="dask", cluster="nowhere")


# -------------------------------------------------------------------------------------------------------- the benchmark


@pytest.mark.slow
def test_the_benchmark_compares_equal_results_and_prints_a_table(root, tmp_path):
    corpus, script = tmp_path / "passage.txt", root / "tests" / "benchmarks" / "speed.py"
    corpus.write_text(text.load_passage() * 3, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, script, "--quick", "--rounds", "1", corpus],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    rows = [
        line.split("|")[1:3] for line in run.stdout.splitlines() if line.startswith("| passage.txt")
    ]
    works = {work.strip() for work, who in rows if who.strip() == "ours"}
    states = "cold", "filled", "known"
    assert {work for work in works if "Unigram" not in work} == {
        f"passage.txt: {work}"
        for work in (
            "training, 2000 tokens",
            "without numba, 2000 tokens",
            "WordPiece, 2000 tokens",
            "a process that trains, 2000 tokens",
            "memory that this adds",
            "decoding a list",
            "decoding an array",
            "1000 calls of 60 characters",
            "a word of 50 KB",
            *(f"ids as lists, {state}" for state in states),
            *(f"ids as arrays, {state}" for state in states),
            *(f"WordPiece, ids as lists, {state}" for state in states),
        )
    }
