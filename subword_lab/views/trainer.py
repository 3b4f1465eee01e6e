"""A trainer to play with, in the page itself: merges learned from the reader's own words.

What is typed, chosen and played is the work of `static/trainer.js`, which makes the same steps as `train_steps`. So it
needs no kernel: it plays on the pages to read, on slides, and in a trusted notebook before any cell was run. Python
says what it begins with, and in one line what comes of that.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import bpe, text, wordpiece
from ..arguments import check_choice, check_count, counted
from ..html import Html, Shown, note, pieces, tag
from .player import bundled, static
from .tokens import LONGEST, well_formed

ALGORITHMS = {
    "bpe": "highest count (BPE)",
    "wordpiece": "highest score (WordPiece)",
    "frequency": "highest count, with ##",
}
TIES = {
    "first-seen": "the pair seen first",
    "lowest-ids": "the lowest ids",
    "greatest": "the greatest pair",
    "shortest-first": "the shortest token",
}
CLASSES = {  # of characters, as a browser knows them
    "space": r"\p{White_Space}",
    "letter": r"\p{L}",
    "number": r"\p{N}",
    "word": r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}",
    "punctuation": r"\p{P}$+<=>^`|~",
    "upper": r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}",
    "lower": r"\p{Ll}\p{Lm}\p{Lo}\p{M}",
}
SPELLINGS = [(r"\S", r"[^\p{White_Space}\x1c-\x1f]"), (r"\Z", "$"), ("(?s:.)", r"[^]")]
SCRIPTS = ("merging.js", "motion.js", "merge_player.js", "trainer.js")
SHEETS = ("design.css", "merge_player.css", "trainer.css")


@dataclass(frozen=True, repr=False)
class Trainer(Shown):
    """A trainer to play with, as `trainer_playground` makes it. settings: what it begins with."""

    title: str
    settings: Mapping[str, Any]
    status: str

    def __repr__(self) -> str:
        return f"{self.title}: {self.status}"

    def html(self) -> Html:
        """The trainer with its script and its style."""
        return pieces(
            tag("style", Html(f"@scope (.sl-trainer) {{\n{bundled(*map(static, SHEETS))}}}")),
            self._face(),
            tag("script", Html(f"(() => {{\n{bundled(*map(static, SCRIPTS))}}})();")),
        )

    def _repr_html_(self) -> str:
        return self._face() if _has_script_elsewhere() else self.html()

    def _face(self) -> Html:
        still = tag(
            "div",
            tag("p", tag("b", self.title)),
            tag("pre", self.settings["corpus"][:1000]),
            tag("p", self.status),
            note("Run this cell in a notebook, and you can change everything."),
            class_="sl-still",
        )
        return tag(
            "subword-trainer",
            still,
            class_="sl-trainer mathjax_ignore",
            role="group",
            aria_label=self.title,
            data_settings=json.dumps(self.settings | {"title": self.title}),
        )


def trainer_playground(
    corpus: str | Path | Mapping[str, int] = "hug pug pun bun hugs",
    *,
    algorithm: str = "bpe",
    scheme: str = "whitespace",
    merges: int = 3,
    ties: str = "first-seen",
    title: str = "Train a tokenizer on your own words",
) -> Trainer:
    """A trainer to play with: corpus, scheme, rule, ties and number of merges follow as they are changed.

    corpus: what stands in the field at first: a text, a file's Path, or words with their counts, each of which then
    stands there as often. algorithm: "bpe", "wordpiece" for its score, or "frequency" for the library's WordPiece.
    merges, at most 60. Any pair can be merged in place of the rule's; what the rule does is drawn beside it.

    Raises ValueError for a rule or a scheme that is not known.

    >>> trainer_playground("hug pug hugs", merges=2)
    Train a tokenizer on your own words: 2 merges: the corpus went from 10 tokens to 5; the vocabulary has 7.
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    check_choice("scheme", scheme, text.PATTERNS)
    check_choice("ties", ties, TIES)
    check_count("merges", merges)
    if isinstance(corpus, Mapping):
        corpus = " ".join(word for word, freq in corpus.items() for _ in range(freq))
    elif isinstance(corpus, Path):
        corpus = corpus.read_text(encoding="utf-8")
    settings = {
        "corpus": well_formed(corpus),
        "merges": merges,
        "algorithm": algorithm,
        "scheme": scheme,
        "ties": ties,
        "options": {
            "algorithm": ALGORITHMS,
            "scheme": dict(zip(text.PATTERNS, text.PATTERNS)),
            "ties": TIES,
        },
        "patterns": {name: pattern(name) for name in text.PATTERNS},
        "bytes": text.BYTE_LEVEL,
        "longest": LONGEST,
    }
    try:
        status = _status(settings["corpus"], algorithm, scheme, merges, ties)
    except ValueError as error:  # a word that begins with ##
        status = f"{error}."
    return Trainer(title, settings, status)


def pattern(scheme: str) -> str:
    r"""What a word is, see `text.PATTERNS`, as a regular expression of the browser's (with the flag u).

    >>> pattern("spaces")
    '[^\\p{White_Space}]+'
    """
    spelled = text.PATTERNS[scheme].format_map(CLASSES)
    for python, browser in SPELLINGS:
        spelled = spelled.replace(python, browser)
    return _in_either_case(spelled)


def _in_either_case(spelled: str) -> str:
    """Without groups (?i:...), which older browsers do not know."""

    def either(group: re.Match) -> str:
        return (
            f"(?:{re.sub('[a-z]', lambda letter: f'[{letter[0]}{letter[0].upper()}]', group[1])})"
        )

    return re.sub(r"\(\?i:(.*?)\)", either, spelled)


def _status(corpus: str, algorithm: str, scheme: str, merges: int, ties: str) -> str:
    """What comes of the merges, in a sentence."""
    word_freqs = text.word_freqs([corpus], scheme)
    if not word_freqs:
        return "Nothing to count yet: type some words, or choose a file."
    module: Any = bpe if algorithm == "bpe" else wordpiece
    options: dict[str, Any] = {"ties": bpe.shortest_first if ties == "shortest-first" else ties}
    if algorithm == "frequency":
        options["score"] = "frequency"
    splits, number = module.split_words(word_freqs), 0
    if not bpe.pair_freqs(word_freqs, splits):
        return "Every word is one symbol: no pair to merge."
    before = _length(word_freqs, splits)
    for step in module.train_steps(word_freqs, num_merges=merges, **options):
        splits, number = step.splits, step.number
    vocab = module.train(word_freqs, num_merges=merges, **options).vocab
    end = "" if bpe.pair_freqs(word_freqs, splits) else " No pair is left."
    return (
        f"{counted(number, 'merge')}: the corpus went from {counted(before, 'token')} to "
        f"{_length(word_freqs, splits):,}; the vocabulary has {len(vocab):,}.{end}"
    )


def _length(word_freqs: Mapping[str, int], splits: Mapping[str, list[str]]) -> int:
    return sum(freq * len(splits[word]) for word, freq in word_freqs.items())


# ---------------------------------------------------------------------------------------------------- once on a page

_cells: set[str] = set()  # of the notebook, which have shown a trainer


def _has_script_elsewhere() -> bool:
    """Whether another cell's output has put the script on the page.

    A cell that is run again keeps its own: the other one may be gone meanwhile. Where nobody says which cell is run,
    every output is whole.
    """
    ipython = sys.modules.get("IPython")
    shell: Any = ipython and ipython.get_ipython()
    kernel = getattr(shell, "kernel", None)
    cell = kernel.get_parent().get("metadata", {}).get("cellId") if kernel else None
    if not cell:
        return False
    elsewhere = bool(_cells) and cell not in _cells
    _cells.add(cell)
    return elsewhere
