"""The reference of the package, which pdoc makes from its docstrings."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from subword_lab.files import CourseError


def write_reference(folder: Path) -> None:
    """Write a page for each public module of the package."""
    if not importlib.util.find_spec("pdoc"):
        raise CourseError(
            f"pdoc is not installed for {sys.executable}; "
            f"install it with: {sys.executable} -m pip install 'subword-lab-teach[site]'"
        )
    import pdoc
    import pdoc.render

    import subword_lab
    from subword_lab.tokenizer import Tokenizer

    vars(subword_lab)["Tokenizer"] = (
        Tokenizer  # imported when it is asked for, and pdoc does not ask
    )
    pdoc.render.configure(show_source=False, search=False, footer_text="subword-lab")
    pdoc.pdoc("subword_lab", output_directory=folder)
