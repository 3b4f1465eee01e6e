"""What a handout makes of a lesson: every exercise has a cell for its answer, and a deck becomes a cell for each."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from subword_lab import lessons
from subword_lab.exercises import Instance, catalog
from subword_lab.exercises.classroom import named
from subword_lab.exercises.deck import in_order
from subword_lab.files import write_whole

DECK = re.compile(r"""practice\(["']([\w-]+)["']\)""")
LOADED = re.compile(r"""^(\w+) = (?:exercises\.)?load\(["']([a-z0-9-]+)["']""", re.MULTILINE)


def spelled_out(cells: list[dict]) -> list[dict]:
    """The cells of a notebook, as its file holds them, with all that a learner is to fill in.

    >>> cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ['bpe_03 = load("bpe-03")'], "outputs": []}
    >>> [cell["source"] for cell in spelled_out([cell])]
    [['bpe_03 = load("bpe-03")'], ['bpe_03.check(...)']]
    """
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return [new for cell in cells for new in _instead(cell, code)]


def _instead(cell: dict, code: str) -> Iterator[dict]:
    source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
    if deck := DECK.search(source):
        for id in in_order(deck[1], files=named()):
            if f'"{id}"' in code:  # the lesson asks it before
                continue
            ex = Instance(catalog(named())[id])
            asks = f'from subword_lab.exercises import load\n\n{ex.name} = load("{id}")\n{ex.name}'
            yield code_cell(asks, f"{id}-asks")
            yield code_cell(f"{ex.name}.check(...)", f"{id}-answer")
        return
    yield cell
    for name, id in LOADED.findall(source):
        if id in catalog(named()) and f"{name}.check(" not in code:
            yield code_cell(f"{name}.check(...)", f"{id}-answer")


def code_cell(source: str, id: str, **metadata: object) -> dict:
    """A code cell that has not been run, as a notebook's file holds it."""
    return {
        "cell_type": "code",
        "id": id[:64],
        "metadata": metadata,
        "source": source.splitlines(keepends=True),
        "execution_count": None,
        "outputs": [],
    }


def lesson_notebook(name: str) -> dict:
    """The notebook of a lesson, as its file holds it; ValueError if there is no such lesson."""
    return json.loads((lessons.folder() / lessons.lesson(name).file).read_text(encoding="utf-8"))


def write_notebook(path: Path, notebook: dict) -> Path:
    """Write a notebook, and the folders that it lies in; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return path
