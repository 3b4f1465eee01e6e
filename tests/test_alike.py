"""What the four algorithms have in common."""
import dataclasses
import inspect

import pytest

from subword_lab import bpe, compression, unigram, wordpiece


@pytest.mark.parametrize("algorithm", [bpe, wordpiece, unigram, compression], ids=lambda module: module.__name__)
def test_models_and_steps_cannot_be_changed(algorithm):
    classes = [found for _, found in inspect.getmembers(algorithm, dataclasses.is_dataclass)
               if found.__module__ == algorithm.__name__]
    assert len(classes) >= 2
    assert [found.__name__ for found in classes if not found.__dataclass_params__.frozen] == []
