"""Views that are words and tables alone: a sentence, a folded view, code, the glossary, a text on its way, progress."""

import ast
import inspect
import textwrap
from collections.abc import Callable

from .. import normalization, text
from ..exercises.overview import STATES, Overview, Row, overview, sums
from ..glossary import Entry, entries, in_language, lesson_link
from ..html import Html, View, details, note, pieces, tag
from ..interchange import to_json
from ..tokenizer import Tokenizer
from .tables import Cell, Table, table
from .tokens import token_strip, visible


def sentence(words: str) -> View:
    """A result told in words, without the quotes that a string has.

    >>> sentence("15 of 19 merges were decided by a tie.")
    15 of 19 merges were decided by a tie.
    """
    return View(words, tag("p", words))


def fold(summary: str, view: object) -> View:
    """A view that opens on demand, behind one line of text.

    >>> fold("A long word", "supercalifragilistic")
    A long word
    'supercalifragilistic'
    """
    return View(f"{summary}\n{view!r}", details(summary, pieces(view)))


# ------------------------------------------------------------------------------------------------------------ code

LOOKS = {  # what is set apart in code: kind of token -> look
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Comment": "comment",
    "Name.Function": "name",
    "Name.Class": "name",
}


def source(function: Callable[..., object]) -> View:
    """The source of a function, method or class of the package, without its docstring: no second copy that could drift.

    >>> from subword_lab import bpe
    >>> source(bpe.merge_pair)
    def merge_pair(pair: Pair, splits: Mapping[str, Sequence[str]]) -> Splits:
        return {word: merge_symbols(split, pair) for word, split in splits.items()}
    """
    lines = textwrap.dedent(inspect.getsource(function)).rstrip().splitlines()
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    first = definition.body[0]
    if len(definition.body) > 1 and ast.get_docstring(definition) is not None:
        del lines[first.lineno - 1 : first.end_lineno]
    code = "\n".join(lines)
    return View(code, highlighted(code))


def highlighted(code: str) -> Html:
    """Python with its colors. No line is ever broken."""
    from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

    colored: list[str] = []
    for kind, value in PythonLexer(ensurenl=False).get_tokens(code):
        looks = [look for start, look in LOOKS.items() if f"{kind}.".startswith(f"Token.{start}.")]
        colored.append(tag("span", value, class_=f"sl-{looks[0]}") if looks else value)
    return tag("pre", tag("code", *colored), class_="sl-source sl-view", tabindex=0)


# -------------------------------------------------------------------------------------------------------- glossary


def glossary_table(theme: str) -> Table:
    """The entries of one theme (see `glossary.themes`): terms in four languages, or names from code and ours.

    Terms of the source's own list have a star.

    Raises ValueError for a theme that does not exist.

    >>> glossary_table("Models and their makers").columns
    ['English', 'meaning', 'lesson', 'Russian · Chinese · Burmese']
    """
    listed = entries(theme)
    if all(entry.is_code for entry in listed):
        rows = [[_code(entry.english), *_meaning(entry, _code(entry.ours))] for entry in listed]
        return table(rows, ["name", "meaning", "here", "lesson"])
    rows = []
    for entry in listed:
        star = "" if entry.added else "\N{NO-BREAK SPACE}*"
        terms = entry.translations
        others = pieces(*(in_language(*term) for term in terms.items()), between=" · ")
        rows.append(
            [
                Cell(f"{entry.english}{star}", pieces(in_language("english", entry.english), star)),
                *_meaning(entry),
                Cell(" · ".join(terms.values()), others),
            ]
        )
    return table(rows, ["English", "meaning", "lesson", "Russian · Chinese · Burmese"])


def _meaning(entry: Entry, *here: Cell) -> list[Cell]:
    """A meaning, in lines of some words where the table is wider than the page, its name here, and the lesson."""
    return [
        Cell(entry.meaning, tag("div", entry.meaning, style="min-width:16em")),
        *here,
        Cell(entry.lesson, lesson_link(entry.lesson)),
    ]


def _code(name: str) -> Cell:
    """A name from code; one as long as a whole path may go on in the next line, after a dot."""
    parts, style = ([name], "") if len(name) <= 30 else (name.split("."), "white-space:normal")
    code = tag("code", pieces(*parts, between=f".{tag('wbr')}"), style=style)
    return Cell(name, code if name else Html())


# -------------------------------------------------------------------------------------------------------- stations

SEQUENCES = {  # part of a tokenizer.json -> where the members of a sequence stand
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def stations(tokenizer: Tokenizer, string: str) -> Table:
    """What the parts of a tokenizer make of a text, one after the other, each with its name and type in the file.

    Special tokens that stand in the text are text here.

    >>> tokenizer = Tokenizer.train(["hug pug hugs"], "wordpiece", vocab_size=20)
    >>> for part, kind, output in stations(tokenizer, "Hug?").rows[1:4]:
    ...     print(part, kind, output)
    pre_tokenizer BertPreTokenizer hug|?
    model WordPiece hug|[UNK]
    post_processor TemplateProcessing [CLS]|hug|[UNK]|[SEP]
    """
    content, parts = to_json(tokenizer.parts), tokenizer.parts
    plain = tokenizer.encode(string, disallowed_special=(), add_special_tokens=False)
    whole = tokenizer.encode(string, disallowed_special=())
    unknown = {piece.token for piece in whole.pieces if piece.id == whole.unknown_id}
    normalized = normalization.apply(string, parts.normalization)
    words = [normalized]
    for scheme in parts.schemes:
        words = [word for each in words for word, _ in text.pre_tokenize(each, scheme)]
    outputs = {
        "normalizer": _as_code(normalized),
        "pre_tokenizer": token_strip(words),
        "model": token_strip(plain.tokens, unknown=unknown),
        "post_processor": token_strip(whole.tokens, unknown=unknown),
        "ids": " ".join(map(str, whole.ids)),
        "decoder": _as_code(tokenizer.decode(whole.ids)),
    }
    rows = []
    for name, output in outputs.items():
        part = content.get(name) or {"type": "–"}  # a part that does nothing
        types = [member["type"] for member in part.get(SEQUENCES.get(name, ""), [part])]
        rows.append([name, ", ".join(dict.fromkeys(types)), output])
    return table(rows, ["part", "type in the file", "what it makes of the text"])


def _as_code(string: str) -> Cell:
    """A text in the font of code, in which 1, \u2044 and 2 stay three characters."""
    return Cell(visible(string), tag("code", visible(string)))


# -------------------------------------------------------------------------------------------------------- progress

STATE_MARKS = {"done": "✓ done", "tried": "○ tried", "left": ""}


def progress_view(learner: str | None = None) -> View:
    """Done, tried and left, lesson by lesson, the points, and what to do next.

    learner: whose progress; None for all that is recorded on this machine. Raises ProgressError if it cannot be read.
    """
    whole = overview(learner)
    lessons = lessons_table(whole)
    return View(
        "\n".join([repr(lessons), "", whole.advice, *whole.problems]),
        pieces(
            lessons,
            tag("p", whole.advice),
            *map(note, whole.problems),
            details("Exercise by exercise", pieces(*map(_exercises, whole.lessons()))),
        ),
    )


def lessons_table(progress: Overview) -> Table:
    """A row a lesson, and one for all of them."""
    return table(
        [
            [row["title"], *(row[state] for state in STATES), _points(row)]
            for row in [*progress.lessons(), sums("all lessons", progress.rows)]
        ],
        ["lesson", *STATES, "points"],
        "Your exercises",
    )


def _exercises(lesson: Row) -> Table:
    return table(
        [
            [
                row["id"],
                row["title"],
                STATE_MARKS[row["state"]],
                row["answers"] or None,
                row["hints"] or None,
                _points(row),
            ]
            for row in lesson["exercises"]
        ],
        ["exercise", "title", "state", "answers", "hints", "points"],
        lesson["title"],
    )


def _points(row: Row) -> str:
    return f"{round(row['earned'], 2):g} of {row['points']}"
