"""Remarks on code that is alike: honest people who write the obvious lines are not named, and who pastes is."""

import random
from string import Template

import pytest

from subword_lab.exercises import catalog, load
from subword_lab.exercises.code import source_of
from subword_lab_teach.likeness import code_checked, fingerprint, remarks

CLASSES = 20


def ours(id):
    return source_of(load(id).asked.answer)


# What people write: code with places, and what stands in each, more often where it stands there twice.
HONEST = {
    "bpe-15": (
        """
def count_pairs(word_freqs, splits):
    $counts = {}
    for $word, $freq in word_freqs.items():
        $symbols = splits[$word]
$inner
$add
    return $counts
""",
        {
            "counts": "counts counts freqs pair_freqs result pairs d out".split(),
            "freq": "freq freq count n".split(),
            "word": "word word word w".split(),
            "symbols": "symbols split tokens parts s".split(),
            "i": "iiijk",
            "inner": [
                "        for pair in zip($symbols, $symbols[1:]):",
                "        for $i in range(len($symbols) - 1):\n"
                "            pair = ($symbols[$i], $symbols[$i + 1])",
                "        for a, b in zip($symbols, $symbols[1:]):\n            pair = (a, b)",
            ],
            "add": [
                "            $counts[pair] = $counts.get(pair, 0) + $freq",
                "            if pair not in $counts:\n                $counts[pair] = 0\n"
                "            $counts[pair] += $freq",
            ],
        },
    ),
    "bpe-16": (
        """
def merge(symbols, pair):
$start
    while $i < len(symbols):
        if $test:
            $out.append($both)
$end
    return $out
""",
        {
            "out": "merged result result out new new_symbols".split(),
            "i": "iiijk",
            "both": ["pair[0] + pair[1]", "''.join(pair)"],
            "start": ["    $out = []\n    $i = 0", "    $i = 0\n    $out = []"],
            "test": [
                "$i < len(symbols) - 1 and symbols[$i] == pair[0] and symbols[$i + 1] == pair[1]",
                "$i + 1 < len(symbols) and (symbols[$i], symbols[$i + 1]) == pair",
                "tuple(symbols[$i:$i + 2]) == pair",
                "symbols[$i:$i + 2] == list(pair)",
            ],
            "end": [
                "            $i += 2\n        else:\n            $out.append(symbols[$i])\n"
                "            $i += 1",
                "            $i += 1\n        else:\n            $out.append(symbols[$i])\n"
                "        $i += 1",
            ],
        },
    ),
    "bpe-18": (
        """
def decode(tokens):
    $words = []
    $word = ''
    for $token in tokens:
$body
    if $word:
        $words.append($word)
    return $words
""",
        {
            "words": "words words result out".split(),
            "word": "word current w".split(),
            "token": "token token t".split(),
            "body": [
                "        $word += $token\n        if $token.endswith('</w>'):\n"
                "            $words.append($word[:-4])\n            $word = ''",
                "        if $token.endswith('</w>'):\n"
                "            $words.append($word + $token[:-4])\n            $word = ''\n"
                "        else:\n            $word += $token",
            ],
        },
    ),
    "unigram-17": (
        """
def count_ways(word, tokens):
$begin
    for $end in range(1, len(word) + 1):
        for $start in range($end):
            if word[$start:$end] in tokens:
                $ways[$end] += $ways[$start]
    return $ways[$last]
""",
        {
            "ways": "ways ways dp dp counts table".split(),
            "end": ["end", "i", "i", "stop"],
            "start": ["start", "j", "j", "begin"],
            "begin": [
                "    $ways = [0] * (len(word) + 1)\n    $ways[0] = 1",
                "    $ways = [1] + [0] * len(word)",
            ],
            "last": ["-1", "-1", "len(word)"],
        },
    ),
}


def honest(rng, id):
    text, places = HONEST[id]
    chosen = {name: rng.choice(words) for name, words in places.items()}
    return Template(Template(text).substitute(chosen)).substitute(chosen)


SOLUTIONS = {id: fingerprint(ours(id)) for id in HONEST}


def codes(written):
    return {
        learner: {id: fingerprint(code) for id, code in own.items()}
        for learner, own in written.items()
    }


def honest_class(seed, size=20):
    rng = random.Random(seed)
    return {f"learner {number}": {id: honest(rng, id) for id in HONEST} for number in range(size)}


def test_no_honest_class_is_told_that_two_have_the_same_code():
    assert not [
        remark
        for seed in range(CLASSES)
        for remark in remarks(codes(honest_class(seed)), SOLUTIONS)
    ]


@pytest.mark.parametrize(
    "pasters, ids", [*((range(10), [id]) for id in HONEST), ([3], ["bpe-15", "bpe-16"])]
)
def test_whoever_pastes_the_solution_is_named_and_nobody_else(pasters, ids):
    written, learners = honest_class(7), [f"learner {number}" for number in pasters]
    for learner in learners:
        written[learner] |= {id: f"# my own work\n{ours(id)}" for id in ids}
    told = remarks(codes(written), SOLUTIONS)
    assert sorted(learner for learner, _ in told) == learners
    pasted = f"the code for {', '.join(ids)} is the solution that comes with"
    assert all(pasted in remark for _, remark in told)


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


def test_code_that_is_too_deep_or_too_long_to_be_compared_costs_nothing():
    chain = "".join(f"    elif x == {number}:\n        pass\n" for number in range(400))
    assert fingerprint(f"def f(x):\n    if x:\n        pass\n{chain}") == ""
    assert fingerprint(ours("bpe-16")) and not fingerprint(f"# {'x' * 20_000}\n{ours('bpe-16')}")


@pytest.mark.parametrize("id, name", [("bpe-16", "merge"), ("bpe-15", "count"), ("bpe-17", "")])
def test_of_several_checks_in_a_cell_each_is_about_its_own_function(id, name):
    last = "bpe_16.check(merge)\nload('bpe-15').check(count)\nanother.check(encode)"
    cells = ["def merge(a):\n    return a", "def count(a):\n    return 1", last]
    code = {"merge": cells[0], "count": cells[1], "": last}
    assert code_checked(cells, 3, id) == (code[name], name)
    for long in ("a" * 18_000, "a" * 2_000_000):  # a word without end, and a cell that is too long
        told = code_checked([*cells[:2], f"# {long}\n{last}"], 3, "bpe-16")
        assert told == ((cells[0], "merge") if len(long) < 20_000 else ("", ""))
