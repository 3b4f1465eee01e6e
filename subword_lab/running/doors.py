"""What a process may do in which a learner's code runs: an audit hook and limits of the operating system say no.

The process itself shuts these doors before the learner's code begins. This is protection from accidents: Python asks
the hook before it changes a file or starts a process, but code in C does not have to ask, and whoever looks long enough
finds a way around. Where bubblewrap is installed, a sandbox stands around the process (see `sandbox`), and that is the
protection.
"""

from __future__ import annotations

import builtins
import os
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any


class NotAllowed(PermissionError):
    """The learner's function tried what is shut off while an answer is checked."""


class OwnCode(ImportError):
    """The learner's function uses the package where the exercise asks for code of one's own."""


class ClosedModule(ImportError):
    """As NotAllowed, for a module; an ImportError, so that a library does without it if it can."""


class ClosedFile(NotAllowed):
    """As OwnCode, for reading; an OSError, so that a traceback shown inside just leaves this file's lines out."""


CHANGES = frozenset(
    (
        "os.remove",
        "os.rmdir",
        "os.rename",
        "os.mkdir",
        "os.link",
        "os.symlink",
        "os.chmod",
        "os.chown",
        "os.chflags",
        "os.lchmod",
        "os.truncate",
        "os.utime",
        "os.setxattr",
        "os.removexattr",
        "shutil.rmtree",
    )
)
TWO_PATHS = ("os.rename", "os.link", "os.symlink")
# Where among the arguments of an event a folder's descriptor stands, to which its path is relative; -1 if it is not.
FOLDERS = {
    "os.remove": (1,),
    "os.rmdir": (1,),
    "os.mkdir": (2,),
    "os.rename": (2, 3),
    "os.link": (2, 3),
    "os.symlink": (2,),
    "os.chmod": (2,),
    "os.chown": (3,),
    "os.utime": (3,),
}
ANSWERS = ("exercises", "running")
REFUSED = {
    **dict.fromkeys(
        (
            "os.fork",
            "os.forkpty",
            "os.system",
            "os.exec",
            "os.posix_spawn",
            "os.spawn",
            "os.startfile",
            "os.kill",
            "os.killpg",
            "pty.spawn",
            "subprocess.Popen",
            "signal.pthread_kill",
        ),
        "starting, replacing or signaling a process",
    ),
    **dict.fromkeys(("resource.setrlimit", "resource.prlimit"), "changing its limits"),
    **dict.fromkeys(("ctypes.dlsym", "ctypes.dlsym/handle"), "calling into C libraries"),
    **dict.fromkeys(
        ("gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames"),
        "looking through the memory of its process",
    ),
    "cpython.PyInterpreterState_New": "starting another interpreter",
    "sqlite3.connect": "opening a database",  # from which ATTACH leads to any file
}
# Modules in C that reach files, processes or the network without asking, and that no answer needs.
CLOSED_MODULES = frozenset(
    (
        "_tkinter",
        "readline",
        "zmq",
        "_posixshmem",
        "_xxsubinterpreters",
        "_interpreters",
        "_posixsubprocess",
        "_testcapi",
        "_testinternalcapi",
        "_dbm",
        "_gdbm",
    )
)
# Functions of which no event tells, by the names of their modules.
CLOSED_FUNCTIONS = {
    ("os", "posix"): (
        "mknod",
        "mkfifo",
        "pidfd_open",
        "sched_setaffinity",
        "sched_setscheduler",
        "sched_setparam",
        "setpriority",
        "setns",
        "unshare",
        "chroot",
    ),
    ("signal", "_signal"): ("pidfd_send_signal",),
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def is_closed(module: str, allow: Sequence[str]) -> bool:
    """Whether a learner's function may not use this module: the package, or, where that is allowed, its answers.

    >>> is_closed("subword_lab.bpe", []), is_closed("subword_lab.bpe", ["subword_lab"]), is_closed("re", [])
    (True, False, False)
    """
    package, _, inner = module.partition(".")
    return package == "subword_lab" and (package not in allow or inner.partition(".")[0] in ANSWERS)


def shut_doors(folder: str, package: str, allow: Sequence[str], files: int) -> None:
    """From here on, an audit hook refuses what no answer needs.

    folder: the only one in which files may be written. package: the folder of subword_lab, of which nothing may be
    imported or read; or, if `allow` names subword_lab, nothing of its answers. files: how many may be written.
    """
    for modules, names in CLOSED_FUNCTIONS.items():
        for module in filter(None, map(sys.modules.get, modules)):
            for name in names:
                vars(module).pop(name, None)
    with suppress(ImportError):  # `subprocess` needs it to be imported, which is harmless
        import _posixsubprocess

        vars(_posixsubprocess).update(fork_exec=_refuse_to_start)

    def find_spec(name: str, *_: object) -> None:
        if is_closed(
            name, allow
        ):  # as it would be said of its files, where they are there to be found
            raise OwnCode(f"importing {name}")

    sys.meta_path.insert(0, types.SimpleNamespace(find_spec=find_spec))
    os.supports_dir_fd.clear()  # `shutil` then goes by names, which can be checked
    sys.addaudithook(_hook(_own_copy(_judge)(folder, package, tuple(allow), files)))


def _refuse_to_start(*_: object) -> None:
    raise NotAllowed(REFUSED["os.fork"])


def _hook(judge: Callable[[str, tuple], Exception | None]) -> Callable[[str, tuple], None]:
    def hook(event: str, arguments: tuple, judge: Any = judge) -> None:
        refusal = judge(event, arguments)
        del judge  # the traceback of a refusal shows this frame, and it leads nowhere
        if refusal:
            raise refusal

    return types.FunctionType(hook.__code__, {"__builtins__": {}}, argdefs=hook.__defaults__)


def _own_copy(function: Callable) -> Callable:
    """The function with names of its own for all that it uses, so that it does not matter what is patched later."""
    library = types.SimpleNamespace(**vars(os))
    library.path = types.ModuleType("path")
    paths = {**vars(os.path), "os": library, "__builtins__": dict(vars(builtins))}
    for name, member in vars(os.path).items():
        if isinstance(member, types.FunctionType):
            paths[name] = types.FunctionType(
                member.__code__, paths, name, member.__defaults__, member.__closure__
            )
            paths[name].__kwdefaults__ = member.__kwdefaults__
    vars(library.path).update(paths)
    names = {**globals(), "os": library, "__builtins__": paths["__builtins__"]}
    for name, member in globals().items():
        if isinstance(member, types.FunctionType):
            names[name] = types.FunctionType(
                member.__code__, names, name, member.__defaults__, member.__closure__
            )
    for name in ("FOLDERS", "REFUSED"):
        names[name] = dict(names[name])
    return names[function.__name__]


def _judge(
    folder: str, package: str, allow: tuple[str, ...], files: int
) -> Callable[[str, tuple], Exception | None]:
    """What says why an event is refused; None if it is not."""
    folder, package = os.path.realpath(folder), os.path.realpath(package)
    closed = [os.path.join(package, name) for name in ANSWERS] if allow else [package]
    coding, left = (sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()), files

    def plain(path: Any) -> str:
        path = os.fspath(path)  # a subclass may say something else of itself
        return str.__str__(path) if isinstance(path, str) else bytes.decode(path, *coding)

    def inside(path: str, whole: str) -> bool:
        path = os.path.realpath(path)
        return path == whole or path.startswith(whole + os.sep)

    def check_change(path: Any) -> None:
        if path is not None and not inside(plain(path), folder):
            raise NotAllowed(
                f"writing, renaming or deleting {plain(path)!r}: only the empty folder in which it runs "
                "can be changed"
            )

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise NotAllowed(f"making more than {files} files and folders")

    def check_open(path: Any, mode: str | None, flags: int) -> None:
        if isinstance(path, int) or path is None or path == os.devnull:
            return
        path = plain(path)
        if flags & WRITES:
            check_change(path)
            count()
        elif any(inside(path, whole) for whole in closed):
            raise ClosedFile("reading the files of subword_lab")
        elif mode is None and os.path.isdir(
            path
        ):  # a way to reach files past the names checked here
            raise NotAllowed(
                f"opening the folder {path!r}: only the empty folder in which it runs can be changed, "
                "file by file"
            )

    def check(event: str, arguments: tuple) -> None:
        if event == "open":
            check_open(*arguments)
        elif event == "import":
            name = str.__str__(arguments[0])
            if is_closed(name, allow):
                raise OwnCode(f"importing {name}")
            if name.rpartition(".")[2] in CLOSED_MODULES:
                raise ClosedModule(f"importing {name}")
        elif event == "os.chdir":
            if isinstance(arguments[0], int) or not inside(plain(arguments[0]), folder):
                raise NotAllowed("leaving the empty folder in which it runs")
        elif event in CHANGES:
            if event == "os.mkdir":
                count()
            if any(arguments[place] != -1 for place in FOLDERS.get(event, ())):
                raise NotAllowed("changing a file by the descriptor of its folder")
            for path in arguments[event == "os.symlink" : 2 if event in TWO_PATHS else 1]:
                if isinstance(path, int):
                    if event != "os.truncate":  # which takes only what was opened to be written
                        raise NotAllowed("changing a file by its descriptor")
                else:
                    check_change(path)
        elif event in REFUSED or event.startswith("socket."):
            raise NotAllowed(REFUSED.get(event, "using the network"))

    def judge(event: str, arguments: tuple) -> Exception | None:
        try:
            check(event, arguments)
        except Exception as error:
            return error.with_traceback(None)  # which would lead to everything here
        return None

    return judge


def set_limits(limits: Mapping[str, int]) -> None:
    """Limits that the operating system itself enforces, by the names that it has for them; none on Windows."""
    try:
        import resource
    except ImportError:
        return
    for name, value in limits.items():
        with suppress(AttributeError, ValueError, OSError):  # a system without this limit
            which = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(which)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(which, (value, value))
