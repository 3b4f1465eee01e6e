"""The ways through a word: all the roads on which tokens lead from its beginning to its end.

Between the characters of a word lie gaps, and a token that fits leads from one gap to a later one, at the price of its
loss. `segmentations` walks every way, `viterbi` finds the cheapest and `n_best` the n cheapest; `forward` and
`backward` take all ways together, `shares` says how much each road is used, and `sample` draws a way at random.

A loss is the negative natural logarithm of a probability (in nats): probabilities multiply, losses add, and the best is
the smallest. Where the losses come from does not matter here; `unigram` learns them from a corpus.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from .arguments import (
    check,
    check_count,
    check_number,
    check_string,
    check_type,
    shorten,
    wrong_type,
)

LONGEST_WORD = 20  # that is cut by brute force
COLDEST = 1e-9  # a temperature below which the best way wins as far as numbers reach
Way = tuple[list[str], float]  # its tokens, and their losses added up


@dataclass(frozen=True)
class Losses:
    """What the roads cost: the loss of every token, and of a character that is none.

    >>> losses = Losses({"h": 2.0, "hu": 2.5}, unknown_loss=12.0)
    >>> losses.loss("hu"), losses.loss("u"), losses.loss("ug"), losses.longest
    (2.5, 12.0, inf, 2)
    """

    losses: dict[str, float]
    unknown_loss: float = math.inf

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths of the tokens, in characters, shortest first; 1 is among them."""
        return sorted({1, *map(len, self.losses)})

    @property
    def longest(self) -> int:
        """The length of the longest token, in characters."""
        return self.lengths[-1]

    def loss(self, piece: str) -> float:
        """The loss of a token; `unknown_loss` for a character that is none; infinite for any other piece."""
        return self.losses.get(piece, self.unknown_loss if len(piece) == 1 else math.inf)


# ------------------------------------------------------------------------------------------------- by brute force


def groupings(pieces: Sequence[str]) -> Iterator[list[str]]:
    """Every way to join neighbors: each gap between n pieces stays or goes, so there are 2^(n-1).

    >>> list(groupings(["un", "hug", "s"]))
    [['unhugs'], ['un', 'hugs'], ['unhug', 's'], ['un', 'hug', 's']]
    """
    for number in range(2 ** max(len(pieces) - 1, 0)):
        joined = list(pieces[:1])
        for gap, piece in enumerate(pieces[1:]):
            # One digit of the number for each gap: 0 closes it, 1 leaves it open.
            joined[-1:] = [joined[-1], piece] if number >> gap & 1 else [joined[-1] + piece]
        yield joined


def segmentations(word: str, model: Losses) -> Iterator[Way]:
    """Every way to cut the word into pieces of the model, with its loss, by brute force.

    Of the 2^(n-1) ways to cut n characters, those are left out that need a piece the model lacks. (Whoever does not
    count the uncut word arrives at 2^(n-1) - 1.) Raises ValueError for a word of more than 20 characters.

    >>> model = Losses({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> for tokens, loss in segmentations("hug", model):
    ...     print(loss, tokens)
    3.5 ['h', 'ug']
    4.5 ['hu', 'g']
    5.0 ['h', 'u', 'g']
    """
    check_type("model", model, Losses)
    check(
        len(check_string("word", word)) <= LONGEST_WORD,
        f"word has {len(word)} characters, which can be cut in 2^{len(word) - 1} ways; expected at "
        f"most {LONGEST_WORD} characters, and n_best finds the best of more",
    )
    for tokens in groupings(word):
        loss = sum(map(model.loss, tokens), 0.0)
        if loss < math.inf:
            yield tokens, loss


# ------------------------------------------------------------------------------------------------------ the lattice


class Edge(NamedTuple):
    """One road of the lattice: `token` leads from one gap of the word to a later one, at the price of `loss`."""

    start: int
    end: int
    token: str
    loss: float


def edges(word: str, model: Losses, *, without: str | None = None) -> list[Edge]:
    """All the places where a token fits into the word, from left to right; `without` leaves one token out.

    The gaps are numbered from 0, before the first character, to n, after the last. Every way to cut the word is a
    path from 0 to n.

    >>> [edge.token for edge in edges("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    ['h', 'u', 'ug', 'g']
    """
    return [*each_edge(word, model, without)]


def each_edge(word: str, model: Losses, without: str | None) -> Iterator[Edge]:
    """`edges`, one at a time: of a long word there may be more than fit into memory."""
    check_string("word", word)
    check_type("model", model, Losses)
    places = (
        Edge(start, start + length, token, model.loss(token))
        for start in range(len(word))
        for length in model.lengths[: bisect_right(model.lengths, len(word) - start)]
        if (token := word[start : start + length]) in model.losses or length == 1
    )
    return (edge for edge in places if edge.loss < math.inf and edge.token != without)


def _edges_into(gap: int, word: str, model: Losses) -> list[Edge]:
    """The roads that end at a gap, the longest first."""
    lengths = reversed(model.lengths[: bisect_right(model.lengths, gap)])
    tokens = (word[gap - length : gap] for length in lengths)
    roads = (Edge(gap - len(token), gap, token, model.loss(token)) for token in tokens)
    return [edge for edge in roads if edge.loss < math.inf]


# ------------------------------------------------------------------------------------------------- the cheapest ways


def viterbi_table(
    word: str, model: Losses, *, without: str | None = None
) -> tuple[list[float], list[int]]:
    """For each gap of the word: the smallest loss of the way there, and the gap where the last token of it began.

    Of two ways with the same loss the one with the longer last token is kept. The start of gap 0 is -1.

    >>> viterbi_table("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}))
    ([0.0, 2.0, 2.5, 3.5], [-1, 0, 0, 1])
    """
    # Gap 0 is where we are; to the others no way is known yet.
    best = [0.0] + [math.inf] * len(word)
    starts = [-1] * (len(word) + 1)
    for start, end, _, loss in each_edge(word, model, without):
        # best[start] is settled: every edge into `start` stands earlier in the list.
        if best[start] + loss < best[end]:
            best[end], starts[end] = best[start] + loss, start
    return best, starts


def viterbi(word: str, model: Losses, *, without: str | None = None) -> Way:
    """The best way to cut the word, and its loss, found by following `viterbi_table` back from the word's end.

    The pieces always join to the word; one that is no token is an unknown character. Where no way exists, the word
    stays in one piece, with an infinite loss. `without` leaves one token of the model out.

    >>> model = Losses({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}, unknown_loss=12.5)
    >>> viterbi("hug", model), viterbi("hug", model, without="ug"), viterbi("mug", model)
    ((['h', 'ug'], 3.5), (['hu', 'g'], 4.5), (['m', 'ug'], 14.0))
    """
    check_string("word", word)
    best, starts = viterbi_table(word, model, without=without)
    if best[-1] == math.inf:
        return [word], math.inf
    return walk_back(word, starts), best[-1]


def walk_back(word: str, starts: Sequence[int]) -> list[str]:
    """The tokens of the best way, when `starts` says for each gap where the last token of the way there began.

    >>> walk_back("hug", [-1, 0, 0, 1])
    ['h', 'ug']
    """
    _check_starts(word, starts)
    # Only the last gap knows the best way to the end: so the tokens are found from there, and turned round.
    tokens, end = [], len(word)
    while end > 0:
        tokens.append(word[starts[end] : end])
        end = starts[end]
    return tokens[::-1]


def _check_starts(word: str, starts: Sequence[int]) -> None:
    check_string("word", word)
    check(
        isinstance(starts, (list, tuple))
        and len(starts) == len(word) + 1
        and all(type(start) is int and start < gap for gap, start in enumerate(starts)),
        f"starts is {shorten(starts)}; expected for each gap of {shorten(word)} a gap before it",
    )


def n_best(word: str, model: Losses, n: int) -> list[Way]:
    """The n best ways to cut the word (fewer, where there are fewer), best first: Viterbi that keeps n at each gap.

    >>> n_best("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5}), 2)
    [(['h', 'ug'], 3.5), (['hu', 'g'], 4.5)]
    """
    check_count("n", n, least=1)
    check_string("word", word)
    # Of each way its loss, its last edge, and which of the ways to where that starts comes before it.
    ways: list[list[tuple[float, Edge | None, int]]] = [[(0.0, None, 0)], *([] for _ in word)]
    for edge in each_edge(word, model, None):
        before = enumerate(ways[edge.start])
        longer = ((loss + edge.loss, edge, rank) for rank, (loss, *_) in before)
        ways[edge.end] = sorted([*ways[edge.end], *longer], key=lambda way: way[0])[:n]

    def tokens_of(last: Edge | None, rank: int) -> Iterator[str]:
        while last:
            yield last.token
            _, last, rank = ways[last.start][rank]

    return [([*tokens_of(last, rank)][::-1], loss) for loss, last, rank in ways[-1]]


# ------------------------------------------------------------------------------------------------ all ways together


def add_losses(a: float, b: float) -> float:
    """The loss of two ways together: the logarithm of the sum of their probabilities, without leaving the logarithm.

    >>> round(add_losses(-math.log(0.5), -math.log(0.25)), 6), round(-math.log(0.75), 6)
    (0.287682, 0.287682)
    >>> add_losses(2000.0, math.inf)
    2000.0
    """
    low, high = min(a, b), max(a, b)
    return low if high == math.inf else low - math.log1p(math.exp(low - high))


def forward(word: str, model: Losses, *, temperature: float = 1.0) -> list[float]:
    """For each gap of the word: the loss of all ways from the word's beginning to it, taken together.

    The last entry is the loss of the word under the model, however it is cut. `temperature` divides every token's
    loss.

    >>> [round(loss, 3) for loss in forward("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    [0.0, 2.0, 3.0, 3.299]
    """
    check_number("temperature", temperature, above=0)
    check_string("word", word)
    total = [0.0] + [math.inf] * len(word)
    for start, end, _, loss in each_edge(word, model, None):
        # As in viterbi_table, but a new way joins the others instead of having to beat them.
        total[end] = add_losses(total[end], total[start] + loss / temperature)
    return total


def backward(word: str, model: Losses) -> list[float]:
    """For each gap of the word: the loss of all ways from it to the word's end, taken together.

    >>> [round(loss, 3) for loss in backward("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))]
    [3.299, 1.299, 2.0, 0.0]
    """
    check_string("word", word)
    total = [math.inf] * len(word) + [0.0]
    for start, end, _, loss in reversed(edges(word, model)):
        total[start] = add_losses(total[start], loss + total[end])
    return total


def shares(word: str, model: Losses) -> dict[Edge, float]:
    """For each edge of the word's lattice: the share of all ways that use it, in proportion to their probabilities.

    Empty for a word that no way leads through.

    >>> parts = shares("hug", Losses({"h": 2.0, "u": 1.0, "g": 2.0, "ug": 1.5}))
    >>> {edge.token: round(part, 3) for edge, part in parts.items()}
    {'h': 1.0, 'u': 0.182, 'ug': 0.818, 'g': 0.182}
    """
    before, after = forward(word, model), backward(word, model)
    if before[-1] == math.inf:
        return {}
    # All ways over one road (what leads to it, the road, what leads on from it) against all ways there are.
    return {
        edge: math.exp(before[-1] - before[edge.start] - edge.loss - after[edge.end])
        for edge in edges(word, model)
    }


def sample(word: str, model: Losses, rng: Random, temperature: float = 1.0) -> list[str]:
    """Cut the word at random, each way as often as its probability says (subword regularization).

    temperature: 1 draws from the model; towards 0 the best way wins more and more often, and at 0 always; a high one
    makes all ways equally likely. (Kudo's alpha is 1 / temperature.) rng: a `random.Random`, whose seed decides.

    >>> model = Losses({"h": 2.0, "u": 1.0, "g": 2.0, "hu": 2.5, "ug": 1.5})
    >>> import random
    >>> rng = random.Random(1)
    >>> [" ".join(sample("hug", model, rng)) for _ in range(4)]
    ['h ug', 'hu g', 'h ug', 'h u g']
    """
    if not hasattr(rng, "choices"):
        raise wrong_type("rng", rng, "random.Random(1), or another seed")
    if temperature != 0:
        check_number("temperature", temperature, above=0)
    if temperature < COLDEST:
        return viterbi(word, model)[0]
    total = forward(word, model, temperature=temperature)
    if total[-1] == math.inf:
        return [word]
    # From the end: the last token is drawn by its share in all ways that end here; then the one before it.
    tokens, gap = [], len(word)
    while gap > 0:
        into = _edges_into(gap, word, model)
        parts = [
            math.exp(total[gap] - total[edge.start] - edge.loss / temperature) for edge in into
        ]
        edge = rng.choices(into, parts)[0]
        tokens.append(edge.token)
        gap = edge.start
    return tokens[::-1]
