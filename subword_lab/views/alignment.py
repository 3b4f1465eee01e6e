"""Which part of a text each piece stands for: rows of pieces, each piece under the characters that it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..arguments import check_string
from ..html import Html, Shown, note, tag, view
from .tokens import row_colors, token_box, visible

Span = tuple[int, int]
Piece = tuple[str, Span | None]


@dataclass(frozen=True, repr=False)
class Alignment(Shown):
    """What `alignment` returns: a table with a column a character in a notebook, a line a row elsewhere."""

    string: str
    rows: dict[str, list[Piece]]
    caption: str = ""

    def __repr__(self) -> str:
        width = max(map(len, ["text", *self.rows]))
        lines = [f"{'text':{width}}  {visible(self.string)}"]
        lines += [
            f"{name:{width}}  {' | '.join(map(_written, pieces))}"
            for name, pieces in self.rows.items()
        ]
        return "\n".join([*([self.caption] if self.caption else []), *lines])

    def html(self) -> Html:
        outside = [_outside(pieces) for pieces in self.rows.values()]
        before, after = (
            max((len(pieces[side]) for pieces in outside), default=0) for side in (0, 1)
        )
        chars = [(char, (place, place + 1)) for place, char in enumerate(self.string)]
        head = tag(
            "tr",
            tag("th", "position", scope="row"),
            *_blank(before),
            *(tag("th", place, scope="col") for place in range(len(self.string))),
            *_blank(after),
        )
        body = [
            self._row("text", chars, before, after, {char: visible(char) for char in self.string}),
            *(
                self._row(name, pieces, before, after, _boxes(pieces))
                for name, pieces in self.rows.items()
            ),
        ]
        return view(
            tag("table", tag("thead", head), tag("tbody", *body), class_="sl-aligned"),
            note(self.caption),
        )

    def _row(
        self, name: str, pieces: Sequence[Piece], before: int, after: int, faces: Mapping[str, str]
    ) -> Html:
        left, right = _outside(pieces)
        cells, place = (
            [*_blank(before - len(left)), *(tag("td", faces[piece]) for piece in left)],
            0,
        )
        for piece, span in pieces:
            if span is not None:
                cells += [
                    *_blank(span[0] - place),
                    tag("td", faces[piece], colspan=span[1] - span[0]),
                ]
                place = span[1]
        cells += [*_blank(len(self.string) - place), *(tag("td", faces[piece]) for piece in right)]
        return tag("tr", tag("th", name, scope="row"), *cells, *_blank(after - len(right)))


def alignment(string: str, rows: Mapping[str, Iterable[Piece]], caption: str = "") -> Alignment:
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
    check_string("string", string)
    listed = {name: list(pieces) for name, pieces in rows.items()}
    for name, pieces in listed.items():
        _check(name, pieces, len(string))
    return Alignment(string, listed, caption)


def _check(name: str, pieces: Sequence[Piece], length: int) -> None:
    spans, place = [span for _, span in pieces], 0
    for piece, span in pieces:
        if span is not None:
            if not place <= span[0] < span[1] <= length:
                raise ValueError(
                    f"rows[{name!r}] holds {piece!r} at {span}; expected offsets from left to right, "
                    f"each at least one character long, inside 0 to {length}"
                )
            place = span[1]
    inside = [number for number, span in enumerate(spans) if span is not None]
    if inside and None in spans[inside[0] : inside[-1]]:
        raise ValueError(
            f"rows[{name!r}] holds a piece without offsets between pieces that have them; "
            "expected such pieces first or last"
        )


def _outside(pieces: Sequence[Piece]) -> tuple[list[str], list[str]]:
    """The pieces that stand for nothing in the text: those in front, and those at the end."""
    inside = [number for number, (_, span) in enumerate(pieces) if span is not None]
    first, last = (inside[0], inside[-1]) if inside else (len(pieces), len(pieces))
    return [piece for piece, _ in pieces[:first]], [piece for piece, _ in pieces[last + 1 :]]


def _boxes(pieces: Sequence[Piece]) -> dict[str, Html]:
    """A box for each piece of a row, in a color that no neighbor has."""
    return {
        piece: token_box(piece, paint=paint)
        for piece, paint in row_colors([piece for piece, _ in pieces]).items()
    }


def _blank(number: int) -> list[Html]:
    """So many empty cells."""
    return [tag("td")] * number


def _written(piece: Piece) -> str:
    token, span = piece
    return visible(token) + (f" {span[0]}:{span[1]}" if span else "")
