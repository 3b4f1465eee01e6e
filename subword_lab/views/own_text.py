"""A text of the reader's own, and a number, for any function of a lesson."""

from collections.abc import Callable

from .player import html_of
from .playground import Playground, Regions, control, slider


class TextPlayground(Playground):
    """A text of one's own and a number go to a function, and what it answers is shown as they are changed.

    show: a function of the text and of the slider's number; it returns a sentence, and then what is to be looked at,
    such as a table, or HTML. A ValueError that it raises is told to whoever typed. string: what stands in the field
    at first. number and most: where the slider stands, and where it ends. label: what is written above it.

    >>> from subword_lab.views import table
    >>> def repeated(string, times):
    ...     return f"{len(string) * times} characters.", table([[string * times]], ["text"])
    >>> TextPlayground(repeated, "ab", number=3, label="Times", title="Repeat your own text")
    Repeat your own text: 6 characters.
    """

    def __init__(
        self,
        show: Callable[[str, int], tuple],
        string: str = "",
        *,
        number: int = 1,
        most: int = 10,
        label: str = "Steps",
        title: str = "Try your own text",
    ):
        self.show = show
        field = control("area", "text", "Your text", string, rows=3)
        super().__init__(title, [field, slider("number", label, most, number)])

    def answer(self) -> Regions:
        self.status, *shown = self.show(self.text("text"), int(self.values["number"]))
        return {f"shown{place}": html_of(one) for place, one in enumerate(shown)}


text_playground = TextPlayground
