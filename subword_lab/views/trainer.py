"""The trainer playground: merges learned from the reader's own words, and what if another pair had been taken?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from pprint import pformat
from typing import Any

from .. import text
from ..arguments import check_choice, counted
from ..bpe import TIES, Pair, shortest_first
from ..html import Html, note, pieces, tag
from ..studies import what_if
from .figures import PALETTE, drawing
from .playground import LONGEST, Playground, Regions, button, choice, code_cell, slider, some_text
from .stepper import columns, step_label, vocabulary, words_table
from .tables import Cell, Step, by_score, pair_table, table
from .tokens import EDGE, token_box, token_boxes

ALGORITHMS = {"bpe": "highest count (BPE)", "wordpiece": "highest score (WordPiece)"}
TIE_RULES = {
    "first-seen": "the pair seen first",
    "lowest-ids": "the lowest ids",
    "greatest": "the greatest pair",
    "shortest-first": "the shortest token",
}
MOST = 60  # merges on the slider
WORK = 1_000_000  # symbols that are read at most: fewer merges where more text


def trainer_playground(
    corpus: str | Path | Mapping[str, int] = "hug pug pun bun hugs",
    *,
    algorithm: str = "bpe",
    scheme: str = "whitespace",
    merges: int = 3,
    ties: str = "first-seen",
    title: str = "Train a tokenizer on your own words",
) -> TrainerPlayground:
    """A trainer to play with: corpus, scheme, rule, ties and number of merges follow as they are changed.

    corpus: what stands in the field at first: a text, a file's Path, or words with their counts, each of which then
    stands there as often. algorithm: "bpe", or "wordpiece" for its score. merges, at most 60. Any pair can be merged
    in place of the rule's; what would come then is drawn beside what the rule does.

    Raises ValueError for a rule or a scheme that is not known.
    """
    if isinstance(corpus, Mapping):
        corpus = " ".join(word for word, freq in corpus.items() for _ in range(freq))
    check_choice("algorithm", algorithm, ALGORITHMS)
    check_choice("scheme", scheme, text.PATTERNS)
    check_choice("ties", ties, TIE_RULES)
    return TrainerPlayground(
        title,
        [
            {
                "name": "corpus",
                "kind": "area",
                "label": "Corpus: type or paste a text",
                "value": some_text(corpus),
            },
            {
                "name": "file",
                "kind": "file",
                "label": "or take a file",
                "into": "corpus",
                "limit": LONGEST,
            },
            choice("scheme", "Words are cut by", {name: name for name in text.PATTERNS}, scheme),
            choice("algorithm", "Merge the pair with the", ALGORITHMS, algorithm),
            choice("ties", "Among equals take", TIE_RULES, ties),
            slider("merges", "Merges", 0, MOST, 1, merges),
        ],
    )


class TrainerPlayground(Playground):
    """What `trainer_playground` returns. `steps` holds the training's records as they are shown."""

    choices: dict[int, Pair]

    def __init__(self, *arguments: Any):
        self.choices = {}
        self._asked: tuple[str, ...] = ()
        self._trained: dict[tuple, tuple[list[Step], Iterator[Step]]] = {}
        super().__init__(*arguments)

    @property
    def steps(self) -> list[Step]:
        """The merges shown, as `what_if.train_steps` records them."""
        return self._steps(self.choices, int(self.values["merges"]))

    def press(self, what: str, value: str) -> None:
        if what == "take":  # the pair that is third, say, in the counts
            number = len(self.steps) + 1
            coming = self._steps(self.choices, number)[-1]
            self.choices = {**self.choices, number: list(coming.pair_freqs)[int(value)]}
            self.values = {**self.values, "merges": number}
        elif what == "back":
            self.choices = {
                number: pair for number, pair in self.choices.items() if number < int(value)
            }

    def answer(self) -> Regions:
        values = self.values
        asked: tuple[str, ...] = (
            self.text("corpus"),
            values["scheme"],
            values["algorithm"],
            values["ties"],
        )
        if asked != self._asked:
            freqs = text.word_freqs([asked[0]], values["scheme"])
            self._asked, self._trained, self.choices, self.freqs = asked, {}, {}, freqs
        if not self.freqs:
            raise ValueError("Nothing to count yet: type some words, or choose a file")
        symbols = sum(map(len, self.freqs))
        most = min(MOST, max(10, WORK // symbols))
        number = min(int(values["merges"]), most)
        steps = self._steps(self.choices, number + 1)
        shown, coming = steps[:number], steps[number] if len(steps) > number else None
        self.changes = {"merges": {"max": most if coming else len(shown)}}
        ruled = self._steps({}, len(shown)) if self.choices else []
        return self._regions(shown, coming, ruled)

    def _steps(self, choices: Mapping[int, Pair], number: int) -> list[Step]:
        """The first so many records: what was trained before is not trained again."""
        key = tuple(choices.items())
        if key not in self._trained:
            ties: Any = self.values["ties"]
            steps: Iterator[Step] = what_if.train_steps(
                self.freqs,
                choices,
                algorithm=self.values["algorithm"],
                num_merges=MOST + 1,
                ties=ties if ties in TIES else shortest_first,
            )
            self._trained[key] = [], steps
        made, steps = self._trained[key]
        while len(made) < number and (step := next(steps, None)):
            made.append(step)
        return made[:number]

    def _regions(self, steps: list[Step], coming: Step | None, ruled: list[Step]) -> Regions:
        first = steps[0] if steps else coming
        if first is None:
            raise ValueError("Every word is one symbol: no pair to merge")
        start = self._start(first)
        splits = steps[-1].splits if steps else start
        lengths = [self._length(split) for split in (start, *(step.splits for step in steps))]
        rules = (
            [self._length(split) for split in (start, *(step.splits for step in ruled))]
            if ruled
            else []
        )
        count = counted(len(steps), "merge")
        size = len(steps[-1].vocab if steps else first.vocab) - (
            not steps and first.token == first.vocab[-1]
        )
        end = "" if coming else " No pair is left."
        self.said = (
            f"{count}: the corpus went from {lengths[0]:,} tokens to {lengths[-1]:,}; the vocabulary has "
            f"{size:,}.{end}"
        )
        last = steps[-1] if steps else None
        words = dict(sorted(self.freqs.items(), key=lambda entry: -entry[1])[:12])
        return {
            "now": columns(
                words_table(self.freqs, words, splits, last, coming), self._pairs(coming)
            ),
            "vocabulary": vocabulary(first, last),
            "merges": columns(self._merges(steps, ruled), curve(lengths, rules)),
            "code": code_cell(self._code(len(steps))),
        }

    def _start(self, first: Step) -> Mapping[str, list[str]]:
        algorithm = what_if.ALGORITHMS[self.values["algorithm"]]
        return algorithm.split_words(self.freqs)

    def _length(self, splits: Mapping[str, list[str]]) -> int:
        return sum(freq * len(splits[word]) for word, freq in self.freqs.items())

    def _pairs(self, coming: Step | None) -> Html | None:
        if coming is None:
            return None
        places = {pair: place for place, pair in enumerate(coming.pair_freqs)}
        return pair_table(
            coming,
            8,
            "Pairs now",
            remark="the rule takes it",
            each=lambda pair: button(
                "merge", "take", places[pair], aria_label=f"merge {' '.join(pair)}"
            ),
        ).html()

    def _merges(self, steps: list[Step], ruled: list[Step]) -> Html:
        if not steps:
            return note("No merge yet: move the slider, or press a pair's button.")
        rows = [
            [
                step.number,
                Cell(" ".join(step.pair), token_boxes(step.pair)),
                Cell(step.token, token_box(step.token)),
                *([str(step.score)] if by_score(step) else []),
                step.count,
                self._remark(step, ruled),
            ]
            for step in steps
        ]
        score = ["score"] if by_score(steps[0]) else []
        return table(rows, ["", "pair", "becomes", *score, "count", "decided by"], "Merges").html()

    def _remark(self, step: Step, ruled: list[Step]) -> object:
        if step.number not in self.choices:
            return f"a tie of {len(step.tied) + 1}" if step.tied else ""
        theirs = (
            f" (the rule: {step_label(ruled[step.number - 1])})"
            if step.number <= len(ruled)
            else ""
        )
        return Cell(
            "you",
            pieces(
                "you ",
                button("undo", "back", step.number, aria_label=f"undo merge {step.number}"),
                note(theirs, "span") if min(self.choices) == step.number else None,
            ),
        )

    def _code(self, number: int) -> str:
        values = self.values
        ties = repr(values["ties"]) if values["ties"] in TIES else "bpe.shortest_first"
        corpus = self.text("corpus")
        written = (
            f"corpus = {pformat(corpus, width=70)}"
            if len(corpus) <= 1000
            else 'corpus = open("corpus.txt", encoding="utf-8").read()      # your text, saved under this name'
        )
        words = f'word_freqs = text.word_freqs([corpus], "{values["scheme"]}")'
        options = f"num_merges={number}, ties={ties}"
        if self.choices:
            imports = "from subword_lab import bpe, text\nfrom subword_lab.studies import what_if\n"
            call = (
                f'what_if.train_steps(word_freqs, {self.choices!r}, algorithm="{values["algorithm"]}",\n'
                f"                              {options})"
            )
        else:
            names = sorted({values["algorithm"], "text"} | ({"bpe"} if "bpe." in ties else set()))
            imports = f"from subword_lab import {', '.join(names)}\n"
            call = f"{values['algorithm']}.train_steps(word_freqs, {options})"
        return f"{imports}\n{written}\n{words}\nsteps = list({call})\n[step.pair for step in steps]"


def curve(lengths: list[int], others: list[int] = ()) -> Html:  # type: ignore[assignment]
    """The corpus's length after each merge, drawn small; dashed, what the rule alone would have made."""
    width, height, most = 320, 120, max(*lengths, *others, 1)
    across = (width - 20) / max(len(lengths) - 1, 1)

    def line(values: list[int], **look: object) -> Html:
        points = "L".join(
            f"{10 + number * across:.1f} {10 + (height - 30) * (1 - value / most):.1f}"
            for number, value in enumerate(values)
        )
        return tag("path", d=f"M{points}", fill="none", stroke_width=2, **look)

    alt = (
        f"The corpus's length falls from {lengths[0]:,} to {lengths[-1]:,} tokens in {len(lengths) - 1} merges"
        + (f"; by the rule alone, to {others[-1]:,}" if others else "")
    )
    axis = tag("path", d=f"M10 {height - 20}H{width - 10}", stroke=EDGE, fill="none")
    rule = line(others, stroke=EDGE, stroke_dasharray="5 4") if others else None
    drawn = drawing(
        pieces(axis, rule, line(lengths, stroke=PALETTE[1])), alt, f"0 0 {width} {height}", width
    )
    return tag(
        "figure",
        tag("b", "Tokens in the corpus"),
        drawn,
        note(f"{alt}.", "figcaption"),
        style="margin:0;max-width:330px",
    )
