"""What was handed in: the notebooks of a folder, whose they are, and the code in them.

Whose a notebook is, is read from the top of its path below the folder, and never from inside a learner's own zip file
or a notebook's metadata:
- as nbgrader collects: what follows a folder `submitted` (`submitted/kim/homework/01_bpe.ipynb` is kim's);
- Moodle's `Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb`, or `..._file_01_bpe.ipynb`: Kim Lee, 12345;
- Canvas's `leekim_123_456_01_bpe.ipynb` (also with `_LATE_`), a file in no folder: leekim, 123;
- else the first folder, or, for a file that lies in no folder, its name.
A zip file stands for a folder of its name, also inside the zip file of a whole class; there, one folder that
holds all others is nobody's. Links are not followed. Whoever handed in anything has a submission.

This is the one door through which strangers' files come in. Each is read once, in bounds; what goes on from here is the
code of its cells, or the reason why it is not read.
"""

import ast
import io
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import IO, Any
from zoneinfo import ZoneInfo

from subword_lab.arguments import check
from subword_lab.structures.garbage import not_collected

LARGEST = 50_000_000  # bytes of a notebook, with its outputs
MOST_PARTS = 1_000_000  # of its JSON, each of which takes memory, however short it is
LARGEST_CODE = 2_000_000  # characters of its code
LARGEST_OUTPUT = 20_000  # characters of an output that is looked at
MOST_CELLS = 5_000
SUBMITTED = "submitted"  # the folder of nbgrader's in which all that was handed in lies
# What lies beside it in a course.
NBGRADERS = {
    "source/",
    "release/",
    "autograded/",
    "feedback/",
    "nbgrader_config.py",
    "gradebook.db",
}
MOST_KEPT = 10_000_000  # characters of code and outputs of one learner, and parts of the JSON
MOST_NOTEBOOKS = 500  # of one learner, whose folder counts, too
DEEPEST = 40  # folders in one another
LARGEST_LIST = 200_000  # bytes of the list of what is in a learner's zip file
LARGEST_CONTENT = 500_000_000  # bytes of its notebooks; then no more is unpacked of this learner's
METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # others are unpacked whole, however large
MOODLES = r"_(?P<id>\d+)_assignsubmission(?=_)"
MOODLES_FOLDER = (
    rf"(?P<name>.+){MOODLES}_[a-z]+_?"  # nothing in it is from the learner but the name
)
A_DATE = r"(?:(?:19|20)\d\d_\d\d?|\d\d?_(?:(?:19|20)\d\d|\d\d?))_"
PLATFORMS = (  # a name that both could have given is nobody's but its own
    rf"(?P<name>.+?){MOODLES}",
    rf"(?P<name>[^_]+)(?P<late>_LATE)?_(?!{A_DATE})(?P<id>\d+)_\d+_",
)
EXPORTED = {".html", ".htm", ".py"}  # what a notebook is also saved as
NOTE = "HAND-IN.txt"  # lies in every copy that was handed out
THE_TEACHERS = (".csv", ".json", ".jsonl", ".log", ".part")  # files beside the learners' folders
COURSE = re.compile(  # what a copy that was handed out begins with
    r"""^course\(\s*seed=(-?\d{1,18})\b(?:,\s*learner=('(?:[^'\\\0-\x1f\ud800-\udfff]|\\u200[cd]){0,200}'|"(?:[^"\\\0-\x1f\ud800-\udfff]|\\u200[cd]){0,200}"))?(\))?""",
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


TOO_DEEP = "its folders are nested too deep"
NO_FILE = "it is not a file, or cannot be reached"


class Refused(ValueError):
    """A file that is not read; the message says why."""


def _take(holds: object, why: str) -> None:
    """Refused, for this reason, unless something holds."""
    if not holds:
        raise Refused(why)


def printable(text: str, most: int = 300) -> str:
    """The text as any file can hold it: blanks for halves of characters, control characters and marks of direction.

    Of a longer text there are the first `most` characters, and dots.

    >>> printable("a\\ud800b\\u202ec"), printable("hugging", 3)
    ('a b c', 'hug ...')
    """
    return UNPRINTABLE.sub(" ", text if len(text) <= most else text[:most] + " ...")


def grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    """What goes with each key, in its order.

    >>> grouped([("kim", 1), ("lee", 2), ("kim", 3)])
    {'kim': [1, 3], 'lee': [2]}
    """
    groups = dict[Any, list[Any]]()
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


@lru_cache(maxsize=4096)
def visible(name: str) -> str:
    """What a reader sees of a name: the same for two that look alike.

    >>> [visible(name) for name in ("Ki\u200dm", "\u041aim", "Ki\u0320m", "\uff2bim", "K\u0456\u3164m")]
    ['Kim', 'Kim', 'Kim', 'Kim', 'Kim']
    """
    from subword_lab.exercises.typed import LOOK_ALIKES  # which takes a while to import

    with_shape = [char for char in name if char.isspace() or unicodedata.category(char)[0] != "C"]
    plain = unicodedata.normalize("NFKC", SHAPELESS.sub("", "".join(with_shape)))
    return " ".join(MARKS.sub("", plain).translate(LOOK_ALIKES | ALIKE).split())


def is_same_name(one: str, other: str) -> bool:
    """Whether two forms may be the name of one person: `Kim Lee` and `Lee, Kim`, or Canvas's `leekim`.

    >>> is_same_name("Lee, Kim", "leekim"), is_same_name("Li Yixin", "Xin Liyi")
    (True, False)
    >>> is_same_name("राम", "रमा")  # where vowels are marks
    False
    """
    words, others = _words(one), _words(other)
    if len(words) > 1 and len(others) > 1:
        return sorted(words) == sorted(others)
    return bool(_joined(words) & _joined(others))


@lru_cache(maxsize=4096)
def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", name).casefold().replace(",", " ")
    shaped = [char for char in plain if char.isspace() or unicodedata.category(char)[0] in "LMN"]
    return "".join(shaped).split()  # nothing is left of the second word of `Kim -`


def _joined(words: list[str]) -> set[str]:
    return {"".join(words[place:] + words[:place]) for place in range(len(words))}


@dataclass(frozen=True)
class Learner:
    """Who handed something in: the name, and the number that a platform gave, or else the name again."""

    name: str
    id: str

    def __str__(self) -> str:
        return self.name if self.id == self.name else f"{self.name} ({self.id})"


@dataclass(frozen=True)
class Notebook:
    """The code of a notebook, cell by cell, and to whom it was handed out (`learner` and `seed`; None if not said).

    shown: the last question about each exercise that its saved outputs show, as text.
    """

    cells: list[str] = field(default_factory=list)
    learner: str | None = None
    seed: int | None = None
    shown: dict[str, str] = field(default_factory=dict)

    def mentioned(self, ids: Iterable[str]) -> list[str]:
        """Those of some exercise ids that stand in the code as strings, or as names: `bpe_01.check(...)`.

        One that is asked only with other figures, to warm up, is not meant.

        >>> Notebook(['load("bpe-03").another()', "bpe_01.check(5)"]).mentioned(["bpe-01", "bpe-03"])
        ['bpe-01']
        """
        code = WARM_UP.sub("", "\n".join(self.cells))
        found = {
            *re.findall(r"""["']([a-z0-9-]+)["']""", code),
            *(name.replace("_", "-") for name in re.findall(r"\b(\w+)\.check\(", code)),
        }
        return [id for id in ids if id in found]


@dataclass(frozen=True)
class Submission:
    """Something that a learner handed in. label: where it was found, below the folder.

    owner: the part of that which no learner's zip file decides on. time: when it was handed in, as whatever collected
    it says; None if that is unknown. problem: why it is not marked; None for what is no notebook at all. notice: what
    the look before the marking says to the learner (see `triage`). unpacked: bytes, of what a zip file held. parts: of
    its JSON.
    """

    label: str
    owner: str
    time: datetime | None = None
    problem: str | None = ""
    notebook: Notebook = Notebook()
    learner: Learner = Learner("?", "?")
    notice: str = ""
    unpacked: int = 0
    parts: int = 0

    @property
    def place(self) -> str:
        """Where a page on it belongs, below a folder for all: beside it, as the submissions lie."""
        path = PurePosixPath(self.owner)
        folder = path if self.owner.endswith("/") else path.parent
        parts = [_place(part) for part in folder.parts if part.strip("/ ") not in ("", "..")]
        return "/".join([*parts, "feedback.html"]) if parts else f"{_place(path.stem)}.html"


# -------------------------------------------------------------------------------------------------------------- finding

Opener = Callable[[], Any]  # opens a file of bytes


def find(folder: Path, pattern: str = "") -> list[Submission]:
    """All that was handed in, in the order of the paths. Whoever handed in no notebook has one submission, refused.

    folder: a folder, or a zip file with one in it. pattern: a regular expression for paths below the folder, whose
    group `learner`, or first group, is the learner; for a file where it matches nothing, the rules above hold.

    Raises ValueError if there is no such folder, or the pattern is none.
    """
    try:
        rule = re.compile(pattern) if pattern else None
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} is not a regular expression: {error}") from None
    check(folder.is_dir() or folder.is_file(), f"there is no folder {str(folder)!r}")
    kept, unpacked = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    found = list[tuple[tuple[str, str], Submission]]()
    full, too_much = set[tuple[str, str]](), "this learner's notebooks hold too much in all"
    for there, opened in _in_folder(searched(folder)) if folder.is_dir() else _in_zip(folder):
        if rule and there.owner.endswith("/") and not rule.search(there.owner):
            continue  # it says nothing of who handed in what lies in it
        named = whose(there.owner, rule)
        for one in _read(there, opened) if named not in full else ():
            size = sum(map(len, [*one.notebook.cells, *one.notebook.shown.values()]))
            # However little is kept of it, it takes time.
            kept[named] += size + MOST_KEPT // MOST_NOTEBOOKS + one.parts
            unpacked[named] += one.unpacked
            if kept[named] > MOST_KEPT or unpacked[named] > LARGEST_CONTENT:
                full.add(named)
                found.append((named, replace(one, problem=too_much, notebook=Notebook())))
                break
            found.append((named, one))
    by_name = grouped(sorted(found, key=lambda entry: in_order(entry[1].label)))
    return [
        replace(one, learner=learner)
        for learner, own in zip(_learners(by_name), by_name.values())
        for one in _notebooks(own)
    ]


def _learners(names: Iterable[tuple[str, str]]) -> Iterator[Learner]:
    """The learners of these names and ids. Those who look alike stay several, and none has the bare id, but one that
    is spelled out, and stays theirs whoever comes later.
    """
    seen = [tuple(visible(_clean(part)) for part in named) for named in names]
    for look, (name, id) in zip(seen, names):
        spelled = f" ({ascii(' '.join(dict.fromkeys((name, id))))[1:-1]})"
        yield Learner(_clean(name), _clean(id) + spelled * (seen.count(look) > 1))


def _notebooks(own: list[Submission]) -> list[Submission]:
    """A learner's notebooks, and what was to be one; or else a submission that says that there is none."""
    there = _besides(one.label for one in own) or " in the folder"
    nothing = replace(own[0], label=own[0].owner, problem=f"there is no notebook{there}")
    return [one for one in own if one.problem is not None] or [nothing]


def in_order(label: str) -> list[list]:
    """What paths are sorted by, name by name: `hw.ipynb` before `hw-2.ipynb` before `hw-10.ipynb`.

    >>> sorted(["hw2/a.ipynb", "hw10/a.ipynb", "hw/a2.ipynb", "hw/a.IPYNB"], key=in_order)
    ['hw/a.IPYNB', 'hw/a2.ipynb', 'hw2/a.ipynb', 'hw10/a.ipynb']
    """
    return [
        [
            (int(part[:9]) if number % 2 else 0, part)
            for number, part in enumerate(re.split(r"(\d+)", name))
        ]
        for name in re.sub(r"(?i)\.ipynb$", "", label).split("/")
    ]


def whose(label: str, rule: re.Pattern | None = None) -> tuple[str, str]:
    """Whose a path is, by the rules above: name and id, as the path has them.

    >>> whose("submitted/kim/homework/01_bpe.ipynb"), whose("lee.ipynb")
    (('kim', 'kim'), ('lee', 'lee'))
    >>> whose("Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb"), whose("leekim_123_456_01_bpe.ipynb")
    (('Kim Lee', '12345'), ('leekim', '123'))
    """
    if rule and (match := rule.search(label)):
        group = "learner" if "learner" in rule.groupindex else min(rule.groups, 1)
        return match[group] or "", match[group] or ""
    if found := platform(label):
        return found["name"], found["id"]
    first, *below = _parts(label)
    name = first if below or label.endswith("/") else PurePosixPath(first).stem
    return name, name


def platform(label: str) -> dict[str, str]:
    """What a platform says by its way to name files; {} if none has named this one."""
    first, *below = _parts(label)
    is_folder = bool(below) or label.endswith("/")
    if is_folder and (found := re.fullmatch(MOODLES_FOLDER, first)):
        return found.groupdict()
    platforms = PLATFORMS[:1] if is_folder else PLATFORMS  # Canvas names files alone
    fits = [found for platform in platforms if (found := re.match(platform, first))]
    is_clear = len(fits) == 1 and len(re.findall(MOODLES, first)) < 2
    return fits[0].groupdict() if is_clear else {}  # or the first belongs to what somebody chose


def is_read_as_it_is(name: str) -> bool:
    """Whether a folder of this name, or a zip file of it, is handed in by the learner of this name.

    >>> is_read_as_it_is("Kim Lee"), is_read_as_it_is("submitted"), is_read_as_it_is("leekim_123_456_a")
    (True, False, False)
    """
    return not _hidden(name) and whose(f"{name}/a.ipynb") == whose(f"{name}.zip") == (name, name)


def _parts(label: str) -> list[str]:
    parts = [part for part in label.split("/") if part] or ["?"]
    return parts[1:] if parts[0] == SUBMITTED and len(parts) > 1 else parts


def searched(folder: Path) -> Path:
    """Where submissions are looked for: in a course folder of nbgrader's, in its folder `submitted`."""
    collected = folder / SUBMITTED
    is_there = collected.is_dir() and not collected.is_symlink()
    return collected if is_there and _is_a_course(_lying_in(folder)) else folder


def _lying_in(folder: Path) -> list[str]:
    """What lies in a folder; names of folders end with a slash."""
    return [name + "/" * os.path.isdir(folder / name) for name in os.listdir(folder)]


def _is_a_course(names: Iterable[str]) -> bool:
    """Whether what lies in a folder makes it one of nbgrader's, and not one with a learner who is called `submitted`.

    >>> _is_a_course(["submitted/", "source/", "kim/"]), _is_a_course(["submitted/", "a.txt"])
    (True, True)
    >>> _is_a_course(["submitted/", "kim.ipynb"])
    False
    """
    beside = {*names}
    return f"{SUBMITTED}/" in beside and bool(beside & NBGRADERS or not _handed_in_beside(beside))


def _handed_in_beside(names: Iterable[str]) -> set[str]:
    """What of all that lies in a course of nbgrader's may be somebody's, and stands outside of the folder for it."""
    return {
        name.rstrip("/")
        for name in {*names} - NBGRADERS - {f"{SUBMITTED}/"}
        if name.lower().endswith(("/", ".ipynb", ".zip")) and not _hidden(name)
    }


def _in_folder(folder: Path) -> Iterator[tuple[Submission, Opener]]:
    """All that lies in a folder. Whose own folder is empty has handed in something, too."""
    for place, inside, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        inside[:] = [name for name in inside if not _hidden(name)]
        for path in (Path(place, name) for name in [*inside, *names] if not _hidden(name)):
            label, problem = path.relative_to(folder).as_posix(), ""
            # The functions of `os.path`: those of paths raise an error where a learner's folder may not be looked into.
            if os.path.islink(path):
                problem = "it is a link, and links are not followed"
            elif os.path.isdir(path) and depth == DEEPEST:
                problem = TOO_DEEP
            elif os.path.isdir(path):
                label += "/"
            elif not os.path.isfile(path):
                problem = NO_FILE
            elif not depth and _is_the_teachers(path.name):
                continue
            if not label.endswith("/") or not depth:
                yield (
                    Submission(label, label, _time(path, folder), problem),
                    partial(_open, path),
                )
        if depth == DEEPEST:
            inside.clear()


def _open(path: Path) -> IO[bytes]:
    """A file, opened; Refused if it is none any more, but a link or a pipe that somebody has put in its place."""
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = io.FileIO(path, opener=lambda name, mode: os.open(name, mode | flags))
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise Refused(NO_FILE)
    return file


def left_out(folder: Path) -> list[str]:
    """The names of what lies in a folder of submissions, or in its zip file, and is taken for the teacher's own: some
    files, and what lies in a course of nbgrader's and is no part of it.
    """
    if folder.is_dir():
        inside = searched(folder)
        ours = {*filter(_is_the_teachers, os.listdir(inside))}
        beside = _lying_in(folder) if inside != folder else []
    else:
        with zipfile.ZipFile(folder) as archive:
            members = [name.removeprefix("./") for name in archive.namelist()]
        ours, (course, found, _) = set(), _top(members).rpartition(f"{SUBMITTED}/")
        beside = [_outermost(name.removeprefix(course)) for name in members if found]
    return sorted({name for name in ours if not _hidden(name)} | _handed_in_beside(beside))


def _is_the_teachers(name: str) -> bool:
    """Whether a file beside the learners' folders is none of theirs; `kim.ipynb.json` is what a browser makes."""
    ending = PurePosixPath(name).suffix.lower()
    return ending in THE_TEACHERS and ".ipynb." not in name.lower() and not platform(name)


def _stamp(label: str) -> str:
    """Where nbgrader says when a notebook in its folder `submitted` was handed in; "" for what it did not collect.

    >>> _stamp("kim/homework/01_bpe.ipynb"), _stamp("kim/01_bpe.ipynb")
    ('kim/homework/timestamp.txt', '')
    """
    is_collected = label.count("/") > 1 and not platform(label)
    return "/".join([*label.split("/")[:2], "timestamp.txt"]) if is_collected else ""


def _moment(stamp: bytes) -> datetime:
    """The time that nbgrader's file says; ValueError or KeyError for a date, or a zone, that there is not.

    >>> str(_moment(b"2026-01-31 12:00:00.0 UTC"))
    '2026-01-31 12:00:00+00:00'
    """
    told = re.split(r" (?=[A-Z])", stamp.decode().strip())
    time = datetime.fromisoformat(told[0])
    zone = ZoneInfo(told[1]) if told[1:] not in ([], ["UTC"]) else UTC
    return time if time.tzinfo else time.replace(tzinfo=zone)


def _time(path: Path, folder: Path) -> datetime | None:
    """When a file was handed in: what nbgrader says in `submitted/LEARNER/ASSIGNMENT/timestamp.txt`, or its date."""
    is_collected = folder.resolve().name == SUBMITTED  # also where it is the working folder
    stamp = _stamp(path.relative_to(folder).as_posix()) if is_collected else ""
    with suppress(ValueError, OverflowError, OSError, KeyError):
        if stamp and folder.joinpath(stamp).is_file():
            with open(folder / stamp, "rb") as file:
                return _moment(file.read(100))
        return datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    return None


def _in_zip(whole: Path) -> Iterator[tuple[Submission, Opener]]:
    """All that lies in the zip file of a class."""
    try:
        archive = zipfile.ZipFile(whole)
    except Exception as error:  # it raises whatever its damage leads to
        raise ValueError(f"the zip file {str(whole)!r}: {_reason(error)}") from None
    for member in archive.infolist():
        member.filename = member.filename.removeprefix("./")
    members = [member for member in archive.infolist() if not _out_of_sight(member.filename)]
    top = _top([member.filename for member in members])
    for member in (one for one in members if one.filename.startswith(top)):
        label, time = member.filename.removeprefix(top), None
        with suppress(Exception):  # of what its damage leads to
            time = _time_in_zip(archive, member, top)
        parts, problem = label.split("/"), ""
        if len(parts) > DEEPEST + 1:
            label, problem = "/".join(parts[:DEEPEST]), TOO_DEEP
        if label:
            yield Submission(label, label, time, problem), partial(_unpacked, archive, member)


def _time_in_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo, top: str) -> datetime:
    """The same as `_time`, of what lies in the zip file of a class below the folder `top`."""
    stamp = _stamp(member.filename.removeprefix(top)) if top.endswith(f"{SUBMITTED}/") else ""
    for name in (top + stamp, f"./{top}{stamp}") if stamp else ():
        if name in archive.NameToInfo:
            with archive.open(name) as file:
                return _moment(file.read(100))
    return datetime(*member.date_time).astimezone()


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    with archive.open(member) as file:
        return io.BytesIO(_bounded(file))


def _top(names: Sequence[str]) -> str:
    """The folder in which the folders of all learners lie in a class's zip file; "" if there is none.

    In a course folder of nbgrader's, or a folder around it, that is its folder `submitted`, as in `searched`.

    >>> _top(["in/kim/a.ipynb", "in/lee/"]), _top(["kim/a.ipynb", "kim/b.ipynb"]), _top(["kim/a.ipynb", "lee/"])
    ('in/', '', '')
    >>> _top(["course/source/hw/a.ipynb", "course/submitted/kim/hw/a.ipynb"])
    'course/submitted/'
    """
    tops = {*map(_outermost, names)}
    below = {name.split("/")[1] for name in names if name.count("/")} - {""}
    folders = {name.split("/")[1] for name in names if name.count("/") > 1 and _is_notebook(name)}
    folders = {folder for folder in folders if not _hidden(folder)}
    top = tops.pop() if len(tops) == 1 else ""
    for course in ("", top):
        if _is_a_course(_outermost(name.removeprefix(course)) for name in names):
            return f"{course}{SUBMITTED}/"
    notebooks = [*filter(_is_notebook, below)]
    # Or else it is a learner's.
    theirs = not notebooks or len(folders) > max(1, len(notebooks)) or any(map(platform, notebooks))
    return top if len(below) > 1 and theirs and not platform(top) else ""


def _outermost(name: str) -> str:
    """The folder in which something lies at the top of a zip file, with its slash, or a file there."""
    return "".join(name.partition("/")[:2])


def _read(there: Submission, opened: Opener) -> Iterator[Submission]:
    """What lies there, read: a notebook, the notebooks of a zip file, or what is none."""
    try:
        if there.problem:
            yield there
        elif _is_notebook(there.label):
            with opened() as file:
                data = _bounded(file)
            there = replace(there, parts=_parts_of(data))
            yield replace(there, notebook=parse(data))
        elif there.label.lower().endswith(".zip"):
            with opened() as file, zipfile.ZipFile(_Bounded(file)) as archive:
                for member in _notebooks_in(archive):
                    label = f"{there.label[: -len('.zip')]}/{member.filename.lstrip('./')}"
                    one = replace(there, label=label, unpacked=member.file_size)
                    yield from _read(one, partial(archive.open, member))
        else:
            yield replace(there, problem=None)
    except Exception as error:  # a damaged zip file raises whatever its damage leads to
        yield replace(there, problem=_reason(error))


def _notebooks_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The notebooks in a learner's zip file; Refused if there is none, or they are without end."""
    seen = [one for one in archive.infolist() if not _out_of_sight(one.filename)]
    notebooks = [one for one in seen if _is_notebook(one.filename)]
    _take(
        {one.compress_type for one in archive.infolist()} <= METHODS,
        "the zip file cannot be read; pack it again, as an ordinary zip file",
    )
    _take(
        sum(one.file_size for one in notebooks) <= LARGEST_CONTENT,
        f"its notebooks have more than {LARGEST_CONTENT // 1_000_000} MB in all",
    )
    besides = _besides(one.filename for one in seen)
    _take(notebooks, f"there is no notebook in the zip file{besides}")
    return notebooks


class _Bounded(io.BufferedReader):
    """A file that is a zip file, of which the list of what it holds is read, if that is not far too long."""

    def read(self, size: int | None = -1, /) -> bytes:
        _take(
            size is None or size <= LARGEST_LIST,  # as long as it says that its list is
            "the zip file cannot be read; its list of files is far too long",
        )
        return super().read(size)


def _bounded(file: IO[bytes]) -> bytes:
    data = file.read(LARGEST + 1)
    _take(
        len(data) <= LARGEST,
        f"it is larger than {LARGEST // 1_000_000} MB; clear its outputs, and save it again",
    )
    return data


def _is_notebook(label: str) -> bool:
    return label.lower().endswith(".ipynb")


def _out_of_sight(path: str) -> bool:
    return any(_hidden(part) for part in path.split("/") if part != ".")


def _hidden(name: str) -> bool:
    is_a_systems = name.startswith((".", "__MACOSX")) and not platform(name)
    return name == NOTE or name.startswith("._") or is_a_systems


def _besides(names: Iterable[str]) -> str:
    """What there is in place of a notebook, in words."""
    files = [PurePosixPath(path).name for path in names if not path.endswith("/")]
    endings = {PurePosixPath(name).suffix.lower() for name in files}
    exported = "; a notebook that was exported cannot be marked, only the .ipynb file itself"
    hint = exported if endings & EXPORTED else ""
    if ".zip" in endings:
        hint = "; unpack the zip file in it"
    return f", only {printable(', '.join(files), 100)}{hint}" if files else ""


def _place(part: str) -> str:
    """A part of a path as the name of a file or folder, which has at most 255 bytes, its ending counted."""
    return printable(part, 150).encode()[:240].decode("utf-8", "ignore")


def _clean(name: str) -> str:
    return " ".join(printable(unicodedata.normalize("NFC", name), 200).split()) or "?"


def _reason(error: Exception) -> str:
    if isinstance(error, Refused):
        return str(error)
    reason = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"[:200]
    return f"it cannot be read ({reason})"


# -------------------------------------------------------------------------------------------------------------- reading


def parse(data: bytes) -> Notebook:
    """The code cells of a notebook; Refused, with the reason, if these bytes are none.

    To whom it was handed out its first cell says.

    >>> parse(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["1 +", " 1"]}]}').cells
    ['1 + 1']
    >>> found = parse(b'{"cells": [{"cell_type": "code", "source": "course(seed=7, learner=\\\\"kim\\\\")"}]}')
    >>> found.learner, found.seed
    ('kim', 7)
    """
    _take(data.strip(), "the file is empty")
    _take(
        _parts_of(data) <= MOST_PARTS,
        "it has far too many parts; clear its outputs, and save it again",
    )
    try:
        with not_collected():
            notebook = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError:
        raise Refused("it is nested too deep for a notebook") from None
    except ValueError as error:
        raise Refused(f"it is damaged, or not a notebook ({str(error)[:100]})") from None
    _take(isinstance(notebook, dict), "it is not a notebook")
    _take("worksheets" not in notebook, "it has an old format; open it in JupyterLab and save it")
    _take(isinstance(notebook.get("cells"), list), "it is not a notebook")
    code = [cell for cell in notebook["cells"] if _source(cell).strip()]
    cells = list(map(_source, code))
    _take(
        len(cells) <= MOST_CELLS and sum(map(len, cells)) <= LARGEST_CODE,
        f"it has more than {MOST_CELLS:,} cells or {LARGEST_CODE:,} characters of code",
    )
    if not (said := COURSE.search("\n".join(cells[:3]))):
        return Notebook(cells, shown=_shown(code))
    nobody = "" if said[3] else None  # or a hub says who it is
    learner = printable(ast.literal_eval(said[2])) if said[2] else nobody
    return Notebook(cells, learner, int(said[1]), _shown(code))


def _parts_of(data: bytes) -> int:
    return sum(map(data.count, (b"{", b"[", b",")))


def _source(cell: dict) -> str:
    """The code of a cell; "" if it is not a code cell, or not in order."""
    with suppress(TypeError, KeyError):
        if cell["cell_type"] == "code":
            return _whole(cell["source"])
    return ""


def _whole(text: str | list[str]) -> str:
    """What a notebook holds in one piece, or in lines; to join what is one piece would take far more memory."""
    return text if isinstance(text, str) else "".join(text)


def _shown(cells: list[dict]) -> dict[str, str]:
    """The last question about each exercise among the outputs."""
    shown = {}
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            with suppress(KeyError, TypeError):
                text = _whole(output["data"]["text/plain"])
                id, dot, _ = text.partition(" · ")
                if dot and len(text) <= LARGEST_OUTPUT and re.fullmatch(r"[a-z0-9-]+", id):
                    shown[id] = text
    return shown
