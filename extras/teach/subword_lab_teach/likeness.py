"""Code that somebody may have taken from elsewhere: from each other, or from the solution that comes with an exercise.

Two people who write the same function often write the same lines, with the same names. So a remark needs more than one
function: code counts from `LEAST` nodes of syntax on, and between two learners where few others have written the same.
"""

import ast
import hashlib
import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

from .submissions import grouped

LONGEST = 20_000  # characters of a cell that is looked at, in the grader's own process
LEAST = 60  # nodes of syntax; shorter functions many people write alike
FEW = 4  # what more learners have written alike is how one writes it
ENOUGH = 3  # functions that two learners have in common, for a remark
L = TypeVar("L")


def code_checked(cells: Sequence[str], number: int, id: str) -> tuple[str, str]:
    """The cell with the function that the cell of this number checks, which may be an earlier one, and its name.

    id: of the exercise. Of several checks in a cell, it is the one of a variable that is named so, as in lessons.
    A cell of more than `LONGEST` characters is not looked at.

    >>> code_checked(["def half(x):\\n    return x / 2", "half(6)", "ex.check(half)"], 3, "own-01")
    ('def half(x):\\n    return x / 2', 'half')
    """
    cell = cells[number - 1]
    if len(cell) > LONGEST:
        return "", ""
    checks = dict(re.findall(r"""(?<![\w-])([\w-]+)['")]*\.check\(\s*([^\W\d]\w*)\s*\)""", cell))
    alone = next(iter(checks.values())) if len(checks) == 1 else ""
    name = checks.get(id) or checks.get(id.replace("-", "_")) or alone
    for earlier in reversed(cells[:number]) if name else ():
        if f"def {name}(" in earlier or f"class {name}" in earlier:
            return earlier, name
    return cell, name


def parsed(cell: str) -> ast.Module:
    """The syntax of a cell, with none of Python's warnings; an empty one if it is no code, or longer than `LONGEST`.

    >>> ast.dump(parsed("1is 1 2"))
    'Module(body=[], type_ignores=[])'
    """
    with (
        warnings.catch_warnings(action="ignore"),
        suppress(SyntaxError, ValueError, RecursionError, MemoryError),
    ):
        return ast.parse(cell if len(cell) <= LONGEST else "")
    return ast.Module([], [])


@lru_cache(maxsize=1_000)
def fingerprint(cell: str, name: str = "") -> str:
    """The same for cells with the same functions, whatever their comments and blanks; "" for too little code.

    name: of the only function that counts, if the cell has one of this name.

    >>> fingerprint("def half(x):\\n    return x / 2")
    ''
    """
    try:
        text = _functions(parsed(cell), name)
    except RecursionError:  # of a long chain of elifs
        return ""
    says_enough = len(re.findall(r"\w\(", text)) >= LEAST
    return hashlib.sha256(text.encode()).hexdigest() if says_enough else ""


def _functions(tree: ast.Module, name: str) -> str:
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    functions = [node for node in functions if node.name == name] or functions
    for node in (node for function in functions for node in ast.walk(function)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
        if isinstance(node, ast.FunctionDef):
            node.returns, node.decorator_list = None, []
        if isinstance(node, ast.arg):
            node.annotation = None
    return "".join(map(ast.dump, functions))


def remarks(
    codes: Mapping[L, Mapping[str, str]], solutions: Mapping[str, str]
) -> list[tuple[L, str]]:
    """Learners, each with a remark on their code.

    codes: learner -> exercise id -> fingerprint. solutions: exercise id -> fingerprint of the one that comes with it.
    Who has that one is named for two of them, or if it is frequent in the class: four have it, or a tenth.
    """
    holders = grouped(
        (exercise, learner) for learner, own in codes.items() for exercise in own.items()
    )
    alike = [(id, code, holders[id, code]) for id, code in sorted(holders) if code]
    few, many = min(FEW, max(2, len(codes) // 8)), max(FEW, len(codes) // 10)
    solved = [(id, learners) for id, code, learners in alike if code == solutions.get(id)]
    frequent = {id for id, learners in solved if len(learners) >= many}
    pasted = grouped((learner, id) for id, learners in solved for learner in learners)
    shared = grouped(
        (pair, id)
        for id, code, learners in alike
        if code != solutions.get(id) and len(learners) <= few
        for pair in combinations(learners, 2)
    )
    told = [
        (learner, f"the code for {', '.join(ids)} is the solution that comes with the exercise")
        for learner, ids in pasted.items()
        if len(ids) > 1 or frequent.intersection(ids)
    ]
    for (one, other), ids in shared.items():
        if len(ids) >= ENOUGH:
            words = f"the code for {', '.join(ids)} is the same as that of"
            told += [(one, f"{words} {other}"), (other, f"{words} {one}")]
    return told
