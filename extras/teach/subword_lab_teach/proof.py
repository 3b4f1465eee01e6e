"""The proof of an exercise: that right answers are accepted and mistakes recognized, on many variants.

The bank of the course goes through this in the tests, and an instructor's own exercises in `subword-lab exercises
check`. A check yields one sentence for each thing that is not as it should be. Which checks apply is the kind's to say:
every exercise goes through those of "any", and through the groups of CHECKS that its kind's `proofs` names.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, product

from subword_lab import running
from subword_lab.exercises import Exercise, Feedback, Instance, Invalid, Mistake

VARIANTS = 200
QUESTIONS = 30  # different ones, at least, among the variants: a class of thirty
FEW = 2  # variants on which code is run, which takes longer
ENOUGH = 50  # variants, to say of something that it is never there
MOST = 3  # flaws of a check that are told
DRESSES = ("  {} ", "`{}`", '"{}"', "{}.")
HERE = partial(running.run, here=True)
Instances = Sequence[Instance]
Check = Callable[[Exercise, Instances], Iterator[str]]


def prove(exercise: Exercise, variants: int = VARIANTS) -> list[str]:
    """What is wrong with an exercise, up to three lines for each check that it does not pass; none if it is proven.

    >>> from subword_lab.exercises import catalog
    >>> prove(catalog()["bpe-01"], variants=10)
    []
    """
    instances, flaws = [Instance(exercise, seed) for seed in range(variants)], list[str]()
    for check in checks(exercise):
        try:
            flaws += islice(check(exercise, instances), MOST)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            flaws.append(f"{check.__name__.replace('_', ' ')}: {type(error).__name__}: {error}")
    return flaws


def checks(exercise: Exercise) -> list[Check]:
    """The checks that apply to an exercise."""
    groups = ["any", *sorted(exercise.kind.proofs)]
    return [check for group in groups for check in CHECKS.get(group, ())]


def variants_differ(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """There are enough questions for a class, or one for all; and the same learner gets the same one again."""
    count = len({(ex.asked.text, *sorted(ex.listed)) for ex in instances})
    if 1 < count < min(QUESTIONS, 2 * len(instances) // 5):
        yield (
            f"in {len(instances)} variants there are only {count} different questions; draw more of the figures "
            "from rng, so that neighbors get different ones, or none, and the question is the same for all"
        )
    one, two = Instance(exercise, 3, "kim"), Instance(exercise, 3, "kim")
    if (one.question, one.listed) != (two.question, two.listed):
        yield "the same seed and learner gave two different questions; take every random choice from rng"


def words_are_there(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """There are a sentence why, three hints, and mistakes with labels and something to say."""
    for ex in instances:
        hints, labels = ex.asked.hints, [mistake.label for mistake in ex.asked.mistakes]
        short = [one.label for one in ex.asked.mistakes if len(one.message) <= 20]
        flaws = {
            "`why` is missing or too short; it says in a sentence why the answer is right": (
                len(ex.asked.why) < 15
            ),
            f"these are not three hints that differ and are longer than a word: {hints}": (
                isinstance(hints, str) or len({hint for hint in hints if len(hint) > 15}) != 3
            ),
            f"the mistakes' labels are {labels}; expected one or more, all different, none empty": (
                not labels or len(labels) != len(set(labels)) or not all(labels)
            ),
            f"the message of {', '.join(map(repr, short))} is too short to explain anything": short,
        }
        yield from (f"in variant {ex.seed} {flaw}" for flaw, holds in flaws.items() if holds)


def mistakes_are_possible(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """Each mistake can be made in every fourth variant or more, or in one, if it is rare or these are few."""
    possible, rare = Counter[str](), set[str]()
    for mistake in (mistake for ex in instances for mistake in ex.asked.mistakes):
        possible[mistake.label] += mistake.value is not None
        rare |= {mistake.label} if mistake.rare else set()
    for label, count in possible.items() if len(instances) >= ENOUGH else ():
        few = len(instances) < VARIANTS or label in rare
        if count < (1 if few else len(instances) / 4):
            yield f"the mistake {label!r} is possible in only {count} of {len(instances)} variants"


def what_is_no_answer_costs_nothing(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The three dots, None and blanks are no attempt; of an answer of another form, the form wanted is told."""
    for answer, outcome in [
        *product((..., None, "", "  \n"), ["not attempted"]),
        (7.5j, "invalid"),
    ]:
        feedback = instances[0].judge(answer)
        if (feedback.outcome, feedback.score) != (outcome, 0):
            yield f"the answer {answer!r} is {feedback.outcome!r}; expected {outcome!r}"


def the_answer_is_right(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The answer is correct as a value and as it would be typed, in dresses by turns; and no hint holds it."""
    for number, ex in enumerate(instances):
        answer, shown = ex.asked.answer, exercise.kind.show(ex.asked.answer)
        for given in (answer, shown, DRESSES[number % len(DRESSES)].format(shown)):
            feedback = ex.judge(given)
            if feedback.outcome != "correct":
                yield f"in variant {ex.seed} the answer {given!r} is {feedback.outcome!r}: {feedback.message}"
        for number, hint in enumerate(ex.asked.hints, 1):
            if holds(hint, shown):
                yield f"in variant {ex.seed} hint {number} holds the answer {shown!r}"


def mistakes_are_named(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """Every mistake's value is wrong, gets its own label, and is not told the right answer."""
    for ex in instances:
        right = exercise.kind.show(ex.asked.answer)
        for mistake in (one for one in ex.asked.mistakes if one.value is not None):
            feedback = ex.judge(exercise.kind.show(mistake.value))
            if not _names(feedback, mistake) or feedback.score:
                what = f"the answer {mistake.value!r} of {mistake.label!r}"
                yield f"in variant {ex.seed} {what} is {_verdict(feedback)}"
            if holds(f"{feedback.message} {feedback.evidence}", right):
                yield f"in variant {ex.seed} the message of {mistake.label!r} holds the right answer {right!r}"


def the_example_is_not_the_answer(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The example of an answer, which every learner sees, is no answer to the question."""
    for ex in instances if not exercise.kind.lettered else ():
        with suppress(Invalid):  # a word that is not the one to be cut, say
            readings = exercise.kind.readings(exercise.kind.example.strip('"'), ex.listed)
            if any(exercise.kind.is_right(value, ex.asked) for value in readings):
                yield f"in variant {ex.seed} the example {exercise.kind.example} is the answer"


def every_place_is_right(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The right option of a choice stands now here, now there."""
    places = {ex.listed.index(ex.asked.answer) for ex in instances}
    if len(instances) >= ENOUGH and len(places) < max(len(ex.listed) for ex in instances):
        yield f"the right option is always in one of the places {sorted(places)}"


def code_is_judged_by_what_it_does(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """The solution, as it is shown, and all other right ways are correct.

    Every mistake's function is wrong, and told by its label, with an input on which it shows.
    """
    for ex in instances[:FEW]:
        block = re.search(r"```python\n(.*?)```", ex.solution().text, re.S)
        for function in (ex.asked.answer, *ex.asked.also, written(block[1] if block else "")):
            feedback = _judged(ex, function)
            if feedback.outcome != "correct":
                yield (
                    f"in variant {ex.seed} the solution {function.__name__} is {feedback.outcome!r}: "
                    f"{feedback.message}"
                )
        for mistake in ex.asked.mistakes:
            feedback = _judged(ex, mistake.value)
            if feedback.outcome == "not attempted" and exercise.kind.is_untouched(mistake.value):
                continue  # the function that is given to be repaired
            if not _names(feedback, mistake):
                yield f"in variant {ex.seed} the function of {mistake.label!r} is {_verdict(feedback)}"
            if "yours:" not in feedback.evidence or "expected:" not in feedback.evidence:
                yield f"in variant {ex.seed} no input is shown on which {mistake.label!r} differs from the solution"
    if len(instances[0].asked.also) < 2:
        yield (
            "the class Also holds fewer than two functions; write at least two other right solutions, which show that "
            "a learner's own way is accepted, too"
        )


def doing_nothing_earns_nothing(exercise: Exercise, instances: Instances) -> Iterator[str]:
    """What the learner begins with is no attempt, a function with other parameters costs nothing, and one that hands
    back an argument, or something empty, gets no points.
    """
    ex = instances[0]
    stub = written(ex.kind.cell(ex.name).rpartition("\n\n\n")[0])
    for function, outcome in ((stub, "not attempted"), (written("def f(): return 0"), "invalid")):
        if (feedback := _judged(ex, function)).outcome != outcome:
            yield f"the function {function.__name__} is {feedback.outcome!r}; expected {outcome!r}"
    parameters = ", ".join(f"a{place}" for place, _ in enumerate(ex.asked.cases[0]))
    for way in [*parameters.split(", "), "[]", "{}", "0", "None", "''"]:
        body = f"    used = [{parameters}]\n    return {way}"
        feedback = _judged(ex, written(f"def nothing({parameters}):\n{body}"))
        if feedback.score or feedback.outcome == "correct":
            yield f"a function that only returns {way} gets {feedback.score:g} of the points"


CHECKS: dict[str, tuple[Check, ...]] = {
    "any": (
        variants_differ,
        words_are_there,
        mistakes_are_possible,
        what_is_no_answer_costs_nothing,
    ),
    "value": (the_answer_is_right, mistakes_are_named, the_example_is_not_the_answer),
    "choice": (every_place_is_right,),
    "code": (code_is_judged_by_what_it_does, doing_nothing_earns_nothing),
}


def holds(text: str, answer: str) -> bool:
    """Whether a text holds the answer as a piece of its own.

    >>> holds("It is 20.", "20"), holds("It is 120.", "20"), holds("It is 20,020.", "20")
    (True, False, False)
    """
    piece = rf"(?<![\w.|+-])(?<!\d,){re.escape(answer)}(?![\w|+]|\.\d|,\d{{3}})"
    return re.search(piece, text) is not None


def written(source: str) -> Callable:
    """The function that a learner gets who runs this source in a cell: the last one in it."""
    names: dict[str, object] = {"__name__": "__main__"}
    exec(source, names)
    return [value for value in names.values() if callable(value)][-1]


def _judged(ex: Instance, function: Callable) -> Feedback:
    return ex.judge(function, run=HERE)


def _names(feedback: Feedback, mistake: Mistake) -> bool:
    return (feedback.outcome, feedback.label) == ("incorrect", mistake.label)


def _verdict(feedback: Feedback) -> str:
    return repr(feedback.outcome) + (f" and taken for {feedback.label!r}" if feedback.label else "")
