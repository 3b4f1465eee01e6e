"""Byte-pair encoding (BPE): which two neighbors belong together?

Training counts the pairs of neighboring symbols inside the words of a corpus, merges the most frequent pair
everywhere, and starts again. Encoding replays those merges, in the order in which they were learned, on a new word.

Read this file from top to bottom: the model, the small functions of the lesson, `train_steps` (one record a merge),
`train` (the same merges, fast), then `encode_word`, `encode` and `decode`.

Sources: P. Gage, "A New Algorithm for Data Compression" (1994); R. Sennrich, B. Haddow and A. Birch, "Neural Machine
Translation of Rare Words with Subword Units" (2016), which brought it to words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from .arguments import (
    SortKey,
    check,
    check_choice,
    check_count,
    check_rule,
    check_string,
    check_type,
    check_word_freqs,
    check_words,
    counted,
)
from .text import stand_ins

Pair = tuple[str, str]
Splits = dict[str, list[str]]
Ties = str | Callable[[Pair], SortKey]
# A rule that can be a key of the pair alone is a function that `tie_rule` looks up; then every trainer knows it.
TIES = ("first-seen", "lowest-ids", "greatest", "greatest-bytes")
METHODS = ("merge-order", "lowest-rank", "longest-first")


def ids_of(model: Any) -> dict[str, int]:
    """The id of each token of a model: its position in `vocab`.

    >>> ids_of(BPEModel(["g", "u", "ug"], [("u", "g")]))
    {'g': 0, 'u': 1, 'ug': 2}
    """
    return {token: number for number, token in enumerate(model.vocab)}


@dataclass(frozen=True)
class BPEModel:
    """What training leaves behind: the tokens by id, and the merges in the order in which they were learned.

    `stopped` says in words why training ended. `end_of_word` is the mark that every word was closed with, if any.

    >>> BPEModel(["b", "g", "u", "ug"], [("u", "g")])
    BPEModel(4 tokens, 1 merge)
    """

    vocab: list[str]
    merges: Sequence[Pair]
    end_of_word: str = ""
    stopped: str = ""

    def __repr__(self) -> str:
        merges = counted(len(self.merges), "merge")
        return (
            f"BPEModel({len(self.vocab)} tokens, {merges}{', ' * bool(self.stopped)}{self.stopped})"
        )

    ids = cached_property(ids_of)  # token -> its id

    @cached_property
    def ranks(self) -> dict[Pair, int]:
        """Pair -> its rank, the position in `merges`, unless these say it; the lowest rank was learned first."""
        return getattr(self.merges, "ranks", None) or {
            pair: rank for rank, pair in reversed(list(enumerate(self.merges)))
        }

    @cached_property
    def is_in_order(self) -> bool:
        """Whether every merge joins tokens that earlier merges made, as in every training.

        Then "lowest-rank" and "merge-order" give the same tokens: a merge makes new pairs only with its own token, and
        these have higher ranks, so going by rank, too, applies the merges from first to last.
        """
        last_rank = {left + right: rank for rank, (left, right) in enumerate(self.merges)}
        return all(
            last_rank.get(part, -1) < rank for rank, pair in enumerate(self.merges) for part in pair
        )


# ---------------------------------------------------------------------------------------------------- small functions


def split_words(words: Iterable[str], end_of_word: str = "") -> Splits:
    """Split every word into characters; `end_of_word`, if given, is one more symbol at its end.

    >>> split_words(["hug", "pun"])
    {'hug': ['h', 'u', 'g'], 'pun': ['p', 'u', 'n']}
    >>> split_words(["old"], end_of_word="</w>")
    {'old': ['o', 'l', 'd', '</w>']}
    """
    mark = [end_of_word] if end_of_word else []
    return {word: list(word) + mark for word in words}


def base_vocab(
    splits: Mapping[str, Sequence[str]],
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
) -> list[str]:
    """The tokens before any merge: the special tokens, then every symbol in use and of `alphabet`, by code point.

    >>> base_vocab(split_words(["hug", "pun"]), special_tokens=["<|endoftext|>"])
    ['<|endoftext|>', 'g', 'h', 'n', 'p', 'u']
    """
    special_tokens = check_words("special_tokens", special_tokens)
    symbols = {symbol for split in splits.values() for symbol in split}
    return list(dict.fromkeys([*special_tokens, *sorted(symbols.union(alphabet))]))


def pair_freqs(
    word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]]
) -> dict[Pair, int]:
    """Count the pairs of neighbors inside every word, each as often as its word occurs; in first-seen order.

    No pair reaches across two words. Overlapping pairs all count: `a a a` holds the pair (a, a) twice.

    >>> pair_freqs({"hug": 10, "pug": 5}, split_words(["hug", "pug"]))
    {('h', 'u'): 10, ('u', 'g'): 15, ('p', 'u'): 5}
    """
    freqs: dict[Pair, int] = {}
    for word, freq in word_freqs.items():
        split = splits[word]
        for pair in zip(split, split[1:]):
            freqs[pair] = freqs.get(pair, 0) + freq
    return freqs


def best_pair(
    freqs: Mapping[Pair, int | Fraction],
    ties: Ties = "first-seen",
    ids: Mapping[str, int] | None = None,
) -> Pair:
    """The most frequent pair; `ties` decides among equals.

    `ties`: "first-seen" (the one met first in the corpus; the sources' rule), "lowest-ids" (the smallest pair of ids,
    as in the tokenizers library; needs `ids`), "greatest" (the last in code-point order), "greatest-bytes" (the last
    in the order of the bytes that the characters of `text.byte_alphabet` stand for, see `greatest_bytes`), or a
    function of the pair whose smallest value wins. Raises ValueError for any other rule.

    >>> freqs = {("i", "s"): 5, ("e", "r"): 5, ("t", "h"): 3}
    >>> best_pair(freqs), best_pair(freqs, ties="lowest-ids", ids={"e": 0, "i": 1, "r": 2, "s": 3})
    (('i', 's'), ('e', 'r'))
    """
    ties = tie_rule(ties)
    most = max(freqs.values())
    # In first-seen order; and of candidates that are equal even to `ties`, `min` takes the first.
    candidates = [pair for pair, freq in freqs.items() if freq == most]
    if callable(ties):
        return min(candidates, key=ties)
    if ties == "lowest-ids":
        if ids is None:
            raise ValueError("ids is None; the rule 'lowest-ids' needs the id of every token")
        return min(candidates, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
    return max(candidates) if ties == "greatest" else candidates[0]


def tie_rule(ties: Ties) -> Ties:
    """The rule for ties, if there is such a rule; "greatest-bytes" as the function that it stands for."""
    return greatest_bytes if ties == "greatest-bytes" else check_rule("ties", ties, TIES)


def greatest_bytes(pair: Pair) -> tuple[tuple[int, ...], ...]:
    """The rule "greatest-bytes" as a key: the greatest pair of bytes has the smallest value.

    Byte-level BPE writes a space as `Ġ`, which sorts after every letter; as a byte it sorts before them. A character
    that stands for no byte counts with its UTF-8.

    >>> freqs = {("a", "t"): 5, ("Ġ", "t"): 5}
    >>> best_pair(freqs, ties="greatest"), best_pair(freqs, ties="greatest-bytes")
    (('Ġ', 't'), ('a', 't'))
    """
    byte_of = stand_ins()

    def key(symbol: str) -> tuple[int, ...]:
        codes = ([byte_of[char]] if char in byte_of else char.encode() for char in symbol)
        # Negative, so that the greatest comes first; the 1 at the end puts a longer symbol before its own beginning.
        return (*(-byte for code in codes for byte in code), 1)

    return key(pair[0]), key(pair[1])


def shortest_first(pair: Pair) -> tuple[int, str]:
    """SentencePiece's rule for ties, as a key for `train(ties=...)`: the shorter token, then the smaller string.

    >>> freqs = {("t", "he"): 5, ("i", "s"): 5, ("e", "r"): 5}
    >>> best_pair(freqs, ties=shortest_first)
    ('e', 'r')
    """
    token = pair[0] + pair[1]
    return len(token), token


def merge_symbols(symbols: Sequence[str], pair: Pair, token: str | None = None) -> list[str]:
    """Join every occurrence of `pair` in one word, from left to right; `token`, if given, takes its place.

    >>> merge_symbols(["h", "u", "g", "s"], ("u", "g"))
    ['h', 'ug', 's']
    >>> merge_symbols(["a", "a", "a"], ("a", "a"), token="Z")
    ['Z', 'a']
    """
    token = pair[0] + pair[1] if token is None else token
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            # Both are used up: of a a a, (a, a) takes the first two, and the third is left.
            merged.append(token)
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def merge_pair(pair: Pair, splits: Mapping[str, Sequence[str]]) -> Splits:
    """Join `pair` in every word. The splits that came in stay as they were.

    >>> merge_pair(("u", "g"), {"hug": ["h", "u", "g"], "pun": ["p", "u", "n"]})
    {'hug': ['h', 'ug'], 'pun': ['p', 'u', 'n']}
    """
    return {word: merge_symbols(split, pair) for word, split in splits.items()}


def token_freqs(
    word_freqs: Mapping[str, int], splits: Mapping[str, Sequence[str]], keep: Iterable[str] = ()
) -> dict[str, int]:
    """How often each token occurs in the split corpus. The tokens of `keep` come first, and stay even at 0.

    >>> token_freqs({"hug": 10, "pug": 5}, {"hug": ["h", "ug"], "pug": ["p", "ug"]}, keep=["g", "h", "u"])
    {'g': 0, 'h': 10, 'u': 0, 'ug': 15, 'p': 5}
    """
    freqs = dict.fromkeys(keep, 0)
    for word, freq in word_freqs.items():
        for token in splits[word]:
            freqs[token] = freqs.get(token, 0) + freq
    return freqs


# ----------------------------------------------------------------------------------------------------------- training


@dataclass(frozen=True)
class Step:
    """One merge of the training: what was counted, what was chosen and why, and how things stand afterwards."""

    number: int  # 1 for the first merge
    pair_freqs: dict[Pair, int] = field(repr=False)  # before the merge, in first-seen order
    pair: Pair
    count: int
    tied: list[Pair]  # the other pairs with the same count
    token: str
    splits: Splits = field(repr=False)  # after the merge
    vocab: list[str] = field(repr=False)  # after the merge
    merges: list[Pair] = field(repr=False)  # after the merge


def train_steps(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    ties: Ties = "first-seen",
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
    end_of_word: str = "",
    choices: Mapping[int, Pair] | None = None,
) -> Iterator[Step]:
    """Train one merge at a time, recounting every pair at every step: slow, and nothing hidden.

    Arguments, errors and merges are those of `train`. choices: number of a merge -> the pair to merge then, whatever
    the counts say (what if another pair had been merged?).

    >>> for step in train_steps({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3):
    ...     print(step.number, step.pair, step.count, step.splits["hugs"])
    1 ('u', 'g') 20 ['h', 'ug', 's']
    2 ('u', 'n') 16 ['h', 'ug', 's']
    3 ('h', 'ug') 15 ['hug', 's']
    """
    first_vocab = _first_vocab(word_freqs, special_tokens, alphabet, end_of_word)
    check_limits(vocab_size, num_merges, len(first_vocab))
    ties = tie_rule(ties)
    word_freqs = dict(word_freqs)

    def steps() -> Iterator[Step]:
        splits, vocab = split_words(word_freqs, end_of_word), first_vocab
        merges: list[Pair] = []
        while len(vocab) != vocab_size and len(merges) != num_merges:
            freqs = pair_freqs(word_freqs, splits)
            if not freqs:
                return  # every word is one token
            number = len(merges) + 1
            pair = best_pair(freqs, ties, ids={token: id for id, token in enumerate(vocab)})
            tied = [other for other in freqs if freqs[other] == freqs[pair] and other != pair]
            if choices and number in choices:
                pair, tied = check_chosen(choices[number], number, freqs), []
            token = pair[0] + pair[1]
            # Everything is made anew, so that the records of earlier steps stay as they were.
            splits = merge_pair(pair, splits)
            merges = [*merges, pair]
            vocab = vocab if token in vocab else [*vocab, token]
            yield Step(number, freqs, pair, freqs[pair], tied, token, splits, vocab, merges)

    return steps()


def train(
    word_freqs: Mapping[str, int],
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    ties: Ties = "first-seen",
    special_tokens: Iterable[str] = (),
    alphabet: Iterable[str] = (),
    end_of_word: str = "",
    engine: str | None = None,
) -> BPEModel:
    """Learn merges from word counts: the same merges as `train_steps`, without counting everything anew each time.

    word_freqs: word -> how often it occurs (at least once), in first-seen order.
    vocab_size: stop at so many tokens (special tokens and alphabet included); num_merges: stop after so many merges.
    ties: which of the most frequent pairs is merged, see `best_pair`.
    special_tokens: put in front of the vocabulary and never split. alphabet: symbols that the vocabulary holds in any
    case; `text.byte_alphabet()` makes this byte-level BPE. end_of_word: a mark that closes every word, as one symbol.
    engine: "python", "compiled" (for large corpora, see `engines`), or None to choose by size; the merges are the same.

    When no pair is left, training stops early and `stopped` says after how many merges. A merge that makes a token
    which exists already is recorded, and the vocabulary does not grow.

    Raises ValueError for empty or malformed counts, a word that holds the mark, a vocabulary smaller than its
    alphabet, a negative number, neither limit, or an engine that cannot do it.

    >>> model = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3)
    >>> model.merges, model.vocab
    ([('u', 'g'), ('u', 'n'), ('h', 'ug')], ['b', 'g', 'h', 'n', 'p', 's', 'u', 'ug', 'un', 'hug'])
    >>> train({"ab": 1}, num_merges=10)
    BPEModel(3 tokens, 1 merge, no pair left after 1 merge)
    """
    # The bookkeeping behind it; nothing there changes a result.
    from .structures.merges import learn_merges

    first_vocab = _first_vocab(word_freqs, special_tokens, alphabet, end_of_word)
    check_limits(vocab_size, num_merges, len(first_vocab))
    vocab, merges, stopped = learn_merges(
        word_freqs,
        first_vocab,
        vocab_size=vocab_size,
        num_merges=num_merges,
        ties=tie_rule(ties),
        mark=end_of_word,
        engine=engine,
    )
    return BPEModel(vocab, merges, end_of_word, stopped)


def _first_vocab(
    word_freqs: Mapping[str, int],
    special_tokens: Iterable[str],
    alphabet: Iterable[str],
    end_of_word: str,
) -> list[str]:
    """The vocabulary before the first merge, as `base_vocab` makes it from all characters of the words."""
    check_word_freqs(word_freqs, mark=check_string("end_of_word", end_of_word))
    characters = {*"".join(word_freqs)}
    return base_vocab(split_words(characters, end_of_word), special_tokens, alphabet)


def check_limits(vocab_size: int | None, num_merges: int | None, start: int) -> None:
    """ValueError unless training has an end to aim at, and a vocabulary of `start` tokens is not beyond it."""
    check(
        vocab_size is not None or num_merges is not None,
        "give vocab_size or num_merges: without either, training has no end to aim at",
    )
    if num_merges is not None:
        check_count("num_merges", num_merges)
    check(
        vocab_size is None or check_count("vocab_size", vocab_size) >= start,
        f"vocab_size is {vocab_size}, but the special tokens and the alphabet alone are {start}",
    )


def check_chosen(pair: Pair, number: int, freqs: Mapping[Pair, object]) -> Pair:
    """The pair that was chosen for a merge, if it occurs then; otherwise ValueError."""
    if pair not in freqs:
        raise ValueError(
            f"choices[{number}] is {pair!r}; expected a pair that occurs then, such as {next(iter(freqs))!r}"
        )
    return pair


# ---------------------------------------------------------------------------------------------- encoding and decoding


def encode_word(
    word: str, model: BPEModel, *, method: str = "merge-order", unknown: str | None = "[UNK]"
) -> list[str]:
    """Split one word into tokens of the model.

    method: "merge-order" applies every merge in the order in which it was learned; "lowest-rank" merges, again and
    again, the pair that was learned first; "longest-first" ignores the merges and cuts out the longest token that
    occurs anywhere in the word, then does the same to what is left of it and right of it. For merges that a training
    made the first two give the same tokens: a merge needs tokens that earlier merges made, so none opens the way for
    one of a lower rank. `Tokenizer` takes the second, which is many times as fast.
    unknown: the token for a character that the vocabulary lacks ("longest-first": for a left-over piece); None lets it
    through as it is; "error" raises ValueError.

    >>> model = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3)
    >>> encode_word("unhug", model), encode_word("mug", model), encode_word("mug", model, unknown=None)
    (['un', 'hug'], ['[UNK]', 'ug'], ['m', 'ug'])
    """
    check_type("model", model, BPEModel)
    check_string("word", word, mark=model.end_of_word)
    check_choice("method", method, METHODS)
    symbols = split_words([word], model.end_of_word)[word] if word else []
    if method == "longest-first":
        return longest_first(symbols, model.vocab, end_of_word=model.end_of_word, unknown=unknown)
    symbols = [
        symbol if symbol in model.ids else unknown_token(symbol, word, unknown)
        for symbol in symbols
    ]
    if method == "lowest-rank" or model.is_in_order:  # the same tokens, and sooner
        return merge_by_rank(symbols, model.ranks)
    return merge_in_order(symbols, model.merges)


def merge_in_order(symbols: Sequence[str], merges: Iterable[Pair]) -> list[str]:
    """Apply every merge once, first learned first.

    >>> merge_in_order(["u", "n", "h", "u", "g"], [("u", "g"), ("u", "n"), ("h", "ug")])
    ['un', 'hug']
    """
    for pair in merges:
        if pair[0] in symbols:
            symbols = merge_symbols(symbols, pair)
    return list(symbols)


def merge_by_rank(symbols: Sequence[str], ranks: Mapping[Pair, int]) -> list[str]:
    """Of the pairs that stand in the word, merge the one with the lowest rank, until none has a rank.

    >>> merge_by_rank(["u", "n", "h", "u", "g"], {("u", "g"): 0, ("u", "n"): 1, ("h", "ug"): 2})
    ['un', 'hug']
    """
    # A merge makes new neighbors, and so new pairs: each time round, all of them are looked at.
    while known := [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]:
        symbols = merge_symbols(symbols, min(known, key=lambda pair: ranks[pair]))
    return list(symbols)


def longest_first(
    symbols: Sequence[str],
    vocab: Iterable[str],
    *,
    end_of_word: str = "",
    unknown: str | None = "[UNK]",
) -> list[str]:
    """Cut out the longest token that occurs anywhere (the leftmost, if several), then go on left and right of it.

    Among tokens of equal length the one that stands first in `vocab` wins. The end-of-word mark adds 1 to a token's
    length, as one symbol; where it is several of `symbols`, without `end_of_word`, it adds as many.

    >>> longest_first(list("football"), ["foot", "ball", "all"])
    ['foot', 'ball']
    >>> vocab = ["the", "th", "e</w>", "</w>"]
    >>> longest_first([*"the", "</w>"], vocab, end_of_word="</w>")
    ['the', '</w>']
    >>> longest_first([*"the</w>"], vocab)
    ['th', 'e</w>']
    """

    def token_symbols(token: str) -> list[str]:
        marked = bool(end_of_word) and token.endswith(end_of_word)
        return [*token.removesuffix(end_of_word), end_of_word] if marked else [*token]

    word = "".join(symbols)
    within = [token for token in vocab if token in word]
    found = (token_symbols(token) for token in dict.fromkeys(within) if token)
    row: list[str | tuple[str]] = [*symbols]  # a token that has been cut out is a tuple
    for token in sorted(found, key=len, reverse=True):
        for start in range(len(row)):
            if row[start : start + len(token)] == token:
                row[start : start + len(token)] = [("".join(token),)]
    tokens: list[str] = []
    for cut, run in groupby(row, key=lambda part: isinstance(part, tuple)):
        pieces = list(map("".join, run))
        tokens += pieces if cut else [unknown_token("".join(pieces), word, unknown)]
    return tokens


def encode(
    words: Iterable[str],
    model: BPEModel,
    *,
    method: str = "merge-order",
    unknown: str | None = "[UNK]",
) -> list[str]:
    """Split a sequence of words into tokens. A word that was met before is looked up, not encoded again.

    >>> model = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3)
    >>> encode(["hug", "bug", "mug", "unhug"], model)
    ['hug', 'b', 'ug', '[UNK]', 'ug', 'un', 'hug']
    """
    words = check_words("words", words)
    tokens = {
        word: encode_word(word, model, method=method, unknown=unknown)
        for word in dict.fromkeys(words)
    }
    return [token for word in words for token in tokens[word]]


def decode(tokens: Iterable[str], model: BPEModel) -> list[str]:
    """Join tokens into words: a word ends where a token ends with the model's end-of-word mark.

    Without a mark nothing says where a word ends, and everything becomes one word; `lattice.groupings` lists what it
    might have been.

    >>> decode(["the</w>", "high", "est</w>"], BPEModel([], [], end_of_word="</w>"))
    ['the', 'highest']
    >>> decode(["un", "hug", "s"], BPEModel([], []))
    ['unhugs']
    """
    check_type("model", model, BPEModel)
    words, word = [], ""
    for token in check_words("tokens", tokens):
        word += token
        if model.end_of_word and word.endswith(model.end_of_word):
            words.append(word.removesuffix(model.end_of_word))
            word = ""
    return [*words, word] if word else words


def unknown_token(piece: str, word: str, unknown: str | None) -> str:
    """What stands for a piece that is no token: see `encode_word`."""
    if unknown == "error":
        raise ValueError(f"{piece!r} in {word!r} is not in the vocabulary")
    return piece if unknown is None else unknown
