"""What a learner is told: the worth of an answer, or a hint; as text, and as HTML in a notebook."""

from dataclasses import dataclass

from .. import html

OUTCOMES = (
    "correct",
    "partial",
    "incorrect",
    "invalid",
    "not attempted",
    "error",
    "timeout",
    "received",
)
COSTLY = ("correct", "partial", "incorrect", "error", "timeout")  # the outcomes that are attempts
LONGEST = {"message": 1_000, "evidence": 3_000}  # characters: a screen, and no more


@dataclass(frozen=True)
class Feedback:
    """What an answer is worth, and why.

    outcome: one of OUTCOMES; "received" is judged elsewhere. score: from 0 to 1. label: the mistake's,
    if it is a known one. message: the headline, in Markdown. evidence: the details, on demand. exercise: the exercise's
    id. note: what else is to be known, such as that nothing could be recorded. onward: after a right answer, what there
    is to do next. answer: as it was read.
    """

    outcome: str
    score: float
    message: str
    label: str = ""
    evidence: str = ""
    exercise: str = ""
    note: str = ""
    onward: str = ""
    answer: str = ""

    def __post_init__(self) -> None:
        for name, most in LONGEST.items():
            text = getattr(self, name)
            text = text[:most] + " ..." * (len(text) > most)
            object.__setattr__(self, name, text.encode("utf-8", "backslashreplace").decode())

    def __repr__(self) -> str:
        headline = f"{self.exercise}: {self.outcome}. {self.message}"
        return "\n".join(filter(None, [headline, self.evidence, self.onward, self.note]))

    def _repr_html_(self) -> str:
        if self.outcome == "not attempted":
            return html.to_html(f"{self.exercise}: {self.message}")
        tones = {"correct": "good", "partial": "note", "invalid": "note", "received": "note"}
        more = html.details("Details", html.to_html(self.evidence)) if self.evidence else ""
        rest = "".join(html.to_html(text) for text in (self.onward, self.note) if text)
        body = html.to_html(self.message) + more + rest
        return html.box(
            f"{self.exercise}: {self.outcome}", body, tone=tones.get(self.outcome, "bad")
        )


@dataclass(frozen=True)
class Note:
    """A hint or a solution."""

    title: str
    text: str

    def __repr__(self) -> str:
        return f"{self.title}: {self.text}"

    def _repr_html_(self) -> str:
        return html.box(self.title, html.to_html(self.text), tone="note")
