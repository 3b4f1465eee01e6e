"""Where `Tokenizer` and the libraries part, on purpose or by convention: each with an input that shows it.

Everything else that was compared is the same: ids, tokens, offsets and decoded texts. A test computes every row. Three
things have no row: ways through a word that cost exactly the same (V I II and V II I), where sentencepiece lets the
rounding of its 32-bit sums decide (1 of 4,358 lines of WikiText-2), and tokenizers the last bit of losses that it has
read from a file (435 of 3,000 were not those that it had written); Unigram trained by sentencepiece's rules (`pieces`),
where its rounding may exchange a piece for another that is worth as much (1 of 500 on the passage of the course, none
of the 7,395 on WikiText-2 validation); and characters that are younger than the Unicode of this Python or of a library,
which then are normalized by one of them alone.

`explain` says of any two tokenizers where they part on a text, and why.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import normalization
from ..arguments import shorten
from ..parts import Parts
from ..postprocessing import Piece
from ..preparation import Cutter, Preparation
from ..tokenizer import Tokenizer


class Difference(NamedTuple):
    """What a library does with an input, what we do, and why.

    given: a text to encode, or ids to decode, in words where it takes a tokenizer to know them.
    """

    id: str
    library: str
    given: str
    ours: str
    theirs: str
    why: str


class Parting(NamedTuple):
    """Where two tokenizers part first.

    station: at which step of the pipeline. place: in the text, in characters. one, other: what each makes of it. why:
    one sentence.
    """

    station: str
    place: int
    one: str
    other: str
    why: str


def explain(one: Tokenizer, other: Tokenizer, string: str) -> Parting | None:
    """Where two tokenizers part first on a text, and why; None if tokens and ids are the same.

    Special tokens in the text are allowed. The stations are asked in their order, so that what is named is the first
    cause: a space in front changes words, and words change tokens.

    >>> one, other = (Tokenizer.train(["Hug hug"], vocab_size=259, normalization=each) for each in ([], ["lowercase"]))
    >>> parting = explain(one, other, "a Hug")
    >>> parting.station, parting.place, parting.why
    ('normalization', 2, 'the steps are: none in one, lowercase in the other')
    """
    pair = one, other
    rows = [each.encode(string, allowed_special="all").pieces for each in pair]
    if _names(rows[0]) == _names(rows[1]):
        return None
    inner = [[piece for piece in row if piece.word is not None] for row in rows]
    if _names(inner[0]) == _names(inner[1]):
        around = [[piece.token for piece in row if piece.word is None] for row in rows]
        first = next((token for each in pair for token in each.parts.before), None)
        twice = first is not None and string.startswith(first)
        why = (
            f"{first} stands in the text already, and one of them puts it there once more"
            if twice
            else "they put other special tokens around the text, or fill it up or cut it in another way"
        )
        return Parting("post-processing", 0, str(around[0]), str(around[1]), why)
    place = _first(*map(_names, inner))
    ours, theirs = map(_stations, pair, [string] * 2, inner)
    station = next(name for name in WHY if ours[name] != theirs[name])
    number = _first(ours[station], theirs[station])
    left, right = (each[station][number : number + 3] for each in (ours, theirs))
    why = WHY[station].format(*(_in_words(each.parts) for each in pair))
    lacking = {*left[:1], *right[:1]} - (one.parts.ids.keys() & other.parts.ids.keys())
    if station == "model" and lacking:
        why = f"{shorten(min(lacking))} is a token of one of them alone"
    at = min(row[place].start if place < len(row) else len(string) for row in inner)
    return Parting(station, at, shorten(left), shorten(right), why)


def _names(row: Sequence[Piece]) -> list[tuple[str, int]]:
    return [(piece.token, piece.id) for piece in row]


def _first(one: Sequence[Any], other: Sequence[Any]) -> int:
    """The first place at which two rows are not the same."""
    return next(
        (place for place, (left, right) in enumerate(zip(one, other)) if left != right),
        min(len(one), len(other)),
    )


# Why two tokenizers part at a station, with the parts of both in words.
WHY = {
    "added tokens": "a token that is added, or special, is so in one of them alone",
    "normalization": "the steps are: {0[normalization]} in one, {1[normalization]} in the other",
    "prefix space": "a space is put in front: {0[prefix_space]} in one, {1[prefix_space]} in the other",
    "pre-tokenization": "words are cut by: {0[schemes]} in one, {1[schemes]} in the other",
    "model": "both know these tokens: the merges come in another order, as after ties, or the losses differ",
    "ids": "the same token has another id",
}


def _in_words(parts: Parts) -> dict[str, str]:
    """What a sentence may say of a tokenizer's parts."""
    return {
        "normalization": ", ".join(map(str, parts.normalization)) or "none",
        "prefix_space": parts.prefix_space,
        "schemes": ", ".join(map(str, parts.schemes)) or "none",
    }


def _stations(tokenizer: Tokenizer, string: str, row: list[Piece]) -> dict[str, list[Any]]:
    """What the stations make of the text, in their order; row: its tokens."""
    parts = tokenizer.parts
    named = {token: token for token in (*parts.special_tokens, *parts.added_tokens)}
    cuts = [part for part, _, _ in Cutter(named, parts).cut(string)]
    prepared = Preparation(parts).prepared
    ends = {piece.word: piece.end for piece in row}
    starts = {piece.word: piece.start for piece in reversed(row)}
    return {
        "added tokens": cuts,
        "normalization": [normalization.apply(part, parts.normalization) for part in cuts],
        "prefix space": [prepared(part, number == 0) for number, part in enumerate(cuts)],
        "pre-tokenization": [(starts[word], ends[word]) for word in ends],
        "model": [piece.token for piece in row],
        "ids": [piece.id for piece in row],
    }


DIFFERENCES = (
    Difference(
        "special-in-text",
        "tokenizers",
        "hug<|endoftext|>",
        "ValueError",
        "['hug', '<|endoftext|>']",
        "Anyone who writes a text could then end it for the model. We ask first, as tiktoken does: "
        "allowed_special, disallowed_special.",
    ),
    Difference(
        "unknown-dropped",
        "tokenizers",
        "hxg",
        "ValueError",
        "['h', 'g']",
        "A BPE tokenizer without a token for the unknown leaves x out without a word. We say so.",
    ),
    Difference(
        "byte-token-in-text",
        "tokenizers",
        "<0x41>",
        "['▁', '<0x3C>', '<0x30>', 'x', '4', '1', '<0x3E>']",
        "['▁', '<0x41>']",
        "With byte fallback, the library's Unigram finds the name of a byte token in a text and takes it for "
        "the byte. For us, and for sentencepiece, such a token only spells what the model lacks.",
    ),
    Difference(
        "broken-bytes",
        "sentencepiece",
        "<0xE7> <0x8C> <0x41>",
        "'\\ufffd\\ufffd\\ufffd'",
        "'\\ufffd\\ufffdA'",
        "If a run of byte tokens is no UTF-8, sentencepiece keeps the A; for us, as for tokenizers, every byte "
        "of the run becomes U+FFFD.",
    ),
    Difference(
        "prefix-in-text",
        "tokenizers",
        "##gg",
        "['[UNK]']",
        "['##g', '##g']",
        "A text may begin with the marks of a continuation. The library then begins the word with a token that "
        "continues one; for us such a token never does.",
    ),
    Difference(
        "special-among-merges",
        "tokenizers",
        "hug",
        "['h', 'u', 'g']",
        "['hug']",
        "Where ug is a special token, and so are only words of their own, no merge of ours goes through it: what is "
        "written inside a word must not become special. The library merges h and ug.",
    ),
    Difference(
        "added-in-bytes",
        "tokenizers",
        "é",
        "'é'",
        "'\\ufffd'",
        "A token that is added to a byte-level tokenizer stands for itself. The library decodes it like the others, "
        "whose characters stand for bytes, and é for a byte that is no text.",
    ),
    Difference(
        "table-by-graphemes",
        "tokenizers",
        "\u00a0\u103c",
        "['▁', 'ြ']",
        "[]",
        "SentencePiece's table of replacements is looked up from each character on. The library looks up whole "
        "graphemes first, so a space with a mark on it becomes a space, and the mark is lost. We do so with the "
        "library's own files, and not with a model of sentencepiece, even when it was saved as such a file.",
    ),
    Difference(
        "place-of-the-added-space",
        "sentencepiece",
        "猫 a",
        "[(0, 1), (0, 1), (1, 3)]",
        "[(0, 0), (0, 1), (1, 3)]",
        "The space in front of a text is nowhere in it. For sentencepiece its place is empty; for us, as for "
        "tokenizers, it stands with the first character.",
    ),
    Difference(
        "one-becomes-several",
        "sentencepiece",
        "Ⅷ",
        "[(0, 1), (0, 1), (0, 1), (0, 1), (0, 1)]",
        "[(0, 0), (0, 0), (0, 0), (0, 0), (0, 1)]",
        "Normalization makes VIII of one character. For sentencepiece the last letter has its place and the "
        "others an empty one; for us each stands for the whole.",
    ),
    Difference(
        "run-of-spaces",
        "sentencepiece",
        "a  猫",
        "[(0, 1), (2, 3), (3, 4)]",
        "[(0, 1), (1, 3), (3, 4)]",
        "Of two spaces one is left. For sentencepiece it has the place of both; for us, as for tokenizers, "
        "that of the last.",
    ),
    Difference(
        "unknown-decoded",
        "sentencepiece",
        "<unk>",
        "''",
        "' ⁇ '",
        "sentencepiece shows an unknown token as ⁇; for us it is a special token, left out unless asked for.",
    ),
    Difference(
        "not-by-merges",
        "quicktok",
        " воздухе",
        "[' в', 'озд', 'ух', 'е']",
        "[' воздух', 'е']",
        "A token of Llama 3's to which no merges lead. quicktok-v1's own encoder finds it; tiktoken's, which "
        "joins neighbors by rank unless the whole word is a token, does not, and nor do we.",
    ),
)
