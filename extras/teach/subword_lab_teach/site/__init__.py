"""The course as a static site: pages to read, and the notebooks to work in, in the browser alone.

    site.build("public")                        # what `subword-lab site public` does

Any file server can hand it out. `pages` makes the start page and the lessons to read; `lab` makes JupyterLite, whose
Python is Pyodide, with the package in it; `reference` makes the reference of the package.
"""

from __future__ import annotations

import os
from pathlib import Path

from .lab import LAB, build_lab, lacking
from .pages import write_pages
from .reference import write_reference

__all__ = ["LAB", "build", "lacking"]


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
