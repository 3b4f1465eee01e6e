"""The exercises of lesson 03: Unigram."""
from __future__ import annotations

from fractions import Fraction
from math import inf, isqrt, prod

from ... import unigram
from ...unigram import UnigramModel
from ..core import Exercise, Misconception
from ..kinds import Choice, Number, Ordering, Prediction, Segmentation, Tokens
from .corpora import as_table, as_tokens, word_freqs

WORDS = ("hugs", "pugs", "lower", "newest", "singer", "token", "taller", "open", "domino", "bakery",
         "котик", "домой", "лесной", "школа", "自然语言", "语言学家")
SIMILAR = (("hug", "pug", "hugs"), ("low", "lower", "slow"), ("sing", "ring", "rings"), ("ten", "tent", "often"),
           ("дом", "дома", "домой"), ("лес", "леса", "весло"), ("king", "kings", "inks"),
           ("pan", "plan", "plane"))


# ---------------------------------------------------------------------------------------------------------- road maps

def as_losses(losses) -> str:
    """Tokens and their losses as a Markdown table of two lines."""
    rows = [["token", *(f"`{token}`" for token in losses)], ["---"] * (len(losses) + 1), ["loss", *losses.values()]]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def as_way(tokens) -> str:
    return f"`{'|'.join(tokens)}`"


def _losses(rng, words, more: int) -> dict[str, int]:
    """A whole number for every character of the words, and for some of their longer substrings."""
    chars = sorted(set("".join(words)))
    longer = sorted({word[i:j] for word in words for i in range(len(word)) for j in range(i + 2, len(word) + 1)
                     if 1 < j - i < max(map(len, words))})
    chosen = sorted(rng.sample(longer, more), key=lambda token: (len(token), token))
    return {char: rng.between(3, 7) for char in chars} | {token: rng.between(3, 9) + len(token) for token in chosen}


def _map(rng):
    """A word, and tokens with losses among which one way through it is the best."""
    while True:
        word = rng.choice(WORDS)
        losses = _losses(rng, [word], rng.between(4, 6))
        v = {"word": word, "losses": losses}
        first, second = (_ways(v) + [None])[:2]
        if second and first[1] < second[1] and len(first[0]) < len(word):
            return v


def _model(v) -> UnigramModel:
    return UnigramModel(v["losses"], unknown_loss=inf)


def _ways(v) -> list:
    """All ways through the word with their losses, the best first."""
    return sorted(unigram.segmentations(v["word"], _model(v)), key=lambda way: way[1])


def _edges_to(v, gap: int) -> list:
    """The roads that end at the gap."""
    return [edge for edge in unigram.edges(v["word"], _model(v)) if edge.end == gap]


def _longest_first(v) -> list[str]:
    """Cut off the longest token that fits, again and again."""
    rest, tokens = v["word"], []
    while rest:
        tokens.append(next(rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in v["losses"]))
        rest = rest[len(tokens[-1]):]
    return tokens


def _cheapest_first(v) -> list[str]:
    """Cut off the cheapest token that fits, again and again."""
    rest, tokens = v["word"], []
    while rest:
        fits = [rest[:end] for end in range(1, len(rest) + 1) if rest[:end] in v["losses"]]
        tokens.append(min(fits, key=v["losses"].get))
        rest = rest[len(tokens[-1]):]
    return tokens


def _told(way) -> str:
    tokens, loss = way
    return f"{as_way(tokens)} costs {loss:g}"


# ------------------------------------------------------------------------------------------------------ ways and losses

def _way_variant(rng):
    word = rng.choice([word for word in WORDS if len(word) < 6])
    total, cut = rng.choice([50, 100, 200]), rng.between(1, len(word) - 2)
    path = [word[:cut], word[cut:-1], word[-1]][:rng.between(2, 3)]
    path = path if len(path) == 3 else [word[:cut], word[cut:]]
    tokens = path + [word[:cut + 1]] * (word[:cut + 1] not in path)
    return {"word": word, "path": path, "counts": {token: rng.between(2, 12) for token in tokens}, "total": total}


def _shares(v):
    return [Fraction(v["counts"][token], v["total"]) for token in v["path"]]


WAY = Exercise(
    id="unigram-01", title="How probable is this way?",
    kind=Number(form="a number, such as 0.0075 or 3/400", example="3/400"),
    generate=_way_variant,
    question=lambda v: (
        f"The counts of all tokens of a model add up to {v['total']}. Some of them: "
        + ", ".join(f"`{token}` {count}" for token, count in v["counts"].items())
        + f". How probable is the way {as_way(v['path'])} through `{v['word']}`?"),
    answer=lambda v: prod(_shares(v)),
    misconceptions=(
        Misconception("added-probabilities",
                      "You added the probabilities. The tokens stand in the word together, so their probabilities are "
                      "multiplied: heads and heads again is one half times one half, not one. What is added are "
                      "losses.",
                      lambda v: sum(_shares(v))),
        Misconception("counts-not-shares",
                      "You multiplied the counts. A probability is a share: each count goes over the count of all "
                      "tokens.",
                      lambda v: prod(v["counts"][token] for token in v["path"])),
        Misconception("divided-once",
                      "You divided once. Each token brings its own share, so there is one division for each of them.",
                      lambda v: Fraction(prod(v["counts"][token] for token in v["path"]), v["total"])),
        Misconception("rarest-token-only",
                      "You took the rarest token alone. A way is less probable than each of its tokens: all of them "
                      "have to come.",
                      lambda v: min(_shares(v))),
    ),
    hints=("The probability of a token is its count, divided by the count of all tokens together.",
           "Tokens stand independently of each other, so the way's probability is a product.",
           lambda v: f"Multiply {len(v['path'])} fractions; each has the same number below its line."),
    solution=lambda v: " · ".join(f"{v['counts'][token]}/{v['total']}" for token in v["path"]) + ".",
)

CUT = Exercise(
    id="unigram-02", title="Find the best way", kind=Segmentation(), generate=_map, listed=lambda v: [v["word"]],
    question=lambda v: f"How does Unigram cut `{v['word']}`?\n\n{as_losses(v['losses'])}",
    answer=lambda v: unigram.viterbi(v["word"], _model(v))[0],
    misconceptions=(
        Misconception("longest-first",
                      lambda v: "You took the longest token that fits, from the left. Unigram looks at the sum: your "
                                f"way costs {sum(map(v['losses'].get, _longest_first(v)))}, and there is a cheaper "
                                "one.",
                      _longest_first),
        Misconception("cheapest-token-first",
                      lambda v: "You took the token with the smallest loss at each gap. A cheap token can lead to a "
                                f"dear rest: your way costs {sum(map(v['losses'].get, _cheapest_first(v)))} in all.",
                      _cheapest_first),
        Misconception("largest-loss",
                      "That is the way with the largest loss. A loss is the negative logarithm of a probability: the "
                      "most probable way has the smallest.",
                      lambda v: _ways(v)[-1][0]),
    ),
    evidence=lambda value, right, v: (
        f"Your way costs {sum(v['losses'][token] for token in value)}." if all(token in v["losses"] for token in value)
        else f"{as_tokens([t for t in value if t not in v['losses']])} is not in the table, so no road leads there."),
    hints=("Each way costs the sum of its tokens' losses. Which way is the cheapest?",
           "Go from left to right, and note at each gap the cheapest way there. A way to a later gap is the best way "
           "to an earlier one and one more token.",
           lambda v: f"The best way has {len(unigram.viterbi(v['word'], _model(v))[0])} tokens."),
    solution=lambda v: "The best ways: " + "; ".join(map(_told, _ways(v)[:3])) + ".",
)

WAYS = Exercise(
    id="unigram-03", title="How many ways?", kind=Number(),
    generate=lambda rng: {"word": rng.choice([*WORDS, "unigram", "subword", "vocabulary", "станция"])},
    question=lambda v: f"Suppose that every substring of `{v['word']}` is a token, the whole word too. In how many "
                       "ways can it be cut?",
    answer=lambda v: 2 ** (len(v["word"]) - 1),
    misconceptions=(
        Misconception("a-gap-too-many",
                      "You counted as many gaps as there are characters. `ab` has one gap, and two ways: `ab` and "
                      "`a|b`.",
                      lambda v: 2 ** len(v["word"])),
        Misconception("whole-word-forgotten",
                      "One way is missing: not to cut at all. `ab` has two ways, `a|b` and `ab` itself. (One of our "
                      "sources leaves it out too.)",
                      lambda v: 2 ** (len(v["word"]) - 1) - 1),
        Misconception("gaps-not-combined",
                      "You counted the gaps. Each of them is cut or not, whatever the others are: the choices "
                      "multiply.",
                      lambda v: len(v["word"]) - 1),
        Misconception("tokens-not-ways",
                      "You counted the substrings, which are the roads of the map. A way is a row of roads from the "
                      "first gap to the last.",
                      lambda v: len(v["word"]) * (len(v["word"]) + 1) // 2),
    ),
    hints=("How many gaps are there between the characters?", "In each gap there are two possibilities.",
           "Two to the power of the number of gaps."),
    solution=lambda v: f"{len(v['word'])} characters have {len(v['word']) - 1} gaps, each cut or not.",
)

THROUGH = Exercise(
    id="unigram-04", title="How many ways are left?", kind=Number(), generate=_map,
    question=lambda v: f"In how many ways can `{v['word']}` be cut into these tokens? {as_tokens(v['losses'])}",
    answer=lambda v: len(_ways(v)),
    misconceptions=(
        Misconception("every-gap-free",
                      "You let every gap be cut or not. A way needs a token for each of its pieces, and not every "
                      "piece is a token here.",
                      lambda v: 2 ** (len(v["word"]) - 1)),
        Misconception("roads-not-ways",
                      "You counted the places where a token fits. A way is a row of such places from the beginning to "
                      "the end; ways share roads.",
                      lambda v: len(unigram.edges(v["word"], _model(v)))),
        Misconception("one-long-token-a-way",
                      "You counted the ways with one long token, and the one of characters. Two long tokens can stand "
                      "in the same way, if they do not overlap.",
                      lambda v: 1 + sum(len(edge.token) > 1 for edge in unigram.edges(v["word"], _model(v)))),
        Misconception("characters-forgotten",
                      "You left out the way of single characters. It is always there.",
                      lambda v: len(_ways(v)) - 1),
    ),
    hints=("Count from left to right: in how many ways can you get to the first gap, to the second ...?",
           "The number of ways to a gap is the sum over the tokens that end there: for each, the number of ways to "
           "where it begins.",
           lambda v: f"{as_tokens(edge.token for edge in _edges_to(v, len(v['word'])))} can be the last token; add up "
                     "the ways to where each begins."),
    solution=lambda v: "Ways to each gap, from the first to the last: " + ", ".join(map(str, _ways_to(v))) + ".",
)


def _ways_to(v):
    ways = [1] + [0] * len(v["word"])
    for edge in unigram.edges(v["word"], _model(v)):
        ways[edge.end] += ways[edge.start]
    return ways


# --------------------------------------------------------------------------------------------------- Viterbi, by hand

def _cell_variant(rng):
    v = _map(rng)
    return v | {"gap": rng.between(3, len(v["word"]))}


def _cell_longest(v):
    best, _ = unigram.viterbi_table(v["word"], _model(v))
    longest = max(_edges_to(v, v["gap"]), key=lambda edge: len(edge.token))
    return int(best[longest.start] + longest.loss)


CELL = Exercise(
    id="unigram-05", title="A cell of the table", kind=Number(), generate=_cell_variant,
    question=lambda v: f"Viterbi goes through `{v['word']}`. What is the smallest loss of a way from the beginning to "
                       f"gap {v['gap']}, the one behind `{v['word'][:v['gap']]}`?\n\n{as_losses(v['losses'])}",
    answer=lambda v: int(unigram.viterbi_table(v["word"], _model(v))[0][v["gap"]]),
    misconceptions=(
        Misconception("last-token-only",
                      "That is the loss of the last token alone. What leads to its beginning has its price too.",
                      lambda v: min(edge.loss for edge in _edges_to(v, v["gap"]))),
        Misconception("longest-last-token",
                      "You let the longest token end here. Every token that ends at this gap is a candidate: compare "
                      "the sums.",
                      _cell_longest),
        Misconception("characters-only",
                      "You went character by character. A longer token may cover the same stretch for less.",
                      lambda v: sum(v["losses"][char] for char in v["word"][:v["gap"]])),
    ),
    hints=("Which tokens end at this gap? List them, with the gap where each begins.",
           "Each candidate costs the smallest loss of the way to its beginning, and its own loss on top.",
           lambda v: "The candidates for the last token are "
                     f"{as_tokens(edge.token for edge in _edges_to(v, v['gap']))}."),
    solution=lambda v: "The smallest loss at each gap: " + ", ".join(
        f"{loss:g}" for loss in unigram.viterbi_table(v["word"], _model(v))[0][:v["gap"] + 1]) + ".",
)


def _starts(v):
    return unigram.viterbi_table(v["word"], _model(v))[1]


def _cut_at(word, cuts):
    places = [0, *sorted(set(cuts) - {0, len(word)}), len(word)]
    return [word[a:b] for a, b in zip(places, places[1:])]


def _forwards_of(word, starts):
    """From gap 0 on to the first later gap whose last token begins here, as long as there is one."""
    gap, cuts = 0, []
    while gap is not None and gap < len(word):
        cuts.append(gap)
        gap = next((end for end in range(gap + 1, len(starts)) if starts[end] == gap), None)
    return _cut_at(word, cuts)


def _forwards(v):
    return _forwards_of(v["word"], _starts(v))


def _back_variant(rng):
    """A table in which the way back differs from every other way to read it."""
    while True:
        v = _map(rng)
        if len(_way_back(v)) > 3 and _forwards(v) != unigram.viterbi(v["word"], _model(v))[0]:
            return v


def _as_starts(v):
    best, starts = unigram.viterbi_table(v["word"], _model(v))
    rows = [f"| {gap} | {best[gap]:g} | {starts[gap]} |" for gap in range(1, len(starts))]
    return "\n".join(["| gap | smallest loss | its last token begins at gap |", "|---|---|---|", *rows])


BACK = Exercise(
    id="unigram-06", title="The way back", kind=Segmentation(), generate=_back_variant, listed=lambda v: [v["word"]],
    question=lambda v: f"Viterbi has gone through `{v['word']}` and left this table. Gap 0 is before the first "
                       f"character. How is the word cut?\n\n{_as_starts(v)}",
    answer=lambda v: unigram.viterbi(v["word"], _model(v))[0],
    misconceptions=(
        Misconception("read-forwards",
                      "You read the table from the top. A road that is best for an early gap need not lie on the best "
                      "way to the end: only the last line knows where that way comes from.",
                      _forwards),
        Misconception("every-start-a-cut",
                      "You cut wherever some token begins. Most lines of the table are not on the way: follow the last "
                      "line back, and look only at the lines that you come to.",
                      lambda v: _cut_at(v["word"], _starts(v)[1:])),
        Misconception("one-step-back",
                      "You went one step back and stopped. Go on from there in the same way, until you are at gap 0.",
                      lambda v: _cut_at(v["word"], _starts(v)[-1:])),
    ),
    hints=("Begin at the last gap: where does the last token begin?",
           "Go to that gap's own line, and ask the same again.",
           "Stop at gap 0. The gaps that you came to are the cuts."),
    solution=lambda v: "From the end: gap " + ", then gap ".join(map(str, _way_back(v))) + ".",
)


def _way_back(v):
    starts, gaps = _starts(v), [len(v["word"])]
    while gaps[-1]:
        gaps.append(starts[gaps[-1]])
    return gaps


def _unknown_variant(rng):
    v = _map(rng)
    place = rng.between(0, len(v["word"]))
    return v | {"unheard": v["word"][:place] + rng.choice("жщqzx好မ") + v["word"][place:]}


def _unheard(v, **more):
    return unigram.encode_word(v["unheard"], UnigramModel(v["losses"], **more), unknown="[UNK]")


UNKNOWN = Exercise(
    id="unigram-07", title="Before you run it", kind=Prediction(), generate=_unknown_variant,
    question=lambda v: f"A model has these losses.\n\n{as_losses(v['losses'])}\n\nWhat will this show? Say it first, "
                       f"then run it.\n\n```\nlosses = {v['losses']}\n"
                       f"unigram.encode_word({v['unheard']!r}, UnigramModel(losses))\n```",
    answer=_unheard,
    misconceptions=(
        Misconception("whole-word-unknown",
                      "You gave up the whole word. An unknown character is a dear road, not a closed one: the rest of "
                      "the word is cut as ever.",
                      lambda v: _unheard(v, unknown_loss=inf)),
        Misconception("passed-through",
                      "You left the unknown character as it is. It is no token, so it has no id.",
                      lambda v: unigram.encode_word(v["unheard"], UnigramModel(v["losses"]), unknown=None)),
        Misconception("dropped",
                      "You left the unknown character out. Then nobody could tell that something had stood there.",
                      lambda v: [token for token in _unheard(v) if token != "[UNK]"]),
        Misconception("rest-in-characters",
                      "You spelled the rest with single characters. What stands before and behind the unknown "
                      "character is still cut in the best way.",
                      lambda v: [c if c in v["losses"] else "[UNK]" for c in v["unheard"]]),
    ),
    hints=("Which character of the word is no token?", "It becomes `[UNK]`; no longer token can reach across it.",
           "Cut what stands on its left and on its right, each in the best way."),
    solution=lambda v: "Losses of the ways to each gap: " + ", ".join(
        f"{loss:g}" for loss in unigram.viterbi_table(v["unheard"], UnigramModel(v["losses"]))[0]) + ".",
)


# ------------------------------------------------------------------------------------------------ counting and pruning

def _shares_variant(rng):
    word = rng.choice(("hug", "pugs", "кот", "дома", "语言学", "open"))
    ways = [tokens for tokens, _ in unigram.segmentations(word, UnigramModel(
        {word[i:j]: 1.0 for i in range(len(word)) for j in range(i + 1, len(word) + 1)}))]
    weights = rng.choice(([10, 6, 3, 1], [12, 4, 3, 1], [5, 2, 2, 1], [20, 13, 5, 2], [25, 14, 8, 3]))
    ways = rng.sample(ways, 4)
    token = rng.choice(sorted({token for way in ways for token in way if len(token) < len(word)}))
    return {"word": word, "ways": list(zip(ways, weights)), "token": token, "freq": 10 * rng.between(1, 6)}


def _with_token(v):
    return [weight for way, weight in v["ways"] if v["token"] in way]


def _all_weights(v):
    return sum(weight for _, weight in v["ways"])


EXPECTED = Exercise(
    id="unigram-08", title="One round of EM", generate=_shares_variant,
    kind=Number(form="a number, such as 12, 4.5 or 9/2"),
    question=lambda v: f"`{v['word']}` occurs {v['freq']} times. These are its ways, each with its probability:\n\n"
                       "| way | probability |\n|---|---|\n" + "\n".join(
                           f"| `{' '.join(way)}` | {weight}/1000 |" for way, weight in v["ways"]) +
                       f"\n\nEM asks how often `{v['token']}` is used, if every way counts as much as it is probable. "
                       "What does it find?",
    answer=lambda v: Fraction(v["freq"] * sum(_with_token(v)), _all_weights(v)),
    misconceptions=(
        Misconception("best-way-only",
                      "You looked at the best way alone. EM lets every way count, as much as it is probable.",
                      lambda v: v["freq"] * (v["token"] in v["ways"][0][0])),
        Misconception("shares-not-whole",
                      "You took the probabilities as they are. The word is there, so one of its ways was taken: the "
                      "shares of all ways have to make up the whole. Divide by their sum.",
                      lambda v: Fraction(v["freq"] * sum(_with_token(v)), 1000)),
        Misconception("every-way-alike",
                      "You let every way count alike. A way that is ten times as probable counts ten times as much.",
                      lambda v: Fraction(v["freq"] * len(_with_token(v)), len(v["ways"]))),
        Misconception("likeliest-way-with-it",
                      "You took one of the ways that hold the token. Add up all of them.",
                      lambda v: Fraction(v["freq"] * max(_with_token(v)), _all_weights(v))),
    ),
    hints=("The word is certain, its way is not: the shares of the ways add up to one.",
           "A way's share is its probability, divided by the probabilities of all ways together.",
           lambda v: f"Add up the shares of the ways that hold `{v['token']}`, and let the word occur as often as it "
                     "does."),
    solution=lambda v: f"{v['freq']} · ({' + '.join(map(str, _with_token(v)))}) / {_all_weights(v)}.",
)


def _score_variant(rng):
    while True:
        words = rng.choice(SIMILAR)
        freqs = dict(zip(words, rng.sample(range(2, 13), len(words))))
        v = {"freqs": freqs, "losses": _losses(rng, words, rng.between(5, 6))}
        scores = unigram.removal_scores(freqs, _model(v))
        if useful := [token for token, score in scores.items() if score]:
            return v | {"token": rng.choice(useful)}


def _changes(v):
    """Word -> by how much its best way rises without the token."""
    return {word: int(unigram.viterbi(word, _model(v), without=v["token"])[1] - unigram.viterbi(word, _model(v))[1])
            for word in v["freqs"]}


def _users(v):
    """The words whose best way holds the token, with their frequencies."""
    return {word: freq for word, freq in v["freqs"].items() if v["token"] in unigram.viterbi(word, _model(v))[0]}


def _spelled_instead(v):
    return (sum(v["losses"][char] for char in v["token"]) - v["losses"][v["token"]]) * sum(_users(v).values())


SCORE = Exercise(
    id="unigram-09", title="What does its absence cost?", kind=Number(), generate=_score_variant, points=2,
    question=lambda v: f"{as_table(v['freqs'])}\n\n{as_losses(v['losses'])}\n\nBy how much does the loss of this "
                       f"corpus rise if `{v['token']}` is removed and all other losses stay?",
    answer=lambda v: int(unigram.removal_scores(v["freqs"], _model(v))[v["token"]]),
    misconceptions=(
        Misconception("types-not-occurrences",
                      "You counted each word once. A word that occurs ten times gets dearer ten times.",
                      lambda v: sum(_changes(v).values())),
        Misconception("spelled-with-characters",
                      "You replaced the token by its characters. Without it the word takes its next best way, which "
                      "may be another cut altogether.",
                      _spelled_instead),
        Misconception("token-loss",
                      "You took the token's own loss. What counts is the difference: something else has to take its "
                      "place, and has a price too.",
                      lambda v: v["losses"][v["token"]] * sum(_users(v).values())),
        Misconception("loss-not-difference",
                      "That is the loss of the corpus without the token. The score is by how much it rises.",
                      lambda v: int(sum(freq * unigram.viterbi(word, _model(v), without=v["token"])[1]
                                        for word, freq in v["freqs"].items()))),
    ),
    hints=("Only a word whose best way holds the token can lose by its absence. Which words are these?",
           "For each of them: the loss of the best way without the token, minus the loss of the best way.",
           "Multiply each difference by how often the word occurs, and add up."),
    solution=lambda v: "\n".join(
        f"- `{word}`: {_told(unigram.viterbi(word, _model(v)))}, without the token "
        f"{_told(unigram.viterbi(word, _model(v), without=v['token']))}; {v['freqs'][word]} times"
        for word, change in _changes(v).items() if change),
)

POOL = ("th", "he", "ing", "un", "er", "ate", "out", "ly", "ack", "es", "is", "ow", "and", "if", "up", "age", "ob",
        "ex")


def _pool(rng, number):
    """Tokens with different second characters, each with a count and a score of its own."""
    tokens = []
    for token in rng.shuffle(POOL):
        if token[1] not in {other[1] for other in tokens}:
            tokens.append(token)
    tokens = tokens[:number]
    return {"counts": dict(zip(tokens, rng.sample(range(11, 99), number))),
            "scores": dict(zip(tokens, rng.sample(range(0, 60), number)))}


def _by_score(v):
    return sorted(v["scores"], key=v["scores"].get)


def _as_scores(v):
    rows = [f"| `{token}` | {v['counts'][token]} | {score} |" for token, score in v["scores"].items()]
    return "\n".join(["| token | count | score |", "|---|---|---|", *rows])


GO = Exercise(
    id="unigram-10", title="Who goes first?", kind=Ordering(),
    generate=lambda rng: (lambda v: v | {"shown": rng.shuffle(list(v["scores"]))})(_pool(rng, 5)),
    question=lambda v: f"Training scored five tokens.\n\n{_as_scores(v)}\n\nIn which order would it remove them?",
    answer=_by_score, listed=lambda v: v["shown"],
    misconceptions=(
        Misconception("highest-score-first",
                      "That removes the most useful tokens first. A score says what a token's absence would cost.",
                      lambda v: _by_score(v)[::-1]),
        Misconception("rarest-first",
                      "You went by the counts. A rare token may be hard to replace, and a frequent one easy.",
                      lambda v: sorted(v["counts"], key=v["counts"].get)),
        Misconception("by-second-character",
                      "That is the order of the second characters. One of our sources made this very slip: its code "
                      "sorts by element 1 of the token, not by the score.",
                      lambda v: sorted(v["scores"], key=lambda token: token[1])),
        Misconception("alphabetical", "That is the order of the alphabet; the scores have not been looked at.",
                      lambda v: sorted(v["scores"])),
    ),
    hints=("What does a score say: how useful a token is, or how useless?",
           "The score is the loss that the corpus would gain without the token.",
           "What costs least is removed first."),
    solution=lambda v: ", ".join(f"`{token}` {v['scores'][token]}" for token in _by_score(v)) + ".",
)


def _round_variant(rng):
    v = _pool(rng, rng.between(6, 8))
    chars, drop = rng.between(12, 24), rng.choice([20, 25, 30])
    size = chars + len(v["scores"])
    gone = rng.between(2, max(2, size * drop // 100 - 1))
    return v | {"chars": chars, "drop": drop, "size": size, "target": size - gone}


def _gone(v, number, order=None):
    ranked = order or _by_score(v)
    return ranked[:number] if 0 < number <= len(ranked) else None


ROUND = Exercise(
    id="unigram-11", title="The last round", kind=Tokens(example='["ug", "pu"]'), generate=_round_variant,
    question=lambda v: f"A vocabulary holds {v['chars']} characters and these tokens.\n\n{_as_scores(v)}\n\nA round "
                       f"removes {v['drop']} percent of all tokens, rounded down, and training is to end at "
                       f"{v['target']} tokens. Which tokens does this round remove, in which order?",
    answer=lambda v: _gone(v, v["size"] - v["target"]),
    misconceptions=(
        Misconception("overshoot",
                      "You removed the full share. The last round stops where the size is right; one of our sources "
                      "overshoots like this.",
                      lambda v: _gone(v, v["size"] * v["drop"] // 100)),
        Misconception("highest-score-first",
                      "You removed the tokens with the highest scores, which the corpus can spare least.",
                      lambda v: _gone(v, v["size"] - v["target"], _by_score(v)[::-1])),
        Misconception("share-of-the-longer",
                      "You took the share of the longer tokens alone. It is a share of the whole vocabulary, "
                      "characters included, although those are never removed.",
                      lambda v: _gone(v, len(v["scores"]) * v["drop"] // 100)),
    ),
    hints=("How many tokens are there now, and how many should be left?",
           "The round removes its share of the whole vocabulary, but no more than is too much.",
           "Take that many from the smallest score upwards; characters always stay."),
    solution=lambda v: f"There are {v['size']} tokens, {v['size'] - v['target']} too many; a full share would be "
                       f"{v['size'] * v['drop'] // 100}.",
)

ORDERS = {"score": "by the score, smallest first", "highest": "by the score, highest first",
          "count": "by the count, smallest first", "second": "by the second character of the token"}


def _removed_by(v, rule):
    return {"score": _by_score(v), "highest": _by_score(v)[::-1],
            "count": sorted(v["counts"], key=v["counts"].get),
            "second": sorted(v["scores"], key=lambda token: token[1])}[rule][:3]


def _detective_variant(rng):
    while True:
        v = _pool(rng, 7) | {"rule": rng.choice(list(ORDERS))}
        if len({_removed_by(v, rule)[0] for rule in ORDERS}) == len(ORDERS):
            return v


def _other_order(number):
    def other(v):
        return [rule for rule in ORDERS if rule != v["rule"]][number]

    return Misconception(
        f"other-order-{number + 1}",
        lambda v: f"In that order `{_removed_by(v, other(v))[0]}` would have gone first, and "
                  f"`{_removed_by(v, other(v))[1]}` after it.",
        lambda v: ORDERS[other(v)])


DETECTIVE = Exercise(
    id="unigram-12", title="Detective work", kind=Choice(), generate=_detective_variant,
    question=lambda v: f"A program scored these tokens\n\n{_as_scores(v)}\n\nand removed "
                       f"{as_tokens(_removed_by(v, v['rule']))}, in this order. How did it sort them?",
    answer=lambda v: ORDERS[v["rule"]], misconceptions=tuple(map(_other_order, range(3))),
    hints=("Look at the first token that went: in which column is it at an end?",
           "Try each order on the table: which tokens would go?",
           "If neither column explains it, look at the letters."),
    solution=lambda v: "Each order would remove: " + "; ".join(
        f"{ORDERS[rule]} {as_tokens(_removed_by(v, rule))}" for rule in ORDERS) + ".",
)


def _fall_variant(rng):
    while True:
        freqs = word_freqs(rng)
        chars = len(set("".join(freqs)))
        for step in unigram.train_steps(freqs, vocab_size=chars, initial_size=chars + 8, method="counting"):
            if step.loss_after < step.loss - 0.5 and rng.below(2):
                return {"token": step.removed[0], "losses": [round(x, 1) for x in
                                                            (step.loss, step.loss_without, step.loss_after)]}


FALL = Exercise(
    id="unigram-13", title="Why did it fall?", kind=Choice(), generate=_fall_variant,
    question=lambda v: f"A corpus had a loss of {v['losses'][0]}. Without `{v['token']}` it was {v['losses'][1]}. Then "
                       f"all losses were computed anew from the counts, and it was {v['losses'][2]}. Why could it "
                       "fall?",
    answer=lambda v: "The tokens that stay share the whole among fewer, so each of them became likelier.",
    misconceptions=(
        Misconception("it-cannot-fall",
                      "The proof that it cannot fall holds as long as the other losses stay as they are. Here they "
                      "were computed anew.",
                      lambda v: "It cannot: there is a mistake in the program."),
        Misconception("fewer-to-add",
                      "The corpus is as long as before, and every word is still cut into tokens that are all paid for.",
                      lambda v: "There are fewer tokens, so fewer losses are added up."),
        Misconception("token-was-in-the-way",
                      "A token never stands in the way: Viterbi takes it only where that is the cheapest.",
                      lambda v: f"Viterbi had been forced to use `{v['token']}` where other tokens were cheaper."),
    ),
    hints=("Compare the second figure with the first, and the third with the second: which step lowered the loss?",
           "Computing anew changes nothing about which tokens there are. What does it change?",
           "Probabilities are shares of a whole. What happens to the others' shares when one leaves?"),
    solution="With the other losses held fixed a removal can only raise the loss. But the removed token's count leaves "
             "the total, so every share grows, and every loss gets a little smaller.",
)


# -------------------------------------------------------------------------------------------------- sampling, decoding

def _temperature_variant(rng):
    high, low = rng.sample([1, 4, 9, 16, 25], 2)
    word = rng.choice(("hugs", "token", "домой", "自然语言", "lower"))
    cuts = rng.sample(range(1, len(word)), 2)
    return {"weights": [high, low], "ways": [_cut_at(word, [cut]) for cut in cuts], "cold": bool(rng.below(2))}


def _drawn(v, cold):
    a, b = (weight ** 2 if cold else isqrt(weight) for weight in v["weights"])
    return Fraction(a, a + b)


TEMPERATURE = Exercise(
    id="unigram-14", title="Warmer and colder",
    kind=Number(form="a number, such as 7/1000 or 0.123 (three decimals are enough)", example="7/1000", tolerance=0.0006),
    generate=_temperature_variant,
    question=lambda v: f"A word can be cut in two ways: {as_way(v['ways'][0])} with probability "
                       f"{v['weights'][0]}/1000, and {as_way(v['ways'][1])} with {v['weights'][1]}/1000. Sampling "
                       "divides every loss by the temperature. How often, as a share of all draws, is the first way "
                       f"drawn at temperature {'1/2' if v['cold'] else '2'}?",
    answer=lambda v: _drawn(v, v["cold"]),
    misconceptions=(
        Misconception("temperature-ignored",
                      "That is the share at temperature 1, where the model's own probabilities hold.",
                      lambda v: Fraction(v["weights"][0], sum(v["weights"]))),
        Misconception("temperature-turned-around",
                      lambda v: "You turned the temperature around. " + (
                          "A low one makes the differences larger: the likelier way wins more often."
                          if v["cold"] else "A high one makes the differences smaller: the ways come closer to each "
                                            "other."),
                      lambda v: _drawn(v, not v["cold"])),
        Misconception("never-normalized",
                      "That is the weight of one way. A share needs the weights of all ways below the line.",
                      lambda v: Fraction(v["weights"][0], 1000)),
        Misconception("best-way-always",
                      "So it would be at temperature 0: the best way always, or never the other one.",
                      lambda v: int(v["weights"][0] > v["weights"][1])),
    ),
    hints=("Dividing a loss by two takes the square root of the probability; doubling a loss squares it.",
           "Weigh each of the two ways like that.",
           "The share is the first weight, divided by the sum of both."),
    solution=lambda v: "The weights become " + " and ".join(
        str(weight ** 2 if v["cold"] else isqrt(weight)) for weight in v["weights"]) + ".",
)

SENTENCES = (["the", "cats", "are", "sleeping"], ["she", "reads", "letters"], ["two", "tokenizers", "disagree"],
             ["дом", "стоит", "давно"], ["кошка", "видит", "мышку"], ["we", "learn", "languages"],
             ["nothing", "is", "lost"])


def _decode_variant(rng):
    words, tokens = rng.choice(SENTENCES), []
    for word in words:
        cut = rng.between(1, len(word))
        tokens += ["▁" + word[:cut]] + [word[cut:]] * (cut < len(word))
    return {"tokens": tokens}


DECODE = Exercise(
    id="unigram-15", title="Back to words", generate=_decode_variant,
    kind=Tokens(form='words, such as ["one", "word"]', example='["one", "word"]'),
    question=lambda v: f"Which words are these tokens? {as_tokens(v['tokens'])}",
    answer=lambda v: unigram.decode(v["tokens"]),
    misconceptions=(
        Misconception("every-token-a-word", "You made a word of every token. One without the mark goes on with the "
                                            "word before it.",
                      lambda v: [token.removeprefix("▁") for token in v["tokens"]]),
        Misconception("mark-at-the-end", "You let a word end behind a token with the mark, as with `</w>`. This mark "
                                         "stands for the space, and the space comes before the word.",
                      lambda v: _mark_ends(v["tokens"])),
        Misconception("marks-kept", "The words are right, but the mark stands for the space: it is no part of them.",
                      lambda v: ["▁" + word for word in unigram.decode(v["tokens"])]),
        Misconception("marks-ignored", "You joined everything. Where the mark stood, there was a space.",
                      lambda v: ["".join(unigram.decode(v["tokens"]))]),
    ),
    hints=("Join all tokens, and look at where the marks are.", "The mark stands in the place of a space.",
           lambda v: f"There are {sum(token.startswith('▁') for token in v['tokens'])} marks, and as many words."),
    solution="Join the tokens, and begin a new word at every mark.",
)


def _mark_ends(tokens):
    words, word = [], ""
    for token in tokens:
        word += token.removeprefix("▁")
        if token.startswith("▁"):
            words.append(word)
            word = ""
    return words + [word] * bool(word)


EXERCISES = [WAY, CUT, WAYS, THROUGH, CELL, BACK, UNKNOWN, EXPECTED, SCORE, GO, ROUND, DETECTIVE, FALL, TEMPERATURE,
             DECODE]
