# mypy: ignore-errors
"""The exercises of lesson 02 that ask for code."""

from collections import Counter
from itertools import pairwise

from ... import bpe, wordpiece
from .. import Edit, Function, Gap, Lines, Mistake, Repair, exercise
from .corpora import word_freqs
from .wordpiece import (
    LANGUAGES,
    REPEATING,
    SENTENCES,
    after_merges,
    bare,
)


@exercise("wordpiece-21", "Fill in: the score of one pair", Gap(lines=(7, 8)), points=2)
class ScoreOfOnePair:
    """Complete `score(pair, word_freqs, splits)`, the WordPiece score of one pair. Two lines are missing.

    `word_freqs` says how often each word occurs, and `splits` holds each word's symbols; the pair occurs among them.

    `score(("##g", "##s"), {"hug": 10, "hugs": 5}, {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"]})`
    is 5 / (15 · 5), which is 1/15."""

    hints = (
        "Three counts make the score. Which one is not counted yet?",
        "The missing line in the loop is the sister of the one above it, for the other symbol of the pair.",
        "The last line divides the pair's count by the product of the two others, in parentheses.",
    )
    why = "The pair and both its symbols are counted at every place, as often as the word occurs."
    cases = [
        (("##g", "##s"), {"hug": 10, "hugs": 5}, wordpiece.split_words(["hug", "hugs"])),
        (("a", "##b"), {"ab": 2}, {"ab": ["a", "##b"]}),
        (("##a", "##a"), {"aaaa": 3, "a": 7}, wordpiece.split_words(["aaaa", "a"])),
        (("hu", "##gs"), {"hugs": 12, "gs": 4}, {"hugs": ["hu", "##gs"], "gs": ["g", "##s"]}),
    ]

    def score(pair, word_freqs, splits):
        together, first, second = 0, 0, 0
        for word, freq in word_freqs.items():
            symbols = splits[word]
            together += freq * list(zip(symbols, symbols[1:])).count(pair)
            first += freq * symbols.count(pair[0])
            second += freq * symbols.count(pair[1])
        return together / (first * second)

    def inputs():
        from hypothesis import strategies as st

        words = st.text("abя", min_size=2, max_size=6)
        corpora = st.dictionaries(words, st.integers(1, 9), min_size=1, max_size=4)
        splits = corpora.map(lambda freqs: (freqs, wordpiece.split_words(freqs)))
        return splits.flatmap(
            lambda both: st.tuples(
                st.sampled_from(list(bpe.pair_freqs(*both))), st.just(both[0]), st.just(both[1])
            )
        )

    class Also:
        def exact(pair, word_freqs, splits):
            return wordpiece.pair_scores(word_freqs, splits)[pair]

        def divided_twice(pair, word_freqs, splits):
            n = bpe.token_freqs(word_freqs, splits)
            return bpe.pair_freqs(word_freqs, splits)[pair] / n[pair[0]] / n[pair[1]]

    edits = (
        Edit(
            "types-not-occurrences",
            "second += freq * ",
            "second += ",
            "The second symbol is counted once for each place here, however often the word occurs. What is "
            "`freq` for?",
        ),
        Edit(
            "once-a-word",
            "symbols.count(pair[1])",
            "(pair[1] in symbols)",
            "The second symbol counts once a word here. What if it stands in the word twice?",
        ),
        Edit(
            "first-symbol-twice",
            "symbols.count(pair[1])",
            "symbols.count(pair[0])",
            "The first symbol is counted twice, and the second one never. Which of the two is `pair[1]`?",
        ),
        Edit(
            "sum-of-the-counts",
            "first * second",
            "first + second",
            "This divides by the sum of the two counts. What stands under the line of the formula?",
        ),
        Edit(
            "without-brackets",
            "(first * second)",
            "first * second",
            "This divides by one count and multiplies by the other. In which order does Python work through a line?",
        ),
        Edit(
            "first-count-alone",
            "(first * second)",
            "first",
            "This divides by the count of the first symbol alone. How common is the second one?",
        ),
        Edit(
            "second-count-alone",
            "(first * second)",
            "second",
            "This divides by the count of the second symbol alone. How common is the first one?",
        ),
        Edit(
            "upside-down",
            "together / (first * second)",
            "first * second / together",
            "This is the formula upside down: pairs of common symbols come out highest. What is divided by what?",
        ),
        Edit(
            "count-of-the-pair",
            "return together / (first * second)",
            "return together",
            "This is how often the pair occurs, as in BPE. What does WordPiece divide it by?",
        ),
        Edit(
            "returned-inside-the-loop",
            "    return together",
            "        return together",
            "Only the first word is counted: `return` stands inside the loop. When have all words had their turn?",
        ),
        Edit(
            "last-word-only",
            "second += freq",
            "second = freq",
            "The count of the second symbol is that of the last word. What does `=` do to what was counted before?",
        ),
    )


@exercise("wordpiece-16", "Write it: the scores", Function(), points=3)
class PairScores:
    """Write `pair_scores(word_freqs, splits)`. `word_freqs` says how often each word occurs, and `splits` holds each
    word's symbols. It returns a dictionary from each pair of neighbors, a tuple, to its WordPiece score, as a fraction
    or as a floating-point number; `{}` if there is no pair.

    `pair_scores({"hug": 10, "hugs": 5}, {"hug": ["h", "##u", "##g"], "hugs": ["h", "##u", "##g", "##s"]})` is
    `{("h", "##u"): 1/15, ("##u", "##g"): 1/15, ("##g", "##s"): 1/15}`."""

    hints = (
        "Count twice: how often each symbol occurs, and how often each pair occurs. One loop can do both.",
        "A symbol counts at every place in every word, as often as the word occurs; a pair as well.",
        "When both are counted, go through the pairs and divide each count by the product of two others.",
    )
    why = "One count of pairs and two of symbols are all that it takes, and each place counts as often as its word."
    cases = [
        ({"hug": 10, "hugs": 5}, wordpiece.split_words(["hug", "hugs"])),
        ({"ab": 2}, {"ab": ["a", "##b"]}),
        ({"aaaa": 3, "a": 7}, wordpiece.split_words(["aaaa", "a"])),
        ({"hugs": 12}, {"hugs": ["hu", "##gs"]}),
        ({}, {}),
    ]

    def pair_scores(word_freqs, splits):
        symbols, pairs = {}, {}
        for word, freq in word_freqs.items():
            split = splits[word]
            for symbol in split:
                symbols[symbol] = symbols.get(symbol, 0) + freq
            for pair in zip(split, split[1:]):
                pairs[pair] = pairs.get(pair, 0) + freq
        return {(i, j): n / (symbols[i] * symbols[j]) for (i, j), n in pairs.items()}

    def inputs():
        from hypothesis import strategies as st

        words = st.text("abя#", min_size=1, max_size=6).filter(lambda word: word[0] != "#")
        corpora = st.dictionaries(words, st.integers(1, 150), min_size=1, max_size=4)
        return st.builds(
            lambda freqs, merges: (freqs, after_merges(freqs, merges)), corpora, st.integers(0, 3)
        )

    def try_on(rng):
        freqs = word_freqs(rng, LANGUAGES)
        return freqs, after_merges(freqs, 1)

    class Also:
        def exact(word_freqs, splits):
            return wordpiece.pair_scores(word_freqs, splits) if word_freqs else {}

        def divided_twice(word_freqs, splits):
            n, pairs = bpe.token_freqs(word_freqs, splits), bpe.pair_freqs(word_freqs, splits)
            return {pair: count / n[pair[0]] / n[pair[1]] for pair, count in pairs.items()}

    edits = (
        Edit(
            "frequency-instead-of-score",
            "n / (symbols[i] * symbols[j])",
            "n",
            "Your values are how often the pairs occur. By what does the score divide that?",
        ),
        Edit(
            "sum-instead-of-product",
            "symbols[i] * symbols[j]",
            "symbols[i] + symbols[j]",
            "Your values are the counts of the pairs over the sum of two counts. What belongs in the denominator?",
        ),
        Edit(
            "left-symbol-only",
            "(symbols[i] * symbols[j])",
            "symbols[i]",
            "Your values are divided by the count of the first symbol alone. What if the second stands everywhere?",
        ),
        Edit(
            "types-not-occurrences",
            "split = splits[word]",
            "split, freq = splits[word], 1",
            "In your values each word counts once. How often does a word bring its pairs and its symbols?",
        ),
        Edit(
            "multiplied-by-the-second",
            "(symbols[i] * symbols[j])",
            "symbols[i] * symbols[j]",
            "Your values are n(ij) / n(i), times n(j). What does Python do first in `a / b * c`?",
        ),
        Edit(
            "characters-again",
            "splits[word]",
            '[word[0], *("##" + char for char in word[1:])]',
            "Your pairs are those of single characters. What if something has been merged in `splits`?",
        ),
        Edit(
            "prefixes-lost",
            "split = splits[word]",
            "split = [symbol.replace('##', '') for symbol in splits[word]]",
            "The symbols have lost their `##`. Is `##u` the same symbol as `u`?",
        ),
        Edit(
            "pairs-without-frequency",
            "pairs.get(pair, 0) + freq",
            "pairs.get(pair, 0) + 1",
            "The pairs count once at each place here, and the symbols as often as their word. What is `freq` for?",
        ),
        Edit(
            "symbols-without-frequency",
            "symbols.get(symbol, 0) + freq",
            "symbols.get(symbol, 0) + 1",
            "The symbols count once at each place here, and the pairs as often as their word. What is `freq` for?",
        ),
        Edit(
            "joined-keys",
            "{(i, j): n",
            "{i + j: n",
            "Your keys are the two symbols joined into one string. Which keys are asked for?",
        ),
    )

    class Mistakes:
        def pair_totals(word_freqs, splits):
            """Your symbols count only where a pair has them on its left, or on its right. And at the end of a word?"""
            pairs, lefts, rights = bpe.pair_freqs(word_freqs, splits), {}, {}
            for (i, j), count in pairs.items():
                lefts[i], rights[j] = lefts.get(i, 0) + count, rights.get(j, 0) + count
            return {(i, j): count / (lefts[i] * rights[j]) for (i, j), count in pairs.items()}

        def words_not_places(word_freqs, splits):
            """Your pairs and symbols count once in each word that holds them. And a word that holds one twice?"""
            symbols, pairs = Counter(), Counter()
            for word, freq in word_freqs.items():
                symbols.update(dict.fromkeys(splits[word], freq))
                pairs.update(dict.fromkeys(pairwise(splits[word]), freq))
            return {(i, j): count / (symbols[i] * symbols[j]) for (i, j), count in pairs.items()}

        def last_word_only(word_freqs, splits):
            """Your counts are those of the last word that holds a pair or a symbol. What about the words before it?"""
            n = {symbol: freq for word, freq in word_freqs.items() for symbol in splits[word]}
            pairs = {
                pair: freq for word, freq in word_freqs.items() for pair in pairwise(splits[word])
            }
            return {(i, j): count / (n[i] * n[j]) for (i, j), count in pairs.items()}


@exercise("wordpiece-17", "Write it: merge with ##", Function(keeps=True), points=2)
class Merge:
    """Write `merge(symbols, pair)`. It returns a list: the symbols of one word with every occurrence of the pair, from
    left to right, merged into one. The second symbol of a pair always carries `##`, the first one may. A text may hold
    `#` of its own: `###` is the symbol of a `#` inside a word. The list that comes in stays as it is.

    `merge(["h", "##u", "##g", "##s"], ("##u", "##g"))` is `["h", "##ug", "##s"]`."""

    hints = (
        "Walk through the list with a position, and compare two symbols at a time with the pair.",
        "The new token is the first symbol as it is, and the second one without its first two signs.",
        "If the two are the pair, go on after both; if not, keep the first and go one further.",
    )
    why = "The second `##` is dropped, because what it continued is now in the same token."
    cases = [
        (["h", "##u", "##g", "##s"], ("##u", "##g")),
        (["a", "##b", "##a", "##b"], ("a", "##b")),
        (["a", "##a", "##a", "##a"], ("##a", "##a")),
        (["C", "###"], ("C", "###")),
        (["##a", "##a"], ("a", "##a")),
        (["a", "##b##"], ("a", "##b##")),
        (["a#", "##b"], ("a", "###b")),
        ([], ("a", "##b")),
    ]

    def merge(symbols, pair):
        merged, i = [], 0
        while i < len(symbols):
            if tuple(symbols[i : i + 2]) == pair:
                merged.append(pair[0] + pair[1].removeprefix("##"))
                i += 2
            else:
                merged.append(symbols[i])
                i += 1
        return merged

    def inputs():
        from hypothesis import strategies as st

        symbols = st.lists(
            st.sampled_from(["##a", "##b", "###", "##ab", "##яa", "##b##"]), max_size=7
        )
        words = st.builds(
            lambda first, rest: [first, *rest],
            st.sampled_from(["a", "b", "#", "ab", "##a"]),
            symbols,
        )
        places = st.integers(0, 6)
        return st.builds(
            lambda word, i: (word, tuple((word + ["##a", "##b"])[i % len(word) :][:2])),
            words,
            places,
        )

    def try_on(rng):
        symbols = [*(word := rng.choice(REPEATING))[:1], *("##" + char for char in word[1:])]
        place = rng.below(len(word) - 1)
        return symbols, (symbols[place], symbols[place + 1])

    class Also:
        def by_splicing(symbols, pair):
            symbols = list(symbols)
            for i in range(len(symbols)):
                if symbols[i : i + 2] == list(pair):
                    symbols[i : i + 2] = [pair[0] + pair[1][2:]]
            return symbols

        def by_library(symbols, pair):
            return bpe.merge_symbols(symbols, pair, wordpiece.merged_token(pair))

    edits = (
        Edit(
            "prefix-left-inside",
            '.removeprefix("##")',
            "",
            "`##` is left in the middle of your token. Does the second half still begin a piece of its own?",
        ),
        Edit(
            "prefix-lost",
            'pair[0] + pair[1].removeprefix("##")',
            '"".join(pair).replace("##", "")',
            "Your new token has lost the `##` at its front. Does it begin a word now?",
        ),
        Edit(
            "prefix-always",
            "pair[0] +",
            '"##" + pair[0].removeprefix("##") +',
            "Every new token carries `##` here. What about one that stands at the beginning of its word?",
        ),
        Edit(
            "signs-of-the-text-lost",
            'removeprefix("##")',
            'lstrip("#")',
            "A `#` of the text is lost from your token. How many signs does the prefix have?",
        ),
        Edit(
            "first-place-only",
            "i += 2",
            "return merged + symbols[i + 2 :]",
            "Only one place is merged. What about the others?",
        ),
        Edit(
            "second-symbol-left",
            "i += 2",
            "i += 1",
            "The second symbol still stands after the new token. Where does the walk go on after a hit?",
        ),
        Edit(
            "every-sign-lost",
            'removeprefix("##")',
            'replace("#", "")',
            "Every `#` of the second symbol is lost from your token. Which of them are its prefix?",
        ),
        Edit(
            "in-a-joined-text",
            "merged, i = [], 0",
            'text = " ".join(symbols)\n    return text.replace(" ".join(pair), pair[0] + '
            "pair[1][2:]).split()\n    merged, i = [], 0",
            "The pair is looked for in a joined text here, where it may also be a part of longer symbols. "
            "Where does one end?",
        ),
    )

    class Mistakes:
        def both_forms_merged(symbols, pair):
            """A symbol with `##` and one without it count as the same here. Can both begin a word?"""
            merged = []
            for symbol in symbols:
                if merged and bare([merged[-1], symbol]) == bare(pair):
                    merged[-1] += bare([symbol])[0]
                else:
                    merged.append(symbol)
            return merged

        def from_the_right(symbols, pair):
            """Runs are merged from the right here. In a run of three, which two come first?"""
            return bpe.merge_symbols(symbols[::-1], pair[::-1], wordpiece.merged_token(pair))[::-1]


def taking_back(word, vocab, mark=""):
    """An encoder that tries a shorter piece where nothing goes on after the longest."""
    for end in range(len(word), 0, -1):
        rest = taking_back(word[end:], vocab, "##") if mark + word[:end] in vocab else ["[UNK]"]
        if rest != ["[UNK]"]:
            return [mark + word[:end], *rest]
    return ["[UNK]"] if word else []


@exercise("wordpiece-22", "Put it in order: the longest beginning", Lines(), points=2)
class LongestBeginning:
    """`cut(word, vocab)` takes the longest beginning of the word that is a token, then does the same with the rest, and
    returns the tokens. To begin with, without `##` and without unknown characters: every character is a token.

    `cut("hugs", {"h", "u", "g", "s", "ug", "hug"})` is `["hug", "s"]`."""

    hints = (
        "The outer loop goes on as long as there is something left of the word. What has to be there before it?",
        "The search for one token begins at the end of the word, and goes back until it has found something.",
        "In the outer loop: where to begin, the search, the token into the list, and the rest of the word.",
    )
    why = "Each turn of the outer loop finds one token, keeps it, and goes on with what is left."
    cases = [
        ("hugs", {"h", "u", "g", "s", "ug", "hug"}),
        ("hugs", {"h", "u", "g", "s", "hu", "ugs"}),
        ("a", {"a"}),
        ("", {"a"}),
        ("aaaa", {"a", "aa", "aaa"}),
    ]

    def cut(word, vocab):
        tokens = []
        while word:
            end = len(word)
            while word[:end] not in vocab:
                end -= 1
            tokens.append(word[:end])
            word = word[end:]
        return tokens

    def inputs():
        from hypothesis import strategies as st

        pieces = st.lists(st.text("ab", min_size=2, max_size=4), max_size=5)
        return st.tuples(st.text("ab", max_size=8), pieces.map(lambda some: {"a", "b", *some}))

    orders = (
        Mistake(
            "begun-too-late",
            "23456718",
            "The list is made anew after the loop. Where should the first token go?",
        ),
        Mistake(
            "returned-too-early",
            "18234567",
            "`return` comes before the loop, and a function ends there. What is in the list by then?",
        ),
        Mistake(
            "end-too-late",
            "12453678",
            "The search uses `end` before it has been set for this turn. Where should each search begin?",
        ),
        Mistake(
            "taken-before-found",
            "12364578",
            "A token is taken before it has been looked for. What is `end` at that moment?",
        ),
        Mistake(
            "shortened-before-taken",
            "12345768",
            "The word has lost its beginning when the token is taken from it. Which of these two lines comes first?",
        ),
        Mistake(
            "shortened-before-searched",
            "12374568",
            "The word is cut off right after `end` was set to its length. What is left to search in?",
        ),
    )


@exercise("wordpiece-18", "Write it: the longest beginning", Function(), points=3)
class Encode:
    """Write `encode(word, vocab)`, where `vocab` is a list of tokens. It returns a list: it cuts off the longest
    beginning of the word that is a token, and goes on with the rest, for which only tokens with `##` fit. What is cut
    stays cut. Where no token goes on, the whole word becomes `["[UNK]"]`. The empty word has no tokens, so it becomes
    `[]`; no word begins with `##`.

    `encode("hugs", ["h", "hu", "##g", "##gs", "##s"])` is `["hu", "##gs"]`."""

    hints = (
        "Two loops: one until nothing is left of the word, and in it one from the longest piece to the shortest.",
        "Cut first, and put `##` in front afterwards: a piece then always holds a character of the word.",
        "Python's `for ... else` helps: the `else` runs if the loop was never left with `break`.",
    )
    why = (
        "Cutting greedily from left to right needs no merges, only to know which tokens there are."
    )
    cases = [
        ("hugs", ["h", "hu", "##g", "##gs", "##s"]),
        ("ab", ["a", "##b", "b"]),
        ("abc", ["ab", "a", "##bc"]),
        ("a?", ["a", "#", "##"]),
        ("ab", ["##ab", "a", "##b"]),
        ("hum", ["hu", "##g"]),
        ("a#", ["a", "###", "#"]),
        ("", ["a"]),
        ("a", []),
    ]

    def encode(word, vocab):
        tokens, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                token = word[start:end]
                if start > 0:
                    token = "##" + token
                if token in vocab:
                    break
            else:
                return ["[UNK]"]
            tokens.append(token)
            start = end
        return tokens

    def inputs():
        from hypothesis import strategies as st

        def with_vocab(word):
            spans = [(a, b) for a in range(len(word)) for b in range(a + 1, len(word) + 1)]
            tokens = [
                mark + word[a:b] for a, b in spans for mark in ("##", "##" if a else "", "")
            ] + ["#", "##", "x"]
            characters = [word[:1], *("##" + char for char in word[1:])]
            some = st.lists(st.sampled_from(tokens), unique=True, max_size=9)
            return st.tuples(
                st.just(word), some | some.map(lambda vocab: [*vocab, *filter(None, characters)])
            )

        return st.text("abя#", max_size=6).filter(lambda word: word[:2] != "##").flatmap(with_vocab)

    def try_on(rng):
        freqs = word_freqs(rng, LANGUAGES)
        return rng.choice(list(freqs)) + rng.choice(["", "?"]), wordpiece.train(
            freqs, num_merges=5
        ).vocab

    class Also:
        def by_rest(word, vocab):
            tokens, rest = [], word
            while rest:
                fitting = [
                    end
                    for end in range(1, len(rest) + 1)
                    if "##" * bool(tokens) + rest[:end] in vocab
                ]
                if not fitting:
                    return ["[UNK]"]
                tokens.append("##" * bool(tokens) + rest[: max(fitting)])
                rest = rest[max(fitting) :]
            return tokens

        def by_library(word, vocab):
            return wordpiece.encode_word(word, wordpiece.WordPieceModel(list(vocab)))

    edits = (
        Edit(
            "unknown-piece-only",
            'return ["[UNK]"]',
            'token, end = "[UNK]", start + 1',
            "Only the character that is missing becomes `[UNK]` here. What becomes of the pieces around it?",
        ),
        Edit(
            "unknown-at-the-end",
            'return ["[UNK]"]',
            'return [*tokens, "[UNK]"]',
            "The tokens found so far stay, and `[UNK]` follows. Is the beginning known, if the word is not?",
        ),
        Edit(
            "gives-up-quietly",
            'return ["[UNK]"]',
            "return tokens",
            "When no token goes on, what was found is returned. How could anybody tell that something is missing?",
        ),
        Edit(
            "shortest-prefix",
            "range(len(word), start, -1)",
            "range(start + 1, len(word) + 1)",
            "These are the shortest pieces that fit. From which end are they tried?",
        ),
        Edit(
            "prefix-forgotten",
            '            if start > 0:\n                token = "##" + token\n',
            "",
            "Inside the word, tokens without `##` are taken. How do tokens look that continue one?",
        ),
        Edit(
            "bare-token-inside",
            "            if token in vocab:",
            "            if token not in vocab:\n"
            '                token = token.removeprefix("##")\n'
            "            if token in vocab:",
            "Inside the word, tokens without `##` are taken as well. Where only can such a token stand?",
        ),
        Edit(
            "prefix-at-the-beginning",
            "            if token in vocab:",
            "            if token not in vocab and start == 0:\n"
            '                token = "##" + token\n'
            "            if token in vocab:",
            "At the beginning of the word, tokens with `##` are taken as well. What do they continue there?",
        ),
        Edit(
            "prefix-dropped",
            "tokens.append(token)",
            "tokens.append(word[start:end])",
            "The cuts are right, and the tokens have lost their `##`. Are these the tokens of the vocabulary?",
        ),
        Edit(
            "unknown-as-a-string",
            'return ["[UNK]"]',
            'return "[UNK]"',
            "An unknown word gives a string here. What is asked for: a token, or a list of tokens?",
        ),
    )

    class Mistakes:
        def takes_back(word, vocab):
            """Where nothing goes on, a shorter piece is tried before it. Does this encoder ever take a piece back?"""
            return taking_back(word, vocab)


@exercise("wordpiece-19", "Repair it: decoding", Repair(), points=2, level="transfer")
class Decode:
    """This function should join tokens into words: a token with `##` continues the word before it (at the very
    beginning it begins one), and this prefix does not belong to the text. Other number signs do, and it loses them.
    Mend it. It returns a list of words; for no tokens an empty one.

    `decode(["C", "###", "is", "old"])` is `["C#", "is", "old"]`."""

    hints = (
        "Try it on `['C', '###']`: the second token is the prefix and a number sign.",
        "`lstrip('#')` takes away every number sign at the front, however many there are.",
        "There is a method of strings that takes one given beginning away, once.",
    )
    why = "`lstrip` takes a set of characters away, one by one; a prefix is one string, and goes once."
    cases = [
        (["C", "###", "is", "old"],),
        (["a", "##b"],),
        (["##a", "b"],),
        (["#", "1"],),
        (["a", "##b##c"],),
        ([],),
    ]

    def decode(tokens):
        words = []
        for token in tokens:
            piece = token.removeprefix("##")
            if words and token.startswith("##"):
                words[-1] += piece
            else:
                words.append(piece)
        return words

    def inputs():
        from hypothesis import strategies as st

        tokens = [
            "a",
            "##a",
            "##bc",
            "#",
            "#a",
            "###",
            "###a",
            "####",
            "##a##",
            "##a#",
            "a#",
            "a##b",
            "##я",
            "[UNK]",
        ]
        return st.tuples(st.lists(st.sampled_from(tokens), max_size=6))

    def try_on(rng):
        words = rng.sample(rng.choice(SENTENCES).split(), 2)
        return (
            [
                *rng.choice((["#", "##1"], ["C", "###"], ["F", "###", "##s"], ["a", "###", "##b"])),
                *words,
                "##s",
            ],
        )

    class Broken:
        def decode(tokens):
            words = []
            for token in tokens:
                piece = token.lstrip("#")
                if words and token.startswith("##"):
                    words[-1] += piece
                else:
                    words.append(piece)
            return words

    class Also:
        def by_library(tokens):
            return wordpiece.decode(tokens)

        def by_starts(tokens):
            starts = [i for i, token in enumerate(tokens) if i == 0 or not token.startswith("##")]
            return ["".join(bare(tokens[a:b])) for a, b in zip(starts, [*starts[1:], len(tokens)])]

    edits = (
        Edit(
            "strips-every-sign",
            'removeprefix("##")',
            'lstrip("#")',
            "Number signs of the text are still lost. What does `lstrip` do when more than two stand there?",
        ),
        Edit(
            "removes-it-everywhere",
            'removeprefix("##")',
            'replace("##", "")',
            "`##` is gone wherever it stood. Where in a token is it the prefix?",
        ),
        Edit(
            "prefix-kept",
            '.removeprefix("##")',
            "",
            "The prefix is still in these words. Does it belong to the text?",
        ),
        Edit(
            "one-sign-is-enough",
            'startswith("##")',
            'startswith("#")',
            "One `#` is enough here to continue a word. How does a word begin that starts with a number sign?",
        ),
        Edit(
            "start-dropped",
            "else:",
            'elif not token.startswith("##"):',
            "When the tokens begin in the middle of a word, that piece is lost. What if nothing stands before it?",
        ),
        Edit(
            "first-two-always",
            'token.removeprefix("##")',
            "token[2:]",
            "Two characters are cut off every token. What about one that has no prefix?",
        ),
        Edit(
            "every-token-a-word",
            "words[-1] += piece",
            "words.append(piece)",
            "Every token is a word of its own here. When does a token go on with the word before it?",
        ),
    )
