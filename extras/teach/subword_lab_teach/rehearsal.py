"""A class that does not exist, to rehearse with: notebooks with answers, some right, some with planted mistakes."""

from collections.abc import Sequence
from pathlib import Path

from subword_lab.exercises import Instance, Rng, load

from . import cells
from .cells import code_cell

NAMES = (
    "amina boris chen daria emil farah gyi hana ivan jun kyaw lena mina nils olga pavel su".split()
)


def rehearse(
    folder: str | Path,
    exercises: Sequence[str],
    learners: Sequence[str],
    *,
    seed: int = 0,
) -> dict[str, dict[str, str]]:
    """Write a notebook for each learner, and return what was planted: learner -> exercise -> what the answer is.

    That is "correct", "" (left blank), or the label of a mistake. Each learner gets their own variants by `seed`,
    and answers about 6 of 10 right; which ones depends on the names alone, and of the mistakes those that an exercise
    names first are made more often. Code that is not right is left blank.
    """
    planted: dict[str, dict[str, str]] = {}
    for learner in learners:
        rng, planted[learner] = Rng(f"rehearsal/{learner}"), {}
        sources = ["from subword_lab.exercises import load"]
        for id in exercises:
            ex = load(id, seed=seed, learner=learner)
            labels = [
                mistake.label
                for mistake in ex.asked.mistakes
                if mistake.value is not None and not callable(mistake.value)
            ]
            dice = rng.below(10)
            what = "correct" if dice < 6 else ""
            if 6 <= dice < 9 and labels:
                what = labels[min(rng.below(len(labels)) for _ in range(2))]
            planted[learner][id] = what
            sources += [f"ex = load({id!r})\nex", answered(ex, what)]
        write_notebook(
            Path(folder) / learner / "answers.ipynb", sources, learner=learner, seed=seed
        )
    return planted


def answered(ex: Instance, what: str) -> str:
    """The cell of a learner whose answer is right ("correct"), left blank (""), or a mistake's, by its label."""
    values = {
        "": ...,
        "correct": ex.asked.answer,
        **{mistake.label: mistake.value for mistake in ex.asked.mistakes},
    }
    return ex.kind.cell("ex", values[what])


def write_notebook(
    path: Path, sources: Sequence[str], learner: str = "", seed: int | None = None
) -> None:
    """A notebook of these code cells. learner, seed: to whom it was handed out, and with which seed, if with any."""
    if seed is not None:
        call = f"course(seed={seed}, learner={learner!r})"
        sources = [f"from subword_lab.exercises import course\n\n{call}", *sources]
    cells.write_notebook(
        path,
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {
                "kernelspec": {
                    "display_name": "Python 3",
                    "language": "python",
                    "name": "python3",
                }
            },
            "cells": [code_cell(source, f"cell-{n:03}") for n, source in enumerate(sources)],
        },
    )
