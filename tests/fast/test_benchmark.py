"""The benchmark compares, and prints a table."""

import pytest

from subword_lab import text


@pytest.mark.slow
def test_the_benchmark_prints_a_table_of_what_a_user_calls(tmp_path, capsys):
    from subword_lab_fast import benchmark

    (tmp_path / "passage.txt").write_text(text.load_passage() * 3, encoding="utf-8")
    options = ["--quick", "--calls", "1", str(tmp_path / "passage.txt")]
    benchmark.main([*options, "--rows", "WordPiece, lines"])
    benchmark.main([*options, "--rows", "train BPE"])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if "|" in line]
    works = {row[0]: row[1:] for row in rows}
    for work in "| WordPiece, lines to lists", "| train BPE, 32,000 tokens":
        first, _, later, _ = works[work]
        assert first.endswith(" s") and later.endswith(" s")
    assert "tokenizers" in works["| WordPiece, lines to lists"][1]
