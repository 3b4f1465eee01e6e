"""Every documented example, reproduced with the package's own functions; every erratum, what is said and what is true."""
import re
from fractions import Fraction
from pathlib import Path

import pytest
import reproductions

from subword_lab import documented
from subword_lab.documented import first_difference

PROOFS = reproductions.load()
ROWS = [documented.example(id) for id in documented.ids()]
CHECKABLE = [row for row in ROWS if row.verdict != "not checkable"]


@pytest.mark.parametrize("id, part", sorted(PROOFS))
def test_reproduced(id, part):
    row = documented.example(id)
    value = PROOFS[id, part](row.input)
    assert not first_difference(getattr(row, part), value), f"{row.note} ({row.where})"
    if row.verdict == "erratum" and row.expected is not None:
        said_is_not_true = first_difference(row.expected, row.actual)
        assert said_is_not_true, "an erratum whose documented value is the true one"


@pytest.mark.parametrize("row", CHECKABLE, ids=lambda row: row.id)
def test_every_value_has_a_proof(row):
    parts = ["actual"] if row.verdict == "erratum" else [p for p in ("expected", "actual") if getattr(row, p) is not None]
    assert parts, "a checkable row needs a value"
    missing = [part for part in parts if (row.id, part) not in PROOFS]
    assert not missing, f"no function in tests/reproductions proves {missing}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row_is_well_formed(row):
    assert row.verdict in documented.VERDICTS
    assert row.sources and set(row.sources) <= set(documented.SOURCES)
    assert row.note and row.feature
    assert re.fullmatch(r"0\d_[a-z_]+", row.lesson)
    assert (row.kind in documented.KINDS) == (row.verdict == "erratum")
    assert row.verdict != "supplement" or row.expected is None
    assert row.verdict not in ("reproduced", "quirk") or row.said or row.expected is not None or row.actual is not None
    assert row.verdict != "erratum" or row.said or row.expected is not None


def test_the_rows_are_those_of_the_sources():
    """One row for each claim, where the list of claims is at hand."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "sources"
    if not folder.is_dir():
        pytest.skip(f"the list of claims is not at {folder}; it is not part of the project")
    lists = [(folder / name).read_text(encoding="utf-8") for name in ("claims.yaml", "supplements.yaml")]
    claims = [id for text in lists for id in re.findall(r"^- id: (\S+)$", text, flags=re.MULTILINE)]
    assert sorted(documented.ids()) == sorted(claims)


def test_unknown_id_names_close_ones():
    with pytest.raises(ValueError, match="'bpe-hug-pair-ug-2'.*did you mean 'bpe-hug-pair-ug-20'"):
        documented.example("bpe-hug-pair-ug-2")
    with pytest.raises(ValueError, match="documented.ids"):
        documented.compare("@", 1)


@pytest.mark.parametrize("one, other", [
    ([["h", "u"], 15], (("h", "u"), 15)),
    ([[["h", "u"], 15], [["u", "g"], 20]], {("u", "g"): 20, ("h", "u"): 15}),
    ([[["h", "u"], "1/36"], [["u", "g"], 0.3]], {("u", "g"): 0.1 + 0.2, ("h", "u"): Fraction(1, 36)}),
    ({"hug": [1, 2]}, {"hug": (1, 2)}),
    (["b", "a"], {"a", "b"}),
    ("1/36", Fraction(2, 72)),
    (0.1 + 0.2, 0.3),
    (1, 1.0),
])
def test_alike(one, other):
    assert first_difference(one, other) == ""


@pytest.mark.parametrize("one, other, told", [
    ([["u", "g"], ["u", "n"]], [["u", "g"]], "yours ends after 1 of 2; next would be ['u', 'n']"),
    (["ug"], ["ug", "un"], "yours goes on after the documented 1, with 'un'"),
    ({"hug": 1}, {}, "your dictionary lacks 'hug', documented as 1"),
    ({}, {"hug": 1}, "your dictionary holds 'hug', which is not documented"),
    ({"hug": [1]}, {"hug": [2]}, "at ['hug'][0]: documented is 1, yours is 2"),
    ([[["u", "g"], 20]], {("u", "g"): 19}, "at [0][1]: documented is 20, yours is 19"),
    (["a", "b"], {"a", "c"}, "at [1]: documented is 'b', yours is 'c'"),
    (["a"], ["b", "a"], "at [0]: documented is 'a', yours is 'b'"),
    (0.3, 0.3000001, "documented is 0.3, yours is 0.3000001"),
    (1, True, "documented is 1, yours is True"),
    ("ug", ["u", "g"], "documented is 'ug', yours is ['u', 'g']"),
    ("1/36", Fraction(1, 35), "documented is '1/36', yours is Fraction(1, 35)"),
])
def test_first_difference(one, other, told):
    assert first_difference(one, other) == told
