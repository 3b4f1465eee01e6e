"""The site without a browser: its pages, and what its Python begins with. How it works there: tests/browser."""

import html
import importlib.util
import json
import re
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest

import subword_lab
from subword_lab import __version__, lessons
from subword_lab.files import CourseError
from subword_lab_teach.site import build, lab, pages, write_reference


@pytest.fixture
def read(site):
    """A function that gives a page's text."""
    return lambda name="index.html": (site / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lessons.names())
def test_a_page_shows_what_the_notebook_shows_and_needs_nothing_from_anywhere(read, lesson):
    page, start = read(f"{lesson.name}.html"), read()
    assert f'href="{lesson.name}.html"' in start
    assert f"lab/lab/index.html?path={lesson.file}" in start
    linked = r"""<(?:link|img|iframe|script)[^>]*(?:src|href)=(?!"data:image/svg)"""
    assert not re.search(linked, page) and "default-src 'none'" in page
    assert len(re.findall("<style>(?!subword-)", page)) == 2, "each rule once"
    sheets = re.findall("<style>subword-[a-z]+", page)
    assert len(set(sheets)) == len(sheets), "an element's sheet once"
    assert not re.search(r'href="[^":?]*\.ipynb', page)
    text = re.sub(r'<(style|script)(?: type="module")?>.*?</\1>', "", page, flags=re.DOTALL)
    assert not re.search("[Rr]un th(is|at) cell|the cell below|not attempted", text)
    cells = json.loads((lessons.folder() / lesson.file).read_text(encoding="utf-8"))["cells"]
    plain = [
        "".join(output["data"]["text/plain"])
        for cell in cells
        for output in cell.get("outputs", [])
        if "text/html" not in output.get("data", {"text/html": ""})
        and pages.UNANSWERED not in json.dumps(cell["outputs"])
    ]
    assert not [shown for shown in plain if f"<pre>{html.escape(shown)}</pre>" not in page]
    assert plain or lesson.name != "01_bpe"


def test_a_picture_comes_before_its_code_and_an_exercise_has_none(read):
    page = read("01_bpe.html")
    assert page.index("<subword-playground") < page.index("encoder(wiki_model")
    assert "load(" not in page


@pytest.mark.parametrize(
    "name, shown",
    [
        ("01_bpe", "<h1>01 Byte-pair encoding</h1>"),
        ("01_bpe", 'role="img" aria-label="'),
        ("01_bpe", '<span class="sl-keyword">from</span>'),
        ("01_bpe", '?path=01_bpe.ipynb" class="pill strong">Try it live</a>'),
        ("01_bpe", "Write <code>count_pairs</code> where it is checked: <a"),
        ("02_wordpiece", '<a href="#section-0">Two tokenizers, one corpus</a>'),
        ("02_wordpiece", '<h2 id="section-0">Two tokenizers, one corpus</h2>'),
        ("02_wordpiece", "Previous: 01 Byte-pair encoding</a><a"),
        ("02_wordpiece", "<title>##h ##e: 18,912 times, score 1/163,603</title>"),  # in a drawing
        ("02_wordpiece", "<mfrac>"),  # formulas are set by the browser
        ("gallery", "sl-frames"),
        ("gallery", "lab/lab/index.html?path=gallery.ipynb"),
        ("index", 'href="gallery.html"'),
    ],
)
def test_what_is_on_a_page(read, name, shown):
    assert shown in read(f"{name}.html") and "\\frac" not in read(f"{name}.html")
    assert "github.com" not in read()  # without a repository


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


def test_code_is_folded_once_unless_the_text_announces_it(read):
    page = read("07_real_tokenizers.html")
    announced = page.partition("many models have a variant:")[2]
    assert "bos_token" in announced[: announced.index("<details>")]
    for name in lessons.names():
        folds = re.findall(r"</pre></div></details><details><summary>(\w+)", read(f"{name}.html"))
        assert "Code" not in folds, name


def test_a_chart_comes_before_its_code(read):
    page = read("03_unigram.html")
    assert page.index("loss of the corpus in nats") < page.rindex("loss_curves")


def test_a_page_leads_on_to_the_next_one(read):
    shown = [(lesson.file, lesson.heading) for lesson in lessons.LESSONS] + [*pages.READ.items()]
    for (file, _), (behind, title) in pairwise(shown):
        page = read(file.replace(".ipynb", ".html"))
        address = behind.replace(".ipynb", ".html")
        assert f'<a href="{address}">Next: {html.escape(title)}</a>' in page
    assert ">Next: " not in read(shown[-1][0].replace(".ipynb", ".html"))


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


@pytest.mark.parametrize("prefix", ["https://example.org/", "../pyodide/"])
def test_what_lies_elsewhere_stays_there_and_the_rest_is_brought(tmp_path, monkeypatch, prefix):
    """Of a folder only what is in it is named; what is brought has the versions of Pyodide's lock."""
    brought = []

    def download(requirements, folder):  # the wheels come out empty
        brought.extend(requirements)
        for name, _, version in (each.partition("==") for each in requirements):
            wheel = f"{name.replace('-', '_')}-{version or 1}-py3-none-any.whl"
            (folder / wheel).write_bytes(b"")

    monkeypatch.setattr(lab, "_download", download)
    folder = tmp_path if prefix.startswith(".") else None
    (tmp_path / "ipython-9-py3-none-any.whl").write_bytes(b"")
    wheels = tmp_path / "lab" / "static" / "wheels"
    wheels.mkdir(parents=True)
    names = lab._write_lock(LOCK, prefix, folder, wheels, tmp_path / "lab")
    packages = json.loads((wheels / lab.LOCK).read_text())["packages"]
    assert {"ipython", "prompt-toolkit", "anywidget", "subword-lab"} <= set(names)
    assert packages["ipython"]["file_name"] == f"{prefix}ipython-9-py3-none-any.whl"
    assert "anywidget" in brought and ("prompt-toolkit==3" in brought) == bool(folder)
    assert "numpy" not in names and ("numpy" in packages) == (folder is None)
    place = "../../static/wheels/" if folder else prefix
    assert packages["prompt-toolkit"]["file_name"] == f"{place}prompt_toolkit-3-py3-none-any.whl"


def test_what_a_folder_lacks_is_said(tmp_path):
    entries = {name: {"file_name": f"{name}.whl"} for name in lab.WANTED}
    (tmp_path / "pandas.whl").write_bytes(b"")
    for packages, lacking in (({}, ["matplotlib", "pandas"]), (entries, ["matplotlib"])):
        (tmp_path / lab.LOCK).write_text(json.dumps({"packages": packages}))
        assert list(lab.lacking(tmp_path)) == lacking


def test_the_packages_wheel_holds_the_package_and_not_the_lessons(tmp_path):
    lab._write_wheel(tmp_path, "subword_lab", __version__, Path(subword_lab.__file__).parent)
    with ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        about = wheel.read(f"subword_lab-{__version__}.dist-info/METADATA").decode()
    assert {
        "subword_lab/bpe.py",
        "subword_lab/data/passage.txt",
        "subword_lab/views/static/card.js",
    } <= set(names)
    assert not [name for name in names if ".ipynb" in name or ".pyc" in name]
    assert "Name: subword_lab\n" in about and "Requires" not in about


def test_what_is_missing_is_named(tmp_path):
    installed = importlib.util.find_spec("jupyterlite_pyodide_kernel")
    words = "holds no Pyodide; expected" if installed else r"not installed .*-teach\[site\]"
    with pytest.raises(CourseError, match=words):
        build(tmp_path / "out", tmp_path)


def test_without_a_network_or_libraries_there_are_pages_to_read(tmp_path, monkeypatch):
    def missing(*_):
        raise CourseError("no network")

    for name in ("build_lab", "write_reference", "vocabulary"):
        monkeypatch.setattr(f"subword_lab_teach.site.{name}", missing)
    monkeypatch.setattr(lessons, "LESSONS", lessons.LESSONS[:2])  # others are as these
    monkeypatch.setattr(pages, "READ", {})
    said = []
    start = build(tmp_path, repository="someone/course", say=said.append)
    assert said == [
        "The site is without lessons to work in: no network.",
        "The site is without a reference: no network.",
        "The site is without GPT-4o's vocabulary: no network.",
    ]
    for page in (start, tmp_path / "01_bpe.html"):
        content = page.read_text(encoding="utf-8")
        assert 'href="lab/' not in content and 'href="reference/' not in content
    assert 'href="index.html#try"' in content  # which has no field of every kind
    assert "To change it, open this page in JupyterLab." in content
    page = start.read_text(encoding="utf-8")
    assert "https://mybinder.org/v2/gh/someone/course/HEAD" in page
    assert "%pip install git+https://github.com/someone/course<" in page
    start.write_text("mine")
    with pytest.raises(CourseError, match=r"index\.html has been changed, and is left as it is"):
        build(tmp_path, repository="someone/other", say=said.append)
    assert start.read_text() == "mine" and "other" in (tmp_path / "01_bpe.html").read_text()


def test_what_somebody_changed_in_jupyterlite_stays(tmp_path, monkeypatch):
    """Be it a file of ours, a JupyterLite of their own, or a link that leads away; all else is renewed."""
    edition = iter(("old", "new"))

    def write(out, pyodide):
        out.mkdir()
        for name, text in zip(("lab.css", "lite.json", "link", "page.js"), [next(edition)] * 4):
            (out / name).write_text(text)

    monkeypatch.setattr("subword_lab_teach.site.build_lab", write)
    monkeypatch.setattr("subword_lab_teach.site.write_reference", lambda out: None)
    monkeypatch.setattr(lessons, "LESSONS", lessons.LESSONS[:1])
    monkeypatch.setattr(pages, "READ", {})
    (tmp_path / "mine").write_text("mine")
    site = tmp_path / "site"
    (site / "lab").mkdir(parents=True)
    (site / "lab" / "lite.json").write_text("mine")
    (site / "lab" / "link").symlink_to(tmp_path / "mine")
    with pytest.raises(CourseError, match=r"lite\.json has been changed"):
        build(site, say=lambda words: None)
    (site / "lab" / "lab.css").write_text("mine")
    with pytest.raises(CourseError) as error:
        build(site, say=lambda words: None)
    for name in ("lab.css", "lite.json", "link"):
        assert (site / "lab" / name).read_text() == "mine"
        assert f"{name} has been changed, and is left as it is" in str(error.value)
    assert (site / "lab" / "page.js").read_text() == "new"
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_the_reference_holds_what_is_imported_only_when_it_is_asked_for(tmp_path):
    pytest.importorskip("pdoc")
    write_reference(tmp_path)
    page = tmp_path / "subword_lab" / "tokenizer.html"
    assert "Tokenizer.encode_batch" in page.read_text(encoding="utf-8")
