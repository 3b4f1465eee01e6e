"""What several topics need: the toy corpus, trainings on WikiText-2, the two encoders; nothing is proven here."""

from functools import cache

from ... import bpe, text
from ...studies import merging

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
SPECIAL = ["<|endoftext|>"]


@cache
def wikitext(num_merges, ties="first-seen"):
    return bpe.train(
        text.load_word_freqs("wikitext-2-validation"), num_merges=num_merges, ties=ties
    )


def error(function, *arguments):
    """The name of the error that a call raises."""
    try:
        function(*arguments)
    except (IndexError, NameError, TypeError, ValueError) as raised:
        return type(raised).__name__


def two_ways(word, model):
    return {
        "merge_order": bpe.encode_word(word, model),
        "longest_first": bpe.encode_word(word, model, method="longest-first"),
    }


def spelled_by(model):
    """The words of WikiText-2 that the characters of the model spell, with their counts."""
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    return {word: freq for word, freq in word_freqs.items() if set(word) <= model.ids.keys()}


def differing(words, model, space=""):
    """Those of the words on which the two encoders differ; `space` is put in front of each."""
    found = merging.encoders_differ([space + word for word in words], model)
    return [word.removeprefix(space) for word in found]
