"""Files of strangers that were made to do harm: each is refused in words, in little time and memory."""

import io
import json
import os
import tracemalloc

import pytest

from subword_lab import Tokenizer, cli, lattice
from subword_lab.exercises import classroom, load, progress
from subword_lab.normalization import CharMap, Prepend, Replace, apply, trace
from subword_lab.unigram import UnigramModel


@pytest.mark.parametrize("steps", [[Replace("a", "aa")] * 40, [Prepend("b" * 32)] * 70])
@pytest.mark.parametrize("normalized", [apply, trace])
def test_a_text_that_grows_without_end_is_refused(steps, normalized):
    with pytest.raises(ValueError, match=r"normalization makes .* characters of 1;"):
        normalized("a", steps)


@pytest.mark.parametrize(
    "step",
    [
        lambda: Replace("a", "a" * 100_000),
        lambda: Prepend("a" * 100_000),
        lambda: CharMap(b"\4\0\0\0" + bytes(4) + b"a" * 100_000 + b"\0"),
    ],
)
def test_no_step_puts_in_more_than_any_tokenizer_needs(step):
    with pytest.raises(ValueError, match="normalization puts 100,000 characters"):
        step()


def test_a_name_that_stands_twice_among_very_many_is_found_at_once(tmp_path):
    path = tmp_path / "tokenizer.json"
    names = [f'"{number}": 0' for number in range(400_000)]
    path.write_text("{" + ", ".join([*names, names[-1]]) + "}")
    with pytest.raises(ValueError, match="'399999' stands twice"):
        Tokenizer.load(path)


def test_progress_without_end_is_not_imported(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "LARGEST_IMPORT", 100)
    (tmp_path / "endless.jsonl").write_text("\n" * 101)
    with pytest.raises(progress.ProgressError, match="it is larger than 100 bytes"):
        progress.import_(tmp_path / "endless.jsonl")


def test_of_settings_of_a_class_only_so_much_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / classroom.FILE).write_text(" " * classroom.LARGEST_FILE + "{}")
    with pytest.raises(ValueError, match="is damaged"):
        classroom.settings()


def test_a_score_that_is_no_float_is_refused(tmp_path):
    path = tmp_path / "tokenizer.json"
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["?", 0], ["a", -(10**400)]]}
    path.write_text(json.dumps({"model": model}))
    with pytest.raises(ValueError, match=r"tokenizer\.json: int too large"):
        Tokenizer.load(path)


def test_the_best_way_through_a_long_word_keeps_no_list_of_all_roads():
    model = UnigramModel({"a" * length: float(length) for length in range(1, 101)})
    tracemalloc.start()
    try:
        lattice.viterbi("a" * 1_000, model)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_closed_standard_input_is_said(tmp_path, monkeypatch, capsys):
    path = tmp_path / "tokenizer.json"
    Tokenizer.train(["hug"], "bpe", vocab_size=300).save(path)
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO()))
    assert cli.main(["encode", "--tokenizer", str(path)]) == 1
    assert "standard input is closed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '{"exercises": [1]}', r'{"learner": "\ud800"}', '{"seed": 1%s}' % ("0" * 18)],
)
def test_settings_of_a_class_that_cannot_be_are_a_valueerror(content, tmp_path, monkeypatch):
    (tmp_path / classroom.FILE).write_text(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"subword-lab-class\.json|at most 18 digits"):
        load("bpe-01")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_a_pipe_in_place_of_settings_is_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / classroom.FILE)
    monkeypatch.chdir(tmp_path)
    writer = os.open(tmp_path / classroom.FILE, os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, b'{"seed": 5}')
    try:
        assert classroom.settings().seed == 0
    finally:
        os.close(writer)


def test_a_model_of_empty_pieces_is_refused_at_the_first(tmp_path):
    (tmp_path / "many.model").write_bytes(b"\x0a\x00" * 1_000_000)
    with pytest.raises(ValueError, match="a piece of the model is empty"):
        Tokenizer.from_sentencepiece(tmp_path / "many.model")
