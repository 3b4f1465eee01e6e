"""Takes the README's pictures from the real thing, in a browser: python tests/pictures.py

They are written to pictures/; what each shows, for the README, goes to standard output.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import subword_lab_teach.report as reports  # noqa: E402
from subword_lab import Tokenizer, bpe, text, views  # noqa: E402
from subword_lab.exercises import load  # noqa: E402
from subword_lab.views.card import ExerciseCard  # noqa: E402
from subword_lab_teach import grade, rehearsal  # noqa: E402
from subword_lab_teach.site.pages import write_pages  # noqa: E402

FOLDER = ROOT / "pictures"
MOST = 640  # pixels of height; of what is longer, the beginning
LOOK = "<style>:root { color-scheme: light } body { margin: 12px; font: 15px/1.5 system-ui, sans-serif }</style>"
DRAW = """async ([source, style, state]) => {
  const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
  document.head.append(Object.assign(document.createElement("style"), {textContent: style}));
  const model = {get: name => state[name], set() {}, save_changes() {}, on() {}, off() {}, send() {}};
  const widget = module.default;
  (widget.render ? widget : widget()).render({model, el: document.body});
}"""


def front(page):
    """The site's front page, with a text merged before one's eyes."""
    with TemporaryDirectory() as folder:
        page.set_viewport_size({"width": 1240, "height": 860})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(write_pages(Path(folder)).as_uri())
        for _ in range(4):
            page.get_by_role("button", name="One merge on").click()
    return "The site's front page: a sentence of one's own as tokens, and the pairs that could be merged next"


def player(page):
    word_freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    shown = views.merge_stepper(word_freqs, list(bpe.train_steps(word_freqs, num_merges=6)))
    page.emulate_media(reduced_motion="reduce")
    page.set_content(LOOK + shown._repr_html_())
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    return (
        "A player in a lesson: five words cut into tokens, the pairs counted in them, and the pair that is merged "
        f"next. It stands at: {page.locator('.sl-label').inner_text()}"
    )


def draw(page, widget, *traits):
    """A widget as it stands, without a kernel."""
    page.set_content(LOOK)
    state = {name: getattr(widget, name) for name in traits}
    page.evaluate(DRAW, [str(widget._esm), str(widget._css), json.loads(json.dumps(state))])


def card(page):
    """A card that was given a wrong answer, as the engine judges and draws it."""
    ex = load("bpe-01")
    mistake = next(mistake for mistake in ex.asked.mistakes if ex.check(mistake.value).label)
    answer = ex.kind.show(mistake.value)
    shown = ExerciseCard(ex)
    shown._answer(None, {"do": "check", "turn": ex.turn, "answer": answer})
    draw(page, shown, "shown")
    page.get_by_role("textbox").fill(answer)
    return f"An exercise that was answered with {answer}, and says which mistake that looks like: {mistake.message}"


def playground(page):
    """A sentence in three languages, cut by tokenizers of three families."""
    lines = text.load_passage().splitlines()
    made = {
        name: Tokenizer.train(lines, algorithm=name, vocab_size=1000)
        for name in ("bpe", "wordpiece", "unigram")
    }
    string = "Writing is slower than thinking."
    shown = views.tokenizer_playground({name: one.encode for name, one in made.items()}, string)
    draw(page, shown, "title", "form", "values", "shown")
    return f"A playground in which whatever is typed is cut by three tokenizers. {shown.status}"


def report(page):
    """What a class got wrong: learners who do not exist, with mistakes that are planted in their notebooks."""
    with TemporaryDirectory() as folder:
        names = [f"bpe-{number:02}" for number in range(1, 9)]
        rehearsal.rehearse(Path(folder, "in"), names, rehearsal.NAMES[:12], seed=7)
        grades = grade(Path(folder, "in"), seed=7, trust=True)
    page.set_content(reports.report(grades, names=False))
    first, *_ = reports.mistakes(grades).to_dict("records")
    page.get_by_role("heading", name="Misconceptions").evaluate(
        "heading => { while (heading.previousSibling) heading.previousSibling.remove(); }"
    )
    return (
        f"From the report on a class of {len(grades.rows)}: the mistakes that were made, those of most learners "
        f"first. {first['learners']} made the first: {first['message']}"
    )


def main():
    os.environ.update(SUBWORD_LAB_HOME=":memory:", SUBWORD_LAB_SEED="0", SUBWORD_LAB_LEARNER="")
    with sync_playwright() as driver:
        path = next(
            filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
        )
        browser = driver.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        for picture in (front, player, card, playground, report):
            page = browser.new_page(viewport={"width": 800, "height": 500})
            alt = picture(page)
            width, most = page.viewport_size["width"], max(MOST, page.viewport_size["height"])
            height = min(most, page.evaluate("document.documentElement.scrollHeight"))
            page.screenshot(
                path=FOLDER / f"{picture.__name__}.png",
                full_page=True,
                clip={"x": 0, "y": 0, "width": width, "height": height},
            )
            print(f"![{alt}](pictures/{picture.__name__}.png)")


if __name__ == "__main__":
    main()
