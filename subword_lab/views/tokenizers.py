"""The tokenizer playground: any text under any number of tokenizers, each token under the characters it stands for.

Between two places where every tokenizer cuts lies a block: the text on top, a row for each tokenizer below. Where the
rows of a block differ, the tokenizers part. Tokens that share a character stand in one box.

Where no kernel runs, `static/live.js` encodes in the page what is typed, if it can do so as all of the tokenizers do
(`recipe`), and shows each one's tokens in a row.
"""

import json
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from .. import bpe, text, unigram, wordpiece
from ..arguments import check, counted, shorten
from ..html import Html, note, pieces, tag, view
from ..interchange.tokenizers_json import to_json
from ..studies.encoders import Encoded, WordEncoder, encode_bytes, encoded
from ..tokenizer import Tokenizer
from .in_page import text_of
from .player import brings_script, bundled, static, within
from .playgrounds import LOOKS, Playground, Regions, area, numeral
from .tables import table, text_width
from .tokens import COLORS, color, visible
from .trainer import pattern

ELEMENT = "subword-playground"  # of `static/live.js`
LINE, LINES = 52, 6  # columns of a line, lines that are shown
STEP = 100  # characters that the page of a long text moves by
NOTES = {"ids": "ids", "bytes": "bytes", "offsets": "offsets", "times": "how often"}
Group = tuple[
    int, int, range
]  # where tokens that share a character stand in the text, and their numbers
Box = tuple[int, int, Html]  # a group as it is drawn


class Block(NamedTuple):
    """What lies between two common cuts: the text, the boxes of each tokenizer, and whether these differ."""

    top: Html
    rows: list[list[Html]]
    parted: bool


COLUMNS = [
    "tokenizer",
    "tokens",
    "price, 1,000 times",
    "different",
    "unknown",
    "per word",
    "per character",
]


class TokenizerPlayground(Playground):
    """Any text under several tokenizers, aligned: what it costs, and where they part.

    encoders: name -> a function of a string, or something with a method `encode`, that answers with `.tokens`,
    `.offsets` and perhaps `.ids`; `studies.encoders.encoder` makes one of a model. string: the text in the field at
    first, or a file's Path. price: of a million tokens, in any currency.

    Raises ValueError if there is no encoder, or one that answers with something else.

    >>> from subword_lab.studies.encoders import encode_bytes
    >>> TokenizerPlayground({"bytes": encode_bytes}, "é!")
    Tokenize your own text: 2 characters. bytes: 3 tokens.
    """

    def __init__(
        self,
        encoders: Mapping[str, object],
        string: str | Path = "Two hugs, and a third.",
        *,
        price: float = 1.0,
        title: str = "Tokenize your own text",
    ):
        check(
            isinstance(encoders, Mapping) and encoders,
            f"encoders is {shorten(encoders)}; expected a dictionary, name -> encoder, with one at least",
        )
        for encode in encoders.values():
            encoded(encode, "a")
        self.encoders = dict(encoders)
        self.shared = pieces(
            area("Your text, in any language", followed=True),
            numeral("price", "Price of a million tokens", "number", min=0, step="any"),
        )
        boxes = (
            tag("label", tag("input", type="checkbox", name=name), label, class_="sl-checked")
            for name, label in NOTES.items()
        )
        super().__init__(
            title,
            pieces(self.shared, *boxes),
            {"text": text_of(string), "price": price, **dict.fromkeys(NOTES, False)},
        )

    def answer(self) -> Regions:
        string = self.text("text")
        encodings = {name: encoded(encode, string) for name, encode in self.encoders.items()}
        counts = "; ".join(
            f"{name}: {counted(len(one.tokens), 'token')}" for name, one in encodings.items()
        )
        self.status = f"{counted(len(string), 'character')}. {counts}."
        lines, rest = self._lines(string, encodings) if string else ({}, "")
        return {**lines, "counts": pieces(note(rest), self._counts(string, encodings))}

    def html(self) -> Html:
        recipes, still = self.recipes, super().html()
        settings = {
            "title": self.title,
            "form": self.shared,
            "values": {name: self.values[name] for name in ("text", "price")},
            "encoders": recipes,
        }
        return tag(ELEMENT, still, data_settings=json.dumps(settings)) if recipes else still

    def script(self) -> Html | None:
        if not self.recipes or not brings_script(ELEMENT):
            return None
        engine = map(static, ("widget.js", "merging.js", "lattice.js", "encoding.js", "play.html"))
        play = static("play.js").replace("export default", "const playground =")
        script = bundled(*engine, play, static("live.js"))
        return pieces(
            tag("style", Html(within(".sl-play", *LOOKS))),
            tag("script", Html(f"(() => {{\n{script}\n}})();")),
        )

    @cached_property
    def recipes(self) -> list[dict[str, Any]]:
        """What the page needs to encode as all of its tokenizers do, if it can."""
        recipes = [recipe(name, encode) for name, encode in self.encoders.items()]
        return [made for made in recipes if made] if all(recipes) else []

    def _counts(self, string: str, encodings: Mapping[str, Encoded]) -> Html:
        words, price = len(string.split()), max(float(self.values["price"] or 0), 0)
        return table(
            [
                [
                    name,
                    len(one.tokens),
                    f"{len(one.tokens) * price / 1000:,.3f}",
                    len(set(one.tokens)),
                    sum(one.unknown),
                    *(
                        f"{len(one.tokens) / size:.2f}" if size else "–"
                        for size in (words, len(string))
                    ),
                ]
                for name, one in encodings.items()
            ],
            COLUMNS,
            note=f"{counted(words, 'word')} between blanks; {counted(len(string.encode()), 'byte')}",
        ).html()

    def _lines(self, string: str, encodings: Mapping[str, Encoded]) -> tuple[Regions, str]:
        """A region a line, so that the page draws those anew that have changed; and which part of a long text it is."""
        regions, shown = {}, 0
        for number, (part, line) in enumerate(self._blocks(string, encodings)):
            regions[f"line{number}"] = view(
                _as_table(["text", *encodings], line, mirrored=_right_to_left(part))
            )
            shown += len(part)
        first = self._begin(string)
        rest = (
            f"Characters {first:,} to {first + shown:,} of {len(string):,}: what is shown follows the cursor in "
            "the text."
        )
        return regions, rest if shown < len(string) else ""

    def _begin(self, string: str) -> int:
        """The first character that is shown: what is shown of a long text follows the cursor."""
        place = min(int(self.values.get("caret") or 0) - STEP // 2, len(string) - STEP)
        return max(0, place // STEP * STEP) if len(string) > LINE * LINES else 0

    def _blocks(
        self, string: str, encodings: Mapping[str, Encoded]
    ) -> Iterator[tuple[str, list[Block]]]:
        """The lines that are shown: the text of each, and its blocks."""
        begin = self._begin(string)
        near = max(0, begin - STEP), begin + STEP + LINE * LINES
        rows = {name: list(grouped(one.offsets, *near)) for name, one in encodings.items()}
        cuts = common_cuts(string, list(rows.values()), *near)
        boxes = [list(self._boxes(name, string, encodings[name], rows[name])) for name in rows]
        for line in _in_lines(string, [cut for cut in cuts if cut >= begin]):
            blocks = [_block(string, start, end, boxes) for start, end in zip(line, line[1:])]
            yield string[line[0] : line[-1]], blocks

    def _boxes(
        self, name: str, string: str, one: Encoded, groups: Sequence[Group]
    ) -> Iterator[Box]:
        """A row's groups as boxes, in colors in which no neighbors are alike."""
        often, left, paint, missing = Counter(one.tokens), "", -1, one.unknown
        for start, end, numbers in groups:
            tokens = [one.tokens[number] for number in numbers]
            ids = ("–" if one.ids[number] is None else str(one.ids[number]) for number in numbers)
            text = string[start:end][: 2 * LINE]
            # Its token, or the characters that several tokens share.
            face = tokens[0] if (len(tokens) == 1 and (text in tokens[0] or not text)) else text
            notes = {
                "ids": " ".join(ids),
                "bytes": text.encode().hex(" ").upper(),
                "offsets": f"{start}:{end}",
                "times": " ".join(str(often[token]) for token in tokens),
            }
            unknown = any(missing[number] for number in numbers)
            label = [
                f"{name}: {visible(face)}",
                *([f"{len(tokens)} tokens"] if len(tokens) > 1 else []),
                *(["unknown"] if unknown else []),
                *(
                    f"{NOTES[key]} {words}"
                    for key, words in notes.items()
                    if words and (key != "times" or self.values[key])
                ),
            ]
            own = color(face)
            left, paint = face, (own + 1) % COLORS if own == paint and face != left else own
            token = tag(
                "code",
                visible(face),
                tag("small", f"×{len(tokens)}") if len(tokens) > 1 else None,
                class_=f"sl-token {'sl-unknown' if unknown else f'sl-c{paint}'}",
                dir="rtl" if _right_to_left(face) else None,
            )
            yield (
                start,
                end,
                tag(
                    "span",
                    token,
                    *(note(notes[key], "span") for key in NOTES if self.values[key]),
                    class_="sl-box",
                    data_span=f"{start} {end}",
                    role="img",
                    aria_label=", ".join(label),
                ),
            )


def _in_lines(string: str, cuts: Sequence[int]) -> list[list[int]]:
    """The cuts of each line that is shown: it ends where it is full, or with a line of the text."""
    lines, width = [list(cuts[:1])], 0
    for start, end in zip(cuts, cuts[1:]):
        size = sum(2 + text_width(char) for char in string[start:end])
        full = width + size > 2 * LINE or string[start - 1 : start] == "\n"
        if full and len(lines[-1]) > 1:
            lines.append([start])
            width = 0
        lines[-1].append(end)
        width += size
    return lines[:LINES]


def _block(string: str, start: int, end: int, boxes: Sequence[Sequence[Box]]) -> Block:
    """The text between two common cuts, and the boxes that begin there."""
    stop = end + (end == len(string))  # a token without characters may stand at the very end
    places = [
        [bisect_left(row, at, key=lambda box: box[0]) for at in (start, stop)] for row in boxes
    ]
    rows = [row[first:last] for row, (first, last) in zip(boxes, places)]
    cuts = {tuple((begin, end) for begin, end, _ in row) for row in rows}
    source = visible(string[start:end])
    if cuts == {()}:  # white space between words
        return Block(tag("span", source, class_="sl-blank"), [], False)
    span = f"{start} {end}"
    top = tag("span", source, dir="auto", data_span=span, role="img", aria_label=f"text: {source}")
    return Block(top, [[box for _, _, box in row] for row in rows], len(cuts) > 1)


def _as_table(names: Sequence[str], line: Sequence[Block], mirrored: bool) -> Html:
    """A line as a table, a column for each of its blocks."""
    nothing: list[list[Html]] = [[] for _ in names[1:]]
    rows = zip(names, *([[block.top], *(block.rows or nothing)] for block in line))
    parted = [block.parted for block in line]
    body = [
        tag("tr", tag("th", name, scope="row"), *map(_cell, cells, parted)) for name, *cells in rows
    ]
    return tag(
        "table",
        tag("tbody", *body),
        class_="sl-aligned sl-line",
        dir="rtl" if mirrored else "ltr",
    )


def _cell(boxes: Sequence[Html], parted: bool) -> Html:
    marked = {"class_": "sl-parted", "title": "here they part"} if parted else {}
    return tag("td", *boxes, **marked)


def recipe(name: str, encode: object) -> dict[str, Any] | None:
    """What `static/encoding.js` needs to encode a text as an encoder does; None for what only Python can do.

    >>> recipe("bytes", encode_bytes)
    {'name': 'bytes', 'kind': 'bytes', 'pattern': '[^]+', 'bytes': True}
    """
    if encode is encode_bytes:
        return {"name": name, "kind": "bytes", "pattern": "[^]+", "bytes": True}
    if isinstance(encode, Tokenizer):  # for the site, which carries a library that reads it
        return {"name": name, "file": {**to_json(encode.parts), "added_tokens": []}}
    if not isinstance(encode, WordEncoder) or encode.scheme == "metaspace":
        return None
    made = {
        "name": name,
        "kind": "words",
        "pattern": pattern(encode.scheme),
        "bytes": encode.scheme in text.BYTE_LEVEL,
    }
    model, options = encode.model, dict(encode.options)
    if isinstance(model, unigram.UnigramModel):
        made |= {
            "kind": "unigram",
            "losses": [round(loss, 9) for loss in model.losses.values()],
            "unknown": model.unknown_loss,
            "tokens": "\n".join(model.losses),
        }
    elif isinstance(model, wordpiece.WordPieceModel):
        made |= {"kind": "wordpiece", "tokens": "\n".join(model.vocab), "prefix": model.prefix}
    elif isinstance(model, bpe.BPEModel) and options.pop("method", "") == "longest-first":
        made |= {"kind": "longest", "tokens": "\n".join(model.vocab), "end": model.end_of_word}
    elif isinstance(model, bpe.BPEModel):
        merged = set(map("".join, model.merges))
        made |= {
            "kind": "bpe",
            "merges": "\n".join(map(" ".join, model.merges)),
            "tokens": "\n".join(token for token in model.vocab if token not in merged),
            "end": model.end_of_word,
        }
    plain = model is None or all(token.split() == [token] for token in model.ids)
    known = getattr(model, "unknown_loss", 0) < inf
    return made if plain and known and not options else None


def grouped(offsets: Sequence[tuple[int, int]], begin: int, end: int) -> Iterator[Group]:
    """The tokens between two places of the text, those together that share a character.

    >>> list(grouped([(0, 1), (0, 1), (1, 3)], 0, 9))
    [(0, 1, range(0, 2)), (1, 3, range(2, 3))]
    """
    at = bisect_left(offsets, begin, key=lambda span: span[1])
    while at < len(offsets) and offsets[at][0] < end:
        start, reach = offsets[at]
        last = at + 1
        # A token of no characters goes with the one that begins where it stands.
        while last < len(offsets) and offsets[last][0] < max(reach, start + 1):
            reach = max(reach, offsets[last][1])
            last += 1
        yield start, reach, range(at, last)
        at = last


def common_cuts(string: str, rows: Sequence[Sequence[Group]], begin: int, end: int) -> list[int]:
    """The places at which every tokenizer cuts, or lets a cut be, and which part no character from its marks.

    Where there is none for a whole line, the line ends all the same: what goes on across it stands at its beginning.
    """
    end = min(end, len(string))
    inside = {
        place
        for row in rows
        for start, stop, _ in row
        for place in range(start + 1, min(stop, end))
    }
    cuts = [begin]
    for place in range(begin + 1, end + 1):
        free = place == len(string) or _parts(string[place - 1], string[place])
        if place - cuts[-1] >= LINE or (free and place not in inside):
            cuts.append(place)
    return cuts


def _parts(left: str, right: str) -> bool:
    """Whether two characters can stand apart: not a letter from its marks, nor two that are joined in writing."""
    skin = "\U0001f3fb" <= right <= "\U0001f3ff"
    if unicodedata.category(right).startswith("M") or "\u200d" in (left, right) or skin:
        return False
    if left.isspace() != right.isspace():
        return True
    joined = {unicodedata.bidirectional(left), unicodedata.bidirectional(right)} <= {"R", "AL"}
    return not joined and not (left == right == " ")


def _right_to_left(string: str) -> bool:
    """Whether a text runs from right to left: its first strong character says so."""
    strong = (kind for kind in map(unicodedata.bidirectional, string) if kind in ("L", "R", "AL"))
    return next(strong, "L") != "L"


tokenizer_playground = TokenizerPlayground
