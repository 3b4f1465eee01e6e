"""`subword-lab train`, `encode` and `decode`: files in, files out, and what is said when something is wrong."""

import io
import json
import re
from dataclasses import replace
from unittest import mock

import pytest
from command import run

from subword_lab import Tokenizer, cli, streaming, text
from subword_lab.bpe import BPEModel
from subword_lab.cli import main
from subword_lab.parts import Parts
from subword_lab.pieces import Rules


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    (folder / "passage.txt").write_text(text.load_passage(), encoding="utf-8")
    done = run(
        "train", folder / "passage.txt", "--vocab-size", 400, "--out", folder / "tokenizer.json"
    )
    assert done.returncode == 0 and done.stdout.strip() == str(folder / "tokenizer.json"), done
    assert (
        "Tokenizer(BPE, 400 tokens, 1 of them special)" in done.stderr
        and "1 of 1 MB" in done.stderr
    )
    return folder


def test_what_is_trained_is_what_the_package_trains(trained, tmp_path):
    lines, file, out = text.load_passage().splitlines(keepends=True), "passage.txt", "rules.json"
    ours = Tokenizer.train(lines, vocab_size=400)
    assert Tokenizer.load(trained / "tokenizer.json").parts == ours.parts
    options = ["--algorithm", "bpe", "--vocab-size", 300, "--sentencepiece-rules"]
    assert run("train", trained / file, *options, "--out", tmp_path / out).returncode == 0
    ours = Tokenizer.train(text.load_passage().splitlines(), "bpe", 300, rules=Rules())
    assert Tokenizer.load(tmp_path / out).parts == ours.parts


def test_encode_and_decode_give_back_the_file(trained):
    encoded = run("encode", "--tokenizer", trained / "tokenizer.json", trained / "passage.txt")
    assert encoded.returncode == 0 and encoded.stderr == "1 of 1 MB\n"
    tokenizer = Tokenizer.load(trained / "tokenizer.json")
    first = text.load_passage().splitlines()[0]
    assert encoded.stdout.splitlines()[0] == " ".join(map(str, tokenizer.encode(first).ids))
    piped = run("encode", "--tokenizer", trained / "tokenizer.json", "-", given=text.load_passage())
    assert piped.stdout == encoded.stdout and not piped.stderr
    decoded = run("decode", "--tokenizer", trained / "tokenizer.json", given=encoded.stdout)
    assert decoded.stdout == text.load_passage().removesuffix("\n") + "\n"


@pytest.mark.parametrize("largest", [10**7, (1 << 31) - 1])
def test_ids_that_are_far_apart_are_written_and_read(largest, tmp_path):
    parts = Tokenizer.train(["hug"], vocab_size=260).parts
    far = Tokenizer(replace(parts, ids={**parts.ids, "<|endoftext|>": largest}))
    far.save(tmp_path / "far.json")
    encoded = run(
        "encode",
        "--special",
        "--tokenizer",
        tmp_path / "far.json",
        given="hug\n\nhugs<|endoftext|>\n",
    )
    assert encoded.stdout == f"258\n\n258 {parts.ids['s']} {largest}\n"
    decoded = run("decode", "--tokenizer", tmp_path / "far.json", given=encoded.stdout)
    assert decoded.stdout == "hug\n\nhugs<|endoftext|>\n"


def test_a_model_may_have_a_line_end_among_its_tokens(tmp_path):
    tokenizer = Tokenizer.train(["hug\nhug"], "bpe", 20, scheme="characters", special_tokens=[])
    tokenizer.save(tmp_path / "t.json")
    ids = tokenizer.encode("hug").ids
    decoded = run("decode", "--tokenizer", tmp_path / "t.json", given=" ".join(map(str, ids)))
    assert decoded.stdout == "hug\n" and tokenizer.token_to_id("\n") is not None


def test_special_tokens_are_text_unless_asked_for(trained):
    for options, count in [((), 0), (("--special",), 1)]:
        done = run(
            "encode", "--tokenizer", trained / "tokenizer.json", *options, given="a<|endoftext|>b\n"
        )
        assert done.stdout.split().count("0") == count


def test_lines_in_parts_and_whole_ones_are_encoded_and_decoded_alike(
    trained, tmp_path, monkeypatch
):
    Tokenizer.train(["hug pug hugs"], "wordpiece", 30).save(tmp_path / "words.json")
    lines = ["hug a pug, and a hug", "", " ", "hugs bün. " * 9, "a"]
    for file in (trained / "tokenizer.json", tmp_path / "words.json"):
        tokenizer = Tokenizer.load(file)
        for longest in (24, 1000):
            monkeypatch.setattr(streaming, "LONGEST_LINE", longest)
            done = run("encode", "--tokenizer", file, given="\n".join(lines))
            assert ("encoded in parts" in done.stderr) == (longest == 24)
            ids = done.stdout
            rows = [[*map(int, line.split(" "))] if line else [] for line in ids.split("\n")]
            assert rows == [
                *map(tokenizer.encode_ordinary, lines),
                [],
            ]
            arrays = run("encode", "--tokenizer", file, "--tokens", given="\n".join(lines)).stdout
            tokens = [tokenizer.encode(line, add_special_tokens=False).tokens for line in lines]
            assert [json.loads(array) for array in arrays.splitlines()] == tokens
            for given in (ids, ids.removesuffix("\n"), ids.replace(" ", " 0")):
                done = run("decode", "--tokenizer", file, given=given)
                expected = [tokenizer.decode(row, skip_special_tokens=False) for row in rows[:-1]]
                assert done.stdout == "\n".join([*expected, ""]), done


@pytest.mark.parametrize(
    "given, message",
    [
        ("1 2\n3 x\n", "line 2: invalid literal for int"),
        ("1\n2\n" + "7" * 30, "line 3: "),
        ("1\t2\t3\t444\t5", "line 1: ids holds 444, which no token has"),
        ("1 2 3 4 5 x", "line 1: invalid literal for int"),
        ("1\n1_2", "line 2: invalid literal for int() with base 10: '1_2'"),
        ("1\n" + "7" * 5_000, "line 2: invalid literal for int() with base 10: '777"),
        ("1\n１２", "line 2: invalid literal for int() with base 10: '１２'"),
        (b"1\n\xff".decode("latin-1"), "line 2: invalid literal for int"),
    ],
)
def test_what_is_no_id_is_named_by_its_line_and_what_comes_before_is_written(
    given, message, trained, monkeypatch
):
    monkeypatch.setattr(streaming, "LONGEST_LINE", 8)
    done = run("decode", "--tokenizer", trained / "tokenizer.json", given=given)
    assert done.returncode == 2 and f"standard input, {message}" in done.stderr
    assert done.stdout.count("\n") == given[:-1].count("\n")


def test_a_stream_that_takes_a_part_at_a_time_gets_all(monkeypatch):
    taken = []

    def take(data):
        taken.append(bytes(data[:3]))
        return len(taken[-1])

    monkeypatch.setattr("sys.stdout", mock.Mock(**{"buffer.write": take}))
    cli.write(b"hug pugs")
    assert b"".join(taken) == b"hug pugs"


def test_much_text_is_written_before_all_is_decoded(tmp_path, monkeypatch):
    tokenizer = Tokenizer.train(["hug pug"], "wordpiece", vocab_size=20)
    tokenizer.save(tmp_path / "t.json")
    monkeypatch.setattr(cli, "MOST_HELD", 5)
    monkeypatch.setattr(cli, "write", mock.Mock(side_effect=cli.write))
    given = "\n".join(" ".join(map(str, tokenizer.encode("hug pug").ids)) for _ in range(4)) + "\n"
    done = run("decode", "--tokenizer", tmp_path / "t.json", given=given)
    assert done.stdout.count("hug pug") == 4 and cli.write.call_count == 5


def test_tokens_that_are_far_too_long_together_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("subword_lab.tokenizer.MOST_DECODED", 10_000)
    long = "b" * 1_001
    parts = Parts(BPEModel(["a", long], []), {"a": 0, long: 1}, unknown=long)
    Tokenizer(parts).save(tmp_path / "t.json")
    done = run("encode", "--tokens", "--tokenizer", tmp_path / "t.json", given="cc")
    assert done.stdout == json.dumps([long, long]) + "\n"
    done = run("encode", "--tokens", "--tokenizer", tmp_path / "t.json", given="c" * 10)
    assert "expected at most 10,000 at once" in done.stderr and not done.stdout


def test_a_file_that_this_package_cannot_open_is_said(tmp_path):
    (tmp_path / "long.txt").write_text("hug pug\n" * 9 + "a" * 20_000)
    given = tmp_path / "long.txt", "--vocab-size", 100, "--out", tmp_path / "t.json"
    done = run("train", *given, "--algorithm", "wordpiece")
    assert done.returncode == 1 and "It is written, and the tokenizers library opens" in done.stderr
    assert (tmp_path / "t.json").exists()


def test_a_file_is_not_its_own_output(trained, tmp_path):
    file = tmp_path / "same.txt"
    file.write_text("hug\n")
    for command in ("encode", "decode"):
        with open(file, "ab") as out, mock.patch("sys.stdout", io.TextIOWrapper(out)):
            assert main([command, "--tokenizer", str(trained / "tokenizer.json"), str(file)]) == 2
    assert file.read_text() == "hug\n"


@pytest.mark.parametrize("command", ["encode", "decode"])
def test_the_tokenizer_is_not_its_own_output(command, tmp_path):
    Tokenizer.train(["hug"], vocab_size=257).save(file := tmp_path / "tokenizer.json")
    before = file.read_bytes()
    for named in (file, tmp_path):
        with open(file, "r+b") as out, mock.patch("sys.stdout", io.TextIOWrapper(out)):
            assert main([command, "--tokenizer", str(named), str(__file__)]) == 2
    assert file.read_bytes() == before


def test_a_text_from_standard_input_is_not_written_over(tmp_path):
    (file := tmp_path / "corpus.txt").write_text("hug pug")
    with open(file) as given, mock.patch("sys.stdin", given):
        assert main(["train", "-", "--out", str(file), "--vocab-size", "260"]) == 2
    assert file.read_text() == "hug pug"


@pytest.mark.parametrize("pad_id", [258, 300, 20_000_000])
def test_what_pads_may_have_an_id_that_no_token_has(pad_id, tmp_path):
    Tokenizer.train(["hug"], vocab_size=258).save(file := tmp_path / "tokenizer.json")
    how = {"strategy": {"Fixed": 2}, "direction": "Right", "pad_to_multiple_of": None}
    pad = {"pad_id": pad_id, "pad_type_id": 0, "pad_token": "<pad>"}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"padding": how | pad}))
    assert run("encode", "--tokenizer", file, given="a\nb").stdout == f"65 {pad_id}\n66 {pad_id}\n"
    shown = run("encode", "--tokenizer", file, "--tokens", given="a\nb").stdout
    assert shown == '["a", "<pad>"]\n["b", "<pad>"]\n'


def test_tokens_that_are_shown_move_no_terminal(tmp_path):
    moves = "\x9b2J\u202e"
    Tokenizer.train(["hug"], vocab_size=258).add_tokens([moves]).save(file := tmp_path / "t.json")
    shown = run("encode", "--tokenizer", file, "--tokens", given=f"é {moves}").stdout
    assert shown == '["Ã", "©", "Ġ", "\\u009b2J\\u202e"]\n'


def test_the_help_names_schemes_and_steps_and_its_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "books.txt").write_text(text.load_passage(), encoding="utf-8")
    for command in ("train", "encode"):
        shown = run(command, "--help").stdout
        example = shown.partition("example:\n  subword-lab ")[2].partition("\n")[0]
        assert run(*example.partition(" > ")[0].split()).returncode == 0
        if command == "train":
            table = re.findall(r"^  (\S.*?)  ", shown, re.MULTILINE)
            named = {name for row in table for name in row.split(", ")}
            assert {*text.PATTERNS, *text.NORMALIZERS} <= named


@pytest.mark.parametrize("command", ["train", "encode"])
def test_bytes_that_are_no_utf8_are_reported_or_replaced(command, trained, tmp_path):
    (tmp_path / "broken.txt").write_bytes(b"hug\nb\xfcn\n")
    options = (
        ["--vocab-size", 260, "--out", tmp_path / "t.json"]
        if command == "train"
        else ["--tokenizer", trained / "tokenizer.json"]
    )
    done = run(command, tmp_path / "broken.txt", *options)
    assert (
        done.returncode == 1
        and f"{tmp_path / 'broken.txt'}: the byte 0xFC at offset 5" in done.stderr
    )
    assert not [*tmp_path.glob("t.json*")]
    assert run(command, tmp_path / "broken.txt", *options, "--replace-errors").returncode == 0


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (
            ["train", "nowhere.txt", "--vocab-size", "300", "--out", "t.json"],
            1,
            "nowhere.txt: No such file",
        ),
        (
            ["train", __file__, "--vocab-size", "30", "--out", "t.json"],
            2,
            "vocab_size is 30, but the special tokens",
        ),
        (["train", __file__, "--vocab-size", "300", "--out", "no/t.json"], 2, "there is no folder"),
        (
            ["train", __file__, "--vocab-size", "300", "--out", "t.json", "--scheme", "words"],
            2,
            "scheme is 'words'",
        ),
        (
            ["train", __file__, "--vocab-size", "300", "--out", "/dev/full"],
            1,
            "/dev/full cannot be written; name a file in a folder of yours\n",
        ),
        (["encode", "--tokenizer", __file__], 2, "test_cli_tokenizer.py: it is no JSON"),
        (["decode", "--tokenizer", "T", "IDS"], 2, "line 2: ids holds 99999, which no token has"),
    ],
)
def test_what_is_wrong_is_said(arguments, code, words, trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ids").write_text("1 2\n99999\n")
    named = {"T": str(trained / "tokenizer.json"), "IDS": "ids"}
    assert main([named.get(argument, argument) for argument in arguments]) == code
    assert words in capsys.readouterr().err and [path.name for path in tmp_path.iterdir()] == [
        "ids"
    ]


def test_a_training_does_not_write_over_its_text(tmp_path, monkeypatch):
    (tmp_path / "same.txt").write_text("hug pug hugs")
    (tmp_path / "link.txt").symlink_to("same.txt")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tokenizer_config.json").symlink_to("same.txt")
    for out, words in (("same.txt", "is one of"), ("link.txt", "is one of"), (".", "is there")):
        done = run("train", tmp_path / "same.txt", "--vocab-size", 300, "--out", out)
        assert done.returncode == 2 and words in done.stderr
    assert (tmp_path / "same.txt").read_text() == "hug pug hugs"


def test_a_long_line_is_cut_where_words_end_anyway(monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST_LINE", 40)
    tokenizer = Tokenizer.train(["hug pug hugs bün"], vocab_size=262)
    for string in [
        "hug pug, hugs. bün " * 30,
        "hug\n" * 3 + "pug hugs " * 20 + "\n bun\n",
        "ü" * 100,
        "a" * 100,
        "x" * 40,
    ]:
        parts = list(streaming.lines(io.BytesIO(string.encode()), "text"))
        assert "".join(parts) == string and max(len(part.encode()) for part in parts) <= 80
        if " " in string and "\n" not in string:
            assert [id for part in parts for id in tokenizer.encode(part).ids] == tokenizer.encode(
                string
            ).ids
