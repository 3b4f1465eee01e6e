"""The sandbox in which strangers' notebooks run: bubblewrap, where this machine has it.

Inside, there is no network and no other process to be seen; of the disk there are only Python, the libraries that the
course uses and the packages of the course, all of it read-only; the home folder and `/tmp` are empty, of limited size,
and gone afterwards. Other submissions, the grades, the real home folder and its keys are not there to be read,
nor are those that Linux keeps for a session, such as tickets of Kerberos. When
whoever started it ends, or kills it, everything that was started inside is gone too.

Beside it, `Session` limits time, memory, processes and what is sent back. What it does not protect from: a flaw in the
Linux kernel; the work of the machine being slowed down while something computes; and a notebook that looks up answers,
since the package with its solutions is what everybody has installed.
"""

import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import subword_lab

PACKAGES = (Path(subword_lab.__path__[0]).resolve(), Path(__file__).resolve().parent.parent)
SYSTEM = (  # of /usr its parts, for in /usr/src a class may have its folder
    *(f"/usr/{part}" for part in "bin sbin lib lib32 lib64 libexec share local/lib".split()),
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
SPACE = "200000000"  # bytes that can be written to each folder that can be written to
HOME = "/sandbox"
EMPTY = ("/tmp", "/dev/shm", HOME)  # the folders that can be written to
# The numbers for Linux of the processor; of calls that are refused: for memory that no process holds, which nobody
# could count, for rings, by which other calls are made, for the keys of sessions, for other processors than a notebook
# has, for the insides of other processes, of which bubblewrap's own is one, and for filters, which the kernel compiles;
# and of calls that are refused with some arguments.
REFUSED = {
    # memfd_create, memfd_secret, shmget, semget, msgget, io_setup, io_uring_setup, three for keys, sched_setaffinity,
    # ptrace, process_vm_readv, process_vm_writev, pidfd_getfd, seccomp, bpf; socket, setsockopt, mmap, fcntl, prctl
    "x86_64": (
        0xC000003E,
        (319, 447, 29, 64, 68, 206, 425, 248, 249, 250, 203, 101, 310, 311, 438, 317, 321),
        (41, 54, 9, 72, 157),
    ),
    "aarch64": (
        0xC00000B7,
        (279, 447, 194, 190, 186, 0, 425, 217, 218, 219, 122, 117, 270, 271, 438, 277, 280),
        (198, 208, 222, 25, 167),
    ),
}
# Unix, IPv4, IPv6, netlink; others may lead out, as to the host of a virtual machine.
SOCKETS = (1, 2, 10, 16)
FILTERS = (26, 50, 51, 52)  # of sockets
SHARED = 0x21  # the flags of a map that is shared, and no file's: it can be there without being in any process
# F_SETLEASE, F_NOTIFY, F_SETDELEG: with a lease on a file, which can be had for reading, whoever opens it has to wait,
# outside too.
LEASES = (1024, 1026, 1040)
SET_SECCOMP = 22
# A step of a program for Linux: what it does, with which number, and how many steps it passes over, if that holds and
# if not, or to which end it goes.
Step = tuple[int, int, int, int]
LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
REFUSE, LET = -1, -2
PROCESSES = 48  # and threads, at once
PYTHON = ("bin", "include", "lib", "lib64", "share", "pyvenv.cfg")  # in its folder


def is_installed() -> bool:
    """Whether there is bubblewrap on this machine; whether it works, `trial` finds out."""
    return sys.platform == "linux" and shutil.which("bwrap") is not None


def bubblewrap(rules: Sequence[int] = ()) -> list[str]:
    """The command that is put in front of another one to run it in the sandbox. rules: see `refusals`."""
    space = ["--size", SPACE] if "--size" in _options() else []
    command = [
        *"bwrap --unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL".split(),
        *"--uid 1000 --gid 1000 --hostname sandbox".split(),
        *["--disable-userns"] * ("--disable-userns" in _options()),
        *(word for rule in rules for word in ("--seccomp", str(rule))),
        *[*space, "--tmpfs", "/tmp"],
    ]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            command += ["--ro-bind", path, path]
    for file in _outermost([*_python_folders(), *PACKAGES]):
        command += ["--ro-bind", str(file), str(file)]
    for folder in {parent for package in PACKAGES for parent in package.parents}:
        if (history := folder / ".git").is_dir():  # of a clone, in which answers could be read
            command += ["--tmpfs", str(history), "--remount-ro", str(history)]
    return [
        *command,
        # Settings of the whole machine are files there, which root can write to from inside, too.
        *["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
        *["--dev-bind", "/dev/null", "/dev/zero"],  # of which a map would be such memory
        *[*space, "--tmpfs", "/dev/shm", *space, "--tmpfs", HOME],
        *["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME, "--"],
    ]


def _refused_with(call: int, place: int, values: Sequence[int], level: int = 0) -> list[Step]:
    """Steps that refuse a call with one of some values in a place; level: and with this one in the place before."""
    steps: list[Step] = [(LOAD, 16 + 8 * place, 0, 0), *((EQUAL, one, REFUSE, 0) for one in values)]
    steps[-1] = (EQUAL, values[-1], REFUSE, LET)
    if level:
        steps[:0] = [(LOAD, 8 + 8 * place, 0, 0), (EQUAL, level, 0, LET)]
    return [(EQUAL, call, 0, len(steps)), *steps]


@contextmanager
def refusals() -> Iterator[list[int]]:
    """For as long as this lasts, a file from which bubblewrap reads which calls to Linux are refused inside.

    It is a program for Linux: calls of another processor's, and with other numbers, are refused, too. Of sockets, it
    lets those of `SOCKETS` alone be made.
    """
    processor, calls, some = REFUSED.get(platform.machine(), (0, (), (0, 0, 0, 0, 0)))
    socket, setsockopt, mmap, fcntl, prctl = some
    steps: list[Step] = [
        *[(LOAD, 4, 0, 0), (EQUAL, processor, 0, REFUSE), (LOAD, 0, 0, 0)],
        (AT_LEAST, 0x40000000, REFUSE, 0),
        *((EQUAL, call, REFUSE, 0) for call in calls),
        *_refused_with(fcntl, 1, LEASES),
        *_refused_with(prctl, 0, [SET_SECCOMP]),
        *_refused_with(setsockopt, 2, FILTERS, level=1),
        *[(EQUAL, mmap, 0, 3), (LOAD, 40, 0, 0), (AND, SHARED, 0, 0), (EQUAL, SHARED, REFUSE, LET)],
        *[(EQUAL, socket, 0, LET), (LOAD, 16, 0, 0), *((EQUAL, kind, LET, 0) for kind in SOCKETS)],
        *[(RETURN, 0x50000 | errno.ENOSYS, 0, 0), (RETURN, 0x7FFF0000, 0, 0)],
    ]
    ends = {REFUSE: len(steps) - 2, LET: len(steps) - 1}
    program = b"".join(
        struct.pack("HBBI", what, *(ends[to] - place if to in ends else to for to in where), number)
        for place, (what, number, *where) in enumerate(steps, start=1)
    )
    with tempfile.TemporaryFile() as file:
        file.write(program)
        file.seek(0)
        yield [file.fileno()] if calls else []


def libraries() -> list[str]:
    """The folders with installed libraries, in which a notebook's Python looks beside those that it finds by itself."""
    return [
        os.path.abspath(entry)
        for entry in sys.path
        if os.path.basename(entry) in ("site-packages", "dist-packages") and os.path.isdir(entry)
    ]


def _python_folders() -> list[Path]:
    """What Python consists of, and not all that lies beside it: a class's folder may be its environment, too."""
    named = [
        Path(prefix, part)
        for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)
        for part in PYTHON
    ]
    return [
        file
        for path in [*named, *map(Path, libraries())]
        for file in (path, path.resolve())
        if file.exists()
    ]


def _outermost(files: Sequence[Path]) -> list[Path]:
    """Each file or folder once, without what others, or the system's folders, hold already; outer ones first."""
    system = {*map(Path, SYSTEM)}
    every = {*files, *system}
    return sorted(
        file
        for file in every - system
        if not any(file.is_relative_to(other) for other in every - {file})
    )


@cache
def _options() -> str:
    """What this bubblewrap says that it can do; older ones can do less."""
    return subprocess.run(
        ["bwrap", "--help"], check=False, capture_output=True, text=True, timeout=30
    ).stdout
