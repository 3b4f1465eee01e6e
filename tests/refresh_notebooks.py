"""Run notebooks from top to bottom and save their outputs: python tests/refresh_notebooks.py [NOTEBOOK ...]

What is saved holds no widget state, and nothing else that changes from run to run, so that a diff shows what has
changed. A cell keeps its id for ever; only a new cell gets one. Kernel and language are written down as JupyterLab
does it: what differs from that, a learner sees as a notebook with unsaved changes. In a lesson, code that says nothing
about its subject is folded, and so is what the reader is to guess: `fold` has the rule.
"""

import ast
import os
import re
import sys
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import get_kernel_spec
from nbclient import NotebookClient

from subword_lab import lessons

WIDGET = "application/vnd.jupyter.widget-view+json"
LESSONS = Path(__file__).resolve().parent.parent / "notebooks"
PLOTS = {
    "bar_chart",
    "bill_chart",
    "figure",
    "line_chart",
    "loss_curves",
    "merge_effect",
    "score_scatter",
    "work_chart",
}
SAY_FIRST = re.compile(r"before\s+you\s+look")
GUIDE = LESSONS.parent / "extras" / "teach" / "subword_lab_teach" / "instructor_guide.ipynb"


def fold(source: str, before: str) -> dict:
    """The metadata by which a lesson's cell of code is folded. before: the text in front of it.

    The output is folded where the text asks for an answer "before you look", unless the cell asks by itself. The code
    is folded where it only imports and prepares, shows an exercise, or draws a chart.
    """
    body = ast.parse(source).body
    called = {
        call.func.id
        for call in ast.walk(body[-1])
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    }
    imports = any(isinstance(line, ast.Import | ast.ImportFrom) for line in body)
    prepares = imports and not isinstance(body[-1], ast.Expr)
    exercise = "practice" in called or re.match(r"(\w+ = )?load\(", source)
    chart = isinstance(body[-1], ast.Expr) and PLOTS & called
    guessed = SAY_FIRST.search(before) and "ask=True" not in source
    if guessed and not prepares:
        return {"collapsed": True, "jupyter": {"outputs_hidden": True}}
    if prepares or exercise or chart:
        return {"cellView": "form", "jupyter": {"source_hidden": True}}
    return {}


def folds(cells: list) -> list[dict]:
    """How each cell of a lesson is folded."""
    before = ["", *(cell.source if cell.cell_type == "markdown" else "" for cell in cells)]
    return [
        fold(cell.source, text) if cell.cell_type == "code" else {}
        for cell, text in zip(cells, before)
    ]


def refresh(path: Path) -> None:
    """Run one notebook in a fresh kernel, with progress kept in memory, and save it."""
    os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_SEED="0", SUBWORD_LAB_LEARNER="")
    notebook = nbformat.read(path, as_version=4)  # which gives an id to a cell that has none
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(path.parent))
    lesson = path.stem in lessons.names()
    folded = folds(notebook.cells) if lesson else [{}] * len(notebook.cells)
    for cell, how in zip(notebook.cells, folded):
        kept = {"tags": cell.metadata.tags} if "tags" in cell.metadata else {}
        cell.metadata = nbformat.from_dict(kept | how)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            output.get("metadata", {}).clear()
    kernel = get_kernel_spec("python3")
    notebook.metadata = nbformat.NotebookNode(
        kernelspec={
            "display_name": kernel.display_name,
            "language": kernel.language,
            "name": "python3",
        },
        language_info=notebook.metadata.language_info,
    )
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or [*sorted(LESSONS.glob("*.ipynb")), GUIDE]:
        print(name)
        refresh(Path(name))
