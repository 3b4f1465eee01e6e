"""Files: those that come with the package, and those that are written whole or not at all."""
from __future__ import annotations

import os
from contextlib import suppress


def read(*path: str) -> str:
    """The text of a file that comes with the package; `path` leads to it from the package's folder.

    >>> read("data", "char_classes.txt").partition(":")[0]
    '# Classes of characters, as tokenizers 0.23.3 has them'
    """
    from importlib.resources import files           # loaded when it is needed: the algorithms import this module

    return files(__package__).joinpath(*path).read_text(encoding="utf-8")


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file in one step as far as others see it: it holds all of `content`, or what it held before.

    Text becomes UTF-8, and its line ends stay as they are. Raises OSError if the file cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    unfinished = f"{os.fspath(path)}.part"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):                     # gone already, if all went well
            os.unlink(unfinished)
