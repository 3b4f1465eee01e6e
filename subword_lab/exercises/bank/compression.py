"""The exercises of lesson 04: byte-pair compression, and what words made of it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate
from os.path import commonprefix
from typing import Any

from ... import bpe, compression, wordpiece
from ...studies import merging
from ...wordpiece import WordPieceModel
from .. import (
    Choice,
    Merges,
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
from ..kinds import Invalid
from ..words import as_tokens, say, table
from .corpora import word_freqs

LATIN = "bcdfghklmnprst"  # without vowels, so that no pair of letters is an English word
CHINESE = "人口山木水火日月"
SCRIPTS = (
    LATIN,
    LATIN,
    LATIN,
    "абвдеклмнорст",
    CHINESE,
    "ကခတနမသ",
)  # where no letters have to be typed
MOTIFS = ("aaab", "aab", "abab", "abba", "aabb", "abc", "aaa", "abcb")
MARK = "</w>"
COUNT = Number(form="a whole number, such as 1234")
strings: Any = compression  # its types allow bytes as well; here is nothing but strings


def repeating(rng: Rng, low: int = 9, high: int = 14, alphabet: str = LATIN) -> str:
    """A string that repeats itself: a motif, again and again, with single letters between.

    >>> repeating(Rng("a"))
    'nmnmnmnmnmnms'
    """
    while True:
        letters, motif = rng.sample(alphabet, 4), rng.choice(MOTIFS)
        parts = [motif if rng.below(3) else rng.choice("abcd") for _ in range(rng.between(3, 6))]
        string = "".join(letters["abcd".index(letter)] for letter in "".join(parts))
        if (
            low <= len(string) <= high
            and len(set(string)) > 2
            and not any(letter * 5 in string for letter in letters)
        ):
            return string


def bare(typed: str) -> str:
    """The letters alone, without words between them, such as 'Y stands for' (no text here holds a vowel)."""
    return re.sub(r"\b[A-Z]?[a-z]*[aeiouy][a-z]*\b|[\W\d_]", "", typed)


def pair_in(typed: str) -> str:
    """The pair in `ab`, `a + b`, `Z=ab` or `ab, 4 times`."""
    words = re.findall(r"[^\W\d_]+", typed)
    pairs = [word for word in words if len(word) == 2]
    return pairs[0] if len(pairs) == 1 else "".join(words)


def leading(counts: Mapping[str, int]) -> list[str]:
    """The most frequent first; of equals the one that was met first."""
    return sorted(counts, key=lambda name: -counts[name])


def written(rules: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{symbol}={pair}" for symbol, pair in rules]


@exercise(
    "compression-01",
    "The next replacement",
    Text(form="two symbols, such as xy", example='"xy"', case=True),
    level="recall",
    core=True,
)
def next_replacement(rng: Rng) -> Question | None:
    a, b, c, d = rng.sample(LATIN, 4)
    parts = [rng.choice((a, a, a, b, b, c, d, "Z", "Z", "Z")) for _ in range(rng.between(12, 16))]
    if not rng.below(4):  # here the way of counting decides
        run, other = rng.choice(([a * 5], [a * 3] * 2)), b + rng.choice([c, "Z"])
        parts = rng.shuffle([*run, *[other] * 3, *rng.sample([a, b, c, d], 2), "Z"])
    data = "".join(parts)
    freqs, in_twos = (
        strings.pair_freqs(data),
        Counter(data[i : i + 2] for i in range(0, len(data) - 1, 2)),
    )
    pair, second = leading(freqs)[:2]
    commonest = leading(Counter(data))[0]
    if freqs[pair] < 3 or freqs[pair] == freqs[second] or "Z" not in data:
        return None

    def evidence(value: str) -> str:
        tried = pair_in(value)
        if tried.casefold() == pair.casefold():
            return ""  # the kind speaks of capitals
        if len(tried) != 2:
            return "A pair is two symbols, one next to the other."
        if tried == leading(by_runs)[0]:
            return "This pair leads if `qqq` holds `qq` three times. At how many places does it begin there?"
        return say(
            "`{tried}`, in this order, occurs {count:times}, and another pair more often.",
            tried=tried,
            count=freqs.get(tried, 0),
        )

    by_runs = {
        pair: sum(
            len(run) - (len(run) == 2)
            for run, _ in re.findall(r"((.)\2+)", data)
            if run[:2] == pair
        )
        or freqs[pair]
        for pair in freqs
    }
    tally = ", ".join(f"`{other}` {freqs[other]}" for other in leading(freqs))
    mistakes = [
        Mistake(
            "commonest-symbol-first",
            next(other for other in leading(freqs) if other[0] == commonest),
            "This pair begins with `{commonest}`, and no symbol occurs more often. Does another *pair*?",
        ),
        Mistake(
            "one-symbol",
            commonest,
            "`{commonest}` is one symbol, the commonest. Which *pair* leads?",
        ),
        Mistake(
            "what-can-be-replaced",
            leading(strings.pair_freqs(data, "non-overlapping"))[0],
            "No pair can be *replaced* more often. How often is `qq` in `qqq` if every position counts?",
        ),
        Mistake(
            "turned-around",
            pair[::-1],
            "These are the two symbols. In which order do they stand next to each other most often?",
        ),
        Mistake(
            "counted-in-twos",
            leading(in_twos)[0],
            "With the text cut into twos, no pair occurs more often. Can a pair begin at the second symbol?",
        ),
        Mistake(
            "original-symbols-only",
            next((other for other in leading(freqs) if "Z" not in other), None),
            "No pair of letters alone occurs more often. Is `Z` a symbol like the others?",
        ),
        Mistake(
            "first-pair",
            data[:2],
            "This pair stands at the beginning. Does the place matter, or how often a pair occurs?",
        ),
    ]
    if len({mistake.value for mistake in mistakes} - {pair}) < 4:
        return None
    count = freqs[pair]
    at_the_end = "This pair stands at the end. Does the place matter, or how often a pair occurs?"
    mistakes.append(Mistake("last-pair", data[-2:], at_the_end))
    return Question(
        "`Z` is the symbol of an earlier rule. Which pair of neighbors is replaced next in `{data}`? It is "
        "the most frequent one; every position counts, overlapping ones too.",
        answer=pair,
        accept=lambda value: pair_in(value) == pair,
        evidence=evidence,
        mistakes=[mistake for mistake in mistakes if mistake.value != pair],
        hints=[
            "Move a window of two symbols from left to right, one place at a time, and keep a tally.",
            "In a run such as `qqq` the pair `qq` occurs in two places, and both count here.",
            "The pair that you look for occurs {count:times}.",
        ],
        solution="The tally: {tally}.",
        why="`{pair}` occurs {count:times}, and no other pair as often, overlapping places counted.",
        figures=locals(),
    )


@exercise(
    "compression-02",
    "Before you run it",
    prediction(Text(form="a string, such as ZYdZYac", example='"ZYdZYac"', case=True)),
)
def before_you_run_it(rng: Rng) -> Question | None:
    data = repeating(rng, 8, 13)
    steps, (pair, second) = (
        list(strings.compress_steps(data, num_rules=2)),
        leading(strings.pair_freqs(data))[:2],
    )
    if (
        len(steps) < 2
        or any(step.tied for step in steps)
        or (second not in steps[0].data and rng.below(2))
    ):
        return None  # mostly such figures that counting anew matters
    (once, twice), next_pair = (step.data for step in steps), steps[1].pair
    lines = "\n".join(
        say(
            "{number}. `{pair}` becomes `{symbol}`: `{data}`",
            number=step.number,
            pair=step.pair,
            symbol=step.symbol,
            data=step.data,
        )
        for step in steps
    )
    roads: dict[str, tuple[str, str]] = {}  # by what two rules leave: the pairs that they replace
    for first in (pair, *strings.pair_freqs(data)):
        after = data.replace(first, "Z")
        for then in strings.pair_freqs(after):
            roads.setdefault(after.replace(then, "Y"), (first, then))
    from_the_right = data[::-1].replace(pair[::-1], "Z").replace(next_pair[::-1], "Y")[::-1]
    another, _ = roads.get(from_the_right, (pair, next_pair))
    length = len(twice)

    def evidence(value: str) -> str:
        value = bare(value)
        if value.casefold() == twice.casefold():
            return ""  # the kind speaks of capitals
        if strange := set(value) - set(data) - set("ZY"):
            return say(
                "`{letter}` is no letter of the text, and not one of the two new symbols.",
                letter=min(strange),
            )
        opened = strings.undo(value, [("Y", next_pair), ("Z", pair)])
        if opened == data:
            return (
                "It stands for the right text, but one of the two pairs is still left somewhere."
                if pair in value or next_pair in value
                else "It stands for the right text, but the two rules, from left to right, leave another string."
            )
        if road := roads.get(value):
            return say(
                "The first rule is right. In `{after}` the pair `{then}` occurs {count:times}, and another one "
                "more often."
                if road[0] == pair
                else "`Z` is put for `{first}` here, which occurs {number:times}, another pair more often.",
                first=road[0],
                number=steps[0].pair_freqs.get(road[0], 0),
                after=once,
                then=road[1],
                count=strings.pair_freqs(once).get(road[1], 0),
            )
        same = commonprefix([opened, data])  # noqa: RUF071      # characters are meant
        return (
            say("Undone, it ends too early: `{missing}` is missing.", missing=data[len(same) :])
            if same == opened
            else "Undone, it is the text, and goes on past its end."
            if same == data
            else say("Undone, it goes wrong after `{same}`.", same=same)
            if same
            else "Undone, it begins with another letter."
        )

    return Question(
        "What does this show? Say it before you run it. New symbols are `Z`, then `Y`; every position "
        "counts.\n\n```\ncompression.compress({data!r}, num_rules=2).data\n```",
        answer=twice,
        accept=lambda value: bare(value) == twice,
        evidence=evidence,
        mistakes=[
            Mistake(
                "one-rule-only",
                once,
                "This is the string after one rule. How many does the call ask for?",
            ),
            Mistake(
                "never-recounted",
                data.replace(pair, "Z").replace(second, "Y"),
                "Here two leading pairs of the first count are replaced. Which pair leads after the first rule?",
            ),
            Mistake(
                "from-the-right",
                from_the_right,
                "This comes out when replacing begins at the right end. What becomes of `qqq` from the left, `Zq` or "
                "`qZ`?"
                if another == pair
                else "This comes out when replacing begins at the right end, or when `Z` is put for `{another}`. What "
                "becomes of `qqq` from the left, `Zq` or `qZ`? Or is any pair in more places than `{another}`?",
            ),
            Mistake(
                "same-symbol-twice",
                twice.replace("Y", "Z"),
                "`Z` is the only new symbol here. Each rule replaces a pair: which symbol does the second write?",
            ),
            Mistake(
                "one-place-a-rule",
                data.replace(pair, "Z", 1).replace(next_pair, "Y", 1),
                "Here each rule has replaced one place. Where else does its pair stand?",
            ),
            Mistake(
                "symbols-exchanged",
                twice.translate(str.maketrans("ZY", "YZ")),
                "`Z` and `Y` have changed places here. Which of them belongs to the first rule?",
            ),
        ],
        hints=[
            "Which pair occurs most often? Put `Z` in its place, from left to right.",
            "Now count the new string: `Z` forms pairs like any other symbol.",
            "The result has {length} symbols.",
        ],
        solution="{lines}",
        why="After the first rule the counts are new, and in `{once}` the leading pair is `{next_pair}`.",
        figures=locals(),
    )


@exercise(
    "compression-03",
    "Write the table",
    points=2,
    kind=Tokens(
        form="rules in the order in which they are made, such as Z=qq Y=Zx",
        example='["Z=qq", "Y=Zx"]',
    ),
)
def write_the_table(rng: Rng) -> Question | None:
    string = repeating(rng, 10, 16)
    data = string.replace(string[0], "Z")  # a capital that is taken already
    steps = list(strings.compress_steps(data))
    if not 2 <= len(steps) <= 3 or any(step.tied for step in steps):
        return None
    table = dict(steps[-1].table)
    answer, pairs = written(table.items()), list(table.values())
    if not set("".join(pairs)) & set(table):
        return None  # no rule builds on another
    lines = "\n".join(
        say("{number}. `{rule}` leaves `{data}`", number=step.number, rule=rule, data=step.data)
        for step, rule in zip(steps, answer)
    )

    def renamed(names: str) -> list[str]:
        return [rule.translate(str.maketrans(dict(zip(table, names)))) for rule in answer]

    def evidence(value: list[str]) -> str:
        typed, before = bare(" ".join(value)), data
        if len(typed) % 3:
            return "A rule is three symbols: the new one, and the two that it replaces."
        theirs = [(typed[i], typed[i + 1 : i + 3]) for i in range(0, len(typed), 3)]
        for (symbol, pair), step in zip(theirs, steps):
            if pair != step.pair:
                return say(
                    "Rule {number} is made for `{before}`. There `{pair}` occurs {count:times}, and "
                    "another pair more often.",
                    number=step.number,
                    before=before,
                    pair=pair,
                    count=step.pair_freqs.get(pair, 0),
                )
            if symbol != step.symbol:
                return say(
                    "Rule {number} replaces the correct pair. Which capital is free for it, from `Z` "
                    "backward?",
                    number=step.number,
                )
            before = step.data
        done = min(len(theirs), len(steps))
        return say(
            "After rule {done} the text is `{before}`. Does a pair repeat there, or is this the "
            "end?",
            done=done,
            before=before,
        )

    count = len(steps)
    return Question(
        "Compress `{data}` until no pair repeats. Every position counts. New symbols are the capitals that "
        "the text does not use, from `Z` backward. Write down the rules, each with the two symbols that it "
        "replaces.",
        answer=answer,
        evidence=evidence,
        accept=lambda value: (
            bare(" ".join(value))
            in (bare(" ".join(answer)), "".join(map("".join, zip(pairs, table))))
        ),
        mistakes=[
            Mistake(
                "meaning-not-pair",
                written((made, steps[-1].table.meaning(made)) for made in table),
                "These rules say what their symbols mean in the end. Which *two* symbols does each replace?",
            ),
            Mistake(
                "no-new-symbols",
                written(strings.compress(data, recursive=False).table.items()),
                "All pairs here are of symbols that the text had at the start. Can a new symbol be in a pair?",
            ),
            Mistake(
                "last-rule-first",
                answer[::-1],
                "This is the order for undoing them. Which rule was made first?",
            ),
            Mistake(
                "used-symbol-taken",
                renamed("ZYX"),
                "These rules begin with `Z`, which the text already holds. How would a reader know which is which?",
            ),
            Mistake(
                "capitals-from-a-on",
                renamed("ABC"),
                "These symbols run from `A` forward. At which end of the alphabet do they begin?",
            ),
            Mistake(
                "never-recounted",
                written(zip(table, leading(strings.pair_freqs(data)))),
                "These are leading pairs of the first count. What does the text look like after the first rule?",
            ),
        ],
        hints=[
            "Which capitals does the text use already? They are taken.",
            "After each rule write the new text down, and count again.",
            "There are {count} rules, and one of them holds a symbol that another one made.",
        ],
        solution="{lines}",
        why="A rule names two symbols, and these may be new ones: so short rules come to stand for long texts.",
        figures=locals(),
    )


@exercise(
    "compression-04",
    "Back to the text",
    Text(form="a string, such as aaabdaaabac", example='"aaabdaaabac"', case=True),
    core=True,
)
def back_to_the_text(rng: Rng) -> Question | None:
    text = repeating(rng, 10, 16)
    compressed = strings.compress(text, num_rules=3)
    data, table, rules = compressed.data, compressed.table, list(compressed.table.items())
    one_place_each = data
    for symbol, pair in reversed(rules):
        one_place_each = one_place_each.replace(symbol, pair, 1)
    opening = " → ".join(
        f"`{strings.undo(data, rules[::-1][:number])}`" for number in range(len(rules) + 1)
    )

    def evidence(value: str) -> str:
        value, done = bare(value), 0
        if value.casefold() == text.casefold():
            return ""  # the kind speaks of capitals
        if left := [symbol for symbol in table if symbol in value]:
            return say(
                "`{symbol}` is still in it. Was it in the text, or was it made by a rule?",
                symbol=left[0],
            )
        for symbol in dict.fromkeys(data):
            parts = ["\\1" if each == symbol else re.escape(table.meaning(each)) for each in data]
            parts[data.index(symbol)] = "(.+)"
            if theirs := re.fullmatch("".join(parts), value):
                return say(
                    "Where `{data}` has `{symbol}`, yours has `{theirs}`. What does `{symbol}` stand for?",
                    data=data,
                    symbol=symbol,
                    theirs=theirs[1],
                )
        for number, symbol in enumerate(data, 1):
            if not value.startswith(table.meaning(symbol), done):
                return say(
                    "It goes wrong at symbol {number} of `{data}`, which is `{symbol}`. What does that "
                    "stand for?",
                    number=number,
                    data=data,
                    symbol=symbol,
                )
            done += len(table.meaning(symbol))
        return "The whole text is there, and then it should end."

    length = len(text)
    return Question(
        "Somebody sent you `{data}` with this table, its rules in the order in which they were "
        "made:\n\n{table:rules}\n\nWhat was the text?",
        answer=text,
        accept=lambda value: bare(value) == text,
        evidence=evidence,
        mistakes=[
            Mistake(
                "first-rule-first",
                strings.undo(data, rules),
                "This comes out when the first rule is undone first. Which symbols does the last one bring out?",
            ),
            Mistake(
                "one-rule-undone",
                strings.undo(data, rules[-1:]),
                "Here the last rule is undone, and no other. Which symbols are still closed?",
            ),
            Mistake(
                "first-rule-forgotten",
                strings.undo(data, rules[:0:-1]),
                "Here all rules but the first are undone. What does its symbol stand for?",
            ),
            Mistake(
                "pairs-turned-around",
                strings.undo(data, [(symbol, pair[::-1]) for symbol, pair in rules[::-1]]),
                "Here each pair is the wrong way around. If `Z` stands for `ab`, which letter is on the left?",
            ),
            Mistake(
                "one-place-a-rule",
                one_place_each,
                "Here every symbol was opened in one place only. Where else does it stand?",
            ),
        ],
        hints=[
            "Which symbols of the data are not letters of the text? The table tells.",
            "Undo the rule first that was made last.",
            "The text has {length} symbols.",
        ],
        solution="The last rule first: {opening}.",
        why="A rule brings out symbols of earlier rules, never of later ones: from last to first, one pass is enough.",
        figures=locals(),
    )


@exercise("compression-05", "The order got lost", Ordering(), level="transfer")
def the_order_got_lost(rng: Rng) -> Question | None:
    letters, symbols = rng.sample(rng.choice((LATIN, CHINESE)), 3), rng.sample("KLMNPQRSTVWXYZ", 4)
    rules: list[tuple[str, str]] = []
    for symbol in symbols:  # most rules build on the one before
        part = (
            rules[-1][0]
            if rules and rng.below(4)
            else rng.choice([*letters, *symbols[: len(rules)]])
        )
        rules.append((symbol, "".join(rng.shuffle([part, rng.choice(letters)]))))
    data = "".join(rng.choice([*symbols[2:], *letters]) for _ in range(4)) + symbols[3]
    answer, shown = written(rules[::-1]), rng.shuffle(written(rules))

    def undone(order: list[str]) -> str:
        return strings.undo(data, [(rule[0], rule[2:]) for rule in order])

    def evidence(order: list[str]) -> str:
        closed = next((rule[0] for rule in order if rule[0] in undone(order)), "")
        return say(
            "Your order ends with `{end}`. Which rule brought `{closed}` out, and when was its "
            "own turn?",
            end=undone(order),
            closed=closed,
        )

    opening = " → ".join(f"`{undone(answer[:number])}`" for number in range(5))
    return Question(
        "`{data}` came with the rules below, and nobody knows in which order they were made. In which "
        "order do you undo them, so that one pass through the rules is enough? If several orders "
        "work, any of them is right.",
        answer=answer,
        listed=shown,
        accept=lambda order: not set(undone(order)) & set(symbols),
        evidence=evidence,
        mistakes=[
            Mistake(
                "first-made-first",
                answer[::-1],
                "This is an order in which the rules could have been *made*. Which way does undoing go?",
            ),
            Mistake(
                "alphabetical",
                sorted(shown),
                "This order goes by the alphabet. Does the letter of a symbol say when its rule was made?",
            ),
            Mistake(
                "from-z-backward",
                sorted(shown)[::-1],
                "This order goes from `Z` backward. Does the letter of a symbol say when its rule was made?",
            ),
            Mistake(
                "as-they-stand",
                sorted(shown, key=lambda rule: (data + rule[0]).index(rule[0])),
                "This order follows the data from left to right. Are there symbols that only come out of others?",
            ),
            Mistake(
                "as-listed",
                shown if set(undone(shown)) & set(symbols) else None,
                "This is the order in which the rules are listed, which somebody shuffled.",
            ),
        ],
        hints=[
            "Which symbols occur inside the pairs of other rules?",
            "If the pair of one rule holds the symbol of another, the first of the two comes before the second.",
            "Begin with a rule whose symbol is in no pair.",
        ],
        solution="One by one: {opening}. Any order is right that undoes a rule before those whose symbols it brings "
        "out.",
        why="Every rule is undone before those whose symbols it brings out: so nothing is brought out too late.",
        figures=locals(),
    )


@exercise("compression-06", "Count, and replace", COUNT, core=True)
def count_and_replace(rng: Rng) -> Question | None:
    letter, *others = rng.sample(rng.choice(SCRIPTS), 3)
    data = (
        "".join(letter * rng.between(1, 6) + rng.choice(others) for _ in range(rng.between(3, 4)))
        + letter
    )
    pair, runs, number = letter * 2, re.findall(f"{letter}+", data), data.count(letter)
    answer = data.count(pair)

    def evidence(value: float) -> str:
        return (
            say(
                "That many would use up {used} `{letter}`, and the text has {number}.",
                used=2 * value,
                letter=letter,
                number=number,
            )
            if 2 * value > number
            else say(
                "The runs are {runs:tokens}. How many pairs fit into each, side by side?", runs=runs
            )
        )

    replaced = data.replace(pair, "Z")
    return Question(
        "A rule replaces `{pair}` with `Z`, from left to right. How many `Z` does it write in "
        "`{data}`?",
        answer=answer,
        evidence=evidence,
        mistakes=[
            Mistake(
                "overlapping-count",
                strings.pair_freqs(data).get(pair, 0),
                "This is the number of positions, overlapping or not. What is left of `qqq` after the first `Z`?",
            ),
            Mistake(
                "half-of-all",
                number // 2,
                "This is half of all `{letter}`, in whole pairs. Can letters of two runs become one `Z`?",
            ),
            Mistake(
                "one-per-run",
                sum(len(run) > 1 for run in runs),
                "This is the number of runs with two `{letter}` or more. How many pairs does a run of four hold?",
            ),
            Mistake(
                "rounded-up",
                sum((len(run) + 1) // 2 for run in runs),
                "This also counts every `{letter}` that is left alone. Is one letter a pair?",
            ),
            Mistake(
                "odd-runs-rounded-up",
                sum((len(run) + 1) // 2 for run in runs if len(run) > 1)
                if any(len(run) % 2 for run in runs if len(run) > 1)
                else None,
                "This gives every run of odd length one more. Can its last letter be a pair by itself?",
            ),
            Mistake(
                "all-runs",
                len(runs),
                "This is the number of runs, long and short. Does a single `{letter}` become `Z`?",
            ),
            Mistake(
                "what-is-left",
                number - 2 * answer,
                "This counts the `{letter}` that are left over. How many `Z` are there?",
            ),
            Mistake(
                "letters-not-pairs",
                number,
                "This counts the `{letter}` of the text. How many of them make one `Z`?",
            ),
            Mistake(
                "letters-used-up",
                2 * answer,
                "This counts the `{letter}` that are used up. How many of them make one `Z`?",
            ),
            Mistake(
                "length-afterwards",
                len(data) - answer if len(data) != 2 * answer else None,
                "This is the length of the text afterwards. How many `Z` are in it?",
            ),
        ],
        hints=[
            "Take one run of equal letters at a time.",
            "In a run, cross out two letters at a time, from the left.",
            "Write below each of {runs:tokens} how many pairs fit into it, and add up.",
        ],
        solution="After the rule the text is `{replaced}`.",
        why="Each `Z` uses up two neighbors of one run, so a run gives half its length, rounded down.",
        figures=locals(),
    )


@exercise("compression-07", "What has to be sent", COUNT, level="recall", core=True)
def what_has_to_be_sent(rng: Rng) -> Question | None:
    text = repeating(rng, 10, 18, rng.choice(SCRIPTS))
    compressed = strings.compress(text)
    data, table, size = compressed.data, compressed.table, compressed.size
    if len(table) < 2:
        return None

    def evidence(value: float) -> str:
        left = value - len(data)
        if value in (len(data), table.size):
            return ""  # the message says which of the two was counted
        if left < 0:
            return say("The data alone, `{data}`, is longer than that.", data=data)
        if left == size:  # which would give the answer away
            return say(
                "After `{data}` comes the table. How many lines does it have, and how many symbols "
                "a line?",
                data=data,
            )
        return say(
            "After `{data}` comes the table, for which this leaves {left}. How many lines does "
            "it have, and how many symbols a line?",
            data=data,
            left=left,
        )

    sent, rules, length = len(data), len(table), len(text)
    return Question(
        "`{text}` has become `{data}`, with this table:\n\n{table:rules}\n\nA rule is sent as its symbol and "
        "the two that it stands for. How many symbols have to be sent in all, data and table?",
        answer=size,
        evidence=evidence,
        mistakes=[
            Mistake(
                "table-forgotten",
                len(data),
                "This is the data alone. Can somebody read it who has no table?",
            ),
            Mistake(
                "data-forgotten", table.size, "This is the table alone. What does it belong to?"
            ),
            Mistake(
                "two-a-rule",
                len(data) + 2 * len(table),
                "This is what it takes if a rule is only its pair. How does the receiver know whose pair it is?",
            ),
            Mistake(
                "one-a-rule",
                len(data) + len(table),
                "This counts one symbol a rule. What else is in a rule?",
            ),
            Mistake(
                "table-and-original",
                len(text) + table.size,
                "This is the table with the text as it was before. Which of the two texts is sent?",
            ),
            Mistake(
                "original",
                len(text),
                "This is the length of the text itself. What is sent in its place?",
            ),
            Mistake(
                "meanings",
                len(data) + sum(1 + len(table.meaning(symbol)) for symbol in table),
                "This is what it takes if each rule holds its symbol's meaning at length. What does a rule hold?",
            ),
        ],
        hints=[
            "Two things have to be sent: which?",
            "How many symbols is one line of the table?",
            "Count the symbols of the data, then three for every line of the table.",
        ],
        solution="{sent} symbols of data, and {rules} rules of three symbols. The text had {length}.",
        why=(
            (
                "Nobody can read the data without its table; together they are {size}, and the text was {length}: "
                "it pays."
            )
            if size < len(text)
            else (
                "Nobody can read the data without its table; together they are {size}, and the text was {length}: "
                "nothing is gained."
            )
        ),
        figures=locals(),
    )


@exercise("compression-08", "Which rule pays?", Choice())
def which_rule_pays(rng: Rng) -> Question | None:
    a, b, c, d, e, f = rng.sample(rng.choice(SCRIPTS), 6)
    good, even, run = a + b, c + d, e + e
    parts = [
        *[good] * rng.between(4, 5),
        *[even] * 3,
        e * rng.between(6, 7),
        *[f] * rng.between(4, 5),
    ]
    data = "".join(rng.shuffle(parts))
    freqs, apart = strings.pair_freqs(data), strings.pair_freqs(data, "non-overlapping")
    rare = next((pair for pair in freqs if freqs[pair] == 1 and f in pair and pair != f * 2), "")
    if not (apart[good] > 3 and apart[even] == apart[run] == 3 and rare):
        return None
    count, positions = apart[good], freqs[run]
    return Question(
        "A rule costs three symbols in the table. For which pair does a rule make text and table together "
        "*shorter*?\n\n`{data}`",
        answer=f"`{good}`",
        mistakes=[
            Mistake(
                "breaks-even",
                f"`{even}`",
                "`{even}` is replaced three times, which saves three symbols. What does its rule cost?",
            ),
            Mistake(
                "overlapping-count",
                f"`{run}`",
                "`{run}` occurs in {positions} places, but they overlap. How often can it be *replaced*?",
            ),
            Mistake(
                "frequent-symbols",
                f"`{rare}`",
                "`{rare}` is replaced once, which saves one symbol. What does its rule cost?",
            ),
        ],
        hints=[
            "How much does one replacement save?",
            "How often must a pair be replaced until its rule is paid for?",
            "Cross the replacements out, from left to right: no symbol twice.",
        ],
        solution="`{good}` is replaced {count} times and saves as many symbols, for three in the table.",
        why="Each replacement saves one symbol, and a rule costs three: it pays from its fourth replacement on.",
        figures=locals(),
    )


PREFERENCES = {
    "literal-first": "a pair of original symbols, before any with a new one",
    "first-seen": "the pair that is met first in the text",
    "greatest": "the pair that comes last in the alphabet",
}


@exercise("compression-09", "Which tie rule?", Choice(), level="transfer")
def which_tie_rule(rng: Rng) -> Question | None:
    data, taken = repeating(rng, 8, 14, rng.choice(SCRIPTS[:4])), rng.choice(list(PREFERENCES))
    tables = {ties: strings.compress(data, ties=ties, num_rules=2).table for ties in PREFERENCES}
    if len({tuple(table.items()) for table in tables.values()}) < 3:
        return None
    lines = "\n".join(
        say(
            "{number}. `{pair}` was taken; as frequent: {tied:tokens}"
            if step.tied
            else "{number}. `{pair}` was taken; no other is as frequent",
            number=step.number,
            pair=step.pair,
            tied=step.tied,
        )
        for step in strings.compress_steps(data, ties=taken, num_rules=2)
    )
    rules = tables[taken]
    return Question(
        "Somebody compressed `{data}`, counting every position. In the alphabet, capitals stand before all "
        "other letters. The first two rules were\n\n{rules:rules}\n\nOf equally frequent pairs, which did they "
        "prefer?",
        answer=PREFERENCES[taken],
        mistakes=[
            *(
                Mistake(
                    f"not-{ties}",
                    PREFERENCES[ties],
                    say(
                        "That habit leads to {rules:tokens}. Where do the two tables part?",
                        rules=written(table.items()),
                    ),
                )
                for ties, table in tables.items()
                if ties != taken
            ),
            Mistake(
                "no-tie",
                "there was no tie, so no rule was needed",
                "That would be so if one pair led at every step. Count again: did several share the first place?",
            ),
        ],
        hints=[
            "Count the pairs before each of the two rules: is there a tie?",
            "Write the most frequent pairs in the order of the text, and then in that of the alphabet.",
            "Does the pair that was taken hold a symbol that was made before?",
        ],
        solution="{lines}",
        why="Of the habits in the list only this one leads to both rules; the others part from the table at a tie.",
        figures=locals(),
    )


@exercise("compression-10", "What is left of a symbol", COUNT)
def what_is_left(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    step = next(bpe.train_steps(freqs, num_merges=1, end_of_word=MARK))
    if step.tied or step.pair[0] == step.pair[1]:
        return None
    part, other = rng.shuffle(step.pair) if MARK not in step.pair else step.pair
    before = bpe.token_freqs(freqs, bpe.split_words(freqs, MARK))[part]
    answer = bpe.token_freqs(freqs, step.splits, keep=[part])[part]
    holding = [word for word in freqs if part in word]
    keeping = [word for word, split in step.splits.items() if part in split]
    if not answer:
        return None

    def evidence(value: float) -> str:
        if value > before:
            return say(
                "Even before the merge `{part}` occurs only {before:times}.",
                part=part,
                before=before,
            )
        return say(
            "Go through {holding:tokens}: in which is `{part}` next to `{other}`?"
            if before - value == answer  # which would give the answer away
            else (
                "This means that {used} of {before} are used up. Go through {holding:tokens}: in which is `{part}` "
                "next to `{other}`?"
            ),
            holding=holding,
            part=part,
            other=other,
            before=before,
            used=before - value,
        )

    pair, count = step.pair, step.count
    return Question(
        "`</w>` closes every word, as one symbol of its own. BPE merges {pair:tokens} in this "
        "corpus:\n\n{freqs:table}\n\nHow often does `{part}` still occur in the corpus by itself, as a token "
        "of its own?",
        answer=answer,
        evidence=evidence,
        mistakes=[
            Mistake(
                "parts-disappear",
                0,
                "With 0, every `{part}` is merged. Does each stand next to `{other}`?",
            ),
            Mistake(
                "count-unchanged",
                before,
                "`{part}` occurs {before:times} *before* the merge. What is used up?",
            ),
            Mistake(
                "words-counted-once",
                sum(split.count(part) for split in step.splits.values()),
                "This counts each word once. How often does a word bring its symbols?",
            ),
            Mistake(
                "count-of-the-new-token",
                step.count,
                "The *new* token occurs {count:times}. How much of `{part}` is outside of it?",
            ),
            Mistake(
                "added",
                before + step.count,
                "This adds the merges to the count before. Do they bring parts?",
            ),
            Mistake(
                "one-merge-takes-one",
                before - 1,
                "This is one less than before. How often is the pair merged?",
            ),
        ],
        hints=[
            "Which words hold `{part}`, and how often does it occur in all?",
            "How often is the pair merged? Each time one is used up.",
            "Before the merge `{part}` occurs {before:times}.",
        ],
        solution="{before} before, and the pair is merged {count:times}. What is left stands in {keeping:tokens}.",
        why="Each merge uses up one `{part}`, as often as its word occurs; next to others it stays as it is.",
        figures=locals(),
    )


@exercise("compression-11", "How many tokens does it know?", COUNT, core=True)
def how_many_tokens(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    model = bpe.train(freqs, num_merges=rng.between(3, 6), end_of_word=MARK)
    counts, merges = merging.token_counts(freqs, model), len(model.merges)
    start, answer = counts[0].kept, counts[-1].kept
    if merges < 3 or answer != start + merges:
        return None

    def evidence(value: float) -> str:
        return (
            "Even before the first merge there are more different symbols than that."
            if value < start
            else "That is more than the symbols of the start and one token for each merge."
            if value > answer
            else say(
                "This leaves {rest} beside the symbols of the start. Does a merge take a token away?",
                rest=value - start,
            )
        )

    learned, letters, in_use = model.merges, start - 1, counts[-1].in_use
    return Question(
        "`</w>` closes every word, as one symbol of its own. BPE made these merges:\n\n{learned:merges}\n\nin "
        "this corpus:\n\n{freqs:table}\n\nHow many tokens are in its vocabulary now? No special tokens were "
        "added.",
        answer=answer,
        evidence=evidence,
        mistakes=[
            Mistake(
                "only-tokens-in-use",
                counts[-1].in_use,
                "These are the tokens that still *occur* in this corpus. Does BPE throw away what a new word may need?",
            ),
            Mistake(
                "mark-forgotten",
                answer - 1,
                "Is a letter left out, or `</w>`, which is a symbol like the others, or the token of the last merge?",
            ),
            Mistake(
                "parts-disappear",
                start - merges,
                "This comes out when a merge brings one token and takes two away. Does the vocabulary lose the parts "
                "of a merge?",
            ),
            Mistake(
                "merges-only",
                merges,
                "This is the number of merged tokens. What were they merged from?",
            ),
            Mistake(
                "start-only",
                start,
                "There were {start} before the first merge. What does a merge add?",
            ),
            Mistake(
                "letters-only",
                letters,
                "These are the letters alone. Is `</w>` a symbol, too, and what does a merge add?",
            ),
            Mistake(
                "words-and-merges",
                len(freqs) + merges if len(freqs) != start else None,
                "This is one token for each word and one for each merge. Are words tokens before the first merge?",
            ),
            Mistake(
                "start-and-words",
                start + len(freqs) if len(freqs) != merges else None,
                "These are the symbols of the start, and one token for each word. What does a merge add?",
            ),
            Mistake(
                "letters-counted-again",
                sum(len(set(word)) for word in freqs) + 1 + merges,
                "This counts a letter anew in every word. How many *different* letters are there?",
            ),
            Mistake(
                "unknown-added",
                answer + 1,
                "Is there a token in it that no merge brings, such as `[UNK]`, or was one symbol counted twice?",
            ),
        ],
        hints=[
            "How many different symbols does the corpus have before the first merge? Do not forget the mark.",
            "What does one merge add to the vocabulary, and what does it take away?",
            "There are {letters} different letters.",
        ],
        solution="{start} symbols at the start, the mark among them, and one token a merge. {in_use} of the tokens "
        "still occur in the corpus.",
        why="A merge adds one token and takes none away: the corpus gets shorter, and the vocabulary only grows.",
        figures=locals(),
    )


CHANGES = {
    1: (
        "it rises by one",
        "It rises by one if each of the two parts still stands by itself somewhere. Do both?",
    ),
    0: (
        "it does not change",
        "It does not change if just one of the parts is used up. Look for both in the words.",
    ),
    -1: (
        "it falls by one",
        "It falls by one if both parts are used up. Look for each of them in the words.",
    ),
    -2: (
        "it falls by two",
        "It falls by two if three tokens go, as one comes. How many can a merge use up?",
    ),
}


@exercise("compression-12", "More tokens, or fewer?", Choice(), level="transfer")
def more_or_fewer(rng: Rng) -> Question | None:
    freqs, number, wanted = word_freqs(rng), rng.between(1, 5), rng.choice([1, 0, -1])
    *earlier, step = bpe.train_steps(freqs, num_merges=number, end_of_word=MARK)
    splits = earlier[-1].splits if earlier else bpe.split_words(freqs, MARK)
    before, after = bpe.token_freqs(freqs, splits), bpe.token_freqs(freqs, step.splits)
    if step.token in before or step.pair[0] == step.pair[1] or len(after) - len(before) != wanted:
        return None
    gone = [part for part in step.pair if part not in after]
    corpus = "\n".join(
        say("- {split:tokens}, {freq:times}", split=split, freq=freqs[word])
        for word, split in splits.items()
    )
    pair, token = step.pair, step.token
    return Question(
        "A corpus is split like this:\n\n{corpus}\n\nNow {pair:tokens} is merged. What becomes of the number "
        "of different tokens *that occur* in the corpus?",
        answer=CHANGES[wanted][0],
        mistakes=[
            Mistake(what.replace(" ", "-"), what, message)
            for change, (what, message) in CHANGES.items()
            if change != wanted
        ],
        hints=[
            "One token is new. Which ones could be gone?",
            "A part is gone when it stands nowhere by itself any more.",
            "Write the words after the merge, and look for each of the two parts.",
        ],
        solution="After the merge the tokens are {after:tokens}.",
        why=(
            "One token comes, `{token}`; of its parts, used up: {gone:tokens}."
            if gone
            else "One token comes, `{token}`, and none of its parts is used up."
        ),
        figures=locals(),
    )


@exercise("compression-13", "Never a pair", Choice(), level="recall", version=2)
def never_a_pair(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    steps = list(bpe.train_steps(freqs, num_merges=rng.between(3, 5), end_of_word=MARK))
    splits, letters = steps[-1].splits, sorted(set("".join(freqs)))
    ends = [(word, split) for word, split in splits.items() if len(split) > 1 and split[-1] != MARK]
    missing = rng.choice(letters) + rng.choice(letters)
    if not ends or any(missing in word for word in freqs):
        return None
    ending, (*_, before, closed) = rng.choice(ends)
    after, last = rng.choice(list(splits.values()))[0], rng.choice(list(freqs))[-1]
    if after.endswith(MARK):
        return None
    rows = table(
        "times | tokens", [(freqs[word], as_tokens(split)) for word, split in splits.items()]
    )
    return Question(
        "`</w>` closes every word, at first as one symbol of its own. After some merges, a corpus looks like "
        "this:\n\n{rows}\n\nWhich of these pairs can BPE never count, on whatever corpus it is trained?",
        answer=f"`{closed}` + `{after}`",
        mistakes=[
            Mistake(
                "closes-a-word",
                f"`{before}` + `{closed}`",
                "`{before}` stands before `{closed}` in the tokens of `{ending}`. Why should BPE not count it?",
            ),
            Mistake(
                "with-the-mark",
                f"`{last}` + `{MARK}`",
                "Before the first merge, the mark is a symbol like the others. What stands before it where a word ends "
                "with `{last}`?",
            ),
            Mistake(
                "not-in-this-corpus",
                "`{}` + `{}`".format(*missing),
                "`{missing}` does not occur in these words. Could another word hold it?",
            ),
        ],
        hints=[
            "A token that a merge made counts as one symbol; what does each of them stand for?",
            "Where can a token that holds the mark stand in a word, and where not?",
            "A pair lies inside one word; nothing is counted from one word into the next.",
        ],
        solution="`{closed}` ends a word, and no pair reaches into the next word: nothing can stand after it.",
        why="Pairs lie inside one word, and after the mark no word goes on: so tokens never reach across words.",
        figures=locals(),
    )


@exercise("compression-14", "The longest token first", Segmentation())
def longest_token_first(rng: Rng) -> Question | None:
    tokens = rng.sample(LATIN, 3)
    merges: list[tuple[str, str]] = []
    while len(merges) < 5:  # made-up merges
        pair = rng.choice(tokens), rng.choice(tokens)
        if len("".join(pair)) < 5 and "".join(pair) not in tokens:
            merges.append(pair)
            tokens.append("".join(pair))
    word = "".join(rng.choice(tokens) for _ in range(rng.between(3, 4)))
    answer, replayed = bpe.longest_first(word, tokens), bpe.merge_in_order(word, merges)
    walked = wordpiece.encode_word(word, WordPieceModel(tokens, prefix=""))
    if not 5 < len(word) < 9 or answer in (replayed, walked) or replayed == walked:
        return None
    longest = max((each for each in tokens if each in word), key=len)  # the first that was learned
    left, token, right = word.partition(longest)
    # Of equally long tokens, the leftmost.
    of_equals = bpe.longest_first(word, sorted(tokens, key=word.find))

    def evidence(value: list[str]) -> str:
        if strange := [piece for piece in value if piece not in tokens]:
            return say("`{piece}` is none of the tokens.", piece=strange[0])
        theirs, starts = max(map(len, value)), accumulate(map(len, value), initial=0)
        if theirs < len(token):
            return say(
                "Your longest token is {theirs:symbol|symbols} long, and the longest one in the word is "
                "{length} long.",
                theirs=theirs,
                length=len(token),
            )
        if dict(zip(starts, value)).get(len(left)) != token:
            rivals = [piece for piece in value if len(piece) == len(token) and piece != token]
            if rivals:
                return say(
                    "`{rival}` and `{token}` are equally long. Which of them was learned first?",
                    rival=rivals[0],
                    token=token,
                )
            return (
                "Several tokens in the word are longest. Which does the question name?"
                if token not in value
                else say(
                    "`{token}` is the longest token. Which of its places does the question name?",
                    token=token,
                )
            )
        begun = bpe.longest_first(left, tokens)
        rest = right if value[: len(begun)] == begun else left
        return say(
            "`{token}` comes out first. Now `{rest}` is a word of its own: what comes out first "
            "there?",
            token=token,
            rest=rest,
        )

    learned, length = tokens[3:], len(token)
    return Question(
        "Cut `{word}` as our source describes it: the longest token *anywhere* in the word (of equally "
        "long ones the one that was learned first, at its leftmost place), then the same with what is left "
        "of it and with what is right of it. The tokens are every single letter and these, in the order in "
        "which they were learned:\n\n{learned:tokens}",
        answer=answer,
        listed=[word],
        evidence=evidence,
        mistakes=[
            Mistake(
                "merge-order",
                replayed,
                "This is what replaying the merges gives. What decides here, the age of a token or its length?",
            ),
            Mistake(
                "longest-prefix",
                walked,
                "These are the tokens of a walk from left to right. May a longer token stand further on?",
            ),
            Mistake(
                "leftmost-of-equals",
                of_equals if of_equals != answer else None,
                "Of tokens that are equally long, the leftmost was cut out here. Which one does the question take?",
                rare=True,
            ),
            Mistake(
                "rest-as-letters",
                [*left, token, *right],
                "Here one token is cut out, and letters are left. Does what is left hold another token?",
            ),
            Mistake(
                "not-cut-out",
                list(word),
                "These are the letters. Which longer tokens does this word hold?",
            ),
        ],
        hints=[
            "Go through the tokens from the longest to the shortest: does the word hold it?",
            "Cut it out. What is left of it and what is right of it are two words of their own now.",
            "The longest token in this word has {length} symbols.",
        ],
        solution="Merge order would give {replayed:tokens}; a walk from the left {walked:tokens}.",
        why="`{token}` is the longest token in the word, or the first of them that was learned, and is cut out before "
        "anything can break it up.",
        figures=locals(),
    )


@exercise("compression-15", "Better than greedy", Merges(), points=2, level="transfer")
def better_than_greedy(rng: Rng) -> Question | None:
    letters = rng.sample(LATIN, 3)
    text = "".join(letters[rng.choice((0, 0, 0, 1, 1, 2))] for _ in range(rng.between(7, 9)))
    (best, fewest), most = merging.optimal_merges(text, 2), len(merging.greedy_merges(text, 2)[1])
    if len(fewest) >= most:
        return None
    greedy, freqs = (
        bpe.train({text: 1}, num_merges=2).merges,
        bpe.pair_freqs({text: 1}, {text: list(text)}),
    )

    def meant(value: list[tuple[str, str]]) -> list[tuple[str, str]]:
        if len(value) != 1:
            return [*value]
        pieces = [bare(piece) for piece in value[0]]  # `xy, yz`
        if any(len(piece) != 2 or {*piece} - {*text} for piece in pieces):
            raise Invalid("I expected two merges, each with its two sides, such as x+y, z+xy.")
        return [(piece[0], piece[1]) for piece in pieces]

    def after(merges: list[tuple[str, str]]) -> list[str]:
        return bpe.merge_in_order(list(text), merges)

    def evidence(given: list[tuple[str, str]]) -> str:
        value = meant(given)
        if len(value) > 2:
            return say("Two merges are asked for, and yours are {count}.", count=len(value))
        idle = [
            "+".join(pair)
            for place, pair in enumerate(value)
            if after(value[:place]) == after(value[: place + 1])
        ]
        left = after(value)
        return say(
            "Yours leave {left:tokens}: {count} tokens. When its turn comes, `{idle}` finds nothing to merge."
            if idle
            else "Yours leave {left:tokens}: {count} tokens.",
            left=left,
            count=len(left),
            idle=idle and idle[0],
        )

    if len(after([*greedy])) > most:  # with other ties it would do better
        return None
    count = len(fewest)
    return Question(
        "BPE makes two merges in `{text}`, counting every position:\n\n{greedy:merges}\n\nand leaves {most} "
        "tokens. Find two merges that leave fewer.",
        answer=best,
        accept=lambda value: len(value) <= 2 and len(after(meant(value))) < most,
        evidence=evidence,
        mistakes=[
            Mistake(
                "greedy",
                greedy,
                "These are BPE's own merges. What if the first is not the most frequent pair?",
            ),
            Mistake(
                "leading-pairs",
                sorted(freqs, key=lambda pair: -freqs[pair])[:2],
                "These two pairs lead in the first count. What does the first merge leave for the second?",
            ),
            Mistake(
                "other-order",
                best[::-1],
                "Both are good merges, and they are applied in order. What does the first leave for the second?",
            ),
            Mistake(
                "greedy-turned-around",
                greedy[::-1],
                "These are BPE's own two merges in the other order. Is there another pair to begin with?",
            ),
            Mistake(
                "pairs-turned-around",
                [pair[::-1] for pair in best],
                "These pairs have left and right exchanged. In which order do their symbols stand in the text?",
            ),
        ],
        hints=[
            "How often can BPE's first pair really be *replaced*? And which other pairs does it break up?",
            "Try every other pair as the first one; there are not many. Then take the best second one for each.",
            "It can be done with {count} tokens.",
        ],
        solution="They leave {fewest:tokens}, which is {count} tokens.",
        why="Greedy merging takes what is most frequent now, and never asks what that leaves for the next merge.",
        figures=locals(),
    )
