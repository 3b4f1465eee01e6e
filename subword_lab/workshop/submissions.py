"""What was handed in: the notebooks of a folder, whose they are, and the code in them.

Whose a notebook is, is read from its path below the folder:
- as nbgrader collects: what follows a folder `submitted` (`submitted/kim/homework/01_bpe.ipynb` is kim's);
- Moodle's `Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb`, or `..._file_01_bpe.ipynb`: Kim Lee, 12345;
- Canvas's `leekim_123_456_01_bpe.ipynb` (also with `_LATE_`): leekim, 123;
- Blackboard's `Homework_klee_attempt_2026-01-31-12-00-00_01_bpe.ipynb`: klee;
- else the first folder, or, for a notebook that lies in no folder, the name of its file.
A zip file stands for a folder of its name; links are not followed.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

LARGEST = 50_000_000                            # bytes of a notebook, with its outputs
LARGEST_CODE = 2_000_000                        # characters of its code
MOST_CELLS = 5_000
MOST_MEMBERS = 1_000                            # of a zip file
STAMP = "subword_lab"                           # where in a notebook's metadata it stands to whom it was handed out
PLATFORMS = (
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_",
    r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_.+",
    r".+_(?P<name>[^_]+)_attempt_\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d",
)


class Refused(ValueError):
    """A notebook that cannot be read; the message says why."""


@dataclass(frozen=True)
class Learner:
    """Who handed something in: the name, and the number that a platform gave, or else the name again."""
    name: str
    id: str


@dataclass(frozen=True)
class Submission:
    """A notebook of a learner, not yet read. path: the file; member: the notebook inside it, if it is a zip file.

    label: where it was found, below the folder. problem: why it cannot be read, as far as that is known already.
    """
    learner: Learner
    label: str
    path: Path
    member: str = ""
    problem: str = ""

    def read(self) -> bytes:
        """Its bytes, of which there are at most LARGEST; Refused if there are more, or it cannot be read."""
        if self.problem:
            raise Refused(self.problem)
        try:
            if not self.member:
                with open(self.path, "rb") as file:
                    data = file.read(LARGEST + 1)
            else:
                with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                    data = file.read(LARGEST + 1)
        except Exception as error:              # a damaged zip file raises whatever its damage leads to
            raise Refused(f"it cannot be read ({_reason(error)})") from None
        if len(data) > LARGEST:
            raise Refused(f"it is larger than {LARGEST // 1_000_000} MB; clear its outputs, and save it again")
        return data

    def digest(self) -> str:
        """A fingerprint of its bytes, or of the reason why it has none."""
        try:
            return hashlib.sha256(self.read()).hexdigest()
        except Refused as error:
            return f"refused: {error}"


@dataclass(frozen=True)
class Notebook:
    """The code of a notebook, cell by cell, and to whom it was handed out (`learner` and `seed`; None if not said)."""
    cells: list[str] = field(default_factory=list)
    learner: str | None = None
    seed: int | None = None

    def mentioned(self, ids: Iterable[str]) -> list[str]:
        """Those of some exercise ids that stand in the code as strings."""
        found = {id for cell in self.cells for id in re.findall(r"""["']([a-z0-9-]+)["']""", cell)}
        return [id for id in ids if id in found]


# -------------------------------------------------------------------------------------------------------------- finding

def find(folder: Path, pattern: str = "") -> list[Submission]:
    """All that was handed in, in the order of the paths. A learner's folder without a notebook counts as one, refused.

    folder: a folder, or a zip file with one in it. pattern: a regular expression for paths below the folder, whose
    group `learner`, or first group, is the learner; where it matches nothing, the rules above hold.

    Raises ValueError if there is no such folder, or the pattern is none.
    """
    try:
        rule = re.compile(pattern) if pattern else None
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} is not a regular expression: {error}") from None
    if zipfile.is_zipfile(folder):
        found = [(label, Path(folder), member, problem) for label, member, problem in _members(folder)]
    elif Path(folder).is_dir():
        found = list(_files(Path(folder)))
    else:
        raise ValueError(f"there is no folder {str(folder)!r}")
    return [Submission(whose(label, rule), label, path, member, problem)
            for label, path, member, problem in sorted(found, key=lambda entry: entry[0])]


def whose(label: str, rule: re.Pattern | None = None) -> Learner:
    """Whose a path is, by the rules above.

    >>> whose("submitted/kim/homework/01_bpe.ipynb"), whose("lee.ipynb")
    (Learner(name='kim', id='kim'), Learner(name='lee', id='lee'))
    >>> whose("Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb"), whose("leekim_123_456_01_bpe.ipynb").id
    (Learner(name='Kim Lee', id='12345'), '123')
    """
    parts = [_clean(part) for part in PurePosixPath(label).parts]
    if rule and (found := rule.search(label)):
        name = found["learner"] if "learner" in rule.groupindex else found[1] if rule.groups else found[0]
        return Learner(_clean(name or ""), _clean(name or ""))
    if "submitted" in parts[:-1]:
        parts = parts[parts.index("submitted") + 1:]
    for platform in PLATFORMS:
        if found := re.match(platform, parts[0]):
            return Learner(found["name"], found.groupdict().get("id") or found["name"])
    name = parts[0] if len(parts) > 1 or not label.endswith(".ipynb") else PurePosixPath(parts[0]).stem
    return Learner(name, name)


def _files(folder: Path) -> Iterator[tuple[str, Path, str, str]]:
    """Label, file, member and problem of each notebook below a folder."""
    collected = folder / "submitted"            # in a course folder of nbgrader's, beside what is not handed in
    folder = collected if collected.is_dir() and not collected.is_symlink() else folder
    with_notebook, folders = set(), set()
    for place, inside, names in os.walk(folder):
        inside[:] = [name for name in inside if not _hidden(name)]
        if Path(place) == folder:
            folders = set(inside)
        for name in names + [name for name in inside if os.path.islink(os.path.join(place, name))]:
            path = Path(place, name)
            label = path.relative_to(folder).as_posix()
            if _hidden(name) or path.suffix.lower() not in (".ipynb", ".zip", ""):
                continue
            if path.is_symlink():
                yield label, path, "", "it is a link, and links are not followed"
            elif path.suffix.lower() == ".ipynb":
                yield label, path, "", "" if path.is_file() else "it is not a file"
            elif path.suffix.lower() == ".zip" and path.is_file():
                for inner, member, problem in _members(path):
                    yield f"{label.removesuffix(path.suffix)}/{inner}", path, member, problem
            else:
                continue
            with_notebook.add(label.partition("/")[0])
    for name in folders - with_notebook:
        yield f"{name}/", folder / name, "", "there is no notebook in the folder"


def _members(path: Path) -> Iterator[tuple[str, str, str]]:
    """Label, member and problem of each notebook in a zip file."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [member.filename for member in archive.infolist()]
    except Exception as error:
        yield "", "", f"the zip file cannot be read ({_reason(error)})"
        return
    if len(names) > MOST_MEMBERS:
        yield "", "", f"the zip file holds {len(names)} files; at most {MOST_MEMBERS} are looked at"
        return
    notebooks = [name for name in names if name.lower().endswith(".ipynb") and not any(map(_hidden, name.split("/")))]
    if not notebooks:
        yield "", "", "there is no notebook in the zip file"
    for name in notebooks:
        yield name.lstrip("/"), name, ""


def _hidden(name: str) -> bool:
    return name.startswith((".", "__MACOSX"))


def _clean(name: str) -> str:
    """A name in one form, without what would break a line or hide in it."""
    name = unicodedata.normalize("NFC", name)
    return "".join(char if unicodedata.category(char)[0] != "C" else " " for char in name).strip() or "?"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"[:200]


# -------------------------------------------------------------------------------------------------------------- reading

def parse(data: bytes) -> Notebook:
    """The code cells of a notebook; Refused, with the reason, if these bytes are none.

    >>> parse(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["1 +", " 1"]}]}').cells
    ['1 + 1']
    """
    if not data.strip():
        raise Refused("the file is empty")
    try:
        notebook = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError:
        raise Refused("it is nested too deep for a notebook") from None
    except ValueError as error:
        raise Refused(f"it is damaged, or not a notebook ({str(error)[:100]})") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        old = isinstance(notebook, dict) and "worksheets" in notebook
        raise Refused("it has an old format; open it in JupyterLab and save it" if old else "it is not a notebook")
    cells = [source for cell in notebook["cells"] if (source := _source(cell)).strip()]
    if len(cells) > MOST_CELLS or sum(map(len, cells)) > LARGEST_CODE:
        raise Refused(f"it has more than {MOST_CELLS:,} cells or {LARGEST_CODE:,} characters of code")
    return Notebook(cells, *_stamp(notebook.get("metadata")))


def _source(cell: object) -> str:
    """The code of a cell; "" if it is not a code cell, or not in order."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else ""


def _stamp(metadata: object) -> tuple[str | None, int | None]:
    stamp = metadata.get(STAMP) if isinstance(metadata, dict) else None
    learner, seed = (stamp.get("learner"), stamp.get("seed")) if isinstance(stamp, dict) else (None, None)
    is_seed = isinstance(seed, int) and not isinstance(seed, bool) and abs(seed) < 10**18
    return (learner if isinstance(learner, str) and len(learner) <= 200 else None), (seed if is_seed else None)
