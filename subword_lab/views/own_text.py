"""Two playgrounds for a text of the reader's own: what a compressor makes of it, and what training on it costs."""

from collections.abc import Mapping
from pathlib import Path

from .. import text
from ..arguments import check_count, counted
from ..compression import compress
from ..html import Html
from ..studies.speed import looks
from .player import html_of
from .playground import Playground, Regions, control, file_into, slider
from .steppers import compression_stepper
from .tables import share_bar, table

MOST_RULES = 20  # on the slider
MOST_SYMBOLS = 200  # of a text that is compressed, so that it fits on the page
MOST_MERGES = 200  # on the slider
WORK = 20_000  # characters of a text to be trained on


class CompressionPlayground(Playground):
    """A text of one's own, compressed as far as a slider says: the text, its pairs, the table, and both sizes as bars.

    string: what stands in the field at first; at most 200 characters of what is typed are compressed. rules: how many
    of them, at most 20.

    >>> CompressionPlayground("aaabdaaabac", rules=3)
    Compress your own text: From 11 symbols to 5 with 3 rules; with the table it is 14.
    """

    def __init__(
        self,
        string: str = "she sells sea shells by the sea shore",
        *,
        rules: int = 3,
        title: str = "Compress your own text",
    ):
        check_count("rules", rules)
        controls = [
            control("text", "text", f"Your text, up to {MOST_SYMBOLS} characters", string),
            slider("rules", "Rules", MOST_RULES, rules),
        ]
        super().__init__(title, controls)

    def answer(self) -> Regions:
        string = self.text("text")[:MOST_SYMBOLS]
        if not string:
            raise ValueError("Nothing to compress yet: type something")
        rules = int(self.values["rules"])
        made = compress(string, num_rules=rules)
        self.status = (
            f"From {counted(len(string), 'symbol')} to {len(made.data)} with {counted(len(made.table), 'rule')}; "
            f"with the table it is {made.size}."
        )
        sizes = {"as it was": len(string), "the text": len(made.data), "text and table": made.size}
        further = compress(
            string, num_rules=rules + 1
        )  # so that the pair that comes next is marked
        frames = compression_stepper(further, max_symbols=MOST_SYMBOLS).frames
        return {"sizes": bars(sizes, "symbols"), "frame": html_of(frames[len(made.table)])}


class LooksPlayground(Playground):
    """A text of one's own, trained on by the four trainers of `studies.speed.looks`: at how many pairs each looks.

    corpus: what stands in the field at first, a text or a file's Path; of a very long text the beginning is taken.
    merges: how many, at most 200.

    >>> LooksPlayground("hug pug pun bun hugs", merges=3)
    Train on your own text, and count the looks: 3 merges: 42 looks in the whole text, 50 with index and heap.
    """

    def __init__(
        self,
        corpus: str | Path = "hug pug pun bun hugs",
        *,
        merges: int = 100,
        title: str = "Train on your own text, and count the looks",
    ):
        check_count("merges", merges, least=1)
        controls = [
            control("area", "corpus", "Your text", corpus),
            file_into("corpus"),
            slider("merges", "Merges", MOST_MERGES, merges, low=1),
        ]
        super().__init__(title, controls)

    def answer(self) -> Regions:
        freqs = text.word_freqs([self.text("corpus")[:WORK]])
        if not any(len(word) > 1 for word in freqs):
            raise ValueError("Nothing to count yet: type some words, or choose a file")
        sums = looks(freqs, int(self.values["merges"]))
        last = {name: counts[-1] for name, counts in sums.items()}
        self.status = (
            f"{counted(len(sums['an index']), 'merge')}: {counted(last['the whole text'], 'look')} in the whole text, "
            f"{last['index and heap']:,} with index and heap."
        )
        return {"looks": bars(last, "looks at a pair")}


def bars(figures: Mapping[str, int], what: str) -> Html:
    """Figures with their names, and a bar for each on one scale."""
    most = max(figures.values())
    rows = [
        [name, number, share_bar(number / most, "", "chosen")] for name, number in figures.items()
    ]
    return table(rows, ["", what, ""]).html()


compression_playground = CompressionPlayground
looks_playground = LooksPlayground
