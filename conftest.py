"""What tests, lessons and doctests share: progress is kept in memory, and what is random is the same in every run."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["SUBWORD_LAB_HOME"] = (
    ":memory:"  # before anything is imported, and for the notebooks' kernels too
)

# Each of the hundreds of processes that the tests start would compile the course anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# As for a library, so that what one process compiles serves all of them.
os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that the tests start and stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

sys.modules.setdefault(
    "rfc3987_syntax", None
)  # checks addresses; nobody asks, and it loads for two seconds
pytest_plugins = [] if "nbval.plugin" in sys.modules else ["nbval.plugin"]  # would load it

ROOT = Path(__file__).resolve().parent
collect_ignore = ["extras/fast/hatch_build.py"]  # of a wheel that is built, where hatchling is
os.environ.setdefault(
    "SUBWORD_LAB_SOURCES", str(ROOT.parent / "shared" / "sources")
)  # their texts are not shipped

settings.register_profile("suite", derandomize=True, database=None, deadline=None, max_examples=60)
settings.register_profile("fast", settings.get_profile("suite"), max_examples=15)
settings.register_profile("nightly", deadline=None, max_examples=3000, print_blob=True)


def pytest_configure(config):
    """How Hypothesis tries: the same inputs in every run, unless another profile is named; fewer in a fast run."""
    fast = config.option.markexpr == "not slow"
    settings.load_profile(config.getoption("--hypothesis-profile") or ("fast" if fast else "suite"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are processors, as tests also wait: for browsers, for kernels, for limits of time."""
    return (os.cpu_count() or 1) + 1


# Files that take long come first, the longest before the others, so that no worker is left alone with one of them at
# the end; and before all of them the one that compiles what others use.
LONG = """
    test_library test_lessons test_playgrounds test_exercises 09_lab test_grade test_front test_pages test_panels
    test_answers test_slides test_fast_encoding test_cli test_sandbox test_workshop test_documented instructor_guide
    test_forms sources 04_compression_bpe
""".split()

TOGETHER = {
    **dict.fromkeys(["browser/test_front", "browser/test_pages", "teach/test_site"], "site"),
    **dict.fromkeys(["browser/test_lessons", "browser/test_playgrounds"], "JupyterLab"),
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Files go to workers as a whole; those that share what takes long to start, to one worker."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return TOGETHER.get(file.removeprefix("tests/").removesuffix(".py"), file)

    return Scheduling(config, log)


def pytest_collection_modifyitems(items):
    """Lessons are slow tests, as each needs a kernel, and so is what needs the compiler."""
    items.sort(key=lambda item: LONG.index(item.path.stem) if item.path.stem in LONG else len(LONG))
    for item in items:
        compiled = item.path.match("extras/fast/*/*.py") or item.path.parent.name == "fast"
        if item.path.suffix == ".ipynb" or compiled:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def wikitext_dir() -> Path:
    """The folder with WikiText-2's valid.txt and test.txt, which the project does not ship."""
    folder = Path(
        os.environ.get("SUBWORD_LAB_WIKITEXT", ROOT.parent / "shared" / "data" / "wikitext-2")
    )
    if not (folder / "valid.txt").is_file():
        pytest.skip(
            f"the full WikiText-2 text is not at {folder}; set SUBWORD_LAB_WIKITEXT to a folder that holds it"
        )
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder with the site's pages; the vocabulary that they can ask for is not there yet."""
    from subword_lab_teach.site.pages import write_pages

    return write_pages(tmp_path_factory.mktemp("site"), has_vocabulary=True).parent


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Skips where notebooks cannot be run in a sandbox."""
    from subword_lab_teach import NoSandbox
    from subword_lab_teach.grading import require_sandbox

    try:
        require_sandbox()
    except NoSandbox as error:
        pytest.skip(str(error))
