"""An exercise as a learner meets it: with figures of their own, asked, checked and recorded."""

import os
import pkgutil
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from .. import html
from ..running.values import Unusable, decode, encode
from . import classroom, live, progress, typed
from .feedback import Feedback, Note
from .kinds import LETTERS, Invalid, Kind
from .question import Exercise, Question, Rng
from .words import say

MOST_DRAWS = 1000  # until the figures make a good question
CARD = "subword_lab.views:ExerciseCard"  # named as text: the engine knows no widgets, `views` stands above it
shown: set[str] = set()  # the ids of those that this session has shown, each as a card of its own
LONGEST_ANSWER = 20_000  # members and characters; an answer of ours is far shorter


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
    watchers: list[Callable[[], None]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def id(self) -> str:
        return self.exercise.id

    @property
    def name(self) -> str:
        """How one gets at it: the variable of the lessons, its id as Python can write it; or the room's question."""
        return "live.poll()" if self.learner == live.POLL else self.id.replace("-", "_")

    @property
    def title(self) -> str:
        return self.exercise.title

    @property
    def kind(self) -> Kind:
        return self.exercise.kind

    @property
    def key(self) -> str:
        """What the figures depend on, and nothing else."""
        return f"{self.id}/{self.exercise.version}/{self.seed}/{self.learner}/{self.turn}"

    @cached_property
    def asked(self) -> Question:
        """This learner's question, with its figures and answer."""
        rng = Rng(self.key)
        for _ in range(MOST_DRAWS):
            question = self.exercise.ask(rng)
            if settled := question and self.kind.settled(question):
                return settled.worded()
        raise RuntimeError(
            f"{self.id}: no figures in which the answer and every mistake have a value of their own"
        )

    @cached_property
    def listed(self) -> list[str]:
        """What the question lists: the options of a choice, the items to order, the word to cut."""
        rng = Rng(f"options/{self.key}")  # which anybody can replay: where it put the answer, too
        listed = self.kind.listed(self.asked, rng)
        if not self.exercise.own:
            return listed
        shuffled = rng.shuffle(sorted(listed))
        return shuffled if shuffled != self.asked.answer else shuffled[::-1]

    @property
    def question(self) -> str:
        """The question in Markdown, with its options."""
        lettered = [f"- **{letter}.** {item}" for letter, item in zip(LETTERS, self.listed)]
        text = self.asked.text
        return "\n".join([text, "", *lettered]) if self.kind.lettered else text

    def check(self, answer: object = ...) -> Feedback:
        """Say whether an answer is right and, if it is not, which mistake it looks like.

        `...`, None and an empty string are 'not attempted'; a malformed answer is 'invalid' and costs nothing.
        """
        if _taker:
            return _taker(self, answer)
        feedback = self.judge(answer)
        if feedback.outcome in ("invalid", "not attempted"):
            return feedback
        _scores[self.key] = feedback.score
        problem = self._record(
            "attempt",
            feedback.message,
            outcome=feedback.outcome,
            score=feedback.score,
            label=feedback.label,
            answer=feedback.answer,
        )
        return replace(feedback, note=problem or feedback.note)

    @property
    def points(self) -> float:
        """What the last answer in this session that counts as one is worth, to these figures."""
        return round(_scores.get(self.key, 0.0) * self.exercise.points, 2)

    def judge(self, answer: object, **how: Any) -> Feedback:
        """What `check` says, and nothing is recorded. how: for code, the further arguments of `code.Function.judge`."""
        asked, listed = self.asked, self.listed  # a failure here is not the learner's
        try:
            if self.kind.is_untouched(answer):
                feedback = Feedback("not attempted", 0.0, self.kind.untouched)
            else:
                is_code = callable(answer) and not isinstance(answer, type)
                values = self.kind.readings(answer if is_code else plain(answer), listed)
                values = self.kind.meant(answer, values, asked)
                feedback = self.kind.judge(asked, values, **how)
                if self.kind.free and isinstance(answer, str):
                    is_right = feedback.outcome == "correct"
                    if self._is_overturned(answer) if is_right else self._has_a_reason(answer):
                        raise Invalid(f"Give the answer alone, without a reason: {self.kind.form}.")
                feedback = replace(feedback, answer=self.kind.show(values[0]))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever an object says that does not want to be looked at
            why = (
                error
                if isinstance(error, Invalid)
                else f"I cannot read this answer ({type(error).__name__})."
            )
            feedback = Feedback("invalid", 0.0, f"{why} This does not count as an attempt.")
        onward = f"With other figures: `{self.name} = {self.name}.another()`. Or go on: the next exercise waits below."
        goes_on = feedback.outcome == "correct" and self.learner != live.POLL
        return replace(feedback, exercise=self.id, onward=onward * goes_on)

    def _is_overturned(self, answer: str) -> bool:
        """Whether words beside the right answer say that it is none, as in `not hug`."""
        right = self.kind.show(self.asked.answer)  # in which there may be a token `not`
        return bool(typed.OVERTURNED.search(answer) and not typed.OVERTURNED.search(right))

    def _has_a_reason(self, answer: str) -> bool:
        """Whether this is the right answer with a reason behind it, or the working before it."""
        parts = {aside.sub("", answer) for aside in self.kind.asides} - {answer, ""}
        return any(
            self.kind.is_right(value, self.asked)
            for alone in parts
            for value in self.kind.readings(alone, self.listed)
        )

    def hint(self) -> Note:
        """The next of the three hints; the last one stays."""
        hints = self.asked.hints
        number = min(self.hints_given, len(hints) - 1)
        self.hints_given = number + 1
        self._record("hint", label=str(number + 1))
        return Note(f"Hint {number + 1} of {len(hints)}", hints[number])

    def solution(self) -> Note:
        """The answer and the way to it. Looking is recorded, and never forbidden."""
        self._record("solution")
        return Note("Solution", self.kind.solved(self.asked))

    def another(self) -> "Instance":
        """The same exercise with new figures."""
        return Instance(self.exercise, self.seed, self.learner, self.turn + 1)

    def turn_to(self, turn: int) -> None:
        """Take the figures of a turn, in place: a card does so, and the `ex` that it came from goes with it."""
        if turn != self.turn:
            self.turn, self.hints_given = turn, 0
            for name in ("asked", "listed"):
                self.__dict__.pop(name, None)

    # ------------------------------------------------------------------------------------------------------- showing

    def card(self) -> object:
        """The exercise as a widget: question, answer field, buttons. Needs a notebook."""
        return pkgutil.resolve_name(CARD)(self)

    def __repr__(self) -> str:
        return f"{self._heading()}\n\n{self.question}\n\nAnswer with {self.name}.check({self.kind.example})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        shown.add(self.id)
        return face(self, CARD)

    def static(self) -> dict[str, str]:
        """The exercise without a widget, by MIME type."""
        kind = self.kind
        task = kind.task if classroom.settings().cards else kind.cell_task
        body = html.to_html(f"{self.question}\n\n{task.format(kind=kind, name=self.name)}")
        return {
            "text/plain": repr(self),
            "text/html": html.box(self._heading(), body, label=f"Exercise {self.id}"),
        }

    @property
    def about(self) -> str:
        """Kind and points, in a few words."""
        return say(
            "{kind}, {points:point|points}", kind=self.kind.name, points=self.exercise.points
        )

    def _heading(self) -> str:
        return f"{self.id} · {self.title} ({self.about})"

    # ------------------------------------------------------------------------------------------------------- recording

    def _record(self, kind: str, message: str = "", **more: object) -> str:
        """Keep what happened; returns what the learner has to know if it could not be kept."""
        event = {
            "kind": kind,
            "exercise": self.id,
            "exercise_version": self.exercise.version,
            "learner": self.learner,
            "seed": self.seed,
            "turn": self.turn,
            **more,
        }
        try:
            progress.store().record(event)
        except progress.ProgressError as error:
            return str(error)
        finally:
            for tell in self.watchers:
                tell()
            live.tell(lambda: self.news(event, message))
        return ""

    def news(self, event: dict, message: str) -> dict:
        """What a live room is told: the figures and the answer only where it was wrong, and never whose they are.

        Where the figures are those that the room asks all (`live.poll`), it is told that, too.
        """
        news = {
            name: event[name] for name in ("kind", "exercise", "outcome", "label") if name in event
        }
        if self.learner == live.POLL:
            news["poll"] = self.key
        if event.get("outcome") in ("partial", "incorrect"):
            news |= {"answer": str(event["answer"]), "message": message, "question": self.question}
        return news


def plain(answer: object) -> object:
    """An answer without any code of its own: numbers, strings, lists and the like; Invalid for anything else.

    >>> from collections import OrderedDict
    >>> plain(OrderedDict(a=1)), plain(("u", "g"))
    ({'a': 1}, ('u', 'g'))
    >>> plain(range(3))
    Traceback (most recent call last):
    subword_lab.exercises.kinds.Invalid: I cannot read this answer: it is a range; return list(...) of it.
    """
    try:
        return decode(encode(answer, LONGEST_ANSWER))
    except Unusable as error:
        raise Invalid(f"I cannot read this answer: it is {error}.") from None
    except (ValueError, RecursionError, TypeError, OverflowError, MemoryError):
        raise Invalid(
            "I cannot read this answer: it holds itself, is nested too deep or is far too long."
        ) from None


_scores: dict[str, float] = {}  # by key: what this session's last answers are worth
Taker = Callable[[Instance, object], Feedback]
_taker: Taker | None = None


def hand_answers_to(taker: Taker | None) -> None:
    """From now on `check` passes exercise and answer to `taker`, which gives the feedback; None ends that.

    So answers are collected in one process and judged in another, as in the marking of notebooks.
    """
    global _taker
    _taker = taker


def face(one: Any, widget: str) -> Any:
    """What a notebook shows of an exercise or a deck: the widget of that name, or what it is without one."""
    if takes_widgets():
        with suppress(ImportError):
            return pkgutil.resolve_name(widget)(one)._repr_mimebundle_()
    return one.static()


def takes_widgets() -> bool:
    """Whether what is shown goes to a notebook, and nobody has asked for pages without widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    in_a_notebook = hasattr(shell, "kernel") or (shell is not None and sys.platform == "emscripten")
    return (
        in_a_notebook and "SUBWORD_LAB_NO_WIDGETS" not in os.environ and classroom.settings().cards
    )
