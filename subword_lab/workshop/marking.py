"""What a notebook's answers are worth: run it in a session, and judge each answer here, with our own copy of the bank.

Of the answers to one exercise that one cell gives, the last counts; of the cells, the best. So a learner may keep an
earlier attempt in the notebook, or a copy of a cell, and a loop over all possible answers gains nothing.
"""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..exercises import COSTLY, Exercise, Feedback, Instance, catalog
from ..running import READY, Cell, Limits, Run, Session
from ..running.notebook import SECONDS
from ..running.values import encode, shortened
from . import answers, submissions
from .answers import Answer

MOST_FUNCTIONS = 150                            # that are called for one notebook
MOST_ANSWERS = 1000
KEPT = {"answer": 500, "message": 2_000, "evidence": 4_000}                 # characters
ENDINGS = {
    "timeout": "the whole notebook was still running after {seconds:g} seconds",
    "output": "it sent more than could be answers",
    "processes": "it started too many processes",
    "memory": "it took too much memory",
    "gone": "it ended its own process",
}


@dataclass(frozen=True)
class Job:
    """One notebook to be marked, and how.

    seed, secret: the class's seed, and the number that decides on hidden inputs; None if there is none. name: the
    learner's, for the variants of a notebook that does not say itself to whom it was handed out.
    """
    path: str
    member: str = ""
    problem: str = ""
    name: str = ""
    seed: int | None = None
    secret: int | None = None
    seconds: float = SECONDS
    trust: bool = False
    exercises_file: str = ""


def mark(job: Job) -> dict:
    """The marks of a notebook, in plain values: what was answered how, what failed, and what is to be remarked."""
    submission = submissions.Submission(submissions.Learner(job.name, job.name), "", Path(job.path), job.member,
                                        job.problem)
    try:
        notebook = submissions.parse(submission.read())
    except submissions.Refused as error:
        return marks(problem=str(error))
    bank = catalog([job.exercises_file] if job.exercises_file else [])
    learner = notebook.learner if notebook.learner is not None else job.name if job.seed is not None else ""
    seed = job.seed if job.seed is not None else notebook.seed or 0
    settings = answers.settings(seed, learner, job.exercises_file, seconds=job.seconds, trust=job.trust)
    desk = _Desk(bank, job, seed, learner, len(notebook.cells))
    with Session(notebook.cells, settings) as session:
        for message in session:
            desk.take(message, session)
    found = list(dict.fromkeys(notebook.mentioned(bank) + desk.untouched))
    if not desk.started:
        return marks(problem=f"no process could be started for it {session.complaint}".strip(), own_fault=False)
    result = marks(answers=desk.answers(), found=found, failures=desk.failures, handed_to=notebook.learner)
    if session.ended != "done":
        words = f"in cell {desk.cell}, {ENDINGS[session.ended].format(seconds=job.seconds)}"
        result["stopped" if result["answers"] else "problem"] = words
    if notebook.seed is not None and notebook.seed != seed:
        result["remarks"].append(f"it was handed out with seed {notebook.seed}")
    return result


def marks(problem: str = "", **more: object) -> dict:
    """The form of a notebook's marks. problem: why there are none; own_fault: whether the notebook is to blame."""
    return {"problem": problem, "stopped": "", "answers": [], "found": [], "failures": [], "remarks": [],
            "handed_to": None, "own_fault": True, **more}


class _Desk:
    """Where the messages of one notebook arrive. None of them is taken at its word."""

    def __init__(self, bank: dict[str, Exercise], job: Job, seed: int, learner: str, cells: int):
        self.bank, self.job, self.seed, self.learner, self.cells = bank, job, seed, learner, cells
        self.cell, self.started, self.functions = 0, False, 0
        self.failures: list[dict] = []
        self.untouched: list[str] = []
        self._waiting: dict[tuple[str, int], Answer] = {}       # values, judged at the end: the last of a cell counts
        self._judged: dict[tuple[str, int], dict] = {}

    def take(self, message: object, session: Session) -> None:
        if message == READY:
            self.started = True
        elif isinstance(message, Cell) and 1 <= message.number <= self.cells:
            self.cell = message.number
            if message.error and len(self.failures) < self.cells:
                self.failures.append({"cell": message.number, "error": message.error[:60],
                                      "message": message.message[:200]})
        elif isinstance(message, Answer):
            if self._could_be(message):
                self._take_answer(message, session)
            if message.form == "function":
                session.finish_run()

    def _take_answer(self, answer: Answer, session: Session) -> None:
        key = answer.exercise, self.cell
        if answer.form == "untouched":
            self.untouched += [answer.exercise] * (answer.exercise not in self.untouched)
        elif answer.form == "function":
            self.functions += 1
            if self.functions <= MOST_FUNCTIONS:
                self._waiting.pop(key, None)
                self._judged[key] = self._entry(self.cell, answer, self._call(answer, session), "a function")
        elif key in self._waiting or len(self._waiting) < MOST_ANSWERS:
            self._judged.pop(key, None)
            self._waiting[key] = answer

    def answers(self) -> list[dict]:
        """What each answer is worth."""
        for key, answer in self._waiting.items():
            self._judged[key] = self._entry(key[1], answer, *self._value(answer))
        return [self._judged[key] for key in sorted(self._judged, key=lambda key: (key[1], key[0]))]

    def _could_be(self, answer: Answer) -> bool:
        """Whether this names an exercise, and a variant, that there could be."""
        return (answer.exercise in self.bank and abs(answer.seed) < 10**18 and len(answer.learner) <= 200
                and 0 <= answer.turn < 1000)

    def _instance(self, answer: Answer) -> Instance:
        """The variant that counts: the one handed out with the class's seed, or else the one that was answered."""
        exercise = self.bank[answer.exercise]
        if self.job.seed is not None:
            return Instance(exercise, self.seed, self.learner)
        return Instance(exercise, answer.seed, answer.learner, answer.turn)

    def _value(self, answer: Answer) -> tuple[Feedback, str]:
        instance = self._instance(answer)
        if answer.form == "unusable":
            words = f"I expected {instance.kind.form}, and got {str(answer.value)[:200]}."
            return Feedback("invalid", 0.0, words, exercise=instance.id), ""
        try:
            if len(json.dumps(encode(answer.value))) > answers.LONGEST:
                raise ValueError("an answer that no notebook of ours would send")
            feedback, shown = instance.judged(answer.value)
            return feedback, shown if feedback.outcome in COSTLY else f"{answer.value!r:.200}"
        except Exception as error:
            return _not_judged(instance, error), ""

    def _call(self, answer: Answer, session: Session) -> Feedback:
        instance = self._instance(answer)
        try:
            secret = self.job.secret if self.job.secret is not None else self.job.seed
            return instance.judge(_there, run=partial(_in_session, session), secret=secret, search=False)
        except Exception as error:
            return _not_judged(instance, error)

    def _entry(self, cell: int, answer: Answer, feedback: Feedback, shown: str) -> dict:
        other = self.job.seed is not None and (answer.seed, answer.learner, answer.turn) != (self.seed, self.learner, 0)
        told = {"answer": shown, "message": feedback.message, "evidence": feedback.evidence}
        return {"exercise": answer.exercise, "cell": cell, "outcome": feedback.outcome,
                "score": feedback.score, "label": feedback.label, "other_variant": other,
                **{name: shortened(_printable(text), KEPT[name]) for name, text in told.items()}}


def _there(*_: object) -> None:
    """Stands for a function that is in the notebook's process."""
    raise RuntimeError("this function can only be called in its own process")


def _in_session(session: Session, function: object, cases: Sequence[tuple], *, limits: Limits,
                allow: Sequence[str]) -> Run:
    return session.run(cases, limits=limits, allow=allow)


def _not_judged(instance: Instance, error: Exception) -> Feedback:
    return Feedback("error", 0.0, f"This answer could not be judged ({type(error).__name__}).", exercise=instance.id)


def _printable(text: str) -> str:
    """The text with a form in UTF-8, which half characters do not have."""
    return text.encode("utf-8", "backslashreplace").decode()
