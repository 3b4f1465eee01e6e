"""Training and counting in compiled code: the same results as the readable functions."""

from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from subword_lab import Tokenizer, bpe, pieces, text, unigram, wordpiece
from subword_lab.engines import ENGINES
from subword_lab.pieces import Rules
from subword_lab.text import BERT_STEPS
from subword_lab_fast import merging, pair_rows
from subword_lab_fast.engine import prune_pieces
from tests.trainings import corpora, special_tokens, trainings, words

compiles = pytest.mark.slow  # on a machine that has not done so before, for half a minute
TIES = st.sampled_from(["first-seen", "lowest-ids"])


@compiles
@given(trainings, TIES, st.integers(0, 40))
def test_training_by_counts_equals_the_steps(training, ties, limit):
    algorithm, options = training
    options = {**options, "ties": ties, "num_merges": limit}
    if algorithm is wordpiece:
        options["score"] = "frequency"
    steps = list(algorithm.train_steps(**options))
    model = algorithm.train(engine="compiled", **options)
    assert not steps or model.vocab == steps[-1].vocab
    assert algorithm is wordpiece or model.merges == [step.pair for step in steps]
    assert bool(model.stopped) == (len(steps) < limit)


@given(corpora, special_tokens)
def test_tokens_of_one_fingerprint_are_told_apart(word_freqs, specials):
    options = {"special_tokens": specials, "num_merges": 30}
    functions = {
        name: function.py_func
        for name, function in vars(pair_rows).items()
        if hasattr(function, "py_func")
    }
    merge_pairs = functions.get("merge_pairs", pair_rows.merge_pairs)
    with (
        mock.patch.multiple(pair_rows, PRIME=3, **functions),
        mock.patch.object(merging, "merge_pairs", merge_pairs),
    ):
        crowded = bpe.train(word_freqs, engine="compiled", **options)
    assert crowded == bpe.train(word_freqs, engine="python", **options)


@compiles
@settings(max_examples=20)
@given(st.dictionaries(words, st.integers(1 << 40, 1 << 60), min_size=1, max_size=4))
def test_counts_that_only_python_can_add_are_left_to_python(word_freqs):
    merges = [bpe.train(word_freqs, num_merges=5, engine=engine).merges for engine in ENGINES]
    assert merges[0] == merges[1]


# ----------------------------------------------------------------------------------------------------------- Unigram


@compiles
@given(corpora, st.integers(0, 30), st.booleans(), st.sampled_from(["em", "counting"]))
def test_unigram_training_is_the_same_compiled(word_freqs, size, digamma, method):
    size += len({*"".join(word_freqs)})
    options = {
        "vocab_size": size,
        "initial_size": 2 * size,
        "method": method,
        "digamma": digamma and method == "em",
    }
    models = [unigram.train(word_freqs, engine=engine, **options) for engine in ENGINES]
    assert models[0].vocab == models[1].vocab
    assert list(models[0].losses.values()) == pytest.approx([*models[1].losses.values()])


@compiles
@given(
    st.lists(
        st.text(st.sampled_from("aabbab12.ж  ▁が字é\0\u0301"), max_size=25), min_size=1, max_size=8
    ),
    st.builds(
        Rules,
        longest=st.integers(1, 6),
        scripts=st.booleans(),
        digits=st.booleans(),
        seeds=st.integers(1, 40),
        coverage=st.sampled_from([0.8, 0.95, 1.0]),
        least=st.sampled_from([0, 0.5, 2.0]),
    ),
    st.integers(0, 20),
)
@example(["hug hugs pug", " hug", "", "hug▁pugs hugs"] * 3, Rules(), 4)
def test_pieces_by_rules_are_the_same_compiled(texts, rules, size):
    plain, fast = (pieces.corpus(texts, rules.coverage, engine) for engine in ENGINES)
    assert plain == fast
    if not plain.chars or not plain.words:
        return
    try:
        left = pieces.prune(plain, size, rules)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)[:20]):
            prune_pieces(plain, size, rules)
        return
    compiled = prune_pieces(plain, size, rules)
    assert list(compiled) == list(left)
    assert list(compiled.values()) == pytest.approx([*left.values()])


@compiles
@pytest.mark.parametrize(
    "algorithm, rules",
    [("bpe", None), ("bpe", Rules()), ("wordpiece", None), ("unigram", None), ("unigram", Rules())],
)
def test_a_tokenizer_is_the_same_whoever_trains_it(compiled, algorithm, rules):
    lines = text.load_passage().splitlines()
    plain = Tokenizer.train(lines, algorithm, 500, rules=rules).parts
    with compiled():
        fast = Tokenizer.train(iter(lines), algorithm, 500, rules=rules).parts
    assert plain.ids == fast.ids


# ----------------------------------------------------------------------------------------------------------- counting

texts = st.text(
    st.sampled_from("abAB'SſsrevltmdLl  \n\r\t12²½é字ʰǅ▁\u0301\u3000\u00a0!/?🤗\0"), max_size=70
)
bert_texts = st.text(
    st.sampled_from(
        "aAbBs  ##,.[]!éÉạ字猫가İΣ½မ🤗\0\t\r\x07\x85\u00a0\u0301\u0323\u1039\u2028\u302e"
        "\u3000\ufffd\U0001d160\U0001d16d"
    ),
    max_size=40,
)


@compiles
@pytest.mark.parametrize("scheme", [*text.BYTE_LEVEL, "metaspace", "bert"])
@given(st.lists(texts | bert_texts, max_size=5), st.sets(st.integers(0, 3)), st.integers(1, 60))
@example(["a" * 15 + " " + "a" * 16 + " " + "b" * 16 + " " + "é" * 40 + " " + "é" * 41], {0}, 1)
@example(["x  \n y\u3000\u3000z ", "", " ", "x'", "s"], {0}, 1)
@example(["Ab'S \u0301ABc\u0301D", "!\n/\r x", "'ſx  \n", "1234²", "\n\n "], {0}, 1)
def test_words_are_counted_alike_wherever_compiled_code_takes_over(
    compiled, scheme, strings, chosen, size
):
    known = sorted(BERT_STEPS) if scheme == "bert" else ["nfc"]
    options = {"steps": [step for number, step in enumerate(known) if number in chosen]}
    plain = text.word_freqs(strings, scheme, engine="python", **options)
    normalized = [text.normalize(string, *options["steps"]) for string in strings]
    assert plain == text.word_freqs(normalized, scheme)
    with compiled(), mock.patch("subword_lab.text.AT_A_TIME", size):
        mixed = text.word_freqs(iter(strings), scheme, **options)
    for block in 1, 8, 64:
        with mock.patch("subword_lab_fast.words.BLOCK", block):
            whole = text.word_freqs(strings, scheme, engine="compiled", **options)
        assert [*plain.items()] == [*whole.items()] == [*mixed.items()]


@compiles
def test_the_table_grows_and_long_words_are_told_apart():
    string = "".join(f" {number % 19_000}{'x' * (number % 40)}" for number in range(40_000))
    counts = [text.word_freqs([string], "byte-level", engine=engine) for engine in ENGINES]
    assert counts[0] == counts[1]


NO_SCHEME = "no scheme '{}' with the steps .*; expected one of .*'o200k'"


@pytest.mark.parametrize(
    "function, given, options, told",
    [
        (text.word_freqs, ["hug"], {"scheme": "split"}, NO_SCHEME.format("split")),
        (
            text.word_freqs,
            ["hug"],
            {"scheme": "bert", "steps": ["nfc"]},
            NO_SCHEME.format("bert"),
        ),
        (text.word_freqs, ["hug", 3], {"scheme": "byte-level"}, "a member of texts is int"),
        (bpe.train, {"hug": 1}, {"num_merges": 1, "ties": "greatest"}, "no ties='greatest'"),
        (
            bpe.train,
            {"hug": 1},
            {"num_merges": 1, "ties": bpe.shortest_first},
            "no ties=shortest_first;",
        ),
    ],
)
def test_compiled_code_says_what_it_does_not_do(function, given, options, told):
    with pytest.raises(ValueError, match=told):
        function(given, engine="compiled", **options)
