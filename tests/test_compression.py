"""The compressor of 1994: what can be chosen, every text, all bytes, and that work grows with the text alone."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subword_lab import compression, text
from subword_lab.compression import (
    compress,
    compress_blocks,
    compress_steps,
    decompress,
)
from subword_lab.structures.pair_index import FilteredQueue

TEXT = "aaabdaaabac"

few_symbols = st.one_of(st.text("aab", max_size=40), st.text("abcZé🤗", max_size=40))
data = st.one_of(st.text(), few_symbols, st.binary(), few_symbols.map(str.encode))
options = st.fixed_dictionaries(
    {
        "recursive": st.booleans(),
        "counting": st.sampled_from(compression.COUNTING),
        "ties": st.sampled_from(
            [*compression.TIES, lambda pair: pair[::-1], lambda pair: pair[1:]]
        ),
        "min_count": st.integers(2, 4),
        "num_rules": st.none() | st.integers(0, 5),
    }
)


def test_ties():
    assert compress(TEXT).steps[1].tied == ["Za"]
    tables = {ties: "".join(compress(TEXT, ties=ties).table.values()) for ties in compression.TIES}
    assert tables == {"literal-first": "aaabZY", "first-seen": "aaZaYb", "greatest": "aaabZY"}
    assert compress(TEXT, ties=lambda pair: pair[::-1]).table["Y"] == "Za"


@pytest.mark.parametrize(
    "string, options, data, stopped",
    [
        (TEXT, {"recursive": False}, "ZYdZYac", "no pair repeats"),
        ("abababab", {}, "YY", "no pair repeats"),
        ("abababab", {"recursive": False}, "ZZZZ", "no pair repeats"),
        ("aaab", {}, "Zab", "no pair repeats"),  # counted twice, and replaced once
        ("aaab", {"counting": "non-overlapping"}, "aaab", "no pair repeats"),
        (TEXT, {"num_rules": 0}, TEXT, ""),
        (TEXT, {"num_rules": 1}, "ZabdZabac", ""),
        (TEXT, {"num_rules": 9}, "XdXac", "no pair repeats"),
        (TEXT, {"min_count": 3}, "ZabdZabac", "no pair occurs 3 times"),
    ],
)
def test_what_can_be_chosen(string, options, data, stopped):
    compressed = compress(string, **options)
    assert (compressed.data, compressed.stopped) == (data, stopped)


def test_only_the_reverse_order_leads_back():
    orders = itertools.permutations(compress(TEXT).table.items())
    assert [order for order in orders if compression.undo("XdXac", order) == TEXT] == [
        (("X", "ZY"), ("Z", "aa"), ("Y", "ab")),
        (("X", "ZY"), ("Y", "ab"), ("Z", "aa")),
    ]


# -------------------------------------------------------------------------------------------------- any text, any bytes


@given(data, options)
@example("", {})
@example(b"", {})
@example("🤗🤗🤗\U0010ffff\U0010ffff", {})
@example("\ue000\ue001" * 5, {})
@example(bytes(range(256)) * 3, {})
@example(bytes(range(255)) * 3, {})
def test_round_trip(data, options):
    assert decompress(compress(data, **options)) == data


@given(data, options)
@example(bytes(range(254)) * 4, {})
@example("aaaaaaaaabaaaa", {"counting": "non-overlapping"})
def test_fast_equals_step_by_step(data, options):
    steps, compressed = list(compress_steps(data, **options)), compress(data, **options)
    assert compressed.table == (steps[-1].table if steps else {})
    assert list(compressed.table) == [step.symbol for step in steps]
    assert compressed.data == (steps[-1].data if steps else data)
    assert compressed.lengths == [len(data), *(len(step.data) for step in steps)]
    assert compressed.sizes == [len(data), *(step.size for step in steps)]
    assert compressed.steps == steps


@given(data, options)
@example("abcdabcd", {})
def test_steps_say_what_they_did(data, options):
    options["ties"] = "first-seen"
    for number, step in enumerate(compress_steps(data, **options), start=1):
        assert step.number == number == len(step.table)
        assert step.count == step.pair_freqs[step.pair] == max(step.pair_freqs.values())
        assert [pair for pair, freq in step.pair_freqs.items() if freq == step.count] == [
            step.pair,
            *step.tied,
        ]
        assert len(data) - len(step.data) == step.replaced <= step.count
        assert step.symbol not in data
        data = step.data


@given(data)
def test_every_rule_pays_that_replaces_four(data):
    sizes = compress(data, counting="non-overlapping", min_count=4).sizes
    assert sizes == sorted(set(sizes), reverse=True)


def test_order_of_symbols():
    capitals = "ZYXWVUTSRQPONMLKJIHGFEDCBA"
    symbols = "".join(itertools.islice(compression.unused_symbols("ab"), 240))
    assert symbols.startswith(capitals + capitals.lower()[:-2] + "①②③")
    assert symbols[207:213] == "⓽⓾⓿\ue000\ue001\ue002"
    letters = (capitals + capitals.lower()[:-2]).encode()
    assert b"".join(compression.unused_symbols(b"ab")).startswith(letters + b"\xff\xfe")


# -------------------------------------------------------------------------------------------- all 256 bytes, and blocks


@pytest.mark.parametrize("count, length, rules", [(256, 512, 0), (255, 508, 1)])
def test_all_bytes_in_use(count, length, rules):
    compressed = compress(bytes(range(count)) * 2)
    assert (len(compressed.data), len(compressed.table)) == (length, rules)
    assert compressed.stopped == f"all 256 bytes are in use after {rules} rules"


@given(data, st.integers(1, 20), st.integers(1, 10))
def test_blocks(data, block_size, max_symbols):
    parts = list(compression.split_blocks(data, block_size, max_symbols))
    assert data[:0].join(parts) == data
    for part, following in itertools.pairwise(parts):
        assert 0 < len(part) <= block_size
        assert len(set(part)) <= max_symbols
        assert len(part) == block_size or len(set(part + following[:1])) > max_symbols
    blocks = compress_blocks(data, block_size=block_size, max_symbols=max_symbols, ties="greatest")
    assert data[:0].join(map(decompress, blocks)) == data


# ------------------------------------------------------------------------------------------------------------ real text


@pytest.mark.slow
def test_work_grows_with_the_text_and_not_with_its_square(monkeypatch):
    """A count of positions, not of seconds: they are looked at a few times each, however many rules there are."""
    looked_at, word_list = 0, "\n".join(text.load_word_freqs("wikitext-2-validation"))

    def counted(method):
        def call(queue, pair, *symbol):
            nonlocal looked_at
            before = len(queue.where[pair])
            made = method(queue, pair, *symbol)
            looked_at += 1 + before - len(queue.where.get(pair, ()))
            return made

        return call

    for name in ("_entry", "merge"):
        monkeypatch.setattr(FilteredQueue, name, counted(getattr(FilteredQueue, name)))
    assert repr(compress(word_list)) == (
        "Compressed(108059 symbols as 29414, and 5160 rules: 44894 in all, no pair repeats)"
    )
    assert looked_at < 12 * len(word_list)


def test_what_came_out_is_compared_and_not_how_it_was_asked_for():
    assert compression.compress("aaab", num_rules=5) == compression.compress("aaab")
    assert compression.compress("aaab", num_rules=0) != compression.compress("aaab")
