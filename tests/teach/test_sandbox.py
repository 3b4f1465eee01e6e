"""Strangers' notebooks in a process of their own: cell by cell, in bubblewrap; and those that do harm."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from subword_lab.running import Limits
from subword_lab.running.messages import DONE, READY
from subword_lab_teach.answers import Answer
from subword_lab_teach.sandbox import bubblewrap, notebook
from subword_lab_teach.sandbox.notebook import Session
from subword_lab_teach.sandbox.notebook_child import Cell


def test_a_notebook_runs_cell_by_cell():
    cells = [
        "import subprocess\nx = 1",
        "1 / 0",
        "x += 1\nsubprocess.Popen(['sleep', '30'], start_new_session=True)",
        "%matplotlib inline\nassert x == 2",
        "import inspect\ndef f():\n    return 1",
        "assert inspect.getsource(f) == 'def f():\\n    return 1'",
    ]
    with Session(cells, trust=True) as session:
        messages = list(session)
    assert messages == [
        READY,
        Cell(1),
        Cell(2),
        Cell(2, "ZeroDivisionError", "division by zero"),
        *map(Cell, range(3, 7)),
    ]
    assert session.ended == "done" and not os.path.exists(session.folder)
    assert notebook.marked(session.mark) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell, seconds, ended",
    [
        ("import os\nos._exit(0)", 60, "gone"),
        ("while True: 0", 12, "done"),
        (
            "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: 0",
            6,
            "timeout",
        ),
    ],
    ids=["exits", "endless", "stubborn"],
)
def test_a_notebook_that_does_not_end_well(cell, seconds, ended):
    with Session([cell], seconds=seconds, trust=True) as session:
        messages = list(session)
    assert session.ended == ended
    assert [message.error for message in messages[2:]] == ["CellTimeout"] * (ended == "done")


def test_a_notebook_that_cannot_be_run(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert notebook.trial(trust=True) == "it ended (gone)"


@pytest.mark.usefixtures("sandbox")
def test_in_the_sandbox_there_is_nothing_else_and_few_processes_can_be_started():
    packages = [str(package) for package in bubblewrap.PACKAGES]
    snooping = (
        f"import os\nseen = [path for path in ('/etc/passwd', {__file__!r}) if os.path.exists(path)]\n"
        "assert not seen and os.getcwd() == os.environ['HOME'] == '/sandbox', seen\n"
        f"assert not any(os.access(path, os.W_OK) for path in {packages})\n"
        f"import resource\nassert 0 < resource.getrlimit(resource.RLIMIT_NPROC)[0] <= {bubblewrap.PROCESSES}"
    )
    with Session([snooping]) as session:
        assert list(session) == [READY, Cell(1)]
    assert session.ended == "done"


@pytest.mark.usefixtures("sandbox")
def test_the_history_of_a_clone_is_not_there_to_be_read(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "package").mkdir()
    for place in (tmp_path, tmp_path / ".git"):
        (place / "file").write_text("read")
    monkeypatch.setattr(bubblewrap, "PACKAGES", (*bubblewrap.PACKAGES, tmp_path / "package"))
    command = [*bubblewrap.bubblewrap([str(tmp_path)]), "cat", tmp_path / "file"]
    done = subprocess.run([*command, tmp_path / ".git" / "file"], capture_output=True, check=False)
    assert done.stdout == b"read" and b".git/file" in done.stderr


@pytest.mark.parametrize("trust", [True, False], ids=["trusted", "in the sandbox"])
def test_a_function_that_a_notebook_lends_is_called_there(trust, request):
    if not trust:
        request.getfixturevalue("sandbox")
    cells = [
        "from subword_lab.exercises import load\ntotal = 7",
        "def merge(symbols, pair):\n    while pair == ('loop', ''):\n        pass\n    return [total, *symbols]",
        "load('bpe-16').check(merge)",
        "total += 1",
    ]
    messages, runs = [], []
    with Session(cells, learner="kim", seconds=60, trust=trust) as session:
        for message in session:
            messages.append(message)
            if isinstance(message, Answer):
                for side in ("", "loop"):
                    cases = [(["a"], (side, "")), (["b"], ("", "")), ([], ("", ""))]
                    runs.append(session.run(None, cases, limits=Limits(seconds=1)))
                session.tell(DONE)
    assert [[(result.outcome, result.value) for result in run.results] for run in runs] == [
        [("value", [7, "a"]), ("value", [7, "b"]), ("value", [7])],
        [("timeout", None), ("not run", None), ("not run", None)],
    ]
    assert messages[-1] == Cell(4) and session.ended == "done"


def test_a_name_is_not_enough_to_be_outside_of_what_is_bound():
    file = Path("/usr/share/x")
    assert bubblewrap._outermost([file, Path("/opt/a/b"), Path("/opt/a"), Path("/opt/ab")]) == [
        Path("/opt/a"),
        Path("/opt/ab"),
    ]
