"""SentencePiece's rules: each against the program's own trainers, where they are installed."""

import parity
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, normalization, pieces, text
from subword_lab.normalization import CharMap
from subword_lab.pieces import Rules, script
from subword_lab.preparation import Preparation

TRAINING = [*parity.languages(), *text.load_passage().splitlines()]
# Rules by our names, and the same by the program's.
RULES = [
    ({}, {}),
    ({"digits": True}, {"split_digits": True}),
    ({"scripts": False}, {"split_by_unicode_script": False}),
    ({"longest": 4}, {"max_sentencepiece_length": 4}),
    ({"coverage": 1.0}, {"character_coverage": 1.0}),
    ({"shrink": 0.9, "passes": 1}, {"shrinking_factor": 0.9, "num_sub_iterations": 1}),
    ({"seeds": 500}, {"seed_sentencepiece_size": 500}),
]


def both(algorithm, size, ours, theirs):
    """A tokenizer trained here and one trained there, each by its own name for the same rules."""
    data = parity.trained_by_sentencepiece(
        TRAINING, model_type=algorithm, vocab_size=size, **theirs
    )
    return Tokenizer.train(TRAINING, algorithm, size, rules=Rules(**ours)), parity.from_model(data)


@pytest.mark.slow
@pytest.mark.parametrize("ours, theirs", RULES[:5], ids=str)
def test_bpe_makes_the_very_merges_of_sentencepiece(ours, theirs):
    ours, theirs = both("bpe", 800, ours, theirs)
    assert ours.parts.ids == theirs.parts.ids
    assert ours.parts.model.merges == theirs.parts.model.merges
    for string in parity.languages():
        assert ours.encode(string).ids == theirs.encode(string).ids


@pytest.mark.slow
@pytest.mark.parametrize("ours, theirs", RULES, ids=str)
def test_unigram_has_nearly_the_vocabulary_of_sentencepiece(ours, theirs):
    """Its sums over the ways through a word have 32 bits, so that pieces that are nearly alike may change places."""
    ours, theirs = both("unigram", 400, ours, theirs)
    assert len(ours.parts.ids) == len(theirs.parts.ids) == 400
    assert len(ours.parts.ids.keys() & theirs.parts.ids.keys()) >= 0.97 * 400


@pytest.mark.slow
def test_by_default_unigram_has_the_very_vocabulary_and_cuts_alike():
    ours, theirs = both("unigram", 600, {}, {})
    assert ours.parts.ids.keys() == theirs.parts.ids.keys()
    losses = theirs.parts.model.losses
    assert all(abs(loss - losses[piece]) < 0.01 for piece, loss in ours.parts.model.losses.items())
    assert (
        sum(
            ours.encode(string).tokens != theirs.encode(string).tokens
            for string in parity.languages()
        )
        <= 1
    )


@given(
    st.lists(
        st.sampled_from(
            ["a", "o", " ", "  ", "\t", "\x07", "\u0301", "ﬁ", "②", "が", "か\u3099", "\xa0", "."]
        ),
        max_size=9,
    ).map("".join),
    st.booleans(),
)
def test_the_short_way_through_normalization_leads_to_the_same(as_they_come, string, first):
    tokenizer = as_they_come
    preparation = Preparation(tokenizer.parts)
    assert preparation.in_front is not None
    normal = normalization.apply(string, preparation.steps)
    assert preparation.spaced(string, first) == preparation.with_space(normal, first)
    table, rest, found = tokenizer.parts.normalization[0], string, ""
    while rest:
        length, new, _ = table._longest(rest)
        found, rest = found + (new if length else rest[0]), rest[length or 1 :]
    assert table(string) == found


@pytest.fixture(scope="module")
def as_they_come():
    """A tokenizer read from a file of SentencePiece, with its table of replacements."""
    data = parity.trained_by_sentencepiece(TRAINING, model_type="unigram", vocab_size=500)
    return parity.from_model(data)


def test_words_are_counted_batch_by_batch_as_at_once(monkeypatch):
    texts = ["hug<s>pug", "", " hug", "▁▁hug  pug ", "\0hug \0 pug\0", "<s>", "pug hug"] * 3
    whole = pieces.corpus(texts, borders=["<s>"])
    assert whole == pieces.corpus([text.replace("<s>", "\t") for text in texts])
    assert whole.followed["▁hug▁"] == whole.followed["▁\0hug▁"] == 3 and "\t" not in whole.chars
    monkeypatch.setattr(pieces, "AT_A_TIME", 3)
    assert pieces.corpus(texts, engine="python", borders=["<s>"]) == whole


@pytest.mark.parametrize("algorithm", ["bpe", "unigram"])
def test_a_tokenizer_by_rules_reads_any_text_and_survives_its_file(algorithm):
    made = Tokenizer.train(TRAINING, algorithm, 500, rules=Rules())
    again = parity.loaded(made)
    for string in ["", "hug", " two  spaces \n", "чай茶လက်ဖက်ရည် 2026!", "\U0001f917"]:
        assert again.encode(string).ids == made.encode(string).ids
    assert made.decode(made.encode("The  tea\n").ids) == "The tea"


def test_special_tokens_of_the_texts_are_borders():
    made = Tokenizer.train(["<s>hug", "hug hug<s>hug"] * 9, "bpe", 12, rules=Rules())
    assert not any(char in token for token in made.parts.model.vocab for char in "<>")


def test_seeds_that_are_worth_as_much_come_by_their_code_points():
    made = pieces.seeds(pieces.corpus(["cd ab", "ab cd"]), Rules(seeds=3))
    assert list(made) == ["▁", "a", "b", "c", "d", "▁ab", "▁cd", "ab"]


def test_pieces_keep_to_one_script():
    rules = Rules(longest=5)
    allowed, others = ["▁hugs", "猫の", "e\u0301x", "1,"], ["▁hugsy", "hж", "▁▁", "a1"]
    assert [*filter(rules.allow, allowed + others)] == allowed
    assert Rules(scripts=False).allow("hж1") and not Rules(digits=True).allow("12")


def test_scripts_are_unicode_s():
    unicodedata = pytest.importorskip("fontTools.unicodedata")
    for char in {*"".join(TRAINING), *map(chr, range(0x20, 0x3000, 7))}:
        name = unicodedata.script_name(unicodedata.script(char)).replace(" ", "_")
        if name != "Unknown":
            assert script(char) == {"Hiragana": "Han", "Katakana": "Han", "Inherited": ""}.get(
                name, name
            )


def test_a_table_of_replacements_with_an_entry_of_half_a_character_is_harmless():
    units = [0] * 256
    units[0xC3] = 1 << 10 | 1 << 8 | 0xC3  # an entry of the one byte 0xC3, which begins "é"
    size = (4 * len(units)).to_bytes(4, "little")
    table = CharMap(size + b"".join(unit.to_bytes(4, "little") for unit in units) + b"x\0")
    assert table("hug") == "hug" and table.leaves_ascii
