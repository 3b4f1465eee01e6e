"""Every documented example, reproduced with the package's functions; every erratum, what is said and what is true."""

import json
import os
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import documented, files, lessons
from subword_lab.documented import Ledger, first_difference, proofs
from subword_lab.documented.forms import form

ROWS = [documented.example(id) for id in documented.ids()]
CHECKABLE = [row for row in ROWS if row.verdict != "not checkable"]
# Those that take long are left to the ledgers of sources.ipynb, which show each claim's main value.
SLOW = re.compile(r"uni-|x-encoders-|wp-3000|.*wt2|bpe-vocab-size|bpe-seq|x-vocab-size|cmp-")
PROOFS = sorted(
    key
    for topic in documented.TOPICS
    for key in proofs.table(topic)
    if "." in key or not SLOW.match(key)
)
KINDS = ("figure", "wording", "code", "sources differ", "damaged text")


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=[pytest.mark.slow] * bool(SLOW.match(key))) for key in PROOFS]
)
def test_proven(key):
    id, _, part = key.partition(".")
    row = documented.example(id)
    try:
        value = documented.prove(id, part).actual
    except proofs.Unavailable as missing:
        pytest.skip(str(missing))
    assert not first_difference(getattr(row, part or row.main_part), value), (
        f"{row.note} ({row.where})"
    )
    if row.verdict == "erratum" and row.expected is not None:
        assert first_difference(row.expected, row.actual), "what is said of an erratum is true"


def test_every_value_of_a_row_is_proven_in_the_file_of_its_topic():
    """But for what an erratum says, which may come about by mistake."""
    for topic in documented.TOPICS:
        rows = [row for row in CHECKABLE if row.topic == topic]
        others = {
            f"{row.id}.{part}": row.verdict
            for row in rows
            for part in ("expected", "actual")
            if part != row.main_part and getattr(row, part) is not None
        }
        values = {row.id for row in rows}
        values |= {key for key, verdict in others.items() if verdict != "erratum"}
        assert values <= set(proofs.table(topic)) <= values | set(others), topic


@pytest.mark.parametrize(
    "function, id, told",
    [
        (documented.prove, "hf-skip-hint", "'hf-skip-hint' has nothing to compute"),
        (documented.example, "bpe-hug-pair-ug-2", "'bpe-hug-pair-ug-2'.*'bpe-hug-pair-ug-20'"),
        (documented.show, "@", r"documented\.ids"),
    ],
)
def test_an_id_without_a_value_or_a_row_is_told(function, id, told):
    with pytest.raises(ValueError, match=told):
        function(id)


def test_the_ledgers_hold_every_claim_once_in_its_lesson(monkeypatch):
    monkeypatch.setattr(
        documented, "prove", lambda id, part: documented.Comparison(documented.example(id), None)
    )
    rows = {
        name: [claim.example for claim in documented.ledger(name).claims]
        for name in lessons.names()
    }
    assert sorted(row.id for each in rows.values() for row in each) == sorted(documented.ids())
    assert all(row.lesson == name for name, each in rows.items() for row in each)
    assert [claim.example for claim in documented.ledger().claims] == documented.errata()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row_is_well_formed(row):
    assert row.verdict in ("reproduced", "quirk", "erratum", "not checkable", "supplement")
    assert row.sources and set(row.sources) <= set(documented.SOURCES)
    assert row.note and row.feature
    assert row.lesson in lessons.names()
    assert (row.kind in KINDS) == (row.verdict == "erratum")
    assert row.verdict != "supplement" or row.expected is None
    assert (
        row.verdict not in ("reproduced", "quirk")
        or row.said
        or row.expected is not None
        or row.actual is not None
    )
    assert row.verdict != "erratum" or row.said or row.expected is not None


# Claims of the sources that a later reading found, and that are not on the list.
FOUND_LATER = {
    "blog-char-no-meaning",
    "bpe-zh-only-hyperparameter",
    "ofl-characters-as-bytes",
    "pipeline-words-need-no-model",
}


def test_the_rows_are_those_of_the_sources():
    """One row for each claim, where the list of claims is at hand; no id stands twice."""
    files_of_rows = (files.read("documented", f"{topic}.json") for topic in documented.TOPICS)
    assert sum(len(json.loads(rows)) for rows in files_of_rows) == len(documented.ids())
    folder = Path(os.environ["SUBWORD_LAB_SOURCES"])
    if not folder.is_dir():
        pytest.skip(f"the list of claims is not at {folder}; it is not part of the project")
    claims = [
        id
        for name in ("claims.yaml", "supplements.yaml")
        for id in re.findall(r"(?m)^- id: (\S+)$", (folder / name).read_text(encoding="utf-8"))
    ]
    assert sorted(documented.ids()) == sorted([*claims, *FOUND_LATER])


@pytest.mark.parametrize(
    "one, other, told",
    [
        ([["h", "u"], 15], (("h", "u"), 15), ""),
        ([[["h", "u"], 15], [["u", "g"], 20]], {("u", "g"): 20, ("h", "u"): 15}, ""),
        (
            [[["h", "u"], "1/36"], [["u", "g"], 0.3]],
            {("u", "g"): 0.1 + 0.2, ("h", "u"): Fraction(1, 36)},
            "",
        ),
        ({"hug": [1, 2]}, {"hug": (1, 2)}, ""),
        (["b", "a"], {"a", "b"}, ""),
        ("1/36", Fraction(2, 72), ""),
        (0.1 + 0.2, 0.3, ""),
        (1, 1.0, ""),
        ([[["u", "g"], "ug"]], [("u", "g")], ""),
        ([[["u", "g"], "ug"]], {("u", "g"): "ug"}, ""),
        (
            [["u", "g"], ["u", "n"]],
            [["u", "g"]],
            "documented is ['u', 'n'] at [1], yours has nothing there",
        ),
        (["ug"], ["ug", "un"], "yours has 'un' at [1], where nothing is documented"),
        ({"hug": 1}, {}, "documented is 1 at ['hug'], yours has nothing there"),
        ({}, {"hug": 1}, "yours has 1 at ['hug'], where nothing is documented"),
        ({"hug": [1]}, {"hug": [2]}, "at ['hug'][0]: documented is 1, yours is 2"),
        ([[["u", "g"], 20]], {("u", "g"): 19}, "at [('u', 'g')]: documented is 20, yours is 19"),
        (["a", "b"], {"a", "c"}, "at [1]: documented is 'b', yours is 'c'"),
        (["a"], ["b", "a"], "at [0]: documented is 'a', yours is 'b'"),
        (0.3, 0.3000001, "documented is 0.3, yours is 0.3000001"),
        (1, True, "documented is 1, yours is True"),
        ("ug", ["u", "g"], "documented is 'ug', yours is ['u', 'g']"),
        ("1/36", Fraction(1, 35), "documented is '1/36', yours is Fraction(1, 35)"),
    ],
)
def test_first_difference(one, other, told):
    assert first_difference(one, other) == told


@pytest.mark.parametrize(
    "id, value, matches, lines",
    [
        (
            "bpe-zh-thug",
            ["[UNK]", "hug"],
            True,
            ["[UNK]|hug", "✓ Chinese article on three algorithms, section 2.1.2"],
        ),
        (
            "ofl-23-words",
            23,
            True,
            [
                f"23: {documented.example('ofl-23-words').note}",
                "✓ Chinese article on compression, words",
            ],
        ),
        (
            "ofl-23-words",
            24,
            False,
            ["24", "✗ Chinese article on compression, words: documented is 23, yours is 24"],
        ),
        (
            "hf-word-freqs",
            {"types": 30, "occurrences": 36},
            True,
            [
                "types        30",
                "occurrences  36",
                "✓ beside the Russian and Burmese chapter, implementation",
            ],
        ),
        (
            "bpe-hug-pair-hu-15",
            {("h", "u"): 15},
            True,
            ["h u 15", "✓ Russian and Burmese chapter, training by hand"],
        ),
        (
            "hf-merges-19",
            [("Ġ", "t"), ("e", "r")],
            False,
            [
                "1 Ġ t   2 e r",
                "✗ Russian and Burmese chapter, implementation: at [1][0]: documented is 'i', yours is 'e'",
            ],
        ),
        (
            "hf-merges-19",
            [[("Ġ", "t"), "Ġt"], [("i", "s"), "si"]],
            False,
            [
                "Ġ t  Ġt",
                "i s  si",
                "✗ Russian and Burmese chapter, implementation: at [1][1]: documented is 'is', yours is 'si'",
            ],
        ),
        (
            "wt2-corpus",
            {"words": 239607, "types": 1},
            False,
            [
                "words  239,607",
                "types        1",
                "✗ Chinese article on three algorithms, section 2.1.3: at ['types']: documented is 13731, yours is 1",
            ],
        ),
        (
            "ofl-16-distinct",
            12,
            True,
            [
                "the source says: There are 16 different tokens.",
                "true is: 12",
                "≠ Chinese article on compression, first table",
            ],
        ),
        (
            "ofl-16-distinct",
            16,
            False,
            [
                "the source says: There are 16 different tokens.",
                "your value: 16",
                "✗ Chinese article on compression, first table: as the source says, which is not so",
            ],
        ),
        (
            "ofl-16-distinct",
            13,
            False,
            [
                "the source says: There are 16 different tokens.",
                "your value: 13",
                "✗ Chinese article on compression, first table: documented is 12, yours is 13",
            ],
        ),
        (
            "hf-mug-vs-implementation",
            ["m", "ug"],
            True,
            [
                "the sources say: [UNK]|ug",
                "the printed code gives: m|ug",
                "≠ Russian and Burmese chapter, implementation",
            ],
        ),
        (
            "x-keep-base-tokens",
            {"kept": 17, "dropped": 11},
            True,
            [
                "the sources differ: Two sources drop tokens that no longer occur, three keep them.",
                "in this course:",
                "kept     17",
                "dropped  11",
                "≠ all five sources, vocabulary",
            ],
        ),
        (
            "hf-skip-hint",
            "anything",
            False,
            [
                "the sources say: Part of this may be skipped.",
                "– Russian and Burmese chapter, introduction: there is no value to compare with",
            ],
        ),
    ],
)
def test_compare_shows_the_value_and_its_place(id, value, matches, lines):
    comparison = documented.compare(id, value)
    assert comparison.matches is matches
    noted = comparison.example.verdict in ("erratum", "not checkable")
    assert repr(comparison).splitlines() == [*lines, *[comparison.example.note] * noted]


@pytest.mark.parametrize("row", documented.errata(), ids=lambda row: row.id)
def test_nothing_is_said_to_match_where_a_source_is_wrong(row):
    shown = documented.compare(row.id, row.actual)
    assert shown.matches and shown.mark == "≠"
    assert not re.search(r"\bmatches\b|✓|as documented", repr(shown).replace(row.note, ""))


def test_html_says_the_same():
    page = documented.compare("blog-marker-name", "<b>&")._repr_html_()
    assert "<b>" not in page
    assert all(part in page for part in ("&lt;b&gt;&amp;", "your value:", "✗ Chinese"))


@pytest.mark.parametrize(
    "value, told",
    [
        ([["u", "n"], ["h", "ug"]], "1 u n   2 h ug"),
        ([(("u", "g"), 2)] * 13, "   ".join(["u g 2"] * 13)),
        (
            {"a": {"x": 1, "y": None}, "b": {"x": 2, "y": []}},
            "   x  y\n-  -  -------\na  1  nothing\nb  2  none",
        ),
        ({"a": {"x": 1}, "b": {"y": True}}, "a: x  1\nb: y  yes"),
        ([{"n": 1}, {"n": 2}], "   n\n-  -\n1  1\n2  2"),
        ([["th", 1.0], ["he", 2.5]], "th    1\nhe  2.5"),
        ([["a", "bc"], 17.157], "a bc; 17.16"),
        ({"b", "a"}, "a|b"),
        ([], "none"),
        ([1, 2], "1, 2"),
        (True, "yes"),
        (Fraction(1, 36), "1/36"),
    ],
)
def test_forms(value, told):
    assert str(form(value)) == told


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.binary(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.sets(st.text(max_size=2), max_size=2)
        | st.dictionaries(
            st.text(max_size=3)
            | st.tuples(st.text(max_size=1), st.text(max_size=1))
            | st.integers(),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(ANYTHING)
def test_whatever_a_learner_hands_in_has_a_form(value):
    comparison = documented.compare("hf-merges-19", value)
    assert repr(comparison).endswith(comparison.differs) and "✗ Russian" in comparison._repr_html_()


def test_a_ledger_is_folded_unless_something_differs():
    claim, wrong = documented.show("ofl-23-words"), documented.compare("ofl-23-words", 24)
    apart = documented.Comparison(claim.example, None, "not proven here: x is not installed")
    assert Ledger((claim, apart)).matches and "<details>" in Ledger((claim, apart))._repr_html_()
    assert repr(Ledger((claim, wrong, apart))).splitlines() == [
        "3 claims held against the sources: ✓ 1 as documented, – 1 not computed here, ✗ 1 differing",
        "✓ ofl-23-words: 23",
        "✗ ofl-23-words: 24",
        "– ofl-23-words: not proven here: x is not installed",
    ]
    page = Ledger((wrong,))._repr_html_()
    assert "<details open>" in page and "24: documented is 23, yours is 24" in page


def test_errata():
    """Counted by hand, lesson by lesson; those that a reader of the sources would stumble over first are among them."""
    found = documented.errata()
    assert Counter(row.lesson for row in found) == {
        "00_text_to_tokens": 4,
        "01_bpe": 20,
        "02_wordpiece": 3,
        "03_unigram": 5,
        "04_compression_bpe": 17,
        "05_side_by_side": 4,
    }
    assert {
        "blog-regex-not-escaped",
        "bpe-zh-unk-note",
        "hf-mug-vs-implementation",
        "wp-score-claim",
        "wp-hash-infinite-loop",
        "uni-sort-bug",
        "uni-list-rebinding",
        "ofl-16-distinct",
        "ofl-start-with-e-rule",
        "greedy-not-optimal",
        "x-tie-breaking",
    } <= {row.id for row in found if row.major}
