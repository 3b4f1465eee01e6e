"""Whether this machine has what the course needs: a finding for each thing, with what to do where it is missing."""

import importlib
import os
import platform
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryFile

from . import engines, jupyterlab
from .exercises import progress
from .files import CourseError

LEAST_PYTHON = (3, 11)
LEAST_SPACE = 100  # megabytes, for the lessons and what running them leaves
PACKAGES = ("jupyterlab", "ipywidgets", "anywidget")
SOON = 2  # seconds; compiled code that is kept on disk is ready before that


@dataclass(frozen=True)
class Finding:
    """What was found about one thing. good: there is nothing to do. needed: the course does not work without it.

    >>> print(Finding("browser", "none was found", good=False, needed=False))
    - browser: none was found
    """

    thing: str
    message: str
    good: bool = True
    needed: bool = True

    def __str__(self) -> str:
        sign = "✗" if self.needed else "-"
        return f"{'✓' if self.good else sign} {self.thing}: {self.message}"


def examine(folder: Path) -> list[Finding]:
    """What there is to say about this machine, and about a folder for the course, which need not be there yet."""
    return [
        _python(),
        *map(_package, PACKAGES),
        _folder(folder),
        _progress(),
        _port(),
        _browser(),
        _engine(),
        _bubblewrap(),
        _space(folder),
    ]


def _python() -> Finding:
    least = ".".join(map(str, LEAST_PYTHON))
    if sys.version_info[:2] < LEAST_PYTHON:
        found = f"this is {platform.python_version()}; install Python {least} or later"
        return Finding("Python", found, good=False)
    return Finding("Python", f"{platform.python_version()}, {sys.executable}")


def _package(name: str) -> Finding:
    try:
        importlib.import_module(name)
        return Finding(name, metadata.version(name))
    except Exception as error:  # whatever an installation that is damaged may raise
        reason = f"{type(error).__name__}: {error}"
    way_out = f"install it with: {sys.executable} -m pip install --force-reinstall {name}"
    return Finding(name, f"it cannot be imported ({reason}); {way_out}", good=False)


def _folder(folder: Path) -> Finding:
    if trouble := _trouble(folder, sorted(folder.glob("*.ipynb"))):
        message = f"{trouble}; mend that, or name another folder"
        return Finding("folder of the course", message, good=False)
    state = "can be read and written" if folder.exists() else "is made by `subword-lab open`"
    return Finding("folder of the course", f"{folder.absolute()} {state}")


def _progress() -> Finding:
    record = progress.Progress()
    if record.path is None:
        message = "kept in memory alone, as SUBWORD_LAB_HOME says, and lost at the end"
        return Finding("progress", message, good=False, needed=False)
    if trouble := _trouble(record.path.parent, [record.path] if record.path.exists() else []):
        message = f"{trouble}; mend that, or name another folder in the variable SUBWORD_LAB_HOME"
        return Finding("progress", message, good=False)
    record.events()
    if record.problems:
        return Finding("progress", "; ".join(record.problems), good=False, needed=False)
    return Finding("progress", f"{record.path} can be read and written")


def _port() -> Finding:
    try:
        port = jupyterlab.free_port(None)
    except CourseError as error:
        return Finding("port", str(error), good=False)
    if port != jupyterlab.PORT:
        return Finding("port", f"{jupyterlab.PORT} is in use, so `subword-lab open` takes another")
    return Finding("port", f"{port} is free")


def _browser() -> Finding:
    try:
        return Finding("browser", getattr(webbrowser.get(), "name", "") or "the system's own")
    except webbrowser.Error:
        message = "none was found; open the address that `subword-lab open` prints yourself"
        return Finding("browser", message, good=False, needed=False)


def _engine() -> Finding:
    engine = engines.find("compiled")
    if engine is None:
        message = "not installed; large texts are faster with: pip install subword-lab-fast"
        return Finding("engine", message, good=False, needed=False)
    try:
        engine.start([])
    except ImportError as error:
        message = f"it cannot be started ({error}); Python alone is used"
        return Finding("engine", message, good=False, needed=False)
    seconds = engine.wait(engines.RATES)
    if seconds < SOON:
        return Finding("engine", "compiled")
    return Finding("engine", f"not compiled yet; that takes about {seconds:.0f} seconds, once")


def _bubblewrap() -> Finding:
    """Whether the sandbox for marking begins at all; `subword-lab grade` tries out more."""
    command = shutil.which("bwrap")
    message = "not installed; `subword-lab grade` alone needs it, on Linux: apt install bubblewrap"
    if command:
        trial = [command, "--unshare-all", "--ro-bind", "/", "/", "true"]
        done = subprocess.run(trial, capture_output=True, text=True, check=False)
        if not done.returncode:
            return Finding("bubblewrap", f"{command}, for marking")
        message = (
            f"it does not work here ({done.stderr.strip()}); `subword-lab grade` alone needs it"
        )
    return Finding("bubblewrap", message, good=False, needed=False)


def _space(folder: Path) -> Finding:
    free = shutil.disk_usage(_existing(folder)).free // 10**6
    if free < LEAST_SPACE:
        message = f"{free} MB are free; the course needs {LEAST_SPACE}, so make room or name another folder"
        return Finding("disk", message, good=False)
    return Finding("disk", f"{free} MB are free")


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that is there."""
    path = path.absolute()
    return next(each for each in (path, *path.parents) if os.path.exists(each))


def _trouble(folder: Path, files: Iterable[Path]) -> str:
    """Which of a folder, which may still have to be made, and its files cannot be read and written, and why; or ""."""
    path = folder
    try:
        next(_existing(folder).iterdir(), None)
        with TemporaryFile(dir=_existing(folder)):
            pass
        for path in files:
            with open(path, "r+b"):
                pass
    except OSError as error:
        return f"{path} cannot be read and written ({error.strerror or error})"
    return ""
