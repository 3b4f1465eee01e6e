"""A learner in the browser, with a mouse and with a keyboard alone.

All browser tests stand in this one file, so that one process runs them and one server serves them.
"""
import nbformat
import pytest

STEPPER = """\
from subword_lab import bpe
from subword_lab.views import merge_effect, merge_stepper, token_strip
word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
steps = list(bpe.train_steps(word_freqs, num_merges=6))
merge_stepper(word_freqs, steps)"""


def write(folder, name, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / name)


# ------------------------------------------------------------------------------------------------------- the stepper

SOURCES = ["'above'", STEPPER, "'below'"]


@pytest.fixture
def stepper(lab):
    """A notebook with the stepper between two other cells, run."""
    write(lab.folder, "stepper.ipynb", *SOURCES)
    lab.open("stepper.ipynb")
    lab.run_all()
    player = lab.page.get_by_role("group", name="6 merges on a corpus of 5 words")
    player.scroll_into_view_if_needed()
    return player


def shows(stepper, label):
    """Wait for the label; then one frame alone is to be seen, and the slider tells where it is."""
    stepper.get_by_text(label, exact=False).locator("visible=true").first.wait_for(timeout=5000)
    number = label.split()[0]
    assert stepper.get_by_role("slider").input_value() == number
    assert stepper.get_by_role("slider").get_attribute("aria-valuetext") == f"{number} of 6"
    assert stepper.locator("details.sl-now").count() == 1
    assert stepper.locator("details").locator("visible=true").count() == 1
    assert stepper.locator("[aria-live=polite]").inner_text().startswith(label)


def test_stepper_with_the_mouse(lab, stepper):
    shows(stepper, "0 of 6. Start")
    stepper.get_by_role("button", name="Next").click()
    shows(stepper, "1 of 6. u + g becomes ug (20 times)")
    assert stepper.locator("details.sl-now").get_by_text("merged next").last.is_visible()
    stepper.get_by_role("button", name="Next").click()
    stepper.get_by_role("button", name="Previous").click()
    shows(stepper, "1 of 6. u + g")
    slider = stepper.get_by_role("slider").bounding_box()
    lab.page.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    shows(stepper, "3 of 6. h + ug becomes hug (15 times)")
    lab.page.mouse.move(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    lab.page.mouse.down()
    lab.page.mouse.move(slider["x"] + slider["width"] - 2, slider["y"] + slider["height"] / 2, steps=5)
    lab.page.mouse.up()
    shows(stepper, "6 of 6. hug + s")
    assert lab.sources() == SOURCES


def test_stepper_with_the_keyboard_alone(lab, stepper):
    press = lab.page.keyboard.press
    stepper.get_by_role("slider").focus()
    for key, label in [("ArrowRight", "1 of 6."), ("ArrowUp", "2 of 6."), ("ArrowLeft", "1 of 6."), ("End", "6 of 6."),
                       ("ArrowRight", "6 of 6."), ("Home", "0 of 6."), ("ArrowDown", "0 of 6.")]:
        press(key)
        shows(stepper, label)
    press("Tab")
    assert lab.page.evaluate("document.activeElement.textContent") == "Next"
    for number in range(1, 9):                                              # further than it goes: the focus stays
        press("Enter" if number % 2 else "Space")
        shows(stepper, f"{min(number, 6)} of 6.")
    press("Shift+Tab")
    press("Shift+Tab")
    press("Enter")
    shows(stepper, "5 of 6.")
    assert lab.sources() == SOURCES and lab.mode() == "command"


@pytest.mark.parametrize("role, name", [("slider", "Step"), ("button", "Next"), ("button", "Previous")])
def test_the_notebooks_shortcuts_do_not_fire_in_the_stepper(lab, stepper, role, name):
    control = stepper.get_by_role(role, name=name)
    control.focus()
    at = lab.active_cell()
    for key in ("x", "d", "d", "a", "b", "c", "v", "z", "m", "y", "0", "0", "ArrowDown", "ArrowUp", "j", "k",
                "Shift+Enter", "Alt+Enter", "Shift+M", "Escape"):
        lab.page.keyboard.press(key)
    lab.page.wait_for_timeout(300)                                          # what fires, fires a moment later
    assert lab.sources() == SOURCES
    assert lab.active_cell() == at and lab.mode() == "command"
    assert control.evaluate("control => control === document.activeElement")
    assert lab.page.get_by_role("dialog").count() == 0


def test_the_same_shortcut_outside_the_stepper_does_fire(lab, stepper):
    """That the test above would notice a leak."""
    lab.page.get_by_text("'below'").first.click()
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("x")
    lab.page.wait_for_timeout(300)
    assert lab.sources() == SOURCES[:2]


def test_saving_works_from_within_the_stepper_and_the_saved_stepper_moves_without_a_kernel(lab, stepper):
    stepper.get_by_role("slider").focus()
    lab.page.keyboard.press("Control+s")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    lab.open("stepper.ipynb")
    lab.command("kernelmenu:shutdown")
    lab.page.wait_for_function("!window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel")
    player = lab.page.get_by_role("group", name="6 merges on a corpus of 5 words")
    player.get_by_role("button", name="Next").click()
    shows(player, "1 of 6. u + g")


def test_where_scripts_do_not_run_every_step_can_be_read(browser):
    from subword_lab import bpe
    from subword_lab.views import merge_stepper

    word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    player = merge_stepper(word_freqs, list(bpe.train_steps(word_freqs, num_merges=6)))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(player._repr_html_())
    assert page.locator("summary").all_inner_texts() == [f"{line}" for line in repr(player).splitlines()[1:]]
    page.get_by_text("3. h + ug becomes hug").click()
    assert page.locator("details").nth(3).get_by_text("corpus: 62 tokens").is_visible()
    context.close()


# ----------------------------------------------------------------------------------------------------- other views

def test_dollar_signs_in_tokens_are_not_taken_for_formulas(lab):
    write(lab.folder, "dollars.ipynb", "from subword_lab.views import token_strip\ntoken_strip(['$x$', '$'])",
          "from IPython.display import HTML\nHTML('<p>a real formula: $y$</p>')")
    lab.open("dollars.ipynb")
    lab.run_all()
    lab.page.locator("mjx-container").first.wait_for(timeout=20_000)                 # the formula, which comes second
    assert lab.page.locator("mjx-container").count() == 1
    assert lab.page.locator(".jp-OutputArea .sl-token").all_inner_texts() == ["$x$", "$"]


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_figures_take_the_color_of_the_pages_text(lab, theme):
    write(lab.folder, "figure.ipynb", STEPPER.rsplit("\n", 1)[0] + "\nmerge_effect(steps, word_freqs)")
    lab.open("figure.ipynb")
    lab.run_all()
    lab.command("apputils:change-theme", theme=theme)
    lab.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
    figure = lab.page.get_by_role("img", name="Line chart. The corpus is 113 tokens long")
    ink = figure.locator("text").first.evaluate("text => getComputedStyle(text).fill")
    assert ink == figure.evaluate("figure => getComputedStyle(figure.closest('.jp-RenderedHTMLCommon')).color")
