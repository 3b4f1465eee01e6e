"""Proofs of documented/word_tables.json: old, older, finest, lowest, iteration by iteration."""

import re
from collections import Counter
from functools import partial

from ... import bpe, documented, text
from . import source_text
from .shared import Training, compared, numbered, on, two_ways

MARK = "</w>"
OFL = {"old": 7, "older": 3, "finest": 9, "lowest": 4}
train = partial(Training, mark=MARK)
MODEL = bpe.train(OFL, num_merges=5, end_of_word=MARK)


def in_use(table):
    return {token: freq for token, freq in table.items() if freq}


TABLE_OF_11 = in_use(train(OFL).tables[5])


# ----------------------------------------------------------------------------------------------------------- training


def second_token(run):
    return Counter(run.tables[0]).most_common(2)[1]


def pairs_with(token, run):
    return {pair: freq for pair, freq in run.steps[0].pair_freqs.items() if token in pair}


# -------------------------------------------------------------------------------------------- decoding and encoding


def longest_first(word, tokens, **options):
    return bpe.longest_first([*word, MARK], tokens, end_of_word=MARK, **options)


def new_words(given):
    model = bpe.train(given["corpus"], num_merges=5, end_of_word=MARK)
    before, tokens = list(model.vocab), bpe.encode(given["new words"], model)
    return {
        "tokens before": len(before),
        "tokens after": len(model.vocab),
        "not in the vocabulary before": sorted({*tokens} - {*before, "[UNK]"}),
    }


def encoders(given):
    model = bpe.train(given["corpus"], num_merges=given["merges"], end_of_word=MARK)
    figures = {name: compared(model)[name] for name in ("words tried", "different")}
    return figures | {"olow": two_ways("olow", model)}


PROOFS = {
    "ofl-characters-as-bytes": lambda words: {
        word: [len(word), len(word.encode())] for word in words
    },
    **on(
        train,
        {
            "ofl-prose-word-list": lambda run: list(run.splits[0]),
            "ofl-word-freqs-w": lambda run: {
                "".join(split): count for split, count in run.corpus(0)
            },
            "ofl-23-words": lambda run: run.tables[0][MARK],
            "ofl-no-cross-word": lambda run: {
                "pairs that begin with the mark": [
                    pair for pair in run.steps[0].pair_freqs if pair[0] == MARK
                ]
            },
            "ofl-initial-table": lambda run: list(run.tables[0].items()),
            "ofl-initial-table.actual": lambda run: {"symbols in all": sum(run.tables[0].values())},
            "ofl-second-is-e": second_token,
            "ofl-16-distinct": lambda run: len(run.tables[0]),
            **numbered(
                "ofl-iteration-{}",
                range(1, 6),
                lambda number, run: {
                    "merge": run.steps[number - 1].pair,
                    "count": run.steps[number - 1].count,
                    "table": list(run.tables[number].items()),
                },
            ),
            **numbered(
                "ofl-iteration-{}.actual",
                range(1, 6),
                lambda number, run: {
                    "tied": run.steps[number - 1].tied,
                    "tokens in use": len(in_use(run.tables[number])),
                    "symbols in all": sum(run.tables[number].values()),
                },
            ),
            "ofl-start-with-e-rule": lambda run: (run.steps[0].pair, run.steps[0].count),
            # The rule of the page: the best of the pairs that hold the second most frequent token.
            "ofl-start-with-e-rule.expected": lambda run: max(
                pairs_with(second_token(run)[0], run).items(), key=lambda item: item[1]
            ),
            "ofl-es-9+4": lambda run: run.steps[0].pair_freqs["e", "s"],
            "ofl-most-frequent-pair-with-e": lambda run: bpe.best_pair(pairs_with("e", run)),
            "ofl-most-frequent-pair-with-e.actual": lambda run: list(pairs_with("e", run).items()),
            "ofl-s-never-alone": lambda run: {token: run.tables[1][token] for token in "se"},
            "ofl-o-l-10": lambda run: run.steps[3].pair_freqs["o", "l"],
            "ofl-final-table": lambda run: list(in_use(run.tables[5]).items()),
            "ofl-final-table.actual": lambda run: {
                "corpus": run.corpus(5),
                "sums": [sum(table.values()) for table in run.tables[:6]],
            },
            "ofl-11-vs-12": lambda run: {
                "tokens in use": len(in_use(run.tables[5])),
                "tokens kept": len(run.tables[5]),
                "symbols in the corpus": [sum(run.tables[0].values()), sum(run.tables[5].values())],
                "dots with the 11": longest_first("dots", in_use(run.tables[5])),
            },
            "ofl-stop-f-i-n": lambda run: {
                "next merge": run.steps[5].pair,
                "count": run.steps[5].count,
                "pairs": list(run.steps[5].pair_freqs.items()),
            },
            "ofl-count-up-then-down": lambda run: {
                "tokens in use": [len(in_use(table)) for table in run.tables],
                "tokens kept": [len(table) for table in run.tables],
            },
            "ofl-count-can-rise-fall-stay": lambda run: [
                len(in_use(table)) for table in run.tables[:6]
            ],
            "ofl-common-word-single-token": lambda run: {
                "after 5 merges": run.corpus(5),
                "finest</w> comes with merge": next(
                    step.number for step in run.steps if step.token == "finest</w>"
                ),
            },
            "ofl-full-run": lambda run: [(step.pair, step.count) for step in run.steps],
            "ofl-est-marker-missing": lambda run: [
                step.token for step in run.steps[:5] if step.token.endswith(MARK)
            ],
        },
    ),
    "ofl-word-freqs": text.word_freqs,
    "ofl-marker-blank": lambda word: bpe.split_words([word], MARK)[word],
    "ofl-marker-blank.expected": lambda word: bpe.split_words([word])[word],
    **on(
        lambda words: {word: bpe.encode_word(word, MODEL) for word in words},
        {
            "ofl-highest-estimate-estate": lambda split: {
                "in the corpus": [word for word in split if word in OFL],
                "with est</w>": [word for word in split if "est</w>" in split[word]],
                "with est": [word for word in split if "est" in split[word]],
            }
        },
    ),
    "ofl-decode": partial(bpe.decode, model=MODEL),
    "ofl-decode-counterexample": partial(bpe.decode, model=MODEL),
    # What the page meant: high has a mark, est has none.
    "ofl-decode-counterexample.expected": lambda tokens: bpe.decode(
        ["high</w>" if token == "high" else token for token in tokens], MODEL
    ),
    "ofl-decode-tokens-not-learned": lambda tokens: [
        token for token in tokens if token in train(OFL).tables[-1]
    ],
    "ofl-encode-longest-first": lambda words: [
        token
        for word in words
        for token in longest_first(word, documented.example("ofl-decode").input)
    ],
    "ofl-encode-length-ambiguous": lambda given: {
        "mark as four characters": bpe.longest_first(
            given["word"] + MARK, given["tokens"], unknown=None
        ),
        "mark as one symbol": longest_first(**given, unknown=None),
    },
    "ofl-encode-with-11": lambda words: {word: longest_first(word, TABLE_OF_11) for word in words},
    "ofl-cache-new-words": new_words,
    "x-encoders-ofl-5": lambda given: {
        name: figure for name, figure in encoders(given).items() if name != "olow"
    },
    "x-encoders-ofl-all": encoders,
    "x-encoders-ofl-11-table": lambda words: {
        word: {
            "merge_order": bpe.encode_word(word, MODEL, unknown=None),
            "longest_first_11": longest_first(word, TABLE_OF_11, unknown=None),
        }
        for word in words
    },
    **on(
        lambda _: Counter(re.findall("[语预]料库", source_text("zh-compression"))).most_common(),
        {
            "ofl-typo-corpus": lambda spellings: spellings[0][0],
            "ofl-typo-corpus.expected": lambda spellings: spellings[-1][0],
        },
    ),
}
