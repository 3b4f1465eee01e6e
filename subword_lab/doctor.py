"""Whether this machine has what the course needs: a finding for each thing, with what to do where it is missing."""

import importlib
import os
import platform
import shutil
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

LEAST_SPACE = 100  # megabytes, for the lessons and what running them leaves
PACKAGES = ("jupyterlab", "ipywidgets", "anywidget")
SOON = 2  # seconds; compiled code that is kept on disk is ready before that


@dataclass(frozen=True)
class Finding:
    """How one thing is. problem: what is wrong with it, and what to do; "" if nothing is. needed: by the course.

    >>> print(Finding("browser", "firefox"), Finding("browser", problem="none was found", needed=False), sep="\\n")
    ✓ browser: firefox
    - browser: none was found
    """

    thing: str
    state: str = ""
    problem: str = ""
    needed: bool = True

    def __str__(self) -> str:
        sign = "✗" if self.needed else "-"
        return f"{sign if self.problem else '✓'} {self.thing}: {self.problem or self.state}"


def examine(folder: Path) -> list[Finding]:
    """What there is to say about this machine, and about a folder for the course, which need not be there yet."""
    return [
        Finding("Python", f"{platform.python_version()}, {sys.executable}"),
        *map(_package, PACKAGES),
        _folder(folder),
        _progress(),
        _port(),
        _browser(),
        _engine(),
        _space(folder),
    ]


def _package(name: str) -> Finding:
    try:
        importlib.import_module(name)
        return Finding(name, metadata.version(name))
    except Exception as error:  # whatever an installation that is damaged may raise
        way_out = f"install it with: {sys.executable} -m pip install --force-reinstall {name}"
        return Finding(name, problem=f"it cannot be imported ({error}); {way_out}")


def _folder(folder: Path) -> Finding:
    state = "can be read and written" if folder.exists() else "is made by `subword-lab open`"
    problem = _trouble(folder, sorted(folder.glob("*.ipynb")), "name another folder")
    return Finding("folder of the course", f"{folder.absolute()} {state}", problem)


def _progress() -> Finding:
    record = progress.Progress()
    if record.path is None:
        lost = "kept in memory alone, as SUBWORD_LAB_HOME says, and lost at the end"
        return Finding("progress", problem=lost, needed=False)
    way_out = "name another folder in the variable SUBWORD_LAB_HOME"
    files = [record.path] if record.path.exists() else []
    if problem := _trouble(record.path.parent, files, way_out):
        return Finding("progress", problem=problem)
    record.events()
    state = f"{record.path} can be read and written"
    return Finding("progress", state, "; ".join(record.problems), needed=False)


def _port() -> Finding:
    try:
        port = jupyterlab.free_port(None)
    except CourseError as error:
        return Finding("port", problem=str(error))
    taken = f"{jupyterlab.PORT} is in use, so `subword-lab open` takes another"
    return Finding("port", f"{port} is free" if port == jupyterlab.PORT else taken)


def _browser() -> Finding:
    try:
        return Finding("browser", getattr(webbrowser.get(), "name", "") or "the system's own")
    except webbrowser.Error:
        problem = "none was found; open the address that `subword-lab open` prints yourself"
        return Finding("browser", problem=problem, needed=False)


def _engine() -> Finding:
    engine = engines.find("compiled")
    if engine is None:
        problem = "not installed; large texts are faster with: pip install subword-lab-fast"
        return Finding("engine", problem=problem, needed=False)
    try:
        engine.start([])
    except ImportError as error:
        problem = f"it cannot be started ({error}); Python alone is used"
        return Finding("engine", problem=problem, needed=False)
    later = f"not compiled yet; compile it, once, with: {sys.executable} -m subword_lab_fast"
    return Finding("engine", "compiled" if engine.wait(engines.RATES) < SOON else later)


def _space(folder: Path) -> Finding:
    free = shutil.disk_usage(_existing(folder)).free // 10**6
    state = f"{free} MB are free"
    way_out = f"{state}; the course needs {LEAST_SPACE}, so make room or name another folder"
    return Finding("disk", state, way_out if free < LEAST_SPACE else "")


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that is there."""
    path = path.absolute()
    return next(each for each in (path, *path.parents) if os.path.exists(each))


def _trouble(folder: Path, files: Iterable[Path], way_out: str) -> str:
    """What of a folder, which may still have to be made, and its files cannot be read and written; or ""."""
    path = folder
    try:
        TemporaryFile(dir=_existing(folder)).close()
        for path in files:
            path.open("r+b").close()
    except OSError as error:
        return f"{path} cannot be read and written ({error.strerror or error}); mend that, or {way_out}"
    return ""
