"""The room in which a learner's function runs: a process of its own, with limits, that is gone afterwards.

    running.run(function, cases)                # calls a function, and says what came of each case

It judges nothing and knows no exercises. `function` stands outside, and has `start` run `child` in the process; the
function goes there as one of `pickles`, and what it returns comes back as plain `values`.
"""

from .child import Result
from .function import CAN_START_PROCESSES, Limits, Run, run

__all__ = ["CAN_START_PROCESSES", "Limits", "Result", "Run", "run"]
