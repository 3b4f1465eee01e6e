"""How the lessons are written. That their saved outputs are true is nbval's part."""

import html
import re
import statistics
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest

from subword_lab import documented, lessons
from subword_lab_teach import GUIDE
from tests.refresh_notebooks import folds

COPIED = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))  # what a learner gets
NOTEBOOKS = [*COPIED, GUIDE]
GOALS = "**You will be able to**"
MARKUP = ("text/html", "text/markdown", "image/svg+xml")
NEAR = 4  # how many cells away an output may stand from its number
NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w])")


each_lesson = pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)


@cache
def read(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return read(request.param)


@pytest.fixture(params=COPIED, ids=lambda path: path.stem)
def copied(request):
    return read(request.param)


@pytest.fixture
def cells(lesson, root):
    """The cells of a lesson."""
    return read(root / "notebooks" / lesson.file).cells


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    """Each output with its cell."""
    return [(cell, output) for cell in code(notebook) for output in cell.outputs]


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def shown(cell):
    """All that a cell's outputs show, as plain text."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        markup = "".join(map(data.get, MARKUP, [""] * len(MARKUP)))
        markup = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", markup, flags=re.S)
        texts += [output.get("text", ""), data.get("text/plain", ""), html.unescape(markup)]
    return "\n".join(texts)


def test_run_once_from_top_to_bottom(notebook):
    counts = [cell.execution_count for cell in code(notebook)]
    assert counts == [*range(1, len(counts) + 1)]


def test_what_is_saved_is_what_jupyterlab_saves(copied):
    """Else a learner's copy would have unsaved changes as soon as it is opened."""
    assert copied.metadata.kernelspec == {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    assert {"codemirror_mode", "file_extension", "version"} <= set(copied.metadata.language_info)
    for cell in copied.cells:
        assert set(cell.metadata) <= {"tags", "cellView", "collapsed", "jupyter"}
        assert not any(output.get("metadata") for output in cell.get("outputs", []))


@each_lesson
def test_a_lesson_is_folded_by_the_rule(cells):
    """Imports, exercises and charts show no code, and what is to be guessed shows no answer, until one clicks."""
    for cell, how in zip(cells, folds(cells), strict=True):
        assert how == {name: value for name, value in cell.metadata.items() if name != "tags"}


def test_no_output_is_an_error_or_a_warning_and_every_other_has_a_text_form(notebook):
    for cell, output in outputs(notebook):
        assert output.output_type != "error" and output.get("name") != "stderr", cell.source
        text = output.get("data", {}).get("text/plain", output.get("text", ""))
        assert text.strip() and "object at" not in text, cell.source


def test_cells_are_short(notebook):
    lengths = [len(lines(cell)) for cell in code(notebook)]
    assert statistics.median(lengths) <= 3
    assert sum(length <= 8 for length in lengths) >= 0.9 * len(lengths)
    assert max(lengths) <= 20


def test_cells_show_their_result_and_nothing_that_changes(notebook):
    odd = (
        r"\bprint\(|clear_output|display_id|Output\(|%%|\bimport \*|^class |^async |;\s*\Z|\A\s*\Z"
    )
    for cell in code(notebook):
        assert not re.search(odd, cell.source, re.M), cell.source
        assert not re.search(r"0x[0-9a-f]{6}", shown(cell)), cell.source  # an address


def test_pictures_have_a_text_alternative(notebook):
    for _, output in outputs(notebook):
        data = output.get("data", {})
        assert not {"image/png", "image/jpeg"} & set(data)
        markup = data.get("text/html", "") + data.get("image/svg+xml", "")
        for tag in re.findall(r"<(?:svg|img)\b[^>]*>", markup):
            named = r'(aria-label|aria-labelledby|alt)="[^"]{10,}|aria-hidden="true"'
            assert re.search(named, tag), tag


def test_a_page_that_strips_scripts_styles_and_drawings_shows_every_output(notebook):
    """As GitHub does: a figure is an image with its words, tokens stand in tables, what asks waits for its script."""
    for cell, output in outputs(notebook):
        data = output.get("data", {})
        seen = data.get("text/html", "<img>")
        for left_out in (r"<(style|script)\b.*?</\1>", r"<svg.*?</svg>"):
            is_figure = re.match("<figure", seen) is not None
            seen = re.sub(left_out, "", seen, flags=re.S)
        assert "<img" in seen or re.sub(r"<[^>]*>", "", seen).strip(), cell.source
        blocks = re.split(
            r"</?(?:div|p|li|summary)\b[^>]*>", re.sub(r"<table.*?</table>", "", seen)
        )
        blocks = [block.strip() for block in blocks if block.strip()]
        short = "".join("." if len(block) < 12 else " " for block in blocks)
        assert "." * 8 not in short, (cell.source, "a ladder of short lines")
        assert "<button" not in seen, cell.source
        drawn = data.get("image/svg+xml")
        assert bool(drawn) == is_figure, cell.source
        words = drawn and ElementTree.fromstring(drawn).get("aria-label").split()
        assert not drawn or words == data["text/plain"].split()


PROSE = re.compile(
    r"\]\([^)]*\)|^\s*\d+\. |[Ll]essons? \d+( to \d+)?|\b(19|20)\d\d\b|\$[^$]*\$|^#.*", re.M
)


def test_numbers_in_prose_stand_in_an_output_nearby(notebook):
    cells = notebook.cells
    for i, cell in enumerate(cells):
        if cell.cell_type != "markdown" or i == 0 or cell.source.startswith(GOALS):
            continue
        near = [c for c in cells[max(0, i - NEAR) : i + NEAR + 1] if c.cell_type == "code"]
        there = "\n".join(shown(c) + "\n" + c.source for c in near)
        there = {number.replace(",", "") for number in NUMBER.findall(there)}
        prose = re.sub(r"```.*?```|`--[^`]*`", "", cell.source, flags=re.S)
        assert {
            number.replace(",", "").rstrip(".") for number in NUMBER.findall(PROSE.sub(" ", prose))
        } <= there, cell.source


def test_what_was_saved_of_a_library_is_what_it_answers(notebook):
    """Cells that ask a library which may be missing hold its answer; the output was made with the library."""
    for cell in code(notebook):
        for saved in re.findall(r"saved=\[([\d, ]+)\]", cell.source):
            assert saved.replace(",", "") in shown(cell), cell.source


ENDING = [
    "## Summary",
    "## Practice",
    "## Sources and further reading",
    "## What comes next",
]
WITH_CLAIMS = {documented.example(id).lesson for id in documented.ids()}


@each_lesson
def test_the_first_screen_is_a_question_and_something_to_look_at(lesson, cells):
    question, setup, picture, goals = cells[:4]
    title = rf"# {lesson.heading}\n\n\*{re.escape(lesson.question)}\*\n"
    assert re.match(title, question.source) and len(question.source.splitlines()) <= 10
    assert setup.metadata.jupyter.source_hidden and not setup.outputs and len(lines(picture)) <= 6
    assert lesson.number != "00" or "press Shift+Enter to run it" in question.source
    assert re.search("<script|image/svg|sl-aligned|sl-bar", str(picture.outputs)), "nothing drawn"
    assert goals.source.startswith(GOALS) and lessons.GLOSSARY in goals.source
    assert re.search(
        rf"You need.*\*\*It\s+takes\*\* {lesson.minutes}\s+minutes", goals.source, re.S
    )


@each_lesson
def test_a_lesson_has_a_field_for_own_words_and_a_deck_that_begins_with_something_new(cells):
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    (deck,) = (cell for cell in cells if cell.cell_type == "code" and "practice(" in cell.source)
    first = re.search(r"^([a-z]+-\d+) · ", shown(deck), re.M)[1]
    assert "_playground(" in source and f'load("{first}")' not in source


def test_no_output_shows_the_marks_of_markdown(copied):
    assert not any("`" in shown(cell) for cell in code(copied) if "sentence(" in cell.source)


@each_lesson
def test_a_lesson_ends_as_the_others_do(lesson, cells):
    text = [cell.source for cell in cells if cell.cell_type == "markdown"]
    headings = re.findall("^## .*$", "\n".join(text), re.M)
    more = [*ENDING[:2], "## For whoever wants more", *ENDING[2:]]
    own = [*more[:2], "## A tokenizer of your own", *more[2:]]  # the goal of the whole course
    assert headings[headings.index("## Summary") :] in (ENDING, more, own)
    assert (lesson.name in WITH_CLAIMS) == (f"]({lessons.SOURCES})" in text[-1])


def test_the_sources_have_a_section_and_a_ledger_for_each_lesson_with_claims(root):
    page = "\n".join(cell.source for cell in read(root / "notebooks" / lessons.SOURCES).cells)
    listed = re.findall(r'^## (\d\d .+)$[^#]+documented\.ledger\("(\w+)"\)', page, re.M)
    assert listed == [(one.heading, one.name) for one in lessons.LESSONS if one.name in WITH_CLAIMS]
