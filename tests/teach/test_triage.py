"""The look before the marking: what is said of a notebook before anything of it runs."""

import pytest

from subword_lab.exercises import catalog
from subword_lab_teach import submissions, triage
from teach.classes import notebook


def loads(*ids):
    return [f"load({id!r})" for id in ids]


def looked(folder, wanted=None, seed=7):
    handed_in = submissions.find(folder)
    asked = triage.mentioned(handed_in, catalog())
    found = triage.triage(handed_in, asked, wanted or triage.of_most(asked.values()), seed)
    return {one.learner.name: one.problem or one.notice for one in found}


def test_each_notebook_is_looked_at_before_it_is_run(tmp_path):
    for name in ("kim", "lee", "su"):
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01", "bpe-02"), learner=name, seed=7)
    notebook(tmp_path / "own.ipynb", *loads("bpe-01"))
    warm_up = 'load("bpe-02").another()'
    notebook(tmp_path / "other.ipynb", warm_up, *loads("wordpiece-01"), learner="other", seed=7)
    notebook(tmp_path / "seed.ipynb", *loads("bpe-01"), learner="seed", seed=8)
    told = looked(tmp_path)
    assert [told.pop(name) for name in ("kim", "lee", "su")] == ["", "", ""]
    assert told == {
        "other": "it holds 02 WordPiece, and no exercise that is graded here",
        "own": "nothing in it says that it was handed out; a copy of one's own asks for other figures",
        "seed": "it was handed out with seed 8, and the seed of the class is 7",
    }
    assert looked(tmp_path, ["wordpiece-01"])["other"] == ""
    without = looked(tmp_path, seed=None)  # then the seed of most is the class's
    assert without["seed"] == "it was handed out with seed 8, and others were not"
    assert {**without, "seed": ""} == {**told, **dict.fromkeys(["kim", "lee", "su", "seed"], "")}


MANY = {f"ivy/{number}": 8 for number in range(20)}
OTHER_SEED = "it was handed out with seed 8, and the seed of the class is 7"


@pytest.mark.parametrize(
    "handed_in, seed, told",
    [
        ({"amina": 7, "boris": 7, "chen": 7, **MANY}, 7, {"ivy": OTHER_SEED}),  # one learner
        ({"amina": None, "boris": None, "ivy": 8}, 7, {"ivy": OTHER_SEED}),
        (
            {"amina": 8, "boris": 8, "chen": 7, "ivy": 8},
            7,
            "3 of 4 learners were handed out with seed",
        ),
        (
            {"amina": None, "boris": None, "ivy": 8},  # no seed is that of most
            None,
            {"amina": "", "boris": "", "ivy": "it was handed out with seed 8, and others were not"},
        ),
    ],
)
def test_one_learner_of_another_seed_is_pointed_out_and_a_class_of_it_is_not_marked(
    tmp_path, handed_in, seed, told
):
    for name, own in handed_in.items():
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01"), seed=own)
    if isinstance(told, str):
        with pytest.raises(ValueError, match=told):
            looked(tmp_path, seed=seed)
    else:
        found = looked(tmp_path, seed=seed)
        assert {name: found[name] for name in told} == told


def test_another_homework_with_another_seed_says_nothing_of_this_one(tmp_path):
    for name in ("kim", "lee", "su"):
        notebook(tmp_path / name / "hw1.ipynb", *loads("bpe-01"), learner=name, seed=7)
        notebook(tmp_path / name / "hw2.ipynb", *loads("wordpiece-01"), learner=name, seed=8)
    for wanted, seed in (("bpe-01", 7), ("wordpiece-01", 8)):
        assert set(looked(tmp_path, [wanted], seed).values()) == {""}
        with pytest.raises(
            ValueError, match=f"handed out with seed {seed}, and the seed here is 5"
        ):
            looked(tmp_path, [wanted], 5)


def test_what_holds_no_exercise_of_the_course_says_nothing_of_the_seed(tmp_path):
    for name in ("kim", "lee", "su"):
        if name != "su":
            notebook(tmp_path / name / "hw1.ipynb", *loads("bpe-01"), learner=name, seed=7)
        notebook(tmp_path / name / "own.ipynb", *loads("week-01"), learner=name, seed=9)
    found = looked(tmp_path)
    assert (found["kim"], found["lee"]) == ("", "")


@pytest.mark.parametrize("seed", [7, 8])
def test_of_two_seeds_that_are_as_usual_either_may_be_given(tmp_path, seed):
    for name in ("kim", "lee"):
        for own in (7, 8):
            notebook(tmp_path / name / f"{own}.ipynb", *loads("bpe-01"), learner=name, seed=own)
    other = f"it was handed out with seed {15 - seed}, and the seed of the class is {seed}"
    handed_in = submissions.find(tmp_path)
    found = triage.triage(handed_in, triage.mentioned(handed_in, catalog()), ["bpe-01"], seed)
    assert sorted(one.notice for one in found) == ["", "", other, other]


def test_one_copy_that_says_whose_it_is_makes_those_of_all_others_no_odd_ones(tmp_path):
    for name in ("kim", "lee", "su"):
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01"))
    notebook(tmp_path / "mo.ipynb", *loads("bpe-01"), learner="mo", seed=7)
    assert set(looked(tmp_path).values()) == {""}


def test_who_also_hands_in_another_lesson_is_marked(tmp_path):
    for name in ("kim/01", "lee/01"):
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01"))
    notebook(tmp_path / "kim" / "02.ipynb", *loads("wordpiece-01"))
    notebook(tmp_path / "su.ipynb", "# nothing", learner="su", seed=7)
    assert set(looked(tmp_path, seed=None).values()) == {""}
