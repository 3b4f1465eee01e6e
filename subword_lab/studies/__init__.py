"""Questions asked of models from outside: how far merging gets, and how the four tokenizers compare.

The algorithms know nothing of this room; lessons, exercises and documented examples ask it.
"""
from . import merging, side_by_side

__all__ = ["merging", "side_by_side"]
