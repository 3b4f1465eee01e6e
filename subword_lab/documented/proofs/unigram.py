"""Proofs of documented/unigram.json."""

import math
from functools import cache
from itertools import chain, islice, repeat

from ... import text, unigram
from ...unigram import UnigramModel
from . import proves

INITIAL_SIZE, SIZE = 500, 200


def second_character(token):
    """The order in which the source's code removes tokens, by mistake."""
    return token[1]


@cache
def word_freqs():
    return text.load_word_freqs("wikitext-2-validation")


@cache
def initial_vocab(size):
    return unigram.initial_vocab(word_freqs(), size)


@cache
def rounds(order):
    return list(
        unigram.train_steps(
            word_freqs(),
            vocab_size=SIZE,
            initial_size=INITIAL_SIZE,
            drop=0.1,
            method="counting",
            order=order,
            overshoot=True,
        )
    )


def sources_model():
    return rounds(second_character)[-1].model


def every_substring(word):
    """A model that holds every substring of the word."""
    return UnigramModel(
        {word[i:j]: 1.0 for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
    )


def sizes(steps):
    return [len(steps[0].before.losses), *(len(step.model.losses) for step in steps)]


# ------------------------------------------------------------------------------------------------ vocabulary and losses


@proves("uni-init-vocab")
def _(given):
    return [item for item in initial_vocab(given["initial_size"]).items() if len(item[0]) > 1][:20]


proves("uni-process-vocab")(lambda counts: unigram.to_losses(counts))


# --------------------------------------------------------------------------------------------------------- segmentation


@proves("uni-count-segmentations")
def _(lengths):
    return [
        (
            n,
            sum(
                len(tokens) > 1
                for tokens, _ in unigram.segmentations("a" * n, every_substring("a" * n))
            ),
        )
        for n in lengths
    ]


@proves("uni-brute-force-2n")
def _(lengths):
    ways = {
        n: [tokens for tokens, _ in unigram.segmentations("a" * n, every_substring("a" * n))]
        for n in lengths
    }
    return [(n, len(ways[n]), sum(map(len, ways[n]))) for n in lengths]


@proves("uni-viterbi-optimal")
def _(given):
    shortest, longest = given["lengths"]
    words = list(
        islice((word for word in word_freqs() if shortest <= len(word) <= longest), given["words"])
    )
    model = sources_model()
    different = [
        word
        for word in words
        if not math.isclose(
            unigram.viterbi(word, model)[1],
            min(loss for _, loss in unigram.segmentations(word, model)),
        )
    ]
    return {"words": len(words), "different": len(different)}


proves("uni-dp-boundary")(lambda word: unigram.viterbi_table(word, sources_model())[0][:2])


@proves("uni-viterbi-complexity", "uni-viterbi-timing")
def _(lengths):
    lattices = {n: unigram.edges("a" * n, every_substring("a" * n)) for n in lengths}
    return [(n, len(lattices[n]), sum(len(edge.token) for edge in lattices[n])) for n in lengths]


# --------------------------------------------------------------------------------------------------- losses of a corpus


@proves("uni-corpus-loss-identity")
def _(given):
    losses = {word: unigram.viterbi(word, sources_model())[1] for word in word_freqs()}
    every_word = chain.from_iterable(repeat(word, freq) for word, freq in word_freqs().items())
    return [
        sum(losses[word] for word in every_word),
        unigram.corpus_loss(word_freqs(), sources_model()),
    ]


def clamped(order):
    """As `rounds`, but the last one removes no more tokens than it has to: the sizes, and the last model."""
    *_, last = steps = rounds(order)
    gone = set(last.removed[: len(last.before.losses) - SIZE])
    counts = initial_vocab(INITIAL_SIZE)
    model = UnigramModel(
        unigram.to_losses(
            {token: counts[token] for token in last.before.losses if token not in gone}
        )
    )
    return [*sizes(steps)[:-1], len(model.losses)], model


@proves("uni-score-nonnegative")
def _(given):
    scores = rounds("score")[0].scores
    dearest = max(scores, key=scores.get)
    return {
        "min": min(scores.values()),
        "zeros": list(scores.values()).count(0),
        "max": [dearest, scores[dearest]],
    }


@proves("uni-proof-strict")
def _(given):
    scores = rounds("score")[0].scores
    return {"tokens": len(scores), "unchanged": list(scores.values()).count(0)}


@proves("uni-loss-after-renormalisation")
def _(given):
    steps = rounds(second_character)
    return [
        (len(step.before.losses), step.loss, step.loss_without, step.loss_after) for step in steps
    ]


# -------------------------------------------------------------------------------------------------------------- pruning

proves("uni-head-20")(lambda given: list(sources_model().losses.items())[:20])
proves("uni-tail-20")(lambda given: list(sources_model().losses.items())[-20:])
proves("uni-final-size")(lambda given: sizes(rounds(second_character)))
proves("uni-final-size", part="expected")(lambda given: clamped(second_character)[0][-1])


@proves("uni-sort-bug")
def _(given):
    return {
        "second character": rounds(second_character)[0].removed[:10],
        "score": rounds("score")[0].removed[:10],
    }


@proves("uni-fixed-result")
def _(given):
    model, (clamped_sizes, clamped_model) = rounds("score")[-1].model, clamped("score")
    words = ["apple", "ground", "finish"]
    return {
        "sizes": sizes(rounds("score")),
        "sizes_clamped": clamped_sizes,
        "multi_char_tokens": [item for item in model.losses.items() if len(item[0]) > 1],
        "tok": {word: unigram.viterbi(word, model) for word in words},
        "tok_clamped": {word: unigram.viterbi(word, clamped_model) for word in words},
        "corpus_loss_fixed": rounds("score")[-1].loss_after,
        "corpus_loss_documented": rounds(second_character)[-1].loss_after,
    }


@proves("uni-small-vocab-prose")
def _(words):
    return [unigram.encode_word(word, rounds("score")[-1].model) for word in words]


# ------------------------------------------------------------------------------------------------ encoding and decoding

proves("uni-tok-apple", "uni-tok-ground", "uni-tok-finish")(
    lambda word: unigram.viterbi(word, sources_model())
)
proves("uni-list-rebinding", part="expected")(lambda word: unigram.viterbi(word, sources_model()))


@proves("uni-list-rebinding")
def _(word):
    pairs = list(sources_model().losses.items())
    found = {token: pairs[token] for token in every_substring(word).losses if token in pairs}
    model = UnigramModel(found, unknown_loss=math.inf)
    loss = unigram.viterbi(word, model)[1]
    return [unigram.encode_word(word, model), None if loss == math.inf else loss]


@proves("uni-unk-none-crash")
def _(given):
    corpus, losses = given
    result = {"corpus_loss": unigram.corpus_loss(corpus, UnigramModel(losses))}
    strict = UnigramModel(losses, unknown_loss=math.inf)
    for word, freq in corpus.items():
        loss = unigram.viterbi(word, strict)[1]
        try:
            freq * (None if loss == math.inf else loss)
        except TypeError as error:
            result["printed code"] = type(error).__name__
    return result


proves("uni-decode-sentencepiece")(
    lambda pieces: "".join(" " + word for word in unigram.decode(pieces))
)
