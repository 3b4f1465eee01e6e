"""The trainer playground: merges learned from the reader's own words, and what if another pair had been taken?"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from pprint import pformat
from typing import Any

from .. import bpe, text, wordpiece
from ..arguments import check_choice, counted
from ..bpe import TIES, Pair, shortest_first
from ..html import Html, note, pieces, tag
from .figures import EDGE, PALETTE, drawing
from .playground import (
    Playground,
    Regions,
    button,
    code_cell,
    control,
    file_into,
    slider,
)
from .steppers import columns, step_label, vocabulary, words_table
from .tables import Cell, MergeStep, by_score, pair_table, table, token_cell

MODULES: dict[str, Any] = {"bpe": bpe, "wordpiece": wordpiece}
ALGORITHMS = {"bpe": "highest count (BPE)", "wordpiece": "highest score (WordPiece)"}
TIE_RULES = {
    "first-seen": "the pair seen first",
    "lowest-ids": "the lowest ids",
    "greatest": "the greatest pair",
    "shortest-first": "the shortest token",
}
MOST = 60  # merges on the slider
WORK = 1_000_000  # symbols that are read at most: fewer merges where more text
WIDTH, HEIGHT = 320, 120  # of the curve, in pixels


class TrainerPlayground(Playground):
    """What `trainer_playground` returns. `steps` holds the training's records as they are shown."""

    def __init__(self, title: str, controls: list[dict]):
        self.choices: dict[int, Pair] = {}
        self._training: tuple[str, ...] = ()  # what is trained on, and how
        self._trained: dict[tuple, tuple[list[MergeStep], Iterator[MergeStep]]] = {}
        super().__init__(title, controls)

    @property
    def steps(self) -> list[MergeStep]:
        """The merges shown, as `train_steps` of the algorithm records them."""
        return self._steps(self.choices, int(self.values["merges"]))

    def press(self, what: str, value: str) -> None:
        if what == "take":  # the pair that is third, say, in the counts
            number = len(self.steps) + 1
            pairs = list(self._steps(self.choices, number)[-1].pair_freqs)
            self.choices = {**self.choices, number: pairs[int(value)]}
            self.values = {**self.values, "merges": number}
        elif what == "back":
            self.choices = {
                number: pair for number, pair in self.choices.items() if number < int(value)
            }

    def answer(self) -> Regions:
        corpus, values = self.text("corpus"), self.values
        training = (corpus, values["scheme"], values["algorithm"], values["ties"])
        if training != self._training:
            self.freqs = text.word_freqs([corpus], values["scheme"])
            self._training, self._trained, self.choices = training, {}, {}
        if not self.freqs:
            raise ValueError("Nothing to count yet: type some words, or choose a file")
        most = min(MOST, max(10, WORK // sum(map(len, self.freqs))))
        number = min(int(values["merges"]), most)
        steps = self._steps(self.choices, number + 1)
        if not steps:
            raise ValueError("Every word is one symbol: no pair to merge")
        shown, coming = steps[:number], steps[number] if len(steps) > number else None
        self.changes = {"merges": {"max": most if coming else len(shown)}}
        return self._regions(steps[0], shown, coming)

    def _steps(self, choices: Mapping[int, Pair], number: int) -> list[MergeStep]:
        """The first so many records: what was trained before is not trained again."""
        ties: Any = self.values["ties"]
        begun = MODULES[self.values["algorithm"]].train_steps(
            self.freqs,
            choices=choices,
            num_merges=MOST + 1,
            ties=ties if ties in TIES else shortest_first,
        )
        steps, training = self._trained.setdefault(tuple(choices.items()), ([], begun))
        steps.extend(islice(training, max(0, number - len(steps))))
        return steps[:number]

    def _regions(
        self, first: MergeStep, steps: list[MergeStep], coming: MergeStep | None
    ) -> Regions:
        rule_steps = self._steps({}, len(steps)) if self.choices else []
        start = MODULES[self.values["algorithm"]].split_words(self.freqs)
        splits, last = (steps[-1].splits, steps[-1]) if steps else (start, None)
        lengths = [self._length(split) for split in (start, *(step.splits for step in steps))]
        rule_lengths = lengths[:1] + [self._length(step.splits) for step in rule_steps]
        size = len(last.vocab) if last else (len(first.vocab) - (first.token == first.vocab[-1]))
        self.status = (
            f"{counted(len(steps), 'merge')}: the corpus went from {counted(lengths[0], 'token')} to {lengths[-1]:,}; "
            f"the vocabulary has {size:,}.{'' if coming else ' No pair is left.'}"
        )
        return {
            "now": columns(
                words_table(
                    self.freqs, dict(Counter(self.freqs).most_common(12)), splits, last, coming
                ),
                self._pairs(coming) if coming else None,
            ),
            "vocabulary": vocabulary(first, last),
            "merges": columns(
                self._merges(steps, rule_steps), curve(lengths, rule_lengths if rule_steps else [])
            ),
            "code": code_cell(self._code(len(steps))),
        }

    def _length(self, splits: Mapping[str, list[str]]) -> int:
        return sum(freq * len(splits[word]) for word, freq in self.freqs.items())

    def _pairs(self, coming: MergeStep) -> Html:
        buttons = {
            pair: button("merge", "take", place, aria_label=f"merge {' '.join(pair)}")
            for place, pair in enumerate(coming.pair_freqs)
        }
        return pair_table(coming, 8, "Pairs now", remark="the rule takes it", last=buttons).html()

    def _merges(self, steps: list[MergeStep], rule_steps: list[MergeStep]) -> Html:
        if not steps:
            return note("No merge yet: move the slider, or press a pair's button.")
        rows = [
            {
                "": step.number,
                "pair": token_cell(step.pair, " "),
                "becomes": token_cell([step.token]),
                **({"score": str(step.score)} if by_score(step) else {}),
                "count": step.count,
                "decided by": self._decided_by(step, rule_steps),
            }
            for step in steps
        ]
        return table(rows, list(rows[0]), "Merges").html()

    def _decided_by(self, step: MergeStep, rule_steps: list[MergeStep]) -> object:
        if step.number not in self.choices:
            return f"a tie of {len(step.tied) + 1}" if step.tied else ""
        undo = button("undo", "back", step.number, aria_label=f"undo merge {step.number}")
        first = step.number == min(self.choices)
        rule = [step_label(other) for other in rule_steps if first and other.number == step.number]
        instead = (note(f" (the rule: {label})", "span") for label in rule)
        return Cell("you", pieces("you ", undo, *instead))

    def _code(self, number: int) -> str:
        algorithm, scheme, ties = (self.values[name] for name in ("algorithm", "scheme", "ties"))
        rule = repr(ties) if ties in TIES else "bpe.shortest_first"
        corpus = pformat(self.text("corpus"), width=70)
        if len(self.text("corpus")) > 1000:
            corpus = 'open("corpus.txt", encoding="utf-8").read()      # your text, saved under this name'
        modules = {algorithm, "text", *(["bpe"] if ties not in TIES else [])}
        choices = f", choices={self.choices!r}" if self.choices else ""
        call = f"{algorithm}.train_steps(word_freqs, num_merges={number}, ties={rule}{choices})"
        return (
            f"from subword_lab import {', '.join(sorted(modules))}\n\n"
            f'corpus = {corpus}\nword_freqs = text.word_freqs([corpus], "{scheme}")\n'
            f"steps = list({call})\n[step.pair for step in steps]"
        )


def curve(lengths: list[int], rule_lengths: list[int]) -> Html:
    """The corpus's length after each merge, drawn small; dashed, what the rule alone would have made."""
    most, across = max(*lengths, *rule_lengths, 1), (WIDTH - 20) / max(len(lengths) - 1, 1)

    def line(values: list[int], **look: object) -> Html:
        points = "L".join(
            f"{10 + number * across:.1f} {10 + (HEIGHT - 30) * (1 - value / most):.1f}"
            for number, value in enumerate(values)
        )
        return tag("path", d=f"M{points}", fill="none", stroke_width=2, **look)

    alt = (
        f"The corpus's length falls from {lengths[0]:,} to {counted(lengths[-1], 'token')} "
        f"in {counted(len(lengths) - 1, 'merge')}"
        + (f"; by the rule alone, to {rule_lengths[-1]:,}" if rule_lengths else "")
    )
    return tag(
        "figure",
        tag("b", "Tokens in the corpus"),
        drawing(
            pieces(
                tag("path", d=f"M10 {HEIGHT - 20}H{WIDTH - 10}", stroke=EDGE, fill="none"),
                line(rule_lengths, stroke=EDGE, stroke_dasharray="5 4") if rule_lengths else None,
                line(lengths, stroke=PALETTE[1]),
            ),
            alt,
            f"0 0 {WIDTH} {HEIGHT}",
            WIDTH,
        ),
        note(f"{alt}.", "figcaption"),
        style="margin:0;max-width:330px",
    )


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
    rules, tie_rules = list(ALGORITHMS.items()), list(TIE_RULES.items())
    return TrainerPlayground(
        title,
        [
            control("area", "corpus", "Corpus: type or paste a text", corpus),
            file_into("corpus"),
            control(
                "select",
                "scheme",
                "Words are cut by",
                scheme,
                options=[(name, name) for name in text.PATTERNS],
            ),
            control("select", "algorithm", "Merge the pair with the", algorithm, options=rules),
            control("select", "ties", "Among equals take", ties, options=tie_rules),
            slider("merges", "Merges", MOST, merges),
        ],
    )
