"""Which part of a text each piece stands for: rows of pieces, each piece under the characters that it came from."""

from collections.abc import Iterable, Mapping, Sequence

from ..arguments import check_string
from ..html import Html, View, note, tag, view
from .tokens import row_colors, token_box, visible

Span = tuple[int, int]
Piece = tuple[str, Span | None]


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
    check_string("string", string)
    parted = {name: _parted(name, list(row), len(string)) for name, row in rows.items()}
    width = max(map(len, ["text", *rows]))
    lines = [
        *([caption] if caption else []),
        f"{'text':{width}}  {visible(string)}",
        *(
            f"{name:{width}}  {' | '.join(_written(*piece) for part in row for piece in part)}"
            for name, row in parted.items()
        ),
    ]
    before, _, after = (max((len(row[k]) for row in parted.values()), default=0) for k in range(3))
    left, right = [tag("td")] * before, [tag("td")] * after
    places = [tag("th", place, scope="col") for place in range(len(string))]
    chars = [tag("td", visible(char)) for char in string]
    cells = {name: _cells(row, len(string), before, after) for name, row in parted.items()}
    content = tag(
        "table",
        tag("thead", _row("position", [*left, *places, *right])),
        tag("tbody", _row("text", [*left, *chars, *right]), *map(_row, cells, cells.values())),
        class_="sl-aligned",
    )
    return View("\n".join(lines), view(content, note(caption)))


def _parted(name: str, row: list[Piece], length: int) -> list[list[Piece]]:
    """A row in three: the pieces before the text, those that stand for a part of it, and those after it."""
    inside = [number for number, (_, span) in enumerate(row) if span is not None]
    first, last = (inside[0], inside[-1] + 1) if inside else (len(row), len(row))
    place = 0
    for piece, span in row[first:last]:
        if span is None:
            raise ValueError(
                f"rows[{name!r}] holds a piece without offsets between pieces that have them; "
                "expected such pieces first or last"
            )
        if not place <= span[0] < span[1] <= length:
            raise ValueError(
                f"rows[{name!r}] holds {piece!r} at {span}; expected offsets from left to right, "
                f"each at least one character long, inside 0 to {length}"
            )
        place = span[1]
    return [row[:first], row[first:last], row[last:]]


def _cells(row: Sequence[Sequence[Piece]], length: int, before: int, after: int) -> list[Html]:
    """A row's cells: a box for each piece, in a color that no neighbor has, and nothing where there is no piece."""
    boxes = {
        piece: token_box(piece, paint)
        for piece, paint in row_colors([piece for part in row for piece, _ in part]).items()
    }
    left, inside, right = row
    blank, place = tag("td"), 0
    cells = [blank] * (before - len(left)) + [tag("td", boxes[piece]) for piece, _ in left]
    for piece, span in inside:
        start, end = span  # type: ignore[misc]
        cells += [blank] * (start - place) + [tag("td", boxes[piece], colspan=end - start)]
        place = end
    cells += [blank] * (length - place) + [tag("td", boxes[piece]) for piece, _ in right]
    return cells + [blank] * (after - len(right))


def _row(name: str, cells: Iterable[Html]) -> Html:
    return tag("tr", tag("th", name, scope="row"), *cells)


def _written(piece: str, span: Span | None) -> str:
    return visible(piece) + (f" {span[0]}:{span[1]}" if span else "")
