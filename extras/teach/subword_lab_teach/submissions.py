"""What was handed in: the notebooks of a folder, whose they are, and the code in them.

Whose a notebook is, is read from the top of its path below the folder, and never from inside a learner's own zip file
or a notebook's metadata:
- as nbgrader collects: what follows a folder `submitted` (`submitted/kim/homework/01_bpe.ipynb` is kim's);
- Moodle's `Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb`, or `..._file_01_bpe.ipynb`: Kim Lee, 12345;
- Canvas's `leekim_123_456_01_bpe.ipynb` (also with `_LATE_`): leekim, 123;
- Blackboard's `Homework_klee_attempt_2026-01-31-12-00-00_01_bpe.ipynb`: klee, if all notebooks have such names;
- else the first folder, or, for a file that lies in no folder, its name.
A zip file stands for a folder of its name, also inside the zip file of a whole class; there, one folder that
holds all others is nobody's. Links are not followed. Whoever handed in anything has a submission.
"""

import io
import json
import os
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath

LARGEST = 50_000_000  # bytes of a notebook, with its outputs
LARGEST_CODE = 2_000_000  # characters of its code
LARGEST_OUTPUT = 20_000  # characters of an output that is looked at
MOST_CELLS = 5_000
DEEPEST = 40  # folders in one another
MOST_MEMBERS = 2_000  # of a learner's zip file, with those that are not looked at
LARGEST_LIST = 1_000_000  # bytes of the list of what is in it
LARGEST_CONTENT = 500_000_000  # bytes of its notebooks
METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # others are unpacked whole, however large
STAMP = "subword_lab"  # where in a notebook's metadata it stands to whom it was handed out
MOODLES = r"_(?P<id>\d+)_assignsubmission(?=_)"
MOODLES_FOLDER = (
    rf"(?P<name>.+){MOODLES}_[a-z]+_?"  # nothing in it is from the learner but the name
)
A_DATE = r"(?:(?:19|20)\d\d_\d\d?|\d\d?_(?:(?:19|20)\d\d|\d\d?))_"
BLACKBOARDS = r".+?_(?P<name>[^_]+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)"
PLATFORMS = (  # a name that several could have given is nobody's but its own
    rf"(?P<name>.+?){MOODLES}",
    rf"(?P<name>[^_]+)(?P<late>_LATE)?_(?!{A_DATE})(?P<id>\d+)_\d+_",
    BLACKBOARDS,
)
NBGRADERS = "submitted source release autograded feedback gradebook.db nbgrader_config.py".split()
EXPORTED = {".html", ".htm", ".py"}  # what a notebook is also saved as
NOTE = "HAND-IN.txt"  # lies in every copy that was handed out
THE_TEACHERS = (".csv", ".json", ".jsonl", ".log", ".part")  # files beside the learners' folders
COURSE = re.compile(  # what a copy that was handed out begins with
    r"""^course\(\s*seed=(-?\d{1,18})\b(?:,\s*learner=('[^'\\\0-\x1f\ud800-\udfff]{0,200}'|"[^"\\\0-\x1f\ud800-\udfff]{0,200}"))?""",
    re.MULTILINE,
)
WARM_UP = re.compile(
    r"""\bload\(["'][a-z0-9-]+["']\)\.another\(\)"""
)  # other figures, which nobody marks
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2060-\u2064\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


# Characters without a shape that are no format characters, marks that are easily overlooked, and letters of Cyrillic
# and Greek that look like Latin ones.
SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУҮХѕјкһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνρυıɑɡ",
    "ABESIJKMHOPCTYYXsjkhdqwABEZHIKMNOPTYXikvpuiag",
)


class Refused(ValueError):
    """A notebook that cannot be read; the message says why."""


def printable(text: str, most: int = 300) -> str:
    """The text as any file can hold it: blanks for halves of characters, control characters and marks of direction.

    Of a longer text there are the first `most` characters, and dots.

    >>> printable("a\\ud800b\\u202ec"), printable("hugging", 3)
    ('a b c', 'hug ...')
    """
    return UNPRINTABLE.sub(" ", text if len(text) <= most else text[:most] + " ...")


@lru_cache(maxsize=4096)
def visible(name: str) -> str:
    """What a reader sees of a name: the same for two that look alike.

    >>> [visible(name) for name in ("Ki\u200dm", "\u041aim", "Ki\u0320m", "\uff2bim", "K\u0456\u3164m")]
    ['Kim', 'Kim', 'Kim', 'Kim', 'Kim']
    """
    from subword_lab.exercises.typed import LOOK_ALIKES  # which takes a while to import

    with_shape = SHAPELESS.sub("", "".join(filter(_has_shape, name)))
    letters = MARKS.sub("", unicodedata.normalize("NFKC", with_shape))
    return " ".join(letters.translate(LOOK_ALIKES | ALIKE).split())


def _has_shape(char: str) -> bool:
    return char.isspace() or unicodedata.category(char)[0] != "C"


def spellings(name: str) -> set[tuple[str, ...]]:
    """Forms by which a name is known again: `Kim Lee`, `Lee, Kim`, Canvas's `leekim`, and `Kim -`, who has no other."""
    plain = unicodedata.normalize("NFKC", name).casefold().replace(",", " ")
    words = list(filter(None, ("".join(filter(str.isalnum, word)) for word in plain.split())))
    turned = (words, words[1:] + words[:1], words[-1:] + words[:-1])
    return {tuple(sorted(words)), *(("".join(order),) for order in turned)} if words else set()


@dataclass(frozen=True)
class Learner:
    """Who handed something in: the name, and the number that a platform gave, or else the name again."""

    name: str
    id: str

    def __str__(self) -> str:
        return self.name if self.id == self.name else f"{self.name} ({self.id})"


@dataclass(frozen=True)
class Submission:
    """A notebook of a learner, not yet read. path: the file; member: the notebook inside it, if it is a zip file.

    packed: the learner's zip file that holds the member, if `path` is the zip file of a whole class. label: where it
    was found, below the folder. owner: the part of that which no learner's zip file decides on. problem: why it is not
    read, as far as that is known already; None for what is no notebook at all. notices: what the look before the
    marking says to the learner (see `triage`). blackboards: whether names of Blackboard's form are from Blackboard.
    """

    label: str
    path: Path
    member: str = ""
    problem: str | None = ""
    owner: str = ""
    learner: Learner = Learner("?", "?")
    packed: str = ""
    notices: tuple[str, ...] = ()
    blackboards: bool = False

    def read(self) -> bytes:
        """Its bytes, of which there are at most LARGEST; Refused if there are more, or it cannot be read."""
        if self.problem:
            raise Refused(self.problem)
        try:
            with (
                _archive(self.path, self.packed, _changed(self.path)).open(self.member)
                if self.member
                else open(self.path, "rb")
            ) as file:
                data = file.read(LARGEST + 1)
        except Exception as error:  # a damaged zip file raises whatever its damage leads to
            raise Refused(f"it cannot be read ({_reason(error)})") from None
        if len(data) > LARGEST:
            raise Refused(
                f"it is larger than {LARGEST // 1_000_000} MB; clear its outputs, and save it again"
            )
        return data

    @property
    def place(self) -> str:
        """Where a page on it belongs, below a folder for all: beside it, as the submissions lie."""
        path = PurePosixPath(self.owner or self.learner.id)
        parts = [_place(part) for part in path.parts if part != ".." and part.strip("/")]
        folders = parts if self.owner.endswith("/") else parts[:-1]
        if folders:
            return "/".join([*folders, "feedback.html"])
        return f"{PurePosixPath(parts[0]).stem if parts else 'learner'}.html"

    def time(self) -> datetime | None:
        """When it was handed in, as whatever collected it says; None if that is unknown.

        Blackboard says so in the name; nbgrader in `submitted/LEARNER/ASSIGNMENT/timestamp.txt`; a zip file with all
        that was handed in, in its list. Otherwise it is the date of the file: of a learner's own zip file, the date of
        that, and not of what is in it.
        """
        parts, named = PurePosixPath(self.owner).parts, platform(self.owner)
        root = Path(self.path.as_posix().removesuffix(self.owner))
        stamp = root.joinpath(*parts[:2], "timestamp.txt")
        try:
            if self.blackboards and (told := named.get("time")):
                return datetime.strptime(told, "%Y-%m-%d-%H-%M-%S").astimezone()
            if root.name == "submitted" and not named and len(parts) > 2 and stamp.is_file():
                with open(stamp, encoding="utf-8") as file:
                    told = file.read(100).strip().removesuffix(" UTC")
                return datetime.fromisoformat(told).replace(tzinfo=UTC)
            if (name := self.packed or self.member).endswith(self.owner):
                archive = _archive(self.path, "", _changed(self.path))
                return datetime(*archive.getinfo(name).date_time).astimezone()
            return datetime.fromtimestamp(self.path.stat().st_mtime).astimezone()
        except Exception:  # a damaged zip file, a date that there is not
            return None


@dataclass(frozen=True)
class Notebook:
    """The code of a notebook, cell by cell, and to whom it was handed out (`learner` and `seed`; None if not said).

    versions: of its exercises, when it was handed out, as far as that is said. shown: the last question about each
    exercise that its saved outputs show, as text.
    """

    cells: list[str] = field(default_factory=list)
    learner: str | None = None
    seed: int | None = None
    shown: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def mentioned(self, ids: Iterable[str]) -> list[str]:
        """Those of some exercise ids that stand in the code as strings, or as names: `bpe_01.check(...)`.

        One that is asked only with other figures, to warm up, is not meant.

        >>> Notebook(['load("bpe-03").another()', "bpe_01.check(5)"]).mentioned(["bpe-01", "bpe-03"])
        ['bpe-01']
        """
        code = WARM_UP.sub("", "\n".join(self.cells))
        found = set(re.findall(r"""["']([a-z0-9-]+)["']""", code))
        found |= {name.replace("_", "-") for name in re.findall(r"\b(\w+)\.check\(", code)}
        return [id for id in ids if id in found]

    def lookups(self) -> list[int]:
        """The cells, counted from 1, whose code names the answers that come with the course.

        >>> Notebook(["from subword_lab.studies.asked import asked", "ex.check(ex.asked.answer)"]).lookups()
        [2]
        """
        named = re.compile(r"\.asked\.(?:answer|solution)|\bexercises\.bank\b")
        return [number for number, cell in enumerate(self.cells, 1) if named.search(cell)]

    def calls(self, method: str) -> int:
        """How often its code calls a method: "hint" or "solution"."""
        return sum(len(re.findall(rf"\b\w+\.{method}\(", cell)) for cell in self.cells)


# -------------------------------------------------------------------------------------------------------------- finding


def find(folder: Path, pattern: str = "") -> list[Submission]:
    """All that was handed in, in the order of the paths. Whoever handed in no notebook has one submission, refused.

    folder: a folder, or a zip file with one in it. pattern: a regular expression for paths below the folder, whose
    group `learner`, or first group, is the learner; where it matches nothing, the rules above hold.

    Raises ValueError if there is no such folder, or the pattern is none.
    """
    try:
        rule = re.compile(pattern) if pattern else None
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} is not a regular expression: {error}") from None
    if folder.is_file() and zipfile.is_zipfile(folder):
        try:
            with zipfile.ZipFile(folder) as archive:
                names = [name for name in archive.namelist() if not _out_of_sight(name)]
            top = _top(names)
            labels = {name: name.removeprefix(top) for name in names if name != top}
            found = [one for name in labels for one in _found(labels[name], folder, name)]
        except Exception as error:
            reason = _reason(error)
            raise ValueError(f"the zip file {str(folder)!r} cannot be read ({reason})") from None
    elif folder.is_dir():
        found = list(_files(searched(folder)))
    else:
        raise ValueError(f"there is no folder {str(folder)!r}")
    tops = [_parts(one.owner)[0] for one in found if one.problem is not None]
    by_blackboard = all(re.match(BLACKBOARDS, top) for top in tops)  # or a learner has chosen it
    look_alikes = dict[tuple[str, ...], dict[tuple[str, str], list[Submission]]]()
    for one in sorted(found, key=lambda one: in_order(one.label)):
        named = whose(one.owner, rule, by_blackboard)
        alike = look_alikes.setdefault(tuple(visible(_clean(part)) for part in named), {})
        alike.setdefault(named, []).append(one)
    notebooks = list[Submission]()
    for alike in look_alikes.values():  # they stay several, and none has the bare name for an id
        for number, (named, own) in enumerate(alike.items(), 1):
            name, id = map(_clean, named)
            learner = Learner(name, f"{id} ({number})" if len(alike) > 1 else id)
            there = _besides([one.label for one in own]) or " in the folder"
            nothing = replace(own[0], label=own[0].owner, problem=f"there is no notebook{there}")
            read = [one for one in own if one.problem is not None] or [nothing]
            notebooks += [replace(one, learner=learner, blackboards=by_blackboard) for one in read]
    return notebooks


def left_out(folder: Path) -> list[str]:
    """What lies beside nbgrader's folder `submitted`, is not nbgrader's, and so is not looked at."""
    paths = folder.iterdir() if searched(folder) != folder else ()
    names = [path.name for path in paths if path.suffix.lower() not in THE_TEACHERS]
    return sorted(name for name in names if name not in NBGRADERS and not _hidden(name))


def in_order(label: str) -> list:
    """What paths are sorted by: `hw.ipynb` before `hw-2.ipynb` before `hw-10.ipynb`."""
    parts = re.split(r"(\d+)", label.removesuffix(".ipynb"))
    return [(int(part[:9]), part) if number % 2 else (0, part) for number, part in enumerate(parts)]


def whose(label: str, rule: re.Pattern | None = None, blackboards: bool = True) -> tuple[str, str]:
    """Whose a path is, by the rules above: name and id, as the path has them.

    >>> whose("submitted/kim/homework/01_bpe.ipynb"), whose("lee.ipynb")
    (('kim', 'kim'), ('lee', 'lee'))
    >>> whose("Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb"), whose("leekim_123_456_01_bpe.ipynb")
    (('Kim Lee', '12345'), ('leekim', '123'))
    """
    if rule and (match := rule.search(label)):
        group = "learner" if "learner" in rule.groupindex else min(rule.groups, 1)
        return match[group] or "", match[group] or ""
    found = platform(label)
    if found and (blackboards or "time" not in found):
        return found["name"], found.get("id") or found["name"]
    first, *below = _parts(label)
    name = first if below or label.endswith("/") else PurePosixPath(first).stem
    return name, name


def platform(label: str) -> dict[str, str]:
    """What a platform says by its way to name files; {} if none has named this one."""
    first, *below = _parts(label)
    if below and (found := re.fullmatch(MOODLES_FOLDER, first)):
        return found.groupdict()
    fits = [found for platform in PLATFORMS if (found := re.match(platform, first))]
    is_clear = len(fits) == 1 and len(re.findall(MOODLES, first)) < 2
    return fits[0].groupdict() if is_clear else {}  # or the first belongs to what somebody chose


def _parts(label: str) -> list[str]:
    parts = [part for part in label.split("/") if part] or ["?"]
    return parts[1:] if parts[0] == "submitted" and len(parts) > 1 else parts


def _top(names: Sequence[str]) -> str:
    """The folder in which the folders of all learners lie in a class's zip file; "" if there is none.

    >>> _top(["in/kim/a.ipynb", "in/lee/"]), _top(["kim/a.ipynb", "kim/b.ipynb"]), _top(["kim/a.ipynb", "lee/"])
    ('in/', '', '')
    """
    tops = {"".join(name.partition("/")[:2]) for name in names}
    below = {name.split("/")[1] for name in names if name.count("/")} - {""}
    top = tops.pop() if len(tops) == 1 else ""
    theirs = all(platform(name) for name in below if _kind(name) == "")  # or else it is a learner's
    return top if len(below) > 1 and theirs and not platform(top) else ""


def searched(folder: Path) -> Path:
    """Where submissions are looked for: in a course folder of nbgrader's, in its folder `submitted`."""
    collected = folder / "submitted"
    return collected if collected.is_dir() and not collected.is_symlink() else folder


def _files(folder: Path) -> Iterator[Submission]:
    for place, inside, names in os.walk(folder):
        inside[:] = [name for name in inside if not _hidden(name)]
        below = Path(place).relative_to(folder).as_posix()
        if inside and below.count("/") >= DEEPEST:
            inside.clear()
            yield Submission(below, Path(place), "", "its folders are nested too deep", below)
        links = [name for name in inside if os.path.islink(os.path.join(place, name))]
        for name in inside if Path(place) == folder else ():
            if name not in links:  # whose folder is empty has handed in something, too
                yield Submission(f"{name}/", folder / name, "", None, f"{name}/")
        for path in (Path(place, name) for name in names + links if not _hidden(name)):
            label = path.relative_to(folder).as_posix()
            if path.is_symlink():
                yield Submission(label, path, "", "it is a link, and links are not followed", label)
            elif not path.is_file():
                yield Submission(label, path, "", "it is not a file", label)
            elif (
                Path(place) != folder
                or path.suffix.lower() not in THE_TEACHERS
                or platform(path.name)
            ):
                yield from _found(label, path)


def _found(label: str, path: Path, member: str = "") -> Iterator[Submission]:
    """What a file holds: itself, or the notebooks in a learner's zip file, or else a submission that says why.

    member: the file, where `path` is the zip file of a whole class.
    """
    if not label.lower().endswith(".zip"):
        yield Submission(label, path, member, _kind(label), label)
        return
    members = list[zipfile.ZipInfo]()
    try:
        # A list that is far too long is not read.
        with _opened(path, member) as file, zipfile.ZipFile(_Bounded(file)) as archive:
            members = archive.infolist()
        if not {one.compress_type for one in members} <= METHODS:
            raise zipfile.BadZipFile("pack it again, as an ordinary zip file")
        visible = [one for one in members if not _out_of_sight(one.filename)]
        sizes = {one.filename: one.file_size for one in visible}
        problem = f"there is no notebook in the zip file{_besides(sizes)}"
    except Exception as error:
        sizes, problem = {}, f"the zip file cannot be read ({_reason(error)})"
    notebooks = [name for name in sizes if _kind(name) == ""]
    if len(members) > MOST_MEMBERS:
        problem = f"the zip file holds {len(members)} files; at most {MOST_MEMBERS} are looked at"
        notebooks = []
    elif sum(sizes[name] for name in notebooks) > LARGEST_CONTENT:
        problem = f"its notebooks have more than {LARGEST_CONTENT // 1_000_000} MB in all"
        notebooks = []
    for name in notebooks or [""]:
        inner = f"{label[: -len('.zip')]}/{name.lstrip('/')}".rstrip("/")
        yield Submission(inner, path, name, "" if name else problem, label, packed=member)


def _kind(label: str) -> str | None:
    return "" if label.lower().endswith(".ipynb") else None


def _opened(path: Path, packed: str) -> io.BytesIO | io.FileIO:
    """A file, or a zip file in the zip file of a class."""
    return io.BytesIO(_unpacked_once(path, packed, _changed(path))) if packed else io.FileIO(path)


@lru_cache(maxsize=1)  # its notebooks are read one after another
def _unpacked_once(path: Path, name: str, changed: int) -> bytes:
    archive = _archive(path, "", changed)
    if archive.getinfo(name).file_size > LARGEST:
        raise Refused(f"it is larger than {LARGEST // 1_000_000} MB")
    return archive.read(name)


@lru_cache(maxsize=2)  # that of a class, and a learner's in it
def _archive(path: Path, packed: str, changed: int) -> zipfile.ZipFile:
    return zipfile.ZipFile(_opened(path, packed) if packed else path)


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


class _Bounded(io.BufferedReader):
    """A file that is a zip file, of which the list of what it holds is read, if that is not far too long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LARGEST_LIST:  # as long as it says that its list is
            raise zipfile.BadZipFile("its list of files is far too long")
        return super().read(size)


def _out_of_sight(path: str) -> bool:
    return any(map(_hidden, path.split("/")))


def _besides(names: Iterable[str]) -> str:
    """What there is in place of a notebook, in words."""
    files = [PurePosixPath(path).name for path in names if not path.endswith("/")]
    endings = {PurePosixPath(name).suffix.lower() for name in files}
    exported = "; a notebook that was exported cannot be marked, only the .ipynb file itself"
    hint = exported if endings & EXPORTED else ""
    if ".zip" in endings:
        hint = "; unpack the zip file in it"
    return f", only {printable(', '.join(files), 100)}{hint}" if files else ""


def _hidden(name: str) -> bool:
    return (
        name == NOTE
        or name.startswith("._")
        or (name.startswith((".", "__MACOSX")) and not platform(name))
    )


def _place(part: str) -> str:
    """A part of a path as the name of a file or folder, which has at most 255 bytes, its ending counted."""
    return printable(part, 150).encode()[:240].decode("utf-8", "ignore")


def _clean(name: str) -> str:
    return " ".join(printable(unicodedata.normalize("NFC", name), 200).split()) or "?"


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
        raise Refused(
            "it has an old format; open it in JupyterLab and save it"
            if isinstance(notebook, dict) and "worksheets" in notebook
            else "it is not a notebook"
        )
    code = [cell for cell in notebook["cells"] if _source(cell).strip()]
    cells = list(map(_source, code))
    if len(cells) > MOST_CELLS or sum(map(len, cells)) > LARGEST_CODE:
        raise Refused(
            f"it has more than {MOST_CELLS:,} cells or {LARGEST_CODE:,} characters of code"
        )
    learner, seed, versions = _stamp(notebook.get("metadata"))
    if learner is None:
        learner, seed = _first_cell(cells)
    return Notebook(cells, learner, seed, _shown(code), versions)


def _source(cell: dict) -> str:
    """The code of a cell; "" if it is not a code cell, or not in order."""
    with suppress(TypeError, KeyError):
        if cell["cell_type"] == "code" and isinstance(cell["source"], (str, list)):
            return "".join(cell["source"])
    return ""


def _shown(cells: list[dict]) -> dict[str, str]:
    """The last question about each exercise among the outputs."""
    shown = {}
    for cell in cells:
        with suppress(TypeError):
            for output in cell.get("outputs", ()):
                with suppress(KeyError, TypeError):
                    text = "".join(output["data"]["text/plain"])
                    id, dot, _ = text.partition(" · ")
                    if dot and len(text) <= LARGEST_OUTPUT and re.fullmatch(r"[a-z0-9-]+", id):
                        shown[id] = text
    return shown


def _first_cell(cells: list[str]) -> tuple[str | None, int | None]:
    """To whom a notebook was handed out, as its first cell says; metadata do not survive everything.

    >>> _first_cell(["course(seed=7, learner='kim')"]), _first_cell(["course(seed=7, learner=user())"])
    (('kim', 7), (None, 7))
    """
    if not (said := COURSE.search("\n".join(cells[:3]))):
        return None, None
    return said[2] and said[2][1:-1], int(said[1])


def _stamp(metadata: object) -> tuple[str | None, int | None, dict[str, int]]:
    stamp = metadata.get(STAMP) if isinstance(metadata, dict) else None
    told = stamp if isinstance(stamp, dict) else {}
    learner, seed, versions = told.get("learner"), told.get("seed"), told.get("versions")
    return (
        learner
        if isinstance(learner, str) and len(learner) <= 200 and learner.isprintable()
        else None,
        seed if type(seed) is int and abs(seed) < 10**18 else None,
        versions if isinstance(versions, dict) else {},
    )
