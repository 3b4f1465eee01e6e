"""A copy of the lessons for each learner, whose exercises ask that learner's variants; and the answers to them.

What makes the copy a learner's own is its first cell (see `exercises.classroom`), which goes wherever the notebook
goes; a small file beside the notebooks says the same, and so do the metadata, so that a notebook is marked by the right
variants under whatever name it comes back. Exercises are shown without cards: what counts has to stand in the
notebook's cells. Of exercises of an instructor's own, learners get the questions, and not the answers.
"""

import io
import json
import os
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from subword_lab import html
from subword_lab.arguments import check
from subword_lab.exercises import Exercise, Instance, classroom, load_file
from subword_lab.exercises.own import questions
from subword_lab.files import LARGEST, read_bounded, write_whole
from subword_lab.working_copy import renewed

from . import submissions
from .cells import (
    as_text,
    asked_in,
    first_cell,
    lesson_notebook,
    spelled_out,
    unlinked,
    write_notebook,
)
from .gradebooks import write_csv

HAND_IN = """How to hand in{where}

Open this folder in a terminal with: subword-lab open .
If the terminal does not know this command, write all of its path, as you did when you tried the course:
for example ~/tokens/bin/subword-lab open .

Put each answer in place of the three dots in .check(...), run the cell, and save the notebook (File, Save Notebook).
You may try as often as you like: what the cell says when you hand in is what counts. To practice with new figures, use
another() in a cell of your own; answers to new figures do not count.

Hand in the notebooks as they are, under the names that they have, or this whole folder as a zip file.

Where a lesson speaks of a glossary or of sources that are not here, get the whole course beside this folder:
subword-lab open ../course
"""
NOT_JUDGED = """
Most cells say at once whether an answer is right. For these exercises, your instructor will tell you: {ids}
"""

OTTER_TEST = """OK_FORMAT = False

from otter.test_files import test_case

name = "{id}"
"""
OTTER_CASE = """

@test_case(points=1)
def at_least_{points}():
    from subword_lab.exercises import load

    assert load("{id}").points >= {points}
"""


JOINERS = "\u200c\u200d"  # which Persian and Sinhala are spelled with
DEVICES = {"con", "prn", "aux", "nul"}.union(
    f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"
)


def checked_names(names: Iterable[str]) -> list[str]:
    """The names, if each can be that of a folder, and no two look alike or are so to a file system; else ValueError.

    >>> checked_names(["Zoë Ba", "CON"])
    Traceback (most recent call last):
    ValueError: the name 'CON' cannot be used for a folder: Windows reserves it for a device
    """
    names, seen = list(names), dict[str, str]()
    for name in names:
        unseen = [ascii(char) for char in name if not (char.isprintable() or char in JOINERS)]
        reasons = {
            'write it without / \\ : * ? " < > |': any(char in '/\\:*?"<>|' for char in name),
            f"it holds something that nobody sees, {''.join(unseen)[1:-1]}": bool(unseen),
            "write one that begins with a letter or a digit": name.strip(". ") == ""
            or name[0] == ".",
            "it is longer than 100 characters": len(name) > 100,
            "Windows drops a dot or a space at its end": name != name.rstrip(". "),
            "the marking would take it for another one's, or for nobody's": (
                not submissions.is_read_as_it_is(name)
            ),
            "Windows reserves it for a device": name.partition(".")[0].strip().casefold()
            in DEVICES,
        }
        for reason, holds in reasons.items():
            check(not holds, f"the name {name!r} cannot be used for a folder: {reason}")
        same = unicodedata.normalize("NFC", submissions.visible(name).casefold())
        if twin := seen.get(same):
            also = f", also as {twin!r}, which looks the same, or is so to some file systems"
            raise ValueError(f"the name {name!r} is given twice{also if twin != name else ''}")
        seen[same] = name
    return names


def read_names(path: str | Path) -> list[str]:
    """The names of learners from a text file, one per line; blank lines and lines that begin with # are left out.

    Raises ValueError if it cannot be read, or if a name cannot be used for a folder or stands there twice.
    """
    try:
        lines = re.split(r"\r\n|\r|\n", read_bounded(path).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "save it as text in UTF-8, one name per line"
        raise ValueError(f"the names cannot be read from {path}: {reason}") from None
    is_table = Path(path).suffix.lower() in (".csv", ".tsv") and set(",;\t") & set("".join(lines))
    check(
        not is_table,
        f"{path} is a table; expected a text file with the names alone, one per line",
    )
    names = [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
    check(names, f"there are no names in {path}; expected one per line")
    return checked_names(names)


def handout(
    folder: str | Path,
    lessons: Sequence[str | Path],
    learners: Iterable[str] = (),
    *,
    seed: int,
    exercises_file: str | Path | None = None,
    hand_in: str = "",
) -> list[Path]:
    """Write copies of the lessons, a folder for each learner; without learners, one copy, with the seed, for all.

    lessons: notebooks. exercises_file: exercises of your own. Those that the notebooks ask go into a file beside them:
    the learner's variant of each question, without its answer. hand_in: how and when to hand in, for HAND-IN.txt.
    Returns the folders. A notebook that is there already is left.

    Raises ValueError for a lesson or a name that cannot be used, an unknown exercise, or a folder that has other
    settings, a link or a damaged file, or cannot be written to (OSError, if none can); the others have their copies
    then, unless all that were there are so.
    """
    classroom.checked_seed(seed)
    notebooks, asked = _spelled_out(lessons, exercises_file)
    own = [exercise for exercise in asked if exercise.own]
    files = [f"{Path(exercises_file or '').stem}.json"] if own else []
    note = HAND_IN.format(where=f": {hand_in}" if hand_in else "")
    copies = {
        Path(folder, learner): {
            "seed": seed,
            "learner": learner,
            "exercises": files,
            "cards": False,
        }
        for learner in checked_names(learners) or [""]
    }
    problems = {place: _problem(place, notebooks, told) for place, told in copies.items()}
    is_new = any(not problems[place] for place in copies if os.path.lexists(place / classroom.FILE))
    check(is_new or not any(problems.values()), "\n".join(filter(None, problems.values())))

    def write(place: Path, learner: str) -> None:
        write_notebook(place / classroom.FILE, copies[place])
        ids = list[str]()
        for file in files:
            asked_here = _with_earlier(place / file, [Instance(one, seed, learner) for one in own])
            ids = [each["id"] for each in asked_here]
            write_whole(place / file, as_text(asked_here))
        not_judged = NOT_JUDGED.format(ids=", ".join(ids)) if ids else ""
        write_whole(place / submissions.NOTE, note + not_judged)
        whose = f"{learner}'s" if learner else "your class's"
        named = f", exercises={files}" if files else ""
        call = f"course(seed={seed}, learner={learner!r}{named})"
        for name in (name for name in notebooks if not (place / name).exists()):
            first = first_cell(f"This copy is {whose}. ", call, notebooks[name])
            cells = unlinked(notebooks[name]["cells"], notebooks)
            write_notebook(place / name, {**notebooks[name], "cells": [first, *cells]})

    unwritten = list[OSError]()
    for place in (place for place in copies if not problems[place]):
        try:
            write(place, str(copies[place]["learner"]))
        except OSError as error:
            unwritten.append(error)
            problems[place] = f"{place}: {error.strerror or error}"
    if len(unwritten) == len(copies):
        raise unwritten[0]
    told = "\n".join(filter(None, problems.values()))
    check(not told, told)
    return list(copies)


def _with_earlier(path: Path, instances: Iterable[Instance]) -> list[dict]:
    """The questions of these exercises, and behind them those that a file of questions, if it is there, has of others.

    Raises ValueError, TypeError or KeyError for a file that is none.
    """
    rows = json.loads(questions(instances))
    ids = [row["id"] for row in rows]
    earlier = json.loads(read_bounded(path)) if path.exists() else []
    return rows + [row for row in earlier if row["id"] not in ids]


def _problem(place: Path, names: Iterable[str], settings: dict) -> str:
    """Why nothing can be written into a learner's folder: somebody's file, other settings; "" if all is well."""
    try:
        return _in_the_way(place, names, settings)
    except OSError as error:
        return f"{place}: {error.strerror or error}"


def _in_the_way(place: Path, names: Iterable[str], settings: dict) -> str:
    """The same; OSError for a folder that cannot be looked at."""
    file, ours = place / classroom.FILE, [place / submissions.NOTE]
    ours += [place / name for name in settings["exercises"]]
    for path in (place, file, *ours, *(place / name for name in names)):
        if path.is_symlink() or (path != place and path.exists() and not path.is_file()):
            return f"{path} is a link, or not a file; remove it, and run the command again"
    if not file.exists():
        mine = [path for path in ours if path.exists()]
        return f"{mine[0]} is a file of yours; move it away, or name another folder" if mine else ""
    for path in (place / name for name in settings["exercises"]):
        try:
            _with_earlier(path, [])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return f"{path} is damaged; move it away, and run the command again"
    try:
        earlier = json.loads(read_bounded(file))
    except (OSError, ValueError, RecursionError):
        return f"{file} is damaged; move it away, or name another folder"
    if earlier == settings:
        return ""
    return f"{place} already holds copies for other settings ({json.dumps(earlier)[:300]}); name another folder"


def pack(folder: Path) -> Path:
    """Pack a copy that was handed out into a zip file beside its folder; its path.

    Links are left out. Raises ValueError if there is a file of that name that holds something else, or if the folder
    holds more than any copy does.
    """
    whole, packed = folder.with_name(f"{folder.name}.zip"), io.BytesIO()
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
    ]
    check(
        sum(path.stat().st_size for path in paths) <= LARGEST,
        f"{folder} holds more than {LARGEST // 1_000_000} MB; move away what is no part of the copy",
    )
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            # Without its date: alike for alike copies.
            member = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
            member.external_attr = 0o644 << 16  # to be read by everybody
            archive.writestr(member, read_bounded(path), zipfile.ZIP_DEFLATED)
    check(
        not os.path.lexists(whole)
        or (not whole.is_symlink() and whole.read_bytes() == packed.getvalue()),
        f"{whole} is there already, and holds something else; move it away",
    )
    write_whole(whole, packed.getvalue())
    return whole


def _spelled_out(
    lessons: Sequence[str | Path], exercises_file: str | Path | None
) -> tuple[dict[str, dict], list[Exercise]]:
    """The lessons, by the names of their files, as learners fill them in, and the exercises that they ask."""
    if exercises_file:
        load_file(exercises_file)
    notebooks = {}
    for lesson in lessons:
        notebook = notebooks[Path(lesson).name] = lesson_notebook(str(lesson))
        try:
            notebook["cells"] = spelled_out(notebook["cells"])
        except ValueError as error:
            raise ValueError(f"{lesson} cannot be handed out: {error}") from None
    return notebooks, asked_in(notebooks.values())


# ---------------------------------------------------------------------------------------------------------- the answers


def write_key(
    path: str | Path,
    lessons: Sequence[str | Path],
    learners: Iterable[str] = (),
    *,
    seed: int,
    exercises_file: str | Path | None = None,
) -> int:
    """Write the answers to the exercises of the lessons, for each learner's variants; how many there are.

    The file is a CSV table, or, if its name ends with .html, a page that also shows the questions.
    """
    instances = [
        Instance(exercise, seed, learner)
        for exercise in _spelled_out(lessons, exercises_file)[1]
        for learner in (checked_names(learners) or [""])
    ]
    if Path(path).suffix.lower() in (".html", ".htm"):
        write_whole(path, _page(instances, seed))
    else:
        write_csv(
            path,
            ["exercise", "title", "learner", "answer"],
            [[ex.id, ex.title, ex.learner, ex.kind.key(ex.asked, ex.listed)] for ex in instances],
        )
    return len(instances)


def write_otter(
    folder: str | Path, lessons: Sequence[str | Path], *, exercises_file: str | Path | None = None
) -> list[Path]:
    """Write the tests with which Otter-Grader marks what was handed out, a file an exercise; their paths.

    There is a case for each point, which Otter tries in the process in which the notebook was run: it believes what
    that process says, as nbgrader does. Raises CourseError in the end for tests that somebody has changed, which stay.
    """
    _, asked = _spelled_out(lessons, exercises_file)
    with renewed(Path(folder)) as new:
        for exercise in asked:
            test = OTTER_TEST.format(id=exercise.id)
            for points in range(1, exercise.points + 1):
                test += OTTER_CASE.format(id=exercise.id, points=points)
            write_whole(new / f"{exercise.id}.py", test)
    return [Path(folder) / f"{exercise.id}.py" for exercise in asked]


def _page(instances: Sequence[Instance], seed: int) -> str:
    parts = []
    for id, group in groupby(instances, key=lambda ex: ex.id):
        own = [(ex, ex.kind.key(ex.asked, ex.listed)) for ex in group]
        first, answer = own[0]
        rows = [
            [ex.learner, html.tag("code", key), html.details("Question", html.to_html(ex.question))]
            for ex, key in own
        ]
        is_code = "code" in first.kind.proofs  # the same for all
        answers = html.to_html(answer) if is_code else html.table(rows, ["learner", "answer", ""])
        parts += [html.tag("h2", f"{id} · {first.title}"), answers]
    return html.page(f"Answers, seed {seed}", *parts)
