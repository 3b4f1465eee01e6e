"""What a handout makes of a lesson: every exercise has a cell for its answer, a deck becomes a cell for each, and the
text says so.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path

from subword_lab import lessons
from subword_lab.arguments import check
from subword_lab.exercises import Exercise, Instance, catalog, classroom, question
from subword_lab.exercises.deck import in_order
from subword_lab.files import read_bounded, write_whole

from . import submissions

DECK = re.compile(r"""practice\(["']([\w-]+)["']\)""")
LOADED = re.compile(r"""^(\w+) = (?:exercises\.)?load\(["']([a-z0-9-]+)["']""", re.MULTILINE)
ASKS = re.compile(r"(?<!\.)\bload\(|\bexercises\.load\(|\.check\(")
LINK = re.compile(r"\[([^\[\]]+)\]\((\w+\.ipynb)\)")
# What lessons say about cards, and what is so where there are cells in their place.
WITHOUT_CARDS = {
    "The card checks what you answer, tells you what went wrong, and has hints; a wrong try costs nothing.": "Put your "
    "answer in place of the three dots, and run that cell. It tells you what went wrong, and `bpe_03.hint()` gives a "
    "hint; a wrong try costs nothing.",
    "A deck: one exercise at a time, the most important ones first. What goes wrong comes back later, with new "
    "figures.": "Here are the exercises that the lesson has not asked yet, the most important ones first, each with a "
    "cell for your answer.",
    '`practice("so far")` deals the exercises of all lessons that you have begun, those first that went wrong on '
    "another day.": "",
}


def spelled_out(cells: list[dict]) -> list[dict]:
    """The cells of a notebook, as its file holds them, with all that a learner is to fill in.

    The outputs of its exercises, which show somebody else's figures, are gone.

    Raises ValueError for an unknown exercise.

    >>> cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ['bpe_03 = load("bpe-03")'], "outputs": []}
    >>> [cell["source"] for cell in spelled_out([cell])]
    [['bpe_03 = load("bpe-03")'], ['bpe_03.check(...)']]
    """
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    known = set(re.findall(r'"([a-z0-9-]+)"', code)), set(re.findall(r"\b(\w+)\.check\(", code))
    new = (one for cell in cells for one in _instead(cell, "".join(cell["source"]), *known))
    found = [*islice(new, submissions.MOST_CELLS + 1)]
    check(
        len(found) <= submissions.MOST_CELLS,
        f"with a cell for each answer it has more than {submissions.MOST_CELLS:,} cells",
    )
    return found


def _instead(cell: dict, source: str, named: set[str], checked: set[str]) -> Iterator[dict]:
    if cell["cell_type"] == "markdown":
        for said, instead in WITHOUT_CARDS.items():
            source = re.sub(r"\s+".join(map(re.escape, said.split())), instead, source)
        yield {**cell, "source": source.splitlines(keepends=True)}
    elif cell["cell_type"] != "code":
        yield cell
    elif deck := DECK.search(source):
        for id in in_order(deck[1], files=()):
            if id not in named:  # or else the lesson asks it before
                name = Instance(catalog()[id]).name
                asks = f'from subword_lab.exercises import load\n\n{name} = load("{id}")\n{name}'
                yield code_cell(asks, f"{id}-asks")
                yield code_cell(f"{name}.check(...)", f"{id}-answer")
    else:
        yield cell | ({"outputs": [], "execution_count": None} if ASKS.search(source) else {})
        for name, id in LOADED.findall(source):
            if id in catalog() and name not in checked:
                yield code_cell(Instance(catalog()[id]).kind.cell(name), f"{id}-answer")
            elif id not in catalog() and question.ID.fullmatch(id):
                raise ValueError(
                    f"it asks {id}, which is not in the course; if it is an exercise of your own, name its "
                    f"file with --exercises-file, or in {classroom.FILE}"
                )


def unlinked(cells: list[dict], beside: Collection[str]) -> list[dict]:
    """The cells, in which what is not `beside` the notebook is named and not linked.

    >>> cell = {"cell_type": "markdown", "source": ["See [the sources](sources.ipynb)."]}
    >>> unlinked([cell], ["01_bpe.ipynb"])[0]["source"]
    ['See the sources.']
    >>> unlinked([cell], ["sources.ipynb"]) == [cell]
    True
    """
    return [
        {
            **cell,
            "source": [
                LINK.sub(lambda link: link[link[2] not in beside], line) for line in cell["source"]
            ],
        }
        for cell in cells
    ]


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


def first_cell(begin: str, call: str, notebook: dict) -> dict:
    """The cell before a notebook's own that decides on the figures. JupyterLab neither changes nor deletes it."""
    cell = code_cell(
        f"# {begin}Leave this cell as it is, and run it first: it decides on your figures.\n"
        f"from subword_lab.exercises import classroom, course, load\n\n{call}",
        "course",
        deletable=False,
        editable=False,
    )
    if not all("id" in other for other in notebook["cells"]):  # in an older format no cell has one
        del cell["id"]
    return cell


def lesson_notebook(name: str) -> dict:
    """The notebook of a lesson, or of a file such as own.ipynb; ValueError if there is none."""
    path = Path(name) if name.endswith(".ipynb") else lessons.folder() / lessons.lesson(name).file
    try:
        notebook = json.loads(read_bounded(path))
        submissions.parse(json.dumps(notebook).encode())
        return notebook
    except (OSError, ValueError) as error:
        raise ValueError(
            f"the lesson {path} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None


def asked_in(notebooks: Iterable[dict]) -> list[Exercise]:
    """The exercises that stand in some notebooks, in the order of the course."""
    code = [
        "".join(cell["source"])
        for notebook in notebooks
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    return [catalog()[id] for id in submissions.Notebook(code).mentioned(catalog())]


def write_notebook(path: Path, notebook: object) -> None:
    """Write a notebook, or what else is to be JSON, and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, as_text(notebook))


def as_text(notebook: object) -> str:
    """A notebook as its file holds it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
