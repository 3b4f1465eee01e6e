"""JupyterLite with the course in it: the notebooks, and a Python that begins with the package at hand.

Pyodide installs what its lock file names. The lock that is written here holds what Pyodide itself brings, and beside
it this package and the pure-Python packages that it needs; all of these are loaded while the kernel starts.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import urllib.request
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import subword_lab
from subword_lab import __version__, lessons
from subword_lab.files import CourseError

from ..cells import write_notebook

LAB = "lab/index.html"  # JupyterLab's page, below the folder of JupyterLite
LOCK = "pyodide-lock.json"
OURS = "static/wheels/start.mjs"
SETTINGS = "@jupyterlite/pyodide-kernel-extension:kernel"
KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
# What the kernel and this package need: all of it pure Python. Those that Pyodide's lock names have its versions.
NEEDED = (
    "micropip",
    "ipython",
    "comm",
    "ipywidgets",
    "anywidget",
    "psygnal",
    "typing-extensions",
    "mistune",
    "pygments",
    "hypothesis",
    "sortedcontainers",
    "cloudpickle",
    "platformdirs",
)
# What lessons use where it is there, and what they are without it; not pure Python, so that only Pyodide has it.
WANTED = {
    "matplotlib": "figures show their tables",
    "pandas": "cells that ask a DataFrame, in lessons 02, 05, 06 and 09, end with an error",
}
# How Pyodide starts. It looks for each module in the notebook's folder first, which in a browser costs a message to the
# page and back, several hundred times over; so that folder comes last.
START = """\
import {{ loadPyodide as load }} from "{0}pyodide.mjs";
export async function loadPyodide(options) {{
  const pyodide = await load({{ ...options, indexURL: new URL("{0}", import.meta.url).href }});
  pyodide.runPython("import sys; sys.path.append(sys.path.pop(sys.path.index('')))");
  return pyodide;
}}
"""
# The kernel asks for it by name; without it names are completed all the same, and two seconds are saved.
EMPTY = "jedi"
WHEEL = "Wheel-Version: 1.0\nGenerator: subword-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
LEFT_OUT = ("*.map", "*.d.ts", "*.html", "README.md", "*.tar", "*-tests.*")


def require(*modules: str) -> None:
    """CourseError, with what to do, if one of these modules is not installed."""
    for name in modules:
        if not importlib.util.find_spec(name):
            raise CourseError(
                f"{name} is not installed for {sys.executable}; "
                f"install it with: {sys.executable} -m pip install 'subword-lab-teach[site]'"
            )


def build_lab(out: Path, pyodide: Path | None) -> None:
    """Write JupyterLite into the new folder `out`. pyodide: see `site.build`."""
    require("jupyterlite_core", "jupyterlite_pyodide_kernel")
    address, base = _distribution(pyodide)
    with TemporaryDirectory() as folder:
        contents = Path(folder, "contents")
        for name in [
            *(lesson.file for lesson in lessons.LESSONS),
            lessons.GALLERY,
            lessons.GLOSSARY,
            lessons.SOURCES,
        ]:
            notebook = json.loads((lessons.folder() / name).read_text(encoding="utf-8"))
            notebook["metadata"]["kernelspec"] = KERNEL
            write_notebook(contents / name, notebook)
        run(
            "jupyterlite_core",
            "build",
            "--lite-dir",
            folder,
            "--contents",
            str(contents),
            "--apps",
            "lab",
            "--output-dir",
            str(out.resolve()),
            "--no-sourcemaps",
            folder=folder,
        )
    if pyodide:
        shutil.copytree(
            pyodide,
            out / "static" / "pyodide",
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns(*LEFT_OUT),
        )
    wheels = out / "static" / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    prefix = "../pyodide/" if pyodide else f"{address}/"
    names = _write_lock(base, prefix, pyodide, wheels, out)
    (out / OURS).write_text(START.format(prefix), encoding="utf-8")
    config = json.loads((out / "jupyter-lite.json").read_text(encoding="utf-8"))
    here = config["jupyter-config-data"]
    here["appName"] = "subword-lab"
    here.setdefault("litePluginSettings", {}).setdefault(SETTINGS, {}).update(
        pyodideUrl=f"./{OURS}",
        disablePyPIFallback=pyodide is not None,  # a site that brings all asks nobody
        loadPyodideOptions={"lockFileURL": f"./static/wheels/{LOCK}", "packages": names},
    )
    (out / "jupyter-lite.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def lacking(pyodide: Path) -> dict[str, str]:
    """Which packages of WANTED a folder with Pyodide does not hold, and what follows from that."""
    packages = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["packages"]
    return {
        name: what
        for name, what in WANTED.items()
        if name not in packages or not (pyodide / packages[name]["file_name"]).is_file()
    }


def _distribution(pyodide: Path | None) -> tuple[str, dict]:
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION

    if pyodide and not ((pyodide / "pyodide.mjs").is_file() and (pyodide / LOCK).is_file()):
        raise CourseError(
            f"{pyodide} holds no Pyodide; expected a folder with pyodide.mjs and {LOCK}, as the "
            f"distribution pyodide-{PYODIDE_VERSION}.tar.bz2 or the npm package pyodide has it"
        )
    lock = (pyodide / LOCK).absolute().as_uri() if pyodide else f"{PYODIDE_CDN_URL}/{LOCK}"
    try:
        with urllib.request.urlopen(lock, timeout=60) as answer:
            return PYODIDE_CDN_URL, json.load(answer)
    except (OSError, ValueError) as error:
        raise CourseError(
            f"the lock file of Pyodide {PYODIDE_VERSION} could not be read from {pyodide or PYODIDE_CDN_URL} "
            f"({error}); name a folder with Pyodide with --pyodide"
        ) from error


def run(*command: str, folder: str | None = None) -> None:
    """Run a module of Python's, in `folder`, where it may leave files; what it prints is told only if it fails."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", *command],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        cwd=folder,
    )
    if done.returncode:
        raise CourseError(f"{command[0]} failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")


# ------------------------------------------------------------------------------------------------------------ packages


def _write_lock(
    base: dict, prefix: str, pyodide: Path | None, wheels: Path, out: Path
) -> list[str]:
    """Write the lock file, and bring the wheels that it names; the names of the packages that a kernel begins with.

    prefix: where Pyodide's own packages are, as seen from the lock file, in which they have mere names of files.
    """
    packages = {_plain_name(name): entry for name, entry in base["packages"].items()}
    begun = list(NEEDED)
    for name in begun:  # which grows
        needs = map(_plain_name, packages.get(name, {}).get("depends", []))
        begun += [other for other in needs if other not in begun]
    kept = {
        name: {**entry, "file_name": prefix + entry["file_name"]}
        for name, entry in packages.items()
        if not pyodide or (pyodide / entry["file_name"]).is_file()
    }
    versions = {name: f"{name}=={entry['version']}" for name, entry in packages.items()}
    _download([versions.get(name, name) for name in begun if name not in kept], wheels)
    _write_wheel(wheels, "subword_lab", __version__, Path(subword_lab.__file__).parent)
    _write_wheel(wheels, EMPTY, "0")
    for wheel in [*wheels.glob("*.whl"), *out.glob("extensions/@jupyterlite/*/static/pypi/*.whl")]:
        name, version = wheel.name.split("-")[:2]
        kept[_plain_name(name)] = {
            "name": _plain_name(name),
            "version": version,
            "file_name": f"../../{wheel.relative_to(out).as_posix()}",
            "sha256": sha256(wheel.read_bytes()).hexdigest(),
            "install_dir": "site",
            "package_type": "package",
            "imports": [],
            "depends": [],
            "unvendored_tests": False,
        }
    kept.pop("widgetsnbextension", None)  # the page brings its own
    begun += ["subword-lab", EMPTY, "piplite", "pyodide-kernel", "ipykernel"]
    names = [name for name in kept if name in begun]
    kept |= {name: {**kept[name], "depends": []} for name in names}  # all of them are named
    (wheels / LOCK).write_text(json.dumps({**base, "packages": kept}, indent=1), encoding="utf-8")
    return names


def _plain_name(name: str) -> str:
    return name.replace("_", "-").lower()


def _download(requirements: list[str], folder: Path) -> None:
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION

    if requirements:
        run(
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--implementation",
            "py",
            "--abi",
            "none",
            "--platform",
            "any",
            "--python-version",
            PYODIDE_PYTHON_VERSION,
            "--dest",
            str(folder),
            *requirements,
        )


def _write_wheel(folder: Path, name: str, version: str, package: Path | None = None) -> None:
    """A package, or nothing, as a wheel without requirements: all that a kernel needs is brought along."""
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with TemporaryDirectory() as scratch:
        if package:
            shutil.copytree(
                package,
                Path(scratch, name),
                ignore=shutil.ignore_patterns("__pycache__", "notebooks"),
            )
        about = Path(scratch, f"{name}-{version}.dist-info")
        about.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        for file, text in ("METADATA", metadata), ("WHEEL", WHEEL), ("RECORD", ""):
            (about / file).write_text(text, encoding="utf-8")
        Path(shutil.make_archive(str(wheel), "zip", scratch)).rename(wheel)
