"""Practice: a lesson's exercises one at a time, and what went wrong comes back with new figures."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest

from .. import html, lessons
from . import LEVELS, catalog, classroom, load, progress
from .feedback import COSTLY, Feedback
from .instance import Instance, face, shown

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)  # for an event without a time that can be read
LATER = 3  # so many others come before one that went wrong comes back
OLD_WRONG = 2  # so many cards of earlier lessons begin a lesson's deck
OLD_RIGHT = 5  # so many cards that were right end the deck of all lessons so far


class Deck:
    """The exercises of a lesson as a deck of cards; `practice` deals it.

    First comes what is core, then what is to be recalled, applied, transferred; behind it what this session has shown
    already, with new figures; what was done on another day comes last. An exercise that was not right at once is asked
    again later, with new figures. Exercises that ask for code are not in it: they have their own cells.

    past: the answers on another day to cards that come back, by id; such a card has new figures, and `place` says so.

    >>> deck = practice("01_bpe")
    >>> deck.current.kind.card_field != "none", deck.right, len(deck) > 10
    (True, 0, True)
    >>> first = deck.current.id
    >>> deck.next() is deck.current, deck.current.id == first         # not answered: it waits at the end
    (True, False)
    """

    def __init__(self, ids: Sequence[str], past: Mapping[str, dict] | None = None):
        self.past = past or {}
        self.waiting = [load(id).another() if id in shown else load(id) for id in ids]
        for card in [card for card in self.waiting if card.id in self.past]:
            card.turn_to(self.past[card.id]["turn"] + 1)
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
        top = self.current
        level = f" · {top.exercise.level}" if top else ""
        before = f" · {origin(self.past[top.id])}" if top and top.id in self.past else ""
        return f"{self.right} right, {len(self)} to go{level}{before}"

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
            return (
                f"**That was the last one: {self.right} right.** Run this cell again to be dealt new cards."
                if self.right
                else "**There is nothing to practice yet.** Begin a lesson: what you have not tried there comes here, "
                "and what went wrong comes back on another day."
            )
        top = self.current
        by_hand = (
            "In a notebook, run this cell and answer here. Or begin it with `deck =`: then "
            if classroom.settings().cards
            else "Begin this cell with `deck =`: then "
        )
        return (
            f"{top.id} · {top.title}\n\n{top.question}\n\n{by_hand}"
            f"`deck.check({top.kind.example})` answers, and `deck.next()` goes on."
        )

    def __repr__(self) -> str:
        return f"Practice: {self.place}\n\n{self.text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return face(self, "subword_lab.views:PracticeDeck") if self.waiting else self.static()

    def static(self) -> dict[str, str]:
        """The exercise on top without a widget, by MIME type."""
        return {
            "text/plain": repr(self),
            "text/html": html.box(
                f"Practice: {self.place}", html.to_html(self.text), label="Practice"
            ),
        }


def practice(lesson: str, *, now: datetime | None = None) -> Deck:
    """A deck of the exercises of a lesson, such as "01_bpe", or of all lessons begun: "so far".

    A lesson's deck begins with two of earlier lessons that were wrong a day ago or more, if there are any. In the deck
    "so far", all that was wrong comes first, oldest first; then what was never tried, and a few that were right.

    now: the time from which days are counted; without a time zone, it is local. ValueError if there is no such lesson.
    """
    now = (now or datetime.now(UTC)).astimezone()
    events = progress.store().events(classroom.settings().learner)
    lesson_of = {id: name for name in lessons.names() for id in in_order(name)}
    last = last_answers(events)
    old = [id for id in lesson_of if id in last and (now - moment(last[id])).days >= 1]
    old.sort(key=lambda id: moment(last[id]))
    wrong = [id for id in old if last[id]["outcome"] != "correct"]
    if lesson == "so far":
        begun = {lessons.of_exercise(event["exercise"]) for event in events}
        orders = [in_order(one.name) for one in lessons.LESSONS if one in begun]
        untried = [id for each in zip_longest(*orders) for id in each if id and id not in last]
        right = [id for id in old if id not in wrong]
        return Deck([*wrong, *untried, *right[:OLD_RIGHT]], last)
    done = {event["exercise"] for event in events if event["outcome"] == "correct"}
    own = sorted(in_order(lesson), key=lambda id: (id in done, id in shown))
    # a lesson's name begins with its number
    earlier = [id for id in wrong if lesson_of[id] < lesson][:OLD_WRONG]
    return Deck([*earlier, *own], {id: last[id] for id in earlier})


def last_answers(events: list[dict]) -> dict[str, dict]:
    """Exercise id -> the answer that decides when it comes back, an event whose "turn" is that of the last figures.

    It is the last answer; but what is right within a day of a wrong answer may only be what one has just been told, so
    the wrong answer decides on. An answer without a time counts as none.
    """
    last: dict[str, dict] = {}
    for event in sorted(events, key=moment):
        if event["outcome"] in COSTLY and moment(event) > UNDATED:
            before = last.get(event["exercise"], event)
            corrected = before["outcome"] != "correct" and event["outcome"] == "correct"
            soon = (moment(event) - moment(before)).days < 1
            last[event["exercise"]] = {
                **(before if corrected and soon else event),
                "turn": max(before.get("turn", 0), event.get("turn", 0)),
            }
    return last


def moment(event: dict) -> datetime:
    """When an event was recorded, in local time; UNDATED if that cannot be read.

    >>> moment({"at": "2026-11-12T08:00:00"}).day, moment({"at": ""}) == UNDATED
    (12, True)
    """
    try:
        return max(datetime.fromisoformat(event["at"]).astimezone(), UNDATED)
    except (TypeError, ValueError, OverflowError, OSError):
        return UNDATED


def origin(answer: dict) -> str:
    """Where an old card is from, and how it went there, for its heading.

    >>> origin({"exercise": "bpe-03", "outcome": "incorrect", "at": "2026-11-12T12:00:00"})
    'From lesson 01, wrong on 12 November'
    """
    lesson = lessons.of_exercise(answer["exercise"])
    day = moment(answer)
    how = {"correct": "right", "partial": "partly right"}.get(answer["outcome"], "wrong")
    return f"From lesson {lesson and lesson.number}, {how} on {day.day} {day:%B}"


def in_order(lesson: str, *, files: Iterable[str] | None = None) -> list[str]:
    """The ids of a lesson's exercises without code: what is core first, then by level. files: see `catalog`."""
    group = lessons.lesson(lesson).exercises
    ordered = sorted(
        catalog(files).values(), key=lambda one: (not one.core, LEVELS.index(one.level))
    )
    return [one.id for one in ordered if one.group == group and one.kind.card_field != "none"]
