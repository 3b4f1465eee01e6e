"""A learner's function: right answers come back, and whatever else it does is told and leaves nothing behind.

Notebooks and their sandbox have their tests beside those of marking.
"""

import importlib
import json
import os
import sys
import time
from collections import defaultdict
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import hostile
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab.running import Limits, Result, function, pickles, run
from subword_lab.running.values import Unusable, decode, encode


@pytest.fixture
def no_processes(monkeypatch):
    monkeypatch.setattr("subword_lab.running.function.CAN_START_PROCESSES", False)


def checked(submission, outcome):
    assert outcome.outcome in submission.outcome.split(" or "), outcome
    assert submission.message in outcome.message
    assert bool(outcome.message) == (outcome.outcome != "ok" or bool(submission.message))
    if submission.values is not None:
        assert tuple(result.value for result in outcome.results) == submission.values
    assert outcome.mutated == submission.mutated
    assert len(outcome.printed) <= 2100


@pytest.mark.slow
@pytest.mark.parametrize("submission", hostile.SUBMISSIONS, ids=lambda each: each.name)
def test_hostile(submission, tmp_path, monkeypatch):
    monkeypatch.setattr(function.tempfile, "tempdir", str(tmp_path))
    checked(submission, run(submission.answer, submission.cases, limits=submission.limits))
    assert not list(tmp_path.glob("subword-lab-*"))
    for _ in range(100):  # what was killed takes a moment to be gone
        if not left_behind():
            return
        time.sleep(0.1)
    raise AssertionError("a process was left behind")


def left_behind():
    """Whether what a submission starts is still there."""
    for line in Path("/proc").glob("[0-9]*/cmdline") if sys.platform == "linux" else ():
        with suppress(OSError):  # ended meanwhile
            if b"31.4159" in line.read_bytes():
                return True
    return False


@pytest.mark.parametrize(
    "submission", [each for each in hostile.SUBMISSIONS if each.here], ids=lambda each: each.name
)
def test_clumsy_without_processes(submission, no_processes):
    checked(submission, run(submission.answer, submission.cases))


# ------------------------------------------------------------------------------------------------- functions and values


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


def sent(value):
    return decode(json.loads(json.dumps(encode(value))))


@given(plain)
def test_values_survive_json(value):
    back = sent(value)
    assert back == value and repr(type(back)) == repr(type(value))
    assert encode(back) == encode(value)  # tuples are still tuples, True is not 1, -0.0 is not 0.0


@pytest.mark.parametrize(
    "value, expected",
    [
        (float("inf"), float("inf")),
        ("\ud800", "\ud800"),
        (10**4000, 10**4000),
        (HTTPStatus.OK, 200),
        (np.int64(3), 3),
        (defaultdict(int, a=1), {"a": 1}),
    ],
    ids=["infinity", "surrogate", "long", "enum", "numpy", "defaultdict"],
)
def test_special_values(value, expected):
    back = sent(value)
    assert back == expected and type(back) is type(expected)


def test_a_value_is_bounded_in_size_and_depth():
    assert encode(["hug", 7], most=7) == ["hug", 7]
    for value in (["hug", 77777777], ["hugs", 7], [[]] * 7, {"hug": b"ug"}, range(7)):
        with pytest.raises(Unusable):
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
    with pytest.raises(TypeError):  # a fraction that would have a billion digits
        decode({"fraction": ["1e999999999", 1]})


def stops_at_two(number, calls=[]):  # noqa: B006           # one process for all cases
    calls.append(number)
    return sum(calls) if number != 2 else time.sleep(5)


def test_what_came_before_the_end_is_kept():
    outcome = run(stops_at_two, [(1,), (3,), (2,), (4,)], limits=Limits(seconds=0.5))
    assert [(result.outcome, result.value) for result in outcome.results] == [
        ("value", 1),
        ("value", 4),
        ("timeout", None),
        ("not run", None),
    ]
    assert outcome.outcome == "timeout" and "time.sleep(5)" in outcome.message


def test_who_computes_beside_others_has_time_of_their_own():
    """What counts is what the function computes, and not how long others keep it waiting."""

    def waits():
        time.sleep(0.6)
        return 7

    assert run(waits, [()], limits=Limits(seconds=0.3)).results[0].value == 7


def test_an_exception_costs_its_own_case_and_is_placed_in_the_learners_code():
    def freqs(words):
        return json.loads(words)

    outcome = run(freqs, [("{",), ("3",)])
    wrong, three = outcome.results
    assert (wrong.outcome, wrong.error) == (outcome.outcome, "JSONDecodeError")
    assert wrong.message.startswith("Expecting property name") and outcome.outcome == "error"
    assert wrong.line == freqs.__code__.co_firstlineno + 1
    assert "return json.loads(words)" in outcome.message and three == Result("value", 3)


def test_what_is_printed_is_shown():
    outcome = run(lambda word: print("word:", word), [("hug",), ("ကမ္ဘာ",)])
    assert outcome.printed == "word: hug\nword: ကမ္ဘာ\n"
    outcome = run(lambda word: print(word * 10_000), [("hug",)])
    assert outcome.printed.startswith("hughug") and outcome.printed.endswith(" ...")


def test_what_is_written_past_standard_output_is_limited_too():
    """Or it would fill the memory of whoever waits for it."""

    def flood(number):
        import os

        for channel in range(2, 9):
            for _ in range(30):  # megabytes
                try:
                    os.write(channel, b"x" * 10**6)
                except OSError:
                    break
        return number

    assert run(flood, [(7,)]).outcome == "exit"


def test_where_it_runs(monkeypatch):
    """In an empty folder that goes away, with a short environment, and the same hashes in every run."""
    monkeypatch.setenv("SECRET", "sesame")

    def looks():
        Path("mine").write_text("6")
        return [os.getcwd(), os.listdir("."), sorted(os.environ), list({"hug", "pug", "pun"})]

    (first,), (second,) = run(looks, [()]).results, run(looks, [()]).results
    folder, content, names, words = first.value
    assert content == ["mine"] and not os.path.exists(folder)
    assert "SECRET" not in names and "PATH" not in names and words == second.value[3]


def test_a_file_in_a_folder_beside_the_package_is_the_learners(tmp_path, monkeypatch):
    """It is looked into, though the folder's name begins as the package's does."""
    monkeypatch.setattr(pickles, "PACKAGE", tmp_path / pickles.PACKAGE.name)
    mine = tmp_path / f"{pickles.PACKAGE.name}-mine"
    mine.mkdir()
    code = "import threading\n\nlock = threading.Lock()\n\n\ndef split(word):\n    return [word, lock]\n"
    (mine / "helpers_of_mine.py").write_text(code)
    monkeypatch.syspath_prepend(mine)
    outcome = run(importlib.import_module("helpers_of_mine").split, [("hug",)])
    assert "`lock`, which it uses, cannot be taken there" in outcome.message


def test_well_known_packages_can_be_used():
    def counts(words):
        import pandas

        return pandas.Series(words).value_counts().to_dict()

    (result,) = run(counts, [(["hug", "hug", "pug"],)], limits=Limits(seconds=30)).results
    assert result.value == {"hug": 2, "pug": 1}


# ------------------------------------------------------------------------------------------------------------ accidents


def test_interrupted_by_the_learner(monkeypatch, tmp_path):
    def interrupted(process, *how):
        started.append(process)
        raise KeyboardInterrupt

    started = []
    monkeypatch.setattr(function.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(function.subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(lambda: time.sleep(5), [()])
    assert started[0].returncode is not None and not list(tmp_path.iterdir())


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false", "hangs"])
def test_a_python_that_does_not_start(monkeypatch, tmp_path, python):
    if python == "hangs":
        python = tmp_path / "python"
        python.write_text("#!/bin/sh\nexec sleep 30\n")
        python.chmod(0o755)
        monkeypatch.setattr("subword_lab.running.function.STARTUP_SECONDS", 0.1)
    monkeypatch.setattr(sys, "executable", str(python))
    outcome = run(hostile.double, [(3,)], limits=hostile.SHORT)
    assert outcome.outcome == "protocol" and "No process could be started" in outcome.message


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
    assert outcome.message.startswith("The function was still running after 10,000 steps (line ")
