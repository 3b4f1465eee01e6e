"""Progress: what was acknowledged stays, whatever happens to the machine."""

import errno
import json
import os
import subprocess
import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path

import platformdirs
import pytest

from subword_lab.exercises import progress as module
from subword_lab.exercises.progress import Progress, ProgressError, store

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")


def attempt(exercise="bpe-03", outcome="correct", **more):
    return {"exercise": exercise, "kind": "attempt", "outcome": outcome, **more}


@pytest.fixture
def progress(tmp_path):
    return Progress(tmp_path)


def answers(progress):
    return [event["answer"] for event in progress.events()]


def start(code, *arguments):
    """A Python process that runs `code`, with what it prints to be read."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


# ------------------------------------------------------------------------------------------------ what is kept, and how


def test_an_event_comes_back_as_it_was(progress):
    more = {"exercise_version": 2, "seed": 7, "score": 0.5, "label": "ties", "answer": ["ug", "h"]}
    given = attempt(learner="Ada", **more)
    progress.record(given)
    (event,) = Progress(progress.home).events()
    assert event == given | {"v": 1, "at": event["at"]} and progress.problems == []
    assert event["at"].startswith("20") and event["at"].endswith("+00:00")


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"exercise": "bpe-03"},
        {"exercise": 3, "kind": "hint"},
        {"exercise": "bpe-03", "kind": "peek"},
    ],
)
def test_an_event_that_says_too_little_is_refused(progress, event):
    with pytest.raises(ValueError, match="expected an exercise id"):
        progress.record(event)


@pytest.mark.parametrize(
    "events, expected",
    [
        ([attempt(outcome="invalid")], ("seen", 0, 0.0, 0, False)),
        ([attempt(outcome="not attempted")], ("seen", 0, 0.0, 0, False)),
        ([{"exercise": "bpe-03", "kind": "hint"}] * 2, ("seen", 0, 0.0, 2, False)),
        ([{"exercise": "bpe-03", "kind": "solution"}], ("seen", 0, 0.0, 0, True)),
        (
            [attempt(outcome="timeout"), attempt(outcome="invalid"), attempt(outcome="error")],
            ("tried", 2, 0.0, 0, False),
        ),
        (
            [attempt(outcome="partial", score=0.5), attempt(outcome="incorrect")],
            ("partial", 2, 0.5, 0, False),
        ),
        ([{"exercise": "bpe-03", "kind": "solution"}, attempt()], ("done", 1, 1.0, 0, True)),
        (
            [attempt(), attempt(outcome="incorrect"), attempt(outcome="partial", score=0.25)],
            ("done", 3, 1.0, 0, False),
        ),
    ],
)
def test_where_an_exercise_stands(progress, events, expected):
    for event in events:
        progress.record(event)
    assert tuple(progress.summary()["bpe-03"].values())[:5] == expected


@pytest.mark.parametrize(
    "learner, states",
    [
        ("Ada", {"bpe-03": "done"}),
        ("Bo", {"bpe-03": "tried", "bpe-04": "done"}),
        (None, {"bpe-03": "done", "bpe-04": "done"}),
    ],
)
def test_learners_are_told_apart(progress, learner, states):
    done = (
        ("bpe-03", "correct", "Ada"),
        ("bpe-04", "correct", "Bo"),
        ("bpe-03", "incorrect", "Bo"),
    )
    for exercise, outcome, name in done:
        progress.record(attempt(exercise, outcome, learner=name))
    assert {id: standing["state"] for id, standing in progress.summary(learner).items()} == states


# ----------------------------------------------------------------------------------------------------- where it is kept


HOME = {"SUBWORD_LAB_HOME": ":memory:"}


@pytest.mark.parametrize(
    "environment, platform, home",
    [
        (HOME, "linux", None),
        ({"SUBWORD_LAB_HOME": "home"}, "linux", "{here}/home"),
        ({}, "linux", platformdirs.user_data_dir("subword-lab", appauthor=False)),
        ({}, "emscripten", "{here}"),
        ({"browser": "none"}, "emscripten", None),
    ],
)
def test_where_it_is_kept(tmp_path, monkeypatch, environment, platform, home):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBWORD_LAB_HOME", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(module, "BROWSER_FOLDER", str(tmp_path / environment.get("browser", "")))
    monkeypatch.setattr(sys, "platform", platform)
    assert Progress().home == (home and Path(home.format(here=tmp_path)))


def test_in_memory_nothing_touches_the_disk_and_a_relative_folder_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = [Progress(":memory:"), Progress("home")]
    monkeypatch.chdir("/")
    for progress, names in zip(kept, ([], ["home"])):
        progress.record(attempt())
        assert len(progress.events()) == 1
        assert [path.name for path in tmp_path.iterdir()] == names


# ------------------------------------------------------------------------------------------------------ several at once


def test_threads_and_processes_at_once(progress):
    code = """
        import sys, threading
        from subword_lab.exercises.progress import Progress

        def work(thread):
            progress = Progress(sys.argv[1])
            for number in range(20):
                answer = f"{sys.argv[2]}-{thread}-{number} " + "x" * 500
                progress.record({"exercise": "bpe-03", "kind": "attempt", "outcome": "correct", "answer": answer})

        threads = [threading.Thread(target=work, args=(thread,)) for thread in range(3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    """
    workers = [start(code, progress.home, worker) for worker in range(2)]
    assert [worker.communicate()[1] for worker in workers] == ["", ""]
    expected = {f"{w}-{thread}-{n}" for w in range(2) for thread in range(3) for n in range(20)}
    assert sorted(answer.split()[0] for answer in answers(progress)) == sorted(expected)
    assert progress.problems == []


# ------------------------------------------------------------------------------------------------------------ accidents


def test_cut_off_at_every_character_of_a_line(tmp_path):
    for cut in range(100):
        progress = Progress(tmp_path / str(cut))
        progress.record(attempt(answer="before"))
        size = progress.path.stat().st_size
        progress.record(attempt(answer="cut"))
        os.truncate(progress.path, size + cut)
        progress.record(attempt(answer="after"))
        assert answers(progress) == ["before", "after"]
        if cut:
            assert progress.problems == [
                f"line 2 of {progress.path} is damaged and was left out; it stays there as it is"
            ]


@posix
def test_a_full_disk(progress):
    """The operating system refuses, in the middle of a line."""
    code = """
        import resource, sys
        from subword_lab.exercises.progress import Progress, ProgressError

        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        progress = Progress(sys.argv[1])
        try:
            for number in range(100):
                progress.record({"exercise": "bpe-03", "kind": "hint", "answer": number})
                print(number, flush=True)
        except ProgressError as error:
            print(error)
    """
    *kept, message = start(code, progress.home).communicate()[0].splitlines()
    assert "this hint at bpe-03 was not saved in" in message
    assert "No space left on device. What was saved before is unharmed" in message
    kept = [int(number) for number in kept]
    assert answers(progress) == kept and len(kept) > 10
    progress.record(attempt(answer="there is room again"))
    assert answers(progress) == [*kept, "there is room again"]
    assert f"line {len(kept) + 1} of {progress.path} is damaged" in progress.problems[0]


@pytest.mark.parametrize("number, said", [(errno.EIO, "Input/output error"), (errno.EINVAL, "")])
def test_a_disk_that_fails_at_the_last_moment_and_one_that_has_no_fsync(
    progress, monkeypatch, number, said
):
    def fsync(file):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(ProgressError, match=said) if said else nullcontext():
        progress.record(attempt())


# -------------------------------------------------------------------------------------------------------- damaged lines

DAMAGE = [
    b"\x00\x00\x00\x00",
    b"{",
    b"[1, 2]",
    b"nonsense",
    b"\xff\xfe",
    b'{"v": 1}',
    b'{"v": 1, "exercise": 3}',
    b'{"v": 2, "what": {"exercise": "bpe-03"}}',
    b'{"v": 1, "exercise": "bpe-03", "kind": "peek"}',
    b'{"v": 1, "exercise": "bpe-03", "score": "high"}',
    b'{"v": 1, "exercise": "bpe-03", "score": ' + b"9" * 400 + b"}",
    b'{"v": 1, "exercise": "bpe-03", "score": NaN}',
    b'{"v": 1, "exercise": "bpe-03", "turn": "two"}',
    b"[" * 100_000,
    b"null",
    b"\xef\xbb\xbf!",
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: repr(damage[:30]))
def test_a_damaged_line_costs_only_itself(progress, damage):
    progress.record(attempt(answer=1))
    for lines, problem in (
        (1, "line 2 of {path} is damaged"),
        (2, "3 lines of {path} are damaged"),
    ):
        with progress.path.open("ab") as file:
            file.write((damage + b"\n") * lines)
        progress.record(attempt(answer=2))
        before = progress.path.read_bytes()
        assert answers(progress) == [1, 2, 2][: lines + 1]
        assert progress.problems[0].startswith(problem.format(path=progress.path))
        assert progress.path.read_bytes() == before


def test_an_editor_that_changed_the_line_ends_and_a_file_from_before_versions(progress):
    old = [{"exercise": "bpe-01", "outcome": "correct"}, {"exercise": "bpe-02", "kind": "hint"}]
    lines = [json.dumps(event).encode() + b"\r\n" for event in old]
    progress.path.write_bytes(b"\xef\xbb\xbf" + b"".join(lines))
    progress.record(attempt("bpe-02", outcome="incorrect"))
    assert [event["v"] for event in progress.events()] == [1, 1, 1] and progress.problems == []
    summary = progress.summary()
    assert summary["bpe-01"]["state"] == "done"
    assert (summary["bpe-02"]["state"], summary["bpe-02"]["hints"]) == ("tried", 1)


# ------------------------------------------------------------------------------------------------- from place to place


@pytest.fixture
def at(tmp_path, monkeypatch):
    """A function that goes to a place: a folder of its own for progress, which `store` follows."""
    return lambda place: monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path / place))


def test_progress_is_taken_along_and_nothing_counts_twice(tmp_path, at):
    file = tmp_path / "mine.jsonl"
    at("school")
    store().record(attempt())
    store().record(attempt("bpe-04", "incorrect"))
    assert module.export(file) == 2
    at("home")
    assert store().home == tmp_path / "home" and store().events() == []
    store().record(attempt("bpe-05"))
    assert module.import_(file) == 2 and module.import_(file) == 0
    assert [event["exercise"] for event in store().events()] == ["bpe-05", "bpe-03", "bpe-04"]
    module.export(file)
    at("school")
    with pytest.raises(ProgressError, match="holds something that is not recorded here"):
        module.export(file)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())  # as some editors save it
    assert module.import_(file) == 1 and len(store().events()) == 3
    assert module.export(file) == 3


def test_events_of_one_second_are_taken_along_even_if_they_are_alike(tmp_path, at):
    file, one = tmp_path / "mine.jsonl", attempt("bpe-05", "incorrect")
    at("school")
    for _ in range(3):
        store().record(one)
    assert module.export(file) == 3
    at("home")
    store().record(one)
    assert module.import_(file) == 2 and module.import_(file) == 0
    assert len(store().events()) == 3


def test_a_damaged_line_is_taken_along_and_hinders_no_other(tmp_path, at):
    file = tmp_path / "mine.jsonl"
    at("school")
    store().record(attempt())
    with store().path.open("ab") as lines:
        lines.write(b'{"exercise": "bpe-0')
    assert module.export(file) == 1
    at("home")
    assert module.import_(file) == 1 and module.import_(file) == 0
    assert len(store().events()) == 1
    assert store().problems == [
        f"line 2 of {store().path} is damaged and was left out; it stays there as it is"
    ]


@pytest.mark.parametrize(
    "content", [b"exercise;score\n", b'{"exercise": "bpe-03"', b"\xff\xfe", b'{"kind": "hint"}\n']
)
def test_a_file_that_holds_something_else_adds_nothing(tmp_path, at, content):
    at("home")
    file = tmp_path / "other.jsonl"
    file.write_bytes(content)
    with pytest.raises(ProgressError, match="expected a file that progress"):
        module.import_(file)
    assert not store().path.exists()
