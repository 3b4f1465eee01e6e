"""The exercises of lesson 01: byte-pair encoding."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations, groupby, pairwise
from math import factorial

from ... import bpe
from .. import (
    Choice,
    Merges,
    Mistake,
    Number,
    Ordering,
    Question,
    Rng,
    Segmentation,
    Tokens,
    exercise,
    prediction,
)
from ..words import as_tokens, how_far, say
from .corpora import ECHOES, FAMILIES, word_freqs

Pair = tuple[str, str]
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def count_in(word: Sequence[str], pair: Pair) -> int:
    return list(pairwise(word)).count(pair)


def told_of_a_merge(pair: Pair, right: Pair, counts: Mapping[Pair, int]) -> str:
    """What is true of a wrong merge at a point of the training; "" if only left and right are the wrong way round."""
    if pair[::-1] == right and pair not in counts:
        return ""
    if "".join(pair) == "".join(right):
        return "The new token is right. Of which two tokens is it made at this point?"
    if pair not in counts:
        return say(
            "{pair:tokens} are nowhere next to each other at this point. How do the words look then?",
            pair=pair,
        )
    return say(
        "{pair:tokens} occurs {count:times} at this point, and another pair {most:times}.",
        pair=pair,
        count=counts[pair],
        most=counts[right],
    )


def by_step(steps: Iterable[bpe.Step]) -> str:
    """What each step of a training merges, in lines with numbers."""
    line = "{number}. {pair:tokens} occurs {count:times}"
    return "\n".join(
        say(line, number=step.number, pair=step.pair, count=step.count) for step in steps
    )


def inner_places(pieces: Sequence[str]) -> Iterator[tuple[str, set[int]]]:
    """Every piece with the places inside it, at which a cut would go through it."""
    for piece, end in zip(pieces, accumulate(map(len, pieces))):
        yield piece, set(range(end - len(piece) + 1, end))


def where_replay_parts(pieces: Sequence[str], merges: Sequence[Pair]) -> str:
    """The first merge whose token is cut through in these pieces, or else a piece that no merge makes."""
    symbols, cuts = list("".join(pieces)), set(accumulate(map(len, pieces)))
    for number, pair in enumerate(merges, 1):
        symbols = bpe.merge_symbols(symbols, pair)
        for symbol, places in inner_places(symbols):
            if cuts & places:
                return say(
                    "Merge {number} makes `{symbol}` in this word, and a cut of yours goes through it.",
                    number=number,
                    symbol=symbol,
                )
    for piece, places in inner_places(pieces):
        if places & set(accumulate(map(len, symbols))):
            return say(
                "`{piece}` does not come about here: when every merge has had its turn, it is still in "
                "pieces.",
                piece=piece,
            )
    return ""


def new_word(rng: Rng, model: bpe.BPEModel) -> str:
    """A word of at least four letters, put together from tokens of a model; most of them are made by merges."""
    word, merged = rng.choice(model.vocab), model.vocab[-len(model.merges) :]
    while len(word) < 4:
        word += rng.choice(merged if rng.below(4) else model.vocab)
    return word


def overlapping_words(rng: Rng) -> tuple[bpe.BPEModel, list[str], list[str]]:
    """A model, and words in which two tokens overlap: on which merge order and longest-first differ, and agree."""
    model = bpe.train(word_freqs(rng, (*ECHOES, FAMILIES[5])), num_merges=rng.between(4, 7))
    merged, apart, alike = model.vocab[-len(model.merges) :], list[str](), list[str]()
    for word in dict.fromkeys(
        a + b[n:] for a in merged for b in merged for n in range(len(b)) if a.endswith(b[:n])
    ):
        longest = bpe.longest_first(list(word), model.vocab)
        if len(word) < 10 and longest == bpe.longest_first(
            list(word), model.vocab[::-1]
        ):  # no tie decides
            (alike if bpe.encode_word(word, model) == longest else apart).append(word)
    return model, apart, alike


def to_be_encoded(
    text: str,
    word: str,
    model: bpe.BPEModel,
    mistake: Mistake,
    why: str,
    corpus: Iterable[str] = (),
) -> Question:
    """The question how a word is cut, with one mistake of its own."""
    states = list(accumulate(model.merges, bpe.merge_symbols, initial=list(word)))
    answer, latest = states[-1], bpe.merge_in_order(list(word), model.merges[::-1])
    first, once = next(
        ("".join(pair), state)
        for pair, state in zip(model.merges, states[1:])
        if state != list(word)
    )
    stages = [
        (number, state)
        for number, (state, after) in enumerate(pairwise(states), 1)
        if state not in (after, list(word))
    ]
    last, unfinished = stages[-1] if stages else (0, None)
    turned = bpe.merge_in_order(list(word[::-1]), [(b[::-1], a[::-1]) for a, b in model.merges])
    from_right = [token[::-1] for token in reversed(turned)]
    return Question(
        text,
        answer,
        listed=[word],
        mistakes=[
            mistake,
            Mistake(
                "latest-merge-first",
                latest,
                "This comes out when the last merge goes first. At that moment, are its two sides already there?",
            ),
            Mistake(
                "not-merged",
                list(word),
                "These are the characters. Which merge is the first to find its two sides together?",
            ),
            Mistake(
                "one-merge-only",
                once,
                "This is the word after the merge that makes `{first}`. Is there another merge with work to do?",
            ),
            Mistake(
                "stopped-early",
                None if unfinished == once else unfinished,
                "This is the word as it stands before merge {last}. Has that one work to do?",
            ),
        ],
        hints=[
            "Write the word as characters first, and go through the merges from the top.",
            "Wherever the two sides of a merge stand next to each other, join them; then go on to the next merge.",
            "The first merge with work to do makes `{first}`.",
        ],
        solution="Step by step: {steps}.",
        why=why,
        evidence=lambda value: (
            "This comes out when a merge begins at the right end of the word. From which end does it go?"
            if value == from_right
            else where_replay_parts(value, model.merges)
        ),
        figures=locals()
        | {
            "merges": model.merges,
            "steps": " → ".join(dict.fromkeys(f"`{'|'.join(state)}`" for state in states)),
        },
    )


@exercise("bpe-01", "Count a pair", Number(), level="recall", core=True)
def count_a_pair(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, ECHOES)
    counts = bpe.pair_freqs(freqs, bpe.split_words(freqs))
    twice = [pair for pair in counts if any(count_in(word, pair) > 1 for word in freqs)]
    left, right = pair = rng.choice(twice if rng.below(2) else list(counts))
    answer, places = counts[pair], {word: count_in(word, pair) for word in freqs}
    holders = [word for word in freqs if places[word]]
    if len(holders) < 2:
        return None
    most = max(holders, key=lambda word: places[word] * freqs[word])
    brought = places[most] * freqs[most]
    turned = pair[::-1]
    by_word = ", ".join(f"`{word}` {places[word]} × {freqs[word]}" for word in holders)

    def evidence(value: int) -> str:
        sets = [words for size in range(2, 6) for words in combinations(freqs, size)]
        fits = [
            words
            for words in sets
            if len({*words} ^ {*holders}) < 3
            and value == sum(freqs[word] * max(places[word], 1) for word in words)
        ]
        hold = [words for words in fits if {*words} <= {*holders}]
        if hold:
            return say(
                "{value} is what {words:tokens} contribute. In which other word does the pair stand?",
                value=value,
                words=hold[0],
            )
        if len(fits) == 1:
            return say(
                "{value} would be right if the pair stood in each of {words:tokens}, and in no other word. Does it?",
                value=value,
                words=fits[0],
            )
        return say(
            "{far} `{most}` alone contributes {brought}. Which others hold the pair?",
            far=how_far(value, answer),
            most=most,
            brought=brought,
        )

    return Question(
        "How often does the pair {pair:tokens} occur in this corpus?\n\n{freqs:table}",
        answer,
        mistakes=[
            Mistake(
                "types-not-occurrences",
                sum(places.values()),
                "This is the result when every word counts once. How often does each of them occur?",
            ),
            Mistake(
                "once-per-word",
                sum(freqs[word] for word in holders),
                "This is how often the words occur that hold the pair. Does one of them hold it twice?",
            ),
            Mistake(
                "left-symbol-only",
                sum(word.count(left) * freqs[word] for word in freqs),
                "This is how often `{left}` occurs. Is `{right}` always right after it?",
            ),
            Mistake(
                "right-symbol-only",
                sum(word.count(right) * freqs[word] for word in freqs),
                "This is how often `{right}` occurs. Is `{left}` always right before it?",
            ),
            Mistake(
                "either-order",
                answer + counts.get(turned, 0),
                "This counts {pair:tokens} and {turned:tokens} together. Are they the same pair?",
            ),
            Mistake(
                "turned-around",
                counts.get(turned) if counts.get(turned) != answer else None,
                "This is how often {turned:tokens} occurs. Which of the two comes first in the pair?",
            ),
        ],
        hints=[
            "Look at one word at a time: in how many places does the right letter follow the left one?",
            "For each such place the word counts as often as it occurs.",
            "Add up what the words contribute; one that holds the pair twice contributes double.",
        ],
        solution="Add up what the words contribute: {by_word}.",
        why="A pair occurs once for each place, each time that its word occurs.",
        evidence=evidence,
        figures=locals(),
    )


@exercise("bpe-20", "Count in a sentence", Number(), level="recall")
def count_in_a_sentence(rng: Rng) -> Question | None:
    words = rng.choice(ECHOES)
    text = rng.shuffle([*words, *rng.sample(words, 3), rng.choice(words)])
    joints = [(a[-1], b[0]) for a, b in pairwise(text)]
    left, right = pair = rng.choice(joints)
    place, counts = joints.index(pair), [count_in(word, pair) for word in text]
    letters, answer = "".join(text), sum(counts)
    turned_count = sum(count_in(word, pair[::-1]) for word in text)
    half = next((n for n in (4, 3, 2) if sum(counts[:n]) < answer), 1)
    if answer < 2 or sum(counts[:half]) == answer:
        return None

    def evidence(value: int) -> str:
        if value == sum(count > 0 for count in counts):
            return "This is how many of the words hold the pair. Does one of them hold it twice?"
        return say(
            "{far} In {begun:words} you should have counted to {count}; go on from there.",
            far=how_far(value, answer),
            begun=text[:half],
            count=sum(counts[:half]),
        )

    return Question(
        "This is the whole corpus: {text:words}. How often does training count the pair {pair:tokens}?",
        answer,
        mistakes=[
            Mistake(
                "pairs-across-words",
                answer + joints.count(pair),
                "This also counts `{left}` and `{right}` in *{before} {after}*. Is that one word?",
            ),
            Mistake(
                "types-not-occurrences",
                sum(count_in(word, pair) for word in set(text)),
                "This is the result when every different word counts once. Which words occur again?",
            ),
            Mistake(
                "left-symbol-only",
                letters.count(left),
                "This is how often `{left}` occurs. Which have `{right}` right after them, in the same word?",
            ),
            Mistake(
                "right-symbol-only",
                letters.count(right),
                "This is how often `{right}` occurs. Which have `{left}` right before them, in the same word?",
            ),
            Mistake(
                "either-order",
                answer + turned_count,
                "This counts {pair:tokens} and {turned:tokens} together. Are they the same pair?",
            ),
            Mistake(
                "turned-around",
                turned_count if turned_count not in (0, answer) else None,
                "This is how often {turned:tokens} occurs. Which of the two comes first in the pair?",
            ),
        ],
        hints=[
            "Cut the sentence into words first. Can a pair reach across a space?",
            "Go through the words one by one. A word that occurs again is counted again.",
            "Look inside each word: how often does the right letter follow the left one there?",
        ],
        solution="Words that hold the pair: {by_word}.",
        why="Words are counted apart, so the last letter of one is no neighbor of the first letter of the next.",
        evidence=evidence,
        figures=locals()
        | {
            "by_word": ", ".join(
                (f"*{word}* {count}" for word, count in zip(text, counts) if count)
            ),
            "before": text[place],
            "after": text[place + 1],
            "turned": pair[::-1],
        },
    )


@exercise("bpe-02", "The next merge", Merges(form="one merge, such as x+y", example='("x", "y")'))
def next_merge(rng: Rng) -> Question | None:
    freqs, known = HUG if rng.below(9) == 0 else word_freqs(rng), rng.between(1, 4)
    steps = list(bpe.train_steps(freqs, num_merges=known + 1))
    if len(steps) <= known or steps[known].tied:
        return None
    start, before, counts, answer = (
        steps[0].pair_freqs,
        steps[known - 1],
        steps[known].pair_freqs,
        steps[known].pair,
    )
    tokens = bpe.token_freqs(freqs, before.splits)
    commonest = max(tokens, key=tokens.__getitem__)
    of_commonest = max(
        (pair for pair in counts if commonest in pair), key=counts.__getitem__, default=answer
    )
    never_recounted = max(
        (pair for pair in start if pair not in before.merges), key=start.__getitem__, default=answer
    )
    types = bpe.pair_freqs(dict.fromkeys(freqs, 1), before.splits)
    by_type = bpe.best_pair(types)
    if answer in (of_commonest, by_type):
        return None

    def evidence(value: list[Pair]) -> str:
        if len(value) != 1:
            return ""
        told = told_of_a_merge(value[0], answer, counts)
        parted = [
            word
            for word, split in before.splits.items()
            if not count_in(split, value[0])
            and any(count_in(step.splits[word], value[0]) for step in steps[: known - 1])
        ]
        apart = say(" In {parted:list} they are no longer neighbors.", parted=parted)
        return told + apart if value[0] in counts and parted else told

    merges, count = before.merges, counts[answer]
    by_count = ", ".join(
        f"{as_tokens(pair)} {counts[pair]}"
        for pair in sorted(counts, key=lambda pair: -counts[pair])
    )
    return Question(
        "This corpus\n\n{freqs:table}\n\nhas been through {known:merge|merges}:\n\n{merges:merges}\n\n"
        "Which merge comes next?",
        [answer],
        mistakes=[
            Mistake(
                "types-not-occurrences",
                [by_type]
                if len({*types.values()}) > 1
                else None,  # where all tie, it leads nowhere
                "No pair stands in more of the words than this one. But how often does each word occur?",
            ),
            Mistake(
                "commonest-token-first",
                [of_commonest],
                "This pair holds `{commonest}`, the most frequent token. Is it the most frequent pair, too?",
            ),
            Mistake(
                "never-recounted",
                [never_recounted],
                "Of the pairs outside the list, this one was the most frequent at first. Are its letters still apart?",
            ),
            Mistake(
                "already-made",
                [before.merges[0]],
                "This is merge 1 of the list. Do the two still stand next to each other after it?",
            ),
        ],
        hints=[
            "Write the words as they look now, with every known merge applied in its turn.",
            "Then count the pairs in what you have written, each word as often as it occurs.",
            "The pair you want occurs {count:times}.",
        ],
        solution="The counts at this point: {by_count}.",
        why="At this point no other pair occurs {count} times or more.",
        evidence=evidence,
        figures=locals(),
    )


@exercise(
    "bpe-21",
    "A new word from old pieces",
    Segmentation(form="the word with | at every cut, such as b|ug", example='"b|ug"'),
    core=True,
)
def new_word_from_old_pieces(rng: Rng) -> Question | None:
    freqs = HUG if rng.below(3) == 0 else word_freqs(rng)
    model = bpe.train(freqs, num_merges=rng.between(4, 6))
    word = new_word(rng, model) + rng.choice(model.vocab)
    answer, longest = (
        bpe.encode_word(word, model),
        bpe.encode_word(word, model, method="longest-first"),
    )
    if word in freqs or not 1 < len(answer) < len(word) or longest != answer:
        return None
    return to_be_encoded(
        "The corpus of {corpus:tokens} taught these merges, in this order:\n\n{merges:merges}\n\n"
        "How is the new word `{word}` cut?",
        word,
        model,
        Mistake("all-in-one", [word], "This is the whole word, uncut. Which merge would make it?"),
        why="Encoding replays the merges of the training, and what no merge joins stays in pieces.",
        corpus=freqs,
    )


@exercise("bpe-03", "Encode a word", Segmentation(), level="transfer", core=True)
def encode_a_word(rng: Rng) -> Question | None:
    model, apart, _ = overlapping_words(rng)
    if not apart:
        return None
    word = rng.choice(apart)
    return to_be_encoded(
        "Encode `{word}` with these merges, learned in this order:\n\n{merges:merges}",
        word,
        model,
        Mistake(
            "longest-first",
            bpe.encode_word(word, model, method="longest-first"),
            "This comes out when the longest token is cut out first. Which of the merges was learned first?",
        ),
        why="The merge learned first takes its letters first, even where a longer token would then no longer fit.",
    )


@exercise(
    "bpe-04",
    "The first three merges",
    Merges(form="merges, such as x+y, z+xy", example='[("x", "y"), ("z", "xy")]'),
    points=2,
)
def first_three_merges(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    steps = list(bpe.train_steps(freqs, num_merges=3))
    if len(steps) < 3 or any(step.tied for step in steps):
        return None

    def trained(wanted: Callable[[Pair, Sequence[Pair]], bool]) -> list[Pair]:
        splits, merges = bpe.split_words(freqs), list[Pair]()
        for _ in range(3):
            counts = bpe.pair_freqs(freqs, splits)
            merges.append(
                bpe.best_pair(
                    {pair: counts[pair] for pair in counts if wanted(pair, merges)} or counts
                )
            )
            splits = bpe.merge_pair(merges[-1], splits)
        return merges

    def evidence(value: list[Pair]) -> str:
        for step, pair in zip(steps, value):
            if pair != step.pair:
                told = told_of_a_merge(pair, step.pair, step.pair_freqs)
                return told and say("Merge {number}: {told}", number=step.number, told=told)
        return ""

    answer, start = steps[2].merges, steps[0].pair_freqs
    by_type = bpe.train(dict.fromkeys(freqs, 1), num_merges=3).merges
    never_recounted = sorted(start, key=lambda pair: -start[pair])[:3]
    letters_only = trained(lambda pair, merges: len("".join(pair)) == 2)
    extended = trained(lambda pair, merges: not merges or "".join(merges[-1]) in pair)
    return Question(
        "Which three merges does BPE learn first from this corpus?\n\n{freqs:table}",
        answer,
        mistakes=[
            Mistake(
                "types-not-occurrences",
                by_type,
                "These are the merges when every word counts once. How often does each word occur?",
            ),
            Mistake(
                "never-recounted",
                never_recounted,
                "These three pairs are the most frequent ones at the beginning. Which are left after a merge?",
            ),
            Mistake(
                "single-letters-only",
                letters_only,
                "These come out when pairs of single letters go first. Which pairs does a new token form?",
            ),
            Mistake(
                "always-longer",
                extended,
                "These come out when the newest token is joined first. Is no other pair more frequent?",
            ),
        ],
        hints=[
            "Count all pairs, merge the most frequent one in every word, and write the words down again.",
            "After a merge some pairs are gone and new ones are there: count again from what you have written.",
            "The three pairs occur {counts} times, each at its turn.",
        ],
        solution=by_step(steps),
        why="Each merge is the most frequent pair in the words as the merges before have left them.",
        evidence=evidence,
        figures=locals() | {"counts": ", ".join(str(step.count) for step in steps)},
    )


@exercise("bpe-05", "How large is the vocabulary?", Number(), level="recall")
def vocabulary_size(rng: Rng) -> Question | None:
    words, alphabet, special = 100 * rng.between(21, 90), rng.between(20, 90), rng.between(2, 5)
    merges = 50 * rng.between(4, 40)
    answer = alphabet + merges + special
    return Question(
        "A corpus of {words} different words is written with {alphabet} different characters. BPE learns "
        "{merges} merges from it, each of which makes a token that was not there before; {special} special "
        "tokens are put in front. How many tokens does the vocabulary hold in the end?",
        answer,
        mistakes=[
            Mistake(
                "special-tokens-forgotten",
                alphabet + merges,
                "This is characters and merges together. Have the special tokens no ids?",
            ),
            Mistake(
                "alphabet-forgotten",
                merges + special,
                "This is merges and special tokens together. With what is a rare word spelled?",
            ),
            Mistake(
                "merges-only",
                merges,
                "This is the number of merges. What is there before the first one?",
            ),
            Mistake(
                "nothing-added",
                alphabet + special,
                "This is what the vocabulary holds before the first merge. What does a merge add to it?",
            ),
            Mistake(
                "words-counted",
                answer + words,
                "This holds the {words} words, too. Does BPE put words into its vocabulary?",
            ),
            Mistake(
                "two-for-a-merge",
                answer + merges,
                "This counts two tokens for each merge. How many does one merge make?",
            ),
            Mistake(
                "special-tokens-taken-off",
                answer - 2 * special,
                "The special tokens were taken off. Do they come in place of others?",
            ),
            Mistake(
                "words-for-characters",
                answer - alphabet + words,
                "That begins with the different words. With what does BPE begin?",
            ),
        ],
        hints=[
            "What is in the vocabulary before the first merge?",
            "How many tokens does one merge add, and how many does it take away?",
            "Special tokens, base vocabulary and merges: what does each bring?",
        ],
        solution="{special} special tokens, {alphabet} characters, and one token for each of the {merges} merges.",
        why="A merge adds one token and takes none away, and how many words there are makes no difference.",
        evidence=lambda value: (
            say(
                "{far} The merges bring {merges} tokens; what was there before them?",
                far=how_far(value, answer),
                merges=merges,
            )
            if value < answer
            else say(
                "{far} Before the first merge there are {alphabet} + {special} tokens, and a merge adds one.",
                far=how_far(value, answer),
                alphabet=alphabet,
                special=special,
            )
        ),
        figures=locals(),
    )


@exercise("bpe-06", "A character it never saw", Tokens(example='["pl", "ug"]'))
def unknown_character(rng: Rng) -> Question | None:
    freqs = HUG if rng.below(3) == 0 else word_freqs(rng)
    model = bpe.train(freqs, num_merges=rng.between(3, 5))
    letter = rng.choice([letter for letter in "mxzqæñжы我🤗" if letter not in model.vocab])
    known, unknown = rng.choice([*freqs, new_word(rng, model)]), letter * rng.between(1, 2)
    place = rng.between(0, len(known))
    word = known[:place] + unknown + known[place:]
    answer, across = bpe.encode_word(word, model), bpe.encode_word(known, model)
    joined = [token for n, token in enumerate(answer) if answer[n - 1 : n + 1] != ["[UNK]"] * 2]
    rest_lost = answer[: answer.index("[UNK]") + 1]

    def evidence(value: list[str]) -> str:
        filled = [letter if token == "[UNK]" else token for token in value]
        for token in value:
            if token != "[UNK]" and token not in model.vocab:
                return say("{token:code} is not in the vocabulary.", token=token)
        if "".join(filled) != word:
            return say(
                "Put `{letter}` in the place of each `[UNK]`: your tokens then spell {spelled:code}.",
                letter=letter,
                spelled="".join(filled),
            )
        return where_replay_parts(filled, model.merges)

    return Question(
        "The vocabulary is {vocab:tokens}, and the merges are\n\n{merges:merges}\n\nEvery character that the "
        "vocabulary lacks becomes an `[UNK]` of its own. Encode `{word}`.",
        answer,
        mistakes=[
            Mistake(
                "whole-word-unknown",
                ["[UNK]"],
                "Here the whole word is unknown. Which of its characters are in the vocabulary?",
            ),
            Mistake(
                "passed-through",
                bpe.encode_word(word, model, unknown=None),
                "Here `{letter}` comes through as it is. Does the vocabulary have an id for it?",
            ),
            Mistake(
                "dropped",
                [token for token in answer if token != "[UNK]"],
                "Nothing stands here for `{letter}`. How would anybody see that a character is missing?",
            ),
            Mistake(
                "merged-across",
                across,
                "These are the tokens of `{known}`. What stands in the place of `{letter}`?",
            ),
            Mistake(
                "unknowns-joined",
                joined if len(unknown) > 1 else None,
                "One `[UNK]` stands here for `{unknown}`. How many characters is that?",
            ),
            Mistake(
                "rest-lost",
                rest_lost,
                "After the first `{letter}` nothing more comes here. What follows it in the word?",
            ),
        ],
        hints=[
            "Which characters of the word are not in the vocabulary?",
            "Put `[UNK]` in the place of each of them, before you merge anything.",
            "Then replay the merges; `[UNK]` takes part in none of them.",
        ],
        solution="`{letter}` becomes `[UNK]`; what stands left and right of it is merged, but never across it.",
        why="In BPE only the missing character is lost; what stands beside it is merged as ever.",
        evidence=evidence,
        figures=locals() | {"vocab": model.vocab, "merges": model.merges},
    )


@exercise("bpe-07", "Before you run it", prediction(Tokens()))
def run_of_letters(rng: Rng) -> Question | None:
    letter, middle = rng.choice("abxo哈"), [rng.choice("cdk") for _ in range(rng.between(0, 2))]
    symbols = [*letter * rng.between(2, 6), *middle, *letter * rng.between(1, 4)]
    pair, new = (letter, letter), letter + letter
    answer, from_right = (
        bpe.merge_symbols(symbols, pair),
        bpe.merge_symbols(symbols[::-1], pair)[::-1],
    )
    if from_right == answer:
        return None
    runs = [(char, len(list(group))) for char, group in groupby(symbols)]
    in_one = [token for char, n in runs for token in ([char * n] if char == letter else [char] * n)]
    overlapping = [
        token
        for char, n in runs
        for token in ([new] * (n - 1) if char == letter and n > 1 else [char] * n)
    ]

    def evidence(value: list[str]) -> str:
        strange = [token for token in value if token not in (new, *symbols)]
        if "".join(value) != "".join(symbols):
            return say(
                "Your tokens spell {spelled:code}: has something been lost or added?",
                spelled="".join(value),
            )
        if strange:
            return say(
                "{strange:code} cannot come out: this merge makes `{new}` and nothing else.",
                strange=strange[0],
                new=new,
            )
        return (
            say("Two single `{letter}` stand next to each other in yours.", letter=letter)
            if pair in pairwise(value)
            else ""
        )

    return Question(
        "What will this show? Say it first, then run it.\n\n```\nbpe.merge_symbols({symbols}, {pair})\n```",
        answer,
        mistakes=[
            Mistake(
                "from-the-right",
                from_right,
                "This is the merge from right to left. From which end does merging go?",
            ),
            Mistake(
                "first-place-only",
                [new, *symbols[2:]],
                "Here one place is merged. Where else does the pair stand?",
            ),
            Mistake(
                "merged-twice",
                bpe.merge_symbols(answer, (new, new)),
                "Here `{new}` and `{new}` are merged, too. Is that the pair that was given?",
            ),
            Mistake(
                "in-one",
                in_one,
                "Here every run has become one token. How many symbols does one merge join?",
            ),
            Mistake(
                "symbol-used-twice",
                overlapping,
                "Here one `{letter}` may be part of two tokens. How many letters go in, and how many come out?",
            ),
        ],
        hints=[
            "Start at the left. Do the first two symbols form the pair?",
            "If so, write them as one token and go on after them: a symbol is used once.",
            "Never look back at a token that you have just written.",
        ],
        solution="`{letter}` comes in runs of {lengths}. In each of them the first two become one token, then "
        "the next two; what has no partner in the end stays.",
        why="A symbol that has been merged is used up, so the odd one of a run is left over at its right end.",
        evidence=evidence,
        figures=locals()
        | {"lengths": " and ".join((str(n) for char, n in runs if char == letter))},
    )


@exercise("bpe-08", "Which tie rule?", Choice(), level="transfer")
def tie_rule(rng: Rng) -> Question | None:
    first, second = rng.choice([(0, 3), (1, 2), (4, 5), (6, 7)])
    freqs = dict.fromkeys(
        rng.sample(FAMILIES[first] + FAMILIES[second], rng.between(3, 4)), rng.between(2, 9)
    )
    counts = bpe.pair_freqs(freqs, bpe.split_words(freqs))
    top = [pair for pair in counts if counts[pair] == max(counts.values())]
    picks = {
        "the pair that is met first in the corpus": top[0],
        "the pair that is met last in the corpus": top[-1],
        "the pair with the smallest ids": min(top),
        "the pair that comes last in alphabetical order": max(top),
    }
    if len(set(picks.values())) < 4:
        return None
    answer, *others = rng.shuffle(list(picks))
    return Question(
        "Somebody trained BPE on this corpus, with the words in this order. The ids of the characters go by the "
        "alphabet.\n\n{freqs:table}\n\nThe first merge was {pair:tokens}. Which of the most frequent pairs does "
        "this training prefer?",
        answer,
        mistakes=[
            Mistake(
                f"another-rule-{n}",
                other,
                say("With that rule the first merge would be {pair:tokens}.", pair=picks[other]),
            )
            for n, other in enumerate(others, 1)
        ],
        hints=[
            "Count the pairs: which of them share the first place?",
            "Write those pairs in the order in which the corpus shows them, and then in alphabetical order.",
            "At which end of which list does the merge stand?",
        ],
        solution="The pairs in first place, as the corpus shows them: {pairs}.",
        why="{count} pairs share the first place, and only this rule takes {pair:tokens} of them.",
        figures=locals()
        | {"pair": picks[answer], "pairs": ", ".join(map(as_tokens, top)), "count": len(top)},
    )


@exercise("bpe-09", "How long is the corpus now?", Number(), core=True)
def corpus_length(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    step = next(bpe.train_steps(freqs, num_merges=1))
    start = sum(len(word) * freq for word, freq in freqs.items())
    answer, holders = start - step.count, sum("".join(step.pair) in word for word in freqs)

    def evidence(value: int) -> str:
        if value >= start:
            return "Too large. Each time that the pair occurs, two tokens become one: the corpus gets shorter."
        return (
            "How often does the most frequent pair occur?"
            if start - value == answer
            else say(
                "{far} The merge would save {saved} of {start} tokens. How often does the most frequent "
                "pair occur?",
                far=how_far(value, answer),
                saved=start - value,
                start=start,
            )
        )

    if step.tied:
        return None
    return Question(
        "Split into characters, and with every word as often as it occurs, this corpus is {start} tokens "
        "long.\n\n{freqs:table}\n\nHow long is it after the first merge?",
        answer,
        mistakes=[
            Mistake(
                "types-not-occurrences",
                sum(map(len, step.splits.values())),
                "This is the length when every word counts once. How often does each of them occur?",
            ),
            Mistake(
                "two-for-each",
                start - 2 * step.count,
                "This is two tokens fewer for each place. Two tokens go, and how many take their place?",
            ),
            Mistake(
                "one-token-longer",
                start + 1,
                "This is one more than before. The vocabulary grows by one; what happens to the corpus?",
            ),
            Mistake(
                "one-place-only",
                start - 1,
                "This is one less than before, as after a merge in one place. How often does the pair occur?",
            ),
            Mistake(
                "words-not-occurrences",
                start - holders,
                "This is one less for each word in the list that holds the pair. How often do these words occur?",
            ),
            Mistake(
                "only-what-is-saved",
                step.count,
                "This is how many tokens the merge saves. How many are left?",
            ),
        ],
        hints=[
            "How often does the pair that is merged occur?",
            "Two tokens become one at each of those places.",
            "Subtract the count of the merged pair from the old length.",
        ],
        solution="The first merge, {pair:tokens}, happens {count} times and saves one token each time: "
        "{start} − {count}.",
        why="A merge shortens the corpus by one token for each time that its pair occurs.",
        evidence=evidence,
        figures=locals() | {"pair": step.pair, "count": step.count},
    )


@exercise(
    "bpe-10",
    "Back to words",
    Tokens(form='words, such as ["one", "word"]', example='["one", "word"]'),
    level="recall",
)
def back_to_words(rng: Rng) -> Question | None:
    twins = rng.choice(
        (
            ("est|ate", "high|est"),
            ("ing|ot", "s|ing"),
            ("ten|t", "of|ten"),
            ("low|er", "be|low"),
            ("он|а", "т|он"),
            ("лес|ной", "по|лес"),
            ("语|文", "汉|语"),
        )
    )
    others = ("the", "r|ange", "in", "c|at", "n|ew", "m|at", "к|от", "д|ом", "on", "k|ing")
    pieces = [word.split("|") for word in rng.shuffle([*twins, *rng.sample(others, 2)])]
    tokens = [piece + "</w>" * (piece is word[-1]) for word in pieces for piece in word]
    if unfinished := rng.below(2):
        tokens[-1] = tokens[-1].removesuffix("</w>")
    answer = ["".join(word) for word in pieces]
    begun = "|".join(
        "|" * token.endswith("</w>") + token.removesuffix("</w>") for token in tokens
    ).strip("|")

    def evidence(value: list[str]) -> str:
        ends, place = set(accumulate(map(len, value))), 0
        for token in tokens[:-1] if "".join(value) == "".join(answer) else ():
            place += len(token.removesuffix("</w>"))
            if place in ends and not token.endswith("</w>"):
                return say("You end a word after `{token}`. Is there a mark?", token=token)
            if place not in ends and token.endswith("</w>"):
                return say("You read on past `{token}`. What does its mark say?", token=token)
        return ""

    return Question(
        "Which words are these tokens? The mark `</w>` ends a word, and what stands after the last mark is a "
        "word, too.\n\n{tokens:tokens}",
        answer,
        mistakes=[
            Mistake(
                "every-token-a-word",
                [token.removesuffix("</w>") for token in tokens],
                "Every token is a word here. What does it mean that a token has no mark?",
            ),
            Mistake(
                "marks-ignored",
                ["".join(answer)],
                "Everything is one word here. What do the marks say?",
            ),
            Mistake(
                "marks-kept",
                [word + "</w>" for word in answer[:-1]] + [answer[-1] + "</w>" * (not unfinished)],
                "The words are here with their marks. Does the mark belong to the text?",
            ),
            Mistake(
                "mark-begins-a-word",
                [part.replace("|", "") for part in begun.split("||")],
                "Here a word begins at each token with a mark. At which end of a word does the mark stand?",
            ),
            Mistake(
                "rest-lost",
                answer[:-1] if unfinished else None,
                "What stands after the last mark is missing here. Does the question leave it out?",
            ),
        ],
        hints=[
            "Join the tokens from left to right.",
            "Where a token ends with the mark, a word ends.",
            "The same letters may stand inside a word and at its end: the mark tells which.",
        ],
        solution="Cut after every mark and take the marks away: {by_word}.",
        why="The mark says where a word ends, so the same letters can be an ending here and a beginning there.",
        evidence=evidence,
        figures=locals()
        | {"by_word": ", ".join(f"{as_tokens(word)} = *{''.join(word)}*" for word in pieces)},
    )


@exercise("bpe-11", "Without a mark", Number(), level="transfer")
def without_a_mark(rng: Rng) -> Question | None:
    tokens = rng.sample(
        ["un", "hug", "s", "the", "re", "in", "to", "day", "on", "ly"], rng.between(4, 8)
    )
    n = len(tokens)
    answer = 2 ** (n - 1)
    return Question(
        "These tokens carry no mark, and nobody knows where a word ended. They stay in their order. In how many "
        "ways can they be grouped into words?\n\n{tokens:tokens}",
        answer,
        mistakes=[
            Mistake(
                "gap-too-many",
                2**n,
                "This is 2 to the power {n}. Is there anything to decide after the last token?",
            ),
            Mistake(
                "one-per-gap",
                n - 1,
                "This is the number of gaps. What is there to decide in each of them?",
            ),
            Mistake(
                "two-per-gap",
                2 * (n - 1),
                "This is twice the number of gaps. Does one decision leave the others open?",
            ),
            Mistake(
                "orderings",
                factorial(n),
                "This is the number of orders. What is open here: the order of the tokens, or the word ends?",
            ),
            Mistake(
                "one-left-out",
                answer - 1,
                "Can everything be one word? And can every token be a word?",
            ),
            Mistake(
                "number-of-tokens",
                n,
                "This is the number of tokens, and of ways with at most two words. In how many ways could the "
                "first three of them be grouped?",
            ),
            Mistake(
                "squared",
                n * n,
                "This is the number of tokens, squared. How many gaps are there, and how many ways in each?",
            ),
        ],
        hints=[
            "How many gaps are there between the tokens?",
            "In each gap a word ends, or it does not.",
            "Multiply: two possibilities for each gap.",
        ],
        solution="{n} tokens have {gaps} gaps, with two possibilities each: 2 to the power {gaps}.",
        why="Each gap doubles the number of ways, so without a mark nobody can know which one was meant.",
        evidence=lambda value: say(
            "{far} {first:tokens} alone can be read in 2 ways. How many ways does `{third}` make of each?",
            far=how_far(value, answer),
            first=tokens[:2],
            third=tokens[2],
        ),
        figures=locals() | {"gaps": n - 1},
    )


@exercise("bpe-12", "Byte by byte", Number(), core=True)
def byte_by_byte(rng: Rng) -> Question | None:
    parts = rng.sample(
        (
            "né",
            "café",
            "été",
            "км",
            "дом",
            "ключ",
            "мир",
            "中文",
            "语言",
            "分词",
            "ကို",
            "စာ",
            "မြို့",
            "🤗",
            "a",
            "b1",
        ),
        rng.between(2, 3),
    )
    text = "".join(parts)
    letters = "".join(char for char in text if not unicodedata.category(char).startswith("M"))
    answer, latin = len(text.encode()), sum(char.isascii() for char in text)
    others, most = len(text) - latin, max(parts, key=lambda part: len(part.encode()))
    cyrillic = re.findall("[а-я]", text)
    if not others:
        return None
    return Question(
        "Byte-level BPE has learned no merge yet. How many tokens is `{text}`? (In UTF-8 a digit, or a "
        "letter of the Latin alphabet without an accent, takes 1 byte, `é` and the Cyrillic letters here 2, the "
        "Chinese and Burmese characters here 3, the emoji 🤗 4. A sign that is written around a Burmese letter is a "
        "character, too.)",
        answer,
        mistakes=[
            Mistake(
                "characters-not-bytes",
                len(text),
                "This is the number of characters. What are the first symbols of byte-level BPE?",
            ),
            Mistake(
                "three-bytes-each",
                3 * len(text) if 3 * len(text) != answer else None,
                "This is three bytes for every character. How many does each of them take?",
            ),
            Mistake(
                "two-bytes-each",
                2 * len(text),
                "This is two bytes for every character. How many does each of them take?",
            ),
            Mistake(
                "two-or-one",
                latin + 2 * others,
                "This is two bytes for each character that is not plain Latin. Do all scripts take two?",
            ),
            Mistake(
                "three-or-one",
                latin + 3 * others,
                "This is three bytes for each character that is not plain Latin. Do all scripts take three?",
            ),
            Mistake(
                "letters-without-signs",
                len(letters.encode()) if letters != text else None,
                "This leaves out the signs around the Burmese letters. Are they not characters?",
            ),
            Mistake(
                "whole-text",
                1,
                "This is one token for the whole text. No merge is learned yet: what are the tokens before the first "
                "one?",
            ),
            Mistake(
                "accents-free",
                answer - text.count("é") if "é" in text else None,
                "This gives `é` one byte, like an `e`. What does the accent cost?",
            ),
            Mistake(
                "cyrillic-as-latin",
                answer - len(cyrillic) if cyrillic else None,
                "This gives a Cyrillic letter one byte, like one of the Latin alphabet. How many does it take?",
            ),
            Mistake(
                "emoji-three-bytes",
                answer - 1 if "🤗" in text else None,
                "This gives the emoji three bytes, like a Chinese character. How many does it take?",
                rare=True,
            ),
            Mistake(
                "letters-by-sight",
                len(letters) if len(letters) != answer else None,
                "This is how many letters one sees. What are the first symbols of byte-level BPE?",
            ),
            Mistake(
                "one-for-each-part",
                len(parts) if len(parts) != answer else None,
                "This is one token for each piece of writing. What are the first symbols of byte-level BPE?",
            ),
        ],
        hints=[
            "How many characters are there, and of which scripts?",
            "Add up the bytes of each character.",
            "In Python: the length of `text.encode()`.",
        ],
        solution="Bytes by character: {by_character}.",
        why="Before the first merge every byte is a token, and a character is one to four bytes.",
        evidence=lambda value: say(
            "That is one too many. `{most}` has no space in front; what would a `Ġ` stand for?"
            if value == answer + 1
            else "This is one token for each character that is no emoji, and the bytes of the emoji. What do the "
            "others take?"
            if "🤗" in text and value == len(text) + 3
            else "{far} `{most}` alone is {characters:character|characters} and {size} bytes; what does the "
            "rest take?",
            far=how_far(value, answer),
            most=most,
            characters=len(most),
            size=len(most.encode()),
        ),
        figures=locals()
        | {"by_character": ", ".join(f"`{char}` {len(char.encode())}" for char in text)},
    )


@exercise("bpe-13", "In which order were they made?", Ordering())
def order_of_tokens(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    steps = list(bpe.train_steps(freqs, num_merges=4))
    if len(steps) < 4 or any(step.tied for step in steps):
        return None
    answer = [step.token for step in steps]
    shown, last = rng.shuffle(answer), bpe.token_freqs(freqs, steps[3].splits, keep=answer)
    short, alphabet = sorted(shown, key=len), sorted(shown)
    each_once = bpe.train(dict.fromkeys(freqs, 1), num_merges=99)
    by_type = [token for token in map("".join, each_once.merges) if token in answer]

    def evidence(value: list[str]) -> str:
        step, token = next(
            (step, token) for step, token in zip(steps, value) if token != step.token
        )
        count = step.pair_freqs.get(steps[answer.index(token)].pair, 0)
        each_once = (
            "This is the order when every word counts once. How often does each word occur? "
        )
        return each_once * (value == by_type) + (
            say(
                "At place {place} you have `{token}`. Its pair occurs {count:times} at that point, and another "
                "one {most:times}.",
                place=step.number,
                token=token,
                count=count,
                most=step.count,
            )
            if count
            else say(
                "At place {place} you have `{token}`, but one of its two parts is not there yet.",
                place=step.number,
                token=token,
            )
        )

    return Question(
        "BPE made four tokens from this corpus.\n\n{freqs:table}\n\nIn which order were they made?",
        answer,
        listed=shown,
        mistakes=[
            Mistake(
                "last-first",
                answer[::-1],
                "In this order the most frequent pair comes last. When is it merged?",
            ),
            Mistake(
                "shortest-first",
                short,
                "Short tokens did come first. But in which order do equally long ones come?"
                if list(map(len, short)) == list(map(len, answer))
                else "In this order short tokens come first. Can a long one be made before a short one that is rarer?",
            ),
            Mistake(
                "alphabetical",
                alphabet,
                "This is the order of the alphabet. How does training choose what it merges?",
            ),
            Mistake(
                "most-frequent-in-the-end",
                sorted(shown, key=lambda token: -last[token]),
                "This is how frequent the tokens are in the end. How frequent was each pair when it was merged?",
            ),
            Mistake(
                "as-listed",
                shown if shown != answer else None,
                "This is the order in which the tokens are listed, which somebody shuffled.",
            ),
            Mistake(
                "from-z-backward",
                alphabet[::-1] if alphabet[::-1] != answer else None,
                "This is the order of the alphabet, backward. How does training choose what it merges?",
            ),
        ],
        hints=[
            "Which pair is the most frequent one at the beginning?",
            "A token can only be made when its two parts exist.",
            "The pairs occurred {counts} times when they were merged.",
        ],
        solution=by_step(steps),
        why="At every turn the most frequent pair of that moment is merged, short or long.",
        evidence=evidence,
        figures=locals() | {"counts": ", ".join(str(step.count) for step in steps)},
    )


@exercise("bpe-14", "Where two encoders part", Choice(), level="transfer")
def where_encoders_part(rng: Rng) -> Question | None:
    model, apart, alike = overlapping_words(rng)
    if not apart or len(alike) < 3:
        return None
    word, others = rng.choice(apart), rng.sample(alike, 3)
    replay, longest = (
        bpe.encode_word(word, model),
        bpe.encode_word(word, model, method="longest-first"),
    )
    return Question(
        "One encoder replays these merges in order. Another one cuts out the longest token that stands anywhere "
        "in the word (the leftmost, if there are several), and does the same to what is left of it and right of "
        "it. On which word do they differ?\n\n{merges:merges}",
        word,
        mistakes=[
            Mistake(
                f"same-on-both-{n}",
                other,
                say(
                    "On `{other}` both give {tokens:tokens}.",
                    other=other,
                    tokens=bpe.encode_word(other, model),
                ),
            )
            for n, other in enumerate(others, 1)
        ],
        hints=[
            "They can only differ where two tokens overlap in the word.",
            "Look for a token whose last letters are the first letters of another.",
            "For each word: which is the longest token in it, and does an earlier merge take one of its letters?",
        ],
        solution="Merge order gives {replay:tokens}, longest first {longest:tokens}.",
        why="Merge order gives {replay:tokens} and longest first {longest:tokens}: two tokens overlap there.",
        figures=locals() | {"merges": model.merges},
    )
