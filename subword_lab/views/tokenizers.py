"""The tokenizer playground: any text under any number of tokenizers, each token under the characters it stands for.

Between two places where every tokenizer cuts lies a block: the text on top, a row for each tokenizer below. Where the
rows of a block differ, the tokenizers part. Tokens that share a character stand in one box.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ..arguments import counted, shorten
from ..html import Html, note, tag
from ..studies.encoders import Encoded, encoded
from .playground import LONGEST, Playground, Regions, some_text
from .tables import table, text_width
from .tokens import COLORS, EDGE, OPACITY, color, visible

Span = tuple[int, int]
UNKNOWN = ("[UNK]", "<unk>")
LINE, LINES, STEP = (
    52,
    6,
    100,
)  # columns of a line, lines that are shown, characters that a page moves by
NOTES = {"ids": "ids", "bytes": "bytes", "offsets": "offsets", "times": "how often"}


def tokenizer_playground(
    encoders: Mapping[str, object],
    string: str | Path = "Two hugs, and a third.",
    *,
    price: float = 1.0,
    title: str = "Tokenize your own text",
) -> TokenizerPlayground:
    """Any text under several tokenizers, aligned: what it costs, and where they part.

    encoders: name -> a function of a string, or something with a method `encode`, that answers with `.tokens`,
    `.offsets` and perhaps `.ids`; `studies.encoders.encoder` makes one of a model. string: the text in the field at
    first, or a file's Path. price: of a million tokens, in any currency.

    Raises ValueError if there is no encoder, or one that answers with something else.

    >>> from subword_lab.studies.encoders import encode_bytes
    >>> tokenizer_playground({"bytes": encode_bytes}, "é!")
    Tokenize your own text: 2 characters. bytes: 3 tokens.
    """
    if not isinstance(encoders, Mapping) or not encoders:
        raise ValueError(
            f"encoders is {shorten(encoders)}; expected a dictionary, name -> encoder, with one at least"
        )
    for encode in encoders.values():
        encoded(encode, "a")
    return TokenizerPlayground(
        title,
        encoders,
        [
            {
                "name": "text",
                "kind": "area",
                "label": "Your text, in any language",
                "value": some_text(string),
            },
            {
                "name": "file",
                "kind": "file",
                "label": "or take a file",
                "into": "text",
                "limit": LONGEST,
            },
            {
                "name": "price",
                "kind": "number",
                "label": "Price of a million tokens",
                "value": price,
                "min": 0,
                "step": 0.1,
            },
            *(
                {"name": name, "kind": "check", "label": label, "value": False}
                for name, label in NOTES.items()
            ),
        ],
    )


@dataclass(frozen=True)
class Group:
    """Tokens that share a character, or one token: where they stand in the text, and their numbers."""

    start: int
    end: int
    tokens: range


class TokenizerPlayground(Playground):
    """What `tokenizer_playground` returns."""

    def __init__(self, title: str, encoders: Mapping[str, object], controls: list[dict]):
        self.encoders = dict(encoders)
        super().__init__(title, controls, follows="text")

    def answer(self) -> Regions:
        string = self.text("text")
        made = {name: encoded(encode, string) for name, encode in self.encoders.items()}
        sizes = {name: len(one.tokens) for name, one in made.items()}
        counts = "; ".join(f"{name}: {counted(size, 'token')}" for name, size in sizes.items())
        self.said = f"{counted(len(string), 'character')}. {counts}."
        return {"counts": self._counts(string, made), **self._lines(string, made)}

    def _counts(self, string: str, made: Mapping[str, Encoded]) -> Html:
        words, price = len(string.split()), max(float(self.values["price"] or 0), 0)
        rows = [
            [
                name,
                len(one.tokens),
                len(set(one.tokens)),
                sum(token in UNKNOWN for token in one.tokens),
                f"{len(one.tokens) / words:.2f}" if words else "–",
                f"{len(one.tokens) / len(string):.2f}" if string else "–",
                f"{len(one.tokens) * price / 1000:,.3f}",
            ]
            for name, one in made.items()
        ]
        head = [
            "tokenizer",
            "tokens",
            "different",
            "unknown",
            "per word",
            "per character",
            "price, 1,000 times",
        ]
        return replace(
            table(rows, head),
            note=f"{words:,} words between blanks; {len(string.encode()):,} bytes",
        ).html()

    def _lines(self, string: str, made: Mapping[str, Encoded]) -> Regions:
        """A region a line, so that the page draws those anew that have changed."""
        if not string:
            return {}
        caret = int(self.values.get("caret") or 0)
        begin = (
            max(0, min(caret - STEP // 2, len(string) - STEP) // STEP * STEP)
            if len(string) > LINE * LINES
            else 0
        )
        near = max(0, begin - STEP), begin + STEP + LINE * LINES
        groups = {name: list(grouped(one.offsets, *near)) for name, one in made.items()}
        often = (
            {name: Counter(one.tokens) for name, one in made.items()}
            if self.values["times"]
            else {}
        )
        cuts = common_cuts(string, list(groups.values()), *near)
        lines: list[list[Span]] = []
        line: list[Span] = []
        width = 0
        for start, end in zip(cuts, cuts[1:]):
            if start < begin:
                continue
            size = sum(2 + text_width(char) for char in string[start:end])
            if line and (width + size > 2.6 * LINE or string[start - 1] == "\n"):
                lines.append(line)
                line, width = [], 0
            if len(lines) == LINES:
                break
            line, width = [*line, (start, end)], width + size
        lines += [line] if line else []
        legend = tag(
            "div",
            *(tag("div", name) for name in ("text", *made)),
            class_="sl-legend",
            aria_hidden="true",
        )
        places = dict.fromkeys(made, 0)
        left: dict[str, tuple[str, str]] = {}
        style = f"--notes:{sum(bool(self.values[name]) for name in NOTES)}"
        drawn = {}
        for number, spans in enumerate(lines[:LINES]):
            blocks = [
                self._block(string, start, end, made, groups, often, places, left)
                for start, end in spans
            ]
            rtl = _right_to_left(string[spans[0][0] : spans[-1][1]])
            flow = tag("div", *blocks, class_="sl-flow", dir="rtl" if rtl else "ltr")
            drawn[f"line{number}"] = tag("div", legend, flow, class_="sl-line", style=style)
        shown = (lines[0][0][0], lines[min(len(lines), LINES) - 1][-1][1]) if lines else (0, 0)
        rest = (
            f"Characters {shown[0]:,} to {shown[1]:,} of {len(string):,}: what is shown follows the cursor in the "
            "text."
            if shown != (0, len(string))
            else ""
        )
        return {**drawn, "rest": note(rest)}

    def _block(
        self,
        string: str,
        start: int,
        end: int,
        made: Mapping[str, Encoded],
        groups: Mapping[str, Sequence[Group]],
        often: Mapping[str, Mapping[str, int]],
        places: dict[str, int],
        left: dict[str, tuple[str, str]],
    ) -> Html:
        """The text between two common cuts, and the tokens below it.

        places: how far each row of groups is read. left: what each row ended with, and its color.
        """
        rows = []
        for name, listed in groups.items():
            at = places[name]
            while at < len(listed) and listed[at].end <= start and listed[at].start < start:
                at += 1
            first = at
            while at < len(listed) and listed[at].start < end:
                at += 1
            places[name] = at
            one, row = made[name], []
            for group in listed[first:at]:
                tokens = tuple(one.tokens[group.tokens.start : group.tokens.stop])
                ids = one.ids[group.tokens.start : group.tokens.stop]
                told = [
                    ("ids", " ".join("–" if number is None else str(number) for number in ids)),
                    ("bytes", ""),
                    ("offsets", f"{group.start}:{group.end}"),
                    *(
                        [("times", " ".join(str(often[name][token]) for token in tokens))]
                        if often
                        else []
                    ),
                ]
                source = string[group.start : group.end][: 2 * LINE]
                face = _face(tokens, source)
                left[name] = face, _beside(face, *left.get(name, ("", "")))
                row.append((group.start, group.end, tokens, source, *left[name], tuple(told)))
            rows.append((name, tuple(row)))
        return _drawn(
            string[start:end],
            start,
            tuple(rows),
            tuple(name for name in NOTES if self.values[name]),
        )


Row = tuple[
    str, tuple[tuple[int, int, tuple[str, ...], str, str, str, tuple[tuple[str, str], ...]], ...]
]


@lru_cache(2_000)
def _drawn(source: str, start: int, rows: tuple[Row, ...], notes: tuple[str, ...]) -> Html:
    """A block as HTML. Most blocks stay as they were while somebody types."""
    cuts = {tuple(group[:2] for group in row) for _, row in rows}
    if cuts == {()}:  # white space between words
        return tag("div", tag("div", visible(source), class_="sl-blank"), class_="sl-block")
    above = tag(
        "div",
        tag(
            "span",
            visible(source),
            dir="auto",
            data_span=f"{start} {start + len(source)}",
            role="img",
            aria_label=f"text: {visible(source)}",
        ),
    )
    boxes = [tag("div", *(_box(name, *group, notes) for group in row)) for name, row in rows]
    parted = len(cuts) > 1
    return tag(
        "div",
        above,
        *boxes,
        class_="sl-block sl-parted" if parted else "sl-block",
        title="here they part" if parted else None,
    )


def _face(tokens: tuple[str, ...], source: str) -> str:
    """What stands in a group's box: its token, or the characters that several tokens share."""
    return tokens[0] if len(tokens) == 1 and (source in tokens[0] or not source) else source


def _beside(face: str, left: str, taken: str) -> str:
    """A box's own color, or the next one where its neighbor, which is another, has that."""
    own = color(face)
    return COLORS[(COLORS.index(own) + 1) % len(COLORS)] if own == taken and face != left else own


def _box(
    name: str,
    start: int,
    end: int,
    tokens: tuple[str, ...],
    source: str,
    face: str,
    paint: str,
    told: Sequence[tuple[str, str]],
    notes: Sequence[str],
) -> Html:
    """One group of tokens: a box, and below it what is asked for."""
    values = {**dict(told), "bytes": source.encode().hex(" ").upper()}
    unknown = any(token in UNKNOWN for token in tokens)
    label = (
        f"{name}: {visible(face)}"
        + (f", {len(tokens)} tokens" if len(tokens) > 1 else "")
        + (", unknown" if unknown else "")
        + "".join(f", {NOTES[key]} {value}" for key, value in values.items() if value)
    )
    below = (note(values[key], "div") for key in notes)
    return tag(
        "div",
        _boxed(face, len(tokens), unknown, paint),
        *below,
        class_="sl-box",
        data_span=f"{start} {end}",
        role="img",
        aria_label=label,
    )


@lru_cache(5_000)
def _boxed(face: str, count: int, unknown: bool, paint: str) -> Html:
    """A box for so many tokens: dashed if one is unknown."""
    look = (
        "border:2px dashed" if unknown else f"background:{paint}{OPACITY};border:1px solid {EDGE}"
    )
    several = tag("small", f"×{count}") if count > 1 else None
    return tag(
        "span",
        visible(face),
        several,
        class_="sl-token",
        style=look,
        dir="rtl" if _right_to_left(face) else None,
    )


def grouped(offsets: Sequence[Span], begin: int, end: int) -> Iterator[Group]:
    """The tokens between two places of the text, those together that share a character.

    >>> list(grouped([(0, 1), (0, 1), (1, 3)], 0, 9))
    [Group(start=0, end=1, tokens=range(0, 2)), Group(start=1, end=3, tokens=range(2, 3))]
    """
    first = bisect_left(offsets, begin, key=lambda span: span[1])
    at = first
    while at < len(offsets) and offsets[at][0] < end:
        start, reach = offsets[at]
        last = at + 1
        while last < len(offsets) and (offsets[last][0] < reach or reach == start):
            reach = max(reach, offsets[last][1])
            last += 1
        yield Group(start, reach, range(at, last))
        at = last


def common_cuts(string: str, rows: Sequence[Sequence[Group]], begin: int, end: int) -> list[int]:
    """The places at which every tokenizer cuts, or lets a cut be, and which part no character from its marks.

    Where there is none for a whole line, the line ends all the same: what goes on across it stands at its beginning.
    """
    end = min(end, len(string))
    inside = {
        place
        for groups in rows
        for group in groups
        for place in range(group.start + 1, min(group.end, end))
    }
    cuts = [begin]
    for place in range(begin + 1, end + 1):
        if place - cuts[-1] >= LINE or (
            place not in inside
            and (place == len(string) or _parts(string[place - 1], string[place]))
        ):
            cuts.append(place)
    return cuts


def _parts(left: str, right: str) -> bool:
    """Whether two characters can stand apart: not a letter from its marks, nor two that are joined in writing."""
    skin = "\U0001f3fb" <= right <= "\U0001f3ff"
    if unicodedata.category(right).startswith("M") or "\u200d" in (left, right) or skin:
        return False
    if left.isspace() != right.isspace():
        return True
    return not {unicodedata.bidirectional(left), unicodedata.bidirectional(right)} <= {
        "R",
        "AL",
    } and not (left == right == " ")


def _right_to_left(string: str) -> bool:
    """Whether a text runs from right to left: its first strong character says so."""
    strong = (kind for kind in map(unicodedata.bidirectional, string) if kind in ("L", "R", "AL"))
    return next(strong, "L") != "L"
