"""The exercises of lesson 03 that ask for code."""
from __future__ import annotations

import math
from collections import Counter
from functools import cache

from ... import lattice
from ..code import Function, Repair
from ..core import Exercise, Misconception
from .corpora import word_freqs
from .unigram import POOL, _as_scores, _cut_at, _forwards_of, _map, _pool, as_losses

ROAD_MAP = {"generate": _map}


def _words(alphabet="ab", most=6):
    from hypothesis import strategies as st

    return st.text(alphabet, min_size=1, max_size=most)


# -------------------------------------------------------------------------------------------------- counts and losses

def _losses_by(loss, whole=lambda counts: sum(counts.values())):
    def to_losses(counts):
        return {token: loss(count, whole(counts)) for token, count in counts.items()}
    return to_losses


def _losses_by_loop(counts):
    total, losses = 0, {}
    for count in counts.values():
        total += count
    for token in counts:
        losses[token] = math.log(1 / (counts[token] / total))
    return losses


TO_LOSSES = Exercise(
    id="unigram-16", title="Write it: from counts to losses", points=2, kind=Function("to_losses(counts)"),
    generate=lambda rng: {"counts": word_freqs(rng)},
    question=lambda v: "Write `to_losses(counts)`. It turns token counts into losses: the negative natural logarithm "
                       "of each token's share of all counts.\n\n```\nto_losses({'a': 1, 'b': 3})\n```\n\nis about "
                       f"`{{'a': 1.386, 'b': 0.288}}`. Counts to try it on: `{v['counts']}`.",
    answer=lambda v: _losses_by(lambda count, total: -math.log(count / total)),
    also=lambda v: (_losses_by(lambda count, total: math.log(total) - math.log(count)), _losses_by_loop),
    misconceptions=(
        Misconception("sign-forgotten", "Your losses are negative. Which sign has the logarithm of a number below one, "
                                        "and what does the loss do about it?",
                      lambda v: _losses_by(lambda count, total: math.log(count / total))),
        Misconception("base-two", "You measure in bits. Which logarithm was asked for?",
                      lambda v: _losses_by(lambda count, total: -math.log2(count / total))),
        Misconception("counts-not-shares",
                      "You take the logarithm of the count itself. What share of all counts is it?",
                      lambda v: _losses_by(lambda count, total: -math.log(count))),
        Misconception("divided-by-tokens", "You divide by the number of different tokens. What do the shares have to "
                                           "add up to?",
                      lambda v: _losses_by(lambda count, total: -math.log(count / total), len)),
        Misconception("divided-by-largest", "You divide by the largest count. What do the shares have to add up to?",
                      lambda v: _losses_by(lambda count, total: -math.log(count / total), lambda c: max(c.values()))),
        Misconception("no-logarithm", "These are the shares. What turns a product of shares into a sum?",
                      lambda v: _losses_by(lambda count, total: count / total)),
    ),
    cases=lambda v: [({"a": 1, "b": 3},), ({"a": 5},), (v["counts"],)],
    strategy=lambda v: _counts().map(lambda counts: (counts,)),
    hints=("First you need the sum of all counts.",
           "A share is a count over that sum; `math.log` is the natural logarithm.",
           "Build a dictionary in one line: a token, a colon, minus the logarithm of its share, for each token and "
           "count."),
    solution="```python\nimport math\n\n\ndef to_losses(counts):\n    total = sum(counts.values())\n"
             "    return {token: -math.log(count / total) for token, count in counts.items()}\n```",
)


def _counts():
    from hypothesis import strategies as st

    return st.dictionaries(_words(most=2), st.integers(1, 30), min_size=1, max_size=5)


# ------------------------------------------------------------------------------------------------------ counting ways

def _ways(word, tokens):
    """All ways through the word, by trying every grouping."""
    return [way for way in lattice.groupings(word) if set(way) <= set(tokens)]


def _count_by_gap(word, tokens):
    ways = [1] + [0] * len(word)
    for end in range(1, len(word) + 1):
        ways[end] = sum(ways[start] for start in range(end) if word[start:end] in tokens)
    return ways[-1]


def _count_by_token(word, tokens):
    if not word:
        return 1
    return sum(_count_by_token(word[len(token):], tokens) for token in tokens if word.startswith(token))


def _greedy(word, tokens):
    way = []
    while word:
        fits = [token for token in tokens if word.startswith(token)]
        if not fits:
            return None
        way.append(max(fits, key=len))
        word = word[len(way[-1]):]
    return way


COUNT_WAYS = Exercise(
    id="unigram-17", title="Write it: how many ways", points=3, kind=Function("count_ways(word, tokens)"), **ROAD_MAP,
    question=lambda v: "Write `count_ways(word, tokens)`. It says in how many ways a word can be cut into tokens of "
                       "the list; a token may be used more than once.\n\n```\ncount_ways('hug', ['h', 'u', 'g', "
                       f"'ug'])\n```\n\nis `2`. A word to try it on: `{v['word']!r}` with `{list(v['losses'])}`.",
    answer=lambda v: _count_by_gap, also=lambda v: (_count_by_token, lambda word, tokens: len(_ways(word, tokens))),
    misconceptions=(
        Misconception("every-gap-free", "You let every gap be cut or not. Is each piece of such a way a token?",
                      lambda v: lambda word, tokens: 2 ** (len(word) - 1)),
        Misconception("whole-word-forgotten",
                      "You leave out the way with a single token. May a word be a token itself?",
                      lambda v: lambda word, tokens: sum(len(way) > 1 for way in _ways(word, tokens))),
        Misconception("roads-not-ways", "You count the places where a token fits. How many of them does one way use?",
                      lambda v: lambda word, tokens: sum(
                          word[i:j] in tokens for i in range(len(word)) for j in range(i + 1, len(word) + 1))),
        Misconception("token-used-once", "You use each token at most once in a way. What about `a` in `aa`?",
                      lambda v: lambda word, tokens: sum(len(set(way)) == len(way) for way in _ways(word, tokens))),
        Misconception("longest-first", "You follow the longest token at each place, so you find one way at most. Which "
                                       "other tokens could come first?",
                      lambda v: lambda word, tokens: int(_greedy(word, tokens) is not None)),
        Misconception("yes-or-no", "You find out whether there is a way. Add up the ways instead.",
                      lambda v: lambda word, tokens: int(bool(_ways(word, tokens)))),
    ),
    cases=lambda v: [("a", ["a"]), ("aa", ["a", "aa"]), ("hug", ["h", "u", "g", "ug"]),
                     ("hugs", ["h", "ug", "gs", "u"]), (v["word"], list(v["losses"]))],
    strategy=lambda v: _words_and_tokens(),
    hints=("Into how many ways can you get to gap 0? In one: by doing nothing.",
           "The ways to a gap are the sum, over the tokens that end there, of the ways to where they begin.",
           "Two loops: over the ends from left to right, and over the starts before each end; the piece between them "
           "has to be in the list."),
    solution="```python\ndef count_ways(word, tokens):\n    ways = [1] + [0] * len(word)\n"
             "    for end in range(1, len(word) + 1):\n        for start in range(end):\n"
             "            if word[start:end] in tokens:\n                ways[end] += ways[start]\n"
             "    return ways[-1]\n```",
)


def _words_and_tokens():
    return _words_and_losses().map(lambda case: (case[0], list(case[1])))


# ------------------------------------------------------------------------------------------------------- the best loss

def _sum_of(way, losses):
    return None if way is None else sum(losses[token] for token in way)


def _best_by_gap(word, losses):
    best = [0] + [math.inf] * len(word)
    for end in range(1, len(word) + 1):
        for start in range(end):
            if word[start:end] in losses:
                best[end] = min(best[end], best[start] + losses[word[start:end]])
    return None if best[-1] == math.inf else best[-1]


def _best_by_memory(word, losses):
    @cache
    def rest(start):
        if start == len(word):
            return 0
        return min((losses[word[start:end]] + rest(end) for end in range(start + 1, len(word) + 1)
                    if word[start:end] in losses), default=math.inf)
    return None if rest(0) == math.inf else rest(0)


def _best_of_all(choose):
    def best_loss(word, losses):
        ways = _ways(word, losses)
        return choose(ways, losses) if ways else None
    return best_loss


def _best_cheapest_first(word, losses):
    total = 0
    while word:
        fits = [token for token in losses if word.startswith(token)]
        if not fits:
            return None
        token = min(fits, key=losses.get)
        total, word = total + losses[token], word[len(token):]
    return total


def _best_nothing_is_free(word, losses):
    best = [0]
    for end in range(1, len(word) + 1):
        best.append(min((best[start] + losses[word[start:end]] for start in range(end) if word[start:end] in losses),
                        default=0))
    return best[-1]


BEST_LOSS = Exercise(
    id="unigram-18", title="Write it: the best loss", points=4, kind=Function("best_loss(word, losses)"), **ROAD_MAP,
    question=lambda v: "Write `best_loss(word, losses)`, the first half of Viterbi. It returns the smallest loss with "
                       "which the word can be cut into tokens of the dictionary `losses`, and `None` where there is no "
                       "way.\n\n```\nbest_loss('hug', {'h': 2, 'u': 1, 'g': 2, 'ug': 1.5})\n```\n\nis `3.5`. A word to "
                       f"try it on: `{v['word']!r}` with\n\n{as_losses(v['losses'])}",
    answer=lambda v: _best_by_gap,
    also=lambda v: (_best_by_memory, _best_of_all(lambda ways, losses: min(_sum_of(way, losses) for way in ways))),
    misconceptions=(
        Misconception("longest-first", "You take the longest token at each place. Might a shorter one lead to a "
                                       "cheaper way?",
                      lambda v: lambda word, losses: _sum_of(_greedy(word, losses), losses)),
        Misconception("cheapest-first", "You take the cheapest token at each place. What might its continuation cost?",
                      lambda v: _best_cheapest_first),
        Misconception("largest-loss", "You return the largest loss. Which way is the most probable one?",
                      lambda v: _best_of_all(lambda ways, losses: max(_sum_of(way, losses) for way in ways))),
        Misconception("multiplied", "You multiply the losses. What becomes of a product when one takes its logarithm?",
                      lambda v: _best_of_all(lambda ways, losses: min(
                          math.prod(map(losses.get, way)) for way in ways))),
        Misconception("fewest-tokens", "You take the way with the fewest tokens. Is that always the cheapest?",
                      lambda v: _best_of_all(lambda ways, losses: min(
                          (len(way), _sum_of(way, losses)) for way in ways)[1])),
        Misconception("no-way-is-free", "A gap that no way leads to costs nothing in your table. What should it cost, "
                                        "so that nobody goes on from there?", lambda v: _best_nothing_is_free),
    ),
    cases=lambda v: [("a", {"a": 1}), ("ab", {"a": 1}), ("ab", {"a": 1, "b": 1, "ab": 3}),
                     ("hug", {"h": 2, "u": 1, "g": 2, "ug": 1.5}), ("abc", {"a": 1, "b": 1, "c": 9, "ab": 1, "bc": 2}),
                     (v["word"], v["losses"])],
    strategy=lambda v: _words_and_losses(),
    hints=("Keep a list with the smallest loss at each gap; gap 0 costs nothing, all others `math.inf` at first.",
           "For each end, look at every start before it: is the piece between them a token?",
           "A candidate is what the start costs, and the token's loss on top. Keep the smallest. Infinity at the end "
           "means that there is no way."),
    solution="```python\nimport math\n\n\ndef best_loss(word, losses):\n    best = [0] + [math.inf] * len(word)\n"
             "    for end in range(1, len(word) + 1):\n        for start in range(end):\n"
             "            token = word[start:end]\n            if token in losses:\n"
             "                best[end] = min(best[end], best[start] + losses[token])\n"
             "    return None if best[-1] == math.inf else best[-1]\n```",
)


def _words_and_losses():
    from hypothesis import strategies as st

    def some(word):
        pieces = sorted({word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)})
        cost = st.integers(1, 9)
        characters = st.fixed_dictionaries({char: cost for char in sorted(set(word))})
        longer = st.dictionaries(st.sampled_from(pieces), cost, max_size=6)
        return st.tuples(st.just(word), st.one_of(longer, st.builds(dict.__or__, characters, longer)))

    return _words("abc").flatmap(some)


# --------------------------------------------------------------------------------------------------------- the way back

def _walk(word, starts):
    tokens, end = [], len(word)
    while end > 0:
        tokens.append(word[starts[end]:end])
        end = starts[end]
    return tokens[::-1]


def _walk_by_recursion(word, starts):
    if not word:
        return []
    start = starts[len(word)]
    return [*_walk_by_recursion(word[:start], starts), word[start:]]


def _walk_by_cuts(word, starts):
    cuts = [len(word)]
    while cuts[-1]:
        cuts.append(starts[cuts[-1]])
    cuts.reverse()
    return [word[a:b] for a, b in zip(cuts, cuts[1:])]


def _gaps_on_the_way(word, starts):
    gaps = [starts[len(word)]]
    while gaps[-1]:
        gaps.append(starts[gaps[-1]])
    return gaps[::-1]


WALK_BACK = Exercise(
    id="unigram-19", title="Write it: the way back", points=3, kind=Function("walk_back(word, starts)"), **ROAD_MAP,
    question=lambda v: "Write `walk_back(word, starts)`, the second half of Viterbi. `starts[end]` is the gap where "
                       "the last token of the best way to gap `end` begins; `starts[0]` is -1. The function returns "
                       "the tokens from left to right.\n\n```\nwalk_back('hugs', [-1, 0, 0, 0, 1])\n```\n\nis `['h', "
                       f"'ugs']`. Another word to try it on: `{v['word']!r}`, with starts that you make up.",
    answer=lambda v: _walk, also=lambda v: (_walk_by_recursion, _walk_by_cuts),
    misconceptions=(
        Misconception("not-reversed", "Your tokens come from right to left. In which order did you find them?",
                      lambda v: lambda word, starts: _walk(word, starts)[::-1]),
        Misconception("read-forwards", "You read the table from its beginning. Which entry is the only one that knows "
                                       "the way to the end?", lambda v: _forwards_of),
        Misconception("every-start-a-cut",
                      "You cut at every gap that the table names. Which entries does the way back visit?",
                      lambda v: lambda word, starts: _cut_at(word, starts[1:])),
        Misconception("one-step-back", "You go back one token. What does the gap that you come to say?",
                      lambda v: lambda word, starts: _cut_at(word, starts[-1:])),
        Misconception("gaps-not-tokens", "You return gaps. Which piece of the word stands between two of them?",
                      lambda v: _gaps_on_the_way),
        Misconception("first-token-lost", "The first token is missing. When exactly may the walk stop?",
                      lambda v: lambda word, starts: _walk(word, starts)[1:]),
    ),
    cases=lambda v: [("a", [-1, 0]), ("hugs", [-1, 0, 0, 0, 1]), ("hugs", [-1, 0, 1, 2, 3])],
    strategy=lambda v: _words_and_starts(),
    hints=("Begin at the last gap, `len(word)`.",
           "The token is the piece from `starts[end]` to `end`. Where does the next one end?",
           "Collect until you are at gap 0, and turn the list around."),
    solution="```python\ndef walk_back(word, starts):\n    tokens, end = [], len(word)\n    while end > 0:\n"
             "        tokens.append(word[starts[end]:end])\n        end = starts[end]\n    return tokens[::-1]\n```",
)


def _words_and_starts():
    from hypothesis import strategies as st

    def some(word):
        starts = st.tuples(*(st.integers(0, end - 1) for end in range(1, len(word) + 1)))
        return st.tuples(st.just(word), starts.map(lambda gaps: [-1, *gaps]))

    return _words("abc", 7).flatmap(some)


# ------------------------------------------------------------------------------------------------------ expected counts

def _expected_with(shares, counted=Counter):
    """An E-step for one word in which `shares` says how much each way counts, from their probabilities."""
    def expected_counts(ways, freq):
        counts = {}
        for (tokens, _), share in zip(ways, shares([probability for _, probability in ways])):
            for token, times in counted(tokens).items():
                counts[token] = counts.get(token, 0) + freq * share * times
        return {token: count for token, count in counts.items() if count}
    return expected_counts


def _normal(probabilities):
    return [probability / sum(probabilities) for probability in probabilities]


def _expected_by_loop(ways, freq):
    counts, total = {}, 0
    for tokens, probability in ways:
        total += probability
        for token in tokens:
            counts[token] = counts.get(token, 0) + probability
    return {token: freq * count / total for token, count in counts.items()}


def _expected_by_token(ways, freq):
    total = sum(probability for _, probability in ways)
    return {token: sum(list(tokens).count(token) * probability for tokens, probability in ways) * freq / total
            for token in {token for tokens, _ in ways for token in tokens}}


def _expected_overwritten(ways, freq):
    total = sum(probability for _, probability in ways)
    return {token: freq * probability / total for tokens, probability in ways for token in tokens}


EXPECTED_COUNTS = Exercise(
    id="unigram-20", title="Write it: the E-step of one word", points=4, kind=Function("expected_counts(ways, freq)"),
    generate=lambda rng: {"freq": rng.between(2, 40)},
    question=lambda v: "Write `expected_counts(ways, freq)`. `ways` is a list of pairs: the tokens of a way, and its "
                       "probability. The word occurs `freq` times. Return how often each token is used, if every way "
                       "counts as much as it is probable.\n\n```\nexpected_counts([(['hug'], 0.03), (['h', 'ug'], "
                       "0.01)], 8)\n```\n\nis `{'hug': 6.0, 'h': 2.0, 'ug': 2.0}`. What is it for a word that occurs "
                       f"{v['freq']} times?",
    answer=lambda v: _expected_with(_normal), also=lambda v: (_expected_by_loop, _expected_by_token),
    misconceptions=(
        Misconception("best-way-only", "Only the best way counts in your function. How much should the others count?",
                      lambda v: _expected_with(lambda ps: [float(i == ps.index(max(ps))) for i in range(len(ps))])),
        Misconception("shares-not-whole", "Your shares do not make up a whole. The word is there: what do the shares "
                                          "of all its ways add up to?", lambda v: _expected_with(list)),
        Misconception("every-way-alike", "Every way counts alike in your function. Should an improbable one?",
                      lambda v: _expected_with(lambda ps: [1 / len(ps)] * len(ps))),
        Misconception("once-per-way", "A token that stands twice in a way is counted once. What about `a` in the way "
                                      "`a` `a`?",
                      lambda v: _expected_with(_normal, lambda tokens: dict.fromkeys(tokens, 1))),
        Misconception("freq-forgotten", "You count one occurrence of the word. How many are there?",
                      lambda v: lambda ways, freq: _expected_by_loop(ways, 1)),
        Misconception("overwritten", "A token of several ways keeps the share of the last one. Do you add, or replace?",
                      lambda v: _expected_overwritten),
    ),
    cases=lambda v: [([(["a"], 0.1)], v["freq"]), ([(["hug"], 0.03), (["h", "ug"], 0.01)], 8),
                     ([(["aa"], 0.02), (["a", "a"], 0.06)], v["freq"])],
    strategy=lambda v: _words_and_ways(),
    hints=("First add up the probabilities of all ways.", "A way's share is its probability over that sum.",
           "Each token of a way gets its share, times `freq`, on top of what it has: `counts.get(token, 0)`."),
    solution="```python\ndef expected_counts(ways, freq):\n"
             "    total = sum(probability for tokens, probability in ways)\n"
             "    counts = {}\n    for tokens, probability in ways:\n        for token in tokens:\n"
             "            counts[token] = counts.get(token, 0) + freq * probability / total\n    return counts\n```",
)


def _words_and_ways():
    from hypothesis import strategies as st

    def some(word):
        ways = st.lists(st.sampled_from(list(lattice.groupings(word))), min_size=1, max_size=4, unique_by=tuple)
        weighed = ways.flatmap(lambda ways: st.tuples(*(
            st.tuples(st.just(list(way)), st.integers(1, 40).map(lambda n: n / 1000)) for way in ways)).map(list))
        return st.tuples(weighed, st.integers(2, 20))

    return _words(most=4).flatmap(some)


# -------------------------------------------------------------------------------------------------------------- repair

BROKEN = '''def first_to_go(scores, number):
    return sorted(scores, key=lambda x: x[1])[:number]
'''


def _go(scores, number):
    return sorted(scores, key=scores.get)[:number]


def _go_by_items(scores, number):
    return [token for token, score in sorted(scores.items(), key=lambda item: item[1])[:number]]


def _go_one_by_one(scores, number):
    left, gone = dict(scores), []
    while left and len(gone) < number:
        gone.append(min(left, key=left.get))
        del left[gone[-1]]
    return gone


REPAIR_ORDER = Exercise(
    id="unigram-21", title="Repair it: who goes first", points=2, kind=Repair("first_to_go(scores, number)", BROKEN),
    generate=lambda rng: _pool(rng, 6),
    question=lambda v: "This line is printed in one of our sources. It is to return the given number of tokens with "
                       "the smallest scores, the smallest first; of equal scores, the one that stands first in the "
                       f"dictionary. It does not. Mend it.\n\n```python\n{BROKEN}```\n\nScores to try it on:"
                       f"\n\n{_as_scores(v)}",
    answer=lambda v: _go, also=lambda v: (_go_by_items, _go_one_by_one),
    misconceptions=(
        Misconception("by-second-character", "It still sorts by the second character of the token. What is `x`, when a "
                                             "dictionary is sorted: a pair, or a key?",
                      lambda v: lambda scores, number: sorted(scores, key=lambda token: token[1:2])[:number]),
        Misconception("highest-score-first", "You return the highest scores. Which tokens can the corpus spare?",
                      lambda v: lambda scores, number: sorted(scores, key=lambda token: -scores[token])[:number]),
        Misconception("those-that-stay", "You return the tokens that stay. Which are to go?",
                      lambda v: lambda scores, number: sorted(scores, key=scores.get)[number:]),
        Misconception("pairs-returned", "You return pairs. Tokens alone were asked for.",
                      lambda v: lambda scores, number: sorted(scores.items(), key=lambda item: item[1])[:number]),
        Misconception("ties-by-alphabet", "Equal scores come in the order of the alphabet. In which order do they "
                                          "stand in the dictionary?",
                      lambda v: lambda scores, number: sorted(
                          scores, key=lambda token: (scores[token], token))[:number]),
        Misconception("alphabetical", "These are the first tokens of the alphabet. Where do the scores come in?",
                      lambda v: lambda scores, number: sorted(scores)[:number]),
    ),
    cases=lambda v: [({"th": 9.0, "he": 0.5}, 1), ({"th": 9.0, "he": 0.5, "ng": 7.0}, 2), (v["scores"], 3)],
    strategy=lambda v: _scores_and_number(),
    hints=("What does `sorted` go through, when it gets a dictionary?",
           "`x` is a token, so `x[1]` is its second character. How do you get from the token to its score?",
           "`key` is a function of the token: `scores.get` is one."),
    solution="```python\ndef first_to_go(scores, number):\n    return sorted(scores, key=scores.get)[:number]\n```",
)


def _scores_and_number():
    from hypothesis import strategies as st

    scores = st.dictionaries(st.sampled_from(POOL), st.integers(0, 4).map(float), min_size=1, max_size=6)
    return scores.flatmap(lambda chosen: st.tuples(st.just(chosen), st.integers(0, len(chosen))))


EXERCISES = [TO_LOSSES, COUNT_WAYS, BEST_LOSS, WALK_BACK, EXPECTED_COUNTS, REPAIR_ORDER]
