"""The exercises of lesson 05 that ask for code: fertility, a program's rule for ties, and a mark to recognize."""

# mypy: ignore-errors
from fractions import Fraction

from ... import bpe
from .. import Edit, Function, Repair, exercise
from .corpora import word_freqs


@exercise("compare-14", "Write it: tokens per word", Function(), points=2)
class Fertility:
    """Write `fertility(freqs, cut)`: how many tokens a corpus has per word that is read. `freqs` says how often each
    word occurs, `cut` which tokens it becomes; `cut` may also know words that do not occur. The result is a number.

    `fertility({'hug': 3, 'pugs': 1}, {'hug': ['hug'], 'pugs': ['p', 'ug', 's']})` is `1.5`: 4 words, 6 tokens."""

    hints = (
        "How many words are there in all? Each counts as often as it occurs.",
        "A word that occurs three times and becomes two tokens costs six.",
        "Two sums over `freqs.items()`, and one division at the end.",
    )
    why = "Both sums weigh each word by how often it is read, so the quotient is what one word of the text costs."
    cases = [
        ({"hug": 3, "pugs": 1}, {"hug": ["hug"], "pugs": ["p", "ug", "s"]}),
        ({"a": 1}, {"a": ["a"]}),
        ({"a": 2, "bc": 100}, {"x": ["x"], "bc": ["b", "c"], "a": ["a"]}),
    ]

    def fertility(freqs, cut):
        tokens = sum(freq * len(cut[word]) for word, freq in freqs.items())
        return tokens / sum(freqs.values())

    def try_on(rng):
        freqs = dict(list(word_freqs(rng).items())[:3])
        model = bpe.train(freqs, num_merges=3)
        return freqs, {word: bpe.encode_word(word, model) for word in freqs}

    def inputs():
        from hypothesis import strategies as st

        def with_cuts(freqs):
            model = bpe.train({**freqs, "ab": 2}, num_merges=2)
            return freqs, {
                word: bpe.encode_word(word, model, unknown=None) for word in [*freqs, "cab"]
            }

        words = st.text("abcж", min_size=1, max_size=5)
        return st.dictionaries(words, st.integers(1, 120), min_size=1, max_size=4).map(with_cuts)

    class Also:
        def by_loop(freqs, cut):
            words = tokens = 0
            for word, freq in freqs.items():
                words += freq
                tokens += freq * len(cut[word])
            return tokens / words

        def as_fraction(freqs, cut):
            return Fraction(
                sum(len(cut[word]) * freq for word, freq in freqs.items()), sum(freqs.values())
            )

    edits = (
        Edit(
            "divided-by-types",
            "sum(freqs.values())",
            "len(freqs)",
            "The tokens of all occurrences are divided by the number of different words. Is each word counted "
            "once in the numerator, too?",
        ),
        Edit(
            "words-per-token",
            "tokens / sum(freqs.values())",
            "sum(freqs.values()) / tokens",
            "This is words per token. Fertility is smaller for a better tokenizer: what is divided by what?",
        ),
        Edit(
            "tokens-per-character",
            "sum(freqs.values())",
            "sum(freq * len(word) for word, freq in freqs.items())",
            "This is tokens per character. What is asked for is tokens per word.",
        ),
        Edit(
            "frequencies-forgotten",
            "sum(freq * len(cut[word]) for word, freq in freqs.items())",
            "sum(map(len, cut.values()))",
            "This adds up the tokens of `cut` as they are. How often does each word occur, if it does at all?",
        ),
        Edit(
            "whole-number",
            "tokens / sum",
            "tokens // sum",
            "This is rounded down to a whole number. What does `//` do?",
        ),
        Edit(
            "tokens-alone",
            "return tokens / sum(freqs.values())",
            "return tokens",
            "This is the number of tokens. How many words do they come from?",
        ),
        Edit(
            "rounded",
            "    return tokens / sum(freqs.values())",
            "    return round(tokens / sum(freqs.values()), 1)",
            "This is rounded. Does the question ask for that?",
        ),
        Edit(
            "characters",
            "len(cut[word])",
            "len(word)",
            "These are characters per word. What does `cut` say?",
        ),
    )

    class Mistakes:
        def types_not_occurrences(freqs, cut):
            """Every word counts once here. Does one that is read ten times cost as much as one that is read once?"""
            return sum(len(cut[word]) for word in freqs) / len(freqs)


@exercise("compare-15", "Write it: the library's rule for ties", Function(), points=2)
class BestPair:
    """Write `best_pair(pair_freqs, ids)` as the tokenizers library has it: the most frequent pair and, among equals,
    the one whose left token has the smallest id; if that is equal too, whose right token has. `pair_freqs` gives the
    count of every pair, `ids` the id of every token, a whole number.

    `best_pair({('i', 's'): 5, ('e', 'r'): 5, ('e', 'n'): 4}, {'e': 0, 'i': 1, 'n': 2, 'r': 3, 's': 4})` is
    `('e', 'r')`."""

    hints = (
        "`min` and `max` take a `key`: a function that says by what to compare.",
        "A key may be a tuple: its first member decides, the next ones only among equals.",
        "You want the highest count, but the smallest ids: turn the sign of one of them.",
    )
    why = "Ids grow with every merge, so the library prefers older tokens wherever the counts do not decide."
    cases = [
        ({("i", "s"): 5, ("e", "r"): 5, ("e", "n"): 4}, {"e": 0, "i": 1, "n": 2, "r": 3, "s": 4}),
        ({("a", "b"): 1}, {"a": 0, "b": 1}),
        ({("b", "a"): 2, ("a", "b"): 2}, {"b": 0, "a": 1}),
        ({("a", "b"): 2, ("b", "a"): 2}, {"a": 10, "b": 9}),
        ({("a", "a"): 3, ("b", "b"): 3}, {"a": 100, "b": 20}),
        ({("b", "a"): 2, ("a", "c"): 2}, {"a": 0, "b": 1, "c": 10**12}),
        ({("b", "a"): 1, ("a", "c"): 2}, {"a": 0, "b": 1, "c": 10**12}),
    ]

    def best_pair(pair_freqs, ids):
        def key(pair):
            return -pair_freqs[pair], ids[pair[0]], ids[pair[1]]

        return min(pair_freqs, key=key)

    def try_on(rng):
        freqs = dict.fromkeys(word_freqs(rng), 2)
        counts = bpe.pair_freqs(freqs, bpe.split_words(freqs))
        tokens = rng.shuffle(sorted({token for pair in counts for token in pair}))
        return counts, {token: number for number, token in enumerate(tokens)}

    def inputs():
        from hypothesis import strategies as st

        tokens = ["a", "b", "ab"]
        pairs = st.tuples(st.sampled_from(tokens), st.sampled_from(tokens))
        counts = st.dictionaries(pairs, st.sampled_from([2, 9, 10]), min_size=1, max_size=6)
        ids = st.permutations([2, 9, 10]).map(
            lambda numbers: dict(zip(tokens, numbers, strict=True))
        )
        return st.tuples(counts, ids)

    class Also:
        def by_sorting(pair_freqs, ids):
            return sorted(
                pair_freqs, key=lambda pair: (-pair_freqs[pair], ids[pair[0]], ids[pair[1]])
            )[0]

        def by_loop(pair_freqs, ids):
            best = None
            for pair in pair_freqs:
                if best is None or (-pair_freqs[pair], ids[pair[0]], ids[pair[1]]) < best[0]:
                    best = (-pair_freqs[pair], ids[pair[0]], ids[pair[1]]), pair
            return best and best[1]

    edits = (
        Edit(
            "first-seen",
            ", ids[pair[0]], ids[pair[1]]",
            "",
            "Among equals the first one wins here. That is the rule of the sources; where do the ids come in?",
        ),
        Edit(
            "left-id-only",
            ", ids[pair[1]]",
            "",
            "Only the left id decides here. What if two pairs have the same left token?",
        ),
        Edit(
            "right-id-first",
            "ids[pair[0]], ids[pair[1]]",
            "ids[pair[1]], ids[pair[0]]",
            "The right token decides before the left one here. Which of them comes first?",
        ),
        Edit(
            "sum-of-ids",
            "ids[pair[0]], ids[pair[1]]",
            "ids[pair[0]] + ids[pair[1]]",
            "The sum of the two ids decides here. Are 0 and 4 the same as 2 and 2?",
        ),
        Edit(
            "alphabet-not-ids",
            "ids[pair[0]], ids[pair[1]]",
            "pair",
            "Among equals the alphabet decides here. Does the id of a token follow from its spelling?",
        ),
        Edit(
            "ids-as-text",
            "ids[pair[0]], ids[pair[1]]",
            "str(ids[pair[0]]), str(ids[pair[1]])",
            "The ids are compared as text here, and `'10'` comes before `'9'`. What are ids?",
        ),
        Edit(
            "greatest-ids",
            "ids[pair[0]], ids[pair[1]]",
            "-ids[pair[0]], -ids[pair[1]]",
            "Among equals the greatest ids win here. Which ones are asked for?",
        ),
        Edit(
            "ids-before-counts",
            "-pair_freqs[pair], ",
            "",
            "The ids decide before the counts here. When are they to be looked at?",
        ),
    )


@exercise("compare-16", "Repair it: which mark is it?", Repair(), points=3, level="transfer")
class MarkOf:
    """From tokens alone, say how words are marked: `mark_of(tokens)` is to return `'##'` if a token **begins** with it,
    otherwise `'</w>'` if a token **ends** with it, otherwise `'▁'` if a token **begins** with it, otherwise `''`. It
    does not. Fix it. Try it on `['un', '##hug']`, on `['C##', 'is</w>']`, and on `[]`."""

    hints = (
        "Try it on `['un', '##hug']`: which of the two tokens carries the mark?",
        "`all` wants every token, `any` is content with one. And what does `all` say of an empty list?",
        "`token.startswith(...)` and `token.endswith(...)` look at one end only. At which does each mark stand?",
    )
    why = "One token with the mark at its own end is enough; the same signs elsewhere are part of the text."
    cases = [
        (["un", "##hug"],),
        (["C##", "is</w>"],),
        ([],),
        (["▁the", "s"],),
        (["a▁", "b"],),
        (["</w>x", "##"],),
    ]

    def mark_of(tokens):
        if any(token.startswith("##") for token in tokens):
            return "##"
        if any(token.endswith("</w>") for token in tokens):
            return "</w>"
        if any(token.startswith("▁") for token in tokens):
            return "▁"
        return ""

    class Broken:
        def mark_of(tokens):
            for mark in ("##", "</w>", "▁"):
                if all(mark in token for token in tokens):
                    return mark
            return ""

    def try_on(rng):
        words = list(word_freqs(rng))[:2]
        mark = rng.choice([("", "##{}"), ("", "{}</w>"), ("▁{}", "{}"), ("{}", "{}")])
        return (
            [
                piece
                for word in words
                for piece in ((mark[0] or "{}").format(word[:1]), mark[1].format(word[1:]))
            ],
        )

    def inputs():
        from hypothesis import strategies as st

        tokens = st.sampled_from(
            [
                "a",
                "un",
                "##hug",
                "est</w>",
                "▁the",
                "C##",
                "a▁b",
                "</w>x",
                "a##b",
                "##",
                "</w>",
                "▁",
                "#a",
                "a#",
                "a>",
                "w>",
            ]
        )
        return st.tuples(st.lists(tokens, max_size=4) | st.permutations(["est</w>", "▁the"]))

    class Also:
        def by_table(tokens):
            places = {"##": str.startswith, "</w>": str.endswith, "▁": str.startswith}
            found = [mark for mark, at in places.items() for token in tokens if at(token, mark)]
            return found[0] if found else ""

        def by_slices(tokens):
            for mark, part in (
                ("##", slice(None, 2)),
                ("</w>", slice(-4, None)),
                ("▁", slice(None, 1)),
            ):
                if mark in [token[part] for token in tokens]:
                    return mark
            return ""

    edits = (
        Edit(
            "first-token-only",
            'if any(token.startswith("##")',
            'tokens = tokens[:1]\n    if any(token.startswith("##")',
            "Only the first token is looked at here. What if another one carries the mark?",
        ),
        Edit(
            "last-token-only",
            'if any(token.startswith("##")',
            'tokens = tokens[-1:]\n    if any(token.startswith("##")',
            "Only the last token is looked at here. What if another one carries the mark?",
        ),
        Edit(
            "always-in-front",
            "endswith",
            "startswith",
            "Every mark is looked for in front here. Where does `</w>` stand?",
        ),
        Edit(
            "at-either-end",
            'if any(token.startswith("##")',
            'for mark in ("##", "</w>", "▁"):\n        if any(token.startswith(mark) or '
            'token.endswith(mark) for token in tokens):\n            return mark\n    return ""\n    if '
            'any(token.startswith("##")',
            "Every mark is looked for at both ends here. At which one does each stand?",
        ),
        Edit(
            "every-token",
            'if any(token.startswith("##")',
            'for mark, at in (("##", str.startswith), ("</w>", str.endswith), ("▁", '
            "str.startswith)):\n        if tokens and all(at(token, mark) for token in "
            'tokens):\n            return mark\n    return ""\n    if any(token.startswith("##")',
            "Every token has to carry the mark here. How many do, in `un` `##hug`?",
        ),
        Edit(
            "first-token-decides",
            'if any(token.startswith("##")',
            'for token in tokens:\n        if token.startswith("##"):\n            return "##"\n        if '
            'token.endswith("</w>"):\n            return "</w>"\n        if '
            'token.startswith("▁"):\n            return "▁"\n    return ""\n    if '
            'any(token.startswith("##")',
            "The first token with a mark decides here. Which mark goes before which, whatever the order of "
            "the tokens?",
        ),
        Edit(
            "marks-in-another-order",
            'if any(token.endswith("</w>")',
            'if any(token.startswith("▁") for token in tokens):\n        return "▁"\n    if '
            'any(token.endswith("</w>")',
            "`▁` is asked for before `</w>` here. Which of them comes first?",
        ),
        Edit(
            "one-sign-is-enough",
            'startswith("##")',
            'startswith("#")',
            "One `#` is enough here. May it not be a sign of the text?",
        ),
    )

    class Mistakes:
        def as_given(tokens):
            """This still does what the broken function did. Must every token carry the mark, and anywhere?"""
            return next(
                (mark for mark in ("##", "</w>", "▁") if all(mark in token for token in tokens)), ""
            )

        def mark_anywhere(tokens):
            """One token is enough now, but the mark may stand anywhere in it. What about a word such as `C##`?"""
            return next(
                (mark for mark in ("##", "</w>", "▁") if any(mark in token for token in tokens)), ""
            )

        def mark_on_every_token(tokens):
            """The place is right, but every token has to carry the mark. Does a word's first one begin with `##`?"""
            ends = {"##": str.startswith, "</w>": str.endswith, "▁": str.startswith}
            return next(
                (mark for mark, at in ends.items() if all(at(token, mark) for token in tokens)), ""
            )

        def always_at_the_end(tokens):
            """Every mark is looked for at the end here. Where do `##` and `▁` stand?"""
            return next(
                (
                    mark
                    for mark in ("##", "</w>", "▁")
                    if any(token.endswith(mark) for token in tokens)
                ),
                "",
            )
