"""Tokens as one sees them: boxes in a strip, one a token, or under the text that they stand for.

A box's edge shows where a token begins and ends, so color is never needed. Equal tokens of a row have equal colors, on
every machine and nearly always from row to row; different neighbors never do. Spaces and other characters that leave no
ink are drawn as signs.
"""

import re
import unicodedata
import zlib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from ..arguments import check, check_string, check_words, counted
from ..html import Html, View, note, pieces, tag, view

COLORS = 10  # .sl-c0 to .sl-c9 in html.css
SIGNS = {" ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}
UNSEEN = ("Cc", "Cs", "Zs", "Zl", "Zp")
DIRECTIONS = (
    "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff"  # they would act, unseen
)
Span = tuple[int, int]
Piece = tuple[str, Span | None]
LONGEST = 200_000  # characters of a reader's text; what is longer is cut off
MARK_BASE = "◌"  # carries an accent or vowel sign that stands alone


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
    shown = "".join(
        SIGNS.get(char) or (_code_point(char) if unicodedata.category(char) in UNSEEN else char)
        for char in token
    )
    shown = re.sub(f"[{DIRECTIONS}]", lambda match: _code_point(match[0]), shown)
    # A mark that has no letter before it (at the front, or behind a prefix such as `##`) gets a circle.
    return re.sub(
        r"^\W|(?<=[#▁@])[^\w\ufe0f]",
        lambda match: MARK_BASE * unicodedata.category(match[0]).startswith("M") + match[0],
        shown,
    )


def well_formed(string: str) -> str:
    """A reader's text as everything can hold it: at most LONGEST characters, and half a surrogate pair becomes U+FFFD.

    >>> well_formed("a" + chr(0xD800))
    'a�'
    """
    return string[:LONGEST].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _code_point(char: str) -> str:
    return f"‹U+{ord(char):04X}›"


def color(token: str) -> int:
    """The token's own color, a number below COLORS, by the CRC-32 of its UTF-8 bytes.

    >>> color("hug") == color("hug"), color("hug") in range(COLORS)
    (True, True)
    """
    start = 91 if token.startswith("##") else 2795  # so all of the lessons' first tokens differ
    return zlib.crc32(token.encode(), start) % COLORS


def row_colors(tokens: Sequence[str]) -> dict[str, int]:
    """A color for each token of a row: its own, or the next one that no neighbor has.

    >>> color("a") == color("b"), len(set(row_colors(["a", "b", "a"]).values()))
    (True, 2)
    """
    beside: dict[str, set[str]] = {token: set() for token in tokens}
    for one, other in [*pairwise(tokens), *pairwise(tokens[::-1])]:
        beside[one].add(other)
    colors: dict[str, int] = {}
    for token, neighbors in beside.items():
        own, taken = color(token), {colors.get(neighbor) for neighbor in neighbors}
        colors[token] = next(
            (free for free in (*range(own, COLORS), *range(own)) if free not in taken),
            own,
        )
    return colors


def token_box(token: str, paint: int | None = None, look: str = "", **attributes: object) -> Html:
    """One token as HTML, a box with an edge. paint: another color than its own.

    look: "strong" for a thick edge, "unknown" for a dashed and "missing" for a dotted one.
    """
    paint = color(token) if paint is None else paint
    return tag(
        "code",  # an edge also where no style reaches
        visible(token),
        class_=(f"sl-token sl-c{paint}" + (f" sl-{look}" if look else "")),
        title="unknown token" if look == "unknown" else None,
        **attributes,
    )


def token_row(
    tokens: Iterable[str],
    *,
    unknown: Container[str] = (),
    strong: Container[str] = (),
    listed: bool = False,
) -> Html:
    """Tokens side by side as HTML; those in `strong` are to be noticed. listed: a screen reader announces a list."""
    colors = row_colors(tokens := list(tokens))
    looks = {
        token: "unknown" if token in unknown else "strong" if token in strong else ""
        for token in colors
    }
    return in_a_row(
        (
            token_box(token, colors[token], looks[token], role="listitem" if listed else None)
            for token in tokens
        ),
        listed=listed,
    )


def in_a_row(boxes: Iterable[Html], *, listed: bool = False) -> Html:
    """Boxes as one row."""
    return tag(
        "span", pieces(*boxes, between=" "), class_="sl-tokens", role="list" if listed else None
    )


@dataclass(frozen=True, repr=False)
class TokenStrip(View):
    """What `token_strip` returns. As a string, and in the cell of a table, it is its tokens alone."""

    tokens: list[str]
    row: Html

    def __str__(self) -> str:
        return "|".join(map(visible, self.tokens))

    def inline(self) -> Html:
        return self.row


def token_strip(
    tokens: Iterable[str],
    *,
    ids: Sequence[int] | Mapping[str, int] | None = None,
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
    unknown = [unknown] if isinstance(unknown, str) else list(unknown)
    notes: dict[str, list[str]] = {}
    if ids is not None:
        numbers = [ids.get(token) for token in tokens] if isinstance(ids, Mapping) else ids
        check(
            len(numbers) == len(tokens),
            f"ids holds {counted(len(numbers), 'number')} for {counted(len(tokens), 'token')}; "
            "expected one a token",
        )
        notes["ids"] = ["–" if number is None else str(number) for number in numbers]
    if show_bytes:
        to_bytes = show_bytes if callable(show_bytes) else str.encode
        notes["bytes"] = [to_bytes(token).hex(" ").upper() for token in tokens]
    missing = sum(token in unknown for token in tokens)
    heading = f"{caption}: " if caption else ""
    counts = counted(len(tokens), "token") + (f", {missing} unknown" if missing else "")
    return TokenStrip(
        f"{heading}{'|'.join(map(visible, tokens))} ({counts})",
        view(
            token_row(tokens, unknown=unknown, listed=True),
            note(f"{heading}{counts}"),
            _details(tokens, unknown, notes) if notes else None,
        ),
        tokens,
        token_row(tokens, unknown=unknown),
    )


def _details(tokens: list[str], unknown: list[str], notes: Mapping[str, list[str]]) -> Html:
    """The tokens once more, each above its notes."""
    colors = row_colors(tokens)
    return tag(
        "details",
        note(" and ".join(notes), "summary"),
        in_a_row(
            [
                tag(
                    "span",
                    token_box(token, colors[token], "unknown" if token in unknown else ""),
                    *(note(words, "span") for words in below),
                    class_="sl-item",
                    role="listitem",
                )
                for token, *below in zip(tokens, *notes.values())
            ],
            listed=True,
        ),
    )


# ----------------------------------------------------------------------------------------------------- under the text


def alignment(string: str, rows: Mapping[str, Iterable[Piece]], caption: str = "") -> View:
    """Rows of pieces under a text, each piece below the characters `string[start:end]` that it stands for.

    rows: name -> (piece, (start, end)) from left to right, as `text.pre_tokenize` returns them. A piece that stands
    for nothing in the text, such as `[CLS]`, has None in place of its offsets, and comes first or last.

    Raises ValueError for offsets that are not inside the text, or not from left to right.

    >>> words = [("two", (0, 3)), ("hugs", (4, 8))]
    >>> alignment("Two hugs", {"words": words, "tokens": [("[CLS]", None), *words[:1]]})
    text    Two␣hugs
    words   two 0:3 | hugs 4:8
    tokens  [CLS] | two 0:3
    """
    length, width = len(check_string("string", string)), max(map(len, ["text", *rows]))
    lines = [*filter(None, [caption]), f"{'text':{width}}  {visible(string)}"]
    cells = {
        "position": [(tag("th", n, scope="col"), (n, n + 1)) for n in range(length)],
        "text": [(tag("td", visible(char)), (n, n + 1)) for n, char in enumerate(string)],
    }
    for name, row in rows.items():
        row = list(row)
        colors = row_colors([piece for piece, _ in row])
        cells[name] = [
            (tag("td", token_box(piece, colors[piece]), colspan=span and at[1] - at[0]), at)
            for (piece, span), at in zip(row, _columns(name, row, length))
        ]
        written = (visible(piece) + (" {}:{}".format(*span) if span else "") for piece, span in row)
        lines.append(f"{name:{width}}  {' | '.join(written)}")
    columns = [0, length, *(end for row in cells.values() for _, at in row for end in at)]
    head, *body = [_line(name, row, min(columns), max(columns)) for name, row in cells.items()]
    content = tag("table", tag("thead", head), tag("tbody", *body), class_="sl-aligned")
    return View("\n".join(lines), view(content, note(caption)))


def _columns(name: str, row: Sequence[Piece], length: int) -> list[Span]:
    """Where each piece stands: below its characters, or else left of column 0 or right of the text."""
    spans = [span for _, span in row]
    first = next((number for number, span in enumerate(spans) if span), len(spans))
    inside = [span for span in spans[first:] if span]
    places = [0, *(place for span in inside for place in span), length]
    in_order = all(
        left <= right and not (number % 2 and left == right)
        for number, (left, right) in enumerate(pairwise(places))
    )
    check(
        in_order and None not in spans[first : first + len(inside)],
        f"rows[{name!r}] holds {row}; expected offsets from left to right, each at least one character long, "
        f"inside 0 to {length}, and pieces without offsets first or last",
    )
    after = range(length, length + len(spans) - first - len(inside))
    return [*((n, n + 1) for n in range(-first, 0)), *inside, *((n, n + 1) for n in after)]


def _line(name: str, cells: Iterable[tuple[Html, Span]], first: int, end: int) -> Html:
    """A row of the table from column to column, with nothing where no cell is."""
    line, place = [tag("th", name, scope="row")], first
    for cell, (start, stop) in cells:
        line += [*[tag("td")] * (start - place), cell]
        place = stop
    return tag("tr", *line, *[tag("td")] * (end - place))
