"""The lattice playground: a word of the reader's own, a way built road by road, and losses that can be moved."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .. import lattice, unigram
from ..arguments import check_string
from ..html import Html, pieces, tag
from ..lattice import Edge
from ..unigram import UnigramModel
from .lattice import lattice_figure
from .playground import Playground, Regions, button, choice, slider
from .stepper import columns
from .tables import Cell, share_bar, table
from .tokens import token_box, token_row, visible

LONGEST_WORD = 16  # characters that are drawn
Place = tuple[int, int]


def lattice_playground(
    word: str,
    model: UnigramModel,
    *,
    steps: Iterable[unigram.Step] = (),
    title: str = "Find the way through your own word",
) -> LatticePlayground:
    """A word's lattice to play with: take roads and see their sum beside the best, move a loss, warm the dice, prune.

    word: what stands in the field at first. model: whose tokens are the roads. steps: records of
    `unigram.train_steps`; with them a slider goes through the rounds of pruning, and `model` stands before the first.

    >>> lattice_playground("hug", UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0}))
    Find the way through your own word: The best way is h|ug, with a loss of 3.50.
    """
    return LatticePlayground(title, check_string("word", word), model, list(steps))


class LatticePlayground(Playground):
    """What `lattice_playground` returns. `model` is the model as it is shown, with the losses that were moved."""

    path: list[Place]

    def __init__(self, title: str, word: str, model: UnigramModel, steps: list[unigram.Step]):
        self.path, self._token = [], ""
        self.losses: dict[str, float] = {}
        self.models, self.steps = [model, *(step.model for step in steps)], steps
        highest = math.ceil(max(model.losses.values(), default=1)) + 5
        pruning = [slider("round", "Rounds of pruning", 0, len(steps), 1, 0)] if steps else []
        super().__init__(
            title,
            [
                {"name": "word", "kind": "text", "label": "Your word", "value": word},
                choice("token", "Move the loss of", {"": "no token"}, ""),
                slider("loss", "Its loss", 0, highest, 0.1, 0),
                slider("temperature", "Temperature", 0, 5, 0.1, 1),
                slider("ways", "Best ways to list", 1, 12, 1, 5),
                *pruning,
            ],
        )

    @property
    def model(self) -> UnigramModel:
        """The model of this round, with the losses that were moved."""
        model = self.models[int(self.values.get("round", 0))]
        moved = {token: loss for token, loss in self.losses.items() if token in model.losses}
        return UnigramModel({**model.losses, **moved}, model.unknown_loss)

    def press(self, what: str, value: str) -> None:
        if what == "road":
            start, end = map(int, value.split())
            apart = [place for place in self.path if place[1] <= start or end <= place[0]]
            self.path = apart if (start, end) in self.path else sorted([*apart, (start, end)])
        elif what == "reset":
            self.path, self.losses, self._token = [], {}, ""
            self.values = {**self.values, "token": ""}

    def answer(self) -> Regions:
        word, token = self.text("word"), self.values["token"]
        if not 0 < len(word) <= LONGEST_WORD:
            raise ValueError(
                f"The word has {len(word):,} characters; expected 1 to {LONGEST_WORD}, so that it can be "
                "drawn"
            )
        if token != self._token:  # the slider goes to where the loss is
            self._token = token
            if token in self.model.losses:
                self.values["loss"] = self.model.losses[token]
                self.send_state("values")
        elif token:
            self.losses = {**self.losses, token: float(self.values["loss"])}
        model = self.model
        edges = lattice.edges(word, model)
        places = {(edge.start, edge.end): edge for edge in edges}
        self.path = [place for place in self.path if place in places]
        tokens = sorted({edge.token for edge in edges if edge.token in model.losses})
        self.changes = {
            "token": {"options": [["", "no token"], *([token, visible(token)] for token in tokens)]}
        }
        best, loss = lattice.viterbi(word, model)
        taken = [places[place] for place in self.path]
        self.said = self._sentence(word, taken, best, loss)
        figure = lattice_figure(
            word, model, path=[] if loss == math.inf else None, marked=taken, press="road"
        )
        return {
            "map": figure.html(),
            "roads": columns(self._roads(word, model, edges), self._ways(word, model)),
            "pruned": self._pruned(),
            "reset": button("Start again", "reset"),
        }

    def _sentence(self, word: str, taken: list[Edge], best: list[str], loss: float) -> str:
        if loss == math.inf:
            return "No way leads through this word."
        told = f"The best way is {'|'.join(map(visible, best))}, with a loss of {loss:.2f}."
        if not taken:
            return told
        yours, cost = (
            "|".join(visible(edge.token) for edge in taken),
            sum(edge.loss for edge in taken),
        )
        if not self._whole(word, taken):
            return (
                f"Your way so far: {yours}, {cost:.2f}. Take roads until the word is whole. {told}"
            )
        more = (
            "That is the best there is."
            if cost <= loss + 1e-9
            else f"{cost - loss:.2f} more than the best. {told}"
        )
        terms = " + ".join(f"{edge.loss:.2f}" for edge in taken)
        return f"Your way is {yours}, with a loss of {terms} = {cost:.2f}. {more}"

    @staticmethod
    def _whole(word: str, taken: list[Edge]) -> bool:
        return sum(edge.end - edge.start for edge in taken) == len(word)

    def _roads(self, word: str, model: UnigramModel, edges: list[Edge]) -> Html:
        parts = lattice.shares(word, model)
        rows = [
            [
                f"{edge.start} to {edge.end}",
                Cell(edge.token, token_box(edge.token)),
                f"{edge.loss:.2f}",
                f"{parts.get(edge, 0):.1%}",
                Cell(
                    "",
                    button(
                        "take",
                        "road",
                        f"{edge.start} {edge.end}",
                        pressed=(edge.start, edge.end) in self.path,
                        aria_label=f"take {visible(edge.token)} from {edge.start} to {edge.end}",
                    ),
                ),
            ]
            for edge in edges
        ]
        return table(rows, ["road", "token", "loss", "in all ways", ""], "Roads").html()

    def _ways(self, word: str, model: UnigramModel) -> Html:
        temperature = float(self.values["temperature"])
        ways = lattice.n_best(word, model, int(self.values["ways"]))
        if temperature:
            total = lattice.forward(word, model, temperature=temperature)[-1]
            parts = [math.exp(total - loss / temperature) for _, loss in ways]
        else:
            parts = [float(not number) for number in range(len(ways))]
        rows = [
            [
                number,
                Cell("|".join(tokens), token_row(tokens)),
                f"{loss:.2f}",
                share_bar(part, f"{part:.1%}"),
            ]
            for number, ((tokens, loss), part) in enumerate(zip(ways, parts), start=1)
        ]
        return table(
            rows, ["", "way", "loss", f"drawn at temperature {temperature:g}"], "Best ways"
        ).html()

    def _pruned(self) -> Html:
        number = int(self.values.get("round", 0))
        if not number:
            return Html()
        step: Any = self.steps[number - 1]
        return tag(
            "p",
            f"Round {number} removed ",
            token_row(step.removed[:40]),
            pieces(
                f": the corpus's loss went from {step.loss:,.1f} to {step.loss_without:,.1f} without them, and to "
                f"{step.loss_after:,.1f} with the losses made anew; {len(step.model.losses):,} tokens are left."
            ),
        )
