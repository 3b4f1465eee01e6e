"""Starts a child process of this room: `child.py _running.function_child` or `subword_lab.running.notebook_child`.

Under the first name the room's files are found without the package around them: importing that would take longer, and
it is not for a learner's function.
"""

import gc
import importlib
import os
import sys
import types

if __name__ == "__main__":
    gc.disable()  # while everything is imported there is nothing to collect
    room, folder = sys.argv[1].rpartition(".")[0], os.path.dirname(__file__)
    if room == "_running":
        sys.modules[room] = types.ModuleType(room)
        sys.modules[room].__path__ = [folder]
    else:
        sys.path.insert(0, os.path.dirname(os.path.dirname(folder)))
    importlib.import_module(sys.argv[1]).main()
