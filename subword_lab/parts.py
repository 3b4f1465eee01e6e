"""What a tokenizer consists of, as plain data: the parts that every file format describes in its own way.

`interchange` reads files into these parts and writes them; `tokenizer` puts them to work. Nothing here does anything.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse
from typing import Any

from .arguments import check, check_choice, shorten
from .bpe import BPEModel, Pair
from .normalization import Prepend, Step
from .unigram import UnigramModel
from .wordpiece import WordPieceModel

Model = BPEModel | WordPieceModel | UnigramModel
BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]
# Of a template: a token, or the number of a text (0 or 1); its type id.
Place = tuple[str | int, int]
MOST_LETTERS = (
    3_000_000  # of all tokens, as the engine's tree takes; those vocabularies have 1.4 million
)
# Letters of all merges, and so many more for each; vocabularies of today's models have half a million merges at most.
MOST_JOINED, OF_EACH = 50_000_000, 30
MOST_CUTTING = 300_000_000  # steps; vocabularies of today's models take 13 million at most
SPELLINGS = ("plain", "bytes", "metaspace")
PREFIXES = ("never", "first", "always", "every-word")
DECODERS = (
    "fuse",
    "spaces",
    "bytes",
    "metaspace",
    "metaspace-by-token",
    "metaspace-stripped",
    "wordpiece",
    "wordpiece-tidy",
    "suffix",
)


@dataclass(frozen=True)
class Parts:
    """All that decides how a text becomes ids and ids become a text.

    model: what cuts a word; it holds no special token, so that no word can ever become one.
    ids: token -> id, for the model's tokens and the special ones.
    special_tokens: never split, and recognized in a text only where the caller allows it.
    added_tokens: never split, and recognized everywhere in the text as it came. normalized_tokens: of these two kinds
    of tokens, those that are normalized like the text, and recognized in what becomes of it. kept_tokens: tokens that
    are never split, and recognized just before words are cut.
    lstrip, rstrip: those of them that take in the white space to their left, or right. single_word: those that are
    not recognized beside a word character.
    normalization: steps, see `normalization.apply`. schemes: how a text is cut into words, one after the other, see
    `text.pre_tokenize`.
    spelling: how a word is written for the model: "plain", as "bytes" (`text.bytes_to_chars`), or with "metaspace",
    `▁` for every space. prefix_space: where a space is put in front: "never", of the "first" piece of text, of the
    text after each special token too ("always"), or of "every-word".
    unknown: the token for what the model lacks, if there is one. fuse_unknown: one for a run of such characters.
    byte_fallback: the tokens <0x00> to <0xFF> spell what the model lacks. whole_words: a word that is a token is not
    taken through the merges. longest_word: for WordPiece, in characters; longer ones are unknown.
    before, after: special tokens that are put around a text. single, pair: the same with type ids for one text and for
    two, see `Place`; where they are empty, the second text, of type 1, comes after the first and its tokens, of type 0.
    decoder: how tokens become a text again.
    trim_offsets: spaces at the ends of a token do not count in its offsets. trim_keeps_first: but a single space that
    begins the text does. truncation, padding: how rows of ids are cut and filled up, if they are, in the words of the
    tokenizers library's files. config: what is for transformers alone, see `Tokenizer.with_roles`.

    Raises ValueError where parts contradict each other.
    """

    model: Model
    ids: Mapping[str, int]
    special_tokens: tuple[str, ...] = ()
    added_tokens: tuple[str, ...] = ()
    kept_tokens: tuple[str, ...] = ()
    normalized_tokens: tuple[str, ...] = ()
    lstrip: tuple[str, ...] = ()
    rstrip: tuple[str, ...] = ()
    single_word: tuple[str, ...] = ()
    normalization: tuple[Step, ...] = ()
    schemes: tuple[str, ...] = ()
    spelling: str = "plain"
    prefix_space: str = "never"
    unknown: str | None = None
    fuse_unknown: bool = False
    byte_fallback: bool = False
    whole_words: bool = False
    longest_word: int = 100
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    decoder: str = "fuse"
    single: tuple[Place, ...] = ()
    pair: tuple[Place, ...] = ()
    trim_offsets: bool = False
    trim_keeps_first: bool = False
    truncation: Mapping[str, Any] | None = None
    padding: Mapping[str, Any] | None = None
    config: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check_choice("spelling", self.spelling, SPELLINGS)
        check_choice("prefix_space", self.prefix_space, PREFIXES)
        check_choice("decoder", self.decoder, DECODERS)
        tokens = self.model.losses if isinstance(self.model, UnigramModel) else self.model.vocab
        unknown = () if self.unknown is None else (self.unknown,)
        needed = (*tokens, *self.apart, *self.before, *self.after, *unknown)
        for missing in filterfalse(self.ids.__contains__, needed):
            raise ValueError(f"the token {shorten(missing)} has no id")
        around = {*self.before, *self.after}
        recognized = {*self.normalized_tokens, *self.lstrip, *self.rstrip, *self.single_word}
        known = {*self.special_tokens, *self.added_tokens}
        for stray, what in (
            (around - known, "put around a text"),
            (recognized - known, "recognized in a way of its own"),
        ):
            if stray:
                raise ValueError(
                    f"{shorten(min(stray))} is {what}, but is neither among the special tokens nor added"
                )
        check(
            "" not in self.ids,
            "the vocabulary holds the empty token ''; a token has at least one character",
        )
        if both := {*self.special_tokens}.intersection(tokens):
            raise ValueError(
                f"{shorten(min(both))} is a special token and a token of the model; no text may become "
                "a special token by accident"
            )
        numbers = self.ids.values()
        if {*map(type, numbers)} != {int} or min(numbers) < 0 or max(numbers) >= 1 << 31:
            for token, number in self.ids.items():
                if type(number) is not int or not 0 <= number < 1 << 31:
                    raise ValueError(
                        f"the id of {shorten(token)} is {shorten(number)}; expected a whole number "
                        f"from 0 to {(1 << 31) - 1}"
                    )
        for token, number in self.ids.items() if len(self.tokens) < len(self.ids) else ():
            if self.tokens[number] != token:
                raise ValueError(
                    f"{shorten(token)} and {shorten(self.tokens[number])} both have the id {number}"
                )

    @cached_property
    def apart(self) -> frozenset[str]:
        """The tokens that are never split, wherever they are recognized."""
        return frozenset((*self.special_tokens, *self.added_tokens, *self.kept_tokens))

    @cached_property
    def tokens(self) -> dict[int, str]:
        """Id -> token."""
        return {number: token for token, number in self.ids.items()}

    @property
    def adds_space(self) -> bool:
        """Whether a text gets a space in front, which decoding has to take away."""
        return self.prefix_space != "never" or any(
            isinstance(step, Prepend) for step in self.normalization
        )


def without(merges: Iterable[Pair], apart: Collection[str]) -> list[Pair]:
    """The merges that neither need nor make a token that is set apart.

    >>> without([("h", "u"), ("<s", ">")], {"<s>"})
    [('h', 'u')]
    """
    return [
        pair for pair in merges if not any(token in apart for token in (*pair, pair[0] + pair[1]))
    ]


def reduced(model: Model, lost: Collection[str]) -> Model:
    """The model without some tokens, and nothing about how its training ended.

    >>> reduced(BPEModel(["h", "u", "g", "hu", "hug"], [("h", "u"), ("hu", "g")]), {"hug"}).merges
    [('h', 'u')]
    """
    vocab = [token for token in model.vocab if token not in lost]
    if isinstance(model, UnigramModel):
        return UnigramModel({token: model.losses[token] for token in vocab})
    if isinstance(model, BPEModel):
        merges = model.merges
        left: Sequence[Pair] = (
            Joins({token: rank for token, rank in merges.rank_of.items() if token not in lost})
            if isinstance(merges, Joins)
            else without(merges, lost)
        )
        return BPEModel(vocab, left, model.end_of_word)
    return WordPieceModel(vocab, model.prefix)


class Joins(Sequence[Pair]):
    """Merges for a vocabulary that says no more than which token comes before which, as tiktoken's files do.

    Every way to make a token of two others is a merge, and the tokens stand in the order of their ranks. They are
    worked out when somebody asks, because there are hundreds of thousands of them. Raises ValueError for tokens so long
    that this would take all memory, as only a file makes them that was written to do harm.

    >>> joins = Joins({"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4, "abc": 5})
    >>> [*joins]
    [('b', 'c'), ('a', 'b'), ('a', 'bc'), ('ab', 'c')]
    >>> joins.ranks["ab", "c"]
    5
    """

    def __init__(self, rank_of: Mapping[str, int]):
        if (work := sum(len(token) ** 2 for token in rank_of)) > MOST_CUTTING:
            raise ValueError(
                f"its tokens are so long that looking for merges takes {work:,} steps; expected at "
                f"most {MOST_CUTTING:,}"
            )
        letters = sum(map(len, rank_of))
        check(
            letters <= MOST_LETTERS,
            f"its tokens have {letters:,} letters in all, at each of which a merge may lie; expected at "
            f"most {MOST_LETTERS:,}",
        )
        self.rank_of = rank_of

    @cached_property
    def pairs(self) -> list[Pair]:
        """All of them in a list. Raises ValueError if they are more than any vocabulary has."""
        known = self.rank_of
        every = (
            (token[:cut], token[cut:])
            for token in sorted(known, key=known.__getitem__)
            for cut in range(1, len(token))
            if token[:cut] in known and token[cut:] in known
        )
        pairs, room = list[Pair](), MOST_JOINED
        for pair in every:
            pairs.append(pair)
            room -= len(pair[0]) + len(pair[1]) + OF_EACH
            if room < 0:
                raise ValueError(
                    f"its tokens can be made by more than {len(pairs):,} merges, which are too many to be written down"
                )
        return pairs

    @cached_property
    def ranks(self) -> dict[Pair, int]:
        """Pair -> its rank, which those that make the same token, or one that is equal to it, have in common."""
        return {pair: self.rank_of[pair[0] + pair[1]] for pair in self.pairs}

    @property
    def has_order(self) -> bool:
        """Whether no two tokens have the same rank."""
        return len({*self.rank_of.values()}) == len(self.rank_of)

    def __getitem__(self, place: Any) -> Any:
        return self.pairs[place]

    def __len__(self) -> int:
        return len(self.pairs)

    def __eq__(self, other: object) -> bool:
        return self.pairs == (other.pairs if isinstance(other, Joins) else other)
