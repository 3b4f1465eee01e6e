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
# The numbers for Linux of the processor, of the calls for sockets, for maps of memory, of which no anonymous one may be
# shared, and for open files, on which no lease is given, and of calls that are refused: for memory that no process
# holds, which nobody could count, for rings, by which other calls are made, for the keys of sessions, for other
# processors than a notebook has, and for the insides of other processes, of which bubblewrap's own is one.
REFUSED = {
    # memfd_create, memfd_secret, shmget, semget, msgget, io_uring_setup, three for keys, sched_setaffinity, ptrace,
    # process_vm_readv, process_vm_writev, pidfd_getfd
    "x86_64": (
        *(0xC000003E, 41, 9, 72),
        (319, 447, 29, 64, 68, 425, 248, 249, 250, 203, 101, 310, 311, 438),
    ),
    "aarch64": (
        *(0xC00000B7, 198, 222, 25),
        (279, 447, 194, 190, 186, 425, 217, 218, 219, 122, 117, 270, 271, 438),
    ),
}
# Unix, IPv4, IPv6, netlink; others may lead out, as to the host of a virtual machine.
SOCKETS = (1, 2, 10, 16)
SHARED = 0x21  # the flags of a map that is shared, and no file's: it can be there without being in any process
# F_SETLEASE, F_NOTIFY: with a lease on a file, which can be had for reading, whoever opens it has to wait, outside too.
LEASES = (1024, 1026)
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


@contextmanager
def refusals() -> Iterator[list[int]]:
    """For as long as this lasts, a file from which bubblewrap reads which calls to Linux are refused inside.

    It is a program for Linux: calls of another processor's, and with other numbers, are refused, too. Of sockets, it
    lets those of `SOCKETS` alone be made.
    """
    processor, socket, mmap, fcntl, calls = REFUSED.get(platform.machine(), (0, 0, 0, 0, ()))
    kinds, (lease, notice) = len(SOCKETS), LEASES
    refused = len(calls) + kinds + 14  # the step that refuses; the one behind it lets the call pass
    steps = [
        *[(0x20, 0, 0, 4), (0x15, 0, refused - 2, processor)],  # load, and go on if equal
        *[(0x20, 0, 0, 0), (0x35, refused - 4, 0, 0x40000000)],
        *((0x15, refused - 5 - place, 0, call) for place, call in enumerate(calls)),
        *[(0x15, 0, 3, fcntl), (0x20, 0, 0, 24)],
        *[(0x15, kinds + 7, 0, lease), (0x15, kinds + 6, kinds + 7, notice)],
        *[(0x15, 0, 3, mmap), (0x20, 0, 0, 40), (0x54, 0, 0, SHARED)],
        (0x15, kinds + 2, kinds + 3, SHARED),
        *[(0x15, 0, kinds + 2, socket), (0x20, 0, 0, 16)],
        *((0x15, kinds - place, 0, kind) for place, kind in enumerate(SOCKETS)),
        *[(0x06, 0, 0, 0x50000 | errno.ENOSYS), (0x06, 0, 0, 0x7FFF0000)],
    ]
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(struct.pack("HBBI", *step) for step in steps))
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
