"""The room that runs strangers' code, a learner's function or notebook, in processes that are gone afterwards.

    running.run(function, cases)                # calls a function, and says what came of each case
    running.calls(function)                     # the same, for cases that are thought of one after another
    running.Session(cells, settings)            # runs a notebook, and passes on what it hands over

It judges nothing and knows no exercises. `function` and `notebook` stand outside and trust nobody; they start
`function_child` and `notebook_child` in `processes`, behind `doors` or in a `sandbox`; between them go `messages`, made
of plain `values`.
"""

from .function import Limits, Run, calls, run
from .messages import READY, Result
from .notebook import Session, Settings, trial
from .notebook_child import Cell, Outside

__all__ = [
    "READY",
    "Cell",
    "Limits",
    "Outside",
    "Result",
    "Run",
    "Session",
    "Settings",
    "calls",
    "run",
    "trial",
]
