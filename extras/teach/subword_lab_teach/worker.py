"""The process in which one notebook is marked: a job and a notebook come in, and its marks go out, as JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress

from subword_lab.running.messages import to_json

from .marking import Job, Marks, mark

MEMORY = 2**30  # bytes; reading a notebook takes several times its size


def main() -> None:
    """Mark what comes on standard input: a line with the job, and the bytes of the notebook."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # in order: what it started is ended
    with suppress(ImportError, ValueError, OSError):  # where the system knows no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    job = Job(**json.loads(sys.stdin.buffer.readline()))
    try:
        marks = mark(job, sys.stdin.buffer.read())
    except Exception as error:
        marks = Marks(f"marking it failed: {type(error).__name__}: {error}", own_fault=False)
    print(to_json(marks), file=out, flush=True)


if __name__ == "__main__":
    main()
