"""No text takes much longer than others of its length: steps are counted, for one word, one line, one character."""

import heapq
import io
import re
from functools import partial
from random import Random
from unittest import mock

import pytest
from counting import counting
from hypothesis import given
from hypothesis import strategies as st

from subword_lab import Tokenizer, bpe, pieces, streaming
from subword_lab.normalization import TokenFinder
from subword_lab.structures import merging, pair_index

random = Random(0)
LETTERS = "".join(random.choices("abcdefXYZ0189+/", k=600))
TEXTS = {
    "one letter": "x" * 600,
    "capitals": "X" * 600,
    "one sign": "字" * 600,
    "signs and capitals": "字X" * 300,
    "marks and capitals": "\u0301X" * 300,
    "base64": LETTERS,
    "code": "if(a){b=c;}else{d();}" * 30,
    "blanks": " " * 600,
    "line ends": "\n \r" * 200,
    "quotes": "'s'S" * 150,
    "many scripts": "aжが字ก؋1²\u3000" * 70,
}


class Searched(bytes):
    """Bytes that say how many of them a search went through."""

    steps = 0

    def rfind(self, part, start=0, end=None):
        end = len(self) if end is None else end
        found = super().rfind(part, start, end)
        self.steps += end - max(found, 0)
        return found


@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_a_long_line_is_searched_once_for_a_border(string):
    data = Searched(string.encode() * 5)
    streaming._border(data)
    assert 0 < data.steps <= 2 * len(data)


class Slow(io.BytesIO):
    """A file of which a few bytes come at a time, as through a pipe."""

    def read1(self, size=-1):
        return super().read1(min(size, 7))


@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_a_long_line_is_cut_at_the_same_places_however_fast_it_comes(string, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST_LINE", 100)
    data = f"{string}\n\n{string} {string}".encode()
    parts = [*streaming.lines(io.BytesIO(data), "file")]
    assert parts == [*streaming.lines(Slow(data), "pipe")] and "".join(parts).encode() == data


@given(st.lists(st.text("ab<|", min_size=1, max_size=6), min_size=1), st.text("ab<|"))
def test_of_hundreds_of_tokens_the_longest_is_found(tokens, string):
    longest_first = "|".join(map(re.escape, sorted(tokens, key=len, reverse=True)))
    assert [*TokenFinder({*tokens}).spans(string)] == [
        match.span() for match in re.finditer(longest_first, string)
    ]


@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_a_long_word_is_merged_in_steps_of_its_length(string):
    ranks = counting(dict, "__contains__")(bpe.train({string: 1}, num_merges=30).ranks)
    merging.merge_by_rank(string * 4, ranks)
    assert ranks.calls <= 4 * len(string) * 4


@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_training_touches_what_a_merge_changes_and_not_the_whole_of_a_long_word(string):
    symbols = random.sample(string, len(string))
    with mock.patch.object(heapq, "heappush", wraps=heapq.heappush) as push:
        queue = pair_index.PairQueue([symbols], [1])
        for _ in range(30):
            if pair := queue.pop():
                queue.merge(pair, "".join(pair))
    merged = len(symbols) - len(queue.words()[0])
    assert push.call_count <= len({*zip(symbols, symbols[1:])}) + 6 * merged + 60


def test_rules_are_asked_once_for_each_piece():
    lines = ["".join(Random(seed).choices("日本語の文章です、", k=200)) for seed in range(5)]
    allow = pieces.Rules.allow
    with mock.patch.object(pieces.Rules, "allow", autospec=True, side_effect=allow) as asked:
        Tokenizer.train(lines, "bpe", 300, rules=pieces.Rules())
    assert asked.call_count == len({call.args[1] for call in asked.call_args_list}) > 0


# -------------------------------------------------------------------------------------------------- the compiled engine


@pytest.fixture
def interpreted(monkeypatch):
    """The compiled functions of a module as plain Python, with calls of some of them counted."""

    def take(module, *names):
        calls = []
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)

        def counted(function, *arguments):
            calls.append(1)
            return function(*arguments)

        for name in names:
            monkeypatch.setattr(module, name, partial(counted, getattr(module, name)))
        return calls

    return take


@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_the_scan_for_words_looks_at_a_character_a_few_times(interpreted, string):
    np = pytest.importorskip("numpy")
    byte_words = pytest.importorskip("subword_lab_fast.byte_words")
    calls = interpreted(byte_words, "kind_at")
    data = np.frombuffer(string.encode() + b"\xff" + bytes(24), np.uint8)
    size = len(data) - 24
    for scheme, name in enumerate(byte_words.SCHEMES):
        classes = byte_words.char_classes(name)
        calls.clear()
        byte_words.find_words(data, size, scheme, classes, *np.empty((2, size), np.int32))
        assert len(calls) <= 10 * (len(string) + 1)


@pytest.mark.filterwarnings("ignore:overflow")  # of a hash, which compiled code lets pass
@pytest.mark.parametrize("string", TEXTS.values(), ids=TEXTS)
def test_a_long_word_is_merged_in_steps_of_its_length_by_the_engine(interpreted, string):
    np = pytest.importorskip("numpy")
    byte_ids = pytest.importorskip("subword_lab_fast.byte_ids")
    salt = pytest.importorskip("subword_lab_fast.word_table").SALT
    model = bpe.train({string: 1}, num_merges=30)
    rows = [(model.ids[a], model.ids[b], model.ids[a + b]) for a, b in model.merges]
    left, right, tokens = np.array(rows, np.int32).T.copy()
    ids = np.array([model.ids[char] for char in string * 2], np.int32)
    expected = [model.ids[token] for token in merging.merge_by_rank(string * 2, model.ranks)]
    calls = interpreted(byte_ids, "rank_of", "heappush")
    ranks = byte_ids.table_of_merges(left, right, salt)
    ranks_at = np.array([*map(byte_ids.rank_of, ids, ids[1:], [ranks] * len(ids)), 0])
    calls.clear()
    count = byte_ids.merge_long(ids, 0, len(ids), ranks, tokens, ranks_at)
    assert ids[:count].tolist() == expected and len(calls) <= 8 * len(string)
