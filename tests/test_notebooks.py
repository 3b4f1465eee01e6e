"""How the lessons are written. That their saved outputs are true is nbval's part."""

import html
import re
import statistics
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


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


@pytest.fixture(params=COPIED, ids=lambda path: path.stem)
def copied(request):
    return nbformat.read(request.param, as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def shown(cell):
    """All that a cell's outputs show, as plain text."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        texts += [output.get("text", ""), data.get("text/plain", "")]
        markup = "".join(map(data.get, MARKUP, [""] * len(MARKUP)))
        texts.append(
            html.unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", markup, flags=re.S))
        )
    return "\n".join(texts)


def test_run_once_from_top_to_bottom(notebook):
    assert [cell.execution_count for cell in code(notebook)] == list(
        range(1, len(code(notebook)) + 1)
    )


def test_ids_of_cells_are_their_own_and_say_nothing_about_their_place(copied):
    ids = [cell.id for cell in copied.cells]
    assert len(set(ids)) == len(ids)
    assert not [id for id in ids if re.fullmatch(r"cell-\d+", id)]


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


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_folded_by_the_rule(lesson, root):
    """Imports, exercises and charts show no code, and what is to be guessed shows no answer, until one clicks."""
    cells = nbformat.read(root / "notebooks" / lesson.file, as_version=4).cells
    for cell, how in zip(cells, folds(cells), strict=True):
        folded = {name: value for name, value in cell.metadata.items() if name != "tags"}
        assert folded == how, cell.source


def test_what_every_part_needs_is_imported_once_at_the_top(copied):
    first, *others = code(copied)
    loading = "from subword_lab.exercises import load\n"
    assert not any(loading in cell.source for cell in others)
    if re.search(r"(?<![.\w])load\(\"", "".join(cell.source for cell in others)):
        assert loading in first.source


def test_no_output_is_an_error_or_a_warning_and_every_other_has_a_text_form(notebook):
    for cell in code(notebook):
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", output.text
            text = output.get("data", {}).get("text/plain", output.get("text", ""))
            assert text.strip() and "object at" not in text, cell.source


def test_cells_are_short(notebook):
    lengths = [len(lines(cell)) for cell in code(notebook)]
    assert statistics.median(lengths) <= 3
    assert sum(length <= 8 for length in lengths) >= 0.9 * len(lengths)
    assert max(lengths) <= 20


def test_cells_show_their_result_and_nothing_that_changes(notebook):
    for cell in code(notebook):
        assert cell.source.strip(), "an empty cell"
        assert not cell.source.rstrip().endswith(";")
        assert not re.search(
            r"\bprint\(|clear_output|display_id|Output\(|%%|\bimport \*", cell.source
        ), cell.source
        assert not re.search(r"^(class|async) ", cell.source, re.M)
        assert not re.search(r"0x[0-9a-f]{6}", shown(cell)), cell.source  # an address


def test_pictures_have_a_text_alternative(notebook):
    for cell in code(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            assert not {"image/png", "image/jpeg"} & set(data)
            for tag in re.findall(
                r"<(?:svg|img)\b[^>]*>", data.get("text/html", "") + data.get("image/svg+xml", "")
            ):
                named = re.search(r'(aria-label|aria-labelledby|alt)="[^"]{10,}', tag)
                assert named or 'aria-hidden="true"' in tag, tag


def test_a_page_that_strips_scripts_styles_and_drawings_shows_every_output(notebook):
    """As GitHub does: a figure is an image with its words, tokens stand in tables, what asks waits for its script."""
    for cell in code(notebook):
        for data in [
            output.data for output in cell.outputs if "text/html" in output.get("data", {})
        ]:
            seen = re.sub(r"<(style|script|svg)\b.*?</\1>", "", data["text/html"], flags=re.S)
            assert "<img" in seen or re.sub(r"<[^>]*>", "", seen).strip(), cell.source
            lines = re.split(
                r"</?(?:div|p|li|summary)\b[^>]*>", re.sub(r"<table.*?</table>", "", seen)
            )
            short = "".join(
                "." if len(line.strip()) < 12 else " " for line in lines if line.strip()
            )
            assert "." * 8 not in short, (cell.source, "a ladder of short lines")
            assert "<button" not in seen, cell.source
            if "image/svg+xml" in data:
                drawing = ElementTree.fromstring(data["image/svg+xml"])
                assert drawing.get("aria-label").split() == data["text/plain"].split()
            else:
                assert not re.match(r"<figure", re.sub(r"<style>.*?</style>", "", seen)), (
                    cell.source
                )


def test_numbers_in_prose_stand_in_an_output_nearby(notebook):
    cells = notebook.cells
    for i, cell in enumerate(cells):
        if cell.cell_type != "markdown" or i == 0 or cell.source.startswith(GOALS):
            continue
        near = [c for c in cells[max(0, i - NEAR) : i + NEAR + 1] if c.cell_type == "code"]
        there = {
            n.replace(",", "") for c in near for n in NUMBER.findall(shown(c) + "\n" + c.source)
        }
        for line in re.sub(r"```.*?```|`--[^`]*`", "", cell.source, flags=re.S).splitlines():
            if line.startswith("#"):
                continue
            prose = re.sub(
                r"\]\([^)]*\)|^\s*\d+\. |[Ll]essons? \d+( to \d+)?|\b(19|20)\d\d\b|\$[^$]*\$",
                " ",
                line,
            )
            missing = [
                n for n in NUMBER.findall(prose) if n.replace(",", "").rstrip(".") not in there
            ]
            assert not missing, f"{missing} in: {line}"


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


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_the_first_screen_is_a_question_and_something_to_look_at(lesson, root):
    question, setup, picture, goals = nbformat.read(
        root / "notebooks" / lesson.file, as_version=4
    ).cells[:4]
    assert lesson.question in question.source and len(question.source.splitlines()) <= 10
    assert setup.metadata.jupyter.source_hidden and not setup.outputs
    assert len(lines(picture)) <= 6
    assert re.search("<script|image/svg|sl-aligned|sl-bar", str(picture.outputs)), "nothing drawn"
    assert goals.source.startswith(GOALS)


def test_the_first_lesson_says_how_a_cell_is_run(root):
    first = nbformat.read(root / "notebooks" / lessons.LESSONS[0].file, as_version=4).cells[0]
    assert "press Shift+Enter to run it" in first.source


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_has_a_field_for_own_words_and_a_deck_that_begins_with_something_new(lesson, root):
    cells = code(nbformat.read(root / "notebooks" / lesson.file, as_version=4))
    assert any("_playground(" in cell.source for cell in cells)
    (deck,) = (cell for cell in cells if "practice(" in cell.source)
    first = re.search(r"^([a-z]+-\d+) · ", shown(deck), re.M)[1]
    assert not any(f'load("{first}")' in cell.source for cell in cells)


def test_no_output_shows_the_marks_of_markdown(copied):
    for cell in code(copied):
        if "sentence(" in cell.source:
            assert "`" not in shown(cell)


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_opens_and_ends_as_the_others_do(lesson, root):
    path = root / "notebooks" / lesson.file
    text = [
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
    ]
    assert (
        lessons.GLOSSARY in text[1] and "You will be able to" in text[1] and "You need" in text[1]
    )
    headings = [line for source in text for line in source.splitlines() if line.startswith("## ")]
    more = [*ENDING[:2], "## For whoever wants more", *ENDING[2:]]
    own = [*more[:2], "## A tokenizer of your own", *more[2:]]  # the goal of the whole course
    assert headings[headings.index("## Summary") :] in (ENDING, more, own)
    assert (lesson.name in WITH_CLAIMS) == (f"]({lessons.SOURCES})" in text[-1])


def test_the_sources_have_a_section_and_a_ledger_for_each_lesson_with_claims(root):
    page = "\n".join(
        cell.source
        for cell in nbformat.read(root / "notebooks" / lessons.SOURCES, as_version=4).cells
    )
    shown = re.findall(r'^## (\d\d .+)$[^#]+documented\.ledger\("(\w+)"\)', page, re.M)
    assert shown == [
        (lesson.heading, lesson.name) for lesson in lessons.LESSONS if lesson.name in WITH_CLAIMS
    ]
