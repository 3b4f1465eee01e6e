"""Hints and solutions in a learner's code: what costs something, and what does not."""

from unittest.mock import Mock

import pytest

from subword_lab_teach import hints
from subword_lab_teach.hints import asked_for

IDS = ["bpe-01", "bpe-02"]


@pytest.mark.parametrize(
    "cells, count",
    [
        (["bpe_01.hint()", "load('bpe-01').hint()"], 2),
        (["for _ in 'ab':\n    exercises.load('bpe-02').another().hint()"], 1),
        (["ex = other = load('bpe-01')", "ex = ex.another()", "ex.hint(), other.hint()"], 2),
        (["mine = Mine(); mine.hint()", "bpe_01 = Mine('bpe-01'); bpe_01.hint()"], 0),
        (["ex = load('bpe-01'); ex.hint(); ex = mine; ex.hint()"], 1),
        (["load('no-such').hint()"], 0),
        (["# bpe_01.hint()", "print('bpe_01.hint()')"], 0),
        (["%matplotlib inline\n# bpe_01.hint()\n'bpe_01.hint()'"], 0),
        (["%matplotlib inline\nfiles = !ls\nfiles?\nif files:\n    !pwd\nbpe_01.hint()"], 1),
        (["%%time\nbpe_01.hint()", "%timeit -n 1 -r 1 bpe_02.hint()"], 2),
        (["%%capture --no-stderr out\nbpe_01.hint()", "%%bash\nbpe_01.hint()"], 1),
        (["bpe_01.hint() = what is this"], 0),
    ],
)
def test_hints_are_what_the_code_asks_an_exercise_for(cells, count):
    assert asked_for([cells], IDS) == ({"hint": count} if count else {}, True)


def test_what_several_notebooks_ask_for_is_counted_once():
    first = ["bpe_01.hint()", "bpe_01.hint()", "bpe_01.solution()"]
    near_copy, other = [*first[1:], "1"], ["ex = load('bpe-02')", "ex.hint()"]
    assert asked_for([first, first, near_copy, other], IDS)[0] == {"hint": 3, "solution": 1}


def test_little_of_much_code_is_looked_at_and_without_pythons_warnings(monkeypatch, recwarn):
    read = Mock(wraps=hints.parsed)
    monkeypatch.setattr(hints, "parsed", read)
    flood, long = "1if 1else 1\n" * 1_600 + "bpe_01.hint()", "1;" * 9_999 + "bpe_01.hint()"
    assert asked_for([["1if 1else 1"] * 50, [flood, long]], IDS) == ({"hint": 1}, False)
    assert read.call_count == 1 and not recwarn.list
    assert asked_for([[flood] * 30] * 3, IDS) == ({"hint": 5}, False)
    assert sum(len(call.args[0]) for call in read.mock_calls) <= hints.MOST_READ + len(flood)
