"""What lesson 07 shows: a text on its way through a tokenizer, what is published of models, absent libraries."""

import pytest

from subword_lab import Tokenizer
from subword_lab.studies.asked import asked
from subword_lab.studies.todays_models import MODELS
from subword_lab.views import stations

TEXTS = ["Hug a pug, hug a bun", "hugs and puns"]


@pytest.mark.parametrize(
    "algorithm, types",
    [
        ("bpe", ["–", "ByteLevel", "BPE", "–", "–", "ByteLevel"]),
        (
            "wordpiece",
            [
                "BertNormalizer",
                "BertPreTokenizer",
                "WordPiece",
                "TemplateProcessing",
                "–",
                "WordPiece",
            ],
        ),
        ("unigram", ["NFKC", "Metaspace", "Unigram", "–", "–", "Replace, Fuse, Strip"]),
    ],
)
def test_every_station_is_named_and_says_what_the_tokenizer_does(algorithm, types):
    tokenizer = Tokenizer.train(TEXTS, algorithm, vocab_size=300)
    rows = stations(tokenizer, "Hug a PUG").rows
    assert [row[1] for row in rows] == types
    made, encoding = {row[0]: row[2] for row in rows}, tokenizer.encode("Hug a PUG")
    assert made["post_processor"].tokens == encoding.tokens
    assert made["ids"] == " ".join(map(str, encoding.ids))
    assert "<code>" in made["normalizer"].html()  # a font in which 1, U+2044 and 2 stay three signs
    assert str(made["decoder"]).replace("␣", " ") == tokenizer.decode(encoding.ids)
    assert "".join(made["model"].tokens).replace("##", "") == "".join(made["pre_tokenizer"].tokens)


def test_a_special_token_in_the_text_is_text_at_every_station():
    tokenizer = Tokenizer.train(TEXTS, vocab_size=300)
    assert "<|endoftext|>" not in stations(tokenizer, "hug<|endoftext|>").rows[2][2].tokens


def test_of_each_model_it_is_said_where_it_is_published():
    assert len({row.model for row in MODELS}) == len(MODELS)
    assert [row.year for row in MODELS] == sorted(row.year for row in MODELS)
    assert all(row.link.startswith("https://") and row.source and row.tokens for row in MODELS)


def test_a_library_that_is_there_is_asked_and_the_saved_answer_is_for_the_others():
    assert asked("json", lambda: "now", saved="then") == "now"
    assert asked("a_library_that_nobody_has", lambda: "now", saved="then") == "then"
