"""The exercises of lesson 01: byte-pair encoding."""
from __future__ import annotations

from itertools import islice
from math import factorial

from ... import bpe, lattice
from ..core import Exercise, Misconception
from ..kinds import Choice, Merges, Number, Ordering, Prediction, Segmentation, Tokens
from .corpora import as_merges, as_table, as_tokens, word_freqs

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


# ------------------------------------------------------------------------------------------------------ wrong ways

def _types_only(freqs):
    """Every word counted once, however often it occurs."""
    return dict.fromkeys(freqs, 1)


def _one_long_word(freqs):
    """The corpus written without a boundary, as one word."""
    return {"".join(word * freq for word, freq in freqs.items()): 1}


def _clear(steps) -> bool:
    """Whether no step was decided by a tie."""
    return not any(step.tied for step in steps)


def _steps(freqs, number):
    return list(bpe.train_steps(freqs, num_merges=number))


# ----------------------------------------------------------------------------------------------------- the exercises

def _count_variant(rng):
    freqs = word_freqs(rng)
    return {"freqs": freqs, "pair": rng.choice(list(bpe.pair_freqs(freqs, bpe.split_words(freqs))))}


def _count(v, freqs=None):
    freqs = freqs or v["freqs"]
    return bpe.pair_freqs(freqs, bpe.split_words(freqs))[v["pair"]]


COUNT = Exercise(
    id="bpe-01", title="Count a pair", kind=Number(), generate=_count_variant,
    question=lambda v: f"How often does the pair {as_tokens(v['pair'])} occur in this corpus?\n\n{as_table(v['freqs'])}",
    answer=_count,
    misconceptions=(
        Misconception("types-not-occurrences",
                      "You counted each word once. A word that occurs ten times brings each of its pairs ten times.",
                      lambda v: _count(v, _types_only(v["freqs"]))),
        Misconception("either-order",
                      lambda v: f"You counted {as_tokens(v['pair'])} and {as_tokens(v['pair'][::-1])} together. "
                                "A pair has a left and a right: order matters.",
                      lambda v: _count(v) + sum(
                          freq for word, freq in v["freqs"].items() if "".join(v["pair"][::-1]) in word) or None),
        Misconception("left-symbol-only",
                      lambda v: f"You counted every `{v['pair'][0]}`. Only those count that have `{v['pair'][1]}` "
                                "right behind them in the same word.",
                      lambda v: sum(word.count(v["pair"][0]) * freq for word, freq in v["freqs"].items())),
    ),
    hints=("Look at one word at a time: does the pair stand in it, letter next to letter?",
           "A word adds its whole frequency for each place where the pair stands in it.",
           lambda v: f"The pair stands in {sum(''.join(v['pair']) in w for w in v['freqs'])} of the words; add up their "
                     "frequencies."),
    solution=lambda v: "Add up the frequencies of the words that hold the pair: " + ", ".join(
        f"`{word}` {freq}" for word, freq in v["freqs"].items() if "".join(v["pair"]) in word) + ".",
)


def _next_variant(rng):
    known = rng.between(0, 3)
    freqs = word_freqs(rng) if known < 3 or rng.below(2) else HUG
    return {"freqs": freqs, "known": known}


def _next(v, freqs=None):
    return [bpe.best_pair(_counts_after(v, freqs))]


def _counts_after(v, freqs=None, known=None):
    """Pair counts after the known merges of the real training, with other frequencies if given."""
    splits = bpe.split_words(v["freqs"])
    for step in islice(bpe.train_steps(v["freqs"], num_merges=9), v["known"] if known is None else known):
        splits = step.splits
    return bpe.pair_freqs(freqs or v["freqs"], splits)


def _best_of_commonest_token(v):
    splits = bpe.split_words(v["freqs"])
    for step in _steps(v["freqs"], v["known"]):
        splits = step.splits
    tokens = bpe.token_freqs(v["freqs"], splits)
    commonest = max(tokens, key=tokens.get)
    counts = bpe.pair_freqs(v["freqs"], splits)
    with_it = {pair: count for pair, count in counts.items() if commonest in pair}
    return [bpe.best_pair(with_it)] if with_it else None


def _next_ok(rng):
    while True:
        v = _next_variant(rng)
        steps = _steps(v["freqs"], v["known"] + 1)
        if len(steps) > v["known"] and _clear(steps):
            return v


NEXT = Exercise(
    id="bpe-02", title="The next merge", kind=Merges(form="one merge, such as x+y", example='("x", "y")'),
    generate=_next_ok,
    question=lambda v: "This corpus\n\n" + as_table(v["freqs"]) + "\n\n" + (
        "has not been merged at all yet" if not v["known"] else
        f"has been through {v['known']} merge{'s' * (v['known'] > 1)}:\n\n"
        + as_merges([s.pair for s in _steps(v['freqs'], v['known'])])) + "\n\nWhich merge comes next?",
    answer=_next,
    misconceptions=(
        Misconception("types-not-occurrences",
                      "That pair stands in the most words, but a word counts as often as it occurs, not once.",
                      lambda v: _next(v, _types_only(v["freqs"]))),
        Misconception("commonest-token-first",
                      "You began with the most frequent token and took its best neighbor. BPE never looks at single "
                      "tokens: the most frequent pair wins, wherever it stands.",
                      _best_of_commonest_token),
        Misconception("rarest-pair",
                      "That is the rarest pair. Training takes the most frequent one.",
                      lambda v: [min(_counts_after(v), key=_counts_after(v).get)]),
    ),
    evidence=lambda value, right, v: (
        f"The pair {as_tokens(value[0])} occurs {_counts_after(v).get(value[0], 0)} times at this point; the most "
        f"frequent one occurs {_counts_after(v)[right[0]]} times."),
    hints=("First write the words as they look now, with every known merge applied.",
           "Then count the pairs in what you have written, each word as often as it occurs.",
           lambda v: f"The pair you want occurs {_counts_after(v)[_next(v)[0]]} times."),
    solution=lambda v: "The counts at this point: " + ", ".join(
        f"{as_tokens(pair)} {count}" for pair, count in sorted(_counts_after(v).items(), key=lambda item: -item[1])) + ".",
)


def _model(v):
    alphabet = sorted({symbol for pair in v["merges"] for symbol in "".join(pair)} | set(v["word"]))
    return bpe.BPEModel(alphabet + ["".join(pair) for pair in v["merges"]], v["merges"])


def _overlap_variant(rng):
    """Merges of a small corpus, and a made-up word that merge order and longest-first encode differently."""
    while True:
        merges = list(bpe.train(word_freqs(rng), num_merges=rng.between(4, 7)).merges)
        tokens = ["".join(pair) for pair in merges] + sorted({c for pair in merges for c in "".join(pair)})
        for _ in range(30):
            v = {"merges": merges, "word": "".join(rng.choice(tokens) for _ in range(rng.between(2, 4)))}
            if len(v["word"]) < 9 and _way(v["word"], merges, "merge-order") != _way(v["word"], merges, "longest-first"):
                return v


def _way(word, merges, method):
    return bpe.encode_word(word, _model({"word": word, "merges": merges}), method=method)


def _longest_prefix(v):
    vocab, rest, tokens = set(_model(v).vocab), v["word"], []
    while rest:
        token = next(rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in vocab)
        tokens.append(token)
        rest = rest[len(token):]
    return tokens


ENCODE = Exercise(
    id="bpe-03", title="Encode a word", kind=Segmentation(), generate=_overlap_variant,
    question=lambda v: f"Encode `{v['word']}` with these merges, learned in this order:\n\n{as_merges(v['merges'])}",
    answer=lambda v: bpe.encode_word(v["word"], _model(v)),
    listed=lambda v: [v["word"]],
    misconceptions=(
        Misconception("greedy-longest",
                      "You took the longest token that fits. BPE does not look for long tokens: it replays the merges "
                      "in the order in which they were learned.",
                      _longest_prefix),
        Misconception("latest-merge-first",
                      "You began with the merge that was learned last. History is replayed from its beginning.",
                      lambda v: bpe.merge_in_order(list(v["word"]), v["merges"][::-1])),
        Misconception("not-merged",
                      "These are the characters. At least one merge applies to this word.",
                      lambda v: list(v["word"])),
    ),
    hints=("Write the word as characters first.",
           "Go through the merges from the top. Wherever the two sides stand next to each other, join them; then go on "
           "to the next merge.",
           lambda v: f"The first merge that applies is `{' + '.join(next(m for m in v['merges'] if ''.join(m) in v['word']))}`."),
    solution=lambda v: "Step by step: " + " → ".join(_encoding_steps(v)) + ".",
)


def _encoding_steps(v):
    states = [list(v["word"])]
    for pair in v["merges"]:
        state = bpe.merge_symbols(states[-1], pair)
        if state != states[-1]:
            states.append(state)
    return ["`" + "|".join(state) + "`" for state in states]


def _train_variant(rng):
    while True:
        freqs = word_freqs(rng)
        if len(steps := _steps(freqs, 3)) == 3 and _clear(steps):
            return {"freqs": freqs}


def _trained(v, freqs=None):
    return list(bpe.train(freqs or v["freqs"], num_merges=3).merges)


def _never_recounted(v):
    counts = bpe.pair_freqs(v["freqs"], bpe.split_words(v["freqs"]))
    return sorted(counts, key=lambda pair: -counts[pair])[:3]


def _part_of_training(value, right, v):
    same = next((i for i, (a, b) in enumerate(zip(value, right)) if a != b), min(len(value), len(right)))
    if same == len(value) or same == len(right):
        return Merges().evidence(value, right)
    counts = _counts_after({**v, "known": same})
    return (f"You part from the training at merge {same + 1}: {as_tokens(value[same])} occurs "
            f"{counts.get(value[same], 0)} times at that point, and another pair {counts[right[same]]} times.")


TRAIN = Exercise(
    id="bpe-04", title="The first three merges",
    kind=Merges(form="merges, such as x+y, z+xy", example='[("x", "y"), ("z", "xy")]'), generate=_train_variant, points=2,
    question=lambda v: f"Which three merges does BPE learn first from this corpus?\n\n{as_table(v['freqs'])}",
    answer=_trained, evidence=_part_of_training,
    misconceptions=(
        Misconception("types-not-occurrences",
                      "You counted every word once. Each pair counts as often as its word occurs.",
                      lambda v: _trained(v, _types_only(v["freqs"]))),
        Misconception("never-recounted",
                      "These are the three most frequent pairs of the beginning. After each merge the words have "
                      "changed: count again before you choose.",
                      _never_recounted),
        Misconception("pairs-across-words",
                      "You counted a pair whose left side ends one word and whose right side begins the next. Words "
                      "are counted apart.",
                      lambda v: _trained(v, _one_long_word(v["freqs"]))),
    ),
    hints=("Count all pairs, merge the most frequent one in every word, and write the words down again.",
           "After a merge some pairs are gone and new ones are there: count again from what you have written.",
           lambda v: f"The first merge joins a pair that occurs {_steps(v['freqs'], 1)[0].count} times."),
    solution=lambda v: "\n".join(f"{s.number}. {as_tokens(s.pair)} occurs {s.count} times" for s in _steps(v["freqs"], 3)),
)


SIZE = Exercise(
    id="bpe-05", title="How large is the vocabulary?", kind=Number(),
    generate=lambda rng: {"alphabet": rng.between(20, 90), "merges": 50 * rng.between(2, 40), "special": rng.between(2, 5)},
    question=lambda v: f"A corpus is written with {v['alphabet']} different characters. BPE learns {v['merges']} merges "
                       f"from it, no token twice, and {v['special']} special tokens are put in front. How many tokens "
                       "does the vocabulary hold?",
    answer=lambda v: v["alphabet"] + v["merges"] + v["special"],
    misconceptions=(
        Misconception("special-tokens-forgotten", "The special tokens have ids too: they are part of the vocabulary.",
                      lambda v: v["alphabet"] + v["merges"]),
        Misconception("alphabet-forgotten", "The characters stay in the vocabulary: rare words are spelled with them.",
                      lambda v: v["merges"] + v["special"]),
        Misconception("parts-disappear",
                      "You let each new token take the place of an old one. Its parts stay: `u` and `g` are still there after "
                      "`ug`.", lambda v: v["alphabet"] + v["special"]),
    ),
    hints=("What is in the vocabulary before the first merge?", "How many tokens does one merge add, and how many does it "
           "take away?", "Base vocabulary plus merges plus special tokens."),
    solution=lambda v: f"{v['special']} special tokens, {v['alphabet']} characters and one token a merge.",
)


def _unknown_variant(rng):
    known, letter = rng.choice(["hug", "bug", "pun", "hugs", "bun", "unhug", "pugs", "shun"]), rng.choice("mtocdlkr")
    place = rng.between(0, len(known))
    return {"word": known[:place] + letter + known[place:], "vocab": [*"bghnpsu", "ug", "un", "hug"],
            "merges": [("u", "g"), ("u", "n"), ("h", "ug")]}


def _unknown_model(v):
    return bpe.BPEModel(v["vocab"], v["merges"])


UNKNOWN = Exercise(
    id="bpe-06", title="A character it never saw", kind=Tokens(example='["pl", "ug"]'), generate=_unknown_variant,
    question=lambda v: f"The vocabulary is {as_tokens(v['vocab'])}, the merges are\n\n{as_merges(v['merges'])}\n\n"
                       f"Unknown characters become `[UNK]`. Encode `{v['word']}`.",
    answer=lambda v: bpe.encode_word(v["word"], _unknown_model(v)),
    misconceptions=(
        Misconception("whole-word-unknown",
                      "You gave up the whole word. In BPE only the character that is missing becomes `[UNK]`.",
                      lambda v: ["[UNK]"]),
        Misconception("passed-through",
                      "You left the unknown character as it is. It is not in the vocabulary, so it has no id.",
                      lambda v: bpe.encode_word(v["word"], _unknown_model(v), unknown=None)),
        Misconception("dropped",
                      "You left the unknown character out. Then nobody could tell that something had stood there.",
                      lambda v: [t for t in bpe.encode_word(v["word"], _unknown_model(v)) if t != "[UNK]"]),
    ),
    hints=("Which characters of the word are not in the vocabulary?",
           "Put `[UNK]` in the place of each of them, before you merge anything.",
           "Then replay the merges; `[UNK]` takes part in none of them."),
    solution=lambda v: "Characters that are not in the vocabulary: " + as_tokens(
        c for c in v["word"] if c not in v["vocab"]) + ".",
)


def _run_variant(rng):
    symbols = rng.choice("abxo") * rng.between(2, 6)
    return {"symbols": [*symbols, *(rng.choice("cdk") for _ in range(rng.between(0, 2))), *symbols[:rng.between(1, 4)]],
            "letter": symbols[0]}


def _from_the_right(v):
    return bpe.merge_symbols(v["symbols"][::-1], (v["letter"],) * 2)[::-1]


def _merge_once(v):
    pair, symbols = [v["letter"]] * 2, v["symbols"]
    start = next(i for i in range(len(symbols)) if symbols[i:i + 2] == pair)
    return [*symbols[:start], v["letter"] * 2, *symbols[start + 2:]]


def _merge_again(v):
    once = bpe.merge_symbols(v["symbols"], (v["letter"],) * 2)
    return bpe.merge_symbols(once, (v["letter"] * 2,) * 2)


RUN = Exercise(
    id="bpe-07", title="Before you run it", kind=Prediction(), generate=_run_variant,
    question=lambda v: "What will this show? Say it first, then run it.\n\n```\n"
                       f"bpe.merge_symbols({v['symbols']}, {(v['letter'],) * 2})\n```",
    answer=lambda v: bpe.merge_symbols(v["symbols"], (v["letter"],) * 2),
    misconceptions=(
        Misconception("from-the-right",
                      "You paired the letters from the right end of a run. Merging goes from left to right, so a letter "
                      "that is left over stands at the end of its run.",
                      _from_the_right),
        Misconception("first-place-only", "You merged the first place only. A merge happens wherever the pair stands.",
                      _merge_once),
        Misconception("merged-twice",
                      "You went on and merged the new tokens with each other. That would be another merge, of another "
                      "pair.",
                      _merge_again),
    ),
    hints=("Start at the left. Do the first two symbols form the pair?", "If so, write them as one token and go on behind "
           "them: a symbol is used once.", "Never look back at a token that you have just written."),
    solution="From left to right, every two neighbors that form the pair become one token; a symbol is used once.",
)


TIES_CORPORA = tuple(dict(zip(words.split(), (3, 3, 2, 2))) for words in (
    "is er is2 er2", "th he an in", "sing rang king ring", "low wol new wen", "cat tac mat tam", "nd an dn na",
    "tok ken out use", "hop poh top pot", "ab cd ba dc", "дом мод том мот"))


def _tie_variant(rng):
    words = [w for w in rng.choice(TIES_CORPORA) if w.isalpha()]
    freqs = dict(zip(rng.shuffle(words), [3] * len(words)))
    return {"freqs": freqs, "rule": rng.choice(bpe.TIES)}


def _merges_of(v, rule):
    return bpe.train(v["freqs"], num_merges=2, ties=rule).merges


RULES = {"first-seen": "the pair that is met first in the corpus", "lowest-ids": "the pair with the smallest ids",
         "greatest": "the pair that comes last in alphabetical order"}


def _tie_ok(rng):
    while True:
        v = _tie_variant(rng)
        if len({tuple(_merges_of(v, rule)) for rule in bpe.TIES}) == 3:
            return v


def _other_rule(which):
    return lambda v: RULES[[rule for rule in bpe.TIES if rule != v["rule"]][which]]


def _other_rule_message(which):
    def message(v):
        rule = [rule for rule in bpe.TIES if rule != v["rule"]][which]
        return f"With that rule the first merge would be {as_tokens(_merges_of(v, rule)[0])}, and the second " \
               f"{as_tokens(_merges_of(v, rule)[1])}."
    return message


TIE_RULE = Exercise(
    id="bpe-08", title="Which tie rule?", kind=Choice(), generate=_tie_ok,
    question=lambda v: "Somebody trained BPE on this corpus, the words in this order; ids go by the alphabet.\n\n"
                       + as_table(v["freqs"]) + "\n\nThe first two merges were\n\n" + as_merges(_merges_of(v, v["rule"]))
                       + "\n\nWhich of the most frequent pairs did they prefer?",
    answer=lambda v: RULES[v["rule"]],
    misconceptions=(
        Misconception("other-rule", _other_rule_message(0), _other_rule(0)),
        Misconception("third-rule", _other_rule_message(1), _other_rule(1)),
        Misconception("no-tie", "Count again: several pairs share the first place, so a rule had to decide.",
                      lambda v: "there was no tie, so no rule was needed"),
    ),
    hints=("Count the pairs: which of them share the first place?", "Write those pairs in the order in which the corpus "
           "shows them, and then in alphabetical order.", "Which end of which list was taken?"),
    solution=lambda v: "The pairs in first place: " + ", ".join(
        as_tokens(pair) for step in _steps(v["freqs"], 1) for pair in [step.pair, *step.tied]) + ".",
)


def _length_variant(rng):
    while True:
        freqs = word_freqs(rng)
        if _clear(_steps(freqs, 1)):
            return {"freqs": freqs}


def _length(splits, freqs):
    return sum(bpe.token_freqs(freqs, splits).values())


LENGTH = Exercise(
    id="bpe-09", title="How long is the corpus now?", kind=Number(), generate=_length_variant,
    question=lambda v: "Split into characters, with every word as often as it occurs, this corpus is "
                       f"{_length(bpe.split_words(v['freqs']), v['freqs'])} tokens long.\n\n{as_table(v['freqs'])}\n\n"
                       "How long is it after the first merge?",
    answer=lambda v: _length(_steps(v["freqs"], 1)[0].splits, v["freqs"]),
    misconceptions=(
        Misconception("types-not-occurrences", "You counted every word once. Count it as often as it occurs.",
                      lambda v: sum(map(len, _steps(v["freqs"], 1)[0].splits.values()))),
        Misconception("two-for-each", "Each merge in a word replaces two tokens by one: it makes the word one token "
                                      "shorter, not two.",
                      lambda v: _length(bpe.split_words(v["freqs"]), v["freqs"]) - 2 * _steps(v["freqs"], 1)[0].count),
        Misconception("vocabulary-grows", "The vocabulary grows by one token. The corpus gets shorter.",
                      lambda v: _length(bpe.split_words(v["freqs"]), v["freqs"]) + 1),
    ),
    hints=("How often does the pair that is merged occur?", "Two tokens become one at each of those places.",
           "Take the count of the merged pair from the old length."),
    solution=lambda v: f"The first merge, {as_tokens(_steps(v['freqs'], 1)[0].pair)}, happens "
                       f"{_steps(v['freqs'], 1)[0].count} times, and saves one token each time.",
)


WORDS = ("the", "highest", "range", "in", "new", "low", "est", "cat", "sat", "on", "mat", "дом", "кот", "sing")


def _decode_variant(rng):
    tokens = []
    for word in rng.sample(WORDS, 3):
        cut = rng.between(1, len(word) - 1) if len(word) > 1 else 0
        tokens += [piece for piece in (word[:cut], word[cut:] + "</w>") if piece]
    return {"tokens": tokens}


DECODE = Exercise(
    id="bpe-10", title="Back to words", kind=Tokens(form="words, such as [\"one\", \"word\"]", example='["one", "word"]'),
    generate=_decode_variant,
    question=lambda v: f"Which words are these tokens? The end-of-word mark is `</w>`.\n\n{as_tokens(v['tokens'])}",
    answer=lambda v: bpe.decode(v["tokens"], bpe.BPEModel([], [], end_of_word="</w>")),
    misconceptions=(
        Misconception("every-token-a-word", "You made a word of every token. A token without the mark goes on in the next "
                                            "one.",
                      lambda v: [token.removesuffix("</w>") for token in v["tokens"]]),
        Misconception("marks-ignored", "You joined everything. Each mark ends a word.",
                      lambda v: ["".join(v["tokens"]).replace("</w>", "")]),
        Misconception("marks-kept", "The words are right, but the mark belongs to the tokens, not to the text.",
                      lambda v: [w + "</w>" for w in bpe.decode(v["tokens"], bpe.BPEModel([], [], end_of_word="</w>"))]),
    ),
    hints=("Join the tokens from left to right.", "Where a token ends with the mark, a word ends.",
           lambda v: f"There are {sum(t.endswith('</w>') for t in v['tokens'])} marks, so there are as many words."),
    solution="Join the tokens and cut at every mark; then take the marks away.",
)


GROUPINGS = Exercise(
    id="bpe-11", title="Without a mark", kind=Number(),
    generate=lambda rng: {"tokens": rng.sample(["un", "hug", "s", "the", "re", "in", "to", "day", "on", "ly"],
                                               rng.between(4, 7))},
    question=lambda v: "These tokens carry no mark, and the words are not known. In how many ways could they be grouped "
                       f"into words?\n\n{as_tokens(v['tokens'])}",
    answer=lambda v: sum(1 for _ in lattice.groupings(v["tokens"])),
    misconceptions=(
        Misconception("gap-too-many", lambda v: f"You counted {len(v['tokens'])} places where a word may end or go on. "
                      "Behind the last token there is nothing to decide.",
                      lambda v: 2 ** len(v["tokens"])),
        Misconception("one-per-gap", "You counted the gaps. In each gap there are two possibilities, and they combine.",
                      lambda v: len(v["tokens"]) - 1),
        Misconception("orderings", "You counted the orders. The tokens stay where they are; only the word ends are open.",
                      lambda v: factorial(len(v["tokens"]))),
    ),
    hints=("How many gaps are there between the tokens?", "In each gap a word ends, or it does not.",
           "Multiply: two possibilities for each gap."),
    solution=lambda v: f"{len(v['tokens'])} tokens have {len(v['tokens']) - 1} gaps, with two possibilities each.",
)


BYTE_PARTS = ("né", "café", "км", "дом", "ключ", "мир", "中文", "语言", "分词", "ကို", "စာ", "🤗", "a", "b1")

BYTES = Exercise(
    id="bpe-12", title="Byte by byte", kind=Number(), generate=lambda rng: {"text": "".join(rng.sample(BYTE_PARTS, 2))},
    question=lambda v: f"Byte-level BPE has learned no merge yet. How many tokens is `{v['text']}`? (In UTF-8 a character "
                       "of the Latin alphabet without accents takes 1 byte, as a digit does, `é` and every Cyrillic letter 2, "
                       "a Chinese or Burmese character 3, an emoji 4. A sign that is written around a Burmese letter is a character too.)",
    answer=lambda v: len(v["text"].encode()),
    misconceptions=(
        Misconception("characters-not-bytes", "You counted characters. The symbols of byte-level BPE are bytes.",
                      lambda v: len(v["text"])),
        Misconception("two-bytes-each", "You took two bytes for every character. UTF-8 takes from one to four.",
                      lambda v: 2 * len(v["text"])),
        Misconception("one-byte-too-many", "You are one off: no byte marks the end of the text.",
                      lambda v: len(v["text"].encode()) + 1),
    ),
    hints=("How many characters are there, and of which scripts?", "Add up the bytes of each character.",
           "In Python: the length of `text.encode()`."),
    solution=lambda v: "Bytes by character: " + ", ".join(f"`{c}` {len(c.encode())}" for c in v["text"]) + ".",
)


def _order_variant(rng):
    while True:
        freqs = word_freqs(rng)
        if len(steps := _steps(freqs, 4)) == 4 and _clear(steps):
            return {"freqs": freqs, "shown": rng.shuffle([s.token for s in steps])}


def _tokens_in_order(v):
    return [step.token for step in _steps(v["freqs"], 4)]


ORDER = Exercise(
    id="bpe-13", title="In which order were they made?", kind=Ordering(), generate=_order_variant,
    question=lambda v: f"BPE made four tokens from this corpus.\n\n{as_table(v['freqs'])}\n\nPut them in the order in which "
                       "they were made.",
    answer=_tokens_in_order, listed=lambda v: v["shown"],
    misconceptions=(
        Misconception("shortest-first", "You went by length. A long token can be made before a short one that is rarer.",
                      lambda v: sorted(v["shown"], key=len)),
        Misconception("last-first", "That is the order backwards: the most frequent pair comes first.",
                      lambda v: _tokens_in_order(v)[::-1]),
        Misconception("alphabetical", "That is the order of the alphabet. Ids of new tokens go by the time of their merge.",
                      lambda v: sorted(v["shown"])),
    ),
    hints=("Which pair is the most frequent one at the beginning?", "A token can only be made when its two parts exist.",
           lambda v: f"The first of them was made by a pair that occurs {_steps(v['freqs'], 1)[0].count} times."),
    solution=lambda v: "\n".join(f"{s.number}. {as_tokens(s.pair)} occurs {s.count} times" for s in _steps(v["freqs"], 4)),
)


def _disagree_variant(rng):
    while True:
        v = _overlap_variant(rng)
        tokens = ["".join(pair) for pair in v["merges"]]
        others = {a + b for a in tokens for b in tokens if a != b and len(a + b) < 9
                  and _way(a + b, v["merges"], "merge-order") == _way(a + b, v["merges"], "longest-first")}
        if len(others) > 2:
            return {**v, "others": rng.sample(sorted(others), 3)}


def _agreeing(number):
    return Misconception(
        f"agreeing-word-{number + 1}",
        lambda v: f"On `{v['others'][number]}` both give {as_tokens(_way(v['others'][number], v['merges'], 'merge-order'))}.",
        lambda v: v["others"][number])


DISAGREE = Exercise(
    id="bpe-14", title="Where two encoders part", kind=Choice(), generate=_disagree_variant,
    question=lambda v: "One encoder replays these merges in order, another cuts out the longest token first. On which "
                       f"word do they differ?\n\n{as_merges(v['merges'])}",
    answer=lambda v: v["word"], misconceptions=tuple(map(_agreeing, range(3))),
    hints=("They can only differ where two tokens overlap in the word.", "Look for a token whose last letter is the first "
           "letter of another.", "Encode each word both ways; begin with the longest one."),
    solution=lambda v: f"Merge order gives {as_tokens(_way(v['word'], v['merges'], 'merge-order'))}, longest first "
                       f"{as_tokens(_way(v['word'], v['merges'], 'longest-first'))}.",
)

def _sentence_variant(rng):
    words = list(word_freqs(rng))
    text = rng.shuffle([*words, *rng.sample(words, 3), rng.choice(words)])
    joints = [(left[-1], right[0]) for left, right in zip(text, text[1:])]
    return {"text": text, "pair": rng.choice(joints)}


def _count_in(words, pair):
    return bpe.pair_freqs({number: 1 for number in range(len(words))}, dict(enumerate(words))).get(tuple(pair), 0)


def _at_a_joint(v):
    return next(f"{a} {b}" for a, b in zip(v["text"], v["text"][1:]) if (a[-1], b[0]) == v["pair"])


SENTENCE = Exercise(
    id="bpe-20", title="Count in a sentence", kind=Number(), generate=_sentence_variant,
    question=lambda v: f"This is the whole corpus: *{' '.join(v['text'])}*. How often does training count the pair "
                       f"{as_tokens(v['pair'])}?",
    answer=lambda v: _count_in(v["text"], v["pair"]),
    misconceptions=(
        Misconception("pairs-across-words",
                      lambda v: f"You counted the pair across the word boundary; look at `{v['pair'][0]}` and "
                                f"`{v['pair'][1]}` in *{_at_a_joint(v)}*. Words are counted apart.",
                      lambda v: _count_in(["".join(v["text"])], v["pair"])),
        Misconception("types-not-occurrences", "You counted each different word once. A word that stands there twice counts "
                                               "twice.", lambda v: _count_in(list(dict.fromkeys(v["text"])), v["pair"])),
        Misconception("one-side-only", lambda v: f"You counted every `{v['pair'][1]}`. It has to stand right behind "
                                                 f"`{v['pair'][0]}`, in the same word.",
                      lambda v: "".join(v["text"]).count(v["pair"][1])),
    ),
    hints=("Cut the sentence into words first. What lies between two words is no pair.",
           "Now go through the words one by one; a word that occurs again is counted again.",
           "Look inside each word only: does the right symbol follow the left one there?"),
    solution=lambda v: "Words that hold the pair: " + (", ".join(
        f"*{word}*" for word in v["text"] if "".join(v["pair"]) in word) or "none") + ".",
)

HUG_WORDS = ("unhug", "bunhug", "hugbun", "punhugs", "bugpun", "hugpugs", "unhugs", "nughug", "pughug", "hugun",
             "sunhug", "gunhug", "bunbug", "hughugs")


def _hug_model():
    return bpe.train(HUG, num_merges=3)


UNHUG = Exercise(
    id="bpe-21", title="A new word from old pieces", kind=Segmentation(form="the word with | at every cut, such as b|ug",
                                                                       example='"b|ug"'),
    generate=lambda rng: {"word": rng.choice(HUG_WORDS)},
    question=lambda v: "The corpus of `hug`, `pug`, `pun`, `bun` and `hugs` taught these merges:\n\n"
                       f"{as_merges(_hug_model().merges)}\n\nHow is `{v['word']}` cut?",
    answer=lambda v: bpe.encode_word(v["word"], _hug_model()), listed=lambda v: [v["word"]],
    misconceptions=(
        Misconception("not-merged", "These are the characters. Go through the merges from the top: which of them finds its "
                                    "two sides next to each other?", lambda v: list(v["word"])),
        Misconception("one-merge-only", "You stopped after the first merge that applied. The others have their turn too.",
                      lambda v: bpe.merge_in_order(list(v["word"]), _hug_model().merges[:1])),
        Misconception("latest-merge-first", "You began with the last merge. At that moment there was no `ug` that it could "
                                            "have used.",
                      lambda v: bpe.merge_in_order(list(v["word"]), _hug_model().merges[::-1])),
    ),
    hints=("Write the word as single characters.", "Merge 1 first, wherever its two sides meet; then merge 2, then merge 3.",
           "Merge 3 needs what merge 1 has made."),
    solution=lambda v: "Step by step: " + " → ".join(_encoding_steps({**v, "merges": _hug_model().merges})) + ".",
)

EXERCISES = [COUNT, SENTENCE, NEXT, UNHUG, ENCODE, TRAIN, SIZE, UNKNOWN, RUN, TIE_RULE, LENGTH, DECODE, GROUPINGS, BYTES, ORDER, DISAGREE]
