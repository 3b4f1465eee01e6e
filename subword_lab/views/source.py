"""A function's own source, shown in a lesson: no second copy that could drift."""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """What `source` returns: highlighted Python in a notebook, plain text elsewhere."""
    code: str

    def __repr__(self) -> str:
        return self.code

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def source(function: Callable, *, docstring: bool = False) -> Source:
    """The source of a function or class of the package, without its docstring unless that is asked for.

    >>> from subword_lab import bpe
    >>> source(bpe.merge_pair)
    def merge_pair(pair: Pair, splits: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        return {word: merge_symbols(split, pair) for word, split in splits.items()}
    """
    lines = inspect.getsource(function).rstrip().splitlines()
    body = ast.parse("\n".join(lines)).body[0].body
    if not docstring and len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del lines[body[0].lineno - 1:body[0].end_lineno]
    return Source("\n".join(lines))
