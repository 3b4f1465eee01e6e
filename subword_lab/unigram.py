"""Unigram: what if we start with everything and throw away?

A model gives every token a probability, and each token stands in a text independently of its neighbors. The best way
to cut a word is the one whose tokens multiply to the highest probability. Training starts from far too many tokens and
removes, round by round, those whose absence costs least.

Everything here is kept as a loss, the negative natural logarithm of a probability (in nats): probabilities multiply,
losses add, and the best is the smallest.

Read this file from top to bottom: the model, the ways through a word, the counts behind the losses, `train_steps` (one
record a round), `train`, then `encode_word`, `encode` and `decode`.

Source: T. Kudo, "Subword Regularization: Improving Neural Network Translation Models with Multiple Subword Candidates"
(2018); the program that came with it is SentencePiece.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from . import bpe
from .arguments import check_choice, check_count, check_string, check_word_freqs, check_words

if TYPE_CHECKING:
    from random import Random

METHODS = ("em", "counting")
SEEDS = ("substrings", "suffix-array", "bpe")
Order = str | Callable[[str], object]


@dataclass(frozen=True)
class UnigramModel:
    """What training leaves behind: every token with its loss, in the order of the ids.

    unknown_loss: what a character costs that is no token; by default 10 nats more than the worst token, as in
    SentencePiece. With `math.inf` a word that holds such a character cannot be cut at all.
    `stopped` says in words why training ended before the size that was asked for.

    >>> UnigramModel({"h": 2.0, "u": 1.0, "hu": 2.5})
    UnigramModel(3 tokens)
    """
    losses: dict[str, float]
    unknown_loss: float | None = None
    stopped: str = ""

    def __post_init__(self):
        if not isinstance(self.losses, Mapping):
            raise ValueError(f"losses is {type(self.losses).__name__}; expected a dictionary from tokens to losses")
        for token, loss in self.losses.items():
            if not isinstance(token, str) or not token or not isinstance(loss, (int, float)) or not math.isfinite(loss):
                raise ValueError(f"losses[{token!r}] is {loss!r}; expected a token and a finite number, "
                                 "the negative logarithm of its probability")
        if self.unknown_loss is None:
            object.__setattr__(self, "unknown_loss", max(self.losses.values(), default=0.0) + 10)

    def __repr__(self) -> str:
        return f"UnigramModel({len(self.losses)} tokens{', ' * bool(self.stopped)}{self.stopped})"

    @cached_property
    def vocab(self) -> list[str]:
        """The tokens by id."""
        return list(self.losses)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Token -> its id, the position in `vocab`."""
        return {token: number for number, token in enumerate(self.losses)}

    @cached_property
    def longest(self) -> int:
        """The length of the longest token, in characters."""
        return max(map(len, self.losses), default=1)

    def loss(self, piece: str) -> float:
        """The loss of a token; `unknown_loss` for a character that is none; infinite for any other piece."""
        return self.losses.get(piece, self.unknown_loss if len(piece) == 1 else math.inf)


# ---------------------------------------------------------------------------------------------- ways through one word

def segmentations(word: str, model: UnigramModel) -> Iterator[tuple[list[str], float]]:
    """Every way to cut the word into pieces of the model, with its loss, by brute force.

    Each of the n-1 gaps between n characters is cut or not: 2^(n-1) ways, of which those are left out that need a
    piece the model lacks. (Whoever does not count the uncut word arrives at 2^(n-1) - 1.)

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> for tokens, loss in segmentations("hug", model):
    ...     print(loss, tokens)
    3.5 ['h', 'ug']
    4.5 ['hu', 'g']
    5.0 ['h', 'u', 'g']
    """
    for tokens in bpe.groupings(check_string("word", word)):
        loss = sum(map(model.loss, tokens), 0.0)
        if loss < math.inf:
            yield tokens, loss


class Edge(NamedTuple):
    """One road of the lattice: `token` leads from one gap of the word to a later one, at the price of `loss`."""
    start: int
    end: int
    token: str
    loss: float


def lattice(word: str, model: UnigramModel, *, without: str | None = None) -> list[Edge]:
    """All the places where a token fits into the word, from left to right; `without` leaves one token out.

    The gaps are numbered from 0, before the first character, to n, after the last. Every way to cut the word is a
    path from 0 to n.

    >>> [edge.token for edge in lattice("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    ['h', 'u', 'ug', 'g']
    """
    check_string("word", word)
    edges = (Edge(start, end, word[start:end], model.loss(word[start:end])) for start in range(len(word))
             for end in range(start + 1, min(start + model.longest, len(word)) + 1))
    return [edge for edge in edges if edge.loss < math.inf and edge.token != without]


def viterbi_table(word: str, model: UnigramModel, *, without: str | None = None) -> tuple[list[float], list[int]]:
    """For each gap of the word: the smallest loss of the way there, and the gap where the last token of it began.

    When an edge is looked at, its start is settled, because every edge into the start stands earlier in the lattice.
    Of two ways with the same loss the one with the longer last token is kept. The start of gap 0 is -1.

    >>> viterbi_table("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}))
    ([0.0, 2.0, 2.5, 3.5], [-1, 0, 0, 1])
    """
    best = [0.0] + [math.inf] * len(word)
    starts = [-1] * (len(word) + 1)
    for start, end, _, loss in lattice(word, model, without=without):
        if best[start] + loss < best[end]:
            best[end], starts[end] = best[start] + loss, start
    return best, starts


def viterbi(word: str, model: UnigramModel, *, without: str | None = None) -> tuple[list[str], float]:
    """The best way to cut the word, and its loss, found by following `viterbi_table` back from the word's end.

    The pieces always join to the word; one that is no token is an unknown character. Where no way exists, the word
    stays in one piece, with an infinite loss. `without` leaves one token of the model out.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> viterbi("hug", model), viterbi("hug", model, without="ug"), viterbi("mug", model)
    ((['h', 'ug'], 3.5), (['hu', 'g'], 4.5), (['m', 'ug'], 14.0))
    """
    best, starts = viterbi_table(word, model, without=without)
    if best[-1] == math.inf:
        return [word], math.inf
    tokens, end = [], len(word)
    while end > 0:
        tokens.append(word[starts[end]:end])
        end = starts[end]
    return tokens[::-1], best[-1]


def n_best(word: str, model: UnigramModel, n: int) -> list[tuple[list[str], float]]:
    """The n best ways to cut the word (fewer, where there are fewer), best first: Viterbi that keeps n at each gap.

    >>> n_best("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}), 2)
    [(['h', 'ug'], 3.5), (['hu', 'g'], 4.5)]
    """
    check_count("n", n, least=1)
    ways: list[list[tuple[list[str], float]]] = [[([], 0.0)]] + [[] for _ in word]
    for start, end, token, loss in lattice(word, model):
        longer = [(tokens + [token], before + loss) for tokens, before in ways[start]]
        ways[end] = sorted(ways[end] + longer, key=lambda way: way[1])[:n]
    return ways[-1]


def add_losses(a: float, b: float) -> float:
    """The loss of two ways together: the logarithm of the sum of their probabilities, without leaving the logarithm.

    >>> round(add_losses(-math.log(0.5), -math.log(0.25)), 6), round(-math.log(0.75), 6)
    (0.287682, 0.287682)
    >>> add_losses(2000.0, math.inf)
    2000.0
    """
    low, high = min(a, b), max(a, b)
    return low if high == math.inf else low - math.log1p(math.exp(low - high))


def forward(word: str, model: UnigramModel, *, temperature: float = 1.0) -> list[float]:
    """For each gap of the word: the loss of all ways from the word's beginning to it, taken together.

    Viterbi with `add_losses` in the place of the minimum. The last entry is the loss of the word under the model,
    however it is cut. `temperature` divides every token's loss.

    >>> [round(loss, 3) for loss in forward("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    [0.0, 2.0, 3.0, 3.299]
    """
    total = [0.0] + [math.inf] * len(word)
    for start, end, _, loss in lattice(word, model):
        total[end] = add_losses(total[end], total[start] + loss / temperature)
    return total


def backward(word: str, model: UnigramModel) -> list[float]:
    """For each gap of the word: the loss of all ways from it to the word's end, taken together.

    >>> [round(loss, 3) for loss in backward("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    [3.299, 1.299, 2.0, 0.0]
    """
    total = [math.inf] * len(word) + [0.0]
    for start, end, _, loss in reversed(lattice(word, model)):
        total[start] = add_losses(total[start], loss + total[end])
    return total


def sample(word: str, model: UnigramModel, rng: Random, temperature: float = 1.0) -> list[str]:
    """Cut the word at random, each way as often as its probability says (subword regularization).

    temperature: 1 draws from the model; towards 0 the best way wins more and more often, and at 0 always; a high one
    makes all ways equally likely. (Kudo's alpha is 1 / temperature.) rng: a `random.Random`, whose seed decides.

    Draws the last token first: the share that it has in all ways to the word's end; then goes on where it began.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> import random
    >>> rng = random.Random(1)
    >>> [" ".join(sample("hug", model, rng)) for _ in range(4)]
    ['h ug', 'hu g', 'h ug', 'h u g']
    """
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)) or not temperature >= 0:
        raise ValueError(f"temperature is {temperature!r}; expected a number of at least 0")
    if temperature == 0:
        return viterbi(word, model)[0]
    total = forward(word, model, temperature=temperature)
    if total[-1] == math.inf:
        return [word]
    tokens, gap, edges = [], len(word), lattice(word, model)
    while gap > 0:
        into = [edge for edge in edges if edge.end == gap]
        parts = [math.exp(total[gap] - total[edge.start] - edge.loss / temperature) for edge in into]
        edge = rng.choices(into, parts)[0]
        tokens.append(edge.token)
        gap = edge.start
    return tokens[::-1]


# ------------------------------------------------------------------------------------------------- losses of a corpus

def corpus_loss(word_freqs: Mapping[str, int], model: UnigramModel, *, paths: str = "best") -> float:
    """The loss of the whole corpus, each word as often as it occurs.

    paths: "best" takes each word's best segmentation alone; "all" takes all of its segmentations together, which is
    what EM lowers.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5})
    >>> corpus_loss({"hug": 10, "ug": 2}, model), round(corpus_loss({"hug": 10, "ug": 2}, model, paths="all"), 3)
    (38.0, 35.583)
    """
    check_choice("paths", paths, ("best", "all"))
    if paths == "best":
        return sum(freq * viterbi(word, model)[1] for word, freq in word_freqs.items())
    return sum(freq * forward(word, model)[-1] for word, freq in word_freqs.items())


def removal_scores(word_freqs: Mapping[str, int], model: UnigramModel) -> dict[str, float]:
    """For each token of two or more characters: by how much the corpus loss rises without it, all else unchanged.

    Only a word whose best path holds the token can lose by its absence, so no other word is looked at. Every such
    word takes its best path without the token. Single characters have no score: they always stay.

    >>> removal_scores({"hug": 10, "hum": 2}, UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "m": 3.0,
    ...                                                     "hu": 2.5, "ug": 1.5, "um": 4.5}))
    {'hu': 1.0, 'ug': 10.0, 'um': 0.0}
    """
    scores = {token: 0.0 for token in model.losses if len(token) > 1}
    for word, freq in word_freqs.items():
        tokens, loss = viterbi(word, model)
        for token in dict.fromkeys(tokens):
            if token in scores:
                scores[token] += freq * (viterbi(word, model, without=token)[1] - loss)
    return scores


def shares(word: str, model: UnigramModel) -> dict[Edge, float]:
    """For each edge of the word's lattice: in which part of all ways it is used, each way as much as it is probable.

    What leads to the edge (`forward`), its token, and what leads on (`backward`), against the whole word. Empty for a
    word that no way leads through.

    >>> parts = shares("hug", UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))
    >>> {edge.token: round(part, 3) for edge, part in parts.items()}
    {'h': 1.0, 'u': 0.182, 'ug': 0.818, 'g': 0.182}
    """
    before, after = forward(word, model), backward(word, model)
    if before[-1] == math.inf:
        return {}
    return {edge: math.exp(before[-1] - before[edge.start] - edge.loss - after[edge.end])
            for edge in lattice(word, model)}


def expected_counts(word_freqs: Mapping[str, int], model: UnigramModel) -> dict[str, float]:
    """How often each token occurs in the corpus, if every way to cut a word counts as much as it is probable.

    The sum of its `shares` in all words, each word as often as it occurs. This is the E-step of EM.

    >>> counts = expected_counts({"hug": 10}, UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))
    >>> {token: round(count, 3) for token, count in counts.items()}
    {'h': 10.0, 'u': 1.824, 'g': 1.824, 'ug': 8.176}
    """
    counts = dict.fromkeys(model.losses, 0.0)
    for word, freq in word_freqs.items():
        for edge, part in shares(word, model).items():
            if edge.token in counts:
                counts[edge.token] += freq * part
    return counts


LEAST_COUNT = 1e-10         # a token that EM no longer uses keeps this, so that its loss stays finite


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
    counts = {token: max(count, least) for token, count in counts.items()}
    total = sum(counts.values())
    if digamma:
        return {token: digamma_of(total) - digamma_of(count) for token, count in counts.items()}
    return {token: -math.log(count / total) for token, count in counts.items()}


def digamma_of(x: float) -> float:
    """The digamma function, the slope of log(gamma(x)), for x > 0: near log(x - 1/2) for large x, far below for small.

    >>> round(digamma_of(1), 6), round(digamma_of(100), 6), round(math.log(99.5), 6)
    (-0.577216, 4.600162, 4.600158)
    """
    shift = 0.0
    while x < 6:                                # digamma(x) = digamma(x + 1) - 1/x, up to where the series is exact
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    return shift + math.log(x) - 0.5 / x - y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y / 132))))


# ----------------------------------------------------------------------------------------------------------- training

def substring_counts(word_freqs: Mapping[str, int], *, strict: bool = True) -> dict[str, int]:
    """How often each substring of two or more characters stands in the corpus; overlapping ones all count.

    strict: a word is no substring of itself; it can still be one of another word.

    >>> substring_counts({"hug": 10, "hugs": 5})
    {'hu': 15, 'ug': 15, 'hug': 5, 'ugs': 5, 'gs': 5}
    """
    counts: dict[str, int] = {}
    for word, freq in word_freqs.items():
        for start in range(len(word)):
            for end in range(start + 2, len(word) + 1):
                if not strict or end - start < len(word):
                    counts[word[start:end]] = counts.get(word[start:end], 0) + freq
    return counts


def initial_vocab(word_freqs: Mapping[str, int], size: int, *, seed: str = "substrings") -> dict[str, int]:
    """The tokens that training starts from, with their raw counts: every character, then the best of many more.

    seed: "substrings" takes the most frequent strict substrings (the sources' way); "suffix-array" takes, of all
    repeated substrings that cannot be longer without occurring less often, those with the highest length times count
    (SentencePiece's way); "bpe" takes the tokens that BPE makes. There may be fewer than `size`.
    Raises ValueError if the characters alone are more than `size`.

    >>> initial_vocab({"hug": 10, "hugs": 5}, 6)
    {'g': 15, 'h': 15, 's': 5, 'u': 15, 'hu': 15, 'ug': 15}
    >>> list(initial_vocab({"hug": 10, "hugs": 5}, 6, seed="suffix-array"))
    ['g', 'h', 's', 'u', 'hug', 'ug']
    >>> list(initial_vocab({"hug": 10, "hugs": 5}, 6, seed="bpe"))
    ['g', 'h', 's', 'u', 'hu', 'hug']
    """
    check_word_freqs(word_freqs)
    check_choice("seed", seed, SEEDS)
    chars: dict[str, int] = {}
    for word, freq in word_freqs.items():
        for char in word:
            chars[char] = chars.get(char, 0) + freq
    if check_count("size", size) < len(chars):
        raise ValueError(f"size is {size}, but the characters alone are {len(chars)}")
    if seed == "substrings":
        counts = substring_counts(word_freqs)
        ranked = sorted(counts, key=counts.get, reverse=True)
    elif seed == "suffix-array":
        from .engine.suffixes import repeats

        counts = repeats(word_freqs)
        ranked = sorted(counts, key=lambda token: (-len(token) * counts[token], token))
    else:
        counts = substring_counts(word_freqs, strict=False)
        ranked = [token for token in bpe.train(word_freqs, vocab_size=size).vocab if len(token) > 1]
    return dict(sorted(chars.items())) | {token: counts[token] for token in ranked[:size - len(chars)]}


@dataclass(frozen=True)
class Step:
    """One round of pruning: what each token's absence would cost, what was removed, and how things stand afterwards.

    Losses are of the whole corpus, best paths, in nats. With the other losses held fixed, a removal never lowers the
    loss: `loss_without` >= `loss`. Then the losses are made anew, and `loss_after` may be lower than both.
    """
    number: int                                                     # 1 for the first round
    before: UnigramModel = field(repr=False)
    loss: float                                                     # with `before`
    scores: dict[str, float] = field(repr=False)                    # token -> rise of the loss without it alone
    removed: list[str] = field(repr=False)                          # in the order of removal
    loss_without: float                                             # without `removed`, the other losses as before
    em_losses: list[float]                                          # all paths, before each pass of EM
    model: UnigramModel
    loss_after: float                                               # with `model`


def train_steps(word_freqs: Mapping[str, int], *, vocab_size: int, initial_size: int, drop: float = 0.1,
                method: str = "em", seed: str = "substrings", order: Order = "score", overshoot: bool = False,
                em_passes: int = 2, digamma: bool = False) -> Iterator[Step]:
    """Train one round of pruning at a time. Parameters and errors are those of `train`.

    >>> freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> for step in train_steps(freqs, vocab_size=10, initial_size=15, drop=0.2, method="counting"):
    ...     print(step.removed, round(step.loss, 1), round(step.loss_without, 1), round(step.loss_after, 1))
    ['ug', 'pu', 'un'] 177.8 206.9 182.6
    ['hu', 'ugs'] 182.6 188.1 176.5
    """
    plan = _Plan(vocab_size, initial_size, drop, method, seed, order, overshoot, em_passes, digamma)
    return _train_steps(plan, *_start(plan, word_freqs))


def _train_steps(plan, corpus, counts, losses):
    before, loss, number = UnigramModel(losses), corpus.loss(losses), 0
    while len(losses) > plan.vocab_size:
        if plan.order == "score":
            scores = corpus.removal_scores(losses)
            # Scores that differ only by rounding are equal, and equal scores go by id: the same on every machine.
            ranked = sorted(scores, key=lambda token: round(scores[token], 6))
        else:
            scores = {token: plan.order(token) for token in losses if len(token) > 1}
            ranked = sorted(scores, key=scores.get)
        share = max(1, int(len(losses) * plan.drop))
        removed = ranked[:share if plan.overshoot else min(share, len(losses) - plan.vocab_size)]
        gone = set(removed)
        losses = {token: losses[token] for token in losses if token not in gone}
        corpus.remove(gone)
        loss_without = corpus.loss(losses)
        losses, em_losses = _estimate(plan, corpus, counts, losses)
        number += 1
        model, loss_after = UnigramModel(losses), corpus.loss(losses)
        yield Step(number, before, loss, scores, removed, loss_without, em_losses, model, loss_after)
        before, loss = model, loss_after


def _estimate(plan, corpus, counts, losses):
    if plan.method == "counting":
        return to_losses({token: counts[token] for token in losses}), []
    em_losses = []
    for _ in range(plan.em_passes):
        expected, loss = corpus.expected_counts(losses)
        em_losses.append(loss)
        losses = to_losses(expected, digamma=plan.digamma)
    return losses, em_losses


def _start(plan, word_freqs):
    from .engine.lattices import Lattices    # the bookkeeping behind it; nothing there changes a result

    counts = initial_vocab(word_freqs, plan.initial_size, seed=plan.seed)
    chars = sum(len(token) == 1 for token in counts)
    if plan.vocab_size < chars:
        raise ValueError(f"vocab_size is {plan.vocab_size}, but the characters alone are {chars}, and all of them stay")
    corpus = Lattices(word_freqs, counts)
    return corpus, counts, _estimate(plan, corpus, counts, to_losses(counts))[0]


@dataclass(frozen=True)
class _Plan:
    """What `train` was asked for, once it has been found sound."""
    vocab_size: int
    initial_size: int
    drop: float
    method: str
    seed: str
    order: Order
    overshoot: bool
    em_passes: int
    digamma: bool

    def __post_init__(self):
        check_choice("method", self.method, METHODS)
        if not callable(self.order):
            check_choice("order", self.order, ["score"])
        if isinstance(self.drop, bool) or not isinstance(self.drop, (int, float)) or not 0 < self.drop < 1:
            raise ValueError(f"drop is {self.drop!r}; expected a share between 0 and 1, such as 0.1")
        check_count("em_passes", self.em_passes, least=1)
        if self.digamma and self.method != "em":
            raise ValueError(f"digamma is {self.digamma!r}; it is part of the method 'em', not of {self.method!r}")
        if check_count("initial_size", self.initial_size) < check_count("vocab_size", self.vocab_size):
            raise ValueError(f"initial_size is {self.initial_size}, less than vocab_size, {self.vocab_size}; "
                             "training only removes tokens, so it has to start from more")


def train(word_freqs: Mapping[str, int], *, vocab_size: int, initial_size: int, drop: float = 0.1, method: str = "em",
          seed: str = "substrings", order: Order = "score", overshoot: bool = False, em_passes: int = 2,
          digamma: bool = False) -> UnigramModel:
    """Start from `initial_size` tokens and prune to `vocab_size`, a share of `drop` a round (at least one token).

    word_freqs: word -> how often it occurs (at least once), in first-seen order.
    method: "em" fits the losses by expectation maximization before each pruning, `em_passes` times, with or without
    `digamma` (see `to_losses`); "counting" takes the raw counts of `initial_vocab` for good (the sources' way).
    seed: where the tokens come from at first, see `initial_vocab`.
    order: "score" removes the tokens first that cost least (see `removal_scores`); or a function of the token, of
    which the smallest values go first. overshoot: True lets the last round remove its full share, as the sources do,
    so that fewer than `vocab_size` tokens may be left.

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
    plan = _Plan(vocab_size, initial_size, drop, method, seed, order, overshoot, em_passes, digamma)
    corpus, counts, losses = _start(plan, word_freqs)
    if len(losses) < vocab_size:
        return UnigramModel(losses, stopped=f"the corpus offers only {len(losses)} tokens")
    model = UnigramModel(losses)
    for step in _train_steps(plan, corpus, counts, losses):
        model = step.model
    return model


# ---------------------------------------------------------------------------------------------- encoding and decoding

def encode_word(word: str, model: UnigramModel, *, unknown: str | None = "[UNK]") -> list[str]:
    """Cut one word into the tokens of its best segmentation.

    unknown: the token for a character that the model lacks (and for a whole word that cannot be cut); None lets it
    through as it is; "error" raises ValueError.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> encode_word("hug", model), encode_word("mug", model), encode_word("mug", model, unknown=None)
    (['h', 'ug'], ['[UNK]', 'ug'], ['m', 'ug'])
    """
    check_words("word", [word])
    return [token if token in model.losses else bpe.unknown_token(token, word, unknown)
            for token in viterbi(word, model)[0]]


def encode(words: Iterable[str], model: UnigramModel, *, unknown: str | None = "[UNK]") -> list[str]:
    """Cut a sequence of words into tokens. A word that was met before is looked up, not cut again.

    >>> encode(["hug", "mug"], UnigramModel({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}))
    ['h', 'ug', '[UNK]', 'ug']
    """
    words = check_words("words", words)
    known = {word: encode_word(word, model, unknown=unknown) for word in dict.fromkeys(words)}
    return [token for word in words for token in known[word]]


def decode(tokens: Iterable[str], mark: str = "▁") -> list[str]:
    """Join tokens into words: a word begins where the mark stands, which was put in the place of every space.

    >>> decode(["▁Hello", "▁wor", "ld", "."])
    ['Hello', 'world.']
    """
    text = "".join(check_words("tokens", tokens))
    return text.removeprefix(mark).split(mark) if text else []
