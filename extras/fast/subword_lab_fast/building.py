"""Making the library (`library`): numba's compiler for modules, over the same functions with the same types.

It needs setuptools, a C compiler, and a process in which numba compiles everything anew, for the processor that its
environment names: the types are those with which the functions were called there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from . import library

# Any of its kind: the code uses nothing that some x86-64 or arm64 processors lack.
PROCESSOR = "generic"


def obstacle() -> str:
    """Why no library can be made here, or an empty string."""
    if find_spec("setuptools") is None:
        return "it needs setuptools; install it with: pip install setuptools"
    if sys.platform != "win32" and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        return "it needs a C compiler"
    return ""


def build(folder: Path | None = None) -> Path:
    """Make the library in a folder, else in the first of `library.folders` that can be written: its file.

    Several processes may do so at the same time, and each may be ended: the file appears when it is whole. Raises
    OSError if none can be written, and CalledProcessError if the compiler fails.
    """
    folder = folder or _writable_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder) as place:
        environment = {
            **os.environ,
            library.WITHOUT: "1",
            "NUMBA_CACHE_DIR": place,
            "NUMBA_CPU_NAME": PROCESSOR,
            "NUMBA_CPU_FEATURES": "",
        }
        command = [sys.executable, "-m", __spec__.name, place]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        file = library.name() + EXTENSION_SUFFIXES[0]
        os.replace(Path(place, file), folder / file)
    for cached in library.find, library.load:
        cached.cache_clear()
    return folder / file


def _writable_folder() -> Path:
    beside, own = library.folders()
    return beside if os.access(beside, os.W_OK) else own


def compile_into(folder: str) -> None:
    """Let numba compile everything, and write the library of it."""
    import numba.pycc.compiler
    from numba.core.compiler import Flags
    from numba.pycc import CC

    from . import __main__, compiling

    def flags() -> Any:
        found: Any = Flags()
        found.release_gil, found.error_model = True, "numpy"
        return found

    __main__.use_everything()
    compiler = CC(library.name(), compiling)
    compiler.output_dir, compiler.target_cpu = folder, PROCESSOR
    functions = [compiling.merging_pairs()]
    for name in library.MODULES:
        functions += _functions(sys.modules[f"{__package__}.{name}"])
    for function in functions:
        source = function.py_func
        (types,) = function.signatures  # with other types, one would need another name
        signature = function.overloads[types].signature
        module = library.PAIR_ROWS if function is functions[0] else source.__module__
        compiler.export(library.symbol(module, source.__name__), signature)(source)
    with mock.patch.object(numba.pycc.compiler, "Flags", flags):  # those of `compiling.jit`
        compiler.compile()


def _functions(module: ModuleType) -> list[Any]:
    """The functions of a module that numba compiled, but for those that others contain."""
    return [
        each
        for each in vars(module).values()
        if hasattr(each, "py_func")
        and each.py_func.__module__ == module.__name__
        and "forceinline" not in each.targetoptions
    ]


if __name__ == "__main__":
    compile_into(sys.argv[1])
