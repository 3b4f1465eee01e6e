"""Tables: HTML that a screen reader can walk through, and aligned text where there is no HTML."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Number
from typing import Any, TypeGuard

from .. import bpe, compression, html, wordpiece
from ..arguments import check, counted
from ..html import Html, Shown, View, note, pieces, tag, view
from .tokens import token_row, visible

MergeStep = bpe.Step | wordpiece.Step
Count = int | float | Fraction


class Cell(View):
    """A cell that looks different in HTML and in text."""


class Table(Shown):
    """A table of any cells; its first column names the rows. A cell with HTML of its own, like a token strip, shows it.

    rows: sequences in the order of `columns`, or mappings from column to cell. Whole numbers get thousands separators,
    floats are rounded to four digits, or have `decimals` of them behind the point; None stays empty. note: is below.

    Raises ValueError if a row does not fit the columns.

    >>> Table([["the", 12345], ["cat", 7]], ["word", "count"])
    word   count
    ----  ------
    the   12,345
    cat        7
    """

    def __init__(
        self,
        rows: Iterable[Sequence[object] | Mapping[str, object]],
        columns: Sequence[str],
        caption: str = "",
        *,
        decimals: int | None = None,
        note: str = "",
    ):
        self.columns, self.caption, self.note = list(columns), caption, note
        self.rows: list[list[object]] = []
        self.decimals = decimals
        for number, row in enumerate(rows):
            cells = [row.get(name) for name in columns] if isinstance(row, Mapping) else list(row)
            check(
                len(cells) == len(columns),
                f"rows[{number}] holds {counted(len(cells), 'cell')}, but there are "
                f"{counted(len(columns), 'column')}: {self.columns}",
            )
            self.rows.append(cells)

    def html(self) -> Html:
        return view(
            html.table(
                [
                    [
                        cell
                        if isinstance(cell, Html) or hasattr(cell, "_repr_html_")
                        else cell_text(cell, self.decimals)
                        for cell in row
                    ]
                    for row in self.rows
                ],
                self.columns,
                caption=self.caption,
                numbers=[
                    column for column in range(len(self.columns)) if self._holds_numbers(column)
                ],
            ),
            note(self.note),
        )

    def __repr__(self) -> str:
        texts = [[cell_text(cell, self.decimals) for cell in row] for row in self.rows]
        columns = [
            _aligned(column, self._holds_numbers(number))
            for number, column in enumerate(zip(self.columns, *texts))
        ]
        head, *rows = ("  ".join(line).rstrip() for line in zip(*columns))
        rule = "  ".join("-" * text_width(column[0]) for column in columns) if head else ""
        return "\n".join(filter(None, (self.caption, head, rule, *rows, self.note)))

    def _holds_numbers(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(map(_is_number, cells))


table = Table


def bar_table(figures: Mapping[str, Count], measure: str) -> Table:
    """Figures with their names, and a bar for each, as long as its share of the highest. measure: what they are.

    >>> bar_table({"hug": 15, "pun": 12}, "times").columns
    ['', 'times', '']
    """
    most = max(figures.values(), default=0) or 1
    bars = [share_bar(n / most, "", "chosen", longest=11) for n in figures.values()]
    return table(zip(figures, alike(figures.values()), bars), ["", measure, ""])


def figure_table(
    figures: Mapping[object, Mapping[str, float]], measure: str, decimals: int = 1
) -> Table:
    """Figures by two names, such as tokens by tokenizer and language: a row for each of the first names.

    figures: row -> column -> figure, of the same columns in each row. measure: what the figures are.

    >>> figures = {"BPE": {"English": 23.66, "Chinese": 16.1}, "bytes": {"English": 101.5, "Chinese": 98.2}}
    >>> figure_table(figures, "tokens")
    tokens  English  Chinese
    ------  -------  -------
    BPE        23.7     16.1
    bytes     101.5     98.2
    """
    return table(
        [{measure: name, **row} for name, row in figures.items()],
        [measure, *next(iter(figures.values()), {})],
        decimals=decimals,
    )


def pair_table(
    pairs: MergeStep | compression.Step | Mapping[bpe.Pair, Count],
    top: int = 10,
    caption: str = "",
    *,
    remark: str = "merged",
    count: str = "count",
    beside: Mapping[bpe.Pair, object] | None = None,
) -> Table:
    """The pairs with the highest counts, with bars; the chosen one, and those tied with it, are marked in words.

    pairs: a training step, or pair -> count. Where a step was decided by scores, those are listed, and the counts
    beside them. Of mere counts, the highest pair is marked, or all that share the highest count. remark: the word for
    the chosen pair. count: the heading over the counts, if they are something else (a score). beside: counts to be
    shown beside such scores.

    >>> pair_table({("h", "u"): 15, ("u", "g"): 20, ("p", "u"): 17}, top=2)
    pair  count
    ----  -----  -------
    u g      20  highest
    p u      17
    and 1 more pair
    """
    chosen: object = None
    if isinstance(pairs, Mapping):
        counts: Mapping[Any, Any] = pairs
        leaders = [pair for pair, number in counts.items() if number == max(counts.values())]
        marks = ("highest", "best") if len(leaders) == 1 else ("tied for highest", "tied")
        remarks = dict.fromkeys(leaders, marks)
    else:
        counts, chosen = pairs.pair_freqs, pairs.pair
        remarks = {**dict.fromkeys(pairs.tied, ("tied", "tied")), chosen: (remark, "best")}
        if by_score(pairs):
            counts, beside, count = pairs.scores, pairs.pair_freqs, "score"
    most = max(counts.values(), default=0) or 1
    ranked = sorted(counts, key=lambda pair: (-counts[pair], pair != chosen))
    columns = ["pair", count, *["count"] * bool(beside), ""]
    rows = [
        [
            token_cell(pair, " "),
            counts[pair],
            *([beside[pair]] if beside else []),
            share_bar(counts[pair] / most, *remarks.get(pair, ("", ""))),
        ]
        for pair in ranked[:top]
    ]
    more = len(ranked) - len(rows)
    return table(rows, columns, caption, note=f"and {counted(more, 'more pair')}" if more else "")


def by_score(step: object) -> TypeGuard[wordpiece.Step]:
    """Whether a training step was decided by scores that are not the counts, as WordPiece's are."""
    return isinstance(step, wordpiece.Step) and step.scores is not step.pair_freqs


# --------------------------------------------------------------------------------------------------------- cells


def token_cell(tokens: Sequence[str], between: str = "|", **looks: Any) -> Cell:
    """Tokens in a cell. between: what parts them in text. looks: as `token_row` takes them."""
    return Cell(between.join(map(visible, tokens)), token_row(tokens, **looks))


def share_bar(share: Count, remark: str, look: str = "", longest: int = 8) -> Cell:
    """A bar as long as a share of the longest, which is `longest` letters wide, and a remark behind it.

    look: "chosen" for a strong color, "best" for that of the next merge, "tied" for a paler one.
    """
    look = look or ("chosen" if remark else "")
    bar = tag(
        "span",
        class_=(f"sl-bar sl-{look}" if look else "sl-bar"),
        style=f"width:{float(share) * longest:.2f}em",
    )
    return Cell(remark, pieces(bar, remark))


def cell_text(cell: object, decimals: int | None = None) -> str:
    """What a cell says, as text. decimals: of a float; by default four digits are shown."""
    if isinstance(cell, float):
        short = ",.1f" if abs(cell) >= 1000 else ".4g"
        return format(cell, short if decimals is None else f",.{decimals}f")
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return "" if cell is None or isinstance(cell, Html) else str(cell)


def alike(numbers: Iterable[Count]) -> list[str]:
    """Numbers as they stand below each other: with as many digits behind the point as the one that has most.

    >>> alike([0.577, 0.01]), alike([15, 12])
    (['0.577', '0.010'], ['15', '12'])
    """
    numbers = list(numbers)
    decimals = max((len(cell_text(n).partition(".")[2]) for n in numbers), default=0)
    return [f"{float(n):,.{decimals}f}" for n in numbers]


def text_width(text: str) -> int:
    """How many columns the text takes in a terminal, roughly: marks take none, East Asian characters two."""
    return (
        len(text)
        + sum(unicodedata.east_asian_width(char) in "WF" for char in text)
        - sum(unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text)
    )


def _is_number(cell: object) -> bool:
    """Whether a cell is a number, or the text of one."""
    if isinstance(cell, str):
        return bool(html.NUMBER.fullmatch(cell))
    return isinstance(cell, Number) and not isinstance(cell, bool)


def _aligned(texts: Sequence[str], right: bool) -> list[str]:
    """The texts of a column, with space up to the width of the longest."""
    width = max(map(text_width, texts))
    spaces = [" " * (width - text_width(text)) for text in texts]
    return [space + text if right else text + space for text, space in zip(texts, spaces)]
