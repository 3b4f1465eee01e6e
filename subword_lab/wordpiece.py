"""WordPiece: is the most frequent pair the best one?

Training goes as in BPE, with two differences. Every symbol that does not begin a word carries a prefix (`##`), and
the pair to merge is not the most frequent one but the one with the highest score: how often the pair occurs, divided
by how often its first symbol and how often its second symbol occur. Encoding needs no merges: it cuts off the longest
beginning of the word that is a token, again and again.

Read this file from top to bottom: the model, the small functions of the lesson, what the score is derived from,
`train_steps` (one record a merge), `train` (the same merges, fast), then `encode_word`, `encode` and `decode`.

Sources: M. Schuster and K. Nakajima, "Japanese and Korean Voice Search" (2012); J. Devlin et al., "BERT" (2019),
whose encoder this is. The score is the one that courses teach; the trainer behind BERT's vocabulary is not public.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import log

from .arguments import (
    check,
    check_choice,
    check_count,
    check_string,
    check_type,
    check_word_freqs,
    check_words,
    shorten,
)
from .bpe import (
    Pair,
    Splits,
    Ties,
    base_vocab,
    best_pair,
    check_chosen,
    check_limits,
    ids_of,
    merge_symbols,
    pair_freqs,
    tie_rule,
    token_freqs,
)

Score = Fraction | int
SCORES = ("likelihood", "frequency")
USUAL_TIES = {"likelihood": "first-seen", "frequency": "lowest-ids"}


@dataclass(frozen=True)
class WordPieceModel:
    """What training leaves behind: the tokens by id, and the prefix of the tokens that continue a word.

    `stopped` says in words why training ended, if it ended early.

    >>> WordPieceModel(["##g", "##u", "h", "hu"])
    WordPieceModel(4 tokens)
    """

    vocab: list[str]
    prefix: str = "##"
    stopped: str = ""

    def __repr__(self) -> str:
        return f"WordPieceModel({len(self.vocab)} tokens{', ' * bool(self.stopped)}{self.stopped})"

    ids = cached_property(ids_of)  # token -> its id

    @cached_property
    def longest(self) -> int:
        """The number of characters of the longest token."""
        return max(map(len, self.vocab), default=0)

    @cached_property
    def lengths(self) -> list[int]:
        """Of how many characters tokens are, without the prefix; the most first."""
        pieces = (token.removeprefix(self.prefix) for token in self.vocab)
        return sorted({*map(len, pieces)} - {0}, reverse=True)


# ---------------------------------------------------------------------------------------------------- small functions


def split_words(words: Iterable[str], prefix: str = "##") -> Splits:
    """Split every word into characters; all but the first get the prefix.

    >>> split_words(["hug", "pun"])
    {'hug': ['h', '##u', '##g'], 'pun': ['p', '##u', '##n']}
    """
    return {word: [*word[:1], *(prefix + char for char in word[1:])] for word in words}


def pair_scores(
    word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]]
) -> dict[Pair, Fraction]:
    """n(ij) / (n(i) · n(j)) of every pair, as an exact fraction, so that a tie is a tie; in first-seen order.

    n(ij) is how often the pair occurs, n(i) and n(j) how often its symbols do, anywhere in the words.

    >>> scores = pair_scores({"hug": 10, "hugs": 5}, split_words(["hug", "hugs"]))
    >>> {pair: str(score) for pair, score in scores.items()}
    {('h', '##u'): '1/15', ('##u', '##g'): '1/15', ('##g', '##s'): '1/15'}
    """
    check_word_freqs(word_freqs)
    symbols = token_freqs(word_freqs, splits)
    return {
        (left, right): Fraction(freq, symbols[left] * symbols[right])
        for (left, right), freq in pair_freqs(word_freqs, splits).items()
    }


def merged_token(pair: Pair, prefix: str = "##") -> str:
    """The token that a pair becomes: the prefix of the second symbol falls away.

    >>> merged_token(("##h", "##ug")), merged_token(("b", "##ug"))
    ('##hug', 'bug')
    """
    return pair[0] + pair[1].removeprefix(prefix)


def merge_pair(pair: Pair, splits: Mapping[str, Sequence[str]], prefix: str = "##") -> Splits:
    """Join `pair` in every word. The splits that came in stay as they were.

    >>> merge_pair(("##u", "##g"), {"hug": ["h", "##u", "##g"], "pun": ["p", "##u", "##n"]})
    {'hug': ['h', '##ug'], 'pun': ['p', '##u', '##n']}
    """
    token = merged_token(pair, prefix)
    return {word: merge_symbols(split, pair, token) for word, split in splits.items()}


def library_vocab(
    splits: Mapping[str, Sequence[str]],
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
) -> list[str]:
    """The tokens that the tokenizers library begins with: every character also without prefix, and these first.

    >>> library_vocab(split_words(["hug", "hum"]))
    ['g', 'h', 'm', 'u', '##g', '##m', '##u']
    """
    characters = {char for word in splits for char in word}
    return base_vocab(splits, base_vocab({}, special_tokens, characters.union(alphabet)))


# -------------------------------------------------------------------------------------- what the score is derived from


def pmi(word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]]) -> dict[Pair, float]:
    """Pointwise mutual information of every pair, in nats: log of P(ij) / (P(i) · P(j)).

    Each P is a count divided by N, the number of symbols in the corpus, so this is the logarithm of N times the score
    and puts the pairs in the score's order. Above 0: the two meet more often than chance would have it.

    >>> values = pmi({"hug": 10, "hugs": 5}, split_words(["hug", "hugs"]))
    >>> round(values["##g", "##s"], 4)                          # log(50 * 5 / (15 * 5))
    1.204
    """
    total = sum(token_freqs(word_freqs, splits).values())
    return {pair: log(total * score) for pair, score in pair_scores(word_freqs, splits).items()}


def likelihood_gains(
    word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]], prefix: str = "##"
) -> dict[Pair, float]:
    """By how many nats each possible merge would make the corpus likelier, all probabilities estimated anew.

    The corpus is as likely as all of its tokens together, each drawn on its own with its share of them. Worked out from
    the counts that a merge changes: those of the two symbols and of the new token, and their total.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> gains = likelihood_gains(corpus, split_words(corpus))
    >>> round(gains["##u", "##g"], 2), round(gains["##g", "##s"], 2)
    (28.02, 9.23)
    """
    freqs = token_freqs(word_freqs, splits)
    total = sum(freqs.values())

    def gain(pair: Pair, times: int) -> float:
        token = merged_token(pair, prefix)
        before = {symbol: freqs.get(symbol, 0) for symbol in (*pair, token)}
        after = {**before, token: before[token] + times}
        for symbol in pair:
            after[symbol] -= times
        return (
            _n_log_n(total)
            - _n_log_n(total - times)
            + sum(map(_n_log_n, after.values()))
            - sum(map(_n_log_n, before.values()))
        )

    return {pair: gain(pair, times) for pair, times in merge_counts(word_freqs, splits).items()}


def _n_log_n(n: int) -> float:
    return n * log(n) if n else 0.0


def merge_counts(
    word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]]
) -> dict[Pair, int]:
    """How many merges of each pair the corpus allows: its count, except where a pair overlaps itself.

    >>> splits = split_words(["baaa"])
    >>> pair_freqs({"baaa": 1}, splits)["##a", "##a"], merge_counts({"baaa": 1}, splits)["##a", "##a"]
    (2, 1)
    """
    counts = pair_freqs(word_freqs, splits)
    for word, freq in word_freqs.items():
        pairs = list(pairwise(splits[word]))
        for pair in {pair for pair in pairs if pair[0] == pair[1]}:
            merges = len(splits[word]) - len(merge_symbols(splits[word], pair))
            counts[pair] -= freq * (pairs.count(pair) - merges)
    return counts


# ----------------------------------------------------------------------------------------------------------- training


@dataclass(frozen=True)
class Step:
    """One merge of the training: what was counted, what was chosen and why, and how things stand afterwards."""

    number: int  # 1 for the first merge
    pair_freqs: dict[Pair, int] = field(repr=False)  # before the merge, in first-seen order
    scores: Mapping[Pair, Score] = field(repr=False)  # before the merge: what pairs are chosen by
    pair: Pair
    count: int
    score: Score
    tied: list[Pair]  # the other pairs with the same score
    token: str
    splits: Splits = field(repr=False)  # after the merge
    vocab: list[str] = field(repr=False)  # after the merge


def train_steps(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    score: str = "likelihood",
    prefix: str = "##",
    ties: Ties | None = None,
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
    choices: Mapping[int, Pair] | None = None,
) -> Iterator[Step]:
    """Train one merge at a time, recounting every score at every step: slow, and nothing hidden.

    Arguments, errors and merges are those of `train`. choices: number of a merge -> the pair to merge then, whatever
    the scores say (what if another pair had been merged?).

    >>> for step in train_steps({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3):
    ...     print(step.number, step.pair, step.score, step.token, step.splits["hugs"])
    1 ('##g', '##s') 1/20 ##gs ['h', '##u', '##gs']
    2 ('h', '##u') 1/36 hu ['hu', '##gs']
    3 ('hu', '##gs') 1/15 hugs ['hugs']
    """
    first_vocab = _first_vocab(word_freqs, score, prefix, special_tokens, alphabet)
    check_limits(vocab_size, num_merges, len(first_vocab))
    ties = tie_rule(USUAL_TIES[score] if ties is None else ties)
    word_freqs = dict(word_freqs)

    def steps() -> Iterator[Step]:
        splits, vocab, number = split_words(word_freqs, prefix), first_vocab, 0
        while len(vocab) != vocab_size and number != num_merges:
            freqs = pair_freqs(word_freqs, splits)
            if not freqs:
                return  # every word is one token
            scores: Mapping[Pair, Score] = (
                freqs if score == "frequency" else pair_scores(word_freqs, splits)
            )
            number += 1
            pair = best_pair(scores, ties, ids={token: id for id, token in enumerate(vocab)})
            tied = [other for other in scores if scores[other] == scores[pair] and other != pair]
            if choices and number in choices:
                pair, tied = check_chosen(choices[number], number, freqs), []
            token = merged_token(pair, prefix)
            # Everything is made anew, so that the records of earlier steps stay as they were.
            splits = merge_pair(pair, splits, prefix)
            vocab = vocab if token in vocab else [*vocab, token]
            yield Step(
                number, freqs, scores, pair, freqs[pair], scores[pair], tied, token, splits, vocab
            )

    return steps()


def train(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    score: str = "likelihood",
    prefix: str = "##",
    ties: Ties | None = None,
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
    engine: str | None = None,
) -> WordPieceModel:
    """Learn a vocabulary from word counts: the same as `train_steps`, without scoring everything anew each time.

    word_freqs: word -> how often it occurs (at least once), in first-seen order.
    vocab_size: stop at so many tokens (special tokens and alphabet included); num_merges: stop after so many merges.
    score: "likelihood" merges the pair with the highest `pair_scores` (courses call it so, though it is not one, see
    `likelihood_gains`); "frequency" merges the most frequent pair and starts from `library_vocab`, as the trainer of
    the tokenizers library does.
    prefix: marks the tokens that continue a word. ties: which pair wins among equals, see `bpe.best_pair`; if None,
    "first-seen" by likelihood and "lowest-ids" by frequency, as where each comes from.
    special_tokens: put in front of the vocabulary and never split. alphabet: symbols that the vocabulary holds in any
    case. engine: by frequency "python", "compiled" (see `engines`), or None to choose by size; the
    vocabulary is the same.

    When no pair is left, training stops early and `stopped` says after how many merges. A merge that makes a token
    which exists already adds none.

    Raises ValueError for empty or malformed counts, a word that begins with the prefix (its first token could not be
    told from one that continues a word), a vocabulary smaller than its alphabet, a negative number, neither limit, or
    an engine that cannot do it.

    >>> train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=10).vocab
    ['##g', '##n', '##s', '##u', 'b', 'h', 'p', '##gs', 'hu', 'hugs']
    >>> train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3, score="frequency").vocab[7:]
    ['##g', '##n', '##s', '##u', '##ug', '##un', 'hug']
    >>> train({"ab": 1}, vocab_size=10)
    WordPieceModel(3 tokens, no pair left after 1 merge)
    """
    # The bookkeeping behind it; nothing there changes a result.
    from .structures.merges import learn_merges
    from .structures.pair_index import PairQueue, ScoreQueue

    check(
        score != "likelihood" or engine in (None, "python"),
        f"engine is {shorten(engine)}; by likelihood there is only 'python'",
    )
    first_vocab = _first_vocab(word_freqs, score, prefix, special_tokens, alphabet)
    check_limits(vocab_size, num_merges, len(first_vocab))
    ties = tie_rule(USUAL_TIES[score] if ties is None else ties)
    vocab, _, stopped = learn_merges(
        word_freqs,
        first_vocab,
        vocab_size=vocab_size,
        num_merges=num_merges,
        ties=ties,
        prefix=prefix,
        engine="python" if score == "likelihood" else engine,
        queue=ScoreQueue if score == "likelihood" else PairQueue,
    )
    return WordPieceModel(vocab, prefix, stopped)


def _first_vocab(
    word_freqs: Mapping[str, int],
    score: str,
    prefix: str,
    special_tokens: Iterable[str],
    alphabet: Iterable[str],
) -> list[str]:
    """The vocabulary before the first merge, made from the words' first characters and from all others."""
    check_word_freqs(word_freqs)
    check_choice("score", score, SCORES)
    check_string("prefix", prefix)
    for word in word_freqs:
        if prefix and word.startswith(prefix):
            raise ValueError(
                f"the word {word!r} begins with the prefix {prefix!r}, which marks tokens that continue a "
                'word; choose another prefix, or words that are cut at punctuation (scheme "bert")'
            )
    first, others = {word[0] for word in word_freqs}, {*"".join(word[1:] for word in word_freqs)}
    splits = split_words([*first, min(first) + "".join(others)], prefix)
    first_vocab = library_vocab if score == "frequency" else base_vocab
    return first_vocab(splits, special_tokens, alphabet)


# ---------------------------------------------------------------------------------------------- encoding and decoding


def encode_word(
    word: str, model: WordPieceModel, *, unknown: str | None = "[UNK]", max_chars: int = 100
) -> list[str]:
    """Cut off the longest beginning of the word that is a token; go on with the rest, which now carries the prefix.

    When no beginning of the rest is a token, the whole word is unknown. So is, as in BERT, a word of more than
    `max_chars` characters.
    unknown: the token for such a word; None lets the word through as it is; "error" raises ValueError.

    >>> model = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=10)
    >>> encode_word("hugs", model), encode_word("hub", model), encode_word("bug", model)
    (['hugs'], ['[UNK]'], ['b', '##u', '##g'])
    """
    check_type("model", model, WordPieceModel)
    check_string("word", word)
    if len(word) > check_count("max_chars", max_chars, least=1):
        return _unknown(word, f"it is longer than {max_chars} characters", unknown)
    tokens, start = [], 0
    while start < len(word):
        token = longest_prefix(word, start, model)
        if token is None:
            return _unknown(word, f"no beginning of {word[start:]!r} is in the vocabulary", unknown)
        tokens.append(token)
        # The prefix is only a mark: it uses up none of the word's characters.
        start += len(token) - len(model.prefix) * (start > 0)
    return tokens


def longest_prefix(word: str, start: int, model: WordPieceModel) -> str | None:
    """The longest token with which the word goes on at `start`, or None.

    At least one character of the word is in it. A token that carries the prefix never begins a word.

    >>> model = WordPieceModel(["h", "hu", "hug", "##u", "##g", "##gs", "#"])
    >>> longest_prefix("hugs", 0, model), longest_prefix("hugs", 2, model), longest_prefix("hugs", 3, model)
    ('hug', '##gs', None)
    """
    mark = model.prefix if start else ""
    # From the longest candidate to the shortest: the first that is a token is the longest.
    for length in (length for length in model.lengths if length <= len(word) - start):
        token = mark + word[start : start + length]
        # What carries the prefix continues a word, and cannot begin one that happens to start with ##.
        if token in model.ids and (start or not model.prefix or not token.startswith(model.prefix)):
            return token
    return None


def encode(
    words: Iterable[str],
    model: WordPieceModel,
    *,
    unknown: str | None = "[UNK]",
    max_chars: int = 100,
) -> list[str]:
    """Split a sequence of words into tokens. A word that was met before is looked up, not encoded again.

    >>> model = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=10)
    >>> encode(["hugs", "bun", "mug"], model)
    ['hugs', 'b', '##u', '##n', '[UNK]']
    """
    words = check_words("words", words)
    tokens = {
        word: encode_word(word, model, unknown=unknown, max_chars=max_chars)
        for word in dict.fromkeys(words)
    }
    return [token for word in words for token in tokens[word]]


def decode(tokens: Iterable[str], prefix: str = "##") -> list[str]:
    """Join tokens into words: a token with the prefix continues the word before it.

    At the very beginning there is no word to continue, so such a token begins one. Without a prefix nothing says
    where a word begins, and everything becomes one word.

    >>> decode(["Hugg", "##i", "##n", "##g", "Fac", "##e"])
    ['Hugging', 'Face']
    >>> decode(["##gs", "hu"])
    ['gs', 'hu']
    """
    check_string("prefix", prefix)
    words: list[list[str]] = []
    for token in check_words("tokens", tokens):
        if not (words and token.startswith(prefix)):
            words.append([])
        words[-1].append(token.removeprefix(prefix))
    return [*map("".join, words)]


def _unknown(word: str, reason: str, unknown: str | None) -> list[str]:
    if unknown == "error":
        raise ValueError(f"{word!r} is unknown: {reason}")
    return [word if unknown is None else unknown]
