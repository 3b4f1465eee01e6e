"""What axe finds in the gallery, in a lesson and on reading pages: wide and narrow, light and dark."""

from importlib.resources import files

import pytest

from subword_lab_teach.site.pages import write_pages

pytestmark = pytest.mark.slow

WITHOUT_WINDOWS = """() => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: "none" };        // all cells are on the page
}"""
FOUND = """async () => {
  const found = await axe.run({ include: [[".jp-OutputArea-output"], [".jp-RenderedMarkdown"]] });
  const bare = [...document.querySelectorAll(".jp-OutputArea-output .sl-token")]
    .filter(token => getComputedStyle(token).borderTopStyle === "none");
  return [...found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 200)}`)),
    ...bare.map(token => `without an edge: ${token.outerHTML}`)];
}"""


@pytest.mark.parametrize("name", ["gallery.ipynb", "01_bpe.ipynb"])
def test_axe_finds_nothing(lab, name):
    axe = pytest.importorskip("axe_playwright_python", reason="pip install axe-playwright-python")
    lab.open(name)
    lab.page.evaluate(WITHOUT_WINDOWS)
    lab.run_all()
    lab.page.get_by_role("group", name="Tokenize your own text").first.wait_for()
    lab.page.wait_for_timeout(
        2500
    )  # a widget has two seconds to begin, in which axe would keep the page busy
    lab.page.evaluate(files(axe).joinpath("axe.min.js").read_text(encoding="utf-8"))
    for width, theme in ((1400, "Light"), (1400, "Dark"), (600, "Dark"), (600, "Light")):
        lab.page.set_viewport_size({"width": width, "height": 1400})
        lab.command("apputils:change-theme", theme=f"JupyterLab {theme}")
        lab.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === `JupyterLab ${theme}`", arg=theme
        )
        lab.page.wait_for_timeout(500)  # the page is laid out anew
        assert lab.page.evaluate(FOUND) == [], (width, theme)


@pytest.mark.parametrize("name", ["02_wordpiece", "03_unigram"])
def test_axe_finds_nothing_on_a_page(browser, tmp_path, name):
    axe = pytest.importorskip("axe_playwright_python", reason="pip install axe-playwright-python")
    with browser.new_page() as page:
        page.goto(write_pages(tmp_path).with_name(f"{name}.html").as_uri())
        page.evaluate(files(axe).joinpath("axe.min.js").read_text(encoding="utf-8"))
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 1000})
            found = page.evaluate("axe.run({ runOnly: ['wcag2a', 'wcag2aa'] })")
            assert found["violations"] == [], width
