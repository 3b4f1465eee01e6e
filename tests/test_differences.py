"""Every known difference is one: what the table says of us and of the library is what both do."""

from dataclasses import replace

import parity
import pytest
from tokenizers import AddedToken

from subword_lab import Tokenizer, text
from subword_lab.parts import reduced
from subword_lab.studies.differences import DIFFERENCES, explain

TRAINING = [*parity.languages(), *text.load_passage().splitlines()]


@pytest.fixture(scope="module")
def pairs():
    """Name -> our tokenizer, and the library's that should do the same."""
    found = {}
    for name, options in [("plain", {}), ("bytes", parity.SENTENCEPIECE["unigram, bytes"])]:
        data = parity.trained_by_sentencepiece(TRAINING, **options)
        ours = parity.from_model(data)
        found[name, "sentencepiece"] = ours, parity.processor(data)
        found[name, "tokenizers"] = ours, ours.to_tokenizers()
    merged = Tokenizer.train(["hug pug"], vocab_size=258, special_tokens=[])
    among = {"special_tokens": ("ug",), "single_word": ("ug",)}
    fewer = reduced(merged.parts.model, among["special_tokens"])
    for name, ours in [
        ("hug", Tokenizer.train(["hug"], vocab_size=260)),
        ("added", Tokenizer.train(["hug"], vocab_size=260).add_tokens(["é"])),
        (
            "prefixes",
            Tokenizer.train(["hug pug"], "wordpiece", 20, scheme="split", special_tokens=["[UNK]"]),
        ),
        (
            "words",
            Tokenizer.train(["hug pug"], vocab_size=20, scheme="whitespace", special_tokens=[]),
        ),
    ]:
        found[name, "tokenizers"] = ours, ours.to_tokenizers()
    theirs = merged.to_tokenizers()
    theirs.add_special_tokens([AddedToken("ug", single_word=True, normalized=False)])
    ours = Tokenizer(replace(merged.parts, model=fewer, **among))
    found["among", "tokenizers"] = ours, theirs
    return found


def offsets(processor, string):
    """In characters; sentencepiece counts them itself where it is asked for a mapping."""
    message = processor.encode(string, return_type="serialized_proto")
    pieces = [dict(parity.fields(value)) for number, value in parity.fields(message) if number == 2]
    data = string.encode()
    return [
        tuple(len(data[: piece.get(field, 0)].decode()) for field in (4, 5)) for piece in pieces
    ]


def tokens(tokenizer, string):
    try:
        return str(tokenizer.encode(string).tokens)
    except ValueError as error:
        return type(error).__name__


def seen(row, pairs):
    """What we do and what they do, in the words of the table."""
    kind = {
        "special-in-text": "hug",
        "unknown-dropped": "words",
        "byte-token-in-text": "bytes",
        "broken-bytes": "bytes",
        "special-among-merges": "among",
        "added-in-bytes": "added",
        "prefix-in-text": "prefixes",
    }
    ours, theirs = pairs[kind.get(row.id, "plain"), row.library]
    if row.id == "special-among-merges":
        return str(ours.encode(row.given, allowed_special="all").tokens), tokens(theirs, row.given)
    if row.id in ("broken-bytes", "unknown-decoded", "added-in-bytes"):
        ids = [ours.token_to_id(token) for token in row.given.split()]
        return tuple(repr(each.decode(ids)).replace("\ufffd", r"\ufffd") for each in (ours, theirs))
    if row.library == "tokenizers":
        return tokens(ours, row.given), tokens(theirs, row.given)
    return str(ours.encode(row.given).offsets), str(offsets(theirs, row.given))


def written(encoding, ids):
    return str([encoding.decode([number]) for number in ids])


@pytest.mark.slow
def test_row_of_a_real_vocabulary():
    quicktok = pytest.importorskip("quicktok")
    row = next(row for row in DIFFERENCES if row.library == "quicktok")
    ours, theirs = Tokenizer.from_vocabulary("llama3"), quicktok.get_encoding("llama3")
    assert (
        written(ours, ours.encode(row.given).ids),
        written(theirs, theirs.encode(row.given)),
    ) == (row.ours, row.theirs)


@pytest.mark.parametrize(
    "row", [row for row in DIFFERENCES if row.library != "quicktok"], ids=lambda row: row.id
)
def test_row(row, pairs):
    assert seen(row, pairs) == (row.ours, row.theirs)
    assert row.ours != row.theirs and row.why


def trained(**options):
    return Tokenizer.train(["Hug a pug, hugs and 12 puns"] * 2, **{"vocab_size": 275, **options})


def test_two_tokenizers_part_where_it_is_said():
    plain = trained()
    parts = plain.parts
    added = replace(parts, ids={**parts.ids, "a pug": 275}, added_tokens=("a pug",))
    around = replace(parts, before=("<|endoftext|>",))
    moved = {token: 274 - number for token, number in parts.ids.items()}
    model = replace(parts.model, merges=[pair for pair in parts.model.merges if pair != ("u", "g")])
    for changed, string, station, place, words in [
        (added, "Hug a pug", "added tokens", 3, "a token that is added"),
        (
            replace(parts, normalization=("lowercase",)),
            "a Hug",
            "normalization",
            1,
            "none in one, lowercase in the other",
        ),
        (
            replace(parts, prefix_space="always"),
            "Hug",
            "prefix space",
            0,
            "never in one, always in",
        ),
        (
            replace(parts, schemes=("qwen-2",)),
            "pug 12",
            "pre-tokenization",
            3,
            "qwen-2 in the other",
        ),
        (replace(parts, model=model), "a pug", "model", 1, "the merges come in another order"),
        (replace(parts, ids=moved), "a pug", "ids", 0, "another id"),
        (around, "pug", "post-processing", 0, "other special tokens around"),
        (around, "<|endoftext|>pug", "post-processing", 0, "once more"),
        (trained(vocab_size=262).parts, "a pug", "model", 1, "is a token of one of them alone"),
    ]:
        parting = explain(plain, Tokenizer(changed), string)
        assert (parting.station, parting.place) == (station, place), parting
        assert words in parting.why and parting.one != parting.other
    assert explain(plain, Tokenizer(parts), "a pug, 12 hugs") is None
