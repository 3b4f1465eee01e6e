"""JupyterLab in a real browser: one server, started by `subword-lab open` as a learner would, for all tests here."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW_TO_GET_IT = (
    "no Chromium or Chrome on the PATH; get it with: apt-get install chromium (Debian, Ubuntu), "
    "brew install --cask chromium (macOS)"
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
IDLE = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(HOW_TO_GET_IT)
    pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with chromium(path) as started:
        yield started


@contextmanager
def chromium(path):
    """A headless Chromium, while one works with it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """The running course: its folder, the server's address and its token."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


@contextmanager
def served(home):
    """The course, served from a folder of its own, while one works with it."""
    settings = home / "config"
    settings.mkdir()
    (settings / "jupyter_lab_config.json").write_text(
        json.dumps({"LabApp": {"expose_app_in_browser": True}})
    )
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(settings),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "SUBWORD_LAB_HOME": str(home / "progress"),
    }
    folder = home / "course"
    env.pop("SUBWORD_LAB_NO_WIDGETS", None)
    command = [
        sys.executable,
        "-m",
        "subword_lab",
        "open",
        str(folder),
        "--no-browser",
        "--port",
        "0",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        address, token = re.match(
            r"(http://[^/]*)/.*token=(\w+)", process.stdout.readline()
        ).groups()
        yield {"folder": folder, "address": address, "token": token}
    finally:
        process.terminate()
        process.wait(timeout=60)


class Lab:
    """One browser page with JupyterLab, and what one does there."""

    patience = 120_000  # milliseconds, for a whole notebook

    def __init__(self, page, course):
        self.page, self.course = page, course
        self.folder = Path(course["folder"])

    def open(self, name: str) -> None:
        """Open a notebook and wait for its kernel."""
        self.page.goto(
            f"{self.course['address']}/lab/tree/{name}?reset&token={self.course['token']}"
        )
        self.page.wait_for_function(IDLE, timeout=60_000)

    def run_all(self) -> None:
        """Run every cell, and wait for the last."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            "window.jupyterapp.shell.currentWidget.content.widgets"
            ".every(cell => cell.model.type !== 'code' || cell.model.executionCount)",
            timeout=self.patience,
        )
        self.page.wait_for_function(IDLE)

    def command(self, name: str, **arguments) -> None:
        """One of JupyterLab's own commands."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments]
        )

    def sources(self) -> list[str]:
        """The text of each cell, as the notebook holds it now."""
        return self.page.evaluate(
            "window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.sharedModel.getSource())"
        )

    def outputs(self, kind: str) -> list:
        """All outputs of a kind, such as "error", as the notebook holds them."""
        return self.page.evaluate(
            "kind => window.jupyterapp.shell.currentWidget.content.widgets.filter(cell => cell.model.type === 'code')"
            ".flatMap(cell => cell.model.sharedModel.getOutputs()).filter(output => output.output_type === kind)",
            kind,
        )

    def select(self, number: int) -> None:
        """Make a cell the active one, in command mode, with the keyboard's focus on it."""
        self.page.evaluate(
            "number => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = number; }",
            number,
        )
        self.command("notebook:enter-command-mode")

    def mode(self) -> str:
        """'edit' while the cursor is in a cell, else 'command'."""
        return self.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode")

    def active_cell(self) -> int:
        """The number of the cell that is selected."""
        return self.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")


@contextmanager
def fresh(browser, course):
    """JupyterLab on a fresh page; fails if the page reported an error."""
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.set_default_timeout(20_000)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield Lab(page, course)
    page.close()
    assert not errors, errors


@pytest.fixture
def lab(browser, course):
    """A page for one test."""
    with fresh(browser, course) as lab:
        yield lab


@pytest.fixture(scope="module")
def new_lab(browser, course):
    """A function that gives a page for several tests."""
    with ExitStack() as pages:
        yield lambda: pages.enter_context(fresh(browser, course))
