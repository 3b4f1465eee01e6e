"""The library of compiled code: made by one command, taken without numba, and never if it was made of another text."""

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from subword_lab_fast import __main__, engine, library

FILES = ["tests/fast/test_fast_encoding.py", "tests/fast/test_fast_training.py"]
RUN = subprocess.run
JOB = """
import sys
from subword_lab import Tokenizer, text
lines = text.load_passage().splitlines()
for algorithm in "bpe", "wordpiece", "unigram":
    Tokenizer.train(lines, algorithm, 600, engine="compiled").encode_array(lines * 300)
assert "subword_lab_fast.word_table" in sys.modules and "numba" not in sys.modules
"""


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """The user's folder of libraries; the package's own may hold none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(library, "HERE", tmp_path / "package")
    monkeypatch.delenv(library.WITHOUT, raising=False)
    for each in library.find, library.load, engine._is_kept:
        each.cache_clear()
    yield tmp_path / "subword-lab-fast"
    for each in library.find, library.load, engine._is_kept:
        each.cache_clear()


def run(*arguments, **variables):
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


@pytest.mark.slow
def test_all_kinds_of_work_find_their_code_on_disk():
    """In a process of its own: a library that is there already is not taken."""
    job = "from subword_lab_fast import __main__, engine; __main__.use_everything(); "
    run("-c", f"{job}assert engine.wait(engine.COMPILED) < engine.NEVER", **{library.WITHOUT: "1"})


@pytest.mark.slow
@pytest.mark.skipif(bool(__main__.obstacle()), reason=__main__.obstacle())
def test_the_library_does_all_work_without_numba(own_folder, tmp_path, monkeypatch):
    """What is tested of the compiled functions holds of those in the library."""

    def with_what_is_kept(*command, env, **options):
        return RUN(*command, env={**env, "NUMBA_CACHE_DIR": ""}, **options)

    monkeypatch.setattr(subprocess, "run", with_what_is_kept)
    own_folder.mkdir()
    file = __main__.build(own_folder)
    assert [*own_folder.iterdir()] == [file] and library.find() == file
    monkeypatch.setattr(subprocess, "run", RUN)
    assert engine.wait(engine.COMPILED) < 0.2
    variables = {"XDG_CACHE_HOME": str(tmp_path)}
    assert not run("-c", JOB, **variables)
    few = ["-n0", "-p", "no:cacheprovider", "--hypothesis-profile=fast"]
    run("-m", "pytest", *few, *FILES, **variables)


def test_a_library_of_another_text_is_not_taken(own_folder, monkeypatch):
    own_folder.mkdir()
    (own_folder / ("compiled_00000000" + EXTENSION_SUFFIXES[0])).touch()
    assert library.find() is None and library.load() is None
    file = own_folder / (library.name() + EXTENSION_SUFFIXES[0])
    file.touch()
    library.find.cache_clear()
    assert library.find() == file
    monkeypatch.setenv(library.WITHOUT, "1")
    library.find.cache_clear()
    assert library.find() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a system without users")
def test_a_library_that_others_can_have_written_is_not_taken(own_folder, capsys):
    own_folder.mkdir()
    (own_folder / (library.name() + EXTENSION_SUFFIXES[0])).touch()
    own_folder.chmod(0o777)
    assert library.find() is None
    assert f"others than you can write {own_folder}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["XDG_CACHE_HOME", "HOME"])
def test_no_library_is_taken_from_where_one_happens_to_be(own_folder, tmp_path, name, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv(name, ".")
    monkeypatch.chdir(tmp_path)
    for folder in own_folder, tmp_path / ".cache" / own_folder.name:
        folder.mkdir(parents=True)
        (folder / (library.name() + EXTENSION_SUFFIXES[0])).touch()
    assert library.find() is None


def test_a_library_that_is_damaged_is_named_and_left_alone(own_folder, capsys):
    own_folder.mkdir()
    (own_folder / (library.name() + EXTENSION_SUFFIXES[0])).write_bytes(b"no library")
    assert library.load() is None and library.load() is None
    assert capsys.readouterr().err.count("cannot be loaded") == 1


def test_without_a_compiler_numba_keeps_code_on_disk(own_folder, monkeypatch, capsys):
    used = []
    monkeypatch.setattr(__main__, "obstacle", lambda: "it needs a C compiler")
    monkeypatch.setattr(__main__, "use_everything", lambda: used.append(True))
    __main__.main([])
    assert used and not own_folder.exists()
    said = capsys.readouterr().err
    assert said == "No library is made: it needs a C compiler\nThe engine is compiled.\n"
    with pytest.raises(SystemExit):
        __main__.main(["folder"])
