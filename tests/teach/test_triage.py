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
    graded = wanted or triage.of_most(asked.values())
    found = triage.triage(handed_in, asked, graded, seed)
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
    assert looked(tmp_path, seed=None)["own"] == looked(tmp_path, seed=None)["seed"] == ""


def test_who_also_hands_in_another_lesson_is_marked(tmp_path):
    for name in ("kim", "lee"):
        notebook(tmp_path / name / "01.ipynb", *loads("bpe-01"))
    notebook(tmp_path / "kim" / "02.ipynb", *loads("wordpiece-01"))
    notebook(tmp_path / "su.ipynb", "# nothing", learner="su", seed=7)
    assert set(looked(tmp_path, seed=None).values()) == {""}


def test_one_learners_many_notebooks_are_no_majority(tmp_path):
    def hand_in(seed, *names):
        for name in names:
            notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01"), learner="", seed=seed)

    hand_in(7, "amina", "boris", "chen")
    hand_in(8, *(f"ivy/{number}" for number in range(20)))
    assert [name for name, told in looked(tmp_path).items() if told] == ["ivy"]
    hand_in(8, "amina", "boris")
    with pytest.raises(ValueError, match="3 of 4 learners were handed out with seed 8"):
        looked(tmp_path)


def test_one_copy_of_a_strange_seed_costs_only_itself_where_others_have_none(tmp_path):
    for name in ("amina", "boris"):
        notebook(tmp_path / f"{name}.ipynb", *loads("bpe-01"))
    notebook(tmp_path / "ivy.ipynb", *loads("bpe-01"), learner="", seed=8)
    assert "handed out with seed 8" in looked(tmp_path)["ivy"]
