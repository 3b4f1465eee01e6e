"""Small changes to a function's source, one at a time: what a test, or an exercise's inputs, ought to notice."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

COMPARISONS = {
    ast.Lt: [ast.LtE],
    ast.LtE: [ast.Lt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
OPERATORS = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.FloorDiv],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Div],
    ast.Mod: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.BitOr: [ast.BitAnd],
}
SWAPPED = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "startswith": "endswith",
    "endswith": "startswith",
    "removesuffix": "removeprefix",
    "removeprefix": "removesuffix",
    "append": "remove",
    "keys": "values",
}
LEFT_OUT = ("list", "sorted", "reversed", "set", "tuple", "abs", "dict", "str", "int")


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Every changed source, with what was changed in it.

    >>> [what for what, _ in mutants("def f(a):\\n    return a[1:]")]
    ['line 2: return nothing', 'line 2: lower bound left out', 'line 2: 1 to 2', 'line 2: 1 to 0']
    """
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    for number, node in enumerate(ast.walk(tree)):
        for what, change in _changes(node):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[number]
            change(target, changed)
            text = ast.unparse(ast.fix_missing_locations(changed))
            if text not in seen:
                seen.add(text)
                yield f"line {getattr(node, 'lineno', 0)}: {what}", text


def _set(name, value, place=None):
    def change(node, tree):
        if place is None:
            setattr(node, name, value)
        else:
            getattr(node, name)[place] = value

    return change


def _replace_by(pick):
    """A node gives its place to a part of itself."""

    def change(node, tree):
        new = pick(node)
        for parent in ast.walk(tree):
            for name, value in ast.iter_fields(parent):
                if value is node:
                    setattr(parent, name, new)
                elif isinstance(value, list) and any(member is node for member in value):
                    value[[member is node for member in value].index(True)] = new

    return change


def _changes(node):
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in COMPARISONS.get(type(op), ()):
                yield f"{type(op).__name__} to {other.__name__}", _set("ops", other(), place)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)):
        for other in OPERATORS.get(type(node.op), ()):
            yield f"{type(node.op).__name__} to {other.__name__}", _set("op", other())
        if isinstance(node, ast.AugAssign):
            yield "assigned, not added", _replace_by(lambda n: ast.Assign([n.target], n.value))
    elif isinstance(node, ast.BoolOp):
        yield (
            "and to or, or the reverse",
            _set("op", ast.Or() if isinstance(node.op, ast.And) else ast.And()),
        )
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} left out", _replace_by(lambda n: n.operand)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield f"{node.value} to {value}", _set("value", value)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} to {not node.value}", _set("value", not node.value)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "condition turned round", _set("test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter left out", _set("ifs", [])
    elif isinstance(node, ast.Break):
        yield "break to continue", _replace_by(lambda n: ast.Continue())
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "return nothing", _set("value", None)
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if isinstance(node.func, ast.Name) and name in LEFT_OUT and len(node.args) == 1:
            yield f"{name}() left out", _replace_by(lambda n: n.args[0])
        if name in SWAPPED:
            yield (
                f"{name} to {SWAPPED[name]}",
                lambda n, tree: setattr(
                    n.func, "id" if isinstance(n.func, ast.Name) else "attr", SWAPPED[name]
                ),
            )
        for place, keyword in enumerate(node.keywords):
            yield f"{keyword.arg}= left out", lambda n, tree, place=place: n.keywords.pop(place)
    elif isinstance(node, ast.Slice):
        for side in ("lower", "upper"):
            if getattr(node, side) is not None:
                yield f"{side} bound left out", _set(side, None)
    if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign)) and not isinstance(
        getattr(node, "value", None), ast.Constant
    ):
        yield "statement left out", _replace_by(lambda n: ast.Pass())
