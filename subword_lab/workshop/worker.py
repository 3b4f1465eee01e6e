"""A process that marks one notebook after another: a job a line comes in as JSON, and its marks go out."""
from __future__ import annotations

import json
import os
import signal
import sys

from .marking import Job, mark


def main() -> None:
    """Work until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))                   # leave in order: what was started is ended
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            marks = mark(Job(**json.loads(line)))
        except Exception as error:
            marks = {"failed": f"{type(error).__name__}: {error}"[:500]}
        print(json.dumps(marks), file=out, flush=True)
