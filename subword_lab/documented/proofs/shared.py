"""What several topics need: one training seen from all sides, WikiText-2, the two encoders; nothing is proven here."""

import re
from functools import cache, partial

from ... import bpe, text
from . import library

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
HUG_MODEL = bpe.train(HUG, num_merges=3)
SPECIAL = ["<|endoftext|>"]
WIKITEXT = text.load_word_freqs("wikitext-2-validation")


def on(prepare, proofs):
    """Proofs of what `prepare` makes of the input: `on(Training, {"an-id": lambda run: run.steps[0].pair})`."""
    return {
        id: partial(lambda proof, value: proof(prepare(value)), proof)
        for id, proof in proofs.items()
    }


def numbered(id, numbers, proof):
    """Proofs of rows that are alike but for a number: `proof(number, value)` for each id that the number completes."""
    return {id.format(number): partial(proof, number) for number in numbers}


class Training:
    """BPE on a small corpus, merge by merge, until no pair is left or the size is reached.

    steps[0] is the first merge. splits and tables (how often each token occurs: the mark first, then in the order in
    which tokens come up) begin one earlier: [0] is the state before it, [1] the state after it.
    """

    def __init__(self, word_freqs, *, mark="", **options):
        self.word_freqs = word_freqs
        self.steps = list(
            bpe.train_steps(word_freqs, end_of_word=mark, **(options or {"num_merges": 1000}))
        )
        self.splits = [bpe.split_words(word_freqs, mark), *(step.splits for step in self.steps)]
        self.tables = [bpe.token_freqs(word_freqs, self.splits[0], keep=filter(None, [mark]))]
        for step in self.steps:
            seen = [*self.tables[-1], step.token]
            self.tables.append(bpe.token_freqs(word_freqs, step.splits, keep=seen))

    def corpus(self, number):
        """The split words with their counts, after so many merges."""
        return [(split, self.word_freqs[word]) for word, split in self.splits[number].items()]


@cache
def wikitext(num_merges, ties="first-seen"):
    return bpe.train(WIKITEXT, num_merges=num_merges, ties=ties)


def words_of(string, scheme):
    return [word for word, _ in text.pre_tokenize(string, scheme)]


def outcome(function, *arguments):
    """What a call returns, or the name of the error that it raises."""
    try:
        return function(*arguments)
    except (IndexError, NameError, TypeError, ValueError, re.error) as error:
        # The error of a pattern has another name since Python 3.13.
        return "error" if isinstance(error, re.error) else type(error).__name__


def by_library(model, trainer, pre_tokenizer, corpus, **options):
    """A tokenizer that the tokenizers library has trained, made of its classes.

    model, trainer: the names of classes. pre_tokenizer: such a name, and what the class is made with.
    """
    tokenizers = library("tokenizers")
    tokenizer = tokenizers.Tokenizer(getattr(tokenizers.models, model)())
    name, *arguments = pre_tokenizer
    tokenizer.pre_tokenizer = getattr(tokenizers.pre_tokenizers, name)(*arguments)
    train = getattr(tokenizers.trainers, trainer)
    tokenizer.train_from_iterator(corpus, train(show_progress=False, **options))
    return tokenizer


def two_ways(word, model):
    return {
        "merge_order": bpe.encode_word(word, model),
        "longest_first": bpe.encode_word(word, model, method="longest-first"),
    }


def differing(words, model, space=""):
    """Those of the words on which the two encoders differ; `space` is put in front of each."""
    ways = {word: two_ways(space + word, model) for word in words}
    return [word for word in words if ways[word]["merge_order"] != ways[word]["longest_first"]]


def compared(model, examples=(), space=""):
    """How often the two encoders differ on the words of WikiText-2 that the model's characters spell."""
    words = [word for word in WIKITEXT if set(word) <= model.ids.keys()]
    different = differing(words, model, space)
    shown = different if examples == "all" else examples
    ways = {word: two_ways(space + word, model) for word in shown}
    return {
        "merges": len(model.merges),
        "words tried": len(words),
        "different": len(different),
        "occurrences": sum(WIKITEXT[word] for word in different),
        **({"examples": ways} if ways else {}),
    }
