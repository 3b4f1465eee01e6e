"""Long texts for Unigram: their words counted, for training by SentencePiece's rules, and their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from .compiling import compiled
from .counting import ByteWords
from .encoding import Encoder
from .words import BORDER, SpacedFinder, joined

STAND_IN = "␞"  # for a space, while words are normalized: no step changes it


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
    for a run of such characters. byte_ids: of all 256 bytes, where they spell what is unknown. normalize: what is done
    to a text before its spaces are evened out, if that may be done to each word by itself, once.

    >>> losses = {"▁": 3.0, "h": 2.0, "u": 1.0, "g": 2.0, "▁hu": 2.5, "ug": 1.5}
    >>> ids = {token: id for id, token in enumerate(losses)}
    >>> UnigramEncoder(losses, ids, 13.0, 9, True).encode(" hug ug xyz")
    [4, 3, 0, 5, 0, 9]
    >>> UnigramEncoder(losses, ids, 13.0, 9, True, normalize=str.lower).encode("   Hug  UG")
    [4, 3, 0, 5]
    """

    def __init__(
        self,
        losses: Mapping[str, float],
        ids: Mapping[str, int],
        unknown_loss: float,
        unknown: int,
        fused: bool,
        byte_ids: Sequence[int] = (),
        normalize: Callable[[str], str] | None = None,
    ):
        self._code, self.normalize = compiled("spaced_words"), normalize
        tokens = [token.replace("▁", " ").encode() for token in losses]
        beginnings = {token[:end] for token in tokens for end in range(len(token) + 1)}
        tree = self._code.tree_of(
            np.frombuffer(b"".join(tokens), np.uint8).astype(np.int64),
            np.cumsum([0, *map(len, tokens)]),
            np.array([*losses.values()], float),
            np.array([ids[token] for token in losses], np.int32),
            len(beginnings),
        )
        self._model = *tree, float(unknown_loss), unknown, fused, np.array(byte_ids, np.int32)
        super().__init__(
            SpacedFinder(),
            max(unknown, *ids.values(), *byte_ids),
            (token for token in tokens if token.rfind(b" ") == 0),
        )

    def _encode_words(self) -> tuple[int, int]:
        first, letters, ends = (
            self._encoded,
            self.letters,
            self.ends[self._encoded - 1 : self.entries],
        )
        if self.normalize:
            letters, ends = self._normalized(letters[ends[0] : ends[-1]].tobytes(), ends - ends[0])
        done, row_end = self._code.encode_words(
            letters,
            ends,
            1,
            len(ends),
            *self._model,
            self._packed[first - 1 :],
            self._row,
            self._row_end,
        )
        return first - 1 + done, row_end

    def _normalized(self, data: bytes, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Words in a row, each normalized with one space before it, or nothing left; and where each ends."""
        assert self.normalize
        whole = data.decode()
        words = self.normalize(whole.replace(" ", STAND_IN)).split(STAND_IN)[1:]  # all in one go
        if STAND_IN in whole or len(words) != len(ends) - 1:  # somebody writes of it: one by one
            words = [
                self.normalize(data[start:end].decode()) for start, end in pairwise(ends.tolist())
            ]
        evened = [
            " ".join(filter(None, word.split(" "))) if " " in word else word for word in words
        ]
        bordered = joined(["", *evened], BORDER)[:-1].replace(
            "▁".encode(), b" "
        )  # a border before each word
        spelled = np.frombuffer(bytearray(bordered), np.uint8)
        edges = np.flatnonzero(spelled == BORDER[0])
        spelled[edges] = ord(" ")
        lengths = np.diff(edges, append=len(spelled))
        spelled, lengths = np.delete(spelled, edges[lengths == 1]), lengths - (lengths == 1)
        return spelled, np.cumsum([0, *lengths])
