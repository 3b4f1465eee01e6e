"""The one place that chooses how work is done: in plain Python, or compiled where the extra is installed.

Engines are packages of their own, which announce themselves under the entry points `subword_lab.engines`: "compiled"
and "dask" come with subword-lab-fast. They are looked up when some work is large enough to ask, and a job asks once.
The results are the same: compiled code is worth it if Python would take more than twice as long as one waits for it.
"""

import sys
from collections.abc import Iterable
from functools import cache
from itertools import chain
from types import ModuleType

from .arguments import check

ENGINES = ("python", "compiled")
# Seconds that plain Python takes for one character of a text ("counting", "encoding"), for one id ("decoding"), and for
# one character of the different words of a corpus ("merging" pairs, "lattices" for Unigram, "pieces" by SentencePiece's
# rules).
RATES = {
    "counting": 0.08e-6,
    "merging": 1.9e-6,
    "lattices": 10e-6,
    "pieces": 50e-6,
    "encoding": 0.4e-6,
    "decoding": 0.1e-6,
}
LOADED = 0.02  # seconds that compiled code costs even where it is loaded
CALL = 0.000_5  # seconds that make a single call of it worth while
LONG = 2.0  # seconds of plain Python that are never turned down where code is kept on disk
DIFFERENT = 1 / 20  # of a text's characters stand in different words
MOST_KEPT = 1 << 24  # characters of texts that are looked at before it is decided


@cache
def find(name: str) -> ModuleType | None:
    """The engine of that name, or None if it is not installed; one that is broken is named on standard error.

    >>> find("rust") is None
    True
    """
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    for entry in entry_points(group="subword_lab.engines", name=name):
        try:
            return entry.load()
        except Exception as error:
            say_once(f"the engine {name!r} cannot be loaded: {error}")
    return None


def seconds(**work: float) -> float:
    """How long plain Python takes for some work, each kind of which is given in characters.

    >>> round(seconds(counting=1_000_000, merging=100_000), 2)
    0.27
    """
    return sum(RATES[kind] * size for kind, size in work.items())


def choose(engine: str | None, **work: float) -> ModuleType | None:
    """The compiled engine, if it was asked for, or if nothing was and the work is large enough; None means Python.

    work: as in `seconds`. Raises ValueError for an engine that is not known, or not installed.

    >>> choose(None, counting=1000) is None, choose("python", merging=10**9) is None
    (True, True)
    """
    check(
        engine in (None, *ENGINES),
        f"engine is {engine!r}; expected one of 'python', 'compiled', or None to choose by size",
    )
    if engine == "python" or (engine is None and seconds(**work) <= 2 * LOADED):
        return None
    compiled = find("compiled")
    check(
        engine != "compiled" or compiled is not None,
        "engine is 'compiled', which is not installed; install it with: pip install subword-lab-fast",
    )
    if compiled is None:
        return None
    if engine is None and seconds(**work) <= 2 * compiled.wait(work):
        if seconds(**work) > LONG and "ipykernel" not in sys.modules:  # no lesson mentions it
            say_once(
                "the engine is not compiled yet, so Python does this; compile it, once, with: "
                f"{sys.executable} -m subword_lab_fast"
            )
        return None
    try:
        compiled.start(work)
    except ImportError as error:
        if engine == "compiled":
            raise ValueError(f"engine is 'compiled', which cannot be started: {error}") from None
        say_once(f"the engine 'compiled' cannot be started: {error}")
        return None
    return compiled


@cache
def say_once(message: str) -> None:
    """Tell the user something on standard error, the first time that it is to be said."""
    sys.stderr.write(f"subword_lab: {message}\n")


def cluster() -> ModuleType:
    """The engine "dask". Raises ValueError if it is not installed."""
    engine = find("dask")
    if engine is None:
        raise ValueError(
            "engine='dask' needs an extra that is not installed; install it with: "
            "pip install 'subword-lab-fast[dask]'"
        )
    return engine


def look_ahead(texts: Iterable[str], learning: str) -> tuple[Iterable[str], str | None]:
    """The same texts, and the engine for training on as many characters as they have, or at least the first of them.

    learning: the kind of work, beside counting. The engine is "compiled", or None for what is chosen without this.

    >>> texts, engine = look_ahead(iter(["hug", "pugs"]), "merging")
    >>> [*texts], engine
    (['hug', 'pugs'], None)
    """
    if isinstance(texts, (str, bytes, bytearray)) or not isinstance(texts, Iterable):
        return texts, None  # whoever reads them says what is wrong
    texts, head, size = iter(texts), [], 0
    for text in texts:
        head.append(text)
        size += len(text) if isinstance(text, str) else 0
        if size >= MOST_KEPT:
            break
    compiled = choose(None, counting=size, **{learning: size * DIFFERENT})
    return chain(head, texts), "compiled" if compiled else None
