"""How long each part of a lesson takes, what to ask the room there, and which exercises belong to it; and a plan for
any number of minutes. All of it is read from the notebooks, so that it is true of the edition at hand.

    from subword_lab_teach import plan

    plan.lesson_plan("01_bpe")
    plan.route(90)                              # what `subword-lab plan 90` prints
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, groupby
from operator import itemgetter

from subword_lab import arguments, lessons
from subword_lab.exercises import LEVELS, catalog
from subword_lab.views import Table, table

from .cells import DECK, LOADED, lesson_notebook

AFTERWARDS = (
    "",
    "Practice",
    "For whoever wants more",
    "Sources and further reading",
    "What comes next",
)  # no time in class, as for the opening; the sections of "more" have their own
WORDS_A_MINUTE, CELL, PLAY = 200, 0.5, 2.0  # minutes to run and read a cell, and to play
QUESTIONED = 1  # minutes for a section's question to the room
EXERCISE = dict(zip(LEVELS, (1, 2, 3)))  # minutes by level
PLAYED = re.compile(r"playground\(|stepper\(|player\(|race\(")
HEADING = re.compile(r"^##+ (.*)$", re.MULTILINE)
QUESTION = re.compile(r"(?<![`\w])(\*{0,2}[A-Z][^.?!:|\n]*(?:\n[^.?!:|\n]+)*\?\*{0,2})(?=\s|$)")
LEAST = 20  # characters of a question that can stand alone
ASK = {  # where the text of a section has no such question
    "A price for every token": "What does one pay for: words, characters, or something else?",
    "Who decides where to cut?": "Nobody taught this tokenizer English. Who decided where it cuts?",
    "Can the loss fall?": "A token is gone. Can the text become cheaper by that?",
    "Against zlib": "How far behind zlib is it? Guess first.",
    "What becomes of the unknown?": "What would you write where a character is unknown?",
    "Tokens per what?": "Per word, per character, per byte: which is fair to every language?",
    "Does it cut where the meaning does?": "Into which parts would a grammar cut `unhappiness`?",
    "Or no tokenizer at all?": "What would a model cost that reads single bytes?",
    "Which one, when?": "You begin a project tomorrow. Which one do you take?",
    "Special tokens, and who may write them": "Who may write `<|system|>`, and who may not?",
    "Play": "Who finds a corpus whose third merge is a whole word?",
    "Yours": "Whose own functions run here, and do they give the same?",
    "A dot is a pattern": "What does a dot mean in a regular expression, and where would that hurt?",
    "Where the sources slip": "How would you have noticed this?",
    "Where this course comes from": "How do you know that a worked example in a book is right?",
    "Two tokenizers, one corpus": "Which words does each of the two like?",
    "The case of the third merge": "A book says that this merge comes third. How could one find out?",
    "Other scripts": "What would WordPiece do to a language written without blanks?",
    "Start with everything": "How many pieces has a word of five letters?",
    "The second-best answer": "How likely is the way that comes second?",
    "What SentencePiece really does": "What would you measure first, to know what a program does?",
    "The table travels along": "The text is half as long, and the table comes along. Is that a success?",
    "A character is one to four bytes": "How many bytes has the first letter of your name?",
    "Where a character breaks": "Half a character arrives. What should be shown?",
    "What a sentence costs": "The same sentence in four languages: which one costs most, and why?",
    "Numbers, spaces, code, emoji": "How would you want `1234567` to be cut?",
    "Bytes only where needed": "What is better for a rare character, its bytes or `<unk>`?",
    "Glitch tokens": "How can a token be in the vocabulary that no text ever used?",
    "The file": "Which of its parts could one leave out?",
    "BERT: one list": "What can a list of tokens alone not tell you?",
    "Today's models": "Which of these would you take for your own language?",
    "Where does the time go?": "Which of our functions is called most often? Guess before it is measured.",
    "Count steps, not seconds": "Why do seconds say less than steps?",
    "Idea 1: count the words first": "How often is the word `the` cut into letters, and how often would be enough?",
    "Idea 2: keep an index": "Which words does a merge leave as they are?",
    "Idea 3: a heap": "The highest of a million counts is wanted, again and again. How would you keep them?",
    "What the ideas are worth": "Which of the ideas saves most? Vote before you look.",
    "Idea 4: numbers instead of strings": "What is cheaper about comparing two numbers than two strings?",
    "Idea 5: a compiler": "What does Python find out anew at every step of a loop?",
    "Measured": "Which row would have been enough for your own work?",
    "Idea 6: more than one machine": "Which part of training can be done by machines that never talk to each other?",
    "Someone else's engine": "When is somebody else's engine the right answer?",
    "Summary": "Which of these sentences would you have doubted an hour ago?",
}

LEAST_MINUTES, MOST_MINUTES = 30, 960
TAUGHT = 0.8  # of the time; the rest is for breaks, practice and what the room got wrong
HOUR, BREAK = 60, 10  # minutes: after so many, a break of so many
# What an audience of today needs most, in that order: lesson and sections.
FIRST: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("00_text_to_tokens", ("A price for every token",)),
    ("06_byte_level", ("A character is one to four bytes", "What a sentence costs")),
    ("01_bpe", ("Who decides where to cut?", "By hand")),
    ("06_byte_level", ("Special tokens, and who may write them",)),
    (
        "07_real_tokenizers",
        ("Special tokens", "A conversation as one text", "How special tokens are abused"),
    ),
    ("07_real_tokenizers", ("From a text to ids", "The file", "Today's models")),
    ("00_text_to_tokens", ("Words", "Subwords")),
    ("01_bpe", ("Encoding replays history", "What it never saw")),
    ("05_side_by_side", ("Which one, when?",)),
)
DETOUR = "04_compression_bpe"  # comes last: no other lesson needs it


@dataclass
class Part:
    """A section of a lesson. question: what to ask the room, ours or the first of its own that can stand alone.
    exercises: ids, in their order; "practice" is the deck. reading: minutes for its words and its cells.
    """

    title: str
    question: str = ""
    exercises: tuple[str, ...] = ()
    reading: float = 0.0

    @cached_property
    def in_class(self) -> list[str]:
        """Its exercises that are answered in class: those that ask for no code."""
        asked = [id for id in self.exercises if self.title not in AFTERWARDS and id in catalog()]
        return [id for id in asked if catalog()[id].kind.card_field != "none"]

    @property
    def home(self) -> list[str]:
        """The others, and the deck."""
        return [id for id in self.exercises if id not in self.in_class]

    @cached_property
    def minutes(self) -> int:
        """In class, with its question and the exercises that are answered there; 0 for what comes afterwards."""
        spent = QUESTIONED + round(self.reading + answering(self.in_class))
        return 0 if self.title in AFTERWARDS else spent


def sections(cells: list[dict]) -> Iterator[tuple[str, dict]]:
    """Every cell with the title of the section in which it begins; "" before the first. A cell of text that holds
    several headings comes in several pieces.
    """
    title = ""
    for cell in cells:
        source, is_text = "".join(cell["source"]), cell["cell_type"] == "markdown"
        for piece in re.split(r"\n(?=##+ )", source) if is_text else [source]:
            if is_text and (found := HEADING.match(piece)):
                title = found[1]
            yield title, {**cell, "source": piece}


@cache
def parts(lesson: str) -> tuple[Part, ...]:
    """The sections of a lesson, after that with which it begins, which has no title; ValueError for no lesson.

    >>> [(part.title, part.minutes) for part in parts("01_bpe")][:3]
    [('', 0), ('Who decides where to cut?', 1), ('By hand', 6)]
    """
    return tuple(
        _part(title, [cell for _, cell in group])
        for title, group in groupby(sections(lesson_notebook(lesson)["cells"]), itemgetter(0))
    )


def answering(exercises: Iterable[str]) -> int:
    """The minutes that it takes to answer these exercises."""
    return sum(EXERCISE[catalog()[id].level] for id in exercises)


def _part(title: str, cells: list[dict]) -> Part:
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    asked = [
        " ".join(question.split()).strip("*")
        for text in texts
        for question in QUESTION.findall(HEADING.sub("", text))
    ]
    question = next((question for question in asked if len(question) >= LEAST), "")
    exercises = dict.fromkeys(id for code in codes for _, id in LOADED.findall(code))
    decks = ["practice" for code in codes if DECK.search(code)]
    reading = sum(len(text.split()) / WORDS_A_MINUTE for text in texts)
    reading += sum(PLAY if PLAYED.search(code) else CELL for code in codes)
    return Part(title, ASK.get(title, question), (*exercises, *decks), reading)


def lesson_plan(lesson: str) -> Table:
    """A row for each section of a lesson: minutes, what to ask the room, exercises in class and at home."""
    rows = [
        [
            part.title,
            part.minutes or None,
            part.question,
            *map(", ".join, (part.in_class, part.home)),
        ]
        for part in parts(lesson)
        if part.minutes or part.exercises
    ]
    whole = ["in all", sum(part.minutes for part in parts(lesson)), "", "", ""]
    columns = ["section", "minutes", "ask the room", "in class", "at home"]
    return table([*rows, whole], columns, lessons.lesson(lesson).heading)


def route(minutes: int) -> Table:
    """A plan of so many minutes: when each lesson begins, its sections and exercises for which there is time, breaks.

    See `taken_by`. Raises ValueError unless minutes is from 30 to 960.
    """
    rows: list[tuple[str, list[Part]]] = []  # a lesson and its sections; none of either is a break
    since = 0  # minutes since the last break
    for lesson, part in taken_by(minutes):
        if since + part.minutes > HOUR:
            rows.append(("", []))
            since = 0
        if not rows or rows[-1][0] != lesson:
            rows.append((lesson, []))
        rows[-1][1].append(part)
        since += part.minutes
    lengths = [sum(part.minutes for part in taken) or BREAK for _, taken in rows]
    *begins, end = (f"{begin // 60}:{begin % 60:02}" for begin in accumulate(lengths, initial=0))
    shown = [
        [
            begin,
            lessons.lesson(lesson).heading if lesson else "break",
            length,
            _said(lesson, taken) if lesson else "",
            ", ".join(id for part in taken for id in part.in_class),
        ]
        for (lesson, taken), begin, length in zip(rows, begins, lengths)
    ]
    others = "the decks of these lessons, and what the room got wrong"
    last = [[end, "practice", minutes - sum(lengths), others, ""], ["", "in all", minutes, "", ""]]
    columns = ["from", "lesson", "minutes", "sections", "in class"]
    return table([*shown, *last], columns, f"A plan for {minutes} minutes")


def _said(lesson: str, taken: list[Part]) -> str:
    """The sections of a row: the first and the last of many that follow each other."""
    titles = [part.title for part in taken]
    every = [part.title for part in parts(lesson) if part.minutes]
    begin = every.index(titles[0])
    if len(titles) < 4 or titles != every[begin : begin + len(titles)]:
        return "; ".join(titles)
    return "all of it" if titles == every else f'from "{titles[0]}" to "{titles[-1]}"'


def taken_by(minutes: int) -> list[tuple[str, Part]]:
    """The sections for which there is time in so many minutes, each with its lesson, in the course's order.

    What is needed most comes in first, then the course in its order, and the detour of lesson 04 last. Whoever has more
    time does the same and more. Raises ValueError unless minutes is from 30 to 960.

    >>> [part.title for lesson, part in taken_by(45) if lesson == "01_bpe"]
    ['Who decides where to cut?', 'By hand']
    """
    arguments.check(
        isinstance(minutes, int) and LEAST_MINUTES <= minutes <= MOST_MINUTES,
        f"minutes is {minutes!r}; expected a whole number from {LEAST_MINUTES} to {MOST_MINUTES}",
    )
    course = {
        (name, part.title): part for name in lessons.names() for part in parts(name) if part.minutes
    }
    first = [(name, title) for name, titles in FIRST for title in titles]
    in_turn = sorted(course, key=lambda section: section[0] == DETOUR)
    needed = [*dict.fromkeys([*first, *in_turn])]
    spent = accumulate(course[section].minutes for section in needed)
    taken = {section for section, sum in zip(needed, spent) if sum <= TAUGHT * minutes}
    return [(section[0], part) for section, part in course.items() if section in taken]
