"""Proofs of documented/word_tables.json: old, older, finest, lowest, iteration by iteration."""

import functools
import re
from collections import Counter

from ... import bpe, documented, text
from . import proves, source_text
from .shared import differing, spelled_by, two_ways

MARK = "</w>"
OFL = {"old": 7, "older": 3, "finest": 9, "lowest": 4}


def steps(word_freqs, number=5):
    return list(bpe.train_steps(word_freqs, num_merges=number, end_of_word=MARK))


def model(number=5):
    return bpe.train(OFL, num_merges=number, end_of_word=MARK)


def table(word_freqs, splits, tokens=()):
    """Token frequencies in the page's order: the mark, the characters as they are first seen, then merged tokens."""
    return bpe.token_freqs(
        word_freqs, splits, keep=[MARK, *bpe.token_freqs(word_freqs, start(word_freqs)), *tokens]
    )


def start(word_freqs):
    return bpe.split_words(word_freqs, end_of_word=MARK)


def in_use(freqs):
    return {token: freq for token, freq in freqs.items() if freq}


def last_table(word_freqs):
    """After five merges, without the tokens that no longer occur."""
    done = steps(word_freqs)
    return in_use(table(word_freqs, done[-1].splits, [step.token for step in done]))


def last_tokens():
    return list(last_table(OFL))


proves("ofl-prose-word-list")(lambda word_freqs: list(start(word_freqs)))
proves("ofl-word-freqs")(lambda lines: text.word_freqs(lines))


@proves("ofl-word-freqs-w")
def _(word_freqs):
    return {"".join(split): word_freqs[word] for word, split in start(word_freqs).items()}


proves("ofl-23-words")(lambda word_freqs: table(word_freqs, start(word_freqs))[MARK])
proves("ofl-marker-blank")(lambda word: bpe.split_words([word], end_of_word=MARK)[word])
proves("ofl-marker-blank", part="expected")(
    lambda word: bpe.split_words([word], end_of_word="")[word]
)


@proves("ofl-no-cross-word")
def _(word_freqs):
    return {
        "pairs that begin with the mark": [
            pair for pair in steps(word_freqs)[0].pair_freqs if pair[0] == MARK
        ]
    }


proves("ofl-initial-table")(lambda word_freqs: list(table(word_freqs, start(word_freqs)).items()))


@proves("ofl-initial-table", part="actual")
def _(word_freqs):
    return {"symbols in all": sum(table(word_freqs, start(word_freqs)).values())}


proves("ofl-second-is-e")(
    lambda word_freqs: Counter(table(word_freqs, start(word_freqs))).most_common(2)[1]
)
proves("ofl-16-distinct")(lambda word_freqs: len(bpe.base_vocab(start(word_freqs))))


def _iteration(number, word_freqs):
    done = steps(word_freqs, number)
    step = done[-1]
    tokens = table(word_freqs, step.splits, [earlier.token for earlier in done])
    return {"merge": step.pair, "count": step.count, "table": list(tokens.items())}


def _state(number, word_freqs):
    step = steps(word_freqs, number)[-1]
    tokens = in_use(table(word_freqs, step.splits))
    return {"tied": step.tied, "tokens in use": len(tokens), "symbols in all": sum(tokens.values())}


for _number in range(1, 6):
    proves(f"ofl-iteration-{_number}")(functools.partial(_iteration, _number))
    proves(f"ofl-iteration-{_number}", part="actual")(functools.partial(_state, _number))


@proves("ofl-start-with-e-rule")
def _(word_freqs):
    (first,) = steps(word_freqs, 1)
    return first.pair, first.count


@proves("ofl-start-with-e-rule", part="expected")
def _(word_freqs):
    """The page's rule: the best pair that holds the second most frequent token."""
    token = Counter(table(word_freqs, start(word_freqs))).most_common(2)[1][0]
    freqs = {
        pair: freq for pair, freq in steps(word_freqs, 1)[0].pair_freqs.items() if token in pair
    }
    return bpe.best_pair(freqs), max(freqs.values())


proves("ofl-es-9+4")(lambda word_freqs: steps(word_freqs)[0].pair_freqs["e", "s"])


def pairs_with_e(word_freqs):
    return {pair: freq for pair, freq in steps(word_freqs)[0].pair_freqs.items() if "e" in pair}


proves("ofl-most-frequent-pair-with-e")(lambda word_freqs: bpe.best_pair(pairs_with_e(word_freqs)))
proves("ofl-most-frequent-pair-with-e", part="actual")(
    lambda word_freqs: list(pairs_with_e(word_freqs).items())
)


@proves("ofl-s-never-alone")
def _(word_freqs):
    tokens = table(word_freqs, steps(word_freqs)[0].splits)
    return {"s": tokens["s"], "e": tokens["e"]}


proves("ofl-o-l-10")(lambda word_freqs: steps(word_freqs)[3].pair_freqs["o", "l"])


@proves("ofl-highest-estimate-estate")
def _(words):
    tokens = {word: bpe.encode_word(word, model()) for word in words}
    return {
        "in the corpus": [word for word in words if word in OFL],
        "with est</w>": [word for word in words if "est</w>" in tokens[word]],
        "with est": [word for word in words if "est" in tokens[word]],
    }


proves("ofl-final-table")(lambda word_freqs: list(last_table(word_freqs).items()))


def corpus_after(number, word_freqs):
    return [
        (split, word_freqs[word]) for word, split in steps(word_freqs, number)[-1].splits.items()
    ]


@proves("ofl-final-table", part="actual")
def _(word_freqs):
    states = [start(word_freqs), *(step.splits for step in steps(word_freqs))]
    return {
        "corpus": corpus_after(5, word_freqs),
        "sums": [sum(table(word_freqs, splits).values()) for splits in states],
    }


@proves("ofl-11-vs-12")
def _(word_freqs):
    dots = bpe.longest_first([*"dots", MARK], last_tokens(), end_of_word=MARK)
    sums = [
        sum(table(word_freqs, splits).values())
        for splits in (start(word_freqs), steps(word_freqs)[-1].splits)
    ]
    return {
        "tokens in use": len(last_tokens()),
        "tokens kept": len(model().vocab),
        "symbols in the corpus": sums,
        "dots with the 11": dots,
    }


@proves("ofl-stop-f-i-n")
def _(word_freqs):
    sixth = steps(word_freqs, 6)[5]
    return {"next merge": sixth.pair, "count": sixth.count, "pairs": list(sixth.pair_freqs.items())}


def counts_of_tokens(word_freqs, number):
    states = [start(word_freqs), *(step.splits for step in steps(word_freqs, number))]
    return [len(in_use(table(word_freqs, splits))) for splits in states]


@proves("ofl-count-up-then-down")
def _(word_freqs):
    kept = [
        len(bpe.base_vocab(start(word_freqs))),
        *(len(step.vocab) for step in steps(word_freqs, 100)),
    ]
    return {"tokens in use": counts_of_tokens(word_freqs, 100), "tokens kept": kept}


proves("ofl-count-can-rise-fall-stay")(lambda word_freqs: counts_of_tokens(word_freqs, 5))


@proves("ofl-common-word-single-token")
def _(word_freqs):
    tokens = [step.token for step in steps(word_freqs, 100)]
    return {
        "after 5 merges": corpus_after(5, word_freqs),
        "finest</w> comes with merge": tokens.index("finest</w>") + 1,
    }


proves("ofl-full-run")(
    lambda word_freqs: [(step.pair, step.count) for step in steps(word_freqs, 100)]
)


def spellings(_):
    return Counter(re.findall("[语预]料库", source_text("zh-compression"))).most_common()


proves("ofl-typo-corpus", apart=True)(lambda _: spellings(_)[0][0])
proves("ofl-typo-corpus", part="expected")(lambda _: spellings(_)[-1][0])


# -------------------------------------------------------------------------------------------- decoding and encoding

proves("ofl-decode", "ofl-decode-counterexample")(lambda tokens: bpe.decode(tokens, model()))


@proves("ofl-decode-counterexample", part="expected")
def _(tokens):
    """What the page meant: high has a mark, est has none."""
    return bpe.decode(["high</w>" if token == "high" else token for token in tokens], model())


@proves("ofl-est-marker-missing")
def _(_):
    return [token for token in model().vocab if token.endswith(MARK) and token != MARK]


proves("ofl-decode-tokens-not-learned")(
    lambda tokens: [token for token in tokens if token in model(100).vocab]
)


@proves("ofl-encode-longest-first")
def _(words):
    vocab = documented.example("ofl-decode").input
    return [
        token
        for word in words
        for token in bpe.longest_first([*word, MARK], vocab, end_of_word=MARK)
    ]


@proves("ofl-encode-length-ambiguous")
def _(given):
    def cut(mark_length):
        return bpe.longest_first(
            [*given["word"], MARK],
            given["tokens"],
            end_of_word=MARK,
            unknown=None,
            mark_length=mark_length,
        )

    return {"mark as four characters": cut(len(MARK)), "mark as one symbol": cut(1)}


@proves("ofl-encode-with-11")
def _(words):
    return {
        word: bpe.longest_first([*word, MARK], last_tokens(), end_of_word=MARK) for word in words
    }


@proves("ofl-cache-new-words")
def _(given):
    trained = bpe.train(given["corpus"], num_merges=5, end_of_word=MARK)
    before = list(trained.vocab)
    tokens = bpe.encode(given["new words"], trained)
    return {
        "tokens before": len(before),
        "tokens after": len(trained.vocab),
        "not in the vocabulary before": [
            token for token in tokens if token not in before and token != "[UNK]"
        ],
    }


def _encoders(given):
    trained = bpe.train(given["corpus"], num_merges=given["merges"], end_of_word=MARK)
    tried = spelled_by(trained)
    return trained, {"words tried": len(tried), "different": len(differing(tried, trained))}


proves("x-encoders-ofl-5")(lambda given: _encoders(given)[1])


@proves("x-encoders-ofl-all")
def _(given):
    trained, counts = _encoders(given)
    return {**counts, "olow": two_ways("olow", trained)}


@proves("x-encoders-ofl-11-table")
def _(words):
    def longest(word):
        return bpe.longest_first([*word, MARK], last_tokens(), end_of_word=MARK, unknown=None)

    return {
        word: {
            "merge_order": bpe.encode_word(word, model(), unknown=None),
            "longest_first_11": longest(word),
        }
        for word in words
    }
