"""Attacks on marking, on the room and on the instructor's own commands, each of which has worked once."""

import asyncio
import base64
import json
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
from command import run
from tornado.httpclient import AsyncHTTPClient

from subword_lab import Tokenizer
from subword_lab.exercises import catalog
from subword_lab.normalization import Substitute
from subword_lab_teach import gradebooks, report, submissions, tables
from subword_lab_teach import room as room_module
from subword_lab_teach.cells import code_cell
from subword_lab_teach.grading import Grades, Row
from subword_lab_teach.room import MOST_LEFT_AT_AN_ADDRESS, Refused, Room, serving
from subword_lab_teach.submissions import Learner
from subword_lab_teach.triage import triage


def notebook(*cells: str, **stamp: object) -> str:
    return json.dumps(
        {
            "nbformat": 4,
            "metadata": {"subword_lab": stamp},
            "cells": [code_cell(cell, "a") for cell in cells],
        }
    )


def packed(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def answer(outcome: str, text: str, **more: object) -> dict:
    return {"outcome": outcome, "answer": text, "label": "", "score": 0.0, "message": "", **more}


def apart(work):
    """What asynchronous work gives, in a thread of its own: the tests of the browser leave a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def test_one_learners_many_notebooks_are_no_majority(tmp_path):
    for name in ("amina", "boris", "chen"):
        (tmp_path / f"{name}.ipynb").write_text(notebook("load('bpe-01')", seed=7, learner=""))
    packed(
        tmp_path / "ivy.zip",
        {f"{n}.ipynb": notebook("load('bpe-01')", seed=8, learner="") for n in range(20)},
    )
    found = triage(submissions.find(tmp_path), catalog([]), None, 7)
    assert {one.learner.name for one in found if not one.notices} == {"amina", "boris", "chen"}
    for name in ("amina", "boris"):
        (tmp_path / f"{name}.ipynb").write_text(notebook("load('bpe-01')", seed=8, learner=""))
    with pytest.raises(ValueError, match="3 of 4 learners were handed out with seed 8"):
        triage(submissions.find(tmp_path), catalog([]), None, 7)


def test_the_look_before_the_marking_keeps_little_of_a_notebook(tmp_path, monkeypatch):
    from subword_lab_teach import triage as module

    kept = []
    glance = module._glance
    monkeypatch.setattr(module, "_glance", lambda *given: kept.append(glance(*given)) or kept[-1])
    (tmp_path / "ivy.ipynb").write_text(
        notebook("load('bpe-01') #" + 9_999 * "x", versions={f"v{n}": n for n in range(9_999)})
    )
    triage(submissions.find(tmp_path), catalog([]), None, 7)
    assert len(repr(kept)) < 200


def test_a_learner_writes_no_line_about_another(tmp_path):
    row = Row(Learner("Eve", "1"), [], flags=["it was handed out to x\nAmina: late by 9 days"])
    assert Grades([row], []).summary().splitlines()[1:] == [
        "Eve: it was handed out to x Amina: late by 9 days"
    ]


def test_no_cell_begins_a_formula_behind_a_tab():
    assert tables.safe("cell 1 failed (x\t=1+(1)") == "cell 1 failed (x\t'=1+(1)"


def test_a_learners_own_timestamp_does_not_count(tmp_path):
    collected = tmp_path / "submitted"
    for owner in ("Kim_1_assignsubmission_file_", "lee"):
        (collected / owner / "hw").mkdir(parents=True)
        (collected / owner / "hw" / "x.ipynb").write_text(notebook("1"))
        (collected / owner / "hw" / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC")
    years = {
        one.learner.name: one.time().year
        for one in submissions.find(collected)
        if one.label.endswith("ipynb")
    }
    assert years == {"Kim": datetime.now().year, "lee": 2020}  # as nbgrader writes it


def test_a_packed_zip_file_is_unpacked_once_for_all_of_its_notebooks(tmp_path, monkeypatch):
    inner = packed(tmp_path / "inner", {f"{n}.ipynb": notebook(f"x = {n}") for n in range(20)})
    whole = tmp_path / "class.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.write(inner, "leekim_1_2_a.zip")
    opened, really = [], zipfile.ZipFile.read
    monkeypatch.setattr(
        zipfile.ZipFile, "read", lambda *given: opened.append(given[1]) or really(*given)
    )
    assert len([one.read() for one in submissions.find(whole)]) == 20
    assert opened.count("leekim_1_2_a.zip") == 1


def test_a_page_for_a_learner_whose_file_has_a_long_name(tmp_path):
    name = f"Kim Lee_12_assignsubmission_file_{'က' * 120}.ipynb"
    (one,) = submissions.find(packed(tmp_path / "class.zip", {name: notebook("1")}))
    grades = Grades([Row(one.learner, [name], place=one.place)], [])
    (page,) = report.write_feedback(tmp_path / "feedback", grades)
    assert page.is_file() and page.name.startswith("Kim Lee_12_")


def test_the_classs_report_holds_no_words_of_a_learners(tmp_path):
    bank = catalog([])
    free, bound = bank["bpe-06"], bank["bpe-05"]
    assert free.kind.free and not bound.kind.free
    answers = {
        free.id: answer("incorrect", "Amina | cheats"),
        bound.id: answer("incorrect", "12345"),
        "bpe-16": answer("incorrect", "", label="constant", message="returns 'Amina cheats'"),
    }
    grades = Grades([Row(Learner("Gus", "1"), [], answers)], [free, bound, bank["bpe-16"]])
    page = report.report(grades, names=False)
    assert "cheats" not in page and "12345" in page and "constant" in page
    assert report.report(grades).count("cheats") == 2


def test_a_class_file_in_a_strangers_folder_is_not_run_by_the_room(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    told = {"seed": 3, "learner": "Eve", "exercises": ["own.py"]}
    (tmp_path / "subword-lab-class.json").write_text(json.dumps(told))
    monkeypatch.chdir(tmp_path)
    for name in ("SUBWORD_LAB_SEED", "SUBWORD_LAB_LEARNER", "SUBWORD_LAB_EXERCISES"):
        monkeypatch.delenv(name, raising=False)
    Room().ask("bpe-01")
    assert not Path("ran").exists()


def test_a_command_says_which_exercises_of_this_folder_it_runs(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text("")
    (tmp_path / "subword-lab-class.json").write_text(json.dumps({"exercises": ["own.py"]}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBWORD_LAB_EXERCISES", raising=False)
    done = run("forms", tmp_path / "out", "--lessons", "01")
    assert "own.py is run, because subword-lab-class.json in this folder names it" in done.stderr


def test_a_room_does_not_fill_up_by_coming_and_leaving_at_one_address():
    room, leave = Room(clock=lambda: 100), [{"n": 1, "kind": "leave"}]
    name = {"name": "x", "session": "a"}
    for number in range(MOST_LEFT_AT_AN_ADDRESS):
        room.take({**name, "key": f"{number:032x}", "events": leave}, "10.0.0.9")
    with pytest.raises(Refused, match="left at this address"):
        room.take({**name, "key": "f" * 32, "events": []}, "10.0.0.9")
    room.take({**name, "key": "f" * 32, "events": []}, "10.0.0.5")
    assert [learner["name"] for learner in room.state()["learners"]] == ["x"]


def test_a_tokenizers_file_puts_no_long_text_in_the_place_of_a_space(tmp_path):
    with pytest.raises(ValueError, match="1,000,000 characters into a text at once"):
        Substitute(r"\s+", "x" * 1_000_000)


def test_a_tokenizers_file_has_no_endless_row_of_steps(tmp_path):
    path = tmp_path / "tokenizer.json"
    Tokenizer.train(["hug hug"] * 9, algorithm="bpe", vocab_size=260).save(path)
    content = json.loads(path.read_text())
    step = {"type": "Replace", "pattern": {"String": "q"}, "content": "q"}
    content["normalizer"] = {"type": "Sequence", "normalizers": [step] * 101}
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="the normalizer has 101 parts; expected at most 100"):
        Tokenizer.load(path)


def test_a_file_of_ranks_with_endless_tokens_is_refused(tmp_path):
    ranks = [bytes([byte]) for byte in range(256)] + [b"a" * n for n in range(2, 2000)]
    lines = [base64.b64encode(token) + b" %d" % rank for rank, token in enumerate(ranks)]
    (tmp_path / "a.tiktoken").write_bytes(b"\n".join(lines))
    with pytest.raises(ValueError, match="so long that looking for merges takes"):
        Tokenizer.from_tiktoken(tmp_path / "a.tiktoken")


def test_phones_at_one_address_do_not_fill_a_room(monkeypatch):
    monkeypatch.setattr(room_module, "MOST_AT_AN_ADDRESS", 2)

    async def come(room: Room) -> list[int]:
        codes = []
        async with serving(room) as port:
            for _ in range(3):
                body = urlencode({"code": room.code, "name": "x"})
                address = f"http://127.0.0.1:{port}/join"
                reply = await AsyncHTTPClient().fetch(
                    address, method="POST", body=body, raise_error=False
                )
                codes.append(reply.code)
        return codes

    assert apart(come(Room())) == [200, 200, 429]


def test_a_name_of_ones_own_does_not_lead_to_anothers_row_of_the_roster(tmp_path):
    (tmp_path / "roster.csv").write_text("Full name,Username\nBoris B,boris\nKim Lee,klee\n")
    rows = [Row(Learner("Boris B", "1"), []), Row(Learner("boris", "2"), [])]
    roster = gradebooks.read_roster(tmp_path / "roster.csv", "moodle")
    grades = Grades(rows, [catalog([])["bpe-01"]])
    problems = gradebooks.write_gradebook(tmp_path / "out.csv", grades, roster)
    told = "is not alone in a row of the roster, and has no grade there"
    assert problems == [f"Boris B (1) {told}", f"boris (2) {told}"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one address here")
def test_one_address_does_not_take_all_connections_of_a_room(monkeypatch):
    import resource

    monkeypatch.setattr(room_module, "SPARE", resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 8)

    async def come() -> int:
        async with serving(Room(), "127.0.0.1") as port:
            flood = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            await asyncio.sleep(0.2)
            other = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
            other[1].write(b"GET / HTTP/1.1\r\nHost: room\r\n\r\n")
            status = await other[0].readline()
            for _, writer in [*flood, other]:
                writer.close()
            return int(status.split()[1]) if status else 0

    assert apart(come()) == 200
