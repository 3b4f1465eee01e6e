"""A process that marks one notebook after another: a job a line comes in as JSON, and its marks go out."""

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
    """Work until standard input ends."""
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(1)
    )  # leave in order: what was started is ended
    with suppress(ImportError, ValueError, OSError):  # where the system knows no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            marks = mark(Job(**json.loads(line)))
        except Exception as error:
            marks = Marks(f"marking it failed: {type(error).__name__}: {error}", own_fault=False)
        print(to_json(marks), file=out, flush=True)
