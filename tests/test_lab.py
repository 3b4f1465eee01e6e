"""What lesson 09 asks of vocabularies and of lists of merges: the papers' numbers, and clear errors."""

from importlib.util import find_spec

import pytest

from subword_lab import Tokenizer, bpe, text
from subword_lab.studies import mixtures, vocabularies
from subword_lab.studies.vocabularies import declaration_counts, recorded_counts

with_vocabularies = pytest.mark.skipif(not find_spec("quicktok"), reason="needs quicktok-v1")
SHARES = {"English": 0.5, "Russian": 0.3, "Burmese": 0.2}


@pytest.fixture(scope="module")
def corpora():
    declaration = text.load_texts("declaration")
    return {language: text.word_freqs(declaration[language]) for language in SHARES}


def test_the_record_and_the_texts_have_the_same_languages_in_the_same_order():
    articles = text.load_texts("declaration")
    assert {len(each) for each in articles.values()} == {15}
    for counts in recorded_counts().values():
        assert [*counts] == [*articles]


def test_the_published_premiums_are_those_of_the_paper():
    published = recorded_counts()["published"]
    premiums = {name: round(count / published["English"], 2) for name, count in published.items()}
    paper = {"Shan": 15.05, "Burmese": 11.7, "Dzongkha": 12.33, "Russian": 2.49, "Chinese": 1.91}
    assert {name: premiums[name] for name in paper} == paper


@with_vocabularies
@pytest.mark.slow
@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_the_record_is_what_is_counted(name):
    assert declaration_counts(name) == recorded_counts()[name]


def test_without_vocabularies_the_record_answers_and_all_else_says_what_is_missing(monkeypatch):
    def missing(name):
        raise ImportError("quicktok-v1 is not installed")

    monkeypatch.setattr(vocabularies, "find_spec", lambda name: None)
    monkeypatch.setattr(vocabularies, "vocabulary", missing)
    assert declaration_counts("o200k_base") == recorded_counts()["o200k_base"]
    assert declaration_counts("bytes", between="")["English"] == 3070
    for name, between in (("llama3", " "), ("o200k_base", "\n")):
        with pytest.raises(ImportError, match="quicktok-v1"):
            declaration_counts(name, between)


@with_vocabularies
@pytest.mark.slow
@pytest.mark.parametrize(
    "name, fragments, unreachable",
    [("o200k_base", 1434, 12), ("llama3", 1224, 0), ("cl100k_base", 645, 0)],
)
def test_fragments_and_unreachable_tokens_are_those_of_the_reports(name, fragments, unreachable):
    tokenizer = vocabularies.vocabulary(name)
    assert len(vocabularies.fragments(tokenizer)) == fragments
    assert len(vocabularies.unreachable(tokenizer)) == unreachable


def test_a_tokenizer_that_is_not_one_of_bytes_has_no_fragments_to_count():
    words = Tokenizer.train(["a tea"], "wordpiece", vocab_size=20)
    with pytest.raises(ValueError, match="expected one of bytes"):
        vocabularies.fragments(words)


@pytest.mark.parametrize("num_merges, off", [(30, 0.02), (200, 0.002)])
def test_shares_are_found_from_the_order_of_merges(corpora, num_merges, off):
    merges = bpe.train(mixtures.mix(corpora, SHARES), num_merges=num_merges).merges
    inferred = mixtures.infer_shares(corpora, merges)
    assert sum(inferred.values()) == pytest.approx(1)
    assert inferred == pytest.approx(SHARES, abs=off)


def test_no_pair_is_ahead_of_the_merges_in_the_mixture_that_they_were_learned_from(corpora):
    merges = bpe.train(mixtures.mix(corpora, SHARES), num_merges=50).merges
    for ahead in mixtures.leads(corpora, merges):
        assert (ahead @ [*SHARES.values()]).max(initial=0) < 1e-6


def test_a_mixture_is_as_long_as_promised_and_has_its_shares(corpora):
    mixed = mixtures.mix(corpora, {"English": 3, "Russian": 1})
    assert mixtures.size(mixed) == pytest.approx(mixtures.CHARACTERS, rel=1e-6)
    russian = {word: freq for word, freq in mixed.items() if word in corpora["Russian"]}
    assert mixtures.size(russian) / mixtures.size(mixed) == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize(
    "shares, told",
    [
        ({"Welsh": 1}, "'Welsh'"),
        ({"English": -1}, "negative"),
        ({"English": 0}, "above 0"),
        ({}, "above 0"),
    ],
)
def test_shares_that_make_no_mixture(corpora, shares, told):
    with pytest.raises(ValueError, match=told):
        mixtures.mix(corpora, shares)


def test_nothing_to_infer_from(corpora):
    with pytest.raises(ValueError, match="merges"):
        mixtures.infer_shares(corpora, [])
    with pytest.raises(ValueError, match="corpora"):
        mixtures.infer_shares({}, [("a", "b")])
