"""A text on its way through a tokenizer: what each part makes of it, and the name of the part in a `tokenizer.json`."""

from __future__ import annotations

from .. import text
from ..interchange import to_json
from ..normalization import apply
from ..tokenizer import Tokenizer
from .tables import Table, table
from .tokens import token_strip, visible

SEVERAL = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
}


def stations(tokenizer: Tokenizer, string: str) -> Table:
    """What the parts of a tokenizer make of a text, one after the other, each with its name and type in the file.

    Special tokens that stand in the text are text here.

    >>> tokenizer = Tokenizer.train(["hug pug hugs"], "wordpiece", vocab_size=20)
    >>> for part, kind, made in stations(tokenizer, "Hug?").rows[1:4]:
    ...     print(part, kind, made)
    pre_tokenizer BertPreTokenizer hug|?
    model WordPiece hug|[UNK]
    post_processor TemplateProcessing [CLS]|hug|[UNK]|[SEP]
    """
    content, parts = to_json(tokenizer.parts), tokenizer.parts
    bare = tokenizer.encode(string, disallowed_special=(), add_special_tokens=False)
    whole = tokenizer.encode(string, disallowed_special=())
    normalized = apply(string, parts.normalization)
    words = [normalized]
    for scheme in parts.schemes:
        words = [word for each in words for word, _ in text.pre_tokenize(each, scheme)]
    made = {
        "normalizer": visible(normalized),
        "pre_tokenizer": token_strip(words),
        "model": token_strip(bare.tokens),
        "post_processor": token_strip(whole.tokens),
        "ids": " ".join(map(str, whole.ids)),
        "decoder": visible(tokenizer.decode(whole.ids)),
    }
    return table(
        [[name, _types(name, content.get(name)), value] for name, value in made.items()],
        ["part", "type in the file", "what it makes of the text"],
    )


def _types(name: str, part: dict | None) -> str:
    """The type of a part, or of each member of a sequence, each once; a dash for a part that does nothing."""
    if part is None:
        return "–"
    members = part.get(SEVERAL.get(name, "decoders"), [part])
    return ", ".join(dict.fromkeys(member["type"] for member in members))
