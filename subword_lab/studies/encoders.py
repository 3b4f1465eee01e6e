"""From a model to a function that encodes any text: tokens, ids, and the place in the text of each token.

A model of `bpe`, `wordpiece` or `unigram` cuts single words; here a scheme finds the words, and each token is followed
back to the characters that it stands for. The tokenizer playground takes such functions, and anything else that
answers with tokens and offsets.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .. import bpe, text, unigram, wordpiece
from ..arguments import check, shorten
from ..tokenizer import Tokenizer

Model = bpe.BPEModel | wordpiece.WordPieceModel | unigram.UnigramModel
UNKNOWN = {"[UNK]", "<unk>"}
ENCODE_WORD: dict[type, Callable[..., list[str]]] = {
    bpe.BPEModel: bpe.encode_word,
    wordpiece.WordPieceModel: wordpiece.encode_word,
    unigram.UnigramModel: unigram.encode_word,
}


@dataclass(frozen=True)
class Encoded:
    """A text as tokens, their ids, and where each stands in it. unknown_id: the id of what a model lacks."""

    tokens: list[str]
    ids: Sequence[int | None]
    offsets: list[tuple[int, int]]
    unknown_id: int | None = field(default=None, repr=False)

    @property
    def unknown(self) -> list[bool]:
        """Whether each token stands for what the model lacks: by its id, or else by what is usually written then."""
        return [
            token in UNKNOWN if self.unknown_id is None else number == self.unknown_id
            for token, number in zip(self.tokens, self.ids)
        ]


@dataclass(frozen=True)
class WordEncoder:
    """The function that encodes a text word by word, as `encoder` and `cut_by` make it.

    scheme: of `text.pre_tokenize`. cut: what a word becomes, from how the scheme writes it and how it stands in the
    text: (token, id, begin, end) of each token. model: what cuts words, or None where they are tokens; options: its
    own.
    """

    scheme: str
    cut: Callable[[str, str], list[tuple[str, int | None, int, int]]] = field(repr=False)
    model: Model | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, string: str) -> Encoded:
        made = [
            (token, number, start + begin, start + end)
            for word, (start, stop) in text.pre_tokenize(string, self.scheme)
            for token, number, begin, end in self.cut(word, string[start:stop])
        ]
        return Encoded(
            [one[0] for one in made], [one[1] for one in made], [one[2:] for one in made]
        )


def encoder(
    model: Model, scheme: str = "whitespace", *, unknown: str = "[UNK]", **options: Any
) -> WordEncoder:
    """The function that encodes a text with a model, its words cut by a scheme of `text.pre_tokenize`.

    unknown: the token for what the model cannot write. options: those of the algorithm's own `encode_word`. Several
    tokens of "byte-level" that share a character have the same offsets.

    Raises ValueError for something that is no such model.

    >>> model = bpe.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3)
    >>> encoder(model)("a hug")
    Encoded(tokens=['[UNK]', 'hug'], ids=[None, 9], offsets=[(0, 1), (2, 5)])
    """
    check(
        type(model) in ENCODE_WORD,
        f"model is {shorten(model)}; expected a BPEModel, a WordPieceModel or a UnigramModel",
    )
    encode_word, ids = ENCODE_WORD[type(model)], model.ids
    prefix, mark = getattr(model, "prefix", ""), getattr(model, "end_of_word", "")

    @lru_cache(20_000)
    def cut(word: str, source: str) -> list[tuple[str, int | None, int, int]]:
        """A word's tokens, each with its id and its place in the word; what is unknown is cut as it stands."""
        places, at, found = _places(word, source), 0, []
        for token in encode_word(word, model, unknown=None, **options):
            length = len(token.removesuffix(mark)) - len(prefix) * bool(at)
            here = places[at : at + length] or [(len(source), len(source))]
            number = ids.get(token)
            if number is None or (prefix and not at and token.startswith(prefix)):
                token, number = unknown, None  # also if it is spelled like a token of an inside
            at += length
            found.append((token, number, here[0][0], here[-1][1]))
        return found

    return WordEncoder(scheme, cut, model, options)


def _places(word: str, source: str) -> list[tuple[int, int]]:
    """For each character of a word as its scheme writes it, the characters of the text that it stands for."""
    if len(word) == len(source):
        return [(at, at + 1) for at in range(len(word))]
    if len(word) == len(source.encode()):  # bytes, written as characters
        return [(at, at + 1) for at, char in enumerate(source) for _ in char.encode()]
    return [(0, 0), *((at, at + 1) for at in range(len(source)))]  # an added ▁


def encode_bytes(string: str) -> Encoded:
    """A text as its UTF-8 bytes, each a token of its own, as ByT5 reads it; the ids are the bytes.

    >>> encode_bytes("é!")
    Encoded(tokens=['Ã', '©', '!'], ids=[195, 169, 33], offsets=[(0, 1), (0, 1), (1, 2)])
    """
    data = string.encode()
    return Encoded(list(text.bytes_to_chars(data)), list(data), _places(" " * len(data), string))


def cut_by(scheme: str) -> WordEncoder:
    """The encoder for which the words of a scheme of `text.pre_tokenize` are the tokens; they have no ids.

    >>> cut_by("whitespace")("a hug!").tokens
    ['a', 'hug', '!']
    """
    return WordEncoder(scheme, lambda word, source: [(word, None, 0, len(source))])


def encoded(encode: object, string: str) -> Encoded:
    """What an encoder makes of a text. encode: a function, or something with a method `encode`, that answers with
    tokens and offsets; ids may be missing. A Tokenizer reads special tokens in the text as text.

    Raises ValueError for an answer without tokens and as many offsets.
    """
    if isinstance(encode, Tokenizer):
        answer: object = encode.encode(string, disallowed_special=())
    else:
        answer = getattr(encode, "encode", encode)(string)  # type: ignore[operator]
    tokens, offsets = getattr(answer, "tokens", None), getattr(answer, "offsets", None)
    if tokens is None or offsets is None or len(tokens) != len(offsets):
        raise ValueError(
            f"an encoder answered with {shorten(answer)}; expected .tokens and as many .offsets, the "
            "(start, end) of each in characters of the text"
        )
    return Encoded(
        list(tokens),
        getattr(answer, "ids", None) or [None] * len(tokens),
        list(map(tuple, offsets)),
        getattr(answer, "unknown_id", None),
    )
