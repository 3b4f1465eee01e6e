"""The glossary as tables, one a theme."""

from __future__ import annotations

from ..glossary import LANGUAGES, Entry, entries, in_language, lesson_link
from ..html import Html, pieces, tag
from .tables import Cell, Table, table


def glossary_table(theme: str) -> Table:
    """The entries of one theme (see `glossary.themes`): terms in four languages, or names from code and ours.

    Terms of the source's own list have a star.

    Raises ValueError for a theme that does not exist.

    >>> glossary_table("Models and their makers").columns
    ['English', 'Russian', 'Chinese', 'Burmese', 'meaning', 'lesson']
    """
    found = entries(theme)
    if all(entry.is_code for entry in found):
        rows = [
            [_code(entry.english), _meaning(entry), _code(entry.ours), _lesson(entry)]
            for entry in found
        ]
        return table(rows, ["name", "meaning", "here", "lesson"])
    rows = [
        [
            _english(entry),
            *(Cell(term, in_language(name, term)) for name, term in entry.translations.items()),
            _meaning(entry),
            _lesson(entry),
        ]
        for entry in found
    ]
    return table(rows, [*(name.title() for name in LANGUAGES), "meaning", "lesson"])


def _english(entry: Entry) -> Cell:
    star = "" if entry.added else " *"
    return Cell(f"{entry.english}{star}", pieces(in_language("english", entry.english), star))


def _meaning(entry: Entry) -> Cell:
    """A meaning, in lines of some words where the table is wider than the page."""
    return Cell(entry.meaning, tag("div", entry.meaning, style="min-width:16em"))


def _code(name: str) -> Cell:
    """A name from code; one as long as a whole path may go on in the next line, after a dot."""
    if len(name) <= 30:
        return Cell(name, tag("code", name) if name else Html())
    return Cell(
        name,
        tag("code", pieces(*name.split("."), between=f".{tag('wbr')}"), style="white-space:normal"),
    )


def _lesson(entry: Entry) -> Cell:
    return Cell(entry.lesson, lesson_link(entry.lesson))
