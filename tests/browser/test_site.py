"""The site in a real browser, from a plain file server on this machine: the pages, and a lesson that runs in the page.

Pyodide is not here by itself: SUBWORD_LAB_PYODIDE names a folder with it; its core is enough, as `npm pack pyodide`
brings it. The environment needs the extra `site`.
"""

import functools
import http.server
import json
import os
import re
import threading

import pytest
from command import run

from subword_lab import lessons
from subword_lab.exercises.code import source_of

from .conftest import IDLE, Lab, watched
from .test_lessons import card, check, exercises_in, right, wrong

pytestmark = pytest.mark.slow

PATIENCE = 240_000  # milliseconds: Python is loaded into the page, on a busy machine too


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site's address, on a file server that does nothing else."""
    pyodide = os.environ.get("SUBWORD_LAB_PYODIDE")
    if not pyodide:
        pytest.skip(
            "SUBWORD_LAB_PYODIDE names no folder with Pyodide; get its core with: npm pack pyodide"
        )
    for name in ("jupyterlite_core", "jupyterlite_pyodide_kernel", "pdoc"):
        pytest.importorskip(name, reason="pip install 'subword-lab-teach[site]'")
    out = tmp_path_factory.mktemp("site")
    assert run("site", out, "--pyodide", pyodide).returncode == 0
    config = out / "lab" / "jupyter-lite.json"
    settings = json.loads(config.read_text())
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    config.write_text(json.dumps(settings))
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0),
        functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(out)),
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


class Page(Lab):
    """JupyterLite in a page."""

    patience = PATIENCE

    def open(self, name):
        self.page.goto(f"{self.course}/lab/lab/index.html?path={name}")
        self.page.wait_for_function(IDLE, timeout=PATIENCE)

    def run(self, number, source=None):
        """Run one cell, be it with something in place of what stands there, and wait for it."""
        cell = f"window.jupyterapp.shell.currentWidget.content.widgets[{number}].model"
        if source:
            self.page.evaluate(f"source => {cell}.sharedModel.setSource(source)", source)
        self.select(number)
        self.command("notebook:run-cell")
        done = f"{cell}.executionState === 'idle' && {cell}.executionCount"
        self.page.wait_for_function(done, timeout=PATIENCE)


@pytest.fixture
def lab(browser, site):
    """JupyterLite on a page that may ask nobody but the file server."""
    with watched(browser, viewport={"width": 1280, "height": 1200}) as page:
        page.set_default_timeout(60_000)
        yield Page(page, site)
        assert all(url.startswith((site, "data:", "blob:")) for url in page.context.asked)


def test_lesson_01_is_worked_in_and_is_there_again_after_a_reload(lab):
    lab.open("01_bpe.ipynb")
    page, sources = lab.page, lab.sources()

    def place(words):
        return next(number for number, source in enumerate(sources) if words in source)

    ex, code = (exercises_in(lab, *kinds)[0] for kinds in (["number"], ["function", "repair"]))
    at, cell = place(f'load("{ex.id}")'), place(f"{code.name}.check(")
    for number in (place("import"), at):
        lab.run(number)
    shown, (answer, message) = card(lab, ex), wrong(ex)
    shown.get_by_role("textbox").fill(answer)
    assert message in check(shown, "✗ Not right yet")
    shown.get_by_role("textbox").fill(right(ex))
    check(shown, "✓ Right")
    lab.run_all()
    assert lab.outputs("error") == lab.outputs("stream") == []
    name, solution = code.asked.answer.__name__, source_of(code.asked.answer)
    endless = f"def {name}(*arguments):\n    while True:\n        pass"
    for source, verdict in ((endless, "timeout"), (solution, "correct")):
        lab.run(cell, f"{source}\n\n\n{code.name}.check({name})")
        page.get_by_text(f"{code.id}: {verdict}").first.wait_for()
        told = "Your function ran in this page, for at most 1,000,000 lines of Python."
        page.get_by_text(told).first.wait_for()
    lab.command("docmanager:save")
    lab.open("01_bpe.ipynb")
    kept = page.evaluate(
        "window.jupyterapp.serviceManager.contents.get('progress.jsonl',"
        " {content: true, type: 'file', format: 'text'}).then(file => file.content)"
    )
    assert {f'"{ex.id}"', f'"{code.id}"'} <= set(re.findall('"[a-z]+-[0-9]+"', kept))
    for number in (place("import"), at):
        lab.run(number)
    card(lab, ex).get_by_text("✓ done").wait_for()
    assert solution.splitlines()[-1] in lab.sources()[cell]


@pytest.mark.parametrize(
    "name", [*(lesson.file for lesson in lessons.LESSONS), lessons.GALLERY, lessons.SOURCES]
)
def test_a_notebook_runs_to_its_end_with_nothing_but_what_the_site_brings(lab, name):
    lab.open(name)
    lab.run_all()
    assert lab.outputs("error") == lab.outputs("stream") == []
