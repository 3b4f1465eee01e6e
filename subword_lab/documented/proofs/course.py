"""Proofs of documented/course.json: what the sources disagree about, and the algorithms side by side."""

import itertools
import math
from functools import partial

from ... import bpe, documented, text, unigram, wordpiece
from .four_sentences import MODEL as FOUR_SENTENCES_MODEL
from .shared import (
    HUG,
    HUG_MODEL,
    Training,
    compared,
    differing,
    on,
    outcome,
    two_ways,
    wikitext,
)

PREFIXES = wordpiece.train(HUG, vocab_size=10)
UNIGRAM_SIZES = {"vocab_size": 10, "initial_size": 15, "method": "counting"}


def toy_model(size, **options):
    return unigram.UnigramModel(unigram.to_losses(unigram.initial_vocab(HUG, size)), **options)


def three_algorithms(word_freqs):
    pruned = next(unigram.train_steps(word_freqs, **UNIGRAM_SIZES))
    model = unigram.train(word_freqs, **UNIGRAM_SIZES)
    return {
        "tokens at first and at last": {
            "BPE": [len(bpe.base_vocab(bpe.split_words(word_freqs))), len(HUG_MODEL.vocab)],
            "WordPiece": [
                len(bpe.base_vocab(wordpiece.split_words(word_freqs))),
                len(PREFIXES.vocab),
            ],
            "Unigram": [len(pruned.before.vocab), len(model.vocab)],
        },
        "first change": {
            "BPE": {"added": [next(bpe.train_steps(word_freqs, num_merges=1)).token]},
            "WordPiece": {"added": [next(wordpiece.train_steps(word_freqs, vocab_size=8)).token]},
            "Unigram": {"removed": pruned.removed},
        },
        "kept besides the vocabulary": {
            name: [part for part in ("merges", "losses") if hasattr(kept, part)]
            for name, kept in {"BPE": HUG_MODEL, "WordPiece": PREFIXES, "Unigram": model}.items()
        },
        "hugs": {
            "BPE": bpe.encode_word("hugs", HUG_MODEL),
            "WordPiece": wordpiece.encode_word("hugs", PREFIXES),
            "Unigram": unigram.encode_word("hugs", model),
        },
    }


def with_all_strings(given):
    """The two encoders on words and on every string of the corpus's letters, up to five of them."""
    model = bpe.train(given["corpus"], num_merges=given["merges"])
    letters = sorted({*"".join(given["corpus"])})
    strings = ["".join(s) for n in range(1, 6) for s in itertools.product(letters, repeat=n)]
    figures = compared(model)
    return {
        "merges": figures["merges"],
        "words tried": figures["words tried"],
        "strings tried": len(strings),
        "different": figures["different"] + len(differing(strings, model)),
    }


PROOFS = {
    "cmp-table": three_algorithms,
    "cmp-same-word-three-ways": lambda _: {
        "bpe": {word: bpe.encode_word(word, HUG_MODEL) for word in ("unhug", "hugs")},
        "wordpiece": {word: wordpiece.encode_word(word, PREFIXES) for word in ("unhug", "hugs")},
        "unigram": {word: unigram.viterbi(word, toy_model(20)) for word in ("unhug", "hugs")},
    },
    "x-encoders-hug-3": with_all_strings,
    "x-encoders-hug-all": with_all_strings,
    "x-encoders-hf-19": lambda _: compared(FOUR_SENTENCES_MODEL, "all", space="Ġ"),
    "x-encoders-tokenism": lambda word: two_ways(word, FOUR_SENTENCES_MODEL),
    **on(
        lambda given: bpe.train(
            text.word_freqs([given["sentence"]], scheme="split"),
            num_merges=given["merges"],
            end_of_word="</s>",
        ),
        {
            "x-encoders-blog-10": lambda model: compared(model, ["sthe"]),
            "x-encoders-blog-all": lambda model: compared(model, "all"),
        },
    ),
    "x-encoders-wt2-50": lambda given: compared(
        wikitext(given["merges"]), ["before", "There", "current", "foreign"]
    ),
    # Each source's way, with the merges, the vocabulary and the losses of the toy corpus.
    "x-unk-handling": lambda word: {
        "ru-bpe, my-bpe: text": bpe.encode_word(word, HUG_MODEL),
        "ru-bpe, my-bpe: code": bpe.encode_word(word, HUG_MODEL, unknown=None),
        "zh-three: BPE": bpe.encode_word(word, HUG_MODEL, method="lowest-rank"),
        "zh-three: BPE, m alone": documented.example("bpe-zh-unk-note").actual["m"],
        "zh-three: WordPiece": wordpiece.encode_word(word, PREFIXES),
        "zh-three: Unigram": unigram.encode_word(word, toy_model(15, unknown_loss=math.inf)),
        "zh-compression: text": bpe.encode_word(word, HUG_MODEL, method="longest-first"),
        "zh-blog: code": bpe.longest_first(
            [*word, "</s>"], HUG_MODEL.vocab, end_of_word="</s>", unknown=None
        ),
    },
    "x-end-marker": lambda word: {
        "</w>: zh-compression": bpe.split_words([word], "</w>")[word],
        "</s>: zh-blog": bpe.split_words([word], "</s>")[word],
        "#: zh-three, decoding": bpe.split_words([word], "#")[word],
        "none: zh-three, BPE": bpe.split_words([word])[word],
        "Ġ: ru-bpe and my-bpe": [*text.pre_tokenize(f"x {word}", "byte-level")[1][0]],
        "##: zh-three, WordPiece": wordpiece.split_words([word])[word],
        "▁: zh-three, Unigram": [*text.pre_tokenize(f"x {word}", "metaspace")[1][0]],
    },
    **on(
        lambda string: bpe.pair_freqs({string: 1}, bpe.split_words([string])),
        {
            "x-tie-breaking": lambda freqs: {
                "first seen": bpe.best_pair(freqs),
                "last seen": bpe.best_pair(freqs, ties=lambda pair: -[*freqs].index(pair)),
                "greatest": bpe.best_pair(freqs, ties="greatest"),
                "smallest": bpe.best_pair(freqs, ties=lambda pair: pair),
            }
        },
    ),
    **on(
        partial(bpe.train, num_merges=1000),
        {
            "x-stop-rule": lambda model: {
                "when no pair is left": {
                    "ru-bpe and my-bpe": outcome(bpe.merge_pair, {}),
                    "zh-blog": outcome(max, {}),
                    "zh-three": f"stops after {len(model.merges)} merges",
                    "this course": model.stopped,
                }
            }
        },
    ),
    **on(
        partial(Training, mark="</w>"),
        {
            "x-keep-base-tokens": lambda run: {
                "kept": len(run.tables[5]),
                "dropped": sum(freq > 0 for freq in run.tables[5].values()),
            }
        },
    ),
    "x-vocab-size-counts-what": lambda _: {
        "four sentences: 1 + 30 + 19": len(FOUR_SENTENCES_MODEL.vocab),
        "GPT-2: 1 + 256 + 50,000": 1 + len(text.byte_alphabet()) + 50_000,
        "WikiText-2: 0 + 120 + 50": len(wikitext(50).vocab),
    },
}
