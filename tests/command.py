"""The command `subword-lab` for tests: run here, which is quick, or in a process of its own, as a user runs it."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from subword_lab.cli import main


def run(*arguments, given=""):
    """What the command gives for these arguments and this standard input: exit code and both outputs."""
    streams = [
        io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8", newline="\n")
        for text in (given, "", "")
    ]
    with (
        mock.patch("sys.stdin", streams[0]),
        redirect_stdout(streams[1]),
        redirect_stderr(streams[2]),
        mock.patch("signal.signal"),
    ):  # these tests go on
        try:
            code = main([*map(str, arguments)])
        except SystemExit as end:  # of argparse
            code = end.code
    for stream in streams:
        stream.flush()
    return subprocess.CompletedProcess(
        arguments, code, *(stream.buffer.getvalue().decode() for stream in streams[1:])
    )


def run_apart(*arguments, **options):
    """The same, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "subword_lab", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        **options,
    )
