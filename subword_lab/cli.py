"""The command `subword-lab`. Results go to standard output, messages to standard error.

Exit code 0 for success, 1 for failure, 2 for bad use. Each command has a function that adds its options, and one that
does its work and loads what it needs only then, so that `--help` answers at once.
"""
from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from . import __version__

OPEN_HELP = """\
Makes a working copy of the lessons in DIR and opens JupyterLab there.

Your work is safe: a lesson in which you wrote anything is never written over. When the course has a newer version, the
lessons that you have not touched, or only run, are brought up to date. Of the others you are told that there is a
newer one; to get it, rename yours and run this command again.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    parser = argparse.ArgumentParser(prog="subword-lab", description="A course on subword tokenization, in notebooks.")
    parser.add_argument("--version", action="version", version=f"subword-lab {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_open(commands)
    add_progress(commands)
    options = parser.parse_args(argv)
    return options.run(options)


def fail(message: object) -> int:
    """Say on standard error what went wrong; the exit code for it."""
    say(f"subword-lab: {message}")
    return 1


def say(message: str) -> None:
    """A message for the person at the terminal: to standard error, so that results stay clean."""
    print(message, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------------------------- open

def add_open(commands: argparse._SubParsersAction) -> None:
    """subword-lab open [DIR] [--no-browser] [--port N]"""
    parser = commands.add_parser("open", help="open the course in JupyterLab", description=OPEN_HELP,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR", nargs="?", type=Path, default=Path("subword-lab-course"),
                        help="the folder for your copy of the lessons (default: ./subword-lab-course)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    parser.add_argument("--port", metavar="N", type=_port, help="the port to use (default: 8888, or one that is free)")
    parser.set_defaults(run=run_open)


def run_open(options: argparse.Namespace) -> int:
    """Copy the lessons, start JupyterLab, print its address, and wait for Ctrl-C."""
    from .course import CourseError, copy_lessons, jupyterlab, lessons_folder

    folder = options.dir.expanduser()
    signal.signal(signal.SIGTERM, signal.default_int_handler)                   # end in order, as on Ctrl-C
    try:
        _tell(copy_lessons(lessons_folder(), folder), folder)
        with jupyterlab(folder, port=options.port, browser=not options.no_browser) as (address, process):
            print(address, flush=True)
            say("The course is open at this address. Press Ctrl-C here to close it.")
            return fail("JupyterLab has ended by itself") if process.wait() else 0
    except CourseError as error:
        return fail(error)
    except KeyboardInterrupt:
        say(f"Closed. Your work is in {folder.resolve()}")
        return 0


def _tell(report, folder: Path) -> None:
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
    """subword-lab progress [--json] [--learner NAME]"""
    parser = commands.add_parser("progress", help="show what has been done",
                                 description="Which exercises are done, tried and left, lesson by lesson.")
    parser.add_argument("--json", action="store_true", help="print JSON, with every exercise")
    parser.add_argument("--learner", metavar="NAME", help="whose progress (default: all that is recorded here)")
    parser.set_defaults(run=run_progress)


def run_progress(options: argparse.Namespace) -> int:
    """Print a table, or JSON; say on standard error what could not be read."""
    from .exercises.overview import overview
    from .exercises.progress import ProgressError

    try:
        found = overview(options.learner)
    except ProgressError as error:
        return fail(error)
    for problem in found.problems:
        say(f"subword-lab: {problem}")
    if options.json:
        print(json.dumps({"learner": options.learner, **found.plain()}, indent=1))
    else:
        from .views.progress import lessons_table

        print(lessons_table(found), found.advice, sep="\n\n")
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; expected a whole number from 0 to 65535")
    return int(text)
