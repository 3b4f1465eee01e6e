"""Proofs of documented/text.json: the pipeline, words, characters, and why subwords."""

import re
from functools import partial

from ... import bpe, documented, text
from .shared import HUG_MODEL, on, words_of

whitespace = partial(words_of, scheme="whitespace")


def normalized(string):
    return text.normalize(string, "strip-accents", "lowercase")


def tokens_of(string):
    return bpe.encode(whitespace(normalized(string)), HUG_MODEL)


def saving(words, endings):
    """How many subwords write how many forms of the words."""
    forms = [word + ending for word in words for ending in endings]
    subwords = {token for form in forms for token in bpe.longest_first(form, [*words, *endings])}
    return {"words": len(forms), "subwords": len(subwords), "saved": len(forms) - len(subwords)}


def word_list(word_freqs, size):
    """The most frequent words, in the order of the corpus, and what becomes of a word that is not among them."""
    frequent = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
    kept = [word for word in word_freqs if word in frequent]
    return {"kept": kept, "hugs": [word if word in kept else "[UNK]" for word in ["hugs"]]}


PROOFS = {
    "pipeline-4-steps": lambda string: {
        "normalization": normalized(string),
        "pre-tokenization": whitespace(normalized(string)),
        "model": tokens_of(string),
        "post-processing": ["[CLS]", *tokens_of(string), "[SEP]"],
    },
    "bpe-steps-4": lambda string: {
        "normalized": normalized(string),
        "words": whitespace(normalized(string)),
        "characters": list(bpe.split_words(whitespace(normalized(string))).values()),
        "merged": [bpe.encode_word(word, HUG_MODEL) for word in whitespace(normalized(string))],
    },
    "pipeline-normalization": lambda chars: {char: normalized(char) for char in chars},
    "pipeline-training-deterministic": lambda orders: [
        bpe.train(dict.fromkeys(order, 1), num_merges=2).merges for order in orders
    ],
    "pipeline-words-need-no-model": lambda given: word_list(**given),
    "word-split-space": partial(words_of, scheme="split"),
    "blog-no-space-languages": partial(words_of, scheme="split"),
    "blog-word-list": lambda sentence: set(words_of(sentence, "split")),
    "blog-word-list.expected": lambda sentence: set(words_of(sentence + ".", "split")),
    "word-split-whitespace-offsets": partial(text.pre_tokenize, scheme="whitespace"),
    "word-whitespace-regex": lambda strings: {
        string: {"library": whitespace(string), "re": re.findall(r"\w+|[^\w\s]+", string)}
        for string in strings
    },
    "word-dont-prose": whitespace,
    # The rules as patterns: an exception that cuts off n't, and a cut before an apostrophe between letters.
    "word-rule-based-spacy-moses": lambda string: {
        "spaCy": re.findall(r"n't|\w+?(?=n't)|\w+|[^\w\s]", string),
        "Moses": re.findall(r"(?<=\w)'\w+|\w+|[^\w\s]", string),
    },
    "x-pre-tokenization": lambda string: {
        "ru-bpe and my-bpe": words_of(string, "byte-level"),
        "zh-three": whitespace(string),
        "zh-blog": words_of(string, "split"),
    },
    "char-split": partial(words_of, scheme="characters"),
    "blog-char-list": lambda sentence: set(words_of(sentence, "characters")),
    "blog-char-list.expected": lambda sentence: set(words_of(sentence + ".", "characters")),
    # A table of questions knows the answer to each of them, and none to another one.
    **on(
        lambda pairs: {pair["Question"]: pair["Answer"] for pair in pairs},
        {"blog-qa-list": lambda table: {each: table.get(each) for each in [*table, "你是谁"]}},
    ),
    "blog-word-oov": lambda word: bpe.longest_first(word, ["data", "set"]),
    "blog-subword-football": lambda word: bpe.longest_first(word, ["foot", "ball"]),
    "subword-saving-2n-3": lambda given: {
        "three forms": saving(given["words"], given["endings"]),
        "with the plain word": saving(given["words"], ["", *given["endings"]]),
    },
    **dict.fromkeys(
        ["subword-max-50000", "bpe-gpt2-size"],
        lambda given: len(text.byte_alphabet()) + given["merges"] + given["special tokens"],
    ),
    "bpe-gpt1-size": lambda given: given["base"] + given["merges"],
    # The models, looked up in the list of the other Chinese article.
    "blog-three-methods": lambda models: {
        method: model
        for method, names in documented.example("subword-models").expected.items()
        for model in models
        if model in names
    },
}
