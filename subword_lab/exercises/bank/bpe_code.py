"""The exercises of lesson 01 that ask for code."""
from __future__ import annotations

from ... import bpe
from ..code import Function, Repair
from ..core import Exercise, Misconception
from .bpe import HUG
from .corpora import as_table, word_freqs

CORPUS = {"generate": lambda rng: {"freqs": word_freqs(rng)}}


def _corpora(alphabet="ab", most=4):
    from hypothesis import strategies as st

    return st.dictionaries(st.text(alphabet, min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=most)


# ------------------------------------------------------------------------------------------------------ counting pairs

def _neighbors(symbols):
    return list(zip(symbols, symbols[1:]))


def _count_with(pairs_of_word, weight=lambda freq: freq):
    """A counter that takes its pairs from `pairs_of_word`, each as often as `weight` says."""
    def count_pairs(word_freqs, splits):
        counts = {}
        for word, freq in word_freqs.items():
            for pair in pairs_of_word(splits[word]):
                counts[pair] = counts.get(pair, 0) + weight(freq)
        return counts
    return count_pairs


def _count_text(word_freqs, splits):
    symbols = [symbol for word, freq in word_freqs.items() for _ in range(freq) for symbol in splits[word]]
    return _count_with(_neighbors)({"text": 1}, {"text": symbols})


def _count_last_word(word_freqs, splits):
    return {pair: freq for word, freq in word_freqs.items() for pair in _neighbors(splits[word])}


def _without_overlaps(symbols):
    pairs, i = [], 0
    while i < len(symbols) - 1:
        pairs.append((symbols[i], symbols[i + 1]))
        i += 2 if symbols[i] == symbols[i + 1] else 1
    return pairs


def _count_by_index(word_freqs, splits):
    from collections import Counter

    counts = Counter()
    for word in word_freqs:
        for i in range(len(splits[word]) - 1):
            counts[splits[word][i], splits[word][i + 1]] += word_freqs[word]
    return dict(counts)


def _count_twice_through(word_freqs, splits):
    pairs = {pair for split in splits.values() for pair in _neighbors(split)}
    return {pair: sum(freq * _neighbors(splits[word]).count(pair) for word, freq in word_freqs.items()) for pair in pairs}


COUNT_PAIRS = Exercise(
    id="bpe-15", title="Write it: count the pairs", points=3, kind=Function("count_pairs(word_freqs, splits)"), **CORPUS,
    question=lambda v: "Write `count_pairs(word_freqs, splits)`. It returns a dictionary from each pair of neighbors to its "
                       "count. `word_freqs` says how often each word occurs, `splits` how each word is split now.\n\n```\n"
                       "count_pairs({'hug': 10, 'hugs': 5}, {'hug': ['h', 'ug'], 'hugs': ['h', 'ug', 's']})\n"
                       f"```\n\nis `{{('h', 'ug'): 15, ('ug', 's'): 5}}`. Try it on this corpus:\n\n{as_table(v['freqs'])}",
    answer=lambda v: bpe.pair_freqs, also=lambda v: (_count_by_index, _count_twice_through),
    misconceptions=(
        Misconception("types-not-occurrences", "You count every word once. How often does a word with frequency 10 bring "
                                               "its pairs?", lambda v: _count_with(_neighbors, lambda freq: 1)),
        Misconception("pairs-across-words", "You count pairs that reach from one word into the next. Is the last symbol of "
                                            "a word a neighbor of the next word's first?", lambda v: _count_text),
        Misconception("overwritten", "A pair that stands in two places keeps only its last count. Do you add to a count, or "
                                     "replace it?", lambda v: _count_last_word),
        Misconception("once-per-word", "A pair that stands twice in one word is counted once there. What about `an` in "
                                       "`banana`?", lambda v: _count_with(lambda s: dict.fromkeys(_neighbors(s)))),
        Misconception("without-overlaps", "In a run such as `a a a` you count one pair. How many neighbors does the middle "
                                          "one have?", lambda v: _count_with(_without_overlaps)),
        Misconception("last-pair-missing", "The last pair of each word is missing. Where does your loop end?",
                      lambda v: _count_with(lambda s: _neighbors(s[:-1]))),
        Misconception("order-ignored", "You count `a b` and `b a` as one pair. Is the left side the same as the right one?",
                      lambda v: _count_with(lambda s: [tuple(sorted(pair)) for pair in _neighbors(s)])),
    ),
    cases=lambda v: [({"ab": 1}, {"ab": ["a", "b"]}), (v["freqs"], bpe.split_words(v["freqs"])),
                     (HUG, bpe.merge_pair(("u", "g"), bpe.split_words(HUG)))],
    strategy=lambda v: _corpora().map(lambda freqs: (freqs, bpe.split_words(freqs))),
    hints=("Go through the words, and in each word through its neighbors.",
           "The neighbors of a list `s` are `zip(s, s[1:])`.",
           "Begin with an empty dictionary, and for each pair add the word's frequency to what is there already: "
           "`counts.get(pair, 0)`."),
    solution="```python\ndef count_pairs(word_freqs, splits):\n    counts = {}\n    for word, freq in word_freqs.items():\n"
             "        for pair in zip(splits[word], splits[word][1:]):\n            counts[pair] = counts.get(pair, 0) + freq\n"
             "    return counts\n```",
)


# ------------------------------------------------------------------------------------------------------------- merging

def _merge_from_right(symbols, pair):
    return [s for s in bpe.merge_symbols(list(symbols)[::-1], tuple(pair)[::-1], "".join(pair))][::-1]


def _merge_first(symbols, pair):
    for i in range(len(symbols) - 1):
        if tuple(symbols[i:i + 2]) == tuple(pair):
            return [*symbols[:i], "".join(pair), *symbols[i + 2:]]
    return list(symbols)


def _merge_loses_last(symbols, pair):
    merged, i = [], 0
    while i < len(symbols) - 1:
        hit = (symbols[i], symbols[i + 1]) == tuple(pair)
        merged.append("".join(pair) if hit else symbols[i])
        i += 2 if hit else 1
    return merged


def _merge_uses_twice(symbols, pair):
    merged = []
    for i, symbol in enumerate(symbols):
        hit = (symbol, *symbols[i + 1:i + 2]) == tuple(pair)
        after = i and (symbols[i - 1], symbol) == tuple(pair)
        merged += ["".join(pair)] if hit else [] if after else [symbol]
    return merged


def _merge_either_order(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        hit = sorted(symbols[i:i + 2]) == sorted(pair)
        merged.append("".join(symbols[i:i + 2]) if hit else symbols[i])
        i += 2 if hit else 1
    return merged


def _merge_adds(symbols, pair):
    merged = []
    for i, symbol in enumerate(symbols):
        merged.append(symbol)
        if i and (symbols[i - 1], symbol) == tuple(pair):
            merged.append("".join(pair))
    return merged


def _merge_by_splicing(symbols, pair):
    symbols, i = list(symbols), 0
    while i < len(symbols) - 1:
        if symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            symbols[i:i + 2] = [pair[0] + pair[1]]
        i += 1
    return symbols


def _merge_by_recursion(symbols, pair):
    if len(symbols) < 2:
        return list(symbols)
    if tuple(symbols[:2]) == tuple(pair):
        return ["".join(pair), *_merge_by_recursion(symbols[2:], pair)]
    return [symbols[0], *_merge_by_recursion(symbols[1:], pair)]


def _symbol_lists():
    from hypothesis import strategies as st

    return st.tuples(st.lists(st.sampled_from(["a", "b", "ab"]), max_size=7),
                     st.tuples(st.sampled_from("ab"), st.sampled_from(["a", "b", "ab"])))


MERGE = Exercise(
    id="bpe-16", title="Write it: merge one pair", points=3, kind=Function("merge(symbols, pair)"), **CORPUS,
    question=lambda v: "Write `merge(symbols, pair)`. It returns the list of symbols in which every occurrence of the pair, "
                       "from left to right, has become one symbol; the list that came in stays as it is.\n\n```\n"
                       "merge(['h', 'u', 'g', 's'], ('u', 'g'))\n```\n\nis `['h', 'ug', 's']`. A word to try it on: "
                       f"`{list(next(iter(v['freqs'])))}`.",
    answer=lambda v: bpe.merge_symbols, also=lambda v: (_merge_by_splicing, _merge_by_recursion),
    misconceptions=(
        Misconception("from-the-right", "You merge from the right. In a run of three, which two come first?",
                      lambda v: _merge_from_right),
        Misconception("first-place-only", "You merge one place only. What about the others?", lambda v: _merge_first),
        Misconception("last-symbol-lost", "The last symbol is lost when it is not merged. What does your loop do with it?",
                      lambda v: _merge_loses_last),
        Misconception("symbol-used-twice", "In a run you use a symbol for two merges. Where should you go on after one?",
                      lambda v: _merge_uses_twice),
        Misconception("either-order", "You also merge the pair the wrong way round. Which side comes first?",
                      lambda v: _merge_either_order),
        Misconception("parts-kept", "You add the new symbol and keep its parts. What does it stand in the place of?",
                      lambda v: _merge_adds),
    ),
    cases=lambda v: [(["a", "b"], ("a", "b")), (["h", "u", "g", "s"], ("u", "g")), (["a", "a", "a"], ("a", "a"))],
    strategy=lambda v: _symbol_lists(),
    hints=("Walk through the list with a position, and look at two symbols at a time.",
           "If they are the pair, write one symbol and go on behind both; if not, write the first and go one further.",
           "Use `while`, not `for`: how far you go depends on what you find. And think of the last symbol, which has no "
           "right neighbor."),
    solution="```python\ndef merge(symbols, pair):\n    merged, i = [], 0\n    while i < len(symbols):\n"
             "        if tuple(symbols[i:i + 2]) == tuple(pair):\n            merged.append(pair[0] + pair[1])\n"
             "            i += 2\n        else:\n            merged.append(symbols[i])\n            i += 1\n    return merged\n```",
)


# ------------------------------------------------------------------------------------------------------------ encoding

def _encode(word, merges):
    return bpe.merge_in_order(list(word), [tuple(pair) for pair in merges])


def _encode_by_rank(word, merges):
    return bpe.merge_by_rank(list(word), {tuple(pair): rank for rank, pair in enumerate(merges)})


def _encode_by_loop(word, merges):
    symbols = list(word)
    for pair in merges:
        symbols = _merge_by_splicing(symbols, pair)
    return symbols


def _vocab(word, merges):
    return list(dict.fromkeys([*word, *(symbol for pair in merges for symbol in (*pair, "".join(pair)))]))


def _encode_longest(word, merges):
    return bpe.longest_first(list(word), _vocab(word, merges))


def _encode_prefix(word, merges):
    vocab, tokens = _vocab(word, merges), []
    while word:
        tokens.append(max((token for token in vocab if word.startswith(token)), key=len))
        word = word[len(tokens[-1]):]
    return tokens


def _encode_backwards(word, merges):
    return _encode(word, merges[::-1])


def _encode_each_once(word, merges):
    symbols = list(word)
    for pair in merges:
        symbols = _merge_first(symbols, pair)
    return symbols


def _encode_one_merge(word, merges):
    for pair in merges:
        if (symbols := bpe.merge_symbols(list(word), tuple(pair))) != list(word):
            return symbols
    return list(word)


def _words_with_merges():
    from hypothesis import strategies as st

    merges = _corpora("abc").map(lambda freqs: [tuple(p) for p in bpe.train(freqs, num_merges=5).merges])
    return st.tuples(st.text("abc", min_size=1, max_size=7), merges)


ENCODE_WORD = Exercise(
    id="bpe-17", title="Write it: encode a word", points=3, kind=Function("encode(word, merges)"), **CORPUS,
    question=lambda v: "Write `encode(word, merges)`. It splits a word into characters and replays the merges, a list of "
                       "pairs in the order in which they were learned.\n\n```\n"
                       "encode('unhug', [('u', 'g'), ('u', 'n'), ('h', 'ug')])\n```\n\nis `['un', 'hug']`. "
                       f"A word to try it on: `{list(v['freqs'])[-1]}`.",
    answer=lambda v: _encode, also=lambda v: (_encode_by_rank, _encode_by_loop),
    misconceptions=(
        Misconception("longest-token-first", "You cut out the longest token. Does a longer token always come before a "
                                             "shorter one in the list of merges?", lambda v: _encode_longest),
        Misconception("longest-prefix", "You take the longest token from the left. Which merge was learned first?",
                      lambda v: _encode_prefix),
        Misconception("latest-merge-first", "You begin with the merge that was learned last. In which order did training "
                                            "do them?", lambda v: _encode_backwards),
        Misconception("first-place-only", "Each merge is applied in one place only. What if its pair stands twice?",
                      lambda v: _encode_each_once),
        Misconception("one-merge-only", "You stop after the first merge that applies. Might another apply to its result?",
                      lambda v: _encode_one_merge),
    ),
    cases=lambda v: [("ab", [("a", "b")]), ("then", [("e", "n"), ("t", "h"), ("th", "e")]),
                     ("unhug", [("u", "g"), ("u", "n"), ("h", "ug")])] + [
        (word, [tuple(p) for p in bpe.train(v["freqs"], num_merges=4).merges]) for word in v["freqs"]],
    strategy=lambda v: _words_with_merges(),
    hints=("Begin with `list(word)`.", "One loop over the merges is enough, from the first to the last.",
           "For each merge, walk through the symbols and join its pair wherever it stands, as in the exercise before."),
    solution="```python\ndef encode(word, merges):\n    symbols = list(word)\n    for left, right in merges:\n        i = 0\n"
             "        while i < len(symbols) - 1:\n            if symbols[i] == left and symbols[i + 1] == right:\n"
             "                symbols[i:i + 2] = [left + right]\n            i += 1\n    return symbols\n```",
)


# ------------------------------------------------------------------------------------------------------------ decoding

MARKED = bpe.BPEModel([], [], end_of_word="</w>")


def _decode(tokens):
    return bpe.decode(tokens, MARKED)


def _decode_joined(tokens):
    parts = "".join(tokens).split("</w>")
    return parts if parts[-1] else parts[:-1]


def _decode_by_loop(tokens):
    words, start = [], True
    for token in tokens:
        if start:
            words.append("")
        words[-1] += token.replace("</w>", "")
        start = token.endswith("</w>")
    return words


def _decode_loses_rest(tokens):
    return "".join(tokens).split("</w>")[:-1]


def _decode_empty_end(tokens):
    return "".join(tokens).split("</w>")


def _decode_each(tokens):
    return [token.replace("</w>", "") for token in tokens]


def _decode_one(tokens):
    return ["".join(tokens).replace("</w>", "")] if tokens else []


def _decode_keeps_marks(tokens):
    return [word + "</w>" for word in _decode_joined(tokens)]


def _marked_tokens():
    from hypothesis import strategies as st

    return st.lists(st.sampled_from(["a", "b", "a</w>", "est</w>", "high"]), max_size=6).map(lambda tokens: (tokens,))


DECODE_WORDS = Exercise(
    id="bpe-18", title="Write it: back to words", points=2, kind=Function("decode(tokens)"), **CORPUS,
    question=lambda v: "Write `decode(tokens)`. It joins tokens into words; a token that ends with `</w>` ends a word, and the "
                       "mark is no part of it. Tokens behind the last mark are one more word: nothing may be lost.\n\n```\n"
                       "decode(['the</w>', 'high', 'est</w>', 'ran'])\n```\n\nis `['the', 'highest', 'ran']`. Tokens to try "
                       f"it on: `{[part for word in v['freqs'] for part in (word[:2], word[2:] + '</w>')]}`.",
    answer=lambda v: _decode, also=lambda v: (_decode_joined, _decode_by_loop),
    misconceptions=(
        Misconception("rest-lost", "What stands behind the last mark is lost. What becomes of a word that is not finished?",
                      lambda v: _decode_loses_rest),
        Misconception("empty-word", "There is an empty word at the end. What is behind the last mark, if nothing follows?",
                      lambda v: _decode_empty_end),
        Misconception("every-token-a-word", "You make a word of every token. Where does a word end?", lambda v: _decode_each),
        Misconception("marks-ignored", "You make one word of everything. What does the mark say?", lambda v: _decode_one),
        Misconception("marks-kept", "The mark is still in your words. Does it belong to the text?",
                      lambda v: _decode_keeps_marks),
    ),
    cases=lambda v: [(["a</w>"],), (["the</w>", "high", "est</w>", "ran"],), ([],),
                     ([piece for word in v["freqs"] for piece in (word[:1], word[1:] + "</w>")],)],
    strategy=lambda v: _marked_tokens(),
    hints=("Collect pieces until a token ends with the mark.", "`token.endswith('</w>')` and `token.removesuffix('</w>')` help.",
           "After the loop, look whether pieces are left over: they are a word too."),
    solution="```python\ndef decode(tokens):\n    words, word = [], ''\n    for token in tokens:\n        word += token\n"
             "        if word.endswith('</w>'):\n            words.append(word.removesuffix('</w>'))\n            word = ''\n"
             "    return words + [word] if word else words\n```",
)


# -------------------------------------------------------------------------------------------------------------- repair

BROKEN = '''def best_pair(pair_freqs):
    best, most = None, 0
    for pair, freq in pair_freqs.items():
        if freq >= most:
            best, most = pair, freq
    return best
'''


def _best(pair_freqs):
    return bpe.best_pair(pair_freqs)


def _best_by_max(pair_freqs):
    return max(pair_freqs, key=pair_freqs.get)


def _best_by_sorting(pair_freqs):
    return sorted(pair_freqs, key=lambda pair: -pair_freqs[pair])[0]


def _best_last(pair_freqs):
    best, most = None, 0
    for pair, freq in pair_freqs.items():
        if freq >= most:
            best, most = pair, freq
    return best


def _pair_counts():
    from hypothesis import strategies as st

    pairs = st.tuples(st.sampled_from("abc"), st.sampled_from("abc"))
    return st.dictionaries(pairs, st.integers(1, 3), min_size=1, max_size=5).map(lambda freqs: (freqs,))


REPAIR_BEST = Exercise(
    id="bpe-19", title="Repair it: the best pair", points=2, kind=Repair("best_pair(pair_freqs)", BROKEN), **CORPUS,
    question=lambda v: "This function is to return the most frequent pair and, among equals, the one that was **seen first**. "
                       f"It does not always. Mend it.\n\n```python\n{BROKEN}```\n\nPairs to try it on: those of\n\n"
                       f"{as_table(v['freqs'])}",
    answer=lambda v: _best, also=lambda v: (_best_by_max, _best_by_sorting),
    misconceptions=(
        Misconception("last-seen", "Among equals the last one still wins. When exactly is a pair better than the best so "
                                   "far?", lambda v: _best_last),
        Misconception("alphabetical", "Among equals you take the first in the alphabet. Which one was seen first?",
                      lambda v: lambda pair_freqs: min(pair_freqs, key=lambda pair: (-pair_freqs[pair], pair))),
        Misconception("alphabetical-last", "Among equals you take the last in the alphabet. Which one was seen first?",
                      lambda v: lambda pair_freqs: bpe.best_pair(pair_freqs, ties="greatest")),
        Misconception("rarest-pair", "You return the rarest pair. In which direction do you compare?",
                      lambda v: lambda pair_freqs: min(pair_freqs, key=pair_freqs.get)),
        Misconception("count-returned", "You return a count. What is asked for, the pair or how often it occurs?",
                      lambda v: lambda pair_freqs: max(pair_freqs.values())),
        Misconception("first-pair", "You return the first pair, however rare it is.",
                      lambda v: lambda pair_freqs: next(iter(pair_freqs))),
    ),
    cases=lambda v: [({("u", "g"): 20, ("h", "u"): 15},), (bpe.pair_freqs(v["freqs"], bpe.split_words(v["freqs"])),)],
    strategy=lambda v: _pair_counts(),
    hints=("Try it on two pairs that are equally frequent.", "A dictionary keeps the order in which its pairs came in.",
           "Which comparison lets a later pair win although it is not more frequent?"),
    solution="```python\ndef best_pair(pair_freqs):\n    best, most = None, 0\n    for pair, freq in pair_freqs.items():\n"
             "        if freq > most:\n            best, most = pair, freq\n    return best\n```",
)

EXERCISES = [COUNT_PAIRS, MERGE, ENCODE_WORD, DECODE_WORDS, REPAIR_BEST]
