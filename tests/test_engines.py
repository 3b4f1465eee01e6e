"""Who does the work: Python without the extra, compiled code where it is worth the wait, and nothing breaks."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from subword_lab import Tokenizer, bpe, engines, text, unigram, wordpiece

forget = engines.find.cache_clear


@pytest.fixture
def without_extras(monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **asked: ())
    forget()
    yield
    forget()


def engine_that_waits(monkeypatch, wait, start=lambda work: None):
    engine = SimpleNamespace(wait=lambda work: wait, start=start)
    entry = SimpleNamespace(load=lambda: engine)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **asked: [entry])
    forget()
    return engine


@pytest.mark.parametrize("wait, size, compiled", [(0.6, 600_000, False), (0.6, 640_000, True)])
def test_compiled_code_is_taken_if_python_takes_more_than_twice_the_wait(
    monkeypatch, without_extras, wait, size, compiled
):
    engine = engine_that_waits(monkeypatch, wait)
    assert engines.choose(None, merging=size) is (engine if compiled else None)
    assert engines.choose("python", merging=size) is None
    assert engines.choose("compiled", merging=1) is engine


@pytest.mark.parametrize("lesson", [False, True])
def test_long_work_without_compiled_code_says_once_how_to_get_it(
    monkeypatch, without_extras, capsys, lesson
):
    engine_that_waits(monkeypatch, 10)
    engines.say_once.cache_clear()
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    if not lesson:
        monkeypatch.delitem(sys.modules, "ipykernel")
    assert engines.choose(None, merging=600_000) is None
    assert not capsys.readouterr().err
    for _ in range(2):
        assert engines.choose(None, merging=2_000_000) is None
    assert capsys.readouterr().err.count("-m subword_lab_fast") == (not lesson)


def test_small_work_looks_for_no_engine(monkeypatch, without_extras):
    monkeypatch.setattr(engines, "find", None)
    assert engines.choose(None, counting=100_000, merging=10_000) is None


def test_everything_works_without_an_engine(without_extras, monkeypatch):
    monkeypatch.setattr(engines, "LOADED", 0)
    monkeypatch.setattr(engines, "CALL", 0)
    lines = text.load_passage().splitlines()
    for algorithm in "bpe", "wordpiece", "unigram":
        tokenizer = Tokenizer.train(lines, algorithm, 400)
        ids = [each.ids for each in tokenizer.encode_batch(lines)]
        assert tokenizer.decode_batch(ids) == [tokenizer.decode(each) for each in ids]
    with pytest.raises(ValueError, match="not installed; install it with: pip install subword-lab"):
        bpe.train({"hug": 1}, num_merges=1, engine="compiled")
    with pytest.raises(ValueError, match="engine='dask' needs an extra that is not installed"):
        text.word_freqs([], engine="dask")


def test_an_engine_that_is_broken_is_named_and_left_alone(monkeypatch, without_extras, capsys):
    def broken(*work):
        raise ImportError("Numba needs NumPy 2.3 or less")

    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda **asked: [SimpleNamespace(load=broken)]
    )
    assert engines.choose(None, merging=10**9) is None
    assert "the engine 'compiled' cannot be loaded: Numba needs NumPy" in capsys.readouterr().err
    engine_that_waits(monkeypatch, 0, broken)
    assert engines.choose(None, merging=10**9) is engines.choose(None, merging=10**9) is None
    assert capsys.readouterr().err.count("Numba needs NumPy") == 1
    with pytest.raises(ValueError, match="engine is 'compiled', which cannot be started: Numba"):
        engines.choose("compiled")


@pytest.mark.parametrize(
    "train",
    [
        lambda **engine: bpe.train({"hug": 1}, num_merges=1, **engine),
        lambda **engine: bpe.train({"hug": 1}, num_merges=1, ties="greatest", **engine),
        lambda **engine: wordpiece.train({"hug": 1}, num_merges=1, score="frequency", **engine),
        lambda **engine: unigram.train({"hug": 1}, vocab_size=3, initial_size=3, **engine),
        lambda **engine: text.word_freqs([], **engine),
    ],
)
def test_an_engine_that_is_not_known_is_refused(train):
    with pytest.raises(ValueError, match="engine is 'rust'; expected one of 'python', 'compiled'"):
        train(engine="rust")


@pytest.mark.slow
def test_the_first_compilation_is_announced_and_kept(tmp_path):
    pytest.importorskip("subword_lab_fast")
    code = (
        "from subword_lab_fast import engine\n"
        "print(engine.wait(['decoding']))\n"
        "assert engine.decoder({0: b'hug'}).decode([0, 0]) == b'hughug'"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "NUMBA_CACHE_DIR": str(tmp_path),
                "SUBWORD_LAB_WITHOUT_LIBRARY": "1",
            },
        )
        for _ in range(2)
    )
    said = "subword_lab: compiling the fast engine; this happens once"
    assert first.stderr.startswith(said) and not second.stderr
    assert float(first.stdout) > 5 and float(second.stdout) < 1
