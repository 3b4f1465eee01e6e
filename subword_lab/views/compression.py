"""The compressor of 1994 at work: pairs become symbols, rule by rule, and then the way back."""
from __future__ import annotations

from ..arguments import check_count
from ..compression import Compressed, CompressionTable, decompress, undo
from .shown import note
from .stepper import FramePlayer, merging_boxes
from .tables import Cell, pair_table, table
from .tokens import box, boxes


def compression_stepper(compressed: Compressed, *, top: int = 6, max_symbols: int = 60) -> FramePlayer:
    """Forward through the rules and back again: the string, the pairs counted in it, the table, and both sizes.

    compressed: what `compression.compress` made of a string. top: how many pairs are listed. max_symbols: how long the
    string may be, so that it fits on the page.

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
        raise ValueError(f"compressed is {compressed!r:.60}; expected what compression.compress makes of a string")
    before = compressed.lengths[0]
    if before > max_symbols:
        raise ValueError(f"compressed holds {before} symbols; expected at most {max_symbols} (max_symbols), so that "
                         "they fit on the page")
    forward, backward = _forward(compressed, top), _backward(compressed)
    rules = f"{len(compressed.table)} rule{'s' * (len(compressed.table) != 1)}"
    labels, frames = zip(*forward, *backward)
    return FramePlayer(frames, labels,
                       f"{before} symbols become {len(compressed.data)} with {rules}, and {before} again")


def _forward(compressed, top):
    """(label, frame) before the first rule and after each."""
    data, rules = decompress(compressed), CompressionTable()
    label, shown = f"Start: {data}", []
    for step in compressed.steps:
        pairs = pair_table(step, top, "Pairs", remark="replaced next").html()
        strip = merging_boxes(data, step.pair, list(rules)[-1:], "replaced next")
        shown.append((label, _frame(data, rules, strip, pairs)))
        data, rules = step.data, step.table
        label = f"{step.pair} becomes {step.symbol}: {data}"
    end = f"<p>The end: {compressed.stopped or 'no more rules'}.</p>"
    return [*shown, (label, _frame(data, rules, merging_boxes(data, "", list(rules)[-1:]), end))]


def _backward(compressed):
    """(label, frame) after each rule has been undone, the last one first."""
    data, rules, shown = compressed.data, list(compressed.table.items()), []
    while rules:
        symbol, pair = rules.pop()
        data = undo(data, [(symbol, pair)])
        words = f"<p>Each {box(symbol)} has been opened into {boxes(pair)}.</p>"
        shown.append((f"Back: {symbol} opens into {pair}: {data}",
                      _frame(data, CompressionTable(rules), merging_boxes(data, pair, (), "opened just now"), words)))
    return shown


def _frame(data, rules, strip, beside) -> str:
    rows = [[Cell(symbol, box(symbol)), Cell(rule, boxes(rule))] for symbol, rule in rules.items()]
    written = table(rows, ["symbol", "stands for"], "Table").html() if rows else "<p>The table is empty.</p>"
    sizes = f"{len(data)} symbols, and a table of {rules.size}: {len(data) + rules.size} in all"
    return f'<p>{strip}</p>{note(sizes)}<div class="sl-columns"><div>{written}</div><div>{beside}</div></div>'
