"""A learner's working copy of the lessons.

The originals come with the package. What a learner has changed is never written over: a small record in the folder
remembers which original each file came from, and so tells a changed file from one that merely is old.
"""

import json
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

from .files import LARGEST, CourseError, led_away, read_bounded, write_whole

RECORD = ".subword-lab.json"
LOADS = r"""\b(\w+) = load\(["']([\w-]+)["']"""
CHECKS = r"^(\w+)\.check\("
# A text in code, or a comment; one without an end ends where it can.
TEXT = (
    r"""(\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)"""
    r"""|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|#.*)"""
)
MOST_KEPT = 4_000_000  # characters of answers, of which a cell with several is kept for each
UNTOUCHED = r"\.check\((\.\.\.)?\)|^ +\.\.\.(?: *#.*)?$"  # `...` still stands where an answer would


# What may become of a file, and what a learner is told about it.
OUTCOMES = {
    "added": "Copied into {folder}: {names}",
    "renewed": "Brought up to date, as you had written nothing in it: {names}",
    "outdated": "There is a newer original, and yours was left as it is: {names}. To get the new one, rename yours and "
    "run this command again, or run it with --take-over, which carries your answers along.",
    "foreign": "A file of this name was already there, and was left as it is: {names}. To get the lesson, rename yours "
    "and run this command again.",
}


def copy_lessons(originals: Path, folder: Path) -> dict[str, list[str]]:
    """Bring every lesson that is missing or out of date from `originals` into `folder`, which is made if need be.

    A file that is missing is copied. A file that is as it was copied, or a notebook that was only run (the same cells
    with the same text), is replaced when there is a newer original. Every other file stays as it is, and what a link
    leads to, too.

    Returns the files' names for each of OUTCOMES. Raises CourseError if the folder cannot be made or written.
    """
    report: dict[str, list[str]] = {outcome: [] for outcome in OUTCOMES}
    if folder.resolve() == originals.resolve():
        return report
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record = _read_record(folder)
        for original in _files(originals):
            name = original.relative_to(originals).as_posix()
            if came_from := _copy(original, folder, record.pop(name, None), name, report):
                record[name] = came_from
        _write_record(folder, record)
    except (FileExistsError, NotADirectoryError):
        raise CourseError(f"{folder} is a file, or lies under one; name a folder") from None
    except OSError as error:
        raise CourseError(
            f"the folder {folder} cannot be written ({error.strerror or error}); name another one, "
            "for example: subword-lab open ~/subword-lab-course"
        ) from None
    return report


@contextmanager
def renewed(folder: Path) -> Iterator[Path]:
    """A place for what a command writes; in the end, what is there goes into `folder` by the same rule.

    Raises CourseError as `copy_lessons` does, and for files that were left as they were, when all others are written.
    """
    with TemporaryDirectory() as new:
        yield Path(new)
        report = copy_lessons(Path(new), folder)
    if left := report["outdated"] + report["foreign"]:
        raise CourseError(
            "\n".join(
                f"{folder / name} has been changed, and is left as it is; to get the new one, rename yours and run the "
                "same command again"
                for name in left
            )
        )


def _copy(
    original: Path, folder: Path, came_from: dict | None, name: str, report: dict[str, list[str]]
) -> dict | None:
    """Bring one file up to date if nothing of the learner's is lost; return the record of the original it is now."""
    copy = folder / name
    newest, mine = _fingerprint(original), _fingerprint(copy) if copy.is_file() else None
    if mine and newest in (
        mine,
        came_from,
    ):  # as it should be; or changed or run, and not out of date
        return newest
    if led_away(copy, folder) or (mine and came_from is None):
        report["foreign"].append(name)
    elif mine and came_from and came_from["cells"] != mine["cells"]:
        report["outdated"].append(name)
    else:
        copy.parent.mkdir(parents=True, exist_ok=True)
        write_whole(copy, _for_this_python(original))
        if copy.suffix == ".ipynb":
            _trust(copy)
        report["renewed" if mine else "added"].append(name)
        return newest
    return came_from


# ------------------------------------------------------------------------------------------------- a newer edition


def take_over(originals: Path, folder: Path, name: str) -> tuple[Path, int]:
    """Bring an outdated lesson up to date, with the learner's answers in it.

    Answers are found by the ids of their exercises; those whose exercise is gone stand at the end. Returns where the
    learner's own file is kept, as it was, and how many answers were taken over.

    Raises CourseError if the lesson or its copy cannot be read or written.
    """
    copy, original = folder / name, originals / name
    try:
        mine = read_bounded(copy)
        answers = _answers(json.loads(mine))
        merged = _with_answers(json.loads(original.read_bytes()), answers)
        kept = next(
            path
            for number in range(1, 1000)
            if not os.path.lexists(path := copy.with_name(f"{copy.stem}.old-{number}{copy.suffix}"))
        )
        with open(kept, "xb") as file:  # a link there leads nowhere
            file.write(mine)
        write_whole(copy, json.dumps(merged, indent=1, ensure_ascii=False) + "\n")
        _write_record(folder, {**_read_record(folder), name: _fingerprint(original)})
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        StopIteration,
    ) as error:
        raise CourseError(
            f"the answers in {copy} cannot be taken over ({type(error).__name__}); it was left as it "
            "is"
        ) from None
    return kept, len(answers)


def _code_cells(notebook: dict) -> Iterator[tuple[dict, str]]:
    """The code cells of a notebook, each with its source."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, "".join(cell["source"])


def _answers(notebook: dict) -> dict[str, str]:
    """Exercise id -> the code of the last cell that answers it; without those in which nothing was written yet."""
    answers, loaded, kept = dict[str, str](), dict[str, str](), 0
    for _, source in _code_cells(notebook):
        loaded |= dict(re.findall(LOADS, source))
        checked = {loaded.get(name): name for name in re.findall(CHECKS, source, re.MULTILINE)}
        if re.search(UNTOUCHED, source, re.MULTILINE):
            continue
        kept += len(checked) * len(source)
        if kept > MOST_KEPT:
            raise ValueError(f"its answers have more than {MOST_KEPT:,} characters")
        for id, name in checked.items():
            if id:  # the variable has the name that lessons give it, whatever it was
                answers[id] = _renamed(source, name, id.replace("-", "_"))
    return answers


def _renamed(source: str, name: str, new: str) -> str:
    """The code with another name for a variable; texts, comments and attributes stay as they are.

    >>> _renamed("t.check('t')  # t", "t", "bpe_06")
    "bpe_06.check('t')  # t"
    """
    return re.sub(rf"{TEXT}|(?<![\w.]){name}\b", lambda part: part[1] or new, source)


def _with_answers(newest: dict, answers: dict[str, str]) -> dict:
    """A lesson with these answers in their cells, and those for which it has none in a cell at its end."""
    left = dict(answers)
    for cell, source in _code_cells(newest):
        for name in re.findall(CHECKS, source, re.MULTILINE):
            if answer := left.pop(name.replace("_", "-"), None):
                cell.update(
                    source=answer.splitlines(keepends=True), outputs=[], execution_count=None
                )
    if left:
        text = "From your earlier copy: answers to exercises that are no longer in this lesson.\n\n"
        for id, source in left.items():
            text += f"`{id}`\n\n{indent(source, '    ')}\n\n"
        about = {"cell_type": "markdown", "id": "earlier-answers", "metadata": {}}
        newest["cells"].append({**about, "source": text.splitlines(keepends=True)})
    return newest


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(
            part.startswith((".", "__")) for part in path.relative_to(folder).parts
        ):
            yield path


def _fingerprint(path: Path) -> dict[str, str]:
    """A file's content as two hashes: of all of it, as far as LARGEST, and of what a person writes in it."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    return {
        "file": sha256(data).hexdigest(),
        "cells": sha256(_written(data)).hexdigest(),
    }


def _written(data: bytes) -> bytes:
    """Of a notebook the cells without what running and looking change in them; of any other file everything."""
    try:
        cells = [
            (
                cell["cell_type"],
                "".join(cell["source"]),
                cell.get("attachments"),
                cell["metadata"].get("tags"),
            )
            for cell in json.loads(data)["cells"]
        ]
        return json.dumps(cells, sort_keys=True).encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return data


def _read_record(folder: Path) -> dict[str, dict[str, str]]:
    """File name -> fingerprint of the original it came from. A damaged record counts as none: then all files stay.

    Raises CourseError for a link, which leads to another file, and for a pipe, which would be waited for.
    """
    path = folder / RECORD
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise CourseError(f"{path} is a link, or no file; remove it, and run the command again")
    try:
        return {
            name: {"file": entry["file"], "cells": entry["cells"]}
            for name, entry in json.loads(read_bounded(path))["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _write_record(folder: Path, record: dict[str, dict[str, str]]) -> None:
    about = "Which original each lesson came from. subword-lab open reads this to leave your changes alone."
    write_whole(folder / RECORD, json.dumps({"about": about, "files": record}, indent=1) + "\n")


def _for_this_python(original: Path) -> bytes:
    """A file's content; a notebook names the Python that runs it here, as JupyterLab would otherwise change it."""
    data = original.read_bytes()
    version = f'"version": "{platform.python_version()}"'.encode()
    return re.sub(rb'"version": "3[\d.]*"', version, data) if original.suffix == ".ipynb" else data


def _trust(path: Path) -> None:
    """Mark a notebook of ours as trusted, so that JupyterLab shows its saved figures before anything is run."""
    with suppress(ImportError, OSError):  # without it, the figures show once a cell is run
        import nbformat
        from nbformat.sign import NotebookNotary

        notary = NotebookNotary()
        notary.sign(nbformat.read(path, as_version=4))
        notary.store.close()
