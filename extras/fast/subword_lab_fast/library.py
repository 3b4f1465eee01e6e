"""The library of compiled code that a wheel carries: the same functions as in the modules here, without numba.

It stands beside the modules, or in the user's folder for such files (`python -m subword_lab_fast` makes it there where
the package is read-only), from which none is taken that others can write. Its name ends with a checksum of the text
that it was compiled from, so one that was made of another text, for another Python or for another kind of processor is
never taken. Then numba compiles (`compiling`).
"""

import os
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from zlib import crc32

from subword_lab.files import writable_by_others

HERE = Path(__file__).parent
# Modules whose functions are in it.
MODULES = (
    "byte_ids",
    "byte_words",
    "pair_rows",
    "spaced_words",
    "suffix_array",
    "trie",
    "word_table",
    "word_tree",
)
WITHOUT = "SUBWORD_LAB_WITHOUT_LIBRARY"  # an environment variable: let numba compile in any case


def symbol(module: str, function: str) -> str:
    """The name of a module's function in the library.

    >>> symbol("subword_lab_fast.trie", "plant")
    'trie_plant'
    """
    return f"{module.rpartition('.')[2]}_{function}"


@cache
def name() -> str:
    """The library's name as a module: it says from which text it is made."""
    sources = b"".join((HERE / f"{module}.py").read_bytes() for module in MODULES)
    check = crc32(sources.replace(b"\r\n", b"\n"))
    return f"compiled_{check:08x}"


def folders() -> tuple[Path, Path]:
    """Where it may be: beside the modules, or in the user's folder."""
    kept = os.environ.get("XDG_CACHE_HOME", "")  # which counts only if it is whole
    return HERE, Path(kept if os.path.isabs(kept) else Path.home() / ".cache", "subword-lab-fast")


@cache
def find() -> Path | None:
    """The library's file, or None."""
    if os.environ.get(WITHOUT):
        return None
    beside, own = (folder / (name() + EXTENSION_SUFFIXES[0]) for folder in folders())
    if beside.is_file():
        return beside
    if not (own.is_absolute() and own.is_file()):
        return None
    if place := writable_by_others(own):
        sys.stderr.write(f"subword_lab: {own} is not used, for others than you can write {place}\n")
        return None
    return own


@cache
def load() -> ModuleType | None:
    """The library, or None if there is none that can be used."""
    file = find()
    spec = file and spec_from_file_location(f"{__package__}.{name()}", file)
    if not spec or not spec.loader:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError as error:  # made for another numpy, or damaged
        sys.stderr.write(f"subword_lab: {file} cannot be loaded: {error}\n")
        return None
    return module


def is_there() -> bool:
    """Whether there is a library, as far as one can know before it is loaded.

    >>> is_there() == (find() is not None)
    True
    """
    return find() is not None and (load.cache_info().currsize == 0 or load() is not None)
