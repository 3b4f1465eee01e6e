"""Holding BPE's two ways to encode against each other, on the words of WikiText-2; nothing is proven here."""
from subword_lab import bpe, text
from subword_lab.studies import merging


def two_ways(word, model):
    return {"merge_order": bpe.encode_word(word, model),
            "longest_first": bpe.encode_word(word, model, method="longest-first")}


def spelled_by(model):
    """The words of WikiText-2 that the characters of the model spell, with their counts."""
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    return {word: freq for word, freq in word_freqs.items() if set(word) <= model.ids.keys()}


def differing(words, model, space=""):
    """Those of the words on which the two encoders differ; `space` is put in front of each."""
    found = merging.encoders_differ([space + word for word in words], model)
    return [word.removeprefix(space) for word in found]
