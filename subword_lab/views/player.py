"""Frames that one steps through: a slider, Previous and Next; without a script, all frames one under another.

A `FramePlayer` holds finished HTML. The few lines of script only show one frame at a time, so it needs no kernel: it
moves as soon as a trusted notebook is opened. Where scripts do not run, every frame is a line to be opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import html
from ..html import Html, Shown, note, tag
from .shown import html_of, static


@dataclass(frozen=True, repr=False)
class FramePlayer(Shown):
    """Frames with a label each. In a notebook a slider moves through them; elsewhere the labels are listed.

    frames: HTML, or anything with HTML of its own (`_repr_html_`). labels: one short line of text a frame.
    alt: what is shown, in one sentence; it stands above the frames.

    Raises ValueError if there are no frames, or not as many labels as frames.

    >>> FramePlayer(["<b>h u g</b>", "<b>h ug</b>"], ["characters", "u + g"], alt="One word being merged")
    One word being merged
    0. characters
    1. u + g
    """

    frames: Sequence[object]
    labels: Sequence[str]
    alt: str

    def __post_init__(self) -> None:
        if not self.frames or len(self.labels) != len(self.frames):
            raise ValueError(
                f"{len(self.frames)} frames and {len(self.labels)} labels; expected at least one frame, "
                "and a label for each"
            )

    def __repr__(self) -> str:
        return "\n".join(
            [self.alt, *(f"{number}. {label}" for number, label in enumerate(self.labels))]
        )

    def html(self) -> Html:
        frames = [
            html.details(f"{number}. {label}", html_of(frame), open=number == 0)
            for number, (frame, label) in enumerate(zip(self.frames, self.labels))
        ]
        return tag(
            "div",
            note(self.alt),
            tag("p", "To move through the steps, run this cell.", class_="sl-still"),
            tag("div", *frames, class_="sl-stack"),
            tag("script", Html(static("frames.js"))),
            class_="sl-frames mathjax_ignore",
            role="group",
            aria_label=self.alt,
        )
