"""Files of text to files of ids: one after the other, or on a Dask cluster, and on again from where it stopped."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Iterable
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import files
from .arguments import check_choice
from .engine import cluster as dask
from .tokenizer import Tokenizer


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
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "tea.txt").write_text("hug a pug", encoding="utf-8")
    >>> made = encode_files(Tokenizer.train(["hug pug"], vocab_size=260), [folder / "tea.txt"], folder / "ids")
    >>> import numpy
    >>> made[0].name, numpy.load(made[0]).tolist()
    ('tea.txt.npy', [258, 221, 65, 221, 259])
    """
    if engine is not None:
        check_choice("engine", engine, ["dask"])
    sources, folder = [Path(os.path.abspath(path)) for path in paths], Path(os.path.abspath(folder))
    dask.parts_of(sources)  # they are all there
    made = [folder / f"{path.name}.npy" for path in sources]
    if twice := next((path for path in made if made.count(path) > 1), None):
        raise ValueError(
            f"paths holds two files named {twice.stem!r}, whose arrays would have one name"
        )
    to_do = [
        (path, array)
        for path, array in zip(sources, made)
        if not array.exists() or array.stat().st_mtime < path.stat().st_mtime
    ]
    folder.mkdir(parents=True, exist_ok=True)
    pickled = pickle.dumps(tokenizer.parts)
    with ExitStack() as stack:
        if engine == "dask" and to_do:
            client = dask.client_of(cluster, stack)
            client.gather(
                client.map(
                    _encode_file,
                    *zip(*to_do),
                    pickled=client.scatter(pickled, broadcast=True),
                    pure=False,
                )
            )
        else:
            for path, array in to_do:
                _encode_file(path, array, pickled)
    return made


def _encode_file(path: Path, array: Path, pickled: bytes) -> None:
    import numpy

    try:
        string = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: the byte 0x{error.object[error.start]:02X} at offset {error.start} is no "
            "UTF-8"
        ) from None
    content = io.BytesIO()
    numpy.save(
        content,
        numpy.array(_tokenizer(pickled).encode(string, disallowed_special=()).ids, numpy.uint32),
    )
    files.write_whole(array, content.getvalue())


@lru_cache(maxsize=1)
def _tokenizer(pickled: bytes) -> Tokenizer:
    return Tokenizer(pickle.loads(pickled))
