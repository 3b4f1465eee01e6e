"""Files: those that come with the package, and those that are written whole or not at all."""

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
    with open(os.path.join(os.path.dirname(__file__), *path), encoding="utf-8") as file:
        return file.read()


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file in one step as far as others see it: it holds all of `content`, or what it held before.

    Text becomes UTF-8, and its line ends stay as they are. Raises OSError if the file cannot be written, or is there
    already and no file (a device, a folder).
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it already exists, and is not a file", os.fspath(path))
    unfinished = f"{os.fspath(path)}.part"
    try:
        with open(unfinished, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):  # gone already, if all went well
            os.unlink(unfinished)
