"""Figures: matplotlib's SVG, made to look the same on every machine, to follow the page's colors, and to be read aloud.

Text stays text (`svg.fonttype: none`): the reader's browser draws it, in any script, and it can be selected and read
by a screen reader; no glyph shapes of this machine's fonts get into the output. Nothing is measured to place it (no
tight layout), positions are rounded, and ids and dates are left out, so that the same data give the same bytes.
"""

from __future__ import annotations

import importlib.util
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..arguments import counted
from ..html import Html, Shown, note, pieces, tag, view
from .stepper import start_splits
from .tables import Step, Table, text_width
from .tokens import EDGE, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

PALETTE = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#b0508f",
)  # told apart by color-blind readers, on white and on black
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D")
INK = "#0c0a0b"  # stands for the page's own text color until the SVG is done
LEFT, RIGHT, BOTTOM, TOP = 0.75, 0.25, 0.55, 0.2  # margins in inches
LETTER = 0.085  # inches a letter of a label takes, roughly
ROWS = 20  # of a table in a figure's place

Points = Sequence[float] | Sequence[tuple[float, float]] | Mapping[float, float]


@dataclass(frozen=True, repr=False)
class Figure(Shown):
    """What every function here returns: SVG in a notebook, its description elsewhere."""

    svg: Html
    alt: str
    caption: str = ""

    def __repr__(self) -> str:
        return self.alt

    def html(self) -> Html:
        return view(self.svg, note(self.caption, "figcaption"), name="figure")


def figure(
    draw: Callable[[Axes], object],
    alt: str,
    caption: str = "",
    *,
    size: tuple[float, float] = (7, 3.2),
    left: float = LEFT,
    right: float = RIGHT,
    data: Table | None = None,
) -> Figure:
    """A figure of your own: `draw(ax)` draws on matplotlib axes of `size` inches.

    alt: what the figure shows, in words, for whoever cannot see it. left, right: margins in inches. data: what is shown
    in its place where there is no matplotlib (in a browser, at first).

    Raises ValueError if `alt` is empty.
    """
    if not alt.strip():
        raise ValueError("alt is empty; expected a sentence that says what the figure shows")
    if not importlib.util.find_spec("matplotlib"):
        return Figure(pieces(tag("p", alt), data, note(_fetched())), alt, caption)
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    width, height = size
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the browser has the font
        canvas = Canvas(figsize=size, dpi=72)
        FigureCanvasSVG(canvas)
        draw(
            canvas.add_axes(
                (
                    left / width,
                    BOTTOM / height,
                    1 - (left + right) / width,
                    1 - (BOTTOM + TOP) / height,
                )
            )
        )
        file = io.StringIO()
        canvas.savefig(
            file,
            format="svg",
            transparent=True,
            metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")),
        )
    return Figure(_tidy(file.getvalue(), alt, width), alt, caption)


def line_chart(
    series: Mapping[str, Points],
    alt: str = "",
    *,
    xlabel: str,
    ylabel: str,
    caption: str = "",
    log: str = "",
    from_zero: bool = True,
) -> Figure:
    """Lines with their names written at their ends; dashes and markers tell them apart without color.

    series: name -> numbers (at 0, 1, 2 ...), (x, y) points, or x -> y; of a DataFrame, each column is a line. log: the
    axes with a logarithmic scale, "x", "y" or "xy". from_zero: whether a linear y axis starts at 0. alt: what the chart
    shows, in words; by default, where each line begins and ends, and where it is highest or lowest in between.

    >>> line_chart({"size": [(0, 9), (1, 4), (2, 6)]}, xlabel="rules", ylabel="symbols")
    Line chart: symbols by rules. size: from 9 at 0 to 6 at 2, lowest 4 at 1.
    """
    lines = {name: _points(values) for name, values in series.items()}
    alt = (
        alt
        or f"Line chart: {ylabel} by {xlabel}. {'; '.join(map(_course, lines, lines.values()))}."
    )

    def draw(ax: Axes) -> None:
        axes(
            ax,
            xlabel,
            ylabel,
            log,
            whole="".join(
                axis
                for number, axis in enumerate("xy")
                if all(
                    point[number] == int(point[number])
                    for points in lines.values()
                    for point in points
                )
            ),
        )
        for number, points in enumerate(lines.values()):
            ax.plot(
                *zip(*points),
                DASHES[number % 4],
                color=PALETTE[number % 4],
                linewidth=2,
                marker=MARKERS[number % 4] if len(points) <= 40 else None,
                markersize=4,
            )
        if from_zero and "y" not in log:
            ax.set_ylim(bottom=0)
        if len(lines) > 1:
            _end_labels(ax, {name: points[-1] for name, points in lines.items()})

    names = [name for name in lines if len(lines) > 1]
    rows = [[*([name] if names else []), x, y] for name, points in lines.items() for x, y in points]
    return figure(
        draw,
        alt,
        caption,
        left=_left(lines.values()),
        data=_data(rows, [*(["line"] if names else []), xlabel, ylabel]),
        right=RIGHT + LETTER * max(map(text_width, names), default=0),
    )


def _course(name: str, points: Sequence[tuple[float, float]]) -> str:
    """Where a line begins and ends, and where it is highest or lowest if that is in between."""

    def at(point: tuple[float, float]) -> str:
        return f"{_number(point[1])} at {_number(point[0])}"

    first, last = points[0], points[-1]
    turns = {
        "highest": max(points, key=lambda point: point[1]),
        "lowest": min(points, key=lambda point: point[1]),
    }
    between = [
        f", {what} {at(point)}"
        for what, point in turns.items()
        if point[1] not in (first[1], last[1])
    ]
    return f"{name}: from {at(first)} to {at(last)}{''.join(between)}"


def bar_chart(
    values: Mapping[str, float], alt: str, *, xlabel: str, caption: str = "", words: bool = False
) -> Figure:
    """A bar for each name, with its value at its end. words: names are words, and no tokens whose blanks matter."""
    names = [name if words else visible(name) for name in values]

    def draw(ax: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        axes(ax, xlabel, "", "")
        ax.barh(range(len(names)), list(values.values()), height=0.7, color=PALETTE[0])
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_locator(
            MaxNLocator(5, integer=all(value == int(value) for value in values.values()))
        )
        ax.set_xlim(0, max([*values.values(), 0]) * 1.12 or 1)
        for number, value in enumerate(values.values()):
            ax.annotate(
                _number(value),
                (value, number),
                xytext=(4, 0),
                textcoords="offset points",
                va="center_baseline",
            )

    return figure(
        draw,
        alt,
        caption,
        size=(7, BOTTOM + TOP + 0.3 * max(len(names), 1)),
        left=0.2 + LETTER * max(map(text_width, names), default=0),
        data=_data([[name, value] for name, value in zip(names, values.values())], ["", xlabel]),
    )


def merge_effect(steps: Iterable[Step], word_freqs: Mapping[str, int], caption: str = "") -> Figure:
    """How many tokens the corpus is long after each merge: it gets shorter, by less and less.

    steps: the training's records, as `bpe.train_steps` yields them.

    Raises ValueError if there are none.
    """
    steps = list(steps)
    splits = [start_splits(steps), *(step.splits for step in steps)]
    lengths = [
        sum(freq * len(split[word]) for word, freq in word_freqs.items()) for split in splits
    ]
    count = counted(len(steps), "merge")
    alt = (
        f"Line chart. The corpus is {lengths[0]:,} tokens long before the first merge, {lengths[1]:,} after one, "
        f"and {lengths[-1]:,} after {count}."
    )
    return line_chart(
        {"tokens": lengths}, alt, xlabel="merges", ylabel="tokens in the corpus", caption=caption
    )


def work_chart(looks: Mapping[str, Sequence[int]], caption: str = "") -> Figure:
    """What training costs up to each merge, for each trainer of `studies.speed.looks`, on a logarithmic scale.

    >>> work_chart({"counts anew": [85, 170, 255], "keeps an index": [97, 99, 101]})
    Line chart: looks at a pair, up to each merge. counts anew: 255 after 3 merges; keeps an index: 101 after 3 merges.
    """
    told = "; ".join(
        f"{name}: {sums[-1]:,} after {len(sums)} merges" for name, sums in looks.items()
    )
    lines = {
        name: [(at, sums[at - 1]) for at in range(1, len(sums) + 1, max(1, len(sums) // 25))]
        for name, sums in looks.items()
    }
    return line_chart(
        lines,
        f"Line chart: looks at a pair, up to each merge. {told}.",
        xlabel="merges",
        ylabel="looks at a pair",
        caption=caption,
        log="y",
    )


# --------------------------------------------------------------------------------------------------------- small parts


def _data(rows: list[list[object]], columns: list[str]) -> Table:
    """The numbers of a figure as a table; of many rows, some at even distances and the last."""
    few = rows[:: max(1, -(-len(rows) // ROWS))]
    return Table([*few, *(rows[-1:] if rows and few[-1] is not rows[-1] else [])], columns)


def _fetched() -> str:
    """What is said where matplotlib is missing. In a browser it is fetched, while one reads on."""
    if sys.platform != "emscripten":
        return "Drawing this needs matplotlib, which is not installed."
    import pyodide_js  # type: ignore[import-not-found]

    if "matplotlib" not in pyodide_js.lockfile.packages.to_py():
        return "Drawing this needs matplotlib, which this site was built without."
    pyodide_js.loadPackage("matplotlib")
    return "The picture needs matplotlib, which is being fetched now. In a minute, run this cell again."


_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "subword-lab",
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": EDGE,
    "grid.color": EDGE,
    "grid.alpha": 0.3,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "font.size": 10,
    "axes.formatter.useoffset": False,
}


def axes(ax: Axes, xlabel: str, ylabel: str, log: str, whole: str = "") -> None:
    """Name the axes; those in `log` get a logarithmic scale, those in `whole` ticks at whole numbers alone."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        if name in log:
            ax.set(**{f"{name}scale": "log"})
            axis.set_minor_formatter(
                FuncFormatter(lambda value, _, axis=axis: _between_powers(value, axis))
            )
        else:
            axis.set_major_locator(MaxNLocator(6, integer=name in whole))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))


def _between_powers(value: float, axis: Axis) -> str:
    """The label of a tick between powers of ten: 2 and 5 of them, where the axis is so short that powers are few."""
    low, high = axis.get_view_interval()
    return _number(value) if f"{value:e}"[0] in "25" and high < 200 * low else ""


def _end_labels(ax: Axes, ends: Mapping[str, tuple[float, float]], gap: float = 13) -> None:
    """Write each line's name at its end, moved apart (in points) where two would overlap."""
    ax.get_xlim(), ax.get_ylim()  # settles the scale that the next line reads
    heights = {name: ax.transData.transform(end)[1] for name, end in ends.items()}
    lowest = (
        ax.transAxes.transform((0, 0))[1] + 9 - gap
    )  # above the axis, which would strike it through
    for name in sorted(ends, key=heights.__getitem__):
        lowest = max(heights[name], lowest + gap)
        ax.annotate(
            name,
            ends[name],
            xytext=(7, lowest - heights[name]),
            textcoords="offset points",
            va="center_baseline",
            annotation_clip=False,
        )


def _left(series: Iterable[Sequence[tuple[float, float]]]) -> float:
    """The left margin in inches: room for the longest number at the y axis, and for the axis's name beside it."""
    return max(
        LEFT,
        0.4 + LETTER * max((len(_number(y)) for points in series for _, y in points), default=0),
    )


def _points(values: Points) -> list[tuple[float, float]]:
    if hasattr(values, "items"):  # a dictionary, or a Series
        return list(values.items())
    return [value if isinstance(value, tuple) else (x, value) for x, value in enumerate(values)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def drawing(content: str, alt: str, view_box: str, width: float) -> Html:
    """An SVG element with this content, read aloud as `alt`. In less room it shrinks to 70 percent, then scrolls."""
    return tag(
        "svg",
        Html(f"\n{content}"),
        role="img",
        aria_label=alt,
        viewBox=view_box,
        style=f"width:{width:g}px;max-width:max(100%,{width * 0.7:g}px);height:auto;stroke-linejoin:round",
    )


def _tidy(svg: str, alt: str, width: float) -> Html:
    """Leave of matplotlib's SVG what belongs inside a page, with positions to a tenth of a point."""
    body = svg[svg.index("<g ") :].removesuffix("</svg>\n")
    view_box = svg.partition('viewBox="')[2].partition('"')[0]
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', body))
    used = {name for names in used for name in names}
    body = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", body)
    body = re.sub(
        r' (d|x|y|transform)="([^"]*)"', lambda found: f' {found[1]}="{_rounded(found[2])}"', body
    )
    body = (
        re.sub(r' ?font-family: [^;"]*;', "", body)
        .replace(INK, "currentColor")
        .replace("xlink:href", "href")
    )
    body = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", re.sub(r"\n\s*", "\n", body))
    return drawing(body, alt, view_box, width * 96)


def _rounded(numbers: str) -> str:
    short = re.sub(
        r"-?\d+\.\d+", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), numbers
    )
    return re.sub(r"(?<![\d.])-0(?![\d.])", "0", " ".join(short.split()))
