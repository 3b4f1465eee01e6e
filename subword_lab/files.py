"""Files: those that come with the package, and those that are written whole or not at all."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress

LARGEST = 100_000_000  # bytes of a list, a table or a notebook that is read whole


class CourseError(Exception):
    """Something that the user can mend; the message says what is wrong, and what to do."""


def read(*path: str) -> str:
    """The text of a file that comes with the package; `path` leads to it from the package's folder.

    >>> read("data", "char_classes.txt").partition(":")[0]
    '# Classes of characters, as tokenizers 0.23.3 has them'
    """
    with open(os.path.join(os.path.dirname(__file__), *path), encoding="utf-8") as file:
        return file.read()


def read_ranges(name: str) -> Iterator[tuple[str, int, int]]:
    """A table of characters that comes with the package: a class, and the first and last code point of each range.

    >>> next(read_ranges("scripts.txt"))
    ('Latin', 65, 90)
    """
    for line in read("data", name).splitlines():
        if not line.startswith("#"):
            kind, *ranges = line.split()
            for each in ranges:
                first, _, last = each.partition("-")
                yield kind, int(first, 16), int(last or first, 16)


def read_bounded(path: str | os.PathLike[str]) -> bytes:
    """All of a file that somebody names; OSError if it has no end in sight, as a device has none."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST // 1_000_000} MB", os.fspath(path))
    return data


def led_away(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Whether a path in a folder is a link, or lies behind one, so that it may be anybody's file."""
    return os.path.islink(path) or os.path.realpath(path) != os.path.join(
        os.path.realpath(folder), os.path.relpath(path, folder)
    )


def writable_by_others(path: str | os.PathLike[str]) -> str | None:
    """What of a file, its folder, and the folder of what it leads to others than you can have written; None: nothing.

    It is None, too, where there is no such file, or the system knows no users.
    """
    if not (hasattr(os, "getuid") and os.path.exists(path)):
        return None
    for place in (
        path,
        os.path.dirname(path) or os.curdir,
        os.path.dirname(os.path.realpath(path)),
    ):
        about = os.stat(place)
        # Of a user's own group, many systems let nobody else be a member.
        of_others = stat.S_IWOTH | (stat.S_IWGRP if about.st_gid != os.getgid() else 0)
        if about.st_uid not in (0, os.getuid()) or about.st_mode & of_others:
            return os.fspath(place)
    return None


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file in one step as far as others see it: it holds all of `content`, or what it held before.

    Text becomes UTF-8, and its line ends stay as they are. A file that was there keeps its permissions, and a link
    stays one: the file that it leads to is written. Raises OSError if the file cannot be written, or is there already
    and no file (a device, a folder).
    """
    data = content.encode() if isinstance(content, str) else content
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(errno.EINVAL, "it already exists, and is not a file", os.fspath(path))
    mode = stat.S_IMODE(os.stat(target).st_mode) if os.path.exists(target) else 0o666
    unfinished = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    try:
        with open(unfinished, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
        if os.path.exists(target):  # or else what the system takes off stays off
            os.chmod(unfinished, mode)
        os.replace(unfinished, target)
    except OSError as error:  # which names the unfinished file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    finally:
        with suppress(OSError):  # gone already, if all went well
            os.unlink(unfinished)
