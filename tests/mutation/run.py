"""What would the tests not notice? python tests/mutation/run.py [MODULE ...] [--sample N] [--seed S] [--jobs K]

A mutant is a module of the package with one small change. The tests that belong to the module are run on it, in a copy
of the repository; if they all pass, the mutant has survived. A survivor is a test to write, or a change that changes
nothing: equivalent.toml says why, and is printed beside it. Ends with 1 if a survivor is not explained there.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "build", "dist"
)
TESTS = {  # a module, or a folder of modules, and the tests that belong to it
    "text.py": ["test_text.py"],
    "bpe.py": ["test_alike.py", "test_bad_input.py", "test_bpe.py"],
    "wordpiece.py": ["test_alike.py", "test_bad_input.py", "test_wordpiece.py"],
    "unigram.py": ["test_alike.py", "test_bad_input.py", "test_unigram.py"],
    "compression.py": ["test_alike.py", "test_bad_input.py", "test_compression.py"],
    "lattice.py": ["test_bad_input.py", "test_lattice.py"],
    "exercises/kinds.py": ["test_exercises.py"],
    "exercises/typed.py": ["test_exercises.py"],
    "exercises/trials.py": ["test_code_exercises.py", "test_trials.py"],
    "exercises/instance.py": ["test_exercises.py", "test_trials.py", "test_views_card.py"],
    "exercises/code.py": ["test_code_exercises.py", "test_exercises.py"],
    "workshop/grading.py": ["test_grade.py"],
    "workshop/marking.py": ["test_grade.py"],
    "running": ["test_running.py", "test_code_exercises.py", "test_hostile_answers.py"],
}
NEEDS_SLOW_TESTS = (
    "subword_lab/running",
    "subword_lab/workshop",
)  # what they do takes many processes
SWAPS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
DROPPED = (ast.AugAssign, ast.Break, ast.Continue, ast.Delete, ast.Expr, ast.Raise)
MEMORY = 4 << 30  # bytes, for a mutant that fills a list without end


@dataclass(frozen=True)
class Mutant:
    """A module with one change: where, what (as it is printed, and as equivalent.toml names it), and its source."""

    line: int
    what: str
    source: bytes


def mutants(source: bytes) -> list[Mutant]:
    """All mutants of a module, from its top to its end."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in parts(ast.parse(source)):
        for old, new in changes(node):
            first = starts[old.lineno - 1] + old.col_offset
            last = starts[old.end_lineno - 1] + old.end_col_offset
            line = source.splitlines()[old.lineno - 1].decode().strip()
            mutant = (
                source[:first]
                + (f"({new})" if isinstance(old, ast.expr) else new).encode()
                + source[last:]
            )
            found.append(
                Mutant(old.lineno, f"{line} | {shown(ast.unparse(old))} -> {shown(new)}", mutant)
            )
    return sorted(found, key=lambda mutant: mutant.line)


def parts(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """The statements and expressions of a tree, without types, and without what stands inside an f-string."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in ("annotation", "returns"):
                if isinstance(child, ast.expr | ast.stmt):
                    yield child
                if not isinstance(child, ast.JoinedStr):
                    yield from parts(child)


def changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """The changes of a statement or an expression: which part of it, and what comes in its place."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield node, changed(node, ops=[SWAPS[type(op)]()])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            yield node, changed(node, op=SWAPS[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, ast.unparse(operand)
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield node, repr(value + 1)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "None"
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.If(test=test) | ast.IfExp(test=test) if isinstance(
            test, ast.Name | ast.Call | ast.Attribute
        ):
            yield test, f"not {ast.unparse(test)}"
        case ast.Slice(upper=ast.expr() as upper) if not isinstance(upper, ast.Constant):
            yield upper, f"{ast.unparse(upper)} + 1"
        case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
            return
    if isinstance(node, DROPPED):
        yield node, "pass"


def changed(node: ast.AST, **fields: object) -> str:
    """The source of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return ast.unparse(other)


def shown(source: str) -> str:
    """The beginning of a piece of code, on one line."""
    line = " ".join(source.split())
    return line if len(line) <= 70 else line[:67] + "..."


# -------------------------------------------------------------------------------------------------------------- running


def passes(tree: Path, tests: list[str], seconds: float) -> bool:
    """Whether the tests pass in a copy of the repository, quick ones first; False also when they take too long."""
    marks = ["not slow", "slow"] if tests[0].startswith(NEEDS_SLOW_TESTS) else ["not slow"]
    return all(_pass(tree, tests, seconds, which) for which in marks)


def _pass(tree: Path, tests: list[str], seconds: float, which: str) -> bool:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-o",
        "addopts=--doctest-modules",
        "-m",
        which,
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    env = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""}
    with subprocess.Popen(
        command,
        cwd=tree,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_limit_memory if os.name == "posix" else None,
    ) as process:
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()
            return False


def write(file: Path, source: bytes) -> None:
    """Write a module, with a time that it never had: by that Python knows that what it has compiled is of another."""
    changed = int(file.stat().st_mtime) + 1
    file.write_bytes(source)
    os.utime(file, (changed, changed))


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def modules(names: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each module that is named, by itself or by its folder, with its tests."""
    for name in names:
        if name not in TESTS:
            raise SystemExit(
                f"no tests are known to belong to {name!r}; known are {', '.join(TESTS)}"
            )
        path = ROOT / "subword_lab" / name
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            yield (
                file.relative_to(path.parent if path.is_dir() else ROOT / "subword_lab").as_posix(),
                TESTS[name],
            )


def run(
    module: str, tests: list[str], chosen: list[Mutant], trees: list[Path], known: dict[str, float]
) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether it survived. Each of the trees is worked in by one thread at a time.

    known: how long tests may take, where they were run before without any change.
    """
    files = [f"subword_lab/{module}", *(f"tests/{test}" for test in tests)]
    if str(tests) not in known:
        started = time.monotonic()
        if not passes(trees[0], files, 1800):
            raise SystemExit(
                f"{module}: its tests fail without any change, or take more than half an hour"
            )
        known[str(tests)] = 20 + 5 * (time.monotonic() - started)
    seconds = known[str(tests)]
    free: Queue[Path] = Queue()
    for tree in trees:
        free.put(tree)

    def survives(mutant: Mutant) -> bool:
        tree = free.get()
        file = tree / "subword_lab" / module
        original = file.read_bytes()
        try:
            write(file, mutant.source)
            return passes(tree, files, seconds)
        finally:
            write(file, original)
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        yield from zip(chosen, pool.map(survives, chosen), strict=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help=f"of {', '.join(TESTS)} (default: all)"
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="so many mutants of each module (default: all)"
    )
    parser.add_argument("--seed", default="0", help="which ones (default: 0)")
    parser.add_argument(
        "--jobs", type=int, default=2, metavar="K", help="so many at once (default: 2)"
    )
    options = parser.parse_args()
    explained = tomllib.loads(
        (Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8")
    )
    table, unexplained, known = [], 0, {}
    with tempfile.TemporaryDirectory() as folder:
        trees = [
            shutil.copytree(ROOT, Path(folder, str(job)), ignore=LEFT_OUT)
            for job in range(options.jobs)
        ]
        for module, tests in modules(options.modules or list(TESTS)):
            every = mutants(
                (trees[0] / "subword_lab" / module).read_bytes()
            )  # as it was when the run began
            if options.sample and options.sample < len(every):
                every = random.Random(f"{options.seed}/{module}").sample(every, options.sample)
            counts = Counter()
            for mutant, survived in run(
                module, tests, sorted(every, key=lambda mutant: mutant.line), trees, known
            ):
                why = explained.get(module, {}).get(mutant.what, "")
                fate = ("explained" if why else "SURVIVED") if survived else "killed"
                counts[fate] += 1
                told = [
                    f"{module}:{mutant.line}: {fate}: {mutant.what}",
                    *[f"    {why}"] * bool(survived and why),
                ]
                print(*told, sep="\n", flush=True)
            table.append(
                f"{module:24}{len(every):8}{counts['killed']:8}{counts['explained']:11}{counts['SURVIVED']:10}"
            )
            unexplained += counts["SURVIVED"]
    print(
        "",
        f"{'module':24}{'mutants':>8}{'killed':>8}{'explained':>11}{'survived':>10}",
        *table,
        sep="\n",
    )
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
