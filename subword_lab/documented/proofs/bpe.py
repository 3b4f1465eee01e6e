"""Proofs of documented/bpe.json: the toy corpus, encoding and decoding, WikiText-2."""

import functools
import itertools
import re

from ... import bpe, lattice, text
from ...structures.pair_index import PairIndex
from ...studies import merging
from . import proves, source_text
from .shared import HUG, error, wikitext

MODEL = bpe.train(HUG, num_merges=3)


def steps(word_freqs, number):
    return list(bpe.train_steps(word_freqs, num_merges=number))


# ------------------------------------------------------------------------------------------------- the toy corpus

proves("bpe-hug-words")(lambda word_freqs: list(bpe.split_words(word_freqs)))
proves("bpe-hug-word-freqs")(lambda lines: list(text.word_freqs(lines).items()))
proves("bpe-hug-word-freqs-prose")(
    lambda burmese: {word: int(digits) for word, digits in burmese.items()}
)
proves("bpe-hug-base-vocab")(lambda word_freqs: bpe.base_vocab(bpe.split_words(word_freqs)))


@proves("bpe-hug-initial-split")
def _(word_freqs):
    return [(split, word_freqs[word]) for word, split in bpe.split_words(word_freqs).items()]


proves("bpe-pairs-definition")(lambda symbols: list(bpe.pair_freqs({"word": 1}, {"word": symbols})))


@proves("bpe-hug-pair-hu-15", part="actual")
def _(word_freqs):
    return bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))


@proves("bpe-hug-pair-hu-15")
def _(word_freqs):
    return {("h", "u"): bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))["h", "u"]}


@proves("bpe-hug-pair-ug-20")
def _(word_freqs):
    freqs = bpe.pair_freqs(word_freqs, bpe.split_words(word_freqs))
    return {bpe.best_pair(freqs): max(freqs.values())}


@proves("bpe-hug-20-in-vocabulary-prose")
def _(word_freqs):
    (first,) = steps(word_freqs, 1)
    return {
        "in the corpus": first.pair_freqs["u", "g"],
        "in the vocabulary": first.vocab.count("ug"),
    }


def _merge(number, word_freqs):
    step = steps(word_freqs, number)[-1]
    return {
        "merge": step.pair,
        "new_token": step.token,
        "count": step.count,
        "vocabulary": step.vocab,
        "corpus": [(split, word_freqs[word]) for word, split in step.splits.items()],
    }


def _pairs_before(number, word_freqs):
    return {"pair_counts_before": list(steps(word_freqs, number)[-1].pair_freqs.items())}


for _number in (1, 2, 3):
    proves(f"bpe-hug-merge-{_number}")(functools.partial(_merge, _number))
    proves(f"bpe-hug-merge-{_number}", part="actual")(functools.partial(_pairs_before, _number))


proves("bpe-hug-pair-un-16")(
    lambda word_freqs: {("u", "n"): steps(word_freqs, 2)[1].pair_freqs["u", "n"]}
)
proves("bpe-hug-pair-h-ug-15")(
    lambda word_freqs: {("h", "ug"): steps(word_freqs, 2)[1].pair_freqs["h", "ug"]}
)


@proves("bpe-hug-3-letter-token")
def _(word_freqs):
    return next(step.token for step in steps(word_freqs, 10) if len(step.token) == 3)


@proves("bpe-hug-exercise-next-merge")
def _(word_freqs):
    step = steps(word_freqs, 4)[3]
    return {
        "answer": step.pair,
        "new_token": step.token,
        "count": step.count,
        "pair_counts": list(step.pair_freqs.items()),
    }


@proves("bpe-hug-train-3-code")
def _(word_freqs):
    model = bpe.train(word_freqs, num_merges=3)
    return {"vocab": model.vocab, "merges": model.merges}


proves("bpe-hug-train-3-code", part="actual")(
    lambda word_freqs: {"corpus_after": steps(word_freqs, 3)[-1].splits}
)


@proves("x-same-corpus-hug", apart=True)
def _(_):
    """The lines of the three sources that show the corpus, compared."""
    corpora = []
    for key in ("ru-bpe", "zh-three", "my-bpe"):
        lines = re.findall(r"^Corpus: .*$", source_text(key), flags=re.MULTILINE)
        corpora.append([re.findall(r"\w+", line) for line in lines][:3])
    return {
        "states of the corpus": len(corpora[0]),
        "the same in all three": corpora[0] == corpora[1] == corpora[2],
    }


@proves("bpe-merge-pair-variants")
def _(_):
    def printed(symbols, pair, look_again):
        symbols, i = list(symbols), 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
                i += not look_again
            else:
                i += 1
        return symbols

    words = [word for length in range(1, 9) for word in itertools.product("ab", repeat=length)]
    cases = list(itertools.product(words, itertools.product("ab", repeat=2)))
    different = [
        case
        for case in cases
        if not printed(*case, True) == printed(*case, False) == bpe.merge_symbols(*case)
    ]
    return {
        "words and pairs tried": len(cases),
        "different results": len(different),
        "aaa": bpe.merge_symbols("aaa", ("a", "a")),
    }


@proves("zh-while-not-for")
def _(symbols):
    def with_for(symbols):
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == ("a", "a"):
                symbols[i : i + 2] = ["aa"]

    return error(with_for, list(symbols))


@proves("code-missing-imports")
def _(_):
    code = "def count(words: List[str]):\n    freqs = defaultdict(int)\ncount([])"
    return error(exec, code, {})


# -------------------------------------------------------------------------------------------- encoding and decoding


@proves(
    "bpe-hug-tok-bug",
    "bpe-hug-tok-mug",
    "bpe-hug-tok-thug",
    "bpe-hug-exercise-unhug",
    "bpe-zh-bug-scan",
)
def _(word):
    return bpe.encode_word(word, MODEL)


@proves("bpe-zh-mug-scan")
def _(word):
    no_merges = bpe.BPEModel(bpe.base_vocab(bpe.split_words(HUG)), [])
    return {"split": bpe.encode_word(word, no_merges), "result": bpe.encode_word(word, MODEL)}


@proves("bpe-zh-thug", *(f"bpe-zh-tokenize-word-{word}" for word in ("hug", "bug", "mug", "unhug")))
def _(word):
    return bpe.encode_word(word, MODEL, method="lowest-rank")


def printed_encoder(word, vocab, merges):
    """The printed encoder's two flaws: a single character is not looked up, and no pair has no smallest one."""
    if len(word) == 1:
        return word
    min(zip(word, word[1:]))
    return bpe.encode_word(word, bpe.BPEModel(vocab, merges), method="lowest-rank")


proves("bpe-zh-unk-note")(
    lambda words: {word: printed_encoder(word, MODEL.vocab, MODEL.merges) for word in words}
)
proves("bpe-zh-unk-note", part="expected")(
    lambda words: {word: bpe.encode_word(word, MODEL) for word in words}
)


@proves("bpe-zh-empty-word")
def _(word):
    return {
        "printed code": error(printed_encoder, word, MODEL.vocab, MODEL.merges),
        "this course": bpe.encode_word(word, MODEL),
    }


proves("bpe-zh-tokenize-text")(lambda words: bpe.encode(words, MODEL, method="lowest-rank"))


@proves("bpe-zh-tokenize-partial-bug")
def _(words):
    bound = functools.partial(printed_encoder, vocab=MODEL.vocab, merges=MODEL.merges)
    return error(bound, words[0], MODEL.vocab, MODEL.merges)


proves("bpe-zh-tokenize-partial-bug", part="expected")(lambda words: bpe.encode(words, MODEL))


@proves("bpe-sequential-vs-rank")
def _(name):
    model, words = wikitext(600), text.load_word_freqs(name)
    different = [
        word
        for word, tokens in merging.merge_all(words, model).items()
        if tokens != bpe.encode_word(word, model, method="lowest-rank")
    ]
    return {"merges": len(model.merges), "words": len(words), "different": different}


proves("bpe-decode-hash")(lambda tokens: bpe.decode(tokens, bpe.BPEModel([], [], end_of_word="#")))
proves("bpe-decode-ambiguous")(lambda tokens: len(list(lattice.groupings(tokens))))
proves("bpe-unk-prose-byte-level")(lambda _: len(text.byte_alphabet()))


@proves("bpe-unk-prose-byte-level", part="actual")
def _(string):
    model = bpe.train(HUG, num_merges=3, alphabet=text.byte_alphabet())
    tokens = bpe.encode(
        [word for word, _ in text.pre_tokenize(string, "byte-level")], model, unknown="error"
    )
    return {"tokens": tokens, "decoded": text.chars_to_bytes("".join(tokens)).decode()}


# ------------------------------------------------------------------------------------------------------- WikiText-2


@proves("wt2-corpus")
def _(name):
    word_freqs = text.load_word_freqs(name)
    return {"words": sum(word_freqs.values()), "types": len(word_freqs), "unk": word_freqs["unk"]}


proves("bpe-wt2-base-vocab")(
    lambda name: bpe.base_vocab(bpe.split_words(text.load_word_freqs(name)))
)
proves("bpe-wt2-merges")(lambda _: wikitext(50).merges)


@functools.cache
def wikitext_counts():
    """Of each of fifty merges the count, the pair and the pairs tied with it, from counts that keep up with merges."""
    word_freqs = text.load_word_freqs("wikitext-2-validation")
    index, found = PairIndex(word_freqs, bpe.split_words(word_freqs)), []
    for pair in wikitext(50).merges:
        count = index.counts[pair]
        found.append(
            (
                count,
                pair,
                [other for other in index.counts if index.counts[other] == count and other != pair],
            )
        )
        index.merge(pair, "".join(pair))
    return found


@proves("bpe-wt2-merges", part="actual")
def _(_):
    return [
        {"step": number, "count": count, "merged": pair, "tied": tied}
        for number, (count, pair, tied) in enumerate(wikitext_counts(), 1)
        if tied
    ]


proves("bpe-wt2-counts")(lambda _: [(pair, count) for count, pair, _ in wikitext_counts()])
proves("bpe-wt2-vocab")(lambda _: wikitext(50).vocab)


@proves("bpe-wt2-unk-artifact")
def _(_):
    return [
        token
        for token in wikitext(50).vocab
        if len(token) > 1 and (token in "<unk>" or token in "@-@")
    ]


proves("bpe-wt2-library")(lambda _: wikitext(50, ties="lowest-ids").merges)


def made_twice(model):
    tokens = ["".join(pair) for pair in model.merges]
    return [token for token in dict.fromkeys(tokens) if tokens.count(token) > 1]


@proves("bpe-vocab-size-formula")
def _(_):
    return {
        "tokens after 50 merges": len(wikitext(50).vocab),
        "tokens made twice in 600 merges": len(made_twice(wikitext(600))),
    }


@proves("bpe-wt2-no-duplicates")
def _(_):
    return {"merges": len(wikitext(600).merges), "duplicates": made_twice(wikitext(600))}
