"""The exercises of lesson 02: WordPiece."""
from __future__ import annotations

from fractions import Fraction
from itertools import islice

from ... import bpe, wordpiece
from ...wordpiece import WordPieceModel
from ..core import Exercise, Misconception
from ..kinds import Choice, Merges, Number, Ordering, Prediction, Tokens
from .corpora import FAMILIES, as_tokens, word_freqs

CHINESE = (("学生", "大学", "大学生", "大人", "人生"), ("中国", "中文", "国文", "文人", "中国人"))
LANGUAGES = FAMILIES + CHINESE


# --------------------------------------------------------------------------------------- other ways to rate a pair

def _symbols(freqs, splits):
    return bpe.token_freqs(freqs, splits)


def _once_each(freqs, splits):
    """Scores with every word counted once, however often it occurs."""
    return wordpiece.pair_scores(dict.fromkeys(freqs, 1), splits)


def _by_sum(freqs, splits):
    n = _symbols(freqs, splits)
    return {(i, j): Fraction(count, n[i] + n[j]) for (i, j), count in bpe.pair_freqs(freqs, splits).items()}


def _by_left(freqs, splits):
    n = _symbols(freqs, splits)
    return {(i, j): Fraction(count, n[i]) for (i, j), count in bpe.pair_freqs(freqs, splits).items()}


def _by_pair_totals(freqs, splits):
    """Scores that count a symbol only where a pair has it, and so leave out the ends of words."""
    counts, left, right = bpe.pair_freqs(freqs, splits), {}, {}
    for (i, j), count in counts.items():
        left[i], right[j] = left.get(i, 0) + count, right.get(j, 0) + count
    return {(i, j): Fraction(count, left[i] * right[j]) for (i, j), count in counts.items()}


def _best(ratings):
    return bpe.best_pair(ratings)


FRACTION = Number(form="a number, best as a fraction such as 3/1000", example='"3/1000"')


def _rounded(answer):
    """Takes a rounded number for the fraction that it stands for."""
    return lambda value, v: abs(value - answer(v)) <= answer(v) / 500


# ---------------------------------------------------------------------------------------------------- the training

def _steps(freqs, number):
    return list(islice(wordpiece.train_steps(freqs, num_merges=number), number))


def _splits(v):
    """The words after the merges that the variant says are known."""
    steps = _steps(v["freqs"], v["known"])
    return steps[-1].splits if steps else wordpiece.split_words(v["freqs"])


def _state(v):
    """The words as they stand, as a Markdown table."""
    rows = [f"| {v['freqs'][word]} | {as_tokens(split)} |" for word, split in _splits(v).items()]
    return "\n".join(["| times | word |", "|---|---|", *rows])


def _clear(steps) -> bool:
    return not any(step.tied for step in steps)


def _score_variant(rng):
    v = {"freqs": word_freqs(rng, LANGUAGES), "known": 0}
    return {**v, "pair": rng.choice(list(bpe.pair_freqs(v["freqs"], _splits(v))))}


def _rated(rate):
    """The variant's pair as another rating has it."""
    return lambda v: rate(v["freqs"], _splits(v))[v["pair"]]


def _three_counts(v):
    n = _symbols(v["freqs"], _splits(v))
    return bpe.pair_freqs(v["freqs"], _splits(v))[v["pair"]], n[v["pair"][0]], n[v["pair"][1]]


SCORE = Exercise(
    id="wordpiece-01", title="Score a pair", kind=FRACTION, generate=_score_variant, accept=_rounded(
        _rated(wordpiece.pair_scores)),
    question=lambda v: f"What is the WordPiece score of the pair {as_tokens(v['pair'])} in this corpus?\n\n{_state(v)}",
    answer=_rated(wordpiece.pair_scores),
    misconceptions=(
        Misconception("frequency-instead-of-score",
                      "That is how often the pair occurs. The score divides it: how often would you meet these two "
                      "if they did not belong together?", _rated(bpe.pair_freqs)),
        Misconception("sum-instead-of-product",
                      "You added the counts of the two symbols. Below the line stands their product.", _rated(_by_sum)),
        Misconception("types-not-occurrences",
                      "You counted every word once. A word that occurs ten times brings all it holds ten times.",
                      _rated(_once_each)),
        Misconception("left-symbol-only",
                      "You divided by the count of the first symbol alone. The second one may be everywhere too.",
                      _rated(_by_left)),
    ),
    hints=("You need three counts: of the pair, of its first symbol, and of its second symbol.",
           "A symbol counts wherever it stands, at the end of a word too. The same letter with and without `##` is "
           "two different symbols.",
           lambda v: "The symbols occur {1} and {2} times, the pair {0} times.".format(*_three_counts(v))),
    solution=lambda v: "The pair occurs {0} times, its symbols {1} and {2} times: {0} / ({1} · {2}).".format(
        *_three_counts(v)),
)


# ----------------------------------------------------------------------------------------------------- what comes next

def _next_variant(rng):
    while True:
        v = {"freqs": word_freqs(rng, LANGUAGES), "known": rng.between(0, 3)}
        steps = _steps(v["freqs"], v["known"] + 1)
        if len(steps) > v["known"] and not steps[-1].tied and len(steps[-1].scores) > 3:
            return v


def _chosen(rate):
    return lambda v: [_best(rate(v["freqs"], _splits(v)))]


def _part(value, right, v):
    scores = wordpiece.pair_scores(v["freqs"], _splits(v))
    if value[0] not in scores:
        return f"The pair {as_tokens(value[0])} does not stand in these words."
    return f"The pair {as_tokens(value[0])} scores {scores[value[0]]} here; another one scores {scores[right[0]]}."


NEXT = Exercise(
    id="wordpiece-02", title="The next merge", generate=_next_variant,
    kind=Merges(form="one merge, such as x+##y", example='("x", "##y")'),
    question=lambda v: ("Nothing has been merged in these words yet. " if not v["known"] else
                        f"These words have been through {v['known']} merge{'s' * (v['known'] > 1)}. ")
    + f"Which pair does WordPiece merge next?\n\n{_state(v)}",
    answer=_chosen(wordpiece.pair_scores), evidence=_part,
    misconceptions=(
        Misconception("frequency-instead-of-score",
                      "That is the most frequent pair, the one that BPE would take. Its symbols are frequent as "
                      "well, and the score divides by them.", _chosen(bpe.pair_freqs)),
        Misconception("rarest-pair",
                      "That is the rarest pair. Rare pairs often win, but not by being rare: a rare pair of two "
                      "frequent symbols scores low.", lambda v: [_lowest(bpe.pair_freqs(v["freqs"], _splits(v)))]),
        Misconception("lowest-score", "That pair has the lowest score. The highest one is merged.",
                      lambda v: [_lowest(wordpiece.pair_scores(v["freqs"], _splits(v)))]),
    ),
    hints=("Look for a symbol that is rare: only then can the score be high.",
           "For each pair write the three counts: the pair, its first symbol, its second symbol.",
           lambda v: f"The highest score is {max(wordpiece.pair_scores(v['freqs'], _splits(v)).values())}."),
    solution=lambda v: "The scores: " + ", ".join(f"{as_tokens(pair)} {score}" for pair, score in sorted(
        wordpiece.pair_scores(v["freqs"], _splits(v)).items(), key=lambda item: -item[1])) + ".",
)


def _lowest(ratings):
    return min(ratings, key=ratings.get)


# -------------------------------------------------------------------------------------------------------- encoding

WORDS = ("tokenization", "understand", "highest", "unhappiness", "uploading", "company", "occupied", "national",
         "переводчик", "понимание", "разговор", "словарный", "自然语言处理", "中华人民共和国", "计算机科学家")


def _encode_variant(rng):
    """A word, and tokens that overlap in it; one of them has no prefix but fits inside the word only."""
    word = rng.choice(WORDS)
    tokens = {word[:rng.between(2, 3)]}
    for _ in range(rng.between(3, 5)):
        start = rng.between(1, len(word) - 2)
        tokens.add("##" + word[start:start + rng.between(2, 4)])
    inside = rng.between(2, len(word) - 3)
    tokens.add(word[inside:inside + rng.between(3, 4)])
    return {"word": word, "tokens": sorted(tokens)}


def _letters(word):
    return [word[0], *("##" + char for char in word[1:])]


def _model(v):
    return WordPieceModel(sorted({*v["tokens"], *_letters(v["word"])}))


def _cut(v, model, fits, pick=max):
    """Cut from the left: of the tokens that `fits` lets stand at a place, the one that `pick` takes by its length."""
    tokens, start = [], 0
    while start < len(v["word"]):
        here = [token for token in model.vocab if fits(token, start)
                and v["word"].startswith(token.removeprefix("##"), start)]
        tokens.append(pick(here, key=lambda token: (len(token.removeprefix("##")), token)))
        start += len(tokens[-1].removeprefix("##"))
    return tokens


def _fits(token, start):
    return token.startswith("##") == bool(start)


def _longest_anywhere(v):
    """The longest token anywhere in the word first, then the same left of it and right of it."""
    model, word = _model(v), v["word"]

    def cut(start, end):
        if start == end:
            return []
        spots = [(b - a, -a) for a in range(start, end) for b in range(a + 1, end + 1)
                 if "##" * bool(a) + word[a:b] in model.ids]
        length, at = max(spots)
        return [*cut(start, -at), "##" * bool(at) + word[-at:-at + length], *cut(-at + length, end)]

    return cut(0, len(word))


ENCODE = Exercise(
    id="wordpiece-03", title="Encode a word", kind=Tokens(form="tokens, such as pl|##ug", example='["pl", "##ug"]'),
    generate=_encode_variant,
    question=lambda v: f"Encode `{v['word']}` as BERT does. The vocabulary holds every character of the word, in the "
                       f"form in which it stands there, and these tokens:\n\n{as_tokens(v['tokens'])}",
    answer=lambda v: wordpiece.encode_word(v["word"], _model(v)),
    misconceptions=(
        Misconception("longest-token-anywhere",
                      "You cut out the longest token first, wherever it stands. The encoder goes from left to right "
                      "and never looks further ahead than the piece it is cutting.", _longest_anywhere),
        Misconception("bare-token-inside",
                      "You used a token without `##` inside of the word. Such a token begins a word, and only there "
                      "it fits.",
                      lambda v: _cut(v, _model(v), lambda token, start: start or not token.startswith("##"))),
        Misconception("shortest-prefix",
                      "You took the shortest piece each time. The encoder begins with all that is left of the word "
                      "and makes it shorter only while it is no token.", lambda v: _cut(v, _model(v), _fits, min)),
        Misconception("prefix-forgotten",
                      "The cuts are right, but inside of a word the tokens carry `##`: without it they are other "
                      "tokens.", lambda v: [t.removeprefix("##") for t in wordpiece.encode_word(v["word"], _model(v))]),
    ),
    hints=("Begin at the left: which tokens without `##` does the word begin with?",
           "Take the longest of them, and go on with what is left of the word. From now on only tokens with `##` fit.",
           lambda v: f"The first token has {len(wordpiece.encode_word(v['word'], _model(v))[0])} characters."),
    solution="From left to right, the longest token that fits: without `##` at the beginning, with `##` from then on.",
)


# ------------------------------------------------------------------------------------------------------ unknown words

def _spelled(model, rng, number):
    """A word that the model can spell: a token that begins a word, and some that continue it."""
    begin = [token for token in model.vocab if not token.startswith("##")]
    follow = [token for token in model.vocab if token.startswith("##")]
    return rng.choice(begin) + "".join(rng.choice(follow)[2:] for _ in range(number))


def _unknown_variant(rng):
    freqs = word_freqs(rng, LANGUAGES)
    model = WordPieceModel(wordpiece.train(freqs, num_merges=rng.between(2, 5)).vocab)
    strange = [char for char in "qzxйщ龙" if char not in "".join(model.vocab)]
    only_first = [token for token in model.vocab if len(token) == 1 and "##" + token not in model.ids]
    bad = rng.choice(strange + only_first)
    rest = ["", *(token[2:] for token in model.vocab if token.startswith("##"))]
    lost = _spelled(model, rng, rng.between(1, 2)) + bad + rng.choice(rest)
    words = [_spelled(model, rng, rng.between(1, 2)), _spelled(model, rng, 1), lost]
    return {"vocab": model.vocab, "words": rng.shuffle(words), "lost": lost}


def _encode_pieces(v, missing):
    """Each word from left to right; `missing` says what stands for a character that no token goes on with."""
    model, tokens = WordPieceModel(v["vocab"]), []
    for word in v["words"]:
        start = 0
        while start < len(word):
            token = wordpiece.longest_prefix(word, start, model)
            tokens.append(token or missing(word[start], start))
            start += len(token.removeprefix("##")) if token else 1
    return tokens


UNKNOWN = Exercise(
    id="wordpiece-04", title="What is lost?", kind=Tokens(example='["hug", "[UNK]", "b", "##u"]'),
    generate=_unknown_variant,
    question=lambda v: f"Encode the words {as_tokens(v['words'])} with this vocabulary. What is unknown becomes "
                       f"`[UNK]`.\n\n{as_tokens(v['vocab'])}",
    answer=lambda v: wordpiece.encode(v["words"], WordPieceModel(v["vocab"])),
    misconceptions=(
        Misconception("unknown-piece-only",
                      "You gave up one character only, as BPE would. WordPiece gives up the whole word in which no "
                      "token goes on.", lambda v: _encode_pieces(v, lambda char, start: "[UNK]")),
        Misconception("passed-through",
                      "You let a character through that is not in the vocabulary in this form. It has no id.",
                      lambda v: _encode_pieces(v, lambda char, start: "##" * bool(start) + char)),
        Misconception("all-words-unknown",
                      "You gave up all the words. Words are encoded one by one: the others are not touched.",
                      lambda v: ["[UNK]"] * len(v["words"])),
        Misconception("dropped", "You left a word out. Then nobody could tell that something had stood there.",
                      lambda v: [t for t in wordpiece.encode(v["words"], WordPieceModel(v["vocab"])) if t != "[UNK]"]),
    ),
    hints=("Encode each word on its own, from left to right.",
           "A character may be in the vocabulary as the beginning of a word, and not with `##`.",
           "In one of the words you come to a place where no token goes on. What becomes of the pieces before it?"),
    solution=lambda v: f"In `{v['lost']}` no token goes on at one place, so the whole word becomes `[UNK]`.",
)


# --------------------------------------------------------------------------------------------------------- merging

SYLLABLES = ("papaya", "bonbons", "murmur", "tartar", "couscous", "cancan", "hotshots", "tomatoes", "alfalfa", "мамам",
             "барабан", "каракатица", "тортором", "коконы", "研究研究", "学习学习吧", "商量商量")   # begin and repeat


def _merge_variant(rng):
    """A word in which a pair stands at the beginning and, in its other form, further inside."""
    first, second, *_ = word = rng.choice(SYLLABLES)
    return {"word": word, "pair": rng.choice([(first, "##" + second), ("##" + first, "##" + second)])}


def _merged(v, token=None):
    return bpe.merge_symbols(_letters(v["word"]), v["pair"], token or wordpiece.merged_token(v["pair"]))


def _both_forms(v):
    first, second = v["pair"][0].removeprefix("##"), v["pair"][1]
    symbols = bpe.merge_symbols(_letters(v["word"]), (first, second), first + second[2:])
    return bpe.merge_symbols(symbols, ("##" + first, second), "##" + first + second[2:])


def _other_form(v):
    token = wordpiece.merged_token(v["pair"])
    return _merged(v, token[2:] if token.startswith("##") else "##" + token)


MERGE = Exercise(
    id="wordpiece-05", title="Before you run it", kind=Prediction(), generate=_merge_variant,
    question=lambda v: "What will this show? Say it first, then run it.\n\n```\n"
                       f"one_word = wordpiece.split_words([{v['word']!r}])\n"
                       f"wordpiece.merge_pair({v['pair']}, one_word)[{v['word']!r}]\n```",
    answer=_merged,
    misconceptions=(
        Misconception("prefix-left-inside",
                      "The new token has `##` in its middle. The prefix of the second symbol says 'I continue a "
                      "word'; once it is joined to its left neighbor, it falls away.",
                      lambda v: _merged(v, "".join(v["pair"]))),
        Misconception("both-forms-merged",
                      "You merged two places. The letters are the same there, but with and without `##` they are "
                      "different symbols, and so a different pair.", _both_forms),
        Misconception("prefix-of-the-first-symbol",
                      "Look at the beginning of the new token: it carries `##` exactly when the first of the two "
                      "does.", _other_form),
    ),
    hints=("Write the word as symbols first: all but the first carry `##`.",
           "Where do the two symbols stand next to each other, in exactly this form?",
           "The first symbol of the pair keeps what it has; of the second only the letter is added."),
    solution=lambda v: f"{as_tokens(v['pair'])} becomes `{wordpiece.merged_token(v['pair'])}`, and only where these "
                       "two symbols stand, in this form.",
)


# --------------------------------------------------------------------------------------------------------- ordering

LETTERS = "abdehiklmnoprstu"


def _order_variant(rng):
    letters, counts = rng.sample(LETTERS, 8), {}
    for left, right in zip(letters[:4], letters[4:]):
        n_ij = rng.choice([2, 4, 5, 8, 10, 20, 40])
        counts[f"##{left}+##{right}"] = (n_ij, *(n_ij * rng.choice([1, 2, 5, 10, 20]) for _ in range(2)))
    return {"counts": counts} if len(set(map(_of_counts, counts.values()))) == 4 else _order_variant(rng)


def _of_counts(counts):
    n_ij, n_i, n_j = counts
    return Fraction(n_ij, n_i * n_j)


def _ordered(rate):
    return lambda v: sorted(v["counts"], key=lambda pair: -rate(v["counts"][pair]))


ORDER = Exercise(
    id="wordpiece-06", title="From the highest score to the lowest", kind=Ordering(), generate=_order_variant,
    question=lambda v: "Four pairs, with how often the pair, its first symbol and its second symbol occur. Order them "
                       "by their WordPiece score, the highest first.\n\n"
                       "|  | pair | first symbol | second symbol |\n|---|---|---|---|\n"
                       + "\n".join(f"| `{pair}` | {n_ij} | {n_i} | {n_j} |"
                                   for pair, (n_ij, n_i, n_j) in v["counts"].items()),
    answer=_ordered(_of_counts), listed=lambda v: list(v["counts"]),
    misconceptions=(
        Misconception("frequency-instead-of-score",
                      "You went by how often the pairs occur. A pair of two rare symbols that always stand together "
                      "has a high score although it is rare.", _ordered(lambda c: c[0])),
        Misconception("sum-instead-of-product",
                      "You divided by the sum of the two counts. Below the line stands their product.",
                      _ordered(lambda c: Fraction(c[0], c[1] + c[2]))),
        Misconception("left-symbol-only", "You divided by the count of the first symbol alone. Divide by both.",
                      _ordered(lambda c: Fraction(c[0], c[1]))),
        Misconception("lowest-first", "That is the order backwards: the highest score comes first.",
                      lambda v: _ordered(_of_counts)(v)[::-1]),
    ),
    hints=("Work out one fraction for each pair.",
           "Divide the pair's count by the first count, and the result by the second.",
           "Bring the four fractions to the form 1/x: the smallest x comes first."),
    solution=lambda v: ", ".join(f"`{pair}` {_of_counts(v['counts'][pair])}" for pair in _ordered(_of_counts)(v)) + ".",
)


# ------------------------------------------------------------------------------------------------- what is promised

ASKED = {"score": ("WordPiece merges the pair with the highest score. Which is it?",
                   "does not have the highest score. Compare the fractions."),
         "gain": ("The derivation of the score promises the merge that makes the corpus most likely. Which is it?",
                  "is not the merge with the largest gain. Likelihood is a sum over the whole corpus: a pair gains at "
                  "every place where it stands."),
         "count": ("Which pair would BPE merge?", "is not the most frequent pair, and BPE asks for nothing else.")}


def _promise_variant(rng):
    while True:
        v = {"freqs": word_freqs(rng, LANGUAGES), "known": rng.between(0, 4)}
        splits = _splits(v)
        rows = {pair: {"count": count} for pair, count in bpe.pair_freqs(v["freqs"], splits).items()}
        scores, gains = wordpiece.pair_scores(v["freqs"], splits), wordpiece.likelihood_gains(v["freqs"], splits)
        for pair, row in rows.items():
            row.update(score=scores[pair], gain=round(gains[pair], 1))
        if len(rows) > 3 and len({_first(rows, by) for by in ASKED} - {None}) == 3:
            return {"rows": rows, "asked": rng.choice(sorted(ASKED)), "pick": rng.below(100)}


def _first(rows, by):
    """The pair that is highest by one of the three, or None for a tie."""
    best = max(row[by] for row in rows.values())
    leaders = [pair for pair, row in rows.items() if row[by] == best]
    return leaders[0] if len(leaders) == 1 else None


def _name(pair):
    return as_tokens(pair)


def _other_asked(which):
    return lambda v: _name(_first(v["rows"], [by for by in ASKED if by != v["asked"]][which]))


def _not_asked(number):
    names = {"score": "the highest score", "gain": "the largest gain", "count": "the highest count"}

    def message(v):
        by = [by for by in ASKED if by != v["asked"]][number]
        return f"That pair has {names[by]}, but it {ASKED[v['asked']][1]}"
    return message


def _none_of_them(v):
    rest = [pair for pair in v["rows"] if pair not in {_first(v["rows"], by) for by in ASKED}]
    return _name(rest[v["pick"] % len(rest)])


PROMISE = Exercise(
    id="wordpiece-07", title="What is promised, and what is done", kind=Choice(), generate=_promise_variant,
    question=lambda v: "All pairs of a corpus, with their counts, their scores, and by how many nats merging them "
                       "would raise the log-likelihood of the corpus:\n\n"
                       "| pair | count | score | gain |\n|---|---|---|---|\n"
                       + "\n".join(f"| {_name(pair)} | {row['count']} | {row['score']} | {row['gain']} |"
                                   for pair, row in v["rows"].items()) + f"\n\n{ASKED[v['asked']][0]}",
    answer=lambda v: _name(_first(v["rows"], v["asked"])),
    misconceptions=(
        Misconception("first-other-rule", _not_asked(0), _other_asked(0)),
        Misconception("second-other-rule", _not_asked(1), _other_asked(1)),
        Misconception("no-rule", "That pair is highest in none of the three columns.", _none_of_them),
    ),
    hints=("Three rules, three columns. Which column does the question ask about?",
           "BPE goes by the count, WordPiece by the score; what makes the corpus most likely is told by the gain.",
           "Find the largest value of that column."),
    solution=lambda v: "By count {}, by score {}, by gain {}.".format(
        *(_name(_first(v["rows"], by)) for by in ("count", "score", "gain"))),
)


def _highest(v):
    return Fraction(1, max(v["a"], v["b"]))


BOUND = Exercise(
    id="wordpiece-08", title="How high can it get?", kind=FRACTION, accept=_rounded(_highest),
    generate=lambda rng: {"a": rng.between(3, 60), "b": rng.between(3, 60)},
    question=lambda v: f"The symbol `##q` occurs {v['a']} times in a corpus, the symbol `##u` {v['b']} times. How "
                       "often they stand side by side we do not know. What is the highest score that the pair `##q` "
                       "`##u` can have?",
    answer=_highest,
    misconceptions=(
        Misconception("taken-for-a-probability",
                      "The score is no probability: even two symbols that only ever stand together do not reach 1, "
                      "unless they occur once.", lambda v: Fraction(1)),
        Misconception("rarer-symbol",
                      "You let the pair occur more often than the rarer symbol does. Each place of the pair needs "
                      "one of both.", lambda v: Fraction(1, min(v["a"], v["b"]))),
        Misconception("pair-once", "That is the score if the pair occurs once. It may occur more often.",
                      lambda v: Fraction(1, v["a"] * v["b"])),
        Misconception("sum-instead-of-product", "Below the line stands the product of the two counts, not their sum.",
                      lambda v: Fraction(min(v["a"], v["b"]), v["a"] + v["b"])),
    ),
    hints=("How often can the pair occur at most? Each place needs one `##q` and one `##u`.",
           "The pair can occur as often as the rarer of the two.",
           "Put that count above the line, and cancel it."),
    solution=lambda v: f"The pair occurs at most {min(v['a'], v['b'])} times, and {min(v['a'], v['b'])} / ({v['a']} · "
                       f"{v['b']}) leaves one over the count of the more frequent symbol. So frequent symbols never "
                       "score high.",
)


def _chance_variant(rng):
    n_ij = rng.between(2, 9)
    n_i, n_j = n_ij * rng.between(2, 6), n_ij * rng.between(2, 6)
    return {"pair": n_ij, "i": n_i, "j": n_j, "total": rng.between(3, 20) * 10 * max(n_i, n_j)}


def _ratio(v):
    return Fraction(v["pair"] * v["total"], v["i"] * v["j"])


CHANCE = Exercise(
    id="wordpiece-09", title="More often than by chance", kind=Number(form="a number, such as 12, 2.5 or 7/3"),
    generate=_chance_variant, accept=_rounded(_ratio),
    question=lambda v: f"A corpus is {v['total']} symbols long. The symbol `q` occurs {v['i']} times, `##u` {v['j']} "
                       f"times, and the pair `q` `##u` {v['pair']} times. Take each P as a count divided by "
                       f"{v['total']}. How many times as large as P(q) · P(##u) is P(q ##u)?",
    answer=_ratio,
    misconceptions=(
        Misconception("factor-n-forgotten",
                      "That is the score. In the ratio of the probabilities one length of the corpus is left over, "
                      "because two of them stand below the line and one above.",
                      lambda v: Fraction(v["pair"], v["i"] * v["j"])),
        Misconception("upside-down",
                      "You have the ratio upside down: the probability of the pair stands above the line.",
                      lambda v: Fraction(v["i"] * v["j"], v["pair"] * v["total"])),
        Misconception("sum-instead-of-product",
                      "Two symbols that are drawn one after another: their probabilities are multiplied, not added.",
                      lambda v: Fraction(v["pair"], v["i"] + v["j"])),
        Misconception("left-symbol-only",
                      "You divided by P(q) alone. That says how often `q` is followed by `##u`, not whether that is "
                      "more than chance.", lambda v: Fraction(v["pair"], v["i"])),
    ),
    hints=("Write the three probabilities as fractions first.",
           "Divide P(q ##u) by the product of the other two; one length of the corpus cancels.",
           "What is left: the length times the pair's count, over the product of the two counts."),
    solution=lambda v: f"{v['total']} · {v['pair']} / ({v['i']} · {v['j']}). The logarithm of this is the pointwise "
                       "mutual information. It is the score times the length of the corpus, so both put pairs in the "
                       "same order.",
)


# --------------------------------------------------------------------------------------------------------- decoding

SENTENCES = ("the Hugging Face course", "she sells seashells", "two small cats sing", "low lower lowest",
             "a token is not a word", "рыба и птица", "наши новые слова", "我们 喜欢 语言学", "大学生 学习 中文")


def _decode_variant(rng):
    tokens = []
    for word in rng.choice(SENTENCES).split():
        cuts = sorted(rng.sample(range(1, len(word)), min(len(word) - 1, rng.between(1, 2))))
        tokens += ["##" * bool(a) + word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)])]
    return {"tokens": tokens}


def _prefix_begins(tokens):
    """Words when the prefix is taken for a sign of a word's beginning."""
    words = []
    for token in tokens:
        if token.startswith("##") or not words:
            words.append(token.removeprefix("##"))
        else:
            words[-1] += token
    return words


DECODE = Exercise(
    id="wordpiece-10", title="Back to words", generate=_decode_variant,
    kind=Tokens(form="words, such as [\"one\", \"word\"]", example='["one", "word"]'),
    question=lambda v: f"Which words are these tokens?\n\n{as_tokens(v['tokens'])}",
    answer=lambda v: wordpiece.decode(v["tokens"]),
    misconceptions=(
        Misconception("every-token-a-word",
                      "You made a word of every token. A token with `##` goes on with the word before it.",
                      lambda v: [token.removeprefix("##") for token in v["tokens"]]),
        Misconception("prefix-begins-a-word",
                      "You began a word at each `##`. The sign means the opposite: here a word goes on.",
                      lambda v: _prefix_begins(v["tokens"])),
        Misconception("prefix-kept", "The words are right, but `##` belongs to the tokens, not to the text.",
                      lambda v: _words_with_prefix(v["tokens"])),
        Misconception("all-joined", "You joined everything. A token without `##` begins a new word.",
                      lambda v: ["".join(token.removeprefix("##") for token in v["tokens"])]),
    ),
    hints=("Which tokens begin a word?",
           "Join each token with `##` to what stands before it.",
           lambda v: f"There are {sum(not t.startswith('##') for t in v['tokens'])} words."),
    solution="A token without `##` begins a word, and a token with `##` continues it; the sign itself is left out.",
)


def _words_with_prefix(tokens):
    return "".join(token if token.startswith("##") else " " + token for token in tokens).split()


# --------------------------------------------------------------------------------------------- the base vocabulary

def _base_variant(rng):
    words = rng.choice(LANGUAGES)
    return {"words": rng.sample(words, rng.between(3, 4))}


BASE = Exercise(
    id="wordpiece-11", title="How many tokens before the first merge?", kind=Number(), generate=_base_variant,
    question=lambda v: f"WordPiece is trained on the words {as_tokens(v['words'])}. How many tokens does its base "
                       "vocabulary hold, as the sources count it: every symbol that stands in the split words?",
    answer=lambda v: len(bpe.base_vocab(wordpiece.split_words(v["words"]))),
    misconceptions=(
        Misconception("characters-as-in-bpe",
                      "You counted the characters. A character that stands at the beginning of one word and inside "
                      "of another is two tokens.", lambda v: len({char for word in v["words"] for char in word})),
        Misconception("both-forms-of-all",
                      "You counted every character in both forms, with and without `##`. Only what occurs is counted.",
                      lambda v: 2 * len({char for word in v["words"] for char in word})),
        Misconception("every-place",
                      "You counted every place in every word. A symbol that occurs often is still one token.",
                      lambda v: sum(map(len, v["words"]))),
    ),
    hints=("Write the words as symbols: all characters but the first carry `##`.",
           "Count each symbol once. With and without `##` are two symbols.",
           lambda v: f"The symbols without `##` are {as_tokens(sorted({w[0] for w in v['words']}))}."),
    solution=lambda v: as_tokens(bpe.base_vocab(wordpiece.split_words(v["words"]))) + ".",
)


# ----------------------------------------------------------------------------------------------- which rule was it?

RULES = {"score": ("the highest score", wordpiece.pair_scores),
         "count": ("the highest count", bpe.pair_freqs),
         "gain": ("the largest gain in likelihood", wordpiece.likelihood_gains),
         "rarest": ("the lowest count",
                    lambda freqs, splits: {pair: -n for pair, n in bpe.pair_freqs(freqs, splits).items()})}


def _made_by(rule, freqs):
    """The first two tokens that are made when pairs are chosen by this rule."""
    splits, tokens = wordpiece.split_words(freqs), []
    for _ in range(2):
        pair = _best(RULES[rule][1](freqs, splits))
        splits = wordpiece.merge_pair(pair, splits)
        tokens.append(wordpiece.merged_token(pair))
    return tokens


def _rule_variant(rng):
    while True:
        freqs = word_freqs(rng, LANGUAGES)
        if len({tuple(_made_by(rule, freqs)) for rule in RULES}) == len(RULES):
            return {"freqs": freqs, "known": 0, "rule": rng.choice(sorted(RULES))}


def _other_rule(which):
    return lambda v: RULES[[rule for rule in RULES if rule != v["rule"]][which]][0]


def _other_rule_message(which):
    def message(v):
        first, second = _made_by([rule for rule in RULES if rule != v["rule"]][which], v["freqs"])
        return f"By that rule the new tokens would be `{first}` and then `{second}`."
    return message


RULE = Exercise(
    id="wordpiece-12", title="Who made these tokens?", kind=Choice(), generate=_rule_variant, points=2,
    question=lambda v: "Somebody trained on this corpus, with `##`, and took the first seen among equal pairs.\n\n"
                       + _state(v) + "\n\nThe first two new tokens were {} and {}. By what did they choose?".format(
                           *map("`{}`".format, _made_by(v["rule"], v["freqs"]))),
    answer=lambda v: RULES[v["rule"]][0],
    misconceptions=tuple(Misconception(f"{name}-other-rule", _other_rule_message(which), _other_rule(which))
                         for which, name in enumerate(("first", "second", "third"))),
    hints=("Find the pair that the first token was made of. Is it frequent? Are its symbols?",
           "A pair whose count is highest speaks for one rule, a rare one whose symbols are rare too for another.",
           "Where two rules give the same first token, merge it and look which pair each of them would take then."),
    solution=lambda v: "\n".join(f"- {name}: {as_tokens(_made_by(rule, v['freqs']))}" for rule, (name, _) in
                                 RULES.items()),
)


# --------------------------------------------------------------------------------------------------------------- ties

def _tied_variant(rng):
    while True:
        freqs = word_freqs(rng, LANGUAGES)
        freqs = {word: freqs[word] for word in rng.shuffle(list(freqs))}
        v = {"freqs": freqs, "known": rng.between(0, 2)}
        steps = _steps(freqs, v["known"] + 1)
        if len(steps) > v["known"] and len(steps[-1].tied) > 2:
            return v


def _tied(v):
    step = _steps(v["freqs"], v["known"] + 1)[-1]
    return [pair for pair in step.scores if step.scores[pair] == step.score]


def _most_frequent_tied(v):
    counts = bpe.pair_freqs(v["freqs"], _splits(v))
    return [max(_tied(v), key=counts.get)]


TIED = Exercise(
    id="wordpiece-13", title="Equal scores", generate=_tied_variant,
    kind=Merges(form="one merge, such as x+##y", example='("x", "##y")'),
    question=lambda v: f"In these words {len(_tied(v))} pairs share the highest score, "
                       f"{wordpiece.pair_scores(v['freqs'], _splits(v))[_tied(v)[0]]}. The one that is seen first "
                       f"wins. Which is it?\n\n{_state(v)}",
    answer=lambda v: _tied(v)[:1],
    misconceptions=(
        Misconception("last-seen",
                      "That pair has the score, but it is the last one of them that one meets. `>=` in place of `>` "
                      "makes this mistake.", lambda v: _tied(v)[-1:]),
        Misconception("most-frequent-of-them",
                      "Among equal scores you took the most frequent pair. Counts have been used already, and equal "
                      "is equal.", _most_frequent_tied),
        Misconception("alphabetical",
                      "Among equal scores you took the first in the alphabet. It is the order of the words that "
                      "decides.", lambda v: [min(_tied(v))]),
    ),
    evidence=_part,
    hints=("Go through the words from the top, and in each word from left to right.",
           "Work out the score of each pair that you meet, until one has the highest.",
           "A pair's score has the form 1/x with a small x only if its symbols are mostly found side by side."),
    solution=lambda v: "In the order in which one meets them: " + ", ".join(as_tokens(pair) for pair in _tied(v)) + ".",
)


# ------------------------------------------------------------------------------------------------------ three merges

def _train_variant(rng):
    while True:
        freqs = word_freqs(rng, LANGUAGES)
        if len(steps := _steps(freqs, 3)) == 3 and _clear(steps[:1]) and _clear(steps[2:]):
            return {"freqs": freqs, "known": 0}


def _trained(v, rate=wordpiece.pair_scores):
    splits, merges = wordpiece.split_words(v["freqs"]), []
    for _ in range(3):
        merges.append(_best(rate(v["freqs"], splits)))
        splits = wordpiece.merge_pair(merges[-1], splits)
    return merges


def _never_recounted(v):
    scores = wordpiece.pair_scores(v["freqs"], wordpiece.split_words(v["freqs"]))
    return sorted(scores, key=lambda pair: -scores[pair])[:3]


def _part_of_training(value, right, v):
    same = next((i for i, (a, b) in enumerate(zip(value, right)) if a != b), min(len(value), len(right)))
    if same == len(value) or same == len(right):
        return Merges().evidence(value, right)
    scores = wordpiece.pair_scores(v["freqs"], _splits({**v, "known": same}))
    told = f"scores {scores[value[same]]}" if value[same] in scores else "does not occur"
    return (f"You part from the training at merge {same + 1}: {as_tokens(value[same])} {told} at that point, and the "
            f"pair that is merged scores {scores[right[same]]}.")


TRAIN = Exercise(
    id="wordpiece-14", title="The first three merges",
    kind=Merges(form="merges, such as ##x+##y, z+##xy", example='[("##x", "##y"), ("z", "##xy")]'),
    generate=_train_variant, points=2,
    question=lambda v: "Which three merges does WordPiece learn first from this corpus? Among equal scores the pair "
                       f"that is seen first wins.\n\n{_state(v)}",
    answer=_trained, evidence=_part_of_training,
    misconceptions=(
        Misconception("frequency-instead-of-score",
                      "These are the merges of the most frequent pairs. Divide each count by the counts of its two "
                      "symbols.", lambda v: _trained(v, bpe.pair_freqs)),
        Misconception("never-recounted",
                      "You scored once and took the best three. A merge changes the words, and with them the counts "
                      "of pairs and of symbols: score again.", _never_recounted),
        Misconception("gain-instead-of-score",
                      "You took the merges that make the corpus most likely. The score does not ask how many places "
                      "gain.", lambda v: _trained(v, wordpiece.likelihood_gains)),
    ),
    hints=("Score all pairs, merge the best one everywhere, and write the words down again.",
           "The merge has used up some of the two symbols: their own counts are smaller now, so other scores rise.",
           lambda v: f"The first merge has the score {_steps(v['freqs'], 1)[0].score}."),
    solution=lambda v: "\n".join(f"{s.number}. {as_tokens(s.pair)} scores {s.score}" for s in _steps(v["freqs"], 3)),
)


# ------------------------------------------------------------------------------------------------------- which is lost?

def _lost_variant(rng):
    while True:
        freqs = word_freqs(rng, LANGUAGES)
        model = WordPieceModel(wordpiece.train(freqs, num_merges=rng.between(2, 5)).vocab)
        known = "".join({char for token in model.vocab for char in token.removeprefix("##")})
        words = sorted({rng.choice(sorted(known)) + "".join(rng.choice(sorted(known)) for _ in range(rng.between(2, 4)))
                        for _ in range(60)})
        lost = [word for word in words if wordpiece.encode_word(word, model) == ["[UNK]"]]
        kept = [word for word in words if word not in lost]
        if lost and len(kept) > 2:
            return {"vocab": model.vocab, "lost": rng.choice(lost), "kept": rng.sample(kept, 3)}


def _kept(number):
    return Misconception(
        f"encodable-word-{number + 1}",
        lambda v: "That word can be spelled: " + as_tokens(wordpiece.encode_word(
            v["kept"][number], WordPieceModel(v["vocab"]))) + ".",
        lambda v: v["kept"][number])


LOST = Exercise(
    id="wordpiece-15", title="Which word is lost?", kind=Choice(), generate=_lost_variant,
    question=lambda v: "With this vocabulary, one of the words below becomes `[UNK]`, although each of its letters "
                       f"occurs in some token. Which?\n\n{as_tokens(v['vocab'])}",
    answer=lambda v: v["lost"], misconceptions=tuple(map(_kept, range(3))),
    hints=("Which letters can begin a word, and which can continue one?",
           "A letter that is only there with `##` cannot begin a word; one that is only there without it cannot "
           "stand inside.",
           "Take the first letter of each word: is it there without `##`? Then the others: are they there with it?"),
    solution=lambda v: f"In `{v['lost']}` there is a place where no token goes on: the vocabulary holds that letter in "
                       "the other form only.",
)

EXERCISES = [SCORE, NEXT, ENCODE, UNKNOWN, MERGE, ORDER, PROMISE, BOUND, CHANCE, DECODE, BASE, RULE, TIED, TRAIN, LOST]
