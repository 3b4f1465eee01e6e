"""The exercises of lesson 04: byte-pair compression, and what words made of it."""
from __future__ import annotations

from collections import Counter

from ... import bpe, compression
from ...studies import merging
from ...compression import compress, compress_steps, pair_freqs, undo
from ..core import Exercise, Misconception
from ..kinds import Choice, Merges, Number, Ordering, Prediction, Segmentation, Text, Tokens
from .corpora import as_merges, as_table, as_tokens, word_freqs

LATIN = ("bcdfghklmnprst",)                     # without vowels, so that no pair of letters is an English word
ALPHABETS = LATIN * 3 + ("абвдеклмнорст", "人口山木水火日月", "ကခတနမသ")       # where no letters have to be typed
MOTIFS = ("aaab", "aab", "abab", "abba", "aabb", "abc", "aaa", "abcb")
MARK = "</w>"
WORDS_TOLD = f"`{MARK}` closes every word, as one symbol of its own."


# ----------------------------------------------------------------------------------------------------- random strings

def _string(rng, low=9, high=14, alphabets=LATIN):
    """A string that repeats itself: a motif, again and again, with single letters between."""
    while True:
        letters = rng.sample(rng.choice(alphabets), 4)
        motif = rng.choice(MOTIFS)
        parts = [motif if rng.below(3) else rng.choice("abcd") for _ in range(rng.between(3, 6))]
        string = "".join(letters["abcd".index(letter)] for letter in "".join(parts))
        if low <= len(string) <= high and len(set(string)) > 2 and not any(letter * 5 in string for letter in letters):
            return string


def _differ(*values) -> bool:
    """Whether there is a value for everything, and no two are alike."""
    return None not in values and all(a != b for i, a in enumerate(values) for b in values[:i])


def _rules_as_table(rules) -> str:
    rows = [f"| `{symbol}` | `{pair}` |" for symbol, pair in rules]
    return "\n".join(["| symbol | stands for |", "|---|---|", *rows])


def _how_far(value, right, v) -> str:
    """Where a string of symbols goes wrong."""
    same = next((i for i, (a, b) in enumerate(zip(value, right)) if a != b), min(len(value), len(right)))
    return f"{same} symbol{'s are' if same != 1 else ' is'} right, counted from the left; {len(right)} were to come."


# ------------------------------------------------------------------------------------------------- which pair is next

def _next_variant(rng):
    while True:
        letters = rng.sample(rng.choice(LATIN), 4) + ["Z"]
        string = "".join(letters[rng.choice((0, 0, 0, 1, 1, 2, 3, 4))] for _ in range(rng.between(11, 15)))
        step = next(compress_steps(string), None)
        if step and not step.tied:
            v = {"data": string, "pair": step.pair}
            if _differ(step.pair, _with_commonest_symbol(v), string[:2], _rare(v)):
                return v


def _with_commonest_symbol(v):
    """The commonest symbol, and what stands behind it most often."""
    symbol = Counter(v["data"]).most_common(1)[0][0]
    behind = [pair for pair in pair_freqs(v["data"]) if pair[0] == symbol]
    return max(behind, key=pair_freqs(v["data"]).get) if behind else None


def _rare(v):
    return next((pair for pair, freq in list(pair_freqs(v["data"]).items())[1:] if freq == 1), None)


NEXT = Exercise(
    id="compression-01", title="The next replacement", kind=Text(form="two symbols, such as ab",
                                                                 example='"ab"', case=True),
    generate=_next_variant,
    question=lambda v: f"Count every position. Which pair of neighbors is replaced next in `{v['data']}`?",
    answer=lambda v: v["pair"],
    misconceptions=(
        Misconception("commonest-symbol-first",
                      "You began with the most frequent symbol. What counts is the pair: `q` may be everywhere and "
                      "never have the same neighbor twice.",
                      _with_commonest_symbol),
        Misconception("first-pair",
                      "You took the pair at the beginning. Where a pair stands matters only among equals; first comes "
                      "how often it stands there.",
                      lambda v: v["data"][:2]),
        Misconception("rarest-pair", "That pair does not even repeat. Replace what comes again and again.",
                      _rare),
    ),
    evidence=lambda value, right, v: f"How often each stands there: `{value}` {pair_freqs(v['data']).get(value, 0)}, "
                                     "the most "
                                     f"frequent pair {pair_freqs(v['data'])[right]}.",
    hints=("Move a window of two symbols from left to right, one place at a time, and keep a tally.",
           "In a run such as `qqq` the pair `qq` stands at two places, and both count here.",
           lambda v: f"The pair you want stands at {pair_freqs(v['data'])[v['pair']]} places."),
    solution=lambda v: "The tally: " + ", ".join(
        f"`{pair}` {freq}" for pair, freq in sorted(pair_freqs(v["data"]).items(), key=lambda item: -item[1])) + ".",
)


# ---------------------------------------------------------------------------------------------------- run, then read

def _run_variant(rng):
    while True:
        v = {"data": _string(rng, 8, 13)}
        steps = list(compress_steps(v["data"], num_rules=2))
        if len(steps) == 2 and not any(step.tied for step in steps) and _differ(
                steps[0].data, steps[1].data, _never_recounted(v), _from_the_right(v), _same_symbol_twice(v)):
            return v


def _pairs_of(v):
    return [step.pair for step in compress_steps(v["data"], num_rules=2)]


def _never_recounted(v):
    freqs = pair_freqs(v["data"])
    data = v["data"]
    for symbol, pair in zip("ZY", sorted(freqs, key=lambda pair: -freqs[pair])):
        data = data.replace(pair, symbol)
    return data


def _from_the_right(v):
    data = v["data"][::-1]
    for symbol, pair in zip("ZY", _pairs_of(v)):
        data = data.replace(pair[::-1], symbol)
    return data[::-1]


def _same_symbol_twice(v):
    data = v["data"]
    for pair in _pairs_of(v):
        data = data.replace(pair, "Z")
    return data


RUN = Exercise(
    id="compression-02", title="Before you run it",
    kind=Prediction(of=Text(form="a string", example='"ZYdZYac"', case=True)),
    generate=_run_variant,
    question=lambda v: "What will this show? Say it first, then run it. New symbols are `Z`, then `Y`.\n\n```\n"
                       f"compression.compress({v['data']!r}, num_rules=2).data\n```",
    answer=lambda v: compress(v["data"], num_rules=2).data, evidence=_how_far,
    misconceptions=(
        Misconception("one-rule-only", "That is the string after one rule. The count starts again, and a second rule "
                                       "follows.",
                      lambda v: compress(v["data"], num_rules=1).data),
        Misconception("never-recounted",
                      "You took the two leading pairs of the first count. After the first rule the string is another "
                      "one: count it again.",
                      _never_recounted),
        Misconception("from-the-right",
                      "You replaced from the right end. It goes from left to right: `qqq` becomes `Zq`, and not `qZ`.",
                      _from_the_right),
        Misconception("same-symbol-twice",
                      "You wrote `Z` for two different pairs. Then nobody can tell which of them a `Z` stands for.",
                      _same_symbol_twice),
    ),
    hints=("Which pair stands at the most places? Put `Z` there, from left to right.",
           "Now count the new string: `Z` forms pairs like any other symbol.",
           lambda v: f"The result has {len(compress(v['data'], num_rules=2).data)} symbols."),
    solution=lambda v: "\n".join(f"{step.number}. `{step.pair}` becomes `{step.symbol}`: `{step.data}`"
                                 for step in compress_steps(v["data"], num_rules=2)),
)


# ---------------------------------------------------------------------------------------------------------- the table

def _table_variant(rng):
    while True:
        string = _string(rng, 10, 16)
        string = string.replace(string[0], "Z")                                  # a capital that is taken already
        steps = list(compress_steps(string))
        recursive = steps and any(symbol in steps[-1].table for symbol in steps[-1].pair)
        if 2 <= len(steps) <= 3 and recursive and not any(step.tied for step in steps):
            return {"data": string}


def _rules(v, **options):
    return list(compress(v["data"], **options).table.items())


def _written(rules):
    return [f"{symbol}={pair}" for symbol, pair in rules]


def _all_in_original_symbols(v):
    table = compress(v["data"]).table
    return [f"{symbol}={table.meaning(symbol)}" for symbol in table]


def _from_z_on(v):
    """The same pairs, under symbols from Z on, although Z is taken."""
    new = dict(zip(compress(v["data"]).table, "ZYX"))
    return [new[symbol] + "=" + "".join(new.get(part, part) for part in pair) for symbol, pair in _rules(v)]


TABLE = Exercise(
    id="compression-03", title="Write the table", points=2, generate=_table_variant,
    kind=Tokens(form="rules in the order in which they are made, such as Z=aa Y=Zb", example='["Z=aa", "Y=Zb"]'),
    question=lambda v: f"Compress `{v['data']}` until no pair repeats. New symbols are the capitals that the string "
                       "does not use, from `Z` backward. Write down the rules, each with the two symbols that it "
                       "replaces.",
    answer=lambda v: _written(_rules(v)),
    evidence=lambda value, right, v: Tokens().evidence(value, right).replace("token", "rule"),
    misconceptions=(
        Misconception("meaning-not-pair",
                      "You wrote what each symbol means in the end. A rule holds the two symbols that it replaced, and "
                      "those may be new ones: so every rule is equally short.",
                      _all_in_original_symbols),
        Misconception("no-recursion",
                      "You stopped when the pairs of original symbols were used up. New symbols form pairs too.",
                      lambda v: _written(_rules(v, recursive=False))),
        Misconception("last-rule-first",
                      "That is the order of going back. Write the rules as they were made.",
                      lambda v: _written(_rules(v)[::-1])),
        Misconception("used-symbol-taken",
                      "The text holds a `Z` already. With a second kind of `Z` in it nobody could tell them apart on "
                      "the way back.",
                      _from_z_on),
    ),
    hints=("Which capitals stand in the string already? They are taken.",
           "After each rule write the new string down, and count again.",
           lambda v: f"There are {len(_rules(v))} rules, and the last one holds a symbol that another rule made."),
    solution=lambda v: "\n".join(f"{step.number}. `{step.symbol}={step.pair}` leaves `{step.data}`"
                                 for step in compress_steps(v["data"])),
)


# ------------------------------------------------------------------------------------------------------ and back again

def _back_variant(rng):
    while True:
        compressed = compress(_string(rng, 10, 16), num_rules=3)
        v = {"data": compressed.data, "rules": list(compressed.table.items())}
        if _differ(v["data"], _undone(v, 1), _undone(v), undo(v["data"], v["rules"]), _backward_pairs(v)):
            return v


def _undone(v, number=None):
    """The text after so many rules have been undone, the last one first; by default all."""
    return undo(v["data"], v["rules"][::-1][:number])


def _backward_pairs(v):
    return undo(v["data"], [(symbol, pair[::-1]) for symbol, pair in v["rules"][::-1]])


BACK = Exercise(
    id="compression-04", title="Back to the text", kind=Text(form="a string", example='"aaabdaaabac"', case=True),
    generate=_back_variant,
    question=lambda v: f"Somebody sent you `{v['data']}` and this table, its rules in the order in which they were "
                       "made:\n\n"
                       f"{_rules_as_table(v['rules'])}\n\nWhat was the text?",
    answer=_undone, evidence=_how_far,
    misconceptions=(
        Misconception("first-rule-first",
                      "You went through the table once, from its first rule to its last. With `Z=aa` and then `Y=Zb`, "
                      "`Z` has had its turn when `Y` brings it back, and it stays.",
                      lambda v: undo(v["data"], v["rules"])),
        Misconception("one-rule-undone", "You opened the symbols of the last rule and stopped. There are more rules.",
                      lambda v: _undone(v, 1)),
        Misconception("pairs-turned-around",
                      "You wrote the two symbols of each pair in the wrong order. `Z=ab` opens into `ab`, not into "
                      "`ba`.",
                      _backward_pairs),
    ),
    hints=("Which symbols of the string are not original ones? The table tells.",
           "Undo the rule first that was made last.",
           lambda v: f"The text has {len(_undone(v))} symbols."),
    solution=lambda v: "The last rule first: " + " → ".join(
        f"`{_undone(v, number)}`" for number in range(len(v["rules"]) + 1)) + ".",
)


def _lost_order_variant(rng):
    """Four rules under symbols in no order, of which each later one may use the earlier ones."""
    letters, symbols = rng.sample(rng.choice(LATIN + ALPHABETS[4:5]), 3), rng.sample("KLMNPQRSTVWXYZ", 4)
    rules, parts = [], list(letters)
    for number, symbol in enumerate(symbols):
        left = rng.choice(parts) if not number else rules[-1][0] if rng.below(4) else rng.choice(parts)
        rules.append((symbol, "".join(rng.shuffle([left, rng.choice(letters)]))))
        parts.append(symbol)
    data = "".join(rng.choice(symbols[2:] + letters) for _ in range(4)) + symbols[3]
    return {"data": data, "rules": rules, "shown": rng.shuffle(_written(rules))}


def _rules_back(value):
    return [tuple(rule.split("=")) for rule in value]


def _clean(value, v):
    """Whether undoing the rules in this order leaves none of their symbols."""
    return not set(undo(v["data"], _rules_back(value))) & {symbol for symbol, _ in v["rules"]}


def _as_they_stand(v):
    """The rules in the order in which their symbols are met in the data, the others behind them."""
    return sorted(v["shown"], key=lambda rule: (v["data"] + rule[0]).index(rule[0]))


ORDER = Exercise(
    id="compression-05", title="The order got lost", kind=Ordering(), generate=_lost_order_variant,
    question=lambda v: f"The text `{v['data']}` came with the rules below, and nobody knows any more in which order "
                       "they were made. In which order do you undo them, going through them once?",
    answer=lambda v: _written(v["rules"][::-1]), listed=lambda v: v["shown"], accept=_clean,
    misconceptions=(
        Misconception("first-made-first",
                      "That is the order in which they were made. A symbol that is opened late may bring back one "
                      "whose rule has had its turn.",
                      lambda v: _written(v["rules"])),
        Misconception("alphabetical", "You went by the alphabet. The letter of a symbol says nothing about its rule.",
                      lambda v: sorted(v["shown"])),
        Misconception("as-they-stand",
                      "You went by the text, from left to right. Some symbols are not in the text at all yet: they "
                      "come out of others.",
                      _as_they_stand),
    ),
    evidence=lambda value, right, v: "Try it: after your last rule the text would be "
                                     f"`{undo(v['data'], _rules_back(value))}`.",
    hints=("Which symbols stand inside the pairs of other rules?",
           "If the pair of one rule holds the symbol of another, the first of the two has to be undone before the "
           "second.",
           "Begin with a rule whose symbol stands in no pair."),
    solution=lambda v: "One by one: " + " → ".join(
        f"`{_undone(v, number)}`" for number in range(len(v["rules"]) + 1))
        + ". Any order is right that undoes a rule before those whose symbols it brings out.",
)


# ------------------------------------------------------------------------------------------------------ counting, size

def _overlap_variant(rng):
    letter, other, third = rng.sample(rng.choice(ALPHABETS), 3)
    runs = [letter * rng.between(2, 6) for _ in range(rng.between(2, 3))]
    return {"data": "".join(run + rng.choice([other, third]) for run in runs) + letter, "letter": letter}


def _runs(v):
    return [run for run in "".join(c if c == v["letter"] else " " for c in v["data"]).split() if len(run) > 1]


OVERLAP = Exercise(
    id="compression-06", title="Count, and replace", kind=Number(), generate=_overlap_variant,
    question=lambda v: f"A rule puts `Z` in the place of `{v['letter'] * 2}`, from left to right. How many `Z` does "
                       "it write "
                       f"into `{v['data']}`?",
    answer=lambda v: v["data"].count(v["letter"] * 2),
    misconceptions=(
        Misconception("overlapping-count",
                      "You counted every position. In `qqq` the pair `qq` stands at two positions, but once it is "
                      "replaced, one `q` is left: that is one replacement.",
                      lambda v: pair_freqs(v["data"])[v["letter"] * 2]),
        Misconception("half-of-all", "You halved the number of letters. A letter that is left over at the end of a run "
                                     "finds no partner in the next run.",
                      lambda v: v["data"].count(v["letter"]) // 2),
        Misconception("one-per-run", "You counted the runs. A run of four letters holds two pairs.",
                      lambda v: len(_runs(v))),
    ),
    hints=("Take one run of equal letters at a time.", "In a run, cross out two letters at a time, from the left.",
           lambda v: f"There are {len(_runs(v))} runs that hold at least one pair."),
    solution=lambda v: f"After the rule the text is `{v['data'].replace(v['letter'] * 2, 'Z')}`.",
)


def _size_variant(rng):
    while True:
        string = _string(rng, 10, 18, ALPHABETS)
        compressed = compress(string)
        if len(compressed.table) > 1:
            return {"before": string, "data": compressed.data, "rules": list(compressed.table.items())}


SIZE = Exercise(
    id="compression-07", title="What has to be sent", kind=Number(), generate=_size_variant,
    question=lambda v: f"`{v['before']}` has become `{v['data']}`, with this "
                       f"table:\n\n{_rules_as_table(v['rules'])}\n\n"
                       "A rule is sent as its symbol and the two that it stands for. How many symbols have to be sent "
                       "in all?",
    answer=lambda v: len(v["data"]) + compression.RULE_SIZE * len(v["rules"]),
    misconceptions=(
        Misconception("table-forgotten", "You counted the data alone. Whoever gets it cannot read it without the "
                                         "table.",
                      lambda v: len(v["data"])),
        Misconception("two-a-rule", "You counted the pairs of the table and left out the symbols that they belong to.",
                      lambda v: len(v["data"]) + 2 * len(v["rules"])),
        Misconception("table-and-original",
                      "You added the table to the text as it was before. What is sent is the text as it is now.",
                      lambda v: len(v["before"]) + compression.RULE_SIZE * len(v["rules"])),
    ),
    hints=("Two things have to be sent: what are they?", "How many symbols is one line of the table?",
           lambda v: f"The table has {len(v['rules'])} lines."),
    solution=lambda v: f"{len(v['data'])} symbols of data, and {len(v['rules'])} rules of three symbols each. The "
                       "text itself "
                       f"had {len(v['before'])}.",
)


def _pays_variant(rng):
    """A text with one pair that is replaced four times or more, and three that look like it."""
    a, b, c, d, e, f = rng.sample(rng.choice(ALPHABETS[:-1]), 6)
    good, even, run = a + b, c + d, e * 2
    parts = [good] * rng.between(4, 5) + [even] * 3 + [e * rng.between(6, 7)] + [f] * rng.between(4, 5)
    return {"data": "".join(rng.shuffle(parts)), "good": good, "even": even, "run": run, "frequent": (f, a)}


def _spread(v):
    """A pair whose symbols are frequent, and which itself is not."""
    freqs = pair_freqs(v["data"])
    pairs = [pair for pair in freqs if freqs[pair] == 1 and v["frequent"][0] in pair and pair[0] != pair[1]]
    return pairs[0] if pairs else None


def _pays_ok(rng):
    while True:
        v = _pays_variant(rng)
        freqs = pair_freqs(v["data"], "non-overlapping")
        if (freqs[v["good"]] >= 4 and freqs[v["even"]] == freqs[v["run"]] == 3 and _spread(v)
                and pair_freqs(v["data"])[v["run"]] >= 4):
            return v


PAYS = Exercise(
    id="compression-08", title="Which rule pays?", kind=Choice(), generate=_pays_ok,
    question=lambda v: "A rule costs three symbols in the table. For which pair does one rule make text and table "
                       "together "
                       f"*shorter*?\n\n`{v['data']}`",
    answer=lambda v: v["good"],
    misconceptions=(
        Misconception("breaks-even",
                      lambda v: f"`{v['even']}` is replaced three times, which saves three symbols; its rule costs "
                                "three.",
                      lambda v: v["even"]),
        Misconception("overlapping-count",
                      lambda v: f"`{v['run']}` stands at {pair_freqs(v['data'])[v['run']]} positions, but they "
                                "overlap: only three can be replaced, and the rule costs three.",
                      lambda v: v["run"]),
        Misconception("frequent-symbols",
                      lambda v: f"The symbols of `{_spread(v)}` are frequent, but they stand next to each other only "
                                "once.",
                      _spread),
    ),
    hints=("How much does one replacement save?", "How often must a pair be replaced until its rule is paid for?",
           "Cross the replacements out, from left to right: no symbol twice."),
    solution=lambda v: f"`{v['good']}` is replaced {v['data'].count(v['good'])} times and saves as many symbols, for "
                       "three in the table.",
)


# --------------------------------------------------------------------------------------------------------------- ties

RULES = {"literal-first": "a pair of original symbols, before any with a new one",
         "first-seen": "the pair that is met first in the text",
         "greatest": "the pair that comes last in the alphabet"}


def _tie_variant(rng):
    while True:
        string = _string(rng, 8, 14, ALPHABETS[:4])
        tables = {rule: _rules({"data": string}, ties=rule, num_rules=2) for rule in RULES}
        if string[:1] < "Z" or len({tuple(rules) for rules in tables.values()}) < 3:
            continue                     # capitals stand before all other letters, so that "greatest" is a clear rule
        return {"data": string, "rule": rng.choice(list(RULES))}


def _others(v):
    return [rule for rule in RULES if rule != v["rule"]]


def _other_rule(which):
    def message(v):
        rule = _others(v)[which]
        table = ", ".join(f"`{rule}`" for rule in _written(_rules(v, ties=rule, num_rules=2)))
        return f"With that habit the first two rules would have been {table}."
    return Misconception(f"other-rule-{which + 1}", message, lambda v: RULES[_others(v)[which]])


TIE_RULE = Exercise(
    id="compression-09", title="Which tie rule?", kind=Choice(), generate=_tie_variant,
    question=lambda v: f"Somebody compressed `{v['data']}`, counting every position. Capitals stand before all other "
                       "letters in the alphabet. The first two rules were\n\n"
                       + _rules_as_table(_rules(v, ties=v["rule"], num_rules=2))
                       + "\n\nWhich of the most frequent pairs did they prefer?",
    answer=lambda v: RULES[v["rule"]],
    misconceptions=(
        _other_rule(0), _other_rule(1),
        Misconception("no-tie", "Count again: at least once several pairs shared the first place.",
                      lambda v: "there was no tie, so no rule was needed"),
    ),
    hints=("Count the pairs before each of the two rules: is there a tie?",
           "Write the pairs in first place in the order in which the text shows them, and then in alphabetical order.",
           "Does the pair that was taken hold a symbol that was made before?"),
    solution=lambda v: "\n".join(
        f"{step.number}. `{step.pair}` was taken" + (f", tied with {as_tokens(step.tied)}" if step.tied else "")
        for step in compress_steps(v["data"], ties=v["rule"], num_rules=2)),
)


# ---------------------------------------------------------------------------------------------------------- on to words

def _word_steps(v, number):
    return list(bpe.train_steps(v["freqs"], num_merges=number, end_of_word=MARK))


def _first_merge_variant(rng):
    while True:
        freqs = word_freqs(rng)
        step = next(bpe.train_steps(freqs, num_merges=1, end_of_word=MARK))
        v = {"freqs": freqs, "pair": step.pair, "part": rng.choice([part for part in step.pair if part != MARK])}
        if not step.tied and step.pair[0] != step.pair[1] and _left_over(v):
            return v


def _tokens_before(v):
    return bpe.token_freqs(v["freqs"], bpe.split_words(v["freqs"], MARK))


def _left_over(v, freqs=None):
    step = _word_steps(v, 1)[0]
    return bpe.token_freqs(freqs or v["freqs"], step.splits, keep=[v["part"]])[v["part"]]


LEFT_OVER = Exercise(
    id="compression-10", title="What is left of a symbol", kind=Number(), generate=_first_merge_variant,
    question=lambda v: f"{WORDS_TOLD} BPE merges {as_tokens(v['pair'])} in this "
                       f"corpus:\n\n{as_table(v['freqs'])}\n\nHow often does `{v['part']}` still occur by itself?",
    answer=_left_over,
    misconceptions=(
        Misconception("parts-disappear",
                      lambda v: f"You let `{v['part']}` disappear. It stays wherever it does not stand next to "
                                f"`{(set(v['pair']) - {v['part']}).pop()}`.",
                      lambda v: 0),
        Misconception("count-unchanged",
                      lambda v: f"That is how often `{v['part']}` occurred before. Each merge uses one up.",
                      lambda v: _tokens_before(v)[v["part"]]),
        Misconception("types-not-occurrences",
                      "You counted each word once. A word that occurs ten times brings its symbols ten times.",
                      lambda v: _left_over(v, dict.fromkeys(v["freqs"], 1))),
        Misconception("count-of-the-new-token",
                      "That is how often the new token occurs. The question is what remains of one of its parts.",
                      lambda v: _word_steps(v, 1)[0].count),
    ),
    hints=(lambda v: f"Which words hold `{v['part']}`, and how often does it occur in all?",
           "How often is the pair merged? Each time one is used up.",
           lambda v: f"Before the merge it occurs {_tokens_before(v)[v['part']]} times."),
    solution=lambda v: f"{_tokens_before(v)[v['part']]} before, and the pair is merged {_word_steps(v, 1)[0].count} "
                       "times. "
                       f"What is left stands in " + (as_tokens(
                           word for word, split in _word_steps(v, 1)[0].splits.items() if v["part"] in split)
                           or "no word")
                       + ".",
)


def _counts(v):
    return merging.token_counts(v["freqs"], bpe.BPEModel([], v["merges"], end_of_word=MARK))


def _merged_variant(rng):
    while True:
        freqs = word_freqs(rng)
        merges = bpe.train(freqs, num_merges=rng.between(3, 6), end_of_word=MARK).merges
        if len(merges) > 2:
            return {"freqs": freqs, "merges": merges}


VOCABULARY = Exercise(
    id="compression-11", title="How many tokens does it know?", kind=Number(), generate=_merged_variant,
    question=lambda v: f"{WORDS_TOLD} BPE made these merges:\n\n{as_merges(v['merges'])}\n\nin this corpus:\n\n"
                       f"{as_table(v['freqs'])}\n\nHow many tokens are in its vocabulary now?",
    answer=lambda v: _counts(v)[-1].kept,
    misconceptions=(
        Misconception("only-tokens-in-use",
                      "You left out the tokens that no longer occur in the corpus. They stay in the vocabulary: the "
                      "next text may need them.",
                      lambda v: _counts(v)[-1].in_use),
        Misconception("mark-forgotten", f"You forgot `{MARK}`. It is a symbol like the others, and a token.",
                      lambda v: _counts(v)[-1].kept - 1),
        Misconception("parts-disappear",
                      "You let two tokens go for each that came. A merge adds a token and takes none away.",
                      lambda v: _counts(v)[0].kept - len(v["merges"])),
        Misconception("merges-only", "You counted the merged tokens alone. The characters are tokens too.",
                      lambda v: len(v["merges"])),
    ),
    hints=("How many different symbols does the corpus have before the first merge? Do not forget the mark.",
           "What does one merge add to the vocabulary, and what does it take away?",
           lambda v: f"There are {_counts(v)[0].kept - 1} different letters."),
    solution=lambda v: f"{_counts(v)[0].kept} symbols at the start, the mark among them, and one token a merge. "
                       f"{_counts(v)[-1].in_use} of them still occur in the corpus.",
)


CHANGES = {1: "it rises by one", 0: "it stays", -1: "it falls by one", -2: "it falls by two"}


def _change_variant(rng):
    while True:
        v = {"freqs": word_freqs(rng), "number": rng.between(1, 5), "change": rng.choice([1, 0, -1])}
        steps = _word_steps(v, v["number"])
        if len(steps) == v["number"] and not any(step.tied for step in steps[-1:]) and _change(v, steps) == v["change"]:
            return v


def _in_use(freqs, splits):
    return len(bpe.token_freqs(freqs, splits))


def _change(v, steps):
    before = steps[-2].splits if len(steps) > 1 else bpe.split_words(v["freqs"], MARK)
    return _in_use(v["freqs"], steps[-1].splits) - _in_use(v["freqs"], before)


CHANGE_TOLD = {1: "A new token comes, yes. But look for the parts: does each of them still stand by itself somewhere?",
               0: "That would be so if exactly one of the two parts were used up. Look for both of them in the words.",
               -1: "That would be so if both parts were used up. Look for them in the words.",
               -2: "At most two tokens go, but one comes as well: it cannot fall by two."}


def _other_change(which):
    def other(v):
        return [change for change in CHANGES if change != v["change"]][which]
    return Misconception(f"other-change-{which + 1}", lambda v: CHANGE_TOLD[other(v)], lambda v: CHANGES[other(v)])


def _state(v):
    steps = _word_steps(v, v["number"])
    splits = steps[-2].splits if len(steps) > 1 else bpe.split_words(v["freqs"], MARK)
    return "\n".join(f"- {as_tokens(split)}, {v['freqs'][word]} times" for word, split in splits.items())


CHANGE = Exercise(
    id="compression-12", title="More tokens, or fewer?", kind=Choice(), generate=_change_variant,
    question=lambda v: f"A corpus stands like this:\n\n{_state(v)}\n\nNow "
                       f"{as_tokens(_word_steps(v, v['number'])[-1].pair)} is "
                       "merged. What becomes of the number of different tokens *that occur*?",
    answer=lambda v: CHANGES[v["change"]], misconceptions=tuple(map(_other_change, range(3))),
    hints=("One token is new. Which ones could be gone?", "A part is gone when it stands nowhere by itself any more.",
           "Write the words after the merge, and look for each of the two parts."),
    solution=lambda v: "After the merge the tokens are " + as_tokens(
        bpe.token_freqs(v["freqs"], _word_steps(v, v["number"])[-1].splits)) + ".",
)


def _across_variant(rng):
    freqs = word_freqs(rng)
    words = list(freqs)
    inside = rng.sample(list(bpe.pair_freqs(freqs, bpe.split_words(freqs))), 2)
    ending = rng.choice(words)[-1], MARK
    return {"freqs": freqs, "across": (MARK, rng.choice(words)[0]), "real": [*inside, ending]}


def _real_pair(which):
    def message(v):
        left, right = v["real"][which]
        words = [word for word in v["freqs"] if left + right in word + MARK]
        return f"`{left}` `{right}` is counted: it stands in `{words[0]}`."
    return Misconception(f"real-pair-{which + 1}", message, lambda v: " + ".join(v["real"][which]))


ACROSS = Exercise(
    id="compression-13", title="Never a pair", kind=Choice(), generate=_across_variant,
    question=lambda v: f"{WORDS_TOLD} Which of these pairs will BPE never count, whatever the frequencies?\n\n"
                       f"{as_table(v['freqs'])}",
    answer=lambda v: " + ".join(v["across"]), misconceptions=tuple(map(_real_pair, range(3))),
    hints=("Write one word as symbols, with its mark.", "Where can the mark stand in a word, and where not?",
           "A pair lies inside one word; nothing is counted from one word into the next."),
    solution="The mark ends a word, and no pair reaches from one word into the next: nothing can stand behind the "
             "mark.",
)


# ----------------------------------------------------------------------------------------- encoding, greedy and optimal

def _way(v, method):
    return bpe.encode_word(v["word"], bpe.BPEModel(v["vocab"], v["merges"]), method=method)


def _longest_prefix(v):
    rest, tokens = v["word"], []
    while rest:
        tokens.append(next(rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in v["vocab"]))
        rest = rest[len(tokens[-1]):]
    return tokens


def _longest_variant(rng):
    """Made-up merges, and a word of their tokens on which the three ways to cut it differ."""
    while True:
        merges, tokens = [], rng.sample(rng.choice(LATIN), 3)
        while len(merges) < 5:
            pair = rng.choice(tokens), rng.choice(tokens)
            if len("".join(pair)) < 5 and "".join(pair) not in tokens:
                merges.append(pair)
                tokens.append("".join(pair))
        for _ in range(10):
            word = "".join(rng.choice(tokens) for _ in range(rng.between(3, 4)))
            v = {"word": word, "vocab": tokens, "merges": merges}
            if 5 < len(v["word"]) < 9 and _longest_prefix(v) != _way(v, "merge-order") and _differ(
                    _way(v, "longest-first"), _way(v, "merge-order"), _longest_prefix(v)):
                return v


LONGEST = Exercise(
    id="compression-14", title="The longest token first", kind=Segmentation(), generate=_longest_variant,
    question=lambda v: f"Cut `{v['word']}` as our source describes it: the longest token *anywhere* in the word (the "
                       "leftmost, if it stands there twice; of equally long ones the one that was learned first), then "
                       "the same on its left and on its right. The merged tokens, as they were "
                       f"learned:\n\n{as_tokens(_merged_tokens(v))}\n\nand "
                       "every single character.",
    answer=lambda v: _way(v, "longest-first"), listed=lambda v: [v["word"]],
    misconceptions=(
        Misconception("merge-order",
                      "You replayed the merges. That is how BPE encodes, and this exercise asks for the other way: "
                      "length decides, and not age.",
                      lambda v: _way(v, "merge-order")),
        Misconception("longest-prefix",
                      "You went from left to right and took the longest token that fits at the beginning. Here the "
                      "longest token comes first wherever it stands.",
                      _longest_prefix),
        Misconception("not-cut-out", "These are the characters. At least one longer token stands in this word.",
                      lambda v: list(v["word"])),
    ),
    hints=("Go through the tokens from the longest to the shortest: does it stand in the word?",
           "Cut it out. What is left of it and what is right of it are two words of their own now.",
           lambda v: f"The longest token in this word has {max(map(len, _way(v, 'longest-first')))} characters."),
    solution=lambda v: f"Merge order would give {as_tokens(_way(v, 'merge-order'))}; a walk from the left "
                       f"{as_tokens(_longest_prefix(v))}.",
)


def _merged_tokens(v):
    return ["".join(pair) for pair in v["merges"]]


BEATEN = ("aaabaab", "aaabaaba", "aabaaabb", "abaaabaa", "aaabaabb", "baaabaab", "aaaabaaaba", "aaabaaabc", "caaabaab",
          "aaabcaab", "aaabaabc")


def _greedy_variant(rng):
    pattern, letters = rng.choice(BEATEN), rng.sample(rng.choice(LATIN), 3)
    return {"text": "".join(letters["abc".index(letter)] for letter in pattern)}


def _tokens_after(merges, v):
    return bpe.merge_in_order(list(v["text"]), merges)


def _greedy(v):
    return bpe.train({v["text"]: 1}, num_merges=2).merges


def _two_at_once(v):
    freqs = bpe.pair_freqs({"": 1}, {"": list(v["text"])})
    return sorted(freqs, key=lambda pair: -freqs[pair])[:2]


def _as_short(value, v):
    return len(value) <= 2 and len(_tokens_after(value, v)) <= len(_tokens_after(_best(v), v))


def _best(v):
    return merging.optimal_merges(v["text"], 2)[0]


GREEDY = Exercise(
    id="compression-15", title="Better than greedy", kind=Merges(), points=2, generate=_greedy_variant,
    accept=_as_short,
    question=lambda v: f"BPE makes two merges in `{v['text']}`, counting every "
                       f"position:\n\n{as_merges(_greedy(v))}\n\nand leaves {len(_tokens_after(_greedy(v), v))} "
                       f"tokens. Find two merges that leave fewer.",
    answer=_best,
    misconceptions=(
        Misconception("greedy", "These are BPE's own two merges. Try to begin with a pair that is not the most "
                                "frequent one.",
                      _greedy),
        Misconception("leading-pairs",
                      "These are the two leading pairs of the first count. The first merge uses up symbols that the "
                      "second one needed.",
                      _two_at_once),
        Misconception("best-merges-in-the-other-order",
                      "Merges are applied in order, and the order matters: turned around, these two do less.",
                      lambda v: _best(v)[::-1]),
    ),
    evidence=lambda value, right, v: f"Yours leave {as_tokens(_tokens_after(value[:2], v))}: "
                                     f"{len(_tokens_after(value[:2], v))} tokens.",
    hints=("The most frequent pair overlaps with itself: count how often it can really be replaced.",
           "Try every other pair as the first one; there are not many. Then take the best second one for each.",
           lambda v: f"It can be done with {len(_tokens_after(_best(v), v))} tokens."),
    solution=lambda v: f"They leave {as_tokens(_tokens_after(_best(v), v))}, which is "
                       f"{len(_tokens_after(_best(v), v))} tokens.",
)

EXERCISES = [NEXT, RUN, TABLE, BACK, ORDER, OVERLAP, SIZE, PAYS, TIE_RULE, LEFT_OVER, VOCABULARY, CHANGE, ACROSS,
             LONGEST, GREEDY]
