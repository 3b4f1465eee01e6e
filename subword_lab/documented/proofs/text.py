"""Proofs of documented/text.json: the pipeline, words, characters, and why subwords."""

import re

from ... import bpe, documented, text
from . import proves
from .shared import HUG


def words(string, scheme):
    return [word for word, _ in text.pre_tokenize(string, scheme)]


@proves("pipeline-4-steps")
def _(string):
    normalized = text.normalize(string, "strip-accents", "lowercase")
    pieces = words(normalized, "whitespace")
    tokens = bpe.encode(pieces, bpe.train(HUG, num_merges=3))
    return {
        "normalization": normalized,
        "pre-tokenization": pieces,
        "model": tokens,
        "post-processing": ["[CLS]", *tokens, "[SEP]"],
    }


@proves("bpe-steps-4")
def _(string):
    normalized = text.normalize(string, "strip-accents", "lowercase")
    pieces = words(normalized, "whitespace")
    model = bpe.train(HUG, num_merges=3)
    return {
        "normalized": normalized,
        "words": pieces,
        "characters": list(bpe.split_words(pieces).values()),
        "merged": [bpe.encode_word(word, model) for word in pieces],
    }


@proves("pipeline-normalization")
def _(chars):
    return {char: text.normalize(char, "strip-accents", "lowercase") for char in chars}


@proves("pipeline-training-deterministic")
def _(orders):
    return [bpe.train(dict.fromkeys(order, 1), num_merges=2).merges for order in orders]


proves("word-split-space", "blog-no-space-languages")(lambda string: words(string, "split"))
proves("blog-word-list")(lambda sentence: set(words(sentence, "split")))
proves("blog-word-list", part="expected")(lambda sentence: set(words(sentence + ".", "split")))
proves("word-split-whitespace-offsets")(lambda string: text.pre_tokenize(string, "whitespace"))


@proves("word-whitespace-regex")
def _(strings):
    return {
        string: {"library": words(string, "whitespace"), "re": re.findall(r"\w+|[^\w\s]+", string)}
        for string in strings
    }


proves("word-dont-prose")(lambda string: words(string, "whitespace"))


@proves("word-rule-based-spacy-moses")
def _(string):
    """The two rules, as patterns: an exception that cuts off n't, and a cut before an apostrophe between letters."""
    return {
        "spaCy": re.findall(r"n't|\w+?(?=n't)|\w+|[^\w\s]", string),
        "Moses": re.findall(r"(?<=\w)'\w+|\w+|[^\w\s]", string),
    }


@proves("x-pre-tokenization")
def _(string):
    return {
        "ru-bpe and my-bpe": words(string, "byte-level"),
        "zh-three": words(string, "whitespace"),
        "zh-blog": words(string, "split"),
    }


proves("char-split")(lambda string: words(string, "characters"))
proves("blog-char-list")(lambda sentence: set(words(sentence, "characters")))
proves("blog-char-list", part="expected")(lambda sentence: set(words(sentence + ".", "characters")))


@proves("blog-qa-list")
def _(pairs):
    answers = {pair["Question"]: pair["Answer"] for pair in pairs}
    return {question: answers.get(question) for question in [*answers, "你是谁"]}


proves("blog-word-oov")(lambda word: bpe.longest_first(list(word), ["data", "set"]))
proves("blog-subword-football")(lambda word: bpe.longest_first(list(word), ["foot", "ball"]))


@proves("subword-saving-2n-3")
def _(given):
    def saving(endings):
        forms = text.word_freqs([word + ending for word in given["words"] for ending in endings])
        subwords = {
            token
            for form in forms
            for token in bpe.longest_first(list(form), given["words"] + endings)
        }
        return {"words": len(forms), "subwords": len(subwords), "saved": len(forms) - len(subwords)}

    return {
        "three forms": saving(given["endings"]),
        "with the plain word": saving(["", *given["endings"]]),
    }


@proves("subword-max-50000", "bpe-gpt2-size")
def _(given):
    return len(text.byte_alphabet()) + given["merges"] + given["special tokens"]


proves("bpe-gpt1-size")(lambda given: given["base"] + given["merges"])


@proves("blog-three-methods")
def _(models):
    """The same models, looked up in the list of the other Chinese article."""
    lists = documented.example("subword-models").expected
    return {method: model for method, names in lists.items() for model in models if model in names}
