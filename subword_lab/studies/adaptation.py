"""A vocabulary for other texts than it was trained on: tokens taken away, and the first embeddings of new ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..arguments import check, check_words
from ..bpe import BPEModel
from ..parts import reduced
from ..tokenizer import Tokenizer


def keep_tokens(
    tokenizer: Tokenizer, tokens: Iterable[str], *, with_parts: bool = True
) -> Tokenizer:
    """The tokenizer with these tokens alone, of those that merges make; every token keeps its id.

    Single characters, bytes, and tokens that are never split stay. with_parts: whether the tokens stay, too, on which
    merging passes by on its way to these. Without them, a token may be there and out of reach. Raises ValueError if
    the tokenizer is not one of BPE, or does not know a token.

    >>> tokenizer = Tokenizer.train(["hug hugs hug hugs"], vocab_size=262)
    >>> [keep_tokens(tokenizer, ["hug"], with_parts=parts).encode("hug").tokens for parts in (False, True)]
    [['h', 'u', 'g'], ['hug']]
    """
    parts, model = tokenizer.parts, tokenizer.parts.model
    if not isinstance(model, BPEModel):
        raise ValueError(
            f"tokenizer is {tokenizer!r}; expected one of BPE, whose tokens are merged"
        )
    waiting = check_words("tokens", tokens)
    for token in waiting:
        if token not in parts.ids:
            raise ValueError(f"tokens holds {token!r}, which is no token of this tokenizer")
    made_of = {left + right: (left, right) for left, right in reversed(model.merges)}
    kept: set[str] = set()
    while waiting:
        token = waiting.pop()
        if with_parts and token in made_of and token not in kept:
            waiting += made_of[token]
        kept.add(token)
    lost = made_of.keys() - kept - parts.apart
    ids = {token: id for token, id in parts.ids.items() if token not in lost}
    return Tokenizer(replace(parts, model=reduced(model, lost), ids=ids))


def mean_embedding(
    string: str, tokenizer: Tokenizer, rows: Mapping[int, Sequence[float]]
) -> list[float]:
    """The mean of the embeddings that a text's tokens have: a first row for a new token of this text.

    tokenizer: from before the token was added. rows: id -> embedding, all of one length. Raises ValueError for an
    empty text, and KeyError for an id without a row.

    >>> tokenizer = Tokenizer.train(["hug"], vocab_size=257, special_tokens=[])
    >>> mean_embedding("hug", tokenizer, dict(zip(tokenizer.encode("hug").ids, [[2, 1], [4, 0]])))
    [3.0, 0.5]
    """
    ids = tokenizer.encode_ordinary(string)
    check(ids, f"string is {string!r}, which has no tokens; expected the text of a token")
    return [sum(column) / len(ids) for column in zip(*(rows[id] for id in ids), strict=True)]
