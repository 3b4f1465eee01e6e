"""Forty notebooks of thirty exercises: python tests/benchmarks/grading.py [LEARNERS]

Writes a class with planted mistakes, marks it in the sandbox and without one, and says in a table how long that took,
and how many of the planted mistakes were named rightly.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import pandas

sys.path.append(str(Path(__file__).resolve().parent.parent))

from planted import MISTAKES
from subword_lab_teach import NoSandbox, grade, rehearsal, write_report
from subword_lab_teach.report import answers

from subword_lab import exercises

CODE = [
    "text-12",
    "text-14",
    "bpe-15",
    "bpe-16",
    "bpe-17",
    "bpe-18",
    "bpe-19",
    "wordpiece-16",
    "wordpiece-18",
    "unigram-16",
]


def thirty() -> list[str]:
    """Ten exercises that ask for code, and twenty others from all lessons."""
    others = [
        id
        for id, exercise in exercises.catalog().items()
        if exercise.kind.name not in ("function", "repair")
    ]
    return [
        id
        for id in exercises.ids()
        if id in CODE or id in others[:: len(others) // 20 + 1] + others[-3:]
    ][:30]


def main(learners: int) -> None:
    ids, runs = thirty(), {}
    with tempfile.TemporaryDirectory() as folder:
        planted = rehearsal.rehearse(
            Path(folder) / "in", ids, rehearsal.names(learners), seed=7, mistakes=MISTAKES
        )
        wrong = {
            (learner, id, what)
            for learner, plan in planted.items()
            for id, what in plan.items()
            if what not in ("", "correct")
        }
        for where, trust in (("in the sandbox", False), ("trusted", True)):
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            try:
                grades = grade(Path(folder) / "in", seed=7, trust=trust)
            except NoSandbox as error:
                print(error, file=sys.stderr)
                continue
            seconds, after = (
                time.monotonic() - started,
                resource.getrusage(resource.RUSAGE_CHILDREN),
            )
            named = wrong & set(
                answers(grades)[["learner", "exercise", "label"]].itertuples(index=False, name=None)
            )
            write_report(Path(folder) / "report.html", grades)
            runs[where] = {
                "notebooks": learners,
                "exercises": len(ids),
                "seconds": seconds,
                "of processors": after.ru_utime
                + after.ru_stime
                - before.ru_utime
                - before.ru_stime,
                "processors": os.cpu_count(),
                "planted": len(wrong),
                "named rightly": len(named),
                "report, MB": (Path(folder) / "report.html").stat().st_size / 1e6,
            }
    print(pandas.DataFrame.from_dict(runs, orient="index").round(1).to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
