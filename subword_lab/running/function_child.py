"""What runs in the fresh process, around the learner's function: it knows no answers.

It shuts the doors that an answer has no need of, calls the function once a case, and sends what came of each. Only what
is needed at once is imported: a learner waits for it.
"""

from __future__ import annotations

import builtins
import gc
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from .doors import set_limits, shut_doors
from .messages import DONE, READY, More, Outcome, Result, Task, from_json, sender, to_json
from .values import Unusable, decode, encode, name_of, text_of

LARGEST = 20_000  # members and characters of a value that may be returned
MEMORY, LOST = 77, 78  # exit codes: no memory left to say so; nobody to say anything to


def answer(function: Callable, arguments: str, file: str | None) -> str:
    """Call the function on one case, given as JSON; the Result, as JSON too. No exception gets out.

    file: where the learner's own code stands, as its code objects name it; exceptions are placed there.
    """
    given = decode(json.loads(arguments))
    try:
        result = Result("value", function(*given))
    except BaseException as error:
        result = failure(error, file)
    try:
        mutated = json.dumps(encode(given, len(arguments))) != arguments
    except Exception:
        mutated = True
    try:
        decode(encode(result.value, LARGEST))  # as whoever reads it will
        return to_json(replace(result, mutated=True) if mutated else result)
    except BaseException as error:  # a list inside itself, a number of 5,000 digits, a hostile type
        outcome: Outcome = "memory" if type(error) is MemoryError else "unusable"
        told = "a value that holds itself, is nested too deep or is far too long"
        told = text_of(error) if isinstance(error, Unusable) else told
        return to_json(Result(outcome, message=told, mutated=mutated))


def failure(error: BaseException, file: str | None) -> Result:
    """What came of a case that raised an exception."""
    line, step, kind = None, error.__traceback__, type(error)
    while step:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    outcome: Outcome = (
        "memory" if kind is MemoryError else "exit" if kind is SystemExit else "error"
    )
    return Result(outcome, error=name_of(kind), message=text_of(error), line=line)


def main() -> None:
    """Read the task, say that it is ready, answer case by case, and end at once, whatever else still runs here."""
    channel = os.dup(1)  # results go out here; what the learner prints goes to standard error
    os.dup2(2, 1)
    source = os.fdopen(os.dup(0), "rb")
    job = from_json(source.readline(), Task) or sys.exit()  # whoever started this process is gone
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    sys.path += job.path
    vars(builtins)["display"] = print  # a notebook's, which a learner may have left in
    import faulthandler
    import pickle

    import cloudpickle  # noqa: F401            # not after the doors are shut: it counts as start-up

    faulthandler.enable(channel)  # says where, if Python itself crashes
    faulthandler.dump_traceback_later(job.seconds, exit=True, file=channel)  # or hangs
    set_limits(job.limits)  # after the thread that this takes
    shut_doors(job.folder, job.package, job.allow, job.files)
    send = sender(channel)
    gc.enable()
    send(to_json(READY))
    done, end, run = to_json(DONE), os._exit, answer
    try:
        try:
            function = pickle.loads(job.function)
        except BaseException as error:
            send(to_json(failure(error, None)))
        else:
            for case in job.cases:
                send(run(function, case, job.file))
            while job.stay and (more := from_json(source.readline(), More)):
                send(run(function, more.case, job.file))
        sys.stdout.flush()
        send(done)
        end(0)
    except MemoryError:
        end(MEMORY)
    finally:
        end(LOST)
