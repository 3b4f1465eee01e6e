"""The course as a static site: pages to read, and the notebooks to work in, in the browser alone.

    site.build("public")                        # what `subword-lab site public` does

Any file server can hand it out. `pages` makes the start page and the lessons to read; `lab` makes JupyterLite, whose
Python is Pyodide, with the package in it; `write_reference` makes the reference of the package.
"""

import os
from collections.abc import Callable
from pathlib import Path

from subword_lab.files import CourseError, write_whole
from subword_lab.working_copy import renewed

from .lab import LAB, build_lab, lacking, require, run
from .pages import VOCABULARY, vocabulary, write_pages

__all__ = ["LAB", "build", "lacking", "write_reference"]


def build(
    out: str | os.PathLike[str],
    pyodide: str | os.PathLike[str] | None = None,
    repository: str | None = None,
    say: Callable[[str], object] = print,
) -> Path:
    """Write the site into the folder `out`, which is made if need be; the path of its start page.

    pyodide: a folder with the distribution of Pyodide that this version of the kernel wants, which then becomes part
    of the site; without one, a reader's browser gets it from the network that the kernel names. repository: where the
    course is on GitHub, such as "owner/name"; then the start page leads to it, to Binder and to Colab, too. say: is
    told in a sentence what the site has to be without, because something is not installed or there is no network.

    Raises CourseError, with what to do, if `pyodide` is named and cannot be used, if the folder cannot be written, or,
    in the end, if somebody has changed a file there, which stays.
    """
    out = Path(out)
    with renewed(out) as new:
        if pyodide:
            build_lab(new / "lab", Path(pyodide))
        has_lab = pyodide is not None or _is_made(
            "lessons to work in", lambda: build_lab(new / "lab", None), say
        )
        has_reference = _is_made("a reference", lambda: write_reference(new / "reference"), say)
        has_vocabulary = _is_made(
            "GPT-4o's vocabulary", lambda: write_whole(new / VOCABULARY, vocabulary()), say
        )
        start = write_pages(
            new,
            repository or "",
            has_lab=has_lab,
            has_reference=has_reference,
            has_vocabulary=has_vocabulary,
        )
    return out / start.name


def _is_made(part: str, make: Callable[[], None], say: Callable[[str], object]) -> bool:
    try:
        make()
    except (CourseError, ImportError) as error:
        say(f"The site is without {part}: {error}.")
        return False
    return True


def write_reference(folder: Path) -> None:
    """Write a page for each public module of the package, which pdoc makes from its docstrings."""
    require("pdoc")
    run(
        *("pdoc", "subword_lab", "--no-show-source", "--no-search"),
        *("--footer-text", "subword-lab", "--output-directory", str(folder)),
    )
