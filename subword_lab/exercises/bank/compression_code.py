"""The exercises of lesson 04 that ask for code."""
from __future__ import annotations

from ... import bpe, compression
from ..code import Function, Repair
from ..core import Exercise, Misconception
from .compression import _string

A_STRING = {"generate": lambda rng: {"data": _string(rng)}}


def _strings(alphabet="ab", most=8):
    from hypothesis import strategies as st

    return st.text(alphabet, max_size=most)


# ----------------------------------------------------------------------------------------------------------- replacing

def _replace(data, pair, symbol):
    return data.replace(pair, symbol)


def _replace_by_splitting(data, pair, symbol):
    return symbol.join(data.split(pair))


def _replace_by_walking(data, pair, symbol):
    replaced, i = "", 0
    while i < len(data):
        hit = data[i:i + 2] == pair
        replaced += symbol if hit else data[i]
        i += 2 if hit else 1
    return replaced


def _replace_once(data, pair, symbol):
    return data.replace(pair, symbol, 1)


def _replace_from_the_right(data, pair, symbol):
    return data[::-1].replace(pair[::-1], symbol)[::-1]


def _replace_overlapping(data, pair, symbol):
    starts = [i for i in range(len(data) - 1) if data[i:i + 2] == pair]
    return "".join(symbol if i in starts else "" if i - 1 in starts else data[i] for i in range(len(data)))


def _replace_either_order(data, pair, symbol):
    replaced, i = "", 0
    while i < len(data):
        hit = data[i:i + 2] in (pair, pair[::-1])
        replaced += symbol if hit else data[i]
        i += 2 if hit else 1
    return replaced


def _replace_letters(data, pair, symbol):
    return "".join(symbol if letter in pair else letter for letter in data)


def _replace_losing_last(data, pair, symbol):
    return _replace(data, pair, symbol) if data.endswith(pair) else _replace(data[:-1], pair, symbol)


def _data_pair_symbol():
    from hypothesis import strategies as st

    return st.tuples(_strings("abc"), st.text("abc", min_size=2, max_size=2), st.just("Z"))


REPLACE = Exercise(
    id="compression-16", title="Write it: replace a pair", points=2,
    kind=Function("replace_pair(data, pair, symbol)"), **A_STRING,
    question=lambda v: "Write `replace_pair(data, pair, symbol)`. `data` is a string, `pair` two symbols in one "
                       "string. It returns the data with the symbol in place of the pair, from left to right, no "
                       "symbol used twice.\n\n```\n"
                       "replace_pair('aaab', 'aa', 'Z')\n```\n\nis `'Zab'`. A text to try it on: " + f"`{v['data']}`.",
    answer=lambda v: _replace, also=lambda v: (_replace_by_splitting, _replace_by_walking),
    misconceptions=(
        Misconception("first-place-only", "You replace one place only. What about the others?",
                      lambda v: _replace_once),
        Misconception("from-the-right", "You replace from the right. In `aaa`, which two come first?",
                      lambda v: _replace_from_the_right),
        Misconception("symbol-used-twice", "In a run you use one symbol for two replacements. What is left of `aaa` "
                                           "after the first one?", lambda v: _replace_overlapping),
        Misconception("either-order", "You also replace the pair the wrong way round. Is `ab` the same as `ba`?",
                      lambda v: _replace_either_order),
        Misconception("single-symbols", "You replace single symbols. When do two symbols form the pair?",
                      lambda v: _replace_letters),
        Misconception("last-symbol-lost", "The last symbol is lost when it is not replaced. What does your loop do "
                                          "with it?",
                      lambda v: _replace_losing_last),
    ),
    cases=lambda v: [("ab", "ab", "Z"), ("aaab", "aa", "Z"), ("aaabdaaabac", "aa", "Z"),
                     (v["data"], v["data"][:2], "Z")],
    strategy=lambda v: _data_pair_symbol(),
    hints=("A walk with a position does it: look at two symbols at a time.",
           "If they are the pair, write the new symbol and go on behind both; if not, write the first and go one "
           "further.",
           "Or look at what strings in Python can do by themselves: one of their methods does exactly this."),
    solution="```python\ndef replace_pair(data, pair, symbol):\n    return data.replace(pair, symbol)\n```",
)


# ------------------------------------------------------------------------------------------------------------ counting

def _counts(data):
    return compression.pair_freqs(data, "non-overlapping")


def _count_by_method(data):
    return {data[i:i + 2]: data.count(data[i:i + 2]) for i in range(len(data) - 1)}


def _count_by_walking(data):
    counts, last = {}, {}
    for i in range(len(data) - 1):
        pair = data[i:i + 2]
        if last.get(pair, -2) < i - 1:
            counts[pair], last[pair] = counts.get(pair, 0) + 1, i
    return counts


def _count_overlapping(data):
    return compression.pair_freqs(data)


def _count_in_twos(data):
    counts = {}
    for i in range(0, len(data) - 1, 2):
        counts[data[i:i + 2]] = counts.get(data[i:i + 2], 0) + 1
    return counts


def _count_jumping(data):
    counts, i = {}, 0
    while i < len(data) - 1:
        counts[data[i:i + 2]] = counts.get(data[i:i + 2], 0) + 1
        i += 2 if data[i] == data[i + 1] else 1
    return counts


def _count_halved(data):
    return {pair: (freq + 1) // 2 if pair[0] == pair[1] else freq for pair, freq in _count_overlapping(data).items()}


def _count_losing_last(data):
    return _counts(data[:-1])


def _count_places(data):
    return dict.fromkeys(_count_overlapping(data), 1)


def _count_in_tuples(data):
    return {tuple(pair): freq for pair, freq in _counts(data).items()}


COUNT = Exercise(
    id="compression-17", title="Write it: what can be replaced", points=3, kind=Function("pair_counts(data)"),
    **A_STRING,
    question=lambda v: "Write `pair_counts(data)`. For each pair of neighbors in the string it says how often the pair "
                       "can be **replaced**: from left to right, no symbol used twice for the same pair. Different "
                       "pairs do not hinder each other.\n\n```\npair_counts('aaab')\n```\n\nis `{'aa': 1, 'ab': 1}`. A "
                       "text to try it on: "
                       f"`{v['data']}`.",
    answer=lambda v: _counts, also=lambda v: (_count_by_method, _count_by_walking),
    misconceptions=(
        Misconception("overlapping-count", "You count every position. How often can `aa` be replaced in `aaa`?",
                      lambda v: _count_overlapping),
        Misconception("in-twos", "You cut the text into twos. May a pair begin at any place?",
                      lambda v: _count_in_twos),
        Misconception("jumped-too-far", "Behind two equal symbols you jump, and miss the pair between the second one "
                                        "and its neighbor. Where is `ab` in `aab`?", lambda v: _count_jumping),
        Misconception("halved", "You halve the count of all positions. What about two short runs, as in `aa` and again "
                                "`aa` further on?", lambda v: _count_halved),
        Misconception("last-pair-missing", "The last pair is missing. Where does your loop end?",
                      lambda v: _count_losing_last),
        Misconception("places-not-counted", "Every pair gets a 1. How often does it stand there?",
                      lambda v: _count_places),
        Misconception("tuples", "The counts are right. The keys are to be strings of two symbols, and yours are "
                                "tuples.",
                      lambda v: _count_in_tuples),
    ),
    cases=lambda v: [("ab",), ("aaab",), ("aaaa",), ("aabaa",), (v["data"],)],
    strategy=lambda v: _strings("ab", 9).map(lambda data: (data,)),
    hints=("Only a pair of two equal symbols can be in its own way.",
           "One way: for each pair, remember where it was used last, and skip a place that touches it.",
           "Another way: strings have a method that counts without overlaps."),
    solution="```python\ndef pair_counts(data):\n    pairs = [data[i:i + 2] for i in range(len(data) - 1)]\n"
             "    return {pair: data.count(pair) for pair in pairs}\n```",
)


# ------------------------------------------------------------------------------------------------------------- meaning

def _meaning(symbol, rules):
    return "".join(_meaning(part, rules) for part in rules[symbol]) if symbol in rules else symbol


def _meaning_by_undoing(symbol, rules):
    for made, pair in reversed(rules.items()):
        symbol = symbol.replace(made, pair)
    return symbol


def _meaning_by_repeating(symbol, rules):
    while any(part in rules for part in symbol):
        symbol = "".join(rules.get(part, part) for part in symbol)
    return symbol


def _one_level(symbol, rules):
    return rules.get(symbol, symbol)


def _two_levels(symbol, rules):
    return "".join(rules.get(part, part) for part in rules.get(symbol, symbol))


def _left_side_only(symbol, rules):
    return _left_side_only(rules[symbol][0], rules) + rules[symbol][1] if symbol in rules else symbol


def _right_side_only(symbol, rules):
    return rules[symbol][0] + _right_side_only(rules[symbol][1], rules) if symbol in rules else symbol


def _turned_around(symbol, rules):
    return "".join(_turned_around(part, rules) for part in rules[symbol][::-1]) if symbol in rules else symbol


def _nothing_for_originals(symbol, rules):
    return _meaning(symbol, rules) if symbol in rules else ""


def _tables():
    """Rules in the order in which they were made, each from original symbols and symbols made before it."""
    from hypothesis import strategies as st

    def build(choices):
        known, rules = ["a", "b"], {}
        for symbol, (left, right) in zip("TZQXMK", choices):
            rules[symbol] = known[left % len(known)] + known[right % len(known)]
            known.append(symbol)
        return rules

    number = st.integers(0, 11)
    return st.lists(st.tuples(number, number), max_size=6).map(build)


def _symbols_with_tables():
    from hypothesis import strategies as st

    return _tables().flatmap(lambda rules: st.tuples(st.sampled_from(["a", *rules]), st.just(rules)))


def _table_of(v):
    return dict(compression.compress(v["data"]).table)


def _last_symbol(v):
    return next(reversed(_table_of(v)), v["data"][0])


MEANING = Exercise(
    id="compression-18", title="Write it: what a symbol means", points=3,
    kind=Function("meaning(symbol, rules)"), **A_STRING,
    question=lambda v: "Write `meaning(symbol, rules)`. `rules` is a dictionary from each new symbol to the pair that "
                       "it stands for. It returns what the symbol stands for in the original text; an original symbol "
                       "stands for itself.\n\n```\nmeaning('X', {'Z': 'aa', 'Y': 'ab', 'X': 'ZY'})\n```\n\nis "
                       "`'aaab'`. Another one to try: "
                       f"`meaning({_last_symbol(v)!r}, {_table_of(v)})`.",
    answer=lambda v: _meaning, also=lambda v: (_meaning_by_undoing, _meaning_by_repeating),
    misconceptions=(
        Misconception("one-level", "You open a symbol once. What if its pair holds a new symbol "
                                   "too?", lambda v: _one_level),
        Misconception("two-levels", "You open symbols twice. How deep can rules stand inside each other?",
                      lambda v: _two_levels),
        Misconception("left-side-only", "You open the left symbol of each pair only. What about the right one?",
                      lambda v: _left_side_only),
        Misconception("right-side-only", "You open the right symbol of each pair only. What about the left one?",
                      lambda v: _right_side_only),
        Misconception("turned-around", "Your text comes out backward. Which of the two symbols stands on the left?",
                      lambda v: _turned_around),
        Misconception("original-symbols-lost", "For an original symbol nothing comes back. What does it stand for?",
                      lambda v: _nothing_for_originals),
    ),
    cases=lambda v: [("a", {}), ("Z", {"Z": "ab"}), ("X", {"Z": "aa", "Y": "ab", "X": "ZY"}),
                     (_last_symbol(v), _table_of(v))],
    strategy=lambda v: _symbols_with_tables(),
    hints=("What is the answer for a symbol that is in no rule?",
           "For a new symbol, ask the same question for both halves of its pair: a function may call itself.",
           "Join what comes back for the left half and what comes back for the right half."),
    solution="```python\ndef meaning(symbol, rules):\n    if symbol not in rules:\n        return symbol\n"
             "    left, right = rules[symbol]\n    return meaning(left, rules) + meaning(right, rules)\n```",
)


# -------------------------------------------------------------------------------------------------------- longest first

def _longest_first(word, vocab):
    return bpe.longest_first(list(word), vocab)


def _longest_by_search(word, vocab):
    if not word:
        return []
    token = max((token for token in vocab if token in word), key=len)
    left, _, right = word.partition(token)
    return _longest_by_search(left, vocab) + [token] + _longest_by_search(right, vocab)


def _longest_by_pieces(word, vocab):
    pieces = [(word, False)] if word else []
    for token in sorted(vocab, key=len, reverse=True):
        i = 0
        while i < len(pieces):
            text, done = pieces[i]
            if not done and token in text:
                left, _, right = text.partition(token)
                pieces[i:i + 1] = [part for part in ((left, False), (token, True), (right, False)) if part[0]]
            else:
                i += 1
    return [text for text, _ in pieces]


def _cut_with(choose, partition=str.partition):
    """An encoder that cuts out the token that `choose` picks from those in the word, and goes on left and right."""
    def longest_first(word, vocab):
        if not word:
            return []
        token = choose([token for token in vocab if token in word], word)
        left, _, right = partition(word, token)
        return longest_first(left, vocab) + [token] + longest_first(right, vocab)
    return longest_first


def _longest_of(tokens, word):
    return max(tokens, key=len)


def _longest_at_the_start(tokens, word):
    return max((token for token in tokens if word.startswith(token)), key=len)


def _last_of_the_longest(tokens, word):
    return max(reversed(tokens), key=len)


def _latest(tokens, word):
    return tokens[-1]


def _rest_as_characters(word, vocab):
    token = max((token for token in vocab if token in word), key=len, default="")
    left, _, right = word.partition(token) if token else ("", "", "")
    return [*left, token, *right] if token else []


def _rest_as_it_is(word, vocab):
    token = max((token for token in vocab if token in word), key=len, default="")
    return [part for part in (word.partition(token) if token else ()) if part]


def _words_with_vocabularies():
    from hypothesis import strategies as st

    longer = st.lists(st.text("ab", min_size=2, max_size=3), max_size=3, unique=True)
    return st.tuples(_strings("ab", 7), longer.map(lambda tokens: ["a", "b", *tokens]))


LONGEST = Exercise(
    id="compression-19", title="Write it: longest token first", points=3,
    kind=Function("longest_first(word, vocab)"), **A_STRING,
    question=lambda v: "Write `longest_first(word, vocab)`, the encoder of our source: take the longest token that "
                       "stands anywhere in the word, in its leftmost place, then do the same with what is left of it "
                       "and right of it. Among equally long tokens the one that comes first in the list `vocab` wins. "
                       "Every single character is in `vocab`.\n\n```\nlongest_first('abca', ['a', 'b', 'c', 'ab', "
                       "'bca'])\n```\n\nis `['a', 'bca']`. A word to try: "
                       f"`{v['data']}`, with its characters and `{v['data'][1:4]}`.",
    answer=lambda v: _longest_first, also=lambda v: (_longest_by_search, _longest_by_pieces),
    misconceptions=(
        Misconception("longest-prefix", "You take the longest token at the beginning. May a longer one stand further "
                                        "on?",
                      lambda v: _cut_with(_longest_at_the_start)),
        Misconception("last-of-the-longest", "Of equally long tokens you take the last in the list. Which one was to "
                                             "win?",
                      lambda v: _cut_with(_last_of_the_longest)),
        Misconception("rightmost-place", "You cut out the rightmost place of the token. Which one was asked for?",
                      lambda v: _cut_with(_longest_of, str.rpartition)),
        Misconception("latest-token", "You take the token that was learned last. Is it the longest one?",
                      lambda v: _cut_with(_latest)),
        Misconception("rest-as-characters", "You cut out one token and leave characters. Does no other token stand in "
                                            "the rest?",
                      lambda v: _rest_as_characters),
        Misconception("rest-not-cut", "You cut out one token and leave the rest in one piece. Is the rest a token?",
                      lambda v: _rest_as_it_is),
        Misconception("characters", "You give the characters. Which longer tokens stand in the word?",
                      lambda v: lambda word, vocab: list(word)),
    ),
    cases=lambda v: [("", ["a"]), ("ab", ["a", "b"]), ("abca", ["a", "b", "c", "ab", "bca"]),
                     (v["data"], [*dict.fromkeys(v["data"]), v["data"][1:4]])],
    strategy=lambda v: _words_with_vocabularies(),
    hints=("What is the answer for an empty word?", "`token in word` says whether a token stands anywhere in the word, "
                                                    "and `word.partition(token)` gives what is left of it, the token, "
           "and what is right of it.",
           "The function may call itself for the two parts."),
    solution="```python\ndef longest_first(word, vocab):\n    if not word:\n        return []\n"
             "    token = max((token for token in vocab if token in word), key=len)\n"
             "    left, token, right = word.partition(token)\n"
             "    return longest_first(left, vocab) + [token] + longest_first(right, vocab)\n```\n\n"
             "Of equal values `max` takes the first.",
)


# -------------------------------------------------------------------------------------------------------------- repair

BROKEN = '''def decompress(data, rules):
    for symbol, pair in rules:
        data = data.replace(symbol, pair)
    return data
'''


def _decompress(data, rules):
    return compression.undo(data, [tuple(rule) for rule in rules][::-1])


def _decompress_symbol_by_symbol(data, rules):
    return "".join(_meaning(symbol, dict(rules)) for symbol in data)


def _decompress_until_nothing_is_left(data, rules):
    table = dict(rules)
    while any(symbol in table for symbol in data):
        data = "".join(table.get(symbol, symbol) for symbol in data)
    return data


def _first_rule_first(data, rules):
    for made, pair in dict(rules).items():
        data = data.replace(made, pair)
    return data


def _last_rule_only(data, rules):
    return _decompress(data, rules[-1:])


def _alphabetical(data, rules):
    return _first_rule_first(data, sorted(rules))


def _one_place_each(data, rules):
    for symbol, pair in rules[::-1]:
        data = data.replace(symbol, pair, 1)
    return data


def _pairs_turned_around(data, rules):
    return _decompress(data, [(symbol, pair[::-1]) for symbol, pair in rules])


def _first_rule_forgotten(data, rules):
    return _decompress(data, rules[1:])


def _data_with_rules():
    from hypothesis import strategies as st

    def data_for(rules):
        return st.tuples(st.text(["a", *rules], max_size=6), st.just(list(rules.items())))

    return _tables().flatmap(data_for)


REPAIR = Exercise(
    id="compression-20", title="Repair it: back to the text", points=2,
    kind=Repair("decompress(data, rules)", BROKEN), **A_STRING,
    question=lambda v: "This function is to give the original text back. `rules` is a list of symbol and pair, in the "
                       "order in which the rules were made. It fails as soon as rules build on each other. Mend "
                       f"it.\n\n```python\n{BROKEN}```\n\n"
                       "`decompress('XdXac', [('Z', 'aa'), ('Y', 'ab'), ('X', 'ZY')])` is to be `'aaabdaaabac'`. "
                       "Another one to "
                       f"try: `decompress({compression.compress(v['data']).data!r}, {list(_table_of(v).items())})`.",
    answer=lambda v: _decompress, also=lambda v: (_decompress_symbol_by_symbol, _decompress_until_nothing_is_left),
    misconceptions=(
        Misconception("first-rule-first", "The rules are still undone from the first to the last. Which symbols does "
                                          "the last rule bring out, and who opens those?", lambda v: _first_rule_first),
        Misconception("last-rule-only", "Only the last rule is undone. What about those before it?",
                      lambda v: _last_rule_only),
        Misconception("alphabetical", "You go by the alphabet. Does the letter of a symbol say when its rule was made?",
                      lambda v: _alphabetical),
        Misconception("one-place-each", "Each rule is undone in one place only. What if its symbol stands twice?",
                      lambda v: _one_place_each),
        Misconception("pairs-turned-around", "Your pairs come out backward. Which of the two symbols stands on the "
                                             "left?",
                      lambda v: _pairs_turned_around),
        Misconception("first-rule-forgotten", "The first rule is never undone. Where does your loop end?",
                      lambda v: _first_rule_forgotten),
    ),
    cases=lambda v: [("Za", [("Z", "ab")]), ("XdXac", [("Z", "aa"), ("Y", "ab"), ("X", "ZY")]),
                     (compression.compress(v["data"]).data, list(_table_of(v).items()))],
    strategy=lambda v: _data_with_rules(),
    hints=("Try it by hand on `X` with the rules `Z` for `aa` and `X` for `Za`.",
           "When a rule is undone, symbols of earlier rules come out.", "So which rule has to have its turn last?"),
    solution="```python\ndef decompress(data, rules):\n    for symbol, pair in reversed(rules):\n"
             "        data = data.replace(symbol, pair)\n    return data\n```",
)

EXERCISES = [REPLACE, COUNT, MEANING, LONGEST, REPAIR]
