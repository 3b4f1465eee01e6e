"""What the project promises about itself: its files agree with each other, and with the package."""
import ast
import re
import subprocess
import sys
import tomllib

import pytest

import subword_lab

# The floors of the package, from the top down; an import points to a lower floor, or stays in its own room.
FLOORS = [
    ["__main__"], ["cli"], ["workshop"], ["views"], ["exercises", "working_copy", "jupyterlab"], ["running", "documented"],
    ["studies"], ["glossary"], ["compression", "wordpiece", "unigram"], ["bpe"], ["lattice", "text"], ["engine"],
    ["lessons", "html", "arguments"], ["files"],
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_yml_asks_for_the_same_as_pyproject(root, project):
    wanted = set(project["dependencies"] + project["optional-dependencies"]["test"])
    lines = (root / "environment.yml").read_text(encoding="utf-8").splitlines()
    given = {line.strip().removeprefix("- ") for line in lines if re.match(r"\s+- [\w.-]+[=<>]=?", line)}
    assert given - {"python>=3.11"} == wanted
    assert "python>=3.11" in given and project["requires-python"] == ">=3.11"


def test_the_readme_and_ci_give_the_same_test_command(root):
    command = re.findall(r"```sh\n(.*pytest.*)\n```", (root / "README.md").read_text(encoding="utf-8"))
    assert len(command) == 1
    assert command[0] in (root / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_readme_names_every_command_and_no_other(root):
    named = set(re.findall(r"^\| `subword-lab (\w+)", (root / "README.md").read_text(encoding="utf-8"), re.M))
    shown = subprocess.run([sys.executable, "-m", "subword_lab", "--help"], capture_output=True, text=True, check=True)
    assert named == set(re.findall(r"^    (\w+)\b", shown.stdout, re.MULTILINE))


def test_the_readme_example_runs(root):
    code = re.search(r"```python\n(.*?)```", (root / "README.md").read_text(encoding="utf-8"), re.S).group(1)
    names = {}
    exec(code, names)
    assert names["model"].merges[0] == ("u", "g")


def modules(root):
    return sorted(path for path in (root / "subword_lab").rglob("*.py"))


def test_imports_only_point_down(root):
    for path in modules(root):
        here = path.relative_to(root / "subword_lab").with_suffix("").parts
        if here == ("__init__",):
            continue
        for target in imported_rooms(path, here[:-1]):
            assert target == here[0] or FLOOR[here[0]] < FLOOR[target], f"{'/'.join(here)} imports {target}, which is not below it"


def imported_rooms(path, package):
    """The rooms of the package, its top-level modules and folders, that a file imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] == "subword_lab"):
            above = package[:len(package) - node.level + 1] if node.level else ()
            inside = [*above, *(node.module or "").split(".")][not node.level:]
            inside = [part for part in inside if part]
            for room in inside[:1] or [alias.name for alias in node.names]:
                if room != "__version__":
                    yield room


@pytest.mark.parametrize("module", ["subword_lab", "subword_lab.text", "subword_lab.bpe", "subword_lab.wordpiece",
                                    "subword_lab.unigram", "subword_lab.compression", "subword_lab.glossary"])
def test_the_algorithms_need_nothing_but_python(module):
    code = f"import sys; import {module}; print([n for n in sys.modules if n.partition('.')[0] not in sys.stdlib_module_names])"
    loaded = subprocess.run([sys.executable, "-S", "-E", "-c", f"import sys; sys.path.insert(0, {str(_parent())!r}); {code}"],
                            capture_output=True, text=True, check=True).stdout
    assert {name for name in ast.literal_eval(loaded) if not name.startswith(("subword_lab", "__"))} == set()


def _parent():
    from pathlib import Path

    return Path(subword_lab.__file__).parent.parent


def test_the_version_is_a_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", subword_lab.__version__)
