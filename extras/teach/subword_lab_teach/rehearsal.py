"""A class that does not exist, to rehearse with: notebooks with answers, some right, some with planted mistakes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from subword_lab.exercises import Instance, load
from subword_lab.exercises.rng import Rng

NAMES = (
    "amina",
    "boris",
    "chen",
    "daria",
    "emil",
    "farah",
    "gyi",
    "hana",
    "ivan",
    "jun",
    "kyaw",
    "lena",
    "mina",
    "nils",
    "olga",
    "pavel",
    "quinn",
    "rosa",
    "su",
    "tomas",
)
Mistakes = Mapping[str, Mapping[str, str]]


def names(count: int) -> list[str]:
    """So many names of learners, all different.

    >>> names(22)[18:]
    ['su', 'tomas', 'amina2', 'boris2']
    """
    return [
        NAMES[i % len(NAMES)] + (str(i // len(NAMES) + 1) if i >= len(NAMES) else "")
        for i in range(count)
    ]


def rehearse(
    folder: str | Path,
    exercises: Sequence[str],
    learners: Sequence[str],
    *,
    seed: int = 0,
    mistakes: Mistakes | None = None,
) -> dict[str, dict[str, str]]:
    """Write a notebook for each learner, and return what was planted: learner -> exercise -> what the answer is.

    That is "correct", "" (left blank), or the label of a mistake. Each learner gets their own variants by `seed`,
    and answers about 6 of 10 right; which ones depends on the names alone, and of the mistakes those that an exercise
    names first are made more often. mistakes: for exercises that ask for code,
    label -> source; without it, what is not right there is left blank.
    """
    planted: dict[str, dict[str, str]] = {}
    for learner in learners:
        rng, planted[learner], cells = (
            Rng(f"rehearsal/{learner}"),
            {},
            ["from subword_lab.exercises import load"],
        )
        for id in exercises:
            ex = load(id, seed=seed, learner=learner)
            sources = (mistakes or {}).get(id, {})
            labels = [
                mistake.label
                for mistake in ex.asked.mistakes
                if mistake.label in sources
                or (mistake.value is not None and not callable(mistake.value))
            ]
            dice = rng.below(10)
            what = (
                "correct" if dice < 6 else "" if dice == 9 or not labels else _likely(labels, rng)
            )
            planted[learner][id] = what
            cells += [f"ex = load({id!r})\nex", answered(ex, what, sources)]
        write_notebook(Path(folder) / learner / "answers.ipynb", cells, learner=learner, seed=seed)
    return planted


def _likely(labels: Sequence[str], rng: Rng) -> str:
    return labels[min(rng.below(len(labels)) for _ in range(2))]


def answered(ex: Instance, what: str, sources: Mapping[str, str] = {}) -> str:
    """The cell of a learner whose answer is right ("correct"), left blank (""), or a mistake's, by its label."""
    values = {
        "": ...,
        "correct": ex.asked.answer,
        **{mistake.label: mistake.value for mistake in ex.asked.mistakes},
    }
    return ex.kind.cell("ex", sources.get(what, values[what]))


def write_notebook(path: Path, cells: Sequence[str], **stamp: object) -> None:
    """A notebook of these code cells. stamp: to whom and with which seed it was handed out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel, "subword_lab": stamp},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{number:03}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source.splitlines(keepends=True),
            }
            for number, source in enumerate(cells)
        ],
    }
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
