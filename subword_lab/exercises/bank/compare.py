"""The exercises of lesson 05: the tokenizers side by side."""
from __future__ import annotations

from fractions import Fraction
from functools import cache

from ... import bpe, text, wordpiece
from ...studies import side_by_side
from ..core import Exercise, Misconception
from ..kinds import Choice, Merges, Number, Ordering, Segmentation, Tokens
from .corpora import FAMILIES, LATIN, as_merges, as_table, as_tokens, word_freqs

FRACTION = Number(form="a number, best as a fraction such as 7/3", example='"7/3"')


def _near(answer):
    """Takes a rounded number for the fraction that it stands for."""
    return lambda value, v: abs(value - answer(v)) <= answer(v) / 200


def _others(options, right):
    """The other options, in a lasting order that begins behind the right one."""
    place = list(options).index(right)
    return [*list(options)[place + 1:], *list(options)[:place]]


def _other(options, key, number, value):
    """A wrong answer: what `value(variant, option)` gives for the other option with this number."""
    return lambda v: value(v, _others(options, v[key])[number])


# ---------------------------------------------------------------------------------------------------------------- marks

PIECES = (("un", "hug", "low", "er", "ing", "est", "pre", "set"), ("на", "стол", "ка", "ми", "до", "ва", "пи"),
          ("တစ်", "မျိုး", "စာ", "သော", "အုပ်"), ("茶", "叶", "里", "饮料", "中国", "人"))
STYLES = {                                                # who writes it so, which pieces are marked, how
    "##": ("WordPiece writes them, with `##`", lambda first, last: not first, lambda piece: "##" + piece),
    "</w>": ("BPE with an end mark does, with `</w>`", lambda first, last: last, lambda piece: piece + "</w>"),
    "▁": ("SentencePiece writes them, with `▁`", lambda first, last: first, lambda piece: "▁" + piece),
    "@@": ("subword-nmt prints them, with `@@`", lambda first, last: not last, lambda piece: piece + "@@")}


def _marked(words, style, where=None):
    """The pieces of some words with the marks of a style; `where` says of a piece whether it is marked."""
    _, own, write = STYLES[style]
    return [write(piece) if (where or own)(i == 0, i == len(word) - 1) else piece
            for word in words for i, piece in enumerate(word)]


def _cut_words(rng, number, most=3):
    family = rng.choice(PIECES)
    return [[rng.choice(family) for _ in range(rng.between(2, most))] for _ in range(number)]


def _marks_variant(rng):
    given, asked = rng.sample(list(STYLES), 2)
    return {"words": _cut_words(rng, 2), "given": given, "asked": asked}


MARKS = Exercise(
    id="compare-01", title="The same cuts, another mark", kind=Tokens(example='["un", "##hug"]'),
    generate=_marks_variant,
    question=lambda v: f"A tokenizer cut two words into\n\n{as_tokens(_marked(v['words'], v['given']))}\n\nWrite the "
                       f"same cuts as {STYLES[v['asked']][0]}.",
    answer=lambda v: _marked(v["words"], v["asked"]),
    misconceptions=(
        Misconception("mark-at-the-other-pieces",
                      "You marked just those pieces that this style leaves bare. Does its mark say 'here a word "
                      "begins', 'here one ends', or 'this is not the beginning'?",
                      lambda v: _marked(v["words"], v["asked"],
                                        lambda first, last: not STYLES[v["asked"]][1](first, last))),
        Misconception("mark-on-every-piece", "You marked every piece. Then the marks tell nothing apart.",
                      lambda v: _marked(v["words"], v["asked"], lambda first, last: True)),
        Misconception("two-words-as-one", "You marked the two words as if they were one. Where does the first one end?",
                      lambda v: _marked([sum(v["words"], [])], v["asked"])),
        Misconception("old-marks-kept", "These are the old marks. The cuts stay, the marks change.",
                      lambda v: _marked(v["words"], v["given"])),
    ),
    hints=("First find the two words: what does the mark that is given say?",
           "Write the pieces without any mark, with a bar between the words.",
           "Now ask of each piece: is it the first of its word, the last, or neither? The new mark goes by one of "
           "these."),
    solution=lambda v: "The words are " + " and ".join(as_tokens(word) for word in v["words"]) + ".",
)


def _ends_variant(rng):
    return {"words": _cut_words(rng, rng.between(2, 3)), "style": rng.choice(list(STYLES))}


def _joined(words):
    return ["".join(word) for word in words]


def _other_end(v):
    """Read at the other end: what says 'a word begins here' as 'it ends here', 'it came from there' as 'it goes on'."""
    _, own, _ = STYLES[v["style"]]
    pieces = [(piece, own(i == 0, i == len(word) - 1)) for word in v["words"] for i, piece in enumerate(word)]
    border = v["style"] in ("▁", "</w>")         # these say that a word begins or ends, the others that it does not
    words = [""]
    for piece, marked in pieces:
        if v["style"] in ("</w>", "@@") and marked == border:
            words.append("")
        words[-1] += piece
        if v["style"] in ("▁", "##") and marked == border:
            words.append("")
    return [word for word in words if word]


ENDS = Exercise(
    id="compare-02", title="Where do the words end?", kind=Tokens(form="words, such as [\"unhug\", \"lower\"]",
                                                                 example='["unhug", "lower"]'), generate=_ends_variant,
    question=lambda v: "Somebody shows you these tokens and no "
                       f"more:\n\n{as_tokens(_marked(v['words'], v['style']))}\n\nWhich words were they?",
    answer=lambda v: _joined(v["words"]),
    misconceptions=(
        Misconception("mark-at-the-other-end", "You read the mark at the wrong end. Some marks stand where a word "
                                               "begins, some where it ends, some where it goes on.", _other_end),
        Misconception("every-token-a-word", "You made a word of every token. The marks say which of them belong "
                                            "together.",
                      lambda v: sum(v["words"], [])),
        Misconception("everything-one-word", "You made one word of everything. The marks say where a word is over.",
                      lambda v: ["".join(_joined(v["words"]))]),
    ),
    hints=("Which mark is it, and which program writes it?",
           "Say for one marked token what the mark means: a word begins here, ends here, or goes on.",
           "Go from left to right, and put a bar wherever a new word begins."),
    solution=lambda v: "Cut up, they are " + " and ".join(as_tokens(word) for word in v["words"]) + ".",
)


# ------------------------------------------------------------------------------------------------------------- encoders

ENCODERS = {
    "BPE": ("replays the merges in order", lambda word, model: bpe.encode_word(word, model)),
    "WordPiece": ("cuts off the longest beginning, again and again (leave the `##` away)",
                  lambda word, model: wordpiece.encode_word(word, wordpiece.WordPieceModel(model.vocab, prefix=""))),
    "compression-style": ("takes the longest token anywhere in the word, then does the same on both sides",
                          lambda word, model: bpe.encode_word(word, model, method="longest-first"))}


def _model(v):
    letters = sorted({*v["word"], *(letter for pair in v["merges"] for letter in "".join(pair))})
    return bpe.BPEModel(list(dict.fromkeys([*letters, *map("".join, v["merges"])])), v["merges"])


def _encoded(v, encoder):
    return ENCODERS[encoder][1](v["word"], _model(v))


def _overlapping(rng, tokens):
    """A word in which each token begins with the last letter of the one before, so that one of them has to give way."""
    word = rng.choice(tokens)
    for _ in range(rng.between(1, 2)):
        following = [token for token in tokens if token[0] == word[-1]] or tokens
        word += rng.choice(following)[1:]
    return word


def _encoders_variant(rng):
    """A made-up word that all three encoders cut differently."""
    while True:
        freqs = {**word_freqs(rng, LATIN), **word_freqs(rng, LATIN)}
        merges = list(bpe.train(freqs, num_merges=rng.between(8, 11)).merges)
        for _ in range(20):
            v = {"merges": merges, "word": _overlapping(rng, list(map("".join, merges)))}
            if len(v["word"]) < 10 and len({tuple(_encoded(v, encoder)) for encoder in ENCODERS}) == 3:
                return {**v, "encoder": rng.choice(list(ENCODERS))}


def _as_another(number):
    def message(v):
        encoder = _others(ENCODERS, v["encoder"])[number]
        how = ENCODERS[encoder][0].split(" (")[0]
        return f"So would the {encoder} encoder cut it, which {how}. Another one was asked for."
    return message


THREE_ENCODERS = Exercise(
    id="compare-03", title="One vocabulary, three encoders", kind=Segmentation(), generate=_encoders_variant, points=2,
    question=lambda v: "The characters and these merges, learned in this order, are a "
                       f"vocabulary:\n\n{as_merges(v['merges'])}\n\nCut `{v['word']}` with it as the "
                       f"**{v['encoder']}** encoder does, which {ENCODERS[v['encoder']][0]}.",
    answer=lambda v: _encoded(v, v["encoder"]), listed=lambda v: [v["word"]],
    misconceptions=(
        Misconception("another-encoder", _as_another(0), _other(ENCODERS, "encoder", 0, _encoded)),
        Misconception("the-third-encoder", _as_another(1), _other(ENCODERS, "encoder", 1, _encoded)),
        Misconception("not-cut-at-all", "These are the characters. Some of them make a token of the vocabulary "
                                        "together.",
                      lambda v: list(v["word"])),
    ),
    hints=("Write down the tokens that the merges make, longest first.",
           "Which of them stand in the word? Mark each with a line under it; where two lines overlap, the encoder "
           "decides.",
           "BPE asks which was learned first, WordPiece what the word begins with, the compression-style encoder "
           "which is the longest."),
    solution=lambda v: "; ".join(f"{encoder}: {as_tokens(_encoded(v, encoder))}" for encoder in ENCODERS) + ".",
)


# ----------------------------------------------------------------------------------------------------------------- ties

PROGRAMS = {"tiktoken's teaching code": "first-seen", "the tokenizers library": "lowest-ids", "subword-nmt": "greatest"}
RULES = {"first-seen": "the pair that the text shows first", "greatest": "the last pair by the alphabet",
         "lowest-ids": "the smallest ids, first left, then right; ids go by the alphabet"}


def _few_freqs(rng, most=3):
    """A family of words that occur about equally often, so that there are ties."""
    return {word: rng.between(1, most) for word in rng.shuffle(rng.choice(FAMILIES))}


def _counts(freqs):
    return bpe.pair_freqs(freqs, bpe.split_words(freqs))


def _by_rule(v, program):
    counts = _counts(v["freqs"])
    ids = {letter: number for number, letter in enumerate(sorted(set("".join(v["freqs"]))))}
    return [bpe.best_pair(counts, PROGRAMS[program], ids=ids)]


def _runner_up(v):
    counts = _counts(v["freqs"])
    below = {pair: count for pair, count in counts.items() if count < max(counts.values())}
    return [bpe.best_pair(below)] if below else None


def _tied_pairs(v):
    counts = _counts(v["freqs"])
    return [pair for pair in counts if counts[pair] == max(counts.values())]


def _program_variant(rng):
    while True:
        v = {"freqs": _few_freqs(rng)}
        if len({tuple(_by_rule(v, program)) for program in PROGRAMS}) == 3:
            return {**v, "program": rng.choice(list(PROGRAMS))}


def _as_program(number):
    def message(v):
        program = _others(PROGRAMS, v["program"])[number]
        return f"That is what {program} takes. Look up the rule of {v['program']} in the table of programs."
    return message


PROGRAM = Exercise(
    id="compare-04", title="The program's first merge", generate=_program_variant,
    kind=Merges(form="one merge, such as x+y", example='("x", "y")'),
    question=lambda v: f"Several pairs of this corpus share the first place. Which one does **{v['program']}** merge "
                       f"first?\n\n{as_table(v['freqs'])}",
    answer=lambda v: _by_rule(v, v["program"]),
    misconceptions=(
        Misconception("another-program", _as_program(0), _other(PROGRAMS, "program", 0, _by_rule)),
        Misconception("the-third-program", _as_program(1), _other(PROGRAMS, "program", 1, _by_rule)),
        Misconception("not-the-most-frequent", "This pair is not among the most frequent ones. A rule for ties only "
                                               "chooses among equals.", _runner_up),
    ),
    hints=("Count the pairs, each word as often as it occurs: which share the first place?",
           "Write those pairs in the order in which the text shows them, and then by the alphabet.",
           lambda v: f"The rule of {v['program']}: {RULES[PROGRAMS[v['program']]]}."),
    solution=lambda v: "In first place, in the order of the text: "
                       f"{', '.join(as_tokens(pair) for pair in _tied_pairs(v))}. The rule: "
                       f"{RULES[PROGRAMS[v['program']]]}.",
)

TIES = {"first": "the pair that it saw first", "last": "the pair that it saw last",
        "smallest": "the first pair by the alphabet", "greatest": "the last pair by the alphabet"}
OPPOSITE = {"first": "last", "last": "first", "smallest": "greatest", "greatest": "smallest"}


def _with_rule(freqs, rule, number=3):
    """The first merges with a rule for ties."""
    choose = {"first": lambda pairs: pairs[0], "last": lambda pairs: pairs[-1], "smallest": min, "greatest": max}[rule]
    splits, merges = bpe.split_words(freqs), []
    for _ in range(number):
        counts = bpe.pair_freqs(freqs, splits)
        merges.append(choose([pair for pair in counts if counts[pair] == max(counts.values())]))
        splits = bpe.merge_pair(merges[-1], splits)
    return merges


def _rule_variant(rng):
    """A corpus on which one wrong rule agrees with the right one at the first merge, and not at a later one."""
    while True:
        freqs, rule = _few_freqs(rng, most=2), rng.choice(list(TIES))
        merges = {name: _with_rule(freqs, name) for name in TIES}
        agreeing = [name for name in TIES if name != rule and merges[name][0] == merges[rule][0]]
        if len(agreeing) == 1 and agreeing[0] != OPPOSITE[rule] and merges[agreeing[0]] != merges[rule]:
            third = next(name for name in TIES if name not in (rule, OPPOSITE[rule], *agreeing))
            return {"freqs": freqs, "rule": rule, "agreeing": agreeing[0], "third": third}


WHICH_RULE = Exercise(
    id="compare-05", title="Another rule, another tokenizer", kind=Choice(), generate=_rule_variant, points=2,
    question=lambda v: "Somebody trained BPE on this corpus, the words in this "
                       f"order:\n\n{as_table(v['freqs'])}\n\nand "
                       f"got\n\n{as_merges(_with_rule(v['freqs'], v['rule']))}\n\nWhich pair does their program take, "
                       "if several are equally frequent?",
    answer=lambda v: TIES[v["rule"]],
    misconceptions=(
        Misconception("only-the-first-merge", "That explains the first merge, but not all three. Go on with the words "
                                              "as they are after it.", lambda v: TIES[v["agreeing"]]),
        Misconception("opposite-end", "That is the opposite end of the same list. Look at the first merge again.",
                      lambda v: TIES[OPPOSITE[v["rule"]]]),
        Misconception("another-order", "With that rule already the first merge would be another one.",
                      lambda v: TIES[v["third"]]),
    ),
    hints=("Which pairs share the first place before the first merge?",
           "Which rules would take the one that was taken? There is more than one.",
           "Write the words down after the first merge, and count again: the next merge decides."),
    solution=lambda v: "Before the first merge these pairs are equal, in the order of the text: " + ", ".join(
        as_tokens(pair) for pair in _tied_pairs(v)) + ".",
)


# ------------------------------------------------------------------------------------------------------------ fertility

def _fertility_variant(rng):
    freqs = word_freqs(rng, low=2, high=9)
    model = bpe.train(freqs, num_merges=rng.between(1, 4))
    return {"freqs": freqs, "cut": {word: bpe.encode_word(word, model) for word in freqs}}


def _tokens(v):
    return sum(freq * len(v["cut"][word]) for word, freq in v["freqs"].items())


def _fertility(v):
    return Fraction(_tokens(v), sum(v["freqs"].values()))


FERTILITY = Exercise(
    id="compare-06", title="Tokens per word", kind=FRACTION, generate=_fertility_variant, accept=_near(_fertility),
    question=lambda v: "What is the fertility of this tokenizer on this corpus, in tokens per word?\n\n| word | times "
                       "| tokens |\n|---|---|---|\n" + "\n".join(f"| `{word}` | {freq} | {as_tokens(v['cut'][word])} |"
                                                    for word, freq in v["freqs"].items()),
    answer=_fertility,
    misconceptions=(
        Misconception("types-not-occurrences", "You counted every word once. A word that is read nine times is cut "
                                               "nine times.",
                      lambda v: Fraction(sum(map(len, v["cut"].values())), len(v["cut"]))),
        Misconception("words-per-token", "That is words per token. Fertility says how many tokens a word becomes.",
                      lambda v: 1 / _fertility(v)),
        Misconception("tokens-per-character", "You divided by the characters. That is a good measure too, but not "
                                              "this one.",
                      lambda v: Fraction(_tokens(v), sum(freq * len(word) for word, freq in v["freqs"].items()))),
        Misconception("different-tokens", "You counted different tokens. A token counts each time it is used.",
                      lambda v: Fraction(len({t for cut in v["cut"].values() for t in cut}), sum(v["freqs"].values()))),
    ),
    hints=("How many words are read in all, and how many tokens do they become?",
           "Each row counts as often as its word occurs.",
           "Add up times × number of tokens, and divide by the sum of the times."),
    solution=lambda v: f"{_tokens(v)} tokens for {sum(v['freqs'].values())} words.",
)


@cache
def _tea(size):
    """The tea text's tokenizer of a size, as the function that cuts a word."""
    lines = text.load_texts("parallel").values()
    model = bpe.train(text.word_freqs(line for language in lines for line in language), vocab_size=size)
    return lambda word: bpe.encode_word(word, model, method="lowest-rank")


@cache
def _bill(size, language, lines):
    words = text.word_freqs(text.load_texts("parallel")[language][:lines])
    return side_by_side.fertility(words, _tea(size))


def _bills(v):
    return [_bill(v["size"], language, v["lines"]) for language in ("English", v["language"])]


def _ratio(measure):
    def ratio(v):
        english, other = map(measure, _bills(v))
        return Fraction(other) / Fraction(english)
    return ratio


PRICE = Exercise(
    id="compare-07", title="Who pays how much?", kind=Number(form="a number, such as 1.5 or 7/3", example="1.5"),
    generate=lambda rng: {"size": rng.choice((320, 400, 500, 600, 800, 1000)), "lines": rng.between(8, 26),
                          "language": rng.choice(("Russian", "Chinese", "Burmese"))},
    accept=_near(_ratio(lambda bill: bill.tokens)),
    question=lambda v: f"The same {v['lines']} sentences, in two languages, through one tokenizer with {v['size']} "
                       "tokens:\n\n| language | words | characters | tokens |\n|---|---|---|---|\n" + "\n".join(
                           f"| {name} | {bill.words} | {bill.characters} | {bill.tokens} |"
                           for name, bill in zip(("English", v["language"]), _bills(v)))
                       + f"\n\nA bill goes by the token. How many times the price of English does {v['language']} "
                         "cost?",
    answer=_ratio(lambda bill: bill.tokens),
    misconceptions=(
        Misconception("per-word", "You compared the tokens per word. A word is not the same amount of content in both "
                                  "languages.",
                      _ratio(lambda bill: Fraction(bill.tokens, bill.words))),
        Misconception("per-character", "You compared the tokens per character. A character is not the same amount of "
                                       "content in both "
                                       "languages.", _ratio(lambda bill: Fraction(bill.tokens, bill.characters))),
        Misconception("other-way-round", "You divided the other way round: that is the price of English, in terms of "
                                         "the other language.", lambda v: 1 / _ratio(lambda bill: bill.tokens)(v)),
        Misconception("characters-billed", "You compared the characters. What is billed is tokens.",
                      _ratio(lambda bill: bill.characters)),
    ),
    hints=("The content is the same in both rows. What is paid for?", "Only one column of the table is on the bill.",
           "Divide one language's tokens by those of the other; English is the unit."),
    solution=lambda v: "{1} tokens against {0}.".format(*(bill.tokens for bill in _bills(v))),
)


# ---------------------------------------------------------------------------------------------------------------- sizes

def _sizes(v, twice=True, with_bytes=True, shrinking="of what is left"):
    """How many tokens each of the four tokenizers of the question holds."""
    left = v["initial"]
    for _ in range(v["rounds"]):
        left -= int((left if shrinking == "of what is left" else v["initial"]) * v["drop"] / 100)
    return {"BPE": v["letters"] + v["merges"], "byte-level-BPE": v["byte_merges"] + 256 * with_bytes,
            "WordPiece": v["letters"] * (1 + twice) + v["joined"], "Unigram": left}


def _in_order(v, **wrong):
    sizes = _sizes(v, **wrong)
    return sorted(sizes, key=sizes.get)


def _sizes_variant(rng):
    while True:
        merges = 50 * rng.between(4, 16)
        v = {"letters": 10 * rng.between(4, 25), "merges": merges, "byte_merges": merges + 10 * rng.between(-20, 20),
             "joined": merges + 10 * rng.between(-15, 15), "initial": 100 * rng.between(12, 30),
             "rounds": rng.between(3, 6), "drop": rng.choice((10, 15, 20, 25))}
        mistakes = {}, {"twice": False}, {"with_bytes": False}, {"shrinking": "linear"}
        orders = [_in_order(v, **mistake) for mistake in mistakes]
        sizes = sorted(_sizes(v).values())
        if all(b - a > 5 for a, b in zip(sizes, sizes[1:])) and len(set(map(tuple, orders))) == 4:
            return {**v, "shown": rng.shuffle(orders[0])}


SIZES = Exercise(
    id="compare-08", title="Whose vocabulary is larger?", kind=Ordering(), generate=_sizes_variant, points=2,
    question=lambda v: "Put these four in order by the size of their vocabulary, the smallest first. No token is made "
                       f"twice, and there are no special tokens.\n\n- **BPE**: {v['letters']} characters, and "
                       f"{v['merges']} merges\n- **byte-level-BPE**: {v['byte_merges']} merges\n- **WordPiece**: "
                       f"{v['letters']} characters, each with and without `##`, and {v['joined']} merges\n- "
                       f"**Unigram**: {v['initial']} pieces, and {v['rounds']} rounds that remove {v['drop']}% of what "
                       "is left (rounded down)\n",
    answer=_in_order, listed=lambda v: v["shown"],
    misconceptions=(
        Misconception("characters-counted-once", "You counted WordPiece's characters once. With `##` and without are "
                                                 "two tokens.",
                      lambda v: _in_order(v, twice=False)),
        Misconception("bytes-forgotten", "You forgot what byte-level BPE begins with: every byte is a token.",
                      lambda v: _in_order(v, with_bytes=False)),
        Misconception("same-number-every-round", "You removed the same number in every round. A share of what is left "
                                                 "gets smaller.",
                      lambda v: _in_order(v, shrinking="linear")),
    ),
    hints=("What is in each vocabulary before the first step?",
           "BPE and WordPiece add a token a merge; Unigram takes tokens away.",
           "For Unigram, go round by round: what is left is the whole of which the next share is taken."),
    solution=lambda v: "\n".join(f"- {name}: {size}" for name, size in _sizes(v).items()),
)


# ------------------------------------------------------------------------------------------------------ what is unknown

def _by_character(word, known):
    return [letter if letter in known else "[UNK]" for letter in word] if set(word) - known else [word]


def _by_run(word, known):
    tokens = _by_character(word, known)
    return [token for token, before in zip(tokens, ["", *tokens]) if token != "[UNK]" or before != token]


def _left_out(word, known):
    return [token for token in _by_character(word, known) if token != "[UNK]"]


def _whole_word(word, known):
    return ["[UNK]"] if set(word) - known else [word]


UNKNOWN = {"WordPiece": ("the whole word is lost", _whole_word),
           "BPE with an unknown token": ("each character is lost by itself", _by_character),
           "SentencePiece": ("a run of characters is lost together", _by_run),
           "tokenizers' BPE without an unknown token": ("characters are left out without a word", _left_out)}


def _lost(v, program):
    return [token for word in v["words"] for token in UNKNOWN[program][1](word, set(v["known"]))]


KNOWN = (("hug", "gun", "tea", "sun", "ant"), ("кот", "дом", "лес", "чай"), ("茶叶", "中国", "饮料"))
STRANGE = (("éö", "ñç", "øß", "жщ"), ("їґ", "ўѣ", "th"), ("猫狗", "ああ", "ok"))


def _unknown_variant(rng):
    """One known word, and one with a run of two characters that are not known."""
    which = rng.below(len(KNOWN))
    known = rng.sample(KNOWN[which], 2)
    place = rng.between(1, len(known[1]) - 1) if len(known[1]) > 2 else 1
    words = [known[0], known[1][:place] + rng.choice(STRANGE[which]) + known[1][place:]]
    return {"known": sorted({*known[0], *known[1]}), "whole": known, "words": rng.shuffle(words),
            "program": rng.choice(list(UNKNOWN))}


def _as_unknown(number):
    def message(v):
        program = _others(UNKNOWN, v["program"])[number]
        return f"That is what happens in {program}: {UNKNOWN[program][0]}. Which program was asked for?"
    return message


LOST = Exercise(
    id="compare-09", title="What is lost, and how much", kind=Tokens(example='["tea", "h", "[UNK]", "g"]'),
    generate=_unknown_variant,
    question=lambda v: f"A vocabulary holds the words {as_tokens(v['whole'])} and the characters "
                       f"{as_tokens(v['known'])}, nothing else. (Marks are left away.) Which tokens does "
                       f"**{v['program']}** make of\n\n{as_tokens(v['words'])} ?\n\nWrite `[UNK]` for the unknown "
                       "token.",
    answer=lambda v: _lost(v, v["program"]),
    misconceptions=(
        Misconception("another-program", _as_unknown(0), _other(UNKNOWN, "program", 0, _lost)),
        Misconception("the-third-program", _as_unknown(1), _other(UNKNOWN, "program", 1, _lost)),
        Misconception("the-fourth-program", _as_unknown(2), _other(UNKNOWN, "program", 2, _lost)),
    ),
    hints=("One of the two words is in the vocabulary as it is; nothing happens to it.",
           "How large is what gets lost in this program: a character, a run of them, the word, or does it vanish?",
           "Mark the characters that the vocabulary lacks, and only then replace."),
    solution=lambda v: f"In {v['program']}, {UNKNOWN[v['program']][0]}.",
)


# ------------------------------------------------------------------------------------------------------------- stopping

def _vocab_when_rare(freqs, least, ties="first-seen"):
    """The vocabulary's size when training stops because no pair occurs `least` times."""
    size = len(bpe.base_vocab(bpe.split_words(freqs)))
    for step in bpe.train_steps(freqs, num_merges=100, ties=ties):
        if step.count < least:
            return size
        size = len(step.vocab)
    return size


def _letters(v):
    return len(set("".join(v["freqs"])))


def _rare_variant(rng):
    while True:
        freqs, least = _few_freqs(rng, most=4), rng.between(3, 6)
        size, base = _vocab_when_rare(freqs, least), _letters({"freqs": freqs})
        if 2 <= size - base <= 6 and size == _vocab_when_rare(freqs, least, "greatest"):
            return {"freqs": freqs, "least": least}


STOP = Exercise(
    id="compare-10", title="When nothing is frequent any more", kind=Number(), generate=_rare_variant, points=2,
    question=lambda v: "BPE is trained on this corpus by a program that stops when no pair occurs at least "
                       f"{v['least']} times. How many tokens does the vocabulary hold then, characters included?\n\n"
                       + as_table(v["freqs"]),
    answer=lambda v: _vocab_when_rare(v["freqs"], v["least"]),
    misconceptions=(
        Misconception("until-none-is-left", "You went on until no pair was left. This program is content earlier.",
                      lambda v: _vocab_when_rare(v["freqs"], 1)),
        Misconception("merges-only", "You counted the merges alone. The characters are tokens too.",
                      lambda v: _vocab_when_rare(v["freqs"], v["least"]) - _letters(v)),
        Misconception("characters-only", "You counted the characters alone. Some pairs are frequent enough to be "
                                         "merged.",
                      _letters),
        Misconception("counted-once-only", "You took all pairs that are frequent at the beginning. After each merge "
                                           "the counts change.",
                      lambda v: _letters(v) + sum(count >= v["least"] for count in _counts(v["freqs"]).values())),
    ),
    hints=("How many different characters are there? They are in the vocabulary before the first merge.",
           "Merge the most frequent pair, write the words down again, count again.",
           "Before each merge, look at the count of the best pair: is it still high enough?"),
    solution=lambda v: "The counts of the best pairs, one merge after another: " + ", ".join(
        str(step.count) for step in bpe.train_steps(v["freqs"], num_merges=100)) + ".",
)


def _left_after_rounds(v):
    """What is left after each round of pruning; the last round removes no more than is needed."""
    left = [v["initial"]]
    while left[-1] > v["size"]:
        left.append(left[-1] - min(max(1, int(left[-1] * v["drop"] / 100)), left[-1] - v["size"]))
    return left[1:]


def _rounds(v):
    return len(_left_after_rounds(v))


def _linear_rounds(v):
    return -(-(v["initial"] - v["size"]) // int(v["initial"] * v["drop"] / 100))


def _upward_rounds(v):
    left, number = v["size"], 0
    while left < v["initial"]:
        left, number = left + int(left * v["drop"] / 100), number + 1
    return number


ROUNDS = Exercise(
    id="compare-11", title="The way down", kind=Number(),
    generate=lambda rng: {"initial": 100 * rng.between(10, 40), "size": 50 * rng.between(4, 12),
                          "drop": rng.choice((10, 20, 25, 30))},
    question=lambda v: f"Unigram starts from {v['initial']} tokens and removes {v['drop']}% of what is left in each "
                       f"round (rounded down), in the last round only as many as it takes to arrive at {v['size']}. "
                       "How many rounds is that?",
    answer=_rounds,
    misconceptions=(
        Misconception("same-number-every-round", "You removed the same number in every round. The share is one of "
                                                 "what is left.",
                      _linear_rounds),
        Misconception("one-round-short", "After that many rounds there are still too many tokens. The last round is a "
                                         "short one, but it counts.", lambda v: _rounds(v) - 1),
        Misconception("from-below", "You went up from the small size. Going down, the share is taken of the larger "
                                    "number.",
                      _upward_rounds),
    ),
    hints=("BPE comes from below, Unigram from above: begin with the large number.",
           "Write down what is left after each round.",
           "Go on until what is left would fall below the wanted size; that round counts too."),
    solution=lambda v: f"What is left after each round: {', '.join(map(str, _left_after_rounds(v)))}.",
)


# ------------------------------------------------------------------------------------------------------- true and false

STATEMENTS_TRUE = (
    ("WordPiece's vocabulary is enough to encode with", "its encoder looks up beginnings of words, and nothing else."),
    ("a Unigram model can tell you the second-best way to cut a word",
     "every way has a probability, so one can list them in order."),
    ("BPE's merges have to be kept in order", "encoding replays them, the first one first."),
    ("Unigram training removes tokens", "it begins with far too many and prunes."),
    ("byte-level BPE has no unknown characters", "every text is made of 256 bytes."),
    ("two programs that both do BPE can learn different merges from one corpus",
     "they may settle ties by different rules."),
    ("the compression-style encoder does not look at the merges", "it takes the longest token that occurs."),
    ("a pair can be frequent and have a low WordPiece score", "its two parts may be frequent everywhere."),
    ("the same text can cost more tokens in one language than in another",
     "the vocabulary was trained on more of one of them."),
)
STATEMENTS_FALSE = (
    ("BPE removes the two parts of a merge from its vocabulary", "The parts stay: rare words are spelled with them."),
    ("the WordPiece score is always highest for the most frequent pair",
     "The score divides the count by those of both parts."),
    ("Unigram needs its list of merges to encode", "It has no merges; it needs the losses of its tokens."),
    ("BPE's encoder always takes the longest token that fits",
     "It replays merges; a longer token may lose to an earlier merge."),
    ("an unknown character makes a whole word unknown in every tokenizer",
     "That is so in WordPiece; others lose only the character."),
    ("the trainer of the tokenizers library decides ties by the order of the text", "It takes the smallest ids."),
    ("a large vocabulary makes all languages equally cheap",
     "What was not trained on stays in pieces, however large it is."),
)


def _statements_variant(rng):
    return {"false": rng.below(len(STATEMENTS_FALSE)), "true": rng.sample(range(len(STATEMENTS_TRUE)), 3)}


def _doubted(number):
    return Misconception(f"doubted-a-true-statement-{number + 1}",
                         lambda v: f"This is true: {STATEMENTS_TRUE[v['true'][number]][1]}",
                         lambda v: STATEMENTS_TRUE[v["true"][number]][0])


FALSE = Exercise(
    id="compare-12", title="One of these is false", kind=Choice(), generate=_statements_variant,
    question="Three of these statements are true. Which one is **false**?",
    answer=lambda v: STATEMENTS_FALSE[v["false"]][0], misconceptions=tuple(map(_doubted, range(3))),
    hints=("For each statement, think of the smallest corpus on which you could try it.",
           "Cross out what you have seen happen in one of the lessons.",
           "Mind words such as *always*, *every* and *all*; they are easy to disprove, if they are false."),
    solution=lambda v: STATEMENTS_FALSE[v["false"]][1],
)


# ---------------------------------------------------------------------------------------------------------- from tokens

MAKERS = {("count", "first-seen"): "by count (BPE); of equal pairs, the one seen first",
          ("count", "greatest"): "by count (BPE); of equal pairs, the last by the alphabet",
          ("score", "first-seen"): "by score (WordPiece); of equal pairs, the one seen first",
          ("score", "greatest"): "by score (WordPiece); of equal pairs, the last by the alphabet"}
SWITCHED = {"count": "score", "score": "count", "first-seen": "greatest", "greatest": "first-seen"}


@cache
def _maker_steps(freqs, maker, number):
    rate, ties = maker
    train_steps = bpe.train_steps if rate == "count" else wordpiece.train_steps
    return list(train_steps(dict(freqs), num_merges=number, ties=ties))


def _made(freqs, maker, number):
    """How the corpus is cut after some merges, without marks; a string a word, with bars at the cuts."""
    last = _maker_steps(freqs, maker, number)[-1]
    return tuple("|".join(token.removeprefix("##") for token in split) for split in last.splits.values())


def _maker_variant(rng):
    while True:
        freqs, number = tuple(_few_freqs(rng).items()), rng.between(3, 5)
        if len({_made(freqs, maker, number) for maker in MAKERS}) == 4:
            return {"freqs": freqs, "number": number, "maker": rng.choice(list(MAKERS))}


def _tokens_table(v):
    rows = [f"| {freq} | {as_tokens(cut.split('|'))} |"
            for (_, freq), cut in zip(v["freqs"], _made(v["freqs"], v["maker"], v["number"]))]
    return "\n".join(["| times | tokens |", "|---|---|", *rows])


def _how_it_was_made(v):
    steps = _maker_steps(v["freqs"], v["maker"], v["number"])
    return "The merges, with what decided them: " + ", ".join(
        f"{as_tokens(step.pair)} "
        f"({getattr(step, 'score', step.count)}{', tied' * bool(step.tied)})" for step in steps) + "."


MAKER = Exercise(
    id="compare-13", title="From tokens alone", kind=Choice(), generate=_maker_variant, points=3,
    question=lambda v: "Nothing is left of a tokenizer but how it cut its own corpus, in this order, after "
                       f"{v['number']} merges, and without marks:\n\n{_tokens_table(v)}\n\nHow did it choose its "
                       "pairs?",
    answer=lambda v: MAKERS[v["maker"]],
    misconceptions=(
        Misconception("right-measure-wrong-rule", "What you say about count and score fits. But with that rule for "
                                                  "ties one of the words would be cut elsewhere.",
                      lambda v: MAKERS[v["maker"][0], SWITCHED[v["maker"][1]]]),
        Misconception("right-rule-wrong-measure", "The rule for ties fits, the measure does not. Compare a pair that "
                                                  "was merged with a more frequent, or a rarer one.",
                      lambda v: MAKERS[SWITCHED[v["maker"][0]], v["maker"][1]]),
        Misconception("both-wrong", "Neither fits. Begin with the tokens that are longest: how often do their parts "
                                    "occur elsewhere?",
                      lambda v: MAKERS[SWITCHED[v["maker"][0]], SWITCHED[v["maker"][1]]]),
    ),
    hints=("Put the tokens together again: these are the words, and you know how often each occurs.",
           "Which pairs of characters are most frequent? If they were left alone and rare ones joined, it was not the "
           "count.",
           "Once you know the measure, find a place where two pairs are equal, and see which of them was taken."),
    solution=_how_it_was_made,
)

EXERCISES = [MARKS, ENDS, THREE_ENCODERS, PROGRAM, WHICH_RULE, FERTILITY, PRICE, SIZES, LOST, STOP, ROUNDS, FALSE,
             MAKER]
