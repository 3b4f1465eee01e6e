"""How long each part of a lesson takes, what to ask the room there, and which exercises belong to it; and three routes
through the course. All of it is read from the notebooks, so that it is true of the edition at hand.

    from subword_lab_teach import plan

    plan.lesson_plan("01_bpe")
    plan.route("90 minutes")
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from subword_lab import lessons
from subword_lab.exercises import catalog
from subword_lab.exercises.classroom import named
from subword_lab.views import Table, table

from .cells import DECK, LOADED, lesson_notebook

AFTERWARDS = (
    "Practice",
    "Sources and further reading",
    "What comes next",
)  # not in class
WORDS_A_MINUTE = 150
OUTPUT, PLAY, EXERCISE = 0.7, 4.0, 3.0  # minutes to look, to play, for an exercise without code
HEADING = re.compile(r"^##+ (.*)$", re.MULTILINE)
PLAYED = re.compile(r"playground\(|stepper\(|player\(|race\(")
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

MINUTES = {"90 minutes": 90, "half a day": 210, "two days": 2 * 330}
# Lesson -> the sections that a route takes from it; none named is all.
ROUTES: dict[str, dict[str, tuple[str, ...]]] = {
    "90 minutes": {
        "00_text_to_tokens": ("A price for every token", "Words", "Characters", "Subwords"),
        "01_bpe": (
            "Who decides where to cut?",
            "By hand",
            "In code",
            "Play",
            "Encoding replays history",
            "What it never saw",
            "Summary",
        ),
        "05_side_by_side": (
            "One text, four tokenizers",
            "The four in one table",
            "Who pays?",
            "Which one, when?",
        ),
    },
    "half a day": {
        "00_text_to_tokens": (),
        "01_bpe": (),
        "02_wordpiece": (
            "Two tokenizers, one corpus",
            "By hand",
            "Rare pairs win",
            "Encoding needs no merges",
            "One character loses the word",
            "Summary",
        ),
        "03_unigram": (
            "A tokenizer that is not always sure",
            "Start with everything",
            "A word is a road map",
            "Viterbi",
            "Throwing away",
            "Summary",
        ),
        "05_side_by_side": (
            "One text, four tokenizers",
            "The four in one table",
            "Who pays?",
            "Which one, when?",
            "Summary",
        ),
    },
    "two days": {lesson.name: () for lesson in lessons.LESSONS},
}


@dataclass
class Part:
    """A section of a lesson. questions: what it asks its reader. exercises: ids, in their order; "practice" is the
    deck. weight: minutes, before they are fitted to the lesson's.
    """

    title: str
    questions: list[str] = field(default_factory=list)
    exercises: list[str] = field(default_factory=list)
    weight: float = 0.0
    minutes: int = 0

    def split(self) -> tuple[list[str], list[str]]:
        """The exercises in class, and those at home, which are those that ask for code, and the deck."""
        home = [
            id
            for id in self.exercises
            if id not in catalog(named())
            or catalog(named())[id].kind.card_field == "none"
            or self.title in AFTERWARDS
        ]
        return [id for id in self.exercises if id not in home], home


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
    """The sections of a lesson, with minutes that add up to the lesson's; ValueError if there is no such lesson.

    >>> sum(part.minutes for part in parts("01_bpe")), [part.title for part in parts("01_bpe")][:2]
    (60, ['Who decides where to cut?', 'By hand'])
    """
    cells = sections(lesson_notebook(lesson)["cells"])
    found = [
        _part(title, [cell for _, cell in group])
        for title, group in groupby(cells, key=lambda entry: entry[0])
        if title
    ]
    whole, left = sum(part.weight for part in found), lessons.lesson(lesson).minutes
    for part in found:  # what is left over by rounding goes along to the next
        part.minutes = round(part.weight / whole * left) if whole else 0
        whole, left = whole - part.weight, left - part.minutes
    return tuple(found)


def _part(title: str, cells: list[dict]) -> Part:
    part = Part(title)
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            part.weight += len(source.split()) / WORDS_A_MINUTE
            asked = QUESTION.findall(HEADING.sub("", source))
            part.questions += [" ".join(question.split()).strip("*") for question in asked]
        else:
            part.exercises += [id for _, id in LOADED.findall(source) if id not in part.exercises]
            part.exercises += ["practice"] * bool(DECK.search(source))
            part.weight += PLAY if PLAYED.search(source) else OUTPUT * bool(cell.get("outputs"))
    part.weight += EXERCISE * len(part.split()[0])
    part.weight *= title not in AFTERWARDS
    return part


def question(part: Part) -> str:
    """What to ask the room: the section's own question, the first that can stand alone, or else one of ours."""
    return ASK.get(part.title) or next(
        (question for question in part.questions if len(question) >= LEAST), ""
    )


def lesson_plan(lesson: str) -> Table:
    """A row for each section of a lesson: minutes, what to ask the room, exercises in class and at home."""
    known = lessons.lesson(lesson)
    rows = [
        [part.title, part.minutes or None, question(part), *map(", ".join, part.split())]
        for part in parts(lesson)
        if part.minutes or part.exercises
    ]
    columns = ["section", "minutes", "ask the room", "in class", "at home"]
    return table([*rows, ["in all", known.minutes, "", "", ""]], columns, known.heading)


def route(name: str) -> Table:
    """A row for each lesson of a route: minutes, and what is taken from it. Raises ValueError for an unknown route."""
    rows: list[list] = [
        [
            lessons.lesson(lesson).heading,
            sum(part.minutes for part in taken),
            "; ".join(part.title for part in taken if part.minutes)
            if ROUTES[name][lesson]
            else "all of it",
        ]
        for lesson, taken in taken_by(name).items()
    ]
    others = "the decks of these lessons, and what the room got wrong"
    rows += [
        ["practice and breaks", MINUTES[name] - sum(row[1] for row in rows), others],
        ["in all", MINUTES[name], ""],
    ]
    return table(rows, ["lesson", "minutes", "sections"], name)


def taken_by(route: str) -> dict[str, list[Part]]:
    """Lesson -> the sections that a route takes from it. Raises ValueError for a route or a section that there is not.

    >>> list(taken_by("90 minutes"))
    ['00_text_to_tokens', '01_bpe', '05_side_by_side']
    """
    if route not in ROUTES:
        raise ValueError(f"route is {route!r}; expected one of {', '.join(ROUTES)}")
    taken = {}
    for lesson, titles in ROUTES[route].items():
        if unknown := set(titles) - {part.title for part in parts(lesson)}:
            raise ValueError(f"lesson {lesson} has no section {', '.join(sorted(unknown))}")
        taken[lesson] = [part for part in parts(lesson) if not titles or part.title in titles]
    return taken
