"""One notebook's run, seen from outside: its process is started, listened to, called back, and ended.

What comes from there is a claim, made of plain values, and nothing else. The process ends when its time is over, when
it sends too much, or when it and all that it started take too much memory or are too many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from . import sandbox
from .function import Limits, Run, bounded
from .messages import DONE, Result, Stage
from .notebook_child import Call, Cell, Notebook
from .processes import Process, python

SECONDS = 120.0  # for a notebook
CELL_SHARE = 1 / 6  # of that time for each of its cells
MEMORY = 2 * 2**30  # bytes, of the process and all that it started
PROCESSES = 64  # at once
MOST_SENT = 50_000_000  # bytes
LIMITS = {"AS": MEMORY, "FSIZE": 50_000_000, "NOFILE": 256, "CORE": 0}


@dataclass(frozen=True)
class Settings:
    """How a notebook is run.

    seconds: for how long. trust: without the sandbox. files: what it may read beside Python and this package.
    variables: of its environment. taker: the name, such as "package.module:Class", of what takes its answers inside;
    it is called with the `Outside`, and its `names`, if it has any, are there for the cells. kinds: of the messages
    that the taker sends, dataclasses.
    """

    seconds: float = SECONDS
    trust: bool = False
    files: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    taker: str = ""
    kinds: Sequence[type] = ()


class Session(Process):
    """A running notebook. Iterate over its messages; in between, `run` calls the function that it has just lent.

    The messages are READY, Cells and those of the taker. Afterwards `ended` says how it ended: "done", "gone" (by
    itself, or killed), "timeout", "output" (it wrote too much), "processes" or "memory".
    """

    def __init__(self, cells: Sequence[str], settings: Settings):
        limits = {**LIMITS, "CPU": int(settings.seconds) + 10}
        limits |= {} if settings.trust else {"NPROC": sandbox.PROCESSES}
        wrapped = [] if settings.trust else sandbox.bubblewrap(*settings.files)
        super().__init__(
            [*wrapped, *python("subword_lab.running.notebook_child")],
            (Stage, Cell, Run, *settings.kinds),
            seconds=settings.seconds,
            most=MOST_SENT,
            home="" if settings.trust else sandbox.HOME,
            keep=("PATH", "LANG"),
            variables={"MPLBACKEND": "agg", **settings.variables},
        )
        self.watch(PROCESSES, MEMORY)
        self.tell(
            Notebook(
                list(cells),
                settings.seconds * CELL_SHARE,
                limits,
                sandbox.libraries(),
                settings.taker,
            )
        )

    def __iter__(self) -> Iterator[object]:
        while message := self.next():
            if message == DONE:
                self.ended = "done"
                return
            yield message

    def run(self, cases: Sequence[tuple], *, limits: Limits, allow: Sequence[str] = ()) -> Run:
        """As `running.run`: what came of each case, for the function that the notebook has just lent."""
        self.tell(Call(list(cases), limits, list(allow)))
        run = self.next()
        if not isinstance(run, Run):
            run = Run(
                "protocol", message="The process in which the function ran stopped answering."
            )
        if run.outcome == "invalid":
            return Run("invalid", message=run.message)
        results = [bounded(result) for result in run.results[: len(cases)]] or [Result("protocol")]
        return replace(run, results=[*results, *[Result("not run")] * len(cases)][: len(cases)])

    def finish_run(self) -> None:
        """Let the notebook go on after a function was called."""
        self.tell(DONE)


def trial(settings: Settings) -> str:
    """Why no notebook can be run so on this machine; "" if it works."""
    with Session(["1 + 1"], settings) as session:
        for _ in session:
            pass
    return "" if session.ended == "done" else session.complaint or f"it ended ({session.ended})"
