"""Every documented example, reproduced with the package's functions; every erratum, what is said and what is true."""
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import reproductions

from subword_lab import documented, lessons
from subword_lab.documented import first_difference

PROOFS = reproductions.load()
ROWS = [documented.example(id) for id in documented.ids()]
FILES = sorted(Path(documented.__file__).parent.glob("*.json"))
CHECKABLE = [row for row in ROWS if row.verdict != "not checkable"]
SLOW = re.compile(r"uni-|x-encoders-|wp-3000|.*wt2|bpe-vocab-size|bpe-seq|x-vocab-size")    # most go through WikiText-2


@pytest.mark.parametrize("id, part", [pytest.param(id, part, marks=[pytest.mark.slow] * bool(SLOW.match(id)))
                                      for id, part in sorted(PROOFS)])
def test_reproduced(id, part):
    row = documented.example(id)
    value = PROOFS[id, part](row.input)
    assert not first_difference(getattr(row, part), value), f"{row.note} ({row.where})"
    if row.verdict == "erratum" and row.expected is not None:
        said_is_not_true = first_difference(row.expected, row.actual)
        assert said_is_not_true, "an erratum whose documented value is the true one"


@pytest.mark.parametrize("row", CHECKABLE, ids=lambda row: row.id)
def test_every_value_has_a_proof(row):
    parts = [part for part in ("expected", "actual") if getattr(row, part) is not None]
    parts = ["actual"] if row.verdict == "erratum" else parts
    assert parts, "a checkable row needs a value"
    missing = [part for part in parts if (row.id, part) not in PROOFS]
    assert not missing, f"no function in tests/reproductions proves {missing}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row_is_well_formed(row):
    assert row.verdict in documented.VERDICTS
    assert row.sources and set(row.sources) <= set(documented.SOURCES)
    assert row.note and row.feature
    assert row.lesson in lessons.names()
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
    with pytest.raises(ValueError, match=r"'bpe-hug-pair-ug-2'.*did you mean 'bpe-hug-pair-ug-20'"):
        documented.example("bpe-hug-pair-ug-2")
    with pytest.raises(ValueError, match=r"documented\.ids"):
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
    ([[["u", "g"], "ug"]], [("u", "g")]),
    ([[["u", "g"], "ug"]], {("u", "g"): "ug"}),
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


@pytest.mark.parametrize("id, value, matches, lines", [
    ("bpe-zh-thug", ["[UNK]", "hug"], True,
     ["matches what is documented (Chinese article on three algorithms, section 2.1.2)",
      documented.example("bpe-zh-thug").note]),
    ("bpe-hug-pair-hu-15", documented.example("bpe-hug-pair-hu-15").actual, True,
     ["matches; the source does not print it (Russian and Burmese chapter, training by hand)",
      documented.example("bpe-hug-pair-hu-15").note]),
    ("hf-merges-19", [("Ġ", "t"), ("e", "r")], False,
     ["differs from what is documented (Russian and Burmese chapter, implementation)",
      "at [1][0]: documented is 'i', yours is 'e'"]),
    ("hf-merges-19", [[("Ġ", "t"), "Ġt"], [("i", "s"), "si"]], False,
     ["differs from what is documented (Russian and Burmese chapter, implementation)",
      "at [1][1]: documented is 'is', yours is 'si'"]),
    ("wt2-corpus", {"words": 239607, "types": 1}, False,
     ["differs from what is documented (Chinese article on three algorithms, section 2.1.3)",
      "at ['types']: documented is 13731, yours is 1"]),
    ("ofl-16-distinct", 16, False,
     ["what is documented, and not true (Chinese article on compression, first table)",
      "the source says: There are 16 different tokens.", "true is: 12", "your value: 16",
      documented.example("ofl-16-distinct").note]),
    ("ofl-16-distinct", 13, False,
     ["neither what is documented nor what is true (Chinese article on compression, first table)",
      "the source says: There are 16 different tokens.", "true is: 12", "your value: 13",
      documented.example("ofl-16-distinct").note]),
    ("hf-mug-vs-implementation", ["[UNK]", "ug"], False,
     ["what is documented, and not what the printed code gives (Russian and Burmese chapter, implementation)",
      "the sources say: ['[UNK]', 'ug']", "the printed code gives: ['m', 'ug']", "your value: ['[UNK]', 'ug']",
      documented.example("hf-mug-vs-implementation").note]),
    ("x-keep-base-tokens", {"kept": 17, "dropped": 11}, True,
     ["what is true; the sources do not agree on it (all five sources, vocabulary)",
      "the sources say: Two sources drop tokens that no longer occur, three keep them.",
      "true is: {'kept': 17, 'dropped': 11}", "your value: {'kept': 17, 'dropped': 11}",
      documented.example("x-keep-base-tokens").note]),
    ("hf-skip-hint", "anything", False,
     ["differs from what is documented (Russian and Burmese chapter, introduction)",
      "there is no value to compare with", documented.example("hf-skip-hint").note]),
])
def test_compare_says_what_to_know(id, value, matches, lines):
    comparison = documented.compare(id, value)
    assert comparison.matches is matches
    assert repr(comparison).splitlines() == lines


def test_html_says_the_same_and_names_no_color():
    page = documented.compare("blog-marker-name", "<b>&")._repr_html_()
    assert "<b>" not in page and "&lt;b&gt;&amp;" in page
    assert "neither what is documented nor what is true" in page
    assert not re.search(r"#[0-9a-f]{3}|rgb|color: ", page)


def test_rows_cannot_be_changed():
    with pytest.raises(AttributeError):
        documented.example("hf-merges-19").verdict = "erratum"


def test_errata():
    """Counted by hand, lesson by lesson; those that a reader of the sources would stumble over first are among them."""
    found = documented.errata()
    assert Counter(row.lesson for row in found) == {
        "00_text_to_tokens": 5, "01_bpe": 19, "02_wordpiece": 3, "03_unigram": 5, "04_compression_bpe": 17,
        "05_side_by_side": 4}
    assert {"blog-regex-not-escaped", "bpe-zh-unk-note", "hf-mug-vs-implementation", "wp-score-claim",
            "wp-hash-infinite-loop", "uni-sort-bug", "uni-list-rebinding", "ofl-16-distinct", "ofl-start-with-e-rule",
            "greedy-not-optimal", "x-tie-breaking"} <= {row.id for row in found if row.major}
    assert {"bpe-hug-pair-ug-20", "hf-merges-19", "wt2-corpus"}.isdisjoint(row.id for row in found)
