"""The exercises of lesson 02: WordPiece."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, pairwise
from math import log
from typing import Any

from ... import bpe, text, wordpiece
from ...bpe import Pair
from ...wordpiece import WordPieceModel
from .. import (
    Choice,
    Merges,
    Mistake,
    Number,
    Ordering,
    Question,
    Rng,
    Tokens,
    exercise,
    prediction,
)
from ..words import as_tokens, how_far, say, table
from .corpora import ECHOES, FAMILIES, word_freqs

CHINESE = (("学生", "大学", "大学生", "大人", "人生"), ("中国", "中文", "国文", "文人", "中国人"))
LANGUAGES = FAMILIES + CHINESE
Freqs = Mapping[str, int]
Splits = Mapping[str, Sequence[str]]
Ratings = Mapping[Pair, Any]
Rate = Callable[[Freqs, Splits], Ratings]
DIGITS = "Give a fraction, or a decimal with three significant digits."
RATIO = Number(
    significant=3,
    form="a fraction such as 3/4, or a decimal with three significant digits, such as 0.0345",
    example='"3/4"',
)
ONE_MERGE = Merges(form="one merge, such as x+##y", example='("x", "##y")')


def parting(value: Sequence, answer: Sequence) -> int | None:
    """The first place at which the two differ, if both have such a place."""
    return next((place for place, (a, b) in enumerate(zip(value, answer)) if a != b), None)


def after_merges(freqs: Freqs, number: int) -> Splits:
    """The words as they stand after so many merges."""
    steps = list(wordpiece.train_steps(freqs, num_merges=number))
    return steps[-1].splits if steps else wordpiece.split_words(freqs)


def state(freqs: Freqs, splits: Splits) -> str:
    """The words as they stand, as a Markdown table."""
    return table(
        "times | word", [(freqs[word], as_tokens(split)) for word, split in splits.items()]
    )


def rated(formula: Callable[[int, int, int], Any]) -> Rate:
    """A way to rate pairs, by a formula of n(ij), n(i) and n(j)."""

    def rate(freqs: Freqs, splits: Splits) -> Ratings:
        n = bpe.token_freqs(freqs, splits)
        return {
            (i, j): formula(count, n[i], n[j])
            for (i, j), count in bpe.pair_freqs(freqs, splits).items()
        }

    return rate


def by_types(freqs: Freqs, splits: Splits) -> Ratings:
    """Scores with every word counted once, however often it occurs."""
    return wordpiece.pair_scores(dict.fromkeys(freqs, 1), splits)


def by_gain(freqs: Freqs, splits: Splits) -> Ratings:
    """Gains in likelihood, rounded so that equal ones are equal."""
    return {
        pair: round(gain, 6) for pair, gain in wordpiece.likelihood_gains(freqs, splits).items()
    }


by_sum = rated(lambda n_ij, n_i, n_j: Fraction(n_ij, n_i + n_j))
by_left = rated(lambda n_ij, n_i, n_j: Fraction(n_ij, n_i))
by_rarity = rated(lambda n_ij, n_i, n_j: -n_ij)


def leaders(ratings: Ratings) -> list[Pair]:
    """All pairs that share the highest rating, the first seen first."""
    return [pair for pair, rating in ratings.items() if rating == max(ratings.values())]


def bare(tokens: Sequence[str]) -> list[str]:
    return [token.removeprefix("##") for token in tokens]


def wrong_ways(merges_by: Callable[[Rate], list[Pair]], right: list[Pair]) -> list[Mistake]:
    """What is merged when pairs are rated in other ways than by their scores."""
    lowest = merges_by(
        lambda *rated: {pair: -n for pair, n in wordpiece.pair_scores(*rated).items()}
    )
    return [
        Mistake(
            "frequency-instead-of-score",
            merges_by(bpe.pair_freqs),
            "This is what BPE would merge, by frequency. How frequent are the symbols by themselves?",
        ),
        Mistake(
            "marks-forgotten",
            [tuple(bare(pair)) for pair in right],
            "These are letters, and pairs are made of symbols. How do you write one that does not begin a word?",
        ),
        Mistake(
            "left-symbol-only",
            merges_by(by_left),
            "This comes out when a pair's count is divided by that of its first symbol alone. What about the second?",
        ),
        Mistake(
            "rarest-pair",
            merges_by(by_rarity),
            "This is what the rarest pair gives. Rare pairs often win, but are its two symbols rare as well?",
        ),
        Mistake(
            "lowest-score",
            lowest if lowest != right else None,
            "This comes out with the lowest score. Is it taken, or the highest?",
        ),
    ]


def told_pair(pair: Pair, freqs: Freqs, splits: Splits) -> str:
    """In words, why a pair is not the one that is merged."""
    n, counts = bpe.token_freqs(freqs, splits), bpe.pair_freqs(freqs, splits)
    scores = wordpiece.pair_scores(freqs, splits)
    if pair in leaders(scores):
        return say(
            "{pair:tokens} has the highest score, and another pair that has it is seen before.",
            pair=pair,
        )
    if pair in counts:
        return say(
            "{pair:tokens} occurs {count:times} there, its symbols {left:times} and {right:times}. So its "
            "score is {score}, and there is a higher one.",
            pair=pair,
            count=counts[pair],
            left=n[pair[0]],
            right=n[pair[1]],
            score=scores[pair],
        )
    told = say("{pair:tokens} are not neighbors there.", pair=pair)
    if any(bare(pair) == bare(other) for other in counts):
        told += " Look at the `##` of both symbols."
    if pair[::-1] in counts:
        told += " It stands there the other way round."
    return told


@exercise("wordpiece-01", "Score a pair", RATIO, core=True)
def score_a_pair(rng: Rng) -> Question:
    freqs = word_freqs(rng, LANGUAGES)
    splits = wordpiece.split_words(freqs)
    counts, symbols = bpe.pair_freqs(freqs, splits), bpe.token_freqs(freqs, splits)
    left, right = pair = rng.choice(list(counts))
    n, n_left, n_right = counts[pair], symbols[left], symbols[right]
    letters = wordpiece.pair_scores(freqs, {word: list(word) for word in freqs})
    word = next(word for word in freqs if right in splits[word])
    answer = Fraction(n, n_left * n_right)

    def evidence(value: Any) -> str:
        ratio = max(Fraction(value), Fraction(0)) / answer
        if not Fraction(1, 4) < ratio < 4:
            return say(
                "The pair stands in {words:list}. Count it there, and each of its symbols wherever it stands.",
                words=[word for word in freqs if pair in zip(splits[word], splits[word][1:])],
            )
        counts = ((pair, n * ratio), ([left], n_left / ratio), ([right], n_right / ratio))
        fitting = [
            say(
                "That would be right if {symbols:tokens} occurred {count:times}.",
                symbols=symbols,
                count=round(count),
            )
            for symbols, count in counts
            if round(count) > 1 and abs(count - round(count)) < count / 400
        ]
        return (
            " ".join([*fitting, "Count again: in which words, and how often in each?"])
            if fitting
            else ""
        )

    return Question(
        "What is the WordPiece score of the pair {pair:tokens} in this corpus? {digits}\n\n{corpus}",
        answer,
        mistakes=[
            Mistake(
                "frequency-instead-of-score",
                n,
                "This is how often the pair occurs. By what does the score divide that?",
            ),
            Mistake(
                "product-alone",
                n_left * n_right,
                "This is the product of the symbols' counts. It is the denominator; what is the numerator?",
            ),
            Mistake(
                "sum-instead-of-product",
                Fraction(n, n_left + n_right),
                "This is the pair's count over the sum of the two others. How does the score join them?",
            ),
            Mistake(
                "left-symbol-only",
                Fraction(n, n_left),
                "This is the pair's count over that of `{left}` alone. What if `{right}` is everywhere?",
            ),
            Mistake(
                "right-symbol-only",
                Fraction(n, n_right),
                "This is the pair's count over that of `{right}` alone. What about `{left}`?",
            ),
            Mistake(
                "types-not-occurrences",
                by_types(freqs, splits)[pair],
                "This comes out when each word counts once. How many times does `{word}` bring what it holds?",
            ),
            Mistake(
                "signs-ignored",
                letters[left[-1], right[-1]],
                "This comes out when a letter with `##` and without it are one symbol. Are they?",
            ),
            Mistake(
                "times-the-length",
                answer * sum(symbols.values()),
                "This is the score times {total}, the number of all symbols. Is that asked for?",
            ),
            Mistake(
                "pair-once",
                Fraction(1, n_left * n_right),
                "This is one over the product of the two counts. How often does the pair itself occur?",
            ),
        ],
        hints=[
            "You need three counts: of the pair, of its first symbol, and of its second symbol.",
            "A symbol counts wherever it stands, at the end of a word too. With and without `##` are two symbols.",
            "The symbols occur {n_left} and {n_right} times, the pair {n} times.",
        ],
        solution="The pair occurs {n} times, its symbols {n_left} and {n_right} times: {n} / ({n_left} · "
        "{n_right}).",
        why="How often two symbols meet is measured against how often each of them occurs at all.",
        evidence=evidence,
        figures=locals()
        | {"digits": DIGITS, "corpus": state(freqs, splits), "total": sum(symbols.values())},
    )


@exercise("wordpiece-02", "The next merge", ONE_MERGE, core=True)
def next_merge(rng: Rng) -> Question | None:
    freqs, known = word_freqs(rng, LANGUAGES), rng.between(0, 3)
    splits = after_merges(freqs, known)
    scores = wordpiece.pair_scores(freqs, splits)
    answer = leaders(scores)
    if len(scores) < 4 or len(answer) > 1 or answer[0] in leaders(bpe.pair_freqs(freqs, splits)):
        return None
    before = (
        "Nothing has been merged yet.",
        "These words have been through one merge.",
        "These words have been through two merges.",
        "These words have been through three merges.",
    )[known]
    return Question(
        "{before} Which pair does WordPiece merge next?\n\n{corpus}",
        answer,
        mistakes=wrong_ways(lambda rate: leaders(rate(freqs, splits))[:1], answer),
        hints=[
            "Look for a symbol that is rare: only then can the score be high.",
            "For each pair write the three counts: the pair, its first symbol, its second symbol.",
            "The highest score is {score}.",
        ],
        solution="The scores: {by_score}.",
        why="{pair:tokens} meet most often, relative to how often the two symbols occur at all.",
        evidence=lambda value: "" if value[0] == answer[0] else told_pair(value[0], freqs, splits),
        figures=locals()
        | {
            "corpus": state(freqs, splits),
            "by_score": ", ".join(
                f"{as_tokens(pair)} {scores[pair]}"
                for pair in sorted(scores, key=lambda pair: -scores[pair])
            ),
            "pair": answer[0],
            "score": scores[answer[0]],
        },
    )


WORDS = (
    "tokenization",
    "understand",
    "highest",
    "unhappiness",
    "uploading",
    "company",
    "occupied",
    "national",
    "переводчик",
    "понимание",
    "разговор",
    "словарный",
    "自然语言处理",
    "中华人民共和国",
    "计算机科学家",
)


def token_at(word: str, start: int, end: int) -> str:
    return "##" * (start > 0) + word[start:end]


def cut(word: str, vocab: Sequence[str], fits: Callable[[str, int], bool]) -> list[str]:
    """The word cut from the left: of the tokens that may stand at a place and spell what is there, the longest."""
    tokens, start = [], 0
    while start < len(word):
        here = [
            token
            for token in vocab
            if fits(token, start) and word.startswith(token.removeprefix("##"), start)
        ]
        tokens.append(max(here, key=lambda token: (len(token.removeprefix("##")), token)))
        start += len(tokens[-1].removeprefix("##"))
    return tokens


def cut_longest_first(word: str, vocab: Sequence[str], start: int, end: int) -> list[str]:
    """The longest token anywhere between two places first, then what is left of it and right of it."""
    if start == end:
        return []
    length, at = max(
        (b - a, -a)
        for a in range(start, end)
        for b in range(a + 1, end + 1)
        if token_at(word, a, b) in vocab
    )
    return [
        *cut_longest_first(word, vocab, start, -at),
        token_at(word, -at, length - at),
        *cut_longest_first(word, vocab, length - at, end),
    ]


def told_cut(tokens: Sequence[str], word: str, vocab: Sequence[str]) -> str:
    """Where a cut leaves the way of the encoder."""
    start = 0
    for token in tokens:
        end = start + len(token.removeprefix("##"))
        if token not in vocab:
            return say("`{token}` is no token of this vocabulary in this form.", token=token)
        if start == len(word):
            return say("The word ends before `{token}`.", token=token)
        if token != token_at(word, start, end):
            return say(
                "With `{rest}` still to spell, `{token}` does not fit: compare the letters, and the `##`.",
                rest=word[start:],
                token=token,
            )
        if any(
            token_at(word, start, further) in vocab for further in range(end + 1, len(word) + 1)
        ):
            return say(
                "With `{rest}` still to spell, `{token}` fits, but a longer token fits there, too.",
                rest=word[start:],
                token=token,
            )
        start = end
    return say("`{rest}` is still left.", rest=word[start:])


@exercise(
    "wordpiece-03",
    "Encode a word",
    Tokens(form="tokens, such as pl|##ug", example='["pl", "##ug"]'),
    core=True,
)
def encode_a_word(rng: Rng) -> Question:
    word = rng.choice(WORDS)
    inside, starts = (
        rng.between(2, len(word) - 3),
        [rng.between(1, len(word) - 2) for _ in range(rng.between(3, 5))],
    )
    given = {
        word[: rng.between(2, 3)],
        *("##" + word[start : start + rng.between(2, 4)] for start in starts),
        "##" + word[: rng.between(3, 4)],
        word[inside : inside + rng.between(3, 4)],
    }  # two that fit nowhere
    letters = wordpiece.split_words([word])[word]
    vocab = [*sorted(given), *letters]
    answer = wordpiece.encode_word(word, WordPieceModel(vocab))
    return Question(
        "Encode `{word}` as BERT does. The vocabulary holds every character of the word, in the form in which it "
        "stands there, and these tokens:\n\n{longer:tokens}",
        answer,
        mistakes=[
            Mistake(
                "prefix-forgotten",
                bare(answer),
                "The cuts are right. How do tokens look that continue a word? Without that they are other tokens.",
            ),
            Mistake(
                "bare-token-inside",
                cut(word, vocab, lambda token, start: bool(start) or token[:2] != "##"),
                "A token without `##` stands inside the word here. Where only does such a token fit?",
            ),
            Mistake(
                "continuation-first",
                cut(word, vocab, lambda token, start: not start or token[:2] == "##"),
                "A token with `##` stands at the beginning of the word here. What would it continue?",
            ),
            Mistake(
                "characters-only",
                letters,
                "These are the single characters. Which longer tokens of the list fit, from left to right?",
            ),
            Mistake(
                "longest-token-anywhere",
                cut_longest_first(word, vocab, 0, len(word)),
                "This comes out when the longest token is cut out first, wherever it is. Where does BERT begin?",
            ),
            Mistake(
                "unknown",
                ["[UNK]"],
                "A word is unknown only if no token goes on. Can its characters help?",
            ),
        ],
        hints=[
            "Begin at the left: which tokens without `##` does the word begin with?",
            "Take the longest of them, and go on with what is left. From now on only tokens with `##` fit.",
            "The first token has {length:character|characters}.",
        ],
        solution="From left to right, the longest token that fits: without `##` at the beginning, then with `##`.",
        why="Each piece is the longest that fits where the one before it ended, and nothing is taken back.",
        evidence=lambda value: told_cut(value, word, vocab),
        figures=locals() | {"longer": sorted(given), "length": len(answer[0])},
    )


@exercise(
    "wordpiece-04", "What is lost?", Tokens(example='["hug", "[UNK]", "b", "##u"]'), core=True
)
def what_is_lost(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, LANGUAGES)
    vocab = wordpiece.train(freqs, num_merges=rng.between(2, 5)).vocab
    model, words, spot = WordPieceModel(vocab), rng.sample(list(freqs), 3), rng.below(3)
    strange = "qzx" if words[0] < "{" else "йщф" if words[0] < "一" else "龙鸟马"  # by the alphabet
    bad = rng.choice(
        [*strange, *(token for token in vocab if len(token) == 1 and "##" + token not in vocab)]
    )
    place = rng.between(1, len(words[0]))
    start, rest = words[0][:place], words[0][place + 1 :]
    words[0], words[spot] = words[spot], start + bad + rest
    cuts = [wordpiece.encode_word(word, model) for word in words]
    before, behind = wordpiece.encode_word(start, model), ["##" + char for char in rest]
    answer = [*chain(*cuts)]

    def instead(tokens: list[str]) -> list[str]:
        """The answer, with these tokens for the word that is lost."""
        return [*chain(*cuts[:spot], tokens, *cuts[spot + 1 :])]

    def evidence(value: list[str]) -> str:
        if odd := [token for token in value if token not in [*vocab, "[UNK]"]]:
            return say("`{odd}` is no token of this vocabulary in this form.", odd=odd[0])
        if (same := parting(value, answer)) is None:
            return ""
        word = next(
            word for number, word in enumerate(words) if same < sum(map(len, cuts[: number + 1]))
        )
        return say(
            "Look at `{word}`, from left to right. Which is the longest token at each place, if there is "
            "one?",
            word=word,
        )

    return Question(
        "Encode the words {words:tokens} with this vocabulary. What is unknown becomes `[UNK]`.\n\n{vocab:tokens}",
        answer,
        mistakes=[
            Mistake(
                "unknown-piece-only",
                instead([*before, "[UNK]", *behind]),
                "In `{lost}` one character is lost here, as in BPE. Does WordPiece keep the others?",
            ),
            Mistake(
                "unknown-at-the-end",
                instead([*before, "[UNK]"]),
                "The beginning of `{lost}` is kept here. What becomes of it when no token goes on?",
            ),
            Mistake(
                "gives-up-quietly",
                instead(before),
                "Of `{lost}` only the beginning is here. How can one tell that something is missing?",
            ),
            Mistake(
                "passed-through",
                instead([*before, "##" + bad, *behind]),
                "`##{bad}` stands here. Is it in the vocabulary in this form?",
            ),
            Mistake(
                "all-words-unknown",
                ["[UNK]"] * 3,
                "All words are unknown here. Which of them has a place where no token goes on?",
            ),
            Mistake(
                "dropped",
                instead([]),
                "One word has left no trace here. How is an unknown word written?",
            ),
            Mistake(
                "single-characters",
                [*chain(*wordpiece.split_words(words).values())],
                "Every character is a piece of its own here. Are there longer tokens?",
            ),
            Mistake(
                "whole-words-only",
                [word if cut == [word] else "[UNK]" for word, cut in zip(words, cuts)]
                if any(len(cut) > 1 for cut in cuts)
                else None,
                "Only whole words are looked up here. What becomes of a word that is none, but can be cut into tokens?",
            ),
        ],
        hints=[
            "Encode each word on its own, from left to right.",
            "A character may be in the vocabulary as the beginning of a word, and not with `##`.",
            "In one of the words you come to a place where no token goes on. What becomes of the pieces before it?",
        ],
        solution="In `{lost}` no token goes on with `{bad}`, so the whole word becomes `[UNK]`.",
        why="One place where no token goes on loses its whole word, and no other word.",
        evidence=evidence,
        figures=locals() | {"lost": words[spot]},
    )


REPEATING = (
    "papaya",
    "bonbons",
    "murmur",
    "tartar",
    "couscous",
    "cancan",
    "hotshots",
    "tomatoes",
    "alfalfa",
    "cocoon",
    "pompoms",
    "dodos",
    "barbarian",
    "beriberi",
    "cacao",
    "cocoa",
    "tintin",
    "мамам",
    "барабан",
    "каракатица",
    "тартар",
    "кокос",
    "какао",
    "папа",
    "тортором",
    "коконы",
    "研究研究",
    "学习学习吧",
    "商量商量",
    "讨论讨论",
)


@exercise("wordpiece-05", "Before you run it", prediction(Tokens()))
def predict_a_merge(rng: Rng) -> Question:
    word = rng.choice(REPEATING)
    symbols = wordpiece.split_words([word])[word]
    place = rng.choice(
        [i for i in range(len(word) - 1) if word.count(word[i : i + 2]) > 1 or i == 0]
    )
    first, second = pair = symbols[place], symbols[place + 1]
    other = first[2:] if first[:2] == "##" else "##" + first
    token, other_token = wordpiece.merged_token(pair), wordpiece.merged_token((other, second))
    answer = bpe.merge_symbols(symbols, pair, token)
    found = answer.index(token)

    def evidence(value: list[str]) -> str:
        wrong = next(
            (
                piece
                for piece in value
                if len(piece.replace("##", "")) > len(token.removeprefix("##"))
            ),
            None,
        )
        return (
            say(
                "`{wrong}` joins more than the two symbols of the pair. A merge makes `{token}`, and nothing "
                "longer.",
                wrong=wrong,
                token=token,
            )
            if wrong
            else ""
        )

    return Question(
        "What will this show? Say it first, then run it.\n\n```\none_word = "
        "wordpiece.split_words([{word!r}])\nwordpiece.merge_pair({pair}, one_word)[{word!r}]\n```",
        answer,
        mistakes=[
            Mistake(
                "prefix-left-inside",
                bpe.merge_symbols(symbols, pair),
                "The new token has `##` in its middle. What does that sign say, and is it still true there?",
            ),
            Mistake(
                "both-forms-merged",
                bpe.merge_symbols(answer, (other, second), other_token)
                if (other, second) in pairwise(symbols)
                else None,
                "Both `{first}` and `{other}` are merged here. Are they the same symbol?",
            ),
            Mistake(
                "prefix-of-the-first-symbol",
                bpe.merge_symbols(symbols, pair, other_token),
                "The place is right. The first symbol was `{first}`: does its token begin as it did?",
            ),
            Mistake(
                "signs-left-out",
                bare(answer),
                "The cuts are right. What do symbols inside a word carry?",
            ),
            Mistake(
                "nothing-merged",
                symbols,
                "These are the symbols before the merge. Where does the pair stand?",
            ),
            Mistake(
                "first-place-only",
                [*answer[: found + 1], *symbols[found + 2 :]] if answer.count(token) > 1 else None,
                "One place is merged here. Does the pair stand in other places as well?",
            ),
            Mistake(
                "token-alone", [token], "This is the new token. What is left of the word around it?"
            ),
        ],
        hints=[
            "Write the word as symbols first: all but the first carry `##`.",
            "Where do the two symbols stand next to each other, in exactly this form?",
            "The first symbol of the pair keeps what it has; of the second only the letter is added.",
        ],
        solution="{pair:tokens} becomes `{token}`, and only where these two symbols stand, in this form.",
        why="A token keeps the sign of its first symbol; the sign of the second has nothing left to say.",
        evidence=evidence,
        figures=locals(),
    )


@exercise("wordpiece-06", "From the highest score to the lowest", Ordering(), level="recall")
def order_by_score(rng: Rng) -> Question | None:
    letters, counts = rng.sample("abdehiklmnoprstu", 8), {}
    for left, right in zip(letters[:4], letters[4:]):
        n = rng.choice([2, 4, 5, 8, 10, 20, 40])
        counts[f"##{left} ##{right}"] = (
            n,
            n * rng.choice([1, 2, 5, 10, 20]),
            n * rng.choice([1, 2, 5, 10, 20]),
        )
    scores = {pair: Fraction(n, n_left * n_right) for pair, (n, n_left, n_right) in counts.items()}
    sums = {pair: Fraction(n, n_left + n_right) for pair, (n, n_left, n_right) in counts.items()}
    lefts, rights = (
        {pair: Fraction(row[0], row[side]) for pair, row in counts.items()} for side in (1, 2)
    )
    answer, by_count, by_sum, *by_one = (
        sorted(counts, key=lambda pair: -rates[pair])
        for rates in (scores, {pair: row[0] for pair, row in counts.items()}, sums, lefts, rights)
    )
    if min(len(set(scores.values())), len({n for n, _, _ in counts.values()})) < 4:
        return None

    def evidence(value: list[str]) -> str:
        pair, later = next((a, b) for a, b in pairwise(value) if scores[a] < scores[b])
        return say(
            "`{pair}` scores {score} and stands before `{later}`, which scores {more}.",
            pair=pair,
            score=scores[pair],
            later=later,
            more=scores[later],
        )

    return Question(
        "Four pairs, with how often the pair, its first symbol and its second symbol occur. Order them by their "
        "WordPiece score, the highest first.\n\n{rows}",
        answer,
        listed=list(counts),
        mistakes=[
            Mistake(
                "frequency-instead-of-score",
                by_count,
                "This is the order of the pairs' own counts. What about two rare symbols that always stand together?",
            ),
            Mistake(
                "lowest-first",
                answer[::-1],
                "The lowest score comes first here. Is 1/20 more than 1/40?",
            ),
            Mistake(
                "rarest-first",
                by_count[::-1],
                "The rarest pair comes first here. What else does the score ask?",
            ),
            Mistake(
                "sum-instead-of-product",
                by_sum if len(set(sums.values())) == 4 else None,
                "This is the order when counts are divided by the sum of the others. What belongs in the denominator?",
            ),
            Mistake(
                "one-symbol-only",
                next((order for order in by_one if order != answer), None),
                "This is the order when each count is divided by that of one symbol alone. What about the other one?",
            ),
        ],
        hints=[
            "Work out one fraction for each pair.",
            "Divide the pair's count by the first count, and the result by the second.",
            "Bring the four fractions to the form 1/x: the smallest x comes first.",
        ],
        solution="{by_score}.",
        why="The score divides by both counts, and relative to its symbols `{first}` occurs most often.",
        evidence=evidence,
        figures=locals()
        | {
            "rows": table(
                " | pair | first symbol | second symbol",
                ((f"`{pair}`", *row) for pair, row in counts.items()),
            ),
            "by_score": ", ".join(f"`{pair}` {scores[pair]}" for pair in answer),
            "first": answer[0],
        },
    )


@exercise(
    "wordpiece-07",
    "What is promised, and what is done",
    Choice(),
    level="recall",
    version=2,
    core=True,
)
def promised_and_done(rng: Rng) -> Question | None:
    freqs, asked = word_freqs(rng, LANGUAGES), rng.choice(["score", "gain"])
    splits = after_merges(freqs, rng.between(0, 3))
    counts, single = bpe.pair_freqs(freqs, splits), bpe.token_freqs(freqs, splits)
    gains = {
        pair: round(gain, 1) for pair, gain in wordpiece.likelihood_gains(freqs, splits).items()
    }
    scores = wordpiece.pair_scores(freqs, splits)
    best = [pair for ratings in (counts, scores, gains) for pair in leaders(ratings)]
    rest = [pair for pair in gains if pair not in best]
    if len(best) != 3 or len(set(best)) != 3 or not rest:
        return None
    by_count, by_score, by_gain = map(as_tokens, best)
    is_score = asked == "score"
    return Question(
        "All pairs of a corpus, with the counts of the pair and of its two symbols, and by how many nats merging the "
        "pair would raise the log-likelihood of the corpus:\n\n{rows}\n\nWhich pair does WordPiece merge, as "
        "most courses teach it?"
        if is_score
        else "All pairs of a corpus, with the counts of the pair and of its two symbols, and by how many nats merging "
        "the pair would raise the log-likelihood of the corpus:\n\n{rows}\n\nThe derivation of WordPiece's score "
        "promises the merge that makes the whole corpus most likely. Which is it?",
        by_score if is_score else by_gain,
        mistakes=[
            Mistake(
                "by-count",
                by_count,
                "That pair has the highest count, and BPE would merge it. Is this what is asked for?",
            ),
            Mistake(
                "by-gain" if is_score else "by-score",
                by_gain if is_score else by_score,
                "That pair makes the whole corpus most likely. What do the courses go by?"
                if is_score
                else "That pair has the highest score. How large is its gain?",
            ),
            Mistake(
                "by-no-rule",
                as_tokens(rng.choice(rest)),
                "That pair has neither the highest count, nor the highest score, nor the largest gain. Which of them "
                "is asked for?",
            ),
        ],
        hints=[
            "Three rules rate pairs: the count, the score and the gain. Which one does the question ask about?",
            "The courses go by the score; the gain tells what makes the corpus most likely.",
            "The score is the count of the pair, divided by the counts of both symbols.",
        ],
        solution="By count {by_count}, by score {by_score}, by gain {by_gain}.",
        why="WordPiece as it is taught goes by the score, whatever that was derived from."
        if is_score
        else "Likelihood is summed over the corpus: a pair gains at every place where it stands.",
        figures=locals()
        | {
            "rows": table(
                "pair | count | first symbol | second symbol | gain",
                (
                    (as_tokens(pair), counts[pair], single[pair[0]], single[pair[1]], gains[pair])
                    for pair in gains
                ),
            ),
        },
    )


@exercise("wordpiece-08", "How high can it get?", RATIO, level="transfer", core=True)
def highest_possible(rng: Rng) -> Question | None:
    left, right = (f"`##{letter}`" for letter in rng.sample("abcdefgiklmnoprstuvz", 2))
    n_left, n_right = rng.between(3, 60), rng.between(3, 60)
    rarer, other = sorted((n_left, n_right))
    answer = Fraction(1, other)

    def evidence(value: Any) -> str:
        times = round(Fraction(value) * n_left * n_right)
        if value > 1:
            return "No score is above 1: each place of the pair is a place of both symbols."
        if times <= 0 or times in (rarer, other):
            return ""
        return (
            say(
                "With these two symbols a pair has this score if it occurs about {times:times}. Can it occur "
                "that often?",
                times=times,
            )
            if times > rarer
            else say(
                "With these two symbols a pair has this score if it occurs about {times:times}. Can it occur "
                "more often?",
                times=times,
            )
        )

    return Question(
        "In a corpus the symbol {left} occurs {n_left} times and the symbol {right} {n_right} times. How often "
        "they stand side by side we do not know. What is the highest score that the pair {left} {right} can "
        "have? {digits}",
        answer,
        mistakes=[
            Mistake(
                "taken-for-a-probability",
                1,
                "Only symbols that occur once score 1. How often do these?",
            ),
            Mistake(
                "rarer-symbol",
                Fraction(1, rarer),
                "For this score the pair would have to occur {other} times. Are there enough of both symbols?",
            ),
            Mistake(
                "pair-once",
                Fraction(1, n_left * n_right),
                "This is the score of a pair that occurs once. May it occur more often?",
            ),
            Mistake(
                "sum-instead-of-product",
                Fraction(rarer, n_left + n_right),
                "The numerator is right. The denominator is the sum of the two others here: what should it be?",
            ),
            Mistake(
                "one-symbol-only",
                Fraction(rarer, other),
                "This is the rarer count over the other one. By how many counts does the score divide?",
            ),
            Mistake(
                "count-instead-of-score",
                rarer,
                "This is how often the pair can occur at most. What is its score then?",
            ),
        ],
        hints=[
            "How often can the pair occur at most? Each of its places needs one symbol of both kinds.",
            "The pair can occur as often as the rarer of the two.",
            "Put that count over the product of both, and cancel.",
        ],
        solution="The pair occurs at most {rarer} times, and {rarer} / ({n_left} · {n_right}) is 1/{other}.",
        why="One over the count of the more frequent symbol is the ceiling, so frequent symbols never score high.",
        evidence=evidence,
        figures=locals() | {"digits": DIGITS},
    )


@exercise("wordpiece-09", "More often than by chance", RATIO, level="transfer")
def more_than_chance(rng: Rng) -> Question:
    left, right = rng.sample("aeiklmnoprstu", 2)
    n = rng.between(2, 9)
    n_left, n_right = n * rng.between(2, 6), n * rng.between(2, 6)
    total = rng.between(3, 20) * 10 * max(n_left, n_right)
    answer, chance = Fraction(n * total, n_left * n_right), Fraction(n_left * n_right, total)
    return Question(
        "A corpus is {total} symbols long. The symbol `{left}` occurs {n_left} times, `##{right}` {n_right} "
        "times, and the pair `{left}` `##{right}` {n} times. Take each P as a count divided by {total}. How many "
        "times as large as P({left}) · P(##{right}) is P({left} ##{right})? {digits}",
        answer,
        mistakes=[
            Mistake(
                "factor-n-forgotten",
                Fraction(n, n_left * n_right),
                "This is the score. Two probabilities are in the denominator, one in the numerator: does each "
                "{total} cancel?",
            ),
            Mistake(
                "upside-down",
                Fraction(n_left * n_right, n * total),
                "This is how many times as large the product is as P of the pair. Which of them comes first?",
            ),
            Mistake(
                "sum-instead-of-product",
                Fraction(n, n_left + n_right),
                "This is P of the pair over the sum of the two others. How do the chances of two go together?",
            ),
            Mistake(
                "left-symbol-only",
                Fraction(n, n_left),
                "This is how often `##{right}` follows `{left}`. Is it more than chance? What about P(##{right})?",
            ),
            Mistake(
                "right-symbol-only",
                Fraction(n, n_right),
                "This is how often `{left}` comes before `##{right}`. Is it more than chance? What about P({left})?",
            ),
            Mistake(
                "probability-of-the-pair",
                Fraction(n, total),
                "This is P of the pair. What is it compared with?",
            ),
            Mistake(
                "product-of-probabilities",
                Fraction(n_left * n_right, total**2),
                "This is what chance would give. How many times as large is P of the pair?",
            ),
            Mistake(
                "expected-count",
                chance,
                "This is how often the pair would occur by chance. How many times as often does it occur?",
            ),
            Mistake(
                "logarithm", log(answer), "This is the logarithm of the ratio. Is it asked for?"
            ),
            Mistake(
                "count-of-the-pair",
                n if n != answer else None,
                "This is how often the pair occurs. How often would it by chance?",
            ),
            Mistake(
                "one-symbol-alone",
                Fraction(n * total, n_left),
                "This compares the pair with one of its symbols. What would both give by chance?",
            ),
            Mistake(
                "symbols-added",
                Fraction(n * total, n_left + n_right),
                "The counts of the symbols were added. How do the chances of two go together?",
            ),
            Mistake(
                "total-twice",
                answer * total,
                "The length of the corpus was multiplied in twice. How often is it left when each P is written out?",
            ),
        ],
        hints=[
            "Write the three probabilities as fractions first.",
            "Divide P({left} ##{right}) by the product of the other two; one length of the corpus cancels.",
            "What is left: the length times the pair's count, over the product of the two counts.",
        ],
        solution="{total} · {n} / ({n_left} · {n_right}). The logarithm of this is the pointwise mutual "
        "information.",
        why="It is the score times the length of the corpus, so both put pairs in the same order.",
        evidence=lambda value: (
            ""
            if value * chance == answer
            else "Below 1 would mean that the two meet less often than by chance. Do they?"
            if value < 1
            else (
                say(
                    "By chance the pair would occur {chance:.3g} times. {ratio:.3g} times that is {count:,.3g}. "
                    "How often does it occur?",
                    chance=float(chance),
                    ratio=float(value),
                    count=float(value * chance),
                )
            )
        ),
        figures=locals() | {"digits": DIGITS},
    )


SENTENCES = (
    "the Hugging Face course",
    "seashells she sells",
    "small cats sing",
    "lower lowest low",
    "tokens are not words",
    "parts of a text",
    "рыба и птица",
    "наши новые слова",
    "我们 喜欢 语言学",
    "大学生 学习 中文",
)


@exercise(
    "wordpiece-10",
    "Back to words, from the middle",
    Tokens(form='words, such as ["one", "word"]', example='["one", "word"]'),
    level="recall",
)
def decode_from_the_middle(rng: Rng) -> Question:
    tokens = []
    for word in rng.choice(SENTENCES).split():
        cuts = [
            0,
            *sorted(rng.sample(range(1, len(word)), min(len(word) - 1, rng.between(1, 2)))),
            len(word),
        ]
        tokens += [token_at(word, a, b) for a, b in pairwise(cuts)]
    tokens.insert(
        rng.choice([i for i, token in enumerate(tokens) if i and token[:2] != "##"]), "[UNK]"
    )
    tokens = tokens[1:]
    answer = wordpiece.decode(tokens)
    return Question(
        "These tokens were cut out of the middle of a longer list. Which words does the lesson's `decode` make "
        "of them? Pieces whose beginning is missing are joined as usual, and stay as a word; `[UNK]` stays as it "
        "is.\n\n{tokens:tokens}",
        answer,
        mistakes=[
            Mistake(
                "start-dropped",
                answer[1:],
                "Everything but the first piece is here. Is there a reason to lose it?",
            ),
            Mistake(
                "unknown-dropped",
                [word for word in answer if word != "[UNK]"],
                "The words are right, and `[UNK]` is gone. How could anybody tell that a word stood there?",
            ),
            Mistake(
                "second-piece-alone",
                bare(tokens[:1]) + wordpiece.decode(tokens[1:]) if tokens[1][:2] == "##" else None,
                "`{piece}` is a word by itself here. Does the token after it begin a word?",
            ),
            Mistake(
                "start-joined",
                [answer[0] + answer[1], *answer[2:]],
                "`{first}` and what follows it are one word here. Does the token after it carry `##`?",
            ),
            Mistake(
                "every-token-a-word",
                bare(tokens),
                "Every token is a word here. What does `##` at its front say?",
            ),
            Mistake(
                "prefix-begins-a-word",
                "".join(
                    " " * (token[:2] == "##") + token.removeprefix("##") for token in tokens
                ).split(),
                "A word begins here at each `##`. Does the sign begin a word or continue it?",
            ),
            Mistake(
                "first-prefix-kept",
                ["##" + answer[0], *answer[1:]],
                "The words are right, but the first still carries `##`. Does it belong to the text?",
            ),
            Mistake(
                "prefix-kept",
                "".join(" " * (token[:2] != "##") + token for token in tokens).split(),
                "The words are right, but for `##`. Does it belong to the text?",
            ),
            Mistake(
                "all-joined",
                ["".join(bare(tokens))],
                "All is one word here. Which tokens begin a new one?",
            ),
        ],
        hints=[
            "Which tokens begin a word?",
            "Join each token with `##` to what stands before it, if anything does.",
            "There are {count} words, with `[UNK]`.",
        ],
        solution="A token without `##` begins a word, and a token with `##` continues it; at the very beginning "
        "there is nothing to continue, so it begins one. The sign itself is left out.",
        why="`##` says 'I continue', so words can be told apart without any mark at their ends.",
        figures=locals() | {"count": len(answer), "piece": bare(tokens)[0], "first": answer[0]},
    )


@exercise("wordpiece-11", "How many tokens before the first merge?", Number(), level="recall")
def base_vocabulary(rng: Rng) -> Question | None:
    words = rng.sample(rng.choice(LANGUAGES), rng.between(3, 4))
    splits = wordpiece.split_words(words)
    symbols, characters, places = (
        bpe.base_vocab(splits),
        set("".join(words)),
        [*chain(*splits.values())],
    )
    answer = len(symbols)
    both = [char for char in sorted(characters) if {char, "##" + char} <= set(symbols)]
    often = [symbol for symbol in symbols if places.count(symbol) > 1]

    def evidence(value: Any) -> str:
        again = [symbol for symbol in often if places.count(symbol) - 1 == value - answer]
        if again:
            return say(
                "Every symbol counts once. `{symbol}` stands in more than one place: how many tokens is that?",
                symbol=again[0],
            )
        return (
            say(
                "Every symbol counts, once. `{char}` begins a word, `##{char}` stands inside one: how many tokens are "
                "these?",
                char=both[0],
            )
            if both and value < answer
            else say(
                "{far} Every symbol counts, once. Which of {split:tokens} did you count?",
                far=how_far(value, answer),
                split=splits[words[-1]],
            )
        )

    if not (often):
        return None
    return Question(
        "WordPiece is trained on the words {words:tokens}. How many tokens does its base vocabulary hold, as "
        "the lesson counts it: every symbol that stands in the split words, once?",
        answer,
        mistakes=[
            Mistake(
                "characters-as-in-bpe",
                len(characters),
                "This is how many characters there are. Is one at the beginning of a word the same symbol as "
                "one inside it?",
            ),
            Mistake(
                "both-forms-of-all",
                2 * len(characters),
                "This is how many there would be if every character had both forms. Does each begin a word and "
                "stand inside one?",
            ),
            Mistake(
                "library-vocabulary",
                len(wordpiece.library_vocab(splits)),
                "This is how many the tokenizers library begins with: it keeps each character without `##`, "
                "too. Is that asked for?",
            ),
            Mistake(
                "every-place",
                len(places),
                "This is how many places there are in the words. What if the same symbol stands in two of them?",
            ),
            Mistake(
                "inside-only",
                sum("##" in symbol for symbol in symbols),
                "This is how many symbols carry `##`. Which do not?",
            ),
            Mistake(
                "words-too",
                answer + len(words),
                "This comes out when the words count, too. Are they tokens before any merge?",
            ),
            Mistake(
                "unknown-too",
                answer + 1,
                "This comes out when `[UNK]` counts, too. Does it stand in the split words?",
            ),
            Mistake(
                "special-tokens-too",
                answer + 5,
                "This comes out when the five special tokens of BERT count, too. Do they stand in the split words?",
            ),
            Mistake(
                "words",
                len(words),
                "This is how many words there are. Into what are they split?",
            ),
            Mistake(
                "beginnings-only",
                sum("##" not in symbol for symbol in symbols),
                "This is how many symbols carry no `##`. Which do?",
            ),
        ],
        hints=[
            "Write the words as symbols: all characters but the first carry `##`.",
            "Count each symbol once. With and without `##` are two symbols.",
            "The symbols without `##` are {firsts:tokens}.",
        ],
        solution="{symbols:tokens}.",
        why="A symbol is a character with its place, at the beginning or inside, and only what occurs is counted.",
        evidence=evidence,
        figures=locals() | {"firsts": sorted({word[0] for word in words})},
    )


def merges_by(
    rate: Rate, freqs: Freqs, number: int, token_of: Callable[[Pair], str] = wordpiece.merged_token
) -> list[Pair]:
    """The first merges when the pair of the highest rating is taken, among equals the first seen."""
    splits, merges = wordpiece.split_words(freqs), []
    for _ in range(number):
        merges.append(bpe.best_pair(rate(freqs, splits)))
        splits = {
            word: bpe.merge_symbols(split, merges[-1], token_of(merges[-1]))
            for word, split in splits.items()
        }
    return merges


RULES: dict[str, Rate] = {
    "the highest count": bpe.pair_freqs,
    "the highest score": wordpiece.pair_scores,
    "the largest gain in likelihood": by_gain,
    "the lowest count": by_rarity,
}


@exercise("wordpiece-12", "Who made these tokens?", Choice(), points=2, level="transfer")
def who_made_these(rng: Rng) -> Question | None:
    freqs, rule = word_freqs(rng, LANGUAGES), rng.choice(list(RULES))
    made = {
        name: tuple(map(wordpiece.merged_token, merges_by(rate, freqs, 2)))
        for name, rate in RULES.items()
    }
    if len(set(made.values())) < len(RULES):
        return None
    rules = "\n".join(
        say("- {name}: {tokens:then}", name=name, tokens=tokens) for name, tokens in made.items()
    )
    return Question(
        "Somebody trained on this corpus, with `##`, and took the first seen among equal "
        "pairs.\n\n{corpus}\n\nThe first two new tokens were {tokens:then}. By what was the pair "
        "chosen each time?",
        rule,
        mistakes=[
            Mistake(
                name.replace(" ", "-"),
                name,
                say(
                    "By that rule the new tokens would be {tokens:then}.",
                    tokens=tokens,
                ),
            )
            for name, tokens in made.items()
            if name != rule
        ],
        hints=[
            "Find the pair that the first token was made of. Is it frequent? Are its symbols?",
            "A pair whose count is highest speaks for one rule, a rare one whose symbols are rare too for another.",
            "Where two rules give the same first token, merge it and look which pair each of them would take then.",
        ],
        solution=rules,
        why="Of the four rules only this one makes {tokens:then} here: tokens tell by which rule they were made.",
        figures=locals()
        | {"corpus": state(freqs, wordpiece.split_words(freqs)), "tokens": made[rule]},
    )


@exercise("wordpiece-13", "Equal scores", ONE_MERGE)
def equal_scores(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, LANGUAGES)
    freqs = {word: freqs[word] for word in rng.shuffle(list(freqs))}
    splits = after_merges(freqs, rng.between(0, 2))
    counts, scores = bpe.pair_freqs(freqs, splits), wordpiece.pair_scores(freqs, splits)
    tied = leaders(scores)
    if len(tied) < 3 or tied[0] == next(iter(scores)):
        return None

    return Question(
        "In these words {count} pairs share the highest score, {score}. The one that is seen first wins: words "
        "from top to bottom, and in each word from left to right. Which is it?\n\n{corpus}",
        tied[:1],
        mistakes=[
            Mistake(
                "last-seen",
                tied[-1:],
                "It has the highest score, but it is the last one seen that has it. Which one wins?",
            ),
            Mistake(
                "most-frequent-of-them",
                [max(tied, key=lambda pair: counts[pair])],
                "It has the highest score, and is the most frequent of those that have it. What decides among them?",
            ),
            Mistake(
                "first-in-the-alphabet",
                [min(tied)] if min(tied) != tied[0] else None,
                "It has the highest score, and of all that have it, the alphabet has it first. What decides here?",
            ),
            Mistake(
                "first-of-all",
                [next(iter(scores))],
                "It is the first pair of all. Is its score the highest?",
            ),
            Mistake(
                "frequency-instead-of-score",
                leaders(counts)[:1],
                "It is the most frequent of all pairs, the one that BPE would merge. What is its score?",
            ),
            Mistake(
                "marks-forgotten",
                [tuple(bare(tied[0]))],
                "These are letters, and pairs are made of symbols. How do you write one that does not begin a word?",
            ),
        ],
        hints=[
            "Go through the words from the top, and in each word from left to right.",
            "Work out the score of each pair that you meet, until one has the highest.",
            "A pair's score has the form 1/x with a small x only if its symbols are mostly found side by side.",
        ],
        solution="In the order in which you meet them: {in_order}.",
        why="Exact fractions make equal scores equal, and then only the order of the words is left to decide.",
        evidence=lambda value: "" if value[0] == tied[0] else told_pair(value[0], freqs, splits),
        figures=locals()
        | {
            "count": len(tied),
            "score": scores[tied[0]],
            "corpus": state(freqs, splits),
            "in_order": ", ".join(as_tokens(pair) for pair in tied),
        },
    )


@exercise(
    "wordpiece-14",
    "The first three merges",
    Merges(form="merges, such as ##x+##y, z+##xy", example='[("##x", "##y"), ("z", "##xy")]'),
    points=2,
    version=2,
)
def three_merges(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, (*LANGUAGES, *ECHOES))
    steps = list(wordpiece.train_steps(freqs, num_merges=3))
    states, first = (
        [wordpiece.split_words(freqs), *(step.splits for step in steps)],
        steps[0].scores,
    )
    if steps[0].tied or steps[2].tied:
        return None
    answer = [step.pair for step in steps]
    each_once = merges_by(by_types, freqs, 3)
    by_step = "\n".join(
        say(
            "{number}. {pair:tokens} scores {score}",
            number=step.number,
            pair=step.pair,
            score=step.score,
        )
        for step in steps
    )

    def evidence(value: list[Pair]) -> str:
        same = parting(value, answer)
        return (
            ""
            if same is None
            else (
                say(
                    "It goes wrong at merge {number}. {told}",
                    number=same + 1,
                    told=told_pair(value[same], freqs, states[same]),
                )
            )
        )

    return Question(
        "Which three merges does WordPiece learn first from this corpus? Among equal scores the pair seen first "
        "wins.\n\n{corpus}",
        answer,
        mistakes=[
            Mistake(
                "never-recounted",
                sorted(first, key=lambda pair: -first[pair])[:3],
                "These three are the best before anything is merged. What changes with the first merge?",
            ),
            Mistake(
                "prefix-left-inside",
                merges_by(wordpiece.pair_scores, freqs, 3, "".join),
                "A `##` is left inside a new token here. What becomes of the sign of the second symbol?",
            ),
            Mistake(
                "each-word-once",
                None if each_once == answer else each_once,
                "These come out when every word counts once. How often does each word occur?",
                rare=True,
            ),
            Mistake(
                "sum-instead-of-product",
                merges_by(by_sum, freqs, 3),
                "These come out when counts are divided by the sum of the two others. What belongs in the denominator?",
            ),
            *wrong_ways(lambda rate: merges_by(rate, freqs, 3), answer),
        ],
        hints=[
            "Score all pairs, merge the best one everywhere, and write the words down again.",
            "The merge has used up some of the two symbols: their own counts are smaller now, so other scores rise.",
            "The first merge has the score {score}.",
        ],
        solution=by_step,
        why="A merge takes places from its two symbols, and what is rarer scores higher: so every round counts anew.",
        evidence=evidence,
        figures=locals() | {"corpus": state(freqs, states[0]), "score": steps[0].score},
    )


@exercise("wordpiece-15", "Which word is lost?", Choice())
def which_word_is_lost(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, LANGUAGES)
    vocab = wordpiece.train(freqs, num_merges=rng.between(2, 5)).vocab
    model, words = WordPieceModel(vocab), list(freqs)
    mixed = {
        one[rng.below(2) : rng.between(2, 4)] + two[rng.below(3) :]
        for one in words
        for two in words
    } - {*words}
    cuts = {word: wordpiece.encode_word(word, model) for word in sorted(mixed) if len(word) > 1}
    lost, kept = (
        [word for word in cuts if (cuts[word] == ["[UNK]"]) == is_lost] for is_lost in (True, False)
    )
    if not lost or len(kept) < 3:
        return None
    answer = rng.choice(lost)
    place = next(i for i, char in enumerate(answer) if token_at(answer, i, i + 1) not in vocab)
    return Question(
        "With this vocabulary one of the words below becomes `[UNK]`, although each of its letters occurs in "
        "some token. Which?\n\n{vocab:tokens}",
        answer,
        mistakes=[
            Mistake(
                f"encodable-word-{number}",
                word,
                say("That word can be spelled: {tokens:tokens}.", tokens=cuts[word]),
            )
            for number, word in enumerate(rng.sample(kept, 3), 1)
        ],
        hints=[
            "Which letters can begin a word, and which can continue one?",
            "A letter that is only there with `##` begins no word; one only there without it continues none.",
            "Is the first letter of each word there without `##`? And are all the others there with it?",
        ],
        solution="In `{answer}` a token for `{missing}` is missing.",
        why="A letter at the beginning of a word and the same letter inside are two tokens; either may be missing.",
        figures=locals() | {"missing": token_at(answer, place, place + 1)},
    )


@cache
def wiki_pairs() -> tuple[Mapping[Pair, int], Ratings]:
    """The pairs of WikiText-2 before the first merge: how often each occurs, and its score."""
    freqs = text.load_word_freqs("wikitext-2-validation")
    splits = wordpiece.split_words(freqs)
    return bpe.pair_freqs(freqs, splits), wordpiece.pair_scores(freqs, splits)


# From each of these counts to the next, another pair has the highest score; from the last on, several share it.
BORDERS = (10, 14, 18, 24, 27, 65, 216)


@exercise("wordpiece-20", "Ask the table", ONE_MERGE, points=2, version=2)
def ask_the_table(rng: Rng) -> Question:
    counts, scores = wiki_pairs()
    place = rng.below(len(BORDERS) - 1)
    least = rng.between(BORDERS[place], BORDERS[place + 1] - 1)
    rest = [pair for pair in counts if counts[pair] >= least]
    best, worst = (choose(rest, key=scores.__getitem__) for choose in (max, min))
    return Question(
        '`text.load_word_freqs("wikitext-2-validation")` holds word counts. Put the pairs in these words, before the '
        "first merge, into a DataFrame with their counts and scores, as this lesson does, and ask it: which pair has "
        "the highest score among those that occur {least:,} times or more?",
        answer=[best],
        mistakes=[
            Mistake(
                "threshold-forgotten",
                [max(scores, key=scores.__getitem__)],
                "That is the highest score of all. How often does this pair occur?",
            ),
            Mistake(
                "by-count",
                [max(counts, key=counts.__getitem__)],
                "That is the most frequent pair. By which column did you sort?",
            ),
            Mistake(
                "lowest-score",
                [worst],
                "Among these pairs, this one has the lowest score. Which way does the table sort?",
            ),
            Mistake(
                "rarest-of-them",
                [min(rest, key=counts.__getitem__)],
                "Among these pairs, this one is the rarest. By which column did you sort?",
            ),
            Mistake(
                "marks-forgotten",
                [tuple(bare(best))],
                "These are letters. How is a symbol written that does not begin a word?",
            ),
        ],
        hints=[
            "First choose rows, then sort them.",
            '`pairs[pairs["count"] >= least]` keeps the rows that are frequent enough.',
            '`.sort_values("score", ascending=False).head(1)` shows the row with the highest score.',
        ],
        evidence=lambda value: (
            say(
                "This pair occurs {count:times}, and its score is {score:.2g}. Among the pairs that occur {least:,} "
                "times or more there is a higher one.",
                count=counts[pair],
                score=float(scores[pair]),
                least=least,
            )
            if (pair := value[0]) in counts and counts[pair] >= least
            else say("This pair occurs {count:times}.", count=counts[pair])
            if pair in counts
            else say("{pair:tokens} is no row of the table.", pair=pair)
            + " Inside a word, a symbol begins with `##`."
        ),
        solution="{best:tokens} occurs {count:times}, and no other frequent pair scores higher.",
        why="The rarest pairs have the highest scores, so a least count is what makes the list worth reading.",
        figures=locals() | {"count": counts[best]},
    )
