"""What happens to a text before it is cut into words: normalization, a space in front, and marks for spaces."""

from functools import cached_property

from . import normalization
from .normalization import Traced
from .parts import Parts


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
        return string if self.needs_nothing else self._marked(self.spaced(string, first))

    def spaced(self, string: str, first: bool) -> str:
        """Normalized, and with a space in front if one belongs there."""
        if self.in_front is not None and string.isascii() and string.isprintable():
            evened = " ".join(string.split())  # most texts need no more, and it is quick
            return self.in_front[first] + evened if evened else ""
        return self.normalized(string, first)

    def normalized(self, string: str, first: bool) -> str:
        """The same for any text."""
        string = normalization.apply(string, self.steps)
        return " " + string if self._wants_space(string, first) else string

    @cached_property
    def in_front(self) -> list[str] | None:
        """What comes before a text, in the middle and at the beginning, if only its spaces are evened out."""
        if not normalization.evens_out(self.steps):
            return None
        return [self.normalized("x", first)[:-1] for first in (False, True)]

    def traced(self, string: str, first: bool) -> Traced:
        """As `prepared`, and for each character the (start, end) in `string` that it stands for."""
        new, spans = normalization.trace(string, self.steps)
        if self._wants_space(new, first):
            new, spans = " " + new, spans[:1] + spans
        return self._marked(new), spans

    def _marked(self, string: str) -> str:
        """With `▁` for every space, where that is the spelling; words with a mark of their own hold no space."""
        marks = self.metaspace and self.where != "every-word"
        return string.replace(" ", "▁") if marks else string

    def _wants_space(self, string: str, first: bool) -> bool:
        has_one = string.startswith((" ", "▁") if self.metaspace else " ")
        wanted = self.where == "always" or (self.where == "first" and first)
        return wanted and bool(string) and not has_one
