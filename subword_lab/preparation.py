"""What happens to a text before it is cut into words: added tokens, normalization, a space in front, and marks."""

from collections.abc import Mapping
from functools import cached_property

from . import normalization, text
from .normalization import TokenFinder
from .parts import Parts

TAKEN = 4  # times the text: how much white space its tokens take in together


class Cutter:
    """Cuts a text at tokens that are never split; of several that fit, the longest is taken.

    forms: how each token looks in a text -> the token. Some take in white space at their sides, or stand alone only, as
    the parts say.

    >>> from subword_lab.bpe import BPEModel
    >>> parts = Parts(BPEModel([], []), {"<m>": 0}, ("<m>",), lstrip=("<m>",))
    >>> Cutter({"<m>": "<m>"}, parts).cut("hug  <m> pug")
    [('hug', 0, None), ('  <m>', 3, '<m>'), (' pug', 8, None)]
    """

    def __init__(self, forms: Mapping[str, str], parts: Parts):
        self.forms = forms
        self._alone, self._left, self._right = map(
            frozenset, (parts.single_word, parts.lstrip, parts.rstrip)
        )
        self._find = TokenFinder(forms).spans

    def cut(self, string: str) -> list[tuple[str, int, str | None]]:
        """The text in parts: each with where it starts, and the token that it is, or None.

        Raises ValueError if tokens take in the same white space so often that the parts would be far longer.
        """
        found: list[tuple[str, int, str | None]] = []
        end = taken = 0
        for start, stop in self._find(string):
            token = self.forms[string[start:stop]]
            if token in self._alone and self._in_a_word(string, start, stop):
                continue
            if token in self._left:  # of what the token before has taken in, nothing is left
                start = max(start, end)
            while token in self._left and start > end and is_space(string[start - 1]):
                start -= 1
            if token in self._right:
                stop = max(stop, end)  # in white space that the token before it has taken in
            while token in self._right and is_space(string[stop : stop + 1]):
                stop += 1
            taken += stop - start
            if taken > TAKEN * (len(string) + 1_000):
                raise ValueError(
                    f"{len(found) // 2:,} tokens of the text take in the same white space; expected less of it"
                )
            found += [(string[end:start], end, None), (string[start:stop], start, token)]
            end = stop
        return [part for part in [*found, (string[end:], end, None)] if part[0]]

    def _in_a_word(self, string: str, start: int, stop: int) -> bool:
        beside = string[max(start - 1, 0) : start], string[stop : stop + 1]
        return any(char and text.words("a" + char, "whitespace") == ["a" + char] for char in beside)


def is_space(char: str) -> bool:
    """Whether Unicode calls it white space; Python does so with four control characters more."""
    return char.isspace() and not "\x1c" <= char <= "\x1f"


class Preparation:
    """The first stations of a tokenizer.

    >>> from subword_lab.unigram import UnigramModel
    >>> parts = Parts(UnigramModel({"▁": 1.0}), {"▁": 0}, spelling="metaspace", prefix_space="first")
    >>> preparation = Preparation(parts)
    >>> preparation.prepared("hug pug", True), preparation.prepared("hug", False)
    ('▁hug▁pug', 'hug')
    """

    def __init__(self, parts: Parts):
        self.steps, self.where = parts.normalization, parts.prefix_space
        self.metaspace = parts.spelling == "metaspace"
        self.needs_nothing = not self.steps and self.where == "never" and not self.metaspace

    def prepared(self, string: str, first: bool) -> str:
        """Normalized, with a space in front if one belongs there, and marked. first: whether it begins its text."""
        return string if self.needs_nothing else self.marked(self.spaced(string, first))

    def spaced(self, string: str, first: bool) -> str:
        """Normalized, and with a space in front if one belongs there."""
        if self.in_front is not None and string.isascii() and string.isprintable():
            evened = " ".join(string.split())  # most texts need no more, and it is quick
            return self.in_front[first and string[0] != " "] + evened if evened else ""
        if self.where == "first" and first and self.steps:
            normal, spans = normalization.trace(string, self.steps)
            return self.with_space(normal, bool(spans) and spans[0][0] == 0)
        return self.with_space(normalization.apply(string, self.steps), first)

    def with_space(self, string: str, first: bool) -> str:
        """A text that is normalized, with a space in front if one belongs there.

        first: whether its first character is what became of the first one of all. As in the tokenizers library, a text
        is not, if normalization took something away there.
        """
        has_one = string.startswith((" ", "▁") if self.metaspace else " ")
        wanted = self.where == "always" or (self.where == "first" and first)
        return " " + string if wanted and string and not has_one else string

    @cached_property
    def in_front(self) -> list[str] | None:
        """What comes before a text, in the middle and at the beginning, if only its spaces are evened out."""
        if not normalization.evens_out(self.steps):
            return None
        x = normalization.apply("x", self.steps)
        return [self.with_space(x, first)[:-1] for first in (False, True)]

    def marked(self, string: str) -> str:
        """With `▁` for every space, where that is the spelling; words with a mark of their own hold no space."""
        marks = self.metaspace and self.where != "every-word"
        return string.replace(" ", "▁") if marks else string
