"""The sandbox in which submissions run: bubblewrap, as far as this machine can use it.

Inside, there is no network and no other process to be seen; of the disk there are only Python, the libraries that the
course uses and this package, all of it read-only; `/tmp` is empty, of limited size, and gone afterwards. Other
submissions, the grades, the home folder and its keys are not there to be read. When the grader ends, or kills it,
everything that was started inside is gone too.

Beside it, `Session` limits time, memory, processes and what is sent back. What it does not protect from: a flaw in the
Linux kernel; the work of the machine being slowed down while a notebook computes; and a learner who looks up answers,
since the package with its solutions is what everybody has installed.
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from .processes import PACKAGE

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/alternatives",
          "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
ROOM = 200_000_000                              # bytes that can be written to /tmp
HOME = "/tmp"


def bubblewrap(*files: str | Path) -> list[str]:
    """The command that is put in front of another one to run it in the sandbox. files: what else is to be readable."""
    options = _options()
    command = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
               "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]
    command += ["--disable-userns"] * ("--disable-userns" in options)
    command += [*(["--size", str(ROOM)] if "--size" in options else []), "--tmpfs", HOME]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            command += ["--ro-bind", path, path]
    for folder in [*_python_folders(), PACKAGE, *files]:
        command += ["--ro-bind", str(folder), str(folder)]
    return [*command, "--proc", "/proc", "--dev", "/dev", "--chdir", HOME, "--"]


def libraries() -> list[str]:
    """The folders with installed libraries, in which a notebook's Python looks beside those that it finds by itself."""
    return [os.path.abspath(entry) for entry in sys.path
            if os.path.basename(entry) in ("site-packages", "dist-packages") and os.path.isdir(entry)]


def is_installed() -> bool:
    """Whether there is bubblewrap on this machine; whether it works, `trial` finds out."""
    return sys.platform == "linux" and shutil.which("bwrap") is not None


def _python_folders() -> list[Path]:
    """Where Python and its libraries are, without what the system's folders hold already."""
    named = [Path(entry) for entry in (sys.prefix, sys.base_prefix, sys.exec_prefix, *libraries())]
    folders = {folder for path in named for folder in (path, path.resolve()) if folder.is_dir()}
    inside = {folder for folder in folders
              if any(folder != other and folder.is_relative_to(other) for other in [*folders, Path("/usr")])}
    return sorted(folders - inside - {Path("/usr"), Path("/")})


@cache
def _options() -> str:
    """What this bubblewrap says that it can do; older ones can do less."""
    return subprocess.run(["bwrap", "--help"], check=False, capture_output=True, text=True, timeout=30).stdout
