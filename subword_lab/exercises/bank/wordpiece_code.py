# mypy: ignore-errors
"""The exercises of lesson 02 that ask for code."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from ... import bpe, wordpiece
from ..code import Function, Repair
from ..writing import exercise
from .corpora import word_freqs
from .wordpiece import (
    LANGUAGES,
    REPEATING,
    SENTENCES,
    after_merges,
    bare,
    by_left,
    by_sum,
    by_types,
    rated,
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
            return wordpiece.pair_scores(word_freqs, splits)

        def divided_twice(word_freqs, splits):
            n, pairs = bpe.token_freqs(word_freqs, splits), bpe.pair_freqs(word_freqs, splits)
            return {pair: count / n[pair[0]] / n[pair[1]] for pair, count in pairs.items()}

    class Mistakes:
        def frequency_instead_of_score(word_freqs, splits):
            """Your values are how often the pairs occur. By what does the score divide that?"""
            return bpe.pair_freqs(word_freqs, splits)

        def sum_instead_of_product(word_freqs, splits):
            """Your values are the counts of the pairs over the sum of two counts. What stands below the line?"""
            return by_sum(word_freqs, splits)

        def left_symbol_only(word_freqs, splits):
            """Your values are divided by the count of the first symbol alone. What if the second stands everywhere?"""
            return by_left(word_freqs, splits)

        def types_not_occurrences(word_freqs, splits):
            """In your values each word counts once. How often does a word bring its pairs and its symbols?"""
            return by_types(word_freqs, splits)

        def pair_totals(word_freqs, splits):
            """Your symbols count only where a pair has them on its left, or on its right. And at the end of a word?"""
            pairs, lefts, rights = bpe.pair_freqs(word_freqs, splits), {}, {}
            for (i, j), count in pairs.items():
                lefts[i], rights[j] = lefts.get(i, 0) + count, rights.get(j, 0) + count
            return {(i, j): count / (lefts[i] * rights[j]) for (i, j), count in pairs.items()}

        def words_not_places(word_freqs, splits):
            """Your pairs and symbols count once in each word that holds them. What of a word that holds one twice?"""
            symbols, pairs = Counter(), Counter()
            for word, freq in word_freqs.items():
                symbols.update(dict.fromkeys(splits[word], freq))
                pairs.update(dict.fromkeys(pairwise(splits[word]), freq))
            return {(i, j): count / (symbols[i] * symbols[j]) for (i, j), count in pairs.items()}

        def last_word_only(word_freqs, splits):
            """Your counts are those of the last word that holds a pair or a symbol. What of the words before it?"""
            n = {symbol: freq for word, freq in word_freqs.items() for symbol in splits[word]}
            pairs = {
                pair: freq for word, freq in word_freqs.items() for pair in pairwise(splits[word])
            }
            return {(i, j): count / (n[i] * n[j]) for (i, j), count in pairs.items()}

        def multiplied_by_the_second(word_freqs, splits):
            """Your values are n(ij) / n(i), times n(j). What does Python do first in `a / b * c`?"""
            return rated(lambda n_ij, n_i, n_j: n_ij / n_i * n_j)(word_freqs, splits)

        def characters_again(word_freqs, splits):
            """Your pairs are those of single characters. What if something has been merged in `splits`?"""
            return wordpiece.pair_scores(word_freqs, wordpiece.split_words(word_freqs))


@exercise("wordpiece-17", "Write it: merge with ##", Function(keeps=True), points=2)
class Merge:
    """Write `merge(symbols, pair)`. It returns a list: the symbols of one word with every occurrence of the pair, from
    left to right, merged into one. The second symbol of a pair always carries `##`, the first one may. A text may hold
    `#` of its own: `###` is the symbol of a `#` inside of a word. The list that comes in stays as it is.

    `merge(["h", "##u", "##g", "##s"], ("##u", "##g"))` is `["h", "##ug", "##s"]`."""

    hints = (
        "Walk through the list with a position, and compare two symbols at a time with the pair.",
        "The new token is the first symbol as it is, and the second one without its first two signs.",
        "If the two are the pair, go on behind both; if not, keep the first and go one further.",
    )
    why = "The second `##` falls away, because what it continued is now in the same token."
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

    class Mistakes:
        def prefix_left_inside(symbols, pair):
            """`##` is left in the middle of your token. Does the second half still begin a piece of its own?"""
            return bpe.merge_symbols(symbols, pair)

        def prefix_lost(symbols, pair):
            """Your new token has lost the `##` at its front. Does it begin a word now?"""
            return bpe.merge_symbols(symbols, pair, "".join(pair).replace("##", ""))

        def prefix_always(symbols, pair):
            """Every new token carries `##` here. What of one that stands at the beginning of its word?"""
            return bpe.merge_symbols(symbols, pair, "##" + "".join(bare(pair)))

        def signs_of_the_text_lost(symbols, pair):
            """A `#` of the text is lost from your token. How many signs does the prefix have?"""
            return bpe.merge_symbols(symbols, pair, pair[0] + pair[1].lstrip("#"))

        def both_forms_merged(symbols, pair):
            """A symbol with `##` and one without it count as the same here. Can both begin a word?"""
            merged = []
            for symbol in symbols:
                if merged and bare([merged[-1], symbol]) == bare(pair):
                    merged[-1] += bare([symbol])[0]
                else:
                    merged.append(symbol)
            return merged

        def first_place_only(symbols, pair):
            """Only one place is merged. What about the others?"""
            for i in range(len(symbols) - 1):
                if (symbols[i], symbols[i + 1]) == pair:
                    return [*symbols[:i], wordpiece.merged_token(pair), *symbols[i + 2 :]]
            return symbols

        def second_symbol_left(symbols, pair):
            """The second symbol still stands behind the new token. Where does the walk go on after a hit?"""
            return [
                wordpiece.merged_token(pair) if tuple(symbols[i : i + 2]) == pair else symbol
                for i, symbol in enumerate(symbols)
            ]

        def from_the_right(symbols, pair):
            """Runs are merged from the right here. In a run of three, which two come first?"""
            return bpe.merge_symbols(symbols[::-1], pair[::-1], wordpiece.merged_token(pair))[::-1]


def greedy(
    word,
    vocab,
    begin=("",),
    inside=("##",),
    order=reversed,
    unknown=lambda tokens: ["[UNK]"],
    skip=False,
):
    """An encoder that tries the ends of the next piece in an order, each with the marks of its place.

    unknown: what becomes of the tokens when none goes on; skip: go on behind one unknown character instead.
    """
    tokens = []
    while word:
        marks = inside if tokens else begin
        pieces = [
            (mark + word[:end], end) for end in order(range(1, len(word) + 1)) for mark in marks
        ]
        piece, end = next((found for found in pieces if found[0] in vocab), ("[UNK]", skip))
        if not end:
            return unknown(tokens)
        tokens.append(piece)
        word = word[end:]
    return tokens


def taking_back(word, vocab, mark=""):
    """An encoder that tries a shorter piece where nothing goes on behind the longest."""
    for end in range(len(word), 0, -1):
        rest = taking_back(word[end:], vocab, "##") if mark + word[:end] in vocab else ["[UNK]"]
        if rest != ["[UNK]"]:
            return [mark + word[:end], *rest]
    return ["[UNK]"] if word else []


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
    why = "To cut greedily from left to right one needs no merges, only to know which tokens there are."
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

    class Mistakes:
        def unknown_piece_only(word, vocab):
            """Only the character that is missing becomes `[UNK]` here. What becomes of the pieces around it?"""
            return greedy(word, vocab, skip=True)

        def unknown_at_the_end(word, vocab):
            """The tokens found so far stay, and `[UNK]` follows. Is the beginning known, if the word is not?"""
            return greedy(word, vocab, unknown=lambda tokens: [*tokens, "[UNK]"])

        def gives_up_quietly(word, vocab):
            """When no token goes on, what was found is returned. How could anybody tell that something is missing?"""
            return greedy(word, vocab, unknown=lambda tokens: tokens)

        def shortest_prefix(word, vocab):
            """These are the shortest pieces that fit. From which end are they tried?"""
            return greedy(word, vocab, order=list)

        def prefix_forgotten(word, vocab):
            """Inside of the word, tokens without `##` are taken. How do tokens look that continue one?"""
            return greedy(word, vocab, inside=("",))

        def bare_token_inside(word, vocab):
            """Inside of the word, tokens without `##` are taken as well. Where only can such a token stand?"""
            return greedy(word, vocab, inside=("##", ""))

        def prefix_at_the_beginning(word, vocab):
            """At the beginning of the word, tokens with `##` are taken as well. What do they continue there?"""
            return greedy(word, vocab, begin=("", "##"))

        def prefix_dropped(word, vocab):
            """The cuts are right, and the tokens have lost their `##`. Are these the tokens of the vocabulary?"""
            return bare(greedy(word, vocab))

        def unknown_as_a_string(word, vocab):
            """An unknown word gives a string here. What is asked for: a token, or a list of tokens?"""
            return greedy(word, vocab, unknown=lambda tokens: "[UNK]")

        def takes_back(word, vocab):
            """Where nothing goes on, a shorter piece is tried before it. Does this encoder ever take a piece back?"""
            return taking_back(word, vocab)


def joined(
    tokens,
    piece=lambda token: token.removeprefix("##"),
    continues=lambda token: token.startswith("##"),
):
    """A decoder with an idea of its own of what is joined, and when."""
    words = []
    for token in tokens:
        words[-1:] = (
            [words[-1] + piece(token)]
            if words and continues(token)
            else [*words[-1:], piece(token)]
        )
    return words


@exercise("wordpiece-19", "Repair it: decoding", Repair(), points=2, level="transfer")
class Decode:
    """This function is to join tokens into words: a token with `##` continues the word before it (at the very beginning
    it begins one), and this prefix does not belong to the text. Other number signs do, and it loses them. Mend it. It
    returns a list of words; for no tokens an empty one.

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

    class Mistakes:
        def strips_every_sign(tokens):
            """Number signs of the text are still lost. What does `lstrip` do when more than two stand there?"""
            return joined(tokens, lambda token: token.lstrip("#"))

        def removes_it_everywhere(tokens):
            """`##` is gone wherever it stood. Where in a token is it the prefix?"""
            return joined(tokens, lambda token: token.replace("##", ""))

        def prefix_kept(tokens):
            """The prefix is still in these words. Does it belong to the text?"""
            return joined(tokens, str)

        def one_sign_is_enough(tokens):
            """One `#` is enough here to continue a word. How does a word begin that starts with a number sign?"""
            return joined(tokens, continues=lambda token: token.startswith("#"))

        def start_dropped(tokens):
            """When the tokens begin in the middle of a word, that piece is lost. What if nothing stands before it?"""
            return joined(tokens)[tokens[:1] != [] and tokens[0].startswith("##") :]

        def first_two_always(tokens):
            """Two characters are cut off every token. What of one that has no prefix?"""
            return joined(tokens, lambda token: token[2:])

        def every_token_a_word(tokens):
            """Every token is a word of its own here. When does a token go on with the word before it?"""
            return bare(tokens)
