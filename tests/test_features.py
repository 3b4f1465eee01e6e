"""The table of features held against reality: lessons, functions, claims and tests exist, and nothing is left out."""

import json
import pkgutil
import re
import unicodedata
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from subword_lab import documented, text
from tests.test_notebooks import shown

TESTS = Path(__file__).parent
ROWS = [documented.example(id) for id in documented.ids()]


# What the sources describe, or the course adds: id, title, the lessons that tell it, and functions for it.
FEATURES = json.loads(
    (TESTS / "features.json").read_text("utf-8"), object_hook=lambda row: SimpleNamespace(**row)
)


@cache
def cells(lesson):
    """Each cell of a lesson as (source, all that its outputs show), white space evened out."""
    notebook = nbformat.read(TESTS.parent / "notebooks" / f"{lesson}.ipynb", as_version=4)
    return [(cell.source, even(shown(cell))) for cell in notebook.cells]


CLAIMS = "sources"  # the notebook that holds all claims


def even(words):
    return " ".join(words.split())


def sources(lesson):
    return "\n".join(source for source, _ in cells(lesson))


def outputs(lesson):
    return "\n".join(output for _, output in cells(lesson))


def stands_in(name, words):
    """Whether a name occurs as a whole: `hf-merge-1` does not in `hf-merge-19`."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words) is not None


def test_every_claim_belongs_to_a_feature_of_its_lesson():
    lessons = {feature.id: feature.lessons for feature in FEATURES}
    for row in ROWS:
        assert row.feature and set(row.feature) <= set(lessons), row.id
        assert any(row.lesson in lessons[id] for id in row.feature), row.id


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.id)
def test_the_lessons_tell_it(feature):
    assert feature.lessons
    for lesson in feature.lessons:
        told = sources(lesson) + outputs(lesson)
        named = [
            name
            for name in feature.functions
            if stands_in(name.rpartition(".")[2], sources(lesson))
        ]
        claims = [
            row.id
            for row in ROWS
            if feature.id in row.feature
            and stands_in(row.id, told + outputs(CLAIMS) * (row.lesson == lesson))
        ]
        assert named or claims, f"{feature.id} is not in {lesson}"


@pytest.mark.parametrize(
    "name", sorted({name for feature in FEATURES for name in feature.functions})
)
def test_the_functions_exist(name):
    assert callable(pkgutil.resolve_name(f"subword_lab.{name}"))


# ------------------------------------------------------------------------------------- every claim is told somewhere


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.verdict != "not checkable"], ids=lambda row: row.id
)
def test_what_can_be_computed_stands_in_its_lesson(row):
    """By its id, in what a cell shows or in the call that shows it."""
    told = stands_in(row.id, outputs(row.lesson) + sources(row.lesson) + outputs(CLAIMS))
    assert told, f"{row.id} is not in {row.lesson}"


@pytest.mark.parametrize("row", documented.errata(), ids=lambda row: row.id)
def test_what_is_wrong_is_told(row):
    """Its id and all of what is true about it stand in the sources: in its lesson's ledger and among all errata."""
    told = stands_in(row.id, outputs(CLAIMS)), outputs(CLAIMS).count(even(row.note)) >= 2
    assert told == (True, True), f"{row.id}: id and note, twice"


def test_what_cannot_be_computed_is_told_all_the_same():
    """By its note, or by its id in a call that shows it."""
    unchecked = [row for row in ROWS if row.verdict == "not checkable"]
    missing = [
        row.id
        for row in unchecked
        if even(row.note) not in outputs(CLAIMS) and not stands_in(row.id, sources(row.lesson))
    ]
    assert unchecked and not missing


def test_the_count_of_errata_is_told():
    assert stands_in(str(len(documented.errata())), sources(CLAIMS)), "their number in the prose"


# ----------------------------------------------------------------------------------------------------------- languages


def test_every_language_of_the_sources_is_in_the_course():
    languages = {name.split()[0] for name in documented.SOURCES.values()}
    assert (
        languages
        == {"Russian", "Burmese", "Chinese"}
        == set(text.load_texts("parallel")) - {"English"}
    )
    scripts = {"Russian": "CYRILLIC", "Burmese": "MYANMAR", "Chinese": "CJK UNIFIED"}
    for lesson in next(feature.lessons for feature in FEATURES if feature.id == "G9"):
        names = {unicodedata.name(char, "") for char in set(sources(lesson) + outputs(lesson))}
        for language in languages:
            assert any(name.startswith(scripts[language]) for name in names), (language, lesson)
