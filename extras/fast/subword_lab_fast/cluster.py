"""Counting the words of files, and turning files into ids, on many cores or machines, with Dask.

Files are cut into parts at line ends, and counts of parts, added up in the order of the parts, are the counts of the
whole, in the same order. A part is named by its file and where in it it begins and ends: so whoever counts it reads it
himself, and one whose machine broke off is simply counted again by another.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from subword_lab import files, streaming
from subword_lab.arguments import check_choice
from subword_lab.tokenizer import Tokenizer

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
        with _named(path):
            size = os.path.getsize(path)
        parts += [(path, start, start + PART) for start in range(0, size, PART)]
    return parts


@contextmanager
def _named(path: str) -> Iterator[None]:
    """What is wrong with a file is a ValueError that names it."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"paths holds {path!r}, which cannot be read: {error.strerror}") from None
    except streaming.NotUTF8 as error:
        raise ValueError(str(error)) from None


def lines_of(path: str, start: int, end: int) -> Iterator[str]:
    """The lines of a file that begin in a part of it."""
    with _named(path), open(path, "rb") as file:
        stop = _line_start(file, end)
        first = _line_start(file, start)
        yield from streaming.lines(file, path, first=first, stop=stop)


def _line_start(file: BinaryIO, place: int) -> int:
    """Where the first line begins that begins at a place or after it; the file is there then."""
    file.seek(max(place - 1, 0))
    while place and (rest := file.readline(streaming.LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass
    return file.tell()


def _count(path: str, start: int, end: int, count: Count) -> dict[str, int]:
    return count(lines_of(path, start, end))


def client_of(cluster: Any, stack: ExitStack) -> Client:
    """A client of the cluster that is meant; what it starts, the stack ends."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ValueError(
            "engine is 'dask', which is not installed; install it with: "
            "pip install 'subword-lab-fast[dask]'"
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


def encode_files(
    tokenizer: Tokenizer,
    paths: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    engine: str | None = None,
    cluster: Any = None,
) -> list[Path]:
    """Write the ids of each file as an array of 32-bit integers, which `numpy.load` reads: `a.txt` as `a.txt.npy`.

    A file is one text, and a special token in it is text like any other. An array that is there already, and no older
    than its text, is left as it is: so after an interruption the same call goes on. (Give another tokenizer another
    folder.) engine: None, or "dask" for a cluster, as in `text.word_freqs`; its machines see the files and the folder
    under the same names. Returns the arrays' paths, in the order of the files.

    Raises ValueError for a file that is missing or not UTF-8, by its name, and for two files of the same name.

    >>> import tempfile
    >>> from subword_lab import Tokenizer
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "tea.txt").write_text("hug a pug", encoding="utf-8")
    >>> arrays = encode_files(Tokenizer.train(["hug pug"], vocab_size=260), [folder / "tea.txt"], folder / "ids")
    >>> import numpy
    >>> arrays[0].name, numpy.load(arrays[0]).tolist()
    ('tea.txt.npy', [258, 221, 65, 221, 259])
    """
    if engine is not None:
        check_choice("engine", engine, ["dask"])
    sources, folder = [Path(os.path.abspath(path)) for path in paths], Path(os.path.abspath(folder))
    parts_of(sources)  # they are all there
    arrays = [folder / f"{path.name}.npy" for path in sources]
    if twice := next((path for path in arrays if arrays.count(path) > 1), None):
        raise ValueError(
            f"paths holds two files named {twice.stem!r}, whose arrays would have one name"
        )
    to_do = [
        (path, array)
        for path, array in zip(sources, arrays)
        if not array.exists() or array.stat().st_mtime < path.stat().st_mtime
    ]
    folder.mkdir(parents=True, exist_ok=True)
    if engine == "dask" and to_do:
        with ExitStack() as stack:
            client = client_of(cluster, stack)
            there = client.scatter(tokenizer, broadcast=True)
            client.gather(client.map(_encode_file, *zip(*to_do), tokenizer=there, pure=False))
    else:
        for path, array in to_do:
            _encode_file(path, array, tokenizer)
    return arrays


def _encode_file(path: Path, array: Path, tokenizer: Tokenizer) -> None:
    import numpy

    with _named(str(path)), path.open("rb") as file:
        string = "".join(streaming.blocks(file, str(path)))
    ids, content = tokenizer.encode(string, disallowed_special=()).ids, io.BytesIO()
    numpy.save(content, numpy.array(ids, numpy.uint32))
    files.write_whole(array, content.getvalue())
