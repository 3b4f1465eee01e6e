"""Comparing two encoders over the words of WikiText-2; no row of its own is proven here."""
from subword_lab import bpe, text


def two_ways(word, model, **options):
    return {"merge order": bpe.encode_word(word, model, **options),
            "longest first": bpe.encode_word(word, model, method="longest-first", **options)}


def disagreements(model, space=""):
    """The words of WikiText-2 that the model's base symbols can spell, on which the two encoders differ.

    Returns how many words were tried, and the words that differ, with their counts; `space` is put in front of each.
    """
    known = {symbol for symbol in model.vocab if len(symbol) == 1}
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    tried = {word: freq for word, freq in word_freqs.items() if set(word) <= known}
    return tried, {word: freq for word, freq in tried.items()
                   if len({tuple(way) for way in two_ways(space + word, model).values()}) > 1}
