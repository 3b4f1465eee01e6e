"""Small changes to a function's source, one at a time: what a test, or an exercise's inputs, ought to notice."""

import ast
import copy
from collections.abc import Iterator

OTHERS = {
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
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.FloorDiv],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Div],
    ast.Mod: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.BitOr: [ast.BitAnd],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
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
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            members = value if isinstance(value, list) else [value]
            for place, node in enumerate(members):
                for what, new in _changes(node):
                    changed = [*members[:place], new, *members[place + 1 :]]
                    setattr(parent, name, changed if value is members else new)
                    text = ast.unparse(ast.fix_missing_locations(tree))
                    setattr(parent, name, value)
                    if text not in seen:
                        seen.add(text)
                        line = getattr(node, "lineno", getattr(parent, "lineno", 0))
                        yield f"line {line}: {what}", text


def _with(node, **fields):
    """A copy of a node with other values in some of its fields."""
    new = copy.copy(node)
    new.__dict__.update(fields)
    return new


def _changes(node):
    """What can be changed in a node, each with what then stands in its place."""
    for other in OTHERS.get(type(node), ()):
        yield f"{type(node).__name__} to {other.__name__}", other()
    if isinstance(node, ast.AugAssign):
        yield "assigned, not added", ast.Assign([node.target], node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} left out", node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield f"{node.value} to {value}", _with(node, value=value)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"{node.value} to {not node.value}", _with(node, value=not node.value)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "condition turned round", _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "filter left out", _with(node, ifs=[])
    elif isinstance(node, ast.Break):
        yield "break to continue", ast.Continue()
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "return nothing", _with(node, value=None)
    elif isinstance(node, ast.Call):
        field = "id" if isinstance(node.func, ast.Name) else "attr"
        name = getattr(node.func, field, "")
        if field == "id" and name in LEFT_OUT and len(node.args) == 1:
            yield f"{name}() left out", node.args[0]
        if name in SWAPPED:
            func = _with(node.func, **{field: SWAPPED[name]})
            yield f"{name} to {SWAPPED[name]}", _with(node, func=func)
        for place, keyword in enumerate(node.keywords):
            keywords = [*node.keywords[:place], *node.keywords[place + 1 :]]
            yield f"{keyword.arg}= left out", _with(node, keywords=keywords)
    elif isinstance(node, ast.Slice):
        for side in ("lower", "upper"):
            if getattr(node, side) is not None:
                yield f"{side} bound left out", _with(node, **{side: None})
    constant = isinstance(getattr(node, "value", None), ast.Constant)
    if isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign)) and not constant:
        yield "statement left out", ast.Pass()
