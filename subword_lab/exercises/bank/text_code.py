"""The exercises of lesson 00 that ask for code."""
from __future__ import annotations

from itertools import accumulate

from ..code import Function, Repair
from ..core import Exercise, Misconception
from .corpora import as_table, word_freqs

SENTENCES = ("the cat saw the dog", "one by one they came", "New York is not new", "кот и пёс и кот", "tea or no tea",
             "The end of the end", "a rose is a rose", "дом и сад и дом")


# ------------------------------------------------------------------------------------------------- types while reading

def _growth(words):
    seen, sizes = set(), []
    for word in words:
        seen.add(word)
        sizes.append(len(seen))
    return sizes


def _growth_by_slices(words):
    return [len(set(words[:end])) for end in range(1, len(words) + 1)]


def _growth_by_news(words):
    return list(accumulate(int(words.index(word) == place) for place, word in enumerate(words)))


def _growth_late(words):
    return [0, *_growth(words)][:len(words)]


def _growth_of_neighbors(words):
    return list(accumulate(int(place == 0 or words[place - 1] != word) for place, word in enumerate(words)))


def _times_so_far(words):
    return [words[:place + 1].count(word) for place, word in enumerate(words)]


def _word_lists():
    from hypothesis import strategies as st

    return st.lists(st.sampled_from(["a", "A", "b", "c"]), max_size=7).map(lambda words: (words,))


GROWTH = Exercise(
    id="text-12", title="Write it: the vocabulary while one reads", points=2, kind=Function("types_seen(words)"),
    generate=lambda rng: {"words": rng.choice(SENTENCES).split()},
    question=lambda v: "Write `types_seen(words)`. It reads a list of words from left to right, and says after each "
                       "word how many *different* words there have been so far. The result is as long as the "
                       "list.\n\n```\ntypes_seen(['a', 'b', 'a', 'c'])\n```\n\nis `[1, 2, 2, 3]`. A list to try it on: "
                       f"`{v['words']}`.",
    answer=lambda v: _growth, also=lambda v: (_growth_by_slices, _growth_by_news),
    misconceptions=(
        Misconception("every-word-counts", "Your number grows with every word. What if a word has been there before?",
                      lambda v: lambda words: list(range(1, len(words) + 1))),
        Misconception("neighbors-only", "You compare a word with the one before it only. What if it stood further "
                                        "back?",
                      lambda v: _growth_of_neighbors),
        Misconception("one-word-late", "You count before the word has been added. Is the word itself not there "
                                       "already?",
                      lambda v: _growth_late),
        Misconception("capitals-ignored", "You take `A` and `a` for the same word. Did anybody ask for small letters?",
                      lambda v: lambda words: _growth([word.lower() for word in words])),
        Misconception("only-the-last-number", "You return one number, for the whole list. What was it after the first "
                                              "word?",
                      lambda v: lambda words: len(set(words))),
        Misconception("news-not-added-up", "You say of each word whether it is new. How many were new up to there?",
                      lambda v: lambda words: [int(words.index(word) == place) for place, word in enumerate(words)]),
        Misconception("times-so-far", "You count how often this word has occurred. How many different words have?",
                      lambda v: _times_so_far),
    ),
    cases=lambda v: [(["a"],), (["a", "a"],), (["a", "b", "a"],), ([],), (v["words"],)],
    strategy=lambda v: _word_lists(),
    hints=("What do you have to remember while you read?", "A set holds everything once, however often it is added.",
           "In the loop: add the word to a set, then append the size of the set to a list."),
    solution="```python\ndef types_seen(words):\n    seen, sizes = set(), []\n    for word in words:\n        "
             "seen.add(word)\n        sizes.append(len(seen))\n    return sizes\n```",
)


# ------------------------------------------------------------------------------------------------------------- offsets

def _length(token):
    return 1 if token == "[UNK]" else len(token)


def _offsets(tokens, start):
    offsets = []
    for token in tokens:
        offsets.append((start, start + _length(token)))
        start += _length(token)
    return offsets


def _offsets_by_sums(tokens, start):
    ends = list(accumulate(map(_length, tokens), initial=start))
    return list(zip(ends, ends[1:]))


def _offsets_by_spelling(tokens, start):
    spelled = [token.replace("[UNK]", "?") for token in tokens]
    starts = [start + len("".join(spelled[:place])) for place in range(len(spelled))]
    return [[begin, begin + len(token)] for begin, token in zip(starts, spelled)]


def _offsets_with_lengths(tokens, start, length):
    ends = list(accumulate(map(length, tokens), initial=start))
    return list(zip(ends, ends[1:]))


def _tokens_of_words():
    from hypothesis import strategies as st

    tokens = st.lists(st.sampled_from(["a", "ug", "hug", "[UNK]", "кот", "猫"]), max_size=5)
    return st.tuples(tokens, st.integers(0, 9))


OFFSETS = Exercise(
    id="text-13", title="Write it: offsets of tokens", points=2, kind=Function("token_offsets(tokens, start)"),
    generate=lambda rng: {"tokens": rng.sample(["un", "hug", "s", "[UNK]", "look", "ing", "кош", "ка", "猫"], 3),
                          "start": rng.between(1, 30)},
    question=lambda v: "A word that begins at position `start` of a text was cut into tokens. Write "
                       "`token_offsets(tokens, start)`: for each token the pair of its first position in the text and "
                       "the one right behind it. `[UNK]` stands for one character.\n\n```\ntoken_offsets(['un', "
                       "'[UNK]', 'ug'], 10)\n```\n\nis `[(10, 12), (12, 13), (13, 15)]`. Try it on "
                       f"`{v['tokens']}`, from {v['start']}.",
    answer=lambda v: _offsets, also=lambda v: (_offsets_by_sums, _offsets_by_spelling),
    misconceptions=(
        Misconception("end-included", "Your end is the token's own last position. Which is the first one behind it?",
                      lambda v: lambda tokens, start: [(a, b - 1) for a, b in _offsets(tokens, start)]),
        Misconception("always-at-the-start", "Every token of yours begins where the word begins. Where does a token "
                                             "begin if another stands before it?",
                      lambda v: lambda tokens, start: [(start, start + _length(token)) for token in tokens]),
        Misconception("start-ignored", "You count from the beginning of the word. Where does the word stand in the "
                                       "text?",
                      lambda v: lambda tokens, start: _offsets(tokens, 0)),
        Misconception("length-for-end", "The second number of yours is a length. At which position does the token end?",
                      lambda v: lambda tokens, start: [(a, b - a) for a, b in _offsets(tokens, start)]),
        Misconception("unknown-by-its-letters", "You gave `[UNK]` as many places as its name has letters. For how much "
                                                "of the text does it stand?",
                      lambda v: lambda tokens, start: _offsets_with_lengths(tokens, start, len)),
        Misconception("counted-in-bytes", "You count bytes. How many characters is `кот`?",
                      lambda v: lambda tokens, start: _offsets_with_lengths(
                          tokens, start, lambda token: 1 if token == "[UNK]" else len(token.encode()))),
    ),
    cases=lambda v: [(["hug"], 0), (["hug"], 4), (["un", "hug"], 0), (["un", "[UNK]", "ug"], 10), ([], 3),
                     (v["tokens"], v["start"])],
    strategy=lambda v: _tokens_of_words(),
    hints=("Where does the second token begin, if you know where the first one ends?", "Keep the current position in a "
           "variable, and move it on after each token.", "How far you move on is the length of the token, and one for "
           "`[UNK]`."),
    solution="```python\ndef token_offsets(tokens, start):\n    offsets = []\n    for token in tokens:\n        end = "
             "start + (1 if token == '[UNK]' else len(token))\n        offsets.append((start, end))\n        start = "
             "end\n    return offsets\n```",
)


# -------------------------------------------------------------------------------------------------------- unknown words

BROKEN = '''def unknown_words(word_freqs, size):
    kept = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
    return len([word for word in word_freqs if word not in kept])
'''


def _unknown(word_freqs, size):
    return sum(sorted(word_freqs.values(), reverse=True)[size:])


def _unknown_by_difference(word_freqs, size):
    return sum(word_freqs.values()) - sum(sorted(word_freqs.values())[::-1][:size])


def _unknown_mended(word_freqs, size):
    kept = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
    return sum(word_freqs[word] for word in word_freqs if word not in kept)


def _unknown_types(word_freqs, size):
    return max(len(word_freqs) - size, 0)


def _unknown_without(word_freqs, kept):
    return sum(freq for word, freq in word_freqs.items() if word not in kept)


def _counts_and_sizes():
    from hypothesis import strategies as st

    counts = st.dictionaries(st.sampled_from(["a", "b", "c", "d", "e"]), st.integers(1, 9), max_size=5)
    return st.tuples(counts, st.integers(0, 4))


REPAIR_UNKNOWN = Exercise(
    id="text-14", title="Repair it: how much is unknown?", points=2,
    kind=Repair("unknown_words(word_freqs, size)", BROKEN), generate=lambda rng: {"freqs": word_freqs(rng)},
    question=lambda v: "A vocabulary keeps the `size` most frequent words. This function is to say **how many words of "
                       "the text** are not in it, every word counted as often as it is read. It says something else. "
                       "Mend it."
                       f"\n\n```python\n{BROKEN}```\n\nCounts to try it on:\n\n{as_table(v['freqs'])}",
    answer=lambda v: _unknown, also=lambda v: (_unknown_by_difference, _unknown_mended),
    misconceptions=(
        Misconception("types-not-occurrences", "You count every left-out word once. How often is it read?",
                      lambda v: _unknown_types),
        Misconception("known-words", "You count the words that were kept. Which ones are asked for?",
                      lambda v: lambda word_freqs, size: sum(sorted(word_freqs.values(), reverse=True)[:size])),
        Misconception("rarest-kept", "You keep the rarest words. In which direction do you sort?",
                      lambda v: lambda word_freqs, size: sum(sorted(word_freqs.values())[size:])),
        Misconception("first-seen-kept", "You keep the words that came first. Does the order of the dictionary say how "
                                         "frequent they are?",
                      lambda v: lambda word_freqs, size: sum(list(word_freqs.values())[size:])),
        Misconception("alphabet-kept", "You keep the words that come first in the alphabet. What should they be sorted "
                                       "by?",
                      lambda v: lambda word_freqs, size: _unknown_without(word_freqs, sorted(word_freqs)[:size])),
        Misconception("one-too-many-kept", "You keep one word more than there is room for. Where does a slice "
                                           "`[:size]` end?",
                      lambda v: lambda word_freqs, size: sum(sorted(word_freqs.values(), reverse=True)[size + 1:])),
    ),
    cases=lambda v: [({"a": 1}, 1), ({"a": 2}, 0), ({"a": 1, "b": 3}, 1), ({}, 2), (v["freqs"], 2), (v["freqs"], 3)],
    strategy=lambda v: _counts_and_sizes(),
    hints=("What does `len` count in the last line?", "The first line is right: it chooses the words to keep.",
           "Add up the frequencies of the words that are not kept."),
    solution="```python\ndef unknown_words(word_freqs, size):\n    kept = sorted(word_freqs, key=word_freqs.get, "
             "reverse=True)[:size]\n    return sum(freq for word, freq in word_freqs.items() if word not in kept)\n```",
)

EXERCISES = [GROWTH, OFFSETS, REPAIR_UNKNOWN]
