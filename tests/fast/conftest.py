"""What the tests of the compiled engine share; without the extra there are none."""

from contextlib import contextmanager
from importlib.util import find_spec
from unittest import mock

import pytest

from subword_lab import Tokenizer, text

if find_spec("subword_lab_fast") is None:
    collect_ignore_glob = ["test_*.py"]


@contextmanager
def no_waiting():
    """Compiled code is worth while for any work, however small."""
    with (
        mock.patch.multiple("subword_lab.engines", LOADED=0, CALL=0),
        mock.patch("subword_lab_fast.engine.wait", return_value=0),
    ):
        yield


@pytest.fixture(scope="session")
def compiled():
    """What lets a test have compiled code for any work."""
    return no_waiting


@pytest.fixture(scope="session")
def tokenizer():
    """Byte-level BPE of a few hundred tokens."""
    return Tokenizer.train(text.load_passage().splitlines(), vocab_size=600)
