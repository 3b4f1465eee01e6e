"""Several notebooks at a time, each in a process of its own, and none of them twice.

A thread waits for each process (`worker`), which runs the notebook in a sandbox and judges its answers. Marks are kept
in a file as they come, so that whoever stops and starts again goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, replace
from pathlib import Path

import subword_lab
from subword_lab.running.messages import from_json, to_json

from .marking import Job, Marks
from .submissions import Refused, Submission

PATIENCE = 120.0  # seconds that judging may take, beside a notebook's own time
FAILED = Marks("marking it failed: it took too long, or broke off", own_fault=False)
GRADER = (Path(subword_lab.__file__).parent, Path(__file__).parent)  # what marks depend on


class Kept:
    """The marks of notebooks that were run before, in a file of JSON lines; nowhere, if there is none.

    What stands in the file is marks only if it has their form. Raises OSError if the file cannot be written.
    """

    def __init__(self, path: str | Path | None, exercises_file: str):
        self.path, self._marks, self._before = path, dict[str, Marks](), ""
        digest = hashlib.sha256()
        files = [file for folder in GRADER for file in sorted(folder.rglob("*.py"))]
        for file in [*files, *[Path(exercises_file)] * bool(exercises_file)]:
            digest.update(file.read_bytes())
        self._grader = digest.hexdigest()
        if not self.path:
            return
        with open(self.path, "a+", encoding="utf-8", errors="replace") as lines:
            lines.seek(0)
            for line in lines:
                self._before = "" if line.endswith("\n") else "\n"
                with contextlib.suppress(
                    ValueError, KeyError, TypeError
                ):  # a line that was cut off
                    entry = json.loads(line)
                    if marks := from_json(json.dumps(entry["marks"]), Marks):
                        self._marks[str(entry["key"])] = marks

    def key(self, submission: Submission, job: Job) -> str:
        """What the marks of a notebook depend on: its bytes, how it is marked, and the grader."""
        parts = [submission.digest(), asdict(job), self._grader]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def get(self, key: str) -> Marks | None:
        """The marks under this key, if there are any."""
        return self._marks.get(key)

    def put(self, key: str, marks: Marks) -> None:
        """Keep marks, and write them down."""
        self._marks[key] = marks
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f'{self._before}{{"key": "{key}", "marks": {to_json(marks)}}}\n')
            self._before = ""


class Pool:
    """What marks notebooks on this machine, so many at a time. Use it with `with`: at its end no process is left."""

    def __init__(self, size: int):
        self.size = size
        self._threads: Executor = ThreadPoolExecutor(size)
        self._stopped = False
        self._workers: set[subprocess.Popen] = set()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        for worker in list(self._workers):
            worker.terminate()
        self._threads.shutdown(cancel_futures=True)

    def submit(self, job: Job, data: bytes) -> Future:
        """Begin to mark a notebook."""
        return self._threads.submit(self.mark, job, data)

    def mark(self, job: Job, data: bytes) -> Marks:
        """The marks of a notebook, from a process of its own, which is ended when it takes too long."""
        with subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.worker"],
            env={**os.environ, "SUBWORD_LAB_HOME": ":memory:"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as worker:
            self._workers.add(worker)
            try:
                if self._stopped:
                    return FAILED
                told = json.dumps(asdict(job)).encode() + b"\n" + data
                line, _ = worker.communicate(told, timeout=job.seconds + PATIENCE)
                return from_json(line, Marks) or FAILED
            except (subprocess.TimeoutExpired, OSError):
                return FAILED
            finally:
                self._end(worker)

    def _end(self, worker: subprocess.Popen) -> None:
        self._workers.discard(worker)
        worker.terminate()  # it ends what it has started
        try:
            worker.wait(timeout=5)
        except subprocess.TimeoutExpired:
            worker.kill()


class DaskPool(Pool):
    """The same on a Dask cluster that exists already: a notebook goes to whichever of its machines is free.

    The machines need these packages, and no common disk. What was being marked on one that breaks off is marked again.
    Raises ValueError if there is no such cluster.
    """

    def __init__(self, address: str):
        try:
            from distributed import Client

            self._client = Client(address, set_as_default=False, timeout=20)
        except ImportError:
            raise ValueError(
                "Dask is not installed; install it with: pip install 'subword-lab-teach[dask]'"
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(
                f"no Dask cluster answers at {address!r} ({type(error).__name__})"
            ) from None
        self._executor = self._client.get_executor(pure=False)
        # Not all at once: their notebooks are in memory here until they are done.
        self.size = max(4, 2 * sum(self._client.ncores().values()))

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()

    def submit(self, job: Job, data: bytes) -> Future:
        """Begin to mark a notebook; the text of a file of exercises goes along."""
        own = Path(job.exercises_file).read_text(encoding="utf-8") if job.exercises_file else ""
        return self._executor.submit(mark_elsewhere, job, data, own)


def mark_elsewhere(job: Job, data: bytes, exercises: str) -> Marks:
    """The marks of a notebook that came from another machine. exercises: the text of a file of exercises, or ""."""
    with tempfile.TemporaryDirectory(prefix="subword-lab-") as folder, Pool(1) as pool:
        if exercises:
            file = Path(folder, "own.py")
            file.write_text(exercises, encoding="utf-8")
            job = replace(job, exercises_file=str(file))
        return pool.mark(job, data)


def mark_all(
    pool: Pool,
    submissions: Sequence[Submission],
    jobs: Sequence[Job],
    kept: Kept,
    progress: Callable[[int, int], None] = lambda done, count: None,
) -> list[Marks]:
    """The marks of all notebooks, in their order; what is kept from an earlier run is not marked again."""
    keys = [kept.key(submission, job) for submission, job in zip(submissions, jobs)]
    tasks = dict(zip(keys, zip(submissions, jobs)))
    results = {key: marks for key in tasks if (marks := kept.get(key))}
    waiting, running = [key for key in tasks if key not in results], dict[Future, str]()
    progress(len(results), len(tasks))
    while waiting or running:
        while waiting and len(running) < pool.size:
            submission, job = tasks[key := waiting.pop(0)]
            try:
                running[pool.submit(job, submission.read())] = key
            except Refused as error:
                results[key] = Marks(str(error))
        for future in wait(running, timeout=1, return_when=FIRST_COMPLETED).done:
            results[key := running.pop(future)] = _result(future)
            if results[key].own_fault:
                kept.put(key, results[key])
        progress(len(results), len(tasks))
    return [results[key] for key in keys]


def _result(future: Future) -> Marks:
    try:
        return future.result()
    except Exception as error:
        return Marks(f"marking it failed: {type(error).__name__}: {error}", own_fault=False)
