"""What a handout makes of a lesson: every exercise has a cell for its answer, and a deck becomes a cell for each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from subword_lab.exercises import Instance, catalog
from subword_lab.exercises.deck import in_order

DECK = re.compile(r"""practice\(["']([\w-]+)["']\)""")
LOADED = re.compile(r"""^(\w+) = (?:exercises\.)?load\(["']([a-z0-9-]+)["']""", re.MULTILINE)


def spelled_out(cells: list[dict]) -> list[dict]:
    """The cells of a notebook, as its file holds them, with all that a learner is to fill in.

    >>> cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ['bpe_03 = load("bpe-03")'], "outputs": []}
    >>> [cell["source"] for cell in spelled_out([cell])]
    [['bpe_03 = load("bpe-03")'], 'bpe_03.check(...)']
    """
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return [new for cell in cells for new in _instead(cell, code)]


def _instead(cell: dict, code: str) -> Iterator[dict]:
    source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
    if deck := DECK.search(source):
        for id in in_order(deck[1]):
            if f'"{id}"' in code:  # the lesson asks it before
                continue
            ex = Instance(catalog()[id])
            yield _code(
                f"from subword_lab.exercises import load\n\n{ex.name} = load({id!r})\n{ex.name}",
                f"{id}-asks",
            )
            yield _code(f"{ex.name}.check(...)", f"{id}-answer")
        return
    yield cell
    for name, id in LOADED.findall(source):
        if id in catalog() and f"{name}.check(" not in code:
            yield _code(f"{name}.check(...)", f"{id}-answer")


def _code(source: str, id: str) -> dict:
    return {
        "cell_type": "code",
        "id": id,
        "metadata": {},
        "source": source.replace("'", '"'),
        "execution_count": None,
        "outputs": [],
    }
