"""A word as a road map: the gaps between its characters are places, every token that fits is a road with a price.

The drawing is plain SVG, laid out like a map of bus lines: single characters run along the bottom, longer tokens on
lanes of their own above. What is to be noticed is drawn thick and written bold, so that color is never needed.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from .. import lattice
from ..arguments import check, check_choice, check_string, counted
from ..html import Html, pieces, tag
from ..lattice import Edge, shares, viterbi, viterbi_table
from ..unigram import UnigramModel
from .figures import EDGE, PALETTE, Figure, drawing, framed
from .in_page import InPage, in_page
from .player import FramePlayer, Question
from .tables import table, text_width
from .tokens import visible

CHOSEN = PALETTE[1]
UNIT, LANE, MARGIN = 84, 42, 24  # pixels: from gap to gap, from lane to lane, around the drawing
NODE = 12  # the radius of a gap
CODE = "font-family:var(--jp-code-font-family,monospace)"


def road_map(
    word: str,
    model: UnigramModel,
    edges: Sequence[Edge],
    alt: str,
    *,
    caption: str = "",
    chosen: Collection[Edge] = (),
    prices: Mapping[Edge, str] | None = None,
    widths: Mapping[Edge, float] | None = None,
    known: Mapping[int, str] | None = None,
    here: int | None = None,
) -> Figure:
    """The drawing of a word's roads, read aloud as `alt`; those that are chosen are thick.

    prices, widths: of roads, by default their losses, and thin. known: what is written under a gap. here: the gap that
    is looked at.
    """
    lanes = _lanes(edges)
    unit = UNIT + 8 * min(max((text_width(edge.token) for edge in edges), default=1), 6)
    width, ground = 2 * MARGIN + unit * len(word), MARGIN + LANE * max(lanes.values(), default=0)

    def road(edge: Edge) -> Html:
        """Up from its gap, along its lane, and down again, with its name above and its price below.

        The name stands in the middle of a character, because roads go up and down near the gaps.
        """
        start, end, lane = MARGIN + unit * edge.start, MARGIN + unit * edge.end, lanes[edge]
        level, bend = ground - LANE * lane, unit * 0.14 + 3 * lane
        line = (
            f"M{start} {ground - NODE}C{start} {level + 8} {start + bend * 0.4:.1f} {level} "
            f"{start + bend:.1f} {level}"
            f"H{end - bend:.1f}C{end - bend * 0.4:.1f} {level} {end} {level + 8} {end} {ground - NODE}"
            if lane
            else f"M{start + NODE} {level}H{end - NODE}"
        )
        bold, middle = edge in chosen, start + unit * ((edge.end - edge.start - 1) // 2 + 0.5)
        return pieces(
            tag(
                "path",
                d=line,
                fill="none",
                stroke=CHOSEN if bold else EDGE,
                stroke_width=f"{4.5 if bold else (widths or {}).get(edge, 1.4):.1f}",
                stroke_dasharray="5 4" if edge.token not in model.losses else None,
            ),
            _text(middle, level - 7, visible(edge.token), 14, bold, style=CODE),
            _text(middle, level + 15, prices[edge] if prices else _price(edge), 13, bold),
        )

    def node(gap: int) -> Html:
        x, bold = MARGIN + unit * gap, gap == here
        return pieces(
            tag(
                "circle",
                cx=x,
                cy=ground,
                r=NODE,
                fill=EDGE,
                fill_opacity=0.25,
                stroke=CHOSEN if bold else EDGE,
                stroke_width=4 if bold else 1.5,
            ),
            _text(x, ground + 4, str(gap), 13, bold),
            _text(x, ground + 38, known.get(gap, "?"), 13, bold) if known else None,
        )

    parts = (
        *map(road, sorted(edges, key=lambda edge: edge in chosen)),
        *(
            _text(MARGIN + unit * (gap + 0.5), ground + 38, visible(char), 17, True)
            for gap, char in enumerate(word)
        ),
        *map(node, range(len(word) + 1)),
    )
    return framed(
        drawing(
            tag("g", *parts, fill="currentColor", text_anchor="middle"),
            alt,
            f"0 0 {width} {ground + (62 if known else 46)}",
            width,
        ),
        alt,
        caption,
    )


def _price(edge: Edge) -> str:
    return f"{edge.loss:.2f}"


def _lanes(edges: Sequence[Edge]) -> dict[Edge, int]:
    """A lane for each road: 0 for single characters, else the lowest one that is free between its two gaps."""
    lanes: dict[Edge, int] = {}
    for edge in sorted(edges, key=lambda edge: (edge.end - edge.start, edge.start)):
        taken = {0} | {
            lane
            for other, lane in lanes.items()
            if other.start < edge.end and edge.start < other.end
        }
        lanes[edge] = 0 if edge.end - edge.start == 1 else min(set(range(len(taken) + 1)) - taken)
    return lanes


def _text(x: float, y: float, words: str, size: int, bold: bool, style: str = "") -> Html:
    return tag(
        "text",
        words,
        x=f"{x:g}",
        y=f"{y:g}",
        font_size=size,
        font_weight="bold" if bold else None,
        style=style,
    )


def lattice_figure(
    word: str,
    model: UnigramModel,
    *,
    path: Sequence[str] | None = None,
    without: str | None = None,
    show: str = "loss",
    caption: str = "",
) -> Figure:
    """Every way to cut the word: gaps numbered from 0, and a road for each token, its price under it.

    path: the tokens of the way to be drawn thick; by default the best one, as `unigram.viterbi` finds it. An empty
    path marks none. without: a token of the model that is left out. show: "loss" writes each token's loss;
    "share" writes which part of all ways uses the road, as `unigram.shares` counts it, and draws it as thick.

    Raises ValueError if `path` is no way through the word, or if `show` is something else.

    >>> model = UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0})
    >>> lattice_figure("hug", model)
    Lattice of hug: 4 roads between 4 gaps. The way drawn thick is h|ug, with a loss of 3.50.
    0 to 1: h 2.00; 1 to 2: u 1.00; 1 to 3: ug 1.50; 2 to 3: g 2.00.
    """
    check_choice("show", show, ["loss", "share"])
    if show == "share":
        parts = shares(word, model)
        edges, chosen = list(parts), []
        widths = {edge: 0.6 + 6 * part for edge, part in parts.items()}
        prices = {edge: f"{part:.1%}" for edge, part in parts.items()}
        way = "The thickness of a road is its share of all ways."
    else:
        edges, widths = lattice.edges(word, model, without=without), {}
        path = viterbi(word, model, without=without)[0] if path is None else path
        chosen = _edges_of(word, edges, path)
        prices = {edge: _price(edge) for edge in edges}
        thick = "|".join(visible(edge.token) for edge in chosen)
        cost = sum(edge.loss for edge in chosen)
        marked = f"The way drawn thick is {thick}, with a loss of {cost:.2f}."
        way = marked if chosen else "No way is marked."
    places = "; ".join(
        f"{edge.start} to {edge.end}: {visible(edge.token)} {prices[edge]}" for edge in edges
    )
    return road_map(
        word,
        model,
        edges,
        f"Lattice of {visible(word)}: {len(edges)} roads between {len(word) + 1} gaps. {way}\n{places}.",
        caption=caption,
        chosen=chosen,
        prices=prices,
        widths=widths,
    )


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
    frames = [_frame(word, model, edges, best, kept, gap) for gap in range(len(word) + 1)]
    labels, questions = ["gap 0: nothing is read yet, which costs nothing"], {}
    for edge in sorted(kept, key=lambda edge: edge.end):
        gap, name = edge.end, visible(edge.token)
        labels.append(f"gap {gap}: {best[gap]:.2f}, by {name} from gap {edge.start}")
        questions[gap] = Question(
            f"Gap {gap}: which token comes last on the cheapest way there? Choose it.",
            frames[gap - 1],
            {
                visible(other.token): f"{_step(other)}: {_sum(other, best)}. "
                + ("Right." if other == edge else f"Another costs {best[gap]:.2f}: look again.")
                for other in edges
                if other.end == gap
            },
            name,
            covers=True,
        )
    tokens, loss = viterbi(word, model)
    frames.append(
        road_map(
            word,
            model,
            edges,
            f"Lattice of {visible(word)}, with the way back.",
            chosen=_edges_of(word, edges, tokens),
            known={gap: f"{loss:.2f}" for gap, loss in enumerate(best)},
        ).inline()
    )
    labels.append(f"the way back: {'|'.join(map(visible, tokens))}, {loss:.2f}")
    return FramePlayer(
        frames, labels, f"Viterbi on {visible(word)}, gap by gap", questions if ask else {}
    )


def _edges_of(word: str, edges: Sequence[Edge], path: Sequence[str]) -> list[Edge]:
    """The roads of a path, which has to lead through the word."""
    by_place = {(edge.start, edge.token): edge for edge in edges}
    ends = list(accumulate(map(len, path), initial=0))
    for gap, token in zip(ends, path):
        check(
            (gap, token) in by_place,
            f"path is {list(path)!r}; {token!r} does not fit at gap {gap} of {word!r}",
        )
    check(
        not path or ends[-1] == len(word),
        f"path is {list(path)!r}; it ends at gap {ends[-1]}, before the end of {word!r}",
    )
    return [by_place[place] for place in zip(ends, path)]


def _frame(
    word: str,
    model: UnigramModel,
    edges: Sequence[Edge],
    best: Sequence[float],
    kept: Sequence[Edge],
    gap: int,
) -> Html:
    """The map when the gaps up to `gap` are settled, and the sums that settled the last."""
    here = [edge for edge in edges if edge.end == gap]
    drawn = road_map(
        word,
        model,
        edges,
        f"Lattice of {visible(word)}, settled up to gap {gap}.",
        chosen=[edge for edge in here if edge in kept],
        widths={
            edge: 1.8 if edge in here else 2.6 if edge in kept and edge.end < gap else 0.7
            for edge in edges
        },
        known={end: f"{best[end]:.2f}" for end in range(gap + 1)},
        here=gap,
    )
    rows = [[_step(edge) + " (kept)" * (edge in kept), _sum(edge, best)] for edge in here]
    return pieces(drawn, table(rows, ["way", "loss"]) if rows else None)


def _step(edge: Edge) -> str:
    return f"gap {edge.start}, then {visible(edge.token)}"


def _sum(edge: Edge, best: Sequence[float]) -> str:
    """The best way to where a road begins, and the road's own loss on top."""
    return f"{best[edge.start]:.2f} + {edge.loss:.2f} = {best[edge.start] + edge.loss:.2f}"


# ---------------------------------------------------------------------------------------------- a word of one's own

LONGEST_WORD = 16  # characters that are drawn


def lattice_playground(
    word: str, model: UnigramModel, *, title: str = "Find the way through your own word"
) -> InPage:
    """A word's lattice to play with: take roads and see their sum, ask for the best way, move losses, warm the dice.

    word: what stands in the field at first. model: whose tokens are the roads.

    Raises ValueError for a word that is empty or has more than 16 characters.

    >>> lattice_playground("hug", UnigramModel({"h": 2.0, "u": 1.0, "ug": 1.5, "g": 2.0}))
    Find the way through your own word: hug has 4 roads. The best way is h|ug, with a loss of 3.50.
    """
    check(
        0 < len(check_string("word", word)) <= LONGEST_WORD,
        f"word has {counted(len(word), 'character')}; expected 1 to {LONGEST_WORD}, so that it can be drawn",
    )
    way, loss = viterbi(word, model)
    roads, best = counted(len(lattice.edges(word, model)), "road"), "|".join(map(visible, way))
    status = (
        f"{visible(word)} has {roads}. The best way is {best}, with a loss of {loss:.2f}."
        if loss < math.inf
        else f"No way leads through {visible(word)}."
    )
    settings = {
        "word": word,
        "tokens": list(model.losses),
        "losses": [round(loss, 9) for loss in model.losses.values()],
        "unknown": None if model.unknown_loss == math.inf else model.unknown_loss,
        "longest": LONGEST_WORD,
    }
    return in_page("subword-lattice", title, status, settings, lattice_figure(word, model, path=[]))
