"""Compile the engine in advance, so that no job has to wait for it, or does without it: python -m subword_lab_fast

It makes the library that a wheel carries (`library`), or where that cannot be, lets numba keep machine code on disk.
With a folder as argument, the library is written there, for a wheel.

The library is the work of numba's compiler for modules, over the same functions with the same types. That needs
setuptools, a C compiler, and a process in which numba compiles everything anew, for the processor that its environment
names. In a second one each function that Python calls finds its code on disk, and its types with it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import Any
from unittest import mock

from subword_lab import engines, text
from subword_lab.interchange.tiktoken_ranks import in_chars, of_ranks
from subword_lab.pieces import Rules
from subword_lab.tokenizer import Tokenizer

from . import library

# Any of its kind: the code uses nothing that some x86-64 or arm64 processors lack.
PROCESSOR = "generic"


def main(arguments: list[str]) -> None:
    """Make the library, or say why there is none."""
    problem = obstacle()
    if not problem and (arguments or library.load() is None):
        try:
            file = build(Path(arguments[0]) if arguments else None)
            sys.stderr.write(f"The library is {file}\n")
        except (OSError, subprocess.CalledProcessError) as error:
            problem = str(error)
    if problem:
        sys.stderr.write(f"No library is made: {problem}\n")
        if arguments:
            raise SystemExit(1)
        use_everything()
    sys.stderr.write("The engine is compiled.\n")


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
    beside, own = library.folders()
    folder = folder or (beside if os.access(beside, os.W_OK) else own)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder) as place:
        environment = {
            **os.environ,
            library.WITHOUT: "1",
            "NUMBA_CACHE_DIR": place,
            "NUMBA_CPU_NAME": PROCESSOR,
            "NUMBA_CPU_FEATURES": "",
        }
        for work in "use_everything()", f"compile_into({place!r})":
            code = f"from {__package__} import __main__; __main__.{work}"
            subprocess.run(
                [sys.executable, "-P", "-c", code],
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        file = library.name() + EXTENSION_SUFFIXES[0]
        os.replace(Path(place, file), folder / file)
    for cached in library.find, library.load:
        cached.cache_clear()
    return folder / file


def compile_into(folder: str) -> None:
    """Write the library of all that is called once everything is used, and whose code numba has on disk."""
    import numba.pycc.compiler
    from numba.core.compiler import Flags
    from numba.pycc import CC

    from . import compiling

    def flags() -> Any:
        found: Any = Flags()
        found.release_gil, found.error_model = True, "numpy"
        return found

    use_everything()
    compiler = CC(library.name(), compiling)
    compiler.output_dir, compiler.target_cpu = folder, PROCESSOR
    functions = {}
    for module in library.MODULES:
        for name, each in vars(sys.modules[f"{__package__}.{module}"]).items():
            own = getattr(each, "__module__", "") == f"{__package__}.{module}"
            # What others contain is no function of its own.
            if own and hasattr(each, "py_func") and "forceinline" not in each.targetoptions:
                functions[library.symbol(module, name)] = each
    for name, function in functions.items():
        # None where only compiled code calls it; with two, one would need another name.
        for types in function.signatures:
            compiler.export(name, function.overloads[types].signature)(function.py_func)
    with mock.patch.object(numba.pycc.compiler, "Flags", flags):  # those of `compiling.jit`
        compiler.compile()


def use_everything() -> None:
    """Let every kind of compiled code do a small job once; numba keeps what it compiles on disk."""
    lines = text.load_passage().splitlines()
    for algorithm in ("bpe", "wordpiece", "unigram"):
        sys.stderr.write(f"{algorithm} ...\n")
        tokenizer = Tokenizer.train(lines, algorithm, vocab_size=600, engine="compiled")
        if encoder := tokenizer._encoder:
            encoder.ids(lines, repeat(True))
    Tokenizer.train(lines, "unigram", vocab_size=400, rules=Rules(), engine="compiled")
    compiled = engines.find("compiled")
    assert compiled
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoder = compiled.encoder(of_ranks(in_chars(ranks | {b"hu": 256}), "o200k", {}), str.split)
    encoder.array(lines, repeat(True))
    compiled.lattices({"hug": 1}, ["h", "u", "g"]).loss({"h": 1.0, "u": 1.0, "g": 1.0})
    compiled.decoder({0: b"a", 1: b"b"}).decode([0, 1])


if __name__ == "__main__":
    main(sys.argv[1:])
