"""Code that somebody may have taken from elsewhere: from each other, or from the solution that comes with an exercise.

Two people who write the same short function write the same lines, and so a remark needs more than one function that is
alike. Code counts from `LEAST` nodes of syntax on, and not where many of the class have written the same.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import TypeVar

LEAST = 60  # nodes of syntax; shorter functions many people write alike
FEW = 4  # what more learners have written alike is how one writes it
# For a remark: a function of the same form counts 1, and 2 more if the names in it are the same.
ENOUGH = 6
L = TypeVar("L")
Codes = Mapping[L, Mapping[str, str]]  # learner -> exercise id -> fingerprint


def fingerprint(cell: str) -> str:
    """Of the functions in a cell, without comments, two hashes: without their names, and with them.

    It is "" for code that is too short to say anything.

    >>> fingerprint("def half(x):\\n    return x / 2")
    ''
    """
    try:
        with_names, without = _texts(ast.parse(cell))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # also of a long chain of elifs
        return ""
    says_enough = len(re.findall(r"\w\(", without)) >= LEAST
    hashes = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in (without, with_names)]
    return " ".join(hashes) if says_enough else ""


def _texts(tree: ast.Module) -> tuple[str, str]:
    """The functions as they are, and with numbers for names."""
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    inner = [node for function in functions for node in ast.walk(function)]
    for node in inner:
        if (
            isinstance(node, (ast.FunctionDef, ast.ClassDef))
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
        if isinstance(node, ast.FunctionDef):
            node.returns, node.decorator_list = None, []
        if isinstance(node, ast.arg):
            node.annotation = None
    with_names = "".join(map(ast.dump, functions))
    names: dict[str, str] = {}
    for node in inner:
        for name in {"name", "id", "arg"} & vars(node).keys():
            setattr(node, name, names.setdefault(str(getattr(node, name)), f"name{len(names)}"))
    return with_names, "".join(map(ast.dump, functions))


def remarks(codes: Codes[L], solutions: Mapping[str, str]) -> list[tuple[L, str]]:
    """Learners, each with a remark on their code. solutions: exercise id -> fingerprint of the one that comes with it.

    The solution is named if a learner has two of them, or if it is frequent in the class: four have it, or a tenth. For
    one function alone can be chance. Two learners are named from `ENOUGH` on, by what few others have written.
    """
    told: list[tuple[L, str]] = []
    taken = {
        learner: [id for id, code in own.items() if code and code == solutions.get(id)]
        for learner, own in codes.items()
    }
    count = Counter(id for ids in taken.values() for id in ids)
    many = max(FEW, len(codes) // 10)
    for learner, ids in taken.items():
        if len(ids) > 1 or any(count[id] >= many for id in ids):
            words = f"the code for {', '.join(ids)} is the solution that comes with the exercise"
            told.append((learner, f"{words}, apart from comments"))
    alike, weight = _pairs(codes, taken)
    for one, other in (pair for pair in alike if weight[pair] >= ENOUGH):
        for learner, twin in ((one, other), (other, one)):
            words = (
                f"the code for {', '.join(sorted(alike[one, other]))} is the same as that of {twin}"
            )
            told.append((learner, f"{words}, apart from names and comments"))
    return told


def _pairs(
    codes: Codes[L], taken: Mapping[L, list[str]]
) -> tuple[dict[tuple[L, L], set[str]], Counter[tuple[L, L]]]:
    """Pairs of learners: in which exercises their code is alike, and not that of many, and how much that weighs."""
    holders: dict[tuple[str, str], list[L]] = {}
    for learner, own in codes.items():
        for id, code in own.items():
            if code and id not in taken[learner]:
                for part in code.split():
                    holders.setdefault((id, part), []).append(learner)
    few = min(FEW, max(2, len(codes) // 8))
    alike: dict[tuple[L, L], set[str]] = {}
    weight: Counter[tuple[L, L]] = Counter()
    for (id, part), learners in holders.items():
        same_names = codes[learners[0]][id].endswith(f" {part}")
        for pair in combinations(learners, 2) if len(learners) <= few else ():
            alike.setdefault(pair, set()).add(id)
            weight[pair] += 2 if same_names else 1
    return alike, weight
