"""Takes the README's pictures from the real thing, in a browser: python tests/pictures.py

They are written to pictures/; what each shows, for the README, goes to standard output.
"""
import json
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]
os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_SEED="0", SUBWORD_LAB_LEARNER="")

from subword_lab import bpe, views  # noqa: E402
from subword_lab.exercises import load  # noqa: E402
from subword_lab.views.card import ExerciseCard  # noqa: E402

FOLDER = ROOT / "pictures"
LOOK = "<style>:root { color-scheme: light } body { margin: 12px; font: 15px/1.5 system-ui, sans-serif }</style>"
DRAW = """async ([source, style, shown]) => {
  const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
  document.head.append(Object.assign(document.createElement("style"), {textContent: style}));
  const model = {get: () => shown, on() {}, off() {}, send() {}};
  module.default().render({model, el: document.body});
}"""


def player(page):
    word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    shown = views.merge_stepper(word_freqs, list(bpe.train_steps(word_freqs, num_merges=6)))
    page.set_content(LOOK + shown._repr_html_())
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    return ("A player in a lesson: five words cut into tokens, the pairs counted in them, and the pair that is merged "
            f"next. It stands at: {page.locator('.sl-label').inner_text()}")


def card(page):
    """A card that was given a wrong answer, as the engine judges and draws it."""
    ex = load("bpe-01")
    mistake = next(mistake for mistake in ex.asked.mistakes if ex.check(mistake.value).label)
    answer = ex.kind.show(mistake.value)
    shown = ExerciseCard(ex)
    shown._answer(None, {"do": "check", "turn": ex.turn, "answer": answer})
    page.set_content(LOOK)
    page.evaluate(DRAW, [shown._esm if isinstance(shown._esm, str) else str(shown._esm), str(shown._css),
                         json.loads(json.dumps(shown.shown))])
    page.get_by_role("textbox").fill(answer)
    return f"An exercise that was answered with {answer}, and says which mistake that looks like: {mistake.message}"


def main():
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for picture in (player, card):
            page = browser.new_page(viewport={"width": 800, "height": 500})
            alt = picture(page)
            page.screenshot(path=FOLDER / f"{picture.__name__}.png", full_page=True)
            print(f"![{alt}](pictures/{picture.__name__}.png)")
        browser.close()


if __name__ == "__main__":
    main()
