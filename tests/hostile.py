"""Clumsy answers to an exercise that asks for `double(number)`, and what `run` must make of each.

None of them does harm even where nothing stops it: loops end after seconds, memory stays below 1 GB, processes are few
and short-lived.
"""

import ctypes
import functools
import json
import os
import stat
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from subword_lab import bpe
from subword_lab.running import Limits

PATIENT, SHORT = Limits(seconds=20), Limits(seconds=0.5)


@dataclass(frozen=True)
class Submission:
    """An answer, the outcome that `run` must report, and words that its message must hold.

    values: what must have come back for 3 and 4. here: whether it can be let loose in the test's own process.
    """

    answer: object
    outcome: str
    message: str = ""
    values: tuple | None = None
    mutated: bool = False
    cases: tuple = ((3,), (4,))
    here: bool = False

    @property
    def limits(self) -> Limits:
        return SHORT if self.outcome == "timeout" else PATIENT

    @property
    def name(self) -> str:
        named = getattr(self.answer, "__name__", "<lambda>")
        return self.message if named == "<lambda>" else named


SUBMISSIONS = []


def submission(outcome, message="", **more):
    """A decorator that puts a function into the bank."""

    def add(function):
        SUBMISSIONS.append(Submission(function, outcome, message, **more))
        return function

    return add


def seconds_left(seconds=5):
    """A bound for everything that is endless: even if nobody ends it, it ends."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def sends_results(*values):
    """Write these into every pipe and file, as what runs the function writes what it returns."""
    for channel in range(3, 64):
        with suppress(OSError):
            mode = os.fstat(channel).st_mode
            if stat.S_ISFIFO(mode) or stat.S_ISREG(mode):
                rows = [json.dumps({"outcome": "value", "value": value}) for value in values]
                os.write(channel, "".join(f"{row}\n" for row in rows).encode())


# ------------------------------------------------------------------------------------------------- not quite a function


@submission("unusable", "a generator, which is used up", here=True)
def yields(number):
    yield 2 * number


@submission("unusable", "a coroutine, because the function is declared with async")
async def asynchronous(number):
    return 2 * number


lock = threading.Lock()


@submission("invalid", "and `lock`, which it uses, cannot be taken there (TypeError: cannot pickle")
def uses_a_lock_of_the_notebook(number):
    with lock:
        return 2 * number


@submission("ok", values=(6, 8))
def is_annotated(number: lock) -> bpe.Step:
    return 2 * number


@submission("error", "asks for code of your own: using subword_lab is not possible here")
def uses_the_package(number):
    from subword_lab.exercises import bank

    return bank.lessons()


# ---------------------------------------------------------------------------------------------------- odd values


class Anything:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def a_list_in_itself(number):
    numbers = [number]
    numbers.append(numbers)
    return numbers


MUCH = "merge " * 1000
PRIME = 2**61 - 1  # of which all multiples have one hash
NONE = (None, None)
SUBMISSIONS += [
    Submission(6, "invalid", "This is an int, not a function", here=True),
    Submission(lambda: 6, "invalid", "must take 1 argument, but it is declared as", here=True),
    Submission(lambda n: 2 * nubmer, "error", "NameError: name 'nubmer' is not", here=True),  # noqa: F821
    Submission(lambda n: 2 * n if n == 3 else os._exit(3), "exit", "code 3"),
    Submission(lambda n: sends_results(6, 8), "invalid", "sends results of its own beside"),
    Submission(lambda n: ctypes.string_at(0), "exit", "Python itself crashed (line"),
    Submission(lambda n: [n] * 2**26, "memory", "MB of memory"),
    Submission(lambda n: [print(MUCH) for _ in range(99_999)], "output", "printed more than 5 MB"),
    Submission(lambda n: a_list_in_itself(n), "unusable", "holds itself", here=True),
    Submission(lambda n: None, "ok", "None; is a return missing?", NONE, here=True),
    Submission(lambda n: print(n), "ok", "None; but it printed something", NONE, here=True),
    Submission(lambda n: [n, {"deep": Anything()}], "unusable", "an Anything object", here=True),
    Submission(lambda n: "hug " * 2_500_000, "unusable", "a value of more than 20,000 members"),
    Submission(lambda n: {PRIME * each: n for each in range(500)}, "unusable", "far too long"),
    Submission(lambda n: 2 * int(input("number? ")), "error", "waits for input()"),
    Submission(lambda n: bpe.ids_of(n), "error", "using subword_lab is not possible"),
    Submission(
        lambda numbers: 2 * numbers.pop(), "ok", "", (6, 8), True, (([3],), ([4],)), here=True
    ),
]


# ----------------------------------------------------------------------------------------------------------- exceptions


class Mute(Exception):
    def __str__(self):
        raise Mute


@submission("error", "Mute: `(its text cannot be shown: Mute)`", here=True)
def an_exception_without_text(number):
    raise Mute


@submission("error", "calls itself again and again", here=True)
def recursion(number):
    return recursion(number + 1)


@submission("ok", values=(6, 8))
@functools.lru_cache(maxsize=None)
def cached_and_recursive(number):
    return cached_and_recursive(number - 1) + 2 if number else 0


# ------------------------------------------------------------------------------------------ ends its process, or no end


@submission("timeout", "still running after 0.5 seconds (line")
def lets_nothing_stop_it(number):
    left = seconds_left()
    while left():
        try:
            while left():
                pass
        except BaseException:
            continue


class Reluctant:
    def __reduce__(self):
        return time.sleep, (5,)


reluctant = Reluctant()


@submission("timeout")
def takes_long_to_arrive(number):
    return [reluctant, 2 * number]


@submission("ok", values=(6, 8))
def leaves_a_thread_and_a_process_behind(number):
    import subprocess

    threading.Thread(target=time.sleep, args=(5,)).start()
    subprocess.Popen(["sleep", "31.4159"])
    return 2 * number


@submission("exit", "code 0")
def leaves_a_process_behind_and_ends_its_own(number):
    import subprocess

    subprocess.Popen(["sleep", "31.4159"])
    os._exit(0)


# --------------------------------------------------------------------------------------------------------- good answers


def double(number):
    return 2 * number


def helped(number):
    return double(number)


twice = functools.partial(lambda factor, number: factor * number, 2)
SUBMISSIONS += [
    Submission(good, "ok", values=(6, 8), here=True)
    for good in (double, lambda number: number << 1, twice, helped, int(2).__mul__)
]
