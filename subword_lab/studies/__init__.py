"""Questions asked of models from outside: how far merging gets, how the four tokenizers compare, and what if.

The algorithms know nothing of this room; lessons, exercises and documented examples ask it.
"""
from . import merging, side_by_side, what_if

__all__ = ["merging", "side_by_side", "what_if"]
