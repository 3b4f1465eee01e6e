"""JupyterLab on a folder of notebooks: started, waited for, and ended in order."""

import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import lessons
from .files import CourseError

SETTINGS = Path(__file__).parent / "jupyter"  # for JupyterLab: no pop-up asks about Jupyter news
PORT = 8888


@contextmanager
def serve(
    folder: Path, *, port: int | None = None, browser: bool = True, host: str = "127.0.0.1"
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Start JupyterLab in `folder`, wait until it answers, and end it afterwards. Yields its address and its process.

    port: None takes 8888, or any other that is free; 0 takes any that is free. host: the address to listen at; 0.0.0.0
    is for a container, which others reach.

    Raises CourseError if JupyterLab is missing, the port is in use, or the server does not start.
    """
    if not importlib.util.find_spec("jupyterlab"):
        raise CourseError(
            f"JupyterLab is not installed for {sys.executable}; "
            f"install it with: {sys.executable} -m pip install jupyterlab"
        )
    port = free_port(port)
    token = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    first = lessons.LESSONS[0].file
    page = f"/lab/tree/{first}" if (folder / first).exists() else "/lab"
    command = [
        sys.executable,
        *("-P", "-m", "jupyterlab"),  # and no module of the folder where one happens to be
        f"--ServerApp.root_dir={folder.resolve()}",
        f"--ServerApp.ip={host}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--ServerApp.answer_yes=True",  # Ctrl-C closes it without a question
        "--Application.log_level=ERROR",
        f"--LabApp.default_url={page}",
        *["--no-browser"] * (not browser),
        *["--allow-root"] * (getattr(os, "geteuid", lambda: 1)() == 0),
    ]
    settings = [str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    env = {**os.environ, "JUPYTER_TOKEN": token, "JUPYTER_CONFIG_PATH": os.pathsep.join(settings)}
    with deaf():  # until it can end in order, Ctrl-C is for us
        process = subprocess.Popen(command, env=env)
    try:
        _wait_until_up(process, port)
        yield f"http://127.0.0.1:{port}{page}?token={token}", process
    finally:
        _end(process)


def free_port(port: int | None) -> int:
    """The port, if it is free; for None 8888, or any other that is. Raises CourseError if it cannot be used."""
    for number in [PORT, 0] if port is None else [port]:
        try:
            with socket.create_server(("127.0.0.1", number)) as probe:
                return probe.getsockname()[1]
        except OSError as error:
            reason = error.strerror or error
    raise CourseError(
        f"port {port} cannot be used ({reason}); leave --port out to take any that is free"
    )


def _wait_until_up(process: subprocess.Popen, port: int, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise CourseError(
                f"JupyterLab ended at once, with exit code {process.returncode}; "
                "what it wrote above says why"
            )
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise CourseError(f"JupyterLab did not answer within {seconds:.0f} seconds")


def _end(process: subprocess.Popen) -> None:
    """Ask the server to stop, which ends its kernels too, and insist if it does not."""
    with deaf():  # a second Ctrl-C must not leave it behind
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def deaf() -> Iterator[None]:
    """Ctrl-C does nothing here, and nothing to what is started here until that says otherwise."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
