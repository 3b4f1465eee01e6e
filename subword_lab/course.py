"""A learner's working copy of the lessons, and JupyterLab on it.

The originals come with the package. What a learner has changed is never written over: a small record in the folder
remembers which original each file came from, and so tells a changed file from one that merely is old.
"""
from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

RECORD = ".subword-lab.json"
SETTINGS = Path(__file__).parent / "jupyter"            # for JupyterLab: no pop-up asks about Jupyter news
FIRST_LESSON = "00_text_to_tokens.ipynb"
PORT = 8888


class CourseError(Exception):
    """Something stands in the way of opening the course; the message says what, and what to do."""


# ---------------------------------------------------------------------------------------------------- the working copy

@dataclass
class CopyReport:
    """What `copy_lessons` did: names of files, relative to the folder."""
    added: list[str] = field(default_factory=list)                                              # were not there
    renewed: list[str] = field(default_factory=list)                        # unchanged by the learner, now up to date
    outdated: list[str] = field(default_factory=list)                 # the learner's, left; a newer original exists
    foreign: list[str] = field(default_factory=list)                # there before the course came, and not one of ours


def lessons_folder() -> Path:
    """Where the original lessons are: in the package, or beside it in a clone.

    Raises CourseError if this installation has none.
    """
    package = Path(__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise CourseError("the lessons are not part of this installation; install it again with "
                      f"{sys.executable} -m pip install --force-reinstall subword-lab")


def copy_lessons(originals: Path, folder: Path) -> CopyReport:
    """Bring every lesson that is missing or out of date from `originals` into `folder`, which is made if need be.

    A file that is missing is copied. A file that is as it was copied, or a notebook that was only run (the same cells
    with the same text), is replaced when there is a newer original. Every other file stays as it is.

    Raises CourseError if the folder cannot be made or written.
    """
    if folder.resolve() == originals.resolve():
        return CopyReport()
    report = CopyReport()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record = _read_record(folder)
        for original in _files(originals):
            name = original.relative_to(originals).as_posix()
            record[name] = _copy(original, folder / name, record.get(name), name, report)
        _write_record(folder, {name: entry for name, entry in record.items() if entry})
    except (FileExistsError, NotADirectoryError):
        raise CourseError(f"{folder} is a file, or lies under one; name a folder") from None
    except OSError as error:
        raise CourseError(f"the folder {folder} cannot be written ({error.strerror or error}); name another one, "
                          "for example: subword-lab open ~/subword-lab-course") from None
    return report


def _copy(original: Path, copy: Path, came_from: dict | None, name: str, report: CopyReport) -> dict | None:
    """Bring one file up to date if nothing of the learner's is lost; return the record of the original it is now."""
    newest = _fingerprint(original)
    if not copy.exists():
        list_of_names = report.added
    elif _fingerprint(copy) == newest:
        return newest
    elif came_from is None:
        report.foreign.append(name)
        return None
    elif came_from == newest:
        return came_from                                                         # changed or run, and not out of date
    elif came_from["cells"] == _fingerprint(copy)["cells"]:
        list_of_names = report.renewed
    else:
        report.outdated.append(name)
        return came_from
    copy.parent.mkdir(parents=True, exist_ok=True)
    unfinished = copy.with_name(copy.name + ".part")
    shutil.copyfile(original, unfinished)
    os.replace(unfinished, copy)
    _trust(copy)
    list_of_names.append(name)
    return newest


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith((".", "__")) for part in parts):
            yield path


def _fingerprint(path: Path) -> dict[str, str]:
    """A file's content as two hashes: of all of it, and of what a person writes in it."""
    data = path.read_bytes()
    return {"file": sha256(data).hexdigest(), "cells": sha256(_written(data, path.suffix)).hexdigest()}


def _written(data: bytes, suffix: str) -> bytes:
    """Of a notebook the cells without what running and looking change in them; of any other file everything."""
    if suffix != ".ipynb":
        return data
    try:
        cells = [(cell["cell_type"], "".join(cell["source"]), cell.get("attachments"), cell["metadata"].get("tags"))
                 for cell in json.loads(data)["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        return data
    return json.dumps(cells, sort_keys=True).encode()


def _read_record(folder: Path) -> dict[str, dict[str, str]]:
    """File name -> fingerprint of the original it came from. A damaged record counts as none: then all files stay."""
    try:
        entries = json.loads((folder / RECORD).read_bytes())["files"]
        return {name: {"file": entry["file"], "cells": entry["cells"]} for name, entry in entries.items()}
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_record(folder: Path, record: dict[str, dict[str, str]]) -> None:
    about = "Which original each lesson came from. subword-lab open reads this to leave your changes alone."
    unfinished = folder / f"{RECORD}.part"
    unfinished.write_text(json.dumps({"about": about, "files": record}, indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, folder / RECORD)


def _trust(path: Path) -> None:
    """Mark a notebook of ours as trusted, so that JupyterLab shows its saved figures before anything is run."""
    if path.suffix != ".ipynb" or not importlib.util.find_spec("nbformat"):
        return
    import nbformat
    from nbformat.sign import NotebookNotary

    with suppress(OSError):                                           # without it, the figures show once a cell is run
        notary = NotebookNotary()
        notary.sign(nbformat.read(path, as_version=4))
        notary.store.close()


# ---------------------------------------------------------------------------------------------------------- JupyterLab

@contextmanager
def jupyterlab(folder: Path, *, port: int | None = None,
               browser: bool = True) -> Iterator[tuple[str, subprocess.Popen]]:
    """Start JupyterLab in `folder`, wait until it answers, and end it afterwards. Yields its address and its process.

    port: None takes 8888, or any other that is free; 0 takes any that is free.

    Raises CourseError if JupyterLab is missing, the port is in use, or the server does not start.
    """
    if not importlib.util.find_spec("jupyterlab"):
        raise CourseError(f"JupyterLab is not installed for {sys.executable}; "
                          f"install it with: {sys.executable} -m pip install jupyterlab")
    port = _free_port(port)
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    page = f"/lab/tree/{FIRST_LESSON}" if (folder / FIRST_LESSON).exists() else "/lab"
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}",
               "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
               "--ServerApp.answer_yes=True",                                      # Ctrl-C closes it without a question
               "--Application.log_level=ERROR", f"--LabApp.default_url={page}",
               *["--no-browser"] * (not browser), *["--allow-root"] * (getattr(os, "geteuid", lambda: 1)() == 0)]
    settings = [str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    env = {**os.environ, "JUPYTER_TOKEN": token, "JUPYTER_CONFIG_PATH": os.pathsep.join(settings)}
    process = subprocess.Popen(command, env=env)
    try:
        _wait_until_up(process, port)
        yield f"http://127.0.0.1:{port}{page}?token={token}", process
    finally:
        _end(process)


def _free_port(port: int | None) -> int:
    wanted = [PORT, 0] if port is None else [port]
    for number in wanted:
        with socket.socket() as probe:
            if sys.platform != "win32":                          # as the server does: a port just left is free again
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", number))
            except OSError as error:
                reason = error.strerror or error
                continue
            return probe.getsockname()[1]
    raise CourseError(f"port {port} cannot be used ({reason}); leave --port out to take any that is free")


def _wait_until_up(process: subprocess.Popen, port: int, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise CourseError(f"JupyterLab ended at once, with exit code {process.returncode}; "
                              "what it wrote above says why")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise CourseError(f"JupyterLab did not answer within {seconds:.0f} seconds")


def _end(process: subprocess.Popen) -> None:
    """Ask the server to stop, which ends its kernels too, and insist if it does not."""
    with _undisturbed():
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C must not leave the server behind."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
