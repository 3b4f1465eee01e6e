"""A function's own source, shown in a lesson: no second copy that could drift."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass

from ..html import Html, Shown, tag

LOOKS = {
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Comment": "comment",
    "Name.Function": "name",
    "Name.Class": "name",
}  # what of the code is set apart


@dataclass(frozen=True, repr=False)
class Source(Shown):
    """What `source` returns: highlighted Python in a notebook, plain text elsewhere. No line is ever broken."""

    code: str

    def __repr__(self) -> str:
        return self.code

    def html(self) -> Html:
        from pygments.lexers import PythonLexer  # type: ignore[import-untyped]

        tokens = PythonLexer(ensurenl=False).get_tokens(self.code)
        code = tag("code", *(_look(str(kind), text) for kind, text in tokens))
        return tag("pre", code, class_="sl-source", tabindex=0)


def _look(kind: str, text: str) -> str:
    """A piece of code, in the look of its kind if that has one."""
    found = next((look for start, look in LOOKS.items() if kind.startswith(f"Token.{start}")), None)
    return tag("span", text, class_=f"sl-{found}") if found else text


def source(function: Callable[..., object]) -> Source:
    """The source of a function or class of the package, without its docstring.

    >>> from subword_lab import bpe
    >>> source(bpe.merge_pair)
    def merge_pair(pair: Pair, splits: Mapping[str, Sequence[str]]) -> Splits:
        return {word: merge_symbols(split, pair) for word, split in splits.items()}
    """
    lines = inspect.getsource(function).rstrip().splitlines()
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    first, *others = definition.body
    if others and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        del lines[first.lineno - 1 : first.end_lineno]
    return Source("\n".join(lines))
