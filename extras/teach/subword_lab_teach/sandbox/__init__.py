"""Strangers' notebooks: each runs in a process of its own, with limits, inside bubblewrap, and is judged outside.

    sandbox.Session(cells, settings)            # runs a notebook, and passes on what it hands over
    sandbox.trial(settings)                     # why that does not work on this machine

`notebook` stands outside and trusts nobody; it starts `notebook_child` behind `bubblewrap`.
"""

from subword_lab.running import Limits, Result, Run
from subword_lab.running.messages import READY

from .bubblewrap import is_installed
from .notebook import SECONDS, Session, Settings, trial
from .notebook_child import Cell, Outside

__all__ = [
    "READY",
    "SECONDS",
    "Cell",
    "Limits",
    "Outside",
    "Result",
    "Run",
    "Session",
    "Settings",
    "is_installed",
    "trial",
]
