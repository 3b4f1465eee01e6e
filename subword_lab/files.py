"""Files: those that come with the package, and those that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from contextlib import suppress


class CourseError(Exception):
    """Something that the user can mend; the message says what is wrong, and what to do."""


def read(*path: str) -> str:
    """The text of a file that comes with the package; `path` leads to it from the package's folder.

    >>> read("data", "char_classes.txt").partition(":")[0]
    '# Classes of characters, as tokenizers 0.23.3 has them'
    """
    import pkgutil  # importlib.resources costs ten times as much to import

    content = pkgutil.get_data(__package__, "/".join(path))
    assert content is not None  # that is for loaders that cannot read files
    return content.decode().replace("\r\n", "\n")


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file in one step as far as others see it: it holds all of `content`, or what it held before.

    Text becomes UTF-8, and its line ends stay as they are. Raises OSError if the file cannot be written, or is there
    already and no file (a device, a folder).
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it already exists, and is not a file", os.fspath(path))
    data = content.encode() if isinstance(content, str) else content
    unfinished = f"{os.fspath(path)}.part"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):  # gone already, if all went well
            os.unlink(unfinished)
