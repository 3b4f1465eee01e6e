"""A question with its figures, its answer and its mistakes: what a kind of answers judges by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .rng import Rng
from .words import say

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
    figures: what stands in the named fields of all these texts, see `words.say`; usually `locals()`. Without it the
    texts are taken as they are.
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
    figures: Mapping[str, Any] | None = None

    def worded(self) -> Question:
        """The same question, with its figures in the fields of its texts.

        >>> question = Question("How often does {pair:tokens} occur?", 2, [], [], "", figures={"pair": ("u", "g")})
        >>> question.worded().text
        'How often does `u` `g` occur?'
        """
        figures = self.figures
        if figures is None:
            return self
        return replace(
            self,
            text=say(self.text, **figures),
            mistakes=[
                replace(mistake, message=say(mistake.message, **figures))
                for mistake in self.mistakes
            ],
            hints=[say(hint, **figures) for hint in self.hints],
            solution=say(self.solution, **figures),
            why=say(self.why, **figures),
            figures=None,
        )


Ask = Callable[[Rng], Question | None]  # None: these figures make no good question
