"""Run notebooks from top to bottom and save their outputs: python tests/refresh_notebooks.py [NOTEBOOK ...]

What is saved holds no widget state, and nothing else that changes from run to run, so that a diff shows what has
changed. A cell keeps its id for ever; only a new cell gets one. Kernel and language are written down as JupyterLab
does it: what differs from that, a learner sees as a notebook with unsaved changes.
"""

import os
import sys
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import get_kernel_spec
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
LESSONS = Path(__file__).resolve().parent.parent / "notebooks"
GUIDE = LESSONS.parent / "extras" / "teach" / "subword_lab_teach" / "instructor_guide.ipynb"


def refresh(path: Path) -> None:
    """Run one notebook in a fresh kernel, with progress kept in memory, and save it."""
    os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_SEED="0", SUBWORD_LAB_LEARNER="")
    notebook = nbformat.read(path, as_version=4)  # which gives an id to a cell that has none
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(path.parent))
    for cell in notebook.cells:
        kept = {"tags": cell.metadata.tags} if "tags" in cell.metadata else {}
        cell.metadata = nbformat.NotebookNode(kept)
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
