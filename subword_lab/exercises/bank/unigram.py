"""The exercises of lesson 03: Unigram."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import inf, isqrt, log, prod

from ... import lattice, unigram
from ...unigram import UnigramModel
from .. import (
    Choice,
    Mistake,
    Number,
    Ordering,
    Question,
    Rng,
    Segmentation,
    Text,
    Tokens,
    exercise,
    prediction,
)
from ..words import as_tokens, how_far, say, table

WORDS = (
    "hugs",
    "pugs",
    "lower",
    "newest",
    "singer",
    "token",
    "taller",
    "open",
    "domino",
    "bakery",
    "котик",
    "домой",
    "лесной",
    "школа",
    "自然语言",
    "语言学家",
)
SIMILAR = (
    ("hug", "pug", "hugs"),
    ("low", "lower", "slow"),
    ("sing", "ring", "rings"),
    ("ten", "tent", "often"),
    ("дом", "дома", "домой"),
    ("лес", "леса", "весло"),
    ("king", "kings", "inks"),
    ("pan", "plan", "plane"),
)
POOL = (
    "th",
    "he",
    "ing",
    "un",
    "er",
    "ate",
    "out",
    "ly",
    "ack",
    "es",
    "is",
    "ow",
    "and",
    "if",
    "up",
    "age",
    "ob",
    "ex",
)
TEXTS = (
    "the cats, all of them, are asleep",
    "she reads letters",
    "two tokenizers disagree",
    "nothing is lost",
    "дом стоит давно",
    "кошка видит мышку",
    "собака, кошка и мышка",
    "学生喜欢老师",
    "我们学习 语言学",
)
Losses = dict[str, int]
Way = tuple[list[str], float]


def draw_losses(rng: Rng, words: Sequence[str], more: int) -> Losses:
    """A loss for every character of the words, and for some of their longer substrings."""
    longer = sorted(
        {
            word[i:j]
            for word in words
            for i in range(len(word))
            for j in range(i + 2, len(word) + 1)
            if j - i < max(map(len, words))
        }
    )
    chosen = sorted(rng.sample(longer, more), key=lambda token: (len(token), token))
    return {char: rng.between(3, 7) for char in sorted(set("".join(words)))} | {
        token: rng.between(3, 9) + len(token) for token in chosen
    }


def road_map(rng: Rng) -> tuple[str, Losses, list[Way]]:
    """A word, losses among which one way is the best and holds a longer token, and all ways, the cheapest first."""
    while True:
        word = rng.choice(WORDS)
        losses = draw_losses(rng, [word], rng.between(4, 6))
        ways = all_ways(word, losses)
        if len(ways) > 3 and ways[0][1] < ways[1][1] and len(ways[0][0]) < len(word):
            return word, losses, ways


def all_ways(word: str, losses: Losses) -> list[Way]:
    return sorted(unigram.segmentations(word, strict(losses)), key=lambda way: way[1])


def strict(losses: Losses) -> UnigramModel:
    """A model for which nothing is a road that is no token."""
    return UnigramModel(dict(losses), unknown_loss=inf)


def first_fit(word: str, losses: Losses, *, cheapest: bool = False) -> list[str]:
    """Cut off the longest token that fits (or the cheapest), from the left, again and again."""
    tokens: list[str] = []
    while rest := word[len("".join(tokens)) :]:
        fits = [rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in losses]
        tokens.append(min(fits, key=lambda token: losses[token]) if cheapest else fits[0])
    return tokens


def total(tokens: Iterable[str], losses: Losses) -> int:
    return sum(losses[token] for token in tokens)


def cut_at(word: str, cuts: Sequence[int]) -> list[str]:
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(word)}), len(word)]
    return [word[a:b] for a, b in pairwise(places)]


def as_losses(losses: Losses) -> str:
    return table(
        " | ".join(["token", *(f"`{token}`" for token in losses)]), [["loss", *losses.values()]]
    )


def as_way(tokens: Sequence[str]) -> str:
    return f"`{'|'.join(tokens)}`"


def as_costs(ways: Iterable[Way]) -> str:
    return ", ".join(f"{as_way(tokens)} {loss:g}" for tokens, loss in ways)


@exercise(
    "unigram-01",
    "How probable is this way?",
    Number(
        significant=3,
        form="a fraction such as 3/400, or a decimal with three significant digits, such as 0.0075",
        example='"3/400"',
    ),
)
def probability_of_a_way(rng: Rng) -> Question | None:
    word, whole = rng.choice([word for word in WORDS if len(word) < 6]), rng.choice([50, 100, 200])
    cut = rng.between(1, len(word) - 2)
    way = cut_at(word, [cut, len(word) - 1] if rng.below(2) else [cut])
    counts = {token: rng.between(2, 12) for token in rng.shuffle([*way, word[: cut + 1]])}
    shares = [Fraction(counts[token], whole) for token in way]
    answer, multiplied, shown = (
        prod(shares),
        prod(counts[token] for token in way),
        sum(counts.values()),
    )
    other = [word[: cut + 1], word[cut + 1 :]]
    of_other = prod(Fraction(counts.get(token, 0), whole) for token in other)
    if len(counts) == len(way) or shown >= whole:
        return None

    def evidence(value: Fraction) -> str:
        if abs(float(value) + log(answer)) < 0.06:
            return "This is the loss of the way, the negative logarithm of what is asked for."
        rarest = min(way, key=lambda token: counts[token])
        for one, instead in product(way, counts):
            if value == answer * counts[instead] / counts[one]:
                return say(
                    "This comes out with the count of `{instead}` in the place of that of `{one}`.",
                    instead=instead,
                    one=one,
                )
        if value == of_other > 0:
            return say(
                "This is the probability of {other:cut}, another way through the word. Which one is asked for?",
                other=other,
            )
        if value > min(shares):
            return say(
                "No way is more probable than its rarest token, and `{rarest}` has {count} of {whole}.",
                rarest=rarest,
                count=counts[rarest],
                whole=whole,
            )
        return say(
            "{far} What are the shares of {way:tokens}?", far=how_far(value, answer), way=way
        )

    return Question(
        "The counts of all tokens of a model add up to {whole}. Some of them: {some}. A token's probability is "
        "its share of all counts. How probable is {way:cut} as a way through `{word}`?",
        answer=answer,
        mistakes=[
            Mistake(
                "added-probabilities",
                sum(shares),
                "These are the shares added up. Is heads twice in a row likelier than heads once?",
            ),
            Mistake(
                "counts-not-shares",
                multiplied,
                "These are the counts multiplied. What share of the whole is each?",
            ),
            Mistake(
                "divided-once",
                Fraction(multiplied, whole),
                "These are the counts multiplied, over {whole} once. How many shares are there on this way?",
            ),
            Mistake(
                "rarest-token-only",
                min(shares),
                "This is the share of the rarest token. What about the others?",
            ),
            Mistake(
                "last-token-forgotten",
                prod(shares[:-1]),
                "This is the probability of {begun:cut}. Does the word end there?",
            ),
            Mistake(
                "shares-of-those-shown",
                Fraction(multiplied, shown ** len(way)),
                "This is what dividing by {shown} gives, the sum of the counts shown. What do all counts add up "
                "to?",
            ),
        ],
        hints=[
            "The probability of a token is its count, divided by the count of all tokens together.",
            "Tokens stand independently of each other, so the way's probability is a product.",
            "Multiply {length} fractions; all have the same denominator.",
        ],
        solution="{product} = {answer}.",
        why="All tokens of the way have to come, each independently of the others, so their shares are multiplied.",
        evidence=evidence,
        figures=locals()
        | {
            "some": ", ".join((f"`{token}` {count}" for token, count in counts.items())),
            "product": " · ".join(f"{counts[token]}/{whole}" for token in way),
            "length": len(way),
            "begun": way[:-1],
        },
    )


@exercise("unigram-02", "Find the best way", Segmentation(), core=True)
def best_way(rng: Rng) -> Question | None:
    word, losses, ways = road_map(rng)
    best, loss = ways[0]

    def evidence(value: list[str]) -> str:
        if missing := [token for token in value if token not in losses]:
            return say(
                "The table has no {missing:tokens}, so there is no such road.", missing=missing
            )
        return say(
            "{value:cut} costs {loss}, and there is a cheaper way.",
            value=value,
            loss=total(value, losses),
        )

    return Question(
        "A model has these tokens and losses. How does Unigram cut `{word}`?\n\n{losses_table}",
        answer=best,
        listed=[word],
        mistakes=[
            Mistake(
                "longest-first",
                first_fit(word, losses),
                "This is the longest token that fits, again and again. What do its losses add up to? Might a "
                "shorter first token lead to less?",
            ),
            Mistake(
                "cheapest-token-first",
                first_fit(word, losses, cheapest=True),
                "This is the cheapest token that fits, at each gap. May a cheap one lead to an expensive rest?",
            ),
            Mistake(
                "largest-loss",
                ways[-1][0],
                "This is the most expensive way of all. Has the most probable way the largest loss, or the smallest?",
            ),
            Mistake(
                "second-best",
                ways[1][0],
                "Only one way is cheaper than this. Were all compared at each gap?",
            ),
        ],
        hints=[
            "Each way costs the sum of its tokens' losses. Which way is the cheapest?",
            "From left to right, note at each gap the cheapest way there: the best to an earlier gap, and a token.",
            "The best way has {length} tokens.",
        ],
        solution="The best ways, with their losses: {best_ways}.",
        why="It costs {loss:g}, less than any other; and so it is the most probable.",
        evidence=evidence,
        figures=locals()
        | {"losses_table": as_losses(losses), "best_ways": as_costs(ways[:3]), "length": len(best)},
    )


@exercise("unigram-03", "How many ways?", Number(), level="recall")
def number_of_ways(rng: Rng) -> Question | None:
    more = (
        "unigram",
        "lattice",
        "viterbi",
        "segment",
        "subword",
        "pruning",
        "vocabulary",
        "словарь",
        "我们喜欢语言",
    )
    word = rng.choice([word for word in (*WORDS, *more, *sum(SIMILAR, ())) if len(word) > 3])
    whole, n, gaps = rng.below(2), len(word), len(word) - 1
    answer = 2 ** (n - 1) - (not whole)
    return Question(
        "Suppose that every substring of `{word}` is a token, the whole word too. In how many ways can it be cut? (Not "
        "to cut it at all is one of them.)"
        if whole
        else "Suppose that every substring of `{word}` is a token, but not the whole word. In how many ways can it be "
        "cut?",
        answer=answer,
        mistakes=[
            Mistake(
                "whole-word",
                2 ** (n - 1) - whole,
                "This is how many ways have at least one cut. Is there one without a cut?"
                if whole
                else "This is how many ways there are if the word may stay whole. Is it a token here?",
            ),
            Mistake(
                "gaps-not-combined",
                n - 1,
                "This is the number of gaps. Each is cut or not, whatever the others are: how many combinations "
                "are there?",
            ),
            Mistake(
                "gap-too-many",
                2**n - (not whole),
                "That would be right for {n} gaps. Where does a cut before the first character, or after the "
                "last, get us?",
            ),
            Mistake(
                "gap-too-few",
                2 ** (n - 2) - (not whole),
                "That would be right for {fewer} gaps. How many are there between {n} characters?",
            ),
            Mistake(
                "gap-too-few-and-uncut",
                None if whole else 2 ** (n - 2),
                "This is two to the power of {fewer}. How many gaps are there between {n} characters, and is the uncut "
                "word one of the ways?",
            ),
            Mistake(
                "two-ways-left-out",
                None if whole else 2 ** (n - 1) - 2,
                "This leaves out two ways. The uncut word is none; which other one is missing, the one in single "
                "characters?",
            ),
            Mistake(
                "tokens-not-ways",
                n * (n + 1) // 2 - (not whole),
                "This is the number of tokens, the roads of the map. How many roads make one way?",
            ),
            Mistake(
                "one-for-each-character",
                n,
                "This is one for each character. In how many ways can two characters be cut, and three?",
            ),
            Mistake(
                "uncut-word-on-top",
                2**gaps + 1,
                "This is two to the power of {gaps}, and one more. Which of these ways is the one without a cut?",
            ),
            Mistake(
                "two-for-each-gap",
                2 * (n - 1),
                "This is two for each gap, added up. Does a gap add, or double?",
            ),
            Mistake(
                "squared",
                (n - 1) ** 2,
                "This is the number of gaps, squared. Does that fit two characters?",
            ),
        ],
        hints=[
            "How many gaps are there between the characters?",
            "In each gap there are two possibilities.",
            "Two to the power of the number of gaps."
            if whole
            else "Two to the power of the number of gaps; but the way without a cut is none.",
        ],
        solution="{n} characters have {gaps} gaps, each cut or not: 2^{gaps} ways, the uncut word among them."
        if whole
        else "{n} characters have {gaps} gaps, each cut or not: 2^{gaps} ways; the uncut word is none of them.",
        why="Every gap doubles the number of ways: whatever is done at the others goes with and without a cut there.",
        evidence=lambda value: say(
            "{far} Write down all ways to cut `{begun}`: what does a third character do to their number?",
            far=how_far(value, answer),
            begun=word[:2],
        ),
        figures=locals() | {"fewer": n - 2},
    )


@exercise("unigram-04", "How many ways are left?", Number())
def ways_with_these_tokens(rng: Rng) -> Question | None:
    word, losses, ways = road_map(rng)
    edges = lattice.edges(word, strict(losses))
    longer, answer, to_gap = (
        sum(len(edge.token) > 1 for edge in edges),
        len(ways),
        [1] + [0] * len(word),
    )
    for edge in edges:
        to_gap[edge.end] += to_gap[edge.start]
    last = as_tokens(edge.token for edge in edges if edge.end == len(word))
    forked = next(word[:gap] for gap, number in enumerate(to_gap) if number > 1)

    def evidence(value: Fraction) -> str:
        if value < max(to_gap[:-1]):
            return say(
                "Already `{begun}` has more ways, and each goes on to the end.",
                begun=word[: to_gap.index(max(to_gap[:-1]))],
            )
        return say(
            "{far} `{forked}` is the first part that has more than one way. Go on from there, until one of "
            "{last} ends the word.",
            far=how_far(value, answer),
            forked=forked,
            last=last,
        )

    if answer == longer + 1:
        return None
    return Question(
        "In how many ways can `{word}` be cut into these tokens, each as often as you "
        "like?\n\n{losses:tokens}",
        answer=answer,
        mistakes=[
            Mistake(
                "every-gap-free",
                2 ** (len(word) - 1),
                "This is how many ways there are if every substring is a token. Is each piece a token here?",
            ),
            Mistake(
                "roads-not-ways",
                len(edges),
                "This is how many places a token fits in. How many make one way?",
            ),
            Mistake(
                "one-long-token-a-way",
                longer + 1,
                "This is how many ways have at most one longer token. Are there ways with two?",
            ),
            Mistake(
                "long-tokens-combined",
                2**longer,
                "This is how many ways there would be if each longer token could be used or not, whatever the "
                "others do. "
                "Which overlap?",
            ),
            Mistake(
                "tokens-counted",
                len(losses),
                "This is the number of tokens in the list. How many has one way?",
            ),
            Mistake(
                "one-way-forgotten", answer - 1, "Is the way of single characters among yours?"
            ),
            Mistake(
                "uncut-too",
                answer + 1 if word not in losses else None,
                "Is the uncut word among yours? Look for it in the list of tokens.",
            ),
            Mistake(
                "one-long-token-alone",
                longer if longer != answer else None,
                "This is how many ways have exactly one longer token. What about two of them, and none?",
            ),
            Mistake(
                "characters",
                len(word) if len(word) != answer else None,
                "This is the number of characters. How many ways are there from the first to the last of them?",
            ),
        ],
        hints=[
            "Go from left to right: in how many ways can you get past the first character, the second ...?",
            "The ways to a gap are a sum over the tokens that end there: for each, the ways to where it begins.",
            "The last token is one of {last}; add up the ways to where each begins.",
        ],
        solution="Ways to each gap, from gap 0 to the last: {to_each_gap}.",
        why="Every way ends with exactly one last token, so the ways before each possible last token add up.",
        evidence=evidence,
        figures=locals() | {"to_each_gap": ", ".join(map(str, to_gap))},
    )


@exercise("unigram-05", "A cell of the table", Number(), core=True)
def cell_of_the_table(rng: Rng) -> Question | None:
    word, losses, _ = road_map(rng)
    gap = rng.between(3, len(word) - 1)
    before, (best, starts) = word[:gap], unigram.viterbi_table(word, strict(losses))
    answer, ways = (
        int(best[gap]),
        {loss: as_way(tokens) for tokens, loss in reversed(all_ways(before, losses))},
    )
    ending = {
        token: int(best[gap - len(token)]) + loss
        for token, loss in losses.items()
        if before.endswith(token)
    }
    by_longest, by_characters = ending[max(ending, key=len)], total(before, losses)
    alone, last_alone = total([max(ending, key=len)], losses), answer - int(best[starts[gap]])
    if answer in (by_longest, by_characters) or (starts[gap] == gap - 1 and rng.below(2)):
        return None

    def evidence(value: Fraction) -> str:
        if value in ways:
            return say(
                "{way} costs {value}. Which other tokens end here, and what do they cost in all?",
                way=ways[int(value)],
                value=value,
            )
        return say(
            "No way to this gap costs {value}. The last token is one of {ending:tokens}: for each, what is "
            "the smallest loss where it begins?",
            value=value,
            ending=ending,
        )

    return Question(
        "Viterbi goes through `{word}`. What is the smallest loss of a way from the beginning to gap {gap}, the "
        "one after `{before}`?\n\n{losses_table}",
        answer=answer,
        mistakes=[
            Mistake(
                "characters-only",
                by_characters,
                "This is what the single characters cost. May a longer token cover some of them for less?",
            ),
            Mistake(
                "longest-last-token",
                by_longest,
                "This is the price of ending with the longest token that fits. What do the others that end here "
                "cost in all?",
            ),
            Mistake(
                "last-token-only",
                min(total([token], losses) for token in ending),
                "This is the loss of one token that ends here. What has been paid where it begins?",
            ),
            Mistake(
                "last-token-forgotten",
                int(best[starts[gap]]),
                "This is the smallest loss where a last token begins. What does the token cost?",
            ),
            Mistake(
                "gap-before",
                int(best[gap - 1]),
                "This is the smallest loss at gap {gap_before}. Gap 0 is before the first character: where is "
                "gap {gap}?",
            ),
            Mistake(
                "longest-token-alone",
                alone if alone != answer else None,
                "This is the loss of the longest token that ends here. What has been paid where it begins?",
            ),
            Mistake(
                "last-token-alone",
                last_alone if last_alone != answer else None,
                "This is the loss of one token that ends here. What has been paid where it begins?",
                rare=True,
            ),
            Mistake(
                "whole-word",
                int(best[-1]),
                "This is for the whole word. Where does the way end here?",
            ),
        ],
        hints=[
            "Which tokens end at this gap? List them, with the gap where each begins.",
            "Each candidate costs the smallest loss of a way to its beginning, and its own loss on top.",
            "The candidates for the last token are {ending:tokens}.",
        ],
        solution="The smallest loss at each gap: {by_gap}.",
        why="Every way there has a last token, and before it nothing beats the best way to where that token begins.",
        evidence=evidence,
        figures=locals()
        | {
            "losses_table": as_losses(losses),
            "by_gap": ", ".join(f"{loss:g}" for loss in best[: gap + 1]),
            "gap_before": gap - 1,
        },
    )


@exercise("unigram-06", "The way back", Segmentation())
def way_back(rng: Rng) -> Question | None:
    word, losses, ways = road_map(rng)
    best, starts = unigram.viterbi_table(word, strict(losses))
    gaps, forwards = [len(word)], [0]
    while gaps[-1]:
        gaps.append(starts[gaps[-1]])
    while found := [end for end in range(1, len(word)) if starts[end] == forwards[-1]]:
        forwards.append(found[0])
    if len(gaps) < 4 or cut_at(word, forwards) == ways[0][0]:
        return None

    def evidence(value: list[str]) -> str:
        end = len(word)
        for token in reversed(value):
            if starts[end] != end - len(token):
                break
            end -= len(token)
        return (
            say(
                "From gap {end} on all is right. What does the line of gap {end} say about the token that ends "
                "there?",
                end=end,
            )
            if end < len(word)
            else say(
                "Begin at the end. What does the line of gap {end} say about the token that ends there?",
                end=end,
            )
        )

    rows = [(gap, f"{best[gap]:g}", starts[gap]) for gap in range(1, len(starts))]
    return Question(
        "Viterbi has gone through `{word}` and left this table. Gap 0 is before the first character. How is the "
        "word cut?\n\n{rows_table}",
        answer=ways[0][0],
        listed=[word],
        mistakes=[
            Mistake(
                "read-forwards",
                cut_at(word, forwards),
                "This follows the table from the top. Which line is the only one that knows where the best way "
                "to the end comes from?",
            ),
            Mistake(
                "every-start-a-cut",
                cut_at(word, starts),
                "Every gap of the last column is a cut here. Which lines do you come to on the way back?",
            ),
            Mistake(
                "one-step-back",
                cut_at(word, gaps[1:2]),
                "The last token is right. Go on where it begins: what does that gap's own line say?",
            ),
            Mistake(
                "starts-as-lengths",
                cut_at(word, [len(word) - starts[-1]]),
                "Your last token has as many characters as the last line says. Is that a length, or a gap?",
            ),
            Mistake(
                "cuts-too-early",
                cut_at(word, [gap - 1 for gap in gaps]),
                "The cuts lie a character too early. Gap 1 is after the first character: where is gap 2?",
            ),
            Mistake(
                "cuts-too-late",
                cut_at(word, [gap + 1 for gap in gaps if gap]),
                "The cuts lie a character too late. Gap 0 is before the first character: where is gap 1?",
            ),
        ],
        hints=[
            "Begin at the last gap: where does the last token begin?",
            "Go to that gap's own line, and ask again.",
            "Stop at gap 0. The gaps that you came to are the cuts.",
        ],
        solution="From the end: gap {back}.",
        why="Only the last line knows where the best way to the end comes from, and each line knows one step of it.",
        evidence=evidence,
        figures=locals()
        | {
            "rows_table": table("gap | smallest loss | its last token begins at gap", rows),
            "back": ", then gap ".join(map(str, gaps)),
        },
    )


@exercise("unigram-07", "Before you run it", prediction(Tokens()), level="transfer")
def unknown_character(rng: Rng) -> Question | None:
    known, losses, _ = road_map(rng)
    place, strange = rng.between(0, len(known)), rng.choice("жщqzx好မ")
    left, right = all_ways(known[:place], losses), all_ways(known[place:], losses)
    word, answer = known[:place] + strange + known[place:], [*left[0][0], "[UNK]", *right[0][0]]
    if any(len(ways) > 1 and ways[0][1] == ways[1][1] for ways in (left, right)) or len(
        answer
    ) > len(known):
        return None  # two best ways, or nothing but single characters

    def evidence(value: list[str]) -> str:
        if missing := [
            token for token in value if token not in losses and token not in ("[UNK]", strange)
        ]:
            return say("The model has no {missing:tokens}.", missing=missing)
        spelled, cost = (
            "".join(parts := [token for token in value if token in losses]),
            total(parts, losses),
        )
        if spelled != known and spelled:
            return say(
                "Your known tokens spell `{spelled}`, and the known part of the word is `{known}`.",
                spelled=spelled,
                known=known,
            )
        return (
            say("Your known tokens cost {cost}, and there is a cheaper cut.", cost=cost)
            if cost > left[0][1] + right[0][1]
            else ""
        )

    return Question(
        "For Unigram, a character that is no token is a road as well; it costs ten more than the most expensive token. "
        "What will this show? Say it first, then run it.\n\n```\nlosses = "
        '{losses}\nunigram.encode_word({word!r}, UnigramModel(losses), unknown="[UNK]")\n```',
        answer=answer,
        mistakes=[
            Mistake(
                "whole-word-unknown",
                ["[UNK]"],
                "WordPiece would give up the whole word like this. Is the road through the strange character "
                "closed here, or only expensive?",
            ),
            Mistake(
                "passed-through",
                [strange if token == "[UNK]" else token for token in answer],
                "The strange character stands here as it is. Has it an id? What is `unknown` for?",
            ),
            Mistake(
                "dropped",
                [token for token in answer if token != "[UNK]"],
                "Nothing stands for the strange character here. Could anybody tell that it was there?",
            ),
            Mistake(
                "rest-in-characters",
                [char if char in losses else "[UNK]" for char in word],
                "The known part is in single characters here. Does the strange one change which tokens fit "
                "beside it?",
            ),
            Mistake(
                "longest-first",
                [*first_fit(known[:place], losses), "[UNK]", *first_fit(known[place:], losses)],
                "This takes the longest token that fits, from the left. Is that the cheapest way on both sides?",
            ),
            Mistake(
                "end-lost",
                [*left[0][0], "[UNK]"],
                "This ends at the strange character. Does the road lead on?",
            ),
        ],
        hints=[
            "Which character of the word is no token?",
            "No longer token can reach across it.",
            "Cut what stands on its left and on its right, each in the best way, and put `[UNK]` between.",
        ],
        solution="The best ways beside the strange character, with their losses: {best_ways}.",
        why="The strange character costs the same on every way, so what stands beside it is cut as ever.",
        evidence=evidence,
        figures=locals() | {"best_ways": as_costs(ways[0] for ways in (left, right) if ways[0][0])},
    )


@exercise(
    "unigram-08", "One round of EM", Number(form="a number, such as 12, 4.5 or 9/2"), core=True
)
def expected_count(rng: Rng) -> Question | None:
    word = rng.choice(("hug", "pugs", "кот", "дома", "语言学", "papa", "coco", "мама", "哈哈大笑"))
    pieces = {word[i:j]: 1 for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
    ways = rng.sample([tokens for tokens, _ in all_ways(word, pieces)], 4)
    weights = rng.choice(
        ([10, 6, 3, 1], [12, 4, 3, 1], [5, 2, 2, 1], [20, 13, 5, 2], [25, 14, 8, 3])
    )
    tokens, freq = (
        sorted({token for way in ways for token in way if token != word}),
        rng.between(1, 6) * 10,
    )
    token = rng.choice(
        [token for token in tokens if any(way.count(token) > 1 for way in ways)] or tokens
    )
    times, whole = [way.count(token) for way in ways], sum(weights)
    holding = Fraction(sum(weight for weight, number in zip(weights, times) if number), whole)
    answer = freq * Fraction(sum(weight * number for weight, number in zip(weights, times)), whole)

    def evidence(value: Fraction) -> str:
        if value > freq * max(times):
            return say(
                "The word occurs {freq} times. How often, at most, does one occurrence use `{token}`?",
                freq=freq,
                token=token,
            )
        return say(
            "This is the sum for the ways with `{token}`. What share of all four is it, and of how many words?"
            if value * freq == answer * whole
            else "`{token}` stands in {ways}. What share of all four probabilities is that?",
            token=token,
            ways=", ".join(as_way(way) for way in ways if token in way),
        )

    return Question(
        "`{word}` occurs {freq} times. With the tokens of a model it can be cut in four "
        "ways:\n\n{ways_table}\n\nEM asks how often `{token}` is used in these {freq} words, if every way counts "
        "in proportion to its probability. What does it find?",
        answer=answer,
        mistakes=[
            Mistake(
                "best-way-only",
                freq * times[0],
                "This would be right if the first way, the best, were always taken. What about the ways that are less "
                "probable?",
            ),
            Mistake(
                "shares-not-whole",
                answer * whole / 1000,
                "This takes the probabilities as they are. One of the ways was taken: what should the shares of "
                "all four add up to?",
            ),
            Mistake(
                "every-way-alike",
                Fraction(freq * sum(times), 4),
                "This would be right if all ways were alike. Should an improbable way count as much as a probable one?",
            ),
            Mistake(
                "once-per-way",
                freq * holding if max(times) > 1 else None,
                "This counts each way that holds the token once. How often does it stand in each?",
            ),
            Mistake(
                "one-way-with-it",
                Fraction(freq * max(w for w, n in zip(weights, times) if n), whole),
                "This is what the likeliest way with the token brings, for one use. Is that all?",
            ),
            Mistake(
                "freq-forgotten",
                answer / freq,
                "This is for one occurrence of the word. How many are there?",
            ),
            Mistake(
                "ways-without-it",
                freq * (1 - holding),
                "This is how many are cut *without* it. Which ways hold it?",
            ),
        ],
        hints=[
            "The word is certain, its way is not: the shares of the ways add up to one.",
            "A way's share is its probability, divided by the probabilities of all ways together.",
            "Add up the shares of the ways with `{token}` (twice where it stands twice), times the words.",
        ],
        solution="{freq} · ({by_way}) / {whole} = {answer}.",
        why="Every occurrence of the word is shared out among its ways, and each way hands its share to its tokens.",
        evidence=evidence,
        figures=locals()
        | {
            "ways_table": table(
                "way | probability",
                [(f"`{' '.join(way)}`", f"{weight}/1000") for way, weight in zip(ways, weights)],
            ),
            "by_way": " + ".join((f"{w} · {n}" for w, n in zip(weights, times) if n)),
        },
    )


@exercise("unigram-09", "What does its absence cost?", Number(), points=2, core=True)
def removal_score(rng: Rng) -> Question | None:
    words = rng.choice(SIMILAR)
    freqs, losses = (
        dict(zip(words, rng.sample(range(2, 13), 3))),
        draw_losses(rng, words, rng.between(5, 6)),
    )
    model, (token, *_) = strict(losses), rng.shuffle([token for token in losses if len(token) > 1])
    with_it = {word: unigram.viterbi(word, model) for word in words}
    without = {word: unigram.viterbi(word, model, without=token) for word in words}
    rise = {word: int(without[word][1] - with_it[word][1]) for word in words}
    users = [word for word in words if rise[word]]
    if not users or (
        len(users) == 1 and rng.below(2)
    ):  # several words that use it are better, and rarer
        return None
    answer, uses = (
        sum(rise[word] * freqs[word] for word in users),
        sum(freqs[word] for word in users),
    )
    before, after = (
        int(sum(freqs[word] * best[word][1] for word in words)) for best in (with_it, without)
    )
    line = "- `{word}`, {freq:times}: {way:cut} costs {loss:g}, and without the token {other:cut} costs {more:g}"
    by_word = "\n".join(
        say(
            line,
            word=word,
            freq=freqs[word],
            way=with_it[word][0],
            loss=with_it[word][1],
            other=without[word][0],
            more=without[word][1],
        )
        for word in users
    )

    def evidence(value: int) -> str:
        most = max(rise[word] * freqs[word] for word in users)  # which is a mistake of its own
        for word in users:
            if most != value == rise[word] * freqs[word]:
                return say(
                    "This is what `{word}` alone brings. Which other words miss the token?",
                    word=word,
                )
            for cut, loss in all_ways(word, losses):
                if value == answer + (loss - without[word][1]) * freqs[word] and token not in cut:
                    return say(
                        "This comes out with {cut:cut} for `{word}`. Is there no cheaper way without `{token}`?",
                        cut=cut,
                        word=word,
                        token=token,
                    )
        return say(
            "`{token}` is missed in {users:tokens}. What does the best way cost there with the token, what "
            "without, and how often does the word occur?",
            token=token,
            users=users,
        )

    return Question(
        "A corpus, and the losses of a model:\n\n{freqs:table}\n\n{losses_table}\n\nEvery word is cut in its "
        "best way. By how much does the loss of this corpus rise if `{token}` is removed and all other losses "
        "stay?",
        answer=answer,
        mistakes=[
            Mistake(
                "types-not-occurrences",
                sum(rise.values()),
                "This counts each word once. How often is it there?",
            ),
            Mistake(
                "spelled-with-characters",
                (total(token, losses) - losses[token]) * uses,
                "This puts single characters in the place of the token. Is that the best way of each word "
                "without it?",
            ),
            Mistake(
                "token-loss",
                losses[token] * uses,
                "This is the token's own loss, as often as it is missed. What takes its place, and is that free?",
            ),
            Mistake(
                "loss-without-it",
                after,
                "This is the loss of the corpus without the token. What was it before?",
            ),
            Mistake(
                "loss-with-it",
                before,
                "This is the loss of the corpus as it is. What is it without the token?",
            ),
            Mistake(
                "one-word-only",
                max(rise[word] * freqs[word] for word in users),
                "This is what one word brings. Does another have the token on its best way, too?",
            ),
            Mistake(
                "words-alike",
                max(rise.values()) * sum(freq for word, freq in freqs.items() if token in word),
                "This would be right if every word with `{token}` in it got more expensive alike. Do they?",
            ),
        ],
        hints=[
            "Only a word whose best way holds the token can lose by its absence. Which words are these?",
            "For each of them: the loss of the best way without the token, minus the loss of the best way.",
            "Multiply each difference by how often the word occurs, and add up.",
        ],
        solution=by_word,
        why="Words that can do without the token lose nothing; each of the others takes its next best way "
        "whenever it occurs.",
        evidence=evidence,
        figures=locals() | {"losses_table": as_losses(losses)},
    )


def pool(rng: Rng, number: int) -> tuple[dict[str, int], dict[str, int]]:
    """Tokens with different second characters, and their counts and scores, all different."""
    tokens = rng.sample(list({token[1]: token for token in rng.shuffle(POOL)}.values()), number)
    return dict(zip(tokens, rng.sample(range(11, 99), number))), dict(
        zip(tokens, rng.sample(range(60), number))
    )


def orders(counts: dict[str, int], scores: dict[str, int]) -> dict[str, list[str]]:
    """The tokens in every order in which somebody might remove them, the right one first."""
    by_score, by_count = (
        sorted(figures, key=lambda token: figures[token]) for figures in (scores, counts)
    )
    return {
        "by the score, smallest first": by_score,
        "by the score, largest first": by_score[::-1],
        "by the count, smallest first": by_count,
        "by the count, largest first": by_count[::-1],
        "by the alphabet": sorted(scores),
        "by the second character": sorted(scores, key=lambda token: token[1]),
    }


def as_scores(counts: dict[str, int], scores: dict[str, int]) -> str:
    return table(
        "token | count | score",
        [(f"`{token}`", counts[token], score) for token, score in scores.items()],
    )


def out_of_order(tokens: Sequence[str], scores: dict[str, int]) -> str:
    """Where a token goes before one with a smaller score; "" if nowhere."""
    return next(
        (
            say(
                "`{a}` with a score of {score} goes before `{b}` with {less} here: which costs less to lose?",
                a=a,
                score=scores[a],
                b=b,
                less=scores[b],
            )
            for a, b in pairwise(tokens)
            if scores[a] > scores[b]
        ),
        "",
    )


@exercise("unigram-10", "Who goes first?", Ordering(), level="recall", version=2)
def order_of_removal(rng: Rng) -> Question | None:
    counts, _ = pool(rng, 5)
    own = {token: rng.between(3, 9) for token in counts}
    rise = dict(zip(counts, rng.sample(range(1, 10), 5)))
    instead = {token: own[token] + rise[token] for token in counts}
    scores = {token: counts[token] * rise[token] for token in counts}
    if len(set(scores.values())) < 5:
        return None
    right, highest, rarest, frequent, *_ = orders(counts, scores).values()
    return Question(
        "Training scores five tokens by these figures: how often each is used in the best cuts, its loss, and the loss "
        "of what would stand in its place.\n\n{rows}\n\nIn which order would it remove them, the first one first?",
        answer=right,
        listed=rng.shuffle(right),
        mistakes=[
            Mistake(
                "highest-score-first",
                highest,
                "The token that is hardest to replace goes first here. Which one can be spared most easily?",
            ),
            Mistake(
                "rarest-first",
                rarest,
                "This is the order of the counts. A rare token may be hard to replace, and a frequent one easy: what "
                "else does the table tell?",
            ),
            Mistake(
                "most-frequent-first",
                frequent,
                "This is the order of the counts, from the largest. What does a frequent token spare?",
            ),
            Mistake(
                "count-forgotten",
                sorted(rise, key=lambda token: rise[token]),
                "This is the order of the rise at a single place. At how many places does each token stand?",
            ),
            Mistake(
                "substitute-only",
                sorted(instead, key=lambda token: counts[token] * instead[token])
                if len(set(instead.values())) > 3
                else None,
                "This is the order when the token's own loss is left out. What does the corpus cost now?",
            ),
        ],
        hints=[
            "By how much would the loss of the corpus rise without a token? What costs least is removed first.",
            "At each place, the loss of the token is replaced by that of its substitute.",
            "Multiply the difference of the two losses by the count.",
        ],
        solution="By how much the loss rises: {order}.",
        why="The loss rises at every place where the token stood, and the smallest rise is the cheapest to bear.",
        evidence=lambda value: out_of_order(value, scores),
        figures=locals()
        | {
            "rows": table(
                "token | count | loss | loss in its place",
                [(f"`{token}`", counts[token], own[token], instead[token]) for token in counts],
            ),
            "order": ", ".join(f"`{token}` {scores[token]}" for token in right),
        },
    )


@exercise("unigram-11", "One round of pruning", Tokens(example='["ug", "pu"]'))
def round_of_pruning(rng: Rng) -> Question | None:
    counts, scores = pool(rng, rng.between(6, 8))
    chars, drop, is_last = rng.between(12, 24), rng.choice([20, 25, 30]), rng.below(2)
    size = chars + len(scores)
    share = size * drop // 100
    spare = rng.between(2, share - 1) if is_last else share + rng.between(1, 3)
    number, (right, highest, rarest, *_) = min(share, spare), orders(counts, scores).values()
    if share >= len(right) or number < 2:
        return None

    def evidence(value: list[str]) -> str:
        if strange := [token for token in value if token not in scores]:
            return say("The table of tokens that may go has no {strange:tokens}.", strange=strange)
        kept = [token for token in right if token not in value]
        if len(value) != number:
            return say(
                "You remove {removed}. What are {drop} percent of {size} tokens, and how many may go in "
                "all?",
                removed=len(value),
                drop=drop,
                size=size,
            )
        if scores[kept[0]] < scores[value[-1]]:
            return say(
                "`{kept}` with a score of {score} stays here, while `{last}` goes.",
                kept=kept[0],
                score=scores[kept[0]],
                last=value[-1],
            )
        return out_of_order(value, scores)

    return Question(
        "A vocabulary holds {chars} characters, which always stay, and these longer "
        "tokens:\n\n{scores_table}\n\nA round removes {drop} percent of all tokens, rounded down, but leaves at "
        "least {least} tokens, where training ends. Which tokens does this round remove, and in which order?",
        answer=right[:number],
        mistakes=[
            Mistake(
                "overshoot" if is_last else "all-at-once",
                right[: share if is_last else spare],
                "These are all {drop} percent. How many tokens would be left?"
                if is_last
                else "With these gone, training would be at its end. How many may go in one round?",
            ),
            Mistake(
                "highest-score-first",
                highest[:number],
                "These have the highest scores. Which can be spared?",
            ),
            Mistake(
                "share-of-the-longer",
                right[: len(scores) * drop // 100],
                "These are {drop} percent of the longer tokens. Of what does a round take its share?",
            ),
            Mistake(
                "share-of-the-characters",
                right[: chars * drop // 100],
                "These are as many as {drop} percent of the characters. Of what does a round take its share?",
            ),
            Mistake(
                "rarest-first",
                rarest[:number],
                "These are the rarest. Which column says what an absence costs?",
            ),
            Mistake(
                "one-fewer",
                right[: number - 1],
                "The order is right, and one more has to go. How was the share rounded, and how many are too many?",
            ),
            Mistake(
                "one-more",
                right[: number + 1],
                "The order is right, and the last one stays. How is the share rounded, and how many are too many?",
            ),
            Mistake(
                "those-that-stay",
                right[number:],
                "These are the tokens that stay. Which are to go?",
            ),
        ],
        hints=[
            "How many tokens are there now, characters included?",
            "The round removes its share of the whole vocabulary, but never more than is too much.",
            "Take that many from the smallest score upwards; characters always stay.",
        ],
        solution="There are {size} tokens, {spare} too many; a full share would be {share}. So {number} go.",
        why="A round takes its share of the whole vocabulary, characters included, and stops where the size is right.",
        evidence=evidence,
        figures=locals() | {"scores_table": as_scores(counts, scores), "least": size - spare},
    )


@exercise("unigram-12", "Detective work", Choice(), level="transfer")
def detective_work(rng: Rng) -> Question | None:
    counts, scores = pool(rng, 7)
    removed = {rule: order[:3] for rule, order in orders(counts, scores).items()}
    rule, *others = rng.sample(list(removed), 4)
    if len({removed[each][0] for each in (rule, *others)}) < 4:
        return None
    return Question(
        "A program scored these tokens\n\n{scores_table}\n\nand removed {removed:tokens}, in this order. How did "
        "it sort them?",
        answer=rule,
        mistakes=[
            Mistake(
                other.replace(",", "").replace(" ", "-"),
                other,
                say(
                    "In that order `{first}` would have gone first, and `{second}` after it. Which token did go "
                    "first?",
                    first=removed[other][0],
                    second=removed[other][1],
                ),
            )
            for other in others
        ],
        hints=[
            "Look at the first token that went: in which column is it at an end?",
            "Try each order on the table: which tokens would go?",
            "If no column explains it, look at the letters.",
        ],
        solution="What each would remove: {by_rule}.",
        why="Only this order removes these tokens: a wrong order shows in what it takes, and in no error message.",
        figures=locals()
        | {
            "scores_table": as_scores(counts, scores),
            "removed": removed[rule],
            "by_rule": "; ".join(f"{each} {as_tokens(removed[each])}" for each in (rule, *others)),
        },
    )


@exercise("unigram-13", "Can the loss fall?", Choice(), level="transfer", version=2, core=True)
def can_the_loss_fall(rng: Rng) -> Question | None:
    tokens, wrong = rng.sample(POOL, 3), rng.choice(["none", "none", "second", "third"])
    before, step = rng.between(1500, 4000), rng.between(20, 200)
    without = before - step if wrong == "second" else before + rng.choice([0, step, step])
    anew = without + rng.between(20, 200) * (1 if wrong == "third" else -1)
    options = {
        "none": (
            "None: all three can be right.",
            "Then a word found a cheaper way with fewer roads. Can that be?"
            if wrong == "second"
            else "Then the tokens that are left would cost more, although fewer share the whole. Can that be?",
        ),
        "second": (
            "The second: without some tokens the loss cannot be smaller, while the other losses stay.",
            "The rule is true. But is the second figure below the first?",
        ),
        "third": (
            "The third: fewer tokens share the whole, so losses made anew cannot make it larger.",
            "The rule is true. But is the third figure above the second?",
        ),
        "fewer-to-add": (
            "The second: with fewer tokens fewer losses are added up, so it has to be smaller.",
            "Every word is still cut. What does a word do that has lost one of its tokens?",
        ),
        "never-below-the-start": (
            "The third: with fewer tokens the loss cannot end below where it began.",
            "That holds while the other losses stay. What was done to them last?",
        ),
    }
    return Question(
        "A program makes its losses by counting: a token's share is its count, divided by the counts of all "
        "tokens that are there. Of one round of pruning it reports:\n\n| | loss of the corpus |\n|---|---|\n| "
        "before | {old} |\n| without {tokens:tokens}, the other losses as they were | {middle} |\n| still "
        "without them, all losses made anew from the counts of those that are left | {new} |\n\nWhich of the "
        "three figures cannot be right?",
        answer=options[wrong][0],
        mistakes=[Mistake(label, *told) for label, told in options.items() if label != wrong],
        hints=[
            "Compare each figure with the one before: two different things happened.",
            "Fewer roads give no cheaper way. And what happens to shares when one token leaves?",
            "The first step can raise the loss or leave it as it is; the second can only lower it.",
        ],
        solution="The removal changed the loss by {rise:+g}: it can never lower it. The losses made anew changed "
        "it by {fall:+g}: they can only lower it, since the counts of the removed tokens leave the "
        "whole, and every share grows.",
        why="Fewer roads give no cheaper way; but the tokens that stay share the whole among fewer and get cheaper.",
        figures=locals()
        | {
            "old": before / 10,
            "middle": without / 10,
            "new": anew / 10,
            "rise": (without - before) / 10,
            "fall": (anew - without) / 10,
        },
    )


@exercise(
    "unigram-14",
    "Warmer and colder",
    Number(
        digits=3, form="a number with three decimals, such as 0.123, or a fraction", example="0.123"
    ),
    core=True,
)
def temperature(rng: Rng) -> Question | None:
    (first, second), is_cold = rng.sample([1, 4, 9, 16, 25], 2), rng.below(2)
    word = rng.choice(("hugs", "token", "домой", "自然语言", "lower"))
    ways = [as_way(cut_at(word, [cut])) for cut in rng.sample(range(1, len(word)), 2)]
    even, cold = Fraction(first, first + second), Fraction(first**2, first**2 + second**2)
    warm = Fraction(isqrt(first), isqrt(first) + isqrt(second))
    answer, turned = (cold, warm) if is_cold else (warm, cold)
    degree, other_degree = ("1/2", "2") if is_cold else ("2", "1/2")

    def evidence(value: Fraction) -> str:
        if not 0 <= value <= 1:
            return "A share of all draws lies between 0 and 1."
        if min(abs(value - answer), abs(value - even)) < 0.02:
            return ""  # rounding, of which the kind speaks; or the share at temperature 1 itself
        if (value > even) == (answer > even):
            return say(
                "At temperature 1 the share is {even}, and yours lies on the right side of it. But what becomes "
                "of {first} and {second}?",
                even=even,
                first=first,
                second=second,
            )
        return say(
            "At temperature 1 the share is {even}. A low temperature draws the likelier way more often "
            "still, a high one less often: which is it here?",
            even=even,
        )

    return Question(
        "A word can be cut in two ways: {first_way} with probability {first}/1000, and {second_way} with "
        "{second}/1000. Sampling divides every loss by the temperature. Which share of all draws goes to "
        "{first_way} at temperature {degree}? Three decimals are enough.",
        answer=answer,
        mistakes=[
            Mistake(
                "temperature-ignored",
                even,
                "This is the share at temperature 1. What changes here?",
            ),
            Mistake(
                "temperature-turned-around",
                turned,
                "This is the share at temperature {other_degree}. Does a low one make the differences larger, or "
                "smaller?",
            ),
            Mistake(
                "the-other-way",
                1 - answer,
                "This is the share of the other way. Which one is asked for?",
            ),
            Mistake(
                "never-normalized",
                first / 1000,
                "This is the probability as it is given. A share is a weight over the sum of both weights: what "
                "are they at this temperature?",
            ),
            Mistake(
                "weight-alone",
                (first / 1000) ** (2 if is_cold else 0.5),
                "This is what becomes of the probability, and no share yet: what do both ways add up to?",
            ),
            Mistake(
                "share-divided",
                even * (2 if is_cold else Fraction(1, 2)),
                "This is the share at temperature 1, divided by the temperature. What is to be divided, the "
                "share or the loss?",
            ),
            Mistake(
                "ratio",
                answer / (1 - answer),
                "This is the first way against the second, not against both.",
            ),
            Mistake(
                "best-way-always",
                int(first > second),
                "This is what happens at temperature 0: the best way always wins.",
            ),
            Mistake(
                "even",
                Fraction(1, 2),
                "This is an even share. Are both ways equally probable at this temperature?",
            ),
        ],
        hints=[
            "Dividing a loss by two takes the square root of the probability; doubling a loss squares it.",
            "Weigh each of the two ways like that.",
            "The share is the first weight, divided by the sum of both.",
        ],
        solution="Of {first} and {second} take the squares; the share is {answer}."
        if is_cold
        else "Of {first} and {second} take the roots; the share is {answer}.",
        why="A low temperature enlarges the differences between losses, so the likelier way is drawn more often."
        if is_cold
        else "A high temperature shrinks the differences between losses, so the likelier way is drawn less often.",
        evidence=evidence,
        figures=locals() | {"first_way": ways[0], "second_way": ways[1]},
    )


@dataclass(frozen=True)
class Spaced(Text):
    """A text in which every space counts."""

    def equal(self, a: str, b: str) -> bool:
        return super().equal(a, b) and len(re.findall(r"\s", a.strip())) == b.count(" ")


@exercise(
    "unigram-15",
    "Back to the text",
    Spaced(form="the text as you would write it", example='"one text"'),
    level="recall",
    version=2,
)
def back_to_the_text(rng: Rng) -> Question | None:
    text, tokens = rng.choice(TEXTS), []
    words = text.split()
    alone = rng.below(len(words))
    for number, word in enumerate(words):
        first, *others = cut_at(word, rng.sample(range(1, len(word) + 1), min(2, len(word))))
        tokens += ["▁", first, *others] if number == alone else ["▁" + first, *others]
    ends = "".join(token.removeprefix("▁") + " " * token.startswith("▁") for token in tokens)
    return Question(
        "Before a text was cut, `▁` was put before every word, in the place of the space. Sampling has then "
        "drawn these tokens. Which text is it?\n\n{tokens:tokens}",
        answer=text,
        mistakes=[
            Mistake(
                "every-token-a-word",
                " ".join(token.removeprefix("▁") for token in tokens if token != "▁"),
                "Every token is a word of its own here. With what does a token without the mark go together?",
            ),
            Mistake(
                "mark-at-the-end",
                " ".join(ends.split()),
                "Words end after the tokens with a mark here, as with `</w>`. Is a space before a word, or "
                "after it?",
            ),
            Mistake(
                "marks-ignored",
                text.replace(" ", ""),
                "Everything is joined here. What were the marks put for?",
            ),
            Mistake(
                "lone-mark-dropped",
                "".join(token for token in tokens if token != "▁").replace("▁", " ").strip(),
                "Where a mark stands alone, there is no space here. May a space be a token of its own?",
            ),
            Mistake(
                "marks-kept",
                "▁" + text.replace(" ", "▁"),
                "The words are right. What does the mark stand for?",
            ),
        ],
        hints=[
            "Join all tokens first, just as they stand.",
            "Then look at the marks: what did they replace?",
            "A text with {count:mark|marks} has as many words.",
        ],
        solution="Join the tokens: `{joined}`. Then put a space in the place of every mark but the first.",
        why="A space is a character like the others here, so however a text is cut, joining its tokens gives it back.",
        evidence=lambda value: (
            "There is more than one space between two words."
            if value.casefold().split() == text.casefold().split()
            else "There is still a `▁` in your text. What stood in its place?"
            if "▁" in value
            else say(
                "You have as many words as there are marks. But look at {wrong:code}: what do the tokens of that word "
                "spell, with all their signs?",
                wrong=next(
                    word
                    for word, right in zip(value.split(), words)
                    if word.casefold() != right.casefold()
                ),
            )
            if len(value.split()) == len(words)
            else say(
                "There is no space in your text. Which marks stand for one?"
                if " " not in value
                else "Cut at its spaces, your text has {parts:part|parts}. Does a mark begin each of them? And does "
                "each mark begin one, also one that stands alone?",
                parts=len(value.split()),
            )
        ),
        figures=locals() | {"joined": "".join(tokens), "count": len(words)},
    )
