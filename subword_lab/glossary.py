"""The words of this field: what each means, what it is called in four languages, and where it is taught.

The 41 entries are those of the glossary at the end of one of the course's sources, the Burmese one; the meanings are
our own. Words come in English, Russian, Chinese and Burmese, as the sources have them; Burmese keeps the English word
and explains it. A name from the sources' code is the same in every language, and `ours` says what it is here.

The module can be called like its function: `from subword_lab import glossary; glossary("merges")`.
"""
from __future__ import annotations

import difflib
import functools
import json
import re
import sys
import unicodedata
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from types import ModuleType

from .arguments import check_choice, check_string
from .html import box

LANGUAGES = {"english": "en", "russian": "ru", "chinese": "zh-Hans", "burmese": "my"}        # field -> its code in HTML


@dataclass(frozen=True, repr=False)
class Entry:
    """One term. `key` is its name in the source's list, `ours` its name in this package if it has one.

    >>> glossary("Frequency")
    Frequency
    Russian: частота; Chinese: 频数（频率）; Burmese: Frequency (အကြိမ်ရေ)
    How often something occurs, as a count. A word that occurs ten times counts each of its pairs ten times.
    Lesson: 01_bpe
    """
    key: str
    english: str
    russian: str
    chinese: str
    burmese: str
    meaning: str
    lesson: str
    ours: str
    theme: str

    @property
    def is_code(self) -> bool:
        """Whether this is a name from code, which is the same in every language."""
        return self.english == self.russian == self.chinese == self.burmese

    @property
    def translations(self) -> dict[str, str]:
        """The term in the languages other than English; none for a name from code.

        >>> glossary("corpus").translations
        {'russian': 'корпус', 'chinese': '语料库', 'burmese': 'Corpus (စာသားအစုအဝေး)'}
        """
        return {} if self.is_code else {name: getattr(self, name) for name in list(LANGUAGES)[1:]}

    @property
    def names(self) -> list[str]:
        """All that `glossary` finds this entry by: `a (b)` is found as a, as b, and as a whole.

        >>> glossary("UNK").names[:3]
        ['Unknown Token (UNK)', 'Unknown Token', 'UNK']
        """
        names: list[str] = []
        for term in (self.english, *self.translations.values()):
            parts = re.fullmatch(r"(.+?) ?[（(](.+)[）)]", term)
            names += [term, *parts.groups()] if parts and not self.is_code else [term]
        return list(dict.fromkeys([*names, *filter(None, [self.ours])]))

    def __repr__(self) -> str:
        languages = "; ".join(f"{name.title()}: {term}" for name, term in self.translations.items())
        here = f"; here: {self.ours}" if self.ours else ""
        lines = (self.english, languages, self.meaning, f"Lesson: {self.lesson}{here}")
        return "\n".join(filter(None, lines))

    def _repr_html_(self) -> str:
        languages = " · ".join(in_language(name, term) for name, term in self.translations.items())
        here = f" · here: <code>{escape(self.ours)}</code>" if self.ours else ""
        lines = (languages, escape(self.meaning), f"Lesson {lesson_link(self.lesson)}{here}")
        body = "".join(f'<div style="margin:.3em 0">{line}</div>' for line in filter(None, lines))
        return box(self.english, body, label=f"Glossary: {self.english}")


def in_language(name: str, term: str) -> str:
    """HTML that says which language (a key of LANGUAGES) the term is in, and lets no line end inside a word of it.

    >>> in_language("russian", "корпус")
    '<span lang="ru"><span style="white-space:nowrap">корпус</span></span>'
    """
    words = re.sub(r"（?[^ （]+", lambda word: f'<span style="white-space:nowrap">{escape(word[0])}</span>', term)
    return f'<span lang="{LANGUAGES[name]}">{words}</span>'


def lesson_link(lesson: str) -> str:
    """HTML that opens a lesson from a notebook that lies beside it.

    >>> lesson_link("01_bpe")
    '<a href="01_bpe.ipynb">01</a>'
    """
    return f'<a href="{escape(lesson)}.ipynb">{escape(lesson.partition("_")[0])}</a>'


@functools.cache
def _all() -> tuple[Entry, ...]:
    found = []
    themes = json.loads(files(__package__).joinpath("data", "glossary.json").read_text(encoding="utf-8"))
    for theme, rows in themes.items():
        for row in rows:
            terms = dict.fromkeys(LANGUAGES, row["english"])
            key = row["english"].partition(" (")[0]
            found.append(Entry(**{"key": key, **terms, "ours": "", "theme": theme, **row}))
    return tuple(found)


def themes() -> list[str]:
    """What the entries are grouped by.

    >>> themes()[:2]
    ['Text and its characters', 'The vocabulary']
    """
    return list(dict.fromkeys(entry.theme for entry in _all()))


def entries(theme: str | None = None) -> list[Entry]:
    """All entries, or those of one theme.

    Raises ValueError for a theme that does not exist.

    >>> len(entries()), [entry.key for entry in entries("The vocabulary")]
    (41, ['Vocabulary', 'Initial Vocabulary', 'Special Tokens', 'Unknown Token'])
    """
    if theme is not None:
        check_choice("theme", theme, themes())
    return [entry for entry in _all() if theme in (None, entry.theme)]


def glossary(term: str) -> Entry:
    """The entry for a term, in any of the four languages, or for a name from code, with or without `()`.

    Capital letters do not matter, but for `Merges`, the rules, and `merges`, the dictionary that holds them.

    Raises ValueError for a term that is not in the glossary, and names those that are close to it.

    >>> glossary("词表").english, glossary("корпус").english, glossary("pair_freqs()").ours
    ('Vocabulary', 'Corpus', 'bpe.Step.pair_freqs')
    >>> glossary("corpse")
    Traceback (most recent call last):
    ValueError: the glossary has no entry 'corpse'; did you mean 'Corpus'?
    """
    check_string("term", term)
    named, folded = _by_name()
    if found := named.get(term) or folded.get(_fold(term)):
        return found
    close = dict.fromkeys(folded[name].key for name in difflib.get_close_matches(_fold(term), folded, n=3))
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "glossary.entries() lists them all"
    raise ValueError(f"the glossary has no entry {term!r}; {hint}")


@functools.cache
def _by_name() -> tuple[dict[str, Entry], dict[str, Entry]]:
    """Name -> entry, as written and folded; where two entries share a name, the first one has it."""
    named = {name: entry for entry in reversed(_all()) for name in reversed(entry.names)}
    return named, {_fold(name): entry for name, entry in named.items()}


def _fold(term: str) -> str:
    """What is left of a term when everything is gone that may be written in more than one way."""
    words = unicodedata.normalize("NFKC", term).casefold().replace("-", " ").strip(' "[]').removesuffix("()")
    return " ".join(words.split())


class _Callable(ModuleType):
    def __call__(self, term: str) -> Entry:
        return glossary(term)


sys.modules[__name__].__class__ = _Callable
