"""From which calculation a wrong number comes: the right one with one step changed, or two figures put together.

The right one is read from the solution, so that no exercise has to say anything.
"""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import permutations

from .typed import value_of

_NUMBER = r"\(*(?<![\w.,`#+-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w`])\)*"
CALCULATION = re.compile(rf"{_NUMBER}(?:\s*[-+*/^−·×]\s*{_NUMBER})*")
PLAIN = {"−": "-", "·": "*", "×": "*", "^": "**", ",": ""}
WRITTEN = {"**": "^", "*": "×", " - ": " − "}
SIGNS = (ast.Add(), ast.Sub(), ast.Mult(), ast.Div())
MIXED_UP: dict[type, ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.Pow: ast.Mult(),
}
ONE_FIGURE = re.compile(r"(\d+)(?: [+−] \1)+")  # `1 + 1 + 1` says nothing
LONGEST = 60  # characters of a calculation that is seen at a glance
FEWEST = 12  # what is smaller comes from some two figures
MOST = 6  # figures; of more, some two give any number
MANY = 100  # such as no product of two figures is by chance


def reckoned(value: Fraction, question: str, solution: str, answer: Fraction) -> str:
    """What gives a wrong number: a calculation, or the two shortest; empty if there is none, or there are many.

    >>> reckoned(Fraction(11), "", "8 + 2 × 3 bytes", Fraction(14))
    'what 8 + 3 gives'
    >>> reckoned(Fraction(40), "Of 30 forms, 10 are left out.", "So many are left.", Fraction(20))
    'what 30 + 10 gives'
    """
    found: dict[tuple[str, ...], str] = {}  # by its figures and signs, in whichever order
    for slip in slips(question, solution, answer):
        worth = _worth(slip)
        if worth not in (None, answer) and _rounds_to(value, worth) and not _by_one(slip):
            text = _written(slip)
            found.setdefault(tuple(sorted(re.findall(r"[^ ()]+", text))), text)
    least = min(map(len, found.values()), default=0)
    shortest = [text for text in found.values() if len(text) == least <= LONGEST]
    is_telling = not any(map(ONE_FIGURE.fullmatch, shortest))
    return f"what {' or '.join(shortest)} gives" if 0 < len(shortest) <= 2 and is_telling else ""


def slips(question: str, solution: str, answer: Fraction) -> list[ast.expr]:
    """The calculations that a slip may make of the one by which a solution comes to its answer."""
    parts = calculations(solution)
    steps = [part for part in parts if _worth(part) != answer]
    if steps:  # `sing` 12, `ring` 6
        parts.append(reduce(lambda left, right: ast.BinOp(left, ast.Add(), right), steps))
    ways = [part for part in parts if isinstance(part, ast.BinOp) and _worth(part) == answer]
    for way in ways[:1]:
        figures = [leaf for leaf in ast.walk(way) if isinstance(leaf, ast.Constant)]
        often = isinstance(way.op, (ast.Add, ast.Sub)) and len(figures) > 3  # by chance, that is
        signs = () if often else (way.op, MIXED_UP[type(way.op)])
        again = [ast.BinOp(way, sign, figure) for sign in signs for figure in figures]
        return [slip for slip in (*changed(way), *again) if isinstance(slip, ast.BinOp)]
    given = {_worth(part): part for part in [*steps, *calculations(question)]}
    known = [given[worth] for worth in given if worth not in (None, 0, 1, answer)]
    two = permutations(known, 2) if len(given) <= MOST else ()
    return [
        slip
        for one, other in two
        for sign in SIGNS
        for slip in [ast.BinOp(one, sign, other)]
        if (worth := _worth(slip) or 0) % 1
        or worth > (MANY if isinstance(sign, ast.Mult) else FEWEST)
    ]


def calculations(text: str) -> list[ast.expr]:
    """The numbers and calculations in a text.

    >>> [ast.unparse(each) for each in calculations("It has (4 + 8) × 1,000 bytes (in all 2) for `ab1`.")]
    ['(4 + 8) * 1000', '2']
    """
    found: list[ast.expr] = []
    for written in CALCULATION.findall(text):
        for sign, plain in PLAIN.items():
            written = written.replace(sign, plain)
        whole = written.count("(") == written.count(")")
        parts = [written] if whole else re.findall(r"[\d.]+", written)
        found += [ast.parse(part, mode="eval").body for part in parts]
    return found


def changed(node: ast.expr) -> Iterator[ast.expr]:
    """What one slip makes of a calculation: a part left out, the wrong way round, or another sign.

    >>> [ast.unparse(each) for each in changed(ast.parse("8 - 2 * 3", mode="eval").body)]
    ['8', '2 * 3', '2 * 3 - 8', '8 + 2 * 3', '8 - 2', '8 - 3', '8 - 3 * 2', '8 - 2 / 3']
    """
    if isinstance(node, ast.BinOp):
        left, sign, right = node.left, node.op, node.right
        yield from (left, right, ast.BinOp(right, sign, left))
        yield ast.BinOp(left, MIXED_UP[type(sign)], right)
        yield from (ast.BinOp(each, sign, right) for each in changed(left))
        yield from (ast.BinOp(left, sign, each) for each in changed(right))


def _rounds_to(value: Fraction, worth: Fraction) -> bool:
    """Whether a number is what comes out, or is that rounded."""
    near = abs(value - worth) <= abs(worth) / 200
    places = range(2 * (worth < FEWEST), 10)
    return value == worth or (near and any(round(worth, place) == value for place in places))


def _worth(node: ast.expr) -> Fraction | None:
    """What comes out of a calculation; None if it cannot be done."""
    try:
        return value_of(node)
    except (ValueError, ZeroDivisionError):
        return None


def _by_one(node: ast.expr) -> bool:
    """Whether this multiplies or divides by 1, which says no more than the other figure does."""
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, (ast.Mult, ast.Div))
        and 1 in (_worth(node.left), _worth(node.right))
    )


def _written(node: ast.expr) -> str:
    text = re.sub(r"(?<!\.)\d{4,}", lambda digits: f"{int(digits[0]):,}", ast.unparse(node))
    for plain, sign in WRITTEN.items():
        text = text.replace(plain, sign)
    return text
