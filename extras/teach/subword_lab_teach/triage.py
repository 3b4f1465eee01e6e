"""A look at what was handed in, before anything of it runs.

It tells another lesson from the one that is graded, a learner's own copy from one that was handed out, another seed,
and an older edition. Nothing of this is a zero without a word: it is said to whoever marks, and to the learner.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from subword_lab import lessons
from subword_lab.exercises import Exercise

from .submissions import Learner, Notebook, Refused, Submission, parse

LARGEST = 4_000_000  # bytes of a notebook that is looked at here, outside of the sandbox; lessons have a tenth


def triage(
    handed_in: Sequence[Submission],
    bank: dict[str, Exercise],
    wanted: Collection[str] | None,
    seed: int | None,
) -> list[Submission]:
    """The submissions with what this look found: a problem of those that are not marked, and notices on the others.

    wanted: the exercises that are graded; None for those of most learners. seed: the class's, if it is given.

    Raises ValueError if most copies were handed out with another seed: then everybody would be marked wrongly.
    """
    notebooks = [_glance(one, bank) for one in handed_in]
    ids = defaultdict[Learner, list[str]](list)
    seeds = defaultdict[Learner, set[int]](set)  # a learner counts once, with many notebooks too
    for submission, notebook in zip(handed_in, notebooks):
        ids[submission.learner] += notebook.mentioned
        if notebook.seed is not None:
            seeds[submission.learner].add(notebook.seed)
    asked = seeds.keys() | {learner for learner, own in ids.items() if own}
    for other, count in Counter(one for own in seeds.values() for one in own).most_common(1):
        if seed not in (None, other) and count > len(asked) / 2:
            raise ValueError(
                f"the notebooks of {count} of {len(asked)} learners were handed out with seed {other}, and the seed "
                f"here is {seed}: nearly everybody would be marked by the wrong figures. Nothing was marked; "
                f"give the seed {other}, or none"
            )
    graded = of_most(ids.values()) if wanted is None else wanted
    found = []
    for submission, notebook in zip(handed_in, notebooks):
        problem, own = submission.problem, ids[submission.learner]
        if own and graded and set(own).isdisjoint(graded):
            lesson = lessons.of_exercise(own[0])
            whole = lesson.heading if lesson else f"exercises such as {own[0]}"
            problem = problem or f"it holds {whole}, and no exercise that is graded here"
        notices = tuple(_notices(notebook, seed, bool(seeds)))
        found.append(replace(submission, problem=problem, notices=notices))
    return found


def of_most(found: Collection[Collection[str]]) -> set[str]:
    """The exercises that stand in the notebooks of most learners. found: those of each learner who has any.

    >>> of_most([["bpe-01", "bpe-02"], ["bpe-01"], []])
    {'bpe-01'}
    """
    counts = Counter(id for ids in found for id in set(ids))
    return {id for id, count in counts.items() if count > sum(map(bool, found)) / 2}


@dataclass(frozen=True)
class _Glance:
    """What this look keeps of a notebook: of a class, all are in memory. old: exercises of another edition."""

    seed: int | None = None
    mentioned: tuple[str, ...] = ()
    old: tuple[str, ...] = ()


def _glance(submission: Submission, bank: dict[str, Exercise]) -> _Glance:
    """A notebook; an empty one if it cannot be read, or is too large to be read outside of the sandbox."""
    try:
        data = submission.read()
        notebook = parse(data) if len(data) <= LARGEST else Notebook()
    except (Refused, MemoryError):  # which its marks will say
        notebook = Notebook()
    old = [id for id, n in notebook.versions.items() if id in bank and bank[id].version != n]
    return _Glance(notebook.seed, tuple(notebook.mentioned(bank)), tuple(old))


def _notices(notebook: _Glance, seed: int | None, stamped: bool) -> Iterable[str]:
    """What is to be said of a notebook. stamped: whether others say that they were handed out."""
    if seed is not None and notebook.seed not in (None, seed):
        yield f"it was handed out with seed {notebook.seed}, and the seed of the class is {seed}"
    if seed is not None and stamped and notebook.seed is None and notebook.mentioned:
        yield "nothing in it says that it was handed out; a copy of one's own asks for other figures"
    if notebook.old:
        old = ", ".join(notebook.old)
        yield f"it is of another edition, in which these asked for other figures: {old}"
