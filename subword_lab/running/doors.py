"""What a process may do in which a learner's code runs: an audit hook and limits of the operating system say no.

The process itself shuts these doors before the learner's code begins; Python code cannot open them again.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any


class NotAllowed(PermissionError):
    """The learner's function tried what is shut off while an answer is checked."""


class OwnCode(ImportError):
    """The learner's function uses the package where the exercise asks for code of one's own."""


class ClosedFile(NotAllowed):
    """As OwnCode, for reading; an OSError, so that a traceback shown inside just leaves this file's lines out."""


CHANGES = ("os.remove", "os.rmdir", "os.rename", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.chflags", "os.lchmod", "os.truncate", "os.utime", "os.setxattr", "os.removexattr", "shutil.rmtree",
           "sqlite3.connect")
ANSWERS = ("exercises", "workshop", "running")
REFUSED = {
    **dict.fromkeys(("os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile",
                     "os.kill", "os.killpg", "pty.spawn", "subprocess.Popen"),
                    "starting, replacing or signaling a process"),
    **dict.fromkeys(("resource.setrlimit", "resource.prlimit"), "changing its limits"),
    **dict.fromkeys(("ctypes.dlsym", "ctypes.dlsym/handle"), "calling into C libraries"),
}
TWO_PATHS = ("os.rename", "os.link", "os.symlink")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def is_closed(module: str, allow: Sequence[str]) -> bool:
    """Whether a learner's function may not use this module: the package, or, where that is allowed, its answers.

    >>> is_closed("subword_lab.bpe", []), is_closed("subword_lab.bpe", ["subword_lab"]), is_closed("re", [])
    (True, False, False)
    """
    package, _, inner = module.partition(".")
    return package == "subword_lab" and (package not in allow or inner.partition(".")[0] in ANSWERS)


def shut_doors(folder: str, package: str, allow: Sequence[str], files: int) -> None:
    """From here on, an audit hook, which Python code cannot take away again, refuses what no answer needs.

    folder: the only one in which files may be written. package: the folder of subword_lab, of which nothing may be
    imported or read; or, if `allow` names subword_lab, nothing of its answers. files: how many may be written.
    """
    folder, package = os.path.realpath(folder), os.path.realpath(package)
    closed = [os.path.join(package, name) for name in ANSWERS] if allow else [package]
    left = files

    def inside(path: Any, whole: str) -> bool:
        path = os.path.realpath(os.fsdecode(path))
        return path == whole or path.startswith(whole + os.sep)

    def check_change(path: Any) -> None:
        if not isinstance(path, int) and path is not None and not inside(path, folder):
            raise NotAllowed(f"writing, renaming or deleting {os.fsdecode(path)!r}: only the empty folder in which it "
                             "runs can be changed")

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise NotAllowed(f"making more than {files} files and folders")

    def check_open(path: Any, mode: str | None, flags: int) -> None:
        if isinstance(path, int) or path is None or path == os.devnull:
            return
        if flags & WRITES:
            check_change(path)
            count()
        elif any(inside(path, whole) for whole in closed):
            raise ClosedFile("reading the files of subword_lab")
        elif mode is None and os.path.isdir(path):              # a way to reach files past the names checked here
            check_change(path)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            check_open(*arguments)
        elif event == "import":
            if is_closed(arguments[0], allow):
                raise OwnCode(f"importing {arguments[0]}")
        elif event in CHANGES:
            if event == "os.mkdir":
                count()
            for path in arguments[event == "os.symlink":2 if event in TWO_PATHS else 1]:
                check_change(path)
        elif event in REFUSED or event.startswith("socket."):
            raise NotAllowed(REFUSED.get(event, "using the network"))

    sys.addaudithook(hook)


def set_limits(limits: Mapping[str, int]) -> None:
    """Limits that the operating system itself enforces, by the names that it has for them; none on Windows."""
    try:
        import resource
    except ImportError:
        return
    for name, value in limits.items():
        with suppress(AttributeError, ValueError, OSError):     # a system without this limit
            which = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(which)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(which, (value, value))
