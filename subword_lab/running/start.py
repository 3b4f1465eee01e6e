"""Starts `child` in a process of its own, with this folder as a package that stands alone.

The course around it takes longer to import, and is not for a learner's function.
"""

import importlib
import sys
import types
from pathlib import Path

if __name__ == "__main__":
    room = sys.modules["running"] = types.ModuleType("running")
    room.__path__ = [str(Path(__file__).parent)]
    importlib.import_module("running.child").main()
