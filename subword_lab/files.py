"""Files: those that come with the package, those that are written whole or not at all, and names for them."""

from __future__ import annotations

import errno
import os
import unicodedata
from collections.abc import Iterable
from contextlib import suppress

DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"),
}


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
        raise OSError(errno.EINVAL, "it is there already, and is no file", os.fspath(path))
    data = content.encode() if isinstance(content, str) else content
    unfinished = f"{os.fspath(path)}.part"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):  # gone already, if all went well
            os.unlink(unfinished)


def checked_names(names: Iterable[str]) -> list[str]:
    """The names, if each can be the name of a folder, and no two are the same to any file system; else ValueError.

    >>> checked_names(["Zoë Ba", "CON"])
    Traceback (most recent call last):
    ValueError: the name 'CON' cannot be that of a folder: Windows keeps it for a device
    """
    seen: dict[str, str] = {}
    for name in (names := list(names)):
        if (
            not name.strip(". ")
            or name.startswith(".")
            or len(name) > 100
            or any(char in '/\\:*?"<>|' or not char.isprintable() for char in name)
        ):
            raise ValueError(
                f'the name {name!r} cannot be that of a folder; write it without / \\ : * ? " < > |'
            )
        if name != name.rstrip(". "):
            raise ValueError(
                f"the name {name!r} cannot be that of a folder: Windows drops a dot or a space at its end"
            )
        if name.partition(".")[0].strip().casefold() in DEVICES:
            raise ValueError(
                f"the name {name!r} cannot be that of a folder: Windows keeps it for a device"
            )
        same = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if same in seen:
            twin = (
                f", also as {seen[same]!r}, which some file systems take for the same"
                if seen[same] != name
                else ""
            )
            raise ValueError(f"the name {name!r} is given twice{twin}")
        seen[same] = name
    return names
