"""Files counted and encoded on many machines, and which of them are left as they are."""

import os
import signal
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, streaming, text
from subword_lab.normalization import Trim
from subword_lab.pieces import Rules
from subword_lab_fast import cluster


@given(
    st.text(st.sampled_from("ab é字 \n\n\r"), max_size=60), st.integers(1, 20), st.integers(4, 9)
)
def test_every_line_of_a_file_is_in_one_part_of_it(tmp_path_factory, string, size, longest):
    path = tmp_path_factory.getbasetemp() / "parts.txt"
    path.write_bytes(string.encode())
    with (
        mock.patch("subword_lab.streaming.LONGEST_LINE", longest),
        mock.patch("subword_lab_fast.cluster.PART", size),
    ):
        with open(path, "rb") as file:
            whole = list(streaming.lines(file, "whole"))
        assert [
            line for part in cluster.parts_of([path]) for line in cluster.lines_of(*part)
        ] == whole
    assert "".join(whole) == string


@pytest.fixture(scope="module")
def client():
    """A client of a cluster of two processes."""
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'"
    )
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two,
        distributed.Client(two, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def paths(tmp_path):
    """Files that begin with their names."""
    found = [tmp_path / f"{number}.txt" for number in range(4)]
    for path in found:
        path.write_text(f"{path.name} <|endoftext|>\n" + text.load_passage(), encoding="utf-8")
    return found


def lines_of(paths):
    return [line for path in paths for line in path.read_text("utf-8").splitlines(keepends=True)]


@pytest.mark.slow
def test_files_are_encoded_and_tokenizers_trained_as_without_a_cluster(
    client, tokenizer, paths, tmp_path
):
    there = cluster.encode_files(
        tokenizer, paths, tmp_path / "there", engine="dask", cluster=client
    )
    here = cluster.encode_files(tokenizer, paths, tmp_path / "here")
    assert [path.read_bytes() for path in there] == [path.read_bytes() for path in here]
    for algorithm in ("bpe", "wordpiece", "unigram"):
        trained = Tokenizer.train(paths, algorithm, 400, engine="dask", cluster=client)
        assert trained.parts == Tokenizer.train(lines_of(paths), algorithm, 400).parts


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_words_are_counted_in_the_same_order_and_a_worker_that_dies_costs_time_only(
    client, paths, monkeypatch
):
    monkeypatch.setattr(cluster, "PART", 2_000)
    expected = text.word_freqs(lines_of(paths))
    counts = text.word_freqs(paths, engine="dask", cluster=client.scheduler.address)
    assert [*counts.items()] == [*expected.items()]
    parts = cluster.counted_parts(paths, text.word_freqs, client)
    added = Counter(next(parts))
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    for counts in parts:
        added.update(counts)
    assert [*added.items()] == [*expected.items()]
    paths[2].write_bytes(b"fine\n" * 2_000 + b"na\xefve\n")
    for path, told in (
        (paths[2], r"2\.txt: the byte 0xEF at offset 10002 is no UTF-8"),
        (paths[0].with_name("missing.txt"), r"missing\.txt', which cannot be read: No such file"),
    ):
        with pytest.raises(ValueError, match=told):
            text.word_freqs([path], engine="dask", cluster=client)


def test_a_folder_is_encoded_file_by_file_and_what_is_done_is_left(tokenizer, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    paths[0].write_text("the tea", encoding="utf-8")
    paths[1].write_bytes(b"na\xefve")
    with pytest.raises(ValueError, match=r"b\.txt: the byte 0xEF at offset 2 is no UTF-8"):
        cluster.encode_files(tokenizer, paths, tmp_path / "ids")
    first = (tmp_path / "ids" / "a.txt.npy").stat()
    paths[1].write_text("the cup<|endoftext|>", encoding="utf-8")
    arrays = cluster.encode_files(tokenizer, paths, tmp_path / "ids")
    assert arrays[0].stat().st_mtime_ns == first.st_mtime_ns
    assert [np.load(path).tolist() for path in arrays] == [
        tokenizer.encode(string, disallowed_special=()).ids
        for string in ("the tea", "the cup<|endoftext|>")
    ]
    os.utime(paths[0], (first.st_atime + 60, first.st_mtime + 60))
    cluster.encode_files(tokenizer, paths, tmp_path / "ids")
    assert arrays[0].stat().st_mtime_ns > first.st_mtime_ns
    with pytest.raises(ValueError, match=r"two files named 'a\.txt'"):
        cluster.encode_files(tokenizer, [paths[0], paths[0]], tmp_path / "ids")


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda: text.word_freqs(["hug"], cluster="here"), "cluster is 'here'; it belongs to eng"),
        (lambda: Tokenizer.train(["hug"], cluster="here"), "cluster is 'here'; it belongs to eng"),
        (lambda: text.word_freqs([], engine="dask", cluster="nowhere"), "answers at 'nowhere'"),
        *(
            (
                lambda wrong=wrong: Tokenizer.train([], "unigram", 400, engine="dask", **wrong),
                "engine is 'dask', with rules .* expected no rules",
            )
            for wrong in ({"rules": Rules()}, {"normalization": [Trim()]})
        ),
    ],
)
def test_what_no_cluster_does_is_told(call, told):
    pytest.importorskip("distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'")
    with pytest.raises(ValueError, match=told):
        call()
