"""The benchmark compares, and prints a table."""

import pytest

from subword_lab import text


@pytest.mark.slow
def test_the_benchmark_prints_a_table_of_what_a_user_calls(tmp_path, capsys):
    from subword_lab_fast import benchmark

    (tmp_path / "passage.txt").write_text(text.load_passage() * 3, encoding="utf-8")
    benchmark.main(["--quick", "--rounds", "1", str(tmp_path / "passage.txt")])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[3:]]
    works = {
        row[0].removeprefix("| passage.txt: ").strip() for row in rows if row[1].strip() == "ours"
    }
    assert {"train BPE, 2000 tokens", "bpe, ids of texts, cold", "decode a list"} <= works
    assert {"unigram, ids of lines, known", "a word of 50 KB"} <= works
