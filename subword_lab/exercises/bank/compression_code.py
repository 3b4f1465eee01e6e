"""The exercises of lesson 04 that ask for code."""

# mypy: ignore-errors
from collections import Counter

from ... import bpe
from .. import Edit, Function, Gap, Lines, Mistake, Repair, exercise
from .compression import leading, repeating, strings

ALPHABETS = (
    "ab",
    "abc",
    "</w",
    "a.*",
    "Aa#",
    "山水Z",
    "абв",
)  # with marks, capitals, and signs of patterns
NEW_SYMBOLS = "YXQMK①②&0q"  # what rules may be called; none is in an alphabet


def letters_and_rules():
    """Letters, and rules in the order in which they were made, each from letters and from symbols made before it."""
    from hypothesis import strategies as st

    def build(letters, symbols, choices):
        known, rules = list(letters), []
        for symbol, (left, right) in zip(symbols, choices):
            rules.append((symbol, known[-1 - left % len(known)] + known[-1 - right % len(known)]))
            known.append(symbol)
        return letters, rules

    number = st.integers(0, 11)
    return st.builds(
        build,
        st.sampled_from(ALPHABETS),
        st.permutations(NEW_SYMBOLS),
        st.lists(st.tuples(number, number), max_size=8),
    )


def opened(symbol, rules):
    """What a symbol means."""
    return "".join(opened(part, rules) for part in rules[symbol]) if symbol in rules else symbol


@exercise("compression-16", "Write it: replace a pair", Function(), points=2)
class ReplaceAPair:
    """Write `replace_pair(data, pair, symbol)`. `data` is a string, `pair` two symbols in one string, and `symbol` one
    symbol that the data does not use. It returns the data with the symbol in place of the pair, from left to right;
    no place is used twice.

    `replace_pair("aaab", "aa", "Z")` is `"Zab"`. An empty string stays empty."""

    hints = (
        "Walk along with a position, and look at two symbols at a time.",
        "If they are the pair, write the new symbol and go on after both; if not, write the first and go on.",
        "Or look at what strings in Python can do by themselves: one of their methods does exactly this.",
    )
    why = "Each replacement uses up two symbols, and the search goes on after them: so `aaa` gives just one."
    cases = (
        ("aaab", "aa", "Z"),
        ("ab", "ab", "Y"),
        ("aaabdaaabac", "aa", "Z"),
        ("ababa", "ba", "①"),
        ("", "ab", "Z"),
        ("a.b.", "a.", "Z"),
        ("aacb", "ab", "Y"),
        ("abba", "ab", "Y"),
    )

    def replace_pair(data, pair, symbol):
        return data.replace(pair, symbol)

    def inputs():
        from hypothesis import strategies as st

        return st.sampled_from(ALPHABETS).flatmap(
            lambda letters: st.tuples(
                st.text(letters, max_size=12),
                st.text(letters, min_size=2, max_size=2),
                st.sampled_from(NEW_SYMBOLS),
            )
        )

    def try_on(rng):
        data = repeating(rng)
        return data, leading(strings.pair_freqs(data))[0], "Z"

    class Also:
        def by_splitting(data, pair, symbol):
            return symbol.join(data.split(pair))

        def by_walking(data, pair, symbol):
            replaced, i = "", 0
            while i < len(data):
                hit = data[i : i + 2] == pair
                replaced += symbol if hit else data[i]
                i += 2 if hit else 1
            return replaced

    edits = (
        Edit(
            "first-place-only",
            "return data.replace(pair, symbol)",
            "return data.replace(pair, symbol, 1)",
            "Only the first place is replaced. Where else does the pair stand?",
        ),
        Edit(
            "from-the-right",
            "return data.replace(pair, symbol)",
            "return data[::-1].replace(pair[::-1], symbol)[::-1]",
            "These are replacements from the right. In `aaa`, which two come first?",
        ),
    )

    class Mistakes:
        def used_twice(data, pair, symbol):
            """In a run, one symbol is used for two replacements. What is left of `aaa` after the first one?"""
            starts = [i for i in range(len(data) - 1) if data[i : i + 2] == pair]
            return "".join(
                symbol if i in starts else "" if i - 1 in starts else data[i]
                for i in range(len(data))
            )

        def single_symbols(data, pair, symbol):
            """Single symbols are replaced. When do two symbols form the pair?"""
            return "".join(symbol if letter in pair else letter for letter in data)

        def in_twos(data, pair, symbol):
            """The text is cut into twos. May a pair begin at any place?"""
            blocks = [data[i : i + 2] for i in range(0, len(data), 2)]
            return "".join(symbol if block == pair else block for block in blocks)

        def last_symbol_lost(data, pair, symbol):
            """The last symbol is lost unless it is replaced. What does the loop do when only one is left?"""
            return (
                data.replace(pair, symbol)
                if data.endswith(pair)
                else data[:-1].replace(pair, symbol)
            )

        def second_symbol_kept(data, pair, symbol):
            """The second symbol of the pair is still there. How far does the walk go on after a replacement?"""
            return "".join(symbol if data[i : i + 2] == pair else data[i] for i in range(len(data)))

        def a_pattern(data, pair, symbol):
            """The pair is read as a pattern, in which `.` stands for any symbol. What does `re.escape` do?"""
            import re

            return re.sub(pair, symbol, data)


@exercise("compression-21", "Fill in: count the places", Gap(lines=(4, 5)), points=2)
class CountThePlaces:
    """Complete `count_places(data)`: a dictionary from each pair of neighbors in a string to the number of places in
    which it occurs. A pair is a string of two symbols, and places may overlap. Two lines are missing.

    `count_places("aaab")` is `{"aa": 2, "ab": 1}`."""

    hints = (
        "The loop goes through the places. Which pair begins at place `i`?",
        "A slice of a string is `data[start:end]`, and its end is not part of it.",
        "One more place for this pair: add 1 to `counts.get(pair, 0)`.",
    )
    why = "A string of n symbols has n - 1 places, and each brings its pair once."
    cases = (
        ("aaab",),
        ("aaabdaaabac",),
        ("abab",),
        ("ab",),
        ("a",),
        ("",),
    )

    def count_places(data):
        counts = {}
        for i in range(len(data) - 1):
            pair = data[i : i + 2]
            counts[pair] = counts.get(pair, 0) + 1
        return counts

    def inputs():
        from hypothesis import strategies as st

        return st.tuples(
            st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=9))
        )

    class Also:
        def by_zip(data):
            return dict(Counter(map("".join, zip(data, data[1:]))))

        def by_sums(data):
            pairs = [data[i : i + 2] for i in range(len(data) - 1)]
            return {pair: pairs.count(pair) for pair in pairs}

    edits = (
        Edit(
            "single-symbols",
            "data[i : i + 2]",
            "data[i]",
            "These are single symbols. What does a pair consist of, and is the end of a piece part of it?",
        ),
        Edit(
            "piece-too-long",
            "i + 2]",
            "i + 3]",
            "These are three symbols each. The end of a piece is not part of it: where should it be?",
        ),
        Edit(
            "always-the-first-pair",
            "data[i : i + 2]",
            "data[0:2]",
            "Only the first pair is counted, as often as there are places. Where does the loop stand?",
        ),
        Edit(
            "turned-round",
            "data[i : i + 2]",
            "data[i + 1] + data[i]",
            "Left and right have changed places. Which of the two comes first in the text?",
        ),
        Edit(
            "overwritten",
            "counts.get(pair, 0) + 1",
            "1",
            "Each pair has a count of 1, wherever else it stands. Do you add to a count, or replace it?",
        ),
        Edit(
            "places-apart",
            "counts.get(pair, 0) + 1",
            "data.count(pair)",
            "`count` goes on behind a place that it has found. How many places has `aa` in `aaa`?",
        ),
        Edit(
            "begins-at-one",
            "counts.get(pair, 0)",
            "counts.get(pair, 1)",
            "Each count is one too large. What is the count of a pair before it is seen?",
        ),
        Edit(
            "places-added-up",
            "counts.get(pair, 0) + 1",
            "counts.get(pair, 0) + i",
            "The numbers of the places are added up here. How much is one more place?",
        ),
        Edit(
            "last-place-kept",
            "counts.get(pair, 0) + 1",
            "i",
            "This is the last place of each pair. How many places are there?",
        ),
        Edit(
            "twice-as-many",
            "+ 1\n    return",
            "+ 2\n    return",
            "Each count is twice as large as it should be. How much is one more place?",
        ),
    )


@exercise("compression-17", "Write it: what can be replaced", Function(), points=3)
class WhatCanBeReplaced:
    """Write `pair_counts(data)`. It returns a dictionary from each pair of neighbors in the string (two symbols in one
    string) to the number of times that it can be **replaced**: from left to right, no symbol used twice for the same
    pair. Each pair is counted as if it were the only one to be replaced.

    `pair_counts("aaab")` is `{"aa": 1, "ab": 1}`. Where there is no pair, the dictionary is empty."""

    hints = (
        "Only a pair of two equal symbols can be in its own way.",
        "One way: for each pair, remember where it was used last, and skip a place that touches it.",
        "Another way: strings have a method that counts without overlaps.",
    )
    why = "Only in runs such as `aaa` can a pair overlap with itself: there a place may be used up already."
    cases = (
        ("aaab",),
        ("ab",),
        ("aaaa",),
        ("aabaa",),
        ("aaabaaa",),
        ("aaaaaaaaaaaaaaaaaaaaaaab",),
        ("",),
        ("a",),
    )

    def pair_counts(data):
        pairs = [data[i : i + 2] for i in range(len(data) - 1)]
        return {pair: data.count(pair) for pair in pairs}

    def inputs():
        from hypothesis import strategies as st

        return st.tuples(
            st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(letters, max_size=12))
        )

    def try_on(rng):
        return (repeating(rng),)

    class Also:
        def by_walking(data):
            counts, last = {}, {}
            for i in range(len(data) - 1):
                pair = data[i : i + 2]
                if last.get(pair, -2) < i - 1:
                    counts[pair], last[pair] = counts.get(pair, 0) + 1, i
            return counts

        def by_splitting(data):
            return {
                data[i : i + 2]: len(data.split(data[i : i + 2])) - 1 for i in range(len(data) - 1)
            }

    edits = (
        Edit(
            "overlapping-count",
            "data.count(pair)",
            "pairs.count(pair)",
            "Every position is counted. How often can `aa` be replaced in `aaa`?",
        ),
        Edit(
            "halved",
            "data.count(pair)",
            "(pairs.count(pair) + 1) // 2 if pair[0] == pair[1] else pairs.count(pair)",
            "For equal symbols these are half of the positions, rounded up. What about two runs, as in `aabaa`?",
        ),
        Edit(
            "last-pair-missing",
            "len(data) - 1",
            "len(data) - 2",
            "The last pair is missing. Where does the loop end?",
        ),
        Edit(
            "places-not-counted",
            "data.count(pair)",
            "1",
            "Every pair gets a 1. How often does it stand there?",
        ),
        Edit(
            "tuples",
            "{pair: ",
            "{tuple(pair): ",
            "The counts are right, and the keys are tuples. Which type should they have?",
        ),
    )

    class Mistakes:
        def in_twos(data):
            """The text is cut into twos. May a pair begin at any place?"""
            blocks = [data[i : i + 2] for i in range(0, len(data) - 1, 2)]
            return {block: blocks.count(block) for block in blocks}

        def jumped_too_far(data):
            """After two equal symbols a pair is left out. Where is `ab` in `aab`?"""
            counts, i = {}, 0
            while i < len(data) - 1:
                counts[data[i : i + 2]] = counts.get(data[i : i + 2], 0) + 1
                i += 2 if data[i] == data[i + 1] else 1
            return counts

        def equal_to_the_last(data):
            """A place is skipped whenever the pair before it is the same. How often can `aa` be replaced in `aaaa`?"""
            pairs = [data[i : i + 2] for i in range(len(data) - 1)]
            kept = [pair for before, pair in zip(["", *pairs], pairs) if pair != before]
            return {pair: kept.count(pair) for pair in kept}


@exercise("compression-18", "Write it: what a symbol means", Function(), points=3)
class WhatASymbolMeans:
    """Write `meaning(symbol, rules)`. `rules` is a dictionary from each new symbol to the pair that it stands for, as a
    string; its rules are in no particular order. It returns what the symbol stands for in the original text. A symbol
    without a rule is an original one, and stands for itself.

    `meaning("X", {"X": "ZY", "Z": "aa", "Y": "ab"})` is `"aaab"`."""

    hints = (
        "What is the answer for a symbol that is in no rule?",
        "For a new symbol, ask the same question for both halves of its pair: a function may call itself.",
        "Or keep a string, and open every symbol in it that has a rule, as long as there is one.",
    )
    why = "A pair may hold new symbols on either side and at any depth: so opening goes on until none is left."
    cases = (
        ("X", {"X": "ZY", "Z": "aa", "Y": "ab"}),
        ("a", {}),
        ("Z", {"Z": "ab"}),
        ("b", {"Z": "ab"}),
        ("Z", {made: part * 2 for made, part in zip("ZYXWVUT", "YXWVUTa")}),
        ("A", {"z": "AB"}),
        ("9", {str(n): f"{n - 1}a" for n in range(1, 10)}),
        ("9", {str(n): f"b{n - 1}" for n in range(9, 0, -1)}),
        ("ź", {chr(n): chr(n - 1) + "a" for n in range(256, 379)}),
    )

    def meaning(symbol, rules):
        text = symbol
        while any(part in rules for part in text):
            text = "".join(rules.get(part, part) for part in text)
        return text

    def inputs():
        from hypothesis import strategies as st

        return letters_and_rules().flatmap(
            lambda both: st.tuples(
                st.sampled_from([both[0][0], *dict(both[1])]), st.permutations(both[1]).map(dict)
            )
        )

    def try_on(rng):
        table = strings.compress(repeating(rng, 10, 16)).table
        return list(table)[-1], dict(rng.shuffle(list(table.items())))

    class Also:
        def by_itself(symbol, rules):
            return opened(symbol, rules)

        def by_replacing(symbol, rules):
            for _ in rules:
                for made, pair in rules.items():
                    symbol = symbol.replace(made, pair)
            return symbol

    edits = (
        Edit(
            "one-level",
            "while any(",
            "if any(",
            "The symbol is opened once. What if its pair holds a new symbol, too?",
        ),
        Edit(
            "two-levels",
            "while any(part in rules for part in text):",
            "for _ in range(2):",
            "Symbols are opened twice. How deep can rules be nested?",
        ),
        Edit(
            "turned-around",
            "return text",
            "return text[::-1]",
            "The text comes out backward. Which symbol of a pair stands on the left?",
        ),
        Edit(
            "original-symbols-lost",
            "return text",
            'return text if symbol in rules else ""',
            "For an original symbol nothing comes back. What does it stand for?",
        ),
    )

    class Mistakes:
        def first_rule_first(symbol, rules):
            """This is one pass through the rules as they stand. Can a rule bring out a symbol whose turn is over?"""
            return strings.undo(symbol, rules.items())

        def last_rule_first(symbol, rules):
            """This is one pass through the rules from the last. Does anything say in which order they stand here?"""
            return strings.undo(symbol, reversed(rules.items()))

        def left_side_only(symbol, rules):
            """Only the left symbol of each pair is opened. What about the right one?"""
            while symbol[0] in rules:
                symbol = rules[symbol[0]] + symbol[1:]
            return symbol

        def right_side_only(symbol, rules):
            """Only the right symbol of each pair is opened. What about the left one?"""
            while symbol[-1] in rules:
                symbol = symbol[:-1] + rules[symbol[-1]]
            return symbol


@exercise("compression-19", "Write it: longest token first", Function(), points=3, level="transfer")
class LongestTokenFirst:
    """Write `longest_first(word, vocab)`, the encoder of our source: take the longest token that stands anywhere in the
    word, at its leftmost place, then do the same with what is left of it and with what is right of it. Among equally
    long tokens the one that comes first in the list `vocab` wins. Every character of the word is in `vocab`. It returns
    the list of tokens, in the order of the word.

    `longest_first("abca", ["a", "b", "c", "ab", "bca"])` is `["a", "bca"]`. An empty word gives an empty list."""

    hints = (
        "What is the answer for an empty word?",
        "`token in word` says whether the word holds a token; `word.partition(token)` cuts it out.",
        "The function may call itself, for what is left of the token and for what is right of it.",
    )
    why = "What is left of a token and what is right of it are words of their own, so the function can do them itself."
    cases = (
        ("abca", ["a", "b", "c", "ab", "bca"]),
        ("ab", ["b", "a"]),
        ("abc", ["a", "bc", "b", "ab", "c"]),
        ("aaa", ["a", "aa"]),
        ("abb", ["ab", "b", "bb", "a"]),
        ("bba", ["bb", "b", "a", "ba"]),
        ("", ["a"]),
        ("ababcab", ["c", "ab", "b", "a", "abc"]),
        ("bab", ["a", "b", "bb"]),
        ("est</w>", ["t</w>", "e", "s", "t", "<", "/", "w", ">", "est", "</w>"]),
    )

    def longest_first(word, vocab):
        def cut(part):
            if not part:
                return []
            token = max((token for token in vocab if token in part), key=len)
            left, token, right = part.partition(token)
            return cut(left) + [token] + cut(right)

        return cut(word)

    def inputs():
        from hypothesis import strategies as st

        def vocabularies(letters):
            longer = st.lists(st.text(letters, min_size=2, max_size=4), max_size=5)
            return longer.map(lambda tokens: list(dict.fromkeys([*letters, *tokens]))).flatmap(
                st.permutations
            )

        return (
            st.sampled_from(ALPHABETS)
            .flatmap(vocabularies)
            .flatmap(
                lambda vocab: st.tuples(
                    st.lists(st.sampled_from(vocab), max_size=5).map("".join), st.just(vocab)
                )
            )
        )

    def try_on(rng):
        data = repeating(rng)
        return data, rng.shuffle(list(dict.fromkeys([*data, data[1:4], data[2:4], data[-3:]])))

    class Also:
        def by_sorting(word, vocab):
            def cut(part):
                for token in sorted(vocab, key=len, reverse=True):
                    if token in part:
                        start = part.index(token)
                        return [*cut(part[:start]), token, *cut(part[start + len(token) :])]
                return []

            return cut(word)

        def by_the_package(word, vocab):
            return bpe.longest_first(word, vocab)

    edits = (
        Edit(
            "longest-prefix",
            "token in part)",
            "part.startswith(token))",
            "These are the tokens of a walk from left to right. May a longer token stand further on?",
        ),
        Edit(
            "last-of-the-longest",
            "in vocab if",
            "in vocab[::-1] if",
            "Of equally long tokens the last in the list wins here. Which one should win?",
        ),
        Edit(
            "ties-by-the-alphabet",
            "in vocab if",
            "in sorted(vocab) if",
            "Of equally long tokens the first in the alphabet wins here. Which one should win?",
        ),
        Edit(
            "leftmost-of-the-longest",
            "key=len",
            "key=lambda token: (len(token), -part.index(token))",
            "Of equally long tokens the one further left in the word wins here. Which one should win?",
        ),
        Edit(
            "rightmost-place",
            "part.partition",
            "part.rpartition",
            "The token is cut out at its rightmost place. Which one was asked for?",
        ),
        Edit(
            "first-in-the-list",
            "max((token for token in vocab if token in part), key=len)",
            "next(token for token in vocab if token in part)",
            "The token that comes first in the list is cut out. Is it the longest one?",
        ),
        Edit(
            "rest-as-characters",
            "return cut(left) + [token] + cut(right)",
            "return [*left, token, *right]",
            "One token is cut out, and characters are left. Does the rest hold no other token?",
        ),
        Edit(
            "rest-not-cut",
            "return cut(left) + [token] + cut(right)",
            "return [piece for piece in (left, token, right) if piece]",
            "One token is cut out, and the rest is left in one piece. Is the rest a token?",
        ),
        Edit(
            "characters",
            "return cut(word)",
            "return list(word)",
            "These are the characters. Which longer tokens does the word hold?",
        ),
    )


@exercise("compression-22", "Put it in order: unpack a file", Lines(), points=2)
class UnpackAFile:
    """`unpack(file)` gets a text back from one string, in which everything has traveled: first a digit, the number of
    rules; then the rules, in the order in which they were made, three symbols each; then the packed text.

    `unpack("2ZaaYabZYdZYac")` is `"aaabdaaabac"`: two rules, `Z` for `aa` and `Y` for `ab`, and the text `ZYdZYac`."""

    hints = (
        "First take the string apart. Which of the parts can only be cut off when the number is known?",
        "Then the rules are undone, one in each turn of the loop.",
        "In the loop, the last rule is used, and then crossed off.",
    )
    why = "The rule that was made last is undone first, and is crossed off when it has been used."
    cases = (
        ("2ZaaYabZYdZYac",),
        ("3ZaaYabXZYXdXac",),
        ("1ZabZZ",),
        ("0abc",),
        ("0",),
    )

    def unpack(file):
        number = int(file[0])
        rules = file[1 : 1 + 3 * number]
        text = file[1 + 3 * number :]
        while rules:
            text = text.replace(rules[-3], rules[-2:])
            rules = rules[:-3]
        return text

    def inputs():
        from hypothesis import strategies as st

        def file(both):
            letters, rules = both
            rules = rules[:4]
            known = [*letters, *(symbol for symbol, _ in rules)]
            table = "".join(symbol + pair for symbol, pair in rules)
            return st.text(known, max_size=8).map(lambda text: (f"{len(rules)}{table}{text}",))

        return letters_and_rules().flatmap(file)

    orders = (
        Mistake(
            "number-too-late",
            "2134567",
            "The rules are cut off before it is known how many there are. What does the first character say?",
        ),
        Mistake(
            "text-too-late",
            "1245637",
            "The rules are undone in a text that is not there yet. Which line makes it?",
        ),
        Mistake(
            "crossed-off-before-used",
            "1234657",
            "A rule is crossed off before it is used, so the last one is never undone. What comes first in the loop?",
        ),
        Mistake(
            "returned-too-early",
            "1237456",
            "`return` comes before the loop, and a function ends there. Which rules are undone by then?",
        ),
        Mistake(
            "rules-too-late",
            "1345627",
            "The loop asks for the rules before they are cut off. Which line makes them?",
        ),
    )


@exercise(
    "compression-20", "Repair it: back to the text", Repair(keeps=True), points=2, level="transfer"
)
class BackToTheText:
    """This function is to give the original text back. `rules` is a list of symbol and pair, in the order in which the
    rules were made: a pair may hold symbols of earlier rules, never of later ones. It fails as soon as rules build on
    each other. Fix it; the list of rules that comes in stays as it is.

    `decompress("XdXac", [("Z", "aa"), ("Y", "ab"), ("X", "ZY")])` is to be `"aaabdaaabac"`. Without rules, the data is
    the text."""

    hints = (
        "Try it by hand on `X` with the rules `Z` for `aa` and `X` for `Za`.",
        "When a rule is undone, symbols of earlier rules come out.",
        "So which rule has to have its turn last?",
    )
    why = "The rule that was made last is undone first, so that the symbols it brings out have their turn to come."
    cases = (
        ("XdXac", [("Z", "aa"), ("Y", "ab"), ("X", "ZY")]),
        ("Za", [("Z", "ab")]),
        ("ab", []),
        ("", [("Z", "ab")]),
        ("1", [("0", "ab"), ("9", "00"), ("3", "99"), ("7", "33"), ("1", "77")]),
        ("Q", [("M", "ab"), ("X", "Mc"), ("K", "dX"), ("Q", "KK")]),
        ("ź", [(chr(n), chr(n - 1) + "a") for n in range(256, 379)]),
    )

    def decompress(data, rules):
        for symbol, pair in reversed(rules):
            data = data.replace(symbol, pair)
        return data

    def inputs():
        from hypothesis import strategies as st

        return letters_and_rules().flatmap(
            lambda both: st.tuples(
                st.text([*both[0], *dict(both[1])], max_size=6), st.just(both[1])
            )
        )

    def try_on(rng):
        compressed = strings.compress(repeating(rng, 10, 16))
        return compressed.data, list(compressed.table.items())

    class Broken:
        def decompress(data, rules):
            for symbol, pair in rules:
                data = data.replace(symbol, pair)
            return data

    class Also:
        def symbol_by_symbol(data, rules):
            return "".join(opened(symbol, dict(rules)) for symbol in data)

        def pass_by_pass(data, rules):
            for _ in rules:
                data = strings.undo(data, rules)
            return data

    edits = (
        Edit(
            "first-rule-first",
            "reversed(rules)",
            "list(rules)",
            "What a rule brings out stays closed, as if the first rule were undone first. Which one should be last?",
        ),
        Edit(
            "last-rule-only",
            "data = data.replace",
            "return data.replace",
            "Only the last rule is undone. Where does `return` stand, in the loop or after it?",
        ),
        Edit(
            "first-rule-only",
            "reversed(rules):\n        data = data",
            "rules:\n        return data",
            "Only the first rule is undone. Where does `return` stand, in the loop or after it?",
        ),
        Edit(
            "alphabetical",
            "reversed(rules)",
            "sorted(rules)",
            "The rules are undone in the order of the alphabet. Does a letter say when its rule was made?",
        ),
        Edit(
            "two-passes",
            "reversed(rules)",
            "[*rules, *rules]",
            "These are two passes from the first rule to the last. How many does a chain of five rules need?",
        ),
        Edit(
            "one-place-each",
            "(symbol, pair)",
            "(symbol, pair, 1)",
            "Each rule is undone in one place only. What if its symbol stands twice?",
        ),
        Edit(
            "pairs-turned-around",
            "(symbol, pair)",
            "(symbol, pair[::-1])",
            "The pairs come out backward. Which symbol of a pair stands on the left?",
        ),
        Edit(
            "text-turned-around",
            "return data",
            "return data[::-1]",
            "The text comes out backward. What should be reversed, the text or the order of the rules?",
        ),
        Edit(
            "first-rule-forgotten",
            "reversed(rules)",
            "rules[:0:-1]",
            "The first rule is never undone. Where does the loop end?",
        ),
    )
