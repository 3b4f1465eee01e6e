"""Proofs of documented/bpe.json."""
from subword_lab import bpe

from . import reproduces

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


@reproduces("bpe-hug-words")
def _(word_freqs):
    return list(bpe.split_words(word_freqs))


@reproduces("bpe-hug-base-vocab")
def _(word_freqs):
    return bpe.base_vocab(bpe.split_words(word_freqs))


@reproduces("bpe-hug-pair-hu-15", part="actual")
def _(word_freqs):
    return bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))


@reproduces("bpe-hug-pair-hu-15")
def _(word_freqs):
    return {("h", "u"): bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))["h", "u"]}


@reproduces("bpe-hug-pair-ug-20")
def _(word_freqs):
    freqs = bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))
    return {bpe.best_pair(freqs): max(freqs.values())}


@reproduces("bpe-hug-tok-mug")
def _(word):
    return bpe.encode_word(word, bpe.train(HUG, num_merges=3))
