"""Proofs of documented/blog.json: the sentence about the mountain, and regular expressions that are not escaped."""

import re

from ... import bpe, documented, text
from . import proves, source_text

MARK = "</s>"


def counted(string):
    return text.word_freqs([string], scheme="split")


def steps(string, number=10):
    return list(bpe.train_steps(counted(string), num_merges=number, end_of_word=MARK))


def spaced(string, splits):
    """The blog's way to write a split corpus: symbols with spaces between them, and the word's frequency."""
    return {" ".join(split): counted(string)[word] for word, split in splits.items()}


def start(string):
    return bpe.split_words(counted(string), end_of_word=MARK)


def printed_merge(pair, words):
    """The blog's merge: the pair goes into a pattern, and what the pattern finds is replaced."""
    pattern = re.compile(r"(?<!\S)" + " ".join(pair) + r"(?!\S)")
    return [pattern.sub("".join(pair), word) for word in words]


def error(function, *arguments):
    """What a call returns, or how it fails."""
    try:
        return function(*arguments)
    except re.error:  # has another name since Python 3.13
        return "error"
    except NameError as raised:
        return type(raised).__name__


@proves("blog-algorithm-steps")
def _(word_freqs):
    letters = bpe.token_freqs(word_freqs, bpe.split_words(word_freqs))
    first = next(bpe.train_steps(word_freqs, num_merges=1, end_of_word=MARK))
    return {"most frequent letter": max(letters, key=letters.get), "first merge": first.pair}


@proves("blog-easiest-star")
def _(words):
    merges = [("s", "t"), ("st", MARK)]
    model = bpe.BPEModel(
        [*bpe.base_vocab(bpe.split_words(words, MARK)), "st", "st" + MARK], merges, end_of_word=MARK
    )
    return {word: bpe.encode_word(word, model) for word in words}


def last_symbols(tables):
    return {split[-1] for split in tables}


@proves("blog-marker-name", part="expected")
def _(string):
    """The symbol that ends every word printed in the blog."""
    (mark,) = last_symbols(
        words.split() for words in documented.example("blog-vocabulary-dict").expected
    )
    return mark


@proves("blog-marker-name")
def _(string):
    """The symbol that ends every word printed in the other Chinese article; training does the same with either."""
    (mark,) = last_symbols(
        split for split, _ in documented.example("ofl-final-table").actual["corpus"][:2]
    )
    merges = [
        bpe.train(counted(string), num_merges=40, end_of_word=end).merges for end in (MARK, mark)
    ]
    assert merges[1] == [tuple(part.replace(MARK, mark) for part in pair) for pair in merges[0]]
    return mark


@proves("blog-missing-imports")
def _(_):
    return error(
        exec, "def count(words: Dict[str, int]):\n    freqs = defaultdict(int)\ncount({})", {}
    )


@proves("blog-listings-agree", apart=True)
def _(_):
    functions = {}
    for name, body in re.findall(
        r"^def (\w+)(.*\n(?:[ \t]+.*\n)+)", source_text("zh-blog"), flags=re.MULTILINE
    ):
        functions.setdefault(name, []).append([line.rstrip() for line in body.splitlines()])
    twice = {name: bodies for name, bodies in functions.items() if len(bodies) == 2}
    return {
        "printed twice": sorted(twice),
        "different": [name for name, (one, other) in twice.items() if one != other],
    }


proves("blog-punctuation")(lambda word: " ".join(start(word)[word]))
proves("blog-vocabulary-dict", "blog-testcorpus-typo")(lambda string: spaced(string, start(string)))


@proves("blog-testcorpus-typo", part="expected")
def _(string):
    string = string.replace("mountin", "mountain")
    return spaced(string, start(string))


@proves("blog-variable-name-vocab")
def _(string):
    return {
        "words in the table": len(spaced(string, start(string))),
        "tokens": len(bpe.base_vocab(start(string))),
    }


proves("blog-pair-frequency")(
    lambda string: list(bpe.pair_freqs(counted(string), start(string)).items())
)


@proves("blog-pair-frequency-mountin")
def _(strings):
    mountin, mountain = [
        bpe.pair_freqs(counted(string), start(string)).items() for string in strings
    ]
    return {
        "only with mountin": [pair for pair in mountin if pair not in mountain],
        "only with mountain": [pair for pair in mountain if pair not in mountin],
    }


@proves("blog-max-pair")
def _(string):
    freqs = bpe.pair_freqs(counted(string), start(string))
    return {"pair": bpe.best_pair(freqs), "count": max(freqs.values())}


proves("blog-merge-he")(lambda string: spaced(string, bpe.merge_pair(("h", "e"), start(string))))


@proves("blog-start-iter-10", "blog-start-iter-10-mountain")
def _(string):
    done = steps(string)
    return {
        "merges": done[-1].merges,
        "words": spaced(string, done[-1].splits),
        "tokens": bpe.token_freqs(counted(string), done[-1].splits),
    }


proves("blog-start-iter-ties")(
    lambda string: [(step.pair, step.count, len(step.tied) + 1) for step in steps(string)]
)


@proves("blog-exhaustion")
def _(string):
    model = bpe.train(counted(string), num_merges=1000, end_of_word=MARK)
    try:
        max(bpe.pair_freqs(counted(string), steps(string, 1000)[-1].splits))
    except ValueError as raised:
        return {"printed code": type(raised).__name__, "merges": len(model.merges)}


@proves("blog-fixed-iterations")
def _(string):
    freqs = bpe.token_freqs(
        counted(string), steps(string)[-1].splits, keep=bpe.base_vocab(start(string))
    )
    return sorted(token for token, freq in freqs.items() if freq == 0)


@proves("blog-regex-comment")
def _(words):
    for word in words:
        assert printed_merge(("h", "e"), [word]) == [
            " ".join(bpe.merge_symbols(word.split(), ("h", "e")))
        ]
    return {word: printed_merge(("h", "e"), [word])[0] for word in words}


@proves("blog-regex-not-escaped")
def _(string):
    def wrong(number):
        before, found = spaced(string, start(string)), []
        for step in steps(string, number):
            after = spaced(string, step.splits)
            found += [step.pair] if printed_merge(step.pair, before) != list(after) else []
            before = after
        return found

    matched = [
        pair for pair in ("d .", "d o", "e .") if printed_merge(("d", "."), [pair]) == ["d."]
    ]
    return {
        "wrong merges of 10": wrong(10),
        "wrong merges of 34": wrong(34),
        "d and . also match": matched[-1],
    }


def _both_merges(given):
    printed = printed_merge(given["pair"], given["words"])
    ours = [
        " ".join(bpe.merge_symbols(word.split(), tuple(given["pair"]))) for word in given["words"]
    ]
    return [dict(zip(merged, given["words"].values())) for merged in (printed, ours)]


proves("blog-regex-dot")(lambda given: _both_merges(given)[0])
proves("blog-regex-dot", part="expected")(lambda given: _both_merges(given)[1])


def _first_merge(string):
    (step,) = steps(string, 1)
    return _both_merges({"pair": step.pair, "words": spaced(string, start(string))})


proves("blog-regex-dot-natural-corpus")(lambda string: _first_merge(string)[0])
proves("blog-regex-dot-natural-corpus", part="expected")(lambda string: _first_merge(string)[1])


@proves("blog-regex-metacharacters")
def _(given):
    return {pair: error(printed_merge, pair.split(), words) for pair, words in given}


@proves("blog-regex-paren-corpus")
def _(string):
    pairs = [step.pair for step in steps(string)]
    return {
        "printed code": error(printed_merge, pairs[0], spaced(string, start(string))),
        "this course": pairs,
    }


def as_text(word, tokens):
    """The blog's encoder, which takes the mark for ordinary characters."""
    return bpe.longest_first(list(word + MARK), tokens, unknown=None)


@proves("blog-encode")
def _(given):
    return " ".join(
        token for word in given["corpus"].split() for token in as_text(word, given["tokens"])
    )


@proves("blog-encode-sort")
def _(given):
    one_symbol = bpe.longest_first(
        [*given["word"], MARK], given["tokens"], end_of_word=MARK, unknown=None
    )
    return {
        "mark as four characters": as_text(given["word"], given["tokens"]),
        "mark as one symbol": one_symbol,
    }


@proves("blog-encode-own-tokens")
def _(string):
    splits = steps(string)[-1].splits
    tokens = list(bpe.token_freqs(counted(string), splits))
    words = [word for word, _ in text.pre_tokenize(string, "split")]
    assert [as_text(word, tokens) for word in words] == [splits[word] for word in words]
    return " ".join(token for word in words for token in as_text(word, tokens))


proves("blog-encode-marker-split")(
    lambda given: " ".join(as_text(given["corpus"], given["tokens"]))
)


@proves("blog-encode-marker-split", part="expected")
def _(given):
    return " ".join(
        bpe.longest_first([*given["corpus"], MARK], given["tokens"], end_of_word=MARK, unknown=None)
    )


@proves("blog-marker-collision")
def _(word):
    model = bpe.BPEModel([], [], end_of_word=MARK)
    try:
        bpe.encode_word(word, model)
    except ValueError as raised:
        return {
            "read back": bpe.decode(as_text(word, [MARK]), model),
            "this course": type(raised).__name__,
        }


proves("blog-decode")(
    lambda tokens: bpe.decode(tokens.split(), bpe.BPEModel([], [], end_of_word=MARK))
)
