"""Encoding and decoding in compiled code: the same ids, and the same texts."""

import math
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_fast_training import bert_texts, compiles, texts

from subword_lab import Tokenizer, text
from subword_lab.bpe import BPEModel
from subword_lab.parts import MOST_LETTERS
from subword_lab.pieces import Rules
from subword_lab.text import BERT_STEPS
from subword_lab.unigram import UnigramModel
from subword_lab_fast import engine


def encoder_for(tokenizer):
    return engine.encoder(tokenizer.parts, tokenizer._plain_ids)


@compiles
@given(st.lists(st.one_of(texts, st.just("a hug<|endoftext|>hugs")), max_size=5))
@example(["", "hug pug", "", "", "tokens", ""])
@example(["encode" * 40 + " token" + "tokens" * 8])
def test_byte_level_bpe_is_the_same_compiled(compiled, tokenizer, strings):
    plain = tokenizer.encode_batch(strings, allowed_special="all")
    fast = Tokenizer(tokenizer.parts)
    with compiled():
        batch = fast.encode_batch(strings, allowed_special="all")
        singly = [fast.encode(string, allowed_special="all") for string in strings]
        for special in "all", ():
            options = {"allowed_special": special, "disallowed_special": ()}
            ids, ends = fast.encode_array(strings, **options)
            rows = [each.ids for each in tokenizer.encode_batch(strings, **options)]
            assert [row.tolist() for row in np.split(ids, ends)] == [*rows, []]
        for each, string in zip(batch, strings):
            for ids in each.ids, tuple(each.ids), np.array(each.ids, np.uint16), iter(each.ids):
                assert fast.decode(ids, skip_special_tokens=False) == string
            assert fast.decode(each.ids) == tokenizer.decode(each.ids)
    expected = [(each.ids, each.pieces) for each in plain]
    for encodings in batch, singly:
        assert [(each.ids, each.pieces) for each in encodings] == expected


# ------------------------------------------------------------------------------------ every kind of tokenizer, its ids


def byte_level(scheme, whole=True):
    """whole: words that are tokens are not taken through the merges, which would give others here."""
    parts = Tokenizer.train(text.load_passage().splitlines(), vocab_size=600).parts
    ids = {token: 2 * id for token, id in parts.ids.items()} | {"zug": 1, "ez": 7}
    model = BPEModel([*parts.model.vocab, "zug", "ez"], parts.model.merges)
    return Tokenizer(replace(parts, ids=ids, model=model, schemes=(scheme,), whole_words=whole))


def bert_like(*steps):
    """WordPiece of few tokens, with some of BERT's steps of normalization."""
    corpus = [
        "ab abs bas sab aabb bbaa éa ea 字 猫 가 가a a가",
        "မ\u1039မ a\u0301b a\U0001d160 aba, [a]! i\u0307a ςσΣ",
    ]
    return Tokenizer.train(2 * corpus, "wordpiece", 90, normalization=steps)


def unigrams(spelled=False, **changes):
    """A tokenizer by SentencePiece's rules. spelled: what it does not know, in bytes."""
    lines = [*text.load_passage().splitlines(), "字が é"]
    parts = Tokenizer.train(lines * 2, "unigram", 300, rules=Rules()).parts
    if spelled:
        ids = {f"<0x{byte:02X}>": len(parts.ids) + byte for byte in range(256)}
        specials = (*parts.special_tokens, *ids)
        changes |= {"ids": parts.ids | ids, "special_tokens": specials, "byte_fallback": True}
    return Tokenizer(replace(parts, **changes))


KINDS = {
    **{scheme: partial(byte_level, scheme) for scheme in text.BYTE_LEVEL},
    "byte-level, merged": partial(byte_level, "byte-level", whole=False),
    "bert": partial(bert_like, *sorted(BERT_STEPS)),
    **{step: partial(bert_like, step) for step in sorted(BERT_STEPS)},
    "no step": bert_like,
    "unigram": unigrams,
    "unigram, spelled": partial(unigrams, spelled=True),
    "unigram, apart": partial(unigrams, fuse_unknown=False),
    "unigram, nfkc": partial(unigrams, normalization=("nfkc",)),
}
made = cache(lambda kind: KINDS[kind]())
sentences = st.text("teacup s▁ 字🤗é\t\u3000\xa0\u0301\ufdfa␞\x1e", max_size=90)


@compiles
@pytest.mark.parametrize("kind", KINDS)
@given(st.lists(st.one_of(texts, bert_texts, sentences), max_size=5), st.integers(1, 9))
@example(["hug hugs", "\xff ÿ", "zug ez", "", " ", "sab"], 1)
@example(["a" * 99 + "b", "a" * 101, "ab" * 51 + " ab", "\0" * 120 + "ab", "é" * 60], 1)
@example(["the tea and the cup", "▁", "🤗🤗 é字字", "t" * 70 + "ea" * 40, "\u3000x"], 1)
@example(["tea  cup ▁ ", "tea\tcup\u3000 \xa0", "a␞b ␞", "\x1e", "\ufdfa" * 90, " ▁ tea▁▁ cup"], 1)
@example(["\u0301 \u0301e\u0301", "a  b ab", " a b  ", "é  é a \u3000 b"], 1)
def test_ids_are_the_same_compiled_whole_and_divided_among_processors(kind, strings, block):
    tokenizer, strings = made(kind), [*strings, " ".join(strings), ""]
    expected = [tokenizer._plain_ids(string, True) for string in strings]
    for size, divided in (
        (1 << 17, {"PROCESSORS": 1}),
        (block, {"PROCESSORS": 1}),
        (block, {"PROCESSORS": 3, "MOST_WORDS": 5}),
    ):
        with (
            mock.patch.multiple("subword_lab_fast.encoding", **divided),
            mock.patch("subword_lab_fast.words.BLOCK", size),
        ):
            assert encoder_for(tokenizer).ids(strings, [True] * 9) == expected


@compiles
@pytest.mark.parametrize("loses, stand_in", [("", [0, 6]), ("zxqj", [])])
def test_words_may_be_the_one_that_stands_between_words_or_lose_it(loses, stand_in):
    model = UnigramModel({"▁": 3.0, "h": 2.0, "u": 1.0, "g": 2.0, "▁hu": 2.5, "ug": 1.5}, 13.0)
    ids = {token: id for id, token in enumerate([*model.losses, "<unk>"])}
    rules = Tokenizer.train(["hug hug"], "unigram", 8, rules=Rules()).parts
    encoder = encoder_for(
        Tokenizer(replace(rules, model=model, ids=ids, special_tokens=("<unk>",)))
    )
    encoder.cut = lambda string: string.replace(loses or "\0", "").lower().split()
    assert encoder.ids(["HUG  ug zxqj", "ug UG"], [True, True]) == [
        [4, 3, 0, 5, *stand_in],
        [0, 5, 0, 5],
    ]


@compiles
def test_an_encoder_may_be_asked_by_several_threads(tokenizer):
    lines = text.load_passage().splitlines(keepends=True)
    expected = [tokenizer.encode(line).ids for line in lines]
    encoder = encoder_for(tokenizer)
    with (
        mock.patch("subword_lab_fast.encoding.PROCESSORS", 2),
        mock.patch("subword_lab_fast.words.BLOCK", 100),
        ThreadPoolExecutor(8) as threads,
    ):
        found = [*threads.map(lambda line: encoder.ids([line], [True])[0], 20 * lines)]
    assert found == 20 * expected


@compiles
@pytest.mark.parametrize(
    "known, changes",
    [
        (
            "byte-level",
            [
                {"schemes": ("whitespace",)},
                {"kept_tokens": ("hug",)},
                {"ids": {"far": 1 << 30}},
                {"ids": {"x" * (MOST_LETTERS + 1): 6000}},
            ],
        ),
        (
            "no step",
            [
                {"normalization": ("nfc",)},
                {"schemes": ("whitespace",)},
                {"unknown": None},
                {"longest_word": 1},
            ],
        ),
        (
            "unigram",
            [
                {"schemes": ()},
                {"prefix_space": "every-word"},
                {"unknown": None, "byte_fallback": False},
                {"model": UnigramModel({"▁": 1.0, "t": 1.0}, math.inf)},
                {"model": UnigramModel({"t": 1.0, "e": 1.0})},
            ],
        ),
    ],
)
def test_what_compiled_code_does_not_know_stays_with_python(known, changes):
    parts = made(known).parts
    assert encoder_for(made(known))
    for change in changes:
        ids = {**parts.ids, "hug": 5000, **change.get("ids", {})}
        assert not encoder_for(Tokenizer(replace(parts, **{**change, "ids": ids})))


# ------------------------------------------------------------------------------------------------------ and other ways


@pytest.mark.parametrize(
    "wrong", [[10_000], [0, 10_000], [0, -1], [0, "b"], [0, 1.0], [1 << 40], np.array([-1, 0])]
)
@pytest.mark.parametrize("many", [0, pytest.param(6_000, marks=compiles)])
def test_an_id_that_is_none_is_named(compiled, tokenizer, wrong, many):
    with compiled(), pytest.raises(ValueError, match="which no token has; expected ids of this"):
        tokenizer.decode(wrong if isinstance(wrong, np.ndarray) else [0] * many + wrong)


@compiles
def test_ids_are_decoded_from_arrays_of_any_form():
    decoder = engine.decoder({0: b"h", 1: b"u", 2: b"g"})
    wide = np.array([0, 9, 1, 9, 2, 9])
    packed = np.zeros(3, [("odd", "i1"), ("id", "i8")])
    packed["id"] = 0, 1, 2
    for ids in (
        wide[::2],
        wide[4::-2][::-1],
        packed["id"],
        np.array([0, 1, 2], ">i8"),
        wide[::2].astype("i2"),
    ):
        assert decoder.decode(ids) == b"hug"


def test_ids_that_are_far_apart_are_decoded_without_a_place_for_each(tokenizer):
    ids = {**tokenizer.parts.ids, "<|endoftext|>": 1 << 26}
    far = Tokenizer(replace(tokenizer.parts, ids=ids))
    with mock.patch.object(far, "_decoded", 10**9):
        assert far.decode(tokenizer.encode_ordinary("hug") * 10**4) == "hug" * 10**4
    assert far._decoders == [None, None]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system that splits no processes")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_process_that_is_split_off_does_not_wait_for_threads_that_it_has_not(tokenizer):
    encoder = encoder_for(tokenizer)
    ids = encoder.ids(["hug pugs"], [True])
    with encoder._lock:  # as while another thread encodes
        child = os.fork()
        if not child:
            signal.alarm(20)
            os._exit(encoder.ids(["hug pugs"], [True]) != ids)
    assert os.waitpid(child, 0)[1] == 0


@compiles
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8),
    st.lists(st.integers(0, 2), min_size=2),
)
@example([(0, 0), (3, 3), (3, 0)], [0] * 9)
@example([(2, 0), (1, 2), (0, 1)], [0, 1, 2, 0])
def test_a_long_word_is_merged_as_a_short_one(pairs, word):
    """Merges in any order, so that a pair may be made that goes before the one that made it."""
    from subword_lab_fast import byte_ids, trie

    left, right = np.array(pairs, np.int32).reshape(-1, 2).T.copy()
    tokens = np.arange(3, 3 + len(pairs), dtype=np.int32)
    ranks, results = byte_ids.table_of_merges(left, right, trie.SALT), []
    for merge in byte_ids.merge_short, byte_ids.merge_long:
        ids = np.array(word, np.int32)
        at = np.array([*(byte_ids.rank_of(*pair, ranks) for pair in zip(word, word[1:])), 0])
        results.append(ids[: merge(ids, 0, len(word), ranks, tokens, at)].tolist())
    assert results[0] == results[1]


# What keys were once multiplied by, in every process: for it, words can be written whose slots are near each other.
KNOWN = np.uint64(0x9E3779B97F4A7C15)
OF_LENGTH = np.uint64((8 << 56) * 0xC2B2AE3D27D4EB4F % (1 << 64))


def near(keys, shift, slots):
    """Keys whose slots would all be in a hundredth of so many."""
    return keys[(keys.astype(np.uint64) * KNOWN >> np.uint64(shift)) % slots < slots // 100][:1000]


def taken_by_words():
    from subword_lab_fast.words import Words, finder

    letters = np.random.default_rng(1).integers(97, 123, (1 << 19, 8), np.uint8)
    letters[:, 0] = ord(" ")
    mixed = letters.view(np.uint64).ravel() * KNOWN ^ OF_LENGTH
    words = Words(finder("byte-level"))
    words.read(letters[mixed >> np.uint64(56) == 0].tobytes())
    return words._slots > 0


def taken_by_merges():
    from subword_lab_fast import byte_ids, trie

    keys = near(np.random.default_rng(1).integers(1, 1 << 40, 1 << 18), 40, 2048)
    left, right = np.array([keys >> 20, keys & 0xFFFFF], np.int32)
    return byte_ids.table_of_merges(left, right, trie.SALT)[:-1] != trie.FREE


def taken_by_characters():
    from subword_lab_fast import lattices, word_tree

    chars, table = near(np.arange(1, 0xD800), 24, 2048), np.zeros(2048, np.int32)
    codes, ends = lattices.as_codes([chr(char - 1) for char in chars])
    word_tree.plant(codes, ends, table, lattices.SALT)
    return table > 0


@pytest.mark.parametrize("taken", [taken_by_words, taken_by_merges, taken_by_characters])
def test_nobody_can_write_what_takes_slots_that_are_all_near_each_other(taken):
    assert max(map(len, taken().tobytes().split(b"\0"))) < 300


def test_gigatoken_opens_what_was_trained_here_and_gives_the_same_ids(tokenizer, tmp_path):
    gigatoken = pytest.importorskip("gigatoken")
    tokenizer.save(tmp_path / "tokenizer.json")
    theirs = gigatoken.Tokenizer(tmp_path / "tokenizer.json")
    for string in ["the tea and the cup", text.load_passage(), "x  \n y\u3000z 12½ l'été 🤗"]:
        assert list(theirs.encode(string)) == tokenizer.encode(string).ids
