"""The room in which a learner's function runs: a process of its own, with limits, that is gone afterwards.

    running.run(function, cases)                # calls a function, and says what came of each case
    running.Calls(function)                     # the same, for cases that are thought of one after another

It judges nothing and knows no exercises. `function` stands outside; it has `start` run `child` in one of the
`processes`; between them go `messages`, made of plain `values`.
"""

from .function import CAN_START_PROCESSES, Calls, Limits, Run, run
from .messages import Result

__all__ = ["CAN_START_PROCESSES", "Calls", "Limits", "Result", "Run", "run"]
