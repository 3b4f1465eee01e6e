"""What was handed in: whose it is, when it came, and what is not read."""

import json
import os
import re
import shutil
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from counting import memory_below

from subword_lab import lessons
from subword_lab_teach import decisions, handouts, report, submissions
from subword_lab_teach.grading import Grades, Row
from subword_lab_teach.submissions import Learner, Submission
from teach.hostile_notebooks import zipped, zipped_all

EMPTY = '{"cells": []}'


@pytest.fixture
def hand_in(tmp_path):
    """Writes files into a folder; what is found there, by label."""

    def write_and_find(files):
        for name, data in files.items():
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        return {one.label: one for one in submissions.find(tmp_path / "in")}

    return write_and_find


def found_in_zip(folder, members):
    """What is found in the zip file of a class that holds these."""
    (folder / "class.zip").write_bytes(zipped_all(members))
    return submissions.find(folder / "class.zip")


ZONES = {"z1": "CET", "z2": "Europe/Berlin", "z3": "EST", "z4": "Here/Nowhere", "z5": "A/../../x"}
INJECTED = "Kim Lee_1_assignsubmission_file_"  # as somebody's full name on Moodle
GROUPS = re.compile(r"group-\d+/(?P<learner>\w+)-")


@pytest.mark.parametrize(
    "label, name, id",
    [
        ("kim.ipynb", "kim", "kim"),
        ("kim.lee/01_bpe.ipynb", "kim.lee", "kim.lee"),
        ("kim/homework/deep/01_bpe.ipynb", "kim", "kim"),
        ("submitted/kim/homework/01_bpe.ipynb", "kim", "kim"),
        ("mallory/submitted/alice/hw.ipynb", "mallory", "mallory"),
        ("leekim_123_456_777_assignsubmission_x.ipynb",) * 2 + (None,),
        ("Kim Lee_12345_67__9_assignsubmission_file_a.ipynb",) * 2 + (None,),
        ("Kim Lee_1_assignsubmission_9_assignsubmission_file_a.ipynb",) * 2 + (None,),
        ("lesson_2026_11_kim.ipynb",) * 2 + (None,),
        ("lesson_31_01_kim.ipynb",) * 2 + (None,),
        ("lesson_11_2026_kim.ipynb",) * 2 + (None,),
        ("leekim_7_202601_kim.ipynb", "leekim", "7"),
        ("Kim Lee_12345_assignsubmission_file_alice_9_9_x.ipynb", "Kim Lee", "12345"),
        ("Kim Lee_12345_assignsubmission_file_/01_bpe.ipynb", "Kim Lee", "12345"),
        ("Kim Lee_1_assignsubmission_file__9_assignsubmission_file_/a.ipynb", INJECTED, "9"),
        ("leekim_1_2__9_assignsubmission_onlinetext/a.ipynb", "leekim_1_2_", "9"),
        (
            f"{INJECTED}_9_assignsubmission_file_a.ipynb",
            f"{INJECTED}_9_assignsubmission_file_a",
            None,
        ),
        ("leekim_LATE_123_456_01_bpe-2.ipynb", "leekim", "123"),
        ("Дарья/01_bpe.ipynb", "Дарья", "Дарья"),
        ("group-3/kim-final.ipynb", "kim", "kim"),
        *(
            (f"class_101_{number}_{name}/{file}", f"class_101_{number}_{name}", None)
            for number, name in ((7, "amina"), (8, "boris"))
            for file in ("hw.ipynb", "")
        ),
    ],
)
def test_whose_a_notebook_is(label, name, id):
    name = name.removesuffix(".ipynb")
    assert submissions.whose(label, GROUPS) == (name, id or name)


def test_a_folder_or_a_pattern_that_there_is_not(tmp_path):
    with pytest.raises(ValueError, match="not a regular expression"):
        submissions.find(tmp_path, "(")
    with pytest.raises(ValueError, match="there is no folder"):
        submissions.find(tmp_path / "nowhere")


def test_a_folder_that_the_pattern_does_not_name_is_nobodys(tmp_path, hand_in):
    hand_in({"hw/kim.ipynb": EMPTY, "other.ipynb": EMPTY, "zoe/hw/notes.txt": ""})
    found = submissions.find(tmp_path / "in", r"hw/(?P<learner>\w+)\.ipynb")
    assert [one.learner.name for one in found] == ["kim", "other", "zoe"]


def test_everybody_has_a_row_whatever_they_handed_in(hand_in):
    found = hand_in(
        {
            "leekim_1_222_essay.pdf": "%PDF",
            "zip_5_666_all.zip": zipped("a.zip", b"x"),
            "Ann Day_7_assignsubmission_file_/scan.png": "x",
            "Ann Day_8_assignsubmission_file_/hw.ipynb": EMPTY,
            "mallory/all.zip": zipped("submitted/alice/hw.ipynb", EMPTY),
            "alice/hw.ipynb": EMPTY,
            "grades.csv": "",
            ".DS_Store": "",
            "lee_2_333_notes.json": "{}",
            ".Mo_9_assignsubmission_file_/hw.ipynb": EMPTY,
            "._Mo_9_assignsubmission_file_hw.ipynb": "a Mac's",
            "__MACOSX Su_10_assignsubmission_file_hw.ipynb": EMPTY,
            "submitted.zip": zipped("alice/hw.ipynb", EMPTY),
        }
    )
    assert {(one.learner.name, one.learner.id): one.problem for one in found.values()} == {
        ("alice", "alice"): "",
        ("Ann Day", "7"): "there is no notebook, only scan.png",
        ("Ann Day", "8"): "",
        ("leekim", "1"): "there is no notebook, only leekim_1_222_essay.pdf",
        ("lee", "2"): "there is no notebook, only lee_2_333_notes.json",
        (".Mo", "9"): "",
        ("__MACOSX Su", "10"): "",
        ("mallory", "mallory"): "",
        ("submitted", "submitted"): "",
        ("zip", "5"): "there is no notebook in the zip file, only a.zip; unpack the zip file in it",
    }


@pytest.mark.parametrize(
    "other", ["Zoe\u0308", "Zo\u00eb\u200d", "Z\u200co\u00eb", "Z\u043e\u00eb", "Zo\u00eb\u034f"]
)
def test_names_that_only_look_alike_stay_two(hand_in, other):
    first = hand_in({"Zo\u00eb/a.ipynb": EMPTY, f"{other}/a.ipynb": EMPTY})
    learners = {one.learner for one in hand_in({" Zo\u00eb/a.ipynb": EMPTY}).values()}
    assert len(learners) == 3 and {one.learner for one in first.values()} < learners
    for name in ("Zo\u00eb", other):
        with pytest.raises(ValueError, match="several learners are called") as refused:
            decisions.called(name, learners)
    ids = str(refused.value).partition("such as ")[2].split(", ")
    assert {decisions.called(id, learners) for id in ids} == learners


def test_nbgrader_says_when_it_was_handed_in(tmp_path, hand_in):
    """And nobody else by a file of that name; of a huge one little is read."""
    pytest.importorskip("tzdata" if sys.platform == "win32" else "zoneinfo")
    other = "submitted/Lee_1_assignsubmission_file_/hw"
    hand_in(
        {
            "release/hw/a.ipynb": EMPTY,
            "submitted/kim/hw/.ipynb_checkpoints/a.ipynb": EMPTY,
            "submitted/kim/hw/a.ipynb": EMPTY,
            "submitted/kim/hw/timestamp.txt": "2026-02-01 12:30:00.123456 UTC",
            f"{other}/a.ipynb": EMPTY,
            f"{other}/timestamp.txt": "2020-01-01 00:00:00 UTC",
            "submitted/ned/hw/a.ipynb": EMPTY,
            "submitted/ned/hw/timestamp.txt": "2026-02-01 12:30:00-05:00",
            "submitted/su/hw/a.ipynb": EMPTY,
            "submitted/su/hw/timestamp.txt": "",
            **{
                f"submitted/{name}/hw/{file}": text
                for name, zone in ZONES.items()
                for file, text in (
                    ("a.ipynb", EMPTY),
                    ("timestamp.txt", f"2026-07-01 12:00 {zone}"),
                )
            },
        }
    )
    os.utime(tmp_path / "in" / other / "a.ipynb", (1e9, 1e9))
    os.truncate(tmp_path / "in/submitted/su/hw/timestamp.txt", 100_000_000)
    lee, kim, ned, su, *zones = submissions.find(tmp_path / "in")
    assert kim.label == "kim/hw/a.ipynb" and kim.place == "kim/hw/feedback.html"
    assert kim.time == datetime(2026, 2, 1, 12, 30, 0, 123456, tzinfo=UTC)
    assert ned.time == datetime(2026, 2, 1, 17, 30, tzinfo=UTC)
    assert lee.time.timestamp() == 1e9 and su.time is None
    assert [one.time and one.time.astimezone(UTC).hour for one in zones] == [10, 10, 17, None, None]
    packed = tmp_path / "course.zip"
    shutil.make_archive(packed.with_suffix(""), "zip", tmp_path / "in")
    by_learner = {one.learner.name: one.time for one in submissions.find(packed)}
    assert [by_learner.get(one.learner.name) for one in (kim, ned, su, *zones)] == [
        one.time for one in (kim, ned, su, *zones)
    ]
    assert by_learner["Lee"].timestamp() == 1e9
    with zipfile.ZipFile(packed, "a") as archive:  # what is no part of a course is told
        archive.writestr("downloaded/hw/a.ipynb", EMPTY)
    hand_in({"mal/hw/a.ipynb": EMPTY})
    assert submissions.left_out(packed) == ["downloaded"]
    assert submissions.left_out(tmp_path / "in") == ["mal"]
    assert {one.learner.name: one.time for one in submissions.find(packed)} == by_learner


def test_nbgraders_folder_is_known_where_one_stands_in_it(tmp_path, monkeypatch, hand_in):
    hand_in(
        {
            "submitted/kim/hw/a.ipynb": EMPTY,
            "submitted/kim/hw/timestamp.txt": "2026-02-01 12:30:00 UTC",
            "readme.md": "",
        }
    )
    (kim,) = submissions.find(tmp_path / "in")
    assert kim.time == datetime(2026, 2, 1, 12, 30, tzinfo=UTC)
    monkeypatch.chdir(tmp_path / "in/submitted")
    (kim,) = submissions.find(Path())
    assert kim.time == datetime(2026, 2, 1, 12, 30, tzinfo=UTC)


NAMES = ["Zoe", "Zo\u00eb", "zoe", "\u0930\u092e", "\u0930\u093e\u092e"]  # which differ to the eye


@pytest.mark.parametrize(
    "files, found",
    [
        ({"kim.zip": zipped("./hw.ipynb", EMPTY)}, ["kim/hw.ipynb: kim"]),
        (  # of equally good answers the last one counts, and `hw-10` is later than `hw-2`
            dict.fromkeys(["kim/hw-10.ipynb", "kim/hw-2.ipynb", "kim/hw.ipynb"], EMPTY),
            ["kim/hw.ipynb: kim", "kim/hw-2.ipynb: kim", "kim/hw-10.ipynb: kim"],
        ),
        (  # a table is the teacher's, and a renamed notebook is not
            dict.fromkeys(["kim.ipynb.json", "names.csv", "a/b.csv"], EMPTY),
            ["a/: a, only b.csv", "kim.ipynb.json: kim.ipynb, only kim.ipynb.json"],
        ),
        (
            dict.fromkeys(["amina.ipynb", "submitted/x/a.ipynb"], EMPTY),
            ["amina.ipynb: amina", "submitted/: submitted in the folder", "submitted/x/a.ipynb: x"],
        ),
        (
            {f"{name}/a.ipynb": EMPTY for name in NAMES},
            [f"{name}/a.ipynb: {name}" for name in NAMES],
        ),
    ],
)
def test_what_lies_in_a_folder_is_somebodys(hand_in, files, found):
    assert found == [
        f"{label}: {one.learner}{one.problem.removeprefix('there is no notebook')}"
        for label, one in hand_in(files).items()
    ]


@pytest.mark.parametrize("outputs", [False, True])
def test_a_source_in_one_piece_takes_no_memory_for_each_sign(outputs):
    text = "\u0100" * 5_000_000
    cell = {"cell_type": "code", "source": "1", "outputs": [{"data": {"text/plain": text}}]}
    cell = cell if outputs else cell | {"source": text}
    data = json.dumps({"cells": [cell]}, ensure_ascii=False).encode()
    with memory_below(100_000_000), suppress(submissions.Refused):
        submissions.parse(data)


def test_a_learners_own_files_do_not_say_when_they_were_handed_in(tmp_path, hand_in):
    told = "2020-01-01 12:00:00 UTC"
    files = {
        "kim/hw/a.ipynb": EMPTY,
        "kim/hw/timestamp.txt": told,
        "lee/submitted/x/hw/a.ipynb": EMPTY,
        "lee/submitted/x/hw/timestamp.txt": told,
        "su.zip": zipped("a.ipynb", EMPTY),
    }
    hand_in(files)
    for name in files:
        os.utime(tmp_path / "in" / name, (1e9, 1e9))
    assert [one.time.timestamp() for one in submissions.find(tmp_path / "in")] == [1e9] * 3


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="sets the time zone")
def test_the_times_in_the_zip_file_of_a_class_count_and_are_local(tmp_path, monkeypatch):
    when = zipfile.ZipInfo("kim/a.ipynb", (2025, 12, 1, 9, 0, 0))
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        told = found_in_zip(tmp_path, {when: EMPTY})[0].time
    time.tzset()
    assert told == datetime(2025, 12, 1, 9, tzinfo=timezone(timedelta(hours=9)))


def test_a_zip_file_in_the_zip_file_of_a_class_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "LARGEST", 9_000)
    members = {
        "Kim Lee_1_assignsubmission_file_/hw.zip": zipped("a/01.ipynb", EMPTY),
        "Su_2_assignsubmission_file_/hw.ipynb": EMPTY,
        "Mo_3_assignsubmission_file_/hw.zip": b"broken",
        "Yu_4_assignsubmission_file_/hw.ZIP": zipped("b.zip", b"x"),
        "Zo_5_assignsubmission_file_/hw.zip": zipped("deep.ipynb", os.urandom(9_000)),
        "Al_6_assignsubmission_file_/hw.html": "<p>",
        f"Eve_7_assignsubmission_file_/{'a/' * 1500}hw.ipynb": EMPTY,
    }
    found = {one.learner.name: one for one in found_in_zip(tmp_path, members)}
    kim = found["Kim Lee"]
    assert kim.label == "Kim Lee_1_assignsubmission_file_/hw/a/01.ipynb"
    assert kim.problem == "" and kim.time.year == 2026
    assert kim.learner.id == "1" and kim.place == "Kim Lee_1_assignsubmission_file_/feedback.html"
    assert found["Su"].problem == "" and "only hw.html" in found["Al"].problem
    assert found["Mo"].problem.startswith("it cannot be read (BadZipFile")
    assert found["Yu"].problem.endswith("only b.zip; unpack the zip file in it")
    assert "it is larger than" in found["Zo"].problem
    assert "nested too deep" in found["Eve"].problem and len(found["Eve"].place) < 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_a_notebooks_place_is_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "kim.ipynb")
    monkeypatch.setattr(os.path, "isfile", lambda path: True)  # as it was a moment ago
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lambda: list(submissions.find(tmp_path)))
        try:
            (one,) = found.result(timeout=10)
        finally:  # whoever waits to read it reads its end
            os.close(os.open(tmp_path / "kim.ipynb", os.O_RDWR | os.O_NONBLOCK))
    assert one.problem == "it is not a file, or cannot be reached"


def test_a_folder_in_a_notebooks_place_leaves_nothing_open(tmp_path, monkeypatch):
    (tmp_path / "kim.ipynb").mkdir()
    monkeypatch.setattr(os.path, "isdir", lambda path: False)  # as it was a moment ago
    monkeypatch.setattr(os.path, "isfile", lambda path: True)
    before = len(os.listdir("/proc/self/fd"))
    (one,) = submissions.find(tmp_path)
    assert one.problem.startswith("it cannot be read")
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    "there, learners",
    [
        ("./kim/hw.ipynb ./lee/hw.ipynb", ["kim", "lee"]),
        ("amina.ipynb boris.ipynb submitted/x/a.ipynb", ["amina", "boris", "x"]),
        ("class/ class/kim/a.ipynb class/lee/a.ipynb", ["kim", "lee"]),
        ("class/ class/Lee_1_assignsubmission_file_a.ipynb class/su/", ["Lee (1)", "su"]),
        (
            "class/ class/kim_1_2_a.ipynb class/eve_3_4_b_5_assignsubmission_file_.ipynb",
            ["eve_3_4_b (5)", "kim_1_2_a"],
        ),
        ("class/kim/a.ipynb class/lee/a.ipynb class/mal.ipynb", ["kim", "lee", "mal"]),
        ("class/a.ipynb class/b.ipynb class/old/a.ipynb class/older/b.ipynb", ["class"] * 4),
        ("class/a.ipynb class/.ipynb_checkpoints/a.ipynb class/old/a.ipynb", ["class"] * 2),
    ],
)
def test_a_folder_around_a_whole_class_is_nobodys(tmp_path, there, learners):
    found = found_in_zip(tmp_path, dict.fromkeys(there.split(), EMPTY))
    assert [str(one.learner) for one in found] == learners and all(one.time for one in found)
    assert submissions.left_out(tmp_path / "class.zip") == []


LONG = json.dumps({"cells": [{"cell_type": "code", "source": "x" * 101}]})


@pytest.mark.parametrize(
    "bound, name, data, words",
    [
        (  # those that nobody sees, too
            "LARGEST_LIST",
            "mallory.zip",
            zipped_all(dict.fromkeys(["a.ipynb", *(f".{n}" for n in range(199))], "{}")),
            "its list of files is far too long",
        ),
        (
            "LARGEST_CONTENT",
            "mallory.zip",
            zipped_all({f"{n}.ipynb": "{}" for n in range(200)}),
            "its notebooks have more than",
        ),
        ("MOST_KEPT", "mallory.ipynb", LONG, "this learner's notebooks hold too much in all"),
        ("DEEPEST", f"mallory/{'a/' * 110}b.ipynb", EMPTY, "its folders are nested too deep"),
    ],
)
def test_what_is_without_end_is_not_unpacked_and_costs_its_owner_alone(
    hand_in, monkeypatch, bound, name, data, words
):
    monkeypatch.setattr(submissions, bound, 100)
    kim, mallory = hand_in({"kim.ipynb": EMPTY, name: data}).values()
    assert kim.problem == "" and words in mallory.problem


@pytest.mark.parametrize(
    "bound, most", [("LARGEST_CONTENT", 3 * len(EMPTY)), ("MOST_NOTEBOOKS", 5)]
)
def test_of_one_learner_no_more_is_read_than_of_one_zip_file(hand_in, monkeypatch, bound, most):
    monkeypatch.setattr(submissions, bound, most)
    three = zipped_all({f"{n}.ipynb": EMPTY for n in range(3)})
    found = hand_in({"kim.ipynb": EMPTY, **{f"mallory/{n}.zip": three for n in range(5)}})
    problems = [one.problem for one in found.values() if one.problem]
    assert problems == ["this learner's notebooks hold too much in all"]
    assert len(found) == 1 + 3 + 1 and not found["kim.ipynb"].problem


def test_of_one_learner_no_more_json_is_read_than_so_many_parts(hand_in, monkeypatch):
    """Which took minutes, of a small zip file, before anybody was marked; and it is none of the size that is kept."""
    monkeypatch.setattr(submissions, "MOST_KEPT", 5_000)
    nested = f'{{"cells": 0, "metadata": {"[" * 90 + "]" * 90}}}'
    many = zipped_all({f"{n}.ipynb": nested for n in range(100)})
    found = hand_in({"kim.ipynb": EMPTY, "mal.zip": many})
    assert found.pop("kim.ipynb").problem == ""
    *refused, last = (one.problem for one in found.values())
    assert {*refused} == {"it is not a notebook"} and len(refused) == 49
    assert last == "this learner's notebooks hold too much in all"


@pytest.mark.parametrize("owner", ["//etc/x.ipynb", "//x.ipynb", "/etc/x.ipynb", "../x/y.ipynb"])
def test_a_page_stays_below_its_folder_whatever_a_zip_file_names(owner):
    place = Submission(owner, owner).place
    assert not place.startswith("/") and ".." not in place


def test_a_page_for_a_learner_whose_file_has_a_long_name(tmp_path):
    name = f"Kim Lee_12_assignsubmission_file_{'က' * 120}.ipynb"
    (one,) = found_in_zip(tmp_path, {name: EMPTY})
    grades = Grades([Row(one.learner, [name], place=one.place)], [])
    (page,) = report.write_feedback(tmp_path / "feedback", grades)
    assert page.is_file() and page.name.startswith("Kim Lee_12_")
    assert one.learner == Learner("Kim Lee", "12")


def test_no_page_takes_the_place_of_another(tmp_path):
    """A folder with a page's name, a name in other letters, and names that others' pages would get."""
    (tmp_path / "pages" / "lee.html").mkdir(parents=True)
    for name in ("su.html", "7-su.html"):
        (tmp_path / "pages" / name).write_text("mine")
    places = {
        "2-bob.html-feedback": "2-bob.html-feedback.html",
        "bob": "bob.html",
        "bob.html": "bob.html/feedback.html",
        "BOB": "BOB.html",
        "lee": "lee.html",
        "4-BOB.html": "4-BOB.html/feedback.html",
        "su": "su.html",
    }
    rows = [Row(Learner(name, name), [name], place=place) for name, place in places.items()]
    pages = report.write_feedback(tmp_path / "pages", Grades(rows, []))
    told = [re.search("<h1.*?>(.*?)</h1>", page.read_text())[1] for page in pages]
    assert told == [*places] and len({str(page).casefold() for page in pages}) == len(places)
    assert [page.name for page in pages[2:]] == [
        "3-bob.html-feedback.html",
        "4-BOB.html",
        "5-lee.html",
        "6-4-BOB.html-feedback.html",
        "8-su.html",
    ]
    assert (tmp_path / "pages" / "7-su.html").read_text() == "mine"


def test_no_page_takes_the_place_of_one_for_a_longer_name(tmp_path):
    for name in ("kimberly", "kim", "kimberly"):
        row = Row(Learner(name, name), [], place="hw/feedback.html")
        report.write_feedback(tmp_path, Grades([row], []))
    pages = sorted(page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.html"))
    assert pages == ["1-hw-feedback.html", "hw/feedback.html"]
    assert "<title>kimberly</title>" in (tmp_path / "hw" / "feedback.html").read_text()


def test_pages_in_the_place_of_a_file_are_an_error(tmp_path):
    (tmp_path / "pages").write_text("mine")
    for folder in ("pages", "pages/of/a/class"):
        with pytest.raises(OSError, match="pages"):
            report.write_feedback(tmp_path / folder, Grades([Row(Learner("kim", "kim"), [])], []))


@pytest.mark.parametrize("name", ["علی\u200cرضا", "O'Shea\u200d", "Zoë Ba"])
def test_to_whom_a_copy_was_handed_out_is_read_in_it(tmp_path, name):
    """Names with joiners, too, which Python spells out in code."""
    lesson = lessons.folder() / "01_bpe.ipynb"
    [copy] = handouts.handout(tmp_path, [lesson], [name], seed=7)
    assert submissions.parse((copy / lesson.name).read_bytes()).learner == name


@pytest.mark.parametrize(
    "name, read",
    [
        ("'a\u202eb\x9b31m\u2028c'", "a b 31m c"),
        *((name, None) for name in ("{[]: 1}", r"'a\u0000b'", r"'a\ud800'", "'a\0b'", "'a\ud800'")),
    ],
)
def test_of_a_first_cell_a_name_is_read_as_a_handout_has_it(name, read):
    """And signs that nobody sees go no further."""
    cell = {"cell_type": "code", "source": f"course(seed=7, learner={name})"}
    assert submissions.parse(json.dumps({"cells": [cell]}).encode()).learner == read


def test_a_link_in_a_learners_folder_is_not_followed(tmp_path):
    kept = tmp_path / "grades.csv"
    kept.write_text("kim,5\n")
    for name in ("kim/HAND-IN.txt", "kim/01_bpe.ipynb", "kim"):
        folder = tmp_path / name.replace("/", "-")
        (folder / name).parent.mkdir(parents=True)
        (folder / name).symlink_to(kept)
        with pytest.raises(ValueError, match="is a link"):
            handouts.handout(folder, [lessons.folder() / "01_bpe.ipynb"], ["kim"], seed=7)
    assert kept.read_text() == "kim,5\n"
