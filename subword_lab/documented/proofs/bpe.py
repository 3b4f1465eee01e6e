"""Proofs of documented/bpe.json: the toy corpus, encoding and decoding, WikiText-2."""

import itertools
import re
from collections import Counter
from functools import cache, partial

from ... import bpe, lattice, text
from . import source_text
from .shared import (
    HUG,
    HUG_MODEL,
    WIKITEXT,
    Training,
    numbered,
    on,
    outcome,
    wikitext,
    words_of,
)

# ---------------------------------------------------------------------------------------------------- the toy corpus


def corpus_lines(key):
    """The first three lines of a source that show the corpus."""
    lines = re.findall(r"(?m)^Corpus: .*$", source_text(key))
    return [re.findall(r"\w+", line) for line in lines[:3]]


def printed_merge(symbols, pair, look_again):
    """The two printed ways to merge a pair in a word: to look at the new symbol again, or to go on behind it."""
    symbols, i = list(symbols), 0
    while i < len(symbols) - 1:
        found = (symbols[i], symbols[i + 1]) == pair
        if found:
            symbols[i : i + 2] = ["".join(pair)]
        i += not (found and look_again)
    return symbols


def variants_of_merging(_):
    words = [word for length in range(1, 9) for word in itertools.product("ab", repeat=length)]
    cases = list(itertools.product(words, itertools.product("ab", repeat=2)))
    return {
        "words and pairs tried": len(cases),
        "different results": sum(
            not printed_merge(*case, True)
            == printed_merge(*case, False)
            == bpe.merge_symbols(*case)
            for case in cases
        ),
        "aaa": bpe.merge_symbols("aaa", ("a", "a")),
    }


def merge_with_for(symbols):
    """A `for` fixes the number of rounds before the list gets shorter."""
    symbols = list(symbols)
    for i in range(len(symbols) - 1):
        if (symbols[i], symbols[i + 1]) == ("a", "a"):
            symbols[i : i + 2] = ["aa"]


# -------------------------------------------------------------------------------------------- encoding and decoding

BYTES_MODEL = bpe.train(HUG, num_merges=3, alphabet=text.byte_alphabet())
by_merge_order = partial(bpe.encode_word, model=HUG_MODEL)
by_lowest_rank = partial(bpe.encode_word, model=HUG_MODEL, method="lowest-rank")


def printed_encoder(word, vocab=HUG_MODEL.vocab, merges=HUG_MODEL.merges):
    """The printed encoder's two flaws: a single character is not looked up, and no pair has no smallest one."""
    if len(word) == 1:
        return word
    min(zip(word, word[1:]))
    return bpe.encode_word(word, bpe.BPEModel(vocab, merges), method="lowest-rank")


# ------------------------------------------------------------------------------------------------------- WikiText-2


@cache
def wikitext_steps():
    """Of each merge its number, the count, the pair and those tied with it."""
    return [
        {"step": step.number, "count": step.count, "merged": step.pair, "tied": step.tied}
        for step in bpe.train_steps(WIKITEXT, num_merges=50)
    ]


def tokens_made_twice(model):
    times = Counter(map("".join, model.merges))
    return [token for token in times if times[token] > 1]


def merges_by_choice(string, merges):
    """The merges of one text, as many each time, when something else is chosen than their number."""
    choices = {
        "whitespace, first-seen": ("whitespace", {}),
        "whitespace, greatest": ("whitespace", {"ties": "greatest"}),
        "split, first-seen": ("split", {}),
        "whitespace, first-seen, </w>": ("whitespace", {"end_of_word": "</w>"}),
    }
    return {
        name: bpe.train(text.word_freqs([string], scheme), num_merges=merges, **options).merges
        for name, (scheme, options) in choices.items()
    }


PROOFS = {
    "bpe-zh-only-hyperparameter": lambda given: merges_by_choice(given["text"], given["merges"]),
    "bpe-hug-word-freqs": lambda lines: list(text.word_freqs(lines).items()),
    "bpe-hug-word-freqs-prose": lambda burmese: {word: int(burmese[word]) for word in burmese},
    "bpe-pairs-definition": lambda symbols: list(bpe.pair_freqs({"word": 1}, {"word": symbols})),
    **on(
        Training,
        {
            "bpe-hug-words": lambda run: list(run.splits[0]),
            "bpe-hug-base-vocab": lambda run: bpe.base_vocab(run.splits[0]),
            "bpe-hug-initial-split": lambda run: run.corpus(0),
            "bpe-hug-pair-hu-15": lambda run: {("h", "u"): run.steps[0].pair_freqs["h", "u"]},
            "bpe-hug-pair-hu-15.actual": lambda run: run.steps[0].pair_freqs,
            "bpe-hug-pair-ug-20": lambda run: {run.steps[0].pair: run.steps[0].count},
            "bpe-hug-20-in-vocabulary-prose": lambda run: {
                "in the corpus": run.steps[0].pair_freqs["u", "g"],
                "in the vocabulary": run.steps[0].vocab.count("ug"),
            },
            **numbered(
                "bpe-hug-merge-{}",
                (1, 2, 3),
                lambda number, run: {
                    "merge": run.steps[number - 1].pair,
                    "new_token": run.steps[number - 1].token,
                    "count": run.steps[number - 1].count,
                    "vocabulary": run.steps[number - 1].vocab,
                    "corpus": run.corpus(number),
                },
            ),
            **numbered(
                "bpe-hug-merge-{}.actual",
                (1, 2, 3),
                lambda number, run: {
                    "pair_counts_before": list(run.steps[number - 1].pair_freqs.items())
                },
            ),
            "bpe-hug-pair-un-16": lambda run: {("u", "n"): run.steps[1].pair_freqs["u", "n"]},
            "bpe-hug-pair-h-ug-15": lambda run: {("h", "ug"): run.steps[1].pair_freqs["h", "ug"]},
            "bpe-hug-3-letter-token": lambda run: next(
                step.token for step in run.steps if len(step.token) == 3
            ),
            "bpe-hug-exercise-next-merge": lambda run: {
                "answer": run.steps[3].pair,
                "new_token": run.steps[3].token,
                "count": run.steps[3].count,
                "pair_counts": list(run.steps[3].pair_freqs.items()),
            },
            "bpe-hug-train-3-code.actual": lambda run: {"corpus_after": run.splits[3]},
        },
    ),
    **on(
        partial(bpe.train, num_merges=3),
        {"bpe-hug-train-3-code": lambda model: {"vocab": model.vocab, "merges": model.merges}},
    ),
    **on(
        lambda _: [corpus_lines(key) for key in ("ru-bpe", "zh-three", "my-bpe")],
        {
            "x-same-corpus-hug": lambda sources: {
                "states of the corpus": len(sources[0]),
                "the same in all three": sources[0] == sources[1] == sources[2],
            }
        },
    ),
    "bpe-merge-pair-variants": variants_of_merging,
    "zh-while-not-for": partial(outcome, merge_with_for),
    "code-missing-imports": lambda _: outcome(exec, "freqs = defaultdict(int)", {}),
    "bpe-hug-tok-bug": by_merge_order,
    "bpe-hug-tok-mug": by_merge_order,
    "bpe-hug-tok-thug": by_merge_order,
    "bpe-hug-exercise-unhug": by_merge_order,
    "bpe-zh-bug-scan": by_merge_order,
    "bpe-zh-mug-scan": lambda word: {
        "split": bpe.encode_word(word, bpe.train(HUG, num_merges=0)),
        "result": by_merge_order(word),
    },
    "bpe-zh-thug": by_lowest_rank,
    "bpe-zh-tokenize-word-hug": by_lowest_rank,
    "bpe-zh-tokenize-word-bug": by_lowest_rank,
    "bpe-zh-tokenize-word-mug": by_lowest_rank,
    "bpe-zh-tokenize-word-unhug": by_lowest_rank,
    "bpe-zh-unk-note": lambda words: {word: printed_encoder(word) for word in words},
    "bpe-zh-unk-note.expected": lambda words: {word: by_merge_order(word) for word in words},
    "bpe-zh-empty-word": lambda word: {
        "printed code": outcome(printed_encoder, word),
        "this course": by_merge_order(word),
    },
    "bpe-zh-tokenize-text": partial(bpe.encode, model=HUG_MODEL, method="lowest-rank"),
    # The printed code binds the vocabulary and the merges to the encoder, and hands them on once more.
    "bpe-zh-tokenize-partial-bug": lambda words: outcome(
        partial(printed_encoder, vocab=HUG_MODEL.vocab, merges=HUG_MODEL.merges),
        words[0],
        HUG_MODEL.vocab,
        HUG_MODEL.merges,
    ),
    "bpe-zh-tokenize-partial-bug.expected": partial(bpe.encode, model=HUG_MODEL),
    **on(
        text.load_word_freqs,
        {
            "bpe-sequential-vs-rank": lambda words: {
                "merges": len(wikitext(600).merges),
                "words": len(words),
                "different": [
                    word
                    for word in words
                    if bpe.merge_in_order([*word], wikitext(600).merges)
                    != bpe.merge_by_rank([*word], wikitext(600).ranks)
                ],
            }
        },
    ),
    "bpe-decode-hash": partial(bpe.decode, model=bpe.BPEModel([], [], end_of_word="#")),
    "bpe-decode-ambiguous": lambda tokens: len(list(lattice.groupings(tokens))),
    "bpe-unk-prose-byte-level": lambda _: len(text.byte_alphabet()),
    **on(
        lambda string: bpe.encode(words_of(string, "byte-level"), BYTES_MODEL, unknown="error"),
        {
            "bpe-unk-prose-byte-level.actual": lambda tokens: {
                "tokens": tokens,
                "decoded": text.chars_to_bytes("".join(tokens)).decode(),
            }
        },
    ),
    **on(
        text.load_word_freqs,
        {
            "wt2-corpus": lambda word_freqs: {
                "words": sum(word_freqs.values()),
                "types": len(word_freqs),
                "unk": word_freqs["unk"],
            },
            "bpe-wt2-base-vocab": lambda word_freqs: bpe.base_vocab(bpe.split_words(word_freqs)),
        },
    ),
    "bpe-wt2-merges": lambda _: wikitext(50).merges,
    "bpe-wt2-merges.actual": lambda _: [step for step in wikitext_steps() if step["tied"]],
    "bpe-wt2-counts": lambda _: [(step["merged"], step["count"]) for step in wikitext_steps()],
    "bpe-wt2-vocab": lambda _: wikitext(50).vocab,
    "bpe-wt2-unk-artifact": lambda _: [
        token
        for token in wikitext(50).vocab
        if len(token) > 1 and (token in "<unk>" or token in "@-@")
    ],
    "bpe-wt2-library": lambda _: wikitext(50, ties="lowest-ids").merges,
    "bpe-vocab-size-formula": lambda _: {
        "tokens after 50 merges": len(wikitext(50).vocab),
        "tokens made twice in 600 merges": len(tokens_made_twice(wikitext(600))),
    },
    "bpe-wt2-no-duplicates": lambda _: {
        "merges": len(wikitext(600).merges),
        "duplicates": tokens_made_twice(wikitext(600)),
    },
}
