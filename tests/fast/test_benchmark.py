"""The benchmark compares, and prints a table."""

import re

import pytest

from subword_lab import text


@pytest.mark.slow
@pytest.mark.parametrize("work", ["WordPiece, lines to lists", "train BPE, 32,000 tokens"])
def test_the_benchmark_prints_a_table_of_what_a_user_calls(tmp_path, capsys, work):
    from subword_lab_fast import benchmark

    path = tmp_path / "passage.txt"
    path.write_text(text.load_passage() * 3, encoding="utf-8")
    benchmark.main(["--quick", "--calls", "1", "--rows", work[:9], str(path)])
    row = rf"^\| {work} \| [\d.]+ s \| .*tokenizers.* \| [\d.]+ s \|"
    assert re.search(row, capsys.readouterr().out, re.MULTILINE)
