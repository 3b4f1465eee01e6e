"""The exercises of lesson 05: the tokenizers side by side."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise

from ... import bpe, text, wordpiece
from ...studies import side_by_side
from .. import (
    Choice,
    Merges,
    Mistake,
    Number,
    Ordering,
    Question,
    Rng,
    Segmentation,
    Tokens,
    exercise,
)
from ..words import as_tokens, say, table
from .bpe import where_replay_parts
from .corpora import ECHOES, FAMILIES, word_freqs

ROUNDED = Number(
    digits=2,
    form="a number with two decimals, such as 1.57, or a fraction such as 11/7",
    example="1.57",
)
Words = Sequence[Sequence[str]]  # each word as its pieces


def others(options: Sequence[str], right: str) -> list[str]:
    """The other options, in a lasting order that begins after the right one."""
    place = list(options).index(right)
    return [*list(options)[place + 1 :], *list(options)[:place]]


PIECES = (
    ("un", "hug", "low", "er", "ing", "est", "pre", "set"),
    ("на", "стол", "ка", "ми", "до", "ва", "пи"),
    ("တစ်", "မျိုး", "စာ", "သော", "အုပ်"),
    ("茶", "叶", "里", "饮料", "中国", "人"),
)
Marked = Callable[[bool, bool], bool]  # is it the first piece? the last? -> marked
STYLES: dict[str, tuple[str, Marked, Callable[[str], str]]] = {
    "##": (
        "Write the same cuts as WordPiece writes them, with `##`.",
        lambda first, last: not first,
        lambda piece: "##" + piece,
    ),
    "</w>": (
        "Write the same cuts as BPE with an end mark does, with `</w>`.",
        lambda first, last: last,
        lambda piece: piece + "</w>",
    ),
    "▁": (
        "Write the same cuts as SentencePiece writes them, with `▁`.",
        lambda first, last: first,
        lambda piece: "▁" + piece,
    ),
    "@@": (
        "Write the same cuts as subword-nmt prints them, with `@@`.",
        lambda first, last: not last,
        lambda piece: piece + "@@",
    ),
}
SAYS = {
    "##": "here a word goes on",
    "</w>": "here a word ends",
    "▁": "here a word begins",
    "@@": "this is not the end",
}


def marked(words: Words, style: str, where: Marked | None = None) -> list[str]:
    """The pieces of some words with the marks of a style; `where` says of a piece whether it is marked."""
    _, own, write = STYLES[style]
    return [
        write(piece) if (where or own)(i == 0, i == len(word) - 1) else piece
        for word in words
        for i, piece in enumerate(word)
    ]


def cut_words(rng: Rng, number: int) -> list[list[str]]:
    """Some words of one language, in two or three pieces each."""
    family = rng.choice(PIECES)
    return [[rng.choice(family) for _ in range(rng.between(2, 3))] for _ in range(number)]


@exercise("compare-01", "The same cuts, another mark", Tokens(example='["un", "##hug"]'))
def another_mark(rng: Rng) -> Question | None:
    given, asked = rng.sample(list(STYLES), 2)
    words = cut_words(rng, 2)
    of_this_style = STYLES[asked][1]
    shown, order = marked(words, given), STYLES[asked][0]
    meaning, wanted = SAYS[given], SAYS[asked]
    return Question(
        "A tokenizer cut two words into\n\n{shown:tokens}\n\n{order}",
        answer=marked(words, asked),
        mistakes=[
            Mistake(
                "mark-at-the-other-pieces",
                marked(words, asked, lambda *place: not of_this_style(*place)),
                "Here exactly those pieces are marked that this style leaves bare. Does its mark say that a word "
                "begins, that it ends, or that it goes on?",
            ),
            Mistake(
                "mark-on-every-piece",
                marked(words, asked, lambda first, last: True),
                "Here every piece is marked, and so the marks tell nothing apart. What is the mark to say?",
            ),
            Mistake(
                "two-words-as-one",
                marked([sum(words, [])], asked),
                "These are the marks of a single word. Where does the first word end?",
            ),
            Mistake(
                "old-marks-kept", marked(words, given), "These are the old marks. The cuts stay."
            ),
            Mistake(
                "no-marks",
                sum(words, []),
                "These are the pieces without any mark. Which of them carry one?",
            ),
            Mistake(
                "every-word-one-token",
                marked([["".join(w)] for w in words], asked) if asked in "▁</w>" else None,
                "These are whole words. The cuts inside them stay.",
            ),
        ],
        hints=[
            "First find the two words: what does the mark that is given say?",
            "Write the pieces without any mark, with a bar between the words.",
            "Now ask of each piece: is it the first of its word, the last, or neither? The mark goes by that.",
        ],
        solution="The words are: {words:groups}.",
        why="`{given}` says '{meaning}' and `{asked}` says '{wanted}': the same cuts, another side.",
        figures=locals(),
    )


@exercise(
    "compare-02",
    "Where do the words end?",
    Tokens(form='words, such as ["unhug", "lower"] or unhug lower', example='["unhug", "lower"]'),
    level="recall",
    core=True,
)
def where_words_end(rng: Rng) -> Question | None:
    words, style = cut_words(rng, rng.between(2, 3)), rng.choice(list(STYLES))
    joined = ["".join(word) for word in words]
    shown, meaning = marked(words, style), SAYS[style]
    return Question(
        "Somebody shows you these tokens and no more:\n\n{shown:tokens}\n\nWhich words were they?",
        answer=joined,
        mistakes=[
            Mistake(
                "mark-at-the-other-end",
                _read_at_the_other_end(words, style),
                "These are the words if `{style}` stood at the other end. Does it say that a word begins, that it "
                "ends, or that it goes on?",
            ),
            Mistake(
                "mark-taken-for-a-border",
                _read_as_a_border(words, style) if style in ("##", "@@") else None,
                "Here every `{style}` parts two words. Does a word begin or end there, or does it go on?",
            ),
            Mistake(
                "every-token-a-word",
                sum(words, []),
                "Here every token is a word. Which of them belong together?",
            ),
            Mistake(
                "everything-one-word",
                ["".join(joined)],
                "Here everything is one word. Where does a word end?",
            ),
            Mistake(
                "marks-kept",
                ["".join(marked([word], style)) for word in words],
                "The words are right, and the marks are still in them. Were they part of the text?",
            ),
        ],
        hints=[
            "Which mark is it, and which program writes it?",
            "Say for one marked token what the mark means: a word begins here, ends here, or goes on.",
            "Go from left to right, and put a bar wherever a new word begins.",
        ],
        solution="Cut up, they are: {words:groups}.",
        why="`{style}` says '{meaning}', and that is all that is left of the spaces.",
        figures=locals(),
    )


def _read_at_the_other_end(words: Words, style: str) -> list[str]:
    """What says 'a word begins here' read as 'it ends here', and 'it goes on here' as 'it came from there'."""
    own = STYLES[style][1]
    border, before = style in ("▁", "</w>"), style in ("</w>", "@@")
    found = [""]
    for word in words:
        for i, piece in enumerate(word):
            turns = own(i == 0, i == len(word) - 1) == border
            found += [""] * (turns and before)
            found[-1] += piece
            found += [""] * (turns and not before)
    return [word for word in found if word]


def _read_as_a_border(words: Words, style: str) -> list[str]:
    """What says 'it goes on here' read as 'a word begins here' (`##`), or as 'it ends here' (`@@`)."""
    text = " ".join(marked(words, style)).replace(" ##", "|").replace("@@ ", "|")
    return text.replace(" ", "").split("|")


ENCODERS = {
    "BPE": "It replays the merges in order, each wherever it applies, from left to right.",
    "WordPiece": "It cuts off the longest beginning, again and again (leave the `##` out).",
    "compression-style": "It takes the longest token anywhere in the word (of equally long ones, the one learned "
    "first, where it first stands), then does the same with what is left of it and what is right of it.",
}


def overlapping(rng: Rng, tokens: Sequence[str]) -> str:
    """A word in which each token begins with the last letter of the one before, so that one of them has to give way."""
    word = rng.choice(tokens)
    for _ in range(2):
        word += rng.choice([token for token in tokens if token[0] == word[-1]] or tokens)[1:]
    return word


@exercise("compare-03", "One vocabulary, three encoders", Segmentation(), points=2, core=True)
def three_encoders(rng: Rng) -> Question | None:
    merges = bpe.train(word_freqs(rng, ECHOES), num_merges=rng.between(8, 11)).merges
    tokens = list(map("".join, merges))
    vocab = [*sorted({*"".join(tokens)}), *tokens]
    model = wordpiece.WordPieceModel(vocab, prefix="")
    for word in {overlapping(rng, tokens): 1 for _ in range(30)}:
        cuts = {
            "BPE": bpe.merge_in_order(list(word), merges),
            "WordPiece": wordpiece.encode_word(word, model),
            "compression-style": bpe.longest_first(list(word), vocab),
        }
        if len(word) < 10 and len(set(map(tuple, cuts.values()))) == 3:
            break
    else:
        return None
    encoder = rng.choice(list(ENCODERS))
    second, third = others(list(ENCODERS), encoder)
    longest = max((token for token in tokens if token in word), key=len)

    def evidence(value: list[str]) -> str:
        if strange := [piece for piece in value if piece not in vocab]:
            return say("`{piece}` is no token of this vocabulary.", piece=strange[0])
        if encoder == "BPE":
            return where_replay_parts(value, merges)
        if encoder == "WordPiece":
            same = next(place for place, (a, b) in enumerate(zip(value, cuts[encoder])) if a != b)
            return (
                say(
                    "After `{begun}`, where `{piece}` stands, a longer token fits.",
                    begun="".join(value[:same]),
                    piece=value[same],
                )
                if same
                else say("The word begins with a longer token than `{piece}`.", piece=value[0])
            )
        return say(
            (
                "`{longest}` is the longest token in the word, and is cut out first. What is left of it and right "
                "of it is cut in the same way: which token is the longest there, and of two as long, which was "
                "learned first?"
            )
            if longest in value
            else "`{longest}` is the longest token in the word, and is cut out first. It is not among yours.",
            longest=longest,
        )

    rule = ENCODERS[encoder]
    by_encoder = "; ".join(f"{name}: {as_tokens(cut)}" for name, cut in cuts.items())
    return Question(
        "The characters and these merges, learned in this order, are a vocabulary:\n\n{merges:merges}\n\nCut "
        "`{word}` with it as the **{encoder}** encoder does. {rule}",
        answer=cuts[encoder],
        listed=[word],
        mistakes=[
            Mistake(
                "another-encoder",
                cuts[second],
                "That is how the {second} encoder cuts it. What does the one asked for look at?",
            ),
            Mistake(
                "the-third-encoder",
                cuts[third],
                "That is how the {third} encoder cuts it. What does the one asked for look at?",
            ),
            Mistake(
                "not-cut-at-all",
                list(word),
                "These are the characters. Do some of them make a token together?",
            ),
            Mistake(
                "last-merge-first",
                bpe.merge_in_order(word, merges[::-1]) if encoder == "BPE" else None,
                "That is what comes out when the merge learned last goes first.",
            ),
        ],
        hints=[
            "Write down the tokens that the merges make, longest first.",
            "Which of them occur in the word? Underline each; where two lines overlap, the encoder decides.",
            "BPE asks which was learned first, WordPiece what the word begins with, the third which is longest.",
        ],
        evidence=evidence,
        solution="{by_encoder}.",
        why="A vocabulary does not say how it is used: with the same tokens, another encoder cuts elsewhere.",
        figures=locals(),
    )


PROGRAMS = {  # how each settles ties, and what is said of it
    "tiktoken's teaching code": (
        "first-seen",
        "Of equals, it takes the pair that the text shows first.",
    ),
    "the tokenizers library": (
        "lowest-ids",
        "Of equals, it takes the smallest ids, first left, then right; ids go by the alphabet.",
    ),
    "subword-nmt": (
        "greatest",
        "It writes `</w>` into the last character of every word, so that `bun` is `b` `u` `n</w>`. Of equals, it takes "
        "the last pair by the alphabet, where `n</w>` stands right after `n`.",
    ),
}


def few_freqs(rng: Rng, most: int = 3) -> dict[str, int]:
    """A family of words that occur about equally often, so that there are ties."""
    return {word: rng.between(1, most) for word in rng.shuffle(rng.choice(FAMILIES))}


def tied_for_first(counts: dict[bpe.Pair, int]) -> list[bpe.Pair]:
    """The most frequent pairs, in the order of the text."""
    return [pair for pair in counts if counts[pair] == max(counts.values())]


@exercise(
    "compare-04",
    "The program's first merge",
    Merges(form="one merge, such as x+y", example='("x", "y")'),
    version=2,
)
def first_merge_of_a_program(rng: Rng) -> Question | None:
    words = rng.sample(sorted(sum(FAMILIES[:6], ())), 5)
    freqs = {word: rng.between(1, 3) for word in words}
    program = rng.choice([*PROGRAMS, "subword-nmt"])
    ended = {word: [*word[:-1], f"{word[-1]}</w>"] for word in words}
    symbols = sorted({*"".join(words), *(split[-1] for split in ended.values())})
    ids = {symbol: number for number, symbol in enumerate(symbols)}
    bare, marked = (bpe.pair_freqs(freqs, way) for way in (bpe.split_words(freqs), ended))
    views = dict.fromkeys(PROGRAMS, (bare, marked)) | {"subword-nmt": (marked, bare)}
    first, turned = (
        {name: bpe.best_pair(views[name][way], PROGRAMS[name][0], ids=ids) for name in PROGRAMS}
        for way in (0, 1)
    )
    counts = views[program][0]
    tied, (second, third) = tied_for_first(counts), others(list(PROGRAMS), program)
    rarer = {pair: count for pair, count in counts.items() if pair not in tied}
    letters = {"".join(pair).removesuffix("</w>") for pair in first.values()}
    if len(letters) < 3 or len(tied) < 2 or max(counts.values()) < 2:
        return None
    rule, number = PROGRAMS[program][1], len(tied)
    return Question(
        "Several pairs of this corpus share the first place. Which one does **{program}** merge first? "
        "{rule}\n\n{freqs:table}",
        answer=[first[program]],
        mistakes=[
            Mistake(
                "another-program",
                [first[second]],
                "That is what {second} takes, which goes by another rule.",
            ),
            Mistake(
                "the-third-program",
                [first[third]],
                "That is what {third} takes, which goes by another rule.",
            ),
            Mistake(
                "other-word-ends",
                [turned[program]] if turned[program] != first[program] else None,
                "That comes out when the end of a word is written as another program writes it. How does this one "
                "write the last character?",
            ),
            Mistake(
                "not-the-most-frequent",
                [bpe.best_pair(rarer)] if rarer else None,
                "Another pair occurs more often. A rule for ties only chooses among equals.",
            ),
        ],
        hints=[
            "Write each word as the program sees it, and count the pairs, each word as often as it occurs.",
            "Write the most frequent pairs in the order in which the text shows them, and then by the alphabet.",
            "There are {number} of them; the rule says which one is taken.",
        ],
        accept=lambda value: (
            [tuple(side.lower() for side in pair) for pair in value] == [first[program]]
        ),
        evidence=lambda value: (
            ""
            if value[0] == first[program][::-1]
            # the kind speaks of left and right
            else say(
                "{pair:tokens} occurs {count:times}, and the first place has {most}. But the rule takes another "
                "one. {rule}"
                if value[0] in tied
                else "{pair:tokens} occurs {count:times}, and the first place has {most}.",
                pair=value[0],
                count=counts.get(value[0], 0),
                most=max(counts.values()),
                rule=rule,
            )
        ),
        solution="In first place, in the order of the text: {tied:groups}. {rule}",
        why="All {number} pairs occur equally often, and only the rule for ties tells the programs apart.",
        figures=locals(),
    )


TIES: dict[str, tuple[str, Callable[[list[bpe.Pair]], bpe.Pair]]] = {
    "first": ("the pair that it saw first", lambda pairs: pairs[0]),
    "last": ("the pair that it saw last", lambda pairs: pairs[-1]),
    "smallest": ("the first pair by the alphabet", min),
    "greatest": ("the last pair by the alphabet", max),
}
OPPOSITE = {"first": "last", "last": "first", "smallest": "greatest", "greatest": "smallest"}


def merges_by_rule(freqs: dict[str, int], rule: str) -> list[bpe.Pair]:
    """The first three merges with a rule for ties."""
    splits, merges = bpe.split_words(freqs), []
    for _ in range(3):
        merges.append(TIES[rule][1](tied_for_first(bpe.pair_freqs(freqs, splits))))
        splits = bpe.merge_pair(merges[-1], splits)
    return merges


@exercise(
    "compare-05", "Another rule, another tokenizer", Choice(), points=2, level="transfer", core=True
)
def which_rule_for_ties(rng: Rng) -> Question | None:
    freqs, rule = few_freqs(rng, most=2), rng.choice(list(TIES))
    tied = tied_for_first(bpe.pair_freqs(freqs, bpe.split_words(freqs)))
    agreeing = [
        name for name in TIES if name != rule and TIES[name][1](tied) == TIES[rule][1](tied)
    ]
    if len(agreeing) != 1 or agreeing[0] == OPPOSITE[rule]:
        return None
    merges = {name: merges_by_rule(freqs, name) for name in (rule, *agreeing)}
    if merges[agreeing[0]] == merges[rule]:
        return None
    third = next(name for name in TIES if name not in (rule, OPPOSITE[rule], *agreeing))
    learned = merges[rule]
    return Question(
        "Somebody trained BPE on this corpus, the words in this order:\n\n{freqs:table}\n\nand "
        "got\n\n{learned:merges}\n\nWhich pair does their program take, if several are equally frequent?",
        answer=TIES[rule][0],
        mistakes=[
            Mistake(
                "only-the-first-merge",
                TIES[agreeing[0]][0],
                "That explains the first merge, but not all three. Go on with the words as they are after it.",
            ),
            Mistake(
                "opposite-end",
                TIES[OPPOSITE[rule]][0],
                "That is the opposite end. Look at the first merge.",
            ),
            Mistake(
                "another-order",
                TIES[third][0],
                "With that rule, even the first merge would be a different one.",
            ),
        ],
        hints=[
            "Which pairs share the first place before the first merge?",
            "Which rules would take the one that was taken? There is more than one.",
            "Write the words down after the first merge, and count again: the next merge decides.",
        ],
        solution="Equal before the first merge, in the order of the text: {tied:groups}.",
        why="Two rules agree on the first merge; only a later tie tells which of them it was.",
        figures=locals(),
    )


@exercise("compare-06", "Tokens per word", ROUNDED)
def tokens_per_word(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, low=2, high=9)
    model = bpe.train(freqs, num_merges=rng.between(1, 4))
    cut = {word: bpe.encode_word(word, model) for word in freqs}
    words, tokens = sum(freqs.values()), sum(freq * len(cut[word]) for word, freq in freqs.items())
    rows = table(
        "word | times | tokens",
        [(f"`{word}`", freq, as_tokens(cut[word])) for word, freq in freqs.items()],
    )
    some = max(freqs, key=lambda word: freqs[word] * len(cut[word]))
    return Question(
        "What is the fertility of this tokenizer on this corpus, in tokens per word? Give a fraction, or "
        "round to two decimals.\n\n{rows}",
        answer=Fraction(tokens, words),
        mistakes=[
            Mistake(
                "types-not-occurrences",
                Fraction(sum(map(len, cut.values())), len(cut)),
                "That is the fertility if every word were read once. How often is each cut?",
            ),
            Mistake(
                "words-per-token",
                Fraction(words, tokens),
                "That is words per token. What is divided by what?",
            ),
            Mistake(
                "tokens-per-character",
                Fraction(tokens, sum(freq * len(word) for word, freq in freqs.items())),
                "That is tokens per character, a good measure too. Per what is asked for?",
            ),
            Mistake(
                "different-tokens",
                Fraction(len({token for pieces in cut.values() for token in pieces}), words),
                "That counts different tokens. Does a token that is used again count again?",
            ),
            Mistake(
                "divided-by-types",
                Fraction(tokens, len(freqs)),
                "That is tokens per type. How many are read?",
            ),
            Mistake(
                "not-divided",
                tokens,
                "That is how many tokens there are. How many words do they come from?",
            ),
        ],
        hints=[
            "How many words are read in all, and how many tokens do they become?",
            "Each row counts as often as its word occurs.",
            "Add up times × number of tokens, and divide by the sum of the times.",
        ],
        evidence=lambda value: say(
            "`{some}` alone is read {freq:times} and becomes {size:token|tokens} each "
            "time, {product} in all. Divide the sum by the words.",
            some=some,
            freq=freqs[some],
            size=len(cut[some]),
            product=freqs[some] * len(cut[some]),
        ),
        solution="{tokens} tokens for {words} words.",
        why="Fertility weighs each word by how often it is read, so frequent words decide what a text costs.",
        figures=locals(),
    )


@cache
def tea_encoder(size: int) -> side_by_side.EncodeWord:
    """The tea text's tokenizer of a size, as the function that cuts a word."""
    lines = text.load_texts("parallel").values()
    model = bpe.train(
        text.word_freqs(line for language in lines for line in language), vocab_size=size
    )
    return lambda word: bpe.encode_word(word, model, method="lowest-rank")


@cache
def tea_bill(size: int, language: str, lines: int) -> side_by_side.Fertility:
    """What the first lines of the tea text become in one language."""
    words = text.word_freqs(text.load_texts("parallel")[language][:lines])
    return side_by_side.fertility(words, tea_encoder(size))


@exercise("compare-07", "Who pays how much?", ROUNDED, core=True, version=2)
def who_pays_how_much(rng: Rng) -> Question | None:
    size, lines = rng.choice((320, 400, 500, 600)), rng.between(8, 26)
    language = rng.choice(("Russian", "Chinese", "Burmese"))
    english, other = (tea_bill(size, name, lines) for name in ("English", language))
    rows = table(
        "language | words | characters | tokens",
        [
            (name, bill.words, bill.characters, bill.tokens)
            for name, bill in (("English", english), (language, other))
        ],
    )
    price, unit = other.tokens, english.tokens
    return Question(
        "The same {lines} sentences, in two languages, through one tokenizer with {size} "
        "tokens:\n\n{rows}\n\nA bill goes by the token. How many times the price of English does {language} "
        "cost? Give a fraction, or round to two decimals.",
        answer=Fraction(other.tokens, english.tokens),
        mistakes=[
            Mistake(
                "per-word",
                Fraction(other.tokens * english.words, other.words * english.tokens),
                "That compares tokens per word. Is a word the same amount of content in both languages?",
            ),
            Mistake(
                "per-character",
                Fraction(other.tokens * english.characters, other.characters * english.tokens),
                "That compares tokens per character. Is a character the same amount of content in both languages?",
            ),
            Mistake(
                "other-way-round",
                Fraction(english.tokens, other.tokens),
                "That is the price of English, if {language} is the unit. Which is the unit here?",
            ),
            Mistake(
                "characters-billed",
                Fraction(other.characters, english.characters),
                "That compares the characters. What is on the bill?",
            ),
            Mistake(
                "words-billed",
                Fraction(other.words, english.words),
                "That compares the words. What is billed?",
            ),
            Mistake(
                "difference",
                abs(other.tokens - english.tokens),
                "That is the difference in tokens. How many times as many are they?",
            ),
            Mistake(
                "share-more",
                Fraction(price - unit, unit) if price > unit else None,
                "That is how much more it costs. How many times the price is that in all?",
            ),
        ],
        hints=[
            "The content is the same in both rows. What is paid for?",
            "Only one column of the table is on the bill.",
            "Divide one language's tokens by those of the other; English is the unit.",
        ],
        evidence=lambda value: say(
            "At that price, {language} would have {price:,.0f} tokens. How many does the table "
            "give it?",
            language=language,
            price=float(value * english.tokens),
        ),
        solution="{price} tokens against {unit}.",
        why="The sentences say the same, so tokens can be compared directly; words and characters cannot.",
        figures=locals(),
    )


@exercise(
    "compare-17",
    "Bits per byte",
    Number(
        digits=2,
        form="a number with two decimals, such as 0.75, or a fraction such as 3/4",
        example="0.75",
    ),
    points=2,
)
def bits_per_byte(rng: Rng) -> Question | None:
    size = 100 * rng.between(20, 90)
    fine, coarse = 10 * size // rng.between(12, 16), 10 * size // rng.between(40, 55)
    worse, better = rng.shuffle("AB")
    low, high = rng.between(4, 6), rng.between(8, 9)
    answer, other = Fraction(high * coarse, size), Fraction(low * fine, size)
    models = table(
        "model | tokens of the text | perplexity per token",
        sorted([(worse, f"{fine:,}", 2**low), (better, f"{coarse:,}", f"{2**high:,}")]),
    )
    total = high * coarse
    return Question(
        "Two language models with tokenizers of their own have read the same text of {size:,} bytes:\n\n{models}\n\n"
        "A perplexity of 2 to the power n is n bits. How many bits per byte does the better model need? Give a "
        "fraction, or round to two decimals.",
        answer=answer,
        mistakes=[
            Mistake(
                "lower-perplexity",
                other,
                "These are the bits of the model with the smaller perplexity. How many tokens does it need?",
            ),
            Mistake(
                "bits-per-token",
                high,
                "These are bits for each of model {better}'s tokens. How many bytes is such a token, on average?",
            ),
            Mistake(
                "other-bits-per-token",
                low,
                "These are bits for each of model {worse}'s tokens. How many bytes is such a token, on average?",
            ),
            Mistake(
                "bytes-per-token",
                Fraction(size, coarse),
                "These are model {better}'s bytes per token. How many bits does such a token cost?",
            ),
            Mistake(
                "no-logarithm",
                Fraction(2**high * coarse, size),
                "This multiplies the tokens by the perplexity itself. How many bits is it?",
            ),
            Mistake(
                "other-way-round",
                Fraction(size, total),
                "These are bytes per bit. Which of the two is to be divided?",
            ),
            Mistake(
                "wrong-tokens",
                Fraction(high * fine, size),
                "Each token of model {worse} costs as many bits as one of model {better} here. What does it cost?",
            ),
            Mistake(
                "bits-of-the-text",
                total,
                "These are the bits for the whole text. How many are that for a byte?",
            ),
            Mistake(
                "other-bits-of-the-text",
                low * fine,
                "These are model {worse}'s bits for the whole text. Which model is asked for, and for how many bytes?",
            ),
            Mistake(
                "tokens-per-byte",
                Fraction(coarse, size),
                "These are model {better}'s tokens per byte. How many bits does a token cost?",
            ),
            Mistake(
                "difference",
                abs(other - answer) if abs(abs(other - answer) - answer) > 0.02 else None,
                "That is how far the two models are apart. How many bits does the better one need?",
            ),
            Mistake(
                "natural-logarithm",
                float(answer) * 0.6931,
                "That takes the natural logarithm. To which base are bits counted?",
            ),
        ],
        hints=[
            "A perplexity is per token, and the tokens of the two models are not equally long.",
            "How many bits does each model need for the whole text?",
            "Bits per token, times tokens, divided by bytes; then compare the two results.",
        ],
        evidence=lambda value: say(
            "This is how many times as many bits model {worse} needs. How many does model {better} need for a byte?"
            if round(float(value), 2) == round(float(other / answer), 2)
            else "Model {worse} needs {bits:,} bits for the whole text. And model {better}?",
            worse=worse,
            better=better,
            bits=low * fine,
        ),
        solution="Model {better}: {coarse:,} tokens of {high} bits are {total:,} bits, for {size:,} bytes.",
        why="Every model has to write the same bytes, so bits per byte compare them; a token is another unit in each.",
        figures=locals(),
    )


@exercise("compare-18", "A picture in tokens", Number())
def picture_in_tokens(rng: Rng) -> Question | None:
    patch, in_a_row = rng.choice([14, 16, 32]), rng.between(6, 40)
    side, answer = patch * in_a_row, in_a_row**2
    if in_a_row == patch:  # then a square has as many pixels as the picture has squares
        return None
    return Question(
        "A Vision Transformer cuts a picture of {side} by {side} pixels into squares of {patch} by {patch} pixels. "
        "Each square becomes one token. How many tokens is the picture?",
        answer=answer,
        mistakes=[
            Mistake(
                "one-row",
                in_a_row,
                "That many squares stand in one row. How many rows are there?",
            ),
            Mistake(
                "two-edges",
                2 * in_a_row,
                "These are the squares along two edges. How many are there inside?",
            ),
            Mistake(
                "pixels",
                side**2,
                "These are the pixels. How many of them does one square hold?",
            ),
            Mistake(
                "pixels-of-a-square",
                patch**2,
                "That many pixels make one square. How many squares make the picture?",
            ),
            Mistake(
                "class-token",
                answer + 1,
                "Some models put one more token in front. How many come from the picture?",
            ),
            Mistake(
                "divided-once",
                side**2 // patch,
                "These are the pixels of the picture, divided by {patch}. How many pixels does one square hold?",
            ),
            Mistake(
                "three-colors",
                3 * answer,
                "That is three tokens for each square. Does a square become a token for each of its colors?",
            ),
            Mistake(
                "one-row-fewer",
                in_a_row * (in_a_row - 1),
                "That has a row, or a column, fewer. How often does {patch} go into {side}?",
            ),
            Mistake(
                "side",
                side,
                "That is the side of the picture in pixels. How many squares stand along it?",
            ),
            Mistake(
                "side-of-a-square",
                patch,
                "That is the side of a square in pixels. How many squares are there?",
            ),
        ],
        hints=[
            "How many squares fit side by side into one row?",
            "There are as many rows as there are squares in a row.",
            "Multiply squares in a row by rows.",
        ],
        evidence=lambda value: say(
            "That many squares hold {pixels:,} pixels. How many does the picture have?",
            pixels=int(value) * patch**2,
        ),
        solution="{side} / {patch} = {in_a_row} squares in a row, and {in_a_row} rows: {answer} tokens.",
        why="Twice the length and width are four times the tokens, so a sharp picture costs as much as a long text.",
        figures=locals(),
    )


@exercise("compare-08", "Whose vocabulary is larger?", Ordering(), points=2)
def whose_vocabulary_is_larger(rng: Rng) -> Question | None:
    letters, merges = 10 * rng.between(4, 25), 50 * rng.between(4, 16)
    byte_merges, joined = merges + 10 * rng.between(-20, 20), merges + 10 * rng.between(-15, 15)
    initial, rounds, drop = (
        100 * rng.between(12, 30),
        rng.between(3, 6),
        rng.choice((10, 15, 20, 25)),
    )
    left = linear = initial
    for _ in range(rounds):
        before, left, linear = left, left - left * drop // 100, linear - initial * drop // 100
    sizes = {
        "BPE": letters + merges,
        "byte-level-BPE": byte_merges + 256,
        "WordPiece": 2 * letters + joined,
        "Unigram": left,
    }

    def order(**changed: int) -> list[str]:
        return sorted(sizes, key=lambda name: {**sizes, **changed}[name])

    wrong = {
        "characters-counted-once": order(WordPiece=letters + joined),
        "same-number-every-round": order(Unigram=linear),
        "start-of-unigram": order(Unigram=initial),
        "bytes-forgotten": order(**{"byte-level-BPE": byte_merges}),
    }
    plain = [way for name, way in wrong.items() if name != "start-of-unigram"]
    right, largest = order(), sorted(sizes.values())
    if min(b - a for a, b in zip(largest, largest[1:], strict=False)) < 6 or right in plain:
        return None
    if len(set(map(tuple, plain))) < 3:
        return None
    by_name = "\n".join(f"- {name}: {size}" for name, size in sizes.items())
    return Question(
        "Put these four in order by the size of their vocabulary, the smallest first. No token is made "
        "twice, and there are no special tokens.\n\n- **BPE**: {letters} characters, and {merges} merges\n- "
        "**byte-level-BPE**: {byte_merges} merges\n- **WordPiece**: {letters} characters, each with and "
        "without `##`, and {joined} merges\n- **Unigram**: {initial} pieces, and {rounds} rounds that "
        "remove {drop}% of what is left (rounded down)\n",
        answer=right,
        listed=rng.shuffle(right),
        mistakes=[
            Mistake(
                "characters-counted-once",
                wrong["characters-counted-once"],
                "That is the order if WordPiece held each character once. How many tokens are `u` and `##u`?",
            ),
            Mistake(
                "bytes-forgotten",
                wrong["bytes-forgotten"],
                "That is the order if byte-level BPE began with nothing. What does it begin with?",
            ),
            Mistake(
                "same-number-every-round",
                wrong["same-number-every-round"],
                "That is the order if Unigram removed the same number in every round. Of what is the share taken?",
            ),
            Mistake(
                "start-of-unigram",
                wrong["start-of-unigram"],
                "That is the order if Unigram kept all it begins with. What do the rounds do?",
            ),
            Mistake(
                "one-round-too-few",
                None if (short := order(Unigram=before)) == right else short,
                "That is the order if Unigram went through one round fewer. How many are there?",
                rare=True,
            ),
            Mistake(
                "largest-first",
                right[::-1],
                "That is the right order, backwards: the smallest comes first.",
            ),
        ],
        hints=[
            "What is in each vocabulary before the first step?",
            "BPE and WordPiece add a token a merge; Unigram takes tokens away.",
            "For Unigram, go round by round: what is left is the whole of which the next share is taken.",
        ],
        evidence=lambda value: next(
            say("`{a}` comes before `{b}` in yours. How many tokens does each have?", a=a, b=b)
            for a, b in pairwise(value)
            if sizes[a] > sizes[b]
        ),
        solution="{by_name}",
        why="What a vocabulary begins with, characters, bytes or far too many pieces, counts as much as training.",
        figures=locals(),
    )


def lost_by_character(word: str, known: set[str]) -> list[str]:
    """The word if it is known; else its characters, each that is not known as `[UNK]`."""
    return (
        [letter if letter in known else "[UNK]" for letter in word] if set(word) - known else [word]
    )


def lost_by_run(word: str, known: set[str]) -> list[str]:
    """The same, with one `[UNK]` for a run of characters that are not known."""
    tokens = lost_by_character(word, known)
    return [
        token
        for token, before in zip(tokens, ["", *tokens], strict=False)
        if token != "[UNK]" or before != token
    ]


UNKNOWN: dict[str, tuple[str, Callable[[str, set[str]], list[str]]]] = {
    "WordPiece": (
        "In WordPiece, the whole word is lost.",
        lambda word, known: ["[UNK]"] if set(word) - known else [word],
    ),
    "BPE with an unknown token": (
        "In BPE with an unknown token, each character is lost by itself.",
        lost_by_character,
    ),
    "SentencePiece": ("In SentencePiece, a run of characters is lost together.", lost_by_run),
    "tokenizers' BPE without an unknown token": (
        "In tokenizers' BPE without an unknown token, characters are silently left out, and then what is left "
        "is merged.",
        lambda word, known: ["".join(filter(known.__contains__, word))],
    ),
}
KNOWN = (
    ("hug", "gun", "tea", "sun", "ant"),
    ("кот", "дом", "лес", "чай"),
    ("茶叶", "中国", "饮料"),
)
STRANGE = (("éö", "ñç", "øß", "жщ"), ("їґ", "ўѣ", "th"), ("猫狗", "ああ", "ok"))


@exercise(
    "compare-09",
    "What is lost, and how much",
    Tokens(example='["tea", "h", "[UNK]", "g"]'),
    level="recall",
    core=True,
)
def what_is_lost(rng: Rng) -> Question | None:
    which = rng.below(len(KNOWN))
    whole = rng.sample(KNOWN[which], 2)
    place = rng.between(1, len(whole[1]) - 1) if len(whole[1]) > 2 else 1
    words = rng.shuffle(
        [whole[0], whole[1][:place] + rng.choice(STRANGE[which]) + whole[1][place:]]
    )
    known = {*whole[0], *whole[1]}
    order = (
        "In BPE, merges make each of the two words, beginning at its left end."
        if place == 1
        else "In BPE, merges make each of the two words, beginning at its right end."
    )
    tokens = {
        name: [token for word in words for token in lose(word, known)]
        for name, (_, lose) in UNKNOWN.items()
    }
    program = rng.choice(list(UNKNOWN))
    characters, fate = sorted(known), UNKNOWN[program][0]
    return Question(
        "A vocabulary holds the words {whole:tokens} and the characters {characters:tokens}, and no "
        "others. (Marks are left out. {order}) Which tokens does **{program}** make of\n\n{words:tokens} "
        "?\n\nWrite `[UNK]` for the unknown token.",
        answer=tokens[program],
        mistakes=[
            *(
                Mistake(
                    f"as-in-another-program-{number}",
                    tokens[name],
                    say("{fate} And what does the program in question do?", fate=UNKNOWN[name][0]),
                )
                for number, name in enumerate(others(list(UNKNOWN), program), 1)
            ),
            Mistake(
                "left-out-and-not-merged",
                [
                    token
                    for word in words
                    for token in lost_by_character(word, known)
                    if token != "[UNK]"
                ],
                "Here the strange characters are left out, and the others stay apart. Which program leaves "
                "anything out? And what do merges find when something between two characters is gone?",
            ),
            Mistake(
                "passed-through",
                words,
                "Here the strange characters are still there. Do they have a token?",
            ),
            Mistake(
                "word-dropped",
                [whole[0]],
                "One word has left no trace here. Which of its characters are known, and what does this program do "
                "with the others?",
            ),
            Mistake(
                "rest-lost",
                [
                    token
                    for word in words
                    for token in ([word] if word in whole else [*whole[1][:place], "[UNK]"])
                ],
                "Nothing comes after the strange characters here. What follows them in the word?",
            ),
            Mistake(
                "known-word-in-characters",
                [
                    token
                    for word in words
                    for token in (word if word in whole else UNKNOWN[program][1](word, known))
                ]
                if program != "BPE with an unknown token"
                else None,
                "The strange word is right, but the known one is cut up. Is it in the vocabulary?",
            ),
            Mistake(
                "everything-in-characters",
                [
                    token
                    for word in words
                    for letter in word
                    for token in UNKNOWN["BPE with an unknown token"][1](letter, known)
                ],
                "Here the known word is cut up, too. Is it in the vocabulary?",
            ),
        ],
        evidence=lambda value: next(
            (
                say(
                    "`{token}` holds a character that has no token. What becomes of it here?",
                    token=token,
                )
                for token in value
                if token != "[UNK]" and not known.issuperset(token)
            ),
            "",
        ),
        hints=[
            "One of the two words is in the vocabulary as it is; nothing happens to it.",
            "How large is what gets lost in this program: a character, a run of them, the word, or does it vanish?",
            "Mark the characters that the vocabulary lacks, replace or leave out, and only then merge.",
        ],
        solution="{fate}",
        why="{fate} The other word is a token as it stands.",
        figures=locals(),
    )


@exercise("compare-10", "When nothing is frequent any more", Number(), points=2)
def when_pairs_are_rare(rng: Rng) -> Question | None:
    freqs = word_freqs(rng, low=1, high=9)
    steps = list(bpe.train_steps(freqs, num_merges=100))
    least = steps[rng.between(1, 5)].count + rng.below(2)
    frequent = [step for step in steps if step.count >= least]
    letters, counts = len(set("".join(freqs))), bpe.pair_freqs(freqs, bpe.split_words(freqs))
    answer = letters + len(frequent)
    if (
        len(frequent) not in range(2, min(7, len(steps)))
        or any(step.tied for step in frequent)
        or (answer == steps[0].count)
    ):  # of which is told
        return None
    at_first = sum(count >= least for count in counts.values())
    often = sum(freq >= least for freq in freqs.values())
    used = len(set().union(*frequent[-1].splits.values()))
    by_merge = ", ".join(str(step.count) for step in steps)
    merges, next_count = len(frequent), steps[len(frequent)].count
    return Question(
        "BPE is trained on this corpus by a program that stops when no pair occurs at least {least} times. "
        "How many tokens does the vocabulary hold then, characters included?\n\n{freqs:table}",
        answer=answer,
        mistakes=[
            Mistake(
                "until-none-is-left",
                letters + len(steps),
                "That is the size when no pair is left. When does it stop?",
            ),
            Mistake(
                "merges-only",
                len(frequent),
                "That is the number of merges. What was there before the first?",
            ),
            Mistake(
                "characters-only",
                letters,
                "That is the number of characters. Are there no frequent pairs?",
            ),
            Mistake(
                "counted-once-only",
                letters + at_first,
                "That is a merge for each pair that is frequent enough at the beginning. Is each of them, when its "
                "turn comes?"
                if at_first != merges + 1
                else "That takes in a merge more. A pair may be frequent enough at the beginning, and too rare when "
                "its turn comes: is this one?",
            ),
            Mistake(
                "more-than-the-least",
                letters + sum(step.count > least for step in frequent)
                if frequent[-1].count == least
                else None,
                "That is the size if a pair that occurs just as often as the question says were too rare already. "
                "Is it?",
            ),
            Mistake(
                "one-merge-fewer",
                answer - 1 if merges > 1 else None,
                "That stops a merge early. How often does the next pair occur?",
            ),
            Mistake(
                "characters-each-time",
                len("".join(freqs)) + merges,
                "That counts a character as often as it is written. How many different ones are there?",
            ),
            Mistake(
                "only-what-is-used",
                used if used != answer else None,
                "That is how many different tokens the words consist of at the end. Does the vocabulary lose a token "
                "that was merged with another?",
            ),
            Mistake(
                "words-that-are-frequent",
                letters + often if often != merges else None,
                "That adds the words that are frequent enough. What does a merge join, and in how many words may "
                "that stand?",
            ),
            Mistake(
                "every-pair-a-token",
                letters + len(counts) if len(counts) != merges else None,
                "That adds every pair of the beginning. Which of them become tokens?",
            ),
        ],
        hints=[
            "How many different characters are there? They are in the vocabulary before the first merge.",
            "Merge the most frequent pair, write the words down again, count again.",
            "Before each merge, look at the count of the best pair: is it still high enough?",
        ],
        evidence=lambda value: say(
            "Even before the first merge there are {letters} characters."
            if value < letters
            else "There are {letters} characters, and the first merge joins a pair that occurs "
            "{count:times}. How many merges follow before the best pair is too rare?",
            letters=letters,
            count=frequent[0].count,
        ),
        solution="The counts of the best pairs, merge by merge: {by_merge}.",
        why="After {merges} merges the best pair occurs {next_count:times}, which is too rare.",
        figures=locals(),
    )


@exercise("compare-11", "The way down", Number())
def the_way_down(rng: Rng) -> Question | None:
    initial, size, drop = (
        100 * rng.between(10, 40),
        50 * rng.between(4, 12),
        rng.choice((10, 20, 25, 30)),
    )
    left = [initial]
    while left[-1] > size:
        left.append(max(left[-1] - max(1, left[-1] * drop // 100), size))
    rounds, linear = len(left) - 1, -(-(initial - size) // (initial * drop // 100))
    upward, number = size, 0
    while upward < initial:
        upward, number = upward + upward * drop // 100, number + 1
    if rounds < 3 or rounds - 1 in (linear, number) or linear == number:
        return None
    by_round = ", ".join(map(str, left[1:]))
    return Question(
        "Unigram starts from {initial} tokens and removes {drop}% of what is left in each round (rounded "
        "down), in the last round only as many as it takes to arrive at {size}. How many rounds is that?",
        answer=rounds,
        mistakes=[
            Mistake(
                "same-number-every-round",
                linear,
                "That is the number of rounds if each removed as many as the first. Of what is the share taken?",
            ),
            Mistake(
                "one-round-short",
                rounds - 1,
                "Then there are still too many tokens. Does a short round count?",
            ),
            Mistake(
                "from-below",
                number,
                "That many rounds lead from the small vocabulary up to the large one. Of which number does each round "
                "take its share?",
            ),
            Mistake(
                "tokens-not-rounds",
                initial - size,
                "That is how many tokens go. In how many rounds?",
            ),
            Mistake(
                "one-round-more",
                rounds + 1,
                "Was the start counted as a round, or one more after {size} were left?",
            ),
            Mistake(
                "rounds-not-whole",
                Fraction(100 * (initial - size), initial * drop),
                "That is for rounds that each remove as many as the first. Of what is the share taken?",
            ),
            Mistake(
                "divided-by-the-percentage",
                Fraction(initial - size, drop)
                if rounds not in (drop, (initial - size) / drop)
                else None,
                "The tokens that go were divided by {drop}. How many tokens are {drop}% of what is left?",
            ),
            Mistake(
                "percent-of-the-way",
                Fraction(100 * (initial - size), initial),
                "That is how many percent of the tokens go. In how many rounds?",
            ),
        ],
        hints=[
            "BPE comes from below, Unigram from above: begin with the large number.",
            "Write down what is left after each round.",
            "Go on until what is left would fall below the wanted size; that round counts too.",
        ],
        evidence=lambda value: say(
            "After the first round {first} are left, after the second {second}. Go on.",
            first=left[1],
            second=left[2],
        ),
        solution="What is left after each round: {by_round}.",
        why="A share of what is left gets smaller from round to round, so the way down slows.",
        figures=locals(),
    )


TRUE = (
    (
        "all that WordPiece needs to encode is its vocabulary",
        "Its encoder looks up beginnings of words, and nothing else.",
    ),
    (
        "a Unigram model can always list the ways to cut a word, the best first",
        "Every way has a probability, so they can be listed in order.",
    ),
    (
        "every BPE file of merges has to keep them in order",
        "Encoding replays them, the first one first.",
    ),
    (
        "in Unigram training, every round of pruning leaves fewer tokens",
        "It begins with far too many and prunes.",
    ),
    (
        "byte-level BPE writes every text without an unknown token",
        "Every text is made of 256 bytes.",
    ),
    (
        "two programs that both do BPE can learn different merges from one corpus",
        "They may settle ties differently.",
    ),
    (
        "the compression-style encoder never looks at the merges",
        "It takes the longest token that occurs.",
    ),
    (
        "a pair can be frequent and have a low WordPiece score",
        "Its two parts may be frequent everywhere.",
    ),
    (
        "the same text can cost more tokens in one language than in another",
        "The vocabulary was trained on more of one of them.",
    ),
)
FALSE = (
    (
        "BPE removes the two parts of a merge from its vocabulary",
        "The parts stay: rare words are spelled with them.",
    ),
    (
        "the WordPiece score is always highest for the most frequent pair",
        "The score divides the count by those of both parts.",
    ),
    (
        "Unigram needs its list of merges to encode",
        "It has no merges; it needs the losses of its tokens.",
    ),
    (
        "BPE's encoder always takes the longest token that fits",
        "It replays merges; a longer token may lose to an earlier merge.",
    ),
    (
        "an unknown character makes a whole word unknown in every tokenizer",
        "That is so in WordPiece; others lose only the character.",
    ),
    (
        "the trainer of the tokenizers library decides ties by the order of the text",
        "It takes the smallest ids.",
    ),
    (
        "a large vocabulary makes all languages equally cheap",
        "What was not trained on stays in pieces, however large it is.",
    ),
)


@exercise("compare-12", "One of these is false", Choice(), level="recall", version=2)
def one_is_false(rng: Rng) -> Question | None:
    (false, reason), true = rng.choice(FALSE), rng.sample(TRUE, 3)
    return Question(
        "Three of these statements are true. Which one is **false**?",
        answer=false,
        mistakes=[
            Mistake(
                f"doubted-a-true-statement-{number}",
                statement,
                say("This is true. {because}", because=because),
            )
            for number, (statement, because) in enumerate(true, 1)
        ],
        hints=[
            "On which small corpus could you try each statement?",
            "Cross out what you have seen happen in one of the lessons.",
            "For each statement, look for one example against it. Only the false one has any.",
        ],
        solution="{reason}",
        why="{reason}",
        figures=locals(),
    )


MAKERS = {
    ("count", "first-seen"): "by count (BPE); of equal pairs, the one seen first",
    ("count", "greatest"): "by count (BPE); of equal pairs, the last by the alphabet",
    ("score", "first-seen"): "by score (WordPiece); of equal pairs, the one seen first",
    ("score", "greatest"): "by score (WordPiece); of equal pairs, the last by the alphabet",
}
SWITCHED = {"count": "score", "score": "count", "first-seen": "greatest", "greatest": "first-seen"}


@exercise("compare-13", "From tokens alone", Choice(), points=3, level="transfer", core=True)
def from_tokens_alone(rng: Rng) -> Question | None:
    freqs, number = few_freqs(rng), rng.between(3, 5)
    trainers: dict[str, Callable] = {"count": bpe.train_steps, "score": wordpiece.train_steps}
    steps = {
        (rate, ties): list(trainers[rate](freqs, num_merges=number, ties=ties))
        for rate, ties in MAKERS
    }
    cuts = {
        maker: [
            "|".join(token.removeprefix("##") for token in split)
            for split in made[-1].splits.values()
        ]
        for maker, made in steps.items()
    }
    if len(set(map(tuple, cuts.values()))) < 4:
        return None
    measure, rule = maker = rng.choice(list(MAKERS))
    rows = table(
        "times | tokens",
        [(freq, as_tokens(cut.split("|"))) for freq, cut in zip(freqs.values(), cuts[maker])],
    )
    decided = ", ".join(
        say(
            "{pair:tokens} ({value}, tied)" if step.tied else "{pair:tokens} ({value})",
            pair=step.pair,
            value=getattr(step, "score", step.count),
        )
        for step in steps[maker]
    )
    return Question(
        "Nothing is left of a tokenizer but how it cut its own corpus, in this order, after {number} "
        "merges, and without marks:\n\n{rows}\n\nHow did it choose its pairs?",
        answer=MAKERS[maker],
        mistakes=[
            Mistake(
                "right-measure-wrong-rule",
                MAKERS[measure, SWITCHED[rule]],
                "What this says about count and score fits. But with that rule for ties one of the words would be "
                "cut elsewhere.",
            ),
            Mistake(
                "right-rule-wrong-measure",
                MAKERS[SWITCHED[measure], rule],
                "The rule for ties fits, the measure does not. Compare a pair that was merged with a more "
                "frequent, or a rarer one.",
            ),
            Mistake(
                "both-wrong",
                MAKERS[SWITCHED[measure], SWITCHED[rule]],
                "Neither fits. Begin with the tokens that are longest: how often do their parts occur elsewhere?",
            ),
        ],
        hints=[
            "Put the tokens together again: these are the words, and you know how often each occurs.",
            "Which pairs of characters are most frequent? If rare ones were joined instead, it was not the count.",
            "Once you know the measure, find a place where two pairs are equal, and see which of them was taken.",
        ],
        solution="The merges, with what decided them: {decided}.",
        why="Count and score want different pairs, and a tie shows which rule settles it.",
        figures=locals(),
    )
