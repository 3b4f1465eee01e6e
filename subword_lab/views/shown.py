"""What everything in `views` has in common: files of its own, and a line behind which a view is folded away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .. import files
from ..html import Html, Shown, details, pieces, tag


def html_of(value: object) -> Html:
    """The HTML of a string, which is taken as HTML, or of anything that has some."""
    return Html(value) if isinstance(value, str) else pieces(value)


@dataclass(frozen=True)
class Folded(Shown):
    """What `fold` returns."""

    summary: str
    view: object

    def __repr__(self) -> str:
        return f"{self.summary}\n{self.view!r}"

    def html(self) -> Html:
        return details(self.summary, html_of(self.view))


def fold(summary: str, view: object) -> Folded:
    """A view that opens on demand, behind one line of text.

    >>> fold("A long word", "supercalifragilistic")
    A long word
    'supercalifragilistic'
    """
    return Folded(summary, view)


@dataclass(frozen=True)
class Sentence(Shown):
    """What `sentence` returns."""

    words: str

    def __repr__(self) -> str:
        return self.words

    def html(self) -> Html:
        return tag("p", self.words)


def sentence(words: str) -> Sentence:
    """A result told in words, without the quotes that a string has.

    >>> sentence("15 of 19 merges were decided by a tie.")
    15 of 19 merges were decided by a tie.
    """
    return Sentence(words)


@cache
def static(name: str) -> str:
    """The text of a file in `static/`."""
    return files.read("views", "static", name).strip()
