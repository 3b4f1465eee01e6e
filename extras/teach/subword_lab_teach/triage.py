"""A look at what was handed in, before anything of it runs.

It tells another lesson from the one that is graded, a learner's own copy from one that was handed out, and another
seed. Nothing of this is a zero without a word: it is said to whoever marks, and to the learner.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from subword_lab import lessons
from subword_lab.arguments import check, counted

from .submissions import Learner, Submission, grouped

Mentioned = Mapping[
    Learner, Collection[str]
]  # the exercises that stand in each learner's notebooks


def mentioned(handed_in: Iterable[Submission], ids: Collection[str]) -> Mentioned:
    """Those of some exercises that stand in the notebooks of each learner."""
    own = grouped((one.learner, one.notebook) for one in handed_in)
    return {
        learner: [id for notebook in notebooks for id in notebook.mentioned(ids)]
        for learner, notebooks in own.items()
    }


def of_most(found: Collection[Collection[str]]) -> set[str]:
    """The exercises that stand in the notebooks of most learners. found: those of each learner who has any.

    >>> of_most([["bpe-01", "bpe-02"], ["bpe-01"], []])
    {'bpe-01'}
    """
    counts = Counter(id for ids in found for id in set(ids))
    return {id for id, count in counts.items() if count > sum(map(bool, found)) / 2}


def triage(
    handed_in: Sequence[Submission],
    asked: Mentioned,
    graded: Collection[str],
    seed: int | None,
    names: Collection[str] = (),
) -> list[Submission]:
    """The submissions with what this look found: a problem of those that are not marked, and a notice on others.

    asked: what stands in the learners' notebooks. graded: the exercises that are. seed: the class's, if it is given.
    names: of all to whom a copy was handed out, if that is known.

    Raises ValueError if most copies were handed out with another seed, or to nobody although there are names: then
    everybody would be marked wrongly.
    """
    nobodys = len({one.learner for one in handed_in if one.notebook.learner == ""})
    check(
        seed is None or not names or 2 * nobodys <= len({one.learner for one in handed_in}),
        f"the notebooks of {counted(nobodys, 'learner')} were handed out to nobody in particular, and by a list of "
        "learners each of them would be marked by figures of their own. Nothing was marked; leave the list out",
    )
    named = [{*one.notebook.mentioned(asked[one.learner])} for one in handed_in]
    # Another homework may have been handed out with another seed.
    told = {
        (one.learner, one.notebook.seed)
        for one, ids in zip(handed_in, named)
        if one.notebook.seed is not None and ids & {*graded}
    }
    stamped = {learner for learner, _ in told}
    count = len(stamped | {learner for learner, ids in asked.items() if {*ids} & {*graded}})
    usual = seed  # or that of most, where it is not given
    # A learner counts once, with many notebooks too.
    seeds = Counter(other for _, other in told)
    for other, many in seeds.most_common(1):
        if many > count / 2 and seed is None:
            usual = other
        check(
            many <= count / 2 or seed is None or seeds[seed] == many,
            f"the notebooks of {many} of {count} learners were handed out with seed {other}, and the seed "
            f"here is {seed}: nearly everybody would be marked by the wrong figures. Nothing was marked; "
            f"give the seed {other}, or none",
        )
    found = []
    for one, ids in zip(handed_in, named):
        problem, notice, own = one.problem, "", list(asked[one.learner])
        if own and graded and set(own).isdisjoint(graded):
            lesson = lessons.of_exercise(own[0])
            whole = lesson.heading if lesson else f"exercises such as {own[0]}"
            problem = problem or f"it holds {whole}, and no exercise that is graded here"
        stamp, asks = one.notebook.seed, ids & {*graded}
        if stamp not in (None, usual) and (asks or (seed is not None and not own)):
            others = "others were not" if seed is None else f"the seed of the class is {seed}"
            notice = f"it was handed out with seed {stamp}, and {others}"
        elif asks and stamp is None and len(stamped) > count / 2 and usual is not None:
            notice = "nothing in it says that it was handed out; a copy of one's own asks for other figures"
        found.append(replace(one, problem=problem, notice=notice))
    return found
