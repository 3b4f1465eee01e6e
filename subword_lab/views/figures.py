"""Figures: matplotlib's SVG, made to look the same on every machine, to follow the page's colors, and to be read aloud.

Text stays text (`svg.fonttype: none`): the reader's browser draws it, in any script, and it can be selected and read
by a screen reader; no glyph shapes of this machine's fonts get into the output. Nothing is measured to place it (no
tight layout), positions are rounded, and ids and dates are left out, so that the same data give the same bytes.
"""

import base64
import importlib.util
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any

from .. import unigram
from ..arguments import check, counted
from ..bpe import Pair
from ..html import Html, View, look, note, pieces, styled, tag, view
from .steppers import start_splits
from .tables import MergeStep, Table, alike, table, text_width
from .tokens import visible

# Told apart by color-blind readers, on white and on black.
PALETTE = ("#1f86a6", "#d9571e", "#2f9a4c", "#8a63d2")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D")
EDGE = "#808080"
INK = "#0c0a0b"  # stands for the page's own text color until the SVG is done
SVG = "http://www.w3.org/2000/svg"
DRAWING = re.compile(r"<svg.*?</svg>", re.DOTALL)
MARKER = r'<use [^>]*x="([^"]*)" y="([^"]*)"[^>]*/>'
LEFT, RIGHT, BOTTOM, TOP = 0.8, 0.25, 0.55, 0.2  # margins in inches
MARKED = 40  # points of a line, each with a marker
LETTER = 0.09  # inches a letter of a label takes, roughly
WIDTH = 5.5  # inches; on a phone, which shrinks it, its labels can still be read
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "axes.prop_cycle": f"cycler('color', {list(PALETTE)})",
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

Point = tuple[float, float]
Points = Sequence[float] | Sequence[Point] | Mapping[float, float]


class Figure(View):
    """What every function here returns: a picture in a notebook, its description elsewhere.

    A notebook holds it twice: as an image of type image/svg+xml, and as HTML in which the same image has its words.
    So it is seen also where a page strips drawings out of HTML, as GitHub does.
    """

    def _repr_svg_(self) -> str | None:
        drawn = DRAWING.search(self.face)
        return _on_paper(drawn[0]) if drawn else None

    def _repr_html_(self) -> str:
        return styled(Html(DRAWING.sub(self._as_image, self.face)))

    def _as_image(self, drawn: re.Match[str]) -> str:
        data = base64.b64encode(_on_paper(drawn[0]).encode()).decode()
        room = drawn[0].partition('style="')[2].partition('"')[0]
        return tag("img", src=f"data:image/svg+xml;base64,{data}", alt=self.text, style=room)


def _on_paper(drawn: str) -> str:
    """A drawing as an image of its own, with paper and ink that follow the page around it."""
    paper = re.sub("^<svg", rf'\g<0> xmlns="{SVG}" class="sl-paper"', drawn)
    paper = re.sub(
        r'style="width:([\d.]+)px;[^"]*"', r'width="\1" stroke-linejoin="round"', paper, count=1
    )
    return paper.replace(">", f">{tag('style', Html(look(['sl-paper'])))}", 1)


def framed(picture: Html, alt: str, caption: str = "") -> Figure:
    """A drawing, or what stands in its place, as a figure."""
    return Figure(alt, view(picture, note(caption, "figcaption"), name="figure"))


def figure(
    draw: Callable[[Any], object],
    alt: str,
    caption: str = "",
    *,
    size: tuple[float, float] = (WIDTH, 3),
    left: float = LEFT,
    right: float = RIGHT,
    data: Table | None = None,
    told: Mapping[str, Sequence[str]] | None = None,
) -> Figure:
    """A figure of your own: `draw(ax)` draws on matplotlib axes of `size` inches.

    alt: what the figure shows, in words, for whoever cannot see it. left, right: margins in inches. data: what is shown
    in its place where there is no matplotlib (in a browser, at first). told: the `gid` of markers that `draw` draws ->
    what a page says of each where a mouse rests on it.

    Raises ValueError if `alt` is empty.
    """
    check(alt.strip(), "alt is empty; expected a sentence that says what the figure shows")
    if not importlib.util.find_spec("matplotlib"):
        return framed(pieces(tag("p", alt), data, note(_why_no_picture())), alt, caption)
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    width, height = size
    inner = (left / width, BOTTOM / height, 1 - (left + right) / width, 1 - (BOTTOM + TOP) / height)
    with rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the browser has the font
        canvas, file = Canvas(figsize=size, dpi=72), io.StringIO()
        FigureCanvasSVG(canvas)
        draw(canvas.add_axes(inner))
        canvas.savefig(
            file,
            format="svg",
            transparent=True,
            metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")),
        )
    drawn = file.getvalue()
    for gid, words in (told or {}).items():
        drawn = _with_titles(drawn, gid, words)
    return framed(_tidy(drawn, alt, width), alt, caption)


def _with_titles(svg: str, gid: str, words: Sequence[str]) -> str:
    """Give the markers of a group their words, if they have any, and a wider place for the mouse."""
    before, start, rest = svg.partition(f'<g id="{gid}">')
    said = iter(words)

    def titled(marker: re.Match[str]) -> str:
        if not (word := next(said)):
            return marker[0]
        place = tag("circle", cx=marker[1], cy=marker[2], r=7, fill="none", pointer_events="all")
        return tag("g", tag("title", word), place, Html(marker[0]))

    return before + start + re.sub(MARKER, titled, rest, count=len(words))


# --------------------------------------------------------------------------------------------------- kinds of charts


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
    named = list(lines) if len(lines) > 1 else []
    everywhere = [point for points in lines.values() for point in points]
    whole = "".join(
        axis for axis, values in zip("xy", zip(*everywhere)) if all(map(_is_whole, values))
    )

    def draw(ax: Any) -> None:
        axes(ax, xlabel, ylabel, log, whole)
        for number, points in enumerate(lines.values()):
            ax.plot(
                *zip(*points),
                DASHES[number % 4],
                color=PALETTE[number % 4],
                linewidth=2,
                marker=MARKERS[number % 4] if len(points) <= MARKED else None,
                markersize=4,
                gid=f"line {number}",
            )
        if from_zero and "y" not in log:
            ax.set_ylim(bottom=0)
        _end_labels(ax, {name: lines[name][-1] for name in named})

    return figure(
        draw,
        alt
        or f"Line chart: {ylabel} by {xlabel}. {'; '.join(map(_course, lines, lines.values()))}.",
        caption,
        left=max(LEFT, 0.65 + _room(_number(y) for _, y in everywhere)),
        right=RIGHT + _room(named),
        data=_data(
            [
                {**({"line": name} if named else {}), xlabel: x, ylabel: y}
                for name, points in lines.items()
                for x, y in points
            ]
        ),
        told={
            f"line {number}": [f"{name}: {_number(y)} at {_number(x)}" for x, y in points]
            for number, (name, points) in enumerate(lines.items())
            if len(points) <= MARKED
        },
    )


def _course(name: str, points: Sequence[Point]) -> str:
    """Where a line begins and ends, and where it is highest or lowest if that is in between."""
    start, end, highest, lowest = (
        f"{_number(y)} at {_number(x)}"
        for x, y in (
            points[0],
            points[-1],
            max(points, key=itemgetter(1)),
            min(points, key=itemgetter(1)),
        )
    )
    heights, ends = [y for _, y in points], (points[0][1], points[-1][1])
    above = "" if max(heights) in ends else f", highest {highest}"
    below = "" if min(heights) in ends else f", lowest {lowest}"
    return f"{name}: from {start} to {end}{above}{below}"


def bar_chart(
    values: Mapping[str, float], alt: str, *, xlabel: str, caption: str = "", words: bool = False
) -> Figure:
    """A bar for each name, with its value at its end. words: names are words, and no tokens whose blanks matter."""
    names = values if words else map(visible, values)
    return _bars(list(zip(names, values.values(), alike(values.values()))), alt, xlabel, caption)


def bill_chart(
    costs: Mapping[str, Mapping[str, float]], unit: str, *, xlabel: str = "tokens"
) -> Figure:
    """Bills drawn to one scale: a group of bars for each, and how many times the cost of `unit` every bar is.

    costs: bill -> who pays -> cost, such as tokenizer -> language -> tokens; of a DataFrame, each column is a bill.
    unit: the one with which the others are compared.

    Raises ValueError if a bill has no cost of `unit`, or one that is not positive.

    >>> bill_chart({"GPT-4": {"English": 12, "Burmese": 124}}, "English")
    Bar chart to one scale, in tokens, with factors against English. GPT-4: English 12, Burmese 124 (10.3 times).
    """
    lines: list[tuple[str, float, str]] = []
    written = iter(alike([cost for _, row in costs.items() for _, cost in row.items()]))
    for bill, row in costs.items():
        check(
            row.get(unit, 0) > 0,
            f"unit is {unit!r}; expected one whose cost is positive in every bill, unlike in {bill!r}",
        )
        factors = {
            who: f" ({cost / row[unit]:.1f} times)" if who != unit else ""
            for who, cost in row.items()
        }
        lines += [
            ("", 0, bill),
            *((who, cost, next(written) + factors[who]) for who, cost in row.items()),
        ]
    told = " ".join(f"{who} {label}," if who else f"{label}:" for who, _, label in lines)
    return _bars(
        lines,
        f"Bar chart to one scale, in {xlabel}, with factors against {unit}. {told.rstrip(',')}.",
        f"{xlabel} (times {unit}'s)",
        unit=unit,
        right=1.1,
    )


def _bars(
    lines: Sequence[tuple[str, float, str]],
    alt: str,
    xlabel: str,
    caption: str = "",
    unit: str = "",
    right: float = RIGHT,
) -> Figure:
    """A bar for each line: its name, its value, and the label at its end. A label without a name is a heading.

    unit: the name whose bars look different from all others.
    """
    names, lengths, _ = zip(*lines) if lines else ((), (), ())

    def draw(ax: Any) -> None:
        axes(ax, xlabel, "", "", "x" if all(map(_is_whole, lengths)) else "")
        ax.barh(
            range(len(names)),
            lengths,
            height=0.7,
            color=[PALETTE[1] if unit and name != unit else PALETTE[0] for name in names],
        )
        ax.set_yticks([at for at, name in enumerate(names) if name], filter(None, names))
        ax.invert_yaxis()
        ax.grid(axis="y", visible=False)
        ax.xaxis.get_major_locator().set_params(nbins=5)
        ax.set_xlim(0, max([*lengths, 0]) * 1.12 or 1)
        for number, (name, value, label) in enumerate(lines):
            weight = "normal" if name else "bold"
            _label(ax, label, (value, number), (4, 0), va="center_baseline", weight=weight)

    return figure(
        draw,
        alt,
        caption,
        size=(WIDTH, BOTTOM + TOP + 0.3 * max(len(names), 1)),
        left=0.2 + _room(names),
        right=right,
        data=_data([{"": name or label, xlabel: length} for name, length, label in lines]),
    )


# ---------------------------------------------------------------------------------------------- charts of the lessons


def merge_effect(
    steps: Iterable[MergeStep], word_freqs: Mapping[str, int], caption: str = ""
) -> Figure:
    """How many tokens the corpus is long after each merge: it gets shorter, by less and less.

    steps: the training's records, as `bpe.train_steps` yields them.

    Raises ValueError if there are none.
    """
    steps = list(steps)
    lengths = [
        sum(freq * len(split[word]) for word, freq in word_freqs.items())
        for split in [start_splits(steps), *(step.splits for step in steps)]
    ]
    return line_chart(
        {"tokens": lengths},
        (
            f"Line chart. The corpus is {lengths[0]:,} tokens long before the first merge, {lengths[1]:,} after one, "
            f"and {lengths[-1]:,} after {counted(len(steps), 'merge')}."
        ),
        xlabel="merges",
        ylabel="tokens in the corpus",
        caption=caption,
    )


def work_chart(looks: Mapping[str, Sequence[int]], caption: str = "") -> Figure:
    """What training costs up to each merge, for each trainer of `studies.speed.looks`, on a logarithmic scale.

    >>> work_chart({"counts anew": [85, 170, 255], "keeps an index": [97, 99, 101]})
    Line chart: looks at a pair, up to each merge. counts anew: 255 after 3 merges; keeps an index: 101 after 3 merges.
    """
    ends = "; ".join(
        f"{name}: {sums[-1]:,} after {counted(len(sums), 'merge')}" for name, sums in looks.items()
    )
    return line_chart(
        {
            name: [(at, sums[at - 1]) for at in range(1, len(sums) + 1, max(1, len(sums) // 25))]
            for name, sums in looks.items()
        },
        f"Line chart: looks at a pair, up to each merge. {ends}.",
        xlabel="merges",
        ylabel="looks at a pair",
        caption=caption,
        log="y",
    )


def loss_curves(trainings: Mapping[str, Sequence[unigram.Step]]) -> Figure:
    """The loss of the corpus at the beginning and after each round of pruning, a line for each training.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> loss_curves({"EM": list(unigram.train_steps(corpus, vocab_size=10, initial_size=15))})
    Line chart: the loss after each round of pruning. EM: from 142.0 to 101.1 in 5 rounds.
    """
    curves = {
        name: [steps[0].loss, *(step.loss_after for step in steps)]
        for name, steps in trainings.items()
    }
    ends = "; ".join(
        f"{name}: from {curve[0]:,.1f} to {curve[-1]:,.1f} in {counted(len(curve) - 1, 'round')}"
        for name, curve in curves.items()
    )
    return line_chart(
        curves,
        f"Line chart: the loss after each round of pruning. {ends}.",
        xlabel="rounds of pruning",
        ylabel="loss of the corpus in nats",
        from_zero=False,
    )


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
    check(
        freqs and set(freqs) == set(scores),
        f"freqs holds {counted(len(freqs), 'pair')} and scores {len(scores):,}; "
        "expected the counts and the scores of the same pairs, one at least",
    )
    named = list(named)
    if missing := [pair for pair in named if pair not in freqs]:
        raise ValueError(f"named holds {missing[0]!r}, which is not among the pairs")
    most = max(freqs.values())
    at: dict[tuple[int, float], list[str]] = {}  # the pairs at each place
    for pair in sorted(freqs, key=lambda pair: (freqs[pair], scores[pair])):
        at.setdefault((freqs[pair], float(scores[pair])), []).append(" ".join(map(visible, pair)))

    def draw(ax: Any) -> None:
        axes(ax, "how often the pair occurs", "score", "xy")
        ax.yaxis.set_major_formatter(lambda value, _: _one_over(value))
        between = ax.yaxis.get_minor_formatter()
        ax.yaxis.set_minor_formatter(lambda value, at: between(value, at) and _one_over(value))
        size, alpha = (25, 1) if len(at) < 100 else (9, 0.5)  # many lie upon each other
        ax.scatter(*zip(*at), s=size, color=PALETTE[0], linewidths=0, alpha=alpha, gid="pairs")
        ax.plot([1, most], [1, 1 / most], "--", color=PALETTE[1], linewidth=1.5)
        _label(ax, "1 / count: the limit", (most**0.5, 1), (0, -4))
        for pair in named:  # its name stands where no other point does
            x, y = freqs[pair], float(scores[pair])
            beside = x > most**0.7
            top = y if beside else 1 / x
            ax.scatter(x, y, s=40, color=PALETTE[1], marker="s", linewidths=0)
            ax.plot([x, x], [y, top], color=PALETTE[1], linewidth=0.8)
            _label(ax, " ".join(map(visible, pair)), (x, top), (8, -4) if beside else (4, 4))

    best, common = max(scores, key=scores.__getitem__), max(freqs, key=freqs.__getitem__)
    alt = (
        f"Scatter plot of {counted(len(freqs), 'pair')}, both axes logarithmic. The highest score, "
        f"{_one_over(scores[best])}, belongs to a pair that occurs {counted(freqs[best], 'time')}; the most frequent "
        f"pair, {counted(most, 'time')}, scores {_one_over(scores[common])}. No point stands above a falling line, "
        "one over the count."
    )
    outer = {*sorted(at)[-60:], *sorted(at, key=itemgetter(1))[-60:]}  # the others lie in a cloud
    told = [
        f"{', '.join(names[:3])}: {counted(place[0], 'time')}, score {_one_over(place[1])}"
        if place in outer
        else ""
        for place, names in at.items()
    ]
    return figure(draw, alt, caption, size=(WIDTH, 4), left=1.35, right=0.8, told={"pairs": told})


def _one_over(score: Fraction | float) -> str:
    return "1" if score == 1 else f"1/{1 / float(score):,.0f}"


# --------------------------------------------------------------------------------------------------------- small parts


def _data(rows: list[dict[str, object]]) -> Table:
    """The numbers of a figure as a table; of more than 20 rows, some at even distances and the last."""
    return table(
        [*rows[: -1 : max(1, -(-len(rows) // 20))], *rows[-1:]], list(rows[0]) if rows else []
    )


def _why_no_picture() -> str:
    """What is said where matplotlib is missing. In a browser it is fetched, while one reads on."""
    if sys.platform != "emscripten":
        return "Drawing this needs matplotlib, which is not installed."
    import pyodide_js  # type: ignore[import-not-found]

    if "matplotlib" not in pyodide_js.lockfile.packages.to_py():
        return "Drawing this needs matplotlib, which this site was built without."
    pyodide_js.loadPackage("matplotlib")
    return "The picture needs matplotlib, which is being fetched now. In a minute, run this cell again."


def axes(ax: Any, xlabel: str, ylabel: str, log: str, whole: str = "") -> None:
    """Name the axes; those in `log` get a logarithmic scale, those in `whole` ticks at whole numbers alone."""
    from matplotlib.ticker import MaxNLocator

    ax.set(xlabel=xlabel, ylabel=ylabel)
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        if name in log:
            ax.set(**{f"{name}scale": "log"})
            axis.set_minor_formatter(lambda value, _, axis=axis: _between_powers(value, axis))
        else:
            axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], integer=name in whole))
        axis.set_major_formatter(lambda value, _: _number(value))


def _between_powers(value: float, axis: Any) -> str:
    """The label of a tick between powers of ten: 2 and 5 of them, where the axis is so short that powers are few."""
    low, high = axis.get_view_interval()
    return _number(value) if f"{value:e}"[0] in "25" and high < 200 * low else ""


def _label(ax: Any, words: str, at: Point, offset: Point, **looks: Any) -> None:
    """Write words beside a point of the axes, `offset` points (of 1/72 inch) to the right and up."""
    ax.annotate(words, at, xytext=offset, textcoords="offset points", **looks)


def _end_labels(ax: Any, ends: Mapping[str, Point], gap: float = 13) -> None:
    """Write each line's name at its end, moved apart (in points) where two would overlap."""
    ax.get_xlim(), ax.get_ylim()  # settles the scale that the next line reads
    heights = {name: ax.transData.transform(end)[1] for name, end in ends.items()}
    # Above the axis, which would strike it through.
    lowest = ax.transAxes.transform((0, 0))[1] + 9 - gap
    for name in sorted(ends, key=heights.__getitem__):
        lowest = max(heights[name], lowest + gap)
        _label(
            ax,
            name,
            ends[name],
            (7, lowest - heights[name]),
            va="center_baseline",
            annotation_clip=False,
        )


def _room(labels: Iterable[str]) -> float:
    return LETTER * max(map(text_width, labels), default=0)


def _points(values: Points) -> list[Point]:
    return [
        value if isinstance(value, tuple) else (x, value)
        for x, value in (values.items() if hasattr(values, "items") else enumerate(values))
    ]


def _is_whole(value: float) -> bool:
    return value == int(value)


def _number(value: float) -> str:
    return f"{value:,.0f}" if _is_whole(value) else f"{value:,.4g}"


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
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', body))
    for pattern, new in (
        (r' id="([^"]*)"', lambda match: match[0] if match[1] in used else ""),
        (r' (d|c?x|c?y|transform)="([^"]*)"', _rounded),
        (r' ?font-family: [^;"]*;', ""),
        (INK, "currentColor"),
        ("xlink:href", "href"),
        (r"\n\s*", "\n"),
        (r' transform="rotate\(-?0 [^)]*\)"', ""),
    ):
        body = re.sub(pattern, new, body)
    return drawing(body, alt, svg.partition('viewBox="')[2].partition('"')[0], width * 96)


def _rounded(attribute: re.Match[str]) -> str:
    numbers = re.sub(
        r"-?\d+\.\d+",
        lambda number: f"{float(number[0]):.1f}".removesuffix(".0"),
        attribute[2],
    )
    numbers = re.sub(r"(?<![\d.])-0(?![\d.])", "0", " ".join(numbers.split()))
    return f' {attribute[1]}="{numbers}"'
