"""The exercises of lesson 03 that ask for code."""

# mypy: ignore-errors
import math
from functools import cache
from itertools import pairwise

from ... import lattice
from .. import Edit, Function, Gap, Lines, Mistake, Repair, exercise
from .unigram import POOL, WORDS, cut_at, draw_losses


def words(most: int = 6, least: int = 1):
    """Words of a few characters, of several alphabets, and of characters that occur in marks."""
    from hypothesis import strategies as st

    alphabets = st.sampled_from(["ab", "ab", "abc", "дом", "语言", "</w>", "▁#1"])
    return alphabets.flatmap(lambda characters: st.text(characters, min_size=least, max_size=most))


def words_and_losses():
    """A word, and losses for some of its substrings, often for every character, in any order."""
    from hypothesis import strategies as st

    costs = st.one_of(
        st.just(0), st.integers(1, 9), st.sampled_from([0.5, 2.25, 11, 30, 120, 4_000, 10**20])
    )

    def some(word):
        pieces = {word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)} or {"a"}
        in_order = sorted(pieces, key=lambda piece: (len(piece), piece))
        longer = st.dictionaries(st.sampled_from(in_order), costs, max_size=6)
        characters = st.fixed_dictionaries(dict.fromkeys(word, costs))
        return st.tuples(
            st.just(word), st.one_of(longer, st.builds(dict.__or__, characters, longer))
        )

    return words(least=0).flatmap(some)


def all_ways(word, tokens):
    """All ways through the word, by trying every grouping."""
    return [way for way in lattice.groupings(word) if set(way) <= set(tokens)]


def first_fit(word, tokens, choose):
    """Cut off the chosen one of the tokens that fit, again and again; None where none does."""
    way = []
    while word:
        fits = [token for token in tokens if word.startswith(token)]
        if not fits:
            return None
        way.append(choose(fits))
        word = word[len(way[-1]) :]
    return way


def loss_of(way, losses):
    return None if way is None else sum(losses[token] for token in way)


@exercise("unigram-16", "Write it: from counts to losses", Function(), points=2)
class ToLosses:
    """Write `to_losses(counts)`. It turns a dictionary of token counts into one of losses: the negative natural
    logarithm of each token's share of all counts, not rounded. Every count is at least 1. For an empty dictionary it
    returns an empty one.

    `to_losses({"a": 1, "b": 3})` is about `{"a": 1.386, "b": 0.288}`."""

    hints = (
        "First you need the sum of all counts.",
        "A share is a count over that sum; `math.log` is the natural logarithm.",
        "Build a dictionary: each token with `-math.log(share)`, which is the same as `math.log(1 / share)`.",
    )
    why = "Shares multiply along a way, so their logarithms add; the minus makes the most probable the smallest."
    cases = [({"a": 1, "b": 3},), ({"a": 5},), ({"the": 120, "u": 36, "hug": 36},), ({},)]

    def to_losses(counts):
        import math

        total = sum(counts.values())
        # the minus of the logarithm turns the share over
        return {token: math.log(total / count) for token, count in counts.items()}

    def inputs():
        from hypothesis import strategies as st

        numbers = st.one_of(st.integers(1, 30), st.integers(99, 10**6))
        return st.tuples(st.dictionaries(words(2), numbers, max_size=5))

    def try_on(rng):
        return ({token: rng.between(2, 150) for token in rng.sample(POOL, 4)},)

    class Also:
        def difference_of_logarithms(counts):
            return {
                token: math.log(sum(counts.values())) - math.log(counts[token]) for token in counts
            }

        def loop(counts):
            total, losses = 0, {}
            for count in counts.values():
                total += count
            for token in counts:
                losses[token] = math.log(1 / (counts[token] / total))
            return losses

    edits = (
        Edit(
            "sign-forgotten",
            "total / count",
            "count / total",
            "These losses are negative. Which sign does the logarithm of a share have, and what does a loss make "
            "of it?",
        ),
        Edit(
            "base-two",
            "math.log(",
            "math.log2(",
            "These losses are in bits: they come from logarithms to base two. Which base does the question ask for?",
        ),
        Edit(
            "base-ten",
            "math.log(",
            "math.log10(",
            "These losses come from logarithms to base ten. Which base does the question ask for?",
        ),
        Edit(
            "counts-not-shares",
            "math.log(total / count)",
            "-math.log(count)",
            "These are logarithms of the counts themselves. What share of all counts has each token?",
        ),
        Edit(
            "divided-by-tokens",
            "sum(counts.values())",
            "len(counts)",
            "Here each count is divided by the number of different tokens. What do the shares have to add up to?",
        ),
        Edit(
            "divided-by-largest",
            "sum(counts.values())",
            "max(counts.values())",
            "The most frequent token costs nothing here, as if its share were the whole. What is a share a part of?",
        ),
        Edit(
            "no-logarithm",
            "math.log(total / count)",
            "count / total",
            "These are the shares. What turns their products into sums?",
        ),
        Edit(
            "rounded",
            "math.log(total / count)",
            "round(math.log(total / count), 3)",
            "These losses are rounded to three decimals, as the example shows them. Return them as they come.",
        ),
    )


@exercise("unigram-17", "Write it: how many ways", Function(), points=3)
class CountWays:
    """Write `count_ways(word, tokens)`. It returns the number of ways to cut the word into tokens of the list, in
    which none stands twice. A way may use a token more than once. A word without characters has one way: no token.

    `count_ways("hug", ["h", "u", "g", "ug"])` is `2`."""

    hints = (
        "In how many ways can you get to gap 0? In one: by doing nothing.",
        "The ways to a gap are the sum, over the tokens that end there, of the ways to where they begin.",
        "Two loops: over the ends from left to right, and over the starts before each end. Is the piece a token?",
    )
    why = (
        "Each way to a gap has one last token, so the ways before all possible last tokens add up."
    )
    cases = [
        ("hug", ["h", "u", "g", "ug"]),
        ("aa", ["a", "aa"]),
        ("hugs", ["h", "ug", "gs", "u"]),
        ("a", ["a"]),
        ("", ["a"]),
        ("hug", []),
        ("abababababab", ["ab", "b", "a", "ba"]),
    ]

    def count_ways(word, tokens):
        ways = [1] + [0] * len(word)
        for end in range(1, len(word) + 1):
            for start in range(end):
                if word[start:end] in tokens:
                    ways[end] += ways[start]
        return ways[-1]

    def inputs():
        return words_and_losses().map(lambda case: (case[0], list(case[1])))

    def try_on(rng):
        word = rng.choice(WORDS)
        return word, list(draw_losses(rng, [word], 5))

    class Also:
        def by_first_token(word, tokens):
            def ways(rest):
                return (
                    sum(ways(rest[len(token) :]) for token in tokens if rest.startswith(token))
                    if rest
                    else 1
                )

            return ways(word)

        def by_brute_force(word, tokens):
            return len(all_ways(word, tokens))

    edits = (
        Edit(
            "every-gap-free",
            "word[start:end] in tokens",
            "word[start:end]",
            "This is how many ways there are if every gap may be cut or not. Is each piece of such a way a token?",
        ),
        Edit(
            "whole-word-forgotten",
            "word[start:end] in tokens",
            "word[start:end] in tokens and word[start:end] != word",
            "The way with a single token is not counted. May a word be a token itself?",
        ),
        Edit(
            "roads-not-ways",
            "ways[end] += ways[start]",
            "ways[-1] += 1",
            "This is the number of places where a token fits. How many of them make one way?",
        ),
        Edit(
            "yes-or-no",
            "ways[end] += ways[start]",
            "ways[end] = max(ways[end], ways[start])",
            "This is 1 where there is a way, else 0. How do the ways to a gap add up?",
        ),
        Edit(
            "last-token-decides",
            "ways[end] += ways[start]",
            "ways[end] = ways[start]",
            "The ways of one last token take the place of those of another. What becomes of ways to the same gap?",
        ),
        Edit(
            "tokens-in-the-word",
            "    return ways[-1]",
            "    return sum(token in word for token in tokens)",
            "This is how many tokens stand somewhere in the word. Which of them make up all of it?",
        ),
        Edit(
            "no-way-for-nothing",
            "    return ways[-1]",
            "    return ways[-1] if word else 0",
            "The empty word has no way here. How many does the question give it?",
        ),
    )

    class Mistakes:
        def token_used_once(word, tokens):
            """Ways that use a token twice are not counted. What about `a` in `aa`?"""
            return sum(len(set(way)) == len(way) for way in all_ways(word, tokens))

        def longest_first(word, tokens):
            """This is 1 where longest-first gets to the end, else 0. Which other tokens could come first?"""
            return int(first_fit(word, tokens, lambda fits: max(fits, key=len)) is not None)

        def no_further_than_a_token(word, tokens):
            """A part that is a token has one way only here. May such a part be cut as well?"""

            def ways(rest):
                fits = [token for token in tokens if rest.startswith(token)]
                return 1 if rest in tokens else sum(ways(rest[len(token) :]) for token in fits)

            return ways(word)


@exercise("unigram-22", "Put it in order: the fewest tokens", Lines(), points=2)
class TheFewestTokens:
    """`fewest_tokens(word, tokens)` returns the smallest number of tokens that spell the word. Every character is a
    token. It is the map of the word once more, with roads that all cost the same: one.

    `fewest_tokens("hugs", {"h", "u", "g", "s", "ug", "hug"})` is `2`, for `hug` and `s`."""

    hints = (
        "Gap 0 costs nothing. Which line says so, and where does it stand?",
        "At each gap: begin an empty list, collect what each road to this gap costs, and keep the smallest.",
        "The loop over `start` collects. What has to be there before it, and what is done when it is over?",
    )
    why = "Each gap is settled before any gap after it: a road can rely on the gap where it begins."
    cases = [
        ("hugs", {"h", "u", "g", "s", "ug", "hug"}),
        ("unhug", {"u", "n", "h", "g", "un", "nh", "hug"}),
        ("aaaa", {"a", "aaa"}),
        ("a", {"a"}),
        ("", {"a"}),
    ]

    def fewest_tokens(word, tokens):
        fewest = [0]
        for end in range(1, len(word) + 1):
            counts = []
            for start in range(end):
                if word[start:end] in tokens:
                    counts.append(fewest[start] + 1)
            fewest.append(min(counts))
        return fewest[-1]

    def inputs():
        from hypothesis import strategies as st

        pieces = st.lists(st.text("ab", min_size=2, max_size=4), max_size=5)
        return st.tuples(st.text("ab", max_size=8), pieces.map(lambda some: {"a", "b", *some}))

    orders = (
        Mistake(
            "begun-too-late",
            "23456718",
            "The list of gaps begins when all gaps have been gone through. What does the first road rely on?",
        ),
        Mistake(
            "returned-too-early",
            "18234567",
            "`return` comes before the loop, and a function ends there. Which gap is settled by then?",
        ),
        Mistake(
            "kept-before-collected",
            "12374568",
            "The smallest is taken from an empty list. When has each road to this gap been looked at?",
        ),
        Mistake(
            "emptied-too-late",
            "12456378",
            "The list is emptied after the roads have been collected in it. When should a gap begin with "
            "an empty one?",
        ),
        Mistake(
            "begun-with-the-smallest",
            "12734568",
            "The turn begins with the smallest of a list that is not there yet. What comes first at a gap?",
        ),
    )


@exercise("unigram-18", "Write it: the best loss", Function(), points=4)
class BestLoss:
    """Write `best_loss(word, losses)`, the first half of Viterbi. It returns the smallest loss with which the word can
    be cut into tokens of the dictionary `losses`, and `None` where there is no way. Losses are numbers from 0 upwards,
    without a limit. A word without characters costs 0.

    `best_loss("hug", {"h": 2, "u": 1, "g": 2, "ug": 1.5})` is `3.5`."""

    hints = (
        "Keep a list with the smallest loss at each gap; gap 0 costs nothing, all others `math.inf` at first.",
        "For each end, look at every start before it: is the piece between them a token?",
        "A candidate is what the start costs, and the token's loss on top. Infinity at the end means: no way.",
    )
    why = "A best way to a gap is a best way to an earlier gap and one token, so each gap is settled once."
    cases = [
        ("hug", {"h": 2, "u": 1, "g": 2, "ug": 1.5}),
        ("abc", {"a": 1, "b": 1, "c": 9, "ab": 1, "bc": 2}),
        ("ab", {"a": 1}),
        ("ab", {"ab": 3, "b": 1, "a": 1}),
        ("ab", {"b": 1e300, "a": 0}),
        ("", {}),
        ("a", {}),
    ]

    def best_loss(word, losses):
        import math

        no_way = math.inf
        best = [0] + [no_way] * len(word)
        for end in range(1, len(word) + 1):
            for start in range(end):
                token = word[start:end]
                if token in losses:
                    best[end] = min(best[end], best[start] + losses[token])
        return None if best[-1] == no_way else best[-1]

    def inputs():
        return words_and_losses()

    def try_on(rng):
        word = rng.choice(WORDS)
        return word, draw_losses(rng, [word], 5)

    class Also:
        def by_memory(word, losses):
            @cache
            def rest(start):
                if start == len(word):
                    return 0
                return min(
                    (
                        losses[word[start:end]] + rest(end)
                        for end in range(start + 1, len(word) + 1)
                        if word[start:end] in losses
                    ),
                    default=math.inf,
                )

            return None if rest(0) == math.inf else rest(0)

        def by_brute_force(word, losses):
            return min((loss_of(way, losses) for way in all_ways(word, losses)), default=None)

    edits = (
        Edit(
            "last-candidate-kept",
            "min(best[end], best[start] + losses[token])",
            "best[start] + losses[token]",
            "Each gap keeps what came last, that of the shortest token. Which candidate should it keep?",
        ),
        Edit(
            "infinity-returned",
            "None if best[-1] == no_way else best[-1]",
            "best[-1]",
            "Where there is no way, infinity is returned. What is asked for then?",
        ),
        Edit(
            "large-number-for-infinity",
            "math.inf",
            "10**9",
            "A large loss is taken for 'no way' here. What is larger than every number?",
        ),
        Edit(
            "zero-is-none",
            "    return None if best[-1] == no_way else best[-1]",
            "    return None if best[-1] == no_way else best[-1] or None",
            "A loss of 0 has become `None`. Is 0 false, too?",
        ),
        Edit(
            "thousand-for-infinity",
            "math.inf",
            "1000",
            "A large loss is taken for 'no way' here. What is larger than every number?",
        ),
        Edit(
            "three-characters-at-most",
            "range(end)",
            "range(max(0, end - 3), end)",
            "Tokens of more than three characters are never looked at here. How long may a token be?",
        ),
        Edit(
            "last-gap-never-reached",
            "range(1, len(word) + 1)",
            "range(1, len(word))",
            "No way is ever found here, not even where the word is a token. Is the last gap reached, and what does gap "
            "0 cost?",
        ),
        Edit(
            "token-taken-whole",
            "import math\n",
            "import math\n\n    def rest(piece):\n        if piece in losses:\n            return "
            "losses[piece]\n        ends = [end for end in range(1, len(piece)) if piece[:end] in "
            "losses]\n        none = math.inf if piece else 0\n        return min((losses[piece[:end]] + "
            "rest(piece[end:]) for end in ends), default=none)\n\n    found = rest(word)\n    return None "
            "if found == math.inf else found\n",
            "Whatever is a token is taken whole here. May its parts not be cheaper?",
        ),
    )

    class Mistakes:
        def longest_first(word, losses):
            """This is the loss of the longest token at each place. Might a shorter one lead to a cheaper way?"""
            return loss_of(first_fit(word, losses, lambda fits: max(fits, key=len)), losses)

        def cheapest_first(word, losses):
            """This is the loss of the cheapest token at each place. What might its continuation cost?"""
            return loss_of(first_fit(word, losses, lambda fits: min(fits, key=losses.get)), losses)

        def largest_loss(word, losses):
            """This is the largest loss of all ways. Which way is the most probable one?"""
            return max((loss_of(way, losses) for way in all_ways(word, losses)), default=None)

        def multiplied(word, losses):
            """The losses are multiplied here. What becomes of a product when you take its logarithm?"""
            return min(
                (math.prod(map(losses.get, way)) for way in all_ways(word, losses)), default=None
            )

        def no_way_is_free(word, losses):
            """A gap to which no way leads costs nothing here. What should it cost, so that nobody goes on from it?"""
            best = [0]
            for end in range(1, len(word) + 1):
                best.append(
                    min(
                        (
                            best[start] + losses[word[start:end]]
                            for start in range(end)
                            if word[start:end] in losses
                        ),
                        default=0,
                    )
                )
            return best[-1]


@exercise("unigram-23", "Fill in: the gaps on the way", Gap(lines=(5, 6)), points=2)
class GapsOnTheWay:
    """Complete `gaps_on_the_way(starts)`: all gaps on the best way, from gap 0 to the last one. `starts[gap]` says
    where the last token to a gap begins; `starts[0]` is -1. Two lines are missing.

    `gaps_on_the_way([-1, 0, 0, 2, 1, 2])` is `[0, 2, 5]`: the last token to gap 5 begins at gap 2, and the last token
    to gap 2 at gap 0."""

    hints = (
        "The function stands at a gap. Which one does it go to next, and what does it do there?",
        "`starts` knows where to go from here. Write down each gap at which you arrive.",
        "First set `gap` to its own start; then append it to `gaps`.",
    )
    why = "Each gap says where its last token began; gap 0 is where every way begins."
    cases = [
        ([-1, 0, 0, 2, 1, 2],),
        ([-1, 0, 1, 2, 3],),
        ([-1, 0, 0, 0, 1],),
        ([-1, 0],),
        ([-1],),
        ([-1, 0, 1, 1, 2, 2, 3, 3, 4, 5, 2, 9, 10],),
    ]

    def gaps_on_the_way(starts):
        gap = len(starts) - 1
        gaps = [gap]
        while gap > 0:
            gap = starts[gap]
            gaps.append(gap)
        return gaps[::-1]

    def inputs():
        from hypothesis import strategies as st

        def some(length):
            gaps = st.tuples(*(st.integers(0, end - 1) for end in range(1, length + 1)))
            return gaps.map(lambda gaps: ([-1, *gaps],))

        return st.integers(0, 12).flatmap(some)

    class Also:
        def by_recursion(starts):
            def before(gap):
                return [*before(starts[gap]), gap] if gap > 0 else [0]

            return before(len(starts) - 1)

        def by_lengths(starts):
            gaps = [len(starts) - 1]
            while gaps[0]:
                gaps.insert(0, starts[gaps[0]])
            return gaps

    edits = (
        Edit(
            "gap-by-gap",
            "gap = starts[gap]",
            "gap = gap - 1",
            "These are all gaps of the word. Where does the last token to this gap begin?",
        ),
        Edit(
            "written-down-too-early",
            "gap = starts[gap]\n        gaps.append(gap)",
            "gaps.append(gap)\n        gap = starts[gap]",
            "The last gap is there twice, and gap 0 is missing. Which comes first, going or writing down?",
        ),
        Edit(
            "one-step-too-far",
            "gaps.append(gap)",
            "gaps.append(starts[gap])",
            "Each gap that you write down is one step ahead of where you are. Where does that end?",
        ),
        Edit(
            "turned-round-twice",
            "gaps.append(gap)",
            "gaps.insert(0, gap)",
            "The gaps come from the last to the first. What does the last line do with your list?",
        ),
        Edit(
            "always-from-the-end",
            "gaps.append(gap)",
            "gaps.append(gap)\n        break",
            "There is one step, and no more. What does the loop wait for?",
        ),
        Edit(
            "lengths",
            "gap = starts[gap]\n        gaps.append(gap)",
            "gaps.append(gap - starts[gap])\n        gap = starts[gap]",
            "These are the lengths of the tokens. What is asked for?",
        ),
        Edit(
            "nothing-written-down",
            "gap = starts[gap]\n        gaps.append(gap)",
            "gap = starts[gap]",
            "Only the last gap is in the list. Where do you write down the others?",
        ),
        Edit(
            "all-starts",
            "gap = starts[gap]\n        gaps.append(gap)",
            "gaps.append(starts[gap])\n        gap -= 1",
            "These are the starts of all gaps. To which gap does the way go from here?",
        ),
        Edit(
            "the-entry-before",
            "gap = starts[gap]",
            "gap = starts[gap - 1]",
            "This looks up the gap before the one where you are. Which entry of `starts` belongs to `gap`?",
        ),
    )


@exercise("unigram-19", "Write it: the way back", Function(), points=3)
class WalkBack:
    """Write `walk_back(word, starts)`, the second half of Viterbi. `starts[end]` is the gap where the last token of the
    best way to gap `end` begins; `starts[0]` is -1. The function returns the list of tokens, from left to right. For a
    word without characters it is empty.

    `walk_back("hugs", [-1, 0, 0, 0, 1])` is `["h", "ugs"]`."""

    hints = (
        "Begin at the last gap, `len(word)`.",
        "The token is the piece from `starts[end]` to `end`. Where does the one before it end?",
        "Collect until you are at gap 0, and turn the list around.",
    )
    why = "Only the last gap knows where the best way to the end comes from; each gap on the way knows one more step."
    cases = [
        ("hugs", [-1, 0, 0, 0, 1]),
        ("hugs", [-1, 0, 1, 2, 3]),
        ("a", [-1, 0]),
        ("", [-1]),
        ("abcdefghijkl", [-1, 0, 1, 1, 2, 2, 3, 3, 4, 5, 2, 9, 10]),
    ]

    def walk_back(word, starts):
        tokens, end = [], len(word)
        while end > 0:
            tokens.append(word[starts[end] : end])
            end = starts[end]
        return tokens[::-1]

    def inputs():
        from hypothesis import strategies as st

        def some(word):
            starts = st.tuples(*(st.integers(0, end - 1) for end in range(1, len(word) + 1)))
            return st.tuples(st.just(word), starts.map(lambda gaps: [-1, *gaps]))

        return words(12, least=0).flatmap(some)

    def try_on(rng):
        word = rng.choice(WORDS)
        return word, [
            -1,
            *(rng.between(max(0, end - 3), end - 1) for end in range(1, len(word) + 1)),
        ]

    class Also:
        def by_recursion(word, starts):
            def tokens(end):
                return [*tokens(starts[end]), word[starts[end] : end]] if end else []

            return tokens(len(word))

        def by_cuts(word, starts):
            cuts = [len(word)]
            while cuts[0] > 0:
                cuts = [starts[cuts[0]], *cuts]
            return [word[a:b] for a, b in pairwise(cuts)]

    edits = (
        Edit(
            "not-reversed",
            "tokens[::-1]",
            "tokens",
            "These tokens come from right to left. In which order did you find them?",
        ),
        Edit(
            "gaps-not-tokens",
            "word[starts[end] : end]",
            "end",
            "These are gaps. Which piece of the word stands between two of them?",
        ),
        Edit(
            "first-token-lost",
            "end > 0",
            "starts[end] > 0",
            "The first token is missing. When exactly may the walk stop?",
        ),
        Edit(
            "last-token-alone",
            "    return tokens[::-1]",
            "    return tokens[:1]",
            "This is the last token alone. Where does the walk go on?",
        ),
    )

    class Mistakes:
        def read_forwards(word, starts):
            """This goes through the table from its beginning. Which entry alone knows the way to the end?"""
            cuts = [0]
            while found := [
                end for end in range(cuts[-1] + 1, len(starts)) if starts[end] == cuts[-1]
            ]:
                cuts.append(found[0])
            return cut_at(word, cuts) if word else []

        def every_start_a_cut(word, starts):
            """Every gap that the table names is a cut here. Which entries does the way back come to?"""
            return cut_at(word, starts) if word else []

        def one_step_back(word, starts):
            """This goes back one token. What does the gap say where that token begins?"""
            return cut_at(word, starts[-1:]) if word else []

        def every_line_a_token(word, starts):
            """Each gap has a token here, the last one of the best way to it. Which gaps are on the way back?"""
            return [word[starts[end] : end] for end in range(1, len(word) + 1)]


@exercise("unigram-20", "Write it: the E-step of one word", Function(), points=4, level="transfer")
class ExpectedCounts:
    """Write `expected_counts(ways, freq)`. `ways` lists all ways through a word, at least one: each is a pair of its
    tokens and its probability, which is above 0. The word occurs `freq` times. Return a dictionary that says how often
    each token is used if every way counts by its share of all probabilities. A token that stands twice in a way is
    used twice.

    `expected_counts([(["hug"], 0.03), (["h", "ug"], 0.01)], 8)` is `{"hug": 6.0, "h": 2.0, "ug": 2.0}`."""

    hints = (
        "First add up the probabilities of all ways.",
        "A way's share is its probability over that sum.",
        "Each token of a way gets its share, times `freq`, on top of what it has: `counts.get(token, 0)`.",
    )
    why = "Some way was taken, so the shares of all ways make up a whole: each occurrence of the word is handed out."
    cases = [
        ([(["hug"], 0.03), (["h", "ug"], 0.01)], 8),
        ([(["aa"], 0.02), (["a", "a"], 0.06)], 12),
        ([(["a"], 1)], 5),
        ([(["b", "ab"], 0.01), (["ba", "b"], 0.3), (["b", "a", "b"], 0.02)], 120),
    ]

    def expected_counts(ways, freq):
        total = sum(probability for tokens, probability in ways)
        counts = {}
        for tokens, probability in ways:
            for token in tokens:
                counts[token] = counts.get(token, 0) + freq * probability / total
        return counts

    def inputs():
        from hypothesis import strategies as st

        def some(word):
            chance = st.integers(1, 200).map(lambda number: number / 1000)
            ways = st.lists(
                st.tuples(st.sampled_from(list(lattice.groupings(word))), chance),
                min_size=1,
                max_size=4,
                unique_by=lambda way: tuple(way[0]),
            )
            return st.tuples(ways, st.one_of(st.integers(1, 20), st.integers(99, 5000)))

        return words(4).flatmap(some)

    def try_on(rng):
        word = rng.choice(WORDS[:4])
        ways = [[word], cut_at(word, [2]), cut_at(word, [1, 3])]
        return [(way, rng.between(1, 90) / 1000) for way in ways], rng.between(2, 40)

    class Also:
        def shares_first(ways, freq):
            total, counts = sum(probability for _, probability in ways), {}
            for tokens, share in [(tokens, probability / total) for tokens, probability in ways]:
                for token in set(tokens):
                    counts[token] = counts.get(token, 0) + freq * share * tokens.count(token)
            return counts

        def by_token(ways, freq):
            total = sum(probability for _, probability in ways)
            return {
                token: sum(tokens.count(token) * probability for tokens, probability in ways)
                * freq
                / total
                for token in {token for tokens, _ in ways for token in tokens}
            }

    edits = (
        Edit(
            "best-way-only",
            "    total =",
            "    ways = [max(ways, key=lambda way: way[1])]\n    total =",
            "Only the best way counts here. How much should the others count?",
        ),
        Edit(
            "shares-not-whole",
            " / total",
            "",
            "The probabilities count as they are here. What should the shares of all ways add up to?",
        ),
        Edit(
            "every-way-alike",
            "probability / total",
            "1 / len(ways)",
            "Every way counts alike here. Should an improbable one?",
        ),
        Edit(
            "once-per-way",
            "in tokens:",
            "in set(tokens):",
            "A token that stands twice in a way is counted once here. What about `a` in the way `a` `a`?",
        ),
        Edit(
            "freq-forgotten",
            "freq * probability",
            "probability",
            "These are the uses in one occurrence of the word. How many are there?",
        ),
        Edit(
            "overwritten",
            "counts.get(token, 0) + freq",
            "freq",
            "A token that is used again has only what it got last here. Does a share replace what is there?",
        ),
        Edit(
            "counts-made-whole",
            "return counts",
            "whole = sum(counts.values())\n    return {token: freq * count / whole for token, count in "
            "counts.items()}",
            "These counts add up to `freq`. What should make up the whole: the tokens, or the ways?",
        ),
        Edit(
            "rounded-uses",
            "freq * probability / total",
            "round(freq * probability / total)",
            "The uses are rounded here. Does anything say that an expected count is a whole number?",
        ),
    )


@exercise("unigram-21", "Repair it: who goes first", Repair(), points=2, level="transfer")
class FirstToGo:
    """This line is printed in one of our sources. It should return a list of the `number` tokens with the smallest
    scores, the smallest first; of equal scores, the one that stands first in the dictionary; and all tokens where there
    are fewer. It does not. Mend it. (Every token has at least two characters.)

    `first_to_go({"th": 9.0, "he": 0.5, "ng": 7.0}, 2)` should be `["he", "ng"]`."""

    hints = (
        "What does `sorted` go through, when it gets a dictionary?",
        "`x` is a token, so `x[1]` is its second character. How do you get from the token to its score?",
        "`key` is a function of the token: `scores.get` is one.",
    )
    why = "Sorting a dictionary sorts its keys, so the key function has to look the score up."
    cases = [
        ({"th": 9.0, "he": 0.5, "ng": 7.0}, 2),
        ({"th": 9.0, "he": 0.5}, 1),
        ({}, 2),
        ({"ow": 120, "it": 9, "ing": 30, "at": 9}, 3),
    ]

    def first_to_go(scores, number):
        return sorted(scores, key=scores.get)[:number]

    def inputs():
        from hypothesis import strategies as st

        tokens = st.sampled_from([*POOL, "the", "дом", "ом", "语言", "##s", "a</w>"])
        scores = st.dictionaries(
            tokens, st.sampled_from([0.0, 0.5, 1.0, 2.0, 9.5, 10.0, 120.0, 1e6]), max_size=7
        )
        return st.tuples(scores, st.integers(0, 8))

    def try_on(rng):
        return dict(zip(rng.sample(POOL, 6), rng.sample(range(200), 6))), 3

    class Broken:
        def first_to_go(scores, number):
            return sorted(scores, key=lambda x: x[1])[:number]

    class Also:
        def by_items(scores, number):
            return [
                token for token, score in sorted(scores.items(), key=lambda item: item[1])[:number]
            ]

        def one_by_one(scores, number):
            left, gone = dict(scores), []
            while left and len(gone) < number:
                gone.append(min(left, key=lambda token: left[token]))
                del left[gone[-1]]
            return gone

    edits = (
        Edit(
            "by-first-character",
            "scores.get",
            "lambda token: token[0]",
            "These are sorted by their first character. How do you get from a token to its score?",
        ),
        Edit(
            "by-second-character",
            "scores.get",
            "lambda token: token[1]",
            "These are sorted by their second character. What is `x`, when a dictionary is sorted: a pair, or a key?",
        ),
        Edit(
            "highest-score-first",
            "key=scores.get",
            "key=scores.get, reverse=True",
            "These are the tokens with the highest scores. Which can the corpus spare?",
        ),
        Edit(
            "those-that-stay",
            "[:number]",
            "[number:]",
            "These are the tokens that stay. Which are to go?",
        ),
        Edit(
            "largest-scores",
            "[:number]",
            "[-number:]",
            "These are the largest: a slice `[-number:]` is the end of the list. Where do the smallest scores stand?",
        ),
        Edit(
            "pairs-returned",
            "sorted(scores, key=scores.get)",
            "sorted(scores.items(), key=lambda item: item[1])",
            "These are pairs of a token and its score. Tokens alone are asked for.",
        ),
        Edit(
            "scores-returned",
            "sorted(scores, key=scores.get)",
            "sorted(scores.values())",
            "These are scores. Whose are they?",
        ),
        Edit(
            "ties-by-alphabet",
            "scores.get",
            "lambda token: (scores[token], token)",
            "Equal scores come in alphabetical order here. In which order do their tokens stand in the dictionary?",
        ),
        Edit(
            "alphabetical",
            "sorted(scores, key=scores.get)",
            "sorted(scores)",
            "These are the first tokens of the alphabet. Where do the scores come in?",
        ),
        Edit(
            "compared-as-texts",
            "scores.get",
            "lambda token: str(scores[token])",
            "The scores are compared as texts here, in which 10 comes before 9. How are numbers compared?",
        ),
    )
