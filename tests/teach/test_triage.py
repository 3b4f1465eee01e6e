"""The look before the marking: what is said of a notebook before anything of it runs."""

from dataclasses import replace

import pytest

from subword_lab.exercises import catalog
from subword_lab_teach import submissions, triage
from teach.classes import notebook

BPE, BPE_TOO, WORDPIECE, OWN = (
    f"load('{id}')" for id in ("bpe-01", "bpe-02", "wordpiece-01", "week-01")
)
WARM_UP = "load('bpe-02').another()"


def each(names, seed, *cells):
    """Notebooks of these names, which were handed out with this seed, if with any."""
    return dict.fromkeys(names.split(), (seed, *cells))


CLASS = {
    **each("kim lee su", 7, BPE, BPE_TOO),
    **each("own", None, BPE),
    **each("other", 7, WARM_UP, WORDPIECE),
    **each("seed", 8, BPE),
}
HOMEWORK = {
    **each("kim/hw1 lee/hw1 su/hw1", 7, BPE),
    **each("kim/hw2 lee/hw2 su/hw2", 8, WORDPIECE),
}
NO_HOMEWORK = each("kim/hw1 lee/hw1", 7, BPE) | each("kim/own lee/own su/own", 9, OWN)
AGAIN = each("kim/7 lee/7", 7, BPE) | each("kim/8 lee/8", 8, BPE)
MANY = {f"ivy/{number}": (8, BPE) for number in range(20)}
NOT_BPE = "it holds 01 Byte-pair encoding, and no exercise that is graded here"
OTHER = "it holds 02 WordPiece, and no exercise that is graded here"
OWN_COPY = "nothing in it says that it was handed out; a copy of one's own asks for other figures"
OTHERS_WERE_NOT = "it was handed out with seed 8, and others were not"
CLASS_HAS_7 = "it was handed out with seed 8, and the seed of the class is 7"
CLASS_HAS_8 = "it was handed out with seed 7, and the seed of the class is 8"


@pytest.mark.parametrize(
    "handed_in, wanted, seed, told",
    [
        (CLASS, None, 7, {"other": OTHER, "own": OWN_COPY, "seed": CLASS_HAS_7}),
        (CLASS, None, None, {"other": OTHER, "own": OWN_COPY, "seed": OTHERS_WERE_NOT}),
        (CLASS, ["wordpiece-01"], 7, dict.fromkeys("kim lee own seed su".split(), NOT_BPE)),
        # One learner of another seed is pointed out, who counts once, and a class of it is not marked.
        (each("amina boris chen", 7, BPE) | MANY, None, 7, dict.fromkeys(MANY, CLASS_HAS_7)),
        (each("amina boris", None, BPE) | each("ivy", 8, BPE), None, 7, {"ivy": CLASS_HAS_7}),
        (
            each("amina boris", None, BPE) | each("ivy", 8, BPE),
            None,
            None,
            {"ivy": OTHERS_WERE_NOT},
        ),
        (
            each("amina boris ivy", 8, BPE) | each("chen", 7, BPE),
            *(None, 7),
            "3 of 4 learners were handed out with seed",
        ),
        # Another homework with another seed says nothing of this one.
        (HOMEWORK, ["bpe-01"], 7, {}),
        (HOMEWORK, ["wordpiece-01"], 8, {}),
        (HOMEWORK, ["bpe-01"], 5, "handed out with seed 7, and the seed here is 5"),
        (HOMEWORK, ["wordpiece-01"], 5, "handed out with seed 8, and the seed here is 5"),
        (NO_HOMEWORK, None, 7, {"su/own": CLASS_HAS_7.replace("8", "9")}),
        # Of two seeds that are as usual either may be given.
        (AGAIN, ["bpe-01"], 7, {"kim/8": CLASS_HAS_7, "lee/8": CLASS_HAS_7}),
        (AGAIN, ["bpe-01"], 8, {"kim/7": CLASS_HAS_8, "lee/7": CLASS_HAS_8}),
        # One copy that says whose it is makes those of all others no odd ones.
        (each("kim lee su", None, BPE) | each("mo", 7, BPE), None, 7, {}),
        # Who also hands in another lesson is marked.
        (
            {**each("kim/01 lee/01", None, BPE), **each("kim/02", None, WORDPIECE), "su": (7, "#")},
            *(None, None),
            {},
        ),
    ],
)
def test_each_notebook_is_looked_at_before_it_is_run(tmp_path, handed_in, wanted, seed, told):
    for name, (own, *cells) in handed_in.items():
        notebook(tmp_path / f"{name}.ipynb", *cells, seed=own)
    found = submissions.find(tmp_path)
    asked = triage.mentioned(found, catalog())
    graded = wanted or triage.of_most(asked.values())
    if isinstance(told, str):
        with pytest.raises(ValueError, match=told):
            triage.triage(found, asked, graded, seed)
    else:
        said = {
            one.label: one.problem or one.notice
            for one in triage.triage(found, asked, graded, seed)
        }
        assert {
            label.removesuffix(".ipynb"): words for label, words in said.items() if words
        } == told


def test_one_who_says_that_nobody_was_meant_stops_no_class():
    said = [None, None, None, None, ""]
    found = [
        submissions.Submission(
            name, name, learner=name, notebook=submissions.Notebook([BPE], stamp)
        )
        for name, stamp in zip("abcde", said)
    ]
    asked = triage.mentioned(found, catalog())
    assert len(triage.triage(found, asked, ["bpe-01"], 7, ["a"])) == 5
    found = [replace(one, notebook=submissions.Notebook([BPE], "")) for one in found]
    with pytest.raises(ValueError, match="were handed out to nobody in particular"):
        triage.triage(found, asked, ["bpe-01"], 7, ["a"])
