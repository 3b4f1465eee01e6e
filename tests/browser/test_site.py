"""The site in a real browser, from a plain file server on this machine: the pages, and a lesson that runs in the page.

Pyodide is not here by itself: SUBWORD_LAB_PYODIDE names a folder with it; its core is enough, as `npm pack pyodide`
brings it. The environment needs the extra `site`.
"""

import functools
import http.server
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from subword_lab import lessons
from subword_lab.exercises.code import source_of

from .conftest import IDLE, Lab
from .test_lessons import card, exercises_in, right, told, wrong

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
        if not importlib.util.find_spec(name):
            pytest.skip(
                f"{name} is not installed; get it with: pip install 'subword-lab-teach[site]'"
            )
    out = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "subword_lab", "site", str(out), "--pyodide", pyodide], check=True
    )
    config = Path(out, "lab", "jupyter-lite.json")
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
        self.page.goto(f"{self.course['address']}/lab/lab/index.html?path={name}")
        self.page.wait_for_function(IDLE, timeout=PATIENCE)

    def write(self, number, source):
        """Put something in place of what stands in a cell."""
        self.page.evaluate(
            "([number, source]) => window.jupyterapp.shell.currentWidget.content.widgets[number].model"
            ".sharedModel.setSource(source)",
            [number, source],
        )

    def run(self, number):
        """Run one cell, and wait for it."""
        self.select(number)
        self.command("notebook:run-cell")
        self.page.wait_for_function(
            "number => window.jupyterapp.shell.currentWidget.content.widgets[number].model.executionState === 'idle'"
            " && window.jupyterapp.shell.currentWidget.content.widgets[number].model.executionCount",
            arg=number,
            timeout=PATIENCE,
        )


@pytest.fixture
def context(browser, site):
    """A browser profile of its own, which may ask nobody but the file server."""
    context = browser.new_context(viewport={"width": 1280, "height": 1200})
    context.set_default_timeout(60_000)
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    assert not [url for url in asked if not url.startswith((site, "data:", "blob:"))]


def test_a_lesson_can_be_read_on_a_phone_and_its_players_move(context, site):
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(site)
    page.get_by_role("link", name="Byte-pair encoding").first.click()
    page.wait_for_url("**/01_bpe.html")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    players = page.locator(".sl-frames")
    assert players.count() == page.locator(".sl-frames.sl-live").count() >= 1
    players.first.get_by_role("button", name="Next").click()
    players.first.get_by_text("u + g becomes ug (20 times)").locator(
        "visible=true"
    ).first.wait_for()
    assert page.locator("img").count() and not page.locator("img:not([alt])").count()
    page.get_by_role("link", name="Next: 02 WordPiece").click()
    page.wait_for_url("**/02_wordpiece.html")
    assert page.locator("math").count() == 2 and not errors


def test_lesson_01_is_worked_in_and_is_there_again_after_a_reload(context, site):
    page = context.new_page()
    lab = Page(page, {"address": site, "folder": ""})
    lab.open("01_bpe.ipynb")
    sources = lab.sources()
    ex = exercises_in(lab, "number")[0]
    at = next(number for number, source in enumerate(sources) if f'load("{ex.id}")' in source)
    lab.run(next(number for number, source in enumerate(sources) if "import" in source))
    lab.run(at)
    shown, (answer, message) = card(lab, ex), wrong(ex)
    shown.get_by_role("textbox").fill(answer)
    shown.get_by_role("button", name="Check").click()
    assert message in told(shown, "✗ Not right yet")
    shown.get_by_role("textbox").fill(right(ex))
    shown.get_by_role("button", name="Check").click()
    told(shown, "✓ Right")
    lab.run_all()
    assert lab.outputs("error") == lab.outputs("stream") == []
    code = exercises_in(lab, "function", "repair")[0]
    cell = next(number for number, source in enumerate(sources) if f"{code.name}.check(" in source)
    name, solution = code.asked.answer.__name__, source_of(code.asked.answer)
    endless = f"def {name}(*arguments):\n    while True:\n        pass"
    for source, verdict in ((endless, "timeout"), (solution, "correct")):
        lab.write(cell, f"{source}\n\n\n{code.name}.check({name})")
        lab.run(cell)
        page.get_by_text(f"{code.id}: {verdict}").first.wait_for()
        page.get_by_text(
            "Your function ran in this page, for at most 1,000,000 lines of Python."
        ).first.wait_for()
    lab.command("docmanager:save")
    lab.open("01_bpe.ipynb")
    kept = page.evaluate(
        "window.jupyterapp.serviceManager.contents.get('progress.jsonl',"
        " {content: true, type: 'file', format: 'text'}).then(file => file.content)"
    )
    assert {f'"{ex.id}"', f'"{code.id}"'} <= set(re.findall('"[a-z]+-[0-9]+"', kept))
    lab.run(next(number for number, source in enumerate(sources) if "import" in source))
    lab.run(at)
    card(lab, ex).get_by_text("✓ done").wait_for()
    assert solution.splitlines()[-1] in lab.sources()[cell]


@pytest.mark.parametrize(
    "name", [*(lesson.file for lesson in lessons.LESSONS), lessons.GALLERY, lessons.SOURCES]
)
def test_a_notebook_runs_to_its_end_with_nothing_but_what_the_site_brings(context, site, name):
    lab = Page(context.new_page(), {"address": site, "folder": ""})
    lab.open(name)
    lab.run_all()
    assert lab.outputs("error") == lab.outputs("stream") == []
