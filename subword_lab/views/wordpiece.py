"""Pictures for WordPiece: scores against counts, and the search for the longest beginning of a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ..bpe import Pair
from ..html import Html, note, pieces, tag
from ..wordpiece import WordPieceModel, encode_word, longest_prefix
from .asking import Ask, Choice, asking
from .figures import PALETTE, Figure, axes, figure
from .player import FramePlayer
from .tokens import EDGE, in_a_row, row_colors, token_box, token_row, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def score_scatter(
    freqs: Mapping[Pair, int],
    scores: Mapping[Pair, Fraction | float],
    *,
    named: Iterable[Pair] = (),
    caption: str = "",
) -> Figure:
    """Every pair as a point, its count to the right and its score upward, and the line above which none can stand.

    A pair that occurs n times has symbols that occur n times or more each, so its score is at most 1/n.
    freqs, scores: pair -> count and pair -> score of the same pairs. named: pairs that carry their names.

    Raises ValueError if the two do not hold the same pairs, if there are none, or if a named pair is not among them.
    """
    if not freqs:
        raise ValueError("freqs is empty; expected at least one pair")
    if set(freqs) != set(scores):
        raise ValueError(
            "freqs and scores hold different pairs; expected the counts and the scores of the same pairs"
        )
    named = list(named)
    if missing := [pair for pair in named if pair not in freqs]:
        raise ValueError(f"named holds {missing[0]!r}, which is not among the pairs")

    def draw(ax: Axes) -> None:
        from matplotlib.ticker import FuncFormatter

        axes(ax, "how often the pair occurs", "score", "xy")
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _one_over(value)))
        between = ax.yaxis.get_minor_formatter()
        ax.yaxis.set_minor_formatter(
            FuncFormatter(lambda value, at: between(value, at) and _one_over(value))
        )
        x, y = zip(*sorted({(freqs[pair], float(scores[pair])) for pair in freqs}))
        few = len(x) < 100  # many lie upon each other, and shine through
        ax.scatter(
            x, y, s=25 if few else 9, color=PALETTE[0], linewidths=0, alpha=1 if few else 0.5
        )
        most = max(freqs.values())
        ax.plot([1, most], [1, 1 / most], "--", color=PALETTE[1], linewidth=1.5)
        ax.annotate(
            "1 / count: no pair stands higher",
            (most**0.55, most**-0.55),
            xytext=(8, 6),
            textcoords="offset points",
        )
        for pair in named:  # its name stands where no other point does
            point = freqs[pair], float(scores[pair])
            beside = point[0] > most**0.7
            ax.scatter(point[0], point[1], s=40, color=PALETTE[1], marker="s", linewidths=0)
            top = point[1] if beside else 1 / point[0]
            ax.plot([point[0]] * 2, [point[1], top], color=PALETTE[1], linewidth=0.8)
            ax.annotate(
                " ".join(map(visible, pair)),
                (point[0], top),
                xytext=(8, -4) if beside else (4, 4),
                textcoords="offset points",
            )

    best, common = max(scores, key=scores.__getitem__), max(freqs, key=freqs.__getitem__)
    alt = (
        f"Scatter plot of {len(freqs):,} pairs, both axes logarithmic. The highest score, "
        f"{_one_over(scores[best])}, belongs to a pair that occurs {freqs[best]:,} times; the most frequent pair, "
        f"{freqs[common]:,} times, scores {_one_over(scores[common])}. No point stands above a falling line, "
        "one over the count."
    )
    return figure(draw, alt, caption, size=(7, 4.2), left=1.35, right=0.8)


def _one_over(score: Fraction | float) -> str:
    return "1" if score == 1 else f"1/{1 / float(score):,.0f}"


def prefix_stepper(word: str, model: WordPieceModel, *, ask: bool = False) -> FramePlayer:
    """Encoding a word by the longest beginning, one look into the vocabulary at a time.

    ask: whether it is to be guessed, before each look, if the piece is a token.

    Raises ValueError if there is no character to encode.

    >>> prefix_stepper("hub", WordPieceModel(["h", "hu", "##g"]))
    hub is cut into [UNK]
    0. hub is not a token
    1. hu is a token
    2. ##b is not a token, and nothing shorter is left: the whole word is unknown
    """
    frames: list[Html] = []
    labels: list[str] = []
    tokens: list[str] = []
    asks: dict[int, Ask] = {}
    start = 0
    while start < len(word):
        mark = model.prefix if start else ""
        token = longest_prefix(word, start, model)
        shortest = start + 1 if token is None else start + len(token) - len(mark)
        for end in range(len(word), shortest - 1, -1):
            piece = mark + word[start:end]
            found = piece == token
            frames.append(_look(tokens, piece, word[end:], found))
            reply = f"{visible(piece)} is {'a' if found else 'not a'} token."
            asks[len(frames) - 1] = Ask(
                f"Is {visible(piece)} a token?",
                _look(tokens, piece, word[end:], False),
                [
                    Choice("yes", f"{'Right' if found else 'No'}: {reply}", found),
                    Choice("no", f"{'No' if found else 'Right'}: {reply}", not found),
                ],
                covers=True,
            )
            labels.append(f"{visible(piece)} is {'a' if found else 'not a'} token")
        if token is None:
            labels[-1] += ", and nothing shorter is left: the whole word is unknown"
            frames[-1] = pieces(frames[-1], tag("p", token_row(["[UNK]"], unknown=["[UNK]"])))
            break
        tokens, start = [*tokens, token], shortest
    cut = " ".join(map(visible, encode_word(word, model)))
    if ask:
        return asking(
            FramePlayer(frames, labels, f"{visible(word)} is cut by its longest beginnings"), asks
        )
    return FramePlayer(frames, labels, f"{visible(word)} is cut into {cut}")


def _look(tokens: list[str], piece: str, rest: str, found: bool) -> Html:
    """The tokens so far, the piece that is looked up, and what of the word stands behind it."""
    colors = row_colors([*tokens, piece])
    done = pieces(*(token_box(token, item=True, paint=colors[token]) for token in tokens))
    tried = token_box(
        piece,
        strong=found,
        item=True,
        paint=colors[piece],
        style="" if found else f"border:2px dotted {EDGE}",
    )
    behind = note(visible(rest), "span") if rest else None
    return tag("p", in_a_row([done, tried]), " ", behind, style="font-size:1.2em")
