"""What every test shares: progress is kept in memory, and texts that are not part of the project are looked for."""
import os
from pathlib import Path

import pytest

os.environ["SUBWORD_LAB_HOME"] = ":memory:"           # before anything is imported, and for the notebooks' kernels too

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def wikitext_dir() -> Path:
    """The folder with WikiText-2's valid.txt and test.txt, which the project does not ship."""
    folder = Path(os.environ.get("SUBWORD_LAB_WIKITEXT", ROOT.parent / "shared" / "data" / "wikitext-2"))
    if not (folder / "valid.txt").is_file():
        pytest.skip(f"the full WikiText-2 text is not at {folder}; set SUBWORD_LAB_WIKITEXT to a folder that holds it")
    return folder


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Skips where notebooks cannot be run in a sandbox."""
    from subword_lab.workshop import NoSandbox
    from subword_lab.workshop.grading import require_sandbox

    try:
        require_sandbox()
    except NoSandbox as error:
        pytest.skip(str(error))
