"""A question with its figures, its answer and its mistakes: what a kind of answers judges by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .rng import Rng

Case = tuple[Any, ...]  # the arguments of one call


@dataclass(frozen=True)
class Mistake:
    """A mistake with a name, and where it leads with the figures of this question.

    label: short and lasting, for statistics. value: what somebody who makes the mistake answers; None where it cannot
    be made with these figures. message: what the learner reads, in Markdown. It begins with what is certain about this
    value ("That is the number of blanks."), and asks rather than accuses; it does not tell the answer.
    """

    label: str
    value: Any
    message: str


@dataclass(frozen=True)
class Question:
    """One question with its figures, its answer, and everything that there is to say about wrong ones.

    text, hints (three: a nudge, an idea, a line), solution (the way to the answer) and why (one sentence after a right
    answer) are Markdown. answer: the right value. listed: what is shown with letters, the items to order, or the word
    to cut (a choice lists its options by itself). accept: says of another value whether it is right all the same.
    evidence: from a wrong value, where it goes wrong; instead of what the kind says by itself.
    For code, cases, inputs and also are what stands under these names in its class, see `code`.
    """

    text: str
    answer: Any
    mistakes: Sequence[Mistake]
    hints: Sequence[str]
    solution: str
    why: str = ""
    listed: Sequence[str] = ()
    accept: Callable[[Any], bool] | None = None
    evidence: Callable[[Any], str] | None = None
    cases: Sequence[Case] = ()
    inputs: Callable[[], Any] | None = None
    also: Sequence[Callable] = ()


Ask = Callable[[Rng], Question | None]  # None: these figures make no good question
