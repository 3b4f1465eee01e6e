"""What the tests of the live room and of its polls share."""

import pytest

from subword_lab.exercises import live
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
