"""The room that runs strangers' code, a learner's function or notebook, in processes that are gone afterwards.

    running.run(function, cases)                # calls a function, and says what came of each case
    running.Session(cells, settings)            # runs a notebook, and tells what it hands over
    running.trial(settings)                     # why no notebook can be run here, if so

It judges nothing and knows no exercises. `function` and `notebook` stand outside and trust nobody; `function_child` and
`notebook_child` are what they start, inside, in a `Process` with `doors` and, for notebooks, a `sandbox`; between them
go `messages`, which hold plain `values`.
"""
from .function import Limits, Run, run
from .messages import READY, Result
from .notebook import Session, Settings, trial
from .notebook_child import Cell, Outside

__all__ = ["READY", "Cell", "Limits", "Outside", "Result", "Run", "Session", "Settings", "run", "trial"]
