"""The commands of `subword-lab` for whoever teaches, as tables of options and functions (see `subword_lab.cli`)."""

import argparse
import errno
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

from subword_lab import lessons
from subword_lab.arguments import check, counted
from subword_lab.cli import (
    PORT,
    POSITIVE,
    Command,
    counter,
    names,
    no_folder,
    option,
    say,
    whole_number,
)
from subword_lab.files import CourseError, write_whole

from .submissions import printable

LONGEST = 2_000  # characters of what an instructor's own file makes us say


def run_grade(options: argparse.Namespace) -> None:
    from . import decisions, gradebooks, grading, handouts, poll, report, submissions

    book = options.out.with_name(f"{options.out.stem}.{options.format}.csv")
    results = options.out.with_name(options.out.stem + ".results.jsonl")
    own = _own_exercises(options, among=options.dir)
    _check_places(options, own, [options.out, results, *[book] * bool(options.format)])
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end in order, as on Ctrl-C
    roster = (
        gradebooks.read_roster(options.roster, options.format, options.column)
        if options.format
        else None
    )
    if roster and book.exists():  # nobody has named it, so what lies there has to be of its kind
        gradebooks.read_roster(book, options.format, options.column)
    polls = poll.read_polls(options.polls) if options.polls else []
    names = handouts.read_names(options.learners) if options.learners else []
    try:
        grades = grading.grade(
            options.dir,
            seed=options.seed,
            secret_seed=options.secret_seed,
            exercises=options.exercises,
            jobs=options.jobs,
            timeout=options.timeout,
            trust=options.trust,
            results=results,
            learner_pattern=options.learner_pattern,
            exercises_file=own,
            due=options.due,
            dask=options.dask,
            overrides=decisions.read_overrides(options.overrides) if options.overrides else [],
            rubric=options.rubric,
            late=options.late,
            hints=options.hints,
            only=options.only,
            names=names,
            progress=counter("notebooks"),
        )
    except KeyboardInterrupt:
        raise CourseError(
            f"stopped; {results} keeps what has been marked, and the same command goes on from there"
        ) from None
    if not grades.rows:
        raise CourseError(
            f"nothing was handed in: there is no notebook, no folder and no zip file in {options.dir}"
        )
    gradebooks.write_grades(options.out, grades)
    told = gradebooks.write_gradebook(book, grades, roster) if roster else []
    if options.json:
        gradebooks.write_json(options.json, grades)
    for path, with_names in ((options.report, True), (options.class_report, False)):
        if path:
            report.write_report(path, grades, names=with_names, polls=polls)
    if options.feedback:
        pages = report.write_feedback(options.feedback, grades, answers=options.show_answers)
        told += [
            f"{page} is for {row.learner}: something else lies where it would be."
            for row, page in zip(grades.rows, pages)
            if page != options.feedback / row.place
        ]
    if submissions.searched(options.dir) != options.dir:
        told.append("Only the folder 'submitted' was looked at, as nbgrader has it.")
    elif (options.dir / submissions.SUBMITTED).is_dir():
        told.append(
            "The folder 'submitted' was taken for a learner's, for others' work lies beside it."
        )
    if beside := ", ".join(submissions.left_out(options.dir)):
        told.append(f"Taken for files of yours, and not marked: {printable(beside, LONGEST)}.")
    if grades.left_out:
        told.append(
            f"Only a few learners' notebooks hold {', '.join(grades.left_out)}; to grade these, too, use --exercises."
        )
    told += grades.notes
    here = {name for row in grades.rows for name in grading.listed_as(row.learner, names)}
    if absent := ", ".join(name for name in names if name not in here):
        told.append(f"Nothing was handed in by {printable(absent, LONGEST)}.")
    for words in [*told, *[f"To be imported there: {book}"] * bool(roster)]:
        say(words)
    print(grades.summary())


def _check_places(options: argparse.Namespace, own: Path | None, written: Sequence[Path]) -> None:
    """ValueError for options of `grade` that do not fit, which is better noticed before everything is marked."""
    problems = {
        "--format and --roster belong together: name the system, and the file that it exported": (
            bool(options.format) != bool(options.roster)
        ),
        "--column names a column of the roster; name the file with --roster, too": (
            options.column and not options.roster
        ),
        "--learners decides on figures together with --seed; name that, too": (
            options.learners and options.seed is None
        ),
    }
    for problem, holds in problems.items():
        check(not holds, problem)
    pages = [options.feedback] if options.feedback else []
    files = [*written, *filter(None, [options.json, options.report, options.class_report])]
    notebooks = [Path(name) for name in options.exercises if name.endswith(".ipynb")]
    read = [options.roster, options.overrides, options.rubric, options.polls, options.learners]
    _check_apart([*files, *pages], [options.dir, own, *read, *notebooks], options.dir)
    for path in [*files, *pages]:
        for place, what in {
            options.dir: "what was handed in",
            options.feedback: "the pages",
        }.items():
            is_inside = place and place != path and path.resolve().is_relative_to(place.resolve())
            check(not is_inside, f"{path} would lie in {place}, among {what}; name another place")
    for folder in pages:
        check(folder.is_dir() or not os.path.lexists(folder), f"{folder} is not a folder")


def _class_files(among: Path | None) -> list[str]:
    """The file with a class's settings, and those of exercises that it names here; none among what was handed in."""
    from subword_lab.exercises import classroom

    here = Path.cwd()
    if among and here.is_relative_to(among.resolve()):
        here = among.resolve().parent
    return [classroom.FILE, *classroom.settings(here).exercises]


def _check_apart(
    written: Iterable[Path], read: Iterable[Path | None], among: Path | None = None
) -> None:
    """ValueError if what is written would overwrite what is read, or something else that is written."""
    taken = {path.resolve() for path in (*map(Path, _class_files(among)), *read) if path}
    for path in written:
        check(path.resolve() not in taken, f"{path} would be overwritten; name another file")
        taken.add(path.resolve())


def run_handout(options: argparse.Namespace) -> None:
    from . import handouts

    is_inside = options.key and options.key.resolve().is_relative_to(options.dir.resolve())
    check(
        not is_inside,
        f"the answers would lie in {options.dir}, which is handed out; name another place with --key",
    )
    learners = handouts.read_names(options.learners) if options.learners else []
    every = [*(lesson.file for lesson in lessons.LESSONS), lessons.GLOSSARY, lessons.SOURCES]
    notebooks = [
        Path(name) if name.endswith(".ipynb") else lessons.folder() / lessons.lesson(name).file
        for name in (_names_of_lessons(options.lessons) if options.lessons else ())
    ] or [lessons.folder() / file for file in every]
    own = _own_exercises(options)
    figures = {"seed": options.seed, "exercises_file": own}
    _check_apart([options.key] if options.key else [], [options.learners, own, *notebooks])
    folders = handouts.handout(options.dir, notebooks, learners, hand_in=options.hand_in, **figures)
    problems: list[str] = []
    for folder in folders:
        try:
            written = handouts.pack(folder) if options.zip else folder
        except (OSError, ValueError) as error:
            problems.append(str(error))
        else:
            print(written)
    if options.key:
        handouts.write_key(options.key, notebooks, learners, **figures)
    if options.otter:
        handouts.write_otter(options.otter, notebooks, exercises_file=own)
    check(not problems, "\n".join(problems))


def run_letter(options: argparse.Namespace) -> None:
    from .letter import COURSE, letter

    print(
        letter(
            options.day,
            options.minutes,
            options.address,
            hub=options.hub,
            course=options.course,
        ),
        end="",
    )
    if options.course == COURSE and not options.hub:
        say(
            "It installs the course from the package index; where that has no subword-lab, name a place with --course."
        )


def _names_of_lessons(named: Sequence[str]) -> list[str]:
    """The names of lessons, and notebooks of one's own as they are; ValueError for two that would be one file."""
    whole = [
        name if name.endswith(".ipynb") else (lessons.meant(name) or lessons.lesson(name)).name
        for name in named
    ]
    by_file = {Path(name).stem: name for name in whole}
    for name in whole:
        other = by_file[Path(name).stem]
        check(name == other, f"{name} and {other} would be one file; rename one of them")
    return list(by_file.values()) or lessons.names()


def _own_exercises(options: argparse.Namespace, among: Path | None = None) -> Path | None:
    """The file with exercises of one's own: the option's, or that of the settings which hold in this folder.

    among: where strangers' files lie. Then only the option counts: this folder may be a stranger's, too.
    """
    if options.exercises_file:
        return options.exercises_file
    settings, *files = _class_files(among)
    named = [name for name in files if name.endswith(".py")]
    if not named:
        return None
    own = Path(named[0])
    check(
        len(named) == 1,
        f"{settings} names several files of exercises; name one with --exercises-file",
    )
    check(
        not among,
        f"{own}, which {settings} names, is not run where strangers' files are marked; if it is yours, name it "
        "with --exercises-file",
    )
    say(f"{own} is run, because {settings} in this folder names it.")
    return own


def run_forms(options: argparse.Namespace) -> None:
    from subword_lab.working_copy import renewed

    from . import GUIDE, HUB, RUBRIC, cells, forms
    from .site import slides

    own = _own_exercises(options)
    with renewed(options.out) as new:
        for lesson in _names_of_lessons(options.lessons):
            cells.write_notebook(
                new / "instructor" / f"{Path(lesson).stem}.ipynb",
                forms.instructor_notebook(lesson, seed=options.seed, exercises_file=own),
            )
            if not lesson.endswith(".ipynb"):
                slides.write_slides(new / "slides", lesson)
        write_whole(new / GUIDE.name, GUIDE.read_bytes())
        write_whole(new / "jupyterhub_config.py", HUB.read_bytes())
        if not os.path.lexists(options.out / RUBRIC.name):  # it is there to be changed
            write_whole(new / RUBRIC.name, RUBRIC.read_bytes())
        written = [path.relative_to(new) for path in sorted(new.rglob("*")) if path.is_file()]
    print(*(options.out / path for path in written), sep="\n")


def run_plan(options: argparse.Namespace) -> None:
    from . import plan

    print(plan.route(options.minutes))


def run_nbgrader(options: argparse.Namespace) -> None:
    from . import nbgrader

    named, own = _names_of_lessons(options.lessons), _own_exercises(options)
    written = nbgrader.write_course(
        options.course, named, seed=options.seed, by_user=options.by_user, exercises_file=own
    )
    print(*written, sep="\n")
    if options.course / "nbgrader_config.py" not in written:
        answers = (
            f", and os.environ['SUBWORD_LAB_EXERCISES'] = {str(own.absolute())!r}" if own else ""
        )
        say(
            "The file nbgrader_config.py was there already, and was left as it is. Make sure that it has this line, so "
            f"that marking does not count as your own progress: os.environ['SUBWORD_LAB_HOME'] = ':memory:'{answers}"
        )


def run_room(options: argparse.Namespace) -> None:
    from . import room

    def ready(page: str, learners: str) -> None:
        print(page, flush=True)
        say(
            "The room is open, and the page above is yours alone. Learners join with:\n"
            f"    subword-lab open --room '{learners}'"
        )
        if options.host in ("127.0.0.1", "localhost"):
            say("Only this machine can reach it; --host 0.0.0.0 lets others in.")
        record = f" --record {shlex.quote(str(options.record))}" if options.record else ""
        say(
            "Press Ctrl-C here to close it; then all that it knows is gone. To open the same room again, where who is "
            "there and whose hand is up soon shows:\n"
            f"    subword-lab room --host {options.host} --again '{page}'{record}"
        )

    port, key = options.again or (room.PORT, "")
    port = port if options.port is None else options.port
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        room.run(options.host, port, ready, key, options.record)
    except OSError as error:
        what = "port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "host"
        raise CourseError(
            f"{options.host}, port {port} cannot be used ({error.strerror or error}); "
            f"name another with --{what}"
        ) from None
    except KeyboardInterrupt:
        kept = (
            f"; how the polls went, without names, is in {options.record}" if options.record else ""
        )
        say(f"Closed. The room has forgotten everything{kept}.")


def run_new(options: argparse.Namespace) -> None:
    from . import EXAMPLE

    try:
        with open(options.file, "x", encoding="utf-8") as file:
            file.write(EXAMPLE.read_text(encoding="utf-8"))
    except FileExistsError:
        raise CourseError(
            f"{options.file} already exists, and was left as it is; name another file"
        ) from None
    say(f"Now change it, and check it with: subword-lab exercises check {options.file}")
    print(options.file)


def run_check(options: argparse.Namespace) -> None:
    from .proof import prove

    own = [exercise for exercise in _listed(options.file) if exercise.own]
    flawed = 0
    for exercise in own:
        flaws = prove(exercise, options.variants)
        flawed += bool(flaws)
        verdict = "not proven" if flaws else "proven"
        print(f"{exercise.id}: {verdict} on {options.variants} variants ({exercise.kind.name})")
        for flaw in flaws:
            print(f"    {printable(flaw, LONGEST)}", flush=True)
    if flawed:
        raise CourseError(f"{flawed} of {len(own)} exercises in {options.file} need mending")


def run_list(options: argparse.Namespace) -> None:
    for exercise in _listed(options.file):
        kind, points = exercise.kind.name, counted(exercise.points, "point")
        print(f"{exercise.id:<16}{kind:<16}{points:<10}{printable(exercise.title)}")


def _listed(file: Path | None) -> Iterable[Any]:
    """The exercises of the course, and those of the file that is named; CourseError for a file that is none."""
    from subword_lab.exercises import catalog

    try:
        return catalog([file] if file else []).values()
    except ValueError as error:
        raise CourseError(printable(str(error), LONGEST)) from None


def run_site(options: argparse.Namespace) -> None:
    from . import site

    print(site.build(options.out, options.pyodide, options.repository, say))
    for name, what in (site.lacking(options.pyodide) if options.pyodide else {}).items():
        say(f"{options.pyodide} has no {name}: {what}. The full distribution of Pyodide has it.")
    say(
        "Any file server can serve it, for example: "
        f"{Path(sys.executable).name} -m http.server -d {options.out}"
    )


def new_file(text: str) -> Path:
    """A file that can be written, for argparse: its folder is there, and nothing of its name but a file."""
    path = Path(text)
    if path.exists() and not path.is_file():
        raise argparse.ArgumentTypeError(f"{path} is not a file; name another one")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(no_folder(path))
    return path


def room_page(text: str) -> tuple[int, str]:
    """Port and key of a room, as the address of its page has them, for argparse."""
    match = re.fullmatch(r"https?://.+:(\d{1,5})/#teacher=([\w-]{32})", text, re.ASCII)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the address of a room's page; expected what the command "
            "printed first, such as http://127.0.0.1:8890/#teacher=..."
        )
    return PORT(match[1]), match[2]


def percentage(text: str) -> float:
    """A number from 0 to 100 from a text such as `10%/day`, for argparse."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)%(?:/(?:day|hint))?", text, re.ASCII)
    if not match or float(match[1]) > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not valid; expected such as 10%")
    return float(match[1])


def time(text: str) -> datetime:
    """A time as ISO 8601 has it, for argparse; of a date alone, the end of that day."""
    with suppress(ValueError):
        text = f"{date.fromisoformat(text)}T23:59:59.999999"
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time; expected one such as 2026-01-31T12:00"
        ) from None


EXERCISES_FILE = option(
    "--exercises-file",
    metavar="FILE.py",
    type=Path,
    help="exercises of your own (default: the file that subword-lab-class.json names here)",
)
LESSONS = option(
    "--lessons",
    metavar="NAMES",
    type=names,
    default=[],
    help="lessons (01_bpe) or notebooks of your own (own.ipynb), with commas between them (default: all lessons)",
)
SEED = option(
    "--seed", metavar="N", type=int, required=True, help="a number that decides on the variants"
)

GRADE = Command(
    "mark a folder of notebooks",
    """\
Marks the notebooks in DIR, a folder or a zip file: as nbgrader collects them, as Moodle and Canvas export them,
or simply a notebook or a folder for each learner.

Each notebook is run in a sandbox, on its own, and its answers are judged outside. A notebook that is damaged, endless
or hostile costs its own row and nothing else. Exercises are found by their ids, wherever their cells stand; of several
answers to one exercise the last counts. What is marked is kept in a file beside the CSV, so the same command goes on
after Ctrl-C, and marks only what is new.
""",
    [
        option(
            "dir", metavar="DIR", type=Path, help="the folder, or zip file, with what was handed in"
        ),
        option(
            "--out",
            metavar="FILE.csv",
            type=new_file,
            required=True,
            help="where to write the grades",
        ),
        option("--json", metavar="FILE", type=new_file, help="write all that is known, as JSON"),
        option(
            "--report", metavar="FILE.html", type=new_file, help="write a page for you, with names"
        ),
        option(
            "--class-report",
            metavar="FILE.html",
            type=new_file,
            help="write a page on what the room got wrong, without names, for everybody",
        ),
        option(
            "--feedback",
            metavar="DIR",
            type=Path,
            help="write a page for each learner, in folders as the submissions have them",
        ),
        option(
            "--format",
            choices=["canvas", "moodle"],
            help="also write the grades as this system takes them, beside FILE.csv; needs --roster",
        ),
        option(
            "--roster", metavar="FILE", type=Path, help="the class list that the system exported"
        ),
        option(
            "--column",
            metavar="NAME",
            default="",
            help="the column of the roster that gets the total, and the only one that changes (default: one a lesson)",
        ),
        option("--show-answers", action="store_true", help="with the right answers in these pages"),
        option(
            "--overrides",
            metavar="FILE.csv",
            type=Path,
            help="what you decided yourself, which counts in place of the marking: a table with the columns "
            "learner (name or id), exercise, points, comment; it is only read",
        ),
        option(
            "--polls",
            metavar="FILE.json",
            type=Path,
            help="what `room --record` wrote, for the reports: first answers against second ones",
        ),
        option(
            "--rubric",
            metavar="FILE.csv",
            type=Path,
            help="what there is to have, a table with the columns item, points, description: an exercise's id and its "
            "weight, or the name of what you mark by hand, among the overrides",
        ),
        option(
            "--due",
            metavar="TIME",
            type=time,
            help="what was handed in later is late: 2026-01-31T12:00, by the clock here, or 2026-01-31, to the end "
            "of that day; nbgrader and a zip file of all submissions say when that was, and else the date "
            "of the file in DIR does",
        ),
        option(
            "--late",
            metavar="N%/day",
            type=percentage,
            default=0.0,
            help="what is taken off the points for each day begun after --due (default: nothing)",
        ),
        option(
            "--hints",
            metavar="N%/hint",
            type=percentage,
            default=0.0,
            help="what is taken off for each hint or solution that the code asks for (default: nothing)",
        ),
        option(
            "--only",
            metavar="NAME",
            default="",
            help="run this one learner's notebooks again, by name or id, although their marks are kept",
        ),
        option(
            "--seed",
            metavar="N",
            type=int,
            help="the seed of the handout: only its variants count (default: those that the learners saw)",
        ),
        option(
            "--learners",
            metavar="FILE",
            type=Path,
            help="the names to whom copies were handed out, one per line, as for handout: then a notebook that "
            "bears another name is marked by its owner's figures, and pointed out; needs --seed",
        ),
        option(
            "--secret-seed",
            metavar="N",
            type=int,
            help="a number that nobody knows, which decides on more inputs for code (default: the seed)",
        ),
        option(
            "--exercises",
            metavar="NAMES",
            type=names,
            default=[],
            help="what to grade: ids (bpe-03), lessons (01_bpe) or notebooks (own.ipynb), with commas "
            "between them (default: everything that is in the notebooks of most learners)",
        ),
        EXERCISES_FILE,
        option(
            "--learner-pattern",
            metavar="REGEX",
            default="",
            help="whose a notebook is: the first group of this expression, found in its path below DIR",
        ),
        option(
            "--dask",
            metavar="ADDRESS",
            default="",
            help="mark on this Dask cluster, not on this machine",
        ),
        option(
            "--jobs",
            metavar="K",
            type=POSITIVE,
            help="notebooks at a time (default: one per processor)",
        ),
        option(
            "--timeout",
            metavar="S",
            type=POSITIVE,
            default=120,
            help="seconds for one notebook, of which a single cell gets a sixth (default: 120)",
        ),
        option("--trust", action="store_true", help="run the notebooks without a sandbox"),
    ],
    run_grade,
)
HANDOUT = Command(
    "give each learner of a class their own variants",
    """\
Writes a copy of the lessons for each learner into DIR, each in a folder of its own. Its exercises ask that learner's
variants, which the seed decides; `subword-lab grade --seed` with the same seed marks them. Without --learners, there is
one copy for all. Each copy has a file HAND-IN.txt and, of exercises of your own, the questions without the answers.
""",
    [
        option("dir", metavar="DIR", type=Path, help="the folder for the copies"),
        SEED,
        option("--learners", metavar="FILE", type=Path, help="the learners' names, one per line"),
        LESSONS,
        EXERCISES_FILE,
        option(
            "--key",
            metavar="FILE",
            type=new_file,
            help="write the answers to this file, .csv or .html",
        ),
        option(
            "--zip",
            action="store_true",
            help="also pack each copy into a zip file beside its folder",
        ),
        option(
            "--hand-in",
            metavar="TEXT",
            default="",
            help='where and when to hand in, such as "Moodle, until Friday", for HAND-IN.txt',
        ),
        option(
            "--otter",
            metavar="TESTS",
            type=Path,
            help="also write a folder with tests for Otter-Grader, which then marks what comes back: otter "
            "generate -t TESTS -o autograder.zip, and behind it your --exercises-file, if there is one",
        ),
    ],
    run_handout,
)
LETTER = Command(
    "print a letter to learners: when, where, and what to install before the day",
    """\
Prints a letter to send to your learners before the day: when and where it is, how to install the course, and how to see
with `subword-lab doctor` that everything is there. To change it, put it into a file: subword-lab letter ... > FILE
""",
    [
        option(
            "--day", metavar="TEXT", required=True, help='when, such as "Tuesday, 1 December, 9:00"'
        ),
        option(
            "--minutes", metavar="N", type=POSITIVE, required=True, help="how long, breaks included"
        ),
        option(
            "--address",
            metavar="TEXT",
            required=True,
            help="where: a room, or the address of a call or of your JupyterHub",
        ),
        option(
            "--hub",
            action="store_true",
            help="the address is that of a JupyterHub, on which nobody has to install anything",
        ),
        option(
            "--course",
            metavar="TEXT",
            default="subword-lab[lab]",
            help='what pip is to install, such as "subword-lab[lab] @ git+https://..." (default: %(default)s)',
        ),
    ],
    run_letter,
)
FORMS = Command(
    "write slides, and lessons with solutions, for you",
    """\
Writes two more forms of the lessons into OUT. OUT/instructor: notebooks with every exercise solved, for the variants of
your class's seed, and a note before each section: minutes, a question for the room, exercises in class and at home.
OUT/slides: one page per lesson, one idea per slide, with notes for you (key N), and no network needed. And
OUT/instructor_guide.ipynb, a short book for whoever teaches, a rubric to mark a tokenizer of a learner's own by, and a
configuration for a JupyterHub. Hand out none of it.
""",
    [
        option("out", metavar="OUT", type=Path, help="the folder to write into"),
        option(
            "--seed", metavar="N", type=int, default=0, help="the seed of your class (default: 0)"
        ),
        LESSONS,
        EXERCISES_FILE,
    ],
    run_forms,
)
PLAN = Command(
    "plan a class of any length",
    """\
Prints a plan for MINUTES of class: which sections of which lessons, the exercises that are answered there, and breaks.
What learners of today need most comes in first: prices, bytes, BPE by hand, special tokens and their abuse, files.
""",
    [option("minutes", metavar="MINUTES", type=whole_number(30, 960), help="from 30 to 960")],
    run_plan,
)
NBGRADER = Command(
    "make a course for nbgrader",
    """\
Writes the lessons as the sources of an nbgrader course, with a configuration. Go on there: nbgrader generate_assignment
01_bpe, and when the notebooks are back, nbgrader autograde 01_bpe and nbgrader generate_feedback 01_bpe.
""",
    [
        option(
            "course",
            metavar="COURSE",
            type=Path,
            help="nbgrader's folder for the course, or a new one",
        ),
        SEED,
        option("--by-user", action="store_true", help="on a JupyterHub: each user's own variants"),
        LESSONS,
        EXERCISES_FILE,
    ],
    run_nbgrader,
)
ROOM = Command(
    "see how a class is doing while it works",
    """\
Opens a live room: a page that shows, while a class works, who is at which exercise, who waits for help, and which
mistakes were made in the last minutes. Learners are in it only if they join, under a name that they choose. The page
also asks the room an exercise, and shows which mistakes were made. Everything is kept in the memory of this command,
and gone when it ends; --record keeps how often what was answered.
""",
    [
        option("--port", metavar="N", type=PORT, help="the port to use (default: 8890)"),
        option(
            "--host",
            metavar="ADDRESS",
            default="127.0.0.1",
            help="the address to listen at; 0.0.0.0 lets the machines of the class in, who need the code "
            "(default: 127.0.0.1, this machine alone)",
        ),
        option(
            "--again",
            metavar="URL",
            type=room_page,
            help="open the room again whose page had this address, at its port and with its code: learners "
            "stay in it, and what they have answered meanwhile arrives",
        ),
        option(
            "--record",
            metavar="FILE.json",
            type=new_file,
            help="write how often what was answered in polls, without names, for `grade --polls`",
        ),
    ],
    run_room,
)
EXERCISES = Command(
    "write and check exercises of your own, or list all",
    "Exercises of your own: instructor_guide.ipynb, which `subword-lab forms` writes, explains how to write them.",
    actions={
        "new": Command(
            "write a file with four exercises, to begin with",
            "Writes FILE with two exercises that ask for a number, one with options, and one for code. "
            "Change them, and see with `subword-lab exercises check FILE` that they hold.",
            [
                option(
                    "file",
                    metavar="FILE",
                    type=Path,
                    help="the file to write, such as own.py, which must not exist yet",
                )
            ],
            run_new,
        ),
        "check": Command(
            "prove the exercises of a file on many variants",
            "Tries every exercise of FILE on many variants: that the answer is accepted, that each mistake is "
            "recognized, that no hint holds the answer, and more.",
            [
                option("file", metavar="FILE", type=Path, help="a Python file with exercises"),
                option(
                    "--variants",
                    metavar="N",
                    type=POSITIVE,
                    default=200,
                    help="how many (default: 200)",
                ),
            ],
            run_check,
        ),
        "list": Command(
            "list the ids of all exercises, with kind, points and title",
            options=[
                option("file", metavar="FILE", type=Path, nargs="?", help="also those of this file")
            ],
            run=run_list,
        ),
    },
)
SITE = Command(
    "build the course as a website that needs no server-side program",
    """\
Builds the course as a static site in OUT: a start page, every lesson to read, the package's reference, and JupyterLite,
in which the lessons run in the reader's browser, exercises and all. It needs: pip install 'subword-lab-teach[site]'
""",
    [
        option("out", metavar="OUT", type=Path, help="the folder for the site"),
        option(
            "--pyodide",
            metavar="DIR",
            type=Path,
            help="a folder with Pyodide, to become part of the site (default: the browser gets it from "
            "a content network)",
        ),
        option(
            "--repository",
            metavar="OWNER/NAME",
            help="where the course is on GitHub; the start page then leads there, to Binder and to Colab",
        ),
    ],
    run_site,
)
