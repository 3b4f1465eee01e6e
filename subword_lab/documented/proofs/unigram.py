"""Proofs of documented/unigram.json."""

import math
from functools import cache
from itertools import chain, repeat

from ... import unigram
from ...unigram import UnigramModel
from .shared import WIKITEXT, on, outcome

INITIAL_SIZE, SIZE = 500, 200


def second_character(token):
    """The order in which the source's code removes tokens, by mistake."""
    return token[1]


@cache
def rounds(order):
    return list(
        unigram.train_steps(
            WIKITEXT,
            vocab_size=SIZE,
            initial_size=INITIAL_SIZE,
            method="counting",
            order=order,
            overshoot=True,
        )
    )


def sources_model():
    return rounds(second_character)[-1].model


def sizes(order):
    return [INITIAL_SIZE, *(len(step.model.losses) for step in rounds(order))]


def clamped(order):
    """As `rounds`, but the last one removes no more tokens than it has to: the sizes, and the last model."""
    *_, last = rounds(order)
    gone = set(last.removed[: len(last.before.losses) - SIZE])
    counts = unigram.initial_vocab(WIKITEXT, INITIAL_SIZE)
    kept = {token: counts[token] for token in last.before.losses if token not in gone}
    return [*sizes(order)[:-1], len(kept)], UnigramModel(unigram.to_losses(kept))


def with_the_score(_):
    last, (clamped_sizes, clamped_model) = rounds("score")[-1], clamped("score")
    words = ["apple", "ground", "finish"]
    return {
        "sizes": sizes("score"),
        "sizes_clamped": clamped_sizes,
        "multi_char_tokens": [item for item in last.model.losses.items() if len(item[0]) > 1],
        "tok": {word: unigram.viterbi(word, last.model) for word in words},
        "tok_clamped": {word: unigram.viterbi(word, clamped_model) for word in words},
        "corpus_loss_fixed": last.loss_after,
        "corpus_loss_documented": rounds(second_character)[-1].loss_after,
    }


# ---------------------------------------------------------------------------------------- segmentation and encoding


def every_substring(word):
    """A model that holds every substring of the word."""
    return UnigramModel({word[i:j]: 1.0 for j in range(len(word) + 1) for i in range(j)})


def of_lengths(function):
    """From lengths to (length, what the function gives for so many a's and a model of all their substrings)."""
    return lambda lengths: [(n, list(function("a" * n, every_substring("a" * n)))) for n in lengths]


def optimal(given):
    shortest, longest = given["lengths"]
    words = [word for word in WIKITEXT if shortest <= len(word) <= longest][: given["words"]]
    best = {
        word: min(loss for _, loss in unigram.segmentations(word, sources_model()))
        for word in words
    }
    return {
        "words": len(words),
        "different": sum(not math.isclose(viterbi(word)[1], best[word]) for word in words),
    }


def viterbi(word):
    return unigram.viterbi(word, sources_model())


def printed_loss(word, losses):
    """The printed encoder gives no loss, but None, to a word that it cannot write."""
    loss = unigram.viterbi(word, UnigramModel(losses, unknown_loss=math.inf))[1]
    return None if loss == math.inf else loss


def rebound_list(word):
    """The printed code looks for tokens in a list of (token, loss) pairs, and so finds none."""
    pairs = list(sources_model().losses.items())
    found = {token: pairs[token] for token in every_substring(word).losses if token in pairs}
    model = UnigramModel(found, unknown_loss=math.inf)
    return [unigram.encode_word(word, model), printed_loss(word, found)]


def unknown_word(given):
    corpus, losses = given
    return {
        "corpus_loss": unigram.corpus_loss(corpus, UnigramModel(losses)),
        "printed code": outcome(
            lambda: sum(freq * printed_loss(word, losses) for word, freq in corpus.items())
        ),
    }


PROOFS = {
    "uni-init-vocab": lambda given: [
        item
        for item in unigram.initial_vocab(WIKITEXT, given["initial_size"]).items()
        if len(item[0]) > 1
    ][:20],
    "uni-process-vocab": unigram.to_losses,
    **on(
        lambda _: rounds("score")[0].scores,
        {
            "uni-score-nonnegative": lambda scores: {
                "min": min(scores.values()),
                "zeros": list(scores.values()).count(0),
                "max": max(scores.items(), key=lambda item: item[1]),
            },
            "uni-proof-strict": lambda scores: {
                "tokens": len(scores),
                "unchanged": list(scores.values()).count(0),
            },
        },
    ),
    "uni-loss-after-renormalisation": lambda _: [
        (len(step.before.losses), step.loss, step.loss_without, step.loss_after)
        for step in rounds(second_character)
    ],
    "uni-head-20": lambda _: list(sources_model().losses.items())[:20],
    "uni-tail-20": lambda _: list(sources_model().losses.items())[-20:],
    "uni-final-size": lambda _: sizes(second_character),
    "uni-final-size.expected": lambda _: clamped(second_character)[0][-1],
    "uni-sort-bug": lambda _: {
        "second character": rounds(second_character)[0].removed[:10],
        "score": rounds("score")[0].removed[:10],
    },
    "uni-fixed-result": with_the_score,
    **on(
        of_lengths(unigram.segmentations),
        {
            "uni-count-segmentations": lambda found: [
                (n, sum(len(tokens) > 1 for tokens, _ in ways)) for n, ways in found
            ],
            "uni-brute-force-2n": lambda found: [
                (n, len(ways), sum(len(tokens) for tokens, _ in ways)) for n, ways in found
            ],
        },
    ),
    **on(
        of_lengths(unigram.edges),
        dict.fromkeys(
            ["uni-viterbi-complexity", "uni-viterbi-timing"],
            lambda found: [
                (n, len(edges), sum(len(edge.token) for edge in edges)) for n, edges in found
            ],
        ),
    ),
    "uni-viterbi-optimal": optimal,
    "uni-dp-boundary": lambda word: unigram.viterbi_table(word, sources_model())[0][:2],
    # The loss of the corpus word by word, and each different word once, times its count.
    "uni-corpus-loss-identity": lambda _: [
        sum(chain.from_iterable(repeat(viterbi(word)[1], freq) for word, freq in WIKITEXT.items())),
        unigram.corpus_loss(WIKITEXT, sources_model()),
    ],
    "uni-small-vocab-prose": lambda words: [
        unigram.encode_word(word, rounds("score")[-1].model) for word in words
    ],
    "uni-tok-apple": viterbi,
    "uni-tok-ground": viterbi,
    "uni-tok-finish": viterbi,
    "uni-list-rebinding": rebound_list,
    "uni-list-rebinding.expected": viterbi,
    "uni-unk-none-crash": unknown_word,
    "uni-decode-sentencepiece": lambda tokens: "".join(
        " " + word for word in unigram.decode(tokens)
    ),
}
