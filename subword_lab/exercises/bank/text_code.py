"""The exercises of lesson 00 that ask for code."""

# mypy: ignore-errors
from itertools import accumulate

from .. import Edit, Function, Repair, exercise
from .corpora import word_freqs

SENTENCES = (
    "the cat saw the dog",
    "one by one they came",
    "New York is not new",
    "кот и пёс и кот",
    "tea or no tea",
    "The end of the end",
    "a rose is a rose",
    "дом и сад и дом",
)


@exercise("text-12", "Write it: the vocabulary while one reads", Function(), points=2)
class TypesSeen:
    """Write `types_seen(words)`. It reads a list of words from left to right, and says after each word how many
    *different* words there have been so far. The result is a list as long as `words`.

    `types_seen(['a', 'b', 'a', 'c'])` is `[1, 2, 2, 3]`."""

    hints = (
        "What do you have to remember while you read?",
        "A set holds everything once, however often it is added.",
        "In the loop: add the word to a set, then append the size of the set to a list.",
    )
    why = "The set grows only when a word is new, so the curve flattens where words repeat."
    cases = [(["a", "b", "a", "c"],), (["a"],), (["a", "a"],), ([],), (["a", "A", "b", "a"],)]

    def types_seen(words):
        seen, sizes = set(), []
        for word in words:
            seen.add(word)
            sizes.append(len(seen))
        return sizes

    def try_on(rng):
        return (rng.shuffle(rng.choice(SENTENCES).split()),)

    def inputs():
        from hypothesis import strategies as st

        return st.tuples(
            st.lists(st.sampled_from(["a", "A", "b", "ab", "c", "кот", ""]), max_size=14)
            | st.permutations(["ab", "a"])
        )

    class Also:
        def by_slices(words):
            return [len(set(words[:end])) for end in range(1, len(words) + 1)]

        def by_news(words):
            return list(
                accumulate(int(words.index(word) == place) for place, word in enumerate(words))
            )

    edits = (
        Edit(
            "every-word-counts",
            "len(seen)",
            "len(sizes) + 1",
            "These numbers grow with every word. What if a word has been there before?",
        ),
        Edit(
            "one-word-late",
            "        seen.add(word)\n        sizes.append(len(seen))",
            "        sizes.append(len(seen))\n        seen.add(word)",
            "These are the numbers before each word. Is the word itself not there already?",
        ),
        Edit(
            "capitals-ignored",
            "seen.add(word)",
            "seen.add(word.lower())",
            "`A` and `a` are one word here. Did anybody ask for small letters?",
        ),
        Edit(
            "only-the-last-number",
            "return sizes",
            "return len(seen)",
            "This is one number, for the whole list. What was it after the first word?",
        ),
        Edit(
            "news-not-added-up",
            "        seen.add(word)\n        sizes.append(len(seen))",
            "        sizes.append(int(word not in seen))\n        seen.add(word)",
            "This says of each word whether it is new. How many were new up to there?",
        ),
        Edit(
            "times-so-far",
            "len(seen)",
            "words[: len(sizes) + 1].count(word)",
            "This is how often each word has occurred so far. How many different words have there been?",
        ),
        Edit(
            "words-themselves",
            "return sizes",
            "return list(dict.fromkeys(words))",
            "These are the different words. How many were there after each word?",
        ),
        Edit(
            "new-words-only",
            "        sizes.append(len(seen))",
            "        if len(seen) not in sizes:\n            sizes.append(len(seen))",
            "There is no number for a word that has been there before. After which words is the number asked for?",
        ),
        Edit(
            "inside-another-word",
            "seen, sizes = set(), []",
            'text, found, sizes = "", 0, []\n    for word in words:\n        found += word not in '
            'text\n        text += " " + word\n        sizes.append(found)\n    return sizes\n    seen, '
            "sizes = set(), []",
            "A word that stands inside another one counts as seen here. What keeps the words apart?",
        ),
        Edit(
            "those-that-occur-once",
            "len(seen)",
            "sum(words[: len(sizes) + 1].count(each) == 1 for each in seen)",
            "These are the words that have occurred just once so far. Is a word that comes again no word "
            "of the text any more?",
        ),
    )

    class Mistakes:
        def neighbors_only(words):
            """A word counts as new here unless it is the same as the one before it. What if it stood further back?"""
            return list(
                accumulate(
                    int(place == 0 or words[place - 1] != word) for place, word in enumerate(words)
                )
            )


@exercise("text-13", "Write it: offsets of tokens", Function(), points=2)
class TokenOffsets:
    """A word at position `start` of a text was cut into tokens. Write `token_offsets(tokens, start)`, a list that
    holds for each token the pair of its first position in the text and the one right after it. The token `[UNK]`
    stands for one character.

    `token_offsets(['un', '[UNK]', 'ug'], 10)` is `[(10, 12), (12, 13), (13, 15)]`."""

    hints = (
        "Where does the second token begin, if you know where the first one ends?",
        "Keep the current position in a variable, and move it on after each token.",
        "How far you move on is the length of the token, and one for `[UNK]`.",
    )
    why = "Each token begins where the one before it ended, so offsets are running sums of lengths in the text."
    cases = [(["un", "[UNK]", "ug"], 10), (["hug"], 0), (["hug"], 4), (["un", "hug"], 0), ([], 3)]

    def token_offsets(tokens, start):
        offsets = []
        for token in tokens:
            end = start + (1 if token == "[UNK]" else len(token))
            offsets.append((start, end))
            start = end
        return offsets

    def try_on(rng):
        return rng.sample(
            ["un", "hug", "s", "[UNK]", "look", "ing", "кош", "ка", "猫"], 3
        ), rng.between(1, 30)

    def inputs():
        from hypothesis import strategies as st

        tokens = st.lists(
            st.sampled_from(["a", "ug", "hug", "[UNK]", "кот", "猫", "UNK", "[CLS]"]),
            max_size=5,
        )
        return st.tuples(tokens, st.integers(0, 120))

    class Also:
        def by_sums(tokens, start):
            ends = list(
                accumulate(
                    (1 if token == "[UNK]" else len(token) for token in tokens), initial=start
                )
            )
            return list(zip(ends, ends[1:], strict=False))

        def by_spelling(tokens, start):
            spelled = [token.replace("[UNK]", "?") for token in tokens]
            starts = [start + len("".join(spelled[:place])) for place in range(len(spelled))]
            return [
                [begin, begin + len(token)] for begin, token in zip(starts, spelled, strict=True)
            ]

    edits = (
        Edit(
            "end-included",
            "(start, end)",
            "(start, end - 1)",
            "The end is the token's own last position here. Which is the first one after it?",
        ),
        Edit(
            "always-at-the-start",
            "\n        start = end",
            "",
            "Every token begins where the word begins here. Where does a token begin if another stands before it?",
        ),
        Edit(
            "start-ignored",
            "offsets = []",
            "offsets, start = [], 0",
            "These positions count from the beginning of the word. Where does the word begin in the text?",
        ),
        Edit(
            "length-for-end",
            "(start, end)",
            "(start, end - start)",
            "The second number of each pair is a length here. At which position does the token end?",
        ),
        Edit(
            "unknown-by-its-letters",
            '(1 if token == "[UNK]" else len(token))',
            "len(token)",
            "`[UNK]` takes as many places here as its name has letters. For how much of the text does it stand?",
        ),
        Edit(
            "unknown-takes-no-place",
            "1 if",
            "0 if",
            "`[UNK]` takes no place here. For how much of the text does it stand?",
        ),
        Edit(
            "counted-in-bytes",
            "len(token)",
            "len(token.encode())",
            "These positions count bytes. How many characters is `кот`?",
        ),
        Edit(
            "unknown-left-out",
            "offsets.append(",
            'if token != "[UNK]":\n            offsets.append(',
            "There is no pair for `[UNK]` here. Does it stand for nothing in the text?",
        ),
    )


@exercise("text-14", "Repair it: how much is unknown?", Repair(), points=2, level="transfer")
class UnknownWords:
    """A vocabulary keeps the `size` most frequent words. This function should say **how many words of the text** are
    not in it, every word counted as often as it is read. It says something else. Fix it."""

    hints = (
        "What does `len` count in the last line?",
        "The first line is right: it chooses the words to keep.",
        "Add up the frequencies of the words that are not kept.",
    )
    why = "A text is made of occurrences: each word that is left out costs as often as it is read."
    cases = [
        ({"a": 2}, 0),
        ({"a": 1}, 1),
        ({"a": 1, "b": 3}, 1),
        ({}, 2),
        ({"a": 9, "b": 10, "c": 100}, 2),
    ]

    def unknown_words(word_freqs, size):
        kept = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
        return sum(freq for word, freq in word_freqs.items() if word not in kept)

    class Broken:
        def unknown_words(word_freqs, size):
            kept = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
            return len([word for word in word_freqs if word not in kept])

    def try_on(rng):
        return word_freqs(rng), rng.between(1, 3)

    def inputs():
        from hypothesis import strategies as st

        counts = st.dictionaries(
            st.sampled_from(["a", "b", "c", "d", "e"]), st.integers(1, 120), max_size=5
        )
        return st.tuples(counts, st.integers(0, 4))

    class Also:
        def by_counts(word_freqs, size):
            return sum(sorted(word_freqs.values(), reverse=True)[size:])

        def by_difference(word_freqs, size):
            return sum(word_freqs.values()) - sum(sorted(word_freqs.values())[::-1][:size])

    edits = (
        Edit(
            "size-as-threshold",
            "word not in kept",
            "freq < size",
            "Here words that occur fewer than `size` times are left out. Does `size` count words, or occurrences?",
        ),
        Edit(
            "types-not-occurrences",
            "sum(freq",
            "sum(1",
            "This is how many different words are left out. How often is each of them read?",
        ),
        Edit(
            "known-words",
            "not in",
            "in",
            "This is how many of the words read are kept. Which ones are asked for?",
        ),
        Edit(
            "all-words",
            " if word not in kept",
            "",
            "This is how long the text is: the words that are kept count, too. Which ones are asked for?",
        ),
        Edit(
            "rarest-kept",
            ", reverse=True",
            "",
            "The rarest words are kept here. In which direction do you sort?",
        ),
        Edit(
            "first-seen-kept",
            "sorted(word_freqs, key=word_freqs.get, reverse=True)",
            "list(word_freqs)",
            "The words that came first are kept here. Does the order of the dictionary say how frequent they are?",
        ),
        Edit(
            "alphabet-kept",
            ", key=word_freqs.get, reverse=True",
            "",
            "The words that come first in the alphabet are kept here. What should they be sorted by?",
        ),
        Edit(
            "one-too-many-kept",
            "[:size]",
            "[: size + 1]",
            "One word more is kept here than there is room for. Where does a slice `[:size]` end?",
        ),
        Edit(
            "share",
            "if word not in kept)",
            "if word not in kept) / sum(word_freqs.values())",
            "This is a share. How many words is it?",
        ),
        Edit(
            "one-too-few-kept",
            "[:size]",
            "[: size - 1]",
            "One word too few is in the vocabulary. How many does `[:size]` take?",
        ),
    )
