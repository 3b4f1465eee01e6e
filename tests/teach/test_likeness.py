"""Remarks on code that is alike: honest people who write the obvious lines are not named, and who pastes is."""

import random

import pytest

from subword_lab.exercises import catalog, load
from subword_lab.exercises.code import source_of
from subword_lab_teach.likeness import fingerprint, remarks

CLASSES = 40


def ours(id):
    return source_of(load(id).asked.answer)


def lines(*parts):
    return "\n".join(line for part in parts for line in ([part] if isinstance(part, str) else part))


def indented(depth, body):
    return [" " * 4 * depth + line for line in body]


def count_pairs(rng):
    """What people write for bpe-15."""
    counts = rng.choice(["counts", "counts", "freqs", "pair_freqs", "result", "pairs", "d", "out"])
    freq, word = (
        rng.choice(["freq", "freq", "count", "n"]),
        rng.choice(["word", "word", "word", "w"]),
    )
    symbols, i = rng.choice(["symbols", "split", "tokens", "parts", "s"]), rng.choice("iiijk")
    inner = rng.choice(
        [
            [f"for pair in zip({symbols}, {symbols}[1:]):"],
            [
                f"for {i} in range(len({symbols}) - 1):",
                f"    pair = ({symbols}[{i}], {symbols}[{i} + 1])",
            ],
            [f"for a, b in zip({symbols}, {symbols}[1:]):", "    pair = (a, b)"],
        ]
    )
    add = rng.choice(
        [
            [f"{counts}[pair] = {counts}.get(pair, 0) + {freq}"],
            [f"if pair not in {counts}:", f"    {counts}[pair] = 0", f"{counts}[pair] += {freq}"],
        ]
    )
    return lines(
        "def count_pairs(word_freqs, splits):",
        indented(1, [f"{counts} = {{}}", f"for {word}, {freq} in word_freqs.items():"]),
        indented(2, [f"{symbols} = splits[{word}]", *inner]),
        indented(3, add),
        f"    return {counts}",
    )


def merge(rng):
    """What people write for bpe-16."""
    out = rng.choice(["merged", "result", "result", "out", "new", "new_symbols"])
    i, both = rng.choice("iiijk"), rng.choice(["pair[0] + pair[1]", "''.join(pair)"])
    start = [f"{out} = []", f"{i} = 0"]
    rng.shuffle(start)
    test = rng.choice(
        [
            f"{i} < len(symbols) - 1 and symbols[{i}] == pair[0] and symbols[{i} + 1] == pair[1]",
            f"{i} + 1 < len(symbols) and (symbols[{i}], symbols[{i} + 1]) == pair",
            f"tuple(symbols[{i}:{i} + 2]) == pair",
            f"symbols[{i}:{i} + 2] == list(pair)",
        ]
    )
    found = [f"if {test}:", f"    {out}.append({both})"]
    body = rng.choice(
        [
            [*found, f"    {i} += 2", "else:", f"    {out}.append(symbols[{i}])", f"    {i} += 1"],
            [*found, f"    {i} += 1", "else:", f"    {out}.append(symbols[{i}])", f"{i} += 1"],
        ]
    )
    return lines(
        "def merge(symbols, pair):",
        indented(1, [*start, f"while {i} < len(symbols):"]),
        indented(2, body),
        f"    return {out}",
    )


def decode(rng):
    """What people write for bpe-18."""
    words, word = (
        rng.choice(["words", "words", "result", "out"]),
        rng.choice(["word", "current", "w"]),
    )
    token, start = rng.choice(["token", "token", "t"]), [f"{words} = []", f"{word} = ''"]
    body = rng.choice(
        [
            [
                f"{word} += {token}",
                f"if {token}.endswith('</w>'):",
                f"    {words}.append({word}[:-4])",
                f"    {word} = ''",
            ],
            [
                f"if {token}.endswith('</w>'):",
                f"    {words}.append({word} + {token}[:-4])",
                f"    {word} = ''",
                "else:",
                f"    {word} += {token}",
            ],
        ]
    )
    return lines(
        "def decode(tokens):",
        indented(1, [*start, f"for {token} in tokens:"]),
        indented(2, body),
        indented(1, [f"if {word}:", f"    {words}.append({word})", f"return {words}"]),
    )


def count_ways(rng):
    """What people write for unigram-17."""
    ways = rng.choice(["ways", "ways", "dp", "dp", "counts", "table"])
    end, start = rng.choice([("end", "start"), ("i", "j"), ("i", "j"), ("stop", "start")])
    begin = rng.choice(
        [[f"{ways} = [0] * (len(word) + 1)", f"{ways}[0] = 1"], [f"{ways} = [1] + [0] * len(word)"]]
    )
    return lines(
        "def count_ways(word, tokens):",
        indented(1, [*begin, f"for {end} in range(1, len(word) + 1):"]),
        f"        for {start} in range({end}):",
        f"            if word[{start}:{end}] in tokens:",
        f"                {ways}[{end}] += {ways}[{start}]",
        f"    return {ways}[{rng.choice(['-1', '-1', 'len(word)'])}]",
    )


HONEST = {"bpe-15": count_pairs, "bpe-16": merge, "bpe-18": decode, "unigram-17": count_ways}
SOLUTIONS = {id: fingerprint(ours(id)) for id in HONEST}


def codes(written):
    return {
        learner: {id: fingerprint(code) for id, code in own.items()}
        for learner, own in written.items()
    }


def honest_class(seed, size=20):
    rng = random.Random(seed)
    return {
        f"learner {number}": {id: write(rng) for id, write in HONEST.items()}
        for number in range(size)
    }


@pytest.mark.parametrize("id", HONEST)
def test_what_the_honest_write_is_right(id):
    rng, ex = random.Random(id), load(id)
    for _ in range(20):
        names = {"__name__": "__main__"}
        exec(HONEST[id](rng), names)
        assert ex.judge(names[ex.kind.example]).outcome == "correct"


def test_no_honest_class_is_told_that_two_have_the_same_code():
    named = [
        remark
        for seed in range(CLASSES)
        for remark in remarks(codes(honest_class(seed)), SOLUTIONS)
    ]
    assert not named


@pytest.mark.parametrize("id", HONEST)
def test_ten_who_paste_the_solution_are_named_and_nobody_else(id):
    written = honest_class(7)
    pasters = [f"learner {number}" for number in range(10)]
    for learner in pasters:
        written[learner][id] = f"# my own work\n{ours(id)}"
    told = remarks(codes(written), SOLUTIONS)
    assert sorted(learner for learner, _ in told) == sorted(pasters)
    assert all(f"the code for {id} is the solution that comes with" in remark for _, remark in told)


def test_one_who_pastes_two_solutions_is_named():
    written = honest_class(7)
    written["learner 3"] |= {id: ours(id) for id in ("bpe-15", "bpe-16")}
    assert [learner for learner, _ in remarks(codes(written), SOLUTIONS)] == ["learner 3"]


def test_two_who_share_their_work_are_named():
    written = honest_class(7)
    written["learner 1"] = dict(written["learner 0"])
    (one, said), (other, _) = remarks(codes(written), SOLUTIONS)
    assert {one, other} == {"learner 0", "learner 1"}
    assert said.endswith(f"is the same as that of {other}")


def test_short_code_says_nothing():
    short = [
        id
        for id, one in catalog([]).items()
        if one.kind.name == "function" and not fingerprint(ours(id))
    ]
    assert "compression-16" in short and "bpe-16" not in short


def test_code_that_is_too_deep_to_be_compared_costs_nothing():
    chain = "".join(f"    elif x == {number}:\n        pass\n" for number in range(400))
    assert fingerprint(f"def f(x):\n    if x:\n        pass\n{chain}") == ""
