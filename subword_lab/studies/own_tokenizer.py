"""A tokenizer of a learner's own: the text for it, and the measures by which it is defended.

Lesson 09 ends with this; nothing else depends on it.
"""

from collections.abc import Sequence
from pathlib import Path

from ..arguments import check, check_string, shorten
from ..tokenizer import Tokenizer


def paragraphs(source: str | Path) -> list[str]:
    """The paragraphs of a text: its lines without those that are empty, and each of them once.

    source: a text, or the path of a file in UTF-8. Raises OSError if there is no such file, UnicodeDecodeError if
    it is not in UTF-8, and ValueError if there are fewer than two paragraphs: one has to be kept aside.

    >>> paragraphs("Tea is hot.\\n\\n  Tea is green. \\nTea is hot.\\n")
    ['Tea is hot.', 'Tea is green.']
    """
    text = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
    lines = [line.strip() for line in check_string("source", text).splitlines()]
    found = list(dict.fromkeys(filter(None, lines)))
    check(len(found) >= 2, f"source is {shorten(source)}; expected two lines of text at least")
    return found


def measures(tokenizer: Tokenizer, texts: Sequence[str]) -> dict[str, float]:
    """What a tokenizer makes of texts: its tokens, tokens per word and bytes per token, and how many are unknown.

    A word is what stands between spaces. What a tokenizer puts around every text is counted, too.

    Raises ValueError if there is no word in the texts.

    >>> small = Tokenizer.train(["a hug", "a pug"], vocab_size=260, special_tokens=[])
    >>> measures(small, ["a hug"])
    {'tokens': 2, 'tokens per word': 1.0, 'bytes per token': 2.5, 'unknown': 0}
    """
    encodings = tokenizer.encode_batch(texts)
    tokens = sum(len(encoding.ids) for encoding in encodings)
    words = sum(len(text.split()) for text in texts)
    check(words, f"texts is {shorten(texts)}; expected texts with words")
    return {
        "tokens": tokens,
        "tokens per word": tokens / words,
        "bytes per token": sum(len(text.encode()) for text in texts) / tokens,
        "unknown": sum(
            number == encoding.unknown_id for encoding in encodings for number in encoding.ids
        ),
    }
