"""The live room: what it is told arrives, once; nobody else reads or writes; and no learner waits for it."""

import asyncio
import io
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import pytest
from command import run, run_apart
from tornado.httpclient import HTTPClient

from subword_lab import cli, html
from subword_lab.exercises import Instance, live, load, progress
from subword_lab.exercises.live import AT_ONCE
from subword_lab_teach import room as room_module
from subword_lab_teach.poll import read_polls
from subword_lab_teach.room import LARGEST, MOST_WRONG, Refused, Room
from teach.rooms import event, message, opened

pytestmark = pytest.mark.usefixtures("nobody_is_in_a_room")
RIGHT = {"outcome": "correct"}


def ask(url, secret="", body=None):
    """Status, text and headers of a reply."""
    how = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    client = HTTPClient(force_instance=True)
    reply = client.fetch(url, method=method, body=data, headers=how, raise_error=False)
    client.close()
    return reply.code, reply.body.decode(), reply.headers


def names(room):
    return [learner["name"] for learner in room.state()["learners"]]


# ------------------------------------------------------------------------------------------------------ what it knows


def test_a_place_keeps_its_best_state_and_counts_every_answer_once(room):
    answers = [event(1), event(2), event(3, outcome="partial", label="either-order"), event(4)]
    for _ in range(3):
        room.take(message(*answers, event(5, "hint", exercise="bpe-02")))
    state = room.state()
    (kim,) = state["learners"]
    assert kim["places"] == {"bpe-01": ["partial", 4], "bpe-02": ["seen", 0]}
    assert kim["answers"] == 4 and kim["waits"] == [0, ""]  # three wrong ones, but not in a row
    assert [entry["id"] for entry in state["exercises"]] == ["bpe-01", "bpe-02"]
    assert [row["label"] for row in state["mistakes"]] == ["once-per-word", "either-order"]
    room.take(message(event(1, **RIGHT), event(2), session="another notebook"))
    assert room.state()["learners"][0]["places"]["bpe-01"] == ["done", 6]


def test_who_waits_and_why(room, clock):
    room.take(message(event(1), event(2), event(3), name="Stuck", key=1))
    room.take(message(event(1, "hand"), name="Asks", key=2))
    room.take(message(event(1, **RIGHT), name="Quiet", key=3))
    room.take(message(name="Phone", key=4, session=room_module.PHONE))
    clock.now += 400
    room.take(message(event(1, **RIGHT), name="Busy", key=5))
    assert {learner["name"]: learner["waits"] for learner in room.state()["learners"]} == {
        "Stuck": [2, "3 wrong answers in a row at bpe-01, for 6 min"],
        "Asks": [3, "hand up for 6 min"],
        "Quiet": [1, "nothing for 6 min, after bpe-01"],
        "Phone": [0, ""],  # on which one waits to be asked
        "Busy": [0, ""],
    }
    room.take(message(event(2, "hand down"), name="Asks", key=2))
    assert room.state()["learners"][1]["waits"] == [0, ""]


def test_mistakes_of_the_last_minutes_and_an_example_without_a_name(room, clock):
    room.take(message(event(1, label="either-order"), key=9, name="Old"))
    clock.now += 700
    for key in (1, 2):
        room.take(message(event(1, answer=f"{key}"), event(2), key=key, name=f"Learner {key}"))
    room.take(message(event(1, label="", outcome="partial"), key=3))
    found = [(row["label"], row["learners"]) for row in room.state()["mistakes"]]
    assert found == [("once-per-word", 2), ("", 1)]
    example = room.state()["mistakes"][0]
    assert [example[name] for name in ("question", "answer", "message")] == [
        '<p style="white-space:pre-wrap">How often?</p>',
        "3",
        "Look again.",
    ]
    assert not {"name", "key", "number"} & example.keys()


# An invisible mark, a letter of Cyrillic, a combining mark, a variation selector, a wide letter, and one that is small.
LOOK_ALIKES = ["Ki\u034fm", "\u041aim", "Ki\u0320m", "Kim\ufe01", "\uff2bim", "kim"]


@pytest.mark.parametrize(
    "name", ["Kim", "K\u200bim", "Ki\u00adm", "Ki\u200dm", "Kim\u2060", *LOOK_ALIKES]
)
def test_two_of_one_name_stay_two_and_a_learner_may_take_another_name(room, name):
    room.take(message(key=1))
    room.take(message(key=2, name=name))
    assert names(room)[1].split() != ["Kim"] and not name.startswith(names(room)[1])
    assert name not in LOOK_ALIKES or names(room)[1] == f"{name} (2)"
    room.take(message(key=2))
    assert names(room) == ["Kim", "Kim (2)"]
    room.take(message(key=1, name="\u3164\u2800"))
    assert names(room) == ["?", "Kim (2)"]


def test_whoever_leaves_is_forgotten_until_they_join_again(room):
    room.take(message(event(1), key=2, name="Lee"))
    room.take(message(event(1), event(2, "leave"), event(3), key=1))
    assert names(room) == ["Lee"] and room.state()["mistakes"][0]["learners"] == 1
    for key in range(3, 1_500):
        room.take(message(event(1, "leave"), key=key))
    for another in (message(event(1), session="another notebook"), message() | {"still": True}):
        with pytest.raises(Refused, match="left"):
            room.take(another)
    room.take(message(key=1))
    assert names(room) == ["Lee", "Kim"]


def test_whoever_is_forgotten_comes_back_with_the_next_answer(room):
    still = {"still": True}
    assert room.take(message() | still) == {"known": False, "hand": False}  # it was opened again
    assert room.take(message(name="Lee") | still)["known"] and names(room) == ["Kim"]
    for key in (2, 3):
        room.take(message(event(1), key=key, name=f"Learner {key}"))
    room.forget("Learner 2")
    assert names(room) == ["Kim", "Learner 3"]
    room.forget()
    assert room.take(message() | still) == {"known": True} and not room.learners
    assert not room.take(message(event(1)))["known"]
    assert room.take(message(event(2, "hand"))) == {"known": True, "hand": True}


# --------------------------------------------------------------------------------------------------------- its bounds


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        {},
        message() | {"key": "x"},
        message() | {"key": 7},
        message() | {"key": f"{1:032x}\n"},
        message() | {"session": ["a"]},
        message(name=""),
        message(name="x" * 41),
        message(*[event(n + 1) for n in range(AT_ONCE + 1)]),
        message({}),
        message("event"),
        message(event(0)),
        message(event(True)),
        message(event("1")),
        message(event(1, "shout")),
        message(event(1, exercise="../../etc")),
        message(event(1, exercise=None)),
        message(event(1, outcome="great")),
        message(event(1, label=["a"])),
        message(event(1)) | {"events": {"a": 1}},
    ],
)
def test_what_is_no_message_is_refused_and_changes_nothing(room, bad):
    with pytest.raises(Refused, match="not a learner's message"):
        room.take(bad)
    assert not room.learners


def test_texts_are_cut_and_made_printable(room):
    room.take(message(event(1, answer="x" * 10_000, message="a\u202eb\ud800"), name="A\nB\u202e"))
    (wrong,) = room.state()["mistakes"]
    assert len(wrong["answer"]) < 600 and wrong["message"] == "a b " and names(room) == ["A B"]


def test_a_question_is_shown_as_text_unless_the_room_knows_it(room):
    """Nobody's Markdown is read, which could take seconds, or for ever; but figures differ."""
    questions = {
        "bpe-01": load("bpe-01", 7, "kim").question,
        "bpe-02": (">a\n-\n" * 700)[:4_000],
        "bpe-03": "*a **b " * 500,
    }
    wrong = [
        event(n, exercise=id, question=text) for n, (id, text) in enumerate(questions.items(), 1)
    ]
    room.take(message(*wrong))
    known, nested, slow = (row["question"] for row in room.state()["mistakes"])
    assert known == html.to_html(questions["bpe-01"]) and "<code>" in known
    assert ">&gt;a\n-\n&gt;a" in nested and "*a **b *a" in slow
    assert "<blockquote>" not in room.shown()["class"]


def test_a_question_is_made_ready_when_it_is_shown_and_once(room, monkeypatch):
    made = []
    monkeypatch.setattr(room_module.html, "to_html", lambda text: made.append(text) or html.Html())
    room_module.as_shown.cache_clear()
    asked, line = (
        load("bpe-01", 7, "kim").question,
        "How often does the pair `a` `b` occur in this corpus?",
    )
    for key in range(9):
        wrong = [event(n, question=asked) for n in range(1, AT_ONCE)]
        room.take(
            message(*wrong, event(AT_ONCE, exercise="bpe-02", question=f"{line}\n" * 60), key=key)
        )
    assert made == []
    for _ in range(2):
        room.state()
    assert made == [asked]  # and a line of the course's, again and again, is none of its questions


def test_what_is_typed_is_judged_once_and_never_where_everybody_waits(room, monkeypatch):
    judged, judge = [], Instance.judge

    def slowly(ex, answer, **how):
        judged.append(threading.current_thread() is threading.main_thread())
        return judge(ex, answer, **how)

    room.ask("bpe-01")
    monkeypatch.setattr(Instance, "judge", slowly)
    said = message(event(1, "typed", answer=f"{room.poll.ex.asked.answer}", poll=room.poll.ex.key))
    assert room.take(said, judged=asyncio.run(room.prepare(said)))["known"] is False
    assert judged == [False] and room.poll.counts() == [{"right": 1}]
    with opened(room) as url:
        said["key"], judged[:] = f"{2:032x}", []
        assert ask(url + "answers", room.code, said)[0] == 200 and len(judged) == 1


def test_who_has_nothing_to_be_judged_waits_for_no_judge(room):
    async def with_busy_judges():
        room.judges = asyncio.Semaphore(0)
        return await asyncio.wait_for(room.prepare(message(event(1))), 10)

    assert asyncio.run(with_busy_judges()) is None


def test_the_page_is_made_anew_when_something_has_happened_and_is_bounded(room, clock, monkeypatch):
    made, fill = [], room_module.filled

    def fill_and_count(name, **fields):
        made.append(name)
        return fill(name, **fields)

    monkeypatch.setattr(room_module, "filled", fill_and_count)
    monkeypatch.setattr(room_module, "MOST_COLUMNS", 3)
    ids = [*room.titles][:6]
    looked_at = [event(n, "hint", exercise=id) for n, id in enumerate(ids, 1)]
    for happens, columns in (
        (lambda: room.take(message(*looked_at)), ids[-1:]),  # the one at which Kim is
        (lambda: room.take(message(event(7, exercise=ids[0]))), ids[:1]),
        (
            lambda: room.take(message(*[event(n, exercise=ids[n]) for n in range(1, 6)], key=2)),
            ids[:3],
        ),
        (lambda: room.ask("bpe-01"), ids[:3]),
        (room.reveal, ids[:3]),
        (lambda: setattr(clock, "now", clock.now + 60), ids[:3]),
        (room.forget, []),
    ):
        happens()
        made.clear()
        shown = room.shown()
        room.take(message() | {"still": True} if room.learners else message())
        assert made.count("static/class.html") == 1
        assert [entry["id"] for entry in room.state()["exercises"]] == columns
        assert room.shown() == shown or columns == []
    assert len(json.dumps(shown)) < 20_000


def test_words_of_a_learners_own_are_not_shown_to_the_class(room):
    room.take(message(event(1, label="mr-x-is-slow"), event(2, exercise="mr-x-1", label="printed")))
    room.take(message(event(3, exercise="bpe-16", label="returned-none")))
    state = room.state()
    assert [entry["id"] for entry in state["exercises"]] == ["bpe-01", "bpe-16"]
    assert "mr-x" not in json.dumps(state)
    assert sorted(row["label"] for row in state["mistakes"]) == ["", "returned-none"]


def test_a_few_learners_do_not_push_the_mistakes_of_others_off_the_page(room):
    room.take(message(event(1), name="Lee", key=2))
    ids = [id for id in room.titles if id != "bpe-01"][:AT_ONCE]
    room.take(message(*[event(n, exercise=id) for n, id in enumerate(ids, start=1)]))
    found = [(row["exercise"], row["learners"]) for row in room.state()["mistakes"]]
    assert found == [(id, 1) for id in ["bpe-01", *ids[-MOST_WRONG:]]]


@pytest.mark.parametrize("limit", ["MOST_LEARNERS", "MOST_AT_AN_ADDRESS"])
def test_nobody_fills_the_room_for_others(room, monkeypatch, limit):
    monkeypatch.setattr(room_module, limit, 3)
    monkeypatch.setattr(room_module, "MOST_LEFT", 3)
    for key in range(9):  # those who are gone keep nobody out, and are not remembered for ever
        room.take(message(event(1, "leave"), key=key), "192.0.2.1")
    for key in range(3):
        room.take(message(key=key, name=f"Learner {key}"), "192.0.2.1")
    with pytest.raises(Refused, match="the room is full"):
        room.take(message(key=9), "192.0.2.1")
    room.take(message(event(1), key=2), "192.0.2.1")  # who is in stays in
    is_full = limit == "MOST_LEARNERS"
    with pytest.raises(Refused) if is_full else nullcontext():
        room.take(message(key=9), "192.0.2.2")
    assert len(room.left) == 3


# ----------------------------------------------------------------------------------------------------- on the network


def test_nobody_without_the_code_writes_and_nobody_without_the_key_reads(room):
    with opened(room) as url:
        for secret in ("", "x", room.key, "é".encode().decode("latin-1")):
            for path in ("answers", "page"):
                assert ask(url + path, secret, message(event(1)))[0] == 403
        assert [ask(url + "state", secret)[0] for secret in ("", room.code)] == [403, 403]
        assert ask(url + "forget", room.code, 1)[0] == 403 and not room.learners
        assert ask(url + "answers", room.code, message(event(1)))[0] == 200
        assert ask(url + "state", room.key)[0] == 200
        _, page, headers = ask(url)
        assert not any(secret in page for secret in (room.key, room.code, "http"))
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self';" in policy  # nor is it framed by others
        assert "frame-ancestors 'none'" in policy and headers["Cache-Control"] == "no-store"
        assert not [name for name in headers if name.startswith("Access-Control")]


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff", b"null", b'{"name": 1}'])
def test_a_broken_message_is_answered_shortly(room, body):
    with opened(room) as url:
        status, answer, _ = ask(url + "answers", room.code, body)
        assert status == 400 and len(answer) < 100 and not room.learners
        assert ask(url + "../cli.py", room.key)[0] == ask(url + "room.py", room.key)[0] == 404
        assert ask(url + "answers", room.code, b" " * (LARGEST + 1))[0] in (400, 599)


@pytest.fixture
def eight(room, monkeypatch):
    """A function that asks a room with places for eight at once something, over a connection of its own; and the event
    for which answers wait.
    """
    import resource

    answered = threading.Event()

    async def prepare(message):
        await asyncio.to_thread(answered.wait, 10)

    monkeypatch.setattr(room, "prepare", prepare)
    monkeypatch.setattr(room_module, "SPARE", resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 8)
    with opened(room) as url, ExitStack() as all_open:

        def asked(path, secret="", body="", times=1):
            one = all_open.enter_context(socket.socket())
            one.settimeout(10)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            one.connect(("127.0.0.1", int(url.rstrip("/").rpartition(":")[2])))
            ask = (
                f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: room\r\n"
                f"Authorization: Bearer {secret}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            )
            one.sendall(ask.encode() * times)
            return one

        yield asked, answered
        answered.set()


def test_nobody_takes_all_connections(room, eight):
    """Neither who says nothing nor who reads no answer; whoever is being answered keeps the connection."""
    asked, answered = eight
    longest = asked("", times=0)
    learner = asked("/answers", room.code, json.dumps(message(event(1))))
    time.sleep(0.5)
    for _ in range(20):
        asked("", times=0)
    assert asked("/").recv(12) == b"HTTP/1.1 200"
    assert longest.recv(1) == b""  # who has waited longest makes room
    for number in range(50):
        room.take(message(event(1), key=number + 2, name=f"Learner {number}"))
    for _ in range(8):
        asked("/state", room.key, times=300)
    time.sleep(0.5)
    assert asked("/").recv(12) == b"HTTP/1.1 200"
    answered.set()
    assert learner.recv(12) == b"HTTP/1.1 200"


def test_where_all_are_being_answered_newcomers_find_no_place(room, eight):
    asked, answered = eight
    body = json.dumps(message(event(1)))
    learners = [asked("/answers", room.code, body) for _ in range(8)]
    time.sleep(0.5)
    for _ in range(4):
        with suppress(ConnectionError):
            assert asked("", times=0).recv(1) == b""
    answered.set()
    assert all(learner.recv(12) == b"HTTP/1.1 200" for learner in learners)


# ----------------------------------------------------------------------------------------------------- a learner's end


def test_answers_hints_and_hands_reach_the_room(room, monkeypatch):
    ex = load("bpe-01", learner="the name on the handout")
    mistake = ex.asked.mistakes[0]
    with monkeypatch.context() as patch:
        sent = pytest.fail
        patch.setattr(urllib.request, "urlopen", lambda *_, **__: sent("something was sent"))
        ex.check(-1)
        assert live.hand() == live.leave() == "You are in no room."
    with opened(room) as url:
        said = live.join(f"{url}#{room.code}", "Kim")
        assert "in the room as Kim" in repr(said)
        ex.check(mistake.value)
        ex.check(ex.asked.answer)
        load("bpe-02").hint()
        assert live.hand(False) == "Your hand is down."
        assert live.hand() == "Your hand is up; live.hand(False) takes it down."
        assert said.delivered()
        (kim,) = room.state()["learners"]
        assert kim["places"] == {"bpe-01": ["done", 2], "bpe-02": ["seen", 0]}
        assert kim["waits"][0] == 3
        (example,) = room.state()["mistakes"]
        assert example["answer"] == str(mistake.value) and "<table>" in example["question"]
        assert "the name on the handout" not in json.dumps(room.state())
        other = live.Membership(f"{url}#{room.code}", "Kim", said.key)
        other.put(event(0, **RIGHT))  # which takes the hand down, in all notebooks
        assert other.delivered(60) and said.send(still=True) and said.hand is False
        assert live.leave() == "You have left, and the room has forgotten you."
        ex.check(mistake.value)
        assert not room.learners


def test_the_roll_and_the_hands_come_back_to_a_room_that_is_opened_again(room, clock, monkeypatch):
    monkeypatch.setattr(live, "STILL_HERE", 0.02)
    monkeypatch.setattr(live, "PAUSES", (0.02,))
    with opened(room) as url:
        said = live.join(f"{url}#{room.code}", "Kim")
        assert names(room) == ["Kim"]
        live.hand()
        assert said.delivered(60)
    again = Room(clock, key=room.key)
    with opened(again, int(url.rstrip("/").rpartition(":")[2])):
        while not any(learner.hand for learner in [*again.learners.values()]):
            time.sleep(0.01)
        live.hand(False)
        assert said.delivered(60)
        again.forget()
        live.hand()  # which is the next thing that they do
        assert said.delivered(60) and again.state()["learners"][0]["waits"][0] == 3


def test_the_address_to_project_is_the_one_that_others_have(room):
    room.address = "http://192.0.2.7:8890/"
    for here in ("", "http://127.0.0.1:8890/", "http://localhost:8890/"):
        assert room.state(here)["address"] == room.address
    assert room.state("https://room.example/x/")["address"] == "https://room.example/x/"


def test_the_environment_joins_at_once_and_says_no_where_notebooks_are_marked(room, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_ROOM", live.NOT_HERE)
    monkeypatch.setenv("SUBWORD_LAB_ROOM_NAME", "")
    with opened(room) as url:
        assert live.join(f"{url}#{room.code}", "Kim") is None
        monkeypatch.setenv("SUBWORD_LAB_ROOM", "")
        cli._join(f"{url}#{room.code}", "Lee")
        assert names(room) == ["Lee"]
        load("bpe-01").check(-1)
        assert live._joined.delivered() and room.state()["learners"][0]["answers"] == 1


def test_a_network_that_is_not_there_costs_nothing(room, monkeypatch):
    """What could not be delivered arrives once the room is there; until then, the check is what it always is."""
    monkeypatch.setattr(live, "PAUSES", (0.05,))
    with opened(room) as url:
        said = live.join(f"{url}#AAAA-AAAA", "Kim")
        said.put({"kind": "hand"})
        assert said.delivered() and "does not know this code" in repr(said) and not room.learners
    port = int(url.rstrip("/").rpartition(":")[2])
    said = live.join(f"{url}#{room.code}", "Kim")
    assert "cannot be reached" in repr(said)
    before = len(progress.store().events())
    assert load("bpe-01").check(-1).outcome == "incorrect"
    assert len(progress.store().events()) == before + 1 and not said.delivered(0.2)
    with opened(room, port):
        assert said.delivered(10) and not said.problem
        assert room.state()["learners"][0]["answers"] == 1
    monkeypatch.delattr(live.Membership, "put")
    assert load("bpe-01").check(-1).outcome == "incorrect"  # whatever goes wrong with the room


@pytest.mark.parametrize("reply", [b"<html>", b"[7]", b"null", b"7"])
def test_what_is_no_room_at_this_address_is_said(reply, monkeypatch):
    """Such as the page on which one logs in to a network; and what waits there is bounded."""
    monkeypatch.setattr(live.Membership, "_work", lambda self: None)
    said = live.Membership("http://127.0.0.1:9/#AAAA-BBBB", "Kim")
    for _ in range(live.MOST_WAITING + 10):
        said.put({"kind": "attempt", "question": "x" * 10_000})
    assert len(said._waiting) == live.MOST_WAITING and len(said._waiting[0]["question"]) == 4000
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(reply))
    assert not said.send() and "cannot be reached" in repr(said)


@pytest.mark.parametrize(
    "address, name",
    [
        ("http://host/", "Kim"),
        ("file:///etc/passwd#AAAA-BBBB", "Kim"),
        ("http:///#AAAA-BBBB", "Kim"),
        ("http://host/#aaaa-bbbb", "Kim"),
        ("http://host/#AAAA-BBBB", " "),
        ("http://host/#AAAA-BBBB", "x" * 41),
    ],
)
def test_an_address_or_a_name_that_is_none(address, name):
    with pytest.raises(ValueError, match=r"address is|name is"):
        live.join(address, name)


def test_a_learner_is_the_same_one_in_every_notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path / "home"))
    key = live._key()
    assert live._key() == key and live.KEY.fullmatch(key)
    assert os.name != "posix" or (tmp_path / "home" / "room-key").stat().st_mode & 0o077 == 0
    (tmp_path / "home" / "room-key").write_text("damaged")
    assert live.KEY.fullmatch(live._key())


@pytest.mark.skipif(os.name != "posix", reason="makes a pipe that has a name")
def test_a_pipe_in_the_place_of_the_key_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_HOME", str(tmp_path))
    os.mkfifo(tmp_path / "room-key")
    waiting = threading.Thread(target=live._key, daemon=True)
    waiting.start()
    waiting.join(10)
    ended = not waiting.is_alive()
    os.close(os.open(tmp_path / "room-key", os.O_RDWR | os.O_NONBLOCK))  # lets one go that waits
    assert ended


# -------------------------------------------------------------------------------------------------------- the command


@contextmanager
def opened_by_command(*options):
    """A room that the command opens: its process, the address that it prints first, and the one for learners."""
    command = [sys.executable, "-m", "subword_lab", "room", "--port", "0", *map(str, options)]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **piped) as process:
        page = process.stdout.readline().strip()
        told = next(line for line in process.stderr if "open --room" in line)
        yield process, page, told.split("'")[1]
        process.kill()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signal kills at once there")
def test_a_room_that_died_opens_again_and_forgets_everything_at_its_end(tmp_path, monkeypatch):
    """What was answered meanwhile arrives; a poll stays on record, and nothing else."""
    monkeypatch.setattr(live, "PAUSES", (0.05,))
    with opened_by_command() as (_, page, address):
        kim = live.Membership(address, "Kim")
        kim.put(event(0))
        assert kim.delivered(30)
    url, _, key = page.partition("#teacher=")
    port = url.rstrip("/").rpartition(":")[2]
    for _ in range(7):
        kim.put(event(0))
    again = ("--again", page, "--port", port, "--record", tmp_path / "polls.json")
    with opened_by_command(*again) as (process, same_page, _):
        assert same_page == page and kim.delivered(60)
        (learner,) = json.loads(ask(url + "state", key)[1])["learners"]
        assert (learner["name"], learner["answers"]) == ("Kim", 7)
        assert ask(url + "ask", key, "bpe-01")[:2] == (200, "{}")
        kim.put(event(0))
        assert kim.delivered(30)
        busy = run_apart("room", "--port", port)
        assert busy.returncode == 1 and "name another" in busy.stderr
        process.terminate()
        _, rest = process.communicate(timeout=30)
    assert process.returncode == 0 and "forgotten everything" in rest
    assert "Traceback" not in busy.stderr + rest
    (poll,) = read_polls(tmp_path / "polls.json")
    assert sum(poll["rounds"][0].values()) == 1


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        ("room --again http://127.0.0.1:8890/#K7QX-M2PD", 2, "is not the address of a room's page"),
        ("room --again 8890", 2, "is not the address of a room's page; expected"),
        (f"room --again http://127.0.0.1/#teacher={'a' * 32}", 2, "expected"),
        (f"room --again http://127.0.0.1:99999/#teacher={'a' * 32}", 2, "expected"),
        ("room --host 203.0.113.9 --port 0", 1, "203.0.113.9, port 0 cannot be used"),
        (f"room --record {__file__} --port 0", 2, "test_room.py holds no polls"),
        ("open nowhere --room room", 2, "the room's address is 'room'"),
    ],
)
def test_bad_use(arguments, code, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments.split())
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert not Path("nowhere").exists()
