"""What a notebook's answers are worth: run it in a session, and judge each answer here, with our own copy of the bank.

Of several answers to one exercise the last counts, so trying out all of them gains nothing; one that is blank or cannot
be read never takes the place of another, and one to other figures counts only where there is none to those that are
due.
"""

import json
from dataclasses import dataclass, field, replace

from subword_lab.arguments import check
from subword_lab.exercises import COSTLY, OUTCOMES, Feedback, Instance, catalog, load_file
from subword_lab.exercises.own import questions
from subword_lab.running import Run
from subword_lab.running.values import encode

from .sandbox.messages import READY
from .sandbox.notebook import SECONDS, Session
from .sandbox.notebook_child import LONGEST, Answer, Cell
from .submissions import printable

MOST_FUNCTIONS = 30  # that are called for one exercise
MOST_ANSWERS = 1000
MOST_IN_A_CELL = 30  # answers to one exercise; of more, the first ones and the last
MOST_FAILURES = 20  # that are kept, each with its message
KEPT = {"message": 2_000, "evidence": 4_000, "answer": 500}  # characters; of other texts 300
ENDINGS = {
    "timeout": "the whole notebook was still running after {seconds:g} seconds",
    "output": "it sent more than could be answers",
    "processes": "it started too many processes",
    "memory": "it took too much memory",
    "files": "it made too many files",
    "gone": "it ended its own process",
}


@dataclass(frozen=True)
class Job:
    """A notebook that is to be marked: its cells, and the questions that its saved outputs show.

    seed, learner: whose variants are due. strictly: whether these alone are, or those that the notebook shows. secret:
    the number that decides on hidden inputs; None if there is none.
    """

    cells: list[str]
    shown: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    learner: str = ""
    strictly: bool = False
    secret: int | None = None
    seconds: float = SECONDS
    trust: bool = False
    exercises_file: str = ""


@dataclass(frozen=True, kw_only=True)
class Marked(Feedback):
    """What is said to the answer to an exercise that counts. `answer` is the text of it, as it was given.

    other_variant: it was for other figures than those that are due, or, where these are what the notebook shows, than
    those of its first cell. seed, learner, turn: the figures by which it was judged. tries: how many different values,
    or checks of a function, there were; best: the highest score that others before it had.
    """

    cell: int
    other_variant: bool
    seed: int
    learner: str
    turn: int
    tries: int = 1
    best: float = 0.0

    def __post_init__(self) -> None:
        check(
            self.outcome in OUTCOMES and 0 <= self.score <= 1,
            f"there are no marks of {self.score!r} for {self.outcome!r}",
        )
        for name in ("message", "evidence", "answer", "label", "learner"):
            # A text that any file can hold.
            object.__setattr__(self, name, printable(getattr(self, name), KEPT.get(name, 300)))


@dataclass(frozen=True)
class Marks:
    """The marks of a notebook.

    ended: why it was not run, or not to its end; own_fault: whether it is to blame for that. failures: the first of
    them; failed: how many cells failed. strange: the exercises of which its saved outputs show other figures than those
    that are due.
    """

    ended: str = ""
    own_fault: bool = True
    answers: list[Marked] = field(default_factory=list)
    failures: list[Cell] = field(default_factory=list)
    failed: int = 0
    strange: list[str] = field(default_factory=list)


def mark(job: Job) -> Marks:
    """The marks of a notebook: what was answered how, and what failed."""
    own = load_file(job.exercises_file) if job.exercises_file else []
    with Session(
        job.cells,
        job.seed,
        job.learner,
        # Without their answers, which could be read there.
        questions(Instance(catalog()[id], job.seed, job.learner) for id in own) if own else "",
        seconds=job.seconds,
        trust=job.trust,
    ) as session:
        desk = _Desk(job, session)
        for message in session:
            desk.take(message)
    if not desk.started:
        return Marks(f"no process could be started for it {session.complaint}", own_fault=False)
    ended = (
        f"in cell {desk.cell}, {ENDINGS[session.ended].format(seconds=job.seconds)}"
        if session.ended != "done"
        else ""
    )
    return Marks(ended, True, desk.answers(), desk.failures, len(desk.failed), _strange(job))


def _strange(job: Job) -> list[str]:
    """The exercises of which a notebook's saved outputs show other figures than those that are due."""
    found = []
    for id, text in job.shown.items() if job.strictly else ():
        try:
            due = repr(Instance(catalog()[id], job.seed, job.learner))
        except Exception:  # not an exercise, or one of somebody's own that cannot be asked
            continue
        if text.strip() != due.strip():
            found.append(id)
    return found


class _Desk:
    """Where the messages of one notebook arrive. None of them is taken at its word."""

    def __init__(self, job: Job, session: Session):
        self.job, self.session, self.bank = job, session, catalog()
        self.cell, self.started = 0, False
        self.failures, self.failed = list[Cell](), set[int]()
        # By exercise and cell: the answers, of which one counts. Values are judged at the end.
        self._given: dict[tuple[str, int], list[Answer | Marked]] = {}
        # The values that were given to each exercise, and the checks of functions.
        self._tried: dict[str, set[str]] = {}

    def take(self, message: object) -> None:
        if message == READY:
            self.started = True
        elif isinstance(message, Cell) and 1 <= message.cell <= len(self.job.cells):
            if not message.error:
                self.cell = message.cell
            elif message.cell == self.cell:
                self._fail(message.error, message.message)
        elif (  # there could be such an exercise, and such a variant
            isinstance(message, Answer)
            and message.exercise in self.bank
            and abs(message.seed) < 10**18
            and len(message.learner) <= 200
            and 0 <= message.turn < 1000
            and message.form != "untouched"
        ):
            self._take_answer(message)

    def _fail(self, error: str, said: str) -> None:
        """The cell has failed, for this reason, if it is the first."""
        if self.cell not in self.failed:
            self.failed.add(self.cell)
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(Cell(self.cell, printable(error, 60), printable(said, 200)))

    def _take_answer(self, answer: Answer) -> None:
        key, tried = (answer.exercise, self.cell), self._tried.setdefault(answer.exercise, set())
        before = self._given.get(key, [])[: MOST_IN_A_CELL - 1]
        if answer.form == "function":
            if len(tried) < MOST_FUNCTIONS:
                tried.add(f"check {len(tried)}")
                self._given[key] = [*before, self._marked(self.cell, answer)]
            else:
                self._fail(
                    "TooManyChecks",
                    f"of {answer.exercise} the first {MOST_FUNCTIONS} checks count",
                )
        elif before or len(self._given) < MOST_ANSWERS:
            self._given[key] = [*before, answer]
            if len(tried) < MOST_ANSWERS:
                tried.add(repr(answer.value)[:100])

    def answers(self) -> list[Marked]:
        """The answer to each exercise that counts, and what it is worth."""
        counting: dict[str, Marked] = {}
        for (id, cell), given in sorted(self._given.items(), key=lambda entry: entry[0][1]):
            every = [self._marked(cell, one) if isinstance(one, Answer) else one for one in given]
            marked = max(reversed(every), key=telling)
            before = counting.get(id, marked)
            if telling(marked) >= telling(before):
                best, tries = max(before.best, before.score), len(self._tried[id])
                counting[id] = replace(marked, best=best, tries=tries)
        return list(counting.values())

    def _marked(self, cell: int, answer: Answer) -> Marked:
        """What an answer is worth, as a learner is told who cannot try again."""
        given = (answer.seed, answer.learner, answer.turn)
        due = (self.job.seed, self.job.learner, 0)
        figures = due if self.job.strictly else given
        feedback = self._judged(Instance(self.bank[answer.exercise], *figures), answer)
        message = feedback.message
        if feedback.outcome == "invalid":
            message = (
                f"{message.removesuffix(' This does not count as an attempt.')} It has no points."
            )
        if given != figures and feedback.outcome != "correct":
            message = "This is an answer to figures that are not the ones due."
            feedback = replace(feedback, label="", evidence="")
        about = {
            "exercise": answer.exercise,
            "message": message,
            "onward": "",
            "cell": cell,
            **dict(zip(("seed", "learner", "turn"), figures)),
        }
        return Marked(**vars(feedback) | about, other_variant=given != due)

    def _judged(self, ex: Instance, answer: Answer) -> Feedback:
        try:
            if answer.form == "unusable":
                words = f"I expected {ex.kind.form}, and got {str(answer.value)[:200]}."
                return Feedback("invalid", 0.0, words)
            if answer.form == "function":
                feedback = ex.judge(_there, run=self.session.run, secret=self.job.secret)
                return replace(feedback, answer="a function")
            check(
                len(json.dumps(encode(answer.value))) <= LONGEST,
                "an answer that no notebook of ours would send",
            )
            feedback = ex.judge(answer.value, run=_nowhere)
            was_read = feedback.outcome in COSTLY
            return feedback if was_read else replace(feedback, answer=f"{answer.value!r:.200}")
        except Exception as error:
            words = f"This answer could not be judged ({type(error).__name__})."
            return Feedback("error", 0.0, words)


def telling(marked: Marked) -> tuple[int, bool]:
    """What decides which of several answers counts; of equals, it is the last."""
    return {"not attempted": 0, "invalid": 1}.get(marked.outcome, 2), not marked.other_variant


def _nowhere(*_: object, **__: object) -> Run:
    """In place of what runs functions: a text that holds one was not read as one where it could be called."""
    return Run("invalid", message="I expected a function, and got a text.")


def _there(*_: object) -> None:
    """Stands for a function that is in the notebook's process."""
    raise RuntimeError("this function can only be called in its own process")
