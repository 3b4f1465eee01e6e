"""The command: what it prints where, its exit codes, and that a learner's work is safe with it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
import webbrowser
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import nbformat
import pytest
from command import run, run_apart

from subword_lab import cli, doctor, files, jupyterlab, working_copy
from subword_lab import lessons as course

ROOT = Path(__file__).parent.parent


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of its own, so that nobody's Jupyter settings take part."""
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name))


# ------------------------------------------------------------------------------------------------- options and errors


def test_help_and_version_are_results():
    assert "open the course in JupyterLab" in run("--help").stdout
    assert "never written over" in run("open", "--help").stdout
    assert re.fullmatch(r"subword-lab \d+\.\d+\.\d+\n", run("--version").stdout)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["opne"],
        ["open", "--prot", "1"],
        ["open", "a", "b"],
        ["open", "--port", "x"],
        ["open", "--port", "65536"],
        ["open", "--port", "-1"],
    ],
)
def test_bad_use_ends_with_2_and_a_message(arguments):
    done = run(*arguments)
    assert done.returncode == 2 and not done.stdout and "usage: subword-lab" in done.stderr


def test_progress_goes_out_to_a_file_and_comes_back(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path / "home"))
    file, again = tmp_path / "mine.jsonl", tmp_path / "again.jsonl"
    file.write_bytes(b'{"exercise": "bpe-03", "kind": "attempt", "outcome": "correct"}\n')
    done = run("progress", "--import", file, "--json")
    assert done.returncode == 0 and '"bpe-03"' in done.stdout
    assert "New here: 1 event." in done.stderr
    out = run("progress", "--export", again)
    assert (out.returncode, out.stdout, again.read_bytes()) == (0, "", file.read_bytes())
    for option, path in (("--export", "no/folder"), ("--import", "missing")):
        assert run("progress", option, tmp_path / path).returncode == 1


def test_without_the_package_for_teaching_one_line_says_what_else_there_is(monkeypatch):
    monkeypatch.setattr(cli, "entry_points", lambda group: [])
    help = run("--help")
    assert help.returncode == 0 and "mark a folder" not in help.stdout
    assert "pipinstallsubword-lab-teach" in "".join(help.stdout.split())
    for name in cli.TEACHING:
        done = run(name, "anything")
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout
        assert done.stderr.startswith(f"subword-lab: {name}: for whoever teaches")
        assert "pip install subword-lab-teach" in done.stderr


def test_a_broken_package_costs_its_own_commands_only(monkeypatch):
    broken = EntryPoint("grade", "nowhere:GRADE", "subword_lab.commands")
    monkeypatch.setattr(cli, "entry_points", lambda group: [broken])
    assert run("decode", "--help").returncode == 0
    done = run("grade", "in", "--out", "grades.csv")
    assert done.returncode == 2 and "cannot be loaded (ModuleNotFoundError: " in done.stderr


def fails(done, *words):
    assert done.returncode == 1 and not done.stdout, done
    assert (
        done.stderr.splitlines()[-1].startswith("subword-lab: ") and "Traceback" not in done.stderr
    )
    for word in words:
        assert str(word) in done.stderr.splitlines()[-1]


def test_what_keeps_the_course_from_opening(tmp_path, home, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("open", tmp_path / "course", "--no-browser", "--port", port)
    fails(done, f"port {port}", "in use")
    (tmp_path / "notes").write_text("mine")
    for folder in (tmp_path / "notes", tmp_path / "notes" / "course"):
        fails(run("open", folder, "--no-browser"), folder, "is a file")
    assert (tmp_path / "notes").read_text() == "mine"
    if Path("/proc/self").exists():  # which nobody can write
        fails(run("open", "/proc/course", "--no-browser"), "/proc/course", "cannot be written")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = run("open", tmp_path / "course")
    fails(done, "JupyterLab is not installed", "-m pip install jupyterlab")
    monkeypatch.setattr(files.os, "replace", Mock(side_effect=OSError(28, "No space left")))
    fails(run("open", tmp_path / "another"), "cannot be written (No space left)")


def test_jupyterlab_has_its_usual_port_or_any_that_is_free(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(jupyterlab, "PORT", taken.getsockname()[1])
        assert jupyterlab.free_port(None) != jupyterlab.PORT
    assert jupyterlab.free_port(None) == jupyterlab.PORT


# ------------------------------------------------------------------------------------------------------------- doctor


def found(done):
    """What `doctor` says about each thing, with its sign."""
    lines = [re.fullmatch("([✓✗-]) ([^:]+): (.+)", line) for line in done.stdout.splitlines()]
    return {line[2]: (line[1], line[3]) for line in lines}


READY, SLOW = Mock(**{"wait.return_value": 0.5}), Mock(**{"wait.return_value": 12.0})
BROKEN = Mock(**{"start.side_effect": ImportError("no numba")})


@pytest.fixture
def healthy(tmp_path, monkeypatch):
    """A machine that lacks nothing, as far as the course can tell."""
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path / "home"))
    for target, result in {
        "webbrowser.get": SimpleNamespace(name="firefox"),
        "subword_lab.engines.find": READY,
        "shutil.disk_usage": Mock(free=10**9),
    }.items():
        monkeypatch.setattr(target, Mock(return_value=result))


def test_doctor_has_a_tick_for_all_that_is_there_and_changes_nothing(tmp_path, healthy):
    done = run("doctor", tmp_path / "course")
    assert done.returncode == 0 and not done.stderr and not list(tmp_path.iterdir())
    says = found(done)
    assert {sign for sign, _ in says.values()} == {"✓"}
    assert list(says) == [
        *("Python", "jupyterlab", "ipywidgets", "anywidget", "folder of the course", "progress"),
        *("port", "browser", "engine", "disk"),
    ]
    assert says["browser"][1] == "firefox" and says["engine"][1] == "compiled"
    assert "is made by `subword-lab open`" in says["folder of the course"][1]
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "mine.ipynb").write_text("mine")
    assert "can be read and written" in run("doctor", tmp_path / "course").stdout
    assert (tmp_path / "course" / "mine.ipynb").read_text() == "mine"


@pytest.mark.parametrize(
    "target, value, sign, thing, words",
    [
        (
            "shutil.disk_usage",
            Mock(return_value=Mock(free=5 * 10**6)),
            "✗",
            "disk",
            "5 MB are free",
        ),
        ("socket.create_server", Mock(side_effect=OSError("taken")), "✗", "port", "cannot be used"),
        ("subword_lab.jupyterlab.PORT", 0, "✓", "port", "0 is in use, so"),
        ("webbrowser.get", Mock(side_effect=webbrowser.Error), "-", "browser", "open the address"),
        ("subword_lab.engines.find", Mock(return_value=None), "-", "engine", "subword-lab-fast"),
        ("subword_lab.engines.find", Mock(return_value=SLOW), "✓", "engine", "-m subword_lab_fast"),
        ("subword_lab.engines.find", Mock(return_value=BROKEN), "-", "engine", "(no numba)"),
        *(
            (
                "subword_lab.doctor.importlib",
                Mock(**{"import_module.side_effect": ImportError("gone")}),
                "✗",
                name,
                f"(gone); install it with: {sys.executable} -m pip install --force-reinstall {name}",
            )
            for name in doctor.PACKAGES
        ),
    ],
)
def test_doctor_says_what_to_do(tmp_path, healthy, monkeypatch, target, value, sign, thing, words):
    monkeypatch.setattr(target, value)
    done = run("doctor", tmp_path / "course")
    assert found(done)[thing][0] == sign and words in found(done)[thing][1], done
    assert done.returncode == (sign == "✗") == ("marked with ✗" in done.stderr)


@pytest.mark.parametrize(
    "name, thing, words",
    [
        ("course", "folder of the course", "name another folder"),
        ("course/01_bpe.ipynb/", "folder of the course", "01_bpe.ipynb cannot be read and written"),
        ("home", "progress", "SUBWORD_LAB_HOME"),
        ("home/progress.jsonl/", "progress", "progress.jsonl cannot be read and written"),
    ],
)
def test_doctor_finds_files_for_folders_and_folders_for_files(
    tmp_path, healthy, name, thing, words
):
    if name.endswith("/"):
        (tmp_path / name).mkdir(parents=True)
    else:
        (tmp_path / name).write_text("mine")
    done = run("doctor", tmp_path / "course")
    assert done.returncode == 1 and found(done)[thing][0] == "✗" and words in found(done)[thing][1]


def test_doctor_escapes_what_a_path_could_tell_the_terminal(tmp_path, healthy):
    done = run("doctor", tmp_path / "a\x1b[2Jb\u202ec")
    assert r"a\x1b[2Jb\u202ec is made by" in done.stdout and "\x1b" not in done.stdout


def test_doctor_warns_of_progress_that_is_damaged_or_not_kept(tmp_path, healthy, monkeypatch):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "progress.jsonl").write_text("damaged\n")
    done = run("doctor", tmp_path / "course")
    assert done.returncode == 0 and re.search("^- progress: line 1 .* damaged", done.stdout, re.M)
    monkeypatch.setenv("SUBWORD_LAB_HOME", ":memory:")
    assert "- progress: kept in memory alone" in run("doctor", tmp_path / "course").stdout


# ----------------------------------------------------------------------------------------------------------- JupyterLab


def test_jupyterlab_that_does_not_start_and_ctrl_c_while_it_does(tmp_path, monkeypatch):
    """Ctrl-C is not for it to answer yet."""
    (tmp_path / "jupyterlab").mkdir()
    (tmp_path / "jupyterlab" / "__init__.py").touch()
    source = "import signal\nraise SystemExit(7 if signal.getsignal(signal.SIGINT) == signal.SIG_IGN else 8)"
    (tmp_path / "jupyterlab" / "__main__.py").write_text(source)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    before = signal.getsignal(signal.SIGINT)
    ended = pytest.raises(files.CourseError, match="JupyterLab ended at once, with exit code 7")
    with ended, jupyterlab.serve(tmp_path, port=0):
        pass
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_open_prints_the_address_serves_the_lessons_and_ends_on_ctrl_c(tmp_path, home):
    command = [
        sys.executable,
        "-m",
        "subword_lab",
        "open",
        str(tmp_path / "course"),
        "--no-browser",
        "--port",
        "0",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            address = process.stdout.readline().strip()
            found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/lab\S*\?token=(\w{48})", address)
            assert found, (address, process.stderr.read() if process.poll() is not None else "")
            with urllib.request.urlopen(f"{found[1]}/api/contents?token={found[2]}") as answer:
                names = {entry["name"] for entry in json.load(answer)["content"]}
            assert {path.name for path in course.folder().glob("*.ipynb")} <= names
            assert "instructor_guide.ipynb" not in names
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"{found[1]}/api/contents")
        finally:
            process.send_signal(
                signal.SIGINT
            )  # also where a check failed: `with` waits for its end
        rest, messages = process.communicate(timeout=60)
    assert process.returncode == 0 and not rest
    assert f"Copied into {tmp_path / 'course'}: " in messages
    assert f"Closed. Your work is in {tmp_path / 'course'}" in messages


@pytest.mark.skipif(os.name != "posix", reason="removes the folder it stands in")
def test_a_folder_that_was_deleted_under_it(tmp_path):
    code = (
        f"import os, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); sys.path[0] = {str(ROOT)!r}; "
        "from subword_lab.cli import main; sys.exit(main(['progress']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    fails(done, "the current folder no longer exists")


@pytest.mark.skipif(os.name != "posix", reason="redirects as a shell does")
@pytest.mark.parametrize("redirected", ["", ">&-", "> /dev/full", ">&- 2>&-"])
@pytest.mark.parametrize("arguments, unbuffered", [("exercises list", ""), ("--help", "1")])
def test_an_output_that_cannot_be_written(redirected, arguments, unbuffered):
    """A closed output, a full disk: one line says so, and the exit code. A pipe that nobody reads: the exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    command = f"exec {sys.executable} -m subword_lab {arguments} {redirected}"
    done = subprocess.run(
        ["sh", "-c", command],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    os.close(writer)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == (
        redirected in (">&-", "> /dev/full")
    )
    assert re.match("subword-lab: (the|standard) output|$", done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="redirects as a shell does")
def test_a_closed_input():
    command = f"exec {sys.executable} -m subword_lab train - --vocab-size 300 --out x.json <&-"
    fails(
        subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False),
        "input is closed",
    )


def test_a_terminal_that_only_knows_ascii():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run_apart("exercises", "list", env=environment)
    assert done.returncode == 0 and not done.stderr and done.stdout.isascii()


ASKED = """
import os, sys
from subword_lab.exercises import Number, exercise

@exercise("own-01", "Leave", Number())
def leave(rng):
    {}
"""


ENDED = "own.py calls os.{}, which would end all of this; remove that call"


@pytest.mark.parametrize(
    "command, source, words",
    [
        ("exercises check", "import sys\nsys.exit(0)", "own.py, line 2: SystemExit"),
        ("exercises list", ASKED.format("sys.exit(0)"), "asking it failed: SystemExit: 0"),
        ("exercises list", "\nraise BaseException('no')", "own.py, line 2: BaseException: no"),
        ("exercises list", ASKED.format("raise GeneratorExit"), "asking it failed: GeneratorExit"),
        ("exercises check", "import os\nos._exit(0)", ENDED.format("_exit")),
        ("exercises list", ASKED.format("os._exit(0)"), ENDED.format("_exit")),
        ("exercises list", "import os\nos.execlp('true', 'true')", ENDED.format("execv")),
        ("exercises list", ASKED.format("os.execve('true', ['true'], {})"), ENDED.format("execve")),
        ("exercises list", "import os\nos.abort()", ENDED.format("abort")),
        ("handout out --seed 1 --exercises-file", "import os\nos._exit(0)", ENDED.format("_exit")),
        ("forms out --exercises-file", "from os import _exit\n_exit(0)", ENDED.format("_exit")),
    ],
)
def test_an_own_file_that_leaves(command, source, words, tmp_path, monkeypatch):
    """It ended the command, too, which seemed to have found nothing wrong."""
    monkeypatch.chdir(tmp_path)
    for name in ("_exit", "abort", "execv", "execve"):
        monkeypatch.setattr(f"os.{name}", lambda *_: pytest.fail("it has left"))
    (tmp_path / "own.py").write_text(source)
    done = run(*command.split(), tmp_path / "own.py")
    assert done.returncode and words in done.stderr and "proven" not in done.stdout


@pytest.mark.parametrize(
    "begin", ["target=os._exit, args=(0,)", "target=lambda: time.sleep(0.2) or os._exit(0)"]
)
def test_a_thread_of_an_own_file_that_leaves(begin, tmp_path):
    """At once, or while what the command does is under way; the command goes on."""
    imports = "import os, threading, time\nfrom subword_lab.exercises import Number, exercise"
    thread = f"threading.Thread({begin}).start()"
    file = tmp_path / "own.py"
    file.write_text(f"{imports}\n{thread}\n" + ASKED.format("time.sleep(0.05)"))
    done = run_apart("exercises", "list", file)
    assert done.returncode == 0 and "own-01" in done.stdout
    assert ENDED.format("_exit") in done.stderr


@pytest.mark.skipif(
    os.name != "posix", reason="sends Ctrl-C, which Windows knows only for whole consoles"
)
@pytest.mark.parametrize(
    "arguments, file, source",
    [
        (
            ["exercises", "check", "own.py"],
            "own.py",
            "import os, signal\nos.kill(os.getpid(), signal.SIGINT)",
        ),
        (["--help"], "argparse.py", "raise KeyboardInterrupt"),  # while that is being imported
        (
            ["--help"],
            "argparse.py",
            "class Late:\n    def __set_name__(self, *_): raise KeyboardInterrupt\nclass Made: late = Late()",
        ),
    ],
)
def test_ctrl_c_ends_quietly(tmp_path, arguments, file, source):
    (tmp_path / file).write_text(source)
    done = run_apart(*arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "subword-lab: stopped\n")


# --------------------------------------------------------------------------------------------------- the working copy


def notebook(*sources, output="", tags=()):
    new, metadata = nbformat.v4.new_code_cell, {"tags": list(tags)} if tags else {}
    ran = {"outputs": [nbformat.v4.new_output("stream", text=output)], "execution_count": 7}
    cells = [
        new(source, id=f"c{number}", metadata=metadata, **ran if output else {})
        for number, source in enumerate(sources)
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells))


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two lessons and a picture in a folder of originals, and a folder for the copy."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    originals, copy = tmp_path / "originals", tmp_path / "deep" / "course"
    (originals / "pictures").mkdir(parents=True)
    (originals / ".ipynb_checkpoints").mkdir()
    (originals / "00.ipynb").write_text(notebook("1 + 1"))
    (originals / "01.ipynb").write_text(notebook("2 + 2"))
    (originals / "pictures" / "one.svg").write_text("<svg/>")
    (originals / ".ipynb_checkpoints" / "00.ipynb").write_text("old")
    return originals, copy


def outcome(folders):
    report = working_copy.copy_lessons(*folders)
    return {outcome: names for outcome, names in report.items() if names}


def after(folders, mine, newer):
    """What becomes of a learner's lesson when there is a newer original."""
    originals, copy = folders
    (copy / "00.ipynb").write_text(mine)
    (originals / "00.ipynb").write_text(newer)
    return outcome(folders), (copy / "00.ipynb").read_text()


def test_the_first_time_everything_is_copied_and_trusted(folders):
    originals, copy = folders
    assert not any(working_copy.copy_lessons(originals, originals).values())
    assert not (originals / working_copy.RECORD).exists()
    assert outcome(folders) == {"added": ["00.ipynb", "01.ipynb", "pictures/one.svg"]}
    assert (copy / "01.ipynb").read_bytes() == (originals / "01.ipynb").read_bytes()
    names = sorted(path.name for path in copy.iterdir())
    assert names == [".subword-lab.json", "00.ipynb", "01.ipynb", "pictures"]
    assert outcome(folders) == {}
    notary = nbformat.sign.NotebookNotary()
    assert notary.check_signature(nbformat.read(copy / "00.ipynb", as_version=4))
    assert not notary.check_signature(nbformat.reads(notebook("other"), as_version=4))
    notary.store.close()


def test_on_a_jupyterhub_open_copies_and_starts_no_server(tmp_path, home, monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/kim/")
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "00_text_to_tokens.ipynb").write_text("mine")
    done = run("open", tmp_path / "course", "--room", "http://host/#AAAA-BBBB")
    assert done.returncode == 0 and done.stdout.strip() == str((tmp_path / "course").resolve())
    assert (
        "This is a JupyterHub" in done.stderr
        and "live.join('http://host/#AAAA-BBBB', ...)" in done.stderr
    )
    assert (tmp_path / "course" / "01_bpe.ipynb").exists()
    assert "was left as it is: 00_text_to_tokens.ipynb." in done.stderr


def test_what_a_learner_wrote_stays_and_a_newer_original_is_announced(folders):
    copy, mine, newer = folders[1], notebook("1 + 1", "my own cell"), notebook("1 + 1 == 2")
    outcome(folders)
    assert after(folders, mine, notebook("1 + 1")) == ({}, mine)
    for _ in range(2):
        assert after(folders, mine, newer) == ({"outdated": ["00.ipynb"]}, mine)
    (copy / "00.ipynb").rename(copy / "00 mine.ipynb")
    assert outcome(folders) == {"added": ["00.ipynb"]}
    assert [(copy / name).read_text() for name in ("00.ipynb", "00 mine.ipynb")] == [newer, mine]


@pytest.mark.parametrize("output", ["", "2"], ids=["not touched", "only run"])
def test_a_lesson_in_which_nothing_was_written_is_brought_up_to_date(folders, output):
    originals, copy = folders
    outcome(folders)
    (copy / "00.ipynb").write_text(notebook("1 + 1", output=output))
    assert outcome(folders) == {}
    (originals / "pictures" / "one.svg").write_text("<svg></svg>")
    (originals / "02.ipynb").write_text(notebook("3"))
    mine, newer = (copy / "00.ipynb").read_text(), notebook("1 + 1 == 2")
    renewed = {"renewed": ["00.ipynb", "pictures/one.svg"], "added": ["02.ipynb"]}
    assert after(folders, mine, newer) == (renewed, newer)


@pytest.mark.parametrize(
    "changed",
    [
        notebook("1 + 1", tags=["mine"]),
        notebook(),
        notebook("1+1"),
        "not a notebook",
        "",
        '{"cells": [{}]}',
        "[1]",
    ],
)
def test_anything_that_was_written_counts_as_the_learners(folders, changed):
    outcome(folders)
    assert after(folders, changed, notebook("new")) == ({"outdated": ["00.ipynb"]}, changed)


def test_a_file_that_was_there_before_is_left_alone(folders):
    originals, copy = folders
    copy.mkdir(parents=True)
    (copy / "00.ipynb").write_text("mine")
    (copy / "01.ipynb").write_bytes((originals / "01.ipynb").read_bytes())
    assert outcome(folders) == {"added": ["pictures/one.svg"], "foreign": ["00.ipynb"]}
    (originals / "01.ipynb").write_text(notebook("new"))
    assert outcome(folders) == {"renewed": ["01.ipynb"], "foreign": ["00.ipynb"]}
    assert (copy / "00.ipynb").read_text() == "mine"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"files": {"00.ipynb": 1}}', "\udcff"])
def test_without_a_readable_record_nothing_is_written_over(folders, damage):
    originals, copy = folders
    outcome(folders)
    (copy / working_copy.RECORD).write_text(damage, errors="surrogateescape")
    (originals / "01.ipynb").write_text(notebook("new"))
    mine, left = notebook("1 + 1", "mine"), {"foreign": ["00.ipynb", "01.ipynb"]}
    assert after(folders, mine, notebook("new")) == (left, mine)


def test_a_newer_edition_takes_over_the_answers_by_their_exercises(folders):
    originals, copy = folders
    blank = [
        'bpe_01 = load("bpe-01")\nbpe_01',
        "bpe_01.check(...)",
        'bpe_02 = load("bpe-02")',
        "bpe_02.check(...)",
        'bpe_16 = load("bpe-16")',
        "def merge(symbols, pair):\n    ...\n\n\nbpe_16.check(merge)",
    ]
    (originals / "00.ipynb").write_text(notebook(*blank))
    outcome(folders)
    code = "def merge(symbols, pair):\n    return symbols\n\n\nbpe_16.check(merge)"
    mine = notebook(
        'ex = load("bpe-01")',
        "ex.check(17)",
        "ex.check('ex')  # ex",
        *blank[2:5],
        code,
        'gone = load("bpe-99")',
        "gone.check('x')",
        "my own notes",
    )
    (copy / "00.ipynb").write_text(mine)
    (originals / "00.ipynb").write_text(notebook("a new beginning", *blank[2:], *blank[:2]))
    assert outcome(folders) == {"outdated": ["00.ipynb"]}
    kept, count = working_copy.take_over(originals, copy, "00.ipynb")
    assert (kept.name, count, kept.read_text()) == ("00.old-1.ipynb", 3, mine)
    cells = [
        "".join(cell["source"]) for cell in json.loads((copy / "00.ipynb").read_text())["cells"]
    ]
    assert cells[:-1] == [
        "a new beginning",
        *blank[2:5],
        code,
        blank[0],
        "bpe_01.check('ex')  # ex",
    ]
    assert "`bpe-99`" in cells[-1] and "    bpe_99.check('x')" in cells[-1]
    assert outcome(folders) == {}
    (originals / "00.ipynb").write_text(notebook("newer still"))
    assert outcome(folders) == {"outdated": ["00.ipynb"]}
    assert working_copy.take_over(originals, copy, "00.ipynb")[0].name == "00.old-2.ipynb"


@pytest.mark.parametrize(
    "answer, options, taken",
    [(None, [], False), ("n", [], False), ("Yes", [], True), (None, ["--take-over"], True)],
)
def test_open_asks_before_it_takes_a_newer_edition(folders, monkeypatch, answer, options, taken):
    originals, copy = folders
    outcome(folders)
    monkeypatch.setattr(course, "folder", lambda: originals)
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/kim/")
    (copy / "00.ipynb").write_text(mine := notebook("1 + 1", "mine"))
    (originals / "00.ipynb").write_text(notebook("newer"))
    if answer:
        monkeypatch.setattr(cli, "ask", lambda question: answer * ("a newer edition" in question))
    said = run("open", copy, *options).stderr
    kept, words = "00.ipynb", "There is a newer original, and yours was left as it is"
    if taken:
        kept, words = "00.old-1.ipynb", "0 of your answers in it. Your own file is kept: 00.old-1"
    assert words in said and (copy / kept).read_text() == mine


@pytest.mark.parametrize("damaged", ["", "[]", '{"cells": 1}', '{"cells": [{}]}', None])
def test_answers_that_cannot_be_read_or_kept_are_left_where_they_are(folders, monkeypatch, damaged):
    originals, copy = folders
    outcome(folders)
    if damaged is None:
        monkeypatch.setattr(working_copy, "write_whole", Mock(side_effect=OSError(28, "full")))
    else:
        (copy / "00.ipynb").write_text(damaged)
    before = (copy / "00.ipynb").read_text()
    with pytest.raises(files.CourseError, match="left as it is"):
        working_copy.take_over(originals, copy, "00.ipynb")
    assert (copy / "00.ipynb").read_text() == before
