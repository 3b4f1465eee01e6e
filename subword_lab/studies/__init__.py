"""Questions asked of models from outside: how far merging gets, how tokenizers and libraries compare, what if.

The algorithms know nothing of this room; lessons, exercises and documented examples ask it.
"""

from . import asked, differences, merging, side_by_side, speed, todays_models, what_if

__all__ = ["asked", "differences", "merging", "side_by_side", "speed", "todays_models", "what_if"]
