"""Practice: a lesson's exercises one at a time, and what went wrong comes back with new figures."""

from collections.abc import Sequence

from .. import html, lessons
from . import LEVELS, catalog, classroom, load, progress
from .feedback import Feedback
from .instance import Instance, face, shown

LATER = 3  # so many others come before one that went wrong comes back


class Deck:
    """The exercises of a lesson as a deck of cards; `practice` deals it.

    First comes what is core, then what is to be recalled, applied, transferred; behind it what this session has shown
    already, with new figures; what was done on another day comes last. An exercise that was not right at once is asked
    again later, with new figures. Exercises that ask for code are not in it: they have their own cells.

    >>> deck = practice("01_bpe")
    >>> deck.current.kind.card_field != "none", deck.right, len(deck) > 10
    (True, 0, True)
    >>> first = deck.current.id
    >>> deck.next() is deck.current, deck.current.id == first         # not answered: it waits at the end
    (True, False)
    """

    def __init__(self, ids: Sequence[str]):
        self.waiting = [load(id).another() if id in shown else load(id) for id in ids]
        self.right = 0  # answered, each at once
        self._outcome = ""  # of the one on top: its first answer's

    def __len__(self) -> int:
        return len(self.waiting)

    @property
    def current(self) -> Instance | None:
        """The exercise on top; None when the deck is empty."""
        return self.waiting[0] if self.waiting else None

    @property
    def place(self) -> str:
        """How far one has come, in a few words."""
        level = f" · {self.waiting[0].exercise.level}" if self.waiting else ""
        return f"{self.right} right, {len(self)} to go{level}"

    def check(self, answer: object = ...) -> Feedback:
        """Check an answer to the exercise on top, which stays there until `next`."""
        if not self.current:
            raise ValueError("the deck is empty; `practice` deals it again")
        feedback = self.current.check(answer)
        if feedback.outcome in ("correct", "partial", "incorrect"):
            self._outcome = self._outcome or feedback.outcome
        return feedback

    def next(self) -> Instance | None:
        """Go on to the next exercise, and return it; None when there is none left."""
        if self.waiting:
            top = self.waiting.pop(0)
            if self._outcome == "correct":
                self.right += 1
            else:  # what was not answered at all waits at the end, as it is
                self.waiting.insert(
                    LATER if self._outcome else len(self), top.another() if self._outcome else top
                )
        self._outcome = ""
        return self.current

    @property
    def text(self) -> str:
        """The exercise on top with how to answer it here, or that it was the last one, in Markdown."""
        if not self.current:
            return f"**That was the last one: {self.right} right.** Run this cell again to be dealt new cards."
        top = self.current
        return (
            f"{top.id} · {top.title}\n\n{top.question}\n\n"
            "In a notebook, run this cell and answer here. Or begin it with `deck =`: then "
            f"`deck.check({top.kind.example})` answers, and `deck.next()` goes on."
        )

    def __repr__(self) -> str:
        return f"Practice: {self.place}\n\n{self.text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return face(self, "subword_lab.views:PracticeDeck")

    def static(self) -> dict[str, str]:
        """The exercise on top without a widget, by MIME type."""
        return {
            "text/plain": repr(self),
            "text/html": html.box(
                f"Practice: {self.place}", html.to_html(self.text), label="Practice"
            ),
        }


def practice(lesson: str) -> Deck:
    """A deck of the exercises of a lesson, such as "01_bpe"; ValueError if there is no such lesson."""
    standings = progress.store().summary(classroom.settings().learner)
    done = {id for id, standing in standings.items() if standing.state == "done"}
    return Deck(sorted(in_order(lesson), key=lambda id: (id in done, id in shown)))


def in_order(lesson: str) -> list[str]:
    """The ids of a lesson's exercises without code: what is core first, then by level."""
    group = lessons.lesson(lesson).exercises
    ordered = sorted(catalog().values(), key=lambda one: (not one.core, LEVELS.index(one.level)))
    return [one.id for one in ordered if one.group == group and one.kind.card_field != "none"]
