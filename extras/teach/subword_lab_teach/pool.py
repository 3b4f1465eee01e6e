"""Several notebooks at a time, each in a process of its own, and none of them twice.

A thread waits for each process (`main`), which runs the notebook in a sandbox and judges its answers. Marks are kept
in a file as they come, so that whoever stops and starts again goes on from there.
"""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from typing import TextIO

from .marking import Job, Marks, mark
from .sandbox import bubblewrap
from .sandbox.messages import from_json, to_json
from .submissions import Learner, grouped

MEMORY = 2**30  # bytes, for judging
LONGEST_LINE = 5_000_000  # characters of the marks of a notebook
BUDGET = 12  # of a learner, for all notebooks: the time of so many
PATIENCE = 120.0  # seconds that judging may take, beside a notebook's own time
FAILED = Marks("marking it failed: it took too long, or broke off", own_fault=False)


class Kept:
    """The marks of notebooks that were run before, by their keys, in a file of JSON lines; nowhere, if there is none.

    What stands in the file is marks only if it has their form. Raises OSError if the file cannot be written.
    """

    def __init__(self, path: str | Path | None, exercises_file: str = ""):
        self.path, self.marks = path, dict[str, Marks]()
        files = [file for folder in bubblewrap.PACKAGES for file in sorted(folder.rglob("*.py"))]
        files += [Path(exercises_file)] if exercises_file else []
        self._grader = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        if path:
            with open(path, "a+", encoding="utf-8", errors="replace") as file:
                file.seek(0)
                self._read(file)

    def _read(self, file: TextIO) -> None:
        """The marks in a file, and an end to its last line; of a line that no notebook fills, no more than a part."""
        line, is_empty = "\n", True
        for line in iter(partial(file.readline, LONGEST_LINE), ""):
            if is_empty and line.strip() and not line.lstrip().startswith('{"key": '):
                raise ValueError(f"{self.path} holds something else than marks; move it away")
            is_empty = is_empty and not line.strip()
            with contextlib.suppress(ValueError, KeyError, TypeError):  # it was cut off
                entry = json.loads(line)
                if marks := from_json(json.dumps(entry["marks"]), Marks):
                    self.marks[str(entry["key"])] = marks
        file.write("" if line.endswith("\n") else "\n")

    def key(self, job: Job) -> str:
        """What the marks of a notebook depend on: its code, how it is marked, and the grader."""
        return sha256(json.dumps([asdict(job), self._grader]).encode()).hexdigest()

    def put(self, key: str, marks: Marks) -> None:
        """Keep marks, and write them down."""
        self.marks[key] = marks
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f'{{"key": "{key}", "marks": {to_json(marks)}}}\n')


class Workers(ThreadPoolExecutor):
    """Threads, each of which waits for a process that marks a notebook; at the end no process is left.

    processors: the numbers of those that they share, one for each thread, so that a notebook that keeps all busy takes
    none of the time of another one's; () leaves that to the system.
    """

    def __init__(self, count: int, processors: Sequence[int] = ()):
        super().__init__(count)
        self._processors = deque(islice(cycle(processors), count))
        self._stopped = False
        self._running: set[subprocess.Popen] = set()

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        for worker in list(self._running):
            worker.terminate()
        self.shutdown(cancel_futures=True)

    def mark(self, job: Job) -> Marks:
        """The marks of a notebook, from a process of its own, which is ended when it takes too long."""
        own = [self._processors.pop()] if self._processors else []
        with subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-W",
                "ignore::SyntaxWarning",
                "-m",
                __spec__.name,
                *map(str, own),
            ],
            env={**os.environ, "SUBWORD_LAB_HOME": ":memory:"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as worker:
            self._running.add(worker)
            message = json.dumps(asdict(job)).encode()
            seconds = 0 if self._stopped else job.seconds + PATIENCE
            try:
                return from_json(worker.communicate(message, timeout=seconds)[0], Marks) or FAILED
            except (subprocess.TimeoutExpired, OSError):
                worker.terminate()  # it ends what it has started
                with contextlib.suppress(subprocess.TimeoutExpired):
                    worker.wait(timeout=5)
                worker.kill()
                return FAILED
            finally:
                self._running.discard(worker)
                self._processors += own


Mark = Callable[[Job], Future]  # begins to mark a notebook


@contextlib.contextmanager
def local(jobs: int | None = None) -> Iterator[tuple[Mark, int]]:
    """What marks notebooks on this machine, and how many it takes at a time: one for each processor, or `jobs`."""
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    count = jobs or len(processors) or os.cpu_count() or 1
    with Workers(count, processors if count > 1 else ()) as workers:
        yield lambda job: workers.submit(workers.mark, job), count


@contextlib.contextmanager
def dask(address: str, exercises_file: str = "") -> Iterator[tuple[Mark, int]]:
    """The same on a Dask cluster that exists already: a notebook goes to whichever of its machines is free.

    The machines need these packages, and no common disk. What was being marked on one that breaks off is marked again.
    Raises ValueError if there is no such cluster.
    """
    try:
        from distributed import Client

        client = Client(address, set_as_default=False, timeout=20)
    except ImportError:
        raise ValueError(
            "Dask is not installed; install it with: pip install 'subword-lab-teach[dask]'"
        ) from None
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(
            f"no Dask cluster answers at {address!r} ({type(error).__name__})"
        ) from None
    own = Path(exercises_file).read_text(encoding="utf-8") if exercises_file else ""
    # Not all at once: their notebooks are in memory here until they are done.
    count = max(4, 2 * sum(client.ncores().values()))
    with client, client.get_executor(pure=False) as executor:
        try:
            yield partial(executor.submit, mark_elsewhere, own), count
        finally:
            executor.shutdown(wait=False)


def mark_elsewhere(exercises: str, job: Job) -> Marks:
    """The marks of a notebook that came from another machine. exercises: the text of a file of exercises, or ""."""
    with tempfile.TemporaryDirectory(prefix="subword-lab-") as folder, Workers(1) as workers:
        if exercises:
            file = Path(folder, "own.py")
            file.write_text(exercises, encoding="utf-8")
            job = replace(job, exercises_file=str(file))
        return workers.mark(job)


def mark_all(
    begin: Mark,
    at_once: int,
    tasks: Sequence[tuple[Learner, Job]],
    kept: Kept,
    again: Learner | None = None,
    progress: Callable[[int, int], None] = lambda done, count: None,
) -> list[Marks]:
    """The marks of all notebooks, in their order; what is kept from an earlier run is not marked again.

    again: the one learner of whom this does not hold. What several have handed in alike is marked once, as long as one
    of them has time left.
    """
    keys = [kept.key(job) for _, job in tasks]
    by_key, spent = {key: job for key, (_, job) in zip(keys, tasks)}, Counter[Learner]()  # seconds
    owners = grouped((key, learner) for key, (learner, _) in zip(keys, tasks))
    results = {
        key: kept.marks[key] for key in by_key if key in kept.marks and again not in owners[key]
    }
    waiting = [key for key in by_key if key not in results]
    running = dict[Future, tuple[str, float]]()  # with the time when it began
    progress(len(results), len(by_key))
    while waiting or running:
        while waiting and len(running) < at_once:
            job = by_key[key := waiting.pop(0)]
            if min(spent[learner] for learner in owners[key]) > BUDGET * job.seconds:
                results[key] = Marks("this learner's notebooks have taken too much time in all")
                progress(len(results), len(by_key))
            else:
                running[begin(job)] = key, time.monotonic()
        for future in wait(running, timeout=1, return_when=FIRST_COMPLETED).done:
            key, begun = running.pop(future)
            spent.update(dict.fromkeys(owners[key], math.ceil(time.monotonic() - begun)))
            results[key] = FAILED if future.exception() else future.result()
            if results[key].own_fault:
                kept.put(key, results[key])
            progress(len(results), len(by_key))
    return [results[key] for key in keys]


def main() -> None:
    """In a process of its own, mark what comes on standard input: a job, as JSON. The processor may be an argument."""
    if sys.argv[1:]:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # in order: what it started is ended
    with contextlib.suppress(ImportError, ValueError, OSError):  # the system knows no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    try:
        marks = mark(Job(**json.load(sys.stdin)))
    except Exception as error:
        marks = Marks(f"marking it failed: {type(error).__name__}: {error}", own_fault=False)
    print(to_json(marks), file=out, flush=True)


if __name__ == "__main__":
    main()
