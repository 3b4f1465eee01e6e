"""The compressor of 1994 at work: pairs become symbols, rule by rule, and then the way back."""

from __future__ import annotations

from ..arguments import check_count, counted, shorten
from ..compression import Compressed, CompressionTable, decompress, undo
from ..html import Html, note, pieces, tag
from .asking import Ask, asking
from .player import FramePlayer
from .stepper import columns, merging_boxes, pair_choices
from .tables import Cell, pair_table, table
from .tokens import token_box, token_row

Labeled = list[tuple[str, Html]]  # frames, each with its label before it


def compression_stepper(
    compressed: Compressed, *, top: int = 6, max_symbols: int = 60, ask: bool = False
) -> FramePlayer:
    """Forward through the rules and back again: the string, the pairs counted in it, the table, and both sizes.

    compressed: what `compression.compress` made of a string. top: how many pairs are listed. max_symbols: how long the
    string may be, so that it fits on the page. ask: whether each pair is to be guessed before it is shown.

    Raises ValueError for compressed bytes, which are no string, and for a string that is too long.

    >>> from subword_lab.compression import compress
    >>> compression_stepper(compress("aaabdaaabac"))
    11 symbols become 5 with 3 rules, and 11 again
    0. Start: aaabdaaabac
    1. aa becomes Z: ZabdZabac
    2. ab becomes Y: ZYdZYac
    3. ZY becomes X: XdXac
    4. Back: X opens into ZY: ZYdZYac
    5. Back: Y opens into ab: ZabdZabac
    6. Back: Z opens into aa: aaabdaaabac
    """
    check_count("top", top, least=1)
    check_count("max_symbols", max_symbols, least=1)
    if not isinstance(compressed, Compressed) or not isinstance(compressed.data, str):
        raise ValueError(
            f"compressed is {shorten(compressed)}; expected what compression.compress makes of a string"
        )
    before = compressed.lengths[0]
    if before > max_symbols:
        raise ValueError(
            f"compressed holds {before} symbols; expected at most {max_symbols} (max_symbols), so that "
            "they fit on the page"
        )
    forward, backward = _forward(compressed, top), _backward(compressed)
    rules = counted(len(compressed.table), "rule")
    labels, frames = zip(*forward, *backward)
    player = FramePlayer(
        frames,
        labels,
        f"{before} symbols become {len(compressed.data)} with {rules}, and {before} again",
    )
    if not ask:
        return player
    texts = [str(decompress(compressed)), *(str(step.data) for step in compressed.steps)]
    return asking(
        player,
        {
            number: Ask(
                "Which pair is replaced next? Choose it.",
                tag("p", token_row(data)),
                pair_choices(step, top),
            )
            for number, (data, step) in enumerate(zip(texts, compressed.steps))
        },
    )


def _forward(compressed: Compressed, top: int) -> Labeled:
    """Before the first rule and after each."""
    data, rules = str(decompress(compressed)), CompressionTable()
    label, shown = f"Start: {data}", []
    for step in compressed.steps:
        pairs = pair_table(step, top, "Pairs", remark="replaced next").html()
        pair, symbol = str(step.pair), str(step.symbol)
        strip = merging_boxes(data, pair, list(rules)[-1:], "replaced next")
        shown.append((label, _frame(data, rules, strip, pairs)))
        data, rules = str(step.data), step.table
        label = f"{pair} becomes {symbol}: {data}"
    end = tag("p", f"The end: {compressed.stopped or 'no more rules'}.")
    return [*shown, (label, _frame(data, rules, merging_boxes(data, "", list(rules)[-1:]), end))]


def _backward(compressed: Compressed) -> Labeled:
    """After each rule has been undone, the last one first."""
    data, rules, shown = str(compressed.data), list(compressed.table.items()), []
    while rules:
        symbol, pair = rules.pop()
        data = str(undo(data, [(symbol, pair)]))
        words = tag("p", "Each ", token_box(symbol), " has been opened into ", token_row(pair), ".")
        strip = merging_boxes(data, pair, (), "opened just now")
        shown.append(
            (
                f"Back: {symbol} opens into {pair}: {data}",
                _frame(data, CompressionTable(dict(rules)), strip, words),
            )
        )
    return shown


def _frame(data: str, rules: CompressionTable, strip: Html, beside: Html) -> Html:
    rows = [
        [Cell(symbol, token_box(symbol)), Cell(rule, token_row(rule))]
        for symbol, rule in rules.items()
    ]
    written = (
        table(rows, ["symbol", "stands for"], "Table") if rows else tag("p", "The table is empty.")
    )
    sizes = f"{len(data)} symbols, and a table of {rules.size}: {len(data) + rules.size} in all"
    return pieces(tag("p", strip), note(sizes), columns(written, beside))
