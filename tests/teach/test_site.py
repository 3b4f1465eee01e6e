"""The site without a browser: its pages, and what its Python begins with. How it works there: tests/browser."""

import html
import importlib.util
import json
import re
from itertools import pairwise
from zipfile import ZipFile

import pytest

from subword_lab import __version__, lessons
from subword_lab.files import CourseError
from subword_lab_teach.site import build, lab, pages, write_reference


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A function that gives a page's text."""
    out = tmp_path_factory.mktemp("site")
    start = pages.write_pages(out)
    return lambda name=start.name: (out / name).read_text(encoding="utf-8")


def test_the_start_page_leads_to_every_lesson_to_read_and_to_work_in(read):
    for lesson in lessons.LESSONS:
        assert (
            f'href="{lesson.name}.html"' in read()
            and f"lab/lab/index.html?path={lesson.file}" in read()
        )


def test_the_start_page_leads_elsewhere_where_the_repository_is_known(read, tmp_path):
    assert "github.com" not in read()
    page = pages.write_pages(tmp_path, "someone/course").read_text(encoding="utf-8")
    assert "https://mybinder.org/v2/gh/someone/course/HEAD" in page
    assert "%pip install git+https://github.com/someone/course<" in page


def test_a_page_needs_nothing_from_anywhere(read):
    for lesson in lessons.LESSONS:
        page = read(f"{lesson.name}.html")
        assert not re.search(
            r"""<(?:link|img|iframe|script)[^>]*(?:src|href)=(?!"data:image/svg)""", page
        )
        assert "default-src &#x27;none&#x27;" in page
        assert len(re.findall("<style>(?!@scope)", page)) == 2, "each rule once"
        assert page.count("<style>@scope") <= 1, "a trainer's sheet once"
        assert not re.search(r'href="[^":?]*\.ipynb', page)


def test_a_page_shows_what_the_notebook_shows(read):
    page = read("01_bpe.html")
    assert (
        "<h1>01 Byte-pair encoding</h1>" in page
        and "sl-frames" in page
        and 'role="img" aria-label="' in page
    )
    assert '<span class="sl-keyword">from</span>' in page


def test_a_page_shows_every_output_that_is_plain_text(read):
    """Code of a notebook that shows a value: its text is on the page, inside its own element."""
    count = 0
    for lesson in lessons.LESSONS:
        notebook = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))
        shown = [
            "".join(output["data"]["text/plain"])
            for cell in notebook["cells"]
            for output in cell.get("outputs", [])
            if "text/html" not in output.get("data", {"text/html": ""})
            and pages.UNANSWERED not in json.dumps(cell["outputs"])
        ]
        page = read(f"{lesson.name}.html")
        missing = [text for text in shown if f"<pre>{html.escape(text)}</pre>" not in page]
        assert not missing, lesson.name
        count += len(shown)
    assert count


def test_what_a_lesson_folds_is_folded_on_its_page(read):
    page = read("01_bpe.html")
    code = r'<details><summary>Code</summary>(?:<style>.*?</style>)?<div class="sl-code">(.*?)</div></details>'
    folded = re.findall(code, page, re.DOTALL)
    assert any("import" in source for source in folded) and not any(
        "def " in source for source in folded
    )
    (answer,) = re.findall(
        r"unhug.*?</div>(<details><summary>Look</summary>.*?</details>)", page, re.DOTALL
    )[:1]
    assert "hug</code>" in answer


def test_a_page_speaks_of_no_cell_to_run_and_leads_to_where_there_is_one(read):
    for lesson in lessons.LESSONS:
        text = re.sub("<style>.*?</style>", "", read(f"{lesson.name}.html"), flags=re.DOTALL)
        assert not re.search("[Rr]un th(is|at) cell|the cell below|not attempted", text)
    page = read("01_bpe.html")
    assert (
        '<a href="lab/lab/index.html?path=01_bpe.ipynb">Work in it</a>, and you can change everything.'
        in page
    )
    assert "Write <code>count_pairs</code> where it is checked: <a" in page


def test_a_page_leads_on_to_the_next_one(read):
    shown = [(lesson.file, lesson.heading) for lesson in lessons.LESSONS] + [*pages.READ.items()]
    for (file, _), (behind, title) in pairwise(shown):
        page = read(file.replace(".ipynb", ".html"))
        address = behind.replace(".ipynb", ".html")
        assert f'<a href="{address}">Next: {html.escape(title)}</a>' in page
    assert ">Next: " not in read(shown[-1][0].replace(".ipynb", ".html"))


def test_the_gallery_can_be_looked_at_and_played_with(read):
    assert 'href="gallery.html"' in read() and "sl-frames" in read("gallery.html")
    assert "lab/lab/index.html?path=gallery.ipynb" in read("gallery.html")


def test_formulas_are_set_by_the_browser(read):
    page = read("02_wordpiece.html")
    assert page.count("<math") == 2 and "<mfrac>" in page and "\\frac" not in page


# ---------------------------------------------------------------------------------------------------- what Python loads

LOCK = {
    "info": {"python": "3.14.2"},
    "packages": {
        "ipython": {
            "file_name": "ipython-9-py3-none-any.whl",
            "version": "9",
            "depends": ["prompt_toolkit"],
        },
        "prompt-toolkit": {
            "file_name": "prompt_toolkit-3-py3-none-any.whl",
            "version": "3",
            "depends": [],
        },
        "numpy": {"file_name": "numpy-2-wasm32.whl", "version": "2", "depends": []},
    },
}


@pytest.fixture
def downloaded(monkeypatch):
    """What is asked of pip; the wheels come out empty."""
    asked = []

    def download(requirements, folder):
        asked.extend(requirements)
        for requirement in requirements:
            name, _, version = requirement.partition("==")
            (folder / f"{name.replace('-', '_')}-{version or 1}-py3-none-any.whl").write_bytes(b"")

    monkeypatch.setattr(lab, "_download", download)
    return asked


def locked(tmp_path, prefix, pyodide):
    wheels = tmp_path / "lab" / "static" / "wheels"
    wheels.mkdir(parents=True)
    names = lab._write_lock(LOCK, prefix, pyodide, wheels, tmp_path / "lab")
    return names, json.loads((wheels / lab.LOCK).read_text())["packages"]


def test_what_lies_on_the_network_stays_there_and_the_rest_is_brought(tmp_path, downloaded):
    names, packages = locked(tmp_path, "https://example.org/", None)
    assert (
        packages["numpy"]["file_name"] == "https://example.org/numpy-2-wasm32.whl"
        and "numpy" not in names
    )
    assert packages["ipython"]["file_name"] == "https://example.org/ipython-9-py3-none-any.whl"
    assert {"ipython", "prompt-toolkit", "anywidget", "subword-lab"} <= set(names)
    assert "anywidget" in downloaded and not any(
        name.startswith(("ipython=", "prompt")) for name in downloaded
    )


def test_of_a_folder_only_what_is_in_it_is_named_and_the_rest_has_its_versions(
    tmp_path, downloaded
):
    (tmp_path / "ipython-9-py3-none-any.whl").write_bytes(b"")
    names, packages = locked(tmp_path, "../pyodide/", tmp_path)
    assert (
        "numpy" not in packages and "prompt-toolkit==3" in downloaded and "prompt-toolkit" in names
    )
    assert packages["ipython"]["file_name"] == "../pyodide/ipython-9-py3-none-any.whl"
    assert (
        packages["prompt-toolkit"]["file_name"]
        == "../../static/wheels/prompt_toolkit-3-py3-none-any.whl"
    )


def test_what_a_folder_lacks_is_said(tmp_path):
    entries = {name: {"file_name": f"{name}.whl"} for name in lab.WANTED}
    for packages in (entries, {}):
        (tmp_path / lab.LOCK).write_text(json.dumps({"packages": packages}))
        assert list(lab.lacking(tmp_path)) == ["matplotlib", "pandas"]
    for name in lab.WANTED:
        (tmp_path / f"{name}.whl").write_bytes(b"")
    (tmp_path / lab.LOCK).write_text(json.dumps({"packages": entries}))
    assert not lab.lacking(tmp_path)


def test_the_packages_wheel_holds_the_package_and_not_the_lessons(tmp_path):
    lab._write_wheel(tmp_path)
    with ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        about = wheel.read(f"subword_lab-{__version__}.dist-info/METADATA").decode()
    assert {
        "subword_lab/bpe.py",
        "subword_lab/data/passage.txt",
        "subword_lab/views/static/card.js",
    } <= set(names)
    assert not [name for name in names if ".ipynb" in name or ".pyc" in name]
    assert "Name: subword-lab\n" in about and "Requires" not in about


def test_what_is_missing_is_named(tmp_path):
    if importlib.util.find_spec("jupyterlite_pyodide_kernel"):
        with pytest.raises(CourseError, match="holds no Pyodide; expected a folder"):
            build(tmp_path / "out", tmp_path)
    else:
        with pytest.raises(CourseError, match=r"is not installed for .*subword-lab-teach\[site\]"):
            build(tmp_path / "out", tmp_path)


def test_without_a_network_or_libraries_there_are_pages_to_read(tmp_path, monkeypatch):
    def missing(*_):
        raise CourseError("no network")

    monkeypatch.setattr("subword_lab_teach.site.build_lab", missing)
    monkeypatch.setattr("subword_lab_teach.site.write_reference", missing)
    said = []
    start = build(tmp_path, say=said.append)
    assert said == [
        "The site is without lessons to work in: no network.",
        "The site is without a reference: no network.",
    ]
    for page in (start, tmp_path / "01_bpe.html"):
        content = page.read_text(encoding="utf-8")
        assert 'href="lab/' not in content and 'href="reference/' not in content
    assert "Open it in JupyterLab" in content


@pytest.mark.slow
def test_the_reference_holds_what_is_imported_only_when_it_is_asked_for(tmp_path):
    pytest.importorskip("pdoc")
    write_reference(tmp_path)
    assert "Tokenizer.encode_batch" in (tmp_path / "subword_lab.html").read_text(encoding="utf-8")
