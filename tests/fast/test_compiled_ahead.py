"""`python -m subword_lab_fast` leaves nothing to be compiled when work comes."""

import pytest

from subword_lab_fast import __main__, engine


@pytest.mark.slow
def test_all_kinds_of_work_find_their_code_on_disk(capsys):
    __main__.main()
    assert capsys.readouterr().err.endswith("The engine is compiled.\n")
    engine._is_kept.cache_clear()
    assert engine.wait(engine.COMPILED) < engine.NEVER
