"""The hints and solutions that a learner's code asks for.

A call counts that asks an exercise: `bpe_01.hint()`, `load("bpe-01").solution()`, or of a name that was given to one.
What stands in a comment or a string is no call, and a method of a learner's own is none of an exercise.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from .likeness import LONGEST, parsed

MOST_READ = 100_000  # characters of a learner's code, which the grader's own process reads
TELLING = re.compile(r"\b(?:load|hint|solution)\s*\(")  # other cells are not looked at
TIMED = re.compile(
    r"^([ \t]*)%%?(?:time|timeit|capture)\b[ \t]*(?:-[-\w]+[ \t]+(?:\d+[ \t]+)?)*", re.MULTILINE
)
FOR_IPYTHON = re.compile(
    r"(?s:\A\s*%%.*)|^([ \t]*(?:\w+ *= *)?)(?:[%!?].*|[\w.]+\?+[ \t]*$)", re.MULTILINE
)


def asked_for(notebooks: Iterable[Sequence[str]], ids: Collection[str]) -> tuple[Counter, bool]:
    """How often a learner's code calls "hint" and "solution", and whether all of it was looked at.

    notebooks: the cells of each. ids: of all exercises. Notebooks may be copies of each other: what several ask of an
    exercise counts as often as in the one that asks most.

    >>> cells = ["ex = load('bpe-01')", "ex.hint()  # not ex.hint()", "!ls\\n%time bpe_02.hint()", "mine.hint()"]
    >>> asked_for([cells, cells], ["bpe-01", "bpe-02"])
    (Counter({'hint': 2}), True)
    """
    asked, room, is_all = Counter[tuple[str, str]](), MOST_READ, True
    for cells in notebooks:
        own, names = Counter[tuple[str, str]](), {id.replace("-", "_"): id for id in ids}
        for cell in filter(TELLING.search, cells):
            if len(cell) > min(room, LONGEST):
                is_all = False
                continue
            room -= len(cell)
            for part in _in_order(cell):
                if isinstance(part, ast.Assign):
                    meant = _exercise(part.value, names)
                    names |= {one.id: meant for one in part.targets if isinstance(one, ast.Name)}
                elif isinstance(part.func, ast.Attribute) and part.func.attr in (
                    "hint",
                    "solution",
                ):
                    own[part.func.attr, _exercise(part.func.value, names)] += 1
        asked |= own
    return Counter(method for method, id in asked.elements() if id in ids), is_all


def _in_order(cell: str) -> list[ast.Assign | ast.Call]:
    """The assignments and calls in a cell, without its lines for IPython, but with what these time.

    IPython's own reading of them is for the sandbox: it begins anew for each line, and some cells take it 20 seconds.
    """
    python = FOR_IPYTHON.sub(r"\g<1>0", TIMED.sub(r"\1", cell))
    body = parsed(cell).body or parsed(python).body
    parts = [
        part for part in ast.walk(ast.Module(body, [])) if isinstance(part, (ast.Assign, ast.Call))
    ]
    return sorted(parts, key=lambda part: (part.lineno, part.col_offset))


def _exercise(value: ast.expr, names: dict[str, str]) -> str:
    """The id of the exercise that an expression is, or is a variant of; "" if it is none."""
    while (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "another"
    ):
        value = value.func.value
    match value:
        case ast.Name():
            return names.get(value.id, "")
        case ast.Call(
            func=ast.Name(id="load") | ast.Attribute(attr="load"),
            args=[ast.Constant(value=str(id)), *_],
        ):
            return id
    return ""
