"""What lesson 09 asks of vocabularies, merges and cuts: the papers' numbers, and clear errors."""

import csv
import re
from importlib.util import find_spec

import pytest

from subword_lab import Tokenizer, bpe, text
from subword_lab.studies import mixtures, morphemes, own_tokenizer, vocabularies
from subword_lab.studies.vocabularies import declaration_counts, recorded_counts

with_vocabularies = pytest.mark.skipif(not find_spec("quicktok"), reason="needs quicktok-v1")
SHARES = {"English": 0.5, "Russian": 0.3, "Burmese": 0.2}


@pytest.fixture(scope="module")
def corpora():
    declaration = text.load_texts("declaration")
    return {language: text.word_freqs(declaration[language]) for language in SHARES}


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


@pytest.mark.parametrize("num_merges, off", [(30, 0.02), (200, 0.002)])
def test_shares_are_found_from_the_order_of_merges(corpora, num_merges, off):
    merges = bpe.train(mixtures.mix(corpora, SHARES), num_merges=num_merges).merges
    inferred = mixtures.infer_shares(corpora, merges)
    assert sum(inferred.values()) == pytest.approx(1)
    assert inferred == pytest.approx(SHARES, abs=off)


def test_a_mixture_is_as_long_as_promised_and_has_its_shares(corpora):
    mixed = mixtures.mix(corpora, {"English": 3, "Russian": 1})
    assert mixtures.size(mixed) == pytest.approx(mixtures.CHARACTERS, rel=1e-6)
    russian = {word: freq for word, freq in mixed.items() if word in corpora["Russian"]}
    assert mixtures.size(russian) / mixtures.size(mixed) == pytest.approx(0.25, abs=0.03)


# ------------------------------------------------------------------------ morphemes, and a tokenizer of one's own


def test_the_words_in_their_parts_are_spelled_as_their_parts_and_credited(root):
    gold = morphemes.gold_morphemes()
    assert len(gold) == 3000 and list(gold) == sorted(gold)
    for word, parts in gold.items():
        assert "".join(parts) == word and len(parts) > 1 and all(map(str.islower, parts))
    told = (root / "subword_lab" / "data" / "morphemes_license.txt").read_text(encoding="utf-8")
    assert "MorphyNet" in told and "https://creativecommons.org/licenses/by-sa/3.0/" in told


def test_whoever_cuts_everywhere_finds_all_borders_and_whoever_never_cuts_none():
    gold = {"unhappy": ["un", "happy"], "hugs": ["hug", "s"]}
    everywhere = morphemes.border_scores(gold, list)
    assert everywhere["recall"] == 1 and everywhere["precision"] == pytest.approx(2 / 9)
    never = morphemes.border_scores(gold, lambda word: [word])
    assert never == {"precision": 0, "recall": 0, "F1": 0}
    assert morphemes.border_scores(gold, gold.__getitem__) == dict.fromkeys(never, 1)


def test_a_text_of_ones_own_is_pasted_or_read_from_a_file(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("чай\n\n 茶 \nчай\n", encoding="utf-8")
    assert own_tokenizer.paragraphs(file) == ["чай", "茶"]
    assert own_tokenizer.paragraphs(file.read_text(encoding="utf-8")) == ["чай", "茶"]


def words():
    return Tokenizer.train(["a tea", "a cup"], "wordpiece", vocab_size=20)


def test_measures_count_unknown_tokens():
    measured = own_tokenizer.measures(words(), ["a tea", "茶 cup"])
    tokens = sum(len(words().encode(each)) for each in ("a tea", "茶 cup"))
    assert (measured["unknown"], measured["tokens"]) == (1, tokens)
    assert measured["tokens per word"] == tokens / 4


CORPUS = {"English": {"tea": 1}}


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda: mixtures.mix(CORPUS, {"Welsh": 1}), "'Welsh'"),
        (lambda: mixtures.mix(CORPUS, {"English": -1}), "negative"),
        (lambda: mixtures.mix(CORPUS, {"English": 0}), "above 0"),
        (lambda: mixtures.mix(CORPUS, {}), "above 0"),
        (lambda: mixtures.infer_shares(CORPUS, []), "merges"),
        (lambda: mixtures.infer_shares({}, [("a", "b")]), "corpora"),
        (lambda: morphemes.border_scores({"hugs": ["hug", "s"]}, lambda _: ["[UNK]"]), "'hugs'"),
        (lambda: morphemes.border_scores({"hugs": ["hugs"]}, lambda _: ["hugs"]), "several parts"),
        (lambda: morphemes.border_scores({}, list), "several parts"),
        (lambda: vocabularies.fragments(words()), "expected one of bytes"),
        (lambda: own_tokenizer.measures(words(), [" "]), "with words"),
        (lambda: own_tokenizer.paragraphs(7), "source is int, 7"),
        *(
            (lambda source=source: own_tokenizer.paragraphs(source), "two lines")
            for source in ("", "one line", "twice\ntwice")
        ),
    ],
)
def test_what_cannot_be_worked_with_is_told(call, told):
    with pytest.raises(ValueError, match=told):
        call()


def test_the_lesson_marks_by_the_rubric_that_instructors_get(root):
    rubric = root / "extras" / "teach" / "subword_lab_teach" / "static" / "rubric.csv"
    with rubric.open(encoding="utf-8") as file:
        rows = [(row["item"], row["points"]) for row in csv.DictReader(file)]
    lesson = (root / "notebooks" / "09_lab.ipynb").read_text(encoding="utf-8")
    assert re.findall(r'\[\\"(capstone-\w+)\\", (\d+),', lesson) == rows
