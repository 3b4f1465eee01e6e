"""Files of text to files of ids, here or on a Dask cluster: by the extra subword-lab-fast."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import engines
from .tokenizer import Tokenizer


def encode_files(
    tokenizer: Tokenizer,
    paths: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    engine: str | None = None,
    cluster: Any = None,
) -> list[Path]:
    """Write the ids of each file as an array that `numpy.load` reads: `a.txt` as `a.txt.npy` in a folder.

    An array that is there already, and no older than its text, is left as it is: so after an interruption the same
    call goes on. engine: None, or "dask" for a cluster, as in `text.word_freqs`. Returns the arrays' paths.

    Raises ValueError if the extra is not installed, for a file that is missing or not UTF-8, and for two files of the
    same name.
    """
    cluster_engine = engines.cluster("folders.encode_files")
    return cluster_engine.encode_files(tokenizer, paths, folder, engine=engine, cluster=cluster)
