"""Unigram: what if we start with everything and throw away?

A model gives every token a probability, and each token stands in a text independently of its neighbors. The best way
to cut a word is the one whose tokens multiply to the highest probability. Training starts from far too many tokens and
removes, round by round, those whose absence costs least.

Everything here is kept as a loss, the negative natural logarithm of a probability (in nats): probabilities multiply,
losses add, and the best is the smallest. The ways through one word, and how the best of them is found, stand in
`lattice`.

Read this file from top to bottom: the model, the losses of a corpus, the counts behind them, `train_steps` (one record
a round), `train`, then `encode_word`, `encode` and `decode`.

Source: T. Kudo, "Subword Regularization: Improving Neural Network Translation Models with Multiple Subword Candidates"
(2018); the program that came with it is SentencePiece.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from . import bpe
from .arguments import (
    SortKey,
    check,
    check_choice,
    check_count,
    check_number,
    check_rule,
    check_string,
    check_type,
    check_word_freqs,
    check_words,
    counted,
    shorten,
    wrong_type,
)
from .lattice import (  # noqa: F401
    Edge,
    Losses,
    add_losses,
    backward,
    edges,
    forward,
    n_best,
    sample,
    segmentations,  # all of them belong to the lesson
    shares,
    viterbi,
    viterbi_table,
    walk_back,
)

LONGEST_WORD = 1_000  # whose substrings are all counted
MOST_BYTES = 500_000_000  # of all these substrings together
METHODS = ("em", "counting")
SEEDS = ("substrings", "suffix-array", "bpe")
Order = str | Callable[[str], SortKey]


@dataclass(frozen=True)
class UnigramModel(Losses):
    """What training leaves behind: every token with its loss, in the order of the ids.

    unknown_loss: what a character costs that is no token; by default 10 nats more than the worst token, as in
    SentencePiece. With `math.inf` a word that holds such a character cannot be cut at all.
    `stopped` says in words why training ended before the size that was asked for.

    >>> UnigramModel({"h": 2.0, "u": 1.0, "hu": 2.5})
    UnigramModel(3 tokens)
    """

    losses: dict[str, float]
    unknown_loss: float = None  # type: ignore[assignment]    # until it is known what the worst token costs
    stopped: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.losses, Mapping):
            raise wrong_type("losses", self.losses, "a dictionary from tokens to losses")
        for token, loss in self.losses.items():
            is_token = isinstance(token, str) and token != ""
            if not (is_token and isinstance(loss, (int, float)) and math.isfinite(loss)):
                raise ValueError(
                    f"losses[{token!r}] is {shorten(loss)}; expected a token and a finite "
                    "number, the negative logarithm of its probability"
                )
        if self.unknown_loss is None:
            object.__setattr__(self, "unknown_loss", max(self.losses.values(), default=0.0) + 10)

    def __repr__(self) -> str:
        return f"UnigramModel({len(self.losses)} tokens{', ' * bool(self.stopped)}{self.stopped})"

    @cached_property
    def vocab(self) -> list[str]:
        """The tokens by id."""
        return list(self.losses)

    ids = cached_property(bpe.ids_of)  # token -> its id


# ------------------------------------------------------------------------------------------------- losses of a corpus


def corpus_loss(
    word_freqs: Mapping[str, int], model: UnigramModel, *, paths: str = "best"
) -> float:
    """The loss of the whole corpus, each word as often as it occurs.

    paths: "best" takes each word's best segmentation alone; "all" takes all of its segmentations together, which is
    what EM lowers.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5})
    >>> corpus_loss({"hug": 10, "ug": 2}, model), round(corpus_loss({"hug": 10, "ug": 2}, model, paths="all"), 3)
    (38.0, 35.583)
    """
    check_word_freqs(word_freqs)
    check_choice("paths", paths, ("best", "all"))
    if paths == "best":
        return sum(freq * viterbi(word, model)[1] for word, freq in word_freqs.items())
    return sum(freq * forward(word, model)[-1] for word, freq in word_freqs.items())


def removal_scores(word_freqs: Mapping[str, int], model: UnigramModel) -> dict[str, float]:
    """For each token of two or more characters: by how much the corpus loss rises without it, all else unchanged.

    Every word whose best path holds the token takes its best path without it. Single characters have no score: they
    always stay.

    >>> removal_scores({"hug": 10, "hum": 2}, UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "m": 3.0,
    ...                                                     "hu": 2.5, "ug": 1.5, "um": 4.5}))
    {'hu': 1.0, 'ug': 10.0, 'um': 0.0}
    """
    check_word_freqs(word_freqs)
    scores = {token: 0.0 for token in model.losses if len(token) > 1}
    for word, freq in word_freqs.items():
        tokens, loss = viterbi(word, model)
        # A token that the best way does without can go: the word loses nothing.
        for token in dict.fromkeys(tokens):
            if token in scores:
                scores[token] += freq * (viterbi(word, model, without=token)[1] - loss)
    return scores


def expected_counts(word_freqs: Mapping[str, int], model: UnigramModel) -> dict[str, float]:
    """How often each token occurs in the corpus, if every way to cut a word counts in proportion to its probability.

    The sum of its `shares` in all words, each word as often as it occurs. This is the E-step of EM.

    >>> counts = expected_counts({"hug": 10}, UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))
    >>> {token: round(count, 3) for token, count in counts.items()}
    {'h': 10.0, 'u': 1.824, 'g': 1.824, 'ug': 8.176}
    """
    check_word_freqs(word_freqs)
    counts = dict.fromkeys(model.losses, 0.0)
    for word, freq in word_freqs.items():
        for edge, part in shares(word, model).items():
            if edge.token in counts:
                counts[edge.token] += freq * part
    return counts


LEAST_COUNT = 1e-10  # a token that EM no longer uses keeps this, so that its loss stays finite


def to_losses(counts: Mapping[str, float], *, digamma: bool = False) -> dict[str, float]:
    """Token counts to losses: -log(count / total). This is the M-step of EM.

    digamma: SentencePiece's variant, digamma(total) - digamma(count), which makes rare tokens dearer still, so that
    fewer of them live on. A count below a half is taken as a half there (SentencePiece drops such a token).

    >>> to_losses({"a": 1, "b": 3})
    {'a': 1.3862943611198906, 'b': 0.2876820724517809}
    >>> {token: round(loss, 3) for token, loss in to_losses({"a": 1, "b": 3}, digamma=True).items()}
    {'a': 1.833, 'b': 0.333}
    """
    least = 0.5 if digamma else LEAST_COUNT
    values = [max(count, least) for count in counts.values()]
    total = sum(values)
    if not digamma:
        return {token: -math.log(count / total) for token, count in zip(counts, values)}
    digammas = {count: digamma_of(count) for count in {total, *values}}  # many counts are equal
    return {token: digammas[total] - digammas[count] for token, count in zip(counts, values)}


def digamma_of(x: float) -> float:
    """The digamma function, the slope of log(gamma(x)), for x > 0: near log(x - 1/2) for large x, far below for small.

    >>> round(digamma_of(1), 6), round(digamma_of(100), 6), round(math.log(99.5), 6)
    (-0.577216, 4.600162, 4.600158)
    """
    check_number("x", x, above=0)
    shift = 0.0
    while x < 6:  # digamma(x) = digamma(x + 1) - 1/x, up to where the series is exact
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))
    return shift + math.log(x) - 0.5 / x - series


# ----------------------------------------------------------------------------------------------------------- training


def substring_counts(word_freqs: Mapping[str, int], *, strict: bool = True) -> dict[str, int]:
    """How often each substring of two or more characters stands in the corpus; overlapping ones all count.

    strict: a word is no substring of itself; it can still be one of another word. Raises ValueError for words of more
    than 1,000 characters, each of which has half a million of them, and for many that are nearly as long.

    >>> substring_counts({"hug": 10, "hugs": 5})
    {'hu': 15, 'ug': 15, 'hug': 5, 'ugs': 5, 'gs': 5}
    """
    longest = max(word_freqs, key=len, default="")
    size = sum(len(word) ** 2 * len(word.encode("utf-8", "replace")) // 6 for word in word_freqs)
    check(
        len(longest) <= LONGEST_WORD and size <= MOST_BYTES,
        f"word_freqs holds {counted(len(word_freqs), 'word')} of up to {len(longest):,} characters, such as "
        f"{shorten(longest)}; expected at most {LONGEST_WORD:,}, and few words as long; "
        "seed='suffix-array' has no limit",
    )
    counts: dict[str, int] = {}
    for word, freq in word_freqs.items():
        for start in range(len(word)):
            for end in range(start + 2, len(word) + 1):
                if not strict or end - start < len(word):
                    token = word[start:end]
                    counts[token] = counts.get(token, 0) + freq
    return counts


def initial_vocab(
    word_freqs: Mapping[str, int], size: int, *, seed: str = "substrings"
) -> dict[str, int]:
    """The tokens that training starts from, with their raw counts: every character, then the best of many more.

    seed: "substrings" takes the most frequent strict substrings (the sources' way); "suffix-array" takes, of all
    repeated substrings that cannot be longer without occurring less often, those with the highest length times count
    (SentencePiece's way; here up to 100 characters long); "bpe" takes the tokens that BPE makes (which one of the
    sources names, too). There may be fewer than `size`. Raises ValueError if the characters alone are more than `size`.

    >>> initial_vocab({"hug": 10, "hugs": 5}, 6)
    {'g': 15, 'h': 15, 's': 5, 'u': 15, 'hu': 15, 'ug': 15}
    >>> list(initial_vocab({"hug": 10, "hugs": 5}, 6, seed="suffix-array"))
    ['g', 'h', 's', 'u', 'hug', 'ug']
    >>> list(initial_vocab({"hug": 10, "hugs": 5}, 6, seed="bpe"))
    ['g', 'h', 's', 'u', 'hu', 'hug']
    """
    check_word_freqs(word_freqs)
    check_choice("seed", seed, SEEDS)
    chars = bpe.token_freqs(word_freqs, bpe.split_words(word_freqs))
    check(
        check_count("size", size) >= len(chars),
        f"size is {size}, but the characters alone are {len(chars)}",
    )
    if seed == "substrings":
        counts = substring_counts(word_freqs)
        ranked = sorted(counts, key=lambda token: -counts[token])
    elif seed == "suffix-array":
        from .structures.suffixes import repeats

        counts = repeats(word_freqs)
        ranked = sorted(counts, key=lambda token: (-len(token) * counts[token], token))
    else:
        counts = substring_counts(word_freqs, strict=False)
        ranked = [token for token in bpe.train(word_freqs, vocab_size=size).vocab if len(token) > 1]
    return dict(sorted(chars.items())) | {
        token: counts[token] for token in ranked[: size - len(chars)]
    }


@dataclass(frozen=True)
class Step:
    """One round of pruning: what each token's absence would cost, what was removed, and how things stand afterwards.

    Losses are of the whole corpus, best paths, in nats. With the other losses held fixed, a removal never lowers the
    loss: `loss_without` >= `loss`. Then the losses are made anew, and `loss_after` may be lower than both.
    """

    number: int  # 1 for the first round
    before: UnigramModel = field(repr=False)
    loss: float  # with `before`
    scores: Mapping[str, SortKey] = field(repr=False)  # token -> rise of the loss without it alone
    removed: list[str] = field(repr=False)  # in the order of removal
    loss_without: float  # without `removed`, the other losses as before
    em_losses: list[float]  # all paths, before each pass of EM
    model: UnigramModel
    loss_after: float  # with `model`


def train_steps(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int,
    initial_size: int,
    drop: float = 0.1,
    method: str = "em",
    seed: str = "substrings",
    order: Order = "score",
    overshoot: bool = False,
    em_passes: int = 2,
    digamma: bool = False,
) -> Iterator[Step]:
    """Train one round of pruning at a time: arguments, errors and the model are those of `train`.

    >>> freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> for step in train_steps(freqs, vocab_size=10, initial_size=15, drop=0.2, method="counting"):
    ...     print(step.removed, round(step.loss, 1), round(step.loss_without, 1), round(step.loss_after, 1))
    ['ug', 'pu', 'un'] 177.8 206.9 182.6
    ['hu', 'ugs'] 182.6 188.1 176.5
    """
    corpus, losses, rounds = _start(
        word_freqs,
        vocab_size,
        initial_size,
        drop,
        method,
        seed,
        order,
        overshoot,
        em_passes,
        digamma,
    )

    def steps() -> Iterator[Step]:
        before, loss = UnigramModel(losses), corpus.loss(losses)
        for number, (scores, removed, kept, em_losses, after) in enumerate(rounds, start=1):
            model, loss_after = UnigramModel(after), corpus.loss(after)
            loss_without = corpus.loss(kept)
            yield Step(
                number, before, loss, scores, removed, loss_without, em_losses, model, loss_after
            )
            before, loss = model, loss_after

    return steps()


def train(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int,
    initial_size: int,
    drop: float = 0.1,
    method: str = "em",
    seed: str = "substrings",
    order: Order = "score",
    overshoot: bool = False,
    em_passes: int = 2,
    digamma: bool = False,
    engine: str | None = None,
) -> UnigramModel:
    """Start from `initial_size` tokens and prune to `vocab_size`, a share of `drop` a round (at least one token).

    word_freqs: word -> how often it occurs (at least once), in first-seen order.
    method: "em" fits the losses by expectation maximization before each pruning, `em_passes` times, with or without
    `digamma` (see `to_losses`); "counting" takes the raw counts of `initial_vocab` for good (the sources' way).
    seed: where the first tokens come from, see `initial_vocab`.
    order: "score" removes first the tokens that cost least (see `removal_scores`); or a function of the token, of
    which the smallest values go first. overshoot: True lets the last round remove its full share, as the sources do,
    so that fewer than `vocab_size` tokens may be left.
    engine: "python", "compiled" (for large corpora, see `engines`), or None to choose by size; the tokens are the same,
    and so are the losses but for rounding.

    Single characters always stay. If the corpus offers fewer tokens than `vocab_size`, `stopped` says so.

    Raises ValueError for empty or malformed counts, a size smaller than the number of characters, an initial size
    smaller than the final one, or a share that is not between 0 and 1.

    >>> freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> model = train(freqs, vocab_size=10, initial_size=15)
    >>> [token for token in model.vocab if len(token) > 1], encode_word("hugs", model)
    (['pu', 'hug', 'bu'], ['hug', 's'])
    >>> train(freqs, vocab_size=40, initial_size=50)
    UnigramModel(15 tokens, the corpus offers only 15 tokens)
    """
    _, losses, rounds = _start(
        word_freqs,
        vocab_size,
        initial_size,
        drop,
        method,
        seed,
        order,
        overshoot,
        em_passes,
        digamma,
        engine,
    )
    if len(losses) < vocab_size:
        return UnigramModel(losses, stopped=f"the corpus offers only {len(losses)} tokens")
    for *_, after in rounds:
        losses = after
    return UnigramModel(losses)


def _start(
    word_freqs: Mapping[str, int],
    vocab_size: int,
    initial_size: int,
    drop: float,
    method: str,
    seed: str,
    order: Order,
    overshoot: bool,
    em_passes: int,
    digamma: bool,
    engine: str | None = None,
) -> tuple[Any, dict[str, float], Iterator[tuple]]:
    """The corpus, the losses before the first round, and the rounds to come; `train` says what the arguments mean.

    A round: the tokens' scores, the tokens removed, the losses of the others, the corpus loss before each pass of EM,
    and the losses made anew.
    """
    # The bookkeeping behind it; nothing there changes a result.
    from .structures.lattices import lattices

    check(
        isinstance(drop, (int, float)) and 0 < drop < 1,
        f"drop is {shorten(drop)}; expected a share between 0 and 1, such as 0.1",
    )
    check(
        check_count("initial_size", initial_size) >= check_count("vocab_size", vocab_size),
        f"initial_size is {initial_size}, less than vocab_size, {vocab_size}; "
        "training only removes tokens, so it has to start from more",
    )
    check_choice("method", method, METHODS)
    check_count("em_passes", em_passes, least=1)
    check(
        not digamma or method == "em",
        f"digamma is {digamma!r}; it is part of the method 'em', not of {method!r}",
    )
    order = check_rule("order", order, ["score"])
    counts = initial_vocab(word_freqs, initial_size, seed=seed)
    chars = sum(len(token) == 1 for token in counts)
    check(
        vocab_size >= chars,
        f"vocab_size is {vocab_size}, but the characters alone are {chars}, and all of them stay",
    )
    corpus = lattices(word_freqs, counts, engine)

    def estimate(losses: dict[str, float]) -> tuple[list[float], dict[str, float]]:
        """The corpus loss before each pass of EM, and the new losses."""
        if method == "counting":
            return [], to_losses({token: counts[token] for token in losses})
        em_losses = []
        for _ in range(em_passes):
            expected, loss = corpus.expected_counts(losses)
            em_losses.append(loss)
            losses = to_losses(expected, digamma=digamma)
        return em_losses, losses

    def rounds(losses: dict[str, float]) -> Iterator[tuple]:
        while len(losses) > vocab_size:
            scores: Mapping[str, SortKey]
            if callable(order):
                scores = ranks = {token: order(token) for token in losses if len(token) > 1}
            else:
                scores = costs = corpus.removal_scores(losses)
                # Scores that differ only by rounding are equal, and equal scores go by id: the same on every machine.
                ranks = {token: round(cost, 6) for token, cost in costs.items()}
            share = max(1, int(len(losses) * drop))
            number = share if overshoot else min(share, len(losses) - vocab_size)
            removed = sorted(ranks, key=ranks.__getitem__)[:number]
            gone = {*removed}
            corpus.remove(gone)
            kept = {token: loss for token, loss in losses.items() if token not in gone}
            # Only now, with the tokens gone, are the losses of all others made anew.
            em_losses, losses = estimate(kept)
            yield scores, removed, kept, em_losses, losses

    _, first_losses = estimate(to_losses(counts))
    return corpus, first_losses, rounds(first_losses)


# ---------------------------------------------------------------------------------------------- encoding and decoding


def encode_word(word: str, model: UnigramModel, *, unknown: str | None = "[UNK]") -> list[str]:
    """Cut one word into the tokens of its best segmentation.

    unknown: the token for a character that the model lacks (and for a whole word that cannot be cut); None lets it
    through as it is; "error" raises ValueError.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> encode_word("hug", model), encode_word("mug", model), encode_word("mug", model, unknown=None)
    (['h', 'ug'], ['[UNK]', 'ug'], ['m', 'ug'])
    """
    check_type("model", model, UnigramModel)
    return [
        token if token in model.losses else bpe.unknown_token(token, word, unknown)
        for token in viterbi(word, model)[0]
    ]


def encode(
    words: Iterable[str], model: UnigramModel, *, unknown: str | None = "[UNK]"
) -> list[str]:
    """Cut a sequence of words into tokens. A word that was met before is looked up, not cut again.

    >>> encode(["hug", "mug"], UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}))
    ['h', 'ug', '[UNK]', 'ug']
    """
    words = check_words("words", words)
    tokens = {word: encode_word(word, model, unknown=unknown) for word in dict.fromkeys(words)}
    return [token for word in words for token in tokens[word]]


def decode(tokens: Iterable[str], mark: str = "▁") -> list[str]:
    """Join tokens into words: a word begins where the mark stands, which was put in the place of every space.

    Without a mark, everything becomes one word.

    >>> decode(["▁Hello", "▁wor", "ld", "."])
    ['Hello', 'world.']
    """
    check_string("mark", mark)
    text = "".join(check_words("tokens", tokens))
    return [] if not text else text.removeprefix(mark).split(mark) if mark else [text]
