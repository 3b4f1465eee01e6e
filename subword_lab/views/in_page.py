"""What plays in the page itself: on the pages to read, on slides, and in a trusted notebook before any cell was run.

Python says what an element begins with, and in one line what comes of that. What is typed, pressed and played is the
work of the element's modules in `static/`, which compute what the package computes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..html import Html, View, note, pieces, tag
from .player import brings_script, bundled, static, within
from .tokens import well_formed

LOOK = ("design.css", "merge_player.css", "trainer.css")
PLAYER = ("merge_player.html", "merge_player.js", "picture.js", "bench.html", "bench.js")
COMMON = ("widget.js", "merging.js", "motion.js")
PARTS = {  # of an element: its style sheets, and its modules, of which each imports from those before it
    "subword-trainer": (LOOK, (*COMMON, *PLAYER, "trainer.html", "trained.html", "trainer.js")),
    "subword-compressor": (LOOK, (*COMMON, *PLAYER, "compressor.js")),
    "subword-work": (LOOK, (*COMMON, *PLAYER, "work.js")),
    "subword-lattice": (
        (*LOOK, "roads.css"),
        ("widget.js", "merging.js", "lattice.js", "roads.html", "roads.js"),
    ),
    "subword-arena": (
        (*LOOK, "roads.css", "arena.css"),
        ("widget.js", "merging.js", "lattice.js", "encoding.js", "arena.html", "arena.js"),
    ),
    "subword-bits": ((*LOOK, "roads.css", "bits.css"), (*COMMON, "bits.html", "bits.js")),
}
CHANGES = "Run this cell in a notebook, and you can change everything."


@dataclass(frozen=True, repr=False)
class InPage(View):
    """An element of the page, as `in_page` makes it. Its face alone plays where its script is on the page."""

    element: str

    def html(self) -> Html:
        sheets, modules = PARTS[self.element]
        return pieces(
            tag("style", Html(within(self.element, *sheets))),
            self.face,
            tag("script", Html(f"(() => {{\n{bundled(*map(static, modules))}\n}})();")),
        )

    def _repr_html_(self) -> str:
        return self.html() if brings_script(self.element) else self.face


def in_page(
    element: str, title: str, status: str, settings: Mapping[str, object], *still: object
) -> InPage:
    """An element, and what stands in its place where no script runs: title, `still`, and a sentence.

    settings: what its script is told.
    """
    frozen = tag(
        "div", tag("p", tag("b", title)), *still, tag("p", status), note(CHANGES), class_="sl-still"
    )
    return InPage(
        f"{title}: {status}",
        tag(
            element,
            frozen,
            class_="mathjax_ignore",
            role="group",
            aria_label=title,
            data_settings=json.dumps({"title": title, **settings}),
        ),
        element,
    )


def text_of(corpus: str | Path) -> str:
    """The text of a file, or a text as it is; a half of a surrogate pair becomes U+FFFD."""
    return well_formed(corpus.read_text(encoding="utf-8") if isinstance(corpus, Path) else corpus)
