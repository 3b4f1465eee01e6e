"""Every worked example of the course's five sources: what is printed there, and what is true.

One row is one claim of a source (or a figure that this course computed to go with one). The rows stand in the JSON
files beside this one, each a list of objects like this:

    {"id": "hf-best-pair", "sources": ["ru-bpe", "my-bpe"], "section": "implementation",
     "input": ["Ġ", "t"], "said": "...", "expected": [["Ġ", "t"], 7], "actual": null,
     "verdict": "reproduced", "note": "One or two sentences for a learner.", "lesson": "01_bpe", "feature": ["C6"]}

- id: never changes. sources: keys of `SOURCES`. section: where in the source ("2.1.3", "training").
- input: what goes in, as a value; where there is none, leave it out. The proof receives it.
- said: what the source says, in our words, where that is a sentence and not a value.
- expected: the value that the source prints. actual: for an erratum the true value (where printed code is at fault:
  what it really gives); for other rows, figures that the source does not print. A Fraction is the string "1/36"; a
  dictionary with pairs as keys is [[pair, count], ...].
- verdict: "reproduced", "quirk", "erratum", "not checkable" or "supplement" (a figure of this course). note: for an
  erratum it says what is true and why. lesson: the notebook that tells it. feature: what it is about; see
  `tests/features.json`.
- kind: errata only, one of "figure", "wording", "code", "sources differ" and "damaged text"; major: true where the
  slip would mislead or crash. What is null, false or empty may be left out.

How a row is proven is told in `proofs`. `libraries()` says how well-known programs settle what papers leave open.

>>> example("bpe-hug-pair-ug-20").expected
[[['u', 'g'], 20]]
>>> compare("bpe-hug-pair-ug-20", {("u", "g"): 20}).matches
True
"""

from .. import lessons
from .comparison import Comparison, Ledger, first_difference
from .proofs import APART, Unavailable, value
from .rows import SOURCES, TOPICS, Example, Library, errata, example, ids, libraries

__all__ = [
    "SOURCES",
    "TOPICS",
    "Comparison",
    "Example",
    "Ledger",
    "Library",
    "compare",
    "errata",
    "example",
    "first_difference",
    "ids",
    "ledger",
    "libraries",
    "prove",
    "show",
]


def prove(id: str, part: str = "") -> Comparison:
    """Compute the value of a row with the package, and hold it against what is documented.

    part: where a row has two values, "expected" (what the source prints) and "actual" (figures beside it; for an
    erratum the truth), the one to compute; by default the one that its verdict is about. Raises ValueError for a row
    with nothing to compute, and `proofs.Unavailable` where a library or a text that the proof needs is not here.

    >>> prove("bpe-hug-pair-ug-20").matches, prove("bpe-hug-exercise-unhug").actual
    (True, ['un', 'hug'])
    """
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
    59 claims held against the sources: ✓ 31 as documented, ≠ 16 not what a source says, ...
    ✓ compress-step-1: pair: aa; symbol: Z; result: ZabdZabac
    ...
    """
    if not lesson:
        return Ledger(tuple(Comparison(row, row.actual) for row in errata()), "what is true")
    name = lessons.lesson(lesson).name
    return Ledger(tuple(_proven(id) for id in ids() if example(id).lesson == name))


def _proven(id: str) -> Comparison:
    """A row as `show` gives it; where that cannot be, with the reason in place of a value."""
    if id in APART:
        return Comparison(example(id), None, "proven in the tests, beside a text or a library")
    try:
        return show(id)
    except Unavailable as missing:
        return Comparison(example(id), None, f"not proven here: {missing}")
