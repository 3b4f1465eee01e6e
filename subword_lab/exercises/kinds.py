"""Kinds of answers. A kind knows itself: how its answers are read, judged and shown, what field its card has, and
which proofs apply to it. Nobody else asks what kind an exercise is of.

Here are the kinds whose answers are values; for functions see `code`.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import eq
from typing import Any, ClassVar

from ..arguments import check, code, shorten
from ..text import unicode_form
from . import typed
from .feedback import Feedback
from .question import Ask, Mistake, Question, Rng
from .reckoning import reckoned
from .words import say, say_first

LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEXADECIMAL = re.compile(  # such as `31E`, `U+031E` or `0x31E (hex)`
    r"(?i)\W*(?:(?:0x|u\+|\\[ux])[\da-f]+|(?=.*\d)(?=[\d\s]*[a-f])[\da-f]{3,8}h?)(?:\W*hex\w*)?\W*"
)
NO_NUMBER = re.compile(r"(?i)<[^<>]*[^\W\d]|\b0x[\da-f]")  # such as HTML, or hexadecimal digits
DOUBTED = re.compile(r"\b(?:no|not|never|but|or|and|than|rather|wrong|except|\w)\b|n['’]t\b")
WITH_REASON = re.compile(  # a letter, and words that say why: `a, it ends in C3`, `c (0xFD)`
    r"\W*(?P<letter>[a-z])(?:\s*\(|(?:[,:;.]|\s+[-–—])\s+(?=[^\W\d]+ ))"
    r"(?P<words>(?!.*\b(?:no|not|never|nor|but|or|rather|wrong|false|then|too|also|maybe|perhaps|both|either|if)\b|.*n['’]t).+)",
    re.IGNORECASE,
)
ARTICLE = r"a (?!is\b|was\b|may\b|might\b|could\b|would\b)[^\W\d]{2}"
NUMBERS = list(typed.NUMBER_WORDS)
KEYBOARDS = str.maketrans("’＃", "'#")  # what some make of these signs
FEWEST = 3  # characters: words of an option that name it are longer


class Invalid(ValueError):
    """What was typed has not the form of an answer. The message says which form is wanted; no attempt is lost."""


@dataclass(frozen=True)
class Kind:
    """What all kinds of answers share; by itself, no kind that a question could have.

    name: the kind in a word. form: what an answer looks like, as the learner reads it. example: one, as Python.
    """

    name: str = ""
    form: str = ""
    example: str = ""
    card_field: ClassVar[str] = "text"  # what a card has: text, choice, order, cut or none
    longest: ClassVar[int] = typed.MOST  # characters of an answer that is typed
    lettered: ClassVar[str] = (
        ""  # where what is listed stands with letters: the form, with {letters}
    )
    # What there is to do, and where there are no cards; `name` is the variable that holds the exercise.
    task: ClassVar[str] = (
        "Answer with {kind.form}. In a notebook, run this cell and answer here, or in any cell: "
        "`{name}.check({kind.example})`."
    )
    cell_task: ClassVar[str] = "Answer with {kind.form}, in a cell: `{name}.check({kind.example})`."
    untouched: ClassVar[str] = (
        "Not answered in this cell yet: put your answer in place of the three dots."
    )
    credited: ClassVar[bool] = False  # whether what is right from the beginning earns its share
    asides: ClassVar[Sequence[re.Pattern]] = (typed.ASIDE,)  # what is no part of an answer
    free: ClassVar[bool] = (
        False  # whether an answer can hold words that somebody wants others to read
    )
    proofs: ClassVar[frozenset[str]] = frozenset({"value"})  # which groups apply, see `proof`

    def __post_init__(self) -> None:
        check(
            isinstance(self.name, str),
            f"{type(self).__name__}({self.name!r}): settings of a kind are given by name, as in "
            "Number(digits=2); a choice has none, for its options are the answer and the mistakes "
            "of the Question",
        )

    def asking(self, written: Any) -> tuple["Kind", Ask]:
        """From what `exercise` stands above: this kind, and the function that asks."""
        check(
            callable(written) and not isinstance(written, type),
            f"{getattr(written, '__name__', written)!r} is no function; expected one that takes rng "
            "and returns a Question (classes are for exercises that ask for code)",
        )
        return self, written

    # ------------------------------------------------------------------------------------------------------- reading

    def readings(self, answer: object, listed: Sequence[str] = ()) -> list[Any]:
        """The values that an answer may mean, the likeliest first; Invalid, with the form that is wanted, if none."""
        if isinstance(answer, (str, list, tuple, dict)):
            length = len(unicode_form("NFKC", str(answer)))  # as it is read, `ﷺ` is 18 characters
            if length > self.longest:
                raise Invalid(f"I expected {self.form}, and got {length:,} characters.")
        if values := self._read(answer, listed):
            return values
        form = self.lettered.format(letters=", ".join(LETTERS[: len(listed)])) or self.form
        raise Invalid(f"I expected {form}, and got {described(answer)}.")

    def meant(self, answer: Any, values: list[Any], question: Question) -> list[Any]:
        """The `readings` of an answer, once one knows the question."""
        return values

    def _read(self, answer: Any, listed: Sequence[str]) -> list[Any]:
        raise NotImplementedError

    def is_untouched(self, answer: object) -> bool:
        """Whether an answer is none yet; `untouched` is what is said then."""
        blank = isinstance(answer, str) and not typed.tidy(answer)
        return answer is ... or answer is None or blank

    # ------------------------------------------------------------------------------------------------------- judging

    def equal(self, a: Any, b: Any) -> bool:
        """Whether two values are the same answer."""
        return bool(a == b)

    def judge(
        self,
        question: Question,
        values: Sequence[Any],
        *,
        run: Callable | None = None,
        secret: int | None = None,
    ) -> Feedback:
        """Feedback on an answer, given its `readings`: right, a known mistake, or where it goes wrong.

        run and secret are for code, see `code.Function.judge`. Raises Invalid.
        """
        if any(self.is_right(value, question) for value in values):
            return Feedback("correct", 1.0, f"Right. {question.why}".rstrip())
        named = [(value, self.known(value, question)) for value in values]
        value, mistake = next((each for each in named if each[1]), (values[0], None))
        certain = question.evidence(value) if question.evidence else ""
        evidence = certain or self.located(value, question.answer)
        if mistake:
            way = f"\n\nIf you came to it in another way: {certain}" * (0 < len(certain) < 250)
            return Feedback(
                "incorrect",
                0.0,
                self.message(mistake, question) + way,
                mistake.label,
                "" if way else evidence,
            )
        if certain:
            evidence = f"{self.fact(value, question.answer)} {certain}".strip()
        # Never for more than was asked.
        is_begun = self.credited and len(value) <= len(question.answer)
        share = _common(value, question.answer) / len(question.answer) if is_begun else 0.0
        return Feedback(
            "partial" if share else "incorrect",
            share,
            evidence or "Not yet. Look at the question again, or ask for a hint.",
        )

    def is_right(self, value: Any, question: Question) -> bool:
        """Whether a value is the answer, or accepted as one."""
        return self.equal(value, question.answer) or bool(
            question.accept and question.accept(value)
        )

    def known(self, value: Any, question: Question) -> Mistake | None:
        """The mistake that leads to this value."""
        possible = [mistake for mistake in question.mistakes if mistake.value is not None]
        found = (
            mistake
            for same in (eq, self.equal)
            for mistake in possible
            if same(value, mistake.value)
        )
        return next(found, None)

    def message(self, mistake: Mistake, question: Question) -> str:
        """What is said to somebody who made the mistake."""
        return mistake.message

    def located(self, value: Any, right: Any) -> str:
        """What is certain about a wrong value, without giving the right one away."""
        return ""

    def fact(self, value: Any, right: Any) -> str:
        """The same, if it tells more than where to look: it is said before an exercise's own evidence, too."""
        return ""

    # ------------------------------------------------------------------------------------------------------- showing

    def show(self, value: Any) -> str:
        """A value as one types it."""
        return str(value)

    def listed(self, question: Question, rng: Rng) -> list[str]:
        """What the question lists: the options of a choice, the items to order, the word that is cut."""
        return list(question.listed)

    def solved(self, question: Question) -> str:
        """The answer and the way to it."""
        return f"`{self.show(question.answer)}`\n\n{question.solution}"

    def key(self, question: Question, listed: Sequence[str]) -> str:
        """The answer, for whoever marks by hand."""
        return self.show(question.answer)

    def cell(self, name: str, answer: object = ...) -> str:
        """A cell of a notebook in which this is answered; `...` where nothing is answered yet."""
        return f"{name}.check({'...' if answer is ... else repr(self.show(answer))})"

    # ------------------------------------------------------------------------------------------------------- variants

    def settled(self, question: Question) -> Question | None:
        """The question with one mistake for each wrong value; None if a mistake leads to the right answer.

        Of several mistakes that lead to one value, the first names all.
        """
        groups: dict[str, list[Mistake]] = {}  # by the label of the first
        for mistake in question.mistakes:
            if mistake.value is not None:
                if self.is_right(mistake.value, question):
                    return None
                firsts = [group[0] for group in groups.values()]
                first = self.known(mistake.value, dataclasses.replace(question, mistakes=firsts))
                groups.setdefault((first or mistake).label, []).append(mistake)
        return dataclasses.replace(
            question,
            mistakes=[
                dataclasses.replace(mistake, message=_together(groups[mistake.label]))
                if mistake.label in groups
                else dataclasses.replace(mistake, value=None)
                for mistake in question.mistakes
            ],
        )


@dataclass(frozen=True)
class Text(Kind):
    """A word or a short phrase; blanks and, unless `case` matters, capitals make no difference.

    >>> Text().equal("Lowest  Rank", "lowest rank"), Text(case=True).equal("Th", "th")
    (True, False)
    """

    name: str = "text"
    form: str = "a word or a short phrase"
    example: str = '"..."'
    free = True
    asides = (typed.ASIDE, typed.REMARK, typed.WORKING)
    case: bool = False

    def _read(self, answer: Any, listed: Sequence[str]) -> list[str]:
        if isinstance(answer, (int, float)) and not isinstance(answer, bool):
            answer = str(answer)
        found = typed.phrases(_in_words(answer))  # and a token may be named by its merge
        merged = [re.sub(r"\s*\+\s*(?:##)?", "", text) for text in found if text.count("+") == 1]
        return typed.distinct(filter(None, found + merged))

    def equal(self, a: str, b: str) -> bool:
        a, b = " ".join(a.split()), " ".join(b.split())
        return a == b if self.case else a.casefold() == b.casefold()

    def fact(self, value: str, right: str) -> str:
        value, right = " ".join(value.split()), " ".join(right.split())
        bare, wanted = (re.sub(r"[\W_]", "", text).casefold() for text in (value, right))
        same = _common(value, right)
        return say_first(
            (
                value.casefold() == right.casefold() and value != right,
                "The letters are right; look at the capitals.",
            ),
            (
                bare == wanted,
                "The letters are right; look at the blanks and the signs between them.",
            ),
            (sorted(bare) == sorted(wanted), "The letters are right, but not in the right order."),
            (
                same == len(value),
                "As far as it goes it is right, but something is missing after character {same}.",
            ),
            (
                same == len(right),
                "It is right as far as character {same}, and there it should end.",
            ),
            (
                len(wanted) > 1 and wanted in bare,
                "The right text is in it, with something around it.",
            ),
            (len(bare) > 1 and bare in wanted, "That is a part of it."),
            (True, ""),
            same=same,
        )

    def located(self, value: str, right: str) -> str:
        value, right = " ".join(value.split()), " ".join(right.split())
        place = _common(value, right)
        return self.fact(value, right) or say_first(
            (
                len(value) == len(right),
                "It goes wrong at character {place}, {parted:code}.",
            ),
            (
                len(value) > len(right),
                "It goes wrong at character {place}, {parted:code}; yours is longer, too.",
            ),
            (
                True,
                "It goes wrong at character {place}, {parted:code}; yours is shorter, too.",
            ),
            place=place + 1,
            parted=value[place : place + 1],
        )


@dataclass(frozen=True)
class Number(Kind):
    """A number, exact or rounded: to so many `digits` behind the point, or to so many `significant` ones.

    digits: decimals that the question asks for, so say so in its text; the answer itself is given unrounded. What is
    typed more exactly than asked for is right, too, and whoever rounds further is told so. Without `digits` and
    `significant`, only the exact number is right. unit: "cents", "seconds" or "MB", if the question asks for these;
    another unit that somebody types is changed into it.

    >>> Number().readings("1/36"), Number().readings("1 234")
    ([Fraction(1, 36)], [Fraction(1234, 1)])
    >>> Number(digits=2).equal(Fraction("9.23"), 9.2308), Number(digits=2).equal(Fraction("9.24"), 9.2308)
    (True, False)
    >>> Number(unit="cents").readings("1.70 $"), Number(unit="seconds").readings("1 min 40 s")
    ([Fraction(170, 1)], [Fraction(100, 1)])
    """

    name: str = "number"
    form: str = "a number, such as 1234, 0.25 or 1/36"
    example: str = "1234"
    longest = 300  # with the working that leads to it
    digits: int | None = None
    significant: int | None = None
    unit: str = ""

    def _read(self, answer: Any, listed: Sequence[str]) -> list[Fraction]:
        if isinstance(answer, (int, Fraction)) and not isinstance(answer, bool):
            return [Fraction(answer)]
        if isinstance(answer, float):
            return [Fraction(repr(answer))] if math.isfinite(answer) else []
        answer = answer if isinstance(answer, str) else ""
        text = "" if NO_NUMBER.search(answer) else typed.unwrap(answer)
        found = typed.numbers(text, self.unit, self.digits is None and self.significant is None)
        if not found and (
            (hexadecimal := HEXADECIMAL.fullmatch(answer)) or len(re.findall(r"\d+", answer)) > 1
        ):
            working, _, result = text.rpartition("=")
            for one, other in zip(typed.numbers(working)[:1], typed.numbers(result)[:1]):
                if abs(one - other) > abs(one) / 1000:
                    raise Invalid(
                        f"I expected one number, and {code(working.strip())} is not {code(result.strip())}: which do "
                        "you mean?"
                    )
            raise Invalid(
                f"I expected a decimal number, and {described(answer)} looks like a hexadecimal one."
                if hexadecimal
                else f"I expected {self.form}, and in {described(answer)} I find no single result. "
                "Give the number alone."
            )
        return found

    def equal(self, a: Any, b: Any) -> bool:
        if self.significant is not None:
            least = min(abs(a), abs(b))
            place = math.floor(math.log10(least)) + 1 - self.significant if least else 0
            return a == b or bool(least and abs(a - b) <= 0.52 * 10.0**place)
        return bool(a == b if self.digits is None else abs(a - b) <= 0.51 / 10**self.digits)

    def settled(self, question: Question) -> Question | None:
        as_typed = [
            dataclasses.replace(
                mistake,
                value=value
                and Fraction(
                    value  # halfway between two that one may type, it is equal to both
                    if self.digits and Fraction(value) * 10**self.digits % 1 == Fraction(1, 2)
                    else self.show(value)
                ),
            )
            for mistake in question.mistakes
            for value in [mistake.value]
        ]
        return super().settled(question) and super().settled(
            dataclasses.replace(question, mistakes=as_typed)
        )

    def message(self, mistake: Mistake, question: Question) -> str:
        more = mistake.value - question.answer
        if abs(more) != 1 or abs(question.answer) <= 3:
            return mistake.message
        # It may well be a slip in counting.
        return f"One too {'many' if more > 0 else 'few'}. {mistake.message}"

    def judge(self, question: Question, values: Sequence[Any], **how: Any) -> Feedback:
        rounded = self._unrounded(question, values[0])
        certain = question.evidence(values[0]) if rounded and question.evidence else ""
        if not certain.startswith("This is "):  # else the value is known as it stands
            values = [*values, *rounded]
        feedback = super().judge(question, values, **how)
        if feedback.outcome == "correct":
            return feedback
        if feedback.label and not question.evidence:  # where it lies is nearly the answer
            feedback = dataclasses.replace(feedback, evidence="")
        if not self.is_coarse(values[0], question.answer):
            if self.is_cut_off(values[0], question.answer) and "cut off" not in feedback.message:
                told = (
                    "The first digits are right, but the rest is cut off. Which way does it round?"
                )
                other = f" Or, if you cut off nothing: {feedback.message}" if feedback.label else ""
                return dataclasses.replace(feedback, message=told + other)
            return feedback if feedback.label else self._with_fact(feedback, question, values[0])
        wanted = (
            "{significant} significant digits are asked for."
            if self.significant
            else "give it to {digits:decimal|decimals}."
        )
        message = say(f"Rounded to fewer digits, this would be right; {wanted}", **vars(self))
        if not self.known(values[0], question):
            raise Invalid(message)
        return dataclasses.replace(
            feedback, message=f"{message} Or, if you did not round: {feedback.message}"
        )

    def _unrounded(self, question: Question, value: Any) -> list[Any]:
        """The values of mistakes which are this value once they are rounded."""
        return [
            exact
            for exact in (mistake.value for mistake in question.mistakes)
            if exact is not None
            and exact != int(exact)
            and any(round(exact, digits) == value for digits in range(exact < 12, 5))
        ]

    def _with_fact(self, feedback: Feedback, question: Question, value: Any) -> Feedback:
        """The feedback, begun with what is certain about the value itself, where the exercise speaks in general."""
        right = question.answer
        telling = abs(right) > 3 or right != int(right) or self.equal(value, 1 - right)
        fact = self.related(value, right) if telling else ""
        exact = self.digits is None and self.significant is None
        if not fact and exact and right == int(right) and value != int(value):
            fact = "That is no whole number, and the answer is a whole number."
        given = re.findall(r"\d+(?:\.\d+)?", question.text.replace(",", ""))
        is_given, said = value in map(Fraction, given), feedback.message
        is_open = not is_given and not said.startswith(("This ", "That "))
        if is_open and (not fact or re.search("twice|half|whole", fact)):
            way = reckoned(value, question.text, question.solution, Fraction(right))
            fact += (" It" if fact else "That") + f" is {way}." if way else ""
        if not fact and is_given and value > 12:  # a small one may come from elsewhere
            fact = "That is a figure of the question itself."
        if not fact and self.digits and abs(value - right) < Fraction(1, 10**self.digits):
            fact = "That is close: was the last digit cut off, or something rounded on the way?"
        known = said.startswith(("This is ", "That is close")) or str(value) in said
        if not fact or known or fact in said:
            return feedback
        if re.search("too|twice|half", fact):  # which says already which way it is wrong
            said = re.sub(r"^Too (large|small)\. ", "", said)
        return dataclasses.replace(feedback, message=f"{fact} {said}")

    def is_coarse(self, value: Any, right: Any) -> bool:
        """Whether a value is the right one, rounded to fewer digits than are asked for.

        >>> Number(digits=2).is_coarse(3, 2.615), Number(digits=2).is_coarse(1, 0.615), Number().is_coarse(3, 2.615)
        (True, False, False)
        """
        form, most = ("g", self.significant or 1) if self.digits is None else ("f", self.digits)
        least = 0 if self.digits == 1 or (self.digits and right >= 1) else 1
        half_up = float(right) * (1 + 1e-12)
        fewer = [float(f"{half_up:.{each}{form}}") for each in range(least, most)]
        return bool(value) and float(value) in fewer

    def is_cut_off(self, value: Any, right: Any) -> bool:
        """Whether a wrong value is the beginning of the right one, to as many digits as are asked for.

        >>> Number(digits=2).is_cut_off(Fraction("2.61"), 2.615), Number(digits=2).is_cut_off(Fraction("2.6"), 2.615)
        (True, False)
        """
        ten = 10 ** (self.digits or 0)
        return bool(self.digits) and Fraction(value) * ten == math.floor(Fraction(right) * ten)

    def related(self, value: Any, right: Any) -> str:
        """How a wrong value follows from the right one, if it does so in a way that many take."""
        value, right = Fraction(value), Fraction(right)
        ratio = value / right if right else Fraction(0)
        powers = [10**power for power in range(1, 7)]
        return say_first(
            (value == -right, "The size is right; look at the sign."),
            (value == right + 1, "That is one too many."),
            (value == right - 1, "That is one too few."),
            (
                right > 3 and right != int(right) and value in (int(right), int(right) + 1),
                "That is less than 1 away: was something rounded?",
            ),
            (0 < right < 1 and self.equal(value, 1 - right), "That is 1 minus what it should be."),
            (
                right != 0 and self.equal(value, 1 / right),
                "That is the inverse: what is divided by what?",
            ),
            (self.equal(value, right * 2), "That is twice as much as it should be."),
            (self.equal(value, right / 2), "That is half of what it should be."),
            (ratio in powers, "That is {larger:,} times too large."),
            (ratio != 0 and 1 / ratio in powers, "That is {smaller:,} times too small."),
            (True, ""),
            larger=int(ratio),
            smaller=int(1 / ratio) if ratio else 0,
        )

    def located(self, value: Any, right: Any) -> str:
        value, right = Fraction(value), Fraction(right)
        close = bool(right) and abs(value - right) <= abs(right) / 50
        return self.related(value, right) or say_first(
            (
                close and value > right,
                "That is close, but too large: was something rounded on the way, or one thing left out or counted "
                "too often?",
            ),
            (
                close,
                "That is close, but too small: was something rounded on the way, or one thing left out or counted "
                "too often?",
            ),
            (value > right, "That is too large."),
            (True, "That is too small."),
        )

    def show(self, value: Any) -> str:
        return str(value) if self.digits is None else f"{float(value):.{self.digits}f}"


@dataclass(frozen=True)
class Choice(Kind):
    """One of the options, by its letter or by its text.

    There is no list of options to write: they are the question's answer and the values of its mistakes, shuffled anew
    for each learner. So each wrong option says by its message what is wrong with it.

    >>> question = Question("Is it?", "yes", [Mistake("no", "no", "Look again.")], [], "")
    >>> sorted(Choice().listed(question, Rng("any")))
    ['no', 'yes']
    >>> Choice().readings("(b)", ["yes", "no"]), Choice().readings("Yes.", ["yes", "no"])
    (['no'], ['yes'])
    """

    name: str = "choice"
    form: str = 'the letter of one option, such as "a"'
    example: str = '"a"'
    card_field = "choice"
    lettered = "one of the letters {letters}"
    proofs = frozenset({"value", "choice"})

    def _read(self, answer: Any, listed: Sequence[str]) -> list[str]:
        if isinstance(answer, (list, tuple)) and len(answer) == 1:
            answer = answer[0]
        answer = re.sub(r"(?is)^(\W*\w)\W+(?:because|since)\s.*", r"\1", _in_words(answer))
        if word := typed.ordinal(answer):  # which may also stand in an option
            taken = re.search(rf"(?i)\b{word}\b", " ".join(listed))
            return [] if taken else list(listed[typed.ORDINALS[word] :][:1])
        spelled = re.sub(r"(?<=[^\W\d] )1?\d\b", lambda number: NUMBERS[int(number[0])], answer)
        if same := _named(typed.phrases(answer) + typed.phrases(spelled), listed):
            return [same]
        before = re.match(r"\W*(?:option )?(?P<letter>\w)[^\w(]+(?P<words>.+)", answer, re.DOTALL)
        behind = re.match(
            r"(?P<words>.+?)[\s,:;(\[]+(?:option )?(?P<letter>\w)\W*$", answer, re.DOTALL
        )
        for both in filter(None, (before, behind)):  # `c. its text`, `its text (c)`
            meant = [listed[place] for place in typed.letters(both["letter"], len(listed))]
            phrases = typed.phrases(both["words"])
            if meant and (same := _named(phrases, listed) or _named(phrases, meant)):
                return meant if [same] == meant else []
        letters = LETTERS[: len(listed)]
        if (
            (reason := WITH_REASON.fullmatch(answer))
            and not re.search(rf"(?i)\b(?!{ARTICLE})[{letters}]\b", reason["words"])
            and not {*letters} & {*map(_bare, listed)}
            and not _named(typed.phrases(reason["words"].strip(" )")), listed)
            and not typed.ordinal(reason["words"])
        ):
            answer = reason["letter"]
        places = typed.letters(answer, len(listed))
        return [listed[places[0]]] if len(places) == 1 else []

    def settled(self, question: Question) -> Question | None:
        options = self.listed(question, Rng(""))
        distinct = None not in options and len(set(map(_bare, options))) == len(options)
        return question if distinct else None

    def listed(self, question: Question, rng: Rng) -> list[str]:
        return rng.shuffle([question.answer, *(each.value for each in question.mistakes)])

    def key(self, question: Question, listed: Sequence[str]) -> str:
        return f"{LETTERS[listed.index(question.answer)]}. {question.answer}"


def _in_words(answer: Any) -> str:
    """An answer as text: of a pair of strings, or one that is written as in Python, its two sides with a plus.

    What is neither text nor a pair is empty.

    >>> _in_words(("u", "g")), _in_words("('u', 'g')"), _in_words("ug"), _in_words(["u"])
    ('u + g', 'u + g', 'ug', '')
    """
    match typed.literal(answer) if isinstance(answer, str) else answer:
        case [str(left), str(right)]:
            return f"{left} + {right}"
    return answer if isinstance(answer, str) else ""


def _named(phrases: Sequence[str], listed: Sequence[str]) -> str | None:
    """The one of the listed items that is named: to the letter, in other dress, or by words that no other one has.

    >>> _named(["vocab.txt"], ["`vocab.txt` of BERT", "`vocab.json` of GPT-2"]), _named(["of BERT"], ["BERT", "GPT"])
    ('`vocab.txt` of BERT', None)
    >>> _named(["samovar"], ["Ġthe", "Ġsamovar"])
    'Ġsamovar'
    """
    bare = {_bare(phrase) for phrase in phrases}
    words = {re.sub(r"^(?:by )?(?:the |an? )?", "", phrase) for phrase in bare} - {""}
    parts = sorted((re.escape(some) for some in words if len(some) > FEWEST), key=len)
    ways = (
        [item for item in listed if item in phrases],
        [item for item in listed if _bare(item) in bare],
        [item for item in listed if _bare(item) in words],
        [  # with blanks in place of signs, and bytes without blanks
            item
            for item in listed
            if re.sub(r"\b([\da-f]{2}) (?=[\da-f]{2}\b)", r"\1", _bare(re.sub("[-_]", " ", item)))
            in {*words, *(_bare(re.sub("[-_]", " ", phrase)) for phrase in phrases)}
        ],
        *(
            [item for item in listed if re.search(rf"(?<![^\WġĠ▁]){part}(?!\.?\w)", _bare(item))]
            for part in reversed(parts)
        ),
        _said_of(max(words, key=len, default=""), listed),
    )
    alike = next(filter(None, ways), [])
    return alike[0] if len(alike) == 1 else None


def _said_of(sentence: str, listed: Sequence[str]) -> list[str]:
    """The items that stand in a sentence: all are long, it begins with them, and there is no word of doubt in it.

    >>> _said_of("hugs becomes [UNK]", ["hugs", "mugs"]), _said_of("hugs, not mugs", ["hugs", "mugs"])
    (['hugs'], [])
    >>> _said_of("hu, hugs", ["hu", "hugs"]), _said_of("hugs, hu", ["hu", "hugs"])
    ([], [])
    """
    bare = [(item, _bare(item)) for item in listed]
    said = [each for each in bare if re.search(rf"(?<!\w){re.escape(each[1])}(?!\w)", sentence)]
    is_clear = all(len(words) > FEWEST and sentence.startswith(words) for _, words in said)
    return [item for item, _ in said] if is_clear and not DOUBTED.search(sentence) else []


def _begun(part: str, listed: Sequence[str]) -> str | None:
    """The one of the listed items that begins so.

    >>> _begun("T", ["T=ab", "K=Ta"]), _begun("byte-level", ["byte-level-BPE", "BPE"]), _begun("b", ["byte", "BPE"])
    ('T=ab', 'byte-level-BPE', None)
    """
    alike = [item for item in listed if part and _bare(item).startswith(_bare(part))]
    return alike[0] if len(alike) == 1 else None


@lru_cache(maxsize=4096)
def _bare(option: str) -> str:
    """An option without its markup and the like, to be compared."""
    plain = re.sub(r"[`*_]|(?<=\w)-(?=\w)", "", option)
    return " ".join(re.sub(r"(?<=\S)\s*\+\s*(?=\S)", " ", plain).split()).rstrip(".").casefold()


@dataclass(frozen=True)
class Tokens(Kind):
    """A sequence of tokens: a list of strings, or one string with bars, commas or blanks between the tokens.

    >>> [Tokens().readings(way)[0] for way in ("un | hug", "un, hug", "['un', 'hug']", ("un", "hug"))]
    [['un', 'hug'], ['un', 'hug'], ['un', 'hug'], ['un', 'hug']]
    """

    name: str = "token sequence"
    form: str = 'tokens, such as un|hug or ["un", "hug"]'
    example: str = '["un", "hug"]'
    free = True

    def _read(self, answer: Any, listed: Sequence[str]) -> list[list[str]]:
        # Rules may come as a dictionary or as pairs.
        if "=" in self.example and isinstance(answer, (dict, list, tuple)):
            answer = str(answer)
        if isinstance(answer, str):
            return typed.sequences(answer)
        answer = typed.without_offsets(answer) if isinstance(answer, (list, tuple)) else []
        tokens = all(isinstance(part, str) and part for part in answer)
        return typed.of_list(answer) if answer and tokens else []

    def meant(self, answer: Any, values: list[Any], question: Question) -> list[Any]:
        label = typed.LEAD_IN.match(answer) if isinstance(answer, str) else None
        words = re.findall(r"[^\s:]+", label[0]) if label and ":" in label[0] else []
        if words and {*words} <= {*question.answer}:  # tokens, and so the colon is one, too
            return typed.of_list(answer.split())
        is_said = isinstance(answer, str) and re.search(typed.THEN, answer)  # but `and` may be one
        known = {*question.answer}
        return sorted(values, key=lambda way: -len(known.intersection(way))) if is_said else values

    def equal(self, a: list[str], b: list[str]) -> bool:
        # Few keyboards have a ▁.
        return b in (a, [re.sub("^_", "▁", token).translate(KEYBOARDS) for token in a])

    def fact(self, value: list[str], right: list[str]) -> str:
        bare, wanted = map(_unmarked, (value, right))
        same, spelled = _common(value, right), _spell_the_same(value, right)
        return say_first(
            (value == right[::-1], "That is exactly the other way round."),
            (
                sorted(value) == sorted(right),
                "These are the right tokens, but not in the right order.",
            ),
            (
                bare == wanted,
                "The cuts are right; look at the marks, the first time at {parted:code}.",
            ),
            (
                same == len(value),
                "As far as it goes it is right, but something is missing after token {same}.",
            ),
            (same == len(right), "It is right as far as token {same}, and there it should end."),
            (value == right[1:], "The first token is missing; from there on it is right."),
            (spelled and len(value) == 1, "Nothing is cut here yet."),
            (spelled and len(max(bare, key=len)) == 1, "Nothing is joined here yet."),
            (True, ""),
            same=same,
            parted=[*value[same:], ""][0],
        )

    def located(self, value: list[str], right: list[str]) -> str:
        bare, wanted = ("".join(_unmarked(tokens)) for tokens in (value, right))
        same = _common(value, right)
        return (
            self.fact(value, right)
            or say_first(
                (
                    _spell_the_same(value, right) or "[UNK]" in right,  # which spells nothing
                    "It goes wrong at token {place}, {parted:code}.",
                ),
                (
                    sorted(bare) == sorted(wanted),
                    "It goes wrong at token {place}, {parted:code}. The characters are right, but not in "
                    "the right order.",
                ),
                (
                    True,
                    "It goes wrong at token {place}, {parted:code}. Do all your tokens spell the text?",
                ),
                same=same,
                place=same + 1,
                parted=[*value[same:], ""][0],
            )
        )

    def show(self, value: list[str]) -> str:
        return " | ".join(value)


def _unmarked(tokens: Sequence[str]) -> list[str]:
    return [re.sub(r"^(##|▁|_|Ġ|@@)|(</w>|@@|_|##|▁)$", "", token) or token for token in tokens]


def _spell_the_same(value: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two sequences of tokens spell one text, with or without their marks."""
    bare, wanted = map(_unmarked, (value, right))
    return "".join(value) == "".join(right) or "".join(bare) == "".join(wanted)


@dataclass(frozen=True)
class Segmentation(Tokens):
    """One word cut into tokens; the pieces have to spell the word, which the question lists.

    >>> Segmentation().readings("un-hug", ["unhug"]), Segmentation().readings("un + hug", ["unhug"])
    ([['un', 'hug']], [['un', 'hug']])
    """

    name: str = "segmentation"
    form: str = "the word with | at every cut, such as un|hug"
    example: str = '"un|hug"'
    free = False

    def _read(self, answer: Any, listed: Sequence[str]) -> list[list[str]]:
        if isinstance(answer, str) and listed:  # `unhug = un|hug`
            answer = re.sub(rf"^\W*{re.escape(listed[0])}\W*?\s*(?:[-=]>|[→=:])\s*", "", answer)
        found = super()._read(answer, listed)
        if not listed or not found:
            return found
        word = typed.tidy(listed[0])
        spelling = typed.distinct(pieces for pieces in found if "".join(pieces) == word)
        if not spelling:
            turned = any("".join(pieces[::-1]) == word for pieces in found)
            if "[UNK]" in found[0]:
                raise Invalid(f"Nothing is unknown here: the pieces have to spell {listed[0]!r}.")
            raise Invalid(
                f"Your pieces spell {described(''.join(found[0]))}, and the word is {described(listed[0])}."
                + " They spell it from the last piece to the first: turn them round." * turned
            )
        return spelling

    def located(self, value: list[str], right: list[str]) -> str:
        same = _common(value, right)
        longer = len(value[same]) > len(right[same])
        return say_first(
            (not same and longer, "{piece:code} ends too late."),
            (not same, "{piece:code} ends too early."),
            (
                longer,
                "The cuts are right as far as {before:code}; then {piece:code} ends too late.",
            ),
            (
                True,
                "The cuts are right as far as {before:code}; then {piece:code} ends too early.",
            ),
            piece=value[same],
            before="|".join(value[:same]),
        )


@dataclass(frozen=True)
class Merges(Kind):
    """A sequence of merges: a list of pairs, or one string such as `u+g, u+n`.

    >>> Merges().readings("u+g=ug, h + ug"), Merges().readings([("u", "g")])
    ([[('u', 'g'), ('h', 'ug')]], [[('u', 'g')]])
    """

    name: str = "merge sequence"
    form: str = 'merges, such as x+y, z+xy or [("x", "y"), ("z", "xy")]'
    example: str = '[("x", "y"), ("z", "xy")]'
    free = True
    credited = True

    def _read(self, answer: Any, listed: Sequence[str]) -> list[list[tuple[str, str]]]:
        nested = [typed.nested(answer)] if isinstance(answer, (list, tuple)) else []
        found = typed.pairs(answer) if isinstance(answer, str) else nested
        return [
            [(pair[0], pair[1]) for pair in merges]
            for merges in found
            if merges
            and all(
                len(pair) == 2 and all(isinstance(side, str) and side for side in pair)
                for pair in merges
            )
        ]

    def fact(self, value: list, right: list) -> str:
        same = _common(value, right)
        return say_first(
            ([pair[::-1] for pair in value] == right, "Left and right are the wrong way round."),
            (
                sorted(value) == sorted(right),
                "These are the right merges, but not in the right order.",
            ),
            (
                same == len(value),
                "It is right as far as merge {same}; it goes on until merge {last}.",
            ),
            (same == len(right), "It is right as far as merge {same}; no more is asked for."),
            (value == right[1:], "The first merge is missing; from there on it is right."),
            (True, ""),
            same=same,
            last=len(right),
        )

    def located(self, value: list, right: list) -> str:
        same = _common(value, right)
        parted, due = [*value[same:], ()][0], [*right[same:], ()][0]
        return self.fact(value, right) or say_first(
            (
                parted[::-1] == due,
                "It goes wrong at merge {place}, {merge:code}. Are left and right the wrong way round?",
            ),
            (len(right) == 1, "That is another pair, {merge:code}."),
            (True, "It goes wrong at merge {place}, {merge:code}."),
            place=same + 1,
            merge="+".join(parted),
        )

    def show(self, value: list) -> str:
        return ", ".join("+".join(pair) for pair in value)


@dataclass(frozen=True)
class Ordering(Kind):
    """The letters of the listed items, in the right order.

    >>> Ordering().readings("c > a > b", ["x", "y", "z"]), Ordering().readings(["z", "x", "y"], ["x", "y", "z"])
    ([['z', 'x', 'y']], [['z', 'x', 'y']])
    """

    name: str = "ordering"
    form: str = "all the letters in order, such as c a b"
    example: str = '"c a b"'
    card_field = "order"
    lettered = "each of the letters {letters} once"
    credited = True

    def _read(self, answer: Any, listed: Sequence[str]) -> list[list[str]]:
        if isinstance(answer, (list, tuple)) and all(isinstance(part, str) for part in answer):
            if sorted(answer) == sorted(listed):
                return [list(answer)]
            answer = " ".join(answer)
        answer = answer if isinstance(answer, str) else ""
        places = typed.letters(answer, len(listed))
        if sorted(places) == list(range(len(listed))):
            return [[listed[place] for place in places]]
        orders = [
            *typed.sequences(answer),
            *(re.split(r"[<>,;→\n]", phrase) for phrase in typed.phrases(answer)),
            list(typed.tidy(answer)),
        ]
        named = [
            [_named(typed.phrases(part), listed) or _begun(part, listed) or part for part in order]
            for order in orders
            if len(order) == len(listed)
        ]
        return typed.distinct(order for order in named if sorted(order) == sorted(listed))

    def fact(self, value: list[str], right: list[str]) -> str:
        wrong = [place for place, (a, b) in enumerate(zip(value, right)) if a != b]
        return say_first(
            (value == right[::-1], "That is exactly the other way round."),
            (
                len(wrong) == 2 and wrong[1] == wrong[0] + 1,
                "Two neighbors have changed places.",
            ),
            (value[1:] + value[:1] == right, "One has gone from the end to the beginning."),
            (value[-1:] + value[:-1] == right, "One has gone from the beginning to the end."),
            (True, ""),
        )

    def located(self, value: list[str], right: list[str]) -> str:
        same = _common(value, right)
        return say_first(
            (value == right[::-1], "That is exactly the other way round."),
            (
                self.fact(value, right).startswith("Two"),
                "Two neighbors have changed places: {two[0]} and {two[1]}.",
            ),
            (value[0] == right[0], "It is right as far as place {same}."),
            (True, "It goes wrong at the first place, which is not that of {first:code}."),
            two=value[same : same + 2],
            same=same,
            first=value[0],
        )

    def show(self, value: list[str]) -> str:
        return " > ".join(value)


def prediction(of: Kind) -> Kind:
    """A kind for what a piece of code will show, said before it is run.

    >>> prediction(Number()).name
    'prediction'
    """
    return dataclasses.replace(of, name="prediction")


# ---------------------------------------------------------------------------------------------------------- small parts


def _common(a: Sequence, b: Sequence) -> int:
    """How many leading members are the same."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def _together(mistakes: Sequence[Mistake]) -> str:
    """What is said where any of these mistakes leads."""
    messages = typed.distinct(mistake.message for mistake in mistakes)
    ways = "\n".join(f"- {message}" for message in messages)
    together = say("More than one mistake leads to this answer:\n\n{ways}", ways=ways)
    return together if len(messages) > 1 else messages[0]


def described(value: object) -> str:
    """A value in a few words, for a message."""
    known = isinstance(value, (str, int, float, list, tuple, dict))
    return code(shorten(value)) if known else f"a {type(value).__name__}"
