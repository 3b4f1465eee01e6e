"""Several notebooks at a time, and none of them twice.

Every notebook goes to a worker, a process of our own, which runs it in a session and judges its answers. Marks are kept
in a file as they come, so that whoever stops and starts again goes on from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..running.messages import from_json, to_json
from ..running.pickles import PACKAGE
from .marking import Job, Marks
from .submissions import Refused, Submission

PATIENCE = 120.0  # seconds that judging may take, beside a notebook's own time
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from subword_lab.workshop.worker import main; main()"


class Kept:
    """The marks of notebooks that were run before, in a file of JSON lines; nowhere, if there is none.

    What stands in the file is marks only if it has their form. Raises OSError if the file cannot be written.
    """

    def __init__(self, path: str | Path | None, own: str):
        self.path = Path(path) if path else None
        self._grader = _fingerprint([*sorted(PACKAGE.rglob("*.py")), *([Path(own)] if own else [])])
        self._marks: dict[str, Marks] = {}
        text = ""
        if self.path:
            with open(self.path, "a+", encoding="utf-8", errors="replace") as file:
                file.seek(0)
                text = file.read()
        for line in text.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):  # a line that was cut off
                entry = json.loads(line)
                if marks := from_json(json.dumps(entry["marks"]), Marks):
                    self._marks[str(entry["key"])] = marks
        self._before = "" if text.endswith("\n") or not text else "\n"

    def key(self, submission: Submission, job: Job) -> str:
        """What the marks of a notebook depend on: its bytes, how it is marked, and the grader."""
        how = {name: value for name, value in asdict(job).items() if name not in ("path", "member")}
        return hashlib.sha256(
            json.dumps([submission.digest(), how, self._grader]).encode()
        ).hexdigest()

    def get(self, key: str) -> Marks | None:
        return self._marks.get(key)

    def put(self, key: str, marks: Marks) -> None:
        self._marks[key] = marks
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f'{self._before}{{"key": "{key}", "marks": {to_json(marks)}}}\n')
            self._before = ""


class Pool:
    """Several workers, each of which marks one notebook at a time. One that hangs or crashes is replaced."""

    def __init__(self, size: int, kept: Kept):
        self.size, self.kept = size, kept
        self._workers: set[subprocess.Popen] = set()
        self._stopped = False

    def mark(
        self,
        handed_in: Sequence[Submission],
        jobs: Sequence[Job],
        progress: Callable[[int, int], None],
    ) -> list[Marks]:
        """The marks of every notebook, in their order."""
        keys = [self.kept.key(submission, job) for submission, job in zip(handed_in, jobs)]
        to_do = {key: job for key, job in zip(keys, jobs) if self.kept.get(key) is None}
        done, results = len(set(keys)) - len(to_do), dict[str, Marks]()
        progress(done, len(set(keys)))
        with contextlib.closing(self.finished(to_do)) as finished:
            for key, marks in finished:
                results[key] = marks
                if marks.own_fault:
                    self.kept.put(key, marks)
                progress(done + len(results), len(set(keys)))
        return [
            results.get(key) or self.kept.get(key) or Marks("it was not marked", own_fault=False)
            for key in keys
        ]

    def finished(self, to_do: dict[str, Job]) -> Generator[tuple[str, Marks], None, None]:
        """Each key with its marks, as they come."""
        waiting: queue.SimpleQueue = queue.SimpleQueue()
        finished: queue.SimpleQueue = queue.SimpleQueue()
        self._stopped = False
        for item in to_do.items():
            waiting.put(item)
        threads = [
            threading.Thread(target=self._work, args=(waiting, finished), daemon=True)
            for _ in range(min(self.size, len(to_do)))
        ]
        try:
            for thread in threads:
                thread.start()
            for _ in to_do:
                yield _next(finished)
        finally:
            self._stop()
            for thread in threads:
                thread.join(10)

    def _work(self, waiting: queue.SimpleQueue, finished: queue.SimpleQueue) -> None:
        worker: subprocess.Popen | None = None
        while not self._stopped:
            try:
                key, job = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                worker = worker or self._start()
                marks = self._ask(worker, job) or Marks(
                    "marking it failed: it took too long, or broke off", own_fault=False
                )
            except OSError as error:
                marks = Marks(f"marking it failed: {error}", own_fault=False)
            if not marks.own_fault and worker:
                self._end(worker)
                worker = None
            if not self._stopped:
                finished.put((key, marks))
        if worker:
            self._end(worker)

    def _start(self) -> subprocess.Popen:
        environment = {**os.environ, "SUBWORD_LAB_HOME": ":memory:"}
        worker = subprocess.Popen(
            [sys.executable, "-P", "-c", BOOT, str(PACKAGE.parent)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=PACKAGE,
            start_new_session=True,
        )
        self._workers.add(worker)
        return worker

    def _ask(self, worker: subprocess.Popen, job: Job) -> Marks | None:
        """The worker's answer, or None if none comes in time."""
        alarm = threading.Timer(job.seconds + PATIENCE, worker.kill)
        alarm.start()
        assert worker.stdin and worker.stdout
        try:
            worker.stdin.write(json.dumps(asdict(job)) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            return from_json(line, Marks)
        except (OSError, ValueError):
            return None
        finally:
            alarm.cancel()

    def _end(self, worker: subprocess.Popen) -> None:
        self._workers.discard(worker)
        worker.terminate()  # it ends what it has started
        try:
            worker.wait(timeout=5)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        for pipe in filter(None, (worker.stdin, worker.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()

    def _stop(self) -> None:
        self._stopped = True
        for worker in list(self._workers):
            worker.terminate()


def _next(finished: queue.SimpleQueue) -> tuple[str, Marks]:
    """What is finished next; Ctrl-C is heard meanwhile, on every system."""
    while True:
        with contextlib.suppress(queue.Empty):
            return finished.get(timeout=1)


class DaskPool(Pool):
    """The same on a Dask cluster that exists already: a notebook goes to whichever of its machines is free.

    The machines need this package, and no common disk. What was being marked on one that breaks off is marked again.
    """

    def __init__(self, address: str, kept: Kept):
        super().__init__(0, kept)
        self.address = address

    def finished(self, to_do: dict[str, Job]) -> Generator[tuple[str, Marks], None, None]:
        """Each key with its marks, as they come; ValueError if there is no such cluster."""
        if not to_do:
            return
        try:
            from distributed import Client, as_completed

            client = Client(self.address, set_as_default=False, timeout=20)
        except ImportError:
            raise ValueError(
                "Dask is not installed; install it with: pip install 'subword-lab[dask]'"
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(
                f"no Dask cluster answers at {self.address!r} ({type(error).__name__})"
            ) from None
        with client:
            waiting, running, keys = list(to_do.items())[::-1], as_completed([]), dict[Any, str]()
            while waiting or keys:
                # Not all at once: their notebooks are in memory here until they are done.
                while waiting and len(keys) < max(4, 2 * sum(client.ncores().values())):
                    key, job = waiting.pop()
                    future = client.submit(mark_alone, *_luggage(job), pure=False)
                    keys[future] = key
                    running.add(future)
                future = next(running)
                try:
                    marks = from_json(future.result(), Marks)
                except Exception as error:
                    marks = Marks(
                        f"marking it failed: {type(error).__name__}: {error}", own_fault=False
                    )
                yield keys.pop(future), marks or Marks("marking it failed", own_fault=False)


def _luggage(job: Job) -> tuple[dict, bytes]:
    """A job as it goes to another machine, and the notebook; for a file of exercises its text goes along."""
    own = Path(job.exercises_file).read_text(encoding="utf-8") if job.exercises_file else ""
    try:
        return {**asdict(job), "exercises_file": own}, job.submission.read()
    except Refused as error:
        return {**asdict(job), "exercises_file": own, "problem": str(error)}, b""


def mark_alone(job: dict, content: bytes) -> str:
    """The marks, in JSON, of a notebook that is not on this machine; a worker process of its own marks it."""
    with tempfile.TemporaryDirectory(prefix="subword-lab-") as folder:
        path, own = Path(folder, "notebook.ipynb"), Path(folder, "own.py")
        path.write_bytes(content)
        if job["exercises_file"]:
            own.write_text(job["exercises_file"], encoding="utf-8")
        here = Job(
            **{**job, "path": str(path), "member": "", "exercises_file": str(own) * own.exists()}
        )
        pool = Pool(1, Kept(None, ""))
        return to_json(next(marks for _, marks in pool.finished({"": here})))


def _fingerprint(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
