"""The command `subword-lab`. Results go to standard output, messages to standard error.

Exit code 0 for success, 1 for failure, 2 for bad use. A command is a table of options and a function that does its
work, which imports what it needs only then, so that `--help` answers at once. Other packages bring commands of their
own, as entry points of the group `subword_lab.commands`.
"""

import argparse
import io
import json
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from . import __version__
from .arguments import check, shorten
from .files import CourseError

TEACHING = ("exercises", "forms", "grade", "handout", "letter", "nbgrader", "plan", "room", "site")
LONGEST_NUMBER = 4_000  # digits; somewhat above, Python reads none
MOST_HELD = 1 << 24  # characters of decoded text before they are written
LIVE = "from subword_lab.exercises import live"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Command:
    """A command: a line on it, more about it, its options, and the function that does its work.

    run: returns its exit code, if that is not 0; a ValueError means bad use, a CourseError a failure. actions: commands
    of its own, which take the place of `options` and `run`.
    """

    help: str
    description: str = ""
    options: Sequence[tuple[tuple[str, ...], dict[str, Any]]] = ()
    run: Callable[[argparse.Namespace], int | None] | None = None
    actions: Mapping[str, "Command"] = field(default_factory=dict)


def option(*names: str, **settings: object) -> tuple[tuple[str, ...], dict[str, Any]]:
    """An option of a command, or an argument, as argparse's `add_argument` takes it."""
    return names, settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. Whatever stops it is said in a line, and leaves nothing for Python to add."""
    if sys.stderr is None:  # closed, and so is standard output below
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        return fail("standard output is closed")
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        code = fail("stopped")
    except CourseError as error:
        code = fail(error)
    except ValueError as error:
        code = misused(error)
    except OSError as error:
        code = _fail_to_write(error)
    except MemoryError:
        code = fail("there is not enough memory for this")
    try:
        sys.stdout.flush()
    except OSError as error:  # Python would try again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or _fail_to_write(error)
    return code


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):  # what a terminal cannot show is written in another way
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    commands, missing = installed_commands()
    if arguments and arguments[0] in missing:
        return misused(f"{arguments[0]}: {missing[arguments[0]]}")
    parser = argparse.ArgumentParser(
        prog="subword-lab",
        description="A course on subword tokenization, in notebooks.",
        epilog="; ".join(
            f"{', '.join(name for name in missing if missing[name] == reason)}: {reason}"
            for reason in dict.fromkeys(missing.values())
        ),
    )
    parser.add_argument("--version", action="version", version=f"subword-lab {__version__}")
    _add(parser, commands, "COMMAND")
    help = io.StringIO()  # or the version; argparse would hide that it cannot be written
    try:
        with redirect_stdout(help):
            options = parser.parse_args(arguments)
    except SystemExit as end:
        print(help.getvalue(), end="")
        return int(end.code or 0)
    try:
        Path.cwd()
    except FileNotFoundError:
        return fail("the current folder no longer exists; change to another one")
    return options.command.run(options) or 0


def installed_commands() -> tuple[dict[str, Command], dict[str, str]]:
    """The commands by name, also those of other packages; and why commands for teaching are not to be had."""
    install = f"{sys.executable} -m pip install subword-lab-teach"
    commands = dict(COMMANDS)
    missing = dict.fromkeys(TEACHING, f"for whoever teaches; install with: {install}")
    for entry in entry_points(group="subword_lab.commands"):
        try:
            commands[entry.name] = entry.load()
            missing.pop(entry.name, None)
        except Exception as error:  # whatever is wrong there, the other commands are to work
            missing[entry.name] = (
                f"cannot be loaded ({type(error).__name__}: {error}); install again with: {install}"
            )
    return commands, missing


def _add(parser: argparse.ArgumentParser, commands: Mapping[str, Command], metavar: str) -> None:
    """Give a parser commands, or a command its actions."""
    parsers = parser.add_subparsers(title=f"{metavar.lower()}s", metavar=metavar, required=True)
    for name, command in commands.items():
        inner = parsers.add_parser(
            name,
            help=command.help,
            description=command.description or command.help,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        inner.set_defaults(command=command)
        for names, settings in command.options:
            inner.add_argument(*names, **settings)
        if command.actions:
            _add(inner, command.actions, "ACTION")


# ------------------------------------------------------------------------------------------------------------- messages


def say(message: str) -> None:
    """A message for the person at the terminal: to standard error, so that results stay clean.

    What a file's name could tell the terminal to do is written in another way.
    """
    print(escaped(message), file=sys.stderr, flush=True)


def escaped(message: str) -> str:
    """The message with its control characters, and marks of direction, as Python's escapes."""
    return CONTROLS.sub(lambda found: repr(found[0])[1:-1], message)


def fail(message: object) -> int:
    """Say on standard error what went wrong; the exit code for it."""
    say(f"subword-lab: {message}")
    return 1


def misused(message: object) -> int:
    """Say on standard error what in the command cannot be done; the exit code for it."""
    fail(message)
    return 2


def ask(question: str) -> str:
    """What somebody at the terminal answers; "" where nobody can be asked."""
    if not (sys.stdin and sys.stdin.isatty()):
        return ""
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def counter(things: str) -> Callable[[int, int], None]:
    """A function that says how many things are done: on a terminal in one line, else every tenth of the way."""
    tenths = -1

    def tell(done: int, count: int) -> None:
        nonlocal tenths
        if sys.stderr.isatty():
            print(
                f"\r{done} of {count} {things}",
                end="\n" * (done == count),
                file=sys.stderr,
                flush=True,
            )
        elif count and done * 10 // count > tenths:
            tenths = done * 10 // count
            say(f"{done} of {count} {things}")

    return tell


def no_folder(path: str | Path) -> str:
    """In words, that a file cannot be read or written because its folder is missing."""
    return f"{path} cannot be read or written: there is no folder {Path(path).absolute().parent}"


def _fail_to_write(error: OSError) -> int:
    """Say what is wrong; but a reader that has seen enough, such as `head`, need not be told so."""
    return 1 if isinstance(error, BrokenPipeError) else fail(_file_problem(error))


def _file_problem(error: OSError) -> str:
    """In words, what is wrong with a file or folder."""
    name = str(error.filename or "the output")
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"{name} cannot be written: it is a file, or lies under one; name a folder"
    if isinstance(error, FileNotFoundError) and not Path(name).absolute().parent.is_dir():
        return no_folder(name)
    return f"{name}: {error.strerror or error}"


# ----------------------------------------------------------------------------------------------------- types of options


def whole_number(least: int, most: float = float("inf")) -> Callable[[str], int]:
    """For argparse: what turns text into a whole number from `least` to `most`."""

    def parse(text: str) -> int:
        if text.isdecimal() and len(text) <= LONGEST_NUMBER and least <= int(text) <= most:
            return int(text)
        limits = f"from {least} to {most}" if most < float("inf") else f"of at least {least}"
        raise argparse.ArgumentTypeError(
            f"{shorten(text)} is not valid; expected a whole number {limits}"
        )

    return parse


def names(text: str) -> list[str]:
    """Names with commas between them, for argparse."""
    return [name.strip() for name in text.split(",") if name.strip()]


# ------------------------------------------------------------------------------------------------------------- commands


def run_open(options: argparse.Namespace) -> int:
    """Copy the lessons, start JupyterLab, print its address, and wait for Ctrl-C."""
    from . import jupyterlab

    folder = options.dir.expanduser()
    on_hub = "JUPYTERHUB_SERVICE_PREFIX" in os.environ
    if options.room and not on_hub:
        _join(options.room, options.name)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end in order, as on Ctrl-C
    try:
        _copy_lessons(folder, take_over=options.take_over)
        if on_hub:  # nobody could reach another server beside the hub's
            print(folder.resolve())
            say("This is a JupyterHub: open the folder in the JupyterLab that you came from.")
            if options.room:
                say(
                    f"To join the room, run in a notebook: {LIVE}; live.join({options.room!r}, ...)"
                )
            return 0
        with jupyterlab.serve(
            folder, port=options.port, browser=not options.no_browser, host=options.host
        ) as (address, process):
            print(address, flush=True)
            say("The course is open at this address. Press Ctrl-C here to close it.")
            return fail("JupyterLab has ended by itself") if process.wait() else 0
    except KeyboardInterrupt:
        say(f"Closed. Your work is in {folder.resolve()}")
        return 0


def _copy_lessons(folder: Path, take_over: bool) -> None:
    """Bring a learner's copy up to date, and say what was done."""
    from . import lessons, working_copy
    from .exercises import classroom

    if classroom.is_handed_out(folder):
        return
    originals = lessons.folder()
    report = working_copy.copy_lessons(originals, folder)
    for name in list(report["outdated"]):
        question = f"{name}: there is a newer edition. Take it, with your answers in it? [y/N] "
        if take_over or ask(question).casefold() in ("y", "yes"):
            kept, count = working_copy.take_over(originals, folder, name)
            report["outdated"].remove(name)
            say(
                f"{name}: this is now the newer edition, with {count} of your answers in it. "
                f"Your own file is kept: {kept.name}"
            )
    for outcome, files in report.items():
        if files:
            say(working_copy.OUTCOMES[outcome].format(folder=folder, names=", ".join(files)))


def _join(address: str, name: str) -> None:
    """Join a room in all notebooks that are opened from here; ValueError for an address or a name that is none."""
    from .exercises import live

    guest = f"guest-{os.urandom(2).hex()}"
    name = name or ask(f"Your name in the room, or one that you make up [{guest}]: ") or guest
    room = live.join(address, name) or live.Membership(address, name)
    os.environ.update(SUBWORD_LAB_ROOM=address, SUBWORD_LAB_ROOM_NAME=room.name)
    say(
        f"You are in the room as {room.name}. It is told which exercises you answer, how well, and what was wrong, "
        f"and nothing else. To leave it, run this in a notebook: {LIVE}; live.leave()"
    )


def run_progress(options: argparse.Namespace) -> None:
    """Print a table, or JSON; say on standard error what could not be read."""
    from .arguments import counted
    from .exercises import overview, progress

    if options.import_:
        say(f"New here: {counted(progress.import_(options.import_), 'event')}.")
    if options.export:
        say(f"Written to {options.export}: {counted(progress.export(options.export), 'event')}.")
        return
    summary = overview.overview(options.learner, files=())  # a folder's settings may name any file
    for problem in summary.problems:
        say(f"subword-lab: {problem}")
    if options.json:
        print(json.dumps({"learner": options.learner, **summary.plain()}, indent=1))
    else:
        from .views.plain import lessons_table

        print(lessons_table(summary), summary.advice, sep="\n\n")


def run_doctor(options: argparse.Namespace) -> None:
    """Print a line for each thing that the course needs or can use; fail if one that it needs is missing."""
    from . import doctor

    findings = doctor.examine(options.dir.expanduser())
    print(*(escaped(str(finding)) for finding in findings), sep="\n")
    if any(finding.problem and finding.needed for finding in findings):
        raise CourseError("the course needs what is marked with ✗")


def run_train(options: argparse.Namespace) -> None:
    """Train and write the file, whole or not at all; a summary goes to standard error."""
    from .interchange.tokenizers_json import FILES
    from .pieces import Rules
    from .streaming import lines
    from .tokenizer import Tokenizer

    folder = options.out if options.out.is_dir() else options.out.absolute().parent
    check(folder.is_dir(), no_folder(options.out))
    is_device = options.out.exists() and not (options.out.is_file() or options.out.is_dir())
    if is_device or not os.access(folder, os.W_OK):  # it is said before hours are spent
        raise CourseError(f"{options.out} cannot be written; name a file in a folder of yours")
    check(
        not any(is_same(file, options.out) for file in options.files),
        f"{options.out} is one of the texts; give --out another name",
    )
    for path in (options.out / name for name in FILES):
        check(not os.path.lexists(path), f"{path} is there already; move it away, or name a file")
    tokenizer = Tokenizer.train(
        _texts(lines, options.files, options.replace_errors),
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
        say(f"The texts do not yield {options.vocab_size} tokens.")
    print(options.out)
    try:
        Tokenizer.load(options.out)
    except ValueError as error:
        raise CourseError(
            f"{error}. It is written, and the tokenizers library opens it; for this package, take out words of "
            "thousands of equal letters"
        ) from None


def run_encode(options: argparse.Namespace) -> None:
    """A line of ids, or of tokens, for each line; as many lines at a time as are there to be read.

    If lines are padded, it is one at a time.
    """
    import numpy as np

    from .streaming import blocks, lines

    tokenizer = _tokenizer(options.tokenizer)
    padding = tokenizer.parts.padding
    pad = {padding["pad_id"]: padding["pad_token"]} if padding else {}  # which may be no token
    tokens = pad | tokenizer.parts.tokens
    line_end = next(id for id in range(len(tokens) + 1) if id not in tokens)
    spell = _spell_tokens(tokens, line_end) if options.tokens else _spell_ids(tokens, line_end)
    between, begin, end = (b", ", b"[", b"]\n") if options.tokens else (b" ", b"", b"\n")
    read = lines if padding else blocks  # which can make any line long
    is_new = is_empty = True  # the line that is written next; it may come in parts
    is_told = False
    texts = _texts(read, [options.file], options.replace_errors, sys.stdout.isatty())
    for block in _finished(texts):
        ends_line = block == "\n" and not is_new  # and is no line of its own, which could be padded
        if not is_new and not is_told and not ends_line:
            is_told = True
            say("A line of more than 4 MB is encoded in parts; where it is cut, ids may be others.")
        row, ends = tokenizer.encode_array(
            [] if ends_line else block.removesuffix("\n").split("\n"),
            allowed_special="all" if options.special else (),
            disallowed_special=(),
            add_special_tokens=False,
        )
        rows = spell(np.insert(row, ends[:-1], line_end)).replace(b"\n" + between, b"\n")
        if is_empty:
            rows = rows.removeprefix(between)
        written = begin * is_new + rows.replace(b"\n", end + begin)
        is_new = block.endswith("\n")
        is_empty = is_new or rows.endswith(b"\n") or (is_empty and not rows)
        write(written + end * is_new)
        sys.stdout.flush()


def _spell_ids(ids: Iterable[int], line_end: int) -> Callable[[Any], bytes]:
    """What writes a row of ids, each with a space before it; numpy copies 8 bytes fast."""
    import numpy as np

    largest = max(*ids, line_end)
    if largest >= 10**7:  # which one token alone may have
        return _spell({id: f" {id}" for id in ids}, line_end)
    names = np.zeros(largest + 1, "S8")
    for id in ids:
        names[id] = b" %d" % id
    names[line_end] = b"\n"
    return lambda row: names.take(row, mode="clip").tobytes().translate(None, b"\0")


def _spell_tokens(tokens: Mapping[int, str], line_end: int) -> Callable[[Any], bytes]:
    """What writes a row of ids as tokens in JSON, each with a comma before it; nothing of it moves a terminal."""
    spelled = {
        id: f", {json.dumps(token, ensure_ascii=not token.isprintable())}"
        for id, token in tokens.items()
    }
    return _spell(spelled, line_end)


def _spell(names: dict[int, str], line_end: int) -> Callable[[Any], bytes]:
    from .tokenizer import LONG_TOKEN, MOST_DECODED

    names[line_end] = "\n"
    is_long = max(map(len, names.values())) > LONG_TOKEN

    def spelled(row: Any) -> bytes:
        written = [names[id] for id in row.tolist()]
        size = sum(map(len, written)) if is_long else 0
        check(
            size <= MOST_DECODED,
            f"the tokens have {size:,} characters; expected at most {MOST_DECODED:,} at once",
        )
        return "".join(written).encode()

    return spelled


def run_decode(options: argparse.Namespace) -> None:
    """A line of text for each line of ids; special tokens are shown."""
    from .streaming import blocks

    tokenizer = _tokenizer(options.tokenizer)
    # Where tokens are bytes, many lines are one text, in which a token of their own stands for their ends.
    end, is_bytes = max(tokenizer.parts.tokens) + 1, tokenizer.parts.decoder == "bytes"
    at_once = is_bytes and "\n" not in tokenizer.parts.ids and end < 1 << 31
    with_ends = tokenizer.add_tokens(["\n"], special=True) if at_once else tokenizer
    number, lines = 1, ""  # a long line comes in parts
    for block in _finished(_texts(blocks, [options.file], True, sys.stdout.isatty())):
        lines += block
        if not block.endswith("\n"):
            continue
        count, text = lines.count("\n"), ""
        with suppress(ValueError, OverflowError):  # what is wrong is said below
            plain = at_once and lines.isascii() and "_" not in lines
            ids = [*map(int, lines.replace("\n", f" {end} ").split())] if plain else []
            if plain and ids.count(end) == count:
                text = with_ends.decode(ids, skip_special_tokens=False)
                number += count
        for line in [] if text else lines.split("\n")[:-1]:
            try:
                ids = [*map(_id, line.split())]
                text += tokenizer.decode(ids, skip_special_tokens=False) + "\n"
            except (ValueError, OverflowError) as error:
                write(text.encode())
                raise ValueError(f"{_name(options.file)}, line {number}: {error}") from None
            number += 1
            if len(text) > MOST_HELD:
                write(text.encode())
                text = ""
        write(text.encode())
        lines = ""


def _id(word: str) -> int:
    """The number that a word of ASCII digits is; `int` alone takes `1_2` and other scripts' digits, too."""
    if "_" in word or not word.isascii() or len(word) > LONGEST_NUMBER:
        raise ValueError(f"invalid literal for int() with base 10: {shorten(word)}")
    return int(word)


def _name(path: Path) -> str:
    return "standard input" if path == INPUT else str(path)


def write(data: bytes) -> None:
    """Write all of it to standard output, which without a buffer (PYTHONUNBUFFERED) may take a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[sys.stdout.buffer.write(rest) :]


def is_same(path: Path, output: Any) -> bool:
    """Whether a file that is read, or standard input, is also what is written: a path or a stream."""
    with suppress(OSError, AttributeError):  # what is not there, closed, or no file of the system
        read, written = (
            os.stat(each if isinstance(each, Path) else each.fileno())
            for each in (sys.stdin if path == INPUT else path, output)
        )
        return stat.S_ISREG(read.st_mode) and os.path.samestat(read, written)
    return False


def _check_apart(path: Path) -> None:
    """ValueError if standard output goes to a file that is read."""
    check(
        not is_same(path, sys.stdout),
        f"{_name(path)} is the output, too; send that to another file",
    )


def _tokenizer(path: Path) -> Any:
    """The tokenizer in a file or a folder, which has to be another file than standard output."""
    from .tokenizer import Tokenizer

    for file in path, path / "tokenizer.json":
        _check_apart(file)
    return Tokenizer.load(path)


def _texts(
    read: Callable[..., Iterator[str]], paths: Sequence[Path], replace: bool, quiet: bool = False
) -> Iterator[str]:
    """The texts of some files, or of standard input, as `streaming` reads them.

    How far that is stands on standard error, if the files have a size; but not if it is to be quiet.
    """
    from .streaming import NotUTF8

    done, whole, tell = 0, 0, counter("MB")
    if INPUT not in paths and not quiet:
        whole = sum(path.stat().st_size for path in paths)

    def progress(count: int) -> None:
        nonlocal done
        megabytes, done = done >> 20, done + count
        if whole and (done >> 20 > megabytes or done == whole):
            tell(-(-done >> 20), -(-whole >> 20))

    for path in paths:
        if path == INPUT and sys.stdin is None:
            raise CourseError("standard input is closed; name a file")
        with nullcontext(sys.stdin.buffer) if path == INPUT else open(path, "rb") as file:
            _check_apart(path)
            try:
                yield from read(file, _name(path), replace=replace, progress=progress)
            except NotUTF8 as error:
                raise CourseError(f"{error} (--replace-errors reads on)") from None


def _finished(texts: Iterator[str]) -> Iterator[str]:
    """The texts, and a line end after them where there is none."""
    text = "\n"
    for text in texts:
        yield text
    if not text.endswith("\n"):
        yield "\n"


INPUT = Path("-")
PORT, POSITIVE = whole_number(0, 65535), whole_number(1)
TOKENIZER = option(
    "--tokenizer",
    metavar="FILE.json",
    type=Path,
    required=True,
    help="what train has written, or a folder with tokenizer.json",
)
REPLACE_ERRORS = option(
    "--replace-errors", action="store_true", help="read invalid UTF-8 as U+FFFD"
)
FOLDER = option(
    "dir",
    metavar="DIR",
    nargs="?",
    type=Path,
    default=Path("subword-lab-course"),
    help="the folder of your copy of the lessons (default: ./subword-lab-course)",
)
COMMANDS = {
    "open": Command(
        "open the course in JupyterLab",
        """\
Makes a working copy of the lessons in DIR and opens JupyterLab there.

Your work is safe: a lesson in which you wrote anything is never written over. When the course has a newer version, the
lessons that you have not touched, or only run, are brought up to date. Of the others you are told that there is a
newer one, and asked whether you want it with your answers in it; your own file is kept beside it.
""",
        [
            FOLDER,
            option(
                "--take-over",
                action="store_true",
                help="where there is a newer edition of a lesson, take it, with your answers in it",
            ),
            option(
                "--no-browser",
                action="store_true",
                help="print the address, and open no browser",
            ),
            option(
                "--port",
                metavar="N",
                type=PORT,
                help="the port to use (default: 8888, or any that is free)",
            ),
            option(
                "--host",
                metavar="ADDRESS",
                default="127.0.0.1",
                help="the address to listen at; 0.0.0.0 lets other machines in, who need the token "
                "(default: 127.0.0.1, this machine alone)",
            ),
            option(
                "--room",
                metavar="URL",
                help="join the live room at this address, which your instructor gives you; without "
                "it, nobody sees what you do",
            ),
            option(
                "--name",
                metavar="NAME",
                default="",
                help="your name in the room, or one that you make up (default: you are asked)",
            ),
        ],
        run_open,
    ),
    "progress": Command(
        "show what has been done",
        "Which exercises are done, tried and left, lesson by lesson.",
        [
            option("--json", action="store_true", help="print JSON, with every exercise"),
            option(
                "--learner",
                metavar="NAME",
                help="whose progress (default: all that is recorded here)",
            ),
            option(
                "--export", metavar="FILE", type=Path, help="write what is recorded here to FILE"
            ),
            option(
                "--import",
                metavar="FILE",
                type=Path,
                dest="import_",
                help="first add what FILE holds, which was exported here or elsewhere",
            ),
        ],
        run_progress,
    ),
    "doctor": Command(
        "say what the course lacks on this machine",
        """\
Looks at Python, JupyterLab and its widgets, the folder of the course, your progress, a port, the browser, the engine,
and the disk: a line for each. ✓ is as it should be, ✗ is needed, - you can do without.
Nothing is changed. The exit code is 1 if something that is needed is missing.
""",
        [FOLDER],
        run_doctor,
    ),
    "train": Command(
        "train a tokenizer on files",
        """\
Trains a tokenizer on FILES, of which only the counts of words are kept in memory, and writes it in the format of the
tokenizers library: it opens there, and in Python with subword_lab.Tokenizer.load. Unless you say otherwise, it is like
GPT-2's (bpe), BERT's (wordpiece) or SentencePiece's models (unigram).

schemes, by which texts are cut into words:
  split, spaces         at white space
  whitespace, bert      at white space and around punctuation
  byte-level            a space belongs to the word after it, as in GPT-2
  cl100k, o200k         the same, by the rules of GPT-4 and GPT-4o
  llama-3, qwen-2       the same, by the rules of Llama 3 and Qwen 2
  metaspace             before every space, as in SentencePiece
  characters            every character by itself

normalization steps:
  nfc, nfd, nfkc, nfkd  Unicode's normalization forms
  lowercase             capitals become small letters
  strip-accents         letters without their accents
  clean, space-chinese  as in BERT: no control characters; spaces around Chinese characters
  strip                 no white space at both ends

example:
  subword-lab train books.txt --vocab-size 8000 --scheme o200k --normalize nfc --out tokenizer.json
""",
        [
            option(
                "files",
                metavar="FILES",
                nargs="+",
                type=Path,
                help="texts, in UTF-8; - is standard input",
            ),
            option(
                "--algorithm",
                choices=["bpe", "wordpiece", "unigram"],
                default="bpe",
                help="(default: bpe)",
            ),
            option(
                "--vocab-size",
                metavar="N",
                type=POSITIVE,
                required=True,
                help="how many tokens to aim at",
            ),
            option(
                "--out",
                metavar="FILE.json",
                type=Path,
                required=True,
                help="where to write the tokenizer; a folder that is there gets transformers' files, too",
            ),
            option(
                "--scheme",
                metavar="NAME",
                help="how texts are cut into words: one of the schemes above",
            ),
            option(
                "--normalize",
                metavar="STEPS",
                type=names,
                help="steps from above, such as nfkc,lowercase",
            ),
            option(
                "--special-tokens", metavar="TOKENS", type=names, help="tokens that are never split"
            ),
            option(
                "--sentencepiece-rules",
                action="store_true",
                help="train bpe or unigram by SentencePiece's rules, to the vocabulary that it would "
                "find",
            ),
            REPLACE_ERRORS,
        ],
        run_train,
    ),
    "encode": Command(
        "turn a text into ids",
        """\
Writes the ids of each line of FILE as a line, without the line end. Words are cut by the scheme, and normalized by the
steps, with which the tokenizer was trained.

example:
  subword-lab encode --tokenizer tokenizer.json books.txt > books.ids
""",
        [
            option(
                "file",
                metavar="FILE",
                type=Path,
                nargs="?",
                default=INPUT,
                help="a text in UTF-8 (default, or -: standard input)",
            ),
            TOKENIZER,
            option(
                "--special",
                action="store_true",
                help="take special tokens in the text as such; without it they are text like any "
                "other",
            ),
            option(
                "--tokens",
                action="store_true",
                help="write tokens instead of ids: each line as a JSON array of strings",
            ),
            REPLACE_ERRORS,
        ],
        run_encode,
    ),
    "decode": Command(
        "turn ids into a text",
        "Writes the text of each line of ids in FILE as a line.",
        [
            option(
                "file",
                metavar="FILE",
                type=Path,
                nargs="?",
                default=INPUT,
                help="lines of ids (default, or -: standard input)",
            ),
            TOKENIZER,
        ],
        run_decode,
    ),
}
