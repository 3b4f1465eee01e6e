"""The words of this field: what each means, what it is called in four languages, and where it is taught.

41 entries are those of the glossary at the end of one of the course's sources, the Burmese one; the others, `added`,
are the terms that the lessons print in bold. The meanings are our own. Words come in English, Russian, Chinese and
Burmese, as the sources have them; Burmese keeps the English word and explains it. A name from the sources' code is the
same in every language, and `ours` says what it is here.

The module can be called like its function: `from subword_lab import glossary; glossary("merges")`.
"""

import difflib
import json
import re
import sys
import unicodedata
from dataclasses import dataclass
from types import ModuleType

from . import files, lessons
from .arguments import check_choice, check_string
from .html import Html, Shown, box, pieces, tag

LANGUAGES = {
    "english": "en",
    "russian": "ru",
    "chinese": "zh-Hans",
    "burmese": "my",
}  # field -> its code in HTML


@dataclass(frozen=True, repr=False)
class Entry(Shown):
    """One term. `key` is its name in the list, `ours` its name in this package if it has one.

    `added` says that it is a term of the lessons, and none of the source's 41.

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
    theme: str
    ours: str = ""
    added: bool = False

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
        return "\n".join(
            filter(None, (self.english, languages, self.meaning, f"Lesson: {self.lesson}{here}"))
        )

    def html(self) -> Html:
        return box(
            self.english,
            pieces(
                *(
                    tag("div", line, style="margin:.3em 0")
                    for line in (
                        pieces(
                            *(in_language(*term) for term in self.translations.items()),
                            between=" · ",
                        ),
                        self.meaning,
                        pieces(
                            "Lesson ",
                            lesson_link(self.lesson),
                            (pieces(" · here: ", tag("code", self.ours)) if self.ours else None),
                        ),
                    )
                    if line
                )
            ),
            label=f"Glossary: {self.english}",
        )


def in_language(name: str, term: str) -> Html:
    """HTML that says which language (a key of LANGUAGES) the term is in, and lets no line end inside a word of it.

    >>> in_language("russian", "корпус")
    '<span lang="ru"><span class="sl-whole">корпус</span></span>'
    """
    whole = (
        word if word == " " else tag("span", word, class_="sl-whole")
        for word in re.findall(r" |（?[^ （]+", term)
    )
    return tag("span", *whole, lang=LANGUAGES[name])


def lesson_link(name: str) -> Html:
    """HTML that opens a lesson from a notebook that lies beside it.

    >>> lesson_link("01_bpe")
    '<a href="01_bpe.ipynb">01</a>'
    """
    lesson = lessons.lesson(name)
    return tag("a", lesson.number, href=lesson.file)


def _fold(term: str) -> str:
    """What is left of a term when everything is gone that may be written in more than one way."""
    words = unicodedata.normalize("NFKC", term).casefold().replace("-", " ").strip(' "[]')
    return " ".join(words.removesuffix("()").split())


# Where a row of the list names no term of a language, the English one stands for it.
ENTRIES = [
    Entry(
        **{
            "key": row["english"].partition(" (")[0],
            **dict.fromkeys(LANGUAGES, row["english"]),
            "theme": theme,
            **row,
        }
    )
    for theme, rows in json.loads(files.read("data", "glossary.json")).items()
    for row in rows
]
# Where two entries share a name, the first one has it.
NAMED = {name: entry for entry in reversed(ENTRIES) for name in reversed(entry.names)}
FOLDED = {_fold(name): entry for name, entry in NAMED.items()}


def themes() -> list[str]:
    """What the entries are grouped by.

    >>> themes()[:2]
    ['Text and its characters', 'The vocabulary']
    """
    return list(dict.fromkeys(entry.theme for entry in ENTRIES))


def entries(theme: str | None = None) -> list[Entry]:
    """All entries, or those of one theme.

    Raises ValueError for a theme that does not exist.

    >>> len(entries()), [entry.key for entry in entries("The vocabulary")[:5]]
    (118, ['Vocabulary', 'Initial Vocabulary', 'Special Tokens', 'BOS, EOS, PAD', 'Unknown Token'])
    """
    if theme is not None:
        check_choice("theme", theme, themes())
    return [entry for entry in ENTRIES if theme in (None, entry.theme)]


def glossary(term: str) -> Entry:
    """The entry for a term, in any of the four languages, or for a name from code, with or without `()`.

    A final s may be missing or be too much. Capital letters do not matter, but for `Merges`, the rules, and `merges`,
    the dictionary that holds them.

    Raises ValueError for a term that is not in the glossary, and names those that are close to it.

    >>> glossary("词表").english, glossary("корпус").english, glossary("pair_freqs()").ours
    ('Vocabulary', 'Corpus', 'bpe.Step.pair_freqs')
    >>> glossary("corpse")
    Traceback (most recent call last):
    ValueError: the glossary has no entry 'corpse'; did you mean 'Corpus' or 'Score'?
    """
    name = _fold(check_string("term", term))
    for entry in (NAMED.get(term), *map(FOLDED.get, (name, f"{name}s", name.removesuffix("s")))):
        if entry:
            return entry
    close = {repr(FOLDED[other].key): 1 for other in difflib.get_close_matches(name, FOLDED, n=3)}
    hint = f"did you mean {' or '.join(close)}?" if close else "glossary.entries() lists them all"
    raise ValueError(f"the glossary has no entry {term!r}; {hint}")


class _Callable(ModuleType):
    def __call__(self, term: str) -> Entry:
        return glossary(term)


sys.modules[__name__].__class__ = _Callable
