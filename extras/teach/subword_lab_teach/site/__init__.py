"""The course as a static site: pages to read, and the notebooks to work in, in the browser alone.

    site.build("public")                        # what `subword-lab site public` does

Any file server can hand it out. `pages` makes the start page and the lessons to read; `lab` makes JupyterLite, whose
Python is Pyodide, with the package in it; `write_reference` makes the reference of the package.
"""

import os
from pathlib import Path

from .lab import LAB, build_lab, lacking, require
from .pages import write_pages

__all__ = ["LAB", "build", "lacking", "write_reference"]


def build(
    out: str | os.PathLike[str],
    pyodide: str | os.PathLike[str] | None = None,
    repository: str | None = None,
) -> Path:
    """Write the site into the folder `out`, which is made if need be; the path of its start page.

    pyodide: a folder with the distribution of Pyodide that this version of the kernel wants, which then becomes part
    of the site; without one, a reader's browser gets it from the network that the kernel names. repository: where the
    course is on GitHub, such as "owner/name"; then the start page leads to it, to Binder and to Colab, too.

    Raises CourseError, with what to do, if something that it takes is missing; OSError if the folder
    cannot be written.
    """
    build_lab(Path(out) / "lab", Path(pyodide) if pyodide else None)
    write_reference(Path(out) / "reference")
    return write_pages(Path(out), repository)


def write_reference(folder: Path) -> None:
    """Write a page for each public module of the package, which pdoc makes from its docstrings."""
    require("pdoc")
    import pdoc.render

    import subword_lab
    from subword_lab.tokenizer import Tokenizer

    vars(subword_lab)["Tokenizer"] = Tokenizer  # imported when it is asked for; pdoc does not ask
    pdoc.render.configure(show_source=False, search=False, footer_text="subword-lab")
    pdoc.pdoc("subword_lab", output_directory=folder)
