"""Proofs of documented/course.json: what the sources disagree about, and the algorithms side by side."""

import itertools
import math

from ... import bpe, documented, text, unigram, wordpiece
from . import proves
from .shared import HUG, SPECIAL, differing, error, spelled_by, two_ways, wikitext


@proves("cmp-table")
def _(word_freqs):
    models = {
        "BPE": bpe.train(word_freqs, num_merges=3),
        "WordPiece": wordpiece.train(word_freqs, vocab_size=10),
        "Unigram": unigram.train(word_freqs, vocab_size=10, initial_size=15, method="counting"),
    }
    grown, paired, pruned = (
        module.train_steps(word_freqs, **options)
        for module, options in [
            (bpe, {"num_merges": 1}),
            (wordpiece, {"vocab_size": 8}),
            (unigram, {"vocab_size": 10, "initial_size": 15, "method": "counting"}),
        ]
    )
    first_sizes = {
        "BPE": len(bpe.base_vocab(bpe.split_words(word_freqs))),
        "WordPiece": len(bpe.base_vocab(wordpiece.split_words(word_freqs))),
        "Unigram": len(unigram.initial_vocab(word_freqs, 15)),
    }
    kept = {
        name: [part for part in ("merges", "losses") if hasattr(model, part)]
        for name, model in models.items()
    }
    sizes = {name: [first_sizes[name], len(model.vocab)] for name, model in models.items()}
    return {
        "tokens at first and at last": sizes,
        "first change": {
            "BPE": {"added": [next(grown).token]},
            "WordPiece": {"added": [next(paired).token]},
            "Unigram": {"removed": next(pruned).removed},
        },
        "kept besides the vocabulary": kept,
        "hugs": {
            "BPE": bpe.encode_word("hugs", models["BPE"]),
            "WordPiece": wordpiece.encode_word("hugs", models["WordPiece"]),
            "Unigram": unigram.encode_word("hugs", models["Unigram"]),
        },
    }


@proves("cmp-same-word-three-ways")
def _(word_freqs):
    merges, vocab = bpe.train(word_freqs, num_merges=3), wordpiece.train(word_freqs, vocab_size=10)
    losses = unigram.UnigramModel(unigram.to_losses(unigram.initial_vocab(word_freqs, 20)))
    words = ("unhug", "hugs")
    return {
        "bpe": {word: bpe.encode_word(word, merges) for word in words},
        "wordpiece": {word: wordpiece.encode_word(word, vocab) for word in words},
        "unigram": {word: unigram.viterbi(word, losses) for word in words},
    }


# ------------------------------------------------------------------------------------------------------ two encoders


def compared(model, examples=(), space=""):
    """How often the two encoders differ on the words of WikiText-2 that the model's characters spell."""
    words = spelled_by(model)
    different = differing(words, model, space)
    result = {
        "merges": len(model.merges),
        "words tried": len(words),
        "different": len(different),
        "occurrences": sum(words[word] for word in different),
    }
    examples = different if examples == "all" else examples
    return (
        result | {"examples": {word: two_ways(space + word, model) for word in examples}}
        if examples
        else result
    )


@proves("x-encoders-hug-3", "x-encoders-hug-all")
def _(given):
    model = bpe.train(given["corpus"], num_merges=given["merges"])
    letters = bpe.base_vocab(bpe.split_words(given["corpus"]))
    strings = [
        "".join(word)
        for length in range(1, 6)
        for word in itertools.product(letters, repeat=length)
    ]
    counts = compared(model)
    return {
        "merges": counts["merges"],
        "words tried": counts["words tried"],
        "strings tried": len(strings),
        "different": counts["different"] + len(differing(strings, model)),
    }


def four_sentences():
    word_freqs = text.word_freqs(documented.example("hf-word-freqs").input, scheme="byte-level")
    return bpe.train(word_freqs, num_merges=19, special_tokens=SPECIAL)


proves("x-encoders-hf-19")(lambda given: compared(four_sentences(), "all", space="Ġ"))
proves("x-encoders-tokenism")(lambda word: two_ways(word, four_sentences()))


def _mountain(given):
    word_freqs = text.word_freqs([given["sentence"]], scheme="split")
    return bpe.train(word_freqs, num_merges=given["merges"], end_of_word="</s>")


proves("x-encoders-blog-10")(lambda given: compared(_mountain(given), ["sthe"]))
proves("x-encoders-blog-all")(lambda given: compared(_mountain(given), "all"))


@proves("x-encoders-wt2-50")
def _(given):
    return compared(wikitext(given["merges"]), ["before", "There", "current", "foreign"])


# ----------------------------------------------------------------------------------------- what differs between them


@proves("x-unk-handling")
def _(word):
    """Each source's way, with the merges, the vocabulary and the losses of the toy corpus."""
    model = bpe.train(HUG, num_merges=3)
    losses = unigram.to_losses(unigram.initial_vocab(HUG, 15))
    return {
        "ru-bpe, my-bpe: text": bpe.encode_word(word, model),
        "ru-bpe, my-bpe: code": bpe.encode_word(word, model, unknown=None),
        "zh-three: BPE": bpe.encode_word(word, model, method="lowest-rank"),
        "zh-three: BPE, m alone": documented.example("bpe-zh-unk-note").actual["m"],
        "zh-three: WordPiece": wordpiece.encode_word(word, wordpiece.train(HUG, vocab_size=10)),
        "zh-three: Unigram": unigram.encode_word(
            word, unigram.UnigramModel(losses, unknown_loss=math.inf)
        ),
        "zh-compression: text": bpe.encode_word(word, model, method="longest-first"),
        "zh-blog: code": bpe.longest_first(
            [*word, "</s>"], model.vocab, end_of_word="</s>", unknown=None
        ),
    }


@proves("x-end-marker")
def _(word):
    def first_word(scheme):
        return list(text.pre_tokenize(f"x {word}", scheme)[1][0])

    def split(mark):
        return bpe.split_words([word], mark)[word]

    return {
        "</w>: zh-compression": split("</w>"),
        "</s>: zh-blog": split("</s>"),
        "#: zh-three, decoding": split("#"),
        "none: zh-three, BPE": split(""),
        "Ġ: ru-bpe and my-bpe": first_word("byte-level"),
        "##: zh-three, WordPiece": wordpiece.split_words([word])[word],
        "▁: zh-three, Unigram": first_word("metaspace"),
    }


@proves("x-tie-breaking")
def _(string):
    freqs = bpe.pair_freqs({string: 1}, bpe.split_words([string]))
    seen = list(freqs)
    return {
        "first seen": bpe.best_pair(freqs),
        "last seen": bpe.best_pair(freqs, ties=lambda pair: -seen.index(pair)),
        "greatest": bpe.best_pair(freqs, ties="greatest"),
        "smallest": bpe.best_pair(freqs, ties=lambda pair: pair),
    }


@proves("x-stop-rule")
def _(word_freqs):
    def merge_parts(left, right, splits):
        """As ru-bpe and my-bpe merge; their loop hands on no parts when no pair is left."""

    model, left_over = bpe.train(word_freqs, num_merges=1000), {}
    return {
        "when no pair is left": {
            "ru-bpe and my-bpe": error(lambda: merge_parts(*"", {})),
            "zh-blog": error(lambda: max(left_over, key=left_over.get)),
            "zh-three": f"stops after {len(model.merges)} merges",
            "this course": model.stopped,
        }
    }


@proves("x-keep-base-tokens")
def _(word_freqs):
    *_, last = bpe.train_steps(word_freqs, num_merges=5, end_of_word="</w>")
    return {"kept": len(last.vocab), "dropped": len(bpe.token_freqs(word_freqs, last.splits))}


@proves("x-vocab-size-counts-what")
def _(_):
    gpt2 = documented.example("bpe-gpt2-size").input
    return {
        "four sentences: 1 + 30 + 19": len(four_sentences().vocab),
        "GPT-2: 1 + 256 + 50,000": gpt2["special tokens"]
        + len(text.byte_alphabet())
        + gpt2["merges"],
        "WikiText-2: 0 + 120 + 50": len(wikitext(50).vocab),
    }
