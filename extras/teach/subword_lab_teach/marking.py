"""What a notebook's answers are worth: run it in a session, and judge each answer here, with our own copy of the bank.

Of several answers to one exercise the last counts, so trying out all of them gains nothing; one that is blank or cannot
be read never takes the place of another, and one to
other figures only counts where there is none to those that are due.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from subword_lab.exercises import COSTLY, OUTCOMES, Feedback, Instance, catalog, load_file
from subword_lab.exercises.own import questions
from subword_lab.running import Run
from subword_lab.running.values import encode

from . import submissions
from .answers import LONGEST, Answer
from .likeness import fingerprint
from .sandbox.messages import DONE, READY
from .sandbox.notebook import SECONDS, Session
from .sandbox.notebook_child import Cell
from .submissions import Notebook, printable

MOST_FUNCTIONS = 150  # that are called for one notebook
MOST_ANSWERS = 1000
MANY = 4  # different answers to one exercise are worth a remark
KEPT = {"message": 2_000, "evidence": 4_000, "answer": 500}  # characters; of other texts 300
ENDINGS = {
    "timeout": "the whole notebook was still running after {seconds:g} seconds",
    "output": "it sent more than could be answers",
    "processes": "it started too many processes",
    "memory": "it took too much memory",
    "gone": "it ended its own process",
}


@dataclass(frozen=True)
class Job:
    """How a notebook is to be marked.

    name: the learner's, as the path has it. due: whose variants are due; None for those of whom the notebook says that
    it was handed out to, or else the learner's. seed, secret: the class's seed, and the number that decides on hidden
    inputs; None if there is none.
    """

    name: str = ""
    seed: int | None = None
    secret: int | None = None
    seconds: float = SECONDS
    trust: bool = False
    exercises_file: str = ""
    due: str | None = None


class _Printable:
    """A dataclass whose texts any file can hold, whoever wrote them."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, str):
                value = printable(value, KEPT.get(name, 300))
            elif isinstance(value, list):
                value = [printable(one) if isinstance(one, str) else one for one in value]
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Marked(_Printable):
    """What was made of the answer to an exercise that counts.

    answer: as it was given. other_variant: it was for figures that are not due. seed, learner, turn: the figures by
    which it was judged. tries: how many different values, or checks of a function, there were. code: a fingerprint (see
    `likeness`).
    """

    exercise: str
    cell: int
    outcome: str
    score: float
    label: str
    answer: str
    message: str
    evidence: str
    other_variant: bool
    seed: int
    learner: str
    turn: int
    tries: int
    code: str

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES or not 0 <= self.score <= 1:
            raise ValueError(f"there are no marks of {self.score!r} for {self.outcome!r}")
        super().__post_init__()


@dataclass(frozen=True)
class Failure(_Printable):
    """A cell that raised an exception."""

    cell: int
    error: str
    message: str


@dataclass(frozen=True)
class Marks(_Printable):
    """The marks of a notebook. problem: why there are none; own_fault: whether the notebook is to blame for that.

    found: the exercises that its code names or answers. handed_to: to whom it says that it was handed out. due, seed:
    whose figures were asked for. flags: what somebody should look at. hints, solutions: how often its code asks for
    them.
    """

    problem: str = ""
    own_fault: bool = True
    stopped: str = ""
    answers: list[Marked] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    handed_to: str | None = None
    due: str = ""
    seed: int = 0
    hints: int = 0
    solutions: int = 0


def mark(job: Job, data: bytes) -> Marks:
    """The marks of a notebook: what was answered how, what failed, and what is to be remarked."""
    try:
        notebook = submissions.parse(data)
    except submissions.Refused as error:
        return Marks(str(error))
    except MemoryError:
        return Marks("it takes too much memory to be read; clear its outputs, and save it again")
    named = (job.due, notebook.learner, job.name if job.seed is not None else "")
    due = next(name for name in named if name is not None)
    seed = job.seed if job.seed is not None else notebook.seed or 0
    desk = _Desk(job, seed, due, notebook)
    own = [Instance(desk.bank[id], seed, due) for id in desk.own]
    asked = questions(own) if own else ""  # and no answers, which could be read there
    with Session(notebook.cells, seed, due, asked, seconds=job.seconds, trust=job.trust) as session:
        for message in session:
            desk.take(message, session)
    if not desk.started:
        return Marks(f"no process could be started for it {session.complaint}", own_fault=False)
    given, ended = desk.answers(), ""
    if session.ended != "done":
        ended = f"in cell {desk.cell}, {ENDINGS[session.ended].format(seconds=job.seconds)}"
    return Marks(
        problem="" if given else ended,
        stopped=ended if given else "",
        answers=given,
        found=list(dict.fromkeys([*notebook.mentioned(desk.bank), *desk.tried])),
        failures=desk.failures,
        flags=desk.flags(given),
        handed_to=notebook.learner,
        due=due,
        seed=seed,
        hints=notebook.calls("hint"),
        solutions=notebook.calls("solution"),
    )


class _Desk:
    """Where the messages of one notebook arrive. None of them is taken at its word."""

    def __init__(self, job: Job, seed: int, learner: str, notebook: Notebook):
        self.own = load_file(job.exercises_file) if job.exercises_file else []
        self.bank = catalog()
        self.job, self.notebook = job, notebook
        self.seed, self.learner = seed, learner  # whose figures are due
        self.cell, self.started, self.functions, self.lent = 0, False, 0, False
        self.failures = list[Failure]()
        # By exercise and cell. Values are judged at the end: of a cell, the last counts.
        self._given: dict[tuple[str, int], Answer | Marked] = {}
        # The values that were given to each exercise, and the checks of functions.
        self.tried: dict[str, set[str]] = {}
        self._other = set[str]()  # exercises that were answered for other figures
        self._better = set[str]()  # those to which an earlier answer was better

    def take(self, message: object, session: Session) -> None:
        if message == READY:
            self.started = True
        elif isinstance(message, Cell) and 1 <= message.number <= len(self.notebook.cells):
            self.cell = message.number
            if message.error and len(self.failures) < len(self.notebook.cells):
                self.failures += [Failure(self.cell, message.error[:60], message.message[:200])]
        elif isinstance(message, Answer):
            self.lent = message.form == "function"
            if (  # there could be such an exercise, and such a variant
                message.exercise in self.bank
                and abs(message.seed) < 10**18
                and len(message.learner) <= 200
                and 0 <= message.turn < 1000
            ):
                self._take_answer(message, session)
            self._hand_back(session)

    def _hand_back(self, session: Session) -> None:
        if self.lent:
            session.tell(DONE)
        self.lent = False

    def _take_answer(self, answer: Answer, session: Session) -> None:
        key, tried = (answer.exercise, self.cell), self.tried.setdefault(answer.exercise, set())
        if answer.form == "untouched":
            return
        if answer.form == "function":
            self.functions += 1
            if self.functions <= MOST_FUNCTIONS:
                code = fingerprint(self.notebook.cells[self.cell - 1]) if self.cell else ""
                tried.add(f"check {self.functions}")
                self._given[key] = self._marked(self.cell, answer, session, code)
        elif key in self._given or len(self._given) < MOST_ANSWERS:
            self._given[key] = answer
            if len(tried) < MOST_ANSWERS:
                tried.add(repr(answer.value)[:100])

    def answers(self) -> list[Marked]:
        """The answer to each exercise that counts, and what it is worth."""
        counting: dict[str, Marked] = {}
        for (id, cell), given in sorted(self._given.items(), key=lambda entry: entry[0][1]):
            marked = self._marked(cell, given) if isinstance(given, Answer) else given
            before = counting.get(id, marked)
            if telling(marked) >= telling(before):
                self._better |= {id} if before.score > marked.score else set()
                counting[id] = marked
        return list(counting.values())

    def flags(self, given: Sequence[Marked]) -> list[str]:
        """What somebody should look at: figures that are not those due, and many answers to one exercise."""
        flags = []
        shown = self.notebook.shown if self.job.seed is not None else {}
        if other := sorted(self._other | {id for id in shown if not self._is_due(id, shown[id])}):
            more = f" and {len(other) - 5} more" if len(other) > 5 else ""
            words = "its answers or its saved outputs belong to other figures than this learner's"
            flags.append(f"{words}: {', '.join(other[:5])}{more}")
        if cells := self.notebook.lookups():
            flags.append(f"cell {cells[0]} names the answers that come with the course")
        for id, tries in ((marked.exercise, marked.tries) for marked in given):
            if tries >= MANY:
                flags.append(f"{id} was answered in {tries} ways, of which the last counts")
            elif id in self._better:
                flags.append(f"{id} was answered better before, and the last answer counts")
        return flags

    def _is_due(self, id: str, shown: str) -> bool:
        try:
            return shown.strip() == repr(Instance(self.bank[id], self.seed, self.learner)).strip()
        except Exception:  # not an exercise, or one of somebody's own that cannot be asked
            return True

    def _marked(
        self, cell: int, answer: Answer, session: Session | None = None, code: str = ""
    ) -> Marked:
        """What an answer is worth. session: where a function is, which is called there."""
        given = (answer.seed, answer.learner, answer.turn)
        figures = given if self.job.seed is None else (self.seed, self.learner, 0)
        instance, shown = Instance(self.bank[answer.exercise], *figures), ""
        try:
            if answer.form == "unusable":
                words = f"I expected {instance.kind.form}, and got {str(answer.value)[:200]}."
                feedback = Feedback("invalid", 0.0, words)
            elif session:
                secret = self.job.secret if self.job.secret is not None else self.job.seed

                # Called again, it would learn that it was wrong.
                def run(*given: Any, **limits: Any) -> Run:
                    ran = session.run(*given, **limits) if self.lent else Run("protocol")
                    self._hand_back(session)
                    return ran

                feedback = instance.judge(_there, run=run, secret=secret)
                shown = "a function"
            elif len(json.dumps(encode(answer.value))) > LONGEST:
                raise ValueError("an answer that no notebook of ours would send")
            else:
                feedback = instance.judge(answer.value, run=_nowhere)
                shown = feedback.answer if feedback.outcome in COSTLY else f"{answer.value!r:.200}"
        except Exception as error:
            words = f"This answer could not be judged ({type(error).__name__})."
            feedback = Feedback("error", 0.0, words)
        if feedback.outcome == "invalid":  # a learner who works may try again, and this is the end
            message = feedback.message.removesuffix(" This does not count as an attempt.")
            feedback = replace(feedback, message=f"{message} It has no points.")
        if given != figures:
            self._other.add(answer.exercise)
            if feedback.outcome != "correct":
                words = "This is an answer to figures that are not the ones due."
                feedback = Feedback(feedback.outcome, feedback.score, words)
        return Marked(
            answer.exercise,
            cell,
            feedback.outcome,
            feedback.score,
            feedback.label,
            shown,
            feedback.message,
            feedback.evidence,
            given != figures,
            *figures,
            len(self.tried[answer.exercise]),
            code,
        )


def telling(marked: Marked) -> tuple[int, bool]:
    """What decides which of several answers counts; of equals, it is the last."""
    return {"not attempted": 0, "invalid": 1}.get(marked.outcome, 2), not marked.other_variant


def _nowhere(*_: object, **__: object) -> Run:
    """In place of what runs functions: a text that holds one was not read as one where it could be called."""
    return Run("invalid", message="I expected a function, and got a text.")


def _there(*_: object) -> None:
    """Stands for a function that is in the notebook's process."""
    raise RuntimeError("this function can only be called in its own process")
