"""Classes that become dataclasses when they are first used: whatever comes first, they are what they should be."""

import dataclasses
import inspect
import pickle
import subprocess
import sys
from threading import Thread

import pytest

from subword_lab import bpe
from subword_lab.records import field, record


@pytest.fixture
def pair():
    @record
    class Pair:
        left: str
        count: int = field(default=1, repr=False)

    return Pair


@pytest.mark.parametrize(
    "look", [lambda cls: cls("h"), dataclasses.is_dataclass, dataclasses.fields, inspect.signature]
)
def test_whatever_is_asked_first_it_is_a_frozen_dataclass(pair, look):
    assert look(pair)
    assert str(inspect.signature(pair)) == "(left: str, count: int = 1) -> None"
    assert repr(pair("h", 2)).endswith("Pair(left='h')")
    assert dataclasses.replace(pair("h"), count=3) == pair("h", 3) and hash(pair("h")) == hash(
        pair("h")
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair("h").left = "u"


def test_options_of_a_class_above_and_of_the_class_itself():
    @record(kw_only=True)
    class Above:
        size: int = 3

    @record(kw_only=True)
    class Below(Above):
        ties: str = "first-seen"

    assert Below(size=4) == Below(size=4, ties="first-seen") != Above(size=4)
    with pytest.raises(TypeError):
        Below(4)


def test_several_threads_at_once(pair):
    made = []
    threads = [Thread(target=lambda: made.append(pair("h"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [pair("h")] * 8


def test_an_object_from_another_process_is_whole():
    model = bpe.train({"hug": 2}, num_merges=1)
    code = (
        "import pickle, sys; model = pickle.load(sys.stdin.buffer); import subword_lab.bpe as bpe; "
        "assert model == bpe.BPEModel(model.vocab, model.merges, stopped=model.stopped); print(model)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(model), capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == repr(model)


def test_importing_an_algorithm_imports_next_to_nothing():
    code = "import sys; import subword_lab.bpe; print(*{'dataclasses', 'inspect', 're', 'typing'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == ""
