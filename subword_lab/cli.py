"""The command `subword-lab`. Results go to standard output, messages to standard error.

Exit code 0 for success, 1 for failure, 2 for bad use. Each command has a function that adds its options, and one that
does its work and loads what it needs only then, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from . import __version__
from .arguments import counted

if TYPE_CHECKING:
    from .working_copy import CopyReport

OPEN_HELP = """\
Makes a working copy of the lessons in DIR and opens JupyterLab there.

Your work is safe: a lesson in which you wrote anything is never written over. When the course has a newer version, the
lessons that you have not touched, or only run, are brought up to date. Of the others you are told that there is a
newer one, and asked whether you want it with your answers in it; your own file is kept beside it.
"""


GRADE_HELP = """\
Marks the notebooks in DIR, a folder or a zip file: as nbgrader collects them, as Moodle, Canvas and Blackboard export
them, or simply a notebook or a folder for each learner.

Each notebook is run in a sandbox, on its own, and its answers are judged outside. A notebook that is damaged, endless
or hostile costs its own row and nothing else. Exercises are found by their ids, wherever their cells stand; of several
answers to one exercise the last counts. What is marked is kept in a file beside the CSV, so the same command goes on
after Ctrl-C, and marks only what is new.
"""

HANDOUT_HELP = """\
Writes a copy of the lessons for each learner into DIR, a folder each. The exercises in it ask that learner's variants,
which the seed decides; `subword-lab grade --seed` with the same seed marks them. Without --learners, one copy for all.
"""

FORMS_HELP = """\
Writes two more forms of the lessons into OUT. OUT/instructor: notebooks with every exercise solved, for the variants of
your class's seed, and a note before each section: minutes, a question for the room, exercises in class and at home.
OUT/slides: a page a lesson, an idea a slide, that needs no network. And OUT/instructor_guide.ipynb, a short book for
whoever teaches, and a configuration for a JupyterHub. Do not hand them out.
"""

NBGRADER_HELP = """\
Writes the lessons as the sources of an nbgrader course, with a configuration. Go on there: nbgrader generate_assignment
01_bpe, and when the notebooks are back, nbgrader autograde 01_bpe and nbgrader generate_feedback 01_bpe.
"""

ROOM_HELP = """\
Opens a live room: a page that shows, while a class works, who is at which exercise, who waits for help, and which
mistakes were made in the last minutes. Learners are in it only if they join, under a name that they choose. Everything
is kept in the memory of this command, and gone when it ends.
"""

SITE_HELP = """\
Builds the course as a static site in OUT: a start page, every lesson to read, the package's reference, and JupyterLite,
in which the lessons run in the reader's browser, exercises and all. It needs the extra: pip install 'subword-lab[site]'
"""


TRAIN_HELP = """\
Trains a tokenizer on FILES, of which only the counts of words are kept in memory, and writes it in the format of the
tokenizers library: it opens there, and in Python with subword_lab.Tokenizer.load. What is not said is as in GPT-2
(bpe), BERT (wordpiece) or SentencePiece's models (unigram).
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="subword-lab", description="A course on subword tokenization, in notebooks."
    )
    parser.add_argument("--version", action="version", version=f"subword-lab {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (
        add_open,
        add_progress,
        add_grade,
        add_handout,
        add_forms,
        add_nbgrader,
        add_room,
        add_exercises,
        add_train,
        add_encode,
        add_decode,
        add_site,
    ):
        add(commands)
    for stream in (sys.stdout, sys.stderr):  # what a terminal cannot show is written in another way
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = parser.parse_args(argv)
    try:
        Path.cwd()
        code = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # nobody reads on; Python must not complain about that at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except FileNotFoundError as error:
        if error.filename is not None:
            raise
        return fail("the folder in which you are is not there any more; change to another one")
    except KeyboardInterrupt:
        return fail("stopped")


def fail(message: object) -> int:
    """Say on standard error what went wrong; the exit code for it."""
    say(f"subword-lab: {message}")
    return 1


def say(message: str) -> None:
    """A message for the person at the terminal: to standard error, so that results stay clean."""
    print(message, file=sys.stderr, flush=True)


def misused(message: object) -> int:
    """Say on standard error what in the command cannot be done; the exit code for it."""
    fail(message)
    return 2


def lacking(error: ImportError, extra: str) -> int:
    """Say on standard error what is not installed, and with which extra it comes; the exit code for it."""
    return fail(
        f"{error.name} is not installed for {sys.executable}; it comes with: "
        f"{sys.executable} -m pip install 'subword-lab[{extra}]'"
    )


def _command(
    commands: argparse._SubParsersAction, name: str, help: str, description: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=help,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


Run = Callable[[argparse.Namespace], int]


def says_why(place: str = "") -> Callable[[Run], Run]:
    """For a command that reads or writes files: what is in its way is said. place: the option that says where to."""

    def told(run: Run) -> Run:
        @wraps(run)
        def done(options: argparse.Namespace) -> int:
            from .lessons import NoLessons
            from .streaming import NotUTF8

            try:
                code = run(options)
                sys.stdout.flush()
                return code
            except ValueError as error:
                return misused(error)
            except NoLessons as error:
                return fail(error)
            except NotUTF8 as error:
                return fail(f"{error} (--replace-errors reads on)")
            except BrokenPipeError:  # `main` knows what to do
                raise
            except OSError as error:
                if place:
                    return fail(_file_problem(error, getattr(options, place)))
                return fail(f"{error.filename or 'the output'}: {error.strerror or error}")

        return done

    return told


# ---------------------------------------------------------------------------------------------------------------- open


def add_open(commands: argparse._SubParsersAction) -> None:
    """subword-lab open [DIR] [--no-browser] [--port N] [--host ADDRESS] [--room URL [--name NAME]]"""
    parser = _command(commands, "open", "open the course in JupyterLab", OPEN_HELP)
    parser.add_argument(
        "dir",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("subword-lab-course"),
        help="the folder for your copy of the lessons (default: ./subword-lab-course)",
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="where there is a newer edition of a lesson, take it, with your answers in it",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=_port,
        help="the port to use (default: 8888, or one that is free)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="the address to listen at; 0.0.0.0 lets other machines in, who need the token (default: "
        "127.0.0.1, this machine alone)",
    )
    parser.add_argument(
        "--room",
        metavar="URL",
        help="join the live room at this address, which your instructor gives; without it, nobody sees "
        "what you do",
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        default="",
        help="how you are called in the room: your name, or one that you make up (default: you are "
        "asked)",
    )
    parser.set_defaults(run=run_open)


def run_open(options: argparse.Namespace) -> int:
    """Copy the lessons, start JupyterLab, print its address, and wait for Ctrl-C."""
    from . import jupyterlab, lessons, working_copy

    folder = options.dir.expanduser()
    if options.room and "JUPYTERHUB_SERVICE_PREFIX" not in os.environ:
        try:
            _join(options.room, options.name)
        except ValueError as error:
            return misused(error)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end in order, as on Ctrl-C
    try:
        report = working_copy.copy_lessons(lessons.folder(), folder)
        for name in list(report.outdated):
            if options.take_over or _agreed(
                f"{name}: there is a newer edition. Take it, with your answers in it?"
            ):
                kept, count = working_copy.take_over(lessons.folder(), folder, name)
                say(
                    f"{name}: is now the newer edition, with {count} of your answers. Your own is kept: {kept.name}"
                )
                report.outdated.remove(name)
        _tell(report, folder)
        if (
            "JUPYTERHUB_SERVICE_PREFIX" in os.environ
        ):  # another server beside the hub's nobody could reach
            print(folder.resolve())
            say(
                "A JupyterHub runs here: open this folder in the JupyterLab from which you came."
                + (
                    " To join the room, run in a notebook: from subword_lab.exercises import live; "
                    f"live.join({options.room!r}, ...)"
                    if options.room
                    else ""
                )
            )
            return 0
        with jupyterlab.serve(
            folder, port=options.port, browser=not options.no_browser, host=options.host
        ) as (address, process):
            print(address, flush=True)
            say("The course is open at this address. Press Ctrl-C here to close it.")
            return fail("JupyterLab has ended by itself") if process.wait() else 0
    except (lessons.NoLessons, working_copy.CannotCopy, jupyterlab.CannotStart) as error:
        return fail(error)
    except KeyboardInterrupt:
        say(f"Closed. Your work is in {folder.resolve()}")
        return 0


def _join(address: str, name: str) -> None:
    """Take part in a room in all notebooks that are opened now; ValueError for an address or a name that is none."""
    from .exercises import live

    made_up = f"guest-{os.urandom(2).hex()}"
    name = (
        name or _asked(f"Your name in the room, or one that you make up [{made_up}]: ") or made_up
    )
    room = live.Membership(address, name)
    os.environ.update(SUBWORD_LAB_ROOM=address, SUBWORD_LAB_ROOM_NAME=room.name)
    say(
        f"In the room you are {room.name}: it is told which exercises you answer, how well, and what was wrong. "
        "It sees nothing else. To leave it, run this in a notebook: from subword_lab.exercises import live; "
        "live.leave()"
    )


def _tell(report: CopyReport, folder: Path) -> None:
    if report.added:
        say(f"Copied into {folder}: {', '.join(report.added)}")
    if report.renewed:
        say(f"Brought up to date, as you had written nothing in them: {', '.join(report.renewed)}")
    for name in report.outdated:
        say(
            f"{name}: there is a newer original. Yours was left as it is; to get the new one, rename yours and "
            "run this command again, or run it with --take-over, which carries your answers along."
        )
    for name in report.foreign:
        say(
            f"{name}: a file of this name was already there and was left as it is. To get the lesson, rename yours "
            "and run this command again."
        )


# ------------------------------------------------------------------------------------------------------------ progress


def add_progress(commands: argparse._SubParsersAction) -> None:
    """subword-lab progress [--json] [--learner NAME] [--export FILE] [--import FILE]"""
    parser = commands.add_parser(
        "progress",
        help="show what has been done",
        description="Which exercises are done, tried and left, lesson by lesson.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every exercise")
    parser.add_argument(
        "--learner", metavar="NAME", help="whose progress (default: all that is recorded here)"
    )
    parser.add_argument(
        "--export", metavar="FILE", type=Path, help="write what is recorded here to FILE"
    )
    parser.add_argument(
        "--import",
        metavar="FILE",
        type=Path,
        dest="import_",
        help="first add what FILE holds, which was exported here or elsewhere",
    )
    parser.set_defaults(run=run_progress)


def run_progress(options: argparse.Namespace) -> int:
    """Print a table, or JSON; say on standard error what could not be read."""
    from .exercises.overview import overview
    from .exercises.progress import ProgressError, export, import_

    try:
        if options.import_:
            say(f"{import_(options.import_)} events were new here.")
        if options.export:
            say(f"{export(options.export)} events were written to {options.export}")
            return 0
        found = overview(options.learner, files=())  # a folder of somebody else's may name any file
    except (
        ProgressError,
        ValueError,
    ) as error:  # the record, or the class's settings, cannot be read
        return fail(error)
    except OSError as error:
        return fail(_file_problem(error, options.export))
    for problem in found.problems:
        say(f"subword-lab: {problem}")
    if options.json:
        print(json.dumps({"learner": options.learner, **found.plain()}, indent=1))
    else:
        from .views.progress import lessons_table

        print(lessons_table(found), found.advice, sep="\n\n")
    return 0


# --------------------------------------------------------------------------------------------------------------- grade


def add_grade(commands: argparse._SubParsersAction) -> None:
    """subword-lab grade DIR --out FILE.csv [--seed N] [--jobs K] [--timeout S] ..."""
    parser = _command(commands, "grade", "mark a folder of notebooks", GRADE_HELP)
    parser.add_argument(
        "dir", metavar="DIR", type=Path, help="the folder, or zip file, with what was handed in"
    )
    parser.add_argument(
        "--out", metavar="FILE.csv", type=Path, required=True, help="where to write the grades"
    )
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="write all that is known, as JSON"
    )
    parser.add_argument(
        "--report", metavar="FILE.html", type=Path, help="write a page for you, with names"
    )
    parser.add_argument(
        "--class-report",
        metavar="FILE.html",
        type=Path,
        help="write a page on what the room got wrong, without names, for everybody",
    )
    parser.add_argument(
        "--feedback",
        metavar="DIR",
        type=Path,
        help="write a page for each learner, in folders as the submissions have them",
    )
    parser.add_argument(
        "--format",
        choices=["canvas", "moodle"],
        help="also write the grades as this system takes them, beside FILE.csv; needs --roster",
    )
    parser.add_argument(
        "--roster", metavar="FILE", type=Path, help="what the system exported: who is in the class"
    )
    parser.add_argument(
        "--show-answers", action="store_true", help="with the right answers in these pages"
    )
    parser.add_argument(
        "--due",
        metavar="TIME",
        type=_time,
        help="what was handed in later is late: 2026-01-31T12:00, by the clock here; when that was, "
        "Blackboard and nbgrader say, and of other files their own dates",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        help="the seed of the handout: only its variants count "
        "(default: those that the learners saw)",
    )
    parser.add_argument(
        "--secret-seed",
        metavar="N",
        type=int,
        help="a number that nobody knows, which decides on more inputs for code (default: the seed)",
    )
    parser.add_argument(
        "--exercises",
        metavar="NAMES",
        type=_names,
        default=[],
        help="what to grade: ids (bpe-03), lessons (01_bpe) or notebooks (own.ipynb), with commas "
        "between them (default: all that stand in the notebooks of most learners)",
    )
    parser.add_argument(
        "--exercises-file", metavar="FILE.py", type=Path, help="exercises of your own"
    )
    parser.add_argument(
        "--learner-pattern",
        metavar="REGEX",
        default="",
        help="whose a notebook is: the first group of this expression, found in its path below DIR",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        default="",
        help="mark on this Dask cluster, not on this machine",
    )
    parser.add_argument(
        "--jobs",
        metavar="K",
        type=_positive,
        help="notebooks at a time (default: one per processor)",
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_positive,
        default=120,
        help="seconds for one notebook, of which a single cell gets a sixth (default: 120)",
    )
    parser.add_argument("--trust", action="store_true", help="run the notebooks without a sandbox")
    parser.set_defaults(run=run_grade)


@says_why("out")
def run_grade(options: argparse.Namespace) -> int:
    """Mark the notebooks and write the files; a summary goes to standard output."""
    from .workshop import NoSandbox, grade
    from .workshop.gradebooks import read_roster, write_gradebook
    from .workshop.report import write_feedback, write_report
    from .workshop.tables import write_grades, write_json

    results = options.out.with_name(options.out.stem + ".results.jsonl")
    if bool(options.format) != bool(options.roster):
        return misused(
            "--format and --roster belong together: name the system, and what it exported"
        )
    book = options.out.with_name(f"{options.out.stem}.{options.format}.csv")
    if options.roster and options.roster.resolve() in (book.resolve(), options.out.resolve()):
        return misused(f"{options.roster} would be written over; name another --out")
    for path in filter(None, (options.out, options.json, options.report, options.class_report)):
        if path.exists() and not path.is_file():
            return misused(f"{path} is no file that could be written; name another one")
        if not path.absolute().parent.is_dir():  # which would be noticed when all is marked
            return misused(_no_folder(path))
    if options.feedback and options.feedback.resolve().is_relative_to(options.dir.resolve()):
        return misused(
            f"{options.feedback} would lie in {options.dir}, among what was handed in; name another folder"
        )
    try:
        if options.format:
            roster = read_roster(options.roster, options.format)
        grades = grade(
            options.dir,
            seed=options.seed,
            secret_seed=options.secret_seed,
            exercises=options.exercises,
            jobs=options.jobs,
            timeout=options.timeout,
            trust=options.trust,
            results=results,
            learner_pattern=options.learner_pattern,
            exercises_file=options.exercises_file,
            due=options.due,
            dask=options.dask,
            progress=_counter("notebooks"),
        )
        write_grades(options.out, grades)
        if options.format:
            for problem in write_gradebook(book, grades, roster):
                say(f"subword-lab: {problem}")
            say(f"To be imported there: {book}")
        if options.json:
            write_json(options.json, grades)
        if options.report:
            write_report(options.report, grades)
        if options.class_report:
            write_report(options.class_report, grades, names=False)
        if options.feedback:
            write_feedback(options.feedback, grades, answers=options.show_answers)
    except NoSandbox as error:
        return misused(error)
    except KeyboardInterrupt:
        say(
            f"\nStopped. What is marked already is kept in {results}; the same command goes on from there."
        )
        return 1
    if not grades.rows:
        return fail(
            f"nothing was handed in: there is no notebook, no folder and no zip file in {options.dir}"
        )
    if grades.left_out:
        say(
            f"Few learners' notebooks hold {', '.join(grades.left_out)}; to grade them, use --exercises."
        )
    print(grades.summary())
    return 0


def _counter(things: str) -> Callable[[int, int], None]:
    """Tells on standard error how far things are: on a terminal in one line, else every tenth of the way."""
    told = -1

    def tell(done: int, count: int) -> None:
        nonlocal told
        if sys.stderr.isatty():
            print(
                f"\r{done} of {count} {things}",
                end="\n" if done == count else "",
                file=sys.stderr,
                flush=True,
            )
        elif count and done * 10 // count > told:
            told = done * 10 // count
            say(f"{done} of {count} {things}")

    return tell


# ------------------------------------------------------------------------------------------------------------- handout


def add_handout(commands: argparse._SubParsersAction) -> None:
    """subword-lab handout DIR --seed N [--learners FILE] [--lessons NAMES] [--key FILE] [--zip] [--otter TESTS]"""
    parser = _command(
        commands, "handout", "give each learner of a class their own variants", HANDOUT_HELP
    )
    parser.add_argument("dir", metavar="DIR", type=Path, help="the folder for the copies")
    parser.add_argument(
        "--seed", metavar="N", type=int, required=True, help="a number that decides on the variants"
    )
    parser.add_argument(
        "--learners", metavar="FILE", type=Path, help="the learners' names, one a line"
    )
    parser.add_argument(
        "--lessons",
        metavar="NAMES",
        type=_names,
        default=[],
        help="lessons (01_bpe) or notebooks of your own, with commas between them (default: all)",
    )
    parser.add_argument(
        "--exercises-file", metavar="FILE.py", type=Path, help="exercises of your own"
    )
    parser.add_argument(
        "--key", metavar="FILE", type=Path, help="write the answers to this file, .csv or .html"
    )
    parser.add_argument(
        "--zip", action="store_true", help="also pack each copy into a zip file beside its folder"
    )
    parser.add_argument(
        "--hand-in",
        metavar="TEXT",
        default="",
        help='what learners are told about handing in, such as "Moodle, until Friday"; with --zip',
    )
    parser.add_argument(
        "--otter",
        metavar="TESTS",
        type=Path,
        help="also write a folder with tests for Otter-Grader, which then marks what comes back: otter "
        "generate -t TESTS -o autograder.zip",
    )
    parser.set_defaults(run=run_handout)


@says_why("dir")
def run_handout(options: argparse.Namespace) -> int:
    """Write the copies; their folders, or zip files, go to standard output."""
    from .workshop.handout import handout, pack, read_names, write_key, write_otter

    if options.key and options.key.resolve().is_relative_to(options.dir.resolve()):
        return misused(
            f"the answers would lie in {options.dir}, which is handed out; name another place with --key"
        )
    if options.key and not options.key.absolute().parent.is_dir():
        return misused(_no_folder(options.key))
    if options.hand_in and not options.zip:
        return misused("--hand-in goes into the zip files, which --zip writes")
    learners = read_names(options.learners) if options.learners else []
    lessons = _lessons(options.lessons)
    folders = handout(
        options.dir, lessons, learners, seed=options.seed, exercises_file=options.exercises_file
    )
    if options.zip:
        folders = [pack(folder, options.hand_in) for folder in folders]
    if options.key:
        write_key(
            options.key, lessons, learners, seed=options.seed, exercises_file=options.exercises_file
        )
    if options.otter:
        write_otter(options.otter, lessons, exercises_file=options.exercises_file)
    print(*folders, sep="\n")
    return 0


def _lessons(names: Sequence[str]) -> list[Path]:
    """The notebooks that are named, as files or as lessons of the course; without names, all lessons.

    Raises ValueError for a lesson that there is not.
    """
    from . import lessons

    folder = lessons.folder()
    if not names:
        return [
            folder / file
            for file in (*(lesson.file for lesson in lessons.LESSONS), lessons.GLOSSARY)
        ]
    return [
        Path(name)
        if name.endswith(".ipynb")
        else folder / (lessons.meant(name) or lessons.lesson(name)).file
        for name in names
    ]


def _names_of_lessons(names: Sequence[str]) -> list[str]:
    from . import lessons

    return [(lessons.meant(name) or lessons.lesson(name)).name for name in names]


# --------------------------------------------------------------------------------------------------------------- forms


def add_forms(commands: argparse._SubParsersAction) -> None:
    """subword-lab forms OUT [--seed N] [--lessons NAMES]"""
    parser = _command(
        commands, "forms", "write slides, and lessons with solutions, for you", FORMS_HELP
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to write into")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="the seed of your class (default: 0)"
    )
    parser.add_argument(
        "--lessons",
        metavar="NAMES",
        type=_names,
        default=[],
        help="lessons (01_bpe), with commas between them (default: all)",
    )
    parser.set_defaults(run=run_forms)


@says_why("out")
def run_forms(options: argparse.Namespace) -> int:
    """Write both forms of each lesson; their paths go to standard output."""
    from . import lessons
    from .files import write_whole
    from .site.slides import write_slides
    from .workshop import HUB
    from .workshop.forms import write_instructor_notebook

    try:
        for lesson in _names_of_lessons(options.lessons) or lessons.names():
            print(write_instructor_notebook(options.out / "instructor", lesson, seed=options.seed))
            print(write_slides(options.out / "slides", lesson))
        for name, original in (
            (lessons.GUIDE, lessons.folder() / lessons.GUIDE),
            ("jupyterhub_config.py", HUB),
        ):
            write_whole(options.out / name, original.read_bytes())
            print(options.out / name)
    except ImportError as error:
        return lacking(error, "site")
    return 0


# ------------------------------------------------------------------------------------------------------------ nbgrader


def add_nbgrader(commands: argparse._SubParsersAction) -> None:
    """subword-lab nbgrader COURSE --seed N [--by-user] [--lessons NAMES]"""
    parser = _command(commands, "nbgrader", "make a course for nbgrader", NBGRADER_HELP)
    parser.add_argument(
        "course", metavar="COURSE", type=Path, help="nbgrader's folder for the course, or a new one"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, required=True, help="a number that decides on the variants"
    )
    parser.add_argument(
        "--by-user", action="store_true", help="on a JupyterHub: each user's own variants"
    )
    parser.add_argument(
        "--lessons",
        metavar="NAMES",
        type=_names,
        default=[],
        help="lessons (01_bpe), with commas between them (default: all)",
    )
    parser.set_defaults(run=run_nbgrader)


@says_why("course")
def run_nbgrader(options: argparse.Namespace) -> int:
    """Write the course; what was written goes to standard output."""
    from .workshop.nbgrader import write_course

    written = write_course(
        options.course,
        _names_of_lessons(options.lessons),
        seed=options.seed,
        by_user=options.by_user,
    )
    print(*written, sep="\n")
    if options.course / "nbgrader_config.py" not in written:
        say(
            "The configuration that is there was left. See that it keeps marking out of your own progress: "
            "os.environ['SUBWORD_LAB_HOME'] = ':memory:'"
        )
    return 0


# ---------------------------------------------------------------------------------------------------------------- room


def add_room(commands: argparse._SubParsersAction) -> None:
    """subword-lab room [--port N] [--host ADDRESS] [--again URL]"""
    parser = _command(commands, "room", "see how a class is doing while it works", ROOM_HELP)
    parser.add_argument("--port", metavar="N", type=_port, help="the port to use (default: 8890)")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="the address to listen at; 0.0.0.0 lets the machines of the class in, who need the code "
        "(default: 127.0.0.1, this machine alone)",
    )
    parser.add_argument(
        "--again",
        metavar="URL",
        type=_page,
        help="open the room again whose page had this address, at its port and with its code: learners "
        "stay in it, and what they have answered meanwhile arrives",
    )
    parser.set_defaults(run=run_room)


def run_room(options: argparse.Namespace) -> int:
    """Open the room, print the page's address, and wait for Ctrl-C."""
    try:
        from .workshop import room
    except ImportError as error:
        return lacking(error, "lab")

    def ready(page: str, learners: str) -> None:
        print(page, flush=True)
        say(
            "The room is open, and the page above is yours alone. Learners join with:\n"
            f"    subword-lab open --room '{learners}'"
        )
        if options.host in ("127.0.0.1", "localhost"):
            say("Only this machine can reach it; --host 0.0.0.0 lets others in.")
        say(
            "Press Ctrl-C here to close it; then all that it knows is gone. The same room, empty, opens again with:\n"
            f"    subword-lab room --host {options.host} --again '{page}'"
        )

    port, key = options.again or (room.PORT, "")
    port = port if options.port is None else options.port
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        room.run(options.host, port, ready, key)
    except OSError as error:
        what = "port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "host"
        return fail(
            f"{options.host}, port {port} cannot be used ({error.strerror or error}); name another "
            f"with --{what}"
        )
    except KeyboardInterrupt:
        say("Closed. The room has forgotten everything.")
    return 0


# ----------------------------------------------------------------------------------------------------------- exercises


def add_exercises(commands: argparse._SubParsersAction) -> None:
    """subword-lab exercises new FILE | check FILE | list [FILE]"""
    parser = commands.add_parser(
        "exercises",
        help="write and check exercises of your own, or list all",
        description="Exercises of your own: how to write them is told in the lesson "
        "instructor_guide.ipynb.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    new = actions.add_parser(
        "new",
        help="write a file with two exercises, to begin with",
        description="Writes FILE with an exercise that asks for a value, and one for code. "
        "Change them, and see with `subword-lab exercises check FILE` that they hold.",
    )
    new.add_argument(
        "file", metavar="FILE", type=Path, help="the file to write, such as own.py; not there yet"
    )
    new.set_defaults(run=run_exercises_new)
    check = actions.add_parser(
        "check",
        help="prove the exercises of a file on many variants",
        description="Takes every exercise of FILE through many variants: the answer is right, "
        "each mistake is told by its own label, hints do not hold the answer ...",
    )
    check.add_argument("file", metavar="FILE", type=Path, help="a Python file with exercises")
    check.add_argument(
        "--variants", metavar="N", type=_positive, default=200, help="how many (default: 200)"
    )
    check.set_defaults(run=run_exercises_check)
    listing = actions.add_parser(
        "list", help="list the ids of all exercises, with kind, points and title"
    )
    listing.add_argument(
        "file", metavar="FILE", type=Path, nargs="?", help="also those of this file"
    )
    listing.set_defaults(run=run_exercises_list)


def run_exercises_new(options: argparse.Namespace) -> int:
    """Write the example; a file that is there stays as it is."""
    from .workshop import EXAMPLE

    try:
        with open(options.file, "x", encoding="utf-8") as file:
            file.write(EXAMPLE.read_text(encoding="utf-8"))
    except FileExistsError:
        return fail(f"{options.file} is there already, and was left as it is; name another file")
    except OSError as error:
        return fail(_file_problem(error, options.file))
    say(f"Now change it, and check it with: subword-lab exercises check {options.file}")
    print(options.file)
    return 0


def run_exercises_check(options: argparse.Namespace) -> int:
    """A line for each exercise on standard output, with what is wrong with it below."""
    from .exercises import catalog, load_file
    from subword_lab_teach.proof import prove

    try:
        ids = load_file(options.file)
    except ValueError as error:
        return fail(error)
    flawed = 0
    for id in ids:
        exercise = catalog([])[id]
        flaws = prove(exercise, options.variants)
        flawed += bool(flaws)
        print(
            f"{id}: {'not proven' if flaws else 'proven'} on {options.variants} variants ({exercise.kind.name})"
        )
        for flaw in flaws:
            print(f"    {flaw}")
    return fail(f"{flawed} of {len(ids)} exercises in {options.file} need mending") if flawed else 0


def run_exercises_list(options: argparse.Namespace) -> int:
    """A line for each exercise."""
    from .exercises import catalog

    try:
        bank = catalog([options.file] if options.file else [])
    except ValueError as error:
        return fail(error)
    for exercise in bank.values():
        print(
            f"{exercise.id:<16}{exercise.kind.name:<16}{counted(exercise.points, 'point'):<10}"
            f"{exercise.title}"
        )
    return 0


# ------------------------------------------------------------------------------------------------ train, encode, decode


def add_train(commands: argparse._SubParsersAction) -> None:
    """subword-lab train FILES... --vocab-size N --out FILE.json [--algorithm NAME] [--scheme NAME] ..."""
    parser = _command(commands, "train", "train a tokenizer on files", TRAIN_HELP)
    parser.add_argument("files", metavar="FILES", nargs="+", type=Path, help="texts, in UTF-8")
    parser.add_argument(
        "--algorithm", choices=["bpe", "wordpiece", "unigram"], default="bpe", help="(default: bpe)"
    )
    parser.add_argument(
        "--vocab-size", metavar="N", type=_positive, required=True, help="how many tokens to aim at"
    )
    parser.add_argument(
        "--out", metavar="FILE.json", type=Path, required=True, help="where to write the tokenizer"
    )
    parser.add_argument(
        "--scheme", metavar="NAME", help="how texts are cut into words, such as whitespace or o200k"
    )
    parser.add_argument(
        "--normalize", metavar="STEPS", type=_names, help="steps such as nfkc,lowercase"
    )
    parser.add_argument(
        "--special-tokens", metavar="TOKENS", type=_names, help="tokens that are never split"
    )
    parser.add_argument(
        "--sentencepiece-rules",
        action="store_true",
        help="train bpe or unigram by SentencePiece's rules, to the vocabulary that it would find",
    )
    parser.add_argument(
        "--replace-errors", action="store_true", help="take what is no UTF-8 as U+FFFD"
    )
    parser.set_defaults(run=run_train)


@says_why()
def run_train(options: argparse.Namespace) -> int:
    """Train and write the file, whole or not at all; a summary goes to standard error."""
    from .pieces import Rules
    from .tokenizer import Tokenizer

    if not options.out.absolute().parent.is_dir():
        return misused(_no_folder(options.out))

    texts = _lines(options.files, options.replace_errors, _counter("MB"))
    tokenizer = Tokenizer.train(
        texts,
        options.algorithm,
        options.vocab_size,
        scheme=options.scheme,
        normalization=options.normalize,
        special_tokens=options.special_tokens,
        rules=Rules() if options.sentencepiece_rules else None,
    )
    tokenizer.save(options.out)
    say(f"{tokenizer} is in {options.out}")
    if tokenizer.vocab_size < options.vocab_size:
        say(f"The texts do not offer {options.vocab_size} tokens.")
    print(options.out)
    return 0


def add_encode(commands: argparse._SubParsersAction) -> None:
    """subword-lab encode --tokenizer FILE.json [FILE]"""
    parser = commands.add_parser(
        "encode",
        help="turn a text into ids",
        description="Writes the ids of each line of FILE as a line, without the line end.",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        help="a text in UTF-8 (default: standard input)",
    )
    parser.add_argument(
        "--tokenizer", metavar="FILE.json", type=Path, required=True, help="what train has written"
    )
    parser.add_argument(
        "--special",
        action="store_true",
        help="take special tokens in the text as such; without it they are text like any other",
    )
    parser.add_argument(
        "--tokens", action="store_true", help="write the tokens, as JSON, and not their ids"
    )
    parser.add_argument(
        "--replace-errors", action="store_true", help="take what is no UTF-8 as U+FFFD"
    )
    parser.set_defaults(run=run_encode)


@says_why()
def run_encode(options: argparse.Namespace) -> int:
    """A line of ids for each line, written as soon as it is known."""
    from .tokenizer import Tokenizer

    tokenizer = Tokenizer.load(options.tokenizer)
    begun = False  # a long line comes in parts
    for line in _lines([options.file], options.replace_errors):
        found = tokenizer.encode(
            line.removesuffix("\n"),
            allowed_special="all" if options.special else (),
            disallowed_special=(),
            add_special_tokens=False,
        )
        row = (
            [json.dumps(token, ensure_ascii=False) for token in found.tokens]
            if options.tokens
            else found.ids
        )
        _write(" " * (begun and bool(row)) + " ".join(map(str, row)) + "\n" * line.endswith("\n"))
        begun = not line.endswith("\n")
    if begun:
        _write("\n")
    return 0


def add_decode(commands: argparse._SubParsersAction) -> None:
    """subword-lab decode --tokenizer FILE.json [FILE]"""
    parser = commands.add_parser(
        "decode",
        help="turn ids into a text",
        description="Writes the text of each line of ids in FILE as a line.",
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, nargs="?", help="lines of ids (default: standard input)"
    )
    parser.add_argument(
        "--tokenizer", metavar="FILE.json", type=Path, required=True, help="what train has written"
    )
    parser.set_defaults(run=run_decode)


@says_why()
def run_decode(options: argparse.Namespace) -> int:
    """A line of text for each line of ids; special tokens are shown."""
    from .tokenizer import Tokenizer

    tokenizer = Tokenizer.load(options.tokenizer)
    with _opened(options.file) as file:
        for number, line in enumerate(file, start=1):
            try:
                ids = [int(id) for id in line.split()]
                _write(tokenizer.decode(ids, skip_special_tokens=False) + "\n")
            except ValueError as error:
                raise ValueError(
                    f"{options.file or 'standard input'}, line {number}: {error}"
                ) from None
    return 0


def _opened(path: Path | None) -> AbstractContextManager[BinaryIO]:
    return open(path, "rb") if path else nullcontext(sys.stdin.buffer)


def _lines(
    paths: Sequence[Path | None], replace: bool, tell: Callable[[int, int], None] | None = None
) -> Iterator[str]:
    """The lines of some files, or of standard input; `tell` hears how many megabytes are read, of how many."""
    from .streaming import lines

    size = sum(path.stat().st_size for path in paths if path)
    read = 0

    def progress(count: int) -> None:
        nonlocal read
        read += count
        if tell and (read >> 20 > (read - count) >> 20 or read == size):
            tell(-(-read // (1 << 20)), -(-size // (1 << 20)))

    for path in paths:
        with _opened(path) as file:
            yield from lines(
                file, str(path or "standard input"), replace=replace, progress=progress
            )


def _write(string: str) -> None:
    sys.stdout.buffer.write(string.encode("utf-8"))


# ---------------------------------------------------------------------------------------------------------------- site


def add_site(commands: argparse._SubParsersAction) -> None:
    """subword-lab site OUT [--pyodide DIR] [--repository OWNER/NAME]"""
    parser = _command(
        commands,
        "site",
        "build the course as a website that needs no server-side program",
        SITE_HELP,
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder for the site")
    parser.add_argument(
        "--pyodide",
        metavar="DIR",
        type=Path,
        help="a folder with Pyodide, to become part of the site (default: the browser gets it from "
        "a content network)",
    )
    parser.add_argument(
        "--repository",
        metavar="OWNER/NAME",
        help="where the course is on GitHub; the start page then leads there, to Binder and to Colab",
    )
    parser.set_defaults(run=run_site)


def run_site(options: argparse.Namespace) -> int:
    """Build it; the start page's path goes to standard output."""
    from . import lessons, site

    try:
        print(site.build(options.out, options.pyodide, options.repository))
    except (site.CannotBuild, lessons.NoLessons) as error:
        return fail(error)
    for name, what in (site.lacking(options.pyodide) if options.pyodide else {}).items():
        say(f"{options.pyodide} holds no {name}: {what}. A whole distribution of Pyodide has it.")
    say(
        f"Any file server can hand it out, for example: {Path(sys.executable).name} -m http.server -d {options.out}"
    )
    return 0


# --------------------------------------------------------------------------------------------------------- small parts


def _file_problem(error: OSError, path: Path) -> str:
    """In words, what is wrong with the file or folder that the error names, or else with `path`."""
    name = str(error.filename or path).removesuffix(".part")
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"{name} cannot be written: it is a file, or lies under one; name a folder"
    if isinstance(error, PermissionError):
        return f"{name} may not be read or written by you ({error.strerror})"
    folder = Path(name).absolute().parent
    return (
        f"{name} cannot be written: {error.strerror or error}"
        if folder.is_dir()
        else _no_folder(name)
    )


def _no_folder(path: str | Path) -> str:
    return f"{path} cannot be written: there is no folder {Path(path).absolute().parent}"


def _agreed(question: str) -> bool:
    """Whether somebody at the terminal says yes; no, where nobody can be asked."""
    return _asked(f"{question} [y/N] ").casefold() in ("y", "yes")


def _asked(question: str) -> str:
    """What somebody at the terminal says; nothing, where nobody can be asked."""
    if not (sys.stdin and sys.stdin.isatty()):
        return ""
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port; expected a whole number from 0 to 65535"
        )
    return int(text)


def _page(text: str) -> tuple[int, str]:
    """Port and key of a room, as the address of its page has them."""
    found = re.fullmatch(r"https?://.+:(\d{1,5})/#teacher=([\w-]{32})", text, re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the address of a room's page; expected what the command "
            "printed first, such as http://127.0.0.1:8890/#teacher=..."
        )
    return _port(found[1]), found[2]


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time; expected one such as 2026-01-31T12:00"
        ) from None


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
