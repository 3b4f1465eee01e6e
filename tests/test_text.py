"""Normalization, pre-tokenization and word counts; words and offsets are held to the tokenizers library."""

import re
import unicodedata

import library_classes
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Regex, normalizers, pre_tokenizers

from subword_lab import text
from subword_lab.interchange.patterns import PATTERNS

SENTENCE = "Don't you love 🤗 Transformers? We sure do."
SAMPLES = [
    "",
    " ",
    "  two  spaces ",
    "\tTab\r\nline\n\nend\n",
    SENTENCE,
    "they'll WE'LL I'd we've 'tis '",
    "km² x²³ ½kg Ⅷ ①",
    "ကြောင်က ကော်ဇာပေါ်မှာ ထိုင်နေတယ်။ BPE",
    "Кошка сидит на коврике, ёжик тоже.",
    "猫坐在垫子上。2024年",
    "बिल्ली चटाई पर बैठी है।",
    "👩‍👩‍👧‍👦 👍🏽 🇺🇸🇲🇲 ❤️",
    "e\u0301te\u0301 x\u0300\u0323y e\u0301",
    "a_b-c @-@ 3.14 , 1,000",
    "▁under▁score ▁ x",
    "\u00a0nbsp\u2009thin\u3000wide\u200bzero\u0085next",
    "\x00\x07\x1c\x1d\x1e\x1f\x7f\ufffd\ue000\U0010ffff",
    "İstanbul ΟΔΟΣ ﬁ Å",
    "\u1c89\ua7cb\U00010d50\U00016ea0 \U00031350",
    "$1+2=3^4`5|6~7<8>",
]
# Pieces in which the schemes differ, so that random texts are full of them.
PIECES = st.sampled_from(
    [*"'stremd ▁_-.²½\n\u0301\u200d\u1031\u093f\u0085\u00a0🤗猫ё", "  ", "'ll"]
)
TEXTS = st.text() | st.lists(PIECES | st.characters(codec="utf-8"), max_size=30).map("".join)
WITHOUT_SEPARATORS = str.maketrans("", "", "\x1c\x1d\x1e\x1f")


@pytest.fixture(scope="module")
def library():
    """Scheme -> what the tokenizers library makes of a text; + and - are with and without a prefix space."""
    return {
        name: pre_tokenizer.pre_tokenize_str
        for name, pre_tokenizer in {
            "split": pre_tokenizers.WhitespaceSplit(),
            "spaces": pre_tokenizers.WhitespaceSplit(),
            "whitespace": pre_tokenizers.Whitespace(),
            "byte-level": pre_tokenizers.ByteLevel(add_prefix_space=False),
            "byte-level+": pre_tokenizers.ByteLevel(add_prefix_space=True),
            "bert": pre_tokenizers.BertPreTokenizer(),
            "metaspace": pre_tokenizers.Metaspace(),
            "metaspace-": pre_tokenizers.Metaspace(prepend_scheme="never"),
            "characters": pre_tokenizers.Split("", "isolated"),
            **{
                scheme: pre_tokenizers.Sequence(
                    [
                        pre_tokenizers.Split(Regex(pattern), "isolated"),
                        pre_tokenizers.ByteLevel(False, use_regex=False),
                    ]
                )
                for scheme, pattern in PATTERNS.items()
                if scheme != "byte-level"
            },
        }.items()
    }


def differences(string, library):
    """The schemes with which we and the library part on this text."""
    ours = {scheme: text.pre_tokenize(string, scheme) for scheme in text.PATTERNS}
    ours["byte-level+"] = text.pre_tokenize(string, "byte-level", prefix_space=True)
    ours["metaspace-"] = text.pre_tokenize(string, "metaspace", prefix_space=False)
    theirs = {name: pre_tokenize(string) for name, pre_tokenize in library.items()}
    assert ours.keys() == theirs.keys()
    if string != string.translate(WITHOUT_SEPARATORS):
        del ours["split"]
    return [name for name in ours if ours[name] != theirs[name]]


@pytest.mark.parametrize("string", SAMPLES)
def test_words_and_offsets_are_the_library_s(string, library):
    assert differences(string, library) == []


@settings(max_examples=4 * settings.default.max_examples)
@given(string=TEXTS)
def test_words_and_offsets_are_the_library_s_on_any_text(string, library):
    assert differences(string, library) == []


@pytest.mark.slow
def test_words_and_offsets_are_the_library_s_on_wikitext(wikitext_dir, library):
    lines = (wikitext_dir / "valid.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 3760
    assert [(line, parted) for line in lines[::20] if (parted := differences(line, library))] == []


@pytest.mark.slow
def test_code_points_are_in_the_library_s_classes(monkeypatch):
    """All of the alphabets, and of the signs and of what is not assigned every sixteenth."""
    chars = library_classes.ALL[:0x3400] + library_classes.ALL[0x3400::16]
    monkeypatch.setattr(library_classes, "ALL", chars)
    classes, theirs = text._char_classes(0x10FFFF), library_classes.library_classes()
    assert classes.keys() == theirs.keys()
    for name, members in classes.items():
        ours = set().union(*re.findall(f"[{members}]+", chars))
        assert sorted(ours ^ theirs[name]) == [], name


@given(string=TEXTS)
@example("a\x1cb\x1dc\x1ed\x1fe\u0085f\u00a0g\u200bh\ufeffi\u180ej")
def test_split_is_str_split(string):
    assert [word for word, _ in text.pre_tokenize(string, "split")] == string.split()


@given(
    st.text(st.characters(max_codepoint=127), max_size=30), st.sampled_from(sorted(text.PATTERNS))
)
def test_the_shorter_pattern_for_ascii_finds_the_same_words(string, scheme):
    assert text.words(string, scheme) == text.classes(text.PATTERNS[scheme]).findall(string)


def test_the_library_s_counterparts_disagree_with_python_s_re_where_the_docstring_says_so():
    assert [word for word, _ in text.pre_tokenize("km² कि", "whitespace")] == ["km", "²", "कि"]
    assert re.findall(r"\w+|[^\w\s]+", "km² कि") == ["km²", "क", "ि"]


# ------------------------------------------------------------------------------------------------------ normalization


def old_characters(string):
    """The characters that are as old as Unicode 3.2: Python and the library know these, whatever their versions."""
    return "".join(char for char in string if unicodedata.ucd_3_2_0.category(char) != "Cn")


@settings(max_examples=4 * settings.default.max_examples)
@given(string=TEXTS)
@example("Héllò hôw are ü?")
@example("İSTANBUL ΟΔΟΣ ẞ")
@example("कि မြို့ é")
@example("猫cat㐀\U00020000豈")
@example("\x00a\tb\u00a0c\u200bd\ufffde\x85")
def test_steps_are_the_library_s(string):
    string = old_characters(string)
    off = {
        "clean_text": False,
        "handle_chinese_chars": False,
        "strip_accents": False,
        "lowercase": False,
    }
    theirs = {
        "nfc": normalizers.NFC(),
        "nfd": normalizers.NFD(),
        "nfkc": normalizers.NFKC(),
        "nfkd": normalizers.NFKD(),
        "lowercase": normalizers.Lowercase(),
        "strip-accents": normalizers.BertNormalizer(**{**off, "strip_accents": True}),
        "clean": normalizers.BertNormalizer(**{**off, "clean_text": True}),
        "space-chinese": normalizers.BertNormalizer(**{**off, "handle_chinese_chars": True}),
    }
    for step, normalizer in theirs.items():
        assert text.normalize(string, step) == normalizer.normalize_str(string), step


@pytest.mark.parametrize(
    "string, steps, result",
    [
        ("é", ["nfd"], "e\u0301"),
        ("e\u0301", ["nfc"], "é"),
        ("ﬁ ²", ["nfkc"], "fi 2"),
        ("é", ["nfkd"], "e\u0301"),
        ("É", ["strip-accents", "lowercase"], "e"),
        ("É", ["nfd", "strip-accents", "lowercase"], "e"),
        ("5 \u212a", ["strip-accents"], "5 K"),
        ("Ünïcode  ÅÅ", [], "Ünïcode  ÅÅ"),
        ("a\tb\x00c\u200b\n", ["clean"], "a bc "),
        ("a\tb\n", ["clean", "strip"], "a b"),
        ("猫cat", ["space-chinese"], " 猫 cat"),
    ],
)
def test_normalize(string, steps, result):
    assert text.normalize(string, *steps) == result


# -------------------------------------------------------------------------------------------------- word frequencies


def test_word_freqs_keeps_the_order_and_reads_once():
    sentences = iter(["b a", "a c"])
    assert list(text.word_freqs(sentences).items()) == [("b", 1), ("a", 2), ("c", 1)]
    assert list(sentences) == []


@pytest.mark.parametrize(
    "texts, scheme, freqs",
    [
        (["a a."], "split", {"a": 1, "a.": 1}),
        (["a a"], "metaspace", {"▁a": 2}),
        (["a a"], "byte-level", {"a": 1, "Ġa": 1}),
        ([], "whitespace", {}),
    ],
)
def test_word_freqs_takes_every_scheme(texts, scheme, freqs):
    assert text.word_freqs(texts, scheme) == freqs


def test_shipped_counts_are_those_of_the_text(wikitext_dir):
    with open(wikitext_dir / "valid.txt", encoding="utf-8") as lines:
        counted = text.word_freqs(lines)
    assert list(counted.items()) == list(text.load_word_freqs("wikitext-2-validation").items())


# ------------------------------------------------------------------------------------------------ bytes as characters


def test_all_256_bytes_there_and_back():
    alphabet = text.byte_alphabet()
    every = bytes(range(256))
    assert len(set(alphabet)) == 256 and alphabet == sorted(alphabet)
    assert sorted(text.bytes_to_chars(every)) == alphabet
    for data in (every, bytearray(every), memoryview(every)):
        assert text.chars_to_bytes(text.bytes_to_chars(data)) == every
    assert not any(char.isspace() or unicodedata.category(char)[0] in "CZ" for char in alphabet)


def test_steps_may_be_any_iterable():
    assert text.word_freqs(["Hug HUG"], steps=iter(["lowercase"])) == {"hug": 2}
