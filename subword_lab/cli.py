"""The command `subword-lab`. Results go to standard output, messages to standard error.

Exit code 0 for success, 1 for failure, 2 for bad use. Each command has a function that adds its options, and one that
does its work and loads what it needs only then, so that `--help` answers at once.
"""
from __future__ import annotations

import argparse
import io
import json
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__

if TYPE_CHECKING:
    from .working_copy import CopyReport

OPEN_HELP = """\
Makes a working copy of the lessons in DIR and opens JupyterLab there.

Your work is safe: a lesson in which you wrote anything is never written over. When the course has a newer version, the
lessons that you have not touched, or only run, are brought up to date. Of the others you are told that there is a
newer one; to get it, rename yours and run this command again.
"""


GRADE_HELP = """\
Marks the notebooks in DIR, a folder or a zip file: as nbgrader collects them, as Moodle, Canvas and Blackboard export
them, or simply a notebook or a folder for each learner.

Each notebook is run in a sandbox, on its own, and its answers are judged outside. A notebook that is damaged, endless
or hostile costs its own row and nothing else. Exercises are found by their ids, wherever their cells stand; of several
answers to one exercise the best counts, and of those in one cell the last. What is marked is kept in a file beside the
CSV, so the same command goes on after Ctrl-C, and marks only what is new.
"""

HANDOUT_HELP = """\
Writes a copy of the lessons for each learner into DIR, a folder each. The exercises in it ask that learner's variants,
which the seed decides; `subword-lab grade --seed` with the same seed marks them. Without --learners, one copy for all.
"""

SITE_HELP = """\
Builds the course as a static site in OUT: a start page, every lesson to read, the package's reference, and JupyterLite,
in which the lessons run in the reader's browser, exercises and all. It needs the extra: pip install 'subword-lab[site]'
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    parser = argparse.ArgumentParser(prog="subword-lab", description="A course on subword tokenization, in notebooks.")
    parser.add_argument("--version", action="version", version=f"subword-lab {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_open(commands)
    add_progress(commands)
    add_grade(commands)
    add_handout(commands)
    add_exercises(commands)
    add_site(commands)
    for stream in (sys.stdout, sys.stderr):     # a console without some letter shows its number, and all goes on
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = parser.parse_args(argv)
    return options.run(options)


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


# ---------------------------------------------------------------------------------------------------------------- open

def add_open(commands: argparse._SubParsersAction) -> None:
    """subword-lab open [DIR] [--no-browser] [--port N] [--host ADDRESS]"""
    parser = commands.add_parser("open", help="open the course in JupyterLab", description=OPEN_HELP,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR", nargs="?", type=Path, default=Path("subword-lab-course"),
                        help="the folder for your copy of the lessons (default: ./subword-lab-course)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    parser.add_argument("--port", metavar="N", type=_port, help="the port to use (default: 8888, or one that is free)")
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1",
                        help="the address to listen at; 0.0.0.0 lets other machines in, who need the token (default: "
                             "127.0.0.1, this machine alone)")
    parser.set_defaults(run=run_open)


def run_open(options: argparse.Namespace) -> int:
    """Copy the lessons, start JupyterLab, print its address, and wait for Ctrl-C."""
    from . import jupyterlab, lessons, working_copy

    folder = options.dir.expanduser()
    signal.signal(signal.SIGTERM, signal.default_int_handler)                   # end in order, as on Ctrl-C
    try:
        _tell(working_copy.copy_lessons(lessons.folder(), folder), folder)
        with jupyterlab.serve(folder, port=options.port, browser=not options.no_browser,
                              host=options.host) as (address, process):
            print(address, flush=True)
            say("The course is open at this address. Press Ctrl-C here to close it.")
            return fail("JupyterLab has ended by itself") if process.wait() else 0
    except (lessons.NoLessons, working_copy.CannotCopy, jupyterlab.CannotStart) as error:
        return fail(error)
    except KeyboardInterrupt:
        say(f"Closed. Your work is in {folder.resolve()}")
        return 0


def _tell(report: CopyReport, folder: Path) -> None:
    if report.added:
        say(f"Copied into {folder}: {', '.join(report.added)}")
    if report.renewed:
        say(f"Brought up to date, as you had written nothing in them: {', '.join(report.renewed)}")
    for name in report.outdated:
        say(f"{name}: there is a newer original. Yours was left as it is; to get the new one, rename yours and "
            "run this command again.")
    for name in report.foreign:
        say(f"{name}: a file of this name was already there and was left as it is. To get the lesson, rename yours "
            "and run this command again.")


# ------------------------------------------------------------------------------------------------------------ progress

def add_progress(commands: argparse._SubParsersAction) -> None:
    """subword-lab progress [--json] [--learner NAME] [--export FILE] [--import FILE]"""
    parser = commands.add_parser("progress", help="show what has been done",
                                 description="Which exercises are done, tried and left, lesson by lesson.")
    parser.add_argument("--json", action="store_true", help="print JSON, with every exercise")
    parser.add_argument("--learner", metavar="NAME", help="whose progress (default: all that is recorded here)")
    parser.add_argument("--export", metavar="FILE", type=Path, help="write what is recorded here to FILE")
    parser.add_argument("--import", metavar="FILE", type=Path, dest="import_",
                        help="first add what FILE holds, which was exported here or elsewhere")
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
        found = overview(options.learner)
    except (ProgressError, ValueError) as error:           # the record, or the class's settings, cannot be read
        return fail(error)
    except OSError as error:
        return fail(f"{options.export} cannot be written: {error.strerror or error}")
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
    parser = commands.add_parser("grade", help="mark a folder of notebooks", description=GRADE_HELP,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR", type=Path, help="the folder, or zip file, with what was handed in")
    parser.add_argument("--out", metavar="FILE.csv", type=Path, required=True, help="where to write the grades")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all that is known, as JSON")
    parser.add_argument("--report", metavar="FILE.html", type=Path, help="write a page on what the room got wrong")
    parser.add_argument("--seed", metavar="N", type=int, help="the seed of the handout: only its variants count "
                                                              "(default: those that the learners saw)")
    parser.add_argument("--secret-seed", metavar="N", type=int,
                        help="a number that nobody knows, which decides on more inputs for code (default: the seed)")
    parser.add_argument("--exercises", metavar="NAMES", type=_names, default=[],
                        help="what to grade: ids (bpe-03), lessons (01_bpe) or notebooks (own.ipynb), with commas "
                             "between them (default: all that stand in the notebooks of two learners or more)")
    parser.add_argument("--exercises-file", metavar="FILE.py", type=Path, help="exercises of your own")
    parser.add_argument("--learner-pattern", metavar="REGEX", default="",
                        help="whose a notebook is: the first group of this expression, found in its path below DIR")
    parser.add_argument("--jobs", metavar="K", type=_positive, help="notebooks at a time (default: one per processor)")
    parser.add_argument("--timeout", metavar="S", type=_positive, default=120,
                        help="seconds for one notebook, of which a single cell gets a sixth (default: 120)")
    parser.add_argument("--trust", action="store_true", help="run the notebooks without a sandbox")
    parser.set_defaults(run=run_grade)


def run_grade(options: argparse.Namespace) -> int:
    """Mark the notebooks and write the files; a summary goes to standard output."""
    from .workshop import NoSandbox, grade
    from .workshop.tables import write_grades, write_json

    results = options.out.with_name(options.out.stem + ".results.jsonl")
    try:
        results.touch()
        grades = grade(options.dir, seed=options.seed, secret_seed=options.secret_seed, exercises=options.exercises,
                       jobs=options.jobs, timeout=options.timeout, trust=options.trust, results=results,
                       learner_pattern=options.learner_pattern, exercises_file=options.exercises_file,
                       progress=_counter("notebooks"))
        write_grades(options.out, grades)
        if options.json:
            write_json(options.json, grades)
        if options.report:
            from .workshop.report import write_report

            write_report(options.report, grades)
    except (NoSandbox, ValueError) as error:
        return misused(error)
    except OSError as error:
        return fail(f"{error.filename or options.out} cannot be written: {error.strerror or error}")
    except KeyboardInterrupt:
        say(f"\nStopped. What is marked already is kept in {results}; the same command goes on from there.")
        return 1
    if grades.left_out:
        say(f"Only one learner's notebooks hold {', '.join(grades.left_out)}; to grade them, use --exercises.")
    print(grades.summary())
    return 0


def _counter(things: str) -> Callable[[int, int], None]:
    """Tells on standard error how far things are: on a terminal in one line, else every tenth of the way."""
    told = -1

    def tell(done: int, count: int) -> None:
        nonlocal told
        if sys.stderr.isatty():
            print(f"\r{done} of {count} {things}", end="\n" if done == count else "", file=sys.stderr, flush=True)
        elif count and done * 10 // count > told:
            told = done * 10 // count
            say(f"{done} of {count} {things}")

    return tell


# ------------------------------------------------------------------------------------------------------------- handout

def add_handout(commands: argparse._SubParsersAction) -> None:
    """subword-lab handout DIR --seed N [--learners FILE] [--lessons NAMES] [--key FILE]"""
    parser = commands.add_parser("handout", help="give each learner of a class their own variants",
                                 description=HANDOUT_HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR", type=Path, help="the folder for the copies")
    parser.add_argument("--seed", metavar="N", type=int, required=True, help="a number that decides on the variants")
    parser.add_argument("--learners", metavar="FILE", type=Path, help="the learners' names, one a line")
    parser.add_argument("--lessons", metavar="NAMES", type=_names, default=[],
                        help="lessons (01_bpe) or notebooks of your own, with commas between them (default: all)")
    parser.add_argument("--exercises-file", metavar="FILE.py", type=Path, help="exercises of your own")
    parser.add_argument("--key", metavar="FILE", type=Path, help="write the answers to this file, .csv or .html")
    parser.set_defaults(run=run_handout)


def run_handout(options: argparse.Namespace) -> int:
    """Write the copies; their folders go to standard output."""
    from .lessons import NoLessons
    from .workshop.handout import handout, read_names, write_key

    if options.key and options.key.resolve().is_relative_to(options.dir.resolve()):
        return misused(f"the answers would lie in {options.dir}, which is handed out; name another place with --key")
    try:
        learners = read_names(options.learners) if options.learners else []
        lessons = _lessons(options.lessons)
        folders = handout(options.dir, lessons, learners, seed=options.seed, exercises_file=options.exercises_file)
        if options.key:
            write_key(options.key, lessons, learners, seed=options.seed, exercises_file=options.exercises_file)
    except ValueError as error:
        return misused(error)
    except NoLessons as error:
        return fail(error)
    except OSError as error:
        return fail(f"{error.filename or options.dir} cannot be written: {error.strerror or error}")
    print(*folders, sep="\n")
    return 0


def _lessons(names: Sequence[str]) -> list[Path]:
    """The notebooks that are named, as files or as lessons of the course; without names, all lessons."""
    from . import lessons

    folder = lessons.folder()
    if not names:
        return [folder / file for file in (*(lesson.file for lesson in lessons.LESSONS), lessons.GLOSSARY)]
    return [folder / lesson.file if (lesson := lessons.meant(name)) else Path(name) for name in names]


# ----------------------------------------------------------------------------------------------------------- exercises

def add_exercises(commands: argparse._SubParsersAction) -> None:
    """subword-lab exercises new FILE | check FILE | list [FILE]"""
    parser = commands.add_parser("exercises", help="write and check exercises of your own, or list all",
                                 description="Exercises of your own: how to write them is told in the lesson "
                                             "instructor_guide.ipynb.")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="write a file with two exercises, to begin with",
                             description="Writes FILE with an exercise that asks for a value, and one for code. "
                                         "Change them, and see with `subword-lab exercises check FILE` that they hold.")
    new.add_argument("file", metavar="FILE", type=Path, help="the file to write, such as own.py; not there yet")
    new.set_defaults(run=run_exercises_new)
    check = actions.add_parser("check", help="prove the exercises of a file on many variants",
                               description="Takes every exercise of FILE through many variants: the answer is right, "
                                           "each mistake is told by its own label, hints do not hold the answer ...")
    check.add_argument("file", metavar="FILE", type=Path, help="a Python file with exercises")
    check.add_argument("--variants", metavar="N", type=_positive, default=200, help="how many (default: 200)")
    check.set_defaults(run=run_exercises_check)
    listing = actions.add_parser("list", help="list the ids of all exercises, with kind, points and title")
    listing.add_argument("file", metavar="FILE", type=Path, nargs="?", help="also those of this file")
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
        return fail(f"{options.file} cannot be written: {error.strerror or error}")
    say(f"Now change it, and check it with: subword-lab exercises check {options.file}")
    print(options.file)
    return 0


def run_exercises_check(options: argparse.Namespace) -> int:
    """A line for each exercise on standard output, with what is wrong with it below."""
    from .exercises import catalog, load_file
    from .exercises.proof import prove

    try:
        ids = load_file(options.file)
    except ValueError as error:
        return fail(error)
    flawed = 0
    for id in ids:
        exercise = catalog([])[id]
        flaws = prove(exercise, options.variants)
        flawed += bool(flaws)
        print(f"{id}: {'not proven' if flaws else 'proven'} on {options.variants} variants ({exercise.kind.name})")
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
        print(f"{exercise.id:<16}{exercise.kind.name:<16}{exercise.points} point{'s' * (exercise.points != 1):<3}"
              f"{exercise.title}")
    return 0


# ---------------------------------------------------------------------------------------------------------------- site

def add_site(commands: argparse._SubParsersAction) -> None:
    """subword-lab site OUT [--pyodide DIR]"""
    parser = commands.add_parser("site", help="build the course as a website that needs no server-side program",
                                 description=SITE_HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder for the site")
    parser.add_argument("--pyodide", metavar="DIR", type=Path,
                        help="a folder with Pyodide, to become part of the site (default: the browser gets it from "
                             "a content network)")
    parser.set_defaults(run=run_site)


def run_site(options: argparse.Namespace) -> int:
    """Build it; the start page's path goes to standard output."""
    from . import lessons, site

    try:
        print(site.build(options.out, options.pyodide))
    except (site.CannotBuild, lessons.NoLessons) as error:
        return fail(error)
    say(f"Any file server can hand it out, for example: {Path(sys.executable).name} -m http.server -d {options.out}")
    return 0


# --------------------------------------------------------------------------------------------------------- small parts

def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; expected a whole number from 0 to 65535")
    return int(text)


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
