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
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from ..running.processes import PACKAGE
from .marking import Job
from .marking import marks as no_marks
from .submissions import Submission

PATIENCE = 120.0                                # seconds that judging may take, beside a notebook's own time
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from subword_lab.workshop.worker import main; main()"


class Kept:
    """The marks of notebooks that were run before, in a file of JSON lines; nowhere, if there is none."""

    def __init__(self, path: str | Path | None, own: str):
        self.path = Path(path) if path else None
        self._grader = _fingerprint([*sorted(PACKAGE.rglob("*.py")), *([Path(own)] if own else [])])
        self._marks: dict[str, dict] = {}
        text = self.path.read_text(encoding="utf-8", errors="replace") if self.path and self.path.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):                  # a line that was cut off
                entry = json.loads(line)
                self._marks[entry["key"]] = entry["marks"]
        self._before = "" if text.endswith("\n") or not text else "\n"

    def key(self, submission: Submission, job: Job) -> str:
        """What the marks of a notebook depend on: its bytes, how it is marked, and the grader."""
        how = {name: value for name, value in asdict(job).items() if name not in ("path", "member")}
        return hashlib.sha256(json.dumps([submission.digest(), how, self._grader]).encode()).hexdigest()

    def get(self, key: str) -> dict | None:
        return self._marks.get(key)

    def put(self, key: str, marks: dict) -> None:
        self._marks[key] = marks
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(self._before + json.dumps({"key": key, "marks": marks}) + "\n")
            self._before = ""


class Pool:
    """Several workers, each of which marks one notebook at a time. One that hangs or crashes is replaced."""

    def __init__(self, size: int, kept: Kept):
        self.size, self.kept = size, kept
        self._workers: set[subprocess.Popen] = set()
        self._stopped = False

    def mark(self, handed_in: Sequence[Submission], jobs: Sequence[Job],
             progress: Callable[[int, int], None]) -> list[dict]:
        """The marks of every notebook, in their order."""
        keys = [self.kept.key(submission, job) for submission, job in zip(handed_in, jobs)]
        to_do = {key: job for key, job in zip(keys, jobs) if self.kept.get(key) is None}
        waiting: queue.SimpleQueue = queue.SimpleQueue()
        finished: queue.SimpleQueue = queue.SimpleQueue()
        for item in to_do.items():
            waiting.put(item)
        threads = [threading.Thread(target=self._work, args=(waiting, finished), daemon=True)
                   for _ in range(min(self.size, len(to_do)))]
        done, results = len(set(keys)) - len(to_do), dict[str, dict]()
        progress(done, len(set(keys)))
        try:
            for thread in threads:
                thread.start()
            for number in range(1, len(to_do) + 1):
                key, marks = _next(finished)
                results[key] = marks
                if marks["own_fault"]:
                    self.kept.put(key, marks)
                progress(done + number, len(set(keys)))
        finally:
            self._stop()
            for thread in threads:
                thread.join(10)
        return [results.get(key) or self.kept.get(key) or {} for key in keys]

    def _work(self, waiting: queue.SimpleQueue, finished: queue.SimpleQueue) -> None:
        worker: subprocess.Popen | None = None
        while not self._stopped:
            try:
                key, job = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                worker = worker or self._start()
                marks = self._ask(worker, job) or {"failed": "it took too long, or broke off"}
            except OSError as error:
                marks = {"failed": str(error)}
            if "failed" in marks:
                marks = no_marks(problem=f"marking it failed: {marks['failed']}", own_fault=False)
                if worker:
                    self._end(worker)
                worker = None
            if not self._stopped:
                finished.put((key, marks))
        if worker:
            self._end(worker)

    def _start(self) -> subprocess.Popen:
        environment = {**os.environ, "SUBWORD_LAB_HOME": ":memory:"}
        worker = subprocess.Popen([sys.executable, "-P", "-c", BOOT, str(PACKAGE.parent)], env=environment,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                                  cwd=PACKAGE, start_new_session=True)
        self._workers.add(worker)
        return worker

    def _ask(self, worker: subprocess.Popen, job: Job) -> dict | None:
        """The worker's answer, or None if none comes in time."""
        alarm = threading.Timer(job.seconds + PATIENCE, worker.kill)
        alarm.start()
        assert worker.stdin and worker.stdout
        try:
            worker.stdin.write(json.dumps(asdict(job)) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            return json.loads(line) if line else None
        except (OSError, ValueError):
            return None
        finally:
            alarm.cancel()

    def _end(self, worker: subprocess.Popen) -> None:
        self._workers.discard(worker)
        worker.terminate()                      # it ends what it has started
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


def _next(finished: queue.SimpleQueue) -> tuple[str, dict]:
    """What is finished next; Ctrl-C is heard meanwhile, on every system."""
    while True:
        with contextlib.suppress(queue.Empty):
            return finished.get(timeout=1)


def _fingerprint(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
