"""What the tests of the live room and of its polls share."""

import pytest

from subword_lab import exercises
from subword_lab.exercises import classroom, live
from subword_lab_teach.room import Room
from teach.rooms import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def room(clock):
    return Room(clock)


@pytest.fixture
def nobody_is_in_a_room(monkeypatch):
    monkeypatch.setattr(live, "_joined", None)
    monkeypatch.delenv("SUBWORD_LAB_ROOM", raising=False)


@pytest.fixture
def no_class(monkeypatch):
    """Nothing in the environment says which class this is."""
    for name in classroom.VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bank(monkeypatch):
    """A bank that is as before after the test."""
    exercises.catalog([])
    monkeypatch.setattr(exercises, "_bank", dict(exercises._bank))
    monkeypatch.setattr(exercises, "_files", dict(exercises._files))
