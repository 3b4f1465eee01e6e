"""JupyterLab in a real browser: one server, started by `subword-lab open` as a learner would, for all tests here."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from importlib.resources import files

import nbformat
import pytest

from subword_lab.html import Html, tag
from subword_lab_teach.site.pages import page as page_of

BROWSERS = (
    "chromium-headless-shell",  # takes a third of the others' processor time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
HOW_TO_GET_IT = (
    "no Chromium or Chrome on the PATH; get it with: apt-get install chromium-headless-shell (Debian), "
    "apt-get install chromium (Ubuntu), "
    "brew install --cask chromium (macOS)"
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LATE = (  # on a busy machine: drawn all the same after two seconds; asked of a kernel that is started anew
    "[anywidget] Failed to initialize model.",
    "Error: Canceled future for create_subshell_request message",
)
DRAWN = """() => window.jupyterapp.shell.currentWidget.content.widgets
  .flatMap(cell => [...(cell.outputArea?.node.querySelectorAll(".jp-OutputArea-output") ?? [])])
  .every(output => output.textContent.trim() || output.querySelector("svg, img, input"))"""
IDLE = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"


# While it is there, an event loop runs, and nothing else can begin one.
@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(HOW_TO_GET_IT)
    api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with api.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=path, args=FLAGS)


DENIED = """for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new Error("denied"); } });"""


@contextmanager
def watched(browser, **options):
    """A page in a profile of its own that notes what it asks for, and fails its test on an error."""
    context = browser.new_context(**options)
    context.asked, errors = [], []
    context.on("request", lambda request: context.asked.append(request.url))
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context.new_page()
    context.close()
    errors = [error for error in errors if not error.startswith(LATE)]
    assert not errors, errors


def axe(page, where="document"):
    """What axe finds there on a page: the rule and the element."""
    package = pytest.importorskip(
        "axe_playwright_python", reason="pip install axe-playwright-python"
    )
    page.evaluate(
        f"() => {{ {files(package).joinpath('axe.min.js').read_text(encoding='utf-8')} }}"
    )
    return page.evaluate(
        f"axe.run({where}, {{ resultTypes: ['violations'] }}).then(found => found.violations.flatMap(rule => "
        "rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 200)}`)))"
    )


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """The running course: its folder, the server's address and its token."""
    home = tmp_path_factory.mktemp("home")
    settings, folder = home / "config", home / "course"
    settings.mkdir()
    (settings / "jupyter_lab_config.json").write_text('{"LabApp": {"expose_app_in_browser": true}}')
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(settings),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "SUBWORD_LAB_HOME": str(home / "progress"),
    }
    env.pop("SUBWORD_LAB_NO_WIDGETS", None)
    command = [sys.executable, "-m", "subword_lab", "open", str(folder), "--no-browser"]
    with subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=env
    ) as process:
        try:
            line = process.stdout.readline()
            address, token = re.match(r"(http://[^/]*)/.*token=(\w+)", line).groups()
            yield {"folder": folder, "address": address, "token": token}
        finally:
            process.terminate()


class Lab:
    """One browser page with JupyterLab, and what one does there."""

    patience = 120_000  # milliseconds, for a whole notebook

    def __init__(self, page, course):
        self.page, self.course = page, course

    def write(self, name: str, *sources: str) -> None:
        """A new notebook of these cells."""
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        kernel = {"name": "python3", "display_name": "Python 3"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, self.course["folder"] / name)

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
        self.page.wait_for_function(DRAWN, timeout=self.patience)

    def command(self, name: str, **arguments) -> None:
        """One of JupyterLab's own commands."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => null)",
            [name, arguments],
        )

    def theme(self, name: str) -> None:
        """JupyterLab's theme "Light" or "Dark"."""
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")
        self.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === `JupyterLab ${theme}`", arg=name
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

    def active_cell(self) -> int:
        """The number of the cell that is selected."""
        return self.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")


@contextmanager
def fresh(browser, course):
    """JupyterLab on a fresh page; fails if the page reported an error."""
    with watched(browser, viewport={"width": 1280, "height": 1400}) as page:
        page.set_default_timeout(20_000)
        yield Lab(page, course)


@pytest.fixture
def lab(browser, course):
    """A page for one test."""
    with fresh(browser, course) as lab:
        yield lab


@pytest.fixture(scope="module")
def run_cells(browser, course):
    """A function that writes cells into a notebook and runs them, on a page for several tests."""
    with ExitStack() as pages:

        def run(name, *sources):
            lab = pages.enter_context(fresh(browser, course))
            lab.write(name, *sources)
            lab.open(name)
            lab.run_all()
            return lab

        yield run


@contextmanager
def untouched(lab):
    """Whatever is done there, nothing is typed into a cell, none is run or moved, and the cursor is in none."""
    cells = "window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.prompt)"
    before = lab.sources(), lab.page.evaluate(cells)
    yield lab
    lab.page.wait_for_timeout(300)  # what fires, fires a moment later
    assert (lab.sources(), lab.page.evaluate(cells)) == before
    assert lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.mode") == "command"


@contextmanager
def played(browser, folder, *playgrounds):
    """A page of the site with nothing on it but playgrounds, opened."""
    faces = [Html(each._repr_html_()) for each in playgrounds]
    address = folder / "page.html"
    address.write_text(page_of("Here", tag("main", tag("h1", "Here"), *faces)), encoding="utf-8")
    with watched(browser, viewport={"width": 1100, "height": 900}) as page:
        page.goto(address.as_uri())
        yield page


def looks_well(page):
    """Whether axe finds nothing and nothing is cut off, wide and narrow, light and dark; no color is on its way."""
    page.emulate_media(reduced_motion="reduce")
    for width, scheme in ((1100, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == [], (width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    return True


def says(play, words):
    """Wait until a playground says these words, be they for the eyes or for the ears alone."""
    told = "([play, words]) => (play.innerText + play.textContent).includes(words)"
    play.page.wait_for_function(told, arg=[play.element_handle(), words], timeout=10_000)


def press(page, keys):
    """Press keys one after the other; blanks stand between their names."""
    for key in keys.split():
        page.keyboard.press(key)


def walk(play, *steps):
    """Do one thing after the other on a playground, which then says so.

    A step is "press" and keys, "type" and a text, the name of a button, or nothing.
    """
    for step, words in steps:
        verb, _, what = step.partition(" ")
        if verb == "press":
            press(play.page, what)
        elif verb == "type":
            play.get_by_role("textbox").fill(what)
        elif step:
            play.get_by_role("button", name=step).click()
        says(play, words)


def tab_into(page, place):
    """Go on with the Tab key until it leads into this place."""
    for _ in range(12):
        page.keyboard.press("Tab")
        if place.evaluate("place => place.contains(document.activeElement)"):
            return
    raise AssertionError("Tab does not lead there")
