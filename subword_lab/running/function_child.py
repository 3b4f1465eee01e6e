"""The other end of `runner`: what runs in the fresh process, around the learner's function.

`runner` starts this file as a script. It reads the function and the cases from standard input, shuts the doors that
an answer has no need of, calls the function once a case, and writes one line of JSON a case. It knows no answers.
Only the standard library is imported here, and only what is needed at once: a learner waits for every import.

`encode` and `decode` carry values through JSON: tuples, sets, fractions, bytes and dictionaries with any keys survive.
"""
from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Sequence

MEMORY, LOST = 77, 78                           # exit codes: no memory left to say so; nobody to say anything to
LONGEST_MESSAGE = 300                           # characters of an exception's text that are passed on


class NotAllowed(PermissionError):
    """The learner's function tried what is shut off while an answer is checked."""


class OwnCode(ImportError):
    """The learner's function uses the package where the exercise asks for code of one's own."""


class ClosedFile(NotAllowed):
    """As OwnCode, for reading; an OSError, so that a traceback shown inside just leaves this file's lines out."""


class Unusable(ValueError):
    """A value that cannot be carried to the other process; the message says what it is and what would do."""


# -------------------------------------------------------------------------------------------------- values through JSON

def encode(value: object) -> object:
    """The value as JSON can hold it. A subclass (Counter, namedtuple) becomes the plain type that it extends.

    Nothing of the value's own code runs: an object that claims to equal everything is either reduced to a plain value
    or refused. Raises Unusable for any other type, RecursionError for a value that holds itself.

    >>> encode({("u", "g"): 20}), encode([1, (2.5, None)])
    ({'dict': [[{'tuple': ['u', 'g']}, 20]]}, [1, {'tuple': [2.5, None]}])
    >>> encode(word for word in ["hug"])
    Traceback (most recent call last):
    subword_lab.running.function_child.Unusable: a generator, which is used up by reading it; return list(...) of it
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    for plain, convert in ((str, str.__str__), (int, int.__int__), (float, float.__float__)):
        if issubclass(kind, plain):
            return convert(value)
    for plain, tag in ((list, None), (tuple, "tuple")):
        if issubclass(kind, plain):
            members = [encode(member) for member in plain.__iter__(value)]
            return {tag: members} if tag else members
    if issubclass(kind, dict):
        return {"dict": [[encode(key), encode(member)] for key, member in dict.items(value)]}
    for plain, tag in ((set, "set"), (frozenset, "frozenset")):
        if issubclass(kind, plain):
            return {tag: sorted((encode(member) for member in plain.__iter__(value)), key=json.dumps)}
    if issubclass(kind, bytes):
        return {"bytes": bytes.hex(value)}
    if kind.__module__ == "fractions" and kind.__name__ == "Fraction":
        return {"fraction": [value.numerator, value.denominator]}
    if kind.__module__ == "numpy" and kind.__name__ != "ndarray" and hasattr(kind, "__index__"):
        return int(value)
    raise Unusable(_described(kind))


def decode(value: object) -> object:
    """The value that `encode` was given.

    >>> from fractions import Fraction
    >>> value = {("u", "g"): [Fraction(1, 3), {"a"}, b"\\xff", 1.0, True]}
    >>> decode(encode(value)) == value
    True
    """
    if isinstance(value, list):
        return [decode(member) for member in value]
    if not isinstance(value, dict):
        return value
    ((tag, content),) = value.items()
    if tag == "dict":
        return {decode(key): decode(member) for key, member in content}
    if tag == "bytes":
        return bytes.fromhex(content)
    if tag == "fraction":
        from fractions import Fraction

        numerator, denominator = content
        return Fraction(int.__index__(numerator), int.__index__(denominator))          # never a text such as "1e9999999"
    members = [decode(member) for member in content]
    return {"tuple": tuple, "set": set, "frozenset": frozenset}[tag](members)


def with_article(name: str) -> str:
    """"an int", "a list"."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _described(kind: type) -> str:
    name = kind.__name__
    if name in ("generator", "map", "filter", "zip", "enumerate", "reversed") or name.endswith("iterator"):
        return f"{with_article(name)}, which is used up by reading it; return list(...) of it"
    if name in ("range", "dict_keys", "dict_values", "dict_items", "deque"):
        return f"{with_article(name)}; return list(...) of it"
    if name == "ndarray":
        return "an ndarray; return its .tolist()"
    if name == "coroutine":
        return "a coroutine, because the function is declared with async; write a plain def"
    if name in ("function", "builtin_function_or_method", "method", "type"):
        return f"a {name} instead of a value; is a pair of brackets () missing, to call it?"
    return f"{with_article(name)} object; return numbers, strings, lists, tuples, sets or dictionaries"


# ------------------------------------------------------------------------------------------------- calling the function

def answer(function, arguments: str, file: str | None) -> dict:
    """Call the function on one case, given as JSON, and describe what came of it; no exception gets out.

    file: where the learner's own code stands, as its code objects name it; exceptions are placed there.
    """
    given = decode(json.loads(arguments))
    try:
        value = function(*given)
    except BaseException as error:
        result = _exception(error, file)
    else:
        result = _returned(value)
    try:
        result["mutated"] = json.dumps(encode(given)) != arguments
    except Exception:
        result["mutated"] = True
    return result


def _returned(value: object) -> dict:
    try:
        value = encode(value)
        json.dumps(value)
    except Unusable as error:
        return {"outcome": "unusable", "message": str(error)}
    except MemoryError:
        return {"outcome": "memory"}
    except BaseException:                       # a list inside itself, a number of 5,000 digits, a hostile type
        return {"outcome": "unusable", "message": "a value that holds itself, is nested too deep or is far too long"}
    return {"outcome": "value", "value": value}


def _exception(error: BaseException, file: str | None) -> dict:
    outcome = {MemoryError: "memory", SystemExit: "exit"}.get(type(error), "error")
    line, step = None, error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    text = text_of(error)[:LONGEST_MESSAGE]
    return {"outcome": outcome, "error": type(error).__name__, "message": text, "line": line}


def text_of(error: BaseException) -> str:
    """The exception's text, and something in its place if the exception refuses to have one."""
    try:
        return str.__str__(str(error))
    except BaseException as second:
        return f"(its text cannot be shown: {type(second).__name__})"


# ------------------------------------------------------------------------------------------------------- shutting doors

PROCESSES = ("os.fork", "os.forkpty", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.kill",
             "os.killpg", "pty.spawn", "subprocess.Popen")
CHANGES = ("os.remove", "os.rmdir", "os.rename", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.chflags", "os.lchmod", "os.truncate", "os.utime", "os.setxattr", "os.removexattr", "shutil.rmtree",
           "sqlite3.connect")
ANSWERS = ("exercises", "workshop", "running")
TWO_PATHS = ("os.rename", "os.link", "os.symlink")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def is_closed(module: str, allow: Sequence[str]) -> bool:
    """Whether a learner's function may not use this module: the package, or, where that is allowed, its answers.

    >>> is_closed("subword_lab.bpe", []), is_closed("subword_lab.bpe", ["subword_lab"]), is_closed("re", [])
    (True, False, False)
    """
    package, _, inner = module.partition(".")
    return package == "subword_lab" and (package not in allow or inner.partition(".")[0] in ANSWERS)


def shut_doors(folder: str, package: str, allow: Sequence[str], files: int) -> None:
    """From here on, an audit hook, which Python code cannot take away again, refuses what no answer needs.

    folder: the only one in which files may be written. package: the folder of subword_lab, of which nothing may be
    imported or read; or, if `allow` names subword_lab, nothing of its answers. files: how many may be written.
    """
    folder, package = os.path.realpath(folder), os.path.realpath(package)
    closed = [os.path.join(package, name) for name in ANSWERS] if allow else [package]
    left = files

    def inside(path, whole):
        path = os.path.realpath(os.fsdecode(path))
        return path == whole or path.startswith(whole + os.sep)

    def check_change(path):
        if not isinstance(path, int) and path is not None and not inside(path, folder):
            raise NotAllowed(f"writing, renaming or deleting {os.fsdecode(path)!r}: only the empty folder in which it "
                             "runs can be changed")

    def count():
        nonlocal left
        left -= 1
        if left < 0:
            raise NotAllowed(f"making more than {files} files and folders")

    def check_open(path, mode, flags):
        if isinstance(path, int) or path is None or path == os.devnull:
            return
        if flags & WRITES:
            check_change(path)
            count()
        elif any(inside(path, whole) for whole in closed):
            raise ClosedFile("reading the files of subword_lab")
        elif mode is None and os.path.isdir(path):              # a way to reach files past the names checked here
            check_change(path)

    def hook(event, arguments):
        if event == "open":
            check_open(*arguments)
        elif event == "import":
            if is_closed(arguments[0], allow):
                raise OwnCode(f"importing {arguments[0]}")
        elif event in CHANGES:
            if event == "os.mkdir":
                count()
            for path in arguments[event == "os.symlink":2 if event in TWO_PATHS else 1]:
                check_change(path)
        elif event in PROCESSES:
            raise NotAllowed("starting, replacing or signaling a process")
        elif event.startswith("socket."):
            raise NotAllowed("using the network")
        elif event in ("resource.setrlimit", "resource.prlimit"):
            raise NotAllowed("changing its limits")
        elif event.startswith("ctypes.dlsym"):
            raise NotAllowed("calling into C libraries")

    sys.addaudithook(hook)


def set_limits(limits: dict) -> None:
    """Limits that the operating system itself enforces, where it has them (not on Windows)."""
    try:
        import resource
    except ImportError:
        return
    cpu = int(2 * limits["seconds"]) + 5                        # if whoever started this process is gone by then
    for name, value in (("AS", limits["memory"]), ("CPU", cpu), ("FSIZE", limits["file_size"]), ("CORE", 0),
                        ("NOFILE", limits["open_files"])):
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        except (AttributeError, ValueError, OSError):           # a system without this limit, or with a lower one
            continue


# -------------------------------------------------------------------------------------------------------------- the run

def main() -> None:
    """Read the job, say "ready", answer case by case, say "done", and end at once, whatever else still runs here."""
    channel = os.dup(1)                         # results go out here; what the learner prints goes to standard error
    os.dup2(2, 1)
    job = json.loads(sys.stdin.buffer.readline())
    pickled = sys.stdin.buffer.read()
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.path += job["path"]
    builtins.display = print                    # a notebook's, which a learner may have left in
    import faulthandler
    import pickle

    import cloudpickle  # noqa: F401            # not after the doors are shut: it counts as start-up

    def send(message, dumps=json.dumps, write=os.write, mark=job["mark"]):
        data = (mark + dumps(message) + "\n").encode("ascii")
        while data:
            data = data[write(channel, data):]

    set_limits(job["limits"])
    shut_doors(job["folder"], job["package"], job["allow"], job["limits"]["open_files"])
    send("ready")
    faulthandler.enable(channel)                # says where, if Python itself crashes
    faulthandler.dump_traceback_later(job["limits"]["seconds"], exit=True, file=channel)        # or hangs
    end, run = os._exit, answer
    try:
        try:
            function = pickle.loads(pickled)
        except BaseException as error:
            send(_exception(error, None))
            send("done")
            end(0)
        for case in job["cases"]:
            send(run(function, case, job["file"]))
        sys.stdout.flush()
        send("done")
        end(0)
    except MemoryError:
        end(MEMORY)
    finally:
        end(LOST)


if __name__ == "__main__":
    main()
