"""The exercises of lesson 00: what a tokenizer does before, after and instead of learning."""
from __future__ import annotations

import re

from ... import text
from ..core import Exercise, Misconception
from ..kinds import Choice, Number, Ordering, Prediction, Text, Tokens
from .corpora import as_table, as_tokens, word_freqs


def _words(string, scheme="whitespace"):
    return [word for word, _ in text.pre_tokenize(string, scheme)]


# ------------------------------------------------------------------------------------------------------------- money

PRICE = Exercise(
    id="text-01", title="What does the report cost?", kind=Number(),
    generate=lambda rng: {"words": 10000 * rng.between(2, 9), "letters": rng.between(5, 7), "price": rng.between(1, 3),
                          "tokens": rng.choice([12, 13, 14, 16, 17, 19, 23, 29, 34, 47])},
    question=lambda v: f"A report has {v['words']:,} words with {v['letters']} characters each, on average. The "
                       f"tokenizer makes {v['tokens']} tokens of every 10 words, and 1,000 tokens cost "
                       f"{v['price']} cent{'s' * (v['price'] > 1)}. How many cents does the report cost?",
    answer=lambda v: v["words"] * v["tokens"] * v["price"] // 10000,
    misconceptions=(
        Misconception("billed-by-the-word", "You paid for words. What is billed is tokens, and most tokenizers make "
                                            "more tokens than there are words.",
                      lambda v: v["words"] * v["price"] // 1000),
        Misconception("billed-by-the-character", "You paid for characters. A token is usually longer than one "
                                                 "character.",
                      lambda v: v["words"] * v["letters"] * v["price"] // 1000),
        Misconception("price-of-one-token", "You took the price for that of a single token; it is the price of a "
                                            "thousand.",
                      lambda v: v["words"] * v["tokens"] * v["price"] // 10),
        Misconception("ten-words-taken-as-one", "You took the tokens of ten words for those of one word.",
                      lambda v: v["words"] * v["tokens"] * v["price"] // 1000),
    ),
    hints=("What is billed: words, characters or tokens?", "First find out how many tokens the report is.",
           "Words times the tokens of one word, then divided by a thousand, then times the price."),
    solution=lambda v: f"The report is {v['words'] * v['tokens'] // 10:,} tokens long. How long its words are makes no "
                       "difference once the tokens are counted.",
)


# ------------------------------------------------------------------------------------------------------------- words

OPENINGS = ("Don't", "We'll", "I can't", "She won't", "They'll", "I'd", "You'd", "Let's")
MIDDLES = ("say that", "stop here", "see it all", "pay by the token", "count to ten", "go home now", "like tea",
           "read on")
ENDINGS = ("?!", "...", "!!", "!?", "??")


def _sentence_variant(rng):
    return {"text": f"{rng.choice(OPENINGS)} {rng.choice(MIDDLES)}{rng.choice(ENDINGS)}"}


PREDICT = Exercise(
    id="text-02", title="Before you run it", kind=Prediction(of=Tokens(example='["Yes", "!"]')),
    generate=_sentence_variant,
    question=lambda v: "Which words does the scheme `whitespace` make of this? Say it first, then run it.\n\n```\n"
                       f"text.pre_tokenize({v['text']!r}, \"whitespace\")\n```\n\nThe words are enough; leave the offsets "
                       f"out.",
    answer=lambda v: _words(v["text"]),
    misconceptions=(
        Misconception("split-at-spaces", "You cut at spaces only. This scheme also cuts where word characters meet "
                                         "punctuation.",
                      lambda v: v["text"].split()),
        Misconception("punctuation-dropped", "You left the punctuation out. Only white space disappears; everything "
                                             "else stays, as a word of its own.",
                      lambda v: re.findall(r"\w+", v["text"])),
        Misconception("apostrophe-is-a-letter", "You kept the apostrophe inside its word. To this scheme it is a "
                                                "punctuation mark like any other.",
                      lambda v: re.findall(r"[\w']+|[^\w\s']+", v["text"])),
        Misconception("one-mark-at-a-time", "You cut every punctuation mark off by itself. This scheme keeps a run of "
                                            "them together; the scheme of BERT does not.",
                      lambda v: _words(v["text"], "bert")),
    ),
    hints=("Which characters are word characters, and which are neither that nor space?",
           "A word is a run of word characters, or a run of anything else that is not space.",
           "Is the apostrophe a word character? And do the marks at the end form one run, or several?"),
    solution="Runs of word characters and runs of punctuation; white space is dropped.",
)


SCHEMES = ("split", "whitespace", "byte-level", "metaspace")


def _other_schemes(v):
    return [scheme for scheme in SCHEMES if scheme != v["scheme"]]


def _other_scheme(number):
    return Misconception(
        f"other-scheme-{number + 1}",
        lambda v: f"`{_other_schemes(v)[number]}` would have made "
                  f"{as_tokens(_words(v['text'], _other_schemes(v)[number]))}.",
        lambda v: _other_schemes(v)[number])


WHICH_SCHEME = Exercise(
    id="text-03", title="Which scheme was it?", kind=Choice(),
    generate=lambda rng: {**_sentence_variant(rng), "scheme": rng.choice(SCHEMES)},
    question=lambda v: f"Somebody cut the text `{v['text']}` into these "
                       f"words:\n\n{as_tokens(_words(v['text'], v['scheme']))}"
                       "\n\nWhich scheme did they use?",
    answer=lambda v: v["scheme"], misconceptions=tuple(map(_other_scheme, range(3))),
    hints=("What has become of the spaces?", "What has become of the apostrophe, and of the marks at the end?",
           "A space may be dropped, or be written as a sign in front of a word: which sign is it?"),
    solution="Two of the schemes drop the spaces: one of them cuts punctuation off, the other does not. Two keep the "
             "spaces, one as `Ġ` and one as `▁`.",
)


NOUNS = (("the", "cat", "dog", "bird", "fish"), ("a", "king", "queen", "ring", "song"),
         ("my", "tea", "cup", "pot", "milk"), ("кот", "дом", "пёс", "лес", "сад"), ("мой", "чай", "мёд", "сок", "суп"))


def _types_variant(rng):
    words = rng.choice(NOUNS)
    drawn = [rng.choice(words[:rng.between(3, 5)]) for _ in range(rng.between(7, 11))]
    return {"text": " ".join([words[0].capitalize(), *drawn, words[0]])}


def _types(v):
    return text.word_freqs([v["text"]])


TYPES = Exercise(
    id="text-04", title="Types and occurrences", kind=Number(), generate=_types_variant,
    question=lambda v: f"How many entries does a vocabulary of words need for this text, cut at the spaces?\n\n> "
                       f"{v['text']}",
    answer=lambda v: len(_types(v)),
    misconceptions=(
        Misconception("occurrences", "You counted every word that is read. A word that comes again needs no second "
                                     "entry.",
                      lambda v: sum(_types(v).values())),
        Misconception("capitals-ignored", "You took a capitalized word and the same word in small letters for one. "
                                          "Nothing was normalized, so they are two.",
                      lambda v: len(text.word_freqs([v["text"].lower()]))),
        Misconception("only-what-repeats", "You counted only words that come more than once. A word that comes once "
                                           "needs an entry, too.",
                      lambda v: sum(count > 1 for count in _types(v).values())),
        Misconception("only-what-is-rare", "You counted only words that come once. The others need an entry as well.",
                      lambda v: sum(count == 1 for count in _types(v).values())),
    ),
    hints=("Go through the text and write down each word that you have not written down yet.",
           "A vocabulary holds each different word once.", "Compare letter by letter: is a capital the same "
                                                           "character?"),
    solution=lambda v: "The different words: " + as_tokens(_types(v)) + ".",
)


def _unknown_variant(rng):
    return {"freqs": word_freqs(rng), "size": rng.between(2, 3)}


def _by_frequency(v):
    return sorted(v["freqs"].values(), reverse=True)


UNKNOWN = Exercise(
    id="text-05", title="What the vocabulary leaves out", kind=Number(), generate=_unknown_variant,
    question=lambda v: f"A vocabulary has room for {v['size']} words, and takes the most frequent ones. How many "
                       f"words of "
                       f"this corpus, read from its beginning to its end, become `[UNK]`?\n\n{as_table(v['freqs'])}",
    answer=lambda v: sum(_by_frequency(v)[v["size"]:]),
    misconceptions=(
        Misconception("types-not-occurrences", "You counted each left-out word once. Whoever reads the corpus meets it "
                                               "as often as the table says.",
                      lambda v: len(v["freqs"]) - v["size"]),
        Misconception("known-words", "These are the words that the vocabulary knows. The others were asked for.",
                      lambda v: sum(_by_frequency(v)[:v["size"]])),
        Misconception("rarest-kept", "You kept the rarest words. The vocabulary keeps the most frequent ones.",
                      lambda v: sum(_by_frequency(v)[:-v["size"]])),
    ),
    hints=("Which words get a place in the vocabulary?", "Every other word becomes `[UNK]` wherever it stands.",
           "Add up how often the words occur that have no place."),
    solution=lambda v: "Left out are " + ", ".join(
        f"`{word}` {freq}" for word, freq in v["freqs"].items() if freq in _by_frequency(v)[v["size"]:]) + ".",
)


# ---------------------------------------------------------------------------------------------------------- subwords

VERBS = ("look", "talk", "walk", "jump", "help", "call", "open", "visit", "listen", "answer")
SUFFIXES = ("s", "ing", "ed", "er", "able", "ers")

SAVED = Exercise(
    id="text-06", title="Stems and endings", kind=Number(),
    generate=lambda rng: {"verbs": rng.between(4, 10), "endings": rng.between(2, 6)},
    question=lambda v: f"A language has these {v['verbs']} words:\n\n{as_tokens(VERBS[:v['verbs']])}\n\nEach of them "
                       f"occurs as "
                       f"it stands, and with each of these {v['endings']} "
                       f"endings:\n\n{as_tokens(SUFFIXES[:v['endings']])}\n\n"
                       "How many entries fewer does a vocabulary of these stems and endings need than one of whole "
                       "words?",
    answer=lambda v: v["verbs"] * (v["endings"] + 1) - v["verbs"] - v["endings"],
    misconceptions=(
        Misconception("plain-form-forgotten", "You forgot that each word also occurs without an ending: that is one "
                                              "more whole word for each.",
                      lambda v: v["verbs"] * v["endings"] - v["verbs"] - v["endings"]),
        Misconception("endings-cost-nothing", "You forgot that the endings need entries of their own.",
                      lambda v: v["verbs"] * v["endings"]),
        Misconception("not-the-difference", "That is what stems and endings need together. The question is how many "
                                            "entries they save.",
                      lambda v: v["verbs"] + v["endings"]),
        Misconception("all-whole-words", "That is how many whole words there are. Stems and endings need entries, too.",
                      lambda v: v["verbs"] * (v["endings"] + 1)),
    ),
    hints=("How many whole words are there? Begin with one stem and all its forms.",
           "How many entries do the stems and the endings need?", "Take the smaller number from the larger one."),
    solution=lambda v: f"{v['verbs']} times {v['endings'] + 1} forms against {v['verbs']} stems and {v['endings']} "
                       f"endings.",
)


BORDER_TEXTS = ("we love New York and New York loves us", "the ice cream man sells ice cream",
                "in the end the end came in", "он пьёт чай и он пьёт сок", "new tea tastes like new tea",
                "кот и пёс и кот и пёс", "one by one they came one by one", "very good tea is very good")


OPTION_LETTERS = "abcd"


def _border_variant(rng):
    string, scheme = rng.choice(BORDER_TEXTS), rng.choice(("whitespace", "split"))
    words = string.split()
    place = rng.below(len(words) - 1)
    longer = [word for word in words if len(word) > 2]
    whole = rng.choice(longer)
    return {"text": string, "scheme": scheme, "across": f"{words[place]} {words[place + 1]}", "whole": whole,
            "part": rng.choice([word for word in longer if word != whole])[:2],
            "letter": rng.choice([letter for letter in "".join(words) if letter not in OPTION_LETTERS])}


BORDER = Exercise(
    id="text-07", title="What can never be a token?", kind=Choice(), generate=_border_variant,
    question=lambda v: f"A tokenizer is trained on this text a thousand times over, with the scheme "
                       f"`{v['scheme']}`:\n\n"
                       f"> {v['text']}\n\nWhich of these will never be one token, however long it is trained?",
    answer=lambda v: v["across"],
    misconceptions=(
        Misconception("whole-word-refused", lambda v: f"Nothing was cut inside `{v['whole']}`. Frequent words become "
                                                      f"one "
                      "token each, if training goes on long enough.",
                      lambda v: v["whole"]),
        Misconception("part-of-word-refused", lambda v: f"Nothing was cut inside `{v['part']}`. It need not mean "
                                                        f"anything: that its "
                      "characters are neighbors is enough.",
                      lambda v: v["part"]),
        Misconception("character-refused", "A single character is where training starts.",
                      lambda v: v["letter"]),
    ),
    hints=("What does the scheme do before training sees anything?", "Training looks at one word at a time.",
           "For which of them would two words have to be joined?"),
    solution="Pre-tokenization cuts the text at its spaces. A token never reaches across such a cut, however often the "
             "two words stand side by side.",
)


# ------------------------------------------------------------------------------------------------- normalize, offsets

ACCENTED = ("Crème brûlée, voilà!", "Ångström était à Genève", "Мой ёжик ест мёд", "Ёлка и мой чай",
            "El niño comió piña", "Où être, là, où naître?", "Žluťoučký kůň úpěl", "Größe für Männer",
            "São João não está", "Évidemment, élève étonné",
            "Прийди, мой ёжик, в тёплый дом", "Überhöhte Gebühren für Möbel")


def _offset_variant(rng):
    while True:
        string = rng.choice(ACCENTED)
        start = rng.between(2, len(string) - 3)
        v = {"text": string, "span": (start, start + rng.between(2, 4))}
        if _cut(v, left=-1, right=1) and _cut(v) != _cut(v, string=_plain(v)):
            return v


def _plain(v):
    return text.normalize(v["text"], "strip-accents", "lowercase")


def _cut(v, left=0, right=0, string=None):
    """The part of the text, if it is a part of a word, moved at both ends."""
    start, end = v["span"]
    part = (string or v["text"])[start + left:end + right]
    return part if part.isalpha() else None


def _cut_bytes(v):
    start, end = v["span"]
    return v["text"].encode()[start:end].decode(errors="ignore").strip() or None


OFFSETS = Exercise(
    id="text-08", title="Back to the text", kind=Text(name="text", form="a part of the text", case=True),
    generate=_offset_variant,
    question=lambda v: f"The text `{v['text']}` was normalized (accents off, small letters) to `{_plain(v)}`, then cut "
                       f"into tokens. One token has the offsets {v['span']}. Which part of the original text does it "
                       f"stand "
                       "for?",
    answer=_cut,
    misconceptions=(
        Misconception("end-included", "You included the character at the end offset. The end is the first place that "
                                      "does not belong any more.",
                      lambda v: _cut(v, right=1)),
        Misconception("counted-from-one", "You called the first character number one. Offsets begin at zero.",
                      lambda v: _cut(v, left=-1, right=-1)),
        Misconception("normalized-text", "You read it off the normalized text. Offsets lead back to what was typed, "
                                         "with its accents and capitals.",
                      lambda v: _cut(v, string=_plain(v))),
        Misconception("counted-in-bytes", "You counted bytes. Offsets count characters, and a letter with an accent is "
                                          "one.",
                      _cut_bytes),
    ),
    hints=("Number the characters of the text, the spaces too. Which number has the first one?",
           "The first offset is where the token begins, the second is where the next one would.",
           lambda v: f"The answer is {v['span'][1] - v['span'][0]} characters long."),
    solution=lambda v: f"In Python: `{v['text']!r}[{v['span'][0]}:{v['span'][1]}]`.",
)


COMPOSED = ("café", "élève", "naïveté", "мой", "ёлка", "йод", "Ångström", "Việt", "niño", "Zoë", "über", "garçon",
            "подъём")

LENGTH = Exercise(
    id="text-09", title="How long is it now?", kind=Prediction(of=Number()),
    generate=lambda rng: {"text": " ".join(rng.sample(COMPOSED, 2))},
    question=lambda v: "Each letter of this text is one character. The normalization `nfd` takes a letter with an "
                       "accent apart: the letter is one character then, and each accent another. What does this "
                       "show? Say it first, then run it.\n\n```\n"
                       f"len(text.normalize({v['text']!r}, \"nfd\"))\n```",
    answer=lambda v: len(text.normalize(v["text"], "nfd")),
    misconceptions=(
        Misconception("nothing-changes", "That is the length as it was. `nfd` takes a letter with an accent apart: "
                                         "one `é` becomes an `e` and an accent.",
                      lambda v: len(v["text"])),
        Misconception("bytes", "That is the number of bytes. The length of a string counts characters.",
                      lambda v: len(text.normalize(v["text"], "nfd").encode())),
        Misconception("accents-lost", "You took letters away. This step loses nothing: the accent becomes a character "
                                      "of its own.",
                      lambda v: 2 * len(v["text"]) - len(text.normalize(v["text"], "nfd"))),
        Misconception("every-letter-twice", "You took every character apart. Only those with an accent have two parts.",
                      lambda v: 2 * len(v["text"])),
    ),
    hints=("Count the characters, with the space.",
           "Which of them carry something above or below the letter? Look at `й` and `ё`, too.",
           "Each such sign becomes one more character. A letter may carry two."),
    solution=lambda v: "Taken apart: " + as_tokens(text.normalize(v["text"], "nfd")) + ".",
)


# ----------------------------------------------------------------------------------------------------- the whole path

LEFT_WORDS = ("Old", "New", "Big", "Top", "Non", "Pre")
RIGHT_WORDS = {"Football": "foot|ball", "Dataset": "data|set", "Looking": "look|ing", "Oldest": "old|est",
               "Sunlight": "sun|light", "Keyboard": "key|board"}


def _path(v):
    left, right = v["left"], v["right"]
    lower, tokens = left.lower(), f"{left.lower()}|-|{RIGHT_WORDS[right]}"
    return [f"{left}-{right}", f"{lower}-{right.lower()}", f"{lower}|-|{right.lower()}", tokens,
            f"[CLS]|{tokens}|[SEP]"]


def _path_variant(rng):
    v = {"left": rng.choice(LEFT_WORDS), "right": rng.choice(sorted(RIGHT_WORDS))}
    return {**v, "shown": rng.shuffle(_path(v))}


def _in_order(*places):
    return lambda v: [_path(v)[place] for place in places]


PIPELINE = Exercise(
    id="text-10", title="The path of a text", kind=Ordering(), generate=_path_variant,
    question="These are states of one text on its way through the pipeline, shuffled; `|` stands where it has been "
             "cut. Put them in order, beginning with what was typed.",
    answer=_path, listed=lambda v: v["shown"],
    misconceptions=(
        Misconception("cut-before-normalized", "You cut into words first, and evened the text out afterwards. The "
                                               "pieces you cut are in small letters already: which step did that?",
                      _in_order(0, 2, 1, 3, 4)),
        Misconception("tokens-before-words", "You put the tokens before the words. The model gets words, and cuts each "
                                             "of them further.",
                      _in_order(0, 1, 3, 2, 4)),
        Misconception("special-tokens-too-early", "You put the special tokens in before the model had done its work. "
                                                  "They are put around its result.",
                      _in_order(0, 1, 2, 4, 3)),
        Misconception("backwards", "That is the way from the tokens back to the text.", _in_order(4, 3, 2, 1, 0)),
    ),
    hints=("What was typed has capitals, and no cut.", "The four steps: normalization, pre-tokenization, the model, "
           "post-processing.", "The second step and the third one cut, each finer than before; the last one adds something."),
    solution="Typed, normalized, cut into words, cut into tokens, special tokens put around them.",
)


BILLED = ("cat", "token", "naïve", "кот", "чай", "слово", "猫", "分词", "语言模型", "စာ", "ကို", "မြန်မာ", "🤗", "élan",
          "vocabulary", "tokenizer")


def _bill_variant(rng):
    while True:
        words = rng.sample(BILLED, 4)
        if len({len(word) for word in words}) == len({len(word.encode()) for word in words}) == 4:
            return {"shown": words}


def _cheapest(v, cost=lambda word: len(word.encode())):
    return sorted(v["shown"], key=cost)


BILL = Exercise(
    id="text-11", title="The cheapest first", kind=Ordering(), generate=_bill_variant,
    question="A tokenizer has learned nothing yet: every byte is a token. Put these words in order, the cheapest "
             "first. (In UTF-8 a character of the Latin alphabet without accents takes one byte, one with an accent "
             "two, as does every Cyrillic letter; a Chinese or Burmese character takes three, and so does each sign "
             "that is written around a Burmese letter; an emoji takes four.)",
    answer=_cheapest, listed=lambda v: v["shown"],
    misconceptions=(
        Misconception("by-characters", "You ordered them by their number of characters. What is billed here is bytes, "
                                       "and a character may take several.",
                      lambda v: _cheapest(v, len)),
        Misconception("dearest-first", "That is the right order, backwards: the cheapest was to come first.",
                      lambda v: _cheapest(v)[::-1]),
        Misconception("longest-first", "You put the word with the most characters first. What is billed here is bytes, "
                                       "and the cheapest was to come first.",
                      lambda v: _cheapest(v, len)[::-1]),
    ),
    hints=("How many bytes does one character of each script take?",
           "Multiply by the number of characters: `len(word)` counts them, the signs around letters too.",
           "In Python: the length of `word.encode()`."),
    solution=lambda v: "Bytes: " + ", ".join(f"`{word}` {len(word.encode())}" for word in _cheapest(v)) + ".",
)

EXERCISES = [PRICE, PREDICT, WHICH_SCHEME, TYPES, UNKNOWN, SAVED, BORDER, OFFSETS, LENGTH, PIPELINE, BILL]
