"""Strangers' code: right answers come back, and whatever else it does is told and leaves nothing behind."""

import importlib
import json
import os
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

import hostile
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_lab_teach import answers

from subword_lab import bpe
from subword_lab.running import (
    READY,
    Cell,
    Limits,
    Result,
    Run,
    Session,
    Settings,
    calls,
    messages,
    processes,
    run,
    sandbox,
    trial,
)
from subword_lab.running.processes import Process
from subword_lab.running.values import TooMuch, Unusable, decode, encode


@pytest.fixture(autouse=True)
def marks(monkeypatch):
    """The marks of the runs of this test, each of which would still be found on a process that was left behind."""
    found = []
    token_hex = processes.secrets.token_hex

    def remember(size):
        found.append(token_hex(size))
        return found[-1]

    monkeypatch.setattr(processes.secrets, "token_hex", remember)
    return found


@pytest.fixture(params=["in the sandbox", "without one"])
def inside(request, monkeypatch):
    """Whether functions run in the sandbox: both, where there is one."""
    if request.param == "without one":
        monkeypatch.setattr(sandbox, "is_installed", lambda: False)
    elif not (sandbox.is_installed() and sandbox.works()):
        pytest.skip("bubblewrap is not installed, or does not work here")
    return request.param == "in the sandbox"


@pytest.mark.slow
@pytest.mark.parametrize("submission", hostile.SUBMISSIONS, ids=lambda submission: submission.name)
def test_hostile(submission, inside, marks, tmp_path, monkeypatch):
    canary = tmp_path / "folder" / "canary"
    canary.parent.mkdir()
    canary.write_text("alive")
    monkeypatch.setattr(hostile, "CANARY", str(canary))
    outcome = run(submission.answer, submission.cases, limits=submission.limits)
    changed = inside and submission.inside is not None
    assert outcome.outcome == ("error" if changed else submission.outcome), outcome
    assert (submission.inside if changed else submission.message) in outcome.message
    if submission.values is not None and not changed:
        assert tuple(result.value for result in outcome.results) == submission.values
    assert outcome.mutated == submission.mutated
    assert len(outcome.printed) <= 2100
    assert canary.read_text() == "alive" and canary.stat().st_mode & 0o600
    assert [processes.marked(mark) for mark in marks] == [[]] * len(marks)
    assert [result.value for result in run(hostile.double, [(3,), (4,)]).results] == [6, 8]


@pytest.mark.slow
def test_what_was_said_before_the_end_is_heard_first(monkeypatch, inside):
    """That the process is ready, for one, by a thread that is slow to hand it on."""

    class Slow:
        def __init__(self, pipe):
            self.pipe = pipe

        def read(self, size):
            data = self.pipe.read(size)
            time.sleep(0.1)
            return data

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.pipe.close()

    hear = Process._hear
    monkeypatch.setattr(Process, "_hear", lambda self, pipe: hear(self, Slow(pipe)))
    assert run(hostile.writes_errors_without_end, [(3,)]).outcome == "output"


# ------------------------------------------------------------------------------------------------- functions and values


@pytest.mark.parametrize(
    "function", hostile.good, ids=["function", "lambda", "partial", "helped", "method"]
)
def test_right_answers(function):
    outcome = run(function, [(3,), (4,)])
    assert (outcome.outcome, outcome.message) == ("ok", "")
    assert [result.value for result in outcome.results] == [6, 8]


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.fractions(),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.fractions(), inner)
        | st.dictionaries(st.tuples(st.text(), st.integers()), inner)
        | st.sets(st.text() | st.integers())
        | st.frozensets(st.binary())
    ),
    max_leaves=20,
)


@given(plain)
def test_values_survive_json(value):
    back = decode(json.loads(json.dumps(encode(value))))
    assert back == value and repr(type(back)) == repr(type(value))
    assert encode(back) == encode(value)  # tuples are still tuples, True is not 1, -0.0 is not 0.0


@pytest.mark.slow
@settings(max_examples=10)  # each starts a process
@given(st.lists(st.tuples(plain)))
def test_values_survive_both_ways(cases):
    outcome = run(lambda value: value, cases)
    assert outcome.outcome == "ok"
    assert [encode(result.value) for result in outcome.results] == [
        encode(value) for (value,) in cases
    ]


@pytest.mark.parametrize(
    "value, expected",
    [
        (float("inf"), float("inf")),
        ("\ud800", "\ud800"),
        (10**4000, 10**4000),
        (HTTPStatus.OK, 200),
        (defaultdict(int, a=1), {"a": 1}),
    ],
    ids=["infinity", "surrogate", "long", "enum", "defaultdict"],
)
def test_special_values(value, expected):
    back = decode(json.loads(json.dumps(encode(value))))
    assert back == expected and type(back) is type(expected)


def test_a_value_is_bounded_in_size_and_depth():
    assert encode(["hug", 7], most=7) == ["hug", 7]
    for value in (["hug", 77777777], ["hugs", 7], [[]] * 7, {"hug": b"ug"}, range(7)):
        with pytest.raises(TooMuch if value != range(7) else Unusable):
            encode(value, most=6)
    deep = 0
    for _ in range(100):
        deep = [deep]
    assert decode(encode(deep)) == deep
    with pytest.raises(RecursionError):
        encode([deep])


@pytest.mark.parametrize("tag", ["set", "frozenset", "dict"])
def test_members_that_collide_are_refused_at_once(tag):
    members = [number * (2**61 - 1) for number in range(100_000)]
    with pytest.raises(ValueError, match="one hash"):
        decode({tag: [[member, 1] for member in members] if tag == "dict" else members})


def test_a_forged_fraction_is_refused_at_once():
    with pytest.raises(TypeError):
        decode({"fraction": ["1e999999999", 1]})


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    assert encode([numpy.int64(3), numpy.float64(0.5), numpy.str_("ug")]) == [3, 0.5, "ug"]
    with pytest.raises(Unusable, match=r"return its \.tolist\(\)"):
        encode(numpy.zeros(3))


@pytest.mark.parametrize(
    "case", [object(), [object()], 10**10_000], ids=["object", "list", "number"]
)
def test_a_case_that_cannot_be_sent(case):
    with pytest.raises(ValueError, match="which cannot be sent"):
        run(hostile.double, [(case,)])


def test_every_case_gets_its_own_copy():
    shared = ["h", "u", "g"]
    outcome = run(lambda symbols: [symbols.pop(), len(symbols)], [(shared,), (shared,)])
    assert [result.value for result in outcome.results] == [["g", 2], ["g", 2]] and outcome.mutated
    assert shared == ["h", "u", "g"]


def test_what_came_before_the_end_is_kept():
    def stops_at_two(number):
        if number == 2:
            time.sleep(5)
        return number

    outcome = run(stops_at_two, [(0,), (1,), (2,), (3,)], limits=Limits(seconds=1))
    assert [result.outcome for result in outcome.results] == [
        "value",
        "value",
        "timeout",
        "not run",
    ]
    assert [result.value for result in outcome.results[:2]] == [0, 1]
    assert outcome.outcome == "timeout"
    assert "time.sleep(5)" in outcome.message


def test_an_exception_costs_its_own_case():
    outcome = run(lambda number: 6 / number, [(0,), (3,)])
    zero, three = outcome.results
    assert (zero.outcome, zero.error) == ("error", "ZeroDivisionError")
    assert zero.message == "division by zero"
    assert (three.outcome, three.value) == ("value", 2)
    assert outcome.outcome == "error"


def test_the_line_is_the_learners_own():
    def freqs(words):
        return json.loads(words)

    (result,) = run(freqs, [("{",)]).results
    assert result.error == "JSONDecodeError"
    assert (result.line, result.code) == (
        freqs.__code__.co_firstlineno + 1,
        "return json.loads(words)",
    )


def test_what_is_printed_is_shown():
    outcome = run(lambda word: print("word:", word), [("hug",), ("ကမ္ဘာ",)])
    assert outcome.printed == "word: hug\nword: ကမ္ဘာ\n"
    outcome = run(lambda word: print(word * 10_000), [("hug",)])
    assert outcome.printed.startswith("hughug") and outcome.printed.endswith(" ...")


def test_no_cases():
    assert run(hostile.double, []).outcome == "ok"
    assert run(hostile.double, []).results == []


def test_recursion_between_two_helpers():
    def even(number):
        return number == 0 or odd(number - 1)

    def odd(number):
        return number > 0 and even(number - 1)

    assert [result.value for result in run(even, [(4,), (5,)]).results] == [True, False]


def test_annotations_are_left_behind():
    def annotated(model: bpe.BPEModel, lock: hostile.lock) -> bpe.Step:
        return [model, lock]

    assert run(annotated, [(1, 2)]).results[0].value == [1, 2]


def test_a_hash_seed_that_stays():
    first, second = (
        run(lambda: list({"hug", "pug", "pun", "bun", "hugs"}), [()]).results[0].value
        for _ in range(2)
    )
    assert first == second


# --------------------------------------------------------------------------------------------------- what it may use


def test_an_exercise_may_allow_the_package():
    def uses(words):
        from subword_lab import bpe as here

        return [bpe.split_words(words), here.split_words(words)]

    assert run(uses, [(["hug"],)]).outcome == "error"
    assert (
        run(uses, [(["hug"],)], allow=["subword_lab"]).results[0].value
        == [{"hug": ["h", "u", "g"]}] * 2
    )


def test_the_answers_are_never_allowed():
    def imports():
        from subword_lab.exercises import core  # noqa: F401

    def imports_by_name():
        return importlib.import_module("subword_lab.exercises.instance")

    def uses():
        return processes.PACKAGE

    for function in imports, imports_by_name, uses:
        assert "asks for code of your own" in run(function, [()], allow=["subword_lab"]).message


@pytest.mark.parametrize("path", ["exercises/instance.py"])
def test_the_files_of_the_answers_are_never_allowed(path):
    outcome = run(
        lambda path: Path(path).read_text(),
        [(str(processes.PACKAGE / path),)],
        allow=["subword_lab"],
    )
    assert "asks for code of your own" in outcome.message


def test_the_environment_is_not_passed_on(monkeypatch):
    monkeypatch.setenv("SECRET", "sesame")
    names = run(lambda: sorted(os.environ), [()]).results[0].value
    assert "SECRET" not in names and "PATH" not in names


def test_the_folder_is_empty_and_goes_away():
    outcome = run(lambda: [os.getcwd(), os.listdir("."), Path("mine").write_text("6")], [()])
    folder, content, _ = outcome.results[0].value
    assert content == [] and not os.path.exists(folder)


def test_nothing_is_loaded_that_is_not_needed():
    loaded = run(
        lambda: sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names),
        [()],
    )
    assert loaded.results[0].value == ["__main__", "_running", "cloudpickle"]


def test_well_known_packages_can_be_used():
    pytest.importorskip("pandas")

    def counts(words):
        import pandas

        return pandas.Series(words).value_counts().to_dict()

    assert run(counts, [(["hug", "hug", "pug"],)], limits=Limits(seconds=30)).results[0].value == {
        "hug": 2,
        "pug": 1,
    }


# ------------------------------------------------------------------------------------------------------------ accidents


@pytest.mark.slow
def test_many_at_once():
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda number: run(hostile.double, [(number,)]), range(12)))
    assert [outcome.results[0].value for outcome in runs] == list(range(0, 24, 2))


def test_interrupted_by_the_learner(marks, monkeypatch):
    def interrupted(process):
        process._messages.get()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(processes.Process, "next", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(lambda: time.sleep(5), [()])
    assert processes.marked(marks[0]) == []


def test_a_python_that_does_not_start(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    outcome = run(hostile.double, [(3,)])
    assert outcome.outcome == "protocol" and "No process could be started" in outcome.message
    monkeypatch.setattr(sys, "executable", "/bin/false")
    outcome = run(hostile.double, [(3,)])
    assert outcome.outcome == "protocol"


def test_no_room_for_a_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(processes.tempfile, "tempdir", str(tmp_path / "nowhere"))
    outcome = run(hostile.double, [(3,)])
    assert outcome.outcome == "protocol" and "No process could be started" in outcome.message


def test_a_python_that_hangs_before_it_starts(monkeypatch, tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexec sleep 30\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr("subword_lab.running.function.STARTUP_SECONDS", 0.1)
    assert run(hostile.double, [(3,)]).outcome == "protocol"


def test_cases_that_are_thought_of_one_after_another(inside):
    def stops_at_two(number, kept=[]):  # noqa: B006           # one process
        kept.append(number)
        return sum(kept) if number != 2 else time.sleep(5)

    with calls(stops_at_two, limits=Limits(seconds=0.5)) as call:
        assert [call((number,)).value for number in (1, 3)] == [1, 4]
        assert [call((number,)).outcome for number in (2, 1)] == ["not run", "not run"]


def test_no_process_for_cases_one_after_another(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(OSError, match="/nowhere/python"), calls(hostile.double):
        pass


# -------------------------------------------------------------------------------------------------------- the sandbox


def test_a_sandbox_that_does_not_work_is_done_without(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    sandbox.works.cache_clear()
    with pytest.warns(
        RuntimeWarning, match="No permissions to create new namespace.*protects from accidents only"
    ):
        assert run(hostile.double, [(3,)]).results[0].value == 6
    assert run(hostile.double, [(4,)]).results[0].value == 8  # and says so once
    sandbox.works.cache_clear()


def test_in_the_sandbox_a_function_sees_and_changes_nothing(sandbox):
    def looks(paths):
        tried = []
        for folder in (".", "/", "/dev", *paths):
            try:
                open(os.path.join(folder, "mine"), "w").close()
                tried.append(folder)
            except OSError:
                pass
        return [
            tried,
            [path for path in paths if os.path.exists(path)],
            sum(name.isdigit() for name in os.listdir("/proc")),
        ]

    paths = [
        str(processes.PACKAGE / "running"),
        str(processes.PACKAGE / "exercises"),
        "/etc/passwd",
    ]
    (result,) = run(looks, [(paths,)]).results
    assert result.value == [["."], paths[:1], 2]  # bubblewrap's own process, and this one


class Elsewhere:
    """A module as another system has it: some names stand for something else, or are not there (None)."""

    def __init__(self, module, **names):
        self.module, self.names = module, names

    def __getattr__(self, name):
        found = self.names[name] if name in self.names else getattr(self.module, name)
        if found is None:
            raise AttributeError(f"this system has no {name}")
        return found


@pytest.mark.parametrize(
    "platform, names", [("win32", {"name": "nt", "killpg": None, "sysconf": None}), ("darwin", {})]
)
def test_on_systems_without_proc_or_without_groups_of_processes(
    platform, names, monkeypatch, tmp_path
):
    class Folder(type(Path())):
        def __new__(cls, *parts):
            return super().__new__(
                cls, *(tmp_path / "none" if part == "/proc" else part for part in parts)
            )

    def loop(number):
        while True:
            pass

    for module in (processes, sandbox):
        monkeypatch.setattr(module, "sys", Elsewhere(sys, platform=platform))
    monkeypatch.setattr(processes, "os", Elsewhere(os, **names))
    monkeypatch.setattr(processes, "Path", Folder)
    assert not sandbox.is_installed() and processes.marked("") == []
    assert run(str.upper, [("hug",)]).results[0].value == "HUG"
    assert run(loop, [(1,)], limits=Limits(seconds=0.5)).outcome == "timeout"


# ------------------------------------------------------------------------------------------------------ in this process


@pytest.fixture
def no_processes(monkeypatch):
    monkeypatch.setattr("subword_lab.running.function.CAN_START_PROCESSES", False)


def test_without_processes(no_processes):
    outcome = run(lambda number: print(number) or [2 * number], [(3,), (4,)])
    assert [result.value for result in outcome.results] == [[6], [8]]
    assert (outcome.printed, outcome.outcome) == ("3\n4\n", "ok")


def test_an_endless_loop_without_processes(no_processes):
    def loop(number):
        while number:
            try:
                number += 1
            except Exception:
                continue

    outcome = run(loop, [(0,), (1,), (2,)], limits=Limits(steps=10_000))
    assert [result.outcome for result in outcome.results] == ["value", "timeout", "not run"]
    assert outcome.results[1].line is not None
    assert outcome.message.startswith("The function was still running after 10000 steps (line ")


@pytest.mark.parametrize(
    "submission",
    [submission for submission in hostile.SUBMISSIONS if submission.answer in hostile.harmless],
    ids=lambda each: each.name,
)
def test_clumsy_without_processes(submission, no_processes):
    outcome = run(submission.answer, submission.cases)
    assert (outcome.outcome, outcome.mutated) == (submission.outcome, submission.mutated)
    assert submission.message in outcome.message
    assert all(type(result.value) in (str, int, type(None)) for result in outcome.results)


# ------------------------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "message",
    [
        READY,
        Cell(3, "ValueError", "no \ud800"),
        Result("value", {("u", "g"): b"ug"}),
        Run("ok", [Result("value", True), Result("not run", line=3)], "hug\n"),
    ],
)
def test_messages_arrive_as_they_were_sent(message):
    assert messages.from_json(messages.to_json(message), Cell, Result, Run, type(READY)) == message


@pytest.mark.parametrize(
    "line",
    [
        "",
        "7",
        "[]",
        "null",
        "{}",
        "hug",
        '{"is": "Cel',
        '{"is": ["Cell"], "number": 1}',
        '{"is": "Result", "value": 1}',
        '{"is": "Cell"}',
        '{"is": "Cell", "number": "1"}',
        '{"is": "Cell", "number": true}',
        '{"is": "Cell", "number": 1.0}',
        '{"is": "Cell", "number": 1, "score": 1}',
        '{"is": "Run", "outcome": "ok", "results": "no"}',
        '{"is": "Run", "outcome": "ok", "results": [{}]}',
        '{"is": "Run", "outcome": "ok", "results": {"list": []}}',
        '{"is": "Settings", "trust": true}',
        '{"is": "Cell", "number": {"tuple": 1}}',
        "[" * 100_000,
        b"\xff",
        b"",
    ],
)
def test_whatever_else_arrives_is_no_message(line):
    assert messages.from_json(line, Cell, Run) is None


@pytest.mark.parametrize(
    "message", [Cell("3"), Cell(True), Cell(3, None), Result("right"), Run("ok", [Cell(3)])]
)
def test_a_message_that_is_not_what_it_says_is_not_sent(message):
    with pytest.raises((TypeError, KeyError)):
        messages.to_json(message)


# ------------------------------------------------------------------------------------------------------------ notebooks


def test_a_notebook_runs_cell_by_cell():
    cells = [
        "import subprocess\nx = 1",
        "1 / 0",
        "x += 1\nsubprocess.Popen(['sleep', '30'], start_new_session=True)",
        "%matplotlib inline\nassert x == 2",
        "import inspect\ndef f():\n    return 1",
        "assert inspect.getsource(f) == 'def f():\\n    return 1'",
    ]
    with Session(cells, Settings(trust=True)) as session:
        told = list(session)
    assert told == [
        READY,
        Cell(1),
        Cell(2),
        Cell(2, "ZeroDivisionError", "division by zero"),
        Cell(3),
        Cell(4),
        Cell(5),
        Cell(6),
    ]
    assert (
        session.ended == "done"
        and processes.marked(session.mark) == []
        and not os.path.exists(session.folder)
    )


@pytest.mark.parametrize(
    "cell, seconds, ended",
    [
        ("import os\nos._exit(0)", 60, "gone"),
        ("while True: 0", 2, "done"),
        (
            "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: 0",
            2,
            "timeout",
        ),
    ],
    ids=["exits", "endless", "stubborn"],
)
def test_a_notebook_that_does_not_end_well(cell, seconds, ended):
    with Session([cell], Settings(seconds=seconds, trust=True)) as session:
        told = list(session)
    assert session.ended == ended
    assert [message.error for message in told[2:]] == ["CellTimeout"] * (ended == "done")


def test_a_notebook_that_cannot_be_run(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert trial(Settings(trust=True)) == "it ended (gone)"


@pytest.mark.usefixtures("sandbox")
def test_in_the_sandbox_there_is_nothing_else_and_few_processes_can_be_started():
    snooping = (
        f"import os\nseen = [path for path in ('/etc/passwd', {__file__!r}) if os.path.exists(path)]\n"
        "assert not seen and os.getcwd() == os.environ['HOME'] == '/sandbox', seen\n"
        f"import resource\nassert 0 < resource.getrlimit(resource.RLIMIT_NPROC)[0] <= {sandbox.PROCESSES}"
    )
    with Session([snooping], Settings()) as session:
        assert list(session) == [READY, Cell(1)]
    assert session.ended == "done"


def test_a_function_that_a_notebook_lends_is_called_there():
    cells = [
        "from subword_lab.exercises import load\ntotal = 7",
        "def merge(symbols, pair):\n    while pair == ('loop', ''):\n        pass\n    return [total, *symbols]",
        "load('bpe-16').check(merge)",
        "total += 1",
    ]
    told = []
    with Session(cells, answers.settings(0, "kim", "", seconds=60, trust=True)) as session:
        for message in session:
            told.append(message)
            if isinstance(message, answers.Answer):
                outcomes = [
                    session.run(
                        [(["a"], (side, "")), (["b"], ("", "")), ([], ("", ""))],
                        limits=Limits(seconds=1),
                    )
                    for side in ("", "loop")
                ]
                session.finish_run()
    assert [
        [(result.outcome, result.value) for result in outcome.results] for outcome in outcomes
    ] == [
        [("value", [7, "a"]), ("value", [7, "b"]), ("value", [7])],
        [("timeout", None), ("not run", None), ("not run", None)],
    ]
    assert told[-1] == Cell(4) and session.ended == "done"
