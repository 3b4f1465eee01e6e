"""What several topics need: one training seen from all sides, WikiText-2, the two encoders; nothing is proven here."""

import re
from functools import cache, partial

from ... import bpe, text
from ...studies import merging

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
SPECIAL = ["<|endoftext|>"]


def on(prepare, proofs):
    """Proofs of what `prepare` makes of the input: `on(Training, {"an-id": lambda run: run.steps[0].pair})`."""
    return {
        id: partial(lambda proof, value: proof(prepare(value)), proof)
        for id, proof in proofs.items()
    }


class Training:
    """BPE on a small corpus, merge by merge, until no pair is left or the size is reached.

    steps[0] is the first merge. splits and tables (how often each token occurs: the mark first, then in the order in
    which tokens come up) begin one earlier: [0] is the state before it, [1] the state after it.
    """

    def __init__(self, word_freqs, *, mark="", **options):
        limit = options or {"num_merges": 1000}
        self.word_freqs = word_freqs
        self.steps = list(bpe.train_steps(word_freqs, end_of_word=mark, **limit))
        self.splits = [bpe.split_words(word_freqs, mark), *(step.splits for step in self.steps)]
        self.tables = [bpe.token_freqs(word_freqs, self.splits[0], keep=filter(None, [mark]))]
        for step in self.steps:
            order = [*self.tables[-1], step.token]
            self.tables.append(bpe.token_freqs(word_freqs, step.splits, keep=order))

    def corpus(self, number):
        """The split words with their counts, after so many merges."""
        return [(split, self.word_freqs[word]) for word, split in self.splits[number].items()]


@cache
def wikitext(num_merges, ties="first-seen"):
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    return bpe.train(word_freqs, num_merges=num_merges, ties=ties)


def words_of(string, scheme):
    return [word for word, _ in text.pre_tokenize(string, scheme)]


def outcome(function, *arguments):
    """What a call returns, or the name of the error that it raises."""
    try:
        return function(*arguments)
    except re.error:  # has another name since Python 3.13
        return "error"
    except (IndexError, NameError, TypeError, ValueError) as error:
        return type(error).__name__


def merge_of_the_chapter(left, right, splits):
    """Takes the parts of a pair; the printed loop calls it even when no pair, and so no part, is left."""


def two_ways(word, model):
    return {
        "merge_order": bpe.encode_word(word, model),
        "longest_first": bpe.encode_word(word, model, method="longest-first"),
    }


def differing(words, model, space=""):
    """Those of the words on which the two encoders differ; `space` is put in front of each."""
    spaced = [space + word for word in words]
    return [word.removeprefix(space) for word in merging.encoders_differ(spaced, model)]


def compared(model, examples=(), space=""):
    """How often the two encoders differ on the words of WikiText-2 that the model's characters spell."""
    corpus = text.load_word_freqs("wikitext-2-validation")
    words = [word for word in corpus if set(word) <= model.ids.keys()]
    different = differing(words, model, space)
    figures = {
        "merges": len(model.merges),
        "words tried": len(words),
        "different": len(different),
        "occurrences": sum(corpus[word] for word in different),
    }
    examples = different if examples == "all" else examples
    ways = {word: two_ways(space + word, model) for word in examples}
    return figures | ({"examples": ways} if ways else {})
