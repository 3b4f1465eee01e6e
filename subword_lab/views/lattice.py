"""A word as a road map: the gaps between its characters are places, every token that fits is a road with a price.

The drawing is plain SVG, laid out like a map of bus lines: single characters run along the bottom, longer tokens on
lanes of their own above. What is to be noticed is drawn thick and written bold, so that color is never needed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from .. import lattice
from ..html import Html, pieces, tag
from ..lattice import Edge, shares, viterbi, viterbi_table
from ..unigram import UnigramModel
from .asking import Ask, Choice, asking
from .figures import PALETTE, Figure, drawing
from .player import FramePlayer
from .tables import table, text_width
from .tokens import EDGE, visible

CHOSEN = PALETTE[1]
UNIT, LANE, MARGIN = 84, 42, 24  # pixels: from gap to gap, from lane to lane, around the drawing
NODE = 12  # the radius of a gap
CODE = "font-family:var(--jp-code-font-family,monospace)"


def lattice_figure(
    word: str,
    model: UnigramModel,
    *,
    path: Sequence[str] | None = None,
    without: str | None = None,
    show: str = "loss",
    caption: str = "",
    marked: Collection[Edge] = (),
    press: str = "",
) -> Figure:
    """Every way to cut the word: gaps numbered from 0, and a road for each token, its price under it.

    path: the tokens of the way to be drawn thick; by default the best one, as `unigram.viterbi` finds it. An empty
    path marks none. without: a token of the model that is left out. show: "loss" writes each token's loss;
    "share" writes which part of all ways uses the road, as `unigram.shares` counts it, and draws it as thick. marked:
    roads that are drawn thick in place of a path. press: what a playground is told when a road is pressed.

    Raises ValueError if `path` is no way through the word, or if `show` is something else.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0})
    >>> lattice_figure("hug", model)
    Lattice of hug: 4 roads between 4 gaps. The way drawn thick is h|ug, with a loss of 3.50.
    0 to 1: h 2.00; 1 to 2: u 1.00; 1 to 3: ug 1.50; 2 to 3: g 2.00.
    """
    if show not in ("loss", "share"):
        raise ValueError(f"show is {show!r}; expected one of 'loss', 'share'")
    if show == "share":
        parts = shares(word, model)
        edges, prices = list(parts), {edge: f"{part:.1%}" for edge, part in parts.items()}
        widths = {edge: 0.6 + 6 * part for edge, part in parts.items()}
        chosen, words = [], "The thickness of a road is its share of all ways."
    else:
        edges, widths = lattice.edges(word, model, without=without), {}
        prices = {edge: f"{edge.loss:.2f}" for edge in edges}
        best = viterbi(word, model, without=without)[0] if path is None else path
        chosen = list(marked) or _edges_of(word, model, edges, best)
        words = (
            f"The way drawn thick is {'|'.join(visible(edge.token) for edge in chosen)}, with a loss of "
            f"{sum(edge.loss for edge in chosen):.2f}."
            if chosen
            else "No way is marked."
        )
    alt = (
        f"Lattice of {visible(word)}: {len(edges)} roads between {len(word) + 1} gaps. {words}\n"
        + "; ".join(
            f"{edge.start} to {edge.end}: {visible(edge.token)} {prices[edge]}" for edge in edges
        )
        + "."
    )
    widths |= dict.fromkeys(chosen, 4.5)
    return Figure(_svg(word, model, edges, prices, widths, chosen, alt, press=press), alt, caption)


def viterbi_stepper(word: str, model: UnigramModel, *, ask: bool = False) -> FramePlayer:
    """Viterbi, one gap at a time: the roads that end here, what each would cost in all, and which one is kept.

    The last step follows the roads that were kept back from the end of the word. ask: whether the road that is kept is
    to be guessed before it is shown.

    Raises ValueError if there is no way through the word.

    >>> viterbi_stepper("hug", UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0}))
    Viterbi on hug, gap by gap
    0. gap 0: nothing is read yet, which costs nothing
    1. gap 1: 2.00, by h from gap 0
    2. gap 2: 3.00, by u from gap 1
    3. gap 3: 3.50, by ug from gap 1
    4. the way back: h|ug, 3.50
    """
    best, starts = viterbi_table(word, model)
    if math.inf in best:
        raise ValueError(
            f"there is no way to gap {best.index(math.inf)} of {word!r} with the tokens of this model"
        )
    edges = lattice.edges(word, model)
    kept = [edge for edge in edges if starts[edge.end] == edge.start]
    tokens, loss = viterbi(word, model)
    frames = [
        _frame(word, model, edges, best, [edge for edge in kept if edge.end <= gap], gap)
        for gap in range(len(word) + 1)
    ]
    frames.append(_frame(word, model, edges, best, _edges_of(word, model, edges, tokens), None))
    labels = [
        "gap 0: nothing is read yet, which costs nothing",
        *(
            f"gap {edge.end}: {best[edge.end]:.2f}, by {visible(edge.token)} from gap {edge.start}"
            for edge in sorted(kept, key=lambda edge: edge.end)
        ),
        f"the way back: {'|'.join(map(visible, tokens))}, {loss:.2f}",
    ]
    player = FramePlayer(frames, labels, f"Viterbi on {visible(word)}, gap by gap")
    if not ask:
        return player
    return asking(
        player,
        {
            gap: Ask(
                f"Gap {gap}: which token comes last on the cheapest way there? Choose it.",
                frames[gap - 1],
                _guesses([edge for edge in edges if edge.end == gap], best, kept),
                covers=True,
            )
            for gap in range(1, len(word) + 1)
        },
    )


# --------------------------------------------------------------------------------------------------------- small parts


def _edges_of(
    word: str, model: UnigramModel, edges: Sequence[Edge], path: Sequence[str]
) -> list[Edge]:
    """The roads of a path, which has to lead through the word."""
    by_place = {(edge.start, edge.end): edge for edge in edges}
    found, gap = [], 0
    for token in path:
        edge = by_place.get((gap, gap + len(token)))
        if edge is None or edge.token != token:
            raise ValueError(
                f"path is {list(path)!r}; {token!r} does not fit at gap {gap} of {word!r}"
            )
        found.append(edge)
        gap = edge.end
    if found and gap < len(word):
        raise ValueError(
            f"path is {list(path)!r}; it ends at gap {gap}, before the end of {word!r}"
        )
    return found


def _frame(
    word: str,
    model: UnigramModel,
    edges: Sequence[Edge],
    best: Sequence[float],
    kept: Sequence[Edge],
    gap: int | None,
) -> Html:
    """The map when the gaps up to `gap` are settled (all of them for None), and the sums that settled the last."""
    here = [edge for edge in edges if edge.end == gap]
    widths = {edge: 1.8 if edge in here else 0.7 for edge in edges if gap is not None}
    widths |= {edge: 4.5 if gap is None or edge.end == gap else 2.6 for edge in kept}
    chosen = [edge for edge in kept if gap in (None, edge.end)]
    known = {end: f"{best[end]:.2f}" for end in range(len(word) + 1 if gap is None else gap + 1)}
    prices = {edge: f"{edge.loss:.2f}" for edge in edges}
    alt = f"Lattice of {visible(word)}, " + (
        f"settled up to gap {gap}." if gap is not None else "with the way back."
    )
    return pieces(
        Figure(_svg(word, model, edges, prices, widths, chosen, alt, known, gap), alt),
        table(_sums(here, best, kept), ["way", "loss"]) if here else None,
    )


def _guesses(here: Sequence[Edge], best: Sequence[float], kept: Sequence[Edge]) -> list[Choice]:
    """The roads that end at a gap, to be guessed from; each is answered with its own sum and the smallest."""
    sums = dict(zip(here, _sums(here, best, kept)))
    return [
        Choice(
            visible(edge.token),
            f"{sums[edge][0]}: {sums[edge][1]}. "
            + ("Right." if edge in kept else f"Another costs {best[edge.end]:.2f}: look again."),
            edge in kept,
        )
        for edge in here
    ]


def _sums(here: Sequence[Edge], best: Sequence[float], kept: Sequence[Edge]) -> list[list[str]]:
    """One line a road that ends here: the best way to where it begins, and its own loss on top."""
    return [
        [
            f"gap {edge.start}, then {visible(edge.token)}" + " (kept)" * (edge in kept),
            f"{best[edge.start]:.2f} + {edge.loss:.2f} = {best[edge.start] + edge.loss:.2f}",
        ]
        for edge in here
    ]


def _lanes(edges: Sequence[Edge]) -> dict[Edge, int]:
    """A lane for each road: 0 for single characters, else the lowest one that is free between its two gaps."""
    taken: list[list[Edge]] = []
    lanes = {}
    for edge in sorted(edges, key=lambda edge: (edge.end - edge.start, edge.start)):
        if edge.end - edge.start == 1:
            lanes[edge] = 0
            continue
        lane = next(
            (
                number
                for number, others in enumerate(taken)
                if all(edge.end <= other.start or other.end <= edge.start for other in others)
            ),
            len(taken),
        )
        if lane == len(taken):
            taken.append([])
        taken[lane].append(edge)
        lanes[edge] = lane + 1
    return lanes


def _svg(
    word: str,
    model: UnigramModel,
    edges: Sequence[Edge],
    prices: Mapping[Edge, str],
    widths: Mapping[Edge, float],
    chosen: Collection[Edge],
    alt: str,
    known: Mapping[int, str] | None = None,
    here: int | None = None,
    press: str = "",
) -> Html:
    """The drawing. known: what is written under a gap. here: the gap that is looked at. press: what a road does."""
    lanes = _lanes(edges)
    unit = UNIT + 8 * min(max([text_width(edge.token) for edge in edges], default=1), 6)
    width, ground = 2 * MARGIN + unit * len(word), MARGIN + LANE * max(lanes.values(), default=0)
    height = ground + (62 if known else 46)
    x = [MARGIN + unit * gap for gap in range(len(word) + 1)]
    parts = []
    for edge in sorted(edges, key=lambda edge: edge in chosen):
        road = _road(
            edge,
            x,
            ground,
            lanes[edge],
            widths.get(edge, 1.4),
            prices[edge],
            edge in chosen,
            edge.token not in model.losses,
        )
        parts += (
            [tag("g", *road, data_do=press, data_value=f"{edge.start} {edge.end}")]
            if press
            else road
        )
    for gap, char in enumerate(word):
        parts.append(_text(x[gap] + unit / 2, ground + 38, visible(char), 17, bold=True))
    for gap, place in enumerate(x):
        color, thick = (CHOSEN, 4) if gap == here else (EDGE, 1.5)
        parts.append(
            tag(
                "circle",
                cx=place,
                cy=ground,
                r=NODE,
                fill=EDGE,
                fill_opacity=0.25,
                stroke=color,
                stroke_width=thick,
            )
        )
        parts.append(_text(place, ground + 4, str(gap), 12, bold=gap == here))
        if known:
            parts.append(_text(place, ground + 38, known.get(gap, "?"), 13, bold=gap == here))
    return drawing(pieces(*parts, "", between="\n"), alt, f"0 0 {width} {height}", width)


def _road(
    edge: Edge,
    x: Sequence[float],
    ground: float,
    lane: int,
    width: float,
    price: str,
    chosen: bool,
    unknown: bool,
) -> list[Html]:
    """One token's road: up from its gap, along its lane, and down again, with its name above and its price below.

    The name stands in the middle of a character, because roads go up and down near the gaps.
    """
    start, end, level = x[edge.start], x[edge.end], ground - LANE * lane
    unit = (end - start) / (edge.end - edge.start)
    bend = unit * 0.14 + 3 * lane
    if lane:
        line = (
            f"M{start} {ground - NODE}C{start} {level + 8} {start + bend * 0.4:g} {level} {start + bend:g} {level}"
            f"H{end - bend:g}C{end - bend * 0.4:g} {level} {end} {level + 8} {end} {ground - NODE}"
        )
    else:
        line = f"M{start + NODE} {level}H{end - NODE}"
    middle = start + unit * ((edge.end - edge.start - 1) // 2 + 0.5)
    return [
        tag(
            "path",
            d=line,
            fill="none",
            stroke=CHOSEN if chosen else EDGE,
            stroke_width=f"{width:.1f}",
            stroke_dasharray="5 4" if unknown else None,
        ),
        _text(middle, level - 7, visible(edge.token), 14, bold=chosen, style=CODE),
        _text(middle, level + 15, price, 12, bold=chosen),
    ]


def _text(
    x: float, y: float, words: str, size: int, *, bold: bool = False, style: str = ""
) -> Html:
    return tag(
        "text",
        words,
        x=f"{x:g}",
        y=f"{y:g}",
        font_size=size,
        text_anchor="middle",
        fill="currentColor",
        font_weight="bold" if bold else None,
        style=style,
    )
