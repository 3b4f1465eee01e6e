"""The exercises of lesson 09, the lab: premiums, fragments, merges that betray, borders, twins and greed."""

from fractions import Fraction

from ...studies.morphemes import borders, gold_morphemes
from ...studies.vocabularies import recorded_counts
from .. import Choice, Mistake, Number, Question, Rng, exercise
from ..words import say, table

ROUNDED = Number(
    digits=2,
    form="a number with two decimals, such as 1.57, or a fraction such as 11/7",
    example="1.57",
)
VOCABULARIES = ("cl100k_base", "o200k_base")


@exercise("lab-01", "What is the premium?", ROUNDED, level="recall", core=True)
def what_is_the_premium(rng: Rng) -> Question | None:
    counts, (asked, other) = recorded_counts(), rng.sample(VOCABULARIES, 2)
    languages = rng.sample([name for name in counts[asked] if name != "English"], 2)
    language, third = languages
    rows = table(
        "tokens of the declaration | cl100k_base | o200k_base",
        [
            (name, *(f"{counts[each][name]:,}" for each in VOCABULARIES))
            for name in ("English", *languages)
        ],
    )
    tokens, english = counts[asked][language], counts[asked]["English"]
    return Question(
        "Tokens of the same fifteen articles:\n\n{rows}\n\nWhat is the premium of {language} under "
        "`{asked}`? Give a fraction, or round to two decimals.",
        answer=Fraction(tokens, english),
        mistakes=[
            Mistake(
                "upside-down",
                Fraction(english, tokens),
                "That is English, measured in the other language. Which of the two is the unit?",
            ),
            Mistake(
                "difference",
                tokens - english,
                "That is how many more tokens it takes. How many times as many is that?",
            ),
            Mistake(
                "other-vocabulary",
                Fraction(counts[other][language], counts[other]["English"]),
                "That is the premium under the other vocabulary. Which column is asked for?",
            ),
            Mistake(
                "other-language",
                Fraction(counts[asked][third], english),
                "That is the premium of the other language. Which row is asked for?",
            ),
            Mistake(
                "against-the-other-language",
                Fraction(tokens, counts[asked][third]),
                "That compares two languages, and neither is English. Against what is a premium measured?",
            ),
            Mistake(
                "between-vocabularies",
                Fraction(tokens, counts[other][language]),
                "That compares two vocabularies on one text. A premium compares two languages in one vocabulary.",
            ),
            Mistake(
                "on-top",
                Fraction(tokens - english, english),
                "That is what comes on top of the English price. The premium is the whole, in English texts.",
            ),
        ],
        hints=[
            "A premium says how many English texts one could have had for the same tokens.",
            "Both numbers come from one column.",
            "Divide the tokens of {language} by the tokens of English.",
        ],
        evidence=lambda value: say(
            "English takes {english:,} tokens here, and {language} {tokens:,}. Divide the second by the first.",
            english=english,
            tokens=tokens,
            language=language,
        ),
        solution="{tokens:,} divided by {english:,}.",
        why="A premium compares languages within one vocabulary, so the price of a token cancels out.",
        figures=locals(),
    )


@exercise("lab-02", "Ask the table", Number(), points=2, core=True)
def ask_the_table(rng: Rng) -> Question | None:
    asked, other = rng.sample(VOCABULARIES, 2)
    limit = Fraction(rng.between(6, 36), 4)
    decimal, counts = float(limit), recorded_counts()

    def above(column: str) -> int:
        return sum(tokens > limit * counts[column]["English"] for tokens in counts[column].values())

    languages, answer = len(counts[asked]), above(asked)
    premiums = sorted(
        ((tokens / counts[asked]["English"], name) for name, tokens in counts[asked].items()),
        reverse=True,
    )
    if len({answer, above(other), above("published"), languages - answer}) < 4:
        return None
    return Question(
        "`recorded_counts()`, in `subword_lab.studies.vocabularies`, holds the tokens of a text in {languages} "
        "languages under several vocabularies. Make a DataFrame of it, as this lesson does, and ask it: in how many "
        "languages is the premium under `{asked}` greater than {decimal:g}?",
        answer=answer,
        mistakes=[
            Mistake(
                "other-vocabulary",
                above(other),
                "That many are above it in the column of the other vocabulary. Which column did you ask?",
            ),
            Mistake(
                "published-column",
                above("published"),
                "That many are above it in the column `published`, which is another text. Which column did you ask?",
            ),
            Mistake(
                "below",
                languages - answer,
                "That many are *not* above it. Which way does the comparison point?",
            ),
            Mistake(
                "tokens-not-premiums",
                languages,
                "These are all the languages. Are there still tokens in your table, where premiums should be?",
            ),
        ],
        hints=[
            "A dictionary of dictionaries is a DataFrame: `pd.DataFrame(recorded_counts())`.",
            "Divided by its row for English, a table of tokens becomes one of premiums: `counts / "
            'counts.loc["English"]`.',
            "A comparison gives True and False for each language, and `.sum()` counts what is True.",
        ],
        evidence=lambda value: say(
            "Count languages: in how many of the {languages} is it greater?"
            if value != int(value)
            else "There are fewer such languages. Of the others, {below[1]} comes nearest, with {below[0]:.4g}."
            if value > answer
            else "There are more such languages. The last of them is {last[1]}, with {last[0]:.4g}.",
            languages=languages,
            below=premiums[answer],
            last=premiums[answer - 1],
        ),
        solution='`(premiums["{asked}"] > {decimal:g}).sum()` is {answer}.',
        why="One comparison asks all rows of a column at once.",
        figures=locals(),
    )


SYLLABLES = ("чай", "вода", "茶", "水", "စာ", "é", "ß", "चाय", "ชา", "ö")
ENGLISH = (" tea", " cup", "ing", "water", " the")


def as_bytes(data: bytes) -> str:
    """Bytes in hexadecimal digits.

    >>> as_bytes("чай".encode())
    'D1 87 D0 B0 D0 B9'
    """
    return data.hex(" ").upper()


@exercise("lab-03", "Which one is a fragment?", Choice(), core=True)
def which_fragment(rng: Rng) -> Question | None:
    whole, cut = rng.sample(SYLLABLES, 2)
    plain, character = rng.choice(ENGLISH), cut[-1].encode()
    space = f" {whole[0]}".encode()
    lost = rng.between(1, len(character) - 1)
    fragment = rng.choice((" ", "t", "")).encode() + cut.encode()[:-lost]
    if len(fragment) == 1:
        return None
    pieces = as_bytes(fragment)
    begun = as_bytes(character)
    return Question(
        "A vocabulary of bytes holds these tokens; each byte is written as two hexadecimal digits. Which of them is a "
        "fragment, and no text by itself? (A byte below `80` is an English letter, a digit, a sign or a space. `C2` to "
        "`DF` begins a character of two bytes, `E0` to `EF` one of three; `80` to `BF` continues one.)",
        answer=pieces,
        mistakes=[
            Mistake(
                "whole-characters",
                as_bytes(whole.encode()),
                "Several bytes, but each character in them is complete. Go through them: which byte begins one, "
                "and how many belong to it?",
            ),
            Mistake(
                "plain-letters",
                as_bytes(plain.encode()),
                "All these bytes are below `80`. Each of them is a character by itself.",
            ),
            Mistake(
                "space-and-character",
                as_bytes(space),
                "A space, which is `20`, and then a whole character. How many bytes does the second byte announce?",
            ),
        ],
        hints=[
            "Go through each token from left to right, a character at a time.",
            "The first byte of a character says how many bytes it has.",
            "In one token, a character begins whose end is not there.",
        ],
        solution="`{pieces}` ends too early: the character that begins there is `{begun}`.",
        why="BPE on bytes merges what is frequent, and does not ask where characters begin and end.",
        figures=locals(),
    )


@exercise("lab-04", "What one merge betrays", ROUNDED, points=2, level="transfer", core=True)
def what_a_merge_betrays(rng: Rng) -> Question | None:
    russian, english = rng.between(8, 30), rng.between(8, 30)
    if russian == english:
        return None
    rows = table(
        "pair | in 1,000 characters of Russian | in 1,000 characters of English",
        [("`с` `т`", russian, 0), ("`t` `h`", 0, english)],
    )
    return Question(
        "A tokenizer was trained on Russian and English, and nobody says how much of each. These pairs are the most "
        "frequent ones of the two languages:\n\n{rows}\n\nIts first merge is `с` `т`. What is the least share of the "
        "text, in characters, that was Russian? Give a fraction, or round to two decimals.",
        answer=Fraction(english, russian + english),
        mistakes=[
            Mistake(
                "swapped",
                Fraction(russian, russian + english),
                "That is the share that English has at most. What is left for Russian?",
            ),
            Mistake(
                "ratio",
                Fraction(english, russian),
                "That is how many characters of Russian there are for one of English, at least. What part of the whole "
                "is that?",
            ),
            Mistake(
                "inverse-ratio",
                Fraction(russian, english),
                "That is how many characters of English there are for one of Russian, at most. What part of the whole "
                "is Russian?",
            ),
            Mistake(
                "half",
                Fraction(1, 2),
                "That would be so if both pairs were equally frequent in their languages. Are they?",
            ),
            Mistake(
                "in-thousand",
                Fraction(russian, 1000),
                "That is how frequent the pair is in Russian. How much Russian does it take to beat the other pair?",
            ),
        ],
        hints=[
            "Call the share of Russian x; then English has 1 − x.",
            "In 1,000 characters of the mixture, how often does each of the pairs occur?",
            "The first is at least as frequent as the second: {russian} · x ≥ {english} · (1 − x).",
        ],
        evidence=lambda value: (
            say(
                "With a share of {value:.2f}, 1,000 characters would hold `с` `т` {first:.2f} times and `t` `h` "
                "{second:.2f} times. At the least share, the two are equal.",
                value=float(value),
                first=float(value * russian),
                second=float((1 - value) * english),
            )
            if 0 <= value <= 1
            else "A share lies between 0 and 1."
        ),
        solution="{russian} · x = {english} · (1 − x) gives x = {english} / ({russian} + {english}).",
        why="Every merge is an inequality between shares, and a list of merges is hundreds of them.",
        figures=locals(),
    )


@exercise("lab-05", "What fits in?", Number(), level="transfer")
def what_fits_in(rng: Rng) -> Question | None:
    page, premium = 50 * rng.between(8, 20), Fraction(rng.between(5, 36), 4)
    window, decimal = 1000 * rng.between(16, 128), float(premium)
    in_english, pages = window // page, int(window / (page * premium))
    if window % page == 0 or window / (page * premium) == pages:
        return None
    return Question(
        "A model reads {window:,} tokens at most. A page of English is {page} tokens in its vocabulary, and another "
        "language has a premium of {decimal:g} there. How many whole pages, translated into that language, can the "
        "model read?",
        answer=pages,
        mistakes=[
            Mistake(
                "english-pages",
                in_english,
                "That many pages of English fit in. How many tokens is a page in the other language?",
            ),
            Mistake(
                "premium-the-wrong-way",
                int(window * premium / page),
                "With a premium above 1, a page gets longer. Did it get shorter here?",
            ),
            Mistake(
                "rounded-up",
                pages + 1,
                "Does the last page fit in as a whole?",
            ),
            Mistake(
                "premium-on-top",
                int(window / (page * (premium + 1))),
                "A premium of 1 is the English price. Was it counted as an increase?",
            ),
            Mistake(
                "tokens-of-a-page",
                page * premium,
                "That is how many tokens a translated page has. How often does it fit in?",
            ),
        ],
        hints=[
            "How many tokens does a page have in the other language?",
            "It has as many as the English page, times the premium.",
            "Divide what the model can read by that, and drop the rest.",
        ],
        evidence=lambda value: (
            "This comes out without the length of a page. How many tokens is a page of English?"
            if abs(value - window / premium) < 1
            else "Only whole pages count. What becomes of the one that is cut off at the end?"
            if value != int(value)
            else say(
                "{value} pages would be {tokens:,.0f} tokens.",
                value=value,
                tokens=float(value * page * premium),
            )
            if value > pages
            else "After that many pages, another whole page still fits in."
        ),
        solution="A page has {page} · {decimal:g} tokens, and {window:,} tokens hold {pages} of them.",
        why="A premium is paid three times: in money, in time, and in how much of a text the model can see at once.",
        figures=locals(),
    )


@exercise("lab-06", "How good are the borders?", ROUNDED, core=True)
def how_good_are_the_borders(rng: Rng) -> Question | None:
    gold = gold_morphemes()
    word = rng.choice([word for word, parts in gold.items() if len(parts) > 2])
    parts, cuts = gold[word], sorted(rng.sample(range(1, len(word)), rng.between(2, 4)))
    tokens = [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)])]
    asked, other = rng.sample(("precision", "recall"), 2)
    true, found = len(parts) - 1, len(cuts)
    right, whole = len(borders(parts) & borders(tokens)), {"precision": found, "recall": true}
    if right == 0 or found == true:
        return None
    both = "tokenizer", "linguist"
    whose, others = both if asked == "precision" else both[::-1]
    return Question(
        "A linguist cuts *{word}* into {parts:cut}, and a tokenizer cuts it into {tokens:cut}. What is the {asked} of "
        "the tokenizer's borders? Give a fraction, or round to two decimals.",
        answer=Fraction(right, whole[asked]),
        mistakes=[
            Mistake(
                "other-measure",
                Fraction(right, whole[other]),
                "That is the {other}. Which borders are the whole here: the tokenizer's, or the linguist's?",
            ),
            Mistake(
                "of-all-borders",
                Fraction(right, found + true - right),
                "That is a share of the borders that either of the two has. Whose borders are the whole here?",
            ),
            Mistake(
                "ends-counted",
                Fraction(right + 2, whole[asked] + 2) if right < whole[asked] else None,
                "That is the share if the two ends of the word count as borders. Does anybody cut there?",
            ),
            Mistake(
                "last-end-counted",
                Fraction(right + 1, whole[asked] + 1) if right < whole[asked] else None,
                "That is the share if the end of the word counts as a border. Does anybody cut there?",
            ),
            Mistake(
                "pieces",
                Fraction(len(set(parts) & set(tokens)), whole[asked] + 1),
                "That counts pieces that both have. Borders are asked for, the places between pieces."
                if set(parts) & set(tokens)
                else "With 0, they have nothing in common. That is so for their pieces; and for the places between "
                "pieces?",
            ),
            Mistake(
                "wrong-borders",
                None if 2 * right == whole[asked] else 1 - Fraction(right, whole[asked]),
                "That is the share of the borders that only the {whose} has. Which ones are asked for?",
            ),
            Mistake(
                "count",
                right,
                "That is how many borders both of them have. What share is that?"
                if right > 1
                else "With 1, the {others} would have every border of the {whose}, too. Both have one border: of how "
                "many?",
            ),
        ],
        hints=[
            "After which letters does each of the two cut?",
            "Precision is a share of the tokenizer's borders, and recall a share of the linguist's.",
            "They have {right:border|borders} in common.",
        ],
        evidence=lambda value: say(
            "This is F1, which takes precision and recall together. Here only the {asked} is asked for."
            if ROUNDED.equal(value, Fraction(2 * right, found + true))
            else "This is what it would be with one common border fewer. The tokenizer has {found:border|borders}, the "
            "linguist has {true:border|borders}. After which letters do both cut?"
            if ROUNDED.equal(value, Fraction(right - 1, whole[asked]))
            else "The tokenizer has {found:border|borders}, the linguist has {true:border|borders}, and both have "
            "{right}.",
            asked=asked,
            found=found,
            true=true,
            right=right,
        ),
        solution="Both have {right:border|borders}, the tokenizer {found} in all and the linguist {true}.",
        why="Cut everywhere, and you find every border; cut once, and you can be right each time. It takes both.",
        figures=locals(),
    )


@exercise("lab-07", "What do twins do to the number?", ROUNDED, points=2, core=True)
def what_twins_do(rng: Rng) -> Question | None:
    often, twins = rng.between(4, 7), rng.between(2, 5)
    second = rng.between(1, 9 - often)
    third = 10 - often - second
    rest = Fraction(second**2 + third**2, 100)
    rows = table(
        "token | share of the text",
        [("`the`", often / 10), ("`of`", second / 10), ("`a`", third / 10)],
    )
    before = Fraction(often**2, 100) + rest
    answer = Fraction(often**2, 100 * twins) + rest
    return Question(
        "Two tokens of a text are drawn at random. How likely is it that they are the same? It is the sum of the "
        "squared shares. The smaller it is, the more even the text is, and Rényi's entropy of order 2 is made of "
        "it.\n\n{rows}\n\nNow `the` is "
        "replaced by {twins} twins, which take turns. What is the sum then? Give a fraction, or round to two decimals.",
        answer=answer,
        mistakes=[
            Mistake(
                "as-before",
                before,
                "That is the sum before. The twins are different tokens: how large is the share of each?",
            ),
            Mistake(
                "one-twin",
                Fraction(often**2, 100 * twins**2) + rest,
                "That counts one of the twins. How many of them are there?",
            ),
            Mistake(
                "all-divided",
                before / twins,
                "That divides the squares of all tokens. Which of them has twins?",
            ),
            Mistake(
                "twins-alone",
                Fraction(often**2, 100 * twins),
                "These are the twins alone. Do the other tokens still occur?",
            ),
            Mistake(
                "twins-forgotten",
                rest,
                "These are the tokens without twins. Do the twins occur no more?",
            ),
            Mistake(
                "shares-not-squares",
                1,
                "Shares always add up to that. What is to be done with them before they are added up?",
            ),
            *(
                Mistake(label, None if abs(value - answer) < Fraction(2, 100) else value, message)
                for label, value, message in (
                    (
                        "share-not-squared",
                        Fraction(often, 10 * twins) + rest,
                        "That adds the share of a twin as it is. What is to be done with it before?",
                    ),
                    (
                        "one-twin-more",
                        Fraction(often**2, 100 * (twins + 1)) + rest,
                        "That would be right for one twin more. How many are there?",
                    ),
                    (
                        "different-before",
                        1 - before,
                        "That is how likely two *different* tokens were before. Which two are asked for, and when?",
                    ),
                )
            ),
            Mistake(
                "twins-undivided",
                Fraction(twins * often**2, 100) + rest,
                "That gives each twin the whole share of `the`. They take turns: how large is the share of one?",
            ),
        ],
        hints=[
            "How large is the share of one twin?",
            "Each twin has {often}/10, divided by {twins}.",
            "There are {twins} squares of it, and those of `of` and `a` stay as they are.",
        ],
        evidence=lambda value: (
            "A probability is at most 1."
            if value > 1
            else "It is less even than that: the sum is greater."
            if value < answer
            else "It is more even than that: the sum is smaller."
        ),
        solution="Each of the {twins} twins has {often}/10 divided by {twins}. Their squares and those of the others "
        "add up to {total:.3f}.",
        why="The text is cut as before, and the number has become better. It counts tokens, and does not read them.",
        figures=locals() | {"total": float(answer)},
    )


@exercise("lab-08", "How much does greed save?", ROUNDED, level="transfer")
def how_much_greed_saves(rng: Rng) -> Question | None:
    characters, possible = rng.between(20, 40), rng.between(7, 10)
    saved = possible - rng.between(1, 3)
    best, greedy = characters - possible, characters - saved
    return Question(
        "A text has {characters} characters. BPE makes a few merges and leaves {greedy} tokens; the best choice of as "
        "many merges leaves {best}. What share of what can be saved does BPE save? Give a fraction, or round to two "
        "decimals.",
        answer=Fraction(saved, possible),
        mistakes=[
            Mistake(
                "tokens-compared",
                Fraction(best, greedy),
                "That compares what is left. How many tokens has each of them *saved*?",
            ),
            Mistake(
                "of-the-text",
                Fraction(saved, characters),
                "That is a share of the whole text. Could all of it be saved?",
            ),
            Mistake(
                "upside-down",
                Fraction(possible, saved),
                "Greed cannot save more than the best merges do. What is to be divided by what?",
            ),
            Mistake(
                "what-is-lost",
                Fraction(possible - saved, possible),
                "That is the share that BPE gives away. What share does it save?",
            ),
            Mistake(
                "left-of-the-text",
                Fraction(greedy, characters)
                if abs(Fraction(greedy, characters) - Fraction(saved, possible)) > Fraction(1, 50)
                else None,
                "That is the share of the text that BPE leaves. How many tokens does it save?",
            ),
            Mistake(
                "saved-tokens",
                saved,
                "That is how many tokens BPE saves. What share is that of what can be saved?",
            ),
        ],
        hints=[
            "Before the first merge, each character is a token.",
            "Count what each of the two has saved, not what it has left.",
            "The best merges save {possible} tokens.",
        ],
        evidence=lambda value: say(
            "A share is at most 1."
            if value > 1
            else "What is saved, over what is left, comes out so. How much can be saved?"
            if any(ROUNDED.equal(value, Fraction(saved, left)) for left in (greedy, best))
            else "BPE gets from {characters} tokens to {greedy}, and the best merges get to {best}.",
            characters=characters,
            greedy=greedy,
            best=best,
        ),
        solution="BPE saves {saved} tokens, and the best merges save {possible}.",
        why="The bound that was proved is about this share. In most texts that are short enough to try, it is 1.",
        figures=locals(),
    )
