"""A poll: everybody's first answer counts once, mistakes are named in words, and no word that was typed is shown."""

import html
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from unittest.mock import Mock

import pytest

from subword_lab.exercises import Instance, catalog, live, load
from subword_lab_teach import Grades, report
from subword_lab_teach.poll import Poll, read_polls, words
from subword_lab_teach.room import Refused, Room
from teach.rooms import Clock, event, message, opened

HOSTILE = "<img src=x onerror=bad()> mr-x is slow"


pytestmark = pytest.mark.usefixtures("nobody_is_in_a_room")


def typed(room, answer, n=1):
    """What a phone sends when somebody answers on it."""
    return {"n": n, "kind": "typed", "poll": room.poll.ex.key, "answer": answer}


# ----------------------------------------------------------------------------------------------------- what counts


def test_the_first_answer_of_each_round_counts_once_and_by_what_the_checker_found(room):
    room.ask("bpe-01")
    ex = room.poll.ex
    labels = [mistake.label for mistake in ex.asked.mistakes]
    room.take(message(event(1, label=labels[0]), event(2, outcome="correct"), key=1))
    room.take(message(event(1, outcome="correct", label=labels[0]), key=2, name="Lee"))
    room.take(message(event(1, label="mr-x-is-slow"), key=3, name="Mia"))
    room.take(message(event(1, exercise="bpe-02"), key=4, name="Noa"))
    room.take(message(event(1, outcome="timeout", label=""), key=5, name="Ola"))
    assert room.poll.counts() == [
        {labels[0]: 1, "right": 1, "a-mistake-without-a-name": 1, "code-that-took-too-long": 1}
    ]
    shown = room.state()["poll"]
    assert f'<th scope="row">{words(labels[0])}</th>' in shown and "4 of 5 learners" in shown
    assert "mr-x" not in shown and not any(name in shown for name in ("Kim", "Lee", "Mia"))
    room.ask("bpe-01")
    assert room.poll.ex.key != ex.key and room.poll.ex.seed == ex.seed
    room.take(message(event(3, poll=ex.key), key=1))  # the figures of before
    room.take(message(event(4, outcome="correct", poll=room.poll.ex.key), key=1))
    assert room.poll.counts()[1] == {"right": 1} and "round 2" in room.state()["poll"]
    room.take(message(event(2, "leave"), key=2, name="Lee"))
    assert sum(room.poll.counts()[0].values()) == 3
    room.forget()
    assert room.poll.counts() == [{}, {}]
    for id in ("no-such-1", 7, ["bpe-01"], {}):
        with pytest.raises(Refused, match="no such exercise"):
            room.ask(id)


def test_the_right_answer_and_the_messages_are_shown_on_demand_and_end_the_round(room):
    room.ask("bpe-01")
    mistake = room.poll.ex.asked.mistakes[0]
    room.take(message(event(1, label=mistake.label, message=HOSTILE)))
    assert "The right answer" not in room.state()["poll"]
    room.reveal()
    shown = room.state()["poll"]
    assert "The right answer" in shown and "mr-x" not in shown
    assert room.poll.ex.kind.show(room.poll.ex.asked.answer) in shown
    assert mistake.message.partition("`")[0] in shown
    room.take(message(event(1), key=2, name="Late"))
    assert sum(room.poll.counts()[0].values()) == 1
    room.ask(None)
    assert room.state()["poll"] == "" == room.state()["asked"]


def test_mistakes_that_a_number_tells_apart_are_named_by_what_they_say(room):
    """With everybody's own figures the number says nothing; with the poll's, it stands for an option."""
    room.ask("bpe-08")
    options = {mistake.label: mistake.value for mistake in room.poll.ex.asked.mistakes}
    asked = {"exercise": "bpe-08", "label": "another-rule-2"}
    room.take(message(event(1, **asked), key=1))
    room.take(message(event(1, **asked, poll=room.poll.ex.key), key=2, name="Lee"))
    shown = room.state()["poll"]
    assert "another rule</th>" in shown and f"another rule: <p>{options['another-rule-2']}" in shown
    (row,) = room.state()["mistakes"]
    assert row["words"] == "another rule" and row["learners"] == 2
    assert row["answer"] == "3"


@pytest.mark.parametrize("id", [id for id in catalog() if id.endswith(("-03", "-08", "-12"))])
def test_every_kind_can_be_asked_shown_and_answered(room, id):
    room.ask(id)
    ex, shown = room.poll.ex, room.page(message())["page"]
    right = ex.kind.key(ex.asked, ex.listed).partition(".")[0] if ex.kind.lettered else ""
    answer = right if ex.kind.card_field == "choice" else ex.kind.show(ex.asked.answer)
    if ex.kind.card_field == "none":  # a notebook's card would take a text that defines a function
        assert "live.poll()" in shown and "<input" not in shown
        with pytest.raises(Refused, match="asked something else"):
            room.page(message(typed(room, "def f(): ...")))
        assert room.poll.counts() == [{}]
        return
    assert "<input" in shown
    assert "has arrived" in room.page(message(typed(room, answer)))["page"]
    assert room.poll.counts() == [{"right": 1}]
    room.reveal()
    assert "Right." in room.page(message())["page"]
    assert "Right." not in room.page(message(name="Lee", key=2))["page"]


# ------------------------------------------------------------------------------------------------------- on a phone


def test_every_exercise_can_be_shown_with_each_of_its_mistakes():
    for id in catalog():
        poll = Poll(load(id))
        labels = [mistake.label for mistake in poll.ex.asked.mistakes]
        poll.rounds = [{label: (label, "") for label in labels}]
        shown = html.unescape(poll.html(len(labels)))
        assert all(words(label) in shown for label in labels), id


def test_a_mistake_whose_value_is_no_text_is_shown_as_one_types_it():
    poll = Poll(load("compare-09"))
    numbered = next(each for each in poll.ex.asked.mistakes if each.label.endswith("-1"))
    poll.rounds = [{"1": (numbered.label, "")}]
    assert html.escape(" | ".join(numbered.value)) in poll.html(1)


def test_nobody_waits_while_somebodys_answer_is_judged(room, monkeypatch):
    """Lines in an order that never ends take seconds; another learner's message is taken meanwhile."""
    room.ask("bpe-01")
    begun, over, judge = Event(), Event(), Instance.judge

    def wait(ex, answer):
        begun.set()
        over.wait(15)
        return judge(ex, answer)

    monkeypatch.setattr(Instance, "judge", wait)
    with opened(room) as url, ThreadPoolExecutor(1) as pool:
        phone = live.Membership(f"{url}#{room.code}", "Kim")
        slow = pool.submit(phone.ask, "page", message(typed(room, "1")))
        assert begun.wait(10)
        assert phone.ask("answers", message(name="Lee", key=2)) == {"known": False, "hand": False}
        over.set()
        assert "has arrived" in slow.result(10)["page"]


def test_a_phone_joins_answers_and_leaves(room):
    assert "it appears here" in room.page(message(name=HOSTILE[:40]))["page"]
    room.ask("bpe-08")
    mistake = room.poll.ex.asked.mistakes[0]
    with pytest.raises(Refused, match="I expected"):
        room.page(message(typed(room, HOSTILE)))
    before = typed(room, "a", 9)
    letter = "abcd"[room.poll.ex.listed.index(mistake.value)]
    shown = room.page(message(typed(room, letter)))["page"]
    assert "has arrived" in shown and mistake.message not in shown  # before it is discussed
    for events in ([typed(room, "b", 2)], [typed(room, "a", 3), typed(room, "b", 4)]):
        with pytest.raises(Refused, match=r"has arrived|one answer at a time"):
            room.page(message(*events, name=HOSTILE[:40]))
    assert room.poll.counts() == [{mistake.label: 1}]
    assert room.state()["mistakes"][0]["answer"] == mistake.value
    room.reveal()
    shown = room.page(message(name=HOSTILE[:40]))["page"]
    assert mistake.message.split("`")[0] in shown and "<img" not in shown
    room.ask("bpe-08")
    with pytest.raises(Refused, match="something else now"):
        room.page(message(before))
    with pytest.raises(Refused, match="has forgotten you"):
        room.page(message(event(2, "leave")))
    assert not room.learners
    with pytest.raises(Refused, match="left"):
        room.page(message() | {"still": True})


# ---------------------------------------------------------------------------------------------------- in a notebook


def test_a_notebook_is_asked_in_one_line(room):
    assert "You are in no room" in live.poll()
    with opened(room) as url:
        said = live.join(f"{url}#{room.code}", "Kim")
        assert live.poll() == "The room is asked nothing now."
        room.ask("bpe-01")
        ex = live.poll()
        assert ex.key == room.poll.ex.key and "live.poll().check(" in repr(ex)
        assert live.poll().judge(ex.asked.answer).onward == ""
        ex.check(ex.asked.mistakes[0].value)
        assert said.delivered() and room.poll.counts() == [{ex.asked.mistakes[0].label: 1}]
        room.ask("bpe-01")
        ex.check(ex.asked.answer)  # the figures of before
        live.poll().check(live.poll().asked.answer)
        assert said.delivered() and room.poll.counts()[1] == {"right": 1}
        room.ask("bpe-02")
        load("bpe-02").check(load("bpe-02").asked.answer)  # a card that is open already
        assert said.delivered() and room.poll.counts() == [{"right": 1}]
    assert "cannot be reached" in live.poll()


@pytest.mark.parametrize("reply", [{"poll": 5}, {"poll": ["a"]}, {"poll": {"a": 1}}, 5, ["a"], "a"])
def test_a_room_that_replies_with_something_else_cannot_be_reached(monkeypatch, reply):
    monkeypatch.setattr(live, "_joined", Mock(ask=lambda *_: reply))
    assert "cannot be reached" in live.poll()


# ------------------------------------------------------------------------------------------------------- the record


def test_polls_are_kept_without_names_and_go_on_in_a_room_that_is_opened_again(tmp_path):
    path = tmp_path / "polls.json"
    room = Room(Clock(), record=path)
    room.ask("bpe-01")
    room.take(message(event(1), name="Somebody"))
    room.ask("bpe-01")
    room.take(message(event(2, outcome="correct"), name="Somebody"))
    room.reveal()
    (poll,) = read_polls(path)
    assert poll["rounds"] == [{"once-per-word": 1}, {"right": 1}]
    assert "Somebody" not in path.read_text()
    room.ask("bpe-02")
    again = Room(Clock(), record=path)
    again.ask("bpe-03")
    assert [each["exercise"] for each in read_polls(path)] == ["bpe-01", "bpe-02", "bpe-03"]
    again.ask("bpe-02")  # as the other, which is open still
    for one in (room, again):
        one.reveal()
    asked = [each["exercise"] for each in read_polls(path)]
    assert sorted(asked) == ["bpe-01", "bpe-02", "bpe-02", "bpe-03"]
    again.record = tmp_path / "away" / "polls.json"
    with pytest.raises(OSError, match="away"):
        again.ask("bpe-04")
    assert again.poll.ex.id == "bpe-04"  # the poll goes on


@pytest.mark.parametrize(
    "text",
    ["", "{", "7", '{"a": 1}', "[7]", '[{"exercise": "bpe-01"}]']
    + [
        json.dumps([{"exercise": "bpe-01", "title": "T", "at": "now", "rounds": rounds}])
        for rounds in ([], [7], [{"right": "many"}], [{"right": -1}], [{"right": True}], "ab")
    ],
)
def test_a_file_that_holds_no_polls(tmp_path, text):
    path = tmp_path / "polls.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"polls\.json holds no polls; expected a file that"):
        read_polls(path)


def test_the_report_sets_first_answers_beside_second_ones():
    nobody, asked = (Poll(load(id)).record() for id in ("bpe-02", "bpe-01"))
    asked["rounds"] = [{"once-per-word": 3, "a-mistake-without-a-name": 1}, {"right": 3}]
    page = report.report(Grades([], []), names=False, polls=[nobody, asked])
    assert "Polls in class" in page and "0% of 4, then 100% of 3" in page
    assert nobody["title"] not in page and "once per word" in page
