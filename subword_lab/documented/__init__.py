"""Every worked example of the course's five sources: what is printed there, and what is true.

One row is one claim of a source (or a figure that this course computed to go with one). The rows stand in the JSON
files beside this one, each a list of objects like this:

    {"id": "hf-best-pair", "sources": ["ru-bpe", "my-bpe"], "section": "implementation",
     "input": ["Ġ", "t"], "said": "...", "expected": [["Ġ", "t"], 7], "actual": null,
     "verdict": "reproduced", "note": "One or two sentences for a learner.", "lesson": "01_bpe", "feature": ["C6"]}

- id: never changes. sources: keys of `SOURCES`. section: where in the source ("2.1.3", "training").
- input: what goes in, as a value; where there is none, leave it out. The reproduction receives it.
- said: what the source says, in our words, where that is a sentence and not a value.
- expected: the value that the source prints. actual: for an erratum the true value (where printed code is at fault:
  what it really gives); for other rows, figures that the source does not print. A Fraction is the string "1/36"; a
  dictionary with pairs as keys is [[pair, count], ...].
- verdict: one of `VERDICTS`. note: for an erratum it says what is true and why. lesson: the notebook that tells it.
- kind: errata only, one of `KINDS`; major: true where the slip would mislead or crash. What is null, false or empty
  may be left out.

How a row is proven is told in `proofs`.

Beside the rows there are two inventories: `features()` says what of the sources is told and tested where,
`libraries()` how well-known programs settle what papers leave open.

>>> example("bpe-hug-pair-ug-20").expected
[[['u', 'g'], 20]]
>>> compare("bpe-hug-pair-ug-20", {("u", "g"): 20}).matches
True
"""

from __future__ import annotations

import difflib
import functools
import json
from dataclasses import dataclass

from .. import files, lessons
from .comparison import Comparison
from .comparison import first_difference as first_difference
from .inventory import Feature as Feature
from .inventory import Library as Library
from .inventory import features as features
from .inventory import libraries as libraries
from .ledger import Ledger, Line

VERDICTS = ("reproduced", "quirk", "erratum", "not checkable", "supplement")
ROWS = (
    "blog",
    "bpe",
    "compression",
    "course",
    "four_sentences",
    "text",
    "unigram",
    "word_tables",
    "wordpiece",
)
KINDS = ("figure", "wording", "code", "sources differ", "damaged text")


@dataclass(frozen=True)
class Source:
    """One of the five texts that this course grew from."""

    title: str
    language: str
    description: str


SOURCES = {
    "ru-bpe": Source(
        "BPE chapter of a language-model course",
        "Russian",
        "Trains BPE on hug, pug, pun, bun, hugs by hand, then on four sentences in code; a translation.",
    ),
    "my-bpe": Source(
        "BPE chapter of a language-model course, with a glossary",
        "Burmese",
        "The same chapter with the same code, in Burmese, and 41 terms explained at its end.",
    ),
    "zh-three": Source(
        "Three tokenization algorithms in depth",
        "Chinese",
        "BPE, WordPiece and Unigram with formulas and code, trained on WikiText-2.",
    ),
    "zh-compression": Source(
        "BPE from compression to words",
        "Chinese",
        "The compressor of 1994 on one string, then five merges of a four-word corpus in tables.",
    ),
    "zh-blog": Source(
        "What a token is, and BPE in code",
        "Chinese",
        "Why text is split at all, then BPE with regular expressions on one sentence about a mountain.",
    ),
}


@dataclass(frozen=True)
class Example:
    """One row: what a source says or prints, and what this course found. The module's docstring explains the fields."""

    id: str
    sources: tuple[str, ...]
    section: str
    verdict: str
    note: str
    lesson: str
    feature: tuple[str, ...]
    input: object = None
    said: str = ""
    expected: object = None
    actual: object = None
    kind: str = ""
    major: bool = False
    topic: str = ""  # the file it stands in, and its proof

    @property
    def where(self) -> str:
        """The sources and the place in them, in words.

        >>> example("bpe-hug-pair-hu-15").where
        'Russian and Burmese chapter, training by hand'
        """
        names = [_SHORT[key] for key in sorted(self.sources, key=list(_SHORT).index)]
        listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
        listed = (
            "all five sources"
            if len(names) == len(SOURCES)
            else listed.replace(" chapter and B", " and B")
        )
        section = f"section {self.section}" if self.section[:1].isdigit() else self.section
        return f"{listed}, {section}" if section else listed


_SHORT = {
    "zh-three": "Chinese article on three algorithms",
    "zh-compression": "Chinese article on compression",
    "zh-blog": "Chinese blog",
    "ru-bpe": "Russian chapter",
    "my-bpe": "Burmese chapter",
}


@functools.cache
def _rows() -> dict[str, Example]:
    rows: dict[str, Example] = {}
    for name in ROWS:
        for row in json.loads(files.read("documented", f"{name}.json")):
            if row["id"] in rows:
                raise ValueError(f"{name}.json: the id {row['id']!r} is used twice")
            tuples = {"sources": tuple(row["sources"]), "feature": tuple(row["feature"])}
            rows[row["id"]] = Example(**{**row, **tuples, "topic": name})
    return rows


def ids() -> list[str]:
    """The ids of all rows, file by file."""
    return list(_rows())


def example(id: str) -> Example:
    """The row with this id; an id that does not exist raises ValueError, which names ids that are close to it."""
    rows = _rows()
    if id not in rows:
        close = difflib.get_close_matches(str(id), rows, n=3, cutoff=0.5)
        hint = (
            f"; did you mean {' or '.join(map(repr, close))}?"
            if close
            else "; documented.ids() lists them all"
        )
        raise ValueError(f"no documented example has the id {id!r}{hint}")
    return rows[id]


def errata() -> list[Example]:
    """The rows on which a source is wrong, or on which the sources contradict each other."""
    return [row for row in _rows().values() if row.verdict == "erratum"]


def prove(id: str, part: str = "") -> Comparison:
    """Compute the value of a row with the package, and hold it against what is documented.

    part: where a row has two values, "expected" (what the source prints) and "actual" (figures beside it; for an
    erratum the truth), the one to compute; by default the one that its verdict is about. Raises ValueError for a row
    with nothing to compute, and `proofs.Unavailable` where a library or a text that the proof needs is not here.

    >>> prove("bpe-hug-pair-ug-20").matches, prove("bpe-hug-exercise-unhug").actual
    (True, ['un', 'hug'])
    """
    from .proofs import value  # loads the algorithms, when something is proven

    return Comparison(example(id), value(id, part))


def show(id: str, part: str = "") -> Comparison:
    """The value of a row, computed now, in the form made for it, with a mark and its place; see `prove`.

    Of an erratum: what is said, and what is true. Of a row with nothing to compute: what is said, and what to know.

    >>> show("bpe-hug-exercise-unhug")
    un|hug
    ✓ Chinese article on three algorithms, Russian and Burmese chapter, encoding
    >>> show("ofl-16-distinct")
    the source says: There are 16 different tokens.
    true is: 12
    ≠ Chinese article on compression, first table
    There are 12 rows; 16 is how often e occurs. Further down the page says 12 as well.
    """
    row = example(id)
    return Comparison(row, None) if row.verdict == "not checkable" else prove(id, part)


def compare(id: str, actual: object) -> Comparison:
    """Hold a value that was just computed against a row, and show it in the same way as `show` does.

    Tuples and lists are alike, so are a dictionary and a list of [key, value] pairs, and a set and a list of its
    members; a merge may come with or without its token; floating-point numbers may differ by one part in 10^9. For an
    erratum, a match is `actual`, the truth.

    >>> compare("bpe-zh-thug", ["[UNK]", "h", "ug"])
    [UNK]|h|ug
    ✗ Chinese article on three algorithms, section 2.1.2: at [1]: documented is 'hug', yours is 'h'
    """
    return Comparison(example(id), actual)


def ledger(lesson: str = "") -> Ledger:
    """All rows of a lesson, proven now, folded into one table.

    Without a lesson: the errata of the whole course with what is true, each of which the ledger of its lesson proves.

    >>> ledger("04_compression_bpe")                                          # doctest: +ELLIPSIS
    58 claims held against the sources: ✓ 30 as documented, ≠ 16 not what a source says, ...
    ✓ compress-step-1: pair: aa; symbol: Z; result: ZabdZabac
    ...
    """
    if not lesson:
        return Ledger(
            tuple(Line(Comparison(row, row.actual)) for row in errata()), value="what is true"
        )
    name = lessons.lesson(lesson).name
    return Ledger(tuple(_line(row) for row in _rows().values() if row.lesson == name))


def _line(row: Example) -> Line:
    from .proofs import APART, Unavailable, load

    load(row.topic)
    if row.id in APART:
        return Line(Comparison(row, row.actual), "proven in the tests, beside a text or a library")
    try:
        return Line(show(row.id))
    except Unavailable as missing:
        return Line(Comparison(row, row.actual), f"not proven here: {missing}")
