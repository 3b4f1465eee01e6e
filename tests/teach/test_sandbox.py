"""Strangers' notebooks in a process of their own: cell by cell, in bubblewrap; and those that do harm."""

import html
import os
import platform
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from command import run

from subword_lab.running import Limits, Result, Run
from subword_lab_teach import grade, grading, marking, report
from subword_lab_teach.sandbox import bubblewrap
from subword_lab_teach.sandbox import notebook as sandbox_notebook
from subword_lab_teach.sandbox.messages import READY, from_json, to_json
from subword_lab_teach.sandbox.notebook import Session
from subword_lab_teach.sandbox.notebook_child import Answer, Cell
from teach import hostile_notebooks as hostile
from teach.classes import answer, notebook, points, remarks, row_of


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
    assert sandbox_notebook.marked(session.mark) == []


def test_a_notebook_that_cannot_be_run(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert sandbox_notebook.trial(trust=True) == "it ended (gone)"


ON_X86 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="calls to Linux have other numbers here"
)
CALLS = "import ctypes\nlinux = ctypes.CDLL(None, use_errno=True).syscall\n"
SNOOPING = f"""
import os, resource
seen = [path for path in ("/etc/passwd", {__file__!r}) if os.path.exists(path)]
assert not seen and os.getcwd() == os.environ["HOME"] == "/sandbox", seen
assert not any(os.access(path, os.W_OK) for path in {[*map(str, bubblewrap.PACKAGES)]})
assert 0 < resource.getrlimit(resource.RLIMIT_NPROC)[0] <= {bubblewrap.PROCESSES}
"""
OF_NOBODY = [  # memory that nobody would count; files, and memory that processes share through them, can be had
    "import os\nos.memfd_create('m')",
    f"{CALLS}assert linux(29, 0, 4096, 0o1600) >= 0",
    "assert linux(64, 0, 9, 0o1600) >= 0  # semaphores",
    "assert linux(68, 0, 0o1600) >= 0  # a queue of messages",
    "import mmap, tempfile\nmmap.mmap(-1, 4096)  # of nobody, once it is left",
    "assert open('/dev/zero', 'rb').read(1) == b''  # of which a map would be such memory",
    "mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)[0] = 1\n"
    "file = tempfile.TemporaryFile()\nfile.truncate(4096)\nmmap.mmap(file.fileno(), 4096)[0] = 1",
]
LEASES = [  # whoever opens such a file waits, the grader too
    "import fcntl, os, sys\nfile = open(os.path.join(sys.prefix, 'pyvenv.cfg'))",
    *(f"fcntl.fcntl(file, {command}, fcntl.F_WRLCK)" for command in bubblewrap.LEASES[:2]),
    "assert fcntl.fcntl(file, fcntl.F_GETFD) == fcntl.FD_CLOEXEC",
]
OF_OTHERS = [  # calls into other processes: bubblewrap's own, led by a notebook, would outlive the marking
    f"{CALLS}assert linux({call}) < 0 and ctypes.get_errno() == 38  # no such call"
    for call in (
        "101, 16, 1, 0, 0",
        "310, 1, 0, 0, 0, 0, 0",
        "311, 1, 0, 0, 0, 0, 0",
        "438, 0, 0, 0",
        "317, 3, 0, 0",
        "321, 0, 0, 0",
        "157, 22, 9, 0",
    )
]


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    "cells, errors",
    [
        ([SNOOPING], []),
        pytest.param(OF_NOBODY, ["OSError", *["AssertionError"] * 3, "OSError"], marks=ON_X86),
        pytest.param(LEASES, ["OSError"] * 2, marks=ON_X86),
        pytest.param(OF_OTHERS, [], marks=ON_X86),
    ],
)
def test_in_the_sandbox_there_is_nothing_else(monkeypatch, cells, errors):
    monkeypatch.setattr(sandbox_notebook, "marked", None)  # nobody looks at others' processes
    with Session(cells) as session:
        assert [message.error for message in session if getattr(message, "error", "")] == errors
    assert session.ended == "done"


def test_what_linux_keeps_for_a_process_counts_as_its_memory(tmp_path):
    lines = ["Name: VmRSS: 9 kB", "VmPeak: 8 kB", "VmRSS:\t 4 kB", "VmPTE:\t 2 kB", "VmSwap: 1 kB"]
    (tmp_path / "status").write_text("\n".join(lines))
    assert sandbox_notebook.occupied(tmp_path) == 7 * 1024


@pytest.mark.parametrize("machine", bubblewrap.REFUSED)
def test_calls_are_refused_by_their_numbers_and_arguments(monkeypatch, machine):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with bubblewrap.refusals() as (file,):
        steps = [*struct.iter_unpack("HBBI", os.pread(file, 10_000, 0))]
    processor, calls, (socket, setsockopt, mmap, fcntl, prctl) = bubblewrap.REFUSED[machine]

    def is_refused(call, *arguments, of=processor):
        data = struct.pack("<IIQ6Q", call, of, 0, *arguments, *[0] * (6 - len(arguments)))
        value = place = 0
        while True:
            what, yes, no, number = steps[place]
            place += 1
            match what:
                case bubblewrap.LOAD:
                    (value,) = struct.unpack_from("<I", data, number)
                case bubblewrap.AND:
                    value &= number
                case bubblewrap.EQUAL:
                    place += yes if value == number else no
                case bubblewrap.AT_LEAST:
                    place += yes if value >= number else no
                case bubblewrap.RETURN:
                    return number != 0x7FFF0000

    refused = [*((call,) for call in calls), (0x40000001,), (socket, 40), (prctl, 22)]
    refused += [(mmap, 0, 0, 0, 0x21), *((fcntl, 3, command) for command in (1024, 1026, 1040))]
    refused += [(setsockopt, 3, 1, option) for option in (26, 50, 51, 52)]
    let = [(1,), (socket, 2), (prctl, 15), (mmap, 0, 0, 0, 0x22), (mmap, 0, 0, 0, 1), (fcntl, 3, 1)]
    let += [(setsockopt, 3, 41, 26), (setsockopt, 3, 1, 2)]
    assert all(is_refused(*call) for call in refused) and is_refused(1, of=7)
    assert not any(is_refused(*call) for call in let)


@pytest.mark.usefixtures("sandbox")
def test_nothing_of_the_whole_machine_can_be_written_to_nor_reached():
    """Settings, which are open to root; sockets that lead to other machines; the disk, where complaints were a file."""
    cells = [
        "import os, socket\nfor path in ('/proc/sys/vm/stat_interval', '/proc/self/comm'):\n"
        "    assert not os.access(path, os.W_OK), path",
        "socket.socket(40, socket.SOCK_STREAM)",
        "import ctypes\nrings = ctypes.CDLL(None, use_errno=True).syscall(425, 1, bytes(120))\n"
        "assert rings < 0 and ctypes.get_errno() == 38  # no such call",
        "for kind in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):\n"
        "    socket.socket(kind, socket.SOCK_RAW if kind == socket.AF_NETLINK else socket.SOCK_STREAM)",
        "said = open('/proc/1/fd/2', 'wb', buffering=0)\nassert not said.seekable()\n"
        "for number in range(50):\n    said.write(b'y' * 10 ** 6)\nsaid.write(b'\\n!')",
    ]
    with Session(cells) as session:
        failed = [message.cell for message in session if getattr(message, "error", "")]
    assert failed == ([2] if platform.machine() in bubblewrap.REFUSED else failed)
    assert session.complaint == "!"


HOLDS_MEMORY = """
import ctypes, os, threading, time
def hold():
    time.sleep(0.3)
    held = b"x" * 500_000_000
    time.sleep(30)
ctypes.CDLL(None).prctl(15, b"\\xff")  # a name that is no text
if not os.fork():
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).syscall(60, 0)  # this thread alone ends
time.sleep(30)
"""
THREADS = (
    "import threading, time\nfor _ in range(30):\n"
    "    threading.Thread(target=time.sleep, args=[30], daemon=True).start()\ntime.sleep(30)"
)
A_FEW = (
    "import os, time\nfor number in range(500):\n    os.mknod(f'/tmp/{number}')\ntime.sleep(0.5)"
)
MANY = "for number in range(2_000):\n    os.mknod(f'/dev/shm/{number}')\ntime.sleep(60)"


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    "bound, most, cells",
    [
        pytest.param("MEMORY", 400_000_000, [HOLDS_MEMORY], marks=ON_X86),
        ("PROCESSES", 20, [THREADS]),  # threads count as processes do
        ("FILES", 1_000, [A_FEW, MANY]),  # each takes memory that is no part of what is in it
    ],
)
def test_a_notebook_ends_that_takes_more_than_its_share(monkeypatch, bound, most, cells):
    monkeypatch.setattr(sandbox_notebook, bound, most)
    with Session(cells) as session:
        assert list(session)[-1] == Cell(len(cells))
    assert session.ended == bound.lower() and session.ended in marking.ENDINGS


@pytest.mark.usefixtures("sandbox")
@ON_X86
@pytest.mark.parametrize("keyring", [-3, -4])
def test_keys_of_a_session_and_of_a_user_are_not_there_to_be_read(keyring):
    calls = "import ctypes\nlibc = ctypes.CDLL(None)\n"
    search = "libc.syscall(250, 10, -3, b'user', b'ticket', 0)"  # keyctl, in the session's keyring
    inside = f"{calls}libc.syscall(250, 8, ring, -3)\nassert {search} < 0"
    outside = (
        f"{calls}libc.syscall(250, 1, None)\nring = libc.syscall(250, 0, {keyring}, 0)\n"
        f"key = libc.syscall(248, b'user', b'ticket', b'secret', 6, ring)\nassert key > 0\n"
        "from subword_lab_teach.sandbox.notebook import Session\n"
        f"with Session([f'ring = {{ring}}', {inside!r}]) as session:\n    print(*session, sep='; ')\n"
        "assert libc.syscall(250, 9, key, ring) == 0"
    )
    done = subprocess.run(
        [sys.executable, "-c", outside], capture_output=True, text=True, check=False
    )
    cells = "Cell(cell=1, error='', message=''); Cell(cell=2, error='', message='')"
    assert done.stdout == f"Stage(name='ready'); {cells}\n", done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("sandbox")
def test_a_class_in_a_folder_below_usr_is_not_there_to_be_read():
    listed = [*bubblewrap.bubblewrap(), "ls", "/usr"]
    done = subprocess.run(listed, capture_output=True, text=True, check=False)
    there = {*done.stdout.split()}
    assert {"bin", "lib", "share"} <= there and not there & {"src", "games", "etc"}, done


@pytest.mark.usefixtures("sandbox")
def test_what_lies_in_the_environments_folder_is_not_there_to_be_read(tmp_path, monkeypatch):
    for name in ("bin", "lib"):
        (tmp_path / name).symlink_to(Path(sys.prefix, name))
    (tmp_path / "grades.txt").write_text("kim 5")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    listed = [*bubblewrap.bubblewrap(), "ls", tmp_path]
    done = subprocess.run(listed, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["bin", "lib"]


@pytest.mark.usefixtures("sandbox")
def test_the_history_of_a_clone_is_not_there_to_be_read(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "package").mkdir()
    for place in (tmp_path, tmp_path / ".git"):
        (place / "file").write_text("read")
    packages = (*bubblewrap.PACKAGES, tmp_path, tmp_path / "package")
    monkeypatch.setattr(bubblewrap, "PACKAGES", packages)
    command = [*bubblewrap.bubblewrap(), "cat", tmp_path / "file"]
    done = subprocess.run([*command, tmp_path / ".git" / "file"], capture_output=True, check=False)
    assert done.stdout == b"read" and b".git/file" in done.stderr


@pytest.mark.parametrize("trust", [True, False], ids=["trusted", "in the sandbox"])
def test_a_function_that_a_notebook_lends_is_called_there(trust, request):
    if not trust:
        request.getfixturevalue("sandbox")
    cells = [
        "from subword_lab.exercises import load\ntotal = 7",
        "def merge(symbols, pair):\n    while pair == ('loop', ''):\n        pass\n    return [total, *symbols]",
        "for _ in range(2):\n    load('bpe-16').check(merge)",
        "total += 1",
    ]
    messages, runs, sides = [], [], iter(("", "loop"))
    with Session(cells, learner="kim", seconds=60, trust=trust) as session:
        for message in session:
            messages.append(message)
            if isinstance(message, Answer):
                cases = [(["a"], (next(sides), "")), (["b"], ("", "")), ([], ("", ""))]
                runs.append(session.run(None, cases, limits=Limits(seconds=1)))
                again = session.run(None, cases, limits=Limits(seconds=1))
                assert again.outcome == "protocol" and not again.results
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


# ------------------------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "message",
    [
        READY,
        Result("value", {("u", "g"): b"ug"}),
        Run("ok", [Result("value", True), Result("not run", line=3)], "hug\n"),
    ],
)
def test_messages_arrive_as_they_were_sent(message):
    assert from_json(to_json(message), Result, Run, type(READY)) == message


@pytest.mark.parametrize(
    "line",
    [
        "",
        "7",
        "[]",
        "{}",
        '{"is": "Res',
        '{"is": ["Result"], "outcome": "value"}',
        '{"is": "Result", "value": 1}',
        '{"is": "Result", "outcome": "value", "line": "1"}',
        '{"is": "Result", "outcome": "value", "line": true}',
        '{"is": "Result", "outcome": "value", "score": 1}',
        '{"is": "Run", "outcome": "ok", "results": "no"}',
        '{"is": "Run", "outcome": "ok", "results": [{}]}',
        '{"is": "Run", "outcome": "ok", "results": {"list": []}}',
        '{"is": "Stage", "name": "ready"}',
        "[" * 100_000,
        b"\xff",
    ],
)
def test_whatever_else_arrives_is_no_message(line):
    assert from_json(line, Result, Run) is None


@pytest.mark.parametrize("message", [Result("value", line="3"), Result("right"), Run("ok", [3])])
def test_a_message_that_is_not_what_it_says_is_not_sent(message):
    with pytest.raises((TypeError, KeyError)):
        to_json(message)


# ---------------------------------------------------------------------------------------------------- hostile notebooks


UNREADABLE = {
    **{name: words for name, (_, words) in hostile.FILES.items()},
    "huge.ipynb": "it is larger than 50 MB",
    "link.ipynb": "it is a link, and links are not followed",
    "<script>alert(1)<": "there is no notebook in the folder",
}


@pytest.fixture(scope="module")
def attacked(sandbox, tmp_path_factory):
    """The grades of a folder of hostile notebooks with one honest learner among them; a canary, and a port."""
    base = tmp_path_factory.mktemp("attacked")
    folder, canary = base / "in", base / "canary"
    canary.write_text("alive")
    with socket.create_server(("127.0.0.1", 0)) as server:
        snooping = f"""
import os, socket, pathlib, subword_lab
secrets = {[str(canary), str(folder), str(folder / "honest.ipynb"), "/etc/passwd", str(Path.home() / ".ssh")]}
seen = [path for path in secrets if os.path.exists(path)]
try:
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 2)
    seen.append("network")
except OSError:
    pass
try:
    open(subword_lab.__file__, "a")
    seen.append("written")
except OSError:
    pass
others = [name for name in os.listdir("/proc") if name.isdigit()]
assert not seen and len(others) < 9 and os.getuid() and "SECRET" not in os.environ, (seen, others)
"""
        destroying = f"import shutil\nshutil.rmtree({str(base)!r}, ignore_errors=True)"
        cases = [
            *hostile.CELLS,
            hostile.case("snooping", snooping),
            hostile.case("destroying", destroying),
        ]
        for entry in cases + hostile.FORGERIES:
            last = answer("bpe-02", entry.name) if entry in cases else ""
            notebook(
                folder / f"{entry.name}.ipynb", answer("bpe-01", entry.name), *entry.cells, last
            )
        notebook(folder / "honest.ipynb", answer("bpe-01", "honest"), answer("bpe-02", "honest"))
        for name, (data, _) in hostile.FILES.items():
            (folder / name).write_bytes(data)
        with open(folder / "huge.ipynb", "wb") as file:
            file.truncate(60_000_000)
        (folder / "link.ipynb").symlink_to(canary)
        (folder / "<script>alert(1)<").mkdir()
        os.environ["SECRET"] = "sesame"
        try:
            asked = ["bpe-01", "bpe-02", "bpe-16"]
            grades = grade(folder, seed=7, timeout=12, jobs=4, exercises=asked)
        finally:
            del os.environ["SECRET"]
    return grades, canary, cases


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*(entry.name for entry in hostile.CELLS), "snooping", "destroying"]
)
def test_hostile_cells_cost_their_own_row(attacked, name):
    grades, _, cases = attacked
    entry, row = next(entry for entry in cases if entry.name == name), row_of(grades, name)
    errors = " ".join(failed["error"] for failed in row.failures)
    told = "; ".join(filter(None, [*row.remarks, errors]))
    assert entry.points is None or points(grades, name)[:2] == list(entry.points), told
    assert re.search(entry.words, told), told


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in hostile.FORGERIES])
def test_forging_gains_nothing(attacked, name):
    last_of_all = name == "all-answers"
    assert points(attacked[0], name) == [not last_of_all, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_says_why(attacked, name):
    learner = name.removesuffix(".ipynb").removesuffix(".zip")
    told = remarks(attacked[0], learner)
    assert told.startswith("not graded: ") and UNREADABLE[name] in told
    assert points(attacked[0], learner) == [None] * 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, which only Linux has")
def test_nothing_is_left_running(attacked):
    """Neither what a notebook left behind, nor a process of ours: a child of this one, or, of what began after this
    one, a process whose parent is gone."""
    left, begun = [], 19  # the place in `stat`, behind the name, of when a process began
    ours = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[begun])
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            told = [*map(int, (folder / "stat").read_text().rpartition(")")[2].split()[1:])]
            parent, orphan = told[0], told[0] == 1 and told[begun - 1] > ours
        except OSError:  # ended meanwhile
            continue
        forgotten = b"subword_lab_teach" in line and (orphan or parent == os.getpid())
        if b"31.4159" in line or forgotten:
            left.append(line)
    assert left == []


@pytest.mark.slow
def test_honest_learners_notice_nothing_and_the_report_is_harmless(attacked):
    grades, canary, _ = attacked
    assert points(grades, "honest") == [1, 1, 0] and not remarks(grades, "honest")
    assert canary.read_text() == "alive"
    page = report.report(grades)
    active = r"<(?:script|iframe|object|link|img|form)\b|<[^>]*\s(?:on\w+=|(?:src|href)=(?!\"#))"
    assert not re.findall(active, page, re.IGNORECASE)
    assert "&lt;script&gt;alert(1)" in page and "default-src 'none'" in html.unescape(page)


# ---------------------------------------------------------------------------------------------------- without a sandbox


def test_without_a_sandbox_it_asks_for_trust(tmp_path, monkeypatch):
    notebook(tmp_path / "in" / "kim.ipynb", "1")
    monkeypatch.setattr(bubblewrap, "is_installed", lambda: False)
    with pytest.raises(grading.NoSandbox, match=r"not installed.*--trust"):
        grade(tmp_path / "in")
    monkeypatch.undo()
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{broken.parent}{os.pathsep}{os.environ['PATH']}")
    done = run("grade", tmp_path / "in", "--out", tmp_path / "grades.csv")
    assert done.returncode == 2 and not done.stdout and not (tmp_path / "grades.csv").exists()
    assert "No permissions to create new namespace" in done.stderr and "--trust" in done.stderr


@pytest.mark.slow
def test_trusted_notebooks_have_limits_too(tmp_path):
    for entry in hostile.CELLS:
        if entry.name in ("always-on", "os-exit", "memory", "leaves-things-behind"):
            cells = (answer("bpe-01", entry.name), *entry.cells)
            notebook(tmp_path / f"{entry.name}.ipynb", *cells)
    grades = grade(tmp_path, seed=7, trust=True, timeout=6, jobs=4, exercises=["bpe-01"])
    assert [points(grades, row.learner.name) for row in grades.rows] == [[1]] * 4
    assert "stopped in cell 3" in remarks(grades, "always-on")
    assert "MemoryError" in remarks(grades, "memory")
