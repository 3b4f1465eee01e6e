"""Proofs of documented/blog.json: the sentence about the mountain, and regular expressions that are not escaped."""

import re

from ... import bpe, documented, text
from . import source_text
from .shared import Training, on, outcome, words_of

MARK = "</s>"
NO_MERGES = bpe.BPEModel([], [], end_of_word=MARK)


def train(string, mark=MARK):
    return Training(text.word_freqs([string], scheme="split"), mark=mark)


def spaced(run, number):
    """The blog's way to write a split corpus: symbols with spaces between them, and the word's frequency."""
    return {" ".join(split): count for split, count in run.corpus(number)}


# ----------------------------------------------------------------------------------------------------------- training


def mark_elsewhere(string):
    """The symbol that ends a word in the other Chinese article; training does the same with either."""
    mark = documented.example("ofl-final-table").actual["corpus"][0][0][-1]
    ours, theirs = ([step.pair for step in train(string, each).steps] for each in (MARK, mark))
    assert theirs == [tuple(part.replace(MARK, mark) for part in pair) for pair in ours]
    return mark


def listings(_):
    functions = {}
    for name, body in re.findall(r"(?m)^def (\w+)(.*\n(?:[ \t]+.*\n)+)", source_text("zh-blog")):
        functions.setdefault(name, []).append([line.rstrip() for line in body.splitlines()])
    twice = {name: bodies for name, bodies in functions.items() if len(bodies) == 2}
    return {
        "printed twice": sorted(twice),
        "different": [name for name, (one, other) in twice.items() if one != other],
    }


# --------------------------------------------------------------------------------------------- regular expressions


def printed_merge(pair, words):
    """The blog's merge: the pair goes into a pattern, and what the pattern finds is replaced."""
    pattern = re.compile(r"(?<!\S)" + " ".join(pair) + r"(?!\S)")
    return [pattern.sub("".join(pair), word) for word in words]


def our_merge(pair, words):
    return [" ".join(bpe.merge_symbols(word.split(), tuple(pair))) for word in words]


def with_counts(merge, pair, words):
    return dict(zip(merge(pair, words), words.values()))


def wrong_merges(run, number):
    """The pairs of a training that the printed merge would merge elsewhere too."""
    words = [list(spaced(run, state)) for state in range(number + 1)]
    return [
        step.pair
        for step, before, after in zip(run.steps, words, words[1:])
        if printed_merge(step.pair, before) != after
    ]


# -------------------------------------------------------------------------------------------- encoding and decoding


def as_text(words, tokens):
    """The blog's encoder, which takes the mark for ordinary characters."""
    return [
        token for word in words for token in bpe.longest_first([*word, *MARK], tokens, unknown=None)
    ]


def as_symbol(word, tokens):
    return bpe.longest_first([*word, MARK], tokens, end_of_word=MARK, unknown=None)


def own_tokens(string):
    run, words = train(string), words_of(string, "split")
    splits, tokens = run.splits[10], bpe.token_freqs(run.word_freqs, run.splits[10])
    assert all(as_text([word], tokens) == splits[word] for word in words)
    return " ".join(as_text(words, tokens))


PROOFS = {
    "blog-algorithm-steps": lambda word_freqs: {
        "most frequent letter": max(letters := Training(word_freqs).tables[0], key=letters.get),
        "first merge": bpe.train(word_freqs, num_merges=1, end_of_word=MARK).merges[0],
    },
    "blog-easiest-star": lambda words: {
        word: bpe.merge_in_order([*word, MARK], [("s", "t"), ("st", MARK)]) for word in words
    },
    "blog-marker-name": mark_elsewhere,
    "blog-marker-name.expected": lambda _: next(
        word.split()[-1] for word in documented.example("blog-vocabulary-dict").expected
    ),
    "blog-missing-imports": lambda _: outcome(exec, "freqs = defaultdict(int)", {}),
    "blog-listings-agree": listings,
    "blog-testcorpus-typo.expected": lambda string: spaced(
        train(string.replace("mountin", "mountain")), 0
    ),
    **on(
        lambda strings: [train(string).steps[0].pair_freqs.items() for string in strings],
        {
            "blog-pair-frequency-mountin": lambda pairs: {
                "only with mountin": [pair for pair in pairs[0] if pair not in pairs[1]],
                "only with mountain": [pair for pair in pairs[1] if pair not in pairs[0]],
            }
        },
    ),
    **on(
        train,
        {
            "blog-punctuation": lambda run: " ".join(run.corpus(0)[0][0]),
            "blog-vocabulary-dict": lambda run: spaced(run, 0),
            "blog-testcorpus-typo": lambda run: spaced(run, 0),
            "blog-variable-name-vocab": lambda run: {
                "words in the table": len(run.word_freqs),
                "tokens": len(run.tables[0]),
            },
            "blog-pair-frequency": lambda run: list(run.steps[0].pair_freqs.items()),
            "blog-max-pair": lambda run: {"pair": run.steps[0].pair, "count": run.steps[0].count},
            "blog-merge-he": lambda run: spaced(run, 1),
            **dict.fromkeys(
                ["blog-start-iter-10", "blog-start-iter-10-mountain"],
                lambda run: {
                    "merges": run.steps[9].merges,
                    "words": spaced(run, 10),
                    "tokens": bpe.token_freqs(run.word_freqs, run.splits[10]),
                },
            ),
            "blog-start-iter-ties": lambda run: [
                (step.pair, step.count, len(step.tied) + 1) for step in run.steps[:10]
            ],
            "blog-exhaustion": lambda run: {
                "printed code": outcome(max, bpe.pair_freqs(run.word_freqs, run.splits[-1])),
                "merges": len(run.steps),
            },
            "blog-fixed-iterations": lambda run: sorted(
                token for token in run.tables[0] if not run.tables[10][token]
            ),
        },
    ),
    "blog-regex-comment": lambda words: {word: printed_merge("he", [word])[0] for word in words},
    "blog-regex-dot": lambda given: with_counts(printed_merge, **given),
    "blog-regex-dot.expected": lambda given: with_counts(our_merge, **given),
    "blog-regex-metacharacters": lambda cases: {
        pair: outcome(printed_merge, pair.split(), words) for pair, words in cases
    },
    **on(
        train,
        {
            "blog-regex-dot-natural-corpus": lambda run: with_counts(
                printed_merge, run.steps[0].pair, spaced(run, 0)
            ),
            "blog-regex-dot-natural-corpus.expected": lambda run: with_counts(
                our_merge, run.steps[0].pair, spaced(run, 0)
            ),
            "blog-regex-not-escaped": lambda run: {
                "wrong merges of 10": wrong_merges(run, 10),
                "wrong merges of 34": wrong_merges(run, 34),
                "d and . also match": [
                    pair for pair in ("d .", "d o", "e .") if printed_merge("d.", [pair]) == ["d."]
                ][-1],
            },
            "blog-regex-paren-corpus": lambda run: {
                "printed code": outcome(printed_merge, run.steps[0].pair, spaced(run, 0)),
                "this course": [step.pair for step in run.steps],
            },
        },
    ),
    "blog-encode": lambda given: " ".join(as_text(given["corpus"].split(), given["tokens"])),
    "blog-encode-sort": lambda given: {
        "mark as four characters": as_text([given["word"]], given["tokens"]),
        "mark as one symbol": as_symbol(given["word"], given["tokens"]),
    },
    "blog-encode-own-tokens": own_tokens,
    "blog-encode-marker-split": lambda given: " ".join(as_text([given["corpus"]], given["tokens"])),
    "blog-encode-marker-split.expected": lambda given: " ".join(
        as_symbol(given["corpus"], given["tokens"])
    ),
    "blog-marker-collision": lambda word: {
        "read back": bpe.decode(as_text([word], [MARK]), NO_MERGES),
        "this course": outcome(bpe.encode_word, word, NO_MERGES),
    },
    "blog-decode": lambda tokens: bpe.decode(tokens.split(), NO_MERGES),
}
