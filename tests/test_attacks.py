"""Files of strangers that were made to do harm: each is refused in words, in little time and memory."""

import io
import json
import math
import os
import random
import re
import struct
import unicodedata
from contextlib import nullcontext
from dataclasses import replace
from unittest.mock import Mock, patch

import pytest
from counting import counting, memory_below

from subword_lab import (
    Tokenizer,
    cli,
    files,
    interchange,
    lattice,
    normalization,
    postprocessing,
    preparation,
    text,
    wordpiece,
    working_copy,
)
from subword_lab import parts as subword_parts
from subword_lab import tokenizer as subword_tokenizer
from subword_lab.bpe import BPEModel
from subword_lab.exercises import Instance, Rng, classroom, load, load_file, own, progress
from subword_lab.normalization import ONE_SPACE, CharMap, Prepend, Replace, apply, trace
from subword_lab.parts import Joins, Parts
from subword_lab.postprocessing import Piece
from subword_lab.unigram import UnigramModel
from subword_lab.wordpiece import WordPieceModel


@pytest.mark.parametrize(
    "steps",
    [
        [Replace("a", "aa")] * 40,
        [Prepend("b" * 32)] * 70,
        [Replace("a", "b" * 32), *[Replace("b", "c"), Replace("c", "b")] * 70],
    ],
)
@pytest.mark.parametrize("normalized", [apply, trace])
def test_a_text_that_grows_without_end_is_refused(steps, normalized):
    with pytest.raises(ValueError, match=r"normalization makes? .* characters of 1;"):
        normalized("a", steps)


@pytest.mark.parametrize("normalized", [apply, trace])
def test_a_long_text_may_become_four_times_as_long_and_some_more(normalized, monkeypatch):
    monkeypatch.setattr(normalization, "MOST_MORE", 1_000)
    assert len(normalized("a" * 1_000, [Replace("a", "bbbbb")])[0])
    with pytest.raises(ValueError, match=r"makes more than 5,000 characters of 1,000;"):
        normalized("a" * 1_000, [Replace("a", "bbbbbb")])


@pytest.mark.parametrize("normalized", [apply, trace])
def test_what_grows_most_by_unicode_goes_through_all_steps_of_a_well_known_tokenizer(normalized):
    steps = [
        Replace("``", '"'),
        Replace("''", '"'),
        "nfkd",
        "strip-accents",
        "lowercase",
        ONE_SPACE,
    ]
    new = normalized("ﷺ" * 500, steps)
    assert len(new if isinstance(new, str) else new[0]) == 9_000


def test_tokens_that_too_many_merges_make_are_refused(monkeypatch):
    monkeypatch.setattr(subword_parts, "MOST_JOINED", 100)
    assert len(Joins(dict.fromkeys(["a", "aa", "aaa"], 0))) == 3
    with pytest.raises(ValueError, match="can be made by more than 4 merges"):
        len(Joins(dict.fromkeys(["a", "aa", "aaa", "aaaa"], 0)))


NODES = [0] * 98 + [1 << 10 | 1 << 8 | 98, 0]  # of a trie with one entry, "b" (98)
B_BECOMES_MORE = CharMap(struct.pack("<I100I", 400, *NODES) + b"c" * 32 + b"\0")


@pytest.mark.parametrize("second", [Replace("b", "c" * 32), "nfkc", B_BECOMES_MORE])
@pytest.mark.parametrize("normalized", [apply, trace])
def test_what_a_text_grows_to_is_known_before_it_takes_memory(normalized, second):
    new = "\ufdfa" if second == "nfkc" else "b"
    refused = pytest.raises(ValueError, match=r"makes more than 33,024 characters of 1,000;")
    with memory_below(1_000_000), refused:
        normalized("a" * 1_000, [Replace("a", new * 32), second])


def test_an_entry_that_goes_round_in_a_circle_ends_where_no_text_goes_on(monkeypatch):
    monkeypatch.setattr(normalization, "MOST_NODES", 1_000)
    units = [0] * 256
    units[0x80] = 0x80 << 10 | 0x80  # behind this byte, which begins no character, comes itself
    table = CharMap(struct.pack("<257I", 1024, *units) + b"x\0")
    assert table("a\u0100") == "a\u0100"


def test_a_table_that_is_gone_along_at_each_place_of_a_text_is_refused(monkeypatch):
    monkeypatch.setattr(normalization, "MOST_STEPS", 4)
    units = [0] * 256
    units[97] = 97 << 10 | 97  # behind "a" comes itself, over and over
    table = CharMap(struct.pack("<257I", 1024, *units) + b"x\0")
    assert table("aaab" * 9) == "aaab" * 9
    with pytest.raises(ValueError, match="takes more than 20,000 steps for 4,000 characters"):
        table(("a" * 15 + "b") * 250)


def test_a_trie_whose_last_level_is_the_widest_is_refused(monkeypatch):
    monkeypatch.setattr(normalization, "MOST_NODES", 1_000)
    units = [256 << 10] + [0] * 2_559  # a block for each byte of an entry, behind that of the root
    for level, width in enumerate([1, 1, 1, 1, 1, 1, 30, 127]):
        for byte in range(0x80, 0x80 + width):
            here, after = 256 * (level + 1) ^ byte, 256 * (level + 2)
            units[here] = (here ^ after) << 10 | byte
    with pytest.raises(ValueError, match="has a trie without an end"):
        CharMap(struct.pack("<2561I", 10_240, *units) + b"x\0")("a")


def test_an_entry_of_more_characters_than_any_has_is_refused_where_a_text_goes_along_it():
    units = [0] * 256
    units[97] = 97 << 10 | 97  # behind "a" comes itself, over and over
    table = CharMap(struct.pack("<257I", 1024, *units) + b"x\0")
    assert table("a" * 16) == "a" * 16
    with pytest.raises(ValueError, match="an entry that begins with 'aaaaaaaaaaaaaaaa'; expected"):
        table("a" * 17)


def test_a_run_of_unknown_characters_is_not_copied_for_each_of_them(monkeypatch):
    made = list[Piece]()

    def make(values):
        made.append(Piece(*values))
        return made[-1]

    monkeypatch.setattr(Piece, "_make", staticmethod(make))
    parts = Parts(BPEModel(["a"], []), {"a": 0, "?": 1}, unknown="?", fuse_unknown=True)
    assert Tokenizer(parts).encode("猫" * 1_000).ids == [1]
    assert sum(len(piece.token) for piece in made) <= 1_000


@pytest.mark.parametrize(
    "step",
    [
        lambda: Replace("a", "a" * 100_000),
        lambda: Replace(r"\s+", "x" * 100_000, pattern=True),
        lambda: Prepend("a" * 100_000),
        lambda: CharMap(b"\4\0\0\0" + bytes(4) + b"a" * 100_000 + b"\0"),
    ],
)
def test_no_step_puts_in_more_than_any_tokenizer_needs(step):
    with pytest.raises(ValueError, match="normalization puts 100,000 characters"):
        step()


def model(kind, **parts):
    """A file of the tokenizers library with a model of this kind."""
    return json.dumps({"model": {"type": kind, **parts}})


def scored(score):
    return model("Unigram", vocab=[["?", 0], ["a", score]], unk_id=0)


NAMES = [f'"{number}": 0' for number in range(400_000)]
LONG = {"[UNK]": 0, "a": 1, "b" * 1_001: 2}
ONE = {"vocab": {"?": 0}, "merges": [], "unk_token": "?"}
TOO_LONG = "token 2, 'b.*, has 1,001 characters"
OF_A_MARK = "has 5,000 characters; expected at most 100"
OF_A_SCORE = r"expected a token and a score up to 1e\+100"


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("a.json", "[" * 100_000, "nested too deep"),
        ("a.json", "{}", "model is None"),
        ("a.json", '{"a": 1, "a": 2}', "'a' stands twice in one object"),
        ("a.json", "{" + ", ".join([*NAMES, NAMES[-1]]) + "}", "'399999' stands twice"),
        ("a.json", scored(-(10**400)), rf"vocab holds \['a', -10+\.{{3}}; {OF_A_SCORE}"),
        ("a.json", scored(-1e308), rf"vocab holds \['a', -1e\+308\]; {OF_A_SCORE}"),
        ("a.json", scored(math.nan), "it is no JSON: it holds NaN"),
        ("a.json", scored(-math.inf), "it is no JSON: it holds -Infinity"),
        (
            "a.json",
            model("BPE", **ONE, end_of_word_suffix="#" * 5_000),
            f"end_of_word_suffix {OF_A_MARK}",
        ),
        (
            "a.json",
            model("WordPiece", **ONE, continuing_subword_prefix="#" * 5_000),
            f"continuing_subword_prefix {OF_A_MARK}",
        ),
        (
            "a.json",
            model("WordPiece", vocab=LONG, unk_token="[UNK]", max_input_chars_per_word=10**9),
            TOO_LONG,
        ),
        ("a.json", model("Unigram", vocab=[[each, 0.0] for each in LONG], unk_id=0), TOO_LONG),
        ("vocab.txt", "\n".join(LONG), TOO_LONG),
        ("vocab.txt", "[UNK]\na\na\n", "'a' stands in it twice"),
        ("vocab.txt", "a\nb\n", r"there is no \[UNK\] in it"),
        (
            "vocab.txt",
            "\n".join(["[UNK]", *("x" * length for length in range(1, 400))]),
            "the tokens have 399 lengths, 79,800 characters",
        ),
        ("r.tiktoken", "aA== 0\naA== 1\n", "line 2 gives the token b'h' a second rank"),
        ("r.tiktoken", "aA== 0\n", "255 of the 256 bytes have no rank"),
        ("r.tiktoken", "aA== x\n", "line 1 is b'aA== x'; expected a token as base64, and its rank"),
        ("m.model", b"\x0a\xff\xff\x03abc", "says it has 65535 bytes, of which 3 are there"),
        ("m.model", b"", "expected normal pieces and exactly one for the unknown"),
        ("m.model", b"\x08", "it ends in the middle of a number"),
        # Of fields that no model has, and refused before all are read.
        ("m.model", b"\x20\x01" * 1_001 + b"\xff", "more than 1,000 parts that are not known here"),
        ("m.model", b"\x0a\x2b\x0a\x01a" + b"\x20\x01" * 20 + b"\xff", "more than 20 fields"),
        ("m.model", b"\x12\x00" * 2 + b"\xff", "more than 1 parts of field 2"),
        ("m.model", b"\x0a\x00" * 1_001 + b"\xff", "a piece of the model is empty"),
        (
            "m.model",
            b"\x0a\x0a\x0a\x01?\x15\0\0\0\0\x18\x02\x0a\x03\x0a\x01a\x0a\xec\x07\x0a\xe9\x07"
            + b"b" * 1_001,
            TOO_LONG,
        ),
    ],
)
def test_a_file_that_is_damaged_or_made_to_do_harm_is_named(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=rf"^{re.escape(str(tmp_path / name))}: .*{message}"):
        READERS[name](tmp_path / name)


READERS = {
    "a.json": Tokenizer.load,
    "vocab.txt": Tokenizer.from_wordpiece_vocab,
    "r.tiktoken": Tokenizer.from_tiktoken,
    "m.model": Tokenizer.from_sentencepiece,
}


def test_merges_without_end_are_refused():
    with pytest.raises(ValueError, match="at each of which a merge may lie"):
        Joins({f"{number:040}": number for number in range(110_000)})


def test_progress_without_end_is_not_imported(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 100)
    (tmp_path / "endless.jsonl").write_text("\n" * 101)
    with pytest.raises(progress.ProgressError, match="it has more than"):
        progress.import_(tmp_path / "endless.jsonl")


def test_the_best_way_through_a_long_word_keeps_no_list_of_all_roads():
    model = UnigramModel({"a" * length: float(length) for length in range(1, 101)})
    with memory_below(2_000_000):
        lattice.viterbi("a" * 1_000, model)


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        '{"exercises": [1]}',
        '{"exercises": ["%s.py"]}' % ("\u1000" * 90),
        r'{"learner": "\ud800"}',
        '{"seed": 1%s}' % ("0" * 18),
        pytest.param(" " * classroom.LARGEST_FILE + "{}", id="endless"),
    ],
)
def test_settings_of_a_class_that_cannot_be_are_a_valueerror(content, tmp_path, monkeypatch):
    (tmp_path / classroom.FILE).write_text(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"subword-lab-class\.json|at most 18 digits"):
        load("bpe-01")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_a_pipe_in_place_of_settings_is_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / classroom.FILE)
    monkeypatch.chdir(tmp_path)
    writer = os.open(tmp_path / classroom.FILE, os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, b'{"seed": 5}')
    try:
        assert classroom.settings().seed == 0
    finally:
        os.close(writer)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
@pytest.mark.parametrize(
    "name, read, message",
    [
        ("progress.jsonl", lambda folder: progress.Progress(folder).events(), "it is not a file"),
        ("questions.json", lambda folder: load_file(folder / "questions.json"), "there is no file"),
        ("tokenizer.json", Tokenizer.load, "is no file"),
    ],
)
def test_a_pipe_in_place_of_a_file_is_not_waited_for(name, read, message, tmp_path):
    os.mkfifo(tmp_path / name)
    with pytest.raises((ValueError, progress.ProgressError), match=message):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_a_pipe_beside_a_strangers_tokenizer_is_not_read(tmp_path):
    Tokenizer.train(["hug pug"], vocab_size=300).save(tmp_path / "tokenizer.json")
    os.mkfifo(tmp_path / "tokenizer_config.json")
    assert Tokenizer.load(tmp_path).vocab_size <= 300


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"digits": 10**9}},
        {"settings": {"significant": -1}},
        {"points": "1"},
        {"points": 10**400},
        {"title": {"a": 1}},
        {"kind": "Choice", "listed": ["a", None]},
        {"hints": [5]},
    ],
)
def test_questions_that_nobody_asks_are_refused(change, tmp_path):
    row = {"id": "own-01", "title": "T", "points": 1, "kind": "Number", "settings": {}}
    row |= {"text": "How many?", "listed": [], "hints": []}
    path = tmp_path / "own.json"
    path.write_text(json.dumps([row]))
    assert load(load_file(path)[0]).check(5).outcome == "received"
    path.write_text(json.dumps([row | change]))
    with pytest.raises(ValueError, match="holds something else than texts"):
        load_file(path)


def test_one_long_piece_of_unigram_is_not_looked_for_in_every_length():
    Word = counting(str, "__getitem__")
    lattice.viterbi(Word("a" * 2_000), UnigramModel({"a": 1.0, "b" * 1_000: 2.0}))
    assert Word.calls < 2_000 * 4


def test_a_word_of_any_length_is_cut_with_few_look_ups_at_each_place():
    Word = counting(str, "__getitem__")
    model = WordPieceModel(["a", "##a", "##" + "a" * 50 + "b"])
    wordpiece.encode_word(Word("a" * 2_000), model, max_chars=10**9)
    assert Word.calls < 2_000 * 60


def added(*tokens, **flags):
    rows = [{"id": id, "content": token, **flags} for id, token in enumerate(tokens, 3)]
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, " ": 2}, "merges": []}
    return interchange.from_json({"model": model, "added_tokens": rows, "normalizer": NFC})


NFC = {"type": "NFC"}


def test_ids_that_stand_for_far_too_long_a_text_are_refused(monkeypatch):
    monkeypatch.setattr(subword_tokenizer, "MOST_DECODED", 10_000)
    long = "a" * 1_001
    for spelling in {"decoder": "bytes", "spelling": "bytes"}, {}:
        tokenizer = Tokenizer(Parts(BPEModel([long], []), {long: 0}, **spelling))
        assert tokenizer.decode([0, 0]).replace(" ", "") == long * 2
        with pytest.raises(
            ValueError, match=r"stand for 10,010 characters; expected at most 10,000"
        ):
            tokenizer.decode([0] * 10)


def test_long_words_are_not_remembered_without_end(monkeypatch):
    monkeypatch.setattr(subword_tokenizer, "ROOM", 100)
    tokenizer = Tokenizer(Parts(BPEModel(["a", "b"], []), {"a": 0, "b": 1}))
    for number in range(9):
        assert tokenizer.encode("a" * 30 + "b" * number).ids == [0] * 30 + [1] * number
        assert tokenizer._ids_of_word.cache_info().currsize <= 4


def test_a_long_token_is_trimmed_once(monkeypatch):
    seen = []
    monkeypatch.setattr(postprocessing, "is_space", lambda char: seen.append(char) or char == " ")
    long = " " + "never seen before" * 10
    row = postprocessing.trimmed([Piece(long, 0, place, place + 1) for place in range(9)], False)
    assert [(piece.start, piece.end) for piece in row] == [(place, place) for place in range(1, 10)]
    assert len(seen) == len(long)


def test_white_space_that_many_tokens_take_in_is_refused():
    parts = Parts(
        BPEModel(["a"], []), {"a": 0, "  ": 1, "\t": 2}, added_tokens=("  ", "\t"), rstrip=("  ",)
    )
    tokenizer = Tokenizer(parts)
    assert tokenizer.encode("a  \t" * 500).ids == [0, 1, 2] * 500
    with pytest.raises(ValueError, match="tokens of the text take in the same white space"):
        tokenizer.encode("  \t" * 500)


@pytest.mark.parametrize("flag", ["normalized", "lstrip", "rstrip", "single_word", "special"])
def test_that_tokens_are_many_costs_each_of_them_nothing(flag):
    """Each was looked for among all the others, when they were normalized, cut out of a text, or written."""
    Token = counting(str, "__eq__")
    tokens = [Token(f"<{number}>") for number in range(1_000)]
    parts = added(*tokens, **{flag: True})
    tokenizer, Token.calls = Tokenizer(parts), 0
    tokenizer.encode(" a ".join(tokens[-50:]), allowed_special="all")
    interchange.to_json(parts)
    assert Token.calls < 20_000


@pytest.mark.parametrize(
    "config, message",
    [
        (r'{"chat_template": "\ud800"}', "surrogates not allowed"),
        (r'{"x": NaN}', "it holds NaN, which is no number"),
        (r'{"x": [Infinity]}', "it holds Infinity, which is no number"),
        (r'{"chat_template": "\ud83e\udd17 \\ud800"}', ""),
        (r'{"x": 1e999}', "not JSON compliant"),
    ],
)
def test_what_cannot_be_written_again_is_refused_before_anything_is_written(
    config, message, tmp_path
):
    tokenizer = Tokenizer.train(["hug"], vocab_size=257)
    tokenizer.save(tmp_path)
    before = (tmp_path / "tokenizer.json").read_text()
    (tmp_path / "tokenizer_config.json").write_text(config)
    with pytest.raises(ValueError, match=message) if message else nullcontext():
        Tokenizer.load(tmp_path).add_tokens(["NEW"]).save(tmp_path)
    changed = (tmp_path / "tokenizer.json").read_text() != before
    assert changed == (not message)


def test_tokens_that_take_far_too_long_to_look_for_are_refused(monkeypatch):
    """Also those that were short in the file."""
    monkeypatch.setattr(normalization, "LONGEST_TOKEN", 100)
    rows = [{"content": "a" * 20, "id": 3, "normalized": True}]
    grows = {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 6}
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, " ": 2}, "merges": []}
    tokenizer = Tokenizer(interchange.from_json({"model": model, "added_tokens": rows}))
    assert tokenizer.encode("a" * 20).ids == [3]
    file = {"model": model, "added_tokens": rows, "normalizer": grows}
    with pytest.raises(ValueError, match="never split has 120 characters; expected at most 100"):
        Tokenizer(interchange.from_json(file)).encode("b")


def test_special_tokens_are_not_gone_through_for_each_id():
    parts = Tokenizer.train(["hug pug"], "unigram", 15).parts
    Row = counting(tuple, "__iter__")
    tokenizer = Tokenizer(replace(parts, special_tokens=Row(parts.special_tokens)))
    Row.calls = 0
    ids = tokenizer.encode("hug pug", add_special_tokens=False).ids
    assert tokenizer.decode_batch([ids] * 50) == ["hug pug"] * 50
    assert "".join(tokenizer.decode_stream(ids * 10))
    assert Row.calls < 9


def test_a_word_of_many_roads_is_drawn_without_keeping_them():
    losses = lattice.Losses({"a" * length: 1.0 * length for length in range(1, 100)})
    with memory_below(1_000_000):
        tokens = lattice.sample("a" * 600, losses, random.Random(1))
        ((best, _),) = lattice.n_best("a" * 600, losses, 1)
    assert "".join(tokens) == "".join(best) == "a" * 600


@pytest.mark.parametrize("pattern", ["aaa{marks}", "{letters}!"])
def test_tokens_that_begin_with_each_other_are_passed_over_many_at_a_time(pattern):
    tokens = [pattern.format(marks="!" * size, letters="a" * size) for size in range(1, 900)]
    finder = normalization.TokenFinder(tokens)
    finder._tokens = counting(list, "__getitem__")(finder._tokens)
    string = "a" * 1_000 + "a!!b"
    assert [*finder.spans(string)][-1][1] in (1_002, 1_003)
    assert finder._tokens.calls < 60 * len(string)


def test_words_are_not_looked_for_among_all_pieces_that_a_model_keeps():
    Token = counting(str, "__eq__")
    kept = tuple(Token(f"<{number}>") for number in range(1_000))
    ids = {token: id for id, token in enumerate(["a", "b", *kept])}
    parts = Parts(BPEModel(["a", "b", *kept], []), ids, kept_tokens=kept, whole_words=True)
    tokenizer, Token.calls = Tokenizer(parts), 0
    tokenizer.encode("ab" * 50 + "<999>", disallowed_special=())
    assert Token.calls < 1_000


def test_white_space_that_a_token_takes_in_is_gone_through_once(monkeypatch):
    seen = []
    monkeypatch.setattr(preparation, "is_space", lambda char: seen.append(char) or char == " ")
    tokenizer = Tokenizer(added("  ", lstrip=True, rstrip=True))
    assert len(tokenizer.encode("a" + " " * 400 + "b").ids) == 3  # as in the tokenizers library
    assert len(seen) < 2_000


def test_the_name_of_a_file_tells_the_terminal_nothing(tmp_path, capsys):
    assert cli.main(["encode", "--tokenizer", str(tmp_path / "\x1b[31m\u202eno\x9b.json")]) == 1
    said = capsys.readouterr().err
    assert r"\x1b[31m\u202eno\x9b.json: No such file" in said and said[:-1].isprintable()


def test_too_little_memory_is_said(tmp_path, monkeypatch, capsys):
    def full(path):
        raise MemoryError

    monkeypatch.setattr("subword_lab.interchange.tokenizers_json.read_bytes", full)
    assert cli.main(["encode", "--tokenizer", str(tmp_path / "a.json")]) == 1
    assert capsys.readouterr().err == "subword-lab: there is not enough memory for this\n"


OWN = """
from hypothesis import strategies as st
from subword_lab.exercises import Choice, Lines, Mistake, Ordering, Question, exercise

wrong = [Mistake(part, part, "Look again.") for part in "abcd"]
choice = exercise("own-01", "", Choice())(lambda rng: Question("?", "right", wrong, [], ""))
items = ["third", "first", "second", "last"]
order = exercise("own-02", "", Ordering())(
    lambda rng: Question("?", items, [], [], "", listed=rng.shuffle(items))
)

@exercise("own-03", "", Lines())
class Twice:
    '''Write `twice(n)`.'''
    hints, cases, orders = (), [(1,)], ()
    def twice(n):
        m = n
        m = m + n
        o = m
        return o
    def inputs():
        return st.tuples(st.integers(0, 9))
"""


@pytest.mark.parametrize("id", ["own-01", "own-02", "own-03"])
def test_the_order_of_what_is_listed_says_nothing_about_the_answer(id, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    asked = {one.id: one for one in own.read(tmp_path / "own.py")}[id]
    instances = [Instance(asked, seed) for seed in range(30)]
    assert all(ex.listed != ex.asked.answer for ex in instances), "the answer itself"
    for key in ("options/{}", "{}"):
        places = [Rng(key.format(ex.key)).shuffle(range(len(ex.listed))) for ex in instances]
        found = [[ex.listed[at.index(n)] for n in sorted(at)] for ex, at in zip(instances, places)]
        answers = [one[:1] if id == "own-01" else one for one in found]
        right = [[ex.asked.answer] if id == "own-01" else ex.asked.answer for ex in instances]
        assert sum(map(list.__eq__, answers, right)) < 20


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_marks_without_end_are_put_in_order_in_little_time(form, monkeypatch):
    marks = random.Random(7).choices("\u0300\u0323\u0f73\u0344\uff9e\u3099\u00b4 \u0334-", k=3_000)
    string = "é" + "".join(marks) + "か" + "ﾞ\u0323" * 600
    new = text.unicode_form(form, string)
    assert new == unicodedata.normalize(form, string) == trace(string, [form.lower()])[0]
    monkeypatch.setattr(text, "unicodedata", asked := Mock(wraps=unicodedata))
    text.unicode_form(form, "a" + "\u0300\u0323" * 600)
    assert asked.normalize.call_args.args[1] == "a" + "\u0323" * 600 + "\u0300" * 600


def test_lines_that_are_padded_are_taken_one_at_a_time(tmp_path, monkeypatch):
    tokenizer = Tokenizer.train(["hug"], vocab_size=260).with_roles(pad_token="<|endoftext|>")
    tokenizer.save(path := tmp_path / "tokenizer.json")
    how = {"strategy": {"Fixed": 4}, "direction": "Right", "pad_to_multiple_of": None}
    pad = {"pad_id": 256, "pad_type_id": 0, "pad_token": "<|endoftext|>"}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"padding": {**how, **pad}}))
    (tmp_path / "a.txt").write_text("a\nb\nc\n")
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO()))
    array = Tokenizer.encode_array
    with patch.object(Tokenizer, "encode_array", autospec=True, side_effect=array) as taken:
        assert cli.main(["encode", "--tokenizer", str(path), str(tmp_path / "a.txt")]) == 0
    assert [len(call.args[1]) for call in taken.mock_calls] == [1, 1, 1]


@pytest.mark.parametrize("pattern", [r"\s+\z", r"\A\s+|\s+\z"])
def test_spaces_without_end_are_stripped_in_little_time(pattern):
    step, spaces = Replace(pattern, "", pattern=True), " " * 1_000_000
    assert step("a" + spaces + "b" + spaces) == "a" + spaces + "b"


def test_answers_beside_a_word_without_end_are_found_in_little_time():
    sources = ["a" * 1_000_000, 'ex = load("bpe-01")\nex.check(5)']
    cells = [{"cell_type": "code", "source": source} for source in sources]
    found = working_copy._answers({"cells": cells})
    assert found == {"bpe-01": 'bpe_01 = load("bpe-01")\nbpe_01.check(5)'}


@pytest.mark.parametrize("text", ['"' + '\\"' * 300_000, '"""' * 99_999, "'" * 300_001])
def test_texts_without_end_are_passed_over_in_little_time(text):
    assert working_copy._renamed(f"t.x{text}\nt", "t", "u").startswith("u.x")


def test_a_cell_that_answers_very_often_is_searched_once():
    sources = ['ex = load("bpe-01")\n' + "ex.check(5)\n" * 500]
    with patch.object(re, "sub", wraps=re.sub) as replaced:
        found = working_copy._answers({"cells": [{"cell_type": "code", "source": sources}]})
    assert [*found] == ["bpe-01"] and replaced.call_count == 1
    sources = [f'e{n} = load("x-{n}")\ne{n}.check(5)\n' for n in range(101)] + ["#\n" * 20_000]
    with pytest.raises(ValueError, match="its answers have more than 4,000,000 characters"):
        working_copy._answers({"cells": [{"cell_type": "code", "source": sources}]})


def test_an_own_copy_is_not_kept_through_a_link_that_leads_nowhere(tmp_path):
    originals, folder, blank = tmp_path / "originals", tmp_path / "mine", json.dumps({"cells": []})
    for place in (originals, folder):
        place.mkdir()
        (place / "a.ipynb").write_text(blank)
    (folder / "a.old-1.ipynb").symlink_to(tmp_path / "elsewhere")
    assert working_copy.take_over(originals, folder, "a.ipynb")[0].name == "a.old-2.ipynb"
    assert not (tmp_path / "elsewhere").exists()


def test_of_a_strangers_folder_only_so_much_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(working_copy, "LARGEST", 100)
    monkeypatch.setattr(files, "LARGEST", 100)
    monkeypatch.setattr(classroom, "LARGEST_FILE", 100)
    (tmp_path / classroom.FILE).write_text(" " * 100 + '{"cards": false}')
    with pytest.raises(ValueError, match="is damaged"):
        classroom.is_handed_out(tmp_path)
    record = {"files": {"a": {"file": "x", "cells": "y"}}}
    (tmp_path / working_copy.RECORD).write_text(" " * 100 + json.dumps(record))
    assert working_copy._read_record(tmp_path) == {}
    prints = set()
    for size in (101, 200):
        (tmp_path / "a").write_text(" " * size)
        prints.add(working_copy._fingerprint(tmp_path / "a")["file"])
    assert len(prints) == 1
