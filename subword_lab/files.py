"""Files: those that come with the package, and those that are written whole or not at all."""
from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path


def read(*path: str) -> str:
    """The text of a file that comes with the package; `path` leads to it from the package's folder.

    >>> read("data", "char_classes.txt").split()[0]
    '#'
    """
    return files(__package__).joinpath(*path).read_text(encoding="utf-8")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file in one step as far as others see it: it holds all of `content`, or what it held before.

    Text becomes UTF-8, and its line ends stay as they are. Raises OSError if the file cannot be written.
    """
    path = Path(path)
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
