# mypy: ignore-errors
"""The exercises of lesson 01 that ask for code."""

from collections import Counter
from itertools import pairwise

from ... import bpe
from .. import Edit, Function, Gap, Lines, Mistake, Repair, exercise
from .corpora import FAMILIES, word_freqs

NUMBERS = (1, 2, 3, 9, 10, 12, 99, 100, 250)
SYMBOLS = (
    ["a"],
    ["a", "b"],
    ["a", "ab", "b"],
    ["a", "bc", "ab", "c", "Z"],
    ["<", "/", "w", "</w>"],
    ["ц", "а", "ца"],
)


def tokens_of(word, merges):
    return dict.fromkeys([*word, *(symbol for pair in merges for symbol in (*pair, "".join(pair)))])


@exercise("bpe-15", "Write it: count the pairs", Function(), points=3)
class CountPairs:
    """Write `count_pairs(word_freqs, splits)`. It returns a dictionary from each pair of neighbors to its count.

    `word_freqs` says how often each word occurs, and `splits` how it is split now. Every place counts, also where two
    of them overlap, and no pair reaches from one word into the next. A pair is a tuple; pairs that do not occur are
    left out, and an empty corpus gives `{}`.

    ```
    count_pairs({'hug': 10, 'hugs': 5}, {'hug': ['h', 'ug'], 'hugs': ['h', 'ug', 's']})
    ```

    is `{('h', 'ug'): 15, ('ug', 's'): 5}`."""

    hints = (
        "Go through the words, and in each word through its neighbors.",
        "The neighbors of a list `s` are `zip(s, s[1:])`.",
        "Begin with an empty dictionary, and for each pair add the word's frequency to `counts.get(pair, 0)`.",
    )
    why = "Each place brings its pair as often as the word occurs."
    cases = (
        ({"hug": 10, "hugs": 5}, {"hug": ["h", "ug"], "hugs": ["h", "ug", "s"]}),
        ({"ab": 12, "b": 3}, {"b": ["b"], "ab": ["a", "b"]}),
        ({"aaa": 2}, {"aaa": ["a", "a", "a"]}),
        ({}, {}),
    )

    def count_pairs(word_freqs, splits):
        counts = {}
        for word, freq in word_freqs.items():
            for pair in zip(splits[word], splits[word][1:]):
                counts[pair] = counts.get(pair, 0) + freq
        return counts

    def inputs():
        from hypothesis import strategies as st

        rows = st.sampled_from(SYMBOLS).flatmap(
            lambda symbols: st.lists(
                st.tuples(
                    st.lists(st.sampled_from(symbols), min_size=1, max_size=6),
                    st.sampled_from(NUMBERS),
                ),
                max_size=4,
            )
        )
        return rows.map(
            lambda rows: (
                {"".join(split): freq for split, freq in rows},
                {"".join(split): split for split, _ in rows[::-1]},
            )
        )

    def try_on(rng):
        freqs = dict(list(word_freqs(rng).items())[:3])
        return freqs, bpe.split_words(freqs)

    class Also:
        def by_index(word_freqs, splits):
            counts = Counter()
            for word in word_freqs:
                for i in range(len(splits[word]) - 1):
                    counts[splits[word][i], splits[word][i + 1]] += word_freqs[word]
            return counts

        def twice_through(word_freqs, splits):
            pairs = {pair for split in splits.values() for pair in pairwise(split)}
            return {
                pair: sum(
                    freq * list(pairwise(splits[word])).count(pair)
                    for word, freq in word_freqs.items()
                )
                for pair in pairs
            }

    edits = (
        Edit(
            "types-not-occurrences",
            "+ freq",
            "+ 1",
            "These are the counts when every word counts once. How often does each word occur?",
        ),
        Edit(
            "overwritten",
            "counts.get(pair, 0) + freq",
            "freq",
            "A pair that stands in two places has only its last count. Do you add to a count, or replace it?",
        ),
        Edit(
            "once-per-word",
            "zip(splits[word], splits[word][1:])",
            "set(zip(splits[word], splits[word][1:]))",
            "A pair that stands twice in one word is counted once there. What about `an` in `banana`?",
        ),
        Edit(
            "last-pair-missing",
            "splits[word][1:]",
            "splits[word][1:-1]",
            "The last pair of each word is missing. Where does your loop end?",
        ),
        Edit(
            "every-other-pair",
            "zip(splits[word], splits[word][1:])",
            "zip(splits[word][::2], splits[word][1::2])",
            "Only every other pair is counted. Is a symbol a neighbor of the one before it, too?",
        ),
        Edit(
            "joined",
            "counts[pair] = counts.get(pair, 0)",
            'counts["".join(pair)] = counts.get("".join(pair), 0)',
            "The keys are joined symbols here, so `a` `bc` and `ab` `c` are the same. What is a pair to be?",
        ),
        Edit(
            "turned-round",
            "zip(splits[word], splits[word][1:])",
            "zip(splits[word][1:], splits[word])",
            "Left and right have changed places in the keys. Which symbol comes first in the word?",
        ),
        Edit(
            "order-ignored",
            "counts[pair] =",
            "pair = tuple(sorted(pair))\n            counts[pair] =",
            "`a b` and `b a` are counted as one pair. Is the left side the same as the right one?",
        ),
        Edit(
            "letters-of-the-word",
            "zip(splits[word], splits[word][1:])",
            "zip(word, word[1:])",
            "These are the pairs of the words' letters. Where does it say how each word is split now?",
        ),
        Edit(
            "first-word-alone",
            "    return counts",
            "        return counts\n    return {}",
            "Only the first word of the corpus is counted. Does your function return inside the loop?",
        ),
        Edit(
            "last-word-alone",
            "        for pair in",
            "        counts = {}\n        for pair in",
            "These are the pairs of the last word alone. Where does the dictionary begin anew?",
        ),
        Edit(
            "begins-at-one",
            "counts.get(pair, 0)",
            "counts.get(pair, 1)",
            "Each count is one too large. What is the count of a pair before it is seen?",
        ),
        Edit(
            "first-time-as-one",
            "counts.get(pair, 0) + freq",
            "counts[pair] + freq if pair in counts else 1",
            "The first place of each pair counts 1 here. How often does its word occur?",
        ),
        Edit(
            "first-place-only",
            "counts.get(pair, 0) + freq",
            "counts.get(pair, freq)",
            "A pair has the count of its first place only. What should happen where it stands again?",
        ),
        Edit(
            "symbols-counted",
            "zip(splits[word], splits[word][1:])",
            "splits[word]",
            "These are the counts of single symbols. What are two neighbors?",
        ),
        Edit(
            "first-pair-missing",
            "zip(splits[word], splits[word][1:])",
            "zip(splits[word][1:], splits[word][2:])",
            "The first pair of each word is missing. Where does your loop begin?",
        ),
        Edit(
            "by-place",
            "for word, freq in word_freqs.items():",
            "for word, freq in zip(splits, word_freqs.values()):",
            "A split has the frequency of the word in the same place here. Are both dictionaries in one order?",
        ),
        Edit(
            "once-pairs-left-out",
            "    return counts",
            "    return {pair: count for pair, count in counts.items() if count > 1}",
            "Pairs with a count of 1 are left out here. Which pairs does the question leave out?",
        ),
        Edit(
            "shares",
            "    return counts",
            "    return {pair: count / sum(counts.values()) for pair, count in counts.items()}",
            "These are shares. Counts are asked for: what did you divide by?",
        ),
    )

    class Mistakes:
        def pairs_across_words(word_freqs, splits):
            """These counts hold pairs that reach from one word into the next. Are those two symbols neighbors?"""
            text = [
                symbol
                for word, freq in word_freqs.items()
                for _ in range(freq)
                for symbol in splits[word]
            ]
            return Counter(pairwise(text))

        def without_overlaps(word_freqs, splits):
            """In a run such as `a a a` one pair is counted. How many neighbors does the middle one have?"""
            counts = Counter()
            for word, freq in word_freqs.items():
                for pair in set(pairwise(splits[word])):
                    counts[pair] += freq * bpe.merge_symbols(splits[word], pair, "+").count("+")
            return counts


@exercise("bpe-22", "Fill in: how often it can be merged", Gap(lines=(5, 6)), points=2)
class TimesMerged:
    """Complete `times_merged(symbols, pair)`: in how many places can the pair be merged, going from left to right and
    using each symbol once? Two lines are missing.

    `times_merged(['h', 'u', 'g', 's', 'h', 'u', 'g'], ('u', 'g'))` is `2`, and so is
    `times_merged(['a', 'a', 'a', 'a', 'a'], ('a', 'a'))`."""

    hints = (
        "What changes when the pair stands here? Two variables do.",
        "One more place has been found; and the search goes on after both symbols.",
        "The lines of the `else` show the form: a variable, `+=`, and by how much.",
    )
    why = "Both symbols of a place are used up, so the search goes on after them."
    cases = (
        (["h", "u", "g", "s", "h", "u", "g"], ("u", "g")),
        (["a"] * 5, ("a", "a")),
        (["a", "b"], ("a", "b")),
        (["ab", "c", "a", "bc"], ("a", "bc")),
        (["a"] * 4, ("a", "a")),
        (["a", "bc", "a", "bc"], ("a", "bc")),
        ([], ("a", "b")),
    )

    def times_merged(symbols, pair):
        times, place = 0, 0
        while place < len(symbols) - 1:
            if (symbols[place], symbols[place + 1]) == pair:
                times += 1
                place += 2
            else:
                place += 1
        return times

    def inputs():
        from hypothesis import strategies as st

        return (
            st.sampled_from(SYMBOLS)
            .map(st.sampled_from)
            .flatmap(
                lambda symbol: st.tuples(st.lists(symbol, max_size=9), st.tuples(symbol, symbol))
            )
        )

    class Also:
        def by_merging(symbols, pair):
            return len(symbols) - len(bpe.merge_symbols(symbols, pair))

        def by_recursion(symbols, pair):
            def times(rest):
                if len(rest) < 2:
                    return 0
                hit = tuple(rest[:2]) == tuple(pair)
                return hit + times(rest[1 + hit :])

            return times(symbols)

    edits = (
        Edit(
            "overlaps-counted",
            "place += 2",
            "place += 1",
            "In a run such as `a a a` the one in the middle is used twice here. How far does the search go on?",
        ),
        Edit(
            "first-place-only",
            "place += 2",
            "place = len(symbols)",
            "It never gets beyond 1. Does the search go on after the first place, and do you add to `times`?",
        ),
        Edit(
            "one-symbol-skipped",
            "place += 2",
            "place += 3",
            "A place right after another one is not found. How many symbols does a place use up?",
        ),
        Edit(
            "symbols-counted",
            "times += 1",
            "times += 2",
            "This is twice as much: how many symbols take part. How many places are there?",
        ),
        Edit(
            "places-added-up",
            "times += 1",
            "times += place",
            "The numbers of the places are added up here. By how much does one more place raise `times`?",
        ),
        Edit(
            "counted-down",
            "times += 1",
            "times -= 1",
            "The size is right; look at the sign.",
        ),
    )


@exercise("bpe-16", "Write it: merge one pair", Function(keeps=True), points=3)
class MergeOnePair:
    """Write `merge(symbols, pair)`. It returns a list in which every occurrence of the pair has become one symbol.

    `symbols` is a list of strings, of one character or more, and may be empty; `pair` holds two symbols. Go from left
    to right, and use each symbol once. The list that comes in stays as it is.

    `merge(['h', 'u', 'g', 's'], ('u', 'g'))` is `['h', 'ug', 's']`."""

    hints = (
        "Walk through the list with a position, and look at two symbols at a time.",
        "If they are the pair, write one symbol and go on after both; if not, write the first and go on by one.",
        "Use `while`, not `for`: how far you go depends on what you find. And what becomes of the last symbol?",
    )
    why = (
        "A symbol that has been merged is used up, and one that has not been merged stays as it is."
    )
    cases = (
        (["h", "u", "g", "s"], ("u", "g")),
        (["a", "b"], ("a", "b")),
        (["a", "a", "a"], ("a", "a")),
        (["a", "b", "c", "a", "b"], ("a", "b")),
        (["ab", "c", "a", "bc"], ("a", "bc")),
        ([], ("a", "b")),
    )

    def merge(symbols, pair):
        merged, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == pair:
                merged.append(pair[0] + pair[1])
                i += 2
            else:
                merged.append(symbols[i])
                i += 1
        return merged

    def inputs():
        from hypothesis import strategies as st

        return (
            st.sampled_from(SYMBOLS)
            .map(st.sampled_from)
            .flatmap(
                lambda symbol: st.tuples(st.lists(symbol, max_size=8), st.tuples(symbol, symbol))
            )
        )

    def try_on(rng):
        word = rng.choice(rng.choice(FAMILIES))
        place = rng.below(len(word) - 1)
        return list(word + word), (word[place], word[place + 1])

    class Also:
        def by_splicing(symbols, pair):
            symbols, i = list(symbols), 0
            while i < len(symbols) - 1:
                if symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
                    symbols[i : i + 2] = [pair[0] + pair[1]]
                i += 1
            return symbols

        def by_recursion(symbols, pair):
            def merge(rest):
                if len(rest) < 2:
                    return rest
                hit = (rest[0], rest[1]) == tuple(pair)
                return ["".join(pair), *merge(rest[2:])] if hit else [rest[0], *merge(rest[1:])]

            return merge(symbols)

    edits = (
        Edit(
            "right-part-kept",
            "i += 2",
            "i += 1",
            "The new symbol is there, and so is its right part. How far should you go after a merge?",
        ),
        Edit(
            "last-symbol-lost",
            "i < len(symbols)",
            "i < len(symbols) - 1",
            "The last symbol is lost when it is not merged. What does your loop do with it?",
        ),
        Edit(
            "first-place-only",
            "i += 2",
            "return merged + symbols[i + 2 :]",
            "Only the first place is merged. What about the others?",
        ),
        Edit(
            "last-pair-never-merged",
            "tuple(symbols[i : i + 2]) == pair",
            "i < len(symbols) - 2 and tuple(symbols[i : i + 2]) == pair",
            "A pair at the very end is not merged. Where does your loop end?",
        ),
        Edit(
            "parts-kept",
            "merged.append(pair[0] + pair[1])",
            "merged += [*pair, pair[0] + pair[1]]",
            "The new symbol is there, and so are its parts. What does it stand in the place of?",
        ),
        Edit(
            "either-order",
            "tuple(symbols[i : i + 2]) == pair",
            "tuple(symbols[i : i + 2]) in (pair, pair[::-1])",
            "The pair is merged the wrong way round, too. Which side comes first?",
        ),
        Edit(
            "joined-text",
            "tuple(symbols[i : i + 2]) == pair",
            '"".join(symbols[i : i + 2]) == "".join(pair)',
            "Here `ab` `c` is merged for the pair `a` `bc`. Compare the symbols, or the joined text?",
        ),
    )

    class Mistakes:
        def from_the_right(symbols, pair):
            """This is the merge from the right. In a run of three, which two come first?"""
            return bpe.merge_symbols(symbols[::-1], pair[::-1], "".join(pair))[::-1]

        def last_symbol_twice(symbols, pair):
            """The last symbol is there again after its merge. When does your function add it?"""
            merged = bpe.merge_symbols(symbols, pair)
            return merged if merged[-1:] == symbols[-1:] else merged + symbols[-1:]

        def symbol_used_twice(symbols, pair):
            """In a run one symbol is used for two merges. Where should you go on after a merge?"""
            hits = [False, *(two == pair for two in pairwise(symbols)), False]
            return [
                "".join(pair) if hit else symbol
                for symbol, before, hit in zip(symbols, hits, hits[1:])
                if hit or not before
            ]

        def neighbors_only(symbols, pair):
            """The right part of a merge comes again, and the last symbol is lost. How far do you go after a merge?"""
            return ["".join(pair) if two == pair else two[0] for two in pairwise(symbols)]

        def replaced_in_a_text(symbols, pair):
            """This is what `replace` makes of a text with spaces. Where does a symbol begin and end in that text?"""
            return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split()


@exercise("bpe-23", "Put it in order: the loop of training", Lines(), points=2)
class TheLoopOfTraining:
    """`train(word_freqs, num_merges)` learns that many merges, and returns them as a list of pairs, in the order in
    which they were learned. It uses functions of the lesson: `bpe.split_words`, `bpe.pair_freqs` and `bpe.merge_pair`.

    `train({"hug": 10, "pug": 5, "bun": 12}, 1)` is `[("u", "g")]`: this pair occurs 15 times, and no other as often."""

    hints = (
        "What has to be there before the first turn of the loop, and what comes when the last one is over?",
        "Each turn counts, chooses, and merges. Which line needs what another one has made?",
        "A line that uses `freqs` comes after the one that makes it; the same goes for `pair`.",
    )
    why = (
        "Each turn counts, chooses and merges; the pair may be noted before it is merged, or after."
    )
    cases = (
        ({"hug": 10, "pug": 5, "pun": 12}, 1),
        ({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 3),
        ({"low": 3, "lower": 4, "newer": 2}, 2),
        ({"hug": 10, "pug": 5, "pun": 12}, 0),
    )

    def train(word_freqs, num_merges):
        splits, merges = bpe.split_words(word_freqs), []
        for _ in range(num_merges):
            freqs = bpe.pair_freqs(word_freqs, splits)
            pair = max(freqs, key=freqs.get)
            splits = bpe.merge_pair(pair, splits)
            merges.append(pair)
        return merges

    def inputs():
        from hypothesis import strategies as st

        rows = st.sampled_from(FAMILIES).flatmap(
            lambda words: st.lists(
                st.integers(1, 20), min_size=len(words), max_size=len(words)
            ).map(lambda freqs: dict(zip(words, freqs)))
        )
        return st.tuples(rows, st.integers(0, 4))

    orders = (
        Mistake(
            "begun-too-late",
            "2345617",
            "The loop uses `splits`, and there are none yet. Which line begins a training?",
        ),
        Mistake(
            "returned-too-early",
            "1723456",
            "`return` comes before the loop, and a function ends there. What has been learned by then?",
        ),
        Mistake(
            "chosen-before-counted",
            "1243567",
            "The pair is chosen before anything is counted. From what should `max` choose?",
        ),
        Mistake(
            "merged-before-chosen",
            "1235467",
            "A pair is merged before one is chosen. Where does `pair` get its value?",
        ),
        Mistake(
            "merged-before-counted",
            "1253467",
            "The turn begins with merging. Which pair should that be, if none is counted or chosen yet?",
        ),
        Mistake(
            "noted-before-chosen",
            "1236457",
            "The pair goes into the list before it is chosen. Where does `pair` get its value?",
        ),
        Mistake(
            "noted-before-counted",
            "1263457",
            "The turn begins with the pair that goes into the list. Where does `pair` get its value?",
        ),
    )


@exercise("bpe-17", "Write it: encode a word", Function(), points=3, level="transfer")
class EncodeAWord:
    """Write `encode(word, merges)`. It splits the word into characters and replays the merges; it returns the tokens.

    `merges` is the list of pairs that training has learned, in the order in which they were learned. Each is
    applied wherever its pair occurs, from left to right. A character that no merge uses stays; an empty word
    gives `[]`.

    `encode('unhug', [('u', 'g'), ('u', 'n'), ('h', 'ug')])` is `['un', 'hug']`."""

    hints = (
        "Begin with `list(word)`.",
        "One loop over the merges is enough, from the first to the last.",
        "For each merge, walk through the symbols and join its pair wherever it stands, as training does.",
    )
    why = "Replayed in the order of the training, the merges do to a new word what they did to the corpus."
    cases = (
        ("unhug", [("u", "g"), ("u", "n"), ("h", "ug")]),
        ("ab", [("a", "b")]),
        ("ugug", [("u", "g")]),
        ("then", [("e", "n"), ("t", "h"), ("th", "e")]),
        ("pug", []),
        ("", [("u", "g")]),
        ("abc", [("b", "c"), ("a", "bc"), ("a", "b")]),
    )

    def encode(word, merges):
        symbols = list(word)
        for left, right in merges:
            i = 0
            while i < len(symbols) - 1:
                if symbols[i] == left and symbols[i + 1] == right:
                    symbols[i : i + 2] = [left + right]
                i += 1
        return symbols

    def inputs():
        from hypothesis import strategies as st

        def word_and_merges(alphabet):
            words = st.text(alphabet, min_size=1, max_size=7)
            corpora = st.dictionaries(words, st.integers(1, 12), min_size=1, max_size=4)
            return st.tuples(
                words, corpora.map(lambda freqs: bpe.train(freqs, num_merges=7).merges)
            )

        return st.sampled_from(["ab", "abc", "aw</>", "ма", "enth"]).flatmap(word_and_merges)

    def try_on(rng):
        freqs = word_freqs(rng)
        return rng.choice(list(freqs)) + rng.choice(list(freqs)), bpe.train(
            freqs, num_merges=4
        ).merges

    class Also:
        def by_rank(word, merges):
            symbols, ranks = list(word), {pair: rank for rank, pair in enumerate(merges)}
            while known := [pair for pair in pairwise(symbols) if pair in ranks]:
                best, merged = min(known, key=ranks.__getitem__), []
                for symbol in symbols:
                    if merged and (merged[-1], symbol) == best:
                        merged[-1] += symbol
                    else:
                        merged.append(symbol)
                symbols = merged
            return symbols

        def by_the_package(word, merges):
            return bpe.merge_in_order(list(word), merges)

    edits = (
        Edit(
            "latest-merge-first",
            "in merges",
            "in reversed(merges)",
            "This comes out when the last merge goes first. In which order did training do them?",
        ),
        Edit(
            "long-merges-first",
            "in merges",
            'in sorted(merges, key=lambda pair: -len("".join(pair)))',
            "This comes out when merges of long tokens go first. In which order did training do them?",
        ),
        Edit(
            "last-merge-missing",
            "in merges",
            "in merges[:-1]",
            "The last merge of the list is never applied. Where does your loop end?",
        ),
        Edit(
            "first-merge-alone",
            "    return symbols",
            "        return symbols",
            "Only the first merge of the list is applied. Does your function return inside the loop?",
        ),
        Edit(
            "first-place-only",
            "[left + right]",
            "[left + right]\n                break",
            "Each merge is applied in one place here. What if its pair stands twice?",
        ),
        Edit(
            "last-merge-alone",
            "        i = 0",
            "        symbols, i = list(word), 0",
            "Only the last merge of the list is left. Where do the symbols begin anew?",
        ),
        Edit(
            "last-symbol-lost",
            "            i += 1",
            "            i += 1\n        if i < len(symbols):\n            symbols.pop()",
            "With each merge the last symbol is lost, unless it was joined. What does your loop do with it?",
        ),
        Edit(
            "right-part-kept",
            "symbols[i : i + 2] = [left + right]",
            "symbols[i] = left + right",
            "The new symbol is there, and so is its right part. What has to go?",
        ),
        Edit(
            "one-too-far",
            "[left + right]",
            "[left + right]\n                i += 1",
            "After a merge one symbol is not looked at. What stands right after the new symbol?",
        ),
        Edit(
            "alphabetical",
            "in merges",
            "in sorted(merges)",
            "This comes out when the merges go in the order of the alphabet. In which order did training do them?",
        ),
        Edit(
            "unused-characters-lost",
            "list(word)",
            "[char for char in word if any(char in pair for pair in merges)]",
            "Characters that no merge uses are missing. What is to become of them?",
        ),
        Edit(
            "unused-characters-unknown",
            "list(word)",
            "[char if any(char in pair for pair in merges) else '[UNK]' for char in word]",
            "Characters that no merge uses are `[UNK]` here. What is to become of them?",
        ),
        Edit(
            "from-the-right",
            "i = 0\n        while i < len(symbols) - 1:",
            "for i in range(len(symbols) - 2, -1, -1):",
            "Each merge is applied from right to left here. In `aaa`, which two come first?",
        ),
        Edit(
            "tokens-of-the-merges",
            "    return symbols",
            "    return [left + right for left, right in merges if left + right in word]",
            "These are tokens that the merges make and the word holds. Which pieces make up the word?",
        ),
    )

    class Mistakes:
        def longest_token_first(word, merges):
            """This comes out when the longest token is cut out first. Was it always learned before a shorter one?"""
            return bpe.longest_first(list(word), tokens_of(word, merges))

        def longest_prefix(word, merges):
            """These are the longest tokens from left to right. Which merge was learned first?"""
            tokens = []
            while word:
                tokens.append(
                    max(
                        (token for token in tokens_of(word, merges) if word.startswith(token)),
                        key=len,
                    )
                )
                word = word[len(tokens[-1]) :]
            return tokens

        def any_merge_on_the_way(word, merges):
            """This comes out when one walk joins whatever is in the list. Which merge was learned first?"""
            symbols, i = list(word), 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) in merges:
                    symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
                else:
                    i += 1
            return symbols

        def leftmost_pair_first(word, merges):
            """This comes out when the leftmost pair of the list is merged first. Which pair was learned first?"""
            symbols, i = list(word), 0
            while i < len(symbols) - 1:
                hit = (symbols[i], symbols[i + 1]) in merges
                symbols[i : i + 1 + hit] = ["".join(symbols[i : i + 1 + hit])]
                i = 0 if hit else i + 1
            return symbols

        def one_merge_only(word, merges):
            """This is the word after the first merge that applies. Might another apply to its result?"""
            states = (bpe.merge_symbols(list(word), pair) for pair in merges)
            return next((state for state in states if state != list(word)), list(word))

        def replaced_in_a_text(word, merges):
            """This is what `replace` makes of a text with spaces. Where does a symbol begin and end in that text?"""
            text = " ".join(word)
            for left, right in merges:
                text = text.replace(f"{left} {right}", left + right)
            return text.split()


@exercise("bpe-18", "Write it: back to words", Function(), points=2)
class BackToWords:
    """Write `decode(tokens)`. It joins tokens into words, and returns the list of them.

    A token that ends with `</w>` ends a word, and the mark is no part of it; the mark may also be a token by itself.
    Tokens after the last mark are one more word: nothing may be lost. No word is empty, and no tokens give no words.

    `decode(['the</w>', 'high', 'est</w>', 'ran'])` is `['the', 'highest', 'ran']`."""

    hints = (
        "Collect pieces until a token ends with the mark.",
        "`token.endswith('</w>')` and `token.removesuffix('</w>')` help.",
        "After the loop, look whether pieces are left over: they are a word, too.",
    )
    why = "A mark ends a word, and what is left over after the last one is kept."
    cases = (
        (["the</w>", "high", "est</w>", "ran"],),
        (["a</w>"],),
        (["lo", "w", "</w>", "w</w>"],),
        (["w"],),
        ([],),
    )

    def decode(tokens):
        words, word = [], ""
        for token in tokens:
            word += token
            if token.endswith("</w>"):
                words.append(word.removesuffix("</w>"))
                word = ""
        if word:
            words.append(word)
        return words

    def inputs():
        from hypothesis import strategies as st

        piece = st.sampled_from(["a", "b", "w", "ww", "/", "<", "w>", "est", "high", "ца"])
        word = st.lists(piece, min_size=1, max_size=3)
        marked = word.flatmap(
            lambda word: st.sampled_from([[*word, "</w>"], [*word[:-1], word[-1] + "</w>"]])
        )
        return (
            st.tuples(st.lists(marked, max_size=4), st.just([]) | word)
            .map(lambda text: ([token for word in [*text[0], text[1]] for token in word],))
            .filter(
                lambda case: (
                    "</w></w>" not in "".join(case[0])
                    and "</w>" not in "".join(token.removesuffix("</w>") for token in case[0])
                )
            )
        )

    def try_on(rng):
        return (
            [
                piece
                for word in rng.sample(rng.choice(FAMILIES), 3)
                for piece in (word[:2], word[2:] + "</w>")
            ],
        )

    class Also:
        def by_splitting(tokens):
            return [word for word in "".join(tokens).split("</w>") if word]

        def by_flag(tokens):
            words, start = [], True
            for token in tokens:
                if start:
                    words.append("")
                words[-1] += token.replace("</w>", "")
                start = token.endswith("</w>")
            return words

    edits = (
        Edit(
            "rest-lost",
            "\n    if word:\n        words.append(word)",
            "",
            "What stands after the last mark is lost. What becomes of a word that is not finished?",
        ),
        Edit(
            "empty-word",
            "    if word:\n        words.append(word)",
            "    words.append(word)",
            "There is an empty word at the end. What is after the last mark, if nothing follows?",
        ),
        Edit(
            "last-token-only",
            "word += token",
            "word = token",
            "Of each word only its last token is left. What stands before the token with the mark?",
        ),
        Edit(
            "marks-kept",
            'word.removesuffix("</w>")',
            "word",
            "The mark is still in the words. Does it belong to the text?",
        ),
        Edit(
            "letters-stripped",
            'removesuffix("</w>")',
            'strip("</w>")',
            "Some words have lost letters of their own. Does `strip` take away the mark, or each of its letters?",
        ),
        Edit(
            "letters-stripped-at-the-end",
            'removesuffix("</w>")',
            'rstrip("</w>")',
            "Some words have lost letters at their end. Does `rstrip` take away the mark, or each of its letters?",
        ),
        Edit(
            "letters-stripped-behind",
            "word += token",
            'word += token.rstrip("</w>") if token.endswith("</w>") else token',
            "Some words have lost letters at their end. Does `rstrip` take away the mark, or each of its letters?",
        ),
        Edit(
            "mark-alone",
            'token.endswith("</w>")',
            'token == "</w>"',
            "Only a mark by itself ends a word here. What about a token that ends with it?",
        ),
        Edit(
            "never-the-mark-alone",
            'token.endswith("</w>")',
            'token.endswith("</w>") and token != "</w>"',
            "A mark by itself ends no word here. May it not be a token of its own?",
        ),
        Edit(
            "words-go-on",
            'word.removesuffix("</w>"))\n            word = ""\n    if word:',
            'word.replace("</w>", ""))\n    if tokens and not tokens[-1].endswith("</w>"):',
            "Each word goes on from the one before. What has to be empty when a word begins?",
        ),
    )

    class Mistakes:
        def every_token_a_word(tokens):
            """Every token is a word here. Where does a word end?"""
            return [token.replace("</w>", "") for token in tokens]

        def marks_ignored(tokens):
            """Everything is one word here. What does the mark say?"""
            return ["".join(tokens).replace("</w>", "")] if tokens else []

        def mark_begins_a_word(tokens):
            """Here a word begins at each token with a mark. At which end of a word does the mark stand?"""
            words = []
            for token in tokens:
                if token.endswith("</w>") or not words:
                    words.append("")
                words[-1] += token.removesuffix("</w>")
            return words


@exercise("bpe-19", "Repair it: the best pair", Repair(), points=2)
class BestPair:
    """The function below should return the most frequent pair and, among equals, the one that was **seen first**. It
    does not always. Mend it. There is at least one pair, and every count is at least 1.

    `best_pair({('h', 'u'): 15, ('u', 'g'): 20, ('u', 'n'): 20})` should be `('u', 'g')`."""

    hints = (
        "Try it on two pairs that are equally frequent.",
        "A dictionary keeps the order in which its pairs came in.",
        "Which comparison lets a later pair win although it is not more frequent?",
    )
    why = "A later pair takes the place of an earlier one only if it is more frequent."
    cases = (
        ({("h", "u"): 15, ("u", "g"): 20, ("u", "n"): 20},),
        ({("u", "g"): 20, ("h", "u"): 15},),
        ({("a", "b"): 1},),
        ({("b", "a"): 9, ("c", "a"): 10, ("a", "b"): 10},),
    )

    def best_pair(pair_freqs):
        best, most = None, 0
        for pair, freq in pair_freqs.items():
            if freq > most:
                best, most = pair, freq
        return best

    def inputs():
        from hypothesis import strategies as st

        symbol = st.sampled_from(["a", "b", "c", "ab", "Z", "</w>", "ц"])
        numbers = st.sampled_from([[1], [1, 2], [2, 3, 10], [9, 10, 100], [99, 250, 1000]]).map(
            st.sampled_from
        )
        return numbers.flatmap(
            lambda number: st.tuples(
                st.dictionaries(st.tuples(symbol, symbol), number, min_size=1, max_size=6)
            )
        )

    def try_on(rng):
        freqs = word_freqs(rng)
        return (dict(list(bpe.pair_freqs(freqs, bpe.split_words(freqs)).items())[:5]),)

    class Broken:
        def best_pair(pair_freqs):
            best, most = None, 0
            for pair, freq in pair_freqs.items():
                if freq >= most:
                    best, most = pair, freq
            return best

    class Also:
        def by_max(pair_freqs):
            return max(pair_freqs, key=pair_freqs.get)

        def by_sorting(pair_freqs):
            return next(iter(sorted(pair_freqs, key=pair_freqs.get, reverse=True)))

    edits = (
        Edit(
            "last-seen",
            "freq > most",
            "freq >= most",
            "Among equals the last one wins. When exactly is a pair better than the best so far?",
        ),
        Edit(
            "alphabetical",
            "freq > most",
            "freq > most or freq == most and pair < best",
            "Among equals the first in the alphabet wins. Which one was seen first?",
        ),
        Edit(
            "alphabetical-last",
            "freq > most",
            "freq > most or freq == most and pair > best",
            "Among equals the last in the alphabet wins. Which one was seen first?",
        ),
        Edit(
            "rarest-pair",
            "freq > most",
            "best is None or freq < most",
            "This is the rarest pair. In which direction do you compare?",
        ),
        Edit(
            "count-returned",
            "return best",
            "return most",
            "This is a count. What is asked for, the pair or how often it occurs?",
        ),
        Edit(
            "pair-and-count",
            "return best",
            "return best, most",
            "The pair comes with its count here. What is asked for?",
        ),
        Edit(
            "nothing-for-ones",
            "None, 0",
            "None, 1",
            "Where every pair stands once, none is found. What is the first count to be compared with?",
        ),
        Edit(
            "never-better",
            "freq > most",
            "freq < most",
            "This is the `None` of the beginning. Is anything returned, and does any pair win against 0?",
        ),
        Edit(
            "first-pair",
            "freq > most",
            "best is None",
            "This is the first pair, however rare it is. Does a later one ever win?",
        ),
        Edit(
            "counts-as-texts",
            "freq > most",
            "str(freq) > str(most)",
            "Here 9 is more than 10. Are the counts compared as numbers, or letter by letter?",
        ),
    )
