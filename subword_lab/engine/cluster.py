"""Counting the words of files on many cores or machines, with Dask (the extra `dask`).

Files are cut into parts at line ends, and counts of parts, added up in the order of the parts, are the counts of the
whole, in the same order. A part is named by its file and where in it it begins and ends: so whoever counts it reads it
himself, and one whose machine broke off is simply counted again by another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from .. import streaming

if TYPE_CHECKING:
    from distributed import Client

PART = 1 << 26  # bytes that are counted in one go
Part = tuple[str, int, int]
Count = Callable[[Iterable[str]], dict[str, int]]


def counted_parts(
    paths: Iterable[str | os.PathLike[str]], count: Count, cluster: str | Client | None = None
) -> Iterator[dict[str, int]]:
    """The word counts of one part after the other, worked out side by side; count: from lines to their counts.

    cluster: the address of a Dask cluster, or a client of one, whose machines see the files under the same names; None
    starts one on this machine. Raises ValueError for a file that is missing or not UTF-8, which it names, and if there
    is no such cluster.
    """
    parts = parts_of(paths)
    with ExitStack() as stack:
        client = client_of(cluster, stack)
        waiting = client.map(_count, *zip(*parts), count=count, pure=False)[::-1] if parts else []
        while waiting:
            yield waiting.pop().result()


def parts_of(paths: Iterable[str | os.PathLike[str]]) -> list[Part]:
    """All files in parts: path, and from where to where in bytes. ValueError, which names it, if one is not there."""
    parts = []
    for path in map(os.path.abspath, paths):
        try:
            size = os.path.getsize(path)
        except OSError as error:
            raise ValueError(
                f"paths holds {path!r}, which cannot be read: {error.strerror}"
            ) from None
        parts += [(path, start, start + PART) for start in range(0, size, PART)]
    return parts


def lines_of(path: str, start: int, end: int) -> Iterator[str]:
    """The lines of a file that begin in a part of it."""
    with open(path, "rb") as file:
        if start:  # the line that goes on here belongs to the part before
            file.seek(start - 1)
            while (rest := file.readline(streaming.LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
        first = place = file.tell()
        line = "\n"

        def read(count: int) -> None:
            nonlocal place
            place += count

        for following in streaming.lines(file, path, first=first, progress=read):
            if place >= end and line.endswith("\n"):
                return
            line = following
            yield line


def _count(path: str, start: int, end: int, count: Count) -> dict[str, int]:
    try:
        return count(lines_of(path, start, end))
    except OSError as error:
        raise ValueError(f"paths holds {path!r}, which cannot be read: {error.strerror}") from None
    except streaming.NotUTF8 as error:
        raise ValueError(str(error)) from None


def client_of(cluster: Any, stack: ExitStack) -> Client:
    """A client of the cluster that is meant; what it starts, the stack ends."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ValueError(
            "engine is 'dask', which is not installed; install it with: "
            "pip install 'subword-lab[dask]'"
        ) from None
    if isinstance(cluster, Client):
        return cluster
    if cluster is None:
        cluster = stack.enter_context(LocalCluster(threads_per_worker=1, dashboard_address=None))
    try:
        return stack.enter_context(Client(cluster, set_as_default=False, timeout=20))
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"no Dask cluster answers at {cluster!r} ({type(error).__name__})"
        ) from None
