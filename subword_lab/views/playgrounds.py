"""A playground: the lattice of a word of the reader's own."""

import math
from collections.abc import Iterable

from .. import lattice, unigram
from ..arguments import check_string, counted
from ..html import Html, tag
from ..lattice import Edge
from ..unigram import UnigramModel
from .lattice import lattice_figure
from .playground import Playground, Regions, button, control, slider
from .steppers import columns
from .tables import Table, share_bar, table, token_cell
from .tokens import token_row, visible

LONGEST_WORD = 16  # characters that are drawn
NO_TOKEN = ["", "no token"]


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
