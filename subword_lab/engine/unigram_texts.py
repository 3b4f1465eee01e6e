"""Long texts for Unigram: their words counted, for training by SentencePiece's rules, and their ids."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .compiling import compiled
from .counting import ByteWords
from .encoding import Encoder
from .words import SpacedFinder


class FollowedWords(ByteWords):
    """Words, each with the space after it, or the zero with which a text has to end, and their counts.

    >>> counted = FollowedWords()
    >>> counted.add_texts(["hug a hug\\0", "hug\\0"])
    >>> counted.as_dict()
    {b'hug ': 1, b'a ': 1, b'hug\\x00': 2}
    """

    def __init__(self) -> None:
        super().__init__(SpacedFinder(followed=True))


class UnigramEncoder(Encoder):
    """Texts, with spaces in the place of marks, to ids. The ways through words are those of `lattice.viterbi`.

    losses, ids: of every token, `▁` among them; unknown_loss and unknown: of a character that is none. fused: one id
    for a run of such characters. byte_ids: of all 256 bytes, where they spell what is unknown.

    >>> losses = {"▁": 3.0, "h": 2.0, "u": 1.0, "g": 2.0, "▁hu": 2.5, "ug": 1.5}
    >>> encoder = UnigramEncoder(losses, {token: id for id, token in enumerate(losses)}, 13.0, 9, True)
    >>> encoder.encode(" hug ug xyz")
    [4, 3, 0, 5, 0, 9]
    """

    def __init__(self, losses: Mapping[str, float], ids: Mapping[str, int], unknown_loss: float, unknown: int,
                 fused: bool, byte_ids: Sequence[int] = ()):
        self._code = compiled("spaced_words")
        tokens = [token.replace("▁", " ").encode() for token in losses]
        beginnings = {token[:end] for token in tokens for end in range(len(token) + 1)}
        tree = self._code.tree_of(
            np.frombuffer(b"".join(tokens), np.uint8).astype(np.int64), np.cumsum([0, *map(len, tokens)]),
            np.array([*losses.values()], float), np.array([ids[token] for token in losses], np.int32),
            len(beginnings))
        self._model = *tree, float(unknown_loss), unknown, fused, np.array(byte_ids, np.int32)
        super().__init__(SpacedFinder(), max(unknown, *ids.values(), *byte_ids),
                         (token for token in tokens if token.rfind(b" ") == 0))

    def _encode_words(self) -> tuple[int, int]:
        return self._code.encode_words(self.letters, self.ends, self._encoded, self.entries, *self._model, self._packed,
                                       self._row, self._row_end)
