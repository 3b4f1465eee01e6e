"""What lesson 07 shows: a text on its way through a tokenizer, what is published of models, absent libraries.

And what is done with a tokenizer afterwards: conversations, tokens taken away, output held to a grammar.
"""

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, text
from subword_lab.running import Limits
from subword_lab.studies import templates
from subword_lab.studies.adaptation import keep_tokens, mean_embedding
from subword_lab.studies.asked import asked
from subword_lab.studies.grammar import allowed, may_begin
from subword_lab.studies.templates import render
from subword_lab.studies.vocabularies import unreachable
from subword_lab.views import stations

TEXTS = ["Hug a pug, hug a bun", "hugs and puns"]
PASSAGE = Tokenizer.train(text.load_passage().splitlines(), vocab_size=1000)


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


def test_a_library_that_is_there_is_asked_and_the_saved_answer_is_for_the_others():
    assert asked("json", lambda: "now", saved="then") == "now"
    assert asked("a_library_that_nobody_has", lambda: "now", saved="then") == "then"


MESSAGES = [{"role": "user", "content": "Hi!"}]


def test_a_chat_template_is_rendered_as_transformers_does():
    template = (
        "{{ bos_token }}{% for message in messages %}\n<{{ message['role'] }}>\n{% endfor %}\n"
        "  {% if add_generation_prompt %}\n<a>{% endif %}"
    )
    assert render(template, MESSAGES, bos_token="<s>") == "<s><user>\n"
    assert render(template, iter(MESSAGES), add_generation_prompt=True) == "<user>\n<a>"


@pytest.mark.parametrize(
    "template, message",
    [
        (
            "{% for message in messages %}",
            "template cannot be rendered: Unexpected end of template",
        ),
        ("{{ messages.append(1) }}", "template cannot be rendered: .*unsafe|not safely callable"),
        ("{{ raise_exception('roles must alternate') }}", "refuses .*: roles must alternate"),
        ("{{ 1 / 0 }}", "template cannot be rendered: division by zero"),
        ("{% include 'x' %}", "template cannot be rendered: no loader"),
        ("{{ 'a' * 10**11 }}", "template cannot be rendered: .* more than 512 MB of memory"),
        ("{{ 'a' * 10**6 }}", "template cannot be rendered: .* more than 20,000"),
        ("{{" * 5_000, "template cannot be rendered: "),
        (
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
            "template cannot be rendered: .* still running after",
        ),
    ],
)
def test_what_is_wrong_with_a_template_is_said(template, message, monkeypatch):
    hasty = partial(templates.run, limits=Limits(seconds=1))
    monkeypatch.setattr(templates, "run", hasty)
    with pytest.raises(ValueError, match=message):
        render(template, MESSAGES)


@given(st.lists(st.sampled_from(text.load_passage().split()[:200]), max_size=8))
def test_what_is_kept_with_its_parts_stays_within_reach(words):
    used = [token for word in words for token in PASSAGE.encode(" " + word).tokens]
    smaller = keep_tokens(PASSAGE, used)
    assert unreachable(smaller) == [] and smaller.vocab_size <= PASSAGE.vocab_size
    for word in words:
        assert smaller.encode(" " + word).ids == PASSAGE.encode(" " + word).ids


def test_what_is_kept_without_its_parts_may_be_out_of_reach():
    smaller = keep_tokens(PASSAGE, ["Ġwritten"], with_parts=False)
    assert unreachable(smaller) == [" written"]
    assert smaller.decode(smaller.encode(" written чай").ids) == " written чай"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: keep_tokens(PASSAGE, ["чай"]), "tokens holds 'чай', which is no token"),
        (
            lambda: keep_tokens(Tokenizer.train(TEXTS, "unigram", vocab_size=300), []),
            "expected one of BPE",
        ),
        (lambda: mean_embedding("", PASSAGE, {}), "string is '', which has no tokens"),
    ],
)
def test_tokens_that_cannot_be_kept_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(st.text("[],truefals0123", max_size=9))
def test_a_text_may_begin_so_if_some_list_does(string):
    if not may_begin(string):
        assert not may_begin(string + "]") and not may_begin(string + "1")
    else:
        assert string == "" or may_begin(string[:-1])
    try:
        value = json.loads(string)
    except ValueError:
        return
    if isinstance(value, list) and all(isinstance(each, int) for each in value):
        assert may_begin(string)


@given(st.lists(st.booleans() | st.integers(0, 30)), st.integers(0))
def test_every_list_is_written_token_by_token(values, cut):
    whole = json.dumps(values, separators=(",", ":"))
    place = cut % len(whole)
    assert allowed([whole[place:], "x"], whole[:place]) == [whole[place:]]
    assert allowed(["]", "1"], whole) == []
