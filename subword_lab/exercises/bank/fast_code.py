"""The exercises of lesson 08 that ask for code."""

# mypy: ignore-errors
from .. import Edit, Repair, exercise


@exercise("fast-17", "Repair it: counts that keep up", Repair(keeps=True), points=3, core=True)
class KeepUp:
    """`counts` says how often each pair occurs in a corpus. In one word, which occurs `freq` times, a pair has just
    been merged: its symbols were `old`, and now they are `new`. The function is to return the counts as they are now,
    in a new dictionary without pairs that no longer occur. It does not always. Fix it. `counts` itself stays
    as it is.

    `updated({('h', 'u'): 7, ('u', 'g'): 5}, ['h', 'u', 'g'], ['h', 'ug'], 5)` is to be
    `{('h', 'u'): 2, ('h', 'ug'): 5}`."""

    hints = (
        "Try it on a word in which a pair occurs twice, such as `b a n a n a`.",
        "What does a set do with what comes twice?",
        "Go through `zip(old, old[1:])` as it is, and through `zip(new, new[1:])` too.",
    )
    why = "Every place counts: what occurs twice in the word is taken off, or added, twice."
    cases = (
        ({("h", "u"): 7, ("u", "g"): 5}, ["h", "u", "g"], ["h", "ug"], 5),
        ({("b", "a"): 3, ("a", "n"): 6, ("n", "a"): 6}, [*"banana"], ["b", "an", "an", "a"], 3),
        ({("a", "b"): 4}, ["a", "b"], ["ab"], 4),
        ({("a", "a"): 6, ("x", "y"): 1}, [*"aaaa"], ["aa", "aa"], 2),
        ({("x", "a"): 2, ("a", "b"): 4, ("b", "a"): 2}, [*"abab"], ["ab", "ab"], 2),
    )

    def updated(counts, old, new, freq):
        counts = dict(counts)
        for pair in zip(old, old[1:]):
            counts[pair] -= freq
        for pair in zip(new, new[1:]):
            counts[pair] = counts.get(pair, 0) + freq
        return {pair: count for pair, count in counts.items() if count}

    def inputs():
        from hypothesis import strategies as st

        def made(letters, place, freq, more):
            left, right = letters[place % (len(letters) - 1) :][:2]
            new, i = [], 0
            while i < len(letters):
                hit = letters[i : i + 2] == [left, right]
                new.append(left + right if hit else letters[i])
                i += 1 + hit
            counts = {}
            for pair in zip(letters, letters[1:]):
                counts[pair] = counts.get(pair, 0) + freq
            for pair, count in more.items():
                counts[pair] = counts.get(pair, 0) + count
            return counts, letters, new, freq

        symbol, other = st.sampled_from("ab"), st.sampled_from(["a", "b", "ab", "x"])
        more = st.dictionaries(st.tuples(other, other), st.integers(1, 5), max_size=4)
        return st.builds(
            made,
            st.lists(symbol, min_size=2, max_size=7),
            st.integers(0, 5),
            st.integers(1, 9),
            more,
        )

    def try_on(rng):
        word, freq = rng.choice(["banana", "cocoa", "onion", "mama"]), rng.between(2, 9)
        left, right = word[1], word[2]
        counts = {}
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + freq
        new = word.replace(left + right, left.upper())
        return (
            counts,
            [*word],
            [left + right if char == left.upper() else char for char in new],
            freq,
        )

    class Broken:
        def updated(counts, old, new, freq):
            counts = dict(counts)
            for pair in {*zip(old, old[1:])}:
                counts[pair] -= freq
            for pair in {*zip(new, new[1:])}:
                counts[pair] = counts.get(pair, 0) + freq
            return {pair: count for pair, count in counts.items() if count}

    class Also:
        def with_a_counter(counts, old, new, freq):
            from collections import Counter

            counts = Counter(counts)
            for number in range(len(old) - 1):
                counts[old[number], old[number + 1]] -= freq
            for number in range(len(new) - 1):
                counts[new[number], new[number + 1]] += freq
            return {pair: count for pair, count in counts.items() if count > 0}

        def by_difference(counts, old, new, freq):
            changed = dict(counts)
            for symbols, sign in (old, -1), (new, 1):
                for left, right in zip(symbols, symbols[1:]):
                    changed[left, right] = changed.get((left, right), 0) + sign * freq
                    if not changed[left, right]:
                        del changed[left, right]
            return changed

    edits = (
        Edit(
            "added-once",
            "zip(new, new[1:])",
            "{*zip(new, new[1:])}",
            "What stands twice is taken off twice now. Is it added twice, too?",
        ),
        Edit(
            "taken-off-once",
            "zip(old, old[1:])",
            "{*zip(old, old[1:])}",
            "What stands twice is added twice now. Is it taken off twice, too?",
        ),
        Edit(
            "zeros-kept",
            "return {pair: count for pair, count in counts.items() if count}",
            "return counts",
            "Pairs that no longer occur are still there, with 0. Should they be?",
        ),
        Edit(
            "only-taken-off",
            "    for pair in zip(new, new[1:]):\n        counts[pair] = counts.get(pair, 0) + freq\n",
            "",
            "The old pairs are taken off. What about those that the word has now?",
        ),
        Edit(
            "only-added",
            "    for pair in zip(old, old[1:]):\n        counts[pair] -= freq\n",
            "",
            "The new pairs are added. What about those that the word had before?",
        ),
        Edit(
            "written-over",
            "counts.get(pair, 0) + freq",
            "freq",
            "A pair of the word has its frequency as count here. What if it stood elsewhere, too?",
        ),
        Edit(
            "word-alone",
            "    counts = dict(counts)\n    for pair in zip(old, old[1:]):\n        counts[pair] -= freq\n",
            "    counts = {}\n",
            "These are the pairs of this word alone. Where are those of the other words?",
        ),
        Edit(
            "old-pairs-deleted",
            "counts[pair] -= freq",
            "counts.pop(pair, None)",
            "The pairs that the word had are gone, with what they count in other words. How much is to be taken off?",
        ),
    )

    class Mistakes:
        def once_each(counts, old, new, freq):
            """A pair that stands twice in the word is taken off, or added, only once here. How often does it occur?"""
            counts = dict(counts)
            for pair in {*zip(old, old[1:])}:
                counts[pair] = counts.get(pair, 0) - freq
            for pair in {*zip(new, new[1:])}:
                counts[pair] = counts.get(pair, 0) + freq
            return {pair: count for pair, count in counts.items() if count}

        def one_by_one(counts, old, new, freq):
            """The word counts once here. How often does it occur?"""
            counts = dict(counts)
            for pair in zip(old, old[1:]):
                counts[pair] = counts.get(pair, 0) - 1
            for pair in zip(new, new[1:]):
                counts[pair] = counts.get(pair, 0) + 1
            return {pair: count for pair, count in counts.items() if count}
