"""The exercises of lesson 00: what a tokenizer does before, after and instead of learning."""

import re
from fractions import Fraction
from itertools import pairwise

from ... import text
from .. import Choice, Mistake, Number, Ordering, Question, Rng, Text, Tokens, exercise, prediction
from ..words import say
from .corpora import word_freqs


def words_of(string: str, scheme: str = "whitespace") -> list[str]:
    """The words of a text, without their offsets."""
    return [word for word, _ in text.pre_tokenize(string, scheme)]


@exercise("text-01", "What does the report cost?", Number(unit="cents"), core=True)
def price_of_a_report(rng: Rng) -> Question | None:
    words, letters, price = 10_000 * rng.between(2, 9), rng.between(5, 7), rng.between(1, 3)
    per_ten = rng.choice([12, 13, 14, 16, 17, 19, 23, 29, 34, 47])
    tokens = words * per_ten // 10
    return Question(
        "A report has {words:,} words with {letters} characters each, on average. The tokenizer makes {per_ten} "
        "tokens of every 10 words, and 1,000 tokens cost {price:cent|cents}. How many cents does the report cost?",
        answer=tokens * price // 1000,
        mistakes=[
            Mistake(
                "billed-by-the-word",
                words * price // 1000,
                "That would be the bill if every word were one token. How many tokens are ten words?",
            ),
            Mistake(
                "billed-by-the-character",
                words * letters * price // 1000,
                "That would be the bill if every character were a token. What is billed here?",
            ),
            Mistake(
                "price-of-one-token",
                tokens * price,
                "This would be the bill if a single token cost that much. How many tokens cost that?",
            ),
            Mistake(
                "ten-words-taken-as-one",
                words * per_ten * price // 1000,
                "This would be the bill if each word became {per_ten} tokens. How many words become {per_ten} tokens?",
            ),
            Mistake(
                "tokens-not-cents",
                tokens,
                "This is how many tokens the report has. What do they cost?",
            ),
            Mistake(
                "thousands-not-priced",
                tokens // 1000 if price > 1 else None,
                "This is how many thousands of tokens there are. What does each thousand cost?",
            ),
            Mistake(
                "letters-multiplied-in",
                tokens * price // 1000 * letters,
                "The length of the words was multiplied in. What is billed here?",
            ),
            Mistake(
                "divided-by-the-tokens",
                Fraction(words * price, 100 * per_ten),
                "That divides by the tokens of a word. Do {per_ten} tokens of ten words make a text longer or shorter?",
            ),
            Mistake(
                "not-in-cents",
                Fraction(tokens * price, 100_000),
                "That is the bill in a coin of 100 cents. How many cents is it?",
            ),
        ],
        hints=[
            "What is billed: words, characters or tokens?",
            "First find out how many tokens the report is.",
            "Words times the tokens of one word, then divided by a thousand, then times the price.",
        ],
        evidence=lambda value: (
            ""
            if value >= tokens
            else (
                say(
                    "For that bill, the report would have to be {length:,.0f} tokens long. How long is it?",
                    length=float(value) * 1000 / price,
                )
            )
        ),
        solution="The report is {tokens:,} tokens long. How long its words are makes no difference.",
        why="The bill counts tokens, and neither words nor characters: the tokenizer decides how many there are.",
        figures=locals(),
    )


OPENINGS = ("Don't", "We'll", "I can't", "She won't", "They'll", "I'd", "You'd", "Let's")
MIDDLES = (
    "say that",
    "stop here",
    "see it all",
    "pay by the token",
    "count to ten",
    "go home now",
    "like tea",
)
ENDINGS = ("?!", "...", "!!", "!?", "??")
SCHEMES = ("split", "whitespace", "byte-level", "metaspace")


def sentence(rng: Rng) -> str:
    """A sentence with an apostrophe, and with several marks at its end."""
    return f"{rng.choice(OPENINGS)} {rng.choice(MIDDLES)}{rng.choice(ENDINGS)}"


WORDS = Tokens(example='["Yes", "!"]', form='words, such as ["Yes", "!"] or Yes | !')


@exercise("text-02", "Before you run it", prediction(WORDS), core=True)
def words_of_a_sentence(rng: Rng) -> Question | None:
    string = sentence(rng)
    return Question(
        "Which words does the scheme `whitespace` make of this? Say it first, then run "
        'it.\n\n```\ntext.pre_tokenize({string!r}, "whitespace")\n```\n\nThe words are enough; leave the offsets '
        "out.",
        answer=words_of(string),
        mistakes=[
            Mistake(
                "split-at-spaces",
                string.split(),
                "These are the words between the spaces, as `split` gives them. This scheme also cuts where word "
                "characters meet other signs.",
            ),
            Mistake(
                "punctuation-dropped",
                re.findall(r"\w+", string),
                "The punctuation is gone. Only white space disappears; what becomes of everything else?",
            ),
            Mistake(
                "apostrophe-is-a-letter",
                re.findall(r"[\w']+|[^\w\s']+", string),
                "The apostrophe stays in its word here. Is it a letter, a digit or a connector such as `_`?",
            ),
            Mistake(
                "one-mark-at-a-time",
                words_of(string, "bert"),
                "These are BERT's words: every mark by itself. What does `whitespace` do with a run of marks?",
            ),
            Mistake(
                "marks-joined-to-the-word",
                re.findall(r"\w+|'\w+|[^\w\s]+", string),
                "The apostrophe goes with the letters after it here. Which characters may stand together in a "
                "word?",
            ),
            Mistake(
                "spaces-kept",
                words_of(string, "byte-level"),
                "These are the words of `byte-level`. What does `whitespace` do with spaces?",
            ),
        ],
        hints=[
            "Which characters are word characters, and which are neither that nor space?",
            "A word is a run of word characters, or a run of anything else that is not space.",
            "Is the apostrophe a word character? And do the marks at the end form one run, or several?",
        ],
        solution="Runs of word characters and runs of other signs; white space is dropped.",
        why="A cut falls wherever word characters and other signs meet, and white space only separates.",
        figures=locals(),
    )


@exercise("text-03", "Which scheme was it?", Choice(), level="recall")
def which_scheme(rng: Rng) -> Question | None:
    string, scheme = sentence(rng), rng.choice(SCHEMES)
    return Question(
        "Somebody cut the text `{string}` into these words:\n\n{words:tokens}\n\nWhich scheme did they use?",
        answer=scheme,
        mistakes=[
            Mistake(
                f"other-scheme-{number}",
                name,
                say("`{name}` gives {words:tokens}.", name=name, words=words_of(string, name)),
            )
            for number, name in enumerate((name for name in SCHEMES if name != scheme), 1)
        ],
        hints=[
            "What has become of the spaces?",
            "What has become of the apostrophe, and of the marks at the end?",
            "A space may be dropped, or be written as a sign in front of a word: which sign is it?",
        ],
        solution="Two of the schemes drop the spaces: one of them cuts punctuation off, the other does not. Two "
        "keep the spaces, one as `Ġ` and one as `▁`.",
        why="What becomes of spaces, apostrophes and marks at the end tells the four schemes apart.",
        figures=locals() | {"words": words_of(string, scheme)},
    )


NOUNS = (
    ("the", "cat", "dog", "bird", "fish"),
    ("a", "king", "queen", "ring", "song"),
    ("my", "tea", "cup", "pot", "milk"),
    ("кот", "дом", "пёс", "лес", "сад"),
    ("мой", "чай", "мёд", "сок", "суп"),
)


@exercise("text-04", "Types and occurrences", Number(), level="recall", core=True)
def types_of_a_text(rng: Rng) -> Question | None:
    some = rng.choice(NOUNS)
    drawn = [rng.choice(some[: rng.between(3, 5)]) for _ in range(rng.between(7, 11))]
    string = " ".join([some[0].capitalize(), *drawn, some[0]])
    freqs = text.word_freqs([string])
    repeated = [word for word, count in freqs.items() if count > 1]
    return Question(
        "How many entries does a vocabulary of words need for this text, cut at the spaces and left as it is "
        "otherwise?\n\n> {string}",
        answer=len(freqs),
        mistakes=[
            Mistake(
                "occurrences",
                sum(freqs.values()),
                "This is how many words you read. Does a word that comes again need a second entry?",
            ),
            Mistake(
                "capitals-ignored",
                len(text.word_freqs([string.lower()])),
                "This is the number of entries if `{capital}` and `{small}` share one. Was the text normalized?",
            ),
            Mistake(
                "only-what-repeats",
                len(repeated),
                "This is how many words occur more than once. What about the others?",
            ),
            Mistake(
                "only-what-is-rare",
                len(freqs) - len(repeated),
                "This is how many words occur only once. What about the others?",
            ),
            Mistake(
                "characters",
                len(set(string) - {" "}),
                "This is the number of different characters. What is an entry of a vocabulary of words?",
            ),
            Mistake(
                "one-entry-more",
                len(freqs) + 1,
                "Was one of the words entered again, or one that the text does not hold, such as `[UNK]`?",
            ),
            Mistake(
                "spaces",
                len(drawn) + 1,
                "This is the number of spaces. What stands between them, and which words are the same?",
            ),
            Mistake(
                "repetitions",
                len(drawn) + 2 - len(freqs) if len(drawn) + 2 != 2 * len(freqs) else None,
                "This counts repetitions. How many words are new?",
            ),
            Mistake(
                "all-characters",
                len("".join(string.split())),
                "This is how many characters the words have in all. What is an entry of a vocabulary of words?",
            ),
        ],
        hints=[
            "Go through the text and write down each word that you have not written down yet.",
            "A vocabulary holds each different word once.",
            "Is a capital the same character as its small letter?",
        ],
        evidence=lambda value: say(
            "A word that occurs again, such as `{again}`, needs one entry in all; and `{capital}` is not "
            "`{small}`. Go through the text once more.",
            again=repeated[0],
            capital=some[0].capitalize(),
            small=some[0],
        ),
        solution="The different words: {freqs:tokens}.",
        why="A vocabulary lists types, each once, however often the text repeats them; a capital makes another.",
        figures=locals() | {"capital": some[0].capitalize(), "small": some[0]},
    )


@exercise("text-05", "What the vocabulary leaves out", Number(), core=True)
def left_out(rng: Rng) -> Question | None:
    freqs, size = word_freqs(rng), rng.between(2, 3)
    counts = sorted(freqs.values(), reverse=True)
    left = [word for word, count in freqs.items() if count in counts[size:]]
    return Question(
        "A vocabulary has room for {size} words, and takes the most frequent ones. Somebody reads this corpus "
        "from its beginning to its end. How many of the words they read become `[UNK]`?\n\n{freqs:table}",
        answer=sum(counts[size:]),
        mistakes=[
            Mistake(
                "types-not-occurrences",
                len(freqs) - size,
                "This is how many words are left out. How often are they read?",
            ),
            Mistake(
                "known-words",
                sum(counts[:size]),
                "This is how many of the words they read are known. Which ones does the question ask for?",
            ),
            Mistake(
                "rarest-kept",
                sum(counts[:-size]),
                "This is what becomes `[UNK]` if the rarest words are kept. Which words does the vocabulary take?",
            ),
            Mistake(
                "first-ones-kept",
                sum(list(freqs.values())[size:]),
                "This is what becomes `[UNK]` if the first words of the table are kept. Which words does the "
                "vocabulary take?",
            ),
            Mistake("all-words", sum(counts), "This is the whole corpus. Some of it is known."),
            Mistake(
                "one-known-word",
                counts[0] if counts[0] != sum(counts[size:]) else None,
                "This is how often the most frequent word is read. Is that one left out?",
            ),
            Mistake(
                "one-word-too-few",
                sum(counts[size + 1 :]),
                "This is what is left out if {kept} words are kept. For how many is there room?",
            ),
            Mistake(
                "unk-takes-a-place",
                sum(counts[size - 1 :]),
                "This is what is left out if `[UNK]` takes one of the places. Are the places for words?",
            ),
            Mistake(
                "share",
                Fraction(sum(counts[size:]), sum(counts)),
                "That is a share of what they read. How many words is it?",
            ),
            Mistake(
                "percentage",
                Fraction(100 * sum(counts[size:]), sum(counts)) if sum(counts) != 100 else None,
                "That is a percentage of what they read. How many words is it?",
            ),
        ],
        hints=[
            "Which words get a place in the vocabulary?",
            "Every other word becomes `[UNK]` wherever it stands.",
            "Add up how often the words occur that have no place.",
        ],
        evidence=lambda value: say(
            "The words left out are {count}; `{word}` is one of them and is read {freq} times. What do all "
            "of them add up to?",
            count=len(left),
            word=left[0],
            freq=freqs[left[0]],
        ),
        solution="Left out are {by_word}.",
        why="Each word without a place becomes `[UNK]` as often as it is read, so rare words add up.",
        figures=locals()
        | {"by_word": ", ".join(f"`{word}` {freqs[word]}" for word in left), "kept": size + 1},
    )


VERBS = ("look", "talk", "walk", "jump", "help", "call", "open", "visit", "listen", "answer")
SUFFIXES = ("s", "ing", "ed", "er", "able", "ers")


@exercise("text-06", "Stems and endings", Number())
def stems_and_endings(rng: Rng) -> Question | None:
    verbs, endings = rng.between(4, 10), rng.between(2, 6)
    whole, parts = verbs * (endings + 1), verbs + endings
    return Question(
        "A language has these {verbs} words:\n\n{stems:tokens}\n\nEach of them occurs as it is, and with "
        "each of these {endings} endings:\n\n{suffixes:tokens}\n\nHow many entries fewer does a vocabulary of "
        "these stems and endings need than one of whole words?",
        answer=whole - parts,
        mistakes=[
            Mistake(
                "plain-form-forgotten",
                verbs * endings - parts,
                "This is the difference if `{verb}` never occurs without an ending. Does it?",
            ),
            Mistake(
                "not-the-difference",
                parts,
                "This is what stems and endings need. How many do they save?",
            ),
            Mistake(
                "all-whole-words",
                whole,
                "This is how many whole words there are. What do stems and endings need?",
            ),
            Mistake(
                "endings-alone-forgotten",
                whole - verbs,
                "This is how many words have an ending; it would also be the difference if only the stems needed "
                "entries. Which words have none, and what do the endings need?",
            ),
            Mistake(
                "the-other-way-round",
                parts - whole,
                "The size is right; look at the sign. Which of the two vocabularies is the smaller one?",
            ),
            Mistake(
                "no-ending-as-an-ending",
                whole - parts - 1,
                "That counts an entry for 'no ending', too. What does a word that occurs as it is consist of?",
            ),
            Mistake(
                "stems-forgotten",
                whole - endings,
                "That would be the difference if only the endings needed entries. What do the stems need?",
            ),
            Mistake(
                "plain-forms-taken-off-twice",
                verbs * endings - verbs if verbs != endings else None,
                "That takes the stems off the words that have an ending. Which words have none, and what do the "
                "endings need?",
            ),
            Mistake(
                "added",
                whole + parts,
                "Both vocabularies were added. How many entries does one need fewer than the other?",
            ),
            Mistake(
                "times-fewer",
                Fraction(whole, parts) if whole != parts * (whole - parts) else None,
                "That is how many times as many entries the whole words need. How many more are these?",
            ),
            Mistake(
                "one-stem-alone",
                endings,
                "So many forms one stem has besides itself. How many does that save for all stems?",
            ),
            Mistake(
                "stems-alone",
                verbs if verbs != whole - parts else None,
                "This is how many stems there are. How many whole words, and how many entries with endings?",
            ),
        ],
        hints=[
            "How many whole words are there? Begin with one stem and all its forms.",
            "How many entries do the stems and the endings need?",
            "Subtract the smaller number from the larger one.",
        ],
        evidence=lambda value: say(
            "One stem, `{verb}`, has {forms} forms. How many words is that for all stems, and how many "
            "entries do stems and endings need?",
            verb=VERBS[0],
            forms=endings + 1,
        ),
        solution="{verbs} times {forms} forms, {whole}, against {verbs} stems and {endings} endings, {parts}.",
        why="Whole words multiply stems by endings; subwords only add them.",
        figures=locals()
        | {
            "stems": VERBS[:verbs],
            "suffixes": SUFFIXES[:endings],
            "forms": endings + 1,
            "verb": VERBS[0],
        },
    )


BORDER_TEXTS = (
    "we love New York and New York loves us",
    "the ice cream man sells ice cream",
    "in the end the end came in",
    "он пьёт чай и он пьёт сок",
    "new tea tastes like new tea",
    "кот и пёс и кот и пёс",
    "one by one they came one by one",
    "very good tea is very good",
)


@exercise("text-07", "What can never be a token?", Choice(), level="recall")
def across_the_border(rng: Rng) -> Question | None:
    string, scheme = rng.choice(BORDER_TEXTS), rng.choice(["whitespace", "split"])
    some = string.split()
    place = rng.below(len(some) - 1)
    whole = rng.choice([word for word in some if len(word) > 2])
    start = rng.choice([word for word in some if len(word) > 2 and word != whole])[:2]
    letter = rng.choice([letter for letter in "".join(some) if letter not in "abcd"])
    return Question(
        "A tokenizer begins with characters and learns more and more tokens from this text, which was cut with "
        "the scheme `{scheme}`:\n\n> {string}\n\nAny piece of a word may become a token, if it goes on for long "
        "enough. Which of these will never be one token?",
        answer=f"{some[place]} {some[place + 1]}",
        mistakes=[
            Mistake(
                "whole-word-refused",
                whole,
                "Nothing was cut inside `{whole}`. What keeps its characters apart?",
            ),
            Mistake(
                "part-of-word-refused",
                start,
                "Nothing was cut inside `{start}`. A token need not mean anything: its characters only have to "
                "be neighbors in a word.",
            ),
            Mistake("character-refused", letter, "A single character is where training starts."),
        ],
        hints=[
            "What does the scheme do before training sees anything?",
            "Training looks at one word at a time.",
            "For which of them would two words have to be joined?",
        ],
        solution="Pre-tokenization cuts the text at its spaces. A token never reaches across such a cut, however "
        "often the two words stand side by side.",
        why="The cut between two words is made before training, and nothing that training sees reaches across it.",
        figures=locals(),
    )


ACCENTED = (
    "Crème brûlée, voilà!",
    "Ångström était à Genève",
    "Мой ёжик ест мёд",
    "Ёлка и мой чай",
    "El niño comió piña",
    "Où être, là, où naître?",
    "Žluťoučký kůň úpěl",
    "Größe für Männer",
    "São João não está",
    "Évidemment, élève étonné",
    "Прийди, мой ёжик, в тёплый дом",
    "Überhöhte Gebühren für Möbel",
)


@exercise("text-08", "Back to the text", Text(form="a part of the text", case=True), core=True)
def back_to_the_text(rng: Rng) -> Question | None:
    string = rng.choice(ACCENTED)
    start = rng.between(2, len(string) - 3)
    end = start + rng.between(2, 4)
    normalized = text.normalize(string, "strip-accents", "lowercase")
    part, around, changed = string[start:end], string[start - 1 : end + 1], normalized[start:end]
    if not around.isalpha() or part == changed:
        return None
    return Question(
        "The text `{string}` was normalized (accents off, small letters) to `{normalized}`, then cut into "
        "tokens. One token has the offsets ({start}, {end}). Which part of the original text does it stand for?",
        answer=part,
        mistakes=[
            Mistake(
                "end-included",
                string[start : end + 1],
                "The last character here is at the end offset. Does the end still belong to the token?",
            ),
            Mistake(
                "counted-from-one",
                string[start - 1 : end - 1],
                "This begins one place too early. What is the number of the first character of a text?",
            ),
            Mistake(
                "normalized-text",
                changed,
                "That is in the normalized text. Into which do offsets lead?",
            ),
            Mistake(
                "counted-in-bytes",
                string.encode()[start:end].decode(errors="ignore").strip() or None,
                "This is what you find when the offsets are counted in bytes. What do they count?",
            ),
            Mistake(
                "one-place-late",
                string[start + 1 : end + 1],
                "This begins one place too late. Do you count from 0, and is each character counted once?",
            ),
            Mistake(
                "spaces-not-counted",
                bare if (bare := string.replace(" ", "")[start:end]) not in ("", part) else None,
                "This comes out when spaces are not counted. Is a space a character?",
            ),
            Mistake(
                "end-as-length",
                string[start : start + end] if start > 1 else None,
                "This is as long as the second offset says. Is the second offset a length, or a place?"
                if start + end <= len(string)
                else "This goes on to the end of the text. Is the second offset a length, or a place?",
            ),
        ],
        hints=[
            "Number the characters of the text, the spaces too. What is the number of the first one?",
            "The first offset is where the token begins, the second is where the next one would.",
            "The answer is {length} characters long.",
        ],
        evidence=lambda value: say(
            "Character number {start} is `{char}`, if the first one has the number 0. {length} "
            "characters are asked for.",
            start=start,
            char=string[start],
            length=end - start,
        ),
        solution="In Python: `{string!r}[{start}:{end}]`.",
        why="Offsets count the characters of what was typed, from 0, and the end is the first place after them.",
        figures=locals() | {"length": end - start},
    )


COMPOSED = (
    "café",
    "élève",
    "naïveté",
    "мой",
    "ёлка",
    "йод",
    "Ångström",
    "Việt",
    "niño",
    "Zoë",
    "über",
    "garçon",
)


@exercise("text-09", "How long is it now?", prediction(Number()))
def decomposed(rng: Rng) -> Question | None:
    string = " ".join(rng.sample(COMPOSED, 2))
    apart = text.normalize(string, "nfd")
    accents = len(apart) - len(string)
    return Question(
        "Each letter of this text is one character. The normalization `nfd` takes a letter with an accent apart: "
        "the letter is one character then, and each accent another. What does this show? Say it first, then run "
        'it.\n\n```\nlen(text.normalize({string!r}, "nfd"))\n```',
        answer=len(apart),
        mistakes=[
            Mistake(
                "nothing-changes",
                len(string),
                "This is the length as it was. What becomes of a letter like `é`?",
            ),
            Mistake(
                "bytes",
                len(apart.encode()),
                "This is the number of bytes. What does `len` count in a string?",
            ),
            Mistake(
                "two-for-each-accent",
                len(string) + 2 * accents,
                "This adds two characters for each accent. How many does one bring?",
            ),
            Mistake(
                "accents-lost",
                len(string) - accents,
                "This is the length without the letters that carry an accent. Does this step lose anything?",
            ),
            Mistake(
                "every-letter-twice",
                2 * len(string),
                "This is twice the length. Do all carry an accent?",
            ),
            Mistake(
                "space-forgotten",
                len(apart) - 1,
                "Was the space counted, and did every accent come apart?",
            ),
            Mistake(
                "accents-alone",
                accents,
                "This is how many accents there are. What else does the text hold?",
            ),
        ],
        hints=[
            "Count the characters, with the space.",
            "Which of them carry something above or below the letter? Look at `й` and `ё`, too.",
            "Each such sign becomes one more character. A letter may carry two.",
        ],
        evidence=lambda value: say(
            "As it stands the text has {length} characters, with its space. How many accents come apart from "
            "their letters?",
            length=len(string),
        ),
        solution="Taken apart: {apart:tokens}.",
        why="Every accent becomes a character of its own, and there are {accents} of them.",
        figures=locals(),
    )


LEFT_WORDS = ("Old", "New", "Big", "Top", "Non", "Pre")
RIGHT_WORDS = {
    "Football": "foot|ball",
    "Dataset": "data|set",
    "Looking": "look|ing",
    "Oldest": "old|est",
    "Sunlight": "sun|light",
    "Keyboard": "key|board",
}


@exercise("text-10", "The path of a text", Ordering(), level="recall", core=True)
def path_of_a_text(rng: Rng) -> Question | None:
    left, right = rng.choice(LEFT_WORDS), rng.choice(sorted(RIGHT_WORDS))
    tokens = f"{left.lower()}|-|{RIGHT_WORDS[right]}"
    path = [
        f"{left}-{right}",
        f"{left}-{right}".lower(),
        f"{left}|-|{right}".lower(),
        tokens,
        f"[CLS]|{tokens}|[SEP]",
    ]

    def order(*places: int) -> list[str]:
        return [path[place] for place in places]

    return Question(
        "These are states of one text on its way through the pipeline, shuffled; `|` marks where it has been "
        "cut. Put them in order, beginning with what was typed.",
        answer=path,
        listed=rng.shuffle(path),
        mistakes=[
            Mistake(
                "cut-before-normalized",
                order(0, 2, 1, 3, 4),
                "Here the text is cut into words before it has small letters. But the words that were cut have "
                "small letters already: which step did that?",
            ),
            Mistake(
                "tokens-before-words",
                order(0, 1, 3, 2, 4),
                "Here the tokens come before the words. Does the model join pieces, or cut words further?",
            ),
            Mistake(
                "special-tokens-too-early",
                order(0, 1, 2, 4, 3),
                "Here the special tokens are there before the model has cut the words. What are they put around?",
            ),
            Mistake(
                "special-tokens-first",
                order(0, 4, 1, 2, 3),
                "Here the special tokens come first. Around what?",
            ),
            Mistake(
                "backwards",
                order(4, 3, 2, 1, 0),
                "This is the way from the tokens back to the text.",
            ),
        ],
        evidence=lambda value: "Which of the four steps makes each state from the one before it?",
        hints=[
            "What was typed has capitals, and no cut.",
            "The four steps: normalization, pre-tokenization, the model, post-processing.",
            "The second step and the third one cut, each finer than before; the last one adds something.",
        ],
        solution="Typed, normalized, cut into words, cut into tokens, special tokens put around them.",
        why="Each step works on what the one before it left: even out, cut into words, cut into tokens, wrap up.",
    )


BILLED = (
    "cat",
    "token",
    "naïve",
    "кот",
    "чай",
    "слово",
    "猫",
    "分词",
    "语言模型",
    "စာ",
    "ကို",
    "မြန်မာ",
    "🤗",
    "élan",
    "vocabulary",
    "tokenizer",
)


@exercise("text-11", "The cheapest first", Ordering())
def cheapest_first(rng: Rng) -> Question | None:
    words = rng.sample(BILLED, 4)
    cost = {word: len(word.encode()) for word in words}
    if len(set(map(len, words))) < 4 or len(set(cost.values())) < 4:
        return None
    by_bytes, by_characters = sorted(words, key=cost.__getitem__), sorted(words, key=len)
    lengths = ", ".join(f"`{word}` {len(word)}" for word in words)
    by_one = sorted(words, key=lambda word: cost[word] / len(word))

    def evidence(value: list[str]) -> str:
        before, after = next((a, b) for a, b in pairwise(value) if cost[a] > cost[b])
        return say(
            "`{before}` takes {more} bytes, and `{after}` only {less}.",
            before=before,
            more=cost[before],
            after=after,
            less=cost[after],
        )

    return Question(
        "A tokenizer has learned nothing yet: every byte is a token. Put these words in order, the cheapest "
        "first. (In UTF-8 a character of the Latin alphabet without accents takes one byte; those with an accent "
        "here take two, as do the Cyrillic letters; the Chinese and Burmese characters take three, as does each sign "
        "that is written around a Burmese letter; an emoji takes four or more. Not every character can be seen "
        "by itself, so here is how many there are: {lengths}.)",
        answer=by_bytes,
        listed=words,
        mistakes=[
            Mistake(
                "by-characters",
                by_characters,
                "This is the order by characters. How many bytes does each take?",
            ),
            Mistake(
                "bytes-of-one-character",
                None if by_one == by_bytes else by_one,
                "This is the order by the bytes of *one* character. How many characters does each word have?",
            ),
            Mistake(
                "dearest-first",
                by_bytes[::-1],
                "This is the right order, backwards: the cheapest comes first.",
            ),
            Mistake(
                "longest-first",
                by_characters[::-1],
                "That puts the word with the most characters first. What is billed, and where does the cheapest "
                "stand?",
            ),
            Mistake("as-listed", words, "This is the order in which they are listed."),
        ],
        hints=[
            "How many bytes does one character of each script take?",
            "Multiply by the number of characters: `len(word)` counts them, the signs around letters too.",
            "In Python: the length of `word.encode()`.",
        ],
        evidence=evidence,
        solution="Bytes: {by_word}.",
        why="A byte-level tokenizer that knows nothing bills scripts by their bytes, and not by what they say.",
        figures=locals() | {"by_word": ", ".join(f"`{word}` {cost[word]}" for word in by_bytes)},
    )


@exercise(
    "text-15",
    "The same story in two languages",
    Number(digits=1, form="a number with one decimal, such as 2.5", example="2.5"),
    level="transfer",
)
def dearer_language(rng: Rng) -> Question | None:
    english, other = rng.between(12, 30), rng.between(40, 110)
    language = rng.choice(["Burmese", "Russian", "Hindi", "Chinese"])
    window = 1000 * rng.between(2, 16)
    answer = other / english
    if (
        abs(answer * 10 - round(answer * 10)) > 0.3
        or other % english == 0
        or abs(answer - 2.5) < 0.1
    ):
        return None  # too near to where rounding turns
    return Question(
        "A tokenizer makes {english} tokens of a sentence in English, and {other} of the same sentence in "
        "{language}. Its model reads {window:,} tokens at once. How many times as much of a story does it read "
        "at once in English as in {language}? Round to one decimal.",
        answer=answer,
        mistakes=[
            Mistake(
                "the-other-way-round",
                english / other,
                "This is the share of the English story that fits in {language}. Which language gets more in?",
            ),
            Mistake(
                "difference",
                other - english,
                "This is how many more tokens the sentence takes. How many times as many is that?",
            ),
            Mistake(
                "sentences-in-english",
                window / english,
                "This is how many sentences fit in English. And in {language}?",
            ),
            Mistake(
                "sentences-in-the-other",
                window / other,
                "This is how many sentences fit in {language}. And in English?",
            ),
            Mistake(
                "cut-off",
                int(answer * 10) / 10 if int(answer * 10) < round(answer * 10) else None,
                "The first digits are right, but the rest is cut off. Which way does it round?",
            ),
            Mistake(
                "share-more",
                answer - 1,
                "This is how much more it is, on top of the same amount. How many times as much is it in all?",
            ),
            Mistake(
                "difference-of-sentences",
                window / english - window / other
                if abs(window / english - window / other - answer) > 0.1
                else None,
                "This is how many more sentences fit in English. How many times as many is that?",
            ),
        ],
        hints=[
            "How many sentences fit into the window in each language?",
            "The size of the window makes no difference.",
            "Divide the tokens of the one sentence by those of the other.",
        ],
        evidence=lambda value: say(
            "This is close. Look at the rounding: of {other} / {english}, which tenth is nearest?"
            if 0 < value - answer < 1 / 10
            else "In English {fitting} sentences fit, in {language} {in_the_other}.",
            other=other,
            english=english,
            fitting=window // english,
            language=language,
            in_the_other=window // other,
        ),
        solution="{other} / {english}: the window is the same for both, so only the tokens of a sentence count.",
        why="The window counts tokens, so with more tokens a sentence, fewer sentences fit.",
        figures=locals(),
    )


KEPT_APART = (
    ("²", "2", "km² and km2"),
    ("ﬁ", "fi", "ﬁne and fine"),
    ("½", "1⁄2", "½ and 1⁄2"),
    ("①", "1", "① and 1"),
    ("Ⅳ", "IV", "Ⅳ and IV"),
    ("ｕ", "u", "ｕn and un"),
    ("…", "...", "wait… and wait..."),
    ("™", "TM", "hug™ and hugTM"),
)
HARMLESS = (
    ("é", "both forms of é, one character or two"),
    ("ё", "both forms of ё, one character or two"),
    ("ö", "both forms of ö, one character or two"),
    ("й", "both forms of й, one character or two"),
)
DIFFERENT = (
    "hug and Hug",
    "кот and Кот",
    "bun and bün",
    "hug and hug!",
    "пёс and пес",
    "10 and IO",
    "pun and pug",
)


@exercise("text-16", "What cannot be told apart any more", Choice(), level="transfer", version=2)
def lost_by_nfkc(rng: Rng) -> Question | None:
    lost, kept, form = rng.choice(KEPT_APART), rng.sample(DIFFERENT, 2), rng.choice(HARMLESS)
    return Question(
        "A tokenizer normalizes its text with `nfkc`, and with nothing else. Afterwards a difference is "
        "lost in one of these pairs that somebody may have meant. Which one?",
        answer=lost[2],
        mistakes=[
            Mistake(
                "capitals-or-accents",
                kept[0],
                "`nfkc` leaves `{first}` as they are: capitals, accents, other letters and punctuation stay. "
                "What are look-alikes in the eyes of Unicode?",
            ),
            Mistake(
                "other-letters",
                kept[1],
                "`nfkc` leaves `{second}` as they are, letters and punctuation. Is one a special form of the other?",
            ),
            Mistake(
                "same-letter",
                form[1],
                "These do become the same, but `{letter}` means the same in both forms: nothing is lost that "
                "anybody could have meant.",
            ),
        ],
        hints=[
            "The K stands for compatibility: signs that look like others are replaced by them.",
            "Look for a sign that stands for another one, in a special form: raised, joined, in a circle, wide ...",
            "Which of them holds the sign `{sign}`?",
        ],
        solution="`nfkc` writes `{replaced}` for `{sign}`. `nfc` would have left it as it is.",
        why="`nfkc` writes `{replaced}` for `{sign}`, and afterwards there is no telling which of the two was typed.",
        figures=locals()
        | {
            "replaced": lost[1],
            "sign": lost[0],
            "first": kept[0],
            "second": kept[1],
            "letter": form[0],
        },
    )
