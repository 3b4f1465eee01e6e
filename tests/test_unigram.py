"""Unigram: losses and training against their definitions, encoding against the library."""

import math
from collections import Counter
from itertools import combinations, groupby

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tokenizers.models import Unigram

from subword_lab import text, unigram
from subword_lab.structures.lattices import lattices
from subword_lab.structures.suffixes import repeats, sorted_suffixes
from subword_lab.unigram import UnigramModel

ENGINES = pytest.mark.parametrize(
    "engine", ["python", pytest.param("compiled", marks=pytest.mark.slow)]
)
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}

# Few letters, so that words share substrings; losses that tie often, and some that do not.
words = st.text("abc", max_size=7)
pieces = st.text("abc", min_size=1, max_size=4)
losses = st.one_of(st.integers(0, 6).map(float), st.floats(0, 20))
models = st.dictionaries(pieces, losses, max_size=20).map(UnigramModel)
corpora = st.dictionaries(
    st.text("abc", min_size=1, max_size=6), st.integers(1, 5), min_size=1, max_size=10
)


@st.composite
def corpora_with_model(draw):
    """A corpus and a model that holds all of its characters."""
    word_freqs = draw(corpora)
    chars = draw(st.fixed_dictionaries(dict.fromkeys(sorted(set("".join(word_freqs))), losses)))
    return word_freqs, UnigramModel(
        chars | draw(st.dictionaries(st.text("abc", min_size=2, max_size=4), losses, max_size=12))
    )


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


# --------------------------------------------------------------------------------------------------- unknown characters


@pytest.mark.parametrize(
    "unknown_loss, word, way, tokens",
    [
        (None, "mug", (["m", "ug"], 13.5), ["[UNK]", "ug"]),  # 10 nats more than the worst token
        (3.0, "mug", (["m", "ug"], 4.5), ["[UNK]", "ug"]),
        (math.inf, "mug", (["mug"], math.inf), ["[UNK]"]),  # the whole word is unknown
        (math.inf, "hug", (["h", "ug"], 3.5), ["h", "ug"]),
        (None, "🤗ug", (["🤗", "ug"], 13.5), ["[UNK]", "ug"]),
    ],
)
def test_what_unknown_characters_cost(unknown_loss, word, way, tokens):
    model = UnigramModel({"h": 2.0, "ug": 1.5}, unknown_loss=unknown_loss)
    assert unigram.viterbi(word, model) == way and unigram.encode_word(word, model) == tokens
    assert unigram.encode_word(word, model, unknown=None) == way[0]
    assert unigram.corpus_loss({word: 2}, model) == 2 * way[1]
    known = {token: 2 * (token in way[0]) for token in model.losses}
    assert unigram.expected_counts({word: 2}, model) == pytest.approx(known, abs=0.03)
    if tokens != way[0]:
        with pytest.raises(ValueError, match="' is not in the vocabulary"):
            unigram.encode_word(word, model, unknown="error")


# -------------------------------------------------------------------------------------------------- losses of a corpus


@given(corpora_with_model())
def test_removal_scores_equal_the_naive_recount(corpus):
    word_freqs, model = corpus
    whole = unigram.corpus_loss(word_freqs, model)
    scores = unigram.removal_scores(word_freqs, model)
    assert set(scores) == {token for token in model.vocab if len(token) > 1}
    for token, score in scores.items():
        rest = {other: loss for other, loss in model.losses.items() if other != token}
        assert score == close(unigram.corpus_loss(word_freqs, UnigramModel(rest)) - whole)
        assert score >= 0


# Probabilities that are too small for numbers, and any characters.
LONG = {"ab" * 300: 2, "ab": 3}, {"a": 9.0, "b": 8.0, "ab": 16.0, "ba": 15.5, "aba": 30.0}
# So long that most of it is passed over where a token's absence is worked out.
ODD = "".join("abc"[n * n % 7 % 3] + "ab" * (n % 60 == 0) for n in range(1_500))
ENDLESS = {ODD: 2, "cab": 3}, {**LONG[1], "c": 7.0, "abc": 20.0, "cc": 15.0, "bab": 17.0}
STRANGE = (
    {"\uffff\0": 2, "\U0010ffff\uffff": 3, "\0": 1},
    {"\0": 1.0, "\uffff": 2.0, "\U0010ffff": 3.0, "\U0010ffff\uffff": 4.0},
)


@ENGINES
@given(corpora_with_model(), st.sets(st.integers(0, 11)))
@example((LONG[0], UnigramModel(LONG[1])), set())
@example((ENDLESS[0], UnigramModel(ENDLESS[1])), set())
@example((STRANGE[0], UnigramModel(STRANGE[1])), set())
def test_lattices_compute_the_same(engine, corpus, removed):
    word_freqs, model = corpus
    found = lattices(word_freqs, model.losses, engine)
    long = [token for token in model.vocab if len(token) > 1]
    gone = {token for number, token in enumerate(long) if number in removed}
    for rest in (
        model,
        UnigramModel({token: loss for token, loss in model.losses.items() if token not in gone}),
    ):
        assert found.loss(rest.losses) == unigram.corpus_loss(word_freqs, rest)
        assert found.removal_scores(rest.losses) == close(unigram.removal_scores(word_freqs, rest))
        counts, loss = found.expected_counts(rest.losses)
        assert counts == close(unigram.expected_counts(word_freqs, rest))
        assert loss == close(unigram.corpus_loss(word_freqs, rest, paths="all"))
        found.remove(gone)


def test_losses_are_negative_logarithms_of_shares():
    assert sum(
        math.exp(-loss) for loss in unigram.to_losses({"a": 0.2, "b": 3, "c": 0.0}).values()
    ) == close(1)
    assert unigram.to_losses({"a": 1.0, "b": 0.0})["b"] == close(
        -math.log(1e-10)
    )  # unused, and yet finite


def test_digamma_is_the_slope_of_the_logarithm_of_gamma():
    for x in (0.25, 1, 7.5, 1000):
        slope = (math.lgamma(x + 1e-4) - math.lgamma(x - 1e-4)) / 2e-4
        assert unigram.digamma_of(x) == pytest.approx(slope, rel=1e-5)
    least = [unigram.to_losses({"a": n, "b": 3}, digamma=True) for n in (0.1, 0.5, 0.6)]
    assert least[0] == least[1] != least[2]


# ------------------------------------------------------------------------------------------------- initial vocabulary


def counted(word_freqs, strict=False):
    """How often each substring stands in the corpus; strict: a word of several characters is none of its own."""
    counts = Counter()
    for word, freq in word_freqs.items():
        for start, end in combinations(range(len(word) + 1), 2):
            counts[word[start:end]] += freq * (not strict or end - start < max(len(word), 2))
    return counts


@given(
    st.dictionaries(
        st.text("aab", min_size=1, max_size=8), st.integers(1, 3), min_size=1, max_size=8
    )
)
def test_repeats_are_the_substrings_that_no_longer_one_replaces(word_freqs):
    counts, found = counted(word_freqs), repeats(word_freqs)
    assert found == {
        string: count
        for string, count in counts.items()
        if len(string) > 1 and count > 1 and all(counts[string + char] < count for char in "ab")
    }
    assert len(found) < 2 * len(sorted_suffixes(word_freqs))


def test_a_long_word_costs_in_proportion_to_its_length():
    def sizes(length):
        word_freqs = {"x" * length: 1}
        vocab = unigram.initial_vocab(word_freqs, length, seed="suffix-array")
        corpus = lattices(word_freqs, vocab, "python")
        return [
            sum(len(suffix) for suffix, _ in sorted_suffixes(word_freqs)),
            sum(map(len, vocab)),
            len(corpus.parents),
            len(corpus.starts),
        ]

    short, long = sizes(1_000), sizes(4_000)
    assert all(more <= 4.4 * less for less, more in zip(short, long))
    assert unigram.initial_vocab({"x" * 1_000: 1}, 1_000, seed="suffix-array")["x" * 100] == 901


def test_words_whose_substrings_would_not_fit_into_memory_are_refused():
    words = {f"{number:0900}": 1 for number in range(5)}
    with pytest.raises(ValueError, match=r"5 words of up to 900 characters.*and few words as long"):
        unigram.initial_vocab(words, 1_000)
    with pytest.raises(ValueError, match="1 word of up to 950 characters"):
        unigram.initial_vocab({"🤗" * 950: 1}, 1_000)
    assert unigram.initial_vocab(words, 1_000, seed="suffix-array")["0" * 100] == 4_001


@given(corpora, st.sampled_from(unigram.SEEDS), st.integers(0, 15))
def test_initial_vocabulary_holds_every_character_and_true_counts(word_freqs, seed, more):
    chars = sorted(set("".join(word_freqs)))
    vocab = unigram.initial_vocab(word_freqs, len(chars) + more, seed=seed)
    assert list(vocab)[: len(chars)] == chars and len(vocab) <= len(chars) + more
    everywhere = counted(word_freqs, strict=seed == "substrings")
    assert vocab == {token: everywhere[token] for token in vocab}


@pytest.mark.parametrize(
    "seed, word_freqs, tokens",
    [
        ("substrings", {"banana": 3, "bandana": 2, "an": 1}, ["an", "ana"]),  # 10 and 8
        ("suffix-array", {"banana": 3, "bandana": 2, "an": 1}, ["ana", "an"]),  # 3 x 8 and 2 x 11
        ("bpe", {"banana": 3, "bandana": 2, "an": 1}, ["an", "ban"]),
        # Among equals: the substring that was met first, the first in code-point order, the pair that was met first.
        ("substrings", {"zyx": 2, "abc": 2}, ["zy", "yx"]),
        ("suffix-array", {"aaac": 3, "bc": 2}, ["aa", "aaac"]),
        ("bpe", {"zyx": 2, "abc": 2}, ["zy", "zyx"]),
    ],
)
def test_seeds_rank_as_they_say(seed, word_freqs, tokens):
    chars = sorted({*"".join(word_freqs)})
    assert list(unigram.initial_vocab(word_freqs, len(chars) + 2, seed=seed)) == [*chars, *tokens]


# ------------------------------------------------------------------------------------------------------------ training

options = st.fixed_dictionaries(
    {
        "method": st.sampled_from(unigram.METHODS),
        "seed": st.sampled_from(unigram.SEEDS),
        "drop": st.sampled_from([0.1, 0.3, 0.9]),
        "em_passes": st.integers(1, 3),
    }
)
options = st.one_of(options, options.map(lambda chosen: chosen | {"method": "em", "digamma": True}))


def fitted(word_freqs, counts, losses, method, em_passes, digamma=False, **others):
    """The losses that each round ends with, by the readable functions alone."""
    if method == "counting":
        return unigram.to_losses({token: counts[token] for token in losses})
    for _ in range(em_passes):
        losses = unigram.to_losses(
            unigram.expected_counts(word_freqs, UnigramModel(losses)), digamma=digamma
        )
    return losses


@given(corpora, options, st.integers(0, 6), st.integers(0, 10))
@example(
    {"abab": 2, "cc": 1}, {"method": "em", "seed": "substrings", "drop": 0.3, "em_passes": 3}, 0, 4
)
def test_every_round_tells_the_truth(word_freqs, options, more, initial):
    chars = set("".join(word_freqs))
    vocab_size = len(chars) + more
    given = {"vocab_size": vocab_size, "initial_size": vocab_size + initial, **options}
    model, steps = (
        unigram.train(word_freqs, **given),
        list(unigram.train_steps(word_freqs, **given)),
    )
    counts = unigram.initial_vocab(word_freqs, vocab_size + initial, seed=options["seed"])
    offered, first = list(counts), fitted(word_freqs, counts, unigram.to_losses(counts), **options)
    assert (steps[0].before if steps else model).losses == {
        token: close(loss) for token, loss in first.items()
    }
    for number, step in enumerate(steps, start=1):
        before, after = step.before.losses, step.model.losses
        assert step.number == number and step.before == (
            steps[number - 2].model if number > 1 else step.before
        )
        assert step.loss == close(unigram.corpus_loss(word_freqs, step.before))
        assert step.scores == close(unigram.removal_scores(word_freqs, step.before))
        assert len(step.removed) == min(
            max(1, int(len(before) * options["drop"])), len(before) - vocab_size
        )
        assert max(step.scores[token] for token in step.removed) <= 1e-6 + min(
            [score for token, score in step.scores.items() if token not in step.removed],
            default=math.inf,
        )
        kept = UnigramModel(
            {token: loss for token, loss in before.items() if token not in step.removed}
        )
        assert list(kept.losses) == list(after)
        made_anew = fitted(word_freqs, counts, kept.losses, **options)
        assert after == {token: close(loss) for token, loss in made_anew.items()}
        assert step.loss_without == close(unigram.corpus_loss(word_freqs, kept))
        assert step.loss_without >= step.loss - 1e-9
        assert step.loss_after == close(unigram.corpus_loss(word_freqs, step.model))
        assert len(step.em_losses) == (options["em_passes"] if options["method"] == "em" else 0)
        assert step.em_losses[:1] in (
            [],
            [close(unigram.corpus_loss(word_freqs, kept, paths="all"))],
        )
    assert not steps or model == steps[-1].model
    assert len(model.losses) == min(vocab_size, len(offered)) and chars <= set(model.vocab) <= set(
        offered
    )
    assert bool(model.stopped) == (len(offered) < vocab_size)


@pytest.mark.parametrize(
    "word_freqs, sizes, scores, removed",
    [
        # What costs nothing one by one can cost much together.
        (HUG, (10, 15, 0.2), {"ug": 0, "pu": 0, "un": 0}, ["ug", "pu", "un"]),
        # Small differences count, ...
        ({"abab": 2, "abac": 100_000}, (4, 7, 0.01), {"ab": 1e-4, "aba": 0}, ["aba"]),
        # ... and those of rounding do not: of tokens that are both free, the first one goes.
        ({"bbbb": 2, "aa": 3, "abaa": 1}, (5, 6, 0.01), {"bb": 1e-12, "bbb": 0}, ["bb"]),
    ],
)
def test_what_the_first_round_removes(word_freqs, sizes, scores, removed):
    options = dict(zip(("vocab_size", "initial_size", "drop"), sizes), method="counting")
    step = next(unigram.train_steps(word_freqs, **options))
    assert step.removed == removed and list(step.scores)[: len(scores)] == list(scores)
    for token, most in scores.items():
        assert step.scores[token] == 0 if most == 0 else 0 < step.scores[token] < most
    if word_freqs == HUG:
        assert round(step.loss, 1) == 177.8 and round(step.loss_without, 1) == 206.9


def test_an_order_of_ones_own_and_the_overshoot():
    sizes = {
        "vocab_size": 9,
        "initial_size": 15,
        "drop": 0.3,
        "method": "counting",
        "order": lambda token: token[1],
    }
    steps = list(unigram.train_steps(HUG, **sizes))
    assert steps[0].scores == {
        "ug": "g",
        "pu": "u",
        "un": "n",
        "hu": "u",
        "hug": "u",
        "ugs": "g",
        "gs": "s",
        "bu": "u",
    }
    assert [step.removed for step in steps] == [["ug", "ugs", "un", "gs"], ["pu", "hu"]]
    steps = list(unigram.train_steps(HUG, **sizes, overshoot=True))
    assert [step.removed for step in steps] == [["ug", "ugs", "un", "gs"], ["pu", "hu", "hug"]]
    sizes = {"vocab_size": 3, "initial_size": 5, "drop": 0.9}  # the characters stay
    assert unigram.train({"ab": 3, "abab": 2}, **sizes, overshoot=True).vocab == ["a", "b"]


# ---------------------------------------------------------------------------------------------- encoding and decoding


def library_tokens(word, model):
    """What the tokenizers library makes of the word; there, unknown characters in a row are one token."""
    scores = [("<unk>", 0.0), *((token, -loss) for token, loss in model.losses.items())]
    return [token.value for token in Unigram(scores, unk_id=0, byte_fallback=False).tokenize(word)]


def with_unknowns_joined(tokens, model):
    runs = groupby(tokens, key=model.losses.__contains__)
    return [token for known, run in runs for token in (run if known else ["".join(run)])]


@given(st.text("abcxy", min_size=1, max_size=9), models)
def test_encoding_equals_the_library(word, model):
    assume(model.losses)
    assert library_tokens(word, model) == with_unknowns_joined(
        unigram.viterbi(word, model)[0], model
    )


@given(st.lists(words), models)
def test_encode_is_encode_word_on_each(texts, model):
    assert unigram.encode(texts, model) == [
        token for word in texts for token in unigram.encode_word(word, model)
    ]


@given(st.text().filter(lambda string: "▁" not in string and not string.startswith(" ")))
def test_the_mark_carries_the_spaces(string):
    marked = [word for word, _ in text.pre_tokenize(string, "metaspace")]
    model = UnigramModel({"▁": 1.0, "a": 1.0, "▁a": 1.5})
    assert " ".join(unigram.decode(unigram.encode(marked, model, unknown=None))) == string


@pytest.mark.parametrize(
    "tokens, mark, decoded",
    [
        (["▁Hello", "▁wor", "ld", "."], "▁", ["Hello", "world."]),
        (["Hello", "▁wor", "ld", "."], "▁", ["Hello", "world."]),
        (["_a", "b", "_c"], "_", ["ab", "c"]),
        ([], "▁", []),
    ],
)
def test_decoding(tokens, mark, decoded):
    assert unigram.decode(tokens, mark) == decoded
