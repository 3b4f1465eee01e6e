"""Hostile and clumsy answers to an exercise that asks for `double(number)`, and what `run` must make of each.

Each is tried in the sandbox, where there is one, and without it. None of them does harm even where nothing stops it:
loops end after seconds, memory stays below 1 GB, processes are few and short-lived, addresses are this machine's own,
and files to be destroyed are ones that the test made for it.
"""

import asyncio
import functools
import os
import sys
import threading
import time
from collections import Counter, OrderedDict, namedtuple
from dataclasses import dataclass

from subword_lab import bpe
from subword_lab.running import Limits

CANARY = ""  # a file, in a folder of its own, that must survive; set by the test
PACKAGE = os.path.dirname(bpe.__file__)
PATIENT, SHORT = Limits(seconds=20), Limits(seconds=0.5)


@dataclass(frozen=True)
class Submission:
    """An answer, the outcome that `run` must report, and words that its message must hold."""

    answer: object
    outcome: str
    message: str = ""
    values: tuple | None = (
        None  # what must have come back for 3 and 4, where that is to be looked at
    )
    mutated: bool = False
    cases: tuple = ((3,), (4,))
    inside: str | None = None  # the words in the sandbox, where they are others than without it

    @property
    def limits(self) -> Limits:
        return SHORT if self.outcome == "timeout" else PATIENT

    @property
    def name(self) -> str:
        return getattr(self.answer, "__name__", None) or repr(self.answer)[:30]


SUBMISSIONS: list[Submission] = []


def submission(outcome, message="", **more):
    """A decorator that puts a function into the bank."""

    def add(function):
        SUBMISSIONS.append(Submission(function, outcome, message, **more))
        return function

    return add


def clumsy_value(answer, message):
    SUBMISSIONS.append(Submission(answer, "invalid", message))


def seconds_left(seconds=5):
    """A bound for everything that is endless: even if nobody ends it, it ends."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


# ------------------------------------------------------------------------------------------------------- not a function

clumsy_value(6, "This is an int, not a function")
clumsy_value([6, 8], "This is a list, not a function")
clumsy_value(None, "not a function")
clumsy_value("lambda number: 2 * number", "This is a str, not a function")
clumsy_value(Counter, "This is the class Counter")


@submission("invalid", "must take 1 argument, but it is declared as no_argument()")
def no_argument():
    return 6


@submission("invalid", "must take 1 argument, but it is declared as two_arguments(number, factor)")
def two_arguments(number: int, factor: int):
    return number * factor


@submission("invalid", "keyword_only(*, number)")
def keyword_only(*, number):
    return 2 * number


@submission("ok", values=(6, 8))
def with_a_default(number, factor=2):
    return number * factor


@submission("invalid", "contains yield")
def yields(number):
    yield 2 * number


@submission("invalid", "declared with async")
async def asynchronous(number):
    return 2 * number


@submission("invalid", "declared with async")
async def asynchronous_generator(number):
    yield 2 * number


# ------------------------------------------------------------------------------------------------- odd values come back


@submission("unusable", "a generator, which is used up")
def returns_a_generator(number):
    return (2 * number for _ in range(1))


@submission("unusable", "a map, which is used up")
def returns_a_map(number):
    return map(int, [number, number])


@submission("unusable", "a dict_keys; return list(...)")
def returns_keys(number):
    return {2 * number: True}.keys()


@submission("unusable", "a function instead of a value")
def returns_itself(number):
    return returns_itself


@submission("unusable", "a coroutine")
def returns_a_coroutine(number):
    return asyncio.sleep(number)


@submission("unusable", "an ellipsis object")
def returns_dots(number):
    return ...


@submission("ok", "returned None; is a return missing?", values=(None, None))
def returns_nothing(number):
    2 * number


@submission("ok", "returned None; but it printed something", values=(None, None))
def prints_instead(number):
    print(2 * number)


class Anything:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


@submission("unusable", "an Anything object")
def equals_everything(number):
    return Anything()


@submission("unusable", "an Anything object")
def holds_what_equals_everything(number):
    return [2 * number, {"deep": Anything()}]


@submission("unusable", "a Liar object")
def says_that_it_is_a_number(number):
    class Liar(Anything):
        @property
        def __class__(self):
            return int

        def __index__(self):
            return 6

    return Liar()


class AnyText(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def __str__(self):
        return "6"


@submission("ok", values=("wrong", "wrong"))
def text_that_equals_everything(number):
    return AnyText("wrong")


class Fickle(list):
    """A list that looks different to everybody who looks."""

    def __iter__(self):
        return iter([6])

    def __eq__(self, other):
        return True

    def __len__(self):
        raise SystemExit


@submission("ok", values=([1, 2], [1, 2]))
def a_fickle_list(number):
    return Fickle([1, 2])


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit("no name")


class Nameless(metaclass=Meta):
    pass


@submission("invalid", "SystemExit: no name")
def a_class_that_will_not_travel(number):
    return Nameless()


@submission("unusable")
def a_hostile_class(number):
    class Meta(type):
        @property
        def __name__(cls):
            raise SystemExit("no name")

    class Nameless(metaclass=Meta):
        pass

    return Nameless()


Point = namedtuple("Point", "x y")


@submission("ok", values=((3, {"a": 1}, {"b": 2}), (4, {"a": 1}, {"b": 2})))
def relatives_of_plain_types(number):
    return Point(number, Counter("a")) + (OrderedDict(b=2),)


@submission("unusable", "holds itself")
def a_list_in_itself(number):
    numbers = [number]
    numbers.append(numbers)
    return numbers


@submission("unusable", "nested too deep")
def ten_thousand_brackets(number):
    for _ in range(10_000):
        number = [number]
    return number


@submission("unusable", "far too long")
def a_number_of_ten_thousand_digits(number):
    return 10**10_000


@submission("unusable", "a value of more than 20,000 members and characters")
def returns_ten_megabytes(number):
    return "hug " * 2_500_000


@submission("unusable", "a value of more than 20,000 members and characters")
def returns_a_million_members(number):
    return [number] * 10**6


@submission("ok", values=(10**400, 10**400))
def a_number_beyond_all_floats(number):
    return 10**400


@submission("unusable", "nested too deep")
def four_hundred_brackets(number):
    for _ in range(400):
        number = [number]
    return number


PRIME = 2**61 - 1  # of which all multiples have one hash


@submission("unusable", "far too long")
def keys_that_collide(number):
    class Numb(int):
        __hash__ = int.__hash__

    return {Numb(PRIME * each): number for each in range(500)}


@submission("unusable", "a generator")
def a_generator_without_end(number):
    return (number for _ in iter(int, 1))


class Bottomless(dict):
    """A dictionary whose own ways of being read have no end."""

    def items(self):
        left = seconds_left()
        while left():
            yield 1, 1

    keys = values = __iter__ = __len__ = items


@submission("ok", values=({"a": 3}, {"a": 4}))
def a_bottomless_dictionary(number):
    return Bottomless(a=number)


# ---------------------------------------------------------------------------------------------------- changes its input


@submission("ok", values=(6, 8), mutated=True, cases=(([3],), ([4],)))
def empties_its_argument(numbers):
    return 2 * numbers.pop()


@submission("ok", values=(6, 8), mutated=True, cases=(({("u", "g"): [3]},), ({("u", "g"): [4]},)))
def changes_what_is_inside(table):
    table["u", "g"][0] *= 2
    return table["u", "g"][0]


@submission("ok", values=(6, 8), mutated=True, cases=(([3],), ([4],)))
def puts_something_strange_in(numbers):
    numbers.append(threading.Lock())
    return 2 * numbers[0]


shared = [3]


@submission("ok", values=(6, 8), cases=((shared,), ([4],)))
def changes_a_list_of_the_notebook(numbers):
    shared.clear()
    return 2 * numbers[0]


# ----------------------------------------------------------------------------------------------------------- exceptions


@submission("error", "NameError: name 'nubmer' is not defined (line")
def a_typing_error(number):
    return 2 * nubmer  # noqa: F821


@submission("error", "TypeError: unsupported operand")
def a_wrong_type(number):
    return number + []


class Mute(Exception):
    def __str__(self):
        raise Mute


@submission("error", "Mute: (its text cannot be shown: Mute)")
def an_exception_without_text(number):
    raise Mute


@submission("error", "E" * 100 + ": " + "m" * 300 + " (line")
def an_exception_of_two_megabytes(number):
    raise type("E" * 10**6, (Exception,), {})("m" * 10**6)


@submission("error", "Unnamed (line")
def an_exception_whose_class_has_no_name(number):
    class Meta(type):
        @property
        def __name__(cls):
            raise SystemExit("no name")

    raise Meta("Unnamed", (Exception,), {})


@submission("error", "GeneratorExit")
def an_exception_beyond_exceptions(number):
    raise GeneratorExit("out")


@submission("error", "KeyboardInterrupt")
def interrupts(number):
    raise KeyboardInterrupt


@submission("error", "calls itself again and again")
def recursion(number):
    return recursion(number + 1)


@submission("memory", "MB of memory")
def recursion_without_a_limit(number):
    def again(ballast):
        return [ballast, again(ballast + b"x")]

    sys.setrecursionlimit(10**6)
    return again(b"x" * 10**7)


@submission("error", "waits for input()")
def asks_the_user(number):
    return 2 * int(input("number? "))


@submission("ok", values=(6, 8))
@functools.lru_cache(maxsize=None)
def cached_and_recursive(number):
    return cached_and_recursive(number - 1) + 2 if number else 0


# ----------------------------------------------------------------------------------------------------- ends its process


@submission("exit", "SystemExit")
def exits(number):
    sys.exit("6")


@submission("exit", "code 0")
def exits_at_once(number):
    os._exit(0)


@submission("exit", "code 3")
def exits_at_the_second_case(number):
    if number == 4:
        os._exit(3)
    return 2 * number


@submission("exit", "Python itself crashed")
def aborts(number):
    os.abort()


@submission("exit", "Python itself crashed (line")
def crashes_python(number):
    import ctypes

    ctypes.string_at(0)


@submission("error", "signaling a process")
def kills_itself(number):
    os.kill(os.getpid(), 9)


@submission("error", "signaling a process")
def kills_its_parent(number):
    os.kill(os.getppid(), 0)  # 0: only asks whether it could


@submission("protocol", "stopped answering")
def closes_every_file(number):
    os.closerange(0, 64)
    time.sleep(5)


# --------------------------------------------------------------------------------------------------------- does not end


@submission("timeout", "still running after 0.5 seconds (line")
def an_endless_loop(number):
    left = seconds_left()
    while left():
        number += 1


@submission("timeout")
def sleeps(number):
    time.sleep(5)


@submission("timeout")
def an_endless_search(number):
    import re

    re.match(r"(a+)+$", "a" * 28 + "b")


@submission("timeout")
def lets_nothing_stop_it(number):
    left = seconds_left()
    while left():
        try:
            while left():
                pass
        except BaseException:
            continue


@submission("timeout")
def ignores_signals(number):
    import faulthandler
    import signal

    for each in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(each, signal.SIG_IGN)
    faulthandler.cancel_dump_traceback_later()
    faulthandler.disable()
    time.sleep(5)


class Sticky:
    def __del__(self):
        time.sleep(5)


@submission("timeout")
def an_object_that_will_not_go(number):
    thing = Sticky()
    return 2 * number + 0 * id(thing)


class Reluctant:
    def __reduce__(self):
        return time.sleep, (5,)


reluctant = Reluctant()


@submission("timeout")
def takes_long_to_arrive(number):
    return [reluctant, 2 * number]


@submission("ok", values=(6, 8))
def leaves_threads_behind(number):
    def work():
        left = seconds_left()
        while left():
            time.sleep(0.01)

    for _ in range(3):
        threading.Thread(target=work).start()
    return 2 * number


@submission("ok", values=(6, 8))
def leaves_work_for_the_end(number):
    import atexit

    atexit.register(time.sleep, 5)
    return 2 * number


# ---------------------------------------------------------------------------------------------------- memory and output


@submission("memory", "MB of memory")
def doubles_a_list(number):
    numbers = [number]
    while len(numbers) < 2**26:
        numbers += numbers
    return numbers


@submission("memory", "MB of memory")
def asks_for_a_gigabyte(number):
    return len(bytearray(10**9))


hoard = []


@submission("memory", "MB of memory")
def keeps_all_it_can_get(number):
    size = 2**24
    while size:
        try:
            while len(hoard) < 10_000:
                hoard.append(bytearray(size))
        except MemoryError:
            size //= 2
    raise MemoryError


@submission("ok", values=(6, 8))
def prints_a_megabyte(number):
    print("x" * 1_000_000)
    return 2 * number


@submission("output", "printed more than 5 MB")
def prints_without_end(number):
    left = seconds_left()
    while left():
        print("merge " * 1000)


@submission("output")
def writes_errors_without_end(number):
    left = seconds_left()
    while left():
        os.write(2, b"merge " * 1000)


@submission("ok", values=(6, 8))
def closes_its_output(number):
    sys.stdout.close()
    sys.stderr.close()
    return 2 * number


@submission("ok", values=(6, 8))
def prints_half_a_character(number):
    print("\ud800")
    return 2 * number


# ------------------------------------------------------------------------------------------------------ other processes


@submission("error", "starting, replacing or signaling a process")
def forks(number):
    if not os.fork():
        time.sleep(2)
        os._exit(0)
    return 2 * number


@submission("ok", values=(6, 8))
def a_small_fork_bomb(number):
    for _ in range(5):  # at most 31 processes, where nothing stops it
        try:
            if not os.fork():
                time.sleep(0.1)
        except OSError:
            continue
    return 2 * number


@submission("error", "a process")
def starts_a_program(number):
    import subprocess

    return subprocess.run(["true"]).returncode


@submission("error", "a process")
def asks_the_shell(number):
    return os.system("true")


@submission("error", "a process")
def becomes_another_program(number):
    os.execv("/bin/true", ["true"])


@submission("error", "a process")
def starts_workers(number):
    import multiprocessing

    worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(2,))
    worker.start()


@submission("error", "starting, replacing or signaling a process")
def a_daemon_by_a_back_door(number):
    import _posixsubprocess

    arguments = [
        [b"sleep", b"30"],
        [b"/bin/sleep", b"/usr/bin/sleep"],
        True,
        (),
        b"/",
        None,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
    ]
    readable, writable = os.pipe()
    rest = [readable, writable, True, True, -1, *[None] * 3, -1, None]  # in a session of its own
    if sys.version_info >= (3, 14):
        rest.remove(None)
    _posixsubprocess.fork_exec(*arguments, *rest, *[True] * (sys.version_info < (3, 14)))


@submission("error", "importing _posixsubprocess")
def a_fresh_back_door(number):
    del sys.modules["_posixsubprocess"]
    import _posixsubprocess  # noqa: F401


@submission("error", "has no attribute 'pid")
def signals_by_a_descriptor(number):
    import signal

    signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)


@submission("error", "signaling a process")
def signals_a_thread(number):
    import signal

    signal.pthread_kill(threading.get_ident(), 0)


@submission("error", "importing _" if sys.version_info < (3, 14) else "interpreter")
def starts_another_interpreter(number):
    try:
        import _xxsubinterpreters as interpreters
    except ModuleNotFoundError:
        import _interpreters as interpreters

    interpreters.create()


@submission("error", "importing readline")
def writes_by_readline(number):
    import readline

    readline.write_history_file(CANARY)


@submission("error", "importing zmq")
def calls_by_zmq(number):
    import zmq

    zmq.Context().socket(zmq.PUB).bind("tcp://127.0.0.1:*")


@submission("error", "importing _tkinter")
def runs_tcl(number):
    import _tkinter

    _tkinter.create().eval("exec true")


@submission("error", "opening a database")
def attaches_a_database(number):
    import sqlite3

    sqlite3.connect(":memory:").execute(f"ATTACH DATABASE '{CANARY}.db' AS more").execute(
        "CREATE TABLE more.t (x)"
    )


@submission("error", "_posixshmem")
def shares_memory(number):
    from multiprocessing.shared_memory import SharedMemory

    SharedMemory(create=True, size=100)
    import _posixshmem  # noqa: F401            # where the line above was content with something else


# ---------------------------------------------------------------------------------------------------------------- files


@submission("error", "only the empty folder")
def deletes_a_file(number):
    os.remove(CANARY)


@submission("error", "only the empty folder")
def deletes_a_folder(number):
    import shutil

    shutil.rmtree(os.path.dirname(CANARY))


@submission("error", "opening the folder", inside="FileNotFoundError")
def deletes_by_a_side_road(number):
    folder = os.open(os.path.dirname(CANARY), os.O_RDONLY)
    os.unlink(os.path.basename(CANARY), dir_fd=folder)


@submission("error", "opening the folder '..'")
def climbs_by_descriptors(number):
    os.mkdir("down")
    os.chdir("down")
    folder = os.open("..", os.O_RDONLY)
    os.unlink(CANARY, dir_fd=os.open("..", os.O_RDONLY, dir_fd=folder))


@submission("error", "by the descriptor of its folder")
def names_a_folder_by_number(number):
    os.unlink("canary", dir_fd=0)


@submission("error", "leaving the empty folder")
def leaves_its_folder(number):
    os.chdir("/")


@submission("error", "changing a file by its descriptor", inside="FileNotFoundError")
def locks_a_file_by_its_descriptor(number):
    os.chmod(os.open(CANARY, os.O_RDONLY), 0)


@submission("error", "has no attribute 'mkfifo'")
def makes_a_pipe(number):
    os.mkfifo(f"{CANARY}.pipe")


@submission("ok", values=("alive", "alive"), inside="FileNotFoundError")
def reads_a_file(number):
    with open(CANARY) as file:
        return file.read()


@submission("error", "only the empty folder")
def patches_what_the_hook_uses(number):
    import builtins
    import posixpath

    os.path.realpath = posixpath._joinrealpath = os.fspath = lambda *anything, **more: os.getcwd()
    os.lstat = os.readlink = builtins.any = lambda *anything, **more: False
    for name in ("CHANGES", "REFUSED", "TWO_PATHS", "FOLDERS"):
        setattr(sys.modules["_running.doors"], name, ())
    os.remove(CANARY)


@submission("ok", values=([], []))
def looks_for_the_hook(number):
    """What the traceback of a refusal leads to: nothing that could be changed."""
    try:
        os.fork()
    except PermissionError as error:
        frame = error.__traceback__.tb_next.tb_frame
        return [
            name
            for names in (frame.f_locals, frame.f_globals, frame.f_builtins)
            for name, value in names.items()
            if callable(value) or name not in ("event", "arguments", "refusal", "__builtins__")
        ]


@submission("error", "looking through the memory")
def looks_through_memory(number):
    import gc

    return [each for each in gc.get_objects() if getattr(each, "__name__", "") == "judge"]


@submission("error", "only the empty folder")
def empties_a_file(number):
    open(CANARY, "w").close()


@submission("error", "only the empty folder")
def adds_to_a_file(number):
    os.write(os.open(CANARY, os.O_WRONLY | os.O_APPEND), b"more")


@submission("error", "only the empty folder")
def moves_a_file(number):
    os.rename(CANARY, "mine")


@submission("error", "only the empty folder")
def overwrites_a_file(number):
    with open("mine", "w") as file:
        file.write("6")
    os.replace("mine", CANARY)


@submission("error", "only the empty folder")
def goes_by_a_link(number):
    os.symlink(CANARY, "link")
    with open("link", "w") as file:
        file.write("6")


@submission("error", "only the empty folder")
def locks_a_file_away(number):
    os.chmod(CANARY, 0)


@submission("error", "File too large")
def fills_the_disk(number):
    with open("mine", "wb") as file:
        for _ in range(100):
            file.write(bytes(10**6))


@submission("error", "Too many open files")
def opens_many_files(number):
    files = [open(os.devnull) for _ in range(100)]
    return len(files)


@submission("error", "more than 64 files and folders")
def makes_many_files(number):
    for each in range(1000):
        open(f"{each}", "w").close()


@submission("error", "more than 64 files and folders")
def digs_a_deep_hole(number):
    for _ in range(1000):
        os.mkdir("down")
        os.chdir("down")


@submission("ok", values=(6, 8))
def uses_its_folder(number):
    with open("mine", "w") as file:
        file.write("6")
    os.rename("mine", "yours")
    os.remove("yours")
    return 2 * number + len(os.listdir("."))


@submission("error", "FileNotFoundError", inside="/sandbox")
def saws_off_its_branch(number):
    os.rmdir(os.getcwd())
    return os.listdir(os.getcwd())


# ------------------------------------------------------------------------------------------------------------- cheating

OWN_CODE = "This exercise asks for code of your own"


@submission("error", f"{OWN_CODE}: importing subword_lab")
def imports_the_package(number):
    import subword_lab.bpe

    return subword_lab.bpe.merge_symbols([number], (1, 2))


@submission("error", OWN_CODE)
def imports_by_name(number):
    return __import__("importlib").import_module("subword_lab.exercises")


@submission("error", f"{OWN_CODE}: using subword_lab.bpe.merge_symbols")
def uses_a_function_of_the_package(number, borrowed=bpe.merge_symbols):
    return borrowed([number], (1, 2))


@submission("error", f"{OWN_CODE}: using subword_lab.bpe")
def uses_a_module_of_the_package(number):
    return bpe.merge_symbols([number], (1, 2))


model = bpe.BPEModel([], [])


@submission("error", OWN_CODE)
def uses_a_model_of_the_package(number):
    return [number, model]


SUBMISSIONS.append(Submission(bpe.decode, "error", OWN_CODE, cases=(([], None),)))


@submission("error", f"{OWN_CODE}: reading the files")
def reads_the_answers(number):
    with open(os.path.join(PACKAGE, "exercises", "core.py")) as file:
        return file.read()


@submission("error", f"{OWN_CODE}: reading the files")
def reads_the_answers_by_a_link(number):
    os.symlink(PACKAGE, "link")
    with open("link/bpe.py") as file:
        return file.read()


@submission("error", f"{OWN_CODE}: reading the files")
def loads_the_file_under_another_name(number):
    from importlib.machinery import SourceFileLoader

    return SourceFileLoader("mine", os.path.join(PACKAGE, "bpe.py")).load_module()


@submission("ok", values=([], []))
def looks_for_answers_in_memory(number):
    """The expected values are nowhere in this process, so there is nothing to find."""
    import inspect

    frames = inspect.stack()
    jobs = [frame.frame.f_locals["job"] for frame in frames if "job" in frame.frame.f_locals]
    return [key for key in vars(jobs[0]) if key in ("answers", "expected", "solution")]


def channel():
    """Where the process sends its results."""
    import inspect

    return next(
        frame.frame for frame in inspect.stack() if "channel" in frame.frame.f_locals
    ).f_locals["channel"]


@submission("ok", values=(6, 8))
def forges_a_malformed_result(number):
    """What is no result is passed over."""
    for forged in (
        b'{"is": "Result", "outcome": ["value"]}',
        b'{"is": "Result", "outcome": "correct"}',
        b'{"is": "Res',
        b'{"is": "Result"}',
        b'{"is": "Result", "outcome": "value", "score": 1}',
        b"[" * 10**5,
        b"\xff",
    ):
        os.write(channel(), forged + b"\n")
    return 2 * number


@submission("ok", values=("all answers are correct", 6))
def forges_a_result(number):
    """What it sends in this way is a value like any other: it could as well have returned it."""
    if number == 3:
        os.write(
            channel(), b'{"is": "Result", "outcome": "value", "value": "all answers are correct"}\n'
        )
    return 2 * number


@submission("ok", values=(6, 8))
def forges_results_that_hurt(number):
    """Too deep, or with keys that collide: no result either."""
    keys = ",".join(f"[{PRIME * each},1]" for each in range(1000))
    for forged in (
        "[" * 900 + "]" * 900,
        "[" * 50_000,
        f'{{"dict":[{keys}]}}',
        '{"fraction":[1,0]}',
        '{"set":[[1]]}',
    ):
        os.write(channel(), f'{{"is":"Result","outcome":"value","value":{forged}}}\n'.encode())
    return 2 * number


@submission("unusable", "more than 20,000 members")
def forges_a_large_result(number):
    os.write(channel(), b'{"is":"Result","outcome":"value","value":[' + b"0," * 10**5 + b"0]}\n")
    return 2 * number


@submission("output", "returned more than 1 MB")
def forges_a_result_of_megabytes(number):
    os.write(channel(), b'{"is":"Result","outcome":"value","value":[' + b"0," * 10**6 + b"0]}\n")
    return 2 * number


@submission("output", "returned more than 1 MB", cases=((3,),) * 100)
def returns_much_every_time(number):
    return [number] * 10_000


@submission("protocol", "stopped answering")
def says_that_it_is_done(number):
    os.write(channel(), b'{"is": "Stage", "name": "done"}\n')
    time.sleep(5)


@submission("protocol", "stopped answering")
def says_that_it_begins_anew(number):
    os.write(channel(), b'{"is": "Stage", "name": "ready"}\n')
    return 2 * number


@submission("ok", values=(5, 7))
def writes_on_every_channel(number):
    for file in range(3, 64):
        try:
            os.write(file, b'{"outcome": "value", "value": 6}\n{"is": "Stage"}\n')
        except OSError:
            continue
    return 2 * number - 1


@submission("protocol", "stopped answering")
def patches_whatever_it_finds(number):
    import builtins
    import json

    here = vars(sys.modules["_running.function_child"])
    here["answer"] = here["encode"] = here["to_json"] = lambda *anything: {
        "outcome": "value",
        "value": 6,
    }
    json.dumps = lambda *anything: '{"outcome": "value", "value": 6}'
    builtins.isinstance = builtins.len = lambda *anything: True
    return 2 * number - 1


@submission("error", "changing its limits")
def lifts_its_limits(number):
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))


@submission("error", "C libraries")
def goes_around_python(number):
    import ctypes

    return ctypes.CDLL(None).getpid()


# -------------------------------------------------------------------------------------------------------------- network


@submission("error", "using the network")
def connects(number):
    import socket

    socket.create_connection(("127.0.0.1", 9), timeout=1)


@submission("error", "using the network")
def listens(number):
    import socket

    socket.socket().bind(("127.0.0.1", 0))


@submission("error", "network")
def fetches_a_page(number):
    import urllib.request

    return urllib.request.urlopen("http://127.0.0.1:9/", timeout=1).read()


# -------------------------------------------------------------------------------------------------- cannot travel there

lock = threading.Lock()
ballast = bytes(30_000_000)


@submission("invalid", "and `lock`, which it uses, cannot be taken there (TypeError: cannot pickle")
def uses_a_lock_of_the_notebook(number):
    with lock:
        return 2 * number


@submission(
    "invalid",
    "`ballast`, which it uses, cannot be taken there (ValueError: it refers to 30 MB of data)",
)
def uses_much_data(number):
    return 2 * number + ballast[0]


class Shy:
    def __reduce__(self):
        raise ZeroDivisionError


shy = Shy()


@submission("invalid", "`shy`, which it uses, cannot be taken there (ZeroDivisionError: )")
def uses_what_refuses_to_travel(number):
    return [shy, 2 * number]


# --------------------------------------------------------------------------------------------------------- good answers


def double(number):
    return 2 * number


def helped(number):
    return double(number)


good = [
    double,
    lambda number: number << 1,
    functools.partial(lambda factor, number: factor * number, 2),
    helped,
    int(2).__mul__,
]

# what can be let loose in the test's own process
harmless = [
    returns_a_generator,
    returns_nothing,
    prints_instead,
    equals_everything,
    text_that_equals_everything,
    a_list_in_itself,
    empties_its_argument,
    a_typing_error,
    an_exception_without_text,
    recursion,
    exits,
    no_argument,
    yields,
    asynchronous,
]
