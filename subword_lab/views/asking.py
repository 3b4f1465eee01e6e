"""Predict, then look: a player that asks what comes next before it shows it, and answers a guess with figures.

Everything that is said stands in the frames, so no kernel is needed. Where scripts do not run, nothing is asked, and
every frame is there to be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..html import Html, pieces, tag
from .player import FramePlayer
from .shown import html_of, static

Count = int | float | Fraction


@dataclass(frozen=True)
class Choice:
    """Something to guess: what it is called (in text, and as it is shown), what is said to it, whether it is right."""

    name: str
    reply: str
    right: bool
    face: object = None


@dataclass(frozen=True)
class Ask:
    """A question before a frame: what stands there meanwhile, and what can be guessed.

    covers: whether the frame's label has the answer in it, and is hidden, too.
    """

    question: str
    before: object
    choices: Sequence[Choice]
    covers: bool = False

    def html(self) -> Html:
        """The question with its buttons, and a field for whoever would rather type."""
        buttons = [
            tag(
                "button",
                choice.face or choice.name,
                type="button",
                data_name=choice.name,
                data_reply=choice.reply,
                data_right=choice.right,
                aria_label=choice.name,
            )
            for choice in self.choices
        ]
        typed = tag(
            "label",
            "or type it: ",
            tag("input", type="text", size=10, autocomplete="off", spellcheck="false"),
        )
        return tag(
            "div",
            html_of(self.before),
            tag("p", tag("b", self.question)),
            tag(
                "div",
                *buttons,
                typed,
                tag("button", "Show me", type="button", data_show=True),
                class_="sl-choices",
            ),
            class_="sl-ask sl-covers" if self.covers else "sl-ask",
        )


@dataclass(frozen=True, repr=False)
class AskingPlayer(FramePlayer):
    """What `asking` returns: a player with questions, by the number of their frame."""

    asks: Mapping[int, Ask] = field(default_factory=dict)

    def html(self) -> Html:
        frames = [
            pieces(self.asks[number].html(), tag("div", html_of(frame), class_="sl-told"))
            if number in self.asks
            else frame
            for number, frame in enumerate(self.frames)
        ]
        plain = FramePlayer(frames, self.labels, self.alt)
        return tag("div", plain.html(), tag("script", Html(static("ask.js"))), class_="sl-asks")


def asking(player: FramePlayer, asks: Mapping[int, Ask]) -> AskingPlayer:
    """A player that asks before it shows some of its frames; a question with one choice alone is not asked.

    >>> player = FramePlayer(["h u g", "h ug"], ["characters", "u + g"], alt="One word")
    >>> asking(player, {1: Ask("What comes?", "h u g", [Choice("ug", "Yes.", True), Choice("hu", "No.", False)])})
    One word
    0. characters
    1. u + g
    """
    asks = {number: ask for number, ask in asks.items() if len(ask.choices) > 1}
    return AskingPlayer(player.frames, player.labels, player.alt, asks)


def by_count(
    counts: Mapping[object, Count],
    right: object,
    names: Mapping[object, str],
    faces: Mapping[object, object],
    what: str = "times",
) -> list[Choice]:
    """Choices that are answered with two figures, the guess's own and the highest; in the order of their names.

    >>> counts = {("u", "g"): 20, ("h", "u"): 15}
    >>> for choice in by_count(counts, ("u", "g"), {pair: " ".join(pair) for pair in counts}, {}):
    ...     print(choice.reply)
    h u: 15 times. Another has 20: look again.
    u g: 20 times. Right.
    """

    def reply(choice: object) -> str:
        own = f"{names[choice]}: {counts[choice]} {what}."
        if choice == right:
            return f"{own} Right."
        if counts[choice] == counts[right]:
            return f"{own} Another has as many, and the rule for ties takes that one: look again."
        return f"{own} Another has {counts[right]}: look again."

    return [
        Choice(names[key], reply(key), key == right, faces.get(key))
        for key in sorted(counts, key=names.__getitem__)
    ]
