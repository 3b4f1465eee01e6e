"""The engine: what an exercise is, how its variants are made, and how an answer is checked.

An exercise is data: a question about a random variant, the function that answers it, and its misconceptions, each a
wrong function with a message. An answer that equals what a misconception gives on the same variant gets its message.
"""
from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from .. import html
from . import classroom, code, progress
from .kinds import Choice, Invalid, Kind
from .rng import Rng

OUTCOMES = ("correct", "partial", "incorrect", "invalid", "not attempted", "error", "timeout")
COSTLY = ("correct", "partial", "incorrect", "error", "timeout")                 # the outcomes that are attempts
Variant = dict[str, object]
Words = str | Callable[[Variant], str]


@dataclass(frozen=True)
class Misconception:
    """A mistake with a name: `wrong` answers a variant as somebody who makes this mistake would.

    label: short and lasting, for statistics. message: one or two sentences that show the mistake on a small case
    and do not tell the answer; a string, or a function of the variant.
    """
    label: str
    message: Words
    wrong: Callable[[Variant], object]


@dataclass(frozen=True)
class Exercise:
    """An exercise of the bank.

    id: lasting, never derived from the content. generate: from a source of random choices, the variant as a
    dictionary. answer: from the variant, the right value. question, hints, solution: Markdown, as text or as a
    function of the variant. accept: says of a value that is not `answer`'s whether it is right all the same.
    listed: what is shown with letters: the items to order, or the word to cut (a choice lists its options by itself).
    evidence: from value, right answer and variant, where they part; instead of what the kind says by itself.

    For code (the kinds Function and Repair) `answer` and `wrong` give functions, and there is more: cases: argument
    tuples to try first, smallest first. strategy: a Hypothesis strategy of argument tuples. also: other right functions.
    """
    id: str
    title: str
    kind: Kind
    generate: Callable[[Rng], Variant]
    question: Words
    answer: Callable[[Variant], object]
    misconceptions: Sequence[Misconception]
    hints: Sequence[Words]
    solution: Words
    points: int = 1
    version: int = 1
    accept: Callable[[object, Variant], bool] | None = None
    listed: Callable[[Variant], Sequence[str]] | None = None
    evidence: Callable[[object, object, Variant], str] | None = None
    cases: Callable[[Variant], Sequence[tuple]] | None = None
    strategy: Callable[[Variant], object] | None = None
    also: Callable[[Variant], Sequence[Callable]] = lambda variant: ()

    @property
    def lesson(self) -> str:
        """The lesson's name, the part of the id before the number."""
        return self.id.rpartition("-")[0]


@dataclass(frozen=True)
class Feedback:
    """What a learner is told.

    outcome: one of OUTCOMES. score: from 0 to 1. label: the misconception's, or "". message: the headline.
    evidence: the details, on demand. exercise: the exercise's id.
    """
    outcome: str
    score: float
    message: str
    label: str = ""
    evidence: str = ""
    exercise: str = ""
    note: str = ""

    def __repr__(self) -> str:
        lines = [f"{self.exercise}: {self.outcome}. {self.message}", self.evidence, self.note]
        return "\n".join(line for line in lines if line)

    def _repr_html_(self) -> str:
        if self.outcome == "not attempted":
            return html.to_html(f"{self.exercise}: {self.message}")
        tone = {"correct": "good", "invalid": "note"}.get(self.outcome, "bad")
        more = html.details("Details", html.to_html(self.evidence)) if self.evidence else ""
        note = html.to_html(self.note) if self.note else ""
        return html.box(f"{self.exercise}: {self.outcome}", html.to_html(self.message) + more + note, tone=tone)


@dataclass(frozen=True)
class Note:
    """A hint or a solution."""
    title: str
    text: str

    def __repr__(self) -> str:
        return f"{self.title}: {self.text}"

    def _repr_html_(self) -> str:
        return html.box(self.title, html.to_html(self.text), tone="note")


@dataclass
class Instance:
    """An exercise with this learner's variant of it.

    >>> from subword_lab.exercises import load
    >>> ex = load("bpe-01")
    >>> ex.check(...).outcome
    'not attempted'
    """
    exercise: Exercise
    seed: int = 0
    learner: str = ""
    turn: int = 0
    hints_given: int = field(default=0, init=False)
    watchers: list[Callable[[], None]] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def id(self) -> str:
        return self.exercise.id

    @property
    def name(self) -> str:
        """The variable that holds it in the lessons: its id, as Python can write it."""
        return self.id.replace("-", "_")

    @property
    def title(self) -> str:
        return self.exercise.title

    @property
    def kind(self) -> Kind:
        return self.exercise.kind

    @cached_property
    def variant(self) -> Variant:
        """This learner's figures: a function of exercise, seed, learner and turn, and of nothing else."""
        exercise = self.exercise
        rng = Rng(f"{exercise.id}/{exercise.version}/{self.seed}/{self.learner}/{self.turn}")
        for _ in range(1000):
            variant = exercise.generate(rng)
            if _tells_apart(exercise, variant):
                return variant
        raise RuntimeError(f"{exercise.id}: no variant in which every misconception has an answer of its own")

    @cached_property
    def listed(self) -> list[str]:
        """What the question lists with letters: the options of a choice, the items to order, the word to cut."""
        exercise, variant = self.exercise, self.variant
        if isinstance(exercise.kind, Choice):
            options = [exercise.answer(variant)] + [m.wrong(variant) for m in exercise.misconceptions]
            return Rng(f"options/{exercise.id}/{self.seed}/{self.learner}/{self.turn}").shuffle(options)
        return list(exercise.listed(variant)) if exercise.listed else []

    @property
    def prompt(self) -> str:
        """The question in Markdown, without its options."""
        return self._text(self.exercise.question)

    @property
    def question(self) -> str:
        """The question in Markdown, with its options."""
        return "\n".join([self.prompt, *self._lettered()])

    @property
    def explanation(self) -> str:
        """The way to the answer in Markdown; for code, the code itself."""
        return self._text(self.exercise.solution)

    def check(self, answer: object = ...) -> Feedback:
        """Say whether an answer is right and, if it is not, which mistake it looks like.

        `...`, None and an empty string are 'not attempted'; a malformed answer is 'invalid' and costs nothing.
        """
        if _taker:
            return _taker(self, answer)
        feedback = self.judge(answer)
        return self._record(feedback, self.shown(answer)) if feedback.outcome in COSTLY else feedback

    def judge(self, answer: object, **how) -> Feedback:
        """What `check` says, and nothing is recorded. how: for code, the further arguments of `code.judge`."""
        if answer is ... or answer is None or (isinstance(answer, str) and not answer.strip()):
            return self._feedback("not attempted", 0.0, "Not answered in this cell yet: put your answer in place of the three dots.")
        try:
            value = self.kind.parse(answer, self.listed)
        except Invalid as error:
            return self._feedback("invalid", 0.0, f"{error} This does not count as an attempt.")
        return code.judge(self, value, **how) if isinstance(self.kind, code.Function) else self._judge(value)

    def shown(self, answer: object) -> str:
        """An answer of the right form, as text."""
        return self.kind.show(self.kind.parse(answer, self.listed))

    def _judge(self, value: object) -> Feedback:
        exercise, variant = self.exercise, self.variant
        right = exercise.answer(variant)
        if self.kind.equal(value, right) or (exercise.accept and exercise.accept(value, variant)):
            return self._feedback("correct", 1.0, "Right.")
        evidence = (exercise.evidence(value, right, variant) if exercise.evidence
                    else self.kind.evidence(value, right))
        for misconception in exercise.misconceptions:
            if self.kind.equal(value, misconception.wrong(variant)):
                return self._feedback("incorrect", 0.0, self._text(misconception.message), misconception.label, evidence)
        share = self.kind.share(value, right)
        message = evidence or "Not yet. Look at the question again, or ask for a hint."
        return self._feedback("partial" if share else "incorrect", share, message)

    def hint(self) -> Note:
        """The next of the three hints; the last one stays."""
        number = min(self.hints_given, len(self.exercise.hints) - 1)
        self.hints_given = number + 1
        self._note_event("hint", label=str(number + 1))
        return Note(f"Hint {number + 1} of {len(self.exercise.hints)}", self._text(self.exercise.hints[number]))

    def solution(self) -> Note:
        """The answer and the way to it. Looking is recorded, and never forbidden."""
        self._note_event("solution")
        if isinstance(self.kind, code.Function):
            return Note("Solution", self.explanation)
        return Note("Solution", f"`{self.kind.show(self.exercise.answer(self.variant))}`\n\n{self.explanation}")

    def another(self) -> Instance:
        """The same exercise with new figures."""
        return Instance(self.exercise, self.seed, self.learner, self.turn + 1)

    def turn_to(self, turn: int) -> None:
        """Take the figures of a turn, in place: a card does so, and the `ex` that it came from goes with it."""
        if turn != self.turn:
            self.turn, self.hints_given = turn, 0
            for name in ("variant", "listed"):
                self.__dict__.pop(name, None)

    def card(self):
        """The exercise as a widget: question, answer field, buttons. Needs a notebook."""
        # Named as text, because the engine knows no widgets: `views` stands above it.
        return pkgutil.resolve_name("subword_lab.views:ExerciseCard")(self)

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{self.question}\n\nAnswer with {self.name}.check({self.kind.example})"

    def _repr_mimebundle_(self, include=None, exclude=None):
        if _takes_widgets():
            with suppress(ImportError):
                return self.card()._repr_mimebundle_()
        return self.static()

    def static(self) -> dict[str, str]:
        """The exercise without a widget, by MIME type."""
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        if isinstance(self.kind, code.Function):
            how = self.kind.task
        else:
            how = (f"Answer with {self.kind.form}. Run this cell to do so here, or write it in the cell below: "
                   f"`{self.name}.check({self.kind.example})`.")
        return html.box(self._heading(), html.to_html(f"{self.question}\n\n{how}"), label=f"Exercise {self.id}")

    def _heading(self) -> str:
        points = f"{self.exercise.points} point{'s' * (self.exercise.points != 1)}"
        return f"{self.id} · {self.title} ({self.kind.name}, {points})"

    def _lettered(self) -> list[str]:
        if len(self.listed) < 2:
            return []
        return ["", *(f"- **{chr(ord('a') + number)}.** {item}" for number, item in enumerate(self.listed))]

    def _text(self, words: Words) -> str:
        return words if isinstance(words, str) else words(self.variant)

    def _feedback(self, outcome, score, message, label="", evidence="") -> Feedback:
        return Feedback(outcome, score, message, label, "" if evidence == message else evidence, self.id)

    def _record(self, feedback: Feedback, answer: str) -> Feedback:
        note = self._note_event("attempt", outcome=feedback.outcome, score=feedback.score, label=feedback.label,
                                answer=answer)
        return Feedback(**{**vars(feedback), "note": note}) if note else feedback

    def _note_event(self, kind: str, **more) -> str:
        """Keep what happened; returns what the learner has to know if it could not be kept."""
        event = {"kind": kind, "exercise": self.id, "exercise_version": self.exercise.version,
                 "learner": self.learner, "seed": self.seed, "turn": self.turn, **more}
        try:
            progress.store().record(event)
        except progress.ProgressError as error:
            return str(error)
        finally:
            for tell in self.watchers:
                tell()
        return ""


_taker: Callable[[Instance, object], Feedback] | None = None


def hand_answers_to(taker: Callable[[Instance, object], Feedback] | None) -> None:
    """From now on `check` passes exercise and answer to `taker`, which gives the feedback; None ends that.

    So answers are collected in one process and judged in another, as in the marking of notebooks.
    """
    global _taker
    _taker = taker


def _takes_widgets() -> bool:
    """Whether what is shown goes to a notebook, and nobody has asked for pages without widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    in_a_notebook = hasattr(shell, "kernel") or shell is not None and sys.platform == "emscripten"
    return in_a_notebook and "SUBWORD_LAB_NO_WIDGETS" not in os.environ and classroom.settings().cards


def _tells_apart(exercise: Exercise, variant: Variant) -> bool:
    """Whether right answer and misconceptions all have an answer to this variant, and each another one."""
    if isinstance(exercise.kind, code.Function):
        return True                             # functions are told apart by what they do, see code.py
    values = [exercise.answer(variant)] + [m.wrong(variant) for m in exercise.misconceptions]
    if None in values or any(exercise.kind.equal(a, b) for i, a in enumerate(values) for b in values[:i]):
        return False
    return not (exercise.accept and any(exercise.accept(value, variant) for value in values[1:]))
