"""Two playgrounds: merges learned from the reader's own words, and the lattice of a word of the reader's own."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from pprint import pformat
from typing import Any

from .. import bpe, lattice, text, unigram, wordpiece
from ..arguments import check_choice, check_string, counted
from ..bpe import TIES, Pair, shortest_first
from ..html import Html, note, pieces, tag
from ..lattice import Edge
from ..unigram import UnigramModel
from .figures import EDGE, PALETTE, drawing
from .lattice import lattice_figure
from .playground import Playground, Regions, button, code_cell, control, file_into, slider
from .steppers import columns, step_label, vocabulary, words_table
from .tables import Cell, MergeStep, Table, by_score, pair_table, share_bar, table, token_cell
from .tokens import token_row, visible

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
LONGEST_WORD = 16  # characters that are drawn
NO_TOKEN = ["", "no token"]


# -------------------------------------------------------------------------------------------------- the trainer


class TrainerPlayground(Playground):
    """A trainer to play with: corpus, scheme, rule, ties and number of merges follow as they are changed.

    corpus: what stands in the field at first: a text, a file's Path, or words with their counts, each of which then
    stands there as often. algorithm: "bpe", or "wordpiece" for its score. merges, at most 60. Any pair can be merged
    in place of the rule's; what would come then is drawn beside what the rule does.

    Raises ValueError for a rule or a scheme that is not known.
    """

    def __init__(
        self,
        corpus: str | Path | Mapping[str, int] = "hug pug pun bun hugs",
        *,
        algorithm: str = "bpe",
        scheme: str = "whitespace",
        merges: int = 3,
        ties: str = "first-seen",
        title: str = "Train a tokenizer on your own words",
    ):
        if isinstance(corpus, Mapping):
            corpus = " ".join(word for word, freq in corpus.items() for _ in range(freq))
        check_choice("algorithm", algorithm, ALGORITHMS)
        check_choice("scheme", scheme, text.PATTERNS)
        check_choice("ties", ties, TIE_RULES)
        self.choices: dict[int, Pair] = {}
        self._training: tuple[str, ...] = ()  # what is trained on, and how
        self._trained: dict[tuple, tuple[list[MergeStep], Iterator[MergeStep]]] = {}
        super().__init__(
            title,
            [
                control("area", "corpus", "Corpus: type or paste a text", corpus),
                file_into("corpus"),
                control(
                    "select",
                    "scheme",
                    "Words are cut by",
                    scheme,
                    options=list(zip(text.PATTERNS, text.PATTERNS)),
                ),
                control(
                    "select",
                    "algorithm",
                    "Merge the pair with the",
                    algorithm,
                    options=list(ALGORITHMS.items()),
                ),
                control(
                    "select", "ties", "Among equals take", ties, options=list(TIE_RULES.items())
                ),
                slider("merges", "Merges", MOST, merges),
            ],
        )

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
        by_rule = self._steps({}, len(shown)) if self.choices else []
        splits = [MODULES[values["algorithm"]].split_words(self.freqs)]
        splits += [step.splits for step in shown]
        lengths = [self._length(split) for split in splits]
        rule_lengths = lengths[:1] + [self._length(step.splits) for step in by_rule]
        last, first = shown[-1] if shown else None, steps[0]
        size = len(last.vocab) if last else len(first.vocab) - (first.token == first.vocab[-1])
        self.status = (
            f"{counted(len(shown), 'merge')}: the corpus went from {counted(lengths[0], 'token')} to {lengths[-1]:,}; "
            f"the vocabulary has {size:,}.{'' if coming else ' No pair is left.'}"
        )
        return {
            "now": columns(
                words_table(
                    self.freqs, dict(Counter(self.freqs).most_common(12)), splits[-1], last, coming
                ),
                self._pairs(coming) if coming else None,
            ),
            "vocabulary": vocabulary(first, last),
            "merges": columns(
                self._merges(shown, by_rule), curve(lengths, rule_lengths if by_rule else [])
            ),
            "code": code_cell(self._code(len(shown))),
        }

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

    def _length(self, splits: Mapping[str, list[str]]) -> int:
        return sum(freq * len(splits[word]) for word, freq in self.freqs.items())

    def _pairs(self, coming: MergeStep) -> Table:
        buttons = {
            pair: button("merge", "take", place, aria_label=f"merge {' '.join(pair)}")
            for place, pair in enumerate(coming.pair_freqs)
        }
        return pair_table(coming, 8, "Pairs now", remark="the rule takes it", last=buttons)

    def _merges(self, steps: list[MergeStep], rule_steps: list[MergeStep]) -> object:
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
        return table(rows, list(rows[0]), "Merges")

    def _decided_by(self, step: MergeStep, rule_steps: list[MergeStep]) -> object:
        if step.number not in self.choices:
            return f"a tie of {len(step.tied) + 1}" if step.tied else ""
        undo = button("undo", "back", step.number, aria_label=f"undo merge {step.number}")
        instead = (
            note(f" (the rule: {step_label(other)})", "span")
            for other in rule_steps
            if other.number == step.number == min(self.choices)
        )
        return Cell("you", pieces("you ", undo, *instead))

    def _code(self, number: int) -> str:
        algorithm, scheme, ties = (self.values[name] for name in ("algorithm", "scheme", "ties"))
        modules, rule = {algorithm, "text"}, repr(ties)
        if ties not in TIES:
            modules, rule = {*modules, "bpe"}, "bpe.shortest_first"
        corpus = pformat(self.text("corpus"), width=70)
        if len(self.text("corpus")) > 1000:
            corpus = 'open("corpus.txt", encoding="utf-8").read()      # your text, saved under this name'
        choices = f", choices={self.choices!r}" if self.choices else ""
        return (
            f"from subword_lab import {', '.join(sorted(modules))}\n\n"
            f'corpus = {corpus}\nword_freqs = text.word_freqs([corpus], "{scheme}")\n'
            f"steps = list({algorithm}.train_steps(word_freqs, num_merges={number}, ties={rule}{choices}))\n"
            "[step.pair for step in steps]"
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


trainer_playground = TrainerPlayground


# -------------------------------------------------------------------------------------------------- the lattice


class LatticePlayground(Playground):
    """A word's lattice to play with: take roads and see their sum beside the best, move a loss, warm the dice, prune.

    word: what stands in the field at first. model: whose tokens are the roads. steps: records of
    `unigram.train_steps`; with them a slider goes through the rounds of pruning, and `model` stands before the first.

    >>> LatticePlayground("hug", UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0}))
    Find the way through your own word: The best way is h|ug, with a loss of 3.50.
    """

    def __init__(
        self,
        word: str,
        model: UnigramModel,
        *,
        steps: Iterable[unigram.Step] = (),
        title: str = "Find the way through your own word",
    ):
        self.path: list[tuple[int, int]] = []
        self.losses: dict[str, float] = {}
        self.steps, self._moving = list(steps), ""
        self.models = [model, *(step.model for step in self.steps)]
        controls = [
            control("text", "word", "Your word", check_string("word", word)),
            control("select", "token", "Move the loss of", "", options=[NO_TOKEN]),
            slider(
                "loss",
                "Its loss",
                math.ceil(max(model.losses.values(), default=1)) + 5,
                0,
                step=0.1,
            ),
            slider("temperature", "Temperature", 5, 1, step=0.1),
            slider("ways", "Best ways to list", 12, 5, low=1),
        ]
        if self.steps:
            controls.append(slider("round", "Rounds of pruning", len(self.steps), 0))
        super().__init__(title, controls)

    @property
    def model(self) -> UnigramModel:
        """The model of this round of pruning, with the losses that were moved."""
        model = self.models[int(self.values.get("round", 0))]
        moved = {token: loss for token, loss in self.losses.items() if token in model.losses}
        return UnigramModel({**model.losses, **moved}, model.unknown_loss)

    def press(self, what: str, value: str) -> None:
        if what == "road":
            start, end = map(int, value.split())
            apart = [place for place in self.path if place[1] <= start or end <= place[0]]
            self.path = apart if (start, end) in self.path else sorted([*apart, (start, end)])
        elif what == "reset":
            self.path, self.losses, self._moving = [], {}, ""
            self.values = {**self.values, "token": ""}

    def answer(self) -> Regions:
        word = self.text("word")
        if not 0 < len(word) <= LONGEST_WORD:
            raise ValueError(
                f"The word has {counted(len(word), 'character')}; expected 1 to {LONGEST_WORD}, so that it can be "
                "drawn"
            )
        self._move_loss(self.values["token"])
        model, number = self.model, int(self.values.get("round", 0))
        edges = lattice.edges(word, model)
        roads = {(edge.start, edge.end): edge for edge in edges}
        self.path = [place for place in self.path if place in roads]
        known = sorted({edge.token for edge in edges if edge.token in model.losses})
        self.changes = {
            "token": {"options": [NO_TOKEN, *([token, visible(token)] for token in known)]}
        }
        best, loss = lattice.viterbi(word, model)
        taken = [roads[place] for place in self.path]
        self.status = _sentence(word, taken, best, loss)
        return {
            "map": lattice_figure(
                word, model, path=[] if loss == math.inf else None, marked=taken, press="road"
            ).html(),
            "roads": columns(self._roads(word, model, edges), self._ways(word, model)),
            "pruned": _pruned(number, self.steps[number - 1]) if number else Html(),
            "reset": button("Start again", "reset"),
        }

    def _move_loss(self, token: str) -> None:
        """The slider goes to where the loss of a token is; from then on the loss follows the slider."""
        if token == self._moving:
            self.losses |= {token: float(self.values["loss"])} if token else {}
        elif token in self.model.losses:
            self.values["loss"] = self.model.losses[token]
            self.send_state("values")
        self._moving = token

    def _roads(self, word: str, model: UnigramModel, edges: list[Edge]) -> Table:
        parts = lattice.shares(word, model)
        return table(
            [
                [
                    f"{edge.start} to {edge.end}",
                    token_cell([edge.token]),
                    f"{edge.loss:.2f}",
                    f"{parts.get(edge, 0):.1%}",
                    button(
                        "take",
                        "road",
                        f"{edge.start} {edge.end}",
                        pressed=(edge.start, edge.end) in self.path,
                        aria_label=f"take {visible(edge.token)} from {edge.start} to {edge.end}",
                    ),
                ]
                for edge in edges
            ],
            ["road", "token", "loss", "in all ways", ""],
            "Roads",
        )

    def _ways(self, word: str, model: UnigramModel) -> Table:
        temperature = float(self.values["temperature"])
        total = lattice.forward(word, model, temperature=temperature)[-1] if temperature else 0
        rows: list[list[object]] = []
        for tokens, loss in lattice.n_best(word, model, int(self.values["ways"])):
            part = math.exp(total - loss / temperature) if temperature else float(not rows)
            bar = share_bar(part, f"{part:.1%}")
            rows.append([len(rows) + 1, token_cell(tokens), f"{loss:.2f}", bar])
        return table(
            rows, ["", "way", "loss", f"drawn at temperature {temperature:g}"], "Best ways"
        )


def _pruned(number: int, step: unigram.Step) -> Html:
    return tag(
        "p",
        f"Round {number} removed ",
        token_row(step.removed[:40]),
        f": the corpus's loss went from {step.loss:,.1f} to {step.loss_without:,.1f} without them, and to "
        f"{step.loss_after:,.1f} with the losses made anew; {counted(len(step.model.losses), 'token')} left.",
    )


def _sentence(word: str, taken: list[Edge], best: list[str], loss: float) -> str:
    if loss == math.inf:
        return "No way leads through this word."
    target = f"The best way is {'|'.join(map(visible, best))}, with a loss of {loss:.2f}."
    way, cost = "|".join(visible(edge.token) for edge in taken), sum(edge.loss for edge in taken)
    if not taken:
        return target
    if sum(edge.end - edge.start for edge in taken) < len(word):
        return f"Your way so far: {way}, {cost:.2f}. Take roads until the word is whole. {target}"
    sum_up = f"{' + '.join(f'{edge.loss:.2f}' for edge in taken)} = {cost:.2f}"
    verdict = "That is the best there is."
    if cost > loss + 1e-9:
        verdict = f"{cost - loss:.2f} more than the best. {target}"
    return f"Your way is {way}, with a loss of {sum_up}. {verdict}"


lattice_playground = LatticePlayground
