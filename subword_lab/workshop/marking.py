"""What a notebook's answers are worth: run it in a session, and judge each answer here, with our own copy of the bank.

Of the answers to one exercise that one cell gives, the last counts; of the cells, the best. So a learner may keep an
earlier attempt in the notebook, or a copy of a cell, and a loop over all possible answers gains nothing.
"""
from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..exercises import COSTLY, Feedback, Instance, catalog
from ..running import function_child as runner_child
from ..running.notebook import Session, Settings
from ..running.notebook_child import LONGEST_ANSWER
from . import submissions

MOST_FUNCTIONS = 150                            # that are called for one notebook
MOST_ANSWERS = 1000
KEPT = {"answer": 500, "message": 2_000, "evidence": 4_000}                 # characters
ENDINGS = {
    "timeout": "the whole notebook was still running after {seconds:g} seconds",
    "flood": "it sent more than could be answers",
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
    seconds: float = 120.0
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
    settings = Settings(seed=seed, learner=learner, seconds=job.seconds, trust=job.trust,
                        exercises_file=job.exercises_file)
    desk = _Desk(bank, job, settings, len(notebook.cells))
    with Session(notebook.cells, settings) as session:
        for message in session:
            desk.take(message, session)
    found = list(dict.fromkeys(notebook.mentioned(bank) + desk.untouched))
    if not desk.started:
        said = session.said.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        return marks(problem=f"no process could be started for it {said}".strip(), own_fault=False)
    result = marks(answers=desk.answers(), found=found, failures=desk.failures, handed_to=notebook.learner)
    if session.ended != "done":
        words = f"in cell {desk.cell}, {ENDINGS[session.ended].format(seconds=job.seconds)}"
        result["stopped" if result["answers"] else "problem"] = words
    if notebook.seed is not None and notebook.seed != seed:
        result["remarks"].append(f"it was handed out with seed {notebook.seed}")
    return result


def marks(problem: str = "", **more) -> dict:
    """The form of a notebook's marks. problem: why there are none; own_fault: whether the notebook is to blame."""
    return {"problem": problem, "stopped": "", "answers": [], "found": [], "failures": [], "remarks": [],
            "handed_to": None, "own_fault": True, **more}


class _Desk:
    """Where the messages of one notebook arrive. None of them is taken at its word."""

    def __init__(self, bank, job: Job, settings: Settings, cells: int):
        self.bank, self.job, self.settings, self.cells = bank, job, settings, cells
        self.cell, self.started, self.functions = 0, False, 0
        self.failures: list[dict] = []
        self.untouched: list[str] = []
        self._waiting: dict[tuple[str, int], dict] = {}         # values, judged at the end: the last of a cell counts
        self._judged: dict[tuple[str, int], dict] = {}

    def take(self, message: dict, session: Session) -> None:
        what = message.get("is")
        if what == "ready":
            self.started = True
        elif what == "cell" and self._is_cell(message):
            self.cell = message["cell"]
        elif what == "failed" and self._is_cell(message) and len(self.failures) < self.cells:
            self.failures.append({"cell": message["cell"], "error": str(message.get("error"))[:60],
                                  "message": str(message.get("message"))[:200]})
        elif what == "function":
            if self._is_about(message):
                self._call(message, session)
            session.finish_run()
        elif what == "value" and self._is_about(message):
            key = message["exercise"], message["cell"]
            if key in self._waiting or len(self._waiting) < MOST_ANSWERS:
                self._judged.pop(key, None)
                self._waiting[key] = message
        elif what == "untouched" and self._is_about(message) and message["exercise"] not in self.untouched:
            self.untouched.append(message["exercise"])

    def answers(self) -> list[dict]:
        """What each answer is worth."""
        for key, message in self._waiting.items():
            self._judged[key] = self._entry(message, *self._value(message))
        return [self._judged[key] for key in sorted(self._judged, key=lambda key: (key[1], key[0]))]

    def _is_cell(self, message: dict) -> bool:
        return type(message.get("cell")) is int and 1 <= message["cell"] <= self.cells

    def _is_about(self, message: dict) -> bool:
        """Whether this names an exercise, and a variant, that there could be."""
        seed, learner, turn = (message.get(name) for name in ("seed", "learner", "turn"))
        return (isinstance(message.get("exercise"), str) and message["exercise"] in self.bank
                and self._is_cell(message) and type(seed) is int and abs(seed) < 10**18
                and isinstance(learner, str) and len(learner) <= 200 and type(turn) is int and 0 <= turn < 1000)

    def _instance(self, message: dict) -> Instance:
        """The variant that counts: the one handed out with the class's seed, or else the one that was answered."""
        exercise = self.bank[message["exercise"]]
        if self.job.seed is not None:
            return Instance(exercise, self.settings.seed, self.settings.learner)
        return Instance(exercise, message["seed"], message["learner"], message["turn"])

    def _value(self, message: dict) -> tuple[Feedback, str]:
        instance = self._instance(message)
        if "unusable" in message:
            words = f"I expected {instance.kind.form}, and got {str(message['unusable'])[:200]}."
            return Feedback("invalid", 0.0, words, exercise=instance.id), ""
        try:
            if len(json.dumps(message["value"])) > LONGEST_ANSWER:
                raise ValueError("an answer that no notebook of ours would send")
            value = runner_child.decode(message["value"])
            feedback, shown = instance.judged(value)
            return feedback, shown if feedback.outcome in COSTLY else f"{value!r:.200}"
        except Exception as error:
            return _not_judged(instance, error), ""

    def _call(self, message: dict, session: Session) -> None:
        self.functions += 1
        if self.functions > MOST_FUNCTIONS:
            return
        instance, key = self._instance(message), (message["exercise"], message["cell"])
        try:
            secret = self.job.secret if self.job.secret is not None else self.job.seed
            feedback = instance.judge(_there, run=partial(_in_session, session), secret=secret, search=False)
        except Exception as error:
            feedback = _not_judged(instance, error)
        self._waiting.pop(key, None)
        self._judged[key] = self._entry(message, feedback, "a function")

    def _entry(self, message: dict, feedback: Feedback, answer: str) -> dict:
        variant = [message["seed"], message["learner"], message["turn"]]
        other = self.job.seed is not None and variant != [self.settings.seed, self.settings.learner, 0]
        told = {"answer": answer, "message": feedback.message, "evidence": feedback.evidence}
        return {"exercise": message["exercise"], "cell": message["cell"], "outcome": feedback.outcome,
                "score": feedback.score, "label": feedback.label, "other_variant": other,
                **{name: _shortened(text, KEPT[name]) for name, text in told.items()}}


def _there(*_):
    """Stands for a function that is in the notebook's process."""
    raise RuntimeError("this function can only be called in its own process")


def _in_session(session: Session, function, cases, *, limits, allow):
    return session.run(cases, limits=limits, allow=allow)


def _not_judged(instance: Instance, error: Exception) -> Feedback:
    return Feedback("error", 0.0, f"This answer could not be judged ({type(error).__name__}).", exercise=instance.id)


def _shortened(text: str, most: int) -> str:
    text = text.encode("utf-8", "backslashreplace").decode()                   # half characters have no UTF-8 form
    return text if len(text) <= most else text[:most] + " ..."
