"""Files and objects of other libraries: what they say must not be lost on the way in or out."""

import base64
import json
import re
import struct
from dataclasses import replace
from types import SimpleNamespace

import fuzz_files
import parity
import pytest
import tokenizers

from subword_lab import Tokenizer, interchange
from subword_lab.bpe import BPEModel
from subword_lab.interchange.patterns import IN_TIKTOKEN
from subword_lab.parts import BYTE_TOKENS
from subword_lab.unigram import UnigramModel

LINES = ["a hug, hugs and pugs"] * 3


TO_TIKTOKEN = Tokenizer.train(LINES, vocab_size=270, special_tokens=["<|end|>"]).parts


def test_tiktoken_gets_the_special_tokens():
    pytest.importorskip("tiktoken")
    encoding = interchange.to_tiktoken(TO_TIKTOKEN, "ours")
    again = interchange.read_tiktoken(encoding)
    assert again.special_tokens == ("<|end|>",)
    assert again.ids["<|end|>"] == encoding.encode("<|end|>", allowed_special="all")[0]


def test_tiktoken_gets_nothing_that_it_has_no_form_for():
    """Which is said whether it is installed or not."""
    ids, merges = TO_TIKTOKEN.ids, TO_TIKTOKEN.model.merges
    first, second = (left + right for left, right in merges[:2])
    also = {token: number for number, token in enumerate(["YZ", "XY", "XYZ"], 300)}
    other = BPEModel(
        [*TO_TIKTOKEN.model.vocab, *also], [*merges, ("Y", "Z"), ("X", "Y"), ("XY", "Z")]
    )
    swapped, more = {**ids, first: ids[second], second: ids[first]}, {**ids, "<tool>": 300}
    for changes, message in [
        ({"ids": more, "added_tokens": ("<tool>",)}, "no added tokens but special ones"),
        ({"ids": more, "kept_tokens": ("<tool>",)}, "no added tokens but special ones"),
        ({"ids": ids | also, "model": other}, r"'XYZ' is made of \('X', 'YZ'\) in tiktoken"),
        ({"ids": swapped}, f"{second!r} is made after {first!r}, but has the small"),
    ]:
        with pytest.raises(ValueError, match=message):
            interchange.to_tiktoken(replace(TO_TIKTOKEN, **changes), "ours")


# ------------------------------------------------------------------------------------- others' files, in the smallest


def content(vocab, merges=(), added=(), **parts):
    """A file with a BPE model of these tokens; parts: what else it says, of the model too."""
    model = {"type": "BPE", "vocab": {token: id for id, token in enumerate(vocab)}}
    model |= {"merges": [merge.split("+") for merge in merges]} | parts.pop("model", {})
    tokens = [
        {"id": number, "special": False, "normalized": False, "single_word": False}
        | {"lstrip": False, "rstrip": False, **token}
        for number, token in enumerate(added, start=len(vocab))
    ]
    return {"version": "1.0", "added_tokens": tokens, "model": model, **parts}


def both(file):
    """Our tokenizer and the library's, of the same file."""
    full = {"truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": None}
    full |= {"post_processor": None, "decoder": None, **file}
    full["model"] = {"dropout": None, "unk_token": None, **full["model"]}
    return Tokenizer(interchange.from_json(full)), tokenizers.Tokenizer.from_str(json.dumps(full))


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
TRIMMED = {"post_processor": BYTE_LEVEL, "pre_tokenizer": BYTE_LEVEL, "decoder": BYTE_LEVEL}
TO_MARK = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
NFC, LOWER = {"type": "NFC"}, {"type": "Lowercase"}
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
FALLBACK = {"byte_fallback": True, "fuse_unk": True, "unk_token": "<unk>"}
SPACES = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
FROM_MARK = [
    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "ByteFallback"},
    {"type": "Fuse"},
]
LIMITS = {"max_length": 9, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
BY_SCORES = {"vocab": [["<a>", 0.0], ["a", -1.0], ["b", -2.0]]}
BY_BYTES = {"byte_fallback": True, "vocab": [["?", 0], ["a", -1], *([b, -5.0] for b in BYTES)]}
# A table of replacements that takes every "a" away.
ERASES = struct.pack("<99I", 392, *[0] * 96, 1 << 31, 1 << 10 | 1 << 8 | ord("a")) + b"\0"
TABLE = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(ERASES).decode()}
AROUND = {"type": "BertProcessing", "cls": ["a", 0], "sep": ["b", 1]}


def template(shown, ids=(0,)):
    """A post-processor that puts the token a in front, shown in this way and with these ids."""
    a, first, second = (
        {kind: {"id": id, "type_id": 0}}
        for kind, id in [("SpecialToken", "a"), ("Sequence", "A"), ("Sequence", "B")]
    )
    given = {"a": {"id": "a", "ids": [*ids], "tokens": [shown]}}
    named = {"type": "TemplateProcessing", "special_tokens": given}
    return named | {"single": [a, first], "pair": [a, first, second]}


def normalized_tokens(count, *steps):
    """So many added tokens that are normalized in these steps; each begins with an a."""
    rows = [{"id": n + 2, "content": f"a{n}", "normalized": True} for n in range(count)]
    return {"added_tokens": rows, "normalizer": {"type": "Sequence", "normalizers": [*steps]}}


def first_alone(*steps):
    """A file that puts a space in front of the first piece of text, after these steps."""
    first = SPACES | {"prepend_scheme": "first"}
    added = [{"content": "<m>"}, {"content": "(", "normalized": True}]
    normalizer = {"type": "Sequence", "normalizers": [*steps]}
    return content([*"▁abmn1)\u0301"], [], added, pre_tokenizer=first, normalizer=normalizer)


def roberta(trims):
    """A file with RoBERTa's post-processor."""
    around = {"cls": ["<s>", 3], "sep": ["<s>", 3], "add_prefix_space": True}
    around |= {"type": "RobertaProcessing", "trim_offsets": trims}
    added = [{"content": "<s>", "special": True}]
    return content(["Ġ", "a", "Ġa"], ["Ġ+a"], added, **TRIMMED | {"post_processor": around})


LITTLE = {
    "offsets as RoBERTa trims them": (roberta(True), ["a a", "  a a "]),
    "offsets as RoBERTa leaves them": (roberta(False), ["a a", "  a a "]),
    "an added token of spaces, with a normalizer": (
        content(["Ġ", "a"], [], [{"content": "  ", "normalized": True}], normalizer=NFC, **TRIMMED),
        ["  ", "a  a", " a   a "],
    ),
    "merges that make an added token": (
        content(["▁", "a", "▁▁"], ["▁+▁"], [{"id": 2, "content": "▁▁"}], normalizer=TO_MARK),
        ["  ", "a   a", "▁▁ "],
    ),
    "a text that looks like bytes": (
        content(
            ["<unk>", *BYTES, *"▁<0x41>A"],
            [],
            model=FALLBACK,
            decoder={"type": "Sequence", "decoders": FROM_MARK},
        ),
        ["<0x41>", "<0x0A>", "é<0x41>é", "猫"],
    ),
    "offsets without spaces, and no prefix": (
        content(["Ġ", "a", "Ġa"], ["Ġ+a"], **TRIMMED),
        [" a", "  a a "],
    ),
    "offsets where one is put in front": (
        content(["Ġ", "a", "Ġa"], ["Ġ+a"], **TRIMMED)
        | {"post_processor": {**BYTE_LEVEL, "add_prefix_space": True}},
        [" a", "  a a "],
    ),
    "offsets where one is put in front of what is cut at the left": (
        content(["Ġ", "a", "Ġa"], ["Ġ+a"], **TRIMMED)
        | {"post_processor": {**BYTE_LEVEL, "add_prefix_space": True}}
        | {"truncation": LIMITS | {"max_length": 1, "direction": "Left"}},
        ["a a", "aa"],
    ),
    "a mask that takes in the space before it": (
        content(
            ["Ġ", "a"], [], [{"content": "<mask>", "special": True, "lstrip": True}], **TRIMMED
        ),
        ["a <mask> a", "<mask>", " \n <mask><mask> "],
    ),
    "single words": (
        content([*"abc _."], [], [{"content": "ab", "single_word": True, "rstrip": True}]),
        ["ab", "cab ab  c", "ab_", "ab. ab"],
    ),
    "tokens that are looked for after others, though there is no normalizer": (
        content([*"abc"], [], [{"content": "ab", "normalized": True}, {"content": "bc"}]),
        ["abc", "ab", "abcab"],
    ),
    "spaces that take in others": (
        content(["a"], [], [{"content": " ", "lstrip": True, "rstrip": True}]),
        ["a a", "a   a", "  "],
    ),
    "tokens that are normalized": (
        content(
            [*"abm[] "],
            [],
            [{"content": "[M]", "special": True, "normalized": True}],
            normalizer=LOWER,
        ),
        ["a[M]b", "[m]", "a [m]"],
    ),
    "tokens that are normalized, in bytes": (
        content(
            [*"abm[]x"],
            [],
            [{"content": "[M]", "special": True, "normalized": True}]
            + [{"content": "X", "normalized": True}, {"content": "[m]", "special": True}],
            normalizer=LOWER,
            **TRIMMED,
        ),
        ["a[M]b", "aXxb[m]"],
    ),
    "a space before the first character alone, if normalization has left it there": (
        first_alone({"type": "Strip", "strip_left": True, "strip_right": False}, LOWER),
        ["Ab", " ab", "  ▁ab", "\ta b", "<m> a", " <m> a", ""],
    ),
    "the same where only spaces are evened out": (
        first_alone(
            {"type": "Replace", "pattern": {"Regex": r"\A +|[ ▁]+\z"}, "content": ""},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        ),
        ["ab", " ab", "  a  b ", "<m> a", " <m> a", " ", ""],
    ),
    "the same where a character becomes two, and one of these a token": (
        first_alone({"type": "NFKD"}),
        ["\u2474ab", "\u0301a", "\u2474"],
    ),
    "a decoder that takes every mark of the first token": (
        content([*"▁ab", "▁▁"], ["▁+▁"], pre_tokenizer=SPACES | {"split": False}, decoder=SPACES),
        ["▁▁a▁b", "a b"],
    ),
    "a model without a type": (
        content(["Ġ", "a", "Ġa"], ["Ġ+a"], **TRIMMED, model={"type": None}),
        [" a a"],
    ),
    "offsets where a control character is no space": (
        content(["a", "\x1c", "\x1ca"], ["\x1c+a"], post_processor=BYTE_LEVEL),
        ["\x1ca", "a\x1ca"],
    ),
    "an unknown token that texts can become": (
        content([*"abc", "bc"], ["b+c"], model={"unk_token": "a", "fuse_unk": True}),
        ["bc", "xxabc", "axxa", "xa"],
    ),
    "an unknown token that is a word": (
        content([*"ab", "ab"], model={"unk_token": "ab", "ignore_merges": True}),
        ["ab", "abx"],
    ),
    "a merge that stands twice": (
        content([*"abc", "ab", "bc"], ["a+b", "b+c", "a+b"]),
        ["abc", "ab"],
    ),
    "unknown characters that are a token together": (
        content(["<unk>", "x", "ab"], model={"unk_token": "<unk>", "fuse_unk": True}),
        ["xaba", "xabab", "abx"],
    ),
    "a byte's token in the text": (
        content([], model={"type": "Unigram", "unk_id": 0, "merges": None, **BY_BYTES}),
        ["<0x41>", "a<0x41>é", "a"],
    ),
    "an unknown piece that texts hold": (
        content([], model={"type": "Unigram", "unk_id": 0, "merges": None, **BY_SCORES}),
        ["a<a>b", "x<a>", "<a>x<a>", "<a>", "a"],
    ),
    "a long token": (
        content(["a", "b", "a" * 600], [], model={"ignore_merges": True}),
        ["a" * 600, "ab"],
    ),
    "rows of a length": (
        content(["a", "b"], [], [{"content": "[P]", "special": True}])
        | {
            "truncation": {
                "max_length": 4,
                "strategy": "LongestFirst",
                "stride": 0,
                "direction": "Left",
            },
            "padding": {
                "strategy": {"Fixed": 4},
                "direction": "Left",
                "pad_to_multiple_of": None,
                "pad_id": 2,
                "pad_type_id": 0,
                "pad_token": "[P]",
            },
        },
        ["ab", "abaab", ""],
    ),
}


@pytest.mark.parametrize("name", LITTLE)
def test_others_files_in_the_smallest(name):
    file, strings = LITTLE[name]
    if file["model"].get("type") is None:
        del file["model"]["type"]
    ours, theirs = both(file)
    again = parity.loaded(ours)
    for string in strings:
        reference = theirs.encode(string)
        for each in ours, again:
            found = each.encode(string, allowed_special="all")
            for what in parity.WHAT:
                assert getattr(found, what) == getattr(reference, what), (what, string)
            for skip in (True, False):
                shown = each.decode(found.ids, skip_special_tokens=skip)
                assert shown == theirs.decode(reference.ids, skip), string


@pytest.mark.parametrize(
    "change, message",
    [
        (
            {"pre_tokenizer": {"type": "UnicodeScripts"}},
            "'UnicodeScripts'} is not known here; the tokenizers",
        ),
        (
            {"normalizer": {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}},
            "the normalizer",
        ),
        (
            {"padding": {"strategy": {"Fixed": 1 << 40}}},
            "strategy of the padding is 1099511627776; expected",
        ),
        ({"padding": {"strategy": 4}}, "strategy of the padding is 4; expected dict"),
        (
            content(["<unk>", *BYTES[1:]], model=FALLBACK),
            "byte_fallback with 255 of the 256 tokens",
        ),
        (
            {"post_processor": {"type": "Sequence", "processors": [BYTE_LEVEL, BYTE_LEVEL]}},
            "the post-processor",
        ),
        (
            content(
                ["<unk>", *BYTES],
                model=FALLBACK,
                decoder={"type": "Sequence", "decoders": FROM_MARK[::-1]},
            ),
            "does not belong to this model",
        ),
        (
            content(
                [],
                model={"type": "Unigram", "unk_id": None, "vocab": [["a", 0.0]]},
                decoder={"type": "BPEDecoder", "suffix": ""},
            ),
            "does not belong to this model",
        ),
        (
            {"truncation": {"max_length": -1}},
            "max_length of the truncation is -1; expected a whole number",
        ),
        (
            {"added_tokens": [{"id": 9, "content": "x"}]},
            "'x' has the id 9; expected 2, the next one after",
        ),
        (
            {
                "added_tokens": [
                    {"id": n + 2, "content": t, "normalized": True} for n, t in enumerate("xX")
                ],
                "normalizer": LOWER,
            },
            "normalization makes 'x' of the added token 'X', by which it cannot be recognized",
        ),
        (
            {"pre_tokenizer": SPACES | {"add_prefix_space": False}},
            "the add_prefix_space of a Metaspace is false, but its prepend_scheme 'always'",
        ),
        (
            {"pre_tokenizer": SPACES, "decoder": SPACES | {"replacement": "-"}},
            "the decoder [{'type': 'Metaspace', 'replacement': '-'",
        ),
        (
            {"post_processor": template("M")},
            "post-processing shows 'a' as ['M']; expected the token itself",
        ),
        (
            {"post_processor": {"type": "Sequence", "processors": [AROUND, template("a")]}},
            "the post-processor {'type': 'TemplateProcessing'",
        ),
        (
            normalized_tokens(60_000, *[NFC, LOWER] * 8),
            "60,000 added tokens are normalized in 16 steps, which",
        ),
        (  # also of what they become on the way
            normalized_tokens(
                1_000,
                *[{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 32}] * 2,
                *[TO_MARK] * 14,
            ),
            "1,000 added tokens are normalized in 16 steps, which",
        ),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [TO_MARK] * 17}},
            "has 17 parts; expected at most 16",
        ),
        (
            {"post_processor": template("a") | {"single": [{"Sequence": {"id": "A"}}] * 17}},
            "has 17 parts; expected at most 16",
        ),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [TABLE] * 3}},
            "normalization goes through 3 tables of replacements; expected at most 2",
        ),
        (
            {"padding": LIMITS | {"strategy": {"Fixed": 200_000}}},
            "strategy of the padding is 200000; expected at most 32,768",
        ),
        (
            content(["<unk>", *BYTES, BYTES[9] * 2], [f"{BYTES[9]}+{BYTES[9]}"], model=FALLBACK),
            "('<0x09>', '<0x09>') merges a token that stands for what is unknown",
        ),
        (
            content(["?", "a", "?a"], ["?+a"], model={"unk_token": "?"}),
            "('?', 'a') merges a token that stands for what is unknown",
        ),
        ({"truncation": {"max_length": 5}}, "stride of the truncation is None; expected a whole"),
        ({"model": None}, "model is None; expected dict"),
        (content(["a"], model={"type": "WordLevel"}), "the model 'WordLevel' is not known here"),
        (content([], model={"vocab": {"a": 3, "b": 3}}), "'a' and 'b' both have the id 3"),
        (
            content([], model={"vocab": {"a": -1}}),
            "the id of 'a' is -1; expected a whole number from 0",
        ),
        (content([], model={"vocab": {"a": "7"}}), "the id of 'a' is '7'; expected int"),
        (content(["x" * 20_000]), "is among the tokens; expected strings of 1 to 16384 characters"),
        (content(["a"], model={"unk_token": "?"}), "unk_token is '?', which is not in the vocab"),
        (
            content(["a"], [], [{"id": 9, "content": "a"}]),
            "'a' has the id 0 in the vocabulary, and 9 among the added tokens",
        ),
        (
            content(["a"], [], [{"id": 0, "content": "<late>"}]),
            "the added token '<late>' has the id 0; expected 1, the next one after the vocabulary",
        ),
        (
            {
                "pre_tokenizer": {
                    "type": "Split",
                    "pattern": {"Regex": "(a+)+$"},
                    "behavior": "Isolated",
                    "invert": False,
                }
            },
            "words are cut by the pattern '(a+)+$', which is not one of those known here",
        ),
        ({"normalizer": {"type": "Nmt"}}, "the normalizer {'type': 'Nmt'} is not known here"),
        (
            {"post_processor": template("a", ids=[7])},
            "post-processing gives 'a' the ids [7]",
        ),
        (
            {"post_processor": template("a") | {"single": []}},
            "the template for single texts holds the texts []",
        ),
        (
            content(
                ["a"],
                model={
                    "type": "WordPiece",
                    "unk_token": "a",
                    "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100,
                },
                decoder={"type": "WordPiece", "prefix": "@@", "cleanup": True},
            ),
            "does not belong to this model",
        ),
        (
            {"truncation": LIMITS | {"max_length": 3, "stride": 3}},
            "stride of the truncation is 3; expected less than its max_length, 3",
        ),
    ],
)
def test_what_is_not_known_is_refused(change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        interchange.from_json(content(["a", "b"]) | change)


def test_very_many_tokens_may_be_normalized_in_a_step():
    assert interchange.from_json(content("ab") | normalized_tokens(60_000, LOWER)).ids["a9"] == 11


@pytest.mark.parametrize("behavior", ["Removed", "MergedWithPrevious", "Contiguous"])
def test_tokens_are_kept_only_where_they_are_words_of_their_own(behavior):
    split = {"type": "Split", "pattern": {"Regex": "ab|a"}, "invert": False}
    file = content(["a", "b", "ab"], ["a+b"], model={"ignore_merges": True})
    kept = interchange.from_json(file | {"pre_tokenizer": split | {"behavior": "Isolated"}})
    assert Tokenizer(kept).encode("babab").tokens == ["b", "ab", "ab"]
    name = {"pattern": {"Regex": "digits"}, "behavior": "Isolated"}  # of a pattern, and none itself
    for other in {"behavior": behavior}, name:
        with pytest.raises(ValueError, match=r"the pre-tokenizer .* is not known here"):
            interchange.from_json(file | {"pre_tokenizer": split | other})


def test_a_pattern_that_libraries_read_differently_is_read_as_each_does():
    pattern = next(each for each in IN_TIKTOKEN if "{1,3}+" in each)
    split = {"pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    file = content([*"12345", "34"], ["3+4"]) | {"pre_tokenizer": split | {"type": "Split"}}
    ours = Tokenizer(interchange.from_json(file))
    assert ours.encode("12345").tokens == ["1", "2", "34", "5"]
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"34": 256}
    encoding = SimpleNamespace(_mergeable_ranks=ranks, _special_tokens={}, _pat_str=pattern)
    assert Tokenizer.from_tiktoken(encoding).encode("12345").tokens == [*"12345"]


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_pieces_that_users_define_are_kept_when_a_model_is_saved(kind):
    data = parity.trained_by_sentencepiece(
        parity.languages(),
        model_type=kind,
        user_defined_symbols=["<sep>", "ing", ".", "the"],
        vocab_size=1000,
    )
    ours, processor = parity.from_model(data), parity.processor(data)
    library, again = ours.to_tokenizers(), parity.loaded(ours)
    for string in [
        "ing",
        "making tea. the<sep>ing",
        "<sep> the .",
        "a",
        "▁▁a▁b",
        *parity.languages()[:20],
    ]:
        ids = processor.encode(string)
        assert (
            ids == ours.encode(string).ids == again.encode(string).ids == library.encode(string).ids
        )
        if processor.unk_id() not in ids:
            assert processor.decode(ids) == ours.decode(ids) == again.decode(ids)


def piece(text, score, kind):
    """A piece as SentencePiece's files have it."""
    data = text.encode()
    fields = bytes([0x0A, len(data)]) + data + b"\x15" + struct.pack("<f", score)
    return bytes([0x0A, len(fields) + 2]) + fields + bytes([0x18, kind])


NORMAL, UNKNOWN, CONTROL, DEFINED, _, BYTE = range(1, 7)
OF_UNIGRAM, OF_BPE = (bytes([0x12, 2, 0x18, kind]) for kind in (1, 2))
LEFT_ALONE = b"\x1a\x04\x18\x00\x20\x00"  # no normalization, no space in front


def model(*parts):
    """The bytes of a model of these pieces, with one for what is unknown, and other parts as they are."""
    rows = [("<unk>", 0, UNKNOWN), *parts]
    return b"".join(part if isinstance(part, bytes) else piece(*part) for part in rows)


@pytest.mark.parametrize("defined", ["b", "bb", "é", "bébé"])
@pytest.mark.parametrize("score", [-9, -1.2, -1.05, -0.95, -0.85, -0.75, -0.4, 1])
def test_what_users_define_competes_as_in_sentencepiece(defined, score):
    pieces = [("a", -1, NORMAL), ("a" + defined, score, NORMAL), (defined, 0, DEFINED)]
    data = model(*pieces, ("▁", -30, NORMAL), OF_UNIGRAM, LEFT_ALONE)
    theirs = parity.processor(data).encode("a" + defined)
    assert parity.from_model(data).encode("a" + defined).ids == theirs


@pytest.mark.parametrize(
    "score, tokens", [(0.0, ["ab", "c"]), (-0.0, ["a", "bc"]), (-1.0, ["a", "bc"])]
)
def test_of_pieces_with_equal_scores_the_leftmost_is_merged(score, tokens, tmp_path):
    letters, pairs = (
        [(char, -9, NORMAL) for char in "abc"],
        [("bc", 0, NORMAL), ("ab", score, NORMAL)],
    )
    data = model(*letters, *pairs, OF_BPE, LEFT_ALONE)
    ours = parity.from_model(data)
    assert ours.encode("abc").tokens == ours.cut_down(6).encode("abc").tokens == tokens
    if tokens == ["ab", "c"]:
        with pytest.raises(ValueError, match="has no form in this format"):
            ours.save(tmp_path / "t.json")
    assert parity.processor(data).encode("abc", out_type=str) == tokens


def test_a_text_of_which_nothing_is_left_still_gets_its_space():
    """Where spaces are kept, as SentencePiece has it."""
    keeps = b"\x1a\x92\x03\x12\x8d\x03" + ERASES + b"\x20\x00"
    ours = parity.from_model(model(("▁", -1, NORMAL), ("b", -2, NORMAL), OF_BPE, keeps))
    assert [ours.encode(string).tokens for string in ("a", "", "ab")] == [["▁"], [], ["▁", "b"]]


@pytest.mark.parametrize("kind", [OF_UNIGRAM, OF_BPE])
@pytest.mark.parametrize("defined", ["ba", "a"])
def test_what_users_define_is_not_normalized(kind, defined):
    keeps = b"\x1a\x94\x03\x12\x8d\x03" + ERASES + b"\x18\x00\x20\x00"
    ours = parity.from_model(model(("b", -2, NORMAL), (defined, 0, DEFINED), kind, keeps))
    for each in ours, parity.loaded(ours):
        found = each.encode("abab")
        tokens = {"ba": ["ba", "b"], "a": ["a", "b", "a", "b"]}[defined]
        assert (found.tokens, found.ids) == (tokens, [ours.token_to_id(token) for token in tokens])
    assert found.offsets[-1] == (3, 4)


@pytest.mark.parametrize(
    "parts, message",
    [
        (
            [("a", 0, NORMAL), ("ab", -1, NORMAL), OF_BPE],
            "the character 'b' stands in its pieces",
        ),
        ([("a", 0, NORMAL), ("<0x00>", 0, BYTE), OF_BPE], "1 of its pieces stand for bytes"),
        (
            [("a", 0, NORMAL), *((token, 0, BYTE) for token in [*BYTES[1:], "b"]), OF_BPE],
            "256 of its pieces stand for bytes",
        ),
        (
            [("a", -1, NORMAL), OF_UNIGRAM, b"\x2a\x03\x12\x01x"],
            ".*has replacements for decoding",
        ),
    ],
)
def test_a_model_that_lacks_parts_or_changes_texts_when_it_decodes_is_refused(parts, message):
    with pytest.raises(ValueError, match=rf"m\.model: {message}"):
        parity.from_model(model(*parts, LEFT_ALONE))


@pytest.mark.parametrize(
    "becomes, flags, message",
    [
        (b"a  b", b"", "puts spaces in a row into a text"),
        (b"a", b"\x20\x00", "replaces spaces, all of which it keeps"),
    ],
)
def test_a_table_of_replacements_that_reckons_with_spaces_otherwise_is_refused(
    becomes, flags, message
):
    units = [0] * 48
    units[32], units[33] = 1 << 10 | 1 << 8 | 32, 1 << 31  # one entry, a space
    table = struct.pack("<49I", 192, *units) + becomes + b"\0"
    table = bytes([0x12, len(table) & 127 | 128, 1]) + table + flags
    table = bytes([0x1A, len(table) & 127 | 128, 1]) + table
    with pytest.raises(ValueError, match=rf"m\.model: its table of replacements {message}"):
        parity.from_model(model(("a", -1, NORMAL), OF_UNIGRAM, table))


def test_a_model_may_say_that_it_has_no_replacements_for_decoding():
    data = model(("a", -1, NORMAL), OF_UNIGRAM, LEFT_ALONE, b"\x2a\x00")
    assert parity.from_model(data).decode([1]) == "a"


def test_no_word_of_a_saved_model_is_a_byte():
    options = {"model_type": "bpe", "user_defined_symbols": ["ing"], "byte_fallback": True}
    ours = parity.from_model(parity.trained_by_sentencepiece(parity.languages(), **options))
    again = parity.loaded(ours)
    for string in ["ing<0x41>", "<0x41>", "ing<0x41>ing猫"]:
        assert again.encode(string).ids == ours.encode(string).ids
        assert again.decode(again.encode(string).ids) == string


def test_mistral_s_file_and_whisper_s_line(tmp_path):
    content = fuzz_files.tekken()
    (tmp_path / "tekken.json").write_text(json.dumps(content))
    tokenizer = Tokenizer.load(tmp_path / "tekken.json")
    assert tokenizer.encode("hug hugé").tokens == ["hug", "Ġhug", "Ã", "©"]
    assert tokenizer.encode("a hug").ids == [97 + 3, 258 + 3]
    assert tokenizer.parts.special_tokens == ("<SPECIAL_0>", "<s>", "<SPECIAL_2>")
    many = {**content["config"], "default_num_special_tokens": 100_001}
    with pytest.raises(ValueError, match="there are more than 100,000 special tokens"):
        interchange.from_json({**content, "config": many})
    del content["special_tokens"], content["vocab"][3]
    with pytest.raises(ValueError, match="expected a token as base64, with rank 3"):
        interchange.from_json(content)
    assert interchange.tiktoken_ranks.parse_ranks(b"aA== 0\n= 1\n") == {b"h": 0}


def test_a_saved_table_ends_at_the_text_and_not_at_its_lines():
    from subword_lab.normalization import Trim, apply

    tokenizer = Tokenizer.train(["a b"], "unigram", 20, normalization=[Trim()])
    library, string = tokenizer.to_tokenizers(), " a \n b ▁\n ▁"
    assert library.normalizer.normalize_str(string) == apply(string, [Trim()])
    assert library.encode(string).ids == tokenizer.encode(string).ids


def test_pairs_and_words_are_the_library_s():
    train, library = ["hug a pug, hugs and puns"], None
    for algorithm in "bpe", "wordpiece", "unigram":
        ours = Tokenizer.train(train, algorithm, vocab_size=280)
        library = ours.to_tokenizers()
        for one, other in [("hug", "a pug"), ("", "hugs"), ("puns, ", "")]:
            for found, reference in [
                (ours.encode_pair(one, other), library.encode(one, other)),
                (
                    ours.encode_words([one, other]),
                    library.encode([one, other], is_pretokenized=True),
                ),
            ]:
                for what in parity.WHAT:
                    assert getattr(found, what) == getattr(reference, what), (what, one, other)


@pytest.mark.parametrize("strategy", ["LongestFirst", "OnlyFirst", "OnlySecond"])
def test_pairs_are_truncated_as_by_the_library(strategy):
    parts = Tokenizer.train(["hug pug"], "wordpiece", 20).parts
    ours = Tokenizer(replace(parts, truncation=LIMITS | {"strategy": strategy}))
    library = ours.to_tokenizers()
    for one, other in [("hug " * 9, "pug"), ("hug", "pug " * 9), ("hug " * 4, "pug " * 5)]:
        try:
            reference = library.encode(one, other).ids
        except Exception:
            with pytest.raises(
                ValueError, match="leaves no room for a text beside 3 special tokens"
            ):
                ours.encode_pair(one, other)
        else:
            assert ours.encode_pair(one, other).ids == reference
    ours = Tokenizer(replace(parts, truncation=LIMITS | {"strategy": strategy, "max_length": 3}))
    assert ours.encode_pair("hug", "pug").tokens == ["[CLS]", "[SEP]", "[SEP]"]
    assert ours.to_tokenizers().encode("hug", "pug").tokens == ["[CLS]", "[SEP]", "[SEP]"]


def test_tokens_that_are_added_later():
    tokenizer = Tokenizer.train(["hello hug"], vocab_size=270)
    more = tokenizer.add_tokens(["lo", " naïve"]).add_tokens(["<end>"], special=True)
    assert more.decode(more.encode("hello naïve hug").ids) == "hello naïve hug"
    assert "hello" in tokenizer.get_vocab() and more.encode("hello").tokens == ["hel", "lo"]
    assert more.encode_ordinary("hug<end>") == tokenizer.encode("hug<end>").ids
    ids = more.encode("hug<end>", allowed_special="all").ids
    assert ids[-1] == more.vocab_size - 1 and more.decode(ids) == "hug"
    assert more.add_tokens(["lo"]).parts == more.parts
    assert interchange.from_json(interchange.to_json(more.parts)).ids == more.parts.ids


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "unigram"])
def test_a_vocabulary_that_is_cut_down_still_spells_everything(algorithm):
    lines = parity.languages()[:52]
    whole = Tokenizer.train(lines, algorithm, vocab_size=600)
    cut = whole.cut_down(400)
    assert [*cut.parts.ids.values()] == [
        *range(400)
    ] and cut.parts.ids.keys() < whole.parts.ids.keys()
    for line in lines:
        assert cut.decode(cut.encode(line).ids) == whole.decode(whole.encode(line).ids)
    if algorithm == "bpe":
        assert cut.parts == Tokenizer.train(lines, algorithm, vocab_size=400).parts
    with pytest.raises(ValueError, match=r"vocab_size is 9, but \d+ tokens have to stay"):
        whole.cut_down(9)


def test_a_vocabulary_of_nothing_is_saved():
    file = content([], model={"type": "Unigram", "unk_id": None, "vocab": []})
    again = interchange.from_json(interchange.to_json(interchange.from_json(file)))
    assert Tokenizer(again).vocab_size == 0


@pytest.mark.parametrize("worst", ["<s>", "xyz"])  # a special token, and one that is cut off
def test_an_unknown_character_costs_the_same_once_saved(worst):
    """10 nats more than the worst row, whatever it is for."""
    rows = [["?", 0.0], [worst, -100.0], ["a", -1.0], ["abc", -1.0], ["ab", -45.0], ["cd", -45.0]]
    special = [{"content": "<s>", "special": True, "id": 1}] * (worst == "<s>")
    file = content([], added=special, model={"type": "Unigram", "unk_id": 0, "vocab": rows})
    ours = Tokenizer(interchange.from_json(file))
    assert ours.encode("abcd").tokens == ["ab", "cd"]
    for each in ours, ours.cut_down(5 + len(special)):
        again = Tokenizer(interchange.from_json(interchange.to_json(each.parts)))
        assert again.encode("abcd").tokens == each.encode("abcd").tokens
    cheap = replace(ours.parts, model=UnigramModel(ours.parts.model.losses, 1.0))
    with pytest.raises(ValueError, match=r"an unknown character that costs 1\.0 has no form"):
        interchange.to_json(cheap)


def test_tokens_that_no_merges_make_stay_in_tiktoken():
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"hello": 257}
    pattern = interchange.tiktoken_ranks.PATTERNS["byte-level"]
    theirs = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    ours = Tokenizer.from_tiktoken(theirs).to_tiktoken()
    assert ours.encode("hello ab") == theirs.encode("hello ab") == [257, 32, 256]
    assert ours.decode([257]) == "hello"


def test_ids_are_decoded_as_they_come():
    tokenizer = Tokenizer.train(["hug"], vocab_size=260)
    for string in ["", "hug ü hug", "猫🤗", "\ufffd", "a\ufffdb"]:
        assert "".join(tokenizer.decode_stream(iter(tokenizer.encode(string).ids))) == string
    ids = tokenizer.encode("\ufffda").ids
    assert [*tokenizer.decode_stream(ids)] == ["", "", "\ufffd", "a"]
    assert [*tokenizer.decode_stream([*ids[:2], *ids[:1]])] == ["", "", "\ufffd", "\ufffd"]


def test_a_special_token_with_another_form_stays_in_a_stream_too():
    added = [{"content": "<PAD>", "special": True, "normalized": True}]
    tokenizer = Tokenizer(interchange.from_json(content(["a"], added=added, normalizer=LOWER)))
    assert [*tokenizer.decode_stream([0, 1])] == ["a", " <pad>"]
    assert tokenizer.decode([0, 1]) == "a <pad>"


def test_a_stream_keeps_spaces_within_a_text_and_none_before_it():
    tokenizer = Tokenizer.train(["hug a hug"], "unigram", 12)
    tokenizer = Tokenizer(replace(tokenizer.parts, decoder="metaspace-stripped"))
    space, letter = (tokenizer.parts.ids[token] for token in "▁h")
    ids = [space, space, letter, space, space, letter, space]
    assert tokenizer.decode(ids) == "h  h " == "".join(tokenizer.decode_stream(ids))


def with_bytes(tokens, **changes):
    """A tokenizer with these tokens and one for each byte, as SentencePiece makes it."""
    parts = Tokenizer.train(["hug a hug"], "unigram", 12).parts
    ids = {token: id for id, token in enumerate([*parts.ids, *BYTE_TOKENS, *tokens])}
    model = UnigramModel(parts.model.losses | dict.fromkeys(tokens, 1.0), parts.model.unknown_loss)
    return Tokenizer(replace(parts, model=model, ids=ids, byte_fallback=True, **changes))


def test_a_text_loses_one_space_of_each_token_before_it():
    tokenizer = with_bytes(["▁▁", "▁h▁"], decoder="metaspace-stripped")
    for tokens, string in (
        (["▁▁", "h"], " h"),
        (["▁", "▁▁", "▁", "▁▁", "h"], "    h"),
        (["▁h▁", "▁", "h"], "h  h"),
        (["<0x20>", "▁▁"], "   "),
    ):
        ids = [tokenizer.parts.ids[token] for token in tokens]
        assert tokenizer.decode(ids) == string == "".join(tokenizer.decode_stream(ids))


def test_a_stream_waits_for_a_character_only_as_long_as_its_bytes_may_come():
    tokenizer = with_bytes(["\ufffd"])
    cut, whole, shown = (
        [tokenizer.parts.ids[f"<0x{byte:02X}>"] for byte in data]
        for data in (b"\xef", "\ufffd".encode(), b"\x20")
    )
    letter = [tokenizer.parts.ids["\ufffd"]]
    for ids, told in (
        (letter * 3, ["\ufffd"] * 3),
        (whole * 3, ["", "", "\ufffd"] * 3),
        ([*whole[:2], *letter], ["", "", "\ufffd" * 3]),
        (cut * 3, ["", "\ufffd" * 2, "", "\ufffd"]),
        ([*whole[:2], *shown], ["", "", "\ufffd" * 3]),
    ):
        assert [*tokenizer.decode_stream(ids)] == told


@pytest.mark.parametrize("algorithm", ["wordpiece", "unigram"])
def test_what_is_left_out_of_a_stream_takes_no_space_along(algorithm):
    tokenizer = Tokenizer.train(["hug pug hugs"], algorithm, vocab_size=25)
    special = tokenizer.parts.ids[tokenizer.parts.special_tokens[0]]
    ids = [tokenizer.encode(word, add_special_tokens=False).ids for word in ("hug", "pug")]
    row = [special, *ids[0], special, special, *ids[1]]
    assert "".join(tokenizer.decode_stream(row)) == tokenizer.decode(row) == "hug pug"
