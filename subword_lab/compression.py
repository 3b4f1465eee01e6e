"""Byte-pair compression: how BPE began, in 1994.

Replace the most frequent pair of neighbors by a symbol that the data does not use, write the rule into a table, and
start again, until no pair repeats. Going back, undo the rules, the last one first.

Read this file from top to bottom: the table and the result, the small functions of the lesson, `compress_steps` (one
record a rule), `compress` (the same rules, fast), `decompress`, blocks, and a comparison with zlib. How the pairs went
on to words is told in `bpe`, and what merging reaches there in `studies.merging`.

Source: P. Gage, "A New Algorithm for Data Compression", The C Users Journal 12(2), 1994.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from typing import Any, AnyStr, Generic  # AnyStr: a string or bytes, and the same throughout

from .arguments import (
    SortKey,
    check_choice,
    check_count,
    check_rule,
    check_string,
    check_type,
    wrong_type,
)

Ties = str | Callable[[AnyStr], SortKey]
COUNTING = ("overlapping", "non-overlapping")
TIES = ("literal-first", "first-seen", "greatest")
RULE_SIZE = 3  # a rule is written as its symbol and the two it stands for


class CompressionTable(dict[AnyStr, AnyStr]):
    """The rules, in the order in which they were made: new symbol -> the pair that it stands for.

    Raises ValueError for a rule that is not one symbol and two, or whose symbol was in use before it.

    >>> table = CompressionTable({"Z": "aa", "Y": "ab", "X": "ZY"})
    >>> table["X"], table.meaning("X"), len(table), table.size
    ('ZY', 'aaab', 3, 9)
    """

    def __init__(self, rules: Mapping[AnyStr, AnyStr] | None = None):
        self.update(rules or {})
        used: set[AnyStr] = set()
        for symbol, pair in self.items():
            same_type = type(symbol) is type(pair) and isinstance(pair, (str, bytes))
            if not (same_type and len(symbol) == 1 and len(pair) == 2):
                raise ValueError(
                    f"the rule {symbol!r}: {pair!r} is not one symbol and the pair it stands for"
                )
            used |= {pair[:1], pair[1:]}
            if symbol in used:
                raise ValueError(
                    f"the rule {symbol!r}: {pair!r} comes too late: {symbol!r} has been used before it"
                )

    def __repr__(self) -> str:
        rules = super().__repr__() if len(self) <= 10 else f"{len(self)} rules"
        return f"CompressionTable({rules})"

    @property
    def size(self) -> int:
        """What the table costs: three symbols a rule."""
        return RULE_SIZE * len(self)

    def meaning(self, symbol: AnyStr) -> AnyStr:
        """What a symbol stands for in the original data."""
        return undo(symbol, reversed(self.items()))


@dataclass(frozen=True)
class Compressed(Generic[AnyStr]):
    """What compression leaves behind: the short data, and the table without which nobody can read it.

    `stopped` says in words why it ended. Sizes are in symbols: characters of a string, bytes of bytes.

    >>> Compressed("XdXac", CompressionTable({"Z": "aa", "Y": "ab", "X": "ZY"}))
    Compressed(11 symbols as 5, and 3 rules: 14 in all)
    """

    data: AnyStr
    table: CompressionTable[AnyStr]
    stopped: str = ""
    options: dict[str, Any] = field(default_factory=dict, compare=False)  # those of `compress`

    def __post_init__(self) -> None:
        _check_data(self.data)
        check_type("table", self.table, CompressionTable)

    def __repr__(self) -> str:
        what = f"{self.lengths[0]} symbols as {len(self.data)}, and {len(self.table)} rules"
        return f"Compressed({what}: {self.size} in all{', ' * bool(self.stopped)}{self.stopped})"

    @property
    def size(self) -> int:
        """What has to be sent: the data and the table."""
        return len(self.data) + self.table.size

    @cached_property
    def lengths(self) -> list[int]:
        """The length of the data before the first rule and after each, without the table."""
        counts = Counter(self.data[i : i + 1] for i in range(len(self.data)))
        lengths = [len(self.data)]
        for symbol, pair in reversed(self.table.items()):
            times = counts.pop(symbol, 0)
            counts[pair[:1]] += times
            counts[pair[1:]] += times
            lengths.append(lengths[-1] + times)
        return lengths[::-1]

    @property
    def sizes(self) -> list[int]:
        """The same with the table: each rule costs three symbols, and a rule used three times or less does not pay.

        >>> compress("aaabdaaabac").lengths, compress("aaabdaaabac").sizes
        ([11, 9, 7, 5], [11, 12, 13, 14])
        """
        return [length + RULE_SIZE * rules for rules, length in enumerate(self.lengths)]

    @cached_property
    def steps(self) -> "list[Step[AnyStr]]":
        """The way here, rule by rule. It is walked again, with every pair counted anew: slow on long data."""
        return list(compress_steps(decompress(self), **self.options))


# ------------------------------------------------------------------------------------------------------ small functions


def pair_freqs(data: AnyStr, counting: str = "overlapping") -> dict[AnyStr, int]:
    """Count the pairs of neighbors, in first-seen order.

    counting: "overlapping" counts every position, so `aaa` holds the pair `aa` twice; "non-overlapping" counts what
    can be replaced, from left to right, so `aaa` holds it once. Only pairs of two equal symbols are concerned.

    >>> pair_freqs("aaab"), pair_freqs("aaab", counting="non-overlapping")
    ({'aa': 2, 'ab': 1}, {'aa': 1, 'ab': 1})
    """
    check_choice("counting", counting, COUNTING)
    freqs = Counter(data[i : i + 2] for i in range(len(data) - 1))
    # data.count goes on behind what it has found, as data.replace does.
    return {
        pair: data.count(pair) if counting == "non-overlapping" else freq
        for pair, freq in freqs.items()
    }


def best_pair(
    freqs: Mapping[AnyStr, int], ties: Ties[AnyStr] = "literal-first", table: Container[AnyStr] = ()
) -> AnyStr:
    """The most frequent pair; `ties` decides among equals.

    ties: "literal-first" (a pair of original symbols before one that holds a symbol of `table`, then the first seen;
    what the documented example does), "first-seen" (the one met first in the data), "greatest" (the last in
    code-point order), or a function of the pair whose smallest value wins.

    >>> freqs = pair_freqs("ZabdZabac")
    >>> best_pair(freqs, table={"Z": "aa"}), best_pair(freqs, ties="first-seen")
    ('ab', 'Za')
    """
    most = max(freqs.values())
    return min((pair for pair, freq in freqs.items() if freq == most), key=_tie_key(ties, table))


def _tie_key(ties: Ties[AnyStr], table: Container[AnyStr]) -> Callable[[AnyStr], SortKey]:
    rules: dict[str, Callable[[AnyStr], SortKey]] = {
        "literal-first": lambda pair: not is_literal(pair, table),
        "first-seen": lambda pair: 0,
        "greatest": lambda pair: (-ord(pair[:1]), -ord(pair[1:])),
    }
    rule = check_rule("ties", ties, TIES)
    return rule if callable(rule) else rules[rule]


def is_literal(pair: AnyStr, table: Container[AnyStr]) -> bool:
    """Whether both symbols of the pair are original ones, and not made by a rule.

    >>> is_literal("ab", {"Z": "aa"}), is_literal("Za", {"Z": "aa"})
    (True, False)
    """
    return pair[:1] not in table and pair[1:] not in table


def unused_symbols(data: AnyStr) -> Iterator[AnyStr]:
    """The symbols that the data does not use, in the order in which rules take them.

    First Z, Y, X ... A, as the documented example does, and z ... a; then, in a string, the circled and bracketed
    numbers and letters from ① on, and everything from U+E000 up, where Unicode leaves room for private use; in bytes,
    the other values from 255 down.

    >>> symbols = unused_symbols("JAZZ")
    >>> [next(symbols) for _ in range(4)], next(unused_symbols(b"Z"))
    (['Y', 'X', 'W', 'V'], b'Y')
    """
    used = set(data)
    letters: str = ascii_uppercase[::-1] + ascii_lowercase[::-1]
    if isinstance(data, bytes):
        values = dict.fromkeys([*map(ord, letters), *range(255, -1, -1)])
        return (bytes([value]) for value in values if value not in used)
    others = map(chr, chain(range(0x2460, 0x2500), range(0xE000, 0x110000)))
    return (symbol for symbol in chain(letters, others) if symbol not in used)


def undo(data: AnyStr, rules: Iterable[tuple[AnyStr, AnyStr]]) -> AnyStr:
    """Write each rule's pair in the place of its symbol, one rule after the other, in the order given.

    Only the last rule first leads back; the other way round, symbols come out whose rule has had its turn.

    >>> rules = [("Z", "aa"), ("Y", "ab"), ("X", "ZY")]
    >>> undo("XdXac", reversed(rules)), undo("XdXac", rules)
    ('aaabdaaabac', 'ZYdZYac')
    """
    for symbol, pair in rules:
        data = data.replace(symbol, pair)
    return data


# ---------------------------------------------------------------------------------------------------------- compressing


@dataclass(frozen=True)
class Step(Generic[AnyStr]):
    """One rule: what was counted, what was chosen and why, and how things stand afterwards."""

    number: int  # 1 for the first rule
    pair_freqs: dict[AnyStr, int] = field(repr=False)  # before the rule, in first-seen order
    pair: AnyStr
    count: int
    tied: list[AnyStr]  # the other pairs with the same count
    symbol: AnyStr
    replaced: int  # below `count` where pairs overlap
    data: AnyStr  # after the rule
    table: CompressionTable[AnyStr]  # after the rule

    @property
    def size(self) -> int:
        """What would have to be sent now: the data and the table."""
        return len(self.data) + self.table.size


def compress_steps(
    data: AnyStr,
    *,
    recursive: bool = True,
    counting: str = "overlapping",
    ties: Ties[AnyStr] = "literal-first",
    min_count: int = 2,
    num_rules: int | None = None,
) -> Iterator[Step[AnyStr]]:
    """Compress one rule at a time, counting every pair anew at every step: slow, and nothing hidden.

    Arguments, errors and rules are those of `compress`.

    >>> for step in compress_steps("aaabdaaabac"):
    ...     print(step.number, step.pair, step.count, step.symbol, step.data, step.size)
    1 aa 4 Z ZabdZabac 12
    2 ab 2 Y ZYdZYac 13
    3 ZY 2 X XdXac 14
    """
    _check(data, counting, ties, min_count, num_rules)

    def steps(data: AnyStr) -> Iterator[Step[AnyStr]]:
        table: CompressionTable[AnyStr] = CompressionTable()
        for number, symbol in enumerate(unused_symbols(data), start=1):
            freqs = pair_freqs(data, counting)
            if not recursive:
                freqs = {pair: freq for pair, freq in freqs.items() if is_literal(pair, table)}
            if len(table) == num_rules or max(freqs.values(), default=0) < min_count:
                return  # there are rules enough, or no pair is worth one
            pair = best_pair(freqs, ties, table)
            tied = [other for other in freqs if freqs[other] == freqs[pair] and other != pair]
            # Both go from left to right, and no symbol of the data is used twice.
            replaced, data = data.count(pair), data.replace(pair, symbol)
            table = CompressionTable({**table, symbol: pair})
            yield Step(number, freqs, pair, freqs[pair], tied, symbol, replaced, data, table)

    return steps(data)


def compress(
    data: AnyStr,
    *,
    recursive: bool = True,
    counting: str = "overlapping",
    ties: Ties[AnyStr] = "literal-first",
    min_count: int = 2,
    num_rules: int | None = None,
) -> Compressed[AnyStr]:
    """Replace frequent pairs by unused symbols: the same rules as `compress_steps`, without counting everything anew.

    data: a string, where symbols are characters, or bytes.
    recursive: whether new symbols may form pairs in their turn. counting: see `pair_freqs`; ties: see `best_pair`.
    min_count: stop when no pair is counted that often; with 4, every rule pays for its place in the table.
    num_rules: stop after so many rules.

    When the data uses all 256 bytes there is no symbol for a rule: compression ends, `stopped` says so, and nothing
    is lost. That is no error, because nothing is wrong with such data; `compress_blocks` gets further with it.

    Raises ValueError for anything but a string (without lone surrogates) or bytes, and for arguments out of range.

    >>> compress("aaabdaaabac")
    Compressed(11 symbols as 5, and 3 rules: 14 in all, no pair repeats)
    >>> compress("aaabdaaabac").data, compress("aaabdaaabac").table
    ('XdXac', CompressionTable({'Z': 'aa', 'Y': 'ab', 'X': 'ZY'}))
    >>> compress(b"aaabdaaabac", recursive=False).data
    b'ZYdZYac'
    """
    # The bookkeeping behind it; nothing there changes a result.
    from .structures.pair_index import FilteredQueue

    _check(data, counting, ties, min_count, num_rules)
    rules: dict[AnyStr, AnyStr] = {}
    key = _tie_key(ties, rules)
    pairs = FilteredQueue(
        [[data[i : i + 1] for i in range(len(data))]],
        [1],
        lambda pair: key(pair[0] + pair[1]),
        allows=None if recursive else lambda pair: is_literal(pair[0] + pair[1], rules),
        apart=counting == "non-overlapping",
    )
    stopped = ""
    for symbol in unused_symbols(data):
        if len(rules) == num_rules:
            break
        pair = pairs.pop()
        if pair is None or pairs.rating(pair) < min_count:
            stopped = f"no pair {f'occurs {min_count} times' if min_count > 2 else 'repeats'}"
            break
        rules[symbol] = pair[0] + pair[1]
        pairs.merge(pair, symbol)
    else:
        symbols = "all 256 bytes" if isinstance(data, bytes) else "all symbols"
        stopped = f"{symbols} are in use after {len(rules)} rules"
    options = {
        "recursive": recursive,
        "counting": counting,
        "ties": ties,
        "min_count": min_count,
        "num_rules": num_rules,
    }
    return Compressed(data[:0].join(pairs.words()[0]), CompressionTable(rules), stopped, options)


def _check(data: AnyStr, counting: str, ties: Ties, min_count: int, num_rules: int | None) -> None:
    _check_data(data)
    check_choice("counting", counting, COUNTING)
    check_rule("ties", ties, TIES)
    check_count("min_count", min_count, least=2)
    if num_rules is not None:
        check_count("num_rules", num_rules)


def _check_data(data: object) -> None:
    if isinstance(data, str):
        check_string("data", data)
    elif not isinstance(data, bytes):
        raise wrong_type("data", data, "a string or bytes")


def decompress(compressed: Compressed[AnyStr]) -> AnyStr:
    """The original data: every rule undone, the last one first.

    >>> decompress(compress("aaabdaaabac"))
    'aaabdaaabac'
    """
    if not isinstance(compressed, Compressed):
        raise wrong_type("compressed", compressed, "what compress returns, the data with its table")
    return undo(compressed.data, reversed(compressed.table.items()))


# ------------------------------------------------------------------------------------------------ blocks, and real text


def split_blocks(data: AnyStr, block_size: int = 5000, max_symbols: int = 200) -> Iterator[AnyStr]:
    """Cut data into blocks, each as long as it may be: `block_size` symbols, `max_symbols` different ones.

    >>> list(split_blocks("aaabdaaabac", block_size=6, max_symbols=2))
    ['aaab', 'daaa', 'ba', 'c']
    """
    _check_data(data)
    check_count("block_size", block_size, least=1)
    check_count("max_symbols", max_symbols, least=1)
    start, used = 0, set(data[:0])
    for end, symbol in enumerate(data):
        if end - start == block_size or (len(used) == max_symbols and symbol not in used):
            yield data[start:end]
            start, used = end, set(data[:0])
        used.add(symbol)
    yield data[start:]


def compress_blocks(
    data: AnyStr, *, block_size: int = 5000, max_symbols: int = 200, **options: Any
) -> list[Compressed[AnyStr]]:
    """Compress block by block, each with a table of its own, as the program of 1994 did.

    Every block leaves symbols for rules, even where the data as a whole uses all 256 bytes, and adapts to its part of
    the data; the price is one table a block. The default sizes are Gage's. options: those of `compress`. What
    `decompress` makes of each block, joined, is the data.

    >>> everything = bytes(range(256)) + b"aaabdaaabac" * 20
    >>> compress(everything)
    Compressed(476 symbols as 476, and 0 rules: 476 in all, all 256 bytes are in use after 0 rules)
    >>> sum(block.size for block in compress_blocks(everything))
    289
    """
    return [compress(block, **options) for block in split_blocks(data, block_size, max_symbols)]


def compare_with_zlib(data: bytes) -> dict[str, int]:
    """The size in bytes of the same data: as it is, as pairs (tables counted in), and from zlib at its best level.

    "pairs, then zlib" gives the data that is left after `compress` to zlib, and adds the table as it is. zlib (1995)
    looks for repeats, even long ones in the last 32 KB and gives frequent symbols short codes; pairs do neither. Its
    versions differ by a few bytes. What a file would need besides, a few bytes that say how long the table and the
    data are, is left out of the pairs' sizes, one or three a block.

    >>> from subword_lab.text import load_passage
    >>> sizes = compare_with_zlib(load_passage().encode())
    >>> sizes["as it is"], sizes["pairs"], sizes["pairs in blocks"], sizes["zlib"] < 0.5 * sizes["as it is"]
    (9710, 5900, 5698, True)
    """
    if not isinstance(data, bytes):
        hint = 'encode a string first, for example with .encode("utf-8")'
        raise wrong_type("data", data, f"bytes, for zlib knows no characters ({hint})")
    whole = compress(data)
    return {
        "as it is": len(data),
        "pairs": whole.size,
        "pairs in blocks": sum(block.size for block in compress_blocks(data)),
        "zlib": len(zlib.compress(data, 9)),
        "pairs, then zlib": len(zlib.compress(whole.data, 9)) + whole.table.size,
    }
