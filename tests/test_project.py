"""What the project promises about itself: its files agree with each other, and with the package."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import subword_lab
import subword_lab_fast
import subword_lab_teach
from subword_lab.running.function import PYTHON

# The floors of the package, from the top down; an import points to a lower floor, or stays in its own room.
FLOORS = [
    ["__main__"],
    ["cli"],
    ["doctor"],
    ["documented"],
    ["views"],
    ["exercises", "working_copy", "jupyterlab"],
    ["studies"],
    ["running"],
    ["glossary"],
    ["Tokenizer", "tokenizer"],
    ["interchange", "training"],
    ["pieces", "postprocessing"],
    ["preparation"],
    ["parts"],
    ["compression", "wordpiece", "unigram", "normalization"],
    ["bpe"],
    ["structures"],
    ["lattice", "text"],
    ["engines"],
    ["lessons", "html", "arguments"],
    ["files", "streaming"],
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def read(root, *names):
    return root.joinpath(*names).read_text(encoding="utf-8")


def test_environment_yml_asks_for_the_same_as_pyproject(root):
    """What a learner needs, and nbval; the exact version of the tests counts; of Python, one that is asked for."""
    project = tomllib.loads(read(root, "pyproject.toml"))["project"]
    extras = project["optional-dependencies"]
    exact = {re.match(r"[\w-]+", one)[0]: one for one in extras["test"]}
    wanted = [*project["dependencies"], *extras["lab"], exact["nbval"]]
    wanted = [exact.get(re.match(r"[\w-]+", one)[0], one) for one in wanted]
    listed = read(root, "environment.yml").partition("dependencies:")[2]
    given = re.findall(r"^ +- (.*)$", listed, re.MULTILINE)
    python = next(one for one in given if one.startswith("python="))
    assert sorted(given) == sorted([*wanted, python, "pip", "pip:", "-e ."])
    numbers = [[*map(int, re.findall(r"\d+", one))] for one in (python, project["requires-python"])]
    assert numbers[0] >= numbers[1]


def test_the_readme_and_ci_give_the_same_test_command(root):
    command = re.findall(r"```sh\n(.*pytest.*)\n```", read(root, "README.md"))
    assert len(command) == 1
    assert command[0] in read(root, ".ci", "run").splitlines()


def test_the_readme_names_every_command_and_no_other(root):
    named = set(re.findall(r"^\| `subword-lab (\w+)", read(root, "README.md"), re.MULTILINE))
    shown = subprocess.run(
        [sys.executable, "-m", "subword_lab", "--help"], capture_output=True, text=True, check=True
    )
    assert named == set(re.findall(r"^    (\w+)\b", shown.stdout, re.MULTILINE))


def test_the_readme_example_runs(root):
    exec(re.search(r"```python\n(.*?)```", read(root, "README.md"), re.DOTALL)[1], names := {})
    assert names["model"].merges[0] == ("u", "g")


def test_the_guide_for_contributors_has_a_line_for_every_room(root):
    table = read(root, "CONTRIBUTING.md").partition("| in `extras/` |")[0]
    named = set(re.findall(r"^\| `(\w+)(?:\.py|/)` \|", table, re.MULTILINE))
    rooms = {
        path.stem
        for path in (root / "subword_lab").iterdir()
        if path.suffix == ".py" or path.is_dir()
    }
    assert named == {room for room in rooms if not room.startswith("__")}


def test_the_version_is_the_newest_of_the_change_log_and_the_one_to_cite(root):
    released = re.findall(r"^## \[(\d[\d.]+)\] - (.*)$", read(root, "CHANGELOG.md"), re.MULTILINE)
    cited = re.findall(
        r'^(?:version: |date-released: ")([^"\n]*)', read(root, "CITATION.cff"), re.M
    )
    assert tuple(cited) == released[0]
    for package in (subword_lab, subword_lab_fast, subword_lab_teach):
        assert package.__version__ == released[0][0]


def test_imports_only_point_down(root):
    for path in (root / "subword_lab").rglob("*.py"):
        here = path.relative_to(root / "subword_lab").with_suffix("").parts
        if here == ("__init__",):
            continue
        for target in imported_rooms(path, here[:-1]):
            down = target == here[0] or FLOOR[here[0]] < FLOOR[target]
            assert down, f"{'/'.join(here)} imports {target}, which is not below it"


@pytest.mark.parametrize("extra, other", [("fast", "teach"), ("teach", "fast")])
def test_the_packages_meet_at_entry_points_alone(root, extra, other):
    """The small package imports no extra, and no extra imports another one."""
    for path in (root / "subword_lab").rglob("*.py"):
        assert f"import subword_lab_{extra}" not in (code := path.read_text(encoding="utf-8"))
        assert f"from subword_lab_{extra}" not in code, path
    for path in (root / "extras" / extra).rglob("*.py"):
        assert f"subword_lab_{other}" not in path.read_text(encoding="utf-8"), path


def imported_rooms(path, package):
    """The rooms of the package, its top-level modules and folders, that a file imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            way = [part for part in (node.module or "").split(".") if part]
            if node.level:
                way = ["subword_lab", *package[: len(package) - node.level + 1], *way]
            if way[0] == "subword_lab":
                rooms = way[1:2] or [alias.name for alias in node.names]
                yield from (room for room in rooms if room != "__version__")


def test_the_algorithms_need_nothing_but_python():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(subword_lab.__file__).parent.parent)!r})\n"
        "from subword_lab import bpe, compression, glossary, lattice, text, tokenizer, unigram, wordpiece\n"
        "print(*{name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    )
    loaded = subprocess.run(
        [sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True
    )
    assert set(loaded.stdout.split()) - {"__main__", "__mp_main__"} == {"subword_lab"}


@pytest.mark.parametrize(
    "code, unwanted",
    [
        ("import subword_lab", "subword_lab.tokenizer"),
        ("import subword_lab.views", "matplotlib pandas numpy"),
        (
            "from subword_lab.cli import main\ntry: main(['open', '--help'])\nexcept SystemExit: pass",
            "numpy pandas matplotlib IPython jupyterlab nbformat subword_lab.working_copy subword_lab.exercises",
        ),
        (
            "from subword_lab import Tokenizer, text; passage = text.load_passage()\n"
            "Tokenizer.train([passage], vocab_size=500).encode_batch(passage.splitlines())",
            "numba subword_lab_fast",  # a learner never waits for a compiler
        ),
    ],
)
def test_what_is_not_needed_yet_is_not_loaded(code, unwanted):
    loaded = f"{{*{unwanted.split()}}} & {{*sys.modules}}"
    code = f"import sys\n{code}\nassert not {loaded}, {loaded}"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_no_folder_where_one_happens_to_be_has_a_say_in_which_module_is_run(root):
    """Without -P, Python would look there first: a stranger's folder may hold a json.py."""
    paths = [*root.glob("subword_lab/**/*.py"), *root.glob("extras/*/subword_lab_*/**/*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    options = "".join(f'"{option}", ' for option in PYTHON)
    found = re.findall(r'sys\.executable,[^\]]*?"-m"', code.replace("*PYTHON, ", options))
    assert len(found) > 3 and all('"-P"' in command for command in found)
