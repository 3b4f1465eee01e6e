"""What axe finds in the gallery and in a lesson: wide and narrow, light and dark."""

import pytest

from .conftest import axe

pytestmark = pytest.mark.slow

WITHOUT_WINDOWS = """() => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: "none" };        // all cells are on the page
}"""
ON_THE_PAGE = '{ include: [[".jp-OutputArea-output"], [".jp-RenderedMarkdown"]] }'
BARE = """[...document.querySelectorAll(".jp-OutputArea-output .sl-token")]
  .filter(token => getComputedStyle(token).borderTopStyle === "none").map(token => token.outerHTML)"""


LIGHT, DARK = (1400, "Light"), (600, "Dark")


@pytest.mark.parametrize(
    "name, looks", [("gallery.ipynb", [LIGHT, DARK]), ("01_bpe.ipynb", [DARK])]
)
def test_axe_finds_nothing_and_every_token_has_an_edge(lab, name, looks):
    lab.open(name)
    lab.page.evaluate(WITHOUT_WINDOWS)
    lab.run_all()
    lab.page.get_by_role("group", name="Tokenize your own text").first.wait_for()
    for width, theme in looks:
        lab.page.set_viewport_size({"width": width, "height": 1400})
        lab.theme(theme)
        lab.page.wait_for_timeout(500)  # the page is laid out anew
        assert (axe(lab.page, ON_THE_PAGE), lab.page.evaluate(BARE)) == ([], []), (width, theme)
