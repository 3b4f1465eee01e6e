"""Forty notebooks of thirty exercises: python tests/benchmarks/grading.py [LEARNERS]

Writes a class with planted mistakes, marks it in the sandbox and without one, and says how long it took, and what share
of the planted mistakes was named rightly.
"""
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from planted import MISTAKES

from subword_lab import exercises
from subword_lab.workshop import NoSandbox, grade, rehearsal
from subword_lab.workshop.report import write_report

CODE = ["text-12", "text-14", "bpe-15", "bpe-16", "bpe-17", "bpe-18", "bpe-19", "wordpiece-16", "wordpiece-18",
        "unigram-16"]


def thirty() -> list[str]:
    """Ten exercises that ask for code, and twenty others from all lessons."""
    others = [id for id, exercise in exercises.catalog().items() if exercise.kind.name not in ("function", "repair")]
    return [id for id in exercises.ids() if id in CODE or id in others[::len(others) // 20 + 1] + others[-3:]][:30]


def main(learners: int) -> None:
    ids = thirty()
    with tempfile.TemporaryDirectory() as folder:
        planted = rehearsal.rehearse(Path(folder) / "in", ids, rehearsal.names(learners), seed=7, mistakes=MISTAKES)
        for trust in (False, True):
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            try:
                grades = grade(Path(folder) / "in", seed=7, trust=trust)
            except NoSandbox as error:
                print(error)
                continue
            seconds, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            where = "trusted" if trust else "in the sandbox"
            print(f"{learners} notebooks of {len(ids)} exercises, {where}: {seconds:.0f} s, "
                  f"{cpu:.0f} s of processor time, on {os.cpu_count()} processors")
        write_report(Path(folder) / "report.html", grades)
        told = {(row.learner.name, id): entry["label"] for row in grades.rows for id, entry in row.answers.items()}
        wrong = [(learner, id, what) for learner, plan in planted.items() for id, what in plan.items()
                 if what not in ("", "correct")]
        named = sum(told.get((learner, id)) == what for learner, id, what in wrong)
        print(f"{named} of {len(wrong)} planted mistakes were named rightly; the report has "
              f"{(Path(folder) / 'report.html').stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
