"""The live room: what it is told arrives, once; nobody else reads or writes; and no learner waits for it."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest
from command import run, run_apart

from subword_lab import cli
from subword_lab.exercises import live, load, progress
from subword_lab.exercises.live import AT_ONCE
from subword_lab_teach import room as room_module
from subword_lab_teach.poll import read_polls
from subword_lab_teach.room import BURST, LARGEST, MOST_LEARNERS, OTHER, STATES, Refused, Room
from teach.rooms import event, message, opened

pytestmark = pytest.mark.usefixtures("nobody_is_in_a_room")


def ask(url, secret="", body=None, **headers):
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json", **headers}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, given), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


# ------------------------------------------------------------------------------------------------------ what it knows


def test_a_place_keeps_its_best_state_and_counts_every_answer(room):
    room.take(
        message(
            event(1), event(2, outcome="correct"), event(3), event(4, "hint", exercise="bpe-02")
        )
    )
    (kim,) = room.state()["learners"]
    assert kim["places"] == {"bpe-01": ["done", 3], "bpe-02": ["seen", 0]} and kim["answers"] == 3
    assert [entry["id"] for entry in room.state()["exercises"]] == ["bpe-01", "bpe-02"]


def test_a_partial_answer_is_neither_done_nor_wrong(room):
    wrong = [event(1), event(2)]
    room.take(message(*wrong, event(3, outcome="partial", label="either-order"), event(4)))
    state = room.state()
    assert state["learners"][0]["places"] == {"bpe-01": ["partial", 4]}
    assert state["learners"][0]["waits"] == [0, ""]  # three wrong ones, but not in a row
    assert [row["label"] for row in state["mistakes"]] == ["once-per-word", "either-order"]
    room.take(message(event(5, outcome="correct"), event(6, outcome="partial")))
    assert room.state()["learners"][0]["places"] == {"bpe-01": ["done", 6]}


def test_the_page_has_a_sign_and_words_of_its_own_for_each_state():
    script = (Path(room_module.__file__).parent / "static" / "room.js").read_text(encoding="utf-8")
    for name in ("SIGNS", "WORDS"):
        shown = dict(re.findall(r'(\w+): "(.+?)"', re.search(f"const {name} = (.*);", script)[1]))
        assert sorted(shown) == sorted(STATES) and len({*shown.values()}) == len(STATES)
    counted = re.findall(r"\w+", re.search(r"const states = \[(.*)\]", script)[1])
    assert counted == [state for state in reversed(STATES) if state != "seen"]


def test_what_is_sent_twice_counts_once_and_sessions_are_apart(room):
    for _ in range(3):
        room.take(message(event(1), event(2)))
    room.take(message(event(1), session="b"))
    assert room.state()["learners"][0]["answers"] == 3


def test_who_waits_and_why(room, clock):
    room.take(message(event(1), event(2), event(3), name="Stuck", key=1))
    room.take(message(event(1, "hand"), name="Asks", key=2))
    room.take(message(event(1, outcome="correct"), name="Quiet", key=3))
    clock.now += 400
    room.take(message(event(1, outcome="correct"), name="Busy", key=4))
    waits = {learner["name"]: learner["waits"] for learner in room.state()["learners"]}
    assert waits == {
        "Stuck": [2, "3 wrong answers in a row at bpe-01, for 6 min"],
        "Asks": [3, "hand up for 6 min"],
        "Quiet": [1, "nothing for 6 min, after bpe-01"],
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
    assert [(row["label"], row["learners"]) for row in room.state()["mistakes"]] == [
        ("once-per-word", 2),
        ("", 1),
    ]
    assert not any(wrong["label"] == "either-order" for wrong in room.wrong)
    assert room.state()["minutes"] == 10
    example = room.example("bpe-01", "once-per-word")
    assert example == {"question": "<p>How often?</p>\n", "answer": "3", "message": "Look again."}
    with pytest.raises(Refused, match="no longer there"):
        room.example("bpe-01", "never")


@pytest.mark.parametrize("name", ["Kim", "K\u200bim", "Ki\u00adm", "Ki\u200dm", "Kim\u2060"])
def test_two_of_one_name_stay_two_and_a_learner_may_take_another_name(room, name):
    room.take(message(key=1))
    room.take(message(key=2, name=name))
    (_, second) = room.state()["learners"]
    assert second["name"].split() != ["Kim"] and not name.startswith(second["name"])
    room.take(message(key=2))
    assert [learner["name"] for learner in room.state()["learners"]] == ["Kim", "Kim (2)"]
    room.take(message(key=1, name="Lee"))
    assert [learner["name"] for learner in room.state()["learners"]] == ["Lee", "Kim (2)"]


def test_whoever_leaves_is_forgotten_until_they_join_again(room):
    room.take(message(event(1), key=1))
    room.take(message(event(1), key=2, name="Lee"))
    room.take(message(event(2, "leave"), key=1))
    assert [learner["name"] for learner in room.state()["learners"]] == ["Lee"]
    assert room.state()["mistakes"][0]["learners"] == 1
    with pytest.raises(Refused, match="left"):
        room.take(message(event(1), key=1, session="another notebook"))
    room.take(message(key=1))
    assert [learner["name"] for learner in room.state()["learners"]] == ["Lee", "Kim"]


def test_whoever_left_stays_away_however_many_leave_after_them(room):
    for key in range(1_500):
        room.take(message(event(1, "leave"), key=key))
    for key in (0, 1_499):
        with pytest.raises(Refused, match="left"):
            room.take(message(event(2), key=key, session="another notebook"))
    assert not room.learners


def test_a_room_that_more_have_left_than_it_remembers_takes_nobody_new(room, monkeypatch):
    monkeypatch.setattr(room_module, "MOST_LEFT", 10)
    room.take(message(key=99, name="Stays"))
    for key in range(10):
        room.take(message(event(1, "leave"), key=key))
    with pytest.raises(Refused, match="full"):
        room.take(message(key=11))
    room.take(message(event(1), key=99, name="Stays"))
    assert len(room.left) == 10


def test_a_sign_of_somebody_brings_back_neither_who_left_nor_who_was_forgotten(room):
    still = {"still": True}
    assert room.take(message(key=1) | still) == {} and room.learners  # of a room that opened again
    assert room.take(message(key=1, name="Lee") | still) == {"known": True}
    assert [learner.name for learner in room.learners.values()] == ["Kim"]
    room.forget()
    assert room.take(message(key=1) | still) == {"known": True} and not room.learners
    room.take(message(event(1), key=1))
    assert room.take(message(event(2, "hand"), key=1)) == {"known": True, "hand": True}
    room.take(message(event(3, "leave"), key=1))
    with pytest.raises(Refused, match="left"):
        room.take(message(key=1) | still)


def test_one_or_all_are_forgotten(room):
    for key in (1, 2, 3):
        room.take(message(event(1), key=key, name=f"Learner {key}"))
    room.forget(room.state()["learners"][1]["number"])
    assert [learner["name"] for learner in room.state()["learners"]] == ["Learner 1", "Learner 3"]
    room.forget()
    assert not room.state()["learners"] and not room.state()["mistakes"] and not room.wrong


# --------------------------------------------------------------------------------------------------------- its bounds


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        {},
        message() | {"key": "x"},
        message() | {"key": 7},
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
    wrong = room.wrong[0]
    assert (
        len(wrong["answer"]) < 600
        and wrong["message"] == "a b "
        and room.state()["learners"][0]["name"] == "A B"
    )


def test_too_much_at_once_is_refused_and_taken_later(room, clock):
    numbers = iter(range(1, 10_000))
    for _ in range(BURST // AT_ONCE):
        room.take(message(*[event(next(numbers)) for _ in range(AT_ONCE)]))
    with pytest.raises(Refused, match="later"):
        room.take(message(event(next(numbers))))
    clock.now += 1
    room.take(message(event(next(numbers))))
    assert room.state()["learners"][0]["answers"] == BURST + 1


def test_a_full_room_is_full(room):
    for key in range(MOST_LEARNERS):
        room.take(message(key=key, name=f"Learner {key}"))
    with pytest.raises(Refused, match="full"):
        room.take(message(key=MOST_LEARNERS))


def test_words_of_a_learners_own_are_not_shown_to_the_class(room):
    room.take(message(event(1, label="mr-x-is-slow"), event(2, exercise="mr-x-1", label="printed")))
    room.take(message(event(3, exercise="bpe-16", label="returned-none")))
    state = room.state()
    assert [entry["id"] for entry in state["exercises"]] == ["bpe-01", "bpe-16", OTHER]
    assert "mr-x" not in json.dumps(state)
    assert sorted(row["label"] for row in state["mistakes"]) == ["", "printed", "returned-none"]


# ----------------------------------------------------------------------------------------------------- on the network


def test_nobody_without_the_code_writes_and_nobody_without_the_key_reads(room):
    with opened(room) as url:
        for secret in ("", "x", room.key, "é"):
            assert (
                ask(url + "answers", secret.encode().decode("latin-1"), message(event(1)))[0] == 403
            )
        for path in ("state", "example?exercise=bpe-01&label=x"):
            assert [ask(url + path, secret)[0] for secret in ("", room.code)] == [403, 403]
        assert ask(url + "forget", room.code, 1)[0] == 403 and not room.learners
        assert ask(url + "answers", room.code, message(event(1))) == (200, "{}")
        assert (
            ask(url + "state", room.key)[0] == 200
            and ask(url + "example?exercise=a&label=x", room.key)[0] == 404
        )
        assert room.key not in ask(url)[1] and room.code not in ask(url)[1]


def test_another_sites_page_can_do_nothing(room):
    with opened(room) as url:
        for origin in ("http://evil.example", "null"):
            assert ask(url + "answers", room.code, message(), Origin=origin)[0] == 403
            assert ask(url + "forget", room.key, 1, Origin=origin)[0] == 403
        assert ask(url + "answers", room.code, message(), Origin=url.rstrip("/"))[0] == 200
        assert (
            ask(url + "answers", room.code, message(), **{"Content-Type": "text/plain"})[0] == 415
        )


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b"\xff", b"null", b'{"name": 1}'])
def test_a_broken_message_is_answered_shortly(room, body):
    with opened(room) as url:
        status, answer = ask(url + "answers", room.code, body)
        assert status == 400 and len(answer) < 100 and not room.learners
        assert ask(url + "forget", room.key, b'"all"')[0] == 400
        assert ask(url + "../cli.py", room.key)[0] == ask(url + "room.py", room.key)[0] == 404


def test_a_message_of_any_size_is_not_read(room):
    with opened(room) as url:
        try:
            status, _ = ask(url + "answers", room.code, b" " * (LARGEST + 1))
        except OSError:  # the connection is closed while it is being sent
            status = 400
        assert status == 400 and not room.learners


def test_the_page_loads_nothing_from_elsewhere_and_no_one_frames_it(room):
    with opened(room) as url, urllib.request.urlopen(url) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert (
            "default-src 'none'" in policy
            and "script-src 'self';" in policy
            and "frame-ancestors 'none'" in policy
        )
        assert (
            answer.headers["Referrer-Policy"] == "no-referrer"
            and answer.headers["Cache-Control"] == "no-store"
        )
        assert "http" not in answer.read().decode()


# ----------------------------------------------------------------------------------------------------- a learner's end


def test_a_learner_who_has_not_joined_is_told_to_nobody(monkeypatch):
    monkeypatch.setattr(
        urllib.request, "urlopen", lambda *_, **__: pytest.fail("something was sent")
    )
    load("bpe-01").check(-1)
    assert live.hand() == live.leave() == "You are in no room."


def test_answers_hints_and_hands_reach_the_room(room):
    ex = load("bpe-01", learner="the name on the handout")
    mistake = ex.asked.mistakes[0]
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
        assert (
            kim["places"] == {"bpe-01": ["done", 2], "bpe-02": ["seen", 0]} and kim["waits"][0] == 3
        )
        example = room.example("bpe-01", mistake.label)
        assert example["answer"] == str(mistake.value) and "<table>" in example["question"]
        assert "the name on the handout" not in json.dumps([room.state(), example])
        assert (
            live.leave() == "You have left, and the room has forgotten you." and not room.learners
        )
        ex.check(mistake.value)
        assert not room.learners


def test_the_roll_and_the_hands_come_back_to_a_room_that_is_opened_again(room, clock, monkeypatch):
    monkeypatch.setattr(live, "STILL_HERE", 0.02)
    monkeypatch.setattr(live, "PAUSES", (0.02,))
    with opened(room) as url:
        said = live.join(f"{url}#{room.code}", "Kim")
        assert [learner["name"] for learner in room.state()["learners"]] == ["Kim"]
        live.hand()
        assert said.delivered(60)
    again = Room(clock, key=room.key)
    with opened(again, int(url.rstrip("/").rpartition(":")[2])):
        wait_for(lambda: any(learner.hand for learner in [*again.learners.values()]))
        live.hand(False)
        assert said.delivered(60)
        again.forget()
        live.hand()  # which is the next thing that they do
        assert said.delivered(60)
        assert again.state()["learners"][0]["waits"][0] == 3


def test_whoever_opens_the_course_for_a_room_is_on_the_roll_at_once(room, monkeypatch):
    monkeypatch.setenv("SUBWORD_LAB_ROOM", "")
    monkeypatch.setenv("SUBWORD_LAB_ROOM_NAME", "")
    with opened(room) as url:
        cli._join(f"{url}#{room.code}", "Kim")
        assert [learner["name"] for learner in room.state()["learners"]] == ["Kim"]


def test_the_address_to_project_is_the_one_that_others_have(room):
    room.address = "http://192.0.2.7:8890/"
    for here in ("", "http://127.0.0.1:8890/", "http://localhost:8890/"):
        assert room.state(here)["address"] == room.address
    assert room.state("https://room.example/x/")["address"] == "https://room.example/x/"
    assert "<svg" in room.state()["qr"]


def test_a_hand_that_came_down_by_itself_is_not_raised_again(room):
    with opened(room) as url:
        said = live.join(f"{url}#{room.code}", "Kim")
        live.hand()
        assert said.delivered(60)
        other = live.Membership(f"{url}#{room.code}", "Kim", said.key)
        other.put(event(0, outcome="correct"))
        assert other.delivered(60) and said.send(still=True) and said.hand is False


def wait_for(holds):
    """Until something holds; whoever waits for long is told so by the limit for a test."""
    while not holds():
        time.sleep(0.01)


def test_the_environment_joins_and_says_no_where_notebooks_are_marked(room, monkeypatch):
    with opened(room) as url:
        monkeypatch.setenv("SUBWORD_LAB_ROOM", live.NOT_HERE)
        assert live.join(f"{url}#{room.code}", "Kim") is None
        monkeypatch.setenv("SUBWORD_LAB_ROOM", f"{url}#{room.code}")
        monkeypatch.setenv("SUBWORD_LAB_ROOM_NAME", "Lee")
        load("bpe-01").check(-1)
        assert live._joined.delivered() and [
            learner.name for learner in room.learners.values()
        ] == ["Lee"]


def test_a_network_that_is_not_there_costs_nothing(room, monkeypatch):
    """What could not be delivered arrives once the room is there; until then, the check is what it always is."""
    monkeypatch.setattr(live, "PAUSES", (0.05,))
    with opened(room) as url:
        pass
    port = int(url.rstrip("/").rpartition(":")[2])
    said = live.join(f"{url}#{room.code}", "Kim")
    assert "cannot be reached" in repr(said)
    before = len(progress.store().events())
    assert (
        load("bpe-01").check(-1).outcome == "incorrect"
        and len(progress.store().events()) == before + 1
    )
    assert not said.delivered(0.2)
    with opened(room, port):
        assert (
            said.delivered(10) and room.state()["learners"][0]["answers"] == 1 and not said.problem
        )


def test_a_room_that_fails_does_not_fail_a_check(monkeypatch):
    def fails(*_):
        raise RuntimeError("broken")

    live._joined = live.Membership("http://127.0.0.1:9/#AAAA-BBBB", "Kim")
    monkeypatch.setattr(live.Membership, "put", fails)
    assert load("bpe-01").check(-1).outcome == "incorrect"


@pytest.mark.parametrize("reply", [b"<html>", b"[7]", b"null", b"7"])
def test_what_is_no_room_at_this_address_is_said(reply, monkeypatch):
    """Such as the page on which one logs in to a network."""
    said = live.Membership("http://127.0.0.1:9/#AAAA-BBBB", "Kim")
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(reply))
    assert not said.send() and "cannot be reached" in repr(said)


def test_a_wrong_code_is_said_and_not_tried_again(room):
    with opened(room) as url:
        said = live.join(f"{url}#AAAA-AAAA", "Kim")
        said.put({"kind": "hand"})
        assert said.delivered() and "does not know this code" in repr(said) and not room.learners


def test_what_waits_is_bounded(monkeypatch):
    monkeypatch.setattr(live.Membership, "_work", lambda self: None)
    said = live.Membership("http://127.0.0.1:9/#AAAA-BBBB", "Kim")
    for _ in range(live.MOST_WAITING + 10):
        said.put({"kind": "attempt", "question": "x" * 10_000})
    assert len(said._waiting) == live.MOST_WAITING and len(said._waiting[0]["question"]) == 4000


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


@pytest.mark.slow
def test_forty_learners_for_ten_minutes_and_no_answer_is_lost(room, clock, monkeypatch):
    """Each sends 20 answers a minute, at full speed; the network goes away in the middle, and comes back."""
    monkeypatch.setattr(live, "PAUSES", (0.05,))
    ids = [f"bpe-{number:02}" for number in range(1, 11)]
    with opened(room) as url:
        learners = [
            live.Membership(f"{url}#{room.code}", f"Learner {number}") for number in range(40)
        ]
        for minute in range(5):
            _a_minute(learners, ids, minute)
        assert all(learner.delivered(60) for learner in learners)
    for minute in range(5, 7):
        _a_minute(learners, ids, minute)
    with opened(room, int(url.rstrip("/").rpartition(":")[2])):
        for minute in range(7, 10):
            _a_minute(learners, ids, minute)
            clock.now += 60
        assert all(learner.delivered(60) for learner in learners)
    state = room.state()
    assert [learner["answers"] for learner in state["learners"]] == [200] * 40
    assert all(
        sum(tries for _, tries in learner["places"].values()) == 200
        for learner in state["learners"]
    )


def _a_minute(learners, ids, minute):
    for learner in learners:
        for number in range(20):
            learner.put(
                event(
                    0,
                    exercise=ids[(minute + number) % len(ids)],
                    outcome="correct" if number % 3 else "incorrect",
                )
            )


@pytest.fixture
def opens(monkeypatch):
    """Opens a room by the command: its process, the address that it prints first, and the one for learners."""
    rooms = []

    def open_room(*options, python=("-m", "subword_lab")):
        command = [sys.executable, *python, "room", *options]
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        rooms.append(subprocess.Popen(command, **piped))
        page = rooms[-1].stdout.readline().strip()
        told = (line for line in rooms[-1].stderr if "open --room" in line)
        return rooms[-1], page, next(told).split("'")[1]

    monkeypatch.setattr(live, "PAUSES", (0.05,))
    yield open_room
    for room in rooms:
        room.kill()
        room.communicate()


@pytest.mark.slow
def test_the_command_prints_the_page_on_stdout_and_forgets_on_the_end(opens, tmp_path):
    process, page, address = opens("--port", "0", "--record", str(tmp_path / "polls.json"))
    url, _, key = page.partition("#teacher=")
    assert ask(url + "ask", key, "bpe-01") == (200, "{}")
    assert ask(url + "answers", address.partition("#")[2], message(event(1)))[0] == 200
    assert '"Kim"' in ask(url + "state", key)[1]
    busy = run_apart("room", "--port", url.rstrip("/").rpartition(":")[2])
    assert busy.returncode == 1 and "name another" in busy.stderr
    assert "Traceback" not in busy.stderr
    process.terminate()
    _, rest = process.communicate(timeout=30)
    assert process.returncode == 0 and "forgotten everything" in rest and "Traceback" not in rest
    (poll,) = read_polls(tmp_path / "polls.json")
    assert sum(poll["rounds"][0].values()) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signal kills at once there")
def test_a_room_that_died_opens_again_and_what_was_answered_meanwhile_arrives(opens):
    process, page, address = opens("--port", "0")
    learners = [live.Membership(address, f"Learner {number}") for number in range(5)]
    for learner in learners:
        learner.put(event(0))
    assert all(learner.delivered(30) for learner in learners)
    process.kill()
    process.wait()
    for learner in learners * 7:
        learner.put(event(0))
    assert opens("--again", page)[1] == page
    assert all(learner.delivered(60) for learner in learners)
    url, _, key = page.partition("#teacher=")
    state = json.loads(ask(url + "state", key)[1])
    assert {learner["name"]: learner["answers"] for learner in state["learners"]} == {
        learner.name: 7 for learner in learners
    }


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
def test_a_room_out_of_connections_says_one_line_and_recovers(opens):
    limited = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); "
    start = limited + "from subword_lab.cli import main; main()"
    process, page, address = opens("--port", "0", python=("-c", start))
    with ExitStack() as connections:
        for number in range(100):  # from several addresses, of which each may have half
            place = ("127.0.0.1", int(page.partition("/#")[0].rpartition(":")[2]))
            source = (f"127.0.0.{2 + number % 4}", 0)
            connections.enter_context(socket.create_connection(place, 10, source))
    learner = live.Membership(address, "Kim")
    learner.put(event(0))
    assert learner.delivered(60) and not learner.problem
    process.terminate()
    _, said = process.communicate(timeout=30)
    assert said.count("Too many connections") == 1 and "Traceback" not in said


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8890/#K7QX-M2PD",
        "8890",
        "http://127.0.0.1/#teacher=" + "a" * 32,
        "http://127.0.0.1:99999/#teacher=" + "a" * 32,
    ],
)
def test_a_room_that_cannot_be_opened_again(address):
    done = run("room", "--again", address)
    assert done.returncode == 2 and " is not " in done.stderr and "expected" in done.stderr


def test_a_host_that_is_not_here():
    done = run("room", "--host", "203.0.113.9", "--port", "0")
    assert (
        done.returncode == 1
        and "203.0.113.9" in done.stderr
        and "name another with --host" in done.stderr
    )


def test_open_says_no_to_an_address_that_is_none(tmp_path):
    done = run("open", str(tmp_path / "course"), "--room", "room")
    assert (
        done.returncode == 2
        and "the room's address is 'room'" in done.stderr
        and not (tmp_path / "course").exists()
    )
