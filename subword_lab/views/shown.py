"""What everything in `views` has in common: its HTML, with the style sheet that goes with it."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files


class Shown:
    """Something with a face in HTML: `html()` is the face alone, `_repr_html_()` brings the style sheet along."""

    def html(self) -> str:
        raise NotImplementedError

    def inline(self) -> str:
        """The face inside something else, such as a cell of a table."""
        return self.html()

    def _repr_html_(self) -> str:
        return f"<style>{static('views.css')}</style>{self.html()}"


def html_of(value: object) -> str:
    """The HTML of a string, which is taken as HTML, or of anything that has some."""
    return value if isinstance(value, str) else value.inline() if isinstance(value, Shown) else value._repr_html_()


def note(text: str, tag: str = "div") -> str:
    """A line in small print; nothing for no text."""
    return f'<{tag} class="sl-note">{escape(text)}</{tag}>' if text else ""


@dataclass(frozen=True)
class Folded(Shown):
    """What `fold` returns."""
    summary: str
    view: object

    def __repr__(self) -> str:
        return f"{self.summary}\n{self.view!r}"

    def html(self) -> str:
        return f"<details><summary>{escape(self.summary)}</summary>{html_of(self.view)}</details>"


def fold(summary: str, view: object) -> Folded:
    """A view that opens on demand, behind one line of text.

    >>> fold("A long word", "supercalifragilistic")
    A long word
    'supercalifragilistic'
    """
    return Folded(summary, view)


@cache
def static(name: str) -> str:
    """The text of a file in `static/`."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8").strip()
