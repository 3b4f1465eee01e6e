"""Files counted and encoded on many machines, and which of them are left as they are."""

import os
import signal
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, folders, streaming, text
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


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_cluster_counts_the_same_in_the_same_order_and_a_worker_that_dies_costs_time_only(
    tmp_path, monkeypatch
):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'"
    )
    paths = [tmp_path / f"{number}.txt" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_text(f"first {number}\n" + text.load_passage() * 3, encoding="utf-8")
    monkeypatch.setattr(cluster, "PART", 5_000)
    expected = text.word_freqs(
        [line for path in paths for line in path.read_text("utf-8").splitlines(keepends=True)]
    )
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two,
        distributed.Client(two, set_as_default=False) as client,
    ):
        assert list(
            text.word_freqs(paths, engine="dask", cluster=two.scheduler_address).items()
        ) == list(expected.items())
        parts = cluster.counted_parts(paths, text.word_freqs, client)
        added = Counter(next(parts))
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        for counts in parts:
            added.update(counts)
        assert list(added.items()) == list(expected.items())
        paths[2].write_bytes(b"fine\n" * 2_000 + b"na\xefve\n")
        with pytest.raises(ValueError, match=r"2\.txt: the byte 0xEF at offset 10002 is no UTF-8"):
            text.word_freqs(paths, engine="dask", cluster=client)
        with pytest.raises(ValueError, match=r"missing\.txt', which cannot be read: No such file"):
            text.word_freqs([tmp_path / "missing.txt"], engine="dask", cluster=client)


@pytest.mark.slow
def test_a_cluster_encodes_a_folder_and_goes_on_where_it_stopped(tokenizer, tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'"
    )
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path in paths:
        path.write_text(f"{path.name} <|endoftext|> " + text.load_passage(), encoding="utf-8")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two,
        distributed.Client(two, set_as_default=False) as client,
    ):
        there = folders.encode_files(
            tokenizer, paths, tmp_path / "there", engine="dask", cluster=client
        )
    here = folders.encode_files(tokenizer, paths, tmp_path / "here")
    assert [path.read_bytes() for path in there] == [path.read_bytes() for path in here]


def test_a_tokenizer_is_trained_from_the_counts_of_a_cluster(tmp_path):
    distributed = pytest.importorskip(
        "distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'"
    )
    paths = [tmp_path / f"{number}.txt" for number in range(2)]
    for path in paths:
        path.write_text(f"{path.name}\n" + text.load_passage(), encoding="utf-8")
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines(keepends=True)]
    with distributed.Client(
        processes=False, threads_per_worker=1, dashboard_address=None, set_as_default=False
    ) as client:
        for algorithm in ("bpe", "wordpiece", "unigram"):
            there = Tokenizer.train(paths, algorithm, 400, engine="dask", cluster=client)
            assert there.parts == Tokenizer.train(lines, algorithm, 400).parts
    for wrong in ({"rules": Rules()}, {"normalization": [Trim()]}):
        with pytest.raises(ValueError, match=r"engine is 'dask', with rules .* expected no rules"):
            Tokenizer.train(paths, "unigram", 400, engine="dask", **wrong)
    with pytest.raises(ValueError, match="cluster is 'here'; it belongs to engine='dask'"):
        Tokenizer.train(lines, cluster="here")


def test_a_folder_is_encoded_file_by_file_and_what_is_done_is_left(tokenizer, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    paths[0].write_text("the tea", encoding="utf-8")
    paths[1].write_bytes(b"na\xefve")
    with pytest.raises(ValueError, match=r"b\.txt: the byte 0xEF at offset 2 is no UTF-8"):
        folders.encode_files(tokenizer, paths, tmp_path / "ids")
    first = (tmp_path / "ids" / "a.txt.npy").stat()
    paths[1].write_text("the cup<|endoftext|>", encoding="utf-8")
    arrays = folders.encode_files(tokenizer, paths, tmp_path / "ids")
    assert arrays[0].stat().st_mtime_ns == first.st_mtime_ns
    assert [np.load(path).tolist() for path in arrays] == [
        tokenizer.encode(string, disallowed_special=()).ids
        for string in ("the tea", "the cup<|endoftext|>")
    ]
    os.utime(paths[0], (first.st_atime + 60, first.st_mtime + 60))
    folders.encode_files(tokenizer, paths, tmp_path / "ids")
    assert arrays[0].stat().st_mtime_ns > first.st_mtime_ns
    with pytest.raises(ValueError, match=r"two files named 'a\.txt'"):
        folders.encode_files(tokenizer, [paths[0], paths[0]], tmp_path / "ids")


def test_a_cluster_belongs_to_one_engine_and_has_to_be_there(tmp_path):
    with pytest.raises(
        ValueError, match="cluster is 'here'; it belongs to engine='dask', and engine is None"
    ):
        text.word_freqs(["hug"], cluster="here")
    pytest.importorskip("distributed", reason="is an extra: pip install 'subword-lab-fast[dask]'")
    with pytest.raises(ValueError, match="no Dask cluster answers at 'nowhere'"):
        text.word_freqs([], engine="dask", cluster="nowhere")
