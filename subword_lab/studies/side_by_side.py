"""The four tokenizers side by side: one corpus, one size, and how many tokens each of them makes of it.

Lesson 05 uses this; nothing else depends on it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from .. import bpe, unigram, wordpiece
from ..arguments import (
    check,
    check_choice,
    check_count,
    check_number,
    check_word_freqs,
    shorten,
)
from .encoders import Encoded, encoder

MEASURES = ("per_word", "per_character", "tokens")
EncodeWord = Callable[[str], list[str]]


def train_four(
    word_freqs: Mapping[str, int], vocab_size: int
) -> dict[str, Callable[[str], Encoded]]:
    """Train the four on the same words, up to the same number of tokens: name -> the function that encodes a text.

    Raises ValueError where one of them does: for malformed counts, or a size below its alphabet.

    >>> four = train_four({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 12)
    >>> {name: encode("hugs").tokens for name, encode in four.items()}
    {'BPE': ['hug', 's'], 'WordPiece': ['hugs'], 'Unigram': ['hugs'], 'compression-style': ['hug', 's', '</w>']}
    """
    return {
        "BPE": encoder(bpe.train(word_freqs, vocab_size=vocab_size)),
        "WordPiece": encoder(wordpiece.train(word_freqs, vocab_size=vocab_size)),
        "Unigram": encoder(
            unigram.train(
                word_freqs,
                vocab_size=vocab_size,
                initial_size=5 * vocab_size,
                seed="suffix-array",
            )
        ),
        "compression-style": encoder(
            bpe.train(word_freqs, vocab_size=vocab_size, end_of_word="</w>"),
            method="longest-first",
        ),
    }


def per_sentence(
    encoders: Mapping[object, Callable[[str], Encoded]], texts: Mapping[str, Sequence[str]]
) -> dict[object, dict[str, float]]:
    """Tokens per sentence: encoder -> text -> figure. Fair where the texts say the same.

    encoders: name -> what `encoder` makes of a model. texts: name -> sentences.

    >>> model = bpe.train({"hug": 10, "pug": 5, "hugs": 5}, num_merges=2)
    >>> per_sentence({"BPE": encoder(model)}, {"short": ["hug", "a hug"], "long": ["pug hugs pug"]})
    {'BPE': {'short': 1.5, 'long': 6.0}}
    """
    return {
        name: {
            which: sum(len(encode(sentence).tokens) for sentence in sentences) / len(sentences)
            for which, sentences in texts.items()
        }
        for name, encode in encoders.items()
    }


def renyi_efficiency(token_freqs: Mapping[str, int], vocab_size: int, alpha: float = 2.5) -> float:
    """How evenly a text uses a vocabulary, from 0 (one token all the time) to 1 (all tokens equally often).

    It is the Rényi entropy of the tokens' shares, divided by the entropy of a vocabulary that is used evenly. The
    larger alpha, the more do frequent tokens weigh; alpha 1 is Shannon's entropy. 2.5 is the value with which V.
    Zouhar and others (2023, Tokenization and the Noiseless Channel) found the best agreement with translations.

    Raises ValueError for tokens that do not occur, a vocabulary with room for fewer than these tokens or for one, or an
    alpha that is not positive.

    >>> even, uneven = {"a": 5, "b": 5, "c": 5, "d": 5}, {"a": 17, "b": 1, "c": 1, "d": 1}
    >>> round(renyi_efficiency(even, 4), 2), round(renyi_efficiency(uneven, 4), 2)
    (1.0, 0.19)
    """
    check(
        token_freqs and min(token_freqs.values()) >= 1,
        f"token_freqs is {shorten(token_freqs)}; expected tokens, and how often each occurs",
    )
    check_count("vocab_size", vocab_size, max(2, len(token_freqs)))
    check_number("alpha", alpha, above=0)
    total = sum(token_freqs.values())
    shares = [freq / total for freq in token_freqs.values()]
    entropy = (
        -sum(share * log(share) for share in shares)
        if alpha == 1
        else log(sum(share**alpha for share in shares)) / (1 - alpha)
    )
    return entropy / log(vocab_size)


@dataclass(frozen=True)
class Fertility:
    """How many tokens a corpus became, and of how many words and characters. The fewer a word, the cheaper."""

    tokens: int
    words: int
    characters: int

    @property
    def per_word(self) -> float:
        """Tokens per word."""
        return self.tokens / self.words

    @property
    def per_character(self) -> float:
        """Tokens per character; 1 means that every character is a token of its own."""
        return self.tokens / self.characters


def fertility(word_freqs: Mapping[str, int], encode_word: EncodeWord) -> Fertility:
    """Cut every word of a corpus, and count what comes out, each word as often as it occurs.

    >>> hug = {"hug": 10, "hugs": 5}
    >>> model = bpe.train(hug, num_merges=2)
    >>> fertility(hug, lambda word: bpe.encode_word(word, model))
    Fertility(tokens=20, words=15, characters=50)
    >>> round(fertility(hug, list).per_word, 2), fertility(hug, list).per_character
    (3.33, 1.0)
    """
    check_word_freqs(word_freqs)
    return Fertility(
        tokens=sum(freq * len(encode_word(word)) for word, freq in word_freqs.items()),
        words=sum(word_freqs.values()),
        characters=sum(freq * len(word) for word, freq in word_freqs.items()),
    )


def fertilities(
    encoders: Mapping[object, EncodeWord],
    corpora: Mapping[str, Mapping[str, int]],
    measure: str = "per_word",
) -> dict[object, dict[str, float]]:
    """The fertility of several encoders on several corpora: encoder -> corpus -> figure.

    encoders: name -> the function that cuts a word. corpora: name -> word counts. measure: which of the figures that
    `fertility` gives, "per_word", "per_character" or "tokens".

    >>> hug = {"hug": 10, "hugs": 5}
    >>> fertilities({"whole words": lambda word: [word], "letters": list}, {"hug": hug}, "tokens")
    {'whole words': {'hug': 15}, 'letters': {'hug': 50}}
    """
    check_choice("measure", measure, MEASURES)
    return {
        name: {
            corpus: getattr(fertility(word_freqs, encode_word), measure)
            for corpus, word_freqs in corpora.items()
        }
        for name, encode_word in encoders.items()
    }
