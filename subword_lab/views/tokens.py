"""Tokens as one sees them: a strip of boxes, one a token.

A box's edge shows where a token begins and ends, so color is never needed. Equal tokens of a row have equal colors, on
every machine and nearly always from row to row; different neighbors never do. Spaces and other characters that leave no
ink are drawn as signs.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ..arguments import check_words, counted
from ..html import Html, Shown, note, pieces, tag, view

# Mid-tones, laid thinly over the page: text in the page's own color stays readable on a light and on a dark page.
COLORS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#b0508f",
    "#b59a00",
    "#2aa1c9",
    "#7a5fd0",
    "#8a6d3b",
    "#5b8c00",
    "#c23b5c",
)
OPACITY = "55"  # in hexadecimal, of FF
EDGE = "#808080"

SIGNS = {" ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}
DIRECTIONS = (
    "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # never left to act, unseen
)
MARK_BASE = "◌"  # carries an accent or vowel sign that stands alone

Ids = Sequence[int] | Mapping[str, int]


@lru_cache(20_000)
def visible(token: str) -> str:
    """The token with a sign for everything that would leave no ink.

    >>> visible(" the"), visible("a\\nb"), visible("\\u200d"), visible("\\u0301")
    ('␣the', 'a↵b', '‹U+200D›', '◌́')
    """
    if not token:
        return "‹empty›"
    if all(unicodedata.category(char) == "Cf" or char == "\ufe0f" for char in token):
        return "".join(
            map(_code_point, token)
        )  # joiners inside an emoji stay, alone they are named
    unseen = ("Cc", "Cs", "Zs", "Zl", "Zp")
    shown = "".join(
        SIGNS.get(char) or (_code_point(char) if unicodedata.category(char) in unseen else char)
        for char in token
    )
    shown = re.sub(f"[{DIRECTIONS}]", lambda found: _code_point(found[0]), shown)
    return re.sub(r"^\W|(?<=[#▁@])[^\w\ufe0f]", _on_base, shown)


def _on_base(found: re.Match[str]) -> str:
    """A mark that has no letter before it (at the front, or behind a prefix such as `##`), on a circle."""
    return MARK_BASE * unicodedata.category(found[0]).startswith("M") + found[0]


def color(token: str) -> str:
    """The token's own color: one of `COLORS`, by the CRC-32 of its UTF-8 bytes.

    >>> color("hug") == color("hug"), color("hug") in COLORS
    (True, True)
    """
    start = (
        91 if token.startswith("##") else 2795
    )  # with these, all of the lessons' first tokens differ
    return COLORS[zlib.crc32(token.encode(), start) % len(COLORS)]


def row_colors(tokens: Sequence[str]) -> dict[str, str]:
    """A color for each token of a row: its own, or the next one that no neighbor has.

    >>> color("a") == color("b"), len(set(row_colors(["a", "b", "a"]).values()))
    (True, 2)
    """
    beside: dict[str, set[str]] = {token: set() for token in tokens}
    for left, right in pairwise(tokens):
        beside[left].add(right)
        beside[right].add(left)
    chosen: dict[str, str] = {}
    for token, neighbors in beside.items():
        own, taken = COLORS.index(color(token)), {chosen.get(neighbor) for neighbor in neighbors}
        chosen[token] = next(
            (free for free in COLORS[own:] + COLORS[:own] if free not in taken), COLORS[own]
        )
    return chosen


def token_box(
    token: str,
    *,
    unknown: Container[str] = (),
    strong: bool = False,
    item: bool = False,
    style: str = "",
    paint: str = "",
) -> Html:
    """One token as HTML: a box with an edge, dashed for an unknown token, thick if it is to be noticed.

    item: whether it stands in a row of boxes, which a screen reader announces as a list. style: another look.
    paint: another color than its own.
    """
    edge = "2px solid;font-weight:bold" if strong else f"1px solid {EDGE}"
    look = (
        "border:2px dashed"
        if token in unknown
        else f"background:{paint or color(token)}{OPACITY};border:{edge}"
    )
    return tag(
        "span",
        visible(token),
        class_="sl-token",
        role="listitem" if item else None,
        title="unknown token" if token in unknown else None,
        style=style or look,
    )


def token_row(
    tokens: Iterable[str], *, unknown: Container[str] = (), strong: Container[str] = ()
) -> Html:
    """Tokens side by side as HTML; those in `strong` are to be noticed."""
    colors = row_colors(tokens := list(tokens))
    return in_a_row(
        token_box(token, unknown=unknown, strong=token in strong, item=True, paint=colors[token])
        for token in tokens
    )


def token_boxes(tokens: Sequence[str]) -> Html:
    """Tokens side by side as they stand in a cell or a button: a row that is not announced as a list."""
    colors = row_colors(tokens)
    return pieces(*(token_box(token, paint=colors[token]) for token in tokens), between=" ")


def in_a_row(items: Iterable[Html]) -> Html:
    """Boxes, made with `item=True`, as one row."""
    return tag("span", pieces(*items, between=" "), class_="sl-tokens", role="list")


@dataclass(frozen=True, repr=False)
class TokenStrip(Shown):
    """What `token_strip` returns: HTML in a notebook, one line of text elsewhere."""

    tokens: list[str]
    ids: list[int | None] | None = None
    bytes: list[bytes] | None = None
    caption: str = ""
    unknown: frozenset[str] = field(default=frozenset({"[UNK]"}))

    def __str__(self) -> str:
        return "|".join(map(visible, self.tokens))

    def __repr__(self) -> str:
        return f"{self.caption}{': ' * bool(self.caption)}{self} ({self.summary})"

    @property
    def summary(self) -> str:
        """How many tokens there are, and how many of them are the unknown token."""
        count, unknown = len(self.tokens), sum(token in self.unknown for token in self.tokens)
        return f"{counted(count, 'token')}{f', {unknown} unknown' * bool(unknown)}"

    def inline(self) -> Html:
        """The boxes alone, for a cell of a table."""
        return token_row(self.tokens, unknown=self.unknown)

    def html(self) -> Html:
        return view(
            self.inline(),
            note(f"{self.caption}{': ' * bool(self.caption)}{self.summary}"),
            self._details(),
        )

    def _details(self) -> Html | None:
        columns = {
            name: values
            for name, values in (("ids", self.ids), ("bytes", self.bytes))
            if values is not None
        }
        if not columns:
            return None
        colors = row_colors(self.tokens)
        items = [
            tag(
                "span",
                token_box(token, unknown=self.unknown, item=True, paint=colors[token]),
                *(note(_written(value), "span") for value in values),
                class_="sl-item",
            )
            for token, values in zip(self.tokens, zip(*columns.values()))
        ]
        return tag("details", note(" and ".join(columns), "summary"), in_a_row(items))


def token_strip(
    tokens: Iterable[str],
    *,
    ids: Ids | None = None,
    show_bytes: bool | Callable[[str], bytes] = False,
    caption: str = "",
    unknown: str | Iterable[str] = "[UNK]",
) -> TokenStrip:
    """Tokens as a strip of boxes. Ids and bytes are folded away until asked for.

    ids: one id a token, or a mapping from token to id such as `model.ids`. show_bytes: True for the UTF-8 bytes of
    each token, or a function from token to bytes (`text.chars_to_bytes` for byte-level tokens). unknown: the token or
    tokens that stand for unknown text; they get a dashed edge.

    Raises ValueError if `tokens` is not a sequence of strings, or if there are not as many ids as tokens.

    >>> token_strip(["un", "hug", "[UNK]"], caption="unhug?")
    unhug?: un|hug|[UNK] (3 tokens, 1 unknown)
    """
    tokens = check_words("tokens", tokens)
    numbers: list[int | None] | None = None
    if ids is not None:
        numbers = [ids.get(token) for token in tokens] if isinstance(ids, Mapping) else list(ids)
        if len(numbers) != len(tokens):
            raise ValueError(
                f"ids holds {len(numbers)} numbers for {len(tokens)} tokens; expected one a token"
            )
    to_bytes = show_bytes if callable(show_bytes) else str.encode
    unknown = frozenset([unknown] if isinstance(unknown, str) else unknown)
    return TokenStrip(
        tokens,
        numbers,
        [to_bytes(token) for token in tokens] if show_bytes else None,
        caption,
        unknown,
    )


def _written(value: int | bytes | None) -> str:
    return (
        "–" if value is None else value.hex(" ").upper() if isinstance(value, bytes) else str(value)
    )


def _code_point(char: str) -> str:
    return f"‹U+{ord(char):04X}›"
