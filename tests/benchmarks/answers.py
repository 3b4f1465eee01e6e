"""How soon does a playground answer a key? python -m tests.benchmarks.answers [--keys N], from the project's folder.

JupyterLab is started as a learner would, and a browser types into each playground, on a short text and on a page of
text, and steps through each player. A time runs from the key to the first picture with the answer in it; the table
shows medians and the slowest in milliseconds, and beside them what the kernel alone takes. Run it alone on a machine.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.browser.conftest import BROWSERS, HOW_TO_GET_IT, Lab, chromium, served
from tests.browser.test_lessons import write

SETUP = """\
from subword_lab import bpe, compression, text, unigram, views, wordpiece
from subword_lab.studies.encoders import encode_bytes, encoder
page = text.load_passage()[:2000]
freqs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
wiki = text.load_word_freqs("wikitext-2-validation")
model, losses = bpe.train(wiki, vocab_size=3000), unigram.train(freqs, vocab_size=12, initial_size=20)
encoders = {"BPE": encoder(model, method="lowest-rank"), "bytes": encode_bytes}
steps = list(bpe.train_steps(freqs, num_merges=6))"""
PLAYGROUNDS = {
    "trainer, 5 words": ("views.trainer_playground(freqs, title={!r})", "textarea"),
    "trainer, a page": ("views.trainer_playground(page, merges=20, title={!r})", "textarea"),
    "tokenizers, 12 words": (
        "views.tokenizer_playground(encoders, 'a few words ' * 4, title={!r})",
        "textarea",
    ),
    "tokenizers, a page": ("views.tokenizer_playground(encoders, page, title={!r})", "textarea"),
    "lattice, 4 letters": (
        "views.lattice_playground('hugs', losses, title={!r})",
        "input[type=text]",
    ),
}
PLAYERS = {
    "merges": "views.merge_stepper(freqs, steps)",
    "merges, asking": "views.merge_stepper(freqs, steps, ask=True)",
    "longest beginnings": "views.prefix_stepper('hugsbun', wordpiece.train(freqs, num_merges=3))",
    "Viterbi": "views.viterbi_stepper('hugs', losses)",
    "pruning": "views.pruning_stepper(freqs, unigram.train_steps(freqs, vocab_size=8, initial_size=20))",
    "EM": "views.em_stepper(freqs, losses)",
    "compression": "views.compression_stepper(compression.compress('she sells sea shells'))",
}
LISTEN = """([root, watched]) => {
  window.times = [];
  let began = null;
  root.addEventListener("keydown", () => { began = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    if (began !== null) { window.times.push(performance.now() - began); began = null; }
  })).observe(watched, { childList: true, characterData: true, subtree: true });
}"""


def answer_times(lab: Lab, keys: int) -> dict[str, list[float]]:
    """Milliseconds from each key to its answer, by playground and player of the notebook that is open."""
    found = {}
    for name, (_, field) in PLAYGROUNDS.items():
        root = lab.page.get_by_role("group", name=name, exact=True)
        box = root.locator(field).first
        box.click()
        lab.page.keyboard.press("Control+End")
        found[name] = _timed(
            lab, root, root.locator(".sl-status"), ["s", "Backspace"] * (keys // 2)
        )
    for number, name in enumerate(PLAYERS):
        root = lab.page.locator(".sl-frames.sl-live").nth(number)
        root.get_by_role("slider").focus()
        found[name] = _timed(
            lab, root, root.locator(".sl-label"), ["ArrowRight", "ArrowLeft"] * (keys // 2)
        )
    return found


def _timed(lab: Lab, root: object, watched: object, presses: list[str]) -> list[float]:
    lab.page.evaluate(LISTEN, [root.element_handle(), watched.element_handle()])  # type: ignore[attr-defined]
    for number, key in enumerate(presses, start=1):
        lab.page.keyboard.press(key)
        lab.page.wait_for_function("number => window.times.length >= number", arg=number)
        lab.page.wait_for_timeout(50)
    return lab.page.evaluate("window.times")


def kernel_times(keys: int) -> dict[str, list[float]]:
    """Milliseconds that a playground takes to answer, without a browser."""
    names: dict[str, object] = {}
    exec(SETUP, names)
    found = {}
    for name, (code, _) in PLAYGROUNDS.items():
        playground = eval(code.format(name), names)
        control = playground.controls[0]["name"]
        first, times = playground.values[control], []
        for number in range(keys):
            value = first + "s" * (number % 2 == 0)
            began = time.perf_counter()
            playground.values = {**playground.values, control: value, "caret": len(value)}
            times.append(1000 * (time.perf_counter() - began))
        found[name] = times
    return found


def main(argv: list[str] | None = None) -> None:
    """Read the command line, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=20, help="how many keys are pressed in each")
    options = parser.parse_args(argv)
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit(HOW_TO_GET_IT)
    kernel = kernel_times(options.keys)
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home)) as course,
        chromium(path) as browser,
    ):
        lab = Lab(browser.new_page(viewport={"width": 1280, "height": 1400}), course)
        write(
            lab.folder,
            "answers.ipynb",
            SETUP,
            *(code.format(name) for name, (code, _) in PLAYGROUNDS.items()),
            *PLAYERS.values(),
        )
        lab.open("answers.ipynb")
        lab.run_all()
        lab.page.wait_for_timeout(2000)
        times = answer_times(lab, options.keys)
    print(
        f"Python {platform.python_version()}, {platform.machine()}; {options.keys} keys each; milliseconds."
    )
    print("| what | median | slowest | kernel alone |\n| --- | --- | --- | --- |")
    for name, measured in times.items():
        alone = f"{median(kernel[name]):.1f}" if name in kernel else "none"
        print(f"| {name} | {median(measured):.0f} | {max(measured):.0f} | {alone} |")


if __name__ == "__main__":
    main()
