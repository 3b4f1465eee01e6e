"""Starts a child process of this room: `child.py function_child`.

The room's files are found under another name, without the package around them: importing it would take longer, and it
is not for a learner's function.
"""
import gc
import importlib
import os
import sys
import types

ROOM = "_running"

if __name__ == "__main__":
    gc.disable()                                # while everything is imported there is nothing to collect
    room = sys.modules[ROOM] = types.ModuleType(ROOM)
    room.__path__ = [os.path.dirname(__file__)]
    importlib.import_module(f"{ROOM}.{sys.argv[1]}").main()
