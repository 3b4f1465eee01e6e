"""Files and objects of other libraries: what they say must not be lost on the way in or out."""

import pytest

from subword_lab import Tokenizer, interchange
from subword_lab.parts import Parts

LINES = ["a hug, hugs and pugs"] * 3


@pytest.fixture
def byte_level():
    tokenizer = Tokenizer.train(LINES, vocab_size=270, special_tokens=["<|end|>"])
    return interchange.to_json(tokenizer.parts)


def added(content, token, **options):
    """The content of a file with one more added token."""
    number = len(content["model"]["vocab"])
    entry = {"id": number, "content": token, "special": False, "normalized": False, **options}
    return content | {"added_tokens": [*content["added_tokens"], entry]}


def test_special_tokens_are_in_tiktoken_s_encoding(byte_level):
    pytest.importorskip("tiktoken")
    encoding = interchange.to_tiktoken(interchange.from_json(byte_level), "ours")
    parts = interchange.read_tiktoken(encoding)
    assert parts.special_tokens == ("<|end|>",)
    assert parts.ids["<|end|>"] == encoding.encode("<|end|>", allowed_special="all")[0]


@pytest.mark.parametrize("kind", ["added_tokens", "kept_tokens"])
def test_tiktoken_has_no_form_for_other_added_tokens(byte_level, kind):
    parts = interchange.from_json(added(byte_level, "<tool>"))
    assert parts.added_tokens == ("<tool>",)
    others = {"added_tokens": ()} | {kind: ("<tool>",)}
    with pytest.raises(ValueError, match="no added tokens but special ones"):
        interchange.to_tiktoken(Parts(**{**vars_of(parts), **others}), "ours")


def test_ids_out_of_the_order_of_the_merges_are_named(byte_level):
    parts = interchange.from_json(byte_level)
    first, second = (left + right for left, right in parts.model.merges[:2])
    ids = {**parts.ids, first: parts.ids[second], second: parts.ids[first]}
    with pytest.raises(ValueError, match=f"{second!r} is made after {first!r}, but has the small"):
        interchange.to_tiktoken(Parts(**{**vars_of(parts), "ids": ids}), "ours")


def vars_of(parts):
    return {name: getattr(parts, name) for name in Parts.__dataclass_fields__}


@pytest.mark.parametrize("trim", [True, False])
def test_offsets_are_trimmed_where_roberta_s_processor_says_so(byte_level, trim):
    content = added(byte_level, "<s>", special=True)
    pair = ["<s>", content["added_tokens"][-1]["id"]]
    roberta = {"type": "RobertaProcessing", "cls": pair, "sep": pair, "trim_offsets": trim}
    parts = interchange.from_json(content | {"post_processor": roberta})
    assert (parts.before, parts.after, parts.trim_offsets) == (("<s>",), ("<s>",), trim)
    theirs = interchange.to_tokenizers(parts).encode("a hug")
    ours = Tokenizer(parts).encode("a hug")
    assert ours.offsets == [(0, 0), (0, 1), (2 if trim else 1, 5), (0, 0)] == theirs.offsets
