"""Players for several tokenizers at once: a race through one word, and a figure that changes with a size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .player import FramePlayer
from .tables import Cell, share_bar, table
from .tokens import token_row, visible


def encoder_race(word: str, states: Mapping[str, Sequence[Sequence[str]]]) -> FramePlayer:
    """One word through several encoders, all of them a step at a time, until the last is done.

    states: name of the encoder -> the pieces before its first step and after each, as `side_by_side.race` finds them.

    Raises ValueError if there is no encoder, or one without a state.

    >>> encoder_race("hug", {"letters": [["h", "u", "g"]], "BPE": [["h", "u", "g"], ["h", "ug"]]})
    hug through 2 encoders
    0. done: letters
    1. done: letters, BPE
    """
    if not states or not all(states.values()):
        raise ValueError(
            f"states holds {len(states)} encoders; expected at least one, each with one state at least"
        )
    frames, labels = [], []
    for step in range(max(map(len, states.values()))):
        done = [name for name, reached in states.items() if step >= len(reached) - 1]
        rows = [
            [
                name,
                Cell(
                    "|".join(reached[min(step, len(reached) - 1)]),
                    token_row(reached[min(step, len(reached) - 1)]),
                ),
                f"done in {len(reached) - 1}"
                if name in done
                else f"{len(reached) - 1 - step} to go",
            ]
            for name, reached in states.items()
        ]
        frames.append(table(rows, ["encoder", "pieces", "steps"]))
        labels.append(f"done: {', '.join(done) or 'none yet'}")
    return FramePlayer(frames, labels, f"{visible(word)} through {len(states)} encoders")


def size_stepper(
    figures: Mapping[int, Mapping[str, float]], measure: str, what: str = "tokens"
) -> FramePlayer:
    """Figures by name, such as fertility by language, at several sizes: a slider through the sizes, on one scale.

    figures: size -> name -> figure. measure: what the figures are. what: what the size counts.

    Raises ValueError if there are none.

    >>> size_stepper({100: {"English": 3.5, "Russian": 5}, 1000: {"English": 2.25, "Russian": 3.5}}, "tokens per word")
    tokens per word by size of the vocabulary
    0. 100 tokens: English 3.50, Russian 5.00
    1. 1,000 tokens: English 2.25, Russian 3.50
    """
    most = max((figure for row in figures.values() for figure in row.values()), default=0)
    if not most:
        raise ValueError("figures is empty; expected size -> name -> figure")
    frames = [
        table(
            [[name, share_bar(figure / most, f"{figure:.2f}")] for name, figure in row.items()],
            ["", measure],
        )
        for row in figures.values()
    ]
    labels = [
        f"{size:,} {what}: " + ", ".join(f"{name} {figure:.2f}" for name, figure in row.items())
        for size, row in figures.items()
    ]
    return FramePlayer(frames, labels, f"{measure} by size of the vocabulary")
