"""Where `Tokenizer` and the libraries part, on purpose or by convention: each with an input that shows it.

Everything else that was compared is the same: ids, tokens, offsets and decoded texts. A test computes every row. Three
things have no row: ways through a word that cost exactly the same (V I II and V II I), where sentencepiece lets the
rounding of its 32-bit sums decide (1 of 4,358 lines of WikiText-2); Unigram trained by its rules (`pieces`), where the
same rounding may exchange a piece for another that is worth as much (1 of 500 on the passage of the course, none of the
7,395 on WikiText-2 validation); and characters that are younger than the Unicode of this Python or of a library, which
then are normalized by one of them alone.
"""

from typing import NamedTuple


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


DIFFERENCES = (
    Difference(
        "special-in-text",
        "tokenizers",
        "hug<|endoftext|>",
        "ValueError",
        "['hug', '<|endoftext|>']",
        "Whoever writes a text could end it for the model. We ask first, as tiktoken does: "
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
        "special-by-its-form",
        "tokenizers",
        "[MASK]",
        "''",
        "'[mask]'",
        "A special token that is normalized before it is looked for has another form in the library's decoding, "
        "which is not among the special tokens, so it is shown. We leave it out.",
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
        "goes by merges, does not, and nor do we.",
    ),
)
