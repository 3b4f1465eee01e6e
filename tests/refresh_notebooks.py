"""Run notebooks from top to bottom and save their outputs: python tests/refresh_notebooks.py [NOTEBOOK ...]

What is saved holds no widget state and no ids that change from run to run, so that a diff shows what has changed.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
LESSONS = Path(__file__).resolve().parent.parent / "notebooks"


def refresh(path: Path) -> None:
    """Run one notebook in a fresh kernel, with progress kept in memory, and save it."""
    os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_SEED="0", SUBWORD_LAB_LEARNER="")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(path.parent))
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03}"
        cell.metadata = nbformat.NotebookNode(
            {key: cell.metadata[key] for key in ("tags",) if key in cell.metadata}
        )
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            output.get("metadata", {}).clear()
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = nbformat.NotebookNode(kernelspec=kernel, language_info={"name": "python"})
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(LESSONS.glob("*.ipynb")):
        print(name)
        refresh(Path(name))
