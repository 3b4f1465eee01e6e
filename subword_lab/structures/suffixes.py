"""Repeated substrings of a corpus from its sorted suffixes: few candidates where all substrings would be many.

A word of n characters has n(n-1)/2 substrings of two or more, but most of them are only parts of longer ones: where
`hu` is always followed by `g`, nothing is lost by looking at `hug` alone. Sorted, the suffixes of all words put equal
beginnings side by side, and the places where neighbors part show which substrings cannot be made longer without
occurring less often. There are fewer than two of them a suffix.

Source: U. Manber and G. Myers, "Suffix Arrays: A New Method for On-Line String Searches" (1993); M. Abouelhoda,
S. Kurtz and E. Ohlebusch, "Replacing Suffix Trees with Enhanced Suffix Arrays" (2004).
"""

from collections.abc import Mapping

LONGEST = (
    100  # characters of a repeated substring; without a limit, "xxx..." has one of every length
)


def sorted_suffixes(word_freqs: Mapping[str, int]) -> list[tuple[str, int]]:
    """The first characters of every suffix, each once, in code-point order, with the number of its occurrences.

    >>> sorted_suffixes({"hug": 10, "pug": 5})
    [('g', 15), ('hug', 10), ('pug', 5), ('ug', 15)]
    """
    freqs: dict[str, int] = {}
    for word, freq in word_freqs.items():
        for start in range(len(word)):
            suffix = word[start : start + LONGEST]
            freqs[suffix] = freqs.get(suffix, 0) + freq
    return sorted(freqs.items())


def repeats(word_freqs: Mapping[str, int]) -> dict[str, int]:
    """Substrings of two or more characters that occur twice or more, and less often with any character after them.

    Longer ones are cut to `LONGEST` characters. Returns each with its number of occurrences in the corpus. On the way
    through the sorted suffixes, `open` holds the beginnings of the current suffix that may still go on, each with the
    occurrences seen so far; a beginning that the next suffix does not share is complete.

    >>> repeats({"hug": 10, "pug": 5, "hum": 1})
    {'hug': 10, 'hu': 11, 'pug': 5, 'ug': 15}
    """
    found: dict[str, int] = {}
    open: list[tuple[int, int]] = []  # (length, occurrences), the longest last
    suffixes = sorted_suffixes(word_freqs)
    for (suffix, freq), (following, _) in zip(
        suffixes,
        [*suffixes[1:], ("", 0)],
    ):
        open.append((len(suffix), freq))
        shared = next(
            (n for n, (a, b) in enumerate(zip(suffix, following)) if a != b),
            min(len(suffix), len(following)),
        )
        while open and open[-1][0] > shared:
            length, occurrences = open.pop()
            if length > 1 and occurrences > 1:
                found[suffix[:length]] = occurrences
            if open and open[-1][0] >= shared:
                open[-1] = open[-1][0], open[-1][1] + occurrences
            elif shared:
                open.append((shared, occurrences))
    return found
