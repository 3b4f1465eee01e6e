"""The same ids, tokens, offsets and texts as the libraries: trained there and loaded here, and the other way round.

`parity.py` says how the tokenizers are made and compared; what is known to differ is in `studies/differences.py`.
"""

import itertools
import json
import random

import parity
import pytest

from subword_lab import Tokenizer, normalization, text
from subword_lab.interchange import from_json, to_json
from subword_lab.interchange.patterns import IN_TIKTOKEN, PATTERNS

pytestmark = pytest.mark.slow

TRAINING = [*parity.languages(), *text.load_passage().splitlines()]
TEXTS = [*parity.languages(), text.load_passage(), *parity.random_texts(300)]
ODD = [
    "  ",
    "a  b   c",
    "▁▁a▁b",
    "<0x41>",
    "<0x0A> ",
    "<0x8f>",
    " <mask> x",
    "tea teas  tea ",
    "\x1ca\x1d",
    "e\u0323\u0302",
]
LIBRARY_TEXTS = [
    *TEXTS,
    *ODD,
    "a" * 101,
    "a [MASK]b",
    "in tin in",
    "12 112 ¹²",
    "a b a  b",
    "\r\n\r\nx",
    "\u00a0\u103c",
]


@pytest.fixture(scope="module")
def trained():
    return parity.trained_by_tokenizers(TRAINING)


def test_trained_by_tokenizers_loaded_here_and_saved(trained, subtests, tmp_path):
    for name, theirs in trained.items():
        ours = parity.loaded(theirs)
        ours.save(tmp_path / "tokenizer.json")
        with subtests.test(name):
            assert Tokenizer.load(tmp_path / "tokenizer.json").parts == ours.parts
            for each in theirs, type(theirs).from_file(str(tmp_path / "tokenizer.json")):
                found = [parity.differs(ours, each, string) for string in LIBRARY_TEXTS]
                assert [*filter(None, found)] == []


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"algorithm": "wordpiece"},
        {"algorithm": "unigram"},
        {"scheme": "cl100k"},
        {"scheme": "o200k", "normalization": ["nfc"]},
        {"scheme": "whitespace", "special_tokens": ["[UNK]"]},
        {"scheme": "metaspace", "special_tokens": ["<unk>"]},
        {
            "scheme": "bert",
            "special_tokens": ["[UNK]"],
            "normalization": ["nfd", "lowercase", "strip-accents", "strip"],
        },
        {"scheme": "characters", "special_tokens": ["<unk>"]},
        {"algorithm": "wordpiece", "score": "likelihood"},
    ],
    ids=str,
)
def test_trained_here_and_opened_there(options):
    ours = Tokenizer.train(TRAINING, **{"vocab_size": 700, **options})
    assert from_json(json.loads(json.dumps(to_json(ours.parts)))) == ours.parts
    theirs = ours.to_tokenizers()
    assert [found for string in TEXTS if (found := parity.differs(ours, theirs, string))] == []


def test_trained_by_both_with_the_same_merges(trained):
    content = json.loads(trained["GPT-2"].to_str())["model"]
    ours = Tokenizer.train(TRAINING, vocab_size=2000)
    assert ours.parts.ids == content["vocab"]
    assert ours.parts.model.merges == [tuple(merge) for merge in content["merges"]]


# ------------------------------------------------------------------------------------------------------ sentencepiece


@pytest.mark.parametrize("name", parity.SENTENCEPIECE)
def test_trained_by_sentencepiece_loaded_here_and_saved(name, tmp_path):
    data = parity.trained_by_sentencepiece(TRAINING, **parity.SENTENCEPIECE[name])
    ours, processor = parity.from_model(data), parity.processor(data)
    assert [
        found
        for string in TEXTS
        if (found := parity.differs_from_sentencepiece(ours, processor, string))
    ] == []
    kept, normal = ours.parts.kept_tokens, ours.parts.normalization
    if any(normalization.apply(token, normal) != token for token in kept):
        with pytest.raises(ValueError, match="is kept whole after normalization"):
            ours.save(tmp_path / "kept.json")
        return
    again = parity.loaded(ours)
    for string in TEXTS:
        found, expected = (each.encode(string, disallowed_special=()) for each in (again, ours))
        assert found.ids == expected.ids


# ----------------------------------------------------------------------------------------------------------- tiktoken


@pytest.fixture(scope="module")
def byte_pairs():
    """Ranks for the bytes and for 8,000 random pairs of them: so many that every other cut gives other ids."""
    pairs = [bytes(pair) for pair in itertools.product(range(256), repeat=2)]
    random.Random(3).shuffle(pairs)
    return {
        token: rank
        for rank, token in enumerate([*(bytes([byte]) for byte in range(256)), *pairs[:8000]])
    }


@pytest.mark.parametrize("pattern", IN_TIKTOKEN)
def test_words_and_offsets_are_tiktoken_s(pattern, byte_pairs):
    tiktoken = pytest.importorskip("tiktoken")
    encoding = tiktoken.Encoding(
        "pairs",
        pat_str=pattern,
        mergeable_ranks=byte_pairs,
        special_tokens={"<|endoftext|>": 30000},
    )
    ours = Tokenizer.from_tiktoken(encoding)
    for string in [*TEXTS, *parity.random_texts(500, seed=2)]:
        found = ours.encode(string)
        assert found.ids == encoding.encode(string)
        assert [start for start, _ in found.offsets] == encoding.decode_with_offsets(found.ids)[1]
        assert ours.decode(found.ids) == string


@pytest.mark.parametrize("scheme", PATTERNS)
def test_trained_here_and_opened_by_tiktoken(scheme):
    pytest.importorskip("tiktoken")
    ours = Tokenizer.train(TRAINING, vocab_size=1500, scheme=scheme)
    theirs = ours.to_tiktoken()
    again = Tokenizer.from_tiktoken(theirs)
    assert again.parts.ids == ours.parts.ids
    assert again.parts.special_tokens == ours.parts.special_tokens
    for string in TEXTS:
        assert ours.encode(string).ids == theirs.encode(string) == again.encode(string).ids
    marked = "hug<|endoftext|>pug"
    for options in [
        {"allowed_special": "all"},
        {"allowed_special": {"<|endoftext|>"}},
        {"disallowed_special": ()},
    ]:
        assert ours.encode(marked, **options).ids == theirs.encode(marked, **options)
    for tokenizer in (ours, theirs):
        with pytest.raises(ValueError, match="endoftext"):
            tokenizer.encode(marked)


def test_the_installed_tiktoken_cuts_as_one_of_the_known_patterns():
    """Its own encodings are made of these; their ranks are not at hand without a network."""
    public = pytest.importorskip("tiktoken_ext.openai_public")
    import inspect

    assert IN_TIKTOKEN[public.r50k_pat_str] == "byte-level"
    assert any(
        IN_TIKTOKEN[pattern] == "cl100k" and pattern in inspect.getsource(public.cl100k_base)
        for pattern in IN_TIKTOKEN
    )
    assert all(
        part in inspect.getsource(public.o200k_base)
        for part in (r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"[\r\n/]*")
    )
