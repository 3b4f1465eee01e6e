"""The sandbox in which strangers' code runs, a notebook or a learner's function: bubblewrap, where this machine has it.

Inside, there is no network and no other process to be seen; of the disk there are only Python, the libraries that the
course uses and this package, all of it read-only; the home folder and `/tmp` are empty, of limited size, and gone
afterwards. Other submissions, the grades, the real home folder and its keys are not there to be read. When whoever
started it ends, or kills it, everything that was started inside is gone too. For a function the folders are added from
which its notebook imports, and the package is taken away, or its answers, if the exercise allows the rest.

Beside it, `Process` limits time, memory, processes and what is sent back. What it does not protect from: a flaw in the
Linux kernel; the work of the machine being slowed down while something computes; and a notebook that looks up answers,
since the package with its solutions is what everybody has installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .doors import ANSWERS
from .processes import PACKAGE

SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
SPACE = 200_000_000  # bytes that can be written to each folder that can be written to
HOME = "/sandbox"
ROOM = Path(__file__).resolve().parent
PROCESSES = 48  # and threads, at once


def bubblewrap(*files: str | Path, hidden: Sequence[Path] = ()) -> list[str]:
    """The command that is put in front of another one to run it in the sandbox.

    files: what else is to be readable. hidden: folders that are to be empty all the same, but for this room.
    """
    options = _options()
    command = [
        "bwrap",
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--hostname",
        "sandbox",
    ]
    command += ["--disable-userns"] * ("--disable-userns" in options)
    size = ["--size", str(SPACE)] if "--size" in options else []
    command += [*size, "--tmpfs", "/tmp"]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            command += ["--ro-bind", path, path]
    for file in [
        *_outermost([*_python_folders(), PACKAGE, *map(Path, files)]),
        *hidden,
        *[ROOM] * bool(hidden),
    ]:
        command += ["--tmpfs", str(file)] if file in hidden else ["--ro-bind", str(file), str(file)]
    for folder in hidden:
        command += ["--remount-ro", str(folder)]
    command += [
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *size,
        "--tmpfs",
        "/dev/shm",
        *size,
        "--tmpfs",
        HOME,
    ]
    return [*command, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME, "--"]


def for_function(path: Sequence[str], allow: Sequence[str]) -> list[str]:
    """As `bubblewrap`, for a learner's function; [] where there is no sandbox.

    path: the folders from which it may import. allow: as for `run`. Where bubblewrap is installed and does not work, a
    warning says so, once.
    """
    if not is_installed():
        return []
    folders = tuple(
        dict.fromkeys(Path(entry) for entry in path if os.path.isdir(entry) and entry != "/")
    )
    hidden = [PACKAGE / name for name in ANSWERS if name != ROOM.name] if allow else [PACKAGE]
    return bubblewrap(*folders, hidden=hidden) if works(folders) else []


@cache
def works(files: tuple[Path, ...] = ()) -> bool:
    """Whether bubblewrap can make a sandbox with these files here, tried once; if not, a warning says why."""
    try:
        tried = subprocess.run(
            [*bubblewrap(*files), sys.executable, "-S", "-E", "-c", ""],
            check=False,
            timeout=10,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        reason = tried.stderr.strip()[:300] if tried.returncode else ""
    except (OSError, subprocess.SubprocessError) as error:
        tried, reason = None, str(error)
    if tried and not tried.returncode:
        return True
    warnings.warn(
        f"bubblewrap is installed, but does not work here ({reason}). Your functions are checked without a "
        "sandbox, which protects from accidents only.",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


def libraries() -> list[str]:
    """The folders with installed libraries, in which a notebook's Python looks beside those that it finds by itself."""
    return [
        os.path.abspath(entry)
        for entry in sys.path
        if os.path.basename(entry) in ("site-packages", "dist-packages") and os.path.isdir(entry)
    ]


def is_installed() -> bool:
    """Whether there is bubblewrap on this machine; whether it works, `works` and `trial` find out."""
    return sys.platform == "linux" and shutil.which("bwrap") is not None


def _python_folders() -> list[Path]:
    """Where Python and its libraries are."""
    named = [Path(entry) for entry in (sys.prefix, sys.base_prefix, sys.exec_prefix, *libraries())]
    return [
        folder
        for path in named
        for folder in (path, path.resolve())
        if folder.is_dir() and folder != Path("/")
    ]


def _outermost(files: Sequence[Path]) -> list[Path]:
    """Each file or folder once, without what others, or the system's folders, hold already; outer ones first."""
    every = {*files, Path("/usr")}
    return sorted(
        file
        for file in every - {Path("/usr")}
        if not any(file.is_relative_to(other) for other in every - {file})
    )


@cache
def _options() -> str:
    """What this bubblewrap says that it can do; older ones can do less."""
    return subprocess.run(
        ["bwrap", "--help"], check=False, capture_output=True, text=True, timeout=30
    ).stdout
